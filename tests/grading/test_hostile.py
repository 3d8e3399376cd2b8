"""Submissions that a grader meets: broken, odd and hostile ones, each with its fair mark and without a trace.

What they do is in hostile.toml, by what it attacks. A notebook has several attacks, one in the answer of each task but
the last, or one in each cell before the answers. Each is told what it did; the last task, and answers below a cell,
keep their marks.
"""

import contextlib
import ctypes
import json
import os
import re
import resource
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
import tomllib
import uuid
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from functools import partial
from importlib.util import cache_from_source
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
import pytest

from coursekit.checking import wire
from coursekit_grade import collected, fence, process, protocol, sandbox, watch, worker
from coursekit_grade import mark as marking
from coursekit_grade.graded import ungraded
from coursekit_grade.mark import Mark, grade_notebook
from coursekit_grade.process import TAKEN
from coursekit_grade.sandbox import Box
from tests.grading.shared import COURSE, ROOT, answered, await_end, grade_id, in_a_child, in_json, processes, rows

ASSIGNMENT = "01-linear-classifiers"
FULL = COURSE.points[ASSIGNMENT]
*ATTACKED, LAST = FULL
SIDE_BY_SIDE = 4
SOLVED = in_json(f"solutions/{ASSIGNMENT}/linear-classifiers.ipynb")
SOURCES = {grade_id(cell): "".join(cell["source"]) for cell in SOLVED["cells"] if grade_id(cell) in FULL}
FIRST = next(k for k, cell in enumerate(SOLVED["cells"]) if grade_id(cell) in FULL)

STUDENTS = tomllib.loads(Path(__file__).with_name("hostile.toml").read_text("utf-8"))
ANSWERS, CELLS = STUDENTS["answers"], STUDENTS["cells"]
# What TOML cannot hold.
CELLS["files and text"] = {
    "deep brackets": {"does": "(" * 5000 + ")" * 5000, "told": "too many nested parentheses"},
    "deep minus": {"does": "x = " + "-" * 100_000 + "1", "told": "Error"},
    "null bytes": {"does": "x = 1\0", "told": "null bytes"},
    "lone surrogates": {"does": "x = '\ud800'\nprint(x)\nraise ValueError(x)", "told": "Error"},
    "lines that end as on old machines": {"does": "a = 1\rb = 2\rassert a + b == 3"},
} | CELLS["files and text"]

no_bubblewrap = pytest.mark.skipif(bool(Box().missing()), reason=Box().missing())


def code(source, name=None):
    marks = {"nbgrader": {"grade_id": name, "solution": True, "locked": False, "grade": False}} if name else {}
    return {"cell_type": "code", "metadata": marks, "source": source, "outputs": [], "execution_count": None}


def notebook(answers=None, before=(), after=()):
    """The solution with other answers, and with cells before the first and after the last answer."""
    nb = answered(SOLVED, answers or {})
    nb["cells"] = nb["cells"][:FIRST] + list(map(code, before)) + nb["cells"][FIRST:] + list(map(code, after))
    return nb


def filled(source, **places):
    for place, value in places.items():
        source = source.replace(f"[{place}]", str(value))
    return source.rstrip("\n")


_own = threading.local()  # the stamp of the submission that a thread grades


def stamped(folder):
    return _own.stamp.encode() in (folder / "environ").read_bytes()


@contextlib.contextmanager
def left_alone(folder):
    """What a submission must leave alone: a secret file, a port that nobody may knock at, no process behind it."""
    (folder / "secret.txt").write_text("the marks")
    (folder / "numpy.py").write_text("raise SystemExit")
    _own.stamp = uuid.uuid4().hex
    with socket.create_server(("127.0.0.1", 0)) as door:
        door.setblocking(False)
        yield {"folder": folder, "port": door.getsockname()[1]}
        with pytest.raises(BlockingIOError):
            door.accept()
    assert (folder / "secret.txt").read_text() == "the marks"
    assert sorted(os.listdir(folder)) == ["numpy.py", "secret.txt"]
    places = ROOT, ROOT / "coursekit", Path("/"), Path("/etc"), Path(np.__file__).parent, Path("/tmp")
    assert not [p for p in places if (p / "touched").exists()]
    await_end(stamped)


def prepare(monkeypatch, folder):
    """To grade in this folder, with a stamp on each process.

    With the product's own limits: what attacks one resource may meet no other limit first, however slow the machine.
    """
    environment = sandbox.environment
    monkeypatch.chdir(folder)
    monkeypatch.setenv("COURSEKIT_SECRET", "do not tell")
    monkeypatch.setattr(sandbox, "environment", lambda home: {**environment(home), "STAMP": _own.stamp})


@pytest.fixture
def around(tmp_path, monkeypatch):
    prepare(monkeypatch, tmp_path)
    with left_alone(tmp_path) as place:
        yield place


