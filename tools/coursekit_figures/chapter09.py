"""Pictures of chapter 9: scores from the side and from above, what signs leave open, pairs, Kesler's vector, softmax.

The classes are numbered; a class has its color and marker everywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from numpy.typing import ArrayLike

from coursekit.core.datasets import Dataset
from coursekit.core.validate import Floats
from coursekit.plots.boundary import line_ends, visible
from coursekit.plots.marks import NOWHERE, blank
from coursekit.plots.panel import NARROW
from coursekit.plots.regions import Side
from coursekit.plots.style import current
from coursekit_figures import kit

SMALL = 11.0  # words in a piece of the plane


def side(
    ax: Axes, thetas: Floats, names: Sequence[str], reach: tuple[float, float], x: ArrayLike = (),
    y: ArrayLike = (), at: Sequence[float] = (),
) -> None:
    """Scores of k classes of one feature, from the side, with examples above the band.

    thetas: (k, 2), offset last. reach: from which x to which. x, y: (n,) each, examples and their classes.
    at: where each line is named; () for no names.
    """
    points, look = np.asarray(x), current()
    places, labels = np.linspace(*reach, 1001), np.asarray(y, int)
    scores = places[:, None] * thetas[:, 0] + thetas[:, 1]
    low, high = float(scores.min()), float(scores.max())
    kit.named(ax, xlim=reach, ylim=(low - 0.3 * (high - low), high + 0.12 * (high - low)), ylabel="score")
    Side(ax).show(places, scores, scores.argmax(axis=1))
    for c, style in enumerate(look.classes[: len(names)]):
        own = points[labels == c]
        height = 0.12 + 0.05 * c * (len(own) > 1)  # flowers of different kinds are equally long: a row for each
        ax.plot(own, np.full(len(own), height), ls="", ms=9, mec=look.paper, mew=0.5, clip_on=False,
                transform=ax.get_xaxis_transform(), **style)
        if len(at):
            place = at[c], float(at[c] * thetas[c, 0] + thetas[c, 1])
            kit.label(ax, names[c], place, style["color"], (0, 1), kit.WORDS)


def between(names: Sequence[str]) -> Figure:
    """Three emails along a line and a score for each: the one in the middle is level."""
    fig, ax = plt.subplots(figsize=(9, 4.8))
    side(ax, np.array([[-2.0, 0], [2, 0], [0, 1]]), names, (-3, 3), [-2, 2, 0], [0, 1, 2], at=(-2.2, 2.2, 2.6))
    ax.set_xlabel("x, how much the email shouts", fontsize=kit.WORDS)
    return fig


def heights(ax: Axes, thetas: Floats, names: Sequence[str], reach: float) -> None:
    """The highest of k scores of two features, seen from above: whose it is, and lines of equal height.

    thetas: (k, 3), offset last.
    """
    grid, look = _square(ax, reach), current()
    ax.set(xlabel="x1", ylabel="x2", xticks=[-reach, 0, reach], yticks=[-reach, 0, reach])
    corners, x = reach * np.array([(-1.0, -1), (1, -1), (1, 1), (-1, 1)]), np.unique(grid[:, 0])
    for c, name in enumerate(names):
        own = kit.winning(corners, thetas, c)
        ax.fill(*own.T, fc=look.mixed(0.25, look.classes[c]["color"]), ec=look.ink, lw=2.2)
        middle = own.mean(axis=0)
        ax.text(middle[0], middle[1], name, ha="center", va="center", size=kit.WORDS, zorder=4)
    highest = (grid @ thetas[:, :2].T + thetas[:, 2]).max(axis=1).reshape(len(x), -1)
    ax.clabel(ax.contour(x, x, highest, levels=np.arange(0.5, 3, 0.5), colors=[look.soft], linewidths=1))


def pieces(
    ax: Axes, thetas: ArrayLike, reach: float, said: Callable[[tuple[bool, ...]], tuple[str, int | None]] | None,
    data: Dataset | None = None,
) -> None:
    """Lines, (m, 3) with the offset last, that cut the plane into pieces, and in each piece what is said of it.

    said: told which scores are above 0 in a piece, it returns words and the winning class, or None. None: lines alone.
    data: the examples where line c belongs to class c and ends in its markers.
    """
    lines, look = np.asarray(thetas), current()
    grid = _square(ax, reach)
    scores = grid @ lines[:, :2].T + lines[:, 2]
    if said:
        for signs in np.unique(scores > 0, axis=0):
            here = ((scores > 0) == signs).all(axis=1)
            words, winner = said(tuple(bool(sign) for sign in signs))
            color = look.mixed(0.5, look.star) if winner is None else look.mixed(0.2, look.classes[winner]["color"])
            x, inside = np.unique(grid[:, 0]), here.astype(float)
            ax.contourf(x, x, inside.reshape(len(x), -1), levels=[0.5, 1.5], colors=[color])
            _write(ax, words, grid[here], lines, NOWHERE if data is None else data.X)
    for c, theta in enumerate(lines):
        _line(ax, theta)
        if data:
            ax.plot(*data.X[data.y == c].T, ls="", ms=5, alpha=0.4, mew=0, **look.classes[c])
            ends = visible(ax, theta)
            ax.plot(*(ends + 0.03 * (ends[::-1] - ends)).T, ls="", ms=11, mec=look.paper, **look.classes[c])


def voters(ax: Axes, thetas: Sequence[Floats] | Floats, pairs: ArrayLike, reach: float) -> None:
    """The line of each pair, named "a or b", and on both sides whom it votes for. thetas: (m, 3). pairs: (m, 2), f > 0
    votes for the second."""
    look = current()
    _square(ax, reach)
    named: list[Floats] = []
    for theta, (a, b) in zip(thetas, np.asarray(pairs, int), strict=True):
        _line(ax, theta)
        length = np.hypot(*theta[:2])
        normal = theta[:2] / length
        ends = normal * -theta[2] / length + 0.75 * reach * np.array([[-normal[1], normal[0]], [normal[1], -normal[0]]])
        free = [min([np.hypot(*(end - other)) for other in named], default=0) for end in ends]
        named.append(ends[int(np.argmax(free))])
        for c, sign in ((a, -1), (b, 1)):
            words = f"vote\nfor {c}"
            x, y = named[-1] + sign * (np.abs(normal) @ _half(ax, words) + 0.1 * reach) * normal
            ax.text(x, y, words, color=look.classes[c]["color"], ha="center", va="center", size=SMALL)
        paper = {"fc": look.paper, "lw": 0, "pad": 2}
        x, y = named[-1]
        ax.text(x, y, f"{a} or {b}", ha="center", va="center", size=SMALL, bbox=paper)


def duel(ax: Axes, data: Dataset, theta: Floats, pair: tuple[int, int], reach: float) -> None:
    """One pair of classes with its line, theta: (3,), f > 0 on the side of the second; examples of all others, of two
    features, are faint."""
    look = current()
    grid = _square(ax, reach)
    ax.plot(*data.X[~np.isin(data.y, pair)].T, ls="", marker=".", ms=4, color=look.mixed(0.3))
    corners = reach * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
    for side, c in enumerate(pair):
        half = kit.winning(corners, np.array([-theta, theta]), side)
        ax.fill(*half.T, color=look.mixed(look.tints[c], look.classes[c]["color"]), lw=0, zorder=0)
        ax.plot(*data.X[data.y == c].T, ls="", ms=7, **look.classes[c])
        own = grid[(grid @ theta[:2] + theta[2] > 0) == side]
        _write(ax, f"vote\nfor {c}", own, theta[None], data.X, look.classes[c]["color"])
    _line(ax, theta)


def stacked(ax: Axes, names: Sequence[str], true: int, rival: int) -> None:
    """Kesler's vectors as rows of blocks, one block a class: all rows of theta, and an example above a rival."""
    look, k = current(), len(names)
    blank(ax, xlim=(0, k), ylim=(2.8, -0.1))
    words = [f"θ of\n{name}" for name in names], ["0"] * k
    words[1][true], words[1][rival] = "+ (x, 1)", "− (x, 1)"
    titles = "Θ, all rows in one:", f"{names[true]} above {names[rival]}, ξ:"
    for row, title in enumerate(titles):
        ax.text(0.03, 1.1 * row + 0.15, title, va="center", size=kit.WORDS)
        for c, word in enumerate(words[row]):
            share = 0.45 if row == 0 or c in (true, rival) else 0.08
            color = look.mixed(share, look.classes[c]["color"])
            ax.add_patch(Rectangle((c + 0.03, 1.1 * row + 0.35), 0.94, 0.55, facecolor=color, lw=0))
            ax.text(c + 0.5, 1.1 * row + 0.62, word, ha="center", va="center", size=kit.WORDS)
    ax.text(0.03, 2.45, f"Θ · ξ = score of {names[true]}\n − score of {names[rival]}", va="center", size=kit.WORDS)


