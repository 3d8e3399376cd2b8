"""What ticks in Jupyter is marked; what the grader lacks or cannot read is left ungraded, and told as what it is."""

import ast
import builtins
import importlib.util
import io
import json
import os
import sys
import threading
import time
import tomllib
from concurrent.futures import ThreadPoolExecutor
from importlib.machinery import SourceFileLoader
from pathlib import Path

import IPython
import numpy as np
import pytest

from coursekit.checking import newer
from coursekit_grade import imported, reading, sandbox
from coursekit_grade.child import StandIn, _missing, answers
from coursekit_grade.kernel import Kernel
from coursekit_grade.mark import FOREIGN
from coursekit_grade.protocol import Kind
from tests.grading import shared
from tests.grading.test_hostile import FIRST, FULL, SOLVED, SOURCES, filled, grade, no_bubblewrap, notebook
from tests.grading.test_no_answers import carried

STUDENTS = tomllib.loads(Path(__file__).with_name("lacking.toml").read_text("utf-8"))
MINOR = sys.version_info.minor
HERE, NEXT = f"3.{MINOR}", f"3.{MINOR + 1}"


def graded(answers, before=(), python=""):
    """The tasks by name, and what is noted, where these cells stand in front of the answers."""
    handed_in = notebook(answers, before)
    handed_in["metadata"]["language_info"] = {"name": "python", "version": python}
    for cell in handed_in["cells"]:
        cell |= {"outputs": [], "execution_count": None}
    mark = grade(handed_in, False)
    return {task.name: task for task in mark.tasks}, mark.notes


def test_cells_are_those_of_ipython():
    ours = SOURCES | {"line_through": SOURCES["line_through"].replace("np.", "")}  # below %pylab
    answers = {task: filled(source, **ours) for task, source in STUDENTS["ipython"]["answers"].items()}
    tasks, notes = graded(answers, [filled(source, **ours) for source in STUDENTS["ipython"]["before"]])
    assert {name: (task.points, task.message) for name, task in tasks.items()} == {n: (m, "") for n, m in FULL.items()}
    assert notes == ()


def test_what_is_not_there_is_left_ungraded_and_a_students_own_fault_is_not():
    lacks = STUDENTS["lacks"]
    tasks, _ = graded(lacks["answers"], lacks["before"], f"{NEXT}.0")
    assert {task.points for task in tasks.values()} == {0}
    told = {name: task.ungraded or f"{task.outcome}: {task.message}" for name, task in tasks.items()}
    why = {name: why.replace("NEXT", NEXT).replace("HERE", HERE) for name, why in lacks["told"].items()}
    if (3, MINOR + 1) > newer.NEWEST:  # of which nothing is known
        why["product"] = f"cell product cannot be read by Python {HERE}, and the notebook is from Python {NEXT}"
    assert told == why


@pytest.mark.parametrize("boxed", [False, pytest.param(True, marks=no_bubblewrap)])
def test_what_needs_other_processes_is_told(boxed):
    pool = "    with {}(2) as p: return list(p.map(abs, range(9)))"
    answers = {"decision": f"def decision(X, theta):\n    from multiprocessing import Pool\n{pool.format('Pool')}",
               "cell": "def cell(X, y, theta, offset):\n    from concurrent.futures import ProcessPoolExecutor\n"
                       f"{pool.format('ProcessPoolExecutor')}",
               "product": "def product(a, b, total):\n    import subprocess; return subprocess.run(['ls'])"}
    needs = {task: f"it needs {what}, which must not be had while it is graded" for task, what in {
        **dict.fromkeys(("decision", "cell"), "processes that share its memory"), "product": "other programs"}.items()}
    assert {task.name: task.ungraded or task.points for task in grade(notebook(answers), boxed).tasks} == FULL | needs


