"""Chapter 6's explorer, plots, paths and four methods against optimality, scikit-learn, brute force and loops."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.linear_model import ElasticNet, Lasso, Ridge

import coursekit as ck
from coursekit.algorithms.least_squares import RIDGE, PenalizedPath
from coursekit.models.real_data import METHODS, fits
from coursekit.models.regularization import LAMS


@pytest.mark.parametrize(("penalty", "one", "two"), [("l1", 0.25, 0), ("l2", 0, 0.25), ("elastic net", 0.25, RIDGE)])
def test_pulls_of_data_and_penalty_balance(explorer, penalty, one, two):
    """At the minimum minus the slope of the risk is lambda times a subgradient of the penalty."""
    explorer.set(penalty=penalty, lam=0.25)
    state, w = explorer.state, explorer.state.theta[:-1]
    X, y = state.training.X, state.training.y
    pulls = 2 * X.T @ (y - X @ w - state.theta[-1]) / len(y)
    assert_allclose(state.pulls, pulls)
    assert_allclose(pulls[w != 0], (one * np.sign(w) + two * w)[w != 0], atol=1e-6)
    assert (np.abs(pulls[w == 0]) <= one + 1e-9).all()
    curve_w, curve = explorer.balance.curve.get_data()
    assert_allclose(curve, one * np.sign(curve_w) + two * curve_w)
    assert_allclose(np.ravel(explorer.balance.points.marked[0].get_data()), [w[0], pulls[0]])
    assert len(explorer.balance.points.others.get_xdata()) == 20


def test_errors_are_counts(explorer):
    state = explorer.state
    parts, curves = (state.training, state.held_out), (state.training_errors, state.validation_errors)
    for part, curve, now in zip(parts, curves, state.errors, strict=True):
        for theta, value in ((state.thetas[5], curve[5]), (state.theta, now)):
            assert value == np.mean(part.y * (part.X @ theta[:-1] + theta[-1]) <= 0)
    assert (len(state.held_out), set(map(tuple, state.training.X)) & set(map(tuple, state.held_out.X))) == (1000, set())
    best = state.validation_errors.argmin()
    assert f"(lowest: {100 * state.validation_errors[best]:.3g}% at λ = {LAMS[best]:.3g})" in explorer.sentence


def test_the_path_is_drawn_where_lambda_is(explorer):
    explorer.set(lam=0.0316, eta=0.005)
    state, path = explorer.state, explorer.path
    assert_allclose(path.marked[0].get_data(), [path.scale.place(LAMS), state.thetas[:, 0]])
    assert_allclose(path.cut.get_xdata(), path.scale.place(0.0316))
    drawn = path.others.get_ydata()
    assert_allclose(drawn[np.isfinite(drawn)], state.thetas[:, 2:-1].T.ravel())
    elsewhere = np.abs(state.reached - state.theta)[:-1] > 0.02
    assert elsewhere.any()
    # Hidden behind its point a circle says nothing.
    assert_allclose(path.points.reached.get_ydata(), np.where(elsewhere, state.reached[:-1], np.nan))
    assert path.points.marked[2].get_xdata().size == 0  # no twin here


def test_the_line_lies_where_the_other_features_are_zero_and_a_twin_has_its_path(explorer):
    explorer.set(dataset="with a twin", penalty="l2")
    theta = explorer.state.theta
    for x1, x2 in np.array(explorer.boundary.line.get_data()).T:
        point = np.zeros(23)
        point[[0, 1, 2, -1]] = x1, x2, x1, 1
        assert point @ theta == pytest.approx(0, abs=1e-9)
    np.testing.assert_allclose(explorer.path.marked[2].get_ydata(), explorer.state.thetas[:, 2])


D = ck.datasets.blobs(60, -1.0, seed=1, irrelevant=2)
STRENGTHS = np.array([0.0, 0.01, 0.1, 0.3, 1.0])
EXACT = {"tol": 1e-12, "max_iter": 100_000}


@pytest.mark.parametrize("free", [True, False])
@pytest.mark.parametrize(("penalty", "model"), [
    ("l1", lambda lam: Lasso(alpha=lam / 2, **EXACT)), ("l2", lambda lam: Ridge(alpha=60 * lam / 2)),
    ("elastic net", lambda lam: ElasticNet(alpha=(lam + 0.2) / 2, l1_ratio=lam / (lam + 0.2), **EXACT)),
])  # fmt: skip
def test_paths_are_those_of_scikit_learn(penalty, model, free):
    path = PenalizedPath(D, penalty, free, STRENGTHS)
    for lam, theta in zip(STRENGTHS[1:], path.thetas[1:], strict=True):
        theirs = model(lam).set_params(fit_intercept=free).fit(D.X if free else np.c_[D.X, np.ones(60)], D.y)
        assert_allclose(theta, [*theirs.coef_, theirs.intercept_][:5], atol=1e-7)
        assert_allclose(path.at(lam), theta, atol=1e-12)
        near = theta + 1e-3 * np.random.default_rng(0).normal(size=(100, 5))
        assert path.objective(lam).value(theta) <= path.objective(lam).value(near).min()


def test_the_sqrt_penalty_is_followed_from_one_local_minimum_to_the_next():
    rng = np.random.default_rng(3)
    x = rng.standard_normal((30, 1))
    X = np.hstack([x + 0.4 * rng.standard_normal((30, 1)), x + 0.4 * rng.standard_normal((30, 1))])
    data = ck.datasets.Dataset(X, np.where(x[:, 0] + rng.standard_normal(30) > 0, 1.0, -1.0), ("p", "q"), ("-", "+"))
    A, lams = np.c_[X, np.ones(30)], np.linspace(0, 0.6, 13)
    step = ck.steps.constant(30 / (2 * np.linalg.norm(A, 2) ** 2))

    def followed(lam, theta):
        o = ck.Objective(X, data.y, ck.losses.squared, ck.penalties.lq(0.5), lam)
        return ck.proximal_descent(o, step, 400, theta, 1e-7).theta

    path = PenalizedPath(data, "sqrt", True, lams)
    assert_allclose(path.lams, [0, *lams[1::2]])
    theta = np.linalg.lstsq(A, data.y, rcond=None)[0]
    for lam, ours in zip(path.lams, path.thetas, strict=True):
        theta = followed(lam, theta) if lam else theta
        assert_allclose([ours, path.at(lam)], [theta, theta], atol=5e-3)
        assert_allclose(path.at(lam + 0.01), followed(lam + 0.01, theta), atol=5e-3)
    assert (path.thetas[-1, :2] == 0).all()
    coarse = PenalizedPath(data, "sqrt", True, [0.0, 0.3, 0.4, 0.6])  # ends at 0, where a start would stay
    assert_allclose(coarse.at(0.26), followed(0.26, path.thetas[0]), atol=5e-3)
    assert np.abs(coarse.at(0.26) - followed(0.26, coarse.thetas[-1])).max() > 0.1


@pytest.mark.parametrize("lam", [0.02, 9.0])
def test_every_method_finds_what_it_says(lam):
    X, y, eta = D.X, D.y, 0.4
    risk = ck.Objective(X, y, loss=ck.losses.logistic, lam=lam)
    descended = ck.gradient_descent(risk, ck.steps.constant(eta), 40).theta
    left = f"40 steps of η = 0.4 leave a gradient {np.linalg.norm(risk.slope(descended)):.2g} long."
    wanted = {
        "SVM": (ck.svm(X, y, lam).theta, ""),
        "logistic regression": (descended, left if lam < 9 else "η = 0.4 is too large: the objective rose to"),
        "perceptron": (ck.perceptron(X, y, 15, eta=eta, lam=min(lam, 1 / eta)).theta,
                       f"Only ηλ = {min(eta * lam, 1):.2g} matters; "),
        "least squares": (ck.least_squares(X, y, lam), ""),
    }
    assert tuple(wanted) == METHODS
    for method, (theta, said) in wanted.items():
        thetas, notes = fits(D, method, eta, (1.0, lam))
        assert_allclose(thetas[1], theta, rtol=1e-9, atol=1e-9)
        assert (notes[1].startswith(said), bool(notes[1])) == (True, bool(said))
    assert fits(D, "logistic regression", 1e9, (1e9,))[1][0].startswith("Diverged at step ")
