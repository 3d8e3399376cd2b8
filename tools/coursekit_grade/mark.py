"""The marks of one submission: what it returns is compared here, where the answers are, and only here.

    notebook -> Process         its cells are run and its functions called, where nothing is and nothing is believed
             -> answers         as plain data, message by message: protocol.Kind
             -> judged          in a helper process, which may be stopped: worker.ask
             -> TaskMark, Mark  points and one sentence; or why it is ungraded, which is not the student's fault
"""

from __future__ import annotations

import json
import pickle
import re
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np

from coursekit.checking import wire
from coursekit.checking.judge import judge
from coursekit.checking.signature import Outcome, too_long
from coursekit.checking.task import Task
from coursekit_grade import protocol, worker
from coursekit_grade.answers import answers
from coursekit_grade.printable import one_line, said
from coursekit_grade.process import TAKEN, Process, Stopped
from coursekit_grade.protocol import Kind
from coursekit_grade.sandbox import Box

NOTES = 20
GRADE_ID = re.compile(rb'"grade_id"\s*:\s*"([\w-]{1,100})"')
FOREIGN = "it has no cell of the exercise, and nothing in it is right: it may be another notebook"


def check_cell(task: str) -> str:
    """The grade_id of the cell that checks a task."""
    return f"{task}-check"


def check_source(task: str) -> str:
    """The code of that cell, which also runs before all others: then it says which one to run."""
    return f'from coursekit.grading import check\n\ncheck("{task}")'


@dataclass(frozen=True)
class Drawn:
    """An assignment as one run grades it, with cases drawn for it: plain data, from which any process can grade."""

    assignment: str
    seed: int
    cells: tuple[dict[str, str | None], ...]  # of code: {"id", "source"}; of an answer it is None, a check has "task"
    tasks: tuple[Task, ...]  # what they ask and earn
    cases: dict[str, list[list[Any]]]  # of each task, as they are sent to the student's function
    answers: dict[str, bytes]  # each task with all that it has, pickled once for all submissions
    passed_over: tuple[str, ...] = ()  # draws that failed


@dataclass(frozen=True)
class TaskMark:
    """What one task earned."""

    name: str
    points: float
    max_points: float
    ungraded: str = ""  # why it could not be graded
    message: str = ""  # for the student, "" when right
    mistake: str = ""  # the id of the known mistake that it names
    right: str = ""  # the parts of a wrong answer that are right and have earned the points
    case: str = ""  # a call in which a known mistake shows
    code: str = ""  # what the student wrote
    outcome: Outcome = Outcome.OTHER  # of a wrong answer that names no mistake


@dataclass(frozen=True)
class Mark:
    """What one submission earned. ungraded: why nothing could be graded, else "". notes: on the notebook's cells."""

    assignment: str
    tasks: tuple[TaskMark, ...]
    ungraded: str = ""
    notes: tuple[str, ...] = ()


def grade_notebook(source: bytes, drawn: Drawn, box: Box, beside: dict[str, bytes] | None = None) -> Mark:
    """The marks for a notebook, given as the bytes of its file. Raises nothing, whatever is in `source`.

    It stays ungraded where there is no such box. beside: the student's modules that the notebook can import, by name.
    """
    if len(source) > protocol.NOTEBOOK:
        too_large = f"the notebook has {len(source) >> 20} MB, more than {protocol.NOTEBOOK >> 20}"
        return Mark(drawn.assignment, (), too_large)
    if missing := box.missing():
        return Mark(drawn.assignment, (), missing)
    grading = _Grading(source, drawn, box, beside or {})
    try:
        while grading.left:
            grading.run()
    except _Ungraded as reason:
        return Mark(drawn.assignment, (), str(reason))
    try:
        written = worker.ask(answers, source, [task.name for task in drawn.tasks], beside or {})
    except worker.Failed:
        written = {}
    tasks = tuple(replace(grading.marks[t.name], code=written.get(t.name, "")) for t in drawn.tasks)
    known = {str(cell["id"]).encode() for cell in drawn.cells if cell.get("source") is None}  # all others are alike
    if not (any(t.points or t.ungraded for t in tasks) or known & {*GRADE_ID.findall(source.replace(b"\0", b""))}):
        return Mark(drawn.assignment, (), FOREIGN)
    return Mark(drawn.assignment, tasks, notes=tuple(grading.notes))


