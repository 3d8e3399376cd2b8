"""Exercise 1: right answers in other spellings, wrong ones in the words of a student."""

import math

import numpy as np
import pytest

from tests.checking.judging import SEEDS, tasks


def scores_loop(X, theta):
    out = []
    for x in X.tolist():
        f = theta[-1]
        for j in range(len(x)):
            f += x[j] * theta[j]
        out.append(f)
    return out


def scores_folded(X, theta):
    return np.c_[X, np.ones(len(X))].astype(np.float32) @ theta.astype(np.float32)


def scores_einsum(X, theta):
    return tuple(np.einsum("ij,j->i", X, theta[: X.shape[1]]) + theta[X.shape[1]])


def one_line_dot(x, y, theta):
    f = np.append(x, 1) @ theta
    size = np.hypot(theta[0], theta[1])
    return [f, f / size, f * y, -theta[-1] / size]


def one_line_shadow(x, y, theta):
    """By shadows: that of x and that of the line, on the unit vector."""
    unit = theta[:2] / math.hypot(*theta[:2])
    line = -theta[2] / math.hypot(*theta[:2])
    distance = x @ unit - line
    return np.array([distance * math.hypot(*theta[:2]), distance, y * distance * math.hypot(*theta[:2]), line])


def line_by_angle(p, q, inside):
    """The direction of the line turned by a quarter, with the angle."""
    along = math.atan2(q[1] - p[1], q[0] - p[0]) + math.pi / 2
    w = [math.cos(along), math.sin(along)]
    offset = -(w[0] * p[0] + w[1] * p[1])
    sign = 1 if w[0] * inside[0] + w[1] * inside[1] + offset > 0 else -1
    return [sign * w[0], sign * w[1], sign * offset]


def line_by_solving(p, q, inside):
    """theta . (p, 1) = theta . (q, 1) = 0: the cross product of both."""
    theta = np.cross(np.append(p, 1), np.append(q, 1))
    theta = theta / np.linalg.norm(theta[:2])
    return theta * np.sign(theta @ np.append(inside, 1))


def find_by_logistic(X, y):
    from sklearn.linear_model import LogisticRegression

    fit = LogisticRegression(C=1e8, max_iter=100_000, tol=1e-8).fit(X, y)
    return np.append(fit.coef_[0], fit.intercept_)


def find_by_pairs(X, y):
    """Through two examples, turned a little: the brute force of geometry."""
    for p in X:
        for q in X:
            for turn in (1e-4, -1e-4):
                d = q - p
                w = np.array([-d[1] - turn * d[0], d[0] - turn * d[1]])
                shadows = X @ w
                low, high = shadows[y > 0].min(), shadows[y < 0].max()
                if low > high:
                    return np.append(w, -(low + high) / 2)
                if shadows[y > 0].max() < shadows[y < 0].min():
                    return np.append(-w, (shadows[y > 0].max() + shadows[y < 0].min()) / 2)
    raise AssertionError("no line found")


def find_first(X, y):
    for turn in np.linspace(0, 2 * np.pi, 2000):
        w = (math.cos(turn), math.sin(turn))
        s = [a * w[0] + b * w[1] for a, b in X]
        low = min(v for v, label in zip(s, y, strict=True) if label > 0)
        high = max(v for v, label in zip(s, y, strict=True) if label < 0)
        if low > high:
            return [w[0], w[1], -(low + high) / 2]
    return None


def seen_loop(X, y, lines, seen):
    fewest, best = 2.0, None
    for line in lines:
        share = sum(y[i] * (X[i] @ line[:2] + line[2]) <= 0 for i in seen) / len(seen)
        if share < fewest:
            fewest, best = share, line
    others = [i for i in range(len(y)) if i not in set(seen.tolist())]
    return [fewest, sum(y[i] * (X[i] @ best[:2] + best[2]) <= 0 for i in others) / len(others)]


def seen_masked(X, y, lines, seen):
    Z, known = np.c_[X, np.ones(len(X))], np.isin(np.arange(len(X)), seen)
    wrong = np.sign(Z @ lines.T) != y[:, None]
    best = wrong[known].sum(0).argmin()
    return np.array([wrong[known, best].mean(), wrong[~known, best].mean()])


def seen_sorted(X, y, lines, seen):
    counts = [np.sum(y[seen] * (X[seen] @ w[:2] + w[2]) <= 0) for w in lines]
    w = lines[np.argsort(counts, kind="stable")[0]]
    all_wrong = np.sum(y * (X @ w[:2] + w[2]) <= 0)
    return min(counts) / len(seen), (all_wrong - min(counts)) / (len(y) - len(seen))


