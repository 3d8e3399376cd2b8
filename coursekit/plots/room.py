"""Where a name has room: places around its thing, and what is drawn and written in the axes already."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.backend_bases import RendererBase
from matplotlib.collections import LineCollection, PathCollection
from matplotlib.lines import Line2D
from matplotlib.patches import FancyArrowPatch
from matplotlib.text import Text
from numpy.typing import ArrayLike

from coursekit.core.validate import Floats
from coursekit.plots.lettering import Lettering

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

    def offsets(self, half: Floats, point: float, gap: float = 0.0) -> Floats:
        """From the thing to the middle of the name, (n, 2), in pixels. half: of its size. gap: so much further off."""
        return (self.prices + gap)[:, None] * point * self.units + np.clip(1.5 * self.units, -1, 1) * half

    def against(self, towards: ArrayLike) -> Floats:
        """The prices, where the name is sought first on this side."""
        side = np.nan_to_num(np.asarray(towards, float))
        return self.prices - 8 * self.units @ (side / (np.hypot(*side) or 1.0))


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
    found = [np.empty((0, 2))]
    for line in ax.lines:
        if line.get_visible():
            at = np.asarray(line.get_transform().transform(np.asarray(line.get_xydata(), float)), float)
            found.append(_marks(at, line) if line.get_linestyle() == "None" else _filled(at))
    for marks in ax.collections:
        if isinstance(marks, PathCollection) and marks.get_visible():
            found.append(np.asarray(marks.get_offset_transform().transform(marks.get_offsets()), float))
        elif isinstance(marks, LineCollection) and marks.get_visible():
            found += [_filled(np.asarray(ax.transData.transform(part), float)) for part in marks.get_segments()]
    for patch in ax.patches:
        if patch.get_visible():
            to_pixels = ax.transData if isinstance(patch, FancyArrowPatch) else patch.get_transform()
            outline = to_pixels.transform_path(patch.get_path())
            found += [_filled(np.asarray(part, float)) for part in outline.to_polygons(closed_only=False)]
    places = np.vstack(found)
    low, high = np.array(ax.bbox.extents).reshape(2, 2)
    return places[((places >= low) & (places <= high)).all(axis=1)]  # no number is neither


def _marks(at: Floats, line: Line2D) -> Floats:
    """The marks at these places, and the rims of large ones."""
    size = line.get_markersize()
    if size < LARGE or line.figure is None:
        return at
    return np.vstack([at, (at[:, None] + size / 144 * line.figure.dpi * ROUND).reshape(-1, 2)])


def _filled(path: Floats) -> Floats:
    """The path with points between those that are more than 5 pixels apart."""
    if len(path) < 2:
        return path
    lengths = np.hypot(*np.diff(path, axis=0).T)
    counts = np.where(np.isfinite(lengths), np.clip(lengths // 5.0, 0, 400), 0).astype(int) + 1
    starts = np.repeat(np.arange(len(counts)), counts)
    share = (np.arange(len(starts)) - np.repeat(np.cumsum(counts) - counts, counts)) / counts[starts]
    return np.vstack([path[starts] + share[:, None] * (path[starts + 1] - path[starts]), path[-1:]])
