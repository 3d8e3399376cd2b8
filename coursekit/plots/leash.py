"""What a price on length does: weights as bars, how long w is, and how wrong the filter is, old emails and new."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import PathPatch
from matplotlib.path import Path
from matplotlib.text import Text
from numpy.typing import NDArray

from coursekit.core.validate import Floats
from coursekit.plots import check
from coursekit.plots.ghost import Ghost
from coursekit.plots.lettering import Lettering, Word
from coursekit.plots.marks import DASHED, Plot, curve, marks, patch, places
from coursekit.plots.ruler import Ruler
from coursekit.plots.style import blend
from coursekit.plots.weights import LambdaAxis

LETTER = 6.9  # points, of a bold letter on average


class LoudWeights(Plot):
    """Every weight as a bar beside the largest, in a given order, and the names of the largest of either sign.

    outline: other weights, for comparison, likewise beside their largest.
    """

    def __init__(self, ax: Axes, sides: tuple[str, str] = ("ham", "spam")) -> None:
        super().__init__(ax)
        look = self.look
        ax.axis("off")
        ax.set(xlim=(0, 1), ylim=(-1.4, 1.65))
        ax.axhline(0, color=look.ink, lw=1)
        self.sides, self.letters = sides, int(ax.bbox.width / ax.figure.dpi * 72 / LETTER)
        self.outline = self.add(patch(ax, PathPatch(Path([(0, 0)]), fc="none", ec=look.mixed(0.4), lw=0.9)))
        bars = [patch(ax, PathPatch(Path([(0, 0)]), lw=0, fc=one["color"])) for one in look.classes[:2]]
        self.bars = [self.add(one, sign, glides=True) for one, sign in zip(bars, sides, strict=True)]
        self.words = [
            self.add(ax.text(x, y, "", ha=ha, va="center", size=12, weight="bold",
                             color=blend(0.45, look.ink, one["color"])))
            for x, y, ha, one in ((0, -1.24, "left", look.negative), (1, 1.5, "right", look.positive))
        ]
        note, soft = "outlined: at the best λ", look.mixed(0.75)
        self.note = self.add(ax.text(1, 1.2, note, ha="right", va="center", color=soft))
        for sign, word in zip(sides, self.words, strict=True):
            word.set_gid(sign)

    def show(
        self, w: Floats, order: NDArray[np.intp], names: Sequence[str], outline: Floats | None = None
    ) -> LoudWeights:
        """w, outline: (d,). order: of the features, from the left. names: of the features."""
        w = check.shaped("w", w, "d")
        for bars, words, side, sign in zip(self.bars, self.words, self.sides, (-1, 1), strict=True):
            bars.set_path(_bars(w[order], sign))
            loud = [names[j] for j in np.argsort(-sign * w, kind="stable")[:4] if sign * w[j] > 0]
            said = [f"for {side}:  {' · '.join(loud[:count]) or 'nothing'}" for count in range(len(loud) + 1)]
            words.set_text([one for one in said if len(one) <= self.letters][-1])
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
    """The length of w as a rod, one longer than `most` with an arrow at its end, and how long it must be for something.

    needed: for what.
    """

    def __init__(self, ax: Axes, needed: str) -> None:
        super().__init__(ax)
        look = self.look
        ax.axis("off")
        ax.set(xlim=(0, 1.03), ylim=(-1, 1))
        ax.plot([0, 1], [0, 0], color=look.mixed(0.1), lw=8, solid_capstyle="butt")
        self.needed, self.tick = needed, self.add(curve(ax, color=look.soft, lw=1.6))
        self.rod = self.add(curve(ax, color=look.ink, lw=6, solid_capstyle="butt"), "length", glides=True)
        self.end = self.add(marks(ax, "o", 12, color=look.ink), "length", glides=True)
        self.length = self.add(ax.text(0, 0.62, "", va="center", size=12, weight="bold"))
        self.word = self.add(Lettering(ax, size=10, inside=True))
        self.length.set_gid("length")
        self.tick.set_gid("needed")
        self.word.set_gid("needed")

    def show(self, length: float, most: float, needed: float) -> LengthRod:
        """needed: where the tick is; none at 0 or beyond the end."""
        at, tick = min(length / most, 1.0), needed / most
        self.rod.set_data([0, at], [0, 0])
        self.end.set_data([at], [0])
        self.end.set_marker("o" if length <= most else ">")
        self.length.set_text(f"length of w: {length:.2f}")
        here = 0 < tick < 1
        self.tick.set_data([tick] * 2 * here, [-0.36, 0.36] * here)
        self.word.set_words([Word(tick, -0.7, f"{self.needed} {needed:.1f}", "mm")] * here)
        return self


class TwoErrors(Plot):
    """Two errors in percent against lambda, those of now as dots with their numbers; a star where the second is lowest.

    names: of the dashed and of the solid curve.
    """

    def __init__(self, ax: Axes, powers: tuple[int, float], names: tuple[str, str]) -> None:
        super().__init__(ax)
        self.ruler, look = Ruler(self, signed=False), self.look
        ax.set_ylim(-0.04, 1.17)
        self.scale, self.names = LambdaAxis(ax, *powers), names
        self.cut = self.add(curve(ax, color=look.ink, lw=1.2))
        colors = look.green, look.violet
        self.curves = [self.add(curve(ax, color=c, ls=ls, lw=2.4)) for c, ls in zip(colors, (DASHED, "-"), strict=True)]
        self.best = self.add(marks(ax, "*", 16, mfc=look.star, mec=look.ink, mew=1.0))
        self.up = self.add(curve(ax, color=look.ink, lw=1, ls=":"))
        self.name = self.add(Lettering(ax, size=10, inside=True))
        self.now = [self.add(marks(ax, "o", 10, color=c, mec=look.paper, mew=1.4, clip_on=False)) for c in colors]
        self.words: list[Text] = []
        # above the axes, where no curve is
        for inches, color, ls in zip((0.14, 0.36), colors, (DASHED, "-"), strict=True):
            y = 1 + inches * ax.figure.dpi / ax.bbox.height * look.zoom / look.room
            ax.plot([0, 0.11], [y, y], color=color, ls=ls, lw=2.4, transform=ax.transAxes, clip_on=False)
            ink = blend(0.45, look.ink, color)
            self.words.append(self.add(ax.text(0.14, y, "", size=11.5, weight="bold", color=ink, va="center",
                                               transform=ax.transAxes)))
        for name, *drawn in zip(("training", "validation"), self.curves, self.now, self.words, strict=True):
            for artist in drawn:
                artist.set_gid(name)
        for artist in (self.best, self.up, self.name):
            artist.set_gid("best")

    def show(self, lams: Floats, errors: Floats, lam: float, now: Sequence[float], hidden: bool = False) -> TwoErrors:
        """lams: (L,). errors: (2, L), from 0 to 1. now: both errors at lam. hidden: the second is not told."""
        x, at, told = self.scale.place(lams), float(self.scale.place(lam)), 1 - hidden
        high = self.ruler.fit(100 * max(float(np.max(errors[: 1 + told])), 0.05), axis="y") / 100
        y, best = errors / high, int(np.argmin(errors[1]))
        self.cut.set_data([at, at], [0.0, 1.06])
        for k, shown in enumerate((1, told)):
            self.curves[k].set_data(x[: len(x) * shown], y[k, : len(x) * shown])
            self.now[k].set_data([at] * shown, [min(now[k] / high, 1.17)] * shown)
            self.words[k].set_text(f"{self.names[k]} {100 * now[k]:.1f}%" if shown else f"{self.names[k]} ?")
        self.best.set_data([x[best]] * told, [y[1, best]] * told)
        self.up.set_data([x[best]] * 2 * told, [y[1, best], 1.08] * told)
        self.name.set_words([Word(x[best], 1.12, "best λ", "mm")] * told)
        return self

    def ghosts(self) -> list[Ghost]:
        """The second curve as it is, to keep."""
        points = self.ruler.units.inverted().transform(places(self.curves[1]))
        return [Ghost(self.ax, points, self.ruler.units)] if len(points) else []
