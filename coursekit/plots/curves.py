"""Values against steps, on scales that follow them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator
from numpy.typing import ArrayLike

from coursekit.core.validate import Floats
from coursekit.plots.lettering import Lettering, Word
from coursekit.plots.marks import DASHED, Plot, curve, joined, marks
from coursekit.plots.ruler import Ruler, nice
from coursekit.plots.tags import Tag, Tags


class ObjectiveCurves(Plot):
    """Up to four curves against the step k = 0, 1, 2, ..., named where they end, with a mark at the current step.

    A curve that is the same as one before it is not drawn.

    The upward scale counts powers of ten; where there are values of 0, its floor means 0.
    steps: how far the axis of steps reaches at least. decades: so many, the first value in the highest; what is higher
    or lower leaves the picture. Without it all values are in view, wherever the scale must reach for that.
    """

    def __init__(
        self, ax: Axes, names: Sequence[str] = ("objective", "best so far"), steps: int = 1, decades: int = 0
    ) -> None:
        super().__init__(ax)
        self.steps, self.decades, look = steps, decades, self.look
        looks: tuple[dict[str, Any], ...] = (
            {"color": look.blue, "ls": "-", "lw": 1.4},
            {"color": look.red, "ls": (0, (5, 2)), "lw": 2.2},
            {"color": look.ink, "ls": ":", "lw": 2.2},
            {"color": look.green, "ls": "-.", "lw": 1.8},
        )
        if not 1 <= len(names) <= len(looks):
            raise ValueError(f"names must be one for each of 1 to {len(looks)} curves; got {len(names)}")
        self.ruler = Ruler(self, signed=False)
        self.curves = [self.add(curve(ax, **drawn)) for drawn, _ in zip(looks, names, strict=False)]
        self.mark = self.add(curve(ax, color=look.ink, lw=1, alpha=0.6), glides=True)
        self.now = self.add(marks(ax, "o", 8, color=look.violet, mec=look.paper, mew=1.2), glides=True)
        ax.set_yticks([])
        self._grid = self.add(curve(ax, color=look.mixed(0.15), lw=0.8, zorder=0))
        self._labels = self.add(Lettering(ax, ax.get_yaxis_transform(), size=9))
        self.names, self.tags = tuple(names), self.add(Tags(ax))
        ax.xaxis.labelpad = 20  # below the ruler's numbers

    def show(self, curves: Sequence[Floats], now: int | None = None) -> ObjectiveCurves:
        """curves: for each name its values at steps 0, 1, ...; they may differ in length.

        now: the current step (no mark if None).
        """
        if len(curves) != len(self.curves) or not all(map(len, curves)):
            raise ValueError(f"curves must be {len(self.curves)}, one for each name, with a value at least for step 0; "
                             f"got lengths {[len(values) for values in curves]}")
        wide = nice(max(self.steps, *(len(values) - 1 for values in curves)))
        while wide % 4:  # there is no step 7.5
            wide = nice(1.01 * wide)
        self.ruler.fit(wide, axis="x")
        heights = self._heights(curves)
        for drawn, y in zip(self.curves, heights, strict=True):
            drawn.set_data(np.arange(len(y)) / wide, y)
            drawn.set_visible(not any(np.array_equal(y, other) for other in heights[: self.curves.index(drawn)]))
        self.tags.show(self._named(heights, wide))
        here = [] if now is None else [y[now] for y in heights if now < len(y)]
        self.now.set_data([(now or 0) / wide] * len(here), here)
        self.mark.set_data(*(([], []) if now is None else ([now / wide] * 2, [0.0, 1.0])))
        return self

    def _named(self, heights: Sequence[Floats], wide: float) -> list[Tag]:
        """The names at the ends of the curves, the lowest below its line."""
        seen = [(name, drawn, y) for name, drawn, y in zip(self.names, self.curves, heights, strict=True)
                if drawn.get_visible()]
        lowest = min(range(len(seen)), key=lambda k: seen[k][2][-1])
        return [
            Tag(name, ((len(y) - 1) / wide, y[-1]), (-1, -2 if k == lowest and len(seen) > 1 else 2), drawn.get_color())
            for k, (name, drawn, y) in enumerate(seen)
        ]

    def _heights(self, curves: Sequence[Floats]) -> list[Floats]:
        """The values as heights from 0 to 1."""
        if self.decades and curves[0][0] > 0:
            return self._fixed(curves, math.floor(math.log10(curves[0][0])) + 1)
        every = np.concatenate([np.asarray(values, float) for values in curves])
        every = every[np.isfinite(every)]
        zeros, every = bool((every <= 0).any()), every[every > 0]
        if not zeros and every.size and every.max() < 50 * every.min():
            return self._narrow(curves, float(every.min()), float(every.max()))
        top = min(math.ceil(math.log10(every.max(initial=1e-9)) - 1e-9), 308)  # 10^309 is no float any more
        low = max(math.floor(math.log10(every.min(initial=1e300)) + 1e-9), top - 300)
        low = min(low, top - 1) - zeros
        gap = math.ceil((top - low) / 5)
        powers = list(range(top, low - 1, -gap))
        if zeros:
            powers = [p for p in powers if p - low > 0.1 * (top - low)]
        levels = [(p - low) / (top - low) for p in powers]
        words = [f"{10.0**p:g}" for p in powers]
        if zeros:
            levels, words = [*levels, 0.0], [*words, "0"]
        self._mark(dict(zip(levels, words, strict=True)))
        floor = 10.0**low
        return [np.log10(np.maximum(values, floor) / floor) / (top - low) for values in curves]

    def _fixed(self, curves: Sequence[Floats], top: int) -> list[Floats]:
        """The highest power of ten at the top, so many below it, whatever the values are."""
        low = top - self.decades
        self._mark({(p - low) / self.decades: f"{10.0**p:g}" for p in range(low, top + 1)})
        with np.errstate(divide="ignore"):
            heights = [(np.log10(np.asarray(values, float)) - low) / self.decades for values in curves]
        return [np.clip(height, -1.0, 2.0) for height in heights]

    def _narrow(self, curves: Sequence[Floats], low: float, high: float) -> list[Floats]:
        """Less than two powers of ten: from the lowest value to the highest, with marks at round values between."""
        low, high = low / 1.3, 1.1 * high
        round_ones = [m * 10.0**p for p in range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
                      for m in (1, 2, 5)]
        if high < 8 * low:
            round_ones = [float(f"{value:.6g}") for value in MaxNLocator(5).tick_values(low, high)]
        span = math.log(high / low)
        self._mark({math.log(value / low) / span: f"{value:g}" for value in round_ones if low <= value <= high})
        return [np.log(np.asarray(values) / low) / span for values in curves]

    def _mark(self, levels: Mapping[float, str]) -> None:
        """Lines across at these heights, and what is written beside them."""
        self._labels.set_words(Word(-0.02, height, word) for height, word in levels.items())
        self._grid.set_data(*joined([(0, height), (1.08, height)] for height in levels).T)


def _thinned(points: ArrayLike) -> Floats:
    """At most 60 of the points of a line, evenly spread."""
    at = np.asarray(points, float)
    return at[np.linspace(0, len(at) - 1, min(60, len(at))).astype(int)]


class StepCut(Plot):
    """The objective along one step: from theta straight along minus the slope, against the step size.

    A dashed line continues the slope at theta: what the step promises. Crosses are step sizes that a
    search tried and refused, the dot is the one taken.
    """

    def __init__(self, ax: Axes) -> None:
        super().__init__(ax)
        self.ruler, look = Ruler(self, signed=False), self.look
        ax.xaxis.labelpad = 20
        self.promise = self.add(curve(ax, color=look.ink, lw=1.3, ls=DASHED))
        self.curve = self.add(curve(ax, color=look.blue))
        self.refused = self.add(marks(ax, "x", 8, mew=1.8, color=look.red))
        self.taken = self.add(marks(ax, "o", 9, color=look.violet, mec=look.paper, mew=1.2))

    def show(self, etas: Floats, values: Floats, fall: float, tried: Floats, reached: Floats) -> StepCut:
        """etas, values: the curve, from eta = 0 on. fall: how fast the slope at theta says it falls, ||slope||^2.

        tried: the step sizes a search looked at, the last of them taken; reached: the objective there.
        """
        wide = self.ruler.fit(float(etas[-1]), axis="x")
        high = self.ruler.fit(float(max(values.max(), reached.max(initial=0.0))), axis="y")
        self.curve.set_data(etas / wide, values / high)
        here, reach = float(values[0]), float(etas[-1])
        ground = min(here / fall, reach) if fall > 0 else reach  # where the dashed line meets 0
        self.promise.set_data([0, ground / wide], [here / high, (here - fall * ground) / high])
        self.refused.set_data(tried[:-1] / wide, reached[:-1] / high)
        self.taken.set_data(tried[-1:] / wide, reached[-1:] / high)
        return self


class MistakeBounds(Plot):
    """||theta|| against mistakes k, between gamma k from below and sqrt(k) from above.

    All in units of eta R, R the longest example: as if the longest had length 1.
    """

    def __init__(self, ax: Axes) -> None:
        super().__init__(ax)
        self.ruler, look = Ruler(self, signed=False), self.look
        self.upper = self.add(curve(ax, color=look.red, ls="--"))
        self.lower = self.add(curve(ax, color=look.blue, ls="-."))
        self.lengths = self.add(marks(ax, ".", 5, color=look.soft))
        self.now = self.add(marks(ax, "o", 9, color=look.ink), glides=True)
        self.names = self.add(Tags(ax, size=10))

    def show(self, lower: Floats, upper: Floats, lengths: Floats, k: int) -> MistakeBounds:
        """lower, upper: the bounds after 0, 1, ... mistakes. lengths: ||theta|| after 0, 1, ... mistakes;
        may be shorter than the bounds. k: mistakes so far."""
        wide = self.ruler.fit(len(upper) - 1, axis="x")
        high = self.ruler.fit(1.2 * max(float(lengths.max()), 1.0), axis="y")  # the run is seen, whatever the bounds
        steps = np.arange(len(upper)) / wide
        self.upper.set_data(steps, upper / high)
        self.lower.set_data(steps, lower / high)
        self.lengths.set_data(np.arange(k + 1) / wide, lengths[: k + 1] / high)
        classic = np.isclose(upper[-1], np.sqrt(len(upper) - 1))
        inside = np.flatnonzero(upper < 0.85 * high)[-1]
        low = lower[-1] / high
        self.lower.set_visible(low > 0)  # not separable: no bound from below
        way = np.column_stack([steps, upper / high])[: inside + 1]
        tags = [Tag("at most √k" if classic else "at most", _thinned(way)[::-5], (1, -1), only=True)]
        if low > 0:
            end = int(np.flatnonzero(lower < high)[-1])
            way = np.column_stack([steps, lower / high])[: end + 1]
            tags.append(Tag("at least γ k / R" if classic else "at least", _thinned(way)[::-5], (-1, 1)))
        if k:
            tags.insert(0, Tag("‖θ‖ / R", (steps[k], lengths[k] / high), (1, 0)))
        self.names.show(tags)
        self.now.set_data([steps[k]], [lengths[k] / high])
        return self
