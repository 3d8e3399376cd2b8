"""The marks of one submission: what it returns is compared here, where the answers are, and only here."""

from __future__ import annotations

import copy
import json
import math
import time
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, NamedTuple

import numpy as np

from coursekit.checking import wire
from coursekit.checking.tasks import ASSIGNMENTS
from coursekit.checking.tasks.judge import Case, Task, diagnose
from coursekit.grading import worker
from coursekit.grading.sandbox import PACKAGE, START_SECONDS, Process, Stopped, sandbox_missing

__all__ = ["Mark", "TaskMark", "grade_notebook", "sandbox_missing"]

CELL_SECONDS = 30.0  # of computing
TASK_SECONDS = 10.0  # of computing, for all calls of one task
SUBMISSION_SECONDS = 300.0  # in all, also of waiting
LARGEST = 20 << 20  # bytes of a notebook
NOTES = 20


def check_cell(task: str) -> str:
    """The grade_id of the cell that checks a task."""
    return f"{task}-check"


@dataclass(frozen=True)
class TaskMark:
    """What one task earned.

    ungraded: why it could not be graded, "" if it was; a fault of ours or of the machine, never a 0.
    message: a sentence for the student, "" when right. mistake: the sentence of the named mistake, "" if none.
    """

    name: str
    points: float
    max_points: float
    ungraded: str = ""
    message: str = ""
    mistake: str = ""


@dataclass(frozen=True)
class Mark:
    """What one submission earned, task by task.

    ungraded: why nothing could be graded (no notebook, unknown assignment), "" otherwise.
    notes: what the student should know about the cells of the notebook, in plain text.
    """

    assignment: str
    tasks: tuple[TaskMark, ...]
    ungraded: str = ""
    notes: tuple[str, ...] = ()


def grade_notebook(
    source: bytes, assignment: str, *, seed: int, sandbox: bool, beside: dict[str, bytes] | None = None
) -> Mark:
    """The marks for a notebook, given as the bytes of its file. Raises nothing, whatever is in `source`.

    seed: >= 0; what the functions are called with depends on it, and equal seeds give equal marks.
    sandbox: shut the submission in with bubblewrap; it stays ungraded where there is none.
    beside: other files of the student, by name: modules that the notebook can import.

    >>> mark = grade_notebook(b"no notebook", "01-linear-classifiers", seed=1, sandbox=False)
    >>> mark.ungraded
    'the notebook cannot be read (JSONDecodeError: Expecting value: line 1 column 1 (char 0))'
    """
    if assignment not in ASSIGNMENTS:
        return Mark(assignment, (), f"the assignment is none of {', '.join(ASSIGNMENTS)}")
    if len(source) > LARGEST:
        return Mark(assignment, (), f"the notebook has {len(source) >> 20} MB, more than {LARGEST >> 20}")
    if sandbox and sandbox_missing():
        return Mark(assignment, (), sandbox_missing())
    submission = _Submission(source, assignment, seed, sandbox, beside or {})
    try:
        while submission.left:
            submission.run()
    except _Ungraded as reason:
        return Mark(assignment, (), str(reason))
    tasks = tuple(submission.marks[task.name] for task in ASSIGNMENTS[assignment])
    return Mark(assignment, tasks, notes=tuple(submission.notes))


class _Ungraded(Exception):
    """A fault of ours, of the machine or of the file: no mark, not even 0."""


