"""Numbers and tables as a learner reads them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # a grader's process shows text, and saves the time that numpy's types take to import
    from coursekit.core.validate import Floats


def number(value: float) -> str:
    """Three significant digits, whole numbers without a point."""
    return f"{value:.0f}" if 999.5 <= abs(value) < 999_999.5 else f"{value + 0.0:.3g}"


def vector(values: Floats) -> str:
    return "(" + ", ".join(map(number, values)) + ")"


def typeset(said: str) -> str:
    """A sentence with minus signs before its negative numbers.

    >>> typeset("a well-kept x-1 of -1.5")
    'a well-kept x-1 of −1.5'
    """
    return re.sub(r"(?<![\w.])-(?=\d)", "\N{MINUS SIGN}", said)


def counted(count: int, noun: str, plural: str = "") -> str:
    """How many there are. plural: where it is not the noun with an s.

    >>> counted(1, "mistake"), counted(0, "mistake"), counted(2, "pass", "passes")
    ('1 mistake', '0 mistakes', '2 passes')
    """
    return f"{count} {noun if count == 1 else plural or noun + 's'}"


def meant(word: object, known: Iterable[str]) -> str:
    """What an error adds where a word is almost one of the known ones.

    >>> meant("perceptorn", ["perceptron", "svm"]), meant("?", ["svm"])
    (': do you mean "perceptron"?', '')
    """
    from difflib import get_close_matches  # only who mistypes waits for it

    near = get_close_matches(str(word).lower(), known, 1)
    return f': do you mean "{near[0]}"?' if near else ""


def printable(text: str) -> str:
    """Text of anybody's making, to be printed and stored: no control characters, no halves of characters.

    >>> printable("Jose\u0301\\r")
    'José\ufffd'
    """
    # In pieces: to put many accents on one letter in order takes time that grows with their square.
    text = "".join(unicodedata.normalize("NFC", text[k : k + 256]) for k in range(0, len(text), 256))
    return "".join(c if c.isprintable() or c in "\u200c\u200d" else "\ufffd" for c in text)


def one_line(text: str) -> str:
    """Such text on one line, of at most 300 characters."""
    text = printable(" ".join(text[:1000].split()))
    return text if len(text) <= 300 else text[:297] + "..."


def said(error: BaseException) -> str:
    """An error of anybody's making on one line: its type, and what it says.

    >>> said(ValueError("one\\ntwo")), said(KeyError())
    ('ValueError: one two', 'KeyError')
    """
    try:
        text = error.msg if isinstance(error, SyntaxError) else str(error)
        return one_line(f"{type(error).__name__}: {text}"[:200]).rstrip(": ")
    except BaseException:
        return "an error without a text"


def cause(error: BaseException) -> str:
    """A ValueError has a sentence for people; of any other error they should know the type."""
    return printable(str(error)) if isinstance(error, ValueError) and str(error) else said(error)


def aligned(lines: Sequence[Sequence[str]], justified: Callable[[str, int], str]) -> str:
    """The cells of a table in columns of equal width. justified: str.ljust or str.rjust."""
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join("  ".join(map(justified, line, widths)).rstrip() for line in lines)
