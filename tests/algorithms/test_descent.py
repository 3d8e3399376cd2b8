"""Step sizes and gradient descent against runs by hand, scipy, and the definition step by step."""

import numpy as np
import pytest
from scipy import optimize

import coursekit as ck
from tests.algorithms.problems import overlapping

STEPS = [
    ck.steps.constant(0.1),
    ck.steps.decaying(1.0),
    ck.steps.robbins_monro(0.5, 0.75),
    ck.steps.backtracking(),
    ck.steps.exact(),
    ck.steps.barzilai_borwein(),
]
SEARCHES = [step for step in STEPS if isinstance(step, ck.steps.Search)]


def parabola():
    """L(theta) = (1 - theta)^2, slope -2 (1 - theta)."""
    return ck.Objective([[1.0]], [1], loss=ck.losses.squared, offset=False)


def tent(kinks=(1, 1, 1, -1)):
    """Hinge loss of x = 1 with these labels, one weight: piecewise linear, kinks at -1 and 1."""
    return ck.Objective(np.ones((len(kinks), 1)), kinks, offset=False)


def test_schedules_by_hand_and_of_ones_own():
    slow = ck.steps.Schedule("slow", lambda k: 1 / np.sqrt(k + 1))
    for schedule, etas in [
        (ck.steps.constant(0.3), [0.3, 0.3, 0.3]),
        (ck.steps.decaying(2.0), [2, 1, 2 / 3]),
        (ck.steps.robbins_monro(2.0, 0.75), [2, 2 / 2**0.75, 2 / 3**0.75]),
        (slow, [1, 1 / np.sqrt(2), 1 / np.sqrt(3)]),
        (ck.steps.Schedule("same", lambda k: 0.5), [0.5, 0.5, 0.5]),
    ]:
        np.testing.assert_allclose(schedule.rates(3), etas, rtol=1e-15)
        path = ck.gradient_descent(overlapping(), schedule, steps=3)
        np.testing.assert_array_equal(path.rates, schedule.rates(3))
    assert repr(slow) == "steps.slow"


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        (lambda k: 1.0 - k, r"steps.mine must give an eta_k > 0 for each of 3 steps; got \[ 1.  0. -1.\]"),
        (lambda k: [1.0, 2.0], r"steps.mine must give an eta_k > 0 for each of 3 steps; got \[1. 2.\]"),
        (lambda k: 1.0 / (k - 5) ** 2 * np.nan, "the eta_k of steps.mine must be finite; got 3 NaN"),
    ],
)
def test_a_schedule_gives_a_number_above_0_for_every_step(rule, message):
    with pytest.raises(ValueError, match=message):
        ck.gradient_descent(parabola(), ck.steps.Schedule("mine", rule), steps=3)


def test_a_search_of_ones_own():
    fixed = ck.steps.Search("fixed", lambda line: (1.0, 0.25))
    path = ck.gradient_descent(parabola(), fixed, steps=2)
    assert path.tried == ((1.0, 0.25), (1.0, 0.25))
    np.testing.assert_array_equal(path.thetas[:, 0], [0, 0.5, 0.75])


def test_constant_step_by_hand():
    path = ck.gradient_descent(parabola(), ck.steps.constant(0.25), steps=5)
    np.testing.assert_array_equal(path.thetas[:, 0], 1 - 0.5 ** np.arange(6))
    np.testing.assert_array_equal(path.values, 0.25 ** np.arange(6))
    np.testing.assert_array_equal(path.rates, [0.25] * 5)
    assert (path.best, path.examples, path.status) == (5, None, "made all 5 steps")
    assert path.theta == path.best_theta == 0.96875
    assert ck.gradient_descent(parabola(), ck.steps.constant(0.5)).status == "converged: the slope is 0 at step 1"
    assert repr(path) == "Path(5 steps, value 1 to 0.0009766, lowest 0.0009766 at step 5; made all 5 steps)"


def test_momentum_by_hand():
    path = ck.gradient_descent(parabola(), ck.steps.constant(0.25), steps=4, momentum=0.5)
    # V: 0.5, 0.5*0.5 + 0.25, 0.5*0.5 + 0.5*(1 - 1), 0.5*0.25 - 0.25*0.5: it stands still, and then turns back
    np.testing.assert_array_equal(path.thetas[:, 0], [0, 0.5, 1.0, 1.25, 1.25])
    assert path.best == 2
    # the theta is that of step 3, the velocity is not: no cycle
    assert path.status == "made all 4 steps, the last 2 without a new lowest value"


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
        path = ck.gradient_descent(tent(), ck.steps.constant(rate), steps, momentum=momentum)
        np.testing.assert_array_equal(path.thetas[:, 0], [theta for theta, _ in states])
        before = [k for k in range(1, steps) if states[k] == states[-1]]
        assert path.status.startswith("cycles") == bool(before)
        if before:
            led = f"the last {steps - before[-1]} only led back to where step {before[-1]} was"
            assert path.status == f"cycles: made all {steps} steps; {led}"


