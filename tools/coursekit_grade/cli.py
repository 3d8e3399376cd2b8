"""The commands `coursekit grade`, `release` and `new-task`."""

import argparse
import os
import sys
import warnings
from pathlib import Path
from typing import Any

from coursekit.cli import needs, number


def add(commands: Any) -> None:
    """Add them to those of `coursekit`."""
    grade = commands.add_parser(
        "grade", help="grade a class",
        description="Grade every notebook in SUBMISSIONS: a folder (one folder a student, one file a student, or "
        "nbgrader's submitted/) or the zip that Moodle or Canvas gives. Run it again after an interruption, or when "
        "a late notebook has come: what is graded and unchanged is not graded again. Exit status 1 if anything "
        "was left ungraded.")
    grade.add_argument("submissions", type=Path, metavar="SUBMISSIONS", help="folder or zip")
    grade.add_argument("--out", type=Path, required=True, metavar="RESULTS", help="folder for marks and feedback")
    grade.add_argument("--course", type=Path, metavar="DIR",
                       help="the course, with solutions/ (the clone that coursekit is in)")
    grade.add_argument("--adjust", type=Path, metavar="FILE",
                       help="marks by hand: a CSV with the columns student, task, points and comment")
    grade.add_argument("--assignment", metavar="NAME", help="such as 02-perceptron, for notebooks that do not tell")
    grade.add_argument("--layout", choices=("moodle", "canvas", "folders", "files"), default="",
                       help="whose names tell students apart (those that most students have)")
    grade.add_argument("--seed", type=number(0), metavar="N", help="of the test inputs (a fresh one, kept in RESULTS)")
    grade.add_argument("--jobs", type=number(1), metavar="N", help="how many notebooks at a time (one for each core)")
    grade.add_argument("--json", action="store_true", dest="as_json",
                       help="print what became of the class as JSON, for a script; all else goes to standard error")
    grade.add_argument("--dask", metavar="ADDRESS", help="grade on the cluster of this Dask scheduler")
    grade.add_argument("--container", metavar="IMAGE", default="",
                       help="run what students wrote in containers of this image, with docker or podman")
    grade.add_argument("--require-sandbox", action="store_true", help="refuse to grade without bubblewrap")
    grade.add_argument("--nbgrader-csv", action="store_true", help="also write nbgrader's table, RESULTS/nbgrader.csv")
    grade.add_argument("--gradebook", nargs="?", const=Path("gradebook.db"), type=Path, metavar="FILE",
                       help="also put the marks into nbgrader's database (gradebook.db here)")
    grade.add_argument("--due", action="append", default=[], metavar="[NAME=]TIME",
                       help='"2026-11-20 23:59", or "02-perceptron=2026-11-20 23:59", again for others; needs --times')
    grade.add_argument("--times", type=Path, metavar="FILE",
                       help="when who handed in: Moodle's grading worksheet, or a CSV with columns student and time")
    grade.add_argument("--grace", default="", metavar="TIME", help='how late is still in time: "15 minutes"')
    grade.add_argument("--late", default="", metavar="COST", help='what each day or hour begun costs: "10%% a day"')
    grade.set_defaults(run=_grade)

    release = commands.add_parser(
        "release", help="make exercises/ from solutions/",
        description="Write exercises/NN-topic/, a notebook without answers and its checks.json, for every "
        "solutions/NN-topic/. A file that somebody has worked in is never overwritten.")
    release.add_argument("folder", nargs="?", default=".", metavar="FOLDER", help="the course (.)")
    release.set_defaults(run=_release)

    new = commands.add_parser(
        "new-task", help="add a task to a course, yours or this one",
        description="Add a task to solutions/ASSIGNMENT of a course, which may be an empty folder: cells in the "
        "notebook and a task in tasks.py, an example that works, to be replaced by yours. What is there stays.")
    new.add_argument("assignment", metavar="ASSIGNMENT", help="a number and a topic, such as 01-means")
    new.add_argument("name", metavar="NAME", help="of the function that students write")
    new.add_argument("--points", type=number(0), default=1, metavar="N", help="for a right answer (1)")
    new.add_argument("--course", type=Path, default=Path(), metavar="DIR", help="the course's folder (.)")
    new.set_defaults(run=_new_task)


def _grade(arguments: argparse.Namespace) -> None:
    if sys.warnoptions:  # somebody's PYTHONWARNINGS=error is meant for programs of their own
        warnings.simplefilter("ignore")
    with needs("grading"):
        from coursekit_grade.command import Options, grade

    options = {name: value for name, value in vars(arguments).items() if name not in ("command", "run")}
    try:
        complete = grade(Options(**options))
    except KeyboardInterrupt:
        sys.stdout.flush()
        print("\nStopped. Nothing is lost: the same command goes on from here.", file=sys.stderr, flush=True)
        os._exit(130)  # with it end the processes of those who are being graded: none is waited for
    if not complete:
        sys.exit(1)


def _release(arguments: argparse.Namespace) -> None:
    with needs("grading"):
        from coursekit_grade.release import release

    for path in release(Path(arguments.folder)):
        print(f"Released {path}")


def _new_task(arguments: argparse.Namespace) -> None:
    with needs("grading"):
        from coursekit_grade.newtask import new_task

    for path in new_task(arguments.course, arguments.assignment, arguments.name, arguments.points):
        print(f"Wrote {path}")
    print("Make them yours, then run coursekit release.")
