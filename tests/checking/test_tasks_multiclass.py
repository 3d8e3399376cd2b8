"""Exercise 9: right answers in other spellings, wrong ones in the words of a student."""

from itertools import pairwise

import numpy as np
import pytest
from scipy.optimize import approx_fprime
from scipy.special import log_softmax, logsumexp, softmax
from sklearn.linear_model import LinearRegression

import coursekit as ck
from coursekit.algorithms.multiclass import Votes
from tests.checking.judging import COURSE, SEEDS, tasks

CHAPTER = "09-multiclass"


def envelope_walk(thetas):
    left = sorted(range(len(thetas)), key=lambda c: thetas[c][0])
    keep = []
    for c in left:  # as one makes a convex hull
        while len(keep) > 1 and meeting(thetas, keep[-2], c) <= meeting(thetas, keep[-2], keep[-1]):
            keep.pop()
        keep.append(c)
    return keep, [meeting(thetas, a, b) for a, b in pairwise(keep)], sorted({*left} - {*keep})


def meeting(thetas, a, b):
    return (thetas[a][1] - thetas[b][1]) / (thetas[b][0] - thetas[a][0])


def envelope_pairs(thetas):
    k, places = len(thetas), []
    for a in range(k):
        for b in range(k):
            if thetas[a, 0] < thetas[b, 0]:
                x = meeting(thetas, a, b)
                if np.all(thetas @ [x, 1] <= thetas[a] @ [x, 1] + 1e-9):
                    places.append((x, a, b))
    places.sort()
    order = [places[0][1], *(b for _, _, b in places)]
    return np.array(order), np.array([x for x, _, _ in places]), [c for c in range(k) if c not in order]


def envelope_between(thetas):
    xs = np.unique([meeting(thetas, a, b) for a in range(len(thetas)) for b in range(a)])
    xs = np.concatenate([[xs[0] - 1], (xs[1:] + xs[:-1]) / 2, [xs[-1] + 1]])
    wins = np.argmax(np.c_[xs, np.ones(len(xs))] @ thetas.T, axis=1)
    order = [int(wins[0])] + [int(b) for a, b in pairwise(wins) if a != b]
    return order, [meeting(thetas, a, b) for a, b in pairwise(order)], np.setdiff1d(
        np.arange(len(thetas)), order)


def least(X, labels):
    return np.linalg.pinv(np.c_[X, np.ones(len(X))]) @ labels


def rest_loop(X, y, k, new):
    thetas = [least(X, [1 if label == c else -1 for label in y]) for c in range(k)]
    predicted, claims = [], []
    for x in new.tolist():
        f = [sum(a * b for a, b in zip(t, [*x, 1], strict=True)) for t in thetas]
        predicted.append(f.index(max(f)))
        claims.append(sum(v > 0 for v in f))
    return thetas, predicted, claims


def rest_at_once(X, y, k, new):
    T = least(X, 2.0 * np.eye(k)[y] - 1)
    f = np.c_[new, np.ones(len(new))] @ T
    return T.T.astype(np.float32), np.argsort(f)[:, -1], np.count_nonzero(f > 0, axis=1)


def rest_sklearn(X, y, k, new):
    m = LinearRegression().fit(X, np.where(y[:, None] == range(k), 1, -1))
    f = m.predict(new)
    return np.c_[m.coef_, m.intercept_], np.argmax(f, 1).tolist(), np.sum(np.sign(f) == 1, 1)


def one_loop(X, y, k):
    pairs, thetas, read = [], [], 0
    for a in range(k):
        for b in range(a + 1, k):
            rows = [i for i in range(len(y)) if y[i] in (a, b)]
            pairs.append([a, b])
            thetas.append(least(X[rows], [1 if y[i] == b else -1 for i in rows]))
            read += len(rows)
    return pairs, thetas, read


