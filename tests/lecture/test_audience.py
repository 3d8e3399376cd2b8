"""Votes from phones: each counts once, none is lost, and nothing but the vote can be reached."""

import asyncio
import base64
import json
import os
import random
import re
import socket
import time
from collections import Counter
from contextlib import asynccontextmanager, suppress
from ipaddress import ip_address
from types import SimpleNamespace
from urllib.request import urlopen

import psutil
import pytest
from tornado.httpclient import AsyncHTTPClient, HTTPRequest
from tornado.simple_httpclient import HTTPStreamClosedError

from coursekit_lecture import audience, ballot
from coursekit_lecture.audience import Audience, qr
from coursekit_lecture.poll import VOTERS, Poll
from tests.browser import harness

pytestmark = pytest.mark.usefixtures("loopless")

PNG = b"\x89PNG\r\n\x1a\n" + bytes(100)
SIDES = {"key": "sides", "question": "On which side of the line is it?", "options": ("left", "right", "on it")}
MISTAKES = {"key": "mistakes", "question": "How many mistakes?", "slider": (0, 40, 1), "unit": "mistakes"}
SPOT = {"key": "spot", "question": "Where does it land?", "place": ((-2, 2), (0, 10)), "picture": PNG}


class Phone:
    """A real client of a real server, with a browser's cookie."""

    def __init__(self, served):
        self.base, self.cookie, self.served = f"http://127.0.0.1:{served.port}", "", served

    async def fetch(self, path, body=None, **headers):
        sent = {"Cookie": self.cookie, "Content-Type": body is not None and "application/json", **headers}
        request = HTTPRequest(
            self.base + path, "GET" if body is None else "POST", {k: v for k, v in sent.items() if v},
            body if body is None or isinstance(body, bytes) else json.dumps(body),
        )
        answer = await AsyncHTTPClient(max_clients=400).fetch(request, raise_error=False)
        if cookie := answer.headers.get("Set-Cookie"):
            self.cookie = cookie.partition(";")[0]
        return answer

    async def asked(self):
        """Itself, where SIDES is asked and shown."""
        self.served.ask(Poll(**SIDES))
        await self.now()
        return self

    async def now(self, seen=""):
        return json.loads((await self.fetch(f"/now?seen={seen}")).body)

    async def vote(self, poll, answer, **headers):
        return (await self.fetch("/vote", {"poll": poll, "answer": answer}, **headers)).code


@asynccontextmanager
async def serving(file):
    served = Audience(file, port=0, host="127.0.0.1")
    served.start()
    try:
        yield served
    finally:
        served.stop()


def hall(test):
    """Run a test that is a coroutine, with an audience and its file."""

    def run(tmp_path):
        async def main():
            async with serving(tmp_path / "votes") as served:
                await test(served)

        asyncio.run(main())

    return run


def test_a_poll_counts_the_newest_answer_of_each_voter_and_forgets_whose_it_was():
    rng = random.Random(3)
    for _ in range(20):
        poll, newest = Poll(**SIDES), {}
        for _ in range(rng.randrange(200)):
            voter, answer = f"v{rng.randrange(30)}", rng.choice(SIDES["options"])
            poll.vote(voter, answer)
            newest[voter] = answer
        wanted = {option: sum(answer == option for answer in newest.values()) for option in SIDES["options"]}
        assert (poll.counts(), poll.closed) == (wanted, False)
        poll.close()
        assert (poll.counts(), poll.closed) == (wanted, True)
        assert not re.search(r"v\d", json.dumps(poll.export()) + repr(vars(poll)))
        with pytest.raises(ValueError, match="closed"):
            poll.vote("v1", "left")
        assert json.loads(json.dumps(poll.export())) == {
            "key": "sides", "question": SIDES["question"], "closed": True, "votes": len(newest),
            "counts": [[option, n] for option, n in sorted(wanted.items()) if n],
        }


