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


class TaskBars:
    """For each task, from the top: how many solved it, and how many did not."""

    def __init__(self, ax: Axes, tasks: Sequence[str]) -> None:
        self.ax, style = ax, current()
        rows, nothing = np.arange(len(tasks)), np.zeros(len(tasks))
        self.solved = ax.barh(rows, nothing, 0.7, color=style.blue, edgecolor=style.paper, label="solved")
        pale = style.mixed(0.5, style.red)
        self.failed = ax.barh(rows, nothing, 0.7, color=pale, edgecolor=style.paper, hatch="...", label="not solved")
        ax.set_yticks(rows, tasks)
        ax.set(title="Tasks", ylim=(len(tasks) - 0.5, -0.5), xlabel="notebooks")
        ax.xaxis.set_major_locator(MaxNLocator(integer=True))
        ax.legend(ncols=2, loc="lower right", bbox_to_anchor=(1.02, 0.985), borderaxespad=0.1)

    def show(self, solved: NDArray[np.intp], notebooks: int) -> TaskBars:
        """solved: for each task how many of the notebooks."""
        for done, rest, count in zip(self.solved, self.failed, solved, strict=True):
            done.set_width(count)
            rest.set(x=count, width=notebooks - count)
        self.ax.set_xlim(0, notebooks)
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
