"""Whether what came back for one case is what is expected there, how it differs, and what all wrong answers to a task
have in common: which entry it is, how far off, for which arguments."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from coursekit.checking.signature import short
from coursekit.checking.task import Expected, Floats, Sealed, Sketch, Task

NEARLY = 0.01  # right, where that is not right: how far an entry may be off, relative to the largest


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
        return "contains NaN (not a number), as after 0 / 0 or the root of a negative number"
    right = expected if isinstance(expected, (bool, float)) else want
    if want.ndim and want.size > 12:
        row = np.argwhere(~close(got, want, tolerance))[0][0]
        came, right = f"has {short(got[row])} in row {row}", want[row]
    return f"{came}, where {short(right)} is expected" if tell else f"{came}, which is not right"


def _truths(answer: Any, expected: Expected) -> bool:
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


def find_pattern(task: Task, p: int, answers: Sequence[Any], fits: list[list[bool]]) -> str:
    """What to say of part p behind its first failing case. fits: of each part, which cases are right."""
    for pattern in (only_line, _nearly_right, _constant, _depends):
        if found := pattern(task, p, answers):
            return f"; {found}"
    right = sum(map(all, zip(*fits, strict=True)))
    return f"; {right} of {len(answers)} cases are right" if 2 * right >= len(answers) else ""


def only_line(task: Task, p: int, answers: Sequence[Any]) -> str:
    """Which entry, row or column is wrong, if it is the same one wherever one is."""
    found: list[set[tuple[str, str]]] = []
    for answer, parts in zip(answers, task.right, strict=True):
        want, got = parts[p], numbers(answer)
        if not isinstance(want, np.ndarray) or not 1 <= want.ndim <= 2 or min(want.shape) < 2:
            return ""
        if isinstance(got, str) or got.shape != want.shape:
            return ""
        off = ~close(got, want, task.tolerance)
        if off.any():
            lines = [("entry", off)] if want.ndim == 1 else [("row", off.any(axis=1)), ("column", off.any(axis=0))]
            found.append({(place, line) for line, of_line in lines for place, k in (("first", 0), ("last", -1))
                          if of_line[k] and of_line.sum() == 1})
    same = set.intersection(*found) if found else set()
    return f"only its {' '.join(min(same))} is wrong, in every case" if same else ""


def _nearly_right(task: Task, p: int, answers: Sequence[Any]) -> str:
    want = arrays([parts[p] for parts in task.right])
    if not want or not all(equals(answer, w, NEARLY * min(1, np.max(np.abs(w), initial=0)))
                           for answer, w in zip(answers, want, strict=True)):
        return ""
    return "it is close in every case: do not round, or take finer steps"


def _constant(task: Task, p: int, answers: Sequence[Any]) -> str:
    got = [numbers(answer) for answer in answers]
    if len(got) < 3 or any(isinstance(g, str) or not g.size for g in got):
        return ""
    values = np.unique(np.concatenate([np.ravel(g) for g in got]))
    return f"it is {values[0] + 0.0:.4g} in every case" if len(values) == 1 else ""


def _depends(task: Task, p: int, answers: Sequence[Any]) -> str:
    """What the wrong cases, or entries, have in common, where that is one argument or its size."""
    right = [parts[p] for parts in task.right]
    wrong = np.array([not equals(answer, want, task.tolerance) for answer, want in zip(answers, right, strict=True)])
    nothing = np.array([want is None for want in right])
    if found := _apart(wrong, nothing, f"None is{'' if (nothing & wrong).any() else ' not'} expected"):
        return f"in this check it is wrong {found}"
    told: dict[Any, str] = {}  # where several arguments tell, nobody knows which it is; they may also grow together
    for i, name in enumerate(task.arguments):
        values = [numbers(case[i]) for case in task.cases]
        if any(isinstance(v, str) or v.ndim != values[0].ndim or not np.isfinite(v).all() for v in values):
            continue
        if not values[0].ndim:
            sizes = [(np.array(values), f"`{name}` is {{}}")]
        else:
            axes = ("rows", "columns") if values[0].ndim == 2 else ("entries",)
            sizes = [(np.array([v.shape[axis] for v in values]), f"`{name}` has {{}} {noun}")
                     for axis, noun in enumerate(axes)]
        for amounts, text in sizes:
            if values[0].ndim and len(set(amounts[wrong])) > 1 and set(amounts[~wrong]) != {1}:
                continue  # large cases differ from small ones in other things as well
            if found := _apart(wrong, amounts, text):
                told.setdefault(tuple(amounts), f"in this check it is wrong {found}")
        got: list[Any] = ["" if answer is None else numbers(answer) for answer in answers]
        off = [~close(g, want, task.tolerance / 100) for g, want, v in zip(got, right, values, strict=True)
               if isinstance(want, np.ndarray) and np.shape(g) == want.shape == v.shape and v.ndim == 1]
        if len(off) == len(answers) and (
                found := _apart(np.concatenate(off), np.concatenate(values), f"`{name}` is {{}}")):
            told.setdefault(name, f"in this check its entries are wrong {found}")
    return next(iter(told.values())) if len(told) == 1 else ""


def _apart(wrong: Any, values: Any, text: str) -> str:
    """Where what is wrong lies, if these values lie there and those of what is right do not, or hardly by chance."""
    if min(wrong.sum(), (~wrong).sum()) < 3:
        return ""
    low, high = values[wrong].min(), values[wrong].max()
    middle = values.min() < low and high < values.max()  # it's likely something else that those cases have in common
    there = (values >= low) & (values <= high)
    if middle or ((there & ~wrong).any() and (low < high or there.mean() ** wrong.sum() > 0.01)):
        return ""
    one, end = low == high, high == values.max()
    place = text.format(f"{low:g}" if one else f"{low:g} or more" if end else f"{high:g} or less")
    return f"only where {place}" if (there & ~wrong).any() else f"wherever {place}, and nowhere else"


def constant_difference(g: Floats, w: Floats) -> str:
    """All are rounded down; or the one number by which all are too large, or that was added to all of them."""
    if min(len(np.unique(g)), len(np.unique(w))) < 3 or not np.isfinite(g).all() or not np.isfinite(w).all():
        return ""
    whole = np.abs(w - np.round(w)) < 1e-9  # of these // makes 1 less, if they are a little too small
    if not whole.all() and np.where(whole, (g == np.round(w)) | (g == np.round(w) - 1), g == np.floor(w)).all():
        return "is rounded down, as by //: return the numbers as they are"
    factor, step = g @ w / (w @ w), np.mean(g - w)
    if np.abs(g).max() < 1e-9 * np.abs(w).max():
        return "is 0 everywhere, but for rounding"
    if abs(factor - 1) > 1e-3 and np.allclose(g, factor * w, rtol=1e-4, atol=1e-9):  # else it is merely close
        return f"is {factor:.4g} times what it should be, everywhere"
    if np.allclose(g - w, step, rtol=1e-4, atol=1e-9):
        return f"is {abs(step):.4g} too {'large' if step > 0 else 'small'} everywhere"
    return ""
