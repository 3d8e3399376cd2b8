"""`coursekit grade`: from a folder of notebooks to marks and feedback."""

import json
import os
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass
from pathlib import Path

from coursekit.cli import needs
from coursekit_grade import worker
from coursekit_grade.adjust import Adjustments
from coursekit_grade.classroom import grade_class
from coursekit_grade.intake import collect
from coursekit_grade.late import rule
from coursekit_grade.results import Results
from coursekit_grade.run import Run
from coursekit_grade.sandbox import Box
from coursekit_grade.solutions import Course, around
from coursekit_grade.worker import COURSEKIT, HERE

try:
    import fcntl
except ImportError:
    fcntl = None  # type: ignore[assignment]


@dataclass
class Options:
    """The options of the command. Paths are made absolute: this process will stand in another folder."""

    submissions: Path
    out: Path
    course: Path | None = None
    adjust: Path | None = None
    times: Path | None = None
    gradebook: Path | None = None
    assignment: str | None = None
    layout: str = ""
    seed: int | None = None
    jobs: int | None = None
    dask: str | None = None
    container: str = ""
    require_sandbox: bool = False
    nbgrader_csv: bool = False
    due: Sequence[str] = ()
    grace: str = ""
    late: str = ""
    as_json: bool = False

    def __post_init__(self) -> None:
        for name in ("submissions", "out", "course", "adjust", "times", "gradebook"):
            if path := getattr(self, name):
                setattr(self, name, path := Path(os.path.abspath(path)))
                if name != "submissions" and path.resolve().is_relative_to(self.submissions.resolve()):
                    raise ValueError(f"--{name} must not lie in SUBMISSIONS, where students' files are; got {path}")


def grade(asked: Options) -> bool:
    """Grade a class, write marks and feedback, say on the terminal how it went: whether everything could be graded.

    Raises ValueError or OSError, with a sentence that can be shown, where nothing can be graded at all.
    """
    if not HERE.is_dir():
        raise ValueError(f"coursekit cannot grade out of a zip, where {HERE.parent.name} is: install it with pip")
    theirs = asked.submissions.resolve()
    folder = asked.course or _own_course(theirs)
    with worker.apart(theirs), redirect_stdout(sys.stderr if asked.as_json else sys.stdout):
        course = Course(folder)
        found = collect(asked.submissions, course.points, asked.assignment, asked.layout)
        words = None
        if asked.gradebook:
            with needs("nbgrader"):
                from coursekit_grade.nbgrader_plugin import Words
            words = Words(asked.gradebook, course)
        lateness = rule(asked.due, asked.grace, asked.late, asked.times, course.points, found)
        adjustments = Adjustments(asked.adjust, found, course.points)
        with _workers(asked) as (executor, jobs, missing):
            box = Box(asked.container, open=bool(missing))
            if missing and (asked.container or asked.require_sandbox):
                option = "--container" if asked.container else "--require-sandbox"
                raise ValueError(f"{option}, but there is no sandbox: {missing}")
            if missing:
                print(f"WARNING: NO SANDBOX: {missing}. --require-sandbox refuses to grade like this.", file=sys.stderr)
            with _alone_in(asked.out):
                results = Results(asked.out, asked.seed, course.version)
                run = Run(found, course, adjustments, lateness, results, words, asked.nbgrader_csv)
                run.say_what_is_used(folder, asked.submissions, asked.adjust, asked.times)
                run.grade(grade_class(found, course, results, box, jobs=jobs, executor=executor,
                                      meanwhile=run.publish_if_due))
                run.report()
        run.tell()
        if words:
            words.save(run.graded)
            print(f"Gradebook: {asked.gradebook}")
    if asked.as_json:
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
def _workers(asked: Options) -> Iterator[tuple[Executor | None, int, str]]:
    """Who grades, how many notebooks at a time, and why there is no sandbox ("" if there is one)."""
    box = Box(asked.container)
    if asked.dask is None:
        yield None, asked.jobs or os.cpu_count() or 1, box.missing()
        return
    with needs("dask"):
        from distributed import Client
    with Client(asked.dask) as client, client.get_executor() as executor:
        threads = sum(client.nthreads().values())
        if not threads:
            raise ValueError(f"the Dask cluster at {asked.dask} has no workers")
        missing = {f"{worker}: {why}" for worker, why in client.run(box.missing).items() if why}
        yield executor, asked.jobs or threads, "; ".join(sorted(missing))
