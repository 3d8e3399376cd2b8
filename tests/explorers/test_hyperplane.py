"""Chapter 1's explorer and its plots, against distances, errors and steps computed by other means."""

import re

import matplotlib.pyplot as plt
import numpy as np
import pytest

import coursekit as ck
from coursekit.core.line import from_normal, normal_form
from coursekit.core.text import number as ck_number
from coursekit.explorers.picture import Stroke


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
        (lambda: ck.explorers.hyperplane(shift=7), r"shift must be a number from -5 to 5; got 7"),
        (lambda: ck.explorers.hyperplane(length=0), r"length must be a number from 0.1 to 10; got 0"),
        (lambda: ck.explorers.hyperplane(example=-2), r"example must be a whole number from -1 up; got -2"),
        (lambda: ck.explorers.hyperplane("theta=1"), r"control must be one of separability, .*; got 'theta'"),
    ],
)
def test_bad_values_are_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()


@pytest.mark.parametrize("separability", [-2.0, 0.0, 2.0])
@pytest.mark.parametrize(("angle", "shift", "length"), [(-180, -5, 0.1), (77, 0.3, 1.7), (180, 5, 10)])
def test_scores_distances_and_errors(explorer, separability, angle, shift, length):
    explorer.set(separability=separability, angle=angle, shift=shift, length=length, eta=3.16, lam=1.0)
    state, radians = explorer.state, np.radians(angle)
    for x, y, f, z, distance in zip(
        state.data.X, state.data.y, state.scores, state.agreements, state.distances, strict=True
    ):
        along = x[0] * np.cos(radians) + x[1] * np.sin(radians) - shift  # Hesse's normal form
        np.testing.assert_allclose([f, z, distance], [length * along, y * length * along, along])
    assert state.misclassified == wrong(state.data, state.theta) == round(24 * state.error)
    error = f"{state.misclassified} of 24 examples (training error {state.misclassified / 24:.3f})"
    assert f"The line is wrong about {error}" in explorer.sentence
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


@pytest.mark.parametrize("lam", [0.0, 0.5])
def test_the_step_goes_against_the_slope(explorer, lam):
    explorer.set(lam=lam, eta=0.2, preview="a step")
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
    explorer.set(lam=0.3, eta=0.3, preview="a step")
    seen = set()
    for _ in range(60):
        way, before, after = re.search(r"would (raise|lower) .* from (\S+\d) to (\S+\d)", explorer.sentence).groups()
        assert float(after) > float(before) if way == "raise" else float(after) < float(before)
        seen.add(way)
        explorer.step()
    assert seen == {"raise", "lower"}


def test_a_step_out_of_the_picture_is_refused_in_words(explorer):
    explorer.set(angle=53, shift=5, length=10, eta=3.16, preview="a step")
    theta = explorer.state.theta
    assert np.hypot(*explorer.state.after[:2]) > 10
    assert "does not fit this picture" in explorer.sentence
    assert explorer._step.disabled
    explorer.step()
    np.testing.assert_array_equal(explorer.state.theta, theta)
    explorer.reset()
    assert not explorer._step.disabled


def test_no_step_where_all_are_content(explorer):
    explorer.set(separability=2.0, angle=53, shift=0.55, length=10, preview="a step")
    assert explorer.state.agreements.min() > 1
    assert "would change nothing" in explorer.sentence
    np.testing.assert_array_equal(explorer.state.after, explorer.state.theta)


def test_the_step_is_shown_and_told_only_where_it_is_asked_for(explorer):
    explorer.also = "parameter space"
    assert "step" not in explorer.sentence
    assert not len(explorer.boundary.older.get_xydata())
    assert not explorer.weights.step.get_visible()
    explorer.preview = "a step"
    np.testing.assert_allclose(explorer.weights.step._posA_posB, [explorer.state.theta[:2], explorer.state.after[:2]])
    assert "One step of size 0.3 would lower" in explorer.sentence
    x, y = explorer.boundary.older.get_data()
    after = explorer.state.after
    np.testing.assert_allclose(after[0] * x + after[1] * y + after[2], 0, atol=1e-9)


