"""The objective against sums written out by hand and central differences."""

import tracemalloc
from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import coursekit as ck
from coursekit.core.risks import error_rate, misclassified
from tests.faults import faults, refused

THREE = ([[0, 0], [0, 1], [1, 0]], [-1, 1, 1])


def some_data(n=30, d=3, seed=0):
    rng = np.random.default_rng(seed)
    return rng.standard_normal((n, d)), np.where(rng.random(n) < 0.4, -1.0, 1.0)


@pytest.mark.parametrize("loss", ck.losses.KNOWN.values(), ids=repr)
@pytest.mark.parametrize("offset", [True, False])
def test_value_is_the_mean_loss_plus_lambda_times_the_penalty(loss, offset):
    theta, (X, y) = np.array([0.5, -1.0, 2.0, 0.3])[: 3 + offset], some_data()
    risk = loss(y * (X @ [0.5, -1.0, 2.0] + 0.3 * offset)).mean()
    o = ck.Objective(X, y, loss=loss, penalty=ck.penalties.l1, lam=0.7, offset=offset)
    assert o.risk(theta) == pytest.approx(risk, rel=1e-14)
    assert o.value(theta) == pytest.approx(risk + 0.7 * 3.5, rel=1e-14)
    assert o.value(theta[None]).shape == o.risk(theta[None]).shape == (1,)


def test_at_kinks_by_hand_on_three_points():
    o = ck.Objective(*THREE, lam=0.5)
    assert_allclose(o.slope([1, 1, 0]), [1 / 6, 1 / 6, -1 / 3])  # agreements 0, 1, 1: both kinks pull
    assert_array_equal(o.slope_at([1, 1, 0], 1), [0.5, -0.5, -1])
    assert repr(ck.Objective([[1.0]], [1], offset=False)) == "Objective(hinge; 1 example, theta has 1 weight)"


@pytest.mark.parametrize("loss", [loss for loss in ck.losses.KNOWN.values() if loss.name != "zero_one"], ids=repr)
@pytest.mark.parametrize("lam", [0.0, 0.3])
def test_slope_is_the_gradient_and_the_mean_of_all_stochastic_slopes(loss, lam):
    for seed in range(20):
        o = ck.Objective(*some_data(12, 3, seed), loss=loss, penalty=ck.penalties.elastic_net(0.5), lam=lam)
        theta, steps = np.random.default_rng(seed).standard_normal(4), 1e-5 * np.eye(4)
        assert np.abs((o.Z @ theta)[:, None] - [0, 1]).min() > 1e-4  # away from kinks
        assert_allclose(o.slope(theta), (o.value(theta + steps) - o.value(theta - steps)) / 2e-5, atol=1e-6)
    each = [o.slope_at(theta, i) for i in range(12)]
    assert_allclose(np.mean(each, axis=0), o.slope(theta), atol=1e-15)
    assert_allclose(o.slope_at(theta, [4, 7, 7]), (each[4] + 2 * each[7]) / 3, atol=1e-15)


@pytest.mark.parametrize("loss", ck.losses.KNOWN.values(), ids=repr)
@pytest.mark.parametrize("spread", [0.0, 1e-6, 0.03, 1.0, 100.0])
def test_a_stack_gives_the_value_of_each_of_its_thetas(loss, spread):
    """Close together, far apart, repeated: whatever is skipped inside must not show."""
    X, y = some_data(450, 2)
    o = ck.Objective(X, y, loss=loss, lam=0.1)
    thetas = np.array([0.6, -0.3, 0.2]) + spread * np.random.default_rng(3).standard_normal((150, 3)).cumsum(axis=0)
    thetas[20:40] = thetas[20]
    direct = loss((np.c_[X, np.ones(450)] @ thetas.T * y[:, None]).T).mean(axis=1)
    assert_allclose(o.risk(thetas), direct, rtol=1e-12, atol=1e-14)
    assert_allclose(o.value(thetas), direct + 0.05 * (thetas[:, :2] ** 2).sum(axis=1), rtol=1e-12)
    assert o.value(thetas[:0]).shape == o.risk(thetas[:0]).shape == (0,)


def test_memory_of_a_stack_stays_bounded():
    o = ck.Objective(*some_data(20_000, 5), loss=ck.losses.logistic)
    thetas = np.random.default_rng(0).standard_normal((500, 6))
    tracemalloc.start()
    o.value(thetas)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 5e6  # all agreements at once would be 80 MB


@faults(__file__)
def test_bad_arguments_are_named(call, said, error):
    refused(call, said, error, globals(), o=ck.Objective(*THREE), replace=replace)


def test_a_score_of_0_is_an_error():
    assert misclassified(np.array([-1.0, 0.0, 0.0, 2.0])) == 3
    data = ck.datasets.three_points()
    thetas = np.array([[0, 0, 0], [1, 1, 0], [1, 1, -0.5], [-1, -1, 0.5], [0, 0, 1.0]])
    assert_allclose(error_rate(data, thetas), [1, 1 / 3, 0, 1, 1 / 3])
    assert error_rate(data, thetas[1]) == 1 / 3
