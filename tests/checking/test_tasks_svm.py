"""Exercise 8: right answers in other spellings, wrong ones in the words of a student."""

import math

import numpy as np
import pytest
from scipy.optimize import minimize, minimize_scalar
from sklearn.svm import SVC

import coursekit as ck
from tests.checking.judging import COURSE, SEEDS, tasks

CHAPTER = "08-support-vector-machines"


def widest_loop(X, y, degrees):
    best = None
    for degree in degrees:
        c, s = math.cos(degree * math.pi / 180), math.sin(degree * math.pi / 180)
        f = [a * c + b * s for a, b in X]
        low = max(v for v, label in zip(f, y, strict=True) if label < 0)
        high = min(v for v, label in zip(f, y, strict=True) if label > 0)
        if best is None or high - low > best[1]:
            best = degree, high - low, low, (c, s)
    degree, gap, low, (c, s) = best
    if gap <= 0:
        return degree, gap, None
    return degree, gap, [2 * c / gap, 2 * s / gap, -1 - 2 * low / gap]


def widest_margin(X, y, degrees):
    gaps = []
    for phi in np.deg2rad(np.array(degrees)):
        f = X @ np.r_[np.cos(phi), np.sin(phi)]
        gaps.append(-max(f[y == -1]) + min(f[y == 1]))
    k = int(np.argsort(gaps)[-1])
    w = 2 / gaps[k] * np.array([np.cos(np.deg2rad(degrees[k])), np.sin(np.deg2rad(degrees[k]))])
    return [degrees[k], gaps[k], np.array([*w, 1 - min((X @ w)[y == 1])]) if gaps[k] > 0 else None]


def widest_single(X, y, degrees):
    u = np.exp(1j * np.radians(degrees))
    f = X[:, :1] * u.real + X[:, 1:] * u.imag
    high, low = np.where(y[:, None] > 0, f, np.inf).min(0), np.where(y[:, None] < 0, f, -np.inf).max(0)
    k = max(range(len(u)), key=lambda k: high[k] - low[k])
    gap = high[k] - low[k]
    theta = None if gap <= 0 else np.float32([u[k].real, u[k].imag, -(high[k] + low[k]) / 2]) * np.float32(2 / gap)
    return float(np.array(degrees)[k]), np.float32(gap), theta


def slacks_loop(X, y, theta):
    length, xi, kind = sum(t * t for t in theta[:-1]) ** 0.5, [], []
    for x, label in zip(X, y, strict=True):
        z = label * (x @ theta[:-1] + theta[-1])
        xi.append(1 - z if z < 1 else 0)
        kind.append(3 if z <= 0 else 2 if z < 1 - 1e-6 else 1 if z <= 1 + 1e-6 else 0)
    return 1 / length, xi, [s / length for s in xi], kind


def slacks_clip(X, y, theta):
    z = y * (np.c_[X, np.ones(len(y))] @ theta)
    xi, norm = np.clip(1 - z, 0, None), np.hypot.reduce(theta[:-1])
    return np.array(1 / norm), xi, xi / norm, 3.0 - (z > 0) - (z >= 1 - 1e-6) - (z > 1 + 1e-6)


def slacks_select(X, y, theta):
    m = 1 - y * (X.dot(theta[:-1]) + theta[-1])
    *w, _ = theta
    xi = np.where(m > 0, m, 0)
    kinds = np.select([m >= 1, np.isclose(m, 0, rtol=0, atol=1e-6), m > 0], [3, 1, 2])
    return [1 / math.dist(w, [0] * len(w)), list(xi), tuple(xi / np.linalg.norm(w)), kinds]


def lever_cases(p, q, r, n):
    e = (r - q) / np.linalg.norm(r - q)
    way = (p - q) @ e / np.linalg.norm(r - q)
    if way <= 0:
        near, shares = q, (1, 0)
    elif way >= 1:
        near, shares = r, (0, 1)
    else:
        near, shares = q + way * (r - q), (1 - way, way)
    d = np.linalg.norm(p - near)
    a = 2 / d**2
    w = 2 * (p - near) / d**2
    return [a, a * shares[0], a * shares[1]], [*w, -w @ (p + near) / 2], 1 / n / a, a


