"""A decision boundary of whatever predicts: scikit-learn's estimators, and what the course learns."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.linear_model import LinearRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

import coursekit as ck
from coursekit.estimator import Estimator
from coursekit.plots.boundary import corners
from coursekit.plots.marks import places
from coursekit.plots.style import current

D = ck.datasets.blobs(60, -1.5, seed=4)
TEXTS = np.where(D.y > 0, "spam", "ham")
RULES = {
    "neighbours": (KNeighborsClassifier(3), D.y), "kernel": (SVC(gamma=2.0), D.y.astype(int)),
    "tree": (DecisionTreeClassifier(random_state=0), TEXTS), "truth": (KNeighborsClassifier(1), D.y > 0),
    "ours": (make_pipeline(StandardScaler(), Estimator(ck.svm)), TEXTS),
    "zero and one": (KNeighborsClassifier(1), (D.y > 0).astype(int)), "one and two": (SVC(), np.where(D.y > 0, 2, 1)),
}


@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize("pair", [True, False])
def test_each_place_has_the_tint_of_its_class_and_the_wrong_are_hollow(ax, name, pair):
    rule, y = RULES[name]
    rule.fit(D.X, y)
    kinds = np.unique(y)
    named = D if set(kinds) <= {-1, 0, 1} else ck.Dataset(D.X, D.y, classes=tuple(map(str, kinds)))
    data = (D.X, y) if pair else named
    plot = ck.plots.DecisionBoundary(ax, legend=False).show(data, rule)
    missed = rule.predict(D.X) != y
    for hollow, kind in zip(plot.wrong, kinds, strict=True):
        assert_array_equal(places(hollow), D.X[missed & (y == kind)])
        assert hollow.get_markerfacecolor() == current().paper != hollow.get_markeredgecolor()
    ax.figure.canvas.draw()
    pixels = np.asarray(ax.figure.canvas.buffer_rgba())[..., :3]
    low, high = corners(ax)
    at = np.random.default_rng(0).uniform(low, high, (600, 2))
    x, up = np.floor(ax.transData.transform(at)).astype(int).T
    shown = pixels[len(pixels) - 1 - up, x].astype(int)
    positive = rule.predict(at) == kinds[1]
    tints = [np.median(shown[positive == side], axis=0) for side in (False, True)]
    assert np.abs(tints[1] - tints[0]).max() > 10
    plain = [(np.abs(shown - tint).max(axis=1) <= 1) for tint in tints]
    assert np.sum(plain[0] | plain[1]) > 400  # the others are under examples and the border
    assert np.mean((plain[1] == positive)[plain[0] | plain[1]]) > 0.995  # a pixel can lie on both sides


def test_the_border_is_where_scores_are_0_and_neighbours_change(ax):
    street = SVC(gamma=0.5).fit(D.X, D.y)
    plot = ck.plots.DecisionBoundary(ax).show(D, street)
    found = places(plot.line)
    found = found[~np.isnan(found[:, 0])]
    assert len(found) > 50
    assert np.abs(street.decision_function(found)).max() < 0.002
    for side, sign in zip(plot.sides, (-1, 1), strict=True):
        assert (sign * street.decision_function(side.get_path().vertices)).min() > -0.002
    assert not plot.normal.get_visible()
    line = ck.svm(D.X, D.y)
    plot.show(D, line)  # it takes its place
    for side, sign in zip(plot.sides, (-1, 1), strict=True):
        assert (sign * (side.get_path().vertices @ line.theta[:2] + line.theta[2])).min() > -1e-9


@pytest.mark.parametrize("result", [
    ck.svm(D.X, D.y), ck.perceptron(D.X, D.y, 5), ck.gradient_descent(ck.Objective(D.X, D.y), ck.steps.constant(0.1)),
])  # fmt: skip
def test_a_result_of_the_course_is_drawn_as_its_theta(ax, result):
    plot = ck.plots.DecisionBoundary(ax)
    plot.show(D, result.theta)
    before = [places(part) for part in (plot.line, *plot.wrong)]
    plot.show(D, result)
    for part, there in zip((plot.line, *plot.wrong), before, strict=True):
        assert_array_equal(places(part), there)


def test_a_theta_without_offset_goes_through_the_origin(ax):
    trace = ck.perceptron(D.X, D.y, 5, offset=False)
    ends = places(ck.plots.DecisionBoundary(ax).show(D, trace).line)
    assert_allclose(ends @ trace.theta, 0, atol=1e-9)


@pytest.mark.parametrize(("message", "call"), [
    ("theta must predict -1 and .1, 0 and 1, or the names of the classes .-1, .1.; got np.float64.",
     lambda show: show(D, LinearRegression().fit(D.X, D.y))),
    ("got .*ham", lambda show: show(D, KNeighborsClassifier().fit(D.X, TEXTS))),
    ("theta must be one line to classify with; got 2", lambda show: show(D, ck.svm(D.X, D.y, [0.1, 1.0]))),
    ("data must have two classes; got 3", lambda show: show((np.eye(3, 2), [0, 1, 2]))),
    ("data must have 2 features", lambda show: show((np.eye(3), [0, 1, 1]))),
])  # fmt: skip
def test_what_cannot_be_drawn_is_named(ax, message, call):
    with pytest.raises(ValueError, match=message):
        call(ck.plots.DecisionBoundary(ax).show)
