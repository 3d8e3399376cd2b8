"""Exercise 5: right answers in other spellings, wrong ones in the words of a student."""

import itertools

import numpy as np
import pytest

import coursekit as ck
from tests.checking.judging import COURSE, SEEDS, tasks

CHAPTER = "05-stochastic-gradient-descent"


def fan_loop(X, y, theta, b):
    slopes = []
    for x, label in zip(X, y, strict=True):
        f = sum(a * w for a, w in zip(x, theta[:-1], strict=True)) + theta[-1]
        slopes.append([-label * a for a in (*x, 1)] if label * f <= 1 else [0] * len(theta))
    mean = [sum(column) / len(y) for column in zip(*slopes, strict=True)]
    squares = [sum((a - m) ** 2 for a, m in zip(slope, mean, strict=True)) for slope in slopes]
    return slopes, mean, sum(squares) / len(y) / b


def fan_steiner(X, y, theta, b):
    """The mean square less the square of the mean."""
    Z = np.c_[X, np.ones(len(X))]
    slopes = (-y * (y * (Z @ theta) <= 1))[:, None] * Z
    mean = np.ones(len(y)) @ slopes / len(y)
    return [slopes.astype(np.float32), mean, (np.linalg.norm(slopes) ** 2 / len(y) - mean @ mean) / b]


def fan_trace(X, y, theta, b):
    f = X @ theta[:-1] + theta[-1]
    pull = np.where(y * f > 1, 0, -y)
    slopes = np.column_stack([pull[:, None] * X, pull])
    return slopes, slopes.sum(axis=0) / len(slopes), np.var(slopes, axis=0).sum() / b


def sgd_loop(X, y, examples, eta0):
    w, b, thetas = [0.0] * X.shape[1], 0.0, []
    thetas.append([*w, b])
    for k in range(len(examples)):
        x, label = X[examples[k]], y[examples[k]]
        if label * (sum(p * q for p, q in zip(w, x, strict=True)) + b) <= 1:
            w = [p + eta0 / (k + 1) * label * q for p, q in zip(w, x, strict=True)]
            b += eta0 / (k + 1) * label
        thetas.append([*w, b])
    risks, best = [], 0
    for k, theta in enumerate(thetas):
        f = [sum(p * q for p, q in zip(theta, x, strict=False)) + theta[-1] for x in X]
        risks.append(sum(max(0, 1 - label * s) for label, s in zip(y, f, strict=True)) / len(y))
        best = k if risks[k] < risks[best] else best
    return thetas, risks, best


def sgd_folded(X, y, examples, eta0):
    Z = np.c_[X, np.ones(len(X))] * y[:, None]
    thetas = np.zeros((len(examples) + 1, Z.shape[1]))
    for k, z in enumerate(Z[examples]):
        thetas[k + 1] = thetas[k] + (thetas[k] @ z <= 1) * eta0 / (k + 1) * z
    risks = np.clip(1 - thetas @ Z.T, 0, None).mean(axis=1)
    return [thetas, risks, np.int64(risks.argmin())]


def sgd_running(X, y, examples, eta0):
    theta = np.zeros(X.shape[1] + 1)
    best, lowest, history, risks = 0, 1.0, [theta.copy()], [1.0]
    for k, i in enumerate(examples, start=1):
        x = np.append(X[i], 1)
        if not y[i] * np.dot(theta, x) > 1:
            theta += eta0 / k * y[i] * x
        history.append(theta.copy())
        f = X @ theta[:-1] + theta[-1]
        risks.append(np.where(y * f < 1, 1 - y * f, 0).sum() / len(y))
        if risks[-1] < lowest:
            best, lowest = k, risks[-1]
    return history, risks, float(best)


def sizes_loop(eta0, power, steps):
    rates = [eta0 / k**power for k in range(1, steps + 1)]
    return rates, sum(rates), sum(r * r for r in rates), 3 if power <= 0.5 else 1 if power <= 1 else 2


def sizes_exp(eta0, power, steps):
    rates = eta0 * np.exp(-power * np.log1p(np.arange(steps, dtype=np.float32)))
    arrives, settles = power <= 1, power > 0.5
    return [rates, np.float32(rates.sum()), rates @ rates, 1 if arrives and settles else 2 if settles else 3]


