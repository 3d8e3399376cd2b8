"""A notebook that was handed in, as the steps that its process takes: cells to run, and tasks whose turn has come."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from coursekit_grade.printable import said

Step = tuple[str, str | None]  # a cell and its source; or a task whose turn has come, and None


class Unreadable(Exception):
    """It is no notebook. The text says why."""


def steps_of(notebook: bytes, ours: Sequence[dict[str, str | None]]) -> tuple[Any, list[Step]]:
    """A notebook as JSON, and its steps. ours: the code cells of the exercise, as in Drawn."""
    try:
        found = json.loads(notebook)
        return found, list(_steps(found, ours))
    except json.JSONDecodeError as error:
        if error.pos < len(error.doc.rstrip()) and not error.msg.startswith("Unterminated"):
            raise Unreadable("it is no JSON, so something has changed the file after Jupyter saved it") from None
        raise Unreadable("the file ends too early, as after a download that was interrupted; it has to be handed in "
                         "again") from None
    except (ValueError, KeyError, TypeError, RecursionError, MemoryError) as error:
        raise Unreadable(said(error)) from None


def written_for(notebook: Any) -> tuple[int, ...]:
    """The version of Python that the notebook says it is written for, () if it says none."""
    try:
        return tuple(map(int, str(notebook["metadata"]["language_info"]["version"]).split(".")[:2]))
    except (LookupError, TypeError, ValueError):
        return ()


def _steps(notebook: Any, ours: Sequence[dict[str, str | None]]) -> Iterator[Step]:
    """What to do, in the order of the notebook.

    Of the cells in `ours` answers run as handed in, all others as released, once and not after an answer that follows
    them; what the exercise does not have, where it stands. A task has its turn at its own check, at the last one if
    there are several; where there is none, or its answer comes later still, at the end.
    """
    if not isinstance(notebook, dict) or not isinstance(notebook.get("cells"), list):
        raise ValueError("a notebook is a JSON object with a list of cells (nbformat 4)")
    place, done = {str(cell["id"]): k for k, cell in enumerate(ours)}, 0
    cells = [known(cell, place) for cell in notebook["cells"]]
    last = {name: number for number, (name, _) in enumerate(cells)}
    first = {name: number for number, (name, _) in reversed(list(enumerate(cells)))}
    late = [str(cell["task"]) for cell in ours if "task" in cell]

    def released(until: int) -> Iterator[Step]:
        yield from ((str(c["id"]), c["source"]) for c in ours[done:until] if c.get("source") is not None)

    for number, (name, source) in enumerate(cells):
        if name is None:
            if source is not None:
                yield f"cell {number + 1}", source
            continue
        k = place[name]
        yield from released(k + 1)
        done = max(done, k + 1)
        if task := ours[k].get("task"):
            if number == last[name] and first.get(task, -1) < number:
                late.remove(task)
                yield task, None
        elif ours[k]["source"] is None and source is not None:
            yield f"cell {name}", source
    yield from released(len(ours))
    yield from ((task, None) for task in late)


def known(cell: Any, place: Mapping[str, int]) -> tuple[str | None, str | None]:
    """Which cell of the exercise this is, None for none; its source, None if it has none that can be run."""
    cell = cell if isinstance(cell, dict) else {}
    metadata = cell.get("metadata")
    marks = metadata.get("nbgrader") if isinstance(metadata, dict) else None
    name = marks.get("grade_id") if isinstance(marks, dict) else None
    source = cell.get("source")
    if isinstance(source, list):
        source = "".join(map(str, source))
    ours = isinstance(name, str) and name in place
    is_code = isinstance(source, str) and (ours or cell.get("cell_type") == "code")
    return name if ours else None, source if is_code else None
