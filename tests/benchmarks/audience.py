"""A hall that votes at once: phones that open the page, look for the question, and vote within ten seconds.

    python -m tests.benchmarks.audience [PHONES [SECONDS]]

The server is a process of its own, as in a lecture; each phone is a client with a cookie that asks as the page does,
asks again where no answer came, and keeps looking until the vote is closed. A third of them change their vote.
"""

from __future__ import annotations

import asyncio
import json
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import numpy as np
from tornado.httpclient import AsyncHTTPClient, HTTPClientError, HTTPRequest

from coursekit_lecture.audience import Audience
from coursekit_lecture.poll import Poll

OPTIONS = ("just above that email", "through that email", "nowhere: there is no line yet")
PICTURE = b"\x89PNG\r\n\x1a\n" + random.Random(0).randbytes(80_000)


async def serve(file: str) -> None:
    """Ask, tell the port, and when a line comes in, close and tell the counts."""
    served = Audience(Path(file), port=0, host="127.0.0.1")
    served.start()
    poll = Poll("first", "Where will the line be after it?", options=OPTIONS, picture=PICTURE)
    served.ask(poll)
    print(served.port, flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.readline)
    kept = sum(json.loads(line)[0] == "first" for line in Path(file).read_text().splitlines()[1:])
    served.close()
    print(json.dumps([poll.counts(), kept, time.process_time()]), flush=True)


class Client:
    """What a phone's page does, and how long it waits for the answer to its vote."""

    def __init__(self, port: int, seed: int) -> None:
        self.base, self.cookie, self.turn = f"http://127.0.0.1:{port}", "", ""
        self.rng, self.took, self.answer, self.failed = random.Random(seed), [], "", 0

    async def fetch(self, path: str, body: str | None = None) -> bytes:
        headers = {"Cookie": self.cookie, "Content-Type": "application/json", "Connection": "close"}
        request = HTTPRequest(self.base + path, "POST" if body else "GET", headers, body, request_timeout=8)
        try:
            answer = await AsyncHTTPClient().fetch(request)
        except (OSError, HTTPClientError):
            self.failed += 1
            await asyncio.sleep(1)
            return await self.fetch(path, body)
        self.cookie = answer.headers.get("Set-Cookie", self.cookie).partition(";")[0]
        return answer.body

    async def live(self, seconds: float, done: asyncio.Event) -> None:
        await asyncio.sleep(self.rng.uniform(0, seconds / 3))  # not all scan at once
        await self.fetch("/")
        poll = await self.look()
        await self.fetch(poll["picture"])
        looking = asyncio.create_task(self.keep_looking(done))
        for _ in range(1 + (self.rng.random() < 1 / 3)):
            await asyncio.sleep(self.rng.uniform(0, seconds / 3))
            self.answer = self.rng.choice(OPTIONS)
            begin = time.perf_counter()
            await self.fetch("/vote", json.dumps({"poll": "first", "answer": self.answer}))
            self.took.append(time.perf_counter() - begin)
        await looking

    async def look(self) -> dict:
        now = json.loads(await self.fetch(f"/now?seen={self.turn}"))
        self.turn, self.pace = now["turn"], now["pace"]
        return now.get("poll")

    async def keep_looking(self, done: asyncio.Event) -> None:
        while not done.is_set():
            await self.look()
            await asyncio.sleep(self.pace * self.rng.uniform(0.75, 1.25))


async def hall(port: int, phones: int, seconds: float) -> list[Client]:
    AsyncHTTPClient.configure(None, max_clients=phones * 2)
    clients, done = [Client(port, seed) for seed in range(phones)], asyncio.Event()
    asyncio.get_running_loop().call_later(seconds, done.set)
    await asyncio.gather(*(client.live(seconds, done) for client in clients))
    return clients


def main(phones: int = 300, seconds: float = 10) -> None:
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "tests.benchmarks.audience", "--serve", f"{folder}/votes"]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
            begin = time.perf_counter()
            clients = asyncio.run(hall(int(server.stdout.readline()), phones, seconds))
            lasted = time.perf_counter() - begin
            counts, kept, cpu = json.loads(server.communicate("close\n")[0])
    wanted = Counter(client.answer for client in clients)
    took = np.array([each for client in clients for each in client.took])
    lost = sum((wanted - Counter(counts)).values())
    half, most, slowest = np.quantile(took, (0.5, 0.95, 1))
    print(f"{phones} phones, {len(took)} votes in {lasted:.1f} s: half within {half:.3f} s, 95% within {most:.3f} s, "
          f"the slowest {slowest:.3f} s; {sum(client.failed for client in clients)} requests asked again")
    print(f"counted {sum(counts.values())}, lost {lost}, twice {sum((Counter(counts) - wanted).values())}, "
          f"on disk {kept} of {len(took)}; the server used {cpu:.1f} s of a processor")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--serve"]:
        asyncio.run(serve(sys.argv[2]))
    else:
        main(*map(int, sys.argv[1:]))
