"""The objective over two parameters, seen from above, and a path down through it."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes

from coursekit.core.validate import Floats
from coursekit.plots import check
from coursekit.plots.ghost import Ghost
from coursekit.plots.marks import FAR, NOWHERE, Plot, curve, marks, places
from coursekit.plots.pixels import Extent, HeightMap, within
from coursekit.plots.tags import Tag, Tags


class Landscape(Plot):
    """A function of two parameters as a map (lighter is lower), with the path of a descent on it.

    extent: (x low, x high, y low, y high), the part of the plane that is seen; both axes have one scale.
    The contour lines are closer together near the lowest value: a round bowl has equidistant rings.
    """

    def __init__(self, ax: Axes, extent: Extent) -> None:
        super().__init__(ax)
        self.ground, look = self.add(HeightMap(ax)), self.look
        self.ahead = self.add(curve(ax, color=look.ink, lw=1.0, alpha=0.6, ls=(0, (2, 2)), marker=".", ms=4))
        self.path = self.add(curve(ax, lw=1.6, marker="o", ms=4, mew=0.5, color=look.ink, mec=look.paper), glides=True)
        self.tried = self.add(marks(ax, "x", 8, mew=1.8, color=look.red))
        self.start = self.add(marks(ax, "s", 9, mew=1.2, color=look.ink, mec=look.paper, in_layout=False))
        ball = marks(ax, "o", 13, mew=1.5, color=look.violet, mec=look.paper, in_layout=False)
        self.now = self.add(ball, glides=True)
        self.best = self.add(marks(ax, "*", 10, mec=look.ink, mew=0.7, color=look.star, in_layout=False))
        self.names = self.add(Tags(ax))
        for name, artist in {"walk": self.path, "start": self.start, "now": self.now, "best": self.best,
                             "refused": self.tried}.items():
            artist.set_gid(name)
        self.frame(extent)

    def frame(self, extent: Extent) -> None:
        """Fix what part of the plane is seen."""
        self.extent = extent
        self.ax.set(xlim=extent[:2], ylim=extent[2:], aspect="equal")

    @staticmethod
    def points(extent: Extent, size: int = 60) -> Floats:
        """The (size * size, 2) points where the map needs a value, row by row from the lower left."""
        x, y = np.linspace(*extent[:2], size), np.linspace(*extent[2:], size)
        return np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)

    def show(
        self, values: Floats, path: Floats, now: int | None = None, best: int | None = None,
        tried: Floats | None = None, name: str = "",
    ) -> Landscape:
        """values: (size * size,), the function at `points`. path: (K+1, 2), row 0 the start.

        now: the current row of the path (the last if None). best: the row to mark with a star, where it is another.
        tried: (T, 2) points that a search refused. name: of the current row; then all marks are named.
        """
        path = check.shaped("path", path, "K", 2)
        now = len(path) - 1 if now is None else now
        path = np.where(np.abs(path) < FAR, path, np.nan)
        self.ground.set_values(check.shaped("values", values, "m"))
        self.path.set_data(*path[: now + 1].T)
        self.ahead.set_data(*path[now:].T)
        starred = path[check.rows("best", None if best == now else best, len(path))]
        for mark, at in ((self.start, path[:1]), (self.now, path[now : now + 1]), (self.best, starred)):
            mark.set_data(*at.T)
            mark.set_clip_on(not within(at, self.extent))  # whole at the edge, and nothing beyond it
        refused = NOWHERE if tried is None else tried
        self.tried.set_data(*refused.T)
        if name:
            look, back = self.look, path[max(now - 1, 0)] - path[now]
            tags = [Tag(name, path[now], back, look.violet)]
            tags += [Tag("start", path[0])] if now else []
            tags += [Tag("lowest so far", at) for at in starred]
            tags += [Tag("refused", at, color=look.red) for at in refused[-1:]]
            self.names.show(tags)
        return self

    def ghosts(self) -> list[Ghost]:
        """The path as it is, to keep."""
        return [Ghost(self.ax, places(self.path), word="")]


class ExampleEdge(Plot):
    """The line y theta . x = 1 in the plane of theta: beyond it this example's hinge loss is 0. Told in a corner."""

    def __init__(self, ax: Axes) -> None:
        super().__init__(ax)
        look = self.look
        self.edge = self.add(curve(ax, color=look.pink, lw=2.2, ls=(0, (5, 2))))
        self.name = self.add(ax.text(0.99, 0.03, "", ha="right", size=11, transform=ax.transAxes, zorder=3,
                                     bbox={"fc": look.paper, "alpha": 0.8, "lw": 0, "pad": 1.5}))
        for artist in (self.edge, self.name):
            artist.set_gid("edge")

    def show(self, z: Floats | None, name: str = "") -> ExampleEdge:
        """z: y x of the example, (2,); no line where it is None or 0. name: what is told."""
        z = np.zeros(2) if z is None else check.shaped("z", z, 2)
        self.name.set_text(name if z.any() else "")
        if not z.any():
            self.edge.set_data(*NOWHERE.T)
            return self
        foot, along = z / (z @ z), 100 * np.array([-z[1], z[0]]) / np.hypot(*z)
        self.edge.set_data(*np.array([foot - along, foot + along]).T)
        return self
