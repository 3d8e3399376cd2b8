"""Chapter 6: least squares learns its mails by heart, once it sees enough numbers of each."""

from dataclasses import replace

import numpy as np

from coursekit import plots
from coursekit.algorithms import descent, least_squares
from coursekit.core import datasets, losses, risks, steps, text
from coursekit.explorers.framework import Dataset, Explorer, Objective, View, cached, controls
from coursekit.explorers.own import YOURS

STEPS = 100


class MemoryFit:
    """Least squares on some numbers of some mails, and the scores of these mails."""

    def __init__(
        self, separability: float, eta: float, lam: float, seed: int, numbers: int, mails: int, dataset: str,
        own: Dataset | None,
    ) -> None:
        yours = own if dataset == YOURS else None
        every, order = _mails(separability, seed, mails, yours)
        self.kind, self.columns = "example" if yours else "mail", len(order)
        seen = np.sort(order[:numbers])
        self.data = Dataset(every.X[:, seen], every.y, tuple(every.features[j] for j in seen), every.classes)
        X, y = self.data.X, self.data.y
        theta = least_squares.least_squares(X, y, lam)
        objective = Objective(X, y, losses.squared, lam=lam)
        self.descent = descent.gradient_descent(objective, steps.constant(eta), STEPS)
        self.scores, self.reached = (X @ one[:-1] + one[-1] for one in (theta, self.descent.theta))
        self.misclassified = risks.misclassified(y * self.scores)
        self.square, self.reached_square = (float(np.mean((y - f) ** 2)) for f in (self.scores, self.reached))


class MemoryExplorer(Explorer[MemoryFit]):
    """The scores that least squares gives to the mails it has learned from, and to no others.

        mean (y - f)^2 + lam/2 ||w||^2;  of several that are equally good the shortest w

    Controls: separability (0: the mails as they are), eta, lam, seed (which mails, and which of the 57 numbers come
    first), numbers (how many of them are seen), mails. On request: the scores after 100 steps of gradient descent
    from 0 with step size eta.
    """

    separability = controls.separability(0.0)
    eta = controls.eta(0.05, -3.0, 0.0)
    lam = controls.lam(0.0, -3.0, 2.0)
    seed = controls.seed(4)
    numbers = controls.whole("numbers", 10, 1, 57, "how many of the 57 numbers of each mail are seen",
                             last=lambda now: now.columns)
    mails = controls.whole("mails", 50, 20, 200, "how many mails to learn from")
    dataset = controls.choice("data", ("mails",), tucked=True)

    size, below = (9.0, 3.8), 3.6
    takes_data = "any"
    piles = View(plots.Piles, (0, 0, 1, 1), (0.2, 0.5, 0.2, 0.4), "The mails that it has learned from", 0.1,
                 narrow=3.0, compared=True, xlabel="score f")
    reached = View(plots.Piles, (0, 0, 1, 1), (0.2, 0.5, 0.2, 0.4), "Their scores after 100 steps of descent", 0.1,
                   also="descent", narrow=3.0, xlabel="score f")

    model = MemoryFit

    def show(self, fit: MemoryFit, eta: float, lam: float) -> str:
        self.piles.show(fit.scores, fit.data.y)
        self.reached.show(fit.reached, fit.data.y)
        n, d = fit.data.X.shape
        said = (f"{text.counted(d, 'number')} of each {fit.kind}, lambda = {lam:.3g}: wrong about {fit.misclassified} "
                f"of the {text.counted(n, fit.kind)} that it has learned from; mean squared loss "
                f"{text.number(0.0 if fit.square < 1e-12 else fit.square)}.")
        if fit.descent.status.startswith("diverged") or fit.descent.values[-1] > 10 * fit.descent.values[0]:
            return f"{said} eta = {eta:.3g} is too large: descent diverges."
        reached = text.number(fit.reached_square)
        return f"{said} After {STEPS} steps of descent with eta = {eta:.3g} it is {reached}."


@cached
def _mails(separability: float, seed: int, mails: int, own: Dataset | None) -> tuple[Dataset, np.ndarray]:
    every = (own or datasets.load("mail")).moved_apart(separability)
    if own:
        rows = np.random.default_rng(seed).permutation(len(own))[:mails]
        few = replace(every, X=every.X[rows], y=every.y[rows])
    else:
        few, _ = every.split(mails / len(every), 1 - mails / len(every), seed=seed)
    return few.standardized(), np.random.default_rng(seed).permutation(every.X.shape[1])
