"""Pictures of chapter 1: lengths along a line, a product that turns, verdicts, scores, and the plane of weights."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from numpy.typing import ArrayLike

from coursekit.core.datasets import Dataset
from coursekit.core.text import number, typeset
from coursekit.core.validate import Floats
from coursekit.plots.boundary import DecisionBoundary, corners, line_ends, seen, visible
from coursekit.plots.marks import DASHED, Plot, places, show_classes
from coursekit.plots.normal import Distances
from coursekit.plots.parameters import cells
from coursekit.plots.style import current, grays
from coursekit_figures import kit


def hyperplane(ax: Axes, X: Floats, y: Floats, theta: ArrayLike, offset: float, shadow: int) -> None:
    """The line theta . x + offset = 0 with all its lengths: its normal, its way from the origin, those of points.

    X: (n, 2). y: (n,), labels -1 and +1. theta: (2,), not 0. shadow: the example whose projection on theta is shown.
    Set the limits of the axes first, on one scale.
    """
    w, data = np.asarray(theta, float), Dataset(X, y, ("x1", "x2"), ("-1", "+1"))
    plane, whole = DecisionBoundary(ax, legend=False, normal=False), np.append(w, offset)
    plane.frame((*ax.get_xlim(), *ax.get_ylim()))
    plane.show(data, whole)
    distances = Distances(ax).show(data.X, whole)
    length, unit = float(np.hypot(*w)), w / np.hypot(*w)
    foot = -offset / length * unit
    ends = places(plane.line)
    on = seen(ax, ends, 2000, 0.0)
    tail, side = on[int(0.62 * len(on))], on[int(0.9 * len(on))]
    ax.plot(*np.array([np.zeros(2), foot]).T, ls=DASHED, color=current().ink, lw=1.6)
    along = float(data.X[shadow] @ unit)
    kit.shadow(ax, data.X[shadow], unit)
    kit.label(ax, f"projection {along:.3f}", along * unit, current().green, toward=along * unit, size=13)
    ax.plot(0, 0, marker="o", ms=6, color=current().ink)
    kit.vector(ax, tail + w, "", tail, width=2.6)
    kit.angle(ax, w, ends[1] - ends[0], corner=tail, radius=18)
    for sign, relation in ((1, ">"), (-1, "<")):
        across, up = side + sign * 1.1 * unit
        ax.text(across, up, f"f {relation} 0", ha="center", va="center", size=15)
    kit.label(ax, typeset(f"θ = ({w[0]:g}, {w[1]:g})"), tail + w, toward=unit, size=13)
    kit.label(ax, "origin", (0.0, 0.0), size=12)
    kit.label(ax, f"{abs(offset) / length:.3f}", foot / 2, toward=(-unit[1], unit[0]), size=13)
    for x, (start, end) in zip(data.X, places(distances.segments).reshape(-1, 3, 2)[:, :2], strict=True):
        score = float(x @ w + offset)
        kit.label(ax, typeset(f"({x[0]:g}, {x[1]:g}): f = {score:g}"), x, toward=np.sign(score) * unit, size=13)
        kit.label(ax, typeset(f"{score / length:+.3f}"), (start + end) / 2,
                  toward=(-score * unit[1], score * unit[0]), size=13)


def turning(ax: Axes, theta: ArrayLike, x: ArrayLike) -> None:
    """The product theta . x while x, (2,), turns around 0; where it is largest, least and 0."""
    w, turn = np.asarray(theta, float), np.arange(361)
    most, toward = float(np.hypot(*w) * np.hypot(*np.asarray(x))), float(np.degrees(np.arctan2(w[1], w[0]))) % 360
    ax.plot(turn, most * np.cos(np.radians(turn - toward)), lw=2.5, color=current().blue)
    ax.axhline(0, color=current().soft, lw=1)
    ax.set(xticks=range(0, 361, 45), ylim=(-1.35 * most, 1.4 * most))
    ax.set(xlabel="direction of x in degrees", ylabel="θ · x")
    words = f"same direction as θ: {number(most)}", "right angle: 0", typeset(f"opposite: {number(-most)}"), ""
    for k, (word, share) in enumerate(zip(words, (1, 0, -1, 0), strict=True)):
        at = (toward + 90 * k) % 360, most * share
        ax.plot(*at, marker="o", ms=8, color=current().ink)
        if word:
            kit.label(ax, word, at, toward=(1, share or 1), size=12)


def verdicts(ax: Axes, X: Floats, y: Floats, theta: ArrayLike) -> None:
    """Many examples and a line, theta (3,): pale where it is right, strong where it is wrong.

    X: (n, 2), each drawn a little beside its place, so that none hides another. Set the limits of the axes first; how
    many lie outside of them is written in.
    """
    line, look = np.asarray(theta, float), current()
    low, high = corners(ax)
    wrong = y * (X @ line[:2] + line[2]) <= 0
    outside = ((low > X) | (high < X)).any(axis=1)
    size = np.array([0.022, 0.012]) * (high - low)
    drawn = X + np.random.default_rng(0).uniform(-size, size, X.shape)
    for label, kind in zip((-1, 1), look.classes, strict=False):
        style = {**kind, "ms": 5.5, "mew": 0, "ls": ""}
        for which, share in ((~wrong, 0.3), (wrong, 1.0)):  # paler, not transparent: many on one place stay pale
            ax.plot(*drawn[which & (y == label)].T, **style | {"color": look.mixed(share, style["color"])})
    ax.plot(*line_ends(ax, line).T, color=look.ink, lw=2.5, scalex=False, scaley=False)
    ax.set_title(f"{wrong.sum()} of {len(X)} wrong")
    if outside.any():
        ax.text(0.98, 0.98, f"{outside.sum()} more outside", ha="right", va="top", size=11, transform=ax.transAxes)


def flip(ax: Axes, scores: ArrayLike, y: ArrayLike) -> None:
    """Scores, (n,), above, and below the agreements they become; paths for the lowest, the highest, and the wrong."""
    f, labels, look = np.asarray(scores, float), np.asarray(y, float), current()
    agreements, reach = labels * f, 1.1 * float(np.abs(f).max())
    ax.set(xlim=(-reach, reach), ylim=(-0.55, 1.6), yticks=[])
    ax.spines[["left", "bottom"]].set_visible(False)
    ax.tick_params(axis="x", length=0)
    ax.axvspan(-reach, 0, ymax=0.42, color=look.mixed(0.12), lw=0)
    for row in (0, 1):
        ax.axhline(row, color=look.soft, lw=1)
    ax.axvline(0, color=look.ink, lw=1.6)
    up = 0.07 * (-1.0) ** f.argsort().argsort()  # neighbors do not hide each other
    bad, ends = agreements <= 0, np.array([[f, agreements], [1 + up, up]])
    ax.plot(*ends[..., bad | (f == f.min()) | (f == f.max())], color=look.soft, lw=1, zorder=1)
    for row, values in ((1, f), (0, agreements)):
        show_classes(Plot(ax).add_classes(ms=10, alpha=0.85), np.column_stack([values, row + up]), labels)
    for x, height, words, side in (
        (-reach, 1.3, "score f(x):\npredicted −1", "left"), (reach, 1.3, "\npredicted +1", "right"),
        (-reach, -0.3, f"agreement y f(x):\nwrong, {bad.sum()} of {len(f)}", "left"), (reach, -0.3, "\nright", "right"),
    ):
        ax.text(x, height, words, ha=side, va="center", size=12)


def constraints(
    ax: Axes, X: Floats, y: Floats, offset: float, names: Sequence[str], numbers: bool = True
) -> None:
    """The plane of weights (theta_1, theta_2) with this offset: each example, (n, 2), as the line where its score is 0.

    The hatched side of it is where the example is wrong. With numbers, each cell says how many are wrong there.
    Set the limits of the axes first. Examples are not 0; a line that is not seen has no name.
    """
    look = current()
    extent = (*ax.get_xlim(), *ax.get_ylim())
    across, up = np.meshgrid(np.linspace(*extent[:2], 240), np.linspace(*extent[2:], 240))
    found, wrong = cells(X, y, offset, np.column_stack([across.ravel(), up.ravel()]))
    if numbers:
        ax.imshow(wrong.reshape(across.shape), extent=extent, origin="lower", cmap=grays(), vmin=0, vmax=2 * len(X),
                  interpolation="nearest", aspect="auto", zorder=0.5)
        for cell in found:
            if cell.room > 0.01 * (extent[1] - extent[0]):
                ax.text(cell.place[0], cell.place[1], f"{cell.wrong}", ha="center", va="center", size=17, weight="bold")
    for x, label, name in zip(X, y, names, strict=True):
        color = look.classes[int(label > 0)]["color"]
        on = np.array(sorted(visible(ax, np.append(x, offset)).round(9).tolist()))
        if not len(on):
            continue
        to_pixels = ax.transData
        a, b = np.asarray(to_pixels.transform(on), float)
        away = np.array([b[1] - a[1], a[0] - b[0]]) / np.hypot(*(b - a))
        if (np.asarray(to_pixels.inverted().transform(a + away), float) @ x + offset) * label > 0:
            away = -away
        teeth = np.stack([a + np.outer(np.arange(0.01, 1, 0.02), b - a)] * 2, axis=1)
        teeth[:, 1] += 0.09 * ax.figure.dpi * away
        hatch = [to_pixels.inverted().transform(tooth) for tooth in teeth]
        ax.plot(*on.T, color=color, lw=2.4)
        ax.add_collection(LineCollection(hatch, colors=color, linewidths=1.0, alpha=0.8))
        beside = to_pixels.inverted().transform(a + 0.04 * (b - a))
        kit.label(ax, name, beside, color, -away, size=15).set_fontweight("bold")
    ax.set(xlim=extent[:2], ylim=extent[2:])
