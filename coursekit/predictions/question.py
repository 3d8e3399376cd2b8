"""The questions of `ck.predict`, one text file a chapter, and the answers, in a file beside the notebook.

Both are read without plots or widgets.
"""

import json
import tomllib
from contextlib import suppress
from dataclasses import dataclass, replace
from math import isfinite
from pathlib import Path
from typing import Any

from coursekit.core import validate
from coursekit.core.files import write
from coursekit.core.text import meant

Answer = str | float | tuple[float, ...]
KEPT = ".coursekit-predictions.json"
COURSE = Path(__file__).parent
_KEYS = {"question": str, "right": str, "answers": dict, "slider": list, "unit": str, "axis": str, "picture": str,
         "walls": list, "draw": str, "after": str, "alt": str}  # fmt: skip
_DRAWN = {"curve": "three heights or more", "street": "the heights of its middle at both edges, and half its height",
          "path": "three points or more, x and y in turn"}  # fmt: skip


@dataclass(frozen=True)
class Question:
    """A question, and what is told when it has been answered. The README beside the files says what each key means."""

    name: str
    question: str
    right: Answer
    answers: dict[Answer, str]  # the ideas that lead to an answer, the right one among them
    slider: tuple[float, float, float] | None = None
    unit: str = ""
    axis: str = ""
    picture: str = ""
    walls: tuple[tuple[float, ...], ...] = ()  # lines a x + b y + c = 0 between places with different sentences
    draw: str = ""
    after: str = ""
    alt: str = ""

    @property
    def choices(self) -> list[str]:
        """What there is to choose from; empty for a number and a place."""
        return [] if self.slider or self.picture else [str(answer) for answer in self.answers]

    def read(self, answer: Any) -> Answer:
        """An answer as it was typed, clicked or kept. Raises ValueError for what cannot be one.

        >>> Question("", "?", 2.0, {2.0: "Twice."}, slider=(0, 4, 1)).read("3")
        3.0
        """
        if self.picture:
            count = len(_numbers(self.right)) if self.draw else 2
            numbers = _numbers(answer)
            if len(numbers) != count or not all(map(isfinite, numbers)):
                what = f"{count} numbers, as the right one" if self.draw else "a place, x and y"
                raise ValueError(f"answer must be {what}; got {answer!r}")
            return numbers
        if self.slider:
            low, high, _ = self.slider
            (number,) = _numbers([answer]) or (float("nan"),)
            if not low <= number <= high:
                raise ValueError(f"answer must be a number from {low:g} to {high:g}; got {answer!r}")
            return number
        return validate.one_of("answer", answer, self.choices)

    def beside(self, answer: Answer) -> list[Answer]:
        """The answers of the file that no wall separates from this one; all of them where there are none."""
        def sides(at: Any) -> list[bool]:
            return [a * at[0] + b * at[1] + c > 0 for a, b, c in self.walls]

        return [one for one in self.answers if sides(one) == sides(answer)] or [*self.answers]

    def describe(self, answer: Answer) -> str:
        """
        >>> Question("", "?", 2.0, {2.0: "Twice."}, slider=(0, 4, 1), unit="mistakes").describe(1.0)
        '1 mistake'
        """
        if isinstance(answer, tuple):
            return f"({', '.join(f'{round(number, 9):.3g}' for number in answer)})"
        unit = self.unit.removesuffix("s") if answer == 1 and not self.unit.startswith("of ") else self.unit
        return answer if isinstance(answer, str) else f"{answer:g}{' ' * (unit != '%')}{unit}".strip()


