"""What every explorer offers for a demonstration: play, compare, hide and fix, one line, save, animate."""

import re
from operator import attrgetter

import matplotlib as mpl
import numpy as np
import pytest
from numpy.testing import assert_array_equal
from PIL import Image

import coursekit as ck
from coursekit.explorers.controls import limits, stops
from tests.pictures import key, pixels

LINE = {
    "descent": "landscape.path", "hyperplane": "boundary.line", "loss_space": "boundary.line",
    "parallel": "answers.rays", "perceptron": "boundary.line", "sgd": "boundary.line", "svm": "street.boundary.line",
}  # fmt: skip


@pytest.fixture(params=ck.explorers.__all__)
def explorer(made, request):
    return made(request.param)


@pytest.fixture
def svm(made):
    return made("svm")


@pytest.fixture(scope="module")
def sheet():
    """An explorer as it could stand on an exam sheet."""
    return ck.explorers.svm("lam=0.1", hide=("seed", "k"), fix=["lam", "edits"])


def elsewhere(explorer):
    """Some state that is not the start."""
    explorer.set(seed=4, separability=limits(explorer.controls["separability"])[0], eta=0.1)
    explorer.forward("lam", -3)


@pytest.mark.slow(keep=3)
def test_a_line_says_what_differs_and_leads_to_the_same_picture_from_anywhere(explorer):
    assert explorer.preset == ""
    explorer.seed = 2
    assert explorer.preset == "seed=2"
    elsewhere(explorer)
    line, picture = explorer.preset, pixels(explorer)
    assert set(re.findall(r"(\w+)=", line)) <= {"seed", "separability", "eta", "lam"}
    explorer.reset()
    explorer.set(seed=9)
    explorer.forward("lam")
    explorer.preset = line
    assert explorer.preset == line
    assert_array_equal(pixels(explorer), picture)


def test_a_picture_can_be_compared_with_the_one_before(explorer):
    plain = pixels(explorer)
    explorer.compare()
    elsewhere(explorer)
    compared, line = pixels(explorer), explorer.preset
    explorer.reset()
    assert_array_equal(pixels(explorer), plain)
    explorer.preset = line
    assert_array_equal(pixels(explorer), compared)
    explorer.compare()
    assert np.abs(pixels(explorer).astype(int) - compared).max() > 50
    assert explorer.before == ""


@pytest.mark.parametrize("name", LINE)
def test_what_is_kept_is_the_line_of_before(made, name):
    explorer = made(name)
    line = attrgetter(LINE[name])(explorer)
    before = line.get_xydata()
    explorer.compare()
    elsewhere(explorer)
    if name == "hyperplane":  # where the line is moved by hand
        explorer.angle = 40
    kept = [ghost.artists[0].get_xydata() for ghost in explorer._ghosts if ghost.artists[0].axes is line.axes]
    assert_array_equal(kept[0], before)
    assert np.nanmax(np.abs(line.get_xydata() - before)) > 0.01


def test_a_kept_curve_follows_the_scale_of_its_axes(made):
    explorer = made("real_data")
    explorer.compare()
    error = explorer.state.curves["validation"]
    explorer.set(separability=-4.0, method="perceptron")
    ghost = explorer._ghosts[0].artists[0]
    high = explorer.curves.ruler.scale["y"]
    places = (ghost.get_transform() - explorer.curves.ax.transData).transform(ghost.get_xydata())
    np.testing.assert_allclose(places[:, 1], 100 * error / high)


@pytest.mark.parametrize(("line", "message"), [("lam=2 more", "like"), ("before='lam=1'", "before must be one state"),
                                               ("nothing=1", "control must be one of"), ("lam=99", "lam must be")])
def test_what_cannot_be_compared_with_is_named(svm, line, message):
    with pytest.raises(ValueError, match=message):
        svm.before = line
    assert svm.before == ""


@pytest.mark.slow(keep=1)
def test_any_control_can_be_stepped_through(explorer):
    for name in explorer.tools.player.choices:
        explorer.reset()
        values = stops(explorer.controls[name])
        explorer.rewind(name)
        assert getattr(explorer, name) == values[0]
        explorer.forward(name)
        assert getattr(explorer, name) == values[1]
        explorer.forward(name, -5)
        assert getattr(explorer, name) == values[0]


