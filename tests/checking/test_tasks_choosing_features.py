"""Exercise 7: right answers, and edits that keep them right or make them wrong."""

import numpy as np
import pytest

import coursekit as ck
from coursekit.checking.accuracy import SHRUNK
from tests.checking.judging import COURSE, SEEDS, sentence, tasks

CHAPTER = "07-choosing-features"


def fit(X, y):
    Z = np.column_stack([X, np.ones(len(X))])
    return np.linalg.lstsq(Z, y, rcond=None)[0]


def read_path(lams, weights, lam):
    w = np.array([np.interp(lam, lams[::-1], weights[::-1, j]) for j in range(weights.shape[1])])
    order = []
    for row in weights:
        for j in range(len(row)):
            if row[j] != 0 and j not in order:
                order.append(j)
    return w, np.flatnonzero(w), order


def forward_search(X, y, k):
    order, losses = [], []
    for _ in range(k):
        best, least = 0, np.inf
        for j in range(X.shape[1]):
            if j not in order:
                S = [*order, j]
                t = fit(X[:, S], y)
                loss = np.mean((y - X[:, S] @ t[:-1] - t[-1]) ** 2)
                if loss < least:
                    best, least = j, loss
        order.append(best)
        losses.append(least)
    return order, losses


def forward_search__orthogonal(X, y, k):
    """Each round takes what is chosen out of all other columns; then the best correlation is the lowest loss."""
    A, rest, order, losses = X - X.mean(0), y - y.mean(), [], []
    for _ in range(k):
        sizes = (A**2).sum(0)
        gain = np.where(sizes > 1e-9, (A.T @ rest) ** 2 / np.where(sizes > 1e-9, sizes, 1), -1)
        j = int(gain.argmax())
        q = A[:, j] / np.sqrt(sizes[j])
        A, rest = A - np.outer(q, q @ A), rest - q * (q @ rest)
        order.append(j)
        losses.append(rest @ rest / len(y))
    return np.array(order), np.array(losses)


def decoy(a, b, noise):
    y = a + b
    for s in range(1, 30):
        c = a + b + s * noise
        order, losses = forward_search(np.column_stack([a, b, c]), y, 2)
        if order[0] != 2:
            break
        loss = losses[1]
    return s - 1, loss


def survivors(w, t):
    l0, root, l1 = [], [], []
    for x in w:
        l0.append(x if x**2 / 2 > t else 0)
        l1.append(np.sign(x) * max(abs(x) - t, 0))
        v = np.arange(0, 6, 0.0005)
        price = 0.5 * (v - abs(x)) ** 2 + t * np.sqrt(v)
        root.append(np.sign(x) * v[np.argmin(price)])
    return l0, root, l1


def copies(x, y, m, lam, mix):
    c = (x * y).mean()
    v = (2 * abs(c) - lam * mix) / (2 * m + lam * (1 - mix))
    if v <= 0:
        return 0, 0, 1
    v = v * np.sign(c)
    return v, m * v, 2 if mix == 1 else 3


def copies__descent(x, y, m, lam, mix):
    """The soft threshold, again and again, on m columns."""
    X, w, eta = np.tile(x[:, None], (1, m)), np.zeros(m), 1 / (2 * m + lam)
    for _ in range(400):
        w = w + eta * (2 * (y - y.mean() - X @ w) @ X / len(x) - lam * (1 - mix) * w)
        w = np.sign(w) * np.maximum(np.abs(w) - eta * lam * mix, 0)
    return w[0], w.sum(), 1 + (w[0] != 0) + (w[0] != 0 and mix < 1)


def bolasso(weights, relevant, share):
    p = (weights != 0).mean(0)
    s = np.flatnonzero(p >= share)
    return p, s, sum(j not in relevant for j in s), sum(j not in s for j in relevant)


def honest_error(X, y, folds, k):
    wrong = 0
    for fold in np.unique(folds):
        new = folds == fold
        A = X[~new]
        close = abs((A - A.mean(axis=0)).T @ y[~new]) / A.std(axis=0)
        S = np.argsort(close)[-k:]
        t = fit(A[:, S], y[~new])
        wrong += (y[new] * (X[new][:, S] @ t[:-1] + t[-1]) <= 0).sum()
    return wrong / len(X)


