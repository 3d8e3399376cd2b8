"""The perceptron, with a record of everything it did.

Sources: F. Rosenblatt, The Perceptron (1958); the three-point example is from Prasse, Landwehr and Scheffer,
Linear Classification Models.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from coursekit.algorithms.trace import Trace
from coursekit.core import validate
from coursekit.core.exact import above_zero, cancel, enlarge
from coursekit.core.frozen import sealed
from coursekit.core.risks import longest, with_constant


def perceptron(X: ArrayLike, y: ArrayLike, passes: int = 100, order: str | ArrayLike = "cyclic", offset: bool = True, *,
               eta: float = 1.0, lam: float = 0.0, seed: int = 0) -> Trace:
    """Visit the examples one after another and correct theta at every mistake.

        if y f(x) <= 0:   theta <- (1 - eta lam) theta + eta y (x, 1)        f(x) = theta . (x, 1)

    from theta = 0 until a whole pass makes no mistake. A score of exactly 0 counts as a mistake, else nothing would
    ever start. eta = 1 and lam = 0 is Rosenblatt's rule. eta alone only changes the unit of theta; lam shrinks all of
    theta (the offset too: here it is one more weight) at each mistake, so that old mistakes fade.

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
    keep = 1 - eta * validate.number("lam", lam, 0, 1 / eta)
    rng = validate.generator(seed)
    shuffled = isinstance(order, str) and validate.one_of("order", order, ("cyclic", "shuffle")) == "shuffle"
    one_pass = np.arange(len(X)) if isinstance(order, str) else validate.indices("order", order, len(X))
    Z = y[:, None] * with_constant(X, offset)
    longest(Z, eta)
    enlarged, power = enlarge(Z)  # powers of two change no sign of a score, and then nothing underflows
    rows, (step, up) = list(enlarged), np.frexp(eta)
    theta, after = np.zeros(Z.shape[1]), []  # and theta after each mistake
    visits: list[int] = []
    when: list[int] = []  # the visit of each mistake
    ends, seen = {theta.tobytes(): (0, 0)}, None  # theta at the end of a pass: the pass, and the mistakes so far
    for p in range(1, passes + 1):
        before = len(when)
        for i in (rng.permutation(one_pass) if shuffled else one_pass).tolist():
            if rows[i].dot(theta) <= 0:
                theta = keep * theta + step * rows[i]
                after.append(theta)
                when.append(len(visits))
            visits.append(i)
        clean = len(when) == before
        if clean or (seen := None if shuffled else ends.get(theta.tobytes())):
            break
        ends[theta.tobytes()] = p, len(when)

    made = enlarged[np.array(visits)[when]]  # the example of each mistake
    path = np.reshape(after, made.shape)
    thetas = sealed(np.ldexp(path, up - power))
    right = above_zero(Z, thetas[-1])
    converged = clean and bool(right.all())
    absorbed = ((path[1:] == keep * path[:-1]) & (made[1:] != 0)).any()
    swallowed = "; rounding swallowed corrections" if absorbed else ""
    if converged:
        status = f"converged: pass {p} made no mistake"
    elif clean and right[one_pass].all():
        status = f"pass {p} made no mistake, but examples that are not in the order are misclassified"
    elif clean:
        status = f"pass {p} made no mistake, but rounding decided the sign of a score"
    elif seen:
        every = "every pass" if seen[0] == p - 1 else f"every {p - seen[0]} passes"
        status = f"theta returned to an earlier value and repeats {every}"
        if keep != 1:  # a theta that shrinks can come back on separable data too
            status += swallowed
        elif cancel(made[seen[1] :]):  # corrections that add up to 0 prove that no theta is right for all of them
            status = f"not separable: {status}"
        else:
            status = f"not separable, or rounding hides it: {status}"
    else:
        status = f"stopped at the limit of {p} passes, not converged{swallowed}"
    return Trace(
        X=X, y=y, offset=bool(offset), visits=sealed(np.array(visits)), when=sealed(np.array(when, dtype=np.intp)),
        thetas=thetas, passes=p, converged=converged,
        cycle=p - seen[0] if seen else None, status=status,
    )
