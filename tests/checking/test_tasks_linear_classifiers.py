"""Exercise 1: right answers in other spellings, wrong ones in the words of a student."""

import math

import numpy as np
import pytest

from tests.checking.judging import SEEDS, pairs, sentence, tasks


def scores_loop(X, theta):
    out = []
    for x in X.tolist():
        f = theta[-1]
        for j in range(len(x)):
            f += x[j] * theta[j]
        out.append(f)
    return out


def scores_folded(X, theta):
    return np.c_[X, np.ones(len(X))].astype(np.float32) @ theta.astype(np.float32)


def scores_einsum(X, theta):
    return tuple(np.einsum("ij,j->i", X, theta[: X.shape[1]]) + theta[X.shape[1]])


def predict_loop(X, theta):
    return [1 if f > 0 else -1 if f < 0 else 0 for f in scores_loop(X, theta)]


def predict_difference(X, theta):
    f = scores_folded(X, theta)
    return (f > 0).astype(int) - (f < 0)


def append_rows(X):
    return [[*row, 1] for row in X.tolist()]


def append_filled(X):
    Z = np.ones((X.shape[0], X.shape[1] + 1), dtype=np.float32)
    Z[:, :-1] = X
    return Z


def distance_unit(X, theta):
    w, b = theta[:-1], theta[-1]
    length = math.sqrt(sum(v * v for v in w))
    return [float(x @ (w / length) + b / length) for x in X]


def distance_foot(X, theta):
    """How far along the normal the foot of each point lies behind it."""
    w = theta[:-1]
    unit = w / np.sqrt(w @ w)
    on_line = -theta[-1] * w / (w @ w)
    return (X - on_line) @ unit


def error_loop(X, y, theta):
    wrong = 0
    for f, label in zip(scores_loop(X, theta), y, strict=True):
        if f * label <= 0:
            wrong += 1
    return wrong / len(y)


def error_sign(X, y, theta):
    return np.float32(np.mean(np.sign(scores_folded(X, theta)) != y))


def error_right(X, y, theta):
    return np.array(1 - np.count_nonzero(y * (X @ theta[:-1] + theta[-1]) > 0) / y.size)


VARIANTS = {
    "decision": (scores_loop, scores_folded, scores_einsum),
    "predict": (predict_loop, predict_difference, lambda X, theta: np.sign(scores_folded(X, theta))),
    "append_constant": (append_rows, append_filled, lambda X: np.insert(X, X.shape[1], 1, axis=1)),
    "signed_distance": (
        distance_unit, distance_foot, lambda X, theta: scores_folded(X, theta) / np.hypot.reduce(theta[:-1])
    ),
    "training_error": (error_loop, error_sign, error_right),
    "one_line": (
        lambda: (8, 1.6, -8, 2, 2, 3),
        lambda: np.array([8, 1.6, -8, 2, 2, 3], dtype=np.float32),
        lambda: [3 * 2 + 4 * 3 - 10, 8 / math.hypot(3, 4), -8, 10 / 5, 2, 3],
    ),
}


@pytest.mark.parametrize(("name", "answer"), pairs("01-linear-classifiers", VARIANTS))
def test_right_answers_pass(name, answer):
    assert [sentence(name, answer, seed) for seed in SEEDS] == [""] * len(SEEDS)


