"""The perceptron and Novikoff's bound against the table worked by hand, scikit-learn and scipy."""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import optimize
from sklearn.linear_model import Perceptron

import coursekit as ck

THREE = ck.datasets.three_points()
XOR = ([[0, 0], [1, 1], [0, 1], [1, 0]], [-1, -1, 1, 1])

# visit by visit: example, score f, mistake, theta after it
BY_HAND = [
    (0, 0, True, (0, 0, -1)), (1, -1, True, (0, 1, 0)), (2, 0, True, (1, 1, 1)),
    (0, 1, True, (1, 1, 0)), (1, 1, False, (1, 1, 0)), (2, 1, False, (1, 1, 0)),
    (0, 0, True, (1, 1, -1)), (1, 0, True, (1, 2, 0)), (2, 1, False, (1, 2, 0)),
    (0, 0, True, (1, 2, -1)), (1, 1, False, (1, 2, -1)), (2, 0, True, (2, 2, 0)),
    (0, 0, True, (2, 2, -1)), (1, 1, False, (2, 2, -1)), (2, 1, False, (2, 2, -1)),
    (0, -1, False, (2, 2, -1)), (1, 1, False, (2, 2, -1)), (2, 1, False, (2, 2, -1)),
]  # fmt: skip


def written_out(X, y, visits, offset=True, eta=1.0, lam=0.0):
    """(when, thetas) of the rule, one visit after another."""
    X = np.c_[X, np.ones(len(X))] if offset else np.asarray(X, dtype=float)
    theta, when, thetas = np.zeros(X.shape[1]), [], []
    for k, i in enumerate(visits):
        if y[i] * (X[i] @ theta) <= 0:
            theta = (1 - eta * lam) * theta + eta * (y[i] * X[i])
            when.append(k)
            thetas.append(theta)
    return when, np.array(thetas).reshape(len(when), X.shape[1])


def test_three_points_by_hand():
    trace = ck.perceptron(THREE.X, THREE.y)
    assert (trace.mistakes, trace.passes, trace.converged) == (9, 6, True)
    np.testing.assert_array_equal(trace.theta, [2, 2, -1])
    for row, (example, f, mistake, after) in zip(trace.table(), BY_HAND, strict=True):
        assert (row.example, row.f, row.mistake, tuple(row.after)) == (example, f, mistake, after)
        np.testing.assert_array_equal(row.x, THREE.X[example])
        assert row.y == THREE.y[example]
        np.testing.assert_array_equal(row.before, BY_HAND[row.visit - 2][3] if row.visit > 1 else (0, 0, 0))


def test_the_table_as_text_and_as_html():
    trace = ck.perceptron(THREE.X, THREE.y)
    assert "visits" not in repr(trace.table(18)).splitlines()[-1]
    table = trace.table(limit=6)
    lines = repr(table).splitlines()
    assert lines[0].split() == ["visit", "example", "x", "y", "theta", "before", "f", "mistake", "theta", "after"]
    assert lines[2].split() == ["2", "1", "(0,", "1)", "+1", "(0,", "0,", "-1)", "-1", "mistake", "(0,", "1,", "0)"]
    assert lines[-1] == "6 of 18 visits"
    html = table._repr_html_()
    assert "<caption>6 of 18 visits</caption>" in html
    rows = html.split("<tr")[2:]
    assert len(rows) == 6
    assert ["bold" in row for row in rows] == [mistake for *_, mistake, _ in BY_HAND[:6]]
    assert "<td>(0, 1, 0)</td>" in html


def test_a_row_without_offset():
    row = ck.perceptron([[2.0], [3.0]], [1, 1], offset=False).row(2)
    assert (row.visit, row.example, row.f, row.mistake) == (2, 1, 6.0, False)
    assert row.before.tolist() == row.after.tolist() == [2.0]


@pytest.mark.parametrize("data", [("setosa", "versicolor"), ("setosa", "virginica"), ("versicolor", "virginica")])
@pytest.mark.parametrize("standardize", [False, True])
def test_weights_equal_those_of_scikit_learn(data, standardize):
    d = ck.datasets.load("iris", classes=data, standardize=standardize)
    trace = ck.perceptron(d.X, d.y, passes=30)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # not all of these converge
        theirs = Perceptron(max_iter=trace.passes, tol=None, shuffle=False).fit(d.X, d.y)
    np.testing.assert_allclose(trace.theta, [*theirs.coef_[0], *theirs.intercept_], rtol=1e-12, atol=1e-12)


