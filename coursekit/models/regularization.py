"""Least squares on some features of some emails, and with four penalties on three kinds of data and the reader's own;
beside it a descent."""

from dataclasses import replace

import numpy as np

from coursekit import plots
from coursekit.algorithms import descent
from coursekit.algorithms.least_squares import PenalizedPath, least_squares
from coursekit.core import datasets, losses, risks, steps, text
from coursekit.models.shared import YOURS, Dataset, Floats, Objective, cached, parts, powers

STEPS = 100
PRICE_POWERS = (-3, 2)
PRICES = np.array([0.0, *powers(-3.0, 2.0, 10)])  # on the length of w
POOL, HELD_OUT = 100, 1000  # training examples to choose from, and examples that only judge
POWERS = (-3, 1)
LAMS = np.append(0.0, 10.0 ** np.linspace(*POWERS, 41))
SHIFT = 2.5
emails = cached(lambda: replace(datasets.load("mail"), features=datasets.words().features))


class MemoryFit:
    def __init__(self, separability: float, eta: float, lam: float, seed: int, numbers: int, mails: int,
                 own: Dataset | None) -> None:
        self.kind, every = "example" if own else "email", own or emails()
        self.columns, self.most = every.X.shape[1], min(200, len(every) // 2)
        self.data, self.new, self.thetas, self.errors = _filters(
            every, separability, seed, numbers, min(mails, self.most))
        X, y = self.data.X, self.data.y
        self.theta = least_squares(X, y, lam)
        self.length, self.longest = (float(np.linalg.norm(one[:-1])) for one in (self.theta, self.thetas[1]))
        self.needed = needed(X[y > 0], X[y < 0])
        self.now = [float(risks.error_rate(part, self.theta)) for part in (self.data, self.new)]
        self.best = int(self.errors[1].argmin())  # of PRICES
        spam = self.new.X[self.new.y > 0]
        self.missed = float(np.mean(spam @ self.theta[:-1] + self.theta[-1] <= 0)) if len(spam) else 0.0
        self.descent = descent.gradient_descent(Objective(X, y, losses.squared, lam=lam), steps.constant(eta), STEPS)
        self.scores, self.reached = (X @ one[:-1] + one[-1] for one in (self.theta, self.descent.theta))
        self.misclassified = risks.misclassified(y * self.scores)
        self.square, self.reached_square = (float(np.mean((y - f) ** 2)) for f in (self.scores, self.reached))

    def sentence(self, lam: float, hidden: bool) -> str:
        """How long w is, and how wrong the filter is."""
        n, d = self.data.X.shape
        seen = "" if d == self.columns else f"The filter sees {text.counted(d, 'feature')} of each {self.kind}. "
        said = (f"{seen}At λ = {lam:.3g}, w is **{self.length:.2f}** long. The filter gets **{self.misclassified}** "
                f"of its own {text.counted(n, self.kind)} wrong")
        if hidden:
            return f"{said}. And how many new ones? Guess first."
        free = f" ({100 * self.errors[1, 0]:.1f}% at λ = 0)" if lam else ""
        said = f"{said}, and **{100 * self.now[1]:.1f}%** of {len(self.new)} new ones{free}."
        if self.missed > 0.8:
            return f"{said} {100 * self.missed:.0f}% of the new spam passes: w is too short to be heard above the bias."
        return said

    def descended(self, eta: float) -> str:
        """How far descent has come."""
        if self.descent.status.startswith("diverged") or self.descent.values[-1] > 10 * self.descent.values[0]:
            return f" η = {eta:.3g} is too large: descent diverges."
        square, reached = (text.number(0.0 if one < 1e-12 else one) for one in (self.square, self.reached_square))
        return f" Mean squared loss {square}; after {STEPS} steps of descent with η = {eta:.3g}, {reached}."


def needed(spam: Floats, ham: Floats) -> float:
    """How long w must be for an agreement of 1 with all of them: 2 over the distance of the closest pair; else 0."""
    apart = np.linalg.norm(spam[:, None] - ham, axis=-1).min(initial=np.inf)
    return float(2 / apart) if apart > 0 else 0.0


@cached
def _filters(every: Dataset, separability: float, seed: int, numbers: int,
             mails: int) -> tuple[Dataset, Dataset, Floats, Floats]:
    """Those to learn from, all others, theta for each of PRICES, (L, d+1), and its errors on both, (2, L)."""
    every = every.moved_apart(separability)
    seen = np.sort(np.random.default_rng(seed).permutation(every.X.shape[1])[:numbers])
    if every.name == YOURS:
        few, new = parts(every, *np.split(np.random.default_rng(seed).permutation(len(every)), [mails]))
    else:
        few, new = every.split(mails / len(every), 1 - mails / len(every), seed=seed)
    (learned,), (others,) = (parts(part, columns=seen) for part in (few.standardized(), new.standardized(by=few)))
    (U, s, V), mean = np.linalg.svd(learned.X, full_matrices=False), learned.y.mean()  # for all lambdas but 0
    w = (learned.y - mean) @ U * s / (s**2 + len(few) / 2 * PRICES[1:, None]) @ V
    thetas = np.vstack([least_squares(learned.X, learned.y), np.insert(w, w.shape[1], mean, axis=1)])
    return learned, others, thetas, np.array([risks.error_rate(part, thetas) for part in (learned, others)])


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
