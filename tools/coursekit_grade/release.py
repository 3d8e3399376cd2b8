"""Make the exercises that students get from the solutions, which alone are written by hand."""

from __future__ import annotations

import json
import re
import warnings
from itertools import compress
from pathlib import Path
from typing import Any

import nbformat
import numpy as np
from nbformat import NotebookNode

from coursekit.checking import call, checks, wire
from coursekit.checking.judge import judge
from coursekit.checking.signature import short
from coursekit.checking.task import Task
from coursekit.core.files import write
from coursekit.core.frozen import same
from coursekit_grade import written
from coursekit_grade.exercise import DRAWS, Answered, Exercise, not_told_apart
from coursekit_grade.solutions import assignments, nbgrader_metadata
from coursekit_grade.tasks import which

STUB = 'raise NotImplementedError("write your answer here")'
WORDS = "*Write your answer here.*"
ENOUGH = 20  # cases
_BEGIN = re.compile(r"^(\s*)### BEGIN SOLUTION\s*$")
_END = re.compile(r"^\s*### END SOLUTION\s*$")


def release(root: Path) -> list[Path]:
    """Write exercises/NN-topic/topic.ipynb and checks.json for every solutions/NN-topic below `root`.

    Returns the files that were written; one that is up to date is left alone. Nothing is written if anything is wrong:
    ValueError for a fault in a notebook or a tasks.py, or a file in the place of one of these that somebody has
    worked in.
    """
    folder = Path(root) / "exercises"
    made: dict[Path, str] = {}
    for assignment in assignments(Path(root)):
        here, notebook = folder / assignment.name, assignment.notebook
        made[here / notebook.name] = nbformat.writes(exercise(notebook)) + "\n"
        made[here / checks.FILE] = written.dumps([public(exercise) for exercise in assignment.exercises.values()])
    stale = [target for target, text in made.items() if not target.exists() or _text(target) != text]
    for target in stale:
        if target.exists() and not _untouched(target):
            raise ValueError(f"{target} was changed since it was released, and may hold somebody's work: move it away, "
                             "then release again")
    for target in stale:
        target.parent.mkdir(parents=True, exist_ok=True)
        write(target, made[target].encode())
    return stale


def exercise(source: Path) -> NotebookNode:
    """The solution notebook `source` without its answers and what explains them, outputs and widget states."""
    notebook = read_notebook(source)
    notebook.cells = [cell for cell in notebook.cells if not explains(cell)]
    notebook.metadata.pop("widgets", None)
    known: set[str] = set()
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
        grading = nbgrader_metadata(cell)
        name = grading.get("grade_id", cell.id)
        if "grade_id" in grading and name in known:
            raise ValueError(f"{source}: the grade_id {name!r} is used twice")
        known.add(name)
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
            answer = cell.source
            cell.source = _stubbed(answer, f"{source}, cell {name!r}")
            if grading.get("solution") and cell.source == answer:
                raise ValueError(f"{source}, cell {name!r}: an answer needs ### BEGIN SOLUTION and ### END SOLUTION")
        elif grading.get("solution"):
            cell.source = WORDS
    notebook.metadata["coursekit"] = {"released": _digest(notebook)}
    return notebook


def explains(cell: NotebookNode) -> bool:
    """Whether a Markdown cell explains a solution: one that holds <!-- BEGIN SOLUTION -->. Students do not get it."""
    return cell.cell_type == "markdown" and "BEGIN SOLUTION" in cell.source


def read_notebook(path: Path) -> NotebookNode:
    """The notebook in a file; ValueError, with the file's name, if it is none or its cells have no ids."""
    try:
        # A cell without an id of its own would be given a random one, with no more than a warning.
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            notebook = nbformat.read(path, as_version=nbformat.NO_CONVERT)
            nbformat.validate(notebook)
    except nbformat.warnings.MissingIDFieldWarning:
        raise ValueError(f"{path} has cells without an id: open it in JupyterLab and save it once") from None
    except Exception as error:
        raise ValueError(f"{path} is not a valid notebook: {str(error).splitlines()[0]}") from None
    if (notebook.nbformat, notebook.nbformat_minor) < (4, 5):
        raise ValueError(f"{path} must be in notebook format 4.5 or later, where cells have ids")
    return notebook


