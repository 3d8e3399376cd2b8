"""Proximal descent against hand values, scikit-learn and least squares (the formulas of prox: tests/core)."""

import numpy as np
import pytest
from sklearn.linear_model import ElasticNet, LogisticRegression

import coursekit as ck


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: run(ck.penalties.lq(0.7)), "penalty must be l0"),
        (lambda: run(ck.penalties.l1, step=ck.steps.exact()), "step must be a schedule"),
        (lambda: run(ck.penalties.l1, tolerance=-1), "tolerance must be >= 0"),
    ],
)
def test_bad_arguments_are_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def clouds():
    data = ck.datasets.blobs(60, -3, seed=1, irrelevant=10)
    return data.X, data.y


def run(penalty, lam=0.1, loss=ck.losses.squared, step=None, **more):
    objective = ck.Objective(*clouds(), loss=loss, penalty=penalty, lam=lam)
    return ck.proximal_descent(objective, step or ck.steps.constant(0.1), **more)


@pytest.mark.parametrize("mix", [1.0, 0.4])
def test_reaches_the_elastic_net_of_scikit_learn(mix):
    lam = 0.2
    X, y = clouds()
    penalty = ck.penalties.l1 if mix == 1 else ck.penalties.elastic_net(mix)
    theta = run(penalty, lam, steps=20_000, tolerance=1e-12).theta
    theirs = ElasticNet(alpha=lam / 2, l1_ratio=mix, tol=1e-12, max_iter=100_000).fit(X, y)
    np.testing.assert_allclose(theta, [*theirs.coef_, theirs.intercept_], atol=1e-8)
    np.testing.assert_array_equal(theta[:-1] == 0, theirs.coef_ == 0)


def test_reaches_the_l1_logistic_regression_of_scikit_learn():
    X, y = clouds()
    theta = run(ck.penalties.l1, 0.05, ck.losses.logistic, ck.steps.constant(0.5), steps=20_000, tolerance=1e-12).theta
    theirs = LogisticRegression(C=1 / (60 * 0.05), l1_ratio=1, solver="saga", tol=1e-10, max_iter=100_000)
    theirs.fit(X, y)
    np.testing.assert_allclose(theta, [*theirs.coef_[0], theirs.intercept_[0]], atol=1e-4)
    np.testing.assert_array_equal(theta[:-1] == 0, theirs.coef_[0] == 0)


def test_l2_reaches_least_squares_with_the_offset_left_free():
    theta = run(ck.penalties.l2, 0.3, steps=20_000, tolerance=1e-13).theta
    np.testing.assert_allclose(theta, ck.least_squares(*clouds(), lam=0.3), atol=1e-10)


def test_each_step_is_slope_then_prox():
    X, y = clouds()
    theta = np.ones(13)
    path = run(ck.penalties.lq(0.5), 0.1, step=ck.steps.decaying(0.2), steps=5, start=theta)
    for k, eta in enumerate([0.2, 0.1, 0.2 / 3, 0.05, 0.04]):
        theta = theta + eta * 2 * np.column_stack([X, np.ones(60)]).T @ (y - X @ theta[:-1] - theta[-1]) / 60
        theta = np.append(ck.penalties.lq(0.5).prox(theta[:-1], eta * 0.1), theta[-1])
        np.testing.assert_allclose(path.thetas[k + 1], theta, atol=1e-13)
    np.testing.assert_allclose(path.rates, [0.2, 0.1, 0.2 / 3, 0.05, 0.04])


def test_l1_lands_on_zero_where_subgradient_descent_chatters():
    one = ck.Objective([[1.0]], [1], loss=ck.losses.squared, penalty=ck.penalties.l1, lam=3.0, offset=False)
    landed = ck.proximal_descent(one, ck.steps.constant(0.1), start=[0.25])
    assert landed.theta[0] == 0
    assert landed.status.startswith("converged")
    at_rest = ck.proximal_descent(one, ck.steps.constant(0.1), start=[0.0])
    assert at_rest.status == "converged: step 1 moved theta by at most 0"
    chatters = ck.gradient_descent(one, ck.steps.constant(0.1), steps=100, start=[0.25])
    assert (chatters.thetas[-20:] != 0).all()


def test_a_step_too_large_is_reported():
    assert run(ck.penalties.l1, step=ck.steps.constant(10.0), steps=1000).status.startswith("diverged at step")


def test_where_zero_traps_depends_on_eta():
    """|w|^(1/2) has infinite slope at 0: only a large step leaves it."""
    one = ck.Objective([[1.0]], [1], loss=ck.losses.squared, penalty=ck.penalties.lq(0.5), lam=0.5, offset=False)
    assert ck.proximal_descent(one, ck.steps.constant(0.01)).theta[0] == 0
    assert ck.proximal_descent(one, ck.steps.constant(0.5)).theta[0] > 0.5
