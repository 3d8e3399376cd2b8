"""Voila, which shows a notebook's page on this computer and to nobody else."""

from __future__ import annotations

import os
import secrets
import webbrowser
from pathlib import Path
from typing import Any

from tornado.ioloop import IOLoop
from voila.app import Voila

from coursekit.lecture.course import free
from coursekit.lecture.lab import FOR_KERNELS, PromptConnection

# Voila's template asks a server elsewhere for icons. In a hall without network the page must not wait for it.
OURS_ALONE = {"Content-Security-Policy": "default-src 'self' 'unsafe-inline' 'unsafe-eval' data: blob:"}

WIDGETS = (  # all that the page needs of JupyterLab
    "@voila-dashboards/widgets-manager8",
    "@jupyter-widgets/jupyterlab-manager",
    "anywidget",
)


def serve(
    server: type[Voila], settings: dict[str, Any], notebook: Path, what: str, port: int | None, browser: bool
) -> None:
    """Show a notebook's page until it is stopped. server: a kind of Voila, with its settings. what: it is called."""
    if port is not None:
        free(port)
    os.environ.update(FOR_KERNELS | os.environ)
    token = secrets.token_urlsafe()
    voila = server.instance(tornado_settings={"headers": OURS_ALONE, **settings})
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
        print(f"{what} is at {address}\nCtrl+C here stops it.", flush=True)
        if browser:
            webbrowser.open(address)

    IOLoop.current().add_callback(say)
    voila.start()
