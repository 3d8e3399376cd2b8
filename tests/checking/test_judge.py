"""What holds for every answer: when it is right, and what is said to a slip that any task can meet."""

from dataclasses import replace

import numpy as np
import pytest

from coursekit.checking.compare import compare
from coursekit.checking.judge import judge
from coursekit.checking.task import Mistake, Sealed, Sketch, Task


@pytest.mark.parametrize(("answer", "expected", "right"), [
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
    (np.nan, np.nan, True),
    (np.nan, 1, False),
    (1, np.nan, False),
    ([1, 2], np.array([1.0, 2.0]), True),
    ([1, 2.1], np.array([1.0, 2.0]), False),
    ([[1], [2]], np.array([1.0, 2.0]), False),
    ([1, None], np.array([1.0, 2.0]), False),
    ([[1], [2, 3]], np.array([1.0, 2.0]), False),
    ([True, False], np.array([1.0, 0.0]), False),
    ([1e6, -90], np.array([1e6, 5.0]), False),
    (1 + 0j, 1, False),
    ([], np.zeros((0, 3)), True),
    ([], np.zeros(1), False),
    (0.00009, 0, True),
    (0.00011, 0, False),
    (1000.09, 1000, True),
    (1000.11, 1000, False),
    (-1000.09, -1000, True),
    (10**400, 1, False),
    ([1.5, 2.5], Sketch.of(np.array([1.5, 2.5])), True),
    ([2.5, 1.5], Sketch.of(np.array([1.5, 2.5])), False),
    ([1.5, np.nan], Sketch.of(np.array([1.5, np.inf])), False),
])
def test_compare(answer, expected, right):
    assert bool(compare(answer, expected, 1e-4)) is not right


def test_an_entry_may_be_off_in_relation_to_what_is_expected():
    assert [bool(compare(v, 1000, 0.5)) for v in (499, 501, 1499, 1501)] == [True, False, False, True]


