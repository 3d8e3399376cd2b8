"""Exercise 7: right answers in other spellings, wrong ones in the words of a student."""

import numpy as np
import pytest

import coursekit as ck
from coursekit.checking.accuracy import SHRUNK
from tests.checking.judging import COURSE, SEEDS, sentence, tasks

CHAPTER = "07-choosing-features"


def least_squares(X, y):
    """Scores of least squares on centred data, and its theta."""
    mean, level = X.mean(axis=0), y.mean()
    w = np.linalg.pinv(X - mean) @ (y - level)
    return np.append(w, level - mean @ w)


def path_by_hand(lams, weights, lam):
    k = max(i for i in range(len(lams)) if i == 0 or lams[i] >= lam)
    w = weights[k].copy()
    if k + 1 < len(lams) and lam < lams[k]:
        w += (weights[k + 1] - weights[k]) * (lams[k] - lam) / (lams[k] - lams[k + 1])
    order = []
    for row in weights:
        order += [j for j, v in enumerate(row) if v and j not in order]
    return list(w), [j for j, v in enumerate(w) if v], order


def path_turned(lams, weights, lam):
    table = [np.interp(-lam, -lams, weights[:, j]) for j in range(weights.shape[1])]
    entry = np.where(weights.any(0), (weights != 0).argmax(0), 99)
    return np.float32(table), np.nonzero(table)[0].tolist(), np.argsort(entry)[: np.sum(entry < 99)]


def path_pieces(lams, weights, lam):
    w = weights[0]
    for high, low, before, after in zip(lams, lams[1:], weights, weights[1:], strict=False):
        if low <= lam <= high:
            part = (lam - low) / (high - low)
            w = part * before + (1 - part) * after
    first = {}
    for row in range(len(lams)):
        for j in np.flatnonzero(weights[row]):
            first.setdefault(int(j), row)
    return w, np.argwhere(w != 0).ravel(), np.array(list(first))


def search_pinv(X, y, k):
    chosen, losses = [], []
    while len(chosen) < k:
        found = {}
        for j in set(range(X.shape[1])) - set(chosen):
            theta = least_squares(X[:, [*chosen, j]], y)
            found[np.mean((X[:, [*chosen, j]] @ theta[:-1] + theta[-1] - y) ** 2)] = j
        chosen.append(found[min(found)])
        losses.append(min(found))
    return chosen, losses


def search_orthogonal(X, y, k):
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


def search_sorted(X, y, k):
    def loss(columns):
        Z = np.c_[np.ones(len(y)), X[:, columns]]
        return np.linalg.lstsq(Z, y, rcond=None)[1][0] / len(y)

    order = []
    while len(order) < k:
        order.append(min((j for j in range(X.shape[1]) if j not in order), key=lambda j: loss([*order, j])))
    return order, [loss(order[: i + 1]) for i in range(k)]


def explained(v, y):
    return np.corrcoef(v, y)[0, 1] ** 2


def decoy_correlation(a, b, noise):
    y, s = a + b, 1
    while explained(y + (s + 1) * noise, y) > max(explained(a, y), explained(b, y)):
        s += 1
    c = y + s * noise
    losses = []
    for v in (a, b):
        theta = least_squares(np.column_stack([v, c]), y)
        losses.append(np.mean((y - v * theta[0] - c * theta[1] - theta[2]) ** 2))
    return float(s), min(losses)


def decoy_search(a, b, noise):
    found, s = None, 1
    while True:
        order, losses = search_pinv(np.stack([a, b, a + b + s * noise], axis=1), a + b, 2)
        if order[0] < 2:
            return found
        found, s = [s, losses[-1]], s + 1


def decoy_backwards(a, b, noise):
    s = 30
    while search_orthogonal(np.c_[a, b, a + b + s * noise], a + b, 1)[0][0] != 2:
        s -= 1
    return np.array([s, search_orthogonal(np.c_[a, b, a + b + s * noise], a + b, 2)[1][1]])


