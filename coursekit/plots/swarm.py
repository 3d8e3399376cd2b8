"""Many walkers on a map of the objective, and where one of them could go next."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.text import Annotation

from coursekit.core.validate import Floats
from coursekit.plots.marks import NOWHERE, Plot, arrow, curve, joined, marks

SHORTEST = 0.2  # inches, of an arrow: a shorter one would be all head


class Swarm(Plot):
    """Where many walkers are, as dots; words in a corner and beside a thing keep their places from frame to frame."""

    def __init__(self, ax: Axes) -> None:
        super().__init__(ax)
        look = self.look
        self.dots = self.add(marks(ax, "o", 4.5, color=look.ink, mew=0, alpha=0.5, zorder=1.97))
        self.paper: dict[str, Any] = {"fc": look.paper, "alpha": 0.8, "lw": 0, "pad": 1.5}
        self.count = self.add(ax.text(0.99, 0.975, "", ha="right", va="top", size=11, transform=ax.transAxes,
                                      bbox=self.paper, zorder=3))
        self.star = self.add(beside(ax, (-9, 9), look.ink, self.paper))
        self.dots.set_gid("walkers")
        self.star.set_gid("lowest")

    def show(self, thetas: Floats, count: str, name: str, at: Floats) -> Swarm:
        """thetas: (m, 2). count: what is written in the corner. name: of what lies at `at`, (n, 2), n at most 1."""
        self.dots.set_data(*thetas.T)
        self.count.set_text(count)
        put(self.star, name, at)
        return self


class Fan(Plot):
    """Where each of several steps would lead from theta, and an arrow to the mean of them all."""

    def __init__(self, ax: Axes) -> None:
        super().__init__(ax)
        look = self.look
        self.rays = [self.add(curve(ax, color=one["color"], lw=1.1, alpha=0.6, marker=one["marker"], ms=4.5,
                                    markevery=(1, 3), mec=look.paper, mew=0.3)) for one in look.classes[:2]]
        self.mixed = self.add(curve(ax, color=look.soft, lw=1.0, alpha=0.7, marker="o", ms=3.5, markevery=(1, 3)))
        self.rim = self.add(arrow(ax, look.paper, 24, lw=6, zorder=2.6))
        self.mean = self.add(arrow(ax, look.ink, 18, lw=3.2, zorder=2.7))
        self.name = self.add(beside(ax, (10, -10), look.ink, {"fc": look.paper, "alpha": 0.8, "lw": 0, "pad": 1.5}))
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
        for drawn in (self.rim, self.mean):
            drawn.set_visible(bool(long))
            drawn.set_positions(tuple(theta), tuple(tip))
        put(self.name, "their mean", tip[None] if long else NOWHERE)
        return self


def beside(ax: Axes, offset: tuple[float, float], color: str, paper: dict[str, Any]) -> Annotation:
    """A name that keeps its distance, in points, from a thing that moves."""
    side: dict[str, Any] = {"ha": "left" if offset[0] > 0 else "right", "va": "bottom" if offset[1] > 0 else "top"}
    return ax.annotate("", (0, 0), offset, textcoords="offset points", color=color, size=11,
                       bbox=paper, zorder=3, annotation_clip=True, **side)


def put(name: Annotation, text: str, at: Floats) -> None:
    """Name what lies at `at`, (n, 2), n at most 1."""
    name.set_text(text)
    name.set_visible(len(at) > 0)
    if len(at):
        name.xy = (float(at[0, 0]), float(at[0, 1]))
