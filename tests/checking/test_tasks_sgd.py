"""Exercise 5: right answers, and edits that keep them right or make them wrong."""

import itertools

import numpy as np
import pytest

import coursekit as ck
from tests.checking.judging import COURSE, SEEDS, tasks

CHAPTER = "05-stochastic-gradient-descent"


def fan(X, y, theta, b):
    Z = np.c_[X, np.ones(len(X))]
    z = y * (Z @ theta)
    s = (-y * (z <= 1))[:, None] * Z
    m = s.mean(0)
    v = ((s - m) ** 2).sum(1).mean()
    return s, m, v / b


def risk(theta, X, y):
    return np.mean(np.maximum(0, 1 - y * (X @ theta[:-1] + theta[-1])))


def sgd(X, y, examples, eta0):
    t = np.zeros(X.shape[1] + 1)
    T = [t]
    for k, i in enumerate(examples):
        if y[i] * (t[:-1] @ X[i] + t[-1]) <= 1:
            t = t + eta0 / (k + 1) * y[i] * np.append(X[i], 1)
        T.append(t)
    risks = [risk(t, X, y) for t in T]
    return T, risks, np.argmin(risks)


def step_sizes(eta0, power, steps):
    k = np.arange(steps)
    r = eta0 / (k + 1) ** power
    return r, r.sum(), (r**2).sum(), 2 if power > 1 else 1 if power > 0.5 else 3


def nearer(theta, x, y, eta, star):
    v = np.append(x, 1)
    L = lambda t: max(0, 1 - y * (t @ v))  # noqa: E731
    a, size = -y * v @ (theta - star), v @ v
    return eta**2 * size - 2 * eta * a, max(0, a / size), max(0, 2 * (L(theta) - L(star)) / size)


def epochs(X, y, orders, b, eta0):
    theta, k = np.zeros(X.shape[1] + 1), -1
    for order in orders:
        for start in range(0, len(X), b):
            k += 1
            batch, labels = X[order[start : start + b]], y[order[start : start + b]]
            Z = labels[:, None] * np.column_stack([batch, np.ones(len(batch))])
            pulls = Z @ theta <= 1
            theta = theta + eta0 / (k + 1) * Z[pulls].sum(axis=0) / len(batch)
    return theta


def average(thetas, X, y):
    m = thetas.mean(0)
    return m, risk(m, X, y), np.mean([risk(t, X, y) for t in thetas])


def bad_order(X, y, eta, passes):
    def run(order):
        t = np.zeros(X.shape[1] + 1)
        for _ in range(passes):
            for i in order:
                if y[i] * (t[:-1] @ X[i] + t[-1]) <= 1:
                    t = t + eta * y[i] * np.append(X[i], 1)
        return risk(t, X, y)

    order = max(itertools.permutations(range(len(y))), key=run)
    return order, run(order)


def bad_order__arrays(X, y, eta, passes):
    Z = y[:, None] * np.c_[X, np.ones(len(X))]
    orders = np.array(list(itertools.permutations(range(len(y)))))
    thetas = np.zeros((len(orders), Z.shape[1]))
    for rows in np.concatenate([orders] * passes, axis=1).T:
        thetas += eta * ((thetas * Z[rows]).sum(axis=1) <= 1)[:, None] * Z[rows]
    risks = np.clip(1 - thetas @ Z.T, 0, None).mean(axis=1)
    return [orders[risks.argmax()], risks.max()]


def one_pass(X, y):
    m, s = X.mean(0), X.std(0)
    Z = y[:, None] * np.c_[(X - m) / s, np.ones(len(X))]
    t = np.zeros(9)
    for k, i in enumerate(np.random.default_rng(0).permutation(len(Z))):
        if Z[i] @ t <= 1:
            t = t + 0.5 / np.sqrt(k + 1) * Z[i]
    w = t[:-1] / s
    return np.append(w, t[-1] - w @ m)


