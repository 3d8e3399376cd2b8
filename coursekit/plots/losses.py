"""What each loss looks like, and the losses of one example against its prediction."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from coursekit.core.losses import KNOWN
from coursekit.plots.lettering import Lettering, Word
from coursekit.plots.marks import curve, marks
from coursekit.plots.style import LIGHT, Style, current


def loss_styles(look: Style) -> dict[str, dict[str, Any]]:
    """By loss: the look of its curve and of the line that it finds, and its marker."""
    return {
        "zero_one": {"color": look.ink, "ls": "-", "marker": "X"},
        "perceptron": {"color": look.soft, "ls": "-.", "marker": "P"},
        "hinge": {"color": look.green, "ls": "-", "marker": "D"},
        "logistic": {"color": look.violet, "ls": (0, (5, 1.5)), "marker": "v"},
        "squared": {"color": look.ochre, "ls": ":", "marker": "s"},
    }


LOSS_STYLES = loss_styles(LIGHT)


def boundary_looks() -> dict[str, dict[str, Any]]:
    """The lines that losses find, for `Boundaries`."""
    return {name: {"color": s["color"], "ls": s["ls"]} for name, s in loss_styles(current()).items()}


def loss_curves(ax: Axes) -> dict[str, Line2D]:
    return {name: curve(ax, **look) for name, look in boundary_looks().items()}


def loss_marks(ax: Axes, **look: Any) -> dict[str, Line2D]:
    styles = loss_styles(current()).items()
    return {name: marks(ax, s["marker"], 8, color=s["color"], mec=current().paper, mew=0.8, **look)
            for name, s in styles}


class LossSpace:
    """The five losses of one example as functions of its prediction f, for its label y."""

    reach, top = 3.2, 4.2  # the window; losses beyond it are shown at its edge

    def __init__(self, ax: Axes) -> None:
        self.ax, look = ax, current()
        ax.set(xlim=(-self.reach, self.reach), ylim=(-0.15, self.top + 1.6), yticks=range(5), xlabel="prediction f(x)")
        ax.axvline(0, color=look.mixed(0.46), lw=1)
        self.curves = loss_curves(ax)
        self.beyond = ax.axvspan(0, 0, color=look.mixed(0.2, look.ochre), lw=0, zorder=0)
        self.wrong = ax.axvspan(0, 0, color=look.mixed(0.08), lw=0, zorder=0)
        self.words = [ax.text(0, self.top + 1.2, text, ha="center", va="center", fontsize=9)
                      for text in ("wrong", "right", "by > 1")]
        self.prediction = curve(ax, color=look.ink, lw=1.2)
        self.dots = loss_marks(ax, clip_on=False)
        self.value = Lettering(ax, size=9.5)
        self.artists: list[Artist] = [self.prediction, *self.dots.values(), self.value]

    def frame(self, y: float, chosen: str) -> None:
        """Draw the curves for the label y, the chosen loss thick. Part of the background."""
        f = np.sort(np.append(np.linspace(-self.reach, self.reach, 129), [0.0, -1e-9, 1e-9, -1.0, 1.0]))
        for name, drawn in self.curves.items():
            loss = KNOWN[name](y * f)
            drawn.set_data(f, np.where(loss <= self.top, loss, np.nan))
            drawn.set(lw=3.2 if name == chosen else 1.5, zorder=2.2 if name == chosen else 2)
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
