"""The site's own pages, and what becomes of a student's work, in a real browser."""

import json
import os
import re
import shutil
from pathlib import Path
from urllib.parse import parse_qs, urljoin, urlsplit
from urllib.request import urlopen

import matplotlib
import nbformat
import pytest
from jupyterlite_pyodide_kernel.constants import PYODIDE_VERSION

from coursekit.checking import checks
from coursekit.explorers import question
from tests.browser.harness import CHROMIUM, FLAGS
from tests.browser.lite import PYODIDE, Lesson, site, violations, with_save_data

pytestmark = pytest.mark.slow

CHAPTERS = sorted(p.stem for p in (Path(__file__).parents[2] / "notebooks").glob("[01][0-9]-*.ipynb"))[1:]
DOCUMENTS = (
    "docs/grading.html", "docs/hub.html", "docs/trouble.html", "api/coursekit.html", "api/coursekit/plots.html",
)
KINDS = "", "exercise-"
EXERCISE = "exercises/02-perceptron/perceptron.ipynb"


def links(page):
    return page.locator("a[href]").evaluate_all("links => links.map(link => link.href)")


def exists(url):
    """Whether a link of the site leads anywhere: its page, and the notebook that the page shall open."""
    parts = urlsplit(url)
    if "path" in (query := parse_qs(parts.query)):
        url = urljoin(url, f"../files/{query['path'][0]}")
    with urlopen(url.partition("#")[0]) as answer:
        return answer.status == 200


def test_start_page_names_the_chapters_and_leads_to_lesson_exercise_and_reading_copy(visitor, pages_address):
    page = visitor.new_page()
    page.goto(pages_address)
    found, live = links(page), page.locator("#ck-cells").count()
    assert bool(live) == PYODIDE.is_dir()
    for name in CHAPTERS:
        exercise = f"exercises/{name}/{name[3:]}.ipynb"
        for target in (
            f"notebooks/index.html?path=notebooks/{name}.ipynb",
            f"read/exercise-{name}.html" if live else f"notebooks/index.html?path={exercise}",
            f"read/{name}.html",
        ):
            assert pages_address + target in found
    assert all(map(exists, set(found)))
    words = page.inner_text("main")
    for word in ("Linear classifiers", "Real data", "Restart Kernel", "File > Download", "Rename"):
        assert word in words


def test_start_page_leads_back_to_where_one_was(visitor, pages_address):
    with_save_data(visitor)
    page = visitor.new_page()
    page.goto(pages_address)
    assert not page.locator("#again").is_visible()
    page.goto(f"{pages_address}read/03-losses.html")
    page.evaluate("scrollTo(0, 2000)")
    page.goto(pages_address)
    page.get_by_text("You were reading").get_by_role("link", name="3 · Losses").click()
    page.wait_for_url("**/read/03-losses.html#again")
    page.wait_for_function("Math.abs(scrollY - 2000) < 100")


def test_start_page_counts_what_was_predicted_and_solved(site_address, visitor, pages_address):
    with_save_data(visitor)
    page = visitor.new_page()
    page.goto(pages_address)
    first, second = (page.locator(".chapters li").nth(k) for k in range(2))
    asked = [name for name in question.names() if name.startswith("01-")]
    tasks = list(checks.known()["01-linear-classifiers"])
    before = second.inner_text()
    assert f"{len(asked)} predictions, {len(tasks)} tasks" in first.inner_text()
    page.evaluate("kept => Object.entries(kept).forEach(([name, text]) => localStorage.setItem(name, text))", {
        "coursekit-predictions": json.dumps(dict.fromkeys(asked[:2], 1)),
        "coursekit-progress": json.dumps({"passed": tasks[:3], "failed": tasks[3:]}),
    })
    page.reload()
    assert f"2 of {len(asked)} predictions, 3 of {len(tasks)} tasks" in first.inner_text()
    turned = float(first.evaluate("it => it.style.getPropertyValue('--done')").removesuffix("deg"))
    assert turned == pytest.approx(360 * 5 / (len(asked) + len(tasks)))
    assert second.inner_text() == before


