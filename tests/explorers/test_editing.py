"""Examples that are touched: by pointer, keys, buttons and from Python, in every explorer that has a plane."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import coursekit as ck
from coursekit.explorers.picture import Stroke
from tests.faults import faults, refused
from tests.pictures import drag, key, pixels

EDITING = ["descent", "hyperplane", "parallel", "perceptron", "sgd", "svm"]


@pytest.fixture(params=["perceptron", "hyperplane", "multiclass"])  # classes with signs, a line, numbered classes
def explorer(made, request):
    explorer = made(request.param)
    if request.param == "multiclass":  # where a click asks, as long as no class is chosen
        explorer.label = "1"
    return explorer


def free_place(explorer):
    """A place on the grid far from every example."""
    x, y = (np.linspace(*(0.8 * np.array(limits()) + 0.2 * np.mean(limits())), 15)
            for limits in (explorer.plane.get_xlim, explorer.plane.get_ylim))
    places = np.round(np.stack(np.meshgrid(x, y), -1).reshape(-1, 2) / 0.05) * 0.05
    far = np.linalg.norm(places[:, None] - explorer.state.data.X, axis=2).min(axis=1)
    return tuple(float(round(v, 2)) for v in places[far.argmax()])


def test_a_click_adds_a_point_of_the_chosen_class_and_a_drag_moves_it(explorer):
    n, place = len(explorer.state.data), free_place(explorer)
    drag(explorer, explorer.plane, place)
    mark = explorer.edits.partition("(")[0]
    assert mark in ("+", "+1")
    assert explorer.edits == f"{mark}({place[0]:g},{place[1]:g})"
    assert_allclose(explorer.state.data.X[n], place)
    assert (explorer.state.data.y[n], explorer.example) == (1, n)
    middle = np.round([np.mean(explorer.plane.get_xlim()), np.mean(explorer.plane.get_ylim())], 1)
    drag(explorer, explorer.plane, place, middle)
    assert_allclose(explorer.state.data.X[n], middle, atol=0.03)
    assert (len(explorer.state.data), len(explorer.edits.split())) == (n + 1, 1)
    explorer.undo()
    assert (explorer.edits, len(explorer.state.data)) == ("", n)
    held = explorer.grab(Stroke(explorer.plane, place, place, done=False))
    explorer.reset()
    held(Stroke(explorer.plane, place, (0.0, 0.0), done=True))  # the late end of a drag
    assert explorer.edits == ""


def test_a_press_on_an_example_holds_it_and_one_line_carries_it_anywhere(explorer):
    x, to = explorer.state.data.X[3].copy(), free_place(explorer)
    drag(explorer, explorer.plane, tuple(x), tuple((x + to) / 2), to)
    moved = f"3({to[0]:g},{to[1]:g})"
    assert explorer.edits == moved
    assert_allclose(explorer.state.data.X[3], to)
    explorer.remove(0)
    explorer.move(0, 1.0, 1.0)  # another example now: an edit of its own
    explorer.undo()
    assert explorer.edits == f"{moved} 0()"
    again = type(explorer)(explorer.preset)
    assert_array_equal(again.state.data.X, explorer.state.data.X)
    assert_array_equal(pixels(again), pixels(explorer))


def test_what_is_shown_is_the_answer_to_the_edited_data(made):
    explorer = made("perceptron")
    X, y = (np.delete(np.concatenate(pair), 7, axis=0) for pair in (
        (explorer.state.data.X, [[1, 2], [0.5, 1.5]]), (explorer.state.data.y, [1.0, -1.0])))
    X[3] = 1, 1
    explorer.edits = "+(1,2) -(0.5,1.5) 7() 3(1,1)"
    assert_array_equal(explorer.state.data.X, X)
    assert_array_equal(explorer.state.data.y, y)
    assert_allclose(explorer.state.trace.theta, ck.perceptron(X, y, passes=30).theta)


def test_keys_choose_move_add_remove_and_undo(explorer):
    explorer.example = 2
    n, x = len(explorer.state.data), explorer.state.data.X[2].copy()
    key(explorer, "ArrowRight", "ArrowRight", "ArrowUp", "Shift+ArrowLeft")
    assert_allclose(explorer.state.data.X[2], x + np.array([-0.3, 0.1]), atol=0.08)
    key(explorer, "Ctrl+z")
    assert_array_equal(explorer.state.data.X[2], x)
    for keys, example, edits, count in (
        (["n"], 3, 0, n), (["p", "p"], 1, 0, n), (["Delete"], 1, 1, n - 1), (["a"], n - 1, 2, n),
        (["Backspace"], n - 2, 3, n - 1), (["Ctrl+z"] * 4, n - 2, 0, n),
    ):
        key(explorer, *keys)
        assert (explorer.example, len(explorer.edits.split()), len(explorer.state.data)) == (example, edits, count)


def test_keys_count_once_and_without_a_chosen_example_they_choose_one(made):
    explorer = made("perceptron")
    for name, example in (("Delete", -1), ("ArrowLeft", 0), ("p", 39)):
        key(explorer, name)
        assert (explorer.edits, explorer.example) == ("", example)
    last = explorer.picture.pressed[-1][0]
    explorer.picture.pressed = [[last - 1, "p"], [last, "p"], [last + 1, "p"]]  # two were told before
    assert explorer.example == 38


@pytest.mark.parametrize("name", EDITING)
def test_one_class_or_one_example_or_one_place_are_survived(made, name):
    explorer = made(name)
    y = explorer.state.data.y
    for edits in (
        *(" ".join(f"{i}()" for i in np.flatnonzero(y == label)[::-1]) for label in (-1, 1)),
        " ".join(["0()"] * (len(y) - 1)), " ".join(f"{i}(1,1)" for i in range(len(y))),
    ):
        explorer.edits = edits
        assert len(explorer.state.data) == len(y) - edits.count("()")
        assert explorer.sentence.endswith((".", "!"))


@faults(__file__)  # lines that cannot be: sentences.toml
def test_edits_that_cannot_be_are_named_and_change_nothing(call, said, error, made):
    svm = made("svm")
    refused(call, said, error, globals(), svm=svm)
    assert svm.edits == ""


def test_in_chapter_9_a_click_asks_until_a_class_is_chosen_and_every_class_keeps_an_example(made):
    explorer = made("multiclass")
    place = free_place(explorer)
    drag(explorer, explorer.plane, place)
    assert explorer.edits == ""
    assert_allclose((explorer.x1, explorer.x2), place, atol=0.06)
    explorer.add()
    assert explorer.edits == f"+0({explorer.x1:g},{explorer.x2:g})"
    explorer.label = "4"  # of three
    drag(explorer, explorer.plane, (0.0, -5.0))
    assert explorer.edits.count("(") == 1
    explorer.each = 5
    *first, last = (f"{i}()" for i in np.flatnonzero(explorer.state.data.y == 0)[::-1])
    with pytest.raises(ValueError, match="edits must leave every class an example"):
        explorer.edits = " ".join([*first, last])
    explorer.edits = " ".join(first)
    assert (explorer.state.data.y == 0).sum() == 1
