"""The reading pages come alive in a real browser: Python in a worker, explorers where the stills were."""

import gzip
import json
import re
from itertools import product
from pathlib import Path

import nbformat
import pytest
import zstandard as zstd
from playwright.sync_api import expect

from coursekit import explorers
from coursekit.predictions import question
from coursekit_site.pages import MOVED
from tests import shown
from tests.browser.harness import until
from tests.browser.lite import CHAPTERS, Host, Live, hosted, luminance, quiet, violations, with_save_data

slow = pytest.mark.slow
PAGE = "read/02-perceptron.html"
SECOND = next(path for path in CHAPTERS if path.stem == "02-perceptron")
MOVES = ".ck-live:not(.ck-coming)"
STAY = "Python cannot start here: pictures stay still, and cells do not run. The reason: "


def follows(live, explorer):
    """A live explorer says what Python's says here, at its start and after a slider's key."""
    words = live.locator(".ck-sentence")
    expect(words).to_have_text(before := explorer.sentence)
    names = {control.description: name for name, control in explorer.controls.items()}
    sliders = {
        names.get(slider.get_attribute("aria-label")): slider
        for slider in live.locator("[role=slider][aria-disabled=false]:visible").all()
    }
    for name, end in product(filter(None, sliders), (0, -1)):
        explorer.reset()
        explorer.set(**{name: explorer.stops(name)[end]})
        if explorer.sentence != before:
            break
    assert explorer.sentence != before
    sliders[name].press("End" if end else "Home")
    expect(words).to_have_text(explorer.sentence, timeout=30_000)


def test_all_pictures_of_a_chapter_come_alive_and_say_what_python_says(visitor, site_address):
    page = visitor.new_page()
    page.goto(site_address + PAGE)
    stills = page.locator(".ck-still").count()
    assert stills > 3
    still = page.locator(".ck-still img").first.bounding_box()
    cell, explorer = next(shown.explorers(SECOND))
    live = page.locator(f'[id="cell-id={cell}"] {MOVES}')
    live.wait_for(timeout=120_000)
    assert live.locator(".ck-picture").bounding_box() == pytest.approx(still, abs=1)
    page.set_viewport_size({"width": 1280, "height": 700})
    slider = live.get_by_role("slider").first.bounding_box()
    assert slider["y"] + slider["height"] <= 700  # though the picture ends lower
    follows(live, explorer)
    quiet(page)
    page.emulate_media(color_scheme="dark")
    expect(page.locator(".ck-prediction.ck-dark").first).to_be_visible()
    page.emulate_media(media="print")
    assert page.locator(":is(.ck-main, .ck-drawer):visible").count() == 0  # no control floats over what is printed
    ground = "all => all.map((one) => getComputedStyle(one).backgroundColor)"
    assert min(map(luminance, page.locator(".ck-whole, .ck-prediction").evaluate_all(ground))) == 1
    page.emulate_media(media="screen", color_scheme="light")
    assert page.locator(".ck-still").count() == 0
    assert page.locator(".ck-live").count() == stills


def test_another_word_in_a_prediction_is_no_other_python(site_address, published):
    """Pages have them beside their notebooks: a version that is kept for ever has none of their words."""
    site = published / "some" / "path"
    told = json.loads(re.search(r'id="ck-cells">(.*?)</script>', (site / PAGE).read_text("utf-8"), re.DOTALL)[1])
    beside = {name: (site / "read" / address.partition("?")[0]).resolve() for name, address in told["files"].items()}
    packed = [path for path in site.glob("static/pyodide-*/*.bin") if path.stem != "zstd"]
    archives = [zstd.decompress(path.read_bytes()) for path in packed]
    for path in question.COURSE.glob("*.toml"):
        assert beside[f"predictions/{path.name}"].read_bytes() == path.read_bytes()
        assert [path.read_bytes()[:500] in content for content in archives] == [False] * 6  # all that Python comes with