NOTHING = MappingProxyType({})


class Case(NamedTuple):
    """What is handed in, and what is expected of its mark."""

    make: Callable  # make(around): a notebook, or the bytes of one
    boxed: bool = False
    slow: bool = False
    points: dict = FULL
    told: Mapping = NOTHING  # to the student, by the task: a part of it
    notes: Sequence | None = ()  # on its cells, a pattern for each; None: any
    ungraded: str = ""  # why, as a pattern
    limits: Mapping = NOTHING  # other ones than the product's
    assignment: str = ASSIGNMENT
    seed: int = 3
    beside: Mapping = NOTHING


# Computing for longer than one may wait is no waiting, however busy the machine.
QUICK = {"CELL_SECONDS": 2.0, "TASK_SECONDS": 2.0, "WAIT_SECONDS": 1.5}
COMPUTES = "time and ends", "errors", "what looks like any answer"  # till it is stopped


@pytest.fixture(scope="module")
def graded(request, tmp_path_factory):
    """graded(name): the mark of a case, when it has left alone what is not its own.

    All that this run asks for are graded at once, some side by side, as those of a class are: much of what they do is
    to wait until they are stopped.
    """
    folder, done = tmp_path_factory.mktemp("class"), {}
    asked = [item.callspec.params["name"] for item in request.session.items
             if item.path == request.path and item.originalname == IN_A_CLASS]

    def mark_of(name):
        case, own = CASES[name], folder / str(asked.index(name))
        own.mkdir()
        try:
            with left_alone(own) as place:
                return grade(case.make(place), case.boxed, case.seed, case.assignment, case.beside)
        except BaseException as error:
            return error

    with pytest.MonkeyPatch.context() as patch, ThreadPoolExecutor(SIDE_BY_SIDE) as pool:
        prepare(patch, folder)
        for limits in ({}, QUICK, SHORT):
            with pytest.MonkeyPatch.context() as limited:
                for name, seconds in limits.items():
                    limited.setattr(protocol, name, seconds)
                these = [name for name in asked if CASES[name].limits == limits]
                done |= zip(these, pool.map(mark_of, these), strict=True)

    def mark(name):
        if isinstance(done[name], BaseException):
            raise done[name]
        return done[name]

    return mark


def grade(nb, boxed, seed=3, assignment=ASSIGNMENT, beside=None):
    source = nb if isinstance(nb, bytes) else json.dumps(nb).encode()
    mark = grade_notebook(source, COURSE.drawn(assignment, seed), Box(open=not boxed), beside)
    texts = [*mark.notes, mark.ungraded, *(t.message for t in mark.tasks)]
    assert all(text.isprintable() and len(text) <= 300 for text in texts)
    assert "do not tell" not in str([texts, [t.ungraded for t in mark.tasks]])
    assert "the marks" not in str(texts)
    return mark


def points(mark):
    assert not ungraded(mark)
    return {t.name: t.points for t in mark.tasks}


def but(*lost):
    """The points of a notebook that is right but for these tasks."""
    return FULL | dict.fromkeys(lost, 0)


# What is attacked.


def attacking(name, around, root=ROOT):
    drawn, answers = COURSE.drawn(ASSIGNMENT, 3), {}
    for task, attack in zip(ATTACKED, ANSWERS[name].values(), strict=False):
        source = attack["does"]
        if "def [task]" not in source and "[task] = " not in source:
            source = "def [task](*given):\n" + "".join(f"    {line}\n" for line in source.strip("\n").split("\n"))
        answers[task] = filled(source, write=STUDENTS["write"]["does"], task=task, last=repr(LAST), root=f"/{root}",
                               count=len(drawn.cases[task]), **around)
    return notebook(answers)  # //home is no place of students' own files, which would only be missing


def broken(name, around):
    return notebook(before=[cell["does"].strip("\n") for cell in CELLS[name].values()])


def after_what_fails(line, source):
    return f"{line}\nONE = 1.0\n{line}\n" + source.replace("return ", "assert ONE\n    return ", 1)


ONLY = "only what it defines was run"
LACKING = STUDENTS["lacking"]
BESIDE = {"helpers.py": b"import more\nHALF = more.ONE / 2", "more.py": b"\xef\xbb\xbfONE = 1.0",
          **dict.fromkeys(("numpy.py", "json.py", "fractions.py", "coursekit.py", "../out.py"), b"exit(1)")}


def as_stored(path, around):
    return next((ROOT / path).glob("*.ipynb")).read_bytes()


# What cannot be seen or done.


