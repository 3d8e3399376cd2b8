"""What holds for every explorer, whatever it shows."""

import math
import re
import tomllib
from pathlib import Path

import ipywidgets as widgets
import numpy as np
import pytest

import coursekit as ck
from coursekit.explorers.editing import Editing
from tests.pictures import drag

SENTENCES = tomllib.loads(Path(__file__).with_name("sentences.toml").read_text("utf-8"))
# Where every control has something to change; where one has it elsewhere, its name stands beside that of the explorer.
START = {"descent": "also='step and data'", "hyperplane": "preview='a step' example=0",
         "loss_space": "dataset=blobs loss=perceptron x1=14", "memory": "numbers=12 also=descent",
         "parallel": "also=data", "ravine": "dataset=clouds eta=0.02 k=9",
         "real_data": "dataset=digits method='logistic regression'", "sgd": "also=data",
         "svm by": "turn=54 dataset=mails",
         "svm turn": "by=hand dataset=mails"}  # fmt: skip
NOT_DRAWN = "label"  # the class of the next example that is added
NOT_TOLD = ("also", "example")


@pytest.fixture(params=ck.explorers.__all__)
def explorer(made, request):
    return made(request.param)


def settings(control):
    """The values at both ends, or all that can be chosen."""
    if isinstance(control, (widgets.Dropdown, widgets.Text)):
        return list(getattr(control, "options", [control.value]))
    return [type(control.value)(end) for end in (control.max, control.min)]


def numbers(found):
    """All numbers in it that are not whole."""
    if isinstance(found, (float, np.ndarray)):
        yield from np.ravel(found) if np.asarray(found).dtype.kind == "f" else ()
    elif isinstance(found, (list, tuple, dict)):
        for one in found.values() if isinstance(found, dict) else found:
            yield from numbers(one)


def drawn(explorer):
    """What the page is told to draw."""
    ground, frame = explorer.picture.ground, explorer.picture.frame
    assert np.isfinite(np.frombuffer(ground["at"] + frame["at"], np.float32)).all()
    return *(one[part] for one in (ground, frame) for part in ("list", "at")), *frame["images"]


def speaks(explorer):
    said = explorer.sentence
    assert said.endswith((".", "!", ")"))
    assert 20 < len(said) < 480
    # A negative number has a minus sign, a very large one no e.
    assert not re.search(r"\b(nan|inf)\b|(?<![\w.])-\d|\de[+-]\d", said, re.I)
    assert not re.search(r"(?<![\d.,-])1 (examples|mistakes|passes|spreads|steps|visits)\b", said)
    return said


def test_every_value_of_every_control_gives_a_picture_and_a_sentence_of_its_own(explorer, request):
    assert list(explorer.controls)[:4] == ["separability", "eta", "lam", "seed"]
    # The late answer of a float slider would overwrite what Python set.
    assert not [name for name, control in explorer.controls.items() if isinstance(control, widgets.FloatSlider)]
    which = request.node.callspec.params["explorer"]
    for name, control in explorer.controls.items():
        explorer.preset = START.get(f"{which} {name}", START.get(which, ""))
        start, first = dict(explorer.values), (drawn(explorer), explorer.sentence)
        chosen, seen = isinstance(control, widgets.Dropdown), []
        for value in settings(control):
            explorer.set(**start | {name: value})
            seen.append((drawn(explorer), speaks(explorer)))
            if not chosen and all(one != before for one, before in zip(seen[-1], first, strict=True)):
                break  # one end of a scale is enough
        explorer.set(**start)
        assert (drawn(explorer), explorer.sentence) == first, name  # nothing stays of what went before
        for kind, (one, own) in enumerate(zip(first, map(set, zip(*seen, strict=True)), strict=True)):
            if isinstance(control, widgets.Text) or (isinstance(explorer, Editing) and name == NOT_DRAWN):
                assert own == {one}, name
            elif kind == 0 or name not in NOT_TOLD:
                assert len(own) == len(seen) if chosen else own != {one}, name


def test_any_mixture_of_extremes_is_survived_in_finite_numbers_and_words(explorer):
    rng = np.random.default_rng(0)
    for _ in range(6):
        with np.errstate(all="raise", under="ignore"):
            explorer.set(**{name: rng.choice(settings(control)) for name, control in explorer.controls.items()})
        assert len(speaks(explorer)) < 430
        assert not any(np.isnan(list(numbers(dict(explorer.state)))))
        for of in ("theta", "thetas", "local", "averaged", "landscape", "alone", "as_long"):
            assert np.isfinite(list(numbers(explorer.state.get(of, 0)))).all()
        for line in explorer.picture.figure.findobj(lambda artist: artist in explorer.picture.moving):
            assert not np.isinf(line.get_xydata() if hasattr(line, "get_xydata") else 0).any()


def at(lam, scale):
    """Where this lambda lies on its axis, which counts powers of ten evenly."""
    return float(scale.place(0.1) + np.log10(10 * lam) * np.diff(scale.place([0.1, 1.0]))[0]), 0.3


@pytest.mark.parametrize(("name", "line", "view", "place", "then"), SENTENCES["touched"])
def test_a_touch_sets_what_lies_there_and_nothing_else(made, name, line, view, place, then):
    explorer = made(name)
    explorer.set(line)
    before = dict(explorer.values)
    drag(explorer, explorer.axes[view], at(place, explorer.plots[view].scale) if isinstance(place, float) else place)
    assert dict(explorer.values) == before | then


@pytest.mark.parametrize(("name", "control", "rule", "wrong"), [  # a control of each kind
    ("sgd", "separability", "a number from -2 to 2; got", [-2.1, 3, math.inf, math.nan, "much", None, True]),
    ("sgd", "k", "a whole number from 0 to 400; got", [-1, 401, 0.5, math.nan, "much", True]),
    ("perceptron", "visit", "a whole number from 0 up; got", [-1, 0.5, -math.inf, math.nan]),  # its end depends
    ("sgd", "order", "one of 'random', 'shuffle', 'cyclic'", ["no such thing", 3]),
])
def test_values_out_of_range_are_refused_by_name_and_change_nothing(made, name, control, rule, wrong):
    explorer = made(name)
    said = explorer.sentence
    for value in wrong:
        with pytest.raises(ValueError, match=f"{control} must be {rule}"):
            explorer.set(**{control: value})
    assert explorer.sentence == said


def rows(table):
    every = [(name, line, words) for name, lines in SENTENCES[table].items() for line, words in lines.items()]
    return pytest.mark.parametrize(("name", "line", "words"), every)


@rows("said")
def test_what_is_special_is_said(made, name, line, words):
    explorer = made(name)
    explorer.set(line)
    assert words in explorer.sentence


@rows("refused")
def test_what_cannot_be_is_named_with_what_can_and_changes_nothing(made, name, line, words):
    explorer = made(name)
    with pytest.raises(ValueError, match=re.escape(words)):
        explorer.set(line)
    assert explorer.preset == ""
