"""The objective against sums written out by hand and central differences."""

import tracemalloc

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import coursekit as ck
from coursekit.core.risks import error_rate, misclassified

CONVEX = [ck.losses.perceptron, ck.losses.hinge, ck.losses.logistic, ck.losses.squared]
THREE = ([[0, 0], [0, 1], [1, 0]], [-1, 1, 1])


def some_data(n=30, d=3, seed=0):
    rng = np.random.default_rng(seed)
    return rng.standard_normal((n, d)), np.where(rng.random(n) < 0.4, -1.0, 1.0)


def written_out(o, theta):
    """The definition, one example after another."""
    d = o.X.shape[1]
    f = [sum(theta[j] * x[j] for j in range(d)) + (theta[d] if o.offset else 0) for x in o.X]
    return sum(float(o.loss(y * s)) for y, s in zip(o.y, f, strict=True)) / len(f) + o.lam * float(o.penalty(theta[:d]))


@pytest.mark.parametrize("loss", ck.losses.KNOWN.values(), ids=repr)
@pytest.mark.parametrize("offset", [True, False])
def test_value_is_the_mean_loss_plus_lambda_times_the_penalty(loss, offset):
    X, y = some_data()
    theta = np.array([0.5, -1.0, 2.0, 0.3])[: 3 + offset]
    o = ck.Objective(X, y, loss=loss, penalty=ck.penalties.l1, lam=0.7, offset=offset)
    assert o.value(theta) == pytest.approx(written_out(o, theta), rel=1e-14)
    assert o.risk(theta) == pytest.approx(o.value(theta) - 0.7 * 3.5, rel=1e-13)


def test_by_hand_on_three_points():
    o = ck.Objective(*THREE, lam=0.5)
    assert o.value([0, 0, 0]) == 1
    assert o.value([1, 1, 0]) == pytest.approx(1 / 3 + 0.5)  # agreements 0, 1, 1
    np.testing.assert_allclose(o.slope([0, 0, 0]), [-1 / 3, -1 / 3, -1 / 3])
    np.testing.assert_allclose(o.slope([1, 1, 0]), [1 / 6, 1 / 6, -1 / 3])  # both kinks pull
    np.testing.assert_array_equal(o.slope_at([1, 1, 0], 1), [0.5, -0.5, -1])


@pytest.mark.parametrize("loss", CONVEX, ids=repr)
@given(seed=st.integers(0, 10**6), lam=st.sampled_from([0.0, 0.3]))
@settings(max_examples=40)
def test_slope_is_the_gradient_away_from_kinks(loss, seed, lam):
    X, y = some_data(12, 3, seed)
    theta = np.random.default_rng(seed + 1).standard_normal(4)
    o = ck.Objective(X, y, loss=loss, penalty=ck.penalties.elastic_net(0.5), lam=lam)
    assume((np.abs((o.Z @ theta)[:, None] - [0, 1]) > 1e-3).all())
    assume((np.abs(theta) > 1e-3).all())
    steps = 1e-5 * np.eye(4)
    differences = (o.value(theta + steps) - o.value(theta - steps)) / 2e-5
    np.testing.assert_allclose(o.slope(theta), differences, atol=1e-6)


@pytest.mark.parametrize("loss", [ck.losses.hinge, ck.losses.logistic], ids=repr)
@pytest.mark.parametrize("lam", [0.0, 0.2])
def test_the_mean_of_all_stochastic_slopes_is_the_slope(loss, lam):
    o = ck.Objective(*some_data(), loss=loss, lam=lam)
    theta = np.array([0.2, -0.4, 0.1, 0.3])
    each = [o.slope_at(theta, i) for i in range(30)]
    np.testing.assert_allclose(np.mean(each, axis=0), o.slope(theta), atol=1e-15)
    np.testing.assert_allclose(o.slope_at(theta, [4, 7, 7]), (each[4] + 2 * each[7]) / 3, atol=1e-15)


