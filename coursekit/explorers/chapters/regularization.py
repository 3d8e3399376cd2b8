"""Chapter 6: what a penalty does to the weights, and to the errors on training and on new data.

Longer than others: four penalties meet three kinds of data and the reader's own, beside a descent.
"""

from dataclasses import replace

import numpy as np

from coursekit import plots
from coursekit.algorithms import proximal
from coursekit.algorithms.penalised import PENALTIES, PenalisedPath
from coursekit.core import datasets, risks, steps, text
from coursekit.explorers.framework import YOURS, Dataset, Explorer, Floats, View, cached, controls, parts, to_lam

STEPS = 100
POOL, HELD_OUT = 100, 1000  # training examples to choose from, and examples that only judge
POWERS = (-3, 1)
LAMS = np.append(0.0, 10.0 ** np.linspace(*POWERS, 41))
SHIFT = 2.5
NAMES = ("x1", "x2", "twin of x1")
CORNERS = np.array([[-3.0, -3.6], [3.0, 3.6]])

class PenalisedFit:
    """The minimum for one lambda and for all of them, and what proximal descent reaches."""

    def __init__(self, separability: float, eta: float, lam: float, seed: int, penalty: str, dataset: str, offset: str,
                 examples: int, irrelevant: int, own: Dataset | None) -> None:
        self.most = min(POOL, len(own) // 2) if own else POOL  # of them can be trained on; the others only judge
        self.training, self.held_out = both = _split(
            separability, seed, dataset, min(examples, self.most), self.most, irrelevant, own)
        self.marked = [0, 1, 2] if dataset == "with a twin" else [0, 1]  # features that know the class
        path, (self.training_errors, self.validation_errors) = _minima(*both, penalty, offset == "free")
        self.lams, self.thetas = path.lams, path.thetas
        self.best = int(self.validation_errors.argmin())  # of lams
        self.objective, self.theta = path.objective(lam), path.at(lam)
        self.descent = proximal.proximal_descent(self.objective, steps.constant(eta), STEPS)
        self.reached = self.descent.theta
        self.errors = [risks.error_rate(part, self.theta) for part in both]
        self.excess = float(self.descent.values[-1] - self.objective.value(self.theta))  # of what descent has reached
        pull, d = replace(self.objective, lam=0.0).slope, self.training.X.shape[1]
        self.pulls, self.reached_pulls = -pull(self.theta)[:d], -pull(self.reached)[:d]  # of the data
        self.back = self.objective.lam * self.objective.penalty.slope(plots.Balance.weights)  # of the penalty

    def selected(self) -> str:
        """What the penalty selects, and what that does to the errors."""
        if not self.theta.any():
            return "all weights and the bias are 0, so f = 0 everywhere, which decides nothing and counts as wrong."
        used = np.flatnonzero(self.theta[:-1])
        training, validation, lowest = (f"{100 * e:.3g}%" for e in (*self.errors, self.validation_errors[self.best]))
        idle = len(np.setdiff1d(used, self.marked))
        return (f"**{len(used)}** of {len(self.theta) - 1} weights are not 0, {idle} of them irrelevant. "
                f"Training error {training}, validation error **{validation}** (lowest: {lowest} at λ = "
                f"{self.lams[self.best]:.3g}).")

    def descended(self, eta: float, lam: float, penalty: str) -> str:
        """Whether descent got there."""
        run, values = f"{STEPS} steps with η = {eta:.3g}", self.descent.values
        if self.descent.status.startswith("diverged") or values[-1] > 10 * values[0]:
            return f"η = {eta:.3g} is too large: descent diverges."
        if penalty == "sqrt" and lam and not self.reached[:-1].any() and self.theta[:-1].any():
            return f"{run} are trapped at w = 0, where the pull back is infinite."
        if self.excess < -0.001:
            return f"{run} are in another valley, {text.number(-self.excess)} lower than the point of the path."
        if self.excess <= 0.001:
            return f"{run} arrived."
        return f"{run} are still {text.number(self.excess)} above the objective of the path."


class RegularizationExplorer(Explorer[PenalisedFit], layout="regularization"):
    """Every weight as lambda grows, and both errors; on request the pulls of data and penalty, and the line.

    Least squares on labels -1 and +1: mean (1 - y f)^2 + lam penalty(w), with x1 and x2 that matter and others that do
    not. The penalty sqrt is the sum of |w|^(1/2). The open circles are 100 steps of proximal descent from theta = 0
    with step size eta. A click on the weights or on the errors sets lambda.
    """

    separability = controls.separability(-3.5, -5.0, 1.0, idle=lambda now: now.dataset == YOURS)
    eta = controls.graded("step size η", 0.05, controls.powers(-3.0, 0.0, 20), "of descent: the open circles")
    lam = controls.graded("price on weights λ", 0.1, [0.0, *controls.powers(-3.0, 1.0, 10)], "regularization")
    seed = controls.seed(3)
    penalty = controls.choice("penalty", PENALTIES)
    dataset = controls.choice("data", ("centered", "shifted", "with a twin"))
    offset = controls.choice("bias", ("free", "penalized"))
    examples = controls.whole("examples to train on", 30, 10, POOL, "how many examples to train on",
                              last=lambda now: now.most)
    irrelevant = controls.whole("irrelevant features", 20, 1, 40, "how many features know nothing of the class")

    main = ("lam",)
    size, below = (9.0, 4.5), 3.4
    path = View(lambda ax: plots.WeightPath(ax, NAMES, POWERS), click=to_lam, compared=True)
    errors = View(lambda ax: plots.TwoErrors(ax, POWERS, ("its own examples:", "new ones:")), click=to_lam,
                  compared=True)
    balance = View(lambda ax: plots.Balance(ax, len(NAMES)))
    boundary = View(lambda ax: plots.DecisionBoundary(ax, tags=True), compared=True)

    def show(self, fit: PenalisedFit, eta: float, lam: float, penalty: str, dataset: str, offset: str,
             own: Dataset | None) -> str:
        w, reached, marked = fit.theta[:-1], fit.reached[:-1], fit.marked
        if self.stale(dataset):
            shift = SHIFT * (dataset == "shifted")
            yours = [own.X] if own else []
            self.boundary.frame(self.boundary.limits(np.vstack([CORNERS + shift, np.zeros(2), *yours]), 0.1))
        self.path.show(fit.lams, fit.thetas[:, :-1], marked, lam, w, reached)
        self.errors.show(fit.lams, np.array([fit.training_errors, fit.validation_errors]), lam, fit.errors)
        self.balance.show(fit.back, w, fit.pulls, marked, reached, fit.reached_pulls)
        plane = replace(fit.training, X=fit.training.X[:, :2], features=NAMES[:2])
        self.boundary.show(plane, in_plane(fit.theta, marked), in_plane(fit.reached, marked))
        said = f"{penalty}, λ = {lam:.4g}: {fit.selected()} {fit.descended(eta, lam, penalty)}"
        held = offset == "penalized" and fit.theta.any()
        return f"{said} The penalized bias is {text.number(fit.theta[-1])}." if held else said


@cached
def _minima(training: Dataset, held_out: Dataset, penalty: str, free: bool) -> tuple[PenalisedPath, list[Floats]]:
    """The minima for all of LAMS, and their errors on both parts."""
    path = PenalisedPath(training, penalty, free, LAMS)
    return path, [risks.error_rate(part, path.thetas) for part in (training, held_out)]


def in_plane(theta: Floats, marked: list[int]) -> Floats:
    """The line among x1 and x2, (3,), with all other features at 0 and the twin at x1."""
    return np.array([theta[0] + (theta[2] if 2 in marked else 0.0), theta[1], theta[-1]])


@cached
def _split(separability: float, seed: int, data: str, examples: int, most: int, irrelevant: int,
           own: Dataset | None) -> tuple[Dataset, Dataset]:
    pool = datasets.blobs(POOL + HELD_OUT, separability, seed=seed, irrelevant=40)
    if own:
        rng = np.random.default_rng(seed)
        order = rng.permutation(len(own))
        irrelevants = rng.standard_normal((len(own), 40))
        pool = Dataset(np.hstack([own.X[order], irrelevants]), own.y[order], pool.features, own.classes, own.name)
    X = pool.X[:, : 2 + irrelevant].copy()
    if data == "shifted":
        X[:, :2] += SHIFT
    if data == "with a twin":
        X[:, 2] = X[:, 0] + 0.1 * X[:, 2]
    pool = replace(pool, X=X, features=pool.features[: X.shape[1]])
    training, held_out = parts(pool, slice(examples), slice(most, None))
    return training, held_out
