"""Notebooks for Colab, Kaggle and the like, where coursekit is missing: their first cell fetches it from the site."""

import copy
import re
from collections.abc import Callable
from importlib.metadata import metadata, requires
from pathlib import PurePosixPath
from urllib.parse import quote, urljoin, urlsplit

from nbformat import NotebookNode
from nbformat.v4 import new_code_cell

from coursekit.cli import DISTRIBUTION

LINK = re.compile(r"(?<=\]\()[^)\s]+(?=\))")
GITHUB = re.compile(r"https://github\.com/([\w.-]+/[\w.-]+?)(?:\.git)?/?$")
BRING = """\
# Run this cell first. Where coursekit is missing, it fetches it; elsewhere it does nothing.
try:
    import coursekit
except ModuleNotFoundError:
    %pip install --quiet --no-deps {wheel}
    %pip install --quiet {widgets}
"""
CHECKS = """
from pathlib import Path
from urllib.request import urlretrieve
from coursekit.checking.checks import known

if "{assignment}" not in known():
    Path("exercises/{assignment}").mkdir(parents=True, exist_ok=True)
    urlretrieve("{address}files/exercises/{assignment}/checks.json", "exercises/{assignment}/checks.json")
"""


def checked(address: str) -> str:
    """The address that a site will have, with a slash at its end. ValueError if no browser could go there."""
    parts = urlsplit(address)
    if parts.scheme not in ("http", "https") or not parts.netloc or parts.query or parts.fragment:
        raise ValueError(f"address must be that of the site's start page, such as https://example.org/course/; "
                         f"got {address!r}")
    return address.rstrip("/") + "/"


def launched(fetched: bool) -> Callable[[str], dict[str, str]]:
    """Where each notebook opens with one click: the names of services, and addresses there.

    The repository's address is the one on GitHub under [project.urls]; without one there are none. fetched: the site
    has what Colab and Kaggle fetch, and publishing it has put its notebooks into the branch `elsewhere`.
    """
    urls = metadata(DISTRIBUTION).get_all("Project-URL") or []
    repository = next((found[1] for url in urls if (found := GITHUB.search(url))), "")

    def ways(path: str) -> dict[str, str]:
        if not repository:
            return {}
        copied = f"{repository}/blob/elsewhere/{quote(PurePosixPath(path).name)}"
        copies = {
            "Colab": f"https://colab.research.google.com/github/{copied}",
            "Kaggle": f"https://www.kaggle.com/kernels/welcome?src={quote(f'https://github.com/{copied}', safe='')}",
        }
        lab = quote(f"lab/tree/{path}", safe="")
        return {"Binder": f"https://mybinder.org/v2/gh/{repository}/HEAD?urlpath={lab}"} | (copies if fetched else {})

    return ways


def portable(
    notebook: NotebookNode, path: str, address: str, wheel: str, new_link: Callable[[str], str]
) -> NotebookNode:
    """A copy without outputs that begins with what brings coursekit, and whose links lead to the site.

    path: of the notebook, from the top of the site. new_link: where a link of it leads, seen from a reading page.
    """
    notebook = copy.deepcopy(notebook)
    needed = [need for need in requires(DISTRIBUTION) or () if need.startswith(("ipywidgets", "anywidget"))]
    widgets = " ".join(f'"{need}"' for need in needed)  # what notebook services lack, or have too old
    bring = BRING.format(wheel=f"{address}elsewhere/{wheel}", widgets=widgets)
    if path.startswith("exercises/"):
        bring += CHECKS.format(address=address, assignment=PurePosixPath(path).parent.name)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
        elif cell.cell_type == "markdown":
            cell.source = LINK.sub(lambda link: _whole(new_link(link[0]), address), cell.source)
    notebook.cells.insert(0, new_code_cell(bring.strip(), id="bring-coursekit"))
    return notebook


def _whole(link: str, address: str) -> str:
    return link if link.startswith("#") else urljoin(f"{address}read/", link)
