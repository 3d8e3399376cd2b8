"""What the wrong answers to a task have in common: which entry it is, how far off, for which arguments."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from coursekit.checking.compare import arrays, close, equals, numbers
from coursekit.checking.task import Floats, Task

NEARLY = 0.01  # right, where that is not right: how far an entry may be off, relative to the largest


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
    return f"it is {values[0]:.4g} in every case" if len(values) == 1 else ""


def _depends(task: Task, p: int, answers: Sequence[Any]) -> str:
    """What the wrong cases, or entries, have in common, where that is one argument or its size."""
    right = [parts[p] for parts in task.right]
    wrong = np.array([not equals(answer, want, task.tolerance) for answer, want in zip(answers, right, strict=True)])
    nothing = np.array([want is None for want in right])
    if found := _apart(wrong, nothing, f"{'None' if (nothing & wrong).any() else 'a number'} is expected"):
        return f"it is wrong {found}"
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
                return f"it is wrong {found}"
        got: list[Any] = ["" if answer is None else numbers(answer) for answer in answers]
        off = [~close(g, want, task.tolerance) for g, want, v in zip(got, right, values, strict=True)
               if isinstance(want, np.ndarray) and np.shape(g) == want.shape == v.shape and v.ndim == 1]
        if len(off) == len(answers) and (
                found := _apart(np.concatenate(off), np.concatenate(values), f"`{name}` is {{}}")):
            return f"its entries are wrong {found}"
    return ""


def _apart(wrong: Any, values: Any, text: str) -> str:
    """Where what is wrong lies, if these values lie there and those of what is right do not, or hardly by chance."""
    if min(wrong.sum(), (~wrong).sum()) < 3:
        return ""
    low, high = values[wrong].min(), values[wrong].max()
    there = (values >= low) & (values <= high)
    if (there & ~wrong).any() and (low < high or there.mean() ** wrong.sum() > 0.01):
        return ""
    place = text.format(f"{low:g}" if low == high else f"{low:g} or more" if high == values.max()
                        else f"{high:g} or less" if low == values.min() else f"from {low:g} to {high:g}")
    return f"only where {place}" if (there & ~wrong).any() else f"wherever {place}, and nowhere else"


def constant_difference(g: Floats, w: Floats) -> str:
    """All are rounded down; or the one number by which all are too large, or that was added to all of them."""
    if min(len(np.unique(g)), len(np.unique(w))) < 3 or not np.isfinite(g).all() or not np.isfinite(w).all():
        return ""
    whole = np.abs(w - np.round(w)) < 1e-9  # of these // makes 1 less, if they are a little too small
    if not whole.all() and np.where(whole, (g == np.round(w)) | (g == np.round(w) - 1), g == np.floor(w)).all():
        return "is rounded down, as by //: return the numbers as they are"
    factor, step = g @ w / (w @ w), np.mean(g - w)
    if abs(factor - 1) > 1e-3 and np.allclose(g, factor * w, rtol=1e-4, atol=1e-9):  # else it is merely close
        return f"is {factor:.4g} times what it should be, everywhere"
    if np.allclose(g - w, step, rtol=1e-4, atol=1e-9):
        return f"is {abs(step):.4g} too {'large' if step > 0 else 'small'} everywhere"
    return ""
