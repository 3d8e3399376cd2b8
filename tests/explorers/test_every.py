"""What holds for every explorer, whatever it shows."""

import math
import re

import ipywidgets as widgets
import numpy as np
import pytest

import coursekit as ck
from coursekit.explorers.controls import limits


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


def numbers(state):
    for value in state.values():
        if isinstance(value, (int, float)) or (isinstance(value, np.ndarray) and value.dtype.kind == "f"):
            yield value


def test_the_strip_begins_with_the_three_knobs_and_the_seed(explorer):
    assert list(explorer.controls)[:4] == ["separability", "eta", "lam", "seed"]


def test_no_control_is_a_float_slider_whose_late_answer_would_overwrite_what_python_set(explorer):
    assert not [name for name, control in explorer.controls.items() if isinstance(control, widgets.FloatSlider)]


@pytest.mark.slow(keep=1)
def test_every_value_of_every_control_gives_a_picture_and_a_sentence(explorer):
    for name, control in explorer.controls.items():
        for value in settings(control):
            explorer.reset()
            explorer.set(**{name: value})
            assert explorer.picture.frame[:2] == b"\xff\xd8"  # a JPEG
            assert 20 < len(explorer.sentence) < 480
            assert " nan" not in explorer.sentence.lower()
            assert not re.search(r"(?<![\d.,-])1 (examples|mistakes|passes|spreads|steps|visits)\b", explorer.sentence)


@pytest.mark.slow(keep=2)
def test_any_mixture_of_extremes_is_survived_in_words(explorer):
    rng = np.random.default_rng(0)
    for _ in range(8):
        values = {}
        for name, control in explorer.controls.items():
            choices = settings(control)
            values[name] = choices[rng.integers(len(choices))]
        explorer.set(**values)
        assert explorer.sentence.endswith((".", "!"))
        assert not any(np.isnan(value).any() for value in numbers(explorer.state))


def test_a_preset_is_one_line_that_leads_back(explorer):
    separability, lam = explorer.controls["separability"], explorer.controls["lam"]
    explorer.set(separability=limits(separability)[0], lam=limits(lam)[1], seed=5)
    line, said = explorer.preset, explorer.sentence
    assert "\n" not in line
    explorer.reset()
    explorer.set(line)
    assert explorer.sentence == said


def test_separability_eta_and_lambda_are_refused_outside_their_range(explorer):
    for name in ("separability", "eta", "lam"):
        for value in (-math.inf, math.inf, math.nan, "much", None, True):
            with pytest.raises(ValueError, match=f"{name} must be a number from"):
                explorer.set(**{name: value})
