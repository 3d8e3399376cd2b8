"""The plane with more than two classes: who gets which part of it, and the scores that decide."""

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle
from matplotlib.path import Path
from numpy.typing import ArrayLike, NDArray

from coursekit.core.dataset import Dataset
from coursekit.plots.boundary import Extent, visible
from coursekit.plots.marks import DASHED, NOWHERE, Floats, Ghost, Plot, Style, Tag, Word, blank, joined, show_classes

Pieces = Sequence[Floats]  # convex polygons, (m, 2) each


class Regions(Plot):
    """The plane, tinted by the class that gets each part of it; what is in doubt is striped, what nobody gets yellow.

    frame(extent, classes) fixes what is seen and names the classes, at most five.
    """

    def make(self, ax: Axes, look: Style) -> None:
        tints = [look.mixed(tint + 0.04, style["color"]) for tint, style in zip(look.tints, look.classes, strict=True)]
        names = [f"region{c}" for c in range(len(look.classes))] + ["nobody"]
        *self.areas, self.nobody = [self.add_shape(fc=tint, ec=look.mixed(0.65), lw=1.0, gid=name)
                                    for tint, name in zip([*tints, look.mixed(0.5, look.star)], names, strict=True)]
        self.doubts = [self.add_shape(hatch=hatch, gid=gid, fc="none", ec=look.mixed(0.3))
                       for hatch, gid in (("\\\\", "unclaimed"), ("//", "claimed"))]
        self.boundaries = [self.add_curve(lw=1.4, ms=5.5, clip_on=False) for _ in look.classes]
        self.walk = self.add_curve(lw=1.2, color=look.ink, ls=DASHED, gid="walk")
        self.points = self.add_classes(len(look.classes), ms=6.5)
        self.wrong = self.add_classes(len(look.classes), hollow=True, ms=6.5)
        self.place = self.add_marks("P", 13, mfc=look.paper, mec=look.ink, mew=1.6, gid="place", clip_on=False)
        self.names, self.tags = (self.add_tags(size=size, steady=True) for size in (12, 10.5))
        self._shown: tuple[object, ...] = ()
        ax.set_aspect("equal")

    def frame(self, extent: Extent, classes: tuple[str, ...]) -> None:
        if not 2 <= len(classes) <= len(self.points):
            raise ValueError(f"classes must be 2 to {len(self.points)} names, one for each color; got {len(classes)}")
        self.ax.set(xlim=extent[:2], ylim=extent[2:])
        self.extent, self.classes = extent, classes

    def show(self, areas: Sequence[Pieces], nobody: Pieces = (), doubts: Sequence[tuple[str, Pieces]] = (),
             data: Dataset | None = None, predicted: NDArray[np.intp] | None = None, place: ArrayLike | None = None,
             thetas: Floats | None = None, own: bool = False, walk: bool = False, lines: Sequence[str] = ()) -> Self:
        """areas: for each class the pieces that it gets. nobody: those that no class gets. doubts: up to two words, and
        the pieces that are striped for them.

        predicted: (n,), examples of another class are hollow. place: (2,), marked with a plus.
        thetas: (m, 3), the lines f = 0. own: line c belongs to class c, has its color and ends in its markers.
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
            self._shown, thetas = (areas, nobody), np.zeros((0, 3)) if thetas is None else thetas
            self._divide(areas, nobody, doubts, thetas[: len(lines)], lines)
            for c, (line, style) in enumerate(zip(self.boundaries, self.look.classes, strict=True)):
                drawn = thetas[c : c + 1] if own else thetas[: len(thetas) * (c == 0)]
                line.set_data(*joined(visible(self.ax, theta) for theta in drawn).T)
                line.set_visible(len(drawn) > 0)
                line.set(**style if own else {"color": self.look.ink, "marker": ""})
        return self

    def _divide(self, areas: Sequence[Pieces], nobody: Pieces, doubts: Sequence[tuple[str, Pieces]], thetas: Floats,
                lines: Sequence[str]) -> None:
        for drawn, parts in ((self.areas, areas), ([self.nobody], [nobody]), (self.doubts, [one for _, one in doubts])):
            for area, of in zip(drawn, [*parts, *[[]] * len(drawn)], strict=False):
                rings = [Path(np.vstack([piece, piece[:1]]), closed=True) for piece in of]
                area.set_path(Path.make_compound_path(*rings) if rings else Path(NOWHERE))
                area.set_visible(len(of) > 0)
        named = zip(self.classes, areas, strict=True)
        self.names.show([Tag(name, _within(one), only=True, area=True) for name, one in named if len(one)])
        open_ones = [("no winner", nobody), *doubts]
        ends = [visible(self.ax, theta) for theta in thetas]
        ways = [a + np.linspace(0.06, 0.94, 9)[[0, -1, 1, -2, 2, -3]][:, None] * (b - a) for a, b in filter(len, ends)]
        self.tags.show([*(Tag(word, _within(one, (0.0, 0.4, 0.7)), area=True) for word, one in open_ones if len(one)),
                        *(Tag(word, way) for word, way in zip(lines, ways, strict=False))])

    def ghosts(self) -> list[Ghost]:
        """The borders between the classes as they are, to keep."""
        rings = joined(ring for area in self.areas for ring in area.get_path().to_polygons())
        return [Ghost(self.ax, rings, self.units, self.kept_as)]


def _within(pieces: Pieces, shares: Sequence[float] = (0.7, 0.4, 0.0)) -> Floats:
    """Places in the pieces where a name can be, the largest piece first: so far from its middle to its corners."""
    ways = [(piece.mean(axis=0), piece) for piece in sorted(pieces, key=size, reverse=True)[:6]]
    return np.vstack([middle + share * (piece - middle) for share in shares for middle, piece in ways])


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

    def make(self, ax: Axes, look: Style) -> None:
        across = ax.get_xaxis_transform()
        colors = [style["color"] for style in look.classes]
        ends: dict[str, Any] = {"lw": 1.4, "ls": DASHED, "ms": 6, "markevery": [0, -1], "clip_on": False}
        self.lines = [self.add_curve(**ends, **style) for style in look.classes]
        self.won = [self.add_curve(color=color, lw=4, solid_capstyle="butt") for color in colors]
        wide: dict[str, Any] = {"lw": 16, "solid_capstyle": "butt", "transform": across}
        self.band = [self.add_curve(color=look.mixed(0.45, color), **wide) for color in colors]
        self.here = self.add_curve(color=look.ink, lw=1.2, transform=across)

    def show(self, x: ArrayLike, scores: ArrayLike, answers: ArrayLike, here: float | None = None) -> Self:
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
    """A bar for each of at most five classes, named below it, up or down from 0; the winner's solid, others hollow."""

    def make(self, ax: Axes, look: Style) -> None:
        blank(ax)
        ax.axhline(0, color=look.soft, lw=1)
        self.bars = [self.add_patch(Rectangle((c - 0.3, 0), 0.6, 0, lw=1.8, ec=style["color"]), glides=True)
                     for c, style in enumerate(look.classes)]
        self.marks = [self.add_curve(ls="", ms=8, clip_on=False, **style) for style in look.classes]
        self.words = self.add_words(size=10.5)

    def frame(self, names: Sequence[str], low: float, high: float) -> None:
        """names: of the classes. low, high: from where to where their values reach."""
        wide, tall = np.array(self.ax.bbox.size) / self.ax.figure.dpi
        self.names = names if wide > 0.85 * len(names) else [name.split()[-1] for name in names]
        self.inch = (high - low) / (tall - 0.75)
        self.ax.set(xlim=(-0.6, len(names) - 0.4), ylim=(low - 0.5 * self.inch, high + 0.25 * self.inch))

    def show(self, values: Sequence[float], words: Sequence[str], winner: int | None) -> Self:
        """values, words: one for each class. winner: the class that gets the place, if any does."""
        foot, named, told = self.ax.get_ylim()[0] + 0.12 * self.inch, list[Word](), list[Word]()
        for artist in (*self.bars, *self.marks):
            artist.set_visible(False)
        for c, (bar, mark, value) in enumerate(zip(self.bars, self.marks, values, strict=False)):
            color = self.look.classes[c]["color"] if c == winner else self.look.paper
            bar.set(height=value, visible=True, facecolor=color)
            mark.set(data=([c - 0.2], [foot]), visible=True)
            named.append(Word(c - 0.08, foot, self.names[c], "lm"))
            told.append(Word(c, value + np.copysign(0.05 * self.inch, value), words[c], "md" if value >= 0 else "ma"))
        self.words.set_words([*named, *told])
        return self
