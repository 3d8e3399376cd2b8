"""What belongs to one line: its normal theta, the way to it, the projection of a vector, words beside it."""

from collections.abc import Iterable
from typing import Any, Self

import numpy as np

from coursekit.core import validate
from coursekit.core.datasets import Dataset
from coursekit.core.text import number
from coursekit.plots.boundary import corners, line_ends, seen
from coursekit.plots.marks import DASHED, NOWHERE, Axes, Floats, Plot, Style, Tag, Word, joined, show_classes

GRID = np.array([(x, y) for x in (0.13, 0.3, 0.5, 0.7, 0.87) for y in (0.06, 0.28, 0.5, 0.72, 0.94)])  # in a frame


class Distances(Plot):
    """The shortest way from places to the line theta . (x, 1) = 0; drawn over a DecisionBoundary."""

    def make(self, ax: Axes, look: Style) -> None:
        self.segments = self.add_curve(color=look.ink, solid_capstyle="butt", zorder=1.95)

    def show(self, X: Floats, theta: Floats) -> Self:
        """X: (n, 2). theta: (3,), weights not 0."""
        X, theta = validate.shaped("X", X, "n", 2), validate.shaped("theta", theta, 3)
        length = np.hypot(*theta[:2])
        if not length:
            raise ValueError("theta must have weights other than 0, so that there is a line; got (0, 0)")
        feet = X - ((X @ theta[:2] + theta[2]) / length)[:, None] * theta[:2] / length
        self.segments.set_data(*joined(np.stack([X, feet], axis=1)).T)
        return self


class Normal(Plot):
    """theta as an arrow on its line, with a dot at each end to take hold of."""

    def make(self, ax: Axes, look: Style) -> None:
        self.arrow = self.add_arrow(look.ink, 17, lw=2.6, zorder=2.2, gid="theta", glides=True)
        self.ends = self.add_marks("o", 11, mfc=look.paper, mec=look.ink, mew=2.0, zorder=2.3, glides=True)

    def show(self, tail: Floats, tip: Floats) -> Self:
        """tail, tip: (2,)."""
        self.arrow.set_positions(tuple(tail), tuple(tip))
        self.ends.set_data(*np.array([tail, tip]).T)
        return self


class Shadows(Plot):
    """What each example casts on the way of theta that passes beside them."""

    def make(self, ax: Axes, look: Style) -> None:
        soft: dict[str, Any] = {"color": look.soft, "zorder": 1.9}
        self.rays = self.add_curve(lw=0.6, alpha=0.55, solid_capstyle="butt", gid="shadow", **soft)
        self.way = self.add_curve(lw=1.2, **soft)
        self.feet = [self.add_classes(hollow=k, mew=1.5 * k, zorder=2.25, gid="shadow") for k in (False, True)]
        self.ends = NOWHERE  # of all shadows together, with some room

    def show(self, data: Dataset, theta: Floats | None, tail: Floats) -> None:
        """theta: (3,), with weights; without it there is nothing to see. tail: (2,), where the way meets the line."""
        self.set_visible(theta is not None)
        if theta is None:
            return
        theta = theta / np.hypot(*theta[:2])
        point = np.ptp(self.ax.get_xlim()) / self.ax.bbox.width / 72 * self.ax.figure.dpi
        along = data.X @ theta[:2] + theta[2]
        feet = tail + along[:, None] * theta[:2]
        self.ends = tail + np.outer([along.min() - 16 * point, along.max() + 16 * point], theta[:2])
        self.rays.set_data(*joined(np.stack([data.X, feet], axis=1)).T)
        self.way.set_data(*self.ends.T)
        right = data.y * along > 0
        for drawn, which in zip(self.feet, (right, ~right), strict=True):
            show_classes(drawn, feet[which], data.y[which])


class Shadow(Plot):
    """A vector x, with a dot to take hold of, and its projection on w, its shadow: w . x is w's length times that."""

    def make(self, ax: Axes, look: Style) -> None:
        self.axis = self.add_curve(color=look.soft, lw=1.2, ls=DASHED)
        self.ray = self.add_curve(color=look.soft, lw=1.4, ls=(0, (2, 2)))
        self.cast = self.add_curve(color=look.green, lw=9, alpha=0.5, solid_capstyle="butt", zorder=1, gid="projection")
        self.x = self.add_arrow(look.red, 17, lw=2.6, gid="x")
        self.tip = self.add_marks("o", 11, mfc=look.paper, mec=look.red, mew=2.0, zorder=2.3, gid="x")
        self.names = self.add_tags(size=11.5)

    def show(self, x: Floats | None, w: Floats, projection: float) -> Self:
        """x, w: (2,), w not 0. projection: of x on w, as it is written. Without x there is nothing to see."""
        self.set_visible(x is not None)
        if x is None:
            return self
        unit = w / np.hypot(*w)
        foot, far = (x @ unit) * unit, 1e3 * unit
        self.axis.set_data(*np.array([-far, far]).T)
        self.ray.set_data(*np.array([x, foot]).T)
        self.cast.set_data(*np.array([np.zeros(2), foot]).T)
        self.x.set_positions((0, 0), tuple(x))
        self.tip.set_data([x[0]], [x[1]])
        along = foot * np.array([[0.5], [0.35], [0.65], [0.2], [0.8]])
        said = f"projection {number(projection)}"
        self.names.show([Tag(said, along, foot - x), Tag("x", x, x), Tag("θ", w, x - foot)])
        return self


class Notes(Plot):
    """Words above a picture, at its right: there no line crosses them."""

    def make(self, ax: Axes, look: Style) -> None:
        self.corner = self.add_words(ax.transAxes, size=15 if ax.bbox.width > 4 * ax.figure.dpi else 12)

    def show(self, words: str) -> Self:
        self.corner.set_words([Word(1.0, 1.015, words, "rd")])
        return self


class Sides(Plot):
    """What each side of a line is called, where it is deepest in view, another line, and examples."""

    def make(self, ax: Axes, look: Style) -> None:
        self.names = self.add_tags(size=11.5 if ax.bbox.width > 4 * ax.figure.dpi else 9.5)

    def show(self, theta: Floats, names: tuple[str, ...], other: Floats | None = None, beside: Iterable[Tag] = (),
             word: str = "before") -> None:
        """theta, other: (3,). names: of the negative and of the positive side. beside: what else is named, first. word:
        for the other line."""
        low, high = corners(self.ax)
        places = low + (high - low) * GRID
        scores = places @ theta[:2] + theta[2]
        tags, looks = list(beside), zip((-1, 1), names, self.look.classes, strict=False)
        for sign, name, look in looks if theta[:2].any() else ():
            deepest = np.argsort(-sign * scores, kind="stable")[: min(int(np.sum(sign * scores > 0)), 8)]
            tags.append(Tag(name, places[deepest], color=look["color"], area=True))
        if len(way := seen(self.ax, line_ends(self.ax, other), margin=0.08)):
            tags.append(Tag(word, way[:: len(way) // 8 + 1], color=self.look.soft))
        self.names.show(tags)

    def beside(self, x: Floats, size: float) -> Floats:
        """The places right and left of the ring of this size, in points, around x, (2,)."""
        to_pixels, radius = self.ax.transData, size / 144 * self.ax.figure.dpi
        rims = np.asarray(to_pixels.transform(x), float) + np.array([[radius, 0], [-radius, 0]])
        return np.asarray(to_pixels.inverted().transform(rims), float)