@given(
    seed=st.integers(0, 10**6), order=st.sampled_from(["cyclic", "shuffle"]), whole=st.booleans(), offset=st.booleans(),
)  # fmt: skip
@settings(max_examples=60)
def test_every_mistake_is_that_of_the_rule(seed, order, whole, offset):
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(1, 300)), int(rng.integers(1, 5))
    X = rng.integers(-3, 4, (n, d)) * 1.0 if whole else rng.standard_normal((n, d))
    y = np.where(X[:, 0] + rng.choice([0, 0.5]) * rng.standard_normal(n) > 0.1, 1.0, -1.0)
    trace = ck.perceptron(X, y, passes=8, order=order, offset=offset, seed=seed)
    when, thetas = written_out(X, y, trace.visits, offset)
    assert trace.when.tolist() == when
    np.testing.assert_allclose(trace.thetas, thetas, rtol=1e-12, atol=1e-12)
    assert len(trace.visits) == n * trace.passes
    assert trace.converged == (n > 0 and not any(w >= n * (trace.passes - 1) for w in when))


def test_shrinking_at_every_mistake():
    d = ck.datasets.blobs(n=150, separability=-0.5, seed=3)
    trace = ck.perceptron(d.X, d.y, passes=5, eta=0.5, lam=0.1)
    when, thetas = written_out(d.X, d.y, trace.visits, eta=0.5, lam=0.1)
    assert trace.when.tolist() == when
    np.testing.assert_allclose(trace.thetas, thetas, rtol=1e-12)


def test_eta_only_scales():
    d = ck.datasets.blobs(n=80, seed=2)
    one, four = ck.perceptron(d.X, d.y, order=np.str_("cyclic")), ck.perceptron(d.X, d.y, eta=4.0)
    np.testing.assert_array_equal(4 * one.thetas, four.thetas)
    np.testing.assert_array_equal(one.when, four.when)


def test_a_given_order_is_one_pass():
    trace = ck.perceptron(THREE.X, THREE.y, order=[2, 0, 1])
    assert trace.visits[:3].tolist() == [2, 0, 1]
    when, thetas = written_out(THREE.X, THREE.y, trace.visits)
    assert trace.when.tolist() == when
    np.testing.assert_array_equal(trace.theta, thetas[-1])
    partial = ck.perceptron(THREE.X, THREE.y, order=[1])
    assert not partial.converged
    assert "examples that are not in the order are misclassified" in partial.status


def test_shuffled_orders_repeat_with_their_seed():
    d = ck.datasets.blobs(n=60, separability=-1.0)
    a, b, c = (ck.perceptron(d.X, d.y, passes=4, order="shuffle", seed=s) for s in (1, 1, 2))
    np.testing.assert_array_equal(a.thetas, b.thetas)
    assert a.visits.tolist() != c.visits.tolist()
    assert sorted(a.visits[60:120]) == list(range(60))


CYCLES = {
    "xor": (*XOR, 0.0),
    "nothing but 0": ([[0.0]], [1], 0.0),
    "contradiction": ([[1.0], [1.0]], [1, -1], 0.0),
    "every two passes": ([[1.0], [2.0], [3.0]], [1, -1, 1], 0.0),
    "every four passes": ([[-3.0], [-2.0], [1.0]], [1, -1, 1], 0.0),
    # eta lam = 1: each mistake leaves nothing but its own example in theta, of separable data too
    "shrinking": ([[-1.0], [-0.1], [1.0], [0.1]], [-1, -1, 1, 1], 1.0),
}


@pytest.mark.parametrize("name", CYCLES)
def test_what_comes_back_says_after_how_many_passes(name):
    X, y, lam = CYCLES[name]
    trace = ck.perceptron(X, y, lam=lam, offset=name != "nothing but 0")
    ends = [np.zeros(trace.thetas.shape[1])]
    for passes in range(1, trace.passes + 9):  # the rule goes on
        ends.append(written_out(np.array(X), y, np.tile(range(len(X)), passes), trace.offset, lam=lam)[1][-1])
    first = next(p for p in range(1, 99) if any((ends[p] == end).all() for end in ends[:p]))
    period = next(c for c in range(1, 9) if (ends[first] == ends[first - c]).all())
    assert (trace.passes, trace.cycle, trace.converged) == (first, period, False)
    why = "" if name == "shrinking" else "not separable: "
    every = "every pass" if period == 1 else f"every {period} passes"
    assert trace.status == f"{why}theta returned to an earlier value and repeats {every}"


def test_a_limit_that_was_too_low_says_so():
    trace = ck.perceptron(THREE.X, THREE.y, passes=3)
    assert (trace.converged, trace.passes) == (False, 3)
    assert trace.status == "stopped at the limit of 3 passes, not converged"


def test_shuffled_passes_do_not_end_where_theta_comes_back():
    assert ck.perceptron(*XOR, passes=40, order="shuffle").passes == 40


def largest_gamma(Z):
    """max over unit theta of min Z theta, or 0: from the smallest theta with Z theta >= 1."""
    feasible = optimize.linprog(np.zeros(Z.shape[1]), A_ub=-Z, b_ub=-np.ones(len(Z)), bounds=(None, None))
    if not feasible.success:
        return 0.0
    best = optimize.minimize(
        lambda t: t @ t / 2, feasible.x, jac=lambda t: t, method="SLSQP",
        constraints={"type": "ineq", "fun": lambda t: Z @ t - 1, "jac": lambda t: Z},
        options={"ftol": 1e-14, "maxiter": 500},
    )  # fmt: skip
    return 1 / np.linalg.norm(best.x)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("offset", [True, False])
