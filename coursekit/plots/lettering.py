"""Words that change from frame to frame; Pillow measures them, 15 times faster than matplotlib."""

import math
from collections.abc import Iterable
from contextlib import AbstractContextManager, nullcontext
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from matplotlib import rc_context
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.backend_bases import RendererBase
from matplotlib.backends.backend_agg import RendererAgg
from matplotlib.patheffects import withStroke
from matplotlib.text import Text
from matplotlib.transforms import Bbox, Transform
from numpy.typing import NDArray
from PIL import ImageFont

from coursekit.core.text import typeset
from coursekit.plots.recorder import PLAIN, Recorder
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


def even(renderer: RendererBase) -> AbstractContextManager[None]:
    """Letters are as far apart as they were measured, and not as pixels would have them."""
    return nullcontext() if isinstance(renderer, Recorder) else rc_context({"text.hinting": "none"})


class Lettering(Artist):
    """Words at positions given in `transform` (the axes' data by default), all of one size and color.

    inside: a word that would reach beyond the axes is moved back into them.
    """

    def __init__(self, ax: Axes, transform: Transform | None = None, size: float = 9.5, inside: bool = False,
                 color: str = "") -> None:
        super().__init__()
        self._ax, self._size, self._inside, self._look = ax, size, inside, current()
        self._color = color or self._look.ink
        self._words: list[Word] = []
        ax.add_artist(self)
        self.set_transform(transform or ax.transData)
        self.set_clip_on(False)
        self.set_zorder(3)

    def set_words(self, words: Iterable[Word]) -> None:
        self._words = [word._replace(text=typeset(word.text)) for word in words if word.text]
        self.stale = True

    def boxes(self, renderer: RendererBase | None = None) -> NDArray[Any]:
        """The box of each word's ink, (left, low, right, high), in whole pixels."""
        if not self._words:
            return np.empty((0, 4), int)
        pixels = pixels_of(self._size, renderer or renderer_of(self._ax))
        at = np.round(self.get_transform().transform([(w.x, w.y) for w in self._words])).astype(int)
        boxes = np.array([box_of(word.text, pixels, word.anchor) for word in self._words])[:, [0, 3, 2, 1]]
        boxes = boxes * (1, -1, 1, -1) + np.tile(at, 2)
        if self._inside:
            low, high = self._ax.bbox.get_points().round().astype(int)
            boxes += np.tile(np.maximum(low - boxes[:, :2], np.minimum(high - boxes[:, 2:], 0)), 2)
        return boxes

    def get_window_extent(self, renderer: RendererBase | None = None) -> Bbox:
        """The space the words take, so that a saved figure is not cut off before them."""
        boxes = self.boxes(renderer)
        boxes = boxes[np.isfinite(boxes).all(axis=1)]
        return Bbox([boxes[:, :2].min(axis=0), boxes[:, 2:].max(axis=0)]) if len(boxes) else Bbox.null()

    def draw(self, renderer: RendererBase) -> None:
        if self._words and self.get_visible():
            boxes = self.boxes(renderer).tolist()
            with even(renderer):
                for word, (left, low, right, _) in zip(self._words, boxes, strict=True):
                    self._write(renderer, word.text, left, low, right - left, self._color)

    def _write(self, renderer: RendererBase, text: str, left: float, low: float, width: float, color: str,
               rim: float = 0.0) -> None:
        """A word whose ink has its lower left corner here and is so wide, in pixels. rim: so many points of paper."""
        pixels = pixels_of(self._size, renderer)
        before, _, _, below = box_of(text, pixels, "ls")
        if isinstance(renderer, Recorder):
            reach = renderer.points_to_pixels(rim)
            return renderer.word(text, left, renderer.height - low - below, width - 1, pixels, color, reach)
        drawn = Text(left - before, low + below, text, color=color, fontproperties=PLAIN, fontsize=self._size)
        drawn.set_figure(self._ax.figure)
        if rim and isinstance(renderer, RendererAgg):  # in vectors it would not be text
            drawn.set_path_effects([withStroke(linewidth=2 * rim, foreground=self._look.paper, alpha=0.8)])
        drawn.draw(renderer)


@lru_cache(maxsize=4096)
def box_of(text: str, pixels: float, anchor: str) -> tuple[int, int, int, int]:
    """Left, top, right and bottom of a word's ink, seen from where it is anchored. Most were in the frame before."""
    left, top, right, bottom = (edge / FINE for edge in _font(FINE * pixels).getbbox(text, anchor=anchor))
    return math.floor(left), math.floor(top), math.ceil(right), math.ceil(bottom)


@lru_cache
def _font(pixels: float) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(FONTS[0], pixels, layout_engine=ImageFont.Layout.BASIC)