class _Ungraded(Exception):
    """A fault of ours, of the machine or of the file: no mark, not even 0."""


class _Grading:
    """Runs the notebook until every task has its mark: again after each cell or task that ended the process.

    left, marks: the tasks without and with a mark. stops: the cells that ended the process; of these only definitions
    are run, then nothing. doubt: why what is wrong may be so for lack of a cell before it. cell, task: what runs in the
    process now. called: whether the calls of a task are not over yet.
    """

    def __init__(self, source: bytes, drawn: Drawn, box: Box, beside: dict[str, bytes]) -> None:
        self.source, self.drawn, self.box, self.beside = source, drawn, box, beside
        self.left = {task.name: task for task in drawn.tasks}
        self.marks: dict[str, TaskMark] = {}
        self.notes: list[str] = []
        self.doubt = ""
        self.stops: list[int] = []
        self.end = time.monotonic() + protocol.SUBMISSION_SECONDS

    def run(self) -> None:
        """One process, from its start to its end or that of the last task."""
        tasks = {name: {"arguments": t.arguments, "cases": self.drawn.cases[name]} for name, t in self.left.items()}
        self.started = self.called = False
        self.cell: tuple[int, str] | None = None
        self.task: Task | None = None
        start, marked = time.monotonic() + protocol.START_SECONDS, len(self.marks)
        reason, excused, outcome = "", False, Outcome.ERROR
        try:
            with Process(self.drawn.cells, self.stops, tasks, self.source, self.beside, self.box) as process:
                while self.left:
                    if self.hear(process.line(self.end if self.started else start)):
                        # The system stops the calls themselves; one second more is for all others of their family.
                        process.turn(protocol.CELL_SECONDS if self.cell else protocol.TASK_SECONDS + 1,
                                     protocol.WAIT_SECONDS)
        except Stopped as stopped:
            reason, excused = str(stopped), stopped.outcome is None
            outcome = stopped.outcome or outcome
        except TimeoutError:
            if not self.started:
                raise _Ungraded(f"the process for it did not start in {protocol.START_SECONDS:g} seconds") from None
            reason, excused = f"waited {protocol.WAIT_SECONDS:g} seconds and was stopped", True
        except OSError as error:
            raise _Ungraded(f"no process could be started: {error}") from None
        if excused and time.monotonic() >= self.end:
            why = f"the notebook had not ended after {protocol.SUBMISSION_SECONDS:g} seconds in all"
            for task in list(self.left.values()):
                self.mark(task, ungraded=why)
        elif reason and self.cell:
            k, name = self.cell
            self.note(f"{name} {reason}; {'it was left out' if k in self.stops else 'only what it defines was run'}.")
            self.stops.append(k)
            self.doubt = self.doubt or (f"{name} {reason}" if excused else "")
        elif reason and self.task:
            self.mark(self.task, f"{self.task.name} {reason}.", ungraded=reason if excused else "", outcome=outcome)
        elif reason and len(self.marks) == marked:  # else what was marked last may have left it behind
            raise _Ungraded(f"the process for it {one_line(reason)}")

    def hear(self, line: bytes) -> bool:
        """Take in one message: whether another cell or task has its turn now. Nothing is believed but its form."""
        try:
            message = json.loads(line)
        except (ValueError, RecursionError):
            message = None
        match message:
            case [Kind.UNREADABLE, str(reason)] if not self.started:
                raise _Ungraded(f"the notebook cannot be read ({one_line(reason)})")
            case [Kind.NOTE, str(note)]:
                self.note(note)
                return False
            case [Kind.CELL, int(k), str(name)] if self.stops.count(k) < 2:
                self.cell, self.task = (k, name), None
            case [Kind.TASK, str(name)] if name in self.left:
                self.cell, self.task, self.called = None, self.left[name], True
            case [Kind.ANSWERS, list(), str(lacks)] if self.task:
                self.judge(self.task, line, lacks)
            case [Kind.REFUSED, str(sentence), str(outcome)] if self.task:
                known = Outcome(outcome) if outcome in (Outcome.UNWRITTEN, Outcome.ERROR) else Outcome.OTHER
                self.mark(self.task, one_line(sentence) or f"{self.task.name} gave no answer.", outcome=known)
            case [Kind.LACKS, str(reason)] if self.task:
                self.mark(self.task, ungraded=one_line(reason) or "the grader lacks something that it needs")
            case [Kind.OVER, int(status), int() | float() as seconds] if self.called:
                self.called = False
                # SIGKILL, SIGXCPU: the system counts by ticks, and may be far off
                slow = status in (9, 24) and seconds > protocol.TASK_SECONDS / 2
                if self.task and status == 9 and not slow:
                    self.mark(self.task, ungraded=TAKEN)
                elif self.task:
                    why = f"was still running after {protocol.TASK_SECONDS:g} seconds and was stopped"
                    self.mark(self.task, f"{self.task.name} {why if slow else 'ended the whole program'}.",
                              outcome=Outcome.SLOW if slow else Outcome.ERROR)
            case _:
                raise Stopped("sent back what is not an answer")
        self.started = True
        return True

    def judge(self, task: Task, line: bytes, lacks: str) -> None:
        try:
            verdict = worker.ask(_verdict, self.drawn.answers[task.name], line)
        except worker.Failed as reason:
            raise _Ungraded(f"the comparison of what {task.name} returned {one_line(str(reason))}") from None
        self.mark(task, **verdict, doubt=lacks)

    def mark(
        self, task: Task, sentence: str = "", *, ungraded: str = "", mistake: str = "", judged: bool = False,
        right: Sequence[str] = (), case: str = "", outcome: Outcome = Outcome.OTHER, doubt: str = "",
    ) -> None:
        """judged: by our own comparison. Nothing else gives points or knows a mistake by name, or a right part. doubt:
        what the grader lacks that it may be wrong for.
        """
        del self.left[task.name]
        self.task = None
        whole = judged and not sentence
        ungraded = ungraded or ("" if whole else doubt or self.doubt)
        points = task.points if whole else task.earned(right) if not ungraded else 0
        if ungraded:
            sentence = mistake = case = ""
        shown = ", ".join(right) if points and sentence else ""
        self.marks[task.name] = TaskMark(task.name, points, task.points, one_line(ungraded), one_line(sentence),
                                         mistake, shown, case, outcome=outcome)

    def note(self, text: str) -> None:
        text = one_line(text)
        if text not in self.notes and len(self.notes) < NOTES:
            self.notes.append(text)


