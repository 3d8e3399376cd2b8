"""What a check says to an answer, for the tests of every chapter's tasks."""

from functools import cache
from pathlib import Path

import numpy as np
import pytest

from coursekit.checking import NotYet, call, checks
from coursekit.checking.judge import judged
from coursekit.grading.course import assignments

ROOT = Path(__file__).parents[2]
COURSE = {a.name: a for a in assignments(ROOT)}
HOME = {name: a for a in COURSE.values() for name in a.answers}
PUBLIC = None
SEEDS = [PUBLIC, 0, pytest.param(1, marks=pytest.mark.slow)]


def tasks(assignment, seed=PUBLIC):
    """The tasks of an assignment by name: as they are given to students, or with cases that a grader draws.

    `test_stored_checks_are_those_of_the_tasks` sees to it that the first are not out of date.
    """
    return _tasks(assignment, seed)


@cache
def _tasks(assignment, seed):
    if seed is PUBLIC:
        return checks.read(ROOT / "exercises" / assignment / checks.FILE)
    return {t.name: t for t in COURSE[assignment].fresh(seed)}


def sentence(name, answer, seed=PUBLIC):
    """"" for a right answer; `answer` may also be the source of a function f."""
    if isinstance(answer, str):
        space = {"np": np}
        exec(answer, space)
        answer = space["f"]
    task = tasks(HOME[name].name, seed)[name]
    try:
        return judged(task, call.answers(task, answer, list(task.cases))).sentence
    except NotYet as error:
        return str(error)
