"""The process that a submission runs in: no answer is in it, and nothing that it says is believed.

Run as a script by coursekit.grading.sandbox. Standard input holds one line of JSON, what to run, and then the
notebook as it was handed in. JSON goes out line by line: ["cell", k, name] before a cell, ["note", text] for
what went wrong in it, ["task", name] before the calls of a task, ["answers", [...]] or ["refused", sentence] from
them, ["over", status] after them.

The notebook is read here, too: whatever is in the file, only this process can choke on it.
"""

from __future__ import annotations

import gc
import inspect
import json
import sys
from types import ModuleType, SimpleNamespace

if __name__ == "__main__":
    ORDER = json.loads(sys.stdin.buffer.readline())
    sys.path += ORDER["site"]
    sys.dont_write_bytecode = True
    # Half of a submission's time is the import of numpy: what is imported is no garbage, nobody reads its help, and
    # its types, a quarter of that time, can wait until somebody imports numpy.typing.
    gc.disable()
    inspect.cleandoc = str  # type: ignore[assignment]
    sys.modules["numpy._typing"] = types = ModuleType("numpy._typing")
    types.__getattr__ = lambda name: list  # type: ignore[method-assign]
else:
    ORDER = {}

import ast
import builtins
import contextlib
import io
import linecache
import os
import random
import signal
import site
import traceback
from collections.abc import Iterator, Sequence
from importlib import import_module
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import spec_from_file_location
from typing import Any

import numpy as np

if __name__ == "__main__":
    del sys.modules["numpy._typing"]


class StandIn:
    """Stands where coursekit has an answer or a picture: does nothing in a cell, is refused in a graded call."""

    graded = False

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
        if name == "coursekit":
            return spec_from_file_location(name, f"{ORDER['package']}/__init__.py")
        if not name.startswith("coursekit."):
            return None if path or name in sys.builtin_module_names else readable(name)
        if is_part(name):
            return spec_from_file_location(name, f"{ORDER['package']}/{file_of(name)}")
        return ModuleSpec(name, self, is_package=True)  # type: ignore[arg-type]

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        def attribute(name: str) -> Any:
            """`from coursekit.core import validate` asks here first."""
            whole = f"{spec.name}.{name}"
            return import_module(whole) if is_part(whole) else getattr(StandIn(), name)

        module = ModuleType(spec.name)
        module.__getattr__ = attribute  # type: ignore[method-assign]
        return module

    def exec_module(self, module: ModuleType) -> None:
        pass


def file_of(module: str) -> str:
    return module.removeprefix("coursekit.").replace(".", "/") + ".py"


def is_part(module: str) -> bool:
    return file_of(module) in ORDER["parts"]


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
from os import _exit, getpid, waitpid, write  # noqa: E402

import coursekit.checking.call as call  # noqa: E402
import coursekit.checking.wire as wire  # noqa: E402
import coursekit.grading.fence as fence  # noqa: E402
from coursekit.checking.asked import Asked  # noqa: E402
from coursekit.core.text import said  # noqa: E402

fork = getattr(os, "fork", None)
Step = tuple[str, str | None]  # a cell and its source; or a task whose turn has come, and None


