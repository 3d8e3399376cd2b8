"""What the rules for more than two classes are given: data with classes, and a solver for two of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from coursekit.core import validate
from coursekit.core.datasets import Dataset
from coursekit.core.validate import Floats

Fit = Callable[[Floats, Floats], Any]
Pair = tuple[ArrayLike, ArrayLike]


def class_data(dataset: Dataset | Pair) -> Dataset:
    """A data set with classes, each of which must have examples."""
    if isinstance(dataset, tuple) and len(dataset) == 2:
        dataset = Dataset(*dataset)
    if not isinstance(dataset, Dataset):
        raise TypeError(f"dataset must be a coursekit Dataset or a pair (X, y); got {type(dataset).__name__}")
    if dataset.y.dtype.kind != "i":
        raise ValueError(f"dataset must have integer classes 0 to k - 1; got labels -1 and +1 ({dataset.name})")
    k = len(dataset.classes)
    counts = np.bincount(dataset.y, minlength=k)
    if k < 2 or not counts.all():
        raise ValueError(f"dataset must have 2 or more classes with examples of each; got counts {counts.tolist()}")
    return dataset


def given(X: Any, y: Any, fit: Any) -> tuple[Dataset, Fit]:
    """The data and fit, from X, y, fit or from a data set and fit."""
    data, fit = ((X, y), fit) if fit is not None and y is not None else (X, y if fit is None else fit)
    if not callable(fit):
        raise TypeError(f"fit must be a function of X and y, such as ck.least_squares; got {fit!r}")
    return class_data(data), fit


def fitted(fit: Fit, X: Floats, y: Floats) -> Floats:
    """The theta that a solver finds."""
    result: Any = fit(X, y)
    theta = validate.array("fit's theta", getattr(result, "theta", result), 1)
    if len(theta) != X.shape[1] + 1:
        raise ValueError(f"fit must return theta with {X.shape[1] + 1} entries, offset last; got {len(theta)}")
    return theta
