"""What a student wrote for each task, to be read by people and compared with what others wrote."""

import json
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence

from coursekit_grade.printable import printable
from coursekit_grade.reading import known

LONGEST = 6000  # characters of an answer
_WORD = re.compile(r"[^\W\d]\w*")
_DEFINED = re.compile(r"^(?:def|class) +(\w+)", re.M)


def answers(notebook: bytes, tasks: Sequence[str], beside: Mapping[str, bytes] = {}) -> dict[str, str]:
    """The code cells of these tasks in the bytes of a notebook: by grade_id, else the last that defines the function.

    Behind it are cells of the student's own, and modules beside the notebook, that define what it uses. Made to run
    where it may be stopped. What is no notebook has none.

    >>> answers(b'{"cells": [{"cell_type": "code", "source": ["def f(x):\\\\n", "    return x"]}]}', ["f", "g"])
    {'f': 'def f(x):\\n    return x'}
    """
    try:
        cells = [known(cell, dict.fromkeys(tasks, 0)) for cell in json.loads(notebook)["cells"]]
    except (ValueError, KeyError, TypeError, RecursionError):
        return {}
    sources = [(name, _text(source)) for name, source in cells if source is not None]
    texts = [text for _, text in sources]
    defined = [_DEFINED.findall(text) for text in texts]
    for file, module in beside.items():
        texts.append(f"# {file}\n{_text(module.decode('utf-8', 'replace'))}")
        defined.append([file.rpartition(".")[0], *_DEFINED.findall(texts[-1])])
    where = defaultdict(set)  # a name -> the texts that define it
    for k, names in enumerate(defined):
        for name in names:
            where[name].add(k)
    answer_cells = {k for k, (name, _) in enumerate(sources) if name in tasks}
    found = {}
    for task in tasks:
        named = [k for k, (name, _) in enumerate(sources) if name == task]
        if theirs := named or sorted(k for k in where[task] if k < len(sources)):
            code = texts[theirs[-1]]
            helpers = {k for k, text in enumerate(texts) if text != code} - (answer_cells - where[task])
            while len(code) <= LONGEST:
                missing = {task, *_WORD.findall(code)} - {*_DEFINED.findall(code)}
                if not (used := helpers & {k for name in missing & where.keys() for k in where[name]}):
                    break
                code += "".join(f"\n{texts[k]}" for k in sorted(used))[:LONGEST]
                helpers -= used
            found[task] = code[:LONGEST]
    return found


def _text(text: str) -> str:
    return "\n".join(printable(line.replace("\t", "    ")) for line in text[: 4 * LONGEST].splitlines())
