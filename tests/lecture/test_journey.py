"""The map of the course: what is done is counted from the files that predictions and checks keep."""

import json
from pathlib import Path

import pytest
from matplotlib.figure import Figure

import coursekit as ck
from coursekit.checking import student
from coursekit.checking.journey import TITLES, Journey, Stage
from coursekit.plots import narrowed
from coursekit.predictions import question
from tests.words import troubles

ROOT = Path(__file__).parents[2]


@pytest.fixture
def course(tmp_path, monkeypatch):
    """A course of which nothing is done; inside its notebooks."""
    for part in ("notebooks", "exercises"):
        (tmp_path / part).mkdir()
    for file in (ROOT / "exercises").glob("*/checks.json"):  # beside them may lie the progress of who runs the tests
        (tmp_path / "exercises" / file.parent.name).symlink_to(file.parent)
    monkeypatch.setattr(student, "_written", [])
    monkeypatch.delenv("COURSEKIT_FOLDED")  # set for all tests, see conftest.py at the top
    monkeypatch.chdir(tmp_path / "notebooks")
    return tmp_path


def test_a_course_begins_at_chapter_1(course):
    assert [*TITLES] == [path.stem for path in sorted((ROOT / "notebooks").glob("*.ipynb"))[1:]]
    start = ck.journey()
    assert start.here == "01-linear-classifiers"
    assert 'Begin with <a href="01-linear-classifiers.ipynb"' in start._repr_html_()
    assert repr(start) == f"Ten chapters, {len(question.names())} predictions, 80 tasks."


def test_what_was_done_is_counted_but_not_where_notebooks_are_stored(course, monkeypatch):
    question.keep({"02-perceptron/mistakes": "3", "02-perceptron/no such question": "3"})
    done = {"passed": ["update", "nothing"], "failed": ["perceptron"]}
    (course / "exercises" / student.PROGRESS).write_text(json.dumps(done))
    found = ck.journey()
    assert (found.stages["02-perceptron"].predicted, found.stages["02-perceptron"].solved) == (1, 1)
    assert sum(s.predicted + s.solved for s in found.stages.values()) == 2
    assert found.here == "02-perceptron"
    assert repr(found).startswith("So far: 1 of ")
    monkeypatch.setenv("COURSEKIT_FOLDED", "1")
    assert ck.journey().stages["02-perceptron"].predicted == 0


@pytest.mark.parametrize(("done", "here"), [
    ([0, 0, 0], "a"), ([1, 0, 0], "b"), ([0.5, 0, 0], "a"), ([0.5, 0.5, 0], "b"), ([0, 1, 0], "c"), ([1, 1, 1], None),
    ([0, 0, 1], None),
])
def test_one_goes_on_where_one_was(done, here):
    stages = {name: Stage(2, round(2 * d), 2, round(2 * d)) for name, d in zip("abc", done, strict=True)}
    assert Journey(stages).here == here


def test_a_file_that_cannot_be_read_is_nothing_done(course):
    Path(question.KEPT).write_text("[")
    (course / "exercises" / student.PROGRESS).write_text("{")
    assert not any(stage.done for stage in ck.journey().stages.values())


def test_no_words_of_the_map_lie_on_others():
    fig: Figure = ck.plots.figure(6.4, 4.6)
    ck.plots.journey(fig.add_axes((0, 0, 1, 1)), [*TITLES.values()], [1, 0.5, *[0] * 8], 1)
    fig.canvas.draw()
    assert troubles(fig) == []
    with narrowed(fig):
        fig.canvas.draw()
        assert troubles(fig) == []
        assert fig.get_tightbbox().width < 4.1
