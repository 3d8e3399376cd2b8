"""The server that phones vote on: a port of its own, with nothing behind it but one question at a time."""

import json
import secrets
import socket
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from functools import cache
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import segno
from psutil import net_if_addrs
from tornado.ioloop import IOLoop, PeriodicCallback

from coursekit.core.files import write
from coursekit_lecture.ballot import name, server
from coursekit_lecture.poll import Answer, Poll

PORT = 8899
STALE = 2 * 60 * 60  # seconds after which a lecture does not go on
WINDOW = 10  # seconds: over as many requests are counted
PER_SECOND = 150  # requests at which phones look for the next question, all together


class Audience:
    """Asks the phones of a hall. It listens from the start and answers from start() to stop().

    file: where votes are kept until stop(), so that the next process goes on with them, if it has the same title and
    comes within two hours; the counts then lie beside it.
    host: the name or address to be shown, where the one that this computer finds is not the right one. on_change:
    called after votes, when phones come and go, and when the address is another one. Raises OSError where the port
    cannot be used.
    """

    def __init__(
        self, file: Path, port: int = PORT, host: str = "", title: str = "", on_change: Callable[[], Any] = lambda: None
    ) -> None:
        self.file, self.host, self.title, self.on_change = file, host, title, on_change
        self.polls: dict[str, Poll] = {}
        self.present: Poll | None = None
        self._secret, self._epoch, self._turn = secrets.token_hex(), secrets.token_hex(4), 0
        self._requests, self._before, self._window = Counter[str](), Counter[str](), 0
        self._told: tuple[str, int] = ("", 0)
        self._soon: object = None
        file.parent.mkdir(parents=True, exist_ok=True)
        self._load()
        try:
            self._socket = socket.create_server((host or "0.0.0.0", port), backlog=1024)
        except OSError as error:
            reason, *_ = str(error.strerror).partition(" (")  # the address, which is nobody's choice
            raise OSError(f"phones cannot vote on port {port}: {reason}; choose another") from None
        self._socket.setblocking(False)
        self.port: int = self._socket.getsockname()[1]
        self._server = server(self, self._secret)
        self._watch = PeriodicCallback(self._look, 2000)

    def start(self) -> None:
        """Answer; to be called in the event loop."""
        self._server.add_sockets([self._socket])
        self._watch.start()
        with suppress(ImportError, ValueError, OSError):
            import resource  # there is none on Windows

            few, most = resource.getrlimit(resource.RLIMIT_NOFILE)
            resource.setrlimit(resource.RLIMIT_NOFILE, (max(few, min(most, 4096)), most))

    def stop(self) -> None:
        """Answer no more, end all votes and keep the counts. Before start() what another process has kept stays."""
        answered = self._watch.is_running()
        self._watch.stop()
        self._server.stop()
        self._socket.close()
        if answered:
            self._end()

    def ask(self, poll: Poll | None) -> None:
        """Let the phones see this poll, with the votes it has had; None: nothing to vote on."""
        if poll and (had := self.polls.get(poll.key)) and had.asks() == poll.asks():
            poll.restore(had.export()["counts"], had.voters, had.closed)
        self.present = poll
        if poll:
            self.polls[poll.key] = poll
        self._changed(save=True)

    def close(self) -> None:
        """End the present vote: nothing is kept of it but counts."""
        if self.present:
            self.present.close()
        self._changed(save=True)

    @property
    def address(self) -> str:
        """What is typed into a phone."""
        return f"{self.host or here()}:{self.port}"

    @property
    def phones(self) -> int:
        """How many have looked in the last ten seconds or so."""
        return sum(name.startswith("phone ") for name in self._requests.keys() | self._before.keys())

    def vote(self, voter: str, answer: Any) -> None:
        """Count a vote on the present poll, and keep it before it is thanked for."""
        assert self.present
        self.present.vote(voter, answer)
        line = json.dumps([self.present.key, voter, self.present.voters[voter]])
        with suppress(OSError), self.file.open("a") as file:  # when the disk is full, memory still counts
            file.write(f"{line}\n")
        self._changed()

    def now(self, voter: str, seen: str) -> dict[str, Any]:
        """What a phone is told that has `seen` an earlier turn."""
        told: dict[str, Any] = {"turn": f"{self._epoch}-{self._turn}", "pace": max(2, self.phones / PER_SECOND)}
        if seen == told["turn"]:
            return told
        poll, told["title"], told["poll"] = self.present, self.title, None
        if poll:
            yours: Answer | None = poll.voters.get(voter)
            picture = f"/picture/{name(poll.picture)}" if poll.picture else ""
            told["poll"] = poll.form() | {"open": not poll.closed, "yours": yours, "picture": picture}
        return told

    def allows(self, who: str, most: int) -> bool:
        """Whether this request is one of the `most` that one may make in a window."""
        window = int(IOLoop.current().time() // WINDOW)
        if window != self._window:
            self._before = self._requests if window == self._window + 1 else Counter()
            self._requests, self._window = Counter(), window
        self._requests[who] += 1
        return self._requests[who] <= most

    def knows(self, host: str) -> bool:
        """Whether a page of this server can have this name; another one may be a stranger's that leads here."""
        with suppress(ValueError):
            return bool(ip_address(host.strip("[]")))
        return host in (self.host.lower(), "localhost")

    def _changed(self, save: bool = False) -> None:
        if save:
            self._turn += 1
            state = {"title": self.title, "secret": self._secret, "polls": [
                {"form": p.form(), "counts": p.export()["counts"], "voters": p.voters, "closed": p.closed}
                for p in self.polls.values()]}  # fmt: skip
            with suppress(OSError):
                write(self.file, f"{json.dumps(state)}\n".encode())
                self.file.chmod(0o600)
        if not self._soon:  # many votes are told as one
            self._soon = IOLoop.current().call_later(0.2, self._tell)

    def _tell(self) -> None:
        self._soon = None
        self.on_change()

    def _look(self) -> None:
        self.allows("nobody", 0)  # where no phone is left, none turns the page
        told, self._told = self._told, (self.address, self.phones)
        if told != self._told:
            self._changed()

    def _end(self) -> None:
        """Leave the counts beside the file, and no file."""
        for poll in self.polls.values():
            poll.close()
        if counted := [poll.export() for poll in self.polls.values() if poll.votes]:
            day = datetime.now().strftime("%Y-%m-%d %H.%M.%S")
            write(self.file.with_name(f"{self.file.stem} {day}.json"), json.dumps(counted, indent=1).encode())
        self.file.unlink(missing_ok=True)

    def _load(self) -> None:
        """What a process has kept that was killed; a last line that was not written to its end is left out."""
        if not self.file.exists():
            return
        age = time.time() - self.file.stat().st_mtime
        first, *lines = self.file.read_text("utf-8").split("\n")
        try:
            state = json.loads(first)
            title, self._secret = state["title"], state["secret"]
        except (ValueError, KeyError, TypeError):
            raise OSError(f"{self.file} does not hold votes; move it away") from None
        for kept in state["polls"]:
            form = kept["form"]
            poll = Poll(**form, picture=b"\x89PNG" if form["place"] else b"")
            poll.restore(kept["counts"], kept["voters"], kept["closed"])
            self.polls[poll.key] = poll
        for line in lines:
            with suppress(ValueError, KeyError, TypeError):
                key, voter, answer = json.loads(line)
                self.polls[key].vote(voter, answer)
        if age > STALE or title != self.title:
            self._end()
            self.polls = {}


@cache
def qr(address: str) -> str:
    """The source of its image; in capital letters, which a QR code packs tighter: legible from farther away."""
    return segno.make(f"http://{address}".upper(), error="m", micro=False).svg_data_uri(light="#fff", omitsize=True)


def here() -> str:
    """This computer's address in the network that it is in now."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked, suppress(OSError):
        asked.connect(("192.0.2.1", 9))  # sends nothing: it only finds which way a packet would go
        return str(asked.getsockname()[0])
    # A network that leads nowhere else, such as this computer's own.
    found = [at.address for card in net_if_addrs().values() for at in card if at.family == socket.AF_INET]
    return next((address for address in found if not ip_address(address).is_loopback), "127.0.0.1")
