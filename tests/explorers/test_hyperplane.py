"""Chapter 1's explorer and its plots, against distances, errors and steps computed by other means."""

import re

import matplotlib.pyplot as plt
import numpy as np
import pytest
from scipy.optimize import minimize
from sklearn.linear_model import LogisticRegression

import coursekit as ck
from coursekit.core.line import from_normal, normal_form
from coursekit.explorers.picture import Stroke
from tests.pictures import frame


@pytest.fixture
def explorer(made):
    return made("hyperplane")


def wrong(data, theta):
    """Counted one by one, with the rule y f <= 0."""
    return sum(y * (theta[0] * x[0] + theta[1] * x[1] + theta[2]) <= 0 for x, y in zip(data.X, data.y, strict=True))


def drag(explorer, axes, start, *way):
    for k, at in enumerate(way):
        explorer.touch(Stroke(axes, start, at, first=k == 0, done=k == len(way) - 1))


def test_a_line_in_both_notations():
    theta = from_normal(30, 2, length=4)
    np.testing.assert_allclose(theta, [4 * np.sqrt(3) / 2, 2, -8])
    np.testing.assert_allclose(normal_form(theta), (30, 2, 4))
    angle, shift, length = normal_form([1, 3, -20])  # the lecture's line
    np.testing.assert_allclose([np.tan(np.radians(angle)), shift, length], [3, 20 / np.sqrt(10), np.sqrt(10)])
    assert normal_form([-1.0, -0.0, 0.0])[0] == 180


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: normal_form([0, 0, 5]), r"theta must have two weights, not both 0, .*; got \[0.0, 0.0, 5.0\]"),
        (lambda: normal_form([1, 2]), r"theta must have two weights"),
        (lambda: from_normal(0, 1, 0), r"length must be > 0; got 0"),
        (lambda: from_normal(np.nan, 1), r"angle must be finite; got nan"),
        (lambda: ck.explorers.hyperplane(shift=7), r"shift must be a number from -6 to 6; got 7"),
        (lambda: ck.explorers.hyperplane(length=0), r"length must be a number from 0.1 to 10; got 0"),
        (lambda: ck.explorers.hyperplane(example=-1), r"example must be a whole number from 0 up; got -1"),
        (lambda: ck.explorers.hyperplane("theta=1"), r"control must be one of separability, .*; got 'theta'"),
    ],
)
def test_bad_values_are_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()


@pytest.mark.parametrize(
    ("control", "value"),
    [("separability", -0.5), ("eta", 3.0), ("lam", 0.5), ("seed", 4), ("angle", 50), ("shift", 1.0), ("length", 2.0),
     ("example", 5)],
)  # fmt: skip
def test_every_control_changes_picture_and_sentence(explorer, control, value):
    before, said = frame(explorer), explorer.sentence
    setattr(explorer, control, value)
    assert np.abs(frame(explorer) - before).max() > 100
    assert explorer.sentence != said


@pytest.mark.parametrize("separability", [-2.0, 0.0, 2.0])
@pytest.mark.parametrize(("angle", "shift", "length"), [(-180, -6, 0.1), (77, 0.3, 1.7), (180, 6, 10)])
def test_scores_distances_and_errors(explorer, separability, angle, shift, length):
    explorer.set(separability=separability, angle=angle, shift=shift, length=length, eta=3.16, lam=1.0)
    state, radians = explorer.state, np.radians(angle)
    for x, y, f, z, distance in zip(
        state.data.X, state.data.y, state.scores, state.agreements, state.distances, strict=True
    ):
        along = x[0] * np.cos(radians) + x[1] * np.sin(radians) - shift  # Hesse's normal form
        np.testing.assert_allclose([f, z, distance], [length * along, y * length * along, along])
    assert state.misclassified == wrong(state.data, state.theta) == round(24 * state.error)
    error = f"{state.misclassified} of 24 (training error {state.misclassified / 24:.3f})"
    assert f"The line misclassifies {error}" in explorer.sentence
    assert len(explorer.sentence) < 330


def test_length_multiplies_scores_and_changes_nothing_else(explorer):
    explorer.set(angle=50, shift=0.4)
    before, line = explorer.state, np.array(explorer.boundary.line.get_data())
    explorer.length = 3.0
    after = explorer.state
    np.testing.assert_allclose(after.scores, 3 * before.scores)
    np.testing.assert_allclose(after.distances, before.distances)
    np.testing.assert_allclose(explorer.boundary.line.get_data(), line, atol=1e-9)
    assert after.misclassified == before.misclassified


def test_half_a_turn_and_the_opposite_shift_swap_the_sides(explorer):
    explorer.set(angle=140, shift=-1)
    errors = explorer.state.misclassified
    explorer.set(angle=-40, shift=1)
    assert explorer.state.misclassified == 24 - errors


