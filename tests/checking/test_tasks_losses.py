"""Exercise 3: right answers in other spellings, wrong ones in the words of a student."""

import math

import numpy as np
import pytest
from scipy.optimize import approx_fprime

import coursekit as ck
from tests.checking.judging import COURSE, SEEDS, tasks


def losses_loop(y, f):
    rows = []
    for v in (y * f).tolist():
        row = [1 if v <= 0 else 0, -v if v < 0 else 0, 1 - v if v < 1 else 0, math.log1p(math.exp(-v)), (v - 1) ** 2]
        rows.append(row)
    return [list(column) for column in zip(*rows, strict=True)]


def losses_float32(y, f):
    z = (y * f).astype(np.float32)
    return (
        (z <= 0).astype(int), np.where(z < 0, -z, 0), (1 - z) * (z < 1), np.logaddexp(0, -z), z * z - 2 * z + 1
    )


def losses_stacked(y, f):
    z = np.where(y > 0, f, -f)
    return np.array([1 - (z > 0), np.clip(-z, 0, None), np.clip(1 - z, 0, None), np.log(1 + np.exp(-z)), (1 - z) ** 2])


def slopes_loop(z):
    out = [[], [], []]
    for v in z:
        out[0].append(2 * v - 2 if v < 1 else 0)
        out[1].append(-1 / math.exp(v))
        out[2].append(-math.exp(-v) / (1 + math.exp(-v)) / math.log(2))
    return out


def slopes_differences(z):
    h = 1e-5
    kinds = lambda z: np.maximum(0, 1 - z) ** 2, lambda z: np.exp(-z), lambda z: np.log2(1 + np.exp(-z))
    return np.array([(loss(z + h) - loss(z - h)) / (2 * h) for loss in kinds])


def slopes_tanh(z):
    return 2 * (z - 1) * (z <= 1), -np.exp(-z), (np.tanh(z / 2) - 1) / (2 * np.log(2))


def bound_loop(X, y, theta):
    wrong, total = 0, 0.0
    for x, label in zip(X, y, strict=True):
        z = label * sum(a * b for a, b in zip(x, theta, strict=True))
        wrong += z <= 0
        total += max(0, 1 - z)
    return [wrong, total, math.floor(total)]