def survivors_grid(w, t):
    v = np.linspace(-6, 6, 24001)[:, None]
    near = (v - w) ** 2 / 2
    return [v[np.argmin(near + t * p, axis=0), 0] for p in (np.abs(v) > 1e-9, np.sqrt(np.abs(v)), np.abs(v))]


def survivors_roots(w, t):
    root = []
    for x in w:
        real = [r.real**2 for r in np.roots([2, 0, -2 * abs(x), t]) if abs(r.imag) < 1e-9 and r.real > 0]
        v = max(real, default=0)
        root.append(np.sign(x) * v if (v - abs(x)) ** 2 / 2 + t * v**0.5 < x * x / 2 else 0)
    return w * (np.abs(w) > (2 * t) ** 0.5), root, w - np.clip(w, -t, t)


def survivors_threshold(w, t):
    v = np.where(np.abs(w) > 1.5 * t ** (2 / 3), np.abs(w), 0)
    for _ in range(80):
        v = np.where(v > 0, np.abs(w) - t / 2 / np.sqrt(np.where(v > 0, v, 1)), 0)
    return np.array([np.where(w * w > 2 * t, w, 0), np.copysign(v, w), np.fmax(w - t, 0) - np.fmax(-w - t, 0)])


def copies_loop(x, y, m, lam, mix):
    c = sum(a * b for a, b in zip(x, y, strict=True)) / len(x)
    left = abs(c) - lam * mix / 2
    if left <= 0:
        return 0, 0, 1
    v = left / (m + lam * (1 - mix) / 2) * (1 if c > 0 else -1)
    return v, m * v, 3 if mix < 1 else 2


def copies_descent(x, y, m, lam, mix):
    """The soft threshold, again and again, on m columns."""
    X, w = np.tile(x[:, None], (1, m)), np.zeros(m)
    eta = 1 / (2 * m + lam)
    for _ in range(400):
        w = w + eta * (2 * (y - y.mean() - X @ w) @ X / len(x) - lam * (1 - mix) * w)
        w = np.sign(w) * np.maximum(np.abs(w) - eta * lam * mix, 0)
    return w[0], w.sum(), 1 + (w[0] != 0) + (w[0] != 0 and mix < 1)


def copies_single(x, y, m, lam, mix):
    c = np.float32(np.dot(x, y) / x.size)
    v = (c - np.clip(c, -lam * mix / 2, lam * mix / 2)) * 2 / (2 * m + lam - lam * mix)
    return np.array([v, v * m, [3, 2][mix == 1] if v else 1])


def bolasso_loop(weights, relevant, share):
    m, d = weights.shape
    counts = [sum(1 for row in weights if row[j]) for j in range(d)]
    kept = [j for j in range(d) if counts[j] >= share * m]
    return [c / m for c in counts], kept, sum(j not in relevant for j in kept), sum(j not in kept for j in relevant)


def bolasso_sets(weights, relevant, share):
    f = np.sign(np.abs(weights)).mean(0)
    kept = np.where(f >= share)[0]
    return f.astype(np.float32), kept, len(set(kept) - set(relevant)), len(set(relevant) - set(kept))


def bolasso_masks(weights, relevant, share):
    f = np.count_nonzero(weights, axis=0) / len(weights)
    matters = np.zeros(len(f), bool)
    matters[relevant] = True
    enough = ~(f < share)
    return f, np.argwhere(enough).ravel().tolist(), np.sum(enough & ~matters), np.float64(np.sum(matters & ~enough))


def study_corrcoef(X, y, folds, k):
    wrong = []
    for fold in set(folds.tolist()):
        learn, new = folds != fold, folds == fold
        size = [abs(np.corrcoef(X[learn, j], y[learn])[0, 1]) for j in range(X.shape[1])]
        S = sorted(range(len(size)), key=lambda j: -size[j])[:k]
        theta = least_squares(X[learn][:, S], y[learn])
        wrong += list(np.sign(X[new][:, S] @ theta[:-1] + theta[-1]) != y[new])
    return np.mean(wrong)


