"""Exercise 6: right answers in other spellings, wrong ones in the words of a student."""

import math

import numpy as np
import pytest
from scipy.optimize import minimize_scalar
from sklearn.linear_model import Lasso, Ridge
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import coursekit as ck
from tests.checking.judging import COURSE, SEEDS, tasks

CHAPTER = "06-regularization"


def regularised_loop(X, y, theta, lam, mix):
    n, d = X.shape
    value, slope = 0.0, np.zeros(d + 1)
    for x, label in zip(X, y, strict=True):
        r = x @ theta[:d] + theta[d] - label
        value += r * r / n
        slope += 2 * r * np.append(x, 1) / n
    for j in range(d):
        value += lam * (mix * abs(theta[j]) + (1 - mix) * theta[j] ** 2 / 2)
        slope[j] += lam * (mix * np.sign(theta[j]) + (1 - mix) * theta[j])
    return value, slope.tolist()


def regularised_agreements(X, y, theta, lam, mix):
    Z = y[:, None] * np.c_[X, np.ones(len(y))]
    z, free = Z @ theta, np.arange(len(theta)) < len(theta) - 1
    w = theta * free
    return (np.mean((1 - z) ** 2) + lam * (mix * np.linalg.norm(w, 1) + (1 - mix) * w @ w / 2),
            Z.T @ (2 * (z - 1)) / len(y) + lam * (mix * np.sign(w) + (1 - mix) * w))


def regularised_single(X, y, theta, lam, mix):
    v, g = regularised_agreements(*(a.astype(np.float32) for a in (X, y, theta)), np.float32(lam), np.float32(mix))
    return np.array(v), tuple(g)


def threshold_loop(theta, eta, lam, mix):
    out = []
    for w in theta[:-1]:
        t = eta * lam * mix
        v = w - t if w > t else w + t if w < -t else 0.0
        out.append(v / (1 + eta * lam * (1 - mix)))
    return [*out, theta[-1]]


def threshold_clip(theta, eta, lam, mix):
    v = theta.copy()
    v[:-1] -= np.clip(v[:-1], -eta * lam * mix, eta * lam * mix)
    v[:-1] /= 1 + eta * lam - eta * lam * mix
    return v.astype(np.float32)


def threshold_relu(theta, eta, lam, mix):
    *w, b = theta
    t, w = eta * lam * mix, np.array(w)
    return np.r_[(np.fmax(w - t, 0) - np.fmax(-w - t, 0)) / (1 + eta * lam * (1 - mix)), b]


def choose_loop(lams, thetas, X, y):
    best = None
    for k, theta in enumerate(thetas):
        wrong = sum(label * (x @ theta[:-1] + theta[-1]) <= 0 for x, label in zip(X, y, strict=True))
        if best is None or (wrong, -lams[k]) < best[:2]:
            best = (wrong, -lams[k], k)
    return best[2], best[0] / len(y)


def choose_sorted(lams, thetas, X, y):
    order = np.argsort(-lams)
    errors = ((np.c_[X, np.ones(len(X))] @ thetas[order].T * y[:, None]) <= 0).mean(axis=0)
    k = int(np.argmin(errors))
    return order[k], np.float32(errors[k])


def choose_lexsort(lams, thetas, X, y):
    errors = [1 - np.mean(y * (X @ t[:-1] + t[-1]) > 0) for t in thetas]
    k = np.lexsort((-lams, errors))[0]
    return [float(k), errors[k]]


def splits_loop(lams, training, validation):
    means = [sum(column) / len(validation) for column in validation.T.tolist()]
    best = sorted(range(len(lams)), key=lambda k: (means[k], -lams[k]))[0]
    smallest = lams.tolist().index(min(lams))
    better = sum(row[best] < row[smallest] for row in validation)
    return best, [m - t for m, t in zip(means, training.mean(0), strict=True)], better