def lever_search(p, q, r, n):
    found = minimize_scalar(lambda t: np.sum((p - q - t * (r - q)) ** 2), bounds=(0, 1), method="bounded",
                            options={"xatol": 1e-12})
    t = round(found.x, 7)
    a = 2 / found.fun
    w = a * p - a * (1 - t) * q - a * t * r
    return np.array([a, a * (1 - t), a * t]), np.append(w, 1 - p @ w), 1 / (n * a), np.float64(a)


def lever_system(p, q, r, n):
    def held(P, labels):
        P, labels = np.array(P), np.array(labels)
        G = np.zeros((len(P) + 1, len(P) + 1))
        G[:-1, :-1], G[:-1, -1], G[-1, :-1] = P @ P.T * labels, 1, labels
        return np.linalg.solve(G, np.append(labels, 0.0))

    *a, b = held([p, q, r], [1, -1, -1])
    if min(a) < 0:
        (a0, a1), b = held([p, q], [1, -1])[:2], held([p, q], [1, -1])[2]
        a = [a0, a1, 0.0]
        if (a0 * p - a1 * q) @ r + b > -1 + 1e-9:
            (a0, a1), b = held([p, r], [1, -1])[:2], held([p, r], [1, -1])[2]
            a = [a0, 0.0, a1]
    w = a[0] * p - a[1] * q - a[2] * r
    return tuple(a), np.append(w, b), 1 / (max(a) * n), max(a)


def descent_parts(X, y, lam, eta, steps):
    w, b, seen = np.zeros(X.shape[1]), 0.0, []
    for _ in range(steps + 1):
        z = y * (X @ w + b)
        seen.append((np.maximum(0, 1 - z).mean() + lam / 2 * (w @ w), [*w, b]))
        pull = np.where(z > 1, 0, y)
        w, b = w - eta * (lam * w - pull @ X / len(y)), b + eta * pull.mean()
    value, best = min(seen, key=lambda row: row[0])
    return best, value


def descent_loop(X, y, lam, eta, steps):
    n, d = X.shape
    theta, best, lowest = [0.0] * (d + 1), None, math.inf
    for k in range(steps + 1):
        slope = [lam * theta[j] for j in range(d)] + [0.0]
        value = lam / 2 * sum(t * t for t in theta[:-1])
        for x, label in zip(X, y, strict=True):
            z = label * (sum(x[j] * theta[j] for j in range(d)) + theta[d])
            value += max(0, 1 - z) / n
            if z <= 1:
                slope = [s - label * v / n for s, v in zip(slope, [*x, 1], strict=True)]
        if value < lowest:
            lowest, best = value, list(theta)
        if k < steps:
            theta = [t - eta * s for t, s in zip(theta, slope, strict=True)]
    return best, lowest


def descent_copy(X, y, lam, eta, steps):
    Z = y[:, None] * np.hstack([X, np.ones((len(X), 1))])
    theta, mask = np.zeros(Z.shape[1]), np.append(np.ones(X.shape[1]), 0)
    best, lowest = theta.copy(), 1.0
    for _ in range(steps):
        theta -= eta * (lam * mask * theta - Z[Z @ theta <= 1].sum(axis=0) / len(Z))
        value = np.clip(1 - Z @ theta, 0, None).mean() + lam * np.sum((mask * theta) ** 2) / 2
        if value < lowest:
            best, lowest = theta.copy(), value
    return [best, np.array(lowest)]


def pegasos_scaled(X, y, lam, order):
    w, seen = np.zeros(X.shape[1]), []
    for t, i in enumerate(order):
        pull = y[i] * X[i] if y[i] * X[i] @ w < 1 else 0 * w
        w = w * t / (t + 1) + pull / (lam * (t + 1))
        w = w * min(1, 1 / (math.sqrt(lam) * (np.linalg.norm(w) or 1)))
        seen.append(w)
    return w, np.mean(seen, axis=0)


def pegasos_loop(X, y, lam, order):
    d = X.shape[1]
    w, total = [0.0] * d, [0.0] * d
    for t in range(1, len(order) + 1):
        x, label = X[order[t - 1]], y[order[t - 1]]
        answer = label * sum(a * b for a, b in zip(w, x, strict=True)) < 1
        w = [(1 - 1 / t) * a + (label * b / (lam * t) if answer else 0) for a, b in zip(w, x, strict=True)]
        length = sum(a * a for a in w) ** 0.5
        if length * lam**0.5 > 1:
            w = [a / length / lam**0.5 for a in w]
        total = [s + a for s, a in zip(total, w, strict=True)]
    return w, [s / len(order) for s in total]


