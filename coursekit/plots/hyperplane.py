"""One line in three spaces: distances in the data, constraints on the weights, agreements and losses."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.patches import FancyArrowPatch

from coursekit.core.datasets import Dataset
from coursekit.core.validate import Floats
from coursekit.plots.ruler import Ruler
from coursekit.plots.style import current, greys


class Distances:
    """The way from every example to the line, and from the origin to it; drawn over a DecisionBoundary."""

    def __init__(self, ax: Axes) -> None:
        look = current()
        self.ways = ax.add_collection(LineCollection([], colors=look.soft, linewidths=0.9, zorder=1.5))
        (self.shift,) = ax.plot([], [], color=look.ink, lw=1.4, ls=":", marker="+", ms=9, markevery=[0])
        (self.chosen,) = ax.plot([], [], color=look.ink, lw=2.0, solid_capstyle="butt")
        self.artists = [self.ways, self.shift, self.chosen]

    def show(self, X: Floats, theta: Floats, chosen: int) -> Distances:
        """X: (n, 2). theta: (3,), weights not 0. chosen: the example whose way is drawn thick."""
        w = theta[:2]
        length = np.hypot(*w)
        distances = (X @ w + theta[2]) / length
        feet = X - distances[:, None] * w / length
        self.ways.set_segments(np.stack([X, feet], axis=1))
        self.shift.set_data(*np.stack([np.zeros(2), -theta[2] * w / length**2], axis=1))
        self.chosen.set_data(*np.stack([X[chosen], feet[chosen]], axis=1))
        return self


class WeightSpace:
    """The plane of weights (theta_1, theta_2) for one offset: theta is a point, each example a constraint.

    Example i is right on one side of the line w . x_i = -offset. The darker, the more examples are wrong.
    """

    def __init__(self, ax: Axes, cells: int = 60) -> None:
        self.ax, self.ruler, look = ax, Ruler(ax, signed=True), current()
        ax.grid(False)
        low, high = ax.get_xlim()
        edges = np.linspace(low, high, cells + 1)
        self.grid = (edges[1:] + edges[:-1]) / 2  # middles of the cells, in units of the ruler
        self.shade = ax.imshow(
            np.zeros((cells, cells)), extent=(low, high, low, high), origin="lower", cmap=greys(), vmin=0,
            interpolation="nearest", aspect="auto", alpha=0.6, zorder=0.5,
        )
        self.lines = [
            ax.add_collection(LineCollection([], colors=s["color"], linewidths=0.8, linestyles=dash, alpha=0.8))
            for s, dash in ((look.negative, "--"), (look.positive, "-"))
        ]
        (self.chosen,) = ax.plot([], [], color=look.ink, lw=1.8)
        self.allowed = ax.add_patch(_arrow(look.ink, 10, lw=1.8))
        self.arrow = ax.add_patch(_arrow(look.ink, 15, lw=2.2))
        self.step = ax.add_patch(_arrow(look.green, 11, lw=2.0, ls="--"))
        self.artists = [self.shade, *self.lines, *self.ruler.artists, self.chosen, self.allowed, self.arrow,
                        self.step]

    def show(self, data: Dataset, theta: Floats, after: Floats, chosen: int, wrong: Floats) -> WeightSpace:
        """theta, after: (3,), now and after a step. wrong: (cells, cells), how many examples are
        misclassified at (grid[column], grid[row]) times the ruler's scale."""
        scale, w = self.ruler.scale["x"], theta[:2]
        self.shade.set_data(wrong)
        self.shade.set_clim(0, len(data))
        size = np.maximum(np.hypot(*data.X.T), 1e-9)
        unit = data.X / size[:, None]
        feet = np.clip(-theta[2] / size / scale, -1e3, 1e3)[:, None] * unit
        along = 4 * unit[:, ::-1] * [-1, 1]
        ends = np.stack([feet - along, feet + along], axis=1)
        for lines, label in zip(self.lines, (-1, 1), strict=True):
            lines.set_segments(ends[data.y == label])
        self.chosen.set_data(*ends[chosen].T)
        start = w / scale - (w / scale - feet[chosen]) @ unit[chosen] * unit[chosen]
        self.allowed.set_positions(tuple(start), tuple(start + 0.22 * data.y[chosen] * unit[chosen]))
        self.arrow.set_positions((0, 0), tuple(w / scale))
        self.step.set_positions(tuple(w / scale), tuple(after[:2] / scale))
        self.step.set_visible(bool((after[:2] != w).any()))
        return self


class Agreements:
    """Every example at its agreement, on the zero-one loss; the hinge loss for comparison.

    Agreements beyond +-`reach` stand at the edge.
    """

    def __init__(self, ax: Axes, reach: float = 4.0) -> None:
        self.ax, self.reach, look = ax, reach, current()
        ax.set(xlim=(-1.12 * reach, 1.12 * reach), ylim=(-0.12, 2.1), xlabel="agreement z = y f(x)", yticks=[0, 1, 2])
        ax.plot([1 - 2.1, 1, 1.12 * reach], [2.1, 0, 0], color=look.green, lw=1.4, ls="--")
        ax.text(-0.7, 2.05, "hinge loss", color=look.green, ha="left", va="top", fontsize=9.5)
        for x, y in (((-1.12 * reach, 0), (1, 1)), ((0, 1.12 * reach), (0, 0))):
            ax.plot(x, y, color=look.ink, lw=1.6)
        ax.plot([0], [1], marker="o", ms=5, color=look.ink)
        ax.plot([0], [0], marker="o", ms=5, mfc=look.paper, mec=look.ink)
        ax.text(-reach, 1.09, "0-1 loss", ha="left", va="bottom", fontsize=9.5)
        self.points = [ax.plot([], [], ls="", ms=7, mec=look.paper, mew=0.6, alpha=0.75, clip_on=False, **s)[0]
                       for s in (look.negative, look.positive)]
        (self.ring,) = ax.plot([], [], ls="", marker="o", ms=15, mfc="none", mec=look.ink, mew=1.8)
        self.artists = [*self.points, self.ring]

    def show(self, agreements: Floats, losses: Floats, y: Floats, chosen: int) -> Agreements:
        """agreements, losses: (n,). y: the labels. chosen: the example to ring."""
        z = np.clip(agreements, -self.reach, self.reach)
        for points, label in zip(self.points, (-1, 1), strict=True):
            points.set_data(z[y == label], losses[y == label])
        self.ring.set_data([z[chosen]], [losses[chosen]])
        return self


def _arrow(color: str, head: float, **line: object) -> FancyArrowPatch:
    return FancyArrowPatch((0, 0), (0, 0), color=color, arrowstyle="-|>", mutation_scale=head, shrinkA=0, shrinkB=0,
                           **line)
