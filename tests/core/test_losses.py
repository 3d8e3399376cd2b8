"""Losses and penalties against hand values, scipy and central differences."""

import pickle
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import special

import coursekit as ck

LOSSES = [ck.losses.zero_one, ck.losses.perceptron, ck.losses.hinge, ck.losses.logistic, ck.losses.squared]
PENALTIES = [ck.penalties.l0, ck.penalties.l1, ck.penalties.l2, ck.penalties.elastic_net(0.3), ck.penalties.lq(0.5),
             ck.penalties.lq(3)]  # fmt: skip
agreements = st.floats(-50, 50)


@pytest.mark.parametrize(
    ("loss", "at_minus_2", "at_0", "at_half", "at_1", "at_3"),
    [
        (ck.losses.zero_one, 1, 1, 0, 0, 0),
        (ck.losses.perceptron, 2, 0, 0, 0, 0),
        (ck.losses.hinge, 3, 1, 0.5, 0, 0),
        (ck.losses.logistic, *np.log1p(np.exp([2, 0, -0.5, -1, -3]))),
        (ck.losses.squared, 9, 1, 0.25, 0, 4),
    ],
)  # fmt: skip
def test_values_by_hand(loss, at_minus_2, at_0, at_half, at_1, at_3):
    np.testing.assert_allclose(loss([-2, 0, 0.5, 1, 3]), [at_minus_2, at_0, at_half, at_1, at_3], rtol=1e-15)


def test_squared_loss_is_least_squares_and_punishes_being_too_right():
    y, f = np.array([-1.0, 1.0, 1.0]), np.array([-0.8, 0.9, 100.0])
    np.testing.assert_allclose(ck.losses.squared(y * f), (y - f) ** 2, rtol=1e-12)
    assert ck.losses.squared(100.0) == 9801


@pytest.mark.parametrize(("loss", "kink"), [(ck.losses.hinge, 1.0), (ck.losses.perceptron, 0.0)])
def test_at_a_kink_the_slope_is_that_of_the_left_side(loss, kink):
    assert loss.kink == kink
    np.testing.assert_array_equal(loss.slope([np.nextafter(kink, -9), kink, np.nextafter(kink, 9)]), [-1, -1, 0])


def test_zero_one_is_flat():
    np.testing.assert_array_equal(ck.losses.zero_one.slope([-1.0, 0.0, 1.0]), 0)


def test_logistic_is_exact_where_exp_overflows():
    z = np.array([-1e4, -800, -40, -1e-9, 0, 1e-9, 40, 700, 1e4])
    np.testing.assert_allclose(ck.losses.logistic(z), -special.log_expit(z), rtol=1e-14)
    np.testing.assert_allclose(ck.losses.logistic.slope(z), -special.expit(-z), rtol=1e-12)


@pytest.mark.parametrize("loss", LOSSES, ids=repr)
@given(z=agreements)
def test_slopes_are_derivatives(loss, z):
    assume(all(abs(z - kink) > 1e-3 for kink in (0, 1)))
    difference = (loss(z + 1e-5) - loss(z - 1e-5)) / 2e-5
    assert loss.slope(z) == pytest.approx(difference, abs=1e-6)


@pytest.mark.parametrize("loss", LOSSES, ids=repr)
def test_convex_is_what_random_chords_say(loss):
    rng = np.random.default_rng(0)
    a, b, t = rng.uniform(-4, 4, 2000), rng.uniform(-4, 4, 2000), rng.random(2000)
    above = loss(t * a + (1 - t) * b) <= t * loss(a) + (1 - t) * loss(b) + 1e-12
    assert above.all() == loss.convex


@given(z=agreements)
def test_bounds_on_the_zero_one_loss(z):
    error = ck.losses.zero_one(z)
    assert error <= ck.losses.hinge(z)
    assert error <= ck.losses.squared(z)
    assert error <= ck.losses.logistic(z) / np.log(2) + 1e-15


@pytest.mark.parametrize("loss", LOSSES, ids=repr)
def test_any_shape_in_the_same_shape_out(loss):
    z = np.linspace(-2, 2, 12).reshape(3, 4)
    assert loss(z).shape == loss.slope(z).shape == (3, 4)
    assert np.shape(loss(0.5)) == np.shape(loss.slope(0.5)) == ()
    assert loss.slope([[-1]]).dtype == np.float64


@pytest.mark.parametrize("kink", [-0.5, 0.0, 1.0, 2.0])
def test_a_bent_loss_is_its_kink(kink):
    loss = ck.losses.bent("mine", kink)
    z = np.array([kink - 3, kink - 0.25, kink, kink + 0.25, kink + 3])
    np.testing.assert_array_equal(loss(z), [3, 0.25, 0, 0, 0])
    np.testing.assert_array_equal(loss.slope(z), [-1, -1, -1, 0, 0])


