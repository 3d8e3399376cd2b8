"""Chapter 6: what a penalty does to the weights, and to the errors on training and on new data."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from coursekit.algorithms.lasso import LassoPath, lasso_path
from coursekit.algorithms.least_squares import least_squares
from coursekit.algorithms.path import Path
from coursekit.algorithms.proximal import proximal_descent
from coursekit.core import datasets, losses, penalties
from coursekit.core import steps as rules
from coursekit.core.datasets import Dataset
from coursekit.core.objective import Objective
from coursekit.core.penalties import Penalty
from coursekit.core.text import number
from coursekit.core.validate import Floats
from coursekit.explorers import controls
from coursekit.explorers.picture import Point
from coursekit.explorers.study import Study
from coursekit.explorers.view import View
from coursekit.plots import Balance, DecisionBoundary, ErrorCurves, WeightPath

STEPS = 100
POOL, HELD_OUT = 100, 1000  # training examples to choose from, and examples that only judge
POWERS = (-3, 1)
LAMS = np.append(0.0, 10.0 ** np.linspace(*POWERS, 41))
RIDGE = 0.2  # the elastic net's share of L2, which stays while lambda moves
SHIFT = 2.5
DATA = ("centred", "shifted", "with a twin")
PENALTIES = ("l1", "l2", "elastic net", "sqrt")
NAMES = ("x1", "x2", "twin of x1")
CURVES = ("training", "validation", "lowest", "descent")
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
    dataset: str
    penalty: str
    offset: str
    eta: float
    lam: float


def to_lam(plot: WeightPath | ErrorCurves, place: Point) -> dict[str, float]:
    """The click on curves against lambda: set it."""
    return {"lam": float(f"{plot.scale.lam(place[0]):.3g}")}


class RegularizationExplorer(Study[Found]):
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
    dataset = controls.choice("data", DATA)
    offset = controls.choice("offset", ("free", "penalised"))
    examples = controls.whole("examples", 30, 10, POOL, "how many examples to train on")
    irrelevant = controls.whole("irrelevant", 20, 1, 40, "how many features know nothing of the class")

    path = View(partial(WeightPath, names=NAMES, powers=POWERS), (0, 0.5, 0.575, 1), (0.585, 0.31, 0.18, 0.45),
                "Weights against λ", 0.18, click=to_lam, compared=True)
    errors = View(partial(ErrorCurves, powers=POWERS, names=CURVES), (0, 0, 0.575, 0.5), (0.585, 0.45, 0.18, 0.31),
                  "Error in %", 0.18, click=to_lam, compared=True, xlabel="λ")
    balance = View(partial(Balance, marked=len(NAMES)), (0.575, 0.6, 1, 1), (0.585, 0.45, 0.09, 0.44),
                   "Pull of data (points) and penalty (line)", 0.09)
    boundary = View(DecisionBoundary, (0.575, 0, 1, 0.61), (0.585, 0.45, 0.09, 0.6),
                    "Line among x1, x2 (dashed: descent)", 0.09, compared=True, xlabel="x1", ylabel="x2")

    @staticmethod
    def model(
        separability: float, eta: float, lam: float, seed: int, penalty: str, dataset: str, offset: str,
        examples: int, irrelevant: int,
    ) -> Found:
        training, held_out = _split(separability, seed, dataset, examples, irrelevant)
        free = offset == "free"
        curves = _errors(training, held_out, penalty, free)
        objective = _objective(training, penalty, free, lam)
        theta = _solution(training, penalty, free, lam)
        descent = proximal_descent(objective, rules.constant(eta), STEPS)
        pull, d = replace(objective, lam=0.0).slope, training.X.shape[1]
        return Found(
            training=training, held_out=held_out, marked=[0, 1, 2] if dataset == "with a twin" else [0, 1],
            lams=_lams(penalty), thetas=_thetas(training, penalty, free), training_errors=curves[0],
            validation_errors=curves[1], best=int(curves[1].argmin()), objective=objective, theta=theta,
            errors=[_error(part, theta) for part in (training, held_out)], descent=descent, reached=descent.theta,
            reached_errors=[_error(part, descent.theta) for part in (training, held_out)],
            excess=float(descent.values[-1] - objective.value(theta)), pulls=-pull(theta)[:d],
            reached_pulls=-pull(descent.theta)[:d], back=objective.lam * objective.penalty.slope(Balance.weights),
            dataset=dataset, penalty=penalty, offset=offset, eta=eta, lam=lam,
        )

    def arrange(self, figure: Figure) -> None:
        if self.boundary.legend:
            self.boundary.legend.get_texts()[2].set_text("wrong side")

    def show(self, found: Found) -> str:
        w, reached, marked = found.theta[:-1], found.reached[:-1], found.marked
        if self.stale(found.dataset):
            shift = SHIFT * (found.dataset == "shifted")
            self.boundary.frame(self.boundary.limits(np.vstack([CORNERS + shift, np.zeros(2)]), 0.1))
        self.path.show(found.lams, found.thetas[:, :-1], marked, found.lam, w, reached)
        self.errors.show(found.lams, found.training_errors, found.validation_errors, found.lam, found.errors,
                         found.reached_errors)
        self.balance.show(found.back, w, found.pulls, marked, reached, found.reached_pulls)
        plane = replace(found.training, X=found.training.X[:, :2], features=NAMES[:2])
        self.boundary.show(plane, _in_plane(found.theta, marked), _in_plane(found.reached, marked))
        return sentence(found)


def sentence(found: Found) -> str:
    """What the penalty selects, what that does to the errors, and whether descent got there."""
    if not found.theta.any():
        return (f"{found.penalty}, lambda = {found.lam:.4g}: all weights and the offset are 0, so f = 0 "
                f"everywhere, which decides nothing and counts as wrong. {_descent(found)}")
    used = np.flatnonzero(found.theta[:-1])
    wrong = np.setdiff1d(used, found.marked)
    training, validation = (f"{100 * e:.3g} %" for e in found.errors)
    lowest = f"{100 * found.validation_errors[found.best]:.3g} %"
    said = (f"{found.penalty}, lambda = {found.lam:.4g}: {len(used)} of {len(found.theta) - 1} weights are not 0, "
            f"{len(wrong)} of them irrelevant. Training error {training}, validation error {validation} "
            f"(lowest: {lowest} at lambda = {found.lams[found.best]:.3g}).")
    return f"{said} {_descent(found)}{_offset(found)}"


def _descent(found: Found) -> str:
    run = f"{STEPS} steps with eta = {found.eta:.3g}"
    path: Path = found.descent
    if path.status.startswith("diverged") or path.values[-1] > 10 * path.values[0]:
        return f"eta = {found.eta:.3g} is too large: descent diverges."
    if found.penalty == "sqrt" and found.lam and not found.reached[:-1].any() and found.theta[:-1].any():
        return f"{run} are trapped at w = 0, where the pull back is infinite."
    if found.excess < -0.001:
        return f"{run} are in another valley, {number(-found.excess)} lower than the point of the path."
    if found.excess <= 0.001:
        return f"{run} arrived."
    return f"{run} are still {number(found.excess)} above the objective of the path."


def _offset(found: Found) -> str:
    return "" if found.offset == "free" else f" The penalised offset is {number(found.theta[-1])}."


def _in_plane(theta: Floats, marked: list[int]) -> Floats:
    """The line among x1 and x2, (3,), with all other features at 0 and the twin at x1."""
    return np.array([theta[0] + (theta[2] if 2 in marked else 0.0), theta[1], theta[-1]])


@lru_cache(maxsize=4)
def _pool(separability: float, seed: int) -> Dataset:
    return datasets.blobs(POOL + HELD_OUT, separability, seed=seed, irrelevant=40)


@lru_cache(maxsize=8)
def _split(
    separability: float, seed: int, data: str, examples: int, irrelevant: int
) -> tuple[Dataset, Dataset]:
    pool = _pool(separability, seed)
    X = pool.X[:, : 2 + irrelevant].copy()
    if data == "shifted":
        X[:, :2] += SHIFT
    if data == "with a twin":
        X[:, 2] = X[:, 0] + 0.1 * X[:, 2]
    rows = (slice(examples), slice(POOL, None))
    training, held_out = (replace(pool, X=X[r], y=pool.y[r], features=pool.features[: X.shape[1]]) for r in rows)
    return training, held_out


def _columns(data: Dataset, free: bool) -> Floats:
    """X, or X with the constant attribute as one more feature, whose weight is then penalised like any other."""
    return data.X if free else np.column_stack([data.X, np.ones(len(data))])


@lru_cache(maxsize=8)
def _objective(data: Dataset, name: str, free: bool, lam: float) -> Objective:
    penalty: Penalty = {"l1": penalties.l1, "l2": penalties.l2, "sqrt": penalties.lq(0.5)}.get(name, penalties.l2)
    if name == "elastic net":
        penalty, lam = penalties.elastic_net(lam / (lam + RIDGE)), lam + RIDGE
    return Objective(_columns(data, free), data.y, losses.squared, penalty, lam, free)


@lru_cache(maxsize=8)
def _lasso(data: Dataset, ridge: float, free: bool) -> LassoPath:
    return lasso_path(_columns(data, free), data.y, ridge / 2, free)


def _lams(name: str) -> Floats:
    """Where the curves are computed: at half as many lambdas for sqrt, which has no formula."""
    return np.append(0.0, LAMS[1::2]) if name == "sqrt" else LAMS


def _solution(data: Dataset, name: str, free: bool, lam: Any) -> Floats:
    """theta, (d+1,); a stack for an array of lambdas, with the penalties that make a path.

    The lasso path is for half the mean of squares, so its lambda is half of ours.
    """
    if name == "l2":
        return least_squares(_columns(data, free), data.y, lam, free)
    if name == "sqrt":
        before = _thetas(data, name, free)[np.searchsorted(_lams(name), lam, side="right") - 1]
        return _local(data, free, lam, before, 1e-5)
    path = _lasso(data, RIDGE if name == "elastic net" else 0.0, free)
    return path.theta_at(lam / 2) if free else path.at(lam / 2)


def _local(data: Dataset, free: bool, lam: float, start: Floats, tolerance: float) -> Floats:
    """Where at most 400 proximal steps from `start` lead: to, or close to, a local minimum of the sqrt penalty."""
    if lam == 0:
        return least_squares(_columns(data, free), data.y, 0.0, free)
    objective = _objective(data, "sqrt", free, lam)
    curvature = 2 * np.linalg.eigvalsh(objective.Z.T @ objective.Z)[-1] / len(data)
    return proximal_descent(objective, rules.constant(1 / curvature), 400, start, tolerance).theta


@lru_cache(maxsize=8)
def _thetas(data: Dataset, name: str, free: bool) -> Floats:
    """The solutions for all lambdas. Each local minimum of sqrt is sought from the one before it."""
    if name == "l2":
        return np.array([_solution(data, name, free, lam) for lam in LAMS])
    if name != "sqrt":
        return _solution(data, name, free, LAMS)
    thetas = [np.zeros(data.X.shape[1] + 1)]
    for lam in _lams(name):
        thetas.append(_local(data, free, lam, thetas[-1], 2e-4))
    return np.array(thetas[1:])


@lru_cache(maxsize=8)
def _errors(
    training: Dataset, held_out: Dataset, name: str, free: bool
) -> tuple[Floats, Floats]:
    thetas = _thetas(training, name, free)
    return _error(training, thetas.T), _error(held_out, thetas.T)


def _error(data: Dataset, theta: Floats) -> Any:
    """The share of misclassified examples, for theta (d+1,) or for each column of (d+1, L)."""
    return np.mean((data.X @ theta[:-1] + theta[-1]).T * data.y <= 0, axis=-1)
