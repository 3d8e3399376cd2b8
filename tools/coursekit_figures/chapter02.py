"""Pictures of chapter 2: one update, what the mistake bound leaves room for, runs that never end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import PathPatch
from matplotlib.path import Path
from matplotlib.ticker import MaxNLocator
from numpy.typing import ArrayLike

from coursekit.core.datasets import Dataset
from coursekit.core.validate import Floats
from coursekit.plots.marks import DASHED, Plot, show_classes
from coursekit.plots.style import current
from coursekit_figures import kit


def update(ax: Axes, theta: ArrayLike, x: ArrayLike, y: float = 1.0, after: bool = True) -> None:
    """theta and x, (2,) each, the angle between them and the line at right angles to theta; then theta + y x.

    after: False for the picture before the update.
    """
    old, x, look = np.array(theta, float), np.array(x, float), current()
    new, color = old + y * x, look.classes[int(y > 0)]["color"]
    now = new if after else old
    _plane(ax, np.array([(0, 0), old, x, new]), 0.5)
    kinds = ((old, "old line", DASHED), (new, "new line", "-")) if after else ((old, "the line", "-"),)
    for w, name, dash in kinds:
        along = np.array([-w[1], w[0]]) / np.hypot(*w)
        along *= np.sign(along @ x) or 1
        ax.plot(*np.outer([-20, 20], along).T, color=look.soft, lw=1.6, ls=dash)
        kit.label(ax, name, 2.2 * along, look.soft, -w if name == "new line" else w, kit.WORDS)
    kit.vector(ax, old, color=look.soft if after else look.ink, width=1.6 if after else 2.6)
    kit.vector(ax, x, color=color, width=2.2)
    degrees = f"{np.degrees(np.arccos(now @ x / np.hypot(*now) / np.hypot(*x))):.0f}°"
    kit.angle(ax, now, x, "" if after else degrees, radius=30)
    if after:
        kit.vector(ax, new, tail=old, color=color, width=1.4, dashed=True)
        kit.vector(ax, new, color=look.green, width=3.2)
        across = np.array([-old[1], old[0]]) / np.hypot(*old)
        between = x / np.hypot(*x) + (np.sign(across @ x) or 1) * across  # x and the old line
        place = 58 * between / np.hypot(*between)
        ax.annotate(degrees, (0, 0), place, textcoords="offset points", ha="center", va="center", size=kit.WORDS)
        kit.label(ax, "θ + x" if y > 0 else "θ − x", new, look.green, new, kit.WORDS + 2)
    kit.label(ax, "old θ" if after else "θ", old, look.soft if after else None, old, kit.WORDS)
    kit.label(ax, f"x, y = {y:+.0f}", x, color, x, kit.WORDS)


def examples(ax: Axes, data: Dataset) -> None:
    """Two-dimensional data and the names of its classes, and no line."""
    _plane(ax, data.X, 0.12, equal=False, xlabel=data.features[0], ylabel=data.features[1])
    show_classes(Plot(ax).add_classes(ms=9), data.X, data.y)
    _named_classes(ax, data)


def room(ax: Axes, projections: Floats, lengths: Floats, gamma: float, R: float, at: int) -> None:
    """Where theta can be after `at` mistakes: its projection on theta* to the right, what is left of it upward.

    Not longer than R sqrt(k), and its projection not below gamma k. projections, lengths: (K+1,), of theta after
    0, 1, ..., K mistakes. The last room, at k = (R / gamma)^2, is a single point.
    """
    look, end = current(), (R / gamma) ** 2
    far = gamma * end
    kit.named(ax, xlim=(0, 1.16 * far), ylim=(0, 0.82 * far), aspect="equal",
              xlabel="projection of θ on θ*", ylabel="the rest of θ")
    turn = np.linspace(0, np.pi / 2, 200)
    for k in (at, end):
        radius, wall = R * np.sqrt(k), gamma * k
        arc = radius * np.column_stack([np.cos(turn), np.sin(turn)])
        inside = arc[arc[:, 0] >= wall - 1e-9]
        ax.plot(*arc.T, color=look.red, lw=2 if k == at else 1, ls="-" if k == at else DASHED)
        ax.plot([wall, wall], [0, 0.9 * far], color=look.blue, lw=2 if k == at else 1, ls="-" if k == at else DASHED)
        if len(inside) > 1:
            shape = np.vstack([[wall, 0], inside, [wall, inside[-1, 1]]])
            ax.add_patch(PathPatch(Path(shape), facecolor=look.mixed(0.16, look.green), lw=0, zorder=0.5))
    cast, rest = projections, np.sqrt(np.maximum(lengths**2 - projections**2, 0))
    ax.plot(cast[: at + 1], rest[: at + 1], color=look.soft, lw=1, marker="o", ms=5)
    kit.vector(ax, (cast[at], rest[at]), width=2.8)
    kit.shadow(ax, (cast[at], rest[at]), (1, 0), color=look.ochre)
    ax.plot([far], [0], marker="o", ms=10, color=look.green, clip_on=False, zorder=4)
    kit.label(ax, f"θ after\n{at} mistakes", (cast[at] + 0.02 * far, rest[at]), None, (1, 0.6), kit.WORDS)
    kit.label(ax, f"length ≤ R√{at}", R * np.sqrt(at) * np.array([0.26, 0.966]), look.red, (0, 1), kit.WORDS)
    kit.label(ax, f"projection ≥ {at}γ", (gamma * at, 0.6 * far), look.blue, (1, 0), kit.WORDS)
    kit.label(ax, "its projection", (0.6 * cast[at], 0), look.ochre, (0, 1), kit.WORDS)
    middle = R * np.sqrt(at) * np.array([0.82, 0.5])
    kit.label(ax, "room for θ", middle, look.green, (1, 0.6), kit.WORDS)
    kit.label(ax, f"{end:.0f} mistakes:\nno room\nleft", (far, 0), look.green, (-1, 0.6), kit.WORDS)


def corridor(ax: Axes, lengths: Floats, gamma: float, R: float, count: str = "k", most: str = "R√k",
             of: str = "θ") -> None:
    """||theta|| after 0, 1, ..., K mistakes, lengths (K+1,), between gamma k and R sqrt(k), which meet.

    count, most, of: how the text writes k, R sqrt(k) and theta.
    """
    look, end, made = current(), (R / gamma) ** 2, len(lengths) - 1
    k = np.linspace(0, 1.25 * end, 300)
    kit.named(ax, xlim=(0, 1.25 * end), ylim=(0, 1.25 * gamma * end), xlabel=f"mistakes {count}", ylabel="length")
    ax.fill_between(k, gamma * k, R * np.sqrt(k), where=(k <= end).tolist(), color=look.mixed(0.16, look.green), lw=0)
    ax.plot(k, R * np.sqrt(k), color=look.red)
    ax.plot(k, gamma * k, color=look.blue)
    ax.plot(lengths, ls="-", lw=1, marker="o", ms=7, color=look.ink)
    ax.plot([end, end], [0, gamma * end], color=look.green, lw=1.4, ls=DASHED)
    ax.plot([end], [gamma * end], marker="o", ms=11, color=look.green)
    kit.label(ax, f"longest {of} can be:\n{most}", (0.35 * end, R * np.sqrt(0.35 * end)), look.red, (-1, 1), kit.WORDS)
    kit.label(ax, f"shortest {of} can be:\n{count}γ", (0.65 * end, 0.65 * gamma * end), look.blue, (1, -1), kit.WORDS)
    kit.label(ax, f"length of {of}:\n{made} mistakes, then none", (made, lengths[-1]), None, (1, -1), kit.WORDS)
    kit.label(ax, f"they meet: {count} = {end:.3g}", (end, gamma * end), look.green, (-0.2, 1), kit.WORDS)


def against_gap(ax: Axes, gaps: ArrayLike, mistakes: ArrayLike, bounds: Floats) -> None:
    """Runs on data with a gap: gaps (G,), mistakes (G, R) of R runs each, bounds (G, R), on logarithmic axes."""
    gap, made, bound, look = np.asarray(gaps), np.asarray(mistakes), np.mean(bounds, axis=1), current()
    kit.named(ax, xscale="log", yscale="log", xlabel="gap between the clouds", ylabel="mistakes")
    single = np.repeat(gap, made.shape[1]), made.ravel()
    ax.plot(*single, ls="", marker="o", ms=4, color=look.mixed(0.4), alpha=0.6, mew=0)
    mean = made.mean(axis=1)
    ax.plot(gap, mean, color=look.ink, lw=2.6, marker="o", ms=8)
    median = np.median(made, axis=1)
    ax.plot(gap, median, color=look.ink, lw=1.6, ls=DASHED)
    ax.plot(gap, bound, color=look.red, lw=2.2)
    ax.set_xticks(gap, [f"{g:g}" for g in gap], minor=False)
    ax.minorticks_off()
    small, one = int(gap.argmin()), int(gap.argsort()[1])
    kit.label(ax, "mistake bound:\n× 4 for half the gap", (gap[one], bound[one]), look.red, (1, 1), kit.WORDS)
    kit.label(ax, "mean of the runs:\nabout × 2", (gap[one], mean[one]), None, (1, 1), kit.WORDS)
    between = np.sqrt(gap[small] * gap[one]), np.sqrt(median[small] * median[one])
    kit.label(ax, "their median", between, None, (0, -1), kit.WORDS)
    kit.label(ax, "single runs", (gap[small], made[small].max()), look.soft, (1, 0), kit.WORDS)


def passes(ax: Axes, errors: ArrayLike, best: int, kept: ArrayLike | None = None) -> None:
    """Errors after each epoch, (P,), the fewest that any line makes, and the errors of the best theta so far, (P,)."""
    now, look = np.asarray(errors), current()
    at = np.arange(1, len(now) + 1)
    kit.named(ax, xlim=(0, len(now) + 1), ylim=(0, 1.15 * now.max()), xlabel="epoch", ylabel="emails on the wrong side")
    ax.yaxis.set_major_locator(MaxNLocator(integer=True))
    ax.plot(at, now, color=look.soft, lw=1, marker="o", ms=4)
    ax.axhline(best, color=look.red, ls=DASHED, lw=1.6)
    top = int(now.argmax())
    kit.label(ax, "θ at the end of the epoch", (at[top], now[top]), look.soft, (1, 1), kit.WORDS)
    kit.label(ax, f"the best line there is: {best}", (0.72 * len(now), best), look.red, (0, -1), kit.WORDS)
    if kept is not None:
        held = np.asarray(kept)
        ax.plot(at, held, color=look.green, lw=3, drawstyle="steps-post")
        at_name = 3 * len(now) // 10
        between = (held[at_name] + best) / 2  # room for a word there is only below both
        kit.label(ax, "in the pocket", (at_name, between), look.green, (0, -1), kit.WORDS)


def crossing(ax: Axes, data: Dataset, examples: Sequence[int]) -> None:
    """Data with a segment between the two negative ones of four `examples`, and one between the two positive ones.

    Where the segments cross no line can separate the classes.
    """
    look = current()
    _plane(ax, data.X, 0.06, equal=False, xlabel=data.features[0], ylabel=data.features[1])
    show_classes(Plot(ax).add_classes(ms=6, alpha=0.35), data.X, data.y)
    for sign, style in zip((-1, 1), look.classes, strict=False):
        pair = data.X[[i for i in examples if data.y[i] == sign]]
        ax.plot(*pair.T, lw=3, ms=8, mec=look.ink, **style)
    x, y = pair.mean(axis=0)
    ax.plot(x, y, marker="o", ms=8, color=look.ink, zorder=5)
    ax.annotate("the midpoint of\nboth segments", (x, y), (0.02, 0.5), textcoords="axes fraction", ha="left",
                size=kit.WORDS, arrowprops={"arrowstyle": "-", "color": look.soft})
    _named_classes(ax, data)


def orders(ax: Axes, counts: ArrayLike, given: int) -> None:
    """How many runs in random orders made how many mistakes, counts (R,); `given`: with one class before the other."""
    made, look = np.asarray(counts), current()
    kit.named(ax, xlabel="mistakes until the line is right", ylabel="runs")
    tops, edges, _ = ax.hist(made, bins=np.arange(0, made.max() + 5, 5).tolist(), color=look.mixed(0.35, look.blue))
    high = 1.25 * float(np.max(tops))
    ax.set(xlim=(0, 1.05 * edges[-1]), ylim=(0, high))
    mean = float(made.mean())
    named = (mean, f"mean: {mean:.0f}", look.ink, -1), (given, f"all ham first: {given}", look.red, 1)
    for x, word, color, side in named:
        ax.plot([x, x], [0, 0.85 * high], color=color, lw=2)
        kit.label(ax, word, (x, 0.85 * high), color, (side, 1), kit.WORDS)


def _named_classes(ax: Axes, data: Dataset) -> None:
    """The name of each class beside its example that is furthest from the other class."""
    across = (data.X[data.y > 0].mean(axis=0) - data.X[data.y < 0].mean(axis=0)) / data.X.var(axis=0)
    for name, sign in zip(data.classes, (-1, 1), strict=True):
        members = data.X[data.y == sign]
        far = members[(sign * members @ across).argmax()]
        kit.label(ax, name, far, current().classes[int(sign > 0)]["color"], (sign, 0.3), kit.WORDS)


def _plane(ax: Axes, points: Floats, margin: float, equal: bool = True, **settings: Any) -> None:
    """Limits that hold the points; margin: around them, in units where `equal`, else as a share of their spread."""
    low, high = points.min(axis=0), points.max(axis=0)
    space = np.full(2, margin) if equal else margin * (high - low)
    (x0, y0), (x1, y1) = low - space, high + space
    kit.named(ax, xlim=(x0, x1), ylim=(y0, y1), **settings)
    if equal:
        lacking = (y1 - y0) * ax.bbox.width / ax.bbox.height - (x1 - x0)
        ax.set(xlim=(x0 - lacking / 2, x1 + lacking / 2), aspect="equal")
        ax.axhline(0, color=current().mixed(0.2), lw=1, zorder=0)
        ax.axvline(0, color=current().mixed(0.2), lw=1, zorder=0)
