"""Exercise 3: right answers, and edits that keep them right or make them wrong."""


import math  # noqa: F401 - in edits

import numpy as np
import pytest
from scipy.optimize import approx_fprime

import coursekit as ck
from tests.checking.judging import COURSE, SEEDS, tasks


def losses(y, f):
    z = y * f
    return 1.0 * (z <= 0), np.maximum(0, -z), np.maximum(0, 1 - z), np.log(1 + np.exp(-z)), (1 - z) ** 2


def slopes(z):
    return -2 * np.maximum(0, 1 - z), -np.exp(-z), -1 / ((1 + np.exp(z)) * np.log(2))


def slopes__differences(z):
    kinds = lambda z: np.maximum(0, 1 - z) ** 2, lambda z: np.exp(-z), lambda z: np.log2(1 + np.exp(-z))
    return np.array([(loss(z + 1e-5) - loss(z - 1e-5)) / 2e-5 for loss in kinds])


def error_bound(X, y, theta):
    z = y * (X @ theta)
    total = np.maximum(0, 1 - z).sum()
    return sum(z <= 0), total, int(total)


def worst_dip(z, g):
    worst = 0
    for i in range(len(z)):
        for j in range(i + 2, len(z)):
            for k in range(i + 1, j):
                t = (z[k] - z[i]) / (z[j] - z[i])
                worst = max(worst, g[k] - g[i] - t * (g[j] - g[i]))
    return worst


def worst_dip__hull(z, g):
    """The deepest place below the curve is on its lower convex hull: the lowest chord over each point."""
    lowest = np.array(g, dtype=float)
    for k in range(len(z)):
        for i in range(k):
            for j in range(k + 1, len(z)):
                lowest[k] = min(lowest[k], np.interp(z[k], z[[i, j]], g[[i, j]]))
    return np.max(g - lowest)


def walk(X, y, eta, steps):
    Z = y[:, None] * np.column_stack([X, np.ones(len(X))])
    theta = np.zeros(Z.shape[1])
    for _ in range(steps):
        z = Z @ theta
        slope = np.where(z <= 1, -1, 0)
        theta = theta - eta * (slope @ Z) / len(Z)
    return theta


def walk__loop(X, y, eta, steps):
    theta = [0.0] * (X.shape[1] + 1)
    for _ in range(steps):
        pull = [0.0] * len(theta)
        for x, label in zip(X, y, strict=True):
            if label * (sum(a * c for a, c in zip(theta[:-1], x, strict=True)) + theta[-1]) <= 1:
                pull = [p + label * v for p, v in zip(pull, [*x, 1.0], strict=True)]
        theta = [t + eta * p / len(y) for t, p in zip(theta, pull, strict=True)]
    return theta


def hardest_pull(X, y, theta):
    Z = np.column_stack([X, np.ones(len(X))])
    z = y * (Z @ theta)
    pulls = (z <= 1) * np.linalg.norm(Z, axis=1)
    hardest = pulls.argmax()
    return pulls, hardest, 1 if hardest == np.argmin(z) else 2


def defeat(x, y):
    far = int(np.max(x)) + 1
    while True:
        at, labels = np.append(x, far), np.append(y, 1)
        slope, offset = np.polyfit(at, labels, 1)
        wrong = np.sum(labels * (slope * at + offset) <= 0)
        if wrong > 0:
            return far, wrong
        far += 1


def mail_filter(X, y):
    Z = np.c_[X, np.ones(len(X))]
    return np.linalg.lstsq(Z, y, rcond=None)[0]


def mail_filter__hinge(X, y):
    return walk(X, y, 0.1, 2000)


