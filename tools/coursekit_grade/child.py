"""The process that a submission runs in: no answer is in it, and nothing that it says is believed.

Run as a script by coursekit_grade.sandbox. Standard input holds one line of JSON, what to run, and then the
notebook as it was handed in. JSON goes out line by line: ["cell", k, name] before a cell, ["note", text] for
what went wrong in it, ["doubt", reason] where that is that Python here is too old for it, ["task", name] before the
calls of a task, ["answers", [...]], ["refused", sentence, outcome] or ["lacks", reason] from them, ["over", status]
after them.

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
import re
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
        if name.partition(".")[0] not in ("coursekit", "coursekit_grade"):
            return None if path or name in sys.builtin_module_names else readable(name)
        if name in ORDER["modules"]:
            return spec_from_file_location(name, ORDER["modules"][name])
        return ModuleSpec(name, self, is_package=True)  # type: ignore[arg-type]

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        def attribute(name: str) -> Any:
            """`from coursekit.core import validate` asks here first."""
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
from os import _exit, getpid, waitpid, write  # noqa: E402

import coursekit.checking.call as call  # noqa: E402
import coursekit.checking.newer as newer  # noqa: E402
import coursekit.checking.wire as wire  # noqa: E402
import coursekit_grade.fence as fence  # noqa: E402
from coursekit.checking.asked import Asked  # noqa: E402
from coursekit.core.text import said  # noqa: E402

fork = getattr(os, "fork", None)
HERE = sys.version_info[:2]
# What went wrong: in cells, as [source, what was wrong, whether it is no Python]; and names that are not there because
# something that the grader lacks is not, with a sentence on that.
FAILED: list[tuple[str, str, bool]] = []
LACKING: dict[str, str] = {}
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
        found = json.loads(notebook)
        steps = list(plan(found, ORDER["cells"]))
    except (ValueError, KeyError, TypeError, RecursionError, MemoryError) as error:
        cut = isinstance(error, json.JSONDecodeError) and not notebook.rstrip().endswith(b"}")
        early = "the file ends too early, as after a download that was interrupted; it has to be handed in again"
        damaged = "it is no JSON, so something has changed the file after Jupyter saved it"
        say("unreadable", early if cut else damaged if isinstance(error, json.JSONDecodeError) else said(error))
        return
    python = written_for(found)
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
                note, doubt = execute(name, source, space, python, only_definitions=stopped == 1)
                if getpid() != me:
                    _exit(0)
                if note:
                    say("note", f"{name}: {note}")
                if doubt:
                    say("doubt", f"{name} {doubt}")
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
                message = graded(name, tasks[name], space, python)
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


def written_for(notebook: Any) -> tuple[int, ...]:
    """The version of Python that the notebook says it is written for, () if it says none."""
    try:
        return tuple(map(int, str(notebook["metadata"]["language_info"]["version"]).split(".")[:2]))
    except (LookupError, TypeError, ValueError):
        return ()


def plan(found: Any, ours: list[dict[str, str]]) -> Iterator[Step]:
    """What to do, in the order of the notebook.

    ours: {"id", "source"} of each code cell of the exercise; an answer's source is None; a check has "task" in place
    of a source. Whatever the notebook says about them, those cells are what they are in `ours`: answers run as handed
    in, all others as released, once and not after an answer that follows them. A cell that the exercise does not have
    is run where it stands. A task has its turn at its own check, at the last one if there are several; where there is
    none, or its answer comes later still, at the end.
    """
    place, done = {cell["id"]: k for k, cell in enumerate(ours)}, 0
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
    own: dict[tuple[str, str], Any] = {}

    def magic(name: str, line: str, *body: str) -> Any:
        if function := own.get(("cell" if body else "line", name)):
            return function(line, *body)
        if name == "time":
            try:
                code = compile(line, "<%time>", "eval")
            except SyntaxError:
                code = compile(line, "<%time>", "exec")
            return eval(code, space)
        if name in ("prun", "pylab"):
            exec(PYLAB if name == "pylab" else line, space)
        elif name == "run" and (file := line.split()[:1]):
            with open(file[0].strip("\"'"), encoding="utf-8") as script:
                exec(compile(script.read(), file[0], "exec"), space)
        return None

    def listed(command: str) -> list[str]:
        """There is no shell in here, and no program that it could start."""
        return sorted(n for n in os.listdir() if not n.startswith(".")) if command.split()[:1] == ["ls"] else []

    def nothing(*_: Any, **__: Any) -> None:
        pass

    def register(function: Any, kind: str = "line", name: str = "") -> None:
        own.update({(k, name or function.__name__): function for k in ("line", "cell") if kind in (k, "line_cell")})

    site.sethelper()
    site.setquit()
    shell = SimpleNamespace(run_line_magic=magic, run_cell_magic=magic, magic=lambda text: magic(*split(text)),
                            system=nothing, getoutput=listed, register_magic_function=register, user_ns=space)
    builtins.get_ipython = lambda: shell  # type: ignore[attr-defined]
    builtins.display = nothing  # type: ignore[attr-defined]
    return space


PYLAB = "import matplotlib, numpy\nfrom matplotlib import pylab, pyplot\nfrom matplotlib.pylab import *\n" \
        "from numpy import *\nnp, plt = numpy, pyplot"
# Cell magics whose body is no Python, or none for this process.
OTHERS = {"bash", "sh", "script", "!", "sx", "system", "cmd", "html", "HTML", "javascript", "js", "latex", "markdown",
          "SVG", "svg", "perl", "ruby", "pypy", "python", "python2", "python3", "R", "sql", "cython", "mermaid"}


def split(line: str) -> tuple[str, str]:
    """A magic and the rest of its line."""
    name, *rest = line.split(maxsplit=1) or [""]
    return name, rest[0] if rest else ""


def body_of(source: str, space: dict[str, Any]) -> str:
    """What a cell with %%magics runs in this process, each line of it where it stood: of an unknown one, all of it."""
    while (start := source.lstrip()).startswith("%%"):
        above = "\n" * (source[: len(source) - len(start)].count("\n") + 1)
        first, _, body = start.partition("\n")
        name, line = split(first[2:])
        if name in ("writefile", "file"):
            *options, file = line.split() or [""]
            how = "a" if {"-a", "--append"} & set(options) else "w"
            with open(file.strip("\"'"), how, encoding="utf-8") as to:
                to.write(body if body.endswith("\n") else body + "\n")
            sys.path_importer_cache.pop(os.getcwd(), None)  # of all others could not be listed again
            return ""
        if name in OTHERS:
            return ""
        if name == "capture":
            space |= {word: SimpleNamespace(stdout="", stderr="", outputs=[], show=lambda: None)
                      for word in line.split() if word.isidentifier()}
        source = above + body
    return source


def execute(
    name: str, source: str, space: dict[str, Any], python: tuple[int, ...] = (), only_definitions: bool = False
) -> tuple[str, str]:
    """Run a cell, or only what it defines and imports: what went wrong in it, or "", and whether Python is too old.

    A statement that fails is passed over: what it needs may be there on the student's machine, as a package, a
    file, a person who types or a part of coursekit that has a stand-in here. So it does not take a helper with it.
    """
    file, kind = f"<{name}>", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
    said_first = doubt = ""
    whole = source
    try:
        if source.lstrip().startswith("%%"):
            source = body_of(source, space)
        linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
        try:
            tree = ast.parse(source, file)
        except SyntaxError:
            # Only now, because it takes longer than everything else: %magics, !commands, help?
            from IPython.core.inputtransformer2 import TransformerManager

            doubt = too_new(source, python)
            tree = ast.parse(TransformerManager().transform_cell(source), file)
            doubt = ""
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
                if failed is not None and (why := lack(error, python)):
                    LACKING.update(dict.fromkeys(bound(statements[failed]) - space.keys(), why))
                statements = [] if failed is None else statements[failed + 1 :]
    except BaseException as error:
        said_first = said_first or _told(error, _lines(error, file)[-1:])
        if isinstance(error, SyntaxError) and (line := linecache.getline(file, error.lineno or 0).strip()):
            said_first += f": `{line}`"
        FAILED.append((whole, said_first, isinstance(error, SyntaxError)))
    if said_first and not (FAILED and FAILED[-1][0] is whole):
        FAILED.append((whole, said_first, False))
    return said_first, doubt


def too_new(source: str, python: tuple[int, ...]) -> str:
    """What of a cell that cannot be read a newer Python might read, "" if nothing."""
    here = f"{HERE[0]}.{HERE[1]}"
    rest, found = newer.older(source)
    if python > max(HERE, newer.NEWEST):
        return f"cannot be read by Python {here}, and the notebook is from Python {python[0]}.{python[1]}"
    found = [new for new in found if new.python > HERE]
    try:
        ast.parse(rest)
    except SyntaxError:
        return ""
    if not found:
        return ""
    new = max(found, key=lambda new: new.python)
    return (f"needs Python {new.python[0]}.{new.python[1]}, and the grader has {here}: it has {new.what}, in line "
            f"{new.line}")


def bound(statement: ast.stmt) -> set[str]:
    """The names that a statement would have given."""
    names = set()
    for node in ast.walk(statement):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.alias):
            names.add(node.asname or node.name.split(".")[0])
    return names


def lack(error: BaseException | None, python: tuple[int, ...] = ()) -> str:
    """What the grader lacks if something failed with this error, "" if nothing: then it is the student's."""
    try:
        if isinstance(error, ModuleNotFoundError) and error.name and not error.name.startswith("coursekit"):
            return (f"it imports {error.name}, which is neither among the grader's packages nor handed in beside the "
                    "notebook")
        if isinstance(error, OSError) and str(error.filename).startswith(ORDER["data"]):
            return "it reads the course's mails, which are not there while it is graded: answers are tested with them"
        if isinstance(error, NameError):
            return LACKING.get(str(error.name)) or LACKING.get("*", "")
        module = error.name if isinstance(error, ImportError) else getattr(getattr(error, "obj", None), "__name__", "")
        if python > HERE and isinstance(error, ImportError | AttributeError) and module in sys.stdlib_module_names:
            return (f"it is from Python {python[0]}.{python[1]}, and {module} of the grader's {HERE[0]}.{HERE[1]} may "
                    "be too old for it")
    except Exception:  # whatever a student's error does when it is asked
        pass
    return ""


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


