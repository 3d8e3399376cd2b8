"""The plane with more than two classes: who gets which part of it, and where a rule hesitates."""

from __future__ import annotations

import numpy as np
from contourpy import contour_generator
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.backend_bases import RendererBase
from matplotlib.colors import to_rgb
from matplotlib.patches import Patch
from numpy.typing import ArrayLike, NDArray
from PIL import Image

from coursekit.core.datasets import Dataset
from coursekit.core.validate import Floats
from coursekit.plots.boundary import line_ends
from coursekit.plots.ghost import Ghost
from coursekit.plots.landscape import Extent
from coursekit.plots.lettering import Lettering, Word
from coursekit.plots.panel import legend_above
from coursekit.plots.style import current, use

NOBODY, SURE, SEVERAL, DISAGREE = range(4)
"""How many classes hold a place: none, one, several; or the rules give it to different ones."""


class Regions:
    """The plane, tinted by the class that each place gets, striped where it is in doubt.

    frame(extent, classes) fixes what is seen and names the classes, at most five.
    grid(extent): the (size * size, 2) places where show() wants an answer, row by row from the lower left.
    """

    size = 128

    def __init__(self, ax: Axes) -> None:
        self.ax, self.look, self._box = ax, current(), ax.get_position()
        ink, classes = self.look.ink, self.look.classes
        self.ground = _Map(ax)
        self.lines = [ax.plot([], [], lw=1.4, ms=5.5, clip_on=False)[0] for _ in classes]
        self.points = [ax.plot([], [], ls="", ms=6.5, mec=self.look.paper, mew=0.6, **s)[0] for s in classes]
        (self.wrong,) = ax.plot([], [], ls="", marker="x", ms=7, mew=1.5, color=ink)
        (self.place,) = ax.plot([], [], ls="", marker="P", ms=13, mfc=self.look.paper, mec=ink, mew=1.6)
        self.names = Lettering(ax, size=15 if ax.bbox.width > 2.5 * ax.figure.dpi else 11)
        self.artists: list[Artist] = [self.ground, *self.lines, *self.points, self.wrong, self.place, self.names]

    @classmethod
    def grid(cls, extent: Extent) -> Floats:
        x, y = (low + (high - low) * (np.arange(cls.size) + 0.5) / cls.size for low, high in (extent[:2], extent[2:]))
        return np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)

    def frame(self, extent: Extent, classes: tuple[str, ...]) -> None:
        self.ax.set(xlim=extent[:2], ylim=extent[2:], aspect="equal")
        self.extent, self.classes = extent, classes

    def legend(self) -> None:
        """Name the markers above the picture, once it is framed."""
        handles = [*self.points[: len(self.classes)], self.wrong]
        self.ax.set_position(self._box)
        with use(self.look):
            legend_above(
                self.ax, handles, [*self.classes, "misclassified"], len(handles), columnspacing=1.0, handletextpad=0.2,
                fontsize=9, frameon=False, loc="lower left", bbox_to_anchor=(-0.02, 0.99), borderaxespad=0.1,
            )

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
        thetas: (m, 3), lines. own: line c belongs to class c, has its colour and ends in its markers.
        """
        if self.ground.set_classes(answers, held):
            self.names.set_words(self._named(np.where(held == DISAGREE, -1, answers)))
        self.place.set_data(*(np.empty((2, 0)) if place is None else np.reshape(place, (2, 1))))
        X, y = (np.zeros((0, 2)), np.zeros(0)) if data is None else (data.X, data.y)
        for c, points in enumerate(self.points):
            points.set_data(*X[y == c].T)
        self.wrong.set_data(*X[np.zeros(len(y), bool) if predicted is None else predicted != y].T)
        self._draw_lines(np.zeros((0, 3)) if thetas is None else thetas, own)
        return self

    def ghosts(self) -> list[Ghost]:
        """The borders between the classes as they are, to keep."""
        low, high = np.array(self.extent).reshape(2, 2).T
        return [Ghost(self.ax, low + (high - low) * (self._borders() + 0.5) / self.size)]

    def _borders(self) -> Floats:
        """Lines between the places of different classes, (K, 2) in places, nan between them."""
        answers, gap = self.ground.answers, np.full((1, 2), np.nan)
        parts = [gap]
        for c in range(len(self.classes)):
            for line in contour_generator(z=(answers == c).astype(float)).lines(0.5):
                (x, y), (beyond, above) = np.floor(line).astype(int).T, np.ceil(line).astype(int).T
                neighbour = answers[y, x] + answers[above, beyond] - c
                # Each border belongs to two classes; drawn twice its dashes would fill the gaps.
                parts += [np.where(neighbour[:, None] > c, line, np.nan), gap]
        return np.vstack(parts)

    def _named(self, answers: NDArray[np.intp]) -> list[Word]:
        """Each class's name in its region, near the frame where there is room."""
        places, words, half = self.grid(self.extent), [], (self.size - 1) / 2
        rim = np.abs(np.indices((self.size, self.size)) - half).max(axis=0).ravel() == half - self.size // 12
        for c, name in enumerate(self.classes):
            own = answers == c
            own &= rim if (own & rim).any() else True
            if own.any():
                middle = np.square(places[own] - places[own].mean(axis=0)).sum(axis=1).argmin()
                words.append(Word(*places[own][middle], name, "mm"))
        return words

    def _draw_lines(self, thetas: Floats, own: bool) -> None:
        drawn: list[list[Floats]] = [[] for _ in self.lines]
        for c, theta in enumerate(thetas):
            if (ends := line_ends(self.ax, theta)) is not None:
                drawn[c if own else 0] += [self._within(ends), np.full((1, 2), np.nan)]
        for c, (line, parts) in enumerate(zip(self.lines, drawn, strict=True)):
            line.set_data(*np.vstack([np.zeros((0, 2)), *parts]).T)
            line.set(**self.look.classes[c] if own else {"color": self.look.ink, "marker": ""})

    def _within(self, ends: Floats) -> Floats:
        """The part of a line that is seen, (2, 2); (0, 2) where the line passes by."""
        along = ends[1] - ends[0]
        edges = np.array(self.extent).reshape(2, 2)[along != 0]  # a line along an axis meets only two edges
        crossed = np.sort((edges - ends[0, along != 0, None]) / along[along != 0, None], axis=1)
        enter, leave = crossed[:, 0].max(), crossed[:, 1].min()
        seen = ends[0] + np.array([[enter], [leave]]) * along
        low, high = np.array(self.extent).reshape(2, 2).T
        return seen if (seen.mean(axis=0) >= low).all() and (seen.mean(axis=0) <= high).all() else seen[:0]