def pegasos_running(X, y, lam, order):
    w = mean = np.zeros(X.shape[1])
    for t, (x, label) in enumerate(zip(X[order], y[order], strict=True), 1):
        step = 1 / lam / t
        new = w - step * lam * w
        if label * np.dot(w, x) < 1:
            new = new + step * label * x
        w = new * lam**-0.5 / np.linalg.norm(new) if new @ new > 1 / lam else new
        mean = mean + (w - mean) / t
    return (np.float32(w), np.float32(mean))


def stakes_loop(X, y, a, theta, lam):
    n, d = X.shape
    v = [sum(a[i] * y[i] * X[i, j] for i in range(n)) / (n * lam) for j in range(d)]
    bound = sum(a) / n - lam / 2 * sum(c * c for c in v)
    value, off = lam / 2 * sum(t * t for t in theta[:d]), 0
    for i in range(n):
        z = y[i] * (X[i] @ theta[:d] + theta[d])
        value += max(0, 1 - z) / n
        if z > 1:
            off += a[i] != 0
        elif z < 1:
            off += a[i] != 1
    return v, bound, value - bound, off


def stakes_masks(X, y, a, theta, lam):
    z = y * (np.c_[X, np.ones(len(X))] @ theta)
    v = np.einsum("i,i,ij->j", a, y, X) / lam / len(X)
    loss = np.where(z < 1, 1 - z, 0)
    bound = a.mean() - 0.5 * lam * np.dot(v, v)
    gap = loss.mean() + 0.5 * lam * np.sum(theta[:-1] ** 2) - bound
    return np.float32(v), np.float32(bound), gap, np.count_nonzero(a * (1 - z) != loss)


def stakes_gap(X, y, a, theta, lam):
    w = theta[:-1]
    v = np.mean((a * y)[:, None] * X, axis=0) / lam
    z = y * (X @ w + theta[-1])
    gap = np.mean(np.maximum(0, 1 - z) - a * (1 - z)) + lam / 2 * np.sum((w - v) ** 2)
    return [v, np.mean(a) - lam / 2 * np.linalg.norm(v) ** 2, gap, sum((z > 1) * (a > 0) | (z < 1) * (a < 1))]


def two_line(X, y, a, i, j, lam, curved):
    n = len(y)
    K = np.array([[(1 + p @ q) ** 2 if curved else p @ q for q in X] for p in X])

    def bound(s):
        new = a.astype(float)
        new[i] += y[i] * s
        new[j] -= y[j] * s
        return new, np.mean(new) - np.sum(np.outer(new * y, new * y) * K) / (2 * n * n * lam)

    low, high, mid = bound(-1)[1], bound(1)[1], bound(0)[1]
    s = (high - low) / 2 / (2 * mid - high - low)
    allowed = [t for t in (0, -a[i] * y[i], (1 - a[i]) * y[i], a[j] * y[j], (a[j] - 1) * y[j], s)
               if all(-1e-12 <= e <= 1 + 1e-12 for e in bound(t)[0])]
    return bound(max(allowed, key=lambda t: bound(t)[1]))


def two_branches(X, y, a, i, j, lam, curved):
    n, K = len(a), (X @ X.T + 1) ** 2 if curved else X @ X.T
    c = a * y / n / lam
    s = n * lam * (y[i] - y[j] - c @ K[i] + c @ K[j]) / (K[i, i] - K[i, j] - K[j, i] + K[j, j])
    room_i = (1 - a[i] if y[i] * s > 0 else a[i])
    room_j = (1 - a[j] if -y[j] * s > 0 else a[j])
    s = math.copysign(min(abs(s), room_i, room_j), s)
    new = [e + (y[i] * s if k == i else -y[j] * s if k == j else 0) for k, e in enumerate(a)]
    p = np.array(new) * y
    return new, sum(new) / n - p @ K @ p / (2 * lam * n**2)


