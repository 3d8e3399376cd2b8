"""Checks that teach: right answers pass in every spelling, wrong ones get their own sentence."""

import contextlib
import json
import sys
from fractions import Fraction

import numpy as np
import pytest

import coursekit as ck
from coursekit.checking import call, student
from coursekit.checking.judge import compare, diagnose
from coursekit.checking.tasks import ASSIGNMENTS
from coursekit.grading import NotYet, check, hint, progress
from tests.checking.judging import TASKS, pairs

SEEDS = range(8)


@pytest.fixture(autouse=True)
def _own_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def said(name, answer):
    with pytest.raises(NotYet) as caught:
        check(name, answer)
    return str(caught.value)


# Right answers, as different people would write them.


def update_loop(theta, x, y):
    f = theta[len(x)]
    for j in range(len(x)):
        f += theta[j] * x[j]
    if f * y > 0:
        return list(theta)
    return [theta[j] + y * x[j] for j in range(len(x))] + [theta[-1] + y]


def update_where(theta, x, y):
    z = np.r_[x, 1]
    return np.where(y * theta.dot(z) <= 0, theta + y * z, theta).astype(np.float32)


def update_sign(theta, x, y):
    z = np.concatenate([x, [1.0]])
    return tuple(theta + (np.sign(theta @ z) != y) * y * z)


def update_fractions(theta, x, y):
    theta, x = [Fraction(t) for t in theta], [Fraction(v) for v in x]
    f = sum(t * v for t, v in zip(theta, [*x, 1], strict=True))
    return [t + int(y) * v for t, v in zip(theta, [*x, 1], strict=True)] if y * f <= 0 else theta


def perceptron_arrays(X, y, passes):
    Z = np.c_[X, np.ones(len(X))].astype(np.float32) * y[:, None].astype(np.float32)
    theta = np.zeros(Z.shape[1], dtype=np.float32)
    history, examples, p, clean = np.zeros((0, Z.shape[1])), np.zeros(0, dtype=int), 0, False
    while p < passes and not clean:
        clean, p = True, p + 1
        for i, z in enumerate(Z):
            if not theta @ z > 0:
                theta += z
                history, examples, clean = np.vstack([history, theta]), np.append(examples, i), False
    return history, examples, np.int64(p)


def perceptron_lists(X, y, passes):
    theta, out, who = [0.0] * (len(X[0]) + 1), [], []
    for p in range(1, passes + 1):
        errors = 0
        for i, (x, label) in enumerate(zip(X.tolist(), y.tolist(), strict=True)):
            if label * sum(t * v for t, v in zip(theta, [*x, 1], strict=True)) <= 0:
                theta = [t + label * v for t, v in zip(theta, [*x, 1], strict=True)]
                out.append(theta[:])
                who.append(i)
                errors += 1
        if not errors:
            return [out, who, p]
    return [out, who, passes]


def perceptron_split(X, y, passes):
    w, b = np.zeros(X.shape[1]), 0.0
    thetas, mistakes, made, done = [], [], 0, False
    while not done and made < passes:
        done = True
        made += 1
        for i in range(len(y)):
            if np.sign(w @ X[i] + b) != y[i]:
                w += y[i] * X[i]
                b += y[i]
                thetas.append(np.append(w, b))
                mistakes.append(i)
                done = False
    return np.array(thetas), mistakes, float(made)


def bound_loop(X, y, theta):
    R = max((sum(v * v for v in x) + 1) ** 0.5 for x in X.tolist())
    gamma = np.inf
    for x, label in zip(X, y, strict=True):
        gamma = min(gamma, label * (sum(a * b for a, b in zip(theta[:-1], x, strict=True)) + theta[-1]))
    gamma /= sum(t * t for t in theta) ** 0.5
    return [R, gamma, (R / gamma) ** 2 if gamma > 0 else float("inf")]


def bound_unit(X, y, theta):
    Z = np.hstack([X, np.ones((len(X), 1))]).astype(np.float32)
    unit = theta / np.sqrt(theta @ theta)
    gamma = np.min((Z @ unit.astype(np.float32)) * y)
    R = np.sqrt(np.max(np.sum(Z**2, axis=1)))
    return np.array([R, gamma, R**2 / gamma**2 if gamma > 0 else np.inf])


