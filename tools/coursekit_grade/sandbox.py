"""Shut a submission in: a process that sees no network, no file but the interpreter's, and ends when it should.

bubblewrap does that on Linux. Without it resource limits remain, and what the kernel refuses when it is asked to.
Time, memory and the number of processes are watched from outside in both cases.
"""

from __future__ import annotations

import ast
import contextlib
import json
import os
import queue
import re
import shutil
import signal
import subprocess
import sys
import sysconfig
import tempfile
import threading
import time
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from glob import glob
from importlib import metadata
from importlib.util import cache_from_source
from pathlib import Path
from typing import Any, NamedTuple

from coursekit_grade.worker import COURSEKIT, HERE

START_SECONDS = 60.0  # until a process is up: this is the machine's time, not the student's
MEMORY = 1 << 30  # for a process, and for all of a submission together
PROCESSES = 32  # and threads
FILES = 4096
FILE = 16 << 20
DISK = 64 << 20
LINE = 1 << 20  # bytes of what a submission may send back
TOTAL = 16 << 20
LINES = 10_000

DATA = COURSEKIT / "core" / "data"
# What a submission may import, with all that these need, where it is installed. IPython reads %magics.
LIBRARIES = ("numpy", "scipy", "pandas", "matplotlib", "scikit-learn", "ipython")


class Stopped(Exception):
    """The process has ended or was stopped. The text says what it did, as in "ended the whole program"."""


class Slow(Stopped):
    """It computed for longer than it may."""


@cache
def modules() -> dict[str, str]:
    """What a submission may import of coursekit: its process, data sets, and all that these import, with their files.

    No answer is there. Everything else has a stand-in, so an import too many here would show an answer, and one
    too few cost one.
    """
    tops = {"coursekit": COURSEKIT, "coursekit_grade": HERE}
    found = {name: str(folder / "__init__.py") for name, folder in tops.items()}
    waiting = ["coursekit_grade.child", "coursekit.core.datasets"]
    while waiting:
        name = waiting.pop()
        top, *inner = name.split(".")
        if name in found or top not in tops or not (file := tops[top].joinpath(*inner).with_suffix(".py")).is_file():
            continue
        found[name] = str(file)
        for node in _statements(ast.parse(file.read_bytes())):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import | ast.ImportFrom) else []
            if isinstance(node, ast.ImportFrom):
                names += [str(node.module), *(f"{node.module}.{name}" for name in names)]
            waiting += names
    return found


def _data() -> list[str]:
    """The data sets but for the mails: answers are tested with those that they were not given."""
    return sorted(str(path) for path in DATA.iterdir() if not path.name.startswith("mail"))


def _statements(tree: ast.AST) -> Iterator[ast.AST]:
    """All in it but what is for type checkers alone."""
    for node in ast.iter_child_nodes(tree):
        if not (isinstance(node, ast.If) and getattr(node.test, "id", "") == "TYPE_CHECKING"):
            yield node
            yield from _statements(node)


@cache
def sandbox_missing() -> str:
    """Why submissions cannot be shut in with bubblewrap on this machine; "" if they can."""
    if sys.platform != "linux":
        return "bubblewrap exists for Linux only"
    if not shutil.which("bwrap"):
        return "bubblewrap is not installed (on Debian and Ubuntu: apt install bubblewrap)"
    try:
        done = subprocess.run([*_bubblewrap(), *_python("-c", "pass")], env=_environment("/tmp"), capture_output=True,
                              timeout=START_SECONDS)
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"bubblewrap does not start: {error}"
    return f"bubblewrap does not start: {done.stderr.decode(errors='replace').strip()[:200]}" if done.returncode else ""