def one_triu(X, y, k):
    pairs = np.column_stack(np.triu_indices(k, 1))
    thetas = [least(X[np.isin(y, p)], np.sign(y[np.isin(y, p)] - p.mean())) for p in pairs]
    return pairs, np.float32(thetas), (k - 1) * len(y)


def one_weighted(X, y, k):
    pairs, thetas = [(a, b) for b in range(k) for a in range(b)], []
    pairs = tuple(sorted(pairs))
    for a, b in pairs:
        m = LinearRegression().fit(X, 1.0 * (y == b) - (y == a), sample_weight=1.0 * ((y == a) + (y == b)))
        thetas.append([*m.coef_, m.intercept_])
    return pairs, np.array(thetas), sum(np.sum(y == c) for p in pairs for c in p)


def vote_loop(pairs, scores, k):
    votes, winner = [], []
    for row in scores:
        v, s = [0] * k, [0.0] * k
        for (a, b), f in zip(pairs, row, strict=True):
            v[b if f > 0 else a] += 1
            s[b] += f
            s[a] -= f
        votes.append(v)
        winner.append(max(range(k), key=lambda c, v=v, s=s: (v[c], s[c])))
    return votes, winner


def vote_matrices(pairs, scores, k):
    first, second = (np.eye(k)[pairs[:, side]] for side in (0, 1))
    votes = (scores > 0) @ second + (scores <= 0) @ first
    sums = scores @ (second - first)
    return votes, np.argmax(votes * 1e6 + sums, axis=1)


def vote_add_at(pairs, scores, k):
    v = np.zeros((len(scores), k), np.float32)
    for i, row in enumerate(scores):
        np.add.at(v[i], np.where(row > 0, pairs[:, 1], pairs[:, 0]), 1)
    s = np.array([[row[pairs[:, 1] == c].sum() - row[pairs[:, 0] == c].sum() for c in range(k)] for row in scores])
    return [v, [int(np.lexsort((a, b))[-1]) for a, b in zip(s, v, strict=True)]]


def rows_loop(X, y, k, passes):
    d, wrong = X.shape[1], 0
    thetas = [[0.0] * (d + 1) for _ in range(k)]
    for _ in range(passes):
        for x, c in zip(X.tolist(), y, strict=True):
            f = [sum(a * b for a, b in zip(t, [*x, 1], strict=True)) for t in thetas]
            others = [r for r in range(k) if r != c]
            rival = max(others, key=lambda r: f[r])
            if f[rival] >= f[c]:
                wrong += 1
                for j, v in enumerate([*x, 1]):
                    thetas[c][j] += v
                    thetas[rival][j] -= v
    return thetas, wrong


def rows_kesler(X, y, k, passes):
    d, count = X.shape[1] + 1, 0
    Theta = np.zeros(k * d)
    for i in np.tile(np.arange(len(X)), passes):
        vs = [np.kron(np.eye(k)[y[i]] - np.eye(k)[r], np.append(X[i], 1)) for r in range(k) if r != y[i]]
        worst = min(vs, key=lambda v: Theta @ v)
        if Theta @ worst <= 0:
            Theta, count = Theta + worst, count + 1
    return Theta.reshape(k, d), count


def rows_split(X, y, k, passes):
    W, b, count = np.zeros((k, X.shape[1]), np.float32), np.zeros(k), 0
    for i in list(range(len(y))) * passes:
        f = W @ X[i] + b
        g = np.delete(f, y[i])
        if max(g) >= f[y[i]]:
            r = np.argmax(g)
            r = r + (r >= y[i])
            W[y[i]] += X[i]
            W[r] -= X[i]
            b += np.eye(k)[y[i]] - np.eye(k)[r]
            count += 1
    return np.c_[W, b], np.array(count)


def long_kron(X, y, thetas):
    k = len(thetas)
    V = np.array([np.kron(np.eye(k)[c] - np.eye(k)[r], np.append(x, 1)) for x, c in zip(X, y, strict=True)
                  for r in range(k) if r != c])
    gamma = (V @ thetas.ravel() / np.sqrt(np.sum(thetas**2))).min()
    return V, gamma, (V**2).sum(axis=1).max() / gamma**2 if gamma > 0 else None