def find(name: str) -> Question:
    """The question "chapter/question", from predictions/chapter.toml beside the notebook or else in the course.

    Raises ValueError, with the known ones, for an unknown chapter or question, and for a file that has a fault.
    """
    if not isinstance(name, str):
        raise TypeError("name must be chapter/question, such as '02-perceptron/mistakes', which asks the reader; "
                        f"got {type(name).__name__}. To classify: ck.svm(X, y).predict(X)")
    chapter, _, key = name.partition("/")
    beside = Path("predictions", f"{chapter}.toml")
    file = beside if beside.is_file() else COURSE / beside.name
    if not file.is_file():
        known = sorted(path.stem for path in COURSE.glob("*.toml"))
        raise ValueError(f"name must be chapter/question, the chapter one of {', '.join(known)}; got {name!r}"
                         + meant(chapter, known))
    try:
        table = tomllib.loads(file.read_text("utf-8"))
    except ValueError as error:
        raise ValueError(f"{file} is not a TOML file: {error}") from None
    if key not in table:
        known = [f"{chapter}/{one}" for one in table]
        raise ValueError(f"name must be one of {', '.join(known)}; got {name!r}{meant(name, known)}")
    try:
        return checked(name, table[key])
    except ValueError as error:
        raise ValueError(f"{file}, [{key}]: {error}") from None


def names() -> list[str]:
    """All questions of the course, as chapter/question."""
    files = sorted(COURSE.glob("*.toml"))
    return [f"{file.stem}/{key}" for file in files for key in tomllib.loads(file.read_text("utf-8"))]


def keep(answers: dict[str, Answer | None]) -> None:
    """Put answers into the file beside the notebook; None takes one out.

    A folder that cannot be written to is no error. A file that cannot be read is put aside, never overwritten.
    """
    file = Path(KEPT).absolute()
    with suppress(OSError):
        if file.exists() and kept() == {} and file.read_bytes().strip() not in (b"", b"{}"):
            file.rename(next(p for n in range(1, 1000) if not (p := file.with_name(f"{file.name}.{n}")).exists()))
        now = {name: answer for name, answer in (kept() | answers).items() if answer is not None}
        write(file, json.dumps(now, indent=1, ensure_ascii=False).encode())


def kept() -> dict[str, Any]:
    """The answers in the file; none where there is no file that can be read."""
    try:
        found = json.loads(Path(KEPT).read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _numbers(answer: Any) -> tuple[float, ...]:
    """Those between the commas, or of a list; none where anything else is among them."""
    try:
        return tuple(map(float, answer.split(",") if isinstance(answer, str) else answer))
    except (TypeError, ValueError):
        return ()


def checked(name: str, table: Any) -> Question:
    if not isinstance(table, dict):
        raise ValueError(f"a question must be a table; got {table!r}")
    for key, value in table.items():
        validate.one_of("key", key, _KEYS)
        if not isinstance(value, _KEYS[key]):
            raise ValueError(f"{key} must be a {_KEYS[key].__name__}; got {value!r}")
    if missing := [key for key in ("question", "right", "answers") if not table.get(key)]:
        raise ValueError(f"{missing[0]} is missing")
    slider, ideas, right = table.get("slider"), table["answers"], table["right"]
    if slider is not None and not (
        len(slider) == 3 and all(type(n) in (int, float) for n in slider) and slider[0] < slider[1] and slider[2] > 0
    ):
        raise ValueError(f"slider must be [from, to, step]; got {slider}")
    walls = table.get("walls", [])
    if walls and not (table.get("picture") and all(len(_numbers(wall)) == 3 for wall in walls)):
        raise ValueError(f"walls must be lines [a, b, c] for a x + b y + c = 0, beside a picture; got {walls}")
    validate.one_of("draw", table.get("draw", ""), ("", "curve", "street", "path"))
    validate.one_of("axis", table.get("axis", ""), ("", "x", "y"))
    if not all(isinstance(sentence, str) and sentence for sentence in ideas.values()):
        raise ValueError('answers must give each answer a sentence, the answer in quotes: "0.5" = "Half of ..."')
    if right not in ideas:
        raise ValueError(f"right must be one of the answers {', '.join(map(repr, ideas))}; got {right!r}")
    draft = Question(**table | {"name": name, "slider": tuple(slider) if slider else None,
                                "walls": tuple(map(_numbers, walls))})
    count = len(_numbers(right))
    if draft.draw and not {"curve": count > 2, "street": count == 3, "path": count > 5 and count % 2 == 0}[draft.draw]:
        raise ValueError(f"right must be {_DRAWN[draft.draw]}, in quotes, with commas between; got {right!r}")
    read = {draft.read(answer): sentence for answer, sentence in ideas.items()}
    return replace(draft, right=draft.read(right), answers=read)
