"""The perceptron, with a record of everything it did, and Novikoff's bound on its mistakes.

Sources: F. Rosenblatt, The Perceptron (1958); A. Novikoff, On convergence proofs for perceptrons (1962);
the three-point example is from Prasse, Landwehr and Scheffer, Linear Classification Models.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from coursekit.core import validate
from coursekit.core.validate import Floats

# Scores are computed this many at a time, and twice as many while nothing is wrong. The mistakes are
# those of a loop over the examples, found 10 to 20 times faster once they are rare.
CHUNK = 128


def perceptron(
    X: ArrayLike,
    y: ArrayLike,
    passes: int = 100,
    order: str | ArrayLike = "cyclic",
    offset: bool = True,
    *,
    eta: float = 1.0,
    lam: float = 0.0,
    seed: int = 0,
) -> Trace:
    """Visit the examples one after another and correct theta at every mistake.

        if y f(x) <= 0:   theta <- (1 - eta lam) theta + eta y (x, 1)        f(x) = theta . (x, 1)

    from theta = 0 until a whole pass makes no mistake. A score of exactly 0 counts as a mistake, else
    nothing would ever start. eta = 1 and lam = 0 is Rosenblatt's rule. eta alone only changes the unit
    of theta; lam shrinks all of theta (the offset too: here it is one more weight) at each mistake, so
    that old mistakes fade.

    X: (n, d). y: (n,) in {-1, +1}. passes: the most passes to make.
    order: "cyclic" (0..n-1 in every pass), "shuffle" (a new random order in every pass, from `seed`),
        or an array of example indices that makes one pass.
    offset: append the constant attribute 1, so that theta = (weights, offset) has d + 1 entries.

    Stops early when a pass made no mistake, or when theta at the end of a pass has been seen before:
    from there on everything would repeat for ever, so the data cannot be separated.
    Raises ValueError or TypeError for bad arguments.

    >>> trace = perceptron([[0, 0], [0, 1], [1, 0]], [-1, 1, 1])
    >>> trace
    Trace(9 mistakes in 6 passes, theta = (2, 2, -1); converged: pass 6 made no mistake)
    """
    X, y = validate.examples(X, y)
    passes = validate.count("passes", passes)
    eta = validate.number("eta", eta, 0, above=True)
    lam = validate.number("lam", lam, 0, 1 / eta)
    n = len(X)
    rng, one_pass = None, np.arange(n)
    if not isinstance(order, str):
        one_pass = validate.indices("order", order, n)
    elif validate.one_of("order", order, ("cyclic", "shuffle")) == "shuffle":
        rng = validate.generator(seed)
    Z = y[:, None] * (with_constant(X) if offset else X)
    longest(Z, eta)
    keep, theta = 1 - eta * lam, np.zeros(Z.shape[1])
    when: list[int] = []  # the visit of each mistake
    orders: list[NDArray[np.intp]] = []
    seen = {theta.tobytes(): 0}
    cycle = None
    zero = np.zeros(())  # comparing with an array spares numpy a conversion each time
    for p in range(passes):
        if rng:
            one_pass = rng.permutation(n)
        if rng or p == 0:
            V = Z[one_pass]
            moves = eta * V
        start, before = p * len(V), len(when)
        i, size = 0, CHUNK
        while i < len(V):  # jump from mistake to mistake
            wrong = V[i : i + size].dot(theta) <= zero
            j = wrong.argmax()
            if wrong[j]:
                i += int(j)
                if keep != 1:
                    theta *= keep
                theta += moves[i]
                when.append(start + i)
                i, size = i + 1, CHUNK
            else:
                i, size = i + size, 2 * size
        orders.append(one_pass)
        if len(when) == before:
            break
        key = theta.tobytes()
        if not rng and key in seen:
            cycle = p + 1 - seen[key]
            break
        seen[key] = p + 1
    clean = len(when) == before
    visits, at = np.concatenate(orders), np.array(when, dtype=np.intp)
    return Trace(
        X=X,
        y=y,
        offset=bool(offset),
        visits=visits,
        when=at,
        thetas=_sums(eta * Z[visits[at]], keep),
        passes=len(orders),
        converged=clean and bool((Z @ theta > 0).all()),
        cycle=cycle,
        clean=clean,
        shrinks=keep != 1,
    )


def with_constant(X: Floats) -> Floats:
    """X with the constant attribute 1 appended as last column: shape (n, d + 1)."""
    return np.column_stack([X, np.ones(len(X))])


def _sums(moves: Floats, keep: float) -> Floats:
    """theta after each mistake: theta_k = keep theta_{k-1} + move_k."""
    if keep == 1:
        return np.cumsum(moves, axis=0)
    for k in range(1, len(moves)):
        moves[k] += keep * moves[k - 1]
    return moves


class Row(NamedTuple):
    """One visit: what was seen, what theta said, what changed."""

    visit: int  # counted from 1
    example: int  # row of X, counted from 0
    x: Floats
    y: float
    before: Floats  # theta before the visit
    f: float  # its score for x
    mistake: bool  # y f <= 0
    after: Floats  # theta after the visit


@dataclass(frozen=True, eq=False, repr=False)
class Trace:
    """Everything the perceptron did.

    visits: example index of every visit. when: for each mistake, at which visit (from 0) it was made.
    thetas: (mistakes, d + 1), theta after each mistake; before the first it is 0.
    cycle: number of passes after which everything repeats, or None.
    """

    X: Floats
    y: Floats
    offset: bool
    visits: NDArray[np.intp]
    when: NDArray[np.intp]
    thetas: Floats
    passes: int
    converged: bool
    cycle: int | None
    clean: bool
    shrinks: bool

    @property
    def mistakes(self) -> int:
        return len(self.when)

    @property
    def theta(self) -> Floats:
        return self.theta_at(len(self.visits))

    def mistakes_at(self, visits: int) -> int:
        """Mistakes among the first `visits` visits."""
        return int(np.searchsorted(self.when, validate.count("visits", visits, 0)))

    def theta_at(self, visits: int) -> Floats:
        """theta after this many visits."""
        k = self.mistakes_at(visits)
        return self.thetas[k - 1] if k else np.zeros(self.X.shape[1] + self.offset)

    @property
    def status(self) -> str:
        if self.converged:
            return f"converged: pass {self.passes} made no mistake"
        if self.clean:
            return f"pass {self.passes} made no mistake, but examples that are not in the order are misclassified"
        if self.cycle:
            every = "every pass" if self.cycle == 1 else f"every {self.cycle} passes"
            # A theta that shrinks can come back on separable data too.
            why = "" if self.shrinks else "not separable: "
            return f"{why}theta returned to an earlier value and repeats {every}"
        return f"stopped at the limit of {self.passes} passes, not converged"

    def row(self, visit: int) -> Row:
        """The visit with this number, counted from 1."""
        if not 1 <= validate.count("visit", visit) <= len(self.visits):
            raise ValueError(f"visit must be from 1 to {len(self.visits)}; got {visit}")
        before, after = self.theta_at(visit - 1), self.theta_at(visit)
        i = int(self.visits[visit - 1])
        f = float(before[: self.X.shape[1]] @ self.X[i] + (before[-1] if self.offset else 0.0))
        mistake = self.mistakes_at(visit) > self.mistakes_at(visit - 1)
        return Row(visit, i, self.X[i], float(self.y[i]), before, f, mistake, after)

    def table(self, limit: int | None = None) -> TraceTable:
        """The trace as rows (visit, example, x, y, theta before, f, mistake, theta after).

        limit: at most this many rows from the start. Shows as a table in a notebook and as aligned
        text elsewhere.
        """
        total = len(self.visits)
        shown = total if limit is None else min(validate.count("limit", limit, 0), total)
        return TraceTable([self.row(v) for v in range(1, shown + 1)], total)

    def __repr__(self) -> str:
        return f"Trace({self.mistakes} mistakes in {self.passes} passes, theta = {vector(self.theta)}; {self.status})"


class TraceTable(list[Row]):
    """Rows of a trace, as a list that shows itself as a table."""

    heads = ("visit", "example", "x", "y", "theta before", "f", "mistake", "theta after")

    def __init__(self, rows: list[Row], total: int) -> None:
        super().__init__(rows)
        self.total = total

    def cells(self) -> list[tuple[str, ...]]:
        return [
            (
                str(r.visit),
                str(r.example),
                vector(r.x),
                f"{r.y:+.0f}",
                vector(r.before),
                number(r.f),
                "mistake" if r.mistake else "",
                vector(r.after),
            )
            for r in self
        ]

    @property
    def _rest(self) -> str:
        return f"{len(self)} of {self.total} visits" if len(self) < self.total else ""

    def __repr__(self) -> str:
        lines = [self.heads, *self.cells()]
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        text = ["  ".join(c.rjust(w) for c, w in zip(line, widths, strict=True)).rstrip() for line in lines]
        return "\n".join([*text, *([self._rest] if self._rest else [])])

    def _repr_html_(self) -> str:
        from html import escape  # only a notebook needs it

        def line(tag: str, cells: tuple[str, ...], style: str = "") -> str:
            return f"<tr{style}>" + "".join(f"<{tag}>{escape(c)}</{tag}>" for c in cells) + "</tr>"

        bold = ' style="font-weight: bold"'
        body = [line("td", c, bold if r.mistake else "") for r, c in zip(self, self.cells(), strict=True)]
        caption = f"<caption>{self._rest}</caption>" if self._rest else ""
        return f"<table>{caption}<thead>{line('th', self.heads)}</thead><tbody>{''.join(body)}</tbody></table>"


def number(value: float) -> str:
    """Three significant digits, whole numbers without a point."""
    return f"{value:.0f}" if 1000 <= abs(value) < 1e6 else f"{value + 0.0:.3g}"


def vector(values: Floats) -> str:
    return "(" + ", ".join(map(number, values)) + ")"


@dataclass(frozen=True)
class Bound:
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

    X: (n, d). y: (n,) in {-1, +1}. Raises ValueError or TypeError for bad arguments.

    >>> mistake_bound([[0, 0], [0, 1], [1, 0]], [-1, 1, 1])
    Bound(R = 1.414, gamma = 0.3333: at most 18 mistakes)
    """
    X, y = validate.examples(X, y)
    Z = y[:, None] * (with_constant(X) if offset else X)
    R = longest(Z)
    point = _nearest_to_origin(Z / R) if R else Z[0]
    length = float(np.linalg.norm(point))
    theta = point / length if length else point
    gamma = float((Z @ theta).min())
    separable = gamma > 1e-13 * R
    return Bound(R, gamma if separable else 0.0, theta if separable else np.zeros(Z.shape[1]))


def longest(Z: Floats, eta: float = 1.0) -> float:
    """The length of the longest row. ValueError where scores of a theta made of steps of size eta overflow."""
    with np.errstate(over="ignore"):
        R = float(np.sqrt(np.einsum("ij,ij->i", Z, Z).max()))
    if not np.isfinite(eta * R * R):
        times = "" if eta == 1 else f", times eta = {eta:g},"
        raise ValueError(f"X must have entries whose squares{times} do not overflow; got {np.abs(Z).max():g}")
    return R


def _nearest_to_origin(Z: Floats) -> Floats:
    """The point of the convex hull of the rows of Z nearest to 0 (P. Wolfe, 1976).

    Keeps a few rows (a corral) and their weights. Each round adds the row furthest towards the
    origin, goes to the nearest point of the plane through the corral, and drops rows whose weight
    would turn negative on the way. Ends when no row is nearer: point . z >= point . point for all z.
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
