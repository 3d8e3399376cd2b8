"""What a filter listens to: how loud its words are, how long w is, their weights against lambda, which it keeps."""

from collections.abc import Sequence
from typing import Self

import numpy as np
from matplotlib.path import Path

from coursekit.core import validate
from coursekit.plots.lettering import Word, box_of
from coursekit.plots.marks import Axes, Floats, NDArray, Plot, Style, joined
from coursekit.plots.weights import LambdaAxis

LETTER = 6.9  # points, of a bold letter on average
SIZES = 30, 25, 20, 16.5, 14, 12, 10.5, 9  # points: the largest in which all words have room
NAMED = 8  # so many paths have names at most


class LoudWeights(Plot):
    """Every weight as a bar beside the largest, in a given order; a dot at the largest of either sign, which are named.

    outline: other weights, for comparison, likewise beside their largest.
    """

    def make(self, ax: Axes, look: Style) -> None:
        ax.axis("off")
        ax.set(xlim=(0, 1), ylim=(-1.4, 1.65))
        ax.axhline(0, color=look.ink, lw=1)
        self.letters = int(ax.bbox.width / ax.figure.dpi * 72 / LETTER)
        sides = ("ham", look.blue, 0, -1.24, "left"), ("spam", look.red, 1, 1.5, "right")
        self.outline = self.add_shape(fc="none", ec=look.mixed(0.4), lw=0.9)
        self.bars = [self.add_shape(fc=color, gid=name, glides=True) for name, color, *_ in sides]
        self.words = [self.add(ax.text(x, y, "", ha=ha, va="center", size=12, weight="bold", gid=name,
                                       color=look.words(color))) for name, color, x, y, ha in sides]
        self.dots = self.add_marks("o", 5, color=look.ink, mew=0, gid="named")
        self.note = self.add(ax.text(1, 1.2, "outlined: at the best λ", ha="right", va="center", c=look.mixed(0.75)))

    def show(self, w: Floats, order: NDArray[np.intp], names: Sequence[str], outline: Floats | None = None) -> Self:
        """w, outline: (d,). order: of the features, from the left, as which they are named. names: of the features."""
        w, names, named = validate.shaped("w", w, "d")[order], [called(names[j]) for j in order], list[int]()
        for bars, words, side, sign in zip(self.bars, self.words, ("ham", "spam"), (-1, 1), strict=True):
            bars.set_path(_bars(w, sign))
            loud = [int(j) for j in np.argsort(-sign * w, kind="stable")[:4] if sign * w[j] > 0]
            said = {f"for {side}:  {' · '.join(names[j] for j in sorted(loud[:count])) or 'nothing'}": loud[:count]
                    for count in range(len(loud) + 1)}
            words.set_text([one for one in said if len(one) <= self.letters][-1])
            named += said[words.get_text()]
        self.dots.set_data((np.array(named) + 0.42) / len(w), w[named] / (np.abs(w).max(initial=0.0) or 1.0))
        self.note.set_visible(outline is not None)
        self.outline.set_path(_bars(np.zeros(0) if outline is None else outline[order]))
        return self


def _bars(w: Floats, sign: int = 0) -> Path:
    """Bars side by side from 0 to 1, those of the other sign flat (0: none), the largest of either 1 high."""
    left, wide = np.arange(len(w)) / max(len(w), 1), 0.84 / max(len(w), 1)
    high = w / (np.abs(w).max(initial=0.0) or 1.0)
    corners = [[(x, 0), (x, y), (x + wide, y), (x + wide, 0), (x, 0)]
               for x, y in zip(left, high if not sign else sign * np.maximum(sign * high, 0), strict=True)]
    return Path.make_compound_path_from_polys(np.array(corners)) if corners else Path([(0, 0)])


