"""Four ways to find theta for each lambda of a list, and a sentence on how each came about."""

from collections.abc import Sequence

import numpy as np

from coursekit.algorithms import descent, least_squares, path, perceptron, svm
from coursekit.core import losses, steps, validate
from coursekit.models.shared import Dataset, Floats, Objective, ended

METHODS = ("SVM", "logistic regression", "perceptron", "least squares")
STEPS = 40  # of gradient descent
PASSES = 15  # of the perceptron, at most


def fits(train: Dataset, method: str, eta: float, lams: Sequence[float]) -> tuple[Floats, list[str]]:
    """theta for each of L lambdas, (L, d+1), offset last, and L notes on how far eta brought it.

    The SVM and least squares are solved exactly, logistic regression makes 40 steps of gradient descent of size eta,
    the perceptron at most 15 passes, and shrinks theta by 1 - eta lam (at least 0) at each mistake.
    Raises ValueError for another method.

    >>> from coursekit.core import datasets
    >>> thetas, notes = fits(datasets.blobs(20, 1.0), "least squares", 0.3, [0.1, 1.0])
    >>> thetas.shape, notes[0]
    ((2, 3), '')
    """
    validate.one_of("method", method, METHODS)
    X, y = train.X, train.y
    if method == "SVM":
        return svm.svm(X, y, tuple(lams)).theta, [""] * len(lams)
    if method == "least squares":
        thetas = np.array([least_squares.least_squares(X, y, lam) for lam in lams])
        return thetas, [""] * len(lams)
    if method == "perceptron":
        traces = [perceptron.perceptron(X, y, PASSES, eta=eta, lam=min(lam, 1 / eta)) for lam in lams]
        notes = [f"Of η only ηλ = {min(eta * lam, 1.0):.2g} matters; {ended(trace.status)}."
                 for lam, trace in zip(lams, traces, strict=True)]
        return np.array([trace.theta for trace in traces]), notes
    objectives = [Objective(X, y, losses.logistic, lam=lam) for lam in lams]
    paths = [descent.gradient_descent(objective, steps.constant(eta), STEPS) for objective in objectives]
    notes = [_descended(*pair, eta) for pair in zip(objectives, paths, strict=True)]
    return np.array([run.theta for run in paths]), notes


def _descended(objective: Objective, run: path.Path, eta: float) -> str:
    if run.status.startswith("diverged"):
        return f"{run.status.capitalize()}."
    if run.values[-1] > run.values[0]:
        return f"η = {eta:.3g} is too large: the objective rose to {run.values[-1]:.2g}."
    slope = np.linalg.norm(objective.slope(run.theta))
    return f"{STEPS} steps of η = {eta:.3g} leave a slope {slope:.2g} long."
