"""Static figures on a narrow page: panels below one another, and afterward the figure is as it was."""

import io
import itertools

import numpy as np
import pytest
from PIL import Image

import coursekit as ck
from coursekit.plots import NARROW, narrow_png, narrowed


@pytest.mark.parametrize(("grid", "size", "rows"), [
    ((1, 1), (9, 4), 1), ((1, 3), (9, 3), 3), ((2, 2), (9, 6), 4), ((2, 5), (7, 3), 5),
])
def test_panels_that_are_too_wide_to_share_a_row_get_one_each(grid, size, rows):
    fig = ck.plots.figure(*size)
    fig.subplots(*grid, sharey=True)
    fig.axes[0].set_title("large", size=20)

    def laid():
        where = [fig.get_size_inches(), *(ax.get_position().extents for ax in fig.axes)]
        return [fig.axes[0].title.get_size(), *np.concatenate(where)], [ax.get_subplotspec() for ax in fig.axes]

    before, specs = laid()
    with narrowed(fig):
        fig.canvas.draw()
        assert fig.get_size_inches()[0] == NARROW
        assert len({round(ax.get_position().y1, 2) for ax in fig.axes}) == rows
        assert fig.axes[0].title.get_size() == 10
    after, others = laid()
    np.testing.assert_allclose(after, before)
    assert others == specs


def test_maps_of_a_fixed_aspect_lie_close_together():
    """A map that is three times as wide as high uses a third of the page's width, and room for its names."""
    fig = ck.plots.figure(9, 9)
    for ax in fig.subplots(3, 1):
        ax.set(xlim=(0, 3), ylim=(0, 1), aspect="equal", title="a map")
    with narrowed(fig):
        fig.canvas.draw()
        places = [ax.get_position() for ax in fig.axes]
        gaps = [above.y0 - below.y1 for above, below in itertools.pairwise(places)]
        assert 0 < min(gaps) <= max(gaps) < 1 / fig.get_size_inches()[1]


def test_axes_put_by_hand_stay_in_their_place_and_twins_together():
    by_hand = ck.plots.figure(8, 3).add_axes((0.1, 0.2, 0.8, 0.7))
    first, _ = ck.plots.figure(8, 3).subplots(1, 2)
    twin = first.twinx()
    with narrowed(by_hand.figure), narrowed(first.figure):
        first.figure.canvas.draw()
        np.testing.assert_allclose(by_hand.get_position().bounds, (0.1, 0.2, 0.8, 0.7))
        np.testing.assert_allclose(twin.get_position().extents, first.get_position().extents)


@pytest.mark.parametrize("loc", ["left", "center", "right"])
def test_a_long_title_is_broken_and_nothing_makes_the_picture_wider(loc):
    fig = ck.plots.figure(9, 3)
    fig.subplots(1, 2)[0].set_title("A title that is a good deal longer than a narrow page is wide", loc=loc)
    image = Image.open(io.BytesIO(narrow_png(fig)))
    assert image.width <= 1.5 * 100 * NARROW * 1.05