def sizes_power(eta0, power, steps):
    rates = eta0 * np.linspace(1, steps, steps) ** -power
    verdict = np.select([power > 1, power > 0.5], [2, 1], 3)
    return tuple(rates), np.cumsum(rates)[-1], np.linalg.norm(rates) ** 2, verdict


def nearer_directly(theta, x, y, eta, star):
    g = np.array([*(-y * x), -y])
    after = theta - eta * g
    change = np.linalg.norm(after - star) ** 2 - np.linalg.norm(theta - star) ** 2
    along = np.dot(theta - star, g) / np.dot(g, g)

    def loss(t):
        return max(0, 1 - y * (x @ t[:-1] + t[-1]))

    return change, along if along > 0 else 0, max(0, loss(theta) - loss(star)) / (0.5 * g @ g)


def nearer_loops(theta, x, y, eta, star):
    v = [*x, 1]
    before = sum((t - s) ** 2 for t, s in zip(theta, star, strict=True))
    after = sum((t + eta * y * a - s) ** 2 for t, a, s in zip(theta, v, star, strict=True))
    length = sum(a * a for a in v)
    z, there = (y * sum(t * a for t, a in zip(p, v, strict=True)) for p in (theta, star))
    gain = (1 - z) - (1 - there if there < 1 else 0)
    return [after - before, (there - z) / length * (there > z), 2 * gain / length if gain > 0 else 0.0]


def nearer_parabola(theta, x, y, eta, star):
    g = -y * np.hstack([x, 1])
    a, b = g @ g, -2 * g @ (theta - star)
    losses = np.clip(1 - y * np.array([theta, star]) @ np.hstack([x, 1]), 0, None)
    return np.append(a * eta**2 + b * eta, np.clip([-b / (2 * a), 2 * (losses[0] - losses[1]) / a], 0, None))


def epochs_loop(X, y, orders, b, eta0):
    w, offset, k = np.zeros(X.shape[1]), 0.0, 0
    for order in orders:
        rows = list(order)
        while rows:
            batch, rows = rows[:b], rows[b:]
            dw, db = 0 * w, 0.0
            for i in batch:
                if y[i] * (w @ X[i] + offset) <= 1:
                    dw, db = dw + y[i] * X[i], db + y[i]
            k += 1
            w, offset = w + eta0 / k * dw / len(batch), offset + eta0 / k * db / len(batch)
    return [*w, offset]


def epochs_split(X, y, orders, b, eta0):
    theta, batches = np.zeros(X.shape[1] + 1), []
    for order in orders:
        batches += np.split(order, range(b, len(order), b))
    for k, batch in enumerate(batches):
        Z, labels = np.c_[X[batch], np.ones(len(batch))], y[batch]
        slope = np.mean(np.where(labels * (Z @ theta) > 1, 0, -labels)[:, None] * Z, axis=0)
        theta = theta - eta0 / (1 + k) * slope
    return theta


def epochs_shuffled(X, y, orders, b, eta0):
    theta, k = np.zeros(X.shape[1] + 1), 1
    for order in orders:
        A, labels = X[order], y[order]
        for i in range(0, len(y), b):
            Z = labels[i : i + b, None] * np.c_[A[i : i + b], np.ones(len(A[i : i + b]))]
            theta += eta0 / k * np.mean((Z @ theta <= 1)[:, None] * Z, axis=0)
            k += 1
    return tuple(theta)


def average_loop(thetas, X, y):
    mean = [sum(theta[j] for theta in thetas) / len(thetas) for j in range(thetas.shape[1])]

    def risk(theta):
        losses = [max(0, 1 - label * (x @ theta[:-1] + theta[-1])) for x, label in zip(X, y, strict=True)]
        return sum(losses) / len(losses)

    return mean, risk(np.array(mean)), sum(map(risk, thetas)) / len(thetas)


def average_stack(thetas, X, y):
    mean = np.ones(len(thetas)) @ thetas / len(thetas)
    Z = y[:, None] * np.c_[X, np.ones(len(X))]
    losses = np.maximum(0, 1 - np.vstack([thetas, mean]) @ Z.T)
    return [mean.astype(np.float32), losses[-1].mean(), losses[:-1].mean()]


def average_running(thetas, X, y):
    mean, total = 0 * thetas[0], 0.0
    for s, theta in enumerate(thetas, start=1):
        mean = mean + (theta - mean) / s
        z = y * (X.dot(theta[:-1]) + theta[-1])
        total += np.sum((1 - z)[z < 1]) / len(y)
    z = y * (X.dot(mean[:-1]) + mean[-1])
    return tuple(mean), np.float32(np.sum((1 - z)[z < 1]) / len(y)), total / s


