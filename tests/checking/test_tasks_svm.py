"""Exercise 8: right answers, and edits that keep them right or make them wrong."""

import numpy as np
import pytest
from scipy.optimize import minimize, minimize_scalar
from sklearn.svm import SVC

import coursekit as ck
from tests.checking.judging import COURSE, SEEDS, tasks

CHAPTER = "08-support-vector-machines"


def widest(X, y, degrees):
    best = -np.inf
    for degree in degrees:
        a = np.radians(degree)
        u = np.array([np.cos(a), np.sin(a)])
        high, low = min(X[y > 0] @ u), max(X[y < 0] @ u)
        if high - low > best:
            best, angle, keep, mid = high - low, degree, u, (high + low) / 2
    if best <= 0:
        return angle, best, None
    return angle, best, np.append(2 / best * keep, -2 / best * mid)


def slacks(X, y, theta):
    z = y * (X @ theta[:-1] + theta[-1])
    xi, L = np.maximum(0, 1 - z), np.linalg.norm(theta[:-1])
    kind = np.zeros(len(z))
    kind[z < 1] = 2
    kind[abs(z - 1) <= 1e-6] = 1
    kind[z <= 0] = 3
    return 1 / L, xi, xi / L, kind


def lever(p, q, r, n):
    e = r - q
    t = (p - q) @ e / (e @ e)
    t = min(max(t, 0), 1)
    d = p - q - t * e
    a = 2 / (d @ d)
    return [a, a * (1 - t), a * t], np.append(a * d, 1 - a * d @ p), 1 / (n * a), a


def lever__search(p, q, r, n):
    found = minimize_scalar(lambda t: np.sum((p - q - t * (r - q)) ** 2), bounds=(0, 1), method="bounded",
                            options={"xatol": 1e-12})
    t, a = round(found.x, 7), 2 / found.fun
    w = a * p - a * (1 - t) * q - a * t * r
    return np.array([a, a * (1 - t), a * t]), np.append(w, 1 - p @ w), 1 / (n * a), np.float64(a)


def descent(X, y, lam, eta, steps):
    Z = np.column_stack([X, np.ones(len(X))])
    theta, lowest = np.zeros(Z.shape[1]), np.inf
    for _ in range(steps + 1):
        z, w = y * (Z @ theta), np.append(theta[:-1], 0)
        value = np.mean(np.maximum(0, 1 - z)) + lam / 2 * w @ w
        if value < lowest:
            lowest, best = value, theta
        slope = -(y * (z <= 1)) @ Z / len(X) + lam * w
        theta = theta - eta * slope
    return best, lowest


def pegasos(X, y, lam, order):
    w, W = np.zeros(X.shape[1]), []
    for t, i in enumerate(order, 1):
        eta = 1 / (lam * t)
        pull = eta * y[i] * X[i] if y[i] * (w @ X[i]) < 1 else 0
        w = (1 - eta * lam) * w + pull
        size = np.linalg.norm(w)
        if size > 1 / np.sqrt(lam):
            w = w / size / np.sqrt(lam)
        W.append(w)
    return w, np.mean(W, axis=0)


def stakes(X, y, a, theta, lam):
    w = theta[:-1]
    v = X.T @ (a * y) / (len(y) * lam)
    bound = np.mean(a) - lam / 2 * (v @ v)
    z = y * (X @ w + theta[-1])
    value = np.mean(np.maximum(0, 1 - z)) + lam / 2 * (w @ w)
    off = ((z > 1) & (a > 0)) | ((z < 1) & (a < 1))
    return v, bound, value - bound, off.sum()


def two_stakes(X, y, a, i, j, lam, curved):
    n = len(y)
    K = (1 + X @ X.T) ** 2 if curved else X @ X.T
    g = K @ (a * y) / (n * lam)
    s = n * lam * (y[i] - y[j] - g[i] + g[j]) / (K[i, i] + K[j, j] - 2 * K[i, j])
    ends = np.sort([[-a[i] * y[i], (1 - a[i]) * y[i]], [a[j] * y[j], (a[j] - 1) * y[j]]])
    s = min(max(s, *ends[:, 0]), *ends[:, 1])
    b = a.copy()
    b[i] += y[i] * s
    b[j] -= y[j] * s
    p = b * y / (n * lam)
    return b, b.mean() - lam / 2 * (p @ K @ p)


def drag(x, y, D, lam):
    c, low, high = np.append(y * x, -D), -100, 100
    for _ in range(100):
        w = (low + high) / 2
        if lam * w - np.mean(np.where(c * w <= 1, c, 0)) > 0:
            high = w
        else:
            low = w
    return sum(y * x), w, sum(c * w <= 0), 1 if w > 0 else 3 if D * -w < 1 - 1e-6 else 2