def test_separable_data_have_a_line_without_error_and_overlapping_ones_have_none(explorer):
    data = explorer.state.data
    fit = LogisticRegression(C=1e4, max_iter=1000).fit(data.X, data.y)
    angle, shift, length = normal_form([*fit.coef_[0], fit.intercept_[0]])
    explorer.set(angle=angle, shift=shift, length=min(length, 10.0))
    assert explorer.state.misclassified == 0
    explorer.separability = -1.0
    fewest = min(
        wrong(explorer.state.data, from_normal(angle, shift))
        for angle in range(0, 360, 10)
        for shift in np.arange(-3, 3, 0.25)
    )
    assert fewest > 0


@pytest.mark.parametrize("lam", [0.0, 0.5])
def test_the_step_goes_against_the_slope(explorer, lam):
    explorer.set(lam=lam, eta=0.2)
    state = explorer.state

    def objective(theta):
        hinge = np.maximum(0, 1 - state.data.y * (state.data.X @ theta[:2] + theta[2]))
        return hinge.mean() + lam / 2 * theta[:2] @ theta[:2]

    tiny = 1e-6 * np.eye(3)
    slope = [(objective(state.theta + d) - objective(state.theta - d)) / 2e-6 for d in tiny]
    np.testing.assert_allclose(state.after, state.theta - 0.2 * np.array(slope), atol=1e-8)
    np.testing.assert_allclose(state.objective, objective(state.theta))
    assert f"would lower the objective from {objective(state.theta):.3f}" in explorer.sentence
    explorer.step()
    np.testing.assert_allclose(explorer.state.theta, state.after, atol=1e-12)


def test_the_sentence_shows_which_way_the_objective_goes_near_its_least_value(explorer):
    explorer.set(lam=0.3, eta=0.3)
    seen = set()
    for _ in range(60):
        way, before, after = re.search(r"would (raise|lower) .* from (\S+\d) to (\S+\d)", explorer.sentence).groups()
        assert float(after) > float(before) if way == "raise" else float(after) < float(before)
        seen.add(way)
        explorer.step()
    assert seen == {"raise", "lower"}


def test_many_small_steps_come_near_the_least_objective(explorer):
    explorer.set(lam=0.3, eta=0.2)
    data = explorer.state.data
    for _ in range(60):
        explorer.step()

    def objective(theta):
        return np.maximum(0, 1 - data.y * (data.X @ theta[:2] + theta[2])).mean() + 0.15 * theta[:2] @ theta[:2]

    least = min(minimize(objective, start, method="Nelder-Mead", options={"maxiter": 2000}).fun
                for start in ([1, 0, 0], [0, 1, 0], [0.5, 0.5, -0.5]))
    assert least - 1e-6 <= explorer.state.objective < least + 0.01


def test_a_step_that_is_too_long_is_called_so(explorer):
    explorer.set(separability=-1, seed=1, eta=3)
    raised = []
    for _ in range(9):
        state = explorer.state
        assert ("raise" in explorer.sentence) == (state.objective_after > state.objective)
        raised.append(state.objective_after > state.objective)
        explorer.step()
    assert any(raised)


def test_a_step_out_of_the_picture_is_refused_in_words(explorer):
    explorer.set(angle=53, shift=6, length=10, eta=3.16)
    theta = explorer.state.theta
    assert np.hypot(*explorer.state.after[:2]) > 10
    assert "does not fit this picture" in explorer.sentence
    assert explorer._step.disabled
    explorer.step()
    np.testing.assert_array_equal(explorer.state.theta, theta)
    explorer.reset()
    assert not explorer._step.disabled


def test_no_step_where_all_are_content(explorer):
    explorer.set(separability=2.0, angle=53, shift=0.55, length=10)
    assert explorer.state.agreements.min() > 1
    assert "would change nothing" in explorer.sentence
    np.testing.assert_array_equal(explorer.state.after, explorer.state.theta)


def test_data_space_shows_line_distances_and_the_step(explorer):
    explorer.set(angle=30, shift=0.5, example=7)
    state, segments = explorer.state, explorer.distances.segments.get_segments()
    for (start, foot), x, distance in zip(segments, state.data.X, state.distances, strict=True):
        np.testing.assert_allclose(start, x)
        np.testing.assert_allclose(foot @ state.theta[:2] + state.theta[2], 0, atol=1e-12)
        np.testing.assert_allclose(np.hypot(*(x - foot)), abs(distance))
    np.testing.assert_allclose(np.transpose(explorer.distances.chosen.get_data()), segments[7])
    origin, foot = np.transpose(explorer.distances.shift.get_data())
    np.testing.assert_allclose([origin, foot], [[0, 0], [0.5 * np.cos(np.pi / 6), 0.25]], atol=1e-12)
    x, y = explorer.boundary.older.get_data()
    np.testing.assert_allclose(state.after[0] * x + state.after[1] * y + state.after[2], 0, atol=1e-9)
    np.testing.assert_allclose(np.transpose(explorer.boundary.ring.get_data())[0], state.data.X[7])


