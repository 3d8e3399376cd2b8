"""Checks that teach: what holds for every task, and what a student reads."""

import contextlib
import json
import sys
from dataclasses import replace

import numpy as np
import pytest

import coursekit as ck
from coursekit.checking import NotYet, call, check, checks, hint, progress, student
from coursekit.checking.judge import compare, judged
from coursekit.checking.task import Task
from tests.checking.judging import tasks


@pytest.fixture(autouse=True)
def _own_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(student, "_written", [])


@pytest.fixture
def lone(tmp_path, monkeypatch):
    """The folder of one exercise, which the notebook lies in."""
    folder = tmp_path / "exercises" / "01-other"
    folder.mkdir(parents=True)
    monkeypatch.chdir(folder)
    return folder


def said(name, answer):
    with pytest.raises(NotYet) as caught:
        check(name, answer)
    return str(caught.value)


def update_right(theta, x, y):
    z = np.append(x, 1)
    return theta + y * z if y * (theta @ z) <= 0 else theta


def bound_right(X, y, theta):
    Z = np.hstack([X, np.ones((len(X), 1))])
    R, gamma = np.sqrt((Z**2).sum(axis=1).max()), (y * (Z @ theta)).min() / np.sqrt(theta @ theta)
    return R, gamma, (R / gamma) ** 2 if gamma > 0 else np.inf


def table(theta, x, y):
    return {(0.0, 0.0): [1.5, 1.0]}.get(tuple(theta), np.zeros(len(theta)))


def borrowed(X, y, passes):
    trace = ck.perceptron(X, y, passes)
    return trace.thetas, trace.visits[trace.when], trace.passes


def borrowed_quietly(X, y, passes):
    try:
        return ck.perceptron(X, y, passes).cycle
    except Exception:
        return None


def endless(theta, x, y):
    while True: pass  # noqa: E701


def endless_swallowing(theta, x, y):
    while True:
        with contextlib.suppress(Exception):
            theta = theta + 0


def failing(theta, x, y):
    return theta[99]


def in_itself(theta, x, y):
    thetas = [theta]
    thetas.append(thetas)
    return thetas


HALF_WRITTEN = [
    ("update", in_itself, "nested more than 12 deep"),
    ("update", lambda theta, x, y: np.full(len(theta), np.nan), "NaN"),
    ("update", lambda theta, x, y: [None, *theta[1:]], "there is a None in it"),
    ("update", lambda theta, x, y: None, "return"),
    ("update", lambda theta, x, y: theta[:-1].sum(), "shape ()"),
    ("update", lambda theta, x, y: theta[:, None], "shape (2, 1)"),
    ("update", lambda theta, x, y: np.append(theta, 1), "length 3"),
    ("update", lambda theta, x, y: "theta", "not made of numbers"),
    ("update", lambda theta, x, y: (t for t in theta), "not made of numbers"),
    ("update", lambda theta, x, y: [[1], [2, 3]], "regular grid"),
    ("update", lambda theta, x: theta, "must take (theta, x, y); yours takes (theta, x)"),
    ("update", lambda: 0, "yours takes (nothing)"),
    ("update", failing, "`return theta[99]`"),
    ("update", endless, "`while True: pass"),
    ("update", endless_swallowing, "a loop that never ends"),
    ("update", table, "in update("),
    ("update", lambda theta, x, y: np.zeros(len(theta)), "in update("),
    ("update", lambda theta, x, y: endless_recursion(), "RecursionError"),
    ("update", lambda theta, x, y: exit(), "SystemExit"),
    ("update", None, "hand your function"),
    ("update", np.zeros(3), "hand your function"),
    ("perceptron", lambda X, y, passes: np.zeros(3), "`thetas` has shape ()"),
    ("perceptron", lambda X, y, passes: 3, "3 things are asked for: return thetas, mistakes, passes_made"),
    ("perceptron", lambda X, y, passes: ([], []), "2 part(s)"),
    ("perceptron", borrowed, "this must be your own"),
    ("perceptron", ck.perceptron, "this must be your own"),
    ("cycle", borrowed_quietly, "this must be your own"),
    ("cycle", lambda X, y, passes: 1, "length 1"),
    ("cycle", lambda X, y, passes: None, "never find a repeat"),
    ("bound", lambda X, y, theta: (1.0, 1.0, 1.0), "in bound("),
    ("hand_trace", lambda: [], "0 part(s)"),
]


