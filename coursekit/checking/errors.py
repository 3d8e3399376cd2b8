"""What Python and numpy say to a wrong line, in words that help who wrote it, and where that line is."""

import linecache
import re
import traceback
from collections.abc import Callable
from functools import cache
from types import FrameType
from typing import Any

import numpy as np

from coursekit.checking.signature import ADDRESS, Case, Signature, shape


@cache
def _meanings() -> list[tuple[str, str]]:
    import tomllib  # not in a grader's process, which tells the type of an error alone
    from pathlib import Path

    return tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))["meanings"]


def explain(error: BaseException) -> str:
    """An error in one piece of a sentence: its type, what it means, or else what it says.

    >>> explain(IndexError("index 3 is out of bounds for axis 0 with size 3"))
    'IndexError: there is no entry or row 3: this array has 3 of them, counted from 0'
    """
    text = ADDRESS.sub("", " ".join(str(error).split()))
    name = type(error).__name__.lstrip("_")
    for pattern, meaning in _meanings():
        if found := re.match(pattern, text):
            return f"{name}: {meaning.format(*found.groups())}"
    return f"{name}: {text}"[:200].rstrip(":. ")


def explain_call(task: Signature, function: Callable[..., Any], case: Case, error: BaseException) -> str:
    """An error of a call: what it means, the shapes in its line, and the case where that alone is to blame."""
    single = [f"{name} has one {'column' if len(shape(a)) == 2 else 'entry'}"
              for name, a in zip(task.arguments, case, strict=True) if shape(a)[-1:] == (1,)]
    few = isinstance(error, IndexError) and single and "with size 1" in str(error)
    more = f"; here {single[0]} alone: write it for any number of them" if few else ""
    return f"{explain(error)}{_shapes(error, function)}{more}"


def place_of(function: Callable[..., Any], error: BaseException) -> tuple[FrameType, int] | None:
    """Where in the student's own file the error came from, with the names of that place."""
    home = getattr(getattr(function, "__code__", None), "co_filename", None)
    steps = [(f, n) for f, n in traceback.walk_tb(error.__traceback__) if f.f_code.co_filename == home and n]
    return steps[-1] if steps else None


def _shapes(error: BaseException, function: Callable[..., Any]) -> str:
    """The shapes of the arrays in a line that failed because theirs do not fit."""
    if not re.search("shape|mismatch|dimension", str(error)) or not (at := place_of(function, error)):
        return ""
    frame, line = at
    of = (frame.f_globals | frame.f_locals).get
    names = dict.fromkeys(re.findall(r"(?<![.\w])[A-Za-z_]\w*", linecache.getline(frame.f_code.co_filename, line)))
    shapes = [f"{name} has shape {v.shape}" for name in names if isinstance(v := of(name), (np.ndarray, np.generic))]
    return f" (here {', '.join(shapes[:4])})" if shapes else ""


def line_of(at: tuple[FrameType, int] | None) -> str:
    if at is None:
        return ""
    source = linecache.getline(at[0].f_code.co_filename, at[1]).strip()
    return f", in line {at[1]}" + (f": `{source}`" if source else "")
