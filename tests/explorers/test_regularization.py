"""Chapter 6's explorer and its plots, against the conditions of optimality and counts by hand."""

import numpy as np
import pytest

from coursekit.algorithms.penalised import RIDGE
from coursekit.explorers.chapters.regularization import LAMS


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
