"""Cells of the live pages in a real browser: changed and run, exercises solved, handed in, and brought to the lab."""

import contextlib
import copy
import json
import sys

import nbformat
import pytest
from jupyterlite_pyodide_kernel.constants import PYODIDE_PYTHON_VERSION
from playwright.sync_api import expect

from coursekit.cli import main
from tests.browser.lite import ROOT, Lesson, Live, quiet

slow = pytest.mark.slow
EXERCISES = [ROOT / "exercises" / name for name in (
    "02-perceptron/perceptron.ipynb", "10-real-data/real-data.ipynb")]  # the others' cells run in test_lessons.py
RIGHT = "def update(theta, x, y):\n    return theta + y * np.append(x, 1) * (y * (theta[:-1] @ x + theta[-1]) <= 0)"


def exercise(visitor, address, name="02-perceptron"):
    return Live(visitor.new_page(), f"{address}read/exercise-{name}.html")


@slow
def test_a_cell_is_changed_run_stopped_kept_and_put_back(visitor, site_address):
    live = Live(visitor.new_page(), f"{site_address}read/02-perceptron.html")
    page, name = live.page, "pocket-run"
    stored = next(c for c in nbformat.read(ROOT / "notebooks" / "02-perceptron.ipynb", 4).cells if c.id == name)
    assert live.run(name) == stored.outputs[0].text.strip()  # all cells above it have run, in their order
    image = live.output(name).get_by_role("img", name=stored.metadata.alt)
    assert image.evaluate("image => image.naturalWidth / image.width") == pytest.approx(2, rel=0.01)

    area = live.area(name)
    area.fill("")
    area.press_sequentially("for k in range(2):\nprint(k)")  # the second line is indented by itself
    area.press("Enter")
    area.press("Tab")
    area.press_sequentially("pass")
    assert area.input_value() == "for k in range(2):\n    print(k)\n        pass"
    area.press("Escape")
    assert page.evaluate("document.activeElement.textContent") == "Run"
    assert "In this cell, line 3" in live.run(name)
    assert live.run(name, "pocket = 3\n1 / 0").endswith("ZeroDivisionError: division by zero")
    text = "from IPython.display import Markdown, display\ndisplay(Markdown('so *far*: $x^2$'))"
    live.run(name, f"{text}\nck.explorers.perceptron()")
    live.output(name).locator(".ck-live .ck-picture").wait_for()
    assert live.output(name).locator("em").text_content() == "far"
    assert live.output(name).locator("mjx-container").count() == 1
    own = live.output(name).get_by_role("slider", name="emails seen")
    before = live.output(name).locator(".ck-sentence").text_content()
    own.press("ArrowRight")
    expect(live.output(name).locator(".ck-sentence")).not_to_have_text(before)
    quiet(page)

    area.fill("while True:\n    pass")
    area.press("Shift+Enter")
    live.cell(name).locator(".ck-bar").get_by_role("button", name="Stop").click()
    live.cell(name).get_by_text("Stopped. Python has been started again").wait_for()
    assert area.input_value() == "while True:\n    pass"
    quiet(page)
    assert page.locator(".ck-live:not([inert])").count() == page.locator(".ck-live").count() - 1 > 3
    assert live.run(name, "print(len(mails.X))") == "24"

    page.reload()
    live.started()
    assert area.input_value() == "print(len(mails.X))"
    live.cell(name).get_by_role("button", name="Put back").click()
    assert area.input_value() == stored.source
    page.reload()
    live.started()
    assert area.input_value() == stored.source
    live.cell(name).get_by_role("button", name="New cell").click()
    page.keyboard.type("6 * 7")
    page.keyboard.press("Shift+Enter")
    page.get_by_text("42", exact=True).wait_for(timeout=240_000)  # all cells above it run first


