"""Exercise 4: right answers in other spellings, wrong ones in the words of a student."""

import math

import numpy as np
import pytest

import coursekit as ck
from tests.checking.judging import COURSE, SEEDS, pairs, sentence, tasks

CHAPTER = "04-gradient-descent"


def gradients_loop(X, y, theta, lam):
    n, d = X.shape
    squared, hinge = [0.0] * (d + 1), [0.0] * (d + 1)
    for x, label in zip(X, y, strict=True):
        f = sum(x[j] * theta[j] for j in range(d)) + theta[d]
        for j in range(d + 1):
            v = x[j] if j < d else 1
            squared[j] += 2 * (f - label) * v / n
            if label * f <= 1:
                hinge[j] -= label * v / n
    for j in range(d):
        squared[j] += lam * theta[j]
        hinge[j] += lam * theta[j]
    return squared, hinge


def gradients_agreement(X, y, theta, lam):
    Z = y[:, None] * np.c_[X, np.ones(len(X))]
    z = Z @ theta
    shrink = lam * theta
    shrink[-1] = 0
    return np.array([(2 * (z - 1) * Z.T).mean(axis=1) + shrink, -Z[z <= 1].sum(axis=0) / len(y) + shrink])


def gradients_split(X, y, theta, lam):
    w, b = theta[:-1].astype(np.float32), np.float32(theta[-1])
    error = X.astype(np.float32) @ w + b - y
    pulls = np.where(y * (X @ theta[:-1] + theta[-1]) > 1, 0, y)
    squared = [*(2 * np.mean(error[:, None] * X, axis=0) + lam * w), 2 * error.mean()]
    hinge = [*(-np.mean(pulls[:, None] * X, axis=0) + lam * w), -pulls.mean()]
    return squared, hinge


def descend_loop(X, y, start, eta, steps):
    theta, out = list(start), [list(start)]
    for _ in range(steps):
        error = [sum(a * b for a, b in zip(x, theta, strict=True)) - t for x, t in zip(X, y, strict=True)]
        slope = [2 / len(X) * sum(e * x[j] for e, x in zip(error, X, strict=True)) for j in range(len(theta))]
        theta = [t - eta * g for t, g in zip(theta, slope, strict=True)]
        out.append(theta)
    best, lowest = 0, math.inf
    for k, theta in enumerate(out):
        value = np.mean((X @ theta - y) ** 2)
        if value < lowest:
            best, lowest = k, value
    return out, best


def descend_array(X, y, start, eta, steps):
    thetas = np.empty((steps + 1, len(start)), dtype=np.float32)
    thetas[0] = start
    for k in range(steps):
        thetas[k + 1] = thetas[k] - eta * 2 * ((X @ thetas[k] - y)[:, None] * X).mean(axis=0)
    return thetas, ((thetas @ X.T - y) ** 2).sum(axis=1).argmin()


def descend_normal(X, y, start, eta, steps):
    A, b = 2 * X.T @ X / len(X), 2 * X.T @ y / len(X)
    thetas = [np.array(start)]
    while len(thetas) < steps + 1:
        thetas += [thetas[-1] - eta * (A @ thetas[-1] - b)]
    values = [theta @ A @ theta / 2 - b @ theta for theta in thetas]
    return tuple(thetas), values.index(min(values))


def halving_recursive(X, y, theta):
    n = len(y)
    slope = 2 / n * (X.T @ (X @ theta - y))

    def smaller(eta):
        new = theta - eta * slope
        return eta if np.sum((X @ new - y) ** 2) < np.sum((X @ theta - y) ** 2) else smaller(eta / 2)

    eta = smaller(1)
    return [eta, list(theta - eta * slope)]


def halving_for(X, y, theta):
    def L(t):
        return ((1 - y * (X @ t)) ** 2).mean()

    g = (-2 * (1 - y * (X @ theta)) * y) @ X / len(X)
    for k in range(60):
        after = theta - 0.5**k * g
        if L(after) < L(theta):
            return np.float64(0.5**k), after


def halving_while_true(X, y, theta):
    eta, here = 1.0, sum((t - x @ theta) ** 2 for x, t in zip(X, y, strict=True))
    slope = sum(-2 * (t - x @ theta) * x for x, t in zip(X, y, strict=True)) / len(X)
    while True:
        after = theta - eta * slope
        if sum((t - x @ after) ** 2 for x, t in zip(X, y, strict=True)) < here:
            return eta, after
        eta *= 0.5


