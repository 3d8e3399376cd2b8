"""Boundaries of whatever predicts, scikit-learn's estimators and what the course learns; and what plots refuse."""

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
from coursekit_figures import chapter08, kit
from tests.faults import faults, refused

D = ck.datasets.blobs(60, -1.5, seed=4)
TEXTS = np.where(D.y > 0, "spam", "ham")
RULES = {
    "neighbors": (KNeighborsClassifier(3), D.y), "kernel": (SVC(gamma=2.0), D.y.astype(int)),
    "tree": (DecisionTreeClassifier(random_state=0), TEXTS), "truth": (KNeighborsClassifier(1), D.y > 0),
    "ours": (make_pipeline(StandardScaler(), Estimator(ck.svm)), TEXTS),
    "zero and one": (KNeighborsClassifier(1), (D.y > 0).astype(int)), "one and two": (SVC(), np.where(D.y > 0, 2, 1)),
}


@pytest.mark.parametrize(("name", "pair"), [(name, k % 2 == 0) for k, name in enumerate(RULES)])
def test_each_place_has_the_tint_of_its_class_and_the_wrong_are_hollow(ax, name, pair):
    rule, y = RULES[name]
    rule.fit(D.X, y)
    kinds = np.unique(y)
    named = D if set(kinds) <= {-1, 0, 1} else ck.Dataset(D.X, D.y, classes=tuple(map(str, kinds)))
    plot = ck.plots.DecisionBoundary(ax, legend=False).show((D.X, y) if pair else named, rule)
    missed = rule.predict(D.X) != y
    for hollow, kind in zip(plot.wrong, kinds, strict=True):
        assert_array_equal(places(hollow), D.X[missed & (y == kind)])
        assert hollow.get_markerfacecolor() == current().paper != hollow.get_markeredgecolor()
    ax.figure.canvas.draw()
    pixels = np.asarray(ax.figure.canvas.buffer_rgba())[::-1, :, :3].astype(int)
    at = np.random.default_rng(0).uniform(*corners(ax), (600, 2))
    x, up = np.floor(ax.transData.transform(at)).astype(int).T
    shown, positive = pixels[up, x], rule.predict(at) == kinds[1]
    tints = [np.median(shown[positive == side], axis=0) for side in (False, True)]
    assert np.abs(tints[1] - tints[0]).max() > 10
    plain = [(np.abs(shown - tint).max(axis=1) <= 1) for tint in tints]
    assert np.sum(plain[0] | plain[1]) > 400  # the others are under examples and the border
    assert np.mean((plain[1] == positive)[plain[0] | plain[1]]) > 0.995  # a pixel can lie on both sides


def test_the_border_is_where_scores_are_0_and_another_takes_its_place(ax):
    street, line = SVC(gamma=0.5).fit(D.X, D.y), ck.svm(D.X, D.y)
    plot = ck.plots.DecisionBoundary(ax).show(D, street)
    found = places(plot.line)
    found = found[~np.isnan(found[:, 0])]
    assert len(found) > 50
    assert np.abs(street.decision_function(found)).max() < 0.002
    assert not plot.normal.get_visible()
    for rule, score, near in ((street, street.decision_function, 0.002),
                              (line, lambda X: X @ line.theta[:2] + line.theta[2], 1e-9)):
        plot.show(D, rule)
        for side, sign in zip(plot.sides, (-1, 1), strict=True):
            assert (sign * score(side.get_path().vertices)).min() > -near


@pytest.mark.parametrize("result", [
    ck.svm(D.X, D.y), ck.perceptron(D.X, D.y, 5), ck.gradient_descent(ck.Objective(D.X, D.y), ck.steps.constant(0.1)),
])  # fmt: skip
def test_a_result_of_the_course_is_drawn_as_its_theta(ax, result):
    plot = ck.plots.DecisionBoundary(ax)
    drawn = [[places(part) for part in (plot.show(D, rule).line, *plot.wrong)] for rule in (result.theta, result)]
    for one, other in zip(*drawn, strict=True):
        assert_array_equal(one, other)


def test_a_theta_without_offset_goes_through_the_origin(ax):
    trace = ck.perceptron(D.X, D.y, 5, offset=False)
    ends = places(ck.plots.DecisionBoundary(ax).show(D, trace).line)
    assert_allclose(ends @ trace.theta, 0, atol=1e-9)


BLOBS = ck.datasets.blobs(20)
THREE = ck.datasets.load("iris", features=[2, 3])
FOUR = ck.datasets.load("iris", classes=("setosa", "virginica"))
SQUARE = (0, 1, 0, 1)


@faults(__file__)
def test_what_cannot_be_drawn_is_named(call, said, error, ax):
    def shown(ax, *given):
        return ck.plots.DecisionBoundary(ax).show(*given)

    more = {"chapter08": chapter08, "kit": kit, "LinearRegression": LinearRegression}
    refused(call, said, error, globals(), ax=ax, shown=shown, **more)


def test_legends_name_the_classes_of_the_data(ax):
    iris = ck.datasets.load("iris", classes=("setosa", "virginica"), features=[2, 3])
    street = ck.plots.MarginStreet(ax).show(iris, [1.0, 1.0, -6.0], np.zeros(len(iris)), [])
    assert {"setosa", "virginica"} < {tag.text for tag in street.tags.tags}
    shown = ck.plots.DecisionBoundary(ax).show(iris, [1.0, 1.0, -6.0])
    assert [text.get_text() for text in shown.legend.get_texts()][:2] == ["setosa", "virginica"]


def test_a_street_shown_twice_is_as_wide_as_its_last_theta_says(ax):
    street = ck.plots.MarginStreet(ax)
    for theta in ([0.0, 2.0, 0.0], [0.0, 0.0, 1.0], [0.0, 0.5, 0.0]):
        street.show(BLOBS, theta, np.zeros(20), [])
    heights = street.edges.get_ydata()
    assert_allclose(np.unique(heights[np.isfinite(heights)].round(9)), [-2.0, 2.0])
    assert street.margin.get_visible()


def test_pyplot_draws_with_the_colors_of_the_light_style():
    cycle, light = ck.plots.STYLE["axes.prop_cycle"].by_key()["color"], ck.plots.STYLES["light"]
    assert cycle[:3] == [light.blue, light.red, light.green]