@pytest.mark.slow(keep=1)
@pytest.mark.parametrize("path", EXERCISES, ids=lambda path: path.parent.name)
def test_an_exercise_is_solved_in_its_page_downloaded_and_graded(visitor, site_address, tmp_path, path):
    assignment, live = path.parent.name, exercise(visitor, site_address, path.parent.name)
    released = nbformat.read(path, 4)
    task = next(cell.id for cell in released.cells if f"{cell.id}-check" in {other.id for other in released.cells})
    solution = nbformat.read(ROOT / "solutions" / assignment / path.name, 4)
    answer = next(cell.source for cell in solution.cells if cell.id == task)

    def checked():  # who grades it sees whether it ran here
        handed = handed_in(live, tmp_path / "ran" / path.name)
        return next(cell for cell in handed.cells if cell.id == f"{task}-check" and cell.execution_count)

    assert f"{task} is not written yet" in live.run(f"{task}-check")
    assert f"{task} is not written yet" in checked().outputs[0].evalue
    live.cell(f"{task}-check").get_by_role("button", name="Hint").click()
    live.output(f"{task}-check").get_by_text("Hint 1 of").wait_for()
    live.run(task, answer)
    assert f"✓ {task}: no fault found" in live.run(f"{task}-check")
    assert f"{assignment}: 1 of " in live.run("progress")
    assert not checked().outputs
    assert live.area("setup").get_attribute("readonly") is not None

    live.page.reload()
    live.started()
    assert live.area(task).input_value() == answer
    assert f"{assignment}: 1 of " in live.run("progress")
    handed = handed_in(live, tmp_path / "first" / path.name)
    expected = copy.deepcopy(released)
    next(cell for cell in expected.cells if cell.id == task).source = answer
    assert [(cell.id, cell.source) for cell in handed.cells] == [(cell.id, cell.source) for cell in expected.cells]
    assert handed.metadata.coursekit == released.metadata.coursekit
    assert handed.metadata.language_info.version == PYODIDE_PYTHON_VERSION  # by which who grades knows what may be new
    live.run(task, answer + '\nprint(f"{dict(a=1)["a"]}")')
    assert "may be graded on an older one: line" in live.run(f"{task}-check")
    handed_in(live, tmp_path / "in" / "bo" / path.name)
    live.run(task, answer)

    live.cell(f"{task}-check").get_by_role("button", name="New cell").click()
    live.page.keyboard.type("raise ValueError('a note of my own')")
    handed_in(live, tmp_path / "in" / "ada" / path.name)
    with contextlib.suppress(SystemExit):  # something is left ungraded
        main(["grade", str(tmp_path / "in"), "--out", str(tmp_path / "out")])
    header, row, bo = (tmp_path / "out" / "grades.csv").read_text().splitlines()
    if sys.version_info < (3, 12):  # what ticks in the page, and cannot be read here, is no 0
        assert "ungraded: " in bo
        assert "needs Python 3.12, and the grader has 3.11" in bo
    marks = dict(zip(header.split(","), row.split(","), strict=True))
    assert (marks["student"], marks["status"]) == ("ada", "graded")
    assert marks["total"] == marks[task] > "0"


def handed_in(live, target):
    with live.page.expect_download() as download:
        live.page.get_by_role("button", name="Download my notebook").click()
    assert download.value.suggested_filename == target.name
    download.value.save_as(target)
    notebook = nbformat.read(target, 4)
    nbformat.validate(notebook)
    return notebook


