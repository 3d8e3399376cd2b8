"""What random moves, clicks, keys and resets leave behind in memory: python -m tests.benchmarks.soak [MINUTES (10)]

With all explorers open in a notebook of `coursekit lab`. The memory of kernel and page is measured while they are used;
after a warm-up of a quarter of the time, in which caches fill, it must stay within 10 %.
"""

from __future__ import annotations

import ast
import random
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
from playwright.sync_api import Locator

import coursekit as ck
from tests.browser.harness import CHROMIUM, Notebook, chromium, jupyterlab, write

MEASURES = ("kernel MB", "page heap MB", "page nodes", "blob URLs")
SLIDER_KEYS = ("ArrowLeft", "ArrowRight", "PageUp", "PageDown", "Home", "End")
PICTURE_KEYS = ("n", "a", "ArrowLeft", "Shift+ArrowUp", "Delete", "Control+z", ".", ",", "c")
LISTEN = """
import gc, traceback
import psutil
import coursekit as ck
errors = []
get_ipython().showtraceback = lambda *_, **__: errors.append(traceback.format_exc())
"""
COUNT_URLS = """() => {
    const {createObjectURL, revokeObjectURL} = URL;
    const alive = window.aliveURLs = new Set();
    URL.createObjectURL = blob => { const url = createObjectURL.call(URL, blob); alive.add(url); return url; };
    URL.revokeObjectURL = url => { alive.delete(url); revokeObjectURL.call(URL, url); };
}"""


def showing(path: Path, names: list[str]) -> None:
    """A notebook that shows explorers. In one cell: JupyterLab keeps a toolbar of each cell that had the focus."""
    write(path, LISTEN, f"display(*(getattr(ck.explorers, name)() for name in {names!r}))")


class Session:
    """Plays with the explorers of a notebook that was run, at random, the same for the same seed."""

    def __init__(self, notebook: Notebook, seed: int = 0) -> None:
        self.notebook, self.page = notebook, notebook.page
        self.page.evaluate(COUNT_URLS)
        notebook.run()
        self.random, self.actions = random.Random(seed), 0
        self.explorers = self.page.locator(".ck-whole:visible").all()
        self.cdp = self.page.context.new_cdp_session(self.page)
        self.cdp.send("Performance.enable")

    def play(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            explorer = self.random.choice(self.explorers)
            explorer.scroll_into_view_if_needed()
            for _ in range(10):
                self.random.choice((self.slide, self.slide, self.choose, self.touch, self.key, self.reset))(explorer)
                self.actions += 1
            self.notebook.settle()

    def slide(self, explorer: Locator) -> None:
        self.random.choice(explorer.get_by_role("slider").filter(visible=True).all()).focus()
        for _ in range(self.random.randint(1, 8)):
            self.page.keyboard.press(self.random.choice(SLIDER_KEYS[:2] if self.random.random() < 0.8 else SLIDER_KEYS))

    def choose(self, explorer: Locator) -> None:
        if menus := explorer.locator("select").filter(visible=True).all():
            menu = self.random.choice(menus)
            menu.select_option(index=self.random.randrange(menu.locator("option").count()))

    def touch(self, explorer: Locator) -> None:
        box = explorer.locator(".ck-picture").bounding_box()
        x, y = (box[at] + self.random.random() * box[size] for at, size in (("x", "width"), ("y", "height")))
        self.page.mouse.move(x, y)
        self.page.mouse.down()
        self.page.mouse.move(x + self.random.randint(-40, 40), y + self.random.randint(-40, 40), steps=4)
        self.page.mouse.up()

    def key(self, explorer: Locator) -> None:
        explorer.locator(".ck-stage").focus()
        self.page.keyboard.press(self.random.choice(PICTURE_KEYS))

    def reset(self, explorer: Locator) -> None:
        explorer.get_by_role("button", name="Reset", exact=True).click()

    def measure(self) -> list[float]:
        """The `MEASURES`, with every explorer at its start and garbage collected."""
        for explorer in self.explorers:
            self.reset(explorer)
        self.notebook.settle()
        self.cdp.send("HeapProfiler.collectGarbage")
        page = {metric["name"]: metric["value"] for metric in self.cdp.send("Performance.getMetrics")["metrics"]}
        kernel = self._ask("gc.collect(); print(psutil.Process().memory_info().rss / 1e6)")
        return [kernel, page["JSHeapUsedSize"] / 1e6, page["Nodes"], self.page.evaluate("aliveURLs.size")]

    def _ask(self, code: str) -> Any:
        return ast.literal_eval(self.notebook.execute(code)["text"])

    def errors(self) -> list[str]:
        """What failed in the kernel and in the page."""
        return self._ask("print(errors)") + [text for text in self.notebook.complaints if "@jupyterlite" not in text]


def main(minutes: str = "10") -> None:
    if CHROMIUM is None:
        sys.exit("no Chromium on PATH: apt install chromium")
    with tempfile.TemporaryDirectory() as folder, jupyterlab(Path(folder, "course")) as address, chromium() as browser:
        showing(Path(folder, "course", "soak.ipynb"), ck.explorers.__all__)
        page = browser.new_page(viewport={"width": 1280, "height": 1000})
        session = Session(Notebook(page, address, "soak.ipynb"))
        print(f"{'minute':>8s}" + "".join(f"{name:>14s}" for name in MEASURES))
        samples, begin, rounds = [], time.monotonic(), 20
        for k in range(rounds):
            session.play(begin + 60 * float(minutes) * (k + 1) / rounds - time.monotonic())
            samples.append(session.measure())
            minute = (time.monotonic() - begin) / 60
            print(f"{minute:8.1f}" + "".join(f"{x:14.1f}" for x in samples[-1]), flush=True)
        first, _, last = np.array_split(samples[rounds // 4 :], 3)
        grown = np.median(last, axis=0) / np.maximum(np.median(first, axis=0), 1) - 1
        print(f"{'growth':>8s}" + "".join(f"{100 * x:13.1f}%" for x in grown))
        errors = session.errors()
        print(f"\n{session.actions} actions, {len(errors)} errors", *errors, sep="\n")
    sys.exit(bool(errors) or bool((grown > 0.1).any()))


if __name__ == "__main__":
    main(*sys.argv[1:])
