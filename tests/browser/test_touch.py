"""Explorers under a hand: pointer, keys, tools and downloads, and what a screen reader finds."""

import json
import re

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import expect

import coursekit as ck
from tests.benchmarks.soak import Session, showing
from tests.browser.harness import Notebook

pytestmark = pytest.mark.slow

NAMED = {"button", "checkbox", "combobox", "slider", "spinbutton", "textbox", "application", "image"}


@pytest.fixture(scope="module")
def everyone(browser, address, folder):
    """A notebook that shows every explorer, run. Whatever the browser's console complains about fails the last test."""
    showing(folder / "touch.ipynb", ck.explorers.__all__)
    page = browser.new_page(viewport={"width": 1280, "height": 1000})
    opened = Notebook(page, address, "touch.ipynb")
    opened.run()
    opened.cdp = page.context.new_cdp_session(page)
    yield opened
    page.evaluate("jupyterapp.serviceManager.sessions.shutdownAll()")
    page.context.close()
    assert opened.complaints == []


@pytest.fixture
def explorers(everyone):
    """Goes on with one of them, at its start, its drawer open or not."""

    def shown(name, tools=False):
        everyone.show(ck.explorers.__all__.index(name))
        everyone.explorer.get_by_role("button", name="Reset", exact=True).click()
        drawer = everyone.explorer.get_by_label("state", exact=True)
        if drawer.is_visible() != tools:
            everyone.explorer.locator(".ck-more").click()
            drawer.wait_for(state="visible" if tools else "hidden")  # the picture makes room for it
        everyone.settle()
        return everyone

    return shown


def pointed(page, same):
    """Where on the screen a place of a picture is, wherever two fingers have moved that."""
    picture = page.explorer.locator(".ck-picture")
    picture.scroll_into_view_if_needed()

    def at(x1, x2):
        box = picture.bounding_box()
        x, y = same.plane.transData.transform((x1, x2)) / same.picture.figure.bbox.size
        return box["x"] + x * box["width"], box["y"] + (1 - y) * box["height"]

    return at


def fingers(page, kind, *places):
    """Tells the browser what fingers do, and where on the screen."""
    points = [{"x": x, "y": y, "id": k} for k, (x, y) in enumerate(places)]
    page.cdp.send("Input.dispatchTouchEvent", {"type": f"touch{kind}", "touchPoints": points})


def state(page):
    """The line in the drawer of tools."""
    page.settle()
    return page.explorer.get_by_label("state", exact=True).input_value()


STEPS, ENDS = "{} goes in steps: {} became {}, the nearest.", "{} goes from {} to {}: {} became {}."
TYPED = [  # graded, whole, logarithmic, and one without a slider; what cannot be goes to the nearest, and is told
    ("hyperplane", "angle", "angle", [
        ("12,4", 12, STEPS.format("angle", "12,4", 12)), ("200", 180, ENDS.format("angle", -180, 180, 200, 180)),
        ("much", 180, "angle: “much” is no number; it is still 180."),
        ("", 180, "angle: nothing is no number; it is still 180."), ("−30", -30, ""),
    ]),
    ("hyperplane", "seed", "seed", [("7", 7, ""), ("2.6", 3, STEPS.format("seed", 2.6, 3))]),
    ("svm", "lambda", "lam", [
        ("0,0002", 0.0002, ""), ("0", 1e-6, ENDS.format("lambda", "1e-6", 10, 0, "1e-6")),
        ("0.3", 0.316, STEPS.format("lambda", 0.3, 0.316)),
    ]),
    ("descent", "start w1", "w1", [("1,25", 1.25, ""), ("1 000", 4, ENDS.format("start w1", -2, 4, "1 000", 4))]),
]


@pytest.mark.parametrize(("name", "label", "control", "tries"), TYPED)
def test_a_number_is_typed_beside_its_slider(explorers, name, label, control, tries):
    page, same = explorers(name), getattr(ck.explorers, name)()
    shown = page.labeled(label)
    number, slider = shown.get_by_role("spinbutton", name=label), shown.get_by_role("slider", name=label)
    for text, value, said in tries:
        number.fill(text)
        number.press("Enter")
        same.set(**{control: value})
        expect(page.words).to_have_text(same.sentence)
        expect(shown.get_by_role("status")).to_have_text(said)
        for spoken in (number, *slider.all()):
            assert [float(spoken.get_attribute(f"aria-value{what}")) for what in ("text", "now")] == [value, value]
        assert float(number.input_value()) == value
    number.press("ArrowDown")
    at = same.stops(control)
    same.set(**{control: at[min(range(len(at)), key=lambda k: abs(at[k] - value)) - 1]})
    expect(page.words).to_have_text(same.sentence)
    assert float(number.input_value()) == pytest.approx(same.values[control])
    assert page.panel.locator(".jp-Cell").count() == 2  # no key was a command


