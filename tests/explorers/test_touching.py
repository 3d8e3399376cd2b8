"""Words of a text that touch the picture: what each does, and what of the picture it lights."""

import json
import re

import pytest

import coursekit as ck
from coursekit.explorers import presets, touching


def groups(explorer):
    """By the names that a word can light: how many ops of the ground and of the frame are theirs."""
    found = {}
    for one in (explorer.picture.ground, explorer.picture.frame):
        told = json.loads(one["list"])
        for name, ranges in told["groups"].items():
            assert all(0 <= first < end <= len(told["ops"]) for first, end in ranges)
            found[name] = found.get(name, 0) + sum(end - first for first, end in ranges)
    return found


@pytest.mark.parametrize(("word", "reached"), [
    ("lam=0.1", {"lam": 0.1}), ("lam=0.1&k=40", {"lam": 0.1, "k": 40}), ("descent=Pegasos", {"descent": "Pegasos"}),
    ("reset", {"lam": 1.0}),
])
def test_a_word_sets_the_controls_that_it_names(word, reached):
    explorer = ck.explorers.svm("lam=1")
    explorer.picture._handle_custom_msg({"word": word}, [])  # as the page does
    assert {name: explorer.values[name] for name in reached} == reached


def test_words_step_play_and_go_to_a_preset():
    explorer = ck.explorers.sgd("k=3")
    touching.do(explorer, "step")
    assert explorer.k == 4
    touching.do(explorer, "play")
    assert explorer.tools.player.playing
    touching.do(explorer, "play")
    assert not explorer.tools.player.playing
    name, _, line = presets.SHOWS["sgd"].presets[0]
    touching.do(explorer, f"preset={name}")
    assert explorer.sentence == ck.explorers.sgd(line).sentence


@pytest.mark.parametrize(("word", "said"), [
    ("lamm=1", 'control must be one of .*: do you mean "lam"'), ("lam=99", "lam must be a number from"),
    ("jump", "preset must be like"), ("preset=nowhere", "preset must be one of"),
    ("lam=0.1", "lam is fixed"),
])
def test_what_cannot_be_is_said_under_the_picture_and_changes_nothing(word, said):
    explorer = ck.explorers.svm(fix="lam")
    before = explorer.sentence
    for _ in range(2):
        explorer.picture._handle_custom_msg({"word": word}, [])
        assert re.fullmatch(f"“{re.escape(word)}” cannot be. {said}.*. {re.escape(before)}", explorer.sentence)
    assert explorer.preset == ""


def test_artists_are_lit_by_their_group_id_where_they_move_and_where_they_stay():
    explorer = ck.explorers.descent()
    assert not {"route", "axis"} & {*groups(explorer)}
    line, axes = explorer.landscape.path, explorer.axes["landscape"]
    line.set_gid("route")
    axes.xaxis.label.set_gid("axis")
    explorer.picture.redraw()
    explorer.k = 2
    both = groups(explorer)
    assert both["axis"] == 1  # its words are one
    assert both["route"] >= 1
    line.set_visible(False)
    explorer.eta = 0.2
    alone = groups(explorer)
    assert ("route" in alone, alone["axis"]) == (False, 1)