SHUFFLED = "np.random.default_rng(0).permutation(len(Z))"
SUM = "(t[:-1] @ X[i] + t[-1])"
RIGHT = [
    ("fan", "((s - m) ** 2).sum(1).mean()", "np.linalg.norm(s) ** 2 / len(y) - m @ m", "return s",
     "return s.astype(np.float32)"),
    ("fan", "s.mean(0)", "np.array([sum(c) / len(y) for c in s.T])", "((s - m) ** 2).sum(1).mean()",
     "np.var(s, axis=0).sum()"),
    ("sgd", SUM, "sum(a * b for a, b in zip(t, [*X[i], 1], strict=True))", "np.argmin(risks)",
     "float(risks.index(min(risks)))"),
    ("sgd", "y[i] * " + SUM + " <= 1", "not y[i] * np.dot(t, np.append(X[i], 1)) > 1", "return T",
     "return np.float32(T)"),
    ("step_sizes", "eta0 / (k + 1) ** power", "eta0 * np.exp(-power * np.log1p(k.astype(np.float32)))"),
    ("step_sizes", "r.sum(), (r**2).sum()", "np.cumsum(r)[-1], np.linalg.norm(r) ** 2",
     "2 if power > 1 else 1 if power > 0.5 else 3", "np.select([power > 1, power > 0.5], [2, 1], 3)"),
    ("nearer", "eta**2 * size - 2 * eta * a",
     "np.sum((theta + eta * y * v - star) ** 2) - np.sum((theta - star) ** 2)"),
    ("nearer", "max(0, a / size)", "a / size * (a > 0)", "max(0, 2 *", "np.clip(", "/ size)", "/ (size / 2), 0, None)"),
    ("epochs", "Z[pulls].sum(axis=0) / len(batch)", "np.mean(pulls[:, None] * Z, axis=0)", "return theta",
     "return tuple(theta)"),
    ("epochs", "            pulls =", "            Z = Z.astype(np.float32)\n            pulls =", "Z @ theta <= 1",
     "[sum(z * theta) <= 1 for z in Z]"),
    ("average", "thetas.mean(0)", "np.ones(len(thetas)) @ thetas / len(thetas)", "return m",
     "return m.astype(np.float32)"),
    ("average", "np.mean([risk(t, X, y) for t in thetas])",
     "np.clip(1 - thetas @ (y[:, None] * np.c_[X, np.ones(len(X))]).T, 0, None).mean()"),
    ("bad_order", "<= 1:", "<= 1 + 1e-12:", "return order", "return np.array(order, float)"),
    ("one_pass", "if Z[i] @ t <= 1:", "if True:", "0.5 / np.sqrt(k + 1)",
     "1 / np.sqrt(k + 1) / (1 + np.exp(Z[i] @ t))"),
    ("one_pass", SHUFFLED, "np.ravel([np.flatnonzero(y > 0), np.flatnonzero(y < 0)], order='F')"),  # in turn
]
WRONG = [
    ("fan", "s.mean(0)", "s.mean()", "axis=0"),
    ("step_sizes", "(r**2).sum()", "r.sum() ** 2", "squares the sum"),
    ("sgd", "np.argmin(risks)", "1 + np.argmin(risks[1:])", "start counts too"),
    ("sgd", "eta0 / (k + 1)", "eta0", "np.argmin(risks)", "0", "does not shrink"),
    ("sgd", "np.argmin(risks)", "T[np.argmin(risks)]", "theta itself"),
    ("sgd", "risks, np", "np.minimum.accumulate(risks), np", "best so far"),
    ("nearer", "max(0, 1 - y * (t @ v))", "1 - y * (t @ v)", "each max(0, 1 - z)"),
    ("epochs", "y[order[start : start + b]]", "y[start : start + b]", "<= 1", "<= 0", "/ len(batch)", "/ b",
     "labels stay behind"),
    ("epochs", "<= 1", "<= 0", "for order in orders:", "for order in orders:\n        k = -1", "as in the perceptron"),
    ("epochs", "for order in orders:", "for order in orders:\n        k = -1", "/ len(batch)", "/ b",
     "begins again with every epoch"),
    ("epochs", "for order in orders:", "for order in orders:\n        k = -1", "/ len(batch)", "/ max(1, sum(pulls))",
     "begins again"),
    ("average", "risk(m, X, y),", "np.mean([risk(t, X, y) for t in thetas]),", "mean of the workers' risks"),
    ("average", "return m, risk(m, X, y)", "return thetas.mean(1), 0", "axis=0"),
    ("average", "thetas.mean(0)", "thetas.sum(0)", "np.mean([risk(t, X, y) for t in thetas])", "0",
     "divide by their number"),
    ("bad_order", "max(itertools.permutations(range(len(y))), key=run)", "sorted(range(len(y)), key=lambda i: y[i])",
     "sorted by class"),
    ("one_pass", SHUFFLED, "range(len(Z))", "see both classes"),
    ("one_pass", "(X - m) / s", "((X - m) / s)[np.random.default_rng(1).permutation(len(X))]", "by chance"),
    ("one_pass", "t[-1] - w @ m", "t[-1] + w @ m", "moved the other way"),
]