def test_a_point_is_added_dragged_and_removed_under_the_hand(explorers):
    page, same = explorers("perceptron", tools=True), ck.explorers.perceptron()
    line, at = page.explorer.get_by_label("state", exact=True), pointed(page, same)
    mouse, keyboard = page.page.mouse, page.page.keyboard
    mouse.click(*at(-3, 5))
    expect(line).to_have_value(re.compile(r"example=40 edits='\+\(-[\d.]+,[\d.]+\)'"))
    mouse.move(*at(-3, 5))
    mouse.down()
    mouse.move(*at(7, -3), steps=5)
    mouse.up()
    expect(line).to_have_value(re.compile(r"edits='\+\((7|6\.9\d*|7\.0\d*),-(3|2\.9\d*|3\.0\d*)\)'"))
    x, y = (float(place) for place in re.search(r"\((.*),(.*)\)", state(page)).groups())
    for key, says in [
        ("Delete", f"example=39 edits='+({x:.4g},{y:.4g}) 40()'"),
        ("Control+z", f"example=39 edits='+({x:.4g},{y:.4g})'"),
        ("n", f"example=40 edits='+({x:.4g},{y:.4g})'"),
        ("ArrowRight", f"example=40 edits='+({x + 0.1:.4g},{y:.4g})'"),
        ("Shift+ArrowUp", f"example=40 edits='+({x + 0.1:.4g},{y + 0.5:.4g})'"),
        ("n", f"example=0 edits='+({x + 0.1:.4g},{y + 0.5:.4g})'"),
    ]:
        keyboard.press(key)
        expect(line).to_have_value(says)
    line.fill("example=40 edits='+(7,-2)' visit=55")
    with page.new_picture():
        keyboard.press("Enter")
    same.preset = "example=40 edits='+(7,-2)' visit=55"
    expect(page.words).to_have_text(same.sentence)
    page.click("Undo")
    expect(line).to_have_value("visit=55 example=39")
    page.explorer.locator(".ck-stage").focus()
    for key in "dddda":  # in JupyterLab: delete the cell; then new cell above
        keyboard.press(key)
    expect(line).to_have_value(re.compile(r"visit=55 example=40 edits='\+"))
    keyboard.press("Control+z")
    expect(line).to_have_value("visit=55 example=39")
    assert page.panel.locator(".jp-Cell").count() == 2
    line.fill("visit=many")
    keyboard.press("Enter")
    expect(page.words).to_contain_text("This line cannot be a state. visit must be a number; got 'many'. The machine")


def test_the_tip_of_an_arrow_shows_itself_to_the_mouse_and_is_dragged_by_hand_and_by_finger(explorers):
    page, same = explorers("hyperplane", tools=True), ck.explorers.hyperplane()
    picture, mouse, at = page.explorer.locator(".ck-picture"), page.page.mouse, pointed(page, same)

    def tip():
        return at(*same.normal.ends.get_xydata()[1])

    def follows(x, y):
        """The tip lies where the pointer is, seen from the middle, which the line is turned about."""
        same.preset = state(page)
        middle = np.mean([same.plane.get_xlim(), same.plane.get_ylim()], axis=1)
        ways = (np.arctan2(*np.subtract(end, middle)) for end in (same.normal.ends.get_xydata()[1], (x, y)))
        assert abs(np.degrees(np.subtract(*ways))) < 3
        expect(page.words).to_have_text(same.sentence)

    mouse.move(*at(-7, 4.5))
    expect(picture).to_have_css("cursor", "crosshair")
    mouse.move(*tip())
    expect(picture).to_have_css("cursor", "grab")
    mouse.down()
    expect(picture).to_have_css("cursor", "grabbing")
    mouse.move(*at(-1, 3), steps=3)
    mouse.up()
    follows(-1, 3)
    fingers(page, "Start", tip())
    fingers(page, "Move", at(0, -2))
    fingers(page, "Move", at(1, -3))
    fingers(page, "End")
    follows(1, -3)


def test_the_sentence_is_read_out_once_it_stands_still(explorers):
    page = explorers("svm")
    spoken, before = page.explorer.locator(".ck-spoken"), page.sentence()
    assert spoken.get_attribute("aria-live") == "polite"
    expect(spoken).to_have_text(before)
    spoken.evaluate("""node => {
        window.spoken = [];
        new MutationObserver(() => window.spoken.push(node.textContent)).observe(node, { childList: true });
    }""")
    for _ in range(10):
        page.slider("separability").press("ArrowLeft")
    page.settle()
    expect(page.words).not_to_have_text(before)
    expect(spoken).to_have_text(page.sentence())
    assert page.page.evaluate("window.spoken.length") < 5


