"""Exercise 10: right answers in other spellings, wrong ones in the words of a student."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics import precision_score, recall_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from coursekit.checking.judge import judged
from tests.checking.judging import COURSE, SEEDS, tasks

CHAPTER = "10-real-data"


def standardise_loop(train, test):
    out = [train.tolist(), test.tolist()]
    for j in range(train.shape[1]):
        column = train[:, j].tolist()
        m = sum(column) / len(column)
        s = (sum((v - m) ** 2 for v in column) / len(column)) ** 0.5
        for part in out:
            for row in part:
                row[j] = (row[j] - m) / (s if s > 0 else 1)
    return out


def standardise_copy(train, test):
    m, s = np.mean(train, 0), np.std(train, 0)
    s[s == 0] = 1
    a, b = train.copy(), test.copy()
    a -= m
    b -= m
    return a / s, (b / s).astype(np.float32)


def standardise_variance(train, test):
    centred = train - train.mean(0, keepdims=True)
    v = np.mean(centred**2, axis=0)
    return tuple((p - train.mean(0)) / np.sqrt(v + (v == 0)) for p in (train, test))


def threshold_loop(f, y, cost):
    best = None
    for t in [0.0, *f.tolist()]:
        price = sum((cost if label < 0 else 0) if s > t else (label > 0) for s, label in zip(f, y, strict=True))
        if best is None or (price, -t) < best:
            best = price, -t
    price, t = best[0], -best[1]
    hits, called = sum((f > t) & (y > 0)), sum(f > t)
    return t, price, hits / called if called else 1, hits / sum(y > 0)


def threshold_table(f, y, cost):
    ts = np.sort(np.r_[0, f])[::-1]
    called = f > ts[:, None]
    prices = called @ (cost * (y < 0)) + ~called @ (1.0 * (y > 0))
    k = prices.argmin()
    return ts[k], prices[k], precision_score(y, 2 * called[k] - 1, zero_division=1), recall_score(y, 2 * called[k] - 1)


def threshold_counts(f, y, cost):
    def price(t):
        return cost * np.count_nonzero(f[y < 0] > t) + np.count_nonzero(f[y > 0] <= t)

    t = min(sorted([*f, 0], reverse=True), key=price)
    kept = y[f > t]
    return [np.float32(t), price(t), 1.0 if not len(kept) else (kept.mean() + 1) / 2, np.mean(f[y == 1] > t)]


def folds_ridge(X, y, fold, lams):
    rows = []
    for k in sorted(set(fold)):
        out = fold != k
        rows.append([np.mean(y[~out] * make_pipeline(StandardScaler(), Ridge(out.sum() * lam / 2)).fit(
            X[out], y[out]).predict(X[~out]) <= 0) for lam in lams])
    errors, give = np.mean(rows, 0), np.std(rows, 0, ddof=1) / len(rows) ** 0.5
    k = errors.argmin()
    lam = np.max(lams[errors <= errors[k] + give[k] + 1e-9])
    return errors, give, lam, 1 / lam / len(y)


def folds_turned(X, y, fold, lams):
    errors, give = [], []
    for lam in lams:
        shares = []
        for k in np.unique(fold):
            m, s = X[fold != k].mean(0), X[fold != k].std(0)
            Z = np.c_[(X - m) / s, np.ones(len(X))]
            A, t = Z[fold != k], y[fold != k]
            P = np.diag([lam / 2] * X.shape[1] + [0]) * len(A)
            theta = np.linalg.solve(A.T @ A + P, A.T @ t)
            shares.append(np.mean((Z @ theta * y <= 0)[fold == k]))
        errors.append(sum(shares) / len(shares))
        give.append((sum((v - errors[-1]) ** 2 for v in shares) / (len(shares) - 1) / len(shares)) ** 0.5)
    low = min(errors)
    bar = low + give[errors.index(low)]
    lam = max(v for v, e in zip(lams, errors, strict=True) if e < bar + 1e-9)
    return errors, give, lam, (len(y) * lam) ** -1


def folds_single(X, y, fold, lams):
    errors, give, lam, C = folds_turned(X, y, fold, lams)
    return np.float32(errors), tuple(give), np.float32(lam), np.array(C)


def study_ridge(X, y, part, lams, d):
    seen = {tuple(x) for x in X[part < 2]}
    m, s = X[part == 0].mean(0), X[part == 0].std(0)
    S = (X - m) / s
    best = sorted(range(X.shape[1]), key=lambda j: -abs(S[part == 0, j] @ y[part == 0]))[:d]
    S = S[:, best]
    models = [Ridge(np.sum(part == 0) * lam / 2).fit(S[part == 0], y[part == 0]) for lam in lams]
    wrong = [np.sum(m.predict(S[part == 1]) * y[part == 1] <= 0) for m in models]
    k = min(range(len(lams)), key=lambda k: (wrong[k], -lams[k]))
    test = [i for i in np.flatnonzero(part == 2) if tuple(X[i]) not in seen]
    missed = models[k].predict(S[test]) * y[test] <= 0
    return lams[k], missed.mean(), missed.std() / len(test) ** 0.5


def study_order(X, y, part, lams, d):
    lam, error, give = study_ridge(X, y, part, np.sort(lams)[::-1], d)
    return [float(lam), np.float32(error), give]


def study_kept(X, y, part, lams, d):
    known = [any(np.array_equal(X[i], X[j]) for j in np.flatnonzero(part < 2)) and part[i] == 2 for i in range(len(y))]
    return study_ridge(X[~np.array(known)], y[~np.array(known)], part[~np.array(known)], lams, d)


def paired_loop(a, b):
    diff = [p - q for p, q in zip(a.tolist(), b.tolist(), strict=True)]
    mean = sum(diff) / len(diff)
    spread = (sum((v - mean) ** 2 for v in diff) / (len(diff) - 1)) ** 0.5
    return mean, spread, sum(1 if v < 0 else 0.5 if v == 0 else 0 for v in diff)


def paired_cov(a, b):
    C = np.cov(a, b)
    return a.mean() - b.mean(), np.sqrt(C[0, 0] + C[1, 1] - 2 * C[0, 1]), np.mean(1 - np.sign(a - b)) * len(a) / 2


def paired_single(a, b):
    d = (a - b).astype(np.float32)
    return np.array([d.mean(), d.std(ddof=1), 0.5 * ((d < 0).sum() + (d <= 0).sum())])


def reliable_loop(p, y, edges):
    claimed, true = [], []
    for j in range(len(edges) - 1):
        rows = [i for i in range(len(p)) if edges[j] <= p[i] < edges[j + 1]]
        claimed.append(sum(p[i] for i in rows) / len(rows))
        true.append(sum(y[i] == 1 for i in rows) / len(rows))
    return claimed, true, max(abs(c - t) for c, t in zip(claimed, true, strict=True))


def reliable_digitize(p, y, edges):
    k = np.digitize(p, edges) - 1
    n = np.bincount(k)
    claimed, true = np.bincount(k, p) / n, np.bincount(k, y > 0) / n
    return claimed, true, np.abs(true - claimed).max()


def reliable_search(p, y, edges):
    k = np.searchsorted(edges, p, side="right")
    both = np.array([[p[k == j].mean(), y[k == j].mean() / 2 + 0.5] for j in range(1, len(edges))], np.float32)
    return both[:, 0], both[:, 1], np.ptp(both, axis=1).max()


def project_least_squares(X, y, seed):
    m, s = X.mean(0), X.std(0)
    s[s == 0] = 1
    Z = np.c_[(X - m) / s, np.ones(len(X))]
    t = np.linalg.solve(Z.T @ Z + 20 * np.eye(Z.shape[1]), Z.T @ y)
    w = t[:-1] / s
    return [*w.tolist(), t[-1] - w @ m]


def project_pegasos(X, y, seed):
    rng = np.random.default_rng(seed)
    m, s = X.mean(0), np.where(X.std(0) > 0, X.std(0), 1)
    Z = np.c_[(X - m) / s, np.ones(len(X))]
    t, total = np.zeros(Z.shape[1]), np.zeros(Z.shape[1])
    for k, i in enumerate(rng.integers(len(y), size=1500), start=1):
        hit = y[i] * (Z[i] @ t) <= 1
        t = (1 - 1 / k) * t + hit * y[i] * Z[i] / (0.1 * k)
        total += t
    t = total / 1500
    return np.append(t[:-1] / s, t[-1] - (t[:-1] / s) @ m).astype(np.float32)


def project_hinge(X, y, seed):
    mean, spread = X.mean(axis=0), X.std(axis=0) + 1e-3 * (X.std(axis=0) == 0)
    S, w, b = (X - mean) / spread, np.zeros(X.shape[1]), 0.0
    for k in range(200):
        hit = (y * (S @ w + b) <= 1) * y
        eta = 0.5 / np.sqrt(k + 1)
        w, b = w - eta * (0.01 * w - hit @ S / len(y)), b + eta * hit.mean()
    return tuple(np.append(w / spread, b - (w / spread) @ mean))


def project_centroids(X, y, seed):
    mean, spread = X.mean(axis=0), X.std(axis=0) + (X.std(axis=0) == 0)
    S = (X - mean) / spread
    high, low = S[y > 0].mean(axis=0), S[y < 0].mean(axis=0)
    w = (high - low) / spread
    return np.append(w, (low @ low - high @ high) / 2 - w @ mean)


def redraw_pinv(w, ink, stroke, gone):
    """The shortest w with A w as it was."""
    A = np.zeros((stroke.max() + 1, len(w)))
    A[stroke, range(len(w))] = ink
    smooth = np.linalg.pinv(A) @ A @ w
    B = A * (np.arange(len(w)) != gone)
    spared = np.linalg.pinv(B) @ A @ w
    return smooth, spared if np.allclose(B @ spared, A @ w) else None, 1 - smooth @ smooth / (w @ w)


def redraw_loop(w, ink, stroke, gone):
    smooth, spared = [0.0] * len(w), [0.0] * len(w)
    for s in set(stroke):
        those = [j for j in range(len(w)) if stroke[j] == s]
        left = [j for j in those if j != gone]
        total = sum(ink[j] * w[j] for j in those)
        for j in those:
            smooth[j] = total * ink[j] / sum(ink[i] ** 2 for i in those)
        for j in left:
            spared[j] = total * ink[j] / sum(ink[i] ** 2 for i in left)
    alone = list(stroke).count(stroke[gone]) == 1
    return [smooth, None if alone else spared, np.linalg.norm(w - smooth) ** 2 / np.linalg.norm(w) ** 2]


def redraw_projected(w, ink, stroke, gone):
    def along(way):
        ways = np.array([way * (stroke == s) for s in range(stroke.max() + 1)])
        return ((ways.T / (ways @ way)) * (ways_full @ w)).sum(axis=1)

    ways_full = np.array([ink * (stroke == s) for s in range(stroke.max() + 1)])
    smooth, rest = along(ink), np.where(np.arange(len(w)) == gone, 0.0, ink)
    spared = along(rest) if np.sum(stroke == stroke[gone]) > 1 else None
    return smooth, spared, np.float32(((w - smooth) @ w) / (w @ w))


def project_perceptron(X, y, seed):
    Z = np.column_stack([X, np.ones(len(X))])
    m, s = Z.mean(axis=0), np.where(Z.std(axis=0) > 0, Z.std(axis=0), 1)
    m[-1] = 0
    theta, total = np.zeros(Z.shape[1]), np.zeros(Z.shape[1])
    for i in np.tile(np.random.default_rng(seed).permutation(len(y)), 8):
        z = (Z[i] - m) / s
        if y[i] * (theta @ z) <= 0:
            theta = theta + y[i] * z
        total += theta
    w = total / s
    w[-1] -= w @ m
    return w


VARIANTS = {
    "standardise": [standardise_loop, standardise_copy, standardise_variance],
    "threshold": [threshold_loop, threshold_table, threshold_counts],
    "folds": [folds_ridge, folds_turned, folds_single],
    "study": [study_ridge, study_order, study_kept],
    "paired": [paired_loop, paired_cov, paired_single],
    "redraw": [redraw_pinv, redraw_loop, redraw_projected],
    "reliable": [reliable_loop, reliable_digitize, reliable_search],
    "project": [project_least_squares, project_pegasos, project_hinge, project_perceptron],
}

STANDARD = """def f(train, test):
    m = train.mean(axis=0); s = train.std(axis=0); s[s == 0] = 1
    return (train - m) / s, (test - m) / s
