"""Which words a filter keeps: their weights against lambda, the list of those that are in, and the errors."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Polygon
from numpy.typing import NDArray

from coursekit.core.validate import Floats
from coursekit.plots import check
from coursekit.plots.leash import TwoErrors
from coursekit.plots.lettering import Lettering, Word, ink_of
from coursekit.plots.marks import Plot, curve, joined, marks, patch, ring
from coursekit.plots.style import blend
from coursekit.plots.weights import LambdaAxis

SIZES = 30, 25, 20, 16.5, 14, 12, 10.5, 9  # points: the largest in which all words have room
NAMED = 8  # so many paths have names at most


class WordPaths(Plot):
    """The weights of words against lambda: solid where lambda is at least what it is now, pale where it is less.

    Weights for the positive class have its colour, those for the negative one its colour, false words are dotted.
    """

    def __init__(self, ax: Axes, powers: tuple[int, float]) -> None:
        super().__init__(ax)
        self.scale, look = LambdaAxis(ax, *powers), self.look
        ax.set(yticks=[], xticklabels=[])
        ax.spines[["left", "bottom"]].set_visible(False)
        ax.tick_params(length=0)
        ax.grid(False)
        ax.axhline(0, color=look.mixed(0.3), lw=1)
        kinds = [(one["color"], "-", "o") for one in look.classes[:2]] + [(look.ink, (0, (1, 1.2)), "X")]
        self.pale = [self.add(curve(ax, color=look.mixed(0.25, c), ls=ls, lw=1.2)) for c, ls, _ in kinds]
        self.solid = [self.add(curve(ax, color=c, ls=ls, lw=1.9)) for c, ls, _ in kinds]
        self.cut = self.add(curve(ax, color=look.ink, lw=1.6, gid="lambda"))
        self.knob = self.add(marks(ax, "o", 11, color=look.ink, mec=look.paper, mew=1.4, gid="lambda", clip_on=False))
        self.dots = [self.add(marks(ax, m, 6.5, color=c, mec=look.paper, mew=0.6)) for c, _, m in kinds]
        self.names = self.add(Lettering(ax, ax.get_yaxis_transform(), size=9.5))
        for drawn, name in zip(zip(self.solid, self.dots, strict=True), ("ham", "spam", "false"), strict=True):
            for artist in drawn:
                artist.set_gid(name)

    def frame(self, names: Sequence[str], ends: Floats) -> None:
        """Fit the scale to the weights at the left end, (d,), and name the largest of them there."""
        most = 1.05 * float(np.abs(ends).max(initial=0.0)) or 1.0
        self.ax.set_ylim(-most, 1.15 * most)
        apart = 2.3 * most * 12 / (self.ax.bbox.height * 72 / self.ax.figure.dpi)  # a line of type
        named: list[int] = []
        for j in np.argsort(-np.abs(ends), kind="stable")[:3 * NAMED]:
            if len(named) < NAMED and all(abs(ends[j] - ends[other]) > apart for other in named):
                named.append(int(j))
        self.names.set_words(Word(-0.015, ends[j], short(names[j], 12), "rm") for j in named)

    def show(self, lams: Floats, weights: Floats, real: int, lam: float, now: Floats) -> WordPaths:
        """lams: (L,). weights: (L, d), of which all from `real` on are false. now: (d,), the weights at lam."""
        weights = check.shaped("weights", weights, len(lams), "d")
        k, at = int(np.searchsorted(lams, lam)), float(self.scale.place(lam))
        x, weights = np.insert(self.scale.place(lams), k, at), np.insert(weights, k, now, axis=0)
        for k, (part, sign) in enumerate(((slice(real), -1), (slice(real), 1), (slice(real, None), 0))):
            ways = [way for w in weights[:, part].T for way in _signed(x, w, sign)]
            self.pale[k].set_data(*joined(ways).T)
            self.solid[k].set_data(*joined(way[way[:, 0] >= at - 1e-9] for way in ways).T)
            seen = now[part]
            seen = seen[seen * sign > 0 if sign else seen != 0]
            self.dots[k].set_data(np.full(len(seen), at), seen)
        low, high = self.ax.get_ylim()
        self.cut.set_data([at, at], [low, high])
        self.knob.set_data([at], [high])
        return self


def _signed(x: Floats, w: Floats, sign: int) -> list[Floats]:
    """A path where it has this sign (0: any), from 0 to 0; nothing where it is 0."""
    on = w * sign > 0 if sign else w != 0
    if not on.any():
        return []
    near = on | np.append(on[1:], False) | np.append(False, on[:-1])
    return [np.column_stack([x, np.where(on, w, 0.0)])[near]]


class WordList(Plot):
    """The words that are in, the loudest first, as large as there is room for all; false ones are struck out."""

    def __init__(self, ax: Axes) -> None:
        super().__init__(ax)
        look = self.look
        ax.axis("off")
        ax.set(xlim=(0, 1), ylim=(0, 1))
        self.kinds = [self.add(Lettering(ax)) for _ in range(3)]
        colors = [blend(0.45, look.ink, one["color"]) for one in look.classes[:2]] + [look.ink]
        for kind, color, name in zip(self.kinds, colors, ("ham", "spam", "false"), strict=True):
            kind._color = color
            kind.set_gid(name)
        self.strokes = self.add(curve(ax, color=look.ink, lw=1.4, gid="false"))
        self.notes = self.add(Lettering(ax, size=11))

    def show(self, names: Sequence[str], weights: Floats, false: NDArray[np.bool_]) -> WordList:
        """names, weights, false: of all features; those with weight 0 are not on the list."""
        chosen = [j for j in np.argsort(-np.abs(weights), kind="stable") if weights[j]]
        words = [short(names[j], 22) for j in chosen]
        size, places = self._flow(words)
        kinds: tuple[list[Word], ...] = ([], [], [])
        strokes = []
        for j, word, (left, right, y) in zip(chosen, words, places, strict=False):
            kinds[2 if false[j] else int(weights[j] > 0)].append(Word(left, y, word, "lm"))
            if false[j]:
                strokes.append([(left - 0.005, y), (right + 0.005, y)])
        for kind, told in zip(self.kinds, kinds, strict=True):
            kind._size = size
            kind.set_words(told)
        self.strokes.set_data(*joined(strokes).T)
        left_out, above = len(words) - len(places), 1 + 0.28 * self.ax.figure.dpi / self.ax.bbox.height
        many = f"{len(words)}, {len(strokes)} of them false" if false.any() else f"{len(words)}, the loudest first"
        self.notes.set_words([Word(1, above, many, "rm"), Word(0, 0, f"and {left_out} more" * (left_out > 0), "ld")])
        return self

    def _flow(self, words: Sequence[str]) -> tuple[float, list[tuple[float, float, float]]]:
        """The size of type, and for each word its left and right end and its height, as shares of the axes."""
        wide, high = self.ax.bbox.size
        dots = self.ax.figure.dpi / 72
        places: list[tuple[float, float, float]] = []
        size = float(SIZES[-1])
        for size in SIZES:
            row, gap, x, y, places = 1.45 * size * dots, 0.75 * size * dots, 0.0, 0.0, []
            for word in words:
                long = ink_of(word, round(size * dots, 2), "lm").box[2]
                if x and x + long > wide:
                    x, y = 0.0, y + row
                if y + row > high:
                    break
                places.append((x / wide, (x + long) / wide, 1 - (y + row / 2) / high))
                x += long + gap
            if len(places) == len(words):
                break
        return size, places


class SelectionErrors(TwoErrors):
    """Both errors against lambda, with the band of many draws and rings at the errors that a descent has reached."""

    def __init__(self, ax: Axes, powers: tuple[int, float], names: tuple[str, str]) -> None:
        super().__init__(ax, powers, names)
        band = Polygon(np.zeros((3, 2)), fc=self.look.mixed(0.12), lw=0, zorder=1, gid="draws")
        self.band = self.add(patch(ax, band))
        self.reached = self.add(ring(ax, 13, 1.2, clip_on=False, gid="descent"))

    def more(self, lams: Floats, draws: Floats, lam: float, reached: Sequence[float]) -> None:
        """After show. lams: (L,). draws: (2, L), the lowest and the highest error of many, or (2, 0)."""
        high, x = self.ruler.scale["y"] / 100, self.scale.place(lams)
        self.band.set_visible(draws.size > 0)
        if draws.size:
            self.band.set_xy(np.column_stack([np.append(x, x[::-1]), np.append(draws[0], draws[1, ::-1]) / high]))
        at = float(self.scale.place(lam))
        self.reached.set_data([at] * len(reached), np.minimum(np.asarray(reached, float) / high, 1.17))


def short(name: str, letters: int) -> str:
    return name if len(name) <= letters else f"{name[: letters - 1]}…"
