"""The Bolasso: which features the lasso selects again and again, when the sample is drawn anew.

Sources: F. Bach, Bolasso: model consistent lasso estimation through the bootstrap (2008); CPSC 340 Fall 2020 (UBC).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from coursekit.algorithms.lasso import homotopy, lasso_path
from coursekit.core import validate
from coursekit.core.exact import power_above
from coursekit.core.frozen import Frozen
from coursekit.core.validate import ArrayLike, Floats, NDArray


@dataclass(frozen=True, eq=False, repr=False)
class Bolasso(Frozen):
    """How often each feature is selected. lams: (L,), decreasing. frequencies: (L, d), from 0 to 1."""

    lams: Floats
    frequencies: Floats
    resamples: int

    def selected(self, lam: float, share: float = 1.0) -> NDArray[np.intp]:
        """Features selected in at least this share of the resamples (1: in all), at the lambda nearest to lam."""
        lam, share = validate.number("lam", lam, 0), validate.number("share", share, 0, 1)
        return np.flatnonzero(self.frequencies[np.argmin(np.abs(self.lams - lam))] >= share)

    def __repr__(self) -> str:
        L, d = self.frequencies.shape
        return (f"Bolasso({self.resamples} resamples, {d} features, {L} lambdas from {self.lams[0]:.4g} to "
                f"{self.lams[-1]:.4g}: up to {(self.frequencies == 1).sum(axis=1).max()} features in every resample)")


def bolasso(X: ArrayLike, y: ArrayLike, resamples: int = 128, seed: int = 0) -> Bolasso:
    """The lasso on bootstrap resamples: a feature that only chance let in is rarely selected in all.

    A resample draws n examples with replacement, so it is a count k_i for each example, and all it needs of the data
    are weighted sums: X' diag(k) X, X' k and so on. Each has its own exact path, read at 100 lambdas, from the largest
    of the full data to its thousandth.

    X: (n, d). y: (n,), labels or any finite numbers. ValueError where `lasso_path` raises it, for
    resamples < 1 and for seed < 0; TypeError for what is not a number.

    >>> from coursekit import datasets
    >>> D = datasets.load("iris", classes=("versicolor", "virginica"), standardize=True)
    >>> bolasso(D.X, D.y, resamples=32).selected(0.2)
    array([2, 3])
    """
    full = lasso_path(X, y)
    resamples, rng = validate.count("resamples", resamples), validate.generator(seed)
    C, r = np.asarray(X, dtype=np.float64) - full.center, np.asarray(y, dtype=np.float64) - full.mean
    C[:, np.ptp(C, axis=0) == 0] = 0.0
    units, y_unit = power_above(np.abs(C).max(axis=0)), power_above(np.abs(r).max())
    C, r = C / units, r / y_unit
    (n, d), height = C.shape, np.abs(r).max()
    lams = np.geomspace(1, 1e-3, 100) * full.lams[0]
    frequencies = np.zeros((len(lams), d))
    for _ in range(resamples):
        k = rng.multinomial(n, np.full(n, 1 / n)) / n
        x, t, weighted = k @ C, k @ r, k[:, None] * C
        knots, weights = homotopy(2 * (C.T @ weighted - np.outer(x, x)), 2 * (r @ weighted - x * t), height, units)
        used = weights != 0
        used = np.vstack([used[:-1] | used[1:], np.zeros(d, dtype=bool)])  # between a knot and the next
        frequencies += used[len(knots) - 1 - np.searchsorted(knots[::-1] * y_unit, lams, side="right")]
    return Bolasso(lams, frequencies / resamples, resamples)