def trying(around):
    k = fence.ARCHITECTURES[os.uname().machine][0]
    numbers = {name: both[k] for name, both in sandbox.REFUSED.items() if len(both) > k}
    numbers["clone3"] = fence.CLONE3[k]
    return notebook(before=[filled(STUDENTS["kernel"]["does"], pid=os.getpid(), clone=fence.CLONE[k], numbers=numbers,
                                   **around)])


SAW_NONE = r"ValueError: \([1-9]\d*, \[\]\), in line "


def spying(around, site=ROOT):
    """A notebook that looks for answers and would take them, where coursekit lies in the folder `site`; and plots."""
    roots = list(dict.fromkeys([site, ROOT]))
    roots += [Path(str(root).replace("/lib/", "/lib64/")) for root in roots]
    folders = list(dict.fromkeys(map(str, roots)))
    holds = ("coursekit", "tools", "coursekit_grade", "solutions", "exercises", "tests")
    places = [str(path) for root in roots for part in holds for path in (root / part).rglob("*")
              if path.suffix in (".py", ".ipynb", ".json", ".pyc") or path.name.startswith("mail")]
    parts = ["/".join(Path(file).parts[-2:]) for file in sandbox.modules().values()]
    spy = filled(STUDENTS["spy"]["does"], places=places, folders=folders,
                 parts=tuple(parts + list(map(cache_from_source, parts))))
    thief = filled(STUDENTS["thief"]["does"], folders=folders)
    return notebook({"decision": thief}, before=[spy, STUDENTS["plots"]["does"]])


# What a student may do to the cells of a notebook.


def answer_by_answer(nb):
    """Lost are one that is deleted, one that is right behind its check only, and one that is copied with its check."""
    check = next(cell for cell in nb["cells"] if grade_id(cell) == "line_through-check")
    nb["cells"] = [c for c in nb["cells"] if grade_id(c) not in ("cell", "training_error-check", "product-check")]
    for cell in nb["cells"]:
        if grade_id(cell) == "decision":
            cell["source"] = "def decision(X, theta): return 0"
        if grade_id(cell) == "find_line-check":
            cell["source"] = "import os; os._exit(0)"
    nb["cells"].insert(0, code("def product(a, b, total): return 0", "product"))  # what is defined last counts
    nb["cells"] += [code(SOURCES["decision"]), code("def one_line(x, y, theta): return 0", "one_line"),
                    code("def line_through(p, q, inside): return 0", "line_through"), deepcopy(check)]


def retyped(nb):
    for cell in nb["cells"]:
        if grade_id(cell):
            cell["cell_type"] = "markdown"
            cell["metadata"]["nbgrader"] |= {"locked": False, "solution": True, "grade": True, "points": 1000}


def odd_cells(nb):
    nb["metadata"] = {"kernelspec": {"name": "ir", "language": "R"}, "language_info": 7}
    nb["cells"] += [7, None, [], {"cell_type": "code"}, {"cell_type": "code", "metadata": 3, "source": {"a": 1}},
                    {"cell_type": "code", "metadata": {"nbgrader": {"grade_id": ["decision"]}}, "source": [1, None]}]
    nb["cells"] += [code("1 +"), {"cell_type": "raw", "metadata": {}, "source": "raise SystemExit"}]
    for cell in nb["cells"][:4]:
        cell["source"] = list("".join(cell["source"]))


def changed_later(nb):
    at = next(k for k, c in enumerate(nb["cells"]) if grade_id(c) == "product-check")
    nb["cells"][at:at] = map(code, ("def decision(X, theta): return 0", "sum = len = np = None", "del one_line"))


TAMPERED = {  # and the tasks that are lost
    "answer by answer": (answer_by_answer, ("decision", "cell", "line_through")),
    "changed behind their checks": (changed_later, list(FULL)[list(FULL).index("product") + 1 :]),
    "another kernel, odd cells": (odd_cells, ()),
    "all cells twice": (lambda nb: nb["cells"].extend(deepcopy(nb["cells"])), ()),
    "all cells retyped, with more points": (retyped, ()),
    "in reverse": (lambda nb: nb["cells"].reverse(), ()),
    "two thousand cells": (lambda nb: nb["cells"].extend(code("1/0") for _ in range(2000)), ()),
}


def tampered(change, around):
    nb = deepcopy(SOLVED)
    change(nb)
    return nb


UNREADABLE = {
    "no cells": json.dumps(SOLVED | {"cells": []}).encode(),
    "half a file": json.dumps(SOLVED).encode()[:-200],
    "deep": b'{"cells": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
    "too large": b" " * (21 << 20),
    "nothing": b"",
    "binary": bytes(range(256)) * 100,
    "cells that are none": b'{"cells": {"a": 1}}',
    "a long number": b'{"cells": [' + b"9" * 10_000 + b"]}",
}
WAITED, SHORT = "waited 1.5 seconds and was stopped", {"SUBMISSION_SECONDS": 3.0}
WAITING = STUDENTS["waiting"]
BOTH = True, False


