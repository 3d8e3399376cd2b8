"""A course as its author keeps it: solutions/NN-topic/ with a notebook and tasks.py, read and made into tasks."""

from __future__ import annotations

import ast
import contextlib
import copy
import ctypes
import hashlib
import io
import json
import math
import pickle
import re
import threading
import time
import traceback
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from coursekit.checking import call, checks, judge, wire
from coursekit.checking.asked import Case, shape, shown
from coursekit.checking.task import Expected, Mistake, Sealed, Sketch, Task, steady
from coursekit.core.text import cause, said
from coursekit_grade import edges
from coursekit_grade.mark import Drawn, check_cell
from coursekit_grade.tasks import Told, Wrong, named, reading, then

TASKS = "tasks.py"
SECONDS = 10.0  # for all cases of the solution, of a mistake, or of a draw
ENOUGH, DRAWS = 20, 6  # public cases of a task, and the draws that they come from at most
SMALL = 2  # numbers that a known mistake stores as they are; of more a Sketch
_SECTION = re.compile(r"\[(\d+\.\d+)\]\([^)]*\.ipynb[^)]*\)")
_CHECK = re.compile(r"^\s*(?:\w+\.)?check\(\s*['\"](\w+)['\"]\s*(?:,\s*(\w+)\s*)?\)\s*$", re.M)


@dataclass(frozen=True)
class Cell:
    """A cell of a notebook, with nbformat's names for its parts."""

    id: str
    cell_type: str
    source: str
    metadata: dict[str, Any]


@dataclass(frozen=True)
class Answer:
    """What the notebook says about a task: the cell with its answer, its arguments and points."""

    name: str
    arguments: tuple[str, ...]
    points: float
    source: str


