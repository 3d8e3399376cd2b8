"""Every chapter of the site and its solution run in a real browser, Python included; explorers follow their sliders."""

from pathlib import Path

import nbformat
import pytest

import coursekit as ck
from coursekit.publish.site.cells import EXPLORER
from tests.browser.lite import Lesson

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
CHAPTERS = sorted((ROOT / "notebooks").glob("[01][0-9]-*.ipynb"))[1:]
ENDS = {"separability": "Home", "visit": "Home", "angle": "Home", "lambda": "End"}  # a key that each sentence follows


def explorers(path):
    """The explorers that a chapter makes, each with the number of the first cell that does."""
    cells = nbformat.read(path, 4).cells
    made = [(kind, n) for n, cell in enumerate(cells) for kind in EXPLORER.findall(cell.source)]
    return dict(reversed(made))


def movable(chapter):
    """The names of the sliders that can be moved; examples that were measured cannot be drawn further apart."""
    found = chapter.explorer.locator("[role=slider][aria-disabled=false]:visible")
    found.first.wait_for()
    return {slider.get_attribute("aria-label") for slider in found.all()}


@pytest.mark.parametrize("path", CHAPTERS[1::6], ids=lambda path: path.stem)
def test_a_chapter_runs_and_its_explorers_follow_their_sliders(visitor, site_address, path):
    """In two chapters; that all explorers follow in the browser's Python is tested in the reading pages."""
    chapter = Lesson(visitor.new_page(), site_address, f"notebooks/{path.name}")
    chapter.run()
    for number in explorers(path).values():
        chapter.show(number)
        before = chapter.sentence()
        sliders = movable(chapter)
        name = next(name for name in ENDS if name in sliders)
        chapter.press(name, ENDS[name])
        assert chapter.sentence() != before


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_all_cells_of_a_chapter_and_of_its_solution_run_in_the_browsers_python(lesson, path):
    (solution,) = (ROOT / "solutions" / path.stem).glob("*.ipynb")
    for notebook in (path, solution):
        for cell in nbformat.read(notebook, 4).cells:
            if cell.cell_type == "code":
                reply = lesson.execute(cell.source)
                assert (reply["status"], reply["complaints"]) == ("ok", ""), (notebook.stem, cell.id, reply)


@pytest.fixture(scope="module")
def one_lesson(guarded, site_address):
    """To start another takes longer than to run all of a chapter."""
    context, guard = guarded
    yield Lesson(context.new_page(), site_address, "notebooks/00-start.ipynb")
    assert guard.complaints == []


@pytest.fixture
def lesson(one_lesson):
    """Its Python knows no names yet."""
    assert one_lesson.execute("%reset -f")["status"] == "ok"
    return one_lesson


def test_chapters_show_every_explorer():
    assert set().union(*map(explorers, CHAPTERS)) == set(ck.explorers.__all__)