@pytest.mark.parametrize("dataset", ["blobs", "mails"])
def test_the_arrow_stands_on_the_line_at_a_right_angle(explorer, dataset):
    explorer.set(dataset=dataset, angle=30, shift=0.5, length=1.2)
    theta = explorer.state.theta
    tail, tip = explorer.normal.ends.get_xydata()
    np.testing.assert_allclose(theta[:2] @ tail + theta[2], 0, atol=1e-9)
    np.testing.assert_allclose(np.cross(np.append(tip - tail, 0), np.append(theta[:2], 0)), 0, atol=1e-9)
    assert (tip - tail) @ theta[:2] > 0
    names = [tag.text for tag in explorer.normal.names.tags]
    sides = {"blobs": ("-1", "+1"), "mails": ("nonspam", "spam")}[dataset]
    assert names == [f"predicted {side}" for side in sides]
    explorer.png()
    middles = explorer.normal.names.boxes().reshape(-1, 2, 2).mean(axis=1)
    scores = explorer.plane.transData.inverted().transform(middles) @ theta[:2] + theta[2]
    assert scores[0] < 0 < scores[1]  # each word is on the side that it names


def test_the_chosen_example_has_its_way_to_the_line_and_its_score(explorer):
    assert not explorer.distances.segments.get_segments()
    explorer.set(angle=30, shift=0.5, length=2, example=7)
    state = explorer.state
    ((start, foot),) = explorer.distances.segments.get_segments()
    np.testing.assert_allclose(start, state.data.X[7])
    np.testing.assert_allclose(foot @ state.theta[:2] + state.theta[2], 0, atol=1e-12)
    np.testing.assert_allclose(np.hypot(*(start - foot)), abs(state.distances[7]))
    np.testing.assert_allclose(np.transpose(explorer.boundary.ring.get_data())[0], state.data.X[7])
    assert f"score {ck_number(state.scores[7])}" == explorer.normal.names.tags[0].text


def test_the_mails_of_seed_0_are_those_of_the_chapter(explorer):
    explorer.dataset = "mails"
    mails = ck.datasets.mails()
    np.testing.assert_array_equal(explorer.state.data.X, mails.X)
    assert explorer.controls["separability"].disabled
    explorer.set(angle=45, shift=1.7 / np.sqrt(2), length=np.sqrt(2))
    np.testing.assert_allclose(explorer.state.theta, [1, 1, -1.7])
    assert explorer.notes.corner._words[0].text == "0 of 24 wrong"
    explorer.seed = 3
    np.testing.assert_array_equal(explorer.state.data.X, ck.datasets.mails(24, 270).X)


@pytest.mark.parametrize("at", [(3.0, 4.0), (-1.0, 2.0), (2.0, -4.0)])
def test_one_vector_casts_its_shadow_on_theta(explorer, at):
    explorer.set(dataset="one vector", angle=np.degrees(np.arctan2(1, 2)), shift=0, length=np.sqrt(5))
    if at != (3.0, 4.0):
        explorer.move(0, *at)
    np.testing.assert_allclose(explorer.state.scores, 2 * at[0] + at[1])
    start, end = explorer.shadow.cast.get_xydata()
    np.testing.assert_allclose([start @ start, (np.array(at) - end) @ [2, 1], end @ [1, -2]], 0, atol=1e-9)
    assert f"θ · x = {ck_number(2 * at[0] + at[1])}" in explorer.sentence


