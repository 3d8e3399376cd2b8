"""Chapter 7: the widest street between two classes, solved anew for every frame."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from functools import lru_cache
from typing import Any

import ipywidgets as widgets
import numpy as np
from matplotlib.artist import Artist
from matplotlib.figure import Figure

from coursekit.algorithms.descent import gradient_descent
from coursekit.algorithms.path import Path
from coursekit.algorithms.sgd import pegasos, sgd
from coursekit.algorithms.svm import ON_MARGIN, SoftMargin
from coursekit.algorithms.svm import svm as exact
from coursekit.core import datasets, steps
from coursekit.core.objective import Objective
from coursekit.core.text import counted, number
from coursekit.explorers import controls as parts
from coursekit.explorers.editing import GRID, Editing, edited
from coursekit.explorers.picture import Stroke
from coursekit.explorers.state import State
from coursekit.plots import Ghost, MarginStreet, ObjectiveCurves, Slacks, figure, panel

EXAMPLES = 40
STEPS = 300
GAP = 1e-9  # how near the exact objective is proven to be
PLACES = 5.0  # examples can be put from -PLACES to PLACES both ways
CONSTANT = np.array([[0.0, 0.0, -1.0], [0.0, 0.0, 1.0]])  # the best there is with w = 0 is one of these
CORNERS = np.array([[-4.2, -4.6], [4.2, 4.6]])  # the same view wherever the slider puts the clouds
DESCENTS = ("gradient descent", "stochastic descent", "Pegasos")


class SvmExplorer(Editing):
    """The exact soft margin with street, slacks and support vectors, and a descent on the same objective.

    Controls: separability, eta, lam, seed, descent ("gradient descent" with steps of size eta, "stochastic
    descent" with eta/(k+1), "Pegasos" with its own 1/(lam t)), k (steps made), example (the one in the
    square), label (class of a point that a click adds), edits.
    The data are edited as in every explorer of this kind (see `Editing`), and by the sliders x1 and x2.
    """

    reach = PLACES
    tucked = ("label", "edits")
    marks_example = False

    def controls(self) -> dict[str, widgets.Widget]:
        self._place = [
            parts.real(name, 0.0, -PLACES, PLACES, GRID, f"{name} of the example in the square: move it")
            for name in ("x1", "x2")
        ]
        for axis, slider in enumerate(self._place):
            slider.observe(lambda change, axis=axis: self._slid(axis, change["new"]), "value")
        editing = self.editing(EXAMPLES)
        return {
            "separability": parts.separability(0.5),
            "eta": parts.eta(0.3),
            "lam": parts.graded("lambda", 0.01, parts.powers(-6, 1, 10), "regularisation"),
            "seed": parts.seed(),
            "descent": parts.choice("descent", list(DESCENTS)),
            "k": parts.whole("step k", STEPS, 0, STEPS, "how many steps the descent has made"),
            "example": parts.whole("example", 0, 0, EXAMPLES - 1, "which example stands in the square"),
            "label": editing["label"],
            "edits": editing["edits"],
        }

    def strip(self) -> list[widgets.Widget]:
        *common, example, _, _, _ = self._controls.values()
        reset = parts.button("Reset", "put every control back to where it was at the start", self.reset)
        return [
            parts.row(*common),
            parts.row(example, *self._place),
            parts.row(*self.edit_row().children, reset, self.tools.opener),
        ]

    def more_tools(self) -> list[widgets.Widget]:
        return []

    def original(self, values: Mapping[str, Any]) -> datasets.Dataset:
        return _blobs(values["separability"], values["seed"])

    def touch(self, stroke: Stroke) -> None:
        """In the data: see Editing. On the curves: go to that step."""
        super().touch(stroke)
        if stroke.axes is self.curves_ax:
            self.k = int(np.clip(round(stroke.at[0] * self.curves.ruler.scale["x"]), 0, len(self.state.path.rates)))

    def _slid(self, axis: int, value: float) -> None:
        if not self._quiet:
            at = np.clip(self.state.data.X[self.example], -PLACES, PLACES)
            at[axis] = value
            with suppress(parts.Fixed):
                self.move(self.example, *at)

    def draw_once(self) -> tuple[Figure, list[Artist]]:
        fig = figure(9.0, 5.0)
        data = panel(fig, (0, 0, 0.53, 1), (0.495, 0.5, 0.18, 0.8), "Exact answer; dashed: descent", 0.45)
        data.set(xlabel="x1", ylabel="x2")
        self.street = MarginStreet(data)
        self.street.boundary.frame(self.street.boundary.limits(CORNERS, 0.0))
        self.plane = self.street.ax
        room = 0.72, 0.45, 0.135, 0.65
        self.curves_ax = panel(fig, (0.53, 0.495, 1, 1), room, "Objective against steps", 0.315)
        self.curves = ObjectiveCurves(self.curves_ax, ("descent", "best so far", "exact"), log=True, steps=STEPS)
        room = 0.72, 0.5, 0.135, 0.36
        self.slacks = Slacks(panel(fig, (0.53, 0, 1, 0.5), room, "Slack = hinge loss", 0.315, ylabel="slack"))
        views = (self.street, self.curves, self.slacks)
        return fig, [artist for view in views for artist in view.artists]

    @staticmethod
    def compute(
        separability: float, eta: float, lam: float, seed: int, descent: str, k: int, example: int, label: str,
        edits: str,
    ) -> dict[str, Any]:
        data, done_edits, problem = edited(_blobs(separability, seed), edits, PLACES)
        answer = _exact(data, lam)
        objective = _objective(data, lam)
        path = _path(objective, descent, eta if descent != "Pegasos" else None, seed)
        done = min(k, len(path.rates))
        return {
            "data": data,
            "done_edits": done_edits,
            "problem": problem,
            "example": min(example, len(data) - 1),
            "exact": answer,
            "flat": objective.value(CONSTANT).min() - answer.objective <= answer.gap,
            "agreements": objective.Z @ answer.theta,
            "misclassified": int(np.sum(objective.Z @ answer.theta <= 0)),
            "late": int(np.sum(answer.slack > ON_MARGIN)),
            "objective": objective,
            "path": path,
            "done": done,
            "lowest": np.minimum.accumulate(path.values),
            "theta": path.thetas[done],
        }

    def follow(self, state: State) -> None:
        super().follow(state)
        for slider, place in zip(self._place, state.data.X[state.example], strict=True):
            slider.value = min(slider.grades, key=lambda grade, place=place: abs(grade - place))

    def show(self, state: State) -> str:
        data, answer = state.data, state.exact
        theta = answer.theta * [0, 0, 1] if state.flat else answer.theta
        self.street.show(data, theta, answer.slack, answer.support, state.theta, state.example)
        values = state.path.values
        self.curves.show((values, state.lowest, np.full(STEPS + 1, answer.objective)), state.done)
        self.slacks.show(state.agreements, data.y, answer.slack, answer.support, state.example)
        return sentence(state)

    def ghosts(self) -> list[Ghost]:
        return self.street.ghosts()


def sentence(state: State) -> str:
    """How wide the street is and who holds it, how far the descent is from the exact answer, and one example."""
    if state.problem:
        return state.problem
    said = f"{_street(state)} {_descended(state)}"
    return said if state.flat else f"{said} {_one(state)}"


def _street(state: State) -> str:
    data, answer = state.data, state.exact
    n = len(data)
    wrong = f"{state.misclassified} of {n} misclassified"
    if len(set(data.y)) == 1:
        return (f"Only class {data.y[0]:+.0f} is left: w = 0 and the offset {data.y[0]:+.0f} give every example "
                f"agreement 1 at no cost, so there is no line.")
    if state.flat:
        why = "no direction is worth its price" if np.ptp(data.X, axis=0).any() else "all examples lie at one place"
        score = number(round(answer.theta[2], 6))
        return f"w = 0: {why}. There is no line, every example gets the score {score}; {wrong}."
    said = (f"The street is 2/||w|| = {number(2 * answer.margin)} wide, {number(answer.margin)} on each side; "
            f"{counted(len(answer.support), 'support vector')}")
    if not state.late:
        return f"{said}, no slack: this is the hard margin."
    said += f", {state.late} with slack ({number(answer.slack.sum())} in all); {wrong}."
    return f"{said} Two classes meet at one place: slack of at least 2 there." if _contradiction(data) else said


def _descended(state: State) -> str:
    answer, lowest = state.exact, state.lowest[state.done]
    proof = f"proven within {GAP:g}" if answer.gap <= GAP else answer.status
    said = f"Exact objective {answer.objective:.4g} ({proof}); "
    if state.path.status.startswith("diverged"):
        return f"{said}{state.descent} {state.path.status}."
    if state.descent == DESCENTS[0] and state.eta * state.lam > 2:  # each step multiplies w by 1 - eta lam
        return f"{said}eta lambda > 2: gradient descent diverges."
    made = f"best of {counted(state.done, 'step')} of {state.descent}" if state.done else "the start"
    unused = " (eta has no effect)" if state.descent == "Pegasos" else ""
    above = lowest - answer.objective
    return f"{said}{made}{unused}: " + (f"{number(above)} above." if above > GAP else f"within {GAP:g} of it.")


def _one(state: State) -> str:
    i = state.example
    z, slack = state.agreements[i], state.exact.slack[i]
    if i not in state.exact.support:
        why = "no support vector: beyond its edge it may move freely"
    elif z <= 0:
        why = f"slack {number(slack)}: a support vector on the wrong side"
    elif slack > ON_MARGIN:
        why = f"slack {number(slack)}: a support vector inside the street"
    else:
        why = "a support vector on the edge"
    return f"Example {i}: agreement {number(z)}, {why}."


def _contradiction(data: datasets.Dataset) -> bool:
    places = [{tuple(x) for x in data.X[data.y == label].tolist()} for label in (-1, 1)]
    return bool(places[0] & places[1])


@lru_cache(maxsize=8)
def _blobs(separability: float, seed: int) -> datasets.Dataset:
    return datasets.blobs(EXAMPLES, separability, seed=seed)


@lru_cache(maxsize=8)
def _exact(data: datasets.Dataset, lam: float) -> SoftMargin:
    return exact(data.X, data.y, lam, GAP)


@lru_cache(maxsize=8)
def _objective(data: datasets.Dataset, lam: float) -> Objective:
    return Objective(data.X, data.y, lam=lam)


@lru_cache(maxsize=8)
def _path(objective: Objective, descent: str, eta: float | None, seed: int) -> Path:
    if eta is None:
        return pegasos(objective, STEPS, seed=seed)
    if descent == "gradient descent":
        return gradient_descent(objective, steps.constant(eta), STEPS)
    return sgd(objective, steps.decaying(eta), STEPS, seed=seed)
