"""Pictures of chapter 6: what is drawn lies where scipy, the definitions and counts by hand say."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from scipy.optimize import minimize

import coursekit as ck

draw = ck.plots.regularization


@pytest.fixture
def ax():
    fig, axes = plt.subplots()
    yield axes
    plt.close(fig)


def words(ax):
    return {text.get_text() for text in ax.texts}


@pytest.mark.parametrize("minimum", [(0.7, 1.8), (-1.5, 0.4), (1.2, 1.3)])
@pytest.mark.parametrize("q", [1, 2])
def test_the_ellipse_meets_the_ball_at_the_least_risk_inside(ax, q, minimum):
    H, centre = np.array([[0.8, 0.3], [0.3, 1.0]]), np.array(minimum)
    found = draw.meeting(ax, q, minimum, H)
    inside = {"type": "ineq", "fun": lambda parts: 1 - np.sum(parts)} if q == 1 else {
        "type": "ineq", "fun": lambda parts: 1 - np.sum((parts[:2] - parts[2:]) ** 2)}  # fmt: skip
    best = minimize(  # w as the difference of two parts that are not negative
        lambda parts: (parts[:2] - parts[2:] - centre) @ H @ (parts[:2] - parts[2:] - centre),
        np.full(4, 0.1), bounds=[(0, None)] * 4, constraints=[inside], method="SLSQP", options={"ftol": 1e-14},
    )  # fmt: skip
    np.testing.assert_allclose(found, best.x[:2] - best.x[2:], atol=1e-3)
    assert ("w₁ = 0" in words(ax)) == (abs(found[0]) < 1e-3)
    risks = [np.einsum("ij,jk,ik->i", line - centre, H, line - centre) for line in (
        one.get_xydata() for one in ax.lines if len(one.get_xydata()) > 100)]  # fmt: skip
    for risk in risks:
        np.testing.assert_allclose(risk, risk[0])
    np.testing.assert_allclose(max(risk[0] for risk in risks), (found - centre) @ H @ (found - centre))


@pytest.mark.parametrize("t", [0.5, 1.0])
def test_thresholds_minimise_what_they_say(ax, t):
    draw.thresholds(ax, t)
    lines = {line.get_color(): line for line in ax.lines}
    grid = np.linspace(-3, 3, 6001)
    look = ck.plots.style.current()
    for color, price in ((look.blue, 0.5 * grid**2), (look.green, np.abs(grid))):
        before, after = lines[color].get_data()
        for v, w in list(zip(before, after, strict=True))[::40]:
            assert abs(grid[(0.5 * (grid - v) ** 2 + t * price).argmin()] - w) < 2e-3


def test_clouds_count_each_class(ax):
    draw.clouds(ax, [-2.0, 0.5, -1.0, 0.0, 99.0, 3.0, -0.1, 1.0], [-1, -1, -1, -1, 1, 1, 1, 1])
    assert {"new honest:\n50 % wrong", "new spam:\n25 % wrong"} <= words(ax)  # 0 counts as wrong


def test_bands_hold_all_runs_and_the_star_is_at_the_lowest_mean(ax):
    x = np.array([1.0, 2.0, 3.0])
    old, new = np.array([[1.0, 2, 3], [3, 2, 7]]), np.array([[9.0, 4, 6], [7, 6, 2]])
    draw.bands(ax, x, old, new, at=(1, 3))
    for runs, line, area in zip((old, new), ax.lines, ax.collections, strict=True):
        np.testing.assert_allclose(line.get_ydata(), runs.mean(axis=0))
        corners = {tuple(corner) for corner in area.get_paths()[0].vertices}
        assert {*zip(x, runs.min(axis=0), strict=True), *zip(x, runs.max(axis=0), strict=True)} <= corners
    draw.lowest(ax, x, new, "best")
    assert ax.lines[-1].get_xydata().tolist() == [[3.0, 4.0]]


def test_rods_cross_zero_where_they_say(ax):
    draw.rods(ax, [3, 4, 5, 6], [-1, -1, 1, 1], (2 / 3, -3), (8 / 37, -11 / 37))
    assert {"offset free:\nf = 0 at 4.5", "offset penalised:\nf = 0 at 1.38"} <= words(ax)


def test_each_fold_judges_once(ax):
    draw.folds(ax, 4)
    texts = [text.get_text() for text in ax.texts]
    assert (texts.count("judges"), len(ax.patches)) == (4, 16)
