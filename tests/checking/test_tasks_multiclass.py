"""Exercise 9: right answers, and edits that keep them right or make them wrong."""

import numpy as np
import pytest
from scipy.optimize import approx_fprime
from sklearn.linear_model import LinearRegression  # noqa: F401 - in edits

import coursekit as ck
from coursekit.algorithms.multiclass import Votes
from tests.checking.judging import COURSE, SEEDS, tasks

CHAPTER = "09-multiclass"


def envelope(thetas):
    w, b = thetas[:, 0], thetas[:, 1]
    order, places = [np.argmin(w)], []
    while True:
        a = order[-1]
        ahead = [((b[a] - b[c]) / (w[c] - w[a]), c) for c in range(len(w)) if w[c] > w[a]]
        if not ahead:
            break
        x, c = min(ahead)
        places.append(x)
        order.append(c)
    return order, places, [c for c in range(len(w)) if c not in order]


def envelope__between(thetas):
    """Who is highest between any two meetings."""
    w, b = thetas.T
    xs = np.unique([(b[c] - b[a]) / (w[a] - w[c]) for a in range(len(w)) for c in range(a)])
    xs = np.concatenate([[xs[0] - 1], (xs[1:] + xs[:-1]) / 2, [xs[-1] + 1]])
    wins = np.argmax(np.c_[xs, np.ones(len(xs))] @ thetas.T, axis=1)
    order = wins[np.append(True, np.diff(wins) != 0)]
    return order, -np.diff(b[order]) / np.diff(w[order]), np.setdiff1d(np.arange(len(w)), order)


def fit(X, labels):
    return np.linalg.lstsq(np.c_[X, np.ones(len(X))], labels, rcond=None)[0]


def against_rest(X, y, k, new):
    T = np.array([fit(X, [1 if c == label else -1 for label in y]) for c in range(k)])
    s = new @ T[:, :-1].T + T[:, -1]
    return T, s.argmax(axis=1), (s > 0).sum(axis=1)


def against_one(X, y, k):
    P, T, read = [], [], 0
    for a in range(k):
        for b in range(a + 1, k):
            m = (y == a) | (y == b)
            P.append((a, b))
            T.append(fit(X[m], np.where(y[m] == a, -1, 1)))
            read += sum(m)
    return P, T, read


def vote(pairs, scores, k):
    v, s = np.zeros((len(scores), k)), np.zeros((len(scores), k))
    for m, (a, b) in enumerate(pairs):
        for i, f in enumerate(scores[:, m]):
            v[i, b if f > 0 else a] += 1
            s[i, b] += f
            s[i, a] -= f
    return v, [max(range(k), key=lambda c: (v[i, c], s[i, c])) for i in range(len(scores))]


def vote__matrices(pairs, scores, k):
    first, second = (np.eye(k)[pairs[:, side]] for side in (0, 1))
    votes = (scores > 0) @ second + (scores <= 0) @ first
    return votes, np.argmax(votes * 1e6 + scores @ (second - first), axis=1)


def all_rows(X, y, k, passes):
    Z = np.column_stack([X, np.ones(len(X))])
    thetas, mistakes = np.zeros((k, Z.shape[1])), 0
    for _ in range(passes):
        for i in range(len(X)):
            f = thetas @ Z[i]
            own = f[y[i]]
            f[y[i]] = -np.inf
            r = np.argmax(f)
            if f[r] >= own:
                thetas[y[i]] += Z[i]
                thetas[r] -= Z[i]
                mistakes += 1
    return thetas, mistakes


def all_rows__kesler(X, y, k, passes):
    d, count = X.shape[1] + 1, 0
    long = np.zeros(k * d)
    for i in np.tile(np.arange(len(X)), passes):
        vs = [np.kron(np.eye(k)[y[i]] - np.eye(k)[r], np.append(X[i], 1)) for r in range(k) if r != y[i]]
        worst = min(vs, key=lambda v: long @ v)
        if long @ worst <= 0:
            long, count = long + worst, count + 1
    return long.reshape(k, d), count


def stacked(X, y, thetas):
    Z, k, V = np.c_[X, np.ones(len(X))], len(thetas), []
    for z, c in zip(Z, y, strict=True):
        for r in range(k):
            if r != c:
                v = np.zeros((k, len(z)))
                v[c] = z
                v[r] = -z
                V.append(v.ravel())
    g = min(np.array(V) @ thetas.ravel()) / np.linalg.norm(thetas)
    return V, g, 2 * max((Z**2).sum(axis=1)) / g**2 if g > 0 else None


