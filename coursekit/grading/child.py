"""The process that a submission runs in: no answer is in it, and nothing that it says is believed.

Run as a script by coursekit.grading.sandbox. Standard input holds one line of JSON, what to run, and then the
notebook as it was handed in. JSON goes out line by line: ["cell", k, name] before a cell, ["note", text] for
what went wrong in it, ["task"] before the calls of a task, ["answers", [...]] or ["refused", sentence] from
them, ["over", status] after them.

The notebook is read here, too: whatever is in the file, only this process can choke on it.
"""

from __future__ import annotations

import gc
import inspect
import sys

if __name__ == "__main__":
    sys.path += sys.argv[3:]
    sys.dont_write_bytecode = True
    # Half of a submission's time is the import of numpy: what is imported is no garbage, and nobody reads its help.
    gc.disable()
    inspect.cleandoc = str

import ast
import builtins
import contextlib
import json
import linecache
import os
import random
import signal
import site
import traceback
from collections.abc import Iterator
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_file_location
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np

# The parts of coursekit that a submission may read: no answer is in them.
PARTS = ("__init__.py", "core/validate.py", "core/datasets.py", "core/data", "checking/call.py", "checking/judge.py",
         "checking/wire.py", "grading/child.py", "grading/fence.py")


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


class Coursekit:
    """Imports the parts of coursekit that hold no answers, and a stand-in for every other part."""

    def __init__(self, package: str) -> None:
        self.package = package

    def find_spec(self, name: str, *rest: object) -> ModuleSpec | None:
        if name == "coursekit":
            return spec_from_file_location(name, f"{self.package}/__init__.py")
        if not name.startswith("coursekit."):
            return None
        file = name.removeprefix("coursekit.").replace(".", "/") + ".py"
        if file in PARTS:
            return spec_from_file_location(name, f"{self.package}/{file}")
        return ModuleSpec(name, self, is_package=True)  # type: ignore[arg-type]

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        module = ModuleType(spec.name)
        module.__getattr__ = StandIn().__getattr__  # type: ignore[method-assign]
        return module

    def exec_module(self, module: ModuleType) -> None:
        pass


if __name__ == "__main__":
    sys.meta_path.insert(0, Coursekit(sys.argv[1]))  # type: ignore[arg-type]

# Bound here, because a cell may put what it likes in the place of json.dumps or os._exit.
from json import dumps  # noqa: E402
from os import _exit, getpid, waitpid, write  # noqa: E402

import coursekit.checking.call as call  # noqa: E402
import coursekit.checking.wire as wire  # noqa: E402
import coursekit.grading.fence as fence  # noqa: E402
from coursekit.checking.judge import Task  # noqa: E402

fork = getattr(os, "fork", None)
Cell = tuple[str, str]  # name, source


def main(package: str, fenced: str) -> None:
    if fenced and sys.platform == "linux":
        fence.stay_behind()
    line, _, notebook = sys.stdin.buffer.read().partition(b"\n")
    order = json.loads(line)
    out, null = os.dup(1), os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(null, stream)

    def say(*message: Any) -> None:
        text = dumps(message).encode() + b"\n"
        while text:
            text = text[write(out, text) :]

    if fork:
        import resource

        for name, value in order["limits"].items():
            with contextlib.suppress(ValueError, OSError):  # a system may have lower ones already, or none of a kind
                resource.setrlimit(getattr(resource, name), (value, value))
    try:
        cells = list(plan(notebook, order["cells"]))
    except (ValueError, KeyError, TypeError, RecursionError, MemoryError) as error:
        say("unreadable", f"{type(error).__name__}: {error}"[:200])
        return
    random.seed(order["seed"])
    if any("random" in source for _, source in cells):  # importing it takes a tenth of the whole time
        np.random.seed(order["seed"] % 2**32)
    if sys.platform == "linux":
        if fenced:
            fence.confine([*order["readable"], os.getcwd()], package, PARTS)
        fence.forbid()
    space = user_space()
    gc.freeze()
    gc.enable()
    me = getpid()
    for k, (name, source) in enumerate(cells):
        if (stopped := order["stopped"].count(k)) < 2:
            say("cell", k, name)
            note = execute(name, source, space, only_definitions=stopped == 1)
            if getpid() != me:
                _exit(0)
            if note:
                say("note", f"{name}: {note}")
    if fork:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)  # a cell may have it ignored: no child would be waited for
    gc.freeze()  # a child that looks for garbage would copy all that it shares with us
    for task in order["tasks"]:
        say("task")
        child = fork() if fork else 0
        if not child:
            me = getpid()
            message = graded(task, space)
            if getpid() != me:
                _exit(0)
            say(*message)
            if fork:
                _exit(0)
        say("over", waitpid(child, 0)[1] if child else 0)


