"""Losses and penalties against hand values, scipy and central differences."""

import pickle
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import optimize, special

import coursekit as ck

LOSSES = [ck.losses.zero_one, ck.losses.perceptron, ck.losses.hinge, ck.losses.logistic, ck.losses.squared]
PENALTIES = [ck.penalties.l0, ck.penalties.l1, ck.penalties.l2, ck.penalties.elastic_net(0.3), ck.penalties.lq(0.5),
             ck.penalties.elastic_net(0), ck.penalties.lq(1), ck.penalties.lq(3)]  # fmt: skip
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


@pytest.mark.parametrize(
    ("loss", "kink"), [(ck.losses.hinge, 1), (ck.losses.perceptron, 0), (ck.losses.bent("mine", -0.5), -0.5)]
)
def test_at_a_kink_the_slope_is_that_of_the_left_side(loss, kink):
    assert loss.kink == kink
    z = np.array([kink - 3, np.nextafter(kink, -9), kink, np.nextafter(kink, 9), kink + 3])
    np.testing.assert_allclose(loss(z), [3, 0, 0, 0, 0], atol=1e-15)
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
def test_stacks_of_any_shape_and_travel_to_other_processes(thing):
    stack = np.random.default_rng(0).standard_normal((5, 3))
    stack[2, 1] = 0
    np.testing.assert_allclose(thing(stack), [thing(row) for row in stack], rtol=1e-15)
    np.testing.assert_allclose(thing.slope(stack), [thing.slope(row) for row in stack], rtol=1e-15)
    copy = pickle.loads(pickle.dumps(thing))
    np.testing.assert_array_equal(copy(stack), thing(stack))
    np.testing.assert_array_equal(copy.slope(stack), thing.slope(stack))
    if thing in LOSSES:
        assert np.shape(thing(0.5)) == np.shape(thing.slope(0.5)) == ()
        assert thing.slope([[-1]]).dtype == np.float64


@pytest.mark.parametrize("thing", LOSSES + PENALTIES, ids=repr)
def test_convex_is_what_random_chords_say(thing):
    rng = np.random.default_rng(0)
    a, b, t = (*rng.uniform(-4, 4, (2, 2000)), rng.random(2000))
    if thing in PENALTIES:
        a, b, t = (*rng.integers(-2, 3, (2, 1000, 2)), rng.random((1000, 1)))  # with many zeros, where l0 bends
    between, t = thing(t * a + (1 - t) * b), t.ravel()
    assert (between <= t * thing(a) + (1 - t) * thing(b) + 1e-12).all() == thing.convex


@pytest.mark.parametrize("penalty", PENALTIES, ids=repr)
def test_kink_is_whether_the_slope_jumps_at_0(penalty):
    jump = penalty.slope([1e-9]) - penalty.slope([-1e-9])
    assert penalty.kink == (abs(jump[0]) > 1e-6 or penalty is ck.penalties.l0)  # l0 jumps itself


def test_penalties_by_hand():
    w = [3.0, 0.0, -4.0]
    assert ck.penalties.l0(w) == 2
    assert ck.penalties.l1(w) == 7
    assert ck.penalties.l2(w) == 12.5
    assert ck.penalties.elastic_net(0.2)(w) == pytest.approx(0.2 * 7 + 0.8 * 12.5)
    assert ck.penalties.lq(0.5)(w) == pytest.approx(3**0.5 + 2)
    assert ck.penalties.lq(2)(w) == 25


def test_slopes_by_hand():
    w = [4.0, 0.0, -9.0]
    np.testing.assert_array_equal(ck.penalties.l0.slope(w), [0, 0, 0])
    np.testing.assert_array_equal(ck.penalties.l1.slope(w), [1, 0, -1])
    np.testing.assert_array_equal(ck.penalties.l2.slope(w), w)
    np.testing.assert_allclose(ck.penalties.elastic_net(0.2).slope(w), [0.2 + 3.2, 0, -0.2 - 7.2])
    np.testing.assert_allclose(ck.penalties.lq(0.5).slope(w), [0.25, 0, -1 / 6])
    np.testing.assert_array_equal(ck.losses.zero_one.slope([-1.0, 0.0, 1.0]), 0)


