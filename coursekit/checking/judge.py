"""How an answer is judged: by the plain data of a task and what came back for its cases."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import permutations, product
from typing import Any

import numpy as np

from coursekit.checking import accuracy
from coursekit.checking.common_mistakes import common_mistake
from coursekit.checking.compare import difference, equals, find_pattern, numbers
from coursekit.checking.signature import short
from coursekit.checking.task import Mistake, Task, Verdict


def judge(task: Task, answers: Sequence[Any], tell: bool = True) -> Verdict:
    """What is wrong with these answers, one for each case of the task.

    Answers that agree everywhere with a known mistake get its sentence. So do those that agree with it up to their
    first wrong part, unless all parts are right in another order: what follows is often another mistake, or comes of
    the first. Then come the mistakes that are possible in any task, then the first failing case.
    tell: say what is expected there, unless it was to be worked out by hand; a grader does not.
    """
    if task.accuracy is not None:
        return accuracy.judge(task, answers)
    if sentence := _nothing(task, answers) or _too_many(task, answers):
        return Verdict(sentence)
    rows = [_parts(answer, len(task.returns)) for answer in answers]
    if few := [k for k, row in enumerate(rows) if row is None]:
        return _failed(task, few[0], _too_few(task, answers, answers[few[0]]), every=len(few) == len(rows))
    parts = list(zip(*rows, strict=True))  # of each its answers for all cases
    fits = [_fits(task, part, p) for p, part in enumerate(parts)]
    wrong = [p for p, of_part in enumerate(fits) if not all(of_part)]
    if not wrong:
        return Verdict()
    first = next(k for k, of_case in enumerate(zip(*fits, strict=True)) if not all(of_case))
    right = tuple(name for p, name in enumerate(task.returns) if task.parts and p not in wrong)
    return replace(_diagnosis(task, parts, fits, wrong, first, tell), right=right, case=task.cases[first] or None)


def _diagnosis(task: Task, parts: list[Sequence[Any]], fits: list[list[bool]], wrong: list[int], first: int,
               tell: bool) -> Verdict:
    """fits: which answers are right, of each part for each case. wrong: which parts are not. first: in which case."""
    if known := _known(task, parts, fits, len(parts) - 1):
        return known
    if sentence := _in_another_order(task, parts):
        return Verdict(sentence)
    values = np.unique(np.hstack([np.ravel(numbers(answer)) for answer in parts[wrong[0]]]))  # one tells too little
    if len(values) > 1 and (known := _known(task, parts, fits, wrong[0])):
        return known
    if sentence := next(filter(None, (common_mistake(task, p, parts[p], first=p == wrong[0]) for p in wrong)), ""):
        return Verdict(sentence)
    p = next(p for p in wrong if not fits[p][first])
    what = f"`{task.returns[p]}`" if len(parts) > 1 else "the answer"
    problem = difference(parts[p][first], task.right[first][p], task.tolerance, tell)
    return _failed(task, first, f"{what} {problem}{find_pattern(task, p, parts[p], fits)}")


def _failed(task: Task, k: int, problem: str, every: bool = False) -> Verdict:
    case = task.cases[k]
    if every or not case:
        return Verdict(f"{problem[0].upper()}{problem[1:]}.", case=case)
    return Verdict(f"In {task.call(case)} {problem}.", case=case, names_call=True)


def _nothing(task: Task, answers: Sequence[Any]) -> str:
    """What to say where None came back, unless that is an answer, too."""
    none = [k for k, answer in enumerate(answers) if answer is None]
    if not none or (len(task.returns) == 1 and any(parts[0] is None for parts in task.right)):
        return ""
    if len(none) == len(answers):
        return (f"{task.name} returns None: it must reach a return with the answer; print alone gives nothing back, "
                "and neither does a search that finds nothing.")
    return (f"{task.call(task.cases[none[0]])} came back as None: {task.name} returns None there, or ends without "
            "reaching a return, as a search does that finds nothing.")


def _too_many(task: Task, answers: Sequence[Any]) -> str:
    if len(task.returns) > 1 or not all(isinstance(answer, tuple) for answer in answers):
        return ""
    ragged = any(isinstance(numbers(answer), str) for answer in answers)
    if ragged or any(all(_fits(task, part, 0)) for part in zip(*answers, strict=False)):
        return f"{len(answers[0])} things came back: return {task.returns[0]} alone."
    return ""


def _too_few(task: Task, answers: Sequence[Any], answer: Any) -> str:
    wanted = f"return {len(task.returns)} things, {', '.join(task.returns)}"
    for p, name in enumerate(task.returns):
        if all(parts[p] is not None for parts in task.right) and all(_fits(task, answers, p)):
            return f"only `{name}` came back: {wanted}"
    if not isinstance(answer, (tuple, list)):
        return f"one thing came back, {short(answer)}: {wanted}"
    return f"{len(answer)} {'part' if len(answer) == 1 else 'parts'} came back: {wanted}"


def _parts(answer: Any, n: int) -> list[Any] | None:
    if n == 1:
        return [answer]
    several = isinstance(answer, (tuple, list)) or (isinstance(answer, np.ndarray) and answer.ndim)
    return list(answer) if several and len(answer) == n else None


def _fits(task: Task, part: Sequence[Any], p: int) -> list[bool]:
    return [equals(answer, right[p], task.tolerance) for answer, right in zip(part, task.right, strict=True)]


def _known(task: Task, parts: list[Sequence[Any]], fits: list[list[bool]], last: int) -> Verdict | None:
    """The first mistake that agrees everywhere with the parts up to `last`."""

    def made_at(mistake: Mistake, k: int, p: int) -> bool:
        """Whether part p of case k is what the mistake returns there."""
        returned = mistake.answers.get(k, {})
        return equals(_counted(parts[p][k]), returned[p], task.tolerance) if p in returned else fits[p][k]

    places = list(product(range(len(task.cases)), range(last + 1)))
    later = [f"`{name}`" for name in task.returns[last + 1 :]]  # what a sentence says of them has not been seen
    made = (m for m in task.mistakes if all(made_at(m, k, p) for k, p in places)
            and not any(name in m.sentence for name in later))
    return next((Verdict(m.sentence, m.id) for m in made), None)


def _counted(answer: Any) -> Any:
    counts = None if answer is None else numbers(answer)
    return answer if isinstance(counts, str) else counts


def _in_another_order(task: Task, parts: list[Sequence[Any]]) -> str:
    if not 1 < len(parts) <= 7:
        return ""
    right = [[all(_fits(task, part, p)) for p in range(len(parts))] for part in parts]
    for order in permutations(range(len(parts))):
        if all(right[i][p] for i, p in enumerate(order)):
            yours = ", ".join(task.returns[p] for p in order)
            return f"The parts are right but in another order, {yours}: return {', '.join(task.returns)}."
    return ""
