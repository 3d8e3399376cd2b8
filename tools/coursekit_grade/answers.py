"""What a student wrote for each task, to be read by people and compared with what others wrote."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from coursekit.core.text import printable

LONGEST = 6000  # characters of an answer
_WORD = re.compile(r"[^\W\d]\w*")
_DEFINED = re.compile(r"^(?:def|class) +(\w+)", re.M)


def answers(notebook: bytes, tasks: Sequence[str], beside: Mapping[str, bytes] | None = None) -> dict[str, str]:
    """The code cells of these tasks in the bytes of a notebook: by grade_id, else the last that defines the function.

    Behind it are cells of the student's own, and modules beside the notebook, that define what it uses.

    Made to run where it may be stopped. What is no notebook has none.

    >>> answers(b'{"cells": [{"cell_type": "code", "source": ["def f(x):\\\\n", "    return x"]}]}', ["f", "g"])
    {'f': 'def f(x):\\n    return x'}
    """
    try:
        cells = json.loads(notebook)["cells"]
        sources = [(_grade_id(c), _text(c["source"])) for c in cells if c.get("cell_type") == "code"]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return {}
    files = {name.rpartition(".")[0]: f"# {name}\n{_text(module.decode('utf-8', 'replace'))}"
             for name, module in (beside or {}).items()}
    found = {}
    for task in tasks:
        defines = re.compile(rf"^def +{re.escape(task)}\b", re.M)
        theirs = [text for name, text in sources if name == task] or [t for _, t in sources if defines.search(t)]
        if theirs:
            code = theirs[-1]
            helpers = [(set(_DEFINED.findall(text)), text) for name, text in sources
                       if text != code and (name not in tasks or defines.search(text))]
            helpers += [({name, *_DEFINED.findall(text)}, text) for name, text in files.items()]
            while used := [h for h in helpers if h[0] & ({task, *_WORD.findall(code)} - {*_DEFINED.findall(code)})]:
                code += "".join(f"\n{text}" for _, text in used)[:LONGEST]
                helpers = [h for h in helpers if h not in used]
                if len(code) > LONGEST:
                    break
            found[task] = code[:LONGEST]
    return found


def _grade_id(cell: Any) -> Any:
    metadata = cell.get("metadata", {})
    told = metadata.get("nbgrader", {}) if isinstance(metadata, dict) else {}
    return told.get("grade_id") if isinstance(told, dict) else None


def _text(source: Any) -> str:
    text = source if isinstance(source, str) else "".join(source)
    return "\n".join(printable(line.replace("\t", "    ")) for line in text[: 4 * LONGEST].splitlines())