def study_leave_out(X, y, folds, k):
    """Every mail by itself, judged without its fold."""
    right = 0
    for i in range(len(y)):
        A, b = X[folds != folds[i]], y[folds != folds[i]]
        goes = ((A - A.mean(0)) * (b - b.mean())[:, None]).sum(0) ** 2 / A.var(0)
        S = np.argsort(-goes)[:k]
        theta = least_squares(A[:, S], b)
        right += y[i] * (X[i, S] @ theta[:-1] + theta[-1]) > 0
    return np.float32(1 - right / len(y))


def study_scores(X, y, folds, k):
    f = np.zeros(len(y))
    for fold in np.unique(folds):
        Z = (X - X[folds != fold].mean(0)) / X[folds != fold].std(0)
        learn = folds != fold
        S = np.argpartition(-abs(Z[learn].T @ y[learn]), k - 1)[:k]
        theta = least_squares(Z[learn][:, S], y[learn])
        f[~learn] = Z[~learn][:, S] @ theta[:-1] + theta[-1]
    return float(np.count_nonzero(y * f <= 0)) / y.size


def refitted(X, y, S):
    theta = np.zeros(X.shape[1] + 1)
    theta[[*S, -1]] = least_squares(X[:, S], y)
    return theta


def words_forward(X, y):
    return refitted(X, y, search_orthogonal(X, y, 4)[0]).astype(np.float32)


def l1_path(X, y):
    """Weights on standardised features, for a lambda that falls until more than four are in."""
    A, w = (X - X.mean(0)) / X.std(0), np.zeros(X.shape[1])
    G, c = A.T @ A / len(y), A.T @ (y - y.mean()) / len(y)
    eta, lam, last = 1 / np.linalg.eigvalsh(G)[-1], np.abs(c).max(), w
    while np.count_nonzero(w) <= 4:
        last, lam = w, 0.98 * lam
        for _ in range(30):
            w = w - eta * (G @ w - c)
            w = np.sign(w) * np.maximum(np.abs(w) - eta * lam, 0)
    return last / X.std(0)


def words_l1(X, y):
    return list(refitted(X, y, np.flatnonzero(l1_path(X, y))))


def words_correlated(X, y):
    """Those that go best with y, but no two that tell the same."""
    R, S = np.corrcoef(X.T, y), []
    for j in np.argsort(-np.abs(R[-1, :-1])):
        if len(S) < 4 and all(abs(R[j, i]) < 0.6 for i in S):
            S.append(j)
    return refitted(X, y, S)


VARIANTS = {
    "read_path": (path_by_hand, path_turned, path_pieces),
    "forward_search": (search_pinv, search_orthogonal, search_sorted),
    "decoy": (decoy_correlation, decoy_search, decoy_backwards),
    "survivors": (survivors_grid, survivors_roots, survivors_threshold),
    "copies": (copies_loop, copies_descent, copies_single),
    "bolasso": (bolasso_loop, bolasso_sets, bolasso_masks),
    "honest_error": (study_corrcoef, study_leave_out, study_scores),
    "few_words": (words_forward, words_l1, words_correlated),
}

