"""Descent against runs by hand, scipy, scikit-learn, and the definition. (Formulas of prox: tests/core.)"""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import optimize
from sklearn.linear_model import ElasticNet, LogisticRegression, Ridge

import coursekit as ck
from coursekit.core.losses import hinge, logistic, squared
from coursekit.core.penalties import elastic_net, l1, l2, lq
from coursekit.core.steps import Schedule, Search, backtracking, barzilai_borwein, constant, decaying, exact
from tests.algorithms.test_sgd import overlapping

DATA = ck.datasets.blobs(60, -3, seed=1, irrelevant=10)
SEARCHES = [backtracking(), exact(), barzilai_borwein()]
ONE = ck.Objective([[1.0]], [1], offset=False)  # max(0, 1 - theta): beyond 1 the slope is 0
TENT = ck.Objective(np.ones((4, 1)), [1, 1, 1, -1], offset=False)  # piecewise linear, kinks at -1 and 1


def parabola(x=1.0):
    """L(theta) = (1 - x theta)^2, slope -2 x (1 - x theta), curvature 2 x^2."""
    return ck.Objective([[x]], [1], loss=squared, offset=False)


def test_schedules_and_searches_by_hand_and_of_ones_own():
    for schedule, etas in [
        (decaying(2.0), [2, 1, 2 / 3]),
        (ck.steps.robbins_monro(2.0, 0.75), [2, 2 / 2**0.75, 2 / 3**0.75]),
        (Schedule("slow", lambda k: 1 / np.sqrt(k + 1)), [1, 1 / np.sqrt(2), 1 / np.sqrt(3)]),
    ]:
        assert_allclose(ck.gradient_descent(overlapping(), schedule, steps=3).rates, etas, rtol=1e-15)
    path = ck.gradient_descent(parabola(), Search("fixed", lambda line: (1.0, 0.25)), steps=2)
    assert path.tried == ((1.0, 0.25), (1.0, 0.25))
    assert_array_equal(path.thetas[:, 0], [0, 0.5, 0.75])


def test_momentum_goes_on_where_the_ground_is_flat():
    path = ck.gradient_descent(ONE, constant(0.75), steps=6, momentum=0.5)
    assert_array_equal(path.thetas[:, 0], [0, 0.75, 1.875, 2.4375, 2.71875, 2.859375, 2.9296875])
    assert path.status.startswith("made all 6 steps")
    stopped = ck.gradient_descent(ONE, constant(0.75), steps=6, momentum=0.5, tolerance=1e-3)
    assert stopped.status == "converged: the slope is 0 at step 2"


@pytest.mark.parametrize(("momentum", "rate"), [(0.0, 1.0), (0.5, 1.0), (0.5, 0.5), (0.75, 1.0), (0.75, 0.25)])
def test_a_cycle_is_a_state_that_comes_back(momentum, rate):
    """theta and velocity, of whole binary fractions, which are exact: step by step, looked for among all before."""
    for steps in range(2, 40):
        theta, velocity, states = 0.0, 0.0, [(0.0, 0.0)]
        for _ in range(steps):
            slope = -sum(y for y in (1, 1, 1, -1) if y * theta <= 1) / 4
            velocity = momentum * velocity - rate * slope
            theta += velocity
            states.append((theta, velocity))
        path = ck.gradient_descent(TENT, constant(rate), steps, momentum=momentum)
        assert_array_equal(path.thetas[:, 0], [theta for theta, _ in states])
        before = [k for k in range(1, steps) if states[k] == states[-1]]
        assert path.status.startswith("cycles") == bool(before)
        if before:
            led = f"the last {steps - before[-1]} only led back to where step {before[-1]} was"
            assert path.status == f"cycles: made all {steps} steps; {led}"
    # where the steps change, a state that comes back is no cycle
    path = ck.gradient_descent(TENT, Schedule("in turn", lambda k: 2.0 - k % 2), steps=4)
    assert_array_equal(path.thetas[:, 0], [0, 1, 1.5, 1, 1.5])
    assert path.status == "made all 4 steps, the last 3 without a new lowest value"


def test_exact_search_goes_as_far_as_the_curvature_asks_and_not_on_where_it_no_longer_falls():
    for x, eta in ((0.5, 2.0), (0.01, 5000.0), (1e-4, 5e7), (100.0, 5e-5)):
        assert_allclose(ck.gradient_descent(parabola(x), exact(), steps=1).rates, eta, rtol=1e-7)
    assert_allclose(ck.gradient_descent(ONE, exact(), steps=1).rates, 1, rtol=1e-15)


