"""Least squares as a classifier: regression on labels -1 and +1, solved by a formula.

Source: CPSC 340 (UBC, 2020), Linear Classifiers; Morrison and Pardo (EECS 349, 2019), Gradient Descent.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from coursekit import _validate
from coursekit._validate import Floats


def least_squares(X: ArrayLike, y: ArrayLike, lam: float = 0.0, offset: bool = True) -> Floats:
    """The theta that minimises  mean_i (y_i - f(x_i))^2 + lam/2 ||w||^2,  f(x) = w . x + offset.

    The penalty is d more rows of squares: sqrt(n lam / 2) w_j should be 0. The offset has none.

    X: (n, d). y: (n,) in {-1, +1}. lam: >= 0. Returns theta, (d + 1,), offset last; (d,) when
    offset=False. Where several theta are optimal it is the shortest of them. Raises ValueError or
    TypeError for bad arguments.

    >>> least_squares([[0.0], [1.0], [2.0], [3.0]], [-1, -1, 1, 1]).round(3)
    array([ 0.8, -1.2])
    """
    X, y = _validate.examples(X, y)
    lam = _validate.number("lam", lam, 0)
    n, d = X.shape
    rows = np.column_stack([X, np.ones(n)]) if offset else X
    penalty = np.sqrt(n * lam / 2) * np.eye(d, rows.shape[1])
    theta, *_ = np.linalg.lstsq(np.vstack([rows, penalty]), np.append(y, np.zeros(d)), rcond=None)
    return theta