def splits_lexsort(lams, training, validation):
    best = np.lexsort((-lams, validation.sum(0)))[0]
    ahead = validation[:, np.argsort(lams)[0]] - validation[:, best]
    return best, (validation - training).mean(axis=0).astype(np.float32), np.count_nonzero(ahead > 0)


def splits_ordered(lams, training, validation):
    order = np.argsort(-lams)
    v = validation[:, order]
    k = v.mean(0).argmin()
    gap = np.average(validation, axis=0) - np.average(training, axis=0)
    return [float(order[k]), gap, float((v[:, k] < v[:, -1]).sum())]


def room_table(X, y, theta):
    far = np.sqrt(((X[:, None] - X) ** 2).sum(axis=2))
    closest = far[np.not_equal.outer(y, y)].min()
    short = closest * np.linalg.norm(theta[:-1]) < 2
    z = y * (np.c_[X, np.ones(len(X))] @ theta)
    return closest, 2 / closest, 3 if min(z) >= 1 else 1 if short else 2


def room_hinge(X, y, theta):
    closest = np.inf
    for i in range(len(y)):
        for j in range(i):
            if y[i] * y[j] < 0:
                closest = min(closest, math.dist(X[i], X[j]))
    *w, b = theta
    pays = sum(max(0, 1 - t * (np.dot(x, w) + b)) for x, t in zip(X, y, strict=True))
    return [np.float32(closest), 2 / closest, 1 + (math.hypot(*w) >= 2 / closest) + (pays == 0)]


def room_sorted(X, y, theta):
    least = 2 / min(np.linalg.norm(X[y < 0] - p, axis=1).min() for p in X[y > 0])
    wrong = np.any(y * (X @ theta[:-1]) < 1 - y * theta[-1])
    return np.array([2 / least, least, [3, 2, 1][int(wrong) + int(wrong and theta[:-1] @ theta[:-1] < least**2)]])


def border_centred(x, y, lam, far):
    """The free one from covariance and variance, the other by Cramer's rule."""
    n, shift = len(x), -1
    free = penalised = 0.0
    while abs(free - penalised) <= far:
        shift += 1
        at = x + shift
        w = np.mean((at - at.mean()) * y) / (at.var() + lam / 2)
        free = at.mean() - y.mean() / w
        p, q, r, s, t = (at @ at) / n + lam / 2, at.mean(), 1 + lam / 2, (at @ y) / n, y.mean()
        penalised = -(p * t - q * s) / (s * r - q * t)
    return shift, free, penalised


def border_rows(x, y, lam, far):
    """A penalty is an example more for each weight, with label 0."""
    k = (len(x) * lam / 2) ** 0.5
    for shift in range(100):
        Z = np.c_[x + shift, np.ones(len(x))]
        borders = []
        for rows in ([[k, 0]], [[k, 0], [0, k]]):
            w, b = np.linalg.lstsq(np.vstack([Z, rows]), np.append(y, np.zeros(len(rows))), rcond=None)[0]
            borders.append(-b / w)
        if np.ptp(borders) > far:
            return [float(shift), *borders]
    return None


def border_diagonals(x, y, lam, far):
    def border(at, D):
        Z = np.vstack([at, np.ones(len(at))]).T
        w, b = np.linalg.inv(2 * Z.T @ Z / len(at) + lam * np.diag(D)) @ (2 * Z.T @ y / len(at))
        return -b / w

    shift = next(s for s in range(60) if abs(border(x + s, [1, 0]) - border(x + s, [1, 1])) > far)
    return np.array([shift, border(x + shift, [1, 0]), border(x + shift, [1, 1])])


def penalised_rows(X, y, lam):
    """Ridge on centred data, by examples more."""
    m, level, k = X.mean(0), y.mean(), np.sqrt(len(y) * lam / 2)
    w = np.linalg.lstsq(np.vstack([X - m, k * np.eye(X.shape[1])]), np.append(y - level, np.zeros(X.shape[1])), None)[0]
    return w, level - m @ w


