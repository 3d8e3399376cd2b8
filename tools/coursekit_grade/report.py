"""What a class earned, as files: tables for machines, pages for people."""

import hashlib
import re
from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Mapping, Sequence
from functools import cache

from jinja2 import Environment, PackageLoader

from coursekit.checking.signature import Outcome
from coursekit.core.text import counted
from coursekit_grade.adjust import in_words
from coursekit_grade.alike import SOLUTION, Alike
from coursekit_grade.classwork import FEWEST, statistics
from coursekit_grade.graded import Graded
from coursekit_grade.spreadsheets import for_excel, plain, written

NBGRADER_COLUMNS = ("assignment", "duedate", "timestamp", "student_id", "last_name", "first_name", "email", "raw_score",
                    "late_submission_penalty", "score", "max_score")


def reports(
    graded: Sequence[Graded], points: Mapping[str, Mapping[str, float]], seed: int, nbgrader: bool = False,
    layout: str = "", changed: Container[str] | None = None, problems: Sequence[str] = (),
    sections: Mapping[str, Mapping[str, str]] = {},
) -> dict[str, str]:
    """All files for people, by name, tables last: a mark in a table has its page already, whenever a run is stopped.

    points: assignment -> task -> the points to be had. layout: what students are identified by. changed: while the
    run is unfinished, the students whose pages to write; then there are no pictures. problems: what of adjust.csv
    could not be applied. sections: assignment -> task -> what to read again.
    """
    pages: dict[str, str] = {}
    templates = _templates()
    students = defaultdict(list)
    for g in graded:
        if g.submission.student:
            students[g.submission.student].append(g)
    solved = _solved(graded) if changed is None else {}
    for student, page in _file_names(students).items():
        if changed is None or student in changed:
            pages[f"feedback/{page}.html"] = templates.get_template("feedback.html").render(
                student=student, graded=students[student], seed=seed, solved=solved, sections=sections)
    assignments = []
    for name, tasks in points.items() if changed is None else ():
        if marked := [g for g in graded if g.submission.assignment == name and not g.ungraded]:
            summary, pictures = statistics(name, tasks, marked)
            assignments.append(summary)
            pages |= pictures
    ungraded = [g for g in graded if g.ungraded]
    pages["summary.html"] = templates.get_template("summary.html").render(
        graded=len(graded) - len(ungraded), ungraded=[g for g in ungraded if not g.waiting],
        waiting=sum(g.waiting for g in ungraded), unfinished=changed is not None,
        assignments=assignments, seed=seed, counted=counted, layout=layout, problems=problems, outcomes=list(Outcome))
    if nbgrader:
        pages["nbgrader.csv"] = nbgrader_grades(graded)
    pages["grades.csv"] = for_excel(grades(graded, points))
    return pages


def _solved(graded: Iterable[Graded]) -> dict[str, str]:
    """Task -> the share of the class that solved it, where the class is large enough to tell nobody's marks."""
    marks = defaultdict(list)
    for g in graded:
        for t in g.mark.tasks if not g.ungraded else ():
            marks[t.name].append(t.points >= t.max_points)
    return {name: f"{sum(s) / len(s):.0%}" for name, s in marks.items() if len(s) >= FEWEST}


@cache
def _templates() -> Environment:
    pages = Environment(loader=PackageLoader("coursekit_grade", "pages"), autoescape=True, trim_blocks=True)
    pages.filters["plain"] = plain
    return pages


def alike_pages(
    pairs: Sequence[Alike], graded: Iterable[Graded], solutions: Mapping[str, Mapping[str, str]]
) -> dict[str, str]:
    """alike.html and alike.csv for a person to look at; nothing where there is no pair."""
    if not pairs:
        return {}
    codes = {(a, SOLUTION, task): code for a, tasks in solutions.items() for task, code in tasks.items()}
    codes |= {(g.submission.assignment, g.submission.student, t.name): t.code for g in graded for t in g.mark.tasks}
    rows = [[p.assignment, p.student, p.other, f"{p.share:.2f}", p.why, ", ".join(p.tasks)] for p in pairs]
    table = written(["assignment", "student", "other", "share", "why", "tasks"], rows)
    page = _templates().get_template("alike.html").render(pairs=pairs, codes=codes, counted=counted)
    return {"alike.html": page, "alike.csv": for_excel(table)}


def grades(graded: Sequence[Graded], points: Mapping[str, Mapping[str, float]]) -> str:
    """grades.csv: a row for each student and assignment. What was not graded has no total, and its status says why.

    Points of tasks are those after adjustments; where there are any, what the machine gave is beside them.
    """
    rows, present = [], {g.submission.assignment for g in graded}
    adjusted, late = any(g.adjusted for g in graded), any(g.late for g in graded)
    names = [name for assignment, tasks in points.items() if assignment in present for name in tasks]
    for g in graded:
        s, earned = g.submission, {t.name: "" if t.ungraded else plain(t.points) for t in g.mark.tasks}
        status = f"ungraded: {g.ungraded}" if g.ungraded else "graded"
        total = "" if g.ungraded else plain(g.total)
        most = f"{g.most:g}" if g.most else ""
        between: list[str] = []
        if adjusted:
            between += ["" if g.automatic is None else plain(g.automatic), in_words(g.adjusted)]
        if late:
            between += ["" if g.ungraded else plain(g.points), plain(g.late.cost) if g.late else "",
                        g.late.delay if g.late else ""]
        rows.append([s.student, s.id, s.assignment, *(earned.get(n, "") for n in names), *between, total, most, status,
                     s.file])
    header = [*names, *(["automatic", "adjusted"] * adjusted), *(["before lateness", "penalty", "late"] * late)]
    return written(["student", "id", "assignment", *header, "total", "max", "status", "file"], rows)


def nbgrader_grades(graded: Sequence[Graded]) -> str:
    """The table that `nbgrader export` writes, without what was not graded."""
    return written(NBGRADER_COLUMNS, [
        [g.submission.assignment, "", "", g.submission.id or g.submission.student, "", "", "", float(g.points),
         float(g.points - g.total), float(g.total), g.most] for g in graded if not g.ungraded])


def of_students(pages: Mapping[str, str], students: Iterable[str]) -> dict[str, str]:
    """Of all files for people the pages of feedback, by student."""
    return {student: pages[f"feedback/{page}.html"] for student, page in _file_names(students).items()}


def _file_names(students: Iterable[str]) -> dict[str, str]:
    """For each student a file name that every system takes, and that no other has."""
    plain = {s: re.sub(r"[^\w ,.()-]", "_", s).strip(" .")[:60] for s in students}
    taken = Counter(name.casefold() for name in plain.values())
    reserved = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.I)
    return {
        s: name if name == s and taken[name.casefold()] == 1 and not reserved.fullmatch(name)
        else f"{name}-{hashlib.sha256(s.encode()).hexdigest()[:8]}"
        for s, name in plain.items()
    }