def test_a_loss_of_ones_own_cannot_claim_a_kink():
    def value(z):
        return np.maximum(0.0, 1 - z) ** 2

    def slope(z):
        return -2 * np.maximum(0.0, 1 - z)

    with pytest.raises(TypeError, match="kink"):
        ck.losses.Loss("squared hinge", value, slope, kink=1.0)
    for other in (ck.losses.Loss("squared hinge", value, slope), replace(ck.losses.hinge, value=value)):
        assert other.kink is None
        o = ck.Objective([[1.0, 2.0], [0.5, -1.0], [2.0, 0.3]], [1, -1, 1], loss=other)
        theta, near = np.array([0.1, 0.2, -0.3]), np.array([0.1, 0.2, -0.2])
        np.testing.assert_allclose(o.value([theta, near]), [o.value(theta), o.value(near)], rtol=1e-15)
        assert o.value(theta) == pytest.approx(value(o.Z @ theta).mean(), rel=1e-15)


@pytest.mark.parametrize("thing", LOSSES + PENALTIES, ids=repr)
def test_losses_and_penalties_travel_to_other_processes(thing):
    copy = pickle.loads(pickle.dumps(thing))
    x = np.array([-1.5, 0.5, 2.0])
    np.testing.assert_array_equal(copy(x), thing(x))
    np.testing.assert_array_equal(copy.slope(x), thing.slope(x))


def test_penalties_by_hand():
    w = [3.0, 0.0, -4.0]
    assert ck.penalties.l0(w) == 2
    assert ck.penalties.l1(w) == 7
    assert ck.penalties.l2(w) == 12.5
    assert ck.penalties.elastic_net(0.2)(w) == pytest.approx(0.2 * 7 + 0.8 * 12.5)
    assert ck.penalties.lq(0.5)(w) == pytest.approx(3**0.5 + 2)
    assert ck.penalties.lq(2)(w) == 25


def test_slopes_of_penalties_by_hand():
    w = [4.0, 0.0, -9.0]
    np.testing.assert_array_equal(ck.penalties.l0.slope(w), [0, 0, 0])
    np.testing.assert_array_equal(ck.penalties.l1.slope(w), [1, 0, -1])
    np.testing.assert_array_equal(ck.penalties.l2.slope(w), w)
    np.testing.assert_allclose(ck.penalties.lq(0.5).slope(w), [0.25, 0, -1 / 6])


@pytest.mark.parametrize("penalty", PENALTIES, ids=repr)
@given(w=st.lists(st.floats(-5, 5), min_size=1, max_size=4))
def test_slopes_of_penalties_are_derivatives(penalty, w):
    w = np.array(w)
    assume((np.abs(w) > 1e-2).all())
    step = 1e-5 * np.eye(len(w))
    np.testing.assert_allclose(penalty.slope(w), (penalty(w + step) - penalty(w - step)) / 2e-5, atol=1e-5)


@pytest.mark.parametrize("penalty", PENALTIES, ids=repr)
def test_penalties_take_stacks(penalty):
    stack = np.random.default_rng(0).standard_normal((5, 3))
    stack[2, 1] = 0
    np.testing.assert_allclose(penalty(stack), [penalty(w) for w in stack], rtol=1e-15)
    np.testing.assert_allclose(penalty.slope(stack), [penalty.slope(w) for w in stack], rtol=1e-15)


@pytest.mark.parametrize("penalty", PENALTIES, ids=repr)
def test_convexity_of_penalties_is_what_random_chords_say(penalty):
    rng = np.random.default_rng(0)
    a, b = rng.integers(-2, 3, (2, 1000, 2))  # with many zeros, where l0 bends
    t = rng.random(1000)
    between = penalty(t[:, None] * a + (1 - t)[:, None] * b)
    assert (between <= t * penalty(a) + (1 - t) * penalty(b) + 1e-12).all() == penalty.convex


@pytest.mark.parametrize("mix", [-0.1, 1.1, np.nan])
def test_a_mix_outside_0_to_1_is_refused(mix):
    with pytest.raises(ValueError, match=r"mix must be >= 0 and <= 1; got"):
        ck.penalties.elastic_net(mix)


@pytest.mark.parametrize("q", [0, -1, np.inf])
def test_a_q_that_is_not_positive_is_refused(q):
    with pytest.raises(ValueError, match=r"q must be > 0; got"):
        ck.penalties.lq(q)


@pytest.mark.parametrize("z", ["0.5", [1j], [[1], [1, 2]], None, [np.nan]])
@pytest.mark.parametrize("part", [ck.losses.logistic, ck.losses.hinge.slope])
def test_an_agreement_is_a_number(z, part):
    with pytest.raises((TypeError, ValueError), match="z must"):
        part(z)


@pytest.mark.parametrize("part", [ck.penalties.l0, ck.penalties.l1.slope, lambda w: ck.penalties.lq(0.5).prox(w, 1)])
def test_a_weight_is_a_number(part):
    with pytest.raises((TypeError, ValueError), match="w must"):
        part([1.0, np.nan])


def test_a_word_is_no_q():
    with pytest.raises(TypeError, match="q must be a number"):
        ck.penalties.lq("half")
