"""What each loss looks like, and the plane with an example far away: what it is charged, how hard it pulls."""

from collections.abc import Mapping
from typing import Any, Self

import numpy as np
from matplotlib.patches import Rectangle
from matplotlib.transforms import Bbox, TransformedBbox

from coursekit.core.dataset import Dataset
from coursekit.core.losses import KNOWN
from coursekit.plots.boundary import Boundaries, DecisionBoundary
from coursekit.plots.marks import NOWHERE, UNDER, Axes, Floats, Plot, Style, Tag, Word, blank

NEAR, GAP = 0.78, 0.02  # of the width: the window around most examples, and what parts it from the other
CALLED = {name: name for name in KNOWN} | {"zero_one": "zero-one", "squared": "least squares"}


def loss_styles(look: Style) -> dict[str, dict[str, Any]]:
    """By loss: the look of its curve and of the line that it finds."""
    return {"zero_one": {"color": look.soft, "ls": "-"},
            "perceptron": {"color": look.ochre, "ls": "-."},
            "hinge": {"color": look.ink, "ls": "-"},
            "logistic": {"color": look.green, "ls": (0, (5, 1.5))},
            "squared": {"color": look.violet, "ls": "-"}}


class FarBoundary(DecisionBoundary):
    """Two windows on one plane: the right one continues the left one until it has to travel with the last example.

    Each loss has its line; the one that is followed is thick, tints the plane and makes wrong examples hollow.
    """

    def __init__(self, ax: Axes, corners: Floats) -> None:
        super().__init__(ax, legend=False, normal=False)
        self.beyond, self.styles = DecisionBoundary(ax, False, False), loss_styles(self.look)
        looks = {name: {**style, "lw": 1.8, "zorder": UNDER, "gid": name} for name, style in self.styles.items()}
        self.beyond.framed, self.rivals = True, [Boundaries(ax, looks) for _ in "12"]
        self.windows = [self.artists + self.rivals[0].artists, self.beyond.artists + self.rivals[1].artists]
        self.artists = [artist for window in self.windows for artist in window]
        self.outwards = self.add_arrow(self.look.ink, 13, lw=1.8)
        self.words, self.names = self.add_words(size=10.5, inside=True), self.add_tags(size=11)
        blank(ax)
        self.frame(self.limits(corners, 0.0))

    def limits(self, X: Floats, room: float = 0.12) -> tuple[float, float, float, float]:
        """All points X, (n, 2), lie in the left window; each axis has its own scale, also where all are equal."""
        low, high = X.min(axis=0) - (flat := np.ptp(X, axis=0) == 0), X.max(axis=0) + flat
        (left, low_), (right, high_) = low - room * (high - low), high + room * (high - low)
        return left, left + (right - left) / NEAR, low_, high_

    def frame(self, limits: tuple[float, float, float, float]) -> None:
        super().frame(limits)
        left, right, low, high = limits
        self.edge, self.start = left + NEAR * (right - left), left + (NEAR + GAP) * (right - left)
        for artists, ends in zip(self.windows, ((left, self.edge), (self.start, right)), strict=True):
            box = TransformedBbox(Bbox(np.column_stack([ends, (low, high)])), self.ax.transData)
            for artist in artists:
                artist.set_clip_box(box)

    def seen_at(self, place: Floats) -> Floats:
        """Where a place of the plane is in the picture, and back with the other sign of `shift`."""
        return place + np.array([self.shift * (place[0] > self.edge), 0.0])

    def meant(self, at: Floats) -> Floats:
        """Which place of the plane is seen there."""
        return at - np.array([self.shift * (at[0] > self.start), 0.0])

    def show_lines(self, data: Dataset, lines: Mapping[str, Floats], followed: str, before: Floats, name: str) -> Self:
        """data: the last is the one far away, and has this name. lines: theta, (3,), by loss. before: of the followed
        one, without it."""
        (left, right), (low, high) = self.ax.get_xlim(), self.ax.get_ylim()
        far, style, last = data.X[-1], self.styles[followed], len(data) - 1
        begins = max(self.edge, float(far[0]) - (right - self.start) / 2)
        self.shift = self.start - begins
        moved = Dataset(data.X + np.array([self.shift, 0]), data.y, data.features, data.classes, data.name)
        for plane, rivals, shown, shift in ((self, self.rivals[0], data, 0.0),
                                            (self.beyond, self.rivals[1], moved, self.shift)):
            here = {one: theta - np.array([0, 0, shift * theta[0]]) for one, theta in {**lines, "": before}.items()}
            plane.show(shown, here[followed], here.pop(""), last)
            plane.line.set(color=style["color"], lw=3.4, gid=followed)
            plane.older.set(color=style["color"])
            rivals.show({one: theta for one, theta in here.items() if one != followed})
        at, (w, h) = self.seen_at(far), (right - left, high - low)
        self.outwards.set_positions((at[0] + 0.022 * w, at[1]), (at[0] + 0.055 * w, at[1]))
        skips = f" skips to {begins:.1f}{'%' * ('%' in data.features[0])}" * bool(begins > self.edge)
        self.words.set_words([Word(self.start, high, skips, "la")])
        across = np.linspace(self.edge - 0.17 * w, left + 0.15 * w, 16)
        tags = [Tag(name, at, (0, 1) if at[1] < low + 0.8 * h else (0, -1))]
        along = np.linspace(left + 0.11 * w, self.edge - 0.12 * w, 11)
        rows = np.array([low + 0.05 * h, low + 0.14 * h, high - 0.24 * h, high - 0.14 * h, high - 0.05 * h])
        corners = np.array([(x, y) for y in rows for x in along])
        sides = np.sign(corners @ lines[followed][:2] + lines[followed][2])
        for label, called, kind in zip((-1, 1), data.classes, self.look.classes, strict=False):
            places = corners[sides == label][::-label]
            tags.append(Tag(f"called {called}", places, color=kind["color"], only=True, area=True))
        ends = [-(theta[0] * self.edge + theta[2]) / (theta[1] or np.nan) for theta in (lines[followed], before)]
        up = -1 if ends[0] < ends[1] else 1  # the two lines' names lie on either side of them
        for one, theta in {followed: lines[followed], "": before, **lines}.items():
            ways = np.column_stack([across, -(theta[0] * across + theta[2]) / (theta[1] or np.nan)])
            ways = ways[(ways[:, 1] > low + 0.06 * h) & (ways[:, 1] < high - 0.06 * h)]
            if len(ways) and not (one == "" and np.allclose(before, lines[followed], rtol=0.01)):
                side = (0, {followed: up, "": -up}.get(one, 1))
                tags.append(Tag(CALLED.get(one, "without it"), ways, side, self.styles[one or followed]["color"]))
        self.names.show(tags)
        return self