def cases():
    """What is handed in, each with a name. Slow is what is like another, or takes long."""
    waiting = {task: SOURCES[task].replace("return ", f"{wait}\n    return ") for task, wait in WAITING.items()}
    lacking = {task: f"{SOURCES[task]}\n{line}" if told == ONLY else after_what_fails(line, SOURCES[task])
               for task, (line, told) in zip(SOURCES, LACKING.items(), strict=True)}
    cell = {"decision": after_what_fails(WAITING["one_line"], SOURCES["decision"])}
    seeking = {"decision": filled(STUDENTS["seed"]["does"], seed=987654321)}
    for name, attacks in ANSWERS.items():
        told = {task: attack.get("told", "").replace("[task]", task)
                for task, attack in zip(ATTACKED[: len(attacks)], attacks.values(), strict=True)}
        for boxed in BOTH if name in ("files", "processes", "memory and values", "time and ends") else BOTH[1:]:
            yield f"answers-{name}", Case(partial(attacking, name), boxed, name not in ("files", "processes"),
                                          but(*told), told, None, limits=QUICK if name in COMPUTES else {})
    for name, cells in CELLS.items():
        notes = [f"^cell {k}:? .*({c['told']})" for k, c in enumerate(cells.values(), FIRST + 1) if "told" in c]
        for boxed in BOTH if name != "ends and settings" else BOTH[1:]:
            quick = (name, boxed) in [("memory", True), ("files and text", False)]
            yield f"cells-{name}", Case(partial(broken, name), boxed, not quick, notes=notes,
                                        limits=QUICK if name == "time" else {})
    failed = [f"^cell {task}.*{told}" for task, told in zip(SOURCES, LACKING.values(), strict=True)]
    yield "lacking", Case(lambda around: notebook(lacking), notes=failed, limits=QUICK)
    for boxed in BOTH:
        yield "odd", Case(lambda around: notebook(STUDENTS["odd"], STUDENTS["before odd"]["cells"]), boxed, not boxed,
                          notes=["no_such_name"], beside=BESIDE)
        yield "kernel", Case(trying, boxed, notes=[r"ValueError: \(\[\], True\)"])
        yield "spy", Case(spying, boxed, not boxed, but("decision"), notes=[SAW_NONE])
        yield "waits in calls", Case(lambda around: notebook(waiting), boxed, True, but(*WAITING), limits=QUICK,
                                     ungraded=f"one_line, product: {WAITED}")
    yield "waits in a cell", Case(lambda around: notebook(cell), False, False, but("decision"), limits=QUICK,
                                  notes=[f"^cell decision {WAITED}; {ONLY}.$"],
                                  ungraded=f"decision: cell decision {WAITED}")
    yield "endless", Case(lambda around: notebook(before=["import time\ntime.sleep(1e6)"]), slow=True,
                          points=but(*FULL), limits=SHORT, notes=None,
                          ungraded=f"{', '.join(FULL)}: the notebook had not ended after 3 seconds in all")
    yield "seed", Case(lambda around: notebook(seeking), seed=987654321, notes=None)
    for k, (name, (change, lost)) in enumerate(TAMPERED.items()):
        yield name, Case(partial(tampered, change), False, k > 3, but(*lost), notes=None)
    for k, (name, data) in enumerate(UNREADABLE.items()):
        yield name, Case(lambda around, data=data: data, False, k > 3, {}, ungraded=".*notebook.*")
    for name, full in COURSE.points.items():
        slow = name != "05-stochastic-gradient-descent"
        for boxed in BOTH if not slow else BOTH[:1]:
            yield f"solved-{name}", Case(partial(as_stored, f"solutions/{name}"), boxed, slow or boxed, full,
                                         assignment=name, seed=11)
    yield "untouched", Case(partial(as_stored, f"exercises/{ASSIGNMENT}"), points=but(*FULL),
                            told=dict.fromkeys(FULL, "not written yet"))


CASES = {f"{'sandbox' if case.boxed else 'fence'}-{name}": case for name, case in cases()}


@pytest.mark.parametrize("name", [
    pytest.param(name, marks=[no_bubblewrap] * case.boxed + [pytest.mark.slow] * case.slow)
    for name, case in CASES.items()])
