"""The `coursekit` command: the tools bring what it can do."""

# ruff: noqa: E402
import sys

from coursekit.core.paths import trusted

sys.path[:] = trusted(sys.path)  # before anything else is imported: PYTHONPATH can lead into students' files

import argparse
import contextlib
import math
import os
import re
from collections.abc import Callable, Iterator, Sequence
from importlib.metadata import distribution
from io import TextIOWrapper
from typing import Any, NoReturn

from coursekit.core.text import meant

DISTRIBUTION = "linear-classification-course"  # what pip calls it; `coursekit` on PyPI is somebody else's
WELCOME = """coursekit: linear classification you can touch.

  coursekit lab                             open the course
  coursekit lecture 2                       a whole lecture on one page, with votes
  coursekit demo svm one-outlier            one of them in the whole window
  coursekit grade class.zip --out results   grade a class
  coursekit new-task 01-means mean          begin a task of your own
  coursekit release                         make exercises from solutions
  coursekit site --serve                    the course as a web site

coursekit COMMAND --help says more."""


def not_installed(what: str | None, extra: str) -> str:
    """A sentence for what an extra brings and is not installed."""
    return f'{what} is not installed; get it with: pip install "{DISTRIBUTION}[{extra}]"'


@contextlib.contextmanager
def needs(extra: str) -> Iterator[None]:
    """What is imported here comes with this extra: where it is not there, an OSError that says how to get it."""
    try:
        yield
    except ModuleNotFoundError as error:
        raise OSError(not_installed(error.name, extra)) from None


def number(low: int, high: float = math.inf) -> Callable[[str], int]:
    """The type of an argument that is a whole number in this range."""
    rule = f", {low} or more" if high == math.inf else f" from {low} to {high}"

    def read(text: str) -> int:
        if not text.isdecimal() or not low <= int(text) <= high:
            raise argparse.ArgumentTypeError(f"must be a whole number{rule}; got {text!r}")
        return int(text)

    return read


PORT = number(1, 65535)


class Parser(argparse.ArgumentParser):
    """Where a command or an option is mistyped, it says which one was meant."""

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        found, unknown = super().parse_known_args(args, namespace)
        if unknown:  # said here, where the options of this command are known
            self.error(f"unrecognized arguments: {' '.join(unknown)}")
        return found, unknown

    def error(self, message: str) -> NoReturn:
        if typed := re.search(r"(?:unrecognized arguments: |invalid choice: ')([\w-]+)", message):
            commands = message.partition("(choose from ")[2]
            message += meant(typed[1], re.findall(r"[\w-]+", commands) or re.findall(r"--[\w-]+", self.format_usage()))
        super().error(message)


def parser() -> argparse.ArgumentParser:
    """All commands with their options, for shtab, too."""
    ours = distribution(DISTRIBUTION)  # its own commands: to look for others' would take time at every start
    parser = Parser(prog="coursekit", description="Linear classification you can touch.")
    parser.add_argument("--version", action="version", version=f"coursekit {ours.version}")
    parser.set_defaults(run=lambda _: print(WELCOME))
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    for tool in ours.entry_points.select(group="coursekit.commands"):
        tool.load()(commands)
    return parser


def main(argv: Sequence[str] | None = None) -> None:
    if isinstance(sys.stdout, TextIOWrapper):  # a name that the terminal cannot show stops nothing
        sys.stdout.reconfigure(errors="replace", line_buffering=True)
    arguments = parser().parse_args(argv)
    try:
        arguments.run(arguments)
    except BrokenPipeError:  # whoever reads has read enough, as `head` has
        os._exit(141)  # as if SIGPIPE had come, without Python's last words
    except (OSError, ValueError) as error:
        sys.exit(f"coursekit {arguments.command or ''}".rstrip() + f": {error}")
