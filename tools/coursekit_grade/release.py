"""Make the exercises that students get from the solutions, which alone are written by hand."""

from __future__ import annotations

import hashlib
import re
import warnings
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from coursekit.checking import checks
from coursekit.core.files import write
from coursekit_grade.public import public
from coursekit_grade.solutions import assignments, nbgrader_metadata

STUB = 'raise NotImplementedError("write your answer here")'
WORDS = "*Write your answer here.*"
_BEGIN = re.compile(r"^(\s*)### BEGIN SOLUTION\s*$")
_END = re.compile(r"^\s*### END SOLUTION\s*$")


def release(root: Path) -> list[Path]:
    """Write exercises/NN-topic/topic.ipynb and checks.json for every solutions/NN-topic below `root`.

    Returns the files that were written; one that is up to date is left alone. Nothing is written if
    anything is wrong: ValueError for a notebook that cannot be read, unbalanced markers, an answer
    without markers, a grade_id used twice, a tasks.py with an error, with a mistake that cannot be made
    or with a case in which the answer hangs on a last bit, or a file in the place of one of these that
    somebody has worked in.
    """
    folder = Path(root) / "exercises"
    made: dict[Path, str] = {}
    for assignment in assignments(Path(root)):
        here, notebook = folder / assignment.name, assignment.notebook
        made[here / notebook.name] = nbformat.writes(exercise(notebook)) + "\n"
        made[here / checks.FILE] = checks.dumps([public(exercise) for exercise in assignment.exercises.values()])
    stale = [target for target, text in made.items() if not target.exists() or _text(target) != text]
    for target in stale:
        if target.exists() and not _untouched(target):
            raise ValueError(
                f"{target} was changed since it was released, and may hold somebody's work: "
                "move it away, then release again"
            )
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
    text = "\0".join(f"{c.cell_type}\0{c.source}" for c in notebook.cells)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _text(path: Path) -> str:
    return path.read_text("utf-8", errors="replace")


def _untouched(path: Path) -> bool:
    if path.name == checks.FILE:
        return checks.unchanged(_text(path))
    try:
        notebook = read_notebook(path)
    except ValueError:
        return False
    return notebook.metadata.get("coursekit", {}).get("released") == _digest(notebook)