def test_any_control_plays_compares_and_is_kept_as_a_file(explorers, tmp_path):
    page = explorers("svm", tools=True)
    explorer, keyboard = page.explorer, page.page.keyboard
    explorer.get_by_label("play", exact=True).select_option("seed")
    page.click("Step")
    page.click("Compare with before")
    expect(explorer.get_by_label("state", exact=True)).to_have_value("seed=1 before='lam=0.01 seed=1'")
    explorer.get_by_label("speed").select_option("20 a second")
    with page.new_picture():
        explorer.get_by_role("button", name="Play or pause").click()
    page.page.wait_for_function(
        "handle => Number(handle.getAttribute('aria-valuenow')) >= 4", arg=page.slider("seed").element_handle()
    )
    explorer.locator(".ck-stage").focus()
    keyboard.press("Space")
    paused = state(page)
    assert "before=" in paused
    page.page.wait_for_timeout(300)  # that nothing comes is no event
    assert state(page) == paused
    with page.new_picture():
        keyboard.press("c")
    assert "before" not in state(page)
    explorer.get_by_label("play", exact=True).select_option("descent")
    explorer.get_by_label("save as").select_option("GIF")
    with page.page.expect_download() as download:
        explorer.get_by_role("button", name="Save", exact=True).click()
    assert download.value.suggested_filename == "svm.gif"
    download.value.save_as(tmp_path / "svm.gif")
    with Image.open(tmp_path / "svm.gif") as gif:
        assert gif.n_frames == 3


def test_a_screen_reader_finds_every_control_by_name_and_tab_reaches_it(explorers):
    for name in reversed(ck.explorers.__all__):
        page = explorers(name, tools=True)
    page.cdp.send("Accessibility.enable")
    wholes, named = page.panel.locator(".ck-whole"), []
    assert wholes.count() == len(ck.explorers.__all__)
    for k, name in enumerate(ck.explorers.__all__):
        expression = {"expression": f"document.querySelectorAll('.ck-whole')[{k}]"}
        node = page.cdp.send("Runtime.evaluate", expression)["result"]["objectId"]
        found = page.cdp.send("Accessibility.queryAXTree", {"objectId": node})["nodes"]
        seen = [n for n in found if not n["ignored"] and n["role"]["value"].lower() in NAMED]
        assert [json.dumps(n["role"]) for n in seen if not n.get("name", {}).get("value", "").strip()] == []
        roles = [(n["role"]["value"].lower(), n["name"]["value"]) for n in seen]
        sliders = [label for role, label in roles if role == "slider"]
        declared = getattr(ck.explorers, name).declared
        assert {declared[one].make().description for one in ("separability", "eta", "lam", "seed")} <= {*sliders}
        assert len(sliders) == len(set(sliders))
        assert ("textbox", "state") in roles
        stage = next(n for n in seen if n["role"]["value"] == "application")
        assert "compares with before" in stage["description"]["value"]
        named.append(next(label for role, label in roles if role == "image"))
        assert named[-1].startswith(f"{name.replace('_', ' ')}: ")
        said = wholes.nth(k).locator(".ck-sentence").text_content()
        heard = [n["name"]["value"] for n in found if not n["ignored"] and n["role"]["value"] == "StaticText"]
        assert sum(said[-30:] in text for text in heard) == 1, heard
        unreachable = wholes.nth(k).evaluate(
            """whole => [...whole.querySelectorAll("button, select, input, [role=slider], [role=application]")]
                .filter(node => node.offsetParent && !node.disabled && node.tabIndex < 0).map(node => node.outerHTML)"""
        )
        assert unreachable == []
    assert len({*named}) == len(named)
    focus = "document.activeElement.getAttribute('role') ?? document.activeElement.tagName"
    walked, sliders = [], page.explorer.get_by_role("slider").count()
    page.explorer.locator(".ck-stage").focus()
    while len(walked) < 60 and walked.count("slider") < sliders:
        walked.append(page.page.evaluate(focus))
        page.page.keyboard.press("Tab")
    assert walked[:3] == ["application", "slider", "spinbutton"]
    assert walked.count("slider") == sliders > 3


def swipe(page, start, by):
    """One finger goes from a place of the screen, (x, y), so far, and is lifted."""
    for k in range(9):
        fingers(page, "Move" if k else "Start", (start[0] + by[0] * k / 8, start[1] + by[1] * k / 8))
    fingers(page, "End")


TOP = "document.querySelector('.jp-NotebookPanel:not(.lm-mod-hidden) .jp-WindowedPanel-outer').scrollTop"


