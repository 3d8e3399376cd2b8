"""Examples that are touched: by pointer, keys, buttons and from Python, in every explorer that has a plane."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import coursekit as ck
from coursekit.explorers.editing import Editing
from coursekit.explorers.picture import Stroke
from tests.pictures import key, pixels

EDITING = [name for name in ck.explorers.__all__ if issubclass(getattr(ck.explorers, name), Editing)]


@pytest.fixture(params=EDITING)
def explorer(made, request):
    explorer = made(request.param)
    if request.param == "multiclass":  # where a click asks, as long as no class is chosen
        explorer.label = "1"
    return explorer


def written(explorer):
    return ("+1", 1) if type(explorer).__name__.startswith("Multi") else ("+", 1)


def free_place(explorer):
    """A place on the grid far from every example."""
    x, y = (np.linspace(*(0.8 * np.array(limits()) + 0.2 * np.mean(limits())), 15)
            for limits in (explorer.plane.get_xlim, explorer.plane.get_ylim))
    places = np.round(np.stack(np.meshgrid(x, y), -1).reshape(-1, 2) / 0.05) * 0.05
    far = np.linalg.norm(places[:, None] - explorer.state.data.X, axis=2).min(axis=1)
    return tuple(float(round(v, 2)) for v in places[far.argmax()])


def press(explorer, start, *way):
    """Press at `start`, drag along `way`, release at its end."""
    explorer._touched(Stroke(explorer.plane, start, start, first=True, done=False))
    for at in way or (start,):
        explorer._touched(Stroke(explorer.plane, start, at, first=False, done=at == (way or (start,))[-1]))


def test_the_explorers_with_a_plane_of_examples_can_be_edited():
    assert EDITING == ["descent", "hyperplane", "multiclass", "parallel", "perceptron", "sgd", "svm"]


@pytest.mark.slow(keep=2)
def test_a_click_adds_a_point_of_the_chosen_class_and_a_drag_moves_it(explorer):
    n, place = len(explorer.state.data), free_place(explorer)
    mark, label = written(explorer)
    said = explorer.sentence
    press(explorer, place)
    assert explorer.edits == f"{mark}({place[0]:g},{place[1]:g})"
    assert_allclose(explorer.state.data.X[n], place)
    assert (explorer.state.data.y[n], explorer.example) == (label, n)
    middle = (round(float(np.mean(explorer.plane.get_xlim())), 1), round(float(np.mean(explorer.plane.get_ylim())), 1))
    press(explorer, place, middle)
    assert_allclose(explorer.state.data.X[n], middle, atol=0.03)
    assert len(explorer.state.data) == n + 1
    assert explorer.edits.startswith(f"{mark}(")
    explorer.undo()
    assert (explorer.edits, len(explorer.state.data)) == ("", n)
    explorer.example = explorer._start["example"]
    assert explorer.sentence == said or "example" in said.lower()


@pytest.mark.slow(keep=2)
def test_a_press_on_an_example_holds_it_and_one_line_carries_it_anywhere(explorer):
    x, to = explorer.state.data.X[3].copy(), free_place(explorer)
    press(explorer, tuple(x), tuple((x + to) / 2), to)
    assert explorer.edits == f"3({to[0]:g},{to[1]:g})"
    assert_allclose(explorer.state.data.X[3], to)
    explorer.remove(0)
    again = type(explorer)(explorer.preset)
    assert_array_equal(again.state.data.X, explorer.state.data.X)
    assert_array_equal(pixels(again), pixels(explorer))
    explorer.reset()
    assert explorer.edits == ""


def test_what_is_shown_is_the_answer_to_the_edited_data(made):
    """Worked out anew by the module's own algorithms, or by hand, from the data that are shown."""
    edits = "+(1,2) -(0.5,1.5) 7() 3(1,1)"
    for name in ("perceptron", "descent", "sgd"):
        explorer = made(name)
        original = explorer.state.data
        explorer.edits = edits
        X = np.vstack([original.X, [[1, 2], [0.5, 1.5]]])
        y = np.append(original.y, [1.0, -1.0])
        X, y = np.delete(X, 7, axis=0), np.delete(y, 7)
        X[3] = 1, 1
        assert_array_equal(explorer.state.data.X, X)
        assert_array_equal(explorer.state.data.y, y)
        if name == "perceptron":
            assert_allclose(explorer.state.trace.theta, ck.perceptron(X, y, passes=30).theta)
        else:
            theta = explorer.state.theta
            wrong = sum(label * (theta @ x) <= 0 for x, label in zip(X, y, strict=True))
            assert explorer.state.misclassified == wrong
            assert f"{wrong} of {len(y)} misclassified" in explorer.sentence


def test_the_late_end_of_a_drag_moves_nothing_else(explorer):
    place = free_place(explorer)
    explorer._touched(Stroke(explorer.plane, place, place, first=True, done=False))
    explorer.reset()
    explorer._touched(Stroke(explorer.plane, place, (0.0, 0.0), first=False, done=True))
    assert explorer.edits == ""


def test_keys_choose_move_add_remove_and_undo(explorer):
    explorer.example = 2
    n, x = len(explorer.state.data), explorer.state.data.X[2].copy()
    key(explorer, "ArrowRight", "ArrowRight", "ArrowUp", "Shift+ArrowLeft")
    assert_allclose(explorer.state.data.X[2], x + np.array([-0.3, 0.1]), atol=0.08)
    assert len(explorer.edits.split()) == 1
    key(explorer, "Ctrl+z")
    assert_array_equal(explorer.state.data.X[2], x)
    key(explorer, "n")
    assert explorer.example == 3
    key(explorer, "p", "p")
    assert explorer.example == 1
    key(explorer, "Delete")
    assert explorer.edits == "1()"
    assert len(explorer.state.data) == n - 1
    key(explorer, "a")
    assert (len(explorer.state.data), explorer.example) == (n, n - 1)
    assert explorer.state.data.y[-1] == written(explorer)[1]
    key(explorer, "Backspace")
    assert len(explorer.state.data) == n - 1
    key(explorer, "Ctrl+z", "Ctrl+z", "Ctrl+z", "Ctrl+z")
    assert explorer.edits == ""