_unpacked = lru_cache(maxsize=256)(pickle.loads)


def _verdict(packed: bytes, line: bytes) -> dict[str, Any]:
    """What `mark` is to know about the answers in a message. Takes as long as the student made it take."""
    task: Task = _unpacked(packed)
    try:
        returned = wire.decode_all(json.loads(line)[1])
    except ValueError as error:
        return {"sentence": f"What {task.name} returns cannot be read: {error}."}
    if len(returned) != len(task.cases):
        return {"sentence": f"{task.name} was called {len(task.cases)} times and answered {len(returned)} times."}
    try:
        with np.errstate(all="ignore"):
            verdict = judge(task, returned, tell=False)
    except MemoryError:
        raise
    except Exception as error:  # an answer that our own comparison did not foresee is no fault of the student
        return {"ungraded": f"the comparison failed ({said(error)})"}
    return {"sentence": verdict.sentence, "mistake": verdict.mistake, "right": verdict.right, "judged": True,
            "case": _shows(task, verdict.mistake)}


def _shows(task: Task, mistake: str) -> str:
    """A call in which a known mistake shows, "" where it is none or too long to be typed."""
    cases = next((m.answers for m in task.mistakes if m.id == mistake), {})
    case = task.cases[min(cases)] if cases else ()
    return task.call(case) if case and not any(too_long(case)) else ""
