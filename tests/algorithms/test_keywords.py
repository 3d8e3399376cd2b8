"""An unknown keyword is answered with ours, and what scikit-learn calls otherwise gives scikit-learn's own answer."""

import inspect
import re
import tomllib
from functools import partial
from importlib.resources import files
from itertools import product
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn import linear_model, multiclass
from sklearn import svm as theirs_svm
from sklearn.inspection import DecisionBoundaryDisplay
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import check_estimator

import coursekit as ck
from coursekit.core.dataset import Dataset
from coursekit.estimator import Estimator
from tests.faults import faults, refused

ANSWERS = tomllib.loads(files("coursekit").joinpath("core", "keywords.toml").read_text("utf-8"))
D = ck.datasets.load("iris", classes=("versicolor", "virginica"), features=[2, 3], standardize=True)
X, y, n = D.X, D.y, len(D)
IRIS = ck.datasets.load("iris", standardize=True)
ONE = ck.Objective(X, y)
ETA = ck.steps.constant(0.1)
MAKERS = [ck.datasets.blobs, ck.datasets.multiclass_blobs, ck.confusion_table]
LEARNERS = [
    ck.perceptron, ck.svm, ck.sgd, ck.pegasos, ck.gradient_descent, ck.proximal_descent, ck.lasso_path, ck.parallel_sgd,
    ck.least_squares, ck.debias, ck.bolasso, ck.mistake_bound, ck.Objective, ck.Dataset, ck.multiclass_perceptron,
    ck.one_vs_rest, ck.one_vs_one, ck.penalties.elastic_net, D.split,
]


@faults(__file__)
def test_an_unknown_keyword_is_answered_with_ours(call, said, error):
    answer = refused(call, said, error, globals())
    assert answer.__cause__ is None
    assert answer.__suppress_context__


def test_every_answer_can_be_had_and_every_learner_knows_the_common_keywords():
    told = set()
    for learner in LEARNERS + MAKERS:
        for keyword in ANSWERS.keys() - inspect.signature(learner).parameters:
            with pytest.raises(TypeError, match=rf"^{learner.__name__}\(\) takes no {keyword}: ") as raised:
                learner(**{keyword: 1})
            answer = str(raised.value).partition(": ")[2]
            told |= {(keyword, who) for who, words in ANSWERS[keyword].items() if words == answer}
    assert told == {(keyword, who) for keyword, answers in ANSWERS.items() for who in answers}
    assert {"C", "alpha", "max_iter", "penalty", "fit_intercept", "tol", "random_state", "eta0", "lr", "epochs",
            "gamma"} <= ANSWERS.keys()


RAGGED = [[1, 2], [3]]
LEARNED = [D, ONE, ETA, ck.losses.hinge, ck.penalties.l1, ck.perceptron(X, y), ck.svm(X, y), ck.sgd(ONE, ETA, 5),
           ck.lasso_path(X, y), ck.bolasso(X, y, 4), ck.mistake_bound(X, y), ck.one_vs_rest(IRIS, ck.svm),
           ck.one_vs_one(IRIS, ck.svm), ck.multiclass_perceptron(IRIS, 5)]
# Not those of grading: check looks at who calls it.
HOMES = {"ck": ck, **{name: getattr(ck, name) for name in ck._MODULES if name not in ("explorers", "grading")}}
PUBLIC = {f"{home}.{name}": one for home, module in HOMES.items() for name in dir(module)
          if inspect.isfunction(one := getattr(module, name)) or inspect.isclass(one)}
PUBLIC |= {f"{type(of).__name__}.{name}": one for of in LEARNED for name in dir(of)
           if name[0] != "_" and inspect.ismethod(one := getattr(of, name))}


@pytest.mark.parametrize("name", PUBLIC)
def test_every_call_that_cannot_be_says_why(name):
    called, said = PUBLIC[name], []
    places = [p for p in inspect.signature(called).parameters.values() if p.kind == p.POSITIONAL_OR_KEYWORD]
    if "NotYet" not in name and "panel" not in name:
        with pytest.raises(TypeError, match=r"\w+\(\) takes no quux: "):
            called(quux=1)
    needed = [p for p in places if p.default is p.empty]
    for given in (None, "quux", RAGGED, {"a": 1}, object(), float("nan")) if needed else ():
        try:
            called(*[given] * len(needed))
        except (TypeError, ValueError) as error:
            said.append(str(error))
    assert not [one for one in said if not re.search("must (be|have|hold)|takes|There is no|The name of the task", one)]
    if len(places) == len(inspect.signature(called).parameters):
        with pytest.raises(TypeError, match=r"takes .*positional argument"):
            called(*[None] * (len(places) + 1))


PAGE = (Path(__file__).parents[2] / "docs" / "scikit-learn.md").read_text("utf-8")
PARAMETERS = [[cell.strip() for cell in line.strip("|").split("|")]
              for line in PAGE.partition("## Every parameter")[2].partition("## ")[0].splitlines() if line[:3] == "| `"]


