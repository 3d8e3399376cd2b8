"""The plane with two classes and the line between them."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import FancyArrow, Polygon
from numpy.typing import ArrayLike

from coursekit.core.datasets import Dataset
from coursekit.core.validate import Floats
from coursekit.plots.ghost import Ghost
from coursekit.plots.panel import legend_above
from coursekit.plots.style import current


class DecisionBoundary:
    """Two-dimensional data, the line theta . (x, 1) = 0, its two half planes and its normal.

    show(data, theta, before, now): `theta` (3,), offset last; no line where its weights are 0.
    before: an older theta, drawn dashed. now: index, or indices, of examples to ring.
    Misclassified examples (y f <= 0) carry a cross.
    """

    def __init__(self, ax: Axes, legend: bool = True) -> None:
        self.ax, self._framed, look = ax, False, current()
        classes = look.negative, look.positive
        self.sides = [
            ax.add_patch(Polygon(np.zeros((4, 2)), facecolor=s["color"], alpha=look.tint, lw=0))
            for s in classes
        ]
        (self.older,) = ax.plot([], [], color=look.ink, lw=1.3, ls=(0, (4, 3)), alpha=0.7)
        (self.line,) = ax.plot([], [], color=look.ink, lw=2.2)
        self.normal = ax.add_patch(FancyArrow(0, 0, 0, 0, width=0, color=look.ink, lw=1.5, visible=False))
        self.points = [
            ax.plot([], [], ls="", ms=7, mec=look.paper, mew=0.6, **s)[0] for s in classes
        ]
        (self.wrong,) = ax.plot([], [], ls="", marker="x", ms=11.5, mew=1.5, color=look.ink, zorder=1.9)
        (self.ring,) = ax.plot([], [], ls="", marker="o", ms=16, mfc="none", mec=look.ink, mew=1.8)
        if legend:
            self.legend = legend_above(
                ax, [*self.points, self.wrong], ["-1", "+1", "misclassified"], 3, columnspacing=1.0,
                loc="lower left", bbox_to_anchor=(-0.02, 0.99), borderaxespad=0.1,
            )
        self.artists = [*self.sides, self.older, self.line, self.normal, *self.points, self.wrong, self.ring]

    def name_classes(self, negative: str, positive: str) -> None:
        """What the legend above the picture calls the classes."""
        for text, name in zip(self.legend.get_texts(), (negative, positive), strict=False):
            text.set_text(name)

    def limits(self, X: Floats, room: float = 0.12) -> tuple[float, float, float, float]:
        """(x low, x high, y low, y high) that hold the points X with some room, both axes on one scale."""
        low, high = X.min(axis=0), X.max(axis=0)
        box = self.ax.get_window_extent()
        size = (1 + 2 * room) * (high - low)
        scale = max(size[0] / box.width, size[1] / box.height) or 1.0
        (cx, cy), (w, h) = (low + high) / 2, (scale * box.width / 2, scale * box.height / 2)
        return cx - w, cx + w, cy - h, cy + h

    def frame(self, limits: tuple[float, float, float, float]) -> None:
        """Fix what part of the plane is seen. Done by show() when it has not been called."""
        self.ax.set(xlim=limits[:2], ylim=limits[2:])
        self._framed = True

    def show(
        self, data: Dataset, theta: Floats | None = None, before: Floats | None = None, now: ArrayLike | None = None
    ) -> DecisionBoundary:
        if not self._framed:
            self.frame(self.limits(data.X))
        for points, label in zip(self.points, (-1, 1), strict=True):
            points.set_data(*data.X[data.y == label].T)
        self._draw_line(theta)
        older = None if before is None else self._ends(before)
        self.older.set_data(*(([], []) if older is None else older.T))
        wrong = np.zeros(len(data), bool)
        if theta is not None and theta.any():
            wrong = data.y * (data.X @ theta[:2] + theta[2]) <= 0
        self.wrong.set_data(*data.X[wrong].T)
        self.ring.set_data(*data.X[[] if now is None else np.atleast_1d(now)].T)
        return self

    def ghosts(self) -> list[Ghost]:
        """The line as it is, to keep."""
        return [Ghost(self.ax, self.line.get_xydata())] if self.line.get_visible() else []

    def _ends(self, theta: Floats) -> Floats | None:
        return line_ends(self.ax, theta)

    def _draw_line(self, theta: Floats | None) -> None:
        ends = None if theta is None else self._ends(theta)
        for artist in (*self.sides, self.line, self.normal):
            artist.set_visible(ends is not None)
        if theta is None or ends is None:
            return
        self.line.set_data(*ends.T)
        unit = theta[:2] / np.hypot(*theta[:2])
        reach = np.hypot(*(ends[1] - ends[0])) * unit
        for side, sign in zip(self.sides, (-1, 1), strict=True):
            side.set_xy([ends[0], ends[1], ends[1] + sign * reach, ends[0] + sign * reach])
        size = 0.11 * np.ptp(self.ax.get_xlim())
        foot = ends.mean(axis=0)
        self.normal.set_data(
            x=foot[0], y=foot[1], dx=size * unit[0], dy=size * unit[1],
            head_width=0.35 * size, head_length=0.4 * size,
        )


def line_ends(ax: Axes, theta: Floats) -> Floats | None:
    """Two points of the line theta . (x, 1) = 0, far outside the picture; None where there is no line."""
    w, length = theta[:2], float(np.hypot(*theta[:2]))
    if length == 0:
        return None
    across, up = ax.get_xlim(), ax.get_ylim()
    centre = np.array([np.mean(across), np.mean(up)])
    foot = centre - (w @ centre + theta[2]) / length**2 * w
    far = np.ptp(across) + np.ptp(up) + 2 * np.hypot(*(foot - centre))
    along = far * np.array([-w[1], w[0]]) / length
    return np.array([foot - along, foot + along])
