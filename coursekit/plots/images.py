"""Digits and the weights of their pixels as pictures, and the weights of named features as bars."""

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.patches import Rectangle

from coursekit.core import validate
from coursekit.plots.listing import called
from coursekit.plots.marks import Axes, Floats, Plot, Word, blank, joined
from coursekit.plots.style import Style, grays

SIDE = 8  # pixels each way


class WeightImage(Plot):
    """A weight for each pixel, as a picture; strong ones carry their sign.

    Colors reach from minus to plus the largest weight, so the picture shows the direction of w.
    """

    def make(self, ax: Axes, look: Style) -> None:
        negative, positive = (look.mixed(look.deep, color) for color in (look.blue, look.red))
        signed = LinearSegmentedColormap.from_list("signed", [negative, look.paper, positive])
        edges, nothing = np.arange(SIDE + 1) - 0.5, np.zeros((SIDE, SIDE))
        self.image = self.add(ax.pcolormesh(edges, edges, nothing, cmap=signed, vmin=-1, vmax=1))  # faster than imshow
        self.add_patch(Rectangle((-0.5, -0.5), SIDE, SIDE, fill=False, ec=look.ink, lw=1, clip_on=False))
        blank(ax, aspect="equal", ylim=(SIDE - 0.5, -0.5))
        self.signs = [self.add_marks(marker, 7, mew=1.4, color=look.ink) for marker in ("_", "+")]

    def name_classes(self, negative: str, positive: str) -> None:
        """Say beside the picture which class a sign speaks for."""
        for y, sign, name in ((0.56, "+", positive), (0.44, "\N{MINUS SIGN}", negative)):
            self.ax.text(1.05, y, f"{sign} for {name}", transform=self.ax.transAxes, va="center")

    def show(self, weights: Floats) -> Self:
        """weights: (64,), row by row. Signs where |w| is at least 0.3 of the largest."""
        weights = validate.shaped("weights", weights, SIDE * SIDE)
        shares = (weights / (np.abs(weights).max() or 1.0)).reshape(SIDE, SIDE)
        self.image.set_array(shares)
        for artist, sign in zip(self.signs, (-1, 1), strict=True):
            rows, columns = np.nonzero(sign * shares >= 0.3)
            artist.set_data(columns, rows)
        return self


class WeightBars(Plot):
    """A bar for each named feature, as long as its weight; the longest reaches the edge."""

    def make(self, ax: Axes, look: Style) -> None:
        ax.set(xlim=(-1.08, 1.08), xticks=[])
        ax.tick_params(length=0)
        ax.axvline(0, color=look.soft, lw=1)
        ax.spines[:].set_visible(False)
        bar: dict[str, Any] = {"lw": 3.2, "ms": 6, "markevery": (1, 3), "solid_capstyle": "butt"}
        self.bars = [self.add_curve(**bar, **style) for style in look.classes[:2]]
        self._count, where = 0, ax.transAxes
        self.sides = [ax.text(x, 1, "", transform=where, ha=ha, va="bottom") for x, ha in ((0, "left"), (1, "right"))]
        self.scale = self.add_words(ax.get_xaxis_transform(), size=9)

    def frame(self, names: Sequence[str], classes: Sequence[str] = ()) -> None:
        """The names of the features, and of the classes for which a bar to the left and to the right speaks."""
        self._count = len(names)
        for side, name in zip(self.sides, classes, strict=False):
            side.set_text(name)
        self.ax.set(ylim=(len(names) - 0.4, -0.6))
        room = self.ax.get_window_extent().height * 72 / self.ax.figure.dpi / len(names)
        self.ax.set_yticks(range(len(names)), map(called, names), size=min(9, 0.87 * room))

    def show(self, weights: Floats) -> Self:
        """weights: (d,), one for each name."""
        weights = validate.shaped("weights", weights, self._count or "d")
        longest = float(np.abs(weights).max())
        shares = weights / (longest or 1.0)
        for bars, sign in zip(self.bars, (-1, 1), strict=True):
            bars.set_data(*joined([(0, row), (shares[row], row)] for row in np.flatnonzero(sign * shares > 0)).T)
        ends = ((-1, f"\N{MINUS SIGN}{longest:.3g}", "la"), (0, "0", "ma"), (1, f"+{longest:.3g}", "ra"))
        self.scale.set_words(Word(x, -0.01, text, anchor) for x, text, anchor in ends)
        return self


class DigitRows(Plot):
    """At most `places` digits in two rows with two lines of words under each; the marked ones are framed."""

    places = 8

    def make(self, ax: Axes, look: Style) -> None:
        self._size, across = np.array([SIDE + 1, SIDE + 4]), self.places // 2  # an empty column, and room for words
        ax.axis("off")
        nothing = np.zeros((2 * self._size[1], across * self._size[0]))
        self.image = self.add(ax.imshow(nothing, cmap=grays(), vmin=0, vmax=16, interpolation="nearest"))
        self.frames = self.add_curve(color=look.red, lw=2.2, clip_on=False)
        self.words = self.add_words(size=9)
        self._middles = self._size * [(k % across, k // across) for k in range(self.places)] + SIDE / 2 - 0.5

    def show(self, digits: Floats, words: Sequence[tuple[str, str]], marked: Sequence[bool]) -> Self:
        """digits: (k, 64), ink from 0 to 16, k <= places. words, marked: one for each digit."""
        wide, high = self._size
        cells = np.zeros((self.places, high, wide))
        cells[: len(digits), :SIDE, :SIDE] = np.reshape(digits, (-1, SIDE, SIDE))
        self.image.set_data(cells.reshape(2, -1, high, wide).swapaxes(1, 2).reshape(2 * high, -1))
        self.words.set_words(Word(x, y + line, text, "ma") for (x, y), lines in zip(self._middles, words, strict=False)
                             for line, text in zip((4.2, 5.8), lines, strict=True))
        corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1], [-1, -1]]) * (SIDE / 2)
        self.frames.set_data(*joined(corners + at for at in self._middles[: len(marked)][np.asarray(marked, bool)]).T)
        return self
