"""Words that change from frame to frame, set by Pillow: 15 times faster than matplotlib's own text."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import matplotlib
import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.backend_bases import RendererBase
from matplotlib.colors import to_rgb
from matplotlib.transforms import Bbox, Transform
from PIL import Image, ImageDraw, ImageFont

from coursekit._validate import Floats
from coursekit.plots.style import INK

_FONT = Path(matplotlib.get_data_path()) / "fonts" / "ttf" / "DejaVuSans.ttf"


class Word(NamedTuple):
    x: float
    y: float
    text: str
    anchor: str = "rm"  # Pillow's anchors: l, m or r across; a(scender), m or d(escender) up
    alpha: float = 1.0


class Lettering(Artist):
    """Words at positions given in `transform` (the axes' data by default), all of one size and colour."""

    def __init__(self, ax: Axes, transform: Transform | None = None, size: float = 9.5, color: str = INK) -> None:
        super().__init__()
        self._size, self._rgb = size, tuple(round(255 * c) for c in to_rgb(color))
        self._words: list[Word] = []
        ax.add_artist(self)
        self.set_transform(transform or ax.transData)
        self.set_clip_on(False)
        self.set_zorder(3)

    def set_words(self, words: Iterable[Word]) -> None:
        self._words = [word for word in words if word.text]
        self.stale = True

    def _placed(self, renderer: RendererBase) -> tuple[ImageFont.FreeTypeFont, Floats, Floats]:
        """The font, where each word stands, and the box it fills; in pixels, y counted downwards as Pillow does."""
        font = _font(round(self._size * renderer.points_to_pixels(1.0), 2))
        at = np.round(self.get_transform().transform([(w.x, w.y) for w in self._words]))
        at[:, 1] *= -1
        return font, at, np.array([font.getbbox(w.text, anchor=w.anchor) for w in self._words]) + np.tile(at, 2)

    def get_window_extent(self, renderer: RendererBase | None = None) -> Bbox:
        """The space the words take, so that a saved figure is not cut off before them."""
        if not self._words:
            return Bbox.null()
        _, _, boxes = self._placed(renderer or self.get_figure(root=True)._get_renderer())
        return Bbox([(boxes[:, 0].min(), -boxes[:, 3].max()), (boxes[:, 2].max(), -boxes[:, 1].min())])

    def draw(self, renderer: RendererBase) -> None:
        if not self._words or not self.get_visible():
            return
        font, at, boxes = self._placed(renderer)
        left, top = np.floor(boxes[:, :2].min(axis=0)).astype(int)
        right, bottom = np.ceil(boxes[:, 2:].max(axis=0)).astype(int)
        image = Image.new("RGBA", (right - left, bottom - top), (*self._rgb, 0))
        pen = ImageDraw.Draw(image)
        for word, (x, y) in zip(self._words, at, strict=True):
            ink = (*self._rgb, round(255 * word.alpha))
            pen.text((x - left, y - top), word.text, font=font, fill=ink, anchor=word.anchor)
        gc = renderer.new_gc()
        renderer.draw_image(gc, left, -bottom, np.asarray(image)[::-1])
        gc.restore()


@lru_cache
def _font(pixels: float) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(str(_FONT), pixels, layout_engine=ImageFont.Layout.BASIC)