def test_each_has_its_fair_mark_and_leaves_no_trace(name, graded):
    """A wrong answer earns nothing and costs its own task, a broken cell nothing; what waits is left ungraded."""
    case, mark = CASES[name], graded(name)
    assert [(t.name, t.points) for t in mark.tasks] == [*case.points.items()]
    assert all(t.max_points == COURSE.points[case.assignment][t.name] for t in mark.tasks)
    assert re.fullmatch(case.ungraded, ungraded(mark))
    said = {t.name: t.message for t in mark.tasks}
    assert all(bool(t.message) == (not t.points and not t.ungraded) for t in mark.tasks)
    assert {task: said[task] for task, told in case.told.items() if told not in said[task]} == {}
    assert "told" not in str(said)
    assert not any(t.mistake for t in mark.tasks if t.name in case.told)
    if case.notes is not None:
        assert len(mark.notes) == len(case.notes), mark.notes
        assert [note for told, note in zip(case.notes, mark.notes, strict=True) if not re.search(told, note)] == []


IN_A_CLASS = "test_each_has_its_fair_mark_and_leaves_no_trace"


def test_equal_seeds_give_equal_marks(around):
    answers = {"decision": SOURCES["decision"] + " + np.random.randn() + hash('a') % 97",
               "product": SOURCES["product"].replace("/ 2", "/ 1")}
    lucky = notebook(answers, before=["raise ValueError(np.random.rand(3))"])
    first, again, other = (grade(lucky, False, seed) for seed in (7, 7, 8))
    assert first == again != other


def test_nothing_outlives_a_grader_that_dies(around):
    """Least of all what multiplies: nobody would be there to bound it. (In a sandbox bubblewrap sees to it.)"""
    cell = "import os, time\nfor _ in range(6):\n    if not os.fork(): time.sleep(600)\ntime.sleep(600)"
    if not (grader := os.fork()):
        try:
            grade(notebook(before=[cell]), False)
        finally:  # whatever happens, it must not go on as a second runner of these tests
            os._exit(0)
    while len(processes(stamped)) < 8:
        assert os.waitpid(grader, os.WNOHANG) == (0, 0)
        time.sleep(0.02)
    os.kill(grader, 9)
    os.waitpid(grader, 0)


@pytest.mark.parametrize("where", ["cell", "call"])
def test_what_the_system_ends_is_no_fault_of_the_student(where, around):
    """As it does where memory runs out: it takes the process that computes, which is the youngest."""
    endless = "open('here', 'w').close()\nwhile True: pass"
    body = endless.replace("\n", "\n    ")
    handed_in = (notebook(before=[f"if 'ONCE' not in globals():\n    ONCE = 1\n    {body}"]) if where == "cell"
                 else notebook({"decision": f"def decision(X, theta):\n    {body}"}))
    with ThreadPoolExecutor(1) as pool:
        stamp = _own.stamp
        mark = pool.submit(lambda: setattr(_own, "stamp", stamp) or grade(handed_in, False))
        while not (there := processes(lambda folder: stamped(folder) and (folder / "cwd" / "here").exists())):
            time.sleep(0.02)
        os.kill(max(there), 9)
        mark = mark.result()
    assert {t.name: t.ungraded or t.points for t in mark.tasks} == FULL | {
        "call": {"decision": TAKEN}, "cell": {}}[where]
    assert mark.notes == (f"cell {FIRST + 1} {TAKEN}; {ONLY}.",) * (where == "cell")


@pytest.mark.parametrize(("attack", "too_much", "boxed"), [
    pytest.param(CELLS["processes"]["orphans"], lambda family: len(family) > protocol.PROCESSES, True,
                 marks=no_bubblewrap),
    (CELLS["memory"]["in many processes"], lambda family: watch.memory(family) > protocol.MEMORY, False)],
    ids=["processes", "memory"])
def test_a_grader_that_is_held_up_still_knows_whose_fault_it_is(attack, too_much, boxed, around, monkeypatch):
    """On a busy machine it may first look when all is too late, and has read nothing yet."""
    line, held_up = process.Process.line, []

    def late(held, deadline):
        while not (held_up or too_much(watch.family(held._process.pid))):
            assert held._process.poll() is None
            time.sleep(0.02)
        held_up.append(True)
        return line(held, deadline)

    monkeypatch.setattr(process.Process, "line", late)
    mark = grade(notebook(before=[attack["does"]]), boxed)
    assert points(mark) == FULL
    assert re.match(rf"cell {FIRST + 1} .*{attack['told']}", mark.notes[0])


# The trusted side alone.


@pytest.mark.parametrize(("missing", "program"), [
    ("bubblewrap is not installed", []), ("", ["no-such-program"]), ("", ["sh", "-c", "echo no room >&2; exit 1"])])
def test_a_process_that_does_not_start_is_no_fault_of_the_student(missing, program, monkeypatch, around):
    monkeypatch.setattr(Box, "missing", lambda box: missing)
    monkeypatch.setattr(sandbox, "bubblewrap", lambda: program)
    mark = grade(SOLVED, True)
    assert mark.tasks == ()
    assert any(why in mark.ungraded for why in ("bubblewrap is not installed", "no-such-program", "no room"))


