"""Planes of parameters: what examples ask of weights and how a run moves; which steps with momentum arrive."""

from typing import Any, NamedTuple, Self

import numpy as np
from matplotlib.colors import to_rgba

from coursekit.core.datasets import Dataset
from coursekit.core.text import number
from coursekit.plots.boundary import Extent, corners, line_ends
from coursekit.plots.lettering import Word, renderer_of
from coursekit.plots.marks import NOWHERE, Axes, Floats, Plot, blank, joined
from coursekit.plots.style import Style, grays
from coursekit.plots.tags import Tag, overlaps

AROUND = np.array([-1.0, -1.0, 1.0, 1.0])  # a place as a box, (left, low, right, high)


class WeightSpace(Plot):
    """The plane of weights (theta_1, theta_2) for one offset: theta is a point, each example a constraint.

    Example i is right on one side of the line w . x_i = -offset. The lines cut the plane into cells; the number in a
    cell says how many examples are misclassified there: the more, the darker. frame(limits) fixes what is seen.
    """

    size = 80

    def make(self, ax: Axes, look: Style) -> None:
        shade: dict[str, Any] = {"origin": "lower", "interpolation": "nearest", "aspect": "auto", "zorder": 0.5}
        self.shade = self.add(ax.imshow(np.zeros((self.size, self.size)), cmap=grays(), vmin=0, alpha=0.6, **shade))
        self.constraints = [self.add_curve(color=color, lw=0.8, ls=dash, alpha=0.8)
                            for color, dash in ((look.blue, "--"), (look.red, "-"))]
        self.chosen = self.add_curve(color=look.ink, lw=1.8)
        self.allowed = self.add_arrow(look.ink, 10, lw=1.8)
        self.numbers = self.add_words(size=11)
        self.step = self.add_arrow(look.green, 11, lw=2.0, ls="--")
        self.tip = self.add_marks("o", 11, mfc=look.paper, mec=look.ink, mew=2.0, zorder=2.3, glides=True)
        self.here = self.add_tags(size=15)
        self.frame((-1.0, 1.0, -1.0, 1.0))

    def frame(self, limits: Extent) -> None:
        """Fix what part of the plane is seen: (theta_1 from, to, theta_2 from, to)."""
        self.ax.set(xlim=limits[:2], ylim=limits[2:])
        self.shade.set_extent(limits)
        low, high = corners(self.ax)
        self.grid = low + (high - low) * np.mgrid[0.5 : self.size, 0.5 : self.size][::-1].reshape(2, -1).T / self.size

    def show(self, data: Dataset, theta: Floats, after: Floats | None = None, chosen: int = -1) -> Self:
        """theta, after: (3,), now and after a step. chosen: the example whose line is thick; -1: none."""
        w, (low, high) = theta[:2], corners(self.ax)
        found, wrong = cells(data.X, data.y, theta[2], self.grid)
        self.shade.set_data(wrong.reshape(self.size, self.size))
        self.shade.set_clim(0, len(data))
        pixels = np.abs(self.ax.transData.transform((1, 1)) - self.ax.transData.transform((0, 0))).min()
        lines = [line_ends(self.ax, np.append(x, theta[2])) for x in data.X]
        for constraints, label in zip(self.constraints, (-1, 1), strict=True):
            constraints.set_data(*joined(lines[i] for i in np.flatnonzero(data.y == label)).T)
        errors = int(np.sum(data.y * (data.X @ w + theta[2]) <= 0))
        self.numbers.set_words([])
        self.here.show([Tag(f"{errors} wrong", w, (1, 1))])
        word, room = self.here.boxes(renderer_of(self.ax))[0], 0.09 * self.ax.figure.dpi
        tip, *at = np.tile(self.ax.transData.transform([w, *(cell.place for cell in found)]), 2) + room * AROUND
        taken = overlaps(np.array(at), np.array([tip, word]))
        self.numbers.set_words(Word(cell.place[0], cell.place[1], f"{cell.wrong}", "mm")
                               for cell, by in zip(found, taken, strict=True) if cell.room * pixels > room and not by)
        self.chosen.set_data(*(lines[chosen] if chosen >= 0 else NOWHERE).T)
        self.allowed.set_visible(chosen >= 0)
        if chosen >= 0:
            x, long = data.X[chosen], max(float(np.hypot(*data.X[chosen])), 1e-9)
            start = w - (w @ x + theta[2]) / long**2 * x
            reach = 0.1 * (high - low).min() * data.y[chosen] / long * x
            self.allowed.set_positions(tuple(start), tuple(start + reach))
        self.tip.set_data(*w[:, None])
        self.step.set_visible(after is not None)
        if after is not None:
            self.step.set_positions(tuple(w), tuple(after[:2]))
        return self


