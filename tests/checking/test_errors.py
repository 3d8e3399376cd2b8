"""What Python and numpy say to a student's slip, and what a check makes of it."""

import math
import tomllib
from pathlib import Path

import numpy as np
import pytest

from coursekit.checking.errors import explain

HERE = {"np": np, "math": math, "z": np.array([1.0, -2.0, 3.0]), "X": np.ones((3, 2)), "theta": np.ones(3),
        "L": [1, 2, 3], "k": np.array([1, 2])}
SLIPS = tomllib.loads(Path(__file__).with_name("slips.toml").read_text("utf-8"))


@pytest.mark.filterwarnings("ignore::SyntaxWarning")
@pytest.mark.parametrize("slip", SLIPS)
def test_a_slip_is_explain(slip):
    with pytest.raises(Exception) as caught:  # noqa: PT011 - whatever Python says to it
        exec(slip, dict(HERE))
    told = explain(caught.value)
    assert SLIPS[slip] in told
    assert told.startswith(caught.type.__name__.lstrip("_"))


def test_what_is_not_known_is_said_as_it_is():
    assert explain(ValueError("one\n  two")) == "ValueError: one two"
    assert explain(type("_Own", (ValueError,), {})("one")) == "Own: one"
    assert len(explain(ValueError("long " * 100))) <= 200
