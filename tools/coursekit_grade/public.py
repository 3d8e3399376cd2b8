"""A task as students get it: always the same cases, and nothing that would fail at a student or that nobody is told."""

from __future__ import annotations

import json
import re
from typing import Any

import numpy as np

from coursekit.checking import call, checks, wire
from coursekit.checking.judge import judge
from coursekit.checking.signature import short
from coursekit.checking.task import Task
from coursekit_grade.exercise import DRAWS, Answered, Exercise, not_told_apart
from coursekit_grade.tasks import which

ENOUGH = 20  # cases


def public(exercise: Exercise) -> Task:
    """The task of an exercise for students. ValueError, with file and line, for what must not be released."""
    if exercise.spec.accuracy:
        task = exercise.task(exercise.draw(np.random.default_rng(0)))
    else:
        task = exercise.task_of(_cases(exercise))
        _check_mistakes(exercise, task)
    with exercise.blamed():
        _check_as_a_student(exercise, task)
    return task


def _cases(exercise: Exercise) -> list[Answered]:
    """A case in which a mistake hangs on a last bit is passed over; the answer must hang on it in none."""
    found: list[Answered] = []
    for seed in range(DRAWS):
        answered = exercise.answered(exercise.draw(np.random.default_rng(seed)))
        for k, a in enumerate(answered):
            if exercise.on_edge(a.case, [exercise.right], [a.right]):
                raise ValueError(
                    f"{exercise.where}: case {k + 1} of draw {seed + 1} hangs on a last bit, which processors round "
                    "differently: two values tie there; draw numbers that do not, or whole numbers and quarters, "
                    "whose sums and products are exact"
                )
        found += [a for a in answered if not exercise.on_edge(a.case, exercise.wrong, a.wrong)]
        if len(found) >= ENOUGH or not exercise.answer.arguments:
            break
    return found


def _check_mistakes(exercise: Exercise, task: Task) -> None:
    """Refuse mistakes that nobody could be told about, and sentences that read badly."""
    faults = dict(not_told_apart(task))
    for k, mistake in enumerate(task.mistakes):
        if re.match(rf"({'|'.join(map(re.escape, task.returns))})\s", mistake.sentence):
            first = mistake.sentence.split()[0]
            faults.setdefault(k, f"a sentence cannot begin with {first}: write Your `{first}` ...")
    for k, fault in sorted(faults.items()):
        raise ValueError(f"{exercise.where}, mistake {which(exercise.spec.mistakes[k])}: {fault}")


def _check_as_a_student(exercise: Exercise, task: Task) -> None:
    """Refuse a solution that would fail where a student's would: as it is checked in a notebook, and graded."""
    stored = checks.again(task)
    for case, *read in zip(task.cases, stored.cases, (tuple(map(_sent, case)) for case in task.cases), strict=True):
        for name, before, *after in zip(task.arguments, case, *read, strict=True):
            if not all(call.alike(before, argument) for argument in after):
                raise ValueError(f"the argument {name} is not the same once it was written and read: it must be "
                                 f"{checks.PLAIN}; got {short(before)}")
    try:
        answers = call.run(stored, exercise.right, list(stored.cases))
        refused = {"checked": judge(stored, answers).sentence,
                   "graded": judge(stored, list(map(_sent, answers))).sentence}
    except call.NotYet as error:
        refused = {"checked": str(error)}
    for where, sentence in refused.items():
        if sentence:
            raise ValueError(f"the solution is refused where a student's is {where}: {sentence}")


def _sent(value: Any) -> Any:
    """A value as it arrives, once it was sent between a grader and the process in which answers run."""
    return wire.decode(json.loads(json.dumps(wire.encode(value))))