def cell_by_walking(X, y, theta, offset):
    """The foot on every line, and a count a little beyond the nearest."""
    f = X @ theta + offset
    wrong = [i for i in range(len(y)) if np.sign(f[i]) != y[i]]
    feet = [theta + x * np.dot(-f[i], 1 / sum(x**2)) for i, x in enumerate(X)]
    nearest = min(range(len(y)), key=lambda i: math.dist(feet[i], theta))
    over = feet[nearest] + 1e-9 * (feet[nearest] - theta)
    return wrong, nearest, feet[nearest].tolist(), sum(y * (X @ over + offset) <= 0)


def cell_by_solving(X, y, theta, offset):
    """The foot on each line from two equations: on the line, and as far along it as theta is."""
    feet = []
    for x in X:
        along = np.array([-x[1], x[0]])
        feet.append(np.linalg.solve(np.array([x, along]), [-offset, along @ theta]))
    ways = [np.hypot(*(foot - theta)) for foot in feet]
    k = int(np.argsort(ways)[0])
    bad = y * (np.c_[X, np.ones(len(X))] @ np.append(theta, offset)) < 0
    return np.where(bad)[0], k, feet[k], bad.sum() + 1 - 2 * bad[k]


def cell_unit(X, y, theta, offset):
    lengths = np.linalg.norm(X, axis=1)
    normals, shifts = X / lengths[:, None], -offset / lengths  # Hesse normal form of every mail's line
    ways = normals @ theta - shifts
    k = np.abs(ways).argmin()
    bad = {int(i) for i in np.flatnonzero(np.sign(ways) == -y)}
    return sorted(bad), k, theta - ways[k] * normals[k], len(bad ^ {int(k)})


def error_loop(X, y, theta):
    wrong = 0
    for f, label in zip(scores_loop(X, theta), y, strict=True):
        if f * label <= 0:
            wrong += 1
    return wrong / len(y)


def error_sign(X, y, theta):
    return np.float32(np.mean(np.sign(scores_folded(X, theta)) != y))


def error_of_distances(X, y, theta):
    theta = theta / np.linalg.norm(theta[:-1])
    return np.mean(y * (X @ theta[:-1] + theta[-1]) <= 0)


def error_right(X, y, theta):
    return np.array(1 - np.count_nonzero(y * (X @ theta[:-1] + theta[-1]) > 0) / y.size)


VARIANTS = {
    "decision": (scores_loop, scores_folded, scores_einsum),
    "cell": (cell_by_walking, cell_by_solving, cell_unit),
    "training_error": (error_loop, error_sign, error_right, error_of_distances),
    "one_line": (
        one_line_dot, one_line_shadow,
        lambda x, y, theta: (lambda f, n: (f, f / n, y * f, -theta[2] / n))(
            float(np.dot(x, theta[:2]) + theta[2]), float(np.linalg.norm(theta[:2]))
        ),
    ),
    "product": (
        lambda a, b, total: 0.5 * total**2 - 0.5 * a**2 - 0.5 * b**2,
        lambda a, b, total: -a * b * (a * a + b * b - total * total) / (2 * a * b),  # the law of cosines
        lambda a, b, total: np.array((total * total - a * a - b * b) / 2, dtype=np.float64),
    ),
    "line_through": (line_by_angle, line_by_solving, lambda p, q, inside: tuple(line_by_solving(q, p, inside))),
    "find_line": (find_by_logistic, find_by_pairs, find_first),
    "seen_and_new": (seen_loop, seen_masked, seen_sorted),
}


CELL = """def f(X, y, theta, offset):
    f = X @ theta + offset
    bad = np.flatnonzero(y * f < 0)
    k = np.argmin(abs(f) / np.hypot(X[:, 0], X[:, 1]))
    return bad, k, theta - f[k] * X[k] / sum(X[k] ** 2), len(bad) + (1, -1)[k in bad]
"""

