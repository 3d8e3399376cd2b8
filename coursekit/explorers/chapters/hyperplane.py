"""Chapter 1: turn, shift and stretch a line, and see it in data space, parameter space and loss space."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import lru_cache, partial

import ipywidgets as widgets
import numpy as np
from matplotlib.figure import Figure
from matplotlib.patches import Circle
from numpy.typing import ArrayLike

from coursekit.algorithms.descent import gradient_descent
from coursekit.core import datasets, losses, steps
from coursekit.core.datasets import Dataset
from coursekit.core.line import from_normal, normal_form
from coursekit.core.objective import Objective
from coursekit.core.text import number, vector
from coursekit.core.validate import Floats
from coursekit.explorers import controls
from coursekit.explorers.editing import Editing
from coursekit.explorers.picture import Stroke
from coursekit.explorers.study import misclassified
from coursekit.explorers.view import View
from coursekit.plots import Agreements, DecisionBoundary, Distances, WeightSpace
from coursekit.plots.lettering import Word, Words
from coursekit.plots.style import current

EXAMPLES = 24
VIEW = 6.0  # the data picture shows -VIEW to VIEW both ways, and the line passes no farther from the origin
LENGTHS = 0.1, 10.0  # of the weights
GRIP = 3.0  # a drag that starts nearer to the origin shifts the line, one further out turns it


@dataclass(frozen=True)
class Found:
    data: Dataset
    example: int
    theta: Floats
    length: float
    scores: Floats
    agreements: Floats
    distances: Floats
    losses: Floats
    misclassified: int
    error: float
    objective: float
    eta: float
    after: Floats  # theta, when the machine has made its step
    objective_after: float
    ahead: tuple[float, float, float]  # angle, shift and length then
    room: bool  # whether the controls can show it


class HyperplaneExplorer(Editing[Found]):
    """A line moved by hand: its normal, the distances and agreements of the examples, the training error.

    Controls: separability, eta, lam, seed, angle (of the normal, degrees), shift (of the line from the
    origin, along the normal), length (of the weights), example (the one that is ringed).
    step() lets the machine move the line: one step of size eta on mean hinge loss + lam/2 ||w||^2. The
    dashed line and the dashed arrow show beforehand where it would go.
    The examples can be changed, see `Editing`.
    """

    separability = controls.separability(0.5)
    eta = controls.eta(0.3, high=0.5)
    lam = controls.lam(0.0, low=-3.0, high=0.0)
    seed = controls.seed()
    angle = controls.real("angle", 0.0, -180, 180, 1, "direction of the normal, in degrees")
    shift = controls.real("shift", -1.0, -VIEW, VIEW, 0.05, "signed distance of the line from the origin")
    length = controls.real("length", 1.0, *LENGTHS, 0.1, "length of the weights: moves no line")
    example = controls.whole("example", 0, 0, EXAMPLES - 1, "which example is ringed",
                             last=lambda state: len(state.data) - 1)

    size, marks_example = (9.0, 4.5), False
    boundary = View(DecisionBoundary, (0, 0, 0.46, 1), (0.59, 0.5, 0.225, 0.63), "Data space", 0.5, click="edit",
                    compared=True, ylabel="x2")
    distances = View(Distances, over=boundary)
    weights = View(WeightSpace, (0.46, 0.24, 0.745, 1), (0.18, 0.47, 0.16, 0.72), "Parameter space (θ₁,\xa0θ₂)", 0.135,
                   click=lambda _weights, place: {"angle": round(_direction(place))})
    agreements = View(Agreements, (0.745, 0.24, 1, 1), (0.27, 0.47, 0.09, 0.72), "Loss space", 0.225)
    numbers = View(partial(Words, size=10), (0.48, 0, 0.99, 0.24))

    @staticmethod
    def data(separability: float, seed: int) -> Dataset:
        return datasets.blobs(EXAMPLES, separability, seed=seed, centre=(0.5, 0.3))

    @staticmethod
    def model(
        data: Dataset, eta: float, lam: float, angle: float, shift: float, length: float, example: int
    ) -> Found:
        objective, theta = Objective(data.X, data.y, lam=lam), from_normal(angle, shift, length)
        path = gradient_descent(objective, steps.constant(eta), steps=1, start=theta)
        agreements, ahead = objective.Z @ theta, normal_form(path.thetas[-1])
        wrong = misclassified(agreements)
        return Found(
            data=data, example=example, theta=theta, length=length, scores=data.y * agreements, agreements=agreements,
            distances=data.y * agreements / length, losses=losses.zero_one(agreements), misclassified=wrong,
            error=wrong / len(data), objective=path.values[0], eta=eta, after=path.thetas[-1],
            objective_after=path.values[-1], ahead=ahead,
            room=abs(ahead[1]) <= VIEW and LENGTHS[0] <= ahead[2] <= LENGTHS[1],
        )

    def arrange(self, figure: Figure) -> None:
        plane = self.axes["boundary"]
        plane.set_xlabel("x1", loc="right")
        plane.add_patch(Circle((0, 0), GRIP, fill=False, color=current().soft, lw=0.8, ls=(0, (2, 4))))
        self.boundary.frame((-VIEW, VIEW, -VIEW, VIEW))
        figure.text(0.06, 0.018, "drag: shift; outside the circle: turn", fontsize=9)
        figure.text(0.435, 0.945, "- -  after Step", ha="right", fontsize=9)

    def buttons(self) -> list[widgets.Widget]:
        self._step = controls.button("Step", "let the machine move the line once, to where it is dashed", self.step)
        return [self._step]

    def step(self) -> None:
        """One step of size eta down the objective; nothing where the picture has no room for the result."""
        if self.state.room:
            self.set(**dict(zip(("angle", "shift", "length"), self.state.ahead, strict=True)))

    def follow(self, found: Found) -> None:
        self._step.disabled = not found.room

    _held = 0.0, 0.0  # angle and shift when the pointer was pressed
    _grasped = False  # whether it was pressed on an example

    def touch(self, stroke: Stroke) -> None:
        """Drag in the data: inside the circle to shift the line, outside to turn it, an example to move it.
        A click adds one. In the parameter space: theta turns towards the pointer."""
        if stroke.first:
            self._held = self.angle, self.shift
            self._grasped = self.held(stroke.start) is not None
        if stroke.axes is not self.plane or self._grasped or (stroke.done and stroke.at == stroke.start):
            super().touch(replace(stroke, first=stroke.first or not self._grasped))
            return
        (angle, shift), moved = self._held, np.subtract(stroke.at, stroke.start)
        if np.hypot(*stroke.start) > GRIP:
            turned = angle + _direction(stroke.at) - _direction(stroke.start)
            self.angle = round((turned + 180) % 360 - 180)
        else:
            along = shift + from_normal(angle, 0.0)[:2] @ moved
            self.shift = float(np.clip(np.round(20 * along) / 20, -VIEW, VIEW))

    def show(self, found: Found) -> str:
        data, theta, i = found.data, found.theta, found.example
        self.boundary.show(data, theta, found.after, i)
        self.distances.show(data.X, theta, i)
        wrong = _errors(data, theta[2], self.weights.ruler.fit(found.length), tuple(self.weights.grid))
        self.weights.show(data, theta, found.after, i, wrong)
        self.agreements.show(found.agreements, found.losses, data.y, i)
        lines = (
            f"weights {vector(theta[:2])}, length {number(found.length)}, offset {number(theta[2])}",
            f"example {i} at {vector(data.X[i])}, y = {data.y[i]:+.0f}:",
            f"f = {number(found.scores[i])},  y f = {number(found.agreements[i])},  "
            f"distance {number(found.distances[i])} = f / length",
            f"{found.misclassified} of {len(data)} wrong (lightest grey: {min(wrong.min(), found.misclassified):.0f})",
        )
        self.numbers.show(Word(0.0, 0.86 - 0.24 * k, line, "lm") for k, line in enumerate(lines))
        return sentence(found)


def sentence(found: Found) -> str:
    """The error, the ringed example, and what one step of the machine would do."""
    n, i = len(found.data), found.example
    said = (f"The line misclassifies {found.misclassified} of {n} (training error {found.error:.3f}). "
            f"Example {i}, y = {found.data.y[i]:+.0f}, has score f = {number(found.scores[i])} and agreement "
            f"{number(found.agreements[i])}: {_verdict(found.agreements[i])}, "
            f"{number(abs(found.distances[i]))} from the line. ")
    digits = max(3, math.ceil(-math.log10(abs(found.objective_after - found.objective) or 1)))  # they must differ
    change = f"from {found.objective:.{digits}f} to {found.objective_after:.{digits}f}"
    if not found.room:
        return said + f"One step would take the objective {change}, but the new line does not fit this picture."
    if (found.after == found.theta).all():
        return said + "One step would change nothing: every agreement is above 1 and lambda is 0."
    if found.objective_after > found.objective:
        return said + f"One step of size {found.eta:.3g} would raise the objective {change}: it is too long."
    return said + f"One step of size {found.eta:.3g} would lower the objective {change}."


def _verdict(agreement: float) -> str:
    return "right" if agreement > 0 else "wrong" if agreement < 0 else "undecided, which counts as wrong"


def _direction(place: ArrayLike) -> float:
    """Of the place, seen from the origin, in degrees."""
    x, y = np.asarray(place)
    return float(np.degrees(np.arctan2(y, x)))


@lru_cache(maxsize=8)
def _errors(data: Dataset, offset: float, scale: float, grid: tuple[float, ...]) -> Floats:
    """How many examples are misclassified at each pair of weights of the grid, with this offset."""
    first, second = np.meshgrid(grid, grid)
    thetas = np.column_stack([scale * first.ravel(), scale * second.ravel(), np.full(first.size, offset)])
    wrong = len(data) * Objective(data.X, data.y, loss=losses.zero_one).value(thetas)
    return wrong.round().reshape(first.shape)
