"""The street of a support vector machine among the data."""

from __future__ import annotations

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.patches import Polygon
from numpy.typing import ArrayLike

from coursekit.core.datasets import Dataset
from coursekit.core.validate import Floats
from coursekit.plots import check
from coursekit.plots.boundary import DecisionBoundary, line_ends, name_classes, normal_arrow, point
from coursekit.plots.ghost import Ghost
from coursekit.plots.marks import NOWHERE, UNDER, curve, joined, patch, places, ring
from coursekit.plots.panel import legend_above
from coursekit.plots.style import current


class MarginStreet:
    """A decision boundary with its street, the band |f| <= 1, and what keeps it from being wider.

    Each example with slack is tied to the edge of the street that it should lie beyond; the tie is
    slack / ||w|| long. Support vectors are ringed. The arrow reaches from the line to the edge of the
    positive class and is 1/||w|| long.
    """

    def __init__(self, ax: Axes) -> None:
        self.ax, look = ax, current()
        self.boundary = DecisionBoundary(ax, legend=False, normal=False)
        self.street = patch(ax, Polygon(np.zeros((4, 2)), facecolor=look.paper, alpha=0.75, lw=0, visible=False))
        self.margin = normal_arrow(ax)
        self.margin.set_zorder(1.5)
        self.edges = curve(ax, color=look.ink, lw=1.0, zorder=UNDER)
        self.ring = ring(ax, 18, 1.4, "s")
        self.ties = curve(ax, color=look.green, lw=1.6, solid_capstyle="butt")
        self.support = ring(ax, 11.5, 1.2)
        self.legend = legend_above(
            ax, [*self.boundary.points, self.boundary.wrong, self.ties, self.support, self.edges],
            ["-1", "+1", "misclassified", "slack / ‖w‖", "support vector", "edges: f = ±1"], 3, columnspacing=1.2,
        )
        self.artists: list[Artist] = [
            *self.boundary.artists, self.street, self.margin, self.edges, self.ring, self.ties, self.support
        ]

    def show(
        self, data: Dataset, theta: Floats, slack: Floats, support: ArrayLike, before: Floats | None = None,
        now: int | None = None,
    ) -> MarginStreet:
        """theta: (3,), offset last. slack: (n,). support: indices. Otherwise as in `DecisionBoundary.show`.

        Where the weights are 0 there is no street; the support vectors are ringed all the same.
        now: the example in a square.
        """
        self.boundary.show(data, theta, before)
        theta = check.shaped("theta", theta, 3)
        slack = check.shaped("slack", slack, len(data))
        name_classes(self.legend, data)
        self.support.set_data(*data.X[check.rows("support", support, len(data))].T)
        self.ring.set_data(*data.X[check.rows("now", now, len(data))].T)
        line = line_ends(self.ax, theta)
        for area in (self.street, self.margin):
            area.set_visible(line is not None)
        if line is None:
            self.edges.set_data(*NOWHERE.T)
            self.ties.set_data(*NOWHERE.T)
            return self
        w = theta[:2]
        across = w / (w @ w)  # from the line to the edge f = 1
        edges = line - across, line + across
        self.street.set_xy(np.array([*edges[0], *edges[1][::-1]]))
        self.edges.set_data(*joined(edges).T)
        length = float(np.hypot(*across))
        head = min(0.03 * float(np.ptp(self.ax.get_xlim())), length)
        point(self.margin, line.mean(axis=0), (1 - head / length) * across, head, spread=0.7 * head)
        late = np.flatnonzero(slack > 0)
        feet = data.X[late] + (data.y * slack)[late, None] * across
        self.ties.set_data(*joined(np.stack([data.X[late], feet], axis=1)).T)
        return self

    def ghosts(self) -> list[Ghost]:
        return [*self.boundary.ghosts(), Ghost(self.ax, places(self.edges), word="")]
