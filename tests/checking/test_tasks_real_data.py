"""Exercise 9: right answers in other spellings, wrong ones in the words of a student."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import confusion_matrix, recall_score
from sklearn.preprocessing import StandardScaler

import coursekit as ck
from coursekit.checking.tasks.real_data import PROJECT, TASKS, _study
from tests.checking.judging import SEEDS, pairs, sentence


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


def raw_loop(theta, mean, spread):
    out = [w / s for w, s in zip(theta, spread, strict=False)]
    return [*out, theta[-1] - sum(w * m for w, m in zip(out, mean, strict=True))]


def raw_two_points(theta, mean, spread):
    d = len(mean)
    points = np.vstack([np.zeros(d), np.eye(d)])
    f = ((points - mean) / spread) @ theta[:d] + theta[d]
    return np.append(f[1:] - f[0], f[0])


def raw_matrix(theta, mean, spread):
    M = np.diag(np.append(1 / spread, 1.0))
    M[:-1, -1] = -mean / spread
    return (theta @ M).astype(np.float32)


def confusion_sum(true, predicted, k):
    table = [[int(sum((true == t) & (predicted == p))) for p in range(k)] for t in range(k)]
    return table, [table[c][c] / sum(table[c]) for c in range(k)]


def confusion_bincount(true, predicted, k):
    table = np.bincount(true * k + predicted, minlength=k * k).reshape(k, k)
    return table, (table.diagonal() / table.sum(1)).astype(np.float32)


def confusion_onehot(true, predicted, k):
    one = np.eye(k)
    table = one[true].T @ one[predicted]
    return [table, np.array([np.mean(predicted[true == c] == c) for c in range(k)])]


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


VARIANTS = {
    "standardise": (standardise_loop, standardise_copy, standardise_variance),
    "raw_weights": (raw_loop, raw_two_points, raw_matrix),
    "confusion": (confusion_sum, confusion_bincount, confusion_onehot),
    "project": (project_least_squares, project_pegasos, project_hinge),
    "read_report": (
        lambda: [0.1, 0.09, 0.0286, 0.03333, 0.9, [1, 0, 1, 0]],
        lambda: (1e-1, 9 / 100, np.sqrt(0.09 * 0.91) / 10, 1 / 30, 45 / 50, (True * 1, 0, 1, 0)),
        lambda: [np.float32(0.1), np.float32(0.09), 0.02862, 1 / (300 * 0.1), np.array(0.9), np.array([1, 0, 1, 0])],
    ),
}


@pytest.mark.parametrize(("name", "answer"), pairs("09-real-data", VARIANTS))
def test_right_answers_pass(name, answer):
    for seed in SEEDS:
        assert sentence(name, answer, seed) == ""


STANDARD = """def f(train, test):
    m = train.mean(axis=0); s = train.std(axis=0); s[s == 0] = 1
    return (train - m) / s, (test - m) / s
"""
PROJECT_SOURCE = """def f(X, y, seed):
    m = X.mean(axis=0); s = X.std(axis=0); s[s == 0] = 1
    S = (X - m) / s; w = np.zeros(len(m)); b = 0
    for k in range(200):
        p = y / (1 + np.exp(y * (S @ w + b)))
        w = w + 0.1 * (S.T @ p / len(y) - 0.1 * w); b = b + 0.1 * p.mean()
    return np.append(w / s, b - (w / s) @ m)