@pytest.mark.skipif(os.uname().machine not in fence.ARCHITECTURES, reason="its system calls have other numbers")
@pytest.mark.parametrize(("refused", "first", "told", "became"), [
    ("create rules", 0, "so what students wrote can read your files, the answers among them", "ValueError: root:"),
    ("restrict", 0, "the kernel's Landlock and seccomp take its place", "the kernel refused the Landlock rules"),
    ("prctl", 22, "the kernel's Landlock and seccomp take its place", "the kernel refused the seccomp filter"),
])
def test_what_the_kernel_cannot_refuse_is_told_and_nothing_runs_where_it_does_not_keep_its_word(
        refused, first, told, became, around):
    """A process for which the kernel answers as an older one does."""
    prctl = fence.PRCTL[fence.ARCHITECTURES[os.uname().machine][0]]
    number = {"create rules": 444, "restrict": 446, "prctl": prctl}[refused]
    argument = [(0x20, 0, 0, 16), (0x15, 0, 1, first)] if first else []
    steps = [(0x20, 0, 0, 0), (0x15, 0, len(argument) + 1, number), *argument,
             (6, 0, 0, 0x50001), (6, 0, 0, 0x7FFF0000)]
    code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *step) for step in steps))

    def graded():
        worker._own = threading.local()
        fence.KERNEL.prctl(38, 1, 0, 0, 0)
        fence.KERNEL.prctl(22, 2, struct.pack("HP", len(steps), ctypes.addressof(code)))
        mark = grade(notebook(before=["raise ValueError(open('/etc/passwd').read())"]), False)
        return f"{fence.instead()}\n{mark}"

    said, mark = in_a_child(graded).splitlines()
    assert told in said
    assert became in mark


@pytest.mark.skipif("Landlock" not in fence.instead(), reason="this kernel has no Landlock")
def test_what_is_hidden_among_what_is_shown_cannot_be_read(tmp_path):
    """As coursekit beside the packages that a submission may import."""
    files = [tmp_path / "site" / name / "x.py" for name in ("coursekit", "coursekit_more", "numpy")]
    for file in files:
        file.parent.mkdir(parents=True)
        file.write_text(file.parent.name)

    def seen():
        fence.confine([str(tmp_path / "site")], [str(files[0].parent)], str(tmp_path / "own"))
        found = []
        for file in files:
            with contextlib.suppress(PermissionError):
                found.append(file.read_text())
        return " ".join(found)

    assert in_a_child(seen) == "coursekit_more numpy"


def test_the_limits_are_those_that_instructors_read():
    text = " ".join((ROOT / "docs" / "grading.md").read_text("utf-8").split())
    for limit in (
        f"A cell may compute for {protocol.CELL_SECONDS:g} seconds and all calls",
        f"of a task for {protocol.TASK_SECONDS:g}",
        f"is stopped after {protocol.WAIT_SECONDS:g} seconds",
        f"after {protocol.SUBMISSION_SECONDS / 60:g} minutes in all",
        f"{protocol.MEMORY >> 30} GB of memory, {protocol.PROCESSES} processes and threads",
        f"{protocol.DISK >> 20} MB in files and {protocol.FILES} files",
        f"notebooks and zips of up to {collected.ZIP_BYTES >> 20} MB each and {collected.TOTAL_BYTES >> 20} MB in all",
        f"{collected.MODULE_BYTES >> 20} MB of modules",
    ):
        assert limit in text
    assert protocol.NOTEBOOK == collected.ZIP_BYTES


def test_the_next_run_takes_away_what_a_killed_one_has_left(tmp_path, monkeypatch):
    """And nothing else that is called like it: what is new may be in use, what others can enter is none of ours."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    left, new, other = (Path(tempfile.mkdtemp(prefix=process.HOMES)) for _ in range(3))
    (left / "written").write_text("x")
    other.chmod(0o755)
    for folder in (left, other):
        os.utime(folder, (time.time() - 2 * process.LEFT,) * 2)
    assert "cannot be read" in grade_notebook(b"", COURSE.drawn(ASSIGNMENT, 1), Box(open=True)).ungraded
    assert {*tmp_path.iterdir()} == {new, other}


def test_a_folder_that_cannot_be_listed_is_removed(around):
    """By a user who is not root, to whom nothing is closed."""
    folder = tempfile.mkdtemp(prefix="coursekit-")

    def left():
        with contextlib.suppress(PermissionError):
            os.chown(folder, 65534, 65534)
            os.setuid(65534)
        os.makedirs(f"{folder}/a/b")
        os.chmod(f"{folder}/a", 0o300)
        process.remove(folder)
        return str(os.listdir(folder) if os.path.exists(folder) else [])

    assert in_a_child(left) == "[]"
    shutil.rmtree(folder, ignore_errors=True)


def test_a_process_that_ends_while_memory_is_counted_counts_no_more(monkeypatch):
    """Its pages are its parent's again, and would count twice."""
    monkeypatch.setattr(protocol, "MEMORY", 0)
    large, own, child = np.ones(10_000_000), watch.memory([os.getpid()]), os.fork()
    if not child:
        time.sleep(60)
    look, gone = watch._kilobytes, []

    def late(file, names):
        if "smaps" in file and not gone:
            os.kill(child, 9)
            gone.append(os.waitpid(child, 0))
        return look(file, names)

    monkeypatch.setattr(watch, "_kilobytes", late)
    assert watch.memory([os.getpid(), child]) < own + large.nbytes / 2
    assert gone


