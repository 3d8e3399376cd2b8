"""The site of `coursekit site`, served below a sub-path to a real browser, its kernels in the browser too."""

from __future__ import annotations

import json
import os
import re
import shutil
import time
from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from hashlib import sha256
from pathlib import Path
from threading import Lock, Thread
from typing import IO, Any
from urllib.parse import urlsplit

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Locator, Page, Request

from coursekit.cli import main
from coursekit_site.serve import Handler, SimpleHTTPRequestHandler, ThreadingHTTPServer
from tests.browser.harness import Notebook

ROOT = Path(__file__).parents[2]
PYODIDE = Path(os.environ.get("COURSEKIT_PYODIDE") or ROOT.parent / "shared" / "pyodide-314.0.3")
ADDRESS = "https://example.org/course/"  # where the site will be, as its notebooks for Colab are told
CHAPTERS = sorted((ROOT / "notebooks").glob("[01][0-9]-*.ipynb"))[1:]


@contextmanager
def hosted(folder: Path, handler: type[Handler] = Handler) -> Iterator[str]:
    """A host of what is in `folder`, at a port that it takes and keeps; yields its address."""
    with ThreadingHTTPServer(("localhost", 0), partial(handler, directory=str(folder))) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://localhost:{server.server_address[1]}/"
        server.shutdown()


@contextmanager
def site(folder: Path, *options: str) -> Iterator[str]:
    """The site of the course around the current folder, in some/path of `folder`; yields its address."""
    main(["site", "--out", str(folder / "some" / "path"), *options])
    with driven(folder) as address:
        yield address
    shutil.rmtree(folder / "some")  # pytest would keep 60 MB of it for three more runs


@contextmanager
def driven(folder: Path) -> Iterator[str]:
    """The site in some/path of `folder`, whose lab can be driven from outside; yields its address."""
    config = folder / "some" / "path" / "jupyter-lite.json"
    settings = json.loads(config.read_text())
    settings["jupyter-config-data"]["exposeAppInBrowser"] = True
    config.write_text(json.dumps(settings))
    with hosted(folder) as address:
        yield f"{address}some/path/"


class Host(Handler):
    """A server that notes what it is asked for, and hangs up, after `silence` seconds, while it is not `there`.

    missing: is answered with 404. new: the site looks as if it had been built anew, under this version.
    kept: how long a page may be kept.
    """

    asked: list[str]
    there, silence, missing, version, new, kept = True, 0, "", "", "", "no-cache"

    def do_GET(self) -> None:
        self.asked.append(self.path)
        path = Path(self.translate_path(self.path.replace(self.new or " ", self.version)))
        path = path / "index.html" if path.is_dir() else path
        if not self.there:
            time.sleep(self.silence)
            self.close_connection = True
        elif not path.is_file() or path.name == self.missing or (self.new and self.version in self.path):
            self.send_error(404)
        else:
            content = path.read_bytes()
            if path.suffix == ".html":
                content = re.sub(rb"([^\s\"]+\.js)#sha256-[^\s\"]+", self.with_checksum, content)
            if path.suffix in (".html", ".js"):
                content = self.renewed(content)
            cached = self.kept if path.suffix == ".html" else "no-cache"
            self.answer(content, {"Content-Type": self.guess_type(path), "Cache-Control": cached})

    def renewed(self, content: bytes) -> bytes:
        return content.replace(self.version.encode(), (self.new or self.version).encode())

    def with_checksum(self, found: re.Match[bytes]) -> bytes:
        """A page that waits for long compares its scripts with what it was told of them."""
        script = self.renewed(Path(self.directory, "some", "path", found[1].decode()).read_bytes())
        return found[1] + b"#sha256-" + b64encode(sha256(script).digest())

    def answer(self, content: bytes, headers: dict[str, str]) -> None:
        self.send_response(200)
        for name, value in {"Content-Length": str(len(content)), **headers}.items():
            self.send_header(name, value)
        SimpleHTTPRequestHandler.end_headers(self)
        self.wfile.write(content)


class Line(Handler):
    """All that is asked for shares so many Mbit/s, and each answer begins 40 ms late."""

    rate, free, lock = 10, 0.0, Lock()  # free: when the line will be

    def do_GET(self) -> None:
        time.sleep(0.04)
        super().do_GET()

    def copyfile(self, source: IO[bytes], outputfile: Any) -> None:
        while part := source.read(1 << 14):
            with self.lock:
                Line.free = max(Line.free, now := time.monotonic()) + len(part) / self.rate / 125_000
                wait = Line.free - now
            time.sleep(wait)
            outputfile.write(part)


@contextmanager
def guarded(browser: Browser, address: str) -> Iterator[BrowserContext]:
    """A browser that was never there. A page may ask no other host for anything, nor fail, nor complain."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    complaints: list[str] = []

    def asked(request: Request) -> None:
        parts = urlsplit(request.url)
        if parts.scheme not in ("data", "blob") and parts.netloc != urlsplit(address).netloc:
            complaints.append(f"asked for {request.url}")

    context.on("request", asked)
    context.on("response", lambda r: complaints.append(f"{r.status} {r.url}") if r.status >= 400 else None)
    context.on("console", lambda m: complaints.append(m.text) if m.type == "error" else None)
    context.on("weberror", lambda error: complaints.append(str(error.error)))
    yield context
    context.close()
    assert complaints == []


def with_save_data(context: BrowserContext) -> None:
    """The reading pages that it opens start no Python by themselves, and stay as they are."""
    context.add_init_script("Object.defineProperty(navigator, 'connection', { value: { saveData: true } })")


def luminance(color: str) -> float:
    """How bright a color of CSS is, from 0 to 1."""
    return sum(map(int, re.findall(r"\d+", color)[:3])) / 765


def violations(page: Page, colors: bool = False) -> list[Any]:
    """What breaks a rule of axe in a page as it is now: all rules, or those on colors alone."""
    options: dict[str, Any] = {"resultTypes": ["violations"]}
    if colors:
        options["runOnly"] = "color-contrast", "link-in-text-block"
    found = Axe().run(page, options=options).response
    tried = {rule["id"] for kind in ("passes", "violations", "incomplete") for rule in found[kind]}
    assert "color-contrast" in tried
    assert ("document-title" in tried) != colors
    return [(rule["id"], [node["html"] for node in rule["nodes"]]) for rule in found["violations"]]


def quiet(page: Page) -> None:
    """Wait until Python has run all that a live page has of its own."""
    page.wait_for_function("document.querySelector('.ck-status').textContent === ''", timeout=240_000)


class Live:
    """A live page whose cells can be changed."""

    def __init__(self, page: Page, address: str = "") -> None:
        self.page = page
        if address:
            page.goto(address)
        self.started()

    def started(self) -> None:
        """Wait until the cells can be changed; those of a chapter are unfolded then."""
        for here in (".ck-bar", ".ck-left"):  # the page's scripts come in any order
            self.page.locator(here).first.wait_for(state="attached", timeout=120_000)
        switch = self.page.locator("#ck-python[aria-pressed=false]:visible")
        if switch.count():
            switch.click()

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
        self.explorer.locator(".ck-picture").wait_for()