class LengthRod(Plot):
    """The length of w, measured; beyond `most` with an arrow at its end; and how long it must be for what is needed."""

    def __init__(self, ax: Axes, needed: str) -> None:
        super().__init__(ax)
        look = self.look
        ax.axis("off")
        ax.set(xlim=(0, 1.03), ylim=(-1, 1))
        ax.axhline(0, color=look.mixed(0.2), lw=0.8)
        ax.plot(0, 0, "|", color=look.ink, ms=13, mew=2.6)
        self.needed, self.tick = needed, self.add_curve(color=look.soft, lw=1.6, gid="needed")
        self.rod = self.add_curve(color=look.ink, lw=2.6, solid_capstyle="butt", gid="length", glides=True)
        self.end = self.add_marks("|", 13, color=look.ink, mew=2.6, gid="length", glides=True)
        self.length = self.add(ax.text(0, 0.62, "", va="center", size=12, weight="bold", gid="length"))
        self.word = self.add_words(size=10, inside=True, gid="needed")

    def show(self, length: float, most: float, needed: float) -> Self:
        """needed: where the tick is; none at 0 or beyond the end."""
        at, tick, here = min(length / most, 1.0), needed / most, 0 < needed < most
        self.rod.set_data([0, at], [0, 0])
        self.end.set_data([at], [0])
        self.end.set_marker("|" if length <= most else ">")
        self.length.set_text(f"length of w (all weights): {length:.2f}")
        self.tick.set_data([tick] * 2 * here, [-0.36, 0.24] * here)
        self.word.set_words([Word(tick, -0.7, f"{self.needed} {needed:.1f}", "mm")] * here)
        return self


class WordPaths(Plot):
    """The weights of words against lambda: solid where lambda is at least what it is now, pale where it is less.

    Weights for the positive class have its color, those for the negative one its color, false words are dotted.
    """

    def __init__(self, ax: Axes, powers: tuple[int, float]) -> None:
        super().__init__(ax)
        self.scale, look = LambdaAxis(ax, *validate.shaped("powers", powers, 2)), self.look
        ax.set(yticks=[], xticklabels=[])
        ax.spines[["left", "bottom"]].set_visible(False)
        ax.tick_params(length=0)
        ax.axhline(0, color=look.mixed(0.3), lw=1)
        kinds = (("ham", look.blue, "-", "o"), ("spam", look.red, "-", "o"), ("false", look.ink, (0, (1, 1.2)), "X"))
        self.pale = [self.add_curve(color=look.mixed(0.25, color), ls=ls, lw=1.2) for _, color, ls, _ in kinds]
        self.solid = [self.add_curve(color=color, ls=ls, lw=1.9, gid=name) for name, color, ls, _ in kinds]
        self.cut = self.add_curve(color=look.ink, lw=1.6, gid="lambda")
        self.knob = self.add_marks("o", 11, color=look.ink, mec=look.paper, mew=1.4, gid="lambda", clip_on=False)
        self.dots = [self.add_marks(marker, 6.5, color=color, mec=look.paper, mew=0.6, gid=name)
                     for name, color, _, marker in kinds]
        self.names = self.add_words(ax.get_yaxis_transform(), size=9.5)

    def frame(self, names: Sequence[str], ends: Floats) -> None:
        """Fit the scale to the weights at the left end, (d,), and name the largest of them there."""
        most = 1.05 * float(np.abs(ends).max(initial=0.0)) or 1.0
        self.ax.set_ylim(-most, 1.15 * most)
        apart = 2.3 * most * 12 / (self.ax.bbox.height * 72 / self.ax.figure.dpi)  # a line of type
        named: list[int] = []
        for j in np.argsort(-np.abs(ends), kind="stable")[:3 * NAMED]:
            if len(named) < NAMED and all(abs(ends[j] - ends[other]) > apart for other in named):
                named.append(int(j))
        self.names.set_words(Word(-0.015, ends[j], called(names[j], 12), "rm") for j in named)

    def show(self, lams: Floats, weights: Floats, real: int, lam: float, now: Floats) -> Self:
        """lams: (L,). weights: (L, d), of which all from `real` on are false. now: (d,), the weights at lam."""
        weights = validate.shaped("weights", weights, len(lams), "d")
        k, at = int(np.searchsorted(lams, lam)), float(self.scale.place(lam))
        x, weights = np.insert(self.scale.place(lams), k, at), np.insert(weights, k, now, axis=0)
        for k, (part, sign) in enumerate(((slice(real), -1), (slice(real), 1), (slice(real, None), 0))):
            ways = _signed(x, weights[:, part], sign)
            self.pale[k].set_data(*ways.T)
            self.solid[k].set_data(*ways[~(ways[:, 0] < at - 1e-9)].T)
            seen = now[part][now[part] * sign > 0 if sign else now[part] != 0]
            self.dots[k].set_data(np.full(len(seen), at), seen)
        self.cut.set_data([at, at], self.ax.get_ylim())
        self.knob.set_data([at], self.ax.get_ylim()[1:])
        return self