def plan(notebook: bytes, ours: list[dict[str, str]]) -> Iterator[Cell]:
    """The cells to run, in the order of the notebook.

    ours: {"id", "source"} of each code cell of the exercise; only an answer's source is None. Whatever the
    notebook says about them, those cells are what they are in `ours`: answers run as handed in, all others as
    released, once and not after an answer that follows them. A cell that the exercise does not have is run
    where it stands.
    """
    place, done = {cell["id"]: k for k, cell in enumerate(ours)}, 0
    found = json.loads(notebook)
    if not isinstance(found, dict) or not isinstance(found.get("cells"), list):
        raise ValueError("a notebook is a JSON object with a list of cells (nbformat 4)")
    for number, cell in enumerate(found["cells"], 1):
        cell = cell if isinstance(cell, dict) else {}
        metadata = cell.get("metadata")
        marks = metadata.get("nbgrader") if isinstance(metadata, dict) else None
        name = marks.get("grade_id") if isinstance(marks, dict) else None
        source = cell.get("source")
        if isinstance(source, list):
            source = "".join(map(str, source))
        if not isinstance(name, str) or name not in place:
            if cell.get("cell_type") == "code" and isinstance(source, str):
                yield f"cell {number}", source
            continue
        k = place[name]
        yield from ((c["id"], c["source"]) for c in ours[done : k + 1] if c["source"] is not None)
        done = max(done, k + 1)
        if ours[k]["source"] is None and isinstance(source, str):
            yield f"cell {name}", source
    yield from ((c["id"], c["source"]) for c in ours[done:] if c["source"] is not None)


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
    file = f"<{name}>"
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
                exec(compile(ast.Module(statements, []), file, "exec", dont_inherit=True), space)
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


def graded(task: dict[str, Any], space: dict[str, Any]) -> tuple[str, Any]:
    """The answers of the student's function, or why there are none."""
    StandIn.graded = True
    sys.stdout = sys.stderr = open(os.devnull, "w")  # noqa: SIM115 - a thread of a cell may have held the old one's lock
    name, arguments = task["name"], tuple(task["arguments"])
    if name not in space:
        return "refused", f"There is no {name} in the notebook when it has run from top to bottom."
    asked: Any = SimpleNamespace(name=name, arguments=arguments)
    asked.call = lambda case: Task.call(asked, case)
    try:
        cases = [tuple(map(wire.decode, case)) for case in task["cases"]]
        answers = call.answers(asked, space[name], cases, printed=0, graded=True)
        return "answers", [wire.encode(answer) for answer in answers]
    except call.NotYet as error:
        return "refused", str(error)
    except BaseException as error:
        return "refused", f"What {name} returns cannot be read: {said(error)}."


def said(error: BaseException) -> str:
    try:
        text = error.msg if isinstance(error, SyntaxError) else str(error)
        return f"{type(error).__name__}: {text}"[:200].rstrip(": ")
    except BaseException:
        return "an error without a text"


if __name__ == "__main__":
    main(*sys.argv[1:3])
