"""Exercise 7: right answers in other spellings, wrong ones in the words of a student."""

import numpy as np
import pytest

import coursekit as ck
from coursekit.checking.tasks.svm import TASKS
from tests.checking.judging import SEEDS, pairs, sentence


def margin_loop(X, y, theta):
    length = sum(t * t for t in theta[:-1]) ** 0.5
    least = min(label * (sum(a * b for a, b in zip(x, theta, strict=False)) + theta[-1])
                for x, label in zip(X.tolist(), y, strict=True))
    return [1 / length, least / length, [t / least for t in theta] if least > 0 else None]


def margin_single(X, y, theta):
    theta = theta.astype(np.float32)
    z = (np.c_[X, np.ones(len(X))].astype(np.float32) @ theta) * y
    norm = np.sqrt(np.sum(theta[:-1] ** 2))
    return np.float32(1) / norm, np.min(z / norm), None if np.any(z <= 0) else tuple(theta / np.min(z))


def margin_sorted(X, y, theta):
    *w, b = theta
    z = sorted(y * (np.dot(X, w) + b))[0]
    return np.array(1 / np.hypot.reduce(w)), z / np.hypot.reduce(w), np.r_[w, b] * (1 / z) if z > 0 else None


def slacks_loop(X, y, theta):
    xi, kind = [], []
    for x, label in zip(X, y, strict=True):
        z = label * (x @ theta[:-1] + theta[-1])
        xi.append(1 - z if z < 1 else 0)
        kind.append(2 if z <= 0 else int(z < 1))
    return xi, kind


def slacks_clip(X, y, theta):
    z = y * (np.c_[X, np.ones(len(y))] @ theta)
    return np.clip(1 - z, 0, None).astype(np.float32), (z < 1) * 1.0 + (z <= 0)


def slacks_select(X, y, theta):
    s = np.where((m := 1 - y * (X.dot(theta[:-1]) + theta[-1])) > 0, m, 0)
    return np.array([s, np.select([m >= 1, m > 0], [2, 1])])


def support_loop(X, y, theta):
    edge, slack = [], []
    for i in range(len(y)):
        z = y[i] * (X[i] @ theta[:-1] + theta[-1])
        if abs(1 - z) <= 1e-6:
            edge.append(i)
        elif z < 1:
            slack.append(np.int32(i))
    return edge, slack


def support_where(X, y, theta):
    z = y * (X @ theta[:-1] + theta[-1])
    return np.where(np.isclose(z, 1, rtol=0, atol=1e-6))[0], np.argwhere(1 - z > 1e-6).ravel()


def support_sets(X, y, theta):
    xi = 1 - y * (X @ theta[:-1] + theta[-1])
    late = {i for i, s in enumerate(xi) if s > 1e-6}
    every = {i for i, s in enumerate(xi) if s >= -1e-6}
    return sorted(every - late), sorted(late)


def soft_loop(X, y, theta, lam):
    n, d = X.shape
    value, slope = 0.0, [0.0] * (d + 1)
    for i in range(n):
        z = y[i] * (X[i] @ theta[:d] + theta[d])
        value += max(0, 1 - z) / n
        if not z > 1:
            for j in range(d):
                slope[j] -= y[i] * X[i, j] / n
            slope[d] -= y[i] / n
    for j in range(d):
        value += lam * theta[j] ** 2 / 2
        slope[j] += lam * theta[j]
    return value, slope


def soft_masked(X, y, theta, lam):
    hit = y * (X @ theta[:-1] + theta[-1]) <= 1
    v = np.sum((1 - y * (X @ theta[:-1] + theta[-1]))[hit]) / len(y) + 0.5 * lam * np.sum(theta[:-1] ** 2)
    g = (-y[hit, None] * X[hit]).sum(axis=0) / len(y) + lam * theta[:-1]
    return np.float32(v), np.append(g, -y[hit].sum() / len(y)).astype(np.float32)


