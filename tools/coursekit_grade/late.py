"""What handing in late costs: each begun day or hour takes points off, after all adjustments.

Days are those of the calendar where the grader is, on whose clock a day has 23 or 25 hours where clocks change; hours
and minutes are as long as any others.
"""

import contextlib
import math
import os
import re
import zoneinfo
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from pathlib import Path

from coursekit_grade import spreadsheets
from coursekit_grade.adjust import Given
from coursekit_grade.graded import Graded, Late
from coursekit_grade.intake import Submission
from coursekit_grade.printable import one_line

_UNITS = {"minute": timedelta(minutes=1), "hour": timedelta(hours=1), "day": timedelta(days=1)}
_GRACE = re.compile(r"([0-9]{1,4}) ?(minute|hour|day)s?")
_RATE = re.compile(r"([0-9.,]+) ?(%|points?) (?:a|an|per) (hour|day)")
_MOODLE_ID, _MOODLE_TIME = "identifier", "last modified (submission)"
_EXTENSION = re.compile(r"Extension granted until: (.+?)(?: - |$)")  # in Moodle's column Status
Times = Mapping[tuple[str, str], datetime]  # by name or id, and assignment or ""
_DAYS = "%d.%m.%Y", "%d.%m.%y", "%Y-%m-%d", "%Y/%m/%d"
_FORMS = tuple(f"{day} {clock}" for day in _DAYS for clock in ("%H:%M", "%H:%M:%S", "%I:%M %p"))
# A month by its name in English or German: Saturday, 21 November 2026, ...; November 21, 2026; Samstag, 21. März 2026
_NAMED = re.compile(
    r"(?:[^\W\d]+\.?,? )?(?:(\d\d?)\.? ([^\W\d]{3})[^\W\d]*|([^\W\d]{3})[^\W\d]* (\d\d?),)\.? (?=\d{4}\b)")
_MONTHS = {"jan": 1, "jän": 1, "feb": 2, "mar": 3, "mär": 3, "apr": 4, "may": 5, "mai": 5, "jun": 6, "jul": 7, "aug": 8,
           "sep": 9, "oct": 10, "okt": 10, "nov": 11, "dec": 12, "dez": 12}
# What people and programs write around the numbers of a moment, and what is read in its place.
_WRITTEN = (
    (r" UTC$", "+00:00"), (r" Uhr$", ""), (r"(?<=\d\.) (?=\d)", ""), (r"(\d{4}|\.\d\d)(,? (um|at) |, )(?=\d)", r"\1 "),
    (r"(?<= )(\d\d?)\.(\d\d)(?= |$)", r"\1:\2"), (r"(?<=\d) ?([AaPp])\.? ?[Mm]\.?$", r" \1m"))
_PARTS = re.compile(r"[^.,]*|.*:\d\d:\d\d[.,]\d+.*")  # parts of seconds alone: ISO 8601 also has 23.59 hours


@dataclass(frozen=True)
class Rule:
    """When an assignment is due ("" for all others), and what each begun `unit` of lateness costs."""

    due: Mapping[str, datetime] = field(default_factory=dict)
    grace: tuple[int, str] = (0, "minute")  # who is late by no more is in time
    cost: Decimal = Decimal(0)  # points, or if `percent` a share of the points to be had
    percent: bool = False
    unit: str = "day"
    times: Times = field(default_factory=dict)
    extended: Times = field(default_factory=dict)  # until when, for whom the due time is a later one
    ids: frozenset[str] = frozenset()  # whoever has another's id for a name is not meant by it

    def applied(self, graded: Graded, decided: Given | None) -> Graded:
        """With what lateness costs it, nothing if it was in time. decided: by a person, in place of the rule."""
        s = graded.submission
        due, came = self.due.get(s.assignment, self.due.get("")), self.time(s, self.times)
        due = max(due, self.time(s, self.extended) or due) if due else None
        late = due is not None and came is not None and came > _after(due, *self.grace)
        if not (late or decided):
            return graded
        begun, cost = 0, Decimal(0)
        why = f"Due {moment(due)}, came {moment(came)}." if due and came else ""
        if late and came and due:
            begun = self.begun(due, came)
            cost = begun * self.cost * (Decimal(str(graded.most)) / 100 if self.percent else 1)
            of = f"% of {graded.most:g} points" if self.percent else " point" + "s" * (self.cost != 1)
            price = f"{spreadsheets.plain(self.cost)}{of}"
            why += f" Each {self.unit} that had begun since it was due costs {price}."
        cost, comment = (decided.points, decided.comment) if decided else (cost, "")
        return graded._replace(late=Late(begun, self.unit, cost, comment, bool(decided), why))

    def begun(self, due: datetime, came: datetime) -> int:
        """How many units have begun since then."""
        begun = max(1, math.floor((came - due) / _UNITS[self.unit]) - 1)
        while _after(due, begun, self.unit) < came:
            begun += 1
        return begun

    def time(self, submission: Submission, times: Times) -> datetime | None:
        name = "" if submission.student.lstrip("0") in self.ids else submission.student
        for who in filter(None, (submission.id.lstrip("0"), submission.id, name)):
            for assignment in (submission.assignment, ""):
                if came := times.get((who, assignment)):
                    return came
        return None

    def untimed(self, found: Iterable[Submission]) -> list[str]:
        """Who handed in something that is due, and nobody knows when."""
        due = [s for s in found if s.student and {s.assignment, ""} & set(self.due)]
        return [s.student for s in due if not self.time(s, self.times)]


