"""The pages that need no Python: the start page, and a reading copy of every chapter."""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from importlib.resources import files
from io import BytesIO
from pathlib import Path, PurePosixPath
from posixpath import normpath
from urllib.parse import quote, unquote, urlsplit

from bs4 import BeautifulSoup
from jinja2 import Environment, PackageLoader, StrictUndefined
from nbconvert import HTMLExporter
from nbformat import NotebookNode, write
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from PIL import Image
from pygments.formatters import HtmlFormatter

from coursekit import explorers
from coursekit.core.text import counted
from coursekit.explorers.stills import narrow_png
from coursekit.lecture.course import START
from coursekit.plots.narrow import NARROW_PAGE
from coursekit_site.bytecode import Bundle
from coursekit_site.cells import alive
from coursekit_site.elsewhere import portable
from coursekit_site.formulas import MATHJAX, drawn

# What can be moved on the start page, and the sentence above it.
MOVED = "dataset=mails angle=10 shift=1"
SAID = (
    "**Try it here.** Each triangle is a spam mail, each circle an honest one. Take the arrow by its ends and move the "
    "line until no mail is on the wrong side: what you do by hand, a machine will learn to do."
)
SECTION = re.compile(r"\d+\.\d+")
LIGHT, DARK = "xcode", "github-dark"  # each word in them has a contrast of at least 4.5
_TEMPLATES = Environment(loader=PackageLoader(__package__, "."), autoescape=True, undefined=StrictUndefined)


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

    @property
    def reading(self) -> str:
        """The address of its page, seen from another."""
        path = PurePosixPath(self.path)
        return quote(f"{path.parent.name if self.alone else path.stem}.html")

    @property
    def working(self) -> str:
        """The page of its exercise."""
        return f"exercise-{self.reading}"

    @property
    def alone(self) -> bool:
        """Whether it is an exercise without a chapter."""
        return self.path == self.exercise


def live(path: str, root: str = "") -> str:
    """The address of a notebook, alone in its page: all the width is its own, and only its kernel starts."""
    return f"{root}notebooks/index.html?path={quote(path)}"


_TEMPLATES.globals |= {"live": live, "counted": counted}


def pages(
    site: Path, notebooks: dict[str, NotebookNode], docs: dict[str, str], bundled: Bundle | None = None,
    address: str | None = None,
) -> None:
    """Write index.html, read/*.html, docs/*.html and what they need into `site`.

    docs: their names and Markdown. bundled: what makes the reading pages live. address: of the site; with it come
    elsewhere/*.ipynb too.
    """
    chapters = _chapters(notebooks)
    colours = files(__package__).joinpath("start.css").read_text("utf-8") + _code_colours()
    _TEMPLATES.globals |= {"start": versioned(site, "start.js"), "style": versioned(site, "style.css", colours)}
    if address:
        _elsewhere(site, notebooks, chapters, address, bool(bundled))
    read = site / "read"
    read.mkdir(exist_ok=True)
    script = (MATHJAX / "tex-svg.js").read_bytes()
    (read / (mathjax := f"mathjax-{sha256(script).hexdigest()[:16]}.js")).write_bytes(script)
    made: list[tuple[str, str, dict[str, object], str]] = []
    for number, chapter in enumerate(chapters):
        around: dict[str, object] = {
            "chapter": chapter, "moves": bundled, "root": "../", "mathjax": mathjax,
            "before": chapters[number - 1] if number else None,
            "after": chapters[number + 1] if number + 1 < len(chapters) else None,
        }
        if not (bundled and chapter.alone):
            new_link = _from_reading(chapters, chapter.path, bool(bundled))
            notebook = notebooks[chapter.path]
            body = _html(notebook if bundled else _with_links(notebook, chapter), new_link)
            body = _with_files(body, read)
            if bundled:
                lab = {"lab": live(chapter.path, "../"), "file": quote(f"../files/{chapter.path}")}
                body = alive(body, notebooks[chapter.path], bundled, mathjax=mathjax, **lab)
            made.append((chapter.reading, "chapter.html", around, body))
        if bundled and chapter.exercise:
            new_link = _from_reading(chapters, chapter.exercise, True)
            body = _exercise(site, notebooks[chapter.exercise], chapter.exercise, new_link, bundled, mathjax)
            title = _title(notebooks[chapter.exercise].cells[0].source)
            made.append((chapter.working, "exercise.html", around | {"title": title}, body))
    head, bodies = "", [body for *_, body in made]
    if bundled:
        head, bodies = drawn(bodies)
    for (name, template, values, _), body in zip(made, bodies, strict=True):
        _page(read / unquote(name), template, formulas=head, body=body, **values)
    for name, text in docs.items():
        body = _html(new_notebook(cells=[new_markdown_cell(text)]), lambda link: link)
        (site / "docs").mkdir(exist_ok=True)
        body = _without_dead_links(body, docs)
        _page(site / "docs" / f"{name}.html", "document.html", body=body, root="../", moves=None)
    welcome = _welcome(notebooks[START].cells[0], chapters[0].path if chapters else START, read, bundled)
    titles = {name: _title(text) for name, text in docs.items()}
    title = _title(notebooks[START].cells[0].source)
    _page(site / "index.html", "index.html", title=title, chapters=chapters, body=welcome, docs=titles, root="",
          moves=bundled, portable=bool(address))
    (site / "icon.svg").write_bytes(files(__package__).joinpath("icon.svg").read_bytes())


