"""Names beside the things they name, in a picture that moves: placed again for every frame."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.backend_bases import RendererBase
from matplotlib.backends.backend_agg import RendererAgg
from matplotlib.colors import to_hex, to_rgb
from matplotlib.path import Path
from matplotlib.text import Text
from matplotlib.transforms import Bbox, IdentityTransform
from numpy.typing import ArrayLike, NDArray

from coursekit.core.validate import Floats
from coursekit.plots.ink import ink
from coursekit.plots.lettering import Lettering, ink_of, renderer_of
from coursekit.plots.style import current

TURNS = np.deg2rad(np.arange(0, 360, 22.5))
DISTANCES = np.array([5.0, 11.0, 20.0, 34.0, 54.0])  # points from the thing to its name
OFFSETS = np.concatenate([d * np.column_stack([np.cos(TURNS), np.sin(TURNS)]) for d in DISTANCES])
PRICES = np.repeat(DISTANCES, len(TURNS))
UNITS = np.tile(np.column_stack([np.cos(TURNS), np.sin(TURNS)]), (len(DISTANCES), 1))


class Tag(NamedTuple):
    text: str
    at: ArrayLike
    towards: ArrayLike = (0.0, 0.0)  # on which side of the place the name is sought first
    color: Any = None  # that of the thing; the name is closer to the ink, so that it can be read
    only: bool = False  # whether it would be wrong on another side


class Tags(Artist):
    """Names of places in the axes' data, on no other name and on few lines and marks.

    Nothing is written for a place outside the axes. Each name has a rim of paper, so that it can be read on a map.
    """

    def __init__(self, ax: Axes, size: float = 10.5) -> None:
        super().__init__()
        self._ax, self._size, self._look = ax, size, current()
        self.tags: list[Tag] = []
        ax.add_artist(self)
        self.set_transform(ax.transData)
        self.set_clip_on(False)
        self.set_zorder(3.5)

    def show(self, tags: Iterable[Tag]) -> None:
        """The most important one first."""
        self.tags = [tag for tag in tags if tag.text]
        self.stale = True

    def _others(self, renderer: RendererBase) -> NDArray[np.float64]:
        """The boxes of the other words in the axes, (n, 4); names that were there first are among them."""
        every = list(self._ax.artists)
        found: list[NDArray[Any]] = [np.empty((0, 4))]
        found += [one.boxes(renderer) for one in every if isinstance(one, Lettering) and one.get_visible()]
        found += [one.boxes(renderer) for one in every[: every.index(self)] if isinstance(one, Tags) and one.tags]
        return np.vstack(found)

    def boxes(self, renderer: RendererBase | None = None) -> NDArray[np.float64]:
        """Where the names are written, (n, 4): left, bottom, right, top in pixels; NaN where there is no place."""
        renderer = renderer or renderer_of(self._ax)
        point = float(np.real(renderer.points_to_pixels(1.0)))
        to_pixels = self.get_transform().transform
        low, high = np.array(self._ax.bbox.extents).reshape(2, 2)
        drawn = _thinned(ink(self._ax), 3 * point)
        words = self._others(renderer)
        boxes = np.full((len(self.tags), 4), np.nan)
        for k, tag in enumerate(self.tags):
            at = np.asarray(to_pixels(tag.at), float)
            if not ((at >= low - 1) & (at <= high + 1)).all():
                continue
            left, top, right, bottom = ink_of(tag.text, round(self._size * point, 2), "ls").box
            half = np.array([right - left, bottom - top]) / 2 + point
            middles = at + OFFSETS * point + np.clip(1.5 * UNITS, -1, 1) * half
            taken = np.vstack([words, boxes[:k]])
            lows, highs = middles[:, None] - half, middles[:, None] + half
            shared = np.minimum(highs, taken[:, 2:]) - np.maximum(lows, taken[:, :2])
            written = (shared > 0).all(axis=2).sum(axis=1)
            outside = ((middles - half < low) | (middles + half > high)).any(axis=1)
            near = drawn[(np.abs(drawn - at) < DISTANCES[-1] * point + 2 * half + 4 * point).all(axis=1)]
            across, up = (np.abs(middles[:, [k]] - near[:, k]) < half[k] + 2 * point for k in (0, 1))
            crossed = np.count_nonzero(across & up, axis=1)
            towards = np.nan_to_num(np.asarray(tag.towards, float))
            side = UNITS @ (towards / (np.hypot(*towards) or 1.0))
            outside |= tag.only & (side < 0.3)
            cost = 1e4 * (written + outside) + 12 * (crossed > 0) + 3 * crossed + PRICES - 8 * side
            middle = middles[cost.argmin()]
            boxes[k] = *(middle - half), *(middle + half)
        return boxes

    def color(self, tag: Tag) -> str:
        """What a name is written in."""
        if tag.color is None:
            return self._look.ink
        pairs = zip(to_rgb(self._look.ink), to_rgb(tag.color), strict=True)
        red, green, blue = (0.45 * ink + 0.55 * own for ink, own in pairs)
        return to_hex((red, green, blue))

    def get_window_extent(self, renderer: RendererBase | None = None) -> Bbox:
        boxes = self.boxes(renderer)
        boxes = boxes[np.isfinite(boxes).all(axis=1)]
        return Bbox([boxes[:, :2].min(axis=0), boxes[:, 2:].max(axis=0)]) if len(boxes) else Bbox.null()

    def draw(self, renderer: RendererBase) -> None:
        if not self.tags or not self.get_visible():
            return
        point = float(np.real(renderer.points_to_pixels(1.0)))
        for tag, box in zip(self.tags, self.boxes(renderer), strict=True):
            if np.isfinite(box).all():
                self._lead(renderer, tag, box, point)
                self._write(renderer, tag, box, point)

    def _lead(self, renderer: RendererBase, tag: Tag, box: NDArray[np.float64], point: float) -> None:
        """A thin line from the place to a name that is further away."""
        at = np.asarray(self.get_transform().transform(tag.at), float)
        near = np.clip(at, box[:2], box[2:])
        if np.hypot(*(near - at)) < 12 * point:
            return
        gc = renderer.new_gc()
        gc.set_foreground(self._look.ink)
        gc.set_linewidth(0.8)
        renderer.draw_path(gc, Path([near, at]), IdentityTransform())
        gc.restore()

    def _write(self, renderer: RendererBase, tag: Tag, box: NDArray[np.float64], point: float) -> None:
        color = self.color(tag)
        if not isinstance(renderer, RendererAgg):
            text = Text(box[0], box[1], tag.text, color=color, fontsize=self._size, family="DejaVu Sans", va="bottom")
            text.set_figure(self._ax.figure)
            text.draw(renderer)
            return
        image, left, up = _stamp(tag.text, round(self._size * point, 2), round(2 * point), color, self._look.paper)
        gc = renderer.new_gc()
        renderer.draw_image(gc, round(box[0] + point) - left, round(box[1] + point) - up, image)
        gc.restore()


def _thinned(places: Floats, gap: float) -> Floats:
    """One place in each square of this side that has some: a path that crosses itself often has thousands."""
    columns, rows = np.floor(places.T / gap)
    return places[np.unique(columns + 1e5 * rows, return_index=True)[1]]


@lru_cache(maxsize=512)
def _stamp(text: str, pixels: float, rim: int, color: str, paper: str) -> tuple[NDArray[np.uint8], int, int]:
    """A word with its rim, the lowest row first, and how far the rim reaches to the left of the ink and below it."""
    ink, halo = (ink_of(text, pixels, "ls", stroke).mask for stroke in (0, rim))
    image = np.empty((*halo.shape, 4), np.uint8)
    share = np.zeros(halo.shape, np.float32)
    up, left = (halo.shape[0] - ink.shape[0]) // 2, (halo.shape[1] - ink.shape[1]) // 2
    share[up : up + ink.shape[0], left : left + ink.shape[1]] = ink / np.float32(255)
    low, high = (255 * np.array(to_rgb(c), np.float32) for c in (paper, color))
    image[..., :3] = low + share[..., None] * (high - low)
    image[..., 3] = np.maximum(0.8 * halo, 255 * share)
    return np.ascontiguousarray(image[::-1]), left, up
