"""What the author of a course writes: solutions/NN-topic/ with a notebook and tasks.py, read and drawn for a grader."""

from __future__ import annotations

import ast
import contextlib
import hashlib
import io
import json
import pickle
import re
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from coursekit.checking import wire
from coursekit_grade import tasks
from coursekit_grade.exercise import Exercise
from coursekit_grade.mark import Drawn, check_cell
from coursekit_grade.printable import said

TASKS = "tasks.py"
_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\.ipynb[^)]*\)")
_CHECK = re.compile(r"^\s*(?:\w+\.)?check\(\s*['\"](\w+)['\"]\s*(?:,\s*(\w+)\s*)?\)\s*$", re.M)


@dataclass(frozen=True)
class NotebookCell:
    """With nbformat's names for its parts."""

    id: str
    cell_type: str
    source: str
    metadata: dict[str, Any]


@dataclass(frozen=True)
class Answer:
    """What the notebook says about a task: its arguments and points, and the cell with its answer."""

    arguments: tuple[str, ...]
    points: float
    source: str


class Assignment:
    """solutions/NN-topic: read once, drawn as often as needed. Everything that is wrong in it is a ValueError."""

    def __init__(self, folder: Path) -> None:
        self.name = folder.name
        self.file = folder / TASKS
        notebooks = sorted(folder.glob("*.ipynb"))
        if len(notebooks) != 1:
            raise ValueError(f"{folder} must hold one notebook; it holds {len(notebooks)}")
        self.notebook = notebooks[0]
        self.all_cells = read_cells(self.notebook)
        self.cells = [cell for cell in self.all_cells if cell.cell_type == "code"]

    @cached_property
    def words(self) -> dict[str, float]:
        """Answers in words, which a person reads: grade_id -> points."""
        flags = [nbgrader_metadata(cell) for cell in self.all_cells if cell.cell_type == "markdown"]
        return {f["grade_id"]: f.get("points", 0) for f in flags if f.get("solution") and f.get("grade")}

    @cached_property
    def sections(self) -> dict[str, str]:
        """Task -> the sections that the text above its check links to, as "2.2 and 2.7"."""
        sections: dict[str, str] = {}
        text = ""
        for cell in self.all_cells:
            text += cell.source if cell.cell_type == "markdown" else ""
            if nbgrader_metadata(cell).get("grade") and (checked := _CHECK.search(cell.source)):
                numbers = re.findall(r"\d+\.\d+", " ".join(_LINK.findall(text)))
                sections[checked[1]], text = " and ".join(dict.fromkeys(numbers)), ""
        return sections

    @cached_property
    def answers(self) -> dict[str, Answer]:
        """By the name of the task, in the order of the notebook."""
        answers: dict[str, Answer] = {}
        solved: dict[str, tuple[tuple[str, ...], str]] = {}
        for cell in self.cells:
            flags = nbgrader_metadata(cell)
            if flags.get("solution"):
                solved |= {name: (arguments, cell.source) for name, arguments in self._functions(cell).items()}
            if not flags.get("grade"):
                continue
            where = f"{self.notebook}, cell {flags.get('grade_id', cell.id)!r}"
            checked = _CHECK.findall(cell.source)
            if len(checked) != 1 or checked[0][1] not in ("", checked[0][0]):
                raise ValueError(f'{where}: a cell with points must call check("name"), or check("name", name), once')
            name = checked[0][0]
            if name not in solved:
                raise ValueError(f"{where}: no answer cell above it defines {name}")
            if flags.get("grade_id") != check_cell(name):
                raise ValueError(f"{where}: the grade_id of a check must be {check_cell(name)}")
            arguments, source = solved[name]
            answers[name] = Answer(arguments, flags.get("points", 0), source)
        if not answers:
            raise ValueError(f"{self.notebook}: no cell has nbgrader's metadata with a grade_id and points")
        return answers

    def _functions(self, cell: NotebookCell) -> dict[str, tuple[str, ...]]:
        """The functions that a cell defines, with the arguments that have no default."""
        try:
            tree = ast.parse(cell.source)
        except SyntaxError as error:
            where = f"{self.notebook}, cell {nbgrader_metadata(cell).get('grade_id')!r}, line {error.lineno}"
            raise ValueError(f"{where}: {error.msg}") from None
        functions = [f for f in tree.body if isinstance(f, ast.FunctionDef)]
        return {f.name: tuple(a.arg for a in f.args.args[: len(f.args.args) - len(f.args.defaults)]) for f in functions}

    @cached_property
    def space(self) -> dict[str, Any]:
        """What the notebook defines, up to its last answer; checks are not run."""
        space: dict[str, Any] = {"__name__": self.name}
        last = max(k for k, cell in enumerate(self.cells) if nbgrader_metadata(cell).get("solution"))
        for cell in self.cells[: last + 1]:
            if nbgrader_metadata(cell).get("grade"):
                continue
            try:
                with contextlib.redirect_stdout(io.StringIO()):
                    exec(compile(cell.source, f"<{cell.id}>", "exec"), space)
            except Exception as error:
                name = nbgrader_metadata(cell).get("grade_id", cell.id)
                raise ValueError(f"{self.notebook}, cell {name!r}: {said(error)}") from None
        return space

    @cached_property
    def exercises(self) -> dict[str, Exercise]:
        """The tasks of tasks.py by their names, in the order of the notebook."""
        answers, space = self.answers, self.space  # first, as their faults are the notebook's
        by_name: dict[str, tasks.Spec] = {}
        for spec in tasks.read(self.file, space):
            if spec.name not in answers or spec.name in by_name:
                why = "is told twice" if spec.name in by_name else f"has no check cell in {self.notebook.name}"
                raise ValueError(f"{self.file}, line {spec.line}: the task {spec.name!r} {why}")
            by_name[spec.name] = spec
        if missing := [name for name in answers if name not in by_name]:
            raise ValueError(f"{self.file} has no task({missing[0]!r}, ...), which {self.notebook.name} checks")
        return {name: Exercise(self, by_name[name]) for name in answers}

    def drawn(self, seed: int) -> Drawn:
        """The assignment as one run grades it. The same seed, >= 0, draws the same cases."""
        cells: list[dict[str, str | None]] = []
        checks = {check_cell(name): name for name in self.answers}
        for cell in self.cells:
            flags = nbgrader_metadata(cell)
            if (name := flags.get("grade_id")) in checks:
                cells.append({"id": name, "task": checks[name]})
            elif name:
                cells.append({"id": name, "source": None if flags.get("solution") else cell.source})
        fresh = [exercise.fresh(seed) for exercise in self.exercises.values()]
        cases = {task.name: [list(map(wire.encode, case)) for case in task.cases] for task, _ in fresh}
        asked = tuple(replace(task, cases=(), right=(), mistakes=(), hints=()) for task, _ in fresh)
        packed = {task.name: pickle.dumps(task) for task, _ in fresh}
        failures = tuple(failure for _, failures in fresh for failure in failures)
        return Drawn(self.name, seed, tuple(cells), asked, cases, packed, failures)


