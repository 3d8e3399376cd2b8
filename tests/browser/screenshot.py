"""Take the README's picture anew: python -m tests.browser.screenshot"""

import tempfile
from pathlib import Path

from tests.browser.harness import Notebook, chromium, jupyterlab

PICTURE = Path(__file__).parents[2] / "notebooks" / "images" / "lab.png"


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, jupyterlab(Path(folder) / "course") as address, chromium() as browser:
        page = browser.new_page(viewport={"width": 1180, "height": 1000})
        chapter = Notebook(page, address, "notebooks/02-perceptron.ipynb")
        page.evaluate("jupyterapp.commands.execute('application:toggle-left-area')")
        chapter.run()
        chapter.panel.locator(".jp-CodeCell").first.evaluate("cell => cell.scrollIntoView()")
        page.mouse.move(0, 0)
        chapter.settle()
        PICTURE.parent.mkdir(exist_ok=True)
        page.screenshot(path=PICTURE)


if __name__ == "__main__":
    main()
