"""For those who keep nbgrader: its autograder with our sandbox, set up as docs/grading.md says, and our marks in its
gradebook."""

from __future__ import annotations

import os
import secrets
import sysconfig
import warnings
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any
from unittest.mock import patch

import nbformat
from nbformat import NotebookNode
from nbgrader import preprocessors as theirs
from nbgrader.api import Gradebook, MissingEntry
from nbgrader.converters import GenerateAssignment
from nbgrader.coursedir import CourseDirectory
from sqlalchemy.exc import SQLAlchemyError
from traitlets import Bool, Integer

from coursekit_grade.collected import files_in
from coursekit_grade.graded import Graded, ungraded
from coursekit_grade.intake import modules_beside
from coursekit_grade.mark import TaskMark, check_cell, check_source, grade_notebook
from coursekit_grade.printable import one_line
from coursekit_grade.release import explains
from coursekit_grade.sandbox import Box
from coursekit_grade.solutions import Course, around, nbgrader_metadata
from coursekit_grade.worker import COURSEKIT

SEED = secrets.randbelow(2**32)  # one for all notebooks of a run


@cache
def _course(root: Path) -> Course:
    """nbgrader's own, else the clone that coursekit is in; one process may grade several courses."""
    return Course(around(root) or COURSEKIT.parent)


class ClearExplanations(theirs.NbGraderPreprocessor):  # type: ignore[misc]
    """Takes out the Markdown cells that explain a solution. Without it nbgrader stops at the first of them."""

    def preprocess(self, nb: NotebookNode, resources: Any) -> tuple[NotebookNode, Any]:
        nb.cells = [cell for cell in nb.cells if not explains(cell)]
        return nb, resources


class SafeDeduplicateIds(theirs.DeduplicateIds):  # type: ignore[misc]
    """In place of DeduplicateIds: every cell has the nbgrader metadata that it was released with, or none.

    nbgrader empties those of a duplicate, takes what is left for an outdated format, and stops grading everybody.
    Here the last cell with a grade_id keeps it, as with nbgrader, and what students changed does not matter.
    """

    def preprocess(self, nb: NotebookNode, resources: Any) -> tuple[NotebookNode, Any]:
        where = resources["nbgrader"]
        with Gradebook(where["db_url"]) as gradebook:
            notebook = gradebook.find_notebook(where["notebook"], where["assignment"])
            points = {cell.name: cell.max_score for cell in (*notebook.grade_cells, *notebook.task_cells)}
            are = {kind: {cell.name for cell in getattr(notebook, f"{kind}_cells")}
                   for kind in ("grade", "solution", "task")}
            released = {c.name: _metadata(c.name, c.cell_type, **{kind: c.name in names for kind, names in are.items()},
                                          locked=c.locked, points=points.get(c.name), checksum=c.checksum)
                        for c in notebook.source_cells}
        for cell in reversed(nb.cells):
            if (given := cell.metadata.pop("nbgrader", None)) is None:
                continue
            name = given.get("grade_id") if isinstance(given, dict) else None
            if isinstance(name, str) and name in released:
                cell.metadata["nbgrader"] = released.pop(name)
            else:
                self.log.warning("A cell with the grade_id %r is none of the exercise, or one of two", name)
        return nb, resources


class SafeExecute(theirs.NbGraderPreprocessor):  # type: ignore[misc]
    """In place of Execute: every task is graded as `coursekit grade` does it. What it found is what the checks said.

    Raises RuntimeError for a notebook that cannot be graded; nbgrader then names it and goes on with the others.
    """

    seed = Integer(None, allow_none=True, help="Of the test inputs; None: a fresh one in every run.").tag(config=True)
    require_sandbox = Bool(False, help="Refuse to grade where bubblewrap cannot be used.").tag(config=True)

    def preprocess(self, nb: NotebookNode, resources: Any) -> tuple[NotebookNode, Any]:
        if missing := Box().missing():
            if self.require_sandbox:
                raise RuntimeError(f"require_sandbox is set, but there is no sandbox: {missing}")
            self.log.warning("NO SANDBOX: %s.", missing)
        seed = SEED if self.seed is None else self.seed
        assignment = resources["nbgrader"]["assignment"]
        source = nbformat.writes(nb).encode("utf-8", "replace")  # with its outputs, which tell what ran elsewhere
        nb, resources = theirs.ClearOutput().preprocess(nb, resources)
        course = CourseDirectory(config=self.config)
        # As they were handed in: into the folder that is graded nbgrader copies what is beside the solution.
        student = resources["nbgrader"].get("student", "")
        handed_in = files_in(Path(course.format_path(course.submitted_directory, student, assignment)), set())
        try:
            drawn = _course(Path(course.root)).drawn(assignment, seed)
            beside = modules_beside([(f.path, f) for f in handed_in if f.kind == ".py" and not f.problem])
        except ValueError as error:
            raise RuntimeError(f"cannot be graded: {error}") from None
        mark = grade_notebook(source, drawn, Box(open=bool(missing)), beside)
        if why := ungraded(mark):
            raise RuntimeError(f"cannot be graded: {why}")
        self.log.info("Graded with seed %d", seed)
        checks = {nbgrader_metadata(cell).get("grade_id"): cell for cell in nb.cells}
        for task in mark.tasks:
            name = check_cell(task.name)
            if name not in checks:  # deleted
                metadata = _metadata(name, "code", grade=True, solution=False, locked=True, task=False,
                                     points=task.max_points)
                checks[name] = nbformat.v4.new_code_cell(check_source(task.name), metadata={"nbgrader": metadata})
                if (nb.nbformat, nb.nbformat_minor) < (4, 5):
                    del checks[name]["id"]
                nb.cells.append(checks[name])
            checks[name].outputs = [_output(task)]
        return nb, resources


