"""Chapter 1: turn, shift and stretch a line by hand, and count its errors.

Longer than others: the arrow on the line is dragged by both ends, and both stay where they can be seen.
"""

from dataclasses import replace

import numpy as np

from coursekit import plots
from coursekit.core import datasets, line, text
from coursekit.explorers.editing import Editing, one_example
from coursekit.explorers.framework import YOURS, Dataset, Stroke, View, controls, degrees
from coursekit.models.arrow import Arrow
from coursekit.models.hyperplane import LENGTHS, SHIFTS, LineByHand

EXAMPLES = 24
GRIP = 24.0  # a press so near to an end of the arrow takes hold of it, in hundredths of an inch
# The middle of what is seen, and half of its height, on a wide page and on a phone.
FRAMES = {"blobs": (0.3, 0.25, 4.75, 6.6), "mails": (0.6, 1.45, 1.4, 1.7), "one vector": (1.8, 1.5, 4.0, 4.6)}
WEIGHTS = {"mails": (-0.2, 2.0, 0.25, 1.7)}  # what is seen of the weights
WINDOWS = (-3.2, 3.2, -2.2, 2.2), (-15.2, 15.2, -10.4, 10.4)  # without that, or when theta lies outside of it


class HyperplaneExplorer(Editing[LineByHand], layout="hyperplane"):
    """A line moved by hand: take hold of either end of the arrow on it, and count the errors.

    Every example casts its shadow on the way of the arrow, and is called what the shadow's side of the line is called.
    With also="parameter space" the weights are a point among the constraints of the examples.
    step() lets the machine move the line: one step of size eta on mean hinge loss + lam/2 ||w||^2. With
    preview="a step" the picture shows it beforehand, dashed, and the sentence tells it.
    The examples can be changed, see `Editing`.
    """

    separability = controls.separability(0.5, idle=lambda now: now.dataset != "blobs")
    eta = controls.eta(0.3, high=0.5)
    lam = controls.lam(0.0, low=-3.0, high=0.0)
    seed = controls.seed(idle=lambda now: now.dataset in ("one vector", YOURS))
    dataset = controls.choice("data", FRAMES, renews=True)
    angle = controls.real("angle", 0.0, -180, 180, 1, "direction of the normal, in degrees",
                          ticks={turn: f"{turn}°".replace("-", "−") for turn in (-90, 0, 90)})
    shift = controls.real("shift", -1.0, -SHIFTS, SHIFTS, 0.05, "signed distance of the line from the origin",
                          idle=lambda now: now.dataset == "one vector")
    length = controls.real("length", 1.0, *LENGTHS, 0.1, "length of the weights: moves no line")
    example = one_example()
    preview = controls.choice("preview", ("nothing", "a step"), tucked=True)

    main = "angle", "shift"
    size, below, marks_example = (9.0, 5.6), 4.2, False
    boundary = View(lambda ax: plots.DecisionBoundary(ax, legend=False, normal=False), click="edit", compared=True)
    sides = View(plots.normal.Sides, over=boundary)
    distances = View(plots.Distances, over=boundary)
    shadows = View(plots.normal.Shadows, over=boundary)
    shadow = View(plots.Shadow, over=boundary)
    normal = View(plots.Normal, over=boundary, grip=lambda now: plots.marks.places(now.normal.ends))
    notes = View(plots.Notes, over=boundary)
    weights = View(plots.WeightSpace, grip=lambda now: plots.marks.places(now.weights.tip))

    @staticmethod
    def data(dataset: str, separability: float, seed: int) -> Dataset:
        if dataset == "mails":
            return datasets.mails(EXAMPLES, 267 + seed)
        if dataset == "one vector":
            return Dataset(np.array([[3.0, 4.0]]), np.array([1.0]), ("x1", "x2"), ("-1", "+1"), "one vector")
        return datasets.blobs(EXAMPLES, separability, seed=seed, centre=(0.5, 0.3))

    def arrange(self) -> None:
        self.plane.spines[:].set_visible(False)
        for mark in (*self.boundary.points, *self.boundary.wrong):
            mark.set_markersize(7.5 if self.narrow else 9.5)

    def more_tools(self) -> list[controls.widgets.Widget]:
        self._step = controls.button("Step", "let the machine move the line once, to where it is dashed", self.step)
        return [*super().more_tools(), controls.group("ck-others", self.controls["preview"], self._step)]

    def step(self) -> None:
        """One step of size eta down the objective; nothing where the picture has no room for the result."""
        if self.state.room:
            self.set(**dict(zip(("angle", "shift", "length"), self.state.ahead, strict=True)))

    def follow(self, found: LineByHand) -> None:
        self._step.disabled = not found.room

    _held = ""  # what the pointer holds: the tip of the arrow, the line, or an example
    _from = 0.0  # the shift when it was pressed; among the weights, the offset
    _kept = 0.0, 0.0  # by the tip, see `Arrow.kept`

    def touch(self, stroke: Stroke) -> None:
        """Drag the tip of the arrow to turn the line and to stretch theta, an example to move it, all else to shift the
        line; a click adds an example. Among the weights theta goes where the pointer is, and the offset stays."""
        if stroke.axes is self.axes["weights"]:
            offset = self._from = float(self.state.theta[2]) if stroke.first else self._from
            at = np.clip(stroke.at, *plots.boundary.corners(stroke.axes))  # and the line no farther than it may be
            length = float(np.clip(np.hypot(*at), max(LENGTHS[0], abs(offset) / SHIFTS), LENGTHS[1]))
            self.set(angle=round(degrees(at), 1), shift=round(-offset / length, 4), length=round(length, 4))
            return
        if stroke.first:
            firm = replace(stroke, grip=max(stroke.grip, GRIP * self.picture.figure.dpi / 100))
            tail, tip = (firm.nearest(end) is not None for end in plots.marks.places(self.normal.ends))
            example = stroke.nearest(self.state.data.X) is not None
            self._held, self._from = "tip" if tip else "line" if tail or not example else "example", self.shift
        clicked = self._held == "line" and self.dataset != "one vector" and stroke.done and stroke.at == stroke.start
        if self._held == "example" or clicked:
            super().touch(replace(stroke, first=stroke.first or clicked))
        elif self._held == "tip":
            self._kept = self._arrow.kept(self.angle, self.shift, self.length) if stroke.first else self._kept
            self.set("", **self._arrow.turned(np.asarray(stroke.at), self._kept, self.length))
        elif self.dataset != "one vector":
            along = line.from_normal(self.angle, 0.0)[:2] @ np.subtract(stroke.at, stroke.start)
            self.shift = self._arrow.shifted(self.angle, self._from + float(along))

    @property
    def _arrow(self) -> Arrow:
        return Arrow(*plots.boundary.corners(self.plane), free=self.dataset != "one vector")

    def show(self, found: LineByHand, dataset: str, eta: float, length: float, example: int, preview: str,
             also: str) -> str:
        data, theta, i, emails = found.data, found.theta, example, dataset == "mails"
        alone, after = dataset == "one vector", found.after if preview == "a step" else None
        x, y, *heights = FRAMES.get(dataset, FRAMES["blobs"])
        scale = max(1.0, float(np.abs(found.original.X).max()) / 4.4) if dataset == YOURS else 1.0
        windows = WEIGHTS.get(dataset, WINDOWS[0]), *WINDOWS
        window = next(seen for seen in windows if plots.boundary.within(theta[:2], seen))
        if self.stale(dataset, window, scale):
            box, up = self.plane.get_window_extent(), scale * heights[self.narrow]
            across = up * box.width / box.height
            self.boundary.frame((x - across, x + across, y - up, y + up))
            names = ("more exclamation marks →", "longer runs of CAPITALS →") if emails else data.features
            self.plane.set(xlabel=names[0], ylabel=names[1])
            self.plane.tick_params(labelbottom=alone, labelleft=alone, length=4 * alone)
            self.weights.frame(window)
        self.boundary.show(data, None if alone else theta, None if alone else after, None if i < 0 or alone else i)
        tail, tip = self._arrow.ends(theta, length)
        self.normal.show(tail, tip)
        self.normal.ends.set_markevery([1] if alone else None)  # there the line stays where it is
        self.shadows.show(data, None if alone else theta, tail)
        beside, called = [], ("", "")
        if not alone:
            beside = [plots.tags.Tag(f"score {text.number(found.scores[i])}", data.X[i])] * (i >= 0)
            beside.append(plots.tags.Tag("their shadows", self.shadows.ends, theta[1::-1] / length * [1, -1]))
            called = f"called {data.classes[0]}", f"called {data.classes[1]}"
        self.sides.show(theta, called, after, beside, "after a step")
        self.distances.show(data.X[[] if i < 0 else [i]], theta)
        self.shadow.show(data.X[0] if alone else None, theta[:2], found.distances[0])
        first, second = ("", "") if self.narrow else ("length ", "projection ")
        long, cast, score = map(text.number, (length, found.distances[0], found.scores[0]))
        product = f"θ · x = {first}{long} × {second}{cast} = {score}"
        self.notes.show(product if alone else f"{found.misclassified} of {len(data)} wrong")
        if also == "parameter space":
            self.weights.show(data, theta, after, i)
        said = found.shadow(length) if alone else found.sentence(i, "email" if emails else "example")
        return said if after is None else f"{said} {found.proposed(eta)}"
