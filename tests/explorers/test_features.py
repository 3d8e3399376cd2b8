"""Chapter 7's explorer and its plots, against scikit-learn, counts by hand and what is known to be false."""

import numpy as np
import pytest
from sklearn.linear_model import ElasticNet, LinearRegression
from sklearn.preprocessing import StandardScaler

from coursekit.models.features import DRAWS, LAMS, OWN, RIDGE


@pytest.mark.parametrize("fit", ["L1", "elastic net"])
def test_theta_and_path_are_those_of_scikit_learn(explorer, fit):
    explorer.set(fit=fit, lam=0.2, eta=0.05)
    assert explorer.state.excess == pytest.approx(0, abs=1e-4)  # descent ends there, too, so nothing is said of it
    assert "steps" not in explorer.sentence
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


def test_shuffled_features_have_the_same_numbers_and_names_of_their_own(explorer):
    explorer.set(words="and as many shuffled", lam=0.04)
    state = explorer.state
    spread = np.sort(StandardScaler().fit_transform(np.vstack([state.training.X, state.others.X])), axis=0)
    np.testing.assert_allclose(spread[:, :57], spread[:, 57:], atol=1e-6)
    assert state.training.features[57 + 15] == "free shuffled"
    assert state.shuffled == np.count_nonzero(state.theta[57:-1]) > 0


@pytest.mark.parametrize(("lam", "false"), [(0.2, 0), (0.06, 14)])
def test_the_list_holds_who_is_in_the_loudest_first_and_strikes_out_the_false(explorer, lam, false):
    explorer.set(lam=lam, words="and as many shuffled")
    training, listing = explorer.state.training, explorer.listing
    model = ElasticNet(lam / 2, l1_ratio=1, tol=1e-9, max_iter=100_000).fit(training.X, training.y)
    order = sorted(np.flatnonzero(model.coef_), key=lambda j: -abs(model.coef_[j]))
    names = [name.removesuffix(" shuffled") for name in training.features]
    names = [name if name[0].isalnum() else f"“{name}”" for name in names]  # what is a mere character says so
    kinds = ([j for j in order if j < 57 and model.coef_[j] < 0], [j for j in order if j < 57 and model.coef_[j] > 0],
             [j for j in order if j >= 57])
    written = [[word.text for word in kind._words] for kind in listing.kinds]
    assert written == [[names[j] for j in kind] for kind in kinds]
    assert (len(kinds[2]), len(listing.strokes.get_xydata())) == (false, 3 * false)
    kept = f"{false} (struck out)" if false else "none"
    assert f"Of the shuffled features, which know nothing, it keeps {kept}." in explorer.sentence
    assert listing.notes._words[0].text == f"{len(order)}, {false} shuffled"
    assert all(0 < word.y < 1 for kind in listing.kinds for word in kind._words)


def test_paths_are_solid_where_lambda_is_at_least_what_it_is_now(explorer):
    explorer.set(lam=0.2)
    paths = explorer.paths
    at = float(paths.scale.place(0.2))
    for sign, pale, solid in zip((-1, 1), paths.pale, paths.solid, strict=False):
        whole, now = (line.get_xydata()[np.isfinite(line.get_ydata())] for line in (pale, solid))
        assert whole[:, 0].min() < at - 1e-9 <= now[:, 0].min()
        assert (sign * whole[:, 1] >= 0).all()
    dots = np.concatenate([dots.get_ydata() for dots in paths.dots])
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
    assert [word.text for word in explorer.curves.draws._words] == ["gray: 30 sets of 400 emails"]
    assert explorer.curves.draws.boxes()[0, 3] < explorer.axes["curves"].bbox.y0  # where no lambda draws its line
    explorer.mails = 300
    assert not explorer.curves.band.get_visible()
    assert not explorer.curves.draws._words