def endless_recursion():
    return endless_recursion()


@pytest.mark.parametrize(("name", "answer", "mention"), HALF_WRITTEN)
def test_half_written_answers_get_one_sentence(name, answer, mention, monkeypatch):
    monkeypatch.setattr(call, "SECONDS", 1.0)
    sentence = said(name, answer)
    assert mention.lower() in sentence.lower()
    assert "\n" not in sentence
    assert "coursekit/" not in sentence


def test_stub_says_it_is_not_written():
    def update(theta, x, y):
        raise NotImplementedError("write your answer here")

    assert "not written yet" in said("update", update)


def test_a_failing_case_is_left_to_try_with_what_came_and_what_is_expected():
    sentence = said("update", lambda theta, x, y: 0 * theta - 77)
    theta, x, y = check.case
    assert tasks("02-perceptron")["update"].call((theta, x, y)) in sentence
    assert f"came back as [-77, -77], where [{', '.join(f'{v:g}' for v in update_right(theta, x, y))}]" in sentence
    assert sentence.endswith("To make this call yourself, run update(*check.case) in a new cell.")
    known = said("update", lambda theta, x, y: theta + y * np.append(x, 1))
    assert known.startswith("You correct at every visit")
    assert known.endswith("To make this call yourself, run update(*check.case) in a new cell.")
    theta, x, y = check.case
    assert y * (theta[:-1] @ x + theta[-1]) > 0
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
    assert 'do you mean "update"?' in said("Updat", None)
    with pytest.raises(NotYet, match="hand_trace"):
        hint("nothing")
    with pytest.raises(NotYet, match="name of the task comes first"):
        check(update_right, "update")


TASK = json.loads(checks.dumps([tasks("02-perceptron")["update"]]))["tasks"][0]


@pytest.mark.parametrize(
    ("text", "mention"),
    [
        ('{"version": 2,\n"tasks": ["update"', "line 2: "),
        ('{"version": 99, "tasks": ["update"]}', "line 1: this is version 99, this coursekit reads version 2"),
        ('["update"]', "is not what coursekit release writes"),
        ('{"tasks": ["update"]}', "is not what coursekit release writes: 'version' is missing"),
        ('{"version": 2, "tasks": ["update"]}', "is not what coursekit release writes"),
        (json.dumps({"version": 2, "tasks": [{**TASK, "cases": [["one"], [["two"]]]}]}), "is not what coursekit"),
        (json.dumps({"version": 2, "tasks": [{k: v for k, v in TASK.items() if k != "points"}]}),
         "the task update, line 1, has no 'points'"),
        (b"\xff update", "cannot be read"),
        ("", "line 1: "),
    ],
)
def test_checks_that_cannot_be_read_are_named(lone, text, mention):
    file = lone / checks.FILE
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    for ask in (lambda: check("no_such_task", update_right), lambda: hint("no_such_task"), progress,
                *[lambda: check("update", update_right)] * bool(text)):
        with pytest.raises(NotYet) as caught:
            ask()
        assert str(caught.value).startswith(str(file))
        assert mention in str(caught.value)


def test_checks_that_a_browser_laid_out_again_are_found(lone, capsys):
    (lone / checks.FILE).write_text(json.dumps({"version": 2, "tasks": [{**TASK, "name": "other"}]}, indent=2))
    check("other", update_right)
    assert capsys.readouterr().out.startswith("✓ other")


