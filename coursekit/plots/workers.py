"""Workers side by side: how each one walks, where it ends, and their average."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from coursekit.core.validate import Floats
from coursekit.plots.boundary import corners
from coursekit.plots.ghost import Ghost
from coursekit.plots.marks import DASHED, UNDER, Plot, curve, joined, places
from coursekit.plots.style import Style, current
from coursekit.plots.tags import Tag, Tags


def answer_looks(look: Style) -> tuple[dict[str, Any], ...]:
    """Marks for the answers: of each shard, of their average, of one worker in the same time and with the same work."""
    return (
        {"ls": "", "color": look.blue, "marker": "o", "mfc": look.paper, "mew": 1.6, "ms": 7},
        {"ls": "", "color": look.star, "marker": "*", "mec": look.ink, "mew": 1.0, "ms": 18},
        {"ls": "", "color": look.red, "marker": "s", "mec": look.paper, "ms": 8},
        {"ls": "", "color": look.ink, "marker": "D", "mec": look.paper, "ms": 8},
    )


def local_boundaries() -> dict[str, dict[str, Any]]:
    """The lines that workers find alone, for `Boundaries`."""
    return {"alone": {"color": current().blue, "lw": 1.1, "ls": (0, (4, 2)), "zorder": UNDER}}


class LocalAnswers(Plot):
    """The walk of every worker to its theta, which is tied to their average; and two sequential runs."""

    def __init__(self, ax: Axes) -> None:
        super().__init__(ax)
        local, average, as_long, as_much = answer_looks(self.look)
        self.walks = self.add(curve(ax, color=self.look.ink, lw=0.8, alpha=0.3))
        self.rays = self.add(curve(ax, color=self.look.blue, lw=1.1, ls=DASHED))
        self.local, self.as_long, self.as_much, self.average = (
            self.add(curve(ax, **look)) for look in (local, as_long, as_much, average))
        self.names = self.add(Tags(ax))
        self.far = self.add(ax.text(0.98, 0.98, "", ha="right", va="top", fontsize=9, transform=ax.transAxes))

    def show(self, walks: Sequence[Floats], average: Floats, as_long: Floats, as_much: Floats) -> LocalAnswers:
        """walks: (K+1, 2) for every worker, its theta last. The others: one theta (2,) each."""
        local = np.array([walk[-1] for walk in walks])
        self.walks.set_data(*joined(walks).T)
        self.rays.set_data(*joined([average, theta] for theta in local).T)
        self.local.set_data(*local.T)
        for artist, theta in ((self.average, average), (self.as_long, as_long), (self.as_much, as_much)):
            artist.set_data(theta[:1], theta[1:])
        named = [("average", average), ("one worker, as long", as_long), ("one worker, as much work", as_much)]
        named += [("alone on a shard", local[np.hypot(*(local - average).T).argmax()])] if len(local) > 1 else []
        tags = [Tag(name, theta, theta - average) for name, theta in named]
        answers = np.vstack([local, average, as_long, as_much])
        self.names.show(tags)
        low, high = corners(self.ax)
        outside = int(((answers < low) | (answers > high)).any(axis=1).sum())
        self.far.set_text(f"{outside} of {len(answers)} answers outside" if outside else "")
        return self

    def ghosts(self) -> list[Ghost]:
        """The ties from the average to the workers as they are, to keep."""
        return [Ghost(self.ax, places(self.rays), word="")] if places(self.rays).size else []
