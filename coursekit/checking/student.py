"""What a student calls in an exercise: check, hint and progress."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NoReturn

from coursekit.checking import call, checks
from coursekit.checking.judge import judged
from coursekit.checking.task import Task, Verdict
from coursekit.core.files import write

PROGRESS = ".coursekit-progress.json"

_hints_given: dict[str, int] = {}
_last_failure: dict[str, str] = {}
_written: list[Path] = []  # the file that this kernel wrote last


def check(name: str, answer: Callable[..., Any]) -> None:
    """Try your function on a task's examples: a line with a tick, or NotYet with one sentence.

    The examples are always the same, so that the same answer gets the same sentence. The arguments of the call that
    failed are left in `check.case`, so that you can make it again: decision(*check.case). A tick says that no fault
    was found; who grades draws other examples.

    >>> check("update", lambda theta, x: theta)
    Traceback (most recent call last):
    ...
    coursekit.checking.call.NotYet: update must take (theta, x, y); yours takes (theta, x).
    """
    task = _task(name)
    try:
        verdict = judged(task, call.answers(task, answer, list(task.cases)))
    except call.NotYet as error:
        verdict = Verdict(str(error), case=error.case)
    check.case = verdict.case or ()  # type: ignore[attr-defined]
    _record(name, not verdict.sentence)
    if not verdict.sentence:
        _last_failure.pop(name, None)
        print(f"✓ {name}: no fault found{verdict.note}")
        return
    _last_failure[name] = verdict.sentence
    again = f" To make this call yourself, run {name}(*check.case) in a new cell." if verdict.case else ""
    if verdict.right:
        earned = f"{task.earned(verdict.right):g} of {_points(task.points)}"
        again += f" Right already: {', '.join(verdict.right)} ({earned})."
    raise call.NotYet(verdict.sentence + again, verdict.case)


def hint(name: str) -> None:
    """Help with a task in steps, each call one step further."""
    hints = _task(name).hints
    given = _hints_given.get(name, 0)
    _hints_given[name] = given + 1
    if name in _last_failure:
        print(f"Your last check said: {_last_failure[name]}")
    if given >= len(hints):
        print(f"There are no more hints; here is the last again, {len(hints)} of {len(hints)}: {hints[-1]}")
        return
    last = " (the last)" if given + 1 == len(hints) else ""
    print(f"Hint {given + 1} of {len(hints)}{last}: {hints[given]}")


def progress() -> None:
    """Print which tasks passed their last check, with their points, here and in the whole course.

    Kept in a small file in the folder above the notebook's, so it outlives the kernel.
    """
    known, total, most = state(), 0.0, 0.0
    here = Path.cwd().name
    try:
        course = checks.known()
    except ValueError as error:
        raise call.NotYet(str(error)) from None
    for assignment, tasks in course.items():
        points = sum(t.points for t in tasks.values())
        passed = [t for t in tasks.values() if known.get(t.name) is True]
        earned = sum(t.points for t in passed)
        total, most = total + earned, most + points
        print(f"{assignment}: {len(passed)} of {len(tasks)} tasks, {earned:g} of {points:g} points")
        if here == assignment or here not in course:
            for t in tasks.values():
                mark, word = {True: ("✓", ""), False: ("✗", ", last check failed")}.get(
                    known.get(t.name), ("·", ", not tried yet")  # type: ignore[arg-type]
                )
                print(f"  {mark} {t.name} ({_points(t.points)}{word})")
    print(f"Together: {total:g} of {_points(most)}")


def _points(number: float) -> str:
    return f"{number:g} point{'' if number == 1 else 's'}"


def _task(name: str) -> Task:
    if not isinstance(name, str):
        raise call.NotYet('The name of the task comes first, in quotation marks, as in check("update", update).')
    try:
        return checks.find(name) or _unknown(name)
    except ValueError as error:
        raise call.NotYet(str(error)) from None


def _unknown(name: str) -> NoReturn:
    course = checks.known()
    names = [t for tasks in course.values() for t in tasks]
    near = get_close_matches(name.lower(), names, 1)
    if near:
        raise call.NotYet(f'There is no task "{name}": do you mean "{near[0]}"?')
    here = ", ".join(course.get(Path.cwd().name, names))
    raise call.NotYet(f"There is no task {name!r}; " + (f"here are {here}." if here else f"no {checks.FILE} is near."))


def _file() -> Path:
    """One file for the course where its folders are in place, else one beside the notebook."""
    if around := checks.exercises():
        return around / PROGRESS
    here = Path.cwd()
    if here.name in checks.known():
        return here.parent / PROGRESS
    return _written[-1] if _written else here / PROGRESS


def state() -> dict[str, bool]:
    """Task -> whether its last check passed."""
    try:
        found = json.loads(_file().read_text("utf-8"))
        failed = dict.fromkeys(map(str, found.get("failed", ())), False)
        return failed | dict.fromkeys(map(str, found["passed"]), True)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}


def _record(name: str, passed: bool) -> None:
    known = state()
    if known.get(name) == passed:
        return
    known[name] = passed
    file = _file()
    text = json.dumps({
        "passed": sorted(n for n, p in known.items() if p), "failed": sorted(n for n, p in known.items() if not p)
    })
    # A folder that cannot be written to is no reason to fail the check.
    with contextlib.suppress(OSError):
        write(file, text.encode())
        _written[:] = [file]
