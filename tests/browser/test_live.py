"""The reading pages come alive in a real browser: Python in a worker, explorers where the stills were."""

import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from itertools import product
from pathlib import Path
from threading import Thread

import pytest
from playwright.sync_api import expect

from tests.browser.lite import with_save_data
from tests.shown import explorers

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("node") is None, reason="no node on PATH: `apt install nodejs`"),
]

CHAPTERS = sorted((Path(__file__).parents[2] / "notebooks").glob("[01][0-9]-*.ipynb"))[1:]
STARTING = re.compile(r"Python is starting: \d+ %")
STAY = "Not all pictures of this page can move here. In the lab they do."


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_all_pictures_of_a_chapter_come_alive_and_say_what_python_says(regular, site_address, path):
    page = regular.new_page()
    page.goto(f"{site_address}read/{path.stem}.html")
    stills = page.locator(".ck-still").count()
    assert stills > 3
    cell, explorer = next(explorers(path))
    live = page.locator(f'[id="cell-id={cell}"] .ck-live:not(.ck-coming)')
    live.wait_for(timeout=120_000)
    words = live.locator(".ck-sentence")
    before = explorer.sentence
    assert words.text_content() == before
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
    page.wait_for_function("document.querySelector('.ck-status').textContent === ''", timeout=240_000)
    assert page.locator(".ck-still").count() == 0
    assert page.locator(".ck-live").count() == stills


@pytest.mark.parametrize("name", ["02-perceptron", "exercise-04-gradient-descent"])
def test_formulas_come_with_the_text_and_need_no_script(browser, site_address, name):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{site_address}read/{name}.html")
    formulas = page.locator("main p > mjx-container:not([display]):visible")
    assert formulas.count() > 10
    for formula in formulas.all():  # what a screen reader reads of it takes no room
        assert formula.locator("> svg").bounding_box()["width"] == pytest.approx(formula.bounding_box()["width"], abs=1)
    assert page.locator("script[src*=mathjax]").count() == 0
    context.close()


def without_wasm(page):
    page.add_init_script("delete window.WebAssembly")


def without_archive(page):
    page.route("**/course.tar.gz", lambda route: route.fulfill(status=404))


def with_a_damaged_archive(page):
    page.route("**/course.tar.gz", lambda route: route.fulfill(body=b"half of it"))


def with_a_silent_worker(page):
    page.clock.install()
    page.route("**/worker.mjs", lambda route: route.fulfill(body="", content_type="text/javascript"))


def without_widgets(page):
    page.route("**/controls.js", lambda route: route.abort())


@pytest.mark.parametrize(
    "spoil", [without_wasm, without_archive, with_a_damaged_archive, with_a_silent_worker, without_widgets]
)
def test_where_python_cannot_run_the_stills_stay_and_one_sentence_says_so(browser, site_address, spoil):
    page = browser.new_page()
    spoil(page)
    page.goto(f"{site_address}read/02-perceptron.html")
    stills = page.locator(".ck-still").count()
    status = page.locator(".ck-status")
    if spoil is with_a_silent_worker:
        page.wait_for_function("document.querySelector('.ck-status').textContent !== ''")
        page.clock.run_for(61_000)
    page.wait_for_function("document.querySelector('.ck-status a')", timeout=60_000)
    assert status.inner_text() == STAY
    assert status.get_by_role("link").get_attribute("href").endswith("?path=notebooks/02-perceptron.ipynb")
    assert page.locator(".ck-still").count() == stills > 3
    assert page.locator(".ck-still img").first.is_visible()
    assert not page.locator(".ck-strip").first.is_visible()
    page.context.close()


def test_where_data_are_dear_python_starts_at_the_first_touch(browser, site_address):
    page = browser.new_page()
    with_save_data(page.context)
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{site_address}read/02-perceptron.html", wait_until="networkidle")
    assert not any("pyodide" in url for url in asked)
    page.locator("h1").click()
    page.wait_for_function("document.querySelector('.ck-status').textContent !== ''")
    assert STARTING.fullmatch(page.locator(".ck-status").inner_text())
    page.context.close()


class AnyHost(SimpleHTTPRequestHandler):
    """Serves a site as it is, or as if it had been built anew: under another version."""

    version = new = b""
    missing = ""

    def do_GET(self):
        path = Path(self.translate_path(self.path.encode().replace(self.new or b" ", self.version).decode()))
        if path.is_dir():
            path /= "index.html"
        if not path.is_file() or path.name == self.missing:
            return self.send_error(404)
        content = path.read_bytes()
        if path.suffix in (".html", ".mjs"):
            content = content.replace(self.version, self.new or self.version)
        self.send_response(200)
        self.send_header("Content-Type", {".mjs": "text/javascript"}.get(path.suffix) or self.guess_type(path))
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_args):
        pass


