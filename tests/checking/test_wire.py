"""What comes back from JSON is what was sent, and nothing else is read. (Attacks: tests/grading/hostile.toml)"""

import json
from fractions import Fraction

import numpy as np
import pytest

from coursekit.checking import wire


def sent(value):
    return wire.decode(json.loads(json.dumps(wire.encode(value))))


@pytest.mark.parametrize("value", [
    None, True, 3, -2.5, (1, [2.5, None], ()), np.arange(6).reshape(2, 3), np.float32([1.5, np.inf]), np.array([True]),
    "a" * 300, {"a": [1.5, {2: "b"}], 0.5: np.nan, 3: {}}, np.int8(5), np.float64(0.1), np.zeros((0, 3)),
    np.array([1 + 2j]), np.array(7.0), np.nan, np.arange(3, dtype=">i4"),
])
def test_plain_data_comes_back_as_it_was(value):
    again = sent(value)
    np.testing.assert_equal(again, value)
    assert type(again) is (type(value[()]) if isinstance(value, np.ndarray) else type(value))
    if isinstance(value, (np.ndarray, np.generic)):
        assert again.dtype == value.dtype.newbyteorder("=")


def test_what_numpy_takes_for_numbers_comes_as_numbers_and_all_else_as_its_text():
    assert sent(Fraction(1, 4)) == 0.25
    assert sent(range(3)).tolist() == [0, 1, 2]
    assert sent([3 + 4j]) == [3 + 4j]
    assert sent(np.array([Fraction(1, 2), None], object)) == [0.5, None]
    assert sent(np.array(Fraction(1, 2))) == 0.5
    others = {10**300: "an integer of more than 300 digits", b"x": "b'x'", b"a" * 300: "b'" + "a" * 198,
              frozenset([1]): "frozenset({1})"}
    for other, text in others.items():
        assert isinstance(sent(other), wire.Other)
        assert repr(sent(other)) == text
    assert sent(10**300 - 1) == 10**300 - 1


def test_a_class_that_fails_when_it_is_looked_at_comes_as_its_name():
    class Line:
        def __repr__(self):
            raise ZeroDivisionError

        __array__ = __repr__

    assert repr(sent(Line())) == "a Line"
    assert repr(sent([Line()])) == "[a Line]"


@pytest.mark.parametrize("value", [
    np.zeros(wire.SIZE + 1), [0] * wire.SIZE, np.zeros((10**6, 10**6, 0)), [[[[0] * 40] * 40] * 80]])
def test_what_is_too_large_is_refused(value):
    with pytest.raises(ValueError, match="more than 100000 numbers"):
        wire.encode(value)


def test_answers_have_their_room_together_and_a_depth():
    half = wire.encode(np.zeros(wire.SIZE // 2))
    assert len(wire.decode_all([half, half])) == 2
    value, deep, endless = 0, {"list": []}, np.array(None)
    endless[()] = endless
    for _ in range(wire.DEPTH):
        value, deep = [value], {"list": [deep]}
    assert sent(value[0]) == value[0]
    for read, told, rule in (
        (wire.decode_all, [half] * 3, "more than 100000 numbers"), (wire.encode, value, "nested more than 12 deep"),
        (wire.decode, deep, "nested more than 12 deep"), (wire.encode, endless, "nested more than 12 deep"),
    ):
        with pytest.raises(ValueError, match=rule):
            read(told)


@pytest.mark.parametrize("told", [
    {"array": ["|O", [0], ""]}, {"array": ["<f8", [2], "AAAA"]}, {"array": ["<f8", [-1], ""]}, {"other": 3},
    {"array": ["<f8", [1], "ä" * 12]}, {"array": ["<f8", [1], "A"]},
    {"list": 3}, {"array": ["<f8", [True], "AAAAAAAAAAA="]}, {"array": ["<f8", [1] * 13, "AAAAAAAAAAA="]},
    {"other": "a" * 201}, {"array": ["<f8", [10**6, 0], ""]}, {"list": [], "tuple": []}, "text", 10**300,
    {"list": [0] * wire.SIZE}, {"text": 3}, {"text": "a" * wire.SIZE}, {"dict": [[1]]}, {"dict": [[{"list": []}, 1]]},
    [1], {}, {"array": ["f8,f8", [1], ""]}, {"list": [{"list": [{"pickle": "x"}]}]},
])
def test_what_was_never_sent_is_not_read(told):
    with pytest.raises(ValueError, match=r"not plain data|not an array|bytes for an array|more than"):
        wire.decode(told)