def test_play_goes_through_the_values_of_the_chosen_control(svm):
    player = svm.tools.player
    svm.tools.opener.value = True
    player.control, player.speed = "eta", 10
    assert (player.play.interval, player.play.playing) == (100, False)
    values = stops(svm.controls["eta"])
    assert values[player.play.value] == svm.eta
    player.play.value += 3  # what the browser's clock does
    assert svm.eta == values[values.index(0.3) + 3] == svm.state.eta
    svm.eta = values[-2]
    player.toggle()
    assert player.playing
    player.play.value += 2  # a tick may come before the end of the run is known
    assert (svm.eta, player.playing) == (values[-1], False)
    player.toggle()
    player.play.value += 1
    assert (svm.eta, player.playing) == (values[0], True)
    player.playing = False
    svm.tools.opener.value = False
    player.control, player.speed = "separability", 5


@pytest.mark.parametrize(
    ("attribute", "value", "message"),
    [("control", "edits", "control must be one of 'separability', .*; got 'edits'"), ("speed", 3, "speed must be one"),
     ("playing", "yes", "playing must be one of True, False; got 'yes'")],
)
def test_the_player_names_what_it_cannot_do(svm, attribute, value, message):
    with pytest.raises(ValueError, match=message):
        setattr(svm.tools.player, attribute, value)


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
    with pytest.raises(ValueError, match=r"lam is fixed at 0.1; got 0.2"):
        sheet.lam = 0.2
    sheet.set(lam=0.1, seed=3)
    assert sheet.seed == 3
    with pytest.raises(ValueError, match="edits is fixed"):
        sheet.add()
    sheet.reset()
    assert {"lam", "edits", "seed", "k"}.isdisjoint(sheet.tools.player.choices)


def test_a_fixed_control_is_safe_from_buttons_touch_keys_and_pasted_lines(sheet):
    said = sheet.sentence
    sheet.tools.opener.value = True
    for row in sheet.widget.children:
        for part in getattr(row, "children", ()):
            if getattr(part, "description", "") in ("Add", "Remove", "Undo"):
                part.click()
    sheet.picture.stroke = {"id": 1, "start": [0.2, 0.3], "at": [0.2, 0.3], "done": True}
    key(sheet, "a", "Delete", "ArrowUp")
    assert (sheet.edits, sheet.sentence) == ("", said)
    sheet.tools.line.value = "lam=1"
    assert "lam is fixed at 0.1" in sheet.sentence
    assert sheet.state.lam == 0.1


def test_a_control_that_is_fixed_stays_fixed_while_others_move():
    explorer = ck.explorers.perceptron(fix="separability")
    explorer.dataset = "iris"
    explorer.dataset = "blobs"
    assert explorer.controls["separability"].disabled


@pytest.mark.parametrize("argument", ["hide", "fix"])
def test_hide_and_fix_know_the_controls(argument):
    with pytest.raises(ValueError, match=f"{argument} must name controls among separability, .*; got 'gamma'"):
        ck.explorers.parallel(**{argument: ("seed", "gamma")})
    with pytest.raises(TypeError, match=f"{argument} must be a sequence of names; got 5"):
        ck.explorers.parallel(**{argument: 5})


def test_the_state_can_be_pasted_and_a_bad_line_is_answered(svm):
    svm.tools.opener.value = True
    svm.tools.line.value = "seed=7 lam=0.2"
    assert (svm.seed, svm.lam, svm.tools.line.value) == (7, 0.2, "lam=0.2 seed=7")
    said = svm.sentence
    svm.tools.line.value = "seed=700"
    assert svm.sentence == "This line cannot be a state. seed must be a whole number from 0 to 99; got 700.0"
    assert svm.seed == 7
    svm.tools.line.value = 'seed="7'
    assert "must close its quotes" in svm.sentence
    svm.tools.line.value = "seed=7 lam=0.2"
    assert svm.sentence == said
    svm.tools.opener.value = False


@pytest.mark.parametrize("line", [3, None])
def test_a_preset_is_a_text(svm, line):
    with pytest.raises(TypeError, match="preset must be a line like"):
        svm.preset = line


