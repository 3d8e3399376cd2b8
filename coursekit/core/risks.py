"""Augmented examples (x, 1): the offset becomes the weight of one more attribute that is always 1. How many of them are
wrong, and the mean losses of many thetas at once: along a path, or over a landscape."""

from typing import Any

import numpy as np

from coursekit.core.datasets import Dataset
from coursekit.core.exact import power_above
from coursekit.core.losses import Loss
from coursekit.core.validate import Floats

BLOCK = 10_000  # this many agreements are computed at a time: they fit into the processor's cache


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


def misclassified(agreements: Floats) -> int:
    """How many agreements are not above 0: a score of 0 decides nothing, and counts as wrong."""
    return int(np.sum(agreements <= 0))


def error_rate(data: Dataset, theta: Floats) -> Any:
    """The share of misclassified examples, for theta (d+1,) or for each of (L, d+1)."""
    return np.mean(theta[..., :-1] @ data.X.T * data.y <= -theta[..., -1:] * data.y, axis=-1)


def mean_losses(loss: Loss, Z: Floats, thetas: Floats) -> Floats:
    """1/n sum_i loss(theta . z_i) for every row theta of thetas, (K, p), and the rows z_i of Z, (n, p).

    A theta equal to the one before it (a step that changed nothing) has its value, to the last bit.
    """
    if len(thetas) < 2:
        return loss.value(thetas @ Z.T).mean(axis=1)
    new = np.append(True, (thetas[1:] != thetas[:-1]).any(axis=1))
    distinct, size, columns = thetas[new], -(-BLOCK // len(Z)), np.ascontiguousarray(Z.T)
    means = [loss.value(distinct[k : k + size] @ columns).mean(axis=1) for k in range(0, len(distinct), size)]
    return np.concatenate(means)[np.cumsum(new) - 1]
