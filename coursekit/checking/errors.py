"""What Python and numpy say to a wrong line, in words that help who wrote it: those of errors.toml."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

MEANINGS: list[tuple[str, str]] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))["meanings"]


def explain(error: BaseException) -> str:
    """An error in one piece of a sentence: its type, what it means, or else what it says.

    >>> explain(IndexError("index 3 is out of bounds for axis 0 with size 3"))
    'IndexError: there is no entry or row 3: this array has 3 of them, counted from 0'
    """
    text = " ".join(str(error).split())
    name = type(error).__name__.lstrip("_")
    for pattern, meaning in MEANINGS:
        if found := re.match(pattern, text):
            return f"{name}: {meaning.format(*found.groups())}"
    return f"{name}: {text}"[:200].rstrip(":. ")
