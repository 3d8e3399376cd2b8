"""The course in a real JupyterLab in a real browser, driven by commands, keys and clicks."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import urlsplit

import nbformat
from playwright.sync_api import Browser, Locator, Page, expect, sync_playwright

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
FLAGS = (
    "--headless=new --no-sandbox --disable-gpu --disable-quic --no-first-run "
    "--disable-background-networking --disable-component-update --disable-sync"
)
expect.set_options(timeout=30_000)  # on a busy machine


@contextmanager
def jupyterlab(folder: Path) -> Iterator[str]:
    """`coursekit lab` with a copy of the course in `folder`; yields the address it prints."""
    settings = folder.with_name(folder.name + "-settings")
    settings.mkdir()
    (settings / "jupyter_lab_config.py").write_text("c.LabApp.expose_app_in_browser = True\n")
    with serving("lab", str(folder), settings=settings) as address:
        yield address


@contextmanager
def serving(*arguments: str, settings: Path, program: str = "coursekit") -> Iterator[str]:
    """A command that serves pages; yields the address it prints. settings: a folder of its own."""
    command = shutil.which(program, path=os.path.dirname(sys.executable))
    server = subprocess.Popen(
        [command, *arguments, "--no-browser"],  # each takes the next port that is free, and says which
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        # A person's own JupyterLab settings must not decide a test.
        env={
            **os.environ, "JUPYTER_CONFIG_DIR": str(settings), "JUPYTERLAB_WORKSPACES_DIR": str(settings),
            "JUPYTER_RUNTIME_DIR": str(settings / "runtime"),
            "COURSEKIT_FOLDED": "",
        },
    )
    try:
        said = ""
        while not (found := re.search(r"http://localhost\S+", said)):
            said += (line := server.stdout.readline())
            if not line:
                raise RuntimeError(f"{program} {arguments[0]} did not start:\n{said}")
        Thread(target=server.stdout.read, daemon=True).start()  # a full pipe would stop it
        yield found[0]
    finally:
        server.terminate()
        try:
            server.wait(20)
        except subprocess.TimeoutExpired:  # Jupyter waits for ever for a kernel that was stopped while it started
            server.kill()


def write(path: Path, *codes: str) -> None:
    """A notebook with these cells."""
    cells = [nbformat.v4.new_code_cell(code.strip()) for code in codes]
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3"}}
    nbformat.write(nbformat.v4.new_notebook(cells=cells, metadata=kernel), path)


@contextmanager
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS.split())
        yield browser
        browser.close()


@contextmanager
def alone(browser: Browser, address: str, width: int, height: int) -> Iterator[Page]:
    """A page opened where no other server can be reached. No fault of its scripts may be left."""
    context = browser.new_context(viewport={"width": width, "height": height})
    context.route(lambda url: urlsplit(url).hostname != "localhost", lambda route: route.abort())
    page, faults = context.new_page(), []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.goto(address, timeout=120_000)  # until Python is there, on a busy machine
    yield page
    context.close()
    assert faults == []


def until(page: Page, condition: str, arg: Any = None) -> None:
    """Wait until an async condition holds in the page: wait_for_function would take its promise for a yes."""
    page.evaluate(
        f"""async arg => {{
            const holds = {condition}, end = Date.now() + 30_000;
            while (!(await holds(arg))) {{
                if (Date.now() > end) throw new Error(`not so after 30 s: ${{holds}}`);
                await new Promise((resolve) => setTimeout(resolve, 50));
            }}
        }}""",
        arg,
    )


class Notebook:
    """One notebook, opened in JupyterLab. What fails in the browser's console is kept in `complaints`."""

    def __init__(self, page: Page, address: str, path: str) -> None:
        self.page = page
        self.complaints: list[str] = []
        page.on("pageerror", lambda error: self.complaints.append(error.stack or str(error)))
        page.on("console", lambda m: self.complaints.append(m.text) if m.type == "error" else None)
        page.goto(re.sub(r"/lab/tree/[^?]*", f"/lab/tree/{path}", address) + "&reset")
        self.opened(path)
        self.panel = page.locator(".jp-NotebookPanel:visible")
        self.explorers = self.panel.locator(".jp-OutputArea-output:has(.ck-picture)")
        self.explorer = self.explorers.first

    def opened(self, path: str) -> None:
        """Wait until the notebook is on the screen and its kernel has started."""
        self.page.wait_for_function(
            "path => window.jupyterapp?.shell?.currentWidget?.context?.path === path", arg=path, timeout=60_000
        )
        self.page.evaluate("jupyterapp.shell.currentWidget.context.sessionContext.ready")

    @property
    def text(self) -> str:
        return self.page.evaluate("() => JSON.stringify(jupyterapp.shell.currentWidget.content.model.toJSON())")

    def run(self, explorer: bool = True) -> None:
        """Run all cells to the last; none may fail or warn. Then show the first explorer, if there is one."""
        self.start()
        self.page.wait_for_function("window.ran", timeout=240_000)
        self.settle()
        cells = [cell for cell in json.loads(self.text)["cells"] if cell["cell_type"] == "code"]
        outputs = [output for cell in cells for output in cell["outputs"]]
        assert [o for o in outputs if o["output_type"] == "error" or o.get("name") == "stderr"] == []
        assert all(cell["execution_count"] for cell in cells)
        if explorer:
            self.explorer.scroll_into_view_if_needed()

    def start(self) -> None:
        """Begin to run all cells; `window.ran` when all have been."""
        self.page.evaluate(
            """() => {
                window.ran = false;
                jupyterapp.commands.execute("notebook:run-all-cells").then(() => { window.ran = true; });
            }"""
        )

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
        """Go on with another explorer of the notebook."""
        self.explorer = self.explorers.nth(number)
        self.explorer.scroll_into_view_if_needed()

    def settle(self) -> None:
        """Wait until the kernel has nothing left to do."""
        self.page.wait_for_function(
            "jupyterapp.shell.currentWidget.sessionContext.session?.kernel?.status === 'idle'", timeout=60_000
        )
        # A slider's value does not show in the status. It is answered in turn, and so is one that waits in the
        # browser until the kernel is free.
        self.page.evaluate(
            """async () => {
                const { kernel } = jupyterapp.shell.currentWidget.sessionContext.session;
                await kernel.requestKernelInfo();
                await kernel.requestKernelInfo();
            }"""
        )

    def prediction(self, number: int) -> Locator:
        found = self.panel.locator(".ck-prediction").nth(number)
        found.scroll_into_view_if_needed()
        return found

    def said(self, shown: Locator, text: str) -> None:
        """Wait until the answer to a prediction is told, there where the focus is."""
        shown.get_by_role("status").get_by_text(text, exact=True).wait_for()
        assert self.page.evaluate("document.activeElement.textContent") == text

    @property
    def words(self) -> Locator:
        return self.explorer.locator(".ck-sentence")

    def sentence(self) -> str:
        return self.words.text_content().replace("\u00a0", " ")  # a page breaks no line within λ = 0.1

    def slider(self, label: str) -> Locator:
        return self.labeled(label).get_by_role("slider")

    def labeled(self, label: str) -> Locator:
        """A control, in view: the drawer is opened if it lies there."""
        found = self.explorer.locator(f'.widget-inline-hbox:has(> .widget-label:text-is("{label}"))')
        if not found.is_visible():
            self.explorer.locator(".ck-more").click()
            found.wait_for()
        return found

    def press(self, label: str, key: str) -> None:
        """Press a key on the slider, and wait for the picture to change."""
        slider = self.slider(label)
        with self.new_picture():
            slider.press(key)

    def click(self, label: str) -> None:
        """Click a button, and wait for the picture to change."""
        with self.new_picture():
            self.explorer.get_by_role("button", name=label, exact=True).click()

    @contextmanager
    def new_picture(self) -> Iterator[None]:
        """Whatever is done inside must change the picture."""
        self.settle()
        picture = self.explorer.locator(".ck-picture")
        before = picture.evaluate(PIXELS)
        yield
        self.page.wait_for_function(
            f"([image, before]) => !['', before].includes(({PIXELS})(image))",
            arg=[picture.element_handle(), before], polling=20, timeout=10_000,
        )


# What a picture shows now, as a data URL; empty while it shows nothing.
PIXELS = "canvas => canvas.dataset.drawn ? canvas.toDataURL() : ''"
