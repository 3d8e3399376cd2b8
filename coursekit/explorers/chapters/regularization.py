"""Chapter 6: what a penalty does to the weights, and to the errors on training and on new data."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache, partial

import numpy as np

from coursekit.algorithms.path import Path
from coursekit.algorithms.proximal import proximal_descent
from coursekit.core import datasets
from coursekit.core import steps as rules
from coursekit.core.datasets import Dataset
from coursekit.core.objective import Objective
from coursekit.core.risks import error_rate
from coursekit.core.text import number
from coursekit.core.validate import Floats
from coursekit.explorers import controls
from coursekit.explorers.chapters.penalised import PENALTIES, PenalisedPath
from coursekit.explorers.explorer import Explorer
from coursekit.explorers.view import View, to_lam
from coursekit.plots import Balance, DecisionBoundary, ErrorCurves, WeightPath

STEPS = 100
POOL, HELD_OUT = 100, 1000  # training examples to choose from, and examples that only judge
POWERS = (-3, 1)
LAMS = np.append(0.0, 10.0 ** np.linspace(*POWERS, 41))
SHIFT = 2.5
NAMES = ("x1", "x2", "twin of x1")
CORNERS = np.array([[-3.0, -3.6], [3.0, 3.6]])


@dataclass(frozen=True)
class Found:
    training: Dataset
    held_out: Dataset
    marked: list[int]  # features that know the class
    lams: Floats
    thetas: Floats  # for each of lams
    training_errors: Floats
    validation_errors: Floats
    best: int  # of lams
    objective: Objective
    theta: Floats
    errors: list[float]  # training and validation
    descent: Path
    reached: Floats
    reached_errors: list[float]
    excess: float  # of the objective that descent has reached
    pulls: Floats  # of the data, at theta
    reached_pulls: Floats
    back: Floats  # pull of the penalty on the weights of the picture


class RegularizationExplorer(Explorer[Found]):
    """Weights against lambda, errors against lambda, data pull against penalty pull, and the data.

    Least squares on labels -1 and +1: mean (1 - y f)^2 + lam penalty(w), with x1 and x2 that matter and
    others that do not. Controls: separability, eta, lam, seed, penalty ("l1", "l2", "elastic net", "sqrt":
    sum of |w|^(1/2)), dataset ("centred", "shifted", "with a twin"), offset ("free", "penalised"), examples
    (for training), irrelevant (features). The open circles are 100 steps of proximal descent from
    theta = 0 with step size eta. A click on the weights or on the errors sets lambda.
    """

    separability = controls.separability(-3.5, -5.0, 1.0)
    eta = controls.eta(0.05, -3.0, 0.0)
    lam = controls.lam(0.1, *map(float, POWERS))
    seed = controls.seed(3)
    penalty = controls.choice("penalty", PENALTIES)
    dataset = controls.choice("data", ("centred", "shifted", "with a twin"))
    offset = controls.choice("offset", ("free", "penalised"))
    examples = controls.whole("examples", 30, 10, POOL, "how many examples to train on")
    irrelevant = controls.whole("irrelevant", 20, 1, 40, "how many features know nothing of the class")

    size, below = (9.0, 5.4), 3.4
    path = View(partial(WeightPath, names=NAMES, powers=POWERS), (0, 0.45, 1, 1), (0.55, 0.3, 0.15, 0.4),
                "The weights against λ", 0.1, click=to_lam, compared=True)
    errors = View(partial(ErrorCurves, powers=POWERS, other="descent"), (0, 0, 1, 0.45), (0.55, 0.5, 0.15, 0.4),
                  "The error in %", 0.1, click=to_lam, compared=True, xlabel="λ")
    balance = View(partial(Balance, marked=len(NAMES)), (0, 0, 1, 1), (0.7, 0.5, 0.15, 0.4),
                   "Pull of the data (points), and of the penalty back (line)", 0.1, also="pulls",
                   ylabel="pull")
    boundary = View(partial(DecisionBoundary, tags=True), (0, 0, 0.6, 1), (0.55, 0.5, 0.15, 0.4),
                    "The line among x1 and x2 (dashed: descent)", 0.1, compared=True, also="line", xlabel="x1",
                    ylabel="x2")

    @staticmethod
    def model(
        separability: float, eta: float, lam: float, seed: int, penalty: str, dataset: str, offset: str,
        examples: int, irrelevant: int,
    ) -> Found:
        training, held_out = _split(separability, seed, dataset, examples, irrelevant)
        path = _path(training, penalty, offset)
        objective, theta, d = path.objective(lam), path.at(lam), training.X.shape[1]
        descent = proximal_descent(objective, rules.constant(eta), STEPS)
        pull, on_new = replace(objective, lam=0.0).slope, error_rate(held_out, path.thetas)
        return Found(
            training=training, held_out=held_out, marked=[0, 1, 2] if dataset == "with a twin" else [0, 1],
            lams=path.lams, thetas=path.thetas, training_errors=error_rate(training, path.thetas),
            validation_errors=on_new, best=int(on_new.argmin()), objective=objective, theta=theta,
            errors=[error_rate(part, theta) for part in (training, held_out)], descent=descent, reached=descent.theta,
            reached_errors=[error_rate(part, descent.theta) for part in (training, held_out)],
            excess=float(descent.values[-1] - objective.value(theta)), pulls=-pull(theta)[:d],
            reached_pulls=-pull(descent.theta)[:d], back=objective.lam * objective.penalty.slope(Balance.weights),
        )

    def show(self, found: Found, eta: float, lam: float, penalty: str, dataset: str, offset: str) -> str:
        w, reached, marked = found.theta[:-1], found.reached[:-1], found.marked
        if self.stale(dataset):
            shift = SHIFT * (dataset == "shifted")
            self.boundary.frame(self.boundary.limits(np.vstack([CORNERS + shift, np.zeros(2)]), 0.1))
        self.path.show(found.lams, found.thetas[:, :-1], marked, lam, w, reached)
        elsewhere = np.abs(np.subtract(found.reached_errors, found.errors)).max() > 0.02
        self.errors.show(found.lams, found.training_errors, found.validation_errors, lam, found.errors,
                         found.reached_errors if elsewhere else [])
        self.balance.show(found.back, w, found.pulls, marked, reached, found.reached_pulls)
        plane = replace(found.training, X=found.training.X[:, :2], features=NAMES[:2])
        self.boundary.show(plane, _in_plane(found.theta, marked), _in_plane(found.reached, marked))
        said = f"{penalty}, lambda = {lam:.4g}: {selected(found)} {descended(found, eta, lam, penalty)}"
        held = offset == "penalised" and found.theta.any()
        return f"{said} The penalised offset is {number(found.theta[-1])}." if held else said


def selected(found: Found) -> str:
    """What the penalty selects, and what that does to the errors."""
    if not found.theta.any():
        return "all weights and the offset are 0, so f = 0 everywhere, which decides nothing and counts as wrong."
    used = np.flatnonzero(found.theta[:-1])
    wrong = np.setdiff1d(used, found.marked)
    training, validation = (f"{100 * e:.3g} %" for e in found.errors)
    lowest = f"{100 * found.validation_errors[found.best]:.3g} %"
    return (f"{len(used)} of {len(found.theta) - 1} weights are not 0, {len(wrong)} of them irrelevant. "
            f"Training error {training}, validation error {validation} "
            f"(lowest: {lowest} at lambda = {found.lams[found.best]:.3g}).")


def descended(found: Found, eta: float, lam: float, penalty: str) -> str:
    """Whether descent got there."""
    run = f"{STEPS} steps with eta = {eta:.3g}"
    path: Path = found.descent
    if path.status.startswith("diverged") or path.values[-1] > 10 * path.values[0]:
        return f"eta = {eta:.3g} is too large: descent diverges."
    if penalty == "sqrt" and lam and not found.reached[:-1].any() and found.theta[:-1].any():
        return f"{run} are trapped at w = 0, where the pull back is infinite."
    if found.excess < -0.001:
        return f"{run} are in another valley, {number(-found.excess)} lower than the point of the path."
    if found.excess <= 0.001:
        return f"{run} arrived."
    return f"{run} are still {number(found.excess)} above the objective of the path."


def _in_plane(theta: Floats, marked: list[int]) -> Floats:
    """The line among x1 and x2, (3,), with all other features at 0 and the twin at x1."""
    return np.array([theta[0] + (theta[2] if 2 in marked else 0.0), theta[1], theta[-1]])


@lru_cache(maxsize=8)
def _split(
    separability: float, seed: int, data: str, examples: int, irrelevant: int
) -> tuple[Dataset, Dataset]:
    pool = datasets.blobs(POOL + HELD_OUT, separability, seed=seed, irrelevant=40)
    X = pool.X[:, : 2 + irrelevant].copy()
    if data == "shifted":
        X[:, :2] += SHIFT
    if data == "with a twin":
        X[:, 2] = X[:, 0] + 0.1 * X[:, 2]
    rows = (slice(examples), slice(POOL, None))
    training, held_out = (replace(pool, X=X[r], y=pool.y[r], features=pool.features[: X.shape[1]]) for r in rows)
    return training, held_out


@lru_cache(maxsize=8)
def _path(data: Dataset, penalty: str, offset: str) -> PenalisedPath:
    return PenalisedPath(data, penalty, offset == "free", LAMS)
