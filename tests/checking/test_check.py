"""What a student calls, what becomes of a function that returns no answer, and what is said to a slip in Python."""

import contextlib
import faulthandler
import json
import linecache
import math
import re
import sys
import tomllib
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import coursekit as ck
from coursekit.checking import call, checks, student
from coursekit.checking.call import explain
from coursekit.checking.signature import Signature, short
from coursekit.grading import NotYet, check, hint, progress
from coursekit_grade.imported import DATA_SETS, imported
from coursekit_grade.written import dumps
from tests.checking.judging import HOME, drawn

HALF_WRITTEN = tomllib.loads(Path(__file__).with_name("half_written.toml").read_text("utf-8"))
update_right, bound_right = HOME["update"].space["update"], HOME["bound"].space["bound"]


@pytest.fixture(autouse=True)
def _own_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(student, "_written", [])


@pytest.fixture
def lone(tmp_path, monkeypatch):
    """The folder of one exercise, which the notebook lies in."""
    (folder := tmp_path / "exercises" / "01-other").mkdir(parents=True)
    monkeypatch.chdir(folder)
    return folder


def said(name, answer):
    with pytest.raises(NotYet) as caught:
        check(name, answer)
    return str(caught.value)


def test_an_answer_may_make_and_load_data():
    def f(x):
        own = ck.datasets.Dataset(np.eye(2), np.array([1.0, -1.0]), ("a", "b"), ("n", "p")).standardized()
        ck.datasets._read.cache_clear()
        some = ck.datasets.mails(), ck.datasets.multiclass_blobs(), ck.datasets.load("iris").split(0.5, 0.5)[0]
        return [len(data) for data in (own, *some)]

    assert call.run(Signature("f", ("x",)), f, [(1,)]) == [[2, 24, 200, 75]]


@pytest.mark.parametrize(("name", "kind"), [(name, kind) for name, kinds in HALF_WRITTEN.items() for kind in kinds])
def test_half_written_answers_get_one_sentence(name, kind, monkeypatch):
    """What became of the call is known without it."""
    monkeypatch.setattr(call, "SECONDS", 0.5)
    half, file = HALF_WRITTEN[name][kind], f"<a cell, {kind}>"
    cell, space = half["cell"].strip("\n"), {"np": np, "ck": ck, "contextlib": contextlib}
    linecache.cache[file] = (len(cell), None, cell.splitlines(keepends=True), file)
    exec(compile(cell, file, "exec"), space)
    sentence = said(name, space[name])
    assert half["told"].lower() in sentence.lower()
    assert "\n" not in sentence
    assert "coursekit/" not in sentence
    if "outcome" in half:
        with pytest.raises(NotYet) as caught:
            call.run(drawn(name), space[name], list(drawn(name).cases))
        assert caught.value.outcome == half["outcome"]


def test_a_call_is_stopped_for_its_own_computing_or_after_long_waiting(monkeypatch):
    clock = SimpleNamespace(now=0, computed=0, monotonic=lambda: clock.now, process_time=lambda: clock.computed)
    monkeypatch.setattr(call, "time", clock)
    watch = call._Watch()
    for clock.now, clock.computed, late in ((4, 1, False), (4, 3, True), (14.9, 1, False), (15, 1, True)):
        assert watch._late() == late


def test_what_one_call_returned_is_no_other_when_the_next_one_has_changed_it():
    seen = []
    assert call.run(Signature("f", ("x",)), lambda x: seen.append(x) or seen, [(1,), (2,)]) == [[1], [1, 2]]


def test_a_failing_case_is_left_to_try_with_what_came_and_what_is_expected():
    sentence = said("update", lambda theta, x, y: 0 * theta - 77)
    theta, x, y = check.case
    assert drawn("update").call((theta, x, y)) in sentence
    assert f"came back as [-77, -77], where [{', '.join(f'{v:g}' for v in update_right(theta, x, y))}]" in sentence
    assert sentence.endswith("To make this call yourself, run update(*check.case) in a new cell.")
    known = said("update", lambda theta, x, y: theta + y * np.append(x, 1))
    assert known.startswith("Update only after a mistake")
    assert "make this call" not in known
    theta, x, y = check.case
    assert y * (theta[:-1] @ x + theta[-1]) > 0
    said("update", lambda theta, x, y: theta[99])
    assert len(check.case) == 3
    check("update", update_right)
    assert check.case == ()


