"""A process of the grader's own for each of its threads: a helper that may be stopped while the grader goes on.

It works on what students sent back, is started when it is first asked and again after it has ended.
"""

import contextlib
import json
import os
import pickle
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import coursekit
from coursekit.core.paths import trusted
from coursekit_grade.printable import said

SECONDS = 20
MEMORY = 2 << 30

HERE, COURSEKIT = Path(__file__).resolve().parent, Path(coursekit.__file__).resolve().parent
_own = threading.local()


@contextlib.contextmanager
def apart(theirs: Path) -> Iterator[None]:
    """Meanwhile nothing looks for modules, programs or settings in students' files, which are in `theirs`.

    Python takes modules from the folder that it is started in, matplotlib its matplotlibrc, Windows programs: so this
    process, and whatever it starts, stands in coursekit's own. Nor does an instructor's matplotlibrc decide.
    """
    from unittest.mock import patch  # here, as what is started by `ask` needs none, and its import takes a while

    lists = {name: os.environ.get(name) for name in ("PATH", "PYTHONPATH", "LD_LIBRARY_PATH")}
    kept = {name: os.pathsep.join(trusted(of.split(os.pathsep), str(theirs))) for name, of in lists.items() if of}
    with (patch.object(sys, "path", trusted(sys.path, str(theirs))), contextlib.chdir(HERE),
          patch.dict(os.environ, kept, PYTHONSAFEPATH="1", MATPLOTLIBRC=os.devnull)):
        yield


class Failed(Exception):
    """The work was not done. The text says why, as in "took more than 20 seconds"."""


def ask(function: Callable[..., Any], *arguments: Any) -> Any:
    """What `function`, which is found by its name, returns there, as JSON. Raises Failed."""
    worker: subprocess.Popen[bytes] | None = getattr(_own, "worker", None)
    if worker is None or worker.poll() is not None:
        # One thread of the linear algebra: others take much address space, and do nothing for small arrays.
        environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
        code = f"import sys; sys.path[:] = {trusted(sys.path)!r}; "
        code += f"from coursekit_grade.worker import serve; serve({SECONDS})"
        worker = subprocess.Popen([sys.executable, "-E", "-P", "-c", code], env=environment, cwd=HERE,
                                  stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert worker.stdin is not None
    assert worker.stdout is not None
    _own.worker, line = None, b""  # kept only if it has answered: an interrupted one owes the answer to somebody else
    with contextlib.suppress(BrokenPipeError):
        worker.stdin.write(pickle.dumps((function, arguments)))
        worker.stdin.flush()
        line = worker.stdout.readline()
    if line:
        _own.worker = worker
        failed, value = json.loads(line)
        if failed:
            raise Failed(failed)
        return value
    worker.communicate()
    alarm = getattr(signal, "SIGALRM", None)
    raise Failed(f"took more than {SECONDS} seconds" if alarm and worker.returncode == -alarm else "ended its process")


def serve(seconds: int) -> None:
    """Answer until nobody asks any more. The system ends this process when one answer takes too long."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    out, alarm = os.fdopen(os.dup(1), "wb"), getattr(signal, "alarm", lambda seconds: None)
    os.dup2(2, 1)  # what is printed is no answer
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    while True:
        try:
            function, arguments = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        failed, value = "", None
        alarm(seconds)
        try:
            value = function(*arguments)
        except MemoryError:
            failed = "took too much memory"
        except Exception as error:
            failed = f"failed ({said(error)})"
        alarm(0)
        try:
            out.write(json.dumps([failed, value]).encode() + b"\n")
            out.flush()
        except BrokenPipeError:  # who asked was stopped
            os._exit(0)
