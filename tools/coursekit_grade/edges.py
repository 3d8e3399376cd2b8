"""A course's author's functions: called in this process, stopped when they compute for too long, and asked whether what
they return hangs on a last bit, which every processor rounds in its own way.

Whole numbers and quarters, and the sums and products of a few of them, are exact everywhere: ties that are made of
them may be what a task is about. What np.linalg makes of them is not.
"""

import contextlib
import copy
import ctypes
import io
import platform
import threading
import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from unittest.mock import patch

import numpy as np

from coursekit.checking.compare import close
from coursekit.checking.signature import Case

SECONDS = 10.0  # for all cases of the solution, of a mistake, or of a draw
MOVED = 1e-9  # relative
EXACT = 1024  # multiples of 1/EXACT stay as they are
_SOLVERS = ("eig", "eigh", "inv", "lstsq", "pinv", "solve")
_one_at_a_time = threading.Lock()
# FE_UPWARD and FE_DOWNWARD of the C library. Elsewhere arguments move, and sums are rounded as ever.
_MODES = {"x86_64": (0x800, 0x400), "aarch64": (0x400000, 0x800000), "arm64": (0x400000, 0x800000)}


class _AnswerOutOfTime(BaseException):
    pass


@contextlib.contextmanager
def in_time() -> Iterator[None]:
    """ValueError inside after SECONDS of computing: an edit may make a loop that never ends. What it says is lost."""
    own, interrupt = ctypes.c_ulong(threading.get_ident()), ctypes.pythonapi.PyThreadState_SetAsyncExc
    # What this thread computes, where the system tells: others grade meanwhile.
    clock = getattr(time, "pthread_getcpuclockid", lambda thread: None)(threading.get_ident())

    def computed() -> float:
        return time.process_time() if clock is None else time.clock_gettime(clock)

    end, left, over = computed() + SECONDS, threading.Event(), False

    def watch() -> None:
        while (rest := end - computed()) > 0:
            if left.wait(rest):
                return
        while not over:  # again: the garbage collector's callbacks, and __del__, swallow what is raised in them
            interrupt(own, ctypes.py_object(_AnswerOutOfTime))
            left.wait(0.05)

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        try:
            with np.errstate(all="ignore"), warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
                warnings.simplefilter("ignore")
                yield
        finally:
            over = True  # first, and in one step, which cannot be interrupted
            left.set()
            watcher.join()
    except _AnswerOutOfTime:
        raise ValueError(f"it was still running after {SECONDS:g} seconds") from None


def called(function: Callable[..., Any], cases: Iterable[Case]) -> list[Any]:
    """What a function returns for each case: in silence, and whatever it does to its arguments."""
    with in_time():
        return [function(*copy.deepcopy(case)) for case in cases]


def moved(case: Case, sign: int) -> Case:
    """A case whose floats that are no multiples of 1/EXACT are off a little; with the other sign to the other side.

    Each moves by an amount of its own, and equal numbers by the same: examples that are alike stay so.

    >>> moved((0.1, 0.25, 3), 1) == (0.1, 0.25, 3), moved((0.25, 3), 1)
    (False, (0.25, 3))
    """

    def move(value: Any) -> Any:
        if isinstance(value, (list, tuple)):
            return type(value)(map(move, value))
        array = np.asarray(value)
        if array.dtype != np.float64:
            return value
        inexact = np.isfinite(array) & (array * EXACT % 1 != 0)
        near = _near(array, sign * inexact)
        return near if array.ndim else float(near)

    with np.errstate(invalid="ignore"):
        return tuple(map(move, case))


def _near(array: Any, sign: Any) -> Any:
    return array * (1 + sign * MOVED * np.sin(1e4 * array))


@contextlib.contextmanager
def _solved_nearby(sign: int) -> Iterator[None]:
    """np.linalg with matrices that are off a little: one that is as good as singular is so on some processors alone.

    In this thread; in all others it is as ever.
    """
    own = threading.get_ident()

    def nearby(solve: Callable[..., Any]) -> Callable[..., Any]:
        def solved(matrix: Any, *rest: Any, **options: Any) -> Any:
            return solve(_near(np.asarray(matrix), sign) if threading.get_ident() == own else matrix, *rest, **options)

        return solved

    solvers: dict[str, Any] = {name: nearby(getattr(np.linalg, name)) for name in _SOLVERS}
    with _one_at_a_time, patch.multiple(np.linalg, **solvers):
        yield


def off_edges(functions: Sequence[Callable[..., Any]], cases: Iterable[Case], returned: Iterable[Sequence[Any]],
              tolerance: float) -> list[bool]:
    """Of each case whether what the functions return stays when it is moved, with all that is not exact rounded up, and
    when it is moved to the other side, with all rounded down.

    In a thread of its own: no other one rounds otherwise.
    """
    rows = list(zip(cases, returned, strict=True))

    def stays(case: Case, right: Sequence[Any], sign: int) -> bool:
        with contextlib.suppress(ArithmeticError, LookupError, ValueError):
            near = [function(*copy.deepcopy(moved(case, sign))) for function in functions]
            return all(same(a, b, tolerance) for a, b in zip(right, near, strict=True))
        return False

    def all_moved(sign: int) -> list[bool]:
        if (modes := _MODES.get(platform.machine())) and platform.system() != "Windows":
            ctypes.CDLL(None).fesetround(modes[sign < 0])
        with _solved_nearby(sign), in_time():
            return [stays(*row, sign) for row in rows]

    with ThreadPoolExecutor(1) as aside:
        return [all(both) for both in zip(*aside.map(all_moved, (1, -1)), strict=True)]


def same(one: Any, other: Any, tolerance: float) -> bool:
    """Whether two results of one function are as good as equal. Infinity and NaN count as anything: an overflow
    rounded down is none."""
    if isinstance(one, (tuple, list)) and isinstance(other, (tuple, list)):
        return len(one) == len(other) and all(same(a, b, tolerance) for a, b in zip(one, other, strict=True))
    if one is None or other is None:
        return one is other
    a, b = (np.asarray(v, dtype=np.float64) for v in (one, other))
    return a.shape == b.shape and bool((close(b, a, tolerance) | ~np.isfinite(a) | ~np.isfinite(b)).all())
