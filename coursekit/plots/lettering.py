"""Words that change from frame to frame, set by Pillow: 15 times faster than matplotlib's own text."""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.backend_bases import RendererBase
from matplotlib.backends.backend_agg import RendererAgg
from matplotlib.colors import to_rgb
from matplotlib.text import Text
from matplotlib.transforms import Bbox, Transform
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from coursekit.plots.recorder import Recorder
from coursekit.plots.style import FONTS, current

FINE = 4  # letters are set on a grid so much finer than the pixels, or each would take whole ones


class Word(NamedTuple):
    x: float
    y: float
    text: str
    anchor: str = "rm"  # Pillow's anchors: l, m or r across; a(scender), m or d(escender) up


def renderer_of(artist: Any) -> RendererBase:
    """What draws the figure that an artist is in."""
    return artist.figure.canvas.figure._get_renderer()


def pixels_of(size: float, renderer: RendererBase) -> float:
    """Type of so many points."""
    return round(size * float(np.real(renderer.points_to_pixels(1.0))), 2)


class Lettering(Artist):
    """Words at positions given in `transform` (the axes' data by default), all of one size and colour.

    inside: a word that would reach beyond the axes is moved back into them.
    """

    def __init__(
        self, ax: Axes, transform: Transform | None = None, size: float = 9.5, inside: bool = False
    ) -> None:
        super().__init__()
        self._ax, self._size, self._color, self._inside = ax, size, current().ink, inside
        self._words: list[Word] = []
        ax.add_artist(self)
        self.set_transform(transform or ax.transData)
        self.set_clip_on(False)
        self.set_zorder(3)

    def set_words(self, words: Iterable[Word]) -> None:
        self._words = [word for word in words if word.text]
        self.stale = True

    def _placed(self, renderer: RendererBase) -> tuple[list[Ink], NDArray[np.int_]]:
        """Each word's ink and its box (left, top, right, bottom), in whole pixels, y counted downwards."""
        pixels = pixels_of(self._size, renderer)
        at = np.round(self.get_transform().transform([(w.x, w.y) for w in self._words])).astype(int)
        inks = [ink_of(word.text, pixels, word.anchor) for word in self._words]
        boxes = np.array([i.box for i in inks]) + np.tile(at * (1, -1), 2)
        if self._inside:
            (x0, y0), (x1, y1) = self._ax.bbox.get_points().round().astype(int)
            low, high = np.minimum(boxes[:, 2:], (x1, -y0)) - boxes[:, 2:], np.array([x0, -y1]) - boxes[:, :2]
            boxes += np.tile(low + np.maximum(high - low, 0), 2)
        return inks, boxes

    def boxes(self, renderer: RendererBase | None = None) -> NDArray[Any]:
        """The box of each word, (left, low, right, high), in pixels."""
        if not self._words:
            return np.empty((0, 4), int)
        return self._placed(renderer or renderer_of(self._ax))[1][:, [0, 3, 2, 1]] * (1, -1, 1, -1)

    def get_window_extent(self, renderer: RendererBase | None = None) -> Bbox:
        """The space the words take, so that a saved figure is not cut off before them."""
        boxes = self.boxes(renderer)
        boxes = boxes[np.isfinite(boxes).all(axis=1)]
        return Bbox([boxes[:, :2].min(axis=0), boxes[:, 2:].max(axis=0)]) if len(boxes) else Bbox.null()

    def draw(self, renderer: RendererBase) -> None:
        if not self._words or not self.get_visible():
            return
        if not isinstance(renderer, RendererAgg | Recorder):
            self._draw_vectors(renderer)
            return
        inks, boxes = self._placed(renderer)
        if isinstance(renderer, Recorder):
            pixels = pixels_of(self._size, renderer)
            for word, (left, _, right, low) in zip(self._words, boxes.tolist(), strict=True):
                base = renderer.height + low - ink_of(word.text, pixels, "ls").box[3]
                renderer.word(word.text, left, base, right - left - 1, pixels, self._color, 0.0)
            return
        left, top = boxes[:, :2].min(axis=0)
        right, bottom = boxes[:, 2:].max(axis=0)
        image = np.empty((bottom - top, right - left, 4), np.uint8)
        image[...] = (*(round(255 * part) for part in to_rgb(self._color)), 0)
        opacity = image[..., 3]
        for ink, (x0, y0, x1, y1) in zip(inks, boxes - (left, top, left, top), strict=True):
            cover = opacity[y0:y1, x0:x1]
            np.maximum(cover, ink.mask, out=cover)
        gc = renderer.new_gc()
        renderer.draw_image(gc, left, -bottom, image[::-1])
        gc.restore()

    def _draw_vectors(self, renderer: RendererBase) -> None:
        """For a file in vectors, where nobody waits for the next frame: matplotlib's own text."""
        across, up = {"l": "left", "m": "center", "r": "right"}, {"a": "top", "m": "center", "d": "bottom"}
        for word in self._words:
            self._draw_text(renderer, word.x, word.y, word.text, color=self._color, ha=across[word.anchor[0]],
                            va=up[word.anchor[1]], transform=self.get_transform())

    def _draw_text(self, renderer: RendererBase, x: float, y: float, word: str, **look: Any) -> None:
        text = Text(x, y, word, fontsize=self._size, **look)
        text.set_figure(self._ax.figure)
        text.draw(renderer)


class Ink(NamedTuple):
    mask: NDArray[np.uint8]  # how much of each pixel the word covers
    box: tuple[int, int, int, int]  # left, top, right, bottom, seen from where the word is anchored


@lru_cache(maxsize=4096)
def ink_of(text: str, pixels: float, anchor: str, rim: int = 0) -> Ink:
    """The ink of a word, with a rim so many pixels wide. Most words were in the frame before: they are kept."""
    font = _font(FINE * pixels)
    left, top, right, bottom = font.getbbox(text, anchor=anchor, stroke_width=FINE * rim)
    box = math.floor(left / FINE), math.floor(top / FINE), math.ceil(right / FINE), math.ceil(bottom / FINE)
    image = Image.new("L", (FINE * (box[2] - box[0]), FINE * (box[3] - box[1])))
    ImageDraw.Draw(image).text(
        (-FINE * box[0], -FINE * box[1]), text, font=font, fill=255, anchor=anchor, stroke_width=FINE * rim)
    return Ink(np.asarray(image.reduce(FINE)), box)


@lru_cache
def _font(pixels: float) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(FONTS[0], pixels, layout_engine=ImageFont.Layout.BASIC)
