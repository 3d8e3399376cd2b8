"""What every explorer offers for a demonstration: play, compare, hide and fix, one line, save, animate.

And words of a text that touch the picture: what each does, and what of the picture it lights.
"""

import json
import re
import shutil
import subprocess
from html import unescape

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.lines import Line2D
from numpy.testing import assert_array_equal
from PIL import Image

import coursekit as ck
from coursekit.explorers import presets
from coursekit.explorers.controls import script, stops
from tests.faults import faults, refused
from tests.pictures import key, pixels

KINDS = ["svm", "real_data", "sgd"]  # a plane, bars and curves, a map


@pytest.fixture
def svm(made):
    return made("svm")


@pytest.fixture(scope="module")
def sheet():  # as on an exam
    return ck.explorers.svm("lam=0.1", hide=("seed", "k"), fix=["lam", "edits"])


@pytest.mark.slow(keep=2)
@pytest.mark.parametrize("name", KINDS)
def test_a_picture_is_compared_with_the_one_before_and_one_line_leads_there_from_anywhere(made, name):
    explorer = made(name)
    assert explorer.preset == ""
    plain = pixels(explorer)
    lines = {artist.get_xydata().tobytes() for artist in explorer.picture.moving if isinstance(artist, Line2D)}
    explorer.compare()
    explorer.set(seed=4, separability=explorer.controls["separability"].min, eta=0.1)
    explorer.forward("lam", -3)
    ghosts = {ghost.get_xydata().tobytes() for ghost in explorer._ghosts if isinstance(ghost, Line2D)}
    assert max(ghosts) > b""
    assert ghosts <= lines
    compared, there = pixels(explorer), explorer.preset
    explorer.picture.redraw()
    assert_array_equal(pixels(explorer), compared)  # over the kept background as in a full drawing
    explorer.reset()
    assert_array_equal(pixels(explorer), plain)
    explorer.preset = there
    assert explorer.preset == there
    assert_array_equal(pixels(explorer), compared)
    explorer.compare()
    assert np.abs(pixels(explorer).astype(int) - compared).max() > 50
    assert explorer.before == ""


@faults(__file__)
def test_what_cannot_be_is_named_and_nothing_is_written(call, said, error, svm, tmp_path):
    refused(call, said, error, globals(), svm=svm, folder=tmp_path)
    assert (svm.preset, list(tmp_path.iterdir())) == ("", [])


def test_play_goes_through_the_values_of_the_chosen_control(svm):
    player, values = svm.tools.player, stops(svm.controls["eta"])
    svm.tools.opener.value = True
    player.control, player.speed = "eta", 10
    assert (player.play.interval, player.play.playing) == (100, False)
    assert values[player.play.value] == svm.eta
    player.play.value += 3  # what the browser's clock does
    assert svm.eta == values[values.index(0.3) + 3]
    svm.eta = values[-2]
    player.toggle()
    player.play.value += 2  # a tick may come before the end of the run is known
    assert (svm.eta, player.playing) == (values[-1], False)
    player.toggle()
    player.play.value += 1
    assert (svm.eta, player.playing) == (values[0], True)
    player.playing = False
    svm.tools.opener.value = False
    player.control, player.speed = "separability", 5


def test_closing_the_tools_gives_the_run_back_to_its_buttons(made):
    explorer = made("perceptron")
    explorer.tools.opener.value = True
    explorer.tools.player.control = "eta"
    explorer.tools.player.step.click()
    assert explorer.eta == 1.12
    explorer.tools.opener.value = False
    explorer.tools.player.step.click()
    assert (explorer.eta, explorer.visit) == (1.12, 41)


def test_hidden_controls_are_not_shown_and_fixed_ones_stay(sheet):
    shown = {name: (c.layout.display, c.disabled) for name, c in sheet.controls.items()}
    assert shown["seed"] == shown["k"] == ("none", False)
    assert shown["lam"] == shown["edits"] == (None, True)
    assert shown["eta"] == (None, False)
    sheet.set(lam=0.1, seed=3)
    assert sheet.seed == 3
    sheet.reset()
    assert {"lam", "edits", "seed", "k"}.isdisjoint(sheet.tools.player.choices)