def versioned(site: Path, name: str, more: str = "") -> str:
    """Write one of our files into the site. Its name for a page changes with it: what was kept is then not taken."""
    text = files(__package__).joinpath(name).read_text("utf-8") + more
    (site / name).write_text(text, "utf-8")
    return f"{name}?{sha256(text.encode()).hexdigest()[:16]}."


def _welcome(text: NotebookNode, lab: str, read: Path, bundled: Bundle | None) -> str:
    """What the start page says before it lists the chapters, with a picture to begin with where that can be moved.

    lab: the notebook that the lab opens where it cannot be moved here.
    """
    body = BeautifulSoup(_html(new_notebook(cells=[text]), lambda link: link), "html.parser")
    if bundled and (paragraph := body.select_one("p")):
        moved = explorers.hyperplane(MOVED)
        wide, narrow = (b64encode(png).decode() for png in (moved.png(), narrow_png(moved)))
        cell = new_code_cell(
            f"import coursekit as ck\nck.explorers.hyperplane({MOVED!r})", id="moved",
            outputs=[new_output("display_data", {"image/png": wide, "text/plain": moved.sentence},
                                metadata={"image/png": {"alt": moved.sentence, "narrow": narrow}})],
        )
        picture = BeautifulSoup(_with_files(_html(new_notebook(cells=[cell]), str), read), "html.parser")
        for code in picture.select(".input"):
            code.decompose()
        for kind, attribute in (("img", "src"), ("source", "srcset")):
            for element in picture.select(kind):
                element[attribute] = f"read/{element[attribute]}"
        made = alive(str(picture), new_notebook(cells=[cell]), bundled, lab=live(lab))
        sentence = new_markdown_cell(SAID)
        said = _html(new_notebook(cells=[sentence]), str)
        paragraph.insert_after(BeautifulSoup(f'{said}<div class="chapter">{made}</div>', "html.parser"))
    return str(body)


def _exercise(
    site: Path, notebook: NotebookNode, path: str, new_link: Callable[[str], str], bundled: Bundle, mathjax: str
) -> str:
    """An exercise to work in: its page has the checks of the whole course, of which progress() tells."""
    told = {
        "mathjax": mathjax,
        "lab": live(path, "../"),
        "file": quote(f"../files/{path}"),
        "folder": str(PurePosixPath(path).parent),
        "files": {
            (name := file.relative_to(site / "files").as_posix()): quote(f"../files/{name}")
            for file in sorted((site / "files").glob("exercises/*/checks.json"))
        },
        "locked": [cell.id for cell in notebook.cells if cell.metadata.get("nbgrader", {}).get("locked")],
    }
    return alive(_html(notebook, new_link), notebook, bundled, **told)