class Process:
    """A submission's process: it is handed all at once, says what it says line by line, and is gone at the end.

    sandbox: with bubblewrap around it. beside: files that it finds in its folder.
    """

    def __init__(self, order: dict[str, Any], notebook: bytes, beside: dict[str, bytes], sandbox: bool) -> None:
        self.sandbox = sandbox
        self._chunks: queue.Queue[bytes] = queue.Queue(8)  # a flood waits
        self._lines: deque[bytes] = deque()
        self._pending, self._received, self._count = b"", 0, 0
        self._reason = ""  # why it was ended by us
        self._seen = time.monotonic()  # when the family was looked at
        self.turn(START_SECONDS, START_SECONDS)
        limits = {"RLIMIT_AS": MEMORY, "RLIMIT_FSIZE": FILE, "RLIMIT_NOFILE": 256, "RLIMIT_CORE": 0}
        view = _view()
        order = {
            **order, "limits": limits, "sandbox": sandbox, "modules": modules(), "data": str(DATA), "site": view.site,
            "shown": view.shown, "hidden": view.hidden, "beside": {n: b.decode("latin-1") for n, b in beside.items()},
        }
        program = _python(str(HERE / "child.py"))
        with contextlib.ExitStack() as kept, tempfile.TemporaryFile() as given:
            given.write(json.dumps(order).encode() + b"\n" + notebook)
            given.seek(0)
            home = "/tmp"
            if not sandbox:
                home = tempfile.mkdtemp(prefix="coursekit-")
                kept.callback(_remove, home)
            self._home = home
            self._errors = kept.enter_context(tempfile.TemporaryFile())
            self._process = subprocess.Popen(
                [*_bubblewrap(), *program] if sandbox else program, env=_environment(home), cwd=home, stdin=given,
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

    def turn(self, seconds: float, waiting: float) -> None:
        """From now on it may compute for so long, and wait for so long: a busy machine's time is neither."""
        self._seconds, self._waiting = seconds, waiting
        self._before: float | None = None
        self._computed = 0.0

    def line(self, deadline: float) -> bytes:
        """The next line. Stopped with the reason if it ends or goes too far, after all that it said before.

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
                ended = "ended the whole program" if self._received else f"did not start: {self._said()}"
                raise Stopped(self._reason or ended)
            *lines, self._pending = (self._pending + chunk).split(b"\n")
            self._lines.extend(lines)
            self._received += len(chunk)
            self._count += len(lines)
            if len(self._pending) > LINE or self._received > TOTAL or self._count > LINES:
                self._end("sent back too much")
        return self._lines.popleft()

    def _watch(self, since: float) -> None:
        family = _family(self._process.pid)
        if len(family) > PROCESSES or sum(map(_threads, family)) > PROCESSES:
            self._end("started too many processes or threads")
        elif _memory(family) > MEMORY and _memory(_family(self._process.pid)) > MEMORY:
            self._end("took too much memory")
        elif _files(family) > FILES if self.sandbox else _stored(self._home, family) > DISK:
            self._end("wrote too much into files")
        computed, running = _computed(family) if sys.platform == "linux" else (time.monotonic(), False)
        self._before = computed if self._before is None else self._before
        self._waiting -= 0 if running or (sys.platform == "linux" and computed > self._computed) else min(since, 1)
        self._computed = computed
        if self._reason or not self._chunks.empty():
            return  # its turn may be over, as it says in what has not been read
        if computed - self._before > self._seconds:
            raise Slow(f"was still running after {self._seconds:g} seconds and was stopped")
        if self._waiting < 0:
            raise TimeoutError

    def _end(self, reason: str) -> None:
        """End all of it. What it said before is heard first: it tells whose fault this is."""
        self._reason = self._reason or reason
        # Nobody can leave the group, and where the kernel knows that (Linux) it is ended at a blow: whoever multiplies
        # would be faster than bubblewrap, which first has to have its turn among them. Its process, or without it the
        # group's parent, stays until all others are gone.
        if hasattr(os, "killpg"):
            with contextlib.suppress(OSError):
                os.killpg(self._process.pid, signal.SIGKILL)
        self._process.kill()

    def _said(self) -> str:
        self._errors.seek(0)
        return self._errors.read()[-300:].decode(errors="replace").strip()

    def __enter__(self) -> Process:
        return self

    def __exit__(self, *error: object) -> None:
        self._end("is not needed any more")
        self._process.wait()
        with contextlib.suppress(queue.Empty):
            while self._chunks.get(timeout=2):
                pass
        self._kept.close()


def _remove(folder: str) -> None:
    """A folder with all that is in it, also where it cannot be listed.

    Not shutil.rmtree, which folders in folders in folders take to the end of Python's stack.
    """
    if os.name == "nt":
        subprocess.run(["cmd", "/c", "rmdir", "/s", "/q", folder], stderr=subprocess.DEVNULL)
        return
    subprocess.run(["rm", "-rf", folder], stderr=subprocess.DEVNULL)
    if os.path.exists(folder):
        subprocess.run(["chmod", "-R", "u+rwx", folder], stderr=subprocess.DEVNULL)
        subprocess.run(["rm", "-rf", folder], stderr=subprocess.DEVNULL)


def _python(*arguments: str) -> list[str]:
    """This interpreter, without a site, so that no file but those it is shown can change what it runs."""
    return [os.path.realpath(sys.executable), "-s", "-S", "-P", *arguments]


def _environment(home: str) -> dict[str, str]:
    """All variables there are: bubblewrap's own environment can be read from inside. Hashes are the same each time."""
    return {"HOME": home, "TMPDIR": home, "MPLCONFIGDIR": home, "MPLBACKEND": "agg", "LC_ALL": "C.UTF-8",
            "PATH": "/usr/bin:/bin", "PYTHONHASHSEED": "0", "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}


class _View(NamedTuple):
    """What a submission sees of the machine's files, as real paths: of two that a file lies in the longer one decides.

    links: names by which the loader looks for folders that are shown. site: where packages are imported from.
    """

    shown: list[str]
    hidden: list[str]
    links: dict[str, str]
    site: list[str]


@cache
def _view() -> _View:
    """The interpreter, its standard library, shared libraries, LIBRARIES, `modules` and data, and nothing else."""
    prefixes = dict.fromkeys([sys.base_prefix, sys.base_exec_prefix])
    folders = [f"{p}/{name}" for p in prefixes for name in ("lib", "lib64")]
    folders += ["/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/nix/store", "/etc/ld.so.cache"]
    libraries = {path: os.path.realpath(path) for path in folders if os.path.exists(path)}
    python = [sysconfig.get_path("stdlib"), sysconfig.get_config_var("DESTSHARED") or ""]
    standard = [os.path.realpath(path) for path in python if os.path.isdir(path)]
    packages, site = _packages(LIBRARIES)
    packages = [path for path in packages if not path.endswith(".dist-info")]  # a third of what would be mounted
    own = [*modules().values(), *_data()]
    own += [path for file in own if os.path.exists(path := cache_from_source(file))]  # compiled already
    shown = dict.fromkeys([os.path.realpath(sys.executable), *libraries.values(), *standard, *packages, *own])
    hidden = [path for folder in libraries.values() for path in glob(f"{folder}/python*")]
    hidden += [f"{folder}/{name}" for folder in standard for name in ("site-packages", "dist-packages")]
    hidden += [str(COURSEKIT), str(HERE), *(str(COURSEKIT.parent / name) for name in ("solutions", "exercises"))]
    inside = [h for h in dict.fromkeys(hidden) if os.path.isdir(h) and not os.path.islink(h) and h not in shown
              and any(h.startswith(f"{path}/") for path in shown)]
    links = {path: real for path, real in libraries.items() if os.path.islink(path)
             and not any(path.startswith(f"{folder}/") for folder in shown)}
    return _View(list(shown), inside, links, site)


def _packages(libraries: Iterable[str]) -> tuple[list[str], list[str]]:
    """The real paths of these and of what they need, and the folders in which they lie."""
    wanted, seen = list(libraries), set()
    paths: dict[str, None] = {}
    site: dict[str, None] = {}
    while wanted:
        name = re.sub(r"[-_.]+", "-", wanted.pop()).lower()
        if name in seen:
            continue
        seen.add(name)
        try:
            package = metadata.distribution(name)
        except metadata.PackageNotFoundError:
            continue
        folder = os.path.realpath(str(package.locate_file("")))
        wanted += [re.split(r"[^\w.-]", need)[0] for need in package.requires or ()
                   if not re.search(r"\bextra\s*==", need)]
        files = package.read_text("RECORD") or package.read_text("top_level.txt") or ""
        for top in {re.split("[/,]", line)[0].strip('"') for line in files.splitlines()} - {"..", "__pycache__", ""}:
            for path in (f"{folder}/{top}", f"{folder}/{top}.py"):
                if os.path.exists(path):
                    paths[os.path.realpath(path)] = None
                    site[folder] = None
    return list(paths), list(site)


@cache
def _bubblewrap() -> list[str]:
    """The beginning of a command that runs in bubblewrap."""
    command = [shutil.which("bwrap") or "bwrap", "--unshare-all", "--unshare-user", "--disable-userns",
               "--die-with-parent", "--cap-drop", "ALL", "--uid", "1000", "--gid", "1000", "--size", str(DISK),
               "--tmpfs", "/tmp"]
    view = _view()
    for path in sorted([*view.shown, *view.hidden]):
        command += ["--tmpfs", path] if path in view.hidden else ["--ro-bind", path, path]
    for path, real in view.links.items():
        command += ["--symlink", real, path]
    for path in view.hidden:
        command += ["--remount-ro", path]
    return [*command, "--dev", "/dev", "--remount-ro", "/dev", "--remount-ro", "/", "--chdir", "/tmp", "--"]


def _family(process: int) -> list[int]:
    """A process and all that descend from it, where the system tells (Linux).

    Looking ends where they are too many: some multiply faster than they can be counted.
    """
    family = [process]
    for member in family:
        if len(family) > PROCESSES:
            break
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


def _files(family: Sequence[int]) -> int:
    """How many files there are in the /tmp of a sandbox."""
    for member in reversed(family):
        with contextlib.suppress(OSError):
            system = os.statvfs(f"/proc/{member}/root/tmp")
            if system.f_blocks * system.f_frsize == DISK:
                return system.f_files - system.f_ffree
    return 0


def _threads(process: int) -> int:
    with contextlib.suppress(OSError):
        return len(os.listdir(f"/proc/{process}/task"))
    return 0


def _computed(family: Sequence[int]) -> tuple[float, bool]:
    """Seconds of computing by these processes and their children that have ended; whether one computes or would."""
    ticks, running = 0, False
    for member in family:
        with contextlib.suppress(OSError):
            after_name = Path(f"/proc/{member}/stat").read_bytes().rpartition(b")")[2].split()
            ticks += sum(map(int, after_name[11:15]))
            running |= after_name[0] == b"R"
    return ticks / os.sysconf("SC_CLK_TCK"), running


def _memory(family: Sequence[int]) -> int:
    """Bytes that these processes have, as each says for itself or, where that is too much, without counting twice.

    What was forked shares pages with its parent. To tell which, the kernel makes it wait; that gives others time to
    multiply. Of a process that does not let us look, what it says counts; of one that has ended meanwhile, nothing.
    """
    def own(member: int) -> int:
        return _kilobytes(f"/proc/{member}/status", ("RssAnon", "RssShmem"))

    total = sum(map(own, family)) << 10
    if total > MEMORY:
        total = sum(_kilobytes(f"/proc/{member}/smaps_rollup", ("Pss_Anon", "Pss_Shmem")) or own(member)
                    for member in family) << 10
    return total


def _kilobytes(file: str, names: tuple[str, ...]) -> int:
    with contextlib.suppress(OSError):
        return sum(int(line.split()[1]) for line in Path(file).read_text().splitlines() if line.startswith(names))
    return 0
