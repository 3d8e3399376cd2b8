"""One run over a class: the marks come in, files are written while they do and at the end, and all is told."""

from __future__ import annotations

import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tqdm import tqdm

from coursekit.core.text import counted
from coursekit_grade import lms
from coursekit_grade.adjust import Adjustments
from coursekit_grade.alike import alike
from coursekit_grade.graded import Graded
from coursekit_grade.intake import Found, Submission
from coursekit_grade.late import Rule
from coursekit_grade.mark import Mark
from coursekit_grade.printable import printable
from coursekit_grade.report import alike_pages, of_students, reports
from coursekit_grade.results import CHANGES, Results, changed
from coursekit_grade.solutions import Course
from coursekit_grade.spreadsheets import for_excel, written

if TYPE_CHECKING:
    from coursekit_grade.nbgrader_plugin import Words

BAR = "Grading {bar} {n_fmt} of {total_fmt}, {remaining} left"
LISTED = 20
WAITING = "its turn has not come yet; the run is unfinished"


class Run:
    """One run over a class, from what is said before it to what is said at its end."""

    def __init__(
        self, found: Found, course: Course, adjustments: Adjustments, lateness: Rule, results: Results,
        words: Words | None = None, nbgrader_csv: bool = False,
    ) -> None:
        self.found, self.course, self.adjustments, self.lateness = found, course, adjustments, lateness
        self.results, self.words, self.nbgrader_csv = results, words, nbgrader_csv
        self.so_far: dict[Submission, Graded | None] = dict.fromkeys(found)
        self.changed_pages: set[str] = set()
        self.next = time.monotonic() + 1.0
        self.aside: list[str] = []
        self.earlier = 0  # graded in an earlier run

    @property
    def graded(self) -> list[Graded]:
        return [g for g in self.so_far.values() if g]

    @property
    def ungraded(self) -> list[Graded]:
        return [g for g in self.graded if g.ungraded]

    def say_what_is_used(self, course: Path, submissions: Path, adjust: Path | None, times: Path | None) -> None:
        beside = submissions.parent / "adjust.csv"  # where adjustments may have been meant to be found
        unread = f" ({beside} is not read: if it is yours, say --adjust {beside})" * (not adjust and beside.exists())
        print(f"Course: {course}")
        print(f"Adjustments: {adjust or 'none'}{unread}")
        if times:
            print(f"Times: {times}")
        for name, moment in self.lateness.due.items():
            print(f"Due{f', {name}' * bool(name)}: {moment:%Y-%m-%d %H:%M:%S %Z (UTC%z)}, on this computer's clock")
        if self.found.layout:
            print(f"Students identified by: {self.found.layout}")
        named = [(path.rpartition("/")[2], path) for path in sorted(self.found.hidden, reverse=True)]
        more = {name: f" and {n - 1} more of this name" * (n > 1) for name, n in Counter(n for n, _ in named).items()}
        _list("Passed over, as hidden files are:",
              [printable(path) + more[name] for name, path in sorted(dict(named).items())])
        if self.results.earlier:
            print(f"Results: {self.results.folder}, of an earlier run, which goes on with its seed {self.results.seed}")

    def grade(self, marks: Iterator[tuple[Graded, bool]]) -> None:
        """Take in the marks as they come, with what people and the date make of them."""
        # Drawing takes a second to import, and this process has nothing to do while others grade.
        drawing = threading.Thread(target=import_module, args=("coursekit_grade.bars",))
        drawing.start()
        try:
            for g, new in tqdm(marks, total=len(self.found), smoothing=0.05, bar_format=BAR, disable=not sys.stderr):
                self.earlier += not (new or g.ungraded)
                g = self.words.added(g) if self.words else g
                self.add(self.lateness.applied(self.adjustments.applied(g), self.adjustments.penalty(g.submission)))
        except BaseException:
            self.publish()
            raise
        finally:
            drawing.join()

    def add(self, graded: Graded) -> None:
        self.so_far[graded.submission] = graded
        self.changed_pages.add(graded.submission.student)
        self.publish_if_due()

    def publish_if_due(self) -> None:
        """About once a second, but never most of the time: pages of a thousand students take a while."""
        if self.changed_pages and time.monotonic() >= self.next:
            begun = time.monotonic()
            self.publish()
            self.next = time.monotonic() + max(1.0, 5 * (time.monotonic() - begun))

    def publish(self) -> None:
        """grades.csv, the summary and the pages of feedback so far: what a run leaves that is stopped."""
        most = {name: sum(tasks.values()) for name, tasks in self.course.points.items()}
        graded = [g or Graded(s, Mark(s.assignment, (), WAITING), most.get(s.assignment, 0), waiting=True)
                  for s, g in self.so_far.items()]
        pages = reports(graded, self.course.points, self.results.seed, self.nbgrader_csv, self.found.layout,
                        self.changed_pages, sections=self.course.sections)
        # A file that is open in a spreadsheet is tried again with the next mark; the marks themselves are kept.
        with suppress(OSError):
            self.aside += self.results.publish(pages, unfinished=True)
            self.changed_pages = set()

    def report(self) -> None:
        """Write everything for people and for the LMS."""
        graded, course, last = self.graded, self.course, self.results.last
        self.changed = changed(last["marks"], graded)
        log = [*last["changes"], *self.changed]
        pages = reports(graded, course.points, self.results.seed, self.nbgrader_csv, self.found.layout,
                        problems=self.adjustments.problems, sections=course.sections)
        feedback = of_students(pages, {g.submission.student for g in graded} - {""})
        files = lms.files(graded, feedback, self.found.lms)
        if self.nbgrader_csv:
            files["nbgrader-feedback.zip"] = lms.nbgrader_feedback(graded, feedback)
        solutions = {name: {task: answer.source for task, answer in a.answers.items()}
                     for name, a in course.assignments.items()}
        self.pairs = alike(graded, solutions)
        files |= alike_pages(self.pairs, graded, solutions)
        if log:
            files["changes.csv"] = for_excel(written(CHANGES, log))
        self.aside += self.results.publish(files | pages)
        self.results.finish(graded, log)

    def tell(self) -> None:
        """Say on the terminal what has become of the class."""
        out, ungraded = self.results.folder, self.ungraded
        for name in self.aside:
            print(f"Kept your changes to an earlier file as {name}")
        again = f", {self.earlier} of them in an earlier run" if self.earlier else ""
        print(f"Graded: {counted(len(self.graded) - len(ungraded), 'notebook')}{again}")
        if len(self.adjustments):
            print(f"Adjusted: {counted(len(self.adjustments), 'mark')}")
        _list("Not adjusted:", self.adjustments.problems)
        if self.lateness.due:
            print(f"Late: {counted(sum(bool(g.late and g.late.begun) for g in self.graded), 'notebook')}")
        _list("Nobody knows when these handed in, so nothing was taken off:", self.lateness.untimed(self.found))
        if self.changed:
            affected = counted(len({row[1] for row in self.changed}), "student")
            print(f"Changed since the last run: marks of {affected}; see {out / 'changes.csv'} before you hand them "
                  "out")
        who = [(g.submission.student, g.submission.assignment, g.submission.file) for g in ungraded]
        reasons = [f"{', '.join(filter(None, names))}: {g.ungraded}" for names, g in zip(who, ungraded, strict=True)]
        _list(f"Left ungraded: {len(ungraded)}, which is not the same as 0 points:", reasons, ", in grades.csv")
        print(f"Marks: {out / 'grades.csv'}  Feedback: {out / 'feedback'}  Summary: {out / 'summary.html'}")
        if self.pairs:
            print(f"Alike: {counted(len(self.pairs), 'pair')} for you to look at: {out / 'alike.html'}")
        if self.found.lms:
            print(f"For {self.found.lms}: {out / self.found.lms.lower()}-*")
        _list("Draws that failed, in whose place the next ones were taken:", self.course.passed_over)
        print(f"Seed {self.results.seed}: with it, and with the same notebooks, the marks are the same again, but of "
              "what was handed in again after a run: its inputs were other ones.")

    def data(self) -> dict[str, Any]:
        """The same for a script: what it has to act upon, and where the rest is."""
        ungraded = [{"student": g.submission.student, "assignment": g.submission.assignment, "file": g.submission.file,
                     "reason": g.ungraded} for g in self.ungraded]
        return {
            "graded": len(self.graded) - len(ungraded), "ungraded": ungraded,
            "not_adjusted": list(self.adjustments.problems), "changed": sorted({row[1] for row in self.changed}),
            "alike": len(self.pairs), "seed": self.results.seed, "results": str(self.results.folder)}


def _list(title: str, lines: Sequence[str], where: str = "") -> None:
    if lines:
        print(title, *(f"  {line}" for line in lines[:LISTED]), sep="\n")
    if len(lines) > LISTED:
        print(f"  and {len(lines) - LISTED} more{where}")
