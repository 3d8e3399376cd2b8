"""Grade a class: many submissions at once, and every mark is kept as soon as it is known."""

from __future__ import annotations

import hashlib
import json
import os
import secrets
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait
from contextlib import contextmanager, suppress
from dataclasses import asdict
from decimal import Decimal
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from coursekit.core.text import cause
from coursekit_grade import worker
from coursekit_grade.intake import Submission, digest
from coursekit_grade.mark import Mark, TaskMark, grade_notebook
from coursekit_grade.solutions import Course
from coursekit_grade.worker import COURSEKIT, HERE

MANIFEST = "coursekit-grade.json"
RUNNING = "running.json"
PART = ".part"  # of a file that is being written
FINISHED = "finished.json"
TRIES = 2  # runs that may end while they grade a notebook; then one leaves it ungraded
TICK = 1.0  # seconds between two calls of `meanwhile`


class Adjusted(NamedTuple):
    """What a person decided about a task or the "total". before: what came of the machine, None if nothing did."""

    task: str
    before: Decimal | None
    after: Decimal
    comment: str = ""


class Late(NamedTuple):
    """How late something is, in begun units of time, and how many points that costs.

    decided: by a person. why: when it was due, when it came and what that costs, in words.
    """

    begun: int
    unit: str
    cost: Decimal
    comment: str = ""
    decided: bool = False
    why: str = ""


class Graded(NamedTuple):
    """A submission and its mark, as adjusted. most: the points to be had; 0 where nothing tells the assignment."""

    submission: Submission
    mark: Mark
    most: float = 0
    adjusted: tuple[Adjusted, ...] = ()
    late: Late | None = None

    @property
    def ungraded(self) -> str:
        return "" if self._total else ungraded(self.mark)

    @property
    def automatic(self) -> Decimal | None:
        """The points that the machine gave, None if it could not grade everything."""
        before = {a.task: a.before for a in self.adjusted}
        points = [before.get(t.name, Decimal(str(t.points))) for t in self.mark.tasks]
        known = [p for p in points if p is not None]
        whole = len(known) == len(points) and not self.mark.ungraded and not any(t.ungraded for t in self.mark.tasks)
        return sum(known, Decimal(0)) if whole else None

    @property
    def points(self) -> Decimal:
        """What the tasks add up to, or a person gave in all: exact, before lateness."""
        return self._total.after if self._total else sum((Decimal(str(t.points)) for t in self.mark.tasks), Decimal(0))

    @property
    def total(self) -> Decimal:
        """The mark: what is left of the points after lateness."""
        return max(Decimal(0), self.points - (self.late.cost if self.late else 0))

    @property
    def _total(self) -> Adjusted | None:
        return next((a for a in self.adjusted if a.task == "total"), None)


def ungraded(mark: Mark) -> str:
    """Why a mark has no total; "" if it has one."""
    why: dict[str, list[str]] = {}
    for t in mark.tasks:
        if t.ungraded:
            why.setdefault(t.ungraded, []).append(t.name)
    return mark.ungraded or "; ".join(f"{', '.join(names)}: {reason}" for reason, names in why.items())