def test_printing_is_cut_and_does_not_fail(capsys):
    def update(theta, x, y):
        print("theta" * 1000)
        return update_right(theta, x, y)

    check("update", update)
    out = capsys.readouterr().out
    assert len(out) < call.PRINTED + 200
    assert out.count("left out") == 1
    assert out.endswith("✓ update: no fault found\n")


def test_an_answer_may_print_where_the_screen_is_coursekits_own(monkeypatch):
    def update(theta, x, y):
        print("theta")
        return update_right(theta, x, y)

    space = {"__name__": "coursekit.explorers.notebook"}
    exec("class Screen:\n    said = ''\n    def write(self, text):\n        self.said += text", space)
    screen = space["Screen"]()
    monkeypatch.setattr(sys, "stdout", screen)
    check("update", update)
    assert screen.said.startswith("theta\ntheta\n")
    monkeypatch.setattr(call, "SECONDS", 0.5)
    with pytest.raises(NotYet, match="still running"):
        check("update", printing_without_end)


def printing_without_end(theta, x, y):
    while True:
        print(theta)


def test_warnings_of_an_answer_are_no_fault(recwarn):
    def bound(X, y, theta):
        np.array([1.0]) / 0
        return bound_right(X, y, theta)

    check("bound", bound)
    assert not recwarn.list


def test_interrupt_reaches_the_notebook():
    def update(theta, x, y):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        check("update", update)


def test_a_tracer_that_was_there_is_put_back():
    def tracer(*_):
        return None

    before = sys.gettrace()
    sys.settrace(tracer)
    try:
        check("update", update_right)
        assert sys.gettrace() is tracer
    finally:
        sys.settrace(before)


@pytest.mark.parametrize(
    ("answer", "expected", "right"),
    [
        (3, 3, True),
        (3.0, 3, True),
        (np.array(3), 3, True),
        (np.array([3]), 3, False),
        (True, 1, False),
        (1, True, True),
        ("1", 1, False),
        (None, None, True),
        (0, None, False),
        (None, 0, False),
        (np.inf, np.inf, True),
        (1e300, np.inf, False),
        (-np.inf, np.inf, False),
        ([1, 2], np.array([1.0, 2.0]), True),
        ([1, 2.1], np.array([1.0, 2.0]), False),
        ([[1], [2]], np.array([1.0, 2.0]), False),
        ([1, None], np.array([1.0, 2.0]), False),
        ([True, False], np.array([1.0, 0.0]), False),
        ([1e6, -90], np.array([1e6, 5.0]), False),
        (1 + 0j, 1, False),
        ([], np.zeros((0, 3)), True),
        ([], np.zeros(1), False),
    ],
)
def test_compare(answer, expected, right):
    assert bool(compare(answer, expected, 1e-4)) is not right


ONE = Task("f", ("x",), 1, ("scores",), ((1,), (2,)), ((np.array([1.25, -2.0, 3.5]),), (np.array([-0.5, 4.0, 1.0]),)))
TWO = replace(ONE, returns=("scores", "sizes"), right=tuple((w, w**3 + 7) for (w,) in ONE.right))


@pytest.mark.parametrize(
    ("slip", "told"),
    [
        (lambda w: -w, "Your answer has the opposite sign"),
        (abs, "lost its signs"),
        (np.sign, "kept the signs alone"),
        (lambda w: w.astype(int), "lost its fractions"),
        (lambda w: 2 * w, "twice what it should be"),
        (lambda w: w / 2, "half of what"),
        (lambda w: w + 1, "1 too large"),
        (lambda w: 1 - w, "1 minus"),
        (lambda w: w**2, "the square of"),
        (lambda w: w[::-1], "the wrong way round"),
        (lambda w: np.roll(w, 1), "begins with what should be its last"),
        (lambda w: w[:-1], "lacks the last entry"),
        (lambda w: w[1:], "lacks the first entry"),
        (lambda w: w[-1], "the last entry alone"),
        (lambda w: w.mean(), "one number, the mean"),
        (lambda w: w[:, None], "a column of shape (n, 1)"),
        (lambda w: np.append(w[:-1], 0), "only its last entry is wrong, in every case"),
        (lambda w: np.append(9, w[1:]), "only its first entry is wrong, in every case"),
    ],
)
def test_a_slip_that_any_task_can_meet_is_told(slip, told):
    assert told in judged(ONE, [slip(w) for (w,) in ONE.right]).sentence
    again = judged(TWO, [(w, slip(v)) for w, v in TWO.right]).sentence
    assert ("`sizes`" in again) is bool(again)


