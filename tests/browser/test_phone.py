"""The phone's page in a real browser: every kind of answer, by finger and by keys, and through a lost line."""

import asyncio
import io
import json
import re
import socket
from pathlib import Path
from threading import Thread

import matplotlib.pyplot as plt
import pytest
from playwright.sync_api import expect

from coursekit_lecture.audience import Audience
from coursekit_lecture.poll import Poll
from tests.browser.harness import serving
from tests.browser.lite import violations
from tests.browser.test_lecture import ORDER, VOTE, made, to
from tests.browser.test_touch import swipe

OPTIONS = ("just above that email", "through that email", "nowhere: there is no line yet")


class Hall:
    """An audience in an event loop of its own, which the test tells what to do."""

    def __init__(self, file):
        self.loop, self.file = asyncio.new_event_loop(), file
        Thread(target=self.loop.run_forever, daemon=True).start()
        self.up()

    def call(self, function, *arguments):
        async def there():
            return function(*arguments)

        return asyncio.run_coroutine_threadsafe(there(), self.loop).result()

    def up(self, port=0):
        self.served = self.call(lambda: Audience(self.file, port, "127.0.0.1", "Lecture 2"))
        self.call(self.served.start)

    def down(self):
        """As when the process is killed: nobody ends the vote."""
        self.call(self.served._watch.stop)
        self.call(self.served._server.stop)

    def ask(self, **poll):
        self.call(self.served.ask, Poll(**{"key": poll["question"], **poll}))
        return self.served.present


@pytest.fixture
def hall(tmp_path):
    hall = Hall(tmp_path / "votes")
    yield hall
    hall.call(hall.served.stop)
    hall.loop.call_soon_threadsafe(hall.loop.stop)


@pytest.fixture
def phone(browser, hall):
    """A phone that has opened the page; whatever its console complains about fails the test."""
    context = browser.new_context(viewport={"width": 320, "height": 568}, has_touch=True, is_mobile=True)
    page, complaints = context.new_page(), []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda m: complaints.append(m.text) if m.type == "error" else None)
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"http://{hall.served.address}/")
    expect(page.get_by_role("heading")).to_have_text("No question just now.")
    yield page
    context.close()
    assert [text for text in complaints if "ERR_CONNECTION_REFUSED" not in text] == []
    assert all(url.startswith((f"http://127.0.0.1:{hall.served.port}/", "data:")) for url in asked)


@pytest.fixture(scope="module")
def picture():
    """A PNG of the plane from (-4, -4) to (6, 6), and where in it the axes are."""
    figure, axes = plt.subplots(figsize=(6.4, 4))
    axes.set(xlim=(-4, 6), ylim=(-4, 6))
    figure.savefig(file := io.BytesIO(), dpi=100)
    drawn = {"picture": file.getvalue(), "box": tuple(map(float, axes.get_position().extents)), "alt": "an empty plane"}
    plt.close(figure)
    return drawn


def fits(page):
    """Nothing is wider than the phone, what is pressed is large, and no rule of axe is broken, light or dark."""
    assert page.evaluate("() => document.documentElement.scrollWidth - innerWidth") == 0
    assert min(page.locator("button:visible, input:visible").evaluate_all(
        "all => all.filter(one => one.offsetWidth > 1).map(one => one.offsetHeight)")) >= 48
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        assert violations(page) == []


def test_options_are_touched_changed_and_closed(hall, phone, picture):
    poll = hall.ask(question="Where will the line be after the first email?", options=OPTIONS, **picture)
    expect(phone.get_by_role("heading")).to_have_text(poll.question)
    expect(phone.get_by_role("img")).to_have_accessible_name("an empty plane")
    assert phone.locator("img").evaluate("image => image.decode().then(() => image.naturalWidth)") == 640
    first, second, _ = buttons = [phone.get_by_role("button", name=option) for option in OPTIONS]
    first.tap()
    said = phone.get_by_role("status").last
    expect(said).to_have_text("Your vote is in. You may change it until voting closes.")
    expect(first).to_have_attribute("aria-pressed", "true")
    assert poll.counts() == dict(zip(OPTIONS, (1, 0, 0), strict=True))
    second.focus()
    phone.keyboard.press("Enter")
    expect(second).to_have_attribute("aria-pressed", "true")
    expect(first).to_have_attribute("aria-pressed", "false")
    fits(phone)
    assert poll.counts() == dict(zip(OPTIONS, (0, 1, 0), strict=True))
    drawn = {**picture, "picture": picture["picture"] + b" ", "alt": "the same plane, drawn anew"}
    poll = hall.ask(question=poll.question, options=OPTIONS, **drawn)
    expect(phone.get_by_role("img")).to_have_accessible_name("the same plane, drawn anew")
    expect(second).to_have_attribute("aria-pressed", "true")
    hall.call(hall.served.close)
    expect(said).to_contain_text("Voting is closed.")
    expect(second).to_have_attribute("aria-pressed", "true")  # the phone remembers, nobody else does
    for button in buttons:
        expect(button).to_be_disabled()
    assert poll.counts() == dict(zip(OPTIONS, (0, 1, 0), strict=True))
    hall.ask(question="Another?", options=("yes", "no"))
    expect(phone.get_by_role("button")).to_have_text(["Ayes", "Bno"])
    expect(phone.get_by_role("img")).to_be_hidden()


