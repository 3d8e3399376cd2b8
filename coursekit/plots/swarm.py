"""Many walkers on a map of the objective, and where one of them could go next."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes

from coursekit.core.validate import Floats
from coursekit.plots.marks import Plot, arrow, curve, joined, marks
from coursekit.plots.style import Style

SHORTEST = 0.2  # inches, of an arrow: a shorter one would be all head


class Swarm(Plot):
    """Where many walkers are, as dots; what is told stands in a corner, where it keeps its place."""

    def __init__(self, ax: Axes) -> None:
        super().__init__(ax)
        look = self.look
        self.dots = self.add(marks(ax, "o", 4.5, color=look.ink, mew=0, alpha=0.5, zorder=1.97), "walkers", glides=True)
        self.count = self.add(ax.text(0.99, 0.975, "", ha="right", va="top", size=11, transform=ax.transAxes,
                                      bbox=paper(look), zorder=3))

    def show(self, thetas: Floats, told: str) -> Swarm:
        """thetas: (m, 2). told: what is written in the corner."""
        self.dots.set_data(*thetas.T)
        self.count.set_text(told)
        return self


class Fan(Plot):
    """Where each of several steps would lead from theta, and an arrow to the mean of them all."""

    def __init__(self, ax: Axes) -> None:
        super().__init__(ax)
        look = self.look
        self.rays = [self.add(curve(ax, color=one["color"], lw=1.1, alpha=0.6, marker=one["marker"], ms=4.5,
                                    markevery=(1, 3), mec=look.paper, mew=0.3)) for one in look.classes[:2]]
        self.mixed = self.add(curve(ax, color=look.soft, lw=1.0, alpha=0.7, marker="o", ms=3.5, markevery=(1, 3)))
        self.mean = self.add(arrow(ax, look.ink, 18, lw=3.2, zorder=2.7))
        self.name = self.add(ax.annotate("their mean", (0, 0), (10, -10), textcoords="offset points", va="top", size=11,
                                         bbox=paper(look), zorder=3))
        for artist in (*self.rays, self.mixed):
            artist.set_gid("pulls")
        self.mean.set_gid("mean")
        self.name.set_gid("mean")

    def show(self, theta: Floats, ends: Floats, y: Floats, mean: Floats | None) -> Fan:
        """theta: (2,). ends: (m, 2). y: (m,), the class of each, 0 for a mixture. mean: (2,), None for no arrow."""
        for label, line in zip((-1, 1, 0), (*self.rays, self.mixed), strict=True):
            line.set_data(*joined([theta, end] for end in ends[y == label] if (end != theta).any()).T)
        tip = theta if mean is None else mean
        long = np.hypot(*np.subtract(*self.ax.transData.transform([tip, theta]))) > SHORTEST * self.ax.figure.dpi
        self.mean.set_visible(bool(long))
        self.mean.set_positions(tuple(theta), tuple(tip))
        self.name.set_visible(bool(long))
        self.name.xy = (float(tip[0]), float(tip[1]))
        return self


def paper(look: Style) -> dict[str, Any]:
    """What lies under words on a map."""
    return {"fc": look.paper, "alpha": 0.8, "lw": 0, "pad": 1.5}
