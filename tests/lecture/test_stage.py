"""The kernel's side of a lecture: each step is made, what is so only when it is asked for, and in the style of now."""

import asyncio
import json
import re
from pathlib import Path

import matplotlib.pyplot as plt
import pytest
from matplotlib.colors import same_color, to_hex
from PIL import Image

import coursekit as ck
from coursekit.predictions import predict
from coursekit_lecture.stage import DONE, READY, Scenes

pytestmark = pytest.mark.usefixtures("loopless")

DOCS = Path(__file__).parents[2] / "docs" / "lecture.md"
BEGIN = {"step": 0, "style": "light", "outcomes": [], "places": {}, "lines": {}, "link": [0, "", 0]}


@pytest.fixture
def played(tmp_path, monkeypatch):
    """played(which, *asks): what a stage shows after each of these, as the page asks."""
    monkeypatch.setattr(predict, "asked", {})
    monkeypatch.chdir(tmp_path)
    (tmp_path / "asked.json").write_text(json.dumps(BEGIN))

    async def play(which, asks):
        stage = Scenes(which)
        for ask in ({}, *asks):
            stage.asked = {**stage.asked, **ask}
            while stage.work():
                pass
            yield stage

    def run(which, *asks):
        steps = play(which, asks)
        with asyncio.Runner() as runner:
            for _ in range(len(asks) + 1):
                yield runner.run(anext(steps))

    return run


def test_what_is_so_lies_ready_beside_the_question(played, capsys):
    before = Path.cwd()
    stage = next(played("02-perceptron/mistakes"))
    *failed, told = stage.boxes[0].children
    assert [widget.value for widget in failed] == []
    assert stage.made == {"0": DONE}
    assert told.children[0].value.count("<tr") == 19  # the run has 18 visits, by hand
    assert (capsys.readouterr().out, plt.get_fignums(), Path.cwd()) == ("", [], before)  # the chapter was run silently


def test_the_picture_of_a_question_has_the_style_of_the_lecture_and_marks_of_the_hall(played, tmp_path):
    steps = played("04-gradient-descent/downhill", {"style": "dark"}, {"places": {"0": [[1.0, 0.5], [-2.0, 0.1]]}},
                   {"outcomes": [0]})
    for look, stage in zip((ck.plots.STYLES["light"], ck.plots.STYLES["dark"]), steps, strict=False):
        figure = stage.things[0].figure
        assert same_color(figure.get_facecolor(), look.paper)
        assert same_color(figure.axes[0].xaxis.label.get_color(), look.ink)
    next(steps)
    assert predict.asked["04-gradient-descent/downhill"].place.places == [[1.0, 0.5], [-2.0, 0.1]]
    assert stage.marked == {0: []}  # what was made ahead
    assert next(steps).marked == {0: [[1.0, 0.5], [-2.0, 0.1]]}
    where = json.loads((tmp_path / "0.json").read_text())
    assert where["place"] == [[-3.5, 2.0], [-0.7, 1.0]]  # the map that the chapter draws
    left, below, right, above = where["box"]
    assert 0 <= left < right <= 1 >= above > below >= 0
    assert (tmp_path / "0.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.slow
def test_a_picture_of_the_chapters_and_one_of_an_explorer_are_drawn_anew_in_another_style(played, tmp_path):
    seen = []
    # The first draws what the cell that asks has made.
    for vote in ("02-perceptron/twelve", "01-linear-classifiers/new"):
        for stage in played(vote, {"style": "dark"}):
            assert "<img" in stage.boxes[0].children[0].value
            paper = Image.open(tmp_path / "0.png").convert("RGB").getpixel((0, 0))
            seen.append(to_hex([part / 255 for part in paper]))
    assert seen == 2 * [ck.plots.STYLES[style].paper.lower() for style in ("light", "dark")]


def test_the_lecture_of_ones_own_in_the_docs_runs_and_a_step_that_fails_says_so(played, tmp_path):
    (example,) = re.findall(r"```toml\n(.*?)```", DOCS.read_text("utf-8"), re.DOTALL)
    flowers = "\n".join(f"{k % 7},{k % 5},{k},{'rose' if k % 7 > k % 5 else 'lily'}" for k in range(20))
    (tmp_path / "flowers.csv").write_text(f"length,width,number,kind\n{flowers}\n")
    broken = '[[steps]]\ntitle = "Too much"\nminute = 15\nshow = "svm lam=many"\n'
    (tmp_path / "mine.toml").write_text(example + broken)
    asks = {"link": [0, "lam=0.01", 1]}, {"style": "projector"}, {"step": 1, "outcomes": [1]}
    steps = played(str(tmp_path / "mine.toml"), *asks)
    stage = next(steps)
    assert stage.things[0].state.data.features == ("length", "width")
    assert len(stage.things[0].state.data) == 20
    assert stage.made == {"0": READY, "1": DONE, "2": READY, "3": READY}
    light = stage.boxes[1].children[0].children[0]
    assert "ValueError" in stage.boxes[3].children[0].value
    stage.things[0].tools.player.playing = True
    for style in ("light", "projector"):
        next(steps)
        assert (stage.things[0].lam, stage.things[0].style) == (0.01, style)
    assert stage.things[0].tools.player.playing
    next(steps)
    assert not stage.things[0].tools.player.playing  # it is not in view any more
    (told,) = stage.boxes[1].children
    assert "street" in told.children[0].children[0].sentence  # the explorer that the file names
    assert told.children[0] is not light  # but made anew in the style of now