@pytest.mark.slow
def test_a_slider_says_its_number_and_votes_when_told_to(hall, phone):
    poll = hall.ask(question="How many mistakes?", slider=(0, 40, 1), unit="mistakes")
    slider, button = phone.get_by_role("slider", name="mistakes"), phone.locator(".go")
    expect(slider).to_have_attribute("aria-valuetext", "Move the slider")
    expect(button).to_be_disabled()  # nobody votes for the middle by accident
    slider.tap()
    expect(slider).to_have_attribute("aria-valuetext", "20 mistakes")
    slider.press("ArrowRight")
    expect(phone.locator("output")).to_have_text("21 mistakes")
    button.tap()
    expect(phone.get_by_text("Your vote is in.")).to_be_visible()
    expect(button).to_be_disabled()
    assert poll.export()["counts"] == [[21, 1]]
    slider.press("Home")
    expect(button).to_have_text("Change my vote")
    fits(phone)
    button.press("Enter")
    expect(button).to_be_disabled()
    expect(phone.get_by_text("Your vote is in.")).to_be_visible()
    assert poll.export()["counts"] == [[0, 1]]


@pytest.mark.slow
def test_a_place_is_marked_by_finger_and_by_arrow_keys(hall, phone, picture):
    poll = hall.ask(question="Where does it land?", place=((-4, 6), (-4, 6)), **picture)
    expect(phone.get_by_role("heading")).to_have_text(poll.question)
    image = phone.locator("img")
    image.evaluate("image => image.decode()")
    area, (left, bottom, right, top) = image.bounding_box(), picture["box"]
    x, y = left + 0.75 * (right - left), 1 - (bottom + 0.25 * (top - bottom))  # by hand: (3.5, -1.5)
    phone.touchscreen.tap(area["x"] + x * area["width"], area["y"] + y * area["height"])
    phone.get_by_role("button", name="Vote").tap()
    expect(phone.get_by_text("Your vote is in.")).to_be_visible()
    ((across, up), _), = poll.export()["counts"]
    assert across == pytest.approx(3.5, abs=0.1)
    assert up == pytest.approx(-1.5, abs=0.1)
    ring = phone.locator("#picture i").bounding_box()
    assert ring["x"] + ring["width"] / 2 == pytest.approx(area["x"] + x * area["width"], abs=2)
    assert ring["y"] + ring["height"] / 2 == pytest.approx(area["y"] + y * area["height"], abs=2)
    slider = phone.get_by_role("slider", name="across")
    for key in ("ArrowLeft", "ArrowUp", "Shift+ArrowUp"):
        slider.press(key)
    fits(phone)
    slider.press("Enter")
    expect(phone.get_by_role("button", name="Change my vote")).to_be_disabled()
    expect(phone.get_by_text("Your vote is in.")).to_be_visible()
    assert poll.export()["counts"] == [[(pytest.approx(across - 0.1), pytest.approx(up + 1.1)), 1]]
    phone.touchscreen.tap(area["x"] + 1, area["y"] + 1)  # beside the axes: the nearest place in them
    phone.get_by_role("button", name="Change my vote").tap()
    expect(phone.get_by_text("Your vote is in.")).to_be_visible()
    assert poll.export()["counts"] == [[(-4, 6), 1]]


@pytest.mark.slow
def test_a_finger_that_scrolls_marks_nothing_and_one_on_the_ring_moves_it_up_and_down(hall, phone, picture):
    phone.cdp = phone.context.new_cdp_session(phone)
    phone.set_viewport_size({"width": 320, "height": 420})
    poll = hall.ask(question="How many mistakes?", slider=(0, 40, 1), unit="mistakes", **picture)
    slider = phone.get_by_role("slider", name="mistakes")
    for before in (20, 30):  # nothing yet, and a vote
        slider.evaluate("slider => slider.scrollIntoView({ block: 'center' })")
        start, box = phone.evaluate("scrollY"), slider.bounding_box()
        swipe(phone, (box["x"] + 0.9 * box["width"], box["y"] + box["height"] / 2), (3, 90))
        phone.wait_for_function("start => scrollY < start - 30", arg=start)
        assert slider.input_value() == str(before)
        assert slider.get_attribute("aria-valuetext") == ("Move the slider" if before == 20 else "30 mistakes")
        slider.evaluate("slider => { slider.value = 30; slider.oninput(); }")
    assert poll.votes == 0

    hall.ask(question="Where does it land?", place=((-4, 6), (-4, 6)), **picture)
    ring, said = phone.locator("#picture i"), phone.locator("output")
    expect(said).to_have_text("Touch the picture")
    phone.locator("img").evaluate("image => image.decode()")
    box = phone.locator("img").bounding_box()
    swipe(phone, (box["x"] + 150, box["y"] + 90), (3, -80))
    phone.wait_for_function("scrollY > 30")
    expect(said).to_have_text("Touch the picture")
    phone.evaluate("scrollTo(0, 0)")
    phone.touchscreen.tap(box["x"] + 150, box["y"] + 90)
    expect(ring).to_be_visible()
    first = ring.bounding_box()
    for off, by, moves in ((0, -50, True), (60, -80, False)):
        phone.evaluate("scrollTo(0, 0)")
        at = ring.bounding_box()
        swipe(phone, (at["x"] + 17 + off, at["y"] + 17), (0, by))
        if not moves:
            phone.wait_for_function("scrollY > 30")
            phone.evaluate("scrollTo(0, 0)")
        here = ring.bounding_box()
        assert here["y"] == pytest.approx(first["y"] - 50, abs=3)
        assert here["x"] == pytest.approx(first["x"], abs=3)


