"""What learned a theta classifies new examples with it."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike

from coursekit.core import validate
from coursekit.core.validate import Floats


class HasTheta(Protocol):
    @property
    def theta(self) -> Floats: ...


class LinearRule:
    """Gives a result with `theta` the methods of a classifier: f(x) = w . x + theta_0, and its sign.

    theta: (d + 1,), the offset last, or (d,) where it says `offset = False`.
    """

    def decision_function(self: HasTheta, X: ArrayLike) -> Floats:
        """The score f(x) of each row of X, (n, d). ValueError for another number of columns, and for several thetas.

        >>> from coursekit import perceptron
        >>> trace = perceptron([[0, 0], [0, 1], [1, 0]], [-1, 1, 1])
        >>> trace.decision_function([[1, 1], [0, 0]]), trace.predict([[1, 1], [0, 0]])
        (array([ 3., -1.]), array([ 1., -1.]))
        """
        return _of_one_line(self, X)

    def predict(self: HasTheta, X: ArrayLike) -> Floats:
        """The sign of each score, +1 or -1; a score of 0 decides nothing and gives 0."""
        return np.sign(_of_one_line(self, X))


def _of_one_line(rule: HasTheta, X: ArrayLike) -> Floats:
    theta = rule.theta
    if theta.ndim != 1:
        raise ValueError(f"theta must be one line to classify with; got {len(theta)}: choose one lambda")
    return scores(theta if getattr(rule, "offset", True) else np.append(theta, 0.0), X)


def scores(theta: Floats, X: ArrayLike) -> Floats:
    """theta . (x, 1) for each row of X, (n, d): (n,) for one theta, (d + 1,), and (n, k) for k of them."""
    X, d = validate.features(X), theta.shape[-1] - 1
    if X.shape[1] != d:
        raise ValueError(f"X must have {d} columns, like what was learned from; got {X.shape[1]}")
    return X @ theta[..., :d].T + theta[..., d]