def test_site_with_python_in_it_has_at_most_60_megabytes(site_address, published):
    files = (p for p in published.rglob("*") if p.is_file() and "solutions" not in p.parts)
    assert sum(p.stat().st_size for p in files) < 60e6


@pytest.mark.parametrize("name", CHAPTERS)
def test_reading_copy_has_formulas_pictures_and_ways_to_the_sliders(visitor, pages_address, published, name):
    with_save_data(visitor)
    page = visitor.new_page()
    page.goto(f"{pages_address}read/{name}.html")
    page.evaluate("window.MathJax?.startup.promise")
    assert page.locator("mjx-container").count() > 20
    assert page.locator("mjx-merror, [data-mjx-error]").count() == 0
    cut = "all => all.filter(one => one.scrollWidth > one.clientWidth).map(one => one.textContent)"
    assert page.locator("mjx-container[display]").evaluate_all(cut) == []
    assert "$" not in page.locator("main p, main li").evaluate_all(TEXT).__str__()

    notebook = json.loads((published / "some" / "path" / "files" / "notebooks" / f"{name}.ipynb").read_text())
    stills = [c for c in notebook["cells"] for o in c.get("outputs", []) if "image/png" in o.get("data", {})]
    live = sum("explorer" in "".join(cell["source"]) for cell in stills)
    stored = [o.get("data", {}) for cell in notebook["cells"] for o in cell.get("outputs", [])]
    asked = sum("".join(data.get("text/html", "")).partition("<details")[0].count("<img") for data in stored)
    images = page.locator("main img:not(details img)")
    assert images.count() == len(stills) + asked
    assert page.locator("details[open]").count() == 0
    assert all(images.evaluate_all("images => images.map(image => image.naturalWidth > 400 && image.alt.length > 60)"))
    moves = PYODIDE.is_dir()  # in place then, and no link need lead to where they do
    assert page.locator("main").get_by_role("link", name="Move the sliders").count() == (0 if moves else live)
    assert live > 0
    ours = {link for link in links(page) if link.startswith(pages_address)}
    assert all(map(exists, ours))
    assert all(link.startswith("https://") for link in set(links(page)) - ours)  # no network here


# What is read, without `code`, in which a "$" is the sign itself and begins no formula.
TEXT = """all => all.map(one => {
    const copy = one.cloneNode(true);
    copy.querySelectorAll("code").forEach(code => code.remove());
    return copy.textContent;
})"""


@pytest.fixture(scope="module", params=["installed", "DejaVu"])
def reader(request, browser, tmp_path_factory):
    """A page in a browser that has the fonts of this computer, or none but DejaVu, which every Linux has."""
    env = dict(os.environ)
    if request.param == "DejaVu":
        fonts = tmp_path_factory.mktemp("fonts")
        for file in Path(matplotlib.get_data_path(), "fonts", "ttf").glob("DejaVu*.ttf"):
            shutil.copy(file, fonts)
        settings = fonts / "fonts.conf"
        settings.write_text(f"<fontconfig><dir>{fonts}</dir><cachedir>{fonts}/cache</cachedir></fontconfig>")
        env["FONTCONFIG_FILE"] = str(settings)
    own = browser.browser_type.launch(executable_path=CHROMIUM, args=FLAGS.split(), env=env)
    context = own.new_context()
    with_save_data(context)
    yield context.new_page()
    own.close()