def test_a_comparison_that_fails_is_no_fault_of_the_student(monkeypatch, around):
    def fails(task, answers, tell):
        raise OverflowError("too large") if task.name == "decision" else AssertionError

    monkeypatch.setattr(marking, "judge", fails)
    monkeypatch.setattr(marking.worker, "ask", lambda function, *arguments: function(*arguments))
    mark = grade(SOLVED, False)
    assert mark.tasks[1].ungraded == "the comparison failed (OverflowError: too large)"
    assert mark.tasks[1].points == 0
    assert not any(t.message for t in mark.tasks)


def right_answers():
    """Of decision, as they are sent."""
    task, cases = COURSE.assignments[ASSIGNMENT].exercises["decision"], COURSE.drawn(ASSIGNMENT, 3).cases["decision"]
    return [wire.encode(task.right(*map(wire.decode, case))) for case in cases]


def test_fewer_answers_than_cases_are_no_answer():
    right, expected = right_answers(), COURSE.drawn(ASSIGNMENT, 3).answers["decision"]
    for given in (right[:-1], [*right, right[0]], []):
        verdict = marking._verdict(expected, json.dumps(["answers", given]).encode())
        assert f"was called {len(right)} times and answered {len(given)} times" in verdict["sentence"]
    assert marking._verdict(expected, json.dumps(["answers", right]).encode())["sentence"] == ""


@pytest.mark.parametrize(("said", "points"), [
    ([["task", "decision"], ["answers"]], FULL["decision"]), ([["task", "decision"], ["refused", "no", "error"]], 0),
    ([["cell", 0, "cell 1"], ["note", "no"], ["task", "decision"], ["answers"], ["over", 0]], FULL["decision"]),
])
def test_what_a_call_leaves_behind_takes_no_mark_away(said, points, monkeypatch):
    """Its processes may be noticed only when its answer is here. A script stands for them."""
    said = [[*m, right_answers(), ""] if m == ["answers"] else m for m in said]
    scripts = [said, [m for t in FULL if t != "decision" for m in (["task", t], ["refused", "no", "error"])]]

    class Script(contextlib.nullcontext):
        def __init__(self, *order):
            super().__init__(self)
            self.lines = iter(scripts.pop(0))

        def line(self, deadline):
            try:
                return json.dumps(next(self.lines)).encode()
            except StopIteration:
                raise process.Stopped("started too many processes or threads") from None

        def turn(self, seconds, waiting):
            pass

    monkeypatch.setattr(marking, "Process", Script)
    mark = grade(SOLVED, False)
    assert not ungraded(mark)
    assert {t.name: t.points for t in mark.tasks} == dict.fromkeys(FULL, 0) | {"decision": points}
    scripts.append([])
    assert grade(SOLVED, False).ungraded == "the process for it started too many processes or threads"


def verdict(code, *_):
    exec(code)


@pytest.mark.slow
@pytest.mark.parametrize(("code", "seconds", "reason"), [
    ("import time; time.sleep(60)", 1, "took more than 1 seconds"), ("bytearray(10**10)", 20, "took too much memory"),
    ("import os; os._exit(1)", 20, "ended its process"),
])
def test_a_comparison_without_end_leaves_one_submission_ungraded(code, seconds, reason, around, monkeypatch):
    monkeypatch.setattr(worker, "_own", threading.local())
    with monkeypatch.context() as patch:
        patch.setattr(worker, "SECONDS", seconds)
        patch.setattr(marking, "_verdict", partial(verdict, code))
        mark = grade(SOLVED, False)
    assert mark == Mark(ASSIGNMENT, (), f"the comparison of what {next(iter(FULL))} returned {reason}")
    assert points(grade(SOLVED, False)) == FULL