def folds_rows(X, y, lams, folds):
    out = np.zeros(len(lams))
    for fold in sorted(set(folds.tolist())):
        learn = folds != fold
        Z = (X - np.average(X[learn], axis=0)) / np.sqrt(X[learn].var(axis=0))
        for k in range(len(lams)):
            w, b = penalised_rows(Z[learn], y[learn], lams[k])
            out[k] += sum((Z[i] @ w + b - y[i]) ** 2 for i in range(len(y)) if not learn[i])
    return list(out / y.size), int(out.argmin())


def folds_scores(X, y, lams, folds):
    f = np.zeros((len(y), len(lams)))
    for i in range(len(y)):
        A, b = X[folds != folds[i]], y[folds != folds[i]]
        Z = (A - A.mean(0)) / A.std(0)
        for k, lam in enumerate(lams):
            w, offset = penalised_rows(Z, b, lam)
            f[i, k] = (X[i] - A.mean(0)) / A.std(0) @ w + offset
    losses = np.mean((f - y[:, None]) ** 2, axis=0)
    return losses.astype(np.float32), losses.tolist().index(min(losses))


def folds_agreements(X, y, lams, folds):
    losses = []
    for lam in lams:
        squares = []
        for fold in np.unique(folds):
            learn, judge = np.where(folds != fold)[0], np.where(folds == fold)[0]
            m, s = X[learn].mean(axis=0), X[learn].std(axis=0)
            w, b = penalised_rows((X[learn] - m) / s, y[learn], lam)
            squares += list((1 - y[judge] * (((X[judge] - m) / s) @ w + b)) ** 2)
        losses.append(np.mean(squares))
    return losses, np.float64(np.argsort(losses)[0])


VARIANTS = {
    "over_splits": (splits_loop, splits_lexsort, splits_ordered),
    "room": (room_table, room_hinge, room_sorted),
    "move_border": (border_centred, border_rows, border_diagonals),
    "cross_validate": (folds_rows, folds_scores, folds_agreements),
    "same_lambda": (
        lambda n, potsdam, ubc, C, alpha, alpha1: [potsdam / (n / 2), ubc / n, 1 / C / n, alpha * 2 / n, 2.0 * alpha1],
        lambda n, potsdam, ubc, C, alpha, alpha1: np.array([2 * potsdam, ubc, 1 / C, 2 * alpha, 2 * n * alpha1]) / n,
        lambda n, potsdam, ubc, C, alpha, alpha1: (potsdam * 2 / n, ubc / n, (n * C) ** -1, alpha / (n * 0.5),
                                                   np.float32(alpha1 / 0.5)),
    ),
    "regularised": (regularised_loop, regularised_agreements, regularised_single),
    "soft_threshold": (threshold_loop, threshold_clip, threshold_relu),
    "choose_lambda": (choose_loop, choose_sorted, choose_lexsort),
}


NET = """def f(X, y, theta, lam, mix):
    w = theta[:-1]; r = X @ w + theta[-1] - y
    v = (r ** 2).mean() + lam * (mix * abs(w).sum() + (1 - mix) / 2 * (w ** 2).sum())
    g = 2 * X.T @ r / len(y) + lam * (mix * np.sign(w) + (1 - mix) * w)
    return v, np.append(g, 2 * r.mean())
"""
PROX = """def f(theta, eta, lam, mix):
    w = theta[:-1]; t = eta * lam * mix
    v = np.sign(w) * np.maximum(np.abs(w) - t, 0)
    return np.append(v / (1 + eta * lam * (1 - mix)), theta[-1])
"""
CHOOSE = """def f(lams, thetas, X, y):
    e = [np.mean(y * (X @ t[:-1] + t[-1]) <= 0) for t in thetas]
    k = int(np.argmin(e))
    return k, e[k]
"""

TIES = CHOOSE.replace("int(np.argmin(e))", "max((i for i in range(len(e)) if e[i] == min(e)), key=lambda i: lams[i])")

