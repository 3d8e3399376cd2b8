"""The running orders: one truth for the page and for TEACHING.md, and what is voted on stands alone."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from coursekit.explorers import presets
from coursekit_lecture import running

GUIDE = Path(__file__).parents[2] / "notebooks" / "TEACHING.md"
CHAPTERS = sorted(path.stem for path in running.COURSE.glob("*.toml"))
VOTES = [step for name in CHAPTERS for step in running.read(name).steps if step.vote]


def test_the_guide_is_made_from_the_running_orders():
    assert running.teaching() == GUIDE.read_text("utf-8")
    assert sorted(path.stem for path in GUIDE.parent.glob("[01][0-9]-*.ipynb") if path.stem[:2] != "00") == CHAPTERS


@pytest.mark.parametrize("name", CHAPTERS)
def test_a_lecture_begins_at_0_fits_its_minutes_and_shows_what_there_is(name):
    order = running.read(name)
    minutes = [step.minute for step in order.steps]
    assert minutes[0] == 0
    assert minutes == sorted(set(minutes))
    assert minutes[-1] < order.minutes == 45
    assert len(order.points) == 3
    for step in order.shown:
        assert bool(step.show) + bool(step.vote) + bool(step.screen) == 1
        assert step.minute is None or step.say
        for line in filter(None, (step.show, step.picture)):
            explorer, controls = running.explorer(line)
            assert explorer in presets.SHOWS
            assert "=" in controls
    line = next(step.show for step in order.steps if step.show)
    named = replace(order, misconception=f"Open `coursekit demo {line}`.")  # which is a step already
    assert line not in [step.show for step in named.shown[len(order.steps):]]
    titles = [step.title for step in order.shown]
    assert len({*titles}) == len(titles)
    assert max(map(len, titles)) <= 24  # a strip of a dozen is read at a glance


@pytest.mark.parametrize("step", VOTES, ids=lambda step: step.vote)
def test_a_vote_stands_alone(step):
    """In the hall nobody sees the chapter: what is asked about is said, or shown beside it."""
    assert step.asks.name.partition("/")[0] in CHAPTERS
    assert len(step.asked.split()) <= 60
    assert not re.search(r"\b(again|these|once more|the same|our)\b|\bThe line (?!x)", step.asked)
    assert bool(step.picture) + bool(step.code) + bool(step.table) + bool(step.asks.picture) == 1
    assert len({len(row) for row in step.table}) <= 1


def test_a_lecture_of_ones_own_is_read_and_each_fault_named(tmp_path):
    file = tmp_path / "mine.toml"
    (tmp_path / "flowers.csv").write_text("length,width,kind\n1,2,rose\n2,1,lily\n3,3,rose\n")
    good = """title = "Mine"
    [[steps]]
    title = "Flowers"
    minute = 0
    show = "svm lam=0.1"
    data = "flowers.csv"
    target = "kind"
    [[steps]]
    title = "Vote"
    minute = 5
    outcome = "svm outlier-forgiven"
    [steps.vote]
    question = "How wide?"
    right = "wider"
    answers = {"wider" = "Yes.", "narrower" = "No."}
    """
    file.write_text(good)
    order = running.read(str(file))
    assert order.steps[1].asks.choices == ["wider", "narrower"]
    data = running.table(order.folder / "flowers.csv", "kind", ["width"])
    assert (data.X.tolist(), data.y.tolist(), data.classes) == ([[2], [1], [3]], [1, -1, 1], ("lily", "rose"))
    for there, instead, said in (
        ("svm lam", "svn lam", 'step 1, .*explorer must be one of .*do you mean "svm"'),
        ("svm lam=0.1", "svm softmargin", "step 1, 'Flowers': preset must be one of"),
        ('"kind"', '"sort"', "step 1, .*target must be one of 'length', 'width', 'kind'; got 'sort'"),
        ('right = "wider"', 'right = "wide"', "step 2, 'Vote': right must be one of the answers"),
        ('"narrower" = "No."', ", ".join(f'"{k}" = "No."' for k in range(8)), "step 2, .*options must be 2 to 8"),
        ("minute = 5", "minutes = 5", "step 2: key must be one of"),
        ('title = "Vote"', "", "step 2: .*title"),
        ("[[" + good.partition("[[")[2], "", "steps are missing"),
        ("outcome =", 'picture = "photo.png"\n    outcome =', "step 2, .*picture must be a file .* no photo.png"),
        ("outcome =", 'picture = "photo.jpg"\n    outcome =', "step 2, .*explorer must be one of"),
        ("flowers.csv", "weeds.csv", "step 1, .*No such file"),
    ):
        file.write_text(good.replace(there, instead))
        with pytest.raises(ValueError, match=f"mine.toml: {said}"):
            running.read(str(file))
    with pytest.raises(ValueError, match=r"lecture must be a chapter, one of 01-linear.*, or a file .*; got '12'"):
        running.read("12")
    assert running.read("2") == running.read("02") == running.read("02-perceptron")