@pytest.mark.parametrize("loss", [hinge, logistic, squared], ids=repr)
@pytest.mark.parametrize("lam", [0.0, 0.1])
def test_exact_line_search_reaches_the_minimum_along_the_line(loss, lam):
    o = overlapping(loss, lam=lam)
    path = ck.gradient_descent(o, exact(), steps=4)
    for theta, eta, value in zip(path.thetas[:-1], path.rates, path.values[1:], strict=True):
        along = optimize.minimize_scalar(lambda t, at, slope: o.value(at - t * slope), args=(theta, o.slope(theta)),
                                         bounds=(0, 4 * eta), method="bounded", options={"xatol": 1e-12})
        assert value <= along.fun + 1e-12


def test_line_search_by_halving_is_the_first_eta_that_lowers_the_objective():
    o = overlapping(squared)
    path = ck.gradient_descent(o, backtracking(), steps=5, start=[3, -4, 2])
    for theta, tried, value in zip(path.thetas, path.tried, path.values, strict=False):
        assert list(tried) == [0.5**j for j in range(len(tried))]
        *rejected, taken = (o.value(theta - eta * o.slope(theta)) for eta in tried)
        assert taken < value <= min(rejected, default=np.inf)
    # 2^-40 lands on twice the minimum, where the value is 1 again
    assert ck.gradient_descent(parabola(2.0**20), backtracking(), steps=1).rates.tolist() == [2.0**-41]
    path = ck.gradient_descent(TENT, backtracking(), steps=30)
    assert (path.theta, len(path.tried)) == (1, 2)  # the minimum, where the slope is not 0: a kink
    assert path.status.startswith("stalled at step 2: the slope is 0.5 long, yet no step size that was tried lowers")


def test_barzilai_borwein_looks_back_at_the_curvature():
    # (1 - u)^2/2 + (1 - v/2)^2/2 from 0 with eta = 1: s = (1, 1/2), r = (1, 1/8), so that s.s / s.r = 20/17
    path = ck.gradient_descent(ck.Objective([[1, 0], [0, 0.5]], [1, 1], squared, offset=False), barzilai_borwein(), 2)
    assert_allclose(path.rates, [1, 20 / 17])


@pytest.mark.parametrize("step", [constant(0.1), decaying(1.0), *SEARCHES], ids=repr)
@pytest.mark.parametrize("loss", ck.losses.KNOWN.values(), ids=repr)
@pytest.mark.parametrize("penalty", [ck.penalties.l2, ck.penalties.lq(0.5)], ids=repr)
def test_every_step_meets_every_objective(step, loss, penalty):
    o = overlapping(loss, penalty=penalty, lam=0.02)
    path = ck.gradient_descent(o, step, steps=40, start=[0.5, 0.5, -0.5])
    assert len(path.rates) == 40 or path.status.startswith(("converged", "stalled"))
    assert_allclose(path.values, [o.value(theta) for theta in path.thetas], rtol=1e-13)
    assert path.best == np.argmin(path.values)
    assert_array_equal(path.best_theta, path.thetas[path.best])
    moved = [theta - eta * o.slope(theta) for theta, eta in zip(path.thetas[:-1], path.rates, strict=True)]
    assert_allclose(path.thetas, [[0.5, 0.5, -0.5], *moved], rtol=1e-9, atol=1e-12)
    if isinstance(step, Search) and step.name != "barzilai_borwein()":
        assert (np.diff(path.values) < 0).all()
        assert [tried[-1] for tried in path.tried] == path.rates.tolist()


def test_tolerance_is_the_length_of_the_slope():
    o = overlapping(logistic, lam=0.1)
    path = ck.gradient_descent(o, constant(0.5), steps=500, tolerance=1e-3)
    lengths = [np.linalg.norm(o.slope(theta)) for theta in path.thetas]
    assert lengths[-1] <= 1e-3 < min(lengths[:-1])
    assert path.status == f"converged: the slope is at most 0.001 long at step {len(path.rates)}"
    assert ck.gradient_descent(parabola(), constant(0.5)).status == "converged: the slope is 0 at step 1"