@slow
def test_page_and_lab_bring_each_other_what_was_written_and_ask_before_they_replace(visitor, site_address):
    def asked(page, role, name, accept=False):
        """Press what asks first; what it asks."""
        page.once("dialog", lambda dialog: dialog.accept() if accept else dialog.dismiss())
        with page.expect_event("dialog") as dialog:
            page.get_by_role(role, name=name).click()
        return dialog.value.message

    def the_lab(page):
        lab = Lesson(page)
        lab.opened("exercises/02-perceptron/perceptron.ipynb")
        return lab

    live = exercise(visitor, site_address)
    live.area("update").fill(RIGHT)
    live.page.get_by_role("link", name="Open in the lab").click()
    lab = the_lab(live.page)
    assert json.dumps(RIGHT) in lab.text
    lab.page.evaluate(
        """async () => {
            const { content, context } = jupyterapp.shell.currentWidget;
            for (const cell of content.model.cells) {
                if (cell.id === "ripple") cell.sharedModel.source = "of_the_lab = 1";
                if (cell.id === "update") cell.sharedModel.source = "of_the_lab = 2";
            }
            await context.save();
        }"""
    )
    live = exercise(visitor, site_address)
    live.page.get_by_text("In the lab you wrote something else in 2 cells").wait_for()
    question = asked(live.page, "link", "Open in the lab")
    assert question == "In the lab you wrote something else in one cell. Replace it there with what this page has?"
    lab = the_lab(live.page)
    assert "of_the_lab = 1" in lab.text
    assert "of_the_lab = 2" in lab.text

    live = exercise(visitor, site_address)
    question = asked(live.page, "button", "Take it over")
    assert question == "On this page you wrote something of your own in one cell. Replace it with what the lab has?"
    assert live.area("update").input_value() == RIGHT
    asked(live.page, "button", "Take it over", accept=True)
    assert live.area("update").input_value() == "of_the_lab = 2"
    assert live.area("ripple").input_value() == "of_the_lab = 1"


@slow
def test_a_browser_that_keeps_nothing_says_so_and_works(visitor, site_address, tmp_path):
    page, held = visitor.new_page(), []
    page.add_init_script("Storage.prototype.setItem = () => { throw new Error('full'); };")
    page.route("**/later.bin", lambda route: held.append(route))
    live = Live(page, f"{site_address}read/exercise-02-perceptron.html")
    live.area("update").fill(RIGHT)
    said = page.get_by_text("This browser has no room to keep what you write.")
    said.wait_for()
    held[0].continue_()
    assert "✓ update" in live.run("update-check")
    assert said.is_visible()  # what Python says while it starts does not take its place
    assert RIGHT in [cell.source for cell in handed_in(live, tmp_path / "perceptron.ipynb").cells]


@slow
def test_two_tabs_and_two_sites_keep_each_others_work(browser, site_address, published, tmp_path):
    """All of one reader, whose pages share what a browser keeps."""
    context = browser.new_context()
    first, second = exercise(context, site_address), exercise(context, site_address)
    first.run("update", RIGHT)
    assert second.area("update").input_value() == RIGHT  # nothing older can be written over it
    second.area("ripple").fill("of_the_second = 2")
    first.cell("update").get_by_role("button", name="New cell").click()
    first.page.keyboard.type("of_the_first = 1")
    added = first.page.locator("textarea:focus").evaluate("area => area.closest('.cell').textContent")
    assert "of_the_first" in added
    expect(second.page.locator("pre", has_text="of_the_first = 1").first).to_be_visible()
    assert first.area("ripple").input_value() == "of_the_second = 2"
    for live in (first, second):
        sources = [cell.source for cell in handed_in(live, tmp_path / "perceptron.ipynb").cells]
        assert {RIGHT, "of_the_first = 1", "of_the_second = 2"} <= {*sources}

    assert "✓ update" in first.run("update-check")
    solution = nbformat.read(ROOT / "solutions" / "02-perceptron" / "perceptron.ipynb", 4)
    second.run("ripple", next(cell.source for cell in solution.cells if cell.id == "ripple"))
    assert "✓ ripple" in second.run("ripple-check")
    for live in (first, second):
        assert "02-perceptron: 2 of" in live.run("progress")

    answers = "from pathlib import Path\nPath.home().joinpath('.coursekit-predictions.json').write_text('{\"%s\": 1}')"
    first.run("ripple", answers % "of-the-first")
    second.page.evaluate("Object.keys(localStorage).forEach(key => key.includes('predictions') && "
                         "localStorage.setItem(key, '{\"of-a-third\":1}'))")  # told to the first alone
    second.run("ripple", answers % "of-the-second")
    kept = "Object.entries(localStorage).find(([key]) => key.startsWith('coursekit-predictions /'))[1]"
    assert {"of-a-third", "of-the-second"} <= {*json.loads(first.page.evaluate(kept))}

    second.page.evaluate("addEventListener('storage', (event) => event.stopImmediatePropagation(), true)")  # it sleeps
    first.area("update").fill("of_the_first = 3")
    second.page.evaluate("dispatchEvent(new Event('pageshow'))")  # and is gone back to
    assert second.area("update").input_value() == "of_the_first = 3"

    (published / "other").symlink_to("some/path")
    other = exercise(context, site_address.replace("some/path", "other"))
    assert "02-perceptron: 0 of" in other.run("progress")
    assert other.area("update").input_value() != RIGHT
    context.close()
    (published / "other").unlink()