def two_mapped(X, y, a, i, j, lam, curved):
    n, d = X.shape
    F = X
    if curved:
        F = np.c_[np.ones(n), math.sqrt(2) * X, X**2,
                  *[math.sqrt(2) * X[:, k] * X[:, m] for k in range(d) for m in range(k)]]
    v, apart = (a * y) @ F / (n * lam), F[i] - F[j]
    s = n * lam * (y[i] - y[j] - v @ apart) / (apart @ apart)
    ends = [sorted([-a[i] * y[i], y[i] - a[i] * y[i]]), sorted([a[j] * y[j], a[j] * y[j] - y[j]])]
    s = min(max(s, ends[0][0], ends[1][0]), ends[0][1], ends[1][1])
    new = a + s * (y[i] * (np.arange(n) == i) - y[j] * (np.arange(n) == j))
    v = v + s * apart / (n * lam)
    return np.float32(new), new.mean() - lam / 2 * v @ v


def drag_kinks(x, y, D, lam):
    c = np.array([*(x * y), -D])

    def objective(w):
        return np.mean(np.maximum(0, 1 - c * w)) + lam / 2 * w * w

    places = [1 / v for v in c]
    places += [c[[k for k in range(len(c)) if c[k] * (p + e) <= 1]].sum() / len(c) / lam
               for p in [*places, 0] for e in (-1e-9, 1e-9)]
    w = min(places, key=objective)
    because = 1 if w > 0 else 2 if D * -w > 1 - 1e-9 else 3
    return c[:-1].sum(), w, sum(v * w <= 0 for v in c), because


def drag_closed(x, y, D, lam):
    c, n = np.abs(x), len(x) + 1
    total = c.sum()
    if total < D:
        free = (D - total) / (n * lam)
        w = -min(free, 1 / D)
        return total, w, n - 1, 3 if free < 1 / D else 2
    w, order = None, np.sort(c)[::-1]
    for k in range(n):  # the k farthest have no pull left
        free = (order[k:].sum() - D) / (n * lam)
        if k < n - 1 and free > 1 / order[k]:
            continue
        w = max(free, 1 / order[k - 1] if k else 0)
        break
    return np.float64(total), w, 1, 1


def drag_search(x, y, D, lam):
    X, labels = [*x, -D], [*y, 1]

    def slope(w):
        return lam * w - sum(t * v for v, t in zip(X, labels, strict=True) if t * v * w <= 1) / len(X)

    low, high = -1e4, 1e4
    while high - low > 1e-9:
        mid = (low + high) / 2
        low, high = (low, mid) if slope(mid) > 0 else (mid, high)
    wrong = sum(t * v * high <= 0 for v, t in zip(X, labels, strict=True))
    return sum(abs(v) for v in x), high, wrong, (1 if high > 0 else 3 if -D * high < 1 - 1e-6 else 2)


VARIANTS = {
    "widest": [widest_loop, widest_margin, widest_single],
    "slacks": [slacks_loop, slacks_clip, slacks_select],
    "lever": [lever_cases, lever_search, lever_system],
    "descent": [descent_parts, descent_loop, descent_copy],
    "pegasos": [pegasos_scaled, pegasos_loop, pegasos_running],
    "stakes": [stakes_loop, stakes_masks, stakes_gap],
    "two_stakes": [two_line, two_branches, two_mapped],
    "drag": [drag_kinks, drag_closed, drag_search],
}