def test_validation_stops_at_the_first_step_that_does_not_help():
    o, other = (overlapping(logistic, n, seed=seed) for n, seed in ((20, 1), (200, 2)))
    free = ck.gradient_descent(o, constant(0.5), steps=100)
    risks = [other.value(theta) for theta in free.thetas]
    last = next(k for k in range(1, 101) if risks[k] >= risks[k - 1])
    for held_out in (other, (other.X, other.y), ck.datasets.Dataset(other.X, other.y, ("a", "b"), ("-", "+"))):
        path = ck.gradient_descent(o, constant(0.5), steps=100, validation=held_out)
        assert len(path.rates) == last < 100
        assert_array_equal(path.thetas, free.thetas[: last + 1])
        assert_allclose(path.validation, risks[: last + 1], rtol=1e-14)
        assert path.status == f"validation loss stopped falling: it was lowest at step {last - 1}"
    # a loss that stays as it is has stopped falling
    path = ck.gradient_descent(ONE, constant(0.25), steps=9, validation=([[10.0]], [1]))
    assert_array_equal(path.validation, [1, 0, 0])  # theta = 0, 0.25, 0.5
    assert path.status == "validation loss stopped falling: it was lowest at step 1"


def test_a_step_that_is_too_large_diverges_in_words_and_finite_numbers():
    o = overlapping(squared)
    path = ck.gradient_descent(o, constant(10.0), steps=5000, start="zero")
    overflowed = "the objective overflowed; the step size is too large"
    assert path.status == f"diverged at step {len(path.rates) + 1}: {overflowed}"
    with np.errstate(over="ignore", invalid="ignore"):
        assert not np.isfinite(o.value(path.theta - 10.0 * o.slope(path.theta)))
    first = ck.Objective(o.X[:1], o.y[:1])  # falls at the step after which the squares overflow
    once = ck.gradient_descent(o, constant(1e200), steps=5, validation=first)
    assert (len(once.values), once.validation.tolist()) == (1, [1.0])


@pytest.mark.parametrize("step", [constant(1e308), *SEARCHES], ids=repr)
@pytest.mark.parametrize("loss", ck.losses.KNOWN.values(), ids=repr)
@pytest.mark.parametrize(("momentum", "scale"), [(0.0, 1e4), (0.9, 1e-4), (0.9, 1.0)])
def test_results_are_finite_whatever_the_step(step, loss, momentum, scale):
    X = scale * np.random.default_rng(0).standard_normal((20, 2))
    o = ck.Objective(X, np.sign(X[:, 0]), loss=loss)  # separable, lam = 0: no optimum for the logistic loss
    path = ck.gradient_descent(o, step, steps=60, momentum=momentum)
    assert np.isfinite([*path.thetas.flat, *path.values]).all()
    assert len(path.values) == len(path.thetas) == len(path.rates) + 1


@pytest.mark.parametrize(("penalty", "lam", "loss", "eta", "model", "off"), [
    (l1, 0.2, squared, 0.1, ElasticNet(alpha=0.1, l1_ratio=1, tol=1e-12), 1e-8),
    (l2, 0.3, squared, 0.1, Ridge(alpha=60 * 0.3 / 2), 1e-8),
    (elastic_net(0.4), 0.2, squared, 0.1, ElasticNet(alpha=0.1, l1_ratio=0.4, tol=1e-12), 1e-8),
    (l1, 0.05, logistic, 0.5, LogisticRegression(C=1 / (60 * 0.05), l1_ratio=1, solver="saga", tol=1e-10), 1e-4),
])
def test_proximal_descent_reaches_the_minimum_and_the_zeros_of_scikit_learn(penalty, lam, loss, eta, model, off):
    path = ck.proximal_descent(ck.Objective(DATA.X, DATA.y, loss, penalty, lam), constant(eta), 20_000, tolerance=1e-12)
    theirs = model.set_params(max_iter=100_000).fit(DATA.X, DATA.y)
    assert path.status.startswith("converged: step ")
    assert_allclose(path.theta, [*np.ravel(theirs.coef_), *np.ravel(theirs.intercept_)], atol=off)
    assert_array_equal(path.theta[:-1] == 0, np.ravel(theirs.coef_) == 0)


@pytest.mark.parametrize(("penalty", "lam", "eta", "status", "low", "high"), [
    (l1, 3.0, 0.1, "converged: step 1 moved theta by at most 0", 0, 0),
    (lq(0.5), 0.5, 0.01, "converged", 0, 0),  # |w|^(1/2) has infinite slope at 0: only a large step leaves it
    (lq(0.5), 0.5, 0.5, "", 0.5, 1), (lq(0.5), 0.5, 10.0, "diverged at step", -np.inf, np.inf),
])
def test_zero_traps_where_the_penalty_is_steep_there(penalty, lam, eta, status, low, high):
    path = ck.proximal_descent(ck.Objective([[1.0]], [1], squared, penalty, lam, offset=False), constant(eta), 1000)
    assert path.status.startswith(status)
    assert low <= path.theta[0] <= high
