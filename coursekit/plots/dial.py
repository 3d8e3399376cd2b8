"""A direction u that is turned: its dial, the shadows of all examples on it, and the gap for every way to turn it."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Circle, Polygon, Rectangle
from numpy.typing import NDArray

from coursekit.core.text import number
from coursekit.core.validate import Floats
from coursekit.plots.boundary import corners
from coursekit.plots.lettering import Lettering, Word
from coursekit.plots.marks import Plot, arrow, class_marks, curve, marks, patch, show_classes
from coursekit.plots.tags import Tag, Tags

FORCES = 8  # so many arrows at most
HATCH = "////"


class Dial(Plot):
    """Over a street: the dial with u as its hand, and the forces of those who hold the street.

    The rim bulges where a street fits, as far as it is wide.
    """

    def __init__(self, ax: Axes) -> None:
        super().__init__(ax)
        look = self.look
        self.forces = [self.add(arrow(ax, look.ink, 12, lw=2.4, zorder=2.4, gid="force")) for _ in range(FORCES)]
        self.tags = self.add(Tags(ax, size=12))
        self.lobe = self.add(patch(ax, Polygon(np.zeros((3, 2)), fc=look.highlight, ec=look.ink, lw=0.8, zorder=3.6)))
        self.rim = self.add(patch(ax, Circle((0, 0), 1, fc=look.paper, ec=look.soft, lw=1.2, zorder=3.7)))
        self.hand = self.add(arrow(ax, look.ink, 16, lw=3.0, zorder=3.8), "u", glides=True)
        self.knob = self.add(marks(ax, "o", 11, color=look.ink, mec=look.paper, mew=1.4, zorder=3.9), "u", glides=True)
        self.name = self.add(Lettering(ax, size=12))
        self.name.set_zorder(3.9)

    def hide(self) -> None:
        for artist in self.artists:
            artist.set_visible(False)

    @property
    def middle(self) -> Floats:
        """Of the dial: near the lower left corner of the axes."""
        return corners(self.ax)[0] + 1.4 * self.radius

    @property
    def radius(self) -> float:
        low, high = corners(self.ax)
        return 0.11 * float((high - low).min())

    def show(
        self, u: Floats, angles: Floats, gaps: Floats, X: Floats, y: Floats, forces: Floats | None = None
    ) -> Dial:
        """u: (2,), of length 1. angles, gaps: (k,), in degrees. X, y: of n examples. forces: (n,), if any."""
        at, long = self.middle, self.radius
        for artist in self.artists:
            artist.set_visible(True)
        turns, high = np.radians(angles), gaps.max(initial=0.0)
        bulge = long * (1 + 0.6 * np.maximum(gaps, 0) / high) if high > 0 else np.full(len(gaps), long)
        self.lobe.set_xy(at + bulge[:, None] * np.column_stack([np.cos(turns), np.sin(turns)]))
        self.rim.set(center=at, radius=long)
        self.hand.set_positions(tuple(at), tuple(at + 0.95 * long * u))
        self.knob.set_data(*(at + long * u)[:, None])
        x, height = at - 0.45 * long * u
        self.name.set_words([Word(x, height, "u", "mm")])
        force = np.zeros(len(y)) if forces is None else forces / forces.max()
        tags, pressing = [], np.flatnonzero(force > 0.005)
        for k, drawn in enumerate(self.forces):
            drawn.set_visible(k < len(pressing))
        for drawn, i in zip(self.forces, pressing, strict=False):
            back = y[i] * u * long  # away from the street
            tail = X[i] + (0.3 + 1.7 * force[i]) * back
            drawn.set_positions(tuple(tail), tuple(X[i] + 0.3 * back))
            color = self.look.classes[int(y[i] > 0)]["color"]
            drawn.set_color(color)
            tags.append(Tag(f"{np.asarray(forces)[i]:.2f}", tail, back, color))
        self.tags.show(tags)
        return self


class Rugs(Plot):
    """All examples on the arrow u, each class in its own row; between the last of one and the first of the other the
    gap, which is hatched where they overlap. reach: how far from 0 the arrow goes both ways."""

    def __init__(self, ax: Axes) -> None:
        super().__init__(ax)
        look = self.look
        ax.set(ylim=(-2.1, 1.6), xticks=[], yticks=[])
        ax.spines[:].set_visible(False)
        ax.grid(False)
        self.gap = self.add(patch(ax, Rectangle((0, -1), 0, 2, fc=look.highlight, ec=look.soft, lw=0, gid="street")))
        ax.annotate("", (1, 0.568), (0, 0.568), "axes fraction", arrowprops={"arrowstyle": "-|>", "color": look.soft})
        ax.text(1, 0.62, "u", transform=ax.transAxes, ha="right", va="bottom", fontsize=12)
        self.rows = [self.add(dots) for dots in class_marks(ax, ms=7.5, alpha=0.85)]
        self.hollow = [self.add(dots) for dots in class_marks(ax, hollow=True, ms=7.5, gid="wrong", zorder=2.1)]
        self.words = self.add(Lettering(ax, size=12, inside=True))

    def show(self, shadows: Floats, y: Floats, ends: tuple[float, float], wrong: NDArray[np.bool_]) -> Rugs:
        """shadows, y, wrong: (n,). ends: the last negative and the first positive shadow."""
        at, gap = np.column_stack([shadows, 0.5 * y]), ends[1] - ends[0]
        show_classes(self.rows, at[~wrong], y[~wrong])
        show_classes(self.hollow, at[wrong], y[wrong])
        fc = self.look.highlight if gap > 0 else self.look.mixed(0.1)
        self.gap.set(x=min(ends), width=abs(gap), hatch=None if gap > 0 else HATCH, fc=fc)
        self.words.set_words([Word(sum(ends) / 2, -1.55, f"gap {gap:.2f}" if gap > 0 else f"overlap {-gap:.2f}", "mm")])
        return self


class GapCurve(Plot):
    """The gap against the direction of u in degrees, with the widest one starred and the present one as a point."""

    def __init__(self, ax: Axes) -> None:
        super().__init__(ax)
        look = self.look
        ax.set(xlim=(0, 180), xticks=[0, 45, 90, 135, 180], yticks=[])
        ax.set_xticklabels(["0°", "45°", "90°", "135°", "180°"])
        ax.spines[["left", "top", "right"]].set_visible(False)
        ax.grid(False)
        ax.axhline(0, color=look.soft, lw=1)
        self.above = self.add(patch(ax, Polygon(np.zeros((3, 2)), fc=look.highlight, lw=0, gid="street")))
        self.curve = self.add(curve(ax, color=look.ink, lw=2, gid="gap"))
        self.stem = self.add(curve(ax, color=look.ink, lw=1.2))
        self.best = self.add(marks(ax, "*", 16, mfc=look.star, mec=look.ink, mew=1, gid="widest"))
        self.now = self.add(marks(ax, "o", 10, color=look.ink, mec=look.paper, mew=1.4, gid="u"))
        self.words = self.add(Lettering(ax, size=10.5, inside=True))

    def frame(self, gaps: Floats) -> None:
        """Fit the scale to these gaps."""
        low, high = min(gaps.min(), 0.0), max(gaps.max(), 0.0)
        room = high - low or 1.0
        self.ax.set_ylim(low - 0.08 * room, high + 0.42 * room)

    def show(self, angles: Floats, gaps: Floats, best: float, widest: float, now: float, gap: float) -> GapCurve:
        """angles, gaps: (k,). best, widest: the best angle and its gap. now, gap: the present ones."""
        self.curve.set_data(angles, gaps)
        self.above.set_xy([(angles[0], 0), *zip(angles, np.maximum(gaps, 0), strict=True), (angles[-1], 0)])
        self.best.set_data([best], [widest])
        self.stem.set_data([now, now], [self.ax.get_ylim()[0], gap])
        self.now.set_data([] if now == best else [now], [] if now == best else [gap])
        low, high = self.ax.get_ylim()
        name = f"widest: {number(widest)}" if widest > 0 else f"least overlap: {number(-widest)}"
        self.words.set_words([Word(best, max(widest, 0.0) + 0.13 * (high - low), f"{name} at {best:.1f}°", "mm"),
                              Word(178, 0.06 * (high - low), "below: no street" if widest > 0 else "", "rm")])
        return self
