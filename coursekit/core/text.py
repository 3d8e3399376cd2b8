"""Numbers and tables as a learner reads them."""

import re
from collections.abc import Callable, Iterable, Sequence


def number(value: float) -> str:
    """Three significant digits, whole numbers without a point."""
    return f"{value:.0f}" if 999.5 <= abs(value) < 999_999.5 else f"{value + 0.0:.3g}"


def vector(values: Iterable[float]) -> str:
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


def aligned(lines: Sequence[Sequence[str]], justified: Callable[[str, int], str]) -> str:
    """The cells of a table in columns of equal width. justified: str.ljust or str.rjust."""
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join("  ".join(map(justified, line, widths)).rstrip() for line in lines)
