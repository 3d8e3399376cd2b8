"""Proximal descent against scikit-learn and its two moves written out (the formulas of prox: tests/core)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.linear_model import ElasticNet, LogisticRegression, Ridge

import coursekit as ck
from coursekit.core.penalties import elastic_net, l1, l2, lq

DATA = ck.datasets.blobs(60, -3, seed=1, irrelevant=10)


def run(penalty, lam=0.1, loss=ck.losses.squared, step=ck.steps.constant(0.1), **more):  # noqa: B008
    return ck.proximal_descent(ck.Objective(DATA.X, DATA.y, loss=loss, penalty=penalty, lam=lam), step, **more)


@pytest.mark.parametrize(("penalty", "lam", "loss", "model", "off"), [
    (l1, 0.2, ck.losses.squared, ElasticNet(alpha=0.1, l1_ratio=1, tol=1e-12), 1e-8),
    (l2, 0.3, ck.losses.squared, Ridge(alpha=60 * 0.3 / 2), 1e-8),
    (elastic_net(0.4), 0.2, ck.losses.squared, ElasticNet(alpha=0.1, l1_ratio=0.4, tol=1e-12), 1e-8),
    (l1, 0.05, ck.losses.logistic, LogisticRegression(C=1 / (60 * 0.05), l1_ratio=1, solver="saga", tol=1e-10), 1e-4),
])  # fmt: skip
def test_reaches_the_minimum_and_the_zeros_of_scikit_learn(penalty, lam, loss, model, off):
    eta = 0.1 if loss is ck.losses.squared else 0.5
    theta = run(penalty, lam, loss, ck.steps.constant(eta), steps=20_000, tolerance=1e-12).theta
    theirs = model.set_params(max_iter=100_000).fit(DATA.X, DATA.y)
    assert_allclose(theta, [*np.ravel(theirs.coef_), *np.ravel(theirs.intercept_)], atol=off)
    assert_array_equal(theta[:-1] == 0, np.ravel(theirs.coef_) == 0)


def test_each_step_is_slope_then_prox():
    theta = np.ones(13)
    path = run(lq(0.5), step=ck.steps.decaying(0.2), steps=5, start=theta)
    for k, eta in enumerate([0.2, 0.1, 0.2 / 3, 0.05, 0.04]):
        theta = theta + eta * 2 * np.c_[DATA.X, np.ones(60)].T @ (DATA.y - DATA.X @ theta[:-1] - theta[-1]) / 60
        theta = np.append(lq(0.5).prox(theta[:-1], eta * 0.1), theta[-1])
        assert_allclose(path.thetas[k + 1], theta, atol=1e-13)


def test_l1_lands_on_zero_and_stays():
    one = ck.Objective([[1.0]], [1], loss=ck.losses.squared, penalty=l1, lam=3.0, offset=False)
    landed = ck.proximal_descent(one, ck.steps.constant(0.1), start=[0.25])
    assert landed.theta[0] == 0
    assert landed.status.startswith("converged")
    at_rest = ck.proximal_descent(one, ck.steps.constant(0.1), start=[0.0])
    assert at_rest.status == "converged: step 1 moved theta by at most 0"


def test_where_zero_traps_depends_on_eta():
    """|w|^(1/2) has infinite slope at 0: only a large step leaves it."""
    one = ck.Objective([[1.0]], [1], loss=ck.losses.squared, penalty=lq(0.5), lam=0.5, offset=False)
    assert ck.proximal_descent(one, ck.steps.constant(0.01)).theta[0] == 0
    assert ck.proximal_descent(one, ck.steps.constant(0.5)).theta[0] > 0.5
    assert ck.proximal_descent(one, ck.steps.constant(10.0), 1000).status.startswith("diverged at step")