def test_keys_that_were_reported_before_are_not_pressed_again(made):
    explorer = made("svm")
    explorer.example = 5
    key(explorer, "n")
    last = explorer.picture.pressed[-1][0]
    explorer.picture.pressed = [[last - 1, "n"], [last, "n"], [last + 1, "n"]]
    assert explorer.example == 7


def test_without_a_chosen_example_keys_do_no_harm(made):
    explorer = made("perceptron")
    key(explorer, "Delete")
    assert explorer.edits == ""
    key(explorer, "ArrowLeft")
    assert (explorer.example, explorer.edits) == (0, "")
    key(explorer, "p")
    assert explorer.example == 39


def test_the_chosen_example_stands_in_a_square(made):
    explorer = made("sgd")
    plain = pixels(explorer)
    explorer.example = 11
    assert_array_equal(explorer._square.get_xydata(), explorer.state.data.X[[11]])
    assert (pixels(explorer) != plain).any()
    explorer.example = -1
    assert_array_equal(pixels(explorer), plain)


def test_bad_edits_are_named_and_change_nothing(explorer):
    reach = explorer.reach
    for edits, message in [
        (f"0({reach + 1:g},0)", "edits must keep x1 and x2 from"),
        ("0(1,nan)", "edits must keep x1 and x2 from"),
        ("999()", "edits must name an example from 0 to"),
        ("?(1,2)", "edits must be like"),
        ("+()", "edits must be like"),
        (5, "edits must be a text"),
    ]:
        with pytest.raises(ValueError, match=message):
            explorer.edits = edits
        assert explorer.edits == ""


def test_a_class_must_keep_an_example_where_there_are_many(made):
    explorer = made("multiclass")
    explorer.set(each=5)
    first = [int(i) for i in np.flatnonzero(explorer.state.data.y == 0)[::-1]]
    with pytest.raises(ValueError, match="edits must leave every class an example"):
        explorer.edits = " ".join(f"{i}()" for i in first)
    explorer.edits = " ".join(f"{i}()" for i in first[:-1])
    assert (explorer.state.data.y == 0).sum() == 1


@pytest.mark.parametrize("label", [-1, 1])
@pytest.mark.parametrize("name", [name for name in EDITING if name != "multiclass"])
def test_one_class_or_one_example_or_one_place_are_survived(made, name, label):
    explorer = made(name)
    y = explorer.state.data.y
    others = [int(i) for i in np.flatnonzero(y != label)[::-1]]
    explorer.edits = " ".join(f"{i}()" for i in others)
    assert set(explorer.state.data.y) == {label}
    assert explorer.sentence.endswith((".", "!"))
    explorer.edits = " ".join(["0()"] * (len(y) - 1))
    assert len(explorer.state.data) == 1
    explorer.edits = " ".join(f"{i}({label},1)" for i in range(len(y)))
    assert explorer.sentence.endswith((".", "!"))


def test_in_chapter_8_a_click_asks_until_a_class_is_chosen(made):
    explorer = made("multiclass")
    place = free_place(explorer)
    press(explorer, place)
    assert explorer.edits == ""
    assert_allclose((explorer.x1, explorer.x2), place, atol=0.06)
    explorer.add()
    assert explorer.edits == f"+0({explorer.x1:g},{explorer.x2:g})"
    explorer.label = "4"  # of three
    press(explorer, (0.0, -5.0))
    assert explorer.edits.count("(") == 1


def test_labels_places_and_examples_are_what_they_must_be(made):
    svm = made("svm")
    for call, said in (
        (lambda: svm.add(0, 0, label=2), "label must be one of -1, 1; got 2"),
        (lambda: made("multiclass").add(0, 0, label=3), "label must be one of 0, 1, 2; got 3"),
        (lambda: svm.add("a", 0), "x1 must be a finite number; got 'a'"),
        (lambda: svm.move(0, 1, np.nan), "x2 must be finite; got nan"),
        (lambda: svm.remove(-1), "example must be an integer >= 0; got -1"),
        (lambda: svm.set(edits=" ".join(["0()"] * 40)), "edits must leave at least one example"),
        (lambda: svm.set(edits="0() 39()"), "edits must name an example from 0 to 38"),
        (lambda: svm.set(edits="+(90,0)"), r"edits must keep x1 and x2 from -60 to 60; got \+\(90,0\)"),
    ):
        with pytest.raises((TypeError, ValueError), match=said):
            call()
    assert svm.edits == ""


def test_buttons_add_remove_and_undo_from_python(made):
    svm = made("svm")
    X = svm.state.data.X
    svm.label = "-1"
    svm.add()
    svm.add(2, -3, label=1)
    svm.remove(0)
    assert svm.edits == "-(0,0) +(2,-3) 0()"
    assert_allclose(svm.state.data.X, [*X[1:], (0, 0), (2, -3)])
    assert_array_equal(svm.state.data.y[39:], [-1, 1])
    svm.undo()
    assert svm.edits == "-(0,0) +(2,-3)"
    assert_allclose(svm.state.data.X[:40], X)


def test_arrows_move_the_ringed_example_of_chapter_3(made):
    explorer = made("loss_space")
    key(explorer, "ArrowLeft", "ArrowLeft", "ArrowDown")
    assert (explorer.x1, explorer.x2) == (13.8, 2.9)
