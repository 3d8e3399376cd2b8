"""Functions of a course's author are called in this process, and stopped when they compute for too long."""

from __future__ import annotations

import contextlib
import copy
import ctypes
import io
import threading
import time
import warnings
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

from coursekit.checking.signature import Case

SECONDS = 10.0  # for all cases of the solution, of a mistake, or of a draw


class _AnswerOutOfTime(BaseException):
    pass


@contextlib.contextmanager
def in_time() -> Iterator[None]:
    """ValueError inside after SECONDS of computing: an edit may make a loop that never ends."""
    own, interrupt = ctypes.c_ulong(threading.get_ident()), ctypes.pythonapi.PyThreadState_SetAsyncExc
    end, left, over = time.process_time() + SECONDS, threading.Event(), False

    def watch() -> None:
        while (rest := end - time.process_time()) > 0:
            if left.wait(rest):
                return
        while not over:  # again: the garbage collector's callbacks, and __del__, swallow what is raised in them
            interrupt(own, ctypes.py_object(_AnswerOutOfTime))
            left.wait(0.05)

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        try:
            yield
        finally:
            over = True  # first, and in one step, which cannot be interrupted
            left.set()
            watcher.join()
    except _AnswerOutOfTime:
        raise ValueError(f"it was still running after {SECONDS:g} seconds") from None


def called(function: Callable[..., Any], cases: Iterable[Case]) -> list[Any]:
    """What a function returns for each case: in silence, and whatever it does to its arguments."""
    with (in_time(), np.errstate(all="ignore"), warnings.catch_warnings(),
          contextlib.redirect_stdout(io.StringIO())):
        warnings.simplefilter("ignore")
        return [function(*copy.deepcopy(case)) for case in cases]
