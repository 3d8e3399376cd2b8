"""The plane with more than two classes: who gets which part of it, and where a rule hesitates."""

from __future__ import annotations

from typing import Any

import numpy as np
from contourpy import contour_generator
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.patches import Patch
from numpy.typing import ArrayLike, NDArray

from coursekit.core.datasets import Dataset
from coursekit.core.validate import Floats
from coursekit.plots import check
from coursekit.plots.boundary import line_ends
from coursekit.plots.ghost import Ghost
from coursekit.plots.lettering import Lettering, Word
from coursekit.plots.marks import NOWHERE, class_marks, curve, joined, marks, show_classes
from coursekit.plots.panel import legend_above
from coursekit.plots.pixels import DISAGREE, NOBODY, SEVERAL, SURE, ClassMap, Extent
from coursekit.plots.style import current, use

__all__ = ["DISAGREE", "NOBODY", "SEVERAL", "SURE", "Regions", "stripes_key"]


class Regions:
    """The plane, tinted by the class that each place gets, striped where it is in doubt.

    frame(extent, classes) fixes what is seen and names the classes, at most five.
    grid(extent): the (size * size, 2) places where show() wants an answer, row by row from the lower left.
    """

    size = 128

    def __init__(self, ax: Axes) -> None:
        self.ax, self.look, self._box = ax, current(), ax.get_position()
        ink, classes = self.look.ink, self.look.classes
        self.ground = ClassMap(ax)
        self.boundaries = [curve(ax, lw=1.4, ms=5.5, clip_on=False) for _ in classes]
        self.points = class_marks(ax, len(classes), ms=6.5)
        self.wrong = marks(ax, "x", 7, mew=1.5, color=ink)
        self.place = marks(ax, "P", 13, mfc=self.look.paper, mec=ink, mew=1.6)
        self.names = Lettering(ax, size=15 if ax.bbox.width > 2.5 * ax.figure.dpi else 11)
        self.artists: list[Artist] = [self.ground, *self.boundaries, *self.points, self.wrong, self.place, self.names]

    @classmethod
    def grid(cls, extent: Extent) -> Floats:
        x, y = (low + (high - low) * (np.arange(cls.size) + 0.5) / cls.size for low, high in (extent[:2], extent[2:]))
        return np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)

    def frame(self, extent: Extent, classes: tuple[str, ...]) -> None:
        if not 2 <= len(classes) <= len(self.points):
            raise ValueError(f"classes must be 2 to {len(self.points)} names, one for each colour; got {len(classes)}")
        self.ax.set(xlim=extent[:2], ylim=extent[2:], aspect="equal")
        self.extent, self.classes = extent, classes

    def legend(self) -> None:
        """Name the markers above the picture, once it is framed."""
        handles = [*self.points[: len(self.classes)], self.wrong]
        self.ax.set_position(self._box)
        with use(self.look):
            legend_above(self.ax, handles, [*self.classes, "misclassified"], handletextpad=0.2)

    def show(
        self,
        answers: NDArray[np.intp],
        held: NDArray[np.intp],
        data: Dataset | None = None,
        predicted: NDArray[np.intp] | None = None,
        place: ArrayLike | None = None,
        thetas: Floats | None = None,
        own: bool = False,
    ) -> Regions:
        """answers, held: (size * size,), at the places of `grid` the class, and NOBODY, SURE, SEVERAL or DISAGREE.

        predicted: (n,), examples of another class carry a cross. place: (2,), marked with a plus.
        thetas: (m, 3), the boundaries f = 0. own: boundary c belongs to class c, has its colour and ends in its
        markers.
        """
        if data is not None:
            check.planar(data)
        if self.ground.set_classes(answers, held):
            self.names.set_words(self._named(np.where(held == DISAGREE, -1, answers)))
        self.place.set_data(*(NOWHERE if place is None else check.shaped("place", place, 2)[None]).T)
        X, y = (NOWHERE, np.zeros(0)) if data is None else (data.X, data.y)
        show_classes(self.points, X, y)
        self.wrong.set_data(*X[np.zeros(len(y), bool) if predicted is None else predicted != y].T)
        self._show_boundaries(np.zeros((0, 3)) if thetas is None else check.shaped("thetas", thetas, "m", 3), own)
        return self

    def ghosts(self) -> list[Ghost]:
        """The borders between the classes as they are, to keep."""
        low, high = corners(self.extent)
        return [Ghost(self.ax, low + (high - low) * (self._borders() + 0.5) / self.size)]

    def _borders(self) -> Floats:
        """Where places of different classes meet, (K, 2) in places, nan between the parts."""
        answers = self.ground.answers
        parts: list[Floats] = []
        for c in range(len(self.classes)):
            for line in map(np.asarray, contour_generator(z=(answers == c).astype(float)).lines(0.5)):
                (x, y), (beyond, above) = np.floor(line).astype(int).T, np.ceil(line).astype(int).T
                neighbour = answers[y, x] + answers[above, beyond] - c
                # Each border belongs to two classes; drawn twice its dashes would fill the gaps.
                parts.append(np.where(neighbour[:, None] > c, line, np.nan))
        return joined(parts)

    def _named(self, answers: NDArray[np.intp]) -> list[Word]:
        """Each class's name in its region, near the frame where there is room."""
        places, half = self.grid(self.extent), (self.size - 1) / 2
        words: list[Word] = []
        rim = np.abs(np.indices((self.size, self.size)) - half).max(axis=0).ravel() == half - self.size // 12
        for c, name in enumerate(self.classes):
            own = answers == c
            own &= rim if (own & rim).any() else True
            if own.any():
                middle = np.square(places[own] - places[own].mean(axis=0)).sum(axis=1).argmin()
                x, y = places[own][middle]
                words.append(Word(x, y, name, "mm"))
        return words

    def _show_boundaries(self, thetas: Floats, own: bool) -> None:
        seen: list[list[Floats]] = [[] for _ in self.boundaries]
        for c, theta in enumerate(thetas):
            if (ends := line_ends(self.ax, theta)) is not None:
                seen[c if own else 0].append(self._within(ends))
        for c, (artist, parts) in enumerate(zip(self.boundaries, seen, strict=True)):
            artist.set_data(*joined(parts).T)
            artist.set(**self.look.classes[c] if own else {"color": self.look.ink, "marker": ""})

    def _within(self, ends: Floats) -> Floats:
        """The part of a line that is seen, (2, 2); (0, 2) where the line passes by."""
        along = ends[1] - ends[0]
        edges = np.array(self.extent).reshape(2, 2)[along != 0]  # a line along an axis meets only two edges
        crossed = np.sort((edges - ends[0, along != 0, None]) / along[along != 0, None], axis=1)
        enter, leave = crossed[:, 0].max(), crossed[:, 1].min()
        seen = ends[0] + np.array([[enter], [leave]]) * along
        low, high = corners(self.extent)
        return seen if (seen.mean(axis=0) >= low).all() and (seen.mean(axis=0) <= high).all() else seen[:0]


def corners(extent: Extent) -> tuple[Floats, Floats]:
    """The lower left and the upper right one."""
    return np.array([extent[0], extent[2]]), np.array([extent[1], extent[3]])


def stripes_key() -> list[Patch]:
    """Handles for a legend of the stripes."""
    look: dict[str, Any] = {"facecolor": current().paper, "edgecolor": current().ink, "lw": 0.5}
    return [
        Patch(hatch="\\\\\\\\", label="nobody claims it", **look),
        Patch(hatch="////", label="several do, or tie", **look),
    ]