def long_scores(X, y, thetas):
    (n, d), k = X.shape, len(thetas)
    f, rows = X @ thetas[:, :d].T + thetas[:, d], []
    for i in range(n):
        for r in [*range(y[i]), *range(y[i] + 1, k)]:
            v = [0.0] * (k * (d + 1))
            for j, value in enumerate([*X[i], 1]):
                v[y[i] * (d + 1) + j], v[r * (d + 1) + j] = value, -value
            rows.append(v)
    f = f[np.arange(n), y][:, None] - f
    gamma = f[np.arange(k) != y[:, None]].min() / np.linalg.norm(thetas.ravel())
    return rows, gamma, None if gamma <= 0 else 2 * (1 + max(np.sum(X * X, axis=1))) / gamma**2


def long_single(X, y, thetas):
    V, gamma, bound = long_kron(X, y, thetas)
    return np.float32(V), np.float32(gamma), bound


def shares_scipy(X, y, thetas):
    Z = np.c_[X, np.ones(len(X))]
    f = Z @ thetas.T
    p = softmax(f, axis=1)
    own = np.arange(len(thetas)) == y[:, None]
    return p, -log_softmax(f, axis=1)[own].mean(), np.einsum("nc,nj->cj", p - own, Z) / len(X)


def shares_loop(X, y, thetas):
    shares, loss, gradient = [], 0.0, np.zeros_like(thetas)
    for x, c in zip(X, y, strict=True):
        z = np.append(x, 1)
        f = [t @ z for t in thetas]
        p = [1 / sum(np.exp(min(g - h, 700)) for g in f) for h in f]
        shares.append(p)
        loss += (logsumexp(f) - f[c]) / len(X)
        for r in range(len(thetas)):
            gradient[r] += (p[r] - (r == c)) * z / len(X)
    return shares, loss, gradient


def shares_shifted(X, y, thetas):
    away = thetas - thetas[-1]  # only differences of rows matter
    Z = np.hstack([X, np.ones((len(X), 1))])
    e = np.exp(Z @ away.T)
    p = (e.T / e.sum(1)).T
    chosen = p[range(len(y)), y]
    q = p.copy()
    q[range(len(y)), y] -= 1
    return p.tolist(), -np.log(chosen).mean(), np.array([column @ Z for column in q.T]) / len(y)


def unmask_lines(x, y, k):
    """The point and who is masked from the lines themselves."""
    lines = np.array([np.polyfit(x, 2.0 * (y == c) - 1, 1) for c in range(k)])
    point = [x.mean(), np.polyval(lines[0], x.mean())]
    assert np.allclose([np.polyval(line, point[0]) for line in lines], point[1])
    masked = [c for c in range(k) if lines[:, 0].min() < lines[c, 0] < lines[:, 0].max()]
    return point, masked, unmask_runs(x, y, k)[2]


def unmask_runs(x, y, k):
    rows, near = np.zeros((k, 2)), sorted(zip(x, y, strict=True))
    winners = [near[0][1]]
    for (u, a), (v, c) in pairwise(near):
        if a != c:
            rows[c] = rows[a] + [1, -(u + v) / 2]
            winners.append(c)
    return (sum(x) / len(x), -(k - 2) / k), sorted(winners[1:-1]), rows.tolist()


def unmask_cumulated(x, y, k):
    at = np.argsort(x)
    X, Y = x[at].reshape(k, -1), y[at].reshape(k, -1)[:, 0]
    b = -np.cumsum(np.append(0, (X[:-1, -1] + X[1:, 0]) / 2))
    place = np.argsort(Y)
    return np.float32([x.mean(), 2 / k - 1]), np.setdiff1d(Y, Y[[0, -1]]), np.c_[place, b[place]]


