"""The command `coursekit site`."""

import argparse
from pathlib import Path
from typing import Any

from coursekit.cli import PORT, needs


def add(commands: Any) -> None:
    """Add it to those of `coursekit`."""
    site = commands.add_parser(
        "site",
        help="build the course as a web site that needs no server",
        description="Build the course as a folder of static files that any web server can serve; Python runs in "
        "the reader's browser. A folder that holds anything else is left alone. Needs the extra `site`.",
    )
    site.add_argument("--out", default="coursekit-site", metavar="DIR", help="where to build it (coursekit-site)")
    site.add_argument("--pyodide", metavar="DIR", help="a Pyodide distribution to include; without it, from its CDN")
    site.add_argument("--solutions", action="store_true", help="include the solutions")
    site.add_argument("--address", metavar="URL", help="where it will be; adds notebooks for Colab and Kaggle")
    site.add_argument("--serve", action="store_true", help="then show it on this computer")
    site.add_argument("--port", type=PORT, default=8000, metavar="N", help="port to show it on (8000)")
    site.set_defaults(run=_site)


def _site(arguments: argparse.Namespace) -> None:
    with needs("site"):
        from coursekit_site.build import build
        from coursekit_site.serve import serve
    out = Path(arguments.out)
    pyodide = Path(arguments.pyodide) if arguments.pyodide else None
    missing = build(out, pyodide, arguments.solutions, arguments.address)
    print(f"The site in {out}: open it through a web server, here with --serve. {missing}".strip())
    if arguments.serve:
        serve(out, arguments.port)