def rule(due: Sequence[str], grace: str, cost: str, times: Path | None, assignments: Iterable[str],
         found: Iterable[Submission] = ()) -> Rule:
    """From what the options say. ValueError, naming the option or the line of the file, for what cannot be read."""
    if not due:
        for option, value in (("--grace", grace), ("--late", cost), ("--times", times)):
            if value:
                raise ValueError(f"{option} needs --due: without it nothing is late")
        return Rule()
    zone = os.environ.get("TZ", "").lstrip(":")
    if re.match("[A-Za-z_]+(/|$)", zone) and zone not in zoneinfo.available_timezones():  # others tell the rule
        raise ValueError(f"TZ must be a zone that is known here, such as Europe/Berlin; got {zone!r}, taken for UTC")
    if times is None:
        raise ValueError("--due needs --times: Moodle's grading worksheet, or a CSV with the columns student and time")
    when: dict[str, datetime] = {}
    for text in due:
        name, _, end = text.rpartition("=")
        if name and name not in (known := list(assignments)):
            raise ValueError(f"--due: the assignment must be one of {', '.join(known)}; got {name!r}")
        if name in when:
            raise ValueError(f"--due is given twice for {name or 'all assignments'}")
        when[name] = _time(end, "--due", ends=True)
    if grace and not (waits := _GRACE.fullmatch(grace.strip())):
        raise ValueError(f'--grace must be a time such as "15 minutes" or "2 hours"; got {grace!r}')
    costs = _RATE.fullmatch(cost.strip())
    number = spreadsheets.number(costs[1]) if costs else Decimal(0)
    if cost and (not costs or number is None):
        raise ValueError(f'--late must say what it costs, such as "10% a day" or "0.5 points an hour"; got {cost!r}')
    return Rule(when, (int(waits[1]), waits[2]) if grace and waits else (0, "minute"), number or Decimal(0),
                bool(costs and costs[2] == "%"), costs[3] if costs else "day", *_times(times),
                frozenset(s.id.lstrip("0") for s in found if s.id))


def _times(file: Path) -> tuple[Times, Times]:
    """When who handed in, and until when that was in time, by the table of an LMS or of the instructor."""
    times: dict[tuple[str, str], datetime] = {}
    extended: dict[tuple[str, str], datetime] = {}
    for where, cells in spreadsheets.read(file, ()):
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
        if granted := _EXTENSION.search(cells.get("status", "")):
            extended[key] = _time(granted[1], where, ends=True)
    return _by_number(times), _by_number(extended)


def _by_number(times: Times) -> Times:
    """By ids without the zeros in front, too."""
    return {**{(who.lstrip("0"), assignment): time for (who, assignment), time in times.items()}, **times}


def _time(text: str, where: str, ends: bool = False) -> datetime:
    """A moment on this computer's clock, if no other zone is written. ends: a day without a time is its end.

    Of the two moments that one time names in the autumn, what ends is the later one, what came the earlier one.
    """
    text = one_line(text)
    for written, meant in _WRITTEN:
        text = re.sub(written, meant, text)
    if named := _NAMED.match(text):
        month = _MONTHS.get((named[2] or named[3]).lower(), 0)
        text = f"{named[1] or named[4]}.{month}.{text[named.end():]}"
    day = re.sub(r"[ T]24:00(:00)?$", "", text) if ends else text
    whole = time.max if ends else time.min
    for read in (
        lambda: datetime.combine(date.fromisoformat(day), whole),
        *(lambda form=form: datetime.combine(datetime.strptime(day, form), whole) for form in _DAYS),
        lambda: datetime.fromisoformat(text if _PARTS.fullmatch(text) else ""),
        *(lambda form=form: datetime.strptime(text, form) for form in _FORMS),
    ):
        with contextlib.suppress(ValueError, OverflowError):
            if 1970 <= (found := read()).year < 9000:
                return _here(found, ends)
    raise ValueError(f'{where}: a time must be written like "2026-11-20 23:59"; got {one_line(text)!r}')


def _here(moment: datetime, ends: bool) -> datetime:
    both = [moment.replace(fold=fold).astimezone() for fold in (0, 1)]
    return max(both) if ends else min(both)


def _after(start: datetime, count: int, unit: str) -> datetime:
    """So long after `start`: the same time on another day where days are counted."""
    if unit == "day":
        return _here(start.replace(tzinfo=None) + timedelta(days=count), ends=True)
    return start + count * _UNITS[unit]


def moment(of: datetime) -> str:
    return f"{of:%Y-%m-%d %H:%M{':%S' * bool(of.second)} %Z}"