@slow
def test_until_an_explorer_moves_any_server_sends_at_most_11_megabytes(browser, published):
    """What is already compressed is most of it: one that compresses the rest sends hardly less."""
    with hosted(published, host := type("Told", (Host,), {"asked": []})) as address:
        context = browser.new_context()
        quiet(Live(context.new_page(), f"{address}some/path/{PAGE}").page)
        context.close()
    asked = [path.partition("?")[0] for path in host.asked]
    last = min(k for k, path in enumerate(asked) if path.endswith(("/later.bin", "/python_stdlib.bin")))
    contents = [Path(f"{published}{path}").read_bytes() for path in asked[:last]]
    assert 8e6 < sum(map(len, contents)) < 11e6
    assert sum(len(min(content, gzip.compress(content), key=len)) for content in contents) < 10.7e6


def accessible(page, width):
    page.set_viewport_size({"width": width, "height": 900})
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        assert violations(page, colors=scheme == "dark") == []


@slow
def test_live_pages_are_accessible_by_axes_rules_and_every_explorer_follows_in_them(visitor, site_address):
    """With all that any chapter imports, in one cell: each start of Python takes longer."""
    live, name = Live(visitor.new_page(), site_address + PAGE), "pocket-run"
    quiet(live.page)
    accessible(live.page, 1280)
    accessible(live.page, 390)
    cells = (cell for path in CHAPTERS for cell in nbformat.read(path, 4).cells if cell.cell_type == "code")
    imports = {line for cell in cells for line in cell.source.splitlines() if line.startswith(("import ", "from "))}
    shows = "display(*(getattr(ck.explorers, name)() for name in ck.explorers.__all__))"
    live.run(name, "\n".join([*sorted(imports), shows]))
    lives = live.output(name).locator(MOVES)
    assert lives.count() == len(explorers.__all__), live.output(name).inner_text()
    for k, kind in enumerate(explorers.__all__):
        follows(lives.nth(k), getattr(explorers, kind)())
    quiet(Live(live.page, f"{site_address}read/exercise-02-perceptron.html").page)
    accessible(live.page, 390)


def stays(page, reason):
    """Pictures stay still, and the page says why."""
    stills = page.locator(".ck-still").count()
    expect(page.locator(".ck-status")).to_have_text(re.compile(f"^{re.escape(STAY)}{reason}\\.$"), timeout=60_000)
    assert page.locator(".ck-still").count() == stills > 3
    assert page.locator(".ck-still img").first.is_visible()
    assert not page.locator(".ck-strip").first.is_visible()
    page.context.close()


@slow
@pytest.mark.parametrize(("lacking", "reason"), [
    ("WebAssembly", "this browser has no WebAssembly, or a setting of it forbids it"),
    ("ResizeObserver", "this browser is too old: it has no ResizeObserver"),
    *((name, f"this browser is too old: .*{name.rpartition('.')[2]} is not a function") for name in (
        "Element.prototype.replaceChildren", "AbortSignal.timeout", "String.prototype.replaceAll")),
])
def test_in_a_browser_that_lacks_something_the_stills_stay_and_the_page_says_what(
    browser, site_address, lacking, reason
):
    page = browser.new_page()
    page.add_init_script(f"delete {lacking}")
    page.goto(site_address + PAGE)
    stays(page, reason)


@slow
def test_where_an_answer_never_comes_the_page_says_so_after_a_minute(browser, site_address):
    pages = {}
    for name in ("course.bin", "controls.bin", "anywidget.js"):
        pages[name] = page = browser.new_page()
        page.clock.install()
        page.route(f"**/{name}", lambda _route: None)
        with page.expect_request("**/controls.bin" if name == "controls.bin" else "**/anywidget.js"):
            page.goto(site_address + PAGE)
        page.wait_for_function("/MB|starting/.test(document.querySelector('.ck-status').textContent)")
    pages["course.bin"].wait_for_function("!window.requirejs")  # anywidget.js, the last one, is there
    for name, page in pages.items():
        page.clock.run_for(61_000)
        page.clock.resume()
        said = "it has said nothing for a minute. Load the page again"
        stays(page, said if name == "course.bin" else f".*/{name} did not load")