@pytest.mark.parametrize("path", ["", *(f"read/{name}.html" for name in CHAPTERS)])
def test_page_fits_and_is_legible(reader, pages_address, path):
    reader.goto(pages_address + path)
    if path:
        reader.evaluate("window.MathJax?.startup.promise")
    for width in (320, 390, 600, 900, 1280):
        reader.set_viewport_size({"width": width, "height": 900})
        assert reader.evaluate("document.documentElement.scrollWidth") <= width
        if width >= 390:
            assert reader.evaluate(SHRUNK) == []
    for scheme in ("light", "dark"):
        reader.emulate_media(color_scheme=scheme)
        body = "getComputedStyle(document.body)"
        ink, paper = reader.evaluate(f"[{body}.color, {body}.backgroundColor]")
        assert abs(luminance(ink) - luminance(paper)) > 0.6
        assert (luminance(ink) > luminance(paper)) == (scheme == "dark")


@pytest.mark.parametrize("path", ["", *DOCUMENTS, *(f"read/{kind}{name}.html" for kind in KINDS for name in CHAPTERS)])
def test_page_is_accessible_by_axes_rules(visitor, site_address, path):
    """Wide and narrow, light and dark. No colour depends on the width, so that each is looked at in one of them."""
    with_save_data(visitor)
    page = visitor.new_page()
    page.goto(site_address + path)
    if path.startswith("read/"):
        page.evaluate("window.MathJax?.startup.promise")
    for width, rounds in ((1280, {"light": None}), (390, {"light": False, "dark": True})):
        page.set_viewport_size({"width": width, "height": 900})
        page.evaluate("() => new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve)))")
        for scheme, colours in rounds.items():
            page.emulate_media(color_scheme=scheme)
            assert violations(page, colours) == []
    page.close()


# The formulas that the page shows smaller than three quarters of what they were written in.
SHRUNK = """() => [...document.querySelectorAll("main mjx-container svg")].filter(svg => {
    const shown = svg.getBoundingClientRect().width;
    svg.style.maxWidth = "none";
    const written = svg.getBoundingClientRect().width;
    svg.style.maxWidth = "";
    return shown < 0.75 * written;
}).map(svg => svg.parentElement.textContent)"""


def luminance(colour):
    return sum(map(int, re.findall(r"\d+", colour)[:3])) / 765


def test_lesson_takes_the_colours_of_the_system_and_the_width_of_the_page(browser, site_address):
    context = browser.new_context(viewport={"width": 800, "height": 900}, color_scheme="dark")
    lesson = Lesson(context.new_page(), site_address, "notebooks/02-perceptron.ipynb")
    still = lesson.panel.locator(".jp-RenderedImage img").first
    still.scroll_into_view_if_needed()
    assert still.bounding_box()["width"] > 600
    assert luminance(lesson.page.evaluate("getComputedStyle(document.body).backgroundColor")) < 0.2
    context.close()


def test_by_default_python_comes_from_its_public_cdn_and_nothing_else_from_elsewhere(
    browser, site_address, tmp_path, monkeypatch
):
    cells = [nbformat.v4.new_code_cell("import coursekit as ck\nprint(ck.datasets.blobs().X.shape)")]
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3"}}
    (tmp_path / "notebooks").mkdir()
    nbformat.write(nbformat.v4.new_notebook(cells=cells, metadata=kernel), tmp_path / "notebooks" / "00-start.ipynb")
    monkeypatch.chdir(tmp_path)
    cdn, asked = f"https://cdn.jsdelivr.net/pyodide/v{PYODIDE_VERSION}/full/", []
    with site(tmp_path / "served") as address:
        context = browser.new_context()
        context.on("request", lambda request: asked.append(request.url))
        # What the CDN has is here as well, if of a version that is a little older.
        kinds = {".mjs": "text/javascript", ".wasm": "application/wasm"}

        def answer(route):
            file = PYODIDE / route.request.url.rpartition("/")[2]
            kind = kinds.get(file.suffix, "application/octet-stream")
            route.fulfill(path=file, content_type=kind, headers={"Access-Control-Allow-Origin": "*"})

        context.route(f"{cdn}**", answer)
        lesson = Lesson(context.new_page(), address, "notebooks/00-start.ipynb")
        assert "(200, 2)" in str(lesson.run())
        context.close()
    here = urljoin(address, "/")
    assert [url for url in asked if not url.startswith((here, cdn, "blob:", "data:"))] == []
    assert any(url.startswith(f"{cdn}matplotlib-") for url in asked)


