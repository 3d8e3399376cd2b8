"""Least squares and the lasso path against scikit-learn, the conditions of optimality, and designs worked by hand."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.linear_model import ElasticNet, Lasso, LinearRegression, Ridge
from sklearn.linear_model import lasso_path as coordinate_descent

import coursekit as ck

CANCER = ck.datasets.load("breast-cancer", standardize=True)
ORTHOGONAL = np.array([[1.0, 1, 1], [-1, 1, -1], [1, -1, -1], [-1, -1, 1]])  # X'X/n = identity
CLOUD = ck.datasets.blobs(60, -1.0, seed=1, irrelevant=2)
EXACT = {"tol": 1e-12, "max_iter": 100_000}


@pytest.mark.parametrize("offset", [True, False])
@pytest.mark.parametrize("lam", [0.0, 0.3, 1e3])
def test_least_squares_is_ridge(lam, offset):
    X, y = CLOUD.X + 5, CLOUD.y
    ridge = Ridge(alpha=len(y) * lam / 2, fit_intercept=offset, tol=1e-12, solver="cholesky").fit(X, y)
    assert_allclose(ck.least_squares(X, y, lam, offset), [*ridge.coef_, ridge.intercept_][: 4 + offset], atol=1e-10)


def violation(X, y, path):
    """How far the knots and the middles between them are from the conditions of optimality:
    |2/n x_j . residual| <= lam, and = lam with the sign of w_j where w_j is not 0."""
    C, t = X - X.mean(axis=0), y - y.mean()
    worst = 0.0
    for lam in [*path.lams[:-1], *(path.lams[1:] + path.lams[:-1]) / 2]:
        w = path.at(lam)
        pull = C.T @ (t - C @ w) * 2 / len(y)
        used = w != 0
        worst = max(worst, (np.abs(pull) - lam).max(), *np.abs(pull - lam * np.sign(w))[used], 0)
    return worst / max(path.lams[0], 1e-12)


@pytest.mark.parametrize("D", [
    CANCER, ck.datasets.load("breast-cancer"), ck.datasets.load("digits", classes=("3", "8")),
    ck.datasets.load("iris", classes=("versicolor", "virginica")),
], ids=repr)  # fmt: skip
def test_equals_coordinate_descent(D):
    path = ck.lasso_path(D.X, D.y)
    assert (np.diff(path.lams) < 0).all()
    assert path.lams[-1] == 0
    assert violation(D.X, D.y, path) < 1e-9
    lams = path.lams[0] * np.geomspace(1, 1e-2, 20)
    C, t = D.X - D.X.mean(axis=0), D.y - D.y.mean()
    theirs = coordinate_descent(C, t, alphas=lams / 2, **EXACT)[1].T  # it halves the squares
    assert_allclose(path.at(lams), theirs, atol=1e-6 * np.abs(theirs).max())


def test_orthogonal_features_are_soft_thresholded():
    c = np.array([3.0, -2.0, 0.5])
    path = ck.lasso_path(ORTHOGONAL + 5, ORTHOGONAL @ c + 7)
    assert_allclose(path.lams, [6, 4, 1, 0])
    for lam in (8, 5, 2, 0.2, 0):
        assert_allclose(path.at(lam), np.sign(c) * np.maximum(np.abs(c) - lam / 2, 0), atol=1e-12)
    assert_array_equal(path.selected(2.0), [0, 1])
    assert_allclose(path.theta_at(0)[-1], 7 - 5 * c.sum())
    assert repr(path) == "LassoPath(4 knots from lam = 6 to 0, 3 of 3 features at the end)"


def test_with_a_ridge_or_without_an_offset_it_is_that_of_scikit_learn():
    X, y = np.c_[CANCER.X, CANCER.X[:, :2]] + 2, CANCER.y  # with twins, which share
    for ridge in (0.02, 0.5):
        path = ck.lasso_path(X, y, ridge=ridge)
        for lam in (0.3, 0.05, 0.004):
            net = ElasticNet(alpha=(lam + ridge) / 2, l1_ratio=lam / (lam + ridge), **EXACT).fit(X, y)
            assert_allclose(path.theta_at(lam), [*net.coef_, net.intercept_], atol=1e-7)
    path = ck.lasso_path(X[:, :6], y, offset=False)
    for lam in (0.5, 0.05):
        theirs = Lasso(alpha=lam / 2, fit_intercept=False, **EXACT).fit(X[:, :6], y)
        assert_allclose(path.theta_at(lam), [*theirs.coef_, 0], atol=1e-7)


def test_optimal_on_small_integer_data_full_of_ties_and_on_features_that_are_nearly_combinations_of_others():
    for seed in range(240):
        rng = np.random.default_rng(seed)
        n, d = rng.integers(2, 12), rng.integers(2, 10)
        X, y = rng.integers(0, rng.integers(2, 4), (n, d)).astype(float), rng.integers(-1, 2, n).astype(float)
        if seed >= 200:  # nearly, and some with fewer examples than features
            n, noise = (100, 15)[seed % 4 > 1], 10.0 ** -(2 + seed % 2)
            X = rng.normal(size=(n, 4)) @ rng.normal(size=(4, 20)) + noise * rng.normal(size=(n, 20))
            y = np.sign(X[:, 0] + rng.normal(size=len(X)))
        assert violation(X, y, ck.lasso_path(X, y)) < 1e-9, seed


def test_nothing_to_explain():
    assert_array_equal(ck.lasso_path(ORTHOGONAL, -np.ones(4)).theta_at(0.1), [0, 0, 0, -1])
    assert not ck.bolasso(ORTHOGONAL, -np.ones(4), resamples=5).frequencies.any()


def test_debias_undoes_the_shrinking():
    kept = ck.lasso_path(CANCER.X + 2, CANCER.y).selected(0.2)
    assert 0 < len(kept) < 30
    theta, reference = ck.debias(CANCER.X + 2, CANCER.y, kept), LinearRegression().fit(CANCER.X[:, kept] + 2, CANCER.y)
    assert_allclose(theta[[*kept, -1]], [*reference.coef_, reference.intercept_], atol=1e-10)
    assert np.count_nonzero(theta[:-1]) == len(kept)
    assert_array_equal(ck.debias([[1.0], [2.0]], [1, 3], []), [0, 2])


def test_bolasso_frequencies_equal_refits_on_repeated_rows():
    """The path of each is the one that is held against scikit-learn above."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 6)) + 1
    X[:, 2] = X[:, 0] - X[:, 1] + 0.3 * X[:, 2]  # joins first, and leaves again
    y = np.sign(X[:, 0] - X[:, 1] + 0.3 * rng.normal(size=60))
    result, lams = ck.bolasso(X, y, 130, seed=4), ck.lasso_path(X, y).lams[0] * np.geomspace(1, 1e-3, 100)
    assert_allclose(result.lams, lams)
    times, doubtful, generator = np.zeros((100, 6)), np.zeros(100, dtype=bool), np.random.default_rng(4)
    for size in (128, 2):
        for k in generator.multinomial(60, np.full(60, 1 / 60), size=size):
            path = ck.lasso_path(np.repeat(X, k, axis=0), np.repeat(y, k))
            times += path.at(lams) != 0
            doubtful |= np.abs(lams[:, None] / path.lams[None, :-1] - 1).min(axis=1) < 1e-9  # just leaving 0
    assert doubtful.sum() <= 1
    assert_allclose(result.frequencies[~doubtful], times[~doubtful] / 130, rtol=1e-14)
    for share in (1.0, result.frequencies[40].min(), 0.9):
        assert_array_equal(result.selected(lams[40] * 1.01, share), np.flatnonzero(result.frequencies[40] >= share))
    assert result != ck.bolasso(X, y, 130, seed=5)
