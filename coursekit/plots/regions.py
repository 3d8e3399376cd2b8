"""The plane with more than two classes: who gets which part of it, and where a rule hesitates."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike, NDArray

from coursekit.core.datasets import Dataset
from coursekit.core.validate import Floats
from coursekit.plots.boundary import visible
from coursekit.plots.ghost import Ghost
from coursekit.plots.marks import DASHED, NOWHERE, Plot, class_marks, curve, joined, marks, show_classes
from coursekit.plots.pixels import DISAGREE, NOBODY, SEVERAL, SURE, ClassMap, Extent, Told, cell_middles
from coursekit.plots.tags import Tag, Tags

__all__ = ["DISAGREE", "NOBODY", "SEVERAL", "SURE", "Regions"]

DOUBTS = {NOBODY: "nobody claims it", SEVERAL: "several claim it", DISAGREE: "they disagree"}


class Regions(Plot):
    """The plane, tinted by the class that each place gets, striped where it is in doubt.

    frame(extent, classes) fixes what is seen and names the classes, at most five.
    grid(extent): the (size * size, 2) places where show() wants an answer, row by row from the lower left.
    """

    size = 96

    def __init__(self, ax: Axes) -> None:
        super().__init__(ax)
        ink, classes = self.look.ink, self.look.classes
        self.ground = self.add(ClassMap(ax))
        self.borders = self.add(curve(ax, lw=1, color=self.look.mixed(0.65)))
        self._map: tuple[NDArray[Any], ...] = ()
        self._letters: Floats = NOWHERE
        self.boundaries = [self.add(curve(ax, lw=1.4, ms=5.5, clip_on=False)) for _ in classes]
        self.walk = self.add(curve(ax, lw=1.2, color=ink, ls=DASHED))
        self.points = [self.add(dots) for dots in class_marks(ax, len(classes), ms=6.5)]
        self.wrong = self.add(marks(ax, "x", 7, mew=1.5, color=ink))
        self.place = self.add(marks(ax, "P", 13, mfc=self.look.paper, mec=ink, mew=1.6))
        large = ax.bbox.width > 2.5 * ax.figure.dpi
        self.names = self.add(Tags(ax, size=15 if large else 11))
        self.tags = self.add(Tags(ax, size=10.5 if large else 9))
        self._doubts: dict[int, Floats] = {}  # where each can be named

    @classmethod
    def grid(cls, extent: Extent) -> Floats:
        return cell_middles(extent, cls.size)

    def frame(self, extent: Extent, classes: tuple[str, ...]) -> None:
        if not 2 <= len(classes) <= len(self.points):
            raise ValueError(f"classes must be 2 to {len(self.points)} names, one for each colour; got {len(classes)}")
        self.ax.set(xlim=extent[:2], ylim=extent[2:], aspect="equal")
        self.extent, self.classes = extent, classes

    def show(
        self, answers: NDArray[np.intp], held: NDArray[np.intp], data: Dataset | None = None,
        predicted: NDArray[np.intp] | None = None, place: ArrayLike | None = None, thetas: Floats | None = None,
        own: bool = False, doubts: Mapping[int, str] = MappingProxyType({}), lines: ArrayLike = (),
        told: Told | None = None, walk: bool = False,
    ) -> Regions:
        """answers, held: (size * size,), at the places of `grid` the class, and NOBODY, SURE, SEVERAL or DISAGREE.

        predicted: (n,), examples of another class carry a cross. place: (2,), marked with a plus.
        thetas: (m, 3), the boundaries f = 0. own: boundary c belongs to class c, has its colour and ends in its
        markers. doubts: what is written where places are in doubt, if not the words of DOUBTS.
        lines: (m, 3), all on which a border can lie. told: like answers and held, for any places, (n, 2); without it
        there are no borders. walk: whether a level line goes through the place.
        """
        now = answers, held, np.asarray(lines, float).reshape(-1, 3)
        if not self._map or not all(map(np.array_equal, now, self._map)):
            self._map = now
            self.ground.set_classes(answers, held, self.extent, told)
            self.borders.set_data(*(NOWHERE if told is None else self._parting(now[2], told)).T)
            self.names.show(self._named(np.where(held == DISAGREE, -1, answers)))
            found = [(code, held == code) for code in DOUBTS]
            places = self.grid(self.extent)
            self._doubts = {
                code: np.vstack([self._widest(here), places[here][:: here.sum() // 60 or 1]])
                for code, here in found if here.any()
            }
        self.place.set_data(*(NOWHERE if place is None else np.reshape(place, (1, 2))).T)
        level = [] if place is None or not walk else [np.ravel(place)[1]] * 2
        self.walk.set_data(self.extent[:2] if level else [], level)
        X, y = (NOWHERE, np.zeros(0)) if data is None else (data.X, data.y)
        show_classes(self.points, X, y)
        wrong = X[np.zeros(len(y), bool) if predicted is None else predicted != y]
        self.wrong.set_data(*wrong.T)
        words = {**DOUBTS, **doubts}
        tags = [Tag(words[code], at, area=True) for code, at in self._doubts.items()]
        self.tags.show([*tags, *([Tag("misclassified", wrong[:16])] if len(wrong) else [])])
        self._show_boundaries(np.zeros((0, 3)) if thetas is None else thetas, own)
        return self

    def ghosts(self) -> list[Ghost]:
        """The borders between the classes as they are, to keep."""
        return [Ghost(self.ax, np.column_stack(self.borders.get_data()))]

    def _parting(self, lines: Floats, told: Told) -> Floats:
        """The parts of the lines with another class, or other holders, on the other side, (K, 2), nan between them.

        The lines cut each other into pieces. All along a piece its sides have the same answer: its middle is asked.
        """
        pieces: list[Floats] = []
        sides: list[Floats] = []
        for theta in lines:
            ends = visible(self.ax, theta)
            if not len(ends):
                continue
            start, along = ends[0], ends[1] - ends[0]
            with np.errstate(divide="ignore", invalid="ignore"):
                met = -(lines[:, :2] @ start + lines[:, 2]) / (lines[:, :2] @ along)
            cuts = np.unique(np.concatenate([[0, 1], met[(met > 0) & (met < 1)]]))
            cuts = np.column_stack([cuts[:-1], cuts[1:]])[np.diff(cuts) > 1e-6]
            aside = 1e-7 * np.hypot(*along) * theta[:2] / np.hypot(*theta[:2])
            pieces.extend(start + cuts[:, :, None] * along)
            sides.extend(start + cuts.mean(axis=1)[:, None, None] * along + np.array([aside, -aside]))
        if not pieces:
            return NOWHERE
        found = np.array(told(np.concatenate(sides))).reshape(2, -1, 2)
        apart = (found[:, :, 0] != found[:, :, 1]).any(axis=0)
        return joined([piece for piece, kept in zip(pieces, apart, strict=True) if kept])

    def _named(self, answers: NDArray[np.intp]) -> list[Tag]:
        """Each class's name in its region, near the frame where there is room."""
        places, half = self.grid(self.extent), (self.size - 1) / 2
        tags: list[Tag] = []
        rim = np.abs(np.indices((self.size, self.size)) - half).max(axis=0).ravel() == half - self.size // 12
        for c, name in enumerate(self.classes):
            own = answers == c
            own &= rim if (own & rim).any() else True
            if own.any():
                away = np.square(places[own] - places[own].mean(axis=0)).sum(axis=1)
                tags.append(Tag(name, places[own][np.argsort(away)[:80:4]], only=True, area=True))
        return tags

    def _widest(self, chosen: NDArray[np.bool_]) -> Floats:
        """The place furthest inside the chosen ones: what is left last when they lose their rim again and again."""
        left, coarse = chosen.reshape(self.size, self.size)[::2, ::2], self.grid(self.extent).reshape(self.size, -1, 2)
        while True:
            inner = np.pad(left, 1, mode="edge")
            inner = left & inner[:-2, 1:-1] & inner[2:, 1:-1] & inner[1:-1, :-2] & inner[1:-1, 2:]
            if not inner.any() or inner.all():
                row, column = np.unravel_index((left if left.any() else inner).argmax(), left.shape)
                return coarse[2 * row, 2 * column]
            left = inner

    def _show_boundaries(self, thetas: Floats, own: bool) -> None:
        seen: list[list[Floats]] = [[] for _ in self.boundaries]
        for c, theta in enumerate(thetas):
            seen[c if own else 0].append(visible(self.ax, theta))
        for c, (artist, parts) in enumerate(zip(self.boundaries, seen, strict=True)):
            artist.set_data(*joined(parts).T)
            artist.set(**self.look.classes[c] if own else {"color": self.look.ink, "marker": ""})


