"""Values against steps, on scales that follow them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from coursekit.core.validate import Floats
from coursekit.plots.lettering import Lettering, Word
from coursekit.plots.panel import legend_above
from coursekit.plots.ruler import Ruler, nice
from coursekit.plots.style import current


class ObjectiveCurves:
    """Up to four named curves against the step k = 0, 1, 2, ..., with a mark at the current step.

    steps: how far the axis of steps reaches at least. log: the upward scale counts powers of ten; where
    there are values of 0, its floor stands for 0.
    """

    def __init__(self, ax: Axes, names: Sequence[str], log: bool = False, steps: int = 1) -> None:
        self.log, self.steps, look = log, steps, current()
        looks: tuple[dict[str, Any], ...] = (
            {"color": look.blue, "ls": "-", "lw": 1.4},
            {"color": look.red, "ls": (0, (5, 2)), "lw": 2.2},
            {"color": look.ink, "ls": ":", "lw": 2.2},
            {"color": look.green, "ls": "-.", "lw": 1.8},
        )
        self.ruler = Ruler(ax, signed=False)
        self.lines = [ax.plot([], [], **line)[0] for line, _ in zip(looks, names, strict=False)]
        (self.mark,) = ax.plot([], [], color=look.ink, lw=1, alpha=0.6)
        (self.now,) = ax.plot([], [], ls="", marker="o", ms=8, color=look.red, mec=look.paper, mew=1.2)
        self.artists = [*self.ruler.artists, *self.lines, self.mark, self.now]
        if log:
            ax.set_yticks([])
            (self._grid,) = ax.plot([], [], color=look.mixed(0.15), lw=0.8, zorder=0)
            self._labels = Lettering(ax, ax.get_yaxis_transform(), size=9)
            self.artists += [self._grid, self._labels]
        legend_above(ax, self.lines, names, len(names), loc="lower right", bbox_to_anchor=(1.02, 0.97),
                     borderaxespad=0.1, handlelength=2.6, columnspacing=1.2)

    def show(self, curves: Sequence[Floats], now: int | None = None) -> ObjectiveCurves:
        """curves: for each name its values at steps 0, 1, ...; they may differ in length.

        now: the current step (no mark if None).
        """
        wide = nice(max(self.steps, *(len(curve) - 1 for curve in curves)))
        while wide % 4:  # there is no step 7.5
            wide = nice(1.01 * wide)
        self.ruler.fit(wide, axis="x")
        heights = self._heights(curves)
        for line, y in zip(self.lines, heights, strict=True):
            line.set_data(np.arange(len(y)) / wide, y)
        here = [] if now is None else [y[now] for y in heights if now < len(y)]
        self.now.set_data([(now or 0) / wide] * len(here), here)
        self.mark.set_data(*(([], []) if now is None else ([now / wide] * 2, [0.0, 1.0])))
        return self

    def _heights(self, curves: Sequence[Floats]) -> list[Floats]:
        """The values as heights from 0 to 1."""
        every = np.concatenate([np.asarray(curve, float) for curve in curves])
        every = every[np.isfinite(every)]
        if not self.log:
            high = self.ruler.fit(float(every.max(initial=0.0)), axis="y")
            return [np.asarray(curve) / high for curve in curves]
        zeros, every = (every <= 0).any(), every[every > 0]
        top = min(math.ceil(math.log10(every.max(initial=1e-9)) - 1e-9), 308)  # 10^309 is no float any more
        low = max(math.floor(math.log10(every.min(initial=1e300)) + 1e-9), top - 300)
        low = min(low, top - 1) - zeros
        gap = math.ceil((top - low) / 5)
        powers = range(top, low - 1, -gap)
        if zeros:
            powers = [p for p in powers if p - low > 0.1 * (top - low)]
        marks = [(p - low) / (top - low) for p in powers]
        words = [f"{10.0**p:g}" for p in powers]
        if zeros:
            marks, words = [*marks, 0.0], [*words, "0"]
        self._labels.set_words(Word(-0.02, m, word, "rm") for m, word in zip(marks, words, strict=True))
        self._grid.set_data([0, 1.08, np.nan] * len(marks), np.repeat(marks, 3))
        floor = 10.0**low
        return [np.log10(np.maximum(curve, floor) / floor) / (top - low) for curve in curves]