VARIANTS = {
    "envelope": [envelope_walk, envelope_pairs, envelope_between],
    "against_rest": [rest_loop, rest_at_once, rest_sklearn],
    "against_one": [one_loop, one_triu, one_weighted],
    "vote": [vote_loop, vote_matrices, vote_add_at],
    "all_rows": [rows_loop, rows_kesler, rows_split],
    "stacked": [long_kron, long_scores, long_single],
    "shares": [shares_scipy, shares_loop, shares_shifted],
    "unmask": [unmask_lines, unmask_runs, unmask_cumulated],
}

HIGHEST = """def f(thetas):
    w, b = thetas[:, 0], thetas[:, 1]
    order, places = [np.argmin(w)], []
    while True:
        a = order[-1]
        ahead = [((b[a] - b[c]) / (w[c] - w[a]), c) for c in range(len(w)) if w[c] > w[a]]
        if not ahead: break
        x, c = min(ahead)
        places.append(x); order.append(c)
    return order, places, [c for c in range(len(w)) if c not in order]
"""
FIT = """def fit(X, labels):
    return np.linalg.lstsq(np.c_[X, np.ones(len(X))], labels, rcond=None)[0]
"""
REST = FIT + """def f(X, y, k, new):
    T = np.array([fit(X, [1 if c == label else -1 for label in y]) for c in range(k)])
    s = new @ T[:, :-1].T + T[:, -1]
    return T, s.argmax(axis=1), (s > 0).sum(axis=1)
"""
ONE = FIT + """def f(X, y, k):
    P, T, read = [], [], 0
    for a in range(k):
        for b in range(a + 1, k):
            m = (y == a) | (y == b)
            P.append((a, b)); T.append(fit(X[m], np.where(y[m] == a, -1, 1))); read += sum(m)
    return P, T, read
"""
VOTE = """def f(pairs, scores, k):
    v = np.zeros((len(scores), k)); s = np.zeros((len(scores), k))
    for m, (a, b) in enumerate(pairs):
        for i in range(len(scores)):
            if scores[i, m] > 0: v[i, b] += 1
            else: v[i, a] += 1
            s[i, b] += scores[i, m]; s[i, a] -= scores[i, m]
    return v, [max(range(k), key=lambda c: (v[i, c], s[i, c])) for i in range(len(scores))]
"""
COLLEAGUE = """def f(X, y, k, passes):
    Z = np.column_stack([X, np.ones(len(X))])
    thetas = np.zeros((k, Z.shape[1]))
    for _ in range(passes):
        mistakes = 0
        F = Z @ thetas.T
        for i in range(len(X)):
            r = np.argmax(F[i])
            if r != y[i]:
                thetas[y[i]] += Z[i]
                mistakes += 1
    return thetas, mistakes
"""
LOWER = "thetas[y[i]] += Z[i]", "thetas[y[i]] += Z[i]; thetas[r] -= Z[i]"
FRESH = "            r = np.argmax(F[i])", "            F = Z @ thetas.T\n            r = np.argmax(F[i])"
ALL = "    for _ in range(passes):\n        mistakes = 0", "    mistakes = 0\n    for _ in range(passes):"
OTHERS = "r = np.argmax(F[i])\n            if r != y[i]", (
    "g = F[i].copy(); g[y[i]] = -np.inf; r = np.argmax(g)\n            if g[r] >= F[i, y[i]]")