class Side(Plot):
    """Scores of at most five classes along a way: a line for each, from marker to marker, thick where its class gets
    the place. A band at the bottom shows whose places they are."""

    def __init__(self, ax: Axes) -> None:
        super().__init__(ax)
        look, across = self.look, ax.get_xaxis_transform()
        colors = [style["color"] for style in look.classes]
        ends = {"lw": 1.4, "ls": DASHED, "ms": 6, "markevery": [0, -1], "clip_on": False}
        self.lines = [self.add(curve(ax, **ends, **style)) for style in look.classes]
        self.won = [self.add(curve(ax, color=color, lw=4, solid_capstyle="butt")) for color in colors]
        wide = {"lw": 16, "solid_capstyle": "butt", "transform": across}
        self.band = [self.add(curve(ax, color=look.mixed(0.45, color), **wide)) for color in colors]
        self.here = self.add(curve(ax, color=look.ink, lw=1.2, transform=across))

    def show(self, x: ArrayLike, scores: ArrayLike, answers: ArrayLike, here: float | None = None) -> Side:
        """x: (n,), along the way. scores: (n, k). answers: (n,), whose places they are. here: the x to mark."""
        places, f, first = np.asarray(x), np.asarray(scores), np.asarray(answers)
        for c in range(len(self.lines)):
            own = f[:, c] if c < f.shape[1] else np.full(len(places), np.nan)
            kept = (first == c) | (np.append(first[1:], -1) == c) & (first != -1)  # up to where the next begins
            self.lines[c].set_data(places, own)
            self.won[c].set_data(places, np.where(first == c, own, np.nan))
            self.band[c].set_data(places, np.where(kept, 0.04, np.nan))
        self.here.set_data([] if here is None else [here, here], [] if here is None else [0, 1])
        return self