SPLITS = """def f(lams, training, validation):
    v = validation.mean(axis=0)
    b = max((i for i in range(len(v)) if v[i] == v.min()), key=lambda i: lams[i])
    better = (validation[:, b] < validation[:, lams.argmin()]).sum()
    return b, v - training.mean(0), better
"""
ROOM = """def f(X, y, t):
    c = min(((X[i] - X[j]) ** 2).sum() ** 0.5 for i in range(len(X)) for j in range(len(X)) if y[i] != y[j])
    z = y * (X @ t[:-1] + t[-1])
    why = 3 if (z >= 1).all() else 1 if np.linalg.norm(t[:-1]) < 2 / c else 2
    return c, 2 / c, why
"""
RIDGE = """def ridge(X, y, lam):
    Z = np.column_stack([X, np.ones(len(X))])
    D = np.eye(Z.shape[1])
    D[-1, -1] = 0
    return np.linalg.solve(Z.T @ Z + len(X) * lam / 2 * D, Z.T @ y)
"""
BORDER = RIDGE + """def f(x, y, lam, far):
    s, n = 0, len(x)
    while s < 99:
        Z = np.c_[x + s, np.ones(n)]
        w, b = ridge(Z[:, :1], y, lam)
        v, c = np.linalg.solve(Z.T @ Z + n * lam / 2 * np.eye(2), Z.T @ y)
        if abs(b / w - c / v) > far:
            break
        s += 1
    return s, -b / w, -c / v
"""
FOLDS = RIDGE + """def f(X, y, lams, folds):
    out = []
    for lam in lams:
        total = 0
        for fold in set(folds):
            new = folds == fold
            m, d = X[~new].mean(0), X[~new].std(0)
            t = ridge((X[~new] - m) / d, y[~new], lam)
            total += (((X[new] - m) / d @ t[:-1] + t[-1] - y[new]) ** 2).sum()
        out.append(total / len(y))
    return out, int(np.argmin(out))
"""
FIVE = """def f(n, potsdam, ubc, C, alpha, alpha1):
    return 2 * potsdam / n, ubc / n, 1 / n / C, 2 * alpha / n, 2 * alpha1
"""

