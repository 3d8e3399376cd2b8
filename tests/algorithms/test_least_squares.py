"""Least squares against scikit-learn."""

import pytest
from numpy.testing import assert_allclose
from sklearn.linear_model import Ridge

import coursekit as ck

D = ck.datasets.blobs(60, -1.0, seed=1, irrelevant=2)


@pytest.mark.parametrize("offset", [True, False])
@pytest.mark.parametrize("lam", [0.0, 0.3, 1e3])
def test_least_squares_is_ridge(lam, offset):
    X, y = D.X + 5, D.y
    ridge = Ridge(alpha=len(y) * lam / 2, fit_intercept=offset, tol=1e-12, solver="cholesky").fit(X, y)
    theta = [*ridge.coef_, ridge.intercept_] if offset else ridge.coef_
    assert_allclose(ck.least_squares(X, y, lam, offset), theta, atol=1e-10)
