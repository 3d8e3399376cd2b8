"""Chapter 1's explorer and its plots, against distances, errors and steps computed by other means."""

import re

import numpy as np
import pytest

import coursekit as ck
from coursekit.core.text import number
from coursekit.models.shared import from_normal
from coursekit.plots.parameters import cells
from tests.hand import objective
from tests.pictures import drag

BOTH = pytest.mark.parametrize("dataset", ["blobs", "mails"])


def wrong(data, theta):
    """Counted one by one, with the rule y f <= 0."""
    return sum(y * (theta[0] * x[0] + theta[1] * x[1] + theta[2]) <= 0 for x, y in zip(data.X, data.y, strict=True))


@pytest.mark.parametrize(("separability", "angle", "shift", "length"), [
    (-2.0, -180, -5, 0.1), (-2.0, 77, 0.3, 1.7), (2.0, 180, 5, 10),
])
def test_scores_distances_and_errors(explorer, separability, angle, shift, length):
    explorer.set(separability=separability, angle=angle, shift=shift, length=length)
    state, radians = explorer.state, np.radians(angle)
    along = state.data.X @ [np.cos(radians), np.sin(radians)] - shift  # Hesse's normal form
    np.testing.assert_allclose(state.scores, length * along)
    np.testing.assert_allclose(state.agreements, state.data.y * length * along)
    np.testing.assert_allclose(state.distances, along)
    assert state.misclassified == wrong(state.data, state.theta)
    assert f"The line gets {state.misclassified} of 24 examples wrong" in explorer.sentence


@pytest.mark.parametrize("lam", [0.0, 0.5])
def test_the_step_goes_against_the_slope(explorer, lam):
    explorer.set(lam=lam, eta=0.2, preview="a step")
    state, tiny = explorer.state, 1e-6 * np.eye(3)
    up, down = ([objective(state.data, state.theta + d, lam) for d in step] for step in (tiny, -tiny))
    np.testing.assert_allclose(state.after, state.theta - 0.2 * np.subtract(up, down) / 2e-6, atol=1e-8)
    assert f"would lower the objective from {objective(state.data, state.theta, lam):.3f}" in explorer.sentence
    explorer.step()
    np.testing.assert_allclose(explorer.state.theta, state.after, atol=1e-12)


def test_the_sentence_shows_which_way_the_objective_goes_near_its_least_value(explorer):
    explorer.set(lam=0.3, eta=0.3, preview="a step")
    seen = set()
    for _ in range(30):
        way, before, after = re.search(r"would (raise|lower) .* from (\S+\d) to (\S+\d)", explorer.sentence).groups()
        assert float(after) > float(before) if way == "raise" else float(after) < float(before)
        seen.add(way)
        explorer.step()
    assert seen == {"raise", "lower"}


def test_the_step_is_shown_only_where_it_is_asked_for_and_the_way_of_the_chosen_example(explorer):
    explorer.set(also="parameter space", example=7, length=1.5)
    assert "step" not in explorer.sentence
    assert not explorer.weights.step.get_visible()
    explorer.preview = "a step"
    state = explorer.state
    np.testing.assert_allclose(explorer.weights.step._posA_posB, [state.theta[:2], state.after[:2]])
    start, foot, _ = explorer.distances.segments.get_xydata()
    np.testing.assert_allclose(start, state.data.X[7])
    np.testing.assert_allclose(foot @ state.theta[:2] + state.theta[2], 0, atol=1e-12)
    np.testing.assert_allclose(np.hypot(*(start - foot)), abs(state.distances[7]))
    assert f"score {number(state.scores[7])}".replace("-", "−") == explorer.sides.names.tags[0].text


