"""Numbers and tables as a learner reads them."""

import re
from collections.abc import Callable, Iterable, Sequence
from decimal import Decimal

RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def number(value: float) -> str:
    """Three significant digits, whole numbers without a point."""
    return f"{value:.0f}" if 999.5 <= abs(value) < 999_999.5 else f"{value + 0.0:.3g}"


def vector(values: Iterable[float]) -> str:
    return "(" + ", ".join(map(number, values)) + ")"


def typeset(said: str) -> str:
    """A sentence with minus signs before its negative numbers, and powers of ten where many digits would stand.

    >>> typeset("a well-kept x-1 of -1.5, then -8.2e+02 and 4.72e+125")
    'a well-kept x-1 of −1.5, then −820 and 4.72 · 10¹²⁵'
    """
    plain = re.sub(r"(?<![\w.])(\d[\d.]*)e([+-]\d+)", _power, said)
    return re.sub(r"(?<![\w.])-(?=\d)", "\N{MINUS SIGN}", plain)


def _power(found: re.Match[str]) -> str:
    number, power = Decimal(found[0]), int(found[2])
    return f"{number:f}" if -7 < power < 7 else f"{found[1]} · 10{str(power).translate(RAISED)}"


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
