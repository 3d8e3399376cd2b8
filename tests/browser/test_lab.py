from pathlib import Path

import nbformat
import pytest

import coursekit as ck

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
    same = ck.explorers.perceptron("visit=12")
    assert chapter.sentence() == same.sentence
    for label, key, value in [
        ("separability", "ArrowRight", {"separability": 0.55}),
        ("eta", "ArrowLeft", {"eta": 0.891}),
        ("lambda", "ArrowRight", {"lam": 1e-4}),
        ("seed", "ArrowUp", {"seed": 1}),
        ("visit", "ArrowLeft", {"visit": 11}),
    ]:
        chapter.press(label, key)
        same.set(**value)
        assert chapter.sentence() == same.sentence


@pytest.mark.slow
@pytest.mark.parametrize("name", CHAPTERS)
def test_chapter_shows_still_pictures_then_runs_to_its_end(notebook, name):
    chapter = notebook(f"notebooks/{name}")
    stills = chapter.panel.locator(".jp-RenderedImage img")
    stills.first.wait_for(state="attached")
    assert stills.first.evaluate("image => image.decode().then(() => image.naturalWidth)") >= 800
    assert "Error displaying widget" not in chapter.panel.inner_text()
    assert chapter.explorer.count() == 0

    chapter.run()
    assert chapter.pixels() != ""
    assert "Error displaying widget" not in chapter.panel.inner_text()


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
    box = chapter.slider("separability").bounding_box()
    mouse, y = chapter.page.mouse, box["y"] + box["height"] / 2
    mouse.move(box["x"] + box["width"] / 2, y)
    with chapter.new_picture():
        mouse.down()
        mouse.move(box["x"] - 40, y, steps=30)
        mouse.up()
    chapter.settle()
    value = float(chapter.readout("separability").replace("−", "-"))
    assert value < 0.5
    expected = ck.explorers.perceptron("visit=12", separability=value).sentence
    chapter.page.wait_for_function(
        "([node, text]) => node.textContent === text", arg=[chapter.words.element_handle(), expected], timeout=5000
    )


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
    chapter.press("separability", "ArrowRight")
    chapter.settle()
    chapter.page.evaluate("window.seen.splice(0)")  # what the page asked while it was opened
    chapter.press("separability", "ArrowRight")
    assert chapter.page.evaluate("window.seen.splice(0)") == []
    chapter.page.evaluate("window.kernel.requestExecute({ code: '1 + 1' }).done")
    assert chapter.page.evaluate("window.seen") == ["busy", "idle"]
