"""Exercise 4: right answers in other spellings, wrong ones in the words of a student."""

import math

import numpy as np
import pytest
from scipy.optimize import approx_fprime, minimize_scalar

import coursekit as ck
from tests.checking.judging import COURSE, SEEDS, tasks

CHAPTER = "04-gradient-descent"


def ravine_loop(a, start, eta, t):
    after, kinds, gg, ss, gs = [], [], 0.0, 0.0, 0.0
    for bend, x in zip(a, start, strict=True):
        after.append(x * math.pow(1 - eta * bend, t))
        kinds.append(1 if eta * bend <= 1 else 2 if eta * bend < 2 else 3 if eta * bend == 2 else 4)
        gg, ss, gs = gg + (bend * x) ** 2, ss + x * x, gs + bend * x * x
    return after, kinds, 2 / max(a), max(a) / min(a), math.degrees(math.acos(gs / math.sqrt(gg * ss)))


def ravine_matrix(a, start, eta, t):
    step = np.eye(len(a)) - eta * np.diag(a)
    kinds = [1 + (f < 0) + (f <= -1) + (f < -1) for f in np.diag(step)]
    down, home = -a * start, -start
    cosine = np.dot(down / np.linalg.norm(down), home / np.linalg.norm(home))
    return [
        np.diag(np.diag(step) ** t) @ start, kinds, 2 / np.linalg.norm(np.diag(a), 2), np.linalg.cond(np.diag(a)),
        180 / np.pi * np.arccos(cosine),
    ]


def ravine_sign(a, start, eta, t):
    factor = 1 - eta * a
    size = np.abs(factor)
    kinds = np.where(factor >= 0, 1, 3 + np.sign(size - 1))
    after = start * size**t * np.where(factor < 0, (-1) ** (t % 2), 1)
    g, s = a * start, start
    turn = np.arctan2(np.sqrt((g @ g) * (s @ s) - (g @ s) ** 2), g @ s)
    return after, kinds.astype(float), 2 / a.max(), a.max() / a.min(), np.rad2deg(turn)


def gradients_loop(X, y, theta):
    n, d = X.shape
    squared, hinge, logistic = [0.0] * (d + 1), [0.0] * (d + 1), [0.0] * (d + 1)
    for x, label in zip(X, y, strict=True):
        f = sum(x[j] * theta[j] for j in range(d)) + theta[d]
        for j in range(d + 1):
            v = x[j] if j < d else 1
            squared[j] += 2 * (f - label) * v / n
            if label * f <= 1:
                hinge[j] -= label * v / n
            logistic[j] -= math.exp(-label * f) / (1 + math.exp(-label * f)) * label * v / n
    return squared, hinge, logistic


def gradients_agreement(X, y, theta):
    Z = y[:, None] * np.c_[X, np.ones(len(X))]
    z = Z @ theta
    return np.array([(slope * Z.T).mean(axis=1) for slope in (2 * (z - 1), -1.0 * (z <= 1), -1 / (1 + np.exp(z)))])


def gradients_split(X, y, theta):
    w, b = theta[:-1].astype(np.float32), np.float32(theta[-1])
    f = X.astype(np.float32) @ w + b
    slopes = 2 * (f - y), -np.where(y * (X @ theta[:-1] + theta[-1]) > 1, 0, y), 1 / (1 + np.exp(-f)) - (y + 1) / 2
    return [[*(slope @ X / len(y)), slope.mean()] for slope in slopes]


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


def search_loop(X, y, theta):
    n, d = X.shape

    def L(t):
        return sum((label - sum(a * b for a, b in zip(x, t, strict=True))) ** 2
                   for x, label in zip(X, y, strict=True)) / n

    errors = [label - x @ theta for x, label in zip(X, y, strict=True)]
    g = [sum(-2 / n * e * x[j] for e, x in zip(errors, X, strict=True)) for j in range(d)]
    bend = 2 / n * sum(sum(a * b for a, b in zip(x, g, strict=True)) ** 2 for x in X)
    for k in range(60):
        if L(theta - 0.5**k * np.array(g)) < L(theta):
            return sum(v * v for v in g) / bend, 0.5**k


