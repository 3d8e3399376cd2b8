"""Least squares with four penalties on three kinds of data and the reader's own, beside a descent."""

from dataclasses import replace

import numpy as np

from coursekit import plots
from coursekit.algorithms import descent
from coursekit.algorithms.least_squares import PenalizedPath
from coursekit.core import datasets, risks, steps, text
from coursekit.models.shared import Dataset, Floats, cached, parts

STEPS = 100
POOL, HELD_OUT = 100, 1000  # training examples to choose from, and examples that only judge
POWERS = (-3, 1)
LAMS = np.append(0.0, 10.0 ** np.linspace(*POWERS, 41))
SHIFT = 2.5


class PenalizedFit:
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
        self.descent = descent.proximal_descent(self.objective, steps.constant(eta), STEPS)
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
        return (f"**{len(used)}** of {len(self.theta) - 1} weights are not 0, {idle} of them on irrelevant features. "
                f"Training error {training}, validation error **{validation}** (lowest: {lowest} at λ = "
                f"{self.lams[self.best]:.3g}).")

    def descended(self, eta: float, lam: float, penalty: str) -> str:
        """Whether descent got there."""
        run, values = f"After {STEPS} steps with η = {eta:.3g}, descent", self.descent.values
        if self.descent.status.startswith("diverged") or values[-1] > 10 * values[0]:
            return f"η = {eta:.3g} is too large: descent diverges."
        if penalty == "sqrt" and lam and not self.reached[:-1].any() and self.theta[:-1].any():
            return f"{run} is trapped at w = 0, where the penalty pulls back infinitely hard."
        if self.excess < -0.001:
            return f"{run} is in another valley, whose objective is {text.number(-self.excess)} lower."
        if self.excess <= 0.001:
            return f"{run} has arrived."
        return f"{run} is still {text.number(self.excess)} above the minimum."


@cached
def _minima(training: Dataset, held_out: Dataset, penalty: str, free: bool) -> tuple[PenalizedPath, list[Floats]]:
    """The minima for all of LAMS, and their errors on both parts."""
    path = PenalizedPath(training, penalty, free, LAMS)
    return path, [risks.error_rate(part, path.thetas) for part in (training, held_out)]


@cached
def _split(separability: float, seed: int, data: str, examples: int, most: int, irrelevant: int,
           own: Dataset | None) -> tuple[Dataset, Dataset]:
    pool = datasets.blobs(POOL + HELD_OUT, separability, seed=seed, irrelevant=40)
    if own:
        if len(own) < 20:
            raise ValueError(f"data must have 20 examples or more, as half of them only judge; got {len(own)}")
        rng = np.random.default_rng(seed)
        order, irrelevants = rng.permutation(len(own)), rng.standard_normal((len(own), 40))
        pool = Dataset(np.hstack([own.X[order], irrelevants]), own.y[order], pool.features, own.classes, own.name)
    X = pool.X[:, : 2 + irrelevant].copy()
    if data == "shifted":
        X[:, :2] += SHIFT
    if data == "with a twin":
        X[:, 2] = X[:, 0] + 0.1 * X[:, 2]
    pool = replace(pool, X=X, features=pool.features[: X.shape[1]])
    training, held_out = parts(pool, slice(examples), slice(most, None))
    return training, held_out
