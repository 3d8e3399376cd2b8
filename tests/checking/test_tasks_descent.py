"""Exercise 4: right answers, and edits that keep them right or make them wrong."""

import numpy as np
import pytest
from scipy.optimize import approx_fprime, minimize_scalar

import coursekit as ck
from tests.checking.judging import COURSE, SEEDS, tasks

CHAPTER = "04-gradient-descent"


def ravine(a, start, eta, t):
    q = 1 - eta * a
    kinds = [1 if v >= 0 else 2 if v > -1 else 3 if v == -1 else 4 for v in q]
    c = (a * start) @ start / np.linalg.norm(a * start) / np.linalg.norm(start)
    return start * q**t, kinds, 2 / max(a), max(a) / min(a), np.degrees(np.arccos(c))


def gradients(X, y, theta):
    Z, n = np.c_[X, np.ones(len(X))], len(X)
    s = Z @ theta
    return -2 * (y - s) @ Z / n, -(y * (y * s <= 1)) @ Z / n, -(y / (1 + np.exp(y * s))) @ Z / n


def momentum(X, y, start, eta, m, steps):
    V, T = np.zeros(len(start)), [start]
    for _ in range(steps):
        g = -2 * X.T @ (y - X @ T[-1]) / len(X)
        V = m * V - eta * g
        T.append(T[-1] + V)
    return T


def line_search(X, y, theta):
    L = lambda t: np.mean((y - X @ t) ** 2)  # noqa: E731
    g, eta = -2 * X.T @ (y - X @ theta) / len(X), 1.0
    while L(theta - eta * g) >= L(theta):
        eta /= 2
    return g @ g / (2 * np.mean((X @ g) ** 2)), eta


def barzilai_borwein(before, theta, slope_before, slope):
    s, r = theta - before, slope - slope_before
    eta = s @ s / (s @ r) if s @ r > 0 else 1
    return eta, theta - eta * slope


def early_stop(X, y, eta, steps):
    n = len(X) // 2
    mean, spread = X[:n].mean(axis=0), X[:n].std(axis=0)
    Z = np.column_stack([(X - mean) / spread, np.ones(len(X))])
    theta, lowest = np.zeros(Z.shape[1]), np.inf
    for k in range(steps + 1):
        loss = np.mean((y[n:] - Z[n:] @ theta) ** 2)
        if loss < lowest:
            lowest, best, found = loss, k, theta
        theta = theta + 2 * eta * Z[:n].T @ (y[:n] - Z[:n] @ theta) / n
    w = found[:-1] / spread
    return best, np.append(w, found[-1] - w @ mean)


def starts(A):
    a, v = np.linalg.eigh(A)
    v = v * np.sign(v[0])
    return 2 / a[1], v[:, 1], v[:, 0]


def starts__power(A):
    v = np.array([1.0, 0.7131])
    for _ in range(300):
        v = A @ v / np.linalg.norm(A @ v)
    u = np.array([v[1], -v[0]])
    return 2 / (v @ A @ v), v if v[0] > 0 else -v, u if u[0] > 0 else -u


def kink_search(X, y, theta, other):
    L = lambda t: np.mean(np.maximum(0, 1 - y * (X @ t)))  # noqa: E731
    z = y * (X @ theta)
    g = -(y * (z <= 1)) @ X / len(X)
    etas = np.append((1 - z) / (-y * (X @ g)), 0)
    eta = min(etas[etas >= 0], key=lambda e: L(theta - e * g))
    return eta, 0 if eta > 0 else 2 if L(other) < L(theta) else 1


def kink_search__slopes(X, y, theta, other):
    """Go from kink to kink while the slope behind it is negative."""
    Z = y[:, None] * X
    z = Z @ theta
    rates = Z @ Z[z <= 1].sum(axis=0) / len(y)
    for eta in np.unique(np.append(0, np.maximum(0, (1 - z) / rates))):
        if rates[1 - z - (eta + 1e-6) * rates > 0].sum() <= 0:
            break
    lower = np.clip(1 - Z @ other, 0, None).sum() < np.clip(1 - z, 0, None).sum()
    return [eta, 0 if eta > 0 else 2 if lower else 1]


