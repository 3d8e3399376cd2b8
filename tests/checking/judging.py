"""What a check says to an answer, and the answers of answers/NN-topic.toml (their form: test_every_task.py)."""

import itertools
import tomllib
from functools import cache
from pathlib import Path

import pytest

import coursekit as ck
from coursekit.checking import call, checks
from coursekit.checking.judge import judge
from coursekit.grading import NotYet
from coursekit_grade.solutions import assignments

ROOT = Path(__file__).parents[2]
COURSE = {a.name: a for a in assignments(ROOT)}
HOME = {name: a for a in COURSE.values() for name in a.answers}
EXERCISES = {name: home.exercises[name] for name, home in HOME.items()}
TOLD = {name: tomllib.loads((Path(__file__).parent / "answers" / f"{name}.toml").read_text("utf-8")) for name in COURSE}
ROWS = {name: {"own": [], "right": [], "wrong": [], **TOLD[home.name][name]} for name, home in HOME.items()}
PUBLIC = None
SEEDS = [PUBLIC, pytest.param(0, marks=pytest.mark.slow)]


released = cache(lambda assignment: checks.read(ROOT / "exercises" / assignment / checks.FILE))


@cache
def drawn(name, seed=PUBLIC):
    """A task as it is given to students (`test_stored_checks_are_those_of_the_tasks`), or as a grader draws it."""
    return released(HOME[name].name)[name] if seed is PUBLIC else EXERCISES[name].fresh(seed)[0]


def sentence(name, answer, seed=PUBLIC):
    """"" for a right answer."""
    task = drawn(name, seed)
    try:
        return judge(task, call.run(task, answer, list(task.cases))).sentence
    except NotYet as error:
        return str(error)


def edited(name, edits):
    """The first own answer with all old texts, or else the solution, with the new ones there."""
    sources = [*ROWS[name]["own"], HOME[name].answers[name].source]
    source = next((s for s in sources if all(old in s for old in edits[::2])), None)
    assert source, f"no answer to {name} has all of {edits[::2]}"
    for old, new in zip(edits[::2], edits[1::2], strict=True):
        source = source.replace(old, new)
    return source


def defined(name, source):
    """The function that an answer's source defines, where the solutions of the chapter are there to be called."""
    space = {**HOME[name].space, "ck": ck, "itertools": itertools}
    exec(TOLD[HOME[name].name].get("also", ""), space)
    exec(compile(source, f"<{name}>", "exec"), space)
    return space[name]


RIGHT = [(name, source) for name, rows in ROWS.items()
         for source in (*rows["own"], *(edited(name, edits) for edits in rows["right"]))]
WRONG = [(name, edited(name, edits), mention) for name, rows in ROWS.items() for *edits, mention in rows["wrong"]]
