"""One moment in three spaces: the lines among the data, their parameters, and the losses of one example."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle

from coursekit.core.losses import KNOWN
from coursekit.core.validate import Floats
from coursekit.plots.boundary import DecisionBoundary
from coursekit.plots.landscape import Landscape
from coursekit.plots.lettering import Lettering, Word
from coursekit.plots.ruler import Ruler
from coursekit.plots.style import LIGHT, Style, current


def loss_styles(look: Style) -> dict[str, dict[str, Any]]:
    """What each loss looks like, as a curve, as the line that it finds, and as a point."""
    return {
        "zero_one": {"color": look.ink, "ls": "-", "marker": "X"},
        "perceptron": {"color": look.soft, "ls": "-.", "marker": "P"},
        "hinge": {"color": look.green, "ls": "-", "marker": "D"},
        "logistic": {"color": look.violet, "ls": (0, (5, 1.5)), "marker": "v"},
        "squared": {"color": look.ochre, "ls": ":", "marker": "s"},
    }


LOSS_STYLES = loss_styles(LIGHT)


def _lines(ax: Axes) -> dict[str, Line2D]:
    return {name: ax.plot([], [], color=s["color"], ls=s["ls"])[0] for name, s in loss_styles(current()).items()}


def _marks(ax: Axes, **look: Any) -> dict[str, Line2D]:
    look = {"ls": "", "ms": 8, "mec": current().paper, "mew": 0.8} | look
    styles = loss_styles(current()).items()
    return {name: ax.plot([], [], marker=s["marker"], color=s["color"], **look)[0] for name, s in styles}


class RivalLines(DecisionBoundary):
    """A decision boundary with the lines that several losses find in the same data."""

    def __init__(self, ax: Axes) -> None:
        super().__init__(ax)
        self.rivals = _lines(ax)
        self.artists += self.rivals.values()

    def show_rivals(self, thetas: Mapping[str, Floats]) -> RivalLines:
        """thetas: (3,) each, offset last, by the name of the loss."""
        for name, line in self.rivals.items():
            ends = self._ends(thetas[name]) if name in thetas else None
            line.set_data(*(([], []) if ends is None else ends.T))
        return self


class ParameterSpace:
    """The plane of the weights (theta_1, theta_2): an objective as a map, the solutions of losses as marks.

    One example (x, y) is a pair of parallel lines here, y theta . x = 0 (solid) and = 1 (dashed): on their far
    side it is right, and right by more than 1.
    """

    extent = (-1.08, 1.08, -1.08, 1.08)

    def __init__(self, ax: Axes) -> None:
        self.ruler = Ruler(ax, signed=True, lines=False)
        self.landscape = Landscape(ax, self.extent)
        self.example = [ax.plot([], [], color=current().ink, lw=1.2, ls=ls)[0] for ls in ("-", (0, (4, 3)))]
        self.points = _marks(ax)
        self.artists = [*self.landscape.artists, *self.ruler.artists, *self.example, *self.points.values()]

    @classmethod
    def grid(cls, scale: float, size: int = 60) -> Floats:
        """The weights, (size * size, 2), at which show() wants the heights."""
        return scale * Landscape.points(cls.extent, size)

    def show(
        self, heights: Floats, scale: float, path: Floats, thetas: Mapping[str, Floats], x: Floats, y: float
    ) -> ParameterSpace:
        """heights: (K,), the objective at grid(scale). path: (J, 2), how one of them was found.

        thetas: by the name of the loss. (x, y): the example.
        """
        self.ruler.fit(scale)
        self.landscape.show(heights, path / scale)
        for name, point in self.points.items():
            point.set_data(*(thetas[name][:2, None] / scale if name in thetas else np.empty((2, 0))))
        length = max(float(x @ x), 1e-12)
        for line, z in zip(self.example, (0.0, 1.0), strict=True):
            foot, along = z * y * x / (scale * length), 4 * np.array([-x[1], x[0]]) / np.sqrt(length)
            line.set_data(*np.array([foot - along, foot + along]).T)
        return self


class LossSpace:
    """The five losses of one example as functions of its prediction f, for its label y."""

    reach, top = 3.2, 4.2  # the window; losses beyond it are shown at its edge

    def __init__(self, ax: Axes) -> None:
        self.ax, look = ax, current()
        ax.set(xlim=(-self.reach, self.reach), ylim=(-0.15, self.top + 1.6), yticks=range(5), xlabel="prediction f(x)")
        ax.axvline(0, color=look.mixed(0.46), lw=1)
        self.curves = _lines(ax)
        self.beyond = ax.axvspan(0, 0, color=look.mixed(0.2, look.ochre), lw=0, zorder=0)
        self.wrong = ax.axvspan(0, 0, color=look.mixed(0.08), lw=0, zorder=0)
        self.words = [ax.text(0, self.top + 1.2, text, ha="center", va="center", fontsize=9)
                      for text in ("wrong", "right", "by > 1")]
        (self.prediction,) = ax.plot([], [], color=look.ink, lw=1.2)
        self.dots = _marks(ax, clip_on=False)
        self.value = Lettering(ax, size=9.5)
        self.artists = [self.prediction, *self.dots.values(), self.value]

    def frame(self, y: float, chosen: str) -> None:
        """Draw the curves for the label y, the chosen loss thick. Part of the background."""
        f = np.sort(np.append(np.linspace(-self.reach, self.reach, 129), [0.0, -1e-9, 1e-9, -1.0, 1.0]))
        for name, curve in self.curves.items():
            loss = KNOWN[name](y * f)
            curve.set_data(f, np.where(loss <= self.top, loss, np.nan))
            curve.set(lw=3.2 if name == chosen else 1.5, zorder=2.2 if name == chosen else 2)
        self.wrong.set(x=min(0, -y * self.reach), width=self.reach)
        self.beyond.set(x=1.0 if y > 0 else -self.reach, width=self.reach - 1)
        for text, centre in zip(self.words, (-1.6, 0.5, 2.1), strict=True):
            text.set_x(y * centre)
        self.ax.set_title(f"Loss space, y = {y:+.0f}", loc="left", fontsize=11, weight="bold")

    def show(self, f: float, losses: Mapping[str, float]) -> LossSpace:
        """losses: their values at f, by name."""
        at = float(np.clip(f, -self.reach, self.reach))
        self.prediction.set_data([at, at], [0, self.top + 0.55])
        for name, dot in self.dots.items():
            dot.set_data([at], [min(losses[name], self.top)])
        side = "l" if at < 0 else "r"
        text = f"f = {f:.2f}"
        if at != f:
            text = f"\N{LEFTWARDS ARROW} {text}" if f < 0 else f"{text} \N{RIGHTWARDS ARROW}"
        self.value.set_words([Word(at, self.top + 0.35, f"  {text}  ", side + "m")])
        return self


class LossTable:
    """A row for each loss: its curve's look, and whatever texts it is given; the chosen row is marked."""

    def __init__(self, ax: Axes, columns: Sequence[tuple[float, str, str]]) -> None:
        """columns: (position from 0 to 1, anchor "l" or "r", heading)."""
        self.columns, look = columns, current()
        ax.set(xlim=(0, 1), ylim=(len(KNOWN) + 1, 0))
        ax.axis("off")
        for x, anchor, name in columns:
            ax.text(x, 0.5, name, ha="left" if anchor == "l" else "right", va="center", weight="bold")
        ax.axhline(1.0, color=look.soft, lw=1)
        for r, (line, mark) in enumerate(zip(_lines(ax).values(), _marks(ax).values(), strict=True)):
            line.set_data([0.0, 0.06], [r + 1.5] * 2)
            mark.set_data([0.03], [r + 1.5])
        self.mark = Rectangle((0, 1), 1, 1, facecolor=look.highlight, edgecolor=look.ink, lw=1)
        ax.add_patch(self.mark)
        self.text = Lettering(ax)
        self.artists = [self.text]

    def frame(self, chosen: str) -> None:
        """Mark the chosen loss. Part of the background."""
        self.mark.set_y(1 + list(LOSS_STYLES).index(chosen))

    def show(self, rows: Sequence[Sequence[str]]) -> LossTable:
        """rows: one for each loss, with a text for each column."""
        self.text.set_words(
            Word(x, r + 1.5, text, anchor + "m")
            for r, row in enumerate(rows)
            for (x, anchor, _), text in zip(self.columns, row, strict=True)
        )
        return self