def search_hessian(X, y, theta):
    A = 2 * X.T @ X / len(X)
    g = A @ theta - 2 * X.T @ y / len(X)

    def smaller(eta):
        new = theta - eta * g
        return eta if np.sum((X @ new - y) ** 2) < np.sum((X @ theta - y) ** 2) else smaller(eta / 2)

    return [g @ g / (g @ A @ g), smaller(1)]


def search_errors(X, y, theta):
    e = y - X @ theta
    g = -2 / len(y) * e @ X
    s, eta = X @ g, np.float64(1)
    while np.mean((y - X @ (theta - eta * g)) ** 2) >= np.mean(e**2):
        eta *= 0.5
    return -(e @ s) / (s @ s), eta


def stop_arrays(X, y, eta, steps):
    n = len(y) // 2
    A, B = X[:n], X[n:]
    m, s = np.mean(A, 0), np.sqrt(np.mean((A - A.mean(0)) ** 2, 0))
    P, Q = (np.c_[(H - m) / s, np.ones(n)] for H in (A, B))
    path = [np.zeros(P.shape[1])]
    for _ in range(steps):
        path.append(path[-1] - eta * np.mean(2 * (P @ path[-1] - y[:n])[:, None] * P, axis=0))
    k = int(np.argmin([np.sum((y[n:] - Q @ t) ** 2) for t in path]))
    return k, [*(path[k][:-1] / s), path[k][-1] - np.sum(path[k][:-1] * m / s)]


def stop_loop(X, y, eta, steps):
    n, d = len(X) // 2, X.shape[1]
    mean = [sum(X[i, j] for i in range(n)) / n for j in range(d)]
    spread = [math.sqrt(sum((X[i, j] - mean[j]) ** 2 for i in range(n)) / n) for j in range(d)]
    w, b, losses, found = [0.0] * d, 0.0, [], []

    def f(x):
        return sum(w[j] * (x[j] - mean[j]) / spread[j] for j in range(d)) + b

    for _ in range(steps + 1):
        losses.append(sum((y[i] - f(X[i])) ** 2 for i in range(n, 2 * n)))
        raw = [w[j] / spread[j] for j in range(d)]
        found.append([*raw, b - sum(r * m for r, m in zip(raw, mean, strict=True))])
        errors = [y[i] - f(X[i]) for i in range(n)]
        w = [w[j] + 2 * eta / n * sum(errors[i] * (X[i, j] - mean[j]) / spread[j] for i in range(n)) for j in range(d)]
        b += 2 * eta / n * sum(errors)
    best = losses.index(min(losses))
    return [best, found[best]]


def stop_copies(X, y, eta, steps):
    n = len(X) // 2
    mean, spread = X[:n].mean(axis=0), X[:n].std(axis=0)
    Z = np.column_stack([(X - mean) / spread, np.ones(len(X))])
    theta = np.zeros(Z.shape[1])
    best, found, lowest = 0, theta.copy(), 1.0  # at theta = 0 every loss is 1
    for k in range(1, steps + 1):
        theta -= eta * -2 / n * Z[:n].T @ (y[:n] - Z[:n] @ theta)
        if (loss := np.mean((y[n:] - Z[n:] @ theta) ** 2)) < lowest:
            lowest, best, found = loss, k, theta.copy()
    back = np.eye(len(found)) / np.append(spread, 1)
    back[-1, :-1] = -mean / spread
    return np.float64(best), back @ found


def starts_formula(A):
    (a, b), (_, c) = A
    root = math.hypot(a - c, 2 * b)
    large, small = (a + c + root) / 2, (a + c - root) / 2
    answer = [4 / (a + c + root)]
    for value in (large, small):
        v = np.array([b, value - a]) if b > 0 else np.array([-b, a - value])
        answer.append(v / math.hypot(*v))
    return answer


def starts_power(A):
    v = np.array([1.0, 0.7131])
    for _ in range(300):
        v = A @ v / np.linalg.norm(A @ v)
    u = np.array([v[1], -v[0]])
    return 2 / (v @ A @ v), v if v[0] > 0 else -v, u if u[0] > 0 else -u


def starts_eig(A):
    values, vectors = np.linalg.eig(A)
    order = np.argsort(values)[::-1]
    pairs = [vectors[:, k] * (1 if vectors[0, k] > 0 else -1) for k in order]
    return (2 / max(values), *map(tuple, pairs))


