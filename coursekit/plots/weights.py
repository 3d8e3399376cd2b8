"""Weights, errors and pulls against lambda: what a penalty does to a classifier."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike, NDArray

from coursekit.core.validate import Floats
from coursekit.plots import check
from coursekit.plots.ghost import Ghost
from coursekit.plots.marks import FAR, NOWHERE, Plot, curve, joined, marks, places, ring
from coursekit.plots.ruler import Ruler
from coursekit.plots.style import Style
from coursekit.plots.tags import Tag, Tags

REACH = 0.9  # the weights that are seen: from minus to plus this


def marked_looks(look: Style) -> tuple[dict[str, Any], ...]:
    """What up to five features look like, as a line and as a point. All others are thin and grey."""
    return (
        {"color": look.red, "ls": "-", "marker": "s"},
        {"color": look.blue, "ls": (0, (5, 1.5)), "marker": "D"},
        {"color": look.green, "ls": "-.", "marker": "v"},
        {"color": look.violet, "ls": ":", "marker": "P"},
        {"color": look.ochre, "ls": (0, (3, 1, 1, 1, 1, 1)), "marker": "X"},
    )


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
        self.others = self.add(curve(ax, color=look.soft, lw=0.9))
        self.marked = [self.add(curve(ax, color=s["color"], ls=s["ls"])) for s in looks[: len(names)]]
        self.cut = self.add(curve(ax, color=look.ink, lw=1.2))
        self.points, self.names = _Points(self, len(names)), tuple(names)
        self.tags = self.add(Tags(ax))

    def show(
        self, lams: Floats, weights: Floats, marked: Sequence[int] = (), lam: float | None = None,
        now: Floats | None = None, reached: Floats | None = None,
    ) -> WeightPath:
        """lams: (L,). weights: (L, d). marked: the features of the legend, in its order.

        lam, now, reached: the current lambda, the weights there, and those a descent has reached, (d,).
        """
        weights = check.shaped("weights", weights, len(lams), "d")
        x = self.scale.place(lams)
        rest = np.setdiff1d(np.arange(weights.shape[1]), marked)
        self.others.set_data(*joined(np.column_stack([x, w]) for w in weights[:, rest].T).T)
        for k, drawn in enumerate(self.marked):
            drawn.set_data(*((x, weights[:, marked[k]]) if k < len(marked) else NOWHERE.T))
        if lam is not None and now is not None:
            at = float(self.scale.place(lam))
            self.cut.set_data([at, at], self.ax.get_ylim())
            self.points.show(np.full(len(now), at), now, marked)
            if reached is not None:
                self.points.show_reached(np.full(len(now), at), reached, elsewhere=np.abs(reached - now) > 0.02)
        self.tags.show(self._named(x, weights, marked))
        return self

    def _named(self, x: Floats, weights: Floats, marked: Sequence[int]) -> list[Tag]:
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
        rest = np.setdiff1d(np.arange(weights.shape[1]), marked)
        if len(rest):
            low = rest[weights[inside[0], rest].argmin()]
            tags.append(Tag("irrelevant", (x[inside[0]], weights[inside[0], low]), (1, -1)))
        return tags

    def ghosts(self) -> list[Ghost]:
        """The marked weights as they are, to keep."""
        return [Ghost(self.ax, places(drawn), word="") for drawn in self.marked if places(drawn).size]


class ErrorCurves(Plot):
    """Training and validation error in percent against lambda, the lowest validation error starred.

    At the current lambda points are the errors of the path, open circles those of `reached`, called `other`.
    """

    def __init__(self, ax: Axes, powers: tuple[int, float], other: str = "") -> None:
        super().__init__(ax)
        self.ruler, look = Ruler(self, signed=False), self.look
        ax.set_ylim(-0.04, 1.08)
        self.scale = LambdaAxis(ax, *powers)
        self.training = self.add(curve(ax, color=look.blue, ls=(0, (5, 2))))
        self.validation = self.add(curve(ax, color=look.red))
        self.cut = self.add(curve(ax, color=look.ink, lw=1.2))
        self.best = self.add(marks(ax, "*", 15, mfc=look.star, mec=look.ink, mew=1.0))
        self.now = self.add(marks(ax, "o", 7, color=look.ink, mec=look.paper, mew=0.8, clip_on=False))
        self.reached = self.add(ring(ax, 10, 1.1, clip_on=False))
        self.other, self.tags = other, self.add(Tags(ax))

    def show(
        self, lams: Floats, training: Floats, validation: Floats, lam: float | None = None,
        now: Sequence[float] = (), reached: Sequence[float] = (),
    ) -> ErrorCurves:
        """lams, training, validation: (L,), the errors from 0 to 1. now, reached: errors at lam."""
        check.alike(lams=lams, training=training, validation=validation)
        x, best = self.scale.place(lams), int(np.argmin(validation))
        most = max(float(np.max(training)), float(np.max(validation)), 0.05)
        high = self.ruler.fit(100 * most, axis="y") / 100
        self.training.set_data(x, training / high)
        self.validation.set_data(x, validation / high)
        self.best.set_data([x[best]], [validation[best] / high])
        at = [] if lam is None else [float(self.scale.place(lam))]
        self.cut.set_data(at * 2, [0.0, 1.08] * len(at))
        for dots, values in ((self.now, now), (self.reached, reached)):
            dots.set_data(at * len(values), np.minimum(np.asarray(values, float) / high, 1.08))
        apart = np.where((x > 0.05) & (x < 0.6), np.abs(validation - training), -1.0)
        k = int(apart.argmax())
        up = 1 if validation[k] >= training[k] else -1
        self.tags.show([
            Tag("validation", (x[k], validation[k] / high), (0, up), self.validation.get_color()),
            Tag("training", (x[k], training[k] / high), (0, -up), self.training.get_color()),
            Tag("lowest", (x[best], validation[best] / high), (0, -1)),
            *(Tag(self.other, (at[0], min(value / high, 1.08)), (1, 1)) for value in list(reached)[-1:] if at),
        ])
        return self

    def ghosts(self) -> list[Ghost]:
        """The validation error as it is, to keep."""
        points = self.ruler.units.inverted().transform(places(self.validation))
        return [Ghost(self.ax, points, self.ruler.units)]


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
        self.curve = self.add(curve(ax, color=look.ink, lw=1.6))
        self.points = _Points(self, marked)

    def show(
        self, back: Floats, w: Floats, pulls: Floats, marked: Sequence[int] = (), reached: Floats | None = None,
        reached_pulls: Floats | None = None,
    ) -> Balance:
        """back: the pull of the penalty at `Balance.weights`. w, pulls: (d,) weights and pulls of the data."""
        self.curve.set_data(self.weights, np.clip(back, -10.8, 10.8))
        self.points.show(w, pulls, marked)
        if reached is not None and reached_pulls is not None:
            self.points.show_reached(reached, reached_pulls, np.hypot(reached - w, reached_pulls - pulls) > 0.02)
        return self


class _Points:
    """Marked features by their marker, the others as small dots; open circles for what a descent reached."""

    def __init__(self, plot: Plot, marked: int) -> None:
        ax, look = plot.ax, plot.look
        self.reached = plot.add(ring(ax, 10, 1.1))
        self.others = plot.add(marks(ax, "o", 5, color=look.soft, mec=look.paper, mew=0.5))
        self.marked = [plot.add(marks(ax, s["marker"], 8, color=s["color"], mec=look.paper, mew=0.8))
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