@contextmanager
def hosted(folder: Path, port: int = 0, **told: bytes | str) -> Iterator[int]:
    """A host of the site, below any path, that stops answering when it is left; yields its port."""
    server = ThreadingHTTPServer(("localhost", port), partial(type("Host", (AnyHost,), told), directory=folder))
    Thread(target=server.serve_forever, daemon=True).start()
    yield server.server_address[1]
    server.shutdown()
    server.server_close()


def moved(page, label="visit"):
    """The first explorer is live, and follows a key."""
    live = page.locator(".ck-live:not(.ck-coming)").first
    live.wait_for(timeout=120_000)
    words = live.locator(".ck-sentence")
    before = words.text_content()
    live.locator(f"[role=slider][aria-label={label}]").press("End")
    expect(words).not_to_have_text(before, timeout=30_000)
    page.wait_for_function("document.querySelector('.ck-status').textContent === ''", timeout=240_000)


def test_a_second_visit_needs_no_network_and_a_new_version_is_seen_at_once(browser, site_address, published):
    (folder,) = published.glob("some/path/read/live-*")
    old, new = folder.name.removeprefix("live-").encode(), b"f" * 16
    context = browser.new_context()
    page = context.new_page()
    kept = "async () => (await Promise.all((await caches.keys()).map(async name => " \
        "(await (await caches.open(name)).match(location.href)) ? name : ''))).filter(Boolean)"
    with hosted(published, version=old, missing="icon.svg") as port:  # which keeps nothing else from being kept
        page.goto(chapter := f"http://localhost:{port}/some/path/read/02-perceptron.html")
        moved(page)
        page.wait_for_function(f"async () => (await ({kept})()).length === 1")
        page.goto(f"http://localhost:{port}/some/path/")
        moved(page, "angle")
        page.wait_for_function(f"async () => (await ({kept})()).length === 1")
        start = page.url
    assert start == f"http://localhost:{port}/some/path/index.html"
    page.reload()
    moved(page, "angle")
    page.goto(chapter)
    assert page.evaluate("navigator.serviceWorker.controller !== null")
    moved(page)
    with hosted(published, port, version=old, new=new):
        page.reload()
        assert page.locator("script[type=module]").get_attribute("src") == f"../read/live-{new.decode()}/live.js"
        moved(page)
        page.wait_for_function(f"async () => (await ({kept})()).join().includes('{new.decode()}')")
        page.wait_for_function("async () => (await caches.keys()).length === 1")
        page.goto(start)  # the old cache is gone, and what it held: this visit keeps the start page again
        moved(page, "angle")
        page.wait_for_function(f"async () => (await ({kept})()).length === 1")
        page.goto(f"http://localhost:{port}/some/path/notebooks/index.html", wait_until="commit")
        page.wait_for_function("async () => (await navigator.serviceWorker.getRegistrations()).length === 3")
        assert "kept.js" not in page.evaluate("navigator.serviceWorker.controller?.scriptURL ?? ''")
    page.goto(start)  # the lab's service worker has not taken it
    moved(page, "angle")
    context.close()


# What the browser keeps of Python's memory, changed: words in it by others as long, or all of it.
CHANGED = """async ([words, others]) => {
    for (const name of await caches.keys()) {
        const cache = await caches.open(name);
        for (const request of await cache.keys()) {
            if (!request.url.endsWith("/memory")) continue;
            const found = await cache.match(request);
            let bytes = new Uint8Array(await found.arrayBuffer());
            if (bytes.length < 1e6) continue;
            const [from, to] = [words, others].map(text => new TextEncoder().encode(text));
            if (!words) bytes = to;
            else for (let at = 0; (at = bytes.indexOf(from[0], at)) >= 0; at++)
                if (from.every((byte, k) => bytes[at + k] === byte)) bytes.set(to, at);
            await cache.put(request, new Response(bytes, { headers: found.headers }));
            return true;
        }
    }
    return false;
}"""


def test_a_page_begins_with_the_memory_that_was_kept_and_without_it_where_that_is_damaged(browser, site_address):
    context = browser.new_context()
    page = context.new_page()
    said = []  # why a kept memory was not taken
    page.on("console", lambda message: said.append(message.text) if message.type == "info" else None)

    def titles(chapter):
        page.goto(f"{site_address}read/{chapter}.html")
        moved(page)
        return {button.get_attribute("title") for button in page.locator(".ck-live button", has_text="Tools").all()}

    (words,) = titles("02-perceptron")
    page.wait_for_function(CHANGED, arg=[words, words.upper()], polling=500)
    assert titles("02-perceptron") == {words.upper()}, said
    assert page.evaluate(CHANGED, ["", "half of it"])
    assert titles("02-perceptron") == {words}
    assert said == ["The kept memory is not whole"]
    page.wait_for_function(CHANGED, arg=[words, words.upper()], polling=500)  # kept again
    context.close()