COUNTS = Task("f", ("X", "lam"), 1, ("counts",), tuple((np.zeros(n), lam) for n, lam in ((4, 0.5), (5, 3.0), (7, 7.0))),
              tuple((np.array(w),) for w in ([0.0, 3, 8, 2], [5.0, 0, 2, 9, 1], [2.0, 6, 0, 0, 1, 4, 3])))


@pytest.mark.parametrize(
    ("slip", "told"),
    [
        (lambda w, n, lam: w - 2 * (w == 0), "negative where it should be 0"),
        (lambda w, n, lam: w * (-1) ** np.arange(n), "its size is asked for, without the sign"),
        (lambda w, n, lam: w + 0.25, "it should be rounded down"),
        (lambda w, n, lam: np.where((w == 2) | (w == 3), 0, w), "is 0 in places where it should not be"),
        (lambda w, n, lam: np.where(w == 0, 5, w), "is not 0 everywhere where it should be"),
        (lambda w, n, lam: np.append(w[2:], w[1::-1]), "right but for the order"),
        (lambda w, n, lam: w * n, "what is asked for, multiplied by n, the length of X."),
        (lambda w, n, lam: w * np.sqrt(n / (n - 1)), "multiplied by the root of n / (n - 1), with n, the length of X."),
        (lambda w, n, lam: w / lam, "what is asked for, divided by the argument `lam`."),
        (lambda w, n, lam: w - lam, "what is asked for, minus the argument `lam`."),
        (lambda w, n, lam: w * 1.7, "1.7 times what is asked for"),
        (lambda w, n, lam: w - 7.5, "7.5 too small everywhere"),
        (lambda w, n, lam: [w, 0 * w], "the sum of each column is asked for"),
        (lambda w, n, lam: np.stack([w, 0 * w], axis=1), "the sum of each row is asked for"),
        (lambda w, n, lam: 9 + 0 * w, "it is 9 in every case"),
        (lambda w, n, lam: w if n > 4 else w + 1, "2 of 3 cases are right"),
        (lambda w, n, lam: w > 2, "is True or False, where numbers are asked for."),
    ],
)
def test_what_was_done_too_much_or_too_little_is_told(slip, told):
    answers = [slip(w, len(X), lam) for (X, lam), (w,) in zip(COUNTS.cases, COUNTS.right, strict=True)]
    assert told in judged(COUNTS, answers).sentence


PLACES = Task("f", ("y", "k", "x"), 1, ("a",),
              tuple((np.array([1.0, -1, -1]), float(k), np.array([k, k * 3 % 7, 0.5])) for k in range(1, 9)),
              tuple((np.array([k, 2.0 * k, 1.5]),) for k in range(1, 9)))


