"""Pictures of chapter 3: springs on a rod, roofs over the zero-one loss, chords, and a count as a staircase."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from coursekit.core.losses import KNOWN
from coursekit.core.validate import Floats
from coursekit.plots.losses import loss_styles
from coursekit.plots.marks import DASHED
from coursekit.plots.style import current
from coursekit_figures import kit

NAMED = {  # the agreement at which a loss is named, and on which side of its curve
    "perceptron": (-1.7, (-1, -1)), "hinge": (-1.4, (1, 1)), "logistic": (0.9, (1, 1)), "squared": (2.6, (-1, 1)),
}


def springs(ax: Axes, x: Floats, y: Floats, slope: float, offset: float) -> None:
    """Least squares in one dimension: a rod, f(x) = slope x + offset, and a spring to it from each label.

    x, y: (n,), an attribute and the labels -1 and +1. The rod is drawn over the limits of the axes, examples beyond
    them not at all; at the dashed line it crosses 0, and there the prediction changes.
    """
    look, ends = current(), np.array(ax.get_xlim())
    ax.axhline(0, color=look.mixed(0.3), lw=1)
    ax.plot(ends, slope * ends + offset, color=look.ochre, lw=4, solid_capstyle="round")
    inside = (x >= ends[0]) & (x <= ends[1])
    for place, goal in zip(x[inside], y[inside], strict=True):
        kit.spring(ax, (place, goal), (place, slope * place + offset), color=look.soft)
    for goal, style in ((-1, look.negative), (1, look.positive)):
        here = inside & (y == goal)
        ax.plot(x[here], y[here], ls="", ms=10, mec=look.paper, zorder=3, **style)
    if slope and ends[0] < -offset / slope < ends[1]:
        ax.axvline(-offset / slope, color=look.ink, lw=1.4, ls=DASHED)


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
    for height, word in ((np.log(2), "leaks: a mistake\ncosts less than 1"), (0.0, "")) if leaks else ():
        ax.plot(0, height, ls="", marker="o", ms=11, mfc="none", mec=look.red, mew=2)
        lead = {"arrowstyle": "-", "color": look.red, "lw": 1, "shrinkB": 7}
        ax.annotate(word, (0, height), (1.1 * side, 2.0), ha="center", color=look.red, size=12, arrowprops=lead)
    ax.text(-1.9 * side, 0.35, "zero-one", ha="center", color=look.ink, size=12)
    for name, (at, (across, up)) in NAMED.items():
        color = look.mixed(0.7) if name == "perceptron" else loss_styles(look)[name]["color"]
        kit.label(ax, name, (side * at, float(KNOWN[name](at))), color, (side * across, up), 11.5)


def chord(ax: Axes, g: Callable[[Floats], Any], a: float, b: float) -> None:
    """The curve g over the limits of the axes with its chord from a to b; the gap between them is shaded.

    Green where the chord lies above the curve, as it does everywhere on a convex one; orange where it dips below.
    """
    look, ends = current(), np.array([a, b], float)
    z = np.sort(np.append(np.linspace(*ax.get_xlim(), 500), [0.0, 1e-9, *ends]))
    ax.plot(z, g(z), color=look.ink, lw=2.6)
    inside = z[(z >= a) & (z <= b)]
    straight, curve = np.interp(inside, ends, g(ends)), g(inside)
    for above, color in ((straight >= curve, look.green), (straight < curve, look.red)):
        shade = look.mixed(0.45, color)
        ax.fill_between(inside, curve, straight, where=above.tolist(), color=shade, lw=0, zorder=1)
    ax.plot(ends, g(ends), color=look.ink, lw=1.4, ls=DASHED, marker="o", ms=6)


def staircase(ax: Axes, at: ArrayLike, mistakes: ArrayLike) -> None:
    """A count, (K,), against what is moved, (K,): flat steps, filled below."""
    look = current()
    ax.fill_between(at, mistakes, step="mid", color=look.mixed(0.22), lw=0, zorder=0.5)
    ax.plot(at, mistakes, drawstyle="steps-mid", color=look.ink, lw=2)