def stripes_key() -> list[Patch]:
    """Handles for a legend of the stripes."""
    look = {"facecolor": current().paper, "edgecolor": current().ink, "lw": 0.5}
    return [
        Patch(hatch="\\\\\\\\", label="nobody claims it", **look),
        Patch(hatch="////", label="several do, or tie", **look),
    ]


class _Map(Artist):
    """Tints with an edge between them and stripes over the doubtful, kept as pixels until something changes."""

    stripe, edge = 0.55, 0.65
    stripes = 1, 0, 2, 3  # for NOBODY, SURE, SEVERAL, DISAGREE; 1: falling, 2: rising, 3: both

    def __init__(self, ax: Axes) -> None:
        super().__init__()
        ax.add_artist(self)
        self.set_zorder(0)
        self._codes = np.zeros((1, 1), np.uint8)
        self._pixels = np.zeros((0, 0, 4), np.uint8)
        self._pattern = np.zeros((0, 0), np.uint8)
        self._classes = len(current().classes)
        self._palette = self._colours()

    def _colours(self) -> NDArray[np.uint32]:
        """The colour of a pixel by stripe pattern (here 1: falling, 2: rising, 3: crossing), held and class.

        They are numbered in this order; the last one is for edges.
        """
        look = current()
        paper = np.array(to_rgb(look.paper))
        rgb = np.array([to_rgb(style["color"]) for style in look.classes])
        grey = np.tile(to_rgb(look.ink), (len(rgb), 1))
        tint = look.tint + 0.04
        colours = [
            paper + (self.stripe if here & self.stripes[held] else tint) * ((grey if held == DISAGREE else rgb) - paper)
            for here in range(4)
            for held in (NOBODY, SURE, SEVERAL, DISAGREE)
        ]
        colours.append(paper + self.edge * (grey[:1] - paper))
        opaque = np.insert(np.vstack(colours), 3, 1.0, axis=1)
        return (255 * opaque).astype(np.uint8).view(np.uint32).ravel()

    def set_classes(self, answers: NDArray[np.intp], held: NDArray[np.intp]) -> bool:
        """Whether this is another map than the last."""
        size = round(answers.size**0.5)
        codes = (answers + self._classes * held).astype(np.uint8).reshape(size, size)
        if np.array_equal(codes, self._codes):
            return False
        self._codes, self._pixels = codes, np.zeros((0, 0, 4), np.uint8)
        self.stale = True
        return True

    @property
    def answers(self) -> NDArray[np.intp]:
        return (self._codes % self._classes).astype(np.intp)

    def draw(self, renderer: RendererBase) -> None:
        x, y, *size = (round(v) for v in self.axes.bbox.bounds)
        sharper = renderer.get_image_magnification()  # 1 on the screen, more in a file of vectors
        width, height = (round(sharper * v) for v in size)
        if self._pixels.shape[:2] != (height, width):
            self._pixels = self._painted(width, height, sharper)
        gc = renderer.new_gc()
        renderer.draw_image(gc, x, y, self._pixels)
        gc.restore()

    def _painted(self, width: int, height: int, sharper: float) -> NDArray[np.uint8]:
        if self._pattern.shape != (height, width):
            period = round(0.08 * self.axes.figure.dpi * sharper)
            across, up = np.arange(width), np.arange(height)[:, None]
            falling, rising = ((across + sign * up) % period < period / 4 for sign in (1, -1))
            self._pattern = (4 * self._classes * (falling + 2 * rising)).astype(np.uint8)
        codes = np.asarray(Image.fromarray(self._codes).resize((width, height), Image.Resampling.NEAREST))
        index = codes + self._pattern
        index[1:][codes[1:] != codes[:-1]] = len(self._palette) - 1
        index[:, 1:][codes[:, 1:] != codes[:, :-1]] = len(self._palette) - 1
        return self._palette[index].view(np.uint8).reshape(height, width, 4)