def test_checks_hints_and_progress_outlive_an_endless_loop(visitor, site_address):
    lesson = Lesson(visitor.new_page(), site_address, EXERCISE)
    lesson.execute("import numpy as np\nfrom coursekit.grading import check, hint, progress")
    assert lesson.execute("hint('update')")["text"].startswith("Hint 1 of 3")
    assert lesson.execute("hint('update')")["text"].startswith("Hint 2 of 3")

    lesson.execute("def endless(theta, x, y):\n    while True: pass")
    assert "still running after 3 seconds" in lesson.execute("check('update', endless)")["evalue"]
    right = "lambda theta, x, y: theta + y * np.append(x, 1) * (y * (theta[:-1] @ x + theta[-1]) <= 0)"
    assert "no fault found" in lesson.execute(f"check('update', {right})")["text"]

    lesson.page.evaluate(
        "() => { jupyterapp.shell.currentWidget.sessionContext.session.kernel"
        ".requestExecute({ code: 'while True: pass' }); }"
    )
    lesson.page.locator(".lm-MenuBar-itemLabel").get_by_text("Kernel", exact=True).click()
    lesson.page.locator(".lm-Menu-itemLabel").get_by_text("Restart Kernel…", exact=True).click()
    lesson.page.get_by_role("button", name="Confirm Kernel Restart").click()
    lesson.settle()
    done = lesson.execute("from coursekit.grading import progress\nprogress()")["text"]
    assert "02-perceptron: 1 of 8 tasks" in done
    assert "✓ update" in done


def test_what_a_student_wrote_stays_when_the_site_is_published_anew(visitor, site_address, published):
    page = visitor.new_page()
    lesson = Lesson(page, site_address, EXERCISE)
    cell = page.locator(".jp-CodeCell .cm-content").first
    cell.click()
    cell.press("Control+End")
    cell.press_sequentially("\nmine = 42")
    assert "mine = 42" in lesson.text
    page.wait_for_function("() => !jupyterapp.shell.currentWidget.context.model.dirty", timeout=30_000)
    get = "path => jupyterapp.serviceManager.contents.get(path, { content: true }).then(JSON.stringify)"
    page.wait_for_function(f"async path => (await ({get})(path)).includes('mine = 42')", arg=EXERCISE, timeout=30_000)

    file = published / "some" / "path" / "files" / EXERCISE
    file.write_text(file.read_text().replace("# Exercise 2", "# NEW VERSION of exercise 2", 1))
    assert "NEW VERSION" in file.read_text()
    page.reload()
    lesson.opened(EXERCISE)
    page.wait_for_function(  # on a busy machine the notebook is there before its text
        "() => JSON.stringify(jupyterapp.shell.currentWidget.content.model.toJSON()).includes('mine = 42')",
        timeout=30_000,
    )

    with page.expect_download() as download:
        menu(page, "Download")
    assert "mine = 42" in Path(download.value.path()).read_text()

    menu(page, "Rename…")
    page.locator(".jp-Dialog input").fill("mine.ipynb")
    page.keyboard.press("Enter")
    lesson.opened("exercises/02-perceptron/mine.ipynb")
    Lesson(page, site_address, EXERCISE)
    assert "NEW VERSION" in lesson.text
    assert "mine = 42" not in lesson.text
    assert "mine = 42" in page.evaluate(get, "exercises/02-perceptron/mine.ipynb")


def menu(page, entry):
    page.locator(".lm-MenuBar-itemLabel").get_by_text("File", exact=True).click()
    page.locator(".lm-Menu-itemLabel").get_by_text(entry, exact=True).click()
