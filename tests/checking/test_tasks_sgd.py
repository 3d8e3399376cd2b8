"""Exercise 5: right answers in other spellings, wrong ones in the words of a student."""

import numpy as np
import pytest

import coursekit as ck
from tests.checking.judging import COURSE, SEEDS, pairs, sentence, tasks

CHAPTER = "05-stochastic-gradient-descent"


def step_loop(theta, x, y, eta, lam):
    d = len(x)
    z = y * (sum(theta[j] * x[j] for j in range(d)) + theta[d])
    new = []
    for j in range(d):
        v = (1 - eta * lam) * theta[j]
        new.append(v + eta * y * x[j] if z <= 1 else v)
    return [*new, theta[d] + eta * y if z <= 1 else theta[d]]


def step_split(theta, x, y, eta, lam):
    w, b = theta[:-1].copy(), theta[-1]
    slope_w, slope_b = lam * w, 0.0
    if not y * (w.dot(x) + b) > 1:
        slope_w, slope_b = slope_w - y * x, -y
    return np.hstack([w - eta * slope_w, b - eta * slope_b]).astype(np.float32)


def step_masks(theta, x, y, eta, lam):
    point = np.concatenate([x, [1]])
    mask = np.arange(len(theta)) < len(x)
    return tuple(theta - eta * (lam * theta * mask - y * point * (y * point @ theta <= 1)))


def sizes_loop(eta0, power, steps):
    rates = [eta0 / k**power for k in range(1, steps + 1)]
    return rates, sum(rates), sum(r * r for r in rates)


def sizes_exp(eta0, power, steps):
    rates = eta0 * np.exp(-power * np.log1p(np.arange(steps, dtype=np.float32)))
    return [rates, np.float32(rates.sum()), rates @ rates]


def sizes_power(eta0, power, steps):
    rates = eta0 * np.linspace(1, steps, steps) ** -power
    return tuple(rates), np.cumsum(rates)[-1], np.linalg.norm(rates) ** 2


def sgd_loop(X, y, examples, eta0):
    w, b, thetas = [0.0] * X.shape[1], 0.0, []
    thetas.append([*w, b])
    for k in range(len(examples)):
        x, label = X[examples[k]], y[examples[k]]
        if label * (sum(p * q for p, q in zip(w, x, strict=True)) + b) <= 1:
            w = [p + eta0 / (k + 1) * label * q for p, q in zip(w, x, strict=True)]
            b += eta0 / (k + 1) * label
        thetas.append([*w, b])
    risks, best = [], 0
    for k, theta in enumerate(thetas):
        f = [sum(p * q for p, q in zip(theta, x, strict=False)) + theta[-1] for x in X]
        risks.append(sum(max(0, 1 - label * s) for label, s in zip(y, f, strict=True)) / len(y))
        best = k if risks[k] < risks[best] else best
    return thetas, risks, best


def sgd_folded(X, y, examples, eta0):
    Z = np.c_[X, np.ones(len(X))] * y[:, None]
    thetas = np.zeros((len(examples) + 1, Z.shape[1]))
    for k, z in enumerate(Z[examples]):
        thetas[k + 1] = thetas[k] + (thetas[k] @ z <= 1) * eta0 / (k + 1) * z
    risks = np.clip(1 - thetas @ Z.T, 0, None).mean(axis=1)
    return [thetas, risks, np.int64(risks.argmin())]


def sgd_running(X, y, examples, eta0):
    theta = np.zeros(X.shape[1] + 1)
    best, lowest, history, risks = 0, 1.0, [theta.copy()], [1.0]
    for k, i in enumerate(examples, start=1):
        x = np.append(X[i], 1)
        if not y[i] * np.dot(theta, x) > 1:
            theta += eta0 / k * y[i] * x
        history.append(theta.copy())
        f = X @ theta[:-1] + theta[-1]
        risks.append(np.where(y * f < 1, 1 - y * f, 0).sum() / len(y))
        if risks[-1] < lowest:
            best, lowest = k, risks[-1]
    return history, risks, float(best)


def batch_loop(X, y, theta, lam, batch):
    total = np.zeros(len(theta))
    for i in batch:
        if y[i] * (X[i] @ theta[:-1] + theta[-1]) <= 1:
            total -= y[i] * np.append(X[i], 1)
    total /= len(batch)
    total[:-1] += lam * theta[:-1]
    return total