def probabilities(ax: Axes, thetas: Floats, names: Sequence[str], reach: tuple[float, float]) -> None:
    """Softmax along one feature: class probabilities exp f_c / sum exp f on each other, to 1. thetas: (k, 2)."""
    x, look = np.linspace(*reach, 401), current()
    f = x[:, None] * thetas[:, 0] + thetas[:, 1]
    grown = np.exp(f - f.max(axis=1, keepdims=True))
    tops = np.cumsum(grown / grown.sum(axis=1, keepdims=True), axis=1)
    kit.named(ax, xlim=reach, ylim=(0, 1), yticks=[0, 0.5, 1], ylabel="class probability")
    for c, name in enumerate(names):
        below = tops[:, c - 1] if c else np.zeros(len(x))
        ax.fill_between(x, below, tops[:, c], color=look.mixed(0.5, look.classes[c]["color"]), lw=0)
        widest = int((tops[:, c] - below - 0.02 * np.abs(x - x.mean())).argmax())
        inner = min(max(widest, 50), 350)
        ax.text(x[inner], (below[inner] + tops[inner, c]) / 2, name, ha="center", va="center", size=SMALL)


def _square(ax: Axes, reach: float) -> Floats:
    """The square |x1|, |x2| <= reach; places in it, row by row."""
    ax.set(xlim=(-reach, reach), ylim=(-reach, reach), xticks=[], yticks=[], aspect="equal")
    x = np.linspace(-reach, reach, 121)
    return np.stack(np.meshgrid(x, x), axis=-1).reshape(-1, 2)