@pytest.mark.parametrize(("angle", "at", "theta"), [
    (90, (4.0, 0.0), "(0, 1)"), (180, (0.0, 2.0), "(-1, 0)"), (45, (3.0, -3.0), "(0.707, 0.707)"),
])
def test_a_vector_at_a_right_angle_has_a_shadow_of_0(explorer, angle, at, theta):
    explorer.set(dataset="one vector", angle=angle, shift=0, length=1)
    explorer.move(0, *at)
    assert f"has a shadow of 0 on θ = {theta}, which is 1 long: θ · x = 0." in explorer.sentence


def test_one_vector_has_theta_at_the_origin_and_neither_line_nor_sides(explorer):
    explorer.set(dataset="one vector", angle=30, shift=0.5, length=1.2)
    tail, tip = explorer.normal.ends.get_xydata()
    np.testing.assert_allclose([tail, tip], [[0, 0], explorer.state.theta[:2]], atol=1e-12)
    assert explorer.state.theta[2] == 0
    assert not any(artist.get_visible() for artist in (explorer.boundary.line, *explorer.boundary.sides))
    drag(explorer, explorer.plane, (-3.0, 1.0), (-3.0, 1.0))  # nothing to add, nothing to shift
    drag(explorer, explorer.plane, (-3.0, 1.0), (-3.0, 2.0))
    assert (explorer.edits, explorer.shift) == ("", 0.5)


@pytest.mark.parametrize("dataset", ["blobs", "mails"])
def test_parameter_space_counts_the_errors_of_each_cell(explorer, dataset):
    explorer.set(dataset=dataset, angle=50, shift=0.5, length=1.0, example=8, also="parameter space")
    view, state = explorer.weights, explorer.state
    shade = np.asarray(view.shade.get_array()).ravel()
    left, right, low, high = view.shade.get_extent()
    assert (*view.ax.get_xlim(), *view.ax.get_ylim()) == (left, right, low, high)
    for k in np.random.default_rng(0).integers(view.size, size=(40, 2)):
        at = np.array([left, low]) + (k[::-1] + 0.5) / view.size * [right - left, high - low]  # row, column
        assert shade[k[0] * view.size + k[1]] == wrong(state.data, [*at, state.theta[2]])
    numbers = view.numbers._words
    assert len(numbers) > 3
    for word in numbers:
        assert int(word.text) == wrong(state.data, [word.x, word.y, state.theta[2]])
    assert view.here._words[0].text == f"{wrong(state.data, state.theta)} wrong"
    for constraints, label in zip(view.constraints, (-1, 1), strict=True):
        for ends, x in zip(constraints.get_segments(), state.data.X[state.data.y == label], strict=True):
            np.testing.assert_allclose(ends @ x + state.theta[2], 0, atol=1e-9)
            half = np.hypot(*(ends[1] - ends[0])) / 2  # from the foot it reaches past every corner
            assert half >= max(np.hypot(a, b) for a in (left, right) for b in (low, high))
    np.testing.assert_allclose(view.arrow._posA_posB[1], state.theta[:2])
    np.testing.assert_allclose(view.tip.get_xydata(), [state.theta[:2]])
    start, tip = map(np.array, view.allowed._posA_posB)
    agreement = [state.data.y[8] * (w @ state.data.X[8] + state.theta[2]) for w in (start, tip)]
    np.testing.assert_allclose(agreement[0], 0, atol=1e-9)
    assert agreement[1] > 0


@pytest.mark.parametrize("dataset", ["blobs", "mails"])
@pytest.mark.parametrize("length", [0.1, 1.0, 4.0, 10.0])
def test_the_weights_are_always_in_view(explorer, dataset, length):
    explorer.set(dataset=dataset, length=length, also="parameter space")
    for angle in range(-180, 180, 30):
        explorer.angle = angle
        assert explorer.weights.ax.viewLim.contains(*explorer.state.theta[:2])


