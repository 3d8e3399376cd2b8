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
    hinge, logistic, squared = (ck.Objective(D.X, D.y, loss=getattr(ck.losses, name), lam=lam)
                                for name in ("hinge", "logistic", "squared"))
    theta = fitted(SVC(kernel="linear", C=convert(lam, N, target="SVC"), tol=1e-8))
    assert_allclose(hinge.value(theta), ck.svm(D.X, D.y, lam).objective, atol=1e-6)
    theta = fitted(LogisticRegression(C=convert(lam, N, target="LogisticRegression"), tol=1e-10, max_iter=5000))
    assert_allclose(logistic.slope(theta), 0, atol=1e-6)
    theta = fitted(Ridge(alpha=convert(lam, N, target="Ridge")))
    assert_allclose(squared.slope(theta), 0, atol=1e-10)
    theta = fitted(Lasso(alpha=convert(lam, N, target="Lasso"), tol=1e-12))
    l1 = ck.Objective(D.X, D.y, loss=ck.losses.squared, penalty=ck.penalties.l1, lam=lam)
    steps = np.random.default_rng(0).normal(size=(300, 5)) * np.geomspace(1e-4, 1, 300)[:, None]
    assert l1.value(theta) <= l1.value(theta + steps).min() + 1e-9  # small or large, none leads lower
    model = SGDClassifier(alpha=convert(0.1, N, target="SGDClassifier"), average=True, max_iter=2000, tol=None,
                          random_state=0)
    assert ck.Objective(D.X, D.y, lam=0.1).value(fitted(model)) <= 1.02 * ck.svm(D.X, D.y, 0.1).objective


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


def test_bad_arguments_are_named():
    for bad in ({"value": 0}, {"n": 0}, {"target": "C"}):
        with pytest.raises(ValueError, match=f"{next(iter(bad))} must be"):
            convert(**{"value": 1.0, "n": 10, **bad})
