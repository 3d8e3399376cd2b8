"""The base of all explorers, on a small one of our own."""

from __future__ import annotations

import threading
from dataclasses import dataclass

import numpy as np
import pytest
from matplotlib.figure import Figure
from numpy.testing import assert_array_equal

import coursekit as ck
from coursekit.core.datasets import Dataset
from coursekit.explorers import controls
from coursekit.explorers.editing import Editing
from coursekit.explorers.study import Study
from coursekit.explorers.view import View
from coursekit.plots import DecisionBoundary
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
    colour = controls.choice("named by nobody", ("red", "blue"))
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

    def arrange(self, figure: Figure) -> None:
        self.boundary.frame((-4.0, 4.0, -3.0, 3.0))

    def show(self, found: Found) -> str:
        RAN.append("show")
        self.boundary.show(found.data, found.theta)
        return f"{len(found.data)} examples, theta = {found.theta}."


@pytest.fixture
def tiny():
    explorer = TinyExplorer()
    RAN.clear()
    return explorer


def test_making_an_explorer_computes_and_draws_once():
    RAN.clear()
    explorer = TinyExplorer("seed=17 lam=0.2", separability=1.0)
    assert RAN == ["data", "model", "show"]
    assert (explorer.seed, explorer.lam, explorer.separability) == (17, 0.2, 1.0)


@pytest.mark.parametrize(
    ("moved", "ran"),
    [({"lam": 0.3}, ["model", "show"]), ({"seed": 71}, ["data", "model", "show"]), ({"colour": "blue"}, []),
     ({"label": "-1"}, []), ({"example": 3}, ["show"]), ({"edits": "3(1,1)"}, ["model", "show"])],
)
def test_only_what_depends_on_the_moved_control_runs_again(tiny, moved, ran):
    tiny.set(**moved)
    assert ran == RAN


def test_what_was_computed_lately_is_remembered(tiny):
    tiny.lam = 0.4
    tiny.lam = 0.0
    assert RAN == ["model", "show", "show"]


def test_when_the_model_raises_nothing_has_changed(tiny):
    tiny.set(lam=0.5, edits="0(1,1)")
    before = dict(tiny.state), tiny.sentence, tiny.preset, {n: c.value for n, c in tiny.controls.items()}
    picture = pixels(tiny)
    with pytest.raises(ArithmeticError):
        tiny.set(lam=1.0, seed=4)
    with pytest.raises(ArithmeticError):
        tiny.controls["lam"].value = 1.0  # as the browser does
    with pytest.raises(ArithmeticError):
        tiny.before = "lam=1"
    after = dict(tiny.state), tiny.sentence, tiny.preset, {n: c.value for n, c in tiny.controls.items()}
    assert all(a is b or a == b for a, b in zip(before[0].values(), after[0].values(), strict=True))
    assert before[1:] == after[1:]
    assert_array_equal(pixels(tiny), picture)
    tiny.seed = 5
    assert tiny.state.seed == 5


def test_nobody_can_write_into_what_is_remembered(tiny):
    for array in (tiny.state.theta, tiny.state.data.X, tiny.state.data.y):
        with pytest.raises(ValueError, match="read-only"):
            array[:] += 100
    with pytest.raises(TypeError):
        tiny.state["lam"] = 3
    with pytest.raises(TypeError):
        tiny.values["lam"] = 3


@pytest.mark.parametrize("name", ["reset", "state", "model", "picture", "data"])
def test_a_control_with_the_name_of_something_else_is_refused_when_the_class_is_made(name):
    with pytest.raises(TypeError, match=f"Clash.{name} must have another name: every explorer has a '{name}' already"):
        type("Clash", (Editing,), {name: controls.seed()})
    with pytest.raises(TypeError, match=f"Clash.{name} must have another name"):
        type("Clash", (Editing,), {name: View(DecisionBoundary)})


def test_a_model_that_names_what_there_is_not_is_told_what_there_is():
    class Wrong(Study):
        seed = controls.seed()

        @staticmethod
        def model(sede: int) -> Found:
            raise NotImplementedError

    with pytest.raises(TypeError, match=r"Wrong\.model must name some of seed, before; got 'sede'"):
        Wrong()


def test_other_data_come_without_the_old_edits(tiny):
    tiny.edits = "0(1,1)"
    tiny.dataset = "many"
    assert (tiny.edits, len(tiny.state.data)) == ("", 40)
    tiny.set(edits="39()")
    tiny.controls["dataset"].value = "few"
    assert (tiny.edits, len(tiny.state.data)) == ("", 20)


@pytest.mark.slow
@pytest.mark.filterwarnings("error")
def test_two_threads_that_move_controls_and_read_the_picture_never_fail(tiny, tmp_path):
    """matplotlib is not thread safe, and JupyterLab may call widgets from a second thread."""
    failures, rounds = [], 1000
    seeds = np.random.default_rng(0).integers(100, size=rounds)

    def guarded(work):
        def run():
            try:
                work()
            except BaseException as error:
                failures.append(error)
        return threading.Thread(target=run)

    def move():
        for k, seed in enumerate(seeds):
            if k % 2:
                tiny.set(seed=int(seed), before="" if k % 3 else "seed=3")
            else:
                tiny.controls["lam"].value = tiny.controls["lam"].grades[k % 30]

    def look():
        for k in range(rounds):
            tiny.picture.ratio = 1.0 + k % 4 / 4
            if k % 10 == 0:
                tiny.png()
                tiny.separability = 0.1 * (k % 7)
            if k % 100 == 0:
                tiny.save(tmp_path / f"{k}.svg")

    threads = [guarded(move), guarded(look)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    tiny.set("seed=3")
    tiny.picture.ratio = 1.0
    fresh = TinyExplorer(tiny.preset)
    assert fresh.sentence == tiny.sentence
    assert_array_equal(pixels(fresh), pixels(tiny))
