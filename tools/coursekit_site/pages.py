"""The pages that need no Python: the start page, and a reading copy of every chapter."""

import re
from base64 import b64encode
from collections.abc import Callable
from hashlib import sha256
from importlib.resources import files
from pathlib import Path, PurePosixPath
from urllib.parse import quote, unquote

from bs4 import BeautifulSoup
from jinja2 import Environment, PackageLoader, StrictUndefined
from nbformat import NotebookNode, write
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from pygments.formatters import HtmlFormatter

from coursekit import explorers, plots
from coursekit.core.text import counted
from coursekit.explorers.stills import narrow_png
from coursekit.predictions.question import COURSE
from coursekit_lecture.course import START
from coursekit_site.bytecode import Bundle, ours
from coursekit_site.cells import alive
from coursekit_site.chapters import Chapter, from_reading, heading, live
from coursekit_site.chapters import chapters as in_order
from coursekit_site.elsewhere import launched, portable
from coursekit_site.formulas import MATHJAX, drawn
from coursekit_site.reading import laid_out
from coursekit_site.tree import tree, with_files, without_dead_links

# What can be moved on the start page, and the sentence above it.
MOVED = "dataset=mails angle=10 shift=1"
SAID = (
    "**Try it here.** Each triangle is spam, and each circle is ham, an email you want. Take the arrow by its ends and "
    "move the line until no email is on the wrong side. What you do by hand, a machine will learn to do."
)
LIGHT, DARK = "xcode", "github-dark"  # each word in them has a contrast of at least 4.5
PARTS_OF_PYTHON = re.compile(r"\.highlight (\.(c1|k[cn]?|m[fi]|n[bcdefn]?|ow?|p|s[12adei]|vm|w|err) )?\{")
_TEMPLATES = Environment(loader=PackageLoader(__package__, "."), autoescape=True, undefined=StrictUndefined)
_TEMPLATES.globals |= {"live": live, "counted": counted}


def pages(
    site: Path, notebooks: dict[str, NotebookNode], docs: dict[str, str], bundled: Bundle | None = None,
    address: str | None = None,
) -> None:
    """Write index.html, read/*.html, docs/*.html and what they need into `site`.

    docs: their names and Markdown. bundled: what makes the reading pages live. address: of the site; with it come
    elsewhere/*.ipynb too.
    """
    chapters = in_order(notebooks)
    fonts = {name: _font(site, name) for name in ("serif", "sans", "serif-italic")}
    (site / "fonts" / "OFL.txt").write_bytes(files(plots).joinpath("fonts", "OFL.txt").read_bytes())
    sheets = ours("style.css", "start.css") + _code_colors(), ours("live/live.css")
    looks, live_looks = (re.sub(r" */\*.*?\*/", "", sheet) for sheet in sheets)
    looks = re.sub(r"fonts/([\w-]+)\.woff2", lambda found: fonts[found[1]], looks)
    _TEMPLATES.globals |= {
        "start": head_script(site), "looks": looks, "live_looks": live_looks, "chapters": chapters,
        "reading": versioned(site, "reading.js", ours("reading.js")), "fonts": [fonts["serif"], fonts["sans"]],
        "chapter": None,
    }
    if address:
        _elsewhere(site, notebooks, chapters, address, bool(bundled))
    read = site / "read"
    read.mkdir(exist_ok=True)
    script = (MATHJAX / "tex-svg.js").read_bytes()
    (read / (mathjax := f"mathjax-{sha256(script).hexdigest()[:16]}.js")).write_bytes(script)
    asked = questions(site)
    made: list[tuple[str, str, dict[str, object], str]] = []
    for before, chapter, after in zip([None, *chapters], chapters, [*chapters[1:], None], strict=False):
        around: dict[str, object] = {"chapter": chapter, "before": before, "after": after, "moves": bundled,
                                     "root": "../", "mathjax": mathjax}
        if not (bundled and chapter.alone):
            new_link = from_reading(chapters, chapter.path, bool(bundled))
            notebook = notebooks[chapter.path]
            page = with_files(tree(notebook if bundled else _with_links(notebook, chapter), new_link), read)
            laid_out(page, chapter)
            body = str(page)
            if bundled:
                lab = {"lab": live(chapter.path, "../"), "file": quote(f"../files/{chapter.path}")}
                body = alive(page, notebooks[chapter.path], bundled, mathjax=mathjax, files=asked, **lab)
            made.append((chapter.reading, "chapter.html", around, body))
        if bundled and chapter.exercise:
            new_link = from_reading(chapters, chapter.exercise, True)
            body = _exercise(site, notebooks[chapter.exercise], chapter.exercise, new_link, bundled, mathjax)
            title = heading(notebooks[chapter.exercise].cells[0].source)
            made.append((chapter.working, "exercise.html", around | {"title": title}, body))
    bodies = [body for *_, body in made]
    head, bodies = drawn(bodies) if bundled else ("", bodies)
    for (name, template, values, _), body in zip(made, bodies, strict=True):
        _page(read / unquote(name), template, formulas=head, body=body, **values)
    for name, text in docs.items():
        page = tree(new_notebook(cells=[new_markdown_cell(text, id=name)]), str)
        (site / "docs").mkdir(exist_ok=True)
        without_dead_links(page, docs)
        _page(site / "docs" / f"{name}.html", "document.html", body=page, root="../", moves=None)
    welcome = _welcome(notebooks[START].cells[0], chapters[0].path if chapters else START, read, bundled)
    titles = {name: heading(text) for name, text in docs.items()}
    title = heading(notebooks[START].cells[0].source)
    _page(site / "index.html", "index.html", title=title, body=welcome, docs=titles, root="",
          moves=bundled, portable=bool(address), launched=launched(bool(address)))
    (site / "icon.svg").write_bytes(files(__package__).joinpath("icon.svg").read_bytes())


