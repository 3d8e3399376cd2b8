"""What is drawn as an answer: measured by hand-made draws, kept from the page until it was answered."""

import json

import matplotlib.pyplot as plt
import numpy as np
import pytest

import coursekit as ck
from coursekit.explorers.question import Question
from coursekit.explorers.sketch import Freehand
from tests.explorers.test_predict import FILE


def sketch(kind, right, draws=None, unit="", **axes):
    figure, made = plt.subplots()
    made.set(**{"xlim": (0, 10), "ylim": (0, 100), "xlabel": "x", "ylabel": "y"} | axes)
    question = Question("", "?", tuple(map(float, right)), {}, draw=kind, picture="Empty axes.", unit=unit)
    drawn = Freehand(figure, question)
    if draws is not None:
        assert drawn.takes(np.array(draws))
    return drawn


VALLEY = [[70, 50, 10, 40, 50], [50, 30, 30, 20, 70]]  # mean 60, 40, 20, 30, 60; lowest in the middle, at 5


@pytest.mark.parametrize(("own", "said"), [
    ((60, 40, 20, 30, 60), "On average you are 0 percentage points off. At 5 of 5 places you are within the 2 draws."),
    ((64, 44, 24, 34, 64), "On average you are 4 percentage points off, mostly too high. At 5 of 5 places"),
    ((60, 20, 40, 50, 76), "On average you are 15 percentage points off, too low on the left, too high on the right. "
                           "Yours is lowest at 2.5, the true one at 5. At 1 of 5 places you are within the 2 draws."),
])
def test_a_curve_is_told_how_far_it_is_off_where_it_turns_and_how_often_it_is_within_the_draws(own, said):
    assert sketch("curve", VALLEY[0], VALLEY, "%").told(own).startswith(said)


def test_a_street_is_told_its_width_and_both_ends():
    drawn = sketch("street", (40, 60, 10), [(30, 60, 8), (50, 60, 12)], "cm")
    said = "Your street is 1.5 times as wide. Its middle is 5 cm too high on the left and 2 cm too low on the right."
    assert drawn.told((45, 58, 15)) == said


def test_a_path_is_measured_along_its_way_whatever_its_points():
    corner = sketch("path", (0, 0, 0, 10, 10, 10), [(0, 0, 0, 10, 10, 10)])
    assert corner.told((0, 0, 0, 5, 0, 10, 10, 10)).startswith("On average your path is 0 away")
    # After a share t of both ways, t below 1/2, they are at (10t, 10t) and (0, 20t): sqrt(2) 10t apart, 3.5 on average.
    assert corner.told((0, 0, 5, 5, 10, 10)).startswith("On average your path is 3.5 away, ")
    assert corner.told((0, 0, 3, 10, 10, 10)).endswith(" away, mostly too far right.")


def test_the_page_counts_in_shares_and_names_the_places_of_an_axis_of_powers():
    drawn = sketch("curve", (10, 20, 30, 40), xscale="log", xlim=(0.001, 1))
    form = drawn.form()
    assert form["places"] == ["0.001", "0.01", "0.1", "1"]
    assert drawn.answer([0, 0.5, 1, 0.25]) == [0, 50, 100, 25]
    np.testing.assert_allclose(drawn.shares((0, 50, 100, 25)), [0, 0.5, 1, 0.25])
    left, top, width, height = form["box"]
    np.testing.assert_allclose([left, 1 - top - height, left + width, 1 - top], drawn.axes.get_position().extents)
    street = sketch("street", (40, 60, 10), ylim=(-100, 100))
    np.testing.assert_allclose(street.shares((0, 50, 20)), [0.5, 0.75, 0.1])
    path = sketch("path", (0, 0, 5, 50, 10, 100))
    np.testing.assert_allclose(path.shares((5, 100, 10, 0, 0, 50)), [0.5, 1, 1, 0, 0, 0.5])


def test_only_the_ends_of_a_path_are_known_before_the_answer():
    begun = {kind: sketch(kind, right).form()["start"] for kind, right in {
        "curve": (10, 20, 30), "street": (40, 60, 10), "path": (1, 90, 2, 10, 9, 20, 5, 50)}.items()}
    assert begun["curve"] == [0.5] * 3
    assert begun["street"] == [0.5, 0.5, 0.12]
    np.testing.assert_allclose(np.reshape(begun["path"], (-1, 2)), np.linspace((0.1, 0.9), (0.5, 0.5), 4))


def test_the_draws_come_with_the_answer_and_are_drawn_into_the_fold(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "predictions").mkdir()
    (tmp_path / "predictions" / "sky.toml").write_text(FILE)
    figure, axes = plt.subplots()
    axes.set(xlim=(0, 3), ylim=(-200, 200))
    draws = np.array([[-120, -20, 80, 0], [-80, 20, 120, 0]])
    asked = ck.predict("sky/shape", lambda: [draws, "the outcome", plt.subplots()[0]], figure)
    known = json.dumps([asked.form.sketch, asked.form.result, asked.form.choices])
    assert not any(secret in known for secret in ("right", "0.75", "-100", "rises"))
    asked._received(asked.form, {"commit": [0.25, 0.5, 0.75, 0.6]}, [])
    assert asked.answer == (-100, 0, 100, 40)
    result = asked.form.result
    assert (result["own"], result["right"]) == ([0.25, 0.5, 0.75, 0.6], [0.25, 0.5, 0.75, 0.5])
    np.testing.assert_allclose(result["draws"], (draws + 200) / 400)
    assert result["said"].startswith("**Close enough.** On average you are 10 km off")
    assert "the outcome" in asked.below.children[1].value
    assert 'alt="A line."' in asked.below.children[2].value  # nothing that was drawn belongs into it
    lines, png = [], asked.sketch.picture.png
    monkeypatch.setattr(asked.sketch.picture, "png", lambda: lines.extend(axes.lines) or png())
    fold = asked.folded()
    assert fold.count("<img") == 3
    assert 'alt="Empty axes. In it what is true, the mean of 2 draws: -100, 0, 100, 0."' in fold
    drawn = [line for line in lines if len(line.get_ydata()) == 4]
    np.testing.assert_allclose([line.get_ydata() for line in drawn], np.vstack([draws, draws.mean(axis=0)]) / 400 + 0.5)
    assert not {*drawn} & {*axes.lines}
