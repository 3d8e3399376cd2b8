"""Augmented examples (x, 1): the offset becomes the weight of one more attribute that is always 1."""

import numpy as np

from coursekit.core.exact import power_above
from coursekit.core.validate import Floats


def with_constant(X: Floats, offset: bool = True) -> Floats:
    """X with the constant attribute 1 appended as last column, (n, d + 1); X itself without an offset."""
    return np.column_stack([X, np.ones(len(X))]) if offset else X


def longest(rows: Floats, eta: float = 1.0) -> float:
    """The length of the longest row. ValueError where scores of a theta made of steps of size eta overflow."""
    unit = float(power_above(np.abs(rows).max()))  # without it the squares of 1e-170 are 0
    scaled = rows / unit
    R = unit * float(np.sqrt(np.einsum("ij,ij->i", scaled, scaled).max()))
    if not np.isfinite(eta * R * R):
        times = "" if eta == 1 else f", times eta = {eta:g},"
        raise ValueError(f"X must have entries whose squares{times} do not overflow; got {np.abs(rows).max():g}")
    return R
