"""Three views of a perceptron's run: its table, the way of theta, and the two bounds on its length."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import FancyArrowPatch, Rectangle

from coursekit.algorithms.trace import Trace, TraceTable
from coursekit.core.validate import Floats
from coursekit.plots.lettering import Lettering, Word
from coursekit.plots.ruler import Ruler
from coursekit.plots.style import current


class TraceRows:
    """The rows of the trace table around the current visit, which is marked.

    Visits to come show only their example, so that the learner can predict the rest.
    """

    columns = ((0.057, "visit"), (0.165, "example"), (0.325, "x"), (0.37, "y"), (0.60, "θ before"),
               (0.68, "f"), (0.78, "mistake"), (0.995, "θ after"))

    def __init__(self, ax: Axes, rows: int = 7) -> None:
        self.rows, look = rows, current()
        ax.set(xlim=(0, 1), ylim=(rows + 1, 0))
        ax.axis("off")
        for x, name in self.columns:
            ax.text(x, 0.5, name, ha="right", va="center", weight="bold")
        ax.axhline(1.0, color=look.soft, lw=1)
        self.mark = ax.add_patch(Rectangle((0, 1), 1, 1, facecolor=look.highlight, edgecolor=look.ink, lw=1))
        self.text = Lettering(ax)
        self.artists = [self.mark, self.text]

    def show(self, trace: Trace, visit: int) -> TraceRows:
        """visit: the current visit, counted from 1; 0 before the first."""
        total = len(trace.visits)
        first = int(np.clip(visit - self.rows // 2, 1, max(1, total - self.rows + 1)))
        rows = [trace.row(v) for v in range(first, min(first + self.rows, total + 1))]
        cells = TraceTable(rows, total).cells()
        self.text.set_words(
            Word(x, r + 1.5, cell, alpha=1.0 if rows[r].visit <= visit else 0.7)
            for r, line in enumerate(cells)
            for (x, _), cell in zip(self.columns, line if rows[r].visit <= visit else line[:4], strict=False)
        )
        self.mark.set_visible(visit > 0)
        self.mark.set_y(1 + visit - first)
        return self


class ParameterPath:
    """The way of the weights (theta_1, theta_2) from 0, one dot a mistake, and theta as an arrow."""

    def __init__(self, ax: Axes) -> None:
        self.ruler, look = Ruler(ax, signed=True), current()
        (self.path,) = ax.plot([], [], color=look.soft, lw=1.2, marker=".", ms=5)
        self.arrow = ax.add_patch(FancyArrowPatch((0, 0), (0, 0), color=look.ink, lw=2.2, arrowstyle="-|>",
                                                  mutation_scale=15, shrinkA=0, shrinkB=0))
        self.update = ax.add_patch(FancyArrowPatch((0, 0), (0, 0), color=look.green, lw=2.0, arrowstyle="-|>",
                                                   mutation_scale=11, shrinkA=0, shrinkB=0, ls="--"))
        self.artists = [*self.ruler.artists, self.path, self.arrow, self.update]

    def show(self, thetas: Floats, before: Floats, theta: Floats) -> ParameterPath:
        """thetas: (k, 2 or more), the weights after each mistake; before and theta: the current step."""
        way = np.vstack([np.zeros(2), thetas[:, :2]])
        scale = self.ruler.fit(np.abs(way).max())
        self.path.set_data(*way.T / scale)
        self.arrow.set_positions((0, 0), tuple(theta[:2] / scale))
        self.arrow.set_visible(bool(theta[:2].any()))
        moved = bool((theta[:2] != before[:2]).any())
        self.update.set_positions(tuple(before[:2] / scale), tuple(theta[:2] / scale))
        self.update.set_visible(moved and bool(before[:2].any()))
        return self


class MistakeBounds:
    """||theta|| against mistakes k, between gamma k from below and sqrt(k) from above.

    All in units of eta R, R the longest example: as if the longest had length 1.
    """

    def __init__(self, ax: Axes) -> None:
        self.ruler, look = Ruler(ax, signed=False), current()
        (self.upper,) = ax.plot([], [], color=look.red, ls="--")
        (self.lower,) = ax.plot([], [], color=look.blue, ls="-.")
        (self.lengths,) = ax.plot([], [], ls="", marker=".", ms=5, color=look.soft)
        (self.now,) = ax.plot([], [], ls="", marker="o", ms=9, color=look.ink)
        self.names = Lettering(ax, size=10)
        self.artists = [*self.ruler.artists, self.upper, self.lower, self.lengths, self.now, self.names]

    def show(self, lower: Floats, upper: Floats, lengths: Floats, k: int) -> MistakeBounds:
        """lower, upper: the bounds after 0, 1, ... mistakes. lengths: ||theta|| after 0, 1, ... mistakes;
        may be shorter than the bounds. k: mistakes so far."""
        wide = self.ruler.fit(len(upper) - 1, axis="x")
        high = self.ruler.fit(max(upper.max(), lengths.max()), axis="y")
        steps = np.arange(len(upper)) / wide
        self.upper.set_data(steps, upper / high)
        self.lower.set_data(steps, lower / high)
        done = lengths[: k + 1]
        self.lengths.set_data(steps[: len(done)], done / high)
        classic = np.isclose(upper[-1], np.sqrt(len(upper) - 1))
        middle = 2 * len(steps) // 3
        low = lower[middle] / high
        self.lower.set_visible(low > 0)  # not separable: no bound from below
        below = low > 0.12  # there is room for the name between the line and the axis
        words = [Word(steps[middle], upper[middle] / high, "√k " if classic else "at most ", "rd")]
        if low > 0:  # to the right, away from the dots
            words.append(Word(steps[middle], low if below else low + 0.05, "  γ k" if classic else " at least",
                              "la" if below else "ld"))
        self.names.set_words(words)
        self.now.set_data([steps[k]], [lengths[k] / high])
        return self