class Assignment:
    """solutions/NN-topic: read once, drawn as often as needed. Everything that is wrong in it is a ValueError."""

    def __init__(self, folder: Path) -> None:
        self.name = folder.name
        self.file = folder / TASKS
        notebooks = sorted(folder.glob("*.ipynb"))
        if len(notebooks) != 1:
            raise ValueError(f"{folder} must hold one notebook; it holds {len(notebooks)}")
        self.notebook = notebooks[0]

    @cached_property
    def all_cells(self) -> list[Cell]:
        return read_cells(self.notebook)

    @cached_property
    def cells(self) -> list[Cell]:
        """Those with code."""
        return [cell for cell in self.all_cells if cell.cell_type == "code"]

    @cached_property
    def words(self) -> dict[str, float]:
        """Answers in words, which a person reads: grade_id -> points."""
        told = [told_of(c) for c in self.all_cells if c.cell_type == "markdown"]
        return {t["grade_id"]: t.get("points", 0) for t in told if t.get("solution") and t.get("grade")}

    @cached_property
    def sections(self) -> dict[str, str]:
        """Task -> the sections that the text above its check links to, as "2.2 and 2.7"."""
        found: dict[str, str] = {}
        text = ""
        for cell in self.all_cells:
            text += cell.source if cell.cell_type == "markdown" else ""
            if told_of(cell).get("grade") and (checked := _CHECK.findall(cell.source)):
                found[checked[0][0]], text = " and ".join(dict.fromkeys(_SECTION.findall(text))), ""
        return found

    @cached_property
    def answers(self) -> dict[str, Answer]:
        """By name, in the order of the notebook."""
        found: dict[str, Answer] = {}
        solved: dict[str, tuple[tuple[str, ...], str]] = {}
        for cell in self.cells:
            grading = told_of(cell)
            if grading.get("solution"):
                solved |= {name: (arguments, cell.source) for name, arguments in self._functions(cell)}
            if not grading.get("grade"):
                continue
            where = f"{self.notebook}, cell {grading.get('grade_id', cell.id)!r}"
            checked = _CHECK.findall(cell.source)
            if len(checked) != 1 or checked[0][1] not in ("", checked[0][0]):
                raise ValueError(f'{where}: a cell with points must call check("name"), or check("name", name), once')
            name = checked[0][0]
            if name not in solved:
                raise ValueError(f"{where}: no answer cell above it defines {name}")
            if grading.get("grade_id") != check_cell(name):
                raise ValueError(f"{where}: the grade_id of a check must be {check_cell(name)}")
            found[name] = Answer(name, solved[name][0], grading.get("points", 0), solved[name][1])
        if not found:
            raise ValueError(f"{self.notebook}: no cell has nbgrader's metadata with a grade_id and points")
        return found

    def _functions(self, cell: Cell) -> list[tuple[str, tuple[str, ...]]]:
        try:
            tree = ast.parse(cell.source)
        except SyntaxError as error:
            where = f"{self.notebook}, cell {told_of(cell).get('grade_id')!r}, line {error.lineno}"
            raise ValueError(f"{where}: {error.msg}") from None
        functions = [f for f in tree.body if isinstance(f, ast.FunctionDef)]
        needed = {f.name: f.args.args[: len(f.args.args) - len(f.args.defaults)] for f in functions}
        return [(name, tuple(a.arg for a in arguments)) for name, arguments in needed.items()]

    @cached_property
    def space(self) -> dict[str, Any]:
        """What the notebook defines, up to its last answer; checks are not run."""
        space: dict[str, Any] = {"__name__": self.name}
        last = max(k for k, c in enumerate(self.cells) if told_of(c).get("solution"))
        for cell in self.cells[: last + 1]:
            if told_of(cell).get("grade"):
                continue
            try:
                with contextlib.redirect_stdout(io.StringIO()):
                    exec(compile(cell.source, f"<{cell.id}>", "exec"), space)
            except Exception as error:
                name = told_of(cell).get("grade_id", cell.id)
                raise ValueError(f"{self.notebook}, cell {name!r}: {said(error)}") from None
        return space

    @cached_property
    def told(self) -> tuple[Told, ...]:
        """The tasks of tasks.py, in the order of the notebook."""
        answers, space = self.answers, self.space  # first, as their faults are the notebook's
        try:
            code = compile(self.file.read_text("utf-8"), str(self.file), "exec")
            with reading(space) as told:
                exec(code, {"__name__": "tasks", "__file__": str(self.file)})
        except OSError as error:
            raise ValueError(f"{self.file} cannot be read: {error.strerror}") from None
        except SyntaxError as error:
            raise ValueError(f"{self.file}, line {error.lineno}: {error.msg}") from None
        except Exception as error:
            lines = [f.lineno for f in traceback.extract_tb(error.__traceback__) if f.filename == str(self.file)]
            raise ValueError(f"{self.file}, line {lines[-1] if lines else 1}: {cause(error)}") from None
        by_name: dict[str, Told] = {}
        for t in told:
            if t.name not in answers or t.name in by_name:
                why = "is told twice" if t.name in by_name else f"has no check cell in {self.notebook.name}"
                raise ValueError(f"{self.file}, line {t.line}: the task {t.name!r} {why}")
            by_name[t.name] = t
        if missing := [name for name in answers if name not in by_name]:
            raise ValueError(f"{self.file} has no task({missing[0]!r}, ...), which {self.notebook.name} checks")
        return tuple(by_name[name] for name in answers)

    @cached_property
    def exercises(self) -> dict[str, Exercise]:
        return {told.name: Exercise(self, told) for told in self.told}

    def public(self) -> tuple[Task, ...]:
        """The tasks with the cases that students get: always the same ones. Every mistake is tried on them."""
        return tuple(exercise.public() for exercise in self.exercises.values())

    def fresh(self, seed: int) -> tuple[Task, ...]:
        """The tasks with the cases of a grader."""
        return tuple(exercise.fresh(seed) for exercise in self.exercises.values())

    def drawn(self, seed: int) -> Drawn:
        """The assignment as one run grades it. The same seed, >= 0, draws the same cases."""
        cells: list[dict[str, str | None]] = []
        checks = {check_cell(name): name for name in self.answers}
        for cell in self.cells:
            grading = told_of(cell)
            if (name := grading.get("grade_id")) in checks:
                cells.append({"id": name, "task": checks[name]})
            elif name:
                cells.append({"id": name, "source": None if grading.get("solution") else cell.source})
        passed_over: list[str] = []
        tasks = tuple(exercise.fresh(seed, passed_over) for exercise in self.exercises.values())
        cases = {task.name: [list(map(wire.encode, case)) for case in task.cases] for task in tasks}
        asked = tuple(replace(task, cases=(), right=(), mistakes=(), hints=()) for task in tasks)
        return Drawn(self.name, seed, tuple(cells), asked, cases, {task.name: pickle.dumps(task) for task in tasks},
                     tuple(passed_over))