@slow
def test_where_data_are_dear_python_starts_at_the_first_touch(browser, site_address):
    page = browser.new_page()
    with_save_data(page.context)
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(site_address + PAGE, wait_until="networkidle")
    assert not any("pyodide" in url for url in asked)
    page.locator("h1").click()
    expect(page.locator(".ck-status")).to_have_text(re.compile(r"^(Loading Python|Python is starting).*\d"))
    page.context.close()


@slow
def test_on_a_phone_reset_stays_in_sight_and_a_picture_is_seen_whole_when_it_lies_on_its_side(browser, site_address):
    page = browser.new_page(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    quiet(Live(page, f"{site_address}read/04-gradient-descent.html").page)
    lives = page.locator(f"{MOVES}:has(.ck-slim)").all()
    assert len(lives) == 3
    for live, block in product(lives, ("start", "center", "end")):
        live.locator(".ck-picture").first.evaluate("(picture, block) => picture.scrollIntoView({ block })", block)
        expect(reset := live.get_by_role("button", name="Reset", exact=True).first).to_be_in_viewport(ratio=1)
        reset.click(trial=True)  # nothing lies over it
        expect(slider := live.get_by_role("slider").first).to_be_in_viewport(ratio=1)
        assert slider.bounding_box()["height"] >= 44
    page.set_viewport_size({"width": 844, "height": 390})
    quiet(Live(page, f"{site_address}read/09-multiclass.html").page)
    live = seen_whole(page)
    live.locator(".ck-more").click()
    expect(live.locator(".ck-drawer .widget-label").first).to_be_in_viewport(ratio=1)
    expect(live.locator(".ck-picture")).to_be_in_viewport(ratio=1)
    page.context.close()


def seen_whole(page):
    """Each picture of a low window with its control; returns the last one."""
    for live in page.locator(f"{MOVES}:has(.ck-whole)").all():
        picture, slider = live.locator(".ck-picture"), live.get_by_role("slider").first
        picture.evaluate("picture => scrollBy(0, picture.getBoundingClientRect().top - 8)")
        expect(slider).to_be_in_viewport(ratio=1)
        box, beside = picture.bounding_box(), live.locator(".ck-main").first.bounding_box()
        assert box["y"] + box["height"] <= page.viewport_size["height"]
        assert box["y"] + box["height"] <= beside["y"] + 1 or box["x"] + box["width"] <= beside["x"]
    return live


@slow
def test_the_start_page_begins_with_a_picture_that_can_be_moved(visitor, site_address):
    page = visitor.new_page()
    for width in (1280, 390):
        page.emulate_media(color_scheme="light")
        page.set_viewport_size({"width": width, "height": 844})
        page.goto(site_address)
        assert page.locator(".ck-still img").bounding_box()["y"] < 600
        room = page.locator(".first").bounding_box()
        live, explorer = page.locator(MOVES), explorers.hyperplane(MOVED)
        live.wait_for(timeout=120_000)
        assert page.locator(".first").bounding_box() == room  # nothing jumps, and no room is left below the sentence
        words = live.locator(".ck-sentence").bounding_box()
        assert room["y"] + room["height"] - (words["y"] + words["height"]) < 20
        follows(live, explorer)
        live.get_by_role("spinbutton", name="shift").fill("−5")
        live.get_by_role("button", name="Reset", exact=True).click()  # the line was lost, and comes back
        expect(live.locator(".ck-sentence")).to_have_text(explorers.hyperplane(MOVED).sentence, timeout=30_000)
        quiet(page)
        accessible(page, width)
    page.set_viewport_size({"width": 1280, "height": 600})  # of a laptop
    quiet(Live(page, f"{site_address}read/09-multiclass.html").page)
    seen_whole(page)


@slow
@pytest.mark.parametrize("path", ["", "read/01-linear-classifiers.html"])
def test_a_line_moves_before_python_is_there_and_python_takes_it_from_where_it_is(visitor, site_address, path):
    page, held = visitor.new_page(), []
    page.route("**/course.bin", lambda route: held.append(route))
    page.goto(site_address + path)
    still, live = page.locator(".ck-still").first, page.locator(MOVES).first
    still.locator(".ck-hand").wait_for()
    angle, words = still.get_by_role("slider", name="angle"), still.locator(".ck-sentence")
    before = words.text_content()
    box = still.locator(".ck-hand").bounding_box()
    x, y = box["x"] + 0.1 * box["width"], box["y"] + 0.8 * box["height"]
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, y - 0.2 * box["height"], steps=4)
    page.mouse.up()
    for _ in range(20):
        angle.press("ArrowLeft")
    page.evaluate("() => new Promise(requestAnimationFrame)")
    expect(words).not_to_have_text(before)
    expect(angle).to_be_focused()
    said, values = words.text_content(), still.locator(".ck-strip output").all_text_contents()
    assert live.count() == 0
    held[0].continue_()
    live.wait_for(timeout=120_000)
    assert live.locator(".ck-sentence").text_content() == said
    assert [live.get_by_role("spinbutton", name=name).input_value() for name in ("angle", "shift")] == values
    expect(live.get_by_role("slider", name="angle")).to_be_focused()
    live.get_by_role("button", name="Reset", exact=True).click()
    expect(live.locator(".ck-sentence")).to_have_text(before, timeout=30_000)