def test_the_ringed_example_is_wrong_in_both_spaces_at_once(explorer):
    explorer.set(shift=0.5, example=8, also="parameter space")
    for angle in range(90, 121, 2):
        explorer.angle = angle
        state = explorer.state
        crossed = state.data.X[8].tolist() in np.transpose(explorer.boundary.wrong.get_data()).tolist()
        start, tip = (np.array(at) for at in explorer.weights.allowed._posA_posB)
        allowed = (explorer.weights.arrow._posA_posB[1] - start) @ (tip - start) > 0
        assert crossed == (not allowed) == (state.agreements[8] <= 0)


@pytest.mark.parametrize("start", [(0.0, 0.0), (-5.0, 3.0)])
def test_a_drag_of_the_tail_or_beside_the_examples_shifts_the_line(explorer, start):
    explorer.set(angle=90, shift=0.0)
    drag(explorer, explorer.plane, start, tuple(np.add(start, [1.4, 0.5])), tuple(np.add(start, [3.2, 1.5])))
    assert (explorer.angle, explorer.shift, explorer.length, explorer.edits) == (90, 1.5, 1, "")
    drag(explorer, explorer.plane, (-5.0, 4.0), (-1.0, 99.0))
    assert explorer.shift == 3.48  # 5, the edge, less 0.38 beside it and 1.14 for the shortest arrow


@pytest.mark.parametrize("dataset", ["blobs", "mails"])
@pytest.mark.parametrize("narrow", [False, True])
def test_both_ends_of_the_arrow_stay_in_the_frame_wherever_they_are_dragged(explorer, dataset, narrow):
    explorer.narrow = narrow
    explorer.set(dataset=dataset, angle=10, shift=1)
    low, high = np.transpose([explorer.plane.get_xlim(), explorer.plane.get_ylim()])
    for turn in np.radians(np.arange(0, 720, 25)):
        far = np.mean([low, high], axis=0) + 9 * np.array([np.cos(turn), np.sin(2.3 * turn)])
        for end in (0, 1, 0):
            drag(explorer, explorer.plane, tuple(explorer.normal.ends.get_xydata()[end]), tuple(far))
            ends = explorer.normal.ends.get_xydata()
            assert (low <= ends).all()
            assert (ends <= high).all()
    explorer.narrow = False


@pytest.mark.parametrize("dataset", ["blobs", "mails"])
def test_dragging_the_tip_turns_the_line_and_stretches_theta(explorer, dataset):
    explorer.set(dataset=dataset, angle=45, shift=1.5, length=1.8 if dataset == "blobs" else 0.8)
    _, tip = explorer.normal.ends.get_xydata()
    at = np.add(tip, [-0.5, 0.1])
    drag(explorer, explorer.plane, tuple(tip), tuple(np.add(tip, [-0.2, 0.0])), tuple(at))
    tail, tip = explorer.normal.ends.get_xydata()
    assert np.hypot(*(tip - at)) < 0.08  # angle, shift and length go in steps
    np.testing.assert_allclose(np.hypot(*(tip - tail)), explorer.length)
    assert explorer.angle != 45


def test_a_drag_among_the_weights_makes_theta_and_holds_the_offset(explorer):
    explorer.set(dataset="mails", angle=45, shift=1.7 / np.sqrt(2), length=np.sqrt(2), also="parameter space")
    way = np.column_stack([np.linspace(1, 1.9, 20), np.linspace(1, 0.3, 20)])
    drag(explorer, explorer.weights.ax, (1.0, 1.0), *map(tuple, way))
    np.testing.assert_allclose(explorer.state.theta, [1.9, 0.3, -1.7], atol=3e-3)
    drag(explorer, explorer.weights.ax, (0.5, 0.5), (-9.0, 99.0))  # no farther than can be seen
    np.testing.assert_allclose(explorer.state.theta, [-0.2, 1.7, -1.7], atol=3e-3)


def test_a_drag_among_the_weights_keeps_the_line_within_reach(explorer):
    explorer.set(angle=0, shift=5, length=2, also="parameter space")
    drag(explorer, explorer.weights.ax, (1.0, 0.0), (0.0, 0.5))
    assert (explorer.angle, explorer.shift, explorer.length) == (90, 5, 2)


