"""What a task is: plain data, with the answers and the mistakes that are known for its cases.

Nothing here runs a student's code or a solution: a task carries its cases and what comes back for each of them, from
the right answer and from each known mistake. `coursekit release` stores that in checks.json, a grader draws it anew.
"""

import hashlib
from collections.abc import Collection
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import numpy as np

from coursekit.checking.signature import Case, Signature
from coursekit.core.validate import Floats


@dataclass(frozen=True)
class Sketch:
    """An array, known by its shape and a weighted sum: in all cases together enough to recognize it."""

    shape: tuple[int, ...]
    sum: float

    @staticmethod
    def of(array: Floats, digits: int = 12) -> "Sketch":
        weights = np.sin(np.arange(1.0, array.size + 1) ** 2)
        return Sketch(array.shape, steady(float(weights @ _plain(array)), digits))

    def near(self, array: Floats, tolerance: float) -> bool:
        scale = float(np.linalg.norm(np.maximum(1, np.abs(_plain(array)))))
        return abs(self.sum - Sketch.of(array).sum) <= tolerance * scale


def steady(value: float, digits: int) -> float:
    """Rounded, so that a last bit changes nothing: noise is 0, and no short number is on the edge of two roundings.

    >>> steady(1.0078125, 7), steady(1.0078124999999998, 7), steady(8.9e-31, 7), steady(-0.0, 7)
    (1.007813, 1.007813, 0.0, 0.0)
    """
    return 0.0 if abs(value) < 10.0 ** (-digits - 2) else float(f"{value * (1 + 1e-11):.{digits}g}")


def _plain(array: Floats) -> Floats:
    return np.nan_to_num(array.ravel(), nan=1234.5, posinf=4321.0, neginf=-4321.0)


@dataclass(frozen=True)
class Sealed:
    """Numbers that were worked out by hand, each known by a salted hash: whole ones exactly, others to 3 digits."""

    shape: tuple[int, ...]
    hashes: tuple[str, ...]
    salt: str

    @staticmethod
    def of(array: Floats, salt: str) -> "Sealed":
        hashes = (_hash(f"{salt} {k}", _digits(v)[0]) for k, v in enumerate(array.ravel()))
        return Sealed(array.shape, tuple(hashes), salt)

    def equal(self, array: Floats) -> Any:
        """Entry by entry. A number on the edge between two roundings counts as both."""
        equal = [any(_hash(f"{self.salt} {k}", text) == sealed for near in (v, v * (1 - 1e-9), v * (1 + 1e-9))
                     for text in _digits(near))
                 for k, (v, sealed) in enumerate(zip(array.ravel(), self.hashes, strict=True))]
        return np.reshape(equal, array.shape)


def _digits(value: float) -> tuple[str, str]:
    """The form that is hashed, then the other one that an equal number may come in.

    >>> _digits(2.0), _digits(1 / 30)
    (('2', '~2'), ('~0.0333', '0.0333333333'))
    """
    exact, rounded = f"{value + 0.0:.9g}", f"~{value + 0.0:.3g}"
    return (exact, rounded) if exact.lstrip("-").isdigit() else (rounded, exact)


def _hash(salt: str, text: str) -> str:
    return hashlib.sha256(f"{salt} {text}".encode()).hexdigest()[:12]


Expected = None | bool | float | Floats | Sketch | Sealed  # what should come back, for one part of an answer


@dataclass(frozen=True)
class Mistake:
    """A wrong answer that people really write, and one sentence that helps whoever wrote it.

    id: readable, for statistics. answers: case -> part -> what comes back, where that differs from the right answer.
    """

    id: str
    sentence: str
    answers: dict[int, dict[int, Expected]]


@dataclass(frozen=True)
class Task(Signature):
    """One exercise, with its cases.

    returns: names of the parts of what comes back. One part: the answer is that part itself. Several: a tuple or
        list of them.
    right: for each case the parts of the right answer. tolerance: how far an entry may be off, relative to its
        size (or to 1). accuracy: None, or the share of new examples that the returned theta must classify right;
        each case then has (X, y) of new examples in place of a right answer. weights: None, or how many weights of
        that theta may be other than 0; with these features it must be the least squares fit.
    hints: each says more than the one before.
    parts: where each part of the answer counts by itself, the points of each; () where it is all or nothing.
    """

    points: float
    returns: tuple[str, ...]
    cases: tuple[Case, ...]
    right: tuple[tuple[Expected, ...], ...]
    mistakes: tuple[Mistake, ...] = ()
    hints: tuple[str, ...] = ()
    tolerance: float = 1e-4
    accuracy: float | None = None
    weights: int | None = None
    parts: tuple[float, ...] = ()

    def earned(self, right: Collection[str]) -> float:
        """The points for these parts of an answer that is wrong in others."""
        points = (Decimal(str(p)) for name, p in zip(self.returns, self.parts, strict=False) if name in right)
        return float(sum(points, Decimal(0)))


@dataclass(frozen=True)
class Verdict:
    """What is wrong with an answer, in one sentence ("" for nothing); the known mistake's id; the case it shows in.

    names_call: whether the sentence is about the call of that case. note: what to say about a right answer.
    right: where parts count, those that are right although others are wrong.
    """

    sentence: str = ""
    mistake: str = ""
    case: Case | None = None
    names_call: bool = False
    note: str = ""
    right: tuple[str, ...] = ()