class Course:
    """The folder of a course with its solutions: what `coursekit grade` needs of it.

    points: assignment -> task -> the points to be had. words: the same, of what a person reads. sections: assignment
    -> task -> what to read again. version: changes with whatever decides on a mark. passed_over: draws that failed.
    """

    def __init__(self, root: Path) -> None:
        self.assignments = {a.name: a for a in assignments(root)}
        self.points = {name: {t: answer.points for t, answer in a.answers.items()}
                       for name, a in self.assignments.items()}
        self.sections = {name: a.sections for name, a in self.assignments.items()}
        self.words = {name: a.words for name, a in self.assignments.items() if a.words}
        files = [file for a in self.assignments.values() for file in (a.notebook, a.file) if file.exists()]
        self.passed_over: list[str] = []
        self.version = hashlib.sha256(b"\0".join(file.read_bytes() for file in files)).hexdigest()

    @lru_cache(maxsize=16)  # noqa: B019 - a course is there as long as the command that reads it
    def drawn(self, assignment: str, seed: int) -> Drawn:
        """An assignment as one run grades it. ValueError for one that the course does not have."""
        if assignment not in self.assignments:
            raise ValueError(f"the assignment must be one of {', '.join(self.assignments)}; got {assignment!r}")
        drawn = self.assignments[assignment].drawn(seed)
        self.passed_over += drawn.passed_over
        return drawn


def around(here: Path) -> Path | None:
    """The folder of the course that `here` is in. None of it is read."""
    found = (f for f in (here, *here.parents) if next((f / "solutions").glob("*/*.ipynb"), None))
    return next(found, None)


def assignments(root: Path) -> list[Assignment]:
    """The assignments of the course in `root`, in their order."""
    folders = sorted({path.parent for path in (root / "solutions").glob("*/*.ipynb")})
    if not folders:
        raise ValueError(f"root must be a folder with solutions/NN-topic/topic.ipynb; got {root}")
    return [Assignment(folder) for folder in folders]