def moved(page, label="emails seen"):
    """The first explorer is live, and follows a key."""
    live = page.locator(MOVES).first
    live.wait_for(timeout=120_000)
    words = live.locator(".ck-sentence")
    before = words.text_content()
    live.get_by_role("slider", name=label).press("End")
    expect(words).not_to_have_text(before, timeout=30_000)
    quiet(page)


@slow
def test_a_second_visit_needs_no_network_and_a_new_version_is_seen_at_once(browser, site_address, published):
    """The host never goes, and so its port stays its own: without network, it answers nobody and notes who asked."""
    (folder,) = published.glob("some/path/read/live-*")
    told = {"version": folder.name.removeprefix("live-"), "asked": []}
    host = type("Told", (Host,), told | {"missing": "icon.svg"})  # that keeps nothing else from being kept
    context = browser.new_context()
    page = context.new_page()

    def visit(url, label="emails seen"):
        page.goto(url)
        moved(page, label)
        kept_once()

    def kept_once():
        until(page, """async () => (await Promise.all((await caches.keys()).map(
            async name => (await caches.open(name)).match(location.href)))).filter(Boolean).length === 1""")

    def without_network(url, label="emails seen", silence=0):
        """Only what has no name of its own is asked for, and what answers is the page's own service worker."""
        host.there, host.silence, host.asked[:] = False, silence, []
        page.goto(url)
        assert "/kept.js?" in page.evaluate("navigator.serviceWorker.controller.scriptURL")
        moved(page, label)
        assert url.endswith(tuple(host.asked))
        assert [path for path in host.asked if re.search("[0-9a-f]{16}[/.]", path.partition("?")[0])] == []
        host.there = True

    with hosted(published, host) as address:
        chapter, start = (f"{address}some/path/{name}" for name in (PAGE, "index.html"))
        visit(chapter)
        visit(f"{address}some/path/", "angle")
        assert page.url == start
        without_network(start, "angle")
        without_network(chapter)
        without_network(chapter, silence=20)  # more than a page is waited for
        host.new = "f" * 16
        visit(chapter)
        assert page.locator("script[type=module]").get_attribute("src") == f"../read/live-{host.new}/live.js"
        until(page, f"async () => (await caches.keys()).every(name => name.includes('{host.new}'))")
        kept_once()
        visit(start, "angle")  # the old cache is gone, and what it held: this visit keeps the start page again
        page.goto(f"{address}some/path/notebooks/index.html", wait_until="commit")
        until(page, "async () => (await navigator.serviceWorker.getRegistrations()).length === 3")
        assert "kept.js" not in page.evaluate("navigator.serviceWorker.controller?.scriptURL ?? ''")
        page.goto("about:blank")  # nothing of the lab is asked for any more
        without_network(start, "angle")  # the lab's service worker has not taken it
    context.close()


