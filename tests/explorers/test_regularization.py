"""Chapter 6's explorer and its plots, against scikit-learn, the conditions of optimality and counts by hand."""


import matplotlib.pyplot as plt
import numpy as np
import pytest
from sklearn.linear_model import ElasticNet, Ridge

import coursekit as ck
from coursekit.explorers.chapters.penalised import RIDGE
from coursekit.explorers.chapters.regularization import LAMS
from coursekit.explorers.picture import Stroke


def theirs(state, penalty, lam, free):
    """theta of scikit-learn; its Lasso halves the squares, its Ridge sums them."""
    X, y = state.training.X, state.training.y
    X = X if free else np.column_stack([X, np.ones(len(X))])
    if penalty == "l2":
        model = Ridge(alpha=len(y) * lam / 2, fit_intercept=free)
    else:
        one, two = lam / 2, RIDGE / 2 * (penalty == "elastic net")
        model = ElasticNet(one + two, l1_ratio=one / (one + two), fit_intercept=free, tol=1e-10, max_iter=200_000)
    model.fit(X, y)
    return np.append(model.coef_, model.intercept_) if free else model.coef_


@pytest.mark.parametrize(("penalty", "offset"), [("l1", "free"), ("l2", "penalized"), ("elastic net", "penalized")])
def test_theta_and_path_are_those_of_scikit_learn(explorer, penalty, offset):
    explorer.set(penalty=penalty, offset=offset, dataset="shifted", lam=0.3, examples=40, irrelevant=12)
    state = explorer.state
    np.testing.assert_allclose(state.theta, theirs(state, penalty, 0.3, offset == "free"), atol=1e-6)
    k = 21
    np.testing.assert_allclose(state.thetas[k], theirs(state, penalty, LAMS[k], offset == "free"), atol=1e-6)


@pytest.mark.parametrize("penalty", ["l1", "l2", "elastic net"])
def test_pulls_of_data_and_penalty_balance(explorer, penalty):
    """At the minimum minus the slope of the risk is lambda times a subgradient of the penalty."""
    explorer.set(penalty=penalty, lam=0.25)
    state, w = explorer.state, explorer.state.theta[:-1]
    X, y = state.training.X, state.training.y
    pulls = 2 * X.T @ (y - X @ w - state.theta[-1]) / len(y)
    np.testing.assert_allclose(state.pulls, pulls)
    one, two = {"l1": (0.25, 0), "l2": (0, 0.25), "elastic net": (0.25, RIDGE)}[penalty]
    np.testing.assert_allclose(pulls[w != 0], (one * np.sign(w) + two * w)[w != 0], atol=1e-6)
    assert (np.abs(pulls[w == 0]) <= one + 1e-9).all()
    curve_w, curve = explorer.balance.curve.get_data()
    np.testing.assert_allclose(curve, one * np.sign(curve_w) + two * curve_w)
    x1 = np.ravel(explorer.balance.points.marked[0].get_data())
    np.testing.assert_allclose(x1, [w[0], pulls[0]])
    assert len(explorer.balance.points.others.get_xdata()) == 20


def test_errors_are_counts(explorer):
    state = explorer.state
    for part, curve, now in zip(
        (state.training, state.held_out), (state.training_errors, state.validation_errors), state.errors, strict=True
    ):
        for theta, value in ((state.thetas[5], curve[5]), (state.theta, now)):
            wrong = [y * (x @ theta[:-1] + theta[-1]) <= 0 for x, y in zip(part.X, part.y, strict=True)]
            assert value == np.mean(wrong)
    assert len(state.held_out) == 1000
    assert not set(map(tuple, state.training.X)) & set(map(tuple, state.held_out.X))
    best = state.validation_errors.argmin()
    assert f"(lowest: {100 * state.validation_errors[best]:.3g}% at λ = {LAMS[best]:.3g})" in explorer.sentence
    high = explorer.errors.ruler.scale["y"]
    for curve, found in zip(explorer.errors.curves, (state.training_errors, state.validation_errors), strict=True):
        np.testing.assert_allclose(curve.get_ydata() * high, 100 * found)
    np.testing.assert_allclose(explorer.errors.best.get_ydata()[0] * high, 100 * state.validation_errors[best])


def test_the_path_is_drawn_where_lambda_is(explorer):
    explorer.set(lam=0.0316, eta=0.005)
    state, place = explorer.state, explorer.path.scale.place
    x, y = explorer.path.marked[0].get_data()
    np.testing.assert_allclose(x, place(LAMS))
    np.testing.assert_allclose(y, state.thetas[:, 0])
    np.testing.assert_allclose(explorer.path.cut.get_xdata(), place(0.0316))
    drawn = explorer.path.others.get_ydata()
    np.testing.assert_allclose(drawn[np.isfinite(drawn)], state.thetas[:, 2:-1].T.ravel())
    circles = explorer.path.points.reached.get_ydata()
    elsewhere = np.abs(state.reached - state.theta)[:-1] > 0.02
    assert elsewhere.any()
    np.testing.assert_allclose(circles[elsewhere], state.reached[:-1][elsewhere])
    assert np.isnan(circles[~elsewhere]).all()  # hidden behind its point a circle says nothing
    assert explorer.path.points.marked[2].get_xdata().size == 0  # no twin here


