"""What each loss looks like, and the losses of examples against their agreements."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle

from coursekit.core.losses import KNOWN
from coursekit.core.validate import Floats
from coursekit.plots.marks import DASHED, Plot, class_marks, curve, marks, patch, ring, show_classes
from coursekit.plots.style import USUAL, Style, current
from coursekit.plots.tags import Tag, Tags


def loss_styles(look: Style) -> dict[str, dict[str, Any]]:
    """By loss: the look of its curve and of the line that it finds, and its marker."""
    return {
        "zero_one": {"color": look.ink, "ls": "-", "marker": "X"},
        "perceptron": {"color": look.soft, "ls": "-.", "marker": "P"},
        "hinge": {"color": look.green, "ls": "-", "marker": "D"},
        "logistic": {"color": look.violet, "ls": (0, (5, 1.5)), "marker": "v"},
        "squared": {"color": look.ochre, "ls": ":", "marker": "s"},
    }


LOSS_STYLES = loss_styles(USUAL)


def boundary_looks() -> dict[str, dict[str, Any]]:
    """The lines that losses find, for `Boundaries`."""
    return {name: {"color": s["color"], "ls": s["ls"]} for name, s in loss_styles(current()).items()}


def loss_marks(ax: Axes, **look: Any) -> dict[str, Line2D]:
    styles = loss_styles(current()).items()
    return {name: marks(ax, s["marker"], 8, color=s["color"], mec=current().paper, mew=0.8, **look)
            for name, s in styles}


class LossSpace(Plot):
    """One loss against the agreement z, above the zero-one loss, with every example at its own z; nothing is cut off.

    The mean height of the examples is the empirical risk.
    """

    def __init__(self, ax: Axes) -> None:
        super().__init__(ax)
        look = self.look
        ax.set(xlabel="agreement z = y f(x)", ylabel="loss")
        ax.axvline(0, color=look.mixed(0.46), lw=1)
        self.wrong = patch(ax, Rectangle((0, 0), 0, 1, color=look.mixed(0.22), lw=0, zorder=0.5))
        self.curve, self.styles = curve(ax), loss_styles(look)
        self.mean = self.add(curve(ax, color=look.ink, lw=1.2, ls=DASHED))
        self.points = [self.add(dots) for dots in class_marks(ax, clip_on=False, zorder=2.2)]
        self.ring = self.add(ring(ax, 16, 1.8, clip_on=False, zorder=2.3))
        self.value = self.add(Tags(ax, size=11))

    def frame(self, chosen: str, window: tuple[float, float, float]) -> None:
        """Draw the loss over the window (lowest z, highest z, highest loss). Part of the background."""
        low, high, top = window
        self.ax.set(xlim=(low, high), ylim=(-0.02 * top, 1.06 * top))
        self.wrong.set(x=low, width=-low)
        z = np.sort(np.append(np.linspace(low, high, 801), [0.0, 1e-9, 1.0]))
        style = self.styles[chosen]
        self.curve.set(color=style["color"], ls=style["ls"], lw=3)
        self.curve.set_data(z, KNOWN[chosen](z))

    def show(self, z: Floats, y: Floats, heights: Floats, now: int) -> LossSpace:
        """z, y, heights: (n,), agreements, labels and losses. now: the example that is ringed and named."""
        low, high = self.ax.get_xlim()
        show_classes(self.points, np.column_stack([z, heights]), y)
        at, height, mean = float(z[now]), float(heights[now]), float(heights.mean())
        self.ring.set_data([at], [height])
        self.mean.set_data([low, high], [mean, mean])
        along = np.column_stack([np.linspace(low, high, 9), np.full(9, mean)])
        self.value.show([
            Tag(f"mean {mean:.2f}", along[::-1] if at < (low + high) / 2 else along, (0, 1)),
            Tag(f"z = {at:.2f}, loss {height:.2f}", (at, height), (0, 1)),
        ])
        return self
