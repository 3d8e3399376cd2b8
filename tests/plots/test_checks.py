"""What plots refuse, and that what they show depends on no order of calls."""

import numpy as np
import pytest

import coursekit as ck
from coursekit_figures import chapter08, kit

BLOBS = ck.datasets.blobs(20)
THREE = ck.datasets.load("iris", features=[2, 3])
FOUR = ck.datasets.load("iris", classes=("setosa", "virginica"))
SQUARE = (0, 1, 0, 1)


@pytest.mark.parametrize(("show", "message"), [
    (lambda ax: ck.plots.DecisionBoundary(ax).show(THREE),
     r"data must have two classes, labelled -1 and \+1; got 3 classes \(setosa, .*virginica"),
    (lambda ax: ck.plots.DecisionBoundary(ax).show(FOUR),
     r"data must have 2 features to be drawn in a plane; got 4 \(sepal length"),
    (lambda ax: ck.plots.DecisionBoundary(ax).show(BLOBS.X), r"data must be a Dataset or a pair \(X, y\); got ndarray"),
    (lambda ax: ck.plots.DecisionBoundary(ax).show(BLOBS, [1.0, 2.0]), r"theta must have shape \(3,\); got shape"),
    (lambda ax: ck.plots.DecisionBoundary(ax).show(BLOBS, "up"), "theta must hold numbers in a regular grid; got str"),
    (lambda ax: ck.plots.DecisionBoundary(ax).show(BLOBS, None, None, [3, 20]), "now must hold indices from 0 to 19;"),
    (lambda ax: ck.plots.DecisionBoundary(ax).limits(np.zeros((0, 2))), "X must hold at least one point; got none"),
    (lambda ax: ck.plots.Distances(ax).show([[1, 2]], [0, 0, 1]), "theta must have weights other than 0"),
    (lambda ax: chapter08.street(ax, [[1, 2]], [1], [0, 0, 1], SQUARE, 0), "theta must have weights other than 0"),
    (lambda ax: ck.plots.MarginStreet(ax).show(BLOBS, [1, 0, 0], [0.0], []), r"slack must have shape \(20,\)"),
    (lambda ax: ck.plots.Slacks(ax).show([1, 2], [1, -1], [1], []), "must have one entry for each example"),
    (lambda ax: ck.plots.Landscape(ax, SQUARE).show([1, 2, 3], [[1, 2]]), "values must have one entry for"),
    (lambda ax: ck.plots.ObjectiveCurves(ax, ["a", "b"]).show([[1, 2]]), "curves must be 2, one for each name"),
    (lambda ax: ck.plots.ObjectiveCurves(ax, "abcde"), "names must be those of 1 to 2 curves; got 5"),
    (lambda ax: ck.plots.Regions(ax).frame(SQUARE, tuple("abcdef")), "classes must be 2 to 5 names"),
    (lambda ax: ck.plots.WeightPath(ax, list("abcdef")), "names must be at most 5"),
    (lambda ax: kit.ball(ax, 0), "q must be > 0; got 0"),
])
def test_what_cannot_be_drawn_is_named(ax, show, message):
    with pytest.raises((TypeError, ValueError), match=message):
        show(ax)


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
    np.testing.assert_allclose(sorted(set(heights[np.isfinite(heights)].round(9))), [-2.0, 2.0])
    assert street.margin.get_visible()


def test_pyplot_draws_with_the_colours_of_the_light_style():
    cycle, light = ck.plots.STYLE["axes.prop_cycle"].by_key()["color"], ck.plots.STYLES["light"]
    assert cycle[:3] == [light.blue, light.red, light.green]