class Prices(Plot):
    """Losses over the agreement z: what an example costs at the line without it, hollow, and at the line with it."""

    window, top = (-4.0, 7.4), 10.2

    def make(self, ax: Axes, look: Style) -> None:
        self.styles = loss_styles(look)
        blank(ax, xlim=self.window, ylim=(-1.3, self.top))
        ax.add_patch(Rectangle((self.window[0], 0), -self.window[0], self.top, fc=look.mixed(0.07), lw=0, zorder=0.5))
        ax.axhline(0, color=look.mixed(0.35), lw=1)
        for z, word in ((-2, "wrong"), (0.5, "right"), (4.5, "too right")):
            ax.text(z, -0.35, word, ha="center", va="top", color=look.mixed(0.75), fontsize=10.5)
        across = np.sort(np.append(np.linspace(*self.window, 801), [1e-9, 0.0, 1.0]))
        self.curves, self.before, self.after = {}, {}, {}
        for name, style in self.styles.items():
            color: dict[str, Any] = {"color": style["color"], "gid": name}
            self.curves[name] = self.add_curve(ls=style["ls"], **color)
            self.curves[name].set_data(across, KNOWN[name](across))
            dot = {**color, "mec": style["color"], "mew": 2}
            self.before[name] = self.add_marks("o", 9, mfc=look.paper, zorder=2.2, **dot)
            self.after[name] = self.add_marks("o", 9, zorder=2.3, **dot)
        self.names = self.add_tags(size=11)

    def holds(self, name: str, z: float) -> bool:
        """Whether this place of the curve is seen."""
        return self.window[0] <= z <= self.window[1] and bool(KNOWN[name](z) <= self.top)

    def show(self, before: Mapping[str, float], after: Mapping[str, float], followed: str) -> Self:
        """before, after: the agreement of the example by loss; for others there is no curve."""
        tags, own, right, above = list[Tag](), list[Tag](), 0, 0  # rows of words for what is out of sight
        for name, line in self.curves.items():
            line.set(visible=name in before, lw=2.8 if name == followed else 1.8)
            for dot, z in ((self.before[name], before.get(name)), (self.after[name], after.get(name))):
                dot.set_data(*(NOWHERE if z is None or not self.holds(name, z) else np.array([[z, KNOWN[name](z)]])).T)
        for name, z in before.items():
            cost, color = float(KNOWN[name](z)), self.styles[name]["color"]
            for who, at in (("before", z), ("after", after[name])) if name == followed else ():
                paid = float(KNOWN[name](at))  # out of sight it has no name
                own.append(Tag(f"{who}: {round(paid, 2 - (paid >= 1)):g}", (at, paid), (-1 if at > 1 else 1, 0), color))
            if self.holds(name, z):
                continue
            if cost < 1:
                words, place = f"{CALLED[name]} {f'z = {z:.0f}' if z < 1e5 else 'far out'} →", (4.9, 0.9 + 0.9 * right)
                right += 1
            else:
                who = f"{CALLED[name]} " * (len(before) > 1)  # one alone is told by its color
                words, place = f"{who}before: {cost:.0f} ↑", (1.1, self.top - 0.6 - 0.95 * above)
                above += 1
            tags.append(Tag(words, place, color=color, only=True, area=True))
        self.names.show(tags + own)
        return self