def test_a_slider_is_counted_in_groups_and_a_place_on_a_grid():
    poll = Poll(**MISTAKES)
    for voter, answer in enumerate([0, 5, 5.4, 6, 38, 40]):
        poll.vote(str(voter), answer)
    assert {group: n for group, n in poll.counts().items() if n} == {"0 to 5": 3, "6 to 10": 1, "36 to 40": 2}
    share = Poll("share", "?", slider=(0, 0.6, 0.1))
    share.vote("a", 0.3)
    assert share.counts() == {"0": 0, "0.1": 0, "0.2": 0, "0.3": 1, "0.4": 0, "0.5": 0, "0.6": 0}
    spot = Poll(**SPOT)
    for voter, answer in enumerate([(0.013, 5.02), [0.0, 5], (-2, 10)]):
        spot.vote(str(voter), answer)
    assert spot.counts() == {(0, 5): 2, (-2, 10): 1}


@pytest.mark.parametrize(("asked", "wrong"), [
    (SIDES, ["up", "", "LEFT", None, 0, True, ["left"], {"left": 1}, float("nan")]),
    (MISTAKES, ["3", -1, 41, None, True, [3], float("nan"), float("inf"), 10**400, {}]),
    (SPOT, [3, [0], [0, 5, 0], [0, 11], [-3, 5], ["0", 5], [float("nan"), 0], None, [None, 1], "00", {"x": 0, "y": 1}]),
])  # fmt: skip
def test_what_is_no_answer_is_refused_and_changes_nothing(asked, wrong):
    poll = Poll(**asked)
    for answer in wrong:
        with pytest.raises((ValueError, TypeError), match="answer must be"):
            poll.vote("somebody", answer)
    assert poll.votes == 0


@pytest.mark.parametrize("change", [
    {"options": ()}, {"options": ("one",)}, {"options": ("a", "b", "a")}, {"options": tuple("abcdefghi")},
    {"options": ("a", "")}, {"slider": (0, 1, 1)}, {"question": ""}, {"question": "?" * 1001}, {"picture": b"GIF89a"},
    {"picture": PNG + bytes(1 << 20)}, {"options": (), "slider": (0, 10, 3)}, {"options": (), "slider": (1, 1, 1)},
    {"options": (), "place": ((0, 1), (0, 1))}, {"options": (), "place": ((0, 0), (0, 1)), "picture": PNG},
])  # fmt: skip
def test_a_poll_that_no_phone_could_show_is_refused(change):
    with pytest.raises(ValueError, match=r"must|needs"):
        Poll(**SIDES | change)


def test_a_poll_is_bounded():
    poll = Poll(**SIDES)
    for voter in range(VOTERS):
        poll.vote(str(voter), "left")
    with pytest.raises(ValueError, match="at most"):
        poll.vote("one more", "right")
    poll.vote("0", "right")
    assert poll.counts() == {"left": VOTERS - 1, "right": 1, "on it": 0}


@hall
async def test_phones_see_what_is_asked_vote_and_change_until_it_closes(served):
    one, other = Phone(served), Phone(served)
    waiting = await one.now()
    assert waiting["poll"] is None
    served.ask(Poll(**SIDES, picture=PNG, alt="a line"))
    shown = await one.now(waiting["turn"])
    assert shown["poll"] | {"key": 0} == {
        "key": 0, "question": SIDES["question"], "options": list(SIDES["options"]), "slider": None, "place": None,
        "unit": "", "alt": "a line", "box": [0, 0, 1, 1], "open": True, "yours": None,
        "picture": shown["poll"]["picture"],
    }  # fmt: skip
    picture = await one.fetch(shown["poll"]["picture"])
    assert (picture.body, picture.headers["Content-Type"]) == (PNG, "image/png")
    assert await one.vote("sides", "left") == 204
    assert await other.vote("sides", "left") == 403  # it has not even opened the page
    await other.now()
    assert await other.vote("sides", "left") == 204
    assert await one.vote("sides", "right") == 204
    assert served.present.counts() == {"left": 1, "right": 1, "on it": 0}
    assert (await one.now())["poll"]["yours"] == "right"
    unchanged = await other.now(shown["turn"])
    assert {*unchanged} == {"turn", "pace"}
    assert not any(word in json.dumps([shown, unchanged]) for word in ("votes", "counts"))  # the hall decides when
    served.close()
    assert (await one.now(shown["turn"]))["poll"]["open"] is False
    assert await one.vote("sides", "left") == 409
    served.ask(Poll(**MISTAKES))
    assert await one.vote("sides", "left") == 409
    assert await one.vote("mistakes", 7) == 204
    assert served.polls["sides"].counts() == {"left": 1, "right": 1, "on it": 0}
    served.ask(None)
    assert await one.vote("mistakes", 8) == 409
    assert (await one.fetch(shown["poll"]["picture"])).code == 404
    served.ask(Poll(**MISTAKES, picture=PNG, alt="drawn meanwhile"))  # the lecturer comes back to it
    assert (await one.now())["poll"]["yours"] == 7
    assert served.present.counts()["6 to 10"] == 1
    served.ask(Poll(**MISTAKES | {"slider": (0, 50, 1)}))  # and has changed it
    assert (await one.now())["poll"]["yours"] is None
    assert served.present.votes == 0


