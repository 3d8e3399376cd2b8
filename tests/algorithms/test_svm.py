"""The exact SVM against libsvm, hand-worked answers, and its own certificate."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.svm import SVC

import coursekit as ck
from coursekit.algorithms.svm import _certificate

LAMS = (1.0, 0.1, 0.01, 0.001)
OVER, APART = ck.datasets.blobs(50, -0.5, seed=2), ck.datasets.blobs(60, 1e-4, seed=2)


def losses(X, y, theta):
    return np.maximum(0, 1 - y * (X @ theta[:-1] + theta[-1]))


def objective(X, y, theta, lam):
    return losses(X, y, theta).mean() + lam / 2 * theta[:-1] @ theta[:-1]


def lower_bound(X, y, a, lam):
    """The dual objective, after checking that a is feasible; the shift is free because sum a y = 0."""
    assert 0 <= a.min() <= a.max() <= 1
    assert abs(a @ y) <= 1e-9 * len(y)
    v = (a * y) @ (X - X.mean(axis=0)) / (len(y) * lam)
    return a.mean() - lam / 2 * v @ v


def check(X, y, solution, lam):
    """Everything a solution says about itself, computed again from the data."""
    assert_allclose(solution.objective, objective(X, y, solution.theta, lam), rtol=1e-9, atol=1e-12)
    assert solution.gap <= 1e-6
    assert solution.objective - lower_bound(X, y, solution.multipliers, lam) <= solution.gap + 1e-9
    assert_allclose(solution.slack, losses(X, y, solution.theta), atol=1e-8)
    assert "NOT" not in solution.status


@pytest.mark.parametrize("D", [
    ck.datasets.load("iris", classes=("versicolor", "virginica")), ck.datasets.load("digits", classes=("3", "8")),
    ck.datasets.load("breast-cancer", standardize=True),
], ids=repr)  # fmt: skip
def test_no_worse_than_libsvm_and_no_better_than_the_proof_allows(D):
    together = ck.svm(D.X, D.y, LAMS)
    for row, lam in enumerate(LAMS):
        ours = ck.svm(D.X, D.y, lam)
        libsvm = SVC(kernel="linear", C=1 / (len(D) * lam), tol=1e-8).fit(D.X, D.y)
        assert ours.objective <= objective(D.X, D.y, np.append(libsvm.coef_[0], libsvm.intercept_), lam) + 1e-10
        assert 0 <= ours.objective - lower_bound(D.X, D.y, ours.multipliers, lam) <= 1e-8
        check(D.X, D.y, ours, lam)
        assert_array_equal(ours.support, np.sort(libsvm.support_))
        assert_allclose(together.objective[row], ours.objective, atol=1e-8)
        assert_array_equal(together.support[row], ours.support)
    assert repr(together) == "SoftMargin(4 lambdas, 1 to 0.001; gap <= 1e-06 reached)"
    assert ck.svm(D.X, D.y).lam == 1 / len(D)  # SVC as it comes: C = 1


@pytest.mark.parametrize("separability", [0.6, 2.0])
@pytest.mark.parametrize("shift", [0.0, 1e4])
def test_small_lambda_on_separable_data_is_the_hard_margin(separability, shift):
    D = ck.datasets.blobs(n=80, separability=separability, seed=1)  # the street is exactly as wide
    solution = ck.svm(D.X + shift, D.y, [1e-6, 1e-8, 1e-10])
    assert_allclose(solution.margin, separability / 2, rtol=1e-9 if shift == 0 else 1e-7)
    assert_allclose(solution.slack, 0, atol=1e-5)
    assert [len(support) for support in solution.support] == [2, 2, 2]


rng = np.random.default_rng(7)
CLOUD, LABELS = rng.normal(size=(40, 2)), np.where(rng.random(40) < 0.5, -1.0, 1.0)
HARD = {
    "contradictory duplicates": (np.vstack([CLOUD, CLOUD]), np.r_[LABELS, -LABELS]),
    "one class": (CLOUD, -np.ones(40)),
    "one example": (CLOUD[:1], np.ones(1)),
    "1 against 199": (np.vstack([[[9.0, 9.0]], rng.normal(size=(199, 2))]), np.r_[1.0, -np.ones(199)]),
    "all points equal": (np.full((50, 3), 0.1), np.r_[np.ones(20), -np.ones(30)]),
    "xor": (np.array([[0.0, 0], [1, 1], [0, 1], [1, 0]]), np.array([1.0, 1, -1, -1])),
    "shift 1e4": (OVER.X + 1e4, OVER.y),
    "collinear columns": (np.column_stack([OVER.X, 2 * OVER.X[:, 0], OVER.X.sum(axis=1), 0 * OVER.y]), OVER.y),
    "columns of unequal scale": (OVER.X * [1e-4, 1e4], OVER.y),
    "d > n": (rng.normal(size=(20, 100)), np.where(np.arange(20) % 3 == 0, -1.0, 1.0)),
    "a hair apart": (APART.X, APART.y),
    "integer grid": (rng.integers(0, 3, (60, 2)).astype(float), np.where(rng.random(60) < 0.5, -1.0, 1.0)),
}


@pytest.mark.parametrize("name", HARD)
def test_certified_on_hard_data(name):
    X, y = HARD[name]
    lams = np.geomspace(100, 1e-5, 8)
    many = ck.svm(X, y, lams)
    for k, lam in enumerate(lams):
        one = ck.svm(X, y, lam)
        check(X, y, one, lam)
        assert abs(many.objective[k] - one.objective) <= 1e-6
        assert many.gap[k] <= 1e-6


def test_where_there_is_no_direction():
    one = ck.svm(CLOUD, np.ones(40), 0.1)
    assert_array_equal(one.theta, [0, 0, 1])
    assert (one.objective, one.margin) == (0, np.inf)
    equal = ck.svm(*HARD["all points equal"], 0.1)
    assert_allclose([equal.objective, *equal.theta], [2 * 20 / 50, 0, 0, 0, -1], atol=1e-9)  # -1 to all: 20 losses of 2
    # XOR: w = 0 and every offset in [-1, 1] has mean loss 1; of an interval it is the midpoint
    assert_allclose(ck.svm(*HARD["xor"], 1.0).theta, 0, atol=1e-12)


def test_any_multipliers_become_a_proof():
    Z, lams = LABELS[:, None] * np.c_[CLOUD - CLOUD.mean(axis=0), np.ones(40)], np.array([0.01, 0.1, 1.0])
    thetas, a = np.random.default_rng(1).normal(size=(3, 3)), 3 * np.random.default_rng(2).random((3, 40))
    a[1, LABELS > 0] = 0.0
    a[2, LABELS < 0] *= 0.1
    _, objectives, feasible, bounds = _certificate(Z, lams, thetas, a)
    for lam, theta, told, multipliers, bound in zip(lams, thetas, objectives, feasible, bounds, strict=True):
        assert_allclose(told, objective(CLOUD - CLOUD.mean(axis=0), LABELS, theta, lam))
        assert_allclose(bound, lower_bound(CLOUD, LABELS, multipliers, lam), atol=1e-12)


def test_many_examples_and_lambdas_are_solved_in_blocks(monkeypatch):
    whole = ck.svm(OVER.X, OVER.y, LAMS)
    monkeypatch.setattr("coursekit.algorithms.svm.BLOCK", 120)  # two lambdas at a time
    assert_allclose(ck.svm(OVER.X, OVER.y, LAMS).theta, whole.theta, atol=1e-8)


def test_an_unreachable_gap_is_said():
    solution = ck.svm(OVER.X, OVER.y, 0.1, gap=1e-30)
    assert "NOT reached" in solution.status
    assert 1e-30 < solution.gap < 1e-9
    huge = ck.svm(OVER.X * 1e100, OVER.y, 0.1)  # the bound would need 200 digits more; 0 remains one
    assert "NOT reached" in huge.status
    assert 1e-6 < huge.gap <= huge.objective + 1e-12  # which is rounded, too