def test_what_is_worked_out_by_hand_is_never_told():
    rows = [(0, 1, 1, 1, 1), (2, 1, 1, 0, 0), (0, 1, 1, 2, 1), (4, 0, 1, 2, 1), (3, 1, 1, 1, 0), (2, 0, 1, 1, 7)]
    assert said("hand_trace", lambda: rows) == (
        "`visit 6` came back as (2, 0, 1, 1, 7), which is not right: look at entry 5."
    )


def test_shown_as_one_sentence_without_a_stack():
    with pytest.raises(NotYet) as caught:
        check("update", lambda theta, x, y: theta * np.nan)
    (text,) = caught.value._render_traceback_()
    assert text.split() == str(caught.value).split()
    assert max(map(len, text.splitlines())) <= 80 < len(text)
    assert caught.value.__cause__ is None


def test_unknown_task_names_the_known_ones():
    for ask, told in ((lambda: check("Updat", None), r'do you mean "update"\?'), (lambda: hint("none"), "hand_trace"),
                      (lambda: check(update_right, "update"), "name of the task comes first"),
                      (check, r'as in check\("\w+"\); here are .*hand_trace')):
        with pytest.raises(NotYet, match=told):
            ask()


TASK = json.loads(dumps([drawn("update")]))["tasks"][0]


@pytest.mark.parametrize(("text", "mention"), [
    ('{"version": 2,\n"tasks": ["update"', "line 2: "), (b"\xff update", "cannot be read"), ("", "line 1: "),
    ('{"version": 99, "tasks": ["update"]}', "line 1: this is version 99, this coursekit reads version 2"),
    ('["update"]', "is not what coursekit release writes"),
    ('{"tasks": ["update"]}', "is not what coursekit release writes: 'version' is missing"),
    ('{"version": 2, "tasks": ["update"]}', "is not what coursekit release writes"),
    (json.dumps({"version": 2, "tasks": [{**TASK, "cases": [["one"], [["two"]]]}]}), "is not what coursekit"),
    (json.dumps({"version": 2, "tasks": [{k: v for k, v in TASK.items() if k != "points"}]}),
     "the task update, line 1, has no 'points'"),
])
def test_checks_that_cannot_be_read_are_named(lone, text, mention):
    file = lone / checks.FILE
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    for ask in (lambda: check("no_such_task", update_right), lambda: hint("no_such_task"), progress,
                *[lambda: check("update", update_right)] * bool(text)):
        with pytest.raises(NotYet, match=f"^{re.escape(str(file))}.*{re.escape(mention)}"):
            ask()


def test_checks_are_found_beside_the_notebook_first_and_in_the_course_around(lone, capsys, monkeypatch):
    """Also where a browser laid them out again."""
    for folder, own in ((lone.with_name("00-first"), "of the first"), (lone, "its own")):
        folder.mkdir(exist_ok=True)
        told = {"version": 2, "tasks": [{**TASK, "name": "other", "hints": [own]}]}
        (folder / checks.FILE).write_text(json.dumps(told, indent=2))
    hint("other")
    assert capsys.readouterr().out == "Hint 1 of 1 (the last): its own\n"
    monkeypatch.chdir(lone.parents[1])
    check("other", update_right)
    assert capsys.readouterr().out.startswith("✓ other")


def test_a_call_is_written_as_a_student_would():
    asked = Signature("f", ("X", "y"))
    assert asked.call((np.zeros((2, 2)), -0.0)) == "f(X=[[0, 0], [0, 0]], y=0)"
    assert asked.call((np.arange(60.0).reshape(30, 2) + 0.25, 1.0)) == "f(X=an array of shape (30, 2), y=1)"
    assert short(np.array([0.12344, *range(11)])) == "[0.1234, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]"
    assert short(np.zeros(1001)) == "an array of shape (1001,)"
    assert short("a" * 200) == "'" + "a" * 96 + "..."
    assert short([object(), {1: object()}]) == "[<object object>, {1: <object object>}]"  # wherever they are in memory
    deep = [np.zeros((100_000, 0))] * 1000
    for _ in range(10):
        deep = [deep] * 1000
    assert len(short(deep)) <= 100  # and soon there