def test_votes_outlast_the_process_and_a_phone_is_still_the_same_one(tmp_path):
    file = tmp_path / "state" / "votes"

    async def main():
        served = Audience(file, port=0, host="127.0.0.1")
        served.start()
        phones = [Phone(served) for _ in range(3)]
        served.ask(Poll("done", "?", options=("a", "b")))
        for phone in phones:
            await phone.now()
        assert [await phone.vote("done", "a") for phone in phones] == [204] * 3
        served.close()
        (kept,) = json.loads(file.read_text().partition("\n")[0])["polls"]
        assert (kept["closed"], kept["counts"], kept["voters"]) == (True, [["a", 3]], {})  # nobody's any more
        served.ask(Poll(**SPOT))
        assert [await phone.vote("spot", [1, k]) for k, phone in enumerate(phones)] == [204] * 3
        assert await phones[0].vote("spot", [1, 5]) == 204
        served._watch.stop()  # killed: nothing is said goodbye to
        served._server.stop()
        with file.open("a") as torn:
            torn.write('["spot", "somebody", [1')
        assert file.stat().st_mode & 0o077 == 0
        async with serving(file) as served:
            assert served.polls["done"].counts() == {"a": 3, "b": 0}
            phone = Phone(served)
            phone.cookie = phones[2].cookie
            assert await phone.vote("done", "b") == 409
            served.ask(Poll(**SPOT))
            told = await phone.now()
            assert told["poll"]["yours"] == [1, 2]
            assert phone.cookie == phones[2].cookie
            assert await phone.vote("spot", [2, 2]) == 204
            assert served.present.counts() == {(1, 5): 1, (1, 1): 1, (2, 2): 1}
        return [phone.cookie for phone in phones]

    cookies = asyncio.run(main())
    (left,) = file.parent.iterdir()
    assert [(poll["votes"], poll["counts"]) for poll in json.loads(left.read_text())] == [
        (3, [["a", 3]]), (3, [[[1, 1], 1], [[1, 5], 1], [[2, 2], 1]])]  # fmt: skip
    for cookie in cookies:
        assert base64.b64decode(cookie.split("|")[4].partition(":")[2]).decode() not in left.read_text()


def test_a_lecture_that_was_killed_yesterday_does_not_go_on(tmp_path):
    file = tmp_path / "votes"

    async def main():
        served = Audience(file, port=0, host="127.0.0.1")
        served.ask(Poll(**SIDES))
        served.vote("somebody", "left")
        served._socket.close()
        os.utime(file, (time.time() - 3 * 3600,) * 2)
        async with serving(file) as served:
            assert served.polls == {}
            served.ask(Poll(**SIDES))
            assert not served.present.closed

    asyncio.run(main())
    (counted,) = tmp_path.iterdir()
    assert [poll["counts"] for poll in json.loads(counted.read_text())] == [[["left", 1]]]
    assert "somebody" not in counted.read_text()
    file.write_text("something else")
    with pytest.raises(OSError, match="move it away"):
        Audience(file)


@hall
async def test_a_forged_or_repeated_vote_counts_once(served):
    phone = await Phone(served).asked()
    assert {await phone.vote("sides", "left") for _ in range(5)} == {204}
    assert served.present.counts()["left"] == 1
    real = phone.cookie
    for forged in ("", "phone=somebody", real[:-1] + ("0" if real[-1] != "0" else "1"), real.replace("2|1:0", "2|1:1")):
        phone.cookie = forged
        assert await phone.vote("sides", "right") == 403
    assert served.present.counts() == {"left": 1, "right": 0, "on it": 0}


