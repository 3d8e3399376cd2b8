"""The lasso for every lambda at once: a path of straight lines, followed from knot to knot.

Sources: R. Tibshirani, Regression shrinkage and selection via the lasso (1996); M. Osborne, B. Presnell and B. Turlach,
A new approach to variable selection (2000); J. Goodnight, A tutorial on the SWEEP operator (1979); H. Zou and
T. Hastie, Regularization and variable selection via the elastic net (2005); CPSC 340 Fall 2020 (UBC).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from coursekit.core import validate
from coursekit.core.exact import power_above
from coursekit.core.frozen import Frozen
from coursekit.core.validate import ArrayLike, Floats, NDArray


@dataclass(frozen=True, eq=False, repr=False)
class LassoPath(Frozen):
    """The lasso weights as a function of lambda: straight lines between the knots.

    lams: (knots,), decreasing to 0; at the first one and above all weights are 0.
    weights: (knots, d). center: (d,), mean of X. mean: mean of y.
    """

    lams: Floats
    weights: Floats
    center: Floats
    mean: float

    def at(self, lam: float | ArrayLike) -> Floats:
        """The weights for lam: (d,) for a number, (L, d) for an array of L."""
        lams = validate.array("lam", lam)
        if (lams < 0).any():
            raise ValueError(f"lam must be >= 0; got {lam!r}")
        unit = power_above(self.lams[0])  # slopes of 1e300 would overflow
        units = power_above(np.abs(self.weights).max(axis=0))
        knots, columns = self.lams[::-1] / unit, self.weights[::-1].T
        weights = [np.interp(lams / unit, knots, w / u) * u for w, u in zip(columns, units, strict=True)]
        return np.stack(weights, axis=-1)

    def theta_at(self, lam: float | ArrayLike) -> Floats:
        """(weights, offset) for lam: (d + 1,) for a number, (L, d + 1) for an array of L."""
        w = self.at(lam)
        return np.concatenate([w, (self.mean - w @ self.center)[..., None]], axis=-1)

    def selected(self, lam: float) -> NDArray[np.intp]:
        """The features with a weight other than 0: all that a slower method then has to look at."""
        return np.flatnonzero(self.at(validate.number("lam", lam, 0)))

    def __repr__(self) -> str:
        return (f"LassoPath({len(self.lams)} knots from lam = {self.lams[0]:.4g} to 0, "
                f"{np.count_nonzero(self.weights[-1])} of {self.weights.shape[1]} features at the end)")


def lasso_path(X: ArrayLike, y: ArrayLike, ridge: float = 0.0, offset: bool = True) -> LassoPath:
    """Minimize  1/n ||y - X w - b||^2 + lam ||w||_1 + ridge/2 ||w||^2  for every lam >= 0.

    This is `Objective` with the squared loss, and its lam. The offset b is not penalized: X and y are centerd
    first, which is the same. With G = 2/n X'X + ridge I and c = 2/n X'y of the centerd data, the features A
    that take part and the signs s of their weights,

        w_A = G_AA^-1 (c_A - lam s)

    is a straight line in lam. It ends at a knot, where the pull c_j - G_jA w_A of a feature outside reaches +-lam (it
    joins) or a weight reaches 0 (it leaves). Penalizing makes sense for features of like scale: standardize them first.

    X: (n, d). y: (n,), labels or any finite numbers. A feature that those in A can express (a twin)
    stays out. ridge: >= 0; above 0 this is the elastic net, which lets twins in together.
    offset: False leaves b out (b = 0) and centers nothing.

    ValueError for NaN or infinite entries, no examples, X and y of different length, ridge < 0 or entries
    whose products overflow; TypeError for what is not a number.

    >>> path = lasso_path([[1, 1], [1, -1], [-1, 1], [-1, -1]], [3, 1, -1, -3])
    >>> path.lams, path.at(0.5)
    (array([4., 2., 0.]), array([1.75, 0.75]))
    """
    X, y = validate.features(X), validate.array("y", y, ndim=1)
    validate.same_length(X, y)
    ridge = validate.number("ridge", ridge, 0)
    center, mean = (X.mean(axis=0), float(y.mean())) if offset else (np.zeros(X.shape[1]), 0.0)
    with np.errstate(over="ignore", invalid="ignore"):
        C, r = X - center, y - mean
        C[:, np.ptp(X, axis=0) == 0] *= float(not offset)  # what rounding left of a constant
        units = power_above(np.maximum(np.abs(C).max(axis=0), np.sqrt(ridge)))  # near the largest of each column
        y_unit = power_above(np.abs(r).max())
        C = C / units
        G, c = C.T @ C * (2 / len(y)) + np.diag(ridge / units / units), C.T @ (r / y_unit) * (2 / len(y))
        finite = np.isfinite(G * units * units[:, None]).all() and np.isfinite(c * units * y_unit).all()
    if not finite:
        raise ValueError(f"X and y must have entries whose products do not overflow; got {np.abs(X).max():g}")
    lams, weights = homotopy(G, c, np.abs(y).max() / y_unit, units)
    return LassoPath(lams * y_unit, weights * y_unit, center, mean)


def homotopy(G: Floats, c: Floats, height: float, units: Floats) -> tuple[Floats, Floats]:
    """(lams, weights) at the knots of the path of  1/2 w'G w - c'w + lam ||w||_1. height: of the y in c.

    G and c are of features divided by their units, which keeps features of unlike scale equally precise. So
    their weights come out multiplied by the units, and their pulls have to reach not lam but lam / unit.

    The table T starts as (G, c); each event sweeps the feature that joins or leaves. With A the features
    that take part and s their signs over the units (0 for the others), the column of c then holds the weights
    at lam = 0 in the rows of A and the pulls at lam = 0 in the others, and T s is how fast both fall with lam.
    So a knot costs d^2 operations, and no system of equations has to be solved.

    Two features that reach lam together leave open which joins first. So the order of the events is
    decided with c nudged by a part in 1e9, which has no ties; the knots are computed with c itself.
    """
    d, spread = len(c), np.sqrt(np.maximum(G.diagonal(), 0))  # a constant feature can have a variance of -1e-17
    size, price = np.abs(c).max(), 1 / units
    nudged = c * (1 + 1e-9 * np.random.default_rng(0).random(d))
    heard = (np.abs(c) > 1e-14 * spread * height) & (spread > 3e-8)  # other pulls are rounding
    if not heard.any():
        return np.zeros(1), np.zeros((1, d))
    T = np.column_stack([G, nudged, c])
    j = int(np.where(heard, np.abs(nudged) * units, 0).argmax())
    lam, lam_nudged, active, s = np.abs(c[j]) * units[j], np.inf, np.zeros(d, dtype=bool), np.zeros(d)
    s[j] = np.sign(c[j]) * price[j]
    lams, weights, prices = [lam], [np.zeros(d)], [price[j]]
    while lam > 0:
        _sweep(T, j)
        active[j] = not active[j]
        at_0, fall = T[:, d:].T, T[:, :d] @ s  # weights or pulls: at_0 - lam fall, for both versions of c
        free = ~active & (T.diagonal() > 1e-10 * spread**2)  # what those in A cannot express
        # Events are at lam = gain / rate: a weight reaches 0 or a pull lam, then a pull -lam.
        gain = np.hstack([np.where(active, -np.sign(s), 1.0) * at_0, -at_0])
        rate = np.concatenate([np.where(active, -np.sign(s) * fall, price + fall), price - fall])
        ahead = (rate > 0) & np.concatenate([active | free, free])
        events = np.where(ahead, gain / np.where(ahead, rate, 1), 0)
        dear = np.where(active, price[active].max(initial=0), np.maximum(price, np.abs(fall)))
        events[0, events[0] * np.tile(dear, 2) <= 1e-11 * size] = 0  # rounding
        e = int(events[0].argmax())
        lam_nudged = min(lam_nudged, events[0, e])
        lam = max(0.0, min(lam, events[1, e])) if lam_nudged > 0 else 0.0
        lams.append(lam)
        weights.append(np.where(active, at_0[1] - lam * fall, 0.0))
        j = e % d
        prices.append(dear[j])
        s[j] = 0.0 if active[j] else price[j] if e < d else -price[j]
    knots, rows = np.array(lams), np.array(weights)
    rows[np.abs(rows) * spread * spread.max() <= 1e-12 * size] = 0  # rounding of a weight that just left or joined
    kept = np.append(-np.diff(knots) * prices[:-1] > 1e-12 * size, True)
    return knots[kept], rows[kept] / units


def _sweep(T: Floats, j: int) -> None:
    """Solve row j for its own unknown and put that into the other rows; once more takes it back."""
    pivot, column, row = T[j, j], T[:, j].copy(), T[j] / T[j, j]
    T -= column[:, None] * row
    T[j], T[:, j] = row, -column / pivot
    T[j, j] = 1 / pivot
