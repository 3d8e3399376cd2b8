"""Axes whose scale follows the data though they are drawn only once: ticks stay, their labels change."""

from __future__ import annotations

import math

from matplotlib.transforms import Affine2D

from coursekit.plots.lettering import Lettering, Word
from coursekit.plots.marks import Plot


class Ruler:
    """Axes from 0 to 1 (signed: -1 to 1) with light grid lines and labels that say the real scale.

    fit(largest) chooses the scale as a round number and returns it: divide by it.
    grid: False where something covers the whole axes; in a saved picture the grid would lie on top of it.
    A change of scale costs four short labels instead of a new background.
    """

    def __init__(self, plot: Plot, signed: bool, grid: bool = True) -> None:
        ax = plot.ax
        low = -1.0 if signed else 0.0
        marks = [low, low / 2, 0.5, 1.0] if signed else [0.25, 0.5, 0.75, 1.0]
        ax.set(xlim=(low * 1.08, 1.08), ylim=(low * 1.08, 1.08))
        ax.set_xticks([*marks, 0.0], [])
        ax.set_yticks([*marks, 0.0], [])
        ax.tick_params(length=0)
        ax.grid(grid)
        if signed and grid:
            for axis in (ax.axhline, ax.axvline):
                axis(0, color=plot.look.mixed(0.46), lw=1)
        if signed:
            ax.spines[:].set_visible(False)
        marks = [low, 1.0] if signed else marks
        narrow = ax.bbox.width < 2 * ax.figure.dpi and not signed  # here neighbouring labels could touch
        self._labelled = {"x": marks[1::2] if narrow else marks, "y": marks}
        self._labels = {
            "x": plot.add(Lettering(ax, ax.get_xaxis_transform(), size=9)),
            "y": plot.add(Lettering(ax, ax.get_yaxis_transform(), size=9)),
        }
        self.scale = {"x": 1.0, "y": 1.0}
        self.units = Affine2D()  # from what the labels say to the axes from 0 to 1

    def fit(self, largest: float, axis: str = "both") -> float:
        scale = nice(largest)
        for name in "xy" if axis == "both" else axis:
            self.scale[name] = scale
            self._labels[name].set_words(
                Word(mark, -0.03, _label(mark * scale), "ma") if name == "x"
                else Word(-0.02, mark, _label(mark * scale), "rm") for mark in self._labelled[name]
            )
        self.units.clear().scale(1 / self.scale["x"], 1 / self.scale["y"])
        return scale


def _label(value: float) -> str:
    return f"{value:.4g}" if abs(value) < 1e4 else f"{value:.3g}"


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
