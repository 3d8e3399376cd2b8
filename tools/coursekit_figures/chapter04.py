"""Pictures of chapter 4: a map with walks on it, what a step does in each direction, and lines below a curve."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap
from numpy.typing import ArrayLike

from coursekit.core.validate import Floats
from coursekit.plots.boundary import Extent
from coursekit.plots.marks import DASHED
from coursekit.plots.style import current
from coursekit_figures import kit


def places(extent: Extent, size: int = 300) -> Floats:
    """(rows, size, 2) places all over a map, for `hill`; extent: (x low, x high, y low, y high), one scale for both."""
    width, height = extent[1] - extent[0], extent[3] - extent[2]
    across = np.linspace(extent[0], extent[1], size)
    up = np.linspace(extent[2], extent[3], max(2, round(size * height / width)))
    return np.stack(np.meshgrid(across, up), axis=-1)


def hill(
    ax: Axes, values: ArrayLike, extent: Extent, rings: int = 11, lowest: ArrayLike | None = None, **names: Any
) -> None:
    """A function of two weights from above, lighter is lower; values at `places(extent)`; a star at the lowest point.

    The contour lines are those of equal distance in a round bowl.
    """
    height, look = np.asarray(values), current()
    levels = height.min() + np.ptp(height) * np.linspace(0, 1, rings + 1) ** 2
    shades = LinearSegmentedColormap.from_list("hill", [look.valley, look.summit])
    ax.contourf(height, levels, extent=extent, colors=[shades(k / rings) for k in range(rings)])
    ax.contour(height, levels[1:-1], extent=extent, colors=[look.mixed(0.45)], linewidths=0.6)
    seen = {"xlim": extent[:2], "ylim": extent[2:], "aspect": "equal", "xlabel": "$w_1$", "ylabel": "$w_2$"}
    kit.named(ax, **seen | names)
    if lowest is not None:
        ax.plot(*np.asarray(lowest), "*", ms=13, mfc=look.star, mec=look.ink, zorder=1.9)


def walk(ax: Axes, path: ArrayLike, name: str = "", color: str | None = None, toward: ArrayLike = (0, 1)) -> None:
    """The way of a descent, (K+1, 2), over a map: a square where it starts, and at its end its name."""
    way, look = np.asarray(path), current()
    color = color or look.ink
    ax.plot(*way.T, color=color, lw=1.4, marker="o", ms=3.5, mew=0)
    ax.plot(*way[0], marker="s", ms=9, color=color, mec=look.paper, mew=1)
    ax.plot(*way[-1], marker="o", ms=9, color=look.red, mec=look.paper, mew=1, zorder=4)
    if name:
        kit.label(ax, name, way[-1], color, toward, kit.WORDS)


def downhill(ax: Axes, at: ArrayLike, gradient: ArrayLike, length: float, lowest: ArrayLike) -> None:
    """Minus the gradient at a place, drawn `length` long, and beside it the way to the lowest point; (2,) each."""
    place, slope, end = np.array([at, gradient, lowest], float)
    look, tip = current(), place - length * slope / np.hypot(*slope)
    kit.vector(ax, end, tail=place, color=look.soft, width=1.4, dashed=True)
    kit.vector(ax, tip, tail=place, color=look.red, width=3)
    kit.label(ax, "minus the gradient", tip, look.red, (0.3, -np.sign(slope[1])), kit.WORDS)
    kit.label(ax, "to the lowest point", place + 0.5 * (end - place), look.ink, (0, np.sign(slope[1])), kit.WORDS)


def left_over(X: Floats, y: Floats, steps: int = 200_000) -> Floats:
    """The share of the height above the lowest mean squared loss after each step with the best eta, down to 0.001."""
    Z = np.column_stack([X, np.ones(len(X))])
    a, V = np.linalg.eigh(2 * Z.T @ Z / len(Z))  # curvatures and their directions
    height = a * (np.linalg.lstsq(Z, y)[0] @ V) ** 2  # of the start, 0, in each direction
    left = height / height.sum() @ (1 - 2 * a / (a[0] + a[-1]))[:, None] ** (2 * np.arange(steps))
    return left[: 1 + (left <= 0.001).argmax()]


def still_to_go(ax: Axes, runs: Mapping[str, Floats], y: Floats) -> None:
    """The share of the way that is left after each best step, both on logarithmic axes; runs: name -> X, (n, d)."""
    look = current()
    kit.named(ax, xscale="log", yscale="log", xlabel="steps", ylabel="share still to go", ylim=(1e-3, 3))
    for (name, X), color in zip(runs.items(), (look.blue, look.red, look.green), strict=False):
        share = left_over(X, y)[1:]
        steps = np.arange(1, len(share) + 1)
        ax.plot(steps, share, color=color, lw=2.6, marker="o" if len(steps) < 10 else "", ms=8)
        spot = int((share < 0.5).argmax())
        kit.label(ax, name, (steps[spot], share[spot]), color, (1, 0.5) if spot < 10 else (-1, -1), kit.WORDS)


def validation(ax: Axes, steps: ArrayLike, learned: Floats, others: Floats) -> None:
    """The loss on the examples learned from and on others, (R, K) each: R runs at K step numbers, (K,)."""
    at, look = np.asarray(steps), current()
    kit.named(ax, xscale="log", xlabel="step", ylabel="mean loss", xlim=(at[0], at[-1]), ylim=(0, 1.5))
    for runs, color, word, side in (
        (learned, look.blue, "on the 100 emails", (-1, -1)), (others, look.red, "on all other emails", (-0.3, 1))
    ):
        kit.band(ax, at, runs, color=color)
        middle, spot = np.median(runs, axis=0), int(0.8 * len(at))
        kit.label(ax, word, (at[spot], middle[spot]), color, side, kit.WORDS)
    low = int(middle.argmin())
    ax.plot(at[low], middle[low], marker="o", ms=10, color=look.green, zorder=5)
    kit.label(ax, "stop here", (at[low], middle[low]), look.green, (0, -1), kit.WORDS)


def factors(ax: Axes, curvatures: tuple[float, float], best: float, limit: float) -> None:
    """|1 - eta a| for the least and the greatest curvature, (2,), against eta: where they cross, eta is best."""
    (flat, steep), look = curvatures, current()
    eta = np.linspace(0, 1.25 * limit, 500)
    kit.named(ax, xlim=(0, eta[-1]), ylim=(0, 1.5), xlabel="step size η", ylabel="share left after one step")
    ax.axhspan(1, 1.5, color=look.mixed(0.15, look.red), lw=0)
    for a, color, word, at in ((flat, look.blue, "along the ravine", 0.3), (steep, look.ochre, "across it", 0.155)):
        ax.plot(eta, np.abs(1 - eta * a), color=color, lw=2.6)
        side, gap = ((0, -1), 0.03) if a == flat else ((1, 0), 0)
        spot = at * limit, abs(1 - at * limit * a) - gap
        kit.label(ax, f"{word}: |1 − {'' if a == 1 else f'{a:g}'}η|", spot, color, side, kit.WORDS)
    left = abs(1 - best * flat)
    ax.plot([best], [left], marker="o", ms=10, color=look.green, zorder=5)
    kit.label(ax, f"best: η = {best:g}", (best, left), look.green, (-0.6, 1), kit.WORDS)
    ax.plot([limit, limit], [0, 1], color=look.red, lw=1.4, ls=DASHED)
    kit.label(ax, f"limit: {limit:.4f}", (limit, 0.12), look.red, (1, 0), kit.WORDS)
    kit.label(ax, "above 1: it diverges", (0.35 * limit, 1.25), look.red, (0, 0), kit.WORDS)


def supports(ax: Axes, x: Floats, values: Floats, at: float, slopes: Sequence[float]) -> None:
    """A convex curve, x and values (n,), and lines of these slopes, (s,), that touch it in one place from below."""
    look, height = current(), float(np.interp(at, x, values))
    for slope in slopes:
        ax.plot(x, height + slope * (x - at), color=look.red, lw=1.4, ls=DASHED)
    ax.plot(x, values, color=look.blue, lw=3)
    ax.plot([at], [height], marker="o", ms=10, color=look.ink, zorder=4)
