"""Chapter 2: walk through a perceptron's run, one visit at a time."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import ipywidgets as widgets
import numpy as np
from matplotlib.artist import Artist
from matplotlib.figure import Figure

from coursekit.algorithms.bound import Bound, mistake_bound
from coursekit.algorithms.perceptron import perceptron
from coursekit.algorithms.trace import Trace
from coursekit.core import datasets
from coursekit.core.text import counted, number, vector
from coursekit.explorers import controls as parts
from coursekit.explorers.editing import Editing, edited
from coursekit.explorers.state import State
from coursekit.plots import DecisionBoundary, Ghost, MistakeBounds, ParameterPath, TraceRows, figure, panel

PASSES = 30
CLOUD_CORNERS = np.array([[-1.8, -3.2], [5.8, 5.2]])  # the same view wherever the slider puts the clouds
ORDERS = ("cyclic", "reversed", "one class first", "shuffle")


class PerceptronExplorer(Editing):
    """The perceptron step by step: data and line, trace table, theta, and Novikoff's two bounds.

    Controls: separability, eta, lam, seed, dataset ("blobs", "three points", "iris"), order, visit.
    visit is how many examples have been visited; step(), rewind() and finish_pass() move it.
    The variant shown is theta <- (1 - eta lam) theta + eta y (x, 1) at each mistake.
    The examples can be changed, see `Editing`.
    """

    run, pace, ends = "visit", 2, ("visit", *Editing.ends)
    renewing = ("dataset",)

    def controls(self) -> dict[str, widgets.Widget]:
        return {
            "separability": parts.separability(0.5),
            "eta": parts.eta(1.0),
            "lam": parts.lam(0.0),
            "seed": parts.seed(),
            "dataset": parts.choice("data", ["blobs", "three points", "iris"]),
            "order": parts.choice("order", list(ORDERS)),
            "visit": widgets.IntSlider(
                value=40, min=0, max=40, description="visit", style={"description_width": "40px"},
                layout=widgets.Layout(width="300px"), tooltip="how many examples have been visited",
            ),
            **self.editing(40),
        }

    def original(self, values: Mapping[str, Any]) -> datasets.Dataset:
        return _data(values["dataset"], values["separability"], values["seed"])

    def buttons(self) -> list[widgets.Widget]:
        return [parts.button("Finish pass", "go on to the end of this pass", self.finish_pass)]

    def step(self) -> None:
        """Visit one more example."""
        self.forward("visit")

    def finish_pass(self) -> None:
        """Go on to the end of the current pass."""
        n, total = len(self.state.data), len(self.state.trace.visits)
        self.visit = min((self.visit // n + 1) * n, total)

    _frame: tuple[Any, ...] | None = None

    def draw_once(self) -> tuple[Figure, list[Artist]]:
        fig = figure(9.0, 5.2)
        data = panel(fig, (0, 0.36, 0.39, 1), (0.75, 0.55, 0.17, 0.6), "Data and line", 0.63)
        path = panel(fig, (0.39, 0.36, 0.68, 1), (0.27, 0.55, 0.225, 0.6), "Weights (θ₁, θ₂)", 0.225)
        bounds = panel(fig, (0.68, 0.36, 1, 1), (0.495, 0.55, 0.135, 0.6), "‖θ‖ against mistakes k", 0.3)
        self.boundary, self.path, self.bounds = DecisionBoundary(data), ParameterPath(path), MistakeBounds(bounds)
        self.rows = TraceRows(fig.add_axes((0.01, 0.01, 0.98, 0.345)))
        views = (self.boundary, self.path, self.bounds, self.rows)
        self.plane = self.boundary.ax
        return fig, [artist for view in views for artist in view.artists]

    @staticmethod
    def compute(
        separability: float, eta: float, lam: float, seed: int, dataset: str, order: str, visit: int,
        example: int, label: str, edits: str,
    ) -> dict[str, Any]:
        data, done_edits, problem = edited(_data(dataset, separability, seed), edits)
        trace = _trace(data, order, seed, eta, lam)
        bound = _bound(data)
        visit = min(visit, len(trace.visits))
        theta = trace.theta_at(visit)
        return {
            "data": data,
            "done_edits": done_edits,
            "problem": problem,
            "example": min(example, len(data) - 1),
            "trace": trace,
            "bound": bound,
            "visit": visit,
            "theta": theta,
            "row": trace.row(visit) if visit else None,
            "mistakes": trace.mistakes_at(visit),
            "misclassified": int(np.sum(data.y * (data.X @ theta[:2] + theta[2]) <= 0)),
        }

    def follow(self, state: State) -> None:
        super().follow(state)
        self._controls["visit"].max = len(state.trace.visits)
        self._controls["separability"].disabled = state.dataset != "blobs"

    def show(self, state: State) -> str:
        data, trace, row = state.data, state.trace, state.row
        limits = self.boundary.limits(CLOUD_CORNERS if state.dataset == "blobs" else self.original(state).X, 0.2)
        if self._frame != (data.name, limits):
            self._frame = data.name, limits
            self.boundary.frame(limits)
            self.boundary.ax.set(xlabel=data.features[0], ylabel=data.features[1])
            self.picture.redraw()
        before = state.theta if row is None else row.before
        self.boundary.show(data, state.theta, before, None if row is None else row.example)
        self.path.show(trace.thetas[: max(state.mistakes, 1)] * bool(state.mistakes), before, state.theta)
        unit = state.eta * state.bound.R
        lengths = np.concatenate([[0.0], np.linalg.norm(trace.thetas, axis=1) / unit])
        ahead = int(min(np.ceil(state.bound.mistakes), 1.6 * trace.mistakes + 2))
        lower, upper = state.bound.corridor(max(trace.mistakes, ahead), state.eta * state.lam)
        self.bounds.show(lower, upper, lengths, state.mistakes)
        self.rows.show(trace, state.visit)
        return sentence(state)

    def ghosts(self) -> list[Ghost]:
        return self.boundary.ghosts()


def sentence(state: State) -> str:
    """Why theta was changed at this visit or why not, and how far the run has come."""
    data, trace, row = state.data, state.trace, state.row
    n = len(data)
    if row is None:
        return (f"theta = {vector(state.theta)}: every score is 0, and a score of 0 counts as a mistake. "
                f"Press Step to visit the first of {n} examples.")
    seen = (f"Visit {row.visit} (pass {(row.visit - 1) // n + 1}): example {row.example} at {vector(row.x)} has "
            f"y = {row.y:+.0f} and score f = {number(row.f)}.")
    agreement = row.y * row.f
    if row.mistake:
        after = row.y * (row.after[:2] @ row.x + row.after[2])
        step = "y (x, 1)" if state.eta == 1 else "eta y (x, 1)"
        shrinks = f"shrinks by {100 * state.eta * state.lam:.3g} % and " if state.lam else ""
        why = (f"y f = {number(agreement)} is not above 0, a mistake: theta {shrinks}moves by {step} to "
               f"{vector(row.after)}, and y f for this example becomes {number(after)}.")
    else:
        why = f"y f = {number(agreement)} is above 0, correct: theta stays {vector(row.after)}."
    score = f"{counted(state.mistakes, 'mistake')} so far; this theta misclassifies {state.misclassified} of {n}."
    if row.visit == len(trace.visits):
        score += f" The run ends here. {trace.status[0].upper()}{trace.status[1:]}."
    if np.isfinite(state.bound.mistakes):
        score += f" Novikoff: at most {state.bound.mistakes:.0f} mistakes."
    else:
        score += " No line separates these data, so there is no bound."
    if state.eta != 1 and not state.lam:
        score += " With lambda = 0, eta changes the length of theta and no decision."
    return f"{seen} {why} {score}"


@lru_cache(maxsize=8)
def _data(dataset: str, separability: float, seed: int) -> datasets.Dataset:
    if dataset == "three points":
        return datasets.three_points()
    if dataset == "iris":
        return datasets.load(
            "iris", classes=("setosa", "versicolor"), features=("sepal length", "petal length")
        )
    return datasets.blobs(40, separability, seed=seed, centre=(2.0, 1.0))


@lru_cache(maxsize=8)
def _trace(data: datasets.Dataset, order: str, seed: int, eta: float, lam: float) -> Trace:
    n = len(data)
    indices = {"reversed": np.arange(n)[::-1], "one class first": np.argsort(-data.y, kind="stable")}
    return perceptron(data.X, data.y, PASSES, indices.get(order, order), eta=eta, lam=lam, seed=seed)


@lru_cache(maxsize=8)
def _bound(data: datasets.Dataset) -> Bound:
    return mistake_bound(data.X, data.y)