@pytest.mark.parametrize(
    ("slip", "told"),
    [
        (lambda w, y, k: w if k < 4 else 7 * w[::-1], "; it is wrong wherever `k` is 4 or more, and nowhere else."),
        (lambda w, y, k: w if k > 3 else 7 * w[::-1], "; it is wrong wherever `k` is 3 or less, and nowhere else."),
        (lambda w, y, k: w if not 2 < k < 6 else 7 * w[::-1], "wherever `k` is from 3 to 5, and nowhere else."),
        (lambda w, y, k: w * np.where(y < 0, 3 + k, 1), "its entries are wrong wherever `y` is -1, and nowhere else."),
        (lambda w, y, k: w * np.where((y < 0) & (k > 1), 3 + k, 1), "; its entries are wrong only where `y` is -1."),
        (lambda w, y, k: w if k % 2 else 7 * w[::-1], "; 4 of 8 cases are right."),
    ],
)
def test_what_the_wrong_cases_have_in_common_is_told(slip, told):
    answers = [slip(w, y, k) for (y, k, _), (w,) in zip(PLACES.cases, PLACES.right, strict=True)]
    assert told in judged(PLACES, answers).sentence


def test_a_number_for_each_row_where_one_is_asked_for_is_told():
    sizes = replace(COUNTS, right=tuple((100.0 + len(X),) for X, _ in COUNTS.cases))
    assert judged(sizes, [np.arange(len(X)) for X, _ in COUNTS.cases]).sentence == (
        "Your answer has a number for each entry of `X`: one number is asked for.")
    tables = replace(sizes, cases=tuple((X[:, None], lam) for X, lam in COUNTS.cases))
    assert "for each row of `X`" in judged(tables, [np.arange(len(X)) for X, _ in COUNTS.cases]).sentence


def test_a_mean_over_all_entries_of_a_table_is_told():
    tables = replace(COUNTS, cases=tuple((np.zeros((n, d)), 1.0) for n, d in ((4, 2), (5, 3), (7, 1))))
    answers = [w / X.shape[1] for (X, _), (w,) in zip(tables.cases, tables.right, strict=True)]
    assert "divided by the number of columns of X." in judged(tables, answers).sentence


