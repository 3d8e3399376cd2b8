"""The exercises of the site in a real browser: solutions pass, checks and hints help, and loops can be stopped."""

from pathlib import Path

import pytest

from tests.browser.lite import Lesson

SOLUTIONS = sorted((Path(__file__).parents[2] / "solutions").glob("*/*.ipynb"))


@pytest.mark.parametrize("path", SOLUTIONS, ids=lambda path: path.stem)
def test_solution_passes_its_checks(visitor, site_address, path):
    Lesson(visitor.new_page(), site_address, "/".join(path.parts[-3:])).run()


def test_checks_hints_and_progress_outlive_an_endless_loop(visitor, site_address):
    lesson = Lesson(visitor.new_page(), site_address, "exercises/02-perceptron/perceptron.ipynb")
    lesson.execute("import numpy as np\nfrom coursekit.grading import check, hint, progress")
    assert lesson.execute("hint('update')")["text"].startswith("Hint 1 of 3")
    assert lesson.execute("hint('update')")["text"].startswith("Hint 2 of 3")

    lesson.execute("def endless(theta, x, y):\n    while True: pass")
    assert "still running after 3 seconds" in lesson.execute("check('update', endless)")["evalue"]
    right = "lambda theta, x, y: theta + y * np.append(x, 1) * (y * (theta[:-1] @ x + theta[-1]) <= 0)"
    assert "public cases passed" in lesson.execute(f"check('update', {right})")["text"]

    lesson.page.evaluate(
        "() => { jupyterapp.shell.currentWidget.sessionContext.session.kernel"
        ".requestExecute({ code: 'while True: pass' }); }"
    )
    lesson.page.locator(".lm-MenuBar-itemLabel").get_by_text("Kernel", exact=True).click()
    lesson.page.locator(".lm-Menu-itemLabel").get_by_text("Restart Kernel…", exact=True).click()
    lesson.page.get_by_role("button", name="Confirm Kernel Restart").click()
    lesson.settle()
    done = lesson.execute("from coursekit.grading import progress\nprogress()")["text"]
    assert "02-perceptron: 1 of 5 tasks" in done
    assert "✓ update" in done
