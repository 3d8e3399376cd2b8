"""Predictions in real browsers: by keyboard in JupyterLab, in JupyterLite, and on a phone."""

import json

import pytest
from playwright.sync_api import expect

from tests.browser.harness import write
from tests.explorers.test_predict import FILE

pytestmark = pytest.mark.slow

CELLS = (
    "import coursekit as ck\n"
    "import numpy as np\n"
    "from coursekit.plots.style import figure\n"
    "def picture():\n"
    "    made = figure(4, 3)\n"
    "    made.subplots().set(xlim=(0, 4), ylim=(-4, 0))\n"
    "    return made",
    'ck.predict("sky/color", lambda: ck.explorers.hyperplane())',
    'ck.predict("sky/count", picture)',
    'ck.predict("sky/place", picture, picture())',
    'ck.predict("sky/shape", lambda: np.array([[-3, -2, -1, -2], [-3, -2, -1, 0]]), picture())',
)


def press(page, *keys):
    for key in keys:
        page.keyboard.press(key)


def test_each_kind_is_answered_by_keyboard_told_not_before_and_kept_until_it_is_asked_again(notebook, folder):
    here = folder / "notebooks"
    kept_in = here / ".coursekit-predictions.json"
    (here / "predictions").mkdir(exist_ok=True)
    (here / "predictions" / "sky.toml").write_text(FILE)
    kept_in.unlink(missing_ok=True)
    write(here / "sky.ipynb", *CELLS)
    asked = notebook("notebooks/sky.ipynb")
    asked.run(explorer=False)
    page = asked.page

    # On a phone nothing is cut off, and all can be touched.
    whole = page.viewport_size
    page.set_viewport_size({"width": 390, "height": 800})
    page.evaluate("jupyterapp.commands.execute('application:toggle-left-area')")
    for number in range(4):
        shown = asked.prediction(number)
        shown.get_by_role("button", name="That is my prediction").wait_for()
        boxes = shown.locator(".ck-choice, button:visible, input[type=range], .ck-handle").evaluate_all(
            "all => all.map(one => one.getBoundingClientRect()).map(box => [box.left, box.right, box.height])"
        )
        assert boxes
        assert all(0 <= left < right <= 390 and height >= 44 for left, right, height in boxes), boxes
    page.set_viewport_size(whole)
    for secret in ("evening", "scattered", "Rayleigh", "Twice nine", "Entry by entry", "data:image/png"):
        assert secret not in page.content()

    choice = asked.prediction(0)
    choice.get_by_role("radio", name="red").focus()
    press(page, "Space", "ArrowDown", "ArrowUp", "Enter")
    asked.said(choice, "You said red. It is blue.")
    choice.get_by_text("Rayleigh scattering.").wait_for()
    choice.locator(".ck-picture").wait_for()
    top, again = (one.bounding_box()["y"] for one in (choice, choice.get_by_role("button", name="Ask me again")))
    picture = choice.locator(".ck-picture").bounding_box()
    assert 0 < top < picture["y"] < page.viewport_size["height"]  # all of it is here, and nothing jumped away
    assert again >= picture["y"] + picture["height"]
    assert choice.locator(".ck-own").text_content() == "redyou said"
    assert choice.locator(".ck-right").text_content() == "blueso it is"
    assert choice.get_by_text("Most people think of the evening.").is_visible()
    assert not choice.get_by_text("So it is on the moon.").count()

    page.evaluate("jupyterapp.commands.execute('docmanager:save')")
    notebook("notebooks/sky.ipynb").run(explorer=False)  # the page anew
    choice.get_by_text("You said red. It is blue.").wait_for()
    assert choice.get_by_role("radio", name="red").is_checked()
    assert page.evaluate("!document.activeElement.closest('.ck-predict')")

    number = asked.prediction(1)
    slider = number.get_by_role("slider", name="How many?")
    slider.focus()
    press(page, *["ArrowLeft"] * 3)
    assert slider.get_attribute("aria-valuetext") == "17 mistakes"
    press(page, "Tab", "Enter")
    asked.said(number, "You said 17 mistakes. It is 18 mistakes.")
    number.get_by_role("img", name="A line from 0 to 40.").wait_for()

    place = asked.prediction(2)
    button = place.get_by_role("button", name="That is my prediction")
    assert button.is_disabled()
    place.locator(".ck-stage").focus()
    press(page, "ArrowRight")
    place.get_by_text("Your mark: (2.08, -2)").wait_for()
    press(page, "Tab", "Enter")
    asked.said(place, "You marked (2.08, -2). Close enough: it is (2, -1).")
    place.get_by_role("img", name="Two arrows and their sum.").wait_for()

    shape = asked.prediction(3)
    button = shape.get_by_role("button", name="That is my prediction")
    shape.get_by_role("slider").first.focus()
    assert button.is_disabled()
    press(page, *["ArrowUp"] * 5, "Tab", "Tab", "PageDown", "Tab", "Tab")
    heights = shape.get_by_role("slider").evaluate_all("all => all.map(one => [one.ariaLabel, one.ariaValueText])")
    assert heights == [["0", "-1.6 km"], ["1.3", "-2 km"], ["2.7", "-2.4 km"], ["4", "-2 km"]]
    press(page, "Enter")
    asked.said(shape, "Not quite. On average you are 0.95 km off, too high on the left, too low on the right. "
                      "Yours is highest at 0, the true one at 2.7. At 2 of 4 places you are within the 2 draws.")
    expect(shape.get_by_role("slider")).to_have_count(0)
    expect(shape.get_by_text("mean of 2 draws")).to_be_visible()

    kept = json.loads(kept_in.read_text())
    assert (kept["sky/color"], kept["sky/count"]) == ("red", 17)
    assert kept["sky/place"] == pytest.approx([2.08, -2])
    assert page.evaluate("jupyterapp.shell.currentWidget.content.widgets.length") == len(CELLS)  # no key was a command
    number.get_by_role("button", name="Ask me all questions of this chapter again").click()
    assert json.loads(kept_in.read_text()) == kept  # not yet
    number.get_by_role("button", name="Press again to forget all your answers").click()
    choice.get_by_role("button", name="That is my prediction").wait_for()
    assert not choice.get_by_text("Rayleigh").count()
    assert not choice.get_by_role("radio", name="red").is_checked()
    assert json.loads(kept_in.read_text()) == {}
