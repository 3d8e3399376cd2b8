"""Call a student's function in this process: nothing it does wrong may look like a fault of the library.

An endless loop is stopped by a trace function, which works in the browser too, where there are neither signals nor
threads. It sees every step of Python code, so it also notices a call of coursekit's own answer, and of numpy's lstsq
with NaN. It cannot stop another call into compiled code. Errors are told in the words of errors.toml.
"""

import contextlib
import copy
import dis
import functools
import inspect
import io
import linecache
import re
import sys
import textwrap
import time
import traceback
import warnings
from collections.abc import Callable
from types import CodeType, FrameType, ModuleType
from typing import Any

import numpy as np

from coursekit.checking import wire
from coursekit.checking.signature import ADDRESS, Case, Outcome, Signature, shape, short
from coursekit.core.frozen import same

SECONDS = 3.0  # of computing, for one call
WAITED = 15.0  # seconds until a call that has not computed so long is stopped as well
PRINTED = 1000
ENDLESS = "np.linalg.lstsq was called with NaN or infinity, and may never return; look for a division by 0"
# Of the data sets and all that they import, which are no answer to a task; a test keeps the list.
DATA = {f"coursekit.core.{name}" for name in ["blobs", "dataset", "datasets", "frozen", "keywords", "text", "validate"]}


class NotYet(AssertionError):
    """An answer that is not right yet. A notebook shows its sentence alone, without a stack.

    case: the arguments that it was called with, where it failed in a call. error: what the call raised.
    """

    def __init__(self, sentence: str, case: Case | None = None, error: BaseException | None = None,
                 outcome: Outcome = Outcome.OTHER) -> None:
        super().__init__(sentence)
        self.case, self.error, self.outcome = case, error, outcome

    def _render_traceback_(self) -> list[str]:
        """One sentence, in lines that end between words: JupyterLab breaks long ones anywhere."""
        return [textwrap.fill(str(self), 80, break_long_words=False, break_on_hyphens=False)]


class NotYourOwn(BaseException):
    """Raised by what stands where coursekit's own answers would be."""


class _OutOfTime(BaseException):
    """Not an Exception, so that the student's `except Exception` does not swallow it."""


def run(task: Signature, function: Callable[..., Any], cases: list[Case], *, printed: list[str] | None = None,
        graded: bool = False) -> list[Any]:
    """What `function` returns for each case, or NotYet with the reason why it returned nothing.

    printed: takes what it prints, a text for each call.
    graded: in a grader's process, which others stop and which holds no answers. Nothing watches the calls, which
        makes loops many times faster, what an exception of theirs says stays there, and all comes back as
        `wire.encode` writes it.
    """
    if not callable(function):
        raise NotYet(f'{task.name}: hand your function to the check, check("{task.name}", {task.name}); '
                     f"this is {short(function)}.")
    _takes(task, function)
    returned = []
    for case in cases:
        screen = Printed()
        try:
            returned.append(_returned(task, function, case, graded, screen))
        except NotYet as problem:
            problem.case = case
            raise problem from None
        finally:
            if printed is not None:
                printed.append(screen.text)
    return returned


