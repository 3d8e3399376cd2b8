"""Exercise 6: right answers, and edits that keep them right or make them wrong."""

import numpy as np
import pytest
from scipy.optimize import minimize_scalar
from sklearn.linear_model import Lasso, Ridge
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import coursekit as ck
from tests.checking.judging import COURSE, SEEDS, tasks

CHAPTER = "06-regularization"


def regularised(X, y, theta, lam, mix):
    w = theta[:-1]
    r = X @ w + theta[-1] - y
    v = (r**2).mean() + lam * (mix * abs(w).sum() + (1 - mix) / 2 * (w**2).sum())
    g = 2 * X.T @ r / len(y) + lam * (mix * np.sign(w) + (1 - mix) * w)
    return v, np.append(g, 2 * r.mean())


def soft_threshold(theta, eta, lam, mix):
    w, t = theta[:-1], eta * lam * mix
    v = np.sign(w) * np.maximum(np.abs(w) - t, 0)
    return np.append(v / (1 + eta * lam * (1 - mix)), theta[-1])


def choose_lambda(lams, thetas, X, y):
    e = [np.mean(y * (X @ t[:-1] + t[-1]) <= 0) for t in thetas]
    k = max((i for i in range(len(e)) if e[i] == min(e)), key=lambda i: lams[i])
    return k, e[k]


def over_splits(lams, training, validation):
    v = validation.mean(axis=0)
    b = max((i for i in range(len(v)) if v[i] == v.min()), key=lambda i: lams[i])
    better = (validation[:, b] < validation[:, lams.argmin()]).sum()
    return b, v - training.mean(0), better


def room(X, y, t):
    c = min(((X[i] - X[j]) ** 2).sum() ** 0.5 for i in range(len(X)) for j in range(len(X)) if y[i] != y[j])
    z = y * (X @ t[:-1] + t[-1])
    return c, 2 / c, 3 if (z >= 1).all() else 1 if np.linalg.norm(t[:-1]) < 2 / c else 2


def ridge(X, y, lam, free=True):
    Z = np.column_stack([X, np.ones(len(X))])
    D = np.eye(Z.shape[1])
    D[-1, -1] = not free
    return np.linalg.solve(Z.T @ Z + len(X) * lam / 2 * D, Z.T @ y)


def by_rows(X, y, lam, free=True):
    """A penalty is an example more for each weight, with label 0."""
    Z = np.column_stack([X, np.ones(len(X))])
    more = (len(y) * lam / 2) ** 0.5 * np.eye(Z.shape[1])[: Z.shape[1] - free]
    return np.linalg.lstsq(np.vstack([Z, more]), np.append(y, np.zeros(len(more))), rcond=None)[0]


def move_border(x, y, lam, far):
    s = 0
    while s < 99:
        w, b = ridge(x[:, None] + s, y, lam)
        v, c = ridge(x[:, None] + s, y, lam, free=False)
        if abs(b / w - c / v) > far:
            break
        s += 1
    return s, -b / w, -c / v


def cross_validate(X, y, lams, folds):
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


def same_lambda(n, potsdam, ubc, C, alpha, alpha1):
    return 2 * potsdam / n, ubc / n, 1 / n / C, 2 * alpha / n, 2 * alpha1


FIRST = "max((i for i in range(len(v)) if v[i] == v.min()), key=lambda i: lams[i])"
LARGEST = "max((i for i in range(len(e)) if e[i] == min(e)), key=lambda i: lams[i])"
LEARNED = "m, d = X[~new].mean(0), X[~new].std(0)"
BORDERS = "-b / w, -c / v"
RIGHT = [
    ("regularised", "    w = theta", "    X, y, theta = (a.astype(np.float32) for a in (X, y, theta))\n    w = theta"),
    ("regularised", "(r**2).mean()", "np.mean((1 - y * (X @ w + theta[-1])) ** 2)", "2 * X.T @ r / len(y)",
     "[2 * np.mean(r * column) for column in X.T]"),
    ("soft_threshold", "np.sign(w) * np.maximum(np.abs(w) - t, 0)", "w - np.clip(w, -t, t)", "return np",
     "return 1 * np"),
    ("soft_threshold", "np.sign(w) * np.maximum(np.abs(w) - t, 0)",
     "np.array([x - t if x > t else x + t if x < -t else 0 for x in w])", "1 + eta * lam * (1 - mix)",
     "1 + eta * lam - t"),
    ("choose_lambda", LARGEST, "np.lexsort((-lams, e))[0]", "e[k]", "np.float32(e[k])"),
    ("choose_lambda", LARGEST, "sorted(range(len(e)), key=lambda i: (e[i], -lams[i]))[0]", "return k",
     "return float(k)"),
    ("over_splits", FIRST, "np.lexsort((-lams, validation.sum(0)))[0]", "v - training.mean(0)",
     "np.float32((validation - training).mean(0))"),
    ("over_splits", "(validation[:, b] < validation[:, lams.argmin()]).sum()",
     "sum(row[b] < row[lams.tolist().index(min(lams))] for row in validation)"),
    ("room", "((X[i] - X[j]) ** 2).sum() ** 0.5", "np.linalg.norm(X[i] - X[j]).astype(np.float32)"),
    ("room", "(z >= 1).all()", "sum(max(0, 1 - a) for a in z) == 0", "np.linalg.norm(t[:-1]) <",
     "t[:-1] @ t[:-1] < 2 / c *"),
    ("move_border", "ridge", "by_rows", "return s", "return float(s)"),
    ("move_border", "w, b = ridge(x[:, None] + s, y, lam)", "at = x + s\n"
     "        w = np.mean((at - at.mean()) "
     ""
     "* y) / (at.var() + lam / 2)\n        b = y.mean() - w * at.mean()"),
    ("cross_validate", "ridge(", "by_rows(", "return out,", "return np.float32(out),"),
    ("cross_validate", "for fold in set(folds)", "for i in range(len(y))", "new = folds == fold",
     "new = folds == folds[i]", ".sum()", ".sum() / sum(new)"),
    ("same_lambda", "2 * potsdam / n, ubc / n, 1 / n / C", "potsdam / (n / 2), ubc / n, (n * C) ** -1"),
    ("same_lambda", "2 * potsdam / n, ubc / n, 1 / n / C, 2 * alpha / n, 2 * alpha1",
     "np.array([2 * potsdam, ubc, 1 / C, 2 * alpha, 2 * n * alpha1]) / n"),
]
WRONG = [
    ("regularised", "np.append(g, 2 * r.mean())", "g", "as many entries as theta"),
    ("soft_threshold", ", theta[-1])", ", [])", "offset is missing"),
    ("choose_lambda", LARGEST, "int(np.argmin(e))", "argmin takes the first"),
    ("choose_lambda", "return k", "return lams[k]", "an entry of `lams`"),
    ("over_splits", "v - training.mean(0)", "validation - training", "mean of each column"),
    ("room", "z >= 1", "z > 1", "exactly 1 is enough"),
    ("move_border", BORDERS, "-b / w - s, -c / v - s", "minus the right `shift`"),
    ("cross_validate", "return out,", "return min(out),", "of the best lambda"),
    ("cross_validate", LEARNED, "m, d = X.mean(0), X.std(0)", ".sum()", ".mean()", "/ len(y)", "/ len(set(folds))",
     "Two faults are left"),
    ("same_lambda", "1 / n / C", "C / n", "grows with C"),
]