def test_gamma_is_the_largest_margin(seed, offset):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((int(rng.integers(3, 40)), int(rng.integers(1, 4))))
    y = np.where(X[:, 0] > 0.2 * seed / 12, 1.0, -1.0)
    if seed % 4 == 3:
        y[0] *= -1  # mostly not separable any more
    X[-1] = X[0]
    y[-1] = y[0]
    bound = ck.mistake_bound(X, y, offset)
    A = np.c_[X, np.ones(len(X))] if offset else X
    assert pytest.approx(np.linalg.norm(A, axis=1).max(), rel=1e-14) == bound.R
    assert bound.gamma == pytest.approx(largest_gamma(y[:, None] * A), rel=1e-6, abs=1e-9)
    if bound.gamma:
        assert (y * (A @ bound.theta)).min() == pytest.approx(bound.gamma, rel=1e-12)
        assert np.linalg.norm(bound.theta) == pytest.approx(1)
        assert bound.mistakes == pytest.approx((bound.R / bound.gamma) ** 2)
    else:
        assert np.isinf(bound.mistakes)


def test_the_bound_by_hand():
    # theta ~ (2, 2, -1): agreements 1, 1, 1 over length 3
    bound = ck.mistake_bound(THREE.X, THREE.y)
    assert bound.gamma == pytest.approx(1 / 3)
    assert pytest.approx(np.sqrt(2)) == bound.R
    assert bound.mistakes == pytest.approx(18)
    assert np.isinf(ck.mistake_bound(*XOR).mistakes)


@pytest.mark.parametrize("shrink", [0.0, 0.1, 0.75, 1.0])
def test_the_corridor_is_its_recursion(shrink):
    bound = ck.mistake_bound(THREE.X, THREE.y)
    least, most = [0.0], [0.0]
    for _ in range(30):
        least.append((1 - shrink) * least[-1] + bound.gamma / bound.R)
        most.append(np.sqrt((1 - shrink) ** 2 * most[-1] ** 2 + 1))
    for ours, theirs in zip(bound.corridor(30, shrink), (least, most), strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-12)


@given(seed=st.integers(0, 10**6), gap=st.floats(0.3, 3))
@settings(max_examples=40)
def test_no_run_makes_more_mistakes_than_the_bound(seed, gap):
    d = ck.datasets.blobs(n=40, separability=gap, seed=seed)
    bound = ck.mistake_bound(d.X, d.y)
    for order in ("cyclic", "shuffle"):
        trace = ck.perceptron(d.X, d.y, passes=2000, order=order, seed=seed)
        assert trace.converged
        assert trace.mistakes <= bound.mistakes
        lower, upper = bound.corridor(trace.mistakes)
        lengths = np.linalg.norm(trace.thetas, axis=1) / bound.R
        assert (lengths >= lower[1:] * (1 - 1e-9)).all()
        assert (lengths <= upper[1:] * (1 + 1e-9)).all()


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"y": [0, 1, 1]}, ValueError, r"y must hold labels -1 and \+1 only"),
        ({"X": [[0, np.nan], [1, 1], [2, 2]]}, ValueError, "X must be finite"),
        ({"X": [[1e200], [0], [0]]}, ValueError, "X must have entries whose squares do not overflow"),
        ({"passes": 0}, ValueError, "passes must be an integer >= 1; got 0"),
        ({"order": "random"}, ValueError, "order must be one of 'cyclic', 'shuffle'; got 'random'"),
        ({"order": [3]}, ValueError, "order must hold indices from 0 to 2"),
        ({"eta": 0}, ValueError, "eta must be > 0; got 0"),
        ({"eta": 1e308}, ValueError, r"X must have entries whose squares, times eta = 1e\+308, do not overflow"),
        ({"order": [[0, 1], [2]]}, ValueError, "order must be a 1-D array of example indices"),
        ({"lam": -1}, ValueError, "lam must be >= 0"),
        ({"order": "shuffle", "seed": -1}, ValueError, "seed must be an integer >= 0"),
    ],
)
def test_bad_arguments_are_named(change, error, message):
    with pytest.raises(error, match=message):
        ck.perceptron(**({"X": THREE.X, "y": THREE.y} | change))


def test_a_row_that_was_not_visited():
    trace = ck.perceptron(THREE.X, THREE.y)
    with pytest.raises(ValueError, match="visit must be from 1 to 18; got 19"):
        trace.row(19)
    with pytest.raises(ValueError, match="visits must be an integer >= 0; got -1"):
        trace.theta_at(-1)