def test_printing_is_cut_and_does_not_fail(capsys):
    check("update", lambda theta, x, y: print("theta" * 1000) or update_right(theta, x, y))
    out = capsys.readouterr().out
    assert len(out) < call.PRINTED + 200
    assert out.count("left out") == out.count("✓ update: no fault found\n") == 1


def test_a_tick_warns_of_what_an_older_python_cannot_read(capsys, monkeypatch):
    source = "def update(theta, x, y):\n    return right(theta, x, y)\ntype Score = float"
    monkeypatch.setattr(linecache, "getlines", lambda file: source.splitlines(keepends=True))
    for version, told in (((3, 11, 7), False), ((3, 14, 2), True)):
        monkeypatch.setattr(sys, "version_info", version)
        check("update", update_right)
        warning = "\nIt needs Python 3.12, and may be graded on an older one: line 3 of its cell has a type statement."
        assert (warning in capsys.readouterr().out) == told


def test_printing_is_shown_of_the_call_that_fails_alone(capsys):
    said("update", lambda theta, x, y: print("with", theta) or (update_right(theta, x, y) if len(x) == 1 else -theta))
    assert capsys.readouterr().out == f"with {check.case[0]}\n"


def test_what_is_no_answer_are_the_data_sets_and_what_they_import():
    assert {*imported(DATA_SETS)} == {"coursekit", *call.DATA}


def test_an_answer_may_print_where_the_screen_is_coursekits_own(monkeypatch):
    space = {"__name__": "coursekit.predictions.predict"}
    exec("class Screen:\n    said = ''\n    def write(self, text):\n        self.said += text", space)
    screen = space["Screen"]()
    monkeypatch.setattr(sys, "stdout", screen)
    check("update", lambda theta, x, y: print("theta") or update_right(theta, x, y))
    assert screen.said == "theta\n✓ update: no fault found\n"
    monkeypatch.setattr(call, "SECONDS", 0.5)
    with pytest.raises(NotYet, match="still running"):
        check("update", lambda theta, x, y: [print(theta) for _ in iter(int, 1)])


def test_warnings_of_an_answer_are_no_fault_and_a_tracer_that_was_there_is_put_back(recwarn):
    before, tracer = sys.gettrace(), lambda *_: None
    sys.settrace(tracer)
    try:
        check("update", lambda theta, x, y: [np.array([1.0]) / 0, update_right(theta, x, y)][1])
        assert sys.gettrace() is tracer
    finally:
        sys.settrace(before)
    assert not recwarn.list


def test_least_squares_of_nan_which_nothing_could_stop_is_told():
    faulthandler.dump_traceback_later(60, exit=True)
    try:
        for solve in (lambda A: np.linalg.lstsq(A, [1.0, 2]), lambda A: np.polyfit(np.ravel(A), [1, 2, 3, 4], 1)):
            with pytest.raises(NotYet, match=r"called with NaN or infinity, .* division by 0, in line"):
                check("update", lambda theta, x, y, solve=solve: solve(np.array([[1, np.nan], [2, 1]])))
    finally:
        faulthandler.cancel_dump_traceback_later()


def test_interrupt_reaches_the_notebook():
    def update(theta, x, y):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        check("update", update)


def test_hints_grow_one_by_one(capsys, monkeypatch):
    monkeypatch.setattr(student, "_hints_given", {})
    monkeypatch.setattr(student, "_last_failure", {})
    for asked in ((), (), (), (), (1,), ()):
        hint("update", *asked)
    assert [line.split(":")[0] for line in capsys.readouterr().out.splitlines()] == [
        "Hint 1 of 3", "Hint 2 of 3", "Hint 3 of 3 (the last)",
        'There are no more hints; hint("update", 1) goes back to the first. Here is the last again',
        "Hint 1 of 3", "Hint 2 of 3"]
    for asked, mention in (((), "as in hint(\"one_line\"); here are one_line, decision"),
                           (("update", 4), "update has hints 1 to 3; got 4"), (("update", 0), "got 0"),
                           (("update", "two"), "got 'two'"), ((update_right,), 'as in hint("update")')):
        with pytest.raises(NotYet, match=re.escape(mention)):
            hint(*asked)
    wrong = said("update", lambda theta, x, y: theta)
    hint("update")
    assert capsys.readouterr().out.splitlines()[0] == f"Your last check said: {wrong}"
    check("update", update_right)
    hint("update")
    assert "Your last check said" not in capsys.readouterr().out


