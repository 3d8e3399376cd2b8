"""Numbers and tables as a learner reads them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from coursekit.core.validate import Floats


def number(value: float) -> str:
    """Three significant digits, whole numbers without a point."""
    return f"{value:.0f}" if 1000 <= abs(value) < 1e6 else f"{value + 0.0:.3g}"


def vector(values: Floats) -> str:
    return "(" + ", ".join(map(number, values)) + ")"


def counted(count: int, noun: str, plural: str = "") -> str:
    """How many there are. plural: where it is not the noun with an s.

    >>> counted(1, "mistake"), counted(0, "mistake"), counted(2, "pass", "passes")
    ('1 mistake', '0 mistakes', '2 passes')
    """
    return f"{count} {noun if count == 1 else plural or noun + 's'}"


def aligned(lines: Sequence[Sequence[str]], justified: Callable[[str, int], str]) -> str:
    """The cells of a table in columns of equal width. justified: str.ljust or str.rjust."""
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join("  ".join(map(justified, line, widths)).rstrip() for line in lines)
