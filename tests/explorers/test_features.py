"""Chapter 7's explorer and its plots, against scikit-learn, counts by hand and what is known to be false."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from sklearn.linear_model import ElasticNet, LinearRegression

from coursekit.explorers.chapters.features import LAMS, OWN, RIDGE
from coursekit_figures import chapter07


@pytest.mark.parametrize("fit", ["L1", "elastic net"])
def test_theta_and_path_are_those_of_scikit_learn(explorer, fit):
    explorer.set(fit=fit, lam=0.2)
    state, two = explorer.state, RIDGE * (fit == "elastic net")
    for lam, theta in ((0.2, state.theta), (LAMS[20], state.thetas[20])):  # scikit-learn halves the squares
        model = ElasticNet((lam + two) / 2, l1_ratio=lam / (lam + two), tol=1e-9, max_iter=100_000)
        model.fit(state.training.X, state.training.y)
        np.testing.assert_allclose(theta, np.append(model.coef_, model.intercept_), atol=1e-5)


def test_refitted_weights_are_least_squares_on_the_selected(explorer):
    explorer.set(fit="L1", lam=0.2, words="without the receiver's")
    assert not set(OWN) & set(explorer.state.training.features)
    chosen = np.flatnonzero(explorer.state.theta[:-1])
    explorer.set(fit="L1, refitted")
    state = explorer.state
    model = LinearRegression().fit(state.training.X[:, chosen], state.training.y)
    np.testing.assert_allclose(state.theta[chosen], model.coef_)
    assert np.count_nonzero(state.theta[:-1]) == len(chosen) > 5


def test_errors_are_counts_on_mails_that_did_not_learn(explorer):
    state = explorer.state
    assert (len(state.training), len(state.others)) == (400, 3810)
    for part, found in zip((state.training, state.others), state.errors, strict=True):
        assert found == np.mean([y * (x @ state.theta[:-1] + state.theta[-1]) <= 0
                                 for x, y in zip(part.X, part.y, strict=True)])


def test_shuffled_features_have_the_same_numbers_and_names_of_their_own(explorer):
    explorer.set(words="and as many shuffled", lam=0.04)
    state = explorer.state
    whole = np.vstack([state.training.X, state.others.X])
    spread = [np.sort(column / column.std() - (column / column.std()).mean()) for column in whole.T]
    for j in (0, 25, 56):
        np.testing.assert_allclose(spread[j], spread[57 + j], atol=1e-6)
    assert state.training.features[57 + 15] == "free shuffled"
    assert state.shuffled == np.count_nonzero(state.theta[57:-1]) > 0


def test_bars_keep_one_scale_so_that_shrinking_is_seen(explorer):
    longest = []
    for lam in (0.02, 0.4):
        explorer.lam = lam
        longest.append(max(np.nanmax(np.abs(bars.get_xdata())) for bars in explorer.bars.bars))
    assert longest[1] < longest[0] <= 1


def test_twins_lie_along_the_side_of_the_diamond_and_touch_the_net_in_one_point():
    fig, (left, right) = plt.subplots(1, 2)
    chapter07.twins(left, "L1")
    chapter07.twins(right, "net", ridge=1.0)
    side = next(line for line in left.lines if line.get_linewidth() == 6).get_xydata()
    np.testing.assert_allclose(side.sum(axis=1), 0.6)
    edge = max(right.lines, key=lambda line: len(line.get_xdata())).get_xydata()
    np.testing.assert_allclose(np.abs(edge).sum(axis=1) + (edge**2).sum(axis=1), 0.6 + 0.18)
    assert edge.sum(axis=1).max() == pytest.approx(0.6, abs=1e-6)
    assert np.sum(edge.sum(axis=1) > 0.6 - 1e-9) == 1
    plt.close(fig)