def kinks_loop(X, y, theta, other):
    def L(t):
        return sum(max(0, 1 - label * (x @ t)) for x, label in zip(X, y, strict=True)) / len(X)

    g = -sum((label * x for x, label in zip(X, y, strict=True) if label * (x @ theta) <= 1), np.zeros(2)) / len(X)
    best, lowest = 0.0, L(theta)
    for x, label in zip(X, y, strict=True):
        eta = (label * (x @ theta) - 1) / (label * (x @ g))
        if eta > 1e-12 and L(theta - eta * g) < lowest:
            best, lowest = eta, L(theta - eta * g)
    return best, 0 if best else 1 + (L(other) < L(theta))


def kinks_slopes(X, y, theta, other):
    """Go from kink to kink while the slope behind it is negative."""
    Z = y[:, None] * X
    z = Z @ theta
    g = -Z[z <= 1].sum(axis=0) / len(y)
    rates = -Z @ g
    etas = np.where((kinks := (1 - z) / rates) > 1e-12, kinks, 0)
    for eta in np.unique(np.append(0, etas)):
        behind = 1 - z - (eta + 1e-6) * rates > 0
        if -rates[behind].sum() >= 0:
            break
    lower = np.clip(1 - Z @ other, 0, None).sum() < np.clip(1 - z, 0, None).sum()
    return [eta, 0 if eta > 0 else 2 if lower else 1]


def kinks_matrix(X, y, theta, other):
    z = y * (X @ theta)
    g = -np.mean((z <= 1)[:, None] * y[:, None] * X, axis=0)
    etas = np.maximum(0, np.append((z - 1) / (y * (X @ g)), 0))
    risks = np.maximum(0, 1 - y * ((theta - etas[:, None] * g) @ X.T)).sum(axis=1)
    eta = etas[risks.argmin()]
    there = np.maximum(0, 1 - y * (X @ other)).sum()
    return np.array([eta, 0.0 if eta > 0 else 1.0 + (there < np.maximum(0, 1 - z).sum())])


VARIANTS = {
    "ravine": (ravine_loop, ravine_matrix, ravine_sign),
    "gradients": (gradients_loop, gradients_agreement, gradients_split),
    "momentum": (momentum_scaled, momentum_two_back, momentum_loop),
    "line_search": (search_loop, search_hessian, search_errors),
    "barzilai_borwein": (bb_loop, bb_backwards, bb_where),
    "early_stop": (stop_arrays, stop_loop, stop_copies),
    "starts": (starts_formula, starts_power, starts_eig),
    "kink_search": (kinks_loop, kinks_slopes, kinks_matrix),
}

