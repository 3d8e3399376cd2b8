"""What holds for every answer: when it is right, and what is said to a slip, or to a theta that must classify well."""

import tomllib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from coursekit.checking.accuracy import SENTENCES
from coursekit.checking.compare import difference, equals
from coursekit.checking.judge import judge
from coursekit.checking.task import Mistake, Sealed, Sketch, Task

TABLES = tomllib.loads(Path(__file__).with_name("judge.toml").read_text("utf-8"))


@pytest.mark.parametrize(("answer", "expected", "right"), [
    (*pair, right) for right in (True, False) for pair in TABLES["compare"][f"{right}"]])
def test_compare(answer, expected, right):
    assert equals(*(eval(text, {"np": np, "Sketch": Sketch}) for text in (answer, expected)), 1e-4) is right


def test_an_entry_may_be_off_in_relation_to_what_is_expected():
    assert [equals(v, 1000, 0.5) for v in (499, 501, 1499, 1501)] == [False, True, True, False]


def test_numbers_worked_out_by_hand_are_known_by_their_digits():
    sealed = Sealed.of(np.array([2.0, 1 / 30, -4.0, 0.0]), "f 0")
    for answer in ([2, 0.0333, -4, -0.0], [2.0000000001, 1 / 30, -4, 0], [2, 0.03329, -4, False]):
        assert equals(answer, sealed, 1e-4)
    for k, v in enumerate([3, 0.0334, -4.004, 1]):
        wrong = [v if j == k else right for j, right in enumerate([2, 1 / 30, -4, 0])]
        assert f": look at entry {k + 1}" in difference(wrong, sealed, 1e-4, tell=True)
    assert "in 2 of 4 entries" in difference([3, 0.0333, -4, 1], sealed, 1e-4)
    assert not equals([2, 0.0333, -4, 0], replace(sealed, salt="f 1"), 1e-4)  # another part has another salt
    assert equals([4], Sealed.of(np.array([4.001]), "g"), 1e-4)
    edge = Sealed.of(np.array([0.1245]), "g")
    assert all(equals([0.1245 * (1 + e)], edge, 1e-4) for e in (-1e-10, 1e-10))
    halves = Sealed.of(np.array([0.12345]), "g")
    assert [equals([v], halves, 1e-4) for v in (0.12345, 0.123, 0.1234, 0.1235, 0.124)] == [
        True, True, True, True, False]


ONE = Task("f", ("x",), 1, ("scores",), ((1,), (2,)), ((np.array([1.25, -2.0, 3.5]),), (np.array([-0.5, 4.0, 1.0]),)))
TWO = replace(ONE, returns=("scores", "sizes"), right=tuple((w, w**3 + 7) for (w,) in ONE.right))
COUNTS = Task("f", ("X", "lam"), 1, ("counts",), tuple((np.zeros(n), lam) for n, lam in ((4, 0.5), (5, 3.0), (7, 7.0))),
              tuple((np.array(w),) for w in ([0.0, 3, 8, 2], [5.0, 0, 2, 9, 1], [2.0, 6, 0, 0, 1, 4, 3])))
PLACES = Task("f", ("y", "k", "x"), 1, ("a",),
              tuple((np.array([1.0, -1, -1]), float(k), np.array([k, k * 3 % 7, 0.5])) for k in range(1, 9)),
              tuple((np.array([k, 2.0 * k, 1.5]),) for k in range(1, 9)))
SQUARES = replace(ONE, right=((np.array([[1.5, 2], [-3, 4.25]]),), (np.array([[5, -1.0, 2], [4, 3, 6], [8, 9, 7]]),)))
WIDE = replace(COUNTS, cases=tuple((np.zeros((n, d)), 1.0) for n, d in ((4, 2), (5, 3), (7, 1))))
SIZES = replace(COUNTS, right=tuple((100.0 + len(X),) for X, _ in COUNTS.cases))
FLAGS = replace(COUNTS, right=tuple((1.0 * (w > 2),) for (w,) in COUNTS.right))
HALVES = replace(PLACES, right=tuple((k / 2,) for k in range(1, 9)))
LAMS = tuple((np.array(v),) for v in ([8.0, 2, 4], [1.0, 3, 9, 5], [7.0, 6]))
INDEX = Task("f", ("lams",), 1, ("best",), LAMS, ((2.0,), (1.0,), (0.0,)))
ENTRY = replace(INDEX, right=((4.0,), (3.0,), (7.0,)))
EXACT = replace(ONE, tolerance=1e-9)
FINE = replace(COUNTS, right=tuple((w / 3 + 0.123456,) for (w,) in COUNTS.right))
SIZES_WIDE = replace(SIZES, cases=WIDE.cases)
COUNTED = replace(COUNTS, right=((4.0,), (5.0,), (7.0,)))
SHIFTED = replace(COUNTS, right=tuple((w + 0.5,) for (w,) in COUNTS.right))
NONE = replace(ONE, right=((None,), (3.0,)))
ORDER = replace(INDEX, returns=("order",), right=tuple((np.argsort(v),) for (v,) in LAMS))