def _returned(task: Signature, function: Callable[..., Any], case: Case, graded: bool, screen: "Printed") -> Any:
    given, watch = copy.deepcopy(case), _Watch()
    result, error = None, None
    outer = sys.gettrace()
    try:
        with warnings.catch_warnings(), contextlib.redirect_stdout(screen):
            warnings.simplefilter("ignore")
            sys.settrace(outer if graded else watch)
            try:
                result = function(*given)
            finally:
                sys.settrace(outer)
    except KeyboardInterrupt:
        raise
    except BaseException as e:
        error = e
    if watch.stopped:
        at = (error and place_of(function, error)) or watch.stopped  # not in the library that it has called
        raise NotYet(
            f"{task.name} was still running after {SECONDS:g} seconds and was stopped{line_of(at)}; look for a loop "
            "that never ends, or for one that numpy could do at once.", outcome=Outcome.SLOW)
    if watch.own or isinstance(error, NotYourOwn):
        raise NotYet(f"{task.name} calls coursekit's own answer: this must be your own.")
    if isinstance(error, NotImplementedError):
        raise NotYet(f"{task.name} is not written yet: put your answer in place of raise NotImplementedError.",
                     error=error, outcome=Outcome.UNWRITTEN)
    if error is not None:
        problem = type(error).__name__ if graded else explain_call(task, function, case, error)
        raise NotYet(f"{task.call(case)} raised {problem}{line_of(place_of(function, error))}.",
                     error=error, outcome=Outcome.ERROR)
    for name, before, after in zip(task.arguments, case, given, strict=True):
        if not same(before, after):
            how = (f"{name} = {name} + ... makes a new array, {name} += ... changes the old one"
                   if isinstance(before, np.ndarray) else f"{name} = copy.deepcopy({name}) makes one")
            raise NotYet(f"{task.name} changed its argument {name}, which belongs to the caller: work on a copy "
                         f"({how}).")
    try:
        sent = wire.encode(result)  # now, as the next call may change it
        return sent if graded else wire.decode(sent)
    except ValueError as e:
        raise NotYet(f"What {task.name} returns cannot be read: {e}.") from None


class _Watch:
    """A trace function: stops the call after SECONDS, notices calls into coursekit, except for data."""

    def __init__(self) -> None:
        now = time.monotonic()
        self.look, self.last, self.computed = now + SECONDS, now + WAITED, time.process_time() + SECONDS
        self.own = False
        self.stopped: tuple[FrameType, int] | None = None

    def __call__(self, frame: FrameType, event: str, arg: Any) -> "_Watch | None":
        if event == "call":
            module = frame.f_globals.get("__name__") or ""
            if module.startswith("numpy."):
                if frame.f_code.co_name == "lstsq" and not np.isfinite(frame.f_locals["a"]).all():
                    raise np.linalg.LinAlgError(ENDLESS)
                return None  # its steps need no watching, and in the browser they take most of the time
            self.own |= module.startswith("coursekit.") and module != __name__ and module not in DATA
            frame.f_trace_opcodes = _jumps_to_itself(frame.f_code)
        elif event != "exception" and time.monotonic() > self.look and self._late():
            self.stopped = (frame, frame.f_lineno)
            raise _OutOfTime
        return self

    def _late(self) -> bool:
        """Whether it has had its time: on a busy machine, others may have had it."""
        now, left = time.monotonic(), self.computed - time.process_time()
        self.look = min(now + left, self.last)
        return left <= 0 or now >= self.last


@functools.cache
def _jumps_to_itself(code: CodeType) -> bool:
    """`while True: pass` on one line: it makes only opcode events before Python 3.12, which slow all other loops."""
    return any("JUMP" in i.opname and i.argval == i.offset for i in dis.get_instructions(code))


class Printed(io.TextIOBase):
    """Keeps the first characters that a call prints."""

    text, left = "", PRINTED

    def write(self, text: str) -> int:
        self.text += text[: self.left]
        if 0 < self.left <= len(text):
            self.text += "\n(what is printed after this is left out)\n"
        self.left = max(0, self.left - len(text))
        return len(text)


def _takes(task: Signature, function: Callable[..., Any]) -> None:
    try:
        signature = inspect.signature(function)
    except Exception:  # also of an annotation, which Python 3.14 evaluates only now
        return
    try:
        signature.bind(*task.arguments)
    except TypeError as error:
        wanted = ", ".join(task.arguments) or "nothing"
        takes = ", ".join(signature.parameters) or "nothing"
        raise NotYet(f"{task.name} must take ({wanted}); yours takes ({takes}).", error=error,
                     outcome=Outcome.ERROR) from None