@pytest.mark.slow
def test_a_wide_file_is_read_where_memory_is_bounded(around):
    """Measured is the memory of the process that grades, this one."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    grade(b'{"cells": [' + b"{}," * (6 << 20) + b"{}]}", False)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 200 << 10


# Installed from a wheel, for a grader who lacks root's rights.

OWN = os.geteuid()
USER = OWN or 54321  # whom no machine has


def way(folder):
    """How to begin a command as USER, to whom a way to this interpreter is opened where only root can go."""
    if OWN:
        return []
    prefix, begin = Path(sys.base_prefix), []
    if closed := [path for path in prefix.parents if not path.stat().st_mode & 0o001]:
        begin = [shutil.which("bwrap"), "--dev-bind", "/", "/", "--tmpfs", closed[-1], "--cap-add", "ALL"]
        for path in reversed([path for path in prefix.parents if path.is_relative_to(closed[-1])]):
            begin += ["--dir", path]
        begin += ["--ro-bind", prefix, prefix]
    subprocess.run(["chmod", "-R", "a+rX", folder], check=True)
    return [*begin, shutil.which("setpriv"), f"--reuid={USER}", f"--regid={USER}", "--clear-groups"]


@pytest.fixture(scope="module")
def place(wheel):
    """coursekit as it is installed, where everybody may go to: in a virtual environment, also a user's own packages."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "home"
        home.parent.chmod(0o755)
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", home], check=True)
        site = next(home.glob("lib/python3*")) / "site-packages"
        for path in sandbox.packages_of(("numpy", "matplotlib", "ipython", "tqdm", "nbformat", "jinja2"))[0]:
            if os.path.isdir(path):
                ignored = shutil.ignore_patterns("__pycache__", "tests")
                shutil.copytree(path, site / os.path.basename(path), ignore=ignored)
            else:
                shutil.copy(path, site)
        shutil.unpack_archive(wheel, site, "zip")
        yield home


@pytest.mark.slow
@no_bubblewrap
@pytest.mark.parametrize(("boxed", "kind"), [(True, "virtual environment"), (False, "user")])
def test_what_is_installed_from_a_wheel_grades_a_class_for_whoever_asks(boxed, kind, place, wheel):
    (site,) = place.glob("lib/python3*/site-packages")
    home, course = (place.with_name(kind) / name for name in ("of the grader", "course"))
    for name in ("in", "tmp", "bin", "own"):
        (home / name).mkdir(parents=True)
    (home / "secret.txt").write_text("tell nobody")
    for name in ("bwrap", "rm", "chmod") if boxed else ("rm", "chmod"):
        (home / "bin" / name).symlink_to(shutil.which(name))
    shutil.copytree(ROOT / "solutions" / ASSIGNMENT, course / "solutions" / ASSIGNMENT)
    around, whole = {"folder": home, "port": 0}, sum(FULL.values())
    class_of = {"solved": SOLVED, "spy": spying(around, site), "files": attacking("files", around, course)}
    lost = {"spy": ["decision"], "files": ATTACKED[: len(ANSWERS["files"])]}
    for name, nb in class_of.items():
        (home / "in" / f"{name}.ipynb").write_text(json.dumps(nb))
    python = os.path.realpath(sys.executable) if kind == "user" else place / "bin" / "python"
    command = [python, "-c", "from coursekit.cli import main; main()", "grade", "in", "--out", "out"]
    own = {"HOME": str(home / "own"), "TMPDIR": str(home / "tmp"), "PATH": str(home / "bin"),
           "PYTHONUSERBASE": str(place)}

    def said(*command, **more):
        done = subprocess.run(command, cwd=home, env=own | more, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True)
        return done.returncode, done.stdout

    # Without --course there are no answers far and wide; and no process could be started out of a zip.
    for more, sentence in (({}, "say with --course where they are"), ({"PYTHONPATH": str(wheel)}, "out of a zip")):
        failed, why = said(*command, **more)
        assert failed
        assert sentence in why
    if not OWN:
        subprocess.run(["chown", "-R", f"{USER}:{USER}", home], check=True)
    failed, told = said(*way(place.parent), *command, "--course", course)
    assert not failed, told
    assert ("WARNING: NO SANDBOX" in told) != boxed
    assert {row["student"]: float(row["total"]) for row in rows(home / "out" / "grades.csv")} == {
        name: whole - sum(FULL[task] for task in lost.get(name, ())) for name in class_of}
    assert (home / "out").stat().st_uid == USER
    pages = {page.stem: page.read_text("utf-8") for page in (home / "out" / "feedback").glob("*.html")}
    assert re.search(SAW_NONE, pages["spy"])
    assert not [name for name, page in pages.items() if "tell nobody" in page]
    assert (home / "secret.txt").read_text() == "tell nobody"
    assert sorted(os.listdir(home)) == ["bin", "in", "out", "own", "secret.txt", "tmp"]
    assert os.listdir(home / "tmp") == []
    assert not [p for p in (site, site / "coursekit", site / "numpy") if (p / "touched").exists()]
    await_end(lambda folder: folder.stat().st_uid == USER and not OWN)
