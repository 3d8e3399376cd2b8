"""Least squares as a classifier: regression on labels -1 and +1, solved by a formula; also on some features alone.

Source: CPSC 340 (UBC, 2020), Linear Classifiers; Morrison and Pardo (EECS 349, 2019), Gradient Descent.
"""

from __future__ import annotations

import numpy as np

from coursekit.core import validate
from coursekit.core.exact import power_above
from coursekit.core.validate import ArrayLike, Floats


def least_squares(X: ArrayLike, y: ArrayLike, lam: float = 0.0, offset: bool = True) -> Floats:
    """The theta that minimizes  mean_i (y_i - f(x_i))^2 + lam/2 ||w||^2,  f(x) = w . x + offset.

    The penalty is d more rows of squares: sqrt(n lam / 2) w_j should be 0. The offset has none: X and y
    are centerd first, which is the same, and keeps the digits of data that lie far from 0.

    X: (n, d). y: (n,) in {-1, +1}. lam: >= 0. Returns theta, (d + 1,), offset last; (d,) when offset=False. Where
    several theta are optimal it is one with the shortest w. ValueError for NaN or infinite entries, no examples, other
    labels, X and y of different length or lam < 0; TypeError for what is not a number.

    >>> least_squares([[0.0], [1.0], [2.0], [3.0]], [-1, -1, 1, 1]).round(3)
    array([ 0.8, -1.2])
    """
    X, y = validate.examples(X, y)
    lam = validate.number("lam", lam, 0)
    n, d = X.shape
    center, mean = (X.mean(axis=0), y.mean()) if offset else (np.zeros(d), 0.0)
    rows = np.vstack([X - center, np.sqrt(n / 2) * np.sqrt(lam) * np.eye(d)])
    w = shortest(rows, np.append(y - mean, np.zeros(d)))
    return np.append(w, mean - w @ center) if offset else w


def debias(X: ArrayLike, y: ArrayLike, selected: ArrayLike) -> Floats:
    """Least squares on the selected features alone: undoes the shrinking that selected them.

    X: (n, d). y: (n,). selected: feature indices, as from `LassoPath.selected`. Returns theta, (d + 1,),
    with weight 0 for the others. Where several are optimal it is the shortest w. ValueError for NaN or
    infinite entries, no examples, X and y of different length or a feature that does not exist.

    >>> debias([[1, 1], [1, -1], [-1, 1], [-1, -1]], [3, 1, -1, -3], [0])
    array([2., 0., 0.])
    """
    X, y = validate.features(X), validate.array("y", y, ndim=1)
    validate.same_length(X, y)
    theta = np.append(np.zeros(X.shape[1]), y.mean())
    if np.size(selected):
        chosen = validate.indices("selected", selected, X.shape[1])
        center = X[:, chosen].mean(axis=0)
        theta[chosen] = shortest(X[:, chosen] - center, y - theta[-1])
        theta[-1] -= center @ theta[chosen]
    return theta


def shortest(rows: Floats, goals: Floats) -> Floats:
    """The w with the least |rows w - goals|^2, whatever the scale of each column; of several the shortest.

    Where several are optimal, columns some 15 powers of ten smaller than others count as 0.
    """
    w, used = np.zeros(rows.shape[1]), rows.any(axis=0)
    units = power_above(np.abs(rows[:, used]).max(axis=0))
    scaled, _, rank, _ = np.linalg.lstsq(rows[:, used] / units, goals, rcond=None)
    unique = rank == len(units)
    w[used] = scaled / units if unique else np.linalg.lstsq(rows[:, used], goals, rcond=None)[0]
    return w
