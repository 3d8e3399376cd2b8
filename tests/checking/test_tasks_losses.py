"""Exercise 3: right answers in other spellings, wrong ones in the words of a student."""

import math

import numpy as np
import pytest
from scipy.optimize import approx_fprime

import coursekit as ck
from tests.checking.judging import COURSE, SEEDS, pairs, sentence, tasks


def losses_loop(z):
    rows = []
    for v in z.tolist():
        row = [1 if v <= 0 else 0, -v if v < 0 else 0, 1 - v if v < 1 else 0, math.log1p(math.exp(-v)), (v - 1) ** 2]
        rows.append(row)
    return [list(column) for column in zip(*rows, strict=True)]


def losses_float32(z):
    z = z.astype(np.float32)
    return (
        (z <= 0).astype(int), np.where(z < 0, -z, 0), (1 - z) * (z < 1), np.logaddexp(0, -z), z * z - 2 * z + 1
    )


def losses_stacked(z):
    return np.array([1 - (z > 0), np.clip(-z, 0, None), np.clip(1 - z, 0, None), np.log(1 + np.exp(-z)), (1 - z) ** 2])


def slopes_loop(z):
    out = [[], [], [], []]
    for v in z:
        out[0].append(-1 if v <= 0 else 0)
        out[1].append(-1 if v <= 1 else 0)
        out[2].append(-math.exp(-v) / (1 + math.exp(-v)))
        out[3].append(2 * v - 2)
    return out


def slopes_arrays(z):
    sigmoid = 1 / (1 + np.exp(-z))
    return np.array([-(z <= 0).astype(float), -(z <= 1).astype(float), sigmoid - 1, -2 * (1 - z)])


def slopes_tanh(z):
    return -1 * (z <= 0), -1 * (z <= 1), (np.tanh(z / 2) - 1) / 2, 2 * (z - 1).astype(np.float32)


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


def fit_lstsq(X, y):
    Z = np.c_[X, np.ones(len(X))]
    theta = np.linalg.lstsq(Z, y, rcond=None)[0]
    return list(theta), sum(1 for z, label in zip(Z, y, strict=True) if label * (z @ theta) <= 0)


def fit_centred(X, y):
    middle, mean = X.mean(axis=0), y.mean()
    w = np.linalg.pinv(X - middle) @ (y - mean)
    b = mean - w @ middle
    return np.append(w, b).astype(np.float32), float(np.sum(np.sign(X @ w + b) != y))


def fit_qr(X, y):
    Z = np.hstack([X, np.ones((len(X), 1))])
    Q, R = np.linalg.qr(Z)
    theta = np.linalg.inv(R) @ (Q.T @ y)
    return theta, np.sum(y * (Z @ theta) <= 0)


ROWS = [(4, 0, 0, 0, 9), (-0.2, 1, 0.2, 1.2, 1.44), (0, 1, 0, 1, 1), (1.5, 0, 0, 0, 0.25)]

VARIANTS = {
    "losses": (losses_loop, losses_float32, losses_stacked),
    "slopes": (slopes_loop, slopes_arrays, slopes_tanh),
    "error_bound": (bound_loop, bound_array, bound_float32),
    "worst_dip": (dip_interp, dip_slope, dip_hull),
    "least_squares": (fit_lstsq, fit_centred, fit_qr),
    "loss_table": (
        lambda: (*ROWS, 7, 3), lambda: [*np.array(ROWS, dtype=np.float32), 7.0, 3], lambda: [*map(list, ROWS), 7, 3]
    ),
}


@pytest.mark.parametrize(("name", "answer"), pairs("03-losses", VARIANTS))
def test_right_answers_pass(name, answer):
    assert [sentence(name, answer, seed) for seed in SEEDS] == [""] * len(SEEDS)


FIVE = "def f(z):\n    return {}, {}, {}, {}, {}"
RIGHT = ["z <= 0", "np.maximum(0, -z)", "np.maximum(0, 1 - z)", "np.log(1 + np.exp(-z))", "(1 - z) ** 2"]
RIGHT[0] = "1.0 * (z <= 0)"


def five(part, expression):
    return FIVE.format(*(expression if k == part else e for k, e in enumerate(RIGHT)))


