"""What a solutions/NN-topic/tasks.py is written with; `coursekit new-task` writes an example.

The name of a task, its arguments, its points and the right answer stand in the notebook beside the file.
"""

import inspect
import re
import sys
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from coursekit.checking.signature import Case
from coursekit_grade.printable import cause

Cases = Callable[[np.random.Generator], Iterable[Case]]
Wrong = tuple[Any, ...]  # edits and a sentence, or what runs in place of the solution and a sentence


@dataclass(frozen=True)
class Spec:
    """What tasks.py says of a task. line: where it does."""

    name: str
    returns: tuple[str, ...]
    cases: Cases | None
    mistakes: tuple[Wrong, ...]
    hints: tuple[str, ...]
    tolerance: float
    accuracy: float | None
    weights: int | None
    parts: Mapping[str, float]
    line: int


# While a tasks.py is read: what the notebook beside it defines, and the tasks so far.
_reading: ContextVar[tuple[dict[str, Any], list[Spec]] | None] = ContextVar("reading", default=None)


def read(file: Path, space: dict[str, Any]) -> list[Spec]:
    """The tasks of a tasks.py. space: what the notebook beside it defines. ValueError, with the line, for any fault."""
    specs: list[Spec] = []
    token = _reading.set((space, specs))
    try:
        exec(compile(file.read_text("utf-8"), str(file), "exec"), {"__name__": "tasks", "__file__": str(file)})
    except OSError as error:
        raise ValueError(f"{file} cannot be read: {error.strerror}") from None
    except SyntaxError as error:
        raise ValueError(f"{file}, line {error.lineno}: {error.msg}") from None
    except Exception as error:
        lines = [f.lineno for f in traceback.extract_tb(error.__traceback__) if f.filename == str(file)]
        raise ValueError(f"{file}, line {lines[-1] if lines else 1}: {cause(error)}") from None
    finally:
        _reading.reset(token)
    return specs


def _now() -> tuple[dict[str, Any], list[Spec]]:
    if now := _reading.get():
        return now
    raise RuntimeError("task() and solution() are for a tasks.py, which coursekit release and grade read")


def task(
    name: str,
    *,
    returns: str | Sequence[str],
    cases: Cases | None = None,
    mistakes: Sequence[Wrong],
    hints: Sequence[str],
    tolerance: float = 1e-4,
    accuracy: float | None = None,
    weights: int | None = None,
    parts: Mapping[str, float] | None = None,
) -> None:
    """Add a task whose answer stands in the notebook beside this file.

    returns: the name of what comes back, or the names of its parts.
    cases: rng -> tuples of arguments, the same for the same state of rng. None for a task without arguments, whose
        numbers are worked out by hand: these are stored as hashes alone.
    mistakes: answers that people really write, each with one sentence that helps. In front of the sentence stand
        texts of the solution's own cell, each followed by the text in its place; or `then(...)`; or a function
        that takes the arguments and is wrong.
    hints: each saying more than the one before.
    tolerance: how far an entry of the answer may be off, relative to its size (or to 1).
    accuracy: for a task that asks for a good theta, not for a certain one: the share of new examples that it must
        classify right. A case is then ((arguments), (X, y)) with the new examples behind.
    weights: with accuracy, how many weights of theta may be other than 0; theta must be the least squares fit with
        these features.
    parts: the points of each part that is returned, for a task whose parts have nothing to do with one another: each
        is judged by itself then. Without it a task is all or nothing.
    """
    returns = (returns,) if isinstance(returns, str) else tuple(returns)
    for wrong in mistakes:
        if not isinstance(wrong, tuple) or len(wrong) < 2 or not isinstance(wrong[-1], str) or not wrong[-1].strip():
            raise ValueError(f"a mistake of {name} must be (what is wrong, ..., its sentence); got {wrong!r}")
    if isinstance(hints, str) or not all(isinstance(hint, str) and hint.strip() for hint in hints):
        raise ValueError(f"hints of {name} must be a list of sentences; got {hints!r}")
    _, specs = _now()
    line = sys._getframe(1).f_lineno
    specs.append(Spec(name, returns, cases, tuple(mistakes), tuple(hints), tolerance, accuracy, weights, parts or {},
                      line))


def solution(name: str) -> Callable[..., Any]:
    """A function of the solution notebook beside this file, for cases or mistakes that need it."""
    space, _ = _now()
    if name not in space:
        raise ValueError(f"the notebook beside it defines no {name}")
    return space[name]


class then:
    """A mistake that does the right thing and then one more.

    then(f): f of what comes back. then(part=f): f of that part alone, the others as they are. Further arguments
    of f are those of the task that have their names, or other parts.
    """

    def __init__(self, change: Callable[..., Any] | None = None, /, **parts: Callable[..., Any]) -> None:
        self.change, self.parts = change, parts

    def after(self, answer: Any, names: dict[str, Any], returns: Sequence[str]) -> Any:
        """What the mistake returns, where the right thing is `answer` and the arguments have `names`."""
        if len(returns) > 1:
            names = {**names, **dict(zip(returns, answer, strict=True))}
        if self.change:
            return _called(self.change, answer, names)
        if unknown := [p for p in self.parts if p not in returns]:
            raise ValueError(f"then({unknown[0]}=...) must name a part of {', '.join(returns)}")
        return tuple(_called(self.parts[p], v, names) if p in self.parts else v
                     for p, v in zip(returns, answer, strict=True))


def _called(function: Callable[..., Any], value: Any, names: dict[str, Any]) -> Any:
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except ValueError:
        return function(value)
    more = [p.name for p in parameters[1:] if p.default is p.empty and p.kind is p.POSITIONAL_OR_KEYWORD]
    return function(value, *(names[name] for name in more))


def slips(part: str, *wrong: tuple[Any, str]) -> list[Wrong]:
    """Mistakes in one part of an answer that is worked out by hand: (what comes instead, sentence)."""
    return [(then(**{part: lambda _, value=value: value}), sentence) for value, sentence in wrong]


def named(sentence: str) -> str:
    """An id for a mistake: the first words of its sentence.

    >>> named("You divide by the square of the length: the length is the root.")
    'you-divide-by-the-square-of-the-length'
    """
    first = re.split(r"[:;.?]\s|[:;.?]$", sentence)[0]
    return "-".join(re.findall(r"[^\W_]+", first.lower())[:10])


def mistake_ids(sentences: Iterable[str]) -> dict[str, str]:
    """Sentence -> an id of its own: a number behind where the first words are those of another."""
    ids, begun = dict[str, str](), Counter[str]()
    for sentence in dict.fromkeys(sentences):
        first = named(sentence)
        begun[first] += 1
        ids[sentence] = f"{first}-{begun[first]}" if begun[first] > 1 else first
    return ids


def which(wrong: Wrong) -> str:
    """A mistake as its author finds it again: its edits, else how its sentence begins."""
    edits = [" ".join(text.split()) for text in wrong[:-1] if isinstance(text, str)]
    return " -> ".join(edits) or repr(wrong[-1][:60])
