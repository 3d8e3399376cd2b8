"""Chapter 7: which of the mails' words L1 keeps, against lambda, and what that does to the errors."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache, partial

import numpy as np

from coursekit.algorithms.lasso import LassoPath, lasso_path
from coursekit.algorithms.path import Path
from coursekit.algorithms.proximal import proximal_descent
from coursekit.core import datasets, losses, penalties, steps
from coursekit.core.datasets import Dataset
from coursekit.core.objective import Objective
from coursekit.core.risks import error_rate
from coursekit.core.text import number
from coursekit.core.validate import Floats
from coursekit.explorers import controls
from coursekit.explorers.explorer import Explorer
from coursekit.explorers.view import View, to_lam
from coursekit.plots import ErrorCurves, WeightBars

STEPS, ROWS, RIDGE = 100, 20, 0.6
POWERS = (-3, 0.5)
LAMS = np.append(0.0, 10.0 ** np.linspace(*POWERS, 36))
OWN = ("george", "hp", "hpl", "lab", "labs", "650", "857", "415", "85", "telnet")  # of the receiver


@dataclass(frozen=True)
class Found:
    training: Dataset
    others: Dataset
    rows: list[int]  # features with a bar
    thetas: Floats  # for each of LAMS
    theta: Floats
    training_errors: Floats
    other_errors: Floats
    errors: list[float]  # training and others
    descent: Path
    reached_errors: list[float]
    excess: float  # of the objective that descent has reached
    shuffled: int  # selected


class FeaturesExplorer(Explorer[Found]):
    """The weights of words as bars, and the error on the mails learned from and on all others against lambda.

        1/n sum (y - f)^2 + lam ||w||_1     (elastic net: + 0.3 ||w||^2)

    Controls: separability (0: the mails as they are), eta, lam, seed (which mails to learn from), fit ("L1", "L1,
    refitted", "elastic net"), words ("all", "without the receiver's", "and as many shuffled"), mails (to learn from).
    The open circles are 100 steps of proximal descent from 0 with step size eta. A click on the errors sets lambda.
    """

    separability = controls.real("separability", 0.0, -2.0, 2.0, 0.05, "moves the classes apart (< 0: together)")
    eta = controls.eta(0.05, -3.0, 0.0)
    lam = controls.lam(0.06, *POWERS)
    seed = controls.seed()
    fit = controls.choice("fit", ("L1", "L1, refitted", "elastic net"))
    words = controls.choice("words", ("all", "without the receiver's", "and as many shuffled"))
    mails = controls.whole("mails", 400, 100, 1000, "how many mails to learn from")

    size = 9.0, 5.0
    bars = View(WeightBars, (0, 0, 0.46, 1), (1.1, 0.3, 0.15, 0.6), "The weights of words", 0.1, narrow=4.6)
    curves = View(partial(ErrorCurves, powers=POWERS, other="descent", times=2), (0.46, 0, 1, 1),
                  (0.55, 0.5, 0.15, 0.4), "The error in %", 0.1, click=to_lam, compared=True, xlabel="λ")

    @staticmethod
    def model(separability: float, eta: float, lam: float, seed: int, fit: str, words: str, mails: int) -> Found:
        training, others = _split(separability, seed, words, mails)
        thetas, path = _thetas(training, fit), _path(training, fit)
        theta = _refitted(training, path, lam) if fit == "L1, refitted" else path.theta_at(lam)
        penalty = penalties.elastic_net(lam / (lam + RIDGE)) if fit == "elastic net" else penalties.l1
        strength = lam + RIDGE if fit == "elastic net" else lam
        objective = Objective(training.X, training.y, losses.squared, penalty, strength)
        descent = proximal_descent(objective, steps.constant(eta), STEPS)
        return Found(
            training=training, others=others, rows=_first(path), thetas=thetas, theta=theta,
            training_errors=error_rate(training, thetas), other_errors=error_rate(others, thetas),
            errors=[error_rate(part, theta) for part in (training, others)], descent=descent,
            reached_errors=[error_rate(part, descent.theta) for part in (training, others)],
            excess=float(descent.values[-1] - objective.value(path.theta_at(lam))),
            shuffled=int(np.count_nonzero(theta[57:-1])),
        )

    def show(self, found: Found, eta: float, lam: float, fit: str) -> str:
        names = [found.training.features[j] for j in found.rows]
        if self.stale(*names):
            self.bars.frame([*names, *[""] * (ROWS - len(names))], ("honest", "spam"))
        weights = np.zeros(ROWS)
        weights[: len(found.rows)] = found.theta[found.rows]
        self.bars.show(weights, float(np.abs(found.thetas[:, :-1]).max()))
        elsewhere = np.abs(np.subtract(found.reached_errors, found.errors)).max() > 0.02
        self.curves.show(LAMS, found.training_errors, found.other_errors, lam, found.errors,
                         found.reached_errors if elsewhere else [])
        return sentence(found, eta, lam, fit)


def sentence(found: Found, eta: float, lam: float, fit: str) -> str:
    """How many features are kept, the errors, and whether descent got there."""
    used, d = np.count_nonzero(found.theta[:-1]), len(found.theta) - 1
    false = f", {found.shuffled} of them shuffled" if d > 57 else ""
    best = int(found.other_errors.argmin())
    said = (f"{fit}, lambda = {lam:.3g}: {used} of {d} weights are not 0{false}. Error "
            f"{100 * found.errors[0]:.1f} % on the {len(found.training)} mails learned from, "
            f"{100 * found.errors[1]:.1f} % on the {len(found.others)} others (lowest: "
            f"{100 * found.other_errors[best]:.1f} % at lambda = {LAMS[best]:.3g}).")
    if found.descent.status.startswith("diverged") or found.excess > 10:
        return f"{said} eta = {eta:.3g} is too large: descent diverges."
    came = "arrived" if found.excess <= 0.001 else f"are still {number(found.excess)} above the minimum"
    return f"{said} {STEPS} steps with eta = {eta:.3g} {came}."


def _first(path: LassoPath) -> list[int]:
    """The features with the largest weights somewhere on the path, those for spam first."""
    largest = path.weights[np.abs(path.weights).argmax(axis=0), np.arange(path.weights.shape[1])]
    chosen = np.argsort(-np.abs(path.at(0.02)), kind="stable")[:ROWS]
    return [int(j) for j in chosen[np.argsort(-largest[chosen], kind="stable")]]


@lru_cache(maxsize=8)
def _split(separability: float, seed: int, words: str, mails: int) -> tuple[Dataset, Dataset]:
    data = datasets.words().moved_apart(separability)
    X, features = data.X, data.features
    if words == "without the receiver's":
        kept = [j for j, name in enumerate(features) if name not in OWN]
        X, features = X[:, kept], tuple(features[j] for j in kept)
    if words == "and as many shuffled":
        rng = np.random.default_rng(1000 + seed)
        X = np.column_stack([X, *(rng.permutation(column) for column in X.T)])
        features += tuple(f"{name} shuffled" for name in features)
    order = np.random.default_rng(seed).permutation(len(data))
    training, others = (replace(data, X=X[r], y=data.y[r], features=features) for r in (order[:mails], order[mails:]))
    return training.standardized(), others.standardized(by=training)


@lru_cache(maxsize=8)
def _path(training: Dataset, fit: str) -> LassoPath:
    return lasso_path(training.X, training.y, ridge=RIDGE * (fit == "elastic net"))


@lru_cache(maxsize=8)
def _thetas(training: Dataset, fit: str) -> Floats:
    path = _path(training, fit)
    return np.array([_refitted(training, path, lam) for lam in LAMS]) if "refitted" in fit else path.theta_at(LAMS)


def _refitted(training: Dataset, path: LassoPath, lam: float) -> Floats:
    """What `debias` gives, for features of mean 0; from the products of columns, which are computed once."""
    theta, chosen = np.append(np.zeros(training.X.shape[1]), path.mean), path.selected(lam)
    gram, pull = _products(training)
    theta[chosen] = np.linalg.lstsq(gram[np.ix_(chosen, chosen)], pull[chosen], rcond=None)[0]
    return theta


@lru_cache(maxsize=4)
def _products(training: Dataset) -> tuple[Floats, Floats]:
    return training.X.T @ training.X, training.X.T @ training.y
