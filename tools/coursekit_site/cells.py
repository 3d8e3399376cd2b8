"""What a reading page needs to become live: the cells to run, and the room that its explorers will take."""

import dis
import json
import re
from collections.abc import Sequence
from types import CodeType
from typing import Any

from bs4 import BeautifulSoup, Tag
from nbformat import NotebookNode

from coursekit import explorers
from coursekit_site.bytecode import Bundle
from coursekit_site.moving import line_by_hand

# A cell that shows a prediction or an explorer: its name, what it is called with, and the controls under its picture.
SHOWN = re.compile(
    r"""^(?:ck\.predict|(?:explorer\ =\ )?ck\.explorers\.(?P<name>\w+))\(\s*
        (?:(["'])(?P<preset>.*?)\2)? (?:.*?\bshow="(?P<show>[\w\ ]+)")?""", re.MULTILINE | re.DOTALL | re.VERBOSE,
)

OF_THE_LAB = re.compile(r"^(%(?!%)|!).*", re.MULTILINE)  # lines that no page can run


def needed(notebook: NotebookNode) -> list[dict[str, str]]:
    """The code cells that show an explorer or a prediction, and those that make names for them."""
    cells, wanted = [], set[str]()
    for cell in reversed([cell for cell in notebook.cells if cell.cell_type == "code"]):
        try:
            made, used = _names(source := OF_THE_LAB.sub("", cell.source))
        except SyntaxError:  # a cell of another language, or one that shall fail
            continue
        if SHOWN.search(source) or made & wanted:
            wanted = (wanted - made) | used
            cells.append({"id": cell.id, "source": source})
    return cells[::-1]


def _names(source: str) -> tuple[set[str], set[str]]:
    """The names that a cell makes, and those that it needs from others: read before it makes them."""
    made, used = set[str](), set[str]()

    def walk(code: CodeType) -> None:
        for step in dis.get_instructions(code):
            if isinstance(step.argval, CodeType):
                walk(step.argval)
            elif step.opname in ("STORE_NAME", "STORE_GLOBAL"):
                made.add(step.argval)
            elif step.opname in ("LOAD_NAME", "LOAD_GLOBAL") and step.argval not in made:
                used.add(step.argval)

    walk(compile(source, "cell", "exec"))
    return made, used


def _strip(explorer: Any, main: Sequence[str]) -> str:
    """Room for these controls under the picture of an explorer: one with ticks, and one that walks, has more."""
    kinds = [" ".join(["ck-ticked"] * bool(getattr(control.make(), "ticks", ())) + ["ck-walks"] * bool(control.walk))
             for control in map(explorer.declared.get, main)] or [""]
    rows = "".join(f'<i class="{kind}"></i>' for kind in kinds)
    return f'<div class="ck-strip" aria-hidden="true">{rows}</div>'


def alive(soup: BeautifulSoup, notebook: NotebookNode, bundled: Bundle, **told: object) -> str:
    """The page's body with its stills marked, their rooms kept, and the cells to run.

    told: what else the page's own program needs to know.
    """
    cells = needed(notebook)
    for cell in cells:
        whole = soup.find(id=f"cell-id={cell['id']}")
        still = whole.select_one(".output_area:last-child > :not(.output_text)") if isinstance(whole, Tag) else None
        if still is None or not (found := SHOWN.search(cell["source"])):
            continue
        still["class"] = f"{' '.join(still['class'])} ck-still"
        if found["name"] and (image := still.select_one("img")):
            explorer = getattr(explorers, found["name"])
            main = (found["show"] or "").split() or explorer.main
            still["style"] = f"--shape: {image.get('width', '9')} / {image.get('height', '1')}"
            still.append(BeautifulSoup(_strip(explorer, main), "html.parser"))
            # Seen where the picture cannot be; whoever hears the page hears it as the picture's words.
            still.append(said := soup.new_tag("p", attrs={"class": "ck-sentence", "aria-hidden": "true"}))
            said.string = str(image["alt"])
            if moved := line_by_hand(found["name"], found["preset"] or "", main):
                still.append(lists := soup.new_tag("script", attrs={"class": "ck-moving", "type": "application/json"}))
                lists.string = json.dumps(moved).replace("</", "<\\/")
    data = json.dumps({"cells": cells, **told}).replace("</", "<\\/")
    return f'{soup}\n<script type="application/json" id="ck-cells">{data}</script>'