RAVINE = (
    "def f(a, start, eta, t):\n    q = 1 - eta * a\n"
    "    k = [1 if v >= 0 else 2 if v > -1 else 3 if v == -1 else 4 for v in q]\n"
    "    c = (a * start) @ start / np.linalg.norm(a * start) / np.linalg.norm(start)\n"
    "    return start * q**t, k, 2 / max(a), max(a) / min(a), np.degrees(np.arccos(c))"
)
THREE = (
    "def f(X, y, theta):\n    n = len(X); Z = np.c_[X, np.ones(n)]; s = Z @ theta\n"
    "    return -2 * (y - s) @ Z / n, -(y * (y * s <= 1)) @ Z / n, -(y / (1 + np.exp(y * s))) @ Z / n"
)
ROLL = "def f(X, y, start, eta, m, steps):\n    V = np.zeros(len(start)); T = [start]\n    for _ in range(steps):\n"
GRADIENT = "        g = -2 * X.T @ (y - X @ T[-1]) / len(X)\n"
SEARCH = (
    "def f(X, y, theta):\n    L = lambda t: np.mean((y - X @ t) ** 2)\n"
    "    g = -2 * X.T @ (y - X @ theta) / len(X); e = 1.0\n    best = g @ g / (2 * np.mean((X @ g) ** 2))\n"
    "    while L(theta - e * g) >= L(theta): e /= 2\n    return best, e"
)
TWO = "def f(before, theta, slope_before, slope):\n    s, r = theta - before, slope - slope_before\n"
COLLEAGUE = (
    "def f(X, y, eta, steps):\n    n = len(X) // 2\n    mean, spread = X.mean(axis=0), X.std(axis=0)\n"
    "    Z = np.column_stack([(X - mean) / spread, np.ones(len(X))])\n    theta = np.zeros(Z.shape[1])\n"
    "    lowest = np.inf\n    for k in range(steps + 1):\n        loss = np.mean((y[:n] - Z[:n] @ theta) ** 2)\n"
    "        if loss < lowest:\n            lowest, best, found = loss, k, theta\n"
    "        theta += 2 * eta * Z[:n].T @ (y[:n] - Z[:n] @ theta) / n\n    return best, found"
)
SEEN = "(y[:n] - Z[:n] @ theta) ** 2", "(y[n:] - Z[n:] @ theta) ** 2"
LEAK = "X.mean(axis=0), X.std(axis=0)", "X[:n].mean(axis=0), X[:n].std(axis=0)"
SAME = "theta += 2", "theta = theta + 2"
BACK = "return best, found", "return best, np.append(w := found[:-1] / spread, found[-1] - w @ mean)"
EIGEN = (
    "def f(A):\n    a, v = np.linalg.eigh(A)\n    v = v * np.sign(v[0])\n    return 2 / a[1], v[:, 1], v[:, 0]"
)
KINK = (
    "def f(X, y, theta, other):\n    L = lambda t: np.mean(np.maximum(0, 1 - y * (X @ t)))\n    z = y * (X @ theta)\n"
    "    g = -(y * (z <= 1)) @ X / len(X)\n    e = np.append((1 - z) / (-y * (X @ g)), 0)\n    e = e[e >= 0]\n"
    "    eta = min(e, key=lambda e: L(theta - e * g))\n"
    "    return eta, 0 if eta > 0 else 2 if L(other) < L(theta) else 1"
)

