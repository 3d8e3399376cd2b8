"""A submission's process: it is told an Order, says message by message, and is ended when it goes too far.

What it computes, how long it waits and what it uses are watched from outside, as nothing in it can be trusted.
"""

from __future__ import annotations

import json
import math
import os
import queue
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from functools import cache
from pathlib import Path
from typing import Any

from coursekit.checking.signature import Outcome
from coursekit_grade import container, protocol, sandbox, watch
from coursekit_grade.protocol import Order
from coursekit_grade.sandbox import Box
from coursekit_grade.worker import HERE

KILLED = -9, 128 + 9, container.FAILED  # the status of what was ended by nobody here
HOMES = "coursekit-submission-"  # how the names of their folders begin, where there is no bubblewrap
LEFT = 2 * (protocol.START_SECONDS + protocol.SUBMISSION_SECONDS)  # seconds
TAKEN = "was ended by the system, as where memory runs out"


class Stopped(Exception):
    """The process has ended or was stopped. The text says what it did, as in "ended the whole program".

    outcome: None where the system or the engine ended it, which may be no fault of the student's.
    """

    def __init__(self, text: str, outcome: Outcome | None = Outcome.ERROR) -> None:
        super().__init__(text)
        self.outcome = outcome


class Process:
    """It is handed all at once, and gone at the end. Arguments: see Order."""

    def __init__(
        self, cells: Sequence[dict[str, str | None]], stopped: list[int], tasks: dict[str, dict[str, Any]],
        notebook: bytes, beside: Mapping[str, bytes], box: Box,
    ) -> None:
        self._chunks: queue.Queue[bytes] = queue.Queue(8)  # a flood waits
        self._lines: deque[bytes] = deque()
        self._pending, self._received, self._count = b"", 0, 0
        self._reason = ""  # why it was ended by us
        self._seen = time.monotonic()  # when it was looked at
        self.turn(protocol.START_SECONDS, protocol.START_SECONDS)
        view = sandbox.view()
        order: Order = {
            "cells": list(cells), "stopped": stopped, "tasks": tasks, "seconds": math.ceil(protocol.TASK_SECONDS),
            "limits": {"RLIMIT_AS": protocol.MEMORY, "RLIMIT_FSIZE": protocol.FILE, "RLIMIT_NOFILE": 256,
                       "RLIMIT_CORE": 0},
            "boxed": not box.open, "data": sandbox.placed(str(sandbox.DATA)), "site": [] if box.image else view.site,
            "modules": {name: sandbox.placed(file) for name, file in sandbox.modules().items()}, "shown": view.shown,
            "hidden": view.hidden, "refused": list(sandbox.REFUSED.values()),
            "beside": {name: data.decode("latin-1") for name, data in beside.items()},
        }
        child = "-c", sandbox.BEGIN, sandbox.placed(str(HERE / "child.py"))
        program, self._ending = [*(sandbox.bubblewrap() if not box.open else ()), *sandbox.python(*child)], list[str]()
        with ExitStack() as kept, tempfile.TemporaryFile() as given:
            given.write(sandbox.sent() + json.dumps(order).encode() + b"\n" + notebook)
            given.seek(0)
            self._home = tempfile.mkdtemp(prefix=HOMES, dir=_tidied(tempfile.gettempdir())) if box.open else ""
            kept.callback(remove, self._home)
            home = self._home or "/tmp"
            if box.image:  # out of memory, podman leaves a file in the folder that it stands in
                program, self._ending = container.commands(box.image, sandbox.environment(home), *child)
                home = kept.enter_context(tempfile.TemporaryDirectory(ignore_cleanup_errors=True))
            self._errors = kept.enter_context(tempfile.TemporaryFile())
            self._process = subprocess.Popen(
                program, env=None if self._ending else sandbox.environment(home), cwd=home, stdin=given,
                stdout=subprocess.PIPE, stderr=self._errors, start_new_session=True, bufsize=0)
            self._kept = kept.pop_all()
        threading.Thread(target=self._receive, daemon=True).start()

    def turn(self, seconds: float, waiting: float) -> None:
        """From now on it may compute for so long, and wait for so long: a busy machine's time is neither."""
        self._seconds, self._waiting = seconds, waiting
        self._before: float | None = None
        self._computed = 0.0

    def line(self, deadline: float) -> bytes:
        """The next message. Stopped with the reason if it ends or goes too far, after all that it said before.

        TimeoutError at the deadline, or where it has waited too long.
        """
        while not self._lines:
            now = time.monotonic()
            if now >= deadline:
                raise TimeoutError
            if now - self._seen > 0.1 and not self._reason:
                since, self._seen = now - self._seen, now
                self._watch(since)
            try:
                chunk = self._chunks.get(timeout=min(2 if self._reason else 0.1, deadline - now))
            except queue.Empty:
                if self._reason:  # something got away that holds the pipe
                    raise Stopped(self._reason) from None
                continue
            if not chunk:
                self._chunks.put(chunk)  # for whoever waits for the end again
                if not (self._reason or self._received):
                    self._errors.seek(0)
                    raise Stopped(f"did not start: {self._errors.read()[-300:].decode(errors='replace').strip()}")
                with suppress(subprocess.TimeoutExpired):
                    if self._process.wait(2) in KILLED and not self._reason:
                        raise Stopped(TAKEN, None)
                raise Stopped(self._reason or "ended the whole program")
            *lines, self._pending = (self._pending + chunk).split(b"\n")
            self._lines.extend(lines)
            self._received += len(chunk)
            self._count += len(lines)
            if (len(self._pending) > protocol.LINE or self._received > protocol.TOTAL
                    or self._count > protocol.LINES):
                self._end("sent back too much")
        return self._lines.popleft()

    def _receive(self) -> None:
        out = self._process.stdout
        assert out is not None
        with out:
            while chunk := out.read(1 << 16):
                self._chunks.put(chunk)
        self._chunks.put(b"")

    def _watch(self, since: float) -> None:
        if self._ending:  # its engine watches it; whether it computes or waits is not seen from here
            self._waiting -= min(since, 1)
            if self._waiting < 0 and self._chunks.empty():
                raise TimeoutError
            return
        family = watch.family(self._process.pid)
        if why := watch.too_much(family, self._home):
            self._end(why)
        linux = sys.platform == "linux"
        computed, running = watch.computed(family) if linux else (time.monotonic(), False)
        self._before = computed if self._before is None else self._before
        self._waiting -= 0 if running or (linux and computed > self._computed) else min(since, 1)
        self._computed = computed
        if self._reason or not self._chunks.empty():
            return  # its turn may be over, as it says in what has not been read
        if computed - self._before > self._seconds:
            raise Stopped(f"was still running after {self._seconds:g} seconds and was stopped", Outcome.SLOW)
        if self._waiting < 0:
            raise TimeoutError

    def _end(self, reason: str) -> None:
        """End all of it. What it said before is heard first: it tells whose fault this is."""
        if self._ending and not self._reason:
            with suppress(OSError, subprocess.TimeoutExpired):
                subprocess.run(self._ending, stdin=subprocess.DEVNULL, capture_output=True, timeout=10)
        self._reason = self._reason or reason
        # Nobody can leave the group, and where the kernel knows that (Linux) it is ended at a blow: whoever multiplies
        # would be faster than bubblewrap, which first has to have its turn among them. Its process, or without it the
        # group's parent, stays until all others are gone.
        if hasattr(os, "killpg"):
            with suppress(OSError):
                os.killpg(self._process.pid, signal.SIGKILL)
        self._process.kill()

    def __enter__(self) -> Process:
        return self

    def __exit__(self, *error: object) -> None:
        self._end("is not needed any more")
        self._process.wait()
        with suppress(queue.Empty):
            while self._chunks.get(timeout=2):
                pass
        self._kept.close()


@cache
def _tidied(place: str) -> str:
    """The folder for temporary ones, once without those that a killed run has left: nobody uses one for so long."""
    with tempfile.TemporaryDirectory(prefix=HOMES, dir=place) as new:
        own = os.lstat(new)
    for old in Path(place).glob(f"{HOMES}*"):
        with suppress(OSError):
            left = os.lstat(old)
            if (left.st_uid, left.st_mode) == (own.st_uid, own.st_mode) and own.st_mtime - left.st_mtime > LEFT:
                remove(str(old))
    return place


def remove(folder: str) -> None:
    """A folder with all that is in it, also where it cannot be listed.

    Not shutil.rmtree, which folders in folders in folders take to the end of Python's stack.
    """
    windows, away = ["cmd", "/c", "rmdir", "/s", "/q"], ["rm", "-rf"]
    for command in [windows] if os.name == "nt" else [away, ["chmod", "-R", "u+rwx"], away]:
        if os.path.exists(folder):
            subprocess.run([*command, folder], stderr=subprocess.DEVNULL)