@hall
async def test_a_page_of_somebody_else_cannot_vote_nor_read(served):
    phone = await Phone(served).asked()
    vote = {"poll": "sides", "answer": "left"}
    for header in ({"Origin": "http://evil.example"}, {"Origin": "null"}, {"Host": f"evil.example:{served.port}"}):
        assert await phone.vote("sides", "left", **header) == 403
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""):
        assert (await phone.fetch("/vote", vote, **{"Content-Type": kind})).code in (400, 415)
    for path in ("/", "/now", "/vote", "/picture/0123456789abcdef", "/other"):
        assert (await phone.fetch(path, Host="evil.example")).code == 403
    assert served.present.counts()["left"] == 0
    for host in ("localhost", f"127.0.0.1:{served.port}", f"10.1.2.3:{served.port}"):
        assert (await phone.fetch("/now", Host=host)).code == 200
    assert await phone.vote("sides", "left", Origin=f"http://127.0.0.1:{served.port}") == 204


PATHS = ["/api/kernels", "/api/contents", "/voila", "/static/x", "/lecture", "/votes", "/../votes", "/%2e%2e/votes",
         "/phone.js", "//etc/passwd", "/picture/../../etc/passwd", "/picture/%2e%2e%2fvotes", "/picture/", "/now/x",
         "/favicon.ico", "/picture/0123456789abcdef"]  # fmt: skip


@hall
async def test_there_is_nothing_but_the_vote_and_every_answer_is_guarded(served):
    served.ask(Poll(**SIDES, picture=PNG))
    phone = Phone(served)
    answers = {path: await phone.fetch(path) for path in ["/", "/now", *PATHS]}
    assert {path for path, answer in answers.items() if answer.code == 200} == {"/", "/now"}
    assert all(answers[path].code == 404 for path in PATHS)
    client = AsyncHTTPClient()
    for method in ("PUT", "DELETE", "PATCH", "OPTIONS", "HEAD", "POST"):
        for path in ("/", "/now", "/vote", "/picture/0123456789abcdef", "/other"):
            body = None if method in ("DELETE", "OPTIONS", "HEAD") else b""
            answer = await client.fetch(phone.base + path, method=method, body=body, raise_error=False)
            assert answer.code in (404, 405, 415), (method, path)
            answers[method + path] = answer
    assert (await phone.fetch("/vote")).code == 405
    for answer in answers.values():
        policy = answer.headers["Content-Security-Policy"].split("; ")
        assert {"default-src 'none'", "frame-ancestors 'none'", "form-action 'none'"} <= {*policy}
        assert [answer.headers[f"X-{name}-Options"] for name in ("Content-Type", "Frame")] == ["nosniff", "DENY"]
        assert not {"Server", "Access-Control-Allow-Origin"} & {*answer.headers}
    assert {"HttpOnly", "SameSite=Lax"} <= {*answers["/"].headers["Set-Cookie"].split("; ")}
    page = answers["/"].body.decode()
    assert not re.search(r"https?:|//[a-z]", re.sub(r"\s// .*", "", page))  # it asks nobody else for anything


@hall
async def test_sizes_are_bounded(served):
    phone = await Phone(served).asked()
    for body in (b"", b"{", b"[]", b"3", b"null", b'{"poll": "sides"}', b"\xff", b"[" * 900,
                 b'{"poll": [], "answer": 1}', b'{"poll": "sides", "answer": ' + b"9" * 900 + b"}"):  # fmt: skip
        assert (await phone.fetch("/vote", body)).code in (400, 409)
    good = json.dumps({"poll": "sides", "answer": "left"})
    for path, body, cookie in (("/vote", good + " " * 1000, ""), ("/now?seen=" + "x" * 20_000, None, ""),
                               ("/now", None, "y" * 20_000)):  # fmt: skip
        with suppress(HTTPStreamClosedError):  # nothing is read beyond the bound
            answer = await phone.fetch(path, body and body.encode(), Cookie=cookie or phone.cookie)
            assert answer.code == 400
    assert served.present.counts() == {"left": 0, "right": 0, "on it": 0}


