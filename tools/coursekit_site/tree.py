"""A notebook as the tree of a page: what nbconvert makes of it, made fit for all readers."""

import re
from base64 import b64decode
from collections.abc import Callable
from hashlib import sha256
from io import BytesIO
from pathlib import Path, PurePosixPath
from urllib.parse import urlsplit

from bs4 import BeautifulSoup
from nbconvert import HTMLExporter
from nbformat import NotebookNode
from PIL import Image

from coursekit.plots.panel import NARROW_PAGE

SECTION = re.compile(r"\d+\.\d+")


def tree(notebook: NotebookNode, new_link: Callable[[str], str]) -> BeautifulSoup:
    """The body of a notebook's page. new_link: where a link or picture of the notebook is, seen from that page."""
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
    return soup


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
    """Sections are named by their numbers, and a link leads to the first section that its words number."""
    for heading in soup.select("h2[id]"):
        if found := SECTION.match(heading.text):
            heading["id"] = found[0]
            for anchor in heading.select(".anchor-link"):
                anchor["href"] = f"#{found[0]}"
    for link in soup.select('a[href$=".ipynb"]'):
        if found := SECTION.search(link.text):
            link["href"] = f"{link['href']}#{found[0]}"


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


def with_files(soup: BeautifulSoup, read: Path, at: str = "") -> BeautifulSoup:
    """The page with its pictures beside it, in `read`, which lies `at`: each stored once, and its room kept."""
    (read / "pictures").mkdir(exist_ok=True)
    for kind, attribute in (("img", "src"), ("source", "srcset")):
        for element in soup.select(f'{kind}[{attribute}^="data:image/png"]'):
            data = b64decode(str(element[attribute]).partition(",")[2])
            picture = Image.open(BytesIO(data)).convert("RGB")
            name = f"pictures/{sha256(data).hexdigest()[:16]}.webp"
            element[attribute] = f"{at}{name}"
            if not {"width", "height"} & {*element.attrs}:
                element["width"], element["height"] = map(str, picture.size)
            if not (file := read / name).exists():
                picture.save(file, "WEBP", lossless=True)
    return soup


def without_dead_links(soup: BeautifulSoup, docs: dict[str, str]) -> None:
    """A page of the docs whose links lead to its neighbors, and whose links into the repository are words."""
    for link in soup.select("a[href]"):
        name = PurePosixPath(str(link["href"])).stem
        if str(link["href"]) == f"{name}.md" and name in docs:
            link["href"] = f"{name}.html"
        elif not urlsplit(str(link["href"])).scheme and not str(link["href"]).startswith("#"):
            link.unwrap()
