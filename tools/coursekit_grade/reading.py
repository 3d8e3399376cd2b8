"""A notebook that was handed in, as the steps that its process takes: cells to run, and tasks whose turn has come."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from coursekit_grade.printable import said


class Turn(NamedTuple):
    """A cell and its source; or a task whose turn has come, and None.

    there: how it, or the task's check, failed where it ran last, "" if it did not; None where the file does not tell.
    """

    name: str
    source: str | None
    there: str | None = None


class Unreadable(Exception):
    """It is no notebook. The text says why."""


def steps_of(notebook: bytes, ours: Sequence[dict[str, str | None]]) -> tuple[Any, list[Turn]]:
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


def _steps(notebook: Any, ours: Sequence[dict[str, str | None]]) -> Iterator[Turn]:
    """What to do, in the order of the notebook.

    Of the cells in `ours` answers run as handed in, all others as released, once and not after an answer that follows
    them; what the exercise does not have, where it stands. A task has its turn at its own check, at the last one if
    there are several; where there is none, at the end.
    """
    if not isinstance(notebook, dict) or not isinstance(notebook.get("cells"), list):
        raise ValueError("a notebook is a JSON object with a list of cells (nbformat 4)")
    place, done = {str(cell["id"]): k for k, cell in enumerate(ours)}, 0
    cells = [known(cell, place) for cell in notebook["cells"]]
    last = {name: number for number, (name, _) in enumerate(cells)}
    late = [str(cell["task"]) for cell in ours if "task" in cell]

    def released(until: int) -> Iterator[Turn]:
        yield from (Turn(str(c["id"]), c["source"]) for c in ours[done:until] if c.get("source") is not None)

    for number, (name, source) in enumerate(cells):
        there = _there(notebook["cells"][number])
        if name is None:
            if source is not None:
                yield Turn(f"cell {number + 1}", source, there)
            continue
        k = place[name]
        yield from released(k + 1)
        done = max(done, k + 1)
        if task := ours[k].get("task"):
            if number == last[name]:
                late.remove(task)
                yield Turn(task, None, there)
        elif ours[k]["source"] is None and source is not None:
            yield Turn(f"cell {name}", source, there)
    yield from released(len(ours))
    yield from (Turn(task, None) for task in late)


def _there(cell: Any) -> str | None:
    cell = cell if isinstance(cell, dict) else {}
    shown = json.dumps(cell.get("outputs") or "", ensure_ascii=False)
    return shown * ('"ename"' in shown) if cell.get("outputs") or cell.get("execution_count") else None


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
