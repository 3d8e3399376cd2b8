"""What the chapters' figures are drawn with: axes with names, vectors, shadows, braces, springs, balls, bands, regions.

Each takes an Axes and arrays and draws in the current style. Set the limits of the axes first: braces, springs and
angles have a width in points. Names find their places when all is drawn.

    fig = ck.plots.figure(5, 4)
    ax = fig.add_subplot(xlim=(-2, 2), ylim=(-1, 2), aspect="equal")
    kit.vector(ax, (1.6, 0.5), "θ")
    kit.vector(ax, (0.5, 1.4), "x")
    kit.shadow(ax, (0.5, 1.4), onto=(1.6, 0.5), name="θ · x / ‖θ‖")
"""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import FancyArrowPatch, Polygon
from numpy.typing import ArrayLike

from coursekit.core import validate
from coursekit.core.validate import Floats
from coursekit.plots.marks import Plot
from coursekit.plots.style import current
from coursekit_figures.labels import label

WORDS = 13.0  # the size of words


def named(ax: Axes, **settings: Any) -> None:
    """Axes of a still: limits, scales and names as `ax.set` takes them, the names in the size of its words."""
    ax.set(**settings)
    for name in (ax.xaxis.label, ax.yaxis.label):
        name.set_fontsize(WORDS)


def vector(
    ax: Axes, tip: ArrayLike, name: str = "", tail: ArrayLike = (0.0, 0.0), color: str | None = None,
    width: float = 2.2, dashed: bool = False,
) -> FancyArrowPatch:
    """An arrow from tail to tip, (2,) each, its name beside its tip."""
    start, end, color = validate.shaped("tail", tail, 2), validate.shaped("tip", tip, 2), color or current().ink
    drawn = Plot(ax).add_arrow(color, 6.5 * width, lw=width, ls="--" if dashed else "-")
    drawn.set_positions(tuple(start), tuple(end))
    _name(ax, name, end, color, end - start)
    return drawn