FIT = """def fit(X, y):
    Z = np.column_stack([X, np.ones(len(X))])
    return np.linalg.lstsq(Z, y, rcond=None)[0]
"""
PATH = """def f(lams, weights, lam):
    w = np.array([np.interp(lam, lams[::-1], weights[::-1, j]) for j in range(weights.shape[1])])
    order = []
    for row in weights:
        for j in range(len(row)):
            if row[j] != 0 and j not in order:
                order.append(j)
    return w, np.flatnonzero(w), order
"""
SEARCH = FIT + """def f(X, y, k):
    order, losses = [], []
    for _ in range(k):
        best, least = 0, 1e9
        for j in range(X.shape[1]):
            if j not in order:
                S = order + [j]
                t = fit(X[:, S], y)
                r = y - X[:, S] @ t[:-1] - t[-1]
                if np.mean(r ** 2) < least:
                    best, least = j, np.mean(r ** 2)
        order.append(best)
        losses.append(least)
    return order, losses
"""
DECOY = SEARCH.replace("def f(", "def forward_search(") + """def f(a, b, noise):
    y = a + b
    for s in range(1, 30):
        c = a + b + s * noise
        order, losses = forward_search(np.column_stack([a, b, c]), y, 2)
        if order[0] != 2:
            break
        loss = losses[1]
    return s - 1, loss
"""
SURVIVE = """def f(w, t):
    l0, root, l1 = [], [], []
    for x in w:
        l0.append(x if x ** 2 / 2 > t else 0)
        l1.append(np.sign(x) * max(abs(x) - t, 0))
        v = np.arange(0, 6, 0.0005)
        price = 0.5 * (v - abs(x)) ** 2 + t * np.sqrt(v)
        root.append(np.sign(x) * v[np.argmin(price)])
    return l0, root, l1
"""
COPIES = """def f(x, y, m, lam, mix):
    c = (x * y).mean()
    v = (2 * abs(c) - lam * mix) / (2 * m + lam * (1 - mix))
    if v <= 0:
        return 0, 0, 1
    v = v * np.sign(c)
    return v, m * v, 2 if mix == 1 else 3
"""
VOTE = """def f(weights, relevant, share):
    p = (weights != 0).mean(0)
    s = np.flatnonzero(p >= share)
    return p, s, sum(j not in relevant for j in s), sum(j not in s for j in relevant)
"""
STUDY = FIT + """def f(X, y, folds, k):
    wrong = 0
    for fold in np.unique(folds):
        new = folds == fold
        A = X[~new]
        close = abs((A - A.mean(axis=0)).T @ y[~new]) / A.std(axis=0)
        S = np.argsort(close)[-k:]
        t = fit(A[:, S], y[~new])
        wrong += (y[new] * (X[new][:, S] @ t[:-1] + t[-1]) <= 0).sum()
    return wrong / len(X)
"""
WORDS = FIT + """def f(X, y):
    S = np.argsort(-abs((X - X.mean(0)).T @ y) / X.std(0))[:4]
    t = np.zeros(X.shape[1] + 1)
    t[S] = fit(X[:, S], y)[:-1]
    t[-1] = fit(X[:, S], y)[-1]
    return t
"""