def _stubbed(code: str, where: str) -> str:
    lines, inside = [], False
    for line in code.split("\n"):
        begin, end = _BEGIN.match(line), _END.match(line)
        if (begin and inside) or (end and not inside):
            raise ValueError(f"{where}: {line.strip()} where none can be; every BEGIN needs one END after it")
        if begin:
            lines.append(begin[1] + STUB)
            inside = True
        elif end:
            inside = False
        elif not inside:
            lines.append(line)
    if inside:
        raise ValueError(f"{where}: ### BEGIN SOLUTION without ### END SOLUTION")
    return "\n".join(lines)


def _digest(notebook: NotebookNode) -> str:
    """Of the text of all cells: it stays the same when a notebook is only run."""
    return written.digest("\0".join(f"{c.cell_type}\0{c.source}" for c in notebook.cells))


def _text(path: Path) -> str:
    return path.read_text("utf-8", errors="replace")


def _untouched(path: Path) -> bool:
    if path.name == checks.FILE:
        return written.unchanged(_text(path))
    try:
        notebook = read_notebook(path)
    except ValueError:
        return False
    return notebook.metadata.get("coursekit", {}).get("released") == _digest(notebook)


# A task as students get it: always the same cases, and nothing that would fail at a student or that nobody is told.


def public(exercise: Exercise) -> Task:
    """The task of an exercise for students. ValueError, with file and line, for what must not be released."""
    if exercise.spec.accuracy:
        task = exercise.judged_by_accuracy(exercise.draw(np.random.default_rng(0)))
    else:
        task = exercise.task_of(_cases(exercise))
        _check_mistakes(exercise, task)
    with exercise.blamed():
        _check_as_a_student(exercise, task)
    return task


def _cases(exercise: Exercise) -> list[Answered]:
    """A case in which a mistake hangs on a last bit is passed over; the answer must hang on it in none."""
    found: list[Answered] = []
    for seed in range(DRAWS):
        answered = exercise.answered(exercise.draw(np.random.default_rng(seed)))
        for k, off_edge in enumerate(exercise.off_edges(answered)):
            if not off_edge:
                raise ValueError(f"{exercise.where}: case {k + 1} of draw {seed + 1} hangs on a last bit, which "
                                 "processors round differently: two values tie there; draw numbers that do not, or "
                                 "whole numbers and quarters, whose sums and products are exact")
        found += compress(answered, exercise.off_edges(answered, mistakes=True))
        if len(found) >= ENOUGH or not exercise.answer.arguments:
            break
    return found


def _check_mistakes(exercise: Exercise, task: Task) -> None:
    """Refuse mistakes that nobody could be told about, and sentences that read badly."""
    faults = dict(not_told_apart(task))
    for k, mistake in enumerate(task.mistakes):
        if re.match(rf"({'|'.join(map(re.escape, task.returns))})\s", mistake.sentence):
            first = mistake.sentence.split()[0]
            faults.setdefault(k, f"a sentence cannot begin with {first}: write Your `{first}` ...")
    for k, fault in sorted(faults.items()):
        raise ValueError(f"{exercise.where}, mistake {which(exercise.spec.mistakes[k])}: {fault}")


def _check_as_a_student(exercise: Exercise, task: Task) -> None:
    """Refuse a solution that would fail where a student's would: as it is checked in a notebook, and graded."""
    stored = written.again(task)
    for case, *read in zip(task.cases, stored.cases, (tuple(map(_sent, case)) for case in task.cases), strict=True):
        for name, before, *after in zip(task.arguments, case, *read, strict=True):
            if not all(same(before, argument) for argument in after):
                raise ValueError(f"the argument {name} is not the same once it was written and read: it must be "
                                 f"{written.PLAIN}; got {short(before)}")
    try:
        answers = call.run(stored, exercise.right, list(stored.cases))
        refused = {"checked": judge(stored, answers).sentence,
                   "graded": judge(stored, list(map(_sent, answers))).sentence}
    except call.NotYet as error:
        refused = {"checked": str(error)}
    for where, sentence in refused.items():
        if sentence:
            raise ValueError(f"the solution is refused where a student's is {where}: {sentence}")


def _sent(value: Any) -> Any:
    """A value as it arrives, once it was sent between a grader and the process in which answers run."""
    return wire.decode(json.loads(json.dumps(wire.encode(value))))
