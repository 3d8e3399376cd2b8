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


def answers(notebook: bytes, tasks: Sequence[str], beside: Mapping[str, bytes] = {}) -> dict[str, str]:
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
    own = [(name, text, {*_DEFINED.findall(text)}) for name, text in sources]
    modules = []
    for name, module in beside.items():
        text = f"# {name}\n{_text(module.decode('utf-8', 'replace'))}"
        modules.append((text, {name.rpartition(".")[0], *_DEFINED.findall(text)}))
    found = {}
    for task in tasks:
        defines = re.compile(rf"^def +{re.escape(task)}\b", re.M)
        theirs = [text for name, text in sources if name == task] or [t for _, t in sources if defines.search(t)]
        if theirs:
            code = theirs[-1]
            helpers = [(text, names) for name, text, names in own
                       if text != code and (name not in tasks or defines.search(text))] + modules
            while used := [h for h in helpers if h[1] & ({task, *_WORD.findall(code)} - {*_DEFINED.findall(code)})]:
                code += "".join(f"\n{text}" for text, _ in used)[:LONGEST]
                helpers = [h for h in helpers if h not in used]
                if len(code) > LONGEST:
                    break
            found[task] = code[:LONGEST]
    return found


def _grade_id(cell: Any) -> Any:
    try:
        return cell["metadata"]["nbgrader"]["grade_id"]
    except (KeyError, TypeError):
        return None


def _text(source: Any) -> str:
    text = source if isinstance(source, str) else "".join(source)
    return "\n".join(printable(line.replace("\t", "    ")) for line in text[: 4 * LONGEST].splitlines())