def versioned(site: Path, name: str, text: str) -> str:
    """Write a file into the site. Its name for a page changes with it: what was kept is then not taken."""
    (site / name).write_text(text, "utf-8")
    return f"{name}?{sha256(text.encode()).hexdigest()[:16]}."


def questions(site: Path) -> dict[str, str]:
    """Where pages find the predictions, which lie beside their notebooks: another word in one is no other Python."""
    own = sorted((site / "files" / "notebooks" / "predictions").glob("*.toml"))
    (site / "read" / "predictions").mkdir()
    return {
        name: f"../{versioned(site, f'read/{name}', file.read_text('utf-8'))}"
        for file in (*sorted(COURSE.glob("*.toml")), *own) if (name := f"predictions/{file.name}")
    }


def head_script(site: Path) -> str:
    """What is in the head of every page, also of the lab."""
    return versioned(site, "start.js", ours("head/whole.js", "head/keep.js", "head/reasons.js", "head/begin.js"))


def _font(site: Path, name: str) -> str:
    content = files(__package__).joinpath("fonts", f"{name}.woff2").read_bytes()
    (site / "fonts").mkdir(exist_ok=True)
    (site / (path := f"fonts/{name}-{sha256(content).hexdigest()[:16]}.woff2")).write_bytes(content)
    return path


def _welcome(text: NotebookNode, lab: str, read: Path, bundled: Bundle | None) -> str:
    """What the start page says before it lists the chapters, with a picture to begin with where that can be moved.

    lab: the notebook that the lab opens where it cannot be moved here.
    """
    body = tree(new_notebook(cells=[text]), str)
    if bundled and (paragraph := body.select_one("p")):
        moved = explorers.hyperplane(MOVED)
        wide, narrow = (b64encode(png).decode() for png in (moved.png(), narrow_png(moved)))
        cell = new_code_cell(
            f'import coursekit as ck\nck.explorers.hyperplane({MOVED!r}, show="angle shift")', id="moved",
            outputs=[new_output("display_data", {"image/png": wide, "text/plain": moved.sentence},
                                metadata={"image/png": {"alt": moved.sentence, "narrow": narrow}})],
        )
        picture = with_files(tree(new_notebook(cells=[cell]), str), read, "read/")
        for code in picture.select(".input"):
            code.decompose()
        made = alive(picture, new_notebook(cells=[cell]), bundled, lab=live(lab))
        said = tree(new_notebook(cells=[new_markdown_cell(SAID, id="said")]), str)
        paragraph.insert_after(BeautifulSoup(f'<div class="first">{made}</div>{said}', "html.parser"))
    return str(body)


def _exercise(
    site: Path, notebook: NotebookNode, path: str, new_link: Callable[[str], str], bundled: Bundle, mathjax: str
) -> str:
    """An exercise to work in: its page has the checks of the whole course, of which progress() tells."""
    told = {
        "mathjax": mathjax, "lab": live(path, "../"), "file": quote(f"../files/{path}"),
        "folder": str(PurePosixPath(path).parent),
        "files": {
            (name := file.relative_to(site / "files").as_posix()): quote(f"../files/{name}")
            for file in sorted((site / "files").glob("exercises/*/checks.json"))
        },
        "locked": [cell.id for cell in notebook.cells if cell.metadata.get("nbgrader", {}).get("locked")],
    }
    return alive(tree(notebook, new_link), notebook, bundled, **told)


def _elsewhere(
    site: Path, notebooks: dict[str, NotebookNode], chapters: list[Chapter], address: str, working: bool
) -> None:
    """Each chapter and exercise once more, to be opened where coursekit is missing."""
    wheel = next((site / "elsewhere").glob("*.whl")).name
    for path in filter(None, (path for chapter in chapters for path in (chapter.path, chapter.exercise))):
        new_link = from_reading(chapters, path, working)
        write(portable(notebooks[path], path, address, wheel, new_link), site / "elsewhere" / PurePosixPath(path).name)


def _with_links(notebook: NotebookNode, chapter: Chapter) -> NotebookNode:
    """The chapter with a link below each explorer's still picture."""
    cells = []
    for cell in notebook.cells:
        cells.append(cell)
        pictures = [o for o in cell.get("outputs", []) if "image/png" in o.get("data", {})]
        if pictures and "explorer" in cell.source:
            cells.append(new_markdown_cell(f"[Move the sliders]({live(chapter.path, '../')})"))
    return new_notebook(cells=cells, metadata=notebook.metadata)


def _page(target: Path, template: str, **values: object) -> None:
    # With the mark of UTF-8 at its beginning, which a browser believes more than a server that says another.
    target.write_text(_TEMPLATES.get_template(template).render(values), "utf-8-sig")


def _code_colors() -> str:
    light, dark = (
        "\n".join(filter(PARTS_OF_PYTHON.match, HtmlFormatter(style=style).get_style_defs(".highlight").splitlines()))
        for style in (LIGHT, DARK)
    )
    return f"\n{light}\n@media (prefers-color-scheme: dark) {{\n{dark}\n}}\n"
