"""Pictures of chapter 8: the street with its lengths, who holds it, stakes and their bound, a street that bends."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Polygon
from numpy.typing import ArrayLike

from coursekit.core.validate import Floats
from coursekit.plots.boundary import Extent, line_ends, seen
from coursekit.plots.marks import DASHED, Plot, show_classes
from coursekit.plots.style import current
from coursekit_figures import kit


def street(
    ax: Axes, X: ArrayLike, y: ArrayLike, theta: ArrayLike, extent: Extent, shadow: int, late: Sequence[int] = ()
) -> None:
    """The street |f| <= 1 of theta, (3,), offset last, with its lengths written where they are.

    X: (n, 2). y: (n,), labels -1 and +1. extent: (x low, x high, y low, y high), on one scale. shadow: the example
    whose way from the line is drawn, its shadow on w. late: examples whose slack is drawn, from each to its edge.
    """
    points, labels, line = _paved(ax, X, y, theta, extent)
    look, w, b = current(), line[:2], line[2]
    length, across = float(np.hypot(*w)), w / (w @ w)
    middle = seen(ax, _ends(ax, line))
    tail, brace = middle[int(0.12 * len(middle))], middle[int(0.62 * len(middle))]
    kit.vector(ax, tail + w, tail=tail)
    kit.label(ax, "w", tail + w, None, across, kit.WORDS)
    kit.brace(ax, brace + across, brace, f"1/‖w‖ = {1 / length:.3g}")
    for sign, color in ((1, look.red), (0, look.ink), (-1, look.blue)):
        name = f"f = {sign:+d}".replace("-", "−") if sign else "f = 0"
        at = seen(ax, _ends(ax, line) + sign * across)[0 if sign < 0 else -1]
        kit.label(ax, name, at, color, (sign or 0.3) * across, kit.WORDS)
    far = float(points[shadow] @ w + b)
    foot = points[shadow] - far * across
    ax.plot(*np.array([points[shadow], foot]).T, color=look.ink, lw=1.8, ls=DASHED)
    kit.label(ax, f"f = {far:g}:\n{abs(far) / length:g} away", points[shadow], None, (0.3, 1), kit.WORDS)
    for i in late:
        slack = 1 - labels[i] * float(points[i] @ w + b)
        edge = points[i] + labels[i] * slack * across
        ax.plot(*np.array([points[i], edge]).T, color=look.green, lw=3.2, solid_capstyle="butt", zorder=1.97)
        kit.label(ax, f"ξ = {slack:.2g}", (points[i] + edge) / 2, look.green, (w[1], -w[0]), kit.WORDS)


def plank(ax: Axes, X: ArrayLike, y: ArrayLike, theta: ArrayLike, extent: Extent) -> None:
    """The street of theta, (3,), as a plank between the examples, X (n, 2), on its edges, and the forces, as arrows and
    numbers, with which they hold it at rest.
    """
    points, labels, line = _paved(ax, X, y, theta, extent, 0.3)
    held = np.flatnonzero(np.isclose(labels * (points @ line[:2] + line[2]), 1))
    pressing = labels[held, None] * np.column_stack([points[held], np.ones(len(held))])
    forces = np.linalg.lstsq(pressing.T, np.append(line[:2], 0), rcond=None)[0]
    unit, longest = line[:2] / np.hypot(*line[:2]), 0.3 * (extent[3] - extent[2]) / forces.max()
    for x, label, force in zip(points[held], labels[held], forces, strict=True):
        color = current().classes[int(label > 0)]["color"]
        tail = x + label * force * longest * unit
        kit.vector(ax, x, tail=tail, color=color, width=3.4).set_zorder(1.98)
        kit.label(ax, str(Fraction(float(force)).limit_denominator(99)), tail, color, label * unit + [0.6, 0], 16)


def _paved(
    ax: Axes, X: ArrayLike, y: ArrayLike, theta: ArrayLike, extent: Extent, share: float = 0.08
) -> tuple[Floats, Floats, Floats]:
    """Examples, line and street, the street with so much ink; returns X, y and theta as arrays."""
    points, labels, line, look = np.asarray(X, float), np.asarray(y, float), np.asarray(theta, float), current()
    kit.named(ax, xlim=extent[:2], ylim=extent[2:], aspect="equal", xlabel="x₁", ylabel="x₂")
    ends, across = _ends(ax, line), line[:2] / (line[:2] @ line[:2])
    corners = np.array([*(ends - across), *(ends + across)[::-1]])
    ax.add_patch(Polygon(corners, facecolor=look.mixed(share, look.ochre), lw=0, zorder=0.5))
    for shift, width in ((-1, 1.2), (0, 2.4), (1, 1.2)):
        ax.plot(*(ends + shift * across).T, color=look.ink, lw=width, zorder=1.9)
    show_classes(Plot(ax).add_classes(ms=11), points, labels)
    return points, labels, line


def _ends(ax: Axes, theta: Floats) -> Floats:
    """Two points of the line of theta, (3,), far outside the picture."""
    ends = line_ends(ax, theta)
    if not len(ends):
        raise ValueError("theta must have weights other than 0, so that there is a street; got (0, 0)")
    return ends


def widths(ax: Axes, lams: ArrayLike, width: ArrayLike, held: float) -> None:
    """Width of the street, (m,), against lambda, (m,); a star at lambda = held, where it stops changing."""
    x, wide, look = np.asarray(lams), np.asarray(width), current()
    kit.named(ax, xscale="log", yscale="log", xlabel="λ", ylabel="width of the street",
              ylim=(0.4 * wide.min(), 2.3 * wide.max()))
    ax.plot(x, wide, color=look.blue, lw=2.8)
    ax.plot(held, wide.min(), "*", ms=18, mfc=look.star, mec=look.ink)
    kit.label(ax, f"λ = 1/{1 / held:.0f}", (1.3 * held, 0.92 * wide.min()), None, (1, -1), kit.WORDS)
    ax.text(x.min(), 0.66 * wide.min(), "no slack", size=kit.WORDS)
    ticks = [tick for tick in (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50) if 0.8 * wide.min() <= tick <= 2 * wide.max()]
    ax.set_yticks(ticks, [f"{tick:g}" for tick in ticks])
    ax.minorticks_off()


def closing(ax: Axes, moves: Floats, high: ArrayLike, low: ArrayLike) -> None:
    """The lowest objective so far and the highest bound so far, (K,) each, after so many moves, (K,), and the gap."""
    look, high, low = current(), np.asarray(high), np.asarray(low)
    kit.named(ax, xlim=(moves[0], moves[-1]), ylim=(0, 0.3), xscale="log",
              yticks=[0, 0.1, 0.2], xlabel="moves of two stakes")
    ax.fill_between(moves, low, high, color=look.mixed(0.1), lw=0)
    ax.plot(moves, high, color=look.red, lw=2.8)
    ax.plot(moves, low, color=look.blue, lw=2.8)
    early, later = (int(np.searchsorted(moves, moves[-1] ** share)) for share in (0.12, 0.5))
    kit.label(ax, "objective: the\nbest line so far", (moves[later], high[later]), look.red, (0, 1), kit.WORDS)
    kit.label(ax, "floor: no line\nis below this", (moves[later], low[later]), look.blue, (0, -1), kit.WORDS)
    ax.text(moves[early], 0.5 * (low[early] + high[early]), "gap", ha="center", va="center", size=kit.WORDS)


def shelves(ax: Axes, agreements: ArrayLike, stakes: ArrayLike, y: ArrayLike) -> None:
    """Each example at its agreement, (n,), and at the height of its stake, (n,): two shelves and a wall. y: (n,)."""
    z, look = np.asarray(agreements), current()
    kit.named(ax, xlim=(-3, 5), ylim=(-0.35, 1.4), yticks=[0, 0.5, 1], xlabel="agreement z", ylabel="stake a")
    ax.axvline(1, color=look.soft, lw=1, ls=DASHED)
    show_classes(Plot(ax).add_classes(alpha=0.7), np.column_stack([np.clip(z, -2.95, 4.95), stakes]), np.asarray(y))
    edge = np.abs(z - 1) <= 1e-4
    words = (
        ("short of\nthe edge", (z < 1) & ~edge, (0.7, 1.07), "right", "bottom"),
        ("on the\nedge", edge, (1.3, 0.5), "left", "center"),
        ("beyond", (z > 1) & ~edge, (3, 0.07), "center", "bottom"),
    )
    for word, which, (x, height), across, up in words:
        ax.text(x, height, f"{word}: {which.sum()}", ha=across, va=up, size=kit.WORDS)


def bent(ax: Axes, X: ArrayLike, y: ArrayLike, f: Floats, extent: Extent, held: ArrayLike) -> None:
    """A street that need not be straight: scores f, (rows, columns), all over the extent; held: who holds it, (m,)."""
    points, look = np.asarray(X), current()
    kit.named(ax, xlim=extent[:2], ylim=extent[2:], aspect="equal", xlabel="x₁", ylabel="x₂")
    across, up = (np.linspace(*span, count) for span, count in zip((extent[:2], extent[2:]), f.T.shape, strict=True))
    below, above = (look.mixed(look.tints[c], look.classes[c]["color"]) for c in (0, 1))
    ax.contourf(across, up, f, [-1e9, -1, 0, 1, 1e9], colors=[below, *2 * [look.mixed(0.04)], above])
    ax.contour(across, up, f, [-1, 0, 1], colors=[look.ink], linewidths=[1.0, 2.4, 1.0], linestyles="solid")
    show_classes(Plot(ax).add_classes(ms=8), points, np.asarray(y))
    Plot(ax).add_ring(15, 1.4).set_data(*points[np.asarray(held)].T)