WRONG = [
    ("room", "def f(X, y, theta):\n    c = min(np.linalg.norm(p - q) for p in X[y > 0] for q in X[y < 0])\n"
     "    w = np.linalg.norm(theta[:-1])\n    z = y * (X @ theta[:-1] + theta[-1])\n"
     "    return c, 2 / c, 3 if (z > 1).all() else 1 if w < 2 / c else 2", "exactly 1 is enough"),
    ("soft_threshold", "def f(theta, eta, lam, mix):\n    w, k = theta[:-1], eta * lam\n"
     "    v = np.sign(w) * np.max(np.abs(w) - k * mix, 0)\n    return np.append(v / (1 + k * (1 - mix)), theta[-1])",
     "np.maximum(a, 0)"),
    ("regularised", NET.replace("v, np.append(g, 2 * r.mean())", "v, g"), "as many entries as theta"),
    ("regularised", NET.replace("lam * (mix * abs(w).sum()", "lam * mix * abs(w).sum()").replace("(w ** 2).sum())",
     "(w ** 2).sum()"), "brackets around both parts"),
    ("regularised", NET.replace("lam *", ""), "not multiplied by lambda"),
    ("regularised", NET.replace("np.sign(w)", "w / abs(w)"), "0/0"),
    ("regularised", NET.replace("np.sign(w)", "np.where(w > 0, 1, -1)"), "yours is -1"),
    ("regularised", NET.replace("v, np.append", "np.append"), "2 things are asked for"),
    ("soft_threshold", PROX.replace("eta * lam * mix", "eta * lam").replace("t = ", "t = "), "lacks mix"),
    ("soft_threshold", PROX.replace("eta * lam * mix", "eta * lam").replace(" * (1 - mix)", ""), "leave out mix"),
    ("soft_threshold", PROX.replace("np.sign(w) * ", ""), "sign is lost"),
    ("soft_threshold", PROX.replace("v / (1 + eta * lam * (1 - mix))", "v"), "L2 part is missing"),
    ("soft_threshold", PROX.replace(", theta[-1]", ", []"), "offset is missing"),
    ("regularised", NET.replace("w = theta[:-1]; r = X @ w", "w = theta; r = X @ w[:-1]")
     .replace("np.sign(w)", "np.sign(w[:-1])").replace("* w)", "* w[:-1])"), "value penalises the offset"),
    ("regularised", NET.replace("(r ** 2).mean()", "(r ** 2).sum()"), "value sums"),
    ("regularised", NET.replace("2 * X.T", "X.T").replace("2 * r.mean", "r.mean"), "factor 2"),
    ("regularised", NET.replace("+ lam * (mix * np.sign", "- lam * (mix * np.sign"), "wrong sign"),
    ("regularised", NET.replace("2 * r.mean()", "0"), "slope of the offset is missing"),
    ("regularised", NET.replace("(1 - mix) / 2", "(1 - mix)"), "half"),
    ("soft_threshold", PROX.replace("np.maximum(np.abs(w) - t, 0)", "(abs(w) - t)"), "jump over 0"),
    ("soft_threshold", PROX.replace("np.sign(w) * np.maximum(np.abs(w) - t, 0)", "w * (abs(w) > t)"), "hard"),
    ("soft_threshold", PROX.replace("w = theta[:-1]", "w = theta").replace(", theta[-1])", ", [])"), "offset moves"),
    ("soft_threshold", PROX.replace("eta * lam", "lam"), "step size"),
    ("soft_threshold", PROX.replace("t = eta", "theta *= 1.0; theta += 0.5; t = eta"), "changed its argument theta"),
    ("choose_lambda", CHOOSE, "argmin takes the first"),
    ("choose_lambda", CHOOSE.replace("k, e[k]", "lams[k], e[k]"), "in choose_lambda("),
    ("choose_lambda", TIES.replace("k, e[k]", "lams[k], e[k]"), "an entry of `lams`"),
    ("choose_lambda", TIES.replace("k, e[k]", "k, 1 - e[k]"), "1 minus"),
    ("choose_lambda", TIES.replace("k, e[k]", "e[k], k"), "another order, error, index"),
    ("choose_lambda", TIES.replace("k, e[k]", "k"), "only `index` came back"),
    ("choose_lambda", TIES.replace("+ t[-1]", ""), "misses the offset"),
    ("choose_lambda", CHOOSE.replace("int(np.argmin(e))", "int(np.argmax(lams))"), "largest lambda of all"),
    ("choose_lambda", CHOOSE.replace("k = int(np.argmin(e))", "k = max((i for i in range(len(e)) if e[i] == min(e)), "
     "key=lambda i: lams[i])").replace("<= 0", "< 0"), "exactly 0"),
    ("choose_lambda", CHOOSE.replace("k = int(np.argmin(e))", "k = min((i for i in range(len(e)) if e[i] == min(e)), "
     "key=lambda i: lams[i])"), "yours is the smallest"),
    ("choose_lambda", CHOOSE.replace("y * (X @ t[:-1] + t[-1]) <= 0", "np.where(X @ t[:-1] + t[-1] >= 0, 1, -1) != y")
     .replace("k = int(np.argmin(e))", "k = max(range(len(e)), key=lambda i: (-e[i], lams[i]))"), "for +1"),
    ("over_splits", SPLITS, "lams[i])", "-lams[i])", "yours is the smallest"),
    ("over_splits", SPLITS, "max((i for i in range(len(v)) if v[i] == v.min()), key=lambda i: lams[i])", "v.argmin()",
     "takes the first"),
    ("over_splits", SPLITS, "max((i for i in range(len(v)) if v[i] == v.min()), key=lambda i: lams[i])",
     "training.mean(0).argmin()", "lowest training error"),
    ("over_splits", SPLITS, "max((i for i in range(len(v)) if v[i] == v.min()), key=lambda i: lams[i])",
     "validation.min(0).argmin()", "luckiest single split"),
    ("over_splits", SPLITS, "return b,", "return lams[b],", "an entry of `lams`"),
    ("over_splits", SPLITS, "v - training", "training.mean(0) - v, better #", "opposite sign"),
    ("over_splits", SPLITS, "v - training.mean(0)", "(v - training.mean(0))[b]", "one for each lambda"),
    ("over_splits", SPLITS, "v - training.mean(0)", "validation - training", "mean of each column"),
    ("over_splits", SPLITS, "(validation[:, b] <", "(validation[:, b] <=", "equal errors"),
    ("over_splits", SPLITS, "[:, lams.argmin()]).sum()", "[:, lams.argmin()]).mean()", "is a fraction"),
    ("over_splits", SPLITS, "lams.argmin()", "0", "first column"),
    ("over_splits", SPLITS, "axis=0", "axis=1", "over_splits"),
    ("over_splits", SPLITS, "return b, ", "return ", "3 things are asked for"),
    ("room", ROOM, "if y[i] != y[j]", "if i != j", "all pairs"),
    ("room", ROOM, "min(", "max(", "largest distance"),
    ("room", ROOM, "** 2).sum() ** 0.5", "** 2).sum()", "the square of"),
    ("room", ROOM, "2 / c", "1 / c", "half of what"),
    ("room", ROOM, "2 / c", "c / 2", "upside down"),
    ("room", ROOM, "np.linalg.norm(t[:-1])", "np.linalg.norm(t)", "takes the offset in"),
    ("room", ROOM, "(z >= 1).all()", "(z > 0).all()", "all mails are right"),
    ("room", ROOM, "(z >= 1).all()", "(z >= 1).any()", "some agreement is 1"),
    ("room", ROOM, "else 2", "else 1", "never says 2"),
    ("room", ROOM, "(z >= 1).all()", "False", "never says 3"),
    ("room", ROOM, "y * (X", "(X", "labels are missing"),
    ("room", ROOM, " + t[-1])", ")", "lack the offset"),
    ("room", ROOM, "return c, 2 / c, why", "return 2 / c, c, why", "another order"),
    ("soft_threshold", PROX, "np.append(v / (1 + eta * lam * (1 - mix)), theta[-1])", "v / (1 + eta * lam * (1 - mix))",
     "offset is missing"),
    ("move_border", BORDER, "n * lam / 2 * np.eye(2)", "lam / 2 * np.eye(2)", "s < 99", "s < 999", "add the losses up"),
    ("move_border", BORDER, "n * lam / 2 * np.eye(2)", "lam * np.eye(2)", "s < 99", "s < 999", "lam on the diagonal"),
    ("move_border", BORDER, "n * lam / 2 * np.eye(2)", "n * lam * np.eye(2)", "s < 99", "s < 999", "twice as large"),
    ("move_border", BORDER, "n * lam / 2 * np.eye(2)", "n * lam / 2 * np.diag([0, 1])", "s < 99", "s < 999",
     "offset alone"),
    ("move_border", BORDER, "-b / w, -c / v", "-c / v, -b / w", "in another order"),
    ("move_border", BORDER, "-b / w, -c / v", "b / w, c / v", "wrong sign"),
    ("move_border", BORDER, "-b / w, -c / v", "b, c", "return offsets"),
    ("move_border", BORDER, "-b / w, -c / v", "-b / w - s, -c / v - s", "minus the right `shift`"),
    ("move_border", BORDER, "return s, ", "return s - 1, ", "1 too small"),
    ("move_border", BORDER, "return s, ", "return s + 1, ", "1 too large"),
    ("move_border", BORDER, "abs(b / w - c / v) > far", "abs(b - c) > far", "compare the offsets"),
    ("move_border", BORDER, "return s, -b / w, -c / v", "return s", "only `shift` came back"),
    ("cross_validate", FOLDS, "m, d = X[~new].mean(0), X[~new].std(0)", "m, d = X.mean(0), X.std(0)", "leak is still"),
    ("cross_validate", FOLDS, "new = folds == fold", "new = folds != fold", "other way round"),
    ("cross_validate", FOLDS, ".sum()", ".mean()", "/ len(y)", "/ len(set(folds))", "average the folds"),
    ("cross_validate", FOLDS, " + t[-1]", "", "no offset"),
    ("cross_validate", FOLDS, "m, d = X[~new].mean(0), X[~new].std(0)", "m, d = 0, 1", "divide by the spread"),
    ("cross_validate", FOLDS, "ridge((X[~new] - m) / d, y[~new], lam)", "ridge((X - m) / d, y, lam)",
     "has seen all mails"),
    ("cross_validate", FOLDS, "X[~new].std(0)", "X[~new].std(0, ddof=1)", "divides by n - 1"),
    ("cross_validate", FOLDS, "(X[new] - m) / d @", "X[new] @", "are not standardised"),
    ("cross_validate", FOLDS, "int(np.argmin(out))", "lams[np.argmin(out)]", "an entry of `lams`"),
    ("cross_validate", FOLDS, "int(np.argmin(out))", "int(np.argmax(out))", "highest loss"),
    ("cross_validate", FOLDS, "/ len(y)", "", "are sums"),
    ("cross_validate", FOLDS, "return out, int(np.argmin(out))", "return min(out), int(np.argmin(out))",
     "of the best lambda"),
    ("cross_validate", FOLDS, "m, d = X[~new].mean(0), X[~new].std(0)", "m, d = X.mean(0), X.std(0)", ".sum()",
     ".mean()", "/ len(y)", "/ len(set(folds))", "Two faults are left"),
    ("same_lambda", FIVE, "2 * potsdam / n", "potsdam / n", "lacks the 2"),
    ("same_lambda", FIVE, "2 * potsdam / n", "n * potsdam / 2", "theirs"),
    ("same_lambda", FIVE, "ubc / n", "2 * ubc / n", "2 too many"),
    ("same_lambda", FIVE, "ubc / n", "ubc", "not divided by n"),
    ("same_lambda", FIVE, "1 / n / C", "1 / C", "lacks n"),
    ("same_lambda", FIVE, "1 / n / C", "n * C", "upside down"),
    ("same_lambda", FIVE, "1 / n / C", "C / n", "grows with C"),
    ("same_lambda", FIVE, "2 * alpha / n", "alpha", "taken over as it is"),
    ("same_lambda", FIVE, "2 * alpha / n", "alpha / n", "lacks the 2"),
    ("same_lambda", FIVE, "2 * alpha1", "alpha1", "taken over as it is"),
    ("same_lambda", FIVE, "2 * alpha1", "alpha1 / 2", "theirs"),
    ("same_lambda", FIVE, "2 * potsdam / n, ubc / n", "ubc / n, 2 * potsdam / n", "another order"),
]