WRONG = [
    ("decision", "def f(X, theta):\n    out = []\n    for x in X:\n        out.append(x @ theta[:-1] + theta[-1])\n"
     "        return out", "a return inside a loop"),
    ("cell", CELL.replace("np.hypot(X[:, 0], X[:, 1])", "(X ** 2).sum(axis=1)"), "squared length of x"),
    ("cell", CELL.replace("return bad,", "return y * f <= 0,"), "np.flatnonzero"),
    ("line_through", "def f(p, q, inside):\n    w = np.linalg.solve(np.array([p, q]), [-1, -1])\n"
     "    t = np.append(w, 1) / np.linalg.norm(w)\n    return t if t[:2] @ inside + t[2] > 0 else -t", "no inverse"),
    ("find_line", "def f(X, y):\n    Z = np.column_stack([X, np.ones(len(X))])\n"
     "    return np.linalg.lstsq(Z, y, rcond=None)[0]", "overlap"),
    ("training_error", "def f(X, y, theta):\n    p = np.where(X @ theta[:-1] + theta[-1] >= 0, 1, -1)\n"
     "    return np.sum(p != y) / X.size", "both faults"),
    ("decision", "def f(X, theta):\n    return [np.dot(x, theta[:-1]) for x in X]", "offset is missing"),
    ("decision", "def f(X, theta):\n    return np.c_[np.ones(len(X)), X] @ theta", "offset comes first"),
    ("decision", "def f(X, theta):\n    return (X @ theta[:-1, None]) + theta[-1]", "a column of shape (n, 1)"),
    ("decision", "def f(X, theta):\n    for x in X: return x @ theta[:-1] + theta[-1]", "first entry alone"),
    ("decision", "def f(X, theta):\n    return X @ theta", "is the offset still in theta"),
    ("decision", "def f(X, theta):\n    X *= theta[:-1]\n    return X.sum(1) + theta[-1]", "changed its argument X"),
    ("decision", "def f(X, theta):\n    return np.zeros(len(X))", "in decision(x=[["),
    ("cell", CELL.replace("abs(f) / np.hypot(X[:, 0], X[:, 1])", "abs(f) / np.hypot(*theta)"), "smallest score"),
    ("cell", CELL.replace("(1, -1)[k in bad]", "1"), "always one more"),
    ("cell", CELL.replace("/ sum(X[k] ** 2)", "/ np.hypot(*X[k])"), "divided by its length once more"),
    ("cell", CELL.replace("theta - f[k]", "theta + f[k]"), "walks away"),
    ("cell", CELL.replace("y * f < 0", "f < 0"), "looks at the score alone"),
    ("cell", CELL.replace("return bad,", "return len(bad),"), "list the rows"),
    ("training_error", "def f(X, y, theta):\n    p = np.where(X @ theta[:-1] + theta[-1] > 0, 1, -1)\n"
     "    return np.mean(p != y)", "takes it for -1"),
    ("training_error", "def f(X, y, theta):\n    p = np.where(X @ theta[:-1] + theta[-1] >= 0, 1, -1)\n"
     "    return (p != y).sum() / len(y)", "takes it for +1"),
    ("training_error", "def f(X, y, theta):\n    e = 0\n    for x, t in zip(X, y):\n"
     "        if t * (x @ theta[:-1] + theta[-1]) < 0: e += 1\n    return e / len(y)", "not y f < 0"),
    ("training_error", "def f(X, y, theta):\n    e = 0\n    for x, t in zip(X, y):\n"
     "        if t * (x @ theta[:-1] + theta[-1]) <= 0: e += 1\n    return e", "fraction is asked"),
    ("training_error", "def f(X, y, theta):\n    g = X @ theta[:-1] + theta[-1]\n    return np.mean(np.sign(g) == y)",
     "fraction of right ones"),
    ("training_error", "def f(X, y, theta):\n    return np.sum(y * (X @ theta[:-1]) <= 0) / len(X)",
     "offset is missing"),
    ("training_error", "def f(X, y, theta):\n    for x, t in zip(X, y):\n        e = 0\n"
     "        if t * (x @ theta[:-1] + theta[-1]) <= 0: e += 1\n        return e / len(y)", "after the loop"),
    ("training_error", "def f(X, y, theta):\n    p = (X @ theta[:-1] + theta[-1] > 0) * 1\n    return np.mean(p != y)",
     "predictions are 0 and 1"),
    ("decision", "def f(X, theta):\n    return X @ theta[:-1], theta[-1]", "2 things came back"),
    ("decision", "def f(X, theta):\n    return int(X @ theta[:-1])", "math.sqrt"),
    ("training_error", "def f(X, y, theta):\n    return len(y * (X @ theta[:-1] + theta[-1]) <= 0)", "len() of"),
    ("training_error", "def f(X, y, theta):\n    return 1 if y * (X @ theta[:-1] + theta[-1]) <= 0 else 0",
     "a whole array of them"),
    ("one_line", "def f(x, y, theta):\n    f = x @ theta[:2]\n    n = np.linalg.norm(theta[:2])\n"
     "    return f, f / n, y * f, -theta[2] / n", "lacks the offset"),
    ("one_line", "def f(x, y, theta):\n    f = x @ theta[:2] + theta[2]\n    n = np.linalg.norm(theta)\n"
     "    return f, f / n, y * f, -theta[2] / n", "has the offset in it"),
    ("one_line", "def f(x, y, theta):\n    f = x @ theta[:2] + theta[2]\n    n = np.linalg.norm(theta[:2])\n"
     "    return f, abs(f) / n, y * f, -theta[2] / n", "has lost its signs"),
    ("one_line", "def f(x, y, theta):\n    f = x @ theta[:2] + theta[2]\n    n = np.linalg.norm(theta[:2])\n"
     "    return f, f / n, f, -theta[2] / n", "lacks the label"),
    ("one_line", "def f(x, y, theta):\n    f = x @ theta[:2] + theta[2]\n    n = np.linalg.norm(theta[:2])\n"
     "    return f, f / n, y * f, theta[2] / n", "wrong sign"),
    ("one_line", "def f(x, y, theta):\n    return 8, 1.6, -8, 2", "in one_line(x=["),
    ("product", "def f(a, b, total):\n    return total * total - a * a - b * b", "twice too large"),
    ("product", "def f(a, b, total):\n    return a * b", "length times length"),
    ("product", "def f(a, b, total):\n    return (a ** 2 + b ** 2 - total ** 2) / 2", "opposite"),
    ("line_through", "def f(p, q, inside):\n    w = (q - p) / np.linalg.norm(q - p)\n"
     "    w = w if w @ (inside - p) > 0 else -w\n    return np.append(w, -w @ p)", "along the line"),
    ("line_through", "def f(p, q, inside):\n    d = q - p\n    w = np.array([-d[1], d[0]])\n"
     "    w = w if w @ (inside - p) > 0 else -w\n    return np.append(w, -w @ q)", "length 1"),
    ("line_through", "def f(p, q, inside):\n    d = (q - p) / np.linalg.norm(q - p)\n    w = np.array([-d[1], d[0]])\n"
     "    return np.append(w, -w @ p)", "negative score"),
    ("find_line", "def f(X, y):\n    return np.array([1.0, 1.0, -1.7])", "overlap"),
    ("find_line", "def f(X, y):\n    a, b = X[y > 0].mean(0), X[y < 0].mean(0)\n    w = a - b\n"
     "    return np.append(w, -w @ (a + b) / 2)", "behind the last example"),
    ("find_line", "def f(X, y):\n    for a in np.radians(range(360)):\n        w = np.array([np.cos(a), np.sin(a)])\n"
     "        low, high = (X[y > 0] @ w).min(), (X[y < 0] @ w).max()\n"
     "        if low > high:\n            return np.append(w, (low + high) / 2)", "opposite sign your offset"),
    ("find_line", "def f(X, y):\n    w = X[y > 0].mean(0) - X[y < 0].mean(0)\n    return w", "offset is missing"),
    ("seen_and_new", "def f(X, y, lines, seen):\n    wrong = y[:, None] * (X @ lines[:, :2].T + lines[:, 2]) <= 0\n"
     "    k = wrong.mean(0).argmin()\n    return wrong[seen, k].mean(), np.delete(wrong[:, k], seen).mean()",
     "errors on all examples"),
    ("seen_and_new", "def f(X, y, lines, seen):\n    wrong = y[:, None] * (X @ lines[:, :2].T + lines[:, 2]) <= 0\n"
     "    k = wrong[seen].mean(0).argmin()\n    return wrong[seen, k].mean(), wrong[:, k].mean()",
     "only the others are new"),
]


@pytest.mark.parametrize("seed", SEEDS)
def test_cases_hold_what_the_text_promises(seed):
    drawn = tasks("01-linear-classifiers", seed)
    for X, _, theta, offset in drawn["cell"].cases:
        f = X @ theta + offset
        ways = np.sort(np.abs(f) / np.hypot(*X.T))
        assert f.all()
        assert ways[1] - ways[0] > 0.04
    nearest = [(np.abs(X @ w + b) / np.hypot(*X.T)).argmin() != np.abs(X @ w + b).argmin()
               for X, _, w, b in drawn["cell"].cases]
    assert sum(nearest) >= 4
    ties = [y[X @ theta[:-1] + theta[-1] == 0] for X, y, theta in drawn["training_error"].cases]
    assert set(np.concatenate(ties)) == {-1.0, 1.0}
    assert {len(X) for X, _ in drawn["decision"].cases} > {1}
