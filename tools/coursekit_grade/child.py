"""The process that a submission runs in, a script: no answer is in it, and nothing that it says is believed.

What it is told and what it says stands in coursekit_grade.protocol. The notebook is read here, too: whatever is in the
file, only this process can choke on it.
"""

from __future__ import annotations

import gc
import inspect
import json
import os
import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from coursekit_grade.protocol import Order

if __name__ == "__main__":
    HOME = os.getcwd()
    ORDER: Order = json.loads(sys.stdin.buffer.readline())
    sys.path += ORDER["site"]
    sys.dont_write_bytecode = True
    # Half of a submission's time is the import of numpy: what is imported is no garbage, nobody reads its help, and
    # its types, a quarter of that time, can wait until somebody imports numpy.typing.
    gc.disable()
    cleandoc, inspect.cleandoc = inspect.cleandoc, str  # type: ignore[assignment]
    LATER = "numpy._typing", "numpy.typing", "numpy._core._add_newdocs", "numpy._core._add_newdocs_scalars"
    sys.modules |= dict.fromkeys(LATER, types := ModuleType("numpy._typing"))
    types.__getattr__ = lambda name: list  # type: ignore[method-assign]

import random
import signal
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import spec_from_file_location

import numpy as np


class StandIn:
    """Stands where coursekit has an answer or a picture: does nothing in a cell, is refused in a graded call."""

    graded = False
    __array_ufunc__ = None  # no operator of NumPy's takes it for a number

    def __array__(self, *_: Any, **__: Any) -> Any:
        raise TypeError(f"a {STAND_IN} is no array")

    def __getattr__(self, name: str) -> StandIn:
        if name.startswith("__"):
            raise AttributeError(name)
        return self

    def __call__(self, *_: Any, **__: Any) -> StandIn:
        if StandIn.graded:
            raise call.NotYourOwn
        return self


class Finder:
    """Imports the parts of coursekit that hold no answers, a stand-in for every other part, and what can be read."""

    def find_spec(self, name: str, path: Sequence[str] | None, *rest: object) -> ModuleSpec | None:
        if name.partition(".")[0] not in ("coursekit", "coursekit_grade") and name != "tqdm.notebook":
            return None if path or name in sys.builtin_module_names else readable(name)
        if name in ORDER["modules"]:
            return spec_from_file_location(name, os.path.join(HOME, ORDER["modules"][name]))
        return ModuleSpec(name, self, is_package=True)  # type: ignore[arg-type]

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        def attribute(name: str) -> Any:
            """`from coursekit.core import validate` asks here first."""
            if spec.name == "tqdm.notebook":  # whose bars are widgets
                return getattr(import_module("tqdm"), name)
            whole = f"{spec.name}.{name}"
            return import_module(whole) if whole in ORDER["modules"] else getattr(StandIn(), name)

        module = ModuleType(spec.name)
        module.__getattr__ = attribute  # type: ignore[method-assign]
        return module

    def exec_module(self, module: ModuleType) -> None:
        pass


def readable(name: str) -> ModuleSpec | None:
    """A module of the standard library or of a package that is shown: any other is not there, as in a sandbox."""
    spec = PathFinder.find_spec(name)
    if spec and spec.has_location and spec.origin:
        try:
            open(spec.origin, "rb").close()
        except PermissionError:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name) from None
    return spec


if __name__ == "__main__":
    sys.meta_path.insert(0, Finder())  # type: ignore[arg-type]

# Bound here, because a cell may put what it likes in the place of json.dumps or os._exit.
from json import dumps  # noqa: E402
from os import _exit, getpid, write  # noqa: E402

from coursekit.checking import call, wire  # noqa: E402
from coursekit.checking.signature import Outcome, Signature  # noqa: E402
from coursekit_grade import fence  # noqa: E402
from coursekit_grade.kernel import STAND_IN, Kernel  # noqa: E402
from coursekit_grade.printable import said  # noqa: E402
from coursekit_grade.protocol import Kind  # noqa: E402
from coursekit_grade.reading import Unreadable, steps_of, written_for  # noqa: E402

StandIn.__name__ = StandIn.__qualname__ = STAND_IN
fork, wait4 = getattr(os, "fork", None), getattr(os, "wait4", None)