def few_words(X, y):
    S = np.argsort(-abs((X - X.mean(0)).T @ y) / X.std(0))[:4]
    t = np.zeros(X.shape[1] + 1)
    t[[*S, -1]] = fit(X[:, S], y)
    return t


INTERP = "np.interp(lam, lams[::-1], weights[::-1, j])"
CHOICE = "S = np.argsort(-abs((X - X.mean(0)).T @ y) / X.std(0))[:4]"
RIGHT = [
    ("read_path", INTERP, "np.interp(-lam, -lams, weights[:, j])", "return w,", "return np.float32(w),"),
    ("read_path", "np.flatnonzero(w)", "[j for j, v in enumerate(w) if v]", "row[j] != 0", "row[j]"),
    ("forward_search", "fit(X[:, S], y)", "np.linalg.pinv(np.c_[X[:, S], np.ones(len(y))]) @ y"),
    ("decoy", "forward_search(", "forward_search__orthogonal("),
    ("decoy", "y = a + b", "y, s = a + b, 1\n    corr = lambda v: np.corrcoef(v, y)[0, 1] ** 2\n"
     ""
     "    while corr(y + (s + 1) * noise) > max(corr(a), corr(b)):\n        s += 1\n"
     ""
     "    return float(s), forward_search(np.c_[a, b, y + s * noise], y, 2)[1][1]"),
    ("survivors", "np.sign(x) * v[np.argmin(price)]", "np.copysign(v[np.argmin(price)], x)", "max(abs(x) - t, 0)",
     "np.fmax(abs(x) - t, 0)"),
    ("survivors", "np.sign(x) * v[np.argmin(price)]", "np.sign(x) * max([r.real**2 for r in np.roots([2, 0, -2 * "
     "abs(x), t])"
     " if abs(r.imag) < 1e-9 and r.real > 0\n"
     "                    and (r.real**2 - abs(x)) ** 2 / 2 + t * r.real < x * x / 2] or [0])"),
    ("copies", "(x * y).mean()", "np.float32(np.dot(x, y) / x.size)", "return v,", "return np.array(v),"),
    ("bolasso", "(weights != 0).mean(0)", "np.sign(np.abs(weights)).mean(0)", "return p,",
     "return p.astype(np.float32),"),
    ("bolasso", "return p, s, sum(j not in relevant for j in s), sum(j not in s for j in relevant)",
     "return [*p], s.tolist(), len(set(s) - set(relevant)), len(set(relevant) - set(s))"),
    ("honest_error", "abs((A - A.mean(axis=0)).T @ y[~new]) / A.std(axis=0)",
     "[abs(np.corrcoef(a, y[~new])[0, 1]) for a in A.T]"),
    ("honest_error", "np.unique(folds)", "folds", "<= 0).sum()", "<= 0).mean()"),  # every mail judged without its fold
    ("few_words", CHOICE, "S = forward_search__orthogonal(X, y, 4)[0]", "return t", "return t.astype(np.float32)"),
    ("few_words", CHOICE, "R, S = np.corrcoef(X.T, y), []\n    for j in np.argsort(-np.abs(R[-1, :-1])):\n"
     ""
     "        if len(S) < 4 and all(abs(R[j, i]) < 0.6 for i in S):\n            S.append(j)"),
]
WRONG = [
    ("read_path", "in weights:", "in weights[::-1]:", "lambda = 0 upwards"),
    ("read_path", "row in weights:", "row in weights[lams >= lam]:", "stops at `lam`"),
    ("read_path", ", order\n", ", [j for j in order if weights[-1][j]]\n", "gone again"),
    ("forward_search", "S = [*order, j]", "S = [j]", "together with those"),
    ("decoy", "return s - 1, loss", "return s, loss", "one too large"),
    ("decoy", "return s - 1, loss", "return s - 1, losses[1]", "both a and b"),
    ("decoy", "loss = losses[1]", "A = np.column_stack([a, c])\n        t = fit(A, y)\n"
     "        loss = np.mean((y - A @ t[:-1] - t[-1]) ** 2)", "always `a`"),
    ("survivors", "for x in w:", "for x in np.maximum(w, 0):", "never negative"),
    ("copies", "2 if mix == 1 else 3", "2", "never says 3"),
    ("copies", "2 if mix == 1 else 3", "3", "never says 2"),
    ("bolasso", "return p, s,", "return p, (p >= share) * 1,", "has an entry for every feature"),
    ("bolasso", "return p, s,", "return p, np.where(p >= share),", "tuple around the list"),
    ("bolasso", "return p, s,", "return p, p[s],", "column numbers"),
    ("bolasso", "sum(j not in relevant", "sum(j in relevant", "counts the hits"),
    ("bolasso", "sum(j not in s for", "sum(j in s for", "counts the hits"),
    ("bolasso", "sum(j not in s for j in relevant)", "np.mean([j not in s for j in relevant])", "share of the"),
    ("bolasso", "sum(j not in relevant for j in s)", "[j for j in s if j not in relevant]", "how many there are"),
    ("honest_error", " / A.std(axis=0)", "", "not divided by the spread"),
    ("few_words", "[:4]", "[:6]", "at most 4 may be"),
    ("few_words", "return t", "t[S] = 1.0\n    return t", "features that you chose would do"),
    ("few_words", "return t", "return 0.9 * t", "not with the weights that a least squares fit"),
]


