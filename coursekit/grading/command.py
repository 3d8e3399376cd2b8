"""`coursekit grade`: from a folder of notebooks to marks and feedback."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path

from tqdm import tqdm

from coursekit.grading.classroom import Graded, Results, grade_class
from coursekit.grading.course import Course, find
from coursekit.grading.intake import Found, Submission, collect
from coursekit.grading.mark import sandbox_missing
from coursekit.grading.report import count, reports, waiting

BAR = "Grading {bar} {n_fmt} of {total_fmt}, {remaining} left"
LISTED = 20

try:
    import fcntl
except ImportError:
    fcntl = None  # type: ignore[assignment]


def grade(
    submissions: Path,
    out: Path,
    course: Path | None = None,
    assignment: str | None = None,
    seed: int | None = None,
    jobs: int | None = None,
    dask: str | None = None,
    require_sandbox: bool = False,
    nbgrader_csv: bool = False,
    gradebook: Path | None = None,
) -> bool:
    """Grade what is in `submissions`, write marks and feedback into `out`, say on the terminal how it went.

    course: the folder with the solutions; None for the one around the current folder, or the clone.
    Returns whether everything could be graded. Raises ValueError or OSError, with a sentence that can be
    shown, where nothing can be graded at all.
    """
    known = find(course)
    found = collect(submissions, known.points, assignment)
    if out.resolve().is_relative_to(submissions.resolve()):
        raise ValueError(f"--out must not lie in SUBMISSIONS; got {out}")
    if gradebook is not None:
        try:
            from coursekit.grading import nbgrader_plugin
        except ImportError:
            raise ValueError("--gradebook needs nbgrader: pip install coursekit[grading]") from None
    with _workers(dask, jobs) as (executor, at_once, missing):
        if missing and require_sandbox:
            raise ValueError(f"--require-sandbox, but there is no sandbox: {missing}")
        if missing:
            print(
                f"WARNING: NO SANDBOX: {missing}.\nWhat students wrote runs with limits on time and memory only: it "
                "can read your files and use the network. --require-sandbox refuses to grade like this.",
                file=sys.stderr,
            )
        with _alone_in(out):
            results = Results(out, seed, known.version)
            # Drawing takes a second to import, and this process has nothing to do while others grade.
            threading.Thread(target=import_module, args=("coursekit.plots.grades",)).start()
            growing = _Growing(found, known, results, nbgrader_csv)
            run = grade_class(
                found, known, results, sandbox=not missing, jobs=at_once, executor=executor,
                meanwhile=growing.publish_if_due,
            )
            before = 0
            try:
                for g, new in tqdm(run, total=len(found), smoothing=0.05, bar_format=BAR):
                    before += not (new or g.ungraded)
                    growing.add(g)
            except BaseException:
                growing.publish()
                raise
            graded = [g for g in growing.graded.values() if g]
            growing.aside += results.publish(reports(graded, known.points, results.seed, nbgrader_csv, found.layout))

    ungraded = [g for g in graded if g.ungraded]
    for name in growing.aside:
        print(f"Kept your changes to an earlier file as {name}")
    if found.layout:
        print(f"Students identified by: {found.layout}")
    earlier = f", {before} of them in an earlier run" if before else ""
    print(f"Graded: {count(len(graded) - len(ungraded), 'notebook')}{earlier}")
    if ungraded:
        print(f"Left ungraded: {len(ungraded)}, which is not the same as 0 points:")
        for g in ungraded[:LISTED]:
            s = g.submission
            print(f"  {', '.join(filter(None, (s.student, s.assignment, s.file)))}: {g.ungraded}")
        if len(ungraded) > LISTED:
            print(f"  and {len(ungraded) - LISTED} more, in grades.csv")
    print(f"Marks: {out / 'grades.csv'}  Feedback: {out / 'feedback'}  Summary: {out / 'summary.html'}")
    print(f"Seed {results.seed}: with it, and with the same notebooks, the marks are the same again.")
    if gradebook is not None:
        nbgrader_plugin.save(graded, gradebook)
        print(f"Gradebook: {gradebook}")
    return not ungraded


class _Growing:
    """grades.csv, the summary and the pages of feedback while marks come: what a run leaves that is stopped."""

    def __init__(self, found: Found, course: Course, results: Results, nbgrader_csv: bool) -> None:
        self.found, self.points, self.results, self.nbgrader_csv = found, course.points, results, nbgrader_csv
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
        most = {name: sum(tasks.values()) for name, tasks in self.points.items()}
        so_far = [g or Graded(s, waiting(s), most.get(s.assignment, 0)) for s, g in self.graded.items()]
        pages = reports(so_far, self.points, self.results.seed, self.nbgrader_csv, self.found.layout, self.changed)
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
        raise ValueError("--dask needs Dask: pip install coursekit[dask]") from None
    with Client(dask) as client, client.get_executor() as executor:
        threads = sum(client.nthreads().values())
        if not threads:
            raise ValueError(f"the Dask cluster at {dask} has no workers")
        missing = {f"{worker}: {why}" for worker, why in client.run(sandbox_missing).items() if why}
        yield executor, jobs or threads, "; ".join(sorted(missing))