def soft_each(X, y, theta, lam):
    Z = [t * np.append(x, 1) for x, t in zip(X, y, strict=True)]
    each = [(max(0, 1 - z @ theta), (z @ theta <= 1) * -z) for z in Z]
    w = np.where(np.arange(len(theta)) < X.shape[1], theta, 0)
    return [np.mean([v for v, _ in each]) + lam / 2 * np.linalg.norm(w) ** 2,
            np.mean([g for _, g in each], axis=0) + lam * w]


def pegasos_list(X, y, lam, order):
    w, ws = [0.0] * X.shape[1], []
    for k in range(len(order)):
        x, label = X[order[k]].tolist(), y[order[k]]
        hit = label * sum(a * b for a, b in zip(w, x, strict=True)) <= 1
        w = [(1 - 1 / (k + 1)) * a + hit * label * b / (lam * (k + 1)) for a, b in zip(w, x, strict=True)]
        r = (1 / lam) ** 0.5 / max(sum(a * a for a in w) ** 0.5, 1e-12)
        w = [min(1, r) * a for a in w]
        ws.append(w)
    return w, [sum(column) / len(order) for column in zip(*ws, strict=True)]


def pegasos_running_mean(X, y, lam, order):
    w = mean = np.zeros(X.shape[1])
    for t, i in enumerate(order, 1):
        w = w - (1 / (lam * t)) * (lam * w - (y[i] * X[i].dot(w) <= 1) * y[i] * X[i])
        if w @ w > 1 / lam:
            w = w / np.linalg.norm(w) / np.sqrt(lam)
        mean = mean + (w - mean) / t
    return np.array([w, mean])


def pegasos_in_place(X, y, lam, order):
    w, kept = np.zeros(X.shape[1]), np.zeros((len(order), X.shape[1]))
    for t in range(len(order)):
        i = order[t]
        late = not y[i] * np.dot(w, X[i]) > 1
        w *= 1 - 1 / (t + 1)
        if late:
            w += y[i] * X[i] / (lam * (t + 1))
        w *= min(1.0, 1 / np.sqrt(lam) / (np.linalg.norm(w) + 1e-300))
        kept[t] = w
    return w.tolist(), kept.mean(0)


VARIANTS = {
    "margin": (margin_loop, margin_single, margin_sorted),
    "slacks": (slacks_loop, slacks_clip, slacks_select),
    "support_vectors": (support_loop, support_where, support_sets),
    "soft_margin": (soft_loop, soft_masked, soft_each),
    "pegasos": (pegasos_list, pegasos_running_mean, pegasos_in_place),
    "read_street": (
        lambda: [1 / 5, [0, 1, 0, 0, 0.6, 2], 4, 2, [1, 1, 0, -1]],
        lambda: (0.2, np.array([0, 1, 0, 0, 0.6, 2]), 4.0, np.int64(2), (1, 1, 0, -1)),
        lambda: [np.float32(0.2), (0, 1.0, 0, 0, 3 / 5, 2), 4, 2, np.array([1.0, 1, 0, -1])],
    ),
}


@pytest.mark.parametrize(("name", "answer"), pairs("07-support-vector-machines", VARIANTS))
def test_right_answers_pass(name, answer):
    for seed in SEEDS:
        assert sentence(name, answer, seed) == ""


SOFT = """def f(X, y, theta, lam):
    z = y * (X @ theta[:-1] + theta[-1]); hit = z <= 1; w = theta[:-1]
    v = np.maximum(0, 1 - z).mean() + lam / 2 * w @ w
    g = np.append(-(hit * y) @ X / len(X) + lam * w, -(hit * y).mean())
    return v, g
"""
PEGASOS = """def f(X, y, lam, order):
    w = np.zeros(X.shape[1]); out = []
    for t, i in enumerate(order, 1):
        hit = y[i] * (w @ X[i]) <= 1
        w = (1 - 1 / t) * w
        if hit: w = w + y[i] * X[i] / (lam * t)
        r = 1 / np.sqrt(lam) / np.linalg.norm(w)
        if r < 1: w = w * r
        out.append(w)
    return w, np.mean(out, axis=0)
"""
EDGE = """def f(X, y, theta):
    z = y * (X @ theta[:-1] + theta[-1])
    return np.flatnonzero(abs(z - 1) <= 1e-6), np.flatnonzero(z < 1 - 1e-6)
"""