def bb_loop(before, theta, slope_before, slope):
    ss = sr = 0
    for j in range(len(theta)):
        ss += (theta[j] - before[j]) ** 2
        sr += (theta[j] - before[j]) * (slope[j] - slope_before[j])
    eta = 1
    if sr > 0:
        eta = ss / sr
    return eta, [t - eta * g for t, g in zip(theta, slope, strict=True)]


def bb_backwards(before, theta, slope_before, slope):
    s, r = before - theta, slope_before - slope
    bend = np.dot(s, r) / np.linalg.norm(s) ** 2
    eta = 1 / bend if bend > 1e-12 else 1.0
    return np.float32(eta), (theta - eta * slope).astype(np.float32)


def bb_where(before, theta, slope_before, slope):
    s, r = np.array([theta, slope]) - np.array([before, slope_before])
    with np.errstate(all="ignore"):
        eta = np.where(s @ r <= 0, 1, np.sum(s**2) / np.sum(s * r))
    return [eta, theta - slope * eta]


def momentum_scaled(X, y, start, eta, m, steps):
    V, path = 0, [start]
    for _ in range(steps):
        V = m * V + 2 * np.mean((X @ path[-1] - y)[:, None] * X, axis=0)
        path = [*path, path[-1] - eta * V]
    return path


def momentum_two_back(X, y, start, eta, m, steps):
    path = np.array([start, start], dtype=np.float32)
    for _ in range(steps):
        slope = -2 / len(y) * X.T.dot(y - X.dot(path[-1]))
        path = np.vstack([path, path[-1] + m * (path[-1] - path[-2]) - eta * slope])
    return path[1:]


def momentum_loop(X, y, start, eta, m, steps):
    theta, v, out = start.copy(), np.zeros_like(start), [tuple(start)]
    for _ in range(steps):
        slope = sum(-2 * (t - x @ theta) * x for x, t in zip(X, y, strict=True)) / len(X)
        v *= m
        v -= eta * slope
        theta += v
        out.append(tuple(theta))
    return tuple(out)


def stop_first(slopes, validation, tolerance):
    K = len(slopes) - 1
    flat = [k for k in range(K + 1) if math.hypot(*slopes[k]) <= tolerance]
    rises = [k for k in range(1, K + 1) if not validation[k] < validation[k - 1]]
    stopped = min([*flat, *rises, K])
    return stopped, min(range(stopped + 1), key=lambda k: validation[k])


def stop_arrays(slopes, validation, tolerance):
    done = np.sqrt((slopes**2).sum(axis=1)) <= tolerance
    done[1:] |= np.diff(validation) >= 0
    done[-1] = True
    stopped = np.argmax(done)
    return np.array([stopped, validation[: stopped + 1].tolist().index(validation[: stopped + 1].min())])


def stop_while(slopes, validation, tolerance):
    k = best = 0
    while not np.linalg.norm(slopes[k]) <= tolerance and k + 1 < len(slopes):
        k += 1
        if validation[k] >= validation[best]:
            return [k, best]
        best = k
    return [float(k), float(best)]


VARIANTS = {
    "gradients": (gradients_loop, gradients_agreement, gradients_split),
    "descend": (descend_loop, descend_array, descend_normal),
    "halving": (halving_recursive, halving_for, halving_while_true),
    "barzilai_borwein": (bb_loop, bb_backwards, bb_where),
    "momentum": (momentum_scaled, momentum_two_back, momentum_loop),
    "stop": (stop_first, stop_arrays, stop_while),
    "parabola": (
        lambda: (4, 0.6, 0.25, 0.5, 2, 0.25, 5),
        lambda: np.array([4, 1 - 0.4, 1 / 4, 2 / 4, 2, 1 / 4, 1 / (1 - 0.8)], dtype=np.float32),
        lambda: [4.0, 0.6, 0.25, 0.5, 2.0, 0.25, np.float64(5)],
    ),
}


@pytest.mark.parametrize(("name", "answer"), pairs(CHAPTER, VARIANTS))
def test_right_answers_pass(name, answer):
    assert [sentence(name, answer, seed) for seed in SEEDS] == [""] * len(SEEDS)