def bound_scalars(X, y, theta):
    R = np.float32(np.sqrt((np.linalg.norm(X, axis=1) ** 2 + 1).max()))
    margins = [yi * (xi @ theta[:-1] + theta[-1]) / np.linalg.norm(theta) for xi, yi in zip(X, y, strict=True)]
    gamma = sorted(margins)[0]
    return R, np.array(gamma), np.inf if gamma <= 0 else np.square(R / gamma)


TABLE = [(0, 1, 1, 1, 1), (2, 1, 1, 0, 0), (0, 1, 1, 2, 1), (4, 0, 1, 2, 1), (3, 1, 1, 1, 0), (2, 0, 1, 1, 0)]


def cycle_dict(X, y, passes):
    theta, when = np.zeros(X.shape[1] + 1), {}
    for p in range(passes + 1):
        key = theta.tobytes()
        if key in when:
            return np.int64(p - when[key])
        when[key] = p
        if p < passes:
            before = theta
            for x, label in zip(X, y, strict=True):
                if label * (theta @ np.append(x, 1)) <= 0:
                    theta = theta + label * np.append(x, 1)
            if before is theta:
                return None


def cycle_own_perceptron(X, y, passes):
    ends = [[0.0] * (X.shape[1] + 1)]
    for p in range(1, passes + 1):
        thetas, _, made = perceptron_lists(X, y, p)
        if made < p or (p > 1 and len(thetas) == len(perceptron_lists(X, y, p - 1)[0])):
            return None
        if thetas[-1] in ends:
            return len(ends) - ends.index(thetas[-1])
        ends.append(thetas[-1])
    return None


def cycle_arrays(X, y, passes):
    Z = np.column_stack([X, np.ones(len(X))]) * y[:, None]
    theta, seen = np.zeros(Z.shape[1]), np.zeros((1, Z.shape[1]))
    for _ in range(passes):
        mistakes = 0
        for z in Z:
            if z @ theta <= 0:
                theta = theta + z
                mistakes += 1
        if mistakes == 0:
            return None
        same = np.flatnonzero((seen == theta).all(axis=1))
        if len(same):
            return float(len(seen) - same[-1])
        seen = np.vstack([seen, theta])
    return None


VARIANTS = {
    "update": (update_loop, update_where, update_sign, update_fractions),
    "perceptron": (perceptron_arrays, perceptron_lists, perceptron_split),
    "bound": (bound_loop, bound_unit, bound_scalars),
    "hand_trace": (
        lambda: TABLE,
        lambda: np.array(TABLE, dtype=np.float32),
        lambda: [(f, bool(m), *theta) for f, m, *theta in TABLE],
    ),
    "cycle": (cycle_dict, cycle_own_perceptron, cycle_arrays),
}


@pytest.mark.parametrize(("name", "answer"), [(n, a) for n, answers in VARIANTS.items() for a in answers])
def test_right_answers_pass(name, answer, capsys):
    check(name, answer)
    assert capsys.readouterr().out == f"✓ {name}: public cases passed\n"
    for seed in SEEDS:
        cases = TASKS[name].draw(np.random.default_rng(seed))
        assert diagnose(TASKS[name], cases, call.answers(TASKS[name], answer, cases)) == ""


def test_every_task_has_variants_mistakes_and_hints():
    assert len(TASKS) == sum(map(len, ASSIGNMENTS.values()))
    assert pairs("02-perceptron", VARIANTS)
    for task in TASKS.values():
        assert len({m.sentence for m in task.mistakes}) >= 3
        assert len(set(task.hints)) == 3
        assert all(m.sentence.endswith((".", "?")) and "\n" not in m.sentence for m in task.mistakes)


@pytest.mark.parametrize("name", TASKS)
@pytest.mark.parametrize("seed", SEEDS)
def test_every_mistake_is_caught_with_its_own_sentence(name, seed):
    task = TASKS[name]
    cases = task.draw(np.random.default_rng(seed))
    for mistake in task.mistakes:
        with np.errstate(all="ignore"):
            answers = [mistake.answer(*case) for case in cases]
        assert diagnose(task, cases, answers) == mistake.sentence


def by_heart(task):
    """The answers to all public cases, looked up; else that of the last of them."""
    known = [(case, task.answer(*case)) for case in task.draw(np.random.default_rng(student.PUBLIC_SEED))]

    def answer(*given):
        equal = (e for case, e in known if all(map(np.array_equal, case, given)))
        return next(equal, known[-1][1])

    return answer


