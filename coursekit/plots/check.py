"""What plots are given: every error names the argument, the rule and what came."""

from typing import Any

import numpy as np

from coursekit.core import validate
from coursekit.core.dataset import Dataset, signed
from coursekit.core.validate import ArrayLike, Floats, NDArray


def shaped(name: str, value: ArrayLike, *shape: int | str) -> Floats:
    """`value` as floats of this shape; a letter stands for any length, the same letter for the same one.

    NaN and infinity may come: a descent that diverged is drawn as far as it can be seen.

    >>> shaped("theta", [1.0, 2.0], 3)
    Traceback (most recent call last):
    ValueError: theta must have shape (3,); got shape (2,)
    """
    try:
        array = np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError):
        raise TypeError(f"{name} must hold numbers in a regular grid; got {type(value).__name__}") from None
    lengths: dict[str, int] = {}
    fits = array.ndim == len(shape) and all(
        length == (lengths.setdefault(rule, length) if isinstance(rule, str) else rule)
        for length, rule in zip(array.shape, shape, strict=True)
    )
    if not fits:
        told = f"({', '.join(map(str, shape))}{',' if len(shape) == 1 else ''})"
        raise ValueError(f"{name} must have shape {told}; got shape {array.shape}")
    return array


def two_classes(data: Any) -> Dataset:
    """A data set that can be drawn in a plane, with the labels -1 and +1; from a pair (X, y), with any two labels."""
    if isinstance(data, tuple) and len(data) == 2:
        y, classes = signed(np.asarray(validate.unmasked("y", data[1])))
        data = Dataset(data[0], y, classes=classes)
    if not isinstance(data, Dataset):
        raise TypeError(f"data must be a Dataset or a pair (X, y); got {type(data).__name__}")
    if data.X.shape[1] != 2:
        names = ", ".join(data.features[:4]) + (", ..." if len(data.features) > 4 else "")
        raise ValueError(f"data must have 2 features to be drawn in a plane; got {data.X.shape[1]} ({names})")
    if data.y.dtype.kind != "f":
        raise ValueError(f"data must have two classes, labeled -1 and +1; got {len(data.classes)} classes "
                         f"({', '.join(data.classes)}), labeled from 0")
    return data


def rows(name: str, value: ArrayLike | None, n: int) -> NDArray[np.intp]:
    """Indices of examples, one or several; none for None."""
    if value is None or np.size(value) == 0:
        return np.empty(0, np.intp)
    return validate.indices(name, np.atleast_1d(value), n)
