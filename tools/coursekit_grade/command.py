"""`coursekit grade`: from a folder of notebooks to marks and feedback."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from typing import Any

from tqdm import tqdm

from coursekit.core.text import counted
from coursekit.lecture.course import not_installed
from coursekit_grade import lms, worker
from coursekit_grade.adjust import Adjustments
from coursekit_grade.alike import alike
from coursekit_grade.changes import COLUMNS, changed, marks
from coursekit_grade.classroom import Graded, Results, grade_class
from coursekit_grade.intake import Found, Submission, collect
from coursekit_grade.late import rule
from coursekit_grade.mark import sandbox_missing
from coursekit_grade.report import alike_pages, of_students, reports, waiting
from coursekit_grade.solutions import Course, around
from coursekit_grade.tables import for_excel, written
from coursekit_grade.worker import COURSEKIT, HERE

BAR = "Grading {bar} {n_fmt} of {total_fmt}, {remaining} left"
LISTED = 20

try:
    import fcntl
except ImportError:
    fcntl = None  # type: ignore[assignment]


def grade(
    submissions: Path, out: Path, *, course: Path | None = None, adjust: Path | None = None, times: Path | None = None,
    gradebook: Path | None = None, **options: Any,
) -> bool:
    """Grade what is in `submissions`, write marks and feedback into `out`, say on the terminal how it went.

    course: the folder with the solutions; None for the clone that coursekit lies in. adjust: marks by hand.
    times and due, grace, late among the options: see `late.rule`.
    Returns whether everything could be graded. Raises ValueError or OSError, with a sentence that can be
    shown, where nothing can be graded at all.
    """
    if not HERE.is_dir():
        raise ValueError(f"coursekit cannot grade out of a zip, where {HERE.parent.name} is: install it with pip")
    submissions, out = Path(os.path.abspath(submissions)), Path(os.path.abspath(out))
    course, adjust, times, gradebook = (
        path and Path(os.path.abspath(path)) for path in (course, adjust, times, gradebook))
    theirs = submissions.resolve()
    given = {"out": out, "course": course, "adjust": adjust, "times": times, "gradebook": gradebook}
    for option, path in given.items():
        if path and path.resolve().is_relative_to(theirs):
            raise ValueError(f"--{option} must not lie in SUBMISSIONS, where students' files are; got {path}")
    course = course or _own_course(theirs)
    with worker.apart(theirs):
        return _grade(submissions, out, course, adjust, times, gradebook, **options)


def _own_course(theirs: Path) -> Path:
    """The clone. What else is around the current folder may be a student's: its tasks.py is not run unasked."""
    clone = COURSEKIT.parent
    near = around(Path.cwd())
    if near and near.resolve() != clone and not near.resolve().is_relative_to(theirs):
        raise ValueError(f"a course is only read where you say so: if that in {near} is yours, add --course {near}")
    if around(clone) != clone:
        raise ValueError("coursekit was not installed from a clone with solutions/NN-topic/topic.ipynb: say with "
                         "--course where they are")
    return clone