@pytest.mark.parametrize("name", KINDS)
def test_every_control_has_one_place_and_the_button_says_how_many_more_there_are(name):
    explorer = getattr(ck.explorers, name)(show="lam seed", hide="eta")
    parts = [explorer.widget]
    for part in parts:
        parts += getattr(part, "children", ())  # the loop goes on through them
    places = {control: sum(part is widget for part in parts) for control, widget in explorer.controls.items()}
    assert set(places.values()) <= {0, 1}
    assert all(places[control] for control, one in explorer.declared.items() if not one.tucked)
    assert explorer.mains == ("lam", "seed")
    others = explorer.tools.drawer.children[0].children
    assert explorer.tools.opener.description == f"More controls {len(others) - 1}"  # without eta
    assert explorer.controls["lam"] not in others


def test_a_fixed_control_is_safe_from_buttons_touch_keys_and_pasted_lines(sheet):
    said = sheet.sentence
    sheet.tools.opener.value = True
    parts = [part for row in sheet.widget.children for part in getattr(row, "children", ())]
    for button in (part for part in parts if getattr(part, "description", "") in ("Add", "Remove", "Undo")):
        button.click()
    sheet.picture.stroke = {"id": 1, "start": [0.2, 0.3], "at": [0.2, 0.3], "done": True}
    key(sheet, "a", "Delete", "ArrowUp")
    assert (sheet.edits, sheet.sentence) == ("", said)
    sheet.tools.line.value = "lam=1"
    assert "lam is fixed at 0.1" in sheet.sentence
    assert sheet.lam == 0.1
    for call, fixed in ((lambda: sheet.set(lam=0.2), "lam is fixed at 0.1; got 0.2"), (sheet.add, "edits is fixed")):
        with pytest.raises(ValueError, match=fixed):
            call()


def test_the_state_can_be_pasted_and_a_bad_line_is_answered(svm):
    svm.tools.opener.value = True
    for typed, kept in (("seed=7 lam=1.0", "lam=1 seed=7"), ("seed=7 lam=0.2", "lam=0.2 seed=7")):
        svm.tools.line.value = typed
        assert (svm.seed, svm.tools.line.value) == (7, kept)
    said = svm.sentence
    for typed, problem in (("seed=700", "seed must be a whole number from 0 to 99; got 700.0"),
                           ('seed="7', "must close its quotes")):
        svm.tools.line.value = typed
        assert re.fullmatch(f"This line cannot be a state. .*{problem}.*. {re.escape(said)}", svm.sentence)
    svm.tools.line.value = "seed=7 lam=0.2"
    assert (svm.sentence, svm.preset) == (said, "lam=0.2 seed=7")
    svm.tools.opener.value = False


@pytest.mark.slow(keep=1)
@pytest.mark.parametrize("name", KINDS)
def test_saved_pictures_hold_all_that_moves_and_overwrite_nothing(made, name, tmp_path):
    explorer, (png, svg, gif) = made(name), (tmp_path / f"a.{kind}" for kind in ("png", "svg", "gif"))
    shown = pixels(explorer)
    explorer.save(png)
    saved = Image.open(png).convert("RGB")
    assert saved.size == (3 * shown.shape[1], 3 * shown.shape[0])
    assert np.abs(np.asarray(saved.resize(shown.shape[1::-1], Image.Resampling.BOX), int) - shown[..., :3]).mean() < 8
    with mpl.rc_context({"svg.fonttype": "none"}):
        explorer.save(svg)
    text = svg.read_text(encoding="utf-8")
    lettering = [a for a in explorer.picture.moving if hasattr(a, "_words") and a.axes.get_visible()]
    words = {word.text.strip() for artist in lettering for word in artist._words}
    assert words <= {part.strip(" -") for part in re.split("[<>]", unescape(text))}
    assert name != "svm" or "<image" not in text
    assert_array_equal(pixels(explorer), shown)
    gif.write_text("mine")
    for write in (lambda: explorer.save(svg), lambda: explorer.gif("lam", gif)):
        with pytest.raises(FileExistsError, match=r"path must be new, or overwrite=True; .*' exists"):
            write()
    assert (svg.read_text("utf-8"), gif.read_text()) == (text, "mine")
    explorer.save(svg, overwrite=True)
    assert sorted(tmp_path.iterdir()) == [gif, png, svg]


