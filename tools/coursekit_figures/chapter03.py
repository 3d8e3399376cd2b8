"""Pictures of chapter 3: springs on a rod, lines that turn, roofs over the zero-one loss, chords, a count as stairs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from coursekit.core.losses import KNOWN
from coursekit.core.validate import Floats
from coursekit.plots.losses import loss_styles
from coursekit.plots.marks import DASHED
from coursekit.plots.style import current
from coursekit_figures import kit

SHOWN = {"squared": "least squares", "hinge": "hinge", "logistic": "logistic"}
NAMED = {  # the agreement at which a loss is named, and on which side of its curve
    "perceptron": (-1.7, (-1, -1)), "hinge": (-1.4, (1, 1)), "logistic": (0.9, (1, 1)), "squared": (2.6, (-1, 1)),
}


def rod(runs: Floats, labels: Floats) -> Figure:
    """The least squares rod through labels -1 and +1 at runs of capitals up to 80, and the rod without longer ones."""
    fig, ax = plt.subplots(figsize=(9, 4))
    near, (a, b) = runs <= 80, np.polyfit(runs, labels, 1)
    ax.set(xlim=(0, 80), ylim=(-1.9, 1.9), yticks=[-1, 1], xlabel="longest run of capitals", ylabel="score f")
    for far in runs[~near]:
        ax.plot([0, 80], np.polyval(np.polyfit(runs[near], labels[near], 1), [0, 80]), "--", color=current().soft)
        ax.text(66, 1.7, "before", ha="right", color=current().soft, size=12)
        ax.annotate("", (80, 1), (68, 1), arrowprops={"arrowstyle": "->", "lw": 2, "color": current().red})
        ax.text(79, -0.95, f"new spam\nat {far:g}, rod\nthere at {a * far + b:.2f}", ha="right", size=12)
    springs(ax, runs, labels, a, b)
    ax.text(-b / a + 1.5, -1.7, f"f = 0 at {-b / a:.0f}", size=12)
    ax.text(2, -1.45, "ham", color=current().blue, size=12)
    ax.text(45, 1.2, "spam", ha="center", color=current().red, size=12)
    return fig


def springs(ax: Axes, x: Floats, y: Floats, slope: float, offset: float) -> None:
    """Least squares in one dimension: a rod, f(x) = slope x + offset, and a spring to it from each label.

    x, y: (n,), an attribute and the labels -1 and +1. The rod is drawn over the limits of the axes, examples beyond
    them not at all; at the dashed line it crosses 0, and there the prediction changes.
    """
    look, ends = current(), np.array(ax.get_xlim())
    ax.axhline(0, color=look.mixed(0.3), lw=1)
    ax.plot(ends, slope * ends + offset, color=look.violet, lw=4, solid_capstyle="round")
    inside = (x >= ends[0]) & (x <= ends[1])
    for place, goal in zip(x[inside], y[inside], strict=True):
        kit.spring(ax, (place, goal), (place, slope * place + offset), color=look.soft)
    for goal, style in zip((-1, 1), look.classes, strict=False):
        here = inside & (y == goal)
        ax.plot(x[here], y[here], ls="", ms=10, mec=look.paper, zorder=3, **style)
    if slope and ends[0] < -offset / slope < ends[1]:
        ax.axvline(-offset / slope, color=look.ink, lw=1.4, ls=DASHED)


def plane(ax: Axes, X: Floats, y: Floats, lines: Mapping[str, Floats], far: str) -> None:
    """Emails, and the lines that losses have found; hollow: wrong by the first line.

    X, y: (n, 2) and (n,); the last is told by an arrow at the rim with the words `far`. lines: theta, (3,), by the
    name of the loss, which is written in with the number of the others that this line gets wrong.
    """
    look, ends = current(), np.array([-0.12, 2.9])
    ax.set(xlim=ends, ylim=(-0.05, 3.25), xlabel="exclamation marks (%)", ylabel="longest run of capitals (log10)")
    wrong = {name: y[:-1] * (X[:-1] @ theta[:2] + theta[2]) <= 0 for name, theta in lines.items()}
    for style, label in zip(look.classes, (-1, 1), strict=False):
        for hollow in (False, True):
            here = (y[:-1] == label) & (next(iter(wrong.values())) == hollow)
            fill, edge, width = (look.paper, style["color"], 1.8) if hollow else (style["color"], look.paper, 0.0)
            ax.plot(*X[:-1][here].T, ls="", ms=8, marker=style["marker"], mfc=fill, mec=edge, mew=width, zorder=2.5)
    for k, (name, (w1, w2, b)) in enumerate(lines.items()):
        color = loss_styles(look)[name]["color"]
        ax.plot(ends, -(w1 * ends + b) / w2, color=color, lw=2.8)
        ax.text(2.85, 3.05 - 0.2 * k, f"{SHOWN[name]}: {wrong[name].sum()} wrong", ha="right", color=color, size=12)
    color = look.classes[int(y[-1] > 0)]["color"]
    ax.annotate("", (2.9, X[-1, 1]), (2.6, X[-1, 1]), arrowprops={"arrowstyle": "-|>", "lw": 2.4, "color": color})
    ax.text(2.85, X[-1, 1] - 0.1, far, ha="right", va="top", color=color, size=12)


def roofs(ax: Axes, y: float | None = None, leaks: bool = False) -> None:
    """The five losses over the limits of the axes: the zero-one loss filled, the others as roofs above it.

    y: None for losses of the agreement z; +1 or -1 for losses of the score f of an example with this label.
    leaks: ring the two places at which a loss falls below the zero-one loss.
    """
    look, side = current(), 1.0 if y is None else float(y)
    low, high = sorted(side * np.array(ax.get_xlim()))
    z = np.sort(np.append(np.linspace(low, high, 400), [0.0, 1e-9, 1.0]))
    ax.fill_between(side * z, KNOWN["zero_one"](z), color=look.mixed(0.22), lw=0, zorder=0.5)
    for name, style in loss_styles(look).items():
        ax.plot(side * z, KNOWN[name](z), color=style["color"], ls=style["ls"], lw=2.6)
    for height, word in ((np.log(2), "leaks: an error\ncosts less than 1"), (0.0, "")) if leaks else ():
        ax.plot(0, height, ls="", marker="o", ms=11, mfc="none", mec=look.red, mew=2)
        lead = {"arrowstyle": "-", "color": look.red, "lw": 1, "shrinkB": 7}
        ax.annotate(word, (0, height), (1.1 * side, 2.0), ha="center", color=look.red, size=12, arrowprops=lead)
    ax.text(-1.9 * side, 0.35, "zero-one", ha="center", color=look.ink, size=12)
    for name, (at, (across, up)) in NAMED.items():
        color = look.mixed(0.7) if name == "perceptron" else loss_styles(look)[name]["color"]
        kit.label(ax, name, (side * at, float(KNOWN[name](at))), color, (side * across, up), 11.5)


def chord(ax: Axes, g: Callable[[Floats], Any], a: float, b: float) -> None:
    """The curve g over the limits of the axes with its chord from a to b; the gap between them is shaded.

    Light where the chord lies above the curve, as it does everywhere on a convex one; dark where it dips below.
    """
    look, ends = current(), np.array([a, b], float)
    z = np.sort(np.append(np.linspace(*ax.get_xlim(), 500), [0.0, 1e-9, *ends]))
    ax.plot(z, g(z), color=look.ink, lw=2.6)
    inside = z[(z >= a) & (z <= b)]
    straight, curve = np.interp(inside, ends, g(ends)), g(inside)
    for above, share in ((straight >= curve, 0.16), (straight < curve, 0.6)):
        ax.fill_between(inside, curve, straight, where=above.tolist(), color=look.mixed(share), lw=0, zorder=1)
    ax.plot(ends, g(ends), color=look.ink, lw=1.4, ls=DASHED, marker="o", ms=6)
    for name, at, side in (("a", a, (-1, -0.5)), ("b", b, (1, -0.5))):
        kit.label(ax, name, (at, float(g(np.array([at]))[0])), None, side, 13)


def bowl(ax: Axes, ends: Floats, heights: Callable[[Floats], Floats], lowest: Floats, cut: Floats) -> None:
    """A function of two weights as a map with contour lines, its lowest place as a star, and a segment across it.

    heights: of (K, 2) weights. ends: (2,), of both axes. lowest: (2,). cut: (2, 2), the ends of the segment.
    """
    look, side = current(), np.linspace(ends[0], ends[1], 121)
    grid = np.stack(np.meshgrid(side, side), axis=-1)
    map_ = heights(grid.reshape(-1, 2)).reshape(grid.shape[:2])
    levels = np.quantile(map_, np.linspace(0, 1, 11))
    shades = [look.mixed(share) for share in np.linspace(0.02, 0.34, 10)]
    ax.contourf(side, side, map_, levels, colors=shades)
    ax.contour(side, side, map_, levels, colors=look.soft, linewidths=0.8)
    ax.plot(*cut.T, color=look.ink, lw=1.4, ls=DASHED, marker="o", ms=6)
    ax.plot(*lowest, "*", ms=13, mfc=look.star, mec=look.ink, zorder=1.9)
    for name, at, toward in zip("ab", cut, ((-1, 1), (1, 1)), strict=True):
        kit.label(ax, name, at, None, toward, 13)
    ax.text(0.03, 0.04, "grayer: costs more", size=11, transform=ax.transAxes)
    ax.set(xlim=ends, ylim=ends, aspect="equal", xlabel="weight θ1", ylabel="weight θ2")


def stairs(X: Floats, y: Floats) -> Figure:
    """Errors, as stairs, and a quarter of the squared losses while a line is shifted, left, and turned, right."""
    look, color = current(), loss_styles(current())["squared"]["color"]
    fig, axes = plt.subplots(1, 2, figsize=(9, 4.2), sharey=True)
    c, turn = np.linspace(1.25, 2.2, 1901), np.linspace(0, 90, 1801)
    w = 1.4 * np.column_stack([np.cos(np.radians(turn)), np.sin(np.radians(turn))])
    shifted, turned = np.column_stack([np.ones((len(c), 2)), -c]), np.column_stack([w, -w @ [0.35, 1.35]])
    names = "shift: the line x1 + x2 = c", "turn: direction of theta, degrees"
    for ax, at, lines, name in zip(axes, (c, turn), (shifted, turned), names, strict=True):
        z = y * (lines[:, :2] @ X.T + lines[:, 2:])
        ax.fill_between(at, np.sum(z <= 0, axis=1), step="mid", color=look.mixed(0.22), lw=0, zorder=0.5)
        ax.plot(at, np.sum(z <= 0, axis=1), drawstyle="steps-mid", color=look.ink, lw=2)
        ax.plot(at, np.sum((1 - z) ** 2, axis=1) / 4, color=color, ls=":", lw=3)
        ax.set(xlabel=name, ylim=(0, 11), xlim=(at[0], at[-1]))
    axes[0].plot(2.03, 7, "o", color=look.ink, ms=9)
    axes[0].annotate("which way?", (2.03, 7.2), (1.9, 9.7), ha="center", size=12, arrowprops={"arrowstyle": "-"})
    axes[0].text(1.75, 1.5, "errors", ha="center", size=12)
    axes[1].text(50, 7.5, "squared losses / 4", ha="center", color=color, size=12)
    axes[0].set_ylabel("sum over 36 emails")
    return fig
