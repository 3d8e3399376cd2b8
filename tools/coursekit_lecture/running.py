"""Running orders: what is on the screen in which minute, and what is said. One TOML file a chapter, or one's own.

TEACHING.md is made from those of the course: python -m coursekit_lecture.running
"""

import csv
import io
import re
import tomllib
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from coursekit.core import validate
from coursekit.core.dataset import Dataset, signed
from coursekit.explorers import presets
from coursekit.predictions import question
from coursekit_lecture.course import installed
from coursekit_lecture.poll import Poll

COURSE = Path(__file__).with_name("running")
DEMO = re.compile(r"`coursekit demo (?!predict)(\w+)\s+([\w-]+)`")


@dataclass(frozen=True)
class Step:
    """A part of the lecture: an explorer, a vote, or, where it has neither, words and the board."""

    title: str
    minute: float | None = None  # at which it begins; None: at hand, should somebody ask
    say: str = ""
    expect: str = ""  # the answer
    screen: str = ""  # "board", or what else is looked at meanwhile
    text: str = ""  # what the hall reads
    show: str = ""  # an explorer and a preset, or a line of settings
    also: str = ""
    vote: str | dict[str, Any] = ""  # a prediction of the course, or a question of one's own in the same form
    question: str = ""  # of a vote, where the prediction's own words need the chapter
    picture: str = ""  # beside it: an explorer and its settings, or the file of a picture
    code: str = ""  # or an expression of Python, with the names that the chapter has there
    table: list[list[str]] = field(default_factory=list)
    outcome: str = ""  # of a question of one's own: an explorer and its settings
    data: str = ""  # one's own examples for the explorer, a CSV file with a line of names
    target: str = ""  # its column of labels
    features: list[str] = field(default_factory=list)

    @cached_property
    def asks(self) -> Any:
        """The Question, or None."""
        if isinstance(self.vote, dict):
            return question.checked(self.title, self.vote)
        return question.find(self.vote) if self.vote else None

    @property
    def asked(self) -> str:
        return self.question or (self.asks.question if self.asks else "")

    @property
    def looks(self) -> bool:
        """Whether there is something to look at that Python draws."""
        return bool(self.show or self.picture or self.code or (self.asks and self.asks.picture))


@dataclass(frozen=True)
class RunningOrder:
    """The running order of a lecture, and what a lecturer has at hand."""

    title: str
    steps: list[Step]
    minutes: float = 45  # 0: there is no clock, and nothing is made before it is asked for
    points: list[str] = field(default_factory=list)
    open: str = ""
    ask: str = ""
    misconception: str = ""
    board: str = ""
    without: str = ""
    name: str = ""
    begin: int = 0  # the step to begin with
    folder: Path = COURSE

    @cached_property
    def shown(self) -> list[Step]:
        """The steps, and after them the explorers that its texts name besides."""
        named = DEMO.findall(" ".join([self.misconception, *(f"{step.say} {step.also}" for step in self.steps)]))
        more = dict.fromkeys(f"{explorer} {preset}" for explorer, preset in named)
        at_hand = [line for line in more if line not in {step.show for step in self.steps}]
        return [*self.steps, *(Step(line.split()[1].replace("-", " "), show=line) for line in at_hand)]


def explorer(line: str) -> tuple[str, str]:
    """An explorer and the controls that its preset stands for, or "predict" and a question. ValueError for others."""
    name, _, preset = line.partition(" ")
    return name, question.find(preset).name if name == "predict" else presets.line(name, preset)


def table(file: Path, target: str, features: list[str]) -> Dataset:
    """Examples from a CSV file: numbers in the columns `features`, or all others, labels in `target`."""
    try:
        text = file.read_text("utf-8-sig")
    except UnicodeDecodeError:
        text = file.read_text("cp1252")  # of spreadsheets on Windows
    mark = max(",;\t", key=text.partition("\n")[0].count)  # where it is no comma, a number may have one
    rows = list(csv.DictReader(io.StringIO(text), delimiter=mark, restval=""))
    names = list(rows[0]) if rows else []
    validate.one_of("target", target, names)
    kept = [validate.one_of("features", one, names) for one in features] or [one for one in names if one != target]
    numbers = np.empty((len(rows), len(kept)))
    for k, j in np.ndindex(numbers.shape):
        cell = rows[k][kept[j]]
        try:
            numbers[k, j] = float(cell if mark == "," else cell.replace(",", "."))
        except ValueError:
            raise ValueError(f"line {k + 2} of {file.name}: {kept[j]} must be a number; got {cell!r}. Leave it out, "
                             "or name the columns of numbers: features = [...]") from None
    labels, classes = signed(np.array([row[target] for row in rows]))
    return Dataset(numbers, labels, tuple(kept), classes)


