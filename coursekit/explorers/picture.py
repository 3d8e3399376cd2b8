"""A matplotlib Figure in the browser that follows sliders: each frame is a list of what is drawn, not pixels.

The parts that never move (axes, titles, labels) are written down once. Each frame lists what the moving artists draw;
the page draws both, sharp on its screen and in the colors of its theme. Stills are drawn by Agg.
"""

import io
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from threading import RLock
from typing import Any, ClassVar

import anywidget
import numpy as np
import traitlets
from comm import DummyComm
from matplotlib.backend_bases import RendererBase
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.image import AxesImage
from matplotlib.lines import Line2D
from PIL import Image

from coursekit.explorers.controls import Fixed, ask, hear, script
from coursekit.plots.marks import Artist, Axes, Floats
from coursekit.plots.recorder import GLIDES, GLYPHS, Recorder
from coursekit.plots.style import Style, current, use

Point = tuple[float, float]


@dataclass(frozen=True)
class Stroke:
    """A pointer pressed at `start` and now at `at`, both in the data coordinates of `axes`.

    done: the pointer was released.
    grip: how near it takes hold of something, in pixels of the figure: a finger is not as exact as a mouse.
    """

    axes: Axes
    start: Point
    at: Point
    done: bool
    grip: float = 13.5

    def nearest(self, places: Floats) -> int | None:
        """Which of the places, (n, 2) in data units, the press takes hold of."""
        to_pixels = self.axes.transData.transform
        distances = np.hypot(*(to_pixels(np.reshape(places, (-1, 2))) - to_pixels(self.start)).T)
        return int(distances.argmin()) if distances.min(initial=np.inf) <= self.grip else None


Hold = Callable[[Stroke], object]  # what is done for a press and each stroke that follows it