@hall
async def test_connections_are_bounded_and_are_free_again_when_one_ends(served):
    ballot.OPEN, before = 3, ballot.OPEN
    try:
        idle = [await asyncio.open_connection("127.0.0.1", served.port) for _ in range(3)]
        await asyncio.sleep(0)
        with pytest.raises((HTTPStreamClosedError, ConnectionResetError)):
            await Phone(served).now()
        idle[0][1].close()
        await idle[0][1].wait_closed()
        while served._server.held == 3:
            await asyncio.sleep(0)
        assert (await Phone(served).now())["poll"] is None
        for _, writer in idle[1:]:
            writer.close()
    finally:
        ballot.OPEN = before


@hall
async def test_a_full_disk_does_not_stop_the_vote(served):
    served.file = served.file / "no folder" / "votes"
    phone = await Phone(served).asked()
    assert await phone.vote("sides", "on it") == 204
    served.close()
    assert served.present.counts()["on it"] == 1
    served.file = served.file.parents[1]


@hall
async def test_one_phone_cannot_flood_and_a_hall_behind_one_address_is_not_locked_out(served):
    served.ask(Poll(**SIDES))
    flood, others = Phone(served), [Phone(served) for _ in range(300)]
    window, now = 1000.0, asyncio.get_running_loop().time
    loop = audience.IOLoop.current()
    loop.time = lambda: window
    try:
        await flood.now()
        codes = Counter([(await flood.fetch("/now")).code for _ in range(100)])
        assert codes == {200: ballot.OF_A_PHONE, 429: 100 - ballot.OF_A_PHONE}
        for other in others:
            assert (await other.fetch("/")).code == 200
            await other.now()
            assert await other.vote("sides", "left") == 204
        assert served.present.counts()["left"] == 300
        assert served.phones == 301
        window += audience.WINDOW
        assert (await flood.fetch("/now")).code == 200
        assert served.phones == 301  # those of a moment ago are still there
        window += 2 * audience.WINDOW
        assert (await others[0].fetch("/now")).code == 200
        assert served.phones == 1
    finally:
        loop.time = now


@hall
async def test_the_lecturer_is_told_of_votes_and_of_another_address(served):
    told = asyncio.Event()
    served.on_change = told.set
    phone = await Phone(served).asked()
    await asyncio.wait_for(told.wait(), 60)
    told.clear()
    await phone.vote("sides", "left")
    await asyncio.wait_for(told.wait(), 60)
    await asyncio.sleep(0)
    served._look()
    told.clear()
    before = qr(served.address)
    served.host = "127.0.0.2"
    served._look()
    await asyncio.wait_for(told.wait(), 60)
    assert served.address == f"127.0.0.2:{served.port}"
    assert qr(served.address) != before


def test_a_port_that_is_taken_is_named(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(OSError, match=rf"port {port}: [^()]+; choose another"):
            Audience(tmp_path / "votes", port, "127.0.0.1")


def test_where_a_network_leads_nowhere_else_its_address_is_told(monkeypatch):
    cards = {card: [SimpleNamespace(family=socket.AF_INET, address=address)] for card, address in (
        ("lo", "127.0.0.1"), ("hall", "10.99.0.1"))}
    monkeypatch.setattr(audience, "net_if_addrs", lambda: cards)
    monkeypatch.setattr(socket.socket, "connect", lambda *_: (_ for _ in ()).throw(OSError))
    assert audience.here() == "10.99.0.1"


@pytest.mark.slow
def test_from_another_network_only_the_vote_can_be_reached(tmp_path, monkeypatch):
    """While a lecture runs, with its kernel, one socket listens elsewhere than on this computer alone."""
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path / "data"))
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = ("lecture", "2", "--audience", "--audience-port", str(port))
    with harness.serving(*command, settings=tmp_path / "settings") as address:
        urlopen(address.replace("/?", "/stage?")).read()  # the kernel runs
        started = psutil.Process().children(recursive=True)
        assert any("ipykernel_launcher" in one.cmdline() for one in started)
        listening = [at.laddr for one in started for at in one.net_connections() if at.status == psutil.CONN_LISTEN]
    assert len(listening) > 5
    assert {at.port for at in listening if not ip_address(at.ip).is_loopback} == {port}
