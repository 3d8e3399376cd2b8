"""Workers side by side: where each one ends, their average, and what each answer is worth."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes

from coursekit.core.validate import Floats
from coursekit.plots.marks import UNDER, curve, joined
from coursekit.plots.ruler import Ruler
from coursekit.plots.style import Style, current


def answer_looks(look: Style) -> tuple[dict[str, Any], ...]:
    """Marks for an answer: of one shard, their average, one worker for as long, one worker with as much work."""
    return (
        {"ls": "", "color": look.blue, "marker": "o", "mfc": look.paper, "mew": 1.6, "ms": 7},
        {"ls": "", "color": look.star, "marker": "*", "mec": look.ink, "mew": 1.0, "ms": 18},
        {"ls": "", "color": look.red, "marker": "s", "mec": look.paper, "ms": 8},
        {"ls": "", "color": look.ink, "marker": "D", "mec": look.paper, "ms": 8},
    )


def local_boundaries() -> dict[str, dict[str, Any]]:
    """The lines that workers find alone, for `Boundaries`."""
    return {"alone": {"color": current().blue, "lw": 1.1, "ls": (0, (4, 2)), "zorder": UNDER}}


class LocalAnswers:
    """The theta of every worker with its path, their average, and two sequential runs."""

    def __init__(self, ax: Axes) -> None:
        self.paths = curve(ax, color=current().soft, lw=0.9)
        self.local, self.average, self.as_long, self.as_much = (curve(ax, **look) for look in answer_looks(current()))
        self.artists: list[Artist] = [self.paths, self.local, self.as_long, self.as_much, self.average]

    def show(self, paths: Sequence[Floats], average: Floats, as_long: Floats, as_much: Floats) -> LocalAnswers:
        """paths: for each worker its iterates (K+1, 2). The others: one theta (2,) each."""
        if not len(paths):
            raise ValueError("paths must hold at least one worker's iterates; got none")
        self.paths.set_data(*joined(paths).T)
        self.local.set_data(*np.array([path[-1] for path in paths]).T)
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
        self.marks = [curve(ax, clip_on=False, **look) for look in answer_looks(current())]
        self.artists: list[Artist] = [*self.ruler.artists, *self.marks]

    def show(self, shards: Floats, average: float, as_long: float, as_much: float) -> AnswerValues:
        """shards: (S,), the objective at each worker's theta. The others: one value each."""
        rows = [np.atleast_1d(row) for row in (shards, average, as_long, as_much)]
        scale = self.ruler.fit(max(float(row.max()) for row in rows), axis="x")
        for mark, row, height in zip(self.marks, rows, self.heights, strict=True):
            mark.set_data(row / scale, np.full(len(row), height))
        return self
