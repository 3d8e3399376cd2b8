"""Exercise 2: right answers, and edits that keep them right or make them wrong."""

import itertools
from fractions import Fraction

import numpy as np
import pytest

import coursekit as ck
from tests.checking.judging import COURSE, SEEDS, tasks


def update(theta, x, y):
    f = theta[:-1] @ x + theta[-1]
    if f * y > 0:
        return theta
    return theta + y * np.append(x, 1)


def update__fractions(theta, x, y):
    theta, z = [Fraction(t) for t in theta], [*(Fraction(v) for v in x), 1]
    wrong = y * sum(t * v for t, v in zip(theta, z, strict=True)) <= 0
    return [t + wrong * int(y) * v for t, v in zip(theta, z, strict=True)]


def perceptron(X, y, passes):
    theta = np.zeros(X.shape[1] + 1)
    thetas, mistakes, made = [], [], 0
    while made < passes:
        made += 1
        clean = True
        for i in range(len(X)):
            if y[i] * (theta[:-1] @ X[i] + theta[-1]) <= 0:
                theta = theta + y[i] * np.append(X[i], 1)
                thetas.append(theta)
                mistakes.append(i)
                clean = False
        if clean:
            break
    return thetas, mistakes, made


def bound(X, y, theta):
    Z = np.c_[X, np.ones(len(X))]
    agreements = y * (Z @ theta)
    R, gamma = np.linalg.norm(Z, axis=1).max(), agreements.min() / np.linalg.norm(theta)
    return R, gamma, (R / gamma) ** 2 if gamma > 0 else np.inf


def bound__loop(X, y, theta):
    length = sum(t * t for t in theta) ** 0.5
    R = max((sum(v * v for v in x) + 1) ** 0.5 for x in X.tolist())
    gamma = sorted(label * (x @ theta[:-1] + theta[-1]) / length for x, label in zip(X, y, strict=True))[0]
    return [R, gamma, np.square(R / gamma) if gamma > 0 else float("inf")]


def hand_trace():
    return [(0, 1, 1, 1, 1), (2, 1, 1, 0, 0), (0, 1, 1, 2, 1), (4, 0, 1, 2, 1), (3, 1, 1, 1, 0), (2, 0, 1, 1, 0)]


def first_fault(X, y, thetas):
    t = np.zeros(X.shape[1] + 1)
    for v, row in enumerate(thetas):
        i = v % len(X)
        t = update(t, X[i], y[i])
        if (row != t).any():
            return v + 1, t
    return 0, t


def ripple(X, y):
    T = np.zeros((len(X), len(X)))
    for i in range(len(X)):
        for j in range(len(X)):
            T[i][j] = y[i] * y[j] * (X[i] @ X[j] + 1)
    return T, np.min(T) >= 0


def worst_order(X, y):
    best = -1, None
    for order in itertools.permutations(range(len(X))):
        rows = list(order)
        m = len(perceptron(X[rows], y[rows], 99)[0])
        if m > best[0]:
            best = m, order
    return best[1], best[0]


def cycle(X, y, passes):
    theta = np.zeros(X.shape[1] + 1)
    seen = [theta.tolist()]
    for _ in range(passes):
        old = theta
        for x, label in zip(X, y, strict=True):
            theta = update(theta, x, label)
        if theta is old:
            return None
        if theta.tolist() in seen:
            return len(seen) - seen.index(theta.tolist())
        seen.append(theta.tolist())


