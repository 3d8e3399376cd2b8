"""The site of `coursekit site`: from opening a lesson to its first picture, and from a key press to changed pixels.

    python -m tests.benchmarks.site [EXPLORER ...]

Each explorer stands beside its `interact` twin (see latency.py); both run in the browser's Python, in one run.
"""

from __future__ import annotations

import ast
import contextlib
import sys
import tempfile
import time
from pathlib import Path

import nbformat
import numpy as np

import coursekit as ck
from tests.benchmarks.latency import EXPLORER, PRESSES, TWIN, Area
from tests.browser.harness import CHROMIUM, chromium
from tests.browser.lite import PYODIDE, Lesson, site


class Output(Area):
    def spent(self) -> list[float]:
        return ast.literal_eval(self.notebook.execute("print(spent); spent.clear()")["text"])


def main(*names: str) -> None:
    if CHROMIUM is None or not PYODIDE.is_dir():
        sys.exit(f"needs Chromium on PATH, and Pyodide in {PYODIDE} or where COURSEKIT_PYODIDE says")
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        for name in ("00-start", *names):
            kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3"}}
            notebook = nbformat.v4.new_notebook(metadata=kernel)
            if name in names:
                codes = (code.format(name=name, preset="").strip() for code in (EXPLORER, TWIN))
                notebook.cells = [nbformat.v4.new_code_cell(code) for code in codes]
            Path("notebooks").mkdir(exist_ok=True)
            nbformat.write(notebook, f"notebooks/{name}.ipynb")
        with site(Path(folder, "served"), "--pyodide", str(PYODIDE)) as address, chromium() as browser:
            print(f"first picture in seconds, then {PRESSES} key presses of a slider, milliseconds\n")
            print("explorer          first    p50    p95  in Python  interact p50  ratio")
            for name in names:
                context = browser.new_context(viewport={"width": 1280, "height": 1000})
                begin = time.perf_counter()
                lesson = Lesson(context.new_page(), address, f"notebooks/{name}.ipynb")
                run = "jupyterapp.commands.execute('notebook:run-all-cells')"
                lesson.page.evaluate(f"() => {{ {run}.then(() => {{ window.ran = true; }}); }}")
                lesson.page.locator("img.ck-picture").wait_for(timeout=120_000)
                first = time.perf_counter() - begin
                lesson.page.wait_for_function("window.ran")
                (waits, spent), (others, _) = (Output(lesson, cell).keys("separability") for cell in (0, 1))
                p50, p95 = np.percentile(waits, [50, 95])
                peer = np.median(others)
                print(
                    f"{name:16s}{first:7.1f}{p50:7.0f}{p95:7.0f}{np.median(spent):11.0f}{peer:14.0f}{peer / p50:7.1f}",
                    flush=True,
                )
                context.close()


if __name__ == "__main__":
    main(*(sys.argv[1:] or ck.explorers.__all__))
