"""Static figures on a narrow page: panels below one another, and afterwards the figure is as it was."""

import io

import matplotlib.pyplot as plt
import numpy as np
import pytest
from PIL import Image

import coursekit as ck
from coursekit.plots import NARROW, narrow_png, narrowed


def rows(fig):
    fig.canvas.draw()
    return len({round(ax.get_position().y1, 2) for ax in fig.axes})


@pytest.mark.parametrize(("grid", "size", "below_one_another"), [
    ((1, 1), (9, 4), 1), ((1, 3), (9, 3), 3), ((2, 2), (9, 6), 4), ((2, 5), (7, 3), 5),
])
def test_panels_that_are_too_wide_to_share_a_row_get_one_each(grid, size, below_one_another):
    fig = ck.plots.figure(*size)
    fig.subplots(*grid, sharey=True)
    before = [ax.get_position().extents for ax in fig.axes]
    with narrowed(fig):
        assert fig.get_size_inches()[0] == NARROW
        assert rows(fig) == below_one_another
    assert rows(fig) == grid[0]
    np.testing.assert_allclose(fig.get_size_inches(), size)
    np.testing.assert_allclose([ax.get_position().extents for ax in fig.axes], before)


def test_maps_of_a_fixed_aspect_lie_close_together():
    """A map that is three times as wide as high uses a third of the page's width, and room for its names."""
    fig = ck.plots.figure(9, 9)
    axes = fig.subplots(3, 1)
    for ax in axes:
        ax.set(xlim=(0, 3), ylim=(0, 1), aspect="equal", title="a map")
    with narrowed(fig):
        fig.canvas.draw()
        tops, bottoms = [ax.get_position().y1 for ax in axes], [ax.get_position().y0 for ax in axes]
        gaps = np.subtract(bottoms[:-1], tops[1:]) * fig.get_size_inches()[1]
        assert (gaps > 0).all()
        assert (gaps < 1).all()
    np.testing.assert_allclose(fig.get_size_inches(), (9, 9))


def test_axes_put_by_hand_stay_in_their_place_and_twins_together():
    fig = plt.figure(figsize=(8, 3))
    by_hand = fig.add_axes((0.1, 0.2, 0.8, 0.7))
    with narrowed(fig):
        np.testing.assert_allclose(by_hand.get_position().bounds, (0.1, 0.2, 0.8, 0.7))
    fig, axes = plt.subplots(1, 2, figsize=(8, 3))
    twin = axes[0].twinx()
    with narrowed(fig):
        fig.canvas.draw()
        np.testing.assert_allclose(twin.get_position().extents, axes[0].get_position().extents)
    plt.close("all")


@pytest.mark.parametrize("loc", ["left", "center", "right"])
def test_a_long_title_is_broken_and_nothing_makes_the_picture_wider(loc):
    fig = ck.plots.figure(9, 3)
    fig.subplots(1, 2)[0].set_title("A title that is a good deal longer than a narrow page is wide", loc=loc)
    image = Image.open(io.BytesIO(narrow_png(fig)))
    assert image.width <= 1.5 * 100 * NARROW * 1.05
