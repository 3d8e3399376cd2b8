"""The commands `coursekit lab`, `demo` and `lecture`."""

import argparse
import json
from typing import Any

from coursekit.cli import PORT, needs
from coursekit_lecture.course import STYLES


def add(commands: Any) -> None:
    """Add them to those of `coursekit`."""
    lab = commands.add_parser(
        "lab",
        help="open the course in JupyterLab",
        description="Open the course in JupyterLab: a copy of it in FOLDER, or in coursekit-course, which is made and "
        "renewed as need be. A file that you changed is never overwritten. In a course of your own it opens that one.",
    )
    lab.add_argument("folder", nargs="?", metavar="FOLDER", help="the folder of the copy; it is made if need be")
    lab.add_argument("--originals", action="store_true", help="for authors: open the clone's own notebooks, no copy")

    demo = commands.add_parser(
        "demo",
        help="show one explorer or a vote in the whole window, for a lecture",
        description="Show one explorer in the whole window, in large type, or a vote on a prediction: predict "
        "02-perceptron/mistakes. Without EXPLORER: list them all with their presets.",
    )
    demo.add_argument("explorer", nargs="?", metavar="EXPLORER", help="which one, for example svm")
    demo.add_argument("preset", nargs="*", metavar="PRESET", help='a name, or a line: "lam=0.01 seed=3"')
    demo.add_argument("--json", action="store_true", help="list all of them for a script, and show none")

    lecture = commands.add_parser(
        "lecture",
        help="a whole lecture on one page, with votes",
        description="One page for 45 minutes: a chapter's explorers, votes and board notes in their order, a clock, "
        "and a speaker's view for a second screen. LECTURE is a chapter's number, or the file of one of your own.",
    )
    lecture.add_argument("lecture", metavar="LECTURE", help="such as 2, or mine.toml")
    lecture.add_argument("--audience", action="store_true", help="let the hall vote with its phones, in this network")
    lecture.add_argument("--audience-port", type=PORT, default=8899, metavar="N", help="port phones vote on (8899)")
    lecture.add_argument("--audience-host", default="", metavar="HOST", help="name or address that phones reach")

    for page, run, port in ((lab, _lab, 8888), (demo, _demo, 8866), (lecture, _lecture, 8866)):
        page.set_defaults(run=run)
        page.add_argument("--style", choices=STYLES, default="light", help="(light)")
        page.add_argument("--port", type=PORT, metavar="N", help=f"port to serve on ({port}, or the next free one)")
        page.add_argument("--no-browser", action="store_true", help="print the address, open no browser")


def _lab(arguments: argparse.Namespace) -> None:
    with needs("lab"):
        from coursekit_lecture.lab import lab  # JupyterLab takes a second to import, and only this command needs it

    lab(arguments.folder, arguments.port, not arguments.no_browser, arguments.originals, arguments.style)


def _demo(arguments: argparse.Namespace) -> None:
    from coursekit import explorers
    from coursekit.explorers import presets
    from coursekit.predictions import question
    from coursekit_lecture import running

    if arguments.json:
        shows = {explorer: [{"name": name} | one for name, one in show["presets"].items()]
                 for explorer, show in presets.SHOWS.items()}
        votes = [{"name": name, "point": question.find(name).question} for name in question.names()]
        print(json.dumps(shows | {"predict": votes}))
        return
    if arguments.explorer is None:
        for explorer, show in presets.SHOWS.items():
            rows = [f"    {name:26}{one['point']}" for name, one in show["presets"].items()]
            print(f"{explorer} (chapter {show['chapter']}): {show['about']}", *rows, "", sep="\n")
        print("predict: Ask the hall, count votes, then show the outcome beside them.",
              *(f"    {name}" for name in question.names()), "",
              "Show one: coursekit demo EXPLORER [PRESET], such as coursekit demo svm one-outlier", sep="\n")
        return
    asked = " ".join([arguments.explorer, *arguments.preset])
    name, line = running.explorer(asked)  # an error in it comes before anything large is loaded
    if "=" in asked:  # typed by hand: an error should appear in the terminal, not in the browser
        getattr(explorers, name)(line)
    arguments.lecture, arguments.audience = line if name == "predict" else asked, False
    _lecture(arguments)


def _lecture(arguments: argparse.Namespace) -> None:
    with needs("lecture"):
        from coursekit_lecture.serve import lecture
    phones = {"port": arguments.audience_port, "host": arguments.audience_host} if arguments.audience else None
    lecture(arguments.lecture, arguments.style, arguments.port, not arguments.no_browser, phones)
