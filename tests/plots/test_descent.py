"""Pictures of chapter 4: what is drawn lies where the numbers say."""

import matplotlib.pyplot as plt
import numpy as np
import pytest

import coursekit as ck

draw = ck.plots.descent


@pytest.fixture
def ax():
    fig, axes = plt.subplots()
    yield axes
    plt.close(fig)


def test_places_fill_the_map_with_one_scale_for_both():
    at = draw.places((-3.5, 2.0, -0.7, 1.0), size=111)
    np.testing.assert_allclose(at[0, 0], [-3.5, -0.7])
    np.testing.assert_allclose(at[-1, -1], [2.0, 1.0])
    across, up = at[0, 1] - at[0, 0], at[1, 0] - at[0, 0]
    assert across[1] == up[0] == 0
    assert up[1] == pytest.approx(across[0], rel=0.05)


def test_rings_of_a_round_bowl_are_as_far_apart_as_one_another(ax):
    extent = (0.0, 2.0, 0.0, 2.0)
    draw.hill(ax, np.sum(draw.places(extent) ** 2, axis=-1), extent, rings=8)
    lines = ax.collections[-1]
    np.testing.assert_allclose(np.diff(np.sqrt(lines.levels)), np.sqrt(8) / 8)
    assert ax.get_xlim() == ax.get_ylim() == (0.0, 2.0)


def test_the_arrow_goes_down_and_has_its_length(ax):
    ax.set(xlim=(-4, 2), ylim=(-1, 1))
    draw.downhill(ax, (-2, 0.55), (-3, 19.95), 0.5, lowest=(1, 1 / 7))
    tips = [np.array(arrow._posA_posB) for arrow in ax.patches]
    down = next(b - a for a, b in tips if not np.allclose(b, (1, 1 / 7)))
    np.testing.assert_allclose(down, 0.5 * np.array([3, -19.95]) / np.hypot(3, 19.95))


def test_factors_meet_where_eta_is_best(ax):
    draw.factors(ax, (1, 49), 1 / 25, 2 / 49)
    along, across = (line for line in ax.lines if len(line.get_xdata()) == 500)
    eta = np.asarray(along.get_xdata())
    worst = np.maximum(along.get_ydata(), across.get_ydata())
    assert eta[worst.argmin()] == pytest.approx(1 / 25, abs=1e-4)
    assert worst.min() == pytest.approx(0.96, abs=0.01)
    np.testing.assert_allclose(across.get_ydata(), abs(1 - 49 * eta))
    assert "across it: |1 − 49η|" in {text.get_text() for text in ax.texts}


def test_lines_touch_a_curve_from_below(ax):
    z = np.linspace(-1, 3, 401)
    draw.supports(ax, z, np.maximum(0, 1 - z), 1, [-1, -0.5, 0])
    *lines, curve, point = ax.lines
    assert len(lines) == 3
    for line in lines:
        assert (line.get_ydata() <= curve.get_ydata() + 1e-12).all()
    np.testing.assert_allclose(point.get_xydata(), [[1, 0]], atol=1e-12)


def test_the_way_still_to_go_begins_after_the_first_step(ax):
    draw.still_to_go(ax, {"slow": 0.9 ** np.arange(100), "fast": [1.0, 0.004, 1e-5]})
    slow, fast = ax.lines
    np.testing.assert_allclose(slow.get_ydata(), 0.9 ** np.arange(1, 100))
    np.testing.assert_allclose(fast.get_xydata(), [[1, 0.004], [2, 1e-5]])


def test_the_place_to_stop_is_where_the_median_of_the_others_is_lowest(ax):
    steps, runs = np.array([1, 3, 10, 30]), np.array([[4.0, 2, 1, 3], [5, 3, 2, 6], [6, 4, 3, 9]])
    draw.validation(ax, steps, runs[:, ::-1] / 10, runs / 10)
    dots = [line.get_xydata() for line in ax.lines if len(line.get_xdata()) == 1]
    np.testing.assert_allclose(dots, [[[10, 0.2]]])
