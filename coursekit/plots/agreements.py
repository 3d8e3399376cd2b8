"""Every example at its agreement, on the hinge loss."""

from __future__ import annotations

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from coursekit.core.text import number
from coursekit.core.validate import Floats
from coursekit.plots import check
from coursekit.plots.lettering import Lettering, Word
from coursekit.plots.marks import DASHED, class_marks, ring, show_classes
from coursekit.plots.style import current


class Slacks:
    """Every example at its agreement, on the hinge loss: its height is its slack. Support vectors ringed.

    Examples beyond the window are drawn at its edge; the agreement of the one furthest to the left is written there.
    """

    left, right, top = -2.0, 4.0, 3.0

    def __init__(self, ax: Axes) -> None:
        look = current()
        ax.set(xlim=(self.left - 0.2, self.right + 0.2), ylim=(-0.25, self.top + 0.2), yticks=range(4))
        ax.set_xlabel("agreement z = y f(x)")
        ax.axvspan(self.left - 0.2, 0, color=look.mixed(0.08), lw=0)
        ax.axvspan(0, 1, color=look.mixed(0.04), lw=0)
        ax.plot([1 - self.top, 1, self.right + 0.2], [self.top, 0, 0], color=look.green, lw=1.6)
        band = ax.bbox.width / ax.figure.dpi * 72 / np.ptp(ax.get_xlim())  # points from 0 to 1
        for x, word in ((-1.1, "wrong"), (0.5, "in the\nstreet"), (2.6, "beyond")):
            size = min(9.0, band / 3.6) if x == 0.5 else 9.0
            ax.text(x, self.top + 0.1, word, ha="center", va="top", fontsize=size, color=look.ink)
        ax.axvline(0, color=look.soft, lw=1)
        ax.axvline(1, color=look.soft, lw=1, ls=DASHED)
        self.points = class_marks(ax, alpha=0.8, clip_on=False)
        self.support = ring(ax, 11.5, 1.2, clip_on=False)
        self.ring = ring(ax, 18, 1.4, "s", clip_on=False)
        self.beyond = Lettering(ax, size=9)
        self.artists: list[Artist] = [*self.points, self.support, self.ring, self.beyond]

    def show(
        self, agreements: Floats, y: Floats, slack: Floats, support: ArrayLike, now: int | None = None
    ) -> Slacks:
        """agreements, y, slack: (n,). support: indices. now: the example in a square."""
        check.alike(agreements=agreements, y=y, slack=slack)
        at = np.column_stack([np.clip(agreements, self.left, self.right), np.minimum(slack, self.top)])
        show_classes(self.points, at, y)
        self.support.set_data(*at[check.rows("support", support, len(at))].T)
        self.ring.set_data(*at[check.rows("now", now, len(at))].T)
        least = float(np.min(agreements, initial=0.0))
        word = Word(self.left + 0.6, self.top - 0.35, f"z = {number(least)}".replace("-", "\N{MINUS SIGN}"), "lm")
        self.beyond.set_words([word] if least < self.left else [])
        return self


def flip(ax: Axes, scores: Floats, y: Floats) -> list[Artist]:
    """Scores, (n,), on an upper line, and on a lower one the agreements y f that they become: wrong is left of 0."""
    scores, y, look = check.shaped("scores", scores, "n"), check.shaped("y", y, len(scores)), current()
    agreements, reach = y * scores, 1.1 * float(np.abs(scores).max() or 1.0)
    ax.set(xlim=(-reach, reach), ylim=(-0.55, 1.6), yticks=[])
    ax.grid(False)
    ax.spines[["left", "bottom"]].set_visible(False)
    ax.tick_params(axis="x", length=0)
    wrong = int((agreements <= 0).sum())
    artists: list[Artist] = [ax.axvspan(-reach, 0, ymax=0.42, color=look.mixed(0.12), lw=0)]
    artists += [ax.axhline(row, color=look.soft, lw=1) for row in (0, 1)]
    artists.append(ax.axvline(0, color=look.ink, lw=1.6))
    for score, z in zip(scores, agreements, strict=True):
        artists += ax.plot([score, z], [1, 0], color=look.mixed(0.25), lw=0.9, zorder=1)
    for row, values in ((1.0, scores), (0.0, agreements)):
        dots = class_marks(ax, ms=10, alpha=0.85)
        show_classes(dots, np.column_stack([values, np.full(len(values), row)]), y)
        artists += dots
    for x, height, words, side in (
        (-reach, 1.16, "score f(x):\npredicted −1", "left"), (reach, 1.16, "\npredicted +1", "right"),
        (-reach, -0.28, f"agreement y f(x):\nwrong, {wrong} of {len(y)}", "left"), (reach, -0.28, "\nright", "right"),
    ):
        artists.append(ax.text(x, height, words, ha=side, va="center", size=12))
    return artists
