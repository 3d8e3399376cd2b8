"""Run the cells of a notebook as Jupyter's kernel does, with its magics: within a submission's process.

A statement that fails is passed over: what it needs may be there on the student's machine, as a package, a file, a
person who types or a part of coursekit that has a stand-in here. So it does not take a helper with it.
"""

from __future__ import annotations
import __future__

import ast
import builtins
import importlib.util
import inspect
import linecache
import os
import re
import site
import sys
import traceback
from collections import defaultdict
from contextlib import suppress
from importlib.abc import SourceLoader
from importlib.machinery import SourceFileLoader
from types import ModuleType, SimpleNamespace
from typing import Any

from coursekit.checking import newer
from coursekit_grade.printable import said

HERE = sys.version_info[:2]
STAND_IN = f"StandIn{os.urandom(8).hex()}"  # its name, until a sentence leaves: who only writes of one has met none
KEYWORD = re.compile(r"(?<!<)\b(\w+)[\w.<>]*\(\) (?:got an unexpected|takes no) keyword argument(?: '(\w+)')?")
REMOVED = re.compile(r"(was|been) removed|deprecated|migration.guide|only 0-dimensional|out of bounds for u?int\d")
NOT_THERE = "it imports {}, which is neither among the grader's packages nor handed in beside the notebook"
DEFINED = re.compile(r"\b(?:def|class)\s+(\w+)|^(\w+)\s*[:=]", re.M)  # where that cannot be read, or not to its end
HOME = re.compile(r"(?!/)|/(home|Users|content|kaggle|mnt|media|root)/")  # where a student's own files lie
ABROAD = dict.fromkeys(("ftplib", "http", "smtplib", "socket", "ssl", "urllib"), "the network") | {
    "multiprocessing": "processes that share its memory", "subprocess": "other programs"}
DEFINITION = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
# Cell magics whose body is only shown; and those that run it elsewhere, and may give names to what comes of it.
SHOWS = re.compile("html|javascript|js|latex|markdown|svg|mermaid", re.I)
ELSEWHERE = re.compile("bash|sh|script|!|sx|system|cmd|perl|ruby|pypy|python[23]?|R|sql|cython")
OF_PYTHON = "time", "timeit", "prun", "capture", "debug"  # cell magics that run Python
RUNS = "it runs {}, which must not be had while it is graded"


