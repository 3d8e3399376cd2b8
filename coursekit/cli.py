"""The `coursekit` command."""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Callable, Sequence
from importlib.metadata import version
from multiprocessing import active_children
from pathlib import Path

WELCOME = """coursekit: linear classification you can touch.

  coursekit lab                             open the course
  coursekit demo                            which explorers there are for a lecture
  coursekit demo svm one-outlier            one of them in the whole window
  coursekit grade class.zip --out results   grade a class
  coursekit new-task 01-means mean          begin a task of your own
  coursekit release                         make exercises from solutions
  coursekit site --serve                    the course as a web site

coursekit COMMAND --help says more."""


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="coursekit", description="Linear classification you can touch.")
    parser.add_argument("--version", action="version", version=f"coursekit {version('coursekit')}")
    port = _number(1, 65535)
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")

    lab = commands.add_parser(
        "lab",
        help="open the course in JupyterLab",
        description="Open the course in JupyterLab: a copy of it in FOLDER, or in coursekit-course, which is made and "
        "renewed as need be. A file that you changed is never overwritten. In a course of your own it opens that one.",
    )
    lab.add_argument("folder", nargs="?", metavar="FOLDER", help="the folder of the copy; it is made if need be")
    lab.add_argument("--originals", action="store_true", help="for authors: open the clone's own notebooks, no copy")
    lab.add_argument("--port", type=port, metavar="N", help="port to serve on (8888, or the next free one)")
    lab.add_argument("--no-browser", action="store_true", help="print the address, open no browser")
    lab.set_defaults(run=_lab)

    demo = commands.add_parser(
        "demo",
        help="show one explorer or a vote in the whole window, for a lecture",
        description="Show one explorer in the whole window, in large type, or a vote on a prediction: predict "
        "02-perceptron/mistakes. Without EXPLORER: list them all with their presets.",
    )
    demo.add_argument("explorer", nargs="?", metavar="EXPLORER", help="which one, for example svm")
    demo.add_argument("preset", nargs="*", metavar="PRESET", help='a name, or a line: "lam=0.01 seed=3"')
    demo.add_argument("--style", default="light", metavar="STYLE", help="light, projector or dark (light)")
    demo.add_argument("--port", type=port, metavar="N", help="port to serve on (8866, or the next free one)")
    demo.add_argument("--no-browser", action="store_true", help="print the address, open no browser")
    demo.set_defaults(run=_demo)

    grade = commands.add_parser(
        "grade",
        help="grade a class",
        description="Grade every notebook in SUBMISSIONS: a folder (one folder a student, one file a student, or "
        "nbgrader's submitted/) or the zip that Moodle or Canvas gives. Run it again after an interruption, or when "
        "a late notebook has come: what is graded and unchanged is not graded again. Exit status 1 if anything "
        "was left ungraded.",
    )
    grade.add_argument("submissions", type=Path, metavar="SUBMISSIONS", help="folder or zip")
    grade.add_argument("--out", type=Path, required=True, metavar="RESULTS", help="folder for marks and feedback")
    grade.add_argument("--course", type=Path, metavar="DIR",
                       help="the course, with solutions/ (the clone that coursekit is in)")
    grade.add_argument("--adjust", type=Path, metavar="FILE",
                       help="marks by hand: a CSV with the columns student, task, points and comment")
    grade.add_argument("--assignment", metavar="NAME", help="such as 02-perceptron, for notebooks that do not tell")
    grade.add_argument("--seed", type=_number(0), metavar="N", help="of the test inputs (a fresh one, kept in RESULTS)")
    grade.add_argument("--jobs", type=_number(1), metavar="N", help="how many notebooks at a time (one for each core)")
    grade.add_argument("--dask", metavar="ADDRESS", help="grade on the cluster of this Dask scheduler")
    grade.add_argument("--require-sandbox", action="store_true", help="refuse to grade without bubblewrap")
    grade.add_argument("--nbgrader-csv", action="store_true", help="also write nbgrader's table, RESULTS/nbgrader.csv")
    grade.add_argument(
        "--gradebook", nargs="?", const=Path("gradebook.db"), type=Path, metavar="FILE",
        help="also put the marks into nbgrader's database (gradebook.db here)",
    )
    grade.add_argument("--due", action="append", default=[], metavar="[NAME=]TIME",
                       help='"2026-11-20 23:59", or "02-perceptron=2026-11-20 23:59", again for others; needs --times')
    grade.add_argument("--times", type=Path, metavar="FILE",
                       help="when who handed in: Moodle's grading worksheet, or a CSV with columns student and time")
    grade.add_argument("--grace", default="", metavar="TIME", help='how late is still in time: "15 minutes"')
    grade.add_argument("--late", default="", metavar="COST", help='what each day or hour begun costs: "10%% a day"')
    grade.set_defaults(run=_grade)

    release = commands.add_parser(
        "release",
        help="make exercises/ from solutions/",
        description="Write exercises/NN-topic/, a notebook without answers and its checks.json, for every "
        "solutions/NN-topic/. A file that somebody has worked in is never overwritten.",
    )
    release.add_argument("folder", nargs="?", default=".", metavar="FOLDER", help="the course (.)")
    release.set_defaults(run=_release)

    new = commands.add_parser(
        "new-task",
        help="add a task to a course, yours or this one",
        description="Add a task to solutions/ASSIGNMENT of a course, which may be an empty folder: cells in the "
        "notebook and a task in tasks.py, an example that works, to be replaced by yours. What is there stays.",
    )
    new.add_argument("assignment", metavar="ASSIGNMENT", help="a number and a topic, such as 01-means")
    new.add_argument("name", metavar="NAME", help="of the function that students write")
    new.add_argument("--points", type=_number(0), default=1, metavar="N", help="for a right answer (1)")
    new.add_argument("--course", type=Path, default=Path(), metavar="DIR", help="the course's folder (.)")
    new.set_defaults(run=_new_task)

    site = commands.add_parser(
        "site",
        help="build the course as a web site that needs no server",
        description="Build the course as a folder of static files that any web server can serve; Python runs in "
        "the reader's browser. A folder that holds anything else is left alone. Needs the extra coursekit[site].",
    )
    site.add_argument("--out", default="coursekit-site", metavar="DIR", help="where to build it (coursekit-site)")
    site.add_argument("--pyodide", metavar="DIR", help="a Pyodide distribution to include; without it, from its CDN")
    site.add_argument("--solutions", action="store_true", help="include the solutions")
    site.add_argument("--address", metavar="URL", help="where it will be; adds notebooks for Colab and Kaggle")
    site.add_argument("--serve", action="store_true", help="then show it on this computer")
    site.add_argument("--port", type=port, default=8000, metavar="N", help="port to show it on (8000)")
    site.set_defaults(run=_site)

    arguments = parser.parse_args(argv)
    if arguments.command is None:
        print(WELCOME)
        return
    try:
        arguments.run(arguments)
    except (OSError, ValueError) as error:
        sys.exit(f"coursekit {arguments.command}: {error}")


