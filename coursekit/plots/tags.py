"""Names beside the things they name, in a picture that moves: placed again for every frame."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.backend_bases import RendererBase
from matplotlib.backends.backend_agg import RendererAgg
from matplotlib.colors import to_rgb
from matplotlib.path import Path
from matplotlib.transforms import IdentityTransform
from numpy.typing import ArrayLike, NDArray

from coursekit.core.validate import Floats
from coursekit.plots.lettering import Lettering, ink_of, pixels_of, renderer_of
from coursekit.plots.recorder import Recorder
from coursekit.plots.room import Around, ink, overlaps, written
from coursekit.plots.style import blend, current

AROUND = Around((5.0, 11.0, 20.0, 34.0, 54.0, 78.0), np.arange(0, 360, 22.5))
BESIDE = 15.0  # what speaks against a name beside its area, as much as so many points
LATER = 12.0  # what speaks against the last of several places, likewise


class Tag(NamedTuple):
    text: str
    at: ArrayLike  # its place, or (n, 2), several of which one is named: the first, unless another has more room
    towards: ArrayLike = (0.0, 0.0)  # on which side of the place the name is sought first
    color: Any = None  # that of the thing; the name is closer to the ink, so that it can be read
    only: bool = False  # whether it would be wrong on another side, or beside the area
    area: bool = False  # whether it names an area: then it lies on one of its places, or beside the first


class Tags(Lettering):
    """Names of places in the axes' data, on no other words and on few lines and marks.

    Nothing is written for a place outside the axes. Each name has a rim of paper, so that it can be read on a map.
    steady: whether the names stay where they are until others are shown, whatever moves meanwhile.
    """

    def __init__(self, ax: Axes, size: float = 10.5, steady: bool = False) -> None:
        super().__init__(ax, size=size)
        self._steady, self._frame = steady, ""
        self._look = current()
        self.tags: list[Tag] = []
        self._named = np.empty((0, 2))  # which place of each tag has its name, in pixels
        self._last: Floats | None = None  # the boxes, once they are known
        self.set_zorder(3.5)

    def show(self, tags: Iterable[Tag]) -> None:
        """The most important one first."""
        self.tags, self._last = [tag for tag in tags if tag.text], None
        self.stale = True

    def _others(self, renderer: RendererBase) -> Floats:
        """The boxes of the other words in the axes, (n, 4); of names, those that were there first."""
        every = list(self._ax.artists)
        words = written(self._ax, renderer, (one for one in every if not isinstance(one, Tags)))
        before = [one for one in every[: every.index(self)] if isinstance(one, Tags) and one.tags]
        return np.vstack([words, *(one.boxes(renderer) if one._last is None else one._last for one in before)])

    def boxes(self, renderer: RendererBase | None = None) -> Floats:
        """Where the names are written, (n, 4): left, bottom, right, top in pixels; NaN where there is no place."""
        renderer = renderer or renderer_of(self._ax)
        point = float(np.real(renderer.points_to_pixels(1.0)))
        to_pixels = self.get_transform().transform
        low, high = np.array(self._ax.bbox.extents).reshape(2, 2)
        cell = 3 * point
        drawn = _counted(ink(self._ax) - low, (high - low) / cell, cell)
        words = self._others(renderer)
        boxes = np.full((len(self.tags), 4), np.nan)
        self._named = np.full((len(self.tags), 2), np.nan)
        for k, tag in enumerate(self.tags):
            at = np.asarray(to_pixels(np.reshape(np.asarray(tag.at, float), (-1, 2))), float)
            at = at[((at >= low - 1) & (at <= high + 1)).all(axis=1)]
            if not len(at):
                continue
            left, top, right, bottom = ink_of(tag.text, round(self._size * point, 2), "ls").box
            half = np.array([right - left, bottom - top]) / 2 + point
            on = at if tag.area else at[:0]
            by = at[: len(at) if not tag.area else 0 if tag.only else 1]
            middles = np.vstack([on, (by[:, None] + AROUND.offsets(half, point)).reshape(-1, 2)])
            lows, highs = middles - half, middles + half
            taken = overlaps(np.hstack([lows, highs]), np.vstack([words, boxes[:k]]))
            outside = ((lows < low) | (highs > high)).any(axis=1)
            (x0, y0), (x1, y1) = (
                np.clip((corner - low) / cell + rim, 0, np.array(drawn.shape) - 1).astype(int).T
                for corner, rim in ((lows, -0.5), (highs, 1.5))
            )
            crossed = drawn[x1, y1] - drawn[x0, y1] - drawn[x1, y0] + drawn[x0, y0]
            prices = AROUND.against(tag.towards)
            other_side = AROUND.prices - prices < 8 * 0.3
            wrong = np.append(np.zeros(len(on), bool), np.tile(other_side, len(by))) & tag.only
            later = LATER * np.arange(len(at)) / len(at)
            far = np.append(later[: len(on)], later[: len(by), None] + prices + BESIDE * tag.area)
            best = int((1e4 * (taken + outside + wrong) + 24 * (crossed > 0) + 4 * crossed + far).argmin())
            boxes[k] = *lows[best], *highs[best]
            nearest = np.hypot(*(np.clip(at, lows[best], highs[best]) - at).T).argmin()
            self._named[k] = at[nearest]
        self._last = boxes
        return boxes

    def color(self, tag: Tag) -> str:
        """What a name is written in."""
        if tag.color is None:
            return self._look.ink
        return blend(0.45, self._look.ink, tag.color)

    def draw(self, renderer: RendererBase) -> None:
        if not self.tags or not self.get_visible():
            return
        point = float(np.real(renderer.points_to_pixels(1.0)))
        frame = f"{self._ax.bbox.bounds} {point}"
        kept = self._last if self._steady and frame == self._frame else None
        boxes, self._frame = self.boxes(renderer) if kept is None else kept, frame
        for tag, at, box in zip(self.tags, self._named, boxes, strict=True):
            if np.isfinite(box).all():
                self._lead(renderer, at, box, (4 if tag.area else 12) * point)
                self._write(renderer, tag, box, point)

    def _lead(self, renderer: RendererBase, at: Floats, box: NDArray[np.float64], far: float) -> None:
        """A thin line from the place to a name that is further away than so many pixels."""
        near = np.clip(at, box[:2], box[2:])
        if np.hypot(*(near - at)) < far:
            return
        gc = renderer.new_gc()
        gc.set_foreground(self._look.ink)
        gc.set_linewidth(0.8)
        renderer.draw_path(gc, Path([near, at]), IdentityTransform())
        gc.restore()

    def _write(self, renderer: RendererBase, tag: Tag, box: NDArray[np.float64], point: float) -> None:
        color = self.color(tag)
        if isinstance(renderer, Recorder):
            pixels = pixels_of(self._size, renderer)
            base = renderer.height - round(box[1] + point) - ink_of(tag.text, pixels, "ls").box[3]
            left, right = box[0] + point, box[2] - point
            renderer.word(tag.text, left, base, right - left - 1, pixels, color, 2 * point)
            return
        if not isinstance(renderer, RendererAgg):
            self._draw_text(renderer, box[0], box[1], tag.text, color=color, va="bottom")
            return
        image, left, up = _stamp(tag.text, round(self._size * point, 2), round(2 * point), color, self._look.paper)
        gc = renderer.new_gc()
        renderer.draw_image(gc, round(box[0] + point) - left, round(box[1] + point) - up, image)
        gc.restore()


def _counted(places: Floats, shape: Floats, cell: float) -> NDArray[np.int_]:
    """In how many cells of a grid left of i and below j one of the places lies, at [i, j]."""
    grid = np.zeros(np.ceil(shape).astype(int) + 2, int)
    grid[tuple((places / cell).astype(int).T + 1)] = 1
    return grid.cumsum(axis=0).cumsum(axis=1)


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
