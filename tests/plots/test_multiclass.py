"""Pictures of chapter 9: what they say of a place is what the scores, signs and votes there are."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.colors import to_hex
from scipy.special import softmax

import coursekit as ck

draw = ck.plots.multiclass
TRIANGLE = np.array([[0.1, 1, -1], [-1.6, -1, -1.4], [1.4, -0.5, -0.7]])
PAIRS = [(0, 1), (0, 2), (1, 2)]


@pytest.fixture
def ax():
    fig, axes = plt.subplots(figsize=(6, 6))
    yield axes
    plt.close(fig)


def written(ax):
    return {text.get_text(): np.array(text.get_position()) for text in ax.texts}


def test_side_is_thick_where_a_score_is_the_highest(ax):
    thetas = np.array([[-2.0, 0], [2, 0], [0, 1]])
    draw.side(ax, thetas, ("a", "b", "c"), (-3, 3), [-2, 2, 0.1], [0, 1, 2], at=(-2, 2, 1))
    view = [line for line in ax.lines if len(line.get_xdata()) == 1001]
    for c, won in enumerate(view[5:8]):
        x, height = won.get_data()
        shown = np.isfinite(height)
        best = np.max(np.outer(x, thetas[:, 0]) + thetas[:, 1], axis=1)
        np.testing.assert_allclose(height[shown], best[shown])
        here = ((-3, -0.5), (0.5, 3), (-0.5, 0.5))[c]
        np.testing.assert_allclose(x[shown][[0, -1]], here, atol=0.007)
    ax.figure.canvas.draw()
    assert set(written(ax)) == {"a", "b", "c"}


def test_the_band_of_a_way_has_no_gaps_and_follows_the_answers(ax):
    view = draw.Side(ax).show([0, 1, 2, 3], np.zeros((4, 2)), [1, 1, 0, 0], here=2)
    seen = [np.flatnonzero(np.isfinite(line.get_ydata())).tolist() for line in view.band[:2]]
    assert seen == [[1, 2, 3], [0, 1]]
    assert view.here.get_xdata() == [2, 2]
    assert all(np.isnan(line.get_ydata()).all() for line in view.lines[2:])


def test_pieces_asks_for_each_piece_and_writes_into_it(ax):
    asked = {}

    def said(signs):
        asked[str(len(asked))] = signs
        return str(len(asked) - 1), None

    draw.pieces(ax, TRIANGLE, 4, said)
    assert len(set(asked.values())) == 7
    assert (False, False, False) in asked.values()
    for word, place in written(ax).items():
        assert tuple((TRIANGLE @ np.append(place, 1) > 0).tolist()) == asked[word]


def test_voters_and_duels_name_the_side_that_votes(ax):
    draw.voters(ax, TRIANGLE, PAIRS, 4)
    for k, (text, other) in enumerate(zip(ax.texts[::2], ax.texts[1::2], strict=True)):
        for one, sign, c in ((text, -1, PAIRS[k][0]), (other, 1, PAIRS[k][1])):
            assert one.get_text() == f"vote\nfor {c}"
            assert sign * (TRIANGLE[k] @ np.append(one.get_position(), 1)) > 0
    data, theta = ck.datasets.multiclass_blobs(30, 3, 2.0), np.array([1.0, 0.2, -0.3])
    fig, other = plt.subplots()
    draw.duel(other, data, theta, (1, 2), 6)
    plt.close(fig)
    for c, sign in ((1, -1), (2, 1)):
        assert sign * (theta @ np.append(written(other)[f"vote\nfor {c}"], 1)) > 0
    colors = [style["color"] for style in ck.plots.STYLES["light"].classes]
    drawn = {to_hex(line.get_color()).upper(): len(line.get_xdata()) for line in other.lines}
    assert drawn[colors[1]] == drawn[colors[2]] == 10
    assert colors[0] not in drawn


def test_stacked_has_a_block_for_each_class_in_both_rows(ax):
    draw.stacked(ax, ("a", "b", "c"), true=2, rival=0)
    blocks = {(round(x), round(y > 1)): word for word, (x, y) in
              ((t.get_text(), t.get_position()) for t in ax.texts if t.get_ha() == "center")}  # fmt: skip
    assert [blocks[c, 1] for c in (0, 2)] == ["− (x, 1)", "+ (x, 1)"]
    assert "Θ · ξ = score of c\n − score of a" in written(ax)
    assert len(ax.patches) == 6


def test_shares_are_those_of_scipy(ax):
    thetas = np.array([[-2.0, 0.5], [2, 0], [0, 1]])
    draw.shares(ax, thetas, ("a", "b", "c"), (-3, 3))
    x = np.linspace(-3, 3, 401)
    tops = np.cumsum(softmax(np.outer(x, thetas[:, 0]) + thetas[:, 1], axis=1), axis=1)
    for c, area in enumerate(ax.collections):
        corners = area.get_paths()[0].vertices
        for k in (0, 57, 200, 400):
            here = corners[np.isclose(corners[:, 0], x[k]), 1]
            assert np.isclose(here, tops[k, c]).any()


def test_rows_of_another_length_are_refused(ax):
    with pytest.raises(ValueError, match="thetas must have shape"):
        draw.side(ax, [[1, 2, 3]], ("a",), (-1, 1))
    with pytest.raises(ValueError, match="theta must have shape"):
        draw.duel(ax, ck.datasets.multiclass_blobs(30, 3), [1, 2], (0, 1), 4)