@slow
def test_a_picture_that_is_saved_before_all_of_python_has_come_waits_and_says_so(visitor, site_address):
    page, held = visitor.new_page(), []
    page.route("**/later.bin", lambda route: held.append(route))
    page.goto(site_address + PAGE)
    live = page.locator(MOVES).first
    live.locator(".ck-more").click(timeout=120_000)
    live.get_by_label("save as").select_option("SVG")
    live.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator(".ck-status")).to_have_text("The picture is saved as soon as all of Python has loaded")
    words = live.locator(".ck-sentence")
    before = words.text_content()
    live.get_by_role("slider", name="emails seen").press("End")  # all else moves meanwhile
    expect(words).not_to_have_text(before)
    with page.expect_download(timeout=120_000) as download:
        held[0].continue_()
    assert "</svg>" in Path(download.value.path()).read_text()
    quiet(page)


# What the browser keeps of Python's memory, changed: words in it by others as long, or all of it. Or of its program.
CHANGED = """async ([words, others, part = "memory"]) => {
    for (const name of await caches.keys()) {
        const cache = await caches.open(name);
        for (const request of await cache.keys()) {
            if (!request.url.endsWith(`/${part}`)) continue;
            const found = await cache.match(request);
            let bytes = new Uint8Array(await found.arrayBuffer());
            if (bytes.length < 1e6) continue;
            const through = (pipe) => new Response(new Blob([bytes]).stream().pipeThrough(pipe)).arrayBuffer();
            if (words) bytes = new Uint8Array(await through(new DecompressionStream("gzip")));
            const [from, to] = [words, others].map(text => new TextEncoder().encode(text));
            if (!words) bytes = to;
            else for (let at = 0; (at = bytes.indexOf(from[0], at)) >= 0; at++)
                if (from.every((byte, k) => bytes[at + k] === byte)) bytes.set(to, at);
            if (words) bytes = await through(new CompressionStream("gzip"));
            await cache.put(request, new Response(bytes, { headers: found.headers }));
            return true;
        }
    }
    return false;
}"""


@slow
def test_a_page_begins_with_what_was_kept_of_python_and_without_it_where_that_is_damaged(browser, site_address):
    context = browser.new_context()
    page = context.new_page()
    said = []  # why a kept memory was not taken
    page.on("console", lambda message: said.append(message.text) if message.type == "info" else None)

    asked = []
    page.on("request", lambda request: asked.append(request.url.rpartition("/")[2]))

    def titles(chapter):
        asked.clear()
        page.goto(f"{site_address}read/{chapter}.html")
        moved(page)
        return {button.get_attribute("title") for button in page.locator(".ck-live .ck-more").all()}

    (words,) = titles("02-perceptron")
    assert "pyodide.wasm.bin" in asked
    until(page, CHANGED, [words, words.upper()])
    assert 20e6 < page.evaluate("async () => (await navigator.storage.estimate()).usage") < 60e6
    assert titles("02-perceptron") == {words.upper()}, said
    assert "program" in asked  # kept as the browser compiles it
    assert "pyodide.wasm.bin" not in asked
    page.evaluate("async () => (await navigator.serviceWorker.getRegistrations()).map((one) => one.unregister())")
    assert titles("02-perceptron") == {words.upper()}
    assert "program" not in asked  # nobody would answer
    assert page.evaluate(CHANGED, ["", "half of it"])
    assert titles("02-perceptron") == {words}
    assert said == ["The kept memory is not whole"]
    until(page, CHANGED, [words, words.upper()])  # kept again
    assert page.evaluate(CHANGED, ["", "no program", "program"])
    assert titles("02-perceptron") == {words.upper()}
    assert said[1:] == ["The kept program is not whole"]
    assert "pyodide.wasm.bin" in asked
    context.close()