def order_loop(X, y, eta, passes):
    found, highest = None, -1.0
    for order in itertools.permutations(range(len(y))):
        w, b = np.zeros(X.shape[1]), 0.0
        for i in order * passes:
            if y[i] * (w @ X[i] + b) <= 1:
                w, b = w + eta * y[i] * X[i], b + eta * y[i]
        risk = sum(max(0, 1 - label * (w @ x + b)) for x, label in zip(X, y, strict=True)) / len(y)
        if risk > highest:
            found, highest = order, risk
    return found, highest


def order_arrays(X, y, eta, passes):
    Z = y[:, None] * np.c_[X, np.ones(len(X))]
    orders = np.array(list(itertools.permutations(range(len(y)))))
    thetas = np.zeros((len(orders), Z.shape[1]))
    for rows in np.concatenate([orders] * passes, axis=1).T:
        thetas += eta * ((thetas * Z[rows]).sum(axis=1) <= 1)[:, None] * Z[rows]
    risks = np.clip(1 - thetas @ Z.T, 0, None).mean(axis=1)
    return [orders[risks.argmax()], risks.max()]


def order_recursive(X, y, eta, passes):
    def orders(rest):
        return [[]] if not rest else [[i, *o] for i in rest for o in orders([j for j in rest if j != i])]

    def run(order):
        theta = np.zeros(X.shape[1] + 1)
        for k in range(passes * len(order)):
            i = order[k % len(order)]
            point = np.append(X[i], 1)
            if not y[i] * (theta @ point) > 1:
                theta = theta + eta * y[i] * point
        return float(np.mean(np.maximum(0, 1 - y * (X @ theta[:-1] + theta[-1]))))

    risk, worst = max((run(order), order) for order in orders(list(range(len(y)))))
    return np.array(worst, dtype=float), risk


def one_pass_constant(X, y):
    """A small constant step, and the mean of all thetas."""
    mean, spread = X.mean(axis=0), X.std(axis=0)
    Z = y[:, None] * np.c_[(X - mean) / spread, np.ones(len(X))]
    theta, total = np.zeros(9), np.zeros(9)
    for i in np.random.default_rng(7).permutation(len(Z)):
        theta = theta + 0.1 * (Z[i] @ theta <= 1) * Z[i]
        total += theta
    w = total[:-1] / len(Z) / spread
    return [*w, total[-1] / len(Z) - w @ mean]


def one_pass_alternating(X, y):
    """One mail of each class in turn, no chance needed; the logistic loss."""
    mean, spread = X.mean(axis=0), X.std(axis=0)
    Z = y[:, None] * np.c_[(X - mean) / spread, np.ones(len(X))]
    theta = np.zeros(9)
    pairs = zip(np.flatnonzero(y > 0), np.flatnonzero(y < 0), strict=True)
    for k, i in enumerate(itertools.chain.from_iterable(pairs)):
        theta = theta + 1 / np.sqrt(k + 1) / (1 + np.exp(Z[i] @ theta)) * Z[i]
    w = theta[:-1] / spread
    return np.append(w, theta[-1] - w @ mean)


def one_pass_constant_last(X, y):
    theta, mean, spread = np.zeros(9), X.mean(axis=0), X.std(axis=0)
    for i in np.random.default_rng(3).permutation(len(X)):
        point = np.append((X[i] - mean) / spread, 1)
        if y[i] * (theta @ point) <= 1:
            theta = theta + 0.03 * y[i] * point
    w = theta[:-1] / spread
    return (*w, theta[-1] - w @ mean)


VARIANTS = {
    "fan": (fan_loop, fan_steiner, fan_trace),
    "sgd": (sgd_loop, sgd_folded, sgd_running),
    "step_sizes": (sizes_loop, sizes_exp, sizes_power),
    "nearer": (nearer_directly, nearer_loops, nearer_parabola),
    "epochs": (epochs_loop, epochs_split, epochs_shuffled),
    "average": (average_loop, average_stack, average_running),
    "bad_order": (order_loop, order_arrays, order_recursive),
    "one_pass": (one_pass_constant, one_pass_alternating, one_pass_constant_last),
}

