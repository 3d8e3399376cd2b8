"""The conversions, by fitting scikit-learn's estimators with the converted parameter."""

from fractions import Fraction

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.optimize import minimize
from sklearn.linear_model import Lasso, LogisticRegression, Ridge, SGDClassifier
from sklearn.svm import SVC

import coursekit as ck
from coursekit.core.scaling import SCALINGS, convert, table

D = ck.datasets.load("iris", classes=("versicolor", "virginica"), standardize=True)
N = len(D)


def theta_of(model):
    return np.append(np.ravel(model.coef_), model.intercept_)


def optimal(objective, theta, tolerance=1e-9):
    """No step away from theta, small or large, lowers the objective."""
    steps = np.random.default_rng(0).normal(size=(300, len(theta))) * np.geomspace(1e-4, 1, 300)[:, None]
    return objective.value(theta) <= objective.value(theta + steps).min() + tolerance


@pytest.mark.parametrize("lam", [0.3, 0.01])
def test_scikit_learn_minimises_our_objective(lam):
    hinge, logistic, squared = (ck.Objective(D.X, D.y, loss=getattr(ck.losses, name), lam=lam)
                                for name in ("hinge", "logistic", "squared"))
    svc = SVC(kernel="linear", C=convert(lam, N, target="SVC"), tol=1e-8).fit(D.X, D.y)
    assert_allclose(hinge.value(theta_of(svc)), ck.svm(D.X, D.y, lam).objective, atol=1e-6)
    model = LogisticRegression(C=convert(lam, N, target="LogisticRegression"), tol=1e-10, max_iter=5000)
    assert_allclose(logistic.slope(theta_of(model.fit(D.X, D.y))), 0, atol=1e-6)
    model = Ridge(alpha=convert(lam, N, target="Ridge")).fit(D.X, D.y)
    assert_allclose(squared.slope(theta_of(model)), 0, atol=1e-10)
    l1 = ck.Objective(D.X, D.y, loss=ck.losses.squared, penalty=ck.penalties.l1, lam=lam)
    model = Lasso(alpha=convert(lam, N, target="Lasso"), tol=1e-12).fit(D.X, D.y)
    assert optimal(l1, theta_of(model))
    assert not optimal(l1, theta_of(Lasso(alpha=2 * convert(lam, N, target="Lasso")).fit(D.X, D.y)))
    assert_allclose(ck.lasso_path(D.X, D.y).theta_at(lam), theta_of(model), atol=1e-6)


def test_sgd_classifier_has_our_scaling():
    lam = 0.1
    model = SGDClassifier(alpha=convert(lam, N, target="SGDClassifier"), average=True, max_iter=2000, tol=None,
                          random_state=0).fit(D.X, D.y)
    hinge = ck.Objective(D.X, D.y, lam=lam)
    assert hinge.value(theta_of(model)) <= 1.02 * ck.svm(D.X, D.y, lam).objective


@pytest.mark.parametrize("name", ["sum", "half sum"])
def test_sums_as_the_lectures_write_them(name):
    lam = 0.2
    value = convert(lam, N, target=name)
    rows = np.column_stack([D.X, np.ones(N)])

    def lecture(theta):
        squares = ((D.y - rows @ theta) ** 2).sum()
        w = theta[:-1]
        return squares + value * w @ w if name == "sum" else squares / 2 + value * np.abs(w).sum()

    penalty = ck.penalties.l2 if name == "sum" else ck.penalties.l1
    ours = ck.Objective(D.X, D.y, loss=ck.losses.squared, penalty=penalty, lam=lam)
    found = minimize(lecture, np.zeros(5), method="Powell", options={"xtol": 1e-10, "ftol": 1e-14, "maxiter": 10_000})
    assert optimal(ours, found.x, 1e-7)


BY_HAND = {  # from lam, exactly; against their estimators above
    "coursekit": lambda lam, n: lam,
    "sum": lambda lam, n: n * lam / 2,
    "half sum": lambda lam, n: n * lam / 2,
    "SVC": lambda lam, n: 1 / (n * lam),
    "LogisticRegression": lambda lam, n: 1 / (n * lam),
    "SGDClassifier": lambda lam, n: lam,
    "Ridge": lambda lam, n: n * lam / 2,
    "Lasso": lambda lam, n: lam / 2,
}


@pytest.mark.parametrize("source", SCALINGS)
@pytest.mark.parametrize("target", SCALINGS)
def test_each_parameter_becomes_the_other_of_the_same_lam(source, target):
    for lam, n in ((Fraction(3, 8), 50), (Fraction(5), 7)):
        value, wanted = BY_HAND[source](lam, n), BY_HAND[target](lam, n)
        assert_allclose(convert(float(value), n, source, target), float(wanted), rtol=1e-14)


def test_the_table_says_its_rules():
    for (name, _, rule, value), scaling in zip(table(lam=0.02, n=50), SCALINGS.values(), strict=True):
        right = rule.split(" = ")[1].replace("n lam", "n * lam")
        assert_allclose(eval(right, {"n": 50, "lam": 0.02}), float(value))
        assert rule.startswith(scaling.symbol)
        assert name in repr(table())


@pytest.mark.parametrize(
    ("change", "text"),
    [({"value": 0}, "value must be > 0"), ({"n": 0}, "n must"), ({"target": "C"}, "target must be one of 'coursekit'")],
)
def test_bad_arguments_are_named(change, text):
    with pytest.raises(ValueError, match=text):
        convert(**{"value": 1.0, "n": 10, **change})