def test_a_division_that_cuts_off_is_told_where_rounding_errors_made_it_1_less():
    halves = replace(PLACES, right=tuple((k / 2,) for k in range(1, 9)))
    assert "is rounded down, as by //" in judged(halves, [(k - 1e-12) // 2 for k in range(1, 9)]).sentence
    assert "rounded down" not in judged(replace(PLACES, right=tuple((float(k),) for k in range(8))), [
        k - (k % 3 > 0) for k in range(8)]).sentence


def test_true_and_false_that_are_right_are_not_told_to_be_negative():
    flags = replace(COUNTS, right=tuple((1.0 * (w > 2),) for (w,) in COUNTS.right))
    assert "True or False, where numbers are asked for; multiplied by 1" in judged(
        flags, [w > 2 for (w,) in COUNTS.right]).sentence


def test_what_is_nearly_right_is_not_told_to_be_1_times_what_is_asked_for():
    halves = replace(COUNTS, right=tuple((w + 0.5,) for (w,) in COUNTS.right))
    assert "it is close in every case" in judged(halves, [1.0003 * w for (w,) in halves.right]).sentence


def test_an_entry_that_is_no_number_is_wrong_as_well():
    answers = [np.where(np.arange(n) == 1, np.nan, w) + 9 * (np.arange(n) == 0)
               for n, (w,) in zip((4, 5, 7), COUNTS.right, strict=True)]
    said = judged(COUNTS, answers).sentence
    assert "contains NaN" in said
    assert "only its first entry" not in said


def test_a_part_in_the_place_of_another_is_told():
    assert judged(TWO, [(v, v) for _, v in TWO.right]).sentence == "Your `scores` is what belongs in `sizes`."
    both = [(v, w) for w, v in TWO.right]
    assert judged(TWO, both).sentence.startswith("The parts are right but in another order, sizes, scores")


def test_an_entry_in_the_place_of_its_index_is_told_and_the_other_way_round():
    lams = [np.array(v) for v in ([8.0, 2, 4], [1.0, 3, 9, 5], [7.0, 6])]
    cases, places = tuple((v,) for v in lams), (2.0, 1.0, 0.0)
    entries = [v[int(k)] for v, k in zip(lams, places, strict=True)]
    index = Task("f", ("lams",), 1, ("best",), cases, tuple((k,) for k in places))
    entry = replace(index, right=tuple((e,) for e in entries))
    assert judged(index, entries).sentence.startswith("Your answer is an entry of `lams`: where it stands")
    assert judged(entry, places).sentence == "Your answer is a position in `lams`: return the entry that stands there."
    assert judged(entry, [9, 9, 9]).sentence.startswith("In f(lams=[8, 2, 4])")


def test_what_is_wrong_in_some_cases_alone_is_no_slip_of_every_case():
    (first,), (second,) = ONE.right
    sentence = judged(ONE, [-first, second]).sentence
    assert sentence.startswith("In f(x=1) the answer came back as [-1.25, 2, -3.5], where [1.25, -2, 3.5]")
    assert "In f(x=1)" in judged(ONE, [np.zeros(3), np.zeros(3)]).sentence
    assert "only" not in judged(ONE, [np.append(first[:-1], 9), np.append(9, second[1:])]).sentence


def test_hints_grow_one_by_one(capsys, monkeypatch):
    monkeypatch.setattr(student, "_hints_given", {})
    monkeypatch.setattr(student, "_last_failure", {})
    for _ in range(4):
        hint("update")
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(":")[0] for line in lines] == [
        "Hint 1 of 3", "Hint 2 of 3", "Hint 3 of 3 (the last)",
        "There are no more hints; here is the last again, 3 of 3"
    ]
    wrong = said("update", lambda theta, x, y: theta)
    hint("update")
    wrong = wrong.removesuffix(" To make this call yourself, run update(*check.case) in a new cell.")
    assert capsys.readouterr().out.splitlines()[0] == f"Your last check said: {wrong}"


def test_progress_outlives_the_kernel_and_follows_the_last_check(tmp_path, monkeypatch, capsys):
    here = tmp_path / "exercises" / "02-perceptron"
    here.mkdir(parents=True)
    monkeypatch.chdir(here)
    check("update", update_right)
    check("bound", bound_right)
    capsys.readouterr()
    progress()
    lines = capsys.readouterr().out.splitlines()
    start = lines.index("02-perceptron: 2 of 8 tasks, 5 of 22 points")
    assert lines[start + 1 : start + 4] == [
        "  ✓ update (2 points)", "  · hand_trace (1 point, not tried yet)", "  · perceptron (4 points, not tried yet)"
    ]
    most = sum(task.points for tasks in checks.known().values() for task in tasks.values())
    assert lines[-1] == f"Together: 5 of {most:g} points"
    said("bound", lambda X, y, theta: None)
    kept = json.loads((tmp_path / "exercises" / student.PROGRESS).read_text())
    assert kept == {"passed": ["update"], "failed": ["bound"]}
    monkeypatch.chdir("/")
    progress()
    assert "02-perceptron: 1 of 8 tasks, 2 of 22 points" in capsys.readouterr().out
    assert [p.name for p in tmp_path.rglob("*") if p.is_file()] == [student.PROGRESS]


def test_progress_file_that_cannot_be_read_or_written(tmp_path, monkeypatch, capsys):
    (tmp_path / student.PROGRESS).write_text("{half")
    progress()
    assert "0 of 8" in capsys.readouterr().out
    monkeypatch.setattr(student, "_file", lambda: tmp_path / "nowhere" / student.PROGRESS)
    check("update", update_right)


def test_an_index_that_few_numbers_do_not_have_is_explained_by_the_case():
    sentence = said("update", lambda theta, x, y: theta[0] * x[0] + theta[1] * x[1])
    assert "there is no entry or row 1: this array has 1 of them" in sentence
    assert "here x has one entry alone: write it for any number of them" in sentence
    sentence = said("update", lambda theta, x, y: np.zeros(3)[len(theta) + 3])
    assert "this array has 3 of them" in sentence
    assert "write it for any number" not in sentence
