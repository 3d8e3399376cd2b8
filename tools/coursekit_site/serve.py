"""A site shown on this computer."""

import contextlib
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from coursekit_lecture.course import free


def serve(folder: Path, port: int) -> None:
    """Show the site in `folder` on this computer until it is stopped. OSError where the port cannot be used."""
    free(port)
    server = ThreadingHTTPServer(("localhost", port), partial(Handler, directory=str(folder)))
    print(f"Showing {folder} at http://localhost:{port}/. Ctrl+C here stops it.", flush=True)
    with server:
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            print()


class Handler(SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # Some systems know these endings by other types, and a browser runs no module of another type.
    extensions_map = SimpleHTTPRequestHandler.extensions_map | {".js": "text/javascript", ".wasm": "application/wasm"}

    def handle(self) -> None:
        with contextlib.suppress(ConnectionError):  # a page that was closed while it loaded
            super().handle()

    def end_headers(self) -> None:
        self.send_header("Cache-Control", "no-cache")  # a site that was built again is seen at once
        super().end_headers()

    def log_message(self, format: str, *arguments: Any) -> None:
        pass
