"""A matplotlib Figure in the browser that follows sliders: 4 times faster than drawing all of it every time.

The parts that never move (axes, titles, labels) are drawn once and kept as pixels. Each frame puts
these pixels back, draws the moving artists over them, and sends one small image.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import RLock
from typing import Any, ClassVar

import anywidget
import traitlets
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from PIL import Image

from coursekit.plots.style import current, use

Point = tuple[float, float]


@dataclass(frozen=True)
class Stroke:
    """A pointer pressed at `start` and now at `at`, both in the data coordinates of `axes`.

    first: the press has not been reported before. done: the pointer was released. A click is both.
    """

    axes: Axes
    start: Point
    at: Point
    first: bool
    done: bool


class Picture(anywidget.AnyWidget):
    """Shows `figure`; `moving` are the artists that change from frame to frame.

    on_stroke, if given, is called with a Stroke when the pointer presses, drags or releases inside axes.
    on_keys(names, action): action is called with a list of those keys that were pressed in the picture.
    draw(sentence) sends a frame with the sentence that describes it (the picture's text alternative).
    png() is the same picture as a PNG file's bytes, printed(kind) the same at print quality.
    download(name, content) makes the browser keep a file.

    lock: matplotlib is not thread safe, and widgets may be called from two threads: whatever draws, or
    changes what is drawn, holds this lock. All pictures share it, because they share matplotlib's settings.
    """

    lock: ClassVar[RLock] = RLock()  # type: ignore[valid-type]

    _esm = Path(__file__).with_name("picture.js")
    _css = Path(__file__).with_name("picture.css")
    frame = traitlets.Bytes(b"").tag(sync=True)
    format = traitlets.Unicode("image/jpeg").tag(sync=True)
    sentence = traitlets.Unicode("").tag(sync=True)
    width = traitlets.Int().tag(sync=True)
    height = traitlets.Int().tag(sync=True)
    ratio = traitlets.Float(1.0).tag(sync=True)  # device pixels per CSS pixel, set by the browser

    touchable = traitlets.Bool(False).tag(sync=True)
    stroke = traitlets.Dict().tag(sync=True)
    hotkeys = traitlets.List(traitlets.Unicode()).tag(sync=True)  # those that the browser reports
    pressed: Any = traitlets.List().tag(sync=True)  # the last keys, each with its number
    label = traitlets.Unicode("picture").tag(sync=True)  # what a screen reader calls it
    key_help = traitlets.Unicode("").tag(sync=True)

    def __init__(
        self, figure: Figure, moving: Sequence[Artist], on_stroke: Callable[[Stroke], None] | None = None
    ) -> None:
        self.figure, self.moving = figure, sorted(moving, key=lambda a: a.get_zorder())
        self._on_stroke = on_stroke
        self._on_keys: Callable[[list[str]], None] | None = None
        self._seen: int | None = None  # the last stroke and the last key that were reported
        self._heard = 0
        for artist in self.moving:
            artist.set_animated(True)
        self._canvas = FigureCanvasAgg(figure)
        self._background: Any = None
        self._style, self._dpi = current(), figure.dpi
        width, height = (round(side * figure.dpi) for side in figure.get_size_inches())
        super().__init__(width=width, height=height, touchable=on_stroke is not None)

    def draw(self, sentence: str) -> None:
        with self.lock:
            self._render()
            file = io.BytesIO()
            self._pixels().save(file, "JPEG", quality=90, subsampling=0)
            with self.hold_sync():
                self.sentence = sentence
                self.frame = file.getvalue()

    def png(self) -> bytes:
        file = io.BytesIO()
        self.image().save(file, "PNG", optimize=True)
        return file.getvalue()

    def image(self) -> Image.Image:
        """The picture as it is now, in the pixels of the screen."""
        with self.lock:
            self._render()
            return self._pixels().convert("RGB")

    def printed(self, kind: str) -> bytes:
        """The picture as a "png" with 300 dots an inch, or in vectors as "svg" or "pdf"."""
        file = io.BytesIO()
        with self.lock:
            for artist in self.moving:
                artist.set_animated(False)
            try:
                with use(self._style):
                    self.figure.savefig(file, format=kind, dpi=300)
            finally:
                for artist in self.moving:
                    artist.set_animated(True)
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

    def on_keys(self, names: list[str], action: Callable[[list[str]], None]) -> None:
        self.hotkeys, self._on_keys = names, action

    def redraw(self) -> None:
        """Limits, size or labels have changed: the next frame draws the background again."""
        self._background = None

    def _pixels(self) -> Image.Image:
        size = self._canvas.get_width_height(physical=True)
        return Image.frombuffer("RGBX", size, self._canvas.buffer_rgba(), "raw", "RGBX", 0, 1)

    def _render(self) -> None:
        if self._background is None:
            with use(self._style):
                self._canvas.draw()
            self._background = self._canvas.copy_from_bbox(self.figure.bbox)
        self._canvas.restore_region(self._background)
        renderer = self._canvas.get_renderer()
        for artist in self.moving:
            if artist.axes is None or artist.axes.get_visible():
                artist.draw(renderer)

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
                self._on_keys(fresh)

    @traitlets.observe("stroke")
    def _stroked(self, change: dict[str, Any]) -> None:
        """Translate fractions of the picture (y down) into data coordinates of the axes pressed in."""
        stroke = change["new"]
        if self._on_stroke is None or not stroke:
            return
        with self.lock:
            start, at = (
                (x * self.figure.bbox.width, (1 - y) * self.figure.bbox.height)
                for x, y in (stroke["start"], stroke["at"])
            )
            for axes in self.figure.axes:
                if axes.bbox.contains(*start) and axes.axison:
                    first, self._seen = stroke["id"] != self._seen, stroke["id"]
                    to_data = axes.transData.inverted().transform
                    self._on_stroke(Stroke(axes, tuple(to_data(start)), tuple(to_data(at)), first, stroke["done"]))
                    return
