"""How an answer is judged: pure functions on the plain data of a task and what came back for its cases."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from itertools import permutations
from typing import Any

import numpy as np

from coursekit.checking import accuracy
from coursekit.checking.asked import shown
from coursekit.checking.task import Expected, Floats, Mistake, Sealed, Sketch, Task, Verdict

CLOSE = 0.01  # nearly right, where that is not right: how far an entry may be off, relative to the largest


def judged(task: Task, answers: Sequence[Any], tell: bool = True) -> Verdict:
    """What is wrong with these answers, one for each case of the task.

    Answers that agree everywhere with a known mistake get its sentence. So do those that agree with it up to their
    first wrong part, unless all parts are right in another order: what follows is often another mistake, or comes of
    the first. Then come the mistakes that are possible in any task, then the first failing case.
    tell: say what is expected there, unless it was to be worked out by hand; a grader does not.
    """
    if task.accuracy is not None:
        return accuracy.judged(task, answers)
    if sentence := _left_out(task, answers):
        return Verdict(sentence)
    if sentence := _too_many(task, answers):
        return Verdict(sentence)
    several = len(task.returns) > 1
    given = [_parts(answer) if several else [answer] for answer in answers]
    rows = [g for g in given if g is not None and len(g) == len(task.returns)]
    if len(rows) < len(answers):
        alone = _alone(task, answers)
        few = ((k, _too_few(task, alone, a, g)) for k, (a, g) in enumerate(zip(answers, given, strict=True)))
        return _in_case(task, *next((k, problem) for k, problem in few if problem))
    problems = [[compare(row[p], task.right[k][p], task.tolerance, f"{task.name} {p}", tell)
                 for p in range(len(task.returns))] for k, row in enumerate(rows)]
    wrong_parts = [p for p in range(len(task.returns)) if any(found[p] for found in problems)]
    if not wrong_parts:
        return Verdict()
    right = [name for p, name in enumerate(task.returns) if task.parts and p not in wrong_parts]
    first = next(k for k, found in enumerate(problems) if any(found))
    verdict = _wrong(task, rows, problems, wrong_parts, first)
    return replace(verdict, right=tuple(right), case=task.cases[first] or None)


def _wrong(task: Task, rows: list[list[Any]], problems: list[list[str]], wrong_parts: list[int], k: int) -> Verdict:
    """k: the first case that is wrong."""
    if known := _known(task, rows, problems, len(task.returns) - 1):
        return known
    if sentence := _in_another_order(task, rows):
        return Verdict(sentence)
    if known := _known(task, rows, problems, wrong_parts[0]):
        return known
    if sentence := _in_any_task(task, rows, wrong_parts[0]):
        return Verdict(sentence)
    p = next(p for p in range(len(task.returns)) if problems[k][p])
    what = f"`{task.returns[p]}`" if len(task.returns) > 1 else "the answer"
    return _in_case(task, k, f"{what} {problems[k][p]}{_only(task, rows, p) or _close(task, rows, p)}")


def _in_case(task: Task, k: int, problem: str) -> Verdict:
    case = task.cases[k]
    if not case:
        return Verdict(f"{problem[0].upper()}{problem[1:]}.")
    return Verdict(f"In {task.call(case)} {problem}.", case=case)


def _left_out(task: Task, answers: Sequence[Any]) -> str:
    for k, answer in enumerate(answers):
        nothing = len(task.returns) == 1 and any(parts[0] is None for parts in task.right)  # is an answer, too
        if answer is None and not nothing:
            if all(a is None for a in answers):
                return f"{task.call(task.cases[k])} came back as None: end {task.name} with return and the answer."
            return f"{task.call(task.cases[k])} came back as None: {task.name} can end there without reaching a return."
    return ""


def _alone(task: Task, answers: Sequence[Any]) -> str:
    """The name of the one part that came back in every case; "" if that is not so."""
    for p, name in enumerate(task.returns):
        if all(right[p] is not None and not compare(answer, right[p], task.tolerance, f"{task.name} {p}")
               for answer, right in zip(answers, task.right, strict=True)):
            return name
    return ""


def _too_few(task: Task, alone: str, answer: Any, parts: list[Any] | None) -> str:
    """What to say to an answer that has not as many parts as are asked for; "" if it has."""
    if parts is not None and len(parts) == len(task.returns):
        return ""
    asked = f"{len(task.returns)} things are asked for: return {', '.join(task.returns)}"
    if alone:
        return f"only `{alone}` came back, but {asked}"
    if parts is None or isinstance(answer, np.ndarray):
        return f"one thing came back, {shown(answer)}, but {asked}"
    return f"{len(parts)} part(s) came back, but {asked}"


def _too_many(task: Task, answers: Sequence[Any]) -> str:
    """What to say where one thing is asked for and a tuple with others came back."""
    if len(task.returns) > 1 or not all(isinstance(a, tuple) for a in answers):
        return ""
    ragged = any(isinstance(_numbers(a), str) for a in answers)
    if ragged or any(all(not compare(a[p], r[0], task.tolerance, f"{task.name} 0")
                         for a, r in zip(answers, task.right, strict=True)) for p in range(min(map(len, answers)))):
        return f"{len(answers[0])} things came back where one is asked for: return {task.returns[0]} alone."
    return ""


def _known(task: Task, rows: list[list[Any]], problems: list[list[str]], last: int) -> Verdict | None:
    """The first mistake that agrees everywhere with the parts up to `last`."""
    for mistake in task.mistakes:
        if all(_agrees(task, mistake, k, row, problems[k], last) for k, row in enumerate(rows)):
            return Verdict(mistake.sentence, mistake.id)
    return None


def _agrees(task: Task, mistake: Mistake, k: int, row: list[Any], problems: list[str], last: int) -> bool:
    """Whether the parts up to `last` are what the mistake returns for case k."""
    differs = mistake.answers.get(k, {})
    return not any(
        compare(_counted(row[p]), differs[p], task.tolerance, f"{task.name} {p}") if p in differs else problems[p]
        for p in range(last + 1)
    )


def _counted(answer: Any) -> Any:
    """True and False as 1 and 0: a mistake stays the same in both."""
    numbers = None if answer is None else _numbers(answer)
    return answer if isinstance(numbers, str) else numbers


def _in_another_order(task: Task, rows: list[list[Any]]) -> str:
    n = len(task.returns)
    if not 1 < n <= 7:
        return ""
    fits = [[not any(compare(row[i], task.right[k][p], task.tolerance, f"{task.name} {p}")
                     for k, row in enumerate(rows)) for p in range(n)] for i in range(n)]
    for order in permutations(range(n)):
        if all(fits[i][p] for i, p in enumerate(order)):
            yours = ", ".join(task.returns[p] for p in order)
            return f"The parts are right but in another order, {yours}: return {', '.join(task.returns)}."
    return ""


# What goes wrong in any task: how many axes the right w has, at least and at most; what comes instead; what to say.
FORMS: tuple[tuple[int, int, Callable[[Floats], Any], str], ...] = (
    (1, 1, lambda w: w.reshape(-1, 1),
     "is a column of shape (n, 1): it should be flat, of shape (n,); .ravel() makes it so"),
    (1, 1, lambda w: w.reshape(1, -1),
     "is a row of shape (1, n): it should be flat, of shape (n,); .ravel() makes it so"),
    (2, 2, lambda w: w.T, "lies on its side: rows and columns are exchanged"),
    (2, 2, lambda w: np.broadcast_to(w[-1], w.shape),
     "has the same numbers in every row: [[0] * k] * k holds one list k times, so make a new one for each row"),
    (2, 2, np.triu, "is filled above its diagonal alone"),
    (2, 2, np.tril, "is filled below its diagonal alone"),
    (2, 2, lambda w: w * (1 - np.eye(*w.shape)), "has zeros on its diagonal"),
    (1, 1, np.sort, "is sorted: its order should stay as it comes"),
    (1, 9, lambda w: w[0], "is the first entry alone: all are asked for, so return must come after the loop"),
    (1, 9, lambda w: w[-1], "is the last entry alone: all are asked for, so collect them"),
    (1, 9, lambda w: w[:1], "holds the first entry alone: return must come after the loop, not inside"),
    (1, 9, lambda w: w[:-1], "lacks the last entry of what is asked for"),
    (1, 9, lambda w: w[1:], "lacks the first entry of what is asked for"),
    (1, 1, lambda w: np.roll(w, 1), "begins with what should be its last entry"),
    (1, 1, lambda w: np.roll(w, -1), "ends with what should be its first entry"),
    (1, 9, lambda w: w[::-1], "is the wrong way round: its first entry should be the last"),
    (1, 9, lambda w: w.sum(), "is one number, the sum of what is asked for: return all of them"),
    (1, 9, lambda w: w.mean(), "is one number, the mean of what is asked for: return all of them"),
    (0, 9, np.negative, "has the opposite sign everywhere: there is a minus too many or too few"),
    (0, 9, np.abs, "has lost its signs: what is negative should stay so"),
    (0, 9, np.sign, "has kept the signs alone: the numbers themselves are asked for"),
    (0, 9, lambda w: np.maximum(w, 0), "is 0 where it should be negative: there is a max(0, ...) too many"),
    (0, 9, np.trunc, "has lost its fractions: an array of integers cuts them off, so use floats"),
    (0, 9, np.round, "is rounded: return the numbers as they are"),
    *((0, 9, partial(np.round, decimals=digits), "is rounded: return the numbers as they are") for digits in (1, 2, 3)),
    (0, 9, np.floor, "is rounded down: return the numbers as they are"),
    (0, 9, lambda w: w + 1, "is 1 too large everywhere"),
    (0, 9, lambda w: w - 1, "is 1 too small everywhere"),
    (0, 9, lambda w: 1 - w, "is 1 minus what is asked for"),
    (0, 9, lambda w: 2 * w, "is twice what it should be, everywhere"),
    (0, 9, lambda w: w / 2, "is half of what it should be, everywhere"),
    (0, 9, lambda w: 100 * w, "is in per cent: it should be 100 times smaller"),
    (0, 9, lambda w: 1 / w, "is 1 divided by what is asked for"),
    (1, 1, lambda w: w / len(w), "is divided by n, the number of its entries: leave that out"),
    (1, 1, lambda w: w / np.linalg.norm(w), "is divided by its length: leave that out"),
    (0, 9, np.square, "is the square of what is asked for"),
    (0, 9, lambda w: np.sqrt(np.abs(w)), "is the square root of what is asked for"),
)


def _in_any_task(task: Task, rows: list[list[Any]], p: int) -> str:
    """A mistake that has nothing to do with what the task is about, in part p."""
    got = [_numbers(row[p]) for row in rows]
    want = _arrays(task, p)
    if not want or any(isinstance(g, str) for g in got):
        return ""
    your = f"Your `{task.returns[p]}`" if len(task.returns) > 1 else "Your answer"
    if all(np.asarray(row[p]).dtype == bool and np.array_equal(np.flatnonzero(row[p]), w)
           for row, w in zip(rows, want, strict=True)):
        return f"{your} is True or False for each row: np.flatnonzero makes row numbers of it."

    def all_are(forms: list[Any]) -> bool:
        if any(compare(g, f, task.tolerance) for g, f in zip(got, forms, strict=True)):
            return False
        differs = any(np.shape(f) != w.shape or compare(f, w, task.tolerance) for f, w in zip(forms, want, strict=True))
        return differs and len(np.unique(np.concatenate([np.ravel(f) for f in forms]))) > 1  # a constant tells nothing

    for least, most, form, said in FORMS:
        if all(least <= w.ndim <= most for w in want):
            with np.errstate(all="ignore"):
                forms = [form(w) if w.size else w for w in want]
            if all_are(forms):
                return f"{your} {said}."
    for q, name in enumerate(task.returns):
        if q != p and (others := _arrays(task, q)) and all_are(others):
            return f"{your} is what belongs into `{name}`."
    if all(g.ndim == w.ndim + 1 and len(g) and not compare(g[-1], w, task.tolerance)
           for g, w in zip(got, want, strict=True)):
        return f"{your} holds all of them: the last one alone is asked for."
    if all_are([np.reshape(w, g.shape) if w.size == g.size else w for w, g in zip(want, got, strict=True)]):
        k = next(k for k, (w, g) in enumerate(zip(want, got, strict=True)) if w.shape != g.shape)
        return f"{your} has the right numbers in another shape, {got[k].shape} where {want[k].shape} is asked for."
    return ""


def _arrays(task: Task, p: int) -> list[Floats]:
    """Part p of the right answers, where it is made of numbers in every case; else nothing."""
    parts = [parts[p] for parts in task.right]
    if any(isinstance(e, (bool, Sketch, Sealed)) or e is None for e in parts):
        return []
    return [np.asarray(e, dtype=np.float64) for e in parts]


def _only(task: Task, rows: list[list[Any]], p: int) -> str:
    """Which entry of part p is wrong, if it is the same one wherever one is."""
    found: set[str] = set()
    for row, parts in zip(rows, task.right, strict=True):
        w, g = parts[p], _numbers(row[p])
        if not isinstance(w, np.ndarray) or w.ndim != 1 or len(w) < 2 or isinstance(g, str) or g.shape != w.shape:
            return ""
        wrong = [k for k in range(len(w)) if compare(g[k], float(w[k]), task.tolerance)]
        if wrong:
            first, last = wrong == [0], wrong == [len(w) - 1]
            found.add("first" if first else "last" if last else "")
    return f"; only its {found.pop()} entry is wrong, in every case" if found in ({"first"}, {"last"}) else ""


def _close(task: Task, rows: list[list[Any]], p: int) -> str:
    """What to say where part p is nearly right in every case: rounded, or found by too few steps."""
    want = _arrays(task, p)
    if not want or any(compare(row[p], w, CLOSE * min(1, np.max(np.abs(w), initial=0)))
                       for row, w in zip(rows, want, strict=True)):
        return ""
    return "; it is close in every case: do not round, or take finer steps"


def compare(answer: Any, expected: Expected, tolerance: float, salt: str = "", tell: bool = False) -> str:
    """"" if the answer is what is expected, else what came, and what should have come (its value if `tell`).

    Numbers may come as any kind of real number (True and False only where they were worked out by hand), arrays as
    anything regular (lists, tuples, float32), but shapes must agree. Each entry is judged by its own size: two
    entries may be an error and a count.
    """
    if answer is None or expected is None:
        return "" if answer is expected else f"{_came(answer)}, where {_kind(expected)} is expected"
    got = _numbers(answer)
    if isinstance(got, str):
        return f"{_came(answer)}, which is {got}; {_kind(expected)} is expected"
    shape = expected.shape if isinstance(expected, (np.ndarray, Sketch, Sealed)) else ()
    if got.size == 0 == int(np.prod(shape)):
        return ""
    if got.shape != shape:
        return f"has {_size(got.shape, shape)}, where {_size(shape, got.shape)} is expected"
    if not isinstance(expected, (bool, Sealed)) and np.asarray(answer).dtype == bool:
        return f"{_came(answer)}, where numbers are expected: multiplied by 1, True and False become 1 and 0"
    if isinstance(expected, Sketch):
        return "" if expected.near(got, tolerance) else f"{_came(answer)}, which is not right"
    if isinstance(expected, Sealed):
        same = expected.same(got, salt)
        return "" if same.all() else f"{_came(answer)}, which is not right{_where(same)}"
    want = np.asarray(expected, dtype=np.float64)
    if (np.isnan(got) & ~np.isnan(want)).any():
        return "contains NaN (not a number), as after a division by 0"
    finite = np.isfinite(want) & np.isfinite(got)
    with np.errstate(invalid="ignore"):
        close = finite & (np.abs(got - want) <= tolerance * np.maximum(1, np.abs(want)))
    same = (got == want) | np.isnan(got) | close
    if same.all():
        return ""
    came, right = _came(answer), expected if isinstance(expected, bool) else want
    if want.ndim and want.size > 12:
        row = np.argwhere(~same)[0][0]
        came, right = f"has {shown(got[row])} in row {row}", want[row]
    return f"{came}, where {shown(right)} is expected" if tell else f"{came}, which is not right"


def _came(answer: Any) -> str:
    return f"came back as {shown(answer)}"


def _where(same: Any) -> str:
    if same.ndim != 1 or same.size < 2:
        return ""
    wrong = np.flatnonzero(~same)
    return f": look at entry {wrong[0] + 1}" if len(wrong) == 1 else f" in {len(wrong)} of {same.size} entries"


def _numbers(answer: Any) -> Any:
    """The answer as floats, or what it is instead."""
    try:
        got = np.asarray(answer)
        if got.dtype.kind == "O":
            got = got.astype(np.float64)
    except (TypeError, ValueError, OverflowError):
        return "not made of numbers in a regular grid"
    return got.astype(np.float64) if got.dtype.kind in "biuf" else "not made of numbers"


def _kind(expected: Expected) -> str:
    if expected is None:
        return "None"
    if isinstance(expected, bool):
        return "True or False"
    shape = expected.shape if isinstance(expected, (np.ndarray, Sketch, Sealed)) else ()
    return f"an array or list of shape {shape}" if shape else "a number"


def _size(shape: tuple[int, ...], other: tuple[int, ...]) -> str:
    if len(shape) == len(other) == 1:
        return f"length {shape[0]}"
    return f"shape {shape}" + (" (a single number)" if not shape else "")


def _parts(answer: Any) -> list[Any] | None:
    if isinstance(answer, (tuple, list)) or (isinstance(answer, np.ndarray) and answer.ndim):
        return list(answer)
    return None
