import fcntl
import os
import shutil
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext

from coursekit.cli import main
from coursekit_site import build, bytecode
from tests.browser.harness import CHROMIUM, Notebook, chromium, jupyterlab
from tests.browser.lite import ADDRESS, PYODIDE, ROOT, driven, guarded


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
def built(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, which takes a minute to build: the first worker that needs it does, the others wait and share it.

    Where no slow test, with whatever it is given, needs it, it has one chapter, knows two explorers, saves no pictures,
    tells nothing of the module's names, and is hardly packed.
    """
    needing = [item for item in request.session.items if "built" in getattr(item, "fixturenames", ())]
    common = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        common = common.parent
    out = common / "built" / "site"
    with open(common / "site.lock", "w") as lock, pytest.MonkeyPatch.context() as patch:
        fcntl.flock(lock, fcntl.LOCK_EX)
        patch.chdir(ROOT)
        if not out.is_dir():
            pyodide = ("--pyodide", str(PYODIDE)) if PYODIDE.is_dir() else ()
            if all(mark.kwargs.get("keep") for item in needing for mark in item.iter_markers("slow")):
                patch.chdir(one_chapter(common / "course"))
                patch.setattr(bytecode, "_packed", partial(bytecode._packed, level=1))
                patch.setattr(bytecode, "HERE", shutil.copytree(bytecode.HERE, common / "tool"))
                patch.setattr(build, "__file__", str(bytecode.HERE / "build.py"))
                (bytecode.HERE / "names.py").write_text("")
                script = bytecode.HERE / "compiled.py"
                text = script.read_text("utf-8")
                two = '["features", "perceptron"]'  # of the same data
                for every, few in {"ck.explorers.__all__": two, '("svg", "pdf", "png")': "()"}.items():
                    assert text.count(every) == 1
                    text = text.replace(every, few)
                script.write_text(text, "utf-8")
            main(["site", "--out", str(out), *pyodide, "--address", ADDRESS])
    return out


def one_chapter(course: Path) -> Path:
    """A course of the start page, chapter 2 and two pages of docs, in a folder of its own."""
    for name in ("notebooks/00-start.ipynb", "notebooks/02-perceptron.ipynb", "docs/site.md", "docs/grading.md"):
        (course / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, course / name)
    shutil.copytree(ROOT / "exercises" / "02-perceptron", course / "exercises" / "02-perceptron")
    return course


@pytest.fixture(scope="session")
def published(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The folder that the site is served from, in some/path of it. Tests may change what is in it."""
    folder = tmp_path_factory.mktemp("site")
    shutil.copytree(built, folder / "some" / "path")
    yield folder
    shutil.rmtree(folder)  # pytest would keep 60 MB of it for three more runs


@pytest.fixture(scope="session")
def pages_address(browser: Browser, published: Path) -> Iterator[str]:
    """The site, for tests that run no Python in it."""
    with driven(published) as address:
        yield address


@pytest.fixture(scope="session")
def site_address(pages_address: str) -> str:
    """The site with Python in it."""
    if shutil.which("node") is None:
        pytest.skip("no node on PATH: `apt install nodejs`")
    if not PYODIDE.is_dir():
        pytest.skip(f"no Pyodide distribution in {PYODIDE}: put one there, or say with COURSEKIT_PYODIDE where it is")
    return pages_address


@pytest.fixture
def visitor(browser: Browser, pages_address: str) -> Iterator[BrowserContext]:
    """A browser that was never at the site. Whatever its console complains about fails the test."""
    with guarded(browser, pages_address) as context:
        yield context
