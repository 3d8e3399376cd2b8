"""Balls of norms, bands of quantiles, clouds of points, and planes of scores."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.patches import Ellipse, Polygon
from numpy.typing import ArrayLike

from coursekit.core import validate
from coursekit.core.validate import Floats
from coursekit.plots import check
from coursekit.plots.kit.labels import WORDS, label
from coursekit.plots.marks import DASHED, patch
from coursekit.plots.style import current


def ball(ax: Axes, q: float, name: str = "", color: str | None = None) -> list[Artist]:
    """All (w1, w2) with |w1|^q + |w2|^q <= 1: a diamond for q = 1, a disc for q = 2, a star for q < 1."""
    q = validate.number("q", q, 0, above=True)
    turn = np.linspace(0, 2 * np.pi, 721)
    c, s = np.cos(turn), np.sin(turn)
    edge = np.column_stack([np.sign(c) * np.abs(c) ** (2 / q), np.sign(s) * np.abs(s) ** (2 / q)])
    color = color or current().green
    area = patch(ax, Polygon(edge, facecolor=current().mixed(0.25, color), edgecolor=color, lw=1.8, zorder=1))
    return [area, *([label(ax, name, edge[90], color)] if name else [])]


def band(ax: Axes, x: ArrayLike, runs: ArrayLike, name: str = "", color: str | None = None) -> list[Artist]:
    """Many runs of one thing, (R, K), at x, (K,): the middle 80 percent as a band, their median as a line."""
    x, color = check.shaped("x", x, "K"), color or current().blue
    values = check.shaped("runs", runs, "R", len(x))
    if not len(values):
        raise ValueError("runs must hold at least one; got none")
    low, median, high = np.quantile(values, [0.1, 0.5, 0.9], axis=0)
    area = ax.fill_between(x, low, high, color=current().mixed(0.3, color), lw=0, zorder=1)
    (line,) = ax.plot(x, median, color=color, lw=2.0)
    middle = len(x) // 2
    return [area, line, *([label(ax, name, (x[middle], high[middle]), color, towards=(0.7, 1))] if name else [])]


def cloud(ax: Axes, points: ArrayLike, name: str = "", color: str | None = None) -> list[Artist]:
    """Points, (n, 2), their mean, and the ellipse of one standard deviation around it."""
    at, color = check.shaped("points", points, "n", 2), color or current().blue
    if len(at) < 2:
        raise ValueError(f"points must hold at least two, so that they have a spread; got {len(at)}")
    middle = at.mean(axis=0)
    squares, axes = np.linalg.eigh(np.cov(at.T))
    wide, high = 2 * np.sqrt(np.maximum(squares, 0))
    turn = np.degrees(np.arctan2(axes[1, 0], axes[0, 0]))
    (dots,) = ax.plot(*at.T, ls="", marker="o", ms=3, color=color, alpha=0.4, mew=0)
    ring = patch(ax, Ellipse((middle[0], middle[1]), wide, high, angle=turn, fill=False, ec=color, lw=1.8, zorder=2))
    (mean,) = ax.plot(*middle[:, None], ls="", marker="P", ms=8, color=color, mec=current().paper)
    top = np.asarray(ring.get_patch_transform().transform([(0.0, 1.0)]), float)[0]
    return [dots, ring, mean, *([label(ax, name, top, color)] if name else [])]


def planes(ax: Axes, thetas: ArrayLike, reach: float = 1.0, names: Sequence[str] = ()) -> list[Artist]:
    """The scores f_c(x) = theta_c . (x, 1) of k <= 5 classes as planes over the square |x1|, |x2| <= reach.

    Only their upper envelope is filled: each class where its score is the largest. The floor below shows the same
    regions of the plane. An oblique view: what is parallel stays parallel, and heights are true, all on one scale.
    thetas: (k, 3), offset last.
    """
    scores = check.shaped("thetas", thetas, "k", 3)
    reach, looks = validate.number("reach", reach, 0, above=True), current().classes
    if names and len(names) != len(scores):
        raise ValueError(f"names must be one for each of the {len(scores)} classes; got {len(names)}")
    if not 2 <= len(scores) <= len(looks):
        raise ValueError(f"thetas must be of 2 to {len(looks)} classes; got {len(scores)}")
    square = reach * np.array([(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)])
    heights = np.column_stack([square, np.ones(4)]) @ scores.T
    scale = 1.3 * reach / max(float(np.ptp(heights)), 1e-9)
    floor = float(heights.max(axis=1).min()) - 1.0 * reach / scale

    def seen(x: Floats, height: Floats | float) -> Floats:
        return np.column_stack([x[:, 0] + 0.45 * x[:, 1], 0.5 * x[:, 1] + scale * (np.asarray(height) - floor)])

    ax.set(aspect="equal", xticks=[], yticks=[], xlim=(-1.6 * reach, 1.6 * reach))
    ax.spines[:].set_visible(False)
    artists: list[Artist] = []
    regions = [(c, part) for c in range(len(scores)) if len(part := winning(square, scores, c))]
    for c, part in regions:
        color = looks[c]["color"]
        artists.append(patch(ax, Polygon(seen(part, floor), facecolor=current().mixed(0.25, color), lw=0, zorder=0.5)))
    artists.append(patch(ax, Polygon(seen(square, floor), fill=False, ec=current().soft, lw=1, zorder=0.6)))
    tops = {c: seen(part, np.column_stack([part, np.ones(len(part))]) @ scores[c]) for c, part in regions}
    for c, _ in sorted(regions, key=lambda region: -float(region[1][:, 1].mean())):
        color = looks[c]["color"]
        artists.append(patch(ax, Polygon(tops[c], facecolor=current().mixed(0.6, color), ec=current().ink, lw=1.2)))
    highest = heights.max(axis=1)
    for corner, height in zip(square[[0, 2]], highest[[0, 2]], strict=True):
        foot, top = seen(corner[None], floor)[0], seen(corner[None], height)[0]
        artists += ax.plot(*np.array([foot, top]).T, color=current().soft, lw=1, ls=DASHED, zorder=0.7)
    (left, low), (_, high) = seen(square[[0, 0]], np.array([floor, highest[0]]))
    arrow = {"arrowstyle": "->", "color": current().ink, "lw": 1.4}
    up = ax.annotate("", (left - 0.12 * reach, high), (left - 0.12 * reach, low), arrowprops=arrow)
    score = ax.text(left - 0.2 * reach, (low + high) / 2, "score", rotation=90, ha="right", va="center", size=WORDS)
    artists += [up, score]
    every = np.vstack([seen(square, floor), *tops.values()])
    ax.set_ylim(every[:, 1].min() - 0.15 * reach, every[:, 1].max() + 0.3 * reach)
    for c, part in regions if names else ():
        x, y = seen(part, floor).mean(axis=0)
        artists.append(ax.text(x, y, names[c], ha="center", va="center", color=current().ink, size=WORDS))
    return artists


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