@pytest.mark.parametrize(("task", "slip", "told"), [
    (task, slip, told) for task, slips in TABLES["slips"].items() for slip, told in slips.items()])
def test_a_slip_is_told(task, slip, told):
    some = globals()[task]
    made = eval(f"lambda w, {', '.join(some.arguments)}: {slip}", {"np": np})
    answers = [made(w, *case) for case, (w,) in zip(some.cases, some.right, strict=True)]
    assert told in judge(some, answers).sentence


@pytest.mark.parametrize("argument", [np.nan, [[1.0], [2.0, 3.0]], {"a": 1.0}, "text", None, np.array([np.nan, 1])])
def test_arguments_may_be_of_any_form(argument):
    odd = replace(PLACES, cases=tuple((argument, case[1], case[2]) for case in PLACES.cases))
    for slip in (lambda w: -w, lambda w: 7 * w[::-1] + 1, lambda w: [w, w], lambda w: w[0], lambda w: "text"):
        assert judge(odd, [slip(w) for (w,) in odd.right]).sentence
    assert judge(odd, [w for (w,) in odd.right]).sentence == ""


def test_what_only_looks_like_a_slip_is_not_told():
    (first,), (second,) = ONE.right
    assert "only" not in judge(ONE, [np.append(first[:-1], 9), np.append(9, second[1:])]).sentence
    counted = replace(PLACES, right=tuple((float(k),) for k in range(8)))
    assert "rounded down" not in judge(counted, [k - (k % 3 > 0) for k in range(8)]).sentence
    spoiled = [np.where(np.arange(len(w)) == 1, np.nan, w) + 9 * (np.arange(len(w)) == 0) for (w,) in COUNTS.right]
    assert "only its first entry" not in judge(COUNTS, spoiled).sentence
    assert "close" not in judge(COUNTS, [w + 0.2 * (w == 8) + 0.05 * (w == 1) for (w,) in COUNTS.right]).sentence
    assert "close" not in judge(HALVES, [w + 0.009 * (w > 0.5) + 0.02 * (w == 0.5) for (w,) in HALVES.right]).sentence
    small = replace(PLACES, right=tuple((0.01 * k,) for k in range(8)))
    assert "close" not in judge(small, [0.01 * k + 0.002 * (k % 3 + 1) for k in range(8)]).sentence


def test_a_table_that_has_no_entry_in_one_case_is_judged():
    some = replace(ONE, right=((np.zeros(0),), (np.array([1.0, 2.0]),)))
    told = judge(some, [np.stack([w, 0 * w]) for (w,) in some.right]).sentence
    assert told.startswith("In f(x=2) the answer has shape (2, 2), where shape (2,) is expected")


@pytest.mark.parametrize(("slip", "told"), TABLES["parts"].items())
def test_a_part_in_the_place_of_another_is_told(slip, told):
    made = eval(f"lambda w, v, x: {slip}")
    said = judge(TWO, [made(*right, *case) for case, right in zip(TWO.cases, TWO.right, strict=True)]).sentence
    assert said == told or (told.endswith("...") and said.startswith(told[:-3]))


def test_parts_that_count_by_themselves_are_told_and_a_known_mistake_comes_first():
    known = (Mistake("a", "Half of it.", {k: {0: w / 2} for k, (w, _) in enumerate(TWO.right)}),
             Mistake("b", "Both.", {k: {0: w / 2, 1: v + 3} for k, (w, v) in enumerate(TWO.right)}))
    some = replace(TWO, parts=(0.25, 0.5), mistakes=known)
    half = judge(some, [(w / 2, v) for w, v in TWO.right])
    assert (half.sentence, half.mistake, half.right, half.case) == ("Half of it.", "a", ("sizes",), (1,))
    assert some.earned(half.right) == 0.5
    assert judge(some, [(w / 2, v + 3) for w, v in TWO.right]).sentence == "Both."
    assert judge(some, [(w / 2, v + 9) for w, v in TWO.right]).mistake == "a"  # up to the first wrong part
    named = replace(some, mistakes=(replace(known[1], sentence="Both, `sizes` too."),))  # says what was not seen
    assert judge(named, [(w / 2, v + 9) for w, v in TWO.right]).sentence.startswith("Your `scores` is half")
    nothing, zeros = ({k: {0: w[:n] * 0, 1: 0 * v} for k, (w, v) in enumerate(TWO.right)} for n in (0, 9))
    none, zero = (replace(some, mistakes=(Mistake("c", "None.", answers),)) for answers in (nothing, zeros))
    assert judge(none, [([], 0 * v) for _, v in TWO.right]).mistake == "c"
    assert judge(none, [([], v) for _, v in TWO.right]).sentence.startswith("Your `scores` is empty in every case")
    assert judge(zero, [(0 * w, 0 * v) for w, v in TWO.right]).mistake == "c"
    assert "came back as [0, 0, 0], where" in judge(zero, [(0 * w, v) for w, v in TWO.right]).sentence
    assert judge(some, [(w / 2, 0 * v) for w, v in TWO.right]).right == ()
    (w, v), last = TWO.right
    assert judge(some, [(w, 0 * v), last]).right == ("scores",)  # one case is enough to lose it
    assert judge(replace(TWO, mistakes=known), [(w / 2, v) for w, v in TWO.right]).right == ()


