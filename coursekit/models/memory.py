"""Least squares on some features of some emails, for one lambda and for all, and how far descent comes."""

from dataclasses import replace

import numpy as np

from coursekit.algorithms import descent, least_squares
from coursekit.core import datasets, losses, risks, steps, text
from coursekit.models.shared import YOURS, Dataset, Floats, Objective, cached, parts, powers

STEPS, POWERS = 100, (-3, 2)
LAMS = np.array([0.0, *powers(-3.0, 2.0, 10)])
emails = cached(lambda: replace(datasets.load("mail"), features=datasets.words().features))


class MemoryFit:
    def __init__(self, separability: float, eta: float, lam: float, seed: int, numbers: int, mails: int,
                 own: Dataset | None) -> None:
        self.kind, every = "example" if own else "email", own or emails()
        self.columns, self.most = every.X.shape[1], min(200, len(every) // 2)
        self.data, self.new, self.thetas, self.errors = _filters(
            every, separability, seed, numbers, min(mails, self.most))
        X, y = self.data.X, self.data.y
        self.theta = least_squares.least_squares(X, y, lam)
        self.length, self.longest = (float(np.linalg.norm(one[:-1])) for one in (self.theta, self.thetas[1]))
        self.needed = needed(X[y > 0], X[y < 0])
        self.now = [float(risks.error_rate(part, self.theta)) for part in (self.data, self.new)]
        self.best = int(self.errors[1].argmin())  # of LAMS
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
        said = (f"{seen}At λ = {lam:.3g}, ‖w‖ is **{self.length:.2f}**. The filter gets **{self.misclassified}** "
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
    """Those to learn from, all others, theta for each of LAMS, (L, d+1), and its errors on both, (2, L)."""
    every = every.moved_apart(separability)
    seen = np.sort(np.random.default_rng(seed).permutation(every.X.shape[1])[:numbers])
    if every.name == YOURS:
        few, new = parts(every, *np.split(np.random.default_rng(seed).permutation(len(every)), [mails]))
    else:
        few, new = every.split(mails / len(every), 1 - mails / len(every), seed=seed)
    (learned,), (others,) = (parts(part, columns=seen) for part in (few.standardized(), new.standardized(by=few)))
    (U, s, V), mean = np.linalg.svd(learned.X, full_matrices=False), learned.y.mean()  # for all lambdas but 0
    w = (learned.y - mean) @ U * s / (s**2 + len(few) / 2 * LAMS[1:, None]) @ V
    thetas = np.vstack([least_squares.least_squares(learned.X, learned.y), np.insert(w, w.shape[1], mean, axis=1)])
    return learned, others, thetas, np.array([risks.error_rate(part, thetas) for part in (learned, others)])
