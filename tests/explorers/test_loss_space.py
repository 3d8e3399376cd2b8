"""Chapter 3: least squares and the loss-space explorer, against hand values, scikit-learn and brute force."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression, Ridge

from coursekit.explorers.chapters.loss_space import verdict
from coursekit.explorers.picture import Stroke
from coursekit.plots import ParameterSpace

BY_HAND = {
    "zero-one": lambda z: 1.0 * (z <= 0), "perceptron": lambda z: np.maximum(0, -z),
    "hinge": lambda z: np.maximum(0, 1 - z), "logistic": lambda z: np.log1p(np.exp(-z)),
    "squared": lambda z: (1 - z) ** 2,
}  # fmt: skip

def test_one_outlier_tips_least_squares_and_leaves_hinge_and_logistic(explorer):
    angles, errors = [], []
    for x1 in (2.0, 16.0):
        explorer.x1 = x1
        thetas = explorer.state.thetas
        angles.append([np.degrees(np.arctan2(*thetas[name][::-1])) for name in ("squared", "hinge", "logistic")])
        data = explorer.state.data
        errors.append([sum(y * (thetas[name] @ x) <= 0 for x, y in zip(data.X, data.y, strict=True))
                       for name in ("squared", "hinge", "logistic")])
    turned = np.abs(np.diff(angles, axis=0)[0])
    assert turned[0] > 30
    assert turned[1:].max() < 1
    assert errors == [[0, 0, 0], [3, 0, 0]]
    assert "hinge 0, logistic 0, squared 3" in explorer.sentence


def test_the_lines_are_those_of_the_references(explorer):
    explorer.set(separability=-0.5, lam=0.1, eta=1.0, x1=4.0)
    data, thetas, n = explorer.state.data, explorer.state.thetas, 41
    ridge = Ridge(alpha=n * 0.1 / 2, fit_intercept=False).fit(data.X, data.y)
    np.testing.assert_allclose(thetas["squared"], ridge.coef_, rtol=1e-9)
    logistic = LogisticRegression(C=1 / (n * 0.1), fit_intercept=False, tol=1e-10).fit(data.X, data.y)
    np.testing.assert_allclose(thetas["logistic"], logistic.coef_[0], rtol=1e-5)
    theta = np.array([0.0, 1.0])
    for _ in range(150):
        pulls = [y * x for x, y in zip(data.X, data.y, strict=True) if y * (theta @ x) <= 1]
        theta = theta - (0.1 * theta - np.sum(pulls, axis=0) / n)
    np.testing.assert_allclose(thetas["hinge"], theta, atol=1e-9)


@pytest.mark.parametrize("label", ["+1", "-1"])
@pytest.mark.parametrize("f", [-3.0, -1.0, 0.0, 0.3, 1.0, 2.0])
def test_under_the_flat_loss_x2_is_the_prediction_and_slides_through_all_losses(explorer, label, f):
    explorer.set(loss="zero-one", lam=0.0, x2=f, label=label, also="table")
    state, z = explorer.state, float(label) * f
    np.testing.assert_array_equal(state.theta, [0, 1])
    assert state.f == f
    assert state.losses == pytest.approx({name.replace("-", "_"): loss(z) for name, loss in BY_HAND.items()})
    for name, loss in BY_HAND.items():
        if z not in (0, 1):  # no kink
            slope = (loss(z + 1e-6) - loss(z - 1e-6)) / 2e-6
            assert state.slopes[name.replace("-", "_")] == pytest.approx(slope, abs=1e-6)
    words = [word.text for word in explorer.table.text._words]
    assert words[-5] == "squared"
    assert float(words[-4]) == pytest.approx((1 - z) ** 2)


@pytest.mark.parametrize("loss", BY_HAND)
@pytest.mark.parametrize("label", ["+1", "-1"])
def test_loss_space_is_to_scale_and_holds_every_example(explorer, loss, label):
    explorer.set(loss=loss, label=label, x1=16.0)
    state, space = explorer.state, explorer.space
    z = state.data.y * (state.data.X @ state.theta)
    heights = BY_HAND[loss](z)
    for marks, side in zip(space.points, (-1, 1), strict=True):
        np.testing.assert_allclose(marks.get_xydata(), np.column_stack([z, heights])[state.data.y == side], atol=1e-12)
    np.testing.assert_allclose(np.ravel(space.ring.get_xydata()), [z[-1], heights[-1]])
    np.testing.assert_allclose(space.mean.get_ydata(), heights.mean())
    (low, high), (floor, top) = space.ax.get_xlim(), space.ax.get_ylim()
    assert low <= z.min() <= z.max() <= high
    assert floor <= heights.min() <= heights.max() <= top
    np.testing.assert_allclose(space.wrong.get_bbox().extents, [low, 0, 0, 1])


def test_names_stand_at_the_lines_and_share_a_place_where_lines_leave_together(explorer):
    explorer.set(loss="squared", x1=16.0)
    ax, tags = explorer.boundary.ax, {tag.text: np.asarray(tag.at)[0] for tag in explorer.names.names.tags}
    assert sorted(tags) == ["hinge, logistic", "squared"]
    low, high = np.array([ax.get_xlim(), ax.get_ylim()]).T
    for text, at in tags.items():
        theta = explorer.state.thetas[text.split(", ")[0]]
        assert theta @ at == pytest.approx(0, abs=1e-9)
        assert np.minimum(np.abs(at - low), np.abs(high - at)).min() < 0.01 * (high - low).max()  # at an edge
    apart = np.hypot(*((tags["squared"] - tags["hinge, logistic"]) / (high - low)))
    assert apart > 0.2  # at the ends where they are easily told apart


@pytest.mark.parametrize(("loss", "agreement", "says"), [
    ("zero_one", 0.0, "wrong, and flat"), ("zero_one", 0.1, "right, and flat"),
    ("perceptron", -2.0, "wrong: pulls"), ("perceptron", 0.0, "at the kink"), ("perceptron", 0.1, "flat: right, no"),
    ("hinge", -0.1, "wrong: pulls"), ("hinge", 0.5, "right by less than 1: pulls"), ("hinge", 1.0, "at the kink"),
    ("hinge", 1.1, "flat: right enough"), ("logistic", 9.0, "right: pulls less and less"),
    ("squared", 0.5, "right: pulls"), ("squared", 1.0, "exact"), ("squared", 100.0, "too right: pulls back"),
])
def test_every_region_has_its_word(loss, agreement, says):
    assert verdict(loss, agreement).startswith(says)


@pytest.mark.parametrize("label", ["+1", "-1"])
def test_parameter_space_shows_solutions_example_and_heights(explorer, label):
    explorer.set(loss="logistic", x1=3.0, x2=-1.0, label=label, lam=0.05)
    state = explorer.state
    for name, point in explorer.parameters.points.items():
        assert (len(point.get_data()[0]) == 1) == (name in ("hinge", "logistic", "squared"))
        if name in state.thetas:
            np.testing.assert_allclose(np.ravel(point.get_data()) * state.scale, state.thetas[name])
    for line, z in zip(explorer.parameters.example, (0.0, 1.0), strict=True):
        theta = np.array(line.get_data()).T * state.scale
        np.testing.assert_allclose(float(label) * theta @ [3.0, -1.0], z, atol=1e-9)
    grid = ParameterSpace.grid(state.scale)
    for k in (0, 777, 3599):
        z = state.data.y * (state.data.X @ grid[k])
        assert state.landscape[k] == pytest.approx(np.log(1 + np.exp(-z)).mean() + 0.025 * grid[k] @ grid[k])
    way = np.array(explorer.parameters.landscape.path.get_data()) * state.scale
    np.testing.assert_allclose(way[:, 0], [0, 1])
    np.testing.assert_allclose(way[:, -1], state.theta)


@pytest.mark.parametrize("lam", [0.0, 0.05])
def test_the_zero_one_map_is_wedges_that_meet_at_the_origin(explorer, lam):
    explorer.set("loss=zero-one separability=-1 x1=4", lam=lam)
    data, grid = explorer.state.data, ParameterSpace.grid(explorer.state.scale, 300)
    signs = data.X @ grid.T / np.linalg.norm(data.X, axis=1)[:, None] / np.linalg.norm(grid, axis=1)
    inside = (np.abs(signs) > np.sin(np.radians(0.2))).all(axis=0)  # not within a fifth of a degree of a border
    assert inside.mean() > 0.8
    mistakes = (data.y[:, None] * signs <= 0).mean(axis=0)
    expected = mistakes + lam / 2 * (grid**2).sum(axis=1)
    np.testing.assert_allclose(explorer.state.landscape[inside], expected[inside])





def test_dragging_in_data_space_moves_the_example(explorer):
    axes = explorer.boundary.ax
    explorer.touch(Stroke(axes, (14.0, 3.0), (6.04, -1.26), True, False))
    assert (explorer.x1, explorer.x2) == (6.0, -1.3)
    explorer.touch(Stroke(axes, (14.0, 3.0), (99.0, -99.0), False, True))
    assert (explorer.x1, explorer.x2) == (17.0, -4.6)
    said = explorer.sentence
    explorer.touch(Stroke(explorer.space.ax, (0.0, 0.0), (1.0, 1.0), True, True))
    assert explorer.sentence == said
