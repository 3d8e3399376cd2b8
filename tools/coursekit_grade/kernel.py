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
import re
import site
import sys
import traceback
from contextlib import suppress
from importlib.util import find_spec
from types import ModuleType, SimpleNamespace
from typing import Any, NamedTuple

from coursekit.checking import newer
from coursekit_grade.printable import said

HERE = sys.version_info[:2]
STAND_IN = f"StandIn{os.urandom(8).hex()}"  # its name, until a sentence leaves: who only writes of one has met none
# Names that one version of a package has and another has not; of Python's own, what came since 3.12.
PACKAGES = {
    "numpy": " acos asin astype atan bool8 concat cumproduct cumulative_prod cumulative_sum disp in1d int0 isdtype "
             "itemset mT math matrix_transpose matvec msort permute_dims pow product ptp tostring trapezoid trapz "
             "unique_counts unique_inverse unique_values unstack vecdot vecmat vector_norm ",
    "scipy": " cumtrapz derivative simps trapz ", "pandas": " append applymap iteritems ix map ",
    "matplotlib": " get_cmap register_cmap ", "sklearn": " plot_confusion_matrix get_feature_names ",
    "copy": " replace ", "heapq": " heapify_max heappop_max heappush_max ", "itertools": " batched ",
    "math": " fma sumprod ", "pathlib": " full_match walk ", "random": " binomialvariate ", "statistics": " kde ",
    "typing": " ReadOnly TypeAliasType TypeIs override "}
KEYWORD = re.compile(r"(\w+)[\w.<>]*\(\) (?:got an unexpected|takes no) keyword argument(?: '(\w+)')?")
KEYWORDS = {"copy", "correction", "device", "interpolation", "mean", "shape", "sorted", "stable", "weights"}
REMOVED = re.compile(r"(was|been) removed|deprecated|migration.guide|only 0-dimensional|out of bounds for u?int\d")
NOT_THERE = "it imports {}, which is neither among the grader's packages nor handed in beside the notebook"
HOME = re.compile(r"(?!/)|/(home|Users|content|kaggle|mnt|media|root)/")  # where a student's own files lie
ABROAD = dict.fromkeys(("ftplib", "http", "smtplib", "socket", "ssl", "urllib"), "the network") | {
    "multiprocessing": "processes that share its memory", "subprocess": "other programs"}
DEFINES = ast.FunctionDef | ast.ClassDef | ast.Import | ast.ImportFrom
PYLAB = "import matplotlib, numpy\nfrom matplotlib import pylab, pyplot\nfrom matplotlib.pylab import *\n" \
        "from numpy import *\nnp, plt = numpy, pyplot"
# Cell magics whose body is no Python, or none for this process.
OTHERS = {"bash", "sh", "script", "!", "sx", "system", "cmd", "html", "HTML", "javascript", "js", "latex", "markdown",
          "SVG", "svg", "perl", "ruby", "pypy", "python", "python2", "python3", "R", "sql", "cython", "mermaid"}


class FailedCell(NamedTuple):
    """What went wrong in a cell. unread: whether it is no Python. names: what is not there for that."""

    source: str
    wrong: str
    unread: bool
    names: set[str]


