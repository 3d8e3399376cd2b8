"""`coursekit lecture` in a real browser: given with votes, on two screens, and past the death of its Python."""

import re
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import urlopen

import psutil
import pytest
from playwright.sync_api import expect

from coursekit_lecture import running
from tests.browser.harness import alone, serving

pytestmark = pytest.mark.slow
ORDER = running.read("2")
VOTE = next(k for k, step in enumerate(ORDER.steps) if step.asks and step.asks.choices)


@pytest.fixture(scope="module")
def settings(tmp_path_factory):
    return tmp_path_factory.mktemp("lecture")


@pytest.fixture(scope="module")
def address(browser, settings):
    with serving("lecture", "2", settings=settings) as running:
        yield running


@pytest.fixture(scope="module")
def page(browser, address):
    """The hall's page."""
    with alone(browser, address, 1920, 1080) as opened:
        made(opened)
        yield opened


def made(page):
    """Until the whole lecture lies ready."""
    page.wait_for_function("order && Object.keys(made).length === order.steps.length && "
                           "order.steps.every(({ choices }, k) => made[k] >= (choices ? 3 : 2))", timeout=120_000)


def to(page, k):
    """Turn to a step."""
    page.evaluate("k => go(k)", k)
    arrives(page, k)


def arrives(page, k):
    """Until the server's answer is on the screen."""
    expect(page.locator("nav button").nth(k)).to_have_attribute("aria-current", "step")
    expect(page.locator("body")).not_to_have_class(re.compile("missing"))


def stage(page):
    return next(frame for frame in page.frames if urlsplit(frame.url).path == "/stage")


def seen(page, k):
    """Until the step's box is what the kernel's page shows, and the next one's is not."""
    for step, visibility in ((k, "visible"), (k + 1, "hidden")):
        expect(stage(page).locator(f".ck-scene-{step}")).to_have_css("visibility", visibility)


def test_keys_and_a_clicker_turn_pages_and_each_is_a_link(page, address):
    page.keyboard.press("Home")
    arrives(page, 0)
    seen(page, 0)
    first = stage(page).locator(".ck-scene-0")
    before = first.get_by_role("spinbutton", name="emails seen").input_value()
    assert first.get_by_role("button", name="Step", exact=True).is_visible()
    first.get_by_role("slider").first.press("PageDown")  # a clicker's key moves no slider
    arrives(page, 1)
    page.keyboard.press("PageUp")
    arrives(page, 0)
    assert first.get_by_role("spinbutton", name="emails seen").input_value() == before
    for k, key in enumerate(("PageDown", "ArrowRight", "PageDown"), start=1):
        page.keyboard.press(key)
        arrives(page, k)
        seen(page, k)
    page.keyboard.press("PageUp")
    arrives(page, 2)
    expect(page).to_have_url(re.compile("#step=3"))
    stage(page).locator("body").press("PageDown")  # also when the kernel's page has the focus
    arrives(page, 3)
    page.goto(re.sub("#.*", "", page.url) + "#step=1&style=dark")
    arrives(page, 0)
    expect(stage(page).locator("body")).to_have_attribute("data-style", "dark")
    page.keyboard.press("s")
    expect(stage(page).locator("body")).to_have_attribute("data-style", "light")


def test_of_keys_that_are_faster_than_the_answers_none_is_lost(page):
    """On a line that answers each of them with what was so before the first."""
    to(page, 0)
    second, told, pressed = page.context.new_page(), [], []

    def late(line):
        server = line.connect_to_server()

        def press(message):
            server.send(message)
            pressed.append(message)
            line.send(told[-1])

        def tell(message):
            if not pressed:
                told.append(message)
                line.send(message)

        line.on_message(press)
        server.on_message(tell)

    second.route_web_socket(re.compile("/line"), late)
    second.goto(re.sub(r"/[^/]*$", "/speaker", page.url))
    second.locator("article h1").wait_for()
    for _ in range(2):
        second.keyboard.press("PageDown")
        second.wait_for_function("now.asked.step === 0")
    arrives(page, 2)
    second.close()


def test_hands_are_counted_and_the_outcome_comes_beside_them(page):
    made(page)
    to(page, VOTE)
    question = ORDER.steps[VOTE].asks
    assert page.locator("#ballot h1").text_content() == ORDER.steps[VOTE].question
    for count, choice in zip((30, 10), question.choices, strict=False):
        page.get_by_label(f"votes for {choice}", exact=True).fill(str(count))
    page.get_by_text("40 votes").wait_for()
    assert page.locator("#ballot em").all_text_contents()[:2] == ["75 %", "25 %"]
    assert page.get_by_text(question.answers[question.right]).count() == 0
    page.get_by_role("button", name="Show the outcome").click()
    page.wait_for_function("now.outcome")
    assert page.locator("#wait").is_hidden()  # it lies ready
    page.get_by_text(question.answers[question.right]).wait_for()
    picture = stage(page).locator(f".ck-scene-{VOTE} > .ck-outcome img")
    picture.wait_for()
    ballot, shown = page.locator("#ballot").bounding_box(), picture.bounding_box()
    assert ballot["x"] + ballot["width"] <= shown["x"]
    assert shown["x"] + shown["width"] <= 1920
    page.get_by_role("button", name="Back to the question").click()


