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


def at_power(power):
    """Where 10^power lies on an axis of lambda, which counts powers of ten evenly."""
    return lambda scale: (float(scale.place(0.1) + (power + 1) * np.diff(scale.place([0.1, 1.0]))[0]), 0.3)


# What a click or a drag sets: explorer, its state, the view, the place there, and all that is another then.
TOUCHED = [
    ("descent", "", "landscape", (1.234, -0.5), {"w1": 1.23, "w2": -0.5}),
    ("descent", "", "landscape", (99, -99), {"w1": 4.0, "w2": -2.0}),
    ("ravine", "k=7", "land", (3.0625, 0.5625), {"eta": 0.0625, "momentum": 0.56}),
    ("ravine", "k=7", "land", (-9.0, 9.0), {"eta": 0.001, "momentum": 0.99}),
    ("sgd", "k=2 also=objective", "curves", (0.25, 0.5), {"k": 100}), ("sgd", "k=2", "landscape", (0.25, 0.5), {}),
    ("multiclass", "beside=votes", "votes", (-2.04, 3.33), {"x1": -2.0, "x2": 3.3}),
    ("multiclass", "", "regions", (50.0, -50.0), {"x1": 7.0, "x2": -7.0}),
    ("multiclass", "", "side", (1.04, 9.0), {"x1": 1.0}), ("multiclass", "", "side", (99.0, 9.0), {"x1": 7.0}),
    ("svm", "by=hand", "gaps", (54.4, 1.0), {"turn": 54}), ("svm", "by=hand", "gaps", (-9.0, 1.0), {"turn": 0}),
    ("regularization", "", "boundary", (0.5, 0.5), {}),
    *[("regularization", "lam=0.1", view, place, {"lam": lam}) for view in ("path", "errors")
      for place, lam in ((at_power(np.log10(0.5)), 0.5), ((0.0, 0.3), 0.0), (at_power(-2), 0.01), ((1.3, 0.3), 10.0))],
    *[("real_data", "dataset=digits also=errors", "curves", at_power(power), {"lam": lam})
      for power, lam in ((-2, 0.01), (-3.52, 0.000316), (0, 1.0), (-9, 0.0001))],
    *[("real_data", "dataset=digits", view, (x, 0.5), {"threshold": threshold})
      for view in ("cut", "bill") for x, threshold in ((0.512, 0.5), (-0.99, -1.0), (9.0, 3.0))],
]  # fmt: skip


@pytest.fixture(params=ck.explorers.__all__)
def explorer(made, request):
    return made(request.param)


def settings(control):
    """The values at both ends, or all that can be chosen."""
    if isinstance(control, widgets.Dropdown):
        return list(control.options)
    if isinstance(control, widgets.Text):
        return [control.value]
    return [type(control.value)(end) for end in reversed((control.min, control.max))]


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


@pytest.mark.parametrize(("name", "line", "view", "place", "then"), TOUCHED)
def test_a_touch_sets_what_lies_there_and_nothing_else(made, name, line, view, place, then):
    explorer = made(name)
    explorer.set(line)
    before, at = dict(explorer.values), place(explorer.plots[view].scale) if callable(place) else place
    drag(explorer, explorer.axes[view], at)
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
    return [(name, line, words) for name, lines in SENTENCES[table].items() for line, words in lines.items()]


@pytest.mark.parametrize(("name", "line", "words"), rows("said"))
def test_what_is_special_is_said(made, name, line, words):
    explorer = made(name)
    explorer.set(line)
    assert words in explorer.sentence


@pytest.mark.parametrize(("name", "line", "words"), rows("refused"))
def test_what_cannot_be_is_named_with_what_can_and_changes_nothing(made, name, line, words):
    explorer = made(name)
    with pytest.raises(ValueError, match=re.escape(words)):
        explorer.set(line)
    assert explorer.preset == ""