@BOTH
def test_the_arrow_stands_on_the_line_at_a_right_angle_and_each_side_has_its_name(explorer, dataset):
    explorer.set(dataset=dataset, angle=30, shift=0.5, length=1.2)
    (w1, w2, b), (tail, tip) = explorer.state.theta, explorer.normal.ends.get_xydata()
    np.testing.assert_allclose([(w1, w2) @ tail + b, (w2, -w1) @ (tip - tail)], 0, atol=1e-9)
    assert (tip - tail) @ (w1, w2) > 0
    sides = {"blobs": ("−1", "+1"), "mails": ("ham", "spam")}[dataset]
    names = explorer.sides.names
    hands = ["turn", "shift"]
    assert [tag.text for tag in names.tags] == [*hands, *sides, "shadows", *(f"called {side}" for side in sides)]
    np.testing.assert_allclose([tag.at for tag in names.tags[:2]], [tip, tail])
    explorer.png()
    middles = names.boxes()[5:].reshape(-1, 2, 2).mean(axis=1)
    scores = explorer.plane.transData.inverted().transform(middles) @ (w1, w2) + b
    assert scores[0] < 0 < scores[1]


@pytest.mark.parametrize(("dataset", "angle"), [("blobs", -150), ("mails", 75)])
def test_every_example_casts_its_shadow_on_the_way_of_the_arrow(explorer, dataset, angle):
    explorer.set(dataset=dataset, angle=angle, shift=0.4)
    state, (tail, tip) = explorer.state, explorer.normal.ends.get_xydata()
    unit = (tip - tail) / np.hypot(*(tip - tail))
    lit, shadow, _ = np.moveaxis(explorer.shadows.rays.get_xydata().reshape(-1, 3, 2), 1, 0)
    np.testing.assert_allclose(lit, state.data.X)
    np.testing.assert_allclose((shadow - lit) @ unit, 0, atol=1e-9)  # light along the line
    np.testing.assert_allclose((shadow - tail) @ [unit[1], -unit[0]], 0, atol=1e-9)
    np.testing.assert_allclose((shadow - tail) @ unit, state.data.X @ unit - 0.4)
    for ok, count, feet in zip((True, False), (24 - state.misclassified, state.misclassified),
                               explorer.shadows.feet, strict=True):
        assert sum(len(dots.get_xdata()) for dots in feet) == count
        for y, dots in zip((-1, 1), feet, strict=True):
            assert ((y * (dots.get_xydata() - tail) @ unit > 0) == ok).all()


@pytest.mark.parametrize(("angle", "length", "at", "said"), [
    (26.565051177, np.sqrt(5), (3.0, 4.0), "θ · x = 10."),
    (26.565, 2.236068, (-2.0, 4.0), "on θ = (2, 1) is 0, and θ is 2.24 long: θ · x = 0."),  # of a few decimals
    (90, 1, (4.0, 0.0), "on θ = (0, 1) is 0, and θ is 1 long: θ · x = 0."),
    (45, np.sqrt(2), (3.0, -3.0), "on θ = (1, 1) is 0, and θ is 1.41 long: θ · x = 0."),
])
def test_one_vector_casts_its_shadow_on_theta(explorer, angle, length, at, said):
    theta = length * np.array([np.cos(np.radians(angle)), np.sin(np.radians(angle))])
    explorer.set(dataset="one vector", angle=angle, shift=0.5, length=length)
    explorer.move(0, *at)
    np.testing.assert_allclose(explorer.shadow.tip.get_xydata(), [at])  # there it can be taken hold of
    start, end = explorer.shadow.cast.get_xydata()
    np.testing.assert_allclose([start @ start, (at - end) @ theta, np.cross([*end, 0], [*theta, 0])[2]], 0, atol=1e-4)
    assert said in explorer.sentence
    product = np.round(at @ theta, 3) + 0
    assert explorer.notes.corner._words[0].text.endswith(f"= {product:g}")
    assert explorer.shadow.names.tags[0].text == f"projection {product / length:.3g}"
    np.testing.assert_allclose(explorer.normal.ends.get_xydata(), [(0, 0), theta], atol=1e-12)  # whatever the shift
    assert explorer.normal.ends.get_markevery() == [1]  # its tail is no handle: nothing can be shifted
    assert not any(artist.get_visible() for artist in (explorer.boundary.line, *explorer.boundary.sides))
    edits = explorer.edits
    drag(explorer, explorer.plane, (-3.0, 1.0))  # nothing to add, nothing to shift
    drag(explorer, explorer.plane, (-3.0, 1.0), (-3.0, 2.0))
    assert (explorer.edits, explorer.shift) == (edits, 0.5)


