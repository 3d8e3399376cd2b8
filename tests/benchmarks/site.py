"""The site of `coursekit site`: from opening a lesson to its first picture, and from a key press to changed pixels.

    python -m tests.benchmarks.site [EXPLORER ...]

Each explorer stands beside its `interact` twin (see latency.py); both run in the browser's Python, in one run.
"""

import ast
import contextlib
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

import coursekit as ck
from tests.benchmarks.latency import PRESSES, output, pair, write
from tests.browser.harness import CHROMIUM, chromium
from tests.browser.lite import PYODIDE, Lesson, site


def main(*names: str) -> None:
    if CHROMIUM is None or not PYODIDE.is_dir():
        sys.exit(f"needs Chromium on PATH, and Pyodide in {PYODIDE} or where COURSEKIT_PYODIDE says")
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        Path("notebooks").mkdir()
        write(Path("notebooks/00-start.ipynb"))
        for name in names:
            write(Path(f"notebooks/{name}.ipynb"), *pair(name))
        with site(Path(folder, "served"), "--pyodide", str(PYODIDE)) as address, chromium() as browser:
            print(f"first picture in seconds, then {PRESSES} key presses of a slider, milliseconds\n")
            print("explorer          first    p50    p95  in Python  interact p50  ratio")
            for name in names:
                context = browser.new_context(viewport={"width": 1280, "height": 1000})
                begin = time.perf_counter()
                lesson = opened(context.new_page(), address, f"notebooks/{name}.ipynb")
                first = time.perf_counter() - begin
                lesson.page.wait_for_function("window.ran")
                (waits, spent), (others, _) = (measured(lesson, cell) for cell in (0, 1))
                p50, p95 = np.percentile(waits, [50, 95])
                peer = np.median(others)
                print(
                    f"{name:16s}{first:7.1f}{p50:7.0f}{p95:7.0f}{np.median(spent):11.0f}{peer:14.0f}{peer / p50:7.1f}",
                    flush=True,
                )
                context.close()


def opened(page: object, address: str, path: str) -> Lesson:
    """A lesson whose cells are being run, once it shows an explorer; `window.ran` when all have been."""
    lesson = Lesson(page, address, path)
    run = "jupyterapp.commands.execute('notebook:run-all-cells')"
    page.evaluate(f"() => {{ {run}.then(() => {{ window.ran = true; }}); }}")
    page.locator(".jp-OutputArea .ck-picture").first.wait_for(timeout=240_000)
    return lesson


def measured(lesson: Lesson, cell: int) -> tuple[np.ndarray, np.ndarray]:
    spent = "print(spent); spent.clear()"
    return output(lesson, cell, lambda: ast.literal_eval(lesson.execute(spent)["text"])).keys("separability")


if __name__ == "__main__":
    main(*(sys.argv[1:] or ck.explorers.__all__))
