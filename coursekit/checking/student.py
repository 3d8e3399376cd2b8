"""What a student calls in an exercise: check, hint and progress."""

import contextlib
import json
import linecache
import sys
from pathlib import Path
from typing import Any, NoReturn

from coursekit.checking import call, checks, newer
from coursekit.checking.call import NotYet
from coursekit.checking.judge import judge
from coursekit.checking.signature import Outcome
from coursekit.checking.task import Task, Verdict
from coursekit.core.files import write
from coursekit.core.text import meant

PROGRESS = ".coursekit-progress.json"
_hints_given: dict[str, int] = {}
_last_failure: dict[str, str] = {}
_written: list[Path] = []  # the file that this kernel wrote last


def check(name: str = "", answer: Any = ...) -> None:
    """Try your function on a task's examples: a line with a tick, or NotYet with one sentence.

    check("update") tries the function `update` of your notebook, check("update", mine) another one.

    The examples are always the same, so that the same answer gets the same sentence. The arguments of the call that
    failed are left in `check.case`, so that you can make it again: decision(*check.case). A tick says that no fault
    was found; who grades draws other examples.

    >>> check("update", lambda theta, x: theta)
    Traceback (most recent call last):
    ...
    coursekit.checking.call.NotYet: update must take (theta, x, y); yours takes (theta, x).
    """
    task = _task(name, f'check("{getattr(name, "__name__", "update")}")')
    if answer is ... and (answer := sys._getframe(1).f_globals.get(name, ...)) is ...:
        raise NotYet(f"There is no {name} yet: run the cell above, which defines it, then this one again.")
    printed: list[str] = []
    try:
        verdict = judge(task, call.run(task, answer, list(task.cases), printed=printed))
    except NotYet as problem:
        verdict = Verdict(str(problem), case=problem.case, names_call=problem.outcome is Outcome.ERROR)
    check.case = verdict.case or ()  # type: ignore[attr-defined]
    _record(name, not verdict.sentence)
    failing = next((k for k, case in enumerate(task.cases) if case is verdict.case), 0)
    if printed and printed[failing]:  # of one call: a line for debugging prints in each
        print(printed[failing].removesuffix("\n"))
    if not verdict.sentence:
        _last_failure.pop(name, None)
        print(f"✓ {name}: no fault found{verdict.note}{_newer(answer)}")
        return
    sentence = verdict.sentence
    if task.arguments and (names := call.globals_of(answer, single=not verdict.mistake)):
        sentence += (f" It reads {', '.join(names)} from the notebook: {name} should work with its own arguments "
                     f"({', '.join(task.arguments)}) alone, as they change from call to call.")
    _last_failure[name] = sentence
    if verdict.case and verdict.names_call:
        sentence += f" To make this call yourself, run {name}(*check.case) in a new cell."
    if verdict.right:
        earned = f"{task.earned(verdict.right):g} of {_points(task.points)}"
        sentence += f" Right already: {', '.join(verdict.right)} ({earned})."
    raise NotYet(sentence, verdict.case)


def _newer(answer: Any) -> str:
    """What of the cell with this function an older Python could not read, on which it may be graded."""
    lines = linecache.getlines(getattr(getattr(answer, "__code__", None), "co_filename", ""))
    news = newer.older("".join(lines))[1] if sys.version_info[:2] > newer.OLDEST else []
    if not news:
        return ""
    return (f"\nIt needs Python {news[0].python[0]}.{news[0].python[1]}, and may be graded on an older one: line "
            f"{news[0].line} of its cell has {news[0].what}. Better write it in another way.")


def hint(name: str = "", step: int | None = None) -> None:
    """Help with a task in steps, each call one step further; hint(name, 1) goes back to the first."""
    hints = _task(name, f'hint("{getattr(name, "__name__", "update")}")').hints
    given = _hints_given.get(name, 0) + 1 if step is None else step
    if step is not None and step not in range(1, len(hints) + 1):
        raise NotYet(f"{name} has hints 1 to {len(hints)}; got {step!r}.")
    _hints_given[name] = min(given, len(hints))
    if name in _last_failure:
        print(f"Your last check said: {_last_failure[name]}")
    if given > len(hints):
        print(f'There are no more hints; hint("{name}", 1) goes back to the first. Here is the last again: {hints[-1]}')
        return
    last = " (the last)" if given == len(hints) else ""
    print(f"Hint {given} of {len(hints)}{last}: {hints[given - 1]}")


def progress() -> None:
    """Print which tasks passed their last check, with their points, here and in the whole course.

    Kept in a small file in the folder above the notebook's, so it outlives the kernel.
    """
    known, total, most = state(), 0.0, 0.0
    marks = {True: ("✓", ""), False: ("✗", ", last check failed"), None: ("·", ", not tried yet")}
    here = Path.cwd().name
    try:
        course = checks.known()
    except ValueError as error:
        raise NotYet(str(error)) from None
    for assignment, tasks in course.items():
        points = sum(t.points for t in tasks.values())
        passed = [t for t in tasks.values() if known.get(t.name) is True]
        earned = sum(t.points for t in passed)
        total, most = total + earned, most + points
        print(f"{assignment}: {len(passed)} of {len(tasks)} tasks, {earned:g} of {points:g} points")
        if here == assignment or here not in course:
            for t in tasks.values():
                mark, word = marks[known.get(t.name)]
                print(f"  {mark} {t.name} ({_points(t.points)}{word})")
    print(f"Together: {total:g} of {_points(most)}")


def _points(number: float) -> str:
    return f"{number:g} point{'' if number == 1 else 's'}"


def _task(name: str, example: str) -> Task:
    if not isinstance(name, str):
        raise NotYet(f"The name of the task comes first, in quotation marks, as in {example}.")
    try:
        return checks.find(name) or _unknown(name, example.partition("(")[0])
    except ValueError as error:
        raise NotYet(str(error)) from None


def _unknown(name: str, call: str) -> NoReturn:
    course = checks.known()
    names = [t for tasks in course.values() for t in tasks]
    if near := meant(name, names):
        raise NotYet(f'There is no task "{name}"{near}')
    here = ", ".join(course.get(Path.cwd().name, names))
    if not name and here:
        raise NotYet(f'Say which task you mean, as in {call}("{here.split(", ")[0]}"); here are {here}.')
    raise NotYet(f"There is no task {name!r}; " + (f"here are {here}." if here else f"no {checks.FILE} is near."))


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
        stored = json.loads(_file().read_text("utf-8"))
        failed = dict.fromkeys(map(str, stored.get("failed", ())), False)
        return failed | dict.fromkeys(map(str, stored["passed"]), True)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}


def _record(name: str, passed: bool) -> None:
    known = state()
    if known.get(name) == passed:
        return
    known[name] = passed
    file = _file()
    text = json.dumps({word: sorted(n for n, p in known.items() if p is of)
                       for word, of in (("passed", True), ("failed", False))})
    # A folder that cannot be written to is no reason to fail the check.
    with contextlib.suppress(OSError):
        write(file, text.encode())
        _written[:] = [file]