def spoiled(task, value):
    """The right answer with every number of it replaced by `value`."""

    def spoil(part):
        return part if part is None else np.full(np.shape(part), value)

    def answer(*case):
        right = task.answer(*case)
        return spoil(right) if len(task.returns) == 1 else [spoil(part) for part in right]

    return answer


@pytest.mark.parametrize("name", TASKS)
def test_what_only_looks_right_is_refused(name):
    task = TASKS[name]
    fresh = task.draw(np.random.default_rng(1))
    first = task.answer(*fresh[0])
    fakes = [lambda *case: None, lambda *case: [[[0.5]]], spoiled(task, np.nan), spoiled(task, 0.5)]
    if task.arguments:
        fakes += [lambda *case: first, by_heart(task)]
    for fake in fakes:
        assert diagnose(task, fresh, [fake(*case) for case in fresh])
    with pytest.raises(NotYet, match="this must be your own"):
        check(name, lambda *case: task.answer(*case))


def test_references_agree_with_coursekit():
    rng = np.random.default_rng(5)
    for X, y, passes in TASKS["perceptron"].draw(rng):
        trace = ck.perceptron(X, y, passes)
        thetas, mistakes, made = TASKS["perceptron"].answer(X, y, passes)
        k = trace.mistakes
        assert np.array_equal(thetas[:k], trace.thetas)
        assert np.array_equal(mistakes[:k], trace.visits[trace.when])
        assert trace.cycle or (len(thetas) == k and made == trace.passes)
    for X, y, passes in TASKS["cycle"].draw(rng):
        assert TASKS["cycle"].answer(X, y, passes) == ck.perceptron(X, y, passes).cycle
    for X, y, theta in TASKS["bound"].draw(rng):
        best = ck.mistake_bound(X, y)
        R, gamma, limit = TASKS["bound"].answer(X, y, theta)
        assert pytest.approx(best.R) == R
        if gamma > 0:
            assert gamma <= best.gamma * (1 + 1e-12)
            assert limit == pytest.approx(R**2 / gamma**2)
        else:
            assert limit == np.inf


# Wrong answers in the words of a student: source, and what the sentence must mention.

