"""What rounding must not decide: signs and sums of floating-point numbers, and linear equations, in whole numbers.

A floating-point number is a whole number times a power of two. Python's whole numbers have any length, so what
is computed with them alone is exact. It is also slow: ask here where a claim depends on the last digits.
"""

from decimal import Context, Decimal
from fractions import Fraction
from math import fsum, lcm
from typing import Any

import numpy as np

from coursekit.core.validate import Floats, NDArray

Exact = NDArray[Any]  # of Python's int or Fraction


def power_above(values: Any) -> Any:
    """The power of two above each value (>= 0), at most twice, 1 for 0 and 2^1023 above that: scaling rounds nothing.

    >>> power_above(np.array([0.0, 0.75, 1.0, 1e308])) == [1, 1, 2, 2.0**1023]
    array([ True,  True,  True,  True])
    """
    return np.ldexp(1.0, np.minimum(np.frexp(values)[1], 1023))


def enlarge(rows: Floats) -> tuple[Floats, int]:
    """(rows 2^k, k): products of two entries then have the whole range of numbers below 1e289."""
    k = 480 - int(np.frexp(np.abs(rows).max())[1])
    return np.ldexp(rows, k), k


def whole(rows: Floats) -> tuple[Exact, int]:
    """(W, k): whole numbers with rows = W 2^k."""
    mantissas, exponents = np.frexp(rows)
    exponents = np.where(rows == 0, 10_000, exponents)
    low = int(exponents.min())
    exponents = np.where(rows == 0, 0, exponents - low)
    return (mantissas * 2.0**53).astype(np.int64).astype(object) << exponents.astype(object), low - 53


def digits(rows: Floats) -> int:
    """How many binary digits these whole numbers have, at most."""
    exponents = np.frexp(rows)[1][rows != 0]
    return 53 + int(np.ptp(exponents)) if len(exponents) else 1


def cancel(rows: Floats) -> bool:
    """Whether the rows add up to exactly 0 in every column.

    >>> cancel(np.array([[1e20], [1.0], [-1e20]])), cancel(np.array([[0.5], [-0.25], [-0.25]]))
    (False, True)
    """
    return all(fsum(column) == 0 for column in rows.T.tolist())


def above_zero(Z: Floats, theta: Floats) -> NDArray[np.bool_]:
    """For each row z of Z: whether theta . z is > 0. In whole numbers where the score is within its rounding.

    >>> above_zero(np.array([[1e200], [1e-200], [-1.0]]), np.array([1e-200]))
    array([ True,  True, False])
    """
    with np.errstate(all="ignore"):
        scores = Z @ theta
        rounding = 2e-16 * (len(theta) + 2) * (np.abs(Z) @ np.abs(theta)) + 1e-300
    result = scores > 0
    doubtful = ~(np.abs(scores) > rounding) | np.isinf(rounding)
    if doubtful.any():
        result[doubtful] = whole(Z[doubtful])[0] @ whole(theta)[0] > 0
    return result


def solve(A: Exact, b: Exact) -> Exact:
    """The x of A x = b, of fractions, for positive definite A (else ZeroDivisionError). E. Bareiss, 1968.

    >>> solve(np.array([[2, 1], [1, 2]], dtype=object), np.array([1, 0], dtype=object))
    array([Fraction(2, 3), Fraction(-1, 3)], dtype=object)
    """
    T, before = np.column_stack([A, b]), 1
    for k in range(len(T)):
        others = np.arange(len(T)) != k
        T[others] = (T[k, k] * T[others] - np.outer(T[others, k], T[k])) // before  # leaves no remainder
        before = T[k, k]
    return np.array([Fraction(x, before) for x in T[:, -1]], dtype=object)


def multiple(fractions: Exact) -> Exact:
    """The same direction in whole numbers, which are quicker."""
    whole = lcm(*(f.denominator for f in fractions))
    return np.array([int(f * whole) for f in fractions], dtype=object)


def root(square: Fraction) -> float:
    """The square root of a fraction > 0, with 28 digits on the way, however few the user's decimals have."""
    return float((exact := Context(28)).sqrt(exact.divide(Decimal(square.numerator), Decimal(square.denominator))))
