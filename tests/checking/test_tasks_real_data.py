"""Exercise 10: right answers, and edits that keep them right or make them wrong."""

import itertools

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics import precision_score, recall_score  # noqa: F401 - in edits
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from coursekit.checking.judge import judged
from tests.checking.judging import COURSE, SEEDS, tasks

CHAPTER = "10-real-data"


def standardise(train, test):
    m, s = train.mean(axis=0), train.std(axis=0)
    s[s == 0] = 1
    return (train - m) / s, (test - m) / s


def threshold(f, y, cost):
    T = [0, *f]
    P = [cost * sum((f > t) & (y < 0)) + sum((f <= t) & (y > 0)) for t in T]
    t = max(t for t, p in zip(T, P, strict=True) if p == min(P))
    c = f > t
    return t, min(P), np.mean(y[c] > 0) if any(c) else 1, np.mean(c[y > 0])


def fit(X, y, lam):
    m = X.mean(axis=0)
    A = X - m
    w = np.linalg.solve(A.T @ A / len(X) + lam / 2 * np.eye(X.shape[1]), A.T @ (y - y.mean()) / len(X))
    return np.append(w, y.mean() - w @ m)


def fit__ridge(X, y, lam):
    model = Ridge(len(X) * lam / 2).fit(X, y)
    return np.append(model.coef_, model.intercept_)


def folds(X, y, fold, lams):
    E = np.zeros((max(fold) + 1, len(lams)))
    for k in range(len(E)):
        a, b = X[fold != k], X[fold == k]
        m, s = a.mean(axis=0), a.std(axis=0)
        for j in range(len(lams)):
            t = fit((a - m) / s, y[fold != k], lams[j])
            E[k, j] = np.mean(y[fold == k] * ((b - m) / s @ t[:-1] + t[-1]) <= 0)
    e, g = E.mean(axis=0), E.std(axis=0, ddof=1) / np.sqrt(len(E))
    i = e.argmin()
    lam = max(lams[e <= e[i] + g[i] + 1e-12])
    return e, g, lam, 1 / (len(y) * lam)


def study(X, y, part, lams, d):
    train, check, known = part == 0, part == 1, X[part < 2]
    test = (part == 2) & ~np.array([any((x == z).all() for z in known) for x in X])
    c = np.abs((X[train] - X[train].mean(axis=0)).T @ y[train]) / X[train].std(axis=0)
    X = X[:, np.argsort(c)[-d:]]
    A = (X - X[train].mean(axis=0)) / X[train].std(axis=0)
    best = 9
    for lam in sorted(lams)[::-1]:
        t = fit(A[train], y[train], lam)
        g = y * (A @ t[:-1] + t[-1]) <= 0
        if g[check].mean() < best:
            best, keep, error = g[check].mean(), lam, g[test].mean()
    return keep, error, (error * (1 - error) / test.sum()) ** 0.5


def paired(a, b):
    d = a - b
    return d.mean(), d.std(ddof=1), sum(d < 0) + 0.5 * sum(d == 0)


def reliable(p, y, edges):
    B = [(p >= low) & (p < high) for low, high in itertools.pairwise(edges)]
    c, t = np.array([p[b].mean() for b in B]), np.array([(y[b] == 1).mean() for b in B])
    return c, t, max(abs(c - t))


def redraw(w, ink, stroke, gone):
    def short(ink2):
        T = np.array([sum((ink * w)[stroke == s]) for s in range(max(stroke) + 1)])
        Q = np.array([sum(ink2[stroke == s] ** 2) for s in range(max(stroke) + 1)])
        return ink2 * (T / Q)[stroke] if min(Q) > 0 else None

    left = np.where(np.arange(len(w)) == gone, 0, ink)
    smooth, spared = short(ink), short(left)
    return smooth, spared, sum((w - smooth) ** 2) / sum(w**2)


def redraw__pinv(w, ink, stroke, gone):
    """The shortest w with A w as it was."""
    A = np.zeros((stroke.max() + 1, len(w)))
    A[stroke, range(len(w))] = ink
    B = A * (np.arange(len(w)) != gone)
    smooth, spared = np.linalg.pinv(A) @ A @ w, np.linalg.pinv(B) @ A @ w
    return smooth, spared if np.allclose(B @ spared, A @ w) else None, 1 - smooth @ smooth / (w @ w)


def project(X, y, seed):
    m, s = X.mean(axis=0), X.std(axis=0)
    s[s == 0] = 1
    S, w, b = (X - m) / s, np.zeros(len(m)), 0
    for _ in range(200):
        p = y / (1 + np.exp(y * (S @ w + b)))
        w, b = w + 0.1 * (S.T @ p / len(y) - 0.1 * w), b + 0.1 * p.mean()
    return np.append(w / s, b - (w / s) @ m)