def test_where_the_steps_change_a_state_that_comes_back_is_no_cycle():
    path = ck.gradient_descent(tent(), ck.steps.Schedule("in turn", lambda k: 2.0 - k % 2), steps=4)
    np.testing.assert_array_equal(path.thetas[:, 0], [0, 1, 1.5, 1, 1.5])
    assert path.status == "made all 4 steps, the last 3 without a new lowest value"


def test_flat_ground_is_left_with_the_velocity_that_led_there():
    """max(0, 1 - theta): beyond 1 the slope is 0, and momentum alone moves theta."""
    one = ck.Objective([[1.0]], [1], offset=False)
    path = ck.gradient_descent(one, ck.steps.constant(0.75), steps=6, momentum=0.5)
    np.testing.assert_array_equal(path.thetas[:, 0], [0, 0.75, 1.875, 2.4375, 2.71875, 2.859375, 2.9296875])
    assert path.status.startswith("made all 6 steps")
    stopped = ck.gradient_descent(one, ck.steps.constant(0.75), steps=6, momentum=0.5, tolerance=1e-3)
    assert stopped.status == "converged: the slope is 0 at step 2"


@pytest.mark.parametrize(("x", "eta"), [(0.5, 2.0), (0.01, 5000.0), (1e-4, 5e7), (100.0, 5e-5)])
def test_exact_search_goes_as_far_as_the_curvature_asks(x, eta):
    far = ck.Objective([[x]], [1], loss=ck.losses.squared, offset=False)  # curvature 2 x^2
    path = ck.gradient_descent(far, ck.steps.exact(), steps=1)
    np.testing.assert_allclose([path.rates[0], path.theta[0]], [eta, 1 / x], rtol=1e-7)


def test_a_shorter_search_by_halving_than_2_to_the_minus_40():
    steep = ck.Objective([[2.0**20]], [1], loss=ck.losses.squared, offset=False)
    path = ck.gradient_descent(steep, ck.steps.backtracking(), steps=1)
    assert path.rates.tolist() == [2.0**-41]  # 2^-40 lands on twice the minimum, where the value is 1 again


def test_barzilai_borwein_finds_the_curvature_of_a_parabola():
    path = ck.gradient_descent(parabola(), ck.steps.barzilai_borwein(), steps=9, start=[0.9])
    np.testing.assert_allclose(path.theta, [1], atol=1e-15)
    far = ck.Objective([[0.1]], [1], loss=ck.losses.squared, offset=False)  # first step eta = 1, too short
    path = ck.gradient_descent(far, ck.steps.barzilai_borwein(), steps=2)
    np.testing.assert_allclose(path.rates, [1, 50])  # 1 / curvature = 1 / (2 * 0.1^2)
    np.testing.assert_allclose(path.theta, [10])


def test_a_line_search_with_no_way_down_says_so():
    path = ck.gradient_descent(tent(), ck.steps.backtracking(), steps=30)
    assert path.theta == 1  # the minimum, where the slope is not 0: a kink
    assert path.status == "stalled at step 2: the slope is 0.5 long, yet no step along it lowers the objective"
    assert len(path.tried) == len(path.rates) == 2


@pytest.mark.parametrize("loss", [ck.losses.hinge, ck.losses.logistic, ck.losses.squared], ids=repr)
@pytest.mark.parametrize("lam", [0.0, 0.1])
def test_exact_line_search_reaches_the_minimum_along_the_line(loss, lam):
    o = overlapping(loss, lam=lam)
    path = ck.gradient_descent(o, ck.steps.exact(), steps=4)
    for theta, eta, value in zip(path.thetas[:-1], path.rates, path.values[1:], strict=True):
        slope = o.slope(theta)
        along = optimize.minimize_scalar(
            lambda t, theta=theta, slope=slope: o.value(theta - t * slope), bounds=(0, 4 * eta), method="bounded",
            options={"xatol": 1e-12},
        )  # fmt: skip
        assert value <= along.fun + 1e-12


