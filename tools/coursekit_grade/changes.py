"""changes.csv: each mark that a later run changed, old and new, and why."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from coursekit_grade.adjust import TOTAL
from coursekit_grade.graded import Graded
from coursekit_grade.results import place_of
from coursekit_grade.spreadsheets import plain

COLUMNS = ("noted", "student", "id", "assignment", "task", "before", "after", "why")


def marks(graded: Iterable[Graded]) -> dict[str, dict[str, Any]]:
    """What a finished run gave, as JSON: by student and assignment, without what was left ungraded."""
    return {
        place_of(g.submission): {
            "digest": g.submission.digest, "id": g.submission.id, "late": plain(g.late.cost) if g.late else "0",
            "adjusted": {a.task: plain(a.after) for a in g.adjusted},
            "points": {t.name: plain(t.points) for t in g.mark.tasks} | {TOTAL: plain(g.total)},
        }
        for g in graded if g.submission.student and not g.ungraded
    }


def changed(before: Mapping[str, Any], graded: Sequence[Graded]) -> list[list[str]]:
    """A row for each mark that is another one than `before`, as `marks` gave it. Who is new has none."""
    after, rows = marks(graded), []
    noted = datetime.now().astimezone().isoformat(" ", "minutes")
    for g in graded:
        student, assignment = g.submission.student, g.submission.assignment
        if (old := before.get(key := place_of(g.submission))) is None or not student:
            continue
        nothing = {"digest": g.submission.digest, "late": old["late"], "adjusted": {}, "points": {TOTAL: "ungraded"}}
        new = after.get(key, nothing)
        whys: list[str] = []
        for task, points in new["points"].items():
            if points == (was := old["points"].get(task, "no such task")):
                continue
            if new["digest"] != old["digest"]:
                why = "another notebook"
            elif new["adjusted"].get(task) != old["adjusted"].get(task):
                why = "adjusted"
            else:
                why = "graded again"
            if task == TOTAL:
                late = new["late"] != old["late"]
                own = [why] if why == "adjusted" or not (whys or late) else []
                why = ", ".join(dict.fromkeys([*whys, *own, *["lateness"] * late]))
            whys.append(why)
            rows.append([noted, student, g.submission.id, assignment, task, was, points, why])
    return rows
