"""`coursekit lecture`: one page for a whole lecture, and the speaker's view of it."""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

import nbformat
from jupyter_core.paths import jupyter_data_dir
from jupyter_server.base.handlers import JupyterHandler
from jupyter_server.base.websocket import WebSocketMixin
from tornado.ioloop import IOLoop
from tornado.web import HTTPError, authenticated
from tornado.websocket import WebSocketHandler
from voila.app import Voila
from voila.tornado.handler import TornadoVoilaHandler

from coursekit.core import validate
from coursekit.plots.style import FONTS, STYLES
from coursekit_lecture import running
from coursekit_lecture.audience import Audience
from coursekit_lecture.poll import Poll, groups
from coursekit_lecture.serve import serve

HERE = Path(__file__).parent
FILES = {path.name: path for path in (*map(Path, FONTS), HERE / "lecture.js", HERE / "lecture.css")}
FILES |= {name: HERE / f"{name}.html" for name in ("hall", "speaker")}
KINDS = {".css": "text/css", ".js": "text/javascript", ".ttf": "font/ttf", ".html": "text/html"}


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
        self.step, self.style, self.started = order.begin, style, 0.0
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
            if what == "go":
                k = int(validate.number("go", value, 0, len(self.steps) - 1))
                if not self.started and k > 0 and self.order.minutes:
                    self._set_clock(k)
                self.step = k
            elif what == "clock":
                self._set_clock(self.step)
            elif what == "style":
                self.style = validate.one_of("style", value, STYLES)
            elif what in ("bars", "outcome"):
                shown = self.bars if what == "bars" else self.outcomes
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

    def choices(self, k: int) -> tuple[list[str], int]:
        """What the step k is voted on, and which of it is right; none for a place and a drawing."""
        question = self.steps[k].asks
        if not question or question.picture:
            return [], -1
        named = groups(*question.slider) if question.slider else dict.fromkeys(question.choices, question.right)
        names = list(named)
        if not question.slider:
            return names, names.index(str(question.right))
        return names, next(i for i, last in enumerate(named.values()) if float(str(question.right)) <= float(str(last)))

    def asked(self) -> dict[str, Any]:
        """What the kernel's page is asked for."""
        places = {k: [list(at) for at in poll.counts()] for k, poll in self.polls.items()
                  if poll.place and k in self.bars | self.outcomes}
        return {"step": self.step, "style": self.style, "outcomes": sorted(self.outcomes), "places": places,
                "lines": self.lines, "link": self.link}  # fmt: skip

    def told(self, speaker: bool = False) -> dict[str, Any]:
        """What a page shows now. speaker: with the votes that the hall does not see."""
        k, poll = self.step, self.polls.get(self.step)
        open_ = k in self.bars | self.outcomes or speaker
        counts = list(poll.counts().values()) if poll else self.typed.get(k, [0] * len(self.choices(k)[0]))
        votes = {"total": sum(counts), "counts": counts if open_ or not poll else [], "open": bool(poll and poll.open)}
        found = {"asked": self.asked(), "votes": votes, "bars": k in self.bars, "outcome": k in self.outcomes,
                 "started": self.started, "now": time.time()}  # fmt: skip
        return found | ({"address": self.audience.address, "phones": self.audience.phones} if self.audience else {})

    def hello(self, speaker: bool = False) -> dict[str, Any]:
        """The running order. speaker: with all that the hall is not told."""
        return {"title": self.order.title, "minutes": self.order.minutes, "audience": bool(self.audience),
                "steps": [self._step(k, speaker) for k in range(len(self.steps))],
                "notes": {name: getattr(self.order, name) for name in NOTES} if speaker else {}}  # fmt: skip

    def _step(self, k: int, speaker: bool) -> dict[str, Any]:
        step, question = self.steps[k], self.steps[k].asks
        names, right = self.choices(k)
        found: dict[str, Any] = {"title": step.title, "minute": step.minute, "shows": bool(step.show),
                                 "text": step.text or "On the board" * (step.screen == "board")}  # fmt: skip
        if question:
            found |= {"asked": step.asked, "choices": names, "right": right, "unit": question.unit, "table": step.table,
                      "slider": bool(question.slider),
                      "marks": bool(question.picture) and not question.draw, "draw": bool(question.draw),
                      "answer": question.describe(question.right), "why": question.answers[question.right],
                      "looks": bool(step.picture or step.code or question.picture)}  # fmt: skip
        if speaker:
            ideas = [[question.describe(one), why] for one, why in question.answers.items()] if question else []
            screen = step.screen or f"{step.show}{step.also}"
            found |= {"say": step.say, "expect": step.expect, "ideas": ideas, "screen": screen}
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
        if poll and poll.open and k in self.outcomes:
            self.audience.close()