@pytest.mark.parametrize(("dataset", "angle"), [("blobs", 120), ("mails", 50)])
def test_parameter_space_counts_the_errors_of_each_cell(explorer, dataset, angle):
    explorer.set(dataset=dataset, angle=angle, shift=0.5, length=1.0, example=8, also="parameter space")
    view, state = explorer.weights, explorer.state
    (*w, b), shade = state.theta, np.reshape(view.shade.get_array(), (view.size, view.size))
    left, right, low, high = view.shade.get_extent()
    assert (*view.ax.get_xlim(), *view.ax.get_ylim()) == (left, right, low, high)
    for row, column in np.random.default_rng(0).integers(view.size, size=(40, 2)):
        at = np.array([left, low]) + (np.array([column, row]) + 0.5) / view.size * [right - left, high - low]
        assert shade[row, column] == wrong(state.data, [*at, b])
    assert len(view.numbers._words) > 3
    for word in view.numbers._words:
        assert int(word.text) == wrong(state.data, [word.x, word.y, b])
    assert view.here.tags[0].text == f"{wrong(state.data, state.theta)} wrong"
    for constraints, label in zip(view.constraints, (-1, 1), strict=True):
        lines = constraints.get_xydata().reshape(-1, 3, 2)[:, :2]
        for ends, x in zip(lines, state.data.X[state.data.y == label], strict=True):
            np.testing.assert_allclose(ends @ x + b, 0, atol=1e-9)
            # From the foot it reaches past every corner.
            assert np.hypot(*(ends[1] - ends[0])) / 2 >= np.hypot(max(-left, right), max(-low, high))
    np.testing.assert_allclose(view.tip.get_xydata(), [w])
    start, tip = np.array(view.allowed._posA_posB)  # from the line of example 8 to where it is right
    assert start @ state.data.X[8] + b == pytest.approx(0, abs=1e-9)
    assert ((w - start) @ (tip - start) > 0) == (state.agreements[8] > 0)
    weights = np.array([[0.5, 0.5], [0.5, 0.6]])
    assert cells(np.ones((1, 2)), np.ones(1), -1, weights)[1].tolist() == [1, 0]  # f = 0 is wrong


@pytest.mark.parametrize("start", ["tail", (-5.0, 3.0)])
def test_a_drag_of_the_tail_or_beside_the_examples_shifts_the_line(explorer, start):
    explorer.set(angle=90, shift=0.0)
    start = explorer.normal.ends.get_xydata()[0] if start == "tail" else start
    drag(explorer, explorer.plane, start, np.add(start, [1.4, 0.5]), np.add(start, [3.2, 1.5]))
    assert (explorer.angle, explorer.shift, explorer.length, explorer.edits) == (90, 1.5, 1, "")
    drag(explorer, explorer.plane, (-5.0, 4.0), (-1.0, 99.0))
    assert explorer.shift == 3.48  # 5, the edge, less 0.38 beside it and 1.14 for the shortest arrow


@pytest.mark.parametrize(("dataset", "narrow"), [("blobs", True), ("mails", False)])
def test_both_ends_of_the_arrow_stay_in_the_frame_wherever_they_are_dragged(explorer, dataset, narrow):
    explorer.narrow = narrow
    explorer.set(dataset=dataset, angle=10, shift=1)
    low, high = np.transpose([explorer.plane.get_xlim(), explorer.plane.get_ylim()])
    for turn in np.radians(np.arange(0, 720, 75)):
        far = np.mean([low, high], axis=0) + 9 * np.array([np.cos(turn), np.sin(2.3 * turn)])
        for end in (0, 1, 0):
            drag(explorer, explorer.plane, explorer.normal.ends.get_xydata()[end], far)
            assert np.all((low <= explorer.normal.ends.get_xydata()) & (explorer.normal.ends.get_xydata() <= high))
    explorer.narrow = False


