"""The site of `coursekit site`, served below a sub-path to a real browser, its kernels in the browser too."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import urlsplit

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import BrowserContext, Locator, Page

from coursekit.cli import main
from coursekit.publish.site import ThreadingHTTPServer, _Handler
from tests.browser.harness import Notebook

ROOT = Path(__file__).parents[2]
PYODIDE = Path(os.environ.get("COURSEKIT_PYODIDE") or ROOT.parent / "shared" / "pyodide-314.0.3")


@contextmanager
def hosted(folder: Path, handler: type[_Handler] = _Handler) -> Iterator[str]:
    """A host of what is in `folder`, at a port that it takes and keeps; yields its address."""
    with ThreadingHTTPServer(("localhost", 0), partial(handler, directory=str(folder))) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://localhost:{server.server_address[1]}/"
        server.shutdown()


@contextmanager
def site(folder: Path, *options: str) -> Iterator[str]:
    """The site of the course around the current folder, in some/path of `folder`; yields its address."""
    out = folder / "some" / "path"
    main(["site", "--out", str(out), *options])
    with hosting(folder) as address:
        yield address
    shutil.rmtree(out)  # pytest would keep 60 MB of it for three more runs


@contextmanager
def hosting(folder: Path) -> Iterator[str]:
    """The site in some/path of `folder`, whose lab can be driven from outside; yields its address."""
    config = folder / "some" / "path" / "jupyter-lite.json"
    settings = json.loads(config.read_text())
    settings["jupyter-config-data"]["exposeAppInBrowser"] = True
    config.write_text(json.dumps(settings))
    with hosted(folder) as address:
        yield f"{address}some/path/"


def with_save_data(context: BrowserContext) -> None:
    """The reading pages that it opens start no Python by themselves, and stay as they are."""
    context.add_init_script("Object.defineProperty(navigator, 'connection', { value: { saveData: true } })")


def luminance(colour: str) -> float:
    """How bright a colour of CSS is, from 0 to 1."""
    return sum(map(int, re.findall(r"\d+", colour)[:3])) / 765


COLOURS = "color-contrast", "link-in-text-block"  # the rules of axe that look at colours


def violations(page: Page, colours: bool | None = None) -> list[Any]:
    """What breaks a rule of axe in a page as it is now: all rules, those on colours alone, or all others.

    Those on colours take most of the time, and are all that can differ between light and dark.
    """
    options: dict[str, Any] = {"resultTypes": ["violations"]}
    if colours:
        options["runOnly"] = COLOURS
    elif colours is not None:
        options["rules"] = {rule: {"enabled": False} for rule in COLOURS}
    found = Axe().run(page, options=options).response
    tried = {rule["id"] for kind in ("passes", "violations", "incomplete") for rule in found[kind]}
    assert ("color-contrast" in tried) == (colours is not False)
    assert ("document-title" in tried) == (not colours)
    return [(rule["id"], [node["html"] for node in rule["nodes"]]) for rule in found["violations"]]


class Guard:
    """Notes what a page must never do: ask another host for anything, fail, complain in the console."""

    def __init__(self, context: BrowserContext, address: str) -> None:
        self.complaints: list[str] = []
        self.host = urlsplit(address).netloc
        context.on("request", self._asked)
        context.on("response", lambda r: self.complaints.append(f"{r.status} {r.url}") if r.status >= 400 else None)
        context.on("console", lambda m: self.complaints.append(m.text) if m.type == "error" else None)
        context.on("weberror", lambda error: self.complaints.append(str(error.error)))

    def _asked(self, request: Any) -> None:
        parts = urlsplit(request.url)
        if parts.scheme not in ("data", "blob") and parts.netloc != self.host:
            self.complaints.append(f"asked for {request.url}")


class Live:
    """A live page whose cells can be changed."""

    def __init__(self, page: Page, address: str) -> None:
        self.page = page
        page.goto(address)
        self.started()

    def started(self) -> None:
        self.page.locator(".ck-bar").first.wait_for(timeout=120_000)

    def settled(self) -> None:
        """Wait until Python has run all that the page has of its own."""
        self.page.wait_for_function("document.querySelector('.ck-status').textContent === ''", timeout=240_000)

    def cell(self, name: str) -> Locator:
        return self.page.locator(f'[id="cell-id={name}"]')

    def area(self, name: str) -> Locator:
        return self.cell(name).get_by_role("textbox", name="Code")

    def output(self, name: str) -> Locator:
        return self.cell(name).locator(".output_wrapper")

    def run(self, name: str, text: str | None = None) -> str:
        """Run a cell by its keys; what it shows, in words."""
        if text is not None:
            self.area(name).fill(text)
        self.area(name).press("Shift+Enter")
        self.cell(name).locator(".ck-bar").get_by_role("button", name="Run").wait_for(timeout=240_000)
        return self.output(name).inner_text().strip()


class Lesson(Notebook):
    """One notebook of the site in a page of its own, as the start page links to it."""

    def __init__(self, page: Page, address: str = "", path: str = "") -> None:
        self.page = page
        self.panel = page.locator(".jp-NotebookPanel:visible")
        if path:
            page.goto(f"{address}notebooks/index.html?path={path}")
            self.opened(path)

    @property
    def text(self) -> str:
        return self.page.evaluate("() => JSON.stringify(jupyterapp.shell.currentWidget.content.model.toJSON())")

    def run(self) -> list[dict[str, Any]]:
        """Run all cells to the last; none may fail or warn. Returns the cells."""
        self.page.evaluate(
            """() => {
                window.ran = false;
                jupyterapp.commands.execute("notebook:run-all-cells").then(() => { window.ran = true; });
            }"""
        )
        self.page.wait_for_function("window.ran", timeout=240_000)
        cells = self.page.evaluate("() => jupyterapp.shell.currentWidget.content.model.toJSON().cells")
        outputs = [o for cell in cells for o in cell.get("outputs", [])]
        assert [o for o in outputs if o["output_type"] == "error" or o.get("name") == "stderr"] == []
        assert all(cell["execution_count"] for cell in cells if cell["cell_type"] == "code")
        return cells

    def execute(self, code: str) -> dict[str, Any]:
        """Run code in the notebook's kernel; returns the kernel's reply, what was printed as its `text`, and what was
        warned of as its `complaints`."""
        return self.page.evaluate(
            """code => {
                const future = jupyterapp.shell.currentWidget.sessionContext.session.kernel.requestExecute({ code });
                let [text, complaints] = ["", ""];
                future.onIOPub = ({ content }) => {
                    if (content.name === "stderr") complaints += content.text;
                    else text += content.text ?? "";
                };
                return future.done.then(reply => ({ ...reply.content, text, complaints }));
            }""",
            code,
        )

    def show(self, number: int) -> None:
        """Bring the explorer of a cell onto the screen."""
        self.page.evaluate(
            """number => {
                const content = jupyterapp.shell.currentWidget.content;
                content.activeCellIndex = number;
                return content.scrollToCell(content.widgets[number], "start");
            }""",
            number,
        )
        cell = self.panel.locator(f'[data-windowed-list-index="{number}"]')
        self.explorer = cell.locator(".jp-OutputArea-output:has(.ck-picture)").first
        self.explorer.locator("img.ck-picture").wait_for()
