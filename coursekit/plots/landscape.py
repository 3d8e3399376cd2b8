"""The objective over two parameters, seen from above, and who walks there: a descent, a swarm, workers, a learner."""

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from matplotlib.artist import Artist
from matplotlib.backend_bases import RendererBase
from matplotlib.colors import to_rgb
from PIL import Image

from coursekit.core import validate
from coursekit.plots.boundary import Extent, corners, line_ends, within
from coursekit.plots.marks import DASHED, FAR, NOWHERE, Axes, Floats, NDArray, Plot, Tag, Word, blank, joined
from coursekit.plots.panel import legend_above
from coursekit.plots.recorder import Recorder
from coursekit.plots.style import Style, current

SHORTEST = 0.2  # inches, of an arrow: a shorter one would be all head
SPREAD = np.array([(x, y) for x in (0.8, 0.66, 0.5, 0.34, 0.2) for y in (0.06, 0.94, 0.5)])  # of a map


class Landscape(Plot):
    """A function of two parameters as a map (lighter is lower), with the path of a descent on it.

    extent: (x low, x high, y low, y high), the part of the plane that is seen; both axes have one scale.
    The contour lines are closer together near the lowest value: a round bowl has equidistant rings.
    """

    def __init__(self, ax: Axes, extent: Extent) -> None:
        super().__init__(ax)
        self.ground, look = self.add(HeightMap(ax)), self.look
        self.ahead = self.add_curve(color=look.ink, lw=1.0, alpha=0.6, ls=(0, (2, 2)), marker=".", ms=4)
        self.path = self.add_curve(True, lw=1.6, color=look.ink, marker="o", ms=4, mew=0.5, mec=look.paper, gid="walk")
        self.kept, self.kept_as = [self.path], ""
        self.tried = self.add_marks("x", 8, mew=1.8, color=look.red, gid="refused")
        mark: dict[str, Any] = {"mec": look.paper, "in_layout": False}
        self.start = self.add_marks("s", 9, mew=1.2, color=look.ink, gid="start", **mark)
        self.now = self.add_marks("o", 13, mew=1.5, color=look.violet, gid="now", **mark, glides=True)
        self.best = self.add_marks("*", 10, mew=0.7, color=look.star, gid="best", **mark | {"mec": look.ink})
        self.names = self.add_tags()
        self.frame(extent)

    def frame(self, extent: Extent) -> None:
        """Fix what part of the plane is seen."""
        self.extent = extent
        self.ax.set(xlim=extent[:2], ylim=extent[2:], aspect="equal")
        self.ax.apply_aspect()  # how large it will be

    @staticmethod
    def points(extent: Extent, size: int = 60) -> Floats:
        """The (size * size, 2) points where the map needs a value, row by row from the lower left."""
        x, y = np.linspace(*extent[:2], size), np.linspace(*extent[2:], size)
        return np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)

    def show(self, values: Floats, path: Floats, now: int | None = None, best: int | None = None,
             tried: Floats | None = None, name: str = "") -> Self:
        """values: (size * size,), the function at `points`. path: (K+1, 2), row 0 the start. now: the current row (the
        last if None), whose mark is hollow and just inside the edge where its place is not in the picture. best: the
        row to mark with a star, where it is another. tried: (T, 2) points that a search refused. name: of `now`.
        """
        path = validate.shaped("path", path, "K", 2)
        now = len(path) - 1 if now is None else now
        here, (low, high) = path[now : now + 1], np.reshape(self.extent, (2, 2)).T
        outside = not within(here, self.extent)
        rim = outside * 9 / 72 * self.ax.figure.dpi / np.array(self.ax.bbox.size) * (high - low)
        here = np.clip(here, low + rim, high - rim)
        path = np.where(np.abs(path) < FAR, path, np.nan)
        self.now.set(mfc=self.look.paper if outside else self.look.violet, mew=3 if outside else 1.5,
                     mec=self.look.violet if outside else self.look.paper)
        self.ground.set_values(validate.shaped("values", values, "m"))
        self.path.set_data(*path[: now + 1].T)
        self.ahead.set_data(*path[now:].T)
        starred = path[validate.rows("best", None if best == now else best, len(path))]
        for mark, at in ((self.start, path[:1]), (self.now, here), (self.best, starred)):
            mark.set_data(*at.T)
            mark.set_clip_on(not within(at, self.extent))  # whole at the edge, and nothing beyond it
        refused = NOWHERE if tried is None else tried
        self.tried.set_data(*refused.T)
        tags = [Tag("off the map" if outside else name, at, back - at, self.look.violet)
                for at, back in zip(here, path[max(now - 1, 0) :], strict=False)]
        tags += [Tag("start", at) for at in path[:1] if now]
        tags += [Tag("lowest so far", at) for at in starred]
        self.names.show([*tags, *(Tag("refused", at, color=self.look.red) for at in refused[-1:])])
        return self