def main() -> None:
    linux, sandbox = sys.platform == "linux", ORDER["sandbox"]
    if linux and not sandbox:
        fence.stay_behind()
    notebook = sys.stdin.buffer.read()
    out, null = os.dup(1), os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(null, stream)

    def say(*message: Any) -> None:
        text = dumps(message).encode() + b"\n"
        while text:
            text = text[write(out, text) :]

    for name, value in ORDER["limits"].items():
        limit(name, value)
    try:
        steps = list(plan(notebook, ORDER["cells"]))
    except (ValueError, KeyError, TypeError, RecursionError, MemoryError) as error:
        say("unreadable", said(error))
        return
    for name, text in ORDER["beside"].items():
        with open(os.path.basename(name), "wb") as file:
            file.write(text.encode("latin-1"))
    sys.path.append(os.getcwd())  # the last: what lies there takes the place of nothing that is installed
    sources = [source for _, source in steps if source]
    random.seed(0)  # not the grader's seed: whoever has it can draw what a task holds out
    if any("random" in source for source in sources):  # importing it takes a tenth of the whole time
        np.random.seed(0)
    if any("await" in source or "async" in source for source in sources):
        import asyncio

        asyncio.set_event_loop(asyncio.new_event_loop())  # now, because it holds a socket
    if linux:
        if not sandbox:
            fence.confine(ORDER["shown"], ORDER["hidden"], os.getcwd())
        fence.forbid()
    space = user_space()
    gc.freeze()
    gc.enable()
    me, tasks = getpid(), ORDER["tasks"]
    for k, (name, source) in enumerate(steps):
        if source is not None:
            if (stopped := ORDER["stopped"].count(k)) < 2:
                say("cell", k, name)
                note = execute(name, source, space, only_definitions=stopped == 1)
                if getpid() != me:
                    _exit(0)
                if note:
                    say("note", f"{name}: {note}")
        elif name in tasks:
            say("task", name)
            # In a process of its own: whatever the calls change, the cells that follow go on from here.
            if fork:
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)  # if a cell had it ignored, no child would be waited for
                gc.freeze()  # a child that looks for garbage would copy all that it shares with us
            child = fork() if fork else 0
            if not child:
                mine = getpid()
                limit("RLIMIT_CPU", ORDER["seconds"])
                message = graded(name, tasks[name], space)
                if getpid() != mine:
                    _exit(0)
                say(*message)
                if fork:
                    _exit(0)
                StandIn.graded = False
            say("over", waitpid(child, 0)[1] if child else 0)


def limit(name: str, value: int) -> None:
    with contextlib.suppress(ImportError, ValueError, OSError):  # a system may have lower ones, or none of a kind
        import resource

        resource.setrlimit(getattr(resource, name), (value, value))


def plan(notebook: bytes, ours: list[dict[str, str]]) -> Iterator[Step]:
    """What to do, in the order of the notebook.

    ours: {"id", "source"} of each code cell of the exercise; an answer's source is None; a check has "task" in place
    of a source. Whatever the notebook says about them, those cells are what they are in `ours`: answers run as handed
    in, all others as released, once and not after an answer that follows them. A cell that the exercise does not have
    is run where it stands. A task has its turn at its own check, at the last one if there are several; where there is
    none, or its answer comes later still, at the end.
    """
    place, done = {cell["id"]: k for k, cell in enumerate(ours)}, 0
    found = json.loads(notebook)
    if not isinstance(found, dict) or not isinstance(found.get("cells"), list):
        raise ValueError("a notebook is a JSON object with a list of cells (nbformat 4)")
    cells = [_known(cell, place) for cell in found["cells"]]
    first: dict[str | None, int] = {}
    last: dict[str | None, int] = {}
    for number, (name, _) in enumerate(cells):
        first.setdefault(name, number)
        last[name] = number
    late = [cell for cell in ours if "task" in cell]
    for number, (name, source) in enumerate(cells):
        if name is None:
            if source is not None:
                yield f"cell {number + 1}", source
            continue
        k = place[name]
        yield from ((c["id"], c["source"]) for c in ours[done : k + 1] if c.get("source") is not None)
        done = max(done, k + 1)
        if "task" in ours[k]:
            if number == last[name] and first.get(ours[k]["task"], -1) < number:
                late.remove(ours[k])
                yield ours[k]["task"], None
        elif ours[k]["source"] is None and source is not None:
            yield f"cell {name}", source
    yield from ((c["id"], c["source"]) for c in ours[done:] if c.get("source") is not None)
    yield from ((c["task"], None) for c in late)


def _known(cell: Any, place: dict[str, int]) -> tuple[str | None, str | None]:
    """Which cell of the exercise this is, None for none; its source, None if it has none that can be run."""
    cell = cell if isinstance(cell, dict) else {}
    metadata = cell.get("metadata")
    marks = metadata.get("nbgrader") if isinstance(metadata, dict) else None
    name = marks.get("grade_id") if isinstance(marks, dict) else None
    source = cell.get("source")
    if isinstance(source, list):
        source = "".join(map(str, source))
    known = isinstance(name, str) and name in place
    is_code = isinstance(source, str) and (known or cell.get("cell_type") == "code")
    return name if known else None, source if is_code else None


