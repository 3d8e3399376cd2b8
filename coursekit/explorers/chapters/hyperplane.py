"""Chapter 1: turn, shift and stretch a line, and see it in data space, parameter space and loss space."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any

import ipywidgets as widgets
import numpy as np
from matplotlib.artist import Artist
from matplotlib.figure import Figure
from matplotlib.patches import Circle

from coursekit.algorithms.descent import gradient_descent
from coursekit.core import datasets, losses, steps
from coursekit.core.line import from_normal, normal_form
from coursekit.core.objective import Objective
from coursekit.core.text import number, vector
from coursekit.core.validate import Floats
from coursekit.explorers import controls as parts
from coursekit.explorers.editing import Editing, edited
from coursekit.explorers.picture import Stroke
from coursekit.explorers.state import State
from coursekit.plots import Agreements, DecisionBoundary, Distances, Ghost, WeightSpace, figure, panel
from coursekit.plots.lettering import Lettering, Word
from coursekit.plots.style import current

EXAMPLES = 24
VIEW = 6.0  # the data picture shows -VIEW to VIEW both ways
GRIP = 3.0  # a drag that starts nearer to the origin shifts the line, one further out turns it


class HyperplaneExplorer(Editing):
    """A line moved by hand: its normal, the distances and agreements of the examples, the training error.

    Controls: separability, eta, lam, seed, angle (of the normal, degrees), shift (of the line from the
    origin, along the normal), length (of the weights), example (the one that is ringed).
    step() lets the machine move the line: one step of size eta on mean hinge loss + lam/2 ||w||^2. The
    dashed line and the dashed arrow show beforehand where it would go.
    The examples can be changed, see `Editing`.
    """

    tucked = ("label", "edits")
    marks_example = False

    def controls(self) -> dict[str, widgets.Widget]:
        self._step = parts.button("Step", "let the machine move the line once, to where it is dashed", self.step)
        editing = self.editing(EXAMPLES)
        return {
            "separability": parts.separability(0.5),
            "eta": parts.eta(0.3, high=0.5),
            "lam": parts.lam(0.0, low=-3.0, high=0.0),
            "seed": parts.seed(),
            "angle": parts.real("angle", 0.0, -180, 180, 1, "direction of the normal, in degrees"),
            "shift": parts.real("shift", -1.0, -6, 6, 0.05, "signed distance of the line from the origin"),
            "length": parts.real("length", 1.0, 0.1, 10, 0.1, "length of the weights: moves no line"),
            "example": parts.whole("example", 0, 0, EXAMPLES - 1, "which example is ringed"),
            "label": editing["label"],
            "edits": editing["edits"],
        }

    def original(self, values: Mapping[str, Any]) -> datasets.Dataset:
        return _data(values["separability"], values["seed"])

    def buttons(self) -> list[widgets.Widget]:
        return [self._step]

    def step(self) -> None:
        """One step of size eta down the objective; nothing where the picture has no room for the result."""
        if self.state.room:
            self.set(**dict(zip(("angle", "shift", "length"), self.state.ahead, strict=True)))

    _held = 0.0, 0.0  # angle and shift when the pointer was pressed
    _grasped = False  # whether it was pressed on an example

    def draw_once(self) -> tuple[Figure, list[Artist]]:
        fig = figure(9.0, 4.5)
        data = panel(fig, (0, 0, 0.46, 1), (0.59, 0.5, 0.225, 0.63), "Data space", 0.5, ylabel="x2")
        self.boundary = DecisionBoundary(data)
        self.boundary.ax.set_xlabel("x1", loc="right")
        self.boundary.frame((-VIEW, VIEW, -VIEW, VIEW))
        self.distances = Distances(self.boundary.ax)
        weights = panel(fig, (0.46, 0.24, 0.745, 1), (0.18, 0.47, 0.16, 0.72), "Parameter space (θ₁,\xa0θ₂)", 0.135)
        self.weights = WeightSpace(weights)
        self.agreements = Agreements(panel(fig, (0.745, 0.24, 1, 1), (0.27, 0.47, 0.09, 0.72), "Loss space", 0.225))
        self.boundary.ax.add_patch(Circle((0, 0), GRIP, fill=False, color=current().soft, lw=0.8, ls=(0, (2, 4))))
        fig.text(0.06, 0.018, "drag: shift; outside the circle: turn", fontsize=9)
        fig.text(0.435, 0.945, "- -  after Step", ha="right", fontsize=9)
        below = fig.add_axes((0.48, 0.0, 0.51, 0.24), xlim=(0, 1), ylim=(0, 1))
        below.axis("off")
        self.numbers = Lettering(below, size=10)
        views = (self.boundary, self.distances, self.weights, self.agreements)
        self.plane = self.boundary.ax
        return fig, [*(artist for view in views for artist in view.artists), self.numbers]

    @staticmethod
    def compute(
        separability: float, eta: float, lam: float, seed: int, angle: float, shift: float, length: float,
        example: int, label: str, edits: str,
    ) -> dict[str, Any]:
        data, done_edits, problem = edited(_data(separability, seed), edits)
        objective = Objective(data.X, data.y, lam=lam)
        theta = from_normal(angle, shift, length)
        path = gradient_descent(objective, steps.constant(eta), steps=1, start=theta)
        agreements = objective.Z @ theta
        ahead = normal_form(path.thetas[-1])
        return {
            "data": data,
            "done_edits": done_edits,
            "problem": problem,
            "example": min(example, len(data) - 1),
            "theta": theta,
            "scores": data.y * agreements,
            "agreements": agreements,
            "distances": data.y * agreements / length,
            "losses": losses.zero_one(agreements),
            "misclassified": int(losses.zero_one(agreements).sum()),
            "error": float(losses.zero_one(agreements).mean()),
            "objective": path.values[0],
            "after": path.thetas[-1],
            "objective_after": path.values[-1],
            "ahead": ahead,
            "room": abs(ahead[1]) <= 6 and 0.1 <= ahead[2] <= 10,
        }

    def follow(self, state: State) -> None:
        super().follow(state)
        self._step.disabled = not state.room

    def show(self, state: State) -> str:
        data, theta, i = state.data, state.theta, state.example
        self.boundary.show(data, theta, state.after, i)
        self.distances.show(data.X, theta, i)
        scale = self.weights.ruler.fit(state.length)
        wrong = _errors(data, theta[2], scale, tuple(self.weights.grid))
        self.weights.show(data, theta, state.after, i, wrong)
        self.agreements.show(state.agreements, state.losses, data.y, i)
        lines = (
            f"weights {vector(theta[:2])}, length {number(state.length)}, offset {number(theta[2])}",
            f"example {i} at {vector(data.X[i])}, y = {data.y[i]:+.0f}:",
            f"f = {number(state.scores[i])},  y f = {number(state.agreements[i])},  "
            f"distance {number(state.distances[i])} = f / length",
            f"{state.misclassified} of {len(data)} wrong (lightest grey: {min(wrong.min(), state.misclassified):.0f})",
        )
        self.numbers.set_words(Word(0.0, 0.86 - 0.24 * k, line, "lm") for k, line in enumerate(lines))
        return sentence(state)

    def ghosts(self) -> list[Ghost]:
        return self.boundary.ghosts()

    def touch(self, stroke: Stroke) -> None:
        """Drag in the data: inside the circle to shift the line, outside to turn it, an example to move it.
        A click adds one. In the parameter space: theta turns towards the pointer."""
        if stroke.first:
            self._held = self.angle, self.shift
            self._grasped = self.held(stroke.start) is not None
        if stroke.axes is self.plane and (self._grasped or (stroke.done and stroke.at == stroke.start)):
            super().touch(replace(stroke, first=stroke.first or not self._grasped))
            return
        (angle, shift), start, at = self._held, np.array(stroke.start), np.array(stroke.at)
        if stroke.axes is self.weights.ax:
            self.angle = round(_direction(at))
        elif stroke.axes is self.boundary.ax and np.hypot(*start) > GRIP:
            self.angle = round((angle + _direction(at) - _direction(start) + 180) % 360 - 180)
        elif stroke.axes is self.boundary.ax:
            along = from_normal(angle, 0.0)[:2] @ (at - start)
            self.shift = float(np.clip(np.round(20 * (shift + along)) / 20, *parts.limits(self._controls["shift"])))


def sentence(state: State) -> str:
    """The error, the ringed example, and what one step of the machine would do."""
    n, i = len(state.data), state.example
    said = (f"The line misclassifies {state.misclassified} of {n} (training error {state.error:.3f}). "
            f"Example {i}, y = {state.data.y[i]:+.0f}, has score f = {number(state.scores[i])} and agreement "
            f"{number(state.agreements[i])}: {_verdict(state.agreements[i])}, "
            f"{number(abs(state.distances[i]))} from the line. ")
    digits = max(3, math.ceil(-math.log10(abs(state.objective_after - state.objective) or 1)))  # they must differ
    change = f"from {state.objective:.{digits}f} to {state.objective_after:.{digits}f}"
    if not state.room:
        return said + f"One step would take the objective {change}, but the new line does not fit this picture."
    if (state.after == state.theta).all():
        return said + "One step would change nothing: every agreement is above 1 and lambda is 0."
    if state.objective_after > state.objective:
        return said + f"One step of size {state.eta:.3g} would raise the objective {change}: it is too long."
    return said + f"One step of size {state.eta:.3g} would lower the objective {change}."


def _verdict(agreement: float) -> str:
    return "right" if agreement > 0 else "wrong" if agreement < 0 else "undecided, which counts as wrong"


def _direction(point: Floats) -> float:
    return float(np.degrees(np.arctan2(point[1], point[0])))


@lru_cache(maxsize=8)
def _data(separability: float, seed: int) -> datasets.Dataset:
    return datasets.blobs(EXAMPLES, separability, seed=seed, centre=(0.5, 0.3))


@lru_cache(maxsize=8)
def _errors(data: datasets.Dataset, offset: float, scale: float, grid: tuple[float, ...]) -> Floats:
    """How many examples are misclassified at each pair of weights of the grid, with this offset."""
    first, second = np.meshgrid(grid, grid)
    thetas = np.column_stack([scale * first.ravel(), scale * second.ravel(), np.full(first.size, offset)])
    wrong = len(data) * Objective(data.X, data.y, loss=losses.zero_one).value(thetas)
    return wrong.round().reshape(first.shape)
