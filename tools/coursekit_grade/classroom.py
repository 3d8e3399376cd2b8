"""Grade a class: many submissions at once, and every mark is kept as soon as it is known."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait
from itertools import islice

from coursekit.core.text import cause
from coursekit_grade import worker
from coursekit_grade.graded import Graded
from coursekit_grade.intake import Submission, digest
from coursekit_grade.mark import Mark, grade_notebook
from coursekit_grade.results import TRIES, Results
from coursekit_grade.solutions import Course

TICK = 1.0  # seconds between two calls of `meanwhile`


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
