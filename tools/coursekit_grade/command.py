"""`coursekit grade`: from a folder of notebooks to marks and feedback."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager, redirect_stdout
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from coursekit.lecture.course import not_installed
from coursekit_grade import worker
from coursekit_grade.adjust import Adjustments
from coursekit_grade.classroom import grade_class
from coursekit_grade.graded import Graded
from coursekit_grade.intake import collect
from coursekit_grade.late import rule
from coursekit_grade.mark import sandbox_missing
from coursekit_grade.results import Results
from coursekit_grade.run import Run
from coursekit_grade.solutions import Course, around
from coursekit_grade.worker import COURSEKIT, HERE

try:
    import fcntl
except ImportError:
    fcntl = None  # type: ignore[assignment]

NO_SANDBOX = """WARNING: NO SANDBOX: {}.
On Linux the kernel's Landlock (5.13 or later) and seccomp take its place; elsewhere what students wrote can read your \
files and use the network. --require-sandbox refuses to grade like this."""


def grade(
    submissions: Path, out: Path, *, course: Path | None = None, adjust: Path | None = None, times: Path | None = None,
    gradebook: Path | None = None, as_json: bool = False, **options: Any,
) -> bool:
    """Grade what is in `submissions`, write marks and feedback into `out`, say on the terminal how it went.

    The arguments are the options of the command. Returns whether everything could be graded. Raises ValueError or
    OSError, with a sentence that can be shown, where nothing can be graded at all.
    """
    if not HERE.is_dir():
        raise ValueError(f"coursekit cannot grade out of a zip, where {HERE.parent.name} is: install it with pip")
    submissions, out = Path(os.path.abspath(submissions)), Path(os.path.abspath(out))
    course, adjust, times, gradebook = (
        path and Path(os.path.abspath(path)) for path in (course, adjust, times, gradebook))
    theirs = submissions.resolve()
    named = {"out": out, "course": course, "adjust": adjust, "times": times, "gradebook": gradebook}
    for option, path in named.items():
        if path and path.resolve().is_relative_to(theirs):
            raise ValueError(f"--{option} must not lie in SUBMISSIONS, where students' files are; got {path}")
    course = course or _own_course(theirs)
    with worker.apart(theirs), redirect_stdout(sys.stderr if as_json else sys.stdout):
        run = _grade(submissions, out, course, adjust, times, gradebook, **options)
    if as_json:
        print(json.dumps(run.data()))
    return not run.ungraded


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
    submissions: Path, out: Path, course: Path, adjust: Path | None, times: Path | None, gradebook: Path | None, *,
    assignment: str | None = None, seed: int | None = None, jobs: int | None = None, dask: str | None = None,
    layout: str = "", require_sandbox: bool = False, nbgrader_csv: bool = False, due: Sequence[str] = (),
    grace: str = "", late: str = "",
) -> Run:
    known = Course(course)
    found = collect(submissions, known.points, assignment, layout)
    by_people: dict[tuple[str, str], Any] = {}
    if gradebook:
        plugin = _nbgrader_plugin()
        by_people = plugin.read(known.words, gradebook)
        known.points = {a: {**tasks, **known.words.get(a, {})} for a, tasks in known.points.items()}
    lateness = rule(due, grace, late, times, known.points, found)
    adjustments = Adjustments(adjust, found, known.points)

    def by_person_and_date(g: Graded) -> Graded:
        s = g.submission
        if gradebook:
            read = by_people.get((s.assignment, s.id or s.student), ())
            g = plugin.with_words(g, known.words.get(s.assignment, {}), read)
        return lateness.applied(adjustments.applied(g), adjustments.penalty(s))

    with _workers(dask, jobs) as (executor, at_once, missing):
        if missing and require_sandbox:
            raise ValueError(f"--require-sandbox, but there is no sandbox: {missing}")
        if missing:
            print(NO_SANDBOX.format(missing), file=sys.stderr)
        with _alone_in(out):
            run = Run(found, known, adjustments, lateness, Results(out, seed, known.version), nbgrader_csv)
            run.say_what_is_used(course, submissions, adjust)
            anew = grade_class(found, known, run.results, sandbox=not missing, jobs=at_once, executor=executor,
                               meanwhile=run.publish_if_due)
            run.grade(anew, by_person_and_date)
            run.report()
    run.tell()
    if gradebook:
        plugin.save(run.graded, gradebook, known.words)
        print(f"Gradebook: {gradebook}")
    return run


def _nbgrader_plugin() -> ModuleType:
    try:
        return import_module("coursekit_grade.nbgrader_plugin")
    except ImportError:
        raise ValueError(f"--gradebook: {not_installed('nbgrader', 'nbgrader')}") from None


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
