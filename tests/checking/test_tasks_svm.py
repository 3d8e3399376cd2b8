"""Exercise 7: right answers in other spellings, wrong ones in the words of a student."""

import numpy as np
import pytest

import coursekit as ck
from tests.checking.judging import COURSE, SEEDS, pairs, sentence, tasks


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


def support_slack(X, y, theta):
    xi = np.maximum(0, 1 - y * np.dot(np.insert(X, X.shape[1], 1, axis=1), theta))
    z = 1 - xi
    beyond = y * (X @ theta[:-1] + theta[-1]) > 1 + 1e-6
    return [i for i in range(len(y)) if not beyond[i] and z[i] >= 1 - 1e-6], np.nonzero(xi > 1e-6)[0].tolist()


def pegasos_recursive(X, y, lam, order):
    """The average as (1 - 1/t) average + w/t; the ball as a minimum."""
    if len(order) == 0:
        return np.zeros(X.shape[1]), np.zeros(X.shape[1])
    w, mean = pegasos_recursive(X, y, lam, order[:-1])
    t, i = len(order), order[-1]
    w = w - w / t + (y[i] * X[i] @ w <= 1) * y[i] * X[i] / lam / t
    w = w / max(1, np.sqrt(lam) * np.linalg.norm(w))
    return w, (1 - 1 / t) * mean + w / t


VARIANTS = {
    "margin": (margin_loop, margin_single, margin_sorted),
    "slacks": (slacks_loop, slacks_clip, slacks_select),
    "support_vectors": (support_loop, support_where, support_sets, support_slack),
    "soft_margin": (soft_loop, soft_masked, soft_each),
    "pegasos": (pegasos_list, pegasos_running_mean, pegasos_in_place, pegasos_recursive),
    "read_street": (
        lambda: [1 / 5, [0, 1, 0, 0, 0.6, 2], 4, 2, [1, 1, 0, -1]],
        lambda: (0.2, np.array([0, 1, 0, 0, 0.6, 2]), 4.0, np.int64(2), (1, 1, 0, -1)),
        lambda: [np.float32(0.2), (0, 1.0, 0, 0, 3 / 5, 2), 4, 2, np.array([1.0, 1, 0, -1])],
    ),
}


@pytest.mark.parametrize(("name", "answer"), pairs("07-support-vector-machines", VARIANTS))
def test_right_answers_pass(name, answer):
    assert [sentence(name, answer, seed) for seed in SEEDS] == [""] * len(SEEDS)


MARGIN = """def f(X, y, theta):
    z = y * (X @ theta[:-1] + theta[-1]); L = np.linalg.norm(theta[:-1])
    return 1 / L, min(z) / L, theta / min(z) if min(z) > 0 else None
"""
SLACKS = """def f(X, y, theta):
    z = y * (X @ theta[:-1] + theta[-1])
    return np.maximum(0, 1 - z), [2 if v <= 0 else 1 if v < 1 else 0 for v in z]
"""
EDGE = """def f(X, y, theta):
    z = y * (X @ theta[:-1] + theta[-1])
    return np.flatnonzero(abs(z - 1) <= 1e-6), np.flatnonzero(z < 1 - 1e-6)
"""
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
STREET = """def f():
    return 0.2, [0, 1, 0, 0, 0.6, 2], 4, 2, [1, 1, 0, -1]
"""

