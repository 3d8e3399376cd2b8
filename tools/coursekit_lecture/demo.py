"""`coursekit demo`: one explorer alone in the window, in large type, for a lecture hall."""

from __future__ import annotations

import os
import secrets
import tempfile
import webbrowser
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import nbformat

from coursekit.explorers import presets
from coursekit.lecture.course import not_installed

if TYPE_CHECKING:
    import ipywidgets as widgets

    from coursekit.plots.style import Style

# Voila's template asks a server elsewhere for icons. In a hall without network the page must not wait for it.
OURS_ALONE = {"Content-Security-Policy": "default-src 'self' 'unsafe-inline' 'unsafe-eval' data: blob:"}

WIDGETS = (  # all that the page needs of JupyterLab
    "@voila-dashboards/widgets-manager8",
    "@jupyter-widgets/jupyterlab-manager",
    "anywidget",
)


def demo(explorer: str, preset: str = "", style: str = "light", port: int | None = None, browser: bool = True) -> None:
    """Serve one explorer to this computer until it is stopped.

    preset: a name or a line, see `coursekit.explorers.presets`. style: one of ck.plots.STYLES. Raises ValueError for
    an unknown explorer, preset or style, and OSError where Voila is missing or the port cannot be used.
    """
    line = presets.line(explorer, preset)  # an error in it comes before anything large is loaded
    from coursekit.plots.style import named

    named(style)
    if "=" in preset:  # typed by hand: an error should appear in the terminal, not in the browser
        from coursekit import explorers

        getattr(explorers, explorer)(line)
    if find_spec("voila") is None:
        raise OSError(not_installed("Voila", "lecture"))
    code = f"from coursekit_lecture.demo import page\npage({explorer!r}, {line!r}, {style!r})"
    cell = nbformat.v4.new_code_cell(code)
    with tempfile.TemporaryDirectory(prefix="coursekit-demo-") as folder:
        notebook = Path(folder) / f"{explorer}.ipynb"
        nbformat.write(nbformat.v4.new_notebook(cells=[cell]), notebook)
        serve(notebook, "dark" if style == "dark" else "light", port, browser)


def serve(
    notebook: Path, theme: str, port: int | None, browser: bool, server: Any = None,
    settings: dict[str, Any] | None = None,
) -> None:
    """Show a notebook's page on this computer until it is stopped. server: a kind of Voila, with its settings."""
    from tornado.ioloop import IOLoop
    from voila.app import Voila

    from coursekit.lecture.course import free
    from coursekit.lecture.lab import FOR_KERNELS, PromptConnection

    if port is not None:
        free(port)
    os.environ.update(FOR_KERNELS | os.environ)
    token = secrets.token_urlsafe()
    voila = (server or Voila).instance(tornado_settings={"headers": OURS_ALONE, **(settings or {})})
    voila.initialize(
        [
            str(notebook),
            "--Voila.ip=localhost",
            "--Voila.open_browser=False",
            f"--Voila.token={token}",
            f"--Voila.config_file_paths={notebook.parent}",  # a person's own settings of Voila are for other pages
            f"--Voila.kernel_websocket_connection_class={PromptConnection.__module__}.{PromptConnection.__name__}",
            f"--VoilaConfiguration.theme={theme}",
            *(f"--VoilaConfiguration.extension_allowlist={name}" for name in WIDGETS),
            "--VoilaConfiguration.file_denylist=.*",
            "--VoilaConfiguration.allow_template_override=NO",
            "--VoilaConfiguration.allow_theme_override=NO",
            "--Application.log_level=ERROR",
            *([f"--Voila.port={port}", "--Voila.port_retries=0"] if port is not None else []),
        ]
    )

    def say() -> None:
        address = f"http://localhost:{voila.port}/?token={token}"
        print(f"{notebook.stem} is at {address}\nCtrl+C here stops it.", flush=True)
        if browser:
            webbrowser.open(address)

    IOLoop.current().add_callback(say)
    voila.start()


def page(explorer: str, line: str, style: str) -> widgets.Widget:
    """What the page shows: the explorer in the whole window."""
    import ipywidgets as widgets

    from coursekit import explorers
    from coursekit.plots.style import named

    made = getattr(explorers, explorer)(line, style=style)
    made.widget.add_class("ck-demo")
    picture = made.picture

    def came_back(change: dict[str, str]) -> None:
        if change["new"] != made.preset:
            made.preset = change["new"]

    picture.returns = True
    picture.observe(lambda _change: picture.set_trait("line", made.preset), "frame")
    picture.observe(came_back, "line")
    return widgets.VBox([sheet(light=named(style)), made.widget])


def sheet(**looks: Style) -> widgets.HTML:
    """The style sheet of a page in these styles, of which its body names one."""
    import ipywidgets as widgets

    css = Path(__file__).with_name("demo.css").read_text("utf-8")
    for name, look in looks.items():
        where = f"[data-style={name}] " * (len(looks) > 1)
        css += f"{where}:is(.ck-demo, .ck-step) {{ --paper: {look.paper}; --ink: {look.ink}; "
        css += f"--large: {1.2 if look.zoom > 1 else 1} }}\n"
    return widgets.HTML(f"<style>{css}</style>")