def test_the_page_has_every_parameter_and_its_conversions_are_those_of_the_errors():
    ours = set(re.findall(r"\w+", " ".join(row[0] for row in PARAMETERS)))
    for learner in LEARNERS:
        assert {*inspect.signature(learner).parameters} - {"X", "y", "name"} <= ours
    for _, theirs, conversion in PARAMETERS:
        names, _, classes = theirs.partition(" of ")
        for name, kind in product(re.findall(r"`(\w+)`", names), re.findall(r"`(\w+)(\.fit)?`", classes)):
            home = next(getattr(m, kind[0]) for m in (linear_model, multiclass, theirs_svm) if hasattr(m, kind[0]))
            assert name in inspect.signature(home.fit if kind[1] else home).parameters, (name, kind)
        for told in re.findall(r"`(.+?)`", conversion):
            keyword = re.findall(r"`(\w+)`", names)[-1]
            assert any(told.removeprefix("lam = ") in answer for answer in ANSWERS[keyword].values()), told


def close(ours, model, atol):
    assert_allclose(ours, np.append(model.coef_, model.intercept_), atol=atol)


@pytest.mark.parametrize(("step", "schedule"), [
    (ck.steps.constant, {"learning_rate": "constant", "eta0": 0.05}),
    (ck.steps.decaying, {"learning_rate": "invscaling", "eta0": 0.5, "power_t": 1.0}),
    (partial(ck.steps.robbins_monro, power=0.75), {"learning_rate": "invscaling", "eta0": 0.5, "power_t": 0.75}),
])
@pytest.mark.parametrize(("loss", "theirs", "twice"), [
    (ck.losses.hinge, "hinge", 1), (ck.losses.logistic, "log_loss", 1), (ck.losses.perceptron, "perceptron", 1),
    (ck.losses.squared, "squared_error", 2),  # they halve it
])
def test_steps_alpha_eta0_power_t_and_average_of_stochastic_descent(step, schedule, loss, theirs, twice):
    common = {"loss": theirs, "alpha": 0.02, "max_iter": 3, "tol": None, "shuffle": False, **schedule}
    first = np.array([0.3, -0.2, 0.1])
    descend = partial(ck.sgd, ck.Objective(X, y, loss=loss, lam=0.02 * twice), step(schedule["eta0"] / twice), 3 * n,
                      order="cyclic")
    path, later = descend(), descend(start=first)  # before fit, which writes into what it begins with
    close(path.theta, linear_model.SGDClassifier(**common).fit(X, y), 1e-9)
    close(path.average, linear_model.SGDClassifier(**common, average=True).fit(X, y), 1e-9)
    close(later.theta, linear_model.SGDClassifier(**common).fit(X, y, first[:2], first[2:]), 1e-9)


def test_one_vs_rest_and_one_vs_one():
    A, b, fit = IRIS.X, np.array(IRIS.classes)[IRIS.y], partial(ck.svm, gap=1e-9)
    street = theirs_svm.SVC(kernel="linear", tol=1e-8)
    rest, one = ck.one_vs_rest(A, b, fit), ck.one_vs_one(A, b, fit)
    model = multiclass.OneVsRestClassifier(street).fit(A, b)
    assert_allclose(rest.scores(A), model.decision_function(A), atol=5e-3)
    pairs = multiclass.OneVsOneClassifier(street).fit(A, b)
    assert (np.array(one.classes)[one.predict(A)] == pairs.predict(A)).all()
    for theta, line in zip(one.thetas, pairs.estimators_, strict=True):
        close(theta, line, 5e-3)
    for ours, learn in ((rest, ck.one_vs_rest), (one, ck.one_vs_one)):
        assert ours == learn(IRIS, fit) == learn((A, b), fit) == learn(IRIS, fit=fit) == learn(X=A, y=b, fit=fit)
        assert (learn(A, IRIS.y, fit).thetas == ours.thetas).all()
    assert ck.multiclass_perceptron((A, b), 5) == ck.multiclass_perceptron(IRIS, 5)


def logistic(X, y, lam=0.01):
    objective = ck.Objective(X, y, loss=ck.losses.logistic, penalty=ck.penalties.l2, lam=lam)
    return ck.gradient_descent(objective, ck.steps.barzilai_borwein(), steps=500, tolerance=1e-10)


def test_with_and_without_an_offset_and_at_0():
    line = ck.svm(X, y, lam=0.05)
    scores = X[:, 0] * line.theta[0] + X[:, 1] * line.theta[1] + line.theta[2]
    assert_allclose(line.decision_function(X), scores)
    assert (line.predict(X) == np.where(scores > 0, 1, -1)).all()
    trace = ck.perceptron([[1.0, 0.0], [0.0, 1.0]], [1, -1], offset=False)
    assert trace.theta.tolist() == [1.0, -1.0]
    assert trace.predict([[2, 1], [1, 1], [0, 3]]).tolist() == [1.0, 0.0, -1.0]


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
    space = {}
    for block in PAGE.split("```python\n")[1:]:
        exec(block.split("```")[0], space)
    plt.close(space["fig"])
    assert space["ax"].lines
    shares = [float(share) for share in capsys.readouterr().out.strip(" []\n").split()]
    assert len(shares) == 5
    assert min(shares) > 0.9
