"""The site in a browser, to first picture and from key to pixels: python -m tests.benchmarks.site lab|pages [NAME ...]

lab: from opening a lesson on; each explorer beside its `interact` twin (see latency.py). pages: a reading page that
comes alive beside the lab, at the first visit and the second, and on the next page; both on this computer, and with
50 and 10 Mbit/s, 40 ms and the page's own thread four times slower.
"""

import contextlib
import sys
import tempfile
from pathlib import Path

import numpy as np
from playwright.sync_api import BrowserContext, sync_playwright

import coursekit as ck
from tests.benchmarks.latency import PRESSES, Area, output, pair
from tests.browser.harness import CHROMIUM, FLAGS, chromium, until, write
from tests.browser.lite import PYODIDE, Lesson, Line, hosted, site

FIRST = ".ck-live:not(.ck-coming) .ck-picture, .jp-OutputArea .ck-picture"
WATCH = """
const look = () => {
    if (document.querySelector("FIRST")) window.first = performance.now() / 1000; // since the page was asked for
    else setTimeout(look, 50); // each frame, it would be a third of what a page's scripts do
};
look();
""".replace("FIRST", FIRST)
SCREEN = {"width": 1280, "height": 1000}


def first(context: BrowserContext, address: str, path: str, slow: int = 1) -> tuple[float, Area, Lesson]:
    """Seconds to the first explorer of a page, or of a lesson whose cells are run, by the page's own clock."""
    page = context.new_page()
    context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": slow})
    lesson = Lesson(page, address, "" if path.endswith(".html") else path)
    if path.endswith(".html"):
        page.goto(address + path)
        page.wait_for_function("window.first", polling=500, timeout=240_000)  # who looks at each frame slows it down
        area = Area(page, page.locator(".ck-live:not(.ck-coming):has(.ck-picture)").first)
        ready = "document.querySelector('.ck-status').textContent === ''"
    else:
        lesson.start()
        area = Area(page, page.locator(".jp-OutputArea:has(.ck-picture)").first, lesson.settle)
        ready = "window.ran"
    page.locator(FIRST).first.wait_for(timeout=240_000)
    seconds = page.evaluate("first")
    page.wait_for_function(ready, timeout=600_000)
    return seconds, area, lesson


def lab(*names: str) -> None:
    Path("notebooks").mkdir()
    write(Path("notebooks/00-start.ipynb"))
    for name in names:
        write(Path(f"notebooks/{name}.ipynb"), *pair(name))
    with site(Path("served").resolve(), "--pyodide", str(PYODIDE)) as address, chromium() as browser:
        print("explorer          first    p50    p95  in Python  interact p50  ratio")
        for name in names:
            context = browser.new_context(viewport=SCREEN)
            context.add_init_script(WATCH)
            seconds, _, lesson = first(context, address, f"notebooks/{name}.ipynb")
            (waits, spent), (others, _) = (output(lesson, cell).keys("separability") for cell in (0, 1))
            p50, p95 = np.percentile(waits, [50, 95])
            peer, ours = np.median(others), f"{seconds:7.1f}{p50:7.0f}{p95:7.0f}{np.median(spent):11.0f}"
            print(f"{name:16s}{ours}{peer:14.0f}{peer / p50:7.1f}", flush=True)
            context.close()


def pages(*chapters: str) -> None:
    with contextlib.ExitStack() as open_:
        folder = Path(open_.enter_context(tempfile.TemporaryDirectory()))
        here = open_.enter_context(site(folder, "--pyodide", str(PYODIDE)))
        far = open_.enter_context(hosted(folder, Line)) + "some/path/"
        for name in chapters:
            for line, address, slow in (("localhost", here, 1), ("50 Mbit/s", far, 4), ("10 Mbit/s", far, 4)):
                Line.rate = 50 if line.startswith("50") else 10
                found = {way: visits(name, f"{way}, {line}", address, path, slow) for way, path in (
                    ("page", f"read/{name}.html"), ("lab", f"notebooks/{name}.ipynb"))}
                ratios = ", ".join(f"{ratio:.1f}" for ratio in found["lab"] / found["page"])
                print(f"{name} lab / page, {line}: {ratios}\n", flush=True)


def visits(name: str, way: str, address: str, path: str, slow: int) -> np.ndarray:
    """Seconds at the first visit and the second; p50 and p95 of keys in ms."""
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as profile:
        # Without a profile of its own, a browser keeps no large files for the second visit.
        context = playwright.chromium.launch_persistent_context(
            profile, executable_path=CHROMIUM, args=FLAGS.split(), viewport=SCREEN)
        context.add_init_script(WATCH)
        cold, area, lesson = first(context, address, path, slow)
        label = next(word for word in ("emails seen", "separability", "lambda") if word in area.sliders())
        p50, p95 = np.percentile(area.keys(label)[0], [50, 95])
        if path.endswith(".html"):
            until(lesson.page, "async () => Boolean(await caches.match(new URL('memory', document.querySelector("
                               "'script[type=module]').src)))")
            beside = f"read/{lesson.page.locator('nav a').last.get_attribute('href')}"
        lesson.page.close()
        warm = first(context, address, path, slow)[0]
        print(f"{name} {way}: first explorer {cold:5.1f} s, again {warm:5.1f} s; "
              f"{PRESSES} keys {p50:.0f} / {p95:.0f} ms", flush=True)
        if path.endswith(".html"):
            print(f"{name} {way}, then {beside}: {first(context, address, beside, slow)[0]:5.1f} s", flush=True)
        context.close()
    return np.array([cold, warm, p50, p95])


def main(what: str, *names: str) -> None:
    if CHROMIUM is None or not PYODIDE.is_dir():
        sys.exit(f"needs Chromium on PATH, and Pyodide in {PYODIDE} or where COURSEKIT_PYODIDE says")
    if what == "pages":
        pages(*(names or ("02-perceptron", "07-choosing-features")))
        return
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        lab(*(names or ck.explorers.__all__))


if __name__ == "__main__":
    main(*(sys.argv[1:] or ["lab"]))
