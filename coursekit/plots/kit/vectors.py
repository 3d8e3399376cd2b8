"""Vectors with their names, angles between them, shadows, lengths, and what pulls."""

from __future__ import annotations

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from coursekit.core.validate import Floats
from coursekit.plots import check
from coursekit.plots.kit.labels import label
from coursekit.plots.marks import arrow
from coursekit.plots.style import current


def vector(
    ax: Axes, tip: ArrayLike, name: str = "", tail: ArrayLike = (0.0, 0.0), color: str | None = None,
    width: float = 2.2, dashed: bool = False,
) -> list[Artist]:
    """An arrow from tail to tip, (2,) each, its name beside its tip."""
    start, end, color = check.shaped("tail", tail, 2), check.shaped("tip", tip, 2), color or current().ink
    drawn = arrow(ax, color, 6.5 * width, lw=width, ls="--" if dashed else "-")
    drawn.set_positions(tuple(start), tuple(end))
    return [drawn, *_named(ax, name, end, color, end - start)]


def angle(
    ax: Axes, one: ArrayLike, other: ArrayLike, name: str = "", corner: ArrayLike = (0.0, 0.0), radius: float = 22.0,
) -> list[Artist]:
    """The arc between the directions `one` and `other`, (2,) each; a small square where they are at right angles.

    radius: in points. The axes need one scale both ways.
    """
    units = [v / np.hypot(*v) for v in (check.shaped("one", one, 2), check.shaped("other", other, 2))]
    middle = check.shaped("corner", corner, 2)
    reach = _points(ax, middle, radius)
    if abs(units[0] @ units[1]) < 1e-6:
        path = 0.5 * reach * np.array([units[0], units[0] + units[1], units[1]])
    else:
        start = np.arctan2(units[0][1], units[0][0])
        turn = np.arctan2(units[0][0] * units[1][1] - units[0][1] * units[1][0], units[0] @ units[1])
        along = start + turn * np.linspace(0, 1, 40)
        path = reach * np.column_stack([np.cos(along), np.sin(along)])
    (arc,) = ax.plot(*(middle + path).T, color=current().ink, lw=1.2)
    return [arc, *_named(ax, name, middle + path[len(path) // 2], None, path[len(path) // 2])]


def shadow(ax: Axes, x: ArrayLike, onto: ArrayLike, name: str = "", color: str | None = None) -> list[Artist]:
    """The projection of x on the line through 0 and `onto`, (2,) each: a thick segment, with the light's ray."""
    x, line = check.shaped("x", x, 2), check.shaped("onto", onto, 2)
    foot, color = (x @ line) / (line @ line) * line, color or current().green
    (ray,) = ax.plot(*np.array([x, foot]).T, color=current().soft, lw=1.3, ls=(0, (2, 2)))
    (cast,) = ax.plot(*np.array([np.zeros(2), foot]).T, color=color, lw=6, alpha=0.6, solid_capstyle="butt", zorder=1.8)
    corner = angle(ax, x - foot, -foot, corner=foot, radius=14) if foot.any() and (x - foot).any() else []
    return [ray, cast, *corner, *_named(ax, name, foot / 2, color, foot - x)]


def brace(ax: Axes, start: ArrayLike, end: ArrayLike, name: str = "") -> list[Artist]:
    """A brace along the way from start to end, (2,) each, on its left, 9 points deep."""
    a, b = (_pixels(ax, name, at) for name, at in (("start", start), ("end", end)))
    along = b - a
    left = np.array([-along[1], along[0]]) / np.hypot(*along)
    deep = 9.0 * ax.figure.dpi / 72
    t = np.linspace(0, 1, 121)
    from_middle, sharp = np.abs(2 * t - 1), min(0.9 * deep / np.hypot(*along), 0.1)
    rise = 0.5 * (1 - np.exp(-(1 - from_middle) / sharp)) + 0.5 * np.exp(-from_middle / sharp)
    path = a + t[:, None] * along + (0.25 + rise)[:, None] * deep * left
    (drawn,) = ax.plot(*_data(ax, path).T, color=current().ink, lw=1.2)
    return [drawn, *_named(ax, name, _data(ax, path)[60], None, left)]


def spring(ax: Axes, start: ArrayLike, end: ArrayLike, name: str = "", color: str | None = None) -> list[Artist]:
    """A spring from start to end, (2,) each: the same coils whether it is short or stretched."""
    coils = 7
    a, b = (_pixels(ax, name, at) for name, at in (("start", start), ("end", end)))
    along, wide = b - a, 4.0 * ax.figure.dpi / 72
    left = np.array([-along[1], along[0]]) / (np.hypot(*along) or 1.0)
    t = np.concatenate([[0, 0.12], np.linspace(0.12, 0.88, 4 * coils + 1)[1:-1:2], [0.88, 1]])
    side = np.concatenate([[0, 0], np.resize([1.0, -1.0], 2 * coils), [0, 0]])
    path = _data(ax, a + t[:, None] * along + wide * side[:, None] * left)
    (drawn,) = ax.plot(*path.T, color=color or current().green, lw=1.4)
    return [drawn, *_named(ax, name, path[len(path) // 2], color or current().green, left)]


def force(ax: Axes, at: ArrayLike, pull: ArrayLike, name: str = "", color: str | None = None) -> list[Artist]:
    """A pull, (2,), on the point `at`, (2,): a heavy arrow from it, as long as the pull."""
    place, color = check.shaped("at", at, 2), color or current().red
    (dot,) = ax.plot(*place[:, None], ls="", marker="o", ms=6, color=color)
    return [dot, *vector(ax, place + check.shaped("pull", pull, 2), name, place, color, width=3.2)]


def fan(ax: Axes, vectors: ArrayLike, name: str = "") -> list[Artist]:
    """Vectors, (n, 2), from 0, thin, and their mean, heavy and with the name."""
    several = check.shaped("vectors", vectors, "n", 2)
    if not len(several):
        raise ValueError("vectors must hold at least one; got none")
    thin: list[Artist] = []
    for v in several:
        thin += vector(ax, v, color=current().soft, width=0.9)
    return [*thin, *vector(ax, several.mean(axis=0), name, color=current().red, width=2.8)]


def _named(ax: Axes, name: str, at: Floats, color: str | None, towards: Floats) -> list[Artist]:
    return [label(ax, name, at, color, towards)] if name else []


def _pixels(ax: Axes, name: str, at: ArrayLike) -> Floats:
    return np.asarray(ax.transData.transform(check.shaped(name, at, 2)), float)


def _data(ax: Axes, pixels: Floats) -> Floats:
    return np.asarray(ax.transData.inverted().transform(pixels), float)


def _points(ax: Axes, at: Floats, points: float) -> float:
    """So many points to the right of a place, in data units."""
    step = np.array([points * ax.figure.dpi / 72, 0.0])
    return float(_data(ax, np.asarray(ax.transData.transform(at)) + step)[0] - at[0])
