"""How a class did: points of all, and who solved what."""

import textwrap
from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator
from numpy.typing import NDArray

from coursekit.core.validate import Floats
from coursekit.plots.style import current


def points_histogram(ax: Axes, points: Floats, most: float) -> None:
    """How many notebooks have how many points, in at most 20 bars of equal width from 0 to the most possible.

    points: one entry for each notebook; what lies on an edge counts to its right, all points to the left.
    """
    counts, edges = np.histogram(points, np.linspace(0, most, min(20, max(1, round(most))) + 1))
    ax.bar(edges[:-1], counts, np.diff(edges), align="edge", color=current().blue, edgecolor=current().paper)
    ax.set(title="Points", xlim=(0, most), ylim=(0, 1.05 * max(1, int(counts.max()))), xlabel=f"points of {most:g}",
           ylabel="notebooks")
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    ax.yaxis.set_major_locator(MaxNLocator(integer=True))


def outcome_bars(ax: Axes, tasks: Sequence[str], outcomes: Sequence[str], counts: NDArray[np.intp]) -> None:
    """For each task, from the top: what became of it in how many notebooks, one piece of the bar for each outcome.

    counts: shape (tasks, outcomes). The first outcome is the good one; one that nobody had is not in the legend. No
    names: it can be shown to the class.
    """
    style, rows = current(), np.arange(len(tasks))
    looks = (
        (style.blue, ""), (style.mixed(0.45, style.blue), ""), (style.red, ""), (style.mixed(0.12), "..."),
        (style.mixed(0.55, style.ochre), "//"), (style.mixed(0.5, style.violet), "xx"),
        (style.mixed(0.4, style.red), ""))
    before = np.cumsum(counts, axis=1) - counts
    seen = []
    for outcome, (color, hatch), numbers, starts in zip(outcomes, looks, counts.T, before.T, strict=False):
        bars = ax.barh(rows, numbers, 0.7, starts, color=color, edgecolor=style.paper, hatch=hatch, label=outcome)
        seen += [bars] * bool(numbers.any())
    ax.set_yticks(rows, tasks)
    ax.set(xlim=(0, max(1, counts.sum(axis=1).max())), ylim=(len(tasks) - 0.5, -0.5), xlabel="notebooks")
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    ax.legend(handles=seen, ncols=3, loc="lower right", bbox_to_anchor=(1.02, 1.0), borderaxespad=0.1)


def mistake_bars(ax: Axes, tasks: Sequence[str], sentences: Sequence[str], times: Sequence[int]) -> None:
    """Named mistakes, from the top: how often each was made, the first most often, and what is said about it."""
    rows, most = np.arange(len(tasks)), times[0]
    ax.barh(rows, times, 0.7, color=current().red)
    for row, sentence in enumerate(sentences):
        ax.text(1.1 * most, row, textwrap.fill(textwrap.shorten(sentence, 190), 96), va="center", size=8)
    ax.set_yticks(rows, tasks)
    ax.set(title="Named mistakes", xlim=(0, 6 * most), ylim=(len(tasks) - 0.5, -0.5))
    ax.set_xlabel("notebooks", loc="left")
    ax.set_xticks([tick for tick in MaxNLocator(3, integer=True).tick_values(0, most) if tick <= most])
    ax.spines["bottom"].set_bounds(0, most)
