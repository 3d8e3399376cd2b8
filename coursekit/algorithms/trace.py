"""What the perceptron did, visit by visit, and the table that tells it."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from coursekit.algorithms.rule import LinearRule
from coursekit.core import validate
from coursekit.core.frozen import Frozen, same, sealed
from coursekit.core.text import aligned, counted, number, vector
from coursekit.core.validate import Floats, NDArray


class Row(NamedTuple):
    """One visit: what was seen, what theta said, what changed."""

    visit: int  # counted from 1
    example: int  # row of X, counted from 0
    x: Floats
    y: float
    before: Floats  # theta before the visit
    f: float  # its score for x
    mistake: bool  # y f <= 0
    after: Floats  # theta after the visit

    def __eq__(self, other: object) -> bool:  # entry by entry where a field is an array
        return isinstance(other, Row) and same(self, other)

    def __ne__(self, other: object) -> bool:
        return not self == other


class TraceTable(list[Row]):
    """Rows of a trace, as a list that shows itself as a table."""

    heads = ("visit", "example", "x", "y", "theta before", "f", "mistake", "theta after")

    def __init__(self, rows: list[Row], total: int) -> None:
        super().__init__(rows)
        self.total = total

    def cells(self) -> list[tuple[str, ...]]:
        return [(str(r.visit), str(r.example), vector(r.x), f"{r.y:+.0f}", vector(r.before), number(r.f),
                 "mistake" if r.mistake else "", vector(r.after))
                for r in self]

    @property
    def _rest(self) -> str:
        return f"{len(self)} of {self.total} visits" if len(self) < self.total else ""

    def __repr__(self) -> str:
        text = aligned([self.heads, *self.cells()], str.rjust)
        return f"{text}\n{self._rest}" if self._rest else text

    def _repr_html_(self) -> str:
        from html import escape  # only a notebook needs it
        def line(tag: str, cells: tuple[str, ...], style: str = "") -> str:
            return f"<tr{style}>" + "".join(f"<{tag}>{escape(c)}</{tag}>" for c in cells) + "</tr>"

        bold = ' style="font-weight: bold"'
        body = [line("td", c, bold if r.mistake else "") for r, c in zip(self, self.cells(), strict=True)]
        caption = f"<caption>{self._rest}</caption>" if self._rest else ""
        return f"<table>{caption}<thead>{line('th', self.heads)}</thead><tbody>{''.join(body)}</tbody></table>"


@dataclass(frozen=True, eq=False, repr=False)
class Trace(LinearRule, Frozen):
    """Everything the perceptron did. Its arrays are read-only.

    visits: example index of every visit. when: for each mistake, at which visit (from 0) it was made.
    thetas: (mistakes, d + 1), theta after each mistake; before the first it is 0.
    cycle: number of passes after which everything repeats, or None. status: in words, how it ended.
    """

    X: Floats
    y: Floats
    offset: bool
    visits: NDArray[np.intp]
    when: NDArray[np.intp]
    thetas: Floats
    passes: int
    converged: bool
    cycle: int | None
    status: str

    @property
    def mistakes(self) -> int:
        return len(self.when)

    @property
    def theta(self) -> Floats:
        return self.theta_at(len(self.visits))

    def mistakes_at(self, visits: int) -> int:
        """Mistakes among the first `visits` visits."""
        return int(np.searchsorted(self.when, validate.count("visits", visits, 0)))

    def theta_at(self, visits: int) -> Floats:
        """theta after this many visits."""
        k = self.mistakes_at(visits)
        return self.thetas[k - 1] if k else sealed(np.zeros(self.X.shape[1] + self.offset))

    def row(self, visit: int) -> Row:
        """The visit with this number, counted from 1."""
        if not 1 <= validate.count("visit", visit) <= len(self.visits):
            raise ValueError(f"visit must be from 1 to {len(self.visits)}; got {visit}")
        before, after = self.theta_at(visit - 1), self.theta_at(visit)
        i = int(self.visits[visit - 1])
        f = float(before[: self.X.shape[1]] @ self.X[i] + (before[-1] if self.offset else 0.0))
        mistake = self.mistakes_at(visit) > self.mistakes_at(visit - 1)
        if (self.y[i] * f <= 0) != mistake:  # too small for a number, or hidden by its rounding
            f = 0.0 if mistake else float(np.nextafter(0.0, self.y[i]))
        return Row(visit, i, self.X[i], float(self.y[i]), before, f, mistake, after)

    def table(self, limit: int | None = None) -> TraceTable:
        """The trace as rows (visit, example, x, y, theta before, f, mistake, theta after).

        limit: at most this many rows from the start. Shows as a table in a notebook and as aligned text elsewhere.
        """
        total = len(self.visits)
        shown = total if limit is None else min(validate.count("limit", limit, 0), total)
        return TraceTable([self.row(v) for v in range(1, shown + 1)], total)

    def __repr__(self) -> str:
        return (f"Trace({counted(self.mistakes, 'mistake')} in {counted(self.passes, 'pass', 'passes')}, "
                f"theta = {vector(self.theta)}; {self.status})")
