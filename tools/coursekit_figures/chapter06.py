"""Pictures of chapter 6: overfitting, what lambda does to it, the shapes of penalties, the bias, the folds."""

from __future__ import annotations

from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from numpy.typing import ArrayLike

from coursekit.core.validate import Floats
from coursekit.plots.marks import DASHED, blank
from coursekit.plots.scores import two_sides
from coursekit.plots.style import current
from coursekit_figures import kit

REACH = 8.0  # of the scores that are shown


def clouds(ax: Axes, scores: ArrayLike, y: ArrayLike) -> None:
    """The scores of new emails, (n,), as two hills; the bars at the ends hold all beyond. y: (n,), labels."""
    f, labels = np.asarray(scores), np.asarray(y)
    kit.named(ax, xlim=(-REACH, REACH), xlabel="score f", yticks=[])
    two_sides(ax)
    edges, tops = np.linspace(-REACH, REACH, 41), []
    for sign, name in ((-1, "ham"), (1, "spam")):
        color = current().classes[int(sign > 0)]["color"]
        seen = np.clip(f[labels == sign], -REACH, REACH)
        counts = ax.hist(seen, edges.tolist(), color=color, alpha=0.35, lw=0)[0]
        ax.hist(seen, edges.tolist(), histtype="step", color=color, lw=2)
        inner = 1 + int(np.argmax(np.asarray(counts)[1:-1]))
        wrong = np.mean(sign * f[labels == sign] <= 0)
        at = float(edges[inner : inner + 2].mean()), float(np.asarray(counts)[inner])
        kit.label(ax, f"new {name}:\n{100 * wrong:.0f}% wrong", at, color, (sign, 1), kit.WORDS)
        tops.append(float(np.max(counts)))
    ax.set_ylim(0, 1.3 * max(tops))


def bands(ax: Axes, x: ArrayLike, training: Floats, validation: Floats, at: tuple[float, float]) -> None:
    """Runs on many splits, (R, K) each, at x, (K,): their means as lines, all of them as bands.

    at: near which x the two are named.
    """
    places, dashes = np.asarray(x), (DASHED, "-")
    kinds = ("training", training, current().green, -1), ("new email", validation, current().violet, 1)
    for (name, runs, color, side), dash, near in zip(kinds, dashes, at, strict=True):
        mean = np.mean(runs, axis=0)
        ax.fill_between(places, np.min(runs, axis=0), np.max(runs, axis=0), color=color, alpha=0.18, lw=0)
        ax.plot(places, mean, color=color, lw=2.6, ls=dash)
        here = int(np.abs(places - near).argmin())
        kit.label(ax, name, (places[here], mean[here]), color, (0, side), kit.WORDS)
    kit.named(ax, xlim=(places[0], places[-1]))


def against_lambda(ax: Axes, lams: ArrayLike, training: Floats, validation: Floats) -> None:
    """Bands of runs, (R, K) each, over lams, (K,), and a star where the mean of the validation runs is lowest."""
    bands(ax, lams, training, validation, at=(0.5, 0.005))
    mean, look = np.mean(validation, axis=0), current()
    place = np.asarray(lams)[mean.argmin()], mean.min()
    ax.plot(*place, marker="*", ms=17, mfc=look.star, mec=look.ink, zorder=5)
    ax.annotate("best", place, (0, 9), textcoords="offset points", ha="center", size=kit.WORDS)
    ax.set(xscale="log", xlabel="λ", ylabel="error (%)", ylim=(0, 60))


def plane(start: tuple[float, float]) -> Figure:
    """The plane of two weights, to draw in: a cross where they start, a dot at 0, and edges of two L1 budgets."""
    fig, ax = plt.subplots(figsize=(6.4, 6.4), subplot_kw={"aspect": "equal"})
    for place, marker, size in (((0, 0), "o", 9), (start, "P", 13)):
        ax.plot(*place, marker, ms=size, color=current().ink)
    for budget in (sum(start), sum(start) / 2):
        ax.plot([0, budget], [budget, 0], color=current().soft, lw=1, zorder=0)
    kit.named(ax, xlim=(-0.04, 0.45), ylim=(-0.04, 0.45), xlabel="weight of business", ylabel="weight of your")
    return fig


def seven_of(points: list[Floats]) -> Floats:
    """Seven of the points on a way, x and y in turn: its ends, where it turns most, and others evenly between."""
    way = np.array(points)
    turn = 1 + int(np.linalg.norm(np.diff(way, 2, axis=0), axis=1).argmax())
    kept = np.concatenate([np.linspace(0, turn, 4), np.linspace(turn, len(way) - 1, 4)[1:]])
    return way[kept.round().astype(int)].ravel()


