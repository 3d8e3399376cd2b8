"""Values against steps, on scales that follow them."""

import math
from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from matplotlib.ticker import MaxNLocator
from matplotlib.transforms import Affine2D

from coursekit.plots.marks import DASHED, Axes, Floats, Plot, Style, Tag, Word, joined


class ObjectiveCurves(Plot):
    """One or two curves against the step k = 0, 1, 2, ..., named where they end, with a mark at the current step.

    A curve that is the same as one before it is not drawn. The upward scale counts powers of ten; where there are
    values of 0, its floor means 0.
    steps: how far the axis of steps reaches at least. decades: so many, the first value in the highest; what is higher
    or lower leaves the picture. Without it all values are in view, wherever the scale must reach for that.
    """

    def __init__(self, ax: Axes, names: Sequence[str] = ("objective", "best so far"), steps: int = 1,
                 decades: int = 0) -> None:
        super().__init__(ax)
        self.steps, self.decades, look = steps, decades, self.look
        looks: tuple[dict[str, Any], ...] = ({"color": look.blue, "ls": "-", "lw": 1.4},
                                             {"color": look.red, "ls": (0, (5, 2)), "lw": 2.2})
        if not 1 <= len(names) <= len(looks):
            raise ValueError(f"names must be those of 1 to {len(looks)} curves; got {len(names)}")
        self.ruler = Ruler(self)
        self.curves = [self.add_curve(**drawn) for drawn, _ in zip(looks, names, strict=False)]
        self.mark = self.add_curve(color=look.ink, lw=1, alpha=0.6, glides=True)
        self.now = self.add_marks("o", 8, color=look.violet, mec=look.paper, mew=1.2, glides=True)
        ax.set_yticks([])
        self._grid = self.add_curve(color=look.mixed(0.15), lw=0.8, zorder=0)
        self._labels = self.add_words(ax.get_yaxis_transform(), size=9)
        self.names, self.tags = tuple(names), self.add_tags()
        ax.xaxis.labelpad = 20  # below the ruler's numbers

    def show(self, curves: Sequence[Floats], now: int | None = None) -> Self:
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
        seen = [one for one in zip(self.names, self.curves, heights, strict=True) if one[1].get_visible()]
        lowest = min(range(len(seen)), key=lambda k: seen[k][2][-1])  # whose name stands below its line
        self.tags.show(
            Tag(name, ((len(y) - 1) / wide, y[-1]), (-1, -2 if k == lowest and len(seen) > 1 else 2), drawn.get_color())
            for k, (name, drawn, y) in enumerate(seen))
        here = [] if now is None else [y[now] for y in heights if now < len(y)]
        self.now.set_data([(now or 0) / wide] * len(here), here)
        self.mark.set_data(*(([], []) if now is None else ([now / wide] * 2, [0.0, 1.0])))
        return self

    def _heights(self, curves: Sequence[Floats]) -> list[Floats]:
        """The values as heights from 0 to 1, with lines across at some of them and their numbers at the left."""
        every, first = np.concatenate([np.asarray(values, float) for values in curves]), float(curves[0][0])
        every = every[np.isfinite(every)]
        zeros, every, deepest, highest = bool((every <= 0).any()), every[every > 0], 0.0, np.inf
        if self.decades and first > 0:
            top = math.floor(math.log10(first)) + 1.0
            low, zeros, deepest, highest = top - self.decades, False, -1.0, 2.0
            levels = [10.0**p for p in np.arange(low, top + 1)]
        elif not zeros and every.size and every.max() < 50 * every.min():
            least, most = float(every.min()) / 1.3, 1.1 * float(every.max())
            low, top, levels = math.log10(least), math.log10(most), _round_values(least, most)
        else:
            top = min(math.ceil(math.log10(every.max(initial=1e-9)) - 1e-9), 308)  # 10^309 is no float any more
            low = max(math.floor(math.log10(every.min(initial=1e300)) + 1e-9), top - 300)
            low = min(low, top - 1) - zeros
            powers = np.arange(top, low - 1, -math.ceil((top - low) / 5))
            levels = [10.0**p for p in powers if not zeros or p - low > 0.1 * (top - low)]
        at = {(math.log10(level) - low) / (top - low): f"{level:g}" for level in levels} | ({0.0: "0"} if zeros else {})
        self._labels.set_words(Word(-0.02, height, word) for height, word in at.items())
        self._grid.set_data(*joined([(0, height), (1.08, height)] for height in at).T)
        with np.errstate(divide="ignore"):
            heights = [(np.log10(np.maximum(values, 0)) - low) / (top - low) for values in curves]
        return [np.clip(height, deepest, highest) for height in heights]