class Exercise:
    """One task of an assignment: its cases drawn, the solution and the mistakes run on them."""

    def __init__(self, assignment: Assignment, told: Told) -> None:
        self.assignment, self.told = assignment, told
        self.answer = assignment.answers[told.name]
        self.right: Callable[..., Any] = assignment.space[told.name]
        self.where = f"{assignment.file}, line {told.line}, task {told.name}"

    def public(self) -> Task:
        """A case in which a mistake hangs on a last bit is passed over; the answer must hang on it in none."""
        cases: list[Case] = []
        for seed in range(DRAWS):
            drawn = self.draw(np.random.default_rng(seed))
            if not self.told.accuracy:
                self.solved(drawn)
            for k, case in enumerate(drawn):
                if self.on_edge(case, {": the solution fails": self.right}):
                    raise ValueError(
                        f"{self.where}: case {k + 1} of draw {seed + 1} hangs on a last bit, which processors round "
                        "differently: two values tie there; draw numbers that do not, or whole numbers and quarters, "
                        "whose sums and products are exact"
                    )
            wrong = {f", mistake {_which(wrong)}": function for wrong, function in self.wrong.items()}
            cases += [case for case in drawn if not self.on_edge(case, wrong)]
            if len(cases) >= ENOUGH or not self.answer.arguments or self.told.accuracy:
                break
        task = self.task(cases)
        self._tried(task)
        self._as_a_student(task)
        return task

    def fresh(self, seed: int, passed_over: list[str] | None = None) -> Task:
        """With more cases while a known mistake would pass, or get the sentence of another.

        A draw that fails, or that the solution does, is passed over, and why is put into `passed_over`: chance must not
        leave a class ungraded.
        """
        rng = np.random.default_rng([seed, *self.told.name.encode()])
        cases: list[Case] = []
        task, failed = None, None
        for _ in range(DRAWS):
            try:
                drawn = [c for c in self.draw(rng) if not self.on_edge(c, {": the solution fails": self.right})]
                task = self.task(cases + drawn)
            except ValueError as error:
                failed = error
                if passed_over is not None:
                    passed_over.append(str(error))
                continue
            cases += drawn
            if cases and not any(_not_told_apart(task)):
                break
        if task is None:
            raise failed or ValueError(f"{self.where}: it has no cases")
        return task

    def on_edge(self, case: Case, functions: Mapping[str, Callable[..., Any]]) -> bool:
        """Whether what one of them returns jumps, or is none any more, when a case moves by about a last bit.

        functions: by what to say of one that fails at the case itself.
        """
        if not self.answer.arguments or self.told.accuracy:
            return False
        there, least = [], max(self.told.tolerance, 1000 * edges.MOVED)
        for who, function in functions.items():
            with self._blamed(who):
                there.append(_run([function], [case]))
        try:
            near = [edges.beside(_run, functions.values(), case, sign) for sign in (1, -1)]
        except (ArithmeticError, LookupError, ValueError):
            return True
        return not all(edges.same(one, [other], least)
                       for moved in near for one, other in zip(there, moved, strict=True))

    def draw(self, rng: np.random.Generator) -> list[Case]:
        if not self.answer.arguments:
            return [()]
        if self.told.cases is None:
            raise ValueError(f"{self.where}: it takes ({', '.join(self.answer.arguments)}), so it needs cases")
        with self._blamed(": its cases cannot be drawn"), _in_time():
            return [tuple(case) for case in self.told.cases(rng)]

    @contextlib.contextmanager
    def _blamed(self, who: str) -> Iterator[None]:
        """Whatever goes wrong inside is a ValueError that says where: the file, the line, the task."""
        try:
            yield
        except Exception as error:
            raise ValueError(f"{self.where}{who}: {cause(error)}") from None

    def task(self, cases: list[Case]) -> Task:
        told, answer = self.told, self.answer
        if told.accuracy:
            return self.judged_by_accuracy(cases)
        cases = sorted(cases, key=lambda case: sum(math.prod(shape(a)) for a in case))
        right = self.solved(cases)
        task = Task(
            told.name, answer.arguments, answer.points, told.returns, tuple(cases), right, (), told.hints,
            told.tolerance, parts=self.parts(),
        )
        return replace(task, mistakes=_told_apart([self.mistake(task, wrong) for wrong in told.mistakes]))

    def solved(self, cases: Sequence[Case]) -> tuple[tuple[Expected, ...], ...]:
        """What the solution returns for each case."""
        for case in cases:
            if len(case) != len(self.answer.arguments):
                asked = ", ".join(self.answer.arguments)
                raise ValueError(f"{self.where}: a case must have ({asked}); got {len(case)} of them")
        with self._blamed(": the solution fails on one of its cases"):
            return tuple(map(self.expected, self.returned([self.right], cases)))

    def parts(self) -> tuple[float, ...]:
        """The points of each part, where parts count by themselves."""
        if not (told := self.told.parts):
            return ()
        names, points = self.told.returns, self.answer.points
        whole = sum(Decimal(str(part)) for part in told.values())
        if tuple(told) != names or min(told.values()) <= 0 or whole != Decimal(str(points)):
            raise ValueError(f"{self.where}: parts must give {', '.join(names)}, in this order, points above 0 that "
                             f"add up to {points:g}; got {dict(told)}")
        return tuple(told.values())

    def judged_by_accuracy(self, cases: list[Case]) -> Task:
        """Each case is ((arguments), (X, y)); the solution must do, and each of the mistakes must not."""
        told, answer = self.told, self.answer
        right = tuple(tuple(np.asarray(part, dtype=np.float64) for part in new) for _, new in cases)
        task = Task(
            told.name, answer.arguments, answer.points, told.returns, tuple(tuple(case) for case, _ in cases), right,
            (), told.hints, told.tolerance, told.accuracy, told.weights,
        )
        for *edits, sentence in [(self.right, ""), *told.mistakes]:
            who = f"mistake {_which((*edits, sentence))}" if sentence else "the solution"
            with self._blamed(f", {who}"):
                if isinstance(edits[0], then):
                    raise ValueError("then(...) has nothing to start from where many answers are right")
                said = judge.judged(task, self.returned(edits, task.cases)).sentence
            if said != sentence:
                raise ValueError(f"{self.where}: {who} is judged {said or 'right'!r}")
        return task

    def mistake(self, task: Task, wrong: Wrong) -> Mistake:
        sentence = wrong[-1]
        with self._blamed(f", mistake {_which(wrong)}"):
            returned = _run([self.wrong[wrong]], task.cases)
            parts = [self.expected(r, SMALL) for r in returned]
        answers: dict[int, dict[int, Expected]] = {}
        for k, (row, result) in enumerate(zip(parts, returned, strict=True)):
            given = list(result) if len(self.told.returns) > 1 else [result]
            differs = {
                p: e for p, e in enumerate(row)
                if judge.compare(given[p], task.right[k][p], task.tolerance, f"{task.name} {p}")
            }
            if differs:
                answers[k] = differs
        return Mistake(named(sentence), sentence, answers)

    def returned(self, edits: Sequence[Any], cases: Sequence[Case]) -> list[Any]:
        """What a mistake returns for each case."""
        return _run([self.function(edits)], cases)

    @cached_property
    def wrong(self) -> dict[Wrong, Callable[..., Any]]:
        """What each mistake calls in place of the solution."""
        found = {}
        for wrong in self.told.mistakes:
            with self._blamed(f", mistake {_which(wrong)}"):
                found[wrong] = self.function(wrong[:-1])
        return found

    def function(self, edits: Sequence[Any]) -> Callable[..., Any]:
        wrong = edits[0] if len(edits) == 1 else None
        if isinstance(wrong, then):
            arguments, returns = self.answer.arguments, self.told.returns
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
        exec(compile(source, f"<{self.told.name} with {edits[1]}>", "exec"), space)
        return space[self.told.name]

    def expected(self, result: Any, most: float = math.inf) -> tuple[Expected, ...]:
        """What the judge compares with. most: of more numbers a sketch will do. Three digits more than are compared."""
        digits = 3 - math.floor(math.log10(self.told.tolerance))
        parts = [result]
        if (n := len(self.told.returns)) > 1:
            if not isinstance(result, (tuple, list, np.ndarray)) or len(result) != n:
                raise ValueError(f"it returns {shown(result)}, not {', '.join(self.told.returns)}")
            parts = list(result)
        found: list[Expected] = []
        for p, part in enumerate(parts):
            if part is None or isinstance(part, (bool, np.bool_)):
                found.append(None if part is None else bool(part))
                continue
            try:
                array = np.asarray(part, dtype=np.float64)
            except (TypeError, ValueError):
                raise ValueError(f"it returns {shown(part)}, which is not made of numbers") from None
            if not self.answer.arguments:
                found.append(Sealed.of(array, f"{self.told.name} {p}"))
            elif array.size > most:
                found.append(Sketch.of(array, digits))
            else:
                array = np.reshape([steady(v, digits) for v in array.ravel()], array.shape)
                found.append(array if array.ndim else float(array))
        return tuple(found)

    def _tried(self, task: Task) -> None:
        """Refuse mistakes that nobody could be told about, and sentences that read badly."""
        if self.told.accuracy:
            return
        for k, why in _not_told_apart(task):
            raise ValueError(f"{self.where}, mistake {_which(self.told.mistakes[k])}: {why}")
        for mistake, wrong in zip(task.mistakes, self.told.mistakes, strict=True):
            where = f"{self.where}, mistake {_which(wrong)}"
            if re.match(rf"({'|'.join(map(re.escape, task.returns))})\s", mistake.sentence):
                first = mistake.sentence.split()[0]
                raise ValueError(f"{where}: a sentence cannot begin with {first}: write Your `{first}` ...")

    def _as_a_student(self, task: Task) -> None:
        """Refuse a solution that would fail where a student's would: as it is checked in a notebook, and graded."""
        with self._blamed(""):
            noted = checks.again(task)
            for cases, graded in ((noted.cases, False), ([tuple(map(_sent, case)) for case in task.cases], True)):
                for case, read in zip(task.cases, cases, strict=True):
                    for name, before, after in zip(task.arguments, case, read, strict=True):
                        if not call.alike(before, after):
                            raise ValueError(f"the argument {name} is not the same once it was written and read: it "
                                             f"must be {checks.PLAIN}; got {shown(before)}")
                try:
                    answers = call.answers(noted, self.right, list(cases), graded=graded)
                    said = judge.judged(noted, list(map(_sent, answers))).sentence
                except call.NotYet as error:
                    said = str(error)
                if said:
                    where = "graded" if graded else "checked"
                    raise ValueError(f"the solution is refused where a student's is {where}: {said}")


