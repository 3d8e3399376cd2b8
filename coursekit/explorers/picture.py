"""A matplotlib Figure in the browser that follows sliders: 4 times faster than drawing it anew.

The parts that never move (axes, titles, labels) are drawn once and kept as pixels. Each frame puts
these pixels back, draws the moving artists over them, and sends one small image.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import anywidget
import traitlets
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from PIL import Image

from coursekit.plots.style import current, use


@dataclass(frozen=True)
class Stroke:
    """A pointer pressed at `start` and now at `at`, both in the data coordinates of `axes`.

    first: the press has not been reported before. done: the pointer was released. A click is both.
    """

    axes: Axes
    start: tuple[float, float]
    at: tuple[float, float]
    first: bool
    done: bool


class Picture(anywidget.AnyWidget):
    """Shows `figure`; `moving` are the artists that change from frame to frame.

    on_stroke, if given, is called with a Stroke when the pointer presses, drags or releases inside axes.
    draw(sentence) sends a frame with the sentence that describes it (the picture's text alternative).
    png() is the same picture as a PNG file's bytes.
    """

    _esm = Path(__file__).with_name("picture.js")
    _css = """
    .ck-explorer { max-width: 100%; }
    .ck-picture { display: block; max-width: 100%; height: auto; background: white; }
    .ck-touchable { cursor: crosshair; touch-action: none; }
    .ck-sentence { margin: 4px 0 8px; max-width: 900px; min-height: 4.2em; line-height: 1.4;
                   font-size: 15px; }
    """
    frame = traitlets.Bytes(b"").tag(sync=True)
    format = traitlets.Unicode("image/jpeg").tag(sync=True)
    sentence = traitlets.Unicode("").tag(sync=True)
    width = traitlets.Int().tag(sync=True)
    height = traitlets.Int().tag(sync=True)
    ratio = traitlets.Float(1.0).tag(sync=True)  # device pixels per CSS pixel, set by the browser

    touchable = traitlets.Bool(False).tag(sync=True)
    stroke = traitlets.Dict().tag(sync=True)

    def __init__(
        self, figure: Figure, moving: Sequence[Artist], on_stroke: Callable[[Stroke], None] | None = None
    ) -> None:
        self.figure, self.moving = figure, sorted(moving, key=lambda a: a.get_zorder())
        self._on_stroke, self._seen = on_stroke, None
        for artist in self.moving:
            artist.set_animated(True)
        self._canvas = FigureCanvasAgg(figure)
        self._background = None
        self._style, self._dpi = current(), figure.dpi
        width, height = (round(side * figure.dpi) for side in figure.get_size_inches())
        super().__init__(width=width, height=height, touchable=on_stroke is not None)

    def draw(self, sentence: str) -> None:
        self._render()
        file = io.BytesIO()
        self._pixels().save(file, "JPEG", quality=90, subsampling=0)
        with self.hold_sync():
            self.sentence = sentence
            self.frame = file.getvalue()

    def png(self) -> bytes:
        self._render()
        file = io.BytesIO()
        self._pixels().convert("RGB").save(file, "PNG", optimize=True)
        return file.getvalue()

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
            artist.draw(renderer)

    def redraw(self) -> None:
        """Limits, size or labels have changed: the next frame draws the background anew."""
        self._background = None

    @traitlets.observe("ratio")
    def _sharper(self, _change: object) -> None:
        self.figure.set_dpi(self._dpi * self.ratio)
        self.redraw()
        self.draw(self.sentence)

    @traitlets.observe("stroke")
    def _stroked(self, change: dict[str, Any]) -> None:
        """Translate fractions of the picture (y down) into data coordinates of the axes pressed in."""
        stroke = change["new"]
        if self._on_stroke is None or not stroke:
            return
        start, at = (
            (x * self.figure.bbox.width, (1 - y) * self.figure.bbox.height) for x, y in (stroke["start"], stroke["at"])
        )
        for axes in self.figure.axes:
            if axes.bbox.contains(*start) and axes.axison:
                first, self._seen = stroke["id"] != self._seen, stroke["id"]
                to_data = axes.transData.inverted().transform
                self._on_stroke(Stroke(axes, tuple(to_data(start)), tuple(to_data(at)), first, stroke["done"]))
                return
