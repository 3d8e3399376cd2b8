"""What models are written with: data, lines, a map of the objective, grids of values, a memory for slow parts."""

from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np

from coursekit.core import datasets
from coursekit.core.datasets import Dataset
from coursekit.core.objective import Objective
from coursekit.core.validate import Floats
from coursekit.plots import Landscape

YOURS = "yours"  # what the control `dataset` calls a reader's own data
cached = lru_cache(maxsize=8)  # for the slow parts of a model that need less than all of it
_risks = cached(lambda objective, extent: objective.value(Landscape.points(extent)))


@cached
def clouds(dataset: str, separability: float, seed: int) -> Dataset:
    """Two clouds of 40 examples, or what `dataset` names instead: the emails of chapter 1, or two examples."""
    if dataset == "two examples":
        return Dataset(np.eye(2), np.ones(2), ("x1", "x2"), ("-1", "+1"), dataset)
    return datasets.mails().standardized() if dataset == "mails" else datasets.blobs(40, separability, seed=seed)


def parts(data: Dataset, *rows: Any, columns: Any = slice(None)) -> list[Dataset]:
    """These rows of the data, or all, each a Dataset, and of them these columns."""
    X, names = data.X[:, columns], tuple(np.array(data.features, object)[columns])
    return [replace(data, X=X[of], y=data.y[of], features=names) for of in rows or [slice(None)]]


def degrees(way: Any) -> float:
    """The direction of a place, (2,), seen from the origin."""
    return float(np.degrees(np.arctan2(way[1], way[0])))


def from_normal(angle: float, shift: float, length: float = 1.0) -> Floats:
    """theta (3,), offset last, of the line with this normal vector: length (cos angle, sin angle, -shift).

    angle: of the normal, in degrees. shift: from the origin, counted along the normal. length: of the normal, > 0.

    >>> from_normal(90, 2, length=3)
    array([ 0.,  3., -6.])
    """
    turn = np.radians(angle)
    return length * np.append(np.round([np.cos(turn), np.sin(turn)], 15), -shift)  # at a right angle 0, not 6e-17


def normal_form(theta: Floats) -> tuple[float, float, float]:
    """(angle, shift, length) of theta (3,), offset last; the angle in (-180, 180]. ValueError where that is no line.

    >>> normal_form(np.array([0, 3, -6]))
    (90.0, 2.0, 3.0)
    """
    if not theta[:2].any():
        raise ValueError(f"theta must have two weights, not both 0, and an offset; got {theta.tolist()}")
    angle, length = degrees(theta), float(np.hypot(*theta[:2]))
    return (180.0 if angle == -180 else angle), float(-theta[2]) / length, length


def ended(status: str) -> str:
    """How a run of passes ended, in the word of the chapters."""
    return status.replace("passes", "epochs").replace("pass", "epoch")


def ground(objective: Objective, extent: tuple[float, float, float, float]) -> Floats:
    """The objective all over a `Landscape`; the risk, which takes longest, is kept while lambda moves."""
    penalty = objective.penalty.value(Landscape.points(extent))
    return np.asarray(_risks(replace(objective, lam=0.0), extent) + objective.lam * penalty)


def powers(low: float, high: float, per_ten: int) -> list[float]:
    """From 10^low to 10^high, `per_ten` for each power of ten, to three digits."""
    exact = [10 ** (low + k / per_ten) for k in range(round(per_ten * (high - low)) + 1)]
    return [float(f"{power:.3g}") for power in exact]
