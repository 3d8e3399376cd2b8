"""Chapter 7's explorer and its plots, against scikit-learn, counts by hand and what is known to be false."""

import numpy as np
import pytest
from sklearn.linear_model import ElasticNet, LinearRegression

from coursekit.models.features import DRAWS, LAMS, OWN, RIDGE


@pytest.mark.parametrize("fit", ["L1", "elastic net"])
def test_theta_and_path_are_those_of_scikit_learn(explorer, fit):
    explorer.set(fit=fit, lam=0.2, eta=0.05)
    assert explorer.state.excess == pytest.approx(0, abs=1e-4)  # descent ends there, too
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


@pytest.mark.parametrize(("eta", "far"), [(0.05, False), (0.001, True)])
def test_descent_is_told_only_where_it_errs_otherwise(explorer, eta, far):
    explorer.set(words="all", fit="L1", lam=0.02, eta=eta)
    state = explorer.state
    assert (np.abs(np.subtract(state.reached_errors, state.errors)).max() > 0.02) == far
    assert ("After 100 steps" in explorer.sentence) == far


def test_shuffled_features_have_the_same_numbers_and_names_of_their_own(explorer):
    explorer.set(words="and as many shuffled", lam=0.04)
    state = explorer.state
    whole = np.vstack([state.training.X, state.others.X])
    spread = [np.sort(column / column.std() - (column / column.std()).mean()) for column in whole.T]
    for j in (0, 25, 56):
        np.testing.assert_allclose(spread[j], spread[57 + j], atol=1e-6)
    assert state.training.features[57 + 15] == "free shuffled"
    assert state.shuffled == np.count_nonzero(state.theta[57:-1]) > 0


def words(explorer):
    """What is written on the list, kind by kind: for ham, for spam, false."""
    return [[word.text for word in kind._words] for kind in explorer.listing.kinds]


@pytest.mark.parametrize(("lam", "false"), [(0.5, 0), (0.2, 0), (0.06, 14)])
def test_the_list_holds_who_is_in_the_loudest_first_and_strikes_out_the_false(explorer, lam, false):
    explorer.set(lam=lam, words="and as many shuffled")
    training = explorer.state.training
    model = ElasticNet(lam / 2, l1_ratio=1, tol=1e-9, max_iter=100_000).fit(training.X, training.y)
    order = sorted(np.flatnonzero(model.coef_), key=lambda j: -abs(model.coef_[j]))
    names = [name.removesuffix(" shuffled") for name in training.features]
    names = [name if name[0].isalnum() else f"“{name}”" for name in names]  # what is a mere character says so
    kinds = ([j for j in order if j < 57 and model.coef_[j] < 0], [j for j in order if j < 57 and model.coef_[j] > 0],
             [j for j in order if j >= 57])
    assert words(explorer) == [[names[j] for j in kind] for kind in kinds]
    assert len(words(explorer)[2]) == false
    strokes = explorer.listing.strokes.get_xydata()
    assert len(strokes) == 3 * false
    told = f"{false} of those it keeps are shuffled" if false else "None of them is shuffled."
    assert told in explorer.sentence
    assert explorer.listing.notes._words[0].text == f"{len(order)}, {false} of them false"
    heights = [word.y for kind in explorer.listing.kinds for word in kind._words]
    assert max(heights) < 1
    assert min(heights) > 0


def test_paths_are_solid_where_lambda_is_at_least_what_it_is_now(explorer):
    explorer.set(lam=0.2)
    at = float(explorer.paths.scale.place(0.2))
    for sign, pale, solid in zip((-1, 1), explorer.paths.pale, explorer.paths.solid, strict=False):
        whole, now = pale.get_xydata(), solid.get_xydata()
        assert (now[np.isfinite(now[:, 0]), 0] >= at - 1e-9).all()
        assert (whole[np.isfinite(whole[:, 0]), 0] < at).any()
        assert (sign * whole[np.isfinite(whole[:, 1]), 1] >= 0).all()
    dots = np.concatenate([dots.get_ydata() for dots in explorer.paths.dots])
    np.testing.assert_allclose(np.sort(dots), np.sort(explorer.state.theta[:-1][explorer.state.theta[:-1] != 0]))


@pytest.mark.slow(keep=1)
@pytest.mark.parametrize("words", DRAWS)
def test_the_band_is_that_of_thirty_draws(explorer, words):
    k = 4  # of every second lambda
    errors = []
    for seed in range(30):
        explorer.set(seed=seed, words=words)
        training, others = explorer.state.training, explorer.state.others
        model = ElasticNet(LAMS[1::2][k] / 2, l1_ratio=1, tol=1e-7, max_iter=100_000).fit(training.X, training.y)
        errors.append(np.mean(others.y * model.predict(others.X) <= 0))
    shown = explorer.curves.band.get_xy()[[k, -2 - k], 1] * explorer.curves.ruler.scale["y"]
    np.testing.assert_allclose(shown, [100 * min(errors), 100 * max(errors)], atol=0.06)
    assert [word.text for word in explorer.curves.draws._words] == ["gray: 30 other sets of emails"]
    assert explorer.curves.draws.boxes()[0, 3] < explorer.axes["curves"].bbox.y0  # where no lambda draws its line
    explorer.mails = 300
    assert not explorer.curves.band.get_visible()
    assert not explorer.curves.draws._words
