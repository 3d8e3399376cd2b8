"""The street of a support vector machine among the data."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Polygon
from numpy.typing import ArrayLike, NDArray

from coursekit.core.datasets import Dataset
from coursekit.core.text import number
from coursekit.core.validate import Floats
from coursekit.plots import check
from coursekit.plots.boundary import DecisionBoundary, line_ends, seen
from coursekit.plots.dial import HATCH
from coursekit.plots.ghost import Ghost
from coursekit.plots.marks import MANY, NOWHERE, UNDER, Plot, arrow, curve, joined, patch, places, ring, thin_out
from coursekit.plots.tags import Tag, Tags


class MarginStreet(Plot):
    """A decision boundary with its street, the band |f| <= 1, and what keeps it from being wider.

    Each example with slack is tied to the edge of the street that it should lie beyond; the tie is
    slack / ||w|| long, and the largest slack is written beside it. Support vectors are ringed. The double arrow
    reaches from edge to edge and is 2/||w|| long. corners: as of a DecisionBoundary.
    """

    def __init__(self, ax: Axes, corners: Floats | None = None) -> None:
        super().__init__(ax)
        look = self.look
        self.boundary = DecisionBoundary(ax, legend=False, normal=False, corners=corners)
        for dots in (*self.boundary.points, *self.boundary.wrong):
            dots.set_markersize(8.5)
        self.artists += self.boundary.artists
        area = Polygon(np.zeros((4, 2)), facecolor=look.highlight, ec=look.soft, lw=0, visible=False, gid="street")
        self.street = self.add(patch(ax, area), glides=True)
        self.margin = self.add(arrow(ax, look.ink, 11, lw=1.4, style="<|-|>", zorder=1.8, gid="margin"))
        self.edges = self.add(curve(ax, color=look.ink, lw=1.0, zorder=UNDER), "edges", glides=True)
        self.ring = self.add(ring(ax, 18, 1.4, "s", gid="example"))
        self.ties = self.add(curve(ax, color=look.green, lw=1.6, solid_capstyle="butt", gid="slack"))
        self.support = self.add(ring(ax, 13, 1.4, gid="support"))
        self.tags = self.add(Tags(ax))

    def show(
        self, data: Dataset, theta: Floats, slack: Floats, support: ArrayLike, before: Floats | None = None,
        now: int | None = None, crossed: bool | None = None,
    ) -> MarginStreet:
        """theta: (3,), offset last. slack: (n,). support: indices. Otherwise as in `DecisionBoundary.show`.

        Where the weights are 0 there is no street; the support vectors are ringed all the same.
        now: the example in a square. crossed: only the classes are named, and where it is true, the classes cross: then
        there is no line, and the band is hatched.
        """
        self.boundary.show(data, theta, before)
        theta = check.shaped("theta", theta, 3)
        slack = check.shaped("slack", slack, len(data))
        support = check.rows("support", support, len(data))
        self.support.set_data(*data.X[support].T)
        thin_out(self.support, 13, len(support))
        square = data.X[check.rows("now", now, len(data))]
        self.ring.set_data(*square.T)
        line, whole = line_ends(self.ax, theta), False
        agreements = data.y * (data.X @ theta[:2] + theta[2])
        chosen, classes = [Tag(f"example {now}", at) for at in square], self.boundary.class_tags(data, agreements)
        tags = [*chosen, *classes]
        for area in (self.street, self.margin):
            area.set_visible(len(line) > 0)
        self.street.set(hatch=HATCH if crossed else None, fc=self.look.mixed(0.1) if crossed else self.look.highlight)
        self.boundary.line.set_visible(len(line) > 0 and not crossed)
        if not len(line):
            self.edges.set_data(*NOWHERE.T)
            self.ties.set_data(*NOWHERE.T)
            self.tags.show(tags)
            return self
        w = theta[:2]
        across = w / (w @ w)  # from the line to the edge f = 1
        edges = line - across, line + across
        self.street.set_xy(np.array([*edges[0], *edges[1][::-1]]))
        self.edges.set_data(*(NOWHERE if crossed else joined(edges)).T)
        late = np.flatnonzero(slack > 0)
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
            width = Tag(wide if whole else f"{wide}, wider than the picture", free + out, out)
            tags = [width, *chosen, *self._slack_tags(data, slack, support, across), *classes]
            for sign, color, name in ((-1, self.look.blue, "f = \N{MINUS SIGN}1"), (1, self.look.red, "f = +1")):
                ends = seen(self.ax, line + sign * across)
                if len(ends) and np.ptp(ends, axis=0).max() > 0.2 * np.ptp(self.ax.get_xlim()):  # no corner
                    ends = ends[len(ends) // 8 :: len(ends) // 8 or 1]  # a name has room outside the street
                    ends = ends[np.argsort(-np.hypot(*(ends - free).T))]
                    tags.append(Tag(name, ends, sign * across, color))
        if len(way := seen(self.ax, line_ends(self.ax, before))):
            far = np.abs(way @ w + theta[2]).argmax()
            tags.append(Tag("descent", way[far], np.sign(way[far] @ w + theta[2]) * across, self.look.soft))
        self.margin.set_visible(bool(len(along)) and whole)
        self.tags.show(tags)
        return self

    def _slack_tags(self, data: Dataset, slack: Floats, support: NDArray[np.intp], across: Floats) -> list[Tag]:
        """The largest slack, and one of the support vectors on the edge."""
        tags = []
        if slack.max(initial=0.0) > 1e-6:
            i = int(slack.argmax())
            tags.append(Tag(f"ξ = {number(slack[i])}", data.X[i], -data.y[i] * across, self.look.green))
        if len(support):
            first = support[np.argsort(slack[support])[:8]]
            tags.append(Tag("support vector", data.X[first], data.y[first[0]] * across))
        return tags

    def ghosts(self) -> list[Ghost]:
        return [*self.boundary.ghosts(), Ghost(self.ax, places(self.edges), word="")]