WRONG = [
    ("margin", MARGIN, "1 / L", "2 / L", "whole width"),
    ("margin", MARGIN, "norm(theta[:-1])", "norm(theta)", "without the offset"),
    ("margin", MARGIN, " if min(z) > 0 else None", "", "return None"),
    ("margin", MARGIN, "else None", "else []", "return None"),
    ("margin", MARGIN, "min(z) > 0 else", "min(z) >= 0 else", "exactly 0"),
    ("margin", MARGIN, "min(z) / L", "min(v for v in z if v > 0) / L", "leave out the examples on the wrong side"),
    ("margin", MARGIN, "y * (X @ theta[:-1] + theta[-1])", "abs(X @ theta[:-1] + theta[-1])", "|f|"),
    ("margin", MARGIN, "theta / min(z)", "[t / min(z) for t in theta[:-1]]", "lost its offset"),
    ("margin", MARGIN, "1 / L, min(z) / L", "min(z) / L, 1 / L", "in another order"),
    ("margin", MARGIN, "(X @ theta[:-1] + theta[-1])", "(X @ theta)", "is the offset still in theta"),
    ("slacks", SLACKS, "np.maximum(0, 1 - z)", "1 - z", "never negative"),
    ("slacks", SLACKS, "v <= 0", "v < 0", "exactly on the line"),
    ("slacks", SLACKS, "y * (X", "(X", "labels are missing"),
    ("slacks", SLACKS, "2 if v <= 0 else 1 if v < 1 else 0", "1 if v < 1 else 2 if v <= 0 else 0", "y f < 1 first"),
    ("slacks", SLACKS, "theta[-1])", "theta[-1]) / np.linalg.norm(theta[:-1])", "not divided by ||w||"),
    ("slacks", SLACKS, "np.maximum(0, 1 - z)", "z < 1", "whether there is slack"),
    ("slacks", SLACKS, "np.maximum(0, 1 - z)", "sum(np.maximum(0, 1 - z))", "one number, the sum"),
    ("slacks", SLACKS, "np.maximum(0, 1 - z)", "np.maximum(0, 1 - z)[:, None]", "a column of shape (n, 1)"),
    ("support_vectors", EDGE, "abs(z - 1) <= 1e-6", "z == 1", "Rounding"),
    ("support_vectors", EDGE, "abs(z - 1) <= 1e-6", "np.isclose(z, 1)", "np.isclose is 1e-5"),
    ("support_vectors", EDGE, "1e-6", "1e-5", "wider than 1e-6"),
    ("support_vectors", EDGE, "1e-6", "1e-4", "wider than 1e-6"),
    ("support_vectors", EDGE, "1e-6", "1e-2", "wider than 1e-6"),
    ("support_vectors", EDGE, "z < 1 - 1e-6", "z < 1 - 1e-4", "wider than 1e-6"),
    ("support_vectors", EDGE, "z < 1 - 1e-6", "(0 < z) & (z < 1 - 1e-6)", "misclassified examples have slack"),
    ("support_vectors", EDGE, "y * (X", "abs(X", "|f|"),
    ("support_vectors", EDGE, "np.flatnonzero", "np.where", "np.where(condition)[0]"),
    ("support_vectors", EDGE, "np.flatnonzero", "", "return row numbers"),
    ("support_vectors", EDGE, "np.flatnonzero", "1 *", "return row numbers"),
    ("support_vectors", EDGE, "np.flatnonzero", "sum", "how many"),
    ("soft_margin", SOFT, ".mean()", ".sum()", " / len(X)", "", "sum over the examples"),
    ("soft_margin", SOFT, "z <= 1", "z < 1", "exactly on its edge"),
    ("soft_margin", SOFT, "w = theta[:-1]", "w = theta", "+ lam * w,", "+ lam * w[:-1],", "y).mean()",
     "y).mean() + lam * w[-1]", "penalise the offset"),
    ("soft_margin", SOFT, "lam / 2", "lam", "lambda/2"),
    ("soft_margin", SOFT, "-(hit * y).mean()", "0", "slope of the offset is missing"),
    ("soft_margin", SOFT, "/ len(X)", "/ hit.sum()", "(hit * y).mean()", "y[hit].mean()", "divide by n"),
    ("soft_margin", SOFT, "lam / 2 * w @ w", "lam / 2 * w @ w / len(X)", "averaged"),
    ("soft_margin", SOFT, "return v, g", "return v", "only `value` came back"),
    ("soft_margin", SOFT, "np.maximum(0, 1 - z)", "np.max(0, 1 - z)", "np.maximum(0, z) compares"),
    ("pegasos", PEGASOS, "order, 1", "order, 2", "t starts at 2"),
    ("pegasos", PEGASOS, "if r < 1: w = w * r", "pass", "last part of the step"),
    ("pegasos", PEGASOS, "1 / np.sqrt(lam)", "1 / lam", "radius 1/lambda"),
    ("pegasos", PEGASOS, "<= 1", "<= 0", "inside the street too"),
    ("pegasos", PEGASOS, "<= 1", "< 1", "exactly an example still pulls"),
    ("pegasos", PEGASOS, "out = []", "out = [w]", "start counts"),
    ("pegasos", PEGASOS, "/ (lam * t)", "/ t", "1/(lambda t)"),
    ("pegasos", PEGASOS, "order, 1", "order", "ZeroDivisionError"),
    ("pegasos", PEGASOS, "        w = (1 - 1 / t) * w\n", "", "        r =", "        w = (1 - 1 / t) * w\n        r =",
     "after the pull"),
    ("pegasos", PEGASOS, "        w = (1 - 1 / t) * w\n", "", "if hit: w = w", "if hit: w = (1 - 1 / t) * w",
     "outside the if"),
    ("pegasos", PEGASOS, "        out.append(w)\n", "", "        r =", "        out.append(w)\n        r =",
     "before it is scaled back"),
    ("pegasos", PEGASOS, "return w, np.mean(out, axis=0)", "return 0 * w, 0 * w", "stays 0"),
    ("pegasos", PEGASOS, "<= 1", "> 1", "stays 0"),
    ("read_street", STREET, "0.2,", "0.4,", "whole street"),
    ("read_street", STREET, "4, 2", "4, 1", "exactly 0"),
    ("read_street", STREET, "-1]", "1]", "Fourth change"),
    ("read_street", STREET, "1, 1, 0, -1", "0, 1, 1, -1", "First change"),
    ("read_street", STREET, "0.6", "0.5", "look at entry 5"),
]


