"""The reading pages come alive in a real browser: Python in a worker, explorers where the stills were."""

import re
import shutil
from itertools import product
from pathlib import Path

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
def test_all_pictures_of_a_chapter_come_alive_and_say_what_python_says(visitor, site_address, path):
    page = visitor.new_page()
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
