"""The soft-margin support vector machine, solved exactly: every answer carries proof of how good it is.

Sources: C. Cortes and V. Vapnik, Support-vector networks (1995); S. Mehrotra, On the implementation of a
primal-dual interior point method (1992); Prasse, Landwehr and Scheffer, Linear Classification Models.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from coursekit.algorithms.rule import LinearRule
from coursekit.core import validate
from coursekit.core.frozen import Frozen
from coursekit.core.validate import ArrayLike, Floats

ON_MARGIN = 1e-6  # an agreement up to 1 + this counts as on the margin
BLOCK = 50_000  # this many lambdas x examples are solved together, which bounds the memory


@dataclass(frozen=True, eq=False, repr=False)
class SoftMargin(LinearRule, Frozen):
    """The optimal line for one lambda. For an array of lambdas every field is stacked along a first axis.

    theta: (d + 1,), offset last. objective: mean hinge loss + lam/2 ||w||^2 at theta.
    gap: objective minus a proven lower bound, and what rounding may hide: theta is at most this far from optimal.
    margin: 1/||w||, half the width of the street (inf where w = 0).
    slack: (n,), max(0, 1 - y f). multipliers: (n,), the a_i of the lower bound (see `svm`).
    support: indices of the support vectors, the examples with y f <= 1 + 1e-6; for an array of lambdas a tuple of them.
    status: in words, whether the gap that was asked for was reached.
    """

    lam: Any
    theta: Floats
    objective: Any
    gap: Any
    margin: Any
    slack: Floats
    multipliers: Floats
    support: Any
    status: str

    def __repr__(self) -> str:
        if isinstance(self.support, tuple):
            return f"SoftMargin({len(self.lam)} lambdas, {self.lam[0]:g} to {self.lam[-1]:g}; {self.status})"
        return (f"SoftMargin(lam = {self.lam:g}: objective {self.objective:.4g}, margin {self.margin:.4g}, "
                f"{len(self.support)} support vectors; {self.status})")


def svm(X: ArrayLike, y: ArrayLike, lam: float | ArrayLike | None = None, gap: float = 1e-6) -> SoftMargin:
    """Minimize  mean_i max(0, 1 - y_i f(x_i)) + lam/2 ||w||^2  over w and the offset b, f(x) = w . x + b.

    The proof: any multipliers a_i in [0, 1] with sum_i a_i y_i = 0 give a lower bound

        mean_i a_i - lam/2 ||v||^2  <=  every objective,      v = sum_i a_i y_i x_i / (n lam)

    and at the optimum both sides are equal and v = w. Such a_i are returned, and the gap is computed from them. The
    solver continues to a thousandth of `gap`, relative to the objective, as long as it makes progress: for lambda -> 0
    on separable data the line becomes the hard-margin line. Where a whole interval of offsets is optimal for w, its
    midpoint is taken; with one class only, w = 0 and the offset is that class's label.

    X: (n, d). y: (n,) in {-1, +1}. lam: a number > 0, or an array of them, solved together. Without it 1/n: the sum of
    all hinge losses then counts like 1/2 ||w||^2, which is C = 1 and so what scikit-learn's SVC does unless it is told.
    ValueError for NaN or infinite entries, no examples, other labels, X and y of different length, a gap or
    lam that is not > 0 (for lam = 0 an optimum need not exist), or lam / spread^2 beyond 1e-280 to 1e280;
    TypeError for what is not a number.

    >>> svm([[0, 0], [0, 1], [3, 0], [3, 1]], [-1, -1, 1, 1], lam=0.01)
    SoftMargin(lam = 0.01: objective 0.002222, margin 1.5, 4 support vectors; gap <= 1e-06 reached)
    """
    X, y = validate.examples(X, y)
    gap, lam = validate.number("gap", gap, 0, above=True), 1 / len(X) if lam is None else lam
    lams = validate.array("lam", lam)
    if lams.ndim > 1 or lams.size == 0 or (lams <= 0).any():
        raise ValueError(f"lam must be a number > 0 or a non-empty 1-D array of them; got {lam!r}")
    scalar, lams = lams.ndim == 0, np.atleast_1d(lams)
    with np.errstate(all="ignore"):
        center = X.mean(axis=0)
        C = X - center  # moves only the offset; without it, data far from 0 lose all digits
        unit = float(np.abs(C).max()) or 1.0
        scaled = lams / np.square(unit)
    if not (scaled.min() > 1e-280 and scaled.max() < 1e280):
        raise ValueError(f"lam / spread^2 of X must lie in 1e-280 to 1e280; got lam {lam!r} and spread {unit:g}")
    varied = C.any(axis=0)  # a constant feature has weight 0
    varied[0] = True  # one at least
    C, back = C[:, varied] / unit, None
    if C.shape[1] > len(C):  # w is a combination of the n examples: n coordinates are enough
        back, R = np.linalg.qr(C.T)
        C = R.T
    Z = y[:, None] * np.column_stack([C, np.ones(len(C))])
    blocks = np.array_split(scaled, min(len(lams), -(-len(lams) * len(C) // BLOCK)))
    theta, a = map(np.concatenate, zip(*[_interior_point(Z, block, gap) for block in blocks], strict=True))
    theta[:, -1] = _offset(C @ theta[:, :-1].T, y)
    agreement, objective, a, bound = _certificate(Z, scaled, theta, a)
    w = np.zeros((len(lams), X.shape[1]))
    w[:, varied] = (theta[:, :-1] if back is None else theta[:, :-1] @ back.T) / unit
    theta = np.column_stack([w, theta[:, -1] - w @ center])
    with np.errstate(divide="ignore"):
        margin = 1 / np.linalg.norm(w, axis=1)
    # Each term of the sums above, and w and the offset as they are returned, are rounded: they prove no less.
    terms = 1 + (np.abs(X) @ np.abs(w).T).max(axis=0) + np.abs(theta[:, -1])
    gaps = objective - bound + np.finfo(float).eps * sum(X.shape) * terms
    late = np.count_nonzero(gaps > gap)
    missed = f"NOT reached for {late} of {len(lams)} lambdas, the largest is {gaps.max():.1g}"
    status = f"gap <= {gap:g} {missed if late else 'reached'}"
    support = tuple(np.flatnonzero(m <= 1 + ON_MARGIN) for m in agreement)
    fields: list[Any] = [lams, theta, objective, gaps, margin, np.maximum(0, 1 - agreement), a, support]
    return SoftMargin(*[field[0] if scalar else field for field in fields] + [status])


def _offset(scores: Floats, y: Floats) -> Floats:
    """The best offsets for scores w . x, shape (n, L); the midpoint where an interval is optimal.

    The hinge loss of example i bends at b = y_i - w . x_i. Walking b upwards, the slope of the sum starts at minus the
    number p of positive examples and grows by 1 at each bend, so it is 0 between bend number p and p + 1.
    """
    bends = np.sort(y[:, None] - scores, axis=0)
    p = int((y > 0).sum())
    return (bends[max(p - 1, 0)] + bends[min(p, len(y) - 1)]) / 2


def _certificate(Z: Floats, lams: Floats, theta: Floats, a: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """(agreements, objectives, feasible multipliers, lower bounds) for L thetas and rows Z = y (x, 1).

    Any a >= 0 becomes feasible, a <= 1 and sum_i a_i y_i = 0, by cutting it off at 1 and shrinking it
    for the class with more weight. Of its multiples t a, 0 <= t <= 1, the one with the best bound counts.
    """
    positive, a = Z[:, -1] > 0, np.minimum(a, 1)
    p, q = a[:, positive].sum(axis=1)[:, None], a[:, ~positive].sum(axis=1)[:, None]
    both = np.minimum(p, q)
    a = a * np.where(positive, both / np.maximum(p, 1e-300), both / np.maximum(q, 1e-300))
    agreement = theta @ Z.T
    with np.errstate(over="ignore"):  # then another theta is better
        objective = np.maximum(0, 1 - agreement).mean(axis=1) + lams / 2 * (theta[:, :-1] ** 2).sum(axis=1)
    gain, price = a.mean(axis=1), ((a @ Z[:, :-1] / len(Z)) ** 2).sum(axis=1) / (2 * lams)
    t = np.minimum(1, gain / np.maximum(2 * price, 1e-300))
    return agreement, objective, t[:, None] * a, t * (gain - t * price)


def _interior_point(Z: Floats, lams: Floats, gap: float) -> tuple[Floats, Floats]:
    """(theta, a), shapes (L, d + 1) and (L, n): Newton's method on the conditions of optimality.

    With the slack xi_i and the room r_i = y_i f(x_i) - 1 + xi_i, both >= 0, the optimum is where

        n lam w = sum_i a_i y_i x_i,    sum_i a_i y_i = 0,    r_i a_i = 0,    xi_i (1 - a_i) = 0.

    The last two, u v = 0 with u = (r, xi) and v = (a, 1 - a), start at u v = 1 and are driven to 0 while u and v stay
    positive. A first step toward u v = 0 shows how far one could go (predictor); the second one aims for what that
    leaves and mends the curvature (corrector). 10 to 20 rounds do it, for all lambdas at once. A lambda leaves the
    batch when its gap is far below `gap`, relative to the objective, or below it and not halved for four rounds.
    """
    n, size = Z.shape
    theta, a = np.zeros((len(lams), size)), np.zeros((len(lams), n))
    if abs(Z[:, -1].sum()) == n:
        return theta, a  # one class: w = 0 has objective 0
    best, idle = np.full(len(lams), np.inf), np.zeros(len(lams), dtype=int)
    todo, lam, th = np.arange(len(lams)), lams, theta
    u, v = np.full((len(lams), 2 * n), 2.0), np.full((len(lams), 2 * n), 0.5)
    diagonal, (i, j) = np.arange(size), np.triu_indices(size)
    # the products of all pairs of columns, half of what a product of matrices computes, which is slow in the browser
    pairs = (rows := np.ascontiguousarray(Z.T))[i] * rows[j] if n * len(i) <= 2e6 else None
    for _ in range(60):
        m, objective, feasible, bound = _certificate(Z, lam, th, v[:, :n])
        now = objective - bound
        idle[todo] = np.where(now < best[todo] / 2, 0, idle[todo] + 1)
        better = now < best[todo]
        k = todo[better]
        theta[k], a[k], best[k] = th[better], feasible[better], now[better]
        go = (now > 1e-3 * gap * objective) & ((now > gap * np.minimum(objective, 1)) | (idle[todo] < 4))
        if not go.any():
            break
        todo, lam, th, m, u, v = todo[go], lam[go], th[go], m[go], u[go], v[go]
        ratio = u / v
        D = 1 / (ratio[:, :n] + ratio[:, n:])
        if pairs is None:
            H = np.stack([(Z.T * row) @ Z for row in D])
        else:  # the same sums for all lambdas in one product
            H = np.empty((len(todo), size, size))
            H[:, i, j] = H[:, j, i] = D @ pairs.T
        pull = n * lam[:, None] * (diagonal < size - 1)
        H[:, diagonal, diagonal] += pull + 1e-13 * H[:, diagonal, diagonal]  # collinear columns stay solvable
        goal = np.zeros_like(u)
        for step in ("predictor", "corrector"):  # each makes u equal to goal, to first order
            q = D * (1 - m + goal[:, :n] - goal[:, n:])
            dth = np.linalg.solve(H, ((q + v[:, :n]) @ Z - pull * th)[..., None])[..., 0]
            da = q - D * (dth @ Z.T)
            dv = np.hstack([da, -da])
            du = goal - u - ratio * dv
            t = 1 / np.maximum(1, np.maximum(-dv / v, -du / u).max(axis=1))[:, None]  # keeps u, v >= 0
            if step == "predictor":
                mean = (u * v).mean(axis=1)[:, None]
                left = ((u + t * du) * (v + t * dv)).mean(axis=1)[:, None]
                goal = (left**3 / mean**2 - du * dv) / v
        th, u, v = th + 0.995 * t * dth, u + 0.995 * t * du, v + 0.995 * t * dv
    return theta, a