class Results:
    """The folder of a run. It knows the seed, the marks so far, and which files were written into it.

    It also knows what is being graded, so that after a run that ended on the way the next one can try that last, and
    `last`, what the last run that finished wrote: its marks, every change since the first run, and how many finished.

    earlier: whether there was a run before. seed: None for the seed of that run, or a fresh one. version: of the
    course; with another one, as with another seed, everything is graded again. Raises ValueError for a folder that has
    something else in it.
    """

    def __init__(self, folder: Path, seed: int | None = None, version: str = "") -> None:
        self.folder, self.version = folder, version
        self.seed = secrets.randbelow(2**32) if seed is None else seed
        self._written: dict[str, list[str]] = {}
        self.earlier = False
        try:
            manifest = json.loads((folder / MANIFEST).read_bytes())
            self._written = {str(name): list(map(str, of)) for name, of in manifest["written"].items()}
            if seed is None:
                self.seed = int(manifest["seed"])
            self.earlier = True
        except (FileNotFoundError, NotADirectoryError):
            if folder.exists() and (not folder.is_dir() or {path.name for path in folder.iterdir()} - {PART}):
                raise ValueError(f"--out must be an empty folder or that of an earlier run; got {folder}") from None
        except (ValueError, KeyError, TypeError, AttributeError):
            raise ValueError(f"{folder / MANIFEST} cannot be read any more; choose another folder") from None
        with _named(folder):
            folder.mkdir(parents=True, exist_ok=True)
        self._remember()  # first: from here on a run that is killed knows the folder again
        for part in ("marks", "feedback"):
            with _named(folder / part):
                (folder / part).mkdir(exist_ok=True)
        try:
            self._ended = {str(place): int(n) for place, n in json.loads((folder / RUNNING).read_bytes()).items()}
        except (OSError, ValueError, TypeError, AttributeError):
            self._ended = {}
        self._running: Counter[str] = Counter()  # two may have handed in the same
        self.last: dict[str, Any] = {"marks": {}, "changes": [], "runs": 0}
        with suppress(OSError, ValueError, KeyError, TypeError):
            kept = json.loads((folder / FINISHED).read_bytes())
            changes = [list(map(str, row)) for row in kept["changes"]]
            self.last = {"marks": dict(kept["marks"]), "changes": changes, "runs": int(kept.get("runs", 1))}

    def seed_for(self, s: Submission) -> int:
        """The seed of its cases: another one for whom a finished run has shown what became of another notebook.

        A run that goes on after an interruption draws what it drew before.
        """
        before = self.last["marks"].get(place_of(s))
        if not before or before["digest"] == s.digest:
            return self.seed
        return int(_digest(f"{self.seed} {self.last['runs']}".encode())[:8], 16)

    def ended(self, submission: Submission) -> int:
        """How many runs ended while they graded this notebook."""
        return self._ended.get(self._place(submission), 0)

    def pass_over(self, submission: Submission) -> None:
        """Leave it out of this run, which can finish without it; it may have been stopped by accident."""
        self._ended[self._place(submission)] = TRIES - 1
        self._remember_running()

    def begin(self, submission: Submission) -> None:
        """From here to `end` a run that ends does so while it grades this notebook."""
        self._running[self._place(submission)] += 1
        self._remember_running()

    def end(self, submission: Submission, graded: bool = True) -> None:
        """graded: False where it was called off before its turn."""
        place = self._place(submission)
        if graded:
            self._ended.pop(place, None)
        if self._running[place]:
            self._running[place] -= 1
            self._remember_running()

    def mark(self, submission: Submission) -> Mark | None:
        """The mark that this very notebook got with this seed and these tasks."""
        try:
            kept = json.loads((self.folder / self._place(submission)).read_bytes())
            return Mark(**{**kept, "tasks": tuple(TaskMark(**t) for t in kept["tasks"]), "notes": tuple(kept["notes"])})
        except (OSError, ValueError, TypeError, KeyError):
            return None

    def keep(self, submission: Submission, mark: Mark) -> None:
        """Remember a mark. What could not be graded is tried again in the next run."""
        if not ungraded(mark):
            self._write(self._place(submission), json.dumps(asdict(mark), indent=1).encode())
        self.end(submission)

    def publish(self, pages: Mapping[str, str | bytes], unfinished: bool = False) -> list[str]:
        """Write these files, in their order, in place of those of the last run, and say which ones were set aside.

        A file that somebody has changed is renamed, never overwritten. unfinished: leave what is not among `pages`.
        """
        before, aside = self._written, []
        data = {name: page if isinstance(page, bytes) else page.encode("utf-8", "replace")
                for name, page in pages.items()}
        # Before the first and after the last file: a run killed in between must know its own files again.
        self._written = before | {name: [*before.get(name, []), _digest(d)] for name, d in data.items()}
        self._remember()
        for name in data if unfinished else data | before:
            path = self.folder / name
            if path.exists() and not (path.is_file() and _digest(path.read_bytes()) in before.get(name, [])):
                if name not in data:
                    continue
                kept = next(p for n in range(1, 10**6)
                            if not (p := path.with_name(f"{path.stem} (changed {n}){path.suffix}")).exists())
                path.rename(kept)
                aside.append(kept.relative_to(self.folder).as_posix())
            if name in data:
                self._write(name, data[name])
            else:
                path.unlink(missing_ok=True)
        self._written = (before if unfinished else {}) | {name: [_digest(d)] for name, d in data.items()}
        if not unfinished:  # else the next one does
            self._remember()
        return aside

    def finish(self, marks: dict[str, Any], changes: list[list[str]]) -> None:
        finished = {"marks": marks, "changes": changes, "runs": self.last["runs"] + 1}
        self._write(FINISHED, json.dumps(finished).encode())

    def _place(self, s: Submission) -> str:
        return f"marks/{_digest(f'{s.digest} {s.assignment} {self.seed} {self.version} {_version()}'.encode())}.json"

    def _remember(self) -> None:
        self._write(MANIFEST, json.dumps({"seed": self.seed, "written": self._written}).encode(), lasting=True)

    def _remember_running(self) -> None:
        tries = self._ended | {place: self._ended.get(place, 0) + 1 for place in +self._running}
        if tries:
            self._write(RUNNING, json.dumps(tries).encode())
        else:
            with _named(self.folder / RUNNING):
                (self.folder / RUNNING).unlink(missing_ok=True)

    def _write(self, name: str, data: bytes, lasting: bool = False) -> None:
        """lasting: also if the power fails. Without the manifest no run could go on, of other files there are more."""
        part = self.folder / PART
        with _named(self.folder / name):
            try:
                part.write_bytes(data)
                if lasting:
                    with open(part, "rb+") as file:
                        os.fsync(file.fileno())
                part.replace(self.folder / name)
            finally:
                part.unlink(missing_ok=True)