NOTES = ("points", "ask", "misconception", "board", "without")


class Screen(JupyterHandler):
    """The page of the hall, that of the speaker, and what both are made of."""

    @authenticated
    def get(self, name: str = "hall") -> None:
        path = FILES.get(name)
        if not path:
            raise HTTPError(404)
        self.set_header("Content-Type", KINDS[path.suffix])
        self.set_header("Cache-Control", "no-cache")
        self.finish(path.read_bytes())


class Code(JupyterHandler):
    """The QR code of the audience's address."""

    @authenticated
    def get(self) -> None:
        lecture: Lecture = self.settings["lecture"]
        if not lecture.audience:
            raise HTTPError(404)
        self.set_header("Content-Type", "image/svg+xml")
        self.set_header("Cache-Control", "no-store")
        self.finish(lecture.audience.qr())


class Connection(WebSocketMixin, WebSocketHandler, JupyterHandler):
    """A page's line to the lecture."""

    all: ClassVar[set[Connection]] = set()

    async def get(self, *arguments: Any, **more: Any) -> None:
        if self.current_user is None:
            raise HTTPError(403)
        await super().get(*arguments, **more)

    def open(self, *arguments: str, **more: str) -> None:
        super().open(*arguments, **more)
        self.speaker = self.get_query_argument("view", "") == "speaker"
        self.all.add(self)
        self.write_message({"hello": self.settings["lecture"].hello(self.speaker)})
        self.tell()

    def tell(self) -> None:
        self.write_message(self.settings["lecture"].told(self.speaker))

    def on_message(self, message: str | bytes) -> None:
        try:
            self.settings["lecture"].do(json.loads(message))
        except (ValueError, TypeError, AttributeError) as error:
            self.write_message({"refused": str(error)})

    def on_close(self) -> None:
        self.all.discard(self)


class Hall(Voila):
    """Voila's server with the pages of a lecture; Voila's own page, with the kernel, lies inside the hall's."""

    def init_handlers(self) -> list[Any]:
        *theirs, (_, stage, more) = super().init_handlers()
        assert stage is TornadoVoilaHandler
        ours = [("/", Screen), ("/(speaker)", Screen), ("/hall/(.*)", Screen), ("/qr", Code), ("/line", Connection)]
        return [*ours, ("/stage", stage, more), *theirs]


def lecture(
    which: str, style: str = "light", port: int | None = None, browser: bool = True,
    phones: dict[str, Any] | None = None,
) -> None:
    """Serve a lecture to this computer until it is stopped: a chapter's, or one's own, by its file.

    phones: where the audience votes, as `Audience` takes it; None: hands are counted. Raises ValueError for an unknown
    chapter or style and a fault in the file, and OSError where a port cannot be used.
    """
    order = running.read(which)
    with tempfile.TemporaryDirectory(prefix="coursekit-lecture-") as folder:
        audience, votes = None, Path(jupyter_data_dir()) / "coursekit" / f"votes-{order.name}.json"
        if phones is not None:
            audience = Audience(votes, title=order.title, **phones)
        now = Lecture(order, Path(folder), style, audience)
        file = str(Path(which).resolve()) if which.endswith(".toml") else which
        code = f"from coursekit_lecture.stage import Scenes\nScenes({file!r}).widget"
        notebook = Path(folder) / "lecture.ipynb"
        nbformat.write(nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(code)]), notebook)

        def tell() -> None:
            for line in Connection.all:
                line.tell()

        now.on_change = tell
        if audience:
            audience.on_change = tell
            IOLoop.current().add_callback(audience.start)
        try:
            serve(Hall, {"lecture": now}, notebook, order.title, port, browser)
        finally:  # only a process that was killed leaves votes for the next one
            if audience:
                audience.stop()
                print(f"The counts of the votes are in {votes.parent}")
