"""Steps of one size with momentum on a parabola: which pairs arrive, how fast, and the errors that they shrink."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import to_rgba

from coursekit.core.validate import Floats
from coursekit.plots.lettering import Word
from coursekit.plots.marks import Plot, blank
from coursekit.plots.style import Style
from coursekit.plots.tags import Tag


class StepLand(Plot):
    """The plane of step size and momentum: a land of pairs that arrive, the darker the faster; its best place a star.

    To the right it counts step size times the largest curvature: then its shore is always the same line.
    """

    levels = (1.0, 0.96, 0.92, 0.88, 0.84, 0.8, 0.76, 0.6, 0.4, 0.2)  # at most so much of the error is left by a step
    shares = (0.1, 0.18, 0.27, 0.36, 0.46, 0.57, 0.68, 0.78, 0.88, 0.95)  # of the green, for each
    extent = (0.0, 4.8, 0.0, 1.0)

    def make(self, ax: Axes, look: Style) -> None:
        blank(ax, xlim=self.extent[:2], ylim=self.extent[2:], facecolor=look.mixed(0.08))
        self.areas = [self.add_area(color=look.mixed(share, look.green)) for share in self.shares]
        ax.plot([2, 4], [0, 1], color=look.ink, lw=1.6, gid="shore")
        self.star = self.add_marks("*", 15, mfc=look.paper, mec=look.ink, mew=1, gid="best", clip_on=False)
        point: dict[str, Any] = {"mec": look.ink, "zorder": 2.5, "clip_on": False, "gid": "point", "glides": True}
        self.rings = [self.add_marks("o", 14, mfc=look.paper, mew=2.8, **point),
                      self.add_marks("o", 5, mfc=look.ink, mew=0, **point)]
        ax.set_xlabel("step size η →", loc="right")
        ax.set_ylabel("momentum →", loc="top")
        self.limit, self.names = self.add_words(size=10), self.add_tags(size=11)

    def show(self, curvatures: Floats, eta: float, momentum: float) -> StepLand:
        """curvatures: (2,), the smaller first."""
        self.high = float(curvatures[1])
        ratio, high = float(curvatures[1] / curvatures[0]), self.high
        for area, left in zip(self.areas, self.levels, strict=True):
            lower, upper = ratio * (1 - left), 1 + left
            cut = max(0.0, (lower - upper) / (lower + upper))  # below this momentum / left the two directions disagree
            area.set_visible(cut < left)
            (x0, x1), (x2, x3) = ((lower * (1 - m), upper * (1 + m)) for m in (cut, left))
            area.set_xy([(x0, left * cut), (x1, left * cut), (x3, left**2), (x2, left**2)])
        root = np.sqrt(ratio)
        best = 4 / (1 + 1 / root) ** 2, ((root - 1) / (root + 1)) ** 2
        self.star.set_data(*np.reshape(best, (2, 1)))
        for ring in self.rings:
            ring.set_data([min(eta * high, self.extent[1])], [momentum])
        self.names.show([Tag(f"best: leaves {np.sqrt(best[1]):.2g}", best, (1, -0.2)),
                         Tag("arrives", [(0.62, 0.94), (2.6, 0.94)], area=True, only=True),
                         Tag("flies off", [(3.7, 0.12), (4.0, 0.3)], color=self.look.mixed(0.7), area=True, only=True)])
        self.limit.set_words([Word(2, -0.05, f"η = {2 / high:.2g}", "ma")])
        return self


class ErrorBars(Plot):
    """How much of the error in one direction is left after 0, 1, 2, ... steps, in units of where it began."""

    steps, top = 12, 2.8

    def __init__(self, ax: Axes, color: str, name: str) -> None:
        super().__init__(ax)
        look = self.look
        self.color, self.name = getattr(look, color), name
        ax.set(xlim=(-0.6, self.steps + 0.6), ylim=(0, self.top), xticks=[], yticks=[])
        ax.spines["left"].set_visible(False)
        ax.axhline(1, color=look.ink, lw=1, ls=":")
        self.bars = [self.add(bar, glides=True) for bar in ax.bar(range(self.steps + 1), 0, 0.74, gid=name)]
        self.words = self.add_words(size=10.5)

    def show(self, errors: Floats, leaves: float, done: int, told: bool) -> ErrorBars:
        """errors: (n,). leaves: of the error, by a step in the long run. done: bars of later steps are paler."""
        color = self.color if leaves < 1 else self.look.red
        for t, bar in enumerate(self.bars):
            bar.set_height(min(abs(errors[t]) / abs(errors[0]), self.top) if t < len(errors) else 0)
            bar.set_facecolor(to_rgba(color if t <= done else self.look.mixed(0.35, color)))
        words = f"{'leaves' if leaves < 1 else 'times'} {leaves:.2f}"
        self.words.set_words([Word(self.steps + 0.5, 1.08 * self.top, words, "rd")] if told else [])
        return self