"""
PROJECT = """def f(X, y, seed):
    m = X.mean(axis=0); s = X.std(axis=0); s[s == 0] = 1
    S = (X - m) / s; w = np.zeros(len(m)); b = 0
    for k in range(200):
        p = y / (1 + np.exp(y * (S @ w + b)))
        w = w + 0.1 * (S.T @ p / len(y) - 0.1 * w); b = b + 0.1 * p.mean()
    return np.append(w / s, b - (w / s) @ m)
"""
BACK = "np.append(w / s, b - (w / s) @ m)"
PRICES = """def f(f, y, cost):
    T = [0, *f]; P = [cost * sum((f > t) & (y < 0)) + sum((f <= t) & (y > 0)) for t in T]
    t = max(t for t, p in zip(T, P) if p == min(P)); c = f > t
    return t, min(P), np.mean(y[c] > 0) if any(c) else 1, np.mean(c[y > 0])
"""
CHOICE = """def fit(X, y, lam):
    m = X.mean(axis=0); A = X - m
    w = np.linalg.solve(A.T @ A / len(X) + lam / 2 * np.eye(X.shape[1]), A.T @ (y - y.mean()) / len(X))
    return np.append(w, y.mean() - w @ m)
"""
FOLDS = CHOICE + """def f(X, y, fold, lams):
    E = np.zeros((max(fold) + 1, len(lams)))
    for k in range(max(fold) + 1):
        a, b = X[fold != k], X[fold == k]
        m, s = a.mean(axis=0), a.std(axis=0)
        for j in range(len(lams)):
            t = fit((a - m) / s, y[fold != k], lams[j])
            E[k, j] = np.mean(y[fold == k] * ((b - m) / s @ t[:-1] + t[-1]) <= 0)
    e = E.mean(axis=0); g = E.std(axis=0, ddof=1) / np.sqrt(len(E)); i = e.argmin()
    lam = max(lams[e <= e[i] + g[i] + 1e-12])
    return e, g, lam, 1 / (len(y) * lam)