def read(which: str) -> RunningOrder:
    """The running order of a chapter, by its number or name; one's own, by its file; of one vote, by its name; or of
    an explorer with its presets, "svm one-outlier".

    Raises ValueError for what is unknown, and for a fault in the file.
    """
    if "/" in which and not which.endswith(".toml"):
        chapter, _, key = question.find(which).name.partition("/")
        steps = read(chapter).steps if (COURSE / f"{chapter}.toml").is_file() else []
        step = next((one for one in steps if one.vote == which), Step(f"Vote: {key}", vote=which))
        return RunningOrder(step.title, [replace(step, minute=0)], minutes=0, name=key)
    shown, _, preset = which.partition(" ")
    if shown in presets.SHOWS:
        explorer(which)
        named = [*presets.SHOWS[shown]["presets"]]
        first = [preset] * (preset not in named)
        steps = [Step(one.replace("-", " ") if one in named else one or shown, k, show=f"{shown} {one}")
                 for k, one in enumerate(first + named)]  # fmt: skip
        at_hand = [Step(name.replace("_", " "), show=f"{name} {next(iter(one['presets']))}")
                   for name, one in presets.SHOWS.items() if name != shown]  # fmt: skip
        begin = 0 if first else named.index(preset)
        return RunningOrder(shown, [*steps, *at_hand], minutes=0, name=shown, begin=begin)
    file = Path(which)
    if file.suffix != ".toml":
        known = {path.stem: path for path in sorted(COURSE.glob("*.toml"))}
        near = [name for name in known if which in (name, name[:2], name[:2].lstrip("0"))]
        if not near:
            raise ValueError(f"lecture must be a chapter, one of {', '.join(known)}, or a file that ends in .toml; "
                             f"got {which!r}")
        file = known[near[0]]
    try:
        found = tomllib.loads(file.read_text("utf-8"))
        steps = [_checked(f"step {k}", Step, one) for k, one in enumerate(found.pop("steps", []), 1)]
        if not steps:
            raise ValueError("steps are missing: each begins with [[steps]]")
        more = {"steps": steps, "name": file.stem, "folder": file.resolve().parent}
        order: RunningOrder = _checked("the lecture", RunningOrder, found | more)
        for k, step in enumerate(order.steps, 1):
            try:
                if step.asks and step.asks.picture and isinstance(step.vote, dict):
                    raise ValueError("vote must be a choice or a slider: only a chapter asks for a place")
                if step.asks and not step.asks.picture:
                    Poll(step.title, step.asked, tuple(step.asks.choices), step.asks.slider)  # as phones can show it
                photo = step.picture.endswith(".png")
                for line in filter(None, (step.show, step.outcome, "" if photo else step.picture)):
                    explorer(line)
                if photo and not (order.folder / step.picture).is_file():
                    raise ValueError(f"picture must be a file beside this one; there is no {step.picture}")
                if step.data:
                    table(order.folder / step.data, step.target, step.features)
            except (ValueError, TypeError, OSError) as error:
                raise ValueError(f"step {k}, {step.title!r}: {error}") from None
    except ValueError as error:
        raise ValueError(f"{file}: {error}") from None
    return order


def _checked(what: str, kind: type, values: dict[str, Any]) -> Any:
    try:
        for key in values:
            validate.one_of("key", key, [one.name for one in fields(kind)])
        return kind(**values)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{what}: {error}") from None


def chapter(number: int, order: RunningOrder) -> str:
    """What TEACHING.md says of a chapter."""
    rows = []
    for step in order.steps:
        named = f"`coursekit demo {step.show or f'predict {step.vote}'}`"
        screen = step.screen or f"{'the vote ' * bool(step.vote)}{named}{step.also}"
        rows.append(f"| {step.minute:g} | {screen} | {step.say}{f' ({step.expect})' * bool(step.expect)} |")
    said = (("Ask", order.ask), ("Misconception", order.misconception), ("On the board", order.board),
            ("Without a projector", order.without))
    return "\n\n".join([
        f"## {number} {order.title}", "\n".join(f"{k}. {point}" for k, point in enumerate(order.points, 1)),
        f"Open: {order.open}", "\n".join(["| minute | on the screen | say, ask, do |", "|---|---|---|", *rows]),
        *(f"{name}: {text}" for name, text in said),
    ])


def teaching() -> str:
    """TEACHING.md, with its first page as it is there."""
    first = (installed() / "notebooks" / "TEACHING.md").read_text("utf-8").partition("\n## 1 ")[0]
    chapters = [chapter(int(file.stem[:2]), read(file.stem)) for file in sorted(COURSE.glob("*.toml"))]
    return "\n\n".join([first.rstrip(), *chapters]) + "\n"


if __name__ == "__main__":
    (installed() / "notebooks" / "TEACHING.md").write_text(teaching(), "utf-8")