@pytest.mark.parametrize("step", STEPS, ids=repr)
@pytest.mark.parametrize("loss", ck.losses.KNOWN.values(), ids=repr)
@pytest.mark.parametrize("penalty", [ck.penalties.l2, ck.penalties.l1, ck.penalties.lq(0.5)], ids=repr)
def test_every_step_meets_every_objective(step, loss, penalty):
    base = overlapping()
    o = ck.Objective(base.X, base.y, loss=loss, penalty=penalty, lam=0.02)
    path = ck.gradient_descent(o, step, steps=40, start=[0.5, 0.5, -0.5])
    K = len(path.rates)
    assert path.thetas.shape == (K + 1, 3)
    assert path.values.shape == (K + 1,)
    assert K == 40 or path.status.startswith(("converged", "stalled"))
    np.testing.assert_allclose(path.values, [o.value(theta) for theta in path.thetas], rtol=1e-13)
    assert path.best == np.argmin(path.values)
    np.testing.assert_array_equal(path.best_theta, path.thetas[np.argmin(path.values)])
    theta = path.thetas[0]
    for k, eta in enumerate(path.rates):
        theta = theta - eta * o.slope(path.thetas[k])
        np.testing.assert_allclose(path.thetas[k + 1], theta, rtol=1e-9, atol=1e-12)
        theta = path.thetas[k + 1]
    if isinstance(step, ck.steps.Schedule):
        np.testing.assert_array_equal(path.rates, step.rates(40)[:K])
    elif step.name != "barzilai_borwein()":
        assert (np.diff(path.values) < 0).all()
        assert [tried[-1] for tried in path.tried] == path.rates.tolist()


@pytest.mark.parametrize("step", SEARCHES, ids=repr)
def test_smooth_convex_objectives_are_solved(step):
    o = overlapping(ck.losses.logistic, lam=0.05)
    path = ck.gradient_descent(o, step, steps=300, tolerance=1e-7)
    reference = optimize.minimize(o.value, np.zeros(3), jac=o.slope, tol=1e-12)
    assert path.values[path.best] == pytest.approx(reference.fun, abs=1e-12)
    np.testing.assert_allclose(path.best_theta, reference.x, atol=1e-5)


def test_line_search_by_halving_is_the_first_eta_that_lowers_the_objective():
    o = overlapping(ck.losses.squared)
    path = ck.gradient_descent(o, ck.steps.backtracking(), steps=5, start=[3, -4, 2])
    for theta, tried, value in zip(path.thetas, path.tried, path.values, strict=False):
        assert list(tried) == [0.5**j for j in range(len(tried))]
        at = [o.value(theta - eta * o.slope(theta)) for eta in tried]
        assert all(v >= value for v in at[:-1])
        assert at[-1] < value


def test_tolerance_is_the_length_of_the_slope():
    o = overlapping(ck.losses.logistic, lam=0.1)
    path = ck.gradient_descent(o, ck.steps.constant(0.5), steps=500, tolerance=1e-3)
    lengths = [np.linalg.norm(o.slope(theta)) for theta in path.thetas]
    assert lengths[-1] <= 1e-3 < min(lengths[:-1])
    assert path.status == f"converged: the slope is at most 0.001 long at step {len(path.rates)}"


@pytest.mark.parametrize("form", ["objective", "dataset", "pair"])
def test_validation_stops_at_the_first_step_that_does_not_help(form):
    o, other = (overlapping(ck.losses.logistic, n, seed=seed) for n, seed in ((20, 1), (200, 2)))
    free = ck.gradient_descent(o, ck.steps.constant(0.5), steps=100)
    risks = [other.value(theta) for theta in free.thetas]
    last = next(k for k in range(1, 101) if risks[k] >= risks[k - 1])
    data = {
        "objective": other,
        "dataset": ck.datasets.Dataset(other.X, other.y, ("a", "b"), ("-", "+")),
        "pair": (other.X, other.y),
    }[form]
    path = ck.gradient_descent(o, ck.steps.constant(0.5), steps=100, validation=data)
    assert len(path.rates) == last < 100
    np.testing.assert_array_equal(path.thetas, free.thetas[: last + 1])
    np.testing.assert_allclose(path.validation, risks[: last + 1], rtol=1e-14)
    assert path.status == f"validation loss stopped falling: it was lowest at step {last - 1}"
    assert path.best == np.argmin(path.values)


def test_a_validation_loss_that_stays_as_it_is_has_stopped_falling():
    one, far = (ck.Objective([[x]], [1], offset=False) for x in (1.0, 10.0))
    path = ck.gradient_descent(one, ck.steps.constant(0.25), steps=9, validation=far)
    np.testing.assert_array_equal(path.validation, [1, 0, 0])  # theta = 0, 0.25, 0.5
    assert path.status == "validation loss stopped falling: it was lowest at step 1"