def batch_counts(X, y, theta, lam, batch):
    weight = np.bincount(batch, minlength=len(X)) / len(batch)
    Z = np.hstack([X, np.ones((len(X), 1))])
    slopes = np.where(y * (Z @ theta) > 1, 0, -y)[:, None] * Z
    return list(weight @ slopes + lam * theta * np.r_[np.ones(X.shape[1]), 0])


def batch_split(X, y, theta, lam, batch):
    some, labels = X[batch].astype(np.float32), y[batch]
    pull = labels * (labels * (some @ theta[:-1] + theta[-1]) <= 1)
    return [*(lam * theta[:-1] - np.mean(pull[:, None] * some, axis=0)), -np.mean(pull)]


def average_loop(thetas, X, y):
    mean = [sum(theta[j] for theta in thetas) / len(thetas) for j in range(thetas.shape[1])]

    def risk(theta):
        losses = [max(0, 1 - label * (x @ theta[:-1] + theta[-1])) for x, label in zip(X, y, strict=True)]
        return sum(losses) / len(losses)

    return mean, risk(np.array(mean)), sum(map(risk, thetas)) / len(thetas)


def average_stack(thetas, X, y):
    mean = np.ones(len(thetas)) @ thetas / len(thetas)
    Z = y[:, None] * np.c_[X, np.ones(len(X))]
    losses = np.maximum(0, 1 - np.vstack([thetas, mean]) @ Z.T)
    return [mean.astype(np.float32), losses[-1].mean(), losses[:-1].mean()]


def average_running(thetas, X, y):
    mean, total = 0 * thetas[0], 0.0
    for s, theta in enumerate(thetas, start=1):
        mean = mean + (theta - mean) / s
        z = y * (X.dot(theta[:-1]) + theta[-1])
        total += np.sum((1 - z)[z < 1]) / len(y)
    z = y * (X.dot(mean[:-1]) + mean[-1])
    return tuple(mean), np.float32(np.sum((1 - z)[z < 1]) / len(y)), total / s


ROWS = [(0, 1, 1, 0.5), (-1.5, 1, 0.5, 0), (1, 1, 1.5, -0.5), (2.5, 0, 1.5, -0.5), (-1, 1, 1, -1), (3, 0, 1, -1)]

VARIANTS = {
    "hinge_step": (step_loop, step_split, step_masks),
    "step_sizes": (sizes_loop, sizes_exp, sizes_power),
    "sgd": (sgd_loop, sgd_folded, sgd_running),
    "batch_slope": (batch_loop, batch_counts, batch_split),
    "average": (average_loop, average_stack, average_running),
    "sgd_trace": (
        lambda: (*ROWS, 3, 3),
        lambda: [*np.array(ROWS, dtype=np.float32), 3.0, 30 * 20 / 200],
        lambda: [*((z, bool(pulls), w, b) for z, pulls, w, b in ROWS), 3, 3],
    ),
}


@pytest.mark.parametrize(("name", "answer"), pairs(CHAPTER, VARIANTS))
def test_right_answers_pass(name, answer):
    assert [sentence(name, answer, seed) for seed in SEEDS] == [""] * len(SEEDS)


STEP = "def f(theta, x, y, eta, lam):\n    w, b = theta[:-1], theta[-1]\n    z = y * (w @ x + b)\n"
SIZES = "def f(eta0, power, steps):\n    k = np.arange(steps)\n"
RUN = (
    "def f(X, y, examples, eta0):\n"
    "    R = lambda t: np.mean(np.maximum(0, 1 - y * (X @ t[:-1] + t[-1])))\n"
    "    t = np.zeros(X.shape[1] + 1); T = [t]\n    for k, i in enumerate(examples):\n"
)
END = "        T.append(t)\n    r = [R(t) for t in T]\n"
BATCH = (
    "def f(X, y, theta, lam, batch):\n    Z = np.c_[X, np.ones(len(X))] * y[:, None]\n"
    "    P = lam * np.append(theta[:-1], 0)\n"
)
RISK = "def f(thetas, X, y):\n    R = lambda t: np.mean(np.maximum(0, 1 - y * (X @ t[:-1] + t[-1])))\n"

