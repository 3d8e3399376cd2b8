"""Chapter 1: turn, shift and stretch a line by hand, and count its errors.

Longer than others: seven plots lie over one another, and each end of the arrow is a handle of its own.
"""

from dataclasses import replace

import numpy as np

from coursekit import plots
from coursekit.core import text
from coursekit.explorers.framework import Editing, Hold, Stroke, View, controls, one_example
from coursekit.models.hyperplane import FRAMES, LENGTHS, SHIFTS, Arrow, LineByHand, examples, on_plane
from coursekit.models.shared import from_normal

GRIP = 24.0  # a press so near to an end of the arrow takes hold of it, in hundredths of an inch


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
    seed = controls.seed(idle=lambda now: now.dataset not in ("blobs", "mails"))
    dataset = controls.choice("data", FRAMES, renews=True)
    angle = controls.real("angle", 0.0, -180, 180, 1, "direction of the arrow, in degrees",
                          ticks={turn: f"{turn}°".replace("-", "−") for turn in (-90, 0, 90)})
    shift = controls.real("shift", -1.0, -SHIFTS, SHIFTS, 0.05, "signed distance of the line from the origin",
                          idle=lambda now: now.dataset == "one vector")
    length = controls.real("length", 1.0, *LENGTHS, 0.1, "length of the weights: moves no line")
    example = one_example()
    preview = controls.choice("preview", ("nothing", "a step"), tucked=True)
    marks_example = False
    boundary = View(lambda ax: plots.DecisionBoundary(ax, legend=False, normal=False), click="edit", compared=True)
    sides = View(plots.normal.Sides, over=boundary)
    distances = View(plots.Distances, over=boundary)
    shadows = View(plots.normal.Shadows, over=boundary)
    shadow = View(plots.Shadow, over=boundary)
    normal = View(plots.Normal, over=boundary, grip=lambda now: plots.marks.places(now.normal.ends))
    notes = View(plots.Notes, over=boundary)
    weights = View(plots.WeightSpace, grip=lambda now: plots.marks.places(now.weights.tip))
    data = staticmethod(examples)

    def arrange(self) -> None:
        self.plane.spines[:].set_visible(False)
        for mark in (*self.boundary.points, *self.boundary.wrong):
            mark.set_markersize(7.5 if self.narrow else 9.5)

    def more_tools(self) -> list[controls.widgets.Widget]:
        self._step = controls.button("Step", "let the machine move the line once, to the dashed line", self.step)
        return [*super().more_tools(), controls.group("ck-others", self.controls["preview"], self._step)]

    def step(self) -> None:
        """One step of size eta down the objective; nothing where the picture has no room for the result."""
        if self.state.room:
            self.set(**dict(zip(("angle", "shift", "length"), self.state.ahead, strict=True)))

    def follow(self, found: LineByHand) -> None:
        self._step.disabled = not found.room

    def grab(self, stroke: Stroke) -> Hold | None:
        """Drag the tip of the arrow to turn the line and to stretch theta, an example to move it, all else to shift the
        line; a click adds an example. Among the weights theta goes where the pointer is, and the offset stays."""
        shift, offset, press = self.shift, float(self.state.theta[2]), super().grab
        if stroke.axes is self.axes["weights"]:
            return lambda now: self.set("", **on_plane(now.at, offset, *plots.boundary.corners(now.axes)))
        firm = replace(stroke, grip=max(stroke.grip, GRIP * self.picture.figure.dpi / 100))
        tail, tip = (firm.nearest(end) is not None for end in plots.marks.places(self.normal.ends))
        if tip:
            kept = self._arrow.kept(self.angle, shift, self.length)
            return lambda now: self.set("", **self._arrow.turned(np.asarray(now.at), kept, self.length))
        if not tail and stroke.nearest(self.state.data.X) is not None:
            return press(stroke)
        if self.dataset == "one vector":
            return None

        def slide(now: Stroke) -> None:
            if now.done and now.at == now.start:  # a click
                press(now)
            else:
                along = from_normal(self.angle, 0.0)[:2] @ np.subtract(now.at, now.start)
                self.shift = self._arrow.shifted(self.angle, shift + float(along))

        return slide

    @property
    def _arrow(self) -> Arrow:
        return Arrow(*plots.boundary.corners(self.plane), free=self.dataset != "one vector")

    def show(self, found: LineByHand, dataset: str, eta: float, length: float, example: int, preview: str,
             also: str) -> str:
        data, theta, i, emails = found.data, found.theta, example, dataset == "mails"
        alone, after = dataset == "one vector", found.after if preview == "a step" else None
        if self.stale(dataset, found.window, found.heights):
            box, up = self.plane.get_window_extent(), found.heights[self.narrow]
            (x, y), across = found.middle, up * box.width / box.height
            self.boundary.frame((x - across, x + across, y - up, y + up))
            names = ("more exclamation marks →", "longest run of CAPITALS →") if emails else data.features
            self.plane.set(xlabel=names[0], ylabel=names[1])
            self.plane.tick_params(labelbottom=alone, labelleft=alone, length=4 * alone)
            self.weights.frame(found.window)
        self.boundary.show(data, None if alone else theta, None if alone else after, None if i < 0 or alone else i)
        tail, tip = self._arrow.ends(theta, length)
        self.normal.show(tail, tip)
        self.normal.ends.set_markevery([1] if alone else None)  # there the line stays where it is
        self.shadows.show(data, None if alone else theta, tail)
        beside, called = [], ("", "")
        if not alone:
            beside = [plots.tags.Tag(f"score {text.number(found.scores[i])}", data.X[i])] * (i >= 0)
            beside += [plots.tags.Tag(word, end, theta[:2]) for word, end in (("turn", tip), ("shift", tail))]
            beside += self.boundary.class_tags(data, data.y * data.X.sum(axis=1))  # of each class the farthest out
            beside.append(plots.tags.Tag("shadows", self.shadows.ends, theta[1::-1] / length * [1, -1]))
            called = f"called {data.classes[0]}", f"called {data.classes[1]}"
        self.sides.show(theta, called, after, beside, "after a step")
        self.distances.show(data.X[[] if i < 0 else [i]], theta)
        self.shadow.show(data.X[0] if alone else None, np.asarray(tip), found.distances[0])
        self.notes.show(found.product(length, self.narrow) if alone else f"{found.misclassified} of {len(data)} wrong")
        if also == "parameter space":
            self.weights.show(data, theta, after, i)
        said = found.shadow(length) if alone else found.sentence(i, "email" if emails else "example")
        return said if after is None else f"{said} {found.proposed(eta)}"
