"""The plane with two classes and the line between them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

import numpy as np
from contourpy import contour_generator
from matplotlib.legend import Legend
from matplotlib.lines import Line2D
from matplotlib.patches import FancyArrow
from matplotlib.path import Path

from coursekit.core import validate
from coursekit.core.dataset import Dataset, signed
from coursekit.plots.marks import DASHED, NOWHERE, ArrayLike, Axes, Floats, Plot, Tag, joined, show_classes
from coursekit.plots.panel import legend_above

CELLS = 160  # places of the plane each way, where a rule other than a line is asked
LARGEST = 1e300  # score
Extent = tuple[float, float, float, float]  # x low, x high, y low, y high


class DecisionBoundary(Plot):
    """Two-dimensional data, the line theta . (x, 1) = 0, its two half planes and its normal.

    Misclassified examples (y f <= 0) are hollow. The legend names the classes of the data.
    normal: False where something else shows which side is positive. tags: names beside examples, for a legend.
    corners: (n, 2), places that are just in view whatever the data are; None: all examples first shown, with some room.
    """

    def __init__(self, ax: Axes, legend: bool = True, normal: bool = True, tags: bool = False,
                 corners: Floats | None = None) -> None:
        super().__init__(ax)
        look, self.framed = self.look, False
        self.sides = [self.add_shape(fc=look.classes[c]["color"], alpha=look.tints[c], glides=True) for c in (0, 1)]
        self.older = self.add_curve(color=look.ink, lw=1.3, ls=DASHED, alpha=0.7, gid="before")
        self.line = self.add_curve(color=look.ink, lw=2.2, gid="line", glides=True)
        self.kept = [self.line]
        arrow = FancyArrow(0, 0, 0, 0, width=0, color=look.ink, lw=1.5, visible=False)
        self.normal = self.add_patch(arrow, glides=True) if normal else None
        self.points = self.add_classes()
        self.wrong = self.add_classes(hollow=True, gid="wrong")
        self.ring = self.add_ring(16, 1.8, gid="example")
        self.legend: Legend | None = None
        self.tags, self._tagged = self.add_tags(), tags
        if legend and not tags:
            hollow = Line2D([], [], ls="", marker="o", mfc=look.paper, mec=look.ink, mew=1.7)
            self.legend = legend_above(ax, [*self.points, hollow], ["-1", "+1", "misclassified"])
        if corners is not None:
            self.frame(self.limits(corners, 0.0))

    def limits(self, X: Floats, room: float = 0.12) -> Extent:
        """(x low, x high, y low, y high) that hold the points X, (n, 2), with some room, both axes on one scale."""
        X = validate.shaped("X", X, "n", 2)
        if not len(X):
            raise ValueError("X must hold at least one point; got none")
        low, high = X.min(axis=0), X.max(axis=0)
        box = self.ax.get_window_extent()
        size = (1 + 2 * room) * (high - low)
        scale = max(size[0] / box.width, size[1] / box.height) or 1.0
        (cx, cy), (w, h) = (low + high) / 2, (scale * box.width / 2, scale * box.height / 2)
        return cx - w, cx + w, cy - h, cy + h

    def frame(self, limits: Extent) -> None:
        """Fix what part of the plane is seen. Done by show() when it has not been called."""
        self.ax.set(xlim=limits[:2], ylim=limits[2:])
        self.framed = True

    def show(self, data: Dataset | tuple[ArrayLike, ArrayLike], theta: Any = None, before: Floats | None = None,
             now: ArrayLike | None = None) -> Self:
        """data: two features, labels -1 and +1; or a pair (X, y) with any two labels. theta: (3,), offset last; no line
        where its weights are 0. Instead, what was learned: a result of the course, or any estimator with `predict`,
        fitted to these labels, such as scikit-learn's nearest neighbors.

        before: an older theta, drawn dashed. now: index, or indices, of examples to ring.
        Raises ValueError for data with more features or classes, for other shapes of theta and other predictions.
        """
        data, rule = two_classes(data), None
        if hasattr(theta, "predict"):
            line = np.asarray(getattr(theta, "theta", ()))
            rule, theta = (None, np.append(line, 0.0)[:3]) if line.shape in ((2,), (3,)) else (theta, None)
        theta, before = (None if t is None else validate.shaped(name, t, 3)
                         for name, t in (("theta", theta), ("before", before)))
        ringed = validate.rows("now", now, len(data))
        if not self.framed:
            self.frame(self.limits(data.X))
        for text, name in zip(self.legend.get_texts() if self.legend else (), data.classes, strict=False):
            text.set_text(name)
        show_classes(self.points, data.X, data.y)
        self._show_line(theta)
        if rule is not None:
            self._show_rule(rule, data.classes)
        self.older.set_data(*line_ends(self.ax, before).T)
        line = np.zeros(3) if theta is None else theta
        scores = data.X @ line[:2] + line[2] if rule is None else signs(rule, data.X, data.classes)
        agreements = data.y * scores
        wrong = (agreements <= 0) & (line.any() or rule is not None)
        show_classes(self.wrong, data.X[wrong], data.y[wrong])
        self.ring.set_data(*data.X[ringed].T)
        self.noun = "email" if data.name == "mails" else "example"
        if self._tagged:
            names = [Tag(f"{self.noun} {i}", data.X[i]) for i in ringed] if len(ringed) == 1 else []
            worst = np.argsort(agreements)[: min(int(wrong.sum()), 16)]
            names += [Tag("misclassified", data.X[worst])] if wrong.any() else []
            self.tags.show([*names, *self.class_tags(data, agreements)])
        return self

    def class_tags(self, data: Dataset, agreements: Floats) -> list[Tag]:
        """The name of each class at one of its examples in view which lie deepest on the right side."""
        low, high = corners(self.ax)
        seen, found = ((low < data.X) & (high > data.X)).all(axis=1), []
        for label, name, style in zip((-1, 1), data.classes, self.look.classes, strict=False):
            own = np.flatnonzero(seen & (data.y == label))
            if len(own):
                at = data.X[own[np.argsort(-agreements[own])[:8]]]
                found.append(Tag(name, at, at[0] - data.X.mean(axis=0), style["color"]))
        return found

    def _show_rule(self, rule: Any, classes: tuple[str, ...]) -> None:
        """What a rule gives to each class, and the border between."""
        x, y = (np.linspace(*ends, CELLS) for ends in (self.ax.get_xlim(), self.ax.get_ylim()))
        places = np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)
        scores = signs(rule, places, classes)
        if hasattr(rule, "decision_function"):
            found = np.asarray(rule.decision_function(places))
            scores = found if found.shape == scores.shape else scores
        scores = np.clip(scores, -LARGEST, LARGEST).reshape(CELLS, CELLS)
        contours: Any = contour_generator(x, y, scores, fill_type="OuterCode")
        for side, levels in zip(self.sides, ((-LARGEST, 0.0), (0.0, LARGEST)), strict=True):
            corners, codes = contours.filled(*levels)
            side.set_path(Path(np.vstack([NOWHERE, *corners]), np.concatenate([[], *codes])))
            side.set_visible(len(corners) > 0)
        self.line.set_data(*joined(contours.lines(0.0)).T)
        self.line.set_visible(True)

    def _show_line(self, theta: Floats | None) -> None:
        ends = line_ends(self.ax, theta)
        for artist in (*self.sides, self.line, *([self.normal] if self.normal else [])):
            artist.set_visible(len(ends) > 0)
        if theta is None or not len(ends):
            return
        self.line.set_data(*ends.T)
        unit = theta[:2] / np.hypot(*theta[:2])
        reach = np.hypot(*(ends[1] - ends[0])) * unit
        for side, sign in zip(self.sides, (-1, 1), strict=True):
            side.set_path(Path(np.array([ends[0], ends[1], ends[1] + sign * reach, ends[0] + sign * reach])))
        if self.normal:
            size, (x, y) = 0.11 * np.ptp(self.ax.get_xlim()), ends.mean(axis=0)
            dx, dy = size * unit
            self.normal.set_data(x=x, y=y, dx=dx, dy=dy, head_width=0.35 * size, head_length=0.4 * size)


class Boundaries(Plot):
    """Further lines theta . (x, 1) = 0, over or under a DecisionBoundary; looks: of each kind, by name."""

    def __init__(self, ax: Axes, looks: Mapping[str, Mapping[str, Any]]) -> None:
        super().__init__(ax)
        self.kinds = {name: self.add_curve(**look, glides=True) for name, look in looks.items()}

    def show(self, thetas: Mapping[str, Floats]) -> Self:
        """thetas: by kind (3,) or (m, 3), offset last; kinds that are missing have no line."""
        for name, line in self.kinds.items():
            several = validate.shaped(f"thetas[{name!r}]", np.atleast_2d(thetas.get(name, np.empty((0, 3)))), "m", 3)
            line.set_data(*joined(line_ends(self.ax, theta) for theta in several).T)
        return self


def corners(ax: Axes) -> tuple[Floats, Floats]:
    """The lower left and the upper right one of what is seen, (2,) each."""
    low, high = np.array([ax.get_xlim(), ax.get_ylim()]).T
    return low, high


def line_ends(ax: Axes, theta: Floats | None) -> Floats:
    """Two points, (2, 2), of the line theta . (x, 1) = 0, far outside the picture; (0, 2) where there is no line."""
    if theta is None or not theta[:2].any():
        return NOWHERE
    (low, high), w, length = corners(ax), theta[:2], float(np.hypot(*theta[:2]))
    center = (low + high) / 2
    foot = center - (w @ center + theta[2]) / length**2 * w
    far = np.abs(high - low).sum() + 2 * np.hypot(*(foot - center))
    along = far * np.array([-w[1], w[0]]) / length
    return np.array([foot - along, foot + along])


def visible(ax: Axes, theta: Floats) -> Floats:
    """Both ends, (2, 2), of what is seen of the line theta . (x, 1) = 0; (0, 2) where nothing is."""
    ends, (low, high) = line_ends(ax, theta), corners(ax)
    if not len(ends):
        return NOWHERE
    along = ends[1] - ends[0]
    edges = np.column_stack([low, high])[along != 0]  # a line along an axis meets only two edges
    crossed = np.sort((edges - ends[0, along != 0, None]) / along[along != 0, None], axis=1)
    part: Floats = ends[0] + np.array([[crossed[:, 0].max()], [crossed[:, 1].min()]]) * along
    middle = part.mean(axis=0)
    return part if (low <= middle).all() and (middle <= high).all() else NOWHERE


def seen(ax: Axes, ends: Floats, count: int = 400, margin: float = 0.05) -> Floats:
    """Of `count` places on the way between two ends, (2, 2), those inside the axes, (m, 2); none without ends.
    margin: to the edges, as a share of the axes."""
    if not len(ends):
        return NOWHERE
    low, high = corners(ax)
    room = margin * (high - low)
    points: Floats = ends[0] + np.linspace(0, 1, count)[:, None] * (ends[1] - ends[0])
    return points[((points > low + room) & (points < high - room)).all(axis=1)]


def within(places: Floats, extent: Extent) -> bool:
    """Whether places, (2,) or (n, 2), lie in this part of the plane."""
    low, high = np.reshape(extent, (2, 2)).T
    return bool(((places >= low) & (places <= high)).all())


def signs(rule: Any, places: Floats, classes: tuple[str, ...]) -> Floats:
    """+1 or -1 for each place, (n, 2), that a rule gives to the positive class, or not.

    It may answer with the names of the classes, with -1 and +1, or with 0 and 1; ValueError for anything else.
    """
    answers = np.asarray(rule.predict(places))
    names = answers.astype(str)
    if np.isin(names, classes).all():
        return np.where(names == classes[1], 1.0, -1.0)
    known = np.isin(answers, (-1, 0, 1)) & (answers.dtype.kind in "biuf")
    if not known.all():
        raise ValueError(f"theta must predict -1 and +1, 0 and 1, or the names of the classes ({', '.join(classes)}); "
                         f"got {answers[~known][0]!r}")
    return np.where(answers > 0, 1.0, -1.0)


def two_classes(data: Any) -> Dataset:
    """A data set that can be drawn in a plane, with the labels -1 and +1; from a pair (X, y), with any two labels."""
    if isinstance(data, tuple) and len(data) == 2:
        y, classes = signed(np.asarray(validate.unmasked("y", data[1])))
        data = Dataset(data[0], y, classes=classes)
    if not isinstance(data, Dataset):
        raise TypeError(f"data must be a Dataset or a pair (X, y); got {type(data).__name__}")
    if data.X.shape[1] != 2:
        names = ", ".join(data.features[:4]) + (", ..." if len(data.features) > 4 else "")
        raise ValueError(f"data must have 2 features to be drawn in a plane; got {data.X.shape[1]} ({names})")
    if data.y.dtype.kind != "f":
        raise ValueError(f"data must have two classes, labeled -1 and +1; got {len(data.classes)} classes "
                         f"({', '.join(data.classes)}), labeled from 0")
    return data