def _round_values(low: float, high: float) -> list[float]:
    """Some round values between two that are less than two powers of ten apart."""
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    values = [m * 10.0**p for p in powers for m in (1, 2, 5)]
    if high < 8 * low:
        values = [float(f"{value:.6g}") for value in MaxNLocator(5).tick_values(low, high)]
    return [value for value in values if low <= value <= high]


class StepCut(Plot):
    """The objective along one step: from theta straight along minus the slope, against the step size.

    A dashed line continues the slope at theta: what the step promises. Crosses are step sizes that a
    search tried and refused, the dot is the one taken.
    """

    def make(self, ax: Axes, look: Style) -> None:
        self.ruler = Ruler(self)
        ax.xaxis.labelpad = 20
        self.promise = self.add_curve(color=look.ink, lw=1.3, ls=DASHED)
        self.curve = self.add_curve(color=look.blue)
        self.refused = self.add_marks("x", 8, mew=1.8, color=look.red)
        self.taken = self.add_marks("o", 9, color=look.violet, mec=look.paper, mew=1.2)

    def show(self, etas: Floats, values: Floats, fall: float, tried: Floats, reached: Floats) -> Self:
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

    def make(self, ax: Axes, look: Style) -> None:
        self.ruler = Ruler(self)
        self.upper = self.add_curve(color=look.red, ls="--")
        self.lower = self.add_curve(color=look.blue, ls="-.")
        self.lengths = self.add_marks(".", 5, color=look.soft)
        self.now = self.add_marks("o", 9, color=look.ink, glides=True)
        self.names = self.add_tags(size=10)

    def show(self, lower: Floats, upper: Floats, lengths: Floats, k: int) -> Self:
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
        way = np.column_stack([steps, upper / high])[np.linspace(inside, 0, 12).astype(int)]
        tags = [Tag("at most √k" if classic else "at most", way, (1, -1), only=True)]
        if low > 0:
            at = np.linspace(np.flatnonzero(lower < high)[-1], 0, 12).astype(int)
            way = np.column_stack([steps, lower / high])[at]
            tags.append(Tag("at least γ k / R" if classic else "at least", way, (-1, 1)))
        if k:
            tags.insert(0, Tag("‖θ‖ / R", (steps[k], lengths[k] / high), (1, 0)))
        self.names.show(tags)
        self.now.set_data([steps[k]], [lengths[k] / high])
        return self


class Ruler:
    """Axes of a plot from 0 to 1 with light grid lines and labels that say the real scale, which follows the data.

    fit(largest, axis) chooses the scale as a round number and returns it: divide by it.
    A change of scale costs four short labels instead of a new background: ticks stay, their labels change.
    """

    marks = 0.25, 0.5, 0.75, 1.0

    def __init__(self, plot: Plot) -> None:
        ax = plot.ax
        ax.set(xlim=(0, 1.08), ylim=(0, 1.08))
        ax.set_xticks([0.0, *self.marks], [])
        ax.set_yticks([0.0, *self.marks], [])
        ax.tick_params(length=0)
        ax.grid(True)
        self._every = 2 if ax.bbox.width < 2 * ax.figure.dpi else 1  # where neighboring labels could touch
        self._labels = {"x": plot.add_words(ax.get_xaxis_transform(), size=9),
                        "y": plot.add_words(ax.get_yaxis_transform(), size=9)}
        self.scale = {"x": 1.0, "y": 1.0}
        plot.units = self.units = Affine2D()

    def fit(self, largest: float, axis: str) -> float:
        self.scale[axis] = scale = nice(largest)
        words = [(mark, f"{value:.4g}" if (value := mark * scale) < 1e4 else f"{value:.3g}") for mark in self.marks]
        self._labels[axis].set_words(
            [Word(mark, -0.03, word, "ma") for mark, word in words[self._every - 1 :: self._every]] if axis == "x"
            else [Word(-0.02, mark, word, "rm") for mark, word in words])
        self.units.clear().scale(1 / self.scale["x"], 1 / self.scale["y"])
        return scale


def nice(largest: float) -> float:
    """The smallest scale, at least `largest`, whose quarters are short numbers.

    >>> nice(13), nice(0.04), nice(0.0)
    (16.0, 0.04, 1.0)
    """
    if largest < 1e-300:  # the power of ten below it may be 0
        return 1.0
    power = 10.0 ** math.floor(math.log10(largest))
    steps = (m * power for m in (1, 1.2, 1.6, 2, 2.4, 3, 4, 6, 8, 10))
    return next(float(f"{step:.12g}") for step in steps if step >= largest * (1 - 1e-9))