"""
STUDY = CHOICE + """def f(X, y, part, lams, d):
    tr, va = part == 0, part == 1
    te = (part == 2) & ~np.array([any((x == z).all() for z in X[part < 2]) for x in X])
    c = np.abs((X[tr] - X[tr].mean(axis=0)).T @ y[tr]) / X[tr].std(axis=0)
    X = X[:, np.argsort(c)[-d:]]; A = (X - X[tr].mean(axis=0)) / X[tr].std(axis=0)
    best = 9
    for lam in sorted(lams)[::-1]:
        t = fit(A[tr], y[tr], lam); g = y * (A @ t[:-1] + t[-1]) <= 0
        if g[va].mean() < best: best, keep, error = g[va].mean(), lam, g[te].mean()
    return keep, error, (error * (1 - error) / te.sum()) ** 0.5
"""
PICTURE = """def f(w, ink, stroke, gone):
    kinds = range(max(stroke) + 1)
    def short(ink2):
        T = np.array([sum((ink * w)[stroke == s]) for s in kinds])
        Q = np.array([sum(ink2[stroke == s] ** 2) for s in kinds])
        return ink2 * (T / Q)[stroke] if min(Q) > 0 else None
    left = ink.copy(); left[gone] = 0
    smooth, spared = short(ink), short(left)
    return smooth, spared, sum((w - smooth) ** 2) / sum(w ** 2)