def _grade(
    submissions: Path,
    out: Path,
    course: Path,
    adjust: Path | None,
    times: Path | None,
    gradebook: Path | None,
    assignment: str | None = None,
    seed: int | None = None,
    jobs: int | None = None,
    dask: str | None = None,
    require_sandbox: bool = False,
    nbgrader_csv: bool = False,
    due: Sequence[str] = (),
    grace: str = "",
    late: str = "",
) -> bool:
    known = Course(course)
    found = collect(submissions, known.points, assignment)
    if gradebook is not None:
        try:
            from coursekit_grade import nbgrader_plugin
        except ImportError:
            raise ValueError(f"--gradebook: {not_installed('nbgrader', 'nbgrader')}") from None
        read = nbgrader_plugin.read(known.words, gradebook)
        known.points = {a: {**tasks, **known.words.get(a, {})} for a, tasks in known.points.items()}
    lateness = rule(due, grace, late, times, known.points, found)
    adjustments = Adjustments(adjust, found, known.points)
    with _workers(dask, jobs) as (executor, at_once, missing):
        if missing and require_sandbox:
            raise ValueError(f"--require-sandbox, but there is no sandbox: {missing}")
        if missing:
            print(
                f"WARNING: NO SANDBOX: {missing}.\nOn Linux the kernel's Landlock and seccomp take its place; "
                "elsewhere what students wrote can read your files and use the network. --require-sandbox refuses "
                "to grade like this.",
                file=sys.stderr,
            )
        with _alone_in(out):
            results = Results(out, seed, known.version)
            print(f"Course: {course}")
            print(f"Adjustments: {adjust or 'none'}{_passed_over(submissions, adjust)}")
            for name, moment in lateness.due.items():
                print(f"Due{f', {name}' * bool(name)}: {moment:%Y-%m-%d %H:%M:%S %Z (UTC%z)}, on this computer's clock")
            if found.layout:
                print(f"Students identified by: {found.layout}")
            if results.earlier:
                print(f"Results: {out}, of an earlier run, which goes on with its seed {results.seed}")
            # Drawing takes a second to import, and this process has nothing to do while others grade.
            drawing = threading.Thread(target=import_module, args=("coursekit_grade.grades",))
            drawing.start()
            growing = _Growing(found, known, results, nbgrader_csv)
            run = grade_class(
                found, known, results, sandbox=not missing, jobs=at_once, executor=executor,
                meanwhile=growing.publish_if_due,
            )
            earlier = 0
            try:
                for g, new in tqdm(run, total=len(found), smoothing=0.05, bar_format=BAR):
                    earlier += not (new or g.ungraded)
                    if gradebook is not None:
                        s = g.submission
                        marked = read.get((s.assignment, s.id or s.student), ())
                        g = nbgrader_plugin.with_words(g, known.words.get(s.assignment, {}), marked)
                    growing.add(lateness.applied(adjustments.applied(g), adjustments.penalty(g.submission)))
            except BaseException:
                growing.publish()
                raise
            finally:
                drawing.join()
            graded = [g for g in growing.graded.values() if g]
            changes = changed(results.last["marks"], graded)
            log = [*results.last["changes"], *changes]
            pages = reports(graded, known.points, results.seed, nbgrader_csv, found.layout,
                            problems=adjustments.problems, sections=known.sections)
            feedback = of_students(pages, {g.submission.student for g in graded} - {""})
            more = lms.files(graded, feedback, found.lms)
            if nbgrader_csv:
                more["nbgrader-feedback.zip"] = lms.nbgrader_feedback(graded, feedback)
            solutions = {name: {t: answer.source for t, answer in a.answers.items()}
                         for name, a in known.assignments.items()}
            pairs = alike(graded, solutions)
            more |= alike_pages(pairs, graded, solutions)
            if log:
                more["changes.csv"] = for_excel(written(COLUMNS, log))
            growing.aside += results.publish(more | pages)
            results.finish(marks(graded), log)

    ungraded = [g for g in graded if g.ungraded]
    for name in growing.aside:
        print(f"Kept your changes to an earlier file as {name}")
    again = f", {earlier} of them in an earlier run" if earlier else ""
    print(f"Graded: {counted(len(graded) - len(ungraded), 'notebook')}{again}")
    if len(adjustments):
        print(f"Adjusted: {counted(len(adjustments), 'mark')}")
    _listed("Not adjusted:", adjustments.problems)
    if due:
        print(f"Late: {counted(sum(bool(g.late and g.late.begun) for g in graded), 'notebook')}")
    _listed("Nobody knows when these handed in, so nothing was taken off:", lateness.untimed(found))
    if changes:
        affected = counted(len({row[1] for row in changes}), "student")
        print(f"Changed since the last run: marks of {affected}; see {out / 'changes.csv'} before you hand them out")
    if ungraded:
        who = [", ".join(filter(None, (g.submission.student, g.submission.assignment, g.submission.file)))
               for g in ungraded]
        _listed(f"Left ungraded: {len(ungraded)}, which is not the same as 0 points:",
                [f"{w}: {g.ungraded}" for w, g in zip(who, ungraded, strict=True)], ", in grades.csv")
    print(f"Marks: {out / 'grades.csv'}  Feedback: {out / 'feedback'}  Summary: {out / 'summary.html'}")
    if pairs:
        print(f"Alike: {counted(len(pairs), 'pair')} for you to look at: {out / 'alike.html'}")
    if found.lms:
        print(f"For {found.lms}: {out / found.lms.lower()}-*")
    _listed("Draws that failed, in whose place the next ones were taken:", known.passed_over)
    print(f"Seed {results.seed}: with it, and with the same notebooks, the marks are the same again.")
    if gradebook is not None:
        nbgrader_plugin.save(graded, gradebook, known.words)
        print(f"Gradebook: {gradebook}")
    return not ungraded


