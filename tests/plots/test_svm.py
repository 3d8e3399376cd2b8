"""Pictures of chapter 8: lengths, forces and stakes lie where they were worked out by hand."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.patches import FancyArrowPatch

import coursekit as ck

draw = ck.plots.svm
X, Y, THETA = [[8, 4], [5, 5], [4, 2], [3, 3]], [1, 1, 1, -1], [0.3, 0.4, -2.5]  # f = 1.5, 1, -0.5, -0.4
EXTENT = (-2, 10, -1, 8)


@pytest.fixture
def ax():
    fig, axes = plt.subplots(figsize=(9, 7))
    yield axes
    plt.close(fig)


def words(ax):
    return {text.get_text() for text in ax.texts}


def segments(ax, color):
    return [line.get_xydata() for line in ax.lines if line.get_color() == color and len(line.get_xydata()) == 2]


def test_the_street_is_annotated_with_lengths_worked_out_by_hand(ax):
    draw.street(ax, X, Y, THETA, EXTENT, shadow=0, late=[2, 3])
    assert {"f = 1.5:\n3 away", "ξ = 1.5", "ξ = 0.6", "1/‖w‖ = 2", "w"} <= words(ax)
    assert {"f = +1", "f = 0", "f = −1"} <= words(ax)
    look = ck.plots.style.current()
    ties = segments(ax, look.green)
    assert sorted(np.hypot(*(end - start)) for start, end in ties) == pytest.approx([1.2, 3])
    assert [label * (end @ THETA[:2] + THETA[2]) for label, (_, end) in zip((1, -1), ties, strict=True)] == \
        pytest.approx([1, 1])  # each ends on its edge
    dashed = [line.get_xydata() for line in ax.lines if line.get_linestyle() == "--"]
    assert len(dashed) == 1
    foot = dashed[0][1]
    assert foot @ THETA[:2] + THETA[2] == pytest.approx(0)
    way = dashed[0][0] - foot
    assert way[0] * THETA[1] == pytest.approx(way[1] * THETA[0])  # along w


def test_a_plank_is_pressed_by_arrows_as_long_as_the_pulls(ax):
    draw.plank(ax, [[0, 0], [4, 0], [1, 2], [3, 3]], [-1, -1, 1, 1], [3 / 8, 1 / 8, 1 / 2, 0], [0, 1, -1],
               (-2, 6, -2, 4), ("3/8", "1/8", "1/2", "no"))  # fmt: skip
    arrows = [np.array(patch._posA_posB) for patch in ax.patches if isinstance(patch, FancyArrowPatch)]
    assert [tuple(tip) for _, tip in arrows] == [(0, 0), (4, 0), (1, 2)]  # the one without a pull does not press
    lengths = np.array([(tip - tail)[1] for tail, tip in arrows])
    np.testing.assert_allclose(lengths / lengths[1], [3, 1, -4])  # from below, from below, from above
    assert {"3/8", "1/8", "1/2"} <= words(ax)
    assert "no" not in words(ax)


def test_no_weights_are_refused(ax):
    with pytest.raises(ValueError, match=r"theta must have weights other than 0, .* got \(0, 0\)"):
        draw.street(ax, X, Y, [0, 0, 1], EXTENT, shadow=0)


def test_shelves_count_who_is_short_on_the_edge_and_beyond(ax):
    draw.shelves(ax, [-9.0, 0.2, 1.0, 1.0, 1.0, 2.0], [1, 1, 0.3, 0.6, 0, 0], [-1, 1, 1, -1, 1, 1])
    assert words(ax) == {"short of\nthe edge: 2", "on the\nedge: 3", "beyond: 1"}
    at = np.vstack([line.get_xydata() for line in ax.lines if line.get_marker() in ("o", "^")])
    assert at[:, 0].min() == pytest.approx(-2.95)  # what is further out lies at the rim
    assert sorted(at[:, 1]) == [0, 0, 0.3, 0.6, 1, 1]


def test_the_width_has_a_star_where_it_stops_changing(ax):
    draw.widths(ax, [0.001, 0.01, 0.1, 1], [0.5, 0.5, 2, 6], 0.0125)
    assert words(ax) == {"λ = 1/80", "no slack"}
    assert ax.lines[0].get_xydata().tolist() == [[0.001, 0.5], [0.01, 0.5], [0.1, 2], [1, 6]]
    assert ax.lines[1].get_xydata().tolist() == [[0.0125, 0.5]]
    assert [tick.get_text() for tick in ax.get_yticklabels()] == ["0.5", "1", "2", "5", "10"]


def test_the_gap_is_filled_between_bound_and_objective(ax):
    k, high, low = np.arange(1, 101), np.linspace(1, 0.5, 100), np.linspace(0, 0.5, 100)
    draw.closing(ax, k, high, low)
    corners = {tuple(corner) for corner in ax.collections[0].get_paths()[0].vertices.round(9)}
    assert {*zip(k, high.round(9), strict=True), *zip(k, low.round(9), strict=True)} <= corners


def test_a_bent_street_has_its_edges_where_the_score_is_one(ax):
    across, up = np.meshgrid(np.linspace(-3, 3, 301), np.linspace(-2, 2, 201))
    draw.bent(ax, [[0, 0], [2, 1]], [1, -1], 2 - across**2 - up**2, (-3, 3, -2, 2), [1])
    lines = [path.vertices for path in ax.collections[-1].get_paths()]
    radii = [np.hypot(*line.T) for line in lines]
    for radius, score in zip(radii, (-1, 0, 1), strict=True):
        np.testing.assert_allclose(2 - radius**2, score, atol=1e-3)
    assert ax.lines[-1].get_xydata().tolist() == [[2, 1]]
