"""Novikoff's bound on the perceptron's mistakes.

Source: A. Novikoff, On convergence proofs for perceptrons (1962).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ldexp, nextafter
from typing import Any

import numpy as np

from coursekit.core import validate
from coursekit.core.exact import Exact, above_zero, digits, multiple, power_above, root, solve, whole
from coursekit.core.frozen import Frozen
from coursekit.core.risks import longest, with_constant
from coursekit.core.validate import ArrayLike, Floats

TINY = nextafter(0.0, 1.0)
AFFORDABLE = 10_000  # entries of theta x binary digits: whole numbers take a second or two then


@dataclass(frozen=True, eq=False, repr=False)
class Bound(Frozen):
    """Novikoff: on separable data the perceptron makes at most (R / gamma)^2 mistakes, in any order.

    R: length of the longest augmented example (x, 1). gamma: the largest margin any unit theta reaches, min_i y_i theta
    . (x_i, 1); 0 where the data are not separable. theta: such a theta. exact: whether this is certain. Where rounding
    could hide gamma it is computed in whole numbers, unless they would be too many: then gamma can be too small, and 0
    where it is not. `mistakes` is inf where gamma is 0, and where there are more than numbers can say.
    """

    R: float
    gamma: float
    theta: Floats
    exact: bool = True

    @property
    def mistakes(self) -> float:
        ratio = self.R / self.gamma if self.gamma > 0 else float("inf")
        return ratio * ratio

    def corridor(self, mistakes: int, shrink: float = 0.0) -> tuple[Floats, Floats]:
        """What ||theta|| / (eta R) can be after 0, 1, ..., `mistakes` mistakes: (at least, at most).

            at least  a_{k+1} = (1 - shrink) a_k + gamma / R        gamma k / R  for shrink = eta lam = 0
            at most   b_{k+1} = sqrt((1 - shrink)^2 b_k^2 + 1)      sqrt(k)      for shrink = 0
        """
        keep = 1 - validate.number("shrink", shrink, 0, 1)
        kept = keep ** np.arange(validate.count("mistakes", mistakes, 0))
        pace = self.gamma / self.R if self.R else 0.0
        return pace * np.append(0.0, np.cumsum(kept)), np.sqrt(np.append(0.0, np.cumsum(kept * kept)))

    def __repr__(self) -> str:
        doubt = "" if self.exact else ", or more, which rounding hides"
        return f"Bound(R = {self.R:.4g}, gamma = {self.gamma:.4g}{doubt}: at most {self.mistakes:.4g} mistakes)"


def mistake_bound(X: ArrayLike, y: ArrayLike, offset: bool = True) -> Bound:
    """The bound (R / gamma)^2 on the perceptron's mistakes, with the true largest gamma.

        gamma = max over ||theta|| = 1 of  min_i  y_i theta . (x_i, 1)

    This is the distance of the origin from the convex hull of the vectors y_i (x_i, 1) (the two problems are dual). Its
    nearest point is found by Wolfe's method, to nine digits at least where the result says `exact`. With offset=False
    the vectors are y_i x_i.

    X: (n, d). y: (n,) in {-1, +1}. ValueError for NaN or infinite entries, no examples, other labels, X and
    y of different length or entries whose squares overflow; TypeError for what is not a number.

    >>> mistake_bound([[0, 0], [0, 1], [1, 0]], [-1, 1, 1])
    Bound(R = 1.414, gamma = 0.3333: at most 18 mistakes)
    """
    X, y = validate.examples(X, y)
    Z = y[:, None] * with_constant(X, offset)
    R, unit = longest(Z), float(power_above(np.abs(Z).max()))
    rows = Z / unit
    corral, weights = _nearest_to_origin(rows)
    point = weights @ rows[corral]
    length = float(np.linalg.norm(point))
    theta = point / (length or 1.0)
    gamma = float((rows @ theta).min())
    if length - gamma + 1e-15 * Z.shape[1] * R / unit <= 1e-9 * gamma:  # the truth is between them
        return Bound(R, gamma * unit, theta)
    if Z.shape[1] * digits(Z) <= AFFORDABLE:
        return Bound(R, *_exactly(Z, corral, weights))
    if above_zero(Z, theta).all():
        return Bound(R, max(gamma * unit, TINY), theta, exact=False)
    return Bound(R, 0.0, np.zeros(Z.shape[1]), exact=False)


def _nearest_to_origin(Z: Any, start: tuple[list[int], Any] | None = None,
                       slack: float = 1e-14) -> tuple[list[int], Any]:
    """The point of the convex hull of the rows of Z nearest to 0 (P. Wolfe, 1976), as rows and their weights.

    Keeps a few rows (a corral) and their weights, at first the row nearest to 0. Each round goes to the nearest
    point of the plane through the corral, drops rows whose weight would turn negative before it gets there, and
    adds the row furthest toward the origin. Ends when no row is nearer: point . z >= point . point for all z.
    Z: numbers of any kind; those that are exact need no slack.
    """
    corral, weights = start or ([int((Z**2).sum(axis=1).argmin())], np.ones(1))
    affine_weights = _affine_weights if slack else _exact_affine_weights
    for _ in range(50 * sum(Z.shape)):
        while True:
            goal = affine_weights(Z[corral])
            if (goal > slack).all():
                weights = goal
                break
            falling = goal <= slack
            pairs = zip(weights[falling], goal[falling], strict=True)
            step = min(w / (w - g) if w > g else 0 * w for w, g in pairs)
            weights = weights + min(step, 1) * (goal - weights)
            kept = weights > slack
            if kept.all():
                kept[np.flatnonzero(falling)[np.argmin(weights[falling])]] = False
            corral = [c for c, k in zip(corral, kept, strict=True) if k]
            weights = weights[kept] / weights[kept].sum()
        point = weights @ Z[corral]
        direction = point if slack else multiple(point)
        scores = Z @ direction
        j = int(scores.argmin())
        if scores[j] >= (1 - 100 * slack) * (point @ direction) or point @ point < slack * slack or j in corral:
            break
        corral, weights = [*corral, j], np.append(weights, 0 * weights[0])
    return corral, weights


def _affine_weights(P: Floats) -> Floats:
    """Weights with sum 1 of the point nearest to 0 on the plane through the rows of P."""
    if len(P) == 1:
        return np.ones(1)
    rest = np.linalg.lstsq((P[1:] - P[0]).T, -P[0], rcond=None)[0]
    return np.concatenate([[1 - rest.sum()], rest])


def _exact_affine_weights(P: Exact) -> Exact:
    """The same, exactly: where P P' + 1 (in every entry) times u is 1, u is a multiple of the weights."""
    u = solve(P @ P.T + 1, np.ones(len(P), dtype=int).astype(object))
    return u / u.sum()


def _exactly(Z: Floats, corral: list[int], weights: Floats) -> tuple[float, Floats]:
    """(gamma, theta) without rounding, from the rows, and their weights, that were found with it."""
    W, k = whole(Z)
    exact = np.array([Fraction(w) for w in weights.tolist()], dtype=object)
    try:
        corral, exact = _nearest_to_origin(W, (corral, exact / exact.sum()), 0)
    except ZeroDivisionError:  # rounding took a row that the others express
        corral, exact = _nearest_to_origin(W, (corral[:1], np.array([Fraction(1)], dtype=object)), 0)
    point = exact @ W[corral]
    if not point.any():
        return 0.0, np.zeros(Z.shape[1])
    theta = (point / np.abs(point).max()).astype(np.float64)
    gamma = ldexp(root(sum((p * p for p in point), Fraction(0))), k)
    return max(gamma, TINY), theta / np.linalg.norm(theta)
