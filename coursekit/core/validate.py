"""Checks of arguments: every error names the argument, the rule and what came."""

from __future__ import annotations  # or numpy.random would be imported for the name of its type

from collections.abc import Iterable, Mapping
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from coursekit.core.text import meant

Floats = NDArray[np.float64]


def array(name: str, value: ArrayLike, ndim: int | None = None) -> Floats:
    """`value` as a float array without NaN or infinity, of `ndim` dimensions."""
    value = unmasked(name, value)
    try:
        given = np.asarray(value)  # numpy would read texts, and drop the imaginary part of complex numbers
        if given.dtype.kind not in "biufO" or (given.dtype == object and any(isinstance(e, str) for e in given.flat)):
            raise TypeError
        result = np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        if columns := column_names(value):
            for column, entries in zip(columns, np.asarray(value, dtype=object).T, strict=True):
                if others := [entry for entry in entries if not isinstance(entry, Real)]:
                    raise TypeError(f"{name} must hold numbers; its column {column!r} has others, such as "
                                    f"{shown(others[0])}") from None
        raise TypeError(f"{name} must hold numbers in a regular grid; got {shown(value)}{_cure(name, value)}") from None
    if ndim is not None and result.ndim != ndim:
        wanted = {(1, 2): f"; np.ravel({name}) has 1" * (1 in result.shape), (2, 1): "; one feature is "
                  f"np.reshape({name}, (-1, 1)), one example np.reshape({name}, (1, -1))"}.get((ndim, result.ndim), "")
        raise ValueError(f"{name} must have {ndim} dimension(s); got shape {result.shape}{wanted}")
    if not (fine := np.isfinite(result)).all():
        where = f", the first in its column {of[np.argwhere(~fine)[0, 1]]!r}" if (of := column_names(value)) else ""
        cure = "; leave such examples out, or fill in what they lack" if name in "X y" or " of data" in name else ""
        raise ValueError(f"{name} must be finite; got {np.sum(~fine)} NaN or infinite entries{where}{cure}")
    return result


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


def unmasked(name: str, value: Any) -> Any:
    """`value`, as it came. ValueError where a mask hides some of it, which numpy would take off."""
    if hidden := np.count_nonzero(value.mask) if hasattr(value, "filled") else 0:
        raise ValueError(f"{name} must have no masked entries; got {hidden}; leave such examples out, or fill them in")
    return value


def _cure(name: str, value: Any) -> str:
    """What makes numbers of it, or -1 and +1 of labels, as far as that can be known."""
    if hasattr(value, "toarray") or hasattr(value, "X"):
        return f"; {name}.toarray() has them" if hasattr(value, "toarray") else "; a Dataset has them in its X and y"
    labels = np.asarray(() if isinstance(value, Mapping) else value, dtype=object)
    alike = name == "y" and labels.ndim == 1 and {*map(type, labels)} in ({str}, {float})
    kinds = sorted({*labels}) if alike else []
    if 2 < len(kinds) < 11:
        return "; for more classes there is ck.one_vs_rest, with y = np.unique(y, return_inverse=True)[1]"
    return f"; to convert them: y = np.where(np.array(y) == {kinds[1]!r}, 1, -1)" if len(kinds) == 2 else ""


def column_names(table: Any) -> tuple[str, ...]:
    """Those of a DataFrame or an Arrow table; anything else has none."""
    found = getattr(table, "column_names", getattr(table, "columns", ()))
    return tuple(map(str, found)) if isinstance(found, Iterable) else ()


def features(X: ArrayLike) -> Floats:
    """X as an (n, d) float array with at least one example and one feature."""
    X = array("X", X, ndim=2)
    if X.shape[0] == 0 or X.shape[1] == 0:
        raise ValueError(f"X must hold at least one example and one feature; got shape {X.shape}")
    return X


