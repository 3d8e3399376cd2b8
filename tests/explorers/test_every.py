"""What holds for every explorer, whatever it shows."""

import math
import re
from itertools import product

import ipywidgets as widgets
import numpy as np
import pytest

import coursekit as ck
from coursekit.explorers.controls import limits
from coursekit.explorers.editing import Editing
from tests.pictures import pixels

# Where every control has something to change.
START = {"hyperplane": "preview='a step' example=0", "memory": "numbers=12 also=descent",
         "real_data": "method='logistic regression'"}  # fmt: skip
NOT_DRAWN = "label"  # the class of the next example that is added
NOT_TOLD = ("also", "example")
# Values far from everything, in all combinations.
FAR = {
    "descent": (["eta=10 momentum=0.95 separability=2 k=40 w1=4 w2=-2", "lam=1 separability=-2 k=40 w1=4 w2=-2"],
                "loss", "rule"),
    "loss_space": (["separability=-2 eta=0.01 lam=0 x1=-5 x2=-4.6", "separability=2 eta=10 lam=10 x1=17 x2=5.4",
                    "lam=10 eta=0.01 x1=0 x2=0"], "loss"),
    "multiclass": (["eta=10 lam=0.1 separability=-2", "eta=0.01 lam=0 each=5", "separability=2 classes=5"], "rule"),
    "parallel": (["eta=10 lam=0.1 steps=400 shards=8", "shards=1", "separability=2"],),
    "real_data": (["separability=-4 eta=0.01 lam=0.0001", "separability=2 eta=10 lam=1"], "dataset", "method"),
    "regularization": (["lam=0 eta=1 examples=10 irrelevant=40", "lam=10 separability=-5",
                        "lam=0.0005 separability=1 examples=100",
                        "lam=10 dataset=shifted offset=penalised eta=1 irrelevant=1"], "penalty"),
}  # fmt: skip


@pytest.fixture(params=ck.explorers.__all__)
def explorer(made, request):
    return made(request.param)


def settings(control):
    """The values at both ends, or all that can be chosen."""
    if isinstance(control, widgets.Dropdown):
        return list(control.options)
    if isinstance(control.value, bool):
        return [True, False]
    if isinstance(control, widgets.Text):
        return [control.value]
    return [type(control.value)(end) for end in limits(control)]


def numbers(found):
    """All numbers in it that are not whole."""
    if isinstance(found, (float, np.ndarray)):
        yield from np.ravel(found) if np.asarray(found).dtype.kind == "f" else ()
    elif isinstance(found, (list, tuple, dict)):
        for one in found.values() if isinstance(found, dict) else found:
            yield from numbers(one)


def speaks(explorer):
    said = explorer.sentence
    assert said.endswith((".", "!", ")"))
    assert 20 < len(said) < 480
    assert not re.search(r"\b(nan|inf)\b", said, re.I)
    assert not re.search(r"(?<![\d.,-])1 (examples|mistakes|passes|spreads|steps|visits)\b", said)
    return said


def test_the_strip_begins_with_the_three_knobs_and_the_seed(explorer):
    assert list(explorer.controls)[:4] == ["separability", "eta", "lam", "seed"]
    # The late answer of a float slider would overwrite what Python set.
    assert not [name for name, control in explorer.controls.items() if isinstance(control, widgets.FloatSlider)]


def test_every_value_of_every_control_gives_a_picture_and_a_sentence_of_its_own(explorer, request):
    start = START.get(request.node.callspec.params["explorer"], "")
    explorer.set(start)
    picture, said = explorer.picture.frame, explorer.sentence
    for name, control in explorer.controls.items():
        pictures, sentences, values = [], [], settings(control)
        for value in values:
            explorer.reset()
            explorer.set(start, **{name: value})
            assert explorer.picture.frame[:2] == b"\xff\xd8"  # a JPEG
            pictures.append(explorer.picture.frame)
            sentences.append(speaks(explorer))
        for seen, first in ((pictures, picture), (sentences, said)):
            if seen is sentences and name in NOT_TOLD:
                continue
            if isinstance(control, widgets.Text) or (isinstance(explorer, Editing) and name == NOT_DRAWN):
                assert set(seen) == {first}, name
            elif isinstance(control, widgets.Dropdown):
                assert len(set(seen)) == len(values), name
            else:
                assert set(seen) != {first}, name


def test_a_frame_drawn_over_the_kept_background_equals_a_full_drawing(explorer):
    explorer.png()
    explorer.set(separability=limits(explorer.controls["separability"])[0], lam=limits(explorer.controls["lam"])[1])
    kept = pixels(explorer)
    explorer.picture.redraw()
    np.testing.assert_array_equal(pixels(explorer), kept)


@pytest.mark.slow(keep=2)
def test_any_mixture_of_extremes_is_survived_in_words(explorer):
    rng = np.random.default_rng(0)
    for _ in range(8):
        values = {}
        for name, control in explorer.controls.items():
            choices = settings(control)
            values[name] = choices[rng.integers(len(choices))]
        explorer.set(**values)
        speaks(explorer)
        assert not any(np.isnan(list(numbers(dict(explorer.state)))))