class Course:
    """The solutions of a course. points: assignment -> task -> the points to be had. words: of what a person reads.

    sections: what to read again. version: changes with whatever decides on a mark. passed_over: draws that failed.
    """

    def __init__(self, root: Path) -> None:
        self.assignments = {a.name: a for a in assignments(root)}
        self.points = {name: {task: answer.points for task, answer in a.answers.items()}
                       for name, a in self.assignments.items()}
        self.sections = {name: a.sections for name, a in self.assignments.items()}
        self.words = {name: a.words for name, a in self.assignments.items() if a.words}
        files = [file for a in self.assignments.values() for file in (a.notebook, a.file) if file.exists()]
        self.passed_over: list[str] = []
        self.version = hashlib.sha256(b"\0".join(file.read_bytes() for file in files)).hexdigest()

    @lru_cache(maxsize=16)  # noqa: B019 - a course is there as long as the command that reads it
    def drawn(self, assignment: str, seed: int) -> Drawn:
        """An assignment as one run grades it. ValueError for one that the course does not have."""
        if assignment not in self.assignments:
            raise ValueError(f"the assignment must be one of {', '.join(self.assignments)}; got {assignment!r}")
        drawn = self.assignments[assignment].drawn(seed)
        self.passed_over += drawn.passed_over
        return drawn


def around(here: Path) -> Path | None:
    """The folder of the course that `here` is in. None of it is read."""
    return next((folder for folder in (here, *here.parents) if any(folder.glob("solutions/*/*.ipynb"))), None)


def assignments(root: Path) -> list[Assignment]:
    """The assignments of the course in `root`, in their order."""
    if not (folders := sorted({path.parent for path in root.glob("solutions/*/*.ipynb")})):
        raise ValueError(f"root must be a folder with solutions/NN-topic/topic.ipynb; got {root}")
    return [Assignment(folder) for folder in folders]


def nbgrader_metadata(cell: Any) -> Any:
    """What nbgrader knows about a cell: its grade_id, points, whether it is an answer; {} for other cells."""
    return cell.metadata.get("nbgrader", {})


def read_cells(path: Path) -> list[NotebookCell]:
    """The cells of a notebook in a file; ValueError, with the file's name, where they cannot be read or have no ids.

    Without nbformat, whose import can take longer than all else that grading needs. `release` looks closer.
    """
    try:
        notebook = json.loads(path.read_bytes())
        if (notebook["nbformat"], notebook["nbformat_minor"]) < (4, 5):
            raise ValueError("it must be in notebook format 4.5 or later, where cells have ids")
        return [NotebookCell(c["id"], c["cell_type"], "".join(c["source"]), c["metadata"]) for c in notebook["cells"]]
    except (OSError, ValueError, LookupError, TypeError) as error:
        raise ValueError(f"{path} is not a valid notebook: {said(error)}") from None
