"""The street of a support vector machine among the data, and the direction u that is turned to find the widest."""

from __future__ import annotations

from typing import Self

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Circle, Rectangle

from coursekit.core import validate
from coursekit.core.datasets import Dataset
from coursekit.core.text import number
from coursekit.core.validate import ArrayLike, Floats, NDArray
from coursekit.plots.boundary import DecisionBoundary, corners, line_ends, seen
from coursekit.plots.marks import MANY, NOWHERE, UNDER, Plot, Style, Tag, Word, blank, joined, show_classes, thin_out

FORCES = 8  # so many arrows at most
HATCH = "////"


class MarginStreet(Plot):
    """A decision boundary with its street, the band |f| <= 1, and what keeps it from being wider.

    Examples with slack are tied to the edge that they should lie beyond, slack / ||w|| away; the largest is written
    there. Support vectors are ringed. The double arrow is 2/||w|| long. corners: as of a DecisionBoundary.
    """

    def __init__(self, ax: Axes, corners: Floats | None = None) -> None:
        super().__init__(ax)
        look = self.look
        self.boundary = DecisionBoundary(ax, legend=False, normal=False, corners=corners)
        for dots in (*self.boundary.points, *self.boundary.wrong):
            dots.set_markersize(8.5)
        self.artists += self.boundary.artists
        self.street = self.add_area(facecolor=look.highlight, ec=look.soft, visible=False, gid="street", glides=True)
        self.margin = self.add_arrow(look.ink, 11, lw=1.4, style="<|-|>", zorder=1.8, gid="margin")
        self.edges = self.add_curve(color=look.ink, lw=1.0, zorder=UNDER, gid="edges", glides=True)
        self.kept = self.boundary.line, self.edges
        self.ring = self.add_ring(18, 1.4, "s", gid="example")
        self.ties = self.add_curve(color=look.green, lw=1.6, solid_capstyle="butt", gid="slack")
        self.support = self.add_ring(13, 1.4, gid="support")
        self.tags = self.add_tags()
        self.above = self.add_words(ax.transAxes, size=10.5)

    def show(self, data: Dataset, theta: Floats, slack: Floats, support: ArrayLike, before: Floats | None = None,
             now: int | None = None, crossed: bool | None = None) -> Self:
        """theta: (3,), offset last. slack: (n,). support: indices. Otherwise as in `DecisionBoundary.show`.

        Where the weights are 0 there is no street; the support vectors are ringed all the same.
        now: in a square. crossed: only the classes are named; where true they cross: no line, and the band is hatched.
        """
        self.boundary.show(data, theta, before)
        theta = validate.shaped("theta", theta, 3)
        slack = validate.shaped("slack", slack, len(data))
        support = validate.rows("support", support, len(data))
        self.support.set_data(*data.X[support].T)
        thin_out(self.support, 13, len(support))
        square = data.X[validate.rows("now", now, len(data))]
        self.ring.set_data(*square.T)
        line, whole = line_ends(self.ax, theta), False
        agreements = data.y * (data.X @ theta[:2] + theta[2])
        w = theta[:2]
        across = w / (w @ w or 1.0)  # from the line to the edge f = 1
        chosen = [Tag(f"{self.boundary.noun} {now}", at, -data.y[now] * across) for at in square]  # its tie goes back
        edge = [Tag("overlap ends" if crossed else "at the edge", data.X[support])]
        chosen += edge * (crossed is not None and len(support) > 0)
        tags, above = [*chosen, *(classes := self.boundary.class_tags(data, agreements))], ""
        self.street.set(visible=len(line) > 0, hatch=HATCH if crossed else None,
                        fc=self.look.mixed(0.1) if crossed else self.look.highlight)
        self.boundary.line.set_visible(len(line) > 0 and not crossed)
        edges = line - across, line + across
        self.street.set_xy(np.array([*edges[0], *edges[1][::-1]]) if len(line) else np.zeros((1, 2)))
        self.edges.set_data(*(NOWHERE if crossed else joined(edges)).T)
        late = np.flatnonzero(slack > 0)[: len(slack) * len(line)]
        feet = data.X[late] + (data.y * slack)[late, None] * across
        self.ties.set_data(*joined(np.stack([data.X[late], feet], axis=1)).T)
        self.ties.set(lw=1.6 if len(late) <= MANY else 0.7)
        along = seen(self.ax, line) if crossed is None else NOWHERE
        if len(along):
            # The width is shown where examples are far away, the names of the lines where the street leaves the axes.
            inner = along[len(along) // 8 : len(along) - len(along) // 8]
            free = inner[np.hypot(*(inner[:, None] - data.X).transpose(2, 0, 1)).min(axis=1).argmax()]
            self.margin.set_positions(tuple(free - across), tuple(free + across))
            inside = self.ax.viewLim.contains
            out = next((out for out in (across, -across) if inside(*(free + out))), 0 * across)  # beside the street
            whole = inside(*(free + across)) and inside(*(free - across))
            wide = f"2/‖w‖ = {number(2 * float(np.hypot(*across)))}"
            above = "" if whole else f"{wide}, wider than the picture"  # there no tie crosses it
            width = [Tag(wide, free + out, out)] * int(whole)
            tags = [*width, *chosen, *self._slack_tags(data, slack, support, across), *classes]
            for sign, color, name in ((-1, self.look.blue, "f = -1"), (1, self.look.red, "f = +1")):
                ends = seen(self.ax, line + sign * across)
                if len(ends) and np.ptp(ends, axis=0).max() > 0.2 * np.ptp(self.ax.get_xlim()):  # no corner
                    ends = ends[len(ends) // 8 :: len(ends) // 8 or 1]  # a name has room outside the street
                    ends = ends[np.argsort(-np.hypot(*(ends - free).T))]
                    tags.append(Tag(name, ends, sign * across, color))
        if len(line) and len(way := seen(self.ax, line_ends(self.ax, before))):
            far = np.abs(way @ w + theta[2]).argmax()
            tags.append(Tag("descent", way[far], np.sign(way[far] @ w + theta[2]) * across, self.look.soft))
        self.margin.set_visible(bool(len(along)) and whole)
        self.tags.show(tags)
        self.above.set_words([Word(1, 1.015, above, "rd")])
        return self

    def _slack_tags(self, data: Dataset, slack: Floats, support: NDArray[np.intp], across: Floats) -> list[Tag]:
        """The largest slack, and one of the support vectors on the edge."""
        first = support[np.argsort(slack[support])[:8]]
        tags = [Tag("support vector", data.X[first], data.y[first[0]] * across)] if len(first) else []
        if slack.max(initial=0.0) > 1e-6:
            i = int(slack.argmax())
            tags.insert(0, Tag(f"ξ = {number(slack[i])}", data.X[i], -data.y[i] * across, self.look.green))
        return tags


class Dial(Plot):
    """Over a street: the dial with u as its hand, and the forces of those who hold the street.

    The rim bulges where a street fits, as far as it is wide.
    """

    def make(self, ax: Axes, look: Style) -> None:
        self.forces = [self.add_arrow(look.ink, 12, lw=2.4, zorder=2.4, gid="force") for _ in range(FORCES)]
        self.tags = self.add_tags(size=12)
        self.lobe = self.add_area(fc=look.highlight, ec=look.ink, lw=0.8, zorder=3.6)
        self.rim = self.add_patch(Circle((0, 0), 1, fc=look.paper, ec=look.soft, lw=1.2, zorder=3.7))
        self.hand = self.add_arrow(look.ink, 16, lw=3.0, zorder=3.8, gid="u", glides=True)
        self.knob = self.add_marks("o", 11, color=look.ink, mec=look.paper, mew=1.4, zorder=3.9, gid="u", glides=True)
        self.name = self.add_words(size=12)
        self.name.set_zorder(3.9)

    @property
    def middle(self) -> Floats:
        """Of the dial: near the lower left corner of the axes."""
        return corners(self.ax)[0] + 1.4 * self.radius

    @property
    def radius(self) -> float:
        low, high = corners(self.ax)
        return 0.11 * float((high - low).min())

    def show(self, u: Floats, angles: Floats, gaps: Floats, X: Floats, y: Floats, forces: Floats | None = None) -> Self:
        """u: (2,), of length 1. angles, gaps: (k,), in degrees. X, y: of n examples. forces: (n,), if any."""
        at, long = self.middle, self.radius
        self.set_visible(True)
        turns, high = np.radians(angles), gaps.max(initial=0.0)
        bulge = long * (1 + 0.6 * np.maximum(gaps, 0) / high) if high > 0 else np.full(len(gaps), long)
        self.lobe.set_xy(at + bulge[:, None] * np.column_stack([np.cos(turns), np.sin(turns)]))
        self.rim.set(center=at, radius=long)
        self.hand.set_positions(tuple(at), tuple(at + 0.95 * long * u))
        self.knob.set_data(*(at + long * u)[:, None])
        x, height = at - 0.45 * long * u
        self.name.set_words([Word(x, height, "u", "mm")])
        force = np.zeros(len(y)) if forces is None else forces / forces.max()
        pressing = np.flatnonzero(force > 0.005)
        tags = [Tag("where a street fits", self.lobe.get_xy()[bulge.argmax()], at)] * bool(high > 0 and forces is None)
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
    gap, which is hatched where they overlap."""

    def make(self, ax: Axes, look: Style) -> None:
        blank(ax, ylim=(-2.1, 1.6))
        self.gap = self.add_patch(Rectangle((0, -1), 0, 2, fc=look.highlight, ec=look.soft, lw=0, gid="street"))
        ax.annotate("", (1, 0.568), (0, 0.568), "axes fraction", arrowprops={"arrowstyle": "-|>", "color": look.soft})
        ax.text(1, 0.62, "u", transform=ax.transAxes, ha="right", va="bottom", fontsize=12)
        self.rows = self.add_classes(ms=7.5, alpha=0.85)
        self.hollow = self.add_classes(hollow=True, ms=7.5, gid="wrong", zorder=2.1)
        self.words = self.add_words(size=12, inside=True)

    def show(self, shadows: Floats, y: Floats, ends: tuple[float, float], wrong: NDArray[np.bool_]) -> Self:
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

    def make(self, ax: Axes, look: Style) -> None:
        ax.set(xlim=(0, 180), yticks=[])
        ax.set_xticks(turns := [0, 45, 90, 135, 180], [f"{turn}°" for turn in turns])
        ax.spines["left"].set_visible(False)
        ax.axhline(0, color=look.soft, lw=1)
        self.above = self.add_area(fc=look.highlight, gid="street")
        self.curve = self.add_curve(color=look.ink, lw=2, gid="gap")
        self.stem = self.add_curve(color=look.ink, lw=1.2)
        self.best = self.add_marks("*", 16, mfc=look.star, mec=look.ink, mew=1, gid="widest")
        self.now = self.add_marks("o", 10, color=look.ink, mec=look.paper, mew=1.4, gid="u")
        self.words = self.add_words(size=10.5, inside=True)

    def frame(self, gaps: Floats) -> None:
        """Fit the scale to these gaps."""
        low, high = min(gaps.min(), 0.0), max(gaps.max(), 0.0)
        room = high - low or 1.0
        self.ax.set_ylim(low - 0.08 * room, high + 0.42 * room)

    def show(self, angles: Floats, gaps: Floats, best: float, widest: float, now: float, gap: float) -> Self:
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