@pytest.mark.parametrize(("name", "source", "edits"), [(name, source, edits) for name, source, *edits in WRONG])
def test_wrong_answers_of_a_student(name, source, edits):
    for old, new in zip(edits[:-1:2], edits[1::2], strict=True):
        assert old in source
        source = source.replace(old, new)
    said = sentence(name, source)
    assert edits[-1] in said
    assert "\n" not in said


@pytest.mark.parametrize("seed", SEEDS)
def test_cases_hold_what_the_text_promises(seed):
    drawn = tasks("07-support-vector-machines", seed)

    def agreements(name):
        return [y * (X @ theta[:-1] + theta[-1]) for X, y, theta, *_ in drawn[name].cases]

    assert min(abs(z.min()) for z in agreements("margin")) == 0
    for name, exact in (("slacks", {0, 1}), ("soft_margin", {1})):
        assert all(exact <= set(z) for z in agreements(name))
    together = np.concatenate(agreements("support_vectors")) - 1
    for low, high in ((1e-7, 1e-6), (2e-6, 4e-6), (1e-3, 3e-3)):
        assert np.any((low < together) & (together < high))
        assert np.any((low < -together) & (-together < high))
    assert all(set(y) == {-1.0, 1.0} for _, y, *_ in drawn["soft_margin"].cases)


def test_solutions_agree_with_coursekit():
    drawn, solution = tasks("07-support-vector-machines", 5), COURSE["07-support-vector-machines"].space
    for X, y, theta, lam in drawn["soft_margin"].cases:
        objective = ck.Objective(X, y, lam=lam)
        value, slope = solution["soft_margin"](X, y, theta, lam)
        assert value == pytest.approx(objective.value(theta))
        assert slope == pytest.approx(objective.slope(theta))
        assert solution["slacks"](X, y, theta)[0].mean() == pytest.approx(objective.risk(theta))
    for X, y, lam, order in drawn["pegasos"].cases:
        objective = ck.Objective(X, y, lam=lam, offset=False)
        path = ck.pegasos(objective, steps=len(order), order=order, project=True)
        w, average = solution["pegasos"](X, y, lam, order)
        assert w == pytest.approx(path.thetas[-1])
        assert average == pytest.approx(path.thetas[1:].mean(axis=0))
    data = ck.datasets.blobs(n=40, separability=-0.5)
    exact = ck.svm(data.X, data.y, lam=0.1)
    edge, late = solution["support_vectors"](data.X, data.y, exact.theta)
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
    told = COURSE["07-support-vector-machines"].space["read_street"]()[-1]
    assert [np.sign(round(c, 4)) for c in changes] == told
