"""Names beside the things they name, in a picture that moves: placed again for every frame, where they have room."""

from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.backend_bases import RendererBase
from matplotlib.collections import LineCollection, PathCollection
from matplotlib.patches import FancyArrowPatch
from matplotlib.path import Path
from matplotlib.text import Text
from matplotlib.transforms import IdentityTransform

from coursekit.core.text import typeset
from coursekit.core.validate import ArrayLike, Floats, NDArray
from coursekit.plots.lettering import Lettering, box_of, even, pixels_of, renderer_of

LARGE = 8.0  # points: of marks from this size on the rim counts, of smaller ones the middle
ROUND = np.column_stack([np.cos(turns := np.deg2rad(np.arange(0, 360, 45))), np.sin(turns)])


class Around:
    """Where a name is sought around its thing: so many points away, in these directions, in degrees.

    prices: what speaks against each place, (n,), in points: the nearest is the best.
    """

    def __init__(self, distances: Sequence[float], degrees: ArrayLike) -> None:
        turns = np.deg2rad(degrees)
        self.units: Floats = np.tile(np.column_stack([np.cos(turns), np.sin(turns)]), (len(distances), 1))
        self.prices: Floats = np.repeat(np.array(distances), len(turns))

    def offsets(self, half: Floats, point: float) -> Floats:
        """From the thing to the middle of the name, (n, 2), in pixels. half: of its size."""
        return self.prices[:, None] * point * self.units + np.clip(1.5 * self.units, -1, 1) * half

    def against(self, toward: ArrayLike) -> Floats:
        """The prices, where the name is sought first on this side."""
        side = np.nan_to_num(np.asarray(toward, float))
        return self.prices - 8 * self.units @ (side / (np.hypot(*side) or 1.0))


AROUND = Around((5.0, 11.0, 20.0, 34.0, 54.0, 78.0), np.arange(0, 360, 22.5))
BESIDE = 15.0  # what speaks against a name beside its area, as much as so many points
NOWHERE = np.full((1, 2), np.nan)
RIM = np.array([-0.5, -0.5, 1.5, 1.5])  # cells around a name that count as under it
LATER = 12.0  # what speaks against the last of several places, likewise


class Tag(NamedTuple):
    text: str
    at: ArrayLike  # its place, or (n, 2), several of which one is named: the first, unless another has more room
    toward: ArrayLike = (0.0, 0.0)  # on which side of the place the name is sought first
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
        self.tags: list[Tag] = []
        self._named = np.empty((0, 2))  # which place of each tag has its name, in pixels
        self._last: Floats | None = None  # the boxes, once they are known
        self.set_zorder(3.5)

    def show(self, tags: Iterable[Tag]) -> None:
        """The most important one first."""
        self.tags, self._last = [tag._replace(text=typeset(tag.text)) for tag in tags if tag.text], None
        self.stale = True

    def boxes(self, renderer: RendererBase | None = None) -> Floats:
        """Where the names are written, (n, 4): left, bottom, right, top in pixels; NaN where there is no place."""
        renderer = renderer or renderer_of(self._ax)
        point = float(np.real(renderer.points_to_pixels(1.0)))
        to_pixels = self.get_transform().transform
        low, high = np.array(self._ax.bbox.extents).reshape(2, 2)
        cell = 3 * point
        drawn = _counted(ink(self._ax) - low, (high - low) / cell, cell)
        ends, last = np.tile(low, 2), np.tile(drawn.shape, 2) - 1
        every = list(self._ax.artists)  # other words, of names those that were there first
        before = [one for one in every[: every.index(self)] if isinstance(one, Tags) and one.tags]
        words = np.vstack([written(self._ax, renderer, (one for one in every if not isinstance(one, Tags))),
                           *(one.boxes(renderer) if one._last is None else one._last for one in before)])
        boxes = self._last = np.full((len(self.tags), 4), np.nan)
        self._named = np.full((len(self.tags), 2), np.nan)
        for k, tag in enumerate(self.tags):
            at = np.asarray(to_pixels(np.reshape(np.asarray(tag.at, float), (-1, 2))), float)
            at = at[((at >= low - 1) & (at <= high + 1)).all(axis=1)]
            if not len(at):
                continue
            left, top, right, bottom = box_of(tag.text, pixels_of(self._size, renderer), "ls")
            half = np.array([right - left, bottom - top]) / 2 + point
            on, by = at[: len(at) * tag.area], at[: len(at) if not tag.area else 0 if tag.only else 1]
            middle = np.vstack([on, (by[:, None] + AROUND.offsets(half, point)).reshape(-1, 2)])
            tried = np.hstack([middle - half, middle + half])
            outside = ((tried[:, :2] < low) | (tried[:, 2:] > high)).any(axis=1)
            x0, y0, x1, y1 = np.minimum(np.maximum((tried - ends) / cell + RIM, 0), last).astype(int).T
            crossed = drawn[x1, y1] - drawn[x0, y1] - drawn[x1, y0] + drawn[x0, y0]
            far = _far(tuple(np.asarray(tag.toward, float).tolist()), tag.only, tag.area, len(at))
            prices = 1e4 * outside + 24 * (crossed > 0) + 4 * crossed + far
            boxes[k] = best = _free(tried, prices, np.vstack([words, boxes[:k]]))
            away = np.hypot(*(np.clip(at, best[:2], best[2:]) - at).T)
            beside = tag.area and away.min() > 0
            self._named[k] = at[0 if beside else away.argmin()]  # beside its area: in its middle
        return boxes

    def color(self, tag: Tag) -> str:
        """What a name is written in."""
        return self._look.words(tag.color or self._look.ink)

    def draw(self, renderer: RendererBase) -> None:
        if not self.tags or not self.get_visible():
            return
        point = float(np.real(renderer.points_to_pixels(1.0)))
        frame = f"{self._ax.bbox.bounds} {point}"
        kept = self._last if self._steady and frame == self._frame else None
        boxes, self._frame = self.boxes(renderer) if kept is None else kept, frame
        with even(renderer):
            for tag, at, box in zip(self.tags, self._named, boxes, strict=True):
                if np.isfinite(box).all():
                    self._lead(renderer, at, box, (8 if tag.area else 12) * point)
                    left, low, wide = box[0] + point, round(box[1] + point), box[2] - box[0] - 2 * point
                    self._write(renderer, tag.text, left, low, wide, self.color(tag), 2.0)

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


