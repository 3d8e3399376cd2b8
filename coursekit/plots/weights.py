"""Weights, errors and pulls against lambda: what a penalty does to a classifier."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from matplotlib.text import Text

from coursekit.core import validate
from coursekit.plots.curves import Ruler
from coursekit.plots.marks import DASHED, FAR, NOWHERE, ArrayLike, Axes, Floats, NDArray, Plot, Style, Tag, Word, joined

REACH = 0.9  # the weights that are seen: from minus to plus this


def marked_looks(look: Style) -> tuple[dict[str, Any], ...]:
    """What up to five features look like, as a line and as a point. All others are thin and gray."""
    return ({"color": look.red, "ls": "-", "marker": "s"},
            {"color": look.blue, "ls": (0, (5, 1.5)), "marker": "D"},
            {"color": look.green, "ls": "-.", "marker": "v"},
            {"color": look.violet, "ls": ":", "marker": "P"},
            {"color": look.ochre, "ls": (0, (3, 1, 1, 1, 1, 1)), "marker": "X"})


class LambdaAxis:
    """The x axis from 0 to 1 as powers of ten of lambda, from 10^low to 10^high; lambda = 0 is its left end."""

    def __init__(self, ax: Axes, low: int, high: float) -> None:
        self.low, self.high = low - 0.35, high
        room = ax.bbox.width > 4 * ax.figure.dpi or high - low < 3  # for every power of ten
        whole = np.arange(low, np.floor(high) + 1)
        powers = 10.0 ** (whole if room else whole[:0:-2][::-1])
        ax.set_xticks([0.0, *self.place(powers)], ["0", *(f"{power:g}" for power in powers)])
        ax.set_xlim(-0.02, 1.02)

    def place(self, lam: ArrayLike) -> Floats:
        lams = np.maximum(np.asarray(lam, float), 10.0**self.low)
        return np.minimum((np.log10(lams) - self.low) / (self.high - self.low), 1.0)

    def lam(self, place: float) -> float:
        """The lambda at a place: 0 at the left end."""
        power = self.low + place * (self.high - self.low)
        return 0.0 if power < self.low + 0.175 else 10.0 ** min(power, self.high)


class WeightPath(Plot):
    """Weights as functions of lambda, some features marked and named on the left, with a cut at the current lambda.

    At the cut a point is a weight of the path; an open circle is what a descent has reached, where that is another.
    names: of the marked features; all others are called irrelevant.
    """

    def __init__(self, ax: Axes, names: Sequence[str], powers: tuple[int, float] = (-3, 1)) -> None:
        super().__init__(ax)
        self.scale, look = LambdaAxis(ax, *powers), self.look
        ax.set_ylim(-REACH, REACH)
        ax.axhline(0, color=look.mixed(0.46), lw=1)
        looks = marked_looks(look)
        if len(names) > len(looks):
            raise ValueError(f"names must be at most {len(looks)}, one for each look; got {len(names)}")
        self.others = self.add_curve(color=look.soft, lw=0.9)
        self.marked = [self.add_curve(color=s["color"], ls=s["ls"]) for s in looks[: len(names)]]
        self.kept, self.kept_as = self.marked, ""
        self.cut = self.add_curve(color=look.ink, lw=1.2)
        self.points, self.names = _Points(self, len(names)), tuple(names)
        self.tags = self.add_tags()

    def show(self, lams: Floats, weights: Floats, marked: Sequence[int] = (), lam: float | None = None,
             now: Floats | None = None, reached: Floats | None = None) -> Self:
        """lams: (L,). weights: (L, d). marked: the features that have names, in their order.

        lam, now, reached: the current lambda, the weights there, and those a descent has reached, (d,).
        """
        weights = validate.shaped("weights", weights, len(lams), "d")
        x = self.scale.place(lams)
        rest = np.setdiff1d(np.arange(weights.shape[1]), marked)
        self.others.set_data(*joined(np.column_stack([x, w]) for w in weights[:, rest].T).T)
        for k, drawn in enumerate(self.marked):
            drawn.set_data(*((x, weights[:, marked[k]]) if k < len(marked) else NOWHERE.T))
        if lam is not None and now is not None and reached is not None:
            at = np.full(len(now), self.scale.place(lam))
            self.cut.set_data(at[[0, 0]], self.ax.get_ylim())
            self.points.show(at, now, marked)
            self.points.show_reached(at, reached, elsewhere=np.abs(reached - now) > 0.02)
        self.tags.show(self._named(x, weights, marked, rest))
        return self

    def _named(self, x: Floats, weights: Floats, marked: Sequence[int], rest: NDArray[np.intp]) -> list[Tag]:
        """Each name at its line, where that is furthest from the other lines."""
        inside = np.flatnonzero((x > 0.02) & (x < 0.85))
        if not len(inside):
            return []
        tags = []
        for drawn, name, j in zip(self.marked, self.names, marked, strict=False):
            alone = np.abs(np.delete(weights, j, axis=1) - weights[:, [j]]).min(axis=1, initial=1.0)
            alone[np.abs(weights[:, j]) > 0.9 * REACH] = 0.0
            k = inside[alone[inside].argmax()]
            tags.append(Tag(name, (x[k], weights[k, j]), (0, weights[k, j]), drawn.get_color()))
        if len(rest):
            low = rest[weights[inside[0], rest].argmin()]
            tags.append(Tag("irrelevant", (x[inside[0]], weights[inside[0], low]), (1, -1)))
        return tags


class TwoErrors(Plot):
    """Two errors in percent against lambda, those of now as dots with their numbers; a star where the second is lowest.

    names: of the dashed and of the solid curve. least: how far the scale reaches at least, from 0 to 1.
    """

    def __init__(self, ax: Axes, powers: tuple[int, float], names: tuple[str, str], least: float = 0.05) -> None:
        super().__init__(ax)
        self.ruler, self.least, look = Ruler(self), least, self.look
        ax.set_ylim(-0.04, 1.17)
        self.scale, self.names = LambdaAxis(ax, *powers), names
        self.cut = self.add_curve(color=look.ink, lw=1.2)
        kinds = ("training", look.green, DASHED, 0.14), ("validation", look.violet, "-", 0.36)
        self.curves = [self.add_curve(color=color, ls=ls, lw=2.4, gid=gid) for gid, color, ls, _ in kinds]
        self.kept = self.curves[1:]
        self.best = self.add_marks("*", 16, mfc=look.star, mec=look.ink, mew=1.0, gid="best")
        self.up = self.add_curve(color=look.ink, lw=1, ls=":", gid="best")
        self.name = self.add_words(size=10, inside=True, gid="best")
        self.now = [self.add_marks("o", 10, color=color, mec=look.paper, mew=1.4, clip_on=False, gid=gid)
                    for gid, color, *_ in kinds]
        self.words: list[Text] = []
        share = 0.11 * ax.bbox.width / ax.figure.dpi * 72 / 2.4 / 11  # so that a dash, a gap and a dash fill it
        for gid, color, ls, inches in kinds:  # above the axes, where no curve is
            y = 1 + inches * ax.figure.dpi / ax.bbox.height * look.zoom / look.room
            line: Any = (0, (4 * share, 3 * share)) if ls == DASHED else ls
            ax.plot([0, 0.11], [y, y], color=color, ls=line, lw=2.4, transform=ax.transAxes, clip_on=False)
            self.words.append(self.add(ax.text(0.14, y, "", size=11.5, weight="bold", color=look.words(color),
                                               va="center", transform=ax.transAxes, gid=gid)))

    def show(self, lams: Floats, errors: Floats, lam: float, now: Sequence[float], hidden: bool = False) -> Self:
        """lams: (L,). errors: (2, L), from 0 to 1. now: both errors at lam. hidden: the second is not told."""
        x, at, told = self.scale.place(lams), float(self.scale.place(lam)), 1 - hidden
        high = self.ruler.fit(100 * max(float(np.max(errors[: 1 + told])), self.least), axis="y") / 100
        y, best = errors / high, int(np.argmin(errors[1]))
        self.cut.set_data([at, at], [0.0, 1.06 if told else 1.17])
        for k, shown in enumerate((1, told)):
            self.curves[k].set_data(x[: len(x) * shown], y[k, : len(x) * shown])
            self.now[k].set_data([at] * shown, [min(now[k] / high, 1.17)] * shown)
            self.words[k].set_text(f"{self.names[k]} {100 * now[k]:.1f}%" if shown else f"{self.names[k]} ?")
        self.best.set_data([x[best]] * told, [y[1, best]] * told)
        self.up.set_data([x[best]] * 2 * told, [y[1, best], 1.08] * told)
        self.name.set_words([Word(x[best], 1.12, "best λ", "mm")] * told)
        return self


class SelectionErrors(TwoErrors):
    """Both errors against lambda, with the band of many draws and rings at the errors that a descent has reached."""

    def __init__(self, ax: Axes, powers: tuple[int, float], names: tuple[str, str]) -> None:
        super().__init__(ax, powers, names)
        self.band = self.add_area(fc=self.look.mixed(0.12), zorder=1, gid="draws")
        self.draws = self.add_words(ax.transAxes, size=10, gid="draws")
        ax.set_xlabel("λ", loc="left")  # beside it there is room
        self.reached = self.add_ring(13, 1.2, clip_on=False, gid="descent")

    def more(self, lams: Floats, draws: Floats, lam: float, reached: Sequence[float]) -> None:
        """After show. lams: (L,). draws: (2, L), the lowest and the highest error of many, or (2, 0)."""
        high, x = self.ruler.scale["y"] / 100, self.scale.place(lams)
        self.band.set_visible(draws.size > 0)
        below = -0.28 * self.ax.figure.dpi / self.ax.bbox.height  # beside the axis's name: the cut never goes there
        self.draws.set_words([Word(1, below, "gray: 30 sets of 400 emails", "rm")] * bool(draws.size))
        if draws.size:
            self.band.set_xy(np.column_stack([np.append(x, x[::-1]), np.append(draws[0], draws[1, ::-1]) / high]))
        at = float(self.scale.place(lam))
        self.reached.set_data([at] * len(reached), np.minimum(np.asarray(reached, float) / high, 1.17))


class Balance(Plot):
    """Every feature at its weight w and the pull of the data on it; the curve is the pull of the penalty back.

    The pull of the data is minus the slope of the risk. At a minimum all points lie on the curve; where it
    is upright, at w = 0, that is a whole range of pulls. Open circles: what a descent has reached.
    """

    weights = np.concatenate([-np.geomspace(2, 1e-7, 100), np.geomspace(1e-7, 2, 100)])

    def __init__(self, ax: Axes, marked: int) -> None:
        super().__init__(ax)
        look = self.look
        ax.set(xlim=(-REACH, REACH), ylim=(-1.2, 1.2), xlabel="weight w")
        ax.axhline(0, color=look.mixed(0.23), lw=1)
        ax.axvline(0, color=look.mixed(0.23), lw=1)
        self.curve = self.add_curve(color=look.ink, lw=1.6)
        self.points = _Points(self, marked)

    def show(self, back: Floats, w: Floats, pulls: Floats, marked: Sequence[int], reached: Floats,
             reached_pulls: Floats) -> Self:
        """back: the pull of the penalty at `Balance.weights`. w, pulls: (d,) weights and pulls of the data; likewise
        those that a descent has reached."""
        self.curve.set_data(self.weights, np.clip(back, -10.8, 10.8))
        self.points.show(w, pulls, marked)
        self.points.show_reached(reached, reached_pulls, np.hypot(reached - w, reached_pulls - pulls) > 0.02)
        return self


class _Points:
    """Marked features by their marker, the others as small dots; open circles for what a descent reached."""

    def __init__(self, plot: Plot, marked: int) -> None:
        look = plot.look
        self.reached = plot.add_ring(10, 1.1)
        self.others = plot.add_marks("o", 5, color=look.soft, mec=look.paper, mew=0.5)
        self.marked = [plot.add_marks(s["marker"], 8, color=s["color"], mec=look.paper, mew=0.8)
                       for s in marked_looks(look)[:marked]]

    def show(self, x: Floats, y: Floats, marked: Sequence[int]) -> None:
        rest = np.setdiff1d(np.arange(len(x)), marked)
        self.others.set_data(x[rest], y[rest])
        for k, point in enumerate(self.marked):
            chosen = list(marked[k : k + 1])
            point.set_data(x[chosen], y[chosen])

    def show_reached(self, x: Floats, y: Floats, elsewhere: NDArray[np.bool_]) -> None:
        """elsewhere: where a descent has reached another place than the point's."""
        self.reached.set_data(*np.where((np.abs([x, y]) < FAR) & elsewhere, [x, y], np.nan))