def user_space() -> dict[str, Any]:
    """The names that a cell finds, in a notebook as well as here."""
    module = sys.modules["__main__"] = ModuleType("__main__")
    space = module.__dict__

    def magic(name: str, line: str, body: str = "") -> None:
        if name in ("time", "capture"):
            exec(body or line, space)

    def nothing(*_: Any, **__: Any) -> None:
        pass

    site.sethelper()
    site.setquit()
    shell = SimpleNamespace(run_line_magic=magic, run_cell_magic=magic, system=nothing, getoutput=nothing)
    builtins.get_ipython = lambda: shell  # type: ignore[attr-defined]
    builtins.display = nothing  # type: ignore[attr-defined]
    return space


def execute(name: str, source: str, space: dict[str, Any], only_definitions: bool = False) -> str:
    """Run a cell, or only what it defines and imports: what went wrong in it, or "".

    A statement that fails is passed over: what it needs may be there on the student's machine, as a package, a
    file, a person who types or a part of coursekit that has a stand-in here. So it does not take a helper with it.
    """
    file, kind = f"<{name}>", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    said_first = ""
    try:
        try:
            tree = ast.parse(source, file)
        except SyntaxError:
            # Only now, because it takes longer than everything else: %magics, !commands, help?
            from IPython.core.inputtransformer2 import TransformerManager

            tree = ast.parse(TransformerManager().transform_cell(source), file)
        statements = tree.body
        if only_definitions:
            kinds = ast.FunctionDef | ast.ClassDef | ast.Import | ast.ImportFrom
            statements = [s for s in statements if isinstance(s, kinds)]
        while statements:
            try:
                code = compile(ast.Module(statements, []), file, "exec", kind, dont_inherit=True)
                if code.co_flags & inspect.CO_COROUTINE:
                    sys.modules["asyncio"].get_event_loop().run_until_complete(eval(code, space))
                else:
                    exec(code, space)
                break
            except Exception as error:
                lines = _lines(error, file)
                said_first = said_first or _told(error, lines[-1:])
                failed = next((k for k, s in enumerate(statements) if lines and (s.end_lineno or 0) >= lines[0]), None)
                statements = [] if failed is None else statements[failed + 1 :]
    except BaseException as error:
        said_first = said_first or _told(error, _lines(error, file)[-1:])
    return said_first


def _lines(error: BaseException, file: str) -> list[int]:
    """The lines of the cell that led to the error: the statement's first, the last where it came from."""
    if isinstance(error, SyntaxError) and error.filename == file:
        return [error.lineno or 0]
    return [f.lineno or 0 for f in traceback.extract_tb(error.__traceback__) if f.filename == file]


def _told(error: BaseException, line: list[int]) -> str:
    return f"{said(error)}{f', in line {line[0]}' if line else ''}"


class Nowhere(io.TextIOBase):
    """Takes what is printed. It is no file: a cell may have opened as many as there can be."""

    def write(self, text: str) -> int:
        return len(text)


def graded(name: str, task: dict[str, Any], space: dict[str, Any]) -> tuple[str, Any]:
    """The answers of the student's function, or why there are none."""
    StandIn.graded = True
    sys.stdout = sys.stderr = Nowhere()  # a thread of a cell may have held the old one's lock
    if name not in space:
        return "refused", f"There is no {name} in the notebook when its check is reached from the top."
    asked = Asked(name, tuple(task["arguments"]))
    try:
        cases = [tuple(map(wire.decode, case)) for case in task["cases"]]
        answers = call.answers(asked, space[name], cases, graded=True)
        return "answers", [wire.encode(answer) for answer in answers]
    except call.NotYet as error:
        return "refused", str(error)
    except BaseException as error:
        return "refused", f"What {name} returns cannot be read: {said(error)}."


if __name__ == "__main__":
    main()
