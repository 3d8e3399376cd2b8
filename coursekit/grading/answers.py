"""What a student wrote for each task, to be read by people and compared with what others wrote."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from coursekit.core.text import printable

LONGEST = 6000  # characters of an answer


def answers(notebook: bytes, tasks: Sequence[str], beside: Mapping[str, bytes] | None = None) -> dict[str, str]:
    """The code cells of these tasks in the bytes of a notebook: by grade_id, else the last that defines the function.

    A cell that does not define it has behind it the other cells, and the modules beside the notebook, that do.

    Made to run where it may be stopped. What is no notebook has none.

    >>> answers(b'{"cells": [{"cell_type": "code", "source": ["def f(x):\\\\n", "    return x"]}]}', ["f", "g"])
    {'f': 'def f(x):\\n    return x'}
    """
    try:
        cells = json.loads(notebook)["cells"]
        sources = [(_grade_id(c), _text(c["source"])) for c in cells if c.get("cell_type") == "code"]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return {}
    found = {}
    for task in tasks:
        defines = re.compile(rf"^def +{re.escape(task)}\b", re.M)
        theirs = [text for name, text in sources if name == task] or [t for _, t in sources if defines.search(t)]
        if theirs:
            found[task] = theirs[-1]
            if not defines.search(theirs[-1]):
                others = [text for _, text in sources]
                others += [f"# {n}\n{_text(module.decode('utf-8', 'replace'))}" for n, module in (beside or {}).items()]
                found[task] += "".join(f"\n{text}" for text in others if defines.search(text))
            found[task] = found[task][:LONGEST]
    return found


def _grade_id(cell: Any) -> Any:
    metadata = cell.get("metadata", {})
    told = metadata.get("nbgrader", {}) if isinstance(metadata, dict) else {}
    return told.get("grade_id") if isinstance(told, dict) else None


def _text(source: Any) -> str:
    text = source if isinstance(source, str) else "".join(source)
    return "\n".join(printable(line.replace("\t", "    ")) for line in text[: 4 * LONGEST].splitlines())