LONG = """def f(X, y, thetas):
    Z = np.c_[X, np.ones(len(X))]; k = len(thetas); V = []
    for z, c in zip(Z, y):
        for r in range(k):
            if r == c: continue
            v = np.zeros((k, len(z))); v[c] = z; v[r] = -z; V.append(v.ravel())
    g = min(np.array(V) @ thetas.ravel()) / np.linalg.norm(thetas)
    return V, g, 2 * max((Z**2).sum(axis=1)) / g**2 if g > 0 else None
"""
SOFT = """def f(X, y, thetas):
    Z = np.c_[X, np.ones(len(X))]; s = Z @ thetas.T; s = s - s.max(axis=1, keepdims=True)
    p = np.exp(s) / np.exp(s).sum(axis=1, keepdims=True)
    n = np.arange(len(y)); q = p.copy(); q[n, y] -= 1
    return p, -np.log(p[n, y]).mean(), q.T @ Z / len(y)
"""
MIDDLE = """def f(x, y, k):
    o = np.argsort([x[y == c].mean() for c in range(k)]); T = np.zeros((k, 2))
    for i in range(1, k):
        cut = (x[y == o[i - 1]].max() + x[y == o[i]].min()) / 2
        T[o[i], 0] = i; T[o[i], 1] = T[o[i - 1], 1] - cut
    return [x.mean(), 2 / k - 1], sorted(o[1:-1]), T
"""

