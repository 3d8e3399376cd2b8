"""The objective over two parameters, seen from above, and a way down through it."""

from __future__ import annotations

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.backend_bases import RendererBase
from matplotlib.colors import to_rgb
from PIL import Image

from coursekit.core.validate import Floats
from coursekit.plots.ghost import Ghost
from coursekit.plots.ruler import Ruler
from coursekit.plots.style import current

Extent = tuple[float, float, float, float]
FAR = 1e6  # a path that diverges leaves the picture; beyond this its pixels would overflow


class Landscape:
    """A function of two parameters as a map (lighter is lower), with the path of a descent on it.

    extent: (x low, x high, y low, y high), the part of the plane that is seen; both axes have one scale.
    The contour lines are closer together near the lowest value: a round bowl has equidistant rings.
    """

    def __init__(self, ax: Axes, extent: Extent) -> None:
        self.ax = ax
        self.ground, look = _Ground(ax), current()
        light = {"color": look.ink, "mec": look.paper}
        (self.ahead,) = ax.plot([], [], color=look.ink, lw=1.0, alpha=0.6, ls=(0, (2, 2)), marker=".", ms=4)
        (self.path,) = ax.plot([], [], lw=1.6, marker="o", ms=4, mew=0.5, **light)
        (self.tried,) = ax.plot([], [], ls="", marker="x", ms=8, mew=1.8, color=look.red)
        (self.start,) = ax.plot([], [], ls="", marker="s", ms=9, mew=1.2, **light)
        (self.now,) = ax.plot([], [], ls="", marker="o", ms=13, mew=1.5, color=look.red, mec=look.paper)
        (self.best,) = ax.plot([], [], ls="", marker="*", ms=10, mec=look.ink, mew=0.7, color=look.star)
        self.artists = [self.ground, self.ahead, self.path, self.tried, self.start, self.now, self.best]
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
        tried: Floats | None = None,
    ) -> Landscape:
        """values: (size * size,), the function at `points`. path: (K+1, 2), row 0 the start.

        now: the current row of the path (the last if None). best: the row to mark with a star.
        tried: (T, 2) points that a search looked at.
        """
        now = len(path) - 1 if now is None else now
        path = np.where(np.abs(path) < FAR, path, np.nan)
        self.ground.set_values(values)
        self.path.set_data(*path[: now + 1].T)
        self.ahead.set_data(*path[now:].T)
        self.start.set_data(*path[:1].T)
        self.now.set_data(*path[now : now + 1].T)
        self.best.set_data(*path[[] if best is None else [best]].T)
        self.tried.set_data(*(np.empty((2, 0)) if tried is None else tried.T))
        return self

    def ghosts(self) -> list[Ghost]:
        """The path as it is, to keep."""
        return [Ghost(self.ax, self.path.get_xydata(), word="")]


class StepCut:
    """The objective along one step: from theta straight along minus the slope, against the step size.

    A dashed line continues the slope at theta: what the step promises. Crosses are step sizes that a
    search tried and refused, the dot is the one taken.
    """

    def __init__(self, ax: Axes) -> None:
        self.ruler, look = Ruler(ax, signed=False), current()
        (self.promise,) = ax.plot([], [], color=look.ink, lw=1.3, ls=(0, (4, 3)))
        (self.curve,) = ax.plot([], [], color=look.blue)
        (self.refused,) = ax.plot([], [], ls="", marker="x", ms=8, mew=1.8, color=look.red)
        (self.taken,) = ax.plot([], [], ls="", marker="o", ms=9, color=look.red, mec=look.paper, mew=1.2)
        self.artists = [*self.ruler.artists, self.promise, self.curve, self.refused, self.taken]

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


class _Ground(Artist):
    """Bands of equal height with lines between them, kept as pixels until the values or the size change."""

    bands = 14

    def __init__(self, ax: Axes) -> None:
        super().__init__()
        ax.add_artist(self)
        self.set_zorder(0)
        self.low, self.high = (np.array(to_rgb(color)) for color in (current().valley, current().summit))
        self._values = np.zeros((1, 1))
        self._pixels = np.zeros((0, 0, 4), np.uint8)

    def set_values(self, values: Floats) -> None:
        size = round(len(values) ** 0.5)
        if self._values.size != len(values) or not np.array_equal(self._values.ravel(), values):
            self._values, self._pixels = values.reshape(size, size), np.zeros((0, 0, 4), np.uint8)
            self.stale = True

    def draw(self, renderer: RendererBase) -> None:
        x, y, *size = (round(v) for v in self.axes.bbox.bounds)
        sharper = renderer.get_image_magnification()  # 1 on the screen, more in a file of vectors
        width, height = (round(sharper * v) for v in size)
        if self._pixels.shape[:2] != (height, width):
            self._pixels = self._painted(width, height)
        gc = renderer.new_gc()
        renderer.draw_image(gc, x, y, self._pixels)
        gc.restore()

    def _painted(self, width: int, height: int) -> np.ndarray:
        low, high = self._values.min(), self._values.max()
        t = self.bands * np.sqrt((self._values - low) / ((high - low) or 1.0))
        fine = np.asarray(Image.fromarray(t.astype(np.float32)).resize((width, height), Image.Resampling.BICUBIC))
        band = np.minimum(fine, self.bands - 0.01).astype(np.int8)  # no specks on a flat top
        edge = np.zeros(band.shape, bool)
        edge[1:] |= band[1:] != band[:-1]
        edge[:, 1:] |= band[:, 1:] != band[:, :-1]
        shade = np.linspace(self.low, self.high, self.bands + 1)
        colours = np.column_stack([np.vstack([shade, 0.82 * shade]), np.ones(2 * self.bands + 2)])
        palette = (255 * colours).astype(np.uint8).view(np.uint32)[:, 0]  # one number a colour is quicker to look up
        return palette[band + (self.bands + 1) * edge].view(np.uint8).reshape(height, width, 4)