def _signed(x: Floats, weights: Floats, sign: int) -> Floats:
    """The paths where they have this sign (0: any), from 0 to 0, with a gap after each; nothing where they are 0."""
    on = weights * sign > 0 if sign else weights != 0
    padded = np.pad(on, ((1, 1), (0, 0)))
    near = np.vstack([padded[:-2] | on | padded[2:], on.any(axis=0)])
    column, row = np.nonzero(near.T)
    heights = np.vstack([np.where(on, weights, 0.0), np.full(on.shape[1], np.nan)])
    return np.column_stack([np.append(x, np.nan)[row], heights[row, column]])


class WordList(Plot):
    """The words that are in, the largest weight first, as large as there is room for all; false ones are struck out."""

    def make(self, ax: Axes, look: Style) -> None:
        ax.axis("off")
        ax.set(xlim=(0, 1), ylim=(0, 1))
        colors = {"ham": look.words(look.blue), "spam": look.words(look.red), "false": look.ink}
        self.kinds = [self.add_words(color=color, gid=name) for name, color in colors.items()]
        self.strokes = self.add_curve(color=look.ink, lw=1.4, gid="false")
        self.notes = self.add_words(size=11)

    def show(self, names: Sequence[str], weights: Floats, false: NDArray[np.bool_]) -> Self:
        """names, weights, false: of all features; those with weight 0 are not on the list."""
        chosen = [j for j in np.argsort(-np.abs(weights), kind="stable") if weights[j]]
        words = [called(names[j], 22) for j in chosen]
        size, places = self._flow(words)
        kinds: tuple[list[Word], ...] = ([], [], [])
        strokes = []
        for j, word, (left, right, y) in zip(chosen, words, places, strict=False):
            kinds[2 if false[j] else int(weights[j] > 0)].append(Word(left, y, word, "lm"))
            if false[j]:
                strokes.append([(left - 0.005, y), (right + 0.005, y)])
        for kind, shown in zip(self.kinds, kinds, strict=True):
            kind._size = size
            kind.set_words(shown)
        self.strokes.set_data(*joined(strokes).T)
        left_out, above = len(words) - len(places), 1 + 0.28 * self.ax.figure.dpi / self.ax.bbox.height
        told = f"{len(strokes)} shuffled" if false.any() else "largest weight first"
        many = f"{len(words)}, {told}" if words else "empty"
        self.notes.set_words([Word(1, above, many, "rs"), Word(0, 0, f"and {left_out} more" * (left_out > 0), "ld")])
        return self

    def _flow(self, words: Sequence[str]) -> tuple[float, list[tuple[float, float, float]]]:
        """The size of type, and for each word its left and right end and its height, as shares of the axes."""
        wide, high = self.ax.bbox.size
        dots = self.ax.figure.dpi / 72
        places: list[tuple[float, float, float]] = []
        for size in SIZES:
            row, gap, x, y, places = 1.45 * size * dots, 0.75 * size * dots, 0.0, 0.0, []
            for word in words:
                long = box_of(word, round(size * dots, 2), "lm")[2]
                if x and x + long > wide:
                    x, y = 0.0, y + row
                if y + row > high:
                    break
                places.append((x / wide, (x + long) / wide, 1 - (y + row / 2) / high))
                x += long + gap
            if len(places) == len(words):
                break
        return size, places


def called(name: str, letters: int = 30) -> str:
    """A feature's name in a picture, of at most so many letters. A mere character says that it is one."""
    if len(name) == 1 and not name.isalnum():
        return f"character “{name}”" if letters > 22 else f"“{name}”"
    return name if len(name) <= letters else f"{name[: letters - 1]}…"