def graded(name: str, task: dict[str, Any], space: dict[str, Any], python: tuple[int, ...] = ()) -> tuple[Any, ...]:
    """The answers of the student's function, or why there are none."""
    StandIn.graded = True
    sys.stdout = sys.stderr = Nowhere()  # a thread of a cell may have held the old one's lock
    if name not in space:
        if name in LACKING:
            return "lacks", LACKING[name]
        defines = re.compile(rf"\b(def|class)\s+{name}\b|^{name}\s*[:=]", re.M)
        for source, wrong, no_python in FAILED:
            if defines.search(source):
                if no_python:
                    return "refused", f"The cell with {name} cannot be read: {wrong}.", "error"
                return "refused", f"There is no {name} in the notebook, as its cell failed: {wrong}.", "error"
        return "refused", f"There is no {name} in the notebook when its check is reached from the top.", "not written"
    asked = Asked(name, tuple(task["arguments"]))
    try:
        cases = [tuple(map(wire.decode, case)) for case in task["cases"]]
        answers = call.answers(asked, space[name], cases, graded=True)
        return "answers", [wire.encode(answer) for answer in answers]
    except call.NotYet as problem:
        error = getattr(problem, "error", None)
        if why := lack(error, python):
            return "lacks", why
        outcome = "not written" if isinstance(error, NotImplementedError) else "error" if error else "another answer"
        return "refused", str(problem), outcome
    except BaseException as error:
        return "refused", f"What {name} returns cannot be read: {said(error)}.", "another answer"


if __name__ == "__main__":
    main()
