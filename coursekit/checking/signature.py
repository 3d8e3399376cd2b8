"""What a grader's process knows of a task, and values as a student would write them."""

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import numpy as np

Case = tuple[Any, ...]  # the arguments of one call
READABLE = 160  # letters of a call
ADDRESS = re.compile(r" at 0x[0-9A-Fa-f]+")  # in memory, another one in each run


class Outcome(StrEnum):
    """What can become of a task: of several that hold, the first."""

    SOLVED = "solved"
    PART = "in part"
    MISTAKE = "named mistake"
    UNWRITTEN = "not written"
    SLOW = "too slow"
    ERROR = "error"
    OTHER = "another answer"


@dataclass(frozen=True)
class Signature:
    """A function that students write. name: what check() takes, too; unique in the course. arguments: their names."""

    name: str
    arguments: tuple[str, ...]

    def call(self, case: Case) -> str:
        """A case as a student would write it; of what is too long to read, the shape."""
        limit = 1000 if _length(case) <= READABLE else 100
        values = [f"an array of shape {shape(a)}" if long else short(a, limit)
                  for a, long in zip(case, too_long(case), strict=True)]
        return f"{self.name}({', '.join(f'{n}={v}' for n, v in zip(self.arguments, values, strict=True))})"


def too_long(case: Case) -> list[bool]:
    """Which arguments are too long to be read in a call."""
    whole = _length(case)
    return [shape(a) != () and (_large(a) or (whole > READABLE and len(short(a, 1000)) > 50)) for a in case]


def _length(case: Case) -> int:
    return sum(len(short(a, 1000)) for a in case)


def _large(value: Any) -> bool:
    return isinstance(value, np.ndarray) and max(value.size, *value.shape, 1) > 1000  # also without a number in it


def shape(value: Any) -> tuple[int, ...]:
    """Of a regular grid; () of anything else: a number, a text, a ragged list.

    >>> shape([[1], [2]]), shape([[1], [2, 3]])
    ((2, 1), ())
    """
    try:
        return np.shape(value)
    except ValueError:
        return ()


def short(value: Any, limit: int = 100) -> str:
    """A value on one line, short enough to read."""
    if _large(value):
        return f"an array of shape {value.shape}"
    if isinstance(value, (np.ndarray, np.bool_)):
        value = np.round(value, 4).tolist() if value.dtype.kind in "fiu" else value.tolist()
    if isinstance(value, (np.floating, np.integer, float)) and np.ndim(value) == 0:
        text = f"{float(value) + 0.0:.6g}"  # no -0
    elif isinstance(value, (list, tuple)):
        inner, k = "", 0
        while k < len(value) and len(inner) <= limit:  # no further: what is nested may be large
            inner += (", " if k else "") + short(value[k])
            k += 1
        inner += ", ..." if k < len(value) else ""
        text = f"({inner})" if isinstance(value, tuple) else f"[{inner}]"
    else:
        text = ADDRESS.sub("", " ".join(repr(value).split()))
    return text if len(text) <= limit else text[: limit - 3] + "..."