WRONG = [
    ("read_path", PATH, "weights[::-1, j]", "weights[:, j]", "turn both"),
    ("read_path", PATH, "np.interp(lam, lams[::-1], weights[::-1, j])", "np.interp(lam, lams, weights[:, j])",
     "places that increase"),
    ("read_path", PATH, "np.interp(lam, lams[::-1], weights[::-1, j])", "weights[abs(lams - lam).argmin(), j]",
     "nearest knot"),
    ("read_path", PATH, "np.flatnonzero(w), order", "np.flatnonzero(w > 0), order", "negative weights"),
    ("read_path", PATH, "np.flatnonzero(w), order", "w != 0, order", "entry for each feature"),
    ("read_path", PATH, "np.flatnonzero(w), order", "(w != 0) * 1, order", "entry for each feature"),
    ("read_path", PATH, "np.flatnonzero(w), order", "(w != 0).sum(), order", "how many"),
    ("read_path", PATH, "np.flatnonzero(w), order", "order[:len(np.flatnonzero(w))], order", "may have left again"),
    ("read_path", PATH, "in weights:", "in weights[::-1]:", "lambda = 0 upwards"),
    ("read_path", PATH, "return w, np.flatnonzero(w), order", "return w, np.flatnonzero(w), sorted(order)",
     "column number"),
    ("read_path", PATH, "return w, np.flatnonzero(w), order",
     "return w, np.flatnonzero(w), order + [j for j in range(len(w)) if j not in order]", "never comes in"),
    ("read_path", PATH, "return w, np.flatnonzero(w), order", "return w, order, np.flatnonzero(w)", "order"),
    ("read_path", PATH, "return w, np.flatnonzero(w), order", "return w, np.flatnonzero(w) + 1, order", "begins at 1"),
    ("forward_search", SEARCH, "S = order + [j]", "S = [j]", "together with those"),
    ("forward_search", SEARCH, "S = order + [j]", "S = order[-1:] + [j]", "last chosen one"),
    ("forward_search", SEARCH, " - t[-1]", "", "misses the offset"),
    ("forward_search", SEARCH, "np.mean(r ** 2) < least", "np.sum(r ** 2) < least", "best, least = j, np.mean(r ** 2)",
     "best, least = j, np.sum(r ** 2)", "sums of squares"),
    ("forward_search", SEARCH, "np.mean(r ** 2)\n", "np.mean(r ** 2) ** 0.5\n", "np.mean(r ** 2) <",
     "np.mean(r ** 2) ** 0.5 <", "square root"),
    ("forward_search", SEARCH, "< least", "> least", "0, 1e9", "0, -1", "highest loss"),
    ("forward_search", SEARCH, "return order, losses", "return order, losses[-1]", "the last entry alone"),
    ("forward_search", SEARCH, "return order, losses", "return sorted(order), losses", "is sorted"),
    ("forward_search", SEARCH, "return order, losses", "return losses, order", "another order"),
    ("forward_search", SEARCH, "return order, losses", "return order", "only `order` came back"),
    ("forward_search", SEARCH, "return order, losses", "return [j + 1 for j in order], losses", "begins at 1"),
    ("forward_search", SEARCH, "t = fit(X[:, S], y)", "t = np.append(np.linalg.lstsq(X[:, S], y, rcond=None)[0], 0)",
     "no offset"),
    ("forward_search", SEARCH, "losses = [], []", "losses = [], [np.var(y)]", "losses"),
    ("decoy", DECOY, "return s - 1, loss", "return s, loss", "one too large"),
    ("decoy", DECOY, "return s - 1, loss", "return s, losses[1]", "comes one before"),
    ("decoy", DECOY, "return s - 1, loss", "return s - 1, losses[1]", "both a and b"),
    ("decoy", DECOY, "loss = losses[1]", "loss = losses[0]", "decoy alone"),
    ("decoy", DECOY, "return s - 1, loss", "return s - 1, loss * len(a)", "multiplied by n"),
    ("decoy", DECOY, "return s - 1, loss", "return s - 2, loss", "1 too small"),
    ("decoy", DECOY, "return s - 1, loss", "return s - 1, loss ** 0.5", "the square root"),
    ("decoy", DECOY, "return s - 1, loss", "return loss, s - 1", "another order"),
    ("decoy", DECOY, "return s - 1, loss", "return s - 1", "only `s` came back"),
    ("decoy", DECOY, "c = a + b + s * noise", "c = s * noise", "loss = losses[1]", "loss = 0", "s"),
    ("survivors", SURVIVE, "x if x ** 2 / 2 > t", "x if abs(x) > t", "cuts at t"),
    ("survivors", SURVIVE, "x if x ** 2 / 2 > t", "x if x ** 2 > t", "forgets the half"),
    ("survivors", SURVIVE, "x if x ** 2 / 2 > t", "abs(x) if x ** 2 / 2 > t", "`l0` has lost its signs"),
    ("survivors", SURVIVE, "x if x ** 2 / 2 > t", "x - t * np.sign(x) if x ** 2 / 2 > t", "shrinks the survivors"),
    ("survivors", SURVIVE, "np.sign(x) * v[np", "v[np", "`root` has lost its signs"),
    ("survivors", SURVIVE, "np.sign(x) * v[np.argmin(price)]", "x if v[np.argmin(price)] > 0 else 0",
     "leaves the survivors"),
    ("survivors", SURVIVE, "abs(x)) ** 2 + t", "x) ** 2 + t", "all negative weights"),
    ("survivors", SURVIVE, "np.sign(x) * max(abs(x) - t, 0)", "x - t * np.sign(x)", "jumps over 0"),
    ("survivors", SURVIVE, "np.sign(x) * max(abs(x) - t, 0)", "max(abs(x) - t, 0)", "`l1` has lost its signs"),
    ("survivors", SURVIVE, "np.sign(x) * max(abs(x) - t, 0)", "x * (abs(x) > t)", "hard threshold"),
    ("survivors", SURVIVE, "np.sign(x) * max(abs(x) - t, 0)", "x / (1 + t)", "divides"),
    ("survivors", SURVIVE, "return l0, root, l1", "return l1, root, l0", "another order"),
    ("survivors", SURVIVE, "v = np.arange(0, 6, 0.0005)\n", "v = np.array([0.0])\n", "root"),
    ("copies", COPIES, "2 * abs(c) - lam", "abs(c) - lam", "(2 * m +", "(m +", "half the squared loss"),
    ("copies", COPIES, "2 * abs(c) - lam * mix", "2 * abs(c) - lam", "lacks mix"),
    ("copies", COPIES, "(2 * m + lam", "(2 + lam", "one column alone"),
    ("copies", COPIES, "lam * (1 - mix))", "lam * (1 - mix) / 2)", "half is gone"),
    ("copies", COPIES, "lam * (1 - mix))", "2 * lam * (1 - mix))", "no factor 2"),
    ("copies", COPIES, " + lam * (1 - mix))", ")", "L2 part is missing"),
    ("copies", COPIES, "(2 * m + lam * (1 - mix))", "(2 * m + m * lam * (1 - mix))", "would not depend on m"),
    ("copies", COPIES, "    v = v * np.sign(c)\n", "", "lost its signs"),
    ("copies", COPIES, ".mean()", ".sum()", "c is a sum"),
    ("copies", COPIES, "return v, m * v", "return v, v", "add up all m"),
    ("copies", COPIES, "2 if mix == 1 else 3", "2", "never says 3"),
    ("copies", COPIES, "2 if mix == 1 else 3", "3", "never says 2"),
    ("copies", COPIES, "if v <= 0:", "if False:", "turn their sign"),
    ("copies", COPIES, "return v, m * v, 2 if mix == 1 else 3", "return v, m * v", "3 things are asked for"),
    ("bolasso", VOTE, "p >= share", "p > share", ">="),
    ("bolasso", VOTE, "return p, s,", "return p, (p >= share) * 1,", "has an entry for every feature"),
    ("bolasso", VOTE, "return p, s,", "return p, np.where(p >= share),", "tuple around the list"),
    ("bolasso", VOTE, "return p, s,", "return p, p[s],", "column numbers"),
    ("bolasso", VOTE, "p >= share", "p == 1", "ignore share"),
    ("bolasso", VOTE, "return p, s,", "return p, s + 1,", "begins at 1"),
    ("bolasso", VOTE, "(weights != 0).mean(0)", "weights.mean(0)", "average the weights"),
    ("bolasso", VOTE, "(weights != 0)", "(weights > 0)", "negative weight"),
    ("bolasso", VOTE, "return p, s, sum(j not in relevant for j in s), sum(j not in s for j in relevant)",
     "return p, s, sum(j not in s for j in relevant), sum(j not in relevant for j in s)", "in another order"),
    ("bolasso", VOTE, "sum(j not in relevant", "sum(j in relevant", "counts the hits"),
    ("bolasso", VOTE, "sum(j not in s for", "sum(j in s for", "counts the hits"),
    ("bolasso", VOTE, "sum(j not in s for j in relevant)", "np.mean([j not in s for j in relevant])", "share of the"),
    ("bolasso", VOTE, "sum(j not in relevant for j in s)", "[j for j in s if j not in relevant]", "how many there are"),
    ("honest_error", STUDY, "        close =", "        A = X\n        close =", "y[~new]) / A", "y) / A",
     "fit(A[:, S]", "fit(X[~new][:, S]", "still choose the columns on all mails"),
    ("honest_error", STUDY, "fit(A[:, S], y[~new])", "fit(X[:, S], y)", "learned from all mails"),
    ("honest_error", STUDY, "A = X[~new]", "A = X", "y[~new]) / A", "y) / A", "fit(A[:, S], y[~new])",
     "fit(X[:, S], y)", "take part in everything"),
    ("honest_error", STUDY, "abs((A", "((A", "goes against it"),
    ("honest_error", STUDY, "<= 0).sum()", "<= 0).mean()", "wrong / len(X)", "wrong / len(np.unique(folds))",
     "average the folds"),
    ("honest_error", STUDY, "wrong / len(X)", "wrong", "multiplied by n"),
    ("honest_error", STUDY, "[-k:]", "[:k]", "tell least"),
    ("honest_error", STUDY, "[-k:]", "", "all columns"),
    ("honest_error", STUDY, "<= 0).sum()", "> 0).sum()", "1 minus"),
    ("honest_error", STUDY, " / A.std(axis=0)", "", "not divided by the spread"),
    ("honest_error", STUDY, " + t[-1]", "", "misses the offset"),
    ("honest_error", STUDY, "(A - A.mean(axis=0)).T", "A.T", "lacks the mean"),
    ("few_words", WORDS, "[:4]", "[:6]", "at most 4 may be"),
    ("few_words", WORDS, "[:4]", "[:1]", "all 4 that you may"),
    ("few_words", WORDS, "S = np.argsort(-abs((X - X.mean(0)).T @ y) / X.std(0))[:4]", "S = np.arange(4)",
     "do not tell enough"),
    ("few_words", WORDS, "return t\n", "return t[:-1]\n", "offset is missing"),
    ("few_words", WORDS, "return t\n", "return -t\n", "opposite sign"),
    ("few_words", WORDS, "return t\n", "return np.roll(t, 1)\n", "offset comes first"),
    ("few_words", WORDS, "return t\n", "return fit(X, y)\n", "24 weights of your theta are not 0"),
    ("few_words", WORDS, "t[S] = fit(X[:, S], y)[:-1]", "t[S] = 1.0", "features that you chose would do"),
    ("few_words", WORDS, "return t\n", "return 0.9 * t\n", "not with the weights that a least squares fit"),
    ("few_words", WORDS, "return t\n", "return t / 0\n", "NaN or infinity"),
    ("few_words", WORDS, "return t\n", "return np.append(np.append(t[S], t[-1]), np.zeros(20))\n", "5 weights of your"),
    ("few_words", WORDS, "S = np", "X = (X - X.mean(0)) / X.std(0)\n    S = np", "carry theta back to raw units"),
    ("read_path", PATH, "np.flatnonzero(w)", "np.flatnonzero(weights[np.argmax(lams <= lam)])", "the knot below"),
    ("read_path", PATH, "np.flatnonzero(w)", "np.flatnonzero(weights[max(np.sum(lams >= lam) - 1, 0)])", "knot above"),
    ("read_path", PATH, "row in weights:", "row in weights[lams >= lam]:", "stops at `lam`"),
    ("read_path", PATH, "return w, np.flatnonzero(w), order",
     "return w, np.flatnonzero(w), [j for j in order if weights[-1][j] != 0]", "gone again"),
    ("read_path", PATH, "    order = []", "    if lam < lams[0]:\n        k = np.sum(lams > lam) - 1\n"
     "        s = (lam - lams[k + 1]) / (lams[k] - lams[k + 1])\n"
     "        w = (1 - s) * weights[k] + s * weights[k + 1]\n    order = []", "exchanged"),
    ("decoy", DECOY, "loss = losses[1]", "A = np.column_stack([a, c])\n        t = fit(A, y)\n"
     "        loss = np.mean((y - A @ t[:-1] - t[-1]) ** 2)", "always `a`"),
    ("survivors", SURVIVE, "x if x ** 2 / 2 > t", "x if abs(x) > 2 * t", "root of 2 t"),
    ("survivors", SURVIVE, "for x in w:", "for x in np.maximum(w, 0):", "never negative"),
    ("copies", COPIES, "abs(c)", "c", "0 for every negative c"),
    ("copies", COPIES, "abs(c)", "c", "v <= 0", "False", "v = v * np.sign(c)", "v = v * 1", "for v > 0 alone"),
    ("honest_error", STUDY, "abs((A", "((X", "A.mean", "X.mean", "y[~new]) / A", "y) / X", "and what goes strongly"),
    ("honest_error", STUDY, "fit(A[:, S], y[~new])", "fit(X[:, S], y)", "abs((A", "((A", "Two faults are left: theta"),
]


