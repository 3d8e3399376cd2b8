"""Exercise 1: right answers, and edits that keep them right or make them wrong."""

import math

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from tests.checking.judging import SEEDS, tasks


def decision(X, theta):
    return X @ theta[:-1] + theta[-1]


def training_error(X, y, theta):
    wrong = 0
    for x, label in zip(X, y, strict=True):
        if label * (x @ theta[:-1] + theta[-1]) <= 0:
            wrong += 1
    return wrong / len(y)


def one_line(x, y, theta):
    f = np.append(x, 1) @ theta
    size = np.hypot(theta[0], theta[1])
    return [f, f / size, f * y, -theta[-1] / size]


def product(a, b, total):
    return (total * total - a * a - b * b) / 2


def line_through(p, q, inside):
    """The direction of the line turned by a quarter, with the angle."""
    along = math.atan2(q[1] - p[1], q[0] - p[0]) + math.pi / 2
    w = np.array([math.cos(along), math.sin(along)])
    w = w if w @ (inside - p) > 0 else -w
    return [*w, -w @ p]


def line_through__cross(p, q, inside):
    """theta . (p, 1) = theta . (q, 1) = 0: the cross product of both."""
    theta = np.cross(np.append(p, 1), np.append(q, 1))
    return theta / np.linalg.norm(theta[:2]) * np.sign(theta @ np.append(inside, 1))


def find_line(X, y):
    for a in np.radians(np.arange(0, 360, 0.2)):
        w = np.array([np.cos(a), np.sin(a)])
        low, high = (X[y > 0] @ w).min(), (X[y < 0] @ w).max()
        if low > high:
            return np.append(w, -(low + high) / 2)


def find_line__logistic(X, y):
    fit = LogisticRegression(C=1e8, max_iter=100_000, tol=1e-8).fit(X, y)
    return np.append(fit.coef_[0], fit.intercept_)


def seen_and_new(X, y, lines, seen):
    wrong = np.sign(X @ lines[:, :2].T + lines[:, 2]) != y[:, None]
    k = wrong[seen].mean(0).argmin()
    return wrong[seen, k].mean(), np.delete(wrong[:, k], seen).mean()


def cell(X, y, theta, offset):
    f = X @ theta + offset
    bad = np.flatnonzero(y * f < 0)
    k = np.argmin(abs(f) / np.hypot(X[:, 0], X[:, 1]))
    return bad, k, theta - f[k] * X[k] / sum(X[k] ** 2), len(bad) + (1, -1)[k in bad]


def cell__walking(X, y, theta, offset):
    """The foot on every line, and a count a little beyond the nearest."""
    f = X @ theta + offset
    feet = [theta + x * np.dot(-f[i], 1 / sum(x**2)) for i, x in enumerate(X)]
    nearest = min(range(len(y)), key=lambda i: math.dist(feet[i], theta))
    over = feet[nearest] + 1e-9 * (feet[nearest] - theta)
    wrong = [i for i in range(len(y)) if np.sign(f[i]) != y[i]]
    return wrong, nearest, feet[nearest].tolist(), sum(y * (X @ over + offset) <= 0)


SCORES, ERRORS = "X @ theta[:-1] + theta[-1]", "wrong += 1\n    return wrong / len(y)"
RIGHT = [
    ("decision", SCORES, "np.c_[X, np.ones(len(X))].astype(np.float32) @ theta.astype(np.float32)"),
    ("decision", SCORES, "[theta[-1] + sum(a * b for a, b in zip(x, theta, strict=False)) for x in X.tolist()]"),
    ("training_error", ERRORS, "wrong += 1\n    return np.mean(y * (X @ theta[:-1] + theta[-1]) <= 0)"),
    ("training_error", ERRORS, "wrong -= 1 / y.size\n    return np.array(-wrong)"),
    ("one_line", "np.append(x, 1) @ theta", "y * (theta[0] * x[0] + theta[1] * x[1] + theta[2]) * y"),
    ("one_line", "f / size, f * y", "x @ (theta[:2] / size) + theta[2] / size, (2 * (y > 0) - 1) * f"),
    ("product", "(total * total - a * a - b * b) / 2", "0.5 * total**2 - 0.5 * a**2 - 0.5 * b**2"),
    ("product", "(total * total - a * a", "-a * b * (a * a + b * b - total * total) / (2 * a * b) #"),  # law of cosines
    ("line_through__cross", "np.append(p, 1), np.append(q, 1)", "np.append(q, 1), np.append(p, 1)"),
    ("find_line", "np.append(w, -(low + high) / 2)", "[*w, -high - (low - high) / 3]"),
    ("seen_and_new", "np.delete(wrong[:, k], seen).mean()",
     "np.mean([v for i, v in enumerate(wrong[:, k]) if i not in seen])"),
    ("seen_and_new", "wrong[seen].mean(0).argmin()", "np.argsort(wrong[seen].sum(0), kind='stable')[0]"),
    ("cell", "abs(f) / np.hypot(X[:, 0], X[:, 1])", "(f / np.linalg.norm(X, axis=1)) ** 2"),
]
WRONG = [
    ("decision", SCORES, "[x @ theta[:-1] + theta[-1] for x in X][0]", "as a return inside ends it at the first"),
    ("decision", "return", "X *= theta[:-1]\n    return", "changed its argument X"),
    ("training_error", ERRORS,
     "pass\n    p = np.where(X @ theta[:-1] + theta[-1] >= 0, 1, -1)\n"
     "    return np.sum(p != y) / X.size",
     "both faults"),
    ("one_line", "f * y", "f", "lacks the label"),
    ("one_line", "-theta[-1] / size", "theta[-1] / size", "wrong sign"),
    ("product", " / 2", "", "twice too large"),
    ("line_through", " + math.pi / 2", "", "along the line"),
    ("find_line", "if low > high", "if True", "overlap"),
    ("seen_and_new", "np.delete(wrong[:, k], seen)", "wrong[:, k]", "only the others are new"),
    ("cell", "return bad,", "return y * f <= 0,", "np.flatnonzero"),
    ("cell", "return bad,", "return len(bad),", "list the rows"),
]


@pytest.mark.parametrize("seed", SEEDS)
def test_cases_hold_what_the_text_promises(seed):
    drawn = tasks("01-linear-classifiers", seed)
    nearest = 0
    for X, _, theta, offset in drawn["cell"].cases:
        f = X @ theta + offset
        ways = np.abs(f) / np.hypot(*X.T)
        assert f.all()
        assert np.diff(np.sort(ways))[0] > 0.04
        nearest += ways.argmin() != np.abs(f).argmin()
    assert nearest >= 4
    ties = [y[X @ theta[:-1] + theta[-1] == 0] for X, y, theta in drawn["training_error"].cases]
    assert set(np.concatenate(ties)) == {-1.0, 1.0}
    assert {len(X) for X, _ in drawn["decision"].cases} > {1}