def _sent(value: Any) -> Any:
    return wire.decode(json.loads(json.dumps(wire.encode(value))))


def _not_told_apart(task: Task) -> Iterator[tuple[int, str]]:
    """The mistakes that would pass, or get the sentence of another one: which, and why."""
    known: dict[str, str] = {}  # what a mistake returns -> its sentence
    for k, mistake in enumerate(task.mistakes):
        if not mistake.answers:
            yield k, "it changes nothing on any case"
        elif (before := known.setdefault(repr(mistake.answers), mistake.sentence)) != mistake.sentence:
            yield k, f"it cannot be told from {before!r} on any case"


def _told_apart(mistakes: Sequence[Mistake]) -> tuple[Mistake, ...]:
    """Each sentence has an id of its own: a number behind where the first words are those of another."""
    ids: dict[str, str] = {}
    for m in mistakes:
        if m.sentence not in ids:
            taken = sum(named(sentence) == m.id for sentence in ids)
            ids[m.sentence] = f"{m.id}-{taken + 1}" if taken else m.id
    return tuple(replace(m, id=ids[m.sentence]) for m in mistakes)


def _which(wrong: Wrong) -> str:
    """A mistake as its author finds it again: its edits, else how its sentence begins."""
    edits = [" ".join(text.split()) for text in wrong[:-1] if isinstance(text, str)]
    return " -> ".join(edits) or repr(wrong[-1][:60])


