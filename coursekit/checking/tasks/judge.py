"""What a task is, and how an answer is judged: pure functions on plain data.

Nothing here runs a student's code. Who judges holds the cases and the reference answer, and is handed
back one plain answer per case.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from coursekit.checking.judge import shown

Case = tuple[Any, ...]  # the arguments of one call


class Mistake(NamedTuple):
    """A wrong answer that people really write, and one sentence that helps whoever wrote it."""

    answer: Callable[..., Any]
    sentence: str


def slips(right: Sequence[Any], *wrong: tuple[int, Any, str]) -> tuple[Mistake, ...]:
    """The mistakes of a written answer: each puts one wrong part in the place of the right one."""

    def written(part: int, value: Any) -> Callable[[], tuple[Any, ...]]:
        return lambda: (*right[:part], value, *right[part + 1 :])

    return tuple(Mistake(written(part, value), sentence) for part, value, sentence in wrong)


@dataclass(frozen=True)
class Task:
    """One exercise.

    name: what check() takes and the function asked for; unique in the course.
    arguments, returns: names of the arguments, and of the parts of what comes back. One part: the
        answer is that part itself. Several: a tuple or list of them.
    cases: rng -> argument tuples. The same rng state gives the same cases; a public check uses a fixed
        seed, a grader a fresh one.
    answer: the reference. tolerance: how far a float may be off, relative to the largest entry (or to 1).
    hints: three, each saying more than the one before.
    judge: for a task that has many right answers: (case, answer) -> what is wrong with it, in a sentence,
        or "". It takes the place of the comparison with the reference, which is one right answer.
    """

    name: str
    points: int
    arguments: tuple[str, ...]
    returns: tuple[str, ...]
    cases: Callable[[np.random.Generator], Iterable[Case]]
    answer: Callable[..., Any]
    mistakes: tuple[Mistake, ...]
    hints: tuple[str, str, str]
    tolerance: float = 1e-4
    judge: Callable[[Case, Any], str] | None = None

    def draw(self, rng: np.random.Generator) -> list[Case]:
        """The cases of one check, small ones first."""
        return sorted(self.cases(rng), key=lambda case: sum(np.size(a) for a in case))

    def call(self, case: Case) -> str:
        """A case as a student would write it."""
        return f"{self.name}({', '.join(f'{n}={shown(a)}' for n, a in zip(self.arguments, case, strict=True))})"

    def problem(self, answer: Any, expected: Any, last: int | None = None) -> str:
        """What is wrong with an answer (or with its parts up to `last`), naming the part; "" if nothing."""
        if len(self.returns) == 1:
            return (p := compare(answer, expected, self.tolerance)) and f"the answer {p}"
        parts = _parts(answer)
        asked = f"{len(self.returns)} things are asked for: {', '.join(self.returns)}"
        if parts is None:
            return f"the answer {_came(answer)}, but {asked}"
        if len(parts) != len(expected):
            return f"the answer has {len(parts)} part(s), but {asked}"
        for name, a, e in list(zip(self.returns, parts, expected, strict=True))[: None if last is None else last + 1]:
            if p := compare(a, e, self.tolerance):
                return f"{name} {p}"
        return ""


def diagnose(task: Task, cases: Sequence[Case], answers: Sequence[Any], right: Sequence[Any] | None = None) -> str:
    """One sentence about what is wrong with the answers to these cases; "" if they are all right.

    right: the reference's answers, if they are known already.

    Answers that agree everywhere with a known mistake get its sentence. So do those that agree with it
    up to their first wrong part: what follows is often another mistake, or comes of the first. Others
    get the first failing case and what came back. What should have come back is never told.
    """
    if task.judge is not None:
        return next((s for c, a in zip(cases, answers, strict=True) if (s := task.judge(c, a))), "")
    expected = [task.answer(*case) for case in cases] if right is None else right
    problems = [task.problem(a, e) for a, e in zip(answers, expected, strict=True)]
    if not any(problems):
        return ""
    for case, answer in zip(cases, answers, strict=True):
        if answer is None and not any(e is None for e in expected):
            return f"{task.call(case)} came back as None: end {task.name} with return and the answer."

    def agree(others: Iterable[Any], last: int | None = None) -> bool:
        return not any(task.problem(a, o, last) for a, o in zip(answers, others, strict=True))

    first_wrong = next(k for k in range(len(task.returns)) if not agree(expected, k))
    for last in (None, first_wrong):
        for mistake in task.mistakes:
            with np.errstate(all="ignore"):
                if agree((mistake.answer(*case) for case in cases), last):
                    return mistake.sentence
    case, problem = next((c, p) for c, p in zip(cases, problems, strict=True) if p)
    return f"In {task.call(case)} {problem}."


def compare(answer: Any, expected: Any, tolerance: float) -> str:
    """"" if the answer is what is expected, else what came instead.

    expected: None, a bool, a number or an array of numbers (NaN in a known mistake's alone). Numbers may come
    as any kind of real number, arrays as anything regular (lists, tuples, float32), but shapes must agree.
    """
    if answer is None or expected is None:
        return "" if answer is expected else f"{_came(answer)}, which is not right"
    try:
        got = np.asarray(answer)
        if got.dtype.kind == "O":
            got = got.astype(np.float64)
    except (TypeError, ValueError, OverflowError):
        return f"{_came(answer)}, which is not made of numbers in a regular grid"
    if isinstance(expected, bool):
        right = got.shape == () and got.dtype.kind in "biuf" and got == expected
        return "" if right else f"{_came(answer)}, which is not right"
    want = np.asarray(expected, dtype=np.float64)
    if got.size == want.size == 0:
        return ""
    if got.dtype.kind not in "iuf":
        return f"{_came(answer)}, which is not made of numbers"
    if got.shape != want.shape:
        if got.size and want.size and got.shape[1:] == want.shape[1:] and got.ndim == want.ndim:
            return f"has length {len(got)}, which is not the length asked for"
        return f"has shape {got.shape}, which is not the shape asked for"
    got = got.astype(np.float64)
    if (np.isnan(got) & ~np.isnan(want)).any():
        return "contains NaN (not a number)"
    finite = np.isfinite(want)
    near = tolerance * max(1.0, float(np.abs(want[finite]).max(initial=0.0)))
    close = finite & np.isfinite(got) & (np.abs(got - np.where(finite, want, 0)) <= near)
    same = (got == want) | np.isnan(got) | close
    return "" if same.all() else f"{_came(answer)}, which is not right"


def _came(answer: Any) -> str:
    return f"came back as {shown(answer)}"


def _parts(answer: Any) -> list[Any] | None:
    if isinstance(answer, (tuple, list)) or (isinstance(answer, np.ndarray) and answer.ndim):
        return list(answer)
    return None
