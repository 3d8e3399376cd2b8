"""From a key press to changed pixels: an explorer beside the same picture made with `interact` and pyplot.

    python -m tests.benchmarks.latency [--demo] [--sharp] [EXPLORER [PRESET]]

Both are served by `coursekit lab` and driven in one headless Chromium in one run. The twin has the same
controls, computes the same, and draws the same plots, but into a new figure each time, which Jupyter's
inline backend encodes: this is what a few lines with `interact` give. With --demo: the page of
`coursekit demo`, in a window of 1280 x 1000, beside the same explorer in JupyterLab. With --sharp: on a screen of two
pixels to one of the page.
"""

from __future__ import annotations

import ast
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import numpy as np
from playwright.sync_api import Locator, Page, TimeoutError

from tests.browser.harness import CHROMIUM, Notebook, chromium, jupyterlab, serving, write

PRESSES = 40

EXPLORER = """
import time
import coursekit as ck

spent = []  # seconds inside the slider's callback

class Timed(ck.explorers.{name}):
    def _moved(self, name, change):
        begin = time.perf_counter()
        super()._moved(name, change)
        spent.append(time.perf_counter() - begin)

Timed({preset!r})
"""
TWIN = """
%matplotlib inline
from types import SimpleNamespace
import matplotlib.style
import ipywidgets
from IPython.display import display
from coursekit.explorers.controls import put
from coursekit.plots import STYLE

plain = ck.explorers.{name}
first = plain({preset!r})
wanted = first.wanted(first.values)
controls = {{key: control.make() for key, control in plain.declared.items() if key != "before"}}
for key, control in controls.items():
    if plain.declared[key].last:
        control.max = first.controls[key].max
    put(control, first.values[key])

def draw(**values):
    begin = time.perf_counter()
    known = first.known(values)
    found = plain._model(known=known)
    view = plain.__new__(plain)
    view.__dict__.update(_narrow=False, values=values, picture=SimpleNamespace(redraw=lambda: None))
    with matplotlib.style.context(STYLE):
        sheet, _ = view._lay_out(wanted)
        sentence = plain._show(view, found, known=known)
        display(sheet)
    print(sentence)
    spent.append(time.perf_counter() - begin)

ipywidgets.interact(draw, **controls);
"""
# Looks at the picture in every frame that the browser makes.
WATCH = """area => {
    const seen = window.seen = { asked: 0, changes: [] }, picture = () => area.querySelector("img, canvas");
    const state = () => picture()?.dataset.drawn ?? picture()?.src;
    let shown = state();
    document.addEventListener("keydown", event => { seen.asked = event.timeStamp; }, true);
    const look = () => {
        if (window.seen !== seen) return;
        if (picture() && picture().complete !== false && state() !== shown) {
            shown = state();
            seen.changes.push(performance.now());
        }
        requestAnimationFrame(look);
    };
    look();
}"""


def pair(name: str, preset: str = "") -> Iterator[str]:
    """The cells with an explorer and its twin."""
    return (code.format(name=name, preset=preset) for code in (EXPLORER, TWIN))