WRONG = [
    ("margin", "def f(X, y, theta):\n    z = y * (X @ theta[:-1] + theta[-1])\n    L = np.linalg.norm(theta[:-1])\n"
     "    return 2 / L, min(z) / L, theta / min(z) if min(z) > 0 else None", "whole width"),
    ("margin", "def f(X, y, theta):\n    z = y * (X @ theta[:-1] + theta[-1])\n    L = np.linalg.norm(theta)\n"
     "    return 1 / L, min(z) / L, theta / min(z) if min(z) > 0 else None", "without the offset"),
    ("margin", "def f(X, y, theta):\n    z = y * (X @ theta[:-1] + theta[-1])\n    L = np.linalg.norm(theta[:-1])\n"
     "    return 1 / L, min(z) / L, theta / min(z)", "return None"),
    ("margin", "def f(X, y, theta):\n    z = y * (X @ theta[:-1] + theta[-1])\n    L = np.linalg.norm(theta[:-1])\n"
     "    return 1 / L, min(z) / L, None if min(z) < 0 else theta / min(z)", "exactly 0"),
    ("slacks", "def f(X, y, theta):\n    z = y * (X @ theta[:-1] + theta[-1])\n"
     "    return 1 - z, np.where(z <= 0, 2, np.where(z < 1, 1, 0))", "never negative"),
    ("slacks", "def f(X, y, theta):\n    z = y * (X @ theta[:-1] + theta[-1])\n"
     "    return np.maximum(0, 1 - z), [2 if v < 0 else 1 if v < 1 else 0 for v in z]", "exactly on the line"),
    ("slacks", "def f(X, y, theta):\n    z = X @ theta[:-1] + theta[-1]\n"
     "    return np.maximum(0, 1 - z), [2 if v <= 0 else 1 if v < 1 else 0 for v in z]", "labels are missing"),
    ("support_vectors", EDGE.replace("abs(z - 1) <= 1e-6", "z == 1"), "Rounding"),
    ("support_vectors", EDGE.replace("z < 1 - 1e-6", "(0 < z) & (z < 1 - 1e-6)"), "misclassified examples have slack"),
    ("support_vectors", EDGE.replace("z = y * (", "z = abs("), "|f|"),
    ("support_vectors", EDGE.replace("1e-6", "1e-2"), "too wide"),
    ("support_vectors", EDGE.replace("np.flatnonzero", "np.where"), "np.where(condition)[0]"),
    ("soft_margin", SOFT.replace(".mean() + lam", ".sum() + lam").replace(" / len(X)", "").replace("y).mean", "y).sum"),
     "sum over the examples"),
    ("soft_margin", SOFT.replace("z <= 1", "z < 1"), "exactly on its edge"),
    ("soft_margin", SOFT.replace("w = theta[:-1]", "w = theta").replace("+ lam * w,", "+ lam * w[:-1],")
     .replace(".mean())", ".mean() + lam * w[-1])"), "penalise the offset"),
    ("soft_margin", SOFT.replace("lam / 2", "lam"), "lambda/2"),
    ("soft_margin", SOFT.replace("-(hit * y).mean()", "0"), "slope of the offset is missing"),
    ("soft_margin", SOFT.replace("/ len(X)", "/ hit.sum()").replace("(hit * y).mean()", "y[hit].mean()"),
     "divide by n"),
    ("pegasos", PEGASOS.replace("order, 1", "order, 2"), "t starts at 2"),
    ("pegasos", PEGASOS.replace("if r < 1: w = w * r", "pass"), "last part of the step"),
    ("pegasos", PEGASOS.replace("1 / np.sqrt(lam)", "1 / lam"), "radius 1/lambda"),
    ("pegasos", PEGASOS.replace("<= 1", "<= 0"), "inside the street too"),
    ("pegasos", PEGASOS.replace("<= 1", "< 1"), "exactly an example still pulls"),
    ("pegasos", PEGASOS.replace("out = []", "out = [w]"), "start counts"),
    ("pegasos", PEGASOS.replace("/ (lam * t)", "/ t"), "1/(lambda t)"),
    ("pegasos", PEGASOS.replace("order, 1", "order"), "ZeroDivisionError"),
    ("pegasos", "def f(X, y, lam, order):\n    w = np.zeros(X.shape[1]); ws = []\n"
     "    for t, i in enumerate(order, 1):\n        if y[i] * w @ X[i] <= 1: w = w + y[i] * X[i] / (lam * t)\n"
     "        w = (1 - 1 / t) * w\n"
     "        w = w * min(1, 1 / np.sqrt(lam) / max(np.linalg.norm(w), 1e-12)); ws.append(w)\n"
     "    return w, np.mean(ws, 0)", "after the pull"),
    ("read_street", "def f():\n    return 0.4, [0, 1, 0, 0, 0.6, 2], 4, 2, [1, 1, 0, -1]", "whole street"),
    ("read_street", "def f():\n    return 0.2, [0, 1, 0, 0, 0.6, 2], 4, 1, [1, 1, 0, -1]", "exactly 0"),
    ("read_street", "def f():\n    return 0.2, [0, 1, 0, 0, 0.6, 2], 4, 2, [1, 1, 0, 1]", "Fourth change"),
]