class Pulls(Plot):
    """How hard an example pulls at the line of each loss as it comes, and how many others that line gets wrong."""

    def make(self, ax: Axes, look: Style) -> None:
        ax.set(xlim=(0, 1), ylim=(4.7, -0.1))
        ax.axis("off")
        ax.text(0, 0.3, "its pull", weight="bold", fontsize=10.5, va="center")
        self.styles = loss_styles(look)
        self.arrows = [self.add_arrow(look.ink, 13, lw=2.4) for _ in range(4)]
        self.names, self.counts = self.add_words(size=10.5), self.add_words(size=15)

    def show(self, pulls: Mapping[str, float], wrong: Mapping[str, int], total: int) -> Self:
        """pulls: by loss, negative where it pulls back. wrong: how many of the others, `total`, by loss."""
        words, counts = [Word(1, 0.3, f"wrong of {total}", "rm")], []
        largest = max(8.0, *map(abs, pulls.values()))
        for drawn in self.arrows:
            drawn.set(visible=False)
        for y, drawn, (name, pull) in zip((1.35, 2.35, 3.35, 4.35), self.arrows, pulls.items(), strict=False):
            long = abs(pull)
            tail, tip = 0.43, 0.43 + max(0.25 * long / largest, 0.05)
            drawn.set(visible=long >= 0.05, color=self.styles[name]["color"], gid=name)
            drawn.set_positions(*(((tail, y), (tip, y)) if pull > 0 else ((tip, y), (tail, y))))
            amount = Word(tip + 0.03, y, f"{long:.{int(long < 100)}f}", "lm")
            words += [Word(0, y, CALLED[name], "lm"), amount if long >= 0.05 else Word(tail, y, "nothing", "lm")]
            counts.append(Word(0.99, y, str(wrong[name]), "rm"))
        self.names.set_words(words)
        self.counts.set_words(counts)
        return self
