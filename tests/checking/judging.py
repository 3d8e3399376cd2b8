"""What a check says to an answer, for the tests of every chapter's tasks."""

import inspect
from functools import cache
from pathlib import Path

import pytest

from coursekit.checking import NotYet, call, checks
from coursekit.checking.judge import judged
from coursekit.grading.course import assignments

ROOT = Path(__file__).parents[2]
COURSE = {a.name: a for a in assignments(ROOT)}
HOME = {name: a for a in COURSE.values() for name in a.answers}
PUBLIC = None
SEEDS = [PUBLIC, pytest.param(0, marks=pytest.mark.slow)]


@cache
def tasks(assignment, seed=PUBLIC):
    """The tasks of an assignment by name: as they are given to students, or with cases that a grader draws.

    `test_stored_checks_are_those_of_the_tasks` sees to it that the first are not out of date.
    """
    if seed is PUBLIC:
        return checks.read(ROOT / "exercises" / assignment / checks.FILE)
    return {t.name: t for t in COURSE[assignment].fresh(seed)}


def sentence(name, answer, seed=PUBLIC):
    """"" for a right answer."""
    task = tasks(HOME[name].name, seed)[name]
    try:
        return judged(task, call.answers(task, answer, list(task.cases))).sentence
    except NotYet as error:
        return str(error)


def edited(chapter, name, edits):
    """The function of that name in a chapter's tests, with each old text replaced by the new one after it."""
    source = inspect.getsource(vars(chapter)[name])
    for old, new in zip(edits[::2], edits[1::2], strict=True):
        assert old in source
        source = source.replace(old, new)
    space = dict(vars(chapter))
    exec(compile(source, f"<{name} with {edits}>", "exec"), space)
    return space[name]