GENERATE = [ClearExplanations, *GenerateAssignment.preprocessors.default()]
SANITIZE = [SafeDeduplicateIds, theirs.OverwriteKernelspec, theirs.OverwriteCells, theirs.CheckCellMetadata]
AUTOGRADE = [SafeExecute, theirs.LimitOutput, theirs.SaveAutoGrades, theirs.AssignLatePenalties,
             theirs.CheckCellMetadata]


class Words:
    """A gradebook of nbgrader's, a new one or that of a course: there people give marks for answers in words.

    course: its tasks are from here on also those that people read.
    """

    def __init__(self, database: Path, course: Course | None = None) -> None:
        self.database, self.points = database, course.words if course else {}
        self._read: dict[tuple[str, str], dict[str, TaskMark]] = defaultdict(dict)
        if course:
            course.points = {a: {**tasks, **self.points.get(a, {})} for a, tasks in course.points.items()}
        if not (self.points and database.exists()):
            return
        with _open(database) as gradebook:
            for assignment, tasks in self.points.items():
                for student, (name, most) in product(gradebook.students, tasks.items()):
                    place = name, assignment.partition("-")[2], assignment, student.id
                    with suppress(MissingEntry):
                        points = gradebook.find_grade(*place).manual_score
                        if points is not None:
                            said = one_line(gradebook.find_comment(*place).comment or "")
                            self._read[assignment, student.id][name] = TaskMark(name, points, most, message=said)

    def added(self, g: Graded) -> Graded:
        """With the marks of answers in words; what nobody has read yet is ungraded."""
        s, words = g.submission, self.points.get(g.submission.assignment)
        if not (words and g.mark.tasks):
            return g
        marks = self._read[s.assignment, s.id or s.student]
        new = [marks.get(n, TaskMark(n, 0, most, "a person has to read it first")) for n, most in words.items()]
        return g._replace(mark=replace(g.mark, tasks=(*g.mark.tasks, *new)))

    def save(self, graded: Iterable[Graded]) -> None:
        """Put marks into it; marks given by hand there stay.

        A task that could not be graded is left to be graded by hand. What adjust.csv says of a task becomes a mark by
        hand, lateness nbgrader's own penalty.
        """
        with _open(self.database) as gradebook:
            for g in graded:
                _save(g, gradebook, self.points.get(g.submission.assignment, {}))


@contextmanager
def _open(database: Path) -> Iterator[Gradebook]:
    # nbgrader calls alembic by its name, which is on PATH in an activated environment only.
    path = os.pathsep.join([sysconfig.get_path("scripts"), os.environ.get("PATH", "")])
    place = f"sqlite:///{database.resolve()}"
    try:
        with warnings.catch_warnings(), patch.dict(os.environ, PATH=path), Gradebook(place) as gradebook:
            warnings.simplefilter("ignore")  # SQLAlchemy's, about nbgrader
            yield gradebook
    except SQLAlchemyError as error:
        raise ValueError(f"the gradebook {database} cannot be used: {str(error).splitlines()[0]}") from None


def _save(g: Graded, gradebook: Gradebook, words: Mapping[str, float]) -> None:
    assignment, student = g.submission.assignment, g.submission.id or g.submission.student
    tasks = [t for t in g.mark.tasks if t.name not in words]
    if not tasks:
        return
    notebook = assignment.partition("-")[2]
    gradebook.update_or_create_assignment(assignment)
    gradebook.update_or_create_notebook(notebook, assignment)
    for task in tasks:
        cell = check_cell(task.name)
        try:
            gradebook.find_grade_cell(cell, notebook, assignment)
        except MissingEntry:
            gradebook.add_grade_cell(cell, notebook, assignment, max_score=task.max_points, cell_type="code")
    gradebook.update_or_create_student(student)
    gradebook.update_or_create_submission(assignment, student)
    adjusted = {a.task: a for a in g.adjusted}
    for task in tasks:
        grade = gradebook.find_grade(check_cell(task.name), notebook, assignment, student)
        grade.auto_score = None if task.ungraded else task.points
        if by_hand := adjusted.get(task.name):
            grade.auto_score = None if by_hand.before is None else float(by_hand.before)
            grade.manual_score = float(by_hand.after)
        grade.needs_manual_grade = bool(task.ungraded) or (grade.manual_score is not None and not by_hand)
    if g.late:
        submitted = gradebook.find_submission_notebook(notebook, assignment, student)
        submitted.late_submission_penalty = float(g.late.cost)
    gradebook.db.commit()


def _metadata(name: str, kind: str, **more: Any) -> dict[str, Any]:
    known = {key: value for key, value in more.items() if value is not None}
    return {"schema_version": 3, "grade_id": name, "cell_type": kind, **known}


def _output(task: TaskMark) -> NotebookNode:
    if task.points == task.max_points:
        return nbformat.v4.new_output("stream", name="stdout", text=f"✓ {task.name}\n")
    if task.points:  # nbgrader takes the number for the points
        return nbformat.v4.new_output("execute_result", {"text/plain": f"{task.points}"})
    return nbformat.v4.new_output("error", ename="NotYet", evalue=task.message, traceback=[task.message])
