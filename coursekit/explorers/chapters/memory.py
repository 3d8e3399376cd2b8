"""Chapter 6: least squares learns its mails by heart, once it sees enough numbers of each."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from coursekit.algorithms.descent import gradient_descent
from coursekit.algorithms.least_squares import least_squares
from coursekit.algorithms.path import Path
from coursekit.core import datasets, losses, steps
from coursekit.core.datasets import Dataset
from coursekit.core.objective import Objective
from coursekit.core.risks import misclassified
from coursekit.core.text import counted, number
from coursekit.core.validate import Floats
from coursekit.explorers import controls
from coursekit.explorers.explorer import Explorer
from coursekit.explorers.view import View
from coursekit.plots import Piles

STEPS = 100


@dataclass(frozen=True)
class Found:
    data: Dataset  # the mails learned from, with the numbers that are seen
    scores: Floats
    misclassified: int
    square: float  # the mean of (y - f)^2
    descent: Path
    reached: Floats  # its scores
    reached_square: float


class MemoryExplorer(Explorer[Found]):
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
    numbers = controls.whole("numbers", 10, 1, 57, "how many of the 57 numbers of each mail are seen")
    mails = controls.whole("mails", 50, 20, 200, "how many mails to learn from")

    size, below = (9.0, 3.8), 3.6
    piles = View(Piles, (0, 0, 1, 1), (0.2, 0.5, 0.2, 0.4), "The mails that it has learned from", 0.1, narrow=3.0,
                 compared=True, xlabel="score f")
    reached = View(Piles, (0, 0, 1, 1), (0.2, 0.5, 0.2, 0.4), "Their scores after 100 steps of descent", 0.1,
                   also="descent", narrow=3.0, xlabel="score f")

    @staticmethod
    def model(separability: float, eta: float, lam: float, seed: int, numbers: int, mails: int) -> Found:
        data, order = _mails(separability, seed, mails)
        seen = np.sort(order[:numbers])
        data = replace(data, X=data.X[:, seen], features=tuple(data.features[j] for j in seen))
        theta = least_squares(data.X, data.y, lam)
        descent = gradient_descent(Objective(data.X, data.y, losses.squared, lam=lam), steps.constant(eta), STEPS)
        scores, reached = (data.X @ one[:-1] + one[-1] for one in (theta, descent.theta))
        return Found(
            data=data, scores=scores, misclassified=misclassified(data.y * scores),
            square=float(np.mean((data.y - scores) ** 2)), descent=descent, reached=reached,
            reached_square=float(np.mean((data.y - reached) ** 2)),
        )

    def show(self, found: Found, eta: float, lam: float) -> str:
        self.piles.show(found.scores, found.data.y)
        self.reached.show(found.reached, found.data.y)
        return sentence(found, eta, lam)


def sentence(found: Found, eta: float, lam: float) -> str:
    """How well the mails are learned, and whether descent got there."""
    n, d = found.data.X.shape
    square = 0.0 if found.square < 1e-12 else found.square
    said = (f"{counted(d, 'number')} of each mail, lambda = {lam:.3g}: wrong about {found.misclassified} of the "
            f"{n} mails that it has learned from; mean squared loss {number(square)}.")
    if found.descent.status.startswith("diverged") or found.descent.values[-1] > 10 * found.descent.values[0]:
        return f"{said} eta = {eta:.3g} is too large: descent diverges."
    return f"{said} After {STEPS} steps of descent with eta = {eta:.3g} it is {number(found.reached_square)}."


@lru_cache(maxsize=8)
def _mails(separability: float, seed: int, mails: int) -> tuple[Dataset, NDArray[np.intp]]:
    every = datasets.load("mail").moved_apart(separability)
    few, _ = every.split(mails / len(every), 1 - mails / len(every), seed=seed)
    return few.standardized(), np.random.default_rng(seed).permutation(every.X.shape[1])