def shares(X, y, thetas):
    Z, n = np.c_[X, np.ones(len(X))], np.arange(len(y))
    s = Z @ thetas.T
    s = s - s.max(axis=1, keepdims=True)
    p = np.exp(s) / np.exp(s).sum(axis=1, keepdims=True)
    q = p.copy()
    q[n, y] -= 1
    return p, -np.log(p[n, y]).mean(), q.T @ Z / len(y)


def unmask(x, y, k):
    o = np.argsort([x[y == c].mean() for c in range(k)])
    T = np.zeros((k, 2))
    for i in range(1, k):
        cut = (x[y == o[i - 1]].max() + x[y == o[i]].min()) / 2
        T[o[i], 0] = i
        T[o[i], 1] = T[o[i - 1], 1] - cut
    return [x.mean(), 2 / k - 1], sorted(o[1:-1]), T


HIDDEN, WINNER = "[c for c in range(len(w)) if c not in order]", "max(range(k), key=lambda c: (v[i, c], s[i, c]))"
STALE = ("    for _ in range(passes):\n", "    for _ in range(passes):\n        old = thetas.copy()\n", "thetas @ Z[i]",
         "old @ Z[i]")
TIES = "own = f[y[i]]\n            f[y[i]] = -np.inf\n            r = np.argmax(f)\n            if f[r] >= own:"
EVEN = "r = np.argmax(f)\n            if r != y[i]:"
RIGHT = [
    ("envelope", HIDDEN, "sorted({*range(len(w))} - {*order})", "return order, places",
     "return np.array(order), np.float32(places)"),
    ("against_rest", "fit(X, [1 if c == label else -1 for label in y])",
     "np.linalg.pinv(np.c_[X, np.ones(len(X))]) @ (2 * (y == c) - 1)"),
    ("against_rest", "    T =", "    m = LinearRegression().fit(X, np.where(y[:, None] == range(k), 1, -1))\n"
     ""
     ""
     "    f = m.predict(new)\n"
     ""
     "    return np.c_[m.coef_, m.intercept_], np.argmax(f, 1).tolist(), np.sum(np.sign(f) == 1, 1)\n    T ="),
    ("against_one", "read += sum(m)", "read = (k - 1) * len(y)", "return P, T",
     "return np.column_stack(np.triu_indices(k, 1)), np.float32(T)"),
    ("against_one", "fit(X[m], np.where(y[m] == a, -1, 1))", "[*(t := LinearRegression().fit(X, 1.0 * (y == b) - (y == "
     ""
     "a), "
     "sample_weight=1.0 * m)).coef_, t.intercept_]"),
    ("vote", WINNER, "np.lexsort((s[i], v[i]))[-1]", "return v", "return v.astype(np.float32)"),
    ("all_rows", "np.zeros((k, Z.shape[1]))", "np.zeros((k, Z.shape[1]), np.float32)", "return thetas",
     "return thetas.tolist()"),
    ("stacked", "                v = np.zeros((k, len(z)))\n                v[c] = z\n                v[r] = -z",
     "                v = np.kron(np.eye(k)[c] - np.eye(k)[r], z)", "return V", "return np.float32(V)"),
    ("stacked", "2 * max((Z**2).sum(axis=1))", "max(np.sum(np.array(V) ** 2, axis=1))", "np.linalg.norm(thetas)",
     "np.sqrt(np.sum(thetas**2))"),
    ("shares", "np.exp(s) / np.exp(s).sum(axis=1, keepdims=True)",
     "np.array([[1 / sum(np.exp(f - h)) for h in f] for f in s])"),
    ("shares", "s - s.max(axis=1, keepdims=True)", "Z @ (thetas - thetas[-1]).T", "q.T @ Z",
     "np.einsum('nc,nj->cj', q, Z)"),
    ("unmask", "    o =", "    lines = np.array([np.polyfit(x, 2.0 * (y == c) - 1, 1) for c in range(k)])\n    o =",
     "sorted(o[1:-1])", "[c for c in range(k) if min(lines[:, 0]) < lines[c, 0] < max(lines[:, 0])]",
     "[x.mean(), 2 / k - 1]", "[x.mean(), np.polyval(lines[0], x.mean())]"),
    ("unmask", "return [x.mean(), 2 / k - 1]", "return (sum(x) / len(x), -(k - 2) / k)", ", T\n", ", T.tolist()\n"),
]
WRONG = [
    ("envelope", "return order", "return sorted(order)", "sorted by number"),
    ("envelope", "return order, places", "return order[::-1], places[::-1]", "right to left"),
    ("envelope", HIDDEN, "len(w) - len(order)", "a count"),
    ("against_rest", "s.argmax(axis=1)", "[np.argmax(r) if max(r) > 0 else -1 for r in s]", "nobody claims"),
    ("against_one", "m = (y == a) | (y == b)", "m = y >= 0", "all examples"),
    ("vote", WINNER, "np.argmax(s[i] * (v[i] == max(v[i]))) if min(s[i]) < 0 else " + WINNER, "all negative"),
    ("vote", "    v, s =", "    v = np.zeros((len(scores), k))\n    for i in range(len(scores)):\n"
     ""
     "        v[i, np.where(scores[i] > 0, pairs[:, 1], pairs[:, 0])] += 1\n    return v, v.argmax(axis=1)\n"
     "    v, s =", "more than one vote"),
    ("vote", "    return v, ", "    lead = v == v.max(axis=1)[:, None]\n    s = 0 * s\n"
     "    for m, (a, b) in enumerate(pairs):\n"
     "        both = scores[:, m] * lead[:, a] * lead[:, b]\n"
     "        s[:, b] += both\n        s[:, a] -= both\n    return v, ", "own lines alone"),
    ("all_rows", *STALE, TIES, EVEN, "                thetas[r] -= Z[i]\n", "", "old = thetas.copy()",
     "old, mistakes = thetas.copy(), 0", "as it was"),
    ("all_rows", *STALE, TIES, EVEN, "old scores, and the equal scores"),
    ("stacked", "g**2", "g", "multiplied by the right `gamma`"),
    ("shares", "s.max(axis=1, keepdims=True)", "s.max()", "one number for all"),
    ("shares", "q.T @ Z", "Z.T @ q", "lies on its side"),
    ("unmask", "x.mean(), 2", "np.median(x), 2", "mean of all x"),
    ("unmask", "T[o[i], 0] = i\n        T[o[i], 1] = T[o[i - 1], 1]", "T[i, 0] = i\n        T[i, 1] = T[i - 1, 1]",
     "row of class c is row c"),
]


