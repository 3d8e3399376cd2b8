"""The plane with more than two classes: who gets which part of it, and the scores that decide."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import PathPatch, Rectangle
from matplotlib.path import Path
from numpy.typing import ArrayLike, NDArray

from coursekit.core.dataset import Dataset
from coursekit.core.validate import Floats
from coursekit.plots.boundary import visible
from coursekit.plots.ghost import Ghost
from coursekit.plots.lettering import Lettering, Word
from coursekit.plots.marks import DASHED, NOWHERE, Plot, class_marks, curve, joined, marks, patch, show_classes
from coursekit.plots.tags import Tag, Tags

Extent = tuple[float, float, float, float]  # x low, x high, y low, y high
Pieces = Sequence[Floats]  # convex polygons, (m, 2) each


class Regions(Plot):
    """The plane, tinted by the class that gets each part of it; what is in doubt is striped, what nobody gets yellow.

    frame(extent, classes) fixes what is seen and names the classes, at most five.
    """

    def __init__(self, ax: Axes) -> None:
        super().__init__(ax)
        look, ink = self.look, self.look.ink
        rim = {"ec": look.mixed(0.65), "lw": 1.0}
        self.areas = [self.add(_area(ax, fc=look.mixed(look.tint + 0.04, style["color"]), gid=f"region{c}", **rim))
                      for c, style in enumerate(look.classes)]
        self.nobody = self.add(_area(ax, fc=look.mixed(0.5, look.star), gid="nobody", **rim))
        stripes = {"fc": "none", "ec": look.mixed(0.3), "lw": 0}
        self.doubts = [self.add(_area(ax, hatch=hatch, gid=gid, **stripes))
                       for hatch, gid in (("\\\\", "unclaimed"), ("//", "claimed"))]
        self.boundaries = [self.add(curve(ax, lw=1.4, ms=5.5, clip_on=False)) for _ in look.classes]
        self.walk = self.add(curve(ax, lw=1.2, color=ink, ls=DASHED, gid="walk"))
        self.points = [self.add(dots) for dots in class_marks(ax, len(look.classes), ms=6.5)]
        self.wrong = [self.add(dots) for dots in class_marks(ax, len(look.classes), hollow=True, ms=6.5)]
        self.place = self.add(marks(ax, "P", 13, mfc=look.paper, mec=ink, mew=1.6, gid="place"))
        self.names, self.tags = (self.add(Tags(ax, size=size, steady=True)) for size in (15, 10.5))
        self._shown: tuple[object, ...] = ()
        ax.set_aspect("equal")

    def frame(self, extent: Extent, classes: tuple[str, ...]) -> None:
        if not 2 <= len(classes) <= len(self.points):
            raise ValueError(f"classes must be 2 to {len(self.points)} names, one for each colour; got {len(classes)}")
        self.ax.set(xlim=extent[:2], ylim=extent[2:])
        self.extent, self.classes = extent, classes

    def show(
        self, areas: Sequence[Pieces], nobody: Pieces = (), doubts: Sequence[tuple[str, Pieces]] = (),
        data: Dataset | None = None, predicted: NDArray[np.intp] | None = None, place: ArrayLike | None = None,
        thetas: Floats | None = None, own: bool = False, walk: bool = False, lines: Sequence[str] = (),
    ) -> Regions:
        """areas: for each class the pieces that it gets. nobody: those that no class gets. doubts: up to two words, and
        the pieces that are striped for them.

        predicted: (n,), examples of another class are hollow. place: (2,), marked with a plus.
        thetas: (m, 3), the lines f = 0. own: line c belongs to class c, has its colour and ends in its markers.
        walk: whether a level line goes through the place. lines: what the lines are called.
        """
        self.place.set_data(*(NOWHERE if place is None else np.reshape(place, (1, 2))).T)
        level = [] if place is None or not walk else [np.ravel(place)[1]] * 2
        self.walk.set_data(self.extent[:2] if level else [], level)
        X, y = (NOWHERE, np.zeros(0)) if data is None else (data.X, data.y)
        wrong = np.zeros(len(y), bool) if predicted is None else predicted != y
        show_classes(self.points, X[~wrong], y[~wrong])
        show_classes(self.wrong, X[wrong], y[wrong])
        for dots in (*self.points, *self.wrong):
            dots.set_visible(np.size(dots.get_xdata()) > 0)
        if not self._shown or areas is not self._shown[0] or nobody is not self._shown[1]:
            self._shown = areas, nobody
            self._divide(areas, nobody, doubts, thetas, lines)
            self._show_boundaries(np.zeros((0, 3)) if thetas is None else thetas, own)
        return self

    def _divide(
        self, areas: Sequence[Pieces], nobody: Pieces, doubts: Sequence[tuple[str, Pieces]], thetas: Floats | None,
        lines: Sequence[str],
    ) -> None:
        for drawn, parts in ((self.areas, areas), ([self.nobody], [nobody]), (self.doubts, [one for _, one in doubts])):
            for area, of in zip(drawn, [*parts, *[[]] * len(drawn)], strict=False):
                area.set_path(_path(of))
                area.set_visible(len(of) > 0)
        named = zip(self.classes, areas, strict=True)
        self.names.show([Tag(name, _within(one), only=True, area=True) for name, one in named if len(one)])
        open_ones = [("no winner", nobody), *doubts]
        ends = [visible(self.ax, theta) for theta in thetas[: len(lines)]] if thetas is not None else []
        ways = [a + np.linspace(0.06, 0.94, 9)[[0, -1, 1, -2, 2, -3]][:, None] * (b - a) for a, b in filter(len, ends)]
        self.tags.show([*(Tag(word, _within(one), area=True) for word, one in open_ones if len(one)),
                        *(Tag(word, way) for word, way in zip(lines, ways, strict=False))])

    def ghosts(self) -> list[Ghost]:
        """The borders between the classes as they are, to keep."""
        return [Ghost(self.ax, joined(ring for area in self.areas for ring in area.get_path().to_polygons()))]

    def _show_boundaries(self, thetas: Floats, own: bool) -> None:
        seen: list[list[Floats]] = [[] for _ in self.boundaries]
        for c, theta in enumerate(thetas):
            seen[c if own else 0].append(visible(self.ax, theta))
        for c, (artist, parts) in enumerate(zip(self.boundaries, seen, strict=True)):
            artist.set_data(*joined(parts).T)
            artist.set_visible(len(parts) > 0)
            artist.set(**self.look.classes[c] if own else {"color": self.look.ink, "marker": ""})


def _area(ax: Axes, **look: Any) -> PathPatch:
    return patch(ax, PathPatch(_path(()), **look))


def _path(pieces: Pieces) -> Path:
    """All pieces as one path."""
    rings = [Path(np.vstack([piece, piece[:1]]), closed=True) for piece in pieces]
    return Path.make_compound_path(*rings) if rings else Path(NOWHERE)


def _within(pieces: Pieces) -> Floats:
    """Places in the pieces where a name can be, the largest piece first: near its corners, then in its middle."""
    ways = [(piece.mean(axis=0), piece) for piece in sorted(pieces, key=size, reverse=True)[:6]]
    return np.vstack([middle + share * (piece - middle) for middle, piece in ways for share in (0.7, 0.4, 0.0)])


def size(piece: Floats) -> float:
    """The area of a polygon, (m, 2).

    >>> size(np.array([[0.0, 0.0], [2.0, 0.0], [2.0, 1.0]]))
    1.0
    """
    x, y = piece.T
    return float(abs(x @ np.roll(y, -1) - y @ np.roll(x, -1)) / 2)


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


class PlaceBars(Plot):
    """A bar for each of at most five classes, up or down from 0; those of the winner solid, all others hollow."""

    def __init__(self, ax: Axes) -> None:
        super().__init__(ax)
        ax.set(xticks=[], yticks=[])
        ax.spines[:].set_visible(False)
        ax.axhline(0, color=self.look.soft, lw=1)
        self.bars = [self.add(patch(ax, Rectangle((c - 0.3, 0), 0.6, 0, lw=1.8, ec=style["color"])), glides=True)
                     for c, style in enumerate(self.look.classes)]
        self.marks = [self.add(curve(ax, ls="", ms=8, clip_on=False, **style)) for style in self.look.classes]
        self.words = self.add(Lettering(ax, size=10.5))

    def frame(self, count: int, low: float, high: float) -> None:
        """How many classes there are, and from where to where their values reach."""
        room = 0.12 * (high - low)
        self.ax.set(xlim=(-0.6, count - 0.4), ylim=(low - 1.8 * room, high + 1.3 * room))

    def show(self, values: Sequence[float], words: Sequence[str], winner: int | None) -> PlaceBars:
        """values, words: one for each class. winner: the class that gets the place, if any does."""
        (low, high), paper = self.ax.get_ylim(), self.look.paper
        lettering = []
        for c, (bar, mark, style) in enumerate(zip(self.bars, self.marks, self.look.classes, strict=True)):
            value = values[c] if c < len(values) else 0.0
            bar.set(height=value, visible=c < len(values), facecolor=style["color"] if c == winner else paper)
            foot = np.copysign(0.09 * (high - low), -value - 1e-12)  # at the bar's foot, on the other side of 0
            mark.set_data(*([c], [foot]) if c < len(values) else ([], []))
            if c < len(values):
                lettering.append(Word(c, value, words[c], "md" if value >= 0 else "ma"))
        self.words.set_words(lettering)
        return self