class Picture(anywidget.AnyWidget):
    """Shows `figure`; `moving` are the artists that change from frame to frame.

    grab, if given, is called with the first Stroke when the pointer presses inside axes; what it returns, if anything,
    is called with that Stroke and with those that follow, until the pointer is released.
    on_keys(names, action): action is called with a list of those keys that were pressed in the picture.
    draw(sentence) sends a frame with the sentence that describes it (the picture's text alternative); grips are the
    places that can be taken hold of, as axes and data: there the pointer is a hand. A finger takes hold of those that
    have no other within its width, and of the `handles` among them; elsewhere it moves the page.
    Where there is no browser to send a frame to, in a script or a test, it is made when it is read.
    png() is the same picture as a PNG file's bytes, printed(kind) the same at print quality.

    lock: matplotlib is not thread safe, and widgets may be called from two threads: whatever draws, or
    changes what is drawn, holds this lock. All pictures share it, because they share matplotlib's settings.
    """

    lock: ClassVar[RLock] = RLock()  # type: ignore[valid-type]
    _esm = script("newest.js", "kernel.js", "replay.js", "touching.js", "picture.js")
    _css = Path(__file__).with_name("picture.css")
    ground: Any = traitlets.Dict().tag(sync=True)  # what stays: a list, see `Recorder`, and the outlines of letters
    frame: Any = traitlets.Dict().tag(sync=True)  # what moves, and which ground it lies on
    sentence = traitlets.Unicode("").tag(sync=True)
    width = traitlets.Int().tag(sync=True)
    height = traitlets.Int().tag(sync=True)
    narrow = traitlets.Bool(False).tag(sync=True)  # whether the page has little room, set by the browser
    ratio = traitlets.Float(1.0).tag(sync=True)  # device pixels per CSS pixel, set by the browser
    touchable = traitlets.Bool(False).tag(sync=True)
    stroke = traitlets.Dict().tag(sync=True, echo_update=False)
    grips: Any = traitlets.List().tag(sync=True)  # places that can be taken hold of, as shares of the picture
    handles: Any = traitlets.List().tag(sync=True)
    hotkeys = traitlets.List(traitlets.Unicode()).tag(sync=True)  # those that the browser reports
    pressed: Any = traitlets.List().tag(sync=True, echo_update=False)  # the last keys, each with its number
    label = traitlets.Unicode("picture").tag(sync=True)  # what a screen reader calls it
    key_help = traitlets.Unicode("").tag(sync=True)

    def __init__(self, figure: Figure, moving: Sequence[Artist],
                 grab: Callable[[Stroke], Hold | None] | None = None) -> None:
        self._grab = grab
        self._held: Hold | None = None
        self._on_keys: Callable[[list[str]], None] | None = None
        self._seen: int | None = None  # the last stroke and the last key that were reported
        self._heard = 0
        self._glides = True
        self._style, self._dpi = current(), figure.dpi
        self._ground: dict[str, Any] | None = None
        super().__init__(touchable=grab is not None, ground={}, frame={})
        self.on_msg(hear)
        self.lay(figure, moving)

    def lay(self, figure: Figure, moving: Sequence[Artist], style: Style | None = None) -> None:
        """Show another figure from the next frame on. style: in which it was made, where that may be another."""
        if style:
            self._style, self._dpi = style, figure.dpi
        self.figure = figure
        self.redraw()
        self.moving: list[Artist] = []
        self._canvas = FigureCanvasAgg(figure)
        self._size = [round(side * self._dpi) for side in figure.get_size_inches()]
        # Before version 3.11 matplotlib takes the whole pixels below: 919 for 4.6 inches of 200 dots.
        width, height = ((side + 1e-6) / self._dpi for side in self._size)
        figure.set_size_inches(width, height)
        figure.set_dpi(self._dpi * self.ratio)
        self.add(moving)

    def draw(self, sentence: str, grips: Iterable[tuple[Axes, Floats]] | None = None,
             handles: Iterable[tuple[Axes, Floats]] = ()) -> None:
        with self.lock, self.hold_sync():
            frame = None if self.comm is None or isinstance(self.comm, DummyComm) else self._made()
            ask()
            if self._ground is None:
                for axes in self.figure.axes:
                    axes.apply_aspect()  # as drawing does: it decides where the grips are
            self.width, self.height = self._size
            self.sentence = sentence
            if grips is not None:
                self.grips = [place for axes, at in grips for place in self._shares(axes, at)]
                self.handles = [place for axes, at in handles for place in self._shares(axes, at)]
            if frame is None:
                for name in ("ground", "frame"):
                    self._trait_values.pop(name, None)  # the next one who reads it has it made
            else:
                self.frame = frame

    @contextmanager
    def by_hand(self, drags: bool = True) -> Iterator[None]:
        """Holds the lock while a hand does something, which ends where it comes upon a control that is fixed.

        drags: what is drawn meanwhile is there at once: nothing glides behind a hand that moves it."""
        with self.lock, suppress(Fixed):
            before, self._glides = self._glides, self._glides and not drags
            try:
                yield
            finally:
                self._glides = before

    @traitlets.default("frame")
    def _made(self) -> dict[str, Any]:
        """The frame; where the ground is another, or letters are new, that comes before it."""
        with self.lock:
            agg = self._canvas.get_renderer()
            if self._ground is None:
                with use(self._style):
                    self._draw_ground(ground := Recorder(agg, self._style))
                self._ground = ground.list()
            self._draw_moving(frame := Recorder(agg, self._style))
            whole = self._ground | {"glyphs": GLYPHS.copy()}
            if self._trait_values.get("ground") != whole:
                self.ground = whole
            checksum = zlib.crc32(self._ground["list"].encode() + self._ground["at"])
            return frame.list() | {"ground": checksum, "glides": self._glides}

    @traitlets.default("ground")
    def _made_ground(self) -> dict[str, Any]:
        self.frame = self._made()
        return dict(self._trait_values["ground"])

    def png(self) -> bytes:
        file = io.BytesIO()
        self.image().save(file, "PNG")
        return file.getvalue()

    def image(self) -> Image.Image:
        """The picture as it is now, in the pixels of the screen."""
        with self.lock:
            renderer = self._canvas.get_renderer()
            renderer.clear()
            with use(self._style):
                self._draw_ground(renderer)
            self._draw_moving(renderer)
            size = self._canvas.get_width_height(physical=True)
            return Image.frombuffer("RGBX", size, self._canvas.buffer_rgba(), "raw", "RGBX", 0, 1).convert("RGB")

    def printed(self, kind: str) -> bytes:
        """The picture as a "png" with 300 dots an inch, or in vectors as "svg" or "pdf"."""
        file = io.BytesIO()
        with self.lock, use(self._style):
            self.figure.savefig(file, format=kind, dpi=300)
            self.redraw()
        return file.getvalue()

    def download(self, name: str, content: bytes) -> None:
        self.send({"download": name}, [content])

    def add(self, moving: Sequence[Artist]) -> None:
        """More artists that change from frame to frame."""
        with self.lock:
            for artist in moving:
                artist.set_animated(True)
            self.moving = sorted([*self.moving, *moving], key=lambda a: a.get_zorder())

    def remove(self, moving: Sequence[Artist]) -> None:
        with self.lock:
            self.moving = [artist for artist in self.moving if artist not in moving]
            for artist in moving:
                artist.remove()

    def on_keys(self, names: list[str], action: Callable[[list[str]], None]) -> None:
        self.hotkeys, self._on_keys = names, action

    def redraw(self) -> None:
        """Limits, size or labels have changed: the next frame draws the background again."""
        self._ground = None

    def _shares(self, axes: Axes, at: Floats) -> list[list[float]]:
        """Data as shares of the picture, counted from its upper left corner; only those in view, an edge included."""
        if axes.figure is not self.figure:
            return []
        pixels, (low, high) = np.asarray(axes.transData.transform(at)), axes.bbox.get_points()
        seen = pixels[((pixels >= low - 0.5) & (pixels <= high + 0.5)).all(axis=1)] / self.figure.bbox.size
        return [[round(x, 4), round(1 - y, 4)] for x, y in seen.tolist()]

    def _draw_ground(self, renderer: RendererBase) -> None:
        # Before version 3.11 matplotlib draws images that are animated, too: one would show through the next.
        images = [artist for artist in self.moving if isinstance(artist, AxesImage) and artist.get_visible()]
        for image in images:
            image.set_visible(False)
        self.figure.draw(renderer)
        for image in images:
            image.set_visible(True)

    def _draw_moving(self, renderer: RendererBase) -> None:
        for artist in self.moving:
            group = GLIDES if getattr(artist, "glides", False) else "moving"
            renderer.open_group(group, artist.get_gid())  # some draw without saying who they are
            empty = isinstance(artist, Line2D) and not np.size(artist.get_xdata())
            if not empty and (artist.axes is None or artist.axes.get_visible()):
                if isinstance(renderer, Recorder) and isinstance(artist, AxesImage) and artist.get_visible():
                    renderer.matrix(artist)
                else:
                    artist.draw(renderer)
            renderer.close_group(group)

    @traitlets.observe("ratio")
    def _sharper(self, _change: object) -> None:
        with self.lock:
            self.figure.set_dpi(self._dpi * self.ratio)
            self.redraw()
            self.draw(self.sentence)

    @traitlets.observe("pressed")
    def _typed(self, change: dict[str, Any]) -> None:
        """Messages can be overtaken by newer ones, so each holds the keys before it too."""
        with self.lock:
            fresh = [name for number, name in change["new"] if number > self._heard]
            if fresh and self._on_keys is not None:
                self._heard = change["new"][-1][0]
                with self.by_hand(drags=any("Arrow" in name for name in fresh)):
                    self._on_keys(fresh)

    @traitlets.observe("stroke")
    def _stroked(self, change: dict[str, Any]) -> None:
        """Translate fractions of the picture (y down) into data coordinates of the axes pressed in."""
        stroke = change["new"]
        if self._grab is None or not stroke:
            return
        with self.by_hand():
            start, at = ((x * self.figure.bbox.width, (1 - y) * self.figure.bbox.height)
                         for x, y in (stroke["start"], stroke["at"]))
            for axes in self.figure.axes:
                if axes.bbox.padded(0.5).contains(*start) and axes.axison:
                    to_data = axes.transData.inverted().transform
                    grip = stroke.get("grip", 0.015) * self.figure.bbox.width
                    now = Stroke(axes, tuple(to_data(start)), tuple(to_data(at)), stroke["done"], grip)
                    if stroke["id"] != self._seen:
                        self._seen, self._held = stroke["id"], None
                        self._held = self._grab(now)
                    if self._held is not None:
                        self._held(now)
                    return
