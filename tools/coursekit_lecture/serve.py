"""`coursekit lecture`: Voila with the pages of a lecture, for this computer and nobody else."""

import json
import os
import secrets
import tempfile
import webbrowser
from pathlib import Path
from typing import Any, ClassVar

import nbformat
from jupyter_core.paths import jupyter_data_dir, jupyter_runtime_dir
from jupyter_server.base.handlers import JupyterHandler
from jupyter_server.base.websocket import WebSocketMixin
from tornado.ioloop import IOLoop
from tornado.web import HTTPError, authenticated
from tornado.websocket import WebSocketHandler
from voila.app import Voila
from voila.tornado.handler import TornadoVoilaHandler

from coursekit.plots.style import FONTS
from coursekit_lecture import running
from coursekit_lecture.audience import Audience
from coursekit_lecture.course import free
from coursekit_lecture.lab import FOR_KERNELS, PromptConnection
from coursekit_lecture.room import Lecture

HERE = Path(__file__).parent
FILES = {path.name: path for path in (*map(Path, FONTS), HERE / "lecture.js", HERE / "lecture.css")}
FILES |= {name: HERE / f"{name}.html" for name in ("hall", "speaker")}
KINDS = {".css": "text/css", ".js": "text/javascript", ".ttf": "font/ttf", ".html": "text/html"}

# Voila's template asks a server elsewhere for icons. In a hall without network the page must not wait for it.
OURS_ALONE = {"Content-Security-Policy": "default-src 'self' 'unsafe-inline' 'unsafe-eval' data: blob:"}

WIDGETS = "@voila-dashboards/widgets-manager8", "@jupyter-widgets/jupyterlab-manager", "anywidget"  # of JupyterLab


class Screen(JupyterHandler):
    """The page of the hall, that of the speaker, and what both are made of."""

    @authenticated
    def get(self, name: str = "hall") -> None:
        path = FILES.get(name)
        if not path:
            raise HTTPError(404)
        self.set_header("Content-Type", KINDS[path.suffix])
        self.set_header("Cache-Control", "no-cache")
        self.finish(path.read_bytes())


class Connection(WebSocketMixin, WebSocketHandler, JupyterHandler):
    """A page's line to the lecture."""

    all: ClassVar[set["Connection"]] = set()

    async def get(self, *arguments: Any, **more: Any) -> None:
        if self.current_user is None:
            raise HTTPError(403)
        await super().get(*arguments, **more)

    def open(self, *arguments: str, **more: str) -> None:
        super().open(*arguments, **more)
        self.speaker = self.get_query_argument("view", "") == "speaker"
        self.all.add(self)
        self.write_message({"hello": self.settings["lecture"].hello(self.speaker)})
        self.tell()

    def tell(self) -> None:
        self.write_message(self.settings["lecture"].told(self.speaker))

    def on_message(self, message: str | bytes) -> None:
        try:
            self.settings["lecture"].do(json.loads(message))
        except (ValueError, TypeError, AttributeError) as error:
            self.write_message({"refused": str(error)})

    def on_close(self) -> None:
        self.all.discard(self)


class Hall(Voila):
    """Voila's server with the pages of a lecture; Voila's own page, with the kernel, lies inside the hall's."""

    def init_handlers(self) -> list[Any]:
        *theirs, (_, stage, more) = super().init_handlers()
        assert stage is TornadoVoilaHandler
        ours = [("/", Screen), ("/(speaker)", Screen), ("/hall/(.*)", Screen), ("/line", Connection)]
        return [*ours, ("/stage", stage, more), *theirs]


def lecture(which: str, style: str = "light", port: int | None = None, browser: bool = True,
            phones: dict[str, Any] | None = None) -> None:
    """Serve a lecture to this computer until it is stopped: a chapter's, or one's own, by its file.

    phones: where the audience votes, as `Audience` takes it; None: hands are counted. Raises ValueError for an unknown
    chapter or style and a fault in the file, and OSError where a port cannot be used.
    """
    order = running.read(which)

    def tell() -> None:
        for line in Connection.all:
            line.tell()

    with tempfile.TemporaryDirectory(prefix="coursekit-lecture-") as folder:
        audience, votes = None, Path(jupyter_data_dir()) / "coursekit" / f"votes-{order.name}.json"
        if phones is not None:
            audience = Audience(votes, title=order.title, on_change=tell, **phones)
        now = Lecture(order, Path(folder), style, audience)
        file = str(Path(which).resolve()) if which.endswith(".toml") else which
        code = f"from coursekit_lecture.stage import Scenes\nScenes({file!r}).widget"
        notebook = Path(folder) / "lecture.ipynb"
        nbformat.write(nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(code)]), notebook)

        now.on_change = tell
        if audience:
            IOLoop.current().add_callback(audience.start)
        try:
            serve(now, notebook, port, browser)
        finally:  # only a process that was killed leaves votes for the next one
            if audience:
                audience.stop()
                print(f"The counts of the votes are in {votes.parent}")


def serve(now: Lecture, notebook: Path, port: int | None, browser: bool) -> None:
    """Show the page of a lecture, with the kernel of the notebook, until it is stopped."""
    if port is not None:
        free(port)
    os.environ.update(FOR_KERNELS | os.environ)
    token = secrets.token_urlsafe()
    voila = Hall.instance(tornado_settings={"headers": OURS_ALONE, "lecture": now}, cookie_secret=_secret())
    voila.initialize(
        [
            str(notebook),
            "--Voila.ip=localhost",
            "--Voila.open_browser=False",
            f"--Voila.token={token}",
            f"--Voila.config_file_paths={notebook.parent}",  # a person's own settings of Voila are for other pages
            f"--Voila.kernel_websocket_connection_class={PromptConnection.__module__}.{PromptConnection.__name__}",
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
        print(f"{now.order.title} is at {address}\nCtrl+C here stops it.", flush=True)
        if browser:
            webbrowser.open(address)

    IOLoop.current().add_callback(say)
    voila.start()


def _secret() -> bytes:
    """By which this person's pages are known to the next server, too: one that is open goes on."""
    file = Path(jupyter_runtime_dir()) / "coursekit_cookie_secret"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.touch(0o600)
    if not file.read_bytes():
        file.write_bytes(secrets.token_bytes())
    return file.read_bytes()