class Area:
    """Sliders above a picture. settle: waits until all is answered. spent: the kernel's list of callback times, which
    is emptied; what is no notebook of ours cannot be asked for it."""

    def __init__(
        self, page: Page, area: Locator, settle: Callable[[], None] = lambda: time.sleep(0.2),
        spent: Callable[[], list[float]] = lambda: [np.nan],
    ) -> None:
        self.page, self.area, self.settle, self.spent = page, area, settle, spent
        self.area.locator("img[src], canvas").first.wait_for(timeout=240_000)
        self.area.scroll_into_view_if_needed()

    def sliders(self) -> list[str]:
        return self.area.locator(".widget-hslider:visible > .widget-label").all_text_contents()

    def handle(self, label: str) -> Locator:
        return self.area.locator(f'.widget-hslider:has(> .widget-label:text-is("{label}"))').get_by_role("slider")

    def rest(self) -> None:
        time.sleep(0.1)
        self.settle()
        # A person presses at no fixed moment of the browser's 60 Hz clock.
        time.sleep(0.05 + 0.02 * random.random())

    def keys(self, label: str) -> tuple[np.ndarray, np.ndarray]:
        """Milliseconds from key to picture, and those spent in the callback, on a way out and back.

        A key after which the picture looks as before is not counted: no frame is sent.
        """
        self.page.bring_to_front()
        self.area.scroll_into_view_if_needed()
        handle = self.handle(label)
        handle.focus()
        self.area.evaluate(WATCH)
        self.spent()
        waits, way = [], 1
        for press in range(PRESSES):
            now, low, high = (float(handle.get_attribute(f"aria-value{what}") or 0) for what in ("now", "min", "max"))
            if press == PRESSES // 2 or not low <= now + way <= high:
                way = -way
            before = self.page.evaluate("seen.changes.length")
            handle.press("ArrowRight" if way > 0 else "ArrowLeft")
            with suppress(TimeoutError):
                self.page.wait_for_function("n => seen.changes.length > n", arg=before, timeout=3_000)
                waits.append(self.page.evaluate("n => seen.changes[n] - seen.asked", before))
            self.rest()
        self.page.evaluate("window.seen = null")
        return np.array(waits), 1000 * np.array(self.spent())


def output(notebook: Notebook, cell: int) -> Area:
    """What a cell of a notebook shows."""
    area = notebook.panel.locator(".jp-CodeCell").nth(cell).locator(".jp-OutputArea").first
    spent = "print(spent); spent.clear()"
    return Area(notebook.page, area, notebook.settle, lambda: ast.literal_eval(notebook.execute(spent)["text"]))


def main(name: str = "perceptron", preset: str = "", demo: bool = False, ratio: int = 1) -> None:
    if CHROMIUM is None:
        sys.exit("no Chromium on PATH: apt install chromium")
    with tempfile.TemporaryDirectory() as folder, jupyterlab(Path(folder) / "course") as address, chromium() as browser:
        write(Path(folder, "course", "latency.ipynb"), *pair(name, preset))
        page = browser.new_page(viewport={"width": 1280, "height": 1000}, device_scale_factor=ratio)
        notebook = Notebook(page, address, "latency.ipynb")
        notebook.run()
        explorer, twin = (output(notebook, cell) for cell in (0, 1))
        if not demo:
            measure({"explorer": explorer, "interact": twin})
            return
        with serving("demo", name, preset, settings=Path(folder)) as address:
            other = browser.new_page(viewport=page.viewport_size, device_scale_factor=ratio)
            other.goto(address.replace("/?", "/stage?"), wait_until="commit")
            measure({"demo": Area(other, other.locator(".ck-demo")), "lab": explorer})


def measure(areas: dict[str, Area]) -> None:
    """What is measured, then what it is compared with."""
    ours, theirs = areas
    print(f"{PRESSES} key presses, milliseconds\n")
    print(f"{'slider':14s}{'':10s}{'pictures':>10s}{'p50':>7s}{'p95':>7s}{'in kernel, p50':>16s}")
    shared = areas[theirs].sliders()
    for label in filter(shared.__contains__, areas[ours].sliders()):  # some explorers have sliders of their own
        p50 = {}
        for who, area in areas.items():
            waits, spent = area.keys(label)
            p50[who], p95 = np.percentile(waits, [50, 95]) if len(waits) else (np.nan, np.nan)
            inside = np.median(spent) if len(spent) else np.nan
            print(f"{label:14s}{who:10s}{len(waits):10d}{p50[who]:7.0f}{p95:7.0f}{inside:16.1f}", flush=True)
        print(f"{'':14s}{'ratio':10s}{'':10s}{p50[theirs] / p50[ours]:7.1f}")


if __name__ == "__main__":
    main(*[word for word in sys.argv[1:] if not word.startswith("--")], demo="--demo" in sys.argv,
         ratio=1 + ("--sharp" in sys.argv))