FOLDED = "def f(X, y, theta, lam):\n    n = len(X); Z = np.c_[X, np.ones(n)]; s = Z @ theta\n"
PENALTY = "    P = np.append(lam * theta[:-1], 0)\n"
RISK = (
    "def f(X, y, theta):\n    L = lambda t: np.mean((y - X @ t) ** 2)\n"
    "    g = -2 * X.T @ (y - X @ theta) / len(X); e = 1.0\n"
)
DOWN = "def f(X, y, start, eta, steps):\n    L = lambda t: np.mean((y - X @ t) ** 2)\n    T = [start]\n"
ROLL = "def f(X, y, start, eta, m, steps):\n    V = np.zeros(len(start)); T = [start]\n    for _ in range(steps):\n"
GRADIENT = "        g = -2 * X.T @ (y - X @ T[-1]) / len(X)\n"
TWO = "def f(before, theta, slope_before, slope):\n    s, r = theta - before, slope - slope_before\n"

WRONG = [
    ("gradients", FOLDED + "    P = lam * theta\n    return -2 * (y - s) @ Z / n + P, -(y * (y * s <= 1)) @ Z / n + P",
     "offset is penalised"),
    ("gradients", FOLDED + PENALTY + "    return -2 * (y - s) @ Z + P, -(y * (y * s <= 1)) @ Z + P",
     "add up over the examples"),
    ("gradients", FOLDED + PENALTY + "    return -2 * (y - s) @ Z / n + P, -(y * (y * s < 1)) @ Z / n + P", "kink"),
    ("gradients", FOLDED + PENALTY + "    return (s - y) @ Z / n + P, -(y * (y * s < 1)) @ Z / n + P", "factor 2"),
    ("gradients", FOLDED + PENALTY + "    return -2 * (y - s) @ Z / n + 2 * P, 0", "twice that"),
    ("gradients", FOLDED + "    return -2 * (y - s) @ Z / n, -(y * (y * s <= 1)) @ Z / n", "penalty is missing"),
    ("gradients", FOLDED + PENALTY + "    return -2 * (y - s) @ Z / n + P, -(y * (y * s <= 0)) @ Z / n + P",
     "not only while it is wrong"),
    ("gradients", FOLDED + PENALTY + "    return -2 * (y - s) @ Z / n + P, (y * (y * s <= 1)) @ Z / n + P",
     "`hinge` has the wrong sign"),
    ("gradients", FOLDED + PENALTY + "    return -2 * (y - s) @ Z / n + P, -(y * (y * s <= 1)) @ Z / n",
     "`hinge` lacks the penalty"),
    ("gradients", "def f(X, y, theta, lam):\n    n = len(X); Z = np.c_[np.ones(n), X]; s = Z @ theta\n"
     "    P = np.append(0, lam * theta[1:])\n    return -2 * (y - s) @ Z / n + P, -(y * (y * s <= 1)) @ Z / n + P",
     "constant comes first"),
    ("gradients", FOLDED + PENALTY + "    return -2 * (y - s) @ Z / n + P", "only `squared` came back"),
    ("gradients", FOLDED + PENALTY + "    return -(y * (y * s <= 1)) @ Z / n + P, -2 * (y - s) @ Z / n + P",
     "another order, hinge, squared"),
    ("gradients", "def f(X, y, theta, lam):\n    s = X @ theta[:-1]\n    return (np.append(-2 * (y - s) @ X / len(X) + "
     "lam * theta[:-1], np.mean(-2 * (y - s))), 0)", "score misses the offset"),
    ("gradients", "import coursekit as ck\ndef f(X, y, theta, lam):\n    return [ck.Objective(X, y, loss, lam=lam)"
     ".slope(theta) for loss in (ck.losses.squared, ck.losses.hinge)]", "must be your own"),
    ("descend", DOWN + "    for _ in range(steps): T.append(T[-1] + eta * 2 * X.T @ (y - X @ T[-1]) / len(X))\n"
     "    return T, 1 + np.argmin([L(t) for t in T[1:]])", "start counts too"),
    ("descend", DOWN + "    for _ in range(steps): T.append(T[-1] + eta * 2 * X.T @ (y - X @ T[-1]) / len(X))\n"
     "    return T, steps", "always the last"),
    ("descend", DOWN + "    for _ in range(steps): T.append(T[-1] + eta * 2 * X.T @ (y - X @ T[-1]) / len(X))\n"
     "    return T[1:], np.argmin([L(t) for t in T[1:]])", "start is missing"),
    ("descend", DOWN + "    for _ in range(steps): T.append(T[-1] - eta * 2 * X.T @ (y - X @ T[-1]) / len(X))\n"
     "    return T, np.argmin([L(t) for t in T])", "uphill"),
    ("descend", DOWN + "    for _ in range(steps): T.append(T[-1] + eta * 2 * X.T @ (y - X @ T[-1]))\n"
     "    return T, np.argmin([L(t) for t in T])", "sum of the losses"),
    ("descend", DOWN + "    t = start.copy()\n    for _ in range(steps):\n"
     "        t += eta * 2 * X.T @ (y - X @ t) / len(X); T.append(t)\n    return T[1:] + T[-1:], steps", "same array"),
    ("descend", DOWN + "    t = start.copy()\n    for _ in range(steps):\n"
     "        t += eta * 2 * X.T @ (y - X @ t) / len(X); T.append(t)\n    return T, steps", "behind the start"),
    ("descend", DOWN + "    for _ in range(steps):\n        start += eta * X.T @ (y - X @ start)\n    return T, 0",
     "changed its argument start"),
    ("descend", DOWN + "    for _ in range(steps): T.append(T[-1] + eta * 2 * X.T @ (y - X @ T[-1]) / len(X))\n"
     "    return T, np.argmin([np.linalg.norm(X.T @ (y - X @ t)) for t in T])", "gradient is shortest"),
    ("descend", DOWN + "    for _ in range(steps): T.append(T[-1] + 2 * X.T @ (y - X @ T[-1]) / len(X))\n"
     "    return T, np.argmin([L(t) for t in T])", "step size is missing"),
    ("descend", DOWN + "    for _ in range(steps): T.append(T[-1] + eta * 2 * X.T @ (y - X @ T[-1]) / len(X))\n"
     "    return T[-1], np.argmin([L(t) for t in T])", "last entry alone"),
    ("halving", RISK + "    while L(theta - e * g) > L(theta): e /= 2\n    return e, theta - e * g",
     "exactly as it was"),
    ("halving", RISK + "    G = lambda t: np.linalg.norm(X.T @ (y - X @ t))\n"
     "    while G(theta - e * g) >= G(theta): e /= 2\n    return e, theta - e * g", "shorter gradient"),
    ("halving", RISK + "    for k in range(10):\n        if L(theta - e * g) < L(theta): break\n        e /= 2\n"
     "    return e, theta - e * g", "number of halvings"),
    ("halving", RISK + "    while L(theta - e * g) >= L(theta) and e > 1e-6: e /= 2\n    return e, theta - e * g",
     "number of halvings"),
    ("halving", RISK + "    while L(theta - e * g) > L(theta) - 1e-4 * e * g @ g: e /= 2\n"
     "    return e, theta - e * g", "more than a decrease"),
    ("halving", RISK + "    while L(theta - e * g) >= L(theta): e /= 2\n    return theta - e * g, e",
     "another order, after, eta"),
    ("halving", RISK + "    while L(theta - e * g) >= L(theta): e /= 10\n    return e, theta - e * g", "by 10"),
    ("halving", RISK + "    while L(theta - e * g) >= L(theta): e /= 2\n    return e, theta + e * g", "uphill"),
    ("halving", RISK + "    return e, theta - e * g", "always take eta = 1"),
    ("halving", RISK + "    g = g / np.linalg.norm(g)\n    while L(theta - e * g) >= L(theta): e /= 2\n"
     "    return e, theta - e * g", "length 1"),
    ("barzilai_borwein", TWO + "    e = s @ s / (s @ r)\n    return e, theta - e * slope", "divide all the same"),
    ("barzilai_borwein", TWO + "    e = s @ r / (r @ r) if s @ r > 0 else 1\n"
     "    return e, theta - e * slope", "other quotient"),
    ("barzilai_borwein", TWO + "    e = s @ s / s @ r if s @ r > 0 else 1\n    return e, theta - e * slope",
     "put s @ r in brackets"),
    ("barzilai_borwein", TWO + "    e = s @ s / (s @ r) if s @ r > 0 else 1\n"
     "    return e, theta - e * slope_before", "where you are now"),
    ("barzilai_borwein", TWO + "    e = s / r\n    return e, theta - e * slope", "`eta` has shape"),
    ("momentum", ROLL + GRADIENT + "        V = m * V + (1 - m) * -eta * g; T.append(T[-1] + V)\n    return T",
     "1 - m"),
    ("momentum", ROLL + GRADIENT + "        T.append(T[-1] + V); V = m * V - eta * g\n    return T", "old V"),
    ("momentum", ROLL + "        V = 0 * V\n" + GRADIENT + "        V = m * V - eta * g; T.append(T[-1] + V)\n"
     "    return T", "no momentum"),
    ("momentum", ROLL + GRADIENT + "        V = m * V - eta * g; T.append(T[-1] + V)\n    return T[1:]",
     "start is missing"),
    ("momentum", ROLL + "        g = -2 * X.T @ (y - X @ (T[-1] + m * V)) / len(X)\n"
     "        V = m * V - eta * g; T.append(T[-1] + V)\n    return T", "where theta will be"),
    ("momentum", ROLL + "        g = -2 * X.T @ (y - X @ start) / len(X)\n"
     "        V = m * V - eta * g; T.append(T[-1] + V)\n    return T", "gradient at the start"),
    ("stop", "def f(slopes, validation, tolerance):\n    for k in range(len(slopes)):\n"
     "        if np.linalg.norm(slopes[k]) <= tolerance: return k, k\n"
     "        if k and validation[k] > validation[k - 1]: return k, k - 1\n    return k, k", "exactly as it was"),
    ("stop", "def f(slopes, validation, tolerance):\n    for k in range(len(slopes)):\n"
     "        if np.linalg.norm(slopes[k]) <= tolerance or k and validation[k] >= validation[k - 1]: break\n"
     "    return k, np.argmin(validation)", "beyond the end"),
    ("stop", "def f(slopes, validation, tolerance):\n    for k in range(len(slopes)):\n"
     "        if max(abs(slopes[k])) <= tolerance or k and validation[k] >= validation[k - 1]: break\n"
     "    return k, np.argmin(validation[:k + 1])", "largest entry"),
    ("stop", "def f(slopes, validation, tolerance):\n    for k in range(len(slopes)):\n"
     "        if np.linalg.norm(slopes[k]) <= tolerance or validation[k] >= validation[k - 1]: break\n"
     "    return k, np.argmin(validation[:k + 1])", "Compare from k = 1"),
    ("stop", "def f(slopes, validation, tolerance):\n    for k in range(len(slopes)):\n"
     "        if np.linalg.norm(slopes) <= tolerance or k and validation[k] >= validation[k - 1]: break\n"
     "    return k, np.argmin(validation[:k + 1])", "all slopes together"),
    ("stop", "def f(slopes, validation, tolerance):\n    for k in range(len(slopes)):\n"
     "        if np.linalg.norm(slopes[k]) <= tolerance or k and validation[k] >= validation[0]: break\n"
     "    return k, np.argmin(validation[:k + 1])", "that of the start"),
    ("stop", "def f(slopes, validation, tolerance):\n    for k in range(len(slopes)):\n"
     "        if np.linalg.norm(slopes[k]) <= tolerance or k and validation[k] >= validation[k - 1]: break\n"
     "    return k, min(validation[:k + 1])", "lowest loss itself"),
    ("stop", "def f(slopes, validation, tolerance):\n    for k in range(len(slopes)):\n"
     "        if slopes[k] <= tolerance: return k, k", "a whole array of them"),
    ("parabola", "def f():\n    return [4, 0.9, 1, 1, 1, 1, 1]", "length eta"),
    ("parabola", "def f():\n    return [4, 0.6, 0.25, 0.5, 2, 0.5, 5]", "same: not smaller"),
    ("parabola", "def f():\n    return [4, 0.6, 0.25, 0.45, 2, 0.25, 5]", "`limit` came back as 0.45"),
]