WRONG = [
    ("update", "def f(theta, x, y):\n    s = sum(theta[:-1] * x) + theta[-1]\n"
     "    if s == 0 or s * y > 0: return theta\n"
     "    return theta + y * np.append(x, 1)", "exactly 0"),
    ("update", "def f(theta, x, y):\n    p = np.where(theta @ np.append(x, 1) >= 0, 1, -1)\n"
     "    return theta + (y - p) / 2 * np.append(x, 1)", "takes 0 for +1"),
    ("update", "def f(theta, x, y):\n    return theta + y * np.append(x, 1)", "only after a mistake"),
    ("update", "def f(theta, x, y):\n    t = theta.copy()\n    if y * (t[:-1] @ x + t[-1]) <= 0: t[:-1] += y * x\n"
     "    return t", "offset never changes"),
    ("update", "def f(theta, x, y):\n    if y * (theta[:-1] @ x) <= 0: return theta + y * np.append(x, 1)\n"
     "    return theta", "misses the offset"),
    ("update", "def f(theta, x, y):\n    s = theta[:-1] @ x + theta[-1]\n"
     "    return theta + s * np.append(x, 1) if y * s <= 0 else theta", "not the score"),
    ("update", "def f(theta, x, y):\n    if y * (theta[:-1] @ x + theta[-1]) <= 0:\n"
     "        theta += y * np.append(x, 1)\n"
     "    return theta", "changed its argument theta"),
    ("update", "def f(theta, x, y):\n    t = theta.astype(int)\n    if y * (t[:-1] @ x + t[-1]) <= 0:\n"
     "        t = t + y * np.append(x, 1)\n    return t", "cut"),
    ("perceptron", "def f(X, y, passes):\n    th = np.zeros(X.shape[1] + 1); T = []; M = []\n"
     "    for p in range(passes):\n"
     "        clean = True\n        for i in range(len(X)):\n            if y[i] * (th[:-1] @ X[i] + th[-1]) <= 0:\n"
     "                th += y[i] * np.append(X[i], 1); T.append(th); M.append(i); clean = False\n"
     "        if clean: break\n    return T, M, p + 1", "same array"),
    ("perceptron", "def f(X, y, passes):\n    th = np.zeros(X.shape[1] + 1); T = []; M = []\n"
     "    for p in range(passes):\n"
     "        for i in range(len(X)):\n            if y[i] * (th[:-1] @ X[i] + th[-1]) <= 0:\n"
     "                th = th + y[i] * np.append(X[i], 1); T.append(th); M.append(i)\n        return T, M, p + 1",
     "after the first pass"),
    ("perceptron", "def f(X, y, passes):\n    th = np.zeros(X.shape[1] + 1); T = []; M = []\n"
     "    for p in range(passes):\n"
     "        clean = True\n        for i in range(len(X)):\n            if y[i] * (th[:-1] @ X[i] + th[-1]) <= 0:\n"
     "                th = th + y[i] * np.append(X[i], 1); clean = False\n            T.append(th); M.append(i)\n"
     "        if clean: break\n    return T, M, p + 1", "note every visit"),
    ("perceptron", "def f(X, y, passes):\n    th = np.zeros(X.shape[1] + 1); T = []; M = []\n"
     "    for p in range(passes):\n"
     "        clean = True\n        for i in range(len(X)):\n            if y[i] * (th[:-1] @ X[i] + th[-1]) <= 0:\n"
     "                th = th + y[i] * np.append(X[i], 1); T.append(th); M.append(i); clean = False\n"
     "        if clean: break\n    return T, M, p", "range(passes) counts from 0"),
    ("bound", "def f(X, y, theta):\n    R = max(np.sqrt((X ** 2).sum(1)))\n"
     "    g = min(y * (X @ theta[:-1] + theta[-1])) / np.linalg.norm(theta)\n"
     "    return R, g, (R / g) ** 2 if g > 0 else np.inf", "constant attribute"),
    ("bound", "def f(X, y, theta):\n    R = max(np.sqrt((X ** 2).sum(1) + 1))\n"
     "    g = min(y * (X @ theta[:-1] + theta[-1]))\n"
     "    return R, g, (R / g) ** 2 if g > 0 else np.inf", "not divided"),
    ("bound", "def f(X, y, theta):\n    R = max(np.sqrt((X ** 2).sum(1) + 1))\n"
     "    g = min(y * (X @ theta[:-1] + theta[-1])) / np.linalg.norm(theta)\n"
     "    return R, g, R / g if g > 0 else np.inf", "not squared"),
    ("bound", "def f(X, y, theta):\n    R = max(np.sqrt((X ** 2).sum(1)))\n    return R, 5, -1", "constant attribute"),
    ("bound", "def f(X, y, theta):\n    Z = np.c_[X, np.ones(len(X))]\n    R = np.linalg.norm(Z, axis=1).max()\n"
     "    g = min(y * (Z @ theta)) / np.linalg.norm(theta)\n    return R, g, (R / g) ** 2 if g > 0 else None",
     "not None"),
    ("hand_trace", "def f():\n    return [(0, 0, 0, 0, 0)] + [(0, 0, 0, 0, 0)] * 5", "exactly 0"),
    ("hand_trace", "def f():\n    return [(0, 1, 1, 1, 1), (2, 1, 1, 0, 0), (0, 1, 1, 2, 1), (4, 0, 1, 2, 1), "
     "(3, 1, 1, 1, 0), (2, 0, 1, 1, 1)]", "visit 6 came back"),
    ("cycle", "def f(X, y, passes):\n    th = np.zeros(X.shape[1] + 1); seen = [th.tolist()]\n"
     "    for p in range(passes):\n"
     "        for i in range(len(X)):\n            if y[i] * (th[:-1] @ X[i] + th[-1]) <= 0:\n"
     "                th = th + y[i] * np.append(X[i], 1)\n        if th.tolist() in seen: return len(seen) - "
     "seen.index(th.tolist())\n        seen.append(th.tolist())", "not a cycle"),
]


@pytest.mark.parametrize(("name", "source", "mention"), WRONG)
def test_wrong_answers_of_a_student(name, source, mention):
    space = {"np": np}
    exec(source, space)
    sentence = said(name, space["f"])
    assert mention in sentence
    assert "\n" not in sentence


