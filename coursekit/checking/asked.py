"""What a task asks for, and values as a student would write them. All that a grader's process knows of a task."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

Case = tuple[Any, ...]  # the arguments of one call


@dataclass(frozen=True)
class Asked:
    """A function that students write. name: what check() takes, too; unique in the course. arguments: their names."""

    name: str
    arguments: tuple[str, ...]

    def call(self, case: Case) -> str:
        """A case as a student would write it; of what is too long to read, the shape."""
        told = [shown(a, 1000) for a in case]
        if sum(map(len, told)) > 160:
            told = [f"an array of shape {shape(a)}" if len(t) > 50 and shape(a) else shown(a)
                    for t, a in zip(told, case, strict=True)]
        return f"{self.name}({', '.join(f'{n}={t}' for n, t in zip(self.arguments, told, strict=True))})"


def shape(value: Any) -> tuple[int, ...]:
    """Of a regular grid; () of anything else: a number, a text, a ragged list.

    >>> shape([[1], [2]]), shape([[1], [2, 3]])
    ((2, 1), ())
    """
    try:
        return np.shape(value)
    except ValueError:
        return ()


def shown(value: Any, limit: int = 100) -> str:
    """A value on one line, short enough to read."""
    if isinstance(value, np.ndarray):
        if max(value.size, *value.shape, 1) > 1000:  # also without a number in it
            return f"an array of shape {value.shape}"
        value = np.round(value, 4).tolist() if value.dtype.kind in "fiu" else value.tolist()
    if isinstance(value, np.bool_):
        value = bool(value)
    if isinstance(value, (np.generic, float)) and np.ndim(value) == 0:
        text = f"{float(value) + 0.0:.6g}"  # no -0
    elif isinstance(value, (list, tuple)):
        inner, k = "", 0
        while k < len(value) and len(inner) <= limit:  # no further: what is nested may be large
            inner += (", " if k else "") + shown(value[k])
            k += 1
        inner += ", ..." if k < len(value) else ""
        text = f"({inner})" if isinstance(value, tuple) else f"[{inner}]"
    else:
        text = " ".join(repr(value).split())
    return text if len(text) <= limit else text[: limit - 3] + "..."