FAN = (
    "def f(X, y, theta, b):\n    Z = np.c_[X, np.ones(len(X))]; z = y * (Z @ theta)\n"
    "    s = (-y * (z <= 1))[:, None] * Z; m = s.mean(0)\n    v = ((s - m) ** 2).sum(1).mean()\n    return s, m, v / b"
)
SIZES = (
    "def f(eta0, power, steps):\n    k = np.arange(steps)\n    r = eta0 / (k + 1) ** power\n"
    "    return r, r.sum(), (r ** 2).sum(), 2 if power > 1 else 1 if power > 0.5 else 3"
)
RUN = (
    "def f(X, y, examples, eta0):\n"
    "    R = lambda t: np.mean(np.maximum(0, 1 - y * (X @ t[:-1] + t[-1])))\n"
    "    t = np.zeros(X.shape[1] + 1); T = [t]\n    for k, i in enumerate(examples):\n"
)
END = "        T.append(t)\n    r = [R(t) for t in T]\n"
NEAR = (
    "def f(theta, x, y, eta, star):\n    v = np.append(x, 1); g = -y * v; a = g @ (theta - star)\n"
    "    L = lambda t: max(0, 1 - y * (t @ v))\n    return eta ** 2 * (g @ g) - 2 * eta * a, max(0, a / (g @ g)), "
    "max(0, 2 * (L(theta) - L(star)) / (g @ g))"
)
COLLEAGUE = (
    "def f(X, y, orders, b, eta0):\n    theta = np.zeros(X.shape[1] + 1)\n    for order in orders:\n"
    "        rows = X[order]\n        for k, start in enumerate(range(0, len(rows), b)):\n"
    "            batch, labels = rows[start : start + b], y[start : start + b]\n"
    "            Z = labels[:, None] * np.column_stack([batch, np.ones(len(batch))])\n"
    "            pulls = Z @ theta <= 0\n"
    "            theta = theta + eta0 / (k + 1) * Z[pulls].sum(axis=0) / b\n    return theta"
)
LABELS = "y[start : start + b]", "y[order[start : start + b]]"
BENT = "theta <= 0", "theta <= 1"
COUNT = (
    "    for order in orders", "    k = -1\n    for order in orders",
    "for k, start in enumerate(range(0, len(rows), b)):", "for start in range(0, len(rows), b):\n            k += 1",
)
SHARE = "/ b", "/ len(batch)"
RISK = "def f(thetas, X, y):\n    R = lambda t: np.mean(np.maximum(0, 1 - y * (X @ t[:-1] + t[-1])))\n"

ORDER = (
    "import itertools\ndef f(X, y, eta, passes):\n    Z = y[:, None] * np.c_[X, np.ones(len(X))]\n    def R(o):\n"
    "        t = np.zeros(Z.shape[1])\n        for _ in range(passes):\n            for i in o:\n"
    "                if Z[i] @ t <= 1: t = t + eta * Z[i]\n        return np.maximum(0, 1 - Z @ t).mean()\n"
    "    o = max(itertools.permutations(range(len(y))), key=R)\n    return o, R(o)"
)
PASS = (
    "def f(X, y):\n    m, s = X.mean(0), X.std(0)\n    Z = y[:, None] * np.c_[(X - m) / s, np.ones(len(X))]\n"
    "    t = np.zeros(9)\n    for k, i in enumerate(np.random.default_rng(0).permutation(len(Z))):\n"
    "        if Z[i] @ t <= 1: t = t + 0.5 / np.sqrt(k + 1) * Z[i]\n    w = t[:-1] / s\n"
    "    return np.append(w, t[-1] - w @ m)"
)

