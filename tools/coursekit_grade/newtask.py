"""A new task for a course, whoever's it is: an example that works, to be replaced by one's own."""

import builtins
import keyword
import re
import tomllib
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from coursekit.core.files import write
from coursekit_grade.mark import check_cell, check_source
from coursekit_grade.release import read_notebook
from coursekit_grade.solutions import TASKS, nbgrader_metadata

NEW = tomllib.loads(Path(__file__).with_name("newtask.toml").read_text("utf-8"))
TAKEN = {"np", "check", "hint", "progress", *keyword.kwlist, *dir(builtins)}


def new_task(root: Path, assignment: str, name: str, points: float = 1) -> tuple[Path, Path]:
    """Add a task to solutions/NN-topic below `root`, and that folder if there is none: the notebook and tasks.py.

    What is there already stays: cells are added at the end of the notebook, a task at the end of tasks.py. ValueError
    for an assignment that is not named like 01-means, a name that is no function's or that the course has already, a
    notebook that cannot be read.
    """
    if not root.is_dir():
        raise ValueError(f"the course must be a folder; got {root}")
    if not re.fullmatch(r"\d\d-[a-z0-9]+(-[a-z0-9]+)*", assignment):
        raise ValueError(f"the assignment must be two digits and a topic in small letters, as in 01-means; "
                         f"got {assignment!r}")
    if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]{0,49}", name) or name in TAKEN:
        raise ValueError(f"the name must be one for a function of the student's own, as in center; got {name!r}")
    for path in sorted((root / "solutions").glob("*/*.ipynb")):
        cells = read_notebook(path).cells
        taken = {i for cell in cells for i in (cell.id, nbgrader_metadata(cell).get("grade_id"))}
        if taken & {name, check_cell(name)}:
            raise ValueError(f"{path} has a cell for {name} already; each task of a course needs a name of its own")
    folder = root / "solutions" / assignment
    there = sorted(folder.glob("*.ipynb"))
    if len(there) > 1:
        raise ValueError(f"{folder} must hold one notebook; it holds {len(there)}")
    source, tasks = there[0] if there else folder / f"{assignment[3:]}.ipynb", folder / TASKS
    notebook = read_notebook(source) if there else _notebook(assignment)
    if not any(re.search(r"^\s*(from|import)\b.*\bhint\b", cell.source, re.M) for cell in notebook.cells):
        notebook.cells.append(_code("import-check", NEW["imports"], locked=True))
    notebook.cells += _cells(name, points)
    folder.mkdir(parents=True, exist_ok=True)
    told = NEW["task"].format(name=name)
    if not tasks.exists() or not tasks.stat().st_size:
        told = NEW["head"].format(assignment=assignment) + told
    with tasks.open("a", encoding="utf-8") as file:
        file.write(told)
    write(source, f"{nbformat.writes(notebook)}\n".encode())
    return source, tasks


def _notebook(assignment: str) -> NotebookNode:
    title = assignment[3:].replace("-", " ")
    text = f"# {title.capitalize()}\n\nBelow each task a cell checks your function: run it as often as you like."
    python = {"display_name": "Python 3", "language": "python", "name": "python3"}
    metadata = {"kernelspec": python, "language_info": {"name": "python"}}
    return new_notebook(cells=[new_markdown_cell(text, id="title")], metadata=metadata)


def _cells(name: str, points: float) -> list[NotebookNode]:
    told = f"{points:g} point{'s' * (points != 1)}"
    check = _code(check_cell(name), check_source(name), locked=True, grade=True, points=points)
    return [new_markdown_cell(NEW["text"].format(name=name, points=told), id=f"{name}-text"),
            _code(name, NEW["answer"].format(name=name), solution=True), check]


def _code(name: str, source: str, **flags: Any) -> NotebookNode:
    kept = {"grade": False, "locked": False, "schema_version": 3, "solution": False, "task": False}
    return new_code_cell(source, id=name, metadata={"nbgrader": {**kept, "grade_id": name, **flags}})