class Cell(NamedTuple):
    place: Floats  # (2,), where it is widest
    room: float  # from there to the nearest line
    wrong: int  # how many examples are misclassified there


def cells(X: Floats, y: Floats, offset: float, weights: Floats) -> tuple[list[Cell], Floats]:
    """The cells into which the examples cut the plane of weights with this offset, and the errors at each weight.

    X: (n, 2). y: (n,), labels -1 and +1. weights: (m, 2), where it is looked. The errors: (m,).
    """
    agreements = y * (weights @ X.T + offset)
    right = agreements > 0
    wrong = (~right).sum(axis=1)
    room = np.abs(agreements / np.maximum(np.hypot(*X.T), 1e-9)).min(axis=1)
    room = np.minimum(room, np.abs(weights - weights.min(axis=0)).min(axis=1))
    room = np.minimum(room, np.abs(weights.max(axis=0) - weights).min(axis=1))
    sides = np.packbits(right, axis=1)
    names = sides.view(f"V{sides.shape[1]}")[:, 0].tolist()
    first: dict[bytes, int] = {}
    for k in np.argsort(-room, kind="stable").tolist():
        first.setdefault(names[k], k)
    return [Cell(weights[k], float(room[k]), int(wrong[k])) for k in first.values()], wrong.astype(float)


class Reach(Plot):
    """How far theta reaches along theta*: its projection to the right, the rest of it upward, a dot for each before.

    frame(far, high) fixes what is seen: projections and rests up to these. Where far is 0 there is no theta*.
    """

    def make(self, ax: Axes, look: Style) -> None:
        ax.axis("off")
        self.star = self.add_arrow(look.soft, 12, lw=1.4, ls="--", gid="star")
        self.path = self.add_curve(color=look.soft, lw=0.8, marker=".", ms=5, glides=True)
        self.ray = self.add_curve(color=look.soft, lw=1.2, ls=(0, (2, 2)), glides=True)
        bar: dict[str, Any] = {"color": look.green, "lw": 9, "solid_capstyle": "butt", "gid": "projection"}
        self.cast = self.add_curve(alpha=0.55, glides=True, **bar)
        self.push = self.add_curve(**bar)
        self.arrow = self.add_arrow(look.ink, 15, lw=2.4, zorder=2.2, gid="theta", glides=True)
        self.words = self.add_words(size=10.5, inside=True)
        self.names = self.add_tags(size=12)

    def frame(self, far: float, high: float) -> None:
        """Both directions are on one scale."""
        title = "How far θ has come toward θ*,\na line" if far else "There is no θ*,\nno line"
        self.ax.set_title(f"{title} without a mistake", loc="left", size=11, weight="bold")
        box = self.ax.get_window_extent()
        width = max(1.2 * far, high / 0.62 * box.width / box.height, 1e-9)
        height = width * box.height / box.width
        self.ax.set(xlim=(-0.04 * width, 0.96 * width), ylim=(-0.28 * height, 0.72 * height))
        self.star.set_positions((0, 0), (0.94 * width, 0))
        self._some = far > 0

    def show(self, along: Floats, rest: Floats) -> Self:
        """along, rest: (k + 1,), of theta after 0, 1, ..., k mistakes."""
        x, y, low = float(along[-1]), float(rest[-1]), self.ax.get_ylim()[0]
        for artist in self.artists:
            artist.set_visible(self._some and (len(along) > 1 or artist in (self.star, self.words)))
        self.path.set_data(along, rest)
        self.ray.set_data([x, x], [y, 0])
        self.cast.set_data([0, x], [0, 0])
        self.push.set_data(along[-2:], [0, 0])
        self.arrow.set_positions((0, 0), (x, y))
        self.words.set_words([Word(x / 2, 0.28 * low, f"projection: {number(x)} so far", "ma")])
        self.names.show([Tag("θ", (x, y), (x, y)), Tag("θ*", (0.98 * self.ax.get_xlim()[1], 0), (0, 1))])
        return self