WRONG = [
    ("fan", FAN, "z <= 1", "z < 1", "kink"),
    ("fan", FAN, "z <= 1", "z <= 0", "as in the perceptron"),
    ("fan", FAN, "-y *", "y *", "point down"),
    ("fan", FAN, "s.mean(0)", "s.sum(0)", "`mean` is a sum"),
    ("fan", FAN, "s.mean(0)", "s.mean()", "axis=0"),
    ("fan", FAN, "v / b", "v", "single example"),
    ("fan", FAN, "v / b", "v / b**2", "b squared"),
    ("fan", FAN, "v / b", "v / np.sqrt(b)", "root of b"),
    ("fan", FAN, "((s - m) ** 2).sum(1).mean()", "((s - m) ** 2).mean()", "mean over the entries"),
    ("fan", FAN, "((s - m) ** 2).sum(1).mean()", "np.var(s, axis=0, ddof=1).sum()", "divides by n - 1"),
    ("fan", FAN, "(s - m) ** 2", "s ** 2", "measures from 0"),
    ("fan", FAN, "return s, m, v / b", "return m, s, v / b", "another order, mean, slopes"),
    ("step_sizes", SIZES, "eta0 / (k + 1) ** power", "eta0 / (k + 1) * power", "multiply by the power"),
    ("step_sizes", SIZES, "eta0 / (k + 1) ** power", "(eta0 / (k + 1)) ** power", "outside the power"),
    ("step_sizes", SIZES, "eta0 / (k + 1) ** power", "eta0 * (k + 1) ** -power", "negative power of whole numbers"),
    ("step_sizes", SIZES, "k + 1", "k + 2", "first step is eta0"),
    ("step_sizes", SIZES, "(k + 1)", "k", "divides by 0"),
    ("step_sizes", SIZES, "(r ** 2).sum()", "r ** 2", "the sum is asked for"),
    ("step_sizes", SIZES, "(r ** 2).sum()", "r.sum() ** 2", "squares the sum"),
    ("step_sizes", SIZES, "power > 1", "power >= 1", "grows without end"),
    ("step_sizes", SIZES, "power > 0.5", "power >= 0.5", "with power 1/2"),
    ("step_sizes", SIZES, "2 if power > 1 else 1", "1", "powers above 1 pass"),
    ("step_sizes", SIZES, ", 2 if power > 1 else 1 if power > 0.5 else 3", "", "4 things are asked for"),
    ("sgd", RUN + "        if y[i] * (t[:-1] @ X[i] + t[-1]) <= 1: t = t + eta0 / (k + 1) * y[i] * np.append(X[i], 1)\n"
     + END + "    return T, r, 1 + np.argmin(r[1:])", "start counts too"),
    ("sgd", RUN + "        if y[i] * (t[:-1] @ X[i] + t[-1]) < 1: t = t + eta0 / (k + 1) * y[i] * np.append(X[i], 1)\n"
     + END + "    return T, r, np.argmin(r)", "kink"),
    ("sgd", RUN + "        if y[i] * (t[:-1] @ X[i] + t[-1]) <= 1: t = t + eta0 / (k + 2) * y[i] * np.append(X[i], 1)\n"
     + END + "    return T, r, np.argmin(r)", "k counts from 0"),
    ("sgd", RUN + "        if y[i] * (t[:-1] @ X[i] + t[-1]) <= 1: t = t + eta0 * y[i] * np.append(X[i], 1)\n"
     + END + "    return T, r, 0", "does not shrink"),
    ("sgd", RUN + "        if y[i] * (t[:-1] @ X[i] + t[-1]) <= 1: t += eta0 / (k + 1) * y[i] * np.append(X[i], 1)\n"
     + END + "    return T, r, np.argmin(r)", "same array"),
    ("sgd", RUN + "        if y[i] * (t[:-1] @ X[i] + t[-1]) <= 1:\n"
     "            t = t + eta0 / (k + 1) * y[i] * np.append(X[i], 1)\n            T.append(t)\n"
     "    r = [R(t) for t in T]\n    return T, r, np.argmin(r)", "silent visits have a row"),
    ("sgd", RUN + "        if y[i] * (t[:-1] @ X[i] + t[-1]) <= 0: t = t + y[i] * np.append(X[i], 1)\n"
     + END + "    return T, r, np.argmin(r)", "that is the perceptron"),
    ("sgd", RUN + "        if y[i] * (t[:-1] @ X[i] + t[-1]) < 0: t = t + eta0 / (k + 1) * y[i] * np.append(X[i], 1)\n"
     + END + "    return T, r, np.argmin(r)", "never moves"),
    ("sgd", RUN + "        eta0 /= k + 1\n        if y[i] * (t[:-1] @ X[i] + t[-1]) <= 1: t = t + eta0 * y[i] * "
     "np.append(X[i], 1)\n" + END + "    return T, r, np.argmin(r)", "divides the one before"),
    ("sgd", RUN + "        if y[i] * (t[:-1] @ X[i] + t[-1]) <= 1: t = t + eta0 / (k + 1) * y[i] * np.append(X[i], 1)\n"
     + END + "    return T, r, T[np.argmin(r)]", "theta itself"),
    ("sgd", RUN + "        if y[i] * (t[:-1] @ X[i] + t[-1]) <= 1: t = t + eta0 / (k + 1) * y[i] * np.append(X[i], 1)\n"
     + END + "    return T, np.minimum.accumulate(r), np.argmin(r)", "best so far"),
    ("sgd", RUN + "        if y[i] * (t[:-1] @ X[i] + t[-1]) <= 1: t = t + eta0 / (k + 1) * y[i] * np.append(X[i], 1)\n"
     + END + "    return t", "3 things are asked for"),
    ("sgd", "import coursekit as ck\ndef f(X, y, examples, eta0):\n    p = ck.sgd(ck.Objective(X, y),"
     " ck.steps.decaying(eta0), len(examples), order=examples)\n    return p.thetas, p.values, p.best",
     "must be your own"),
    ("nearer", NEAR, "eta ** 2 * (g @ g) - 2 * eta * a", "-2 * eta * a", "lacks the last term"),
    ("nearer", NEAR, "- 2 * eta * a", "- eta * a", "2 of the square of a sum"),
    ("nearer", NEAR, "- 2 * eta * a", "+ 2 * eta * a", "uphill"),
    ("nearer", NEAR, "eta ** 2 * (g @ g) - 2 * eta * a", "np.linalg.norm(theta - eta * g - star) - "
     "np.linalg.norm(theta - star)", "that of the distance"),
    ("nearer", NEAR, "g = -y * v", "g = y * v", "points down"),
    ("nearer", NEAR, "max(0, a / (g @ g))", "a / (g @ g)", "`best` is negative"),
    ("nearer", NEAR, "max(0, a / (g @ g))", "max(0, 2 * a / (g @ g))", "halfway"),
    ("nearer", NEAR, "2 * (L(theta)", "(L(theta)", "`promised` lacks the 2"),
    ("nearer", NEAR, "max(0, 2 * (L(theta) - L(star)) / (g @ g))", "2 * (L(theta) - L(star)) / (g @ g)",
     "`promised` is negative"),
    ("nearer", NEAR, "(L(theta) - L(star))", "L(theta)", "loss at star for 0"),
    ("nearer", NEAR, "2 * (L(theta) - L(star))", "2 * a", "the two losses alone"),
    ("epochs", COLLEAGUE, "labels stay behind"),
    ("epochs", COLLEAGUE, *LABELS, "as in the perceptron"),
    ("epochs", COLLEAGUE, *LABELS, *BENT, "begins again with every epoch"),
    ("epochs", COLLEAGUE, *LABELS, *BENT, *COUNT, "last batch is divided by b"),
    ("epochs", COLLEAGUE, *LABELS, *BENT, *SHARE, "begins again"),
    ("epochs", COLLEAGUE, *LABELS, *COUNT, *SHARE, "as in the perceptron"),
    ("epochs", COLLEAGUE, *BENT, *COUNT, *SHARE, "labels stay behind"),
    ("epochs", COLLEAGUE, *BENT, *COUNT, *SHARE, "rows = X[order]", "rows = X = X[order]; y = y[order]",
     "shuffled already"),
    ("epochs", COLLEAGUE, *LABELS, *BENT, *COUNT, *SHARE, "theta <= 1", "theta < 1", "kink"),
    ("epochs", COLLEAGUE, *LABELS, *BENT, *COUNT, "/ b", "", "add up the gradients"),
    ("epochs", COLLEAGUE, *LABELS, *BENT, *COUNT, *SHARE, "k = -1", "k = 0", "first step is eta0 / 2"),
    ("average", RISK + "    m = thetas.mean(0); a = np.mean([R(t) for t in thetas])\n    return m, a, a",
     "mean of the workers' risks"),
    ("average", RISK + "    m = thetas.mean(1)\n    return m, 0, 0", "axis=0"),
    ("average", RISK + "    m = thetas.sum(0)\n    return m, R(m), 0", "divide by their number"),
    ("average", RISK + "    m = thetas.mean(0)\n    return m, R(m), min(R(t) for t in thetas)", "lowest"),
    ("average", RISK + "    m = thetas.mean(0)\n    return m, np.mean([R(t) for t in thetas]), R(m)", "another order"),
    ("average", RISK + "    m = thetas.mean(0)\n    return m, R(m), [R(t) for t in thetas]", "the mean is asked for"),
    ("average", RISK.replace("np.maximum(0, 1 - y * (X @ t[:-1] + t[-1]))", "1 - y * (X @ t[:-1] + t[-1])")
     + "    m = thetas.mean(0)\n    return m, max(0, R(m)), np.mean([max(0, R(t)) for t in thetas])",
     "max of the mean"),
    ("bad_order", ORDER, "max(itertools", "min(itertools", "lowest risk"),
    ("bad_order", ORDER, "Z[i] @ t <= 1", "Z[i] @ t <= 0", "is the perceptron"),
    ("bad_order", ORDER, "eta * Z[i]", "Z[i]", "no size"),
    ("bad_order", ORDER, "range(passes)", "range(1)", "after one pass"),
    ("bad_order", ORDER, ".mean()", ".sum()", "is a sum"),
    ("bad_order", ORDER, "np.maximum(0, 1 - Z @ t).mean()", "np.mean(Z @ t <= 0)", "training errors"),
    ("bad_order", ORDER, "return o, R(o)", "return R(o), o", "another order"),
    ("bad_order", ORDER, "return o, R(o)", "return [i + 1 for i in o], R(o)", "begins at 1"),
    ("bad_order", ORDER, "max(itertools.permutations(range(len(y))), key=R)",
     "sorted(range(len(y)), key=lambda i: y[i])", "sorted by class"),
    ("one_pass", PASS, "np.random.default_rng(0).permutation(len(Z))", "range(len(Z))", "0.5 / np.sqrt(k + 1)",
     "1 / (k + 1)", "at most 18%"),
    ("one_pass", PASS, "np.random.default_rng(0).permutation(len(Z))", "range(len(Z))", "see both classes"),
    ("one_pass", PASS, "np.random.default_rng(0).permutation(len(Z))", "range(len(Z))", "0.5 / np.sqrt(k + 1)", "0.1",
     "see both classes"),
    ("one_pass", PASS, "    w = t[:-1] / s\n    return np.append(w, t[-1] - w @ m)", "    return t", "raw units"),
    ("one_pass", PASS, "t[-1] - w @ m", "t[-1]", "offset"),
    ("one_pass", PASS, "t[-1] - w @ m", "t[-1] + w @ m", "moved the other way"),
    ("one_pass", PASS, "t[:-1] / s", "t[:-1] * s", "divided by the spread"),
    ("one_pass", PASS, "(X - m) / s", "((X - m) / s)[np.random.default_rng(1).permutation(len(X))]", "by chance"),
    ("one_pass", PASS, "return np.append(w, t[-1] - w @ m)", "return w", "offset is missing"),
    ("one_pass", PASS, "return np.append", "return -np.append", "opposite sign"),
    ("one_pass", PASS, "X.mean(0), X.std(0)", "0 * X[0], 1 + 0 * X[0]", "standardise before"),
    ("one_pass", "def f(X, y):\n    return np.zeros(9)", "theta is 0"),
    ("fan", FAN, "s = (-y * (z <= 1))[:, None] * Z", "s = (-y[:, None] * Z)[z <= 1]", "silent examples out"),
    ("step_sizes", SIZES, "1 if power > 0.5 else 3", "1 if power == 1 else 3", "1/(k + 1) alone"),
    ("step_sizes", SIZES, "1 if power > 0.5 else 3", "3 if power == 0 else 1", "constant step alone"),
    ("nearer", NEAR, "max(0, 1 - y * (t @ v))", "1 - y * (t @ v)", "each max(0, 1 - z)"),
    ("epochs", COLLEAGUE, *LABELS, *BENT, *SHARE, "Z[pulls].sum(axis=0) / len(batch)",
     "Z[pulls].sum(axis=0) / max(1, sum(pulls))", "begins again"),
    ("epochs", COLLEAGUE, *LABELS, *BENT, *SHARE, "for order in orders", "for j, order in enumerate(orders)",
     "(k + 1)", "(j * (len(rows) // b) + k + 1)", "smaller batch"),
    ("bad_order", ORDER, "for _ in range(passes)", "for j in range(passes)", "for i in o", "for k, i in enumerate(o)",
     "eta * Z", "eta / (j * len(o) + k + 1) * Z", "steps shrink"),
]


