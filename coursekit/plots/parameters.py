"""The plane of the weights (theta_1, theta_2): what examples ask of them, what losses find, how a run moves."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection

from coursekit.core.datasets import Dataset
from coursekit.core.validate import Floats
from coursekit.plots import check
from coursekit.plots.landscape import Landscape
from coursekit.plots.losses import loss_marks
from coursekit.plots.marks import DASHED, NOWHERE, arrow, curve
from coursekit.plots.ruler import Ruler
from coursekit.plots.style import current, greys


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
        self.constraints = [
            LineCollection([], colors=s["color"], linewidths=0.8, linestyles=dash, alpha=0.8)
            for s, dash in ((look.negative, "--"), (look.positive, "-"))
        ]
        for constraints in self.constraints:
            ax.add_collection(constraints)
        self.chosen = curve(ax, color=look.ink, lw=1.8)
        self.allowed = arrow(ax, look.ink, 10, lw=1.8)
        self.arrow = arrow(ax, look.ink, 15, lw=2.2)
        self.step = arrow(ax, look.green, 11, lw=2.0, ls="--")
        self.artists: list[Artist] = [
            self.shade, *self.constraints, *self.ruler.artists, self.chosen, self.allowed, self.arrow, self.step
        ]

    def show(self, data: Dataset, theta: Floats, after: Floats, chosen: int, wrong: Floats) -> WeightSpace:
        """theta, after: (3,), now and after a step. wrong: (cells, cells), how many examples are
        misclassified at (grid[column], grid[row]) times the ruler's scale."""
        check.two_classes(data)
        theta, after = check.shaped("theta", theta, 3), check.shaped("after", after, 3)
        (chosen,) = check.rows("chosen", chosen, len(data))
        wrong = check.shaped("wrong", wrong, len(self.grid), len(self.grid))
        scale, w = self.ruler.scale["x"], theta[:2]
        self.shade.set_data(wrong)
        self.shade.set_clim(0, len(data))
        size = np.maximum(np.hypot(*data.X.T), 1e-9)
        unit = data.X / size[:, None]
        feet = np.clip(-theta[2] / size / scale, -1e3, 1e3)[:, None] * unit
        along = 4 * unit[:, ::-1] * [-1, 1]
        ends = np.stack([feet - along, feet + along], axis=1)
        for constraints, label in zip(self.constraints, (-1, 1), strict=True):
            constraints.set_segments(list(ends[data.y == label]))
        self.chosen.set_data(*ends[chosen].T)
        start = w / scale - (w / scale - feet[chosen]) @ unit[chosen] * unit[chosen]
        self.allowed.set_positions(tuple(start), tuple(start + 0.22 * data.y[chosen] * unit[chosen]))
        self.arrow.set_positions((0, 0), tuple(w / scale))
        self.step.set_positions(tuple(w / scale), tuple(after[:2] / scale))
        self.step.set_visible(bool((after[:2] != w).any()))
        return self


class ParameterSpace:
    """The plane of the weights (theta_1, theta_2): an objective as a map, the solutions of losses as marks.

    One example (x, y) is a pair of parallel lines here, y theta . x = 0 (solid) and = 1 (dashed): on their far
    side it is right, and right by more than 1.
    """

    extent = (-1.08, 1.08, -1.08, 1.08)

    def __init__(self, ax: Axes) -> None:
        self.ruler = Ruler(ax, signed=True, grid=False)
        self.landscape = Landscape(ax, self.extent)
        self.example = [curve(ax, color=current().ink, lw=1.2, ls=ls) for ls in ("-", DASHED)]
        self.points = loss_marks(ax)
        self.artists: list[Artist] = [
            *self.landscape.artists, *self.ruler.artists, *self.example, *self.points.values()
        ]

    @classmethod
    def grid(cls, scale: float, size: int = 60) -> Floats:
        """The weights, (size * size, 2), at which show() wants the heights."""
        return scale * Landscape.points(cls.extent, size)

    def show(
        self, heights: Floats, scale: float, path: Floats, thetas: Mapping[str, Floats], x: Floats, y: float
    ) -> ParameterSpace:
        """heights: (K,), the objective at grid(scale). path: (J, 2), how one of them was found.

        thetas: by the name of the loss. (x, y): the example.
        """
        self.ruler.fit(scale)
        self.landscape.show(heights, path / scale)
        for name, point in self.points.items():
            point.set_data(*(thetas[name][None, :2] / scale if name in thetas else NOWHERE).T)
        length = max(float(x @ x), 1e-12)
        for line, z in zip(self.example, (0.0, 1.0), strict=True):
            foot, along = z * y * x / (scale * length), 4 * np.array([-x[1], x[0]]) / np.sqrt(length)
            line.set_data(*np.array([foot - along, foot + along]).T)
        return self


class ParameterPath:
    """The path of the weights (theta_1, theta_2) from 0, one dot a mistake, and theta as an arrow."""

    def __init__(self, ax: Axes) -> None:
        self.ruler, look = Ruler(ax, signed=True), current()
        self.path = curve(ax, color=look.soft, lw=1.2, marker=".", ms=5)
        self.arrow = arrow(ax, look.ink, 15, lw=2.2)
        self.update = arrow(ax, look.green, 11, lw=2.0, ls="--")
        self.artists: list[Artist] = [*self.ruler.artists, self.path, self.arrow, self.update]

    def show(self, thetas: Floats, before: Floats, theta: Floats) -> ParameterPath:
        """thetas: (k, 2 or more), the weights after each mistake; before and theta: the current step."""
        before, theta = check.shaped("before", before, "d"), check.shaped("theta", theta, "d")
        path = np.vstack([np.zeros(2), thetas[:, :2]])
        scale = self.ruler.fit(np.abs(path).max())
        self.path.set_data(*path.T / scale)
        self.arrow.set_positions((0, 0), tuple(theta[:2] / scale))
        self.arrow.set_visible(bool(theta[:2].any()))
        moved = bool((theta[:2] != before[:2]).any())
        self.update.set_positions(tuple(before[:2] / scale), tuple(theta[:2] / scale))
        self.update.set_visible(moved and bool(before[:2].any()))
        return self
