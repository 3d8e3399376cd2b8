"""Cells of a live page, run one by one as a notebook would; what they print and show is told while they run."""

import ast
import base64
import io
import linecache
import sys
import time
import traceback
from contextlib import redirect_stderr, redirect_stdout
from importlib import import_module
from typing import Any

from coursekit_site.inside.live import DisplayFormatter, Page

LONGEST = 50_000  # characters that one run may print: a page with more of them no longer scrolls
PAUSE = 0.1  # seconds between two messages of what is printed
VIEW = "application/vnd.jupyter.widget-view+json"
FURTHER_DOWN = "\nMake it in a cell above this one: what cells further down make is not there yet."
OF_A_KERNEL = "interact", "interact_manual", "interactive", "interactive_output", "Output"  # catch what a kernel tells


class Notebook:
    """Names of its own: the page's explorers do not see them. A cell has those that the cells above it have left."""

    def __init__(self, page: Page) -> None:
        self._page, self._cell, self._shown = page, "", True
        self._space: dict[str, Any] = {}  # one for all, as a function looks its names up where it was made
        self._ran: list[tuple[str, str, dict[str, Any]]] = []  # from the page's top: cell, its text, the names after it
        kinds = {"HTML": "text/html", "Markdown": "text/markdown", "Latex": "text/latex", "Math": "text/latex",
                 "SVG": "image/svg+xml"}
        module = sys.modules.setdefault("IPython.display", type(sys)("IPython.display"))
        vars(module).update({name: _written(name, kind) for name, kind in kinds.items()}, display=self.display,
                            clear_output=lambda wait=False: self._tell("clear"))
        vars(import_module("ipywidgets")).update({name: _refused(name) for name in OF_A_KERNEL})
        self._plt = import_module("matplotlib.pyplot")
        vars(self._plt)["show"] = lambda *_args, **_named: self._figures()

    def run(self, cells: list[tuple[str, str, bool]], asks: bool = False) -> None:
        """Run the last of the cells, after those above that did not run as they are, or lie below one that ran since.

        cells: in the order of the page; each has its text, and is shown or runs for its names alone, and tells no more
            than an error. asks: the last only asks about others, so that nothing below it need run again.
        """
        for place, (cell, source, shown) in enumerate(cells):
            last = place == len(cells) - 1
            if last or [ran[:2] for ran in self._ran[place : place + 1]] != [(cell, source)]:
                self._page.tell("begins", cell, {"shown": shown, "last": cells[-1][0]})
                self._page.tell("ran", cell, {"ok": self._run(place, cell, source, shown, asks and last), "last": last})

    def _run(self, place: int, cell: str, source: str, shown: bool, asks: bool) -> bool:
        """Whether the cell ran to its end."""
        self._cell, self._shown = cell, shown
        name, below = f"<{cell}>", self._ran[place:]
        self._space.clear()
        self._space |= self._ran[place - 1][2] if place else {"__name__": "__main__", "display": self.display}
        linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
        self._screen = _PageOutput(self._tell)
        try:
            with redirect_stdout(_Stream(self._screen, "stdout")), redirect_stderr(_Stream(self._screen, "stderr")):
                tree, ending = ast.parse(source, name), None
                if tree.body and isinstance(last := tree.body[-1], ast.Expr):
                    tree.body.pop()
                    ending = None if not shown and _only_shows(last.value) else ast.Expression(last.value)
                exec(compile(tree, name, "exec"), self._space)
                value = eval(compile(ending, name, "eval"), self._space) if ending else None
                if value is not None and not source.rstrip().endswith(";"):
                    self.display(value)
                self._figures()
        except BaseException as error:  # SystemExit too
            self._screen.flush()
            lower = isinstance(error, NameError) and any(error.name in names for *_, names in below)
            text = explained(error, name) + FURTHER_DOWN * lower
            self._page.tell("output", cell, {"output_type": "error", "text": text})
            return False
        finally:
            if not asks:
                self._ran[place:] = [(cell, source, self._space.copy())]
            self._screen.flush()
            self._plt.close("all")
        return True

    def display(self, *things: Any, **_named: Any) -> None:
        """As IPython's."""
        self._screen.flush()
        for thing in things if self._shown else ():
            if isinstance(thing, self._plt.Figure):
                self._figure(thing)
            elif model := self._page.view(thing):
                self._tell("display_data", data={VIEW: {"model_id": model}})
            else:
                data = DisplayFormatter().format(thing)[0]
                if "text/markdown" in data and "text/html" not in data:
                    data["text/html"] = _html(data["text/markdown"])
                self._tell("display_data", data=data)

    def _figures(self) -> None:
        self.display(*map(self._plt.figure, self._plt.get_fignums()))

    def _figure(self, figure: Any) -> None:
        if self._page.narrow:
            png, ratio = import_module("coursekit.plots").narrow_png(figure), 1.5
        else:
            file, ratio = io.BytesIO(), 2
            figure.savefig(file, format="png", dpi=ratio * figure.dpi, bbox_inches="tight")
            png = file.getvalue()
        self._plt.close(figure)
        self._tell("display_data", data={"image/png": base64.b64encode(png).decode()}, ratio=ratio)

    def _tell(self, kind: str, **what: Any) -> None:
        if self._shown:
            self._page.tell("output", self._cell, {"output_type": kind, **what})


