"""The chapters of a course, and the addresses of their pages."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import PurePosixPath
from posixpath import normpath
from urllib.parse import quote, unquote, urlsplit

from nbformat import NotebookNode

from coursekit_lecture.course import START


@dataclass(frozen=True)
class Chapter:
    """What the start page says about a chapter, or about an exercise without one."""

    path: str  # from the top of the site; without a chapter, that of the exercise
    title: str
    question: str
    exercise: str | None
    solution: str | None
    predictions: list[str]
    tasks: list[str]
    minutes: int = 0  # it takes about so long; 0 where it does not say
    needs: tuple[int, ...] = ()  # the numbers of the chapters that it builds on

    @property
    def reading(self) -> str:
        """The address of its page, seen from another."""
        path = PurePosixPath(self.path)
        return quote(f"{path.parent.name if self.alone else path.stem}.html")

    @property
    def working(self) -> str:
        """The page of its exercise."""
        return f"exercise-{self.reading}"

    def page(self, moves: object) -> str:
        """The page to begin with: without a chapter, that of its exercise, where pages come alive."""
        return self.working if moves and self.alone else self.reading

    @property
    def alone(self) -> bool:
        """Whether it is an exercise without a chapter."""
        return self.path == self.exercise


def live(path: str, root: str = "") -> str:
    """The address of a notebook, alone in its page: all the width is its own, and only its kernel starts."""
    return f"{root}notebooks/index.html?path={quote(path)}"


def chapters(notebooks: dict[str, NotebookNode]) -> list[Chapter]:
    """Those of a course, in their order, and after them the exercises without one."""
    found: list[Chapter] = []
    for path, notebook in sorted(notebooks.items(), key=lambda item: not item[0].startswith("notebooks/")):
        folder, *_, file = PurePosixPath(path).parts
        if path == START or folder == "solutions" or any(path == chapter.exercise for chapter in found):
            continue
        name = PurePosixPath(file).stem if folder == "notebooks" else PurePosixPath(path).parent.name
        text = notebook.cells[0].source if notebook.cells else ""
        question = re.search(r"\*\*The question\.\*\* *(.+)$", text, re.MULTILINE)
        minutes = re.search(r"\*about (\d+) minutes\*", text)
        needs = next((cell.source for cell in notebook.cells if cell.source.startswith("**You need**")), "")
        exercise, solution = (
            next((p for p in notebooks if p.startswith(f"{part}/{name}/")), None) for part in ("exercises", "solutions")
        )
        predictions, tasks = _asked(notebook, "ck.predict"), _asked(notebooks[exercise], "check") if exercise else []
        found.append(Chapter(
            path, heading(text) or name, question[1] if question else "", exercise, solution, predictions, tasks,
            int(minutes[1]) if minutes else 0,
            tuple(dict.fromkeys(map(int, re.findall(r"\]\((\d+)-[^)]*\.ipynb", needs.partition("\n\n")[0])))),
        ))
    return found


def _asked(notebook: NotebookNode, function: str) -> list[str]:
    """What a notebook's cells name first in their calls of a function."""
    code = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "code")
    return re.findall(rf'^{re.escape(function)}\(\s*"([^"]+)"', code, re.MULTILINE)


def heading(text: str) -> str:
    """The heading of a Markdown text, or ""."""
    found = re.search(r"^# (.+)$", text, re.MULTILINE)
    return found[1] if found else ""


def from_reading(chapters: list[Chapter], notebook: str, working: bool) -> Callable[[str], str]:
    """Where a notebook's link or picture is, seen from its page. working: the exercises have pages too."""
    readings = {chapter.path: chapter.reading for chapter in chapters} | {START: "../index.html"}
    if working:
        readings |= {chapter.exercise: chapter.working for chapter in chapters if chapter.exercise}

    def new_link(link: str) -> str:
        path, mark, fragment = link.partition("#")
        if not path or urlsplit(path).scheme or path.startswith(live("", "../")):
            return link
        path = normpath(f"{PurePosixPath(notebook).parent}/{unquote(path)}")
        page = live(path, "../") if path.endswith(".ipynb") else quote(f"../files/{path}")
        return readings.get(path, page) + mark + fragment

    return new_link
