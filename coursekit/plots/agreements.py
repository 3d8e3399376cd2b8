"""Every example at its agreement on the hinge loss, or in a pile at its score."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from coursekit.core.text import number
from coursekit.core.validate import Floats
from coursekit.plots import check
from coursekit.plots.ghost import Ghost
from coursekit.plots.lettering import Lettering, Word
from coursekit.plots.marks import DASHED, Plot, class_marks, ring, show_classes, thin_out
from coursekit.plots.style import current
from coursekit.plots.tags import Tag, Tags


class Slacks(Plot):
    """Every example at its agreement, on the hinge loss: its height is its slack. Support vectors ringed.

    Examples beyond the window are drawn at its edge; the agreement of the one furthest to the left is written there.
    """

    left, right, top = -2.0, 4.0, 3.0

    def __init__(self, ax: Axes) -> None:
        super().__init__(ax)
        look = self.look
        ax.set(xlim=(self.left - 0.2, self.right + 0.2), ylim=(-0.25, self.top + 0.2), yticks=range(4))
        ax.set_xlabel("agreement z = y f(x)")
        ax.axvspan(self.left - 0.2, 0, color=look.mixed(0.08), lw=0)
        ax.axvspan(0, 1, color=look.mixed(0.04), lw=0)
        ax.plot([1 - self.top, 1, self.right + 0.2], [self.top, 0, 0], color=look.green, lw=1.6, gid="slack")
        band = ax.bbox.width / ax.figure.dpi * 72 / np.ptp(ax.get_xlim())  # points from 0 to 1
        for x, word in ((-1.1, "wrong"), (0.5, "in the\nstreet"), (2.6, "beyond")):
            size = min(9.0, band / 3.6) if x == 0.5 else 9.0
            ax.text(x, self.top + 0.1, word, ha="center", va="top", fontsize=size, color=look.ink)
        ax.axvline(0, color=look.soft, lw=1)
        ax.axvline(1, color=look.soft, lw=1, ls=DASHED)
        self.points = [self.add(dots) for dots in class_marks(ax, alpha=0.8, clip_on=False)]
        self.support = self.add(ring(ax, 11.5, 1.2, clip_on=False, gid="support"))
        self.ring = self.add(ring(ax, 18, 1.4, "s", clip_on=False, gid="example"))
        self.beyond = self.add(Lettering(ax, size=9))

    def show(
        self, agreements: Floats, y: Floats, slack: Floats, support: ArrayLike, now: int | None = None
    ) -> Slacks:
        """agreements, y, slack: (n,). support: indices. now: the example in a square."""
        check.alike(agreements=agreements, y=y, slack=slack)
        at = np.column_stack([np.clip(agreements, self.left, self.right), np.minimum(slack, self.top)])
        show_classes(self.points, at, y)
        support = check.rows("support", support, len(at))
        self.support.set_data(*at[support].T)
        thin_out(self.support, 11.5, len(support))
        self.ring.set_data(*at[check.rows("now", now, len(at))].T)
        least = float(np.min(agreements, initial=0.0))
        word = Word(self.left + 0.6, self.top - 0.35, f"z = {number(least)}".replace("-", "\N{MINUS SIGN}"), "lm")
        self.beyond.set_words([word] if least < self.left else [])
        return self


class Piles(Plot):
    """Every mail as a dot at its score, those of one column on each other; the dashed line is the border.

    Scores beyond the ends are drawn at the ends.
    """

    reach, columns, high = 2.0, 40, 28.0

    def __init__(self, ax: Axes) -> None:
        super().__init__(ax)
        ax.set(xlim=(-1.05 * self.reach, 1.05 * self.reach), ylim=(0, 1.35 * self.high), yticks=[])
        two_sides(ax)
        self.dots = [self.add(dots) for dots in class_marks(ax, ms=6)]
        self.tags = self.add(Tags(ax, size=12))

    def show(self, scores: Floats, y: Floats) -> Piles:
        """scores, y: (n,)."""
        check.alike(scores=scores, y=y)
        place = np.nan_to_num(np.clip(scores, -self.reach, self.reach))
        column = np.round((place + self.reach) * self.columns / (2 * self.reach)).astype(int)
        level = np.zeros(len(y))
        for k in np.unique(column):
            here = np.flatnonzero(column == k)
            level[here[np.argsort(y[here], kind="stable")]] = np.arange(len(here))
        at = np.column_stack([2 * self.reach / self.columns * column - self.reach,
                              (level + 0.7) * min(1.0, self.high / (level.max() + 1))])
        show_classes(self.dots, at, y)
        tags = []
        for sign, name, style in zip((-1, 1), ("ham", "spam"), self.look.classes, strict=False):
            own = at[y == sign]
            if len(own):
                top = own[own[:, 1].argmax()]
                tags.append(Tag(f"{len(own)} {name}", top, (sign, 0.3), style["color"]))
        self.tags.show(tags)
        return self

    def ghosts(self) -> list[Ghost]:
        """How high the piles are, as a line, to keep."""
        dots, step = np.vstack([dots.get_xydata() for dots in self.dots]), 2 * self.reach / self.columns
        x = np.arange(self.columns + 1) * step - self.reach
        tops = [dots[np.abs(dots[:, 0] - k) < step / 2, 1].max(initial=0.0) for k in x]
        return [Ghost(self.ax, np.column_stack([x, tops]))]


def two_sides(ax: Axes) -> None:
    ax.spines["left"].set_visible(False)
    ax.grid(False)
    ax.axvline(0, color=current().ink, lw=1.4, ls=DASHED)
    for x, word in ((0.02, "← called ham"), (0.98, "called spam →")):
        ax.text(x, 0.97, word, transform=ax.transAxes, ha="left" if x < 0.5 else "right", va="top", size=13)
