"""Data of any scale: what is said is true by exact rational arithmetic, or speaks of rounding. No warning, no NaN."""

from decimal import localcontext
from fractions import Fraction
from itertools import combinations, pairwise
from math import sqrt

import numpy as np
import pytest
from numpy.testing import assert_allclose

import coursekit as ck

pytestmark = pytest.mark.filterwarnings("error")
FIRST = np.array([[1e20, 1e20], [1001, -1000], [-1001, 1000.5]])  # (0, 1) separates; corrections are absorbed


def drawn(seed):
    """(X, y): small whole numbers, scaled by powers of 2 or 10, all alike or by column or by row."""
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(2, 7)), int(rng.integers(1, 3))
    X = rng.integers(-3, 4, (n, d)) * 1.0
    shape = [(1, 1), (1, d), (n, 1), (n, d)][seed % 4]
    X *= np.exp2(rng.integers(-560, 498, shape)) if seed % 8 < 4 else 10.0 ** rng.integers(-170, 150, shape)
    return X, np.where(rng.random(n) < 0.5, 1.0, -1.0)


CASES = [(*drawn(seed), offset) for seed in range(150) for offset in (True, False)]


def signed(X, y, offset=True):
    return fractions(y[:, None] * (np.c_[X, np.ones(len(X))] if offset else X))


def fractions(rows):
    return [[Fraction(x) for x in row] for row in rows.tolist()]


def dot(a, b):
    return sum(x * y for x, y in zip(a, b, strict=True))


def squared_gamma(Z):
    """The largest (min theta . z)^2 for theta of length 1, 0 where none has all theta . z > 0.

    In up to three dimensions the best theta leads from 0 to a row, or at right angles to a line or plane through rows.
    """
    Z = [row + [Fraction(0)] * (3 - len(row)) for row in Z]
    thetas = [*Z]
    for a, b in combinations(Z, 2):
        ab = [q - p for p, q in zip(a, b, strict=True)]
        thetas.append([p * dot(ab, ab) - q * dot(a, ab) for p, q in zip(a, ab, strict=True)])
    for a, b, c in combinations(Z, 3):
        (u1, u2, u3), (v1, v2, v3) = ([q - p for p, q in zip(a, other, strict=True)] for other in (b, c))
        normal = [u2 * v3 - u3 * v2, u3 * v1 - u1 * v3, u1 * v2 - u2 * v1]
        thetas += [normal, [-x for x in normal]]
    least = [(min(dot(theta, z) for z in Z), dot(theta, theta)) for theta in thetas]
    return max((low**2 / square for low, square in least if low > 0), default=Fraction(0))


def test_the_perceptron_claims_what_is_true():
    ended = set()
    for X, y, offset in CASES:
        Z = signed(X, y, offset)
        trace = ck.perceptron(X, y, passes=30, offset=offset)
        right = all(dot(map(Fraction, trace.theta.tolist()), z) > 0 for z in Z)
        assert trace.converged == right or trace.status.startswith("stopped"), (X, y, trace)
        assert all((row.y * row.f <= 0) == row.mistake for row in trace.table(9)), (X, y, trace)
        if trace.status.startswith("not separable: "):
            assert not squared_gamma(Z), (X, y, trace)
        elif not trace.converged:
            assert "rounding" in trace.status or trace.status.startswith("stopped at the limit"), (X, y, trace)
        ended.add(trace.status.split(":")[0].split(" at")[0])
    assert ended >= {"converged", "not separable", "not separable, or rounding hides it", "stopped"}


def test_the_multiclass_perceptron_claims_what_is_true():
    for X, y, _ in CASES[::2]:
        if abs(y.sum()) == len(y):
            continue
        data = ck.datasets.Dataset(X, (y > 0).astype(int), [f"x{j}" for j in range(X.shape[1])], ("0", "1"))
        rule = ck.multiclass_perceptron(data, passes=30)
        Z, (low, high) = signed(X, y, True), fractions(rule.thetas)
        assert not rule.converged or all(dot(high, z) > dot(low, z) for z in Z), (X, y, rule)
        assert not (rule.status.startswith("not separable: ") and squared_gamma(Z)), (X, y, rule)


def test_a_theta_too_small_for_numbers_has_not_converged():
    assert not ck.perceptron([[1e-170], [-1e-170]], [1, -1], eta=1e-170, offset=False).converged
    assert ck.perceptron([[5e-324]], [1], offset=False).converged