def turned(place, middle, degrees):
    """The place turned about the middle."""
    (x, y), turn = place - middle, np.radians(degrees)
    return middle + np.stack([x * np.cos(turn) - y * np.sin(turn), x * np.sin(turn) + y * np.cos(turn)], axis=-1)


@BOTH
def test_dragging_the_tip_turns_the_line_and_stretches_theta(explorer, dataset):
    explorer.set(dataset=dataset, angle=45, shift=1.5, length=1.8 if dataset == "blobs" else 0.8)
    (_, tip), middle = explorer.normal.ends.get_xydata(), explorer.boundary.ax.viewLim.get_points().mean(axis=0)
    at = middle + 1.05 * (turned(tip, middle, 8) - middle)
    drag(explorer, explorer.plane, tip, np.add(tip, 0.02), at)
    tail, tip = explorer.normal.ends.get_xydata()
    assert np.hypot(*(tip - at)) < 0.08  # angle, shift and length go in steps
    np.testing.assert_allclose(np.hypot(*(tip - tail)), explorer.length)
    length, at = explorer.length, middle + 0.5 * (tip - middle)[::-1]
    drag(explorer, explorer.plane, tip, (tip + at) / 2, at)  # nearer to the middle than the arrow stands
    apart = np.arctan2(*(explorer.normal.ends.get_xydata()[1] - middle)) - np.arctan2(*(at - middle))
    assert (abs(np.degrees(apart)) < 2, explorer.length) == (True, length)


def test_of_many_small_turns_the_rounding_does_not_add_up(explorer):
    explorer.set(dataset="mails", angle=45, shift=2, length=0.8)
    middle = np.mean([explorer.plane.get_xlim(), explorer.plane.get_ylim()], axis=1)  # what the line is turned about
    before, tip = explorer.shift - from_normal(45, 0)[:2] @ middle, explorer.normal.ends.get_xydata()[1]
    drag(explorer, explorer.plane, tip, *turned(tip, middle, np.arange(0, 65, 2.5)))
    assert explorer.angle == 108  # 45 + 62.5, to a whole number
    assert explorer.shift - from_normal(explorer.angle, 0)[:2] @ middle == pytest.approx(before, abs=0.006)


def test_a_drag_among_the_weights_makes_theta_and_holds_the_offset(explorer):
    explorer.set(dataset="mails", angle=45, shift=1.7 / np.sqrt(2), length=np.sqrt(2), also="parameter space")
    np.testing.assert_array_equal(explorer.state.data.X, ck.datasets.mails().X)
    np.testing.assert_allclose(explorer.state.theta, [1, 1, -1.7])
    assert explorer.notes.corner._words[0].text == "0 of 24 wrong"
    drag(explorer, explorer.weights.ax, (1.0, 1.0), (1.5, 0.5), (1.9, 0.3))
    np.testing.assert_allclose(explorer.state.theta, [1.9, 0.3, -1.7], atol=3e-3)
    drag(explorer, explorer.weights.ax, (0.5, 0.5), (-9.0, 99.0))  # no farther than can be seen
    np.testing.assert_allclose(explorer.state.theta, [-0.2, 1.7, -1.7], atol=3e-3)
    explorer.set(dataset="blobs", angle=0, shift=1.25, length=8)
    drag(explorer, explorer.weights.ax, (8.0, 0.0), *np.linspace((2, 9), (-5, 8), 15))
    assert explorer.state.theta[2] == pytest.approx(-10, abs=2e-4)  # of many steps the rounding does not add up
    explorer.set(angle=0, shift=5, length=2)
    drag(explorer, explorer.weights.ax, (1.0, 0.0), (0.0, 0.5))  # the line within reach
    assert (explorer.angle, explorer.shift, explorer.length) == (90, 5, 2)