def test_a_gif_shows_the_values_of_a_control_in_turn(svm, tmp_path, capsys):
    svm.set(seed=5)
    state = svm.preset
    svm.gif("example", tmp_path / "a.gif", frames=4)
    assert svm.preset == state
    gif = Image.open(tmp_path / "a.gif")
    assert (gif.n_frames, gif.size, gif.info["duration"]) == (4, (900, 520), 200)
    for k, example in enumerate([0, 13, 26, 39]):
        svm.example = example
        gif.seek(k)
        shown = Image.fromarray(pixels(svm)[..., :3]).quantize(dither=Image.Dither.NONE)
        assert_array_equal(gif.convert("RGB"), shown.convert("RGB"))
    assert "4/4" in capsys.readouterr().err


def test_the_save_button_hands_the_browser_a_file(svm, monkeypatch):
    sent = []
    monkeypatch.setattr(svm.picture, "send", lambda content, buffers: sent.append((content["download"], buffers[0])))
    svm.tools.player.control = "label"
    for kind, start in (("PNG", b"\x89PNG"), ("SVG", b"<?xml"), ("PDF", b"%PDF"), ("GIF", b"GIF")):
        svm.tools.kind.value = kind
        svm.tools.save.click()
        name, content = sent.pop()
        assert (name, content[: len(start)]) == (f"svm.{kind.lower()}", start)
    assert svm.tools.progress.layout.display == "none"


def test_keys_in_the_picture_work_the_tools(svm):
    svm.tools.player.control = "seed"
    key(svm, ".", ".", ",", "c")
    assert (svm.seed, "seed=1" in svm.before) == (1, True)
    key(svm, "c", " ")
    assert (svm.before, svm.tools.player.playing) == ("", True)
    svm.tools.player.playing = False


def test_words_set_controls_step_play_reset_and_go_to_a_preset():
    explorer = ck.explorers.sgd("lam=1")
    for word, reached in (("lam=0.1", {"lam": 0.1}), ("lam=0.2&k=40", {"lam": 0.2, "k": 40}), ("step", {"k": 41}),
                          ("order=shuffle", {"order": "shuffle"}), ("reset", {"k": 400, "order": "random"})):
        explorer.picture._handle_custom_msg({"word": word}, [])  # as the page does
        assert {name: explorer.values[name] for name in reached} == reached
    for playing in (True, False):
        explorer.tools.do("play")
        assert explorer.tools.player.playing == playing
    name, preset = next(iter(presets.SHOWS["sgd"]["presets"].items()))
    explorer.tools.do(f"preset={name}")
    assert explorer.preset == ck.explorers.sgd(preset["line"]).preset  # whatever was set before


def test_what_cannot_be_is_said_under_the_picture_and_changes_nothing(sheet):
    sheet.reset()
    before = sheet.sentence
    for word, said in (
        ("lamm=1", 'control must be one of .*: do you mean "lam"'), ("eta=99", "eta must be a number from"),
        ("jump", "preset must be like"), ("preset=nowhere", "preset must be one of"), ("lam=1", "lam is fixed"),
    ):
        for _ in range(2):
            sheet.picture._handle_custom_msg({"word": word}, [])
            assert re.fullmatch(f"“{re.escape(word)}” cannot be. {said}.*. {re.escape(before)}", sheet.sentence)
    assert sheet.preset == "lam=0.1"


@pytest.mark.skipif(shutil.which("node") is None, reason="no node on PATH: `apt install nodejs`")
def test_a_field_understands_numbers_as_people_write_them():
    meant = {"1e-3": 0.001, "1e−3": 0.001, "1,5": 1.5, "−2": -2, "- 2": -2, " 3 ": 3, "1 000": 1000, "1.234,5": 1234.5,
             "1,234.5": 1234.5, "１２": 12, "٤٥": 45, "٠٫١": 0.1, "−۳": -3, "१२": 12, "٣٬٠٠٠": 3000}
    texts = [*meant, "", "abc", "1/2", "1 2", "٫", "1e", "--2", "∞"]
    asked = f"{script('field.js')}; console.log(JSON.stringify(JSON.parse(process.argv[1]).map(typed)))"
    done = subprocess.run(["node", "-e", asked, json.dumps(texts)], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == [meant.get(text) for text in texts]  # JSON has null for what is no number