RIGHT = [
    ("update", "if f * y > 0", "if np.sign(f) == y"),
    ("update", "    f =",
     "    z = np.r_[x, 1]\n    return np.where(y * theta.dot(z) <= 0, theta + y * z, theta)\n    f ="),
    ("perceptron", "np.zeros(X.shape[1] + 1)", "np.zeros(X.shape[1] + 1, np.float32)", "append(theta)",
     "append(theta.tolist())"),
    ("perceptron", "y[i] * (theta[:-1] @ X[i] + theta[-1]) <= 0", "np.sign(sum(X[i] * theta[:-1], theta[-1])) != y[i]"),
    ("bound", "Z = np.c_[X, np.ones(len(X))]", "Z = np.c_[X, np.ones(len(X))].astype(np.float32)"),
    ("hand_trace", "return [", "return np.float32([", "0)]", "0)])"),
    ("hand_trace", "(4, 0", "(4.0, False"),
    ("first_fault", "    t = np", "    thetas = thetas.astype(np.float32)\n    t = np", "v + 1, t",
     "np.int64(v + 1), tuple(t)"),
    ("first_fault", "t = update(t", "t = update(thetas[v - 1] if v else t"),  # each row from the row above it
    ("ripple", "return T, np.min(T) >= 0", "T = np.outer(y, y) * (X @ X.T + 1)\n    return T, np.all(T > -1e-9)"),
    ("ripple", "y[i] * y[j] * (X[i] @ X[j] + 1)", "y[j] * sum(y[i] * np.append(X[i], 1) * np.append(X[j], 1))"),
    ("worst_order", "range(len(X)))", "range(len(X))[::-1])", "m > best[0]", "m >= best[0]"),
    ("worst_order", "best[1], best[0]", "np.array(best[1], float), np.int64(best[0])"),
    ("cycle", "for _ in", "for p in", "len(seen) - seen.index(theta.tolist())",
     "np.int64(p + 1 - seen.index(theta.tolist()))"),
    ("cycle", "theta is old", "seen[-1] == theta.tolist() and (y * (X @ theta[:-1] + theta[-1]) > 0).all()"),
]
WRONG = [
    ("update", "        return theta\n", "        return\n", "came back as None"),
    ("update", "    f =", "    theta = theta.astype(int)\n    f =", "cut"),
    ("update", "    f =", "    theta = theta.astype(int)\n    f =", "return theta + y * np.append(x, 1)",
     "theta[:-1] += y * x\n    return theta", "make it one of floats"),
    ("perceptron", "mistakes, made\n", "mistakes, made - 1\n", "range(passes) counts from 0"),
    ("perceptron", "return thetas, mistakes", "return thetas, len(mistakes)", "only their number"),
    ("bound", "gamma > 0", "gamma >= 0", "    return R", "    R, gamma = float(R), float(gamma)\n    return R",
     "divided by 0"),
    ("bound", "    agree", "    return max(np.sqrt((X ** 2).sum(1))), 5, -1\n    agree", "constant attribute"),
    ("hand_trace", "return [(0, 1, 1, 1, 1)", "return [(0, 0, 0, 0, 0)] + 5 * [(0, 0, 0, 0, 0)] #", "exactly 0"),
    ("hand_trace", "(2, 0, 1, 1, 0)]", "(2, 0, 1, 1, 1)]", "`visit 6` came back"),
    ("hand_trace", "(2, 1, 1, 0, 0)", "(2, 1, 1, 2, 2)", "lost its label"),
    ("hand_trace", "(3, 1, 1, 1, 0)", "(3, 0, 1, 2, 1)", "label of visit 5"),
    ("hand_trace", "(0, 1, 1, 2, 1)", "(0, 0, 1, 0, 0)", "of visit 3"),
    ("hand_trace", "(2, 1", "(1, 1", "(4, 0", "(1, 0", "(3, 1", "(1, 1", "(2, 0", "(1, 0", "predicted label"),
    ("hand_trace", "[(0, 1, 1, 1, 1), ", "[", "5 parts came back"),
    ("first_fault", "return 0, t", "pass", "none"),
    ("first_fault", "return v + 1, t", "return v + 1, row", "the wrong row itself"),
    ("ripple", "np.zeros((len(X), len(X)))", "[[0] * len(X)] * len(X)", "holds one list k times"),
    ("ripple", "np.min(T) >= 0", "T.sum(axis=1).min() >= 0", "adds changes up"),
    ("worst_order", "99)", "1)", "a single pass"),
    ("cycle", "theta = update(theta, x, label)", "theta = update(theta, x, label) if theta.any() else theta",
     "never find a repeat"),
]


@pytest.mark.parametrize("seed", SEEDS)
def test_references_agree_with_coursekit_and_cases_hold_what_the_text_promises(seed):
    drawn, solved = tasks("02-perceptron", seed), COURSE["02-perceptron"].space
    for X, y, passes in drawn["perceptron"].cases:
        trace = ck.perceptron(X, y, passes)
        thetas, mistakes, made = solved["perceptron"](X, y, passes)
        k = trace.mistakes
        assert np.array_equal(thetas[:k], trace.thetas)
        assert np.array_equal(mistakes[:k], trace.visits[trace.when])
        assert trace.cycle or (len(thetas) == k and made == trace.passes)
    for X, y, passes in drawn["cycle"].cases:
        assert solved["cycle"](X, y, passes) == ck.perceptron(X, y, passes).cycle
    for X, y, theta in drawn["bound"].cases:
        best = ck.mistake_bound(X, y)
        R, gamma, limit = solved["bound"](X, y, theta)
        assert pytest.approx(best.R) == R
        assert gamma <= best.gamma * (1 + 1e-12) or gamma <= 0
        assert limit == (pytest.approx(R**2 / gamma**2) if gamma > 0 else np.inf)
    for (X, y), (order, mistakes) in zip(drawn["worst_order"].cases, drawn["worst_order"].right, strict=True):
        assert ck.perceptron(X, y, 99, order=[int(i) for i in order]).mistakes == mistakes
        assert mistakes <= ck.mistake_bound(X, y).mistakes * (1 + 1e-9)
    agreements = [y * (theta[:-1] @ x + theta[-1]) for theta, x, y in drawn["update"].cases]
    assert min(agreements) < 0 < max(agreements)
    assert {y for (_, _, y), z in zip(drawn["update"].cases, agreements, strict=True) if z == 0} == {-1.0, 1.0}
    margins = [y * (X @ theta[:-1] + theta[-1]) for X, y, theta in drawn["bound"].cases]
    assert {np.sign(m.min()) for m in margins} == {-1.0, 0.0, 1.0}
    assert {length for [length] in drawn["cycle"].right} > {None, 1}
    assert all(set(y) == {-1.0, 1.0} for _, y, _ in drawn["first_fault"].cases)
    faults = [visit for visit, _ in drawn["first_fault"].right]
    assert min(faults) == 0
    assert max(faults) > 3
    assert {bool(harmless) for _, harmless in drawn["ripple"].right} == {True, False}
