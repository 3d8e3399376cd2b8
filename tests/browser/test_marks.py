"""What instructors and students open after grading, in a real browser."""

import pytest

from coursekit_grade.report import reports
from tests.grading.test_reports import NAME, a_class

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("width", [1280, 900, 390])
def test_pages_of_marks_fit_the_screen(browser, tmp_path, width):
    """A whole class, and one too small for the column that says who solved what."""
    for students in (20, 2):
        pages = reports(list(a_class(students)), {NAME: {"update": 2, "cycle": 3, "perceptron": 4}}, 1)
        page = browser.new_page(viewport={"width": width, "height": 900})
        for name in ("summary.html", "feedback/Stud01ent.html"):
            (tmp_path / name).parent.mkdir(exist_ok=True)
            (tmp_path / name).write_text(pages[name], "utf-8")
            page.goto((tmp_path / name).as_uri())
            assert page.evaluate("document.documentElement.scrollWidth") == width
        page.close()