@pytest.fixture
def ax():
    fig, ax = plt.subplots()
    yield ax
    plt.close(fig)


def test_distances_stand_on_their_own_axes(ax):
    X = np.array([[10.0, 2.0], [2.0, 10.0]])
    shown = ck.plots.Distances(ax).show(X, np.array([1.0, 3.0, -20.0]))
    lengths = [np.hypot(*(b - a)) for a, b in shown.segments.get_segments()]
    np.testing.assert_allclose(lengths, [4 / np.sqrt(10), 12 / np.sqrt(10)])


def test_the_picture_of_one_line_names_its_lengths(ax):
    ax.set(xlim=(-3, 16), ylim=(-1, 12.4), aspect="equal")
    ck.plots.hyperplane(ax, [[10, 2], [2, 10]], [-1, 1], [1, 3], -20, shadow=1)
    assert {text.get_text() for text in ax.texts} == {
        "f > 0", "f < 0", "θ = (1, 3)", "origin", "6.325", "(10, 2): f = -4", "-1.265", "(2, 10): f = 12", "+3.795",
        "shadow 10.119",
    }
    (cast,) = [line for line in ax.lines if line.get_lw() == 6]
    np.testing.assert_allclose(cast.get_xydata(), [[0, 0], [3.2, 9.6]])  # 32 / 10 times (1, 3)


def test_turning_has_its_peak_where_both_arrows_agree(ax):
    ck.plots.turning(ax, [2, 1], [3, 4])
    degrees, product = ax.lines[0].get_data()
    x = 5 * np.array([np.cos(np.radians(degrees)), np.sin(np.radians(degrees))])
    np.testing.assert_allclose(product, [2, 1] @ x, atol=1e-12)
    assert "same direction as θ: 11.2" in [text.get_text() for text in ax.texts]


def test_verdicts_tell_right_and_wrong_apart(ax):
    mails = ck.datasets.mails()
    ax.set(xlim=(-0.1, 1), ylim=(0, 3))
    drawn = ck.plots.verdicts(ax, mails.X[mails.y > 0], 1, [1, 0.3, -0.8])
    assert [len(marks.get_xydata()) for marks in drawn[:2]] == [10, 2]
    assert ax.get_title() == "2 of 12 wrong"
    assert [text.get_text() for text in ax.texts] == ["1 more outside"]
    moved = drawn[1].get_xydata()  # the two wrong ones, near their places
    np.testing.assert_allclose(moved, mails.X[(mails.y > 0) & (mails.X @ [1, 0.3] <= 0.8)], atol=0.04)


def test_flip_counts_what_is_wrong(ax):
    ck.plots.flip(ax, [2.0, 0.0, -1.0, 3.0], [1.0, 1.0, -1.0, -1.0])
    assert "agreement y f(x):\nwrong, 2 of 4" in [text.get_text() for text in ax.texts]


def test_constraints_write_the_errors_into_the_cells(ax):
    X, y = np.array([[0.7, 0.7], [0.0, 1.3], [0.7, 1.1], [0.1, 2.1]]), np.array([-1.0, -1.0, 1.0, 1.0])
    ax.set(xlim=(-0.5, 3.5), ylim=(-0.2, 2.6))
    ck.plots.constraints(ax, X, y, -1.7, "ABCD")
    numbers = [text for text in ax.texts if text.get_text().isdigit()]
    assert "".join(sorted(text.get_text() for text in ax.texts if text.get_text().isalpha())) == "ABCD"
    for text in numbers:
        assert int(text.get_text()) == np.sum(y * (X @ text.get_position() - 1.7) <= 0)
    cells = {tuple(X @ text.get_position() > 1.7) for text in numbers}
    assert len(cells) == len(numbers)  # one number for each cell
    assert "0" in {text.get_text() for text in numbers}
