"""The base of all explorers, on a small one of our own, and the one that CONTRIBUTING.md shows, as it is printed."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from comm.base_comm import BaseComm
from numpy.testing import assert_array_equal
from sklearn.neighbors import NearestCentroid

import coursekit as ck
from coursekit.core.datasets import Dataset
from coursekit.explorers import controls
from coursekit.explorers.editing import Editing
from coursekit.explorers.picture import Picture
from coursekit.explorers.view import View
from coursekit.plots import NARROW, DecisionBoundary
from tests.pictures import pixels

RAN = []  # what the small explorer has computed and drawn


@dataclass(frozen=True)
class Found:
    data: Dataset
    theta: np.ndarray


class TinyExplorer(Editing[Found]):
    separability = controls.separability(0.5)
    lam = controls.lam(0.0, high=0.0)
    seed = controls.seed()
    dataset = controls.choice("data", ("few", "many"), renews=True)
    color = controls.choice("named by nobody", ("red", "blue"))
    loudness = controls.whole("loudness", 0, 0, 3, "how many exclamation marks")
    size = 3.0, 2.5
    boundary = View(DecisionBoundary, room=(0.3, 0.3, 0.1, 0.8), click="edit", compared=True)

    @staticmethod
    def data(separability: float, seed: int, dataset: str) -> Dataset:
        RAN.append("data")
        return ck.datasets.blobs(20 if dataset == "few" else 40, separability, seed=seed)

    @staticmethod
    def model(data: Dataset, lam: float) -> Found:
        RAN.append("model")
        if lam == 1.0:
            raise ArithmeticError("no answer")
        return Found(data, ck.least_squares(data.X, data.y, lam))

    def arrange(self) -> None:
        self.boundary.frame((-4.0, 4.0, -3.0, 3.0))

    def show(self, found: Found, loudness: int) -> str:
        RAN.append("show" + "!" * loudness)
        self.boundary.show(found.data, found.theta)
        return f"**{len(found.data)}** examples, theta = {found.theta}.{'!' * loudness}"


@pytest.fixture
def tiny():
    explorer = TinyExplorer()
    RAN.clear()
    return explorer


@pytest.mark.parametrize(("moved", "ran"), [
    ({"lam": 0.3}, ["model", "show"]), ({"seed": 71}, ["data", "model", "show"]), ({"color": "blue"}, []),
    ({"label": "-1"}, []), ({"loudness": 3}, ["show!!!"]), ({"example": 3}, ["show"]),
    ({"edits": "3(1,1)"}, ["model", "show"]),
])
def test_only_what_depends_on_the_moved_control_runs_again(tiny, moved, ran):
    tiny.set(**moved)
    assert ran == RAN


def test_a_slider_asks_for_the_next_value_before_its_answer_is_out_and_also_where_there_is_none(tiny, monkeypatch):
    slider, asked, before = tiny.controls["lam"], [], tiny.sentence
    monkeypatch.setattr(slider, "send", lambda message: asked.append((message, tiny.lam, tiny.sentence)))
    slider._handle_custom_msg({"newest": {"value": 0.1}, "number": 1}, [])
    monkeypatch.setattr(tiny, "_go", lambda changes: 1 / 0)
    slider._handle_custom_msg({"newest": {"value": 0.2}, "number": 2}, [])
    after = tiny.sentence
    assert before != after
    assert asked == [({"next": {"value": 0.1}, "number": k}, 0.1, said) for k, said in ((1, before), (2, after))]


def test_making_one_computes_and_draws_once_and_what_was_computed_lately_is_remembered():
    RAN.clear()
    tiny = TinyExplorer("seed=17 lam=0.2", separability=1.0)
    assert tiny.preset == "separability=1 lam=0.2 seed=17"
    tiny.lam = 0.4
    tiny.lam = 0.2
    assert RAN == ["data", "model", "show", "model", "show", "show"]


def test_when_the_model_raises_nothing_has_changed(tiny):
    tiny.set(lam=0.5, edits="0(1,1)")

    def shown():
        return {**tiny.state}, (tiny.sentence, tiny.preset, [control.value for control in tiny.controls.values()])

    (state, words), picture = shown(), pixels(tiny)
    for attempt in (
        lambda: tiny.set(lam=1.0, seed=4), lambda: setattr(tiny, "before", "lam=1"),
        lambda: setattr(tiny.controls["lam"], "value", 1.0),  # as the browser does
    ):
        with pytest.raises(ArithmeticError):
            attempt()
    assert all(a is b or a == b for a, b in zip(state.values(), shown()[0].values(), strict=True))
    assert words == shown()[1]
    assert_array_equal(pixels(tiny), picture)


def test_what_is_stored_is_told_without_stars_and_has_a_narrow_twin(monkeypatch):
    bold = TinyExplorer("seed=3")
    assert bold.picture.sentence.startswith("**20** examples")  # bold in the page
    wide = bold.png()
    data, told = bold._repr_mimebundle_()
    assert {bold.sentence, repr(bold), data["text/plain"], told["image/png"]["alt"]} == {bold.sentence}
    assert bold.sentence.startswith("20 examples")
    assert set(data) == {"application/vnd.jupyter.widget-view+json", "image/png", "text/plain"}
    assert "narrow" in told["image/png"]  # nbval and we store
    assert bold.png() == wide
    monkeypatch.setenv("COURSEKIT_FOLDED", "")
    assert "narrow" not in bold._repr_mimebundle_()[1]["image/png"]


def test_nobody_can_write_into_what_is_remembered(tiny):
    for array in (tiny.state.theta, tiny.state.data.X, tiny.state.data.y):
        with pytest.raises(ValueError, match="read-only"):
            array[:] += 100
    for mapping in (tiny.state, tiny.values):
        with pytest.raises(TypeError):
            mapping["lam"] = 3


@pytest.mark.parametrize(("name", "made"), [("reset", controls.seed()), ("state", View(DecisionBoundary))])
def test_a_control_with_the_name_of_something_else_is_refused_when_the_class_is_made(name, made):
    with pytest.raises(TypeError, match=f"Clash.{name} must have another name: every explorer has a '{name}' already"):
        type("Clash", (Editing,), {name: made})


def test_what_is_compared_with_is_shown_with_its_own_controls(tiny):
    tiny.loudness = 1
    tiny.compare()
    RAN.clear()
    tiny.set(lam=0.01, loudness=2, before="lam=0.1 loudness=3")
    assert RAN == ["model", "model", "show!!!", "show!!"]  # as it was compared with, then as it is
    assert tiny.sentence.endswith(".!!")


def test_other_data_come_without_the_old_edits(tiny):
    tiny.edits = "0(1,1)"
    tiny.set(dataset="many", lam=0.1)
    assert (tiny.edits, len(tiny.state.data)) == ("", 40)
    tiny.edits = "39()"
    tiny.controls["dataset"].value = "few"
    assert (tiny.edits, len(tiny.state.data)) == ("", 20)


@pytest.mark.slow
@pytest.mark.filterwarnings("error")
def test_two_threads_that_move_controls_and_read_the_picture_never_fail(tiny, tmp_path):
    """matplotlib is not thread safe, and JupyterLab may call widgets from a second thread."""
    def move():
        for k in range(300):
            tiny.set(seed=k * 37 % 100, before="" if k % 3 else "seed=3")
            tiny.controls["lam"].value = tiny.controls["lam"].grades[k % 30]

    def look():
        for k in range(300):
            tiny.picture.ratio = 1.0 + k % 4 / 4
            if k % 10 == 0:
                tiny.png()
            if k % 100 == 0:
                tiny.save(tmp_path / f"{k}.svg")

    with ThreadPoolExecutor(2) as pool:
        for done in [pool.submit(move), pool.submit(look)]:
            done.result()
    tiny.picture.ratio = 1.0
    fresh = TinyExplorer(tiny.preset)
    assert fresh.sentence == tiny.sentence
    assert_array_equal(pixels(fresh), pixels(tiny))


class MoreExplorer(TinyExplorer):
    """The small explorer with a second view that comes on demand, has a grip and is not compared."""

    close = View(DecisionBoundary, room=(0.3, 0.3, 0.1, 0.4), title="Near by", also="close view",
                 grip=lambda explorer: (0.5, 0.5))
    below = 1.5

    def show(self, found: Found, loudness: int) -> str:
        self.close.show(found.data, found.theta)
        return super().show(found, loudness)


def test_a_view_on_demand_comes_below_the_picture_and_goes_again():
    explorer = MoreExplorer()
    alone, size, grips = pixels(explorer), explorer.picture.height, len(explorer.picture.grips)
    explorer.also = "close view"
    assert (len(explorer.picture.grips), explorer.preset) == (grips + 1, "also='close view'")
    assert (explorer.picture.width, explorer.picture.height) == (300, size + 150)
    assert_array_equal(pixels(explorer)[: size - 60], alone[: size - 60])  # what was there has kept its place
    assert len(explorer.close.points[0].get_xdata())
    bottom, top = explorer.axes["close"].get_position().extents[[1, 3]]
    assert 0 < bottom < top < 0.375
    explorer.compare()
    assert {ghost.axes for ghost in explorer._ghosts} == {explorer.axes["boundary"]}
    explorer.reset()
    assert_array_equal(pixels(explorer), alone)


def test_on_a_narrow_page_views_lie_below_one_another_and_type_keeps_its_size():
    explorer = MoreExplorer("also='close view'")
    wide = pixels(explorer)
    explorer.picture.narrow = True
    page = round(explorer.picture.figure.dpi * NARROW)
    assert explorer.picture.width == page
    above, below = (explorer.axes[name].get_position() for name in ("boundary", "close"))
    assert below.y1 < above.y0
    assert above.width * NARROW == pytest.approx(NARROW - 0.4)  # all of the width but its room
    assert len(explorer.close.points[0].get_xdata())
    explorer.also = "nothing"
    assert explorer.picture.height < 1.1 * page
    explorer.also = "close view"
    explorer.picture.narrow = False
    assert_array_equal(pixels(explorer), wide)


def strokes(explorer, *places, grip):
    """Press at the first of these places, drag to the others and release there."""
    shares = explorer.plane.transData.transform(places) / explorer.picture.figure.bbox.size
    start, *way = [(x, 1 - y) for x, y in shares.tolist()]
    for at in (start, *way):
        done = at == (start, *way)[-1]
        explorer.picture.stroke = {"id": 1, "start": start, "at": at, "done": done, "grip": grip}


@pytest.mark.parametrize(("grip", "held"), [(0.045, False), (0.073, True)])
def test_a_finger_takes_hold_from_further_off_than_a_mouse(tiny, grip, held):
    tiny.edits = "0(-3.5,2.5)"  # far from all others
    pixel = np.ptp(tiny.plane.get_xlim()) / tiny.plane.bbox.width
    strokes(tiny, (-3.5 + 18 * pixel, 2.5), (3.0, 2.5), grip=grip)  # of 300 pixels
    assert tiny.edits == ("0(3,2.5)" if held else "0(-3.5,2.5) +(3,2.5)")


@pytest.mark.parametrize("narrow", [False, True])
@pytest.mark.parametrize(("name", "edge", "there", "becomes"), [
    ("descent", {"w1": -2, "w2": 0.44}, (1, 1), {"w1": 1, "w2": 1}),
    ("descent", {"w1": 4, "w2": -2}, (1, 1), {"w1": 1, "w2": 1}),
    ("ravine", {"eta": 0.02, "momentum": 0}, (49 * 0.06, 0.5), {"eta": 0.06, "momentum": 0.5}),  # it shows eta times 49
])
def test_what_lies_on_the_edge_of_its_axes_is_taken_hold_of_there(made, name, edge, there, becomes, narrow):
    explorer = made(name)
    explorer.set(**edge)
    explorer.narrow = narrow
    (start,), (axes, _) = explorer.picture.handles, explorer.grips()[-1]
    x, y = axes.transData.transform(there) / explorer.picture.figure.bbox.size
    explorer.picture.stroke = {"id": f"{edge}{narrow}", "start": start, "at": (x, 1 - y), "done": True}
    assert {one: explorer.values[one] for one in becomes} == pytest.approx(becomes, rel=0.05)
    explorer.narrow = False


@pytest.fixture
def drawn(monkeypatch):
    """A list that grows by one whenever a picture is drawn."""
    times, draw = [], Picture._draw_moving
    monkeypatch.setattr(Picture, "_draw_moving", lambda picture, renderer: times.append(1) or draw(picture, renderer))
    return times


@pytest.mark.parametrize("look", [
    lambda p: p.frame, lambda p: p.ground, lambda p: p.get_state()["frame"], lambda p: p.image(),
])
def test_where_no_browser_is_nothing_is_drawn_until_somebody_looks(tiny, drawn, look):
    tiny.set(lam=0.5, seed=3)
    tiny.controls["seed"].value = 4
    assert drawn == []
    look(tiny.picture)
    assert drawn == [1]
    assert len(tiny.picture.grips) == sum(tiny.plane.viewLim.contains(*x) for x in tiny.state.data.X)
    fresh = TinyExplorer(tiny.preset).picture
    assert (tiny.picture.frame, tiny.picture.grips) == (fresh.frame, fresh.grips)


def test_a_browser_is_sent_each_frame_at_once_in_one_message_with_its_sentence(monkeypatch, drawn):
    told = []

    class Comm(BaseComm):
        def publish_msg(self, msg_type, data=None, metadata=None, buffers=None, **_keys):
            if buffers:
                told.append({"who": self.comm_id, **data["state"], "buffers": [bytes(one) for one in buffers]})

    monkeypatch.setattr("comm.create_comm", lambda *args, **named: Comm(*args, **named))
    tiny = TinyExplorer()
    tiny.controls["seed"].value = 4
    (first, second) = [state for state in told if state["who"] == tiny.picture.comm.comm_id]
    assert {"sentence", "grips", "width", "height", "ground"} <= set(first)
    assert {"sentence", "grips"} <= set(second)
    assert "ground" not in second
    assert len(drawn) == 2
    frame = TinyExplorer("seed=4").picture.frame
    assert (second["frame"]["list"], second["buffers"]) == (frame["list"], [frame["at"]])


def test_lines_glide_in_a_run_but_never_behind_a_hand_that_moves_them(monkeypatch):
    monkeypatch.setattr("comm.create_comm", lambda *args, **named: BaseComm(*args, **named))
    monkeypatch.setattr(BaseComm, "publish_msg", lambda *_args, **_named: None)
    tiny, glides = TinyExplorer(), set()
    tiny.picture.observe(lambda change: glides.add(change["new"]["glides"]), "frame")
    for action, glide in (
        (lambda: tiny.forward("seed"), True), (lambda: tiny.tools.player._played({"new": 7}), True),
        (lambda: setattr(tiny, "preset", "seed=3"), True), (lambda: setattr(tiny.picture, "pressed", [[1, "."]]), True),
        (lambda: tiny.picture._handle_custom_msg({"word": "seed=5"}, []), True),
        (lambda: setattr(tiny.controls["seed"], "value", 9), False),
        (lambda: strokes(tiny, (1.0, 2.0), (1.5, 2.0), grip=0.045), False),
        (lambda: setattr(tiny.picture, "pressed", [[2, "ArrowUp"]]), False), (tiny.reset, True),
    ):
        glides.clear()
        action()
        assert glides == {glide}


def test_what_cannot_be_drawn_is_said_to_everyone_who_looks(tiny, monkeypatch):
    monkeypatch.setattr(tiny.boundary.line, "draw", lambda _renderer: 1 / 0)
    tiny.seed = 4
    for look in (lambda: tiny.picture.frame, tiny.picture.get_state, tiny.png, tiny._repr_mimebundle_) * 2:
        with pytest.raises(ZeroDivisionError):
            look()


PRINTED = Path(__file__).parents[2].joinpath("CONTRIBUTING.md").read_text("utf-8")
CODE = PRINTED.partition("## An explorer in 40 lines")[2].partition("```python\n")[2].partition("```")[0]


@pytest.mark.parametrize("line", ["", "separability=-0.5 seed=3", 'edits="+(3,-2) 0() 5(-1,2)"'])
def test_the_printed_one_classifies_by_the_nearer_mean(monkeypatch, line):
    module = ModuleType("printed")
    monkeypatch.setitem(sys.modules, "printed", module)
    assert len([line for line in CODE.splitlines() if line]) <= 40
    exec(CODE, vars(module))
    printed = module.MeansExplorer(line)
    data = printed.state.data
    wrong = np.sum(NearestCentroid().fit(data.X, data.y).predict(data.X) != data.y)
    assert printed.sentence == f"The line halfway between the means misclassifies {wrong} of {len(data)}."