"""
PAIRS = """def f(a, b):
    d = a - b
    return d.mean(), d.std(ddof=1), sum(d < 0) + 0.5 * sum(d == 0)
"""
BINS = """def f(p, y, edges):
    B = [(p >= edges[j]) & (p < edges[j + 1]) for j in range(len(edges) - 1)]
    c = np.array([p[b].mean() for b in B]); t = np.array([(y[b] == 1).mean() for b in B])
    return c, t, max(abs(c - t))
"""

WRONG = [
    ("standardise", STANDARD, "m = train", "both = np.vstack([train, test]); m = both", "s = train", "s = both",
     "that is a leak"),
    ("standardise", STANDARD, "(test - m) / s", "(test - test.mean(axis=0)) / test.std(axis=0)", "by itself"),
    ("standardise", STANDARD, "(test - m)", "(test - test.mean(axis=0))", "test part's own mean"),
    ("standardise", STANDARD, "std(axis=0)", "std(axis=0, ddof=1)", "n - 1"),
    ("standardise", STANDARD, "s[s == 0] = 1", "pass", "take 1 instead"),
    ("standardise", STANDARD, "s[s == 0] = 1", "s += 1e-9", "explode"),
    ("standardise", STANDARD, "s[s == 0] = 1", "m[s == 0] = 0; s[s == 0] = 1", "its mean is taken away"),
    ("standardise", STANDARD, "m = train.mean", "m = train.min", "s = train.std(axis=0)",
     "s = train.max(axis=0) - train.min(axis=0)", "range from 0 to 1"),
    ("standardise", STANDARD, "m = train", "train -= 1; m = train", "changed its argument train"),
    ("standardise", STANDARD, "return (train - m) / s, (test - m) / s", "return (train - m) / s",
     "only `train` came back"),
    ("threshold", PRICES, "cost * sum((f > t) & (y < 0)) + sum", "sum((f > t) & (y < 0)) + cost * sum", "exchanged"),
    ("threshold", PRICES, "cost * sum", "sum", "a letter costs more"),
    ("threshold", PRICES, "[0, *f]", "[0]", "stay at 0"),
    ("threshold", PRICES, "t = max(", "t = min(", "take the largest"),
    ("threshold", PRICES, "any(c) else 1", "any(c) else 0", "precision is 1"),
    ("threshold", PRICES, "max(t for t, p in zip(T, P) if p == min(P))", "T[int(np.argmin(P))]", "first that you meet"),
    ("threshold", PRICES, "return t, min(P)", "return t, sum(c != (y > 0))", "number of errors"),
    ("threshold", PRICES, "c = f > t", "c = f >= t", "the score `t` itself"),
    ("threshold", PRICES, "[0, *f]", "f", "0 is missing"),
    ("threshold", PRICES, "np.mean(c[y > 0])", "np.mean(~c[y < 0])", "honest mail that is spared"),
    ("threshold", PRICES, " if any(c) else 1", "", "precision is 1"),
    ("threshold", PRICES, "np.mean(c[y > 0])", "sum(c[y > 0]) / len(y)", "all spam"),
    ("folds", FOLDS, "a.mean(axis=0), a.std(axis=0)", "X.mean(axis=0), X.std(axis=0)", "know the fold"),
    ("folds", FOLDS, "a.mean(axis=0), a.std(axis=0)", "0, 1", "do not standardise"),
    ("folds", FOLDS, "ddof=1", "ddof=0", "divides by k"),
    ("folds", FOLDS, " / np.sqrt(len(E))", "", "divide by root k"),
    ("folds", FOLDS, "max(lams[e", "min(lams[e", "lambda"),
    ("folds", FOLDS, "max(lams[e <= e[i] + g[i] + 1e-12])", "lams[i]", "lowest error"),
    ("folds", FOLDS, "1 / (len(y) * lam)", "1 / lam", "multiplied by n"),
    ("folds", FOLDS, "e[i] + g[i]", "e[i] + min(g)", "smallest standard error"),
    ("folds", FOLDS, "e <= e[i] + g[i]", "e <= e[i] + g", "that of the lowest error counts"),
    ("folds", FOLDS, "y[fold == k] * ((b", "y[fold != k] * ((a", "what was learned"),
    ("study", STUDY, " & ~np.array([any((x == z).all() for z in X[part < 2]) for x in X])", "", "came twice"),
    ("study", STUDY, "np.abs((X[tr] - X[tr].mean(axis=0)).T @ y[tr]) / X[tr].std(axis=0)",
     "np.abs((X - X.mean(axis=0)).T @ y) / X.std(axis=0)", "chose the features"),
    ("study", STUDY, "(X - X[tr].mean(axis=0)) / X[tr].std(axis=0)", "(X - X.mean(axis=0)) / X.std(axis=0)",
     "know the test part"),
    ("study", STUDY, "X[part < 2]", "X[part == 0]", "validation part are known"),
    ("study", STUDY, "sorted(lams)[::-1]", "sorted(lams)", "largest lambda"),
    ("study", STUDY, "return keep, error", "return keep, best", "the part that chose lambda"),
    ("study", STUDY, "/ te.sum()) ** 0.5", "/ te.sum())", "the square of"),
    ("study", STUDY, "/ te.sum()) ** 0.5", "/ sum(part == 2)) ** 0.5", "came twice, too"),
    ("study", STUDY, "if g[va].mean() < best", "if g[tr].mean() < best", "error = g[va]", "error = g[tr]",
     "training part chose lambda"),
    ("redraw", PICTURE, "(ink * w)", "w", "lacks the ink"),
    ("redraw", PICTURE, "ink2[stroke == s] ** 2", "ink2[stroke == s]", "sum of the inks"),
    ("redraw", PICTURE, "return ink2 * ", "return ", "lack the ink"),
    ("redraw", PICTURE, "if min(Q) > 0 else None", "", "none can be spared"),
    ("redraw", PICTURE, "return smooth, spared,", "return smooth, smooth * (left > 0) if spared is not None else None,",
     "gives other scores"),
    ("redraw", PICTURE, "sum((w - smooth) ** 2)", "sum(smooth ** 2)", "1 minus"),
    ("study", STUDY, "[-d:]", "[:d]", "go worst"),
    ("study", STUDY, "for z in X[part < 2]) for x in X]", "for z in X[part < 2, :2]) for x in X[:, :2]]", "`error`"),
    ("study", STUDY, "te = (part", "te = (part", "X[tr] - X[tr].mean(axis=0)).T", "X[tr]).T", "lacks the mean"),
    ("study", STUDY, "(X[tr] - X[tr].mean(axis=0)).T @ y[tr]) / X[tr].std(axis=0)",
     "(X[part < 2] - X[part < 2].mean(axis=0)).T @ y[part < 2]) / X[part < 2].std(axis=0)", "helped to choose"),
    ("paired", PAIRS, "a - b", "b - a", "turned round"),
    ("paired", PAIRS, "ddof=1", "ddof=0", "divides by m"),
    ("paired", PAIRS, "d.std(ddof=1)", "np.sqrt(a.var(ddof=1) + b.var(ddof=1))", "independent"),
    ("paired", PAIRS, " + 0.5 * sum(d == 0)", "", "leave out ties"),
    ("paired", PAIRS, "d.mean()", "d.sum()", "multiplied by n, the length of a"),
    ("paired", PAIRS, "d.mean()", "round(d.mean(), 3)", "is rounded"),
    ("paired", PAIRS, "d.std(ddof=1)", "a.std(ddof=1)", "of a alone"),
    ("paired", PAIRS, "0.5 * sum(d == 0)", "-sum(d > 0)", "wins minus losses"),
    ("paired", PAIRS, "return d", "print(d", "5 * sum(d == 0)", "5 * sum(d == 0))", "paired must reach a return"),
    ("reliable", BINS, "(y[b] == 1).mean()", "y[b].mean()", "mean label"),
    ("reliable", BINS, "(y[b] == 1).mean()", "(y[b] == 1).sum()", "a count"),
    ("reliable", BINS, "max(abs(c - t))", "max(c - t)", "one way"),
    ("reliable", BINS, "(p >= edges[j]) & (p < edges[j + 1])", "(p > edges[j]) & (p <= edges[j + 1])", "upper edge"),
    ("reliable", BINS, "p < edges", "p <= edges", "two bins"),
    ("reliable", BINS, "p[b].mean()", "np.median(p[b])", "a median"),
    ("reliable", BINS, "(y[b] == 1).mean()", "(y[b] == 1).sum() / len(y)", "all bins"),
    ("reliable", BINS, "max(abs(c - t))", "abs(c - t)[-1]", "the last bin"),
    ("project", PROJECT, BACK, "np.append(w, b)", "On standardised features your theta would do"),
    ("project", PROJECT, "b - (w / s) @ m)", "b)", "carry the offset back"),
    ("project", PROJECT, BACK, "w / s", "offset is missing"),
    ("project", PROJECT, BACK, "np.append(b - (w / s) @ m, w / s)", "offset comes first"),
    ("project", PROJECT, "p = y /", "p = -y /", "opposite sign"),
    ("project", PROJECT, BACK, "np.zeros(len(m) + 1)", "theta is 0"),
    ("project", PROJECT, BACK, "np.random.default_rng(seed).normal(size=len(m) + 1) / np.append(s, 9)",
     "at most 20% may be wrong"),
    ("project", PROJECT, BACK, "np.random.default_rng(seed).normal(size=len(m) + 1)", "one feature nearly alone"),
    ("project", PROJECT, BACK, "np.append(np.eye(len(m))[s.argmax()], -m[s.argmax()])", "one feature nearly alone"),
    ("project", PROJECT, BACK, "np.ones(3)", "yours has (3,)"),
    ("project", PROJECT, BACK, "'a line'", "not made of numbers"),
    ("project", PROJECT, BACK, "(np.append(w, b), 0.1)", "return theta alone"),
    ("project", PROJECT, "return", "theta =", "returned None"),
]


@pytest.mark.parametrize("seed", SEEDS)
def test_the_project_holds_out_what_a_good_classifier_gets_right(seed):
    task, scores = tasks(CHAPTER, seed)["project"], []
    for (X, y, _), (X_new, y_new) in zip(task.cases, task.right, strict=True):
        model = make_pipeline(StandardScaler(), LogisticRegression(C=0.3)).fit(X, y)
        scores.append(model.score(X_new, y_new))
        assert max(np.mean(y_new == 1), np.mean(y_new == -1)) < 0.8
    assert np.mean(scores) >= 0.83


def test_the_project_tells_when_it_was_close():
    task, project = tasks(CHAPTER)["project"], COURSE[CHAPTER].space["project"]
    thetas = [project(*case) for case in task.cases]
    guess = np.zeros(len(thetas[0]))
    notes = [judged(task, [guess] * k + thetas[k:]) for k in range(3)]
    assert not notes[0].sentence
    assert any("with other data it could be more" in v.note or "at most 20%" in v.sentence for v in notes[1:])
