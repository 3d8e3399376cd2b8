"""What `coursekit demo` shows in a real browser: the page with the kernel, which lies inside that of the hall."""

import re

import pytest
from playwright.sync_api import expect

import coursekit as ck
from coursekit.explorers import presets
from tests.browser.harness import alone, serving

slow = pytest.mark.slow


@pytest.fixture(scope="module")
def address(browser, tmp_path_factory):
    settings = tmp_path_factory.mktemp("demo")
    (settings / "voila.json").write_text('{"Voila": {"ip": "0.0.0.0"}, "VoilaConfiguration": {"file_denylist": []}}')
    with serving("demo", "svm", "one-outlier", "--style", "projector", settings=settings) as running:
        yield running.replace("/?", "/stage?")


@pytest.fixture(scope="module")
def page(browser, address):
    with alone(browser, address, 1280, 720) as opened:
        opened.locator(".ck-picture[data-drawn]").wait_for(timeout=60_000)
        yield opened


@pytest.fixture(scope="module")
def same():
    return ck.explorers.svm(presets.line("svm", "one-outlier"))


def resize(page, width, height):
    """The window's size is told (`innerWidth`) before its content is laid out in it."""
    page.set_viewport_size({"width": width, "height": height})
    page.wait_for_function("width => document.querySelector('.ck-demo').clientWidth === width", arg=width)


def says(page, sentence):
    expect(page.locator(".ck-sentence")).to_have_text(sentence, timeout=10_000)


def test_the_page_shows_the_preset_and_follows_its_sliders(page, same):
    says(page, same.sentence)
    page.get_by_role("slider", name="lambda", exact=True).press("ArrowRight")
    same.lam = 1.26e-6
    says(page, same.sentence)
    page.get_by_role("button", name="Reset", exact=True).click()
    same.reset()
    says(page, same.sentence)


@slow
@pytest.mark.parametrize(("width", "height"), [(1280, 720), (1920, 1080), (1024, 768)])
def test_it_fills_the_window_and_nothing_scrolls(page, width, height):
    resize(page, width, height)
    page.wait_for_function(
        "() => { const i = document.querySelector('.ck-picture'); return i.width >= i.clientWidth * devicePixelRatio; }"
    )
    picture, sentence = (page.locator(name).bounding_box() for name in (".ck-picture", ".ck-sentence"))
    assert page.locator(".ck-demo").evaluate(
        "all => [all.clientWidth, all.clientHeight, all.scrollWidth, all.scrollHeight]") == 2 * [width, height]
    assert picture["x"] + picture["width"] <= width
    assert sentence["y"] + sentence["height"] <= height
    assert picture["width"] * picture["height"] > 0.4 * width * height
    assert picture["width"] / picture["height"] == pytest.approx(1125 / 675, rel=0.01)
    size = "node => parseFloat(getComputedStyle(node).fontSize)"
    assert page.locator(".ck-sentence").evaluate(size) >= height / 37  # 15 of 1080 pixels in the notebook are a 72nd
    assert page.locator(".ck-demo .widget-label").first.evaluate(size) >= 1.2 * 13


@slow
def test_nothing_else_is_served(page, address):
    root, token = re.match(r"(http://localhost:\d+)/stage\?(token=.*)", address).groups()
    for path in ("voila/files/svm.ipynb", "voila/render/svm.ipynb", "voila/tree", "tree", "lab", "api/contents",
                 "api/kernels", "api/sessions", "api/terminals", "files/svm.ipynb", "svm.ipynb"):
        answer = page.request.get(f"{root}/{path}?{token}", max_redirects=0)
        assert answer.status in (302, 403, 404, 405), path
        assert "cell_type" not in answer.text()
    assert page.request.post(f"{root}/api/kernels?{token}").status in (403, 404, 405)


@slow
def test_the_kernel_runs_no_code_that_the_page_sends(page, tmp_path):
    """Asked for a file over the page's own connection, it makes none; a question that is allowed is answered."""
    answers = page.evaluate(
        """async path => {
            const kernel = JSON.parse(document.getElementById("jupyter-config-data").textContent).kernelId;
            const socket = new WebSocket(`ws://${location.host}/api/kernels/${kernel}/channels`);
            const answers = [];
            const send = (type, content) => socket.send(JSON.stringify({
                channel: "shell", content, metadata: {}, parent_header: {}, buffers: [],
                header: {msg_id: type, msg_type: type, session: "test", username: "", version: "5.3", date: ""},
            }));
            await new Promise(resolve => { socket.onopen = resolve; });
            const done = new Promise(resolve => {
                socket.onmessage = event => {
                    const type = JSON.parse(event.data).header.msg_type;
                    answers.push(type);
                    if (type === "kernel_info_reply") resolve();
                };
            });
            send("execute_request", {code: `open(${JSON.stringify(path)}, "w")`, silent: false});
            send("kernel_info_request", {});
            await done;
            socket.close();
            return answers;
        }""",
        str(tmp_path / "made"),
    )
    assert "kernel_info_reply" in answers
    assert "execute_reply" not in answers
    assert not (tmp_path / "made").exists()


@slow
def test_when_the_line_is_cut_while_a_slider_moves_its_number_and_picture_agree_as_soon_as_it_is_back(
    browser, address, same
):
    lines, there = [], [True]

    def through(line):
        lines.append(line)
        if there[0]:
            line.connect_to_server()
        else:
            line.close()

    with alone(browser, address.replace("/stage?", "/?"), 1280, 720) as hall:
        hall.route_web_socket(re.compile("/line|/channels"), through)
        hall.reload()
        stage = hall.frame_locator("#stage")
        stage.locator(".ck-picture[data-drawn]").wait_for(timeout=60_000)
        number, said = stage.get_by_role("spinbutton", name="lambda"), hall.get_by_text("server has stopped")
        there[0] = False
        for line in lines:
            line.close()
        said.wait_for()
        number.fill("0.1")
        for _ in range(4):
            number.press("ArrowDown")
        number.blur()
        hall.wait_for_timeout(9_000)  # by itself, the line to Python would come back later and later
        there[0] = True
        said.wait_for(state="hidden")
        same.lam = 0.0398
        expect(stage.locator(".ck-sentence")).to_have_text(same.sentence, timeout=6_000)
        expect(number).to_have_value("0.0398")
