"""Marks that a person gives in a table, applied on every run to what was graded."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import NamedTuple

from coursekit_grade import spreadsheets
from coursekit_grade.graded import Adjusted, Graded
from coursekit_grade.intake import Submission
from coursekit_grade.printable import one_line
from coursekit_grade.spreadsheets import plain

TOTAL, LATE = "total", "late"  # what else than a task can be adjusted
COLUMNS = ("student", "task", "points")


class Given(NamedTuple):
    """A row."""

    where: str
    task: str
    points: Decimal
    relative: bool  # added to the automatic ones, else in their place
    comment: str


class Adjustments:
    """What a person decided about these submissions. problems: a sentence for each row that could not be applied.

    file: None where there is none. points: `Course.points`. ValueError for a row that cannot be understood.
    """

    def __init__(self, file: Path | None, found: Iterable[Submission],
                 points: Mapping[str, Mapping[str, float]]) -> None:
        self.problems: list[str] = []
        self._of: defaultdict[Submission, dict[str, Given]] = defaultdict(dict)
        home = {task: assignment for assignment, tasks in points.items() for task in tasks}
        theirs: defaultdict[str, dict[str, Submission]] = defaultdict(dict)
        ids: dict[str, str] = {}  # without the zeros in front, which a spreadsheet takes away
        several: defaultdict[str, set[str]] = defaultdict(set)  # names of more than one, without the id behind it
        for s in sorted(found, key=lambda s: bool(s.problem)):
            if s.student and s.assignment:
                theirs[s.student].setdefault(s.assignment, s)
                ids |= {s.id.lstrip("0"): s.student} if s.id else {}
                several[s.student.removesuffix(f" ({s.id})") if s.id else s.student].add(s.student)
        for where, cells in spreadsheets.read(file, COLUMNS) if file else ():
            given = _given(where, cells)
            who, task, named = one_line(cells["student"]), given.task, cells.get("assignment", "")
            number = who.removeprefix("Participant ").lstrip("0")  # as in Moodle's column Identifier
            who, by_id = ids.get(number, who), number in ids  # an id comes before somebody who is called like it
            if len(several[who]) > 1 and not by_id:
                mean = sorted(several[who] - {who}) + ["rename the folder of the one without an id"] * (who in theirs)
                self.problems.append(f"{where}: there are several {who}: write {' or '.join(mean)}")
            elif who not in theirs:
                self.problems.append(f"{where}: {who} handed in nothing, or has another name or id here")
            elif task not in (TOTAL, LATE, *home):
                known = [*(t for a in theirs[who] for t in points.get(a, {})), TOTAL, LATE]
                self.problems.append(f"{where}: there is no task {task}; it must be one of {', '.join(known)}")
            elif named and named not in theirs[who]:
                self.problems.append(f"{where}: {who} handed in nothing for {named}")
            elif task in home and (home[task] not in theirs[who] or named not in ("", home[task])):
                self.problems.append(f"{where}: {task} is a task of {home[task]}, which {who} did not hand in there")
            elif task not in home and not named and len(theirs[who]) > 1:
                self.problems.append(f"{where}: {who} handed in {', '.join(theirs[who])}: a column assignment must "
                                     f"say whose {task} this is")
            else:
                s = theirs[who][home.get(task) or named or next(iter(theirs[who]))]
                if before := self._of[s].get(task):
                    raise ValueError(f"{where}: {task} of {who} was adjusted in {before.where} already")
                self._of[s][task] = given

    def __len__(self) -> int:
        return sum(map(len, self._of.values()))

    def penalty(self, submission: Submission) -> Given | None:
        """What somebody decided about its lateness."""
        return self._of.get(submission, {}).get(LATE)

    def applied(self, graded: Graded) -> Graded:
        """With the points of tasks, then of the total, as adjusted; None of them below 0."""
        if not (given := self._of.get(graded.submission)):
            return graded
        done: list[Adjusted] = []
        tasks = []
        for t in graded.mark.tasks:
            if row := given.get(t.name):
                before = None if t.ungraded else Decimal(str(t.points))
                if after := self._after(row, before, done):
                    t = replace(t, points=float(after.after), ungraded="")
            tasks.append(t)
        graded = graded._replace(mark=replace(graded.mark, tasks=tuple(tasks)), adjusted=tuple(done))
        for name in sorted(set(given) - {t.name for t in tasks} - {TOTAL, LATE}):
            self._once(f"{given[name].where}: nothing of it could be graded, so it has no {name}: adjust its total")
        if row := given.get(TOTAL):
            self._after(row, None if graded.ungraded else graded.points, done)
        return graded._replace(adjusted=tuple(done))

    def _after(self, row: Given, before: Decimal | None, done: list[Adjusted]) -> Adjusted | None:
        if before is None and row.relative:
            self._once(f"{row.where}: {row.task} is ungraded, so nothing can be added: write points without a sign")
            return None
        after = max(Decimal(0), (before or Decimal(0)) * row.relative + row.points)
        done.append(Adjusted(row.task, before, after, row.comment))
        return done[-1]

    def _once(self, problem: str) -> None:
        if problem not in self.problems:
            self.problems.append(problem)


def _given(where: str, cells: Mapping[str, str]) -> Given:
    if empty := [name for name in COLUMNS if not cells[name]]:
        raise ValueError(f"{where}: it has no {empty[0]}")
    points, task = spreadsheets.number(cells["points"]), one_line(cells["task"])
    if points is None:
        got = one_line(cells["points"])
        raise ValueError(f"{where}: points must be a number such as 2, 1.5, +1 or -0.5; got {got}")
    relative = cells["points"][0] in "+-\u2212"
    if relative and task == LATE:
        raise ValueError(f"{where}: for {LATE}, points are what to take off, without a sign; got {cells['points']}")
    return Given(where, task, points, relative, one_line(cells.get("comment", "")))


def in_words(adjusted: Sequence[Adjusted]) -> str:
    """In one cell of a table.

    >>> in_words([Adjusted("update", Decimal(0), Decimal(2), "right in a way"), Adjusted("total", None, Decimal(8))])
    'update 0 -> 2 (right in a way); total ungraded -> 8'
    """
    return "; ".join(f"{a.task} {'ungraded' if a.before is None else plain(a.before)} -> {plain(a.after)}"
                     + (f" ({a.comment})" if a.comment else "") for a in adjusted)