def _elsewhere(
    site: Path, notebooks: dict[str, NotebookNode], chapters: list[Chapter], address: str, working: bool
) -> None:
    """Each chapter and exercise once more, to be opened where coursekit is missing."""
    wheel = next((site / "elsewhere").glob("*.whl")).name
    for path in filter(None, (path for chapter in chapters for path in (chapter.path, chapter.exercise))):
        new_link = _from_reading(chapters, path, working)
        write(portable(notebooks[path], path, address, wheel, new_link), site / "elsewhere" / PurePosixPath(path).name)


def _chapters(notebooks: dict[str, NotebookNode]) -> list[Chapter]:
    chapters: list[Chapter] = []
    for path, notebook in sorted(notebooks.items(), key=lambda item: not item[0].startswith("notebooks/")):
        folder, *_, file = PurePosixPath(path).parts
        if path == START or folder == "solutions" or any(path == chapter.exercise for chapter in chapters):
            continue
        name = PurePosixPath(file).stem if folder == "notebooks" else PurePosixPath(path).parent.name
        text = notebook.cells[0].source if notebook.cells else ""
        question = re.search(r"\*\*The question\.\*\* *(.+)$", text, re.MULTILINE)
        exercise, solution = (
            next((p for p in notebooks if p.startswith(f"{part}/{name}/")), None) for part in ("exercises", "solutions")
        )
        predictions, tasks = _asked(notebook, "ck.predict"), _asked(notebooks[exercise], "check") if exercise else []
        chapters.append(Chapter(
            path, _title(text) or name, question[1] if question else "", exercise, solution, predictions, tasks,
        ))
    return chapters


def _asked(notebook: NotebookNode, function: str) -> list[str]:
    """What a notebook's cells name first in their calls of a function."""
    code = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "code")
    return re.findall(rf'^{re.escape(function)}\(\s*"([^"]+)"', code, re.MULTILINE)


def _title(text: str) -> str:
    found = re.search(r"^# (.+)$", text, re.MULTILINE)
    return found[1] if found else ""


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
    _with_narrow(soup, notebook)
    _with_headings(soup)
    _with_sections(soup)
    _with_stops(soup)
    _reachable(soup)
    for kind, attribute in (("a", "href"), ("img", "src")):
        for element in soup.select(f"{kind}[{attribute}]"):
            element[attribute] = new_link(str(element[attribute]))
    return str(soup)


def _with_headings(soup: BeautifulSoup) -> None:
    """Each heading of a table is words to a screen reader; a picture of a formula is none to it."""
    for heading in soup.select("th"):
        text = heading.text.strip()
        if not text:
            heading.name = "td"
        elif not re.sub(r"\$[^$]*\$", "", text).strip():
            heading.append(spoken := soup.new_tag("span", attrs={"class": "unseen"}))
            spoken.string = text.strip("$").replace("\\", "")


def _with_sections(soup: BeautifulSoup) -> None:
    """Sections are named by their numbers, and a link whose words are such a number leads to the section."""
    for heading in soup.select("h2[id]"):
        if found := SECTION.match(heading.text):
            heading["id"] = found[0]
            for anchor in heading.select(".anchor-link"):
                anchor["href"] = f"#{found[0]}"
    for link in soup.select('a[href$=".ipynb"]'):
        if SECTION.fullmatch(link.text):
            link["href"] = f"{link['href']}#{link.text}"