def drag__kinks(x, y, D, lam):
    c = np.array([*(x * y), -D])
    places = [1 / v for v in c]
    places += [c[c * (p + e) <= 1].sum() / len(c) / lam for p in [*places, 0] for e in (-1e-9, 1e-9)]
    w = min(places, key=lambda w: np.mean(np.maximum(0, 1 - c * w)) + lam / 2 * w * w)
    return c[:-1].sum(), w, sum(v * w <= 0 for v in c), 1 if w > 0 else 2 if D * -w > 1 - 1e-9 else 3


THETA, KINDS = "np.append(2 / best * keep, -2 / best * mid)", "return 1 / L, xi, xi / L, kind"
RIGHT = [
    ("widest", "(high + low) / 2", "high", THETA, "[*(2 / best * keep), 1 - 2 / best * mid]"),
    ("widest", "u = np.array([np.cos(a), np.sin(a)])",
     "u = np.exp(1j * a)\n        u = np.array([u.real, u.imag], np.float32)"),
    ("slacks", "np.linalg.norm(theta[:-1])", "np.hypot.reduce(theta[:-1])", "return 1 / L, xi",
     "return np.array(1 / L), list(xi)"),
    ("slacks", "    kind =",
     "    return 1 / L, xi, tuple(xi / L), 3.0 - (z > 0) - (z >= 1 - 1e-6) - (z > 1 + 1e-6)\n    kind ="),
    ("lever", "np.append(a * d, 1 - a * d @ p)", "[*(a * d), -a * d @ (2 * p - d) / 2]"),
    ("descent", "np.mean(np.maximum(0, 1 - z)) + lam / 2 * w @ w",
     "sum(1 - v for v in z if v < 1) / len(z) + lam * sum(w**2) / 2"),
    ("descent", "-(y * (z <= 1)) @ Z / len(X)",
     "-np.mean([k * row for k, row in zip(np.where(z > 1, 0, y), Z)], axis=0)", "return best", "return best.tolist()"),
    ("pegasos", "(1 - eta * lam) * w", "w * (t - 1) / t", "return w, np", "return np.float32(w), np"),
    ("pegasos", "size > 1 / np.sqrt(lam)", "w @ w * lam > 1", "y[i] * (w @ X[i])",
     "y[i] * sum(p * q for p, q in zip(w, X[i]))"),
    ("stakes", "X.T @ (a * y) / (len(y) * lam)", "np.mean((a * y)[:, None] * X, axis=0) / lam", "value - bound",
     "np.mean(np.maximum(0, 1 - z) - a * (1 - z)) + lam / 2 * np.sum((w - v) ** 2)"),
    ("stakes", "off.sum()", "np.count_nonzero(a * (1 - z) != np.where(z < 1, 1 - z, 0))", "return v,",
     "return np.float32(v),"),
    ("two_stakes", "(1 + X @ X.T) ** 2 if curved else X @ X.T",
     "np.array([[(1 + p @ q) ** 2 if curved else p @ q for q in X] for p in X])"),
    ("two_stakes", "b.mean() - lam / 2 * (p @ K @ p)",
     "np.mean(b) - np.sum(np.outer(b * y, b * y) * K) / (2 * n * n * lam)"),
    ("drag", "np.mean(np.where(c * w <= 1, c, 0))", "sum(v for v in c if v * w <= 1) / len(c)", "return sum(y * x)",
     "return sum(abs(x))"),
]
WRONG = [
    ("widest", "angle, best, np", "angle, best / 2, np", "the margin"),
    ("slacks", "abs(z - 1) <= 1e-6", "z == 1", "Rounding"),
    ("lever", "1 / (n * a), a", "1 / a, a", "multiplied by the argument `n`"),
    ("lever", "1 - a * d @ p", "-a * d @ p", "goes through p"),
    ("descent", "theta = theta -", "theta -=", "z <= 1", "z <= 0", " / len(X)", "", "lam / 2 * w @ w",
     "lam / 2 * theta @ theta", "lam * w", "lam * theta", "as it was"),
    ("descent", "theta = theta -", "theta -=", "changes all names"),
    ("pegasos", "eta * lam) * w", "eta * lam * np.any(pull)) * w", "only when the example pulls"),
    ("stakes", "(z > 1) & (a > 0)", "(z >= 1) & (a > 0)", "On the edge"),
    ("two_stakes", "b[j] -= y[j] * s", "b[j] += y[j] * s", "move alike"),
    ("drag", "return sum(y * x)", "return sum(x)", "lacks the labels"),
    ("drag", "np.where(c * w <= 1, c, 0)", "c", "All mails pull"),
    ("drag", "c * w <= 1, c", "c * w <= 0, c", "Only misclassified"),
]