TURN = (
    "def f(X, y, degrees):\n    best = -np.inf\n    for g in degrees:\n        a = np.radians(g)\n"
    "        u = np.array([np.cos(a), np.sin(a)])\n        h, l = min(X[y > 0] @ u), max(X[y < 0] @ u)\n"
    "        if h - l > best:\n            best, angle, keep, mid = h - l, g, u, (h + l) / 2\n"
    "    if best <= 0: return angle, best, None\n"
    "    return angle, best, np.append(2 / best * keep, -2 / best * mid)"
)
OWES = (
    "def f(X, y, theta):\n    w, b = theta[:-1], theta[-1]\n    z = y * (X @ w + b)\n    xi = np.maximum(0, 1 - z)\n"
    "    L = np.linalg.norm(w)\n    kind = np.zeros(len(z))\n    kind[z < 1] = 2\n    kind[abs(z - 1) <= 1e-6] = 1\n"
    "    kind[z <= 0] = 3\n    return 1 / L, xi, xi / L, kind"
)
PLANK = (
    "def f(p, q, r, n):\n    e = r - q\n    t = (p - q) @ e / (e @ e)\n    t = min(max(t, 0), 1)\n"
    "    d = p - q - t * e\n    a = 2 / (d @ d)\n    w = a * d\n"
    "    return [a, a * (1 - t), a * t], np.append(w, 1 - w @ p), 1 / (n * a), a"
)
COLLEAGUE = (
    "def f(X, y, lam, eta, steps):\n    Z = np.column_stack([X, np.ones(len(X))])\n    theta = np.zeros(Z.shape[1])\n"
    "    lowest = np.inf\n    for _ in range(steps + 1):\n        z = y * (Z @ theta)\n"
    "        value = np.mean(np.maximum(0, 1 - z)) + lam / 2 * theta @ theta\n        if value < lowest:\n"
    "            lowest, best = value, theta\n        slope = -(y * (z <= 0)) @ Z + lam * theta\n"
    "        theta -= eta * slope\n    return best, lowest"
)
FREE = "lam / 2 * theta @ theta", "lam / 2 * theta[:-1] @ theta[:-1]", "lam * theta", "lam * np.append(theta[:-1], 0)"
PULL, MEAN, NEW = ("z <= 0", "z <= 1"), ("@ Z +", "@ Z / len(X) +"), ("theta -=", "theta = theta -")
PAPER = (
    "def f(X, y, lam, order):\n    w = np.zeros(X.shape[1]); W = []\n    for t, i in enumerate(order, 1):\n"
    "        eta = 1 / (lam * t)\n        if y[i] * (w @ X[i]) < 1:\n"
    "            w = (1 - eta * lam) * w + eta * y[i] * X[i]\n"
    "        else:\n            w = (1 - eta * lam) * w\n        L = np.linalg.norm(w)\n"
    "        if L > 1 / np.sqrt(lam): w = w / L / np.sqrt(lam)\n        W.append(w)\n    return w, np.mean(W, axis=0)"
)
PROOF = (
    "def f(X, y, a, theta, lam):\n    n = len(y); w = theta[:-1]\n    v = X.T @ (a * y) / (n * lam)\n"
    "    bound = np.mean(a) - lam / 2 * (v @ v)\n    z = y * (X @ w + theta[-1])\n"
    "    L = np.mean(np.maximum(0, 1 - z)) + lam / 2 * (w @ w)\n"
    "    bad = ((z > 1) & (a > 0)) | ((z < 1) & (a < 1))\n    return v, bound, L - bound, bad.sum()"
)
TWO = (
    "def f(X, y, a, i, j, lam, curved):\n    n = len(y)\n    K = (1 + X @ X.T) ** 2 if curved else X @ X.T\n"
    "    g = K @ (a * y) / (n * lam)\n"
    "    s = n * lam * (y[i] - y[j] - g[i] + g[j]) / (K[i, i] + K[j, j] - 2 * K[i, j])\n"
    "    lo = max(min(-a[i] * y[i], (1 - a[i]) * y[i]), min(a[j] * y[j], (a[j] - 1) * y[j]))\n"
    "    hi = min(max(-a[i] * y[i], (1 - a[i]) * y[i]), max(a[j] * y[j], (a[j] - 1) * y[j]))\n"
    "    s = min(max(s, lo), hi)\n    b = a.copy(); b[i] += y[i] * s; b[j] -= y[j] * s\n    p = b * y / (n * lam)\n"
    "    return b, b.mean() - lam / 2 * (p @ K @ p)"
)
PULLED = (
    "def f(x, y, D, lam):\n    c = np.append(y * x, -D); lo, hi = -100, 100\n    for _ in range(100):\n"
    "        w = (lo + hi) / 2\n        if lam * w - np.mean(np.where(c * w <= 1, c, 0)) > 0: hi = w\n"
    "        else: lo = w\n    why = 1 if w > 0 else 3 if D * -w < 1 - 1e-6 else 2\n"
    "    return sum(y * x), w, sum(c * w <= 0), why"
)

