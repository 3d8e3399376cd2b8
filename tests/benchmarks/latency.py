"""From a key press to changed pixels, beside `interact` and pyplot: python -m tests.benchmarks.latency [EXPLORER ...]

Each explorer, or those named, by the slider that it shows first and by its separability, which changes all that it
computes. Both are served by `coursekit lab` and driven in one headless Chromium in one run. The twin has the same
controls, computes the same, and draws the same plots, but into a new figure each time, which Jupyter's inline backend
encodes: what a few lines with `interact` give. A drag: a slider that moves at each of the screen's frames for 2 s.
"""

from __future__ import annotations

import ast
import random
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import numpy as np
from playwright.sync_api import Locator, Page, TimeoutError

import coursekit as ck
from tests.browser.harness import CHROMIUM, Notebook, chromium, jupyterlab, write

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

Timed(show={show!r})
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
first = plain()
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
    view.__dict__.update(_narrow=False, _own=None, values=values, picture=SimpleNamespace(redraw=lambda: None))
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
# Moves a slider at each frame for two seconds, over five stops again and again (over two, whoever is sent every second
# of them has no new picture); the picture is looked at as above.
DRAG = """async slider => {
    const frame = () => new Promise(requestAnimationFrame), from = slider.valueAsNumber;
    const [up, down] = [Number(slider.max) - from, from - Number(slider.min)], begin = performance.now();
    const way = up >= down ? 1 : -1, stops = Math.min(5, Math.max(up, down) + 1);
    let last = begin;
    for (let k = 0; last - begin < 2000; k++) {
        slider.valueAsNumber = from + way * ((k + 1) % stops);
        slider.dispatchEvent(new Event("input", { bubbles: true }));
        last = await frame();
    }
    await new Promise((done) => setTimeout(done, 500));
    const changes = seen.changes.filter((at) => at >= begin);
    return [changes.filter((at) => at <= last).length / (last - begin) * 1000, changes.at(-1) - last];
}"""


def sliders(name: str) -> tuple[str, ...]:
    """The slider that an explorer shows first, and its separability, unless it is idle."""
    explorer = getattr(ck.explorers, name)()
    first = [key for key, control in explorer.controls.items()
             if (key in explorer.main or key == explorer.run) and getattr(control, "slides", False)]
    return tuple(key for key in dict.fromkeys([*first[:1], "separability"]) if not explorer.controls[key].disabled)


def pair(name: str) -> tuple[str, str]:
    """The cells with an explorer and its twin."""
    return EXPLORER.format(name=name, show=sliders(name)), TWIN.format(name=name)


class Area:
    """Sliders above a picture. settle: waits until all is answered. spent: the kernel's list of callback times, which
    is emptied; what is no notebook of ours cannot be asked for it."""

    def __init__(self, page: Page, area: Locator, settle: Callable[[], None] = lambda: time.sleep(0.2),
                 spent: Callable[[], list[float]] = lambda: [np.nan]) -> None:
        self.page, self.area, self.settle, self.spent = page, area, settle, spent
        self.area.locator("img[src], canvas").first.wait_for(timeout=240_000)
        self.area.scroll_into_view_if_needed()

    def sliders(self) -> list[str]:
        return self.area.locator(".widget-hslider:visible > .widget-label").all_text_contents()

    def watched(self, label: str) -> Locator:
        """The handle of a slider, which has the focus; the picture is looked at from now on."""
        self.page.bring_to_front()
        self.area.scroll_into_view_if_needed()
        slider = self.area.locator(f'.widget-hslider:has(> .widget-label:text-is("{label}"))').get_by_role("slider")
        slider.focus()
        self.area.evaluate(WATCH)
        return slider

    def rest(self) -> None:
        time.sleep(0.1)
        self.settle()
        # A person presses at no fixed moment of the browser's 60 Hz clock.
        time.sleep(0.05 + 0.02 * random.random())

    def keys(self, label: str) -> tuple[np.ndarray, np.ndarray]:
        """Milliseconds from key to picture, and those spent in the callback, on a way out and back.

        A key after which the picture looks as before is not counted: no frame is sent.
        """
        handle = self.watched(label)
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

    def drag(self, label: str) -> tuple[float, float]:
        """Pictures a second while a slider moves at each frame, and milliseconds from its last move to the last."""
        rate, late = self.watched(label).evaluate(DRAG)
        self.page.evaluate("window.seen = null")
        self.rest()
        return rate, late


def output(notebook: Notebook, cell: int) -> Area:
    """What a cell of a notebook shows."""
    area = notebook.panel.locator(".jp-CodeCell").nth(cell).locator(".jp-OutputArea").first
    spent = "print(spent); spent.clear()"
    return Area(notebook.page, area, notebook.settle, lambda: ast.literal_eval(notebook.execute(spent)["text"]))


def main(*names: str) -> None:
    if CHROMIUM is None:
        sys.exit("no Chromium on PATH: apt install chromium")
    print(f"{PRESSES} key presses, milliseconds; a drag: pictures a second, and how late the last is\n")
    print("explorer       slider        pictures  p50  p95 in kernel drag  late  interact ratio")
    with tempfile.TemporaryDirectory() as folder, jupyterlab(Path(folder) / "course") as address, chromium() as browser:
        for name in names or ck.explorers.__all__:
            write(Path(folder, "course", f"{name}.ipynb"), *pair(name))
            page = browser.new_page(viewport={"width": 1280, "height": 1000})
            notebook = Notebook(page, address, f"{name}.ipynb")
            notebook.run()
            measure(name, *(output(notebook, cell) for cell in (0, 1)))
            page.close()


def measure(name: str, ours: Area, other: Area) -> None:
    """The sliders that both show."""
    shared = other.sliders()
    for label in filter(shared.__contains__, ours.sliders()):
        (waits, spent), (others, _) = ours.keys(label), other.keys(label)
        p50, p95 = np.percentile(waits, [50, 95]) if len(waits) else (np.nan, np.nan)
        peer = np.median(others) if len(others) else np.nan
        rate, late = ours.drag(label)
        inside = np.median(spent) if len(spent) else np.nan
        print(f"{name:15s}{label:14s}{len(waits):8d}{p50:5.0f}{p95:5.0f}{inside:10.1f}{rate:5.0f}{late:6.0f}{peer:10.0f}"
              f"{peer / p50:6.1f}", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
