"""What handing in late costs: each begun day or hour takes points off, after all adjustments."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from decimal import Decimal
from pathlib import Path

from coursekit.core.text import one_line
from coursekit.grading import tables
from coursekit.grading.adjust import Given
from coursekit.grading.classroom import Graded, Late
from coursekit.grading.intake import Submission

_UNITS = {"minute": timedelta(minutes=1), "hour": timedelta(hours=1), "day": timedelta(days=1)}
_GRACE = re.compile(r"([0-9]{1,4}) ?(minute|hour|day)s?")
_RATE = re.compile(r"([0-9.,]+) ?(%|points?) (?:a|an|per) (hour|day)")
_MOODLE_ID, _MOODLE_TIME = "identifier", "last modified (submission)"
_FORMS = ("%A, %d %B %Y, %I:%M %p", "%d.%m.%Y %H:%M", "%d.%m.%Y %H:%M:%S")


@dataclass(frozen=True)
class Rule:
    """When an assignment is due, and what each begun `unit` of lateness costs.

    due: by assignment; "" for all others. grace: who is late by no more is in time. cost: points, or if `percent` a
    share of the points to be had. times: when a student, by name or id, handed in an assignment ("" for any).
    """

    due: Mapping[str, datetime] = field(default_factory=dict)
    grace: timedelta = timedelta()
    cost: Decimal = Decimal(0)
    percent: bool = False
    unit: str = "day"
    times: Mapping[tuple[str, str], datetime] = field(default_factory=dict)

    def applied(self, graded: Graded, decided: Given | None) -> Graded:
        """With what lateness costs it, nothing if it was in time. decided: by a person, in place of the rule."""
        s = graded.submission
        due, time = self.due.get(s.assignment, self.due.get("")), self.time(s)
        late = due is not None and time is not None and time - due > self.grace
        if not (late or decided):
            return graded
        begun, cost = 0, Decimal(0)
        if late and time and due:
            begun = math.ceil((time - due) / _UNITS[self.unit])
            cost = begun * self.cost * (Decimal(str(graded.most)) / 100 if self.percent else 1)
        return graded._replace(late=Late(
            begun, self.unit, decided.points if decided else cost, decided.comment if decided else "", bool(decided)))

    def time(self, submission: Submission) -> datetime | None:
        for who in filter(None, (submission.id, submission.student)):
            for assignment in (submission.assignment, ""):
                if time := self.times.get((who, assignment)):
                    return time
        return None

    def untimed(self, found: Iterable[Submission]) -> list[str]:
        """Who handed in something that is due, and nobody knows when."""
        return [s.student for s in found if s.student and {s.assignment, ""} & set(self.due) and not self.time(s)]


def rule(due: Sequence[str], grace: str, cost: str, times: Path | None, assignments: Iterable[str]) -> Rule:
    """From what the options say. ValueError, naming the option or the line of the file, for what cannot be read."""
    if not due:
        for option, value in (("--grace", grace), ("--late", cost), ("--times", times)):
            if value:
                raise ValueError(f"{option} needs --due: without it nothing is late")
        return Rule()
    if times is None:
        raise ValueError("--due needs --times: Moodle's grading worksheet, or a CSV with the columns student and time")
    when: dict[str, datetime] = {}
    for text in due:
        name, _, time = text.rpartition("=")
        if name and name not in (known := list(assignments)):
            raise ValueError(f"--due: the assignment must be one of {', '.join(known)}; got {name!r}")
        if name in when:
            raise ValueError(f"--due is given twice for {name or 'all assignments'}")
        when[name] = _time(time, "--due")
    if grace and not (waits := _GRACE.fullmatch(grace.strip())):
        raise ValueError(f'--grace must be a time such as "15 minutes" or "2 hours"; got {grace!r}')
    costs = _RATE.fullmatch(cost.strip())
    number = tables.number(costs[1]) if costs else Decimal(0)
    if cost and (not costs or number is None):
        raise ValueError(f'--late must say what it costs, such as "10% a day" or "0.5 points an hour"; got {cost!r}')
    return Rule(when, int(waits[1]) * _UNITS[waits[2]] if grace and waits else timedelta(), number or Decimal(0),
                bool(costs and costs[2] == "%"), costs[3] if costs else "day", _times(times))


def _times(file: Path) -> dict[tuple[str, str], datetime]:
    """When who handed in, by the table of an LMS or of the instructor."""
    times: dict[tuple[str, str], datetime] = {}
    for where, cells in tables.read(file, ()):
        if _MOODLE_ID in cells and _MOODLE_TIME in cells:
            number = re.search(r"[0-9]+$", cells[_MOODLE_ID])
            who, text = number[0] if number else "", cells[_MOODLE_TIME]
        elif "student" in cells and "time" in cells:
            who, text = one_line(cells["student"]), cells["time"]
        else:
            raise ValueError(f"{file.name} must have the columns student and time, or Identifier and Last modified "
                             f"(submission), as Moodle's worksheet has in English; got {', '.join(cells)[:100]}")
        if not who:
            raise ValueError(f"{where}: it names no student")
        if text in ("", "-"):
            continue
        key = who, cells.get("assignment", "")
        if key in times:
            raise ValueError(f"{where}: there are two times for {who}")
        times[key] = _time(text, where)
    return times


def _time(text: str, where: str) -> datetime:
    """A moment; without a time zone it is one on this computer's clock."""
    text = re.sub(r" UTC$", "+00:00", text.strip())
    for read in (datetime.fromisoformat, *(lambda t, form=form: datetime.strptime(t, form) for form in _FORMS)):
        try:
            return read(text).astimezone()
        except (ValueError, OverflowError):
            continue
    raise ValueError(f'{where}: a time must be written like "2026-11-20 23:59"; got {one_line(text)!r}')