def examples(X: ArrayLike, y: ArrayLike) -> tuple[Floats, Floats]:
    """(X, y) as float arrays of shapes (n, d) and (n,), n >= 1, y in {-1, +1}."""
    X, y = features(X), array("y", y, ndim=1)
    same_length(X, y)
    wrong = y[np.abs(y) != 1]
    if len(wrong):
        raise ValueError(f"y must hold labels -1 and +1 only; got {shown(np.unique(wrong).tolist())}{_cure('y', y)}")
    return X, y


def same_length(X: NDArray[Any], y: NDArray[Any]) -> None:
    if len(X) != len(y):
        raise ValueError(f"X and y must have one row per example; got {len(X)} rows in X and {len(y)} labels in y"
                         f"{'; is X.T meant?' * (X.shape[1:] == y.shape)}")


def number(name: str, value: Any, low: float = -np.inf, high: float = np.inf, above: bool = False) -> float:
    """A finite float in [low, high], or in (low, high] with `above` (True and "2" are refused)."""
    rule = f"{'>' if above else '>='} {low:g}" if np.isfinite(low) else "finite"
    rule += f" and <= {high:g}" * (high < np.inf)
    try:
        if isinstance(value, (bool, np.bool_, str, bytes)):
            raise TypeError
        result = float(value)
    except (TypeError, ValueError, OverflowError):
        raise TypeError(f"{name} must be a {'finite number' if rule == 'finite' else f'number {rule}'}; "
                        f"got {shown(value)}") from None
    if not np.isfinite(result) or result < low or result > high or (above and result == low):
        raise ValueError(f"{name} must be {rule}; got {shown(value)}")
    return result


def count(name: str, value: Any, low: int = 1) -> int:
    """An integer >= low (True and 2.5 are refused)."""
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, np.integer)):
        raise TypeError(f"{name} must be an integer >= {low}; got {shown(value)}")
    if value < low:
        raise ValueError(f"{name} must be an integer >= {low}; got {value}")
    return int(value)


def one_of(name: str, value: Any, known: Iterable[Any]) -> Any:
    """The one of `known` that equals `value`; 1 is not True, but a text of numpy's is a text."""
    known = list(known)
    for k in known:
        if (type(value) is type(k) or isinstance(value, str)) and value == k:
            return k
    near = meant(value, map(str, known))
    raise ValueError(f"{name} must be one of {', '.join(map(repr, known))}; got {shown(value)}{near}")


def names(name: str, value: Iterable[Any]) -> tuple[str, ...]:
    """Several names; a text is one."""
    try:
        if isinstance(value, str):
            raise TypeError
        return tuple(map(str, value))
    except TypeError:
        raise TypeError(f"{name} must be a sequence of names; got {shown(value)}") from None


def indices(name: str, value: ArrayLike, n: int) -> NDArray[np.intp]:
    """A non-empty 1-D array of indices into n examples."""
    try:
        result = np.asarray(unmasked(name, value))
    except ValueError:  # ragged, too
        result = np.empty(0)
    if result.ndim != 1 or result.size == 0 or not np.issubdtype(result.dtype, np.integer):
        raise ValueError(f"{name} must be a 1-D array of example indices; got {shown(value)}")
    if result.min() < 0 or result.max() >= n:
        raise ValueError(f"{name} must hold indices from 0 to {n - 1}; got {result.min()} to {result.max()}")
    return result.astype(np.intp)


def rows(name: str, value: ArrayLike | None, n: int) -> NDArray[np.intp]:
    """Indices of examples, one or several; none for None."""
    if value is None or np.size(value) == 0:
        return np.empty(0, np.intp)
    return indices(name, np.atleast_1d(value), n)


def generator(seed: Any) -> np.random.Generator:
    """Random numbers that depend on `seed` alone, an integer >= 0."""
    return np.random.default_rng(count("seed", seed, 0))


def shown(value: Any) -> str:
    """A value in an error: its beginning, on one line."""
    text = " ".join(repr(value).split())
    return text if len(text) <= 60 else text[:57] + "..."