def globals_of(function: Callable[..., Any], single: bool) -> list[str]:
    """The variables of the notebook that a function reads, itself or in another function of the notebook.

    single: numbers and texts as well. Not what is written like a constant, in capitals.
    """
    space: dict[str, Any] = getattr(function, "__globals__", {})
    names: dict[str, None] = {}
    todo, done = [getattr(function, "__code__", None)], set()
    while todo:
        code = todo.pop()
        if isinstance(code, CodeType) and code not in done:
            done.add(code)
            read = dict.fromkeys(i.argval for i in dis.get_instructions(code) if i.opname == "LOAD_GLOBAL")
            names |= read
            todo += [*code.co_consts, *(getattr(space.get(name), "__code__", None) for name in read)]
    kinds = (int, float, complex, str, np.generic)
    values = {name: space[name] for name in names if name in space}
    return [name for name, value in values.items() if not callable(value) and not isinstance(value, ModuleType)
            and not (name.isupper() and (len(name) > 1 or isinstance(value, kinds)))
            and (single or not isinstance(value, kinds))]


@functools.cache
def _meanings() -> list[tuple[str, str]]:
    import tomllib  # not in a grader's process, which tells the type of an error alone
    from pathlib import Path
    return tomllib.loads(Path(__file__).with_name("errors.toml").read_text("utf-8"))["meanings"]


def explain(error: BaseException) -> str:
    """An error in one piece of a sentence: its type, what it means, or else what it says.

    >>> explain(IndexError("index 3 is out of bounds for axis 0 with size 3"))
    'IndexError: there is no entry or row 3: this array has 3 of them, counted from 0'
    """
    text = ADDRESS.sub("", " ".join(str(error).split()))
    name = type(error).__name__.lstrip("_")
    for pattern, meaning in _meanings():
        if found := re.match(pattern, text):
            return f"{name}: {meaning.format(*found.groups())}"
    return f"{name}: {text}"[:200].rstrip(":. ")


def explain_call(task: Signature, function: Callable[..., Any], case: Case, error: BaseException) -> str:
    """An error of a call: what it means, the shapes in its line, and the case where that alone is to blame."""
    single = [f"{name} has one {'column' if len(shape(a)) == 2 else 'entry'}"
              for name, a in zip(task.arguments, case, strict=True) if shape(a)[-1:] == (1,)]
    few = isinstance(error, IndexError) and single and "with size 1" in str(error)
    more = f"; here {single[0]} alone: write it for any number of them" if few else ""
    return f"{explain(error)}{_shapes(error, function)}{more}"


def place_of(function: Callable[..., Any], error: BaseException) -> tuple[FrameType, int] | None:
    """Where in the student's own file the error came from, with the names of that place."""
    home = getattr(getattr(function, "__code__", None), "co_filename", None)
    steps = [(f, n) for f, n in traceback.walk_tb(error.__traceback__) if f.f_code.co_filename == home and n]
    return steps[-1] if steps else None


def _shapes(error: BaseException, function: Callable[..., Any]) -> str:
    """The shapes of the arrays in a line that failed because theirs do not fit."""
    if not re.search("shape|mismatch|dimension", str(error)) or not (at := place_of(function, error)):
        return ""
    frame, line = at
    of = (frame.f_globals | frame.f_locals).get
    names = dict.fromkeys(re.findall(r"(?<![.\w])[A-Za-z_]\w*", linecache.getline(frame.f_code.co_filename, line)))
    shapes = [f"{name} has shape {v.shape}" for name in names if isinstance(v := of(name), (np.ndarray, np.generic))]
    return f" (here {', '.join(shapes[:4])})" if shapes else ""


def line_of(at: tuple[FrameType, int] | None) -> str:
    if at is None:
        return ""
    source = linecache.getline(at[0].f_code.co_filename, at[1]).strip()
    return f", in line {at[1]}" + (f": `{source}`" if source else "")
