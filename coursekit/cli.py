"""The `coursekit` command."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from importlib.metadata import version


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="coursekit", description="Linear classification you can touch.")
    parser.add_argument("--version", action="version", version=f"coursekit {version('coursekit')}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    lab = commands.add_parser(
        "lab",
        help="open the course in JupyterLab",
        description="Open the course in JupyterLab. A clone opens its own notebooks; elsewhere they are laid "
        "into FOLDER first. A file that you changed is never overwritten.",
    )
    lab.add_argument("folder", nargs="?", metavar="FOLDER", help="where the course lies or shall lie")
    lab.add_argument("--port", type=_port, metavar="N", help="port to serve on (8888, or the next free one)")
    lab.add_argument("--no-browser", action="store_true", help="print the address, open no browser")

    arguments = parser.parse_args(argv)
    try:
        from coursekit.lab import lab as open_lab

        open_lab(arguments.folder, arguments.port, not arguments.no_browser)
    except OSError as error:
        sys.exit(f"coursekit {arguments.command}: {error}")


def _port(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= 65535:
        raise argparse.ArgumentTypeError(f"must be a whole number from 1 to 65535; got {text!r}")
    return int(text)