class HeightMap(Artist):
    """Bands of equal height with lines between them, the lowest lightest; all over the axes."""

    bands = 14

    def __init__(self, ax: Axes) -> None:
        super().__init__()
        self.ax = ax
        ax.add_artist(self)
        self.set_zorder(0)
        self.palettes = [self.colors(look) for look in (current(), current().twin)]
        self._values: Floats = np.zeros((1, 1))

    def set_values(self, values: Floats) -> None:
        """values: (size * size,), row by row from the lower left."""
        size = round(len(values) ** 0.5)
        if not size or size**2 != len(values):
            raise ValueError(f"values must have one entry for each place of a square map (60 x 60: 3600); "
                             f"got {len(values)}")
        if not np.array_equal(self._values.ravel(), values):
            self._values, self.stale = values.reshape(size, size), True

    def colors(self, look: Style) -> NDArray[np.uint32]:
        """Those of the bands, then those of the lines: one number a color is quicker to look up."""
        shade = np.linspace(to_rgb(look.valley), to_rgb(look.summit), self.bands + 1)
        colors = np.column_stack([np.vstack([shade, 0.82 * shade]), np.ones(2 * self.bands + 2)])
        return (255 * colors).astype(np.uint8).view(np.uint32)[:, 0]

    @property
    def heights(self) -> Floats:
        """In bands from 0."""
        low, high = self._values.min(), self._values.max()
        return np.asarray(self.bands * np.sqrt((self._values - low) / ((high - low) or 1.0)))

    def draw(self, renderer: RendererBase) -> None:
        if not self.get_visible():
            return
        gc = renderer.new_gc()
        if isinstance(renderer, Recorder):
            renderer.field(gc, self.ax.bbox.bounds, self.heights[::-1], *self.palettes)
            return
        x, y, *size = (round(v) for v in self.ax.bbox.bounds)
        sharper = renderer.get_image_magnification()  # pixels for each one of the screen, more in a file of vectors
        width, height = (round(sharper * v) for v in size)
        colors = self.palettes[0][self.paint(width, height)]
        renderer.draw_image(gc, x, y, colors.view(np.uint8).reshape(height, width, 4))
        gc.restore()

    def paint(self, width: int, height: int) -> NDArray[np.uint8]:
        """Which of its colors each pixel has, the lowest row first."""
        heights = Image.fromarray(self.heights.astype(np.float32))
        fine = np.asarray(heights.resize((width, height), Image.Resampling.BICUBIC))
        band = np.minimum(fine, self.bands - 0.01).astype(np.uint8)  # no specks on a flat top
        edge = np.zeros(band.shape, bool)
        edge[1:] |= band[1:] != band[:-1]
        edge[:, 1:] |= band[:, 1:] != band[:, :-1]
        return band + np.uint8(self.bands + 1) * edge


class ExampleEdge(Plot):
    """The line y theta . x = 1 in the plane of theta; on its side where this example's hinge loss is 0, it is told."""

    def make(self, ax: Axes, look: Style) -> None:
        self.edge = self.add_curve(color=look.pink, lw=2.2, ls=(0, (5, 2)), gid="edge")
        self.names = self.add_tags(size=11)

    def show(self, z: Floats | None, name: str = "") -> Self:
        """z: y x of the example, (2,); no line where it is None or 0. name: what is told."""
        ends = line_ends(self.ax, None if z is None else np.append(validate.shaped("z", z, 2), -1.0))
        self.edge.set_data(*ends.T)
        low, high = corners(self.ax)
        beyond = [at for at in low + SPREAD * (high - low) if len(ends) and at @ z > 1]
        self.names.show([Tag(name, beyond, area=True, only=True)] * bool(beyond))
        return self


class Swarm(Plot):
    """Where many walkers are, as dots, and a ring; what is told stands above the map, beside or below its title."""

    def make(self, ax: Axes, look: Style) -> None:
        self.dots = self.add_marks("o", 4.5, color=look.ink, mew=0, alpha=0.5, zorder=1.97, glides=True, gid="walkers")
        self.ring = self.add_marks("o", 15, mfc="none", mec=look.red, mew=2.6, gid="kept")
        self.count = self.add_words(ax.transAxes, size=10)

    def show(self, thetas: Floats, ringed: Floats, told: str) -> Self:
        """thetas: (m, 2). ringed: (r, 2). told: what is written above."""
        self.dots.set_data(*thetas.T)
        self.ring.set_data(*ringed.T)
        beside = self.ax.bbox.width > 5 * self.ax.figure.dpi
        self.count.set_words([Word(1, 1.03, told, "rd") if beside else Word(0, 1.03, told, "ld")])
        return self


