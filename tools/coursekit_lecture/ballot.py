"""What phones can ask the audience's server for: a page, what is asked now, its picture, and to count a vote."""

import base64
import hashlib
import json
import secrets
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tornado.httpserver import HTTPServer
from tornado.iostream import IOStream
from tornado.web import Application, HTTPError, RequestHandler

if TYPE_CHECKING:
    from coursekit_lecture.audience import Audience

OF_A_PHONE, OF_NOBODY = 60, 3000  # requests in ten seconds, by one phone, and from one address without a phone's cookie
OPEN = 400  # connections at one time
BODY = 1000  # bytes of a vote
HERE = Path(__file__).parent


def server(audience: "Audience", secret: str) -> HTTPServer:
    """The server of an audience."""
    application = Application(
        [("/", Start), ("/now", Now), ("/vote", Ballot), ("/picture/([0-9a-f]{16})", PollPicture)],
        default_handler_class=Nothing, cookie_secret=secret, compress_response=True, audience=audience,
        log_function=lambda handler: None,  # who came when is nobody's business
    )  # fmt: skip
    # One request a connection: a hall of phones that hold theirs would need more sockets than some systems have.
    return Bounded(application, no_keep_alive=True, max_header_size=16_000, max_body_size=BODY,
                   idle_connection_timeout=10, body_timeout=10)  # fmt: skip


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

    def initialize(self) -> None:
        self.audience: Audience = self.settings["audience"]

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
        self.finish(self.audience.now(self.voter, self.get_query_argument("seen", "") or ""))


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