def main() -> None:
    fenced = (linux := sys.platform == "linux") and not ORDER["boxed"]
    if fenced:
        fence.stay_behind()
    notebook = sys.stdin.buffer.read()
    out, null = os.dup(1), os.open(os.devnull, os.O_RDWR)
    for stream in range(2):
        os.dup2(null, stream)

    def say(*message: Any) -> None:
        text = dumps(message).replace(STAND_IN, "StandIn").encode() + b"\n"
        while text:
            text = text[write(out, text) :]

    for name, value in ORDER["limits"].items():
        limit(name, value)
    try:
        found, steps = steps_of(notebook, ORDER["cells"])
    except Unreadable as reason:
        say(Kind.UNREADABLE, str(reason))
        return
    for name, text in ORDER["beside"].items():
        path = os.path.join(*(part for part in name.split("/") if part.isidentifier() or part.endswith(".py")))
        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
        with open(path, "wb") as file:
            file.write(text.encode("latin-1"))
    sys.path.append(os.getcwd())  # the last: what lies there takes the place of nothing that is installed
    sources = [step.source for step in steps if step.source]
    sys.setrecursionlimit(3000)  # as in many a Jupyter, where what completes names has set it
    random.seed(0)  # not the grader's seed: whoever has it can draw what a task holds out
    if any("random" in source for source in sources):  # importing it takes a tenth of the whole time
        np.random.seed(0)
    if any("await" in source or "async" in source for source in sources):
        import asyncio

        asyncio.set_event_loop(asyncio.new_event_loop())  # now, because it holds a socket
    if linux:
        if fenced:
            fence.confine(ORDER["shown"], ORDER["hidden"], os.getcwd())
        fence.forbid(ORDER["refused"])
    os.dup2(null, 2)
    kernel = Kernel(written_for(found), os.path.join(HOME, ORDER["data"]))
    gc.freeze()
    gc.enable()
    me, tasks, last = getpid(), ORDER["tasks"], len(steps)
    for k, (name, source, kernel.there) in enumerate(steps):
        if source is not None and (stopped := ORDER["stopped"].count(k)) < 2:
            say(Kind.CELL, k, name)
            note = kernel.execute(name, source, only_definitions=stopped == 1)
            if getpid() != me:
                _exit(0)
            if note:
                say(Kind.NOTE, f"{name}: {note}")
        elif source is None and name in tasks and name not in kernel.space and k < last:
            steps.append(steps[k])  # it may be defined further down
        elif source is None and name in tasks:
            say(Kind.TASK, name)
            # In a process of its own: whatever the calls change, the cells that follow go on from here.
            if fork:
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)  # if a cell had it ignored, no child would be waited for
                gc.freeze()  # a child that looks for garbage would copy all that it shares with us
            child = fork() if fork else 0
            if not child:
                mine = getpid()
                limit("RLIMIT_CPU", ORDER["seconds"])
                StandIn.graded = True
                message = answers(name, tasks[name], kernel)
                if getpid() != mine:
                    _exit(0)
                say(*message)
                if fork:
                    _exit(0)
                StandIn.graded = False
            _, status, used = wait4(child, 0) if child and wait4 else (0, 0, None)
            say(Kind.OVER, status, used.ru_utime + used.ru_stime if used else 0)


def answers(name: str, task: dict[str, Any], kernel: Kernel) -> tuple[Any, ...]:
    """The message with what the student's function returns, or with the reason why it returns nothing."""
    sys.stdout = sys.stderr = call.Printed()  # a thread of a cell may have held the old one's lock
    if name not in kernel.space:
        return _missing(name, kernel)
    signature = Signature(name, tuple(task["arguments"]))
    kernel.missed.clear()
    try:
        cases = [tuple(map(wire.decode, case)) for case in task["cases"]]
        returned = call.run(signature, kernel.space[name], cases, graded=True)
        if f"{STAND_IN} object" in dumps(returned):
            raise TypeError(f"it returns a {STAND_IN}")
        return Kind.ANSWERS, returned, kernel.doubt(name)
    except BaseException as error:
        problem = error if isinstance(error, call.NotYet) else None
        if why := kernel.lack(problem.error if problem else error) or kernel.doubt(name):
            return Kind.LACKS, why
        if not problem:
            return Kind.REFUSED, f"What {name} returns cannot be read: {said(error)}.", Outcome.OTHER
        gone = getattr(problem.error, "name", None)  # of a NameError: told with what its own cell said
        lost = [f" There is no {gone}, as its cell failed: {why}." for why, _, names in kernel.failed if gone in names]
        return Kind.REFUSED, str(problem) + "".join(lost[:1]), problem.outcome


def _missing(name: str, kernel: Kernel) -> tuple[Any, ...]:
    """Why there is no such function."""
    if why := kernel.lacks(name):
        return Kind.LACKS, why
    for wrong, unread, names in kernel.failed:
        if name in names:
            why = (f"The cell with {name} cannot be read: {wrong}." if unread else
                   f"There is no {name} in the notebook, as its cell failed: {wrong}.")
            return Kind.REFUSED, why, Outcome.ERROR
    why = f"There is no {name} in the notebook."
    unknown = kernel.lacks("*")  # what it was to come from
    return (Kind.LACKS, unknown) if unknown else (Kind.REFUSED, why, Outcome.UNWRITTEN)


def limit(name: str, value: int) -> None:
    with suppress(ImportError, ValueError, OSError):  # a system may have lower ones, or none of a kind
        import resource

        resource.setrlimit(getattr(resource, name), (value, value))


if __name__ == "__main__":
    inspect.cleandoc = cleandoc
    for name in LATER:
        del sys.modules[name]
    main()