@pytest.mark.parametrize(("name", "source", "mention"), WRONG)
def test_wrong_answers_of_a_student(name, source, mention):
    said = sentence(name, source)
    assert mention in said
    assert "\n" not in said


def test_references_agree_with_coursekit():
    _, slacks, support, soft, pegasos, _ = TASKS
    rng = np.random.default_rng(5)
    for X, y, theta, lam in soft.draw(rng):
        objective = ck.Objective(X, y, lam=lam)
        value, slope = soft.answer(X, y, theta, lam)
        assert value == pytest.approx(objective.value(theta))
        assert slope == pytest.approx(objective.slope(theta))
        assert slacks.answer(X, y, theta)[0].mean() == pytest.approx(objective.risk(theta))
    for X, y, lam, order in pegasos.draw(rng):
        objective = ck.Objective(X, y, lam=lam, offset=False)
        path = ck.pegasos(objective, steps=len(order), order=order, project=True)
        w, average = pegasos.answer(X, y, lam, order)
        assert w == pytest.approx(path.thetas[-1])
        assert average == pytest.approx(path.thetas[1:].mean(axis=0))
    data = ck.datasets.blobs(n=40, separability=-0.5)
    exact = ck.svm(data.X, data.y, lam=0.1)
    edge, late = support.answer(data.X, data.y, exact.theta)
    assert sorted([*edge, *late]) == exact.support.tolist()


def test_the_predictions_of_read_street_come_true():
    mixed, apart = ck.datasets.blobs(n=40, separability=-0.5), ck.datasets.blobs(n=40, separability=1.0)

    def widest(X, y):
        return ck.svm(X, y, lam=1e-5).margin

    before = widest(apart.X, apart.y)
    exact = ck.svm(apart.X, apart.y, lam=1e-5)
    normal = exact.theta[:2] * exact.margin
    away = apart.X.copy()
    i = int(np.argmax(apart.y * (apart.X @ exact.theta[:2] + exact.theta[2])))
    away[i] += 5 * apart.y[i] * normal
    middle = -exact.theta[2] * exact.margin * normal + 0.5 * exact.margin * normal
    changes = (
        ck.svm(mixed.X, mixed.y, lam=0.1).margin - ck.svm(mixed.X, mixed.y, lam=0.01).margin,
        widest(2 * apart.X, apart.y) - before,
        widest(away, apart.y) - before,
        widest(np.vstack([apart.X, middle]), np.append(apart.y, 1.0)) - before,
    )
    told = TASKS[-1].answer()[-1]
    assert [float(np.sign(round(c, 4))) for c in changes] == list(told)
