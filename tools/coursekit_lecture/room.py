"""Where a lecture stands: what its pages show, whatever becomes of them and of the kernel."""

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from coursekit.core import validate
from coursekit.plots.style import STYLES
from coursekit_lecture import running
from coursekit_lecture.audience import Audience, qr
from coursekit_lecture.poll import Poll, groups

NOTES = ("points", "ask", "misconception", "board", "without")


class Lecture:
    """Where a lecture stands: the step, the clock, the style, the votes. It lives in the server: a kernel may die.

    folder: where its page keeps pictures, and reads where to begin. on_change: told after each change.
    """

    def __init__(
        self, order: running.RunningOrder, folder: Path, style: str = "light", audience: Audience | None = None
    ) -> None:
        validate.one_of("style", style, STYLES)
        self.order, self.folder, self.audience = order, folder, audience
        self.steps = order.shown
        self.step, self.style, self.started, self.born = order.begin, style, 0.0, time.time()
        self.place = self.step  # or the step of the running order that an aside was opened from
        self.join = False  # whether the address and its QR code lie over the step
        self.bars: set[int] = set()  # the votes that the hall sees, and those whose outcome it sees
        self.outcomes: set[int] = set()
        self.typed: dict[int, list[int]] = {}  # hands that were counted
        self.lines: dict[str, str] = {}  # where explorers were moved to
        self.link: list[Any] = [0, "", 0]  # where one of them shall go: the step, the line, how many there were
        self.polls: dict[int, Poll] = {}
        self.on_change: Callable[[], Any] = lambda: None
        self._changed()

    def do(self, message: dict[str, Any]) -> None:
        """What a page asks for. ValueError and TypeError for what cannot be done."""
        for what, value in message.items():
            if what in ("turn", "flip", "hand"):
                what, value = self._meant(what, value)
            if what == "go":
                k = int(validate.number("go", value, 0, len(self.steps) - 1))
                if not self.started and k > 0 and self.order.minutes:
                    self._set_clock(k)
                self.step, self.place = k, self.place if self.steps[k].minute is None else k
            elif what == "clock" and value is True:
                self._set_clock(self.step)
            elif what == "clock":  # from a page that has outlived its server
                self.started = validate.number("clock", value, 0, time.time())
            elif what == "join":
                self.join = bool(value)
            elif what == "style":
                self.style = validate.one_of("style", value, STYLES)
            elif what in ("bars", "outcome"):
                shown = self.bars if what == "bars" else self.outcomes
                if self.steps[self.step].asks:
                    (shown.add if value else shown.discard)(self.step)
            elif what == "typed":
                count = len(self.choices(self.step)[0])
                self.typed[self.step] = [int(validate.number("typed", one, 0, 9999)) for one in value][:count]
            elif what == "line":
                self.link = [self.step, str(value), self.link[2] + 1]
            elif what == "lines":
                self.lines = {str(k): str(line) for k, line in value.items()}
            elif what != "made":  # which asks for nothing, but there may be a picture now
                raise ValueError(f"a page can't ask for {what!r}")
        self._changed()

    def _meant(self, what: str, value: Any) -> tuple[str, Any]:
        """What a key asks for: it may be faster than an answer, and counts from where those before it have led."""
        if what == "turn":
            return "go", self._turned(validate.number("turn", value, -1, 1))
        if what == "hand":
            return "typed", [count + (k == value) for k, count in enumerate(self.told()["votes"]["counts"])]
        name, looks = validate.one_of("flip", value, ("style", "join", "bars", "outcome")), [*STYLES]
        return name, looks[(looks.index(self.style) + 1) % len(looks)] if name == "style" else not self.told()[name]

    def _turned(self, by: float) -> float:
        """The step that follows, or goes before; from one that is at hand, the one that it was opened from."""
        last = sum(step.minute is not None for step in self.steps) - 1
        return self.place if self.step != self.place else max(0, min(self.step + by, last))

    def choices(self, k: int) -> tuple[list[str], int]:
        """What the step k is voted on, and which of it is right; none for a place and a drawing."""
        question = self.steps[k].asks
        if not question or question.picture:
            return [], -1
        if not question.slider:
            return question.choices, question.choices.index(question.right)
        named = groups(*question.slider)
        return list(named), sum(last < question.right for last in named.values())

    def asked(self) -> dict[str, Any]:
        """What the kernel's page is asked for."""
        places = {k: [list(at) for at in poll.counts()] for k, poll in self.polls.items()
                  if poll.place and k in self.bars | self.outcomes}
        return {"step": self.step, "style": self.style, "outcomes": sorted(self.outcomes), "places": places,
                "lines": self.lines, "link": self.link}  # fmt: skip

    def told(self, speaker: bool = False) -> dict[str, Any]:
        """What a page shows now. speaker: with the votes that the hall does not see."""
        k, poll = self.step, self.polls.get(self.step)
        seen = not poll or k in self.bars | self.outcomes or speaker
        counts = list(poll.counts().values()) if poll else self.typed.get(k, [0] * len(self.choices(k)[0]))
        votes = {"total": sum(counts), "counts": counts if seen else [], "open": bool(poll and not poll.closed)}
        found = {"asked": self.asked(), "votes": votes, "bars": k in self.bars, "outcome": k in self.outcomes,
                 "started": self.started, "now": time.time(), "join": self.join, "next": self._turned(1)}  # fmt: skip
        at = self.audience
        return found | ({"address": at.address, "qr": qr(at.address), "phones": at.phones} if at else {})

    def hello(self, speaker: bool = False) -> dict[str, Any]:
        """The running order. speaker: with all that the hall is not told."""
        return {"title": self.order.title, "minutes": self.order.minutes, "audience": bool(self.audience),
                "born": self.born, "steps": [self._step(k, speaker) for k in range(len(self.steps))],
                "notes": {name: getattr(self.order, name) for name in NOTES} if speaker else {}}  # fmt: skip

    def _step(self, k: int, speaker: bool) -> dict[str, Any]:
        step, question = self.steps[k], self.steps[k].asks
        names, right = self.choices(k)
        found: dict[str, Any] = {"title": step.title, "minute": step.minute, "shows": bool(step.show),
                                 "text": step.text or "On the board" * (step.screen == "board"),
                                 "looks": step.looks}  # fmt: skip
        if question:
            found |= {"asked": step.asked, "choices": names, "right": right, "unit": question.unit, "table": step.table,
                      "slider": bool(question.slider),
                      "marks": bool(question.picture) and not question.draw, "draw": bool(question.draw),
                      "answer": question.describe(question.right), "why": question.answers[question.right]}
        if speaker:
            ideas = [[question.describe(one), why] for one, why in question.answers.items()] if question else []
            screen = step.screen or f"{step.show}{step.also}"
            found |= {"say": step.say, "expect": step.expect, "ideas": ideas, "screen": screen}
            found["after"] = question.after if question else ""
        return found

    def _set_clock(self, k: int) -> None:
        self.started = time.time() - 60 * (self.steps[k].minute or 0)

    def _changed(self) -> None:
        (self.folder / "asked.json").write_text(json.dumps(self.asked()), "utf-8")
        if self.audience:
            self._ask()
        self.on_change()

    def _ask(self) -> None:
        """Let the phones see what is voted on now, as soon as there is its picture."""
        assert self.audience
        k, step, question = self.step, self.steps[self.step], self.steps[self.step].asks
        poll, png, where = self.polls.get(k), self.folder / f"{k}.png", self.folder / f"{k}.json"
        place = bool(question and question.picture and not question.draw)
        if not question or question.draw or (place and not where.is_file()):
            poll = None
        elif not poll or (not poll.picture and png.is_file()):
            at: Any = json.loads(where.read_text("utf-8")) if place else {"place": None, "box": (0, 0, 1, 1)}
            poll = self.polls[k] = Poll(
                f"{self.order.title}: {step.title}", step.asked, options=tuple(question.choices),
                slider=question.slider, place=at["place"], unit=question.unit,
                picture=png.read_bytes() if png.is_file() else b"", alt=question.picture, box=at["box"],
            )  # fmt: skip
        if poll is not self.audience.present:
            self.audience.ask(poll)
        if poll and not poll.closed and k in self.outcomes:
            self.audience.close()