def test_a_click_on_either_scale_of_lambda_sets_it(explorer):
    for plot in (explorer.path, explorer.errors):
        at = (float(plot.scale.place(0.5)), 0.3)
        explorer.touch(Stroke(plot.ax, at, at, first=True, done=True))
        assert explorer.lam == 0.5
        explorer.touch(Stroke(plot.ax, (0.0, 0.3), (0.0, 0.3), first=True, done=True))
        assert explorer.lam == 0
    at = (1.3, 0.3)
    explorer.touch(Stroke(explorer.path.ax, at, at, first=False, done=True))
    assert explorer.lam == 10
    explorer.touch(Stroke(explorer.boundary.ax, (0.5, 0.5), (0.5, 0.5), first=True, done=True))
    assert explorer.lam == 10


def test_a_penalized_bias_harms_shifted_data_only(explorer):
    wrong = {}
    for dataset in ("centered", "shifted"):
        for offset in ("free", "penalized"):
            explorer.set(penalty="l2", lam=1.0, dataset=dataset, offset=offset)
            wrong[dataset, offset] = explorer.state.errors[1]
    assert f"The penalized bias is {explorer.state.theta[-1]:.3g}" in explorer.sentence
    assert wrong["shifted", "free"] == wrong["centered", "free"]  # moving the data moves the line with them
    assert abs(wrong["centered", "penalized"] - wrong["centered", "free"]) < 0.02
    assert wrong["shifted", "penalized"] > 2 * wrong["centered", "free"]


@pytest.mark.parametrize("seed", [0, 5])
def test_the_elastic_net_shares_between_twins(explorer, seed):
    explorer.set(dataset="with a twin", penalty="elastic net", lam=0.1, seed=seed)
    assert (explorer.state.theta[[0, 2]] > 0).all()
    explorer.penalty = "l1"
    assert (explorer.state.theta[[0, 2]] == 0).any()
    np.testing.assert_allclose(explorer.path.marked[2].get_ydata(), explorer.state.thetas[:, 2])


def test_the_line_lies_where_the_other_features_are_zero(explorer):
    explorer.set(dataset="with a twin", penalty="l2")
    theta = explorer.state.theta
    for x1, x2 in np.array(explorer.boundary.line.get_data()).T:
        point = np.zeros(23)
        point[[0, 1, 2, -1]] = x1, x2, x1, 1
        assert point @ theta == pytest.approx(0, abs=1e-9)


def test_the_axis_of_lambda_counts_powers_of_ten():
    fig, ax = plt.subplots()
    scale = ck.plots.LambdaAxis(ax, -2, 1)
    places = scale.place([0.0, 0.01, 0.1, 1.0, 10.0, 1000.0])
    assert places[0] == 0
    assert places[4] == places[5] == 1
    np.testing.assert_allclose(np.diff(places[1:5]), places[2] - places[1])
    assert scale.lam(0.0) == 0
    for lam in (0.01, 0.03, 2.0, 10.0):
        assert scale.lam(float(scale.place(lam))) == pytest.approx(lam)
    assert [label.get_text() for label in ax.get_xticklabels()] == ["0", "0.01", "0.1", "1", "10"]
    plt.close(fig)


def test_plots_stand_alone_without_a_current_lambda():
    fig, (above, below) = plt.subplots(2)
    lams = np.array([0.01, 0.1, 1.0])
    weights = np.array([[1.0, 2, 3], [0, 1, 2], [0, 0, 1]])
    path = ck.plots.WeightPath(above, ["third"], (-2, 0)).show(lams, weights, [2])
    np.testing.assert_array_equal(path.marked[0].get_ydata(), [3, 2, 1])
    np.testing.assert_array_equal(path.others.get_ydata(), [1, 0, 0, np.nan, 2, 1, 0, np.nan])
    both = np.array([[0, 0.1, 0.2], [0.3, 0.15, 0.4]])
    errors = ck.plots.TwoErrors(below, (-2, 0), ("old:", "new:")).show(lams, both, 0.1, both[:, 1])
    assert errors.ruler.scale["y"] == 40
    np.testing.assert_allclose(errors.best.get_data(), [[errors.scale.place(0.1)], [15 / 40]])
    assert [word.get_text() for word in errors.words] == ["old: 10.0%", "new: 15.0%"]
    assert [tag.text for tag in path.tags.tags] == ["third", "irrelevant"]
    plt.close(fig)
