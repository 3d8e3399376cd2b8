"""What a class earned, as files: tables for machines, pages for people."""

from __future__ import annotations

import csv
import hashlib
import io
import re
from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np
from jinja2 import Environment, PackageLoader

from coursekit.grading.classroom import Graded
from coursekit.grading.intake import Submission
from coursekit.grading.mark import Mark

DRAWN = 8  # mistakes
# What a spreadsheet would take for a formula, also where it ends cells at semicolons, as most of Europe's do.
_FORMULA = re.compile(r"(^|;)(?=[;\s]*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20])")
NBGRADER_COLUMNS = (
    "assignment", "duedate", "timestamp", "student_id", "last_name", "first_name", "email",
    "raw_score", "late_submission_penalty", "score", "max_score",
)


def reports(
    graded: Sequence[Graded], points: Mapping[str, Mapping[str, float]], seed: int, nbgrader: bool = False,
    layout: str = "", changed: Container[str] | None = None,
) -> dict[str, str]:
    """All files for people, by name: grades.csv, feedback/NAME.html for each student, summary.html and its pictures.

    points: assignment -> task -> the points to be had. layout: what students are identified by. changed: while the
    run is unfinished, the students whose pages to write; then there are no pictures.
    """
    pages = {"grades.csv": grades(graded, points)}
    if nbgrader:
        pages["nbgrader.csv"] = nbgrader_grades(graded)
    templates = _templates()
    students = defaultdict(list)
    for g in graded:
        if g.submission.student:
            students[g.submission.student].append(g)
    for student, page in _file_names(students).items():
        if changed is None or student in changed:
            pages[f"feedback/{page}.html"] = templates.get_template("feedback.html").render(
                student=student, graded=students[student], seed=seed
            )
    assignments = []
    for name, tasks in points.items() if changed is None else ():
        if marked := [g for g in graded if g.submission.assignment == name and not g.ungraded]:
            statistics, pages[f"summary-{name}.svg"] = _statistics(name, tasks, marked)
            assignments.append(statistics)
    ungraded = [g for g in graded if g.ungraded]
    pages["summary.html"] = templates.get_template("summary.html").render(
        graded=len(graded) - len(ungraded), ungraded=[g for g in ungraded if g.mark != waiting(g.submission)],
        waiting=sum(g.mark == waiting(g.submission) for g in ungraded), unfinished=changed is not None,
        assignments=assignments, seed=seed, count=count, layout=layout,
    )
    return pages


@cache
def _templates() -> Environment:
    return Environment(loader=PackageLoader("coursekit.grading", "pages"), autoescape=True, trim_blocks=True)


def waiting(submission: Submission) -> Mark:
    """In place of a mark as long as there is none."""
    return Mark(submission.assignment, (), "its turn has not come yet; the run is unfinished")


def grades(graded: Sequence[Graded], points: Mapping[str, Mapping[str, float]]) -> str:
    """grades.csv: a row for each student and assignment. What was not graded has no total, and its status says why."""
    rows, present = [], {g.submission.assignment for g in graded}
    names = [name for assignment, tasks in points.items() if assignment in present for name in tasks]
    for g in graded:
        s, earned = g.submission, {t.name: "" if t.ungraded else f"{t.points:g}" for t in g.mark.tasks}
        status = f"ungraded: {g.ungraded}" if g.ungraded else "graded"
        total = "" if g.ungraded else f"{g.points:g}"
        most = f"{g.most:g}" if g.most else ""
        rows.append([s.student, s.id, s.assignment, *(earned.get(n, "") for n in names), total, most, status, s.file])
    return _csv(["student", "id", "assignment", *names, "total", "max", "status", "file"], rows)


def nbgrader_grades(graded: Sequence[Graded]) -> str:
    """The table that `nbgrader export` writes, without what was not graded."""
    rows = [
        [g.submission.assignment, "", "", g.submission.id or g.submission.student, "", "", "",
         g.points, 0.0, g.points, g.most]
        for g in graded if not g.ungraded
    ]
    return _csv(NBGRADER_COLUMNS, rows)


def count(number: int, noun: str) -> str:
    """
    >>> count(1, "notebook"), count(0, "notebook")
    ('1 notebook', '0 notebooks')
    """
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _csv(header: Sequence[str], rows: Iterable[Iterable[Any]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(header)
    writer.writerows([_FORMULA.sub(r"\1'", cell) if isinstance(cell, str) else cell for cell in row] for row in rows)
    return text.getvalue()


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


def _statistics(name: str, tasks: Iterable[str], marked: Sequence[Graded]) -> tuple[dict[str, Any], str]:
    """What the summary says about an assignment, and its picture."""
    # Drawing takes a second to import, and reports that grow with the class have no pictures.
    from coursekit.plots.grades import MistakeBars, PointsHistogram, TaskBars
    from coursekit.plots.style import LIGHT, figure, use

    points, most = np.array([g.points for g in marked]), marked[0].most
    marks = [t for g in marked for t in g.mark.tasks]
    solved = {t: sum(m.name == t and m.points == m.max_points for m in marks) for t in tasks}
    hardest = sorted(solved.items(), key=lambda item: item[1])
    mistakes = Counter((m.name, m.message) for m in marks if m.mistake).most_common()
    with use(LIGHT):
        heights = [1.4 + 0.35 * max(5, len(hardest)), *([1.0 + 0.4 * len(mistakes[:DRAWN])] if mistakes else [])]
        fig = figure(9.0, sum(heights))
        fig.set_layout_engine("constrained", w_pad=0.1, h_pad=0.1)
        upper, *lower = fig.subfigures(len(heights), height_ratios=heights, squeeze=False)[:, 0]
        left, right = upper.subplots(1, 2)
        PointsHistogram(left, most).show(points)
        TaskBars(right, [task for task, _ in hardest]).show(np.array([n for _, n in hardest]), len(marked))
        if lower:
            of, sentences = zip(*(made for made, _ in mistakes[:DRAWN]), strict=True)
            times = [number for _, number in mistakes[:DRAWN]]
            MistakeBars(lower[0].subplots(), of, sentences, most=times[0]).show(times)
        svg = io.StringIO()
        fig.savefig(svg, format="svg", metadata={"Date": None})
    text = f"Points of {count(len(marked), 'notebook')}: mean {points.mean():.3g} of {most:g}. Solved: "
    return {
        "name": name, "notebooks": len(marked), "most": most, "mean": points.mean(), "median": np.median(points),
        "picture": f"summary-{name}.svg", "text": text + ", ".join(f"{task} {n}" for task, n in hardest) + ".",
        "tasks": hardest, "distribution": sorted(Counter(points.tolist()).items(), reverse=True),
        "mistakes": mistakes,
    }, svg.getvalue()