@pytest.fixture
def kernel(tmp_path, monkeypatch):
    """One that runs here, in an empty folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path, str(tmp_path)])
    monkeypatch.setattr(sys, "modules", dict(sys.modules))
    monkeypatch.setattr(IPython, "get_ipython", IPython.get_ipython)  # a notebook's own is set there
    monkeypatch.setattr(sys, "displayhook", sys.displayhook)
    monkeypatch.setattr(os, "environ", os.environ.copy())
    monkeypatch.setattr(importlib.util, "find_spec", importlib.util.find_spec)
    monkeypatch.setattr(os, "stat", os.stat)
    monkeypatch.setattr(SourceFileLoader, "source_to_code", SourceFileLoader.source_to_code)
    for name in ("get_ipython", "display", "__passed_over__", "_"):
        monkeypatch.setattr(builtins, name, None, raising=False)
    kernel = Kernel((), "/no/data")
    kernel.space |= {"StandIn": StandIn, "np": np}
    return kernel


def because(kernel, name="answer"):
    """Why a function is not there, or what its call lacks."""
    if name not in kernel.space:
        return _missing(name, kernel)[1]
    try:
        kernel.space[name]()
    except Exception as error:
        return kernel.lack(error) or kernel.doubt(name)
    return kernel.doubt(name) or "right"


@pytest.mark.parametrize("case", [case for case in STUDENTS["kinds"] if case.get("before", 99) > MINOR],
                         ids=lambda case: case["does"][-1].strip()[-40:])
def test_each_kind_of_what_is_not_there_is_told_from_a_fault(case, kernel, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO())
    kernel.python = sys.version_info[:2] if "same" in case else tuple(case.get("python", ()))
    kernel.there, told = case.get("there"), case["told"].replace("HERE", HERE)
    for source in case["does"]:
        kernel.execute("cell answer", source.lstrip("\n"))
    assert because(kernel) == told if not case.get("part") else told in because(kernel)


def test_what_a_call_needs_from_a_helper_that_cannot_be_read_is_told(kernel, monkeypatch):
    for name in ("stdout", "stderr"):
        monkeypatch.setattr(sys, name, None)
    kernel.execute("cell 1", "%%writefile with_a_fault.py\n\nx = = 1")
    kernel.execute("cell 2", "import with_a_fault\ndef answer(): return with_a_fault.x\ndef other(): return StandIn()")
    kernel.execute("cell 3", "def helper(:\n    return 1")
    kernel.execute("cell 4", "def helped(): return helper()")
    told = answers("helped", {"arguments": [], "cases": [[]]}, kernel)[1]
    assert told.endswith("as its cell failed: SyntaxError: invalid syntax, in line 1: `def helper(:`.")
    told = [answers(name, {"arguments": [], "cases": [[]]}, kernel)[:2] for name in ("answer", "other")]
    why = " There is no with_a_fault, as its cell failed: SyntaxError: invalid syntax, in line 2 of with_a_fault.py."
    assert told[0][1].endswith(why)
    kernel.execute("cell 5", "def text(): return 'a StandIn object'")
    assert answers("text", {"arguments": [], "cases": [[]]}, kernel)[0] == Kind.ANSWERS
    assert told[1] == (Kind.LACKS, "it goes on with what coursekit computes, which is not there while it is graded")


def test_what_a_file_that_was_cut_behind_a_bracket_lacks_is_its_end():
    whole = json.dumps(SOLVED).encode()
    cuts = whole.rindex(b"}", 0, len(whole) // 2) + 1, whole.index(b'"source"') + 4
    for data, said in (*((whole[:cut], "ends too early") for cut in cuts),
                       (whole.replace(b"[", b"(", 1), "something has changed the file")):
        with pytest.raises(reading.Unreadable, match=said):
            reading.steps_of(data, ())


def test_a_notebook_of_something_else_is_no_0():
    """One that lost what nbgrader writes into cells is graded by its functions, as long as one of them is right."""
    for right in (0, 1):
        other = notebook(dict(zip(list(SOURCES)[right:], ["def momentum(): pass"] * len(SOURCES), strict=False)))
        mark = grade(other | {"cells": [cell | {"metadata": {}} for cell in other["cells"]]}, False)
        assert (mark.ungraded, sum(task.points > 0 for task in mark.tasks)) == (FOREIGN * (not right), right)
        assert grade(shared.SOLUTION, False).ungraded == FOREIGN  # of another exercise
        assert grade(other, False).ungraded == grade(json.dumps(other).encode("utf-16"), False).ungraded == ""


@pytest.mark.parametrize("cell", STUDENTS["newer"], ids=lambda cell: cell["what"])
def test_what_an_older_python_cannot_read_is_found(cell):
    source = cell["does"].strip("\n")
    rest, (new, *_) = newer.older(source)
    assert (new.what, new.line) == (cell["what"], cell["line"])
    ast.parse(rest)
    assert rest.count("\n") == source.count("\n")
    try:
        ast.parse(source)
    except SyntaxError:
        assert sys.version_info[:2] < new.python
    else:
        assert sys.version_info[:2] >= new.python


def test_what_every_python_reads_is_left_alone_and_what_none_reads_is_not_taken_for_news():
    for source in STUDENTS["python"]["reads"]:
        ast.parse(source)
        assert newer.older(source) == (source, [])
    for source in [*STUDENTS["python"]["reads_not"], "f'{'" * 2000]:
        with pytest.raises(SyntaxError):
            ast.parse(newer.older(source)[0])


@pytest.mark.skipif(MINOR > 13, reason="of 3.14, the newest that we know, this Python has all")
def test_what_only_a_newer_python_or_numpy_has_is_no_reason_for_a_0():
    newer = {"cell": f"step = 1\n{SOURCES['cell']}\nprint(t'{{1}}')", "product": "def product(*given): pass",
             "seen_and_new": "def helper(): return step\ndef seen_and_new(*given): return helper()",
             "decision": SOURCES["decision"].replace("(X, theta)", "(X: Mails, theta) -> Scores"),  # not looked up
             "line_through": "def line_through(*given): return np.as_of_late(given)"}
    tasks, (note,) = graded(newer, python="3.14.0")
    assert {name: task.points for name, task in tasks.items()} == FULL | dict.fromkeys(newer, 0) | {
        "decision": FULL["decision"]}
    assert "has not: AttributeError: module 'numpy' has no attribute 'as_of_late'" in tasks["line_through"].ungraded
    why = f"cell cell needs Python 3.14, and the grader has {HERE}: it has a t-string, in "
    assert {name for name, task in tasks.items() if task.ungraded.startswith(why)} == {"cell", "seen_and_new"}
    assert tasks["product"].ungraded == ""  # it needs nothing of that cell
    assert "SyntaxError" in note


@pytest.mark.parametrize(("evalue", "count", "why"), [
    ("cell(X=1) raised AttributeError: numpy has no zeroes", 3, ""), ("cell(X=1) raised IndexError", 3, "'zeroes'"),
    ("cell(X=1) raised AttributeError: numpy has no eyes", 3, "'zeroes'"),
    (None, 3, "'zeroes'"), (None, None, "'zeroes' (the notebook does not tell whether it ran where it was written)")])
def test_what_a_notebook_shows_of_its_own_runs_tells_a_slip_from_another_version(evalue, count, why):
    handed_in = notebook({"cell": "def cell(*given): return np.zeroes(1)"})
    check = next(cell for cell in handed_in["cells"] if shared.grade_id(cell) == "cell-check")
    error = {"output_type": "error", "ename": "NotYet", "evalue": evalue, "traceback": []}
    check |= {"execution_count": count, "outputs": [error] if evalue else []}
    (task,) = (task for task in grade(handed_in, False).tasks if task.name == "cell")
    assert (task.points, task.ungraded.endswith(why), bool(task.ungraded)) == (0, True, bool(why))


def test_what_is_wrong_for_a_package_that_a_try_goes_on_without_is_ungraded_and_nothing_else():
    without = "try:\n    import no_such\n    {0} = True\nexcept ImportError:\n    {0} = False"
    wrong = {"decision": "def decision(X, theta): return theta if HAS_IT else X",
             "product": "def product(*given): return 0",
             "line_through": f"def helped(): return HAS_IT\n{SOURCES['line_through']}\n    return helped()"}
    tasks, _ = graded(wrong, [without.format("HAS_IT"), without.format("IN_COLAB")])
    assert {name: task.points for name, task in tasks.items()} == FULL | {"decision": 0, "product": 0}
    assert {name for name, task in tasks.items() if task.ungraded.startswith("it imports no_such,")} == {"decision"}


def test_who_moved_answers_to_the_end_has_them():
    handed_in = notebook()
    handed_in["cells"] = [cell for cell in handed_in["cells"] if shared.grade_id(cell) not in FULL]
    handed_in["cells"].append(dict(handed_in["cells"][-1], metadata={}, source="\n".join(SOURCES.values())))
    assert {task.name: task.points for task in grade(handed_in, False).tasks} == FULL


def test_threads_that_ask_what_may_be_read_do_not_meet(monkeypatch):
    """Python 3.11 may fail where two of them parse, and the first notebooks of a class would be left ungraded."""
    parse, alone = ast.parse, threading.Lock()

    def slow(source):
        assert alone.acquire(blocking=False), "two at once"
        time.sleep(0.001)
        alone.release()
        return parse(source)

    imported.imported.cache_clear()
    monkeypatch.setattr(imported.ast, "parse", slow)
    with ThreadPoolExecutor(4) as pool:
        first, *others = pool.map(lambda _: imported.imported("coursekit.core.losses"), range(4))
    assert len(first) > 4
    assert others == 3 * [first]


def test_what_a_submission_may_read_is_what_it_imports_and_no_answer():
    uses = ("import sys, coursekit as ck\ndata = ck.datasets.load('iris').standardized()\n"
            "raise ValueError(len(data.y), [n for n, m in sys.modules.items() if n.startswith('coursekit.')\n"
            "                               and n.count('.') == 2 and not hasattr(m, '__file__')])")
    _, notes = graded({}, [uses])
    # Each that is missing would have a stand-in.
    assert notes == (f"cell {FIRST + 1}: ValueError: (150, []), in line 3",)
    texts = [(name, Path(file).read_text("utf-8")) for name, file in sandbox.modules().items()]
    assert carried(texts) == []
    assert not [name for name, _ in texts if name.split(".")[1:2] in (["algorithms"], ["explorers"], ["plots"])]