@pytest.mark.parametrize("seed", SEEDS)
def test_right_answers_agree_with_coursekit(seed):
    drawn = tasks(CHAPTER, seed)

    def cases(name):
        return [(*case, COURSE[CHAPTER].space[name](*case)) for case in drawn[name].cases]

    for X, y, theta, _, (slopes, mean, _) in cases("fan"):
        single = [ck.Objective(X, y).slope_at(theta, [i]) for i in range(len(y))]
        np.testing.assert_allclose(slopes, single, atol=1e-12)
        np.testing.assert_allclose(mean, ck.Objective(X, y).slope(theta), atol=1e-12)
    for eta0, power, steps, (rates, _, _, verdict) in cases("step_sizes"):
        assert (verdict == 1) == (0.5 < power <= 1)
        if verdict == 1:
            np.testing.assert_allclose(rates, ck.steps.robbins_monro(eta0, power).rates(steps))
    for X, y, examples, eta0, (thetas, risks, best) in cases("sgd"):
        path = ck.sgd(ck.Objective(X, y), ck.steps.decaying(eta0), len(examples), order=examples)
        np.testing.assert_allclose(thetas, path.thetas)
        np.testing.assert_allclose(risks, path.values, atol=1e-12)
        assert best == path.best
    for thetas, X, y, (_, together, alone) in cases("average"):
        risk = ck.Objective(X, y)
        assert together == pytest.approx(risk.value(thetas.mean(axis=0)))
        assert alone == pytest.approx(risk.value(thetas).mean())
    for X, y, eta, passes, (order, risk) in cases("bad_order"):
        path = ck.sgd(ck.Objective(X, y), ck.steps.constant(eta), passes * len(y), order=np.tile(order, passes))
        assert risk == pytest.approx(path.values[-1])