def test_starts():
    o = overlapping()
    np.testing.assert_array_equal(ck.gradient_descent(o, ck.steps.constant(1), 1).thetas[0], [0, 0, 0])
    np.testing.assert_array_equal(ck.gradient_descent(o, ck.steps.constant(1), 1, start="zero").thetas[0], [0, 0, 0])
    path = ck.gradient_descent(o, ck.steps.constant(1), 1, start=[1, 2, 3])
    np.testing.assert_array_equal(path.thetas[0], [1, 2, 3])
    np.testing.assert_allclose(path.theta, [1, 2, 3] - o.slope([1, 2, 3]))


def test_a_step_that_is_too_large_diverges_in_words_and_finite_numbers():
    o = overlapping(ck.losses.squared)
    path = ck.gradient_descent(o, ck.steps.constant(10.0), steps=5000)
    k = len(path.rates) + 1
    assert path.status == f"diverged at step {k}: the objective overflowed; the step size is too large"
    assert np.isfinite(path.thetas).all()
    assert np.isfinite(path.values).all()
    hinge = ck.Objective(o.X[:1], o.y[:1])  # falls at the step after which the squares overflow
    once = ck.gradient_descent(o, ck.steps.constant(1e200), steps=5, validation=hinge)
    assert (len(once.values), once.validation.tolist()) == (1, [1.0])
    with np.errstate(over="ignore", invalid="ignore"):
        assert not np.isfinite(o.value(path.theta - 10.0 * o.slope(path.theta)))


@pytest.mark.parametrize("step", [ck.steps.constant(1e308), *SEARCHES], ids=repr)
@pytest.mark.parametrize("loss", ck.losses.KNOWN.values(), ids=repr)
@pytest.mark.parametrize(("momentum", "scale"), [(0.0, 1e4), (0.9, 1e-4), (0.9, 1.0)])
def test_results_are_finite_whatever_the_step(step, loss, momentum, scale):
    rng = np.random.default_rng(0)
    X = scale * rng.standard_normal((20, 2))
    o = ck.Objective(X, np.sign(X[:, 0]), loss=loss)  # separable, lam = 0: no optimum for the logistic loss
    path = ck.gradient_descent(o, step, steps=60, momentum=momentum)
    assert np.isfinite(path.thetas).all()
    assert np.isfinite(path.values).all()
    assert len(path.values) == len(path.thetas) == len(path.rates) + 1
    assert path.status


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"step": lambda: ck.steps.constant(0)}, ValueError, "eta must be > 0; got 0"),
        ({"step": lambda: ck.steps.constant(np.inf)}, ValueError, "eta must be > 0; got inf"),
        ({"step": lambda: ck.steps.decaying(-1)}, ValueError, "eta0 must be > 0; got -1"),
        ({"step": lambda: ck.steps.robbins_monro(1, 0.5)}, ValueError, "power must be > 0.5 and <= 1; got 0.5"),
        ({"step": lambda: ck.steps.robbins_monro(1, 1.5)}, ValueError, "power must be > 0.5 and <= 1; got 1.5"),
        ({"step": lambda: ck.steps.robbins_monro(0, 1)}, ValueError, "eta0 must be > 0; got 0"),
        ({"step": 0.1}, TypeError, "step must be one of ck.steps.*; got 0.1"),
        ({"objective": None}, TypeError, "objective must be a ck.Objective; got NoneType"),
        ({"steps": 0}, ValueError, "steps must be an integer >= 1; got 0"),
        ({"steps": 2.5}, TypeError, "steps must be an integer"),
        ({"momentum": 1.0}, ValueError, "momentum must be >= 0 and < 1; got 1"),
        ({"momentum": -0.1}, ValueError, "momentum must be >= 0"),
        ({"tolerance": -1}, ValueError, "tolerance must be >= 0; got -1"),
        ({"start": [1, 2]}, ValueError, r"start must have shape \(3,\); got \(2,\)"),
        ({"start": "ones"}, ValueError, "start must be one of 'zero'; got 'ones'"),
        ({"start": [1, 2, np.nan]}, ValueError, "start must be finite"),
        ({"start": [1e200, 0, 0]}, ValueError, "start must have a finite objective; got inf"),
        ({"validation": ([[1.0]], [1])}, ValueError, "validation must have the features of the objective"),
        ({"validation": ([[1.0, 2.0]], [0])}, ValueError, "y must hold labels"),
        ({"validation": ([[1.0, 2.0]],)}, TypeError, "validation must be"),
    ],
)
def test_bad_arguments_are_named(change, error, message):
    def run(objective=overlapping(ck.losses.squared), step=lambda: ck.steps.constant(0.1), **more):  # noqa: B008
        ck.gradient_descent(objective, step() if callable(step) else step, **more)

    with pytest.raises(error, match=message):
        run(**change)