MOVE, BEST = "theta - eta * slope", "min(etas[etas >= 0], key=lambda e: L(theta - e * g))"
RIGHT = [
    ("ravine", "start * q**t", "(np.diag(q) ** t * start).sum(axis=0)", "max(a) / min(a)",
     "np.linalg.cond(np.diag(a))"),
    ("ravine", "np.degrees(np.arccos(c))", "np.degrees(np.arctan2(np.sqrt(1 - c * c), c))", "kinds,",
     "np.float32(kinds),"),
    ("gradients", "-2 * (y - s) @ Z / n", "[2 * np.mean((s - y) * column) for column in Z.T]",
     "y / (1 + np.exp(y * s))", "(y + 1) / 2 - 1 / (1 + np.exp(-s))"),
    ("gradients", "np.c_[X, np.ones(len(X))]", "np.c_[X, np.ones(len(X))].astype(np.float32)", "y * s <= 1",
     "y * (X @ theta[:-1] + theta[-1]) <= 1"),
    ("momentum", "V = m * V - eta * g", "V = m * V - g", "T[-1] + V", "T[-1] + eta * V"),
    ("momentum", "T.append(T[-1] + V)", "T.append(T[-1] + m * (T[-1] - (T[-2] if len(T) > 1 else start)) - eta * g)"),
    ("line_search", "g @ g / (2 * np.mean((X @ g) ** 2))", "g @ g / (g @ (2 * X.T @ X / len(X)) @ g)"),
    ("line_search", "np.mean((y - X @ t) ** 2)", "sum((v - x @ t) ** 2 for x, v in zip(X, y, strict=True))"),
    ("barzilai_borwein", "s @ s / (s @ r) if s @ r > 0",
     "1 / (np.dot(s, r) / np.linalg.norm(s) ** 2) if s @ r > 1e-12"),
    ("barzilai_borwein", "eta, " + MOVE, "np.float32(eta), [t - eta * v for t, v in zip(theta, slope, strict=True)]"),
    ("early_stop", "np.mean((y[n:] - Z[n:] @ theta) ** 2)",
     "sum((v - z @ theta) ** 2 for z, v in zip(Z[n:], y[n:], strict=True))"),
    ("early_stop", "2 * eta * Z[:n].T @ (y[:n] - Z[:n] @ theta) / n",
     "eta * np.mean(-2 * (Z[:n] @ theta - y[:n])[:, None] * Z[:n], axis=0)", "return best", "return np.float64(best)"),
    ("starts", "np.linalg.eigh(A)", "[part[..., ::-1] if np.linalg.eig(A)[0][0] > np.linalg.eig(A)[0][1] else part\n"
     ""
     ""
     "            for part in np.linalg.eig(A)]"),
    ("kink_search", "np.mean(np.maximum(0, 1 - y * (X @ t)))",
     "sum(max(0, 1 - v * (x @ t)) for x, v in zip(X, y, strict=True))"),
]
WRONG = [
    ("ravine", "start * q**t", "start - t * eta * a * start", "gradient at the start"),
    ("gradients", "-2 * (y - s)", "(s - y)", "factor 2"),
    ("line_search", ">= L(theta)", ">= L(theta) and eta > 1e-6", "number of halvings"),
    ("line_search", ">= L(theta)", "> L(theta) - 1e-4 * eta * g @ g", "more than a decrease"),
    ("line_search", "), eta", "), eta / 2", "once too often"),
    ("barzilai_borwein", "s @ s / (s @ r) if s @ r > 0 else 1", "s / r", "`eta` has a number for each entry"),
    ("barzilai_borwein", "s @ s / (s @ r) if s @ r > 0", "np.linalg.norm(s) / np.linalg.norm(r) if r.any()",
     "divide lengths"),
    ("momentum", "return T", "return T[1:]", "start is missing"),
    ("momentum", "        g =", "        T.append(T[-1] + V)\n        g =",
     "V = m * V - eta * g\n        T.append(T[-1] + V)", "V = m * V - eta * g", "by the old V"),
    ("early_stop", "(y[n:] - Z[n:] @ theta)", "(y[:n] - Z[:n] @ theta)", "X[:n].mean(axis=0), X[:n].std(axis=0)",
     "X.mean(axis=0), X.std(axis=0)", "theta = theta + 2", "theta += 2", "falls with every step"),
    ("early_stop", "X[:n].mean(axis=0), X[:n].std(axis=0)", "X.mean(axis=0), X.std(axis=0)", "theta = theta + 2",
     "theta += 2", "know the validation half"),
    ("early_stop", "theta = theta + 2", "theta += 2", "    w =", "    return best, found\n    w =", "names"),
    ("starts", "2 / a[1], v[:, 1], v[:, 0]", "2 / a[0], v[:, 0], v[:, 1]", "larger of the two"),
    ("starts", "v * np.sign(v[0])", "v / v[0]", "first entry of 1"),
    ("starts", "    v = v * np.sign(v[0])\n", "", "whatever sign"),
    ("kink_search", "np.maximum(0, 1 - y * (X @ t))", "1 - y * (X @ t)", "lacks the max"),
    ("kink_search", BEST, "min(etas[etas > 0], default=0)\n    eta = eta if L(theta - eta * g) < L(theta) else 0",
     "first kink"),
    ("kink_search", BEST, "min([e for e in etas if e > 0] or [0], key=lambda e: L(theta - e * g))",
     "never try eta = 0"),
    ("kink_search", "0 if eta > 0 else 2 if L(other) < L(theta) else 1",
     "2 if L(other) < L(theta) else 0 if eta > 0 else 1", "where eta is larger than 0 too"),
]


