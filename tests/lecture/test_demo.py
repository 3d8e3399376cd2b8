"""What the lecturer opens: every preset shows what its name says, every error is one sentence.

And the running orders: one truth for the page and for TEACHING.md, and what is voted on stands alone.
"""

import re
import signal
import subprocess
import sys
import tomllib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import coursekit as ck
from coursekit.cli import main
from coursekit.explorers import presets
from coursekit.predictions import question
from coursekit_lecture import lab, running
from coursekit_lecture.serve import Hall

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
OWN = tomllib.loads(Path(__file__).with_name("own.toml").read_text("utf-8"))
CHAPTERS = sorted(path.stem for path in running.COURSE.glob("*.toml"))
VOTES = [step for name in CHAPTERS for step in running.read(name).steps if step.vote]
GUIDE = (NOTEBOOKS / "TEACHING.md").read_text("utf-8")
PRESETS = {(explorer, preset) for explorer, show in presets.SHOWS.items() for preset in show["presets"]}


def test_every_explorer_and_every_chapter_has_presets_and_each_is_tested():
    assert set(SHOWN) == PRESETS
    assert set(presets.SHOWS) == set(ck.explorers.__all__)
    assert {show["chapter"] for show in presets.SHOWS.values()} == {int(name[:2]) for name in CHAPTERS}
    assert all(len(show["presets"]) >= 4 for show in presets.SHOWS.values())
    assert all(re.fullmatch("[a-z0-9]+(-[a-z0-9]+)*", name) for _, name in PRESETS)


def errors(state):
    return state.misclassified


def separable(data):
    return np.isfinite(ck.mistake_bound(data.X, data.y).mistakes)


def changed(explorer, **change):
    """The state after a change of some controls."""
    explorer.set(**change)
    return explorer.state


def costs(before, after):
    """Whether there are more errors on the validation part, and on the training part."""
    return before.share > after.share, before.training_share >= after.training_share


def more_errors_are_cheaper(now, before):
    return now.threshold == now.cheapest and now.share > before.share and now.cost[0] < 0.7 * before.cost[0]


def same_line_of_other_length(before, after):
    return all([
        np.allclose(before.agreements, 4 * after.agreements), np.allclose(before.distances, after.distances),
        before.misclassified == after.misclassified,
    ])


def same_decisions(before, after):
    return np.array_equal(before.when, after.when) and np.allclose(10 * before.theta, after.theta)


CLAIMS = tomllib.loads(Path(__file__).with_name("shown.toml").read_text("utf-8"))
SHOWN = {(explorer, name): claim for explorer, claims in CLAIMS.items() for name, claim in claims.items()}


@pytest.mark.parametrize(("explorer", "name"), list(SHOWN), ids=map(" ".join, SHOWN))
def test_a_preset_shows_what_its_name_says(made, explorer, name):
    shown = made(explorer)
    shown.set(presets.line(explorer, name))
    assert eval(SHOWN[explorer, name], globals() | {"e": shown})


def test_every_command_of_the_guide_is_a_known_preset():
    named = re.findall(r"`coursekit demo\s+(\w+)\s+([\w/-]+)`", GUIDE)
    assert len(named) == len(re.findall(r"`coursekit demo\s", GUIDE))
    assert {*named} <= PRESETS | {("predict", name) for name in question.names()}


def test_a_demo_has_all_presets_of_its_explorer_and_the_other_explorers_at_hand():
    for explorer, preset, begin in (("svm", "one-outlier", 4), ("svm", "lam=0.5 seed=3", 0), ("loss_space", "", 0)):
        order = running.read(f"{explorer} {preset}".strip())
        assert order.steps[order.begin].show == f"{explorer} {preset}"
        assert order.begin == begin
        shown = [tuple(step.show.split(" ", 1)) for step in order.shown]
        assert {(explorer, name) for name in presets.SHOWS[explorer]["presets"]} <= {*shown}
        assert {name for name, _ in shown} == {*presets.SHOWS}