class Kernel:
    """python: the version that the notebook is written for, () if unknown. data: the folder of the course's data.

    space: the names that cells find. there: how what runs now failed where it was written, "" if it did not; None where
    the notebook does not tell.
    """

    def __init__(self, python: tuple[int, ...], data: str) -> None:
        self.python, self.data, self.home = python, data, os.getcwd()
        self.there: str | None = None
        self.failed: list[tuple[str, bool, set[str]]] = []  # what went wrong; if it is no Python; names that it lost
        self.ran: list[tuple[ast.stmt, str, bool]] = []  # and what the grader lacked for it; if it failed for that
        self.missed: dict[str, set[tuple[str, int]]] = {}  # what the cell goes on without; the lines that led there
        self.future = 0
        self.magics: dict[tuple[str, str], Any] = {}
        module = sys.modules["__main__"] = ModuleType("__main__")
        self.space = module.__dict__
        site.sethelper()
        site.setquit()
        shell = SimpleNamespace(
            run_line_magic=self._magic, magic=lambda text: self._magic(*text.partition(" ")[::2]),
            run_cell_magic=lambda name, line, body: self.execute("run_cell", f"%%{name} {line}\n{body}"),
            system=lambda command: None, getoutput=_listed, register_magic_function=self._register, user_ns=self.space,
            run_cell=lambda text, *_, **__: self.execute("run_cell", text))
        builtins.get_ipython = lambda: shell  # type: ignore[attr-defined]
        builtins.display = lambda *_, **__: None  # type: ignore[attr-defined]
        builtins.__passed_over__ = self._miss  # type: ignore[attr-defined]
        SourceFileLoader.source_to_code = lambda *of, **more: self._code(*of, **more)  # type: ignore[method-assign]
        self.find_spec, importlib.util.find_spec = importlib.util.find_spec, self._find_spec
        self.stat, os.stat = os.stat, self._stat
        sys.displayhook = lambda value: value is None or setattr(builtins, "_", value)  # type: ignore[func-returns-value]

    def execute(self, name: str, source: str, only_definitions: bool = False) -> str:
        """Run a cell, or only what it defines and imports: what went wrong."""
        file, wrong, own = f"<{name}>", "", name.removeprefix("cell ")
        try:
            body = self._body(source) if source.lstrip().startswith("%%") else source
            linecache.cache[file] = (len(body), None, body.splitlines(keepends=True), file)
            try:
                tree = ast.parse(body, file)
            except SyntaxError:
                # Only now, because it takes longer than everything else: %magics, !commands, help?
                from IPython.core.inputtransformer2 import TransformerManager

                above = body[: len(body) - len(body.lstrip())].count("\n") * "\n"  # which it takes away
                tree = ast.parse(above + TransformerManager().transform_cell(body), file)
            if "import get_ipython" in source:  # IPython's own would say that there is none
                __import__("IPython").get_ipython = builtins.get_ipython  # type: ignore[attr-defined]
            kept = DEFINITION | ast.Import | ast.ImportFrom if only_definitions else ast.stmt
            statements = [statement for statement in _noting(tree).body if isinstance(statement, kept)]
            while statements:
                try:
                    self._run(statements, file)
                    self._note(statements, file)
                    break
                except Exception as error:
                    lines = _lines(error, file)
                    wrong = wrong or _told(error, lines)
                    k = sum((s.end_lineno or 0) < lines[0] for s in statements) if lines else len(statements)
                    before, failed, statements = statements[:k], statements[k : k + 1], statements[k + 1 :]
                    self.failed.append((_told(error, lines), False, set[str]().union(*map(_bound, failed))))
                    self._note(before, file)
                    self._note(failed, file, self.lack(error))
        except BaseException as error:
            wrong = wrong or _told(error, _lines(error, file))
            if unread := isinstance(error, SyntaxError):
                line = linecache.getline(file, error.lineno or 0).strip()
                wrong += f": `{line}`" if line else ""
                why, rest = self._too_new("".join(linecache.getlines(file)), own)
                self._note(rest, file, why and f"{name} {why}")
                if (magic := re.match(r"\s*%%(\w+)", source)) and magic[1] not in OF_PYTHON:  # and so its text is not
                    self._note(ast.parse("exec(0)").body, file, RUNS.format(f"%%{magic[1]}"))
                    return wrong
            names = {name for names in DEFINED.findall(source) for name in names}
            self.failed.append((wrong, unread, names | {own}))
        self.missed.clear()
        return wrong

    def lack(self, error: Any) -> str:
        """What the grader lacks if something failed with this error, "" if nothing: then it is the student's."""
        with suppress(Exception):  # whatever a student's error does when it is asked
            text = f"{error} {error.__cause__ or ''}"
            first = "".join(re.findall(r"'(\w+)'", text)[:1])
            if isinstance(error, SyntaxError):  # of a module of the student's
                why, _ = self._too_new("".join(linecache.getlines(file := str(error.filename))))
                return f"its module {os.path.basename(file)} {why}" if why and not file.startswith("<") else ""
            if isinstance(error, ModuleNotFoundError) and error.name and not error.name.startswith("coursekit"):
                return NOT_THERE.format(error.name)
            if isinstance(error, OSError):
                return self._unread(error)
            if isinstance(error, EOFError) and "reading a line" in text:
                return "it waits for somebody who types, and nobody does while it is graded"
            if STAND_IN in text:
                return "it goes on with what coursekit computes, which is not there while it is graded"
            if isinstance(error, NameError) and re.fullmatch(r"Out|In|_\d+|_i+\d*|__+", first):  # IPython's
                return f"it takes {first}, what other cells had or showed, which is not kept while it is graded"
            lacks = isinstance(error, NameError) and (self.lacks(first) or self.lacks("*"))
            return lacks or self._other_version(error, text, first)
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

    def _other_version(self, error: Any, text: str, first: str) -> str:
        """What of Python or a package is not here, and may be in another version. It is a slip of the pen where the
        notebook shows that it failed alike where it was written, or comes from this very Python.
        """
        of, what = "", first
        if isinstance(error, ImportError):
            of = str(error.name)
        elif isinstance(error, AttributeError) and not REMOVED.search(text):
            obj: Any = error.obj
            kind = obj if isinstance(obj, type) else type(obj)
            of, what = obj.__name__ if isinstance(obj, ModuleType) else kind.__module__, str(error.name)
        elif isinstance(error, NameError) and self.python > HERE:
            of = "builtins"
        elif keyword := KEYWORD.search(text):
            what = keyword[2] or ""
            of = next((name for name, module in [*sys.modules.items()] if self._own(name)
                       and getattr(getattr(module, keyword[1], None), "__module__", "") == name), "")
        elif not REMOVED.search(text):
            return ""
        if self._own(of) or (of == "builtins" and (self.there != "" or getattr(error, "obj", 0) is None)):
            return ""
        if os.path.isfile(f"{of}.py"):
            return f"its module {of}.py has the name of one of Python's own, which is there in its place"
        if (of.partition(".")[0] in sys.stdlib_module_names and self.python == HERE) or (
                self.there and type(error).__name__ in self.there and what in self.there):
            return ""
        ran = " (the notebook does not tell whether it ran where it was written)" if self.there is None else ""
        return f"another version may have what Python {_dotted(HERE)} or a package here has not: {said(error)}{ran}"

    def _note(self, statements: list[ast.stmt], file: str, why: str = "") -> None:
        """Keep what has run. why: it failed, for something that the grader lacks; it may also go on without that."""
        for s in statements:
            lines = {(file, k) for k in range(s.lineno, (s.end_lineno or s.lineno) + 1)}
            without = [what for what, places in self.missed.items() if lines & places]
            self.ran.append((s, why or "".join(without[:1]), bool(why)))

    def _miss(self, why: str = "") -> None:
        """Keep what a statement goes on without, with the lines that led there. Without why it is an error, now."""
        error = sys.exc_info()[1]
        if why or (isinstance(error, ModuleNotFoundError | OSError | EOFError) and (why := self.lack(error))):
            stack = traceback.walk_stack(sys._getframe(1))
            self.missed.setdefault(why, set()).update((frame.f_code.co_filename, line) for frame, line in stack)

    def _find_spec(self, name: str, package: str | None = None) -> Any:
        if not (spec := self.find_spec(name, package)) and self._own(sys._getframe(1).f_globals.get("__name__", "")):
            self._miss(NOT_THERE.format(name))
        return spec

    def _stat(self, *of: Any, **more: Any) -> os.stat_result:
        """Asked whether there is a file, too."""
        try:
            return self.stat(*of, **more)
        except FileNotFoundError:
            stack = (frame.f_globals.get("__name__", "") for frame, _ in traceback.walk_stack(sys._getframe(1)))
            if self._own(next((name for name in stack if not re.match("genericpath|pathlib", name)), "")):
                self._miss()
            raise

    def _own(self, module: str) -> bool:
        """Whether it is the notebook, or lies beside it."""
        top = sys.modules.get(module.partition(".")[0])
        place = next(iter(getattr(top, "__path__", [getattr(top, "__file__", "")])), "")
        return module == "__main__" or os.path.dirname(place or "") == self.home

    def _code(self, loader: SourceFileLoader, data: Any, path: str, **options: Any) -> Any:
        """As Python compiles a module; one beside the notebook notes what it passes over, too."""
        tree = _noting(ast.parse(data, path)) if os.path.dirname(path).startswith(self.home) else data
        return SourceLoader.source_to_code(loader, tree, path, **options)

    def doubt(self, name: str) -> str:
        """What the call of a function went on without just now, or what its name hangs on, "" if nothing."""
        return next(iter(self.missed), "") or self.lacks(name)

    def lacks(self, name: str) -> str:
        """What the grader lacks of all that a name hangs on, "" if nothing. "*": of any name."""
        reads: defaultdict[str, set[str]] = defaultdict(set)
        lacking: dict[str, str] = {}
        for statement, why, failed in self.ran if any(why for _, why, _ in self.ran) else ():
            given = _used(statement) & self.space.keys() if why and isinstance(statement, ast.Expr) else set()
            filled = {name for name in given if not callable(self.space[name])}  # maybe
            for bound in _bound(statement) | filled:
                if isinstance(value := self.space.get(bound), ModuleType) and not self._own(value.__name__):
                    continue  # whatever else was sought
                reads[bound] |= _used(statement)
                if why and (failed or bound != "*"):
                    lacking[bound] = why
        names = [name]
        for one in names:
            if one in lacking:
                return lacking[one]
            names += reads[one].difference(names)
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

    def _too_new(self, source: str, cell: str = "") -> tuple[str, list[ast.stmt]]:
        """What of a text that cannot be read a newer Python might read, "" if nothing; and what is left of it here."""
        from IPython.core.inputtransformer2 import TransformerManager

        rest, found = newer.older(source)
        try:
            left = ast.parse(TransformerManager().transform_cell(rest)).body
        except SyntaxError:
            if self.python <= max(HERE, newer.NEWEST):
                return "", []
            why = f"cannot be read by Python {_dotted(HERE)}, and the notebook is from Python {_dotted(self.python)}"
            return why, ast.parse(f"{cell} = exec(0)" if cell.isidentifier() else "exec(0)").body
        for new in sorted(found, key=lambda new: new.python, reverse=True)[:1]:
            if new.python > HERE:
                return (f"needs Python {_dotted(new.python)}, and the grader has {_dotted(HERE)}: it has {new.what}, "
                        f"in line {new.line}"), left
        return "", []

    def _body(self, source: str) -> str:
        """What a cell with %%magics runs here, each line of it where it stood: of an unknown one, all of it."""
        while (start := source.lstrip()).startswith("%%"):
            above = "\n" * (source[: len(source) - len(start)].count("\n") + 1)
            first, _, body = start.partition("\n")
            name, _, line = self._expanded(first[2:]).partition(" ")
            if name in ("writefile", "file"):
                *options, file = line.split() or [""]
                how = "a" if {"-a", "--append"} & set(options) else "w"
                os.makedirs(os.path.dirname(file := file.strip("\"'")) or ".", exist_ok=True)  # as !mkdir would have
                with open(file, how, encoding="utf-8") as to:
                    to.write(body if body.endswith("\n") else body + "\n")
                sys.path_importer_cache.pop(os.getcwd(), None)  # of all others could not be listed again
                return ""
            if function := self.magics.get(("cell", name)):
                function(line, body)
                return ""
            if ELSEWHERE.fullmatch(name):
                self._note(ast.parse("exec(0)").body, "", RUNS.format(f"%%{name}"))
            if ELSEWHERE.fullmatch(name) or SHOWS.fullmatch(name):
                return ""
            if name == "capture":
                self.space |= {word: SimpleNamespace(stdout="", stderr="", outputs=[], show=lambda: None)
                               for word in line.split() if word.isidentifier()}
            source = above + body
        return source

    def _magic(self, name: str, line: str) -> Any:
        line = line.strip()
        if function := self.magics.get(("line", name)):
            return function(line)
        if name in ("time", "prun"):
            builtins.__dict__["_"] = None
            code = re.sub(r"^(-[lsTD] ?\S+ +|-[rq] +)+", "", line)  # without options
            exec(compile(f"{code}\n", f"<%{name}>", "single"), self.space)
            return builtins.__dict__["_"]
        line = self._expanded(line)
        if name == "pylab":
            exec("import matplotlib, numpy\nfrom matplotlib import pylab, pyplot\nfrom pylab import *", self.space)
        elif name == "run" and (words := [word.strip("\"'") for word in line.split() if not word.startswith("-")]):
            file = words[0] if os.path.exists(words[0]) or os.path.splitext(words[0])[1] else f"{words[0]}.py"
            with open(file, encoding="utf-8") as script:
                exec(compile(_noting(ast.parse(script.read(), file)), file, "exec"), self.space)
        elif name in ("env", "set_env") and len(pair := re.split(r"\s*=\s*|\s+", line, maxsplit=1)) == 2:
            os.environ[pair[0]] = pair[1]
        elif name not in ("pwd", "matplotlib", "config", "load_ext", "autoreload"):
            self._miss(RUNS.format(f"%{name}"))
        return os.getcwd() if name == "pwd" else None

    def _expanded(self, line: str) -> str:
        """With the values of $names and {expressions} in it."""
        if {"$", "{"} & set(line):
            from IPython.utils.text import DollarFormatter

            with suppress(Exception):  # then it means something else
                line = DollarFormatter().vformat(line, (), self.space)
        return line

    def _register(self, function: Any, kind: str = "line", name: str = "") -> None:
        kinds = ("line", "cell") if kind == "line_cell" else (kind,)
        self.magics.update({(k, name or function.__name__): function for k in kinds})


