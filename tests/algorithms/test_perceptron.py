"""The perceptron and Novikoff's bound against the table worked by hand; gamma: test_scales."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

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
    X = np.c_[X, np.ones(len(X))][:, : np.shape(X)[1] + offset]
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
    before = (0, 0, 0)
    for row, (example, f, mistake, after) in zip(trace.table(), BY_HAND, strict=True):
        assert (row.example, row.f, row.mistake, tuple(row.after)) == (example, f, mistake, after)
        assert (*row.x, row.y, *row.before) == (*THREE.X[example], THREE.y[example], *before)
        before = after
    row = ck.perceptron([[2.0], [3.0]], [1, 1], offset=False).row(2)
    assert (row.visit, row.example, row.f, row.mistake, *row.before, *row.after) == (2, 1, 6, False, 2, 2)


def test_the_table_as_text_and_as_html():
    trace = ck.perceptron(THREE.X, THREE.y)
    assert "visits" not in repr(trace.table(18)).splitlines()[-1]
    assert repr(trace.table(0)).endswith("0 of 18 visits")
    heads, _, second, *_, rest = repr(trace.table(limit=6)).splitlines()
    assert heads.split() == ["visit", "example", "x", "y", "theta", "before", "f", "mistake", "theta", "after"]
    assert second.split() == ["2", "1", "(0,", "1)", "+1", "(0,", "0,", "-1)", "-1", "mistake", "(0,", "1,", "0)"]
    assert rest == "6 of 18 visits"
    html = trace.table(limit=6)._repr_html_()
    assert "<caption>6 of 18 visits</caption>" in html
    assert ["bold" in row for row in html.split("<tr")[2:]] == [mistake for *_, mistake, _ in BY_HAND[:6]]
    assert "<td>(0, 1, 0)</td>" in html


@pytest.mark.parametrize(("order", "offset"), [("cyclic", True), ("cyclic", False), ("shuffle", True)])
@pytest.mark.parametrize(("eta", "lam", "whole"), [(1.0, 0.0, False), (0.5, 0.0, True), (0.5, 0.1, False)])
@pytest.mark.parametrize("seed", range(6))
def test_every_mistake_is_that_of_the_rule(seed, order, whole, offset, eta, lam):
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(1, 300)), int(rng.integers(1, 5))
    X = rng.integers(-3, 4, (n, d)) * 1.0 if whole else rng.standard_normal((n, d))
    y = np.where(X[:, 0] + rng.choice([0, 0.5]) * rng.standard_normal(n) > 0.1, 1.0, -1.0)
    trace = ck.perceptron(X, y, passes=8, order=order, offset=offset, eta=eta, lam=lam, seed=seed)
    when, thetas = written_out(X, y, trace.visits, offset, eta, lam)
    assert trace.when.tolist() == when
    assert_allclose(trace.thetas, thetas, rtol=1e-12, atol=1e-12)
    assert len(trace.visits) == n * trace.passes
    assert trace.converged == (not any(w >= n * (trace.passes - 1) for w in when))


def test_orders():
    assert ck.perceptron(THREE.X, THREE.y, order=[2, 0, 1]).visits[:6].tolist() == [2, 0, 1] * 2
    partial = ck.perceptron(THREE.X, THREE.y, order=[1])
    assert not partial.converged
    assert "examples that are not in the order are misclassified" in partial.status
    a, b, c = (ck.perceptron(*XOR, passes=40, order=np.str_("shuffle"), seed=s) for s in (1, 1, 2))
    assert a == b
    assert a.visits.tolist() != c.visits.tolist()
    assert sorted(a.visits[4:8]) == list(range(4))
    assert a.status == "stopped at the limit of 40 passes, not converged"  # not where theta comes back


CYCLES = {
    "xor": (*XOR, 0.0),
    "nothing but 0": ([[0.0]], [1], 0.0),
    "contradiction": ([[1.0], [1.0]], [1, -1], 0.0),
    "every two passes": ([[1.0], [2.0], [3.0]], [1, -1, 1], 0.0),
    "every four passes": ([[-3.0], [-2.0], [1.0]], [1, -1, 1], 0.0),
    "shrinking": ([[-1.0], [-0.1], [1.0], [0.1]], [-1, -1, 1, 1], 1.0),  # separable, too: eta lam = 1
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


@pytest.mark.parametrize("shrink", [0.0, 1e-13, 0.1, 0.75, 1.0])
def test_the_corridor_is_its_recursion(shrink):
    bound = ck.mistake_bound(THREE.X, THREE.y)
    least, most = [0.0], [0.0]
    for _ in range(30):
        least.append((1 - shrink) * least[-1] + bound.gamma / bound.R)
        most.append(np.sqrt((1 - shrink) ** 2 * most[-1] ** 2 + 1))
    assert_allclose(bound.corridor(30, shrink), (least, most), rtol=1e-12)
    assert bound.mistakes == pytest.approx(18)  # R^2 = 2, and gamma = 1/3
    assert ck.mistake_bound(*XOR).mistakes == np.inf
