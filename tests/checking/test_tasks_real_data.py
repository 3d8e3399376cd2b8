"""Exercise 9: right answers in other spellings, wrong ones in the words of a student."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import confusion_matrix, recall_score
from sklearn.preprocessing import StandardScaler

import coursekit as ck
from coursekit.checking.judge import judged
from tests.checking.judging import COURSE, SEEDS, pairs, sentence, tasks

CHAPTER = "09-real-data"


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


def project_centroids(X, y, seed):
    mean, spread = X.mean(axis=0), X.std(axis=0) + (X.std(axis=0) == 0)
    S = (X - mean) / spread
    high, low = S[y > 0].mean(axis=0), S[y < 0].mean(axis=0)
    w = (high - low) / spread
    return np.append(w, (low @ low - high @ high) / 2 - w @ mean)


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
    "standardise": (standardise_loop, standardise_copy, standardise_variance),
    "raw_weights": (raw_loop, raw_two_points, raw_matrix),
    "confusion": (confusion_sum, confusion_bincount, confusion_onehot),
    "project": (
        project_least_squares, project_pegasos, project_hinge, project_centroids, project_perceptron,
    ),
    "read_report": (
        lambda: [0.1, 0.09, 0.0286, 0.03333, 0.9, [1, 0, 1, 0]],
        lambda: (1e-1, 9 / 100, np.sqrt(0.09 * 0.91) / 10, 1 / 30, 45 / 50, (True * 1, 0, 1, 0)),
        lambda: [np.float32(0.1), np.float32(0.09), 0.02862, 1 / (300 * 0.1), np.array(0.9), np.array([1, 0, 1, 0])],
        lambda: (0.1, 0.09, 0.02861818, 0.0333333, 0.9, [True, False, True, False]),
    ),
}


@pytest.mark.parametrize(("name", "answer"), pairs(CHAPTER, VARIANTS))
def test_right_answers_pass(name, answer):
    assert [sentence(name, answer, seed) for seed in SEEDS] == [""] * len(SEEDS)


STANDARD = """def f(train, test):
    m = train.mean(axis=0); s = train.std(axis=0); s[s == 0] = 1
    return (train - m) / s, (test - m) / s
"""
RAW = """def f(theta, mean, spread):
    w = theta[:-1] / spread
    return np.append(w, theta[-1] - sum(w * mean))
"""
CONFUSION = """def f(true, predicted, k):
    T = np.zeros((k, k))
    for t, p in zip(true, predicted):
        T[t][p] += 1
    return T, [T[c][c] / sum(T[c]) for c in range(k)]
"""
PROJECT = """def f(X, y, seed):
    m = X.mean(axis=0); s = X.std(axis=0); s[s == 0] = 1
    S = (X - m) / s; w = np.zeros(len(m)); b = 0
    for k in range(200):
        p = y / (1 + np.exp(y * (S @ w + b)))
        w = w + 0.1 * (S.T @ p / len(y) - 0.1 * w); b = b + 0.1 * p.mean()
    return np.append(w / s, b - (w / s) @ m)
"""
REPORT = """def f():
    return 0.1, 0.09, 0.0286, 0.0333, 0.9, [1, 0, 1, 0]
