"""Chapter 3's explorer against scikit-learn, a linear program and values by hand."""

import tomllib
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import linprog
from sklearn.linear_model import LinearRegression, LogisticRegression

import coursekit as ck
from coursekit.explorers.picture import Stroke
from coursekit.models.loss_space import verdict
from tests.hand import LOSSES
from tests.pictures import drag

VERDICTS = tomllib.loads(Path(__file__).with_name("sentences.toml").read_text("utf-8"))["verdict"]
LOUD, SHOUT = "x1=7.843 x2=0.69897", "x1=32.478 x2=0.47712125 label=-1"


def hinge(X, y):
    """The line with the smallest sum of hinge losses, as a linear program."""
    n, Z = len(y), y[:, None] * np.column_stack([X, np.ones(len(y))])
    bounds = [(None, None)] * 3 + [(0, None)] * n
    return linprog([0, 0, 0, *[1] * n], np.hstack([-Z, -np.eye(n)]), -np.ones(n), bounds=bounds).x[:3]


@pytest.mark.parametrize("line", ["x1=1.9", LOUD, SHOUT, "x1=5 x2=2 label=-1"])
def test_the_lines_are_those_of_the_references(explorer, line):
    explorer.set(line)
    X, y = explorer.state.data.X, explorer.state.data.y
    mails = [ck.datasets.mails(), ck.datasets.mails(12, seed=0)]
    np.testing.assert_array_equal(X, np.vstack([*(one.X for one in mails), [explorer.x1, explorer.x2]]))
    for thetas, n in ((explorer.state.thetas, 37), (explorer.state.before, 36)):
        squares = LinearRegression().fit(X[:n], y[:n])
        np.testing.assert_allclose(thetas["squared"], [*squares.coef_, squares.intercept_], rtol=1e-8)
        np.testing.assert_allclose(thetas["hinge"], hinge(X[:n], y[:n]), atol=1e-3)
        model = LogisticRegression(C=1e12, tol=1e-12, max_iter=10000, solver="newton-cholesky").fit(X[:n], y[:n])
        np.testing.assert_allclose(thetas["logistic"], [*model.coef_[0], *model.intercept_], rtol=1e-3, atol=1e-4)


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("line", ["x1=0.4 x2=0.3", "x1=1 x2=1 label=-1", LOUD])
def test_prices_and_pulls_are_those_by_hand_and_stand_on_the_curves(explorer, loss, line):
    explorer.set(line, loss=loss.replace("_", "-"))
    now, prices, at = explorer.state, explorer.prices, [*explorer.state.x, 1]
    assert set(now.prices) == {loss, "squared", "hinge", "logistic"}
    for name, z in now.arrives.items():
        assert z == pytest.approx(now.y * (now.before[name] @ at))
        assert now.prices[name] == pytest.approx(LOSSES[name](z))
        slope = (LOSSES[name](z + 1e-6) - LOSSES[name](z - 1e-6)) / 2e-6
        assert now.pulls[name] == pytest.approx(-slope * np.linalg.norm(at), abs=1e-4)
        assert now.rests[name] == pytest.approx(now.y * (now.thetas[name] @ at))
        *w, b = now.thetas[name]
        assert now.errors[name] == np.sum(now.data.y[:36] * (now.data.X[:36] @ w + b) <= 0)
        for marks, z in ((prices.before[name], now.arrives[name]), (prices.after[name], now.rests[name])):
            seen = -4 <= z <= 7.4 and LOSSES[name](z) <= 10.2
            np.testing.assert_allclose(marks.get_xydata(), [[z, LOSSES[name](z)]] if seen else np.empty((0, 2)))
    assert {name for name, line in prices.curves.items() if line.get_visible()} == set(now.prices)
    assert prices.ax.get_xlim() == (-4, 7.4)  # whatever comes
    words = [word.text for word in explorer.pulls.names._words]
    assert ("nothing" in words) == (min(map(abs, now.pulls.values())) < 0.05)


def test_two_windows_show_one_plane(explorer):
    """A line and an email lie where they should in either window, and a drag there means what is seen."""
    ax, plane = explorer.axes["boundary"], explorer.boundary
    for explorer.x1 in (1.2, 2.4, 7.8, 32.5):
        theta = explorer.state.theta
        for part, moved in ((plane, 0), (plane.beyond, plane.shift)):
            np.testing.assert_allclose((part.line.get_xydata() - (moved, 0)) @ theta[:2] + theta[2], 0, atol=1e-6)
        (at,) = explorer.grips()[0][1]
        assert ax.get_xlim()[0] < at[0] < ax.get_xlim()[1]
        assert not plane.edge < at[0] < plane.start
        np.testing.assert_allclose(plane.meant(at), explorer.state.x)
    for end, x in (((at[0] + 0.1, at[1] + 0.3), (32.6, 1.0)), ((-9.0, 99.0), (0.0, 3.0))):
        drag(explorer, ax, explorer.grips()[0][1][0], end)
        assert (explorer.x1, explorer.x2) == x
    assert explorer.grab(Stroke(explorer.axes["prices"], (0.0, 0.0), (1.0, 1.0), done=True)) is None


@pytest.mark.parametrize(("loss", "says"), VERDICTS.items())
def test_every_region_has_its_word(loss, says):
    for agreement, word in says.items():
        assert verdict(loss, float(agreement)).startswith(word)
