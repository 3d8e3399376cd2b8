"""Where scores are cut: four areas, the shares that have names, and what it all costs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Polygon, Rectangle
from matplotlib.text import Text

from coursekit.core.validate import Floats
from coursekit.plots.ghost import Ghost
from coursekit.plots.lettering import Lettering, Word
from coursekit.plots.marks import Plot, curve, marks, patch, places
from coursekit.plots.style import blend

REACH = 3.2  # scores from minus to plus this are seen
CORNERS = ("missed", "caught", "kept", "lost")  # positives below and above the threshold, then negatives


class Cut(Plot):
    """The scores of two classes as areas, the positive class upward, cut by a line; in each corner how many lie there.

    What is right is solid, what is wrong hollow and striped. All are counted, also those beyond the axes.
    """

    def __init__(self, ax: Axes) -> None:
        super().__init__(ax)
        look = self.look
        ax.set(xlim=(-REACH, REACH), ylim=(-1.3, 1.3), xticks=[], yticks=[])
        ax.spines[:].set_visible(False)
        tints = [Rectangle((0, -1.3), 0, 2.6, fc=look.mixed(look.tint / 2, one), lw=0) for one in (look.blue, look.red)]
        self.sides = [self.add(patch(ax, tint), glides=True) for tint in tints]
        self.areas: dict[str, Polygon] = {}
        self.counts: dict[str, Text] = {}
        self.words: dict[str, Text] = {}
        for k, name in enumerate(CORNERS):
            color, up = (look.red, 1) if k < 2 else (look.blue, -1)
            drawn: dict[str, Any] = {"fc": color, "lw": 0} if name in ("caught", "kept") else {
                "fc": look.paper, "ec": color, "hatch": "/////", "lw": 1.2}
            self.areas[name] = self.add(patch(ax, Polygon(np.zeros((3, 2)), gid=name, zorder=1.5, **drawn)))
            side: dict[str, Any] = {"ha": "left" if k % 2 == 0 else "right", "color": blend(0.45, look.ink, color)}
            at, va = ((2 * (k % 2) - 1) * (REACH - 0.08), 1.27 * up), "top" if k < 2 else "bottom"
            self.counts[name] = self.add(ax.text(*at, "", size=23, weight="bold", va=va, zorder=3, **side))
            word = ax.annotate("", at, (0, -28 * up), textcoords="offset points", size=11, va=va, zorder=3, **side)
            self.words[name] = self.add(word)
        self.top = 1.27 - 52 / 72 * 2.6 / (ax.bbox.height / ax.figure.dpi)  # no line through the words
        self.add(ax.axhline(0, color=look.ink, lw=1))
        self.line = self.add(curve(ax, color=look.ink, lw=2.4), "threshold", glides=True)
        self.grip = self.add(marks(ax, "o", 15, color=look.ink, mec=look.paper, mew=1.5, clip_on=False), glides=True)
        self.heads = [ax.text(x, 1.02, "", ha=ha, va="bottom", size=11, weight="bold", color=look.mixed(0.75),
                              transform=ax.transAxes) for x, ha in ((0, "left"), (1, "right"))]

    def frame(self, heads: Sequence[str], words: Sequence[str], told: str) -> None:
        """heads: what is done with scores below and above. words: of the four counts, as CORNERS. told: of which
        examples."""
        for text, word in zip([*self.heads, *self.words.values()], [*heads, *words], strict=True):
            text.set_text(word)
        self.ax.set_xlabel(told)

    def show(self, scores: Floats, y: Floats, threshold: float, counts: Sequence[int]) -> Cut:
        """scores, y: (n,), labels -1 and +1. counts: how many there are, as CORNERS."""
        edges = np.linspace(-REACH, REACH, int(np.clip(len(y) / 4, 12, 64)) + 1)
        piles = [np.histogram(scores[y == label], edges)[0] for label in (1, -1)]
        most = max(1, *map(max, piles))
        for k, (name, counted) in enumerate(zip(CORNERS, counts, strict=True)):
            here = np.clip(edges, *((-REACH, threshold), (threshold, REACH))[k % 2])
            heights = np.where(np.diff(here) > 0, piles[k // 2], 0) / most * (1, -1)[k // 2]
            outline = np.column_stack([np.repeat(here, 2), np.concatenate([[0], np.repeat(heights, 2), [0]])])
            self.areas[name].set_xy(outline)
            self.counts[name].set_text(f"{counted:,}")
        for side, x0, x1 in zip(self.sides, (-REACH, threshold), (threshold, REACH), strict=True):
            side.set(x=x0, width=x1 - x0)
        self.line.set_data([threshold] * 2, [-self.top, self.top])
        self.grip.set_data([threshold], [self.top])
        return self


class Shares(Plot):
    """Fractions, each a bar under its name."""

    names = "precision", "recall", "false positives"

    def __init__(self, ax: Axes) -> None:
        super().__init__(ax)
        look = self.look
        ax.set(xlim=(0, 1.3), ylim=(3, 0))
        ax.axis("off")
        self.words, self.values, self.bars = [], [], []
        for row, (name, color) in enumerate(zip(self.names, (look.ink, look.red, look.blue), strict=True)):
            patch(ax, Rectangle((0, row + 0.55), 1, 0.24, fc=look.mixed(0.1), lw=0))
            bar = patch(ax, Rectangle((0, row + 0.55), 0, 0.24, fc=color, lw=0))
            self.bars.append(self.add(bar, name, glides=True))
            look_of: dict[str, Any] = {"color": blend(0.45, look.ink, color)}
            self.words.append(ax.text(0, row + 0.48, "", va="bottom", **look_of))
            value = ax.text(1.3, row + 0.67, "", size=11, weight="bold", va="center", ha="right", **look_of)
            self.values.append(self.add(value))

    def frame(self, words: Sequence[str]) -> None:
        for text, word in zip(self.words, words, strict=True):
            text.set_text(word)

    def show(self, shares: Sequence[float | None]) -> Shares:
        """shares: from 0 to 1; None: there is none."""
        for bar, value, share in zip(self.bars, self.values, shares, strict=True):
            bar.set_width(share or 0.0)
            value.set_text("–" if share is None else f"{100 * share:.1f}%")
        return self


class Bill(Plot):
    """What 100 examples cost against the threshold, a point at the present one, and a mark where it is cheapest."""

    high = 110.0

    def __init__(self, ax: Axes) -> None:
        super().__init__(ax)
        look = self.look
        ax.set(xlim=(-REACH, REACH), ylim=(0, self.high), xticks=[], yticks=[0, 50, 100])
        ax.spines["left"].set_visible(False)
        ax.tick_params(length=0)
        ax.xaxis.labelpad = 20
        self.curve = self.add(curve(ax, color=look.ink, lw=2.2, gid="bill"))
        self.down = self.add(curve(ax, color=look.ink, lw=1.2))
        self.now = self.add(marks(ax, "o", 11, color=look.ink, mec=look.paper, mew=1.5, zorder=2.5, clip_on=False))
        self.best = self.add(marks(ax, "^", 9, color=look.green, clip_on=False, gid="cheapest"))
        self.word = self.add(ax.annotate("", (0, 0), (0, -6), textcoords="offset points", color=look.green, va="top"))
        self.price = self.add(Lettering(ax, ax.transAxes, size=10))
        self.value = self.add(ax.text(0, 0, "", size=17, weight="bold"))

    def show(
        self, at: Floats, costs: Floats, threshold: float, cost: float, cheapest: float, told: tuple[str, str]
    ) -> Bill:
        """at, costs: (m,). cost: at the threshold. cheapest: where the mark is. told: what it is, and the price."""
        height, outside = min(cost, self.high), cost > self.high
        right = threshold < (-2 if outside else 1.4)
        self.curve.set_data(at, costs)
        self.down.set_data([threshold] * 2, [0, height])
        self.now.set_data([threshold], [height])
        self.value.set(text=f"{cost:.0f}", x=threshold + (0.2 if right else -0.2), ha="left" if right else "right",
                       y=height - 4 if outside else height + 16, va="top" if outside else "baseline")
        self.best.set_data([cheapest], [0])
        self.word.set_text(told[0])
        self.word.xy = cheapest, 0
        self.word.set(ha="left" if cheapest < -2 else "right" if cheapest > 2 else "center")
        self.price.set_words([Word(0, 1.06, told[1], "ld")])
        return self

    def ghosts(self) -> list[Ghost]:
        """The costs as they are, to keep."""
        return [Ghost(self.ax, places(self.curve))]