WRONG = [
    ("decision", "def f(X, theta):\n    return [np.dot(x, theta[:-1]) for x in X]", "offset is missing"),
    ("decision", "def f(X, theta):\n    return np.c_[np.ones(len(X)), X] @ theta", "offset comes first"),
    ("decision", "def f(X, theta):\n    return (X @ theta[:-1, None]) + theta[-1]", "a column of shape (n, 1)"),
    ("decision", "def f(X, theta):\n    for x in X: return x @ theta[:-1] + theta[-1]", "first entry alone"),
    ("decision", "def f(X, theta):\n    return X @ theta", "is the offset still in theta"),
    ("decision", "def f(X, theta):\n    X *= theta[:-1]\n    return X.sum(1) + theta[-1]", "changed its argument X"),
    ("decision", "def f(X, theta):\n    return np.zeros(len(X))", "in decision(x=[["),
    ("predict", "def f(X, theta):\n    return [1 if x @ theta[:-1] + theta[-1] >= 0 else -1 for x in X]",
     "yours predicts +1"),
    ("predict", "def f(X, theta):\n    return [1 if x @ theta[:-1] + theta[-1] > 0 else -1 for x in X]",
     "yours predicts -1"),
    ("predict", "def f(X, theta):\n    return np.sign(X @ theta[:-1])", "offset is missing"),
    ("predict", "def f(X, theta):\n    return X @ theta[:-1] + theta[-1] > 0", "where numbers are expected"),
    ("predict", "def f(X, theta):\n    return np.ones(len(X))", "in predict(x="),
    ("append_constant", "def f(X):\n    return np.hstack([np.ones((len(X), 1)), X])", "comes first"),
    ("append_constant", "def f(X):\n    return np.append(X, np.ones((len(X), 1)))", "flat"),
    ("append_constant", "def f(X):\n    X[:, -1] = 1\n    return X", "changed its argument X"),
    ("append_constant", "def f(X):\n    return np.concatenate([X, np.ones((1, X.shape[1]))])", "added a row"),
    ("signed_distance", "def f(X, theta):\n    g = X @ theta[:-1] + theta[-1]\n    return g / np.linalg.norm(theta)",
     "includes the offset"),
    ("signed_distance", "def f(X, theta):\n    g = X @ theta[:-1] + theta[-1]\n"
     "    return abs(g) / np.linalg.norm(theta[:-1])", "signed"),
    ("signed_distance", "def f(X, theta):\n    g = X @ theta[:-1] + theta[-1]\n    return g / sum(theta[:-1] ** 2)",
     "square of the length"),
    ("training_error", "def f(X, y, theta):\n    p = np.where(X @ theta[:-1] + theta[-1] > 0, 1, -1)\n"
     "    return np.mean(p != y)", "takes it for -1"),
    ("training_error", "def f(X, y, theta):\n    p = np.where(X @ theta[:-1] + theta[-1] >= 0, 1, -1)\n"
     "    return (p != y).sum() / len(y)", "takes it for +1"),
    ("training_error", "def f(X, y, theta):\n    e = 0\n    for x, t in zip(X, y):\n"
     "        if t * (x @ theta[:-1] + theta[-1]) < 0: e += 1\n    return e / len(y)", "not y f < 0"),
    ("training_error", "def f(X, y, theta):\n    e = 0\n    for x, t in zip(X, y):\n"
     "        if t * (x @ theta[:-1] + theta[-1]) <= 0: e += 1\n    return e", "fraction is asked"),
    ("training_error", "def f(X, y, theta):\n    g = X @ theta[:-1] + theta[-1]\n    return np.mean(np.sign(g) == y)",
     "fraction of right ones"),
    ("training_error", "def f(X, y, theta):\n    return np.sum(y * (X @ theta[:-1]) <= 0) / len(X)",
     "offset is missing"),
    ("training_error", "def f(X, y, theta):\n    for x, t in zip(X, y):\n        e = 0\n"
     "        if t * (x @ theta[:-1] + theta[-1]) <= 0: e += 1\n        return e / len(y)", "after the loop"),
    ("training_error", "def f(X, y, theta):\n    p = (X @ theta[:-1] + theta[-1] > 0) * 1\n    return np.mean(p != y)",
     "predictions are 0 and 1"),
    ("one_line", "def f():\n    return [8, 8 / 13 ** 0.5, 1, 1, 1, 1]", "length of the point"),
    ("one_line", "def f():\n    return [8, 1.6, 8, 2, 2, 3]", "y is -1"),
    ("one_line", "def f():\n    return [8, 1.6, -8, 2, 2, 1]", "does not stay"),
    ("one_line", "def f():\n    return [8, 1.6, -8, 2, 2]", "5 part(s) came back, but 6 things"),
    ("one_line", "def f():\n    return [8, 1.7, -8, 2, 2, 3]", "`distance` came back as 1.7"),
    ("decision", "def f(X, theta):\n    return X @ theta[:-1], theta[-1]", "2 things came back"),
    ("decision", "def f(X, theta):\n    return int(X @ theta[:-1])", "math.sqrt"),
    ("append_constant", "def f(X):\n    return np.hstack([X, np.ones(len(X))])", "np.column_stack takes a flat array"),
    ("append_constant", "def f(X):\n    return np.append(1, X)", "puts the 1 first"),
    ("append_constant", "def f(X):\n    return np.insert(X, -1, 1, axis=1)", "in front of the last"),
    ("training_error", "def f(X, y, theta):\n    return len(y * (X @ theta[:-1] + theta[-1]) <= 0)", "len() of"),
    ("training_error", "def f(X, y, theta):\n    return 1 if y * (X @ theta[:-1] + theta[-1]) <= 0 else 0",
     "a whole array of them"),
    ("one_line", "def f():\n    return [1.6, 8, -8, 2, 2, 3]", "another order, distance, score,"),
    ("one_line", "def f():\n    return 8", "only `score` came back"),
]


@pytest.mark.parametrize(("name", "source", "mention"), WRONG)
def test_wrong_answers_of_a_student(name, source, mention):
    said = sentence(name, source)
    assert mention.lower() in said.lower()
    assert "\n" not in said


@pytest.mark.parametrize("seed", SEEDS)
def test_cases_hold_what_the_text_promises(seed):
    drawn = tasks("01-linear-classifiers", seed)
    assert all(theta[:-1].any() for _, theta in drawn["signed_distance"].cases)
    assert any((np.sign(X @ theta[:-1] + theta[-1]) == 0).any() for X, theta in drawn["predict"].cases)
    ties = [y[X @ theta[:-1] + theta[-1] == 0] for X, y, theta in drawn["training_error"].cases]
    assert set(np.concatenate(ties)) == {-1.0, 1.0}
    assert {len(X) for X, _ in drawn["decision"].cases} > {1}