def test_a_drawings_outcome_fits_and_the_keys_it_has_turn_pages(browser, tmp_path):
    (tmp_path / "mine.toml").write_text("""title = "Mine"
    [[steps]]
    minute = 0
    title = "Vote"
    vote = "06-regularization/touch"
    question = "Draw the path."
    [[steps]]
    minute = 9
    title = "End"
    """)
    own = serving("lecture", str(tmp_path / "mine.toml"), settings=tmp_path)
    with own as address, alone(browser, address, 1024, 768) as page:
        page.wait_for_function("order && made[0] >= 2", timeout=120_000)
        for shown in (True, False, True):
            page.keyboard.press("Enter")
            page.wait_for_function("shown => now.outcome === shown", arg=shown)
            if shown:
                expect(stage(page).locator(".ck-scene-0 .ck-done :focus").first).to_be_attached()
                box = stage(page).locator(".ck-scene-0")
                assert box.evaluate("box => box.scrollHeight <= box.clientHeight")
        page.keyboard.press("ArrowRight")
        arrives(page, 1)


def test_the_speaker_sees_what_the_hall_does_not_and_turns_its_pages(page):
    second = page.context.new_page()
    second.goto(re.sub(r"/[^/]*$", "/speaker", page.url))
    second.locator("article h1").wait_for()
    page.evaluate("k => go(k)", VOTE)
    second.get_by_text(ORDER.steps[VOTE].expect, exact=False).wait_for()
    assert page.get_by_text(ORDER.steps[VOTE].expect).count() == 0
    second.get_by_role("button", name="Next").click()
    arrives(page, VOTE + 1)
    second.close()


def test_what_the_server_refuses_is_said(page):
    page.evaluate("send({ go: 99 })")
    page.get_by_text("That can't be done: go must be").wait_for()
    assert page.locator("#phones").is_hidden()  # there are none to be shown the way


def test_when_its_python_dies_it_comes_back_by_itself_at_the_same_step_in_the_same_state(page):
    to(page, 0)
    scene = page.frame_locator("#stage").locator(".ck-scene-0")
    words, drawer = scene.locator(".ck-sentence").first, scene.locator(".ck-drawer").first
    number = scene.get_by_role("spinbutton", name="emails seen")
    scene.locator(".ck-more").first.click()
    expect(drawer).to_be_visible()
    running = psutil.Process().children(recursive=True)
    (dying,) = (one for one in running if "ipykernel_launcher" in " ".join(one.cmdline()))  # of the whole lecture
    before = words.text_content()
    number.fill("7")
    number.press("Enter")
    expect(words).not_to_have_text(before)
    dying.kill()  # before what was moved is told
    sentence = words.text_content()
    page.get_by_text("Python has stopped").wait_for(timeout=30_000)
    page.get_by_text("Python has stopped").wait_for(state="hidden", timeout=60_000)
    arrives(page, 0)
    expect(number).to_have_value("7")
    expect(words).to_have_text(sentence)
    expect(drawer).to_be_visible()
    number.fill("9")
    number.press("Enter")
    expect(words).not_to_have_text(sentence)  # it moves again
    to(page, VOTE)
    assert page.locator("#ballot em").all_text_contents()[:2] == ["75 %", "25 %"]  # the votes are still there


def test_nobody_without_the_token_sees_the_lecture(address):
    root = re.match(r"http://localhost:\d+", address)[0]
    for path in ("", "speaker", "stage", "hall/lecture.js"):
        assert "login" in urlopen(f"{root}/{path}").url
    with pytest.raises(HTTPError, match="403"):
        urlopen(f"{root}/line")


def test_when_the_server_is_gone_the_page_says_what_to_do_and_goes_on_with_the_next_one(page, address, settings):
    to(page, VOTE)
    began, port = page.evaluate("now.started"), str(urlsplit(address).port)
    (server,) = [one for one in psutil.Process().children() if "lecture" in one.cmdline()]
    server.kill()
    server.wait()
    page.get_by_text("Type its command in the terminal again").wait_for()
    with serving("lecture", "2", "--port", port, settings=settings):
        page.wait_for_function("began => began === now.started && alive && line.readyState === 1", arg=began)
        made(page)
        arrives(page, VOTE)
        assert page.locator("#wait").is_hidden()
        assert page.locator("#ballot em").all_text_contents()[:2] == ["75 %", "25 %"]
        to(page, 0)
        seen(page, 0)
