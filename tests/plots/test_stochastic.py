"""Pictures of chapter 5, against counts and spreads worked out without them."""

import numpy as np
import pytest
from matplotlib.figure import Figure

from coursekit.plots import stochastic


@pytest.fixture
def ax():
    return Figure((6, 4)).add_subplot()


def test_arrows_that_lead_uphill_are_counted(ax):
    stochastic.pulls(ax, [(2, 0), (-1, 0.5), (0, 1), (-3, 1), (1, -2)], mean=(1, 1))
    uphill = [(-1, 0.5), (-3, 1), (1, -2)]  # an obtuse angle with (1, 1)
    assert f"uphill:\n{len(uphill)} of 5" in [text.get_text() for text in ax.texts]


def test_a_ring_is_as_far_out_as_its_dots_in_every_direction(ax):
    points = np.random.default_rng(0).normal(size=(500, 2)) @ [[2.0, 0.5], [0.0, 0.7]] + [3, -1]
    stochastic.noise(ax, {1: points, 4: points / 2}, mean=(3, -1))
    dots, ring = (line.get_xydata() for line in ax.lines[:2])
    np.testing.assert_array_equal(dots, points)
    for turn in np.linspace(0, np.pi, 7):
        side = np.array([np.cos(turn), np.sin(turn)])
        spread = np.std(points @ side, ddof=1)
        assert ((ring - points.mean(axis=0)) @ side).max() == pytest.approx(np.sqrt(2) * spread, rel=1e-3)
    far, out = (np.sum((at - points.mean(axis=0)) ** 2, axis=1) for at in (points, ring[:-1]))
    assert out.mean() == pytest.approx(far.sum() / 499)


def test_steps_are_measured_from_the_lowest_place(ax):
    stochastic.nearer(ax, (3, 4), [(-2, -1), (2, 0)])
    written = {text.get_text() for text in ax.texts}
    whole, half = {"10", "41"}, {"half a step:\n16.25", "32"}  # 1 + 9, 25 + 16; 2^2 + 3.5^2, 4^2 + 4^2
    assert {"‖θ − θ*‖² = 25"} | whole | half <= written