"""

WRONG = [
    ("standardise", STANDARD.replace("m = train", "both = np.vstack([train, test]); m = both")
     .replace("s = train", "s = both"), "that is a leak"),
    ("standardise", STANDARD.replace("(test - m) / s", "(test - test.mean(axis=0)) / test.std(axis=0)"), "by itself"),
    ("standardise", STANDARD.replace("std(axis=0)", "std(axis=0, ddof=1)"), "n - 1"),
    ("standardise", STANDARD.replace("s[s == 0] = 1", "pass"), "take 1 instead"),
    ("standardise", "def f(train, test):\n    train -= train.mean(axis=0)\n    return train, test",
     "changed its argument train"),
    ("raw_weights", "def f(theta, mean, spread):\n    return np.append(theta[:-1] / spread, theta[-1])", "must move"),
    ("raw_weights", "def f(theta, mean, spread):\n    w = theta[:-1] * spread\n"
     "    return np.append(w, theta[-1] - w @ mean)", "divided by it"),
    ("raw_weights", "def f(theta, mean, spread):\n    w = theta[:-1] / spread\n"
     "    return np.append(w, theta[-1] - theta[:-1] @ mean)", "NEW weights"),
    ("confusion", "def f(true, predicted, k):\n    T = np.zeros((k, k))\n    for t, p in zip(true, predicted):\n"
     "        T[p, t] += 1\n    return T, np.diag(T) / T.sum(axis=0)", "turned over"),
    ("confusion", "def f(true, predicted, k):\n    T = np.zeros((k, k))\n    T[true, predicted] += 1\n"
     "    return T, np.diag(T) / T.sum(axis=1)", "counted once"),
    ("confusion", "def f(true, predicted, k):\n    T = np.zeros((k, k))\n    for t, p in zip(true, predicted):\n"
     "        T[t, p] += 1\n    return T, np.diag(T) / T.sum(axis=0)", "divide by the rows"),
    ("project", PROJECT_SOURCE.replace("np.append(w / s, b - (w / s) @ m)", "np.append(w, b)"),
     "standardised features"),
    ("project", PROJECT_SOURCE.replace("b - (w / s) @ m)", "b)"), "the offset is not"),
    ("project", PROJECT_SOURCE.replace("np.append(w / s, b - (w / s) @ m)", "w / s"), "offset is missing"),
    ("project", PROJECT_SOURCE.replace("p = y /", "p = -y /"), "turned round"),
    ("project", PROJECT_SOURCE.replace("s[s == 0] = 1", "pass"), "NaN"),
    ("project", "def f(X, y, seed):\n    return np.random.default_rng(seed).normal(size=X.shape[1] + 1)", ""),
    ("project", "def f(X, y, seed):\n    return np.ones(3)", "yours has (3,)"),
    ("project", "def f(X, y, seed):\n    return 'a line'", "not made of numbers"),
    ("read_report", "def f():\n    return 0.01, 0.09, 0.0286, 0.0333, 0.9, [1, 0, 1, 0]", "LARGEST"),
    ("read_report", "def f():\n    return 0.1, 0.05, 0.0286, 0.0333, 0.9, [1, 0, 1, 0]", "flattered"),
    ("read_report", "def f():\n    return 0.1, 0.09, 0.0286, 0.1, 0.9, [1, 0, 1, 0]", "C is not lambda"),
    ("read_report", "def f():\n    return 0.1, 0.09, 0.0286, 0.0333, 0.9, [1, 1, 1, 0]", "Statement 2"),
]


@pytest.mark.parametrize(("name", "source", "mention"), WRONG)
def test_wrong_answers_of_a_student(name, source, mention):
    said = sentence(name, source)
    assert said
    assert mention in said
    assert "\n" not in said


def test_references_agree_with_scikit_learn():
    standardise, raw, confusion, _, _ = TASKS
    rng = np.random.default_rng(5)
    for train, test in standardise.draw(rng):
        scaler = StandardScaler().fit(train)
        found = standardise.answer(train, test)
        assert np.allclose(found[0], scaler.transform(train))
        assert np.allclose(found[1], scaler.transform(test))
    for theta, mean, spread in raw.draw(rng):
        X = rng.normal(size=(4, len(mean)))
        new = raw.answer(theta, mean, spread)
        assert np.allclose(X @ new[:-1] + new[-1], (X - mean) / spread @ theta[:-1] + theta[-1])
    for true, predicted, k in confusion.draw(rng):
        table, found = confusion.answer(true, predicted, k)
        assert np.array_equal(table, confusion_matrix(true, predicted))
        assert np.allclose(found, recall_score(true, predicted, average=None))


@pytest.mark.parametrize("draw", range(8))
def test_the_project_holds_out_what_a_good_classifier_gets_right(draw):
    for X, y, seed in PROJECT.draw(np.random.default_rng(draw)):
        X_train, y_train, X_new, y_new = _study(seed)
        assert np.array_equal(X, X_train)
        assert np.array_equal(y, y_train)
        scaler = StandardScaler().fit(X)
        for C in (0.1, 1.0):
            model = LogisticRegression(C=C).fit(scaler.transform(X), y)
            assert model.score(scaler.transform(X_new), y_new) >= 0.85
        assert max(np.mean(y_new == 1), np.mean(y_new == -1)) < 0.7


def test_the_numbers_of_read_report():
    lam, error, give, C, found, _ = TASKS[-1].answer()
    assert pytest.approx(ck.scaling.convert(lam, n=300, target="SVC")) == C
    assert error == (5 + 4) / 100
    assert give == pytest.approx(np.std(np.repeat([1.0, 0.0], [9, 91])) / 10)
    assert found == 45 / 50
