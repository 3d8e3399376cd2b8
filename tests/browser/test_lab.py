import shutil
from base64 import b64decode
from io import BytesIO
from pathlib import Path

import nbformat
import pytest
from jupyter_core.paths import jupyter_path
from PIL import Image

import coursekit as ck
from tests.browser.harness import serving

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
CHAPTERS = [path.name for path in sorted(NOTEBOOKS.glob("*.ipynb")) if not path.name.startswith("00-")]


def test_a_journey_from_the_start_page_to_sliders_that_follow_the_keys(notebook, address):
    """The one test with a browser that a bare `pytest` runs."""
    assert "/lab/tree/notebooks/00-start.ipynb" in address
    start = notebook("notebooks/00-start.ipynb")
    start.panel.get_by_role("link", name="The perceptron").click()
    start.opened("notebooks/02-perceptron.ipynb")

    chapter = notebook("notebooks/02-perceptron.ipynb")
    chapter.run()
    same = ck.explorers.perceptron("dataset=mails order=shuffle visit=4")
    assert chapter.sentence() == same.sentence
    for label, key, value in [
        ("eta", "ArrowLeft", {"eta": 0.891}),
        ("lambda", "ArrowRight", {"lam": 1e-4}),
        ("seed", "ArrowUp", {"seed": 1}),
        ("visit", "ArrowLeft", {"visit": 3}),
    ]:
        chapter.press(label, key)
        same.set(**value)
        assert chapter.sentence() == same.sentence


@pytest.mark.slow
@pytest.mark.parametrize("name", CHAPTERS[1:2])
def test_chapter_shows_still_pictures(notebook, name):
    """Before it is run. That every chapter has them, and runs to its end in a browser, is tested with the site."""
    chapter = notebook(f"notebooks/{name}")
    stills = chapter.panel.locator(".jp-RenderedImage img")
    stills.first.wait_for(state="attached")
    outputs = [o for cell in nbformat.read(NOTEBOOKS / name, 4).cells for o in cell.get("outputs", [])]
    stored = next(o.data["image/png"] for o in outputs if "image/png" in o.get("data", {}))
    width, _ = Image.open(BytesIO(b64decode(stored))).size
    assert width >= 700
    assert stills.first.evaluate("image => image.decode().then(() => image.naturalWidth)") == width
    assert "Error displaying widget" not in chapter.panel.inner_text()
    assert chapter.explorer.count() == 0


@pytest.mark.slow
def test_each_explorer_follows_its_separability(notebook, address, folder):
    cells = [f"import coursekit as ck\nck.explorers.{name}()" for name in ck.explorers.__all__]
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3"}}
    cells = [nbformat.v4.new_code_cell(cell) for cell in cells]
    nbformat.write(nbformat.v4.new_notebook(cells=cells, metadata=kernel), folder / "all.ipynb")
    page = notebook("all.ipynb")
    page.run()
    for cell, name in enumerate(ck.explorers.__all__):
        page.show(cell)
        same = getattr(ck.explorers, name)()
        assert page.sentence() == same.sentence
        page.press("separability", "ArrowLeft")
        same.set(separability=float(page.readout("separability").replace("−", "-")))
        assert page.sentence() == same.sentence


@pytest.mark.slow
def test_buttons_walk_through_the_three_point_example(notebook):
    """Worked by hand: (0, 0) is -1, (0, 1) and (1, 0) are +1, from theta = 0."""
    chapter = notebook("notebooks/02-perceptron.ipynb")
    chapter.run()
    with chapter.new_picture():
        chapter.labelled("data").locator("select").select_option("three points")
    with chapter.new_picture():
        chapter.labelled("order").locator("select").select_option("cyclic")
    chapter.click("Rewind")
    assert chapter.sentence().startswith("theta = (0, 0, 0)")
    for button, theta in [("Step", "(0, 0, -1)"), ("Step", "(0, 1, 0)"), ("Finish pass", "(1, 1, 1)")]:
        chapter.click(button)
        assert "a mistake" in chapter.sentence()
        assert theta in chapter.sentence()


@pytest.mark.slow
def test_after_a_fast_drag_the_last_value_is_shown(notebook):
    chapter = notebook("notebooks/02-perceptron.ipynb")
    chapter.run()
    box = chapter.slider("eta").bounding_box()
    mouse, y = chapter.page.mouse, box["y"] + box["height"] / 2
    mouse.move(box["x"] + box["width"] / 2, y)
    with chapter.new_picture():
        mouse.down()
        mouse.move(box["x"] - 40, y, steps=30)
        mouse.up()
    chapter.settle()
    value = float(chapter.readout("eta"))
    assert value < 1
    expected = ck.explorers.perceptron("dataset=mails order=shuffle visit=4", eta=value).sentence
    chapter.page.wait_for_function(
        "([node, text]) => node.textContent === text", arg=[chapter.words.element_handle(), expected], timeout=5000
    )


@pytest.mark.slow
def test_jupyterlab_without_coursekit_lab_has_nothing_to_complain_about(browser, tmp_path):
    """With the extension of JupyterLite installed, which is not for it."""
    assert any((Path(folder) / "@jupyterlite").is_dir() for folder in jupyter_path("labextensions"))
    extensions = Path(ck.__file__).parent / "publish" / "server-extensions.json"
    (tmp_path / "jupyter_server_config.d").mkdir()
    shutil.copy(extensions, tmp_path / "jupyter_server_config.d" / "coursekit.json")
    complaints = []
    with serving("lab", "--allow-root", f"--ServerApp.root_dir={tmp_path}", settings=tmp_path,
                 program="jupyter") as address:
        page = browser.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
        page.goto(address)
        page.locator(".jp-Launcher").first.wait_for()
        page.wait_for_timeout(1000)
        page.context.close()
    assert complaints == []


@pytest.mark.slow
def test_widget_messages_stay_on_the_main_thread(notebook):
    start = notebook("notebooks/00-start.ipynb")
    schema = start.page.evaluate(
        """jupyterapp.serviceManager.settings.fetch("@jupyterlab/apputils-extension:kernels-settings")
            .then(plugin => plugin.schema.properties.commsOverSubshells.default)"""
    )
    assert schema == "disabled"


@pytest.mark.slow
def test_a_slider_does_not_blink_the_kernels_status_and_a_cell_does(notebook):
    chapter = notebook("notebooks/02-perceptron.ipynb")
    chapter.run()
    chapter.page.evaluate(
        """() => {
            window.seen = [];
            window.kernel = jupyterapp.shell.currentWidget.sessionContext.session.kernel;
            window.kernel.statusChanged.connect((_, status) => window.seen.push(status));
        }"""
    )
    chapter.press("visit", "ArrowRight")
    chapter.settle()
    chapter.page.evaluate("window.seen.splice(0)")  # what the page asked while it was opened
    chapter.press("visit", "ArrowRight")
    assert chapter.page.evaluate("window.seen.splice(0)") == []
    chapter.page.evaluate("window.kernel.requestExecute({ code: '1 + 1' }).done")
    assert chapter.page.evaluate("window.seen") == ["busy", "idle"]
