"""Run the cells of a notebook as Jupyter's kernel does, with its magics: within a submission's process.

A statement that fails is passed over: what it needs may be there on the student's machine, as a package, a file, a
person who types or a part of coursekit that has a stand-in here. So it does not take a helper with it.
"""

from __future__ import annotations
import __future__

import ast
import builtins
import inspect
import linecache
import os
import site
import sys
import traceback
from types import ModuleType, SimpleNamespace
from typing import Any, NamedTuple

from coursekit.checking import newer
from coursekit_grade.printable import said

HERE = sys.version_info[:2]
PACKAGES = {"numpy", "scipy", "pandas", "matplotlib", "sklearn"}  # which may be older than the student's
DEFINES = ast.FunctionDef | ast.ClassDef | ast.Import | ast.ImportFrom
PYLAB = "import matplotlib, numpy\nfrom matplotlib import pylab, pyplot\nfrom matplotlib.pylab import *\n" \
        "from numpy import *\nnp, plt = numpy, pyplot"
# Cell magics whose body is no Python, or none for this process.
OTHERS = {"bash", "sh", "script", "!", "sx", "system", "cmd", "html", "HTML", "javascript", "js", "latex", "markdown",
          "SVG", "svg", "perl", "ruby", "pypy", "python", "python2", "python3", "R", "sql", "cython", "mermaid"}


class FailedCell(NamedTuple):
    """A cell in which something went wrong. unread: whether it is no Python."""

    source: str
    wrong: str
    unread: bool


