"""What instructors and students open after grading, in a real browser."""

import pytest

from coursekit_grade.report import reports
from tests.grading.test_reports import NAME, a_class

pytestmark = pytest.mark.slow


def test_pages_of_marks_fit_the_screen(browser, tmp_path):
    """A whole class, and one too small for the column that says who solved what."""
    page = browser.new_page()
    for students in (20, 2):
        pages = reports(list(a_class(students)), {NAME: {"update": 2, "cycle": 3, "perceptron": 4}}, 1)
        for name in ("summary.html", "feedback/Stud01ent.html"):
            (tmp_path / name).parent.mkdir(exist_ok=True)
            (tmp_path / name).write_text(pages[name], "utf-8")
            page.goto((tmp_path / name).as_uri())
            for width in (1280, 900, 390):
                page.set_viewport_size({"width": width, "height": 900})
                page.wait_for_function("width => document.documentElement.scrollWidth === width", arg=width)
    page.context.close()
