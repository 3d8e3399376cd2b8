"""What anybody has written, as it is printed: by hand."""

import unicodedata

from coursekit_grade import printable as text


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