@pytest.mark.parametrize("scale", [2.0**-565, 1.0, 2.0**498])  # of 2, so that a tie is one on every processor
def test_what_is_learned_classifies_what_it_was_learned_from(scale):
    X, y = np.array([[0.0, 3.0], [3.0, 0.0], [-3.0, -3.0]]) * scale, [0, 1, 2]
    assert list(ck.perceptron(X, [1, -1, 1]).predict(X)) == [1, -1, 1]
    many = (fit(X, y, ck.perceptron) for fit in (ck.one_vs_rest, ck.one_vs_one))
    for rule in (ck.multiclass_perceptron((X, y)), *many):
        assert list(rule.predict(X)) == y
        assert not rule.ties(X).any()


def test_absorbed_corrections_are_no_proof():
    data = ck.datasets.Dataset(FIRST, np.array([1, 0, 1]), ("a", "b"), ("n", "p"))
    for fit in (ck.perceptron(FIRST, [1, -1, 1]), ck.multiclass_perceptron(data)):
        assert fit.status.startswith("not separable, or rounding hides it: the")
    assert ck.perceptron(FIRST, [1, -1, 1], lam=1e-3).status.endswith("; rounding swallowed corrections")


def test_gamma_is_that_of_exact_arithmetic():
    hidden = 0
    for X, y, offset in CASES[::3]:
        Z, bound = signed(X, y, offset), ck.mistake_bound(X, y, offset)
        square, longest = squared_gamma(Z), max(dot(z, z) for z in Z)
        assert bound.exact
        assert (bound.gamma > 0) == (square > 0), (X, y, bound)
        if bound.gamma > 5e-324:
            assert float(Fraction(bound.gamma) ** 2 / square) == pytest.approx(1, abs=1e-8), (X, y, bound)
        assert not longest or sqrt(Fraction(bound.R) ** 2 / longest) == pytest.approx(1)
        hidden += 0 < bound.gamma < 1e-15 * bound.R
    assert hidden > 5


def test_gamma_of_the_raw_tumours():
    data = ck.datasets.load("breast-cancer")
    bound = ck.mistake_bound(data.X, data.y)
    near = np.argsort(data.y * (data.X @ bound.theta[:-1] + bound.theta[-1]))[:60]
    Z, (theta,) = signed(data.X[near], data.y[near]), fractions(bound.theta[None])
    reached = min(dot(theta, z) for z in Z) / Fraction(np.linalg.norm(bound.theta))
    assert float(reached) == pytest.approx(bound.gamma, rel=1e-6)
    assert bound.gamma > 1.4 * 2.918e-5  # what the theta reaches that rounding leads to


def test_gamma_hangs_on_no_setting_of_decimals():
    with localcontext(prec=2):
        bound = ck.mistake_bound([[1.0, 2.0], [-1.0, -2.0]], [1, -1], offset=False)
    assert bound.gamma == pytest.approx(5**0.5, rel=1e-12)


def test_a_bound_that_is_not_certain_says_so():
    rng = np.random.default_rng(0)
    bound = ck.mistake_bound(rng.standard_normal((400, 160)), np.where(rng.random(400) < 0.5, 1.0, -1.0))
    assert not bound.exact
    assert "gamma = 0, or more, which rounding hides" in repr(bound)


def soft(x, y, lam, w, b):
    """mean hinge loss + lam/2 w^2 of one feature."""
    return sum(max(0, 1 - t * (w * z + b)) for z, t in zip(x, y, strict=True)) / len(x) + lam / 2 * w * w


def softest(x, y, lam):
    """The least of it. Some example has y f = 1 there; with that b, it is a parabola in w between two bends."""
    found = []
    for z, t in zip(x, y, strict=True):
        bends = sorted({(u - t) / (v - z) for v, u in zip(x, y, strict=True) if v != z}) or [Fraction(0)]
        within = [bends[0] - 1, *((a + b) / 2 for a, b in pairwise(bends)), bends[-1] + 1]
        slopes = [sum(u * (v - z) for v, u in zip(x, y, strict=True) if u * (w * (v - z) + t) < 1) for w in within]
        found += [soft(x, y, lam, w, t - w * z) for w in [*bends, *(s / len(x) / lam for s in slopes)]]
    return min(found)