def _half(ax: Axes, words: str) -> Floats:
    """Half the width and the height of words, also in the narrow picture."""
    rows = words.split("\n")
    inches = min(ax.bbox.width / ax.figure.dpi, NARROW - 0.3)
    return np.array([0.6 * max(map(len, rows)), 1.3 * len(rows)]) * SMALL / 72 * ax.get_xlim()[1] / inches


def _write(
    ax: Axes, words: str, own: Floats, lines: Floats, points: Floats = NOWHERE, color: str | None = None
) -> None:
    """Words at the one of the places `own`, (n, 2), where there is most room between lines, edges and points."""
    half, reach = _half(ax, words), ax.get_xlim()[1]
    away = np.abs(own @ lines[:, :2].T + lines[:, 2]) - np.abs(lines[:, :2]) @ half
    room = np.column_stack([away / np.hypot(*lines[:, :2].T), reach - np.abs(own) - half])
    if len(points):
        room = np.column_stack([room, (np.abs(own[:, None] - points) - half).max(axis=2)])
    x, y = own[room.min(axis=1).argmax()]
    ax.text(x, y, words, color=color or current().ink, ha="center", va="center", size=SMALL)


def _line(ax: Axes, theta: Floats) -> None:
    ax.plot(*line_ends(ax, theta).T, color=current().ink, lw=2.2)