@pytest.mark.parametrize(("name", "source", "mention"), WRONG)
def test_wrong_answers_of_a_student(name, source, mention):
    said = sentence(name, source)
    assert mention.lower() in said.lower()
    assert "\n" not in said


@pytest.mark.parametrize("seed", SEEDS)
def test_solutions_agree_with_coursekit(seed):
    drawn, solved = tasks(CHAPTER, seed), COURSE[CHAPTER].space
    for X, y, theta, lam in drawn["gradients"].cases:
        for loss, gradient in zip(("squared", "hinge"), solved["gradients"](X, y, theta, lam), strict=True):
            np.testing.assert_allclose(gradient, ck.Objective(X, y, getattr(ck.losses, loss), lam=lam).slope(theta))

    def risk(X, y):
        return ck.Objective(X, y, ck.losses.squared, offset=False)

    for X, y, start, eta, steps in drawn["descend"].cases:
        path = ck.gradient_descent(risk(X, y), ck.steps.constant(eta), steps, start=start)
        thetas, best = solved["descend"](X, y, start, eta, steps)
        np.testing.assert_allclose(thetas, path.thetas)
        assert best == path.best
    for X, y, start, eta, m, steps in drawn["momentum"].cases:
        path = ck.gradient_descent(risk(X, y), ck.steps.constant(eta), steps, momentum=m, start=start)
        np.testing.assert_allclose(solved["momentum"](X, y, start, eta, m, steps), path.thetas)
    for X, y, theta in drawn["halving"].cases:
        path = ck.gradient_descent(risk(X, y), ck.steps.backtracking(), 1, start=theta)
        eta, after = solved["halving"](X, y, theta)
        assert eta == path.rates[0]
        np.testing.assert_allclose(after, path.theta)