WRONG = [
    ("losses", five(0, "1 * (z < 0)"), "misses z = 0"),
    ("losses", five(0, "z <= 0"), "`zero_one` came back"),
    ("losses", five(1, "-np.minimum(0, -z)"), "wrong sign inside"),
    ("losses", five(1, "np.where(z <= 0, 1, 0)"), "by how much"),
    ("losses", five(2, "1 - z"), "lacks the max"),
    ("losses", five(2, "max(0, 1 - z)"), "a whole array of them"),
    ("losses", five(2, "np.max([0 * z, 1 - z])"), "`hinge` has shape ()"),
    ("losses", five(3, "np.log2(1 + np.exp(-z))"), "base 2"),
    ("losses", five(3, "np.log(1 + np.exp(z))"), "wrong sign in the exponent"),
    ("losses", five(4, "(1 - z) ** 2 / 2"), "has a factor 1/2"),
    ("losses", five(4, "(1 + z) ** 2"), "wrong sign inside"),
    ("losses", five(4, "np.mean((1 - z) ** 2)"), "`squared` has shape ()"),
    ("losses", "def f(z):\n    return np.zeros((5, len(z)))", "`zero_one` came back"),
    ("losses", "import coursekit as ck\ndef f(z):\n    return [loss(z) for loss in ck.losses.KNOWN.values()]",
     "must be your own"),
    ("slopes", "def f(z):\n    return -1.0 * (z < 0), -1.0 * (z < 1), -1 / (1 + np.exp(z)), 2 * (z - 1)",
     "`perceptron` is 0 at its kink"),
    ("slopes", "def f(z):\n    return -1.0 * (z <= 0), -1.0 * (z < 1), -1 / (1 + np.exp(z)), 2 * (z - 1)",
     "`hinge` is 0 at its kink"),
    ("slopes", "def f(z):\n    return -1.0 * (z <= 0), -1.0 * (z <= 1), 1 / (1 + np.exp(z)), 2 * (z - 1)",
     "is positive: the loss falls"),
    ("slopes", "def f(z):\n    return -1.0 * (z <= 0), -1.0 * (z <= 1), -1 / (1 + np.exp(z)), 2 * (1 - z)",
     "wrong sign"),
    ("slopes", "def f(z):\n    return 1.0 * (z <= 0), -1.0 * (z <= 1), -1 / (1 + np.exp(z)), 2 * (1 - z)",
     "`perceptron` has the wrong sign"),
    ("losses", "def f(z):\n    h = np.maximum(0, 1 - z)\n    return h, h, h, h, h", "`zero_one` came back"),
    ("losses", "def f(z):\n    return np.maximum(0, 1 - z)", "5 things are asked for"),
    ("losses", FIVE.format(*RIGHT[:2], RIGHT[3], RIGHT[2], RIGHT[4]), "another order, zero_one, perceptron, logistic"),
    ("losses", five(2, "(np.maximum(0, 1 - z)).astype(int)"), "lost its fractions"),
    ("losses", five(2, "np.where(z < 0, 1 - z, 0)"), "`hinge` came back"),
    ("slopes", "def f(z):\n    p = h = np.zeros(len(z)); p[z <= 0] = -1; h[z <= 1] = -1\n"
     "    return p, h, -1 / (1 + np.exp(z)), 2 * (z - 1)", "one array used for two"),
    ("slopes", "def f(z):\n    s = np.zeros(len(z)); out = []\n"
     "    for v in (-1.0 * (z <= 0), -1.0 * (z <= 1), -1 / (1 + np.exp(z)), 2 * (z - 1)):\n"
     "        s[:] = v; out.append(s)\n    return out", "one array was used for all"),
    ("slopes", "def f(z):\n    return np.maximum(0, -z), -1.0 * (z <= 1), -1 / (1 + np.exp(z)), 2 * (z - 1)",
     "the loss itself"),
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
     "not a negative number"),
    ("worst_dip", "def f(z, g):\n    return 0", "came back as 0"),
    ("worst_dip", "def f(z, g):\n    w = 0\n    for k in range(1, len(z) - 1):\n"
     "        t = (z[k + 1] - z[k]) / (z[k + 1] - z[k - 1])\n"
     "        w = max(w, g[k] - t * g[k - 1] - (1 - t) * g[k + 1])\n    return w", "next but one neighbours"),
    ("worst_dip", "def f(z, g):\n    return max([g[k] - np.interp(z[k], z[[i, j]], g[[i, j]]) for i in range(len(z))\n"
     "                for j in range(i) for k in range(j + 1, i)])", "the smallest, largest or best of nothing"),
    ("least_squares", "def f(X, y):\n    t = np.linalg.lstsq(X, y, rcond=None)[0]\n    return t, sum(y * (X @ t) <= 0)",
     "no offset"),
    ("least_squares", "def f(X, y):\n    Z = np.c_[np.ones(len(X)), X]\n    t = np.linalg.lstsq(Z, y, rcond=None)[0]\n"
     "    return t, sum(y * (Z @ t) <= 0)", "offset comes first"),
    ("least_squares", "def f(X, y):\n    Z = np.c_[X, np.ones(len(X))]\n    t = np.linalg.lstsq(Z, y, rcond=None)[0]\n"
     "    return t, np.mean(y * (Z @ t) <= 0)", "fraction"),
    ("least_squares", "def f(X, y):\n    Z = np.c_[X, np.ones(len(X))]\n    t = np.linalg.lstsq(Z, y, rcond=None)[0]\n"
     "    return t, sum(y != Z @ t)", "y never equals the score"),
    ("least_squares", "import coursekit as ck\ndef f(X, y):\n    t = ck.least_squares(X, y)\n    return t, 1",
     "must be your own"),
    ("loss_table", "def f():\n    return [(4, 0, 0, 0, 9), (0.2, 0, 0, 0.8, 0.64), 0, 0, 7, 3]", "column is the score"),
    ("least_squares", "def f(X, y):\n    Z = np.c_[X, np.ones(len(X))]\n"
     "    t = np.linalg.lstsq(Z, y, rcond=None)[0]\n    return t, len(y * (Z @ t) <= 0)", "len() counts"),
    ("least_squares", "def f(X, y):\n    Z = np.c_[X, np.ones(len(X))]\n"
     "    return np.linalg.lstsq(Z, y, rcond=None)[0]", "only `theta` came back"),
    ("least_squares", "def f(X, y):\n    Z = np.c_[X, np.ones(len(X))]\n    t = np.linalg.lstsq(Z, y, rcond=None)[0]\n"
     "    return sum(y * (Z @ t) <= 0), t", "another order, mistakes, theta"),
    ("least_squares", "def f(X, y):\n    Z = np.c_[X, np.ones(len(X))]\n"
     "    t = np.linalg.lstsq(Z, y[:, None], rcond=None)[0]\n    return t, sum(y[:, None] * (Z @ t) <= 0)",
     "a column of shape (n, 1)"),
    ("loss_table", "def f():\n    return [*np.array([(4, 0, 0, 0, 9), (-0.2, 1, 0.2, 1.2, 1.44), (0, 1, 0, 1, 1), "
     "(1.5, 0, 0, 0, 0.25)]), 8, 3]", "50 times 0.15"),
    ("loss_table", "def f():\n    return [(4, 0, 0, 0, 9), (-0.2, 1, 0.2, 1.2, 1.44), (0, 0, 0, 1, 1), "
     "(1.5, 0, 0, 0, 0.25), 7, 3]", "misses z = 0"),
    ("loss_table", "def f():\n    return [(4, 0, 0, 0, 0), 0, 0, 0, 0, 0]", "too right"),
    ("loss_table", "def f():\n    return [(4, 0, 0, -3, 9), 0, 0, 0, 0, 0]", "lacks the max"),
]


