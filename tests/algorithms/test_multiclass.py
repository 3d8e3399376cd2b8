"""Rules for many classes against scikit-learn, plain counting, and cases worked by hand."""

from itertools import combinations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.metrics import confusion_matrix

import coursekit as ck
from coursekit.algorithms.multiclass import Argmax, Votes

DIGITS, BLOBS = ck.datasets.load("digits"), ck.datasets.multiclass_blobs(90, classes=3, separability=1.0, seed=3)
PAIRS = np.array([[0, 1], [0, 2], [1, 2]])
LINE = ck.datasets.Dataset(np.array([[1.0], [0.0], [-1.0]]), np.array([0, 1, 2]), ("x",), ("a", "b", "c"))


def test_votes_and_sums_by_counting():
    rule, X = ck.one_vs_one(DIGITS, ck.least_squares), DIGITS.X[:300]
    ties, contrary = [], 0
    for x, votes, sums in zip(X, rule.votes(X), rule.scores(X), strict=True):
        count, total = np.zeros(10), np.zeros(10)
        for (i, j), theta in zip(combinations(range(10), 2), rule.thetas, strict=True):
            f = theta[:-1] @ x + theta[-1]
            count[j if f > 0 else i] += 1
            total[j] += f
            total[i] -= f
        assert_array_equal(votes, count)
        assert_allclose(sums, total, atol=1e-10)
        leaders = np.flatnonzero(count == count.max())
        assert rule.predict(x[None])[0] == max(leaders, key=lambda c: total[c])
        ties.append(len(leaders) > 1)
        contrary += count[total.argmax()] < count.max()
    assert rule.ties(X).tolist() == ties
    assert any(ties)
    assert contrary  # the most votes win even where another class has the higher sum


@pytest.mark.parametrize("D", [ck.datasets.three_points(), ck.datasets.blobs(100, 0.3, seed=2)], ids=["three", "blobs"])
@pytest.mark.parametrize("knobs", [{}, {"eta": 0.5, "lam": 0.01}])
def test_two_classes_repeat_the_perceptron(D, knobs):
    classes = ck.datasets.Dataset(D.X, (D.y > 0).astype(int), D.features, D.classes)
    many, two = ck.multiclass_perceptron(classes, **knobs), ck.perceptron(D.X, D.y, **knobs)
    assert (many.mistakes, many.passes, many.converged) == (two.mistakes, two.passes, True)
    assert_array_equal(many.thetas, [-two.theta, two.theta])


def test_three_classes_by_hand():
    # all scores equal at first: a mistake, and the rival is the lowest other index
    first = ck.multiclass_perceptron(LINE, passes=1)
    # x=1 (a): +a -b; x=0 (b): scores 1, -1, 0: +b -a; x=-1 (c): scores -1, 1, 0: +c -b
    assert_array_equal(first.thetas, [[1, 0], [0, -1], [-1, 1]])
    assert (first.mistakes, first.converged) == (3, False)
    assert "limit of 1 passes" in first.status
    assert_array_equal(ck.multiclass_perceptron(LINE, passes=1, eta=0.25).thetas, first.thetas / 4)
    # with lam, the same three updates; before each, everything is halved
    faded = ck.multiclass_perceptron(LINE, passes=1, lam=0.5)
    assert_array_equal(faded.thetas, [[0.25, -0.25], [0.75, -0.75], [-1, 1]])
    assert_array_equal(ck.multiclass_perceptron(LINE).predict(LINE.X), LINE.y)
    a, b, c = (ck.multiclass_perceptron(BLOBS, 3, order="shuffle", seed=s) for s in (1, 1, 2))
    assert a == b != c


def test_confusion_table_equals_scikit_learn():
    true, guessed = np.random.default_rng(0).integers(0, 7, (2, 500))
    assert_array_equal(ck.confusion_table(true, guessed, 8), confusion_matrix(true, guessed, labels=range(8)))


def test_inseparable_data_are_said_to_repeat():
    D = ck.datasets.Dataset(np.array([[0.0], [0.0]]), np.array([0, 1]), ("x",), ("a", "b"))
    for lam, why in ((0.0, "not separable: "), (1.0, "")):  # thetas that shrink can come back on separable data, too
        assert ck.multiclass_perceptron(D, lam=lam).status == f"{why}the thetas returned to an earlier value and repeat"


def test_scores_votes_and_ties_by_hand():
    X = [[3.0, 1.0], [-1.0, 2.0], [-1.0, -1.0]]
    rest = Argmax(np.array([[1.0, 0, 0], [0, 1, 0], [1, 1, -1]]), ("a", "b", "c"))  # 3 1 3; -1 2 0; -1 -1 -3
    assert_array_equal(rest.predict(X), [0, 1, 0])
    assert_array_equal(rest.ties(X), [True, False, True])
    rule = Votes(np.array([[0, 0, -1.0], [0, 0, 1.0], [1.0, 0, 0]]), PAIRS, ("a", "b", "c"))
    assert_array_equal(rule.votes([*X, [0.0, 5.0]]), [[1, 0, 2], [1, 1, 1], [1, 1, 1], [1, 1, 1]])  # 0: the first
