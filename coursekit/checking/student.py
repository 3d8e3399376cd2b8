"""What a student calls in an exercise: check, hint and progress."""

from __future__ import annotations

import contextlib
import json
import os
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from coursekit.checking import call
from coursekit.checking.judge import Task, diagnose
from coursekit.checking.tasks import ASSIGNMENTS
from coursekit.core import validate

PUBLIC_SEED = 0
PROGRESS = ".coursekit-progress.json"

_hints_given: Counter[str] = Counter()


def check(name: str, answer: Callable[..., Any]) -> None:
    """Try a task's public cases on your function: a line with a tick, or NotYet with one sentence.

    The cases are always the same, so that the same answer gets the same sentence; a few new ones are
    drawn as well, so that an answer has to be computed. Passing says that no fault was found.

    >>> check("update", lambda theta, x: theta)
    Traceback (most recent call last):
    ...
    coursekit.checking.call.NotYet: update must take (theta, x, y); yours takes (theta, x).
    """
    task = _task(name)
    try:
        for seed, printed in ((PUBLIC_SEED, call.PRINTED), (None, 0)):
            cases = task.draw(np.random.default_rng(seed))
            if sentence := diagnose(task, cases, call.answers(task, answer, cases, printed=printed)):
                raise call.NotYet(sentence)
    except call.NotYet:
        _record(name, False)
        raise
    _record(name, True)
    print(f"✓ {name}: public cases passed")


def hint(name: str) -> None:
    """Help with a task in three steps, each call one step further."""
    hints = _task(name).hints
    step = min(_hints_given[name], len(hints) - 1)
    _hints_given[name] += 1
    print(f"Hint {step + 1} of {len(hints)}: {hints[step]}")


def progress() -> None:
    """Print which tasks passed their last check, here and in the whole course.

    Kept in a small file in the folder above the notebook's, so it outlives the kernel.
    """
    done = _done()
    for assignment, tasks in ASSIGNMENTS.items():
        passed = [t.name in done for t in tasks]
        print(f"{assignment}: {sum(passed)} of {len(tasks)} tasks")
        if Path.cwd().name == assignment or Path.cwd().name not in ASSIGNMENTS:
            for t, p in zip(tasks, passed, strict=True):
                print(f"  {'✓' if p else '·'} {t.name}")


def _task(name: str) -> Task:
    known = {t.name: t for tasks in ASSIGNMENTS.values() for t in tasks}
    try:
        return known[validate.one_of("name", name, known)]
    except ValueError as error:
        raise call.NotYet(str(error)) from None


def _file() -> Path:
    """One file for the course where its folders are in place, else one beside the notebook."""
    here = Path.cwd()
    return (here.parent if here.name in ASSIGNMENTS else here) / PROGRESS


def _done() -> set[str]:
    try:
        return set(map(str, json.loads(_file().read_text())["passed"]))
    except (OSError, ValueError, KeyError, TypeError):
        return set()


def _record(name: str, passed: bool) -> None:
    done = _done()
    if (name in done) == passed:
        return
    done = done | {name} if passed else done - {name}
    file = _file()
    new = file.with_name(f"{file.name}.{os.getpid()}")
    # A folder that cannot be written to is no reason to fail the check.
    with contextlib.suppress(OSError):
        new.write_text(json.dumps({"passed": sorted(done)}))
        os.replace(new, file)
