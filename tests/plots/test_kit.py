"""The figure kit: geometry worked out by hand, and names that lie on no other names, in every style."""

import numpy as np
import pytest
from matplotlib.text import Text
from numpy.testing import assert_allclose

from coursekit.plots import STYLES
from coursekit.plots.style import figure, use
from coursekit_figures import kit
from tests.words import troubles


@pytest.fixture
def ax():
    return figure(4, 4).add_axes((0.1, 0.1, 0.8, 0.8), xlim=(-2, 2), ylim=(-2, 2))


@pytest.mark.parametrize("style", STYLES)
def test_names_touch_no_other_names_and_stay_in_the_axes(style):
    """In a crowded picture with ten names, seven of them of nearly the same place."""
    with use(STYLES[style]):
        ax = figure(6, 5).add_axes((0.05, 0.05, 0.9, 0.9), xlim=(-2, 2), ylim=(-2, 2), xticks=[], yticks=[])
        kit.shadow(ax, (0.5, 1.4), (1.6, 0.5), "shadow")
        kit.angle(ax, (1.6, 0.5), (0.5, 1.4), "angle")
        for k in range(7):
            kit.vector(ax, (1.0 + 0.05 * k, 0.3 * k % 0.4), f"vector {k}")
        kit.brace(ax, (1.5, -1.0), (-1.5, -1.0), "length")
        ax.figure.canvas.draw()
    assert len(ax.texts) == 10
    assert troubles(ax.figure) == []


def test_a_label_makes_room_for_what_is_drawn_after_it_and_follows_its_thing(ax):
    name = kit.label(ax, "name", (0, 0), towards=(1, 0))
    ax.figure.canvas.draw()
    first = Text.get_window_extent(name)
    ax.plot([0.1, 1.5], [0, 0], lw=3)
    ax.figure.canvas.draw()
    moved = Text.get_window_extent(name)
    (_, y), there = ax.transData.transform([(0, 0), (-1, 1)])
    assert first.y0 < y < first.y1
    assert not moved.y0 < y < moved.y1
    name.xy = (-1, 1)
    ax.figure.canvas.draw()
    assert np.hypot(*(np.mean(Text.get_window_extent(name).get_points(), axis=0) - there)) < 60


def test_a_shadow_ends_at_the_foot_of_the_perpendicular(ax):
    kit.shadow(ax, (1.0, 1.5), (2.0, 0.0))
    ray, cast, _ = ax.lines
    assert_allclose(np.transpose(cast.get_data()), [[0, 0], [1, 0]])
    assert_allclose(np.transpose(ray.get_data()), [[1, 1.5], [1, 0]])


@pytest.mark.parametrize(("q", "point"), [(1, (0.5, 0.5)), (2, (0.6, 0.8)), (0.5, (0.25, 0.25))])
def test_a_ball_has_its_norm_all_around(ax, q, point):
    edge = kit.ball(ax, q).get_xy()
    assert_allclose((np.abs(edge) ** q).sum(axis=1), 1, atol=1e-9)
    assert np.hypot(*(edge - point).T).min() < 0.02


def test_a_band_holds_the_middle_of_the_runs(ax):
    runs = np.arange(11)[:, None] * [1.0, 2.0]
    kit.band(ax, [0.0, 1.0], runs, "blue")
    assert_allclose(ax.lines[0].get_ydata(), [5, 10])
    heights = ax.collections[0].get_paths()[0].vertices[:, 1]
    assert_allclose([heights.min(), heights.max()], [1, 18])