@pytest.mark.parametrize("seed", SEEDS)
def test_cases_hold_what_tells_wrong_answers_apart(seed):
    drawn, solved = tasks(CHAPTER, seed), COURSE[CHAPTER].space
    rates = [solved["halving"](*case)[0] for case in drawn["halving"].cases]
    assert min(rates) < 2**-20 < 2**-11 in rates
    assert all(np.linalg.norm(X.T @ (y - X @ theta)) > 0.01 for X, y, theta in drawn["halving"].cases)
    bends = [(theta - before) @ (slope - slope_before)
             for before, theta, slope_before, slope in drawn["barzilai_borwein"].cases]
    assert set(np.sign(bends)) == {-1.0, 0.0, 1.0}
    runs = [(steps, solved["descend"](X, y, start, eta, steps)[1])
            for X, y, start, eta, steps in drawn["descend"].cases]
    assert any(best == 0 for _, best in runs)
    assert any(best == steps for steps, best in runs)
    assert any(0 < best < steps for steps, best in runs)


def test_two_point_step_is_that_of_coursekit():
    X, y, start = np.array([[2.0, 1.0], [0.5, -1.0], [1.0, 3.0]]), np.array([1.0, -1.0, 1.0]), np.array([1.0, -2.0])
    risk = ck.Objective(X, y, ck.losses.squared, offset=False)
    path = ck.gradient_descent(risk, ck.steps.barzilai_borwein(), 2, start=start)
    before, theta, after = path.thetas
    barzilai_borwein = COURSE[CHAPTER].space["barzilai_borwein"]
    eta, own = barzilai_borwein(before, theta, risk.slope(before), risk.slope(theta))
    assert eta == pytest.approx(path.rates[1])
    np.testing.assert_allclose(own, after)


def test_the_parabola_of_the_written_task():
    parabola = ck.Objective([[2.0**0.5]], [1], ck.losses.squared, offset=False)  # 2 (theta - 1/sqrt 2)^2
    start = [1 + 0.5**0.5]
    slope, after, at_once, limit, _, halved, _ = COURSE[CHAPTER].space["parabola"]()

    def end(step, steps=1):
        return ck.gradient_descent(parabola, step, steps, start=start)

    assert parabola.slope(start) == pytest.approx(slope)
    assert end(ck.steps.constant(0.1)).theta - 0.5**0.5 == pytest.approx(after)
    assert end(ck.steps.constant(at_once)).values[-1] == pytest.approx(0)
    assert end(ck.steps.exact()).rates[0] == pytest.approx(at_once)
    assert end(ck.steps.constant(limit * 0.99), 50).values[-1] < 2 < end(ck.steps.constant(limit * 1.01), 50).values[-1]
    assert end(ck.steps.constant(0.4), 2).thetas[1:] - 0.5**0.5 == pytest.approx(np.array([[-0.6], [0.36]]))
    assert 2 * (1 - 4 * 2 * halved) ** 2 >= 2 > 2 * (1 - 4 * halved) ** 2