class Fan(Plot):
    """Where each of several steps would lead from theta, and an arrow to the mean of them all."""

    def make(self, ax: Axes, look: Style) -> None:
        rays: dict[str, Any] = {"markevery": (1, 3), "gid": "pulls"}
        self.rays = [self.add_curve(**one, lw=1.1, alpha=0.6, ms=4.5, mec=look.paper, mew=0.3, **rays)
                     for one in look.classes[:2]]
        self.mixed = self.add_curve(color=look.soft, lw=1.0, alpha=0.7, marker="o", ms=3.5, **rays)
        self.mean = self.add_arrow(look.ink, 18, lw=3.2, zorder=2.7, gid="mean")
        self.names = self.add_tags(size=11)

    def show(self, theta: Floats, ends: Floats, y: Floats, mean: Floats | None) -> Self:
        """theta: (2,). ends: (m, 2). y: (m,), the class of each, 0 for a mixture. mean: (2,), None for no arrow."""
        for label, line in zip((-1, 1, 0), (*self.rays, self.mixed), strict=True):
            line.set_data(*joined([theta, end] for end in ends[y == label] if (end != theta).any()).T)
        tip = theta if mean is None else mean
        long = np.hypot(*np.subtract(*self.ax.transData.transform([tip, theta]))) > SHORTEST * self.ax.figure.dpi
        self.mean.set_visible(bool(long))
        self.mean.set_positions(tuple(theta), tuple(tip))
        self.names.show([Tag("their mean", tip, tip - theta)] * bool(long))
        return self


class LocalAnswers(Plot):
    """The walk of every worker to its theta, which is tied to their average; and two sequential runs."""

    def make(self, ax: Axes, look: Style) -> None:
        self.walks = self.add_curve(color=look.ink, lw=0.8, alpha=0.3)
        self.rays = self.add_curve(color=look.blue, lw=1.1, ls=DASHED)
        self.kept, self.kept_as = [self.rays], ""
        self.local = self.add_marks("o", 7, color=look.blue, mfc=look.paper, mew=1.6)
        self.as_long = self.add_marks("s", 8, color=look.red, mec=look.paper)
        self.as_much = self.add_marks("D", 8, color=look.ink, mec=look.paper)
        self.average = self.add_marks("o", 12, color=look.blue, mec=look.paper, mew=1.0)
        legend_above(ax, [self.local, self.average, self.as_long, self.as_much],
                     ["alone on a shard", "mean of these", "one worker, same time", "one worker, same work"])
        self.far = self.add_words(ax.transAxes, size=10)

    def show(self, walks: Sequence[Floats], average: Floats, as_long: Floats, as_much: Floats) -> Self:
        """walks: (K+1, 2) for every worker, its theta last. The others: one theta (2,) each."""
        local = np.array([walk[-1] for walk in walks])
        self.walks.set_data(*joined(walks).T)
        self.rays.set_data(*joined([average, theta] for theta in local).T)
        self.local.set_data(*local.T)
        for artist, theta in ((self.average, average), (self.as_long, as_long), (self.as_much, as_much)):
            artist.set_data(theta[:1], theta[1:])
        answers, (low, high) = np.vstack([local, average, as_long, as_much]), corners(self.ax)
        outside = int(((answers < low) | (answers > high)).any(axis=1).sum())
        self.far.set_words([Word(0.99, 0.975, f"{outside} of {len(answers)} answers outside", "ra")] * bool(outside))
        return self


def journey(ax: Axes, titles: Sequence[str], done: Sequence[float], here: int | None = None) -> None:
    """The course as a map: stations on one way down into a valley, one for each title.

    done: how much of each is filled, 0 to 1. here: the station where one goes on. None once everything is done.
    """
    look, n = current(), len(titles)
    x1, x2 = np.meshgrid(np.linspace(-1, 1, 301), np.linspace(-0.02, 1, 301))
    blank(ax, xlim=(-1, 1), ylim=(-0.02, 1))
    depth = 3 * x1**2 + (x2 + 0.04) ** 2 + 0.08 * np.sin(9 * x2) * x1
    ax.contour(x1, x2, depth, np.geomspace(0.02, 6, 16), colors=look.mixed(0.22), linewidths=0.8)
    places = np.column_stack([0.07 * (-1.0) ** np.arange(n), 1 - (np.arange(n) + 0.6) / (n + 0.2)])
    ax.plot(*places.T, color=look.ink, lw=1.4, ls=DASHED)
    for k, (place, title, share) in enumerate(zip(places, titles, done, strict=True)):
        ax.plot(*place, "o", ms=13, mfc=look.paper, mec=look.ink, mew=1.4, zorder=3)
        if share > 0:
            part = [(0.0, 0.0), *((np.sin(a), np.cos(a)) for a in np.linspace(0, 2 * np.pi * min(share, 1), 40))]
            ax.plot(*place, marker=np.array(part), ms=9, mfc=look.green, mec="none", zorder=3.1)
        if k == here:
            ax.plot(*place, "o", ms=19, mfc="none", mec=look.red, mew=2.2, zorder=3)
        side = np.sign(place[0])
        ax.annotate(
            f"{k + 1}  {title}" if side > 0 else f"{title}  {k + 1}", place, (12 * side, 0), textcoords="offset points",
            ha="left" if side > 0 else "right", va="center", weight="bold" if k == here else "normal",
        ).set_bbox({"facecolor": look.paper, "edgecolor": "none", "alpha": 0.8, "pad": 1.0})
