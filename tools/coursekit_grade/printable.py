"""Text and errors of anybody's making, as they are printed and stored."""

import unicodedata

from coursekit.checking.signature import ADDRESS


def printable(text: str) -> str:
    """Text of anybody's making, to be printed and stored: no control characters, no halves of characters.

    >>> printable("Jose\u0301\\r")
    'José\ufffd'
    """
    # In pieces: to put many accents on one letter in order takes time that grows with their square.
    text = "".join(unicodedata.normalize("NFC", text[k : k + 256]) for k in range(0, len(text), 256))
    return "".join(c if c.isprintable() or c in "\u200c\u200d" else "\ufffd" for c in text)


def one_line(text: str) -> str:
    """Such text on one line, of at most 300 characters."""
    text = printable(" ".join(text[:1000].split()))
    return text if len(text) <= 300 else text[:297] + "..."


def said(error: BaseException) -> str:
    """An error of anybody's making on one line: its type, and what it says.

    >>> said(ValueError("one\\ntwo")), said(KeyError()), said(KeyError(object()))
    ('ValueError: one two', 'KeyError', 'KeyError: <object object>')
    """
    try:
        text = error.msg if isinstance(error, SyntaxError) else str(error)
        return one_line(ADDRESS.sub("", f"{type(error).__name__}: {text}")[:200]).rstrip(": ")
    except BaseException:
        return "an error without a text"


def cause(error: BaseException) -> str:
    """A ValueError has a sentence for people; of any other error they should know the type."""
    return printable(str(error)) if isinstance(error, ValueError) and str(error) else said(error)
