"""Exercise 6: right answers in other spellings, wrong ones in the words of a student."""

import numpy as np
import pytest
from scipy.optimize import minimize_scalar

import coursekit as ck
from coursekit.algorithms.lasso import LassoPath
from tests.checking.judging import COURSE, SEEDS, pairs, sentence, tasks

CHAPTER = "06-regularization"


def penalties_loop(w):
    count, total, half = 0, 0.0, 0.0
    for v in w:
        count += v != 0
        total += abs(v)
        half += v * v / 2
    return count, total, half, [(v > 0) - (v < 0) for v in w.tolist()], list(w)


def penalties_norms(w):
    return [np.linalg.norm(w, 0), np.linalg.norm(w, 1), 0.5 * np.linalg.norm(w) ** 2, np.sign(w), 1 * w]


def penalties_single(w):
    w = w.astype(np.float32)
    slope = np.divide(w, np.abs(w), out=np.zeros_like(w), where=w != 0)
    return len(w[w != 0]), abs(w).sum(), np.dot(w, w) / 2, slope, w


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


def bolasso_loop(weights, share):
    m, d = weights.shape
    counts = [sum(1 for row in weights if row[j]) for j in range(d)]
    return [c / m for c in counts], [j for j in range(d) if counts[j] >= share * m]


def bolasso_signs(weights, share):
    f = np.sign(np.abs(weights)).mean(0)
    return f.astype(np.float32), np.where(f >= share)[0]


def bolasso_nonzero(weights, share):
    f = np.count_nonzero(weights, axis=0) / len(weights)
    return f, np.argwhere(~(f < share)).ravel().tolist()


VARIANTS = {
    "penalties": (penalties_loop, penalties_norms, penalties_single),
    "regularised": (regularised_loop, regularised_agreements, regularised_single),
    "soft_threshold": (threshold_loop, threshold_clip, threshold_relu),
    "choose_lambda": (choose_loop, choose_sorted, choose_lexsort),
    "bolasso": (bolasso_loop, bolasso_signs, bolasso_nonzero),
    "read_path": (
        lambda: [[1.5, -0.5, 0], [0, 1, 2, 3], [2, 0, -1], [1, -1, 0, 0]],
        lambda: (np.array([1.5, -0.5, 0]), (0, 1, 2, 3), np.array([2, 0, -1]), (1, -1, 0, 0)),
        lambda: [(3 / 2, -1 / 2, 0.0), np.arange(4), [2.0, -0.0, -1.0], np.array([1, -1, 0, 0], np.int8)],
    ),
}


@pytest.mark.parametrize(("name", "answer"), pairs(CHAPTER, VARIANTS))
def test_right_answers_pass(name, answer):
    assert [sentence(name, answer, seed) for seed in SEEDS] == [""] * len(SEEDS)


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
VOTE = "def f(weights, share):\n    p = (weights != 0).mean(0)\n    return p, "

WRONG = [
    ("penalties", "def f(w):\n    return np.sum(w != 0), sum(w), (w ** 2).sum() / 2, np.sign(w), w", "as they are"),
    ("penalties", "def f(w):\n    return len(w != 0), abs(w).sum(), (w ** 2).sum() / 2, np.sign(w), w", "counts all"),
    ("penalties", "def f(w):\n    return np.sum(w != 0), abs(w).sum(), np.linalg.norm(w), np.sign(w), w",
     "without a root"),
    ("penalties", "def f(w):\n    return np.sum(w != 0), abs(w), w ** 2 / 2, np.sign(w), w", "for each weight"),
    ("penalties", "def f(w):\n    return np.sum(w != 0), abs(w).sum(), (w ** 2).sum() / 2, w, np.sign(w)",
     "another order"),
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
    ("bolasso", VOTE + "p >= share", "has an entry for every feature"),
    ("bolasso", VOTE + "np.where(p >= share)", "tuple around the list"),
    ("bolasso", VOTE + "p[p >= share]", "column numbers"),
    ("bolasso", VOTE + "np.flatnonzero(p == 1)", "ignore share"),
    ("bolasso", VOTE + "np.flatnonzero(p >= share) + 1", "begin at 1"),
    ("bolasso", "def f(weights, share):\n    p = weights.mean(0)\n    return p, np.flatnonzero(p >= share)",
     "average the weights"),
    ("read_path", "def f():\n    return [1, 0, 0], [0, 1, 2, 3], [2, 0, -1], [1, -1, 0, 0]", "knot 2"),
    ("read_path", "def f():\n    return [1.5, -0.5, 0], [0, 1, 1, 2], [2, 0, -1], [1, -1, 0, 0]", "AT its knot"),
    ("read_path", "def f():\n    return [1.5, -0.5, 0], [0, 1, 2, 3], [2, -1.5, -3], [1, -1, 0, 0]", "from both sides"),
    ("penalties", "def f(w):\n    return np.sum(w != 0), abs(w).sum(), (w ** 2).sum(), np.sign(w), w", "lacks a half"),
    ("penalties", "def f(w):\n    return np.sum(w != 0), abs(w).sum(), (w ** 2).sum(), np.sign(w), 2 * w",
     "||w||^2"),
    ("penalties", "def f(w):\n    return (w != 0).sum(), abs(w).sum(), (w ** 2).sum() / 2, "
     "[1 if v >= 0 else -1 for v in w], w", "yours is +1 there"),
    ("penalties", "def f(w):\n    return (w != 0).sum(), abs(w).sum(), (w ** 2).sum() / 2, w / abs(w), w", "0/0"),
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
    ("choose_lambda", TIES.replace("k, e[k]", "lams[k], e[k]"), "lambda itself"),
    ("choose_lambda", TIES.replace("k, e[k]", "k, 1 - e[k]"), "fraction of right answers"),
    ("choose_lambda", TIES.replace("k, e[k]", "e[k], k"), "another order, error, index"),
    ("choose_lambda", TIES.replace("k, e[k]", "k"), "only `index` came back"),
    ("choose_lambda", TIES.replace("+ t[-1]", ""), "misses the offset"),
    ("choose_lambda", CHOOSE.replace("int(np.argmin(e))", "int(np.argmax(lams))"), "largest lambda of all"),
    ("choose_lambda", CHOOSE.replace("k = int(np.argmin(e))", "k = max((i for i in range(len(e)) if e[i] == min(e)), "
     "key=lambda i: lams[i])").replace("<= 0", "< 0"), "exactly 0"),
    ("choose_lambda", CHOOSE.replace("k = int(np.argmin(e))", "k = min((i for i in range(len(e)) if e[i] == min(e)), "
     "key=lambda i: lams[i])"), "yours is the smallest"),
    ("bolasso", "def f(weights, share):\n    p = (weights != 0).mean(0)\n    return p, np.flatnonzero(p > share)",
     ">="),
    ("choose_lambda", CHOOSE.replace("y * (X @ t[:-1] + t[-1]) <= 0", "np.where(X @ t[:-1] + t[-1] >= 0, 1, -1) != y")
     .replace("k = int(np.argmin(e))", "k = max(range(len(e)), key=lambda i: (-e[i], lams[i]))"), "for +1"),
    ("bolasso", "def f(weights, share):\n    p = (weights > 0).mean(0)\n    return p, np.flatnonzero(p >= share)",
     "negative weight"),
    ("bolasso", "def f(weights, share):\n    p = (weights != 0).sum(0)\n    return p, np.flatnonzero(p >= share)",
     "counts"),
    ("read_path", "def f():\n    return [1.5, 0.5, 0], [0, 1, 2, 3], [2, 0, -1], [1, -1, 0, 0]", "mind the sign"),
    ("read_path", "def f():\n    return [1.5, -0.5, 0], [0, 1, 2, 3], [2, 0.5, -1], [1, -1, 0, 0]", "jump over"),
    ("read_path", "def f():\n    return [1.5, -0.5, 0], [0, 1, 2, 3], [2, 0, -1], [1, -1, 1, 0]", "Third change"),
]


