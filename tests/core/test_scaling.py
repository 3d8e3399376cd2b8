"""The conversions, by fitting scikit-learn's estimators with the converted parameter."""

import re

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.linear_model import Lasso, LogisticRegression, Ridge, SGDClassifier
from sklearn.svm import SVC

import coursekit as ck
from coursekit.core.scaling import SCALINGS, convert, table

D = ck.datasets.load("iris", classes=("versicolor", "virginica"), standardize=True)
N = len(D)


def fitted(model):
    model.fit(D.X, D.y)
    return np.append(np.ravel(model.coef_), model.intercept_)


@pytest.mark.parametrize("lam", [0.3, 0.01])
def test_scikit_learn_minimizes_our_objective(lam):
    """From none of their minima a step leads lower, small or large."""
    steps = np.random.default_rng(0).normal(size=(300, 5)) * np.geomspace(1e-4, 1, 300)[:, None]
    for model, loss, penalty, more in (
        (SVC, "hinge", "l2", {"kernel": "linear", "tol": 1e-8}), (Ridge, "squared", "l2", {}),
        (LogisticRegression, "logistic", "l2", {"tol": 1e-10}), (Lasso, "squared", "l1", {"tol": 1e-12}),
    ):
        symbol = "C" if model in (SVC, LogisticRegression) else "alpha"
        theta = fitted(model(**{symbol: convert(lam, N, target=model.__name__)}, **more))
        risk = ck.Objective(D.X, D.y, getattr(ck.losses, loss), getattr(ck.penalties, penalty), lam)
        assert risk.value(theta) <= risk.value(theta + steps).min() + 1e-9
    model = SGDClassifier(alpha=convert(lam, N, target="SGDClassifier"), average=True, max_iter=2000, tol=None,
                          random_state=0)
    assert ck.Objective(D.X, D.y, lam=lam).value(fitted(model)) <= 1.02 * ck.svm(D.X, D.y, lam).objective


def test_sums_as_the_lectures_write_them_are_multiples_of_our_objective():
    thetas = np.random.default_rng(0).normal(size=(9, 5))
    w, squares = thetas[:, :-1], ((D.y - thetas @ np.c_[D.X, np.ones(N)].T) ** 2).sum(axis=1)
    for lecture, penalty, factor in (
        (squares + convert(0.2, N, target="sum") * (w**2).sum(axis=1), ck.penalties.l2, N),
        (squares / 2 + convert(0.2, N, target="half sum") * np.abs(w).sum(axis=1), ck.penalties.l1, N / 2),
    ):
        ours = ck.Objective(D.X, D.y, loss=ck.losses.squared, penalty=penalty, lam=0.2)
        assert_allclose(lecture, factor * ours.value(thetas))


def by_its_rule(name, lam, n):
    return eval(SCALINGS[name].rule.replace("n lam", "n * lam"), {"n": n, "lam": lam})


@pytest.mark.parametrize("source", SCALINGS)
@pytest.mark.parametrize("target", SCALINGS)
def test_each_parameter_becomes_the_other_of_the_same_lam_as_the_table_says(source, target):
    for lam, n in ((0.375, 50), (5.0, 7)):
        value, wanted = by_its_rule(source, lam, n), by_its_rule(target, lam, n)
        assert_allclose(convert(value, n, source, target), wanted, rtol=1e-14)


def test_the_table_as_text():
    heads, *rows = (re.split(" {2,}", line) for line in repr(table(lam=0.02, n=50)).splitlines())
    assert heads == ["who", "minimizes", "its parameter", "for lam = 0.02, n = 50"]
    assert rows == [[name, s.minimizes, f"{s.symbol} = {s.rule}", f"{by_its_rule(name, 0.02, 50):.4g}"]
                    for name, s in SCALINGS.items()]