def _listed(command: str) -> list[str]:
    """What a command prints. There are no programs in here: of all but ls nobody knows."""
    if command.split()[:1] != ["ls"]:
        raise FileNotFoundError(2, "There are no programs", f"!{command}")
    return sorted(n for n in os.listdir() if not n.startswith("."))


def _dotted(python: tuple[int, ...]) -> str:
    return ".".join(map(str, python))


def _noting(tree: ast.Module) -> ast.Module:
    """A text that notes each error that it passes over."""
    for node in ast.walk(tree):
        note = ast.Expr(ast.Call(ast.Name("__passed_over__", ast.Load()), [], []))
        if isinstance(node, ast.ExceptHandler):
            node.body.insert(0, note)
        elif isinstance(node, ast.With | ast.AsyncWith):  # contextlib.suppress, by whatever name
            node.body = [ast.Try(node.body, [ast.ExceptHandler(None, None, [note, ast.Raise()])], [], [])]
    return ast.fix_missing_locations(tree)


def _used(statement: ast.stmt) -> set[str]:
    """The names of others that a statement uses."""
    nodes = list(ast.walk(statement))
    names = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    if isinstance(statement, DEFINITION):
        names -= {node.arg for node in nodes if isinstance(node, ast.arg)}
        names -= {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    return names


def _bound(statement: ast.stmt) -> set[str]:
    """The names that a statement gives or changes the values of; "*" where nobody can tell."""
    names = set()
    for node in [statement] if isinstance(statement, DEFINITION) else ast.walk(statement):
        match node:
            case ast.alias() | ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                names.add(getattr(node, "asname", None) or node.name.partition(".")[0])
            case ast.Call(ast.Name("exec")) | ast.Call(ast.Attribute(attr="run_line_magic"), [ast.Constant("run"), *_]):
                names.add("*")
            case ast.Expr(ast.Call(ast.Attribute() as at)) | (
                    ast.Name(ctx=ast.Store()) | ast.Attribute(ctx=ast.Store()) | ast.Subscript(ctx=ast.Store()) as at):
                names |= {name.id for name in ast.walk(at) if isinstance(name, ast.Name)}
    return names - {"get_ipython"}  # of a magic, which changes something else


def _lines(error: BaseException, file: str) -> list[int]:
    """The lines of the cell that led to the error: the statement's first, the last where it came from."""
    if isinstance(error, SyntaxError) and error.filename == file:
        return [error.lineno or 0]
    return [f.lineno or 0 for f in traceback.extract_tb(error.__traceback__) if f.filename == file]


def _told(error: BaseException, lines: list[int]) -> str:
    if isinstance(error, SyntaxError) and error.lineno and not str(error.filename).startswith("<"):
        return f"{said(error)}, in line {error.lineno} of {os.path.basename(str(error.filename))}"
    return said(error) + (f", in line {lines[-1]}" if lines else "")
