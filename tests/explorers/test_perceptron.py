"""Chapter 2's explorer, against the table worked by hand."""

import numpy as np
import pytest

from tests.algorithms.test_perceptron import BY_HAND as TABLE


def test_unknown_attribute_is_an_attribute_error(explorer):
    with pytest.raises(AttributeError, match="gamma"):
        _ = explorer.gamma
    with pytest.raises(AttributeError, match="gamma"):
        _ = explorer.state.gamma
    with pytest.raises(AttributeError, match=r"one of separability, .*; got 'lamda'"):
        explorer.lamda = 0.1


def test_a_sharper_screen_gets_a_larger_frame(explorer):
    plain = explorer.picture.image()
    explorer.picture.ratio = 2.0
    sharp = explorer.picture.image()
    assert (plain.size, sharp.size) == ((900, 460), (1800, 920))
    assert np.abs(np.subtract(sharp.resize(plain.size), plain, dtype=int)).mean() < 8
    explorer.picture.ratio = 1.0


BY_HAND = [after for *_, after in TABLE]  # theta = (theta_1, theta_2, offset) after each visit of the three points


def test_stepping_walks_through_the_hand_worked_trace(explorer):
    explorer.set("dataset='three points' visit=0")
    way = []
    for _ in range(18):
        explorer.step()
        way.append(tuple(explorer.state.theta))
        hollow = [at for kind in explorer.boundary.wrong for at in kind.get_xydata().tolist()]
        scores = np.column_stack([explorer.state.data.X, np.ones(3)]) @ way[-1]
        crossed = explorer.state.data.X[explorer.state.data.y * scores <= 0].tolist()
        assert sorted(hollow) == (sorted(crossed) if any(way[-1]) else [])
    assert way == BY_HAND
    explorer.step()
    assert explorer.visit == 18
    explorer.rewind()
    ends = []
    for _ in range(7):
        explorer.finish_epoch()
        ends.append(explorer.visit)
    assert ends == [3, 6, 9, 12, 15, 18, 18]
    explorer.visit = 4
    explorer.finish_epoch()
    assert explorer.visit == 6


def test_all_views_move_together(explorer):
    explorer.set("dataset='three points' visit=8 also=lengths")
    x, y = explorer.boundary.line.get_data()
    np.testing.assert_allclose(1 * np.array(x) + 2 * np.array(y) + 0, 0, atol=1e-9)
    x, y = explorer.boundary.older.get_data()
    np.testing.assert_allclose(np.array(x) + np.array(y) - 1, 0, atol=1e-9)
    assert explorer.boundary.ring.get_data()[1].tolist() == [1.0]
    k, lengths = explorer.bounds.lengths.get_data()
    assert len(k) == 7
    wide, high = explorer.bounds.ruler.scale["x"], explorer.bounds.ruler.scale["y"]
    np.testing.assert_allclose(lengths[-1] * high, np.sqrt(5 / 2))
    steps, upper = explorer.bounds.upper.get_data()
    np.testing.assert_allclose(upper * high, np.sqrt(steps * wide))
    steps, lower = explorer.bounds.lower.get_data()
    np.testing.assert_allclose(lower * high, steps * wide / (3 * np.sqrt(2)))


def test_theta_reaches_farther_along_theta_star_with_each_mistake(explorer):
    """By hand, for the three points: theta* = (2, 2, -1)/3, and a mistake moves theta along it by exactly 1/3."""
    explorer.set("dataset='three points' visit=0")
    shadow, reached = explorer.shadow, [(0.0, 0.0)]
    for k, theta in enumerate(dict.fromkeys(BY_HAND), 1):
        explorer.visit = BY_HAND.index(theta) + 1
        rest = np.subtract(theta, k / 9 * np.array([2, 2, -1]))  # at a right angle to theta*
        assert rest @ [2, 2, -1] == pytest.approx(0, abs=1e-9)
        reached.append((k / 3, np.sqrt(rest @ rest)))
        np.testing.assert_allclose(shadow.path.get_xydata(), reached, atol=1e-8)
        np.testing.assert_allclose(shadow.arrow._posA_posB, [(0, 0), reached[-1]], atol=1e-8)
        np.testing.assert_allclose(shadow.push.get_xdata(), [(k - 1) / 3, k / 3], atol=1e-8)
        assert f"projection: {k / 3:.3g} so far" in [word.text for word in shadow.words._words]
    assert k == 9
    explorer.set("dataset=blobs separability=-1")  # overlapping clouds have no theta*
    assert not any(part.get_visible() for part in (shadow.arrow, shadow.star, shadow.cast, shadow.words))
    assert shadow.ax.get_title(loc="left") == "There is no θ*,\nno line that gets all right"


@pytest.mark.parametrize(("separability", "lam", "names"), [
    (2.0, 0.0, ["at least γ k / R", "at most √k", "‖θ‖ / R"]), (0.1, 0.1, ["at least", "at most", "‖θ‖ / R"]),
    (-0.5, 0.0, ["at most √k", "‖θ‖ / R"]), (-2.0, 0.01, ["at most", "‖θ‖ / R"]),
])
def test_the_length_of_theta_stays_between_the_bounds(explorer, separability, lam, names):
    explorer.set(separability=separability, lam=lam, eta=0.5, visit=10**6, also="lengths")
    state = explorer.state
    lower, upper = state.bound.corridor(state.trace.mistakes, state.eta * lam)
    lengths = np.linalg.norm(state.trace.thetas, axis=1) / (state.eta * state.bound.R)
    assert (lower[1:] <= lengths + 1e-9).all()
    assert (lengths <= upper[1:] + 1e-9).all()
    bounds, k = explorer.bounds, state.mistakes
    np.testing.assert_allclose(bounds.lengths.get_ydata()[1:] * bounds.ruler.scale["y"], lengths[:k])
    assert sorted(tag.text for tag in explorer.bounds.names.tags) == names
    assert explorer.bounds.lower.get_visible() == (separability > 0)  # only where there is one
