"""Where something is drawn in axes, for words that keep clear of it."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection, PathCollection
from matplotlib.lines import Line2D
from matplotlib.patches import FancyArrowPatch

from coursekit.core.validate import Floats

LARGE = 8.0  # points: of marks from this size on the rim counts, of smaller ones the middle
ROUND = np.column_stack([np.cos(turns := np.deg2rad(np.arange(0, 360, 45))), np.sin(turns)])


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