@lru_cache(maxsize=256)
def _far(toward: tuple[float, float], only: bool, area: bool, places: int) -> Floats:
    """What speaks against each box of a name with so many places: how far it lies, and on which side."""
    on, by = places * area, 1 - only if area else places
    prices, later = AROUND.against(toward), LATER * np.arange(places) / places
    wrong: Floats = np.append(np.zeros(on), np.tile(AROUND.prices - prices < 8 * 0.3, by))
    return 1e4 * only * wrong + np.append(later[:on], later[:by, None] + prices + BESIDE * area)


def _free(boxes: Floats, prices: Floats, others: Floats) -> Floats:
    """The cheapest of these boxes; to lie on one of the others costs more than all else."""
    for some in (prices.argpartition(min(40, len(prices) - 1))[:40], np.arange(len(prices))):
        some.sort()  # of two that are as good, the first
        taken = overlaps(boxes[some], others)
        best = (1e4 * taken + prices[some]).argmin()
        if not taken[best]:
            break
    return boxes[some[best]]


def _counted(places: Floats, shape: Floats, cell: float) -> NDArray[np.int_]:
    """In how many cells of a grid left of i and below j one of the places lies, at [i, j]."""
    grid = np.zeros(np.ceil(shape).astype(int) + 2, int)
    grid[tuple((places / cell).astype(int).T + 1)] = 1
    return grid.cumsum(axis=0).cumsum(axis=1)


def overlaps(boxes: Floats, others: Floats) -> Floats:
    """How many of the others each box lies on. Boxes, (n, 4): left, low, right, high."""
    left, low, right, high = boxes.T[:, :, None]
    return np.sum((left < others[:, 2]) & (right > others[:, 0]) & (low < others[:, 3]) & (high > others[:, 1]), axis=1)


def written(ax: Axes, renderer: RendererBase, words: Iterable[Artist], but: Collection[Text] = ()) -> Floats:
    """The boxes of the texts in the axes, without leaders, and of those of `words` that are, (n, 4), in pixels."""
    texts = [text for text in ax.texts if text not in but and text.get_visible() and text.get_text()]
    boxes = [Text.get_window_extent(text, renderer).extents for text in texts]
    for one in words:
        if isinstance(one, Lettering) and one.get_visible():
            boxes += list(one.boxes(renderer))
    return np.reshape(np.asarray(boxes, float), (-1, 4))


def ink(ax: Axes) -> Floats:
    """Places on lines, marks and outlines in view, (n, 2), in pixels, a few pixels from each other."""
    found, ways = [], [NOWHERE]
    for line in ax.lines:
        if line.get_visible() and len(data := np.asarray(line.get_xydata(), float)):
            at = np.asarray(line.get_transform().transform(data), float)
            if line.get_linestyle() == "None":
                found.append(at)
                if (size := line.get_markersize()) >= LARGE:
                    found.append((at[:, None] + size / 144 * ax.figure.dpi * ROUND).reshape(-1, 2))
            else:
                ways.append(at)
    for marks in ax.collections:
        if isinstance(marks, PathCollection) and marks.get_visible():
            found.append(np.asarray(marks.get_offset_transform().transform(marks.get_offsets()), float))
        elif isinstance(marks, LineCollection) and marks.get_visible():
            ways += [np.asarray(ax.transData.transform(part), float) for part in marks.get_segments()]
    for patch in ax.patches:
        if patch.get_visible():
            to_pixels = ax.transData if isinstance(patch, FancyArrowPatch) else patch.get_transform()
            ways += map(np.asarray, to_pixels.transform_path(patch.get_path()).to_polygons(closed_only=False))
    low, high = np.array(ax.bbox.extents).reshape(2, 2)
    found.append(_filled(np.vstack([part for way in ways for part in (way, way[-1:], NOWHERE)]), low, high))
    places = np.vstack(found)
    return places[((places >= low) & (places <= high)).all(axis=1)]  # no number is neither


def _filled(path: Floats, low: Floats, high: Floats) -> Floats:
    """The path with points between those that are more than 5 pixels apart, where some may lie between low and high."""
    lengths = np.hypot(*np.diff(path, axis=0).T)
    near = ((np.maximum(path[:-1], path[1:]) >= low) & (np.minimum(path[:-1], path[1:]) <= high)).all(axis=1)
    counts = np.where(near & np.isfinite(lengths), np.clip(lengths // 5.0, 0, 400), 0).astype(int) + 1
    starts = np.repeat(np.arange(len(counts)), counts)
    share = (np.arange(len(starts)) - np.repeat(np.cumsum(counts) - counts, counts)) / counts[starts]
    return np.vstack([path[starts] + share[:, None] * (path[starts + 1] - path[starts]), path[-1:]])
