"""CSV tables: read as Excel leaves them, written so that no cell is taken for a formula."""

import csv
import io
import re
from collections.abc import Iterable, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any, NamedTuple

from coursekit_grade.printable import printable

BOM = "\ufeff"
LARGEST = 20 << 20
_SEPARATOR = re.compile(r'^"?sep=[,;\t]"?\r?\n', re.I)  # the first line, by which Excel is told where cells end
# What a spreadsheet would take for a formula, also where it ends cells at semicolons, as most of Europe's do.
_FORMULA = re.compile(r"(^|;)(?=\s*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20])")
_UNGUARDED = re.compile(r"^'(?=[=+\-@])")  # as `written` guards a cell
_NUMBER = re.compile(r"[+-]?[0-9]{1,9}(?:[.,][0-9]{1,9})?")


class TableRow(NamedTuple):
    """where: its file and line, for sentences. cells: by the name of the column, in lower case."""

    where: str
    cells: dict[str, str]


def read(path: Path, needed: Sequence[str]) -> list[TableRow]:
    """The rows of a CSV with at least the columns `needed`; cells may end at commas, semicolons or tabs.

    Raises ValueError, with the file and line, for what is no such table, OSError for what cannot be read.
    """
    data = path.read_bytes()
    if len(data) > LARGEST:
        raise ValueError(f"{path} is larger than {LARGEST >> 20} MB")
    try:
        text = data.decode("utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("cp1252", "replace")  # what Excel writes in western Europe
    if "\0" in text:
        raise ValueError(f"{path} is no text in UTF-8 or UTF-16: save it as CSV UTF-8")
    csv.field_size_limit(LARGEST)  # what students typed in an LMS may stand in a cell
    first = text.lstrip().partition("\n")[0]
    text, told = _SEPARATOR.subn("", text.lstrip(BOM))
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=max(",;\t", key=first.count), strict=True)
    rows: list[TableRow] = []
    header: list[str] = []
    try:
        for line in reader:
            cells = [_UNGUARDED.sub("", cell.strip()) for cell in line]
            where = f"{path.name}, line {reader.line_num + told}"
            if not any(cells):
                continue
            if not header:
                header = [" ".join(cell.casefold().split()) for cell in cells]
                if missing := [name for name in needed if name not in header]:
                    raise ValueError(f"{where}: there is no column {missing[0]}; its first line must name the "
                                     f"columns {', '.join(needed)}; got {printable(', '.join(cells))[:100]}")
                if twice := [name for name in needed if header.count(name) > 1]:
                    raise ValueError(f"{where}: there are two columns {twice[0]}")
            elif any(cells[len(header):]):
                raise ValueError(f"{where}: it has {len(cells)} cells for {len(header)} columns; a comma within a "
                                 'cell needs "quotes" around the cell')
            else:
                rows.append(TableRow(where, dict(zip(header, [*cells, *[""] * len(header)], strict=False))))
    except csv.Error as error:
        raise ValueError(f"{path.name}, line {reader.line_num + told}: it is not a CSV ({error})") from None
    if not header:
        raise ValueError(f"{path.name} is empty: its first line must name the columns {', '.join(needed)}")
    return rows


def number(text: str) -> Decimal | None:
    """A number as people write it, with a point or a comma; None for anything else.

    >>> number("1,5"), number("+0.25"), number("1.000,5")
    (Decimal('1.5'), Decimal('0.25'), None)
    """
    text = text.replace("\u2212", "-")
    return Decimal(text.replace(",", ".")) if _NUMBER.fullmatch(text) else None


def plain(value: Decimal | float) -> str:
    """A number of points, all of its digits and no zeros behind.

    >>> plain(Decimal("2.50")), plain(3.0), plain(Decimal("0.125"))
    ('2.5', '3', '0.125')
    """
    text = f"{Decimal(str(value)):f}"
    return text.rstrip("0").rstrip(".") or "0" if "." in text else text


def for_excel(text: str) -> str:
    """With a byte order mark where there is more than ASCII, which Excel reads as something else without it."""
    return text if text.isascii() else BOM + text


def written(header: Sequence[str], rows: Iterable[Iterable[Any]]) -> str:
    """A CSV in which no cell can begin a formula."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(header)
    writer.writerows([_FORMULA.sub(r"\1'", cell) if isinstance(cell, str) else cell for cell in row] for row in rows)
    return text.getvalue()