def _passed_over(submissions: Path, adjust: Path | None) -> str:
    """What lies where adjustments may have been meant to be found."""
    beside = submissions.parent / "adjust.csv"
    return f" ({beside} is not read: if it is yours, say --adjust {beside})" if not adjust and beside.exists() else ""


def _listed(title: str, lines: Sequence[str], where: str = "") -> None:
    if lines:
        print(title)
    for line in lines[:LISTED]:
        print(f"  {line}")
    if len(lines) > LISTED:
        print(f"  and {len(lines) - LISTED} more{where}")


class _Growing:
    """grades.csv, the summary and the pages of feedback while marks come: what a run leaves that is stopped."""

    def __init__(self, found: Found, course: Course, results: Results, nbgrader_csv: bool) -> None:
        self.found, self.course, self.results, self.nbgrader_csv = found, course, results, nbgrader_csv
        self.graded: dict[Submission, Graded | None] = dict.fromkeys(found)
        self.changed: set[str] = set()
        self.aside: list[str] = []
        self.next = time.monotonic() + 1.0

    def add(self, graded: Graded) -> None:
        self.graded[graded.submission] = graded
        self.changed.add(graded.submission.student)
        self.publish_if_due()

    def publish_if_due(self) -> None:
        """About once a second, but never most of the time: pages of a thousand students take a while."""
        if self.changed and time.monotonic() >= self.next:
            begun = time.monotonic()
            self.publish()
            self.next = time.monotonic() + max(1.0, 5 * (time.monotonic() - begun))

    def publish(self) -> None:
        most = {name: sum(tasks.values()) for name, tasks in self.course.points.items()}
        so_far = [g or Graded(s, waiting(s), most.get(s.assignment, 0)) for s, g in self.graded.items()]
        pages = reports(so_far, self.course.points, self.results.seed, self.nbgrader_csv, self.found.layout,
                        self.changed, sections=self.course.sections)
        # A file that is open in a spreadsheet is tried again with the next mark; the marks themselves are kept.
        with suppress(OSError):
            self.aside += self.results.publish(pages, unfinished=True)
            self.changed = set()


@contextmanager
def _alone_in(out: Path) -> Iterator[None]:
    """Refuse a second run at the same time: the two would mix up their files. Windows has no such lock."""
    if fcntl is None:
        yield
        return
    try:
        if not out.exists():
            out.mkdir(parents=True)
        folder = os.open(out, os.O_RDONLY)
    except OSError as error:
        raise OSError(f"--out must be a folder that can be made and read; got {out}: {error.strerror}") from None
    try:
        fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    except BlockingIOError:
        raise ValueError(f"another run is at work in {out}") from None
    finally:
        os.close(folder)


@contextmanager
def _workers(dask: str | None, jobs: int | None) -> Iterator[tuple[Executor | None, int, str]]:
    """Who grades, how many notebooks at a time, and why there is no sandbox ("" if there is one)."""
    if dask is None:
        yield None, jobs or os.cpu_count() or 1, sandbox_missing()
        return
    try:
        from distributed import Client
    except ImportError:
        raise ValueError(f"--dask: {not_installed('Dask', 'dask')}") from None
    with Client(dask) as client, client.get_executor() as executor:
        threads = sum(client.nthreads().values())
        if not threads:
            raise ValueError(f"the Dask cluster at {dask} has no workers")
        missing = {f"{worker}: {why}" for worker, why in client.run(sandbox_missing).items() if why}
        yield executor, jobs or threads, "; ".join(sorted(missing))
