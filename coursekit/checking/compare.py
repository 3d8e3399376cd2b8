"""Whether what came back for one case is what is expected there, and how it differs."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from coursekit.checking.signature import short
from coursekit.checking.task import Expected, Floats, Sealed, Sketch


def equals(answer: Any, expected: Expected, tolerance: float) -> bool:
    """Whether the answer is what is expected.

    Numbers may come as any kind of real number (True and False only where they were worked out by hand), arrays as
    anything regular (lists, tuples, float32), but shapes must agree. Each entry is judged by its own size: two
    entries may be an error and a count.
    """
    if answer is None or expected is None:
        return answer is expected
    got, shape = numbers(answer), getattr(expected, "shape", ())
    if isinstance(got, str):
        return False
    if got.shape != shape or _truths(answer, expected):
        return got.size == 0 == int(np.prod(shape))
    if isinstance(expected, Sketch):
        return expected.near(got, tolerance)
    return bool(np.all(expected.equal(got) if isinstance(expected, Sealed) else close(got, expected, tolerance)))


def difference(answer: Any, expected: Expected, tolerance: float, tell: bool = False) -> str:
    """What came of an answer that is not what is expected, and what should have come (its value if `tell`)."""
    came, shape = f"came back as {short(answer)}", getattr(expected, "shape", ())
    if answer is None or expected is None:
        return f"{came}, where {_kind(expected)} is expected"
    if isinstance(got := numbers(answer), str):
        return f"{came}, which is {got}; {_kind(expected)} is expected"
    if got.shape != shape:
        return f"has {size(got.shape, shape)}, where {size(shape, got.shape)} is expected"
    if _truths(answer, expected):
        return f"{came}, where numbers are expected: multiplied by 1, True and False become 1 and 0"
    if isinstance(expected, (Sketch, Sealed)):
        return f"{came}, which is not right{_where(expected.equal(got)) if isinstance(expected, Sealed) else ''}"
    want = np.asarray(expected, dtype=np.float64)
    if (np.isnan(got) & ~np.isnan(want)).any():
        return "contains NaN (not a number), as after a division by 0"
    right = expected if isinstance(expected, (bool, float)) else want
    if want.ndim and want.size > 12:
        row = np.argwhere(~close(got, want, tolerance))[0][0]
        came, right = f"has {short(got[row])} in row {row}", want[row]
    return f"{came}, where {short(right)} is expected" if tell else f"{came}, which is not right"


def _truths(answer: Any, expected: Expected) -> bool:
    """Whether True and False came where numbers are expected."""
    return not isinstance(expected, (bool, Sealed)) and np.asarray(answer).dtype == bool


def close(got: Floats, want: float | Floats, tolerance: float) -> Any:
    """Which entries are what is expected."""
    finite = np.isfinite(want) & np.isfinite(got)
    with np.errstate(invalid="ignore"):
        near = finite & (np.abs(got - want) <= tolerance * np.maximum(1, np.abs(want)))
    return (got == want) | (np.isnan(got) & np.isnan(want)) | near


def numbers(answer: Any) -> Any:
    """The answer as an array of floats, or in words what it is instead."""
    try:
        got = np.asarray(answer)
        if got.dtype.kind == "O":
            if any(entry is None for entry in got.flat):  # which would become NaN
                return "not made of numbers alone: there is a None in it"
            got = got.astype(np.float64)
    except (TypeError, ValueError, OverflowError):
        return "not made of numbers in a regular grid"
    if got.dtype.kind == "c" and not got.imag.any():  # as np.linalg.eig answers, since NumPy 2.5
        got = got.real
    kind = got.dtype.kind
    return got.astype(np.float64) if kind in "biuf" else "complex" if kind == "c" else "not made of numbers"


def arrays(values: Sequence[Any]) -> list[Floats]:
    """One value of each case, where it is made of numbers in all of them; else nothing."""
    if any(isinstance(v, (bool, str, Sketch, Sealed)) or v is None or isinstance(numbers(v), str) for v in values):
        return []
    return [numbers(v) for v in values]


def size(shape: tuple[int, ...], other: tuple[int, ...]) -> str:
    if len(shape) == len(other) == 1:
        return f"length {shape[0]}"
    return f"shape {shape}" + (" (a single number)" if not shape else "")


def _where(equal: Any) -> str:
    if equal.ndim != 1 or equal.size < 2:
        return ""
    wrong = np.flatnonzero(~equal)
    return f": look at entry {wrong[0] + 1}" if len(wrong) == 1 else f" in {len(wrong)} of {equal.size} entries"


def _kind(expected: Expected) -> str:
    single = "None" if expected is None else "True or False" if isinstance(expected, bool) else "a number"
    return f"an array or list of shape {shape}" if (shape := getattr(expected, "shape", ())) else single
