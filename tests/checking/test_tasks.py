"""What the texts promise of the cases and of what is asked for, by simulations, searches and scikit-learn.

That a solution is right: each is tried against at least one own answer that goes another way, answers/NN-topic.toml.
"""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.linear_model import Lasso, LogisticRegression, Ridge
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

import coursekit as ck
from tests.checking.judging import HOME, SEEDS, drawn

approx = pytest.approx


def solved(name):
    return HOME[name].space[name]


@pytest.fixture(params=SEEDS)
def task(request):
    return lambda name: drawn(name, request.param)


@pytest.fixture
def cases(task):
    """cases(name): those of a task, each with what the solution returns as its last."""
    return lambda name: [(*case, solved(name)(*case)) for case in task(name).cases]


def test_what_the_texts_promise_of_the_cases(task):
    """All else that a case must have is what tells a listed mistake from the answer: test_every_task.py."""
    for name, sizes in {"mail_filter": ((120, 8), (240, 8)), "one_pass": ((300, 8), (200, 8)),
                        "few_words": ((160, 24), (220, 24))}.items():
        for (X, y), (new, _) in zip(task(name).cases, task(name).right, strict=True):
            assert (X.shape, new.shape) == sizes
            assert np.sum(np.diff(y) != 0) == 1 if name == "one_pass" else y.sum() == 0
    assert max(far for far, _ in task("defeat").right) < 250
    for a, b, noise in task("decoy").cases:  # c is the closest to y up to some noise, and never again
        chosen = [solved("forward_search")(np.c_[a, b, a + b + s * noise], a + b, 1)[0][0] for s in range(1, 40)]
        assert 1 <= chosen.count(2) <= 7
        assert chosen[: chosen.count(2)] == [2] * chosen.count(2)


def test_04_ravines_do_what_is_foretold(cases):
    for a, start, eta, t, (after, kinds, limit, _, _) in cases("ravine"):
        if t < 10:
            later = [start]
            for _ in range(60):
                later.append(later[-1] - eta * a * later[-1])
            assert_allclose(after, later[t])
            crossed, far = later[0] * later[1] < 0, np.abs(later[-1]) - np.abs(start)
            assert list(kinds) == list(np.where(crossed, 3 + np.sign(far), 1))
            assert (eta < limit) == (max(kinds) < 3)


def test_05_promised_steps_come_nearer(cases):
    for theta, x, y, eta, star, (change, best, promised) in cases("nearer"):
        g = ck.Objective([x], [y]).slope(theta)
        far = [np.sum((theta - e * g - star) ** 2) for e in (0, eta, best, *np.linspace(0, 3, 1000))]
        assert far[1] - far[0] == approx(change)
        assert far[2] <= min(far) + 1e-12
        for e in promised * np.array([0.1, 0.5, 0.99]):
            assert np.sum((theta - e * g - star) ** 2) < far[0] or promised == 0


def test_06_lambdas_of_scikit_learn_are_those_of_the_course():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(40, 3)), rng.choice([-1.0, 1.0], 40)
    *_, from_ridge, from_lasso = solved("same_lambda")(40, 1, 1, 1, 3.0, 0.05)
    fit = Ridge(alpha=3.0).fit(X, y)
    assert HOME["same_lambda"].space["ridge"](X, y, from_ridge) == approx([*fit.coef_, fit.intercept_])
    lasso = Lasso(alpha=0.05, tol=1e-10).fit(X, y)
    theta = np.append(lasso.coef_, lasso.intercept_)
    objective = ck.Objective(X, y, ck.losses.squared, ck.penalties.l1, from_lasso)
    assert objective.value(theta) <= min(objective.value(theta + 0.05 * rng.normal(size=(200, 4)))) + 1e-9


def test_08_bounds_are_bounds(cases):
    for X, y, _, theta, lam, (_, bound, gap, _) in cases("stakes"):
        risk = ck.Objective(X, y, ck.losses.hinge, lam=lam)
        assert gap == approx(risk.value(theta) - bound)
        found = SVC(kernel="linear", C=1 / (len(y) * lam), tol=1e-8).fit(X, y)
        assert bound <= risk.value(np.append(found.coef_[0], found.intercept_[0])) + 1e-8


def test_09_bounds_hold(cases):
    bounds = []
    for X, y, thetas, (_, gamma, bound) in cases("stacked"):
        f = X @ thetas[:, :-1].T + thetas[:, -1:].T
        assert (gamma > 0) == all(np.sum(row >= row[c]) == 1 for row, c in zip(f, y, strict=True))
        assert bound is None or solved("all_rows")(X, y, len(thetas), 200)[1] <= bound
        bounds.append(bound is None)
    assert set(bounds) == {True, False}


def test_10_the_project_holds_out_what_a_good_classifier_gets_right(task):
    found, model = [], make_pipeline(StandardScaler(), LogisticRegression(C=0.3))
    for (X, y, _), (X_new, y_new) in zip(task("project").cases, task("project").right, strict=True):
        found.append(model.fit(X, y).score(X_new, y_new))
        assert max(np.mean(y_new == 1), np.mean(y_new == -1)) < 0.8
    assert np.mean(found) >= 0.83
