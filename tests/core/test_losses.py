"""Losses and penalties against hand values, scipy and central differences."""

import ast
import pickle
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import optimize, special

import coursekit as ck
from coursekit.core.losses import KNOWN, bent, hinge, logistic, perceptron
from coursekit.core.penalties import elastic_net, l0, l1, l2, lq
from tests import hand
from tests.faults import faults, refused

LOSSES = [*KNOWN.values()]
PENALTIES = [l0, l1, l2, elastic_net(0.3), lq(0.5), elastic_net(0), lq(1), lq(3)]


@pytest.mark.parametrize("loss", hand.LOSSES)
def test_losses_by_hand(loss):
    z = np.array([-2, 0, 0.5, 1, 3])
    assert_allclose(KNOWN[loss](z), hand.LOSSES[loss](z), rtol=1e-15)


@pytest.mark.parametrize("module", [ck.losses, ck.penalties])
def test_an_editor_shows_what_each_is(module):
    body = ast.parse(Path(module.__file__).read_text("utf-8")).body
    told = {getattr(node, "name", None) or node.targets[0].id for node, after in pairwise([*body, None])
            if (isinstance(node, ast.FunctionDef) and ast.get_docstring(node))
            or (isinstance(node, ast.Assign) and isinstance(getattr(after, "value", None), ast.Constant))}
    assert told >= set(module.__all__)


def test_logistic_is_exact_where_exp_overflows():
    z = np.array([-1e4, -800, -40, -1e-9, 0, 1e-9, 40, 700, 1e4])
    assert_allclose(logistic(z), -special.log_expit(z), rtol=1e-14)
    assert_allclose(logistic.slope(z), -special.expit(-z), rtol=1e-12)


@pytest.mark.parametrize("thing", LOSSES + PENALTIES, ids=repr)
def test_slopes_are_derivatives(thing):
    at, step = np.random.default_rng(0).uniform(-5, 5, 500), 1e-5
    at = at[np.abs(at[:, None] - [0, 1]).min(axis=1) > 1e-2]
    shape = (-1,) if thing in LOSSES else (-1, 1)  # a penalty sums the last axis
    differences = (thing((at + step).reshape(shape)) - thing((at - step).reshape(shape))) / (2 * step)
    assert_allclose(thing.slope(at), differences, atol=1e-6, rtol=1e-6)


@pytest.mark.parametrize(("loss", "kink"), [(hinge, 1), (perceptron, 0), (bent("mine", -0.5), -0.5)])
def test_at_a_kink_the_slope_is_that_of_the_left_side(loss, kink):
    assert loss.kink == kink
    z = np.array([kink - 3, np.nextafter(kink, -9), kink, np.nextafter(kink, 9), kink + 3])
    assert_allclose(loss(z), [3, 0, 0, 0, 0], atol=1e-15)
    assert_array_equal(loss.slope(z), [-1, -1, -1, 0, 0])


def test_a_loss_of_ones_own_has_no_kink():
    other = replace(hinge, value=lambda z: hinge.value(z) ** 2, derivative=lambda z: -2 * hinge.value(z))
    o, theta = ck.Objective([[1.0, 2.0], [0.5, -1.0]], [1, -1], loss=other), [0.1, 0.2, -0.3]
    short = 1 - o.Z @ theta
    assert_allclose([o.value(theta), *o.slope(theta)], [(short**2).mean(), *(-2 * short @ o.Z / 2)], rtol=1e-14)


@pytest.mark.parametrize("thing", LOSSES + PENALTIES, ids=repr)
def test_stacks_of_any_shape_and_travel_to_other_processes(thing):
    stack = np.random.default_rng(0).standard_normal((5, 3))
    stack[2, 1] = 0
    for one in (thing, pickle.loads(pickle.dumps(thing))):
        assert_allclose(one(stack), [thing(row) for row in stack], rtol=1e-15)
        assert_allclose(one.slope(stack), [thing.slope(row) for row in stack], rtol=1e-15)
    if thing in LOSSES:
        assert np.shape(thing(0.5)) == np.shape(thing.slope(0.5)) == ()
        assert thing.slope([[-1]]).dtype == np.float64


@pytest.mark.parametrize(("penalty", "value", "slope"), [
    (l0, 2, [0, 0, 0]), (l1, 13, [1, 0, -1]), (l2, 48.5, [4, 0, -9]), (lq(0.5), 5, [0.25, 0, -1 / 6]),
    (elastic_net(0.2), 0.2 * 13 + 0.8 * 48.5, [0.2 + 3.2, 0, -0.2 - 7.2]), (lq(2), 97, [8, 0, -18]),
], ids=repr)  # fmt: skip
def test_penalties_by_hand(penalty, value, slope):
    assert penalty([4.0, 0.0, -9.0]) == pytest.approx(value)
    assert_allclose(penalty.slope([4.0, 0.0, -9.0]), slope)


@pytest.mark.parametrize("penalty", [l0, l1, l2, elastic_net(0.3), lq(0.5)], ids=repr)
@pytest.mark.parametrize("t", [0.0, 0.05, 0.7, 3.0])
def test_no_point_of_a_fine_grid_beats_the_prox(penalty, t):
    grid = np.linspace(-6, 6, 60_001)
    price = t * penalty(grid[:, None])
    for w in (-4.0, -1.3, -1e-3, 0.0, 0.2, 0.9, 1.24, 2.5, 3.2):
        v = penalty.prox([w], t)
        assert 0.5 * (v[0] - w) ** 2 + t * penalty(v) <= (0.5 * (grid - w) ** 2 + price).min() + 1e-12


def test_prox_by_hand():
    assert_array_equal(elastic_net(0.5).prox([3.0, -0.5, 0.0], 2.0), [1, 0, 0])
    # l0: w = 2 costs t = 2, and so does 1/2 2^2 on the way to 0: of two best ones that with more zeros
    assert_array_equal(l0.prox([3.0, 2.0, -2.0, 2.0001], 2.0), [3, 0, 0, 2.0001])


@pytest.mark.parametrize("t", [0.2, 1.0, 2.0, 8.0])
def test_lq_leaves_0_where_its_root_gets_cheaper(t):
    """At the threshold w the move v that solves v - w + t / (2 sqrt v) = 0 costs w^2 / 2: by bisection over w."""
    def gain(w):
        v = optimize.brentq(lambda v: v - w + t / (2 * np.sqrt(v)), (t / 4) ** (2 / 3), w)
        return w * w / 2 - (v - w) ** 2 / 2 - t * np.sqrt(v)

    edge = optimize.brentq(gain, 1.2 * t ** (2 / 3), 2 * t ** (2 / 3))
    below, above = lq(0.5).prox([edge * (1 - 1e-6), edge * (1 + 1e-6)], t)
    assert below == 0 < 0.9 * t ** (2 / 3) < above


@faults(__file__)
def test_bad_arguments_are_named(call, said, error):
    refused(call, said, error, globals())