@pytest.mark.parametrize("seed", SEEDS)
def test_levers_are_the_streets_of_scikit_learn_up_to_lambda_star(seed):
    for p, q, r, n in tasks(CHAPTER, seed)["lever"].cases:
        alpha, theta, lam, C = COURSE[CHAPTER].space["lever"](p, q, r, n)
        found = SVC(kernel="linear", C=1e8, tol=1e-10).fit([p, q, r], [1, -1, -1])
        np.testing.assert_allclose(theta, [*found.coef_[0], found.intercept_[0]], atol=1e-4)
        strengths = np.zeros(3)
        strengths[found.support_] = np.abs(found.dual_coef_[0])
        np.testing.assert_allclose(alpha, strengths, atol=1e-4)
        assert pytest.approx(1 / (n * lam)) == C
        for factor, same in ((1.01, True), (0.8, False)):
            soft = SVC(kernel="linear", C=factor * C, tol=1e-10).fit([p, q, r], [1, -1, -1])
            assert np.allclose(soft.coef_[0], theta[:-1], atol=1e-4) == same


@pytest.mark.parametrize("seed", SEEDS)
def test_bounds_are_bounds_and_one_move_raises_them(seed):
    drawn, solved = tasks(CHAPTER, seed), COURSE[CHAPTER].space
    for X, y, a, theta, lam in drawn["stakes"].cases:
        _, bound, gap, _ = solved["stakes"](X, y, a, theta, lam)
        risk = ck.Objective(X, y, ck.losses.hinge, lam=lam)
        assert gap == pytest.approx(risk.value(theta) - bound)
        found = SVC(kernel="linear", C=1 / (len(y) * lam), tol=1e-8).fit(X, y)
        assert bound <= risk.value(np.append(found.coef_[0], found.intercept_[0])) + 1e-8
    for X, y, a, i, j, lam, curved in drawn["two_stakes"].cases:
        K = (1 + X @ X.T) ** 2 if curved else X @ X.T

        def bound(a, K=K, y=y, lam=lam):
            p = a * y / (len(y) * lam)
            return a.mean() - lam / 2 * p @ K @ p

        new, proved = solved["two_stakes"](X, y, a, i, j, lam, curved)
        assert new @ y == pytest.approx(0, abs=1e-9)
        assert -1e-9 < new.min() <= new.max() < 1 + 1e-9
        assert bound(a) < bound(new) == pytest.approx(proved)
        for part in (0.9, 1.1):
            other = a + part * (new - a)
            assert bound(other) < proved or not -1e-9 < other.min() <= other.max() < 1 + 1e-9


@pytest.mark.parametrize("seed", SEEDS)
def test_descents_and_drags_are_minima_of_the_objective(seed):
    drawn, solved = tasks(CHAPTER, seed), COURSE[CHAPTER].space
    for X, y, lam, eta, steps in drawn["descent"].cases:
        best, lowest = solved["descent"](X, y, lam, eta, steps)
        risk = ck.Objective(X, y, ck.losses.hinge, lam=lam)
        path = ck.gradient_descent(risk, ck.steps.constant(eta), steps, start=np.zeros(len(best)))
        values = [risk.value(theta) for theta in path.thetas]
        assert lowest == pytest.approx(min(values))
        np.testing.assert_allclose(best, path.thetas[int(np.argmin(values))], atol=1e-12)
    for x, y, D, lam in drawn["drag"].cases:
        limit, w, wrong, because = solved["drag"](x, y, D, lam)
        c = np.append(x * y, -D)
        found = minimize(lambda w, c=c, lam=lam: np.maximum(0, 1 - c * w).mean() + lam / 2 * w[0] ** 2, 0.0,
                         method="Nelder-Mead", options={"xatol": 1e-9, "fatol": 1e-14})
        assert w == pytest.approx(found.x[0], abs=1e-5)
        assert (w > 0) == (limit > D) == (because == 1)
        assert wrong == np.sum(c * w <= 0)


@pytest.mark.parametrize("seed", SEEDS)
def test_cases_hold_what_tells_wrong_answers_apart(seed):
    drawn = tasks(CHAPTER, seed)
    assert {theta is None for *_, theta in drawn["widest"].right} == {True, False}
    assert {kind for *_, kinds in drawn["slacks"].right for kind in kinds} == {0, 1, 2, 3}
    assert {tuple(np.array(alpha) == 0) for alpha, *_ in drawn["lever"].right} == {
        (False, False, False), (False, True, False), (False, False, True)}
    assert {because for *_, because in drawn["drag"].right} == {1, 2, 3}
    ends = [(s > 0, s < 1) for (stakes, _), case in zip(
        drawn["two_stakes"].right, drawn["two_stakes"].cases, strict=True) for s in np.array(stakes)[[*case[3:5]]]]
    assert len(set(ends)) == 3
    assert {case[-1] for case in drawn["two_stakes"].cases} == {True, False}
