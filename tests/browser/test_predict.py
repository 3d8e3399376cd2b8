"""Predictions in real browsers: by keyboard in JupyterLab, in JupyterLite, on a phone, and as a vote."""

import json
import re
from urllib.parse import urlsplit

import pytest
from matplotlib.colors import to_hex
from playwright.sync_api import expect

from coursekit.explorers.question import find
from coursekit.plots import STYLES
from tests.browser.harness import serving, write
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
    'ck.predict("sky/colour", lambda: ck.explorers.hyperplane())',
    'ck.predict("sky/count", picture)',
    'ck.predict("sky/place", picture, picture())',
    'ck.predict("sky/shape", lambda: np.array([[-3, -2, -1, -2], [-3, -2, -1, 0]]), picture())',
)
MISTAKES = find("02-perceptron/mistakes")


@pytest.fixture
def asked(notebook, folder):
    """A notebook with a prediction of each kind, run."""
    here = folder / "notebooks"
    (here / "predictions").mkdir(exist_ok=True)
    (here / "predictions" / "sky.toml").write_text(FILE)
    (here / ".coursekit-predictions.json").unlink(missing_ok=True)
    write(here / "sky.ipynb", *CELLS)
    opened = notebook("notebooks/sky.ipynb")
    opened.run(explorer=False)
    return opened


def press(page, *keys):
    for key in keys:
        page.keyboard.press(key)


def test_each_kind_is_answered_by_keyboard_told_not_before_and_kept_until_it_is_asked_again(asked, notebook, folder):
    page = asked.page
    fits_a_phone(asked)
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

    kept = json.loads((folder / "notebooks" / ".coursekit-predictions.json").read_text())
    assert (kept["sky/colour"], kept["sky/count"]) == ("red", 17)
    assert kept["sky/place"] == pytest.approx([2.08, -2])
    assert page.evaluate("jupyterapp.shell.currentWidget.content.widgets.length") == len(CELLS)  # no key was a command
    number.get_by_role("button", name="Ask me all questions of this chapter again").click()
    assert json.loads((folder / "notebooks" / ".coursekit-predictions.json").read_text()) == kept  # not yet
    number.get_by_role("button", name="Press again to forget all your answers").click()
    choice.get_by_role("button", name="That is my prediction").wait_for()
    assert not choice.get_by_text("Rayleigh").count()
    assert not choice.get_by_role("radio", name="red").is_checked()
    assert json.loads((folder / "notebooks" / ".coursekit-predictions.json").read_text()) == {}


def fits_a_phone(asked):
    """Nothing is cut off, and all can be touched."""
    page, whole = asked.page, asked.page.viewport_size
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


def test_a_vote_counts_and_then_shows_the_outcome_beside_the_bars(browser, tmp_path):
    with serving("demo", "predict", MISTAKES.name, settings=tmp_path) as address:
        context = browser.new_context(viewport={"width": 1280, "height": 720})
        context.route(lambda url: urlsplit(url).hostname != "localhost", lambda route: route.abort())
        page = context.new_page()
        page.goto(address)
        page.get_by_role("spinbutton", name="votes for 1").fill("59", timeout=60_000)
        page.get_by_role("button", name="one more vote for 1").click()
        page.get_by_role("spinbutton", name="votes for 3", exact=True).fill("180")
        assert page.get_by_role("status").text_content() == "240 votes"
        assert page.locator(".ck-choice em:has-text('%')").all_text_contents() == ["25 %", "75 %", "0 %", "0 %"]
        assert page.locator("tr").count() == 0
        page.get_by_role("button", name="Show the outcome").click()
        page.locator("tr").first.wait_for()
        bars, outcome = page.locator(".ck-ballot").bounding_box(), page.locator(".ck-outcome").bounding_box()
        assert bars["x"] + bars["width"] <= outcome["x"]
        assert outcome["x"] + outcome["width"] <= 1280
        assert page.locator(".ck-right").text_content().startswith("9")
        context.close()


def test_a_vote_on_a_place_collects_marks_in_the_dark_and_shows_them_in_the_outcome(browser, tmp_path):
    question = find("01-linear-classifiers/cell")
    with serving("demo", "predict", question.name, "--style", "dark", settings=tmp_path) as address:
        page = browser.new_page(viewport={"width": 1280, "height": 720})
        page.goto(address)
        picture = page.locator(".ck-place canvas[data-drawn]")
        picture.wait_for(timeout=60_000)
        assert page.get_by_text(question.answers[question.right]).count() == 0
        box = picture.bounding_box()
        for marks, (x, y) in enumerate([(0.3, 0.3), (0.5, 0.4), (0.7, 0.6)], start=1):
            page.mouse.click(box["x"] + x * box["width"], box["y"] + y * box["height"])
            page.get_by_text(f"{marks} mark").wait_for()
        page.get_by_role("button", name="Show the outcome").click()
        page.get_by_text(question.answers[question.right]).wait_for()
        paper, ink = page.locator(".ck-vote").evaluate(
            "page => [getComputedStyle(page).backgroundColor, getComputedStyle(page.querySelector('.ck-said')).color]"
        )
        dark = STYLES["dark"]
        assert [to_hex([int(n) / 255 for n in re.findall(r"\d+", colour)[:3]]) for colour in (paper, ink)] == [
            dark.paper.lower(), dark.ink.lower()
        ]
        page.context.close()
