from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext

from tests.browser.harness import CHROMIUM, Notebook, chromium, jupyterlab
from tests.browser.lite import PYODIDE, Guard, site


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.skip("no Chromium on PATH: `apt install chromium`, or install Google Chrome or Chromium by hand")
    with chromium() as running:
        yield running


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the course is laid out; tests may add notebooks of their own."""
    return tmp_path_factory.mktemp("lab") / "course"


@pytest.fixture(scope="session")
def address(browser: Browser, folder: Path) -> Iterator[str]:
    with jupyterlab(folder) as running:
        yield running


@pytest.fixture
def notebook(browser: Browser, address: str) -> Iterator[Callable[[str], Notebook]]:
    """Opens a notebook of the course. Whatever the browser's console complains about fails the test."""
    page = browser.new_page(viewport={"width": 1280, "height": 1000})
    opened = []

    def open_notebook(path: str) -> Notebook:
        opened.append(Notebook(page, address, path))
        return opened[-1]

    yield open_notebook
    complaints = [text for one in opened for text in one.complaints]
    page.evaluate("jupyterapp.serviceManager.sessions.shutdownAll()")
    page.context.close()
    assert complaints == []


@pytest.fixture(scope="session")
def published(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that the site is served from."""
    return tmp_path_factory.mktemp("site")


@pytest.fixture(scope="session")
def pages_address(browser: Browser, published: Path) -> Iterator[str]:
    """The site, for tests that run no Python in it."""
    pyodide = ("--pyodide", str(PYODIDE)) if PYODIDE.is_dir() else ()
    with site(published, *pyodide, "--solutions") as address:
        yield address


@pytest.fixture(scope="session")
def site_address(pages_address: str) -> str:
    """The site with Python in it."""
    if not PYODIDE.is_dir():
        pytest.skip(f"no Pyodide distribution in {PYODIDE}: put one there, or say with COURSEKIT_PYODIDE where it is")
    return pages_address


@pytest.fixture
def visitor(browser: Browser, pages_address: str) -> Iterator[BrowserContext]:
    """A browser that was never at the site. Whatever its console complains about fails the test."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    guard = Guard(context, pages_address)
    yield context
    context.close()
    assert guard.complaints == []
