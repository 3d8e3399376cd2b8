"""Chapter 2: walk through a perceptron's run, one visit at a time."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache, partial

import ipywidgets as widgets
import numpy as np

from coursekit.algorithms.bound import Bound, mistake_bound
from coursekit.algorithms.perceptron import perceptron
from coursekit.algorithms.trace import Row, Trace
from coursekit.core import datasets
from coursekit.core.datasets import Dataset
from coursekit.core.risks import misclassified
from coursekit.core.text import counted, number, vector
from coursekit.core.validate import Floats
from coursekit.explorers import controls
from coursekit.explorers.editing import Editing
from coursekit.explorers.view import View
from coursekit.plots import DecisionBoundary, MistakeBounds, ParameterPath, TraceRows
from coursekit.plots.marks import places
from coursekit.plots.normal import ClassNames

PASSES = 30
CLOUD_CORNERS = np.array([[-1.8, -3.2], [5.8, 5.2]])  # the same view wherever the slider puts the clouds


@dataclass(frozen=True)
class Found:
    data: Dataset
    framed: Floats  # examples that the view has room for, (n, 2)
    trace: Trace
    bound: Bound
    visit: int
    theta: Floats
    row: Row | None
    mistakes: int
    misclassified: int


class PerceptronExplorer(Editing[Found]):
    """The perceptron step by step: data and line, and the last visits as a table.

    Controls: separability, eta, lam, seed, dataset ("blobs", "three points", "mails", "iris"), order, visit.
    visit is how many examples have been visited; step(), rewind() and finish_pass() move it.
    also="lengths" shows the length of theta between Novikoff's two bounds, also="weights" the path of theta.
    The variant shown is theta <- (1 - eta lam) theta + eta y (x, 1) at each mistake.
    The examples can be changed, see `Editing`.
    """

    separability = controls.separability(0.5, idle=lambda now: now.dataset != "blobs")
    eta = controls.eta(1.0)
    lam = controls.lam(0.0)
    seed = controls.seed()
    dataset = controls.choice("data", ("blobs", "three points", "mails", "iris"), renews=True)
    order = controls.choice("order", ("cyclic", "reversed", "one class first", "shuffle"))
    visit = controls.whole("visit", 40, 0, 40, "how many examples have been visited", walk=2,
                           last=lambda state: len(state.trace.visits))

    size = 9.0, 4.6
    boundary = View(partial(DecisionBoundary, legend=False), (0, 0, 0.5, 1), (0.75, 0.55, 0.17, 0.15), click="edit",
                    compared=True)
    classes = View(ClassNames, over=boundary)
    rows = View(TraceRows, (0.5, 0.2, 1, 1), (0.04, 0.2, 0.06, 0.15))
    bounds = View(MistakeBounds, (0, 0, 1, 1), (0.75, 0.3, 0.3, 0.45), "Length of θ after each mistake, in units of R",
                  0.75, also="lengths")
    path = View(ParameterPath, (0.3, 0, 0.7, 1), (0.6, 0.3, 0.2, 0.45), "Path of (θ₁, θ₂)", 0.6, also="weights")

    @staticmethod
    def data(dataset: str, separability: float, seed: int) -> Dataset:
        if dataset == "three points":
            return datasets.three_points()
        if dataset == "mails":
            return datasets.mails()
        if dataset == "iris":
            return datasets.load("iris", classes=("setosa", "versicolor"), features=("sepal length", "petal length"))
        return datasets.blobs(40, separability, seed=seed, centre=(2.0, 1.0))

    @staticmethod
    def model(
        data: Dataset, original: Dataset, eta: float, lam: float, seed: int, dataset: str, order: str, visit: int
    ) -> Found:
        trace = _trace(data, order, seed, eta, lam)
        visit = min(visit, len(trace.visits))
        theta = trace.theta_at(visit)
        return Found(
            data=data, framed=CLOUD_CORNERS if dataset == "blobs" else original.X, trace=trace, bound=_bound(data),
            visit=visit, theta=theta, row=trace.row(visit) if visit else None, mistakes=trace.mistakes_at(visit),
            misclassified=misclassified(data.y * (data.X @ theta[:2] + theta[2])),
        )

    def buttons(self) -> list[widgets.Widget]:
        return [controls.button("Finish pass", "go on to the end of this pass", self.finish_pass)]

    def finish_pass(self) -> None:
        """Go on to the end of the current pass."""
        n = len(self.state.data)
        self.visit = (self.visit // n + 1) * n

    def show(self, found: Found, eta: float, lam: float) -> str:
        data, trace, row = found.data, found.trace, found.row
        limits = self.boundary.limits(found.framed, 0.2)
        if self.stale(data.name, limits):
            self.boundary.frame(limits)
            self.axes["boundary"].set(xlabel=data.features[0], ylabel=data.features[1])
        before = found.theta if row is None else row.before
        self.boundary.show(data, found.theta, before, None if row is None else row.example)
        self.classes.show(data, before if row is not None and row.mistake else None, places(self.boundary.wrong))
        self.path.show(trace.thetas[: max(found.mistakes, 1)] * bool(found.mistakes), before, found.theta)
        lengths = np.append(0.0, np.linalg.norm(trace.thetas, axis=1) / (eta * found.bound.R))
        ahead = int(min(np.ceil(found.bound.mistakes), 1.6 * trace.mistakes + 2))
        lower, upper = found.bound.corridor(max(trace.mistakes, ahead), eta * lam)
        self.bounds.show(lower, upper, lengths, found.mistakes)
        self.rows.show(trace, found.visit)
        return sentence(found, eta, lam)


def sentence(found: Found, eta: float, lam: float) -> str:
    """Why theta was changed at this visit or why not, and how far the run has come."""
    trace, row, n = found.trace, found.row, len(found.data)
    if row is None:
        return (f"theta = {vector(found.theta)}: every score is 0, and a score of 0 counts as a mistake. "
                f"Press Step to visit the first of {n} examples.")
    seen = (f"Visit {row.visit} (pass {(row.visit - 1) // n + 1}): example {row.example} at {vector(row.x)} has "
            f"y = {row.y:+.0f} and score f = {number(row.f)}.")
    agreement = row.y * row.f
    if row.mistake:
        after = row.y * (row.after[:2] @ row.x + row.after[2])
        step = "y (x, 1)" if eta == 1 else "eta y (x, 1)"
        shrinks = f"shrinks by {100 * eta * lam:.3g} % and " if lam else ""
        why = (f"y f = {number(agreement)} is not above 0, a mistake: theta {shrinks}moves by {step} to "
               f"{vector(row.after)}, and y f for this example becomes {number(after)}.")
    else:
        why = f"y f = {number(agreement)} is above 0, correct: theta stays {vector(row.after)}."
    score = f"{counted(found.mistakes, 'mistake')} so far; this theta misclassifies {found.misclassified} of {n}."
    if row.visit == len(trace.visits):
        score += f" The run ends here. {trace.status[0].upper()}{trace.status[1:]}."
    if not np.isfinite(found.bound.mistakes):
        score += " No line separates these data, so there is no bound."
    elif lam:
        score += " With lambda above 0 theta shrinks at each mistake, and Novikoff's promise is gone."
    else:
        score += f" Novikoff: at most {found.bound.mistakes:.0f} mistakes."
    if eta != 1 and not lam:
        score += " With lambda = 0, eta changes the length of theta and no decision."
    return f"{seen} {why} {score}"


@lru_cache(maxsize=8)
def _trace(data: Dataset, order: str, seed: int, eta: float, lam: float) -> Trace:
    n = len(data)
    indices = {"reversed": np.arange(n)[::-1], "one class first": np.argsort(-data.y, kind="stable")}
    return perceptron(data.X, data.y, PASSES, indices.get(order, order), eta=eta, lam=lam, seed=seed)


@lru_cache(maxsize=8)
def _bound(data: Dataset) -> Bound:
    return mistake_bound(data.X, data.y)
