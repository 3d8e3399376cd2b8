"""The pages that need no Python: the start page, and a reading copy of every chapter."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path, PurePosixPath
from posixpath import normpath
from urllib.parse import quote, urlsplit

from bs4 import BeautifulSoup
from jinja2 import Environment, PackageLoader, StrictUndefined
from nbconvert import HTMLExporter
from nbformat import NotebookNode
from nbformat.v4 import new_markdown_cell, new_notebook
from pygments.formatters import HtmlFormatter

from coursekit.publish.course import START

LIGHT, DARK = "friendly", "github-dark"
_TEMPLATES = Environment(loader=PackageLoader(__package__, "."), autoescape=True, undefined=StrictUndefined)


@dataclass(frozen=True)
class Chapter:
    """What the start page says about a chapter."""

    path: str  # from the top of the site
    title: str
    question: str
    exercise: str | None
    solution: str | None

    @property
    def reading(self) -> str:
        return f"{PurePosixPath(self.path).stem}.html"


def live(path: str, root: str = "") -> str:
    """The address of a notebook, alone in its page: all the width is its own, and only its kernel starts."""
    return f"{root}notebooks/index.html?path={quote(path)}"


_TEMPLATES.globals["live"] = live


def pages(site: Path, notebooks: dict[str, NotebookNode]) -> None:
    """Write index.html, read/*.html and what they need into `site`."""
    chapters = _chapters(notebooks)
    read = site / "read"
    read.mkdir()
    for number, chapter in enumerate(chapters):
        around = {
            "before": chapters[number - 1] if number else None,
            "after": chapters[number + 1] if number + 1 < len(chapters) else None,
        }
        body = _html(_with_links(notebooks[chapter.path], chapter), _from_reading(chapters))
        _page(read / chapter.reading, "chapter.html", chapter=chapter, body=body, root="../", **around)
    welcome = _html(new_notebook(cells=notebooks[START].cells[:1]), lambda link: link)
    _page(site / "index.html", "index.html", chapters=chapters, body=welcome, root="")
    here = files(__package__)
    style = here.joinpath("style.css").read_text("utf-8")
    (site / "style.css").write_text(style + _code_colours(), "utf-8")
    (site / "icon.svg").write_bytes(here.joinpath("icon.svg").read_bytes())
    shutil.copyfile(str(files("mathjax") / "static" / "mathjax" / "es5" / "tex-svg.js"), read / "mathjax.js")


def _chapters(notebooks: dict[str, NotebookNode]) -> list[Chapter]:
    chapters = []
    for path, notebook in notebooks.items():
        if not path.startswith("notebooks/") or path == START:
            continue
        name = PurePosixPath(path).stem
        text = notebook.cells[0].source if notebook.cells else ""
        title = re.search(r"^# (.+)$", text, re.MULTILINE)
        question = re.search(r"\*\*The question\.\*\* *(.+)$", text, re.MULTILINE)
        exercise, solution = (
            next((p for p in notebooks if p.startswith(f"{part}/{name}/")), None) for part in ("exercises", "solutions")
        )
        chapters.append(
            Chapter(path, title[1] if title else name, question[1] if question else "", exercise, solution)
        )
    return chapters


def _with_links(notebook: NotebookNode, chapter: Chapter) -> NotebookNode:
    """The chapter with a link below each explorer's still picture."""
    cells = []
    for cell in notebook.cells:
        cells.append(cell)
        pictures = [o for o in cell.get("outputs", []) if "image/png" in o.get("data", {})]
        if pictures and "explorer" in cell.source:
            cells.append(new_markdown_cell(f"[Move the sliders]({live(chapter.path, '../')})"))
    return new_notebook(cells=cells, metadata=notebook.metadata)


def _html(notebook: NotebookNode, new_link: Callable[[str], str]) -> str:
    exporter = HTMLExporter(template_name="basic", exclude_input_prompt=True, exclude_output_prompt=True)
    soup = BeautifulSoup(exporter.from_notebook_node(notebook)[0], "html.parser")
    for kind, attribute in (("a", "href"), ("img", "src")):
        for element in soup.select(f"{kind}[{attribute}]"):
            element[attribute] = new_link(str(element[attribute]))
    return str(soup)


def _from_reading(chapters: list[Chapter]) -> Callable[[str], str]:
    """Where a chapter's link or picture is, seen from its reading copy."""
    readings = {chapter.path: chapter.reading for chapter in chapters} | {START: "../index.html"}

    def new_link(link: str) -> str:
        path, mark, fragment = link.partition("#")
        if not path or urlsplit(path).scheme or path.startswith(live("", "../")):
            return link
        path = normpath(f"notebooks/{path}")
        page = live(path, "../") if path.endswith(".ipynb") else f"../files/{path}"
        return readings.get(path, page) + mark + fragment

    return new_link


def _page(target: Path, template: str, **values: object) -> None:
    target.write_text(_TEMPLATES.get_template(template).render(values), "utf-8")


def _code_colours() -> str:
    light, dark = (HtmlFormatter(style=style).get_style_defs(".highlight") for style in (LIGHT, DARK))
    return f"\n{light}\n@media (prefers-color-scheme: dark) {{\n{dark}\n}}\n"