class StepLand(Plot):
    """The plane of step size and momentum: a land of pairs that arrive, the darker the faster; its best place a star.

    To the right it counts step size times the largest curvature: then its shore is always the same line.
    """

    levels = (1.0, 0.96, 0.92, 0.88, 0.84, 0.8, 0.76, 0.6, 0.4, 0.2)  # at most so much of the error is left by a step
    shares = (0.1, 0.18, 0.27, 0.36, 0.46, 0.57, 0.68, 0.78, 0.88, 0.95)  # of the green, for each
    extent = (0.0, 4.8, 0.0, 1.0)

    def make(self, ax: Axes, look: Style) -> None:
        blank(ax, xlim=self.extent[:2], ylim=self.extent[2:], facecolor=look.mixed(0.08))
        self.areas = [self.add_area(color=look.mixed(share, look.green)) for share in self.shares]
        ax.plot([2, 4], [0, 1], color=look.ink, lw=1.6, gid="shore")
        self.star = self.add_marks("*", 15, mfc=look.paper, mec=look.ink, mew=1, gid="best", clip_on=False)
        point: dict[str, Any] = {"mec": look.ink, "zorder": 2.5, "clip_on": False, "gid": "point", "glides": True}
        self.rings = [self.add_marks("o", 14, mfc=look.paper, mew=2.8, **point),
                      self.add_marks("o", 5, mfc=look.ink, mew=0, **point)]
        ax.set_xlabel("step size η →", loc="right")
        ax.set_ylabel("momentum →", loc="top")
        self.limit, self.names = self.add_words(size=10), self.add_tags(size=11)

    def show(self, curvatures: Floats, eta: float, momentum: float) -> Self:
        """curvatures: (2,), the smaller first."""
        ratio, self.high = float(curvatures[1] / curvatures[0]), (high := float(curvatures[1]))
        for area, left in zip(self.areas, self.levels, strict=True):
            lower, upper = ratio * (1 - left), 1 + left
            cut = max(0.0, (lower - upper) / (lower + upper))  # below this momentum / left the two directions disagree
            area.set_visible(cut < left)
            (x0, x1), (x2, x3) = ((lower * (1 - m), upper * (1 + m)) for m in (cut, left))
            area.set_xy([(x0, left * cut), (x1, left * cut), (x3, left**2), (x2, left**2)])
        root = np.sqrt(ratio)
        best = 4 / (1 + 1 / root) ** 2, ((root - 1) / (root + 1)) ** 2
        self.star.set_data(*np.reshape(best, (2, 1)))
        for ring in self.rings:
            ring.set_data([min(eta * high, self.extent[1])], [momentum])
        self.names.show([Tag(f"best: leaves {np.sqrt(best[1]):.2g}", best, (1, -0.2)),
                         Tag("arrives", [(0.62, 0.94), (2.6, 0.94)], area=True, only=True),
                         Tag("flies off", [(3.7, 0.12), (4.0, 0.3)], color=self.look.mixed(0.7), area=True, only=True)])
        marks = [Word(at, -0.05, f"{at / high:.3g}", "ma") for at in (2, best[0]) if at == 2 or at > 2.8]
        self.limit.set_words([*marks, Word(0.06, 0.5, "0.5", "lm")])
        return self


class ErrorBars(Plot):
    """How much of the error in one direction is left after 0, 1, 2, ... steps, in units of where it began."""

    steps, top = 12, 1.4

    def __init__(self, ax: Axes, color: str, name: str) -> None:
        super().__init__(ax)
        look = self.look
        self.color, self.name = getattr(look, color), name
        ax.set(xlim=(-0.6, self.steps + 0.6), ylim=(0, 1.2 * self.top), xticks=[], yticks=[])
        ax.spines["left"].set_visible(False)
        ax.axhline(1, color=look.ink, lw=1, ls=":")
        self.bars = [self.add(bar, glides=True) for bar in ax.bar(range(self.steps + 1), 0, 0.74, gid=name)]
        self.beyond = self.add_marks("^", 6, color=look.paper)
        self.words = self.add_words(size=10.5)

    def show(self, errors: Floats, leaves: float, done: int, told: bool) -> Self:
        """errors: (n,). leaves: of the error, by a step in the long run. done: bars of later steps are paler.

        A bar that is higher than the picture has an arrow.
        """
        color = self.color if leaves < 1 else self.look.red
        for t, bar in enumerate(self.bars):
            bar.set_height(min(abs(errors[t]) / abs(errors[0]), self.top) if t < len(errors) else 0)
            bar.set_facecolor(to_rgba(color if t <= done else self.look.mixed(0.35, color)))
        cut = np.flatnonzero(np.abs(errors[: len(self.bars)]) > self.top * abs(errors[0]))
        self.beyond.set_data(cut, np.full(len(cut), 0.93 * self.top))
        words = f"{'leaves' if leaves < 1 else 'times'} {leaves:.2f}"
        self.words.set_words([Word(self.steps + 0.5, 1.2 * self.top, words, "ra")] if told else [])
        return self
