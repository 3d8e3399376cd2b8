"""Shut a submission in: a process that sees no network, no file but the interpreter's, and ends when it should.

bubblewrap does that on Linux. Without it resource limits remain, and what the kernel refuses when it is asked to.
Time, memory and the number of processes are watched from outside in both cases.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import shutil
import signal
import subprocess
import sys
import sysconfig
import tempfile
import threading
import time
from functools import cache
from glob import glob
from pathlib import Path
from typing import Any

import numpy as np

from coursekit.grading.child import PARTS

SECONDS = 10.0  # for one cell, and for all calls of one task
START_SECONDS = 60.0  # until a process is up: this is the machine's time, not the student's
MEMORY = 1 << 30  # for a process, and for all of a submission together
PROCESSES = 32
FILE = 16 << 20
DISK = 64 << 20
LINE = 1 << 20  # of what a submission may send back
TOTAL = 16 << 20

PACKAGE = Path(__file__).resolve().parents[1]


class Stopped(Exception):
    """The process has ended or was stopped. The text says what it did, as in "ended the whole program"."""


@cache
def sandbox_missing() -> str:
    """Why submissions cannot be shut in with bubblewrap on this machine; "" if they can."""
    if sys.platform != "linux":
        return "bubblewrap exists for Linux only"
    if not shutil.which("bwrap"):
        return "bubblewrap is not installed (on Debian and Ubuntu: apt install bubblewrap)"
    try:
        done = subprocess.run([*_shut_in(), *_python("-c", "pass")], env=_environment("/tmp"), capture_output=True,
                              timeout=START_SECONDS)
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"bubblewrap does not start: {error}"
    return f"bubblewrap does not start: {done.stderr.decode(errors='replace').strip()[:200]}" if done.returncode else ""


class Process:
    """A submission's process: it is handed all at once, says what it says line by line, and is gone at the end."""

    def __init__(self, order: dict[str, Any], notebook: bytes, sandbox: bool) -> None:
        self.shut_in = sandbox
        self._chunks: queue.Queue[bytes] = queue.Queue(8)  # a flood waits
        self._pending, self._received = b"", 0
        self._seen = time.monotonic()  # when memory and processes were looked at
        limits = {"RLIMIT_AS": MEMORY, "RLIMIT_FSIZE": FILE, "RLIMIT_NOFILE": 256, "RLIMIT_CORE": 0}
        order = {**order, "limits": limits, "readable": _libraries()}
        program = _python(f"{PACKAGE}/grading/child.py", str(PACKAGE), "" if sandbox else "fenced", *_site_folders())
        with contextlib.ExitStack() as kept, tempfile.TemporaryFile() as given:
            given.write(json.dumps(order).encode() + b"\n" + notebook)
            given.seek(0)
            home = "/tmp"
            if not sandbox:
                home = tempfile.mkdtemp(prefix="coursekit-")
                # Not shutil.rmtree, which folders in folders in folders take to the end of Python's stack.
                kept.callback(subprocess.run, ["rm", "-rf", home], stderr=subprocess.DEVNULL)
            self._home = home
            self._errors = kept.enter_context(tempfile.TemporaryFile())
            self._process = subprocess.Popen(
                [*_shut_in(), *program] if sandbox else program, env=_environment(home), cwd=home, stdin=given,
                stdout=subprocess.PIPE, stderr=self._errors, start_new_session=True, bufsize=0,
            )
            self._kept = kept.pop_all()
        threading.Thread(target=self._receive, daemon=True).start()

    def _receive(self) -> None:
        out = self._process.stdout
        assert out is not None
        with out:
            while chunk := out.read(1 << 16):
                self._chunks.put(chunk)
        self._chunks.put(b"")

    def line(self, deadline: float) -> bytes:
        """The next line that comes until `deadline`; Stopped with the reason if none does."""
        while b"\n" not in self._pending:
            now = time.monotonic()
            if now >= deadline:
                raise Stopped(f"was still running after {SECONDS:g} seconds and was stopped" if self._received
                              else f"did not start in {START_SECONDS:g} seconds")
            if now - self._seen > 0.1:
                self._seen = now
                self._watch()
            with contextlib.suppress(queue.Empty):
                chunk = self._chunks.get(timeout=min(0.1, deadline - now))
                if not chunk:
                    self._chunks.put(chunk)  # for whoever waits for the end again
                    raise Stopped("ended the whole program" if self._received else f"did not start: {self._said()}")
                self._pending += chunk
                self._received += len(chunk)
            if len(self._pending) > LINE or self._received > TOTAL:
                raise Stopped("sent back too much")
        line, _, self._pending = self._pending.partition(b"\n")
        return line

    def _watch(self) -> None:
        family = _family(self._process.pid)
        if len(family) > PROCESSES:
            raise Stopped("started too many processes")
        if sum(map(_memory, family)) > MEMORY:
            raise Stopped("took too much memory")
        if not self.shut_in and _stored(self._home, family) > DISK:
            raise Stopped("wrote too much into files")

    def _said(self) -> str:
        self._errors.seek(0)
        return self._errors.read()[-300:].decode(errors="replace").strip()

    def __enter__(self) -> Process:
        return self

    def __exit__(self, *error: object) -> None:
        # bubblewrap takes all of its processes with it. Without it the runner's parent stays until the others are gone.
        for _ in range(100 if not self.shut_in else 0):
            if not (others := _family(self._process.pid)[1:]):
                break
            for process in others:
                with contextlib.suppress(OSError):
                    os.kill(process, signal.SIGKILL)
            time.sleep(0.005)
        self._process.kill()
        self._process.wait()
        with contextlib.suppress(queue.Empty):
            while self._chunks.get(timeout=2):
                pass
        self._kept.close()


