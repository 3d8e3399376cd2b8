"""Every chapter of the site runs in a real browser, Python included, and all explorers follow their sliders."""

import re
from pathlib import Path

import nbformat
import pytest

import coursekit as ck
from tests.browser.lite import Lesson

CHAPTERS = sorted((Path(__file__).parents[2] / "notebooks").glob("0[1-9]-*.ipynb"))


def explorers(path):
    """The explorers that a chapter makes, each with the number of the first cell that does."""
    cells = nbformat.read(path, 4).cells
    made = [(kind, n) for n, c in enumerate(cells) for kind in re.findall(r"^ck\.explorers\.(\w+)\(", c.source, re.M)]
    return dict(reversed(made))


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_chapter_runs_and_its_explorers_follow_their_sliders(visitor, site_address, path):
    chapter = Lesson(visitor.new_page(), site_address, f"notebooks/{path.name}")
    chapter.run()
    for number in explorers(path).values():
        chapter.show(number)
        before = chapter.sentence()
        chapter.press("separability", "ArrowLeft")
        assert chapter.sentence() != before


def test_chapters_show_every_explorer():
    assert set().union(*map(explorers, CHAPTERS)) == set(ck.explorers.__all__)
