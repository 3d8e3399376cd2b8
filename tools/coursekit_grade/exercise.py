"""A task as its author keeps it: cases are drawn, and the solution and the known mistakes are called with them."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from functools import cached_property
from itertools import compress
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from coursekit.checking.compare import equals
from coursekit.checking.judge import judge
from coursekit.checking.signature import Case, shape, short
from coursekit.checking.task import Expected, Mistake, Sealed, Sketch, Task, steady
from coursekit_grade import edges
from coursekit_grade.edges import called, in_time
from coursekit_grade.printable import cause
from coursekit_grade.tasks import Spec, Wrong, mistake_ids, then, which

if TYPE_CHECKING:
    from coursekit_grade.solutions import Assignment

CLEARLY = 0.9  # of the misses that a task allows, the solution's own on a grader's draw: luck must not decide
DRAWS = 6  # for the cases of a task, at most
SMALL = 2  # numbers that a known mistake stores as they are; of more a Sketch


class Answered(NamedTuple):
    """A case, what the solution returns for it, what the judge makes of that, and what each of the mistakes returns."""

    case: Case
    right: Any
    expected: tuple[Expected, ...]
    wrong: tuple[Any, ...]


class Exercise:
    """A task with the functions that answer it: the solution and its mistakes."""

    def __init__(self, assignment: Assignment, spec: Spec) -> None:
        self.assignment, self.spec = assignment, spec
        self.answer = assignment.answers[spec.name]
        self.right: Callable[..., Any] = assignment.space[spec.name]
        self.where = f"{assignment.file}, line {spec.line}, task {spec.name}"

    def fresh(self, seed: int) -> tuple[Task, list[str]]:
        """With the cases of a grader: more of them while a known mistake would pass, or get the sentence of another.

        And what failed of the draws in whose place the next one was taken.
        """
        rng = np.random.default_rng([seed, *self.spec.name.encode()])
        answered: list[Answered] = []
        task: Task | None = None
        failures: list[str] = []
        for _ in range(DRAWS):
            try:
                drawn = self.draw(rng)
                if self.spec.accuracy:
                    return self.judged_by_accuracy(drawn, CLEARLY), failures
                more = self.answered(drawn)
                more = [*compress(more, self.off_edges(more))]
                if not answered + more:
                    raise ValueError(f"{self.where}: each of its cases hangs on a last bit")
                task = self.task_of(answered + more)
            except ValueError as error:  # chance must not leave a class ungraded: the next draw is taken
                failures.append(str(error))
                continue
            answered += more
            if not any(not_told_apart(task)):
                break
        if task is None:
            raise ValueError(failures[-1])
        return task, failures

    def draw(self, rng: np.random.Generator) -> list[Case]:
        """The arguments of some calls; for a task judged by accuracy, each with the new examples behind."""
        asked = self.answer.arguments
        if not asked:
            return [()]
        if self.spec.cases is None:
            raise ValueError(f"{self.where}: it takes ({', '.join(asked)}), so it needs cases")
        with self.blamed(": its cases cannot be drawn"), in_time():
            cases = [tuple(case) for case in self.spec.cases(rng)]
        for case in cases:
            if len(case) != len(asked) and not self.spec.accuracy:
                raise ValueError(f"{self.where}: a case must have ({', '.join(asked)}); got {len(case)} of them")
        return cases

    def off_edges(self, answered: Sequence[Answered], mistakes: bool = False) -> list[bool]:
        """Of each case whether the right answer, or those of all mistakes, stay when it moves by about a last bit."""
        if not self.answer.arguments:
            return [True] * len(answered)
        right = [a.wrong if mistakes else (a.right,) for a in answered]
        with self.blamed(": its cases, moved by a last bit"):
            return edges.off_edges(self.wrong if mistakes else [self.right], [a.case for a in answered], right,
                                   max(self.spec.tolerance, 1000 * edges.MOVED))

    @contextlib.contextmanager
    def blamed(self, who: str = "") -> Iterator[None]:
        """Whatever goes wrong inside is a ValueError that says where: the file, the line, the task."""
        try:
            yield
        except Exception as error:
            raise ValueError(f"{self.where}{who}: {cause(error)}") from None

    def answered(self, cases: Sequence[Case]) -> list[Answered]:
        with self.blamed(": the solution fails on one of its cases"):
            right = called(self.right, cases)
            expected = [self.expected(answer) for answer in right]
        wrong = []
        for mistake, function in zip(self.spec.mistakes, self.wrong, strict=True):
            with self.blamed(f", mistake {which(mistake)}"):
                wrong.append(called(function, cases))
        return [Answered(*row, tuple(returned[k] for returned in wrong))
                for k, row in enumerate(zip(cases, right, expected, strict=True))]

    def task_of(self, answered: Sequence[Answered]) -> Task:
        spec = self.spec
        answered = sorted(answered, key=lambda a: sum(math.prod(shape(argument)) for argument in a.case))
        task = Task(spec.name, self.answer.arguments, self.answer.points, spec.returns, tuple(a.case for a in answered),
                    tuple(a.expected for a in answered), (), spec.hints, spec.tolerance, parts=self._parts())
        ids = mistake_ids(wrong[-1] for wrong in spec.mistakes)
        return replace(task, mistakes=tuple(
            Mistake(ids[wrong[-1]], wrong[-1], self._different(task, wrong, [a.wrong[k] for a in answered]))
            for k, wrong in enumerate(spec.mistakes)))

    def _parts(self) -> tuple[float, ...]:
        """The points of each part, where parts count by themselves."""
        parts, names, points = self.spec.parts, self.spec.returns, self.answer.points
        whole = sum(Decimal(str(part)) for part in parts.values())
        if parts and (tuple(parts) != names or min(parts.values()) <= 0 or whole != Decimal(str(points))):
            raise ValueError(f"{self.where}: parts must give {', '.join(names)}, in this order, points above 0 that "
                             f"add up to {points:g}; got {dict(parts)}")
        return tuple(parts.values())

    def judged_by_accuracy(self, cases: Sequence[Case], clearly: float = 1) -> Task:
        """Each case is ((arguments), (X, y)); the solution must do, and each of the mistakes must not.

        clearly: the share of the misses that the task allows which the solution may have.
        """
        spec, answer = self.spec, self.answer
        right = tuple(tuple(np.asarray(part, dtype=np.float64) for part in new) for _, new in cases)
        task = Task(spec.name, answer.arguments, answer.points, spec.returns, tuple(tuple(case) for case, _ in cases),
                    right, (), spec.hints, spec.tolerance, spec.accuracy, spec.weights)
        bar = spec.accuracy or 0
        clear = replace(task, accuracy=bar + (1 - clearly) * (1 - bar))
        for *edits, sentence in [(self.right, ""), *spec.mistakes]:
            who = f"mistake {which((*edits, sentence))}" if sentence else "the solution"
            with self.blamed(f", {who}"):
                if isinstance(edits[0], then):
                    raise ValueError("then(...) has nothing to start from where many answers are right")
                verdict = judge(task if sentence else clear, called(self._function(edits), task.cases)).sentence
            if verdict != sentence:
                raise ValueError(f"{self.where}: {who} is judged {verdict or 'right'!r}")
        return task

    def _different(self, task: Task, wrong: Wrong, returned: Sequence[Any]) -> dict[int, dict[int, Expected]]:
        """Case -> part -> what comes back of a mistake, where that differs from the right answer."""
        answers: dict[int, dict[int, Expected]] = {}
        with self.blamed(f", mistake {which(wrong)}"):
            for k, result in enumerate(returned):
                parts = self._parts_of(result)
                different = {p: self._expected(part, p, SMALL) for p, part in enumerate(parts)
                             if not equals(part, task.right[k][p], task.tolerance)}
                if different:
                    answers[k] = different
        return answers

    @cached_property
    def wrong(self) -> list[Callable[..., Any]]:
        """What each mistake calls in place of the solution."""
        functions = []
        for wrong in self.spec.mistakes:
            with self.blamed(f", mistake {which(wrong)}"):
                functions.append(self._function(wrong[:-1]))
        return functions

    def _function(self, edits: Sequence[Any]) -> Callable[..., Any]:
        wrong = edits[0] if len(edits) == 1 else None
        if isinstance(wrong, then):
            arguments, returns = self.answer.arguments, self.spec.returns
            return lambda *case: wrong.after(self.right(*case), dict(zip(arguments, case, strict=True)), returns)
        if callable(wrong):
            return wrong
        if len(edits) % 2 or not all(isinstance(text, str) for text in edits):
            raise ValueError("it must be edits (what stands there, what stands there instead), then(...) or a function")
        source = self.answer.source
        for old, new in zip(edits[::2], edits[1::2], strict=True):
            if (n := source.count(old)) != 1:
                raise ValueError(f"the edit {old!r} must apply exactly once to the solution; it applies {n} times")
            source = source.replace(old, new)
        space = dict(self.assignment.space)
        exec(compile(source, f"<{self.spec.name} with {edits[1]}>", "exec"), space)
        return space[self.spec.name]

    def _parts_of(self, result: Any) -> list[Any]:
        if (n := len(self.spec.returns)) == 1:
            return [result]
        if not isinstance(result, (tuple, list, np.ndarray)) or len(result) != n:
            raise ValueError(f"it returns {short(result)}, not {', '.join(self.spec.returns)}")
        return list(result)

    def expected(self, result: Any) -> tuple[Expected, ...]:
        """What the judge compares with."""
        return tuple(self._expected(part, p) for p, part in enumerate(self._parts_of(result)))

    def _expected(self, part: Any, p: int, most: float = math.inf) -> Expected:
        """most: of more numbers a sketch will do. Three digits more than are compared."""
        if part is None or isinstance(part, (bool, np.bool_)):
            return None if part is None else bool(part)
        try:
            array = np.asarray(part, dtype=np.float64)
        except (TypeError, ValueError):
            raise ValueError(f"it returns {short(part)}, which is not made of numbers") from None
        if not self.answer.arguments:
            return Sealed.of(array, f"{self.spec.name} {p}")
        digits = 3 - math.floor(math.log10(self.spec.tolerance))
        if array.size > most:
            return Sketch.of(array, digits)
        array = np.reshape([steady(v, digits) for v in array.ravel()], array.shape)
        return array if array.ndim else float(array)


def not_told_apart(task: Task) -> Iterator[tuple[int, str]]:
    """The mistakes that would pass, or get the sentence of another one: which, and why."""
    known: dict[str, str] = {}  # what a mistake returns -> its sentence
    for k, mistake in enumerate(task.mistakes):
        if not mistake.answers:
            yield k, "it changes nothing on any case"
        elif (before := known.setdefault(repr(mistake.answers), mistake.sentence)) != mistake.sentence:
            yield k, f"it cannot be told from {before!r} on any case"