@pytest.mark.parametrize("seed", SEEDS)
def test_right_answers_agree_with_references(seed):
    drawn, space, rng = tasks(CHAPTER, seed), COURSE[CHAPTER].space, np.random.default_rng(0)
    grid = np.linspace(-6, 6, 24001)
    penalties = (lambda v: 1.0 * (v != 0), lambda v: np.sqrt(np.abs(v)), np.abs)
    for w, t in drawn["survivors"].cases:
        for found, p in zip(space["survivors"](w, t), penalties, strict=True):
            for x, v in zip(w, found, strict=True):
                least = np.min((grid - x) ** 2 / 2 + t * p(np.where(np.abs(grid) < 1e-9, 0, grid)))
                assert (v - x) ** 2 / 2 + t * p(v) <= least + 1e-9
    for x, y, m, lam, mix in drawn["copies"].cases:
        each, total, because = space["copies"](x, y, m, lam, mix)
        objective = ck.Objective(np.tile(x[:, None], m), y, ck.losses.squared, ck.penalties.elastic_net(mix), lam)
        best = np.append(np.full(m, each), y.mean())
        assert objective.value(best) <= min(objective.value(best + 0.1 * rng.normal(size=(50, m + 1)))) + 1e-9
        alone = space["copies"](x, y, 1, lam, mix)[1]
        assert because == (1 if total == 0 else 2 if total == pytest.approx(alone) else 3)
        assert abs(total) >= abs(alone) - 1e-12


@pytest.mark.parametrize("seed", SEEDS)
def test_cases_hold_what_the_text_promises(seed):
    drawn = tasks(CHAPTER, seed)
    paths = drawn["read_path"].cases
    assert any(lam in knots for knots, _, lam in paths)
    assert any(lam > knots[0] for knots, _, lam in paths)
    assert any((weights == 0).all(axis=0).any() for _, weights, _ in paths)
    for a, b, noise in drawn["decoy"].cases:
        taken = [forward_search__orthogonal(np.c_[a, b, a + b + s * noise], a + b, 1)[0][0] == 2 for s in range(1, 40)]
        assert 1 <= sum(taken) <= 7
        assert all(taken[: sum(taken)])
    assert {right[2] for right in drawn["copies"].right} == {1, 2, 3}
    assert all(((weights != 0).mean(axis=0) == share).any() for weights, _, share in drawn["bolasso"].cases)
    assert all(len(set(np.bincount(folds))) > 1 for _, _, folds, _ in drawn["honest_error"].cases)
    for (X, y), (new, _) in zip(drawn["few_words"].cases, drawn["few_words"].right, strict=True):
        assert (X.shape, y.sum(), new.shape) == ((160, 24), 0, (220, 24))

    def unfitted(X, y):
        return few_words(X, y) + 5 * (np.arange(25) == 24)

    assert sentence("few_words", unfitted, seed) == SHRUNK
