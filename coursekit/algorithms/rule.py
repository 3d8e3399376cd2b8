"""What learned a theta classifies new examples with it."""

from __future__ import annotations

from typing import Any

import numpy as np

from coursekit.core import validate
from coursekit.core.keywords import explained
from coursekit.core.validate import ArrayLike, Floats


@explained
class LinearRule:
    """Gives a result with `theta` the methods of a classifier: f(x) = w . x + theta_0, and its sign.

    theta: (d + 1,), the offset last, or (d,) where it says `offset = False`.
    """

    def decision_function(self: Any, X: ArrayLike) -> Floats:
        """The score f(x) of each row of X, (n, d). ValueError for another number of columns, and for several thetas.

        >>> from coursekit import perceptron
        >>> trace = perceptron([[0, 0], [0, 1], [1, 0]], [-1, 1, 1])
        >>> trace.decision_function([[1, 1], [0, 0]]), trace.predict([[1, 1], [0, 0]])
        (array([ 3., -1.]), array([ 1., -1.]))
        """
        return self._scores(X)

    def predict(self, X: ArrayLike) -> Floats:
        """The sign of each score, +1 or -1; a score of 0 decides nothing and gives 0."""
        return np.sign(self._scores(X, enlarged=True))

    def _scores(self: Any, X: ArrayLike, enlarged: bool = False) -> Floats:
        if self.theta.ndim != 1:
            raise ValueError(f"theta must be one line to classify with; got {len(self.theta)}: choose one lambda")
        return scores(self.theta if getattr(self, "offset", True) else np.append(self.theta, 0.0), X, enlarged)


def scores(theta: Floats, X: ArrayLike, enlarged: bool = False) -> Floats:
    """theta . (x, 1) for each row of X, (n, d): (n,) for one theta, (d + 1,), and (n, k) for k of them; enlarged: times
    one power of two, so that none becomes 0 for being small, which is enough for signs and order."""
    X, d = validate.features(X), theta.shape[-1] - 1
    if X.shape[1] != d:
        raise ValueError(f"X must have {d} columns, like what was learned from; got {X.shape[1]}")
    if enlarged:
        theta = np.ldexp(theta, 990 - np.frexp(np.abs(theta).max())[1] - np.frexp(np.abs(X).max(initial=1))[1])
    return X @ theta[..., :d].T + theta[..., d]