def _with_stops(soup: BeautifulSoup) -> None:
    """A comma or a full stop stays in the line of the formula before it: a browser may break lines after a picture. So
    does a per cent sign in the line of its number."""
    for text in soup.find_all(string=re.compile(r"\d %")):
        if not text.find_parent(("pre", "code")):
            text.replace_with(re.sub(r"(?<=\d) %", "\N{NO-BREAK SPACE}%", text))
    for text in soup.find_all(string=re.compile(r"\$[.,;:?!)]")):
        if text.find_parent(("pre", "code", "span")) or "$$" in text:
            continue
        for part in re.split(r"(\$[^$]+\$[.,;:?!)]*)", text):
            if part.startswith("$") and not part.endswith("$"):
                text.insert_before(whole := soup.new_tag("span", attrs={"class": "whole"}))
                whole.string = part
            else:
                text.insert_before(part)
        text.extract()


def _reachable(soup: BeautifulSoup) -> None:
    """Whoever has no mouse can scroll code, output and tables that may be wider than the page."""
    for block in soup.select("pre, table"):
        lines = [" ".join(row.text.split()) for row in block.select("tr")] or block.text.splitlines()
        if max(map(len, lines), default=0) > 36:  # characters fit on a telephone
            block["tabindex"] = "0"


def _with_narrow(soup: BeautifulSoup, notebook: NotebookNode) -> None:
    """A narrow page shows the narrow twin of a picture, where one is stored with it."""
    stored = [output for cell in notebook.cells for output in cell.get("outputs", []) if "data" in output]
    twins = {
        output.data["image/png"].strip(): output.metadata["image/png"]["narrow"]
        for output in stored if "narrow" in output.metadata.get("image/png", {})
    }
    for image in soup.select('img[src^="data:image/png"]'):
        if twin := twins.get(str(image["src"]).partition(",")[2].strip()):
            picture = image.wrap(soup.new_tag("picture"))
            picture.insert(0, soup.new_tag("source", media=NARROW_PAGE, srcset=f"data:image/png;base64,{twin}"))


def _without_dead_links(body: str, docs: dict[str, str]) -> str:
    """A page of the docs whose links lead to its neighbours, and whose links into the repository are words."""
    soup = BeautifulSoup(body, "html.parser")
    for link in soup.select("a[href]"):
        name = PurePosixPath(str(link["href"])).stem
        if str(link["href"]) == f"{name}.md" and name in docs:
            link["href"] = f"{name}.html"
        elif not urlsplit(str(link["href"])).scheme and not str(link["href"]).startswith("#"):
            link.unwrap()
    return str(soup)


def _with_files(body: str, read: Path) -> str:
    """The page with its pictures beside it, half as large and each stored once, and their room kept until they come."""
    soup = BeautifulSoup(body, "html.parser")
    (read / "pictures").mkdir(exist_ok=True)
    for kind, attribute in (("img", "src"), ("source", "srcset")):
        for element in soup.select(f'{kind}[{attribute}^="data:image/png"]'):
            data = b64decode(str(element[attribute]).partition(",")[2])
            picture = Image.open(BytesIO(data)).convert("RGB")
            element[attribute] = f"pictures/{sha256(data).hexdigest()[:16]}.webp"
            if not {"width", "height"} & {*element.attrs}:
                element["width"], element["height"] = map(str, picture.size)
            if not (file := read / str(element[attribute])).exists():
                picture.save(file, "WEBP", lossless=True)
    return str(soup)


def _from_reading(chapters: list[Chapter], notebook: str, working: bool) -> Callable[[str], str]:
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


def _page(target: Path, template: str, **values: object) -> None:
    # With the mark of UTF-8 at its beginning, which a browser believes more than a server that says another.
    target.write_text(_TEMPLATES.get_template(template).render(values), "utf-8-sig")


def _code_colours() -> str:
    light, dark = (HtmlFormatter(style=style).get_style_defs(".highlight") for style in (LIGHT, DARK))
    return f"\n{light}\n@media (prefers-color-scheme: dark) {{\n{dark}\n}}\n"