class _PageOutput:
    """Tells what is written to both streams, not more often than the page can show it."""

    def __init__(self, tell: Any) -> None:
        self._tell, self._name, self._text, self._left, self._next = tell, "", "", LONGEST, time.monotonic() + PAUSE

    def write(self, name: str, text: str) -> int:
        if self._left > 0:
            if name != self._name:
                self.flush()
                self._name = name
            cut = text[: self._left]
            self._left -= len(text)
            self._text += cut if self._left > 0 else f"{cut}\n(what is printed after this is left out)\n"
            if time.monotonic() > self._next:
                self.flush()
        return len(text)

    def flush(self) -> None:
        if self._text:
            text, self._text = self._text, ""
            self._tell("stream", name=self._name, text=text)
            self._next = time.monotonic() + PAUSE


class _Stream(io.TextIOBase):
    def __init__(self, screen: _PageOutput, name: str) -> None:
        self._screen, self._name = screen, name

    def write(self, text: str) -> int:
        return self._screen.write(self._name, text)

    def flush(self) -> None:
        self._screen.flush()


def explained(error: BaseException, name: str) -> str:
    """An error as a reader needs it: the lines of their own cells that led there, and what Python says.

    >>> explained(ZeroDivisionError("division by zero"), "<a>")
    'ZeroDivisionError: division by zero'
    """
    if hasattr(error, "_render_traceback_"):  # it says all by itself, in lines as long as the page allows
        return str(error)
    said = "".join(traceback.format_exception_only(error)).strip().replace(f'File "{name}"', "In this cell")
    if isinstance(error, SyntaxError):
        line = (error.text or "").lstrip()
        return f"{said}\nLines that begin with % or ! work in the lab alone." if line.startswith(("%", "!")) else said
    lines = []
    for frame in traceback.extract_tb(error.__traceback__):
        if frame.filename.startswith("<") and frame.filename in linecache.cache:
            where = "In this cell" if frame.filename == name else "In another cell"
            inside = "" if frame.name == "<module>" else f", in {frame.name}"
            lines.append(f"{where}, line {frame.lineno}{inside}:\n    {frame.line}")
    if len(lines) > 8:  # a function that calls itself
        lines[4:-4] = ["..."]
    return "\n".join([*lines, said])


def _only_shows(ending: ast.expr) -> bool:
    """Whether an expression makes a picture that moves, and nothing that later cells might use."""
    return isinstance(ending, ast.Call) and ast.unparse(ending.func).startswith(("ck.explorers.", "ck.predict"))


def _html(markdown: str) -> str:
    return str(import_module("mistune").create_markdown(escape=False, plugins=["math", "table"])(markdown))


def _refused(name: str) -> Any:
    def refused(*_args: Any, **_named: Any) -> None:
        raise NotImplementedError(f"{name} works in the lab alone: open this notebook there.")

    return refused


def _written(name: str, kind: str) -> type:
    """A class of IPython.display's: a text of a certain kind."""

    def shown(self: Any, **_named: Any) -> dict[str, str]:
        return {kind: f"$${self.data}$$" if name == "Math" else self.data}

    def made(self: Any, data: str) -> None:
        self.data = data

    return type(name, (), {"__init__": made, "_repr_mimebundle_": shown})