def table(theta, x, y):
    return {(0.0, 0.0): [1.5, 1.0]}.get(tuple(theta), np.zeros(len(theta)))


def borrowed(X, y, passes):
    trace = ck.perceptron(X, y, passes)
    return trace.thetas, trace.visits[trace.when], trace.passes


def borrowed_quietly(X, y, passes):
    try:
        return TASKS["cycle"].answer(X, y, passes)
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
    ("perceptron", lambda X, y, passes: np.zeros(3), "thetas has shape ()"),
    ("perceptron", lambda X, y, passes: 3, "3 things are asked for: thetas, mistakes, passes_made"),
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


def test_failing_case_never_tells_the_answer():
    sentence = said("update", lambda theta, x, y: 0 * theta - 77)
    case = TASKS["update"].draw(np.random.default_rng(student.PUBLIC_SEED))[0]
    assert TASKS["update"].call(case) in sentence
    assert "-77" in sentence
    assert str(TASKS["update"].answer(*case).tolist()) not in sentence


def test_shown_as_one_sentence_without_a_stack():
    with pytest.raises(NotYet) as caught:
        check("update", lambda theta, x, y: theta * np.nan)
    assert caught.value._render_traceback_() == [str(caught.value)]
    assert caught.value.__cause__ is None


def test_unknown_task_names_the_known_ones():
    assert "'update'" in said("updat", None)
    with pytest.raises(NotYet, match="hand_trace"):
        hint("nothing")


def test_printing_is_cut_and_does_not_fail(capsys):
    def update(theta, x, y):
        print("theta" * 1000)
        return update_loop(theta, x, y)

    check("update", update)
    out = capsys.readouterr().out
    assert len(out) < call.PRINTED + 200
    assert out.count("left out") == 1
    assert out.endswith("✓ update: public cases passed\n")


def test_warnings_of_an_answer_are_no_fault(recwarn):
    def bound(X, y, theta):
        np.array([1.0]) / 0
        return bound_loop(X, y, theta)

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
        check("update", update_loop)
        assert sys.gettrace() is tracer
    finally:
        sys.settrace(before)


@pytest.mark.parametrize("name", TASKS)
def test_same_seed_same_cases(name):
    first, again, other = (str(TASKS[name].draw(np.random.default_rng(s))) for s in (3, 3, 4))
    assert first == again
    assert first != other or not TASKS[name].arguments


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
        (1 + 0j, 1, False),
        ([], np.zeros((0, 3)), True),
        ([], np.zeros(1), False),
    ],
)
def test_compare(answer, expected, right):
    assert bool(compare(answer, expected, 1e-4)) is not right


def test_hints_grow_one_by_one(capsys, monkeypatch):
    monkeypatch.setattr(student, "_hints_given", type(student._hints_given)())
    for _ in range(4):
        hint("update")
    lines = capsys.readouterr().out.splitlines()
    assert [line[:11] for line in lines] == ["Hint 1 of 3", "Hint 2 of 3", "Hint 3 of 3", "Hint 3 of 3"]
    assert len(set(lines)) == 3


def test_progress_outlives_the_kernel_and_follows_the_last_check(tmp_path, monkeypatch, capsys):
    here = tmp_path / "exercises" / "02-perceptron"
    here.mkdir(parents=True)
    monkeypatch.chdir(here)
    check("update", update_loop)
    check("bound", bound_loop)
    capsys.readouterr()
    progress()
    lines = capsys.readouterr().out.splitlines()
    start = lines.index("02-perceptron: 2 of 5 tasks")
    assert lines[start + 1 : start + 4] == ["  ✓ update", "  · perceptron", "  ✓ bound"]
    said("bound", lambda X, y, theta: None)
    kept = json.loads((tmp_path / "exercises" / student.PROGRESS).read_text())
    assert kept == {"passed": ["update"]}
    assert [p.name for p in tmp_path.rglob("*") if p.is_file()] == [student.PROGRESS]


def test_progress_file_that_cannot_be_read_or_written(tmp_path, monkeypatch, capsys):
    (tmp_path / student.PROGRESS).write_text("{half")
    progress()
    assert "0 of 5" in capsys.readouterr().out
    monkeypatch.setattr(student, "_file", lambda: tmp_path / "nowhere" / student.PROGRESS)
    check("update", update_loop)
