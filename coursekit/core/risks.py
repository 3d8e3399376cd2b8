"""How many examples are wrong, and mean losses of many thetas at once: along a path, or over a landscape.

Two things make mean losses several times faster than a loop over the thetas, and keep memory bounded whatever
n and K are. Agreements are computed in tiles of 64 thetas and 200 examples, which stay in the
processor's cache. And neighbours on a path are so close together that for most examples one look
tells on which side of the kink of the loss all 64 of them are.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from coursekit.core.datasets import Dataset
from coursekit.core.losses import Loss
from coursekit.core.validate import Floats


def misclassified(agreements: Floats) -> int:
    """How many agreements are not above 0: a score of 0 decides nothing, and counts as wrong."""
    return int(np.sum(agreements <= 0))


def error_rate(data: Dataset, theta: Floats) -> Any:
    """The share of misclassified examples, for theta (d+1,) or for each of (L, d+1)."""
    return np.mean((data.X @ theta[..., :-1].T + theta[..., -1]).T * data.y <= 0, axis=-1)


def mean_losses(loss: Loss, Z: Floats, thetas: Floats) -> Floats:
    """1/n sum_i loss(theta . z_i) for every row theta of thetas, (K, p), and the rows z_i of Z, (n, p).

    A theta equal to the one before it (a step that changed nothing) is not computed again. A loss with
    a kink is max(0, (theta, 1) . (-z, kink)), so with one more column it becomes max(0, .).
    """
    if len(thetas) == 1:
        return loss.value(thetas @ Z.T).mean(axis=1)
    new = np.ones(len(thetas), dtype=bool)
    new[1:] = (thetas[1:] != thetas[:-1]).any(axis=1)
    distinct = np.flatnonzero(new)
    columns = np.ascontiguousarray(Z.T)
    if loss.kink is not None:
        columns = np.vstack([-columns, np.full(len(Z), loss.kink)])
        lengths = np.sqrt(np.einsum("ij,ij->j", columns[:-1], columns[:-1]))
    sums, one = np.empty(len(distinct)), np.ones(200)
    for a in range(0, len(distinct), 64):
        tile, rest, total = thetas[distinct[a : a + 64]], columns, np.zeros(1)
        if loss.kink is not None:
            tile = np.column_stack([tile, np.ones(len(tile))])
            rest, total = _settle(tile, columns, lengths)
        for b in range(0, rest.shape[1], 200):
            z = tile @ rest[:, b : b + 200]
            value = loss.value(z) if loss.kink is None else np.maximum(z, 0.0, out=z)
            total = total + value.dot(one[: value.shape[1]])
        sums[a : a + 64] = total
    return sums[np.cumsum(new) - 1] / len(Z)


def _settle(thetas: Floats, columns: Floats, lengths: Floats) -> tuple[Floats, Floats]:
    """The columns that need a closer look, and for each theta the sum of max(0, theta . column) over the rest.

    From the centre of a tile to another of its thetas, theta . column moves by at most the distance times
    the column's length. Where that cannot change its sign, it is 0, or linear, for the whole tile.
    """
    centre = thetas[len(thetas) // 2]
    here = centre @ columns
    with np.errstate(over="ignore", invalid="ignore"):  # then nothing is settled
        moves = np.sqrt(((thetas - centre) ** 2).sum(axis=1).max()) * lengths
    unsure = ~(np.abs(here) > moves)
    if 2 * np.count_nonzero(unsure) > len(unsure):  # sorting them out would cost more than it saves
        return columns, np.zeros(1)
    return columns[:, unsure], np.maximum(thetas @ (columns @ (here > moves)), 0.0)
