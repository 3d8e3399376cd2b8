"""The chapters in JupyterLab, as a reader opens, runs, saves and stops them."""

from base64 import b64decode
from io import BytesIO

import nbformat
import pytest
from PIL import Image
from playwright.sync_api import expect

import coursekit as ck
from coursekit.predictions.question import find
from tests.browser.harness import PIXELS, Notebook, serving, write
from tests.browser.lite import ROOT

THREADS = """jupyterapp.serviceManager.settings.fetch("@jupyterlab/apputils-extension:kernels-settings")
    .then(plugin => plugin.schema.properties.commsOverSubshells.default)"""


def test_a_journey_from_the_start_page_over_what_is_stored_to_sliders_that_follow_the_keys(notebook, address):
    assert "/lab/tree/notebooks/00-start.ipynb" in address
    chapter = notebook("notebooks/00-start.ipynb")
    assert chapter.page.evaluate(THREADS) == "disabled"  # the messages of widgets stay on the main one
    chapter.panel.get_by_role("link", name="The perceptron").click()
    chapter.opened("notebooks/02-perceptron.ipynb")

    # Before it is run: still pictures, no dead widgets, and a question with its answer in a closed fold.
    stills = chapter.panel.locator(".jp-RenderedImage img")
    stills.first.wait_for(state="attached")
    cells = nbformat.read(ROOT / "notebooks" / "02-perceptron.ipynb", 4).cells
    outputs = [output for cell in cells for output in cell.get("outputs", [])]
    stored = next(o.data["image/png"] for o in outputs if "image/png" in o.get("data", {}))
    width, _ = Image.open(BytesIO(b64decode(stored))).size
    assert width >= 700
    assert stills.first.evaluate("image => image.decode().then(() => image.naturalWidth)") == width
    assert "Error displaying widget" not in chapter.panel.inner_text()
    assert chapter.explorer.count() == 0
    mistakes = find("02-perceptron/mistakes")
    chapter.panel.get_by_text(mistakes.question).scroll_into_view_if_needed()
    fold = chapter.panel.locator("details:has(table)")
    assert not fold.get_by_text(mistakes.answers["3"]).is_visible()
    fold.locator("summary").click()
    assert fold.get_by_text(mistakes.answers["3"]).is_visible()

    chapter.run()
    same = ck.explorers.perceptron("dataset=mails order=shuffle visit=22")
    assert chapter.sentence() == same.sentence
    for label, key, value in [
        ("eta", "ArrowLeft", {"eta": 0.891}),
        ("lambda", "ArrowRight", {"lam": 1e-4}),
        ("seed", "ArrowUp", {"seed": 1}),
        ("emails seen", "ArrowLeft", {"visit": 21}),
    ]:
        chapter.press(label, key)
        same.set(**value)
        assert chapter.sentence() == same.sentence


@pytest.mark.slow
def test_shift_and_enter_leave_the_picture_in_view_and_a_drag_ends_at_its_last_value(notebook):
    chapter = notebook("notebooks/02-perceptron.ipynb")
    page, kernel = chapter.page, "jupyterapp.shell.currentWidget.sessionContext.session.kernel"
    page.set_viewport_size({"width": 1280, "height": 720})
    page.evaluate("jupyterapp.shell.currentWidget.content.activeCellIndex = 1")
    page.evaluate("jupyterapp.commands.execute('notebook:run-cell-and-select-next')")  # as these keys do
    picture = chapter.explorer.locator(".ck-picture[data-drawn]")
    picture.wait_for()
    chapter.settle()
    assert page.evaluate("jupyterapp.shell.currentWidget.content.activeCellIndex") == 2
    inside, panel = (one.bounding_box() for one in (picture, chapter.panel.locator(".jp-WindowedPanel-outer")))
    assert panel["y"] <= inside["y"]
    assert inside["y"] + inside["height"] <= panel["y"] + panel["height"]

    chapter.run()
    chapter.press("emails seen", "ArrowRight")
    chapter.settle()
    page.evaluate(f"window.seen = []; {kernel}.statusChanged.connect((_, status) => window.seen.push(status)); 0")
    chapter.press("emails seen", "ArrowLeft")
    assert page.evaluate("window.seen.splice(0)") == []
    page.evaluate(f"{kernel}.requestExecute({{ code: '1 + 1' }}).done")
    assert page.evaluate("window.seen") == ["busy", "idle"]

    box = chapter.slider("eta").bounding_box()
    mouse, y = page.mouse, box["y"] + box["height"] / 2
    mouse.move(box["x"] + box["width"] / 2, y)
    with chapter.new_picture():
        mouse.down()
        mouse.move(box["x"] - 40, y, steps=30)
        mouse.up()
    chapter.settle()
    value = float(chapter.labeled("eta").get_by_role("spinbutton").input_value())
    assert value < 1
    same = ck.explorers.perceptron("dataset=mails order=shuffle visit=22", eta=value)
    expect(chapter.words).to_have_text(same.sentence)