@pytest.mark.parametrize("seed", SEEDS)
def test_the_noise_is_that_of_all_draws(seed):
    for X, y, theta, b in tasks(CHAPTER, seed)["fan"].cases:
        if len(y) ** b < 3000:
            slopes, mean, noise = COURSE[CHAPTER].space["fan"](X, y, theta, b)
            draws = [slopes[list(rows)].mean(axis=0) for rows in itertools.product(range(len(y)), repeat=b)]
            np.testing.assert_allclose(np.mean(draws, axis=0), mean, atol=1e-12)
            assert np.mean(np.sum((draws - mean) ** 2, axis=1)) == pytest.approx(noise)


@pytest.mark.parametrize("seed", SEEDS)
def test_promised_steps_come_nearer_and_the_best_comes_nearest(seed):
    for theta, x, y, eta, star in tasks(CHAPTER, seed)["nearer"].cases:
        change, best, promised = COURSE[CHAPTER].space["nearer"](theta, x, y, eta, star)
        g = ck.Objective([x], [y]).slope(theta)
        far = [np.sum((theta - e * g - star) ** 2) for e in (0, eta, best, *np.linspace(0, 3, 1000))]
        assert far[1] - far[0] == pytest.approx(change)
        assert far[2] <= min(far) + 1e-12
        for e in promised * np.array([0.1, 0.5, 0.99]):
            assert np.sum((theta - e * g - star) ** 2) < far[0] or promised == 0


