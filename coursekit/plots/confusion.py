"""Which class is taken for which: a table of counts, darker where more of a class ends up."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.patches import Rectangle
from numpy.typing import NDArray

from coursekit.plots.lettering import Lettering, Word
from coursekit.plots.style import current


class ConfusionTable:
    """Counts of examples by true class (row) and predicted class (column); zeros are left empty.

    The framed diagonal is right. The tint follows the square root of the cell's share of its row, so that
    single mistakes are seen, and in a class with few examples as clearly as in one with many.
    """

    def __init__(self, ax: Axes, classes: tuple[str, ...]) -> None:
        k, look = len(classes), current()
        colours = np.array([to_rgb(look.red), to_rgb(look.blue)])
        self._paper = np.array(to_rgb(look.paper))
        self._way = look.deep * (colours[np.eye(k, dtype=int)] - self._paper)  # from the paper to a full tint
        edges = np.arange(k + 1) - 0.5
        self.cells = ax.pcolormesh(edges, edges, np.ones((k, k, 3)), zorder=0)  # a fifth of imshow's time
        self.counts = Lettering(ax, size=11 if k <= 5 else 9.5)
        frames = [ax.add_patch(Rectangle((c - 0.5, c - 0.5), 1, 1, fill=False, ec=look.ink, lw=1)) for c in range(k)]
        ax.set_xticks(range(k), classes)
        ax.set_yticks(range(k), classes)
        ax.tick_params(length=0)
        ax.set(xlabel="predicted", ylabel="true", aspect="equal", ylim=(k - 0.5, -0.5))
        ax.spines[:].set_visible(False)
        self.artists = [self.cells, *frames, self.counts]

    def show(self, table: NDArray[np.intp]) -> ConfusionTable:
        """table: (k, k) counts, rows the true classes."""
        share = table / np.maximum(table.sum(axis=1, keepdims=True), 1)
        self.cells.set_array(self._paper + np.sqrt(share)[:, :, None] * self._way)
        self.counts.set_words(
            Word(column, row, f"{count}", "mm") for (row, column), count in np.ndenumerate(table) if count
        )
        return self