@contextlib.contextmanager
def _in_time() -> Iterator[None]:
    """ValueError inside after SECONDS of computing: an edit may make a loop that never ends."""

    class Late(BaseException):
        pass

    own, interrupt = ctypes.c_ulong(threading.get_ident()), ctypes.pythonapi.PyThreadState_SetAsyncExc
    end, left, over = time.process_time() + SECONDS, threading.Event(), False

    def watch() -> None:
        while (rest := end - time.process_time()) > 0:
            if left.wait(rest):
                return
        while not over:  # again: the garbage collector's callbacks, and __del__, swallow what is raised in them
            interrupt(own, ctypes.py_object(Late))
            left.wait(0.05)

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        try:
            yield
        finally:
            over = True  # first, and in one step, which cannot be interrupted
            left.set()
            watcher.join()
    except Late:
        raise ValueError(f"it was still running after {SECONDS:g} seconds") from None


def _run(functions: Iterable[Callable[..., Any]], cases: Sequence[Case]) -> list[Any]:
    """What each function returns for each case, one after another."""
    with (_in_time(), np.errstate(all="ignore"), warnings.catch_warnings(),
          contextlib.redirect_stdout(io.StringIO())):
        warnings.simplefilter("ignore")
        return [function(*copy.deepcopy(case)) for function in functions for case in cases]


def told_of(cell: Any) -> Any:
    """What nbgrader's metadata say about a cell: its grade_id, points, whether it is an answer; {} for other cells."""
    return cell.metadata.get("nbgrader", {})


def read_cells(path: Path) -> list[Cell]:
    """The cells of a notebook in a file; ValueError, with the file's name, where they cannot be read or have no ids.

    Without nbformat, whose import can take longer than all else that grading needs. `release` looks closer.
    """
    try:
        notebook = json.loads(path.read_bytes())
        if (notebook["nbformat"], notebook["nbformat_minor"]) < (4, 5):
            raise ValueError("it must be in notebook format 4.5 or later, where cells have ids")
        return [Cell(c["id"], c["cell_type"], "".join(c["source"]), c["metadata"]) for c in notebook["cells"]]
    except (OSError, ValueError, LookupError, TypeError) as error:
        raise ValueError(f"{path} is not a valid notebook: {said(error)}") from None
