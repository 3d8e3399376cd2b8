"""The site's lab in a real browser, with Python in it: chapters, exercises, and what becomes of a student's work."""

import json
from pathlib import Path

import nbformat
import pytest

from coursekit import explorers
from coursekit.predictions.question import find
from coursekit_site.cells import SHOWN
from tests.browser.harness import until
from tests.browser.lite import CHAPTERS, ROOT, Lesson, guarded, luminance

pytestmark = pytest.mark.slow

# A key that each sentence follows.
ENDS = {"separability": "Home", "emails seen": "Home", "angle": "Home", "lambda": "End"}
MISTAKES, ARROW = find("02-perceptron/mistakes"), find("02-perceptron/first-arrow")
EXERCISE = "exercises/02-perceptron/perceptron.ipynb"


def made(path):
    """The explorers that a chapter makes, each with the number of the first cell that does."""
    cells = nbformat.read(path, 4).cells
    shown = [(found["name"], n) for n, cell in enumerate(cells) for found in SHOWN.finditer(cell.source)]
    return dict(reversed([(kind, n) for kind, n in shown if kind]))


def test_chapters_show_every_explorer():
    assert set().union(*map(made, CHAPTERS)) == set(explorers.__all__)


@pytest.fixture(scope="module")
def lesson(browser, site_address):
    """Chapter 2 in a dark and narrow window. To start another takes longer than to run all of a chapter."""
    with guarded(browser, site_address) as context:
        page = context.new_page()
        page.emulate_media(color_scheme="dark")
        page.set_viewport_size({"width": 800, "height": 900})
        yield Lesson(page, site_address, "notebooks/02-perceptron.ipynb")


def test_a_chapter_runs_and_its_explorers_and_predictions_answer(lesson):
    """That all explorers follow in the browser's Python is tested in the reading pages."""
    still = lesson.panel.locator(".jp-RenderedImage img").first
    still.scroll_into_view_if_needed()
    assert still.bounding_box()["width"] > 600
    assert luminance(lesson.page.evaluate("getComputedStyle(document.body).backgroundColor")) < 0.2
    lesson.run(explorer=False)
    for number in made(ROOT / "notebooks" / "02-perceptron.ipynb").values():
        lesson.show(number)
        before = lesson.sentence()
        sliders = lesson.explorer.locator("[role=slider][aria-disabled=false]:visible")
        sliders.first.wait_for()  # examples that were measured cannot be drawn further apart
        movable = {slider.get_attribute("aria-label") for slider in sliders.all()}
        name = next(name for name in ENDS if name in movable)
        lesson.press(name, ENDS[name])
        assert lesson.sentence() != before

    second, shown = (lesson.prediction(number) for number in (1, 2))
    shown.get_by_text("3", exact=True).click()
    assert not shown.get_by_text(MISTAKES.answers["3"]).count()
    shown.get_by_role("button", name="That is my prediction").click()
    lesson.said(shown, "You said 3. It is 9.")
    shown.get_by_text(MISTAKES.answers["3"]).wait_for()
    shown.locator("tr").first.wait_for()
    shown.locator(".ck-picture").wait_for()
    assert shown.locator("tr").count() == 19  # cells further down have called another run by the same name
    second.get_by_text(str(ARROW.right)).click()
    second.get_by_role("button", name="That is my prediction").click()
    second.get_by_text(ARROW.after).wait_for()
    kept = lesson.execute("print(open('.coursekit-predictions.json').read())")["text"]
    assert json.loads(kept) == {MISTAKES.name: "3", ARROW.name: ARROW.right}


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_all_cells_of_a_chapter_run_in_the_browsers_python(lesson, path):
    """And those of every third solution; all solutions have run in ours, as they are stored."""
    assert lesson.execute("%reset -f")["status"] == "ok"
    solutions = [*(ROOT / "solutions" / path.stem).glob("*.ipynb")] if path in CHAPTERS[1::3] else []
    for notebook in (path, *solutions):
        for cell in nbformat.read(notebook, 4).cells:
            if cell.cell_type == "code":
                reply = lesson.execute(cell.source)
                assert (reply["status"], reply["complaints"]) == ("ok", ""), (notebook.stem, cell.id, reply)


def menu(page, name, entry):
    page.locator(".lm-MenuBar-itemLabel").get_by_text(name, exact=True).click()
    page.locator(".lm-Menu-itemLabel").get_by_text(entry, exact=True).click()


def test_what_a_student_did_outlives_an_endless_loop_and_a_site_that_is_published_anew(
    visitor, site_address, published, request
):
    page = visitor.new_page()
    lesson = Lesson(page, site_address, EXERCISE)
    lesson.execute("import numpy as np\nfrom coursekit.grading import check, hint, progress")
    for number in (1, 2):
        assert lesson.execute("hint('update')")["text"].startswith(f"Hint {number} of 3")
    lesson.execute("def endless(theta, x, y):\n    while True: pass")
    assert "still running after 3 seconds" in lesson.execute("check('update', endless)")["evalue"]
    right = "lambda theta, x, y: theta + y * np.append(x, 1) * (y * (theta[:-1] @ x + theta[-1]) <= 0)"
    assert "no fault found" in lesson.execute(f"check('update', {right})")["text"]
    kernel = "jupyterapp.shell.currentWidget.sessionContext.session.kernel"
    page.evaluate(f"() => {{ {kernel}.requestExecute({{ code: 'while True: pass' }}); }}")
    menu(page, "Kernel", "Restart Kernel…")
    page.get_by_role("button", name="Confirm Kernel Restart").click()
    lesson.settle()
    done = lesson.execute("from coursekit.grading import progress\nprogress()")["text"]
    assert "02-perceptron: 1 of 8 tasks" in done
    assert "✓ update" in done

    cell = page.locator(".jp-CodeCell .cm-content").first
    cell.click()
    cell.press("Control+End")
    cell.press_sequentially("\nmine = 42")
    assert "mine = 42" in lesson.text
    page.wait_for_function("() => !jupyterapp.shell.currentWidget.context.model.dirty", timeout=30_000)
    get = "path => jupyterapp.serviceManager.contents.get(path, { content: true }).then(JSON.stringify)"
    until(page, f"async path => (await ({get})(path)).includes('mine = 42')", EXERCISE)
    file = published / "some" / "path" / "files" / EXERCISE
    before = file.read_text()
    request.addfinalizer(lambda: file.write_text(before))  # others open this site after it
    file.write_text(before.replace("# Exercise 2", "# NEW VERSION of exercise 2", 1))
    assert "NEW VERSION" in file.read_text()
    page.reload()
    lesson.opened(EXERCISE)
    page.wait_for_function(  # on a busy machine the notebook is there before its text
        "() => JSON.stringify(jupyterapp.shell.currentWidget.content.model.toJSON()).includes('mine = 42')",
        timeout=30_000,
    )
    with page.expect_download() as download:
        menu(page, "File", "Download")
    assert "mine = 42" in Path(download.value.path()).read_text()
    menu(page, "File", "Rename…")
    page.locator(".jp-Dialog input").fill("mine.ipynb")
    page.keyboard.press("Enter")
    lesson.opened("exercises/02-perceptron/mine.ipynb")
    Lesson(page, site_address, EXERCISE)
    assert "NEW VERSION" in lesson.text
    assert "mine = 42" not in lesson.text
    assert "mine = 42" in page.evaluate(get, "exercises/02-perceptron/mine.ipynb")
