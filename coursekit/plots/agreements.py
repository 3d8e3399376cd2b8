"""Every example at its agreement, on the zero-one loss and on the hinge loss."""

from __future__ import annotations

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from coursekit.core.validate import Floats
from coursekit.plots import check
from coursekit.plots.marks import DASHED, class_marks, ring, show_classes
from coursekit.plots.style import current


class Agreements:
    """Every example at its agreement, on the zero-one loss; the hinge loss for comparison.

    Agreements beyond +-`reach` are drawn at the edge.
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
        self.points = class_marks(ax, alpha=0.75, clip_on=False)
        self.ring = ring(ax, 15, 1.8)
        self.artists: list[Artist] = [*self.points, self.ring]

    def show(self, agreements: Floats, losses: Floats, y: Floats, chosen: int) -> Agreements:
        """agreements, losses: (n,). y: the labels. chosen: the example to ring."""
        check.alike(agreements=agreements, losses=losses, y=y)
        at = np.column_stack([np.clip(agreements, -self.reach, self.reach), losses])
        show_classes(self.points, at, y)
        self.ring.set_data(*at[check.rows("chosen", chosen, len(at))].T)
        return self


class Slacks:
    """Every example at its agreement, on the hinge loss: its height is its slack. Support vectors ringed.

    Examples beyond the window are drawn at its edge.
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
        ax.axvline(1, color=look.soft, lw=1, ls=DASHED)
        self.points = class_marks(ax, alpha=0.8, clip_on=False)
        self.support = ring(ax, 11.5, 1.2, clip_on=False)
        self.ring = ring(ax, 18, 1.4, "s", clip_on=False)
        self.artists: list[Artist] = [*self.points, self.support, self.ring]

    def show(
        self, agreements: Floats, y: Floats, slack: Floats, support: ArrayLike, now: int | None = None
    ) -> Slacks:
        """agreements, y, slack: (n,). support: indices. now: the example in a square."""
        check.alike(agreements=agreements, y=y, slack=slack)
        at = np.column_stack([np.clip(agreements, self.left, self.right), np.minimum(slack, self.top)])
        show_classes(self.points, at, y)
        self.support.set_data(*at[check.rows("support", support, len(at))].T)
        self.ring.set_data(*at[check.rows("now", now, len(at))].T)
        return self