@pytest.mark.parametrize("seed", SEEDS)
def test_right_answers_agree_with_coursekit(seed):
    drawn, solved = tasks(CHAPTER, seed), COURSE[CHAPTER].space

    def cases(name):
        return [(*case, solved[name](*case)) for case in drawn[name].cases]

    for X, y, theta, b, (slopes, mean, noise) in cases("fan"):
        single = [ck.Objective(X, y).slope_at(theta, [i]) for i in range(len(y))]
        np.testing.assert_allclose(slopes, single, atol=1e-12)
        np.testing.assert_allclose(mean, ck.Objective(X, y).slope(theta), atol=1e-12)
        if len(y) ** b < 3000:  # the noise is that of all draws
            draws = [slopes[list(rows)].mean(axis=0) for rows in itertools.product(range(len(y)), repeat=b)]
            assert np.mean(np.sum((draws - mean) ** 2, axis=1)) == pytest.approx(noise)
    for eta0, power, steps, (rates, _, _, verdict) in cases("step_sizes"):
        assert (verdict == 1) == (0.5 < power <= 1)
        if verdict == 1:
            np.testing.assert_allclose(rates, ck.steps.robbins_monro(eta0, power).rates(steps))
    for X, y, examples, eta0, (thetas, risks, best) in cases("sgd"):
        path = ck.sgd(ck.Objective(X, y), ck.steps.decaying(eta0), len(examples), order=examples)
        np.testing.assert_allclose(thetas, path.thetas)
        np.testing.assert_allclose(risks, path.values, atol=1e-12)
        assert best == path.best
    for thetas, X, y, (_, together, alone) in cases("average"):
        objective = ck.Objective(X, y)
        assert together == pytest.approx(objective.value(thetas.mean(axis=0)))
        assert alone == pytest.approx(objective.value(thetas).mean())
    for X, y, eta, passes, (order, highest) in cases("bad_order"):
        path = ck.sgd(ck.Objective(X, y), ck.steps.constant(eta), passes * len(y), order=np.tile(order, passes))
        assert highest == pytest.approx(path.values[-1])
    for X, y, orders, _, eta0 in drawn["epochs"].cases:  # batches of one and of all
        alone = solved["epochs"](X, y, orders, 1, eta0)
        np.testing.assert_allclose(alone, solved["sgd"](X, y, orders.ravel(), eta0)[0][-1])
        path = ck.gradient_descent(ck.Objective(X, y), ck.steps.decaying(eta0), len(orders))
        if len(path.thetas) > len(orders):
            np.testing.assert_allclose(solved["epochs"](X, y, orders, len(y), eta0), path.thetas[-1], atol=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
def test_promised_steps_come_nearer_and_cases_hold_what_the_text_promises(seed):
    drawn = tasks(CHAPTER, seed)
    for theta, x, y, eta, star in drawn["nearer"].cases:
        change, best, promised = COURSE[CHAPTER].space["nearer"](theta, x, y, eta, star)
        g = ck.Objective([x], [y]).slope(theta)
        far = [np.sum((theta - e * g - star) ** 2) for e in (0, eta, best, *np.linspace(0, 3, 1000))]
        assert far[1] - far[0] == pytest.approx(change)
        assert far[2] <= min(far) + 1e-12
        for e in promised * np.array([0.1, 0.5, 0.99]):
            assert np.sum((theta - e * g - star) ** 2) < far[0] or promised == 0
    changes, best, promised = map(np.array, zip(*drawn["nearer"].right, strict=True))
    assert min(changes) < 0 < max(changes)
    assert min(best) == min(promised) == 0
    assert {verdict for *_, verdict in drawn["step_sizes"].right} == {1, 2, 3}
    assert any(len(y) % b for _, y, _, b, _ in drawn["epochs"].cases)
    for (X, y), (new, _) in zip(drawn["one_pass"].cases, drawn["one_pass"].right, strict=True):
        assert (X.shape, np.sum(np.diff(y) != 0), new.shape) == ((300, 8), 1, (200, 8))