class Kernel:
    """python: the version that the notebook is written for, () if unknown. data: the folder of the course's data.

    space: the names that cells find. lacking: names that are not there for something that the grader lacks, and what.
    """

    def __init__(self, python: tuple[int, ...], data: str) -> None:
        self.python, self.data = python, data
        self.failed: list[FailedCell] = []
        self.lacking: dict[str, str] = {}
        self.imports: dict[str, str] = {}  # names that cells give to modules or take from them, and these
        self.future = 0
        self.magics: dict[tuple[str, str], Any] = {}
        module = sys.modules["__main__"] = ModuleType("__main__")
        self.space = module.__dict__
        site.sethelper()
        site.setquit()
        shell = SimpleNamespace(
            run_line_magic=self._magic, magic=lambda text: self._magic(*_split(text)),
            run_cell_magic=lambda name, line, body: self.execute("run_cell", f"%%{name} {line}\n{body}"),
            system=_nothing, getoutput=_listed, register_magic_function=self._register, user_ns=self.space,
            run_cell=lambda text, *_, **__: self.execute("run_cell", text))
        builtins.get_ipython = lambda: shell  # type: ignore[attr-defined]
        builtins.display = _nothing  # type: ignore[attr-defined]
        sys.displayhook = lambda value: value is None or setattr(builtins, "_", value)  # type: ignore[func-returns-value]

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
            if "import get_ipython" in source:  # IPython's own would say that there is none
                __import__("IPython").get_ipython = builtins.get_ipython  # type: ignore[attr-defined]
            self.imports |= {alias.asname or alias.name.partition(".")[0]: getattr(node, "module", "") or alias.name
                             for node in (ast.walk(tree) if "import" in source else ())
                             if isinstance(node, ast.Import | ast.ImportFrom) for alias in node.names}
            statements = [s for s in tree.body if not only_definitions or isinstance(s, DEFINES)]
            while statements:
                try:
                    self._run(statements, file)
                    break
                except Exception as error:
                    lines = _lines(error, file)
                    wrong = wrong or _told(error, lines)
                    k = next((k for k, s in enumerate(statements) if lines and (s.end_lineno or 0) >= lines[0]), None)
                    lost = set() if k is None else _bound(statements[k])
                    self.failed.append(FailedCell(source, _told(error, lines), False, lost))
                    if why := self.lack(error):
                        for gone in lost - {n for n, value in self.space.items() if isinstance(value, ModuleType)}:
                            self.lacking[gone] = why
                            self.space.pop(gone, None)  # another value than the student has
                    statements = [] if k is None else statements[k + 1 :]
        except BaseException as error:
            wrong = wrong or _told(error, _lines(error, file))
            if isinstance(error, SyntaxError):
                unread, line = True, linecache.getline(file, error.lineno or 0).strip()
                wrong += f": `{line}`" if line else ""
            self.failed.append(FailedCell(source, wrong, unread, {name.removeprefix("cell ")} if unread else set()))
        return wrong, doubt

    def lack(self, error: Any) -> str:
        """What the grader lacks if something failed with this error, "" if nothing: then it is the student's."""
        with suppress(Exception):  # whatever a student's error does when it is asked
            text = f"{error} {error.__cause__ or ''}"
            first = "".join(re.findall(r"'(\w+)'", text)[:1])
            if isinstance(error, SyntaxError):  # of a module of the student's
                why = self._too_new("".join(linecache.getlines(file := str(error.filename))))
                return f"its module {os.path.basename(file)} {why}" if why and not file.startswith("<") else ""
            if isinstance(error, ModuleNotFoundError) and error.name and not error.name.startswith("coursekit"):
                return NOT_THERE.format(error.name)
            if isinstance(error, OSError):
                return self._unread(error)
            if isinstance(error, EOFError) and "reading a line" in text:
                return "it waits for somebody who types, and nobody does while it is graded"
            if STAND_IN in text:
                return "it goes on with what coursekit computes, which is not there while it is graded"
            if isinstance(error, NameError):
                return self.lacking.get(first) or self.lacking.get("*", "") or self._sought(first)
            if "NoneType" in text and (why := next(filter(None, map(self._sought, self.imports)), "")):
                return why
            if REMOVED.search(text):
                return f"another version of its packages allows it than the grader's: {said(error)}"
            if keyword := KEYWORD.search(text):
                own = getattr(self.space.get(keyword[1]), "__module__", "") == "__main__"
                if not own and (self.python > HERE or keyword[2] in KEYWORDS):
                    word = keyword[2] or "keywords"
                    return f"{keyword[1]} takes {word} in another version of Python or of its packages"
            if isinstance(error, ImportError):
                return self._changed(True, str(error.name), first)
            if isinstance(error, AttributeError):
                obj: Any = error.obj
                module = isinstance(obj, ModuleType)
                of = obj.__name__ if module else (obj if isinstance(obj, type) else type(obj)).__module__
                return self._changed(module, of, str(error.name))
        return ""

    def _unread(self, error: OSError) -> str:
        """What of other files or machines was not there."""
        file = str(error.filename or str(error).removesuffix(" not found."))
        if file.startswith(self.data):
            return "it reads the course's mails, which are not there while it is graded: answers are tested with them"
        for frame, _ in traceback.walk_tb(error.__traceback__):
            if what := ABROAD.get(str(frame.f_globals.get("__name__")).partition(".")[0]):
                return f"it needs {what}, which must not be had while it is graded"
        lost = isinstance(error, FileNotFoundError) and HOME.match(file) and not (error.errno and not error.filename)
        return f"it needs {file}, which was not handed in" * bool(lost)

    def _sought(self, name: str) -> str:
        """Why a name is not there, or None, where a cell tries to import it and goes on without."""
        module = self.imports.get(name, "").partition(".")[0]
        with suppress(ModuleNotFoundError):
            if not module or self.space.get(name) is not None or find_spec(module):
                return ""
        return NOT_THERE.format(module)

    def _changed(self, module: bool, of: str, name: str) -> str:
        """Why a name may be missing from a module, or from an object whose class is there."""
        top = of.partition(".")[0]
        if module and os.path.isfile(f"{of}.py") and top in sys.stdlib_module_names | PACKAGES.keys():
            return f"its module {of}.py has the name of one of Python's own, which is there in its place"
        if f" {name} " in PACKAGES.get(top, ""):
            return f"it uses {name}, which another version of {top} has, and the grader's has not"
        known = sys.stdlib_module_names | PACKAGES.keys() if module else sys.stdlib_module_names - {"builtins"}
        if self.python > HERE and (top in known or name in ("is_integer", "from_number")):
            return (f"it is from Python {_dotted(self.python)}, and {of.partition('._')[0]} of the grader's "
                    f"{_dotted(HERE)} may be too old for it")  # pathlib is pathlib._local in 3.13
        return ""

    def _run(self, statements: list[ast.stmt], file: str) -> None:
        module = ast.Interactive(statements)  # _ is what was shown last
        flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT | self.future
        if self.python >= (3, 14) > HERE:  # nobody has evaluated its annotations so far
            flags |= __future__.annotations.compiler_flag
        code = compile(module, file, "single", flags, dont_inherit=True)
        self.future |= code.co_flags & __future__.annotations.compiler_flag  # for all cells that follow
        if code.co_flags & inspect.CO_COROUTINE:
            sys.modules["asyncio"].get_event_loop().run_until_complete(eval(code, self.space))
        else:
            exec(code, self.space)

    def _too_new(self, source: str) -> str:
        """What of a cell that cannot be read a newer Python might read, "" if nothing."""
        rest, found = newer.older(source)
        if self.python > max(HERE, newer.NEWEST):
            return f"cannot be read by Python {_dotted(HERE)}, and the notebook is from Python {_dotted(self.python)}"
        from IPython.core.inputtransformer2 import TransformerManager

        try:
            ast.parse(TransformerManager().transform_cell(rest))
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
            if function := self.magics.get(("cell", name)):
                function(line, body)
                return ""
            if name in OTHERS:
                return ""
            if name == "capture":
                self.space |= {word: SimpleNamespace(stdout="", stderr="", outputs=[], show=lambda: None)
                               for word in line.split() if word.isidentifier()}
            source = above + body
        return source

    def _magic(self, name: str, line: str) -> Any:
        if function := self.magics.get(("line", name)):
            return function(line)
        if name in ("time", "prun"):
            builtins.__dict__["_"] = None
            code = re.sub(r"^(-[lsTD] ?\S+ +|-[rq] +)+", "", line)  # without options
            exec(compile(f"{code}\n", f"<%{name}>", "single"), self.space)
            return builtins.__dict__["_"]
        if name == "pylab":
            exec(PYLAB, self.space)
        elif name == "run" and (words := [word.strip("\"'") for word in line.split() if not word.startswith("-")]):
            file = words[0] if os.path.exists(words[0]) or os.path.splitext(words[0])[1] else f"{words[0]}.py"
            with open(file, encoding="utf-8") as script:
                exec(compile(script.read(), file, "exec"), self.space)
        elif name in ("env", "set_env") and len(pair := re.split(r"\s*=\s*|\s+", line, maxsplit=1)) == 2:
            os.environ[pair[0]] = pair[1]
        return os.getcwd() if name == "pwd" else None

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
    """The names that a statement would have given, or have changed the values of; "*" where nobody can tell."""
    names = {"*"} if re.search(r"\bexec\(|_magic\('run'", ast.unparse(statement)) else set[str]()
    definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
    for node in [statement] if isinstance(statement, definition) else ast.walk(statement):
        match node:
            case ast.alias() | ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                names.add(getattr(node, "asname", None) or node.name.partition(".")[0])
            case ast.Expr(value=ast.Call(func=ast.Attribute() as at)) | (
                    ast.Name(ctx=ast.Store()) | ast.Attribute(ctx=ast.Store()) | ast.Subscript(ctx=ast.Store()) as at):
                names |= {*re.findall(r"^\w+\b(?!\()", ast.unparse(at))}
    return names


def _lines(error: BaseException, file: str) -> list[int]:
    """The lines of the cell that led to the error: the statement's first, the last where it came from."""
    if isinstance(error, SyntaxError) and error.filename == file:
        return [error.lineno or 0]
    return [f.lineno or 0 for f in traceback.extract_tb(error.__traceback__) if f.filename == file]


def _told(error: BaseException, lines: list[int]) -> str:
    if isinstance(error, SyntaxError) and error.lineno and not str(error.filename).startswith("<"):
        return f"{said(error)}, in line {error.lineno} of {os.path.basename(str(error.filename))}"
    return said(error) + (f", in line {lines[-1]}" if lines else "")