WRONG = [
    ("widest", TURN, "min(X[y > 0] @ u), max(X[y < 0] @ u)", "max(X[y > 0] @ u), min(X[y < 0] @ u)", "far side"),
    ("widest", TURN, "min(X[y > 0] @ u), max(X[y < 0] @ u)", "np.mean(X[y > 0] @ u), np.mean(X[y < 0] @ u)", "means"),
    ("widest", TURN, "np.radians(g)", "g", "radians"),
    ("widest", TURN, "np.cos(a), np.sin(a)", "np.sin(a), np.cos(a)", "exchanged"),
    ("widest", TURN, "2 / best * keep, -2 / best * mid", "keep, -mid", "length 1"),
    ("widest", TURN, "2 / best * keep, -2 / best * mid", "keep / best, -mid / best", "length 1/gap"),
    ("widest", TURN, "-2 / best * mid", "2 / best * mid", "offset has the wrong sign"),
    ("widest", TURN, "-2 / best * mid", "0", "through the origin"),
    ("widest", TURN, "    if best <= 0: return angle, best, None\n", "", "return None"),
    ("widest", TURN, "return angle, best, np", "return angle, best / 2, np", "the margin"),
    ("slacks", OWES, "y * (X @ w + b)", "X @ w + b", "labels are missing"),
    ("slacks", OWES, "norm(w)", "norm(theta)", "all of theta"),
    ("slacks", OWES, "(X @ w + b)", "(X @ w)", "misses the offset"),
    ("slacks", OWES, "1 / L, xi", "2 / L, xi", "width of the street"),
    ("slacks", OWES, "np.maximum(0, 1 - z)", "1 - z", "max(0, ...) were missing"),
    ("slacks", OWES, "np.maximum(0, 1 - z)", "np.maximum(0, -z)", "begins at the line"),
    ("slacks", OWES, "xi, xi / L", "xi, xi", "is the slack itself"),
    ("slacks", OWES, "kind[z <= 0]", "kind[z < 0]", "on the line"),
    ("slacks", OWES, "abs(z - 1) <= 1e-6", "z == 1", "Rounding"),
    ("slacks", OWES, "abs(z - 1) <= 1e-6", "np.isclose(z, 1)", "wider than 1e-6"),
    ("lever", PLANK, "    t = min(max(t, 0), 1)\n", "", "beyond the end"),
    ("lever", PLANK, "(p - q) @ e / (e @ e)", "0.5", "middle of q and r"),
    ("lever", PLANK, "a * (1 - t), a * t", "a * t, a * (1 - t)", "exchanged"),
    ("lever", PLANK, "a = 2 / (d @ d)", "a = 1 / (d @ d)", "twice too wide"),
    ("lever", PLANK, "a = 2 / (d @ d)", "a = 2 / np.linalg.norm(d)", "divide by the distance"),
    ("lever", PLANK, "1 - w @ p", "-w @ p", "goes through p"),
    ("lever", PLANK, "1 / (n * a), a", "1 / a, a", "multiplied by the argument `n`"),
    ("lever", PLANK, "1 / (n * a), a", "1 / (n * a * min(t, 1 - t)) if 0 < t < 1 else 1 / (n * a), a", "weakest pull"),
    ("lever", PLANK, "1 / (n * a), a", "1 / (n * a), 1 / (n * a)", "belongs in `lam`"),
    ("descent", COLLEAGUE, "as it was"),
    ("descent", COLLEAGUE, *FREE, *PULL, *MEAN, "changes all names"),
    ("descent", COLLEAGUE, *FREE, *PULL, *NEW, "sums over the examples"),
    ("descent", COLLEAGUE, *FREE, *MEAN, *NEW, "Only the misclassified pull"),
    ("descent", COLLEAGUE, *PULL, *MEAN, *NEW, "penalise the offset"),
    ("descent", COLLEAGUE, *FREE, *NEW, "who pulls, and by how much"),
    ("descent", COLLEAGUE, *FREE, "z <= 0", "z < 1", *MEAN, *NEW, "exactly an example still pulls"),
    ("descent", COLLEAGUE, *FREE, *PULL, *MEAN, "theta -=", "theta = theta +", "uphill"),
    ("descent", COLLEAGUE, *FREE, *PULL, *MEAN, *NEW, "range(steps + 1)", "range(steps)", "last iterate"),
    ("descent", COLLEAGUE, *FREE, *PULL, *MEAN, *NEW, "lam / 2 * theta", "lam * theta", "is lambda/2"),
    ("pegasos", PAPER, "< 1:", "<= 1:", "in the paper"),
    ("pegasos", PAPER, "< 1:", "<= 0:", "inside the street too"),
    ("pegasos", PAPER, "            w = (1 - eta * lam) * w\n", "            pass\n", "only when the example pulls"),
    ("pegasos", PAPER, "        if L > 1 / np.sqrt(lam): w = w / L / np.sqrt(lam)\n", "", "last part of the step"),
    ("pegasos", PAPER, "enumerate(order, 1)", "enumerate(order, 2)", "starts at 2"),
    ("pegasos", PAPER, "1 / (lam * t)", "1 / t", "1/t"),
    ("pegasos", PAPER, "+ eta * y[i]", "- eta * y[i]", "wrong sign"),
    ("pegasos", PAPER, "return w, np.mean(W, axis=0)", "return w, np.sum(W, axis=0)", "sum of all w"),
    ("pegasos", PAPER, "return w, np.mean(W, axis=0)", "return w, w", "the last w"),
    ("stakes", PROOF, "X.T @ (a * y)", "X.T @ a", "lacks the labels"),
    ("stakes", PROOF, "/ (n * lam)", "/ lam", "lacks n"),
    ("stakes", PROOF, "np.mean(a)", "np.sum(a)", "sums the stakes"),
    ("stakes", PROOF, "np.mean(a) - lam", "np.mean(a) + lam", "adds the penalty"),
    ("stakes", PROOF, "np.mean(a) - lam / 2", "np.mean(a) - lam", "half of that"),
    ("stakes", PROOF, "lam / 2 * (w @ w)", "lam / 2 * (theta @ theta)", "penalises the offset"),
    ("stakes", PROOF, "L - bound", "bound - L", "opposite sign"),
    ("stakes", PROOF, "(z > 1) & (a > 0)", "(z >= 1) & (a > 0)", "On the edge"),
    ("stakes", PROOF, " | ((z < 1) & (a < 1))", "", "forgets those with slack"),
    ("two_stakes", TWO, " - 2 * K[i, j])", ")", "leave out"),
    ("two_stakes", TWO, "- g[i] + g[j]", "", "forgets what the stakes give"),
    ("two_stakes", TWO, "- g[i] + g[j]", "+ g[i] - g[j]", "scores have the wrong sign"),
    ("two_stakes", TWO, "    s = min(max(s, lo), hi)\n", "", "leave the range"),
    ("two_stakes", TWO, "s = n * lam * (", "s = lam * (", "lacks n"),
    ("two_stakes", TWO, "b[j] -= y[j] * s", "b[j] += y[j] * s", "move alike"),
    ("two_stakes", TWO, "(1 + X @ X.T) ** 2 if curved else X @ X.T", "X @ X.T", "always move as with dot products"),
    ("two_stakes", TWO, "(1 + X @ X.T) ** 2", "1 + (X @ X.T) ** 2", "inside the square"),
    ("two_stakes", TWO, "b.mean()", "b.sum()", "sums the stakes"),
    ("drag", PULLED, "return sum(y * x)", "return max(y * x)", "farthest old mail"),
    ("drag", PULLED, "return sum(y * x)", "return sum(x)", "lacks the labels"),
    ("drag", PULLED, "np.append(y * x, -D)", "np.append(y * x, D)", "dragged mail does not pull against"),
    ("drag", PULLED, "lam * w - np", "2 * lam * w - np", "twice that"),
    ("drag", PULLED, "np.where(c * w <= 1, c, 0)", "c", "All mails pull"),
    ("drag", PULLED, "c * w <= 1, c", "c * w <= 0, c", "Only misclassified"),
    ("drag", PULLED, "lo, hi = -100, 100", "lo, hi = 0, 100", "never negative"),
    ("drag", PULLED, "sum(c * w <= 0)", "sum(c * w > 0)", "counts the right ones"),
    ("drag", PULLED, "sum(c * w <= 0)", "sum(c[:-1] * w <= 0)", "leaves out the dragged"),
    ("drag", PULLED, "3 if D * -w < 1 - 1e-6 else 2", "2", "never 3"),
    ("drag", PULLED, "3 if D * -w < 1 - 1e-6 else 2", "2 if D * -w < 1 - 1e-6 else 3", "2 and 3 are exchanged"),
]


@pytest.mark.parametrize("seed", SEEDS)
def test_levers_are_the_streets_of_scikit_learn_up_to_lambda_star(seed):
    drawn, solved = tasks(CHAPTER, seed), COURSE[CHAPTER].space
    for p, q, r, n in drawn["lever"].cases:
        alpha, theta, lam, C = solved["lever"](p, q, r, n)
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
        assert new.min() > -1e-9
        assert new.max() < 1 + 1e-9
        assert bound(a) < bound(new) == pytest.approx(proved)
        for part in (0.9, 1.1):
            other = a + part * (new - a)
            assert bound(other) < proved or not (other.min() > -1e-9 and other.max() < 1 + 1e-9)


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