WRONG = [
    ("envelope", HIGHEST, "np.argmin(w)]", "np.argmin(b)]", "has length"),
    ("envelope", HIGHEST, "(b[a] - b[c])", "(b[c] - b[a])", "wrong sign"),
    ("envelope", HIGHEST, "min(ahead)", "max(ahead)", "last meeting"),
    ("envelope", HIGHEST, "min(ahead)", "min(ahead, key=lambda p: w[p[1]])", "next steeper line"),
    ("envelope", HIGHEST, "return order, places, [c for c in range(len(w)) if c not in order]",
     "return sorted(order), places, [c for c in range(len(w)) if c not in order]", "sorted by number"),
    ("envelope", HIGHEST, "return order, places, [c for c in range(len(w)) if c not in order]",
     "return order[::-1], places[::-1], [c for c in range(len(w)) if c not in order]", "right to left"),
    ("envelope", HIGHEST, "[c for c in range(len(w)) if c not in order]", "[]", "is empty"),
    ("envelope", HIGHEST, "[c for c in range(len(w)) if c not in order]", "len(w) - len(order)", "a count"),
    ("against_rest", REST, "1 if c == label else -1", "-1 if c == label else 1", "turned round"),
    ("against_rest", REST, "else -1", "else 0", "label 0"),
    ("against_rest", REST, " + T[:, -1]", "", "miss the offset"),
    ("against_rest", REST, "s.argmax(axis=1)", "s.argmin(axis=1)", "lowest score"),
    ("against_rest", REST, "s.argmax(axis=1)", "[next((c for c in range(k) if r[c] > 0), 0) for r in s]",
     "first class that says yes"),
    ("against_rest", REST, "s.argmax(axis=1)", "[np.argmax(r) if max(r) > 0 else -1 for r in s]", "nobody claims"),
    ("against_rest", REST, "(s > 0).sum(axis=1)", "[any(r > 0) * 1 for r in s]", "how many do"),
    ("against_rest", REST, "(s > 0).sum(axis=1)", "s.sum(axis=1)", "adds up the scores"),
    ("against_one", ONE, "range(a + 1, k)", "[b for b in range(k) if b != a]", "comes twice"),
    ("against_one", ONE, "y[m] == a, -1, 1", "y[m] == a, 1, -1", "exchanged"),
    ("against_one", ONE, "y[m] == a, -1, 1", "y[m] == a, 0, 1", "label 0"),
    ("against_one", ONE, "m = (y == a) | (y == b)", "m = y >= 0", "all examples"),
    ("against_one", ONE, "read += sum(m)", "read = sum(m)", "last pair"),
    ("against_one", ONE, "read += sum(m)", "read = k * len(y)", "one against rest"),
    ("against_one", ONE, "read += sum(m)", "read += 1", "counts the lines"),
    ("against_one", ONE, "range(a + 1, k)", "range(a + 1, min(a + 2, k))", "neighbours"),
    ("vote", VOTE.replace("scores[i, m] > 0", "scores[i, m] >= 0"), "FIRST class"),
    ("vote", VOTE.replace("scores[i, m] > 0", "scores[i, m] <= 0"), "wrong side"),
    ("vote", VOTE.replace("else: v", "elif scores[i, m] < 0: v"), "counts for nobody"),
    ("vote", VOTE.replace("(v[i, c], s[i, c])", "v[i, c]"), "argmax takes the first"),
    ("vote", VOTE.replace("(v[i, c], s[i, c])", "s[i, c]"), "votes come first"),
    ("vote", VOTE.replace("(v[i, c], s[i, c])", "v[i, c] + s[i, c]"), "overrules a vote"),
    ("vote", VOTE.replace("; s[i, a] -= scores[i, m]", ""), "forget the first class"),
    ("vote", VOTE.replace("(v[i, c], s[i, c])", "(v[i, c], s[i, c] * (v[i, c] == max(v[i])))").replace(
        "[max(range(k)", "[np.argmax(s[i] * (v[i] == max(v[i]))) if min(s[i]) < 0 else max(range(k)"), "all negative"),
    ("vote", VOTE[: VOTE.index("    return")] + "    w = []\n    for i in range(len(scores)):\n"
     "        best, who = 0, 0\n        for c in range(k):\n"
     "            if v[i, c] == max(v[i]) and s[i, c] > best: best, who = s[i, c], c\n        w.append(who)\n"
     "    return v, w", "all negative"),
    ("vote", VOTE[: VOTE.index("    return")] + "    w = []\n    for i in range(len(scores)):\n"
     "        lead = [c for c in range(k) if v[i, c] == max(v[i])]\n"
     "        w.append(lead[0] if len(lead) == 1 else np.argmax(s[i]))\n    return v, w", "sums of all classes"),
    ("vote", VOTE.replace("; s[i, a] -= scores[i, m]", "").replace("s[i, b] += scores[i, m]", "g = scores[i, m]\n"
     "            if g > 0: s[i, b] += g\n            else: s[i, a] -= g"), "that a class loses"),
    ("vote", "def f(pairs, scores, k):\n    n = len(scores); v = np.zeros((n, k)); s = np.zeros((n, k))\n"
     "    for i in range(n):\n        v[i, np.where(scores[i] > 0, pairs[:, 1], pairs[:, 0])] += 1\n"
     "    return v, v.argmax(axis=1)", "more than one vote"),
    ("vote", VOTE[: VOTE.index("    return")] + "    w = []\n    for i in range(len(scores)):\n"
     "        lead = [c for c in range(k) if v[i, c] == max(v[i])]\n        t = [0.0] * k\n"
     "        for m, (a, b) in enumerate(pairs):\n            if a in lead and b in lead:\n"
     "                t[a] -= scores[i, m]; t[b] += scores[i, m]\n"
     "        w.append(max(lead, key=lambda c: t[c]))\n    return v, w", "own lines alone"),
    ("all_rows", COLLEAGUE, "as it was"),
    ("all_rows", COLLEAGUE, *LOWER, *ALL, *FRESH, "equal score"),
    ("all_rows", COLLEAGUE, *ALL, FRESH[0], "            F = Z @ thetas.T\n            " + OTHERS[1].split("\n")[0],
     "if r != y[i]", "if g[r] >= F[i, y[i]]", "Only the true row moves"),
    ("all_rows", COLLEAGUE, *LOWER, *ALL, *OTHERS, "start of the pass"),
    ("all_rows", COLLEAGUE, *LOWER, FRESH[0], "            F = Z @ thetas.T\n            " + OTHERS[1].split("\n")[0],
     "if r != y[i]", "if g[r] >= F[i, y[i]]", "0 in every pass"),
    ("all_rows", COLLEAGUE, *LOWER, *ALL, "old scores, and the equal scores"),
    ("all_rows", COLLEAGUE, *ALL, *FRESH, "rival's row, and the equal scores"),
    ("stacked", LONG, "v[c] = z; v[r] = -z", "v[c] = -z; v[r] = z", "exchanged"),
    ("stacked", LONG, "v[r] = -z; ", "", "lacks the rival"),
    ("stacked", LONG, "v[r] = -z", "v[r] = z", "no minus"),
    ("stacked", LONG, " / np.linalg.norm(thetas)", "", "not divided"),
    ("stacked", LONG, "norm(thetas)", "norm(thetas[:, :-1])", "leaves out the offsets"),
    ("stacked", LONG, "2 * max", "max", "two blocks"),
    ("stacked", LONG, "(Z**2)", "(X**2)", "leaves out the 1"),
    ("stacked", LONG, "g**2", "g", "multiplied by the right `gamma`"),
    ("stacked", LONG, " if g > 0 else None", "", "None"),
    ("unmask", MIDDLE, "2 / k - 1", "1 / k", "labels of the point are 1 and 0"),
    ("unmask", MIDDLE, "x.mean(), 2", "np.median(x), 2", "mean of all x"),
    ("unmask", MIDDLE, "sorted(o[1:-1])", "o[1:-1]", "increasing order"),
    ("unmask", MIDDLE, "sorted(o[1:-1])", "[]", "is empty"),
    ("unmask", MIDDLE, "T[o[i - 1], 1] - cut", "-cut", "forget that of the class before"),
    ("unmask", MIDDLE, "T[o[i - 1], 1] - cut", "-i * cut", "is 0 at its border"),
    ("unmask", MIDDLE, ".max() + x[y == o[i]].min()", ".mean() + x[y == o[i]].mean()", "between the means"),
    ("unmask", MIDDLE, "T[o[i], 0] = i; T[o[i], 1] = T[o[i - 1], 1]", "T[i, 0] = i; T[i, 1] = T[i - 1, 1]",
     "row of class c is row c"),
    ("all_rows", COLLEAGUE, *LOWER, *FRESH, *OTHERS, *ALL, "for _ in range(passes):",
     "for _ in range(passes):\n        thetas = np.zeros((k, Z.shape[1]))", "begin at 0 in every pass"),
    ("shares", SOFT, "; s = s - s.max(axis=1, keepdims=True)", "", "overflows"),
    ("shares", SOFT, "s.max(axis=1, keepdims=True)", "s.max()", "one number for all"),
    ("shares", SOFT, "-np.log(p[n, y])", "np.log(p[n, y])", "opposite sign"),
    ("shares", SOFT, "-np.log(p[n, y]).mean()", "-np.log(p[n, y]).sum()", "multiplied by n"),
    ("shares", SOFT, "-np.log(p[n, y])", "(1 - p[n, y])", "1 - p"),
    ("shares", SOFT, "q[n, y] -= 1", "q[n, y] -= 0", "forgets the true class"),
    ("shares", SOFT, "q.T @ Z / len(y)", "q.T @ Z", "divide by n"),
    ("shares", SOFT, "q.T @ Z / len(y)", "-q.T @ Z / len(y)", "downhill"),
    ("shares", SOFT, "q.T @ Z / len(y)", "Z.T @ q / len(y)", "lies on its side"),
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
    for X, y, k in drawn["against_one"].cases:
        data = ck.datasets.Dataset(X, y, tuple(map(str, range(X.shape[1]))), tuple(map(str, range(k))))
        rule = ck.one_vs_one(data, least)
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


@pytest.mark.parametrize("seed", SEEDS)
def test_leaders_of_a_vote_never_have_equal_sums(seed):
    for chosen, scores, k in tasks(CHAPTER, seed)["vote"].cases:
        for row in scores:
            votes, sums = np.zeros(k), np.zeros(k)
            for (a, b), f in zip(chosen, row, strict=True):
                votes[b if f > 0 else a] += 1
                sums[b] += f
                sums[a] -= f
            leading = sums[votes == votes.max()]
            assert len(np.unique(leading)) == len(leading)