@slow
def test_a_verdict_is_about_the_text_that_is_there(visitor, site_address):
    """On what is written on the page of an exercise now, by whichever way it came there."""
    wrong, tick = RIGHT.partition(" * (y")[0], "✓ update"
    live = exercise(visitor, site_address)
    asked, changed = live.cell("update-check").get_by_role("status"), live.cell("update").get_by_role("status")
    live.area("update").fill(wrong)
    assert tick not in live.run("update-check")
    live.area("update").fill(RIGHT)
    expect(changed).to_have_text("The text has changed since it ran: run it again.")
    expect(asked).to_have_text("A cell above has changed since this was said: run this again.")
    assert tick in live.run("update-check")  # the same button, and nothing else was run
    expect(asked).to_have_text("")
    expect(changed).to_have_text("")
    live.area("update").fill(wrong)
    live.cell("update-check").get_by_role("button", name="Run").click()  # nothing moves away from under it
    expect(live.output("update-check")).not_to_contain_text(tick)
    live.area("update").fill(RIGHT)
    assert tick in live.run("update-check")

    # A cell of the reader's own has run, and is changed; what lies below it follows.
    live.cell("update").get_by_role("button", name="New cell").click()
    own = live.page.locator(".ck-editor textarea:focus").element_handle()
    own.fill("sign = -1")
    own.press("Shift+Enter")
    live.cell("update-check").get_by_role("button", name="Run").wait_for()
    own.fill("update = lambda theta, x, y: theta + y * np.append(x, 1) * (y * (theta[:-1] @ x + theta[-1]) <= 0)")
    own.press("Shift+Enter")
    assert tick in live.run("update-check")
    own.fill("def update(theta, x, y): return theta")
    live.area("update").fill(RIGHT)
    assert tick not in live.run("update-check")  # the own cell lies between, and runs after it
    own.fill("1 / 0")
    own.press("Shift+Enter")
    expect(asked).to_have_text("A cell above has changed since this was said: run this again.")

    # It is removed: what it made goes with it, and what the cell above has made is there again.
    own.fill(RIGHT)
    own.press("Shift+Enter")
    live.area("update").fill(wrong)
    assert tick in live.run("update-check")
    assert "42" in live.run("update", f"{wrong}\nprint(6 * 7)")
    live.area("update").fill(f"{wrong}\nprint(7 * 7)")  # what is shown above a verdict is of what it is about
    assert tick in live.run("update-check")
    expect(live.output("update")).to_contain_text("49")
    live.page.get_by_role("button", name="Remove").click()
    expect(asked).to_have_text("A cell above has changed since this was said: run this again.")
    assert tick not in live.run("update-check")

    # A cell that asks may be more than that; what stands below a verdict has no part in it.
    live.run("update", f"from coursekit.grading import check\n{RIGHT}\ncheck('update')")
    expect(live.output("update")).to_contain_text(tick)
    live.area("update").fill(f"from coursekit.grading import check\n{wrong}\ncheck('update')")
    assert tick not in live.run("update-check")
    live.cell("update-check").get_by_role("button", name="New cell").click()
    own = live.page.locator(".ck-editor textarea:focus").element_handle()
    own.fill("update = lambda theta, x, y: theta\nprint('with', len(check.case))")  # it came with the cell that asks
    own.press("Shift+Enter")
    live.page.get_by_text("with 3", exact=True).wait_for()
    live.area("update").fill(RIGHT)
    assert tick in live.run("update-check")

    # What was left comes back unrun: it runs before it is judged.
    live.page.reload()
    live.started()
    assert tick in live.run("update-check")