def angle(
    ax: Axes, one: ArrayLike, other: ArrayLike, name: str = "", corner: ArrayLike = (0.0, 0.0), radius: float = 22.0,
) -> None:
    """The arc between the directions `one` and `other`, (2,) each; a small square where they are at right angles.

    radius: in points. The axes need one scale both ways.
    """
    units = [v / np.hypot(*v) for v in (validate.shaped("one", one, 2), validate.shaped("other", other, 2))]
    middle = validate.shaped("corner", corner, 2)
    reach = _points(ax, middle, radius)
    if abs(units[0] @ units[1]) < 1e-6:
        path = 0.5 * reach * np.array([units[0], units[0] + units[1], units[1]])
    else:
        start = np.arctan2(units[0][1], units[0][0])
        turn = np.arctan2(units[0][0] * units[1][1] - units[0][1] * units[1][0], units[0] @ units[1])
        along = start + turn * np.linspace(0, 1, 40)
        path = reach * np.column_stack([np.cos(along), np.sin(along)])
    ax.plot(*(middle + path).T, color=current().ink, lw=1.2)
    _name(ax, name, middle + path[len(path) // 2], None, path[len(path) // 2])


def shadow(ax: Axes, x: ArrayLike, onto: ArrayLike, name: str = "", color: str | None = None) -> None:
    """The projection of x on the line through 0 and `onto`, (2,) each: a thick segment, with the light's ray."""
    x, line = validate.shaped("x", x, 2), validate.shaped("onto", onto, 2)
    foot, color = (x @ line) / (line @ line) * line, color or current().green
    ax.plot(*np.array([x, foot]).T, color=current().soft, lw=1.3, ls=(0, (2, 2)))
    ax.plot(*np.array([np.zeros(2), foot]).T, color=color, lw=6, alpha=0.6, solid_capstyle="butt", zorder=1.8)
    if foot.any() and (x - foot).any():
        angle(ax, x - foot, -foot, corner=foot, radius=14)
    _name(ax, name, foot / 2, color, foot - x)


def brace(ax: Axes, start: ArrayLike, end: ArrayLike, name: str) -> None:
    """A brace along the way from start to end, (2,) each, on its left, 9 points deep."""
    a, b = (_pixels(ax, name, at) for name, at in (("start", start), ("end", end)))
    along = b - a
    left = np.array([-along[1], along[0]]) / np.hypot(*along)
    deep = 9.0 * ax.figure.dpi / 72
    t = np.linspace(0, 1, 121)
    from_middle, sharp = np.abs(2 * t - 1), min(0.9 * deep / np.hypot(*along), 0.1)
    rise = 0.5 * (1 - np.exp(-(1 - from_middle) / sharp)) + 0.5 * np.exp(-from_middle / sharp)
    path = a + t[:, None] * along + (0.25 + rise)[:, None] * deep * left
    ax.plot(*_data(ax, path).T, color=current().ink, lw=1.2)
    _name(ax, name, _data(ax, path)[60], None, left)


def spring(ax: Axes, start: ArrayLike, end: ArrayLike, color: str) -> None:
    """A spring from start to end, (2,) each, with seven coils, or as many as a short one has room for."""
    a, b = (_pixels(ax, name, at) for name, at in (("start", start), ("end", end)))
    along, wide = b - a, 4.0 * ax.figure.dpi / 72
    left = np.array([-along[1], along[0]]) / (np.hypot(*along) or 1.0)
    coils = int(np.clip(np.hypot(*along) / (0.9 * wide), 1, 7))
    t = np.concatenate([[0, 0.12], np.linspace(0.12, 0.88, 4 * coils + 1)[1:-1:2], [0.88, 1]])
    side = np.concatenate([[0, 0], np.resize([1.0, -1.0], 2 * coils), [0, 0]])
    path = _data(ax, a + t[:, None] * along + wide * side[:, None] * left)
    ax.plot(*path.T, color=color, lw=1.4)


def _name(ax: Axes, name: str, at: Floats, color: str | None, toward: Floats) -> None:
    if name:
        label(ax, name, at, color, toward)


def _pixels(ax: Axes, name: str, at: ArrayLike) -> Floats:
    return np.asarray(ax.transData.transform(validate.shaped(name, at, 2)), float)


def _data(ax: Axes, pixels: Floats) -> Floats:
    return np.asarray(ax.transData.inverted().transform(pixels), float)


def _points(ax: Axes, at: Floats, points: float) -> float:
    """So many points to the right of a place, in data units."""
    step = np.array([points * ax.figure.dpi / 72, 0.0])
    return float(_data(ax, np.asarray(ax.transData.transform(at)) + step)[0] - at[0])


def ball(ax: Axes, q: float) -> Polygon:
    """All (w1, w2) with |w1|^q + |w2|^q <= 1: a diamond for q = 1, a disc for q = 2, a star for q < 1."""
    edge, color = unit_circle(validate.number("q", q, 0, above=True)), current().green
    return Plot(ax).add_patch(Polygon(edge, facecolor=current().mixed(0.25, color), edgecolor=color, lw=1.8, zorder=1))


def unit_circle(q: float, count: int = 721) -> Floats:
    """So many (w1, w2) all around with |w1|^q + |w2|^q = 1."""
    turn = np.linspace(0, 2 * np.pi, count)
    c, s = np.cos(turn), np.sin(turn)
    return np.column_stack([np.sign(c) * np.abs(c) ** (2 / q), np.sign(s) * np.abs(s) ** (2 / q)])


def band(ax: Axes, x: ArrayLike, runs: Floats, color: str) -> None:
    """Many runs of one thing, (R, K), at x, (K,): the middle 80 percent as a band, their median as a line."""
    low, median, high = np.quantile(runs, [0.1, 0.5, 0.9], axis=0)
    ax.fill_between(x, low, high, color=current().mixed(0.3, color), lw=0, zorder=1)
    ax.plot(x, median, color=color, lw=2.0)


def winning(square: Floats, scores: Floats, c: int) -> Floats:
    """The part of the square where class c has the largest score, as a polygon, (m, 2)."""
    part = square
    for other in range(len(scores)):
        if other == c or not len(part):
            continue
        lead = np.column_stack([part, np.ones(len(part))]) @ (scores[c] - scores[other])
        kept: list[Floats] = []
        for k in range(len(part)):
            if lead[k - 1] * lead[k] < 0:
                kept.append(part[k - 1] + lead[k - 1] / (lead[k - 1] - lead[k]) * (part[k] - part[k - 1]))
            if lead[k] > 0 or (lead[k] == 0 and c < other):
                kept.append(part[k])
        part = np.array(kept) if len(kept) > 2 else np.empty((0, 2))
    return part
