"""What stochastic descent adds to the other plots: the edge of one example's loss, and averaged answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from coursekit.core.validate import Floats
from coursekit.plots.boundary import DecisionBoundary
from coursekit.plots.ruler import Ruler
from coursekit.plots.style import Style, current


def answers(look: Style) -> tuple[dict[str, Any], ...]:
    """What an answer looks like: of one shard, their average, one worker as long, one worker with as much work."""
    return (
        {"ls": "", "color": look.blue, "marker": "o", "mfc": look.paper, "mew": 1.6, "ms": 7},
        {"ls": "", "color": look.star, "marker": "*", "mec": look.ink, "mew": 1.0, "ms": 18},
        {"ls": "", "color": look.red, "marker": "s", "mec": look.paper, "ms": 8},
        {"ls": "", "color": look.ink, "marker": "D", "mec": look.paper, "ms": 8},
    )


class ExampleEdge:
    """The line y theta . x = 1 in the plane of theta: beyond it this example's hinge loss is 0."""

    def __init__(self, ax: Axes) -> None:
        (self.line,) = ax.plot([], [], color=current().pink, lw=2.2, ls=(0, (5, 2)))
        self.artists = [self.line]

    def show(self, z: Floats | None) -> ExampleEdge:
        """z: y x of the example, (2,); no line where it is None or 0."""
        if z is None or not z.any():
            self.line.set_data([], [])
            return self
        foot, along = z / (z @ z), 100 * np.array([-z[1], z[0]]) / np.hypot(*z)
        self.line.set_data(*np.array([foot - along, foot + along]).T)
        return self


class LocalLines(DecisionBoundary):
    """A decision boundary with thin dashed lines of other thetas behind it."""

    def __init__(self, ax: Axes) -> None:
        super().__init__(ax)
        (self.others,) = ax.plot([], [], color=current().blue, lw=1.1, ls=(0, (4, 2)))
        self.artists.insert(2, self.others)

    def show_others(self, thetas: Floats) -> LocalLines:
        """thetas: (S, 3), offsets last."""
        ends = [e for e in map(self._ends, thetas) if e is not None]
        gap = np.full((1, 2), np.nan)
        self.others.set_data(*np.vstack([gap, *(np.vstack([e, gap]) for e in ends)]).T)
        return self


class LocalAnswers:
    """The thetas of the workers with the way each took, their average, and two sequential runs."""

    def __init__(self, ax: Axes) -> None:
        (self.ways,) = ax.plot([], [], color=current().soft, lw=0.9)
        marks = [ax.plot([], [], **look)[0] for look in answers(current())]
        self.local, self.average, self.as_long, self.as_much = marks
        self.artists = [self.ways, self.local, self.as_long, self.as_much, self.average]

    def show(self, ways: Sequence[Floats], average: Floats, as_long: Floats, as_much: Floats) -> LocalAnswers:
        """ways: for each worker its iterates (K+1, 2). The others: one theta (2,) each."""
        gap = np.full((1, 2), np.nan)
        self.ways.set_data(*np.vstack([part for way in ways for part in (way, gap)]).T)
        self.local.set_data(*np.array([way[-1] for way in ways]).T)
        for artist, theta in ((self.average, average), (self.as_long, as_long), (self.as_much, as_much)):
            artist.set_data(theta[:1], theta[1:])
        return self


class AnswerValues:
    """The objective of each worker, of their average and of two sequential runs, as marks on one scale."""

    rows = ("each shard alone", "their average", "one worker, as long", "one worker, as much work")

    def __init__(self, ax: Axes) -> None:
        self.ruler = Ruler(ax, signed=False)
        ax.grid(False, axis="y")
        self.heights = (0.84, 0.60, 0.36, 0.12)
        for height, name in zip(self.heights, self.rows, strict=True):
            ax.text(0.02, height + 0.075, name, va="center", fontsize=9)
            ax.axhline(height, color=current().mixed(0.15), lw=0.8)
        self.marks = [ax.plot([], [], clip_on=False, **look)[0] for look in answers(current())]
        self.artists = [*self.ruler.artists, *self.marks]

    def show(self, shards: Floats, average: float, as_long: float, as_much: float) -> AnswerValues:
        rows = [np.atleast_1d(row) for row in (shards, average, as_long, as_much)]
        scale = self.ruler.fit(max(float(row.max()) for row in rows), axis="x")
        for mark, row, height in zip(self.marks, rows, self.heights, strict=True):
            mark.set_data(row / scale, np.full(len(row), height))
        return self
