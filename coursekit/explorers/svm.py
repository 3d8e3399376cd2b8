"""Chapter 7: the widest street between two classes, solved anew for every frame."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

import ipywidgets as widgets
import numpy as np
from matplotlib.artist import Artist
from matplotlib.figure import Figure

from coursekit import _validate, datasets, steps
from coursekit._validate import Floats
from coursekit.algorithms.descent import gradient_descent
from coursekit.algorithms.path import Path
from coursekit.algorithms.perceptron import number
from coursekit.algorithms.sgd import pegasos, sgd
from coursekit.algorithms.svm import ON_MARGIN, SoftMargin
from coursekit.algorithms.svm import svm as exact
from coursekit.explorers import controls as parts
from coursekit.explorers.explorer import Explorer, State
from coursekit.explorers.picture import Stroke
from coursekit.objective import Objective
from coursekit.plots import MarginStreet, ObjectiveCurves, Slacks, figure

EXAMPLES = 40
STEPS = 300
GAP = 1e-9  # how near the exact objective is proven to be
PLACES = 5.0  # examples can be put from -PLACES to PLACES both ways
CONSTANT = np.array([[0.0, 0.0, -1.0], [0.0, 0.0, 1.0]])  # the best there is with w = 0 is one of these
GRID = 0.05
GRIP = 0.3  # a press this near to an example takes hold of it
CORNERS = np.array([[-4.2, -4.6], [4.2, 4.6]])  # the same view wherever the slider puts the clouds
DESCENTS = ("gradient descent", "stochastic descent", "Pegasos")
EDIT = re.compile(r"([+-]|\d+)\((?:([^(),]+),([^(),]+))?\)")


class SvmExplorer(Explorer):
    """The exact soft margin with street, slacks and support vectors, and a descent on the same objective.

    Controls: separability, eta, lam, seed, descent ("gradient descent" with steps of size eta, "stochastic
    descent" with eta/(k+1), "Pegasos" with its own 1/(lam t)), k (steps made), example (the one in the
    square), label (class of a point that a click adds), edits.
    edits is a list of changes to the data, done one after another: "+(1,2)" adds a positive example,
    "-(1,2)" a negative one, "7(1,2)" moves example 7, "7()" removes it. add(), move(), remove() and
    undo() write it; so do the buttons, the sliders x1 and x2, and a click or drag in the data.
    """

    ends = ("example",)

    def controls(self) -> dict[str, widgets.Widget]:
        self._place = [
            parts.real(name, 0.0, -PLACES, PLACES, GRID, f"{name} of the example in the square: move it")
            for name in ("x1", "x2")
        ]
        for axis, slider in enumerate(self._place):
            slider.observe(lambda change, axis=axis: self._slid(axis, change["new"]), "value")
        return {
            "separability": parts.separability(0.5),
            "eta": parts.eta(0.3),
            "lam": parts.graded("lambda", 0.01, parts.powers(-6, 1, 10), "regularisation"),
            "seed": parts.seed(),
            "descent": parts.choice("descent", list(DESCENTS)),
            "k": parts.whole("step k", STEPS, 0, STEPS, "how many steps the descent has made"),
            "example": parts.whole("example", 0, 0, EXAMPLES - 1, "which example stands in the square"),
            "label": parts.choice("click adds", ["+1", "-1"]),
            "edits": widgets.Text(
                value="", description="edits", continuous_update=False, style={"description_width": "80px"},
                placeholder="+(1,2) adds, 7(1,2) moves, 7() removes", layout=widgets.Layout(flex="1 1 300px"),
            ),
        }

    def strip(self) -> list[widgets.Widget]:
        *common, example, label, edits = self._controls.values()
        label.layout = widgets.Layout(width="160px")
        return [
            parts.row(*common),
            parts.row(example, *self._place),
            parts.row(
                label,
                parts.button("Add", "a new point of this class at (0, 0); x1 and x2 move it", self.add),
                parts.button("Remove", "remove the example in the square", self.remove),
                parts.button("Undo", "take back the last of the edits", self.undo),
                edits,
                parts.button("Reset", "put every control back to where it was at the start", self.reset),
            ),
        ]

    def add(self, x1: float = 0.0, x2: float = 0.0, label: int | None = None) -> None:
        """A new example at (x1, x2), of class label +1 or -1 (the chosen one if None); it goes into the square."""
        sign = self.label[0] if label is None else f"{_validate.one_of('label', label, (-1, 1)):+d}"[0]
        self.set(edits=_listed(*self.state.done_edits, _edit(sign, (x1, x2))), example=len(self.state.data))

    def move(self, example: int, x1: float, x2: float) -> None:
        """Put an example at (x1, x2). Moving the one that the last edit added or moved changes that edit."""
        *before, last = ["", *self.state.done_edits]
        n = len(self.state.data)
        if last.startswith(f"{example}(") and not last.endswith("()"):
            edit = _edit(f"{example}", (x1, x2))
        elif last[:1] in ("+", "-") and example == n - 1:
            edit = _edit(last[0], (x1, x2))
        else:
            before, edit = [*before, last], _edit(f"{example}", (x1, x2))
        self.set(edits=_listed(*before, edit), example=example)

    def remove(self, example: int | None = None) -> None:
        """Remove an example (the one in the square if None)."""
        example = self.example if example is None else example
        self.set(edits=_listed(*self.state.done_edits, f"{example}()"))

    def undo(self) -> None:
        """Take back the last of the edits."""
        done = self.state.done_edits
        self.edits = _listed(*done) if self.state.problem else _listed(*done[:-1])

    def touch(self, stroke: Stroke) -> None:
        """In the data: a press on an example takes hold of it, elsewhere it adds one; a drag moves it.
        On the curves: go to that step."""
        if stroke.axes is self.curves_ax:
            self.k = int(np.clip(round(stroke.at[0] * self.curves.ruler.scale["x"]), 0, len(self.state.path.rates)))
        if stroke.axes is not self.street.ax:
            return
        if stroke.first:
            distances = np.hypot(*(self.state.data.X - stroke.start).T)
            if distances.min() > GRIP:
                self.add(*_on_grid(stroke.start))
            else:
                self.example = int(distances.argmin())
        if stroke.at != stroke.start:
            self.move(self.example, *_on_grid(stroke.at))

    def _slid(self, axis: int, value: float) -> None:
        if not self._quiet:
            at = np.clip(self.state.data.X[self.example], -PLACES, PLACES)
            at[axis] = value
            self.move(self.example, *at)

    def _checked(self, name: str, value: Any) -> None:
        if name != "edits":
            super()._checked(name, value)
        elif not isinstance(value, str):
            raise ValueError(f"edits must be a text like '+(1,2) 7(1,2) 7()'; got {value!r}")
        elif problem := edited(_blobs(0.0, 0), value)[2]:
            raise ValueError(problem)

    def draw_once(self) -> tuple[Figure, list[Artist]]:
        fig = figure(9.0, 5.0)
        self.street = MarginStreet(fig.add_axes((0.055, 0.1, 0.455, 0.74), xlabel="x1", ylabel="x2"))
        self.street.frame(self.street.limits(CORNERS, 0.0))
        self.curves_ax = fig.add_axes((0.61, 0.585, 0.375, 0.285))
        self.curves = ObjectiveCurves(self.curves_ax, ("descent", "best so far", "exact"), log=True, steps=STEPS)
        self.slacks = Slacks(fig.add_axes((0.61, 0.1, 0.375, 0.33), ylabel="slack"))
        titles = (
            (0.05, 0.955, "Exact answer; dashed: descent"),
            (0.565, 0.955, "Objective against steps"),
            (0.565, 0.465, "Slack = hinge loss"),
        )
        for x, y, title in titles:
            fig.text(x, y, title, weight="bold", fontsize=11)
        views = (self.street, self.curves, self.slacks)
        return fig, [artist for view in views for artist in view.artists]

    @staticmethod
    def compute(
        separability: float, eta: float, lam: float, seed: int, descent: str, k: int, example: int, label: str,
        edits: str,
    ) -> dict[str, Any]:
        data, done_edits, problem = _data(separability, seed, edits)
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
        self._controls["example"].max = len(state.data) - 1
        for slider, place in zip(self._place, state.data.X[state.example], strict=True):
            slider.value = min(slider.grades, key=lambda grade, place=place: abs(grade - place))

    def show(self, state: State) -> str:
        data, answer = state.data, state.exact
        theta = answer.theta * [0, 0, 1] if state.flat else answer.theta
        self.street.show(data, theta, state.theta, state.example)
        self.street.show_street(data.X, data.y, theta, answer.slack, answer.support)
        values = state.path.values
        self.curves.show((values, state.lowest, np.full(STEPS + 1, answer.objective)), state.done)
        self.slacks.show(state.agreements, data.y, answer.slack, answer.support, state.example)
        return sentence(state)


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
            f"{_count(len(answer.support), 'support vector')}")
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
    made = f"best of {_count(state.done, 'step')} of {state.descent}" if state.done else "the start"
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


def _count(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def _contradiction(data: datasets.Dataset) -> bool:
    places = [{tuple(x) for x in data.X[data.y == label].tolist()} for label in (-1, 1)]
    return bool(places[0] & places[1])


def edited(data: datasets.Dataset, edits: str) -> tuple[datasets.Dataset, list[str], str]:
    """The data after the edits, those that were done, and what is wrong with the first that was not (or "")."""
    X, y, done, problem = data.X.tolist(), data.y.tolist(), [], ""
    for edit in edits.split():
        who, *place = match.groups() if (match := EDIT.fullmatch(edit)) else ("", None)
        problem = _trouble(edit, who, place, len(y))
        if problem:
            break
        at = None if place[0] is None else [float(p) for p in place]
        if who in ("+", "-"):
            X.append(at)
            y.append(float(f"{who}1"))
        elif at is None:
            del X[int(who)], y[int(who)]
        else:
            X[int(who)] = at
        done.append(edit)
    return datasets.Dataset(np.array(X), np.array(y), data.features, data.classes, data.name), done, problem


def _trouble(edit: str, who: str, place: list[str | None], n: int) -> str:
    """Why this edit cannot be done to n examples, or ""."""
    form = f"edits must be like +(1,2) or -(1,2) to add, 7(1,2) to move, 7() to remove; got {edit}"
    try:
        at = [float(p) for p in place if p is not None]
    except ValueError:
        return form
    if not who or (who in ("+", "-") and not at):
        return form
    if not all(abs(p) <= PLACES for p in at):
        return f"edits must keep x1 and x2 from {-PLACES:g} to {PLACES:g}; got {edit}"
    if who.isdigit() and int(who) >= n:
        return f"edits must name an example from 0 to {n - 1}; got {edit}"
    if not at and n == 1:
        return f"edits must leave at least one example; got {edit}"
    return ""


def _edit(who: str, place: tuple[float, float]) -> str:
    return f"{who}({place[0]:.4g},{place[1]:.4g})"


def _listed(*edits: str) -> str:
    return " ".join(edit for edit in edits if edit)


def _on_grid(place: tuple[float, float]) -> Floats:
    return np.clip(np.round(np.array(place) / GRID) * GRID, -PLACES, PLACES)


@lru_cache(maxsize=8)
def _blobs(separability: float, seed: int) -> datasets.Dataset:
    return datasets.blobs(EXAMPLES, separability, seed=seed)


@lru_cache(maxsize=8)
def _data(separability: float, seed: int, edits: str) -> tuple[datasets.Dataset, list[str], str]:
    return edited(_blobs(separability, seed), edits)


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