@pytest.mark.parametrize("seed", SEEDS)
def test_right_answers_agree_with_coursekit(seed):
    drawn = tasks(CHAPTER, seed)

    def cases(name):
        return [(*case, COURSE[CHAPTER].space[name](*case)) for case in drawn[name].cases]

    for X, y, theta, lam, mix, (value, slope) in cases("regularised"):
        objective = ck.Objective(X, y, ck.losses.squared, ck.penalties.elastic_net(mix), lam)
        assert value == pytest.approx(objective.value(theta))
        assert slope == pytest.approx(objective.slope(theta))
    for theta, eta, lam, mix, (*weights, offset) in cases("soft_threshold"):
        assert offset == theta[-1]
        penalty = ck.penalties.elastic_net(mix)
        for w, v in zip(theta[:-1], weights, strict=True):

            def price(u, w=w, t=eta * lam, penalty=penalty):
                return (u - w) ** 2 / 2 + t * penalty([u])

            best = minimize_scalar(price, bounds=(-5, 5), method="bounded", options={"xatol": 1e-9})
            assert v == pytest.approx(best.x, abs=1e-6)


@pytest.mark.parametrize("seed", SEEDS)
def test_borders_and_folds_agree_with_scikit_learn(seed):
    drawn = tasks(CHAPTER, seed)
    for (x, y, lam, far), (shift, free, penalised) in zip(
        drawn["move_border"].cases, drawn["move_border"].right, strict=True
    ):
        lag = []
        for s in range(int(shift) + 1):
            at, alpha = (x + s)[:, None], len(x) * lam / 2
            one = Ridge(alpha=alpha).fit(at, y)
            both = Ridge(alpha=alpha, fit_intercept=False).fit(np.c_[at, np.ones(len(x))], y)
            borders = -one.intercept_ / one.coef_[0], -both.coef_[1] / both.coef_[0]
            lag.append(abs(borders[0] - borders[1]))
        assert (free, penalised) == pytest.approx(borders, rel=1e-5)
        assert lag[-1] > far
        assert max(lag[:-1], default=0.0) <= far
    for (X, y, lams, folds), (losses, best) in zip(
        drawn["cross_validate"].cases, drawn["cross_validate"].right, strict=True
    ):
        squares = np.zeros(len(lams))
        for fold in np.unique(folds):
            learn = folds != fold
            for k, lam in enumerate(lams):
                model = make_pipeline(StandardScaler(), Ridge(alpha=learn.sum() * lam / 2)).fit(X[learn], y[learn])
                squares[k] += np.sum((y - model.predict(X))[~learn] ** 2)
        assert losses == pytest.approx(squares / len(y), rel=1e-4)
        assert best == squares.argmin()