@pytest.mark.parametrize("loss", ck.losses.KNOWN.values(), ids=repr)
@pytest.mark.parametrize("spread", [0.0, 1e-6, 0.03, 1.0, 100.0])
def test_a_stack_gives_the_value_of_each_of_its_thetas(loss, spread):
    """Close together, far apart, repeated: whatever is skipped inside must not show."""
    rng = np.random.default_rng(3)
    X, y = some_data(450, 2)
    o = ck.Objective(X, y, loss=loss, lam=0.1)
    thetas = np.array([0.6, -0.3, 0.2]) + spread * rng.standard_normal((150, 3)).cumsum(axis=0)
    thetas[20:40] = thetas[20]
    direct = loss((np.c_[X, np.ones(450)] @ thetas.T * y[:, None]).T).mean(axis=1)
    np.testing.assert_allclose(o.risk(thetas), direct, rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(o.value(thetas), direct + 0.05 * (thetas[:, :2] ** 2).sum(axis=1), rtol=1e-12)


def test_memory_of_a_stack_stays_bounded():
    X, y = some_data(20_000, 5)
    o = ck.Objective(X, y, loss=ck.losses.logistic)
    thetas = np.random.default_rng(0).standard_normal((500, 6))
    o.value(thetas[:2])
    tracemalloc.start()
    o.value(thetas)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 5e6  # all agreements at once would be 80 MB


def test_repr_says_what_is_minimised():
    assert repr(ck.Objective(*THREE)) == "Objective(hinge; 3 examples, theta has 2 weights and an offset)"
    lasso = ck.Objective([[1.0]], [1], loss=ck.losses.squared, penalty=ck.penalties.l1, lam=0.25, offset=False)
    assert repr(lasso) == "Objective(squared + 0.25 l1; 1 example, theta has 1 weight)"


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"X": [[np.nan, 0], [0, np.inf], [1, 0]]}, ValueError, "X must be finite; got 2 NaN or infinite entries"),
        ({"X": np.empty((0, 2)), "y": []}, ValueError, r"X must hold at least one example .* got shape \(0, 2\)"),
        ({"X": np.empty((3, 0))}, ValueError, r"X must hold at least one example and one feature; got shape \(3, 0\)"),
        ({"X": [0, 1, 2]}, ValueError, r"X must have 2 dimension\(s\); got shape \(3,\)"),
        ({"y": [0, 1, 1]}, ValueError, r"y must hold labels -1 and \+1 only; got \[0.0\]"),
        ({"y": [1, 1]}, ValueError, "got 3 rows in X and 2 labels in y"),
        ({"lam": -0.1}, ValueError, "lam must be >= 0; got -0.1"),
        ({"lam": np.nan}, ValueError, "lam must be >= 0; got nan"),
        ({"loss": "hinge"}, TypeError, "loss must be one of ck.losses .*hinge.*; got 'hinge'"),
        ({"penalty": ck.losses.hinge}, TypeError, "penalty must be one of .*elastic_net.*; got losses.hinge"),
        ({"lam": "0.5"}, TypeError, "lam must be a number >= 0; got '0.5'"),
        ({"lam": True}, TypeError, "lam must be a number >= 0; got True"),
        ({"X": [["1", "2"]] * 3}, TypeError, "X must hold numbers"),
        ({"X": [[1j, 2]] * 3}, TypeError, "X must hold numbers"),
    ],
)
def test_bad_arguments_are_named(change, error, message):
    with pytest.raises(error, match=message):
        ck.Objective(**({"X": THREE[0], "y": THREE[1]} | change))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda o: o.value([1, 2]), r"theta must have shape \(3,\) or \(K, 3\); got \(2,\)"),
        (lambda o: o.slope(np.zeros((2, 3))), r"theta must have shape \(3,\); got \(2, 3\)"),
        (lambda o: o.value([1, 2, np.nan]), "theta must be finite"),
        (lambda o: o.slope_at([1, 2, 3], 3), "i must hold indices from 0 to 2; got 3 to 3"),
        (lambda o: o.slope_at([1, 2, 3], -1), "i must hold indices from 0 to 2; got -1 to -1"),
        (lambda o: o.slope_at([1, 2, 3], 0.5), "i must be a 1-D array of example indices"),
    ],
)
def test_shapes_of_theta_and_indices_are_checked(call, message):
    with pytest.raises(ValueError, match=message):
        call(ck.Objective(*THREE))


def test_a_score_of_0_is_an_error():
    assert misclassified(np.array([-1.0, 0.0, 0.0, 2.0])) == 3
    data = ck.datasets.three_points()
    thetas = np.array([[0, 0, 0], [1, 1, 0], [1, 1, -0.5], [-1, -1, 0.5], [0, 0, 1.0]])
    np.testing.assert_allclose(error_rate(data, thetas), [1, 1 / 3, 0, 1, 1 / 3])
    assert error_rate(data, thetas[1]) == 1 / 3
