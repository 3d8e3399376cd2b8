"""The server that phones vote on: a port of its own, with nothing behind it but one question at a time."""

from __future__ import annotations

import base64
import hashlib
import io
import json
import secrets
import socket
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import segno
from tornado.httpserver import HTTPServer
from tornado.ioloop import IOLoop, PeriodicCallback
from tornado.iostream import IOStream
from tornado.netutil import bind_sockets
from tornado.web import Application, HTTPError, RequestHandler

from coursekit.core.files import write
from coursekit_lecture.poll import Answer, Poll

PORT = 8899
WINDOW = 10  # seconds: over as many requests are counted
OF_A_PHONE, OF_NOBODY = 60, 3000  # requests in a window, by one phone, and from one address without a phone's cookie
PER_SECOND = 150  # requests at which phones look for the next question, all together
OPEN = 400  # connections at one time
BODY = 1000  # bytes of a vote
HERE = Path(__file__).parent


class Audience:
    """Asks the phones of a hall. It listens from the start and answers from start() to stop().

    file: where votes are kept, so that they outlast this process. host: the name or address to be shown, where the one
    that this computer finds is not the right one. on_change: called after votes, when phones come and go, and when
    the address is another one. Raises OSError where the port cannot be used.
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
        self._load()
        try:
            self._sockets = bind_sockets(port, host or "0.0.0.0", socket.AF_INET, backlog=1024)
        except OSError as error:
            raise OSError(f"phones cannot vote on port {port}: {error.strerror}; choose another") from None
        self.port: int = self._sockets[0].getsockname()[1]
        self._watch = PeriodicCallback(self._look, 2000)

    def start(self) -> None:
        """Answer; to be called in the event loop."""
        application = Application(
            [("/", Start), ("/now", Now), ("/vote", Ballot), ("/picture/([0-9a-f]{16})", PollPicture)],
            default_handler_class=Nothing, cookie_secret=self._secret, compress_response=True,
            log_function=lambda handler: None, audience=self,  # who came when is nobody's business
        )  # fmt: skip
        # One request a connection: a hall of phones that hold theirs would need more sockets than some systems have.
        self._server = Bounded(application, no_keep_alive=True, max_header_size=16_000, max_body_size=BODY,
                               idle_connection_timeout=10, body_timeout=10)  # fmt: skip
        self._server.add_sockets(self._sockets)
        self._watch.start()
        with suppress(ImportError, ValueError, OSError):
            import resource  # there is none on Windows

            few, most = resource.getrlimit(resource.RLIMIT_NOFILE)
            resource.setrlimit(resource.RLIMIT_NOFILE, (max(few, min(most, 4096)), most))

    def stop(self) -> None:
        """End all votes, keep the counts, and answer no more."""
        self._watch.stop()
        self._server.stop()
        for poll in self.polls.values():
            poll.close()
        self._changed(save=True)

    def ask(self, poll: Poll | None) -> None:
        """Let the phones see this poll, with the votes it has had; None: nothing to vote on."""
        if poll and (had := self.polls.get(poll.key)) and json.dumps(had.form()) == json.dumps(poll.form()):
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

    def qr(self) -> str:
        """The address as an SVG without a size."""
        # In capital letters, which a QR code packs tighter: larger squares, legible from farther away.
        code = segno.make(f"http://{self.address}".upper(), error="m", micro=False)
        svg = io.BytesIO()
        code.save(svg, kind="svg", xmldecl=False, svgns=True, light="#fff", omitsize=True)
        return svg.getvalue().decode()

    def vote(self, voter: str, answer: Any) -> None:
        """Count a vote on the present poll, and keep it before it is thanked for."""
        assert self.present
        self.present.vote(voter, answer)
        line = json.dumps([self.present.key, voter, self.present.voters[voter]])
        with suppress(OSError), self.file.open("a") as file:  # where the disk is full, memory still counts
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
            told["poll"] = poll.form() | {"open": poll.open, "yours": yours, "picture": picture}
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
            state = {"secret": self._secret, "polls": [
                {"form": p.form(), "counts": p.export()["counts"], "voters": p.voters, "closed": p.closed}
                for p in self.polls.values()]}  # fmt: skip
            self.file.parent.mkdir(parents=True, exist_ok=True)
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

    def _load(self) -> None:
        """What an earlier process has kept; a last line that was not written to its end is left out."""
        if not self.file.exists():
            return
        first, *lines = self.file.read_text("utf-8").split("\n")
        try:
            state = json.loads(first)
            self._secret = state["secret"]
        except (ValueError, KeyError, TypeError):
            raise OSError(f"{self.file} does not hold votes; move it away") from None
        for kept in state["polls"]:
            form = kept["form"]
            poll = Poll(**form, picture=b"\x89PNG" if form["place"] else b"")
            poll.restore(kept["counts"], kept["voters"], kept["closed"])
            self.polls[poll.key] = poll
        for line in lines:
            with suppress(ValueError):
                key, voter, answer = json.loads(line)
                self.polls[key].vote(voter, answer)


class Bounded(HTTPServer):
    """Holds at most OPEN connections; whoever comes then tries again."""

    held = 0

    def handle_stream(self, stream: IOStream, address: Any) -> None:
        if self.held >= OPEN:
            stream.close()
            return
        self.held += 1
        super().handle_stream(stream, address)

    def on_close(self, server_conn: object) -> None:
        self.held -= 1
        super().on_close(server_conn)


class Endpoint(RequestHandler):
    """What holds for every request: who may come, as whom, how often."""

    voter = ""

    @property
    def audience(self) -> Audience:
        found: Audience = self.settings["audience"]
        return found

    def set_default_headers(self) -> None:
        self.clear_header("Server")
        for header in HEADERS.items():
            self.set_header(*header)

    def prepare(self) -> None:
        if not self.audience.knows(self.request.host_name):
            raise HTTPError(403, "Open the address that the hall shows.")
        cookie = self.get_signed_cookie("phone", max_age_days=1)
        self.voter = cookie.decode() if cookie else ""
        who, most = ("phone " + self.voter, OF_A_PHONE) if cookie else ("at " + str(self.request.remote_ip), OF_NOBODY)
        if not self.audience.allows(who, most):
            raise HTTPError(429, "Too many requests. Wait ten seconds.")

    def phone(self) -> None:
        """Make who asks a voter."""
        if not self.voter:
            self.voter = secrets.token_urlsafe(12)
            self.set_signed_cookie("phone", self.voter, expires_days=1, httponly=True, samesite="Lax")

    def write_error(self, status_code: int, **kwargs: Any) -> None:
        error = kwargs.get("exc_info", (None, None))[1]
        self.set_header("Content-Type", "text/plain; charset=utf-8")
        self.finish(getattr(error, "log_message", None) or self._reason)

    def log_exception(self, kind: Any, error: Any, trace: Any) -> None:
        if not isinstance(error, HTTPError):  # nor is it anybody's business who was refused
            super().log_exception(kind, error, trace)

    def compute_etag(self) -> None:
        return None


class Nothing(Endpoint):
    def prepare(self) -> None:
        super().prepare()
        raise HTTPError(404, "There is nothing here but the vote.")


class Start(Endpoint):
    def get(self) -> None:
        self.phone()
        self.finish(PAGE)


class Now(Endpoint):
    def get(self) -> None:
        self.phone()
        self.finish(self.audience.now(self.voter, self.get_query_argument("seen", "")))


class PollPicture(Endpoint):
    def get(self, wanted: str) -> None:
        poll = self.audience.present
        if not poll or name(poll.picture) != wanted:
            raise HTTPError(404, "This picture is not shown now.")
        self.set_header("Content-Type", "image/png")
        self.set_header("Cache-Control", "private, max-age=3600, immutable")
        self.finish(poll.picture)


class Ballot(Endpoint):
    def post(self) -> None:
        # Another site's page can send neither this type without being asked for leave, nor our page's origin.
        if self.request.headers.get("Content-Type", "").partition(";")[0] != "application/json":
            raise HTTPError(415, "A vote is sent as application/json.")
        if self.request.headers.get("Origin", host := f"http://{self.request.host}") != host:
            raise HTTPError(403, "A vote comes from this page alone.")
        if not self.voter:
            raise HTTPError(403, "This phone keeps no cookies. Allow them for this page and reload it.")
        try:
            vote = json.loads(self.request.body)
            key, answer = vote["poll"], vote["answer"]
        except (ValueError, KeyError, TypeError, RecursionError):
            raise HTTPError(400, "A vote has a poll and an answer.") from None
        poll = self.audience.present
        if not poll or poll.closed or key != poll.key:
            raise HTTPError(409, "This vote is closed.")
        try:
            self.audience.vote(self.voter, answer)
        except (ValueError, TypeError):
            raise HTTPError(400, "This is not an answer to the question.") from None
        self.set_status(204)


def name(picture: bytes) -> str:
    return hashlib.sha256(picture).hexdigest()[:16]


def here() -> str:
    """This computer's address in the network that it is in now."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked, suppress(OSError):
        asked.connect(("192.0.2.1", 9))  # sends nothing: it only finds which way a packet would go
        return str(asked.getsockname()[0])
    with suppress(OSError):  # a network that leads nowhere else
        return socket.gethostbyname(socket.gethostname())
    return "127.0.0.1"


def _page() -> tuple[str, dict[str, str]]:
    """The page with its style and script inside, and the headers that let it run these and nothing else."""
    text, allowed = (HERE / "phone.html").read_text("utf-8"), {}
    for kind in ("css", "js"):
        part = (HERE / f"phone.{kind}").read_text("utf-8")
        text = text.replace(f"/* {kind} */", part)
        allowed[kind] = "'sha256-" + base64.b64encode(hashlib.sha256(part.encode()).digest()).decode() + "'"
    policy = (f"default-src 'none'; style-src {allowed['css']}; script-src {allowed['js']}; img-src 'self' data:; "
              "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")  # fmt: skip
    return text, {"Content-Security-Policy": policy, "X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY",
                  "Referrer-Policy": "no-referrer", "Cross-Origin-Resource-Policy": "same-origin",
                  "Cache-Control": "no-store"}  # fmt: skip


PAGE, HEADERS = _page()
