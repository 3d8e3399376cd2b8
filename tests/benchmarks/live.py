"""A reading page that comes alive, beside the lab of the same site, in one run:

    python -m tests.benchmarks.live [CHAPTER ...]

Seconds to the first explorer at the first and second visit and on the next page, then key to changed pixels.
"""

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
from playwright.sync_api import BrowserContext, Page, sync_playwright

from tests.benchmarks.latency import PRESSES, Area
from tests.benchmarks.site import opened
from tests.browser.harness import CHROMIUM, FLAGS
from tests.browser.lite import PYODIDE, site

FIRST = ".ck-live:not(.ck-coming) .ck-picture, .jp-OutputArea .ck-picture"
WATCH = """
const look = () => {
    if (document.querySelector("FIRST")) window.first = performance.now() / 1000; // since the page was asked for
    else requestAnimationFrame(look);
};
look();
""".replace("FIRST", FIRST)
QUIET = "document.querySelector('.ck-status')?.textContent === ''"  # it has said that it starts, and is live


def reading_page(page: Page, address: str) -> Area:
    """The first explorer of a reading page."""
    page.goto(address)
    page.locator(FIRST).first.wait_for(timeout=240_000)
    return Area(page, page.locator(".ck-live:has(.ck-picture)").first)


def lab_page(page: Page, address: str, path: str) -> Area:
    """The first explorer of a lesson, all of whose cells are run."""
    lesson = opened(page, address, path)
    return Area(page, page.locator(".jp-OutputArea:has(.ck-picture)").first, lesson.settle, list)


def timed(make: Callable[..., Area], context: BrowserContext, *where: str) -> tuple[float, Area]:
    """Seconds to the first explorer by the page's own clock, and the explorer."""
    page = context.new_page()
    area = make(page, *where)
    return page.evaluate("first"), area


def keys(area: Area) -> np.ndarray:
    label = next(name for name in ("visit", "separability", "eta", "lambda") if name in area.sliders())
    return np.percentile(area.keys(label)[0], [50, 95])


def main(*chapters: str) -> None:
    if CHROMIUM is None or not PYODIDE.is_dir():
        sys.exit(f"needs Chromium on PATH, and Pyodide in {PYODIDE} or where COURSEKIT_PYODIDE says")
    with tempfile.TemporaryDirectory() as folder, site(Path(folder), "--pyodide", str(PYODIDE)) as address:
        for name in chapters:
            ways = {
                "reading page": (reading_page, f"{address}read/{name}.html"),
                "lab": (lab_page, address, f"notebooks/{name}.ipynb"),
            }
            found = {}
            for way, (make, *where) in ways.items():
                with sync_playwright() as playwright, tempfile.TemporaryDirectory() as profile:
                    # Without a profile of its own, a browser keeps no large files for the second visit.
                    context = playwright.chromium.launch_persistent_context(
                        profile, executable_path=CHROMIUM, args=FLAGS.split(), viewport={"width": 1280, "height": 1000}
                    )
                    context.add_init_script(WATCH)
                    cold, area = timed(make, context, *where)
                    area.page.wait_for_function(f"window.ran || {QUIET}", timeout=600_000)
                    p50, p95 = keys(area)
                    if way == "reading page":
                        area.page.wait_for_function("async () => Boolean(await caches.match(location.href))")
                        beside = f"read/{area.page.locator('nav a').last.get_attribute('href')}"
                    area.page.close()
                    warm, area = timed(make, context, *where)
                    area.page.close()
                    found[way] = np.array([cold, warm, p50, p95])
                    print(f"{name} {way:12s}: first explorer {cold:5.1f} s, again {warm:5.1f} s; "
                          f"{PRESSES} keys {p50:.0f} / {p95:.0f} ms", flush=True)
                    if way == "reading page":
                        then = timed(reading_page, context, address + beside)[0]
                        print(f"{name}, then {beside}: {then:5.1f} s", flush=True)
                    context.close()
            ratios = found["lab"] / found["reading page"]
            print(f"{name} lab / reading page: {', '.join(f'{ratio:.1f}' for ratio in ratios)}\n", flush=True)


if __name__ == "__main__":
    main(*(sys.argv[1:] or ("02-perceptron", "07-choosing-features")))
