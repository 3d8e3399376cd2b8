"""Novikoff's bound on the perceptron's mistakes.

Source: A. Novikoff, On convergence proofs for perceptrons (1962).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from coursekit.core import validate
from coursekit.core.augmented import longest, with_constant
from coursekit.core.frozen import Frozen
from coursekit.core.validate import Floats


@dataclass(frozen=True, eq=False, repr=False)
class Bound(Frozen):
    """Novikoff: on separable data the perceptron makes at most (R / gamma)^2 mistakes, in any order.

    R: length of the longest augmented example (x, 1). gamma: the largest margin any unit theta
    reaches, min_i y_i theta . (x_i, 1); 0 where the data are not separable, or where rounding hides it (as
    it can where gamma is below 1e-8 R). theta: such a theta.
    """

    R: float
    gamma: float
    theta: Floats

    @property
    def mistakes(self) -> float:
        return float((self.R / self.gamma) ** 2) if self.gamma > 0 else float("inf")

    def corridor(self, mistakes: int, shrink: float = 0.0) -> tuple[Floats, Floats]:
        """What ||theta|| / (eta R) can be after 0, 1, ..., `mistakes` mistakes: (at least, at most).

            at least  a_{k+1} = (1 - shrink) a_k + gamma / R        gamma k / R  for shrink = eta lam = 0
            at most   b_{k+1} = sqrt((1 - shrink)^2 b_k^2 + 1)      sqrt(k)      for shrink = 0
        """
        keep = 1 - validate.number("shrink", shrink, 0, 1)
        k = np.arange(validate.count("mistakes", mistakes, 0) + 1.0)
        if keep == 1:
            return self.gamma / self.R * k, np.sqrt(k)
        lower = self.gamma / self.R * (1 - keep**k) / shrink
        return lower, np.sqrt((1 - keep ** (2 * k)) / (1 - keep**2))

    def __repr__(self) -> str:
        return f"Bound(R = {self.R:.4g}, gamma = {self.gamma:.4g}: at most {self.mistakes:.4g} mistakes)"


def mistake_bound(X: ArrayLike, y: ArrayLike, offset: bool = True) -> Bound:
    """The bound (R / gamma)^2 on the perceptron's mistakes, with the true largest gamma.

        gamma = max over ||theta|| = 1 of  min_i  y_i theta . (x_i, 1)

    This is the distance of the origin from the convex hull of the vectors y_i (x_i, 1) (the two
    problems are dual), and the nearest point of the hull is found exactly, by Wolfe's method. With
    offset=False the vectors are y_i x_i.

    X: (n, d). y: (n,) in {-1, +1}. ValueError for NaN or infinite entries, no examples, other labels, X and
    y of different length or entries whose squares overflow; TypeError for what is not a number.

    >>> mistake_bound([[0, 0], [0, 1], [1, 0]], [-1, 1, 1])
    Bound(R = 1.414, gamma = 0.3333: at most 18 mistakes)
    """
    X, y = validate.examples(X, y)
    Z = y[:, None] * with_constant(X, offset)
    R = longest(Z)
    point = _nearest_to_origin(Z / R) if R else Z[0]
    length = float(np.linalg.norm(point))
    theta = point / length if length else point
    gamma = float((Z @ theta).min())
    separable = gamma > 1e-13 * R
    return Bound(R, gamma if separable else 0.0, theta if separable else np.zeros(Z.shape[1]))


def _nearest_to_origin(Z: Floats) -> Floats:
    """The point of the convex hull of the rows of Z nearest to 0 (P. Wolfe, 1976).

    Keeps a few rows (a corral) and their weights. Each round adds the row furthest towards the
    origin, goes to the nearest point of the plane through the corral, and drops rows whose weight
    would turn negative before it gets there. Ends when no row is nearer: point . z >= point . point for all z.
    """
    corral = [int((Z**2).sum(axis=1).argmin())]
    weights = np.ones(1)
    point = Z[corral[0]]
    for _ in range(50 * sum(Z.shape)):
        scores = Z @ point
        j = int(scores.argmin())
        if scores[j] >= (1 - 1e-12) * (point @ point) or point @ point < 1e-28 or j in corral:
            break
        corral.append(j)
        weights = np.append(weights, 0.0)
        while True:
            goal = _affine_weights(Z[corral])
            if (goal > 1e-14).all():
                weights = goal
                break
            falling = goal <= 1e-14
            step = np.min(weights[falling] / np.maximum(weights[falling] - goal[falling], 1e-300))
            weights = weights + min(step, 1.0) * (goal - weights)
            kept = weights > 1e-14
            if kept.all():
                kept[np.flatnonzero(falling)[np.argmin(weights[falling])]] = False
            corral = [c for c, k in zip(corral, kept, strict=True) if k]
            weights = weights[kept] / weights[kept].sum()
        point = weights @ Z[corral]
    return point


def _affine_weights(P: Floats) -> Floats:
    """Weights with sum 1 of the point nearest to 0 on the plane through the rows of P."""
    if len(P) == 1:
        return np.ones(1)
    rest = np.linalg.lstsq((P[1:] - P[0]).T, -P[0], rcond=None)[0]
    return np.concatenate([[1 - rest.sum()], rest])
