"""Pictures of chapter 5: what single examples pull, how noise shrinks, what steps, orders and workers make of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Circle, Polygon
from numpy.typing import ArrayLike

from coursekit.core.validate import Floats
from coursekit.plots.boundary import Extent
from coursekit.plots.landscape import Landscape
from coursekit.plots.marks import DASHED, blank
from coursekit.plots.style import current
from coursekit_figures import kit

WEIGHTS = {"xlabel": "θ₁: exclamation marks", "ylabel": "θ₂: run of capitals"}


def pulls(ax: Axes, arrows: ArrayLike, mean: ArrayLike) -> None:
    """What single examples pull, (n, 2), from one point, and the mean of all, (2,); those that lead uphill are dark."""
    fan, middle, look = np.asarray(arrows), np.asarray(mean), current()
    low, high = np.quantile(fan, [0.02, 0.97], axis=0) + np.array([[-0.3], [0.3]])
    kit.named(ax, xlim=(low[0], high[0]), ylim=(low[1], high[1]), **WEIGHTS)
    _equal(ax)
    along = np.array([-middle[1], middle[0]]) / np.hypot(*middle)
    corners = 30 * np.array([along, along - middle / np.hypot(*middle), -along - middle / np.hypot(*middle), -along])
    ax.add_patch(Polygon(corners, facecolor=look.mixed(0.13, look.ochre), lw=0, zorder=0.4))
    ax.plot(*np.outer([-30, 30], along).T, color=look.ochre, lw=1.2, ls=DASHED, zorder=0.6)
    uphill = fan @ middle < 0
    for arrow, up in zip(fan, uphill, strict=True):
        kit.vector(ax, arrow, color=look.ochre if up else look.soft, width=1.2 if up else 0.8)
    kit.vector(ax, middle, color=look.green, width=4).set_zorder(5)
    ax.plot(0, 0, marker="o", ms=7, color=look.ink)
    inside: dict[str, Any] = {"textcoords": "axes fraction", "size": kit.WORDS}
    ax.annotate("the mean\nof all", (middle[0], middle[1]), (0.99, 0.16), ha="right", va="center", color=look.green,
                arrowprops={"arrowstyle": "-", "color": look.green, "shrinkB": 3}, **inside)
    ax.annotate(f"uphill:\n{np.sum(uphill)} of {len(fan)}", (0, 0), (0.03, 0.05), color=look.ochre, **inside)


def noise(ax: Axes, clouds: Mapping[int, Floats], mean: ArrayLike) -> None:
    """Mean pulls of b drawn examples, (R, 2) by b, around the mean of all, (2,): each cloud with its ring."""
    middle, widest, look = np.asarray(mean), next(iter(clouds.values())), current()
    reach = 1.15 * np.sqrt(np.mean(np.sum((widest - middle) ** 2, axis=1)))
    kit.named(ax, xlim=middle[0] + [-1.4 * reach, 1.4 * reach], ylim=middle[1] + [-reach, reach], **WEIGHTS)
    _equal(ax)
    sides = (look.soft, (0, 1)), (look.blue, (-1, 1)), (look.violet, (1, -1)), (look.red, (-1, -1))
    for (b, cloud), (color, side) in zip(clouds.items(), sides, strict=False):
        _named_cloud(ax, cloud, f"{b} email" + "s" * (b > 1), color, side)
    kit.vector(ax, middle, color=look.green, width=3.4).set_zorder(5)
    ax.plot(0, 0, marker="o", ms=6, color=look.ink)
    kit.label(ax, "θ", (0, 0), None, (-1, -1), kit.WORDS)


def landscape(ax: Axes, values: Floats, extent: Extent, step: Sequence[ArrayLike], goal: ArrayLike) -> None:
    """A risk over two weights, its values at Landscape.points(extent), and one step, (2, 2), from row 0 to row 1.

    goal: (2,), a star where the risk of all examples is lowest.
    """
    (start, end), at = np.asarray(step), np.asarray(goal)
    Landscape(ax, extent).ground.set_values(values)
    kit.named(ax, xlabel="θ₁", ylabel="θ₂", xticks=[], yticks=[])
    ax.plot(*start, marker="s", ms=8, color=current().ink)
    kit.vector(ax, end, tail=start, color=current().red, width=2.6)
    ax.plot(*at, marker="*", ms=15, color=current().star, mec=current().ink)
    kit.label(ax, "lowest for all", at, None, (0, 1))


def race(ax: Axes, stochastic: tuple[ArrayLike, ArrayLike], full: tuple[ArrayLike, ArrayLike], n: int) -> None:
    """Risk against examples read: (K,) each, for single examples and for steps that read all n."""
    (read, risk), (at, steps), look = np.asarray(stochastic), np.asarray(full), current()
    kit.named(ax, xscale="log", xlim=(read[0], at[-1] * 1.3), ylim=(0, 1.05), xlabel="emails read", ylabel="risk")
    ax.xaxis.set_major_formatter(_thousands)
    ax.axvline(n, color=look.soft, lw=1.2, ls=DASHED)
    kit.label(ax, "every email\nread once", (n, 0.75), look.soft, (1, 0), kit.WORDS)
    ax.plot(np.append(read[0], at), np.append(1.0, steps), color=look.blue, lw=2, drawstyle="steps-post")
    ax.plot(at, steps, ls="", color=look.blue, marker="o", ms=7)
    ax.plot(read, risk, color=look.red, lw=2.4)
    if (steps <= risk[-1]).any():
        equal = int((steps <= risk[-1]).argmax())
        ax.annotate("", (at[equal], 0.09), (n, 0.09), arrowprops={"arrowstyle": "<->", "color": look.ink, "lw": 1.6})
        ax.plot([at[equal]] * 2, [0.06, steps[equal]], color=look.soft, lw=1.2, ls=DASHED)
        ax.text(np.sqrt(n * at[equal]), 0.03, f"× {at[equal] / n:.0f}", ha="center", va="center", size=kit.WORDS)
    kit.label(ax, f"{n} emails\na step", (np.sqrt(read[0] * n), 1.0), look.blue, (0, -1), kit.WORDS)
    k = int(np.searchsorted(read, np.sqrt(read[0] * n)))
    kit.label(ax, "one email\na step", (read[k], risk[k]), look.red, (0, -1), kit.WORDS)


def ways(ax: Axes, swings: Mapping[str, tuple[float, float]]) -> None:
    """For each way the lowest and the highest number of errors, (2,), as a bar between them."""
    look = current()
    for row, (name, (low, high)) in enumerate(reversed(list(swings.items()))):
        ax.plot([low, high], [row, row], lw=13, color=look.mixed(0.45, look.blue), solid_capstyle="butt")
        ax.text(low - 0.3, row, f"{low:.1f}", ha="right", va="center", size=kit.WORDS - 1)
        ax.text(high + 0.3, row, f"{high:.1f}", ha="left", va="center", size=kit.WORDS - 1)
        ax.text(0, row + 0.33, name, ha="left", va="bottom", size=kit.WORDS)
    kit.named(ax, ylim=(-0.6, len(swings) - 0.2), xlim=(0, 19), xticks=range(0, 20, 5), yticks=[],
              xlabel="errors on the 36 emails,\nfrom the best epoch to the worst")
    ax.spines["left"].set_visible(False)


def bottoms(ax: Axes, values: Floats, extent: Extent, lowest: ArrayLike, clouds: Mapping[str, Floats]) -> None:
    """Where runs are that have long been at the bottom, (R, 2) by name, on the map of the risk."""
    look, at = current(), np.asarray(lowest)
    Landscape(ax, extent).ground.set_values(values)
    kit.named(ax, **WEIGHTS)
    sides = (0.6, 1), (0.6, -1), (-1, -0.6)
    for (name, cloud), color, side in zip(clouds.items(), (look.red, look.blue, look.violet), sides, strict=True):
        _named_cloud(ax, cloud, name, color, side)
    ax.plot(*at, marker="*", ms=17, color=look.star, mec=look.ink, zorder=6)


def nearer(ax: Axes, theta: ArrayLike, steps: ArrayLike) -> None:
    """theta, (2,), seen from theta* = 0, and two steps that examples may make of it, (2, 2); half of each as a dot.

    The numbers are squared distances. A step that ends inside the circle comes nearer to theta*.
    """
    at, look = np.asarray(theta), current()
    far, ends = float(np.hypot(*at)), at + np.asarray(steps)
    every = np.array([at, *ends, (0, 0)])
    low, high = every.min(axis=0) - 0.8, every.max(axis=0) + np.array([1.6, 0.8])
    blank(ax, xlim=(low[0], high[0]), ylim=(low[1], high[1]))
    _equal(ax)
    ax.add_patch(Circle((0, 0), far, facecolor=look.mixed(0.12, look.green), edgecolor=look.green, lw=1.6, zorder=0.5))
    ax.plot(*np.array([(0, 0), at]).T, color=look.soft, lw=1.6)
    kit.label(ax, f"{far**2:g}", 0.62 * at, look.soft, (at[1], -at[0]), kit.WORDS)
    for end, color, word in zip(ends, (look.blue, look.red), ("half a step:\n", ""), strict=True):
        ax.plot(*np.array([(0, 0), end]).T, color=color, lw=1.2, ls=DASHED)
        kit.vector(ax, end, tail=at, color=color, width=3)
        ax.plot(*(at + end) / 2, marker="o", ms=9, mfc=look.paper, mec=color, mew=2, zorder=5)
        kit.label(ax, f"{end @ end:g}", end, color, end - at, kit.WORDS)
        half, aside = (at + end) / 2, np.array([(at - end)[1], (end - at)[0]])
        kit.label(ax, f"{word}{half @ half:g}", half, color, aside if aside[1] > 0 else -aside, kit.WORDS - 1)
    ax.plot(0, 0, marker="*", ms=18, color=look.star, mec=look.ink)
    ax.plot(*at, marker="s", ms=9, color=look.ink)
    ax.text(0.62 * far, 0.06 * far, "inside: nearer", ha="center", va="center", size=kit.WORDS - 1, color=look.green)
    ax.annotate("θ*", (0, 0), (-10, 0), textcoords="offset points", ha="right", va="center", size=kit.WORDS + 2)
    kit.label(ax, "θ", at, None, (0, 1), kit.WORDS + 2)


def schedules(ax: Axes, k: ArrayLike, above: Mapping[str, Floats]) -> None:
    """How far above the lowest risk runs are after k steps, (K,) each by the name of their step sizes, on log axes."""
    at, look = np.asarray(k), current()
    kit.named(ax, xscale="log", yscale="log", xlim=(at[0], 1.1 * at[-1]), xlabel="steps taken",
              ylabel="risk above the lowest")
    ax.xaxis.set_major_formatter(_thousands)
    ax.yaxis.set_major_formatter("{x:g}")
    j, colors = int(0.8 * len(at)), (look.blue, look.red, look.violet, look.green, look.ochre)
    for (name, height), color in zip(above.items(), colors, strict=False):
        ax.plot(at, height, color=color, lw=2.6)
        crowded = any(height[j] < other[j] < 2 * height[j] for other in above.values())
        kit.label(ax, name, (at[j], height[j]), color, (0, -1) if crowded else (0, 1), kit.WORDS)


def orders(ax: Axes, epochs: Floats, errors: Mapping[str, Floats]) -> None:
    """Errors on new examples, (K,) by the name of the order, against the epochs read, (K,)."""
    at, look = epochs, current()
    top = max(float(np.max(row)) for row in errors.values())
    kit.named(ax, xlim=(at[0], at[-1]), ylim=(0, 1.12 * top), xlabel="epochs", ylabel="test error (%)")
    for (name, height), color, toward in zip(errors.items(), (look.red, look.blue), ((0, 1), (0, -1)), strict=True):
        ax.plot(at, height, color=color, lw=1.8)
        j = int(height.argmax()) if toward[1] > 0 else len(at) // 2
        kit.label(ax, name, (at[j], height[j]), color, toward, kit.WORDS)


def batches(axes: Sequence[Axes], read: ArrayLike, risks: Mapping[int, Floats]) -> None:
    """Risk after `read` examples, (K,), by the size of the batch: against the steps taken, and against the examples."""
    at, look = np.asarray(read), current()
    for (b, height), color, mark in zip(risks.items(), (look.red, look.violet, look.green), "osD", strict=True):
        for ax, x in zip(axes, (at / b, at), strict=True):
            dash = DASHED if b == 10 else "-"  # it lies on another
            ax.plot(x, height, color=color, lw=1.8, ls=dash, marker=mark, ms=8, mfc=look.paper, mew=1.8)
        kit.label(axes[0], f"b = {b}", ((at / b)[0], height[0]), color, (1, 1), kit.WORDS)
    for ax, words in zip(axes, ("steps taken", "emails read"), strict=True):
        kit.named(ax, xscale="log", ylim=(0, 0.35), xlabel=words)
        ax.xaxis.set_major_formatter(_thousands)
    kit.named(axes[0], ylabel="risk")


def _cloud(ax: Axes, at: Floats, color: str) -> Floats:
    """A pale cloud and, on top of it, the ellipse that is as far out as the dots typically are; its points."""
    ax.plot(*at.T, ls="", marker="o", ms=2.6, mew=0, color=current().mixed(0.5, color))
    squares, turned = np.linalg.eigh(np.cov(at.T))
    shape = turned * np.sqrt(2 * squares)  # of the unit circle: an ellipse as far out as the dots, in the mean square
    around = np.linspace(0, 2 * np.pi, 361)
    ring = at.mean(axis=0) + np.column_stack([np.cos(around), np.sin(around)]) @ shape.T
    ax.plot(*ring.T, color=color, lw=2.8, zorder=4)
    return np.asarray(ring)


def _named_cloud(ax: Axes, at: Floats, name: str, color: str, side: tuple[float, float]) -> None:
    """A cloud with its name on one side of its ring."""
    ring, away = _cloud(ax, at, color), np.array(side) / np.hypot(*side)
    edge = ring[(ring @ away).argmax()]
    kit.label(ax, name, edge + 0.06 * (edge - at.mean(axis=0)), color, away, kit.WORDS)


def _thousands(x: float, _: object) -> str:
    """1000 and 10,000, as the text writes them."""
    return f"{x:,.0f}" if x >= 10_000 else f"{x:g}"


def _equal(ax: Axes) -> None:
    """One scale both ways: the limits grow to fill the axes."""
    (x0, x1), (y0, y1), shape = ax.get_xlim(), ax.get_ylim(), ax.bbox.width / ax.bbox.height
    wide, high = max(0.0, (y1 - y0) * shape - (x1 - x0)) / 2, max(0.0, (x1 - x0) / shape - (y1 - y0)) / 2
    ax.set(xlim=(x0 - wide, x1 + wide), ylim=(y0 - high, y1 + high), aspect="equal")