def test_a_finger_that_scrolls_from_a_slider_leaves_it_as_it_was(explorers):
    page = explorers("descent", tools=True)
    before = state(page)
    slider = page.explorer.locator(".ck-main").get_by_role("slider").first
    for share in (0.1, 0.9):
        slider.evaluate("slider => slider.scrollIntoView({ block: 'center' })")
        start, box = page.page.evaluate(TOP), slider.bounding_box()
        swipe(page, (box["x"] + share * box["width"], box["y"] + box["height"] / 2), (3, -90))
        page.page.wait_for_function(f"start => {TOP} > start + 30", arg=start)
        assert state(page) == before


def test_a_finger_moves_the_page_unless_it_takes_hold_of_a_grip(explorers):
    for name in ck.explorers.__all__[:-1]:  # below the last one there is nothing to scroll to
        page, same = explorers(name, tools=True), getattr(ck.explorers, name)()
        picture, line = page.explorer.locator(".ck-picture"), page.explorer.get_by_label("state", exact=True)
        before = line.input_value()
        picture.evaluate("picture => picture.scrollIntoView({ block: 'center' })")
        box = picture.bounding_box()
        grips = np.reshape(same.picture.grips, (-1, 2)) * (box["width"], box["height"])
        crowd = [a for a in grips if 0 < sorted(np.hypot(*(grips - a).T))[1] < 40] if len(grips) > 1 else []
        free = [(x, y) for x in np.arange(50, box["width"], 50) for y in np.arange(30, box["height"], 50)
                if np.hypot(*(grips - (x, y)).T).min(initial=99) > 30]
        for x, y in [*free[:: len(free) // 2], *crowd[:1]]:
            start, box = page.page.evaluate(TOP), picture.bounding_box()  # a cell above may have grown since
            swipe(page, (box["x"] + x, box["y"] + y), (3, -90))
            page.page.wait_for_function(f"start => {TOP} > start + 30", arg=start)
            page.page.evaluate(f"start => {{ {TOP} = start }}", start)
        page.settle()
        assert line.input_value() == before, name
    page, same = explorers("descent", tools=True), ck.explorers.descent()
    picture = page.explorer.locator(".ck-picture")
    picture.evaluate("picture => picture.scrollIntoView({ block: 'center' })")
    box, ((x, y),) = picture.bounding_box(), same.picture.handles
    start = page.page.evaluate(TOP)
    swipe(page, (box["x"] + x * box["width"] + 15, box["y"] + y * box["height"] - 15), (60, 90))
    same.preset = state(page)
    assert same.w1 > -0.5
    assert same.w2 < 2.5
    assert page.page.evaluate(TOP) == start
    state_of = page.explorer.get_by_label("state", exact=True)
    state_of.fill("w1=-2 w2=0")  # the grip lies on the edge of its axes, and the finger beside them
    state_of.press("Enter")
    same.preset = state(page)
    (x, y), = same.picture.handles
    box = picture.bounding_box()
    swipe(page, (box["x"] + x * box["width"] - 12, box["y"] + y * box["height"]), (60, -20))
    same.preset = state(page)
    assert same.w1 > -2
    assert same.w2 > 0


def test_one_finger_touches_examples_and_two_or_the_right_button_none(explorers):
    """Last of those who share the page, which stays enlarged."""
    page, same = explorers("multiclass", tools=True), ck.explorers.multiclass()
    same.picture.figure.draw_without_rendering()  # its map finds its place when it is drawn
    page.explorer.get_by_label("click adds").select_option("1")
    at, edits = pointed(page, same), page.explorer.get_by_label("edits")
    page.page.mouse.click(*at(-5, 5), button="right")
    page.page.keyboard.press("Escape")  # the menu
    fingers(page, "Start", at(-5, 5))
    fingers(page, "Start", at(-5, 5), at(5, -5))
    for k in range(1, 5):
        fingers(page, "Move", at(-5 - 0.4 * k, 5), at(5 + 0.4 * k, -5))
    fingers(page, "End")
    assert page.page.evaluate("visualViewport.scale") > 1
    fingers(page, "Start", at(-5, 4))
    fingers(page, "End")
    expect(edits).to_have_value(re.compile(r"^\+1\(-5(\.05)?,(4|3.95|4.05)\)$"))
    fingers(page, "Start", at(-5, 4))
    for k in range(1, 5):
        fingers(page, "Move", at(-5 + k, 4))
    fingers(page, "End")
    expect(edits).to_have_value(re.compile(r"^\+1\(-(1|0\.95|1\.05),(4|3.95|4.05)\)$"))


def test_random_use_leaves_no_error_and_no_picture_behind(notebook, address, folder):
    names = ["hyperplane", "perceptron", "svm", "real_data"]
    showing(folder / "soak.ipynb", names)
    session = Session(notebook("soak.ipynb"))
    session.play(3)
    nodes = session.measure()[2]
    session.play(4)
    _, _, later, urls = session.measure()
    assert session.errors() == []
    assert later < 1.1 * nodes
    assert urls <= len(names)