def _lab(arguments: argparse.Namespace) -> None:
    from coursekit.publish.lab import lab  # JupyterLab takes a second to import, and only this command needs it

    lab(arguments.folder, arguments.port, not arguments.no_browser, arguments.originals)


def _demo(arguments: argparse.Namespace) -> None:
    from coursekit.explorers import presets

    if arguments.explorer is None:
        print(presets.listing())
        return
    from coursekit.publish.demo import demo

    demo(arguments.explorer, " ".join(arguments.preset), arguments.style, arguments.port, not arguments.no_browser)


def _grade(arguments: argparse.Namespace) -> None:
    from coursekit.grading.command import grade

    options = {name: value for name, value in vars(arguments).items() if name not in ("command", "run")}
    try:
        complete = grade(**options)
    except KeyboardInterrupt:
        for worker in active_children():
            worker.terminate()
        print("\nStopped. Nothing is lost: the same command goes on from here.", file=sys.stderr)
        sys.exit(130)
    if not complete:
        sys.exit(1)


def _release(arguments: argparse.Namespace) -> None:
    from coursekit.grading.release import release

    for path in release(Path(arguments.folder)):
        print(f"Released {path}")


def _new_task(arguments: argparse.Namespace) -> None:
    from coursekit.grading.newtask import new_task

    for path in new_task(arguments.course, arguments.assignment, arguments.name, arguments.points):
        print(f"Wrote {path}")
    print("Make them yours, then run coursekit release.")


def _site(arguments: argparse.Namespace) -> None:
    try:
        from coursekit.publish.site import build, serve
    except ModuleNotFoundError as error:
        raise OSError(f"{error.name} is not installed; install coursekit[site]") from None
    out = Path(arguments.out)
    pyodide = Path(arguments.pyodide) if arguments.pyodide else None
    missing = build(out, pyodide, arguments.solutions, arguments.address)
    print(f"The site in {out}: open it through a web server, here with --serve. {missing}".strip())
    if arguments.serve:
        serve(out, arguments.port)


def _number(low: int, high: float = math.inf) -> Callable[[str], int]:
    """The type of an argument that is a whole number in this range."""
    rule = f", {low} or more" if high == math.inf else f" from {low} to {high}"

    def read(text: str) -> int:
        if not text.isdecimal() or not low <= int(text) <= high:
            raise argparse.ArgumentTypeError(f"must be a whole number{rule}; got {text!r}")
        return int(text)

    return read
