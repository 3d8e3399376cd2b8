"""A matplotlib Figure in the browser that follows sliders: 4 times faster than drawing it anew.

The parts that never move (axes, titles, labels) are drawn once and kept as pixels. Each frame puts
these pixels back, draws the moving artists over them, and sends one small image.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path

import anywidget
import matplotlib.style
import traitlets
from matplotlib.artist import Artist
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from PIL import Image

from coursekit.plots.style import STYLE


class Picture(anywidget.AnyWidget):
    """Shows `figure`; `moving` are the artists that change from frame to frame.

    draw(sentence) sends a frame with the sentence that describes it (the picture's text alternative).
    png() is the same picture as a PNG file's bytes.
    """

    _esm = Path(__file__).with_name("picture.js")
    _css = """
    .ck-explorer { max-width: 100%; }
    .ck-picture { display: block; max-width: 100%; height: auto; background: white; }
    .ck-sentence { margin: 4px 0 8px; max-width: 900px; min-height: 4.2em; line-height: 1.4; font-size: 15px; }
    """
    frame = traitlets.Bytes(b"").tag(sync=True)
    format = traitlets.Unicode("image/jpeg").tag(sync=True)
    sentence = traitlets.Unicode("").tag(sync=True)
    width = traitlets.Int().tag(sync=True)
    height = traitlets.Int().tag(sync=True)
    ratio = traitlets.Float(1.0).tag(sync=True)  # device pixels per CSS pixel, set by the browser

    def __init__(self, figure: Figure, moving: Sequence[Artist]) -> None:
        self.figure, self.moving = figure, sorted(moving, key=lambda a: a.get_zorder())
        for artist in self.moving:
            artist.set_animated(True)
        self._canvas = FigureCanvasAgg(figure)
        self._background = None
        width, height = (round(side * 100) for side in figure.get_size_inches())
        super().__init__(width=width, height=height)

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
        with matplotlib.style.context(STYLE):
            if self._background is None:
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
        self.figure.set_dpi(100 * self.ratio)
        self.redraw()
        self.draw(self.sentence)