@pytest.mark.slow
def test_a_vote_without_a_line_arrives_when_the_line_is_back(hall, phone):
    asked = {"question": "On which side?", "options": ("left", "right")}
    hall.ask(**asked)
    phone.get_by_role("button", name="left").tap()
    expect(phone.get_by_text("Your vote is in.")).to_be_visible()
    hall.down()
    lost = phone.get_by_text("No connection. This page tries again by itself.")
    expect(lost).to_be_visible()
    phone.get_by_role("button", name="right").tap()
    expect(phone.get_by_text("Your vote is kept here until the line is back.")).to_be_visible()
    fits(phone)
    hall.up(hall.served.port)
    poll = hall.ask(**asked)
    expect(phone.get_by_text("Your vote is in.")).to_be_visible()
    expect(lost).to_be_hidden()
    assert poll.counts() == {"left": 0, "right": 1}
    phone.reload()
    expect(phone.get_by_role("button", name="right")).to_have_attribute("aria-pressed", "true")


@pytest.mark.slow
def test_a_phone_that_slept_shows_what_is_asked_now_as_soon_as_it_wakes(hall, phone):
    """The page is hidden as a browser hides it: timers may stand still, and it asks for nothing."""
    hidden = "value => { Object.defineProperty(document, 'hidden', { value, configurable: true }); }"
    phone.evaluate(hidden, True)
    with phone.expect_response(re.compile("/now")):
        pass  # the last one that was on its way
    hall.ask(question="Asleep?", options=("yes", "no"))
    phone.evaluate(hidden, False)
    phone.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(phone.get_by_role("heading")).to_have_text("Asleep?")


@pytest.mark.slow
def test_a_phones_vote_is_counted_in_the_hall(browser, tmp_path, monkeypatch):
    """From the command to the file of counts."""
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path / "data"))
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    there = f"127.0.0.1:{port}"
    command = ("lecture", "2", "--audience", "--audience-host", "127.0.0.1", "--audience-port", str(port))
    with serving(*command, settings=tmp_path / "settings") as address:
        page = browser.new_page(viewport={"width": 1920, "height": 1080})
        page.goto(address, timeout=120_000)  # until Python is there, on a busy machine
        made(page)
        code = page.locator("#door img")
        page.keyboard.press("a")  # for those who come late, whatever is on the screen
        expect(page.locator("#door strong")).to_have_text(there)
        assert code.evaluate("async code => { await code.decode(); return code.width > 300; }")
        page.get_by_role("button", name="Phones").click()
        expect(code).to_be_hidden()
        to(page, VOTE)
        expect(page.locator("#join strong")).to_have_text(there)
        phone = browser.new_page(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
        phone.goto(f"http://{there}")
        step = ORDER.steps[VOTE]
        expect(phone.get_by_role("heading")).to_have_text(step.asked)
        choice = step.asks.choices[1]
        phone.get_by_role("button", name=choice).tap()
        expect(page.locator("#join span")).to_have_text("1 vote · open")
        assert set(page.locator("#ballot em").all_text_contents()) == {""}
        page.keyboard.press("b")
        expect(page.locator("#ballot em").nth(1)).to_have_text("1")
        page.keyboard.press("Enter")
        expect(phone.get_by_text("Voting is closed.")).to_be_visible()
        for one in (phone, page):
            one.close()
    (counted,) = (tmp_path / "data" / "coursekit").iterdir()
    assert [poll["counts"] for poll in json.loads(counted.read_text())] == [[[choice, 1]]]


def test_the_page_is_small():
    folder = Path(__file__).parents[2] / "tools" / "coursekit_lecture"
    assert sum((folder / f"phone.{kind}").stat().st_size for kind in ("html", "css", "js")) < 15_000