@pytest.mark.parametrize("seed", SEEDS)
def test_right_answers_agree_with_references(seed):
    drawn, space = tasks(CHAPTER, seed), COURSE[CHAPTER].space
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
        best = objective.value(np.append(np.full(m, each), y.mean()))
        rng = np.random.default_rng(0)
        for _ in range(50):
            assert best <= objective.value(np.append(np.full(m, each), y.mean()) + 0.1 * rng.normal(size=m + 1)) + 1e-9
        alone = space["copies"](x, y, 1, lam, mix)[1]
        assert because == (1 if total == 0 else 2 if total == pytest.approx(alone) else 3)
        assert abs(total) >= abs(alone) - 1e-12
    for X, y, k in drawn["forward_search"].cases[:3]:
        order, losses = space["forward_search"](X, y, k)
        assert np.all(np.diff([np.var(y), *losses]) < 0)
        assert len(set(order)) == k


@pytest.mark.parametrize("seed", SEEDS)
def test_cases_hold_what_the_text_promises(seed):
    drawn = tasks(CHAPTER, seed)
    lams = [(lams, weights, lam) for lams, weights, lam in drawn["read_path"].cases]
    assert any(lam in knots for knots, _, lam in lams)
    assert any(lam > knots[0] for knots, _, lam in lams)
    assert any((weights == 0).all(axis=0).any() for _, weights, _ in lams)
    for a, b, noise in drawn["decoy"].cases:
        taken = [search_orthogonal(np.c_[a, b, a + b + s * noise], a + b, 1)[0][0] == 2 for s in range(1, 40)]
        assert taken[0]
        assert 1 <= sum(taken) <= 7
        assert not any(taken[sum(taken):])
    assert {right[2] for right in drawn["copies"].right} == {1, 2, 3}
    shares = [((weights != 0).mean(axis=0), share) for weights, _, share in drawn["bolasso"].cases]
    assert all((frequencies == share).any() for frequencies, share in shares)
    for _, _, folds, _ in drawn["honest_error"].cases:
        assert len(set(np.bincount(folds))) > 1
    for (X, y), (new, _) in zip(drawn["few_words"].cases, drawn["few_words"].right, strict=True):
        assert X.shape == (160, 24)
        assert y.sum() == 0
        assert new.shape == (220, 24)


@pytest.mark.parametrize("seed", SEEDS)
def test_weights_that_only_need_a_refit_are_told_so(seed):
    def unfitted(X, y):
        theta = words_forward(X, y).astype(float)
        theta[-1] += 5
        return theta

    assert sentence("few_words", unfitted, seed) == SHRUNK