@pytest.mark.slow(keep=1)
def test_saved_pictures_hold_all_that_moves(explorer, tmp_path):
    shown = pixels(explorer)
    explorer.save(tmp_path / "a.png")
    saved = Image.open(tmp_path / "a.png").convert("RGB")
    assert saved.size == (3 * shown.shape[1], 3 * shown.shape[0])
    assert np.abs(np.asarray(saved.resize(shown.shape[1::-1], Image.Resampling.BOX), int) - shown[..., :3]).mean() < 8
    with mpl.rc_context({"svg.fonttype": "none"}):
        explorer.save(tmp_path / "a.svg")
    svg = (tmp_path / "a.svg").read_text(encoding="utf-8")
    lettering = [a for a in explorer.picture.moving if hasattr(a, "_words") and a.axes.get_visible()]
    words = [word.text.strip() for artist in lettering for word in artist._words]
    assert [word for word in words if word not in svg.replace("&lt;", "<").replace("&gt;", ">")] == []
    assert_array_equal(pixels(explorer), shown)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.png", "a.svg"]


def test_vectors_are_vectors(svm, tmp_path):
    svm.save(tmp_path / "a.svg")
    svg = (tmp_path / "a.svg").read_text(encoding="utf-8")
    assert "<image" not in svg
    triangles = re.search(r'<g id="line2d_\d+">\s*<defs>(?:(?!</g>).)*?#d55e00.*?</g>\s*</g>', svg, re.S)
    assert triangles is not None


def test_nothing_of_a_users_is_overwritten(svm, tmp_path):
    path, gif = tmp_path / "street.svg", tmp_path / "lam.gif"
    for taken in (path, gif):
        taken.write_text("mine")
    with pytest.raises(FileExistsError, match=r"path must be new, or overwrite=True; .*street.svg' exists"):
        svm.save(path)
    with pytest.raises(FileExistsError, match="path must be new"):
        svm.gif("lam", gif)
    assert path.read_text() == gif.read_text() == "mine"
    svm.save(path, overwrite=True)
    assert "<svg" in path.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("name", "error", "message"),
    [("street.jpg", ValueError, r"path must end in .png or .svg or .pdf; got '.*street.jpg'"),
     ("street", ValueError, "path must end in"), ("no/street.pdf", FileNotFoundError, "folder that exists")],
)
def test_a_path_that_cannot_be_is_named(svm, tmp_path, name, error, message):
    with pytest.raises(error, match=message):
        svm.save(tmp_path / name)
    assert list(tmp_path.iterdir()) == []


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
        there = np.asarray(gif.convert("RGB"), int)
        assert np.abs(there - pixels(svm)[..., :3]).mean() < 2
    assert "4/4" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("control", "frames", "error", "message"),
    [("gamma", 9, ValueError, "control must be one of"), ("edits", 9, ValueError, "control must be one with values"),
     ("lam", 1, ValueError, "frames must be an integer >= 2; got 1"), ("lam", 2.5, TypeError, "frames must be")],
)
def test_what_cannot_be_animated_is_named(svm, tmp_path, control, frames, error, message):
    with pytest.raises(error, match=message):
        svm.gif(control, tmp_path / "a.gif", frames=frames)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("kind", ["PNG", "SVG", "PDF", "GIF"])
def test_the_save_button_hands_the_browser_a_file(svm, monkeypatch, kind):
    sent = []
    monkeypatch.setattr(svm.picture, "send", lambda content, buffers: sent.append((content["download"], buffers[0])))
    svm.tools.kind.value, svm.tools.player.control = kind, "label"
    svm.tools.save.click()
    starts = {"PNG": b"\x89PNG", "SVG": b"<?xml", "PDF": b"%PDF", "GIF": b"GIF8"}
    [(name, content)] = sent
    assert name == f"svm.{kind.lower()}"
    assert content.startswith(starts[kind])
    assert svm.tools.progress.layout.display == "none"


def test_keys_in_the_picture_work_the_tools(svm):
    svm.tools.player.control = "seed"
    key(svm, ".", ".", ",", "c")
    assert svm.seed == 1
    assert "seed=1" in svm.before
    key(svm, "c", " ")
    assert svm.before == ""
    assert svm.tools.player.playing
    svm.tools.player.playing = False


def test_in_other_styles_the_ghost_has_that_style():
    explorer = ck.explorers.svm(style="dark")
    explorer.compare()
    assert mpl.colors.to_rgb(explorer._ghosts[0].artists[0].get_color())[0] > 0.5
