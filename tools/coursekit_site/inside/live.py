"""Explorers and predictions in a web page without Jupyter: its widgets talk to Python through two functions."""

import gc
import json
import os
import pprint
import sys
import warnings
from base64 import b64encode
from collections.abc import Callable, Iterable
from importlib import import_module, invalidate_caches
from importlib.util import find_spec
from types import ModuleType
from typing import Any

SPACE: dict[str, Any] = {"__name__": "__main__"}
Send = Callable[[str, list[Any]], object]
KINDS = {"text/html": "_repr_html_", "text/markdown": "_repr_markdown_", "text/latex": "_repr_latex_",
         "image/svg+xml": "_repr_svg_", "image/png": "_repr_png_", "image/jpeg": "_repr_jpeg_"}


class DisplayFormatter:
    """What a page needs of IPython's: how a thing shows itself."""

    def format(self, thing: Any, include: Iterable[str] = ()) -> tuple[dict[str, Any], dict[str, Any]]:
        if bundle := getattr(type(thing), "_repr_mimebundle_", None):
            made = bundle(thing)
            return made if isinstance(made, tuple) else (made, {})
        found = {"text/plain": pprint.pformat(thing)}
        for kind, name in KINDS.items():
            if (shows := getattr(type(thing), name, None)) and (made := shows(thing)) is not None:
                found[kind] = b64encode(made).decode() if isinstance(made, bytes) else made
        return found, {}


def bare() -> None:
    """Put empty modules in place of what is imported and never used in a page: ipywidgets takes names from a notebook,
    anywidget listens for files that change and reads its own metadata, pyparsing brings a frame for tests.
    """

    def nothing(*_args: Any, **_named: Any) -> None:
        return None

    shell: Any = type("InteractiveShell", (), {"initialized": staticmethod(lambda: False)})
    modules: dict[str, dict[str, Any]] = {
        "IPython": {"get_ipython": nothing, "version_info": (9, 0, 0), "__version__": "9.0.0"},
        "IPython.core": {},
        "IPython.core.formatters": {"DisplayFormatter": DisplayFormatter},
        "IPython.core.interactiveshell": {"InteractiveShell": shell},
        "IPython.display": {"display": nothing, "clear_output": nothing},
        "anywidget._version": {"__version__": "", "_ANYWIDGET_SEMVER_VERSION": ""},
        "psygnal": {"Signal": type("Signal", (), {"__init__": nothing, "connect": nothing}), "SignalGroup": shell},
        "pyparsing.testing": {"pyparsing_test": None},
    }
    for name, members in modules.items():
        sys.modules[name] = module = ModuleType(name)
        module.__path__ = []
        vars(module).update(members)


def ready() -> None:
    """Import what explorers need. A browser keeps the memory that Python has after it, and begins there next time."""
    if "IPython" not in sys.modules and find_spec("IPython") is None:
        bare()
    gc.disable()  # nothing of all this is garbage
    # It would write the help of each artist's `set`: a tenth of all that is done before the first picture.
    import_module("matplotlib.artist").Artist._update_set_signature_and_docstring = lambda: None
    for name in ("coursekit.explorers.editing", "coursekit.predictions.predict"):
        import_module(name)
    if sys.platform == "emscripten":  # the font that helps out with letters which no explorer shows comes later
        del import_module("coursekit.plots.style").SIZES["font.family"][1:]
    import_module("random").seed()  # else each start from that memory would draw the same
    import_module("numpy").random.seed()
    gc.freeze()
    gc.enable()


def complete(paths: Iterable[str]) -> None:
    """Files have come since Python began: modules can be imported from them, and fonts are known."""
    invalidate_caches()
    for path in paths:
        if path.endswith(".ttf"):
            import_module("matplotlib.font_manager").fontManager.addfont(path)
    import_module("coursekit.plots.style").SIZES["font.family"][1:] = ["DejaVu Sans"]  # all styles have this list


class Page:
    """Runs cells, and carries the messages of their widgets. send(json, buffers): told what has happened."""

    def __init__(self, send: Send, narrow: bool) -> None:
        ready()
        import comm
        from comm.base_comm import BaseComm, CommManager

        self._send, self.narrow = send, narrow
        self._told: list[tuple[tuple[str, str, Any], list[Any]]] = []  # messages, each with its buffers
        page = self

        class Comm(BaseComm):
            def publish_msg(
                self, msg_type: str, data: Any = None, metadata: Any = None, buffers: Any = None, **_keys: Any
            ) -> None:
                page._told.append(((msg_type, self.comm_id, data or {}), [*(buffers or ())]))

        self._manager = CommManager()
        comm.create_comm = Comm
        comm.get_comm_manager = lambda: self._manager
        os.environ["JUPYTER_WIDGETS_ECHO"] = "0"
        warnings.filterwarnings("ignore", "Unable to import Axes3D|FigureCanvasAgg is non-interactive")

    def run(self, source: str) -> str:
        """Run a cell; the model of the widget that it shows, or ""."""
        model = self.view(import_module("pyodide.code").eval_code(source, SPACE))  # which only the browser has
        if "matplotlib.pyplot" in sys.modules:
            sys.modules["matplotlib.pyplot"].close("all")  # as a notebook does after each cell
        self._flush()
        return model

    def view(self, shown: Any) -> str:
        """The model of the widget that a thing is or has, made ready for the page; or ""."""
        if self.narrow:
            for part in (shown, getattr(shown, "place", None)):
                if picture := getattr(part, "picture", None):
                    picture.narrow = True
        model = getattr(getattr(shown, "widget", shown), "model_id", "")
        if model and hasattr(shown, "question"):
            shown._repr_mimebundle_()  # one that was answered before shows its outcome now
        return model if isinstance(model, str) else ""

    def tell(self, kind: str, subject: str, data: dict[str, Any]) -> None:
        """Tell the page something, after what its widgets have told."""
        self._told.append(((kind, subject, data), []))
        self._flush()

    def receive(self, comm_id: str, data: str, buffers: Iterable[Any]) -> None:
        """A message of the page to one of the widgets."""
        message = {"content": {"comm_id": comm_id, "data": json.loads(data)}, "buffers": [*buffers]}
        try:
            if told := self._manager.get_comm(comm_id):
                told.handle_msg(message)
        finally:
            self._flush()

    def _flush(self) -> None:
        if self._told:
            told, self._told = self._told, []
            self._send(json.dumps([message for message, _ in told]), [buffers for _, buffers in told])
