"""Least squares as a classifier: regression on labels -1 and +1, solved by a formula; also on some features
alone, and with a penalty: its minimum for any lambda, and a whole path of them.

Source: CPSC 340 (UBC, 2020), Linear Classifiers; Morrison and Pardo (EECS 349, 2019), Gradient Descent.
"""

from __future__ import annotations

import numpy as np

from coursekit.algorithms.descent import proximal_descent
from coursekit.algorithms.lasso import lasso_path
from coursekit.core import losses, penalties, steps, validate
from coursekit.core.datasets import Dataset
from coursekit.core.exact import power_above
from coursekit.core.keywords import explained
from coursekit.core.objective import Objective
from coursekit.core.validate import ArrayLike, Floats

PENALTIES = ("l1", "l2", "elastic net", "sqrt")
RIDGE = 0.2  # the elastic net's share of L2


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
    w[used] = scaled / units if rank == len(units) else np.linalg.lstsq(rows[:, used], goals, rcond=None)[0]
    return w


@explained
class PenalizedPath:
    """The theta, (d+1,), that minimize mean (1 - y f)^2 + lam penalty(w), offset last.

    penalty: "l1" and "l2" are ||w||_1 and ||w||^2 / 2; "elastic net" is L1 with 0.2 times ||w||^2 / 2 beside it,
    which stays while lam moves; "sqrt" is the sum of |w|^(1/2), of which local minima are followed from lambda to
    lambda. free: whether the offset is left out of the penalty.
    lams, (L,), from small to large and with 0 first; sqrt, which has no formula, takes every second one.
    thetas: (L, d+1), at these lams. Raises ValueError for another penalty.

    >>> from coursekit.core import datasets
    >>> path = PenalizedPath(datasets.blobs(20, 1.0), "l1", True, [0.0, 0.1, 10.0])
    >>> path.thetas[-1, :2], bool(np.allclose(path.at(0.1), path.thetas[1]))
    (array([0., 0.]), True)
    """

    def __init__(self, data: Dataset, penalty: str, free: bool, lams: Floats) -> None:
        self.penalty, self.free = validate.one_of("penalty", penalty, PENALTIES), free
        self.X = data.X if free else np.column_stack([data.X, np.ones(len(data))])  # then the offset is a weight
        self.y, self.ridge = data.y, RIDGE if penalty == "elastic net" else 0.0
        lams = np.asarray(lams, float)
        self.lams = np.append(lams[0], lams[1::2]) if penalty == "sqrt" else lams
        if penalty == "l2":
            self.thetas = np.array([self.at(lam) for lam in lams])
        elif penalty == "sqrt":
            thetas = [np.zeros(data.X.shape[1] + 1)]
            for lam in self.lams:
                thetas.append(self._local(lam, thetas[-1], 2e-4))
            self.thetas = np.array(thetas[1:])
        else:
            path = lasso_path(self.X, self.y, self.ridge, free)
            self._on_lasso = path.theta_at if free else path.at
            self.thetas = self._on_lasso(lams)

    def objective(self, lam: float) -> Objective:
        """What is minimized."""
        penalty = {"l1": penalties.l1, "l2": penalties.l2, "sqrt": penalties.lq(0.5)}.get(self.penalty)
        whole = lam + self.ridge
        penalty = penalty or penalties.elastic_net(lam / whole)
        return Objective(self.X, self.y, losses.squared, penalty, whole, self.free)

    def at(self, lam: float) -> Floats:
        """The minimum for one lam; with sqrt a local one near that of the path."""
        if self.penalty == "l2":
            return least_squares(self.X, self.y, lam, self.free)
        if self.penalty == "sqrt":
            return self._local(lam, self.thetas[np.searchsorted(self.lams, lam, side="right") - 1], 1e-5)
        return self._on_lasso(lam)

    def _local(self, lam: float, start: Floats, tolerance: float) -> Floats:
        """Where at most 400 proximal steps from `start` lead: to, or close to, a local minimum of the sqrt penalty."""
        if lam == 0:
            return least_squares(self.X, self.y, 0.0, self.free)
        objective = self.objective(lam)
        curvature = 2 * np.linalg.eigvalsh(objective.Z.T @ objective.Z)[-1] / len(self.y)
        return proximal_descent(objective, steps.constant(1 / curvature), 400, start, tolerance).theta