def bound_array(X, y, theta):
    z = (X @ theta) * y
    pays = z < 1
    total = np.count_nonzero(pays) - z[pays].sum()
    return np.array([np.count_nonzero(np.sign(X @ theta) != y), total, total // 1])


def bound_float32(X, y, theta):
    z = (y[:, None] * X).astype(np.float32) @ theta.astype(np.float32)
    total = np.where(z >= 1, 0, 1 - z).sum()
    return np.int64(len(z) - (z > 0).sum()), np.float32(total), np.trunc(total)


def dip_interp(z, g):
    worst = 0
    for i in range(len(z)):
        for j in range(i + 1, len(z)):
            chord = np.interp(z[i : j + 1], [z[i], z[j]], [g[i], g[j]])
            worst = max(worst, np.max(g[i : j + 1] - chord))
    return worst


def dip_slope(z, g):
    depths = [0.0]
    for i in range(len(z)):
        for j in range(i):
            steep = (g[i] - g[j]) / (z[i] - z[j])
            depths += [g[k] - g[j] - steep * (z[k] - z[j]) for k in range(j, i)]
    return np.float32(max(depths))


def dip_hull(z, g):
    """The deepest place below the curve is on its lower convex hull: the lowest chord over each point."""
    n = len(z)
    lowest = np.array(g, dtype=float)
    for k in range(n):
        for i in range(k):
            for j in range(k + 1, n):
                lowest[k] = min(lowest[k], np.interp(z[k], z[[i, j]], g[[i, j]]))
    return np.max(g - lowest)


def walk_loop(X, y, eta, steps):
    w, b = [0.0] * X.shape[1], 0.0
    for _ in range(steps):
        pull = [0.0] * (X.shape[1] + 1)
        for x, label in zip(X, y, strict=True):
            if label * (sum(a * c for a, c in zip(w, x, strict=True)) + b) <= 1:
                pull = [p + label * v for p, v in zip(pull, [*x, 1.0], strict=True)]
        w = [a + eta * p / len(y) for a, p in zip(w, pull, strict=False)]
        b += eta * pull[-1] / len(y)
    return [*w, b]


def walk_mean(X, y, eta, steps):
    theta = np.zeros(X.shape[1] + 1)
    for _ in range(steps):
        pays = y * (X @ theta[:-1] + theta[-1]) <= 1
        theta += eta * np.append((pays * y) @ X, (pays * y).sum()) / len(y)
    return theta


def walk_filter(X, y, eta, steps):
    Z, theta = np.hstack([X, np.ones((len(X), 1))]), 0
    for _ in range(steps):
        z = y * (Z @ theta) if np.any(theta) else np.zeros(len(y))
        theta = theta - eta * np.mean([-k * row if v <= 1 else 0 * row for k, row, v in zip(y, Z, z, strict=True)], 0)
    return theta


def pull_loop(X, y, theta):
    pulls, agreements = [], []
    for x, label in zip(X, y, strict=True):
        z = label * (x @ theta[:-1] + theta[-1])
        agreements.append(z)
        pulls.append(math.sqrt(1 + sum(v * v for v in x)) if z <= 1 else 0)
    hardest = pulls.index(max(pulls))
    return pulls, hardest, 1 if agreements[hardest] == min(agreements) else 2


def pull_vectors(X, y, theta):
    Z = y[:, None] * np.c_[X, np.ones(len(X))]
    vectors = (Z @ theta <= 1)[:, None] * -Z
    pulls = np.sqrt((vectors**2).sum(axis=1))
    k = pulls.argmax()
    return pulls.astype(np.float32), k, 2 - int((Z @ theta).argmin() == k)


def pull_columns(X, y, theta):
    z = (X @ theta[:-1] + theta[-1]) * y
    pulls = [float(np.hypot(np.linalg.norm(x), 1)) * bool(v <= 1) for x, v in zip(X, z, strict=True)]
    return [pulls, np.argsort(pulls)[-1], 1.0 if np.argmax(pulls) == np.argsort(z)[0] else 2.0]


def defeat_lstsq(x, y):
    for far in range(int(x.max()) + 1, 300):
        Z = np.column_stack([[*x, far], np.ones(len(x) + 1)])
        labels = [*y, 1]
        wrong = sum(Z @ np.linalg.lstsq(Z, labels, rcond=None)[0] * labels <= 0)
        if wrong:
            return far, wrong
    return None


def defeat_covariance(x, y):
    far, wrong = math.floor(x.max()), 0
    while not wrong:
        far += 1
        at, labels = np.append(x, far), np.append(y, 1.0)
        a = np.cov(at, labels)[0, 1] / at.var(ddof=1)
        wrong = np.count_nonzero(np.sign(labels.mean() + a * (at - at.mean())) != labels)
    return [float(far), int(wrong)]


def defeat_normal(x, y):
    far, labels = int(max(x)), np.append(y, 1)
    while True:
        far += 1
        Z = np.vstack([np.append(x, far), np.ones(len(labels))])
        f = np.linalg.solve(Z @ Z.T, Z @ labels) @ Z
        if min(labels * f) <= 0:
            return np.array([far, np.sum(labels * f <= 0)])


def filter_hinge(X, y):
    return walk_mean(X, y, 0.1, 2000)


def filter_squares(X, y):
    Z = np.c_[X, np.ones(len(X))]
    return list(np.linalg.lstsq(Z, y, rcond=None)[0])


def filter_scaled(X, y):
    mean, spread = X.mean(axis=0), np.where(X.std(axis=0) > 0, X.std(axis=0), 1)
    theta = walk_mean((X - mean) / spread, y, 0.3, 500)
    w = theta[:-1] / spread
    return np.append(w, theta[-1] - w @ mean).astype(np.float32)


VARIANTS = {
    "losses": (losses_loop, losses_float32, losses_stacked),
    "slopes": (slopes_loop, slopes_differences, slopes_tanh),
    "error_bound": (bound_loop, bound_array, bound_float32),
    "walk": (walk_loop, walk_mean, walk_filter),
    "hardest_pull": (pull_loop, pull_vectors, pull_columns),
    "defeat": (defeat_lstsq, defeat_covariance, defeat_normal),
    "worst_dip": (dip_interp, dip_slope, dip_hull),
    "mail_filter": (filter_hinge, filter_squares, filter_scaled),
}


FIVE = "def f(y, f):\n    z = y * f\n    return {}, {}, {}, {}, {}"
RIGHT = ["z <= 0", "np.maximum(0, -z)", "np.maximum(0, 1 - z)", "np.log(1 + np.exp(-z))", "(1 - z) ** 2"]
RIGHT[0] = "1.0 * (z <= 0)"


def five(part, expression):
    return FIVE.format(*(expression if k == part else e for k, e in enumerate(RIGHT)))


THREE = ["-2 * np.maximum(0, 1 - z)", "-np.exp(-z)", "-1 / ((1 + np.exp(z)) * np.log(2))"]


def slope(part, expression):
    return f"def f(z):\n    return {', '.join(expression if k == part else e for k, e in enumerate(THREE))}"


WALK = """def f(X, y, eta, steps):
    Z = np.column_stack([X, np.ones(len(X))])
    theta = np.zeros(Z.shape[1])
    for _ in range(steps):
        z = Z @ theta
        slope = np.where(z < 0, -1, 0)
        theta = theta + eta * (slope @ Z)
    return theta"""
PULL = """def f(X, y, theta):
    Z = np.column_stack([X, np.ones(len(X))])
    z = y * (Z @ theta)
    pulls = (z <= 1) * np.linalg.norm(Z, axis=1)
    hardest = pulls.argmax()
    because = 1 if hardest == np.argmin(z) else 2
    return pulls, hardest, because"""
DEFEAT = """def f(x, y):
    far = int(np.max(x)) + 1
    while True:
        X, labels = np.append(x, far), np.append(y, 1)
        slope, offset = np.polyfit(X, labels, 1)
        wrong = np.sum(labels * (slope * X + offset) <= 0)
        if wrong > 0:
            return far, wrong
        far += 1"""
WRONG = [
    ("hardest_pull", "def f(X, y, theta):\n    Z = np.column_stack([X, np.ones(len(X))])\n    z = y * (Z @ theta)\n"
     "    p = np.linalg.norm(Z, axis=1) * (z <= 1)\n    k = p.argmax()\n    return p, k, 1 if z[k] <= 0 else 2",
     "asks whether the example is wrong"),
    ("worst_dip", "def f(z, g):\n    return max(0, -np.diff(g, 2).min()) if len(z) > 2 else 0", "neighbouring steps"),
    ("losses", five(0, "1 * (z < 0)"), "misses z = 0"),
    ("losses", five(0, "z <= 0"), "`zero_one` is True or False"),
    ("losses", five(1, "-np.minimum(0, -z)"), "wrong sign inside"),
    ("losses", five(1, "np.where(z <= 0, 1, 0)"), "by how much"),
    ("losses", five(2, "1 - z"), "max(0, ...) were missing"),
    ("losses", five(2, "max(0, 1 - z)"), "a whole array of them"),
    ("losses", five(2, "np.max([0 * z, 1 - z])"), "np.maximum(a, 0)"),
    ("losses", five(3, "np.log2(1 + np.exp(-z))"), "base 2"),
    ("losses", five(3, "np.log(1 + np.exp(z))"), "wrong sign in the exponent"),
    ("losses", five(4, "(1 - z) ** 2 / 2"), "has a factor 1/2"),
    ("losses", five(4, "(1 + z) ** 2"), "wrong sign inside"),
    ("losses", five(4, "np.mean((1 - z) ** 2)"), "`squared` is one number, the mean"),
    ("losses", "def f(y, f):\n    return np.zeros((5, len(y)))", "`zero_one` came back"),
    ("losses", "import coursekit as ck\ndef f(y, f):\n    return [loss(y * f) for loss in ck.losses.KNOWN.values()]",
     "must be your own"),
    ("losses", "def f(y, f):\n    h = np.maximum(0, 1 - y * f)\n    return h, h, h, h, h", "belongs in `hinge`"),
    ("losses", "def f(y, f):\n    return np.maximum(0, 1 - y * f)", "5 things are asked for"),
    ("losses", FIVE.format(*RIGHT[:2], RIGHT[3], RIGHT[2], RIGHT[4]), "another order, zero_one, perceptron, logistic"),
    ("losses", five(2, "(np.maximum(0, 1 - z)).astype(int)"), "lost its fractions"),
    ("losses", five(2, "np.where(z < 0, 1 - z, 0)"), "`hinge` stops too early"),
    ("error_bound", "def f(X, y, theta):\n    z = y * (X @ theta)\n    t = np.maximum(0, 1 - z).sum()\n"
     "    return len(z <= 0), t, int(t)", "counts all examples"),
    ("error_bound", "def f(X, y, theta):\n    z = y * (X @ theta)\n    t = np.maximum(0, 1 - z).sum()\n"
     "    return sum(z <= 0), t, sum(z <= 0)", "if it is all you know"),
    ("error_bound", "def f(X, y, theta):\n    z = y * (X @ theta[:-1] + theta[-1])\n"
     "    return 0, 0, 0", "the offset"),
    ("error_bound", "def f(X, y, theta):\n    return sum(y * (X @ theta) <= 0)", "only `mistakes` came back"),
    ("error_bound", "def f(X, y, theta):\n    z = y * (X @ theta)\n    t = np.max(0, 1 - z).sum()\n"
     "    return sum(z <= 0), t, int(t)", "in line 3"),
    ("error_bound", "def f(X, y, theta):\n    z = y * (X @ theta)\n    t = np.maximum(0, 1 - z).mean()\n"
     "    return sum(z <= 0), t, int(t * len(z))", "is the mean of the hinge losses"),
    ("error_bound", "def f(X, y, theta):\n    z = y * (X @ theta)\n    t = np.maximum(0, 1 - z).sum()\n"
     "    return sum(z < 0), t, int(t)", "exactly 0"),
    ("error_bound", "def f(X, y, theta):\n    z = y * (X @ theta)\n    t = sum(max(0, 1 - v) for v in z)\n"
     "    return sum(z <= 0), t, round(t)", "nearest"),
    ("error_bound", "def f(X, y, theta):\n    z = y * (X @ theta)\n    t = sum(max(0, 1 - v) for v in z)\n"
     "    return sum(z <= 0), t, t", "whole number"),
    ("error_bound", "def f(X, y, theta):\n    z = X @ theta\n    t = np.maximum(0, 1 - y * z).sum()\n"
     "    return sum(z <= 0), t, int(t)", "labels are missing"),
    ("worst_dip", "def f(z, g):\n    w = 0\n    for k in range(1, len(z) - 1):\n"
     "        w = max(w, g[k] - (g[k - 1] + g[k + 1]) / 2)\n    return w", "in worst_dip("),
    ("worst_dip", "def f(z, g):\n    w = 0\n    for i in range(len(z)):\n        for j in range(i, len(z)):\n"
     "            for k in range(i, j):\n                w = max(w, g[k] - (g[i] + g[j]) / 2 * 1.0 if k > i else 0)\n"
     "    return w", "middle of the chord"),
    ("worst_dip", "def f(z, g):\n    w = -1e9\n    for i in range(len(z)):\n        for j in range(i + 2, len(z)):\n"
     "            for k in range(i + 1, j):\n                t = (z[k] - z[i]) / (z[j] - z[i])\n"
     "                w = max(w, g[k] - g[i] - t * (g[j] - g[i]))\n    return w if len(z) > 2 else 0",
     "negative where it should be 0"),
    ("worst_dip", "def f(z, g):\n    return 0", "came back as 0"),
    ("worst_dip", "def f(z, g):\n    w = 0\n    for k in range(1, len(z) - 1):\n"
     "        t = (z[k + 1] - z[k]) / (z[k + 1] - z[k - 1])\n"
     "        w = max(w, g[k] - t * g[k - 1] - (1 - t) * g[k + 1])\n    return w", "to the next but one"),
    ("worst_dip", "def f(z, g):\n    return max([g[k] - np.interp(z[k], z[[i, j]], g[[i, j]]) for i in range(len(z))\n"
     "                for j in range(i) for k in range(j + 1, i)])", "the smallest, largest or best of nothing"),
    ("losses", FIVE.replace("y * f", "f", 1).format(*RIGHT), "take the score"),
    ("losses", FIVE.replace("y * f", "y * np.sign(f)", 1).format(*RIGHT), "those of the predictions"),
    ("slopes", slope(0, "-2 * (1 - z)"), "goes on beyond z = 1"),
    ("slopes", slope(0, "2 * np.maximum(0, 1 - z)"), "wrong sign"),
    ("slopes", slope(0, "-1.0 * (z <= 1)"), "slope of the hinge itself"),
    ("slopes", slope(0, "np.maximum(0, 1 - z) ** 2"), "loss itself"),
    ("slopes", slope(1, "np.exp(-z)"), "lacks the minus"),
    ("slopes", slope(1, "-np.exp(z)"), "minus in the exponent"),
    ("slopes", slope(2, "-1 / (1 + np.exp(z))"), "natural logarithm"),
    ("slopes", slope(2, "-np.log(2) / (1 + np.exp(z))"), "divide by it"),
    ("slopes", "def f(z):\n    return np.exp(-z)", "3 things are asked for"),
    ("slopes", "def f(z):\n    return -np.exp(-z), -2 * np.maximum(0, 1 - z), -1 / (1 + np.exp(z)) / np.log(2)",
     "another order, exponential, squared_hinge"),
    ("walk", WALK, "never leaves 0"),
    ("walk", WALK, "z < 0", "z <= 1", "+ eta * (slope @ Z)", "- eta * (slope @ Z) / len(Z)",
     "the score: the agreement has the label"),
    ("walk", WALK, "np.column_stack", "y[:, None] * np.column_stack", "z < 0", "z <= 1", "+ eta * (slope @ Z)",
     "- eta * (slope @ Z)", "the sum of all pulls"),
    ("walk", WALK, "np.column_stack", "y[:, None] * np.column_stack", "z < 0", "z <= 1", "(slope @ Z)",
     "(slope @ Z) / len(Z)", "uphill"),
    ("walk", WALK, "np.column_stack", "y[:, None] * np.column_stack", "z < 0", "z <= 0", "+ eta * (slope @ Z)",
     "- eta * (slope @ Z) / len(Z)", "perceptron loss"),
    ("walk", WALK, "np.column_stack", "y[:, None] * np.column_stack", "z < 0", "z < 1", "+ eta * (slope @ Z)",
     "- eta * (slope @ Z) / len(Z)", "at z = 1 exactly"),
    ("walk", WALK, "np.column_stack", "y[:, None] * np.column_stack", "z < 0", "z <= 1", "+ eta * (slope @ Z)",
     "- eta * (slope @ Z) / len(Z)", "    return", "        return", "one step alone"),
    ("hardest_pull", PULL, "np.linalg.norm(Z, axis=1)", "np.linalg.norm(X, axis=1)", "lack the constant"),
    ("hardest_pull", PULL, "(z <= 1)", "np.maximum(0, 1 - z)", "the loss itself"),
    ("hardest_pull", PULL, "(z <= 1)", "(z <= 0)", "only mistakes pull"),
    ("hardest_pull", PULL, "pulls.argmax()", "z.argmin()", "because = 1", "because = 1", "most wrong example"),
    ("hardest_pull", PULL, "y * (Z @ theta)", "Z @ theta", "the score"),
    ("hardest_pull", PULL, "1 if", "2 if", "else 2", "else 1", "wrong way round"),
    ("hardest_pull", PULL, "return pulls, hardest, because", "return pulls", "3 things are asked for"),
    ("defeat", DEFEAT, "np.append(y, 1)", "np.append(y, -1)", "honest mail"),
    ("defeat", DEFEAT, "far += 1", "far += 10", "strides of ten"),
    ("defeat", DEFEAT, "return far, wrong", "return far - 1, wrong", "one too small"),
    ("defeat", DEFEAT, "return far, wrong", "return far", "only `far` came back"),
    ("defeat", DEFEAT, "return far, wrong", "return far, wrong / len(X)", "is a fraction"),
    ("defeat", DEFEAT, "far += 1", "far += 0", "still running"),
    ("mail_filter", "def f(X, y):\n    return [1, 0, 1, 0, 0, 0, 0, 0, -1.7]", "at most 19%"),
    ("mail_filter", "def f(X, y):\n    return np.linalg.lstsq(X, y, rcond=None)[0]", "offset is missing"),
    ("mail_filter", "def f(X, y):\n    return np.linalg.lstsq(np.c_[np.ones(len(X)), X], y, rcond=None)[0]",
     "offset comes first"),
    ("mail_filter", "def f(X, y):\n    return -np.linalg.lstsq(np.c_[X, np.ones(len(X))], y, rcond=None)[0]",
     "opposite sign"),
    ("mail_filter", "def f(X, y):\n    return np.zeros(9)", "your theta is 0"),
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


def test_a_table_that_is_convex_has_no_dip():
    z = np.array([-2.0, -0.5, 0.25, 1.0, 3.0])
    for loss in ck.losses.KNOWN.values():
        assert (COURSE["03-losses"].space["worst_dip"](z, loss(z)) < 1e-12) == loss.convex


@pytest.mark.parametrize("seed", SEEDS)
def test_cases_hold_what_the_text_promises(seed):
    drawn = tasks("03-losses", seed)
    assert {0.0, 1.0} < set(np.concatenate([y * f for y, f in drawn["losses"].cases]))
    totals = [total for _, total, _ in drawn["error_bound"].right]
    assert {np.sign(t % 1 - 0.5) for t in totals if t % 1} == {-1.0, 1.0}
    assert any(t % 1 == 0 for t in totals)
    assert {because for *_, because in drawn["hardest_pull"].right} == {1, 2}
    for x, y in drawn["defeat"].cases:
        assert x[y > 0].min() > x[y < 0].max()
    assert max(far for far, _ in drawn["defeat"].right) < 250
    assert any(len(z) < 3 for z, _ in drawn["worst_dip"].cases)
    for (X, y), (new, _) in zip(drawn["mail_filter"].cases, drawn["mail_filter"].right, strict=True):
        assert X.shape == (120, 8)
        assert y.sum() == 0
        assert new.shape == (240, 8)
