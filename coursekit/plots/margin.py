"""The street of a support vector machine, among the data and on the hinge loss."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Polygon
from numpy.typing import NDArray

from coursekit.core.validate import Floats
from coursekit.plots.boundary import DecisionBoundary
from coursekit.plots.ghost import Ghost
from coursekit.plots.panel import legend_above
from coursekit.plots.style import current


class MarginStreet(DecisionBoundary):
    """A decision boundary with its street, the band |f| <= 1, and what keeps it from being wider.

    Each example with slack is tied to the edge of the street that it should lie beyond; the tie is
    slack / ||w|| long. Support vectors are ringed. The arrow reaches from the line to the edge of the
    positive class and is 1/||w|| long.
    """

    def __init__(self, ax: Axes) -> None:
        super().__init__(ax, legend=False)
        look = current()
        self.street = ax.add_patch(Polygon(np.zeros((4, 2)), facecolor=look.paper, alpha=0.75, lw=0, visible=False))
        (self.edges,) = ax.plot([], [], color=look.ink, lw=1.0)
        (self.ties,) = ax.plot([], [], color=look.green, lw=1.6, solid_capstyle="butt")
        (self.support,) = ax.plot([], [], ls="", marker="o", ms=11.5, mfc="none", mec=look.ink, mew=1.2)
        self.normal.set_zorder(1.5)
        self.ring.set(marker="s", markersize=18, markeredgewidth=1.4)
        self.artists[2:2] = [self.street, self.edges]
        self.artists += [self.ties, self.support]
        self.legend = legend_above(
            ax, [*self.points, self.wrong, self.ties, self.support, self.edges],
            ["-1", "+1", "misclassified", "slack / ‖w‖", "support vector", "edges: f = ±1"],
            3, columnspacing=1.2, loc="lower left", bbox_to_anchor=(-0.02, 0.99), borderaxespad=0.1,
        )

    def show_street(
        self, X: Floats, y: Floats, theta: Floats, slack: Floats, support: NDArray[np.intp]
    ) -> MarginStreet:
        """X, y: the examples. theta: (3,), offset last. slack: (n,). support: indices.

        Where the weights are 0 there is no street; the support vectors are ringed all the same.
        """
        self.support.set_data(*X[support].T)
        line = self._ends(theta)
        self.street.set_visible(line is not None)
        if line is None:
            self.edges.set_data([], [])
            self.ties.set_data([], [])
            return self
        w = theta[:2]
        across = w / (w @ w)  # from the line to the edge f = 1
        ends = np.array([line - across, line + across])
        self.street.set_xy([*ends[0], *ends[1][::-1]])
        gap = np.full((2, 1, 2), np.nan)
        self.edges.set_data(*np.hstack([ends, gap]).reshape(-1, 2).T)
        foot = line.mean(axis=0)
        length = np.hypot(*across)
        head = min(0.03 * np.ptp(self.ax.get_xlim()), length)
        dx, dy = (1 - head / length) * across
        self.normal.set_data(x=foot[0], y=foot[1], dx=dx, dy=dy, head_width=0.7 * head, head_length=head)
        late = np.flatnonzero(slack > 0)
        feet = X[late] + (y * slack)[late, None] * across
        gap = np.full(feet.shape, np.nan)
        self.ties.set_data(*np.stack([X[late], feet, gap], axis=1).reshape(-1, 2).T)
        return self

    def ghosts(self) -> list[Ghost]:
        return [*super().ghosts(), Ghost(self.ax, self.edges.get_xydata(), word="")]


class Slacks:
    """Every example at its agreement, on the hinge loss: its height is its slack. Support vectors ringed.

    Examples beyond the window stand at its edge.
    """

    left, right, top = -2.0, 4.0, 3.0

    def __init__(self, ax: Axes) -> None:
        look = current()
        ax.set(xlim=(self.left - 0.2, self.right + 0.2), ylim=(-0.25, self.top + 0.2), yticks=range(4))
        ax.set_xlabel("agreement z = y f(x)")
        ax.axvspan(self.left - 0.2, 0, color=look.mixed(0.08), lw=0)
        ax.axvspan(0, 1, color=look.mixed(0.04), lw=0)
        ax.plot([1 - self.top, 1, self.right + 0.2], [self.top, 0, 0], color=look.green, lw=1.6)
        for x, word in ((-1.1, "wrong"), (0.5, "in the\nstreet"), (2.6, "beyond its edge")):
            ax.text(x, self.top + 0.1, word, ha="center", va="top", fontsize=9, color=look.ink)
        ax.axvline(0, color=look.soft, lw=1)
        ax.axvline(1, color=look.soft, lw=1, ls=(0, (4, 3)))
        self.points = [ax.plot([], [], ls="", ms=7, mec=look.paper, mew=0.6, alpha=0.8, clip_on=False, **s)[0]
                       for s in (look.negative, look.positive)]
        (self.support,) = ax.plot([], [], ls="", marker="o", ms=11.5, mfc="none", mec=look.ink, mew=1.2, clip_on=False)
        (self.ring,) = ax.plot([], [], ls="", marker="s", ms=18, mfc="none", mec=look.ink, mew=1.4, clip_on=False)
        self.artists = [*self.points, self.support, self.ring]

    def show(
        self, agreements: Floats, y: Floats, slack: Floats, support: NDArray[np.intp], now: int | None = None
    ) -> Slacks:
        """agreements, y, slack: (n,). support: indices. now: the example in a square."""
        at = np.column_stack([np.clip(agreements, self.left, self.right), np.minimum(slack, self.top)])
        for points, label in zip(self.points, (-1, 1), strict=True):
            points.set_data(*at[y == label].T)
        self.support.set_data(*at[support].T)
        self.ring.set_data(*at[[] if now is None else [now]].T)
        return self