ALL = "1.0 * (z <= 0), np.maximum(0, -z), np.maximum(0, 1 - z), np.log(1 + np.exp(-z)), (1 - z) ** 2"
MOST = "    return sum(z <= 0), total, int(total)"
RIGHT = [
    ("losses", "z = y * f", "z = (y * f).astype(np.float32)", "np.log(1 + np.exp(-z))", "np.logaddexp(0, -z)"),
    ("losses", "return " + ALL, "rows = [[v <= 0, max(-v, 0), max(0, 1 - v), math.log1p(math.exp(-v)), v * v - 2 * v + "
     ""
     "1]\n"
     "            for v in z.tolist()]\n"
     "    return [[1 * v for v in column] for column in zip(*rows)]"),
    ("slopes", "-2 * np.maximum(0, 1 - z)", "2 * (z - 1) * (z <= 1)", "-1 / ((1 + np.exp(z)) *",
     "(np.tanh(z / 2) - 1) / (2 *"),
    ("error_bound", "np.maximum(0, 1 - z).sum()", "math.fsum(1 - v for v in z if v < 1)", "int(total)", "total // 1"),
    ("error_bound", "X @ theta", "X.astype(np.float32) @ theta.astype(np.float32)", "sum(z <= 0)",
     "len(z) - (z > 0).sum()"),
    ("worst_dip", "                t =", "                worst = max(worst, g[k] - np.interp(z[k], z[[i, j]], g[[i, "
     ""
     "j]]))\n"
     "                t ="),
    ("walk", "np.where(z <= 1, -1, 0)", "-1.0 * ~(z > 1)", "eta * (slope @ Z) / len(Z)",
     "np.mean(eta * slope[:, None] * Z, axis=0)"),
    ("hardest_pull", "np.linalg.norm(Z, axis=1)", "np.sqrt((Z**2).sum(axis=1)).astype(np.float32)"),
    ("hardest_pull", "pulls.argmax()", "pulls.tolist().index(max(pulls))", "return pulls,", "return list(pulls),"),
    ("defeat", "slope, offset = np.polyfit(at, labels, 1)", "slope = np.cov(at, labels)[0, 1] / at.var(ddof=1)\n"
     ""
     ""
     "        offset = labels.mean() - slope * at.mean()", "far, wrong", "[float(far), int(wrong)]"),
    ("defeat", "np.polyfit(at, labels, 1)", "np.linalg.pinv(np.c_[at, np.ones(len(at))]) @ labels"),
    ("mail_filter", "    Z =", "    mean, spread = X.mean(axis=0), np.where(X.std(axis=0) > 0, X.std(axis=0), 1)\n"
     ""
     ""
     "    t = walk((X - mean) / spread, y, 0.3, 500)\n"
     ""
     ""
     "    return [*(t[:-1] / spread), t[-1] - (t[:-1] / spread) @ mean]\n    Z ="),
]
WRONG = [
    ("losses", "np.maximum(0, 1 - z)", "np.max([0 * z, 1 - z])", "np.maximum(a, 0)"),
    ("losses", "np.maximum(0, 1 - z)", "np.where(z < 0, 1 - z, 0)", "`hinge` stops too early"),
    ("losses", ALL, "[loss(z) for loss in ck.losses.KNOWN.values()]", "must be your own"),
    ("slopes", "(1 + np.exp(z)) * np.log(2)", "1 + np.exp(z)", "natural logarithm"),
    ("error_bound", "np.maximum", "np.max", "in line 3"),
    ("error_bound", ".sum()", ".mean()", "int(total)", "int(total * len(z))", "is the mean of the hinge losses"),
    ("error_bound", "y * (X @ theta)", "X @ theta", "1 - z", "1 - y * z", "labels are missing"),
    ("worst_dip", "    worst = 0", "    return max(0, -np.diff(g, 2).min()) if len(z) > 2 else 0\n    worst = 0",
     "neighbouring steps"),
    ("walk", "    return", "        return", "one step alone"),
    ("hardest_pull", "1 if", "2 if", "else 2", "else 1", "wrong way round"),
    ("defeat", "return far, wrong", "return far - 1, wrong", "one too small"),
    ("defeat", "return far, wrong", "return far, wrong / len(at)", "is a fraction"),
    ("defeat", "far += 1", "far += 0", "still running"),
    ("mail_filter", "np.linalg.lstsq(Z, y, rcond=None)[0]", "[1, 0, 1, 0, 0, 0, 0, 0, -1.7]", "at most 19%"),
]


@pytest.mark.parametrize("seed", SEEDS)
def test_references_agree_with_coursekit_and_with_differences(seed):
    drawn, solved = tasks("03-losses", seed), COURSE["03-losses"].space
    for y, f in drawn["losses"].cases:
        for loss, part in zip(ck.losses.KNOWN.values(), solved["losses"](y, f), strict=True):
            np.testing.assert_allclose(part, loss(y * f))
    derived = lambda z: max(0.0, 1 - z[0]) ** 2, lambda z: np.exp(-z[0]), lambda z: np.log2(1 + np.exp(-z[0]))
    for (z,) in drawn["slopes"].cases:
        for loss, part in zip(derived, solved["slopes"](z), strict=True):
            differences = [approx_fprime(np.array([v]), loss, 1e-7)[0] for v in z]
            np.testing.assert_allclose(part, differences, rtol=1e-5, atol=1e-5)
    for X, y, theta in drawn["error_bound"].cases:
        wrong, total, most = solved["error_bound"](X, y, theta)
        assert wrong <= most <= total == ck.Objective(X, y, offset=False).value(theta) * len(y)
    for X, y, eta, steps in drawn["walk"].cases:
        path = ck.gradient_descent(ck.Objective(X, y), ck.steps.constant(eta), steps)
        np.testing.assert_array_equal(solved["walk"](X, y, eta, steps), path.thetas[min(steps, len(path.thetas) - 1)])
    for X, y, theta in drawn["hardest_pull"].cases:
        slopes = [ck.Objective(X, y).slope_at(theta, i) for i in range(len(y))]
        np.testing.assert_allclose(solved["hardest_pull"](X, y, theta)[0], np.linalg.norm(slopes, axis=1))
    for x, y in drawn["defeat"].cases:
        far, mistakes = solved["defeat"](x, y)
        for place, wrong in ((far - 1, 0), (far, mistakes)) if far - 1 > max(x) else ((far, mistakes),):
            X, labels = np.append(x, place)[:, None], np.append(y, 1)
            theta = ck.least_squares(X, labels)
            assert np.sum(labels * (X[:, 0] * theta[0] + theta[1]) <= 0) == wrong
    z = np.array([-2.0, -0.5, 0.25, 1.0, 3.0])
    for loss in ck.losses.KNOWN.values():
        assert (solved["worst_dip"](z, loss(z)) < 1e-12) == loss.convex


@pytest.mark.parametrize("seed", SEEDS)
def test_cases_hold_what_the_text_promises(seed):
    drawn = tasks("03-losses", seed)
    assert {0.0, 1.0} < set(np.concatenate([y * f for y, f in drawn["losses"].cases]))
    totals = [total for _, total, _ in drawn["error_bound"].right]
    assert {np.sign(t % 1 - 0.5) for t in totals if t % 1} == {-1.0, 1.0}
    assert any(t % 1 == 0 for t in totals)
    assert {because for *_, because in drawn["hardest_pull"].right} == {1, 2}
    assert all(x[y > 0].min() > x[y < 0].max() for x, y in drawn["defeat"].cases)
    assert max(far for far, _ in drawn["defeat"].right) < 250
    assert any(len(z) < 3 for z, _ in drawn["worst_dip"].cases)
    for (X, y), (new, _) in zip(drawn["mail_filter"].cases, drawn["mail_filter"].right, strict=True):
        assert (X.shape, y.sum(), new.shape) == ((120, 8), 0, (240, 8))
