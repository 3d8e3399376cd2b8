"""A name beside the thing it names, where nothing else is written."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import FancyArrowPatch
from matplotlib.text import Annotation, Text
from numpy.typing import ArrayLike

from coursekit.core.validate import Floats
from coursekit.plots import check
from coursekit.plots.lettering import renderer_of
from coursekit.plots.style import current

ANGLES = np.deg2rad(np.arange(45, 405, 22.5))
DISTANCES = (4.0, 11.0, 20.0, 32.0, 46.0)  # points from the thing to its name; from the third on with a leader


def label(
    ax: Axes, text: str, at: ArrayLike, color: str | None = None, towards: ArrayLike = (0.0, 0.0), size: float = 11.0
) -> Annotation:
    """Write `text` beside the place `at`, (2,), in data units; further off, with a thin leader, where it is crowded.

    It lies inside the axes and on no other words, and on as few lines, marks and outlines as can be. Draw those first.
    towards: on which side of the place it is sought first, a direction on the paper.
    """
    place, side = check.shaped("at", at, 2), check.shaped("towards", towards, 2)
    side = side / (np.hypot(*side) or 1.0)
    look, point = current(), ax.figure.dpi / 72
    words = _words(ax)
    note = _note(ax, text, place, np.zeros(2), color or look.ink, size, leader=False)
    half = np.array(note.get_window_extent(renderer_of(ax)).size) / 2
    note.remove()
    anchor, ink = np.asarray(ax.transData.transform(place), float), _ink(ax)
    low, high = np.array(ax.bbox.extents).reshape(2, 2)
    best, offset, far = float("inf"), np.zeros(2), False
    for step, distance in enumerate(DISTANCES):
        for turn in ANGLES:
            unit = np.array([np.cos(turn), np.sin(turn)])
            middle = anchor + distance * point * unit + np.clip(1.5 * unit, -1, 1) * half
            room = half + 1.5 * point
            shared = np.minimum(middle + room, words[:, 2:]) - np.maximum(middle - room, words[:, :2])
            outside = bool(((middle - half < low) | (middle + half > high)).any())
            written, crossed = (shared > 0).all(axis=1).sum(), (np.abs(ink - middle) < room).all(axis=1).sum()
            cost = float(1e4 * (written + outside) + 3 * crossed + distance - 8 * (unit @ side))
            if cost < best:
                best, offset, far = cost, (middle - anchor) / point, step > 1
    return _note(ax, text, place, offset, color or look.ink, size, leader=far)


def _note(ax: Axes, text: str, at: Floats, offset: Floats, color: str, size: float, leader: bool) -> Annotation:
    line = {"arrowstyle": "-", "color": current().soft, "lw": 0.8, "shrinkA": 1, "shrinkB": 2, "relpos": (0.5, 0.5)}
    return ax.annotate(
        text, (float(at[0]), float(at[1])), (float(offset[0]), float(offset[1])), textcoords="offset points",
        ha="center", va="center", color=color, fontsize=size, arrowprops=line if leader else None,
        annotation_clip=False,
    )


def _words(ax: Axes) -> Floats:
    """The boxes of everything written in the axes, (n, 4), in pixels."""
    renderer = renderer_of(ax)
    texts = [text for text in ax.texts if text.get_visible() and text.get_text()]
    for text in texts:
        text.get_window_extent(renderer)  # puts an annotation where it belongs
    boxes = [Text.get_window_extent(text, renderer).extents for text in texts]  # without their leaders
    if legend := ax.get_legend():
        boxes.append(legend.get_window_extent(renderer).extents)
    return np.reshape(np.asarray(boxes, float), (-1, 4))


def _ink(ax: Axes) -> Floats:
    """Places on lines, marks and outlines, (n, 2), in pixels, a few pixels from each other."""
    found = [np.empty((0, 2))]
    for line in ax.lines:
        at = np.asarray(line.get_transform().transform(np.asarray(line.get_xydata(), float)), float)
        found.append(at if line.get_linestyle() == "None" else _filled(at))
    for patch in ax.patches:
        to_pixels = ax.transData if isinstance(patch, FancyArrowPatch) else patch.get_transform()
        outline = to_pixels.transform_path(patch.get_path())
        found += [_filled(np.asarray(part, float)) for part in outline.to_polygons(closed_only=False)]
    ink = np.vstack(found)
    return ink[np.isfinite(ink).all(axis=1)]


def _filled(path: Floats, gap: float = 5.0) -> Floats:
    """The path with points between those that are more than `gap` apart."""
    if len(path) < 2:
        return path
    lengths = np.hypot(*np.diff(path, axis=0).T)
    counts = np.where(np.isfinite(lengths), np.clip(lengths // gap, 0, 400), 0).astype(int) + 1
    parts = [a + (b - a) * np.arange(n)[:, None] / n for a, b, n in zip(path[:-1], path[1:], counts, strict=True)]
    return np.vstack([*parts, path[-1:]])