def test_parameter_space_shades_by_errors_and_draws_constraints(explorer):
    explorer.set(angle=50, shift=0.5, length=1.0, example=8)
    view, state = explorer.weights, explorer.state
    scale = view.ruler.scale["x"]
    shade = np.asarray(view.shade.get_array())
    for row, column in np.random.default_rng(0).integers(len(view.grid), size=(40, 2)):
        theta = [scale * view.grid[column], scale * view.grid[row], state.theta[2]]
        assert shade[row, column] == wrong(state.data, theta)
    for constraints, label in zip(view.constraints, (-1, 1), strict=True):
        for ends, x in zip(constraints.get_segments(), state.data.X[state.data.y == label], strict=True):
            np.testing.assert_allclose(scale * ends @ x + state.theta[2], 0, atol=1e-9)
    np.testing.assert_allclose(view.arrow._posA_posB[1], state.theta[:2] / scale)
    np.testing.assert_allclose(view.step._posA_posB[1], state.after[:2] / scale)
    start, tip = (scale * np.array(at) for at in view.allowed._posA_posB)
    agreement = [state.data.y[8] * (w @ state.data.X[8] + state.theta[2]) for w in (start, tip)]
    np.testing.assert_allclose(agreement[0], 0, atol=1e-9)
    assert agreement[1] > 0


def test_loss_space_shows_every_agreement_and_its_loss(explorer):
    explorer.set(angle=120, shift=0.5, example=8)
    state, view = explorer.state, explorer.agreements
    for points, label in zip(view.points, (-1, 1), strict=True):
        z, loss = points.get_data()
        expected = state.agreements[state.data.y == label]
        np.testing.assert_allclose(z, [min(4, max(-4, value)) for value in expected])
        np.testing.assert_array_equal(loss, [1 if value <= 0 else 0 for value in expected])
    assert np.ravel(view.ring.get_data())[1] == 1
    assert state.agreements[8] < 0


def test_the_ringed_example_is_wrong_in_all_three_spaces_at_once(explorer):
    explorer.set(shift=0.5, example=8)
    for angle in range(90, 121, 2):
        explorer.angle = angle
        state = explorer.state
        crossed = state.data.X[8].tolist() in np.transpose(explorer.boundary.wrong.get_data()).tolist()
        start, tip = (np.array(at) for at in explorer.weights.allowed._posA_posB)
        allowed = (explorer.weights.arrow._posA_posB[1] - start) @ (tip - start) > 0
        loss = np.ravel(explorer.agreements.ring.get_data())[1]
        assert crossed == (not allowed) == (loss == 1) == (state.agreements[8] <= 0)


def test_dragging_inside_the_circle_shifts_the_line(explorer):
    explorer.set(angle=90, shift=0.0)
    drag(explorer, explorer.boundary.ax, (1.2, -0.5), (1.4, 0.0), (3.2, 1.0))
    assert (explorer.angle, explorer.shift) == (90, 1.5)
    drag(explorer, explorer.boundary.ax, (-1.0, 1.0), (-1.0, 99.0))
    assert explorer.shift == 6


def test_dragging_outside_the_circle_turns_the_line(explorer):
    explorer.set(angle=170, shift=0.5)
    drag(explorer, explorer.boundary.ax, (5.0, 0.0), (4.0, 4.0), (0.0, 5.0))
    assert (explorer.angle, explorer.shift) == (-100, 0.5)


def test_dragging_in_parameter_space_turns_theta(explorer):
    explorer.set(length=2.0)
    drag(explorer, explorer.weights.ax, (0.9, 0.0), (-0.4, 0.4))
    np.testing.assert_allclose(explorer.state.theta[:2], [-np.sqrt(2), np.sqrt(2)])
    assert explorer.shift == -1


def test_dragging_in_loss_space_does_nothing(explorer):
    said = explorer.sentence
    drag(explorer, explorer.agreements.ax, (0.0, 0.5), (1.0, 1.0))
    assert explorer.sentence == said


def test_a_preset_leads_back_to_a_line_after_steps(explorer):
    explorer.eta = 0.03
    for _ in range(3):
        explorer.step()
    again = ck.explorers.hyperplane(explorer.preset)
    np.testing.assert_array_equal(again.state.theta, explorer.state.theta)
    assert again.sentence == explorer.sentence


def test_a_plot_stands_on_its_own_axes():
    X = np.array([[10.0, 2.0], [2.0, 10.0]])
    fig, ax = plt.subplots()
    shown = ck.plots.Distances(ax).show(X, np.array([1.0, 3.0, -20.0]), chosen=1)
    lengths = [np.hypot(*(b - a)) for a, b in shown.segments.get_segments()]
    np.testing.assert_allclose(lengths, [4 / np.sqrt(10), 12 / np.sqrt(10)])
    plt.close(fig)


def test_reset_leads_back_to_the_preset():
    explorer = ck.explorers.hyperplane("angle=140 seed=3", length=2.5)
    said = explorer.sentence
    explorer.set(angle=0, seed=1, length=1, eta=1)
    explorer.reset()
    assert explorer.sentence == said