def test_numbers_worked_out_by_hand_are_known_by_their_digits():
    sealed = Sealed.of(np.array([2.0, 1 / 30, -4.0, 0.0]), "f 0")
    for answer in ([2, 0.0333, -4, -0.0], [2.0000000001, 1 / 30, -4, 0], [2, 0.03329, -4, False]):
        assert compare(answer, sealed, 1e-4) == ""
    for k, v in enumerate([3, 0.0334, -4.004, 1]):
        wrong = [v if j == k else right for j, right in enumerate([2, 1 / 30, -4, 0])]
        assert f": look at entry {k + 1}" in compare(wrong, sealed, 1e-4, tell=True)
    assert "in 2 of 4 entries" in compare([3, 0.0333, -4, 1], sealed, 1e-4)
    assert compare([2, 0.0333, -4, 0], replace(sealed, salt="f 1"), 1e-4)  # another part has another salt
    assert compare([4], Sealed.of(np.array([4.001]), "g"), 1e-4) == ""
    edge = Sealed.of(np.array([0.1245]), "g")
    assert [compare([0.1245 * (1 + e)], edge, 1e-4) for e in (-1e-10, 1e-10)] == ["", ""]
    halves = Sealed.of(np.array([0.12345]), "g")
    assert [compare([v], halves, 1e-4) == "" for v in (0.12345, 0.123, 0.1234, 0.1235, 0.124)] == [
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
FINE = replace(COUNTS, right=tuple((w / 3 + 0.123456,) for (w,) in COUNTS.right))


@pytest.mark.parametrize(("task", "slip", "told"), [
    (ONE, lambda w, x: -w, "Your answer has the opposite sign"),
    (ONE, lambda w, x: abs(w), "lost its signs"),
    (ONE, lambda w, x: np.sign(w), "kept the signs alone"),
    (ONE, lambda w, x: w * (w > 0), "0 where it should be negative"),
    (ONE, lambda w, x: w.astype(int), "lost its fractions"),
    (ONE, lambda w, x: 2 * w, "twice what it should be"),
    (ONE, lambda w, x: w / 2, "half of what"),
    (ONE, lambda w, x: 100 * w, "in per cent"),
    (ONE, lambda w, x: 1 / w, "1 divided by what"),
    (ONE, lambda w, x: w + 1, "1 too large everywhere, as where counting begins at 1"),
    (ONE, lambda w, x: w - 1, "1 too small everywhere, as where counting begins at 0"),
    (ONE, lambda w, x: 1 - w, "1 minus"),
    (ONE, lambda w, x: w**2, "the square of"),
    (ONE, lambda w, x: abs(w) ** 0.5, "the square root of"),
    (ONE, lambda w, x: w / 3, "divided by n, the number of its entries"),
    (ONE, lambda w, x: w / sum(w * w) ** 0.5, "divided by its length"),
    (ONE, lambda w, x: sorted(w), "is sorted"),
    (ONE, lambda w, x: w[::-1], "the wrong way round"),
    (ONE, lambda w, x: np.roll(w, 1), "begins with what should be its last"),
    (ONE, lambda w, x: [*w[1:], w[0]], "ends with what should be its first"),
    (ONE, lambda w, x: w[:-1], "lacks the last entry"),
    (ONE, lambda w, x: w[1:], "lacks the first entry"),
    (ONE, lambda w, x: w[0], "is the first entry alone"),
    (ONE, lambda w, x: w[:1], "holds the first entry alone"),
    (ONE, lambda w, x: w[-1], "the last entry alone"),
    (ONE, lambda w, x: w.mean(), "one number, the mean"),
    (ONE, lambda w, x: w.sum(), "one number, the sum"),
    (ONE, lambda w, x: w[:, None], "a column of shape (n, 1)"),
    (ONE, lambda w, x: w[None], "a row of shape (1, n)"),
    (ONE, lambda w, x: (w, 7), "2 things came back: return scores alone."),
    (ONE, lambda w, x: np.append(w[:-1], 0), "only its last entry is wrong, in every case"),
    (ONE, lambda w, x: np.append(9, w[1:]), "only its first entry is wrong, in every case"),
    (ONE, lambda w, x: 0 * w, "In f(x=1) the answer came back as [0, 0, 0], where [1.25, -2, 3.5] is expected"),
    (ONE, lambda w, x: -w if x == 1 else w,
     "In f(x=1) the answer came back as [-1.25, 2, -3.5], where [1.25, -2, 3.5]"),
    (ONE, lambda w, x: [None, *w[1:]], "there is a None in it"),
    (ONE, lambda w, x: None, "f returns None: it must reach a return with the answer"),
    (ONE, lambda w, x: w if x == 1 else None, "f(x=2) came back as None: f returns None there, or ends without"),
    (SQUARES, lambda w, x: w.T, "lies on its side"),
    (SQUARES, lambda w, x: [list(w[-1])] * len(w), "the same numbers in every row"),
    (SQUARES, lambda w, x: [[v * (j >= i) for j, v in enumerate(row)] for i, row in enumerate(w)],
     "above its diagonal alone"),
    (SQUARES, lambda w, x: [[v * (j <= i) for j, v in enumerate(row)] for i, row in enumerate(w)],
     "below its diagonal alone"),
    (SQUARES, lambda w, x: [[v * (j != i) for j, v in enumerate(row)] for i, row in enumerate(w)],
     "zeros on its diagonal"),
    (SQUARES, lambda w, x: sum(w), "the sum of the right rows: return all"),
    (SQUARES, lambda w, x: sum(w) / len(w), "the mean of the right rows: return all"),
    (SQUARES, lambda w, x: w.ravel(), "right numbers in shape (4,): give them the shape (2, 2)"),
    (SQUARES, lambda w, x: np.where(w == 2, 7, w) if x == 1 else w, "only its first row is wrong, in every case"),
    (FINE, lambda w, X, lam: np.round(w), "is rounded: return the numbers as they are"),
    (FINE, lambda w, X, lam: np.round(w, 1), "is rounded: return the numbers as they are"),
    (FINE, lambda w, X, lam: np.round(w, 3), "is rounded: return the numbers as they are"),
    (COUNTS, lambda w, X, lam: w - 2 * (w == 0), "negative where it should be 0"),
    (COUNTS, lambda w, X, lam: w * (-1) ** np.arange(len(w)), "take its size, without the sign"),
    (COUNTS, lambda w, X, lam: w + 0.25, "it should be rounded down"),
    (COUNTS, lambda w, X, lam: w - 0.25, "it should be rounded up"),
    (COUNTS, lambda w, X, lam: np.where((w == 2) | (w == 3), 0, w), "is 0 in places where it should not be"),
    (COUNTS, lambda w, X, lam: np.where(w == 0, 5, w), "is not 0 everywhere where it should be"),
    (COUNTS, lambda w, X, lam: np.append(w[2:], w[1::-1]), "right but for the order"),
    (COUNTS, lambda w, X, lam: w * len(X), "the right one multiplied by n, the length of X: leave that out."),
    (COUNTS, lambda w, X, lam: w * np.sqrt(len(X)), "multiplied by the root of n, the length of X:"),
    (COUNTS, lambda w, X, lam: w * len(X) / (len(X) - 1), "multiplied by n / (n - 1), with n, the length of X:"),
    (COUNTS, lambda w, X, lam: w * np.sqrt(len(X) / (len(X) - 1)),
     "by the root of n / (n - 1), with n, the length of X:"),
    (COUNTS, lambda w, X, lam: w / lam, "the right one divided by the argument `lam`:"),
    (COUNTS, lambda w, X, lam: w - lam, "the right one minus the argument `lam`:"),
    (COUNTS, lambda w, X, lam: w + lam, "the right one plus the argument `lam`:"),
    (COUNTS, lambda w, X, lam: 0 * w + lam, "In f(X="),
    (COUNTS, lambda w, X, lam: w * 1.7, "1.7 times what it should be"),
    (COUNTS, lambda w, X, lam: w - 7.5, "7.5 too small everywhere"),
    (COUNTS, lambda w, X, lam: [w, 0 * w], "return the sum of each column"),
    (COUNTS, lambda w, X, lam: np.stack([w, 0 * w], axis=1), "return the sum of each row"),
    (COUNTS, lambda w, X, lam: [w - 2, w, w - 1], "return the largest of each column"),
    (COUNTS, lambda w, X, lam: 9 + 0 * w, "it is 9 in every case"),
    (COUNTS, lambda w, X, lam: w if lam > 1 else w + 1, "2 of 3 cases are right"),
    (COUNTS, lambda w, X, lam: w if lam > 5 else w + 1, " is expected."),
    (COUNTS, lambda w, X, lam: w > 2, "is True or False: return numbers."),
    (COUNTS, lambda w, X, lam: w + 0.09 * (np.arange(len(w)) == 0), "only its first entry is wrong, in every case"),
    (COUNTS, lambda w, X, lam: np.append(np.where(w == 0, np.nan, w)[:-1], 50), "contains NaN"),
    (FLAGS, lambda w, X, lam: w > 0,
     "is True or False: return numbers; multiply by 1, which makes 1"),
    (WIDE, lambda w, X, lam: w / X.shape[1], "divided by the number of columns of X:"),
    (SIZES, lambda w, X, lam: np.arange(len(X)), "has a number for each entry of `X`: return one number for all"),
    (replace(SIZES, cases=WIDE.cases), lambda w, X, lam: np.arange(len(X)), "has a number for each row of `X`"),
    (SIZES, lambda w, X, lam: [5.0, w], "holds all of them: return the last one alone"),
    (replace(COUNTS, right=((4.0,), (5.0,), (7.0,))), lambda w, X, lam: np.ones(int(w)),
     "return how many there are"),
    (replace(COUNTS, right=tuple((w + 0.5,) for (w,) in COUNTS.right)), lambda w, X, lam: 1.0003 * w,
     "close in every case"),
    (HALVES, lambda w, y, k, x: (k - 1e-12) // 2, "is rounded down, as by //"),
    (PLACES, lambda w, y, k, x: w if k < 4 else 7 * w[::-1],
     "; it is wrong wherever `k` is 4 or more, and nowhere else."),
    (PLACES, lambda w, y, k, x: w if k > 3 else 7 * w[::-1],
     "; it is wrong wherever `k` is 3 or less, and nowhere else."),
    (PLACES, lambda w, y, k, x: w if not 2 < k < 6 else 7 * w[::-1], "wherever `k` is from 3 to 5, and nowhere else."),
    (PLACES, lambda w, y, k, x: w * np.where(y < 0, 3 + k, 1),
     "its entries are wrong wherever `y` is -1, and nowhere else."),
    (PLACES, lambda w, y, k, x: w * np.where((y < 0) & (k > 1), 3 + k, 1),
     "; its entries are wrong only where `y` is -1."),
    (PLACES, lambda w, y, k, x: w if k % 2 else 7 * w[::-1], "; 4 of 8 cases are right."),
    (INDEX, lambda w, lams: lams[int(w)],
     "Your answer is an entry of `lams`: return where it stands there, counted from 0."),
    (ENTRY, lambda w, lams: [2, 1, 0][len(lams) % 3 if len(lams) > 2 else 2], "a position in `lams`: return the entry"),
    (ENTRY, lambda w, lams: 9, "In f(lams=[8, 2, 4])"),
    (replace(ONE, right=((None,), (3.0,))), lambda w, x: 4, "where None is expected"),
    (replace(INDEX, returns=("order",), right=tuple((np.argsort(v),) for (v,) in LAMS)),
     lambda w, lams: np.isin(np.arange(len(w)), w[:1]), "True or False"),
])
def test_a_slip_is_told(task, slip, told):
    answers = [slip(w, *case) for case, (w,) in zip(task.cases, task.right, strict=True)]
    assert told in judge(task, answers).sentence


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


def test_a_part_in_the_place_of_another_is_told():
    assert judge(TWO, [(v, v) for _, v in TWO.right]).sentence == "Your `scores` is what belongs in `sizes`."
    both = [(v, w) for w, v in TWO.right]
    assert judge(TWO, both).sentence.startswith("The parts are right but in another order, sizes, scores: return sco")
    assert judge(TWO, [(w, -v) for w, v in TWO.right]).sentence.startswith("Your `sizes` has the opposite sign")
    assert judge(TWO, [w for w, _ in TWO.right]).sentence == "Only `scores` came back: return 2 things, scores, sizes."
    assert judge(TWO, [5, 5]).sentence == "One thing came back, 5: return 2 things, scores, sizes."
    assert judge(TWO, [(w, v, 0) for w, v in TWO.right]).sentence.startswith("3 parts came back: return 2 things")
    assert judge(TWO, [[w] for w, v in TWO.right]).sentence.startswith("1 part came back")
    once = judge(TWO, [TWO.right[0], 5]).sentence
    assert once == "In f(x=2) one thing came back, 5: return 2 things, scores, sizes."


def test_parts_that_count_by_themselves_are_told_and_a_known_mistake_comes_first():
    known = (Mistake("a", "Half of it.", {k: {0: w / 2} for k, (w, _) in enumerate(TWO.right)}),
             Mistake("b", "Both.", {k: {0: w / 2, 1: v + 3} for k, (w, v) in enumerate(TWO.right)}))
    some = replace(TWO, parts=(0.25, 0.5), mistakes=known)
    half = judge(some, [(w / 2, v) for w, v in TWO.right])
    assert (half.sentence, half.mistake, half.right, half.case) == ("Half of it.", "a", ("sizes",), (1,))
    assert some.earned(half.right) == 0.5
    assert judge(some, [(w / 2, v + 3) for w, v in TWO.right]).sentence == "Both."
    assert judge(some, [(w / 2, v + 9) for w, v in TWO.right]).mistake == "a"  # up to the first wrong part
    assert judge(some, [(w / 2, 0 * v) for w, v in TWO.right]).right == ()
    assert judge(replace(TWO, mistakes=known), [(w / 2, v) for w, v in TWO.right]).right == ()


def test_what_is_expected_is_told_to_students_alone():
    answers = [0 * w for (w,) in ONE.right]
    assert "which is not right" in judge(ONE, answers, tell=False).sentence
    assert "1.25" not in judge(ONE, answers, tell=False).sentence
    long = replace(ONE, right=tuple((np.arange(20.0) + k,) for k in (1, 2)))
    said = judge(long, [np.append(w[:-1], 0) for (w,) in long.right]).sentence
    assert "has 0 in row 19, where 20 is expected" in said
