"""The perceptron, with a record of everything it did.

Sources: F. Rosenblatt, The Perceptron (1958); the three-point example is from Prasse, Landwehr and Scheffer,
Linear Classification Models.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from coursekit.algorithms.trace import Trace
from coursekit.core import validate
from coursekit.core.augmented import longest, with_constant
from coursekit.core.exact import above_zero, cancel, enlarged, power_above
from coursekit.core.frozen import sealed
from coursekit.core.validate import Floats

# Scores are computed this many at a time, and twice as many while nothing is wrong. The mistakes are
# those of a loop over the examples, found 10 to 20 times faster once they are rare.
CHUNK = 128


def perceptron(
    X: ArrayLike, y: ArrayLike, passes: int = 100, order: str | ArrayLike = "cyclic", offset: bool = True, *,
    eta: float = 1.0, lam: float = 0.0, seed: int = 0,
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
    from there on everything would repeat for ever, so the data cannot be separated. The status says so where
    the corrections in between add up to exactly 0, which proves it, and speaks of rounding where they do not.

    ValueError for NaN or infinite entries, no examples, other labels, X and y of different length, a number
    outside its range, an unknown order or entries whose squares overflow; TypeError for what is not a number.

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
    Z = y[:, None] * with_constant(X, offset)
    longest(Z, eta)
    keep, theta = 1 - eta * lam, np.zeros(Z.shape[1])
    rows, step = enlarged(Z), eta / power_above(eta)  # powers of two change no sign of a score, and none underflows
    when: list[int] = []  # the visit of each mistake
    orders: list[NDArray[np.intp]] = []
    seen = {theta.tobytes(): 0}
    cycle = None
    zero = np.zeros(())  # comparing with an array spares numpy a conversion each time
    for p in range(passes):
        if rng:
            one_pass = rng.permutation(n)
        if rng or p == 0:
            V = rows[one_pass]
            moves = step * V
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
    moves = eta * Z[visits[at]]
    thetas = _sums(moves.copy(), keep)
    right = above_zero(Z, thetas[-1]) if len(at) else np.zeros(n, dtype=bool)
    if clean:
        rounded = not right[one_pass].all()
    elif cycle and keep == 1:  # corrections that add up to 0 prove that no theta is right for all of them
        rounded = not cancel(Z[visits[at[at >= start + len(V) - cycle * len(V)]]])
    else:
        rounded = bool(((thetas[1:] == keep * thetas[:-1]) & (moves[1:] != 0)).any())
    return Trace(
        X=X, y=y, offset=bool(offset), visits=sealed(visits), when=sealed(at), thetas=sealed(thetas),
        passes=len(orders), converged=clean and bool(right.all()), cycle=cycle, clean=clean, shrinks=keep != 1,
        rounded=rounded,
    )


def _sums(moves: Floats, keep: float) -> Floats:
    """theta after each mistake: theta_k = keep theta_{k-1} + move_k."""
    if keep == 1:
        return np.cumsum(moves, axis=0)
    for k in range(1, len(moves)):
        moves[k] += keep * moves[k - 1]
    return moves