def _python(*arguments: str) -> list[str]:
    """This interpreter, without a site, so that no file but those it is shown can change what it runs."""
    return [os.path.realpath(sys.executable), "-s", "-S", "-P", *arguments]


def _environment(home: str) -> dict[str, str]:
    """All variables there are: bubblewrap's own environment can be read from inside. Hashes are the same each time."""
    return {"HOME": home, "TMPDIR": home, "MPLCONFIGDIR": home, "MPLBACKEND": "agg", "LC_ALL": "C.UTF-8",
            "PATH": "/usr/bin:/bin", "PYTHONHASHSEED": "0", "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}


@cache
def _site_folders() -> list[str]:
    """Where numpy and what else is installed lie."""
    paths = sysconfig.get_paths()
    return list(dict.fromkeys([str(Path(np.__file__).parents[1]), paths["purelib"], paths["platlib"]]))


@cache
def _libraries() -> list[str]:
    """What the interpreter reads."""
    prefixes = dict.fromkeys([sys.base_prefix, sys.prefix, sys.base_exec_prefix])
    system = ["/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/nix/store", "/etc/ld.so.cache"]
    return [*(f"{prefix}/{part}" for prefix in prefixes for part in ("bin", "lib", "lib64")), *system, *_site_folders()]


@cache
def _shut_in() -> list[str]:
    """The beginning of a command that runs in bubblewrap."""
    command = [shutil.which("bwrap") or "bwrap", "--unshare-all", "--unshare-user", "--disable-userns",
               "--die-with-parent", "--new-session", "--cap-drop", "ALL", "--uid", "1000", "--gid", "1000",
               "--size", str(DISK), "--tmpfs", "/tmp"]
    for path in _libraries():
        command += ["--ro-bind-try", path, path]
    command += ["--tmpfs", str(PACKAGE)]
    for part in PARTS:
        command += ["--ro-bind", str(PACKAGE / part), str(PACKAGE / part)]
    return [*command, "--remount-ro", str(PACKAGE), "--dev", "/dev", "--size", str(FILE), "--tmpfs", "/dev/shm",
            "--remount-ro", "/dev", "--remount-ro", "/", "--chdir", "/tmp", "--"]


def _family(process: int) -> list[int]:
    """A process and all that descend from it, where the system tells (Linux)."""
    family = [process]
    for member in family:
        for children in glob(f"/proc/{member}/task/*/children"):
            with contextlib.suppress(OSError):
                family += map(int, Path(children).read_text().split())
    return family


def _stored(folder: str, family: list[int]) -> int:
    """Bytes of all files in a folder, also of those that lie in none any more but are open in one of these processes.

    Each counts one block more than it has. Counting ends where there are too many, or where a folder hides them.
    """
    stored, folders = 0, [folder]
    while folders and stored <= DISK:
        try:
            with os.scandir(folders.pop()) as entries:
                for entry in entries:
                    with contextlib.suppress(FileNotFoundError):
                        stored += 4096 + entry.stat(follow_symlinks=False).st_size
                    if entry.is_dir(follow_symlinks=False):
                        folders.append(entry.path)
        except FileNotFoundError:
            continue
        except OSError:
            return DISK + 1
    for file in (file for member in family for file in glob(f"/proc/{member}/fd/*")):
        with contextlib.suppress(OSError):
            status = os.stat(file)
            stored += 0 if status.st_nlink else status.st_size
    return stored


def _memory(process: int) -> int:
    """Bytes that a process has to itself, 0 if it is gone."""
    try:
        lines = Path(f"/proc/{process}/status").read_text().splitlines()
    except OSError:
        return 0
    return sum(int(line.split()[1]) << 10 for line in lines if line.startswith(("RssAnon", "RssShmem")))