@pytest.mark.parametrize("seed", SEEDS)
def test_solutions_agree_with_coursekit_and_with_differences(seed):
    drawn, solved = tasks(CHAPTER, seed), COURSE[CHAPTER].space
    for X, y, theta in drawn["gradients"].cases:
        for loss, gradient in zip(("squared", "hinge", "logistic"), solved["gradients"](X, y, theta), strict=True):
            risk = ck.Objective(X, y, getattr(ck.losses, loss))
            np.testing.assert_allclose(gradient, risk.slope(theta), atol=1e-12)
            if loss != "hinge":
                np.testing.assert_allclose(gradient, approx_fprime(theta, risk.value, 1e-7), atol=1e-4)
    for X, y, start, eta, m, steps in drawn["momentum"].cases:
        risk = ck.Objective(X, y, ck.losses.squared, offset=False)
        path = ck.gradient_descent(risk, ck.steps.constant(eta), steps, momentum=m, start=start)
        np.testing.assert_allclose(solved["momentum"](X, y, start, eta, m, steps), path.thetas)
        before, theta, after = ck.gradient_descent(risk, ck.steps.barzilai_borwein(), 2, start=start).thetas
        own = solved["barzilai_borwein"](before, theta, risk.slope(before), risk.slope(theta))[1]
        np.testing.assert_allclose(own, after)
    for X, y, theta in drawn["line_search"].cases:
        risk = ck.Objective(X, y, ck.losses.squared, offset=False)
        exact, halved = solved["line_search"](X, y, theta)
        assert halved == ck.gradient_descent(risk, ck.steps.backtracking(), 1, start=theta).rates[0]
        found = minimize_scalar(lambda e: risk.value(theta - e * exact * risk.slope(theta)), bounds=(0, 3))  # noqa: B023
        assert found.x == pytest.approx(1, abs=1e-3)
    for X, y, theta, _ in drawn["kink_search"].cases:
        risk = ck.Objective(X, y, offset=False)
        eta = solved["kink_search"](X, y, theta, theta)[0]
        along = risk.value(theta - np.linspace(0, 3 * eta + 1, 2000)[:, None] * risk.slope(theta))
        assert risk.value(theta - eta * risk.slope(theta)) <= min(along) + 1e-12


@pytest.mark.parametrize("seed", SEEDS)
def test_ravines_and_starts_do_what_is_foretold(seed):
    drawn, solved = tasks(CHAPTER, seed), COURSE[CHAPTER].space
    for a, start, eta, t in drawn["ravine"].cases:
        after, kinds, limit, _, _ = solved["ravine"](a, start, eta, t)
        if t < 10:
            later = [start]
            for _ in range(60):
                later.append(later[-1] - eta * a * later[-1])
            np.testing.assert_allclose(after, later[t])
            crosses = np.prod(later[:2], axis=0) < 0
            for kind, crossed, far in zip(kinds, crosses, np.abs(later[-1]) - np.abs(start), strict=True):
                assert kind == (1 if not crossed else 2 if far < 0 else 3 if far == 0 else 4)
            assert (eta < limit) == (max(kinds) < 3)
    for (A,) in drawn["starts"].cases:
        eta, forever, lucky = solved["starts"](A)
        np.testing.assert_allclose(forever - eta * A @ forever, -forever, atol=1e-12)
        longer = np.eye(2) - 1.01 * eta * A
        assert np.linalg.norm(longer @ lucky) < 1 < np.linalg.norm(longer @ forever)
        assert np.linalg.norm(forever) == pytest.approx(1) == pytest.approx(np.linalg.norm(lucky))
        assert min(forever[0], lucky[0]) > 0.1


@pytest.mark.parametrize("seed", SEEDS)
def test_cases_hold_what_tells_wrong_answers_apart(seed):
    drawn = tasks(CHAPTER, seed)
    assert {kind for _, kinds, *_ in drawn["ravine"].right for kind in kinds} == {1, 2, 3, 4}
    rates = [halved for _, halved in drawn["line_search"].right]
    assert min(rates) < 2**-20
    assert np.isclose(rates, 2**-11, rtol=1e-9, atol=0).any()
    bends = [(theta - before) @ (slope - slope_before)
             for before, theta, slope_before, slope in drawn["barzilai_borwein"].cases]
    assert set(np.sign(bends)) == {-1.0, 0.0, 1.0}
    ends = {(best == 0, best == steps) for (best, _), (*_, steps) in zip(
        drawn["early_stop"].right, drawn["early_stop"].cases, strict=True)}
    assert ends >= {(True, False), (False, True), (False, False)}
    assert {verdict for _, verdict in drawn["kink_search"].right} == {0, 1, 2}
    assert {forever[1] > 0 for _, forever, _ in drawn["starts"].right} == {True, False}
