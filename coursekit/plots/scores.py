"""Scores and agreements of all examples: on the hinge loss, in piles, and cut at a threshold, with what it costs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from matplotlib.patches import Polygon, Rectangle
from matplotlib.text import Text
from numpy.typing import ArrayLike

from coursekit.core import validate
from coursekit.core.text import number
from coursekit.plots.marks import DASHED, Axes, Floats, Plot, Style, Tag, Word, blank, current, show_classes, thin_out

REACH = 3.2  # scores from minus to plus this are seen
CORNERS = ("missed", "caught", "kept", "lost")  # positives below and above the threshold, then negatives


class Slacks(Plot):
    """Every example at its agreement, on the hinge loss: its height is its slack. Support vectors ringed.

    Examples beyond the window are drawn at its edges; the agreement of the farthest one is written there.
    """

    left, right, top = -2.0, 4.0, 3.0

    def make(self, ax: Axes, look: Style) -> None:
        ax.set(xlim=(self.left - 0.2, self.right + 0.2), ylim=(-0.25, self.top + 0.2), yticks=range(4))
        ax.set_xlabel("agreement z = y f(x)")
        ax.axvspan(self.left - 0.2, 0, color=look.mixed(0.08), lw=0)
        ax.axvspan(0, 1, color=look.mixed(0.04), lw=0)
        ax.plot([1 - self.top, 1, self.right + 0.2], [self.top, 0, 0], color=look.green, lw=1.6, gid="slack")
        band = ax.bbox.width / ax.figure.dpi * 72 / np.ptp(ax.get_xlim())  # points from 0 to 1
        for x, word, size in ((-1.1, "wrong", 9), (0.5, "in the\nstreet", min(9.0, band / 3.6)), (2.6, "beyond", 9)):
            ax.text(x, self.top + 0.1, word, ha="center", va="top", fontsize=size, color=look.ink)
        ax.axvline(0, color=look.soft, lw=1)
        ax.axvline(1, color=look.soft, lw=1, ls=DASHED)
        self.points = self.add_classes(alpha=0.8, clip_on=False)
        self.support = self.add_ring(11.5, 1.2, clip_on=False, gid="support")
        self.ring = self.add_ring(18, 1.4, "s", clip_on=False, gid="example")
        self.beyond = self.add_words(size=9)

    def show(self, agreements: Floats, y: Floats, slack: Floats, support: ArrayLike, now: int | None = None) -> Self:
        """agreements, y, slack: (n,). support: indices. now: the example in a square."""
        y, slack = validate.shaped("y", y, len(agreements)), validate.shaped("slack", slack, len(agreements))
        at = np.column_stack([np.clip(agreements, self.left, self.right), np.minimum(slack, self.top)])
        show_classes(self.points, at, y)
        support = validate.rows("support", support, len(at))
        self.support.set_data(*at[support].T)
        thin_out(self.support, 11.5, len(support))
        self.ring.set_data(*at[validate.rows("now", now, len(at))].T)
        least, most = float(np.min(agreements, initial=0.0)), float(np.max(agreements, initial=0.0))
        ends = [Word(self.left + 0.6, self.top - 0.35, f"z = {number(least)}", "lm")] * (least < self.left)
        self.beyond.set_words(ends + [Word(self.right, 0.3, f"z up to {number(most)}", "rm")] * (most > self.right))
        return self


class Piles(Plot):
    """Every mail as a dot at its score, those of one column on each other; the dashed line is the border.

    Scores beyond the ends are drawn at the ends.
    """

    reach, columns, high = 2.0, 40, 28.0

    def make(self, ax: Axes, look: Style) -> None:
        ax.set(xlim=(-1.05 * self.reach, 1.05 * self.reach), ylim=(0, 1.35 * self.high), yticks=[])
        two_sides(ax)
        self.dots = self.add_classes(ms=6)
        self.tags = self.add_tags(12)

    def show(self, scores: Floats, y: Floats) -> Self:
        """scores, y: (n,)."""
        y = validate.shaped("y", y, len(scores))
        place = np.nan_to_num(np.clip(scores, -self.reach, self.reach))
        column = np.round((place + self.reach) * self.columns / (2 * self.reach)).astype(int)
        level = np.zeros(len(y))
        for k in np.unique(column):
            here = np.flatnonzero(column == k)
            level[here[np.argsort(y[here], kind="stable")]] = np.arange(len(here))
        at = np.column_stack([2 * self.reach / self.columns * column - self.reach,
                              (level + 0.7) * min(1.0, self.high / (level.max() + 1))])
        show_classes(self.dots, at, y)
        tags = []
        for sign, name, style in zip((-1, 1), ("ham", "spam"), self.look.classes, strict=False):
            own = at[y == sign]
            if len(own):
                tags.append(Tag(f"{len(own)} {name}", own[own[:, 1].argmax()], (sign, 0.3), style["color"]))
        self.tags.show(tags)
        return self


def two_sides(ax: Axes) -> None:
    ax.spines["left"].set_visible(False)
    ax.axvline(0, color=current().ink, lw=1.4, ls=DASHED)
    for x, word in ((0.02, "← called ham"), (0.98, "called spam →")):
        ax.text(x, 0.97, word, transform=ax.transAxes, ha="left" if x < 0.5 else "right", va="top", size=13)


class Cut(Plot):
    """The scores of two classes as areas, the positive class upward, cut by a line; in each corner how many lie there.

    What is right is solid, what is wrong hollow and striped. All are counted, also those beyond the axes.
    """

    def make(self, ax: Axes, look: Style) -> None:
        blank(ax, xlim=(-REACH, REACH), ylim=(-1.3, 1.3), xticks=range(-3, 4))
        self.sides = [self.add_area(glides=True, fc=look.classes[c]["color"], alpha=look.tints[c]) for c in (0, 1)]
        self.areas: dict[str, Polygon] = {}
        self.counts: dict[str, Text] = {}
        self.words: dict[str, Text] = {}
        for k, name in enumerate(CORNERS):
            color, up = (look.red, 1) if k < 2 else (look.blue, -1)
            wrong: dict[str, Any] = {"fc": look.paper, "ec": color, "hatch": "/////", "lw": 1.2}
            drawn = {"fc": color} if name in ("caught", "kept") else wrong
            self.areas[name] = self.add_area(gid=name, zorder=1.5, **drawn)
            side: dict[str, Any] = {"ha": "left" if k % 2 == 0 else "right", "va": "top" if k < 2 else "bottom",
                                    "color": look.words(color), "zorder": 3}
            at = (2 * (k % 2) - 1) * (REACH - 0.08), 1.27 * up
            self.counts[name] = self.add(ax.text(*at, "", size=23, weight="bold", **side))
            self.words[name] = self.add(ax.annotate("", at, (0, -28 * up), textcoords="offset points", size=11, **side))
        self.top = 1.27 - 52 / 72 * 2.6 / (ax.bbox.height / ax.figure.dpi)  # no line through the words
        self.add(ax.axhline(0, color=look.ink, lw=1))
        self.line = self.add_curve(color=look.ink, lw=2.4, gid="threshold", glides=True)
        self.grip = self.add_marks("o", 15, color=look.ink, mec=look.paper, mew=1.5, clip_on=False, glides=True)
        self.heads = [ax.text(x, 1.02, "", ha=ha, va="bottom", size=11, weight="bold", color=look.mixed(0.75),
                              transform=ax.transAxes) for x, ha in ((0, "left"), (1, "right"))]

    def frame(self, heads: Sequence[str], words: Sequence[str], told: str) -> None:
        """heads: what is done with scores below and above. words: of the four counts, as CORNERS. told: of which
        examples."""
        for text, word in zip([*self.heads, *self.words.values()], [*heads, *words], strict=True):
            text.set_text(word)
        self.ax.set_xlabel(told)

    def show(self, scores: Floats, y: Floats, threshold: float, counts: Sequence[int]) -> Self:
        """scores, y: (n,), labels -1 and +1. counts: how many there are, as CORNERS."""
        edges = np.linspace(-REACH, REACH, int(np.clip(len(y) / 4, 12, 64)) + 1)
        piles = [np.histogram(scores[y == label], edges)[0] for label in (1, -1)]
        most, ends = max(1, *map(max, piles)), ((-REACH, threshold), (threshold, REACH))
        for k, (name, counted) in enumerate(zip(CORNERS, counts, strict=True)):
            here = np.clip(edges, *ends[k % 2])
            heights = np.where(np.diff(here) > 0, piles[k // 2], 0) / most * (1, -1)[k // 2]
            outline = np.column_stack([np.repeat(here, 2), np.concatenate([[0], np.repeat(heights, 2), [0]])])
            self.areas[name].set_xy(outline)
            self.counts[name].set_text(f"{counted}")
        for side, (left, right) in zip(self.sides, ends, strict=True):
            side.set_xy([(left, -1.3), (left, 1.3), (right, 1.3), (right, -1.3)])
        self.line.set_data([threshold] * 2, [-self.top, self.top])
        self.grip.set_data([threshold], [self.top])
        return self


class Shares(Plot):
    """Fractions, each a bar under its name."""

    names = "precision", "recall", "false positives"

    def make(self, ax: Axes, look: Style) -> None:
        ax.set(xlim=(0, 1.36), ylim=(3, 0))
        ax.axis("off")
        self.words, self.values, self.bars = [], [], []
        for row, (name, color) in enumerate(zip(self.names, (look.ink, look.red, look.blue), strict=True)):
            ax.add_patch(Rectangle((0, row + 0.55), 1, 0.24, fc=look.mixed(0.1), lw=0))
            self.bars.append(self.add_patch(Rectangle((0, row + 0.55), 0, 0.24, fc=color, lw=0, gid=name), True))
            color = look.words(color)
            self.words.append(ax.text(0, row + 0.48, "", va="bottom", color=color))
            value = ax.text(1.36, row + 0.67, "", size=11, weight="bold", va="center", ha="right", color=color)
            self.values.append(self.add(value))

    def frame(self, words: Sequence[str]) -> None:
        for text, word in zip(self.words, words, strict=True):
            text.set_text(word)

    def show(self, shares: Sequence[float | None]) -> Self:
        """shares: from 0 to 1; None: there is none."""
        for bar, value, share in zip(self.bars, self.values, shares, strict=True):
            bar.set_width(share or 0.0)
            value.set_text("–" if share is None else f"{100 * share:.1f}%")
        return self


class Bill(Plot):
    """What the errors among 100 cost against the threshold, a point at the present one, a mark at the cheapest."""

    high = 110.0

    def make(self, ax: Axes, look: Style) -> None:
        ax.set(xlim=(-REACH, REACH), ylim=(0, self.high), xticks=[], yticks=[0, 50, 100])
        ax.spines["left"].set_visible(False)
        ax.tick_params(length=0)
        ax.set_xlabel("cut at score →", loc="right", labelpad=20)
        self.curve = self.add_curve(color=look.ink, lw=2.2, gid="bill")
        self.kept = [self.curve]
        self.down = self.add_curve(color=look.ink, lw=1.2)
        self.now = self.add_marks("o", 11, color=look.ink, mec=look.paper, mew=1.5, zorder=2.5, clip_on=False)
        self.best = self.add_marks("^", 9, color=look.green, clip_on=False, gid="cheapest")
        self.word = self.add(ax.annotate("", (0, 0), (0, -6), textcoords="offset points", color=look.green, va="top"))
        self.price = self.add_words(ax.transAxes, size=10)
        bold: Any = {"size": 15, "weight": "bold", "ha": "right"}
        self.value = self.add(ax.annotate("", (1, 1), (0, 30), "axes fraction", "offset points", **bold))

    def show(self, at: Floats, costs: Floats, threshold: float, cost: tuple[float, float], cheapest: float,
             told: tuple[str, str]) -> Self:
        """at, costs: (m,). cost: at the threshold, give or take. cheapest: where the mark is. told: of it; prices."""
        height = min(cost[0], self.high)
        self.curve.set_data(at, costs)
        self.down.set_data([threshold] * 2, [0, height])
        self.now.set_data([threshold], [height])
        self.value.set_text(" ± ".join(f"{one:.{int(cost[0] < 99.5)}f}" for one in cost))
        self.best.set_data([cheapest], [0])
        self.word.set(text=told[0], ha="left" if cheapest < -2 else "right" if cheapest > 2 else "center")
        self.word.xy = cheapest, 0
        self.price.set_words([Word(-0.11, 1.06, told[1], "ld")])
        return self