@pytest.mark.slow
def test_what_is_saved_is_live_while_its_python_runs_and_a_still_after(notebook, folder):
    name = "saved.ipynb"
    view, lost = "application/vnd.jupyter.widget-view+json", "Python was stopped or started anew"
    write(folder / name, "import coursekit as ck, ipywidgets", "ck.explorers.svm()",
          "ck.predict('02-perceptron/mistakes')", "ipywidgets.IntSlider()")
    opened = notebook(name)
    opened.run()
    page, asked = opened.page, opened.panel.locator(".ck-prediction")
    save = "jupyterapp.commands.execute('docmanager:save')"
    page.evaluate(save)
    kinds = [[*cell.outputs[0].data] for cell in nbformat.read(folder / name, 4).cells[1:]]
    assert [*map(sorted, kinds)] == [["image/png", "text/plain"], ["text/html", "text/plain"], ["text/plain"]]
    assert opened.explorer.count() == asked.count() == 1

    opened = notebook(name)  # the page anew
    opened.explorer.scroll_into_view_if_needed()
    opened.press("lambda", "ArrowRight")
    same = ck.explorers.svm()
    same.forward("lam")
    assert opened.sentence() == same.sentence
    assert asked.count() == 1
    assert opened.panel.get_by_text(lost).count() == 0
    assert not page.evaluate("jupyterapp.shell.currentWidget.context.model.dirty")

    page.evaluate("jupyterapp.shell.currentWidget.sessionContext.session.kernel.restart()")
    expect(opened.panel.get_by_role("alert").get_by_text(lost)).to_have_count(2)
    opened.run()
    expect(opened.panel.get_by_text(lost)).to_have_count(0)
    page.evaluate("jupyterapp.shell.currentWidget.sessionContext.shutdown()")
    expect(opened.panel.get_by_text(lost)).to_have_count(2)
    page.evaluate(save)

    opened = notebook(name)
    still = opened.panel.locator(".jp-RenderedImage img")
    still.wait_for()
    assert still.evaluate("image => image.decode().then(() => image.naturalWidth)") >= 700
    opened.panel.get_by_text(find("02-perceptron/mistakes").question).wait_for()
    assert view in str(nbformat.read(folder / name, 4).cells[1].outputs[0].metadata)
    assert "widget" not in " ".join(opened.panel.locator(".jp-OutputArea-output").all_inner_texts())


@pytest.mark.slow
def test_words_of_the_text_touch_the_picture_above_them(notebook, folder):
    write(folder / "words.ipynb", "import coursekit as ck\nexplorer = ck.explorers.svm()\n"
          "explorer.street.boundary.line.set_gid('line')\nexplorer", "ck.explorers.svm('seed=1')")
    book = nbformat.read(folder / "words.ipynb", 4)
    book.cells.insert(1, nbformat.v4.new_markdown_cell(
        "[Set](#lam=0.1&seed=2), look at the [line](#light=line), [too far](#lam=1000), [again](#reset)."))
    nbformat.write(book, folder / "words.ipynb")
    opened, same = notebook("words.ipynb"), ck.explorers.svm()
    opened.run()
    picture, below = opened.explorer.locator(".ck-picture"), opened.explorers.nth(1).locator(".ck-sentence")
    before = [picture.element_handle(), picture.evaluate(PIXELS)]
    word = opened.panel.get_by_role("link", name="line", exact=True)
    for lit, dark in ((word.hover, opened.words.hover), (word.focus, word.blur)):
        lit()
        opened.page.wait_for_function(f"([it, plain]) => ({PIXELS})(it) !== plain", arg=before)
        dark()
        opened.page.wait_for_function(f"([it, plain]) => ({PIXELS})(it) === plain", arg=before)
    for name, change in (("Set", {"lam": 0.1, "seed": 2}), ("again", {"lam": 0.01, "seed": 0})):
        opened.panel.get_by_role("link", name=name).click()
        same.set(**change)
        expect(opened.words).to_have_text(same.sentence)
    opened.panel.get_by_role("link", name="too far").press("Enter")
    expect(opened.words).to_contain_text("“lam=1000” cannot be. lam must be a number from 1e-06 to 10; got 1000.0")
    expect(below).to_have_text(ck.explorers.svm("seed=1").sentence)


@pytest.mark.slow
def test_a_plain_jupyterlab_is_as_its_makers_left_it_moves_an_explorer_and_keeps_its_picture(browser, tmp_path):
    write(tmp_path / "own.ipynb", "import coursekit as ck", "ck.explorers.svm()")
    with serving("lab", "--allow-root", f"--ServerApp.root_dir={tmp_path}", "--LabApp.default_url=/lab/tree/own.ipynb",
                 "--LabApp.expose_app_in_browser=True", settings=tmp_path, program="jupyter") as address:
        plain = Notebook(browser.new_page(), address, "own.ipynb")
        assert plain.page.evaluate(THREADS) == "perCommTarget"  # widgets are heard on a thread of their own
        plain.run()
        plain.press("lambda", "ArrowRight")
        same = ck.explorers.svm()
        same.forward("lam")
        expect(plain.words).to_have_text(same.sentence)
        plain.page.evaluate("jupyterapp.commands.execute('docmanager:save')")
        plain.page.evaluate("jupyterapp.shell.currentWidget.sessionContext.shutdown()")
        again = Notebook(browser.new_page(), address, "own.ipynb")
        again.panel.locator(".jp-RenderedImage img").wait_for()
        expect(again.panel.locator(".jp-OutputArea-output")).not_to_contain_text("widget")
        again.page.context.close()
        plain.page.context.close()