def test_without_voila_it_says_how_to_get_it(monkeypatch):
    for name in [name for name in sys.modules if name.startswith("coursekit_lecture.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "voila.app", None)
    with pytest.raises(SystemExit, match=r'^coursekit demo: voila.* is not .* pip install "linear-classi'):
        main(["demo", "svm"])


def test_the_list_names_every_preset_and_its_point_and_like_errors_starts_neither_plots_nor_widgets():
    """They must come at once. In a Python of its own, where nothing is loaded yet."""
    script = (
        "import sys\nfrom coursekit.cli import main\nmain(['demo'])\ntry:\n    main(['demo', 'svn'])\n"
        "except SystemExit as error:\n    print(error)\n"
        "print({'matplotlib', 'ipywidgets', 'voila'} & set(sys.modules))")
    said = subprocess.run([sys.executable, "-c", script], capture_output=True, encoding="utf-8").stdout
    for explorer, show in presets.SHOWS.items():
        assert f"{explorer} (chapter {show['chapter']}): {show['about']}" in said
        assert all(name in said and preset["point"] in said for name, preset in show["presets"].items())
    assert "explorer must be" in said
    assert said.endswith("set()\n")


def test_voila_listens_here_alone_sends_at_once_and_takes_no_wishes(monkeypatch, tmp_path):
    """As the server is started, whatever a settings file in this folder says."""
    from voila.app import Voila

    (tmp_path / "voila.json").write_text('{"Voila": {"ip": "0.0.0.0", "token": ""}}')
    monkeypatch.chdir(tmp_path)
    started = []
    monkeypatch.setattr(Voila, "start", lambda self: started.append((self, self.init_settings())))
    before = signal.getsignal(signal.SIGTERM)
    try:
        main(["demo", "svm", "hard-margin", "--no-browser"])
    finally:
        signal.signal(signal.SIGTERM, before)
        Hall.clear_instance()
    (voila, settings), = started
    assert settings["kernel_websocket_connection_class"] is lab.PromptConnection
    assert (voila.ip, len(voila.token) >= 32) == ("localhost", True)
    chosen = voila.voila_configuration
    assert (chosen.allow_template_override, chosen.allow_theme_override) == ("NO", "NO")
    assert not Path(voila.notebook_path).exists()  # nothing stays behind


def test_the_guide_is_made_from_the_running_orders():
    assert running.teaching() == GUIDE
    assert sorted(path.stem for path in NOTEBOOKS.glob("[01][0-9]-*.ipynb") if path.stem[:2] != "00") == CHAPTERS


@pytest.mark.parametrize("name", CHAPTERS)
def test_a_lecture_begins_at_0_fits_its_minutes_and_shows_what_there_is(name):
    order = running.read(name)
    minutes = [step.minute for step in order.steps]
    assert minutes == sorted(set(minutes))
    assert minutes[0] == 0 < minutes[-1] < order.minutes == 45
    assert len(order.points) == 3
    assert presets.SHOWS[re.search(r"`coursekit demo (\w+)", order.open)[1]]["chapter"] == int(name[:2])
    assert "?" in order.ask
    assert re.search(r"\*[^*]+\*", order.misconception)
    for step in order.shown:
        assert bool(step.show) + bool(step.vote) + bool(step.screen) == 1
        assert step.minute is None or step.say
        assert all("=" in running.explorer(line)[1] for line in (step.show, step.picture) if line)
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
    file.write_text(OWN["lecture"])
    order = running.read(str(file))
    assert order.steps[1].asks.choices == ["wider", "narrower"]
    data = running.table(order.folder / "flowers.csv", "kind", ["width"])
    assert (data.X.tolist(), data.y.tolist(), data.classes) == ([[2], [1], [3]], [1, -1, 1], ("lily", "rose"))
    (tmp_path / "german.csv").write_bytes("Länge;Blatt breit;Art\r\n5,1;3,5;Rose\r\n4;2.5;Lilie\r\n".encode("cp1252"))
    data = running.table(tmp_path / "german.csv", "Art", [])
    assert (data.X.tolist(), data.features, data.classes) == ([[5.1, 3.5], [4, 2.5]], ("Länge", "Blatt breit"),
                                                              ("Lilie", "Rose"))  # fmt: skip
    (tmp_path / "gaps.csv").write_text("length,width,kind\n1,2,rose\n3,,lily\n")
    for there, instead, said in OWN["faults"]:
        file.write_text(OWN["lecture"].replace(there, instead))
        with pytest.raises(ValueError, match=f"mine.toml: {said}"):
            running.read(str(file))
    with pytest.raises(ValueError, match=r"lecture must be a chapter, one of 01-linear.*, or a file .*; got '12'"):
        running.read("12")
    assert running.read("2") == running.read("02") == running.read("02-perceptron")