WRONG = [
    ("ravine", RAVINE, "start * q**t", "start * q", "one step"),
    ("ravine", RAVINE, "start * q**t", "start * q * t", "to the power t"),
    ("ravine", RAVINE, "start * q**t", "start - t * eta * a * start", "gradient at the start"),
    ("ravine", RAVINE, "1 - eta * a", "1 + eta * a", "uphill"),
    ("ravine", RAVINE, "1 - eta * a", "1 - 2 * eta * a", "twice too long"),
    ("ravine", RAVINE, "v > -1", "v >= -1", "factor of -1 nearer"),
    ("ravine", RAVINE, "3 if v == -1 else 4", "4", "factor of -1 running away"),
    ("ravine", RAVINE, "2 / max(a)", "1 / max(a)", "arrives at once"),
    ("ravine", RAVINE, "2 / max(a)", "2 / min(a)", "flattest axis"),
    ("ravine", RAVINE, "2 / max(a)", "2 / (max(a) + min(a))", "serves both axes best"),
    ("ravine", RAVINE, "max(a) / min(a)", "min(a) / max(a)", "1 divided by what is asked for"),
    ("ravine", RAVINE, "max(a) / min(a)", "np.sqrt(max(a) / min(a))", "is the square root of"),
    ("ravine", RAVINE, "np.degrees(np.arccos(c))", "np.arccos(c)", "radians"),
    ("ravine", RAVINE, "np.degrees(np.arccos(c))", "c", "the cosine"),
    ("ravine", "def f(a, start, eta, t):\n    for _ in range(t): start = start - eta * a * start\n    return start",
     "still running"),
    ("gradients", THREE.replace(" / n", ""), "add up over the examples"),
    ("gradients", THREE, "y * s <= 1", "y * s < 1", "kink"),
    ("gradients", THREE, "-2 * (y - s)", "(s - y)", "factor 2"),
    ("gradients", THREE, "y * s <= 1", "y * s <= 0", "not only while it is wrong"),
    ("gradients", THREE, "-(y * (y * s", "(y * (y * s", "`hinge` has the wrong sign"),
    ("gradients", THREE, "-(y / (1 +", "(y / (1 +", "`logistic` has the wrong sign: the loss"),
    ("gradients", THREE, "np.exp(y * s)", "np.exp(-y * s)", "sign in the exponent"),
    ("gradients", THREE, "y / (1 +", "1 / (1 +", "`logistic` lacks the label"),
    ("gradients", THREE, "-(y / (1 + np.exp(y * s))) @ Z / n", "(1 / (1 + np.exp(-s)) - y) @ Z / n", "labels 0 and 1"),
    ("gradients", THREE, "np.c_[X, np.ones(n)]", "np.c_[np.ones(n), X]", "constant comes first"),
    ("gradients", "def f(X, y, theta):\n    n = len(X); Z = np.c_[X, np.ones(n)]; s = Z @ theta\n"
     "    return -2 * (y - s) @ Z / n", "only `squared` came back"),
    ("gradients", "import coursekit as ck\ndef f(X, y, theta):\n    return [ck.Objective(X, y, loss).slope(theta) "
     "for loss in (ck.losses.squared, ck.losses.hinge, ck.losses.logistic)]", "must be your own"),
    ("line_search", SEARCH, "g @ g / (2 * np.mean((X @ g) ** 2))", "g @ g / np.mean((X @ g) ** 2)", "twice too long"),
    ("line_search", SEARCH, "np.mean((X @ g) ** 2)", "np.sum((X @ g) ** 2)", "lacks n"),
    ("line_search", SEARCH, "g @ g / (2 * np.mean((X @ g) ** 2))", "2 * np.mean((X @ g) ** 2) / (g @ g)",
     "upside down"),
    ("line_search", SEARCH, "g @ g / (2 * np.mean((X @ g) ** 2))", "1 / np.linalg.eigvalsh(2 * X.T @ X / len(X))[-1]",
     "largest curvature"),
    ("line_search", SEARCH, ">= L(theta)", "> L(theta)", "exactly as it was"),
    ("line_search", SEARCH, ">= L(theta)", ">= L(theta) and e > 1e-6", "number of halvings"),
    ("line_search", SEARCH, ">= L(theta)", "> L(theta) - 1e-4 * e * g @ g", "more than a decrease"),
    ("line_search", SEARCH, "return best, e", "return e, best", "another order, halved, exact"),
    ("line_search", SEARCH, "e /= 2", "e /= 10", "by 10"),
    ("line_search", SEARCH, "while L(theta - e * g) >= L(theta)", "while False", "always take eta = 1"),
    ("line_search", SEARCH, "e = 1.0", "e = 0.5", "first try is eta = 1/2"),
    ("line_search", SEARCH, "return best, e", "return best, e / 2", "once too often"),
    ("barzilai_borwein", TWO + "    e = s @ s / (s @ r)\n    return e, theta - e * slope", "divide all the same"),
    ("barzilai_borwein", TWO + "    e = s @ r / (r @ r) if s @ r > 0 else 1\n"
     "    return e, theta - e * slope", "other quotient"),
    ("barzilai_borwein", TWO + "    e = s @ s / s @ r if s @ r > 0 else 1\n    return e, theta - e * slope",
     "put s @ r in brackets"),
    ("barzilai_borwein", TWO + "    e = s @ s / (s @ r) if s @ r > 0 else 1\n"
     "    return e, theta - e * slope_before", "where you are now"),
    ("barzilai_borwein", TWO + "    e = s / r\n    return e, theta - e * slope", "`eta` has a number for each entry"),
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
    ("early_stop", COLLEAGUE, "falls with every step"),
    ("early_stop", COLLEAGUE, *SEEN, "know the validation half"),
    ("early_stop", COLLEAGUE, *SEEN, *LEAK, "names"),
    ("early_stop", COLLEAGUE, *SEEN, *LEAK, *SAME, "for standardised numbers"),
    ("early_stop", COLLEAGUE, *SEEN, *LEAK, *BACK, "theta += ... changes"),
    ("early_stop", COLLEAGUE, *SEEN, *SAME, *BACK, "know the validation half"),
    ("early_stop", COLLEAGUE, *LEAK, *SAME, *BACK, "falls with every step"),
    ("early_stop", COLLEAGUE, *SEEN, *LEAK, *SAME, "return best, found", "return best, np.append(found[:-1] / spread, "
     "found[-1])", "offset is not carried back"),
    ("early_stop", COLLEAGUE, *SEEN, *LEAK, *SAME, *BACK, "range(steps + 1)", "range(steps)", "last step"),
    ("early_stop", COLLEAGUE, *SEEN, "X.mean(axis=0), X.std(axis=0)", "X[:n].mean(), X[:n].std()", *SAME, *BACK,
     "@ needs arrays"),
    ("starts", EIGEN, "2 / a[1]", "1 / a[1]", "in one step"),
    ("starts", EIGEN, "2 / a[1]", "2 / a[0]", "flat direction"),
    ("starts", EIGEN, "2 / a[1]", "2 / np.max(A)", "largest entry of A"),
    ("starts", EIGEN, "2 / a[1]", "2 / np.trace(A)", "sum of the diagonal"),
    ("starts", EIGEN, "v[:, 1], v[:, 0]", "v[:, 0], v[:, 1]", "exchanged"),
    ("starts", EIGEN, "2 / a[1], v[:, 1], v[:, 0]", "2 / a[0], v[:, 0], v[:, 1]", "larger of the two"),
    ("starts", EIGEN, "v * np.sign(v[0])", "v / v[0]", "first entry of 1"),
    ("starts", EIGEN, "v * np.sign(v[0])", "abs(v)", "both entries positive"),
    ("starts", EIGEN, "v[:, 1], v[:, 0]", "v[:, 1], 0 * v[:, 0]", "minimum itself"),
    ("starts", EIGEN, "v[:, 1], v[:, 0]", "np.array([1, 0]), v[:, 0]", "on an axis"),
    ("kink_search", KINK, "(z <= 1)", "(z < 1)", "exactly 1"),
    ("kink_search", KINK, "(z <= 1)", "(z <= 0)", "perceptron loss"),
    ("kink_search", KINK, " / len(X)", "", "sum of the losses"),
    ("kink_search", KINK, "(1 - z) /", "-z /", "an agreement is 0"),
    ("kink_search", KINK, "g = -", "g = ", "uphill"),
    ("kink_search", KINK, "min(e, key=lambda e: L(theta - e * g))", "min(e[e > 0], default=0)", "first kink"),
    ("kink_search", KINK, "2 if L(other) < L(theta) else 1", "1", "every stall for the minimum"),
    ("kink_search", KINK, "2 if L(other) < L(theta) else 1", "1 if L(other) < L(theta) else 2", "turned round"),
    ("kink_search", KINK, "0 if eta > 0 else ", "", "whatever `other` is"),
    ("kink_search", KINK, "np.maximum(0, 1 - y", "(lambda _, z: z)(0, 1 - y", "lacks the max"),
    ("gradients", THREE, "-2 * (y - s) @ Z / n", "np.mean(-2 * (y - s)) * Z.mean(0)", "-(y * (y * s <= 1)) @ Z / n",
     "np.mean(-y * (y * s <= 1)) * Z.mean(0)", "-(y / (1 + np.exp(y * s))) @ Z / n",
     "np.mean(-y / (1 + np.exp(y * s))) * Z.mean(0)", "multiply two means"),
    ("momentum", ROLL + "        T.append(T[-1] + V)\n" + GRADIENT + "        V = m * V - eta * g\n    return T",
     "by the old V"),
    ("barzilai_borwein", TWO + "    e = np.linalg.norm(s) / np.linalg.norm(r) if r.any() else 1\n"
     "    return e, theta - e * slope", "divide lengths"),
    ("barzilai_borwein", TWO + "    if s @ r <= 0: return 1, theta\n    e = s @ s / (s @ r)\n"
     "    return e, theta - e * slope", "stays at theta"),
    ("starts", EIGEN, "    v = v * np.sign(v[0])\n", "", "whatever sign"),
    ("kink_search", KINK, "e[e >= 0]", "e[e > 0]\n    if not len(e): e = [0]", "never try eta = 0"),
    ("kink_search", KINK, "return eta, 0 if eta > 0 else 2 if L(other) < L(theta) else 1",
     "return eta, 2 if L(other) < L(theta) else 0 if eta > 0 else 1", "where eta is larger than 0 too"),
    ("kink_search", KINK, "min(e, key=lambda e: L(theta - e * g))",
     "min(e[e > 0], default=0)\n    eta = eta if L(theta - eta * g) < L(theta) else 0", "first kink"),
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
    for X, y, theta in drawn["line_search"].cases:
        risk = ck.Objective(X, y, ck.losses.squared, offset=False)
        exact, halved = solved["line_search"](X, y, theta)
        assert halved == ck.gradient_descent(risk, ck.steps.backtracking(), 1, start=theta).rates[0]
        found = minimize_scalar(lambda e: risk.value(theta - e * exact * risk.slope(theta)), bounds=(0, 3))  # noqa: B023
        assert found.x == pytest.approx(1, abs=1e-3)
    for X, y, theta, _ in drawn["kink_search"].cases:
        risk = ck.Objective(X, y, offset=False)
        eta = solved["kink_search"](X, y, theta, theta)[0]
        along = [risk.value(theta - e * risk.slope(theta)) for e in np.linspace(0, 3 * eta + 1, 2000)]
        assert risk.value(theta - eta * risk.slope(theta)) <= min(along) + 1e-12


@pytest.mark.parametrize("seed", SEEDS)
def test_ravines_and_starts_do_what_is_foretold(seed):
    drawn, solved = tasks(CHAPTER, seed), COURSE[CHAPTER].space
    for a, start, eta, t in drawn["ravine"].cases:
        after, kinds, limit, condition, _ = solved["ravine"](a, start, eta, t)
        assert condition == pytest.approx(np.linalg.cond(np.diag(a)))
        if t < 10:
            theta, later = start, [start]
            for _ in range(60):
                later.append(later[-1] - eta * a * later[-1])
            np.testing.assert_allclose(after, later[t])
            crosses = np.prod(later[:2], axis=0) < 0
            nearer = np.abs(later[-1]) - np.abs(theta)
            for kind, crossed, far in zip(kinds, crosses, nearer, strict=True):
                assert kind == (1 if not crossed else 2 if far < 0 else 3 if far == 0 else 4)
            assert (eta < limit) == (max(kinds) < 3)
    for (A,) in drawn["starts"].cases:
        eta, forever, lucky = solved["starts"](A)
        step = np.eye(2) - eta * A
        np.testing.assert_allclose(step @ forever, -forever, atol=1e-12)
        longer = np.eye(2) - 1.01 * eta * A
        assert np.linalg.norm(longer @ lucky) < 1 < np.linalg.norm(longer @ forever)
        assert np.linalg.norm(forever) == pytest.approx(1) == pytest.approx(np.linalg.norm(lucky))
        assert min(forever[0], lucky[0]) > 0.1


@pytest.mark.parametrize("seed", SEEDS)
def test_cases_hold_what_tells_wrong_answers_apart(seed):
    drawn = tasks(CHAPTER, seed)
    assert {kind for _, kinds, *_ in drawn["ravine"].right for kind in kinds} == {1, 2, 3, 4}
    rates = [halved for _, halved in drawn["line_search"].right]
    assert min(rates) < 2**-20 < 2**-11 in rates
    bends = [(theta - before) @ (slope - slope_before)
             for before, theta, slope_before, slope in drawn["barzilai_borwein"].cases]
    assert set(np.sign(bends)) == {-1.0, 0.0, 1.0}
    ends = [(best, steps) for (best, _), (*_, steps) in zip(
        drawn["early_stop"].right, drawn["early_stop"].cases, strict=True)]
    assert any(best == 0 for best, _ in ends)
    assert any(best == steps for best, steps in ends)
    assert any(0 < best < steps for best, steps in ends)
    assert {verdict for _, verdict in drawn["kink_search"].right} == {0, 1, 2}
    assert {forever[1] > 0 for _, forever, _ in drawn["starts"].right} == {True, False}


def test_two_point_step_is_that_of_coursekit():
    X, y, start = np.array([[2.0, 1.0], [0.5, -1.0], [1.0, 3.0]]), np.array([1.0, -1.0, 1.0]), np.array([1.0, -2.0])
    risk = ck.Objective(X, y, ck.losses.squared, offset=False)
    path = ck.gradient_descent(risk, ck.steps.barzilai_borwein(), 2, start=start)
    before, theta, after = path.thetas
    barzilai_borwein = COURSE[CHAPTER].space["barzilai_borwein"]
    eta, own = barzilai_borwein(before, theta, risk.slope(before), risk.slope(theta))
    assert eta == pytest.approx(path.rates[1])
    np.testing.assert_allclose(own, after)
