"""The marks of one submission: what it returns is compared here, where the answers are, and only here."""

from __future__ import annotations

import copy
import json
import time
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, NamedTuple

import numpy as np

from coursekit.checking import wire
from coursekit.checking.tasks import ASSIGNMENTS
from coursekit.checking.tasks.judge import Case, Task, diagnose
from coursekit.grading import sandbox
from coursekit.grading.sandbox import sandbox_missing

__all__ = ["Mark", "TaskMark", "grade_notebook", "sandbox_missing"]

SUBMISSION_SECONDS = 60.0
LARGEST = 20 << 20  # bytes of a notebook
NOTES = 20


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


def grade_notebook(source: bytes, assignment: str, *, seed: int, sandbox: bool) -> Mark:
    """The marks for a notebook, given as the bytes of its file. Raises nothing, whatever is in `source`.

    seed: >= 0; what the functions are called with depends on it, and equal seeds give equal marks.
    sandbox: shut the submission in with bubblewrap; it stays ungraded where there is none.

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
    submission = _Submission(source, assignment, seed, sandbox)
    try:
        while submission.left:
            submission.run()
    except _Ungraded as reason:
        return Mark(assignment, (), str(reason))
    return Mark(assignment, tuple(submission.marks), notes=tuple(submission.notes))


class _Ungraded(Exception):
    """A fault of ours, of the machine or of the file: no mark, not even 0."""


class _Submission:
    """Runs the notebook until every task has its mark: again after each cell or task that ended the process."""

    def __init__(self, source: bytes, assignment: str, seed: int, shut_in: bool) -> None:
        self.source, self.seed, self.shut_in = source, seed, shut_in
        self.exercise = _exercise(assignment)
        self.left = list(ASSIGNMENTS[assignment])
        self.drawn = _drawn(assignment, seed)
        self.marks: list[TaskMark] = []
        self.notes: list[str] = []
        self.stops: list[int] = []  # cells that ended the process: only definitions are run of them, then nothing
        self.end = time.monotonic() + SUBMISSION_SECONDS

    def run(self) -> None:
        tasks = [{"name": t.name, "arguments": t.arguments, "cases": self.drawn[t.name].sent} for t in self.left]
        order = {"cells": self.exercise, "stopped": self.stops, "seed": self.seed, "tasks": tasks}
        self.started = False
        self.cell: tuple[int, str] | None = None  # what runs
        self.task: Task | None = None
        try:
            with sandbox.Process(order, self.source, self.shut_in) as process:
                deadline = time.monotonic() + sandbox.START_SECONDS
                while self.left:
                    if self.hear(process.line(deadline)):
                        deadline = min(time.monotonic() + sandbox.SECONDS, self.end)
        except OSError as error:
            raise _Ungraded(f"no process could be started: {error}") from None
        except sandbox.Stopped as reason:
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
            case ["task"]:
                self.cell, self.task = None, self.left[0]
            case ["answers", list(answers)] if self.task:
                self.judge(self.task, answers)
            case ["refused", str(sentence)] if self.task:
                self.mark(_one_line(sentence) or f"{self.task.name} gave no answer.")
            case ["over", int()]:
                if self.task:
                    raise sandbox.Stopped("ended the whole program")
            case _:
                raise sandbox.Stopped("sent back what is not an answer")
        self.started = True
        return True

    def stopped(self, reason: str) -> None:
        """Go on without the cell or task at fault."""
        if not self.started:
            raise _Ungraded(f"the process for it {reason}")
        if time.monotonic() >= self.end:
            while self.left:
                self.mark(f"{self.left[0].name} was not run: the notebook had used its {SUBMISSION_SECONDS:g} seconds.")
        elif self.cell:
            k, name = self.cell
            self.note(f"{name} {reason}; {'it was left out' if k in self.stops else 'only what it defines was run'}.")
            self.stops.append(k)
        elif self.task:
            self.mark(f"{self.task.name} {reason}.")

    def judge(self, task: Task, given: list[Any]) -> None:
        cases, _, right = self.drawn[task.name]
        try:
            answers = [wire.decode(answer) for answer in given]
        except ValueError as error:
            return self.mark(f"What {task.name} returns cannot be read: {error}.")
        if len(answers) != len(cases):
            return self.mark(f"{task.name} was called {len(cases)} times and answered {len(answers)} times.")
        try:
            with np.errstate(all="ignore"):
                # A copy, because some mistakes change what they are given.
                sentence = diagnose(task, copy.deepcopy(cases), answers, right)
        except Exception as error:  # an answer that our own comparison did not foresee is no fault of the student
            return self.mark("", f"the comparison failed ({type(error).__name__}: {_one_line(str(error))})")
        self.mark(sentence, judged=True)

    def mark(self, sentence: str, ungraded: str = "", judged: bool = False) -> None:
        """judged: by our own comparison. Nothing else gives points or knows a mistake by name."""
        task, self.task = self.left.pop(0), None
        named = judged and sentence in {mistake.sentence for mistake in task.mistakes}
        points = task.points if judged and not sentence else 0
        message, mistake = _one_line(sentence), sentence if named else ""
        self.marks.append(TaskMark(task.name, points, task.points, ungraded, message, mistake))

    def note(self, text: str) -> None:
        text = _one_line(text)
        if text not in self.notes and len(self.notes) < NOTES:
            self.notes.append(text)


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
    """The code cells of the released exercise: the source of an answer is None, that of a check is empty."""
    roots = [sandbox.PACKAGE / "course", sandbox.PACKAGE.parent]
    path = next(p for root in roots for p in sorted((root / "exercises" / assignment).glob("*.ipynb")))
    cells = []
    for cell in json.loads(path.read_text("utf-8"))["cells"]:
        nbgrader = cell["metadata"].get("nbgrader")
        if cell["cell_type"] == "code" and nbgrader:
            source = None if nbgrader["solution"] else "" if nbgrader["grade"] else "".join(cell["source"])
            cells.append({"id": nbgrader["grade_id"], "source": source})
    return cells