class Kernel:
    """python: the version that the notebook is written for, () if unknown. data: the folder of the course's data.

    space: the names that cells find. lacking: names that are not there for something that the grader lacks, and what.
    """

    def __init__(self, python: tuple[int, ...], data: str) -> None:
        self.python, self.data = python, data
        self.failed: list[FailedCell] = []
        self.lacking: dict[str, str] = {}
        self.magics: dict[tuple[str, str], Any] = {}
        module = sys.modules["__main__"] = ModuleType("__main__")
        self.space = module.__dict__
        site.sethelper()
        site.setquit()
        shell = SimpleNamespace(
            run_line_magic=self._magic, run_cell_magic=self._magic, magic=lambda text: self._magic(*_split(text)),
            system=_nothing, getoutput=_listed, register_magic_function=self._register, user_ns=self.space)
        builtins.get_ipython = lambda: shell  # type: ignore[attr-defined]
        builtins.display = _nothing  # type: ignore[attr-defined]

    def execute(self, name: str, source: str, only_definitions: bool = False) -> tuple[str, str]:
        """Run a cell, or only what it defines and imports: what went wrong, and what it needs a newer Python for."""
        file, wrong, doubt, unread = f"<{name}>", "", "", False
        try:
            body = self._body(source) if source.lstrip().startswith("%%") else source
            linecache.cache[file] = (len(body), None, body.splitlines(keepends=True), file)
            try:
                tree = ast.parse(body, file)
            except SyntaxError:
                # Only now, because it takes longer than everything else: %magics, !commands, help?
                from IPython.core.inputtransformer2 import TransformerManager

                doubt = self._too_new(body)
                tree = ast.parse(TransformerManager().transform_cell(body), file)
                doubt = ""
            statements = [s for s in tree.body if not only_definitions or isinstance(s, DEFINES)]
            while statements:
                try:
                    self._run(statements, file)
                    break
                except Exception as error:
                    lines = _lines(error, file)
                    wrong = wrong or _told(error, lines)
                    k = next((k for k, s in enumerate(statements) if lines and (s.end_lineno or 0) >= lines[0]), None)
                    if k is not None and (why := self.lack(error)):
                        self.lacking.update(dict.fromkeys(_bound(statements[k]) - self.space.keys(), why))
                    statements = [] if k is None else statements[k + 1 :]
        except BaseException as error:
            wrong = wrong or _told(error, _lines(error, file))
            if isinstance(error, SyntaxError):
                unread, line = True, linecache.getline(file, error.lineno or 0).strip()
                wrong += f": `{line}`" if line else ""
        if wrong:
            self.failed.append(FailedCell(source, wrong, unread))
        return wrong, doubt

    def lack(self, error: BaseException | None) -> str:
        """What the grader lacks if something failed with this error, "" if nothing: then it is the student's."""
        try:
            if isinstance(error, ModuleNotFoundError) and error.name and not error.name.startswith("coursekit"):
                return (f"it imports {error.name}, which is neither among the grader's packages nor handed in beside "
                        "the notebook")
            if isinstance(error, OSError) and str(error.filename).startswith(self.data):
                return ("it reads the course's mails, which are not there while it is graded: answers are tested with "
                        "them")
            if isinstance(error, NameError):
                return self.lacking.get(str(error.name)) or self.lacking.get("*", "")
            of = error.name if isinstance(error, ImportError) else getattr(getattr(error, "obj", None), "__name__", "")
            old = self.python > HERE and isinstance(error, ImportError | AttributeError)
            if old and str(of).partition(".")[0] in sys.stdlib_module_names | PACKAGES:
                return (f"it is from Python {_dotted(self.python)}, and {of} of the grader's {_dotted(HERE)} may "
                        "be too old for it")
        except Exception:  # whatever a student's error does when it is asked
            pass
        return ""

    def _run(self, statements: list[ast.stmt], file: str) -> None:
        module = ast.Module(statements, [])
        flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
        if self.python >= (3, 14) > HERE:  # nobody has evaluated its annotations so far
            flags |= __future__.annotations.compiler_flag
        code = compile(module, file, "exec", flags, dont_inherit=True)
        if code.co_flags & inspect.CO_COROUTINE:
            sys.modules["asyncio"].get_event_loop().run_until_complete(eval(code, self.space))
        else:
            exec(code, self.space)

    def _too_new(self, source: str) -> str:
        """What of a cell that cannot be read a newer Python might read, "" if nothing."""
        rest, found = newer.older(source)
        if self.python > max(HERE, newer.NEWEST):
            return f"cannot be read by Python {_dotted(HERE)}, and the notebook is from Python {_dotted(self.python)}"
        try:
            ast.parse(rest)
        except SyntaxError:
            return ""
        new = max((new for new in found if new.python > HERE), key=lambda new: new.python, default=None)
        return (f"needs Python {_dotted(new.python)}, and the grader has {_dotted(HERE)}: it has {new.what}, in line "
                f"{new.line}") if new else ""

    def _body(self, source: str) -> str:
        """What a cell with %%magics runs here, each line of it where it stood: of an unknown one, all of it."""
        while (start := source.lstrip()).startswith("%%"):
            above = "\n" * (source[: len(source) - len(start)].count("\n") + 1)
            first, _, body = start.partition("\n")
            name, line = _split(first[2:])
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
                self.space |= {word: SimpleNamespace(stdout="", stderr="", outputs=[], show=lambda: None)
                               for word in line.split() if word.isidentifier()}
            source = above + body
        return source

    def _magic(self, name: str, line: str, *body: str) -> Any:
        if function := self.magics.get(("cell" if body else "line", name)):
            return function(line, *body)
        if name == "time":
            try:
                code = compile(line, "<%time>", "eval")
            except SyntaxError:
                code = compile(line, "<%time>", "exec")
            return eval(code, self.space)
        if name in ("prun", "pylab"):
            exec(PYLAB if name == "pylab" else line, self.space)
        elif name == "run" and (file := line.split()[:1]):
            with open(file[0].strip("\"'"), encoding="utf-8") as script:
                exec(compile(script.read(), file[0], "exec"), self.space)
        return None

    def _register(self, function: Any, kind: str = "line", name: str = "") -> None:
        kinds = ("line", "cell") if kind == "line_cell" else (kind,)
        self.magics.update({(k, name or function.__name__): function for k in kinds})


def _nothing(*_: Any, **__: Any) -> None:
    pass


def _listed(command: str) -> list[str]:
    """There is no shell in here, and no program that it could start."""
    return sorted(n for n in os.listdir() if not n.startswith(".")) if command.split()[:1] == ["ls"] else []


def _split(line: str) -> tuple[str, str]:
    """A magic and the rest of its line."""
    name, *rest = line.split(maxsplit=1) or [""]
    return name, rest[0] if rest else ""


def _dotted(python: tuple[int, ...]) -> str:
    return ".".join(map(str, python))


def _bound(statement: ast.stmt) -> set[str]:
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


def _lines(error: BaseException, file: str) -> list[int]:
    """The lines of the cell that led to the error: the statement's first, the last where it came from."""
    if isinstance(error, SyntaxError) and error.filename == file:
        return [error.lineno or 0]
    return [f.lineno or 0 for f in traceback.extract_tb(error.__traceback__) if f.filename == file]


def _told(error: BaseException, lines: list[int]) -> str:
    return said(error) + (f", in line {lines[-1]}" if lines else "")
