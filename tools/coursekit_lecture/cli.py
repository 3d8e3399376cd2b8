"""The command `coursekit demo`."""

from __future__ import annotations

import argparse
import json
from typing import Any

from coursekit.cli import PORT, needs


def add(commands: Any) -> None:
    """Add it to those of `coursekit`."""
    demo = commands.add_parser(
        "demo",
        help="show one explorer or a vote in the whole window, for a lecture",
        description="Show one explorer in the whole window, in large type, or a vote on a prediction: predict "
        "02-perceptron/mistakes. Without EXPLORER: list them all with their presets.",
    )
    demo.add_argument("explorer", nargs="?", metavar="EXPLORER", help="which one, for example svm")
    demo.add_argument("preset", nargs="*", metavar="PRESET", help='a name, or a line: "lam=0.01 seed=3"')
    demo.add_argument("--style", default="light", metavar="STYLE", help="light, projector or dark (light)")
    demo.add_argument("--json", action="store_true", help="list all of them for a script, and show none")
    demo.add_argument("--port", type=PORT, metavar="N", help="port to serve on (8866, or the next free one)")
    demo.add_argument("--no-browser", action="store_true", help="print the address, open no browser")
    demo.set_defaults(run=_demo)


def _demo(arguments: argparse.Namespace) -> None:
    from coursekit.explorers import presets

    if arguments.json:
        print(json.dumps(presets.data()))
        return
    if arguments.explorer is None:
        print(presets.listing())
        return
    with needs("lecture"):
        from coursekit_lecture.demo import demo

    demo(arguments.explorer, " ".join(arguments.preset), arguments.style, arguments.port, not arguments.no_browser)