def place_of(s: Submission) -> str:
    """Where `last` has the marks of this student for this assignment."""
    return f"{s.student}\n{s.assignment}"


@contextmanager
def _named(path: Path) -> Iterator[None]:
    """An error of the disk says which file it was, and that it is no reason to begin again."""
    try:
        yield
    except OSError as error:
        raise OSError(f"{path} cannot be written: {error.strerror}; the same command goes on from here") from None


def grade_class(
    submissions: Iterable[Submission],
    course: Course,
    results: Results,
    *,
    sandbox: bool,
    jobs: int = os.cpu_count() or 1,
    executor: Executor | None = None,
    meanwhile: Callable[[], object] = lambda: None,
) -> Iterator[tuple[Graded, bool]]:
    """Grade what has no mark yet, `jobs` at a time; yields every submission, and whether it was graded anew.

    executor: any concurrent.futures.Executor that runs `jobs` calls at a time; without one, processes here.
    meanwhile: called about once a second while there is nothing to do but wait.
    A submission whose process dies is graded once more, alone, and then left ungraded. One that an earlier run
    was grading when it ended comes last, alone; if that run ends too, the next one goes without it.
    """
    def graded(s: Submission, mark: Mark) -> Graded:
        return Graded(s, mark, sum(course.points.get(s.assignment, {}).values()))

    todo: list[Submission] = []
    suspects: list[Submission] = []
    for s, ended in [(s, results.ended(s)) for s in submissions]:  # two may have handed in the same
        if s.problem:
            yield graded(s, Mark(s.assignment, (), s.problem)), False
        elif mark := results.mark(s):
            yield graded(s, mark), False
        elif ended >= TRIES:
            results.pass_over(s)
            why = f"{TRIES} runs stopped while grading it; the next run tries it once more, after all others"
            yield graded(s, Mark(s.assignment, (), why)), False
        else:
            (suspects if ended else todo).append(s)
    for part, at_once in ((todo, jobs), (suspects, 1)):
        for s, mark in _run(
            part, course, results, sandbox, at_once, executor, alone=part is suspects, meanwhile=meanwhile
        ):
            results.keep(s, mark)
            yield graded(s, mark), True


def _run(
    todo: list[Submission], course: Course, results: Results, sandbox: bool, jobs: int, executor: Executor | None, *,
    alone: bool, meanwhile: Callable[[], object],
) -> Iterator[tuple[Submission, Mark]]:
    if not todo:
        return
    pool = executor or worker.processes(jobs)
    running: dict[Future[Mark], Submission] = {}

    def start(s: Submission, pool: Executor) -> Future[Mark]:
        try:
            source, beside = s.read(), s.beside()
            if digest(source, beside) != s.digest:
                raise ValueError("it was changed in the meantime; grade again")
            drawn = course.drawn(s.assignment, results.seed_for(s))
            results.begin(s)
            return pool.submit(grade_notebook, source, drawn, sandbox=sandbox, beside=beside)
        except (OSError, ValueError, BrokenExecutor) as reason:
            failed: Future[Mark] = Future()
            failed.set_exception(reason)
            return failed

    def error(future: Future[Mark]) -> BaseException | None:
        return None if future.cancelled() else future.exception()

    def ended(s: Submission, future: Future[Mark]) -> tuple[Submission, Mark]:
        try:
            return s, future.result()
        except BrokenExecutor:
            return s, Mark(s.assignment, (), "the process that graded it died, twice")
        except Exception as reason:
            return s, Mark(s.assignment, (), cause(reason))

    try:
        waiting = iter(todo)
        while True:
            # Few at a time, so that the notebooks of a large class are not in memory all at once.
            for s in islice(waiting, (1 if alone else 2 * jobs) - len(running)):
                running[start(s, pool)] = s
            if not running:
                return
            while not (ready := wait(running, TICK, FIRST_COMPLETED).done):
                meanwhile()
            done = [(running.pop(f), f) for f in ready]
            if not any(isinstance(error(f), BrokenExecutor) for _, f in done):
                for s, future in done:
                    yield ended(s, future)
                continue
            # One of those that ran took its process with it, and the whole pool: who does it again, alone, it is.
            suspects = [s for s, _ in done] + list(running.values())
            running.clear()
            for s in suspects:
                pool.shutdown(wait=False)
                pool = worker.processes(1)
                yield ended(s, start(s, pool))
            pool.shutdown(wait=False)
            pool = worker.processes(jobs)
    finally:
        for future, s in running.items():
            if future.cancel():
                results.end(s, graded=False)
        if pool is not executor:
            pool.shutdown(wait=False, cancel_futures=True)


@cache
def _version() -> str:
    """Changes with anything in coursekit that may decide on a mark."""
    files = [path for folder in (HERE, COURSEKIT) for path in sorted(folder.rglob("*.py"))]
    return _digest(b"".join(path.read_bytes() for path in files))


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