class _Submission:
    """Runs the notebook until every task has its mark: again after each cell or task that ended the process."""

    def __init__(self, source: bytes, assignment: str, seed: int, sandbox: bool, beside: dict[str, bytes]) -> None:
        self.source, self.assignment, self.seed, self.sandbox = source, assignment, seed, sandbox
        self.beside = beside
        self.exercise = _exercise(assignment)
        self.left = {task.name: task for task in ASSIGNMENTS[assignment]}
        self.drawn = _drawn(assignment, seed)
        self.marks: dict[str, TaskMark] = {}
        self.notes: list[str] = []
        self.stops: list[int] = []  # cells that ended the process: only definitions are run of them, then nothing
        self.end = time.monotonic() + SUBMISSION_SECONDS

    def run(self) -> None:
        tasks = {name: {"arguments": t.arguments, "cases": self.drawn[name].sent} for name, t in self.left.items()}
        order = {"cells": self.exercise, "stopped": self.stops, "seed": self.seed, "tasks": tasks,
                 "seconds": math.ceil(TASK_SECONDS)}
        self.started = False
        self.cell: tuple[int, str] | None = None  # what runs
        self.task: Task | None = None
        start = time.monotonic() + START_SECONDS
        try:
            with Process(order, self.source, self.beside, self.sandbox) as process:
                while self.left:
                    if self.hear(process.line(self.end if self.started else start)):
                        # The system stops the calls themselves; one second more is for all others of their family.
                        process.turn(CELL_SECONDS if self.cell else TASK_SECONDS + 1)
        except OSError as error:
            if not isinstance(error, TimeoutError):
                raise _Ungraded(f"no process could be started: {error}") from None
            if not self.started:
                raise _Ungraded(f"the process for it did not start in {START_SECONDS:g} seconds") from None
            where = self.cell[1] if self.cell else self.task.name if self.task else "the notebook"
            raise _Ungraded(f"{where} had not ended after {SUBMISSION_SECONDS:g} seconds in all") from None
        except Stopped as reason:
            self.stopped(str(reason))

    def hear(self, line: bytes) -> bool:
        """Take in one message: whether another cell or task has its turn now. Nothing is believed but its form."""
        try:
            message = json.loads(line)
        except (ValueError, RecursionError):
            message = None
        match message:
            case ["unreadable", str(reason)] if not self.started:
                raise _Ungraded(f"the notebook cannot be read ({_one_line(reason)})")
            case ["note", str(note)]:
                self.note(note)
                return False
            case ["cell", int(k), str(name)] if self.stops.count(k) < 2:
                self.cell, self.task = (k, name), None
            case ["task", str(name)] if name in self.left:
                self.cell, self.task = None, self.left[name]
            case ["answers", list()] if self.task:
                self.judge(self.task, line)
            case ["refused", str(sentence)] if self.task:
                self.mark(self.task, _one_line(sentence) or f"{self.task.name} gave no answer.")
            case ["over", int(status)]:
                if self.task:
                    slow = f"was still running after {TASK_SECONDS:g} seconds and was stopped"
                    reason = slow if status in (9, 24) else "ended the whole program"  # SIGKILL, SIGXCPU
                    self.mark(self.task, f"{self.task.name} {reason}.")
            case _:
                raise Stopped("sent back what is not an answer")
        self.started = True
        return True

    def stopped(self, reason: str) -> None:
        """Go on without the cell or task at fault."""
        if self.cell:
            k, name = self.cell
            self.note(f"{name} {reason}; {'it was left out' if k in self.stops else 'only what it defines was run'}.")
            self.stops.append(k)
        elif self.task:
            self.mark(self.task, f"{self.task.name} {reason}.")
        else:
            raise _Ungraded(f"the process for it {_one_line(reason)}")

    def judge(self, task: Task, line: bytes) -> None:
        try:
            verdict = worker.ask(_verdict, self.assignment, self.seed, task.name, line)
        except worker.Failed as reason:
            raise _Ungraded(f"the comparison of what {task.name} returned {_one_line(str(reason))}") from None
        self.mark(task, **verdict)

    def mark(
        self, task: Task, sentence: str = "", *, ungraded: str = "", mistake: str = "", judged: bool = False
    ) -> None:
        """judged: by our own comparison. Nothing else gives points or knows a mistake by name."""
        del self.left[task.name]
        self.task = None
        points = task.points if judged and not sentence else 0
        told = _one_line(sentence)
        self.marks[task.name] = TaskMark(task.name, points, task.points, _one_line(ungraded), told, mistake)

    def note(self, text: str) -> None:
        text = _one_line(text)
        if text not in self.notes and len(self.notes) < NOTES:
            self.notes.append(text)


def _verdict(assignment: str, seed: int, name: str, line: bytes) -> dict[str, Any]:
    """What `mark` is to know about the answers in a message. Takes as long as the student made it take."""
    task = next(t for t in ASSIGNMENTS[assignment] if t.name == name)
    cases, _, right = _drawn(assignment, seed)[name]
    try:
        answers = wire.decode_all(json.loads(line)[1])
    except ValueError as error:
        return {"sentence": f"What {name} returns cannot be read: {error}."}
    if len(answers) != len(cases):
        return {"sentence": f"{name} was called {len(cases)} times and answered {len(answers)} times."}
    try:
        with np.errstate(all="ignore"):
            # A copy, because some mistakes change what they are given.
            sentence = diagnose(task, copy.deepcopy(cases), answers, right)
    except MemoryError:
        raise
    except Exception as error:  # an answer that our own comparison did not foresee is no fault of the student
        return {"ungraded": f"the comparison failed ({type(error).__name__}: {error})"}
    known = sentence in {mistake.sentence for mistake in task.mistakes}
    return {"sentence": sentence, "mistake": sentence if known else "", "judged": True}


def _one_line(text: str) -> str:
    """Text of a student's making: what can be printed, on one line, short."""
    text = " ".join("".join(c if c.isprintable() else " " for c in text[:1000]).split())
    return text if len(text) <= 300 else text[:297] + "..."


class _Drawn(NamedTuple):
    """The cases of a task, the same as they are sent, and the reference's answers."""

    cases: list[Case]
    sent: list[list[Any]]
    right: list[Any]


@lru_cache(maxsize=16)
def _drawn(assignment: str, seed: int) -> dict[str, _Drawn]:
    """Once for a class: that takes a quarter of the time of a submission."""
    drawn = {}
    for task in ASSIGNMENTS[assignment]:
        cases = task.draw(np.random.default_rng([seed, *task.name.encode()]))
        sent = [list(map(wire.encode, case)) for case in cases]
        with np.errstate(all="ignore"):
            drawn[task.name] = _Drawn(cases, sent, [task.answer(*case) for case in copy.deepcopy(cases)])
    return drawn


@cache
def _exercise(assignment: str) -> list[dict[str, str | None]]:
    """The code cells of the released exercise: the source of an answer is None, a check has its task instead."""
    roots = [PACKAGE / "course", PACKAGE.parent]
    path = next(p for root in roots for p in sorted((root / "exercises" / assignment).glob("*.ipynb")))
    checks = {check_cell(task.name): task.name for task in ASSIGNMENTS[assignment]}
    cells = []
    for cell in json.loads(path.read_text("utf-8"))["cells"]:
        nbgrader = cell["metadata"].get("nbgrader")
        if cell["cell_type"] == "code" and nbgrader:
            name = nbgrader["grade_id"]
            source = None if nbgrader["solution"] else "".join(cell["source"])
            cells.append({"id": name, "task": checks[name]} if name in checks else {"id": name, "source": source})
    return cells