def test_no_line_is_further_from_the_best_than_its_gap_says():
    reached = 0
    for seed in range(100):
        rng = np.random.default_rng(seed)
        n = int(rng.integers(2, 7))
        X = rng.integers(-3, 4, (n, 1)) * 10.0 ** rng.integers(-30, 30, [(1, 1), (n, 1)][seed % 2])
        X = X + (seed % 3 == 0) * 10.0 ** rng.integers(-20, 35)  # far from 0
        y = np.where(rng.random(n) < 0.5, 1.0, -1.0)
        lam = 10.0 ** rng.integers(-6, 6) * (np.abs(X - X.mean()).max() or 1) ** 2
        fit = ck.svm(X, y, lam)
        (x, labels), (theta,) = fractions(np.array([X[:, 0], y])), fractions(fit.theta[None])
        worse = soft(x, labels, Fraction(lam), *theta) - softest(x, labels, Fraction(lam))
        assert worse <= Fraction(float(fit.gap)), (X, y, lam, fit)
        assert (fit.gap <= 1e-6) == fit.status.endswith(" reached") != ("NOT" in fit.status)
        reached += fit.gap <= 1e-6
    assert 80 < reached < 100


@pytest.mark.parametrize("powers", [(0, -70), (-560, 3), (480, -480), (300, 300), (-560, -560), (-500, 400)])
@pytest.mark.parametrize("lam", [0.0, 0.7])
def test_least_squares_and_the_lasso_of_scaled_features(powers, lam):
    """Weights over the scale; with lam as many more rows, in which a weight is multiplied by its feature's scale."""
    rng, scale = np.random.default_rng(1), np.exp2(powers)
    X, y = rng.standard_normal((12, 2)), np.where(rng.random(12) < 0.5, 1.0, -1.0)
    C, r = X - X.mean(axis=0), y - y.mean()
    for column, of in enumerate(scale.tolist()):  # a constant feature in the place of the other has weight 0
        one = np.where(np.arange(2) == column, X * scale, 3.0)
        w = C[:, column] @ r / (C[:, column] @ C[:, column] + lam / of / of * 6)
        assert_allclose(ck.least_squares(one, y, lam)[:2] * scale, np.eye(2)[column] * w, 1e-9, 1e-12)
    both, path = np.linalg.solve(C.T @ C, C.T @ r), ck.lasso_path(X * scale, y)
    for theta in (ck.least_squares(X * scale, y), ck.debias(X * scale, y, [0, 1]), path.at(0)):
        assert_allclose(theta[:2] * scale, both, rtol=1e-9)
    assert_allclose(path.lams[0], (np.abs(C.T @ r) * 2 / 12 * scale).max())  # its first knot


def test_a_weight_of_the_lasso_goes_through_0_however_large_its_feature():
    X, scale = np.array([[2, 1, 1], [1, 3, -1], [-1, -1, 2], [-2, 0.5, 0]]), np.array([1e-170, 1, 1e130])
    assert_allclose(ck.lasso_path(X * scale, [1, 1, -1, -1]).at(0) * scale, [4 / 7, 0, -2 / 7], atol=1e-12)


def test_everything_ends_without_warning_or_nan():
    for X, y, _ in CASES[::6]:
        path = ck.lasso_path(X, y)
        assert np.isfinite(path.theta_at([0, path.lams[0] / 2])).all()
        assert np.isfinite(ck.bolasso(X, y, resamples=4).frequencies).all()
        spread = ck.datasets.Dataset(X, y, ["x1", "x2"][: X.shape[1]], ("-", "+")).standardized().X.std(axis=0)
        assert_allclose(spread, np.ptp(X, axis=0) > 0, atol=1e-7)
        try:
            assert np.isfinite(ck.svm(X, y, [0.1, 1.0]).objective).all()
        except ValueError as error:
            assert "spread" in str(error)  # noqa: PT017


def test_a_pass_without_a_mistake_converges_only_where_exact_arithmetic_finds_none_either():
    X, y = np.array([[3e16, 3e-8], [3e-8, -1], [-3, -3e8], [-1e8, -2]]), np.array([-1, -1, -1, 1])
    trace = ck.perceptron(X, y)
    assert trace.status == "pass 2 made no mistake, but rounding decided the sign of a score"
    assert [dot(map(Fraction, trace.theta.tolist()), z) > 0 for z in signed(X, y)] == [True, True, False, True]