@pytest.mark.parametrize("seed", SEEDS)
def test_votes_and_corrections_are_those_of_coursekit(seed):
    drawn, solved = tasks(CHAPTER, seed), COURSE[CHAPTER].space
    for chosen, scores, k in drawn["vote"].cases:
        m = len(chosen)
        rule = Votes(np.column_stack([np.eye(m), np.zeros(m)]), chosen, tuple(map(str, range(k))))  # scores as they are
        votes, winner = solved["vote"](chosen, scores, k)
        assert np.array_equal(votes, rule.votes(scores))
        assert np.array_equal(winner, rule.predict(scores))
        second, first = np.eye(k)[chosen[:, 1]], np.eye(k)[chosen[:, 0]]
        for row, sums in zip(votes, scores @ (second - first), strict=True):  # leaders never have equal sums
            leading = np.sort(sums[row == row.max()])
            assert (np.diff(leading) > 1e-9).all()
    for X, y, k in drawn["against_one"].cases:
        data = ck.datasets.Dataset(X, y, tuple(map(str, range(X.shape[1]))), tuple(map(str, range(k))))
        rule = ck.one_vs_one(data, fit)
        pairs, thetas, read = solved["against_one"](X, y, k)
        assert np.array_equal(pairs, rule.pairs)
        np.testing.assert_allclose(thetas, rule.thetas, atol=1e-9)
        assert read == (k - 1) * len(y)


@pytest.mark.parametrize("seed", SEEDS)
def test_bounds_hold_and_gradients_are_differences(seed):
    drawn, solved = tasks(CHAPTER, seed), COURSE[CHAPTER].space
    for X, y, thetas in drawn["stacked"].cases:
        _, gamma, bound = solved["stacked"](X, y, thetas)
        f = X @ thetas[:, :-1].T + thetas[:, -1]
        assert (gamma > 0) == all(np.sum(row >= row[c]) == 1 for row, c in zip(f, y, strict=True))
        if bound is not None:
            assert solved["all_rows"](X, y, len(thetas), 200)[1] <= bound
    assert {bound is None for *_, bound in drawn["stacked"].right} == {True, False}
    for X, y, thetas in drawn["shares"].cases:
        p, _, gradient = solved["shares"](X, y, thetas)
        np.testing.assert_allclose(p.sum(axis=1), 1)
        slope = approx_fprime(thetas.ravel(), lambda t, X=X, y=y, s=thetas.shape: solved["shares"](
            X, y, t.reshape(s))[1], 1e-6)
        np.testing.assert_allclose(gradient.ravel(), slope, atol=1e-4)
