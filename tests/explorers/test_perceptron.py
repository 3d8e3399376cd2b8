"""Chapter 2's explorer, against the table worked by hand."""

import numpy as np
import pytest

from tests.algorithms.test_perceptron import BY_HAND as TABLE


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
    for theta in BY_HAND:
        explorer.step()
        assert tuple(explorer.state.theta) == theta
        hollow = [at for kind in explorer.boundary.wrong for at in kind.get_xydata().tolist()]
        scores = np.column_stack([explorer.state.data.X, np.ones(3)]) @ theta
        crossed = explorer.state.data.X[explorer.state.data.y * scores <= 0].tolist()
        assert sorted(hollow) == (sorted(crossed) if any(theta) else [])
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
    plane, bounds = explorer.boundary, explorer.bounds
    np.testing.assert_allclose(plane.line.get_xydata() @ [1, 2], 0, atol=1e-9)
    np.testing.assert_allclose(plane.older.get_xydata() @ [1, 1], 1, atol=1e-9)
    assert plane.ring.get_ydata().tolist() == [1.0]
    wide, high = bounds.ruler.scale["x"], bounds.ruler.scale["y"]
    assert len(bounds.lengths.get_xdata()) == 7
    np.testing.assert_allclose(bounds.lengths.get_ydata()[-1] * high, np.sqrt(5 / 2))
    for bound, by_hand in ((bounds.upper, np.sqrt), (bounds.lower, lambda k: k / (3 * np.sqrt(2)))):
        np.testing.assert_allclose(bound.get_ydata() * high, by_hand(bound.get_xdata() * wide))


def test_theta_reaches_farther_along_theta_star_with_each_mistake(explorer):
    """By hand, for the three points: theta* = (2, 2, -1)/3, and a mistake moves theta along it by exactly 1/3."""
    explorer.set("dataset='three points' visit=0")
    shadow, reached = explorer.shadow, [(0.0, 0.0)]
    for k, theta in enumerate(dict.fromkeys(BY_HAND), 1):
        explorer.visit = BY_HAND.index(theta) + 1
        rest = np.subtract(theta, k / 9 * np.array([2, 2, -1]))  # at a right angle to theta*
        reached.append((k / 3, np.linalg.norm(rest)))
        np.testing.assert_allclose(shadow.path.get_xydata(), reached, atol=1e-8)
        np.testing.assert_allclose(shadow.arrow._posA_posB, [(0, 0), reached[-1]], atol=1e-8)
        np.testing.assert_allclose(shadow.push.get_xdata(), [(k - 1) / 3, k / 3], atol=1e-8)
        assert f"projection: {k / 3:.3g} so far" in [word.text for word in shadow.words._words]
    assert k == 9
    explorer.set("dataset=blobs separability=-1")  # overlapping clouds have no theta*
    assert not any(part.get_visible() for part in (shadow.arrow, shadow.star, shadow.cast, shadow.words))
    assert shadow.ax.get_title(loc="left") == "There is no θ*,\nno line without a mistake"


@pytest.mark.parametrize(("separability", "lam", "names"), [
    (2.0, 0.0, ["at least γ k / R", "at most √k", "‖θ‖ / R"]), (0.1, 0.1, ["at least", "at most", "‖θ‖ / R"]),
    (-0.5, 0.0, ["at most √k", "‖θ‖ / R"]), (-2.0, 0.01, ["at most", "‖θ‖ / R"]),
])
def test_the_length_of_theta_stays_between_the_bounds(explorer, separability, lam, names):
    explorer.set(separability=separability, lam=lam, eta=0.5, visit=10**6, also="lengths")
    state, bounds = explorer.state, explorer.bounds
    lower, upper = state.bound.corridor(state.trace.mistakes, state.eta * lam)
    lengths = np.linalg.norm(state.trace.thetas, axis=1) / (state.eta * state.bound.R)
    assert (lower[1:] <= lengths + 1e-9).all()
    assert (lengths <= upper[1:] + 1e-9).all()
    np.testing.assert_allclose(bounds.lengths.get_ydata()[1:] * bounds.ruler.scale["y"], lengths[: state.mistakes])
    assert sorted(tag.text for tag in bounds.names.tags) == names
    assert bounds.lower.get_visible() == (separability > 0)  # only where there is one