def test_progress_outlives_the_kernel_and_follows_the_last_check(tmp_path, monkeypatch, capsys):
    (here := tmp_path / "exercises" / "02-perceptron").mkdir(parents=True)
    monkeypatch.chdir(here)
    check("update", update_right)
    check("bound", bound_right)
    capsys.readouterr()
    progress()
    lines = capsys.readouterr().out.splitlines()
    assert sum(line.startswith("  ") for line in lines) == 8  # of this exercise alone
    start = lines.index("02-perceptron: 2 of 8 tasks, 5 of 22 points")
    assert lines[start + 1 : start + 3] == ["  ✓ update (2 points)", "  · hand_trace (1 point, not tried yet)"]
    most = sum(task.points for tasks in checks.known().values() for task in tasks.values())
    assert lines[-1] == f"Together: 5 of {most:g} points"
    said("bound", lambda X, y, theta: None)
    kept = json.loads((tmp_path / "exercises" / student.PROGRESS).read_text())
    assert kept == {"passed": ["update"], "failed": ["bound"]}
    monkeypatch.chdir("/")
    progress()
    out = capsys.readouterr().out
    assert "02-perceptron: 1 of 8 tasks, 2 of 22 points" in out
    assert "✗ bound (3 points, last check failed)" in out
    assert [p.name for p in tmp_path.rglob("*") if p.is_file()] == [student.PROGRESS]


def test_progress_file_that_cannot_be_read_or_written(tmp_path, monkeypatch, capsys):
    (tmp_path / student.PROGRESS).write_text("{half")
    progress()
    assert "0 of 8" in capsys.readouterr().out
    monkeypatch.setattr(student, "_file", lambda: tmp_path / "nowhere" / student.PROGRESS)
    check("update", update_right)


@pytest.mark.parametrize("annotation", ["Vector", "np.Vector"])
def test_an_annotation_that_names_nothing_is_no_fault_of_an_answer(annotation):
    """From Python 3.14 on nobody evaluates it, unless somebody asks; before, its cell fails."""
    class Late:
        def __call__(self, theta, x, y):
            return update_right(theta, x, y)

        @property
        def __signature__(self):
            return eval(annotation, {"np": np})

    check("update", Late())


def test_an_index_that_few_numbers_do_not_have_is_explained_by_the_case():
    sentence = said("update", lambda theta, x, y: theta[0] * x[0] + theta[1] * x[1])
    assert "there is no entry or row 1: this array has 1 of them" in sentence
    assert "here x has one entry alone: write it for any number of them" in sentence
    sentence = said("update", lambda theta, x, y: np.zeros(3)[len(theta) + 3])
    assert "write it for any number" not in sentence


HERE = {"np": np, "math": math, "z": np.array([1.0, -2.0, 3.0]), "X": np.ones((3, 2)), "theta": np.ones(3),
        "L": [1, 2, 3], "k": np.array([1, 2])}
SLIPS = tomllib.loads(Path(__file__).with_name("slips.toml").read_text("utf-8"))


@pytest.mark.filterwarnings("ignore::SyntaxWarning")
@pytest.mark.parametrize("slip", SLIPS)
def test_a_slip_is_explain(slip):
    with pytest.raises(Exception) as caught:  # noqa: PT011 - whatever Python says to it
        exec(slip, dict(HERE))
    told = explain(caught.value)
    assert SLIPS[slip] in told
    assert told.startswith(caught.type.__name__.lstrip("_"))


def test_what_is_not_known_is_said_as_it_is():
    assert explain(ValueError("one\n  two")) == "ValueError: one two"
    assert explain(type("_Own", (ValueError,), {})("one")) == "Own: one"
    assert explain(KeyError(object())) == "KeyError: <object object>"  # wherever it is in memory
    assert len(explain(ValueError("long " * 100))) <= 200