@pytest.mark.parametrize("penalty", PENALTIES, ids=repr)
@given(w=st.lists(st.floats(-5, 5), min_size=1, max_size=4))
def test_slopes_of_penalties_are_derivatives(penalty, w):
    w = np.array(w)
    assume((np.abs(w) > 1e-2).all())
    step = 1e-5 * np.eye(len(w))
    np.testing.assert_allclose(penalty.slope(w), (penalty(w + step) - penalty(w - step)) / 2e-5, atol=1e-5)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        *((lambda m=m: ck.penalties.elastic_net(m), "mix must be >= 0 and <= 1; got") for m in (-0.1, 1.1, np.nan)),
        *((lambda q=q: ck.penalties.lq(q), "q must be > 0; got") for q in (0, -1, np.inf)),
        (lambda: ck.penalties.lq("half"), "q must be a number > 0; got 'half'"),
        *((lambda z=z: ck.losses.logistic(z), "z must") for z in ("0.5", [1j], [[1], [1, 2]], None, [np.nan])),
        (lambda: ck.losses.hinge.slope([np.nan]), "z must be finite"),
        (lambda: ck.penalties.l0([1.0, np.nan]), "w must be finite"),
        (lambda: ck.penalties.l1.slope([1.0, np.nan]), "w must be finite"),
        (lambda: ck.penalties.l1.prox([np.nan], 1.0), "w must be finite"),
        (lambda: ck.penalties.l1.prox([1.0], -1.0), "t must be >= 0; got -1.0"),
        (lambda: ck.penalties.lq(3).prox([1.0], 1.0), r"penalty must be l0, .* for a prox; got penalties.lq\(3\)"),
    ],
)
def test_bad_arguments_are_named(call, message):
    with pytest.raises((TypeError, ValueError), match=message):
        call()


WITH_PROX = [ck.penalties.l0, ck.penalties.l1, ck.penalties.l2, ck.penalties.elastic_net(0.3), ck.penalties.lq(0.5)]
GRID = np.linspace(-6, 6, 240_001)


@pytest.mark.parametrize("penalty", WITH_PROX, ids=repr)
@pytest.mark.parametrize("t", [0.0, 0.05, 0.7, 3.0])
def test_no_point_of_a_fine_grid_beats_the_prox(penalty, t):
    price = t * penalty(GRID[:, None])
    for w in (-4.0, -1.3, -1e-3, 0.0, 0.2, 0.9, 1.24, 2.5, 3.2):
        v = penalty.prox([w], t)
        reached = 0.5 * (v[0] - w) ** 2 + t * penalty(v)
        assert reached <= (0.5 * (GRID - w) ** 2 + price).min() + 1e-12


def test_prox_by_hand():
    w = np.array([3.0, -0.5, 0.0])
    np.testing.assert_array_equal(ck.penalties.l1.prox(w, 1.0), [2, 0, 0])
    np.testing.assert_array_equal(ck.penalties.l2.prox(w, 1.0), [1.5, -0.25, 0])
    np.testing.assert_array_equal(ck.penalties.elastic_net(0.5).prox(w, 2.0), [1, 0, 0])
    # l0: w = 2 costs t = 2, and so does 1/2 2^2 on the way to 0: of two best ones that with more zeros
    np.testing.assert_array_equal(ck.penalties.l0.prox([3.0, 2.0, -2.0, 2.0001], 2.0), [3, 0, 0, 2.0001])
    v = ck.penalties.lq(0.5).prox([-3.0], 2.0)[0]
    assert v + 3 - 1 / np.sqrt(-v) == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("t", [0.2, 1.0, 2.0, 8.0])
def test_lq_leaves_0_where_its_root_gets_cheaper(t):
    """At the threshold w the move v that solves v - w + t / (2 sqrt v) = 0 costs w^2 / 2: by bisection over w."""
    def gain(w):
        v = optimize.brentq(lambda v: v - w + t / (2 * np.sqrt(v)), (t / 4) ** (2 / 3), w)
        return w * w / 2 - (v - w) ** 2 / 2 - t * np.sqrt(v)

    edge = optimize.brentq(gain, 1.2 * t ** (2 / 3), 2 * t ** (2 / 3))
    below, above = ck.penalties.lq(0.5).prox([edge * (1 - 1e-6), edge * (1 + 1e-6)], t)
    assert below == 0 < 0.9 * t ** (2 / 3) < above
