"""The objective against sums written out by hand and central differences."""

import pickle
import tracemalloc

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import coursekit as ck

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


def test_the_offset_is_free():
    far = ck.Objective(*THREE, loss=ck.losses.zero_one, lam=1.0).value([0, 0, 1e6])
    assert far == pytest.approx(1 / 3)


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


@pytest.mark.parametrize("loss", CONVEX, ids=repr)
@given(seed=st.integers(0, 10**6))
@settings(max_examples=40)
def test_risk_is_convex_along_chords(loss, seed):
    rng = np.random.default_rng(seed)
    o = ck.Objective(*some_data(20, 2, seed), loss=loss)
    a, b, t = 3 * rng.standard_normal(3), 3 * rng.standard_normal(3), rng.random()
    assert o.risk(t * a + (1 - t) * b) <= t * o.risk(a) + (1 - t) * o.risk(b) + 1e-12


def test_zero_one_risk_is_not_convex():
    o = ck.Objective([[1.0]], [1.0], loss=ck.losses.zero_one, offset=False)
    assert o.risk([0.0]) > (o.risk([-1.0]) + o.risk([3.0])) / 2


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


def test_integer_agreements_on_the_kink_count_alike_in_a_stack():
    o = ck.Objective(*THREE)
    grid = np.array([[a, b, c] for a in (-1, 0, 1, 2) for b in (-1, 0, 1, 2) for c in (-1, 0, 1)], dtype=float)
    np.testing.assert_array_equal(o.value(grid), [o.value(theta) for theta in grid])


def test_memory_of_a_stack_stays_bounded():
    X, y = some_data(20_000, 5)
    o = ck.Objective(X, y, loss=ck.losses.logistic)
    thetas = np.random.default_rng(0).standard_normal((2000, 6))
    o.value(thetas[:2])
    tracemalloc.start()
    o.value(thetas)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 5e6  # all agreements at once would be 320 MB


def test_logistic_risk_is_finite_for_huge_agreements():
    o = ck.Objective([[1e4], [-1e4]], [1, 1], loss=ck.losses.logistic)
    assert o.value([1.0, 0.0]) == pytest.approx(5000)
    assert np.isfinite(o.slope([1.0, 0.0])).all()


def test_it_is_frozen_and_travels():
    o = ck.Objective(*some_data(), lam=0.1)
    with pytest.raises(AttributeError):
        o.lam = 3
    theta = np.ones(4)
    assert pickle.loads(pickle.dumps(o)).value(theta) == o.value(theta)


def test_repr_says_what_is_minimised():
    assert repr(ck.Objective(*THREE)) == "Objective(hinge; 3 examples, theta has 2 weights and an offset)"
    lasso = ck.Objective([[1.0]], [1], loss=ck.losses.squared, penalty=ck.penalties.l1, lam=0.25, offset=False)
    assert repr(lasso) == "Objective(squared + 0.25 l1; 1 example, theta has 1 weight)"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"X": [[np.nan, 0], [0, 1], [1, 0]]}, "X must be finite; got 1 NaN"),
        ({"X": [[np.inf, 0], [0, 1], [1, 0]]}, "X must be finite"),
        ({"X": np.empty((0, 2)), "y": []}, "X must hold at least one example"),
        ({"X": [0, 1, 2]}, "X must have 2 dimension"),
        ({"y": [0, 1, 1]}, r"y must hold labels -1 and \+1 only; got \[0.0\]"),
        ({"y": [1, 1]}, "got 3 rows in X and 2 labels in y"),
        ({"lam": -0.1}, "lam must be >= 0; got -0.1"),
        ({"lam": np.nan}, "lam must be >= 0; got nan"),
    ],
)
def test_bad_data_are_named(change, message):
    X, y = THREE
    with pytest.raises(ValueError, match=message):
        ck.Objective(**({"X": X, "y": y} | change))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"loss": "hinge"}, "loss must be one of ck.losses .*hinge.*; got 'hinge'"),
        ({"penalty": "l2"}, "penalty must be one of ck.penalties .*elastic_net.*; got 'l2'"),
        ({"penalty": ck.losses.hinge}, "penalty must be one of"),
        ({"lam": "much"}, "lam must be a number"),
        ({"lam": "0.5"}, "lam must be a number >= 0; got '0.5'"),
        ({"lam": True}, "lam must be a number >= 0; got True"),
        ({"X": [["1", "2"]] * 3}, "X must hold numbers"),
        ({"X": [[1j, 2]] * 3}, "X must hold numbers"),
    ],
)
def test_wrong_kinds_are_named(change, message):
    with pytest.raises(TypeError, match=message):
        ck.Objective(**({"X": THREE[0], "y": THREE[1]} | change))


def test_shapes_of_theta_are_checked():
    o = ck.Objective(*THREE)
    with pytest.raises(ValueError, match=r"theta must have shape \(3,\) or \(K, 3\); got \(2,\)"):
        o.value([1, 2])
    with pytest.raises(ValueError, match=r"theta must have shape \(3,\); got \(2, 3\)"):
        o.slope(np.zeros((2, 3)))
    with pytest.raises(ValueError, match="theta must be finite"):
        o.value([1, 2, np.nan])
    with pytest.raises(ValueError, match="i must hold indices from 0 to 2; got 3 to 3"):
        o.slope_at([1, 2, 3], 3)
    with pytest.raises(ValueError, match="i must be a 1-D array of example indices"):
        o.slope_at([1, 2, 3], 0.5)