@pytest.mark.parametrize("seed", SEEDS)
def test_right_answers_agree_with_coursekit_and_with_the_table_of_scalings(seed):
    drawn, space = tasks(CHAPTER, seed), COURSE[CHAPTER].space
    for X, y, theta, lam, mix in drawn["regularised"].cases:
        value, slope = space["regularised"](X, y, theta, lam, mix)
        objective = ck.Objective(X, y, ck.losses.squared, ck.penalties.elastic_net(mix), lam)
        assert value == pytest.approx(objective.value(theta))
        assert slope == pytest.approx(objective.slope(theta))
    for theta, eta, lam, mix in drawn["soft_threshold"].cases:
        *weights, offset = space["soft_threshold"](theta, eta, lam, mix)
        assert offset == theta[-1]
        penalty = ck.penalties.elastic_net(mix)
        for w, v in zip(theta[:-1], weights, strict=True):

            def price(u, w=w, t=eta * lam, penalty=penalty):
                return (u - w) ** 2 / 2 + t * penalty([u])

            best = minimize_scalar(price, bounds=(-5, 5), method="bounded", options={"xatol": 1e-9})
            assert v == pytest.approx(best.x, abs=1e-6)
    for (n, *given), right in zip(drawn["same_lambda"].cases, drawn["same_lambda"].right, strict=True):
        back = [lam * n / 2 if k in (0, 3) else n * lam if k == 1 else 1 / (n * lam) if k == 2 else lam / 2
                for k, lam in enumerate(right)]
        assert back == pytest.approx(given, rel=1e-5)


@pytest.mark.parametrize("seed", SEEDS)
def test_borders_and_folds_agree_with_scikit_learn(seed):
    drawn = tasks(CHAPTER, seed)
    for (x, y, lam, far), (shift, *right) in zip(drawn["move_border"].cases, drawn["move_border"].right, strict=True):
        lag = []
        for s in range(int(shift) + 1):
            at, alpha = (x + s)[:, None], len(x) * lam / 2
            one = Ridge(alpha=alpha).fit(at, y)
            both = Ridge(alpha=alpha, fit_intercept=False).fit(np.c_[at, np.ones(len(x))], y)
            borders = -one.intercept_ / one.coef_[0], -both.coef_[1] / both.coef_[0]
            lag.append(abs(borders[0] - borders[1]))
        assert right == pytest.approx(borders, rel=1e-5)
        assert lag[-1] > far >= max(lag[:-1], default=0.0)
    for (X, y, lams, folds), (losses, best) in zip(
            drawn["cross_validate"].cases, drawn["cross_validate"].right, strict=True):
        squares = np.zeros(len(lams))
        for fold in np.unique(folds):
            learn = folds != fold
            for k, lam in enumerate(lams):
                model = make_pipeline(StandardScaler(), Ridge(alpha=learn.sum() * lam / 2)).fit(X[learn], y[learn])
                squares[k] += np.sum((y - model.predict(X))[~learn] ** 2)
        assert losses == pytest.approx(squares / len(y), rel=1e-4)
        assert best == squares.argmin()


def test_lambdas_of_scikit_learn_are_those_of_the_course():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(40, 3)), rng.choice([-1.0, 1.0], 40)
    space = COURSE[CHAPTER].space
    fit = Ridge(alpha=3.0).fit(X, y)
    *_, from_ridge, from_lasso = space["same_lambda"](40, 1, 1, 1, 3.0, 0.05)
    assert space["ridge"](X, y, from_ridge) == pytest.approx([*fit.coef_, fit.intercept_])
    lasso = Lasso(alpha=0.05, tol=1e-10).fit(X, y)
    theta = np.append(lasso.coef_, lasso.intercept_)
    objective = ck.Objective(X, y, ck.losses.squared, ck.penalties.l1, from_lasso)
    assert objective.value(theta) <= min(objective.value(theta + 0.05 * rng.normal(size=(200, 4)))) + 1e-9


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