ONE_ERROR, LARGEST = "max(lams[e <= e[i] + g[i] + 1e-12])", "max(t for t, p in zip(T, P, strict=True) if p == min(P))"
SEEN, BACK = "any((x == z).all() for z in known)", "np.append(w / s, b - (w / s) @ m)"
GOES = "(X[train] - X[train].mean(axis=0)).T @ y[train]) / X[train].std(axis=0)"
RIGHT = [
    ("standardise", "train.std(axis=0)", "train.var(axis=0) ** 0.5", ", (test", ", ((test", ") / s\n",
     ") / s).tolist()\n"),
    ("standardise", "    s[s == 0] = 1", "    return [[[(v - a) / (b or 1) for v, a, b in zip(row, m, s, strict=True)] "
     ""
     "for row in part]\n"
     "            for part in (train, test)]"),
    ("threshold", LARGEST, "min(sorted(T, reverse=True), key=dict(zip(T, P)).get)", "return t,",
     "return np.float32(t),"),
    ("threshold", "np.mean(y[c] > 0) if any(c) else 1, np.mean(c[y > 0])",
     "precision_score(y, 2 * c - 1, zero_division=1), recall_score(y, 2 * c - 1)"),
    ("folds", "fit(", "fit__ridge(", "return e,", "return e.astype(np.float32),"),
    ("folds", "E.std(axis=0, ddof=1)", "(sum((row - e) ** 2 for row in E) / (len(E) - 1)) ** 0.5", "e, g =",
     "e = E.mean(axis=0)\n    e, g ="),
    ("study", "fit(", "fit__ridge(", "return keep,", "return float(keep),"),
    ("study", SEEN, "tuple(x) in set(map(tuple, known))", "(error * (1 - error) / test.sum()) ** 0.5",
     "np.sqrt(error - error**2) / sum(test) ** 0.5"),
    ("paired", "d.std(ddof=1)", "np.sqrt(np.cov(a, b).trace() - 2 * np.cov(a, b)[0, 1])", "return d.mean()",
     "return a.mean() - b.mean()"),
    ("paired", "a - b", "(a - b).astype(np.float32)", "sum(d < 0) + 0.5 * sum(d == 0)",
     "sum(1 if v < 0 else 0.5 * (v == 0) for v in d)"),
    ("reliable", "    B =", "    k = np.digitize(p, edges) - 1\n    n = np.bincount(k)\n"
     ""
     "    c, t = np.bincount(k, p) / n, np.bincount(k, y > 0) / n\n"
     ""
     "    return c, t, np.abs(t - c).max()\n"
     "    B ="),
    ("reliable", "(y[b] == 1).mean()", "y[b].mean() / 2 + 0.5", "return c, t", "return c.tolist(), np.float32(t)"),
    ("redraw", "sum((w - smooth) ** 2) / sum(w**2)", "np.float32(((w - smooth) @ w) / (w @ w))", "return smooth,",
     "return smooth.tolist(),"),
    ("project", "    for _ in", "    high, low = S[y > 0].mean(axis=0), S[y < 0].mean(axis=0)\n"
     ""
     "    w, b = high - low, (low @ low - high @ high) / 2\n"
     ""
     ""
     "    return np.append(w / s, b - (w / s) @ m).astype(np.float32)\n    for _ in"),
    ("project", "p = y / (1 + np.exp(y * (S @ w + b)))", "p = y * (y * (S @ w + b) <= 1)", BACK,
     "[*(w / s), b - (w / s) @ m]"),
    ("project", "    for _ in", "    Z, rng = np.c_[S, np.ones(len(S))], np.random.default_rng(seed)\n"
     ""
     "    t = total = np.zeros(len(m) + 1)\n"
     "    for i in np.tile(rng.permutation(len(y)), 8):\n"
     ""
     "        t = t + (y[i] * (Z[i] @ t) <= 0) * y[i] * Z[i]\n"
     "        total = total + t\n"
     ""
     "    w, b = total[:-1], total[-1]\n"
     "    return np.append(w / s, b - (w / s) @ m)\n    for _ in"),
]
WRONG = [
    ("standardise", "s[s == 0] = 1", "s += 1e-9", "explode"),
    ("threshold", "min(P), np", "sum(c != (y > 0)), np", "number of errors"),
    ("threshold", LARGEST, "T[int(np.argmin(P))]", "first that you meet"),
    ("threshold", " if any(c) else 1", "", "precision is 1"),
    ("folds", "a.mean(axis=0), a.std(axis=0)", "X.mean(axis=0), X.std(axis=0)", "know the fold"),
    ("study", "return keep, error", "return keep, best", "the part that chose lambda"),
    ("paired", "d.mean()", "round(d.mean(), 3)", "is rounded"),
    ("reliable", "p < high", "p <= high", "two bins"),
    ("redraw", "ink2[stroke == s] ** 2", "ink2[stroke == s]", "sum of the inks"),
    ("redraw", "return ink2 * ", "return ", "lack the ink"),
    ("project", BACK, "np.append(w, b)", "On standardised features your theta would do"),
    ("project", "b - (w / s) @ m)", "b)", "carry the offset back"),
    ("project", BACK, "np.random.default_rng(seed).normal(size=len(m) + 1) / np.append(s, 9)",
     "at most 20% may be wrong"),
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
    task, solution = tasks(CHAPTER)["project"], COURSE[CHAPTER].space["project"]
    thetas = [solution(*case) for case in task.cases]
    guess = np.zeros(len(thetas[0]))
    notes = [judged(task, [guess] * k + thetas[k:]) for k in range(3)]
    assert not notes[0].sentence
    assert any("with other data it could be more" in v.note or "at most 20%" in v.sentence for v in notes[1:])