WRONG = [
    ("hinge_step", STEP + "    s = 1 - eta * lam\n"
     "    return np.append(s * w + eta * y * x, b + eta * y) if z < 1 else np.append(s * w, b)", "y f < 1"),
    ("hinge_step", STEP + "    s = 1 - eta * lam\n"
     "    return np.append(s * w + eta * y * x, b + eta * y) if z <= 0 else np.append(s * w, b)",
     "as in the perceptron"),
    ("hinge_step", STEP + "    s = 1 - eta * lam\n"
     "    return np.append(s * w + eta * y * x, b + eta * y) if z <= 1 else theta", "silent example changes nothing"),
    ("hinge_step", STEP + "    t = (1 - eta * lam) * theta\n    return t + eta * y * np.append(x, 1) if z <= 1 else t",
     "offset shrinks too"),
    ("hinge_step", STEP + "    s = 1 - eta * lam\n"
     "    return np.append(s * (w + eta * y * x), b + eta * y) if z <= 1 else np.append(s * w, b)", "just added"),
    ("hinge_step", STEP + "    if z <= 1: return theta + eta * y * np.append(x, 1)\n    return theta",
     "penalty is missing"),
    ("hinge_step", STEP + "    theta[:-1] *= 1 - eta * lam\n    if z <= 1: theta += eta * y * np.append(x, 1)\n"
     "    return theta", "changed its argument theta"),
    ("hinge_step", STEP + "    t = np.append((1 - eta * lam) * w, b)\n"
     "    return t + eta * y * np.append(1, x) if z <= 1 else t", "constant first"),
    ("hinge_step", STEP + "    t = np.append((1 - eta * lam) * w, b)\n"
     "    return t + eta * y * np.append(x, 1) if y * (w @ x) + b <= 1 else t", "whole score"),
    ("hinge_step", STEP + "    t = np.append((1 - eta * lam) * w, b)\n"
     "    return t + eta * max(0, 1 - z) * y * np.append(x, 1)", "however large the loss"),
    ("hinge_step", STEP + "    t = np.append(w - lam * w, b)\n"
     "    return t + eta * y * np.append(x, 1) if z <= 1 else t", "multiplied by eta"),
    ("step_sizes", SIZES + "    r = eta0 / (k + 1) * power\n    return r, r.sum(), (r ** 2).sum()",
     "multiply by the power"),
    ("step_sizes", SIZES + "    r = (eta0 / (k + 1)) ** power\n    return r, r.sum(), (r ** 2).sum()",
     "outside the power"),
    ("step_sizes", SIZES + "    r = eta0 * (k + 1) ** -power\n    return r, r.sum(), (r ** 2).sum()",
     "negative integer powers"),
    ("step_sizes", SIZES + "    r = eta0 / (k + 1) ** power\n    return r", "only `rates` came back"),
    ("step_sizes", SIZES + "    r = eta0 / (k + 1) ** power\n    return r.sum(), r, (r ** 2).sum()",
     "another order, reach, rates, noise"),
    ("step_sizes", SIZES + "    r = eta0 / (k + 1) ** power\n    return r, r.sum(), r ** 2", "one by one"),
    ("step_sizes", SIZES + "    r = eta0 / (k + 2) ** power\n    return r, r.sum(), (r ** 2).sum()",
     "first step is eta0"),
    ("step_sizes", SIZES + "    r = eta0 / k ** power\n    return r, r.sum(), (r ** 2).sum()", "divides by 0"),
    ("step_sizes", SIZES + "    r = eta0 / (k + 1) ** power\n    return r, r.sum(), r.sum() ** 2", "squares the sum"),
    ("sgd", RUN + "        if y[i] * (t[:-1] @ X[i] + t[-1]) <= 1: t = t + eta0 / (k + 1) * y[i] * np.append(X[i], 1)\n"
     + END + "    return T, r, 1 + np.argmin(r[1:])", "start counts too"),
    ("sgd", RUN + "        if y[i] * (t[:-1] @ X[i] + t[-1]) < 1: t = t + eta0 / (k + 1) * y[i] * np.append(X[i], 1)\n"
     + END + "    return T, r, np.argmin(r)", "kink"),
    ("sgd", RUN + "        if y[i] * (t[:-1] @ X[i] + t[-1]) <= 1: t = t + eta0 / (k + 2) * y[i] * np.append(X[i], 1)\n"
     + END + "    return T, r, np.argmin(r)", "k counts from 0"),
    ("sgd", RUN + "        if y[i] * (t[:-1] @ X[i] + t[-1]) <= 1: t = t + eta0 * y[i] * np.append(X[i], 1)\n"
     + END + "    return T, r, 0", "does not shrink"),
    ("sgd", RUN + "        if y[i] * (t[:-1] @ X[i] + t[-1]) <= 1: t += eta0 / (k + 1) * y[i] * np.append(X[i], 1)\n"
     + END + "    return T, r, np.argmin(r)", "same array"),
    ("sgd", RUN + "        if y[i] * (t[:-1] @ X[i] + t[-1]) <= 1:\n"
     "            t = t + eta0 / (k + 1) * y[i] * np.append(X[i], 1)\n            T.append(t)\n"
     "    r = [R(t) for t in T]\n    return T, r, np.argmin(r)", "silent visits have a row"),
    ("sgd", RUN + "        if y[i] * (t[:-1] @ X[i] + t[-1]) <= 0: t = t + y[i] * np.append(X[i], 1)\n"
     + END + "    return T, r, np.argmin(r)", "that is the perceptron"),
    ("sgd", RUN + "        if y[i] * (t[:-1] @ X[i] + t[-1]) < 0: t = t + eta0 / (k + 1) * y[i] * np.append(X[i], 1)\n"
     + END + "    return T, r, np.argmin(r)", "never moves"),
    ("sgd", RUN + "        eta0 /= k + 1\n        if y[i] * (t[:-1] @ X[i] + t[-1]) <= 1: t = t + eta0 * y[i] * "
     "np.append(X[i], 1)\n" + END + "    return T, r, np.argmin(r)", "divides the one before"),
    ("sgd", RUN + "        if y[i] * (t[:-1] @ X[i] + t[-1]) <= 1: t = t + eta0 / (k + 1) * y[i] * np.append(X[i], 1)\n"
     + END + "    return T, r, T[np.argmin(r)]", "theta itself"),
    ("sgd", RUN + "        if y[i] * (t[:-1] @ X[i] + t[-1]) <= 1: t = t + eta0 / (k + 1) * y[i] * np.append(X[i], 1)\n"
     + END + "    return T, np.minimum.accumulate(r), np.argmin(r)", "best so far"),
    ("sgd", RUN + "        if y[i] * (t[:-1] @ X[i] + t[-1]) <= 1: t = t + eta0 / (k + 1) * y[i] * np.append(X[i], 1)\n"
     + END + "    return t", "3 things are asked for"),
    ("sgd", "import coursekit as ck\ndef f(X, y, examples, eta0):\n    p = ck.sgd(ck.Objective(X, y),"
     " ck.steps.decaying(eta0), len(examples), order=examples)\n    return p.thetas, p.values, p.best",
     "must be your own"),
    ("batch_slope", BATCH + "    B = Z[np.unique(batch)]\n    return P - B[B @ theta <= 1].sum(0) / len(B)",
     "counts several times"),
    ("batch_slope", BATCH + "    B = Z[batch]\n    return P - B[B @ theta <= 1].sum(0) / len(X)", "divide by n"),
    ("batch_slope", BATCH + "    B = Z[batch]\n    return P - B[B @ theta <= 1].sum(0)", "is a mean"),
    ("batch_slope", BATCH + "    B = Z[batch]\n    return P - B[B @ theta < 1].sum(0) / len(B)", "kink"),
    ("batch_slope", BATCH + "    B = Z[batch]\n    return lam * theta - B[B @ theta <= 1].sum(0) / len(B)",
     "offset is penalised"),
    ("batch_slope", BATCH + "    return P - Z[Z @ theta <= 1].sum(0) / len(Z)", "only the rows in batch"),
    ("average", RISK + "    m = thetas.mean(0); a = np.mean([R(t) for t in thetas])\n    return m, a, a",
     "mean of the workers' risks"),
    ("average", RISK + "    m = thetas.mean(1)\n    return m, 0, 0", "axis=0"),
    ("average", RISK + "    m = thetas.sum(0)\n    return m, R(m), 0", "divide by their number"),
    ("average", RISK + "    m = thetas.mean(0)\n    return m, R(m), min(R(t) for t in thetas)", "lowest"),
    ("average", RISK + "    m = thetas.mean(0)\n    return m, np.mean([R(t) for t in thetas]), R(m)", "another order"),
    ("average", RISK + "    m = thetas.mean(0)\n    return m, R(m), [R(t) for t in thetas]", "one number is asked for"),
    ("average", RISK.replace("np.maximum(0, 1 - y * (X @ t[:-1] + t[-1]))", "1 - y * (X @ t[:-1] + t[-1])")
     + "    m = thetas.mean(0)\n    return m, max(0, R(m)), np.mean([max(0, R(t)) for t in thetas])",
     "max of the mean"),
    ("batch_slope", BATCH + "    B = Z[batch]\n    return P + B[B @ theta <= 1].sum(0) / len(B)", "wrong sign"),
    ("batch_slope", BATCH + "    B = Z[batch]\n    return P / len(B) - B[B @ theta <= 1].sum(0) / len(B)", "no mean"),
    ("batch_slope", BATCH + "    B = Z[batch]\n    return P - B[B @ theta <= 1].mean(0)",
     "number of examples that pull"),
    ("sgd_trace", "def f():\n    return [(0, 1, 1, 0.5), (-1.5, 1, 0.5, 0), (1, 0, 0.5, 0), 0, 0, 0, 0, 0]", "kink"),
    ("sgd_trace", "def f():\n    return [(0, 1, 2, 1), 0, 0, 0, 0, 0, 0, 0]", "no step size"),
    ("sgd_trace", "def f():\n    return [(0, 1, 1, 0.5), (1.5, 1, 0.5, 0), 0, 0, 0, 0, 0, 0]", "column is the score"),
    ("sgd_trace", "def f():\n    return [(2.5, 1, 1, 0.5), (-0.5, 1, 0.5, 0), 0, 0, 0, 0, 0, 0]", "after the step"),
    ("sgd_trace", "def f():\n    return [(0, 1, 1, 0.5), (-1.5, 1, 0.5, 0), (1, 1, 1.5, -0.5), (2.5, 0, 1.5, -0.5), "
     "(-1, 1, 1, -1), (3, 0, 1, -1), 3, 600]", "600 slopes"),
    ("sgd_trace", "def f():\n    return [(0, 1, 1, 0.5), (-1.5, 1, 0.5, 0), (1, 1, 1.5, -0.5), (2.5, 0, 1.5, -0.5), "
     "(-1, 1, 1, -1), (3, 0, 1, -1), 2, 3]", "add up to infinity"),
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

    for theta, x, y, eta, lam, after in cases("hinge_step"):
        slope = ck.Objective([x], [y], lam=lam).slope(theta)
        np.testing.assert_allclose(after, theta - eta * slope)
    for eta0, power, steps, (rates, _, _) in cases("step_sizes"):
        if 0.5 < power <= 1:
            np.testing.assert_allclose(rates, ck.steps.robbins_monro(eta0, power).rates(steps))
    for X, y, examples, eta0, (thetas, risks, best) in cases("sgd"):
        path = ck.sgd(ck.Objective(X, y), ck.steps.decaying(eta0), len(examples), order=examples)
        np.testing.assert_allclose(thetas, path.thetas)
        np.testing.assert_allclose(risks, path.values, atol=1e-12)
        assert best == path.best
    for X, y, theta, lam, batch, slope in cases("batch_slope"):
        np.testing.assert_allclose(slope, ck.Objective(X, y, lam=lam).slope_at(theta, batch))
    for thetas, X, y, (_, together, alone) in cases("average"):
        risk = ck.Objective(X, y)
        assert together == pytest.approx(risk.value(thetas.mean(axis=0)))
        assert alone == pytest.approx(risk.value(thetas).mean())


def test_the_run_by_hand_is_that_of_coursekit():
    objective = ck.Objective([[2.0], [1.0], [-2.0]], [1.0, -1.0, -1.0])
    path = ck.sgd(objective, ck.steps.constant(0.5), 6, order="cyclic")
    rows = np.array(COURSE[CHAPTER].space["sgd_trace"]()[:6])
    np.testing.assert_array_equal(rows[:, 2:], path.thetas[1:])
    z = np.sum(objective.Z[path.examples] * path.thetas[:-1], axis=1)
    np.testing.assert_array_equal(rows[:, 0], z)
    np.testing.assert_array_equal(rows[:, 1], z <= 1)


@pytest.mark.parametrize("seed", SEEDS)
def test_cases_hold_what_the_text_promises(seed):
    drawn = tasks(CHAPTER, seed)
    assert {y * (theta[:-1] @ x + theta[-1]) for theta, x, y, _, _ in drawn["hinge_step"].cases} >= {0, 1}
    assert any(isinstance(eta0, float) and isinstance(power, int) for eta0, power, _ in drawn["step_sizes"].cases)
    assert any(len(set(batch.tolist())) < len(batch) > len(X) for X, _, _, _, batch in drawn["batch_slope"].cases)