@pytest.mark.parametrize(("name", "source", "mention"), WRONG)
def test_wrong_answers_of_a_student(name, source, mention):
    said = sentence(name, source)
    assert mention.lower() in said.lower()
    assert "\n" not in said


@pytest.mark.parametrize("seed", SEEDS)
def test_references_agree_with_coursekit_and_with_differences(seed):
    drawn, solved = tasks("03-losses", seed), COURSE["03-losses"].space
    for (z,) in drawn["losses"].cases:
        for loss, part in zip(ck.losses.KNOWN.values(), solved["losses"](z), strict=True):
            np.testing.assert_allclose(part, loss(z))
    for (z,) in drawn["slopes"].cases:
        for name, part in zip(drawn["slopes"].returns, solved["slopes"](z), strict=True):
            smooth = np.full(z.shape, ck.losses.KNOWN[name].kink is None) | ((z != 0) & (z != 1))
            for v, slope in zip(z[smooth], part[smooth], strict=True):
                [difference] = approx_fprime(np.array([v]), lambda u, name=name: ck.losses.KNOWN[name](u)[0], 1e-7)
                assert slope == pytest.approx(difference, abs=1e-5)
            np.testing.assert_array_equal(part[~smooth], ck.losses.KNOWN[name].slope(z[~smooth]))
    for X, y in drawn["least_squares"].cases:
        np.testing.assert_allclose(solved["least_squares"](X, y)[0], ck.least_squares(X, y))
    for X, y, theta in drawn["error_bound"].cases:
        wrong, total, most = solved["error_bound"](X, y, theta)
        assert wrong <= most <= total == ck.Objective(X, y, offset=False).value(theta) * len(y)


def test_a_table_that_is_convex_has_no_dip():
    z = np.array([-2.0, -0.5, 0.25, 1.0, 3.0])
    for loss in ck.losses.KNOWN.values():
        assert (COURSE["03-losses"].space["worst_dip"](z, loss(z)) < 1e-12) == loss.convex


@pytest.mark.parametrize("seed", SEEDS)
def test_cases_hold_what_the_text_promises(seed):
    drawn = tasks("03-losses", seed)
    for name in ("losses", "slopes"):
        assert {0.0, 1.0} < set(np.concatenate([z for (z,) in drawn[name].cases]))
    totals = [total for _, total, _ in drawn["error_bound"].right]
    assert {np.sign(t % 1 - 0.5) for t in totals if t % 1} == {-1.0, 1.0}
    assert any(t % 1 == 0 for t in totals)
    for X, y in drawn["least_squares"].cases:
        f = np.column_stack([X, np.ones(len(X))]) @ ck.least_squares(X, y)
        assert np.abs(f).min() > 0.01
    assert any(len(z) < 3 for z, _ in drawn["worst_dip"].cases)