def test_what_is_expected_is_told_to_students_alone():
    answers = [0 * w for (w,) in ONE.right]
    assert "which is not right" in judge(ONE, answers, tell=False).sentence
    assert "1.25" not in judge(ONE, answers, tell=False).sentence
    long = replace(ONE, right=tuple((np.arange(20.0) + k,) for k in (1, 2)))
    said = judge(long, [np.append(w[:-1], 0) for (w,) in long.right]).sentence
    assert "has 0 in row 19, where 20 is expected" in said


ACCURACY = tomllib.loads(Path(__file__).with_name("accuracy.toml").read_text("utf-8"))
W, B = np.array([1.0, -1.2, 0.8]), 0.4  # on standardized features
SPREAD, MEAN = np.array([0.5, 40.0, 3.0]), np.array([6.0, 200.0, -2.0])


def parts(flipped=0.0, n=200):
    """Three draws, of which so large a share of the labels is wrong, also of the new examples."""
    for seed in range(3):
        rng = np.random.default_rng(seed)
        S = rng.normal(size=(2 * n, 3))
        labels = np.sign(S @ W + B)
        S += 0.3 / (W @ W) * labels[:, None] * W  # nobody is near the border
        labels[np.arange(2 * n) % n < flipped * n] *= -1
        X = S * SPREAD * (1 + seed) + MEAN
        yield (X[:n], labels[:n]), (X[n:], labels[n:])


def task(flipped=0.0, right=0.9, weights=None):
    cases, new = zip(*parts(flipped), strict=True)
    return Task("learn", ("X", "y"), 1, ("theta",), cases, new, accuracy=right, weights=weights)


LAST = np.array([0, 0, 0, 1])
PLAIN, HARD = task(), task(right=1)


def found(some, change):
    """What `change` makes of theta on raw features (t), with mean m and spread s of the features."""
    for k, (X, _) in enumerate(some.cases):
        w = W / SPREAD / (1 + k)
        yield change(np.append(w, B - w @ MEAN), X.mean(axis=0), X.std(axis=0))


def as_python(arguments, text):
    return eval(f"lambda {arguments}: {text}", globals())


@pytest.mark.parametrize(("some", "change", "said"), [
    (some, change, said) for some, rows in ACCURACY["thetas"].items() for change, said in rows.items()])
def test_what_repairs_a_theta_is_told(some, change, said):
    some = eval(some)
    verdict = judge(some, list(found(some, as_python("t, m, s", change))))
    assert SENTENCES.get(said, said) in verdict.sentence
    assert bool(said) == bool(verdict.sentence)


@pytest.mark.parametrize("border", ACCURACY["borders"])
def test_a_border_in_a_known_place_is_named(border):
    def theta(X, y):
        w = W / SPREAD
        return np.append(w, -as_python("a, b", border)(X[y > 0] @ w, X[y < 0] @ w))

    far = [(X + np.outer(np.arange(len(X)) < 1, 500 * y[0] * W * SPREAD), y) for X, y in HARD.cases]  # one of them
    told = judge(replace(HARD, cases=tuple(far)), [theta(*case) for case in far]).sentence
    assert ACCURACY["borders"][border] in told


def test_a_theta_that_only_just_does_is_told_so():
    notes = [judge(some, list(found(some, lambda t, m, s: t))).note for some in map(task, (0.04, 0.08, 0.095))]
    assert notes[:2] == ["", "; 8.0% of the new examples are wrong, and 10% may be, so with other data it could fail"]
    assert notes[2].startswith("; 9.5%")
    assert judge(HARD, list(found(HARD, lambda t, m, s: t))).note == ""


def fitted(X, y, *used):
    theta = np.zeros(X.shape[1] + 1)
    theta[[*used, -1]] = np.linalg.lstsq(np.c_[X[:, used], np.ones(len(X))], y, rcond=None)[0]
    return theta


@pytest.mark.parametrize(("right", "weights", "change", "said"), ACCURACY["fits"])
def test_a_fit_with_few_weights_is_told_what_it_lacks(right, weights, change, said):
    some = task(right=right, weights=weights)
    sentence = judge(some, [as_python("X, y", change)(*case) for case in some.cases]).sentence
    assert SENTENCES.get(said, said) in sentence
    assert bool(said) == bool(sentence)
