"""What of some Python an older one cannot read: a tick on one computer is no use where another has to grade it.

Words and brackets are looked at, not a tree: an older Python has none, and a newer one cannot make the older one's.
"""

import re
from typing import NamedTuple

OLDEST, NEWEST = (3, 11), (3, 14)  # that coursekit runs on, and whose news stand here
_START = re.compile(r"""(?<!\w)(?P<prefix>[rbuft]{0,2})(?P<quote>"{3}|'{3}|"|')|\#[^\n]*""", re.I)
_REST = {quote: re.compile(rf"(?:\\.|(?!{quote}){any_of_it})*{quote}", re.S)
         for any_of_it, quotes in ((".", ('"""', "'''")), (r"[^\n]", ('"', "'"))) for quote in quotes}
_TYPE = re.compile(r"^([ \t]*)type[ \t]+(?=\w+[ \t]*[\[=])", re.M)
_GENERIC = re.compile(r"^([ \t]*(?:async[ \t]+def|def|class|type)[ \t]+\w+[ \t]*)\[((?:[^][]|\[[^][]*\])*)\]", re.M)
_EXCEPT = re.compile(r"^([ \t]*except\*?[ \t]+)([\w. \t]+(?:,[\w. \t]+)+)(?=:)", re.M)


class New(NamedTuple):
    """line: of the source. python: the first one that can read it."""

    line: int
    what: str
    python: tuple[int, int]


def older(source: str) -> tuple[str, list[New]]:
    r"""The source with what Python 3.11 cannot read taken out of it, and what that was.

    >>> older('x = f"{a["b"]}"')[1]
    [New(line=1, what='" within an f-string that begins with "', python=(3, 12))]
    """
    found: list[New] = []
    masked, kept, k = "", [], 0  # in place of a text or comment there is a NUL, which code cannot have
    source = source.replace("\0", "")
    while start := _START.search(source, k):
        news: list[str] = []
        try:
            end = _end(source, start, news)
        except (ValueError, RecursionError):
            end, news = start.end(), []
        text = source[start.start() : end]
        if news:
            what = "a t-string" if "t" in start["prefix"].lower() else news[0]
            line = source.count("\n", 0, start.start()) + 1
            found.append(New(line, what, (3, 14) if what == "a t-string" else (3, 12)))
            text = '"""' + "\n" * text.count("\n") + '"""'
        masked += source[k : start.start()] + "\0"
        kept.append(text)
        k = end
    masked += source[k:]

    def out(pattern: re.Pattern[str], by: str, what: str, python: tuple[int, int]) -> None:
        nonlocal masked
        for match in pattern.finditer(masked):
            before = masked[: match.start()]
            line = before.count("\n") + sum(text.count("\n") for text in kept[: before.count("\0")]) + 1
            found.append(New(line, what, python))
        masked = pattern.sub(by, masked)

    out(_GENERIC, r"\1", "type parameters in [ ]", (3, 12))
    out(_TYPE, r"\1", "a type statement", (3, 12))
    out(_EXCEPT, r"\1(\2)", "except with several types and no ( )", (3, 14))
    first, *rest = masked.split("\0")
    return first + "".join(text + code for text, code in zip(kept, rest, strict=True)), sorted(found)


def _end(source: str, start: re.Match[str], news: list[str]) -> int:
    """Where the comment or text ends that starts there. ValueError where it does not."""
    quote = start["quote"]
    if not quote:
        return start.end()
    if not set("ft") & set(start["prefix"].lower()):
        if not (rest := _REST[quote].match(source, start.end())):
            raise ValueError
        return rest.end()
    if "t" in start["prefix"].lower():
        news.append("a t-string")
    k = start.end()
    while k < len(source):
        if source.startswith(quote, k):
            return k + len(quote)
        if source.startswith(("{{", "}}", "\\"), k):
            k += 2
        elif source[k] == "{":
            k = _field(source, k + 1, quote, news)
        elif source[k] == "\n" and len(quote) == 1:
            break
        else:
            k += 1
    raise ValueError


def _field(source: str, k: int, quote: str, news: list[str]) -> int:
    """Where the { } ends whose inside starts at k, in a text between such quotes."""
    depth, begin = 0, k
    while k < len(source):
        if start := _START.match(source, k):
            end = _end(source, start, news)
            inside = source[k:end]
            if not start["quote"]:
                news.append("a comment within an f-string")
            elif quote in inside:
                news.append(f"{quote} within an f-string that begins with {quote}")
            elif "\\" in inside:
                news.append("a \\ within { } of an f-string")
            k = end
            continue
        letter = source[k]
        if letter == "}" and not depth:
            return k + 1
        if letter == ":" and not depth:  # how to format it
            while k < len(source) and source[k] != "}":
                k = _field(source, k + 1, quote, news) if source[k] == "{" else k + 1
            continue
        depth += (letter in "([{") - (letter in ")]}")
        if letter == "\\" or (letter == "\n" and len(quote) == 1):
            news.append("a \\ within { } of an f-string" if letter == "\\" else "an f-string over several lines")
        k += 1
    raise ValueError(begin)