@pytest.mark.parametrize("seed", SEEDS)
def test_one_lambda_is_what_the_table_of_scalings_says(seed):
    drawn = tasks(CHAPTER, seed)["same_lambda"]
    for (n, *given), right in zip(drawn.cases, drawn.right, strict=True):
        back = [lam * n / 2 if k in (0, 3) else n * lam if k == 1 else 1 / (n * lam) if k == 2 else lam / 2
                for k, lam in enumerate(right)]
        assert back == pytest.approx(given, rel=1e-5)
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(40, 3)), rng.choice([-1.0, 1.0], 40)
    space = COURSE[CHAPTER].space
    ridge = Ridge(alpha=3.0).fit(X, y)
    *_, from_ridge, from_lasso = space["same_lambda"](40, 1, 1, 1, 3.0, 0.05)
    assert space["ridge"](X, y, from_ridge) == pytest.approx([*ridge.coef_, ridge.intercept_])
    lasso = Lasso(alpha=0.05, tol=1e-10).fit(X, y)
    objective = ck.Objective(X, y, ck.losses.squared, ck.penalties.l1, from_lasso)
    best = objective.value(np.append(lasso.coef_, lasso.intercept_))
    assert all(best <= objective.value(np.append(lasso.coef_, lasso.intercept_) + 0.05 * rng.normal(size=4)) + 1e-9
               for _ in range(200))


@pytest.mark.parametrize("seed", SEEDS)
def test_cases_hold_what_the_text_promises(seed):
    drawn = tasks(CHAPTER, seed)
    assert any((theta[:-1] == 0).any() for _, _, theta, _, _ in drawn["regularised"].cases)
    for lams, thetas, X, y in drawn["choose_lambda"].cases:
        wrong = (y * (thetas[:, :-1] @ X.T + thetas[:, -1:]) <= 0).sum(axis=1)
        assert np.sum(wrong == wrong.min()) > 1  # a tie for the largest lambda to decide
        assert len(set(lams)) == len(lams)
    for lams, _, validation in drawn["over_splits"].cases:
        assert validation.mean(axis=0).argmin() != lams.argmax()
    assert {right[2] for right in drawn["room"].right} == {1, 2, 3}
    assert all(shift < 25 for shift, _, _ in drawn["move_border"].right)
    assert all(len(set(np.bincount(folds))) > 1 for _, _, _, folds in drawn["cross_validate"].cases)