@pytest.mark.parametrize("seed", SEEDS)
def test_mini_batches_of_one_are_stochastic_descent_and_whole_ones_are_batch_descent(seed):
    solved = COURSE[CHAPTER].space
    for X, y, orders, _, eta0 in tasks(CHAPTER, seed)["epochs"].cases:
        alone = solved["epochs"](X, y, orders, 1, eta0)
        np.testing.assert_allclose(alone, solved["sgd"](X, y, orders.ravel(), eta0)[0][-1])
        path = ck.gradient_descent(ck.Objective(X, y), ck.steps.decaying(eta0), len(orders))
        if len(path.thetas) > len(orders):
            np.testing.assert_allclose(solved["epochs"](X, y, orders, len(y), eta0), path.thetas[-1], atol=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
def test_cases_hold_what_the_text_promises(seed):
    drawn = tasks(CHAPTER, seed)
    assert {verdict for *_, verdict in drawn["step_sizes"].right} == {1, 2, 3}
    changes, best, promised = map(np.array, zip(*drawn["nearer"].right, strict=True))
    assert min(changes) < 0 < max(changes)
    assert min(best) == min(promised) == 0
    assert any(len(y) % b for _, y, _, b, _ in drawn["epochs"].cases)
    for (X, y), (new, _) in zip(drawn["one_pass"].cases, drawn["one_pass"].right, strict=True):
        assert X.shape == (300, 8)
        assert np.sum(np.diff(y) != 0) == 1
        assert new.shape == (200, 8)