@pytest.mark.parametrize("name", FAR)
def test_far_values_give_finite_answers_and_short_sentences(made, name):
    explorer = made(name)
    presets, *menus = FAR[name]
    for preset, *chosen in product(presets, *(explorer.controls[menu].options for menu in menus)):
        explorer.reset()
        with np.errstate(all="raise", under="ignore"):
            explorer.set(preset, **dict(zip(menus, chosen, strict=True)))
        assert len(speaks(explorer)) < 360
        for of in ("theta", "thetas", "local", "averaged", "landscape", "alone", "as_long"):
            assert np.isfinite(list(numbers(explorer.state.get(of, 0)))).all()
        for line in explorer.picture.figure.findobj(lambda artist: artist in explorer.picture.moving):
            assert not np.isinf(line.get_xydata() if hasattr(line, "get_xydata") else 0).any()


def test_values_out_of_range_are_refused_by_name_and_change_nothing(explorer):
    said = explorer.sentence
    for name, control in explorer.controls.items():
        if isinstance(control, widgets.Dropdown):
            wrong, rule = ["no such thing", 3], f"{name} must be one of '?{re.escape(str(control.options[0]))}'?"
        elif isinstance(control, widgets.Text) or isinstance(control.value, bool):
            continue
        else:
            (low, high), whole = limits(control), isinstance(control.value, int)
            wrong = [low - 1, math.inf, -math.inf, math.nan, "much", None, True]
            wrong += [0.5] if whole else []
            rule = f"{name} must be a {'whole ' * whole}number from {low:g} "
            if explorer.declared[name].last is None:
                wrong, rule = [*wrong, high + 1], f"{rule}to {high:g}; got"
        for value in wrong:
            with pytest.raises(ValueError, match=rule):
                explorer.set(**{name: value})
    assert explorer.sentence == said


@pytest.mark.parametrize(
    ("name", "values", "message"),
    [
        ("descent", {"eta": 100}, r"eta must be a number from 0.001 to 10; got 100"),
        ("descent", {"momentum": 1}, r"momentum must be a number from 0 to 0.95; got 1"),
        ("descent", {"w1": 5}, r"w1 must be a number from -2 to 4; got 5"),
        ("descent", {"k": 41}, r"k must be a whole number from 0 to 40; got 41"),
        ("descent", {"rule": "newton"}, r"rule must be one of 'constant', .*; got 'newton'"),
        ("hyperplane", {"shift": 7}, r"shift must be a number from -5 to 5; got 7"),
        ("hyperplane", {"length": 0}, r"length must be a number from 0.1 to 10; got 0"),
        ("hyperplane", {"example": -2}, r"example must be a whole number from -1 up; got -2"),
        ("loss_space", {"label": "0"}, r"label must be one of '\+1', '-1'; got '0'"),
        ("loss_space", {"x1": 40}, r"x1 must be a number from -5 to 17; got 40"),
        ("multiclass", {"classes": 6}, "classes must be a whole number from 3 to 5; got 6"),
        ("multiclass", {"each": 4}, "each must be a whole number from 5 to 20; got 4"),
        ("multiclass", {"x1": 10.0}, "x1 must be a number from -9 to 9; got 10.0"),
        ("parallel", {"shards": 9}, "shards must be a whole number from 1 to 8; got 9"),
        ("perceptron", {"lam": -1}, r"lam must be a number from 0 to 0.1; got -1"),
        ("perceptron", {"eta": math.nan}, r"eta must be a number from 0.01 to 10; got nan"),
        ("perceptron", {"seed": 2.5}, r"seed must be a whole number from 0 to 99; got 2.5"),
        ("perceptron", {"dataset": "mnist"}, "dataset must be one of 'blobs', 'three points', 'mails', 'iris'; got"),
        ("perceptron", {"gamma": 1}, r"control must be one of separability, .*; got 'gamma'"),
        ("perceptron", {"preset": "lam"}, r'preset must be like "lam=0.01 seed=3"; got \'lam\''),
        ("perceptron", {"preset": "lam=much"}, r"lam must be a number; got 'much'"),
        ("real_data", {"dataset": "mnist"}, "one of 'mails', 'iris', 'breast-cancer', 'digits'; got 'mnist'"),
        ("real_data", {"lam": 10.0}, "lam must be a number from 0.0001 to 1; got 10"),
        ("real_data", {"separability": 5.0}, "separability must be a number from -4 to 2"),
        ("regularization", {"lam": -1}, "lam must be a number from 0 to 10; got -1"),
        ("regularization", {"irrelevant": 0}, "irrelevant must be a whole number from 1 to 40; got 0"),
        ("sgd", {"batch": 0}, "batch must be a whole number from 1 to 60; got 0"),
        ("sgd", {"k": 401}, "k must be a whole number from 0 to 400; got 401"),
        ("svm", {"lam": 0}, "lam must be a number from 1e-06 to 10; got 0"),
        ("svm", {"k": 301}, "k must be a whole number from 0 to 300; got 301"),
    ],
)
def test_what_cannot_be_is_named_with_what_can(made, name, values, message):
    with pytest.raises(ValueError, match=message):
        made(name).set(**values)
