"""What a learner reads: numbers, words and tables, by hand."""

import unicodedata

import pytest

from coursekit.core import text


@pytest.mark.parametrize(("value", "shown"), [
    (0, "0"), (-0.0, "0"), (0.12345, "0.123"), (-12.345, "-12.3"), (999.4, "999"), (999.7, "1000"), (1000, "1000"),
    (-1234.6, "-1235"), (123456.7, "123457"), (999_999, "999999"), (2_345_678, "2.35e+06"), (1e-5, "1e-05"),
    (0.00999, "0.00999"), (0.009996, "0.01"), (99.96, "100"), (-999.6, "-1000"), (999_999.6, "1e+06"),
])  # fmt: skip
def test_a_number_has_three_digits_and_whole_ones_no_point(value, shown):
    assert text.number(value) == shown


def test_counted_words_and_aligned_cells():
    assert [text.counted(n, "pass", "passes") for n in (0, 1, 2)] == ["0 passes", "1 pass", "2 passes"]
    assert text.vector([1.0, -0.5]) == "(1, -0.5)"
    assert text.aligned([("a", "bb"), ("ccc", "d")], str.rjust) == "  a  bb\nccc   d"
    assert text.aligned([("a", "bb"), ("ccc", "d")], str.ljust) == "a    bb\nccc  d"


def test_text_of_anybodys_making_is_printable():
    joined = "\U0001f469\u200d\U0001f4bb \u0645\u06cc\u200c\u062e"  # an emoji of three parts, and Persian
    assert text.printable(joined) == joined
    assert text.printable("e\u0301\x1b[31m\ud800") == "\u00e9\ufffd[31m\ufffd"
    assert unicodedata.is_normalized("NFC", text.printable("e\u0301"))
    assert text.one_line(" a\n\tb ") == "a b"
    assert text.one_line("x" * 300) == "x" * 300
    assert text.one_line("x" * 301) == "x" * 297 + "..."


def test_what_an_error_says():
    class Mute(Exception):
        def __str__(self):
            raise RuntimeError

    assert text.said(KeyError("a\nb")) == "KeyError: 'a\\nb'"
    assert text.said(KeyError()) == "KeyError"
    assert text.said(SyntaxError("bad", ("file.py", 3, 1, "x"))) == "SyntaxError: bad"
    assert text.said(Mute()) == text.cause(Mute()) == "an error without a text"
    assert text.said(OSError("x" * 500)) == "OSError: " + "x" * 191
    assert [text.cause(error) for error in (ValueError("n must be > 0"), ValueError(), TypeError("no"))] == [
        "n must be > 0", "ValueError", "TypeError: no",
    ]  # fmt: skip
