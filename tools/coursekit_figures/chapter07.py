"""Pictures of chapter 7: twins on the edge of the diamond, the Bolasso's scheme and its votes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap
from matplotlib.patches import FancyBboxPatch
from numpy.typing import ArrayLike, NDArray

from coursekit.plots.listing import called
from coursekit.plots.marks import Plot
from coursekit.plots.style import current
from coursekit_figures import kit

WORDS = 11.5


def twins(ax: Axes, name: str, ridge: float = 0.0) -> None:
    """Two equal features: lines of equal fit, and the weights of one price, where |w1| + |w2| + ridge (w1^2 + w2^2)
    is that of w1 = w2 = 0.3. With ridge = 0 one side of the price lies on a line of equal fit.
    """
    look, share = current(), 0.3
    ends = np.array([-2.9, 3.5]) * share
    ticks = np.arange(-2, 3) * share
    ax.set(xlim=ends, ylim=ends, xticks=ticks, yticks=ticks, aspect="equal", xlabel="w₁", ylabel="w₂", title=name)
    for total in np.arange(-5, 7) * share:
        ax.plot(ends, total - ends, color=look.mixed(0.25), lw=1)
    turn = np.linspace(0, 2 * np.pi, 721)
    c, s = np.abs(np.cos(turn)), np.abs(np.sin(turn))
    price = 2 * share + 2 * ridge * share**2
    reach = 2 * price / ((c + s) + np.sqrt((c + s) ** 2 + 4 * ridge * price))  # r (c + s) + ridge r^2 = price
    ax.fill(reach * np.cos(turn), reach * np.sin(turn), color=look.mixed(0.25, look.green), zorder=1.2)
    ax.plot(reach * np.cos(turn), reach * np.sin(turn), color=look.green, lw=2)
    if ridge:
        ax.plot(share, share, "o", color=look.red, ms=11, zorder=4)
    else:
        ax.plot([0, 2 * share], [2 * share, 0], color=look.red, lw=6, solid_capstyle="round", zorder=4)
    kit.label(ax, "one answer" if ridge else "all of these", (share, share), look.red, (1, 1), WORDS)
    kit.label(ax, "one price", (-share, -share * 0.6), look.green, (-1, -1), WORDS)
    kit.label(ax, "equal fit", (2 * share, 2.6 * share), look.soft, (0, 1), WORDS)


def scheme(ax: Axes, lists: Sequence[Sequence[str]]) -> None:
    """The Bolasso: examples, three bootstrap samples with L1's list for each, and the words on every list."""
    look, draws = current(), ((2, 2, 3, 5, 6, 6), (1, 3, 3, 4, 5, 6), (1, 1, 2, 4, 4, 6))
    lists = [[called(word, 22) for word in words] for words in lists]
    every = [word for word in lists[0] if all(word in one for one in lists)]
    rows = max(map(len, lists))
    ax.set(xlim=(0, 3), ylim=(-3.1 - rows, 3.4))
    ax.axis("off")
    _mails(ax, 1.5, 2.9, range(1, 7))
    ax.text(2.1, 2.9, "the emails", va="center", size=WORDS)
    for k, (mails, words) in enumerate(zip(draws, lists, strict=True)):
        x = k + 0.5
        Plot(ax).add_arrow(look.soft, 12, lw=1.4).set_positions((1.5 + 0.25 * (k - 1), 2.4), (x, 1.1))
        _mails(ax, x, 0.7, mails)
        Plot(ax).add_arrow(look.soft, 12, lw=1.4).set_positions((x, 0.25), (x, -0.75))
        ax.text(x + 0.06, -0.25, "L1", va="center", size=WORDS, weight="bold")
        for row, word in enumerate(sorted(words, key=lambda word: word not in every)):
            kept = word in every
            ax.text(x, -1.2 - row, word, ha="center", va="center", size=WORDS + kept,
                    color=look.green if kept else look.mixed(0.6), weight="bold" if kept else "normal")
    ax.text(0.0, 2.6, "draw with\nreplacement", va="center", size=WORDS)
    y = -1.9 - rows
    ax.add_patch(FancyBboxPatch((0.06, y - 0.75), 2.88, 1.5, boxstyle="round,pad=0,rounding_size=0.1",
                             fc=look.mixed(0.15, look.green), ec=look.green, lw=1.4))
    ax.text(1.5, y + 0.32, "on every list:", ha="center", va="center", size=WORDS)
    ax.text(1.5, y - 0.35, "  ".join(every), ha="center", va="center", size=WORDS + 1, color=look.green, weight="bold")


def votes(ax: Axes, selected: NDArray[np.bool_], names: Sequence[str]) -> None:
    """Which features L1 selects in which bootstrap sample, (samples, d): the 22 most frequent, those in all green."""
    look, share = current(), selected.mean(axis=0)
    order = np.argsort(-share, kind="stable")[:22]
    every = share[order] == 1
    cells = np.where(selected[:, order].T, 1 + every[:, None], 0)
    ax.imshow(cells, cmap=ListedColormap([look.paper, look.mixed(0.3), look.green]), vmin=0, vmax=2, aspect="auto",
              interpolation="nearest", extent=(0.5, len(selected) + 0.5, len(order) - 0.5, -0.5))
    ax.set_yticks(range(len(order)), [called(names[j], 22) for j in order], size=10)
    for tick, whole in zip(ax.get_yticklabels(), every, strict=True):
        tick.set(color=look.green if whole else look.ink, weight="bold" if whole else "normal")
    ax.set_yticks(np.arange(len(order)) + 0.5, minor=True)
    ax.grid(axis="y", which="minor", color=look.paper, lw=2)
    ax.tick_params(axis="y", which="both", length=0)
    ax.spines[:].set_visible(False)
    ax.set_xlabel("bootstrap sample")


def counts(ax: Axes, groups: Sequence[ArrayLike], names: Sequence[str], xlabel: str) -> None:
    """Whole numbers of several runs, one row of dots for each group, equal ones stacked; the mean as a bar."""
    look = current()
    for row, values in enumerate(groups):
        found = np.sort(values)
        height = np.array([np.sum(found[:k] == value) for k, value in enumerate(found)])
        mean, rise = found.mean(), min(0.07, 0.7 / max(height.max(), 1))
        ax.plot(found, row - rise * height, ls="", marker="o", ms=5, color=look.blue, alpha=0.8, mew=0)
        ax.plot([mean, mean], [row - 0.25, row + 0.1], color=look.red, lw=3)
        ax.text(mean + 0.4, row + 0.1, f"mean {mean:.1f}", va="top", color=look.red, size=WORDS)
    ax.set_yticks(range(len(names)), names, size=WORDS)
    ax.set(ylim=(len(names) - 0.4, -0.8), xlabel=xlabel)
    ax.tick_params(axis="y", length=0)
    ax.spines["left"].set_visible(False)


def _mails(ax: Axes, x: float, y: float, numbers: Sequence[int] | range) -> None:
    for k, number in enumerate(numbers):
        ax.text(x + 0.135 * (k - 2.5), y, str(number), ha="center", va="center", size=10,
                bbox={"boxstyle": "square,pad=0.25", "fc": current().highlight, "ec": current().soft, "lw": 0.8})
