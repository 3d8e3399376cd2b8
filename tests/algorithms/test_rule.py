"""What was learned classifies, alone and among scikit-learn's tools."""

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pytest
from sklearn.inspection import DecisionBoundaryDisplay
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.utils.estimator_checks import check_estimator

import coursekit as ck
from coursekit.core.dataset import Dataset
from coursekit.estimator import Estimator

PETALS = "petal length (cm)", "petal width (cm)"
D = ck.datasets.load("iris", classes=("versicolor", "virginica"), features=PETALS, standardize=True)


def logistic(X, y, lam=0.01):
    objective = ck.Objective(X, y, loss=ck.losses.logistic, penalty=ck.penalties.l2, lam=lam)
    return ck.gradient_descent(objective, ck.steps.barzilai_borwein(), steps=500, tolerance=1e-10)


def test_a_result_scores_and_predicts_like_scikit_learn():
    ours, theirs = ck.svm(D.X, D.y, lam=0.05, gap=1e-9), SVC(kernel="linear", C=1 / (0.05 * len(D)), tol=1e-8)
    theirs.fit(D.X, D.y)
    np.testing.assert_allclose(ours.decision_function(D.X), theirs.decision_function(D.X), atol=1e-3)
    assert (ours.predict(D.X) == theirs.predict(D.X)).all()
    path = logistic(D.X, D.y)
    theirs = LogisticRegression(C=1 / (0.01 * len(D)), tol=1e-10, max_iter=1000).fit(D.X, D.y)
    np.testing.assert_allclose(path.decision_function(D.X), theirs.decision_function(D.X), atol=1e-4)


def test_without_an_offset_at_0_and_where_it_does_not_fit():
    trace = ck.perceptron([[1.0, 0.0], [0.0, 1.0]], [1, -1], offset=False)
    assert trace.theta.tolist() == [1.0, -1.0]
    assert trace.predict([[2, 1], [1, 1], [0, 3]]).tolist() == [1.0, 0.0, -1.0]
    with pytest.raises(ValueError, match="X must have 2 columns, like what was learned from; got 3"):
        trace.predict([[1, 2, 3]])
    for offset in (True, False):
        objective = ck.Objective([[1.0, 0.0], [0.0, 1.0]], [1, -1], offset=offset)
        path = ck.gradient_descent(objective, ck.steps.constant(0.5), 3)
        assert len(path.decision_function([[2.0, 1.0]])) == 1
        for columns in (1, 3):
            with pytest.raises(ValueError, match=f"X must have 2 columns, like what was learned from; got {columns}"):
                path.predict(np.eye(columns))
    with pytest.raises(ValueError, match="X must have 2 columns, like what was learned from; got 3"):
        ck.svm(D.X, D.y).predict(np.eye(3))  # d + 1 of them are no weights without an offset
    with pytest.raises(ValueError, match=r"theta must be one line .* got 2: choose one lambda"):
        ck.svm(D.X, D.y, lam=[0.1, 1.0]).predict(D.X)


def test_scikit_learns_tools_take_a_solver():
    iris = ck.datasets.load("iris")
    names = np.array(iris.classes)[iris.y]
    search = GridSearchCV(make_pipeline(StandardScaler(), Estimator(logistic)), {"estimator__solver": [logistic]}, cv=3)
    right = search.fit(iris.X, names).score(iris.X, names)
    X = StandardScaler().fit_transform(iris.X)
    rule = ck.one_vs_rest(Dataset(X, iris.y), logistic)
    assert right == np.mean(rule.predict(X) == iris.y) > 0.9
    two = Estimator(lambda X, y: ck.svm(X, y, lam=0.05)).fit(D.X, np.where(D.y > 0, "b", "a"))
    assert two.classes_.tolist() == ["a", "b"]
    assert ((two.predict(D.X) == "b") == (ck.svm(D.X, D.y, lam=0.05).predict(D.X) > 0)).all()
    shown = DecisionBoundaryDisplay.from_estimator(two, D.X, response_method="decision_function", grid_resolution=5)
    plt.close(shown.figure_)
    np.testing.assert_allclose(shown.response[0, 0], two.decision_function([[shown.xx0[0, 0], shown.xx1[0, 0]]])[0])
    with pytest.raises(ValueError, match="y must hold two classes or more; got one class"):
        Estimator(logistic).fit([[1.0], [2.0]], [3, 3])


def test_it_is_an_estimator_by_all_of_scikit_learns_checks():
    found = check_estimator(Estimator(ck.svm), on_skip=None)  # raises where one fails
    assert sum(check["status"] == "passed" for check in found) > 40


def test_the_example_of_the_docs_runs(capsys):
    page = (Path(__file__).parents[2] / "docs" / "scikit-learn.md").read_text("utf-8")
    space = {}
    for block in page.split("```python\n")[1:]:
        exec(block.split("```")[0], space)
    plt.close(space["fig"])
    assert space["ax"].lines
    shares = [float(share) for share in capsys.readouterr().out.strip(" []\n").split()]
    assert len(shares) == 5
    assert min(shares) > 0.9