@pytest.mark.parametrize(("name", "source", "mention"), WRONG)
def test_wrong_answers_of_a_student(name, source, mention):
    said = sentence(name, source)
    assert mention.lower() in said.lower()
    assert "\n" not in said


@pytest.mark.parametrize("seed", SEEDS)
def test_right_answers_agree_with_coursekit(seed):
    drawn = tasks(CHAPTER, seed)

    def cases(name):
        return [(*case, COURSE[CHAPTER].space[name](*case)) for case in drawn[name].cases]

    for w, (*values, slope1, slope2) in cases("penalties"):
        kinds = ck.penalties.l0, ck.penalties.l1, ck.penalties.l2
        assert values == [kind(w) for kind in kinds]
        assert np.array_equal([slope1, slope2], [kind.slope(w) for kind in kinds[1:]])
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


def test_the_path_by_hand_is_a_path_and_its_predictions_come_true():
    weights, counts, soft, changes = COURSE[CHAPTER].space["read_path"]()
    knots = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [2.0, -1.0, 0.0], [1.0, -3.0, 2.0]])
    at = LassoPath(np.array([4.0, 2.0, 1.0, 0.0]), knots, np.zeros(3), 0.0).at
    assert np.array_equal(weights, at(1.5))
    assert [np.count_nonzero(at(lam)) for lam in (5, 3, 1.5, 0.5)] == list(counts)
    assert np.array_equal(soft, ck.penalties.l1.prox([3.0, -0.5, -2.0], 1.0))
    data = ck.datasets.blobs(n=60, separability=-1.0)
    weak, strong = ck.svm(data.X, data.y, lam=0.01), ck.svm(data.X, data.y, lam=1.0)
    moved = ck.svm(data.X + np.array([3.0, -2.0]), data.y, lam=0.01)
    told = (
        strong.slack.mean() - weak.slack.mean(),
        1 / strong.margin - 1 / weak.margin,
        moved.slack.mean() - weak.slack.mean(),
        np.count_nonzero(at(10)) - np.count_nonzero(at(5)),
    )
    assert [np.sign(round(float(t), 5)) for t in told] == list(changes)


@pytest.mark.parametrize("seed", SEEDS)
def test_cases_hold_what_the_text_promises(seed):
    drawn = tasks(CHAPTER, seed)
    assert any((theta[:-1] == 0).any() for _, _, theta, _, _ in drawn["regularised"].cases)
    for lams, thetas, X, y in drawn["choose_lambda"].cases:
        wrong = (y * (thetas[:, :-1] @ X.T + thetas[:, -1:]) <= 0).sum(axis=1)
        assert np.sum(wrong == wrong.min()) > 1  # a tie for the largest lambda to decide
        assert len(set(lams)) == len(lams)
    shares = [((weights != 0).mean(axis=0), share) for weights, share in drawn["bolasso"].cases]
    assert all((frequencies == share).any() for frequencies, share in shares)
