"""Grade a class: many submissions at once, and every mark is kept as soon as it is known."""

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait

from coursekit_grade.graded import Graded
from coursekit_grade.intake import Submission, digest
from coursekit_grade.mark import Mark, grade_notebook
from coursekit_grade.printable import cause
from coursekit_grade.results import TRIES, Results
from coursekit_grade.sandbox import Box
from coursekit_grade.solutions import Course

TICK = 1.0  # seconds between two calls of `meanwhile`


def grade_class(
    submissions: Iterable[Submission],
    course: Course,
    results: Results,
    box: Box,
    *,
    jobs: int = os.cpu_count() or 1,
    executor: Executor | None = None,
    meanwhile: Callable[[], object] = lambda: None,
) -> Iterator[tuple[Graded, bool]]:
    """Grade what has no mark yet, `jobs` at a time; yields every submission, and whether it was graded anew.

    executor: any of concurrent.futures; without one, threads, as each waits for processes of its own. meanwhile: called
    about once a second while there is nothing to do but wait. A submission that an earlier run was grading when it
    ended comes last, alone; if that run ends too, the next one goes without it.
    """
    def graded(s: Submission, mark: Mark) -> Graded:
        return Graded(s, mark, sum(course.points.get(s.assignment, {}).values()))

    todo: list[Submission] = []
    suspects: list[Submission] = []
    for s, tries in [(s, results.tries(s)) for s in submissions]:  # two may have handed in the same
        if s.problem:
            yield graded(s, Mark(s.assignment, (), s.problem)), False
        elif mark := results.mark(s):
            yield graded(s, mark), False
        elif tries >= TRIES:
            results.tried(s, TRIES - 1)
            why = f"{TRIES} runs stopped while grading it; the next run tries it once more, after all others"
            yield graded(s, Mark(s.assignment, (), why)), False
        else:
            (suspects if tries else todo).append(s)
    pool = executor or ThreadPoolExecutor(jobs)
    running: dict[Future[Mark], Submission] = {}

    def start(s: Submission) -> Future[Mark]:
        try:
            source, beside = s.read(), s.beside()
            if digest(source, beside) != s.digest:
                raise ValueError("it was changed in the meantime; grade again")
            drawn = course.drawn(s.assignment, results.seed_for(s))
            results.tried(s, results.tries(s) + 1)
            return pool.submit(grade_notebook, source, drawn, box, beside)
        except (OSError, ValueError, RuntimeError) as reason:
            failed: Future[Mark] = Future()
            failed.set_exception(reason)
            return failed

    try:
        # Few at a time, so that the notebooks of a large class are not in memory all at once.
        for waiting, at_once in ((todo, 2 * jobs), (suspects, 1)):
            while waiting or running:
                while waiting and len(running) < at_once:
                    s = waiting.pop(0)
                    running[start(s)] = s
                while not (ready := wait(running, TICK, FIRST_COMPLETED).done):
                    meanwhile()
                for future in ready:
                    s = running.pop(future)
                    try:
                        mark = future.result()
                    except Exception as reason:
                        mark = Mark(s.assignment, (), cause(reason))
                    results.keep(s, mark)
                    yield graded(s, mark), True
    finally:
        for future, s in running.items():
            if future.cancel():
                results.tried(s, results.tries(s) - 1)
        if pool is not executor:
            pool.shutdown(wait=False, cancel_futures=True)
