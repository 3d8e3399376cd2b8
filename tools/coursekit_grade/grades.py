"""How a class did: points of all, and who solved what."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator
from numpy.typing import NDArray

from coursekit.core.validate import Floats
from coursekit.plots.style import current


class PointsHistogram:
    """How many notebooks have how many points, in at most 20 bars of equal width from 0 to the most possible."""

    def __init__(self, ax: Axes, most: float) -> None:
        self.ax = ax
        self.edges = np.linspace(0, most, min(20, max(1, round(most))) + 1)
        self.bars = ax.bar(
            self.edges[:-1], np.zeros(len(self.edges) - 1), np.diff(self.edges), align="edge",
            color=current().blue, edgecolor=current().paper,
        )
        ax.set(title="Points", xlim=(0, most), xlabel=f"points of {most:g}", ylabel="notebooks")
        ax.xaxis.set_major_locator(MaxNLocator(integer=True))
        ax.yaxis.set_major_locator(MaxNLocator(integer=True))

    def show(self, points: Floats) -> PointsHistogram:
        """points: one entry for each notebook; what lies on an edge counts to its right, all points to the left."""
        counts, _ = np.histogram(points, self.edges)
        for bar, count in zip(self.bars, counts, strict=True):
            bar.set_height(count)
        self.ax.set_ylim(0, 1.05 * max(1, counts.max()))
        return self


class OutcomeBars:
    """For each task, from the top: what became of it in how many notebooks, one piece of the bar for each outcome.

    The first outcome is the good one. No names: it can be shown to the class.
    """

    def __init__(self, ax: Axes, tasks: Sequence[str], outcomes: Sequence[str]) -> None:
        self.ax, style = ax, current()
        rows, nothing = np.arange(len(tasks)), np.zeros(len(tasks))
        looks = (
            (style.blue, ""), (style.mixed(0.45, style.blue), ""), (style.red, ""), (style.mixed(0.12), "..."),
            (style.mixed(0.55, style.ochre), "//"), (style.mixed(0.5, style.violet), "xx"),
            (style.mixed(0.4, style.red), ""),
        )
        self.bars = [
            ax.barh(rows, nothing, 0.7, color=color, edgecolor=style.paper, hatch=hatch, label=outcome)
            for outcome, (color, hatch) in zip(outcomes, looks, strict=False)
        ]
        ax.set_yticks(rows, tasks)
        ax.set(ylim=(len(tasks) - 0.5, -0.5), xlabel="notebooks")
        ax.xaxis.set_major_locator(MaxNLocator(integer=True))

    def show(self, counts: NDArray[np.intp]) -> OutcomeBars:
        """counts: shape (tasks, outcomes). An outcome that nobody had is not in the legend."""
        before = np.cumsum(counts, axis=1) - counts
        for bars, numbers, starts in zip(self.bars, counts.T, before.T, strict=True):
            for bar, number, start in zip(bars, numbers, starts, strict=True):
                bar.set(x=start, width=number)
        self.ax.set_xlim(0, max(1, counts.sum(axis=1).max()))
        seen = [bars for bars, numbers in zip(self.bars, counts.T, strict=True) if numbers.any()]
        self.ax.legend(handles=seen, ncols=3, loc="lower right", bbox_to_anchor=(1.02, 1.0), borderaxespad=0.1)
        return self


class MistakeBars:
    """Named mistakes, from the top: how often each was made, and what is said about it."""

    def __init__(self, ax: Axes, tasks: Sequence[str], sentences: Sequence[str], most: int) -> None:
        rows = np.arange(len(tasks))
        self.bars = ax.barh(rows, np.zeros(len(tasks)), 0.7, color=current().red)
        for row, sentence in enumerate(sentences):
            ax.text(1.1 * most, row, textwrap.fill(textwrap.shorten(sentence, 190), 96), va="center", size=8)
        ax.set_yticks(rows, tasks)
        ax.set(title="Named mistakes", xlim=(0, 6 * most), ylim=(len(tasks) - 0.5, -0.5))
        ax.set_xlabel("notebooks", loc="left")
        ax.set_xticks([tick for tick in MaxNLocator(3, integer=True).tick_values(0, most) if tick <= most])
        ax.spines["bottom"].set_bounds(0, most)

    def show(self, times: Sequence[int]) -> MistakeBars:
        """times: for each mistake."""
        for bar, count in zip(self.bars, times, strict=True):
            bar.set_width(count)
        return self
