"""The figure kit: geometry worked out by hand, and names that lie on no other names, in every style."""

import numpy as np
import pytest
from matplotlib.text import Text
from numpy.testing import assert_allclose

from coursekit.plots import STYLES, kit
from coursekit.plots.style import figure, use


@pytest.fixture
def ax():
    ax = figure(4, 4).add_axes((0.1, 0.1, 0.8, 0.8))
    ax.set(xlim=(-2, 2), ylim=(-2, 2))
    return ax


def scene(ax):
    """A crowded picture with ten names, seven of them of nearly the same place."""
    ax.set(xlim=(-2, 2), ylim=(-2, 2))
    kit.shadow(ax, (0.5, 1.4), (1.6, 0.5), "shadow")
    kit.angle(ax, (1.6, 0.5), (0.5, 1.4), "angle")
    for k in range(7):
        kit.vector(ax, (1.0 + 0.05 * k, 0.3 * k % 0.4), f"vector {k}")
    return kit.brace(ax, (1.5, -1.0), (-1.5, -1.0), "length")


@pytest.mark.parametrize("style", STYLES)
def test_names_touch_no_other_names_and_stay_in_the_axes(style):
    with use(STYLES[style]):
        ax = figure(6, 5).add_axes((0.05, 0.05, 0.9, 0.9))
        scene(ax)
        ax.figure.canvas.draw()
    renderer = ax.figure.canvas.get_renderer()
    boxes = [Text.get_window_extent(text, renderer).extents for text in ax.texts]  # without their leaders
    assert len(boxes) == 10
    assert all((box[:2] >= ax.bbox.min).all() and (box[2:] <= ax.bbox.max).all() for box in boxes)
    for k, one in enumerate(boxes):
        for other in boxes[k + 1 :]:
            shared = np.minimum(one[2:], other[2:]) - np.maximum(one[:2], other[:2])
            assert (shared <= 0).any()


def test_a_label_makes_room_for_what_is_drawn_after_it_and_follows_its_thing(ax):
    name = kit.label(ax, "name", (0, 0), towards=(1, 0))
    ax.figure.canvas.draw()
    first = Text.get_window_extent(name)
    ax.plot([0.1, 1.5], [0, 0], lw=3)
    ax.figure.canvas.draw()
    moved = Text.get_window_extent(name)
    y = ax.transData.transform((0, 0))[1]
    assert first.y0 < y < first.y1
    assert not moved.y0 < y < moved.y1
    name.xy = (-1, 1)
    ax.figure.canvas.draw()
    there = ax.transData.transform((-1, 1))
    assert np.hypot(*(np.mean(Text.get_window_extent(name).get_points(), axis=0) - there)) < 60


def test_a_label_that_moves_gives_way_to_one_that_stays(ax):
    stays, moves = (kit.label(ax, "the same place", (0, 0)) for _ in range(2))
    moves.set_animated(True)
    ax.figure.canvas.draw()
    alone = Text.get_window_extent(stays)
    for _ in range(2):
        moves.draw(ax.figure.canvas.get_renderer())
    assert (Text.get_window_extent(stays).get_points() == alone.get_points()).all()
    assert not Text.get_window_extent(moves).overlaps(alone)


def test_a_shadow_ends_at_the_foot_of_the_perpendicular(ax):
    ray, cast, *_ = kit.shadow(ax, (1.0, 1.5), (2.0, 0.0))
    assert_allclose(np.transpose(cast.get_data()), [[0, 0], [1, 0]])
    assert_allclose(np.transpose(ray.get_data()), [[1, 1.5], [1, 0]])


@pytest.mark.parametrize(("q", "point"), [(1, (0.5, 0.5)), (2, (0.6, 0.8)), (0.5, (0.25, 0.25)), (4, (0.5**0.25,) * 2)])
def test_a_ball_has_its_norm_all_around(ax, q, point):
    area, *_ = kit.ball(ax, q)
    assert_allclose((np.abs(area.get_xy()) ** q).sum(axis=1), 1, atol=1e-9)
    nearest = np.hypot(*(area.get_xy() - point).T).min()
    assert nearest < 0.02


def test_a_fan_has_the_mean_of_its_vectors(ax):
    *thin, mean = kit.fan(ax, [(1, 0), (0, 1), (-0.4, 0.2)])
    assert len(thin) == 3
    assert_allclose(mean._posA_posB[1], (0.2, 0.4))


def test_a_band_holds_the_middle_of_the_runs(ax):
    runs = np.arange(11)[:, None] * [1.0, 2.0]
    area, line = kit.band(ax, [0.0, 1.0], runs)
    assert_allclose(line.get_ydata(), [5, 10])
    assert_allclose([area.get_paths()[0].vertices[:, 1].min(), area.get_paths()[0].vertices[:, 1].max()], [1, 18])


def test_a_cloud_has_its_mean_and_its_standard_deviations(ax):
    at = np.array([(-1.0, 0.0), (1.0, 0.0), (0.0, 0.5), (0.0, -0.5)])
    _, ring, mean = kit.cloud(ax, at)
    assert_allclose(np.ravel(mean.get_data()), [0, 0], atol=1e-12)
    assert_allclose(sorted([ring.width, ring.height]), 2 * np.sqrt([0.5 / 3, 2 / 3]))


def test_planes_divide_the_floor_as_the_largest_score_does(ax):
    artists = kit.planes(ax, [(1, 0, 0), (-1, 0, 0)], 1.0, ("right", "left"))
    right, left = artists[0].get_xy(), artists[1].get_xy()
    def area(p):
        return abs(np.sum(p[:-1, 0] * p[1:, 1] - p[1:, 0] * p[:-1, 1])) / 2
    assert_allclose(area(right), area(left))
    assert right[:, 0].mean() > left[:, 0].mean()


def test_a_spring_keeps_its_coils_when_it_is_stretched(ax):
    short, long = (kit.spring(ax, (0, 0), (0, end))[0].get_xdata() for end in (0.5, 1.5))
    assert_allclose(short, long, atol=1e-9)


@pytest.mark.parametrize(("call", "message"), [
    (lambda ax: kit.vector(ax, (1, 2, 3)), r"tip must have shape \(2,\); got shape \(3,\)"),
    (lambda ax: kit.ball(ax, 0), "q must be > 0; got 0"),
    (lambda ax: kit.band(ax, [1, 2], [[1, 2, 3]]), r"runs must have shape \(R, 2\); got shape \(1, 3\)"),
    (lambda ax: kit.fan(ax, np.zeros((0, 2))), "vectors must hold at least one; got none"),
    (lambda ax: kit.planes(ax, [(1, 0, 0)]), "thetas must be of 2 to 5 classes; got 1"),
])
def test_what_cannot_be_drawn_is_named(ax, call, message):
    with pytest.raises(ValueError, match=message):
        call(ax)