"""
BACK = "np.append(w / s, b - (w / s) @ m)"

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
    ("raw_weights", RAW, "- sum(w * mean)", "", "must move"),
    ("raw_weights", RAW, "- sum(w * mean)", "- w * mean", "add them up first"),
    ("raw_weights", RAW, "/ spread", "* spread", "divided by it"),
    ("raw_weights", RAW, "/ spread", "* spread", "- sum(w * mean)", "+ sum(theta[:-1] * mean)", "theta goes back"),
    ("raw_weights", RAW, "sum(w * mean)", "theta[:-1] @ mean", "new weights, w / spread"),
    ("raw_weights", RAW, "return np.append(w, theta[-1] - sum(w * mean))", "return [*w, theta[-1] + w @ mean]",
     "wrong way"),
    ("confusion", CONFUSION, "T[t][p] += 1", "T[p][t] += 1", "rows and columns are exchanged"),
    ("confusion", CONFUSION, "for t, p in zip(true, predicted):\n        T[t][p] += 1", "T[true, predicted] += 1",
     "counted once"),
    ("confusion", CONFUSION, "np.zeros((k, k))", "[[0] * k] * k", "rows are alike"),
    ("confusion", CONFUSION, "sum(T[c])", "max(1, T[:, c].sum())", "divide by the rows"),
    ("confusion", CONFUSION, "sum(T[c])", "T[:, c].sum()", "divide by the rows"),
    ("confusion", CONFUSION, "T[t][p] += 1", "T[t - 1][p - 1] += 1", "In confusion("),
    ("project", PROJECT, BACK, "np.append(w, b)", "On standardised features your theta would do"),
    ("project", PROJECT, "b - (w / s) @ m)", "b)", "carry the offset back"),
    ("project", PROJECT, BACK, "w / s", "offset is missing"),
    ("project", PROJECT, BACK, "np.append(b - (w / s) @ m, w / s)", "offset comes first"),
    ("project", PROJECT, "p = y /", "p = -y /", "opposite sign"),
    ("project", PROJECT, "s[s == 0] = 1", "pass", "NaN"),
    ("project", PROJECT, BACK, "np.zeros(len(m) + 1)", "same class for every new example"),
    ("project", PROJECT, BACK, "np.random.default_rng(seed).normal(size=len(m) + 1)", "at most 15% may be wrong"),
    ("project", PROJECT, BACK, "np.ones(3)", "yours has (3,)"),
    ("project", PROJECT, BACK, "'a line'", "not made of numbers"),
    ("project", PROJECT, "return", "theta =", "returned None"),
    ("read_report", REPORT, "0.1,", "0.01,", "the largest is taken"),
    ("read_report", REPORT, "0.09", "0.05", "flattered"),
    ("read_report", REPORT, "0.0286", "0.03", "too rough"),
    ("read_report", REPORT, "0.0286", "0.0287", "third digit"),
    ("read_report", REPORT, "0.0333", "0.1", "is lambda, or n is the number of the test part"),
    ("read_report", REPORT, "0.0333", "0.0334", "third digit"),
    ("read_report", REPORT, "[1, 0, 1, 0]", "[1, 1, 1, 0]", "Statement 2"),
    ("read_report", REPORT, "[1, 0, 1, 0]", "[True, True, False, False]", "Statement 2"),
]


@pytest.mark.parametrize(("name", "source", "edits"), [(name, source, edits) for name, source, *edits in WRONG])
def test_wrong_answers_of_a_student(name, source, edits):
    for old, new in zip(edits[:-1:2], edits[1::2], strict=True):
        assert old in source
        source = source.replace(old, new)
    said = sentence(name, source)
    assert edits[-1] in said
    assert "\n" not in said


def test_solutions_agree_with_scikit_learn():
    drawn, solution = tasks(CHAPTER, 5), COURSE[CHAPTER].space
    rng = np.random.default_rng(5)
    for train, test in drawn["standardise"].cases:
        scaler = StandardScaler().fit(train)
        found = solution["standardise"](train, test)
        assert np.allclose(found[0], scaler.transform(train))
        assert np.allclose(found[1], scaler.transform(test))
    for theta, mean, spread in drawn["raw_weights"].cases:
        X = rng.normal(size=(4, len(mean)))
        new = solution["raw_weights"](theta, mean, spread)
        assert np.allclose(X @ new[:-1] + new[-1], (X - mean) / spread @ theta[:-1] + theta[-1])
    for true, predicted, k in drawn["confusion"].cases:
        table, found = solution["confusion"](true, predicted, k)
        assert np.array_equal(table, confusion_matrix(true, predicted))
        assert np.allclose(found, recall_score(true, predicted, average=None))


@pytest.mark.parametrize("seed", SEEDS)
def test_the_project_holds_out_what_a_good_classifier_gets_right(seed):
    task = tasks(CHAPTER, seed)["project"]
    for C in (0.1, 1.0):
        scores = []
        for (X, y, _), (X_new, y_new) in zip(task.cases, task.right, strict=True):
            scaler = StandardScaler().fit(X)
            model = LogisticRegression(C=C).fit(scaler.transform(X), y)
            scores.append(model.score(scaler.transform(X_new), y_new))
            assert max(np.mean(y_new == 1), np.mean(y_new == -1)) < 0.8
        assert np.mean(scores) >= 0.9


def test_the_project_tells_when_it_was_close():
    task, project = tasks(CHAPTER)["project"], COURSE[CHAPTER].space["project"]
    thetas = [project(*case) for case in task.cases]
    assert judged(task, thetas).note == ""
    # The class that fewer of the new examples have, whatever x is: more than half of them are wrong.
    guesses = [np.append(np.zeros(X.shape[1]), np.where(y.sum() > 0, -1, 1)) for X, y in task.right]
    close, failed = judged(task, guesses[:1] + thetas[1:]), judged(task, guesses[:2] + thetas[2:])
    assert "with other data it could be more" in close.note
    assert close.sentence == ""
    assert "at most 15% may be wrong" in failed.sentence
    assert failed.note == ""


def test_the_numbers_of_read_report():
    lam, error, give, C, found, _ = COURSE[CHAPTER].space["read_report"]()
    assert pytest.approx(ck.scaling.convert(lam, n=300, target="SVC")) == C
    assert error == (5 + 4) / 100
    assert give == pytest.approx(np.std(np.repeat([1.0, 0.0], [9, 91])) / 10)
    assert found == 45 / 50