def meeting(ax: Axes, q: float, minimum: ArrayLike, hessian: ArrayLike, touch: bool = True) -> Floats:
    """All w with |w1|^q + |w2|^q <= 1 and the ellipses of a quadratic risk around its minimum, (2,).

    hessian: (2, 2), of the risk. touch: draw the ellipse that just reaches them, and the point where it does.
    Returns that point, (2,): of all the w inside, the one with the least risk.
    """
    center, H = np.asarray(minimum), np.asarray(hessian)
    circle, edge = kit.unit_circle(2, 14401), kit.unit_circle(q, 14401)
    risk = np.einsum("ij,jk,ik->i", edge - center, H, edge - center)
    found, look = edge[risk.argmin()], current()
    blank(ax, xlim=(-1.6, 2.6), ylim=(-1.2, 3.4), aspect="equal")
    for line in (ax.axhline, ax.axvline):
        line(0, color=look.mixed(0.35), lw=1, zorder=0)
    ax.text(2.6, -0.1, "w₁", color=look.soft, ha="right", va="top", size=kit.WORDS)
    ax.text(-0.08, 3.38, "w₂", color=look.soft, ha="right", va="top", size=kit.WORDS)
    kit.ball(ax, q)
    squares, axes = np.linalg.eigh(H)
    ring = (circle / np.sqrt(squares)) @ axes.T
    for share in (0.66, 0.83, *((1.0,) if touch else ())):
        curve = center + share * np.sqrt(risk.min()) * ring
        ax.plot(*curve.T, color=look.red, lw=2.4 if share == 1 else 1.0)
    ax.plot(*center, marker="+", ms=11, mew=2, color=look.red)
    ax.text(center[0], center[1] - 0.14, "least risk", color=look.red, ha="center", va="top", size=11)
    if touch:
        ax.plot(*found, marker="o", ms=10, color=look.ink, zorder=5)
        word = "w₁ = 0" if abs(found[0]) < 1e-3 else f"({found[0]:.2f}, {found[1]:.2f})"
        kit.label(ax, word, found, None, (-0.3, -1), kit.WORDS)
    return found


def thresholds(ax: Axes, t: float = 1.0) -> None:
    """What a step of size t leaves of a weight: of L2 w / (1 + t), of L1 the soft threshold."""
    look, w = current(), np.linspace(-3, 3, 601)
    kit.named(ax, xlim=(-3, 3), ylim=(-2.3, 2.3), xlabel="weight before", ylabel="weight after")
    ax.plot(w, w, color=look.soft, lw=1)
    ax.plot(w, w / (1 + t), color=look.blue, lw=2.4, ls=DASHED)
    ax.plot(w, np.sign(w) * np.maximum(np.abs(w) - t, 0), color=look.green, lw=3)
    kit.label(ax, "unchanged", (2.05, 2.05), look.soft, (-1, 1), kit.WORDS)
    kit.label(ax, "L2: a fraction\nof what it was", (-2.6, -2.6 / (1 + t)), look.blue, (0.3, 1), kit.WORDS)
    kit.label(ax, "L1: from −t to t\nexactly 0", (0.5 * t, 0), look.green, (0.6, -1), kit.WORDS)


def rods(ax: Axes, x: ArrayLike, y: ArrayLike, free: tuple[float, float], held: tuple[float, float]) -> None:
    """Examples with one feature, x (n,), at the height of their labels, y (n,), and two lines of scores w x + b.

    free: (w, b), drawn solid. held: (w, b) with a penalized bias, drawn dashed. Each is named where it crosses 0.
    """
    places, labels, look = np.asarray(x), np.asarray(y), current()
    kit.named(ax, xlim=(0, 8), ylim=(-1.9, 1.9), yticks=[-1, 0, 1], xlabel="x", ylabel="score f")
    ax.axhline(0, color=look.ink, lw=1)
    lines = ("bias free", free, look.green, 1), ("bias penalized", held, look.violet, -1)
    for (name, (w, b), color, side), dash in zip(lines, ("-", DASHED), strict=True):
        ax.plot([0, 8], [b, 8 * w + b], color=color, lw=2.6, ls=dash)
        ax.plot(-b / w, 0, marker="o", ms=9, color=color, zorder=4)
        kit.label(ax, f"{name}:\nf = 0 at {-b / w:.3g}", (-b / w, 0), color, (side, -side), kit.WORDS)
    for sign in (-1, 1):
        ax.plot(places[labels == sign], labels[labels == sign], ls="", ms=11, **look.classes[int(sign > 0)])


def folds(ax: Axes, k: int = 5) -> None:
    """k rounds, one a row: in each another k-th of the data is held out, and all others train."""
    look, style = current(), dict[str, Any](ha="center", va="center")
    blank(ax, xlim=(0, 1), ylim=(k, 0))
    for row in range(k):
        for part in range(k):
            held = part == row
            color = look.mixed(0.55 if held else 0.2, look.red if held else look.blue)
            left, wide = 0.16 + 0.84 * part / k, 0.82 / k
            ax.add_patch(Rectangle((left, row + 0.1), wide, 0.8, facecolor=color, lw=0))
            if held or row == 0:
                ax.text(left + wide / 2, row + 0.5, "held out" if held else "trains", size=11, **style)
        ax.text(0.07, row + 0.5, f"round {row + 1}", size=11, **style)
