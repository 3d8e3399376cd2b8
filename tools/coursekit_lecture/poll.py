"""A question to a hall, and its votes: one each, counted."""

import json
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from coursekit.core import validate

Answer = str | float | tuple[float, ...]
Range = tuple[float, float]

BINS = 8
GRID = 100  # a place is kept as the nearest of so many steps across the picture, and up
VOTERS = 5000
OPTIONS, TEXT, PICTURE = 8, 1000, 1 << 20  # what a phone can show and a hall's network carry


@dataclass
class Poll:
    """A question with `options`, with a `slider` (from, to, step), or with a `place` in the picture for its answer.

    key: tells this poll from all others of the lecture. picture: a PNG; alt: the same in words. place: the ranges of
    x and y in that `box` of the picture, whose left, bottom, right and top are shares of its width and height.

    >>> poll = Poll("sides", "On which side?", options=("left", "right"))
    >>> poll.vote("a phone", "left"); poll.vote("another", "left"); poll.vote("another", "right"); poll.counts()
    {'left': 1, 'right': 1}
    """

    key: str
    question: str
    options: tuple[str, ...] = ()
    slider: tuple[float, float, float] | None = None
    place: tuple[Range, Range] | None = None
    unit: str = ""
    picture: bytes = b""
    alt: str = ""
    box: tuple[float, float, float, float] = (0, 0, 1, 1)
    closed: bool = field(default=False, init=False)
    voters: dict[str, Answer] = field(default_factory=dict, init=False, repr=False)  # none when it is closed
    _counted: Counter[Answer] = field(default_factory=Counter, init=False, repr=False)

    def __post_init__(self) -> None:
        self.options = validate.names("options", self.options)
        if sum(map(bool, (self.options, self.slider, self.place))) != 1:
            raise ValueError(f"a poll must have options, a slider, or a place, and one of them alone; got {self!r}")
        texts = (self.key, self.question, *self.options)
        if not all(0 < len(text) <= TEXT for text in texts):
            raise ValueError(f"key, question and options must each have 1 to {TEXT} letters; got {texts}")
        if self.options and not 2 <= len(set(self.options)) == len(self.options) <= OPTIONS:
            raise ValueError(f"options must be 2 to {OPTIONS} different ones; got {self.options}")
        if self.slider:
            low, high, step = self.slider
            if not (low < high and step > 0 and np.isclose((high - low) / step, round((high - low) / step))):
                raise ValueError(f"slider must be (from, to, step), a whole number of steps; got {self.slider}")
        if len(self.picture) > PICTURE or not self.picture.startswith(b"\x89PNG" if self.picture else b""):
            raise ValueError(f"picture must be a PNG of at most {PICTURE} bytes; got {len(self.picture)} bytes")
        if self.place and not (self.picture and all(low < high for low, high in self.place)):
            raise ValueError(f"a place needs a picture, and two ranges (from, to); got {self.place}")

    @property
    def votes(self) -> int:
        return self._tally().total()

    def vote(self, voter: str, answer: Any) -> None:
        """Count this answer of this voter in place of an earlier one. ValueError or TypeError for what is none."""
        if self.closed:
            raise ValueError("voting is closed")
        if voter not in self.voters and len(self.voters) >= VOTERS:
            raise ValueError(f"a poll counts at most {VOTERS} voters")
        self.voters[voter] = self.read(answer)

    def close(self) -> None:
        """End it: from now on there are only counts, and nobody knows whose they are."""
        self._counted, self.voters, self.closed = self._tally(), {}, True

    def read(self, answer: Any) -> Answer:
        """An answer as it is counted. Raises ValueError or TypeError for what cannot be one."""
        if self.options:
            return str(validate.one_of("answer", answer, self.options))
        if self.slider:
            return _step(answer, *self.slider)
        if not isinstance(answer, list | tuple) or len(answer) != 2:
            raise TypeError(f"answer must be a place, x and y; got {str(answer)[:100]}")
        axes = zip(answer, self.place or (), strict=True)
        return tuple(_step(number, low, high, (high - low) / GRID) for number, (low, high) in axes)

    def counts(self) -> dict[Any, int]:
        """How many votes each has: the options, groups of the slider's numbers, or the places that were marked."""
        tally = self._tally()
        if self.options:
            return {option: tally[option] for option in self.options}
        if not self.slider:
            return dict(tally)
        found, first = {}, -np.inf
        for name, last in groups(*self.slider).items():
            found[name] = sum(n for answer, n in tally.items() if first < float(str(answer)) <= last)
            first = last
        return found

    def export(self) -> dict[str, Any]:
        """Everything that stays when it is closed, for JSON."""
        return {"key": self.key, "question": self.question, "closed": self.closed, "votes": self.votes,
                "counts": [[answer, n] for answer, n in sorted(self._tally().items())]}  # fmt: skip

    def form(self) -> dict[str, Any]:
        """What a voter is asked, for JSON."""
        return {"key": self.key, "question": self.question, "options": self.options, "slider": self.slider,
                "place": self.place, "unit": self.unit, "alt": self.alt, "box": self.box}  # fmt: skip

    def asks(self) -> str:
        """What makes it another poll when it changes; its picture and its unit may."""
        return json.dumps([self.question, self.options, self.slider, self.place])

    def restore(self, counts: list[Any], voters: dict[str, Any], closed: bool) -> None:
        """The votes of another Poll like this one, as they were exported."""
        self._counted = Counter({self.read(answer): n for answer, n in counts}) if closed else Counter()
        self.voters, self.closed = {voter: self.read(answer) for voter, answer in voters.items()}, closed

    def _tally(self) -> Counter[Answer]:
        return self._counted if self.closed else Counter(self.voters.values())


def groups(low: float, high: float, step: float) -> dict[str, float]:
    """A slider's numbers in at most 8 groups: the name of each, and its last number.

    >>> list(groups(0, 40, 1))
    ['0 to 5', '6 to 10', '11 to 15', '16 to 20', '21 to 25', '26 to 30', '31 to 35', '36 to 40']
    """
    numbers = [round(low + step * k, 9) for k in range(round((high - low) / step) + 1)]
    parts = [part.tolist() for part in np.array_split(numbers, min(len(numbers), BINS))]
    return {f"{part[0]:g} to {part[-1]:g}" if len(part) > 1 else f"{part[0]:g}": part[-1] for part in parts}


def _step(value: Any, low: float, high: float, step: float) -> float:
    """The number of low, low + step, ..., high that is nearest. Raises ValueError or TypeError outside of them."""
    number = validate.number("answer", value, low, high)
    return round(low + step * round((number - low) / step), 9)
