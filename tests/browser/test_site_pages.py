"""The site's own pages in a real browser, where no Python runs."""

import json
import os
import re
import shutil
from pathlib import Path
from urllib.parse import parse_qs, urljoin, urlsplit
from urllib.request import urlopen

import matplotlib
import pytest
from playwright.sync_api import expect

from coursekit.checking import checks
from coursekit.predictions import question
from tests.browser.harness import CHROMIUM, FLAGS
from tests.browser.lite import CHAPTERS, PYODIDE, guarded, luminance, violations, with_save_data

pytestmark = pytest.mark.slow

NAMES = [path.stem for path in CHAPTERS]
DOCUMENTS = "docs/grading.html", "docs/hub.html", "docs/trouble.html", "api/coursekit.html", "api/coursekit/plots.html"


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
    for name in NAMES:
        exercise = f"notebooks/index.html?path=exercises/{name}/{name[3:]}.ipynb"
        targets = {f"notebooks/index.html?path=notebooks/{name}.ipynb", f"read/{name}.html",
                   f"read/exercise-{name}.html" if live else exercise}
        assert {pages_address + target for target in targets} <= {*found}
    assert all(map(exists, set(found)))
    words = page.inner_text("main")
    for word in ("Linear classifiers", "Real data", "Restart Kernel", "File > Download", "Rename"):
        assert word in words


def test_start_page_leads_back_to_where_one_was_and_counts_what_was_predicted_and_solved(site_address, visitor):
    with_save_data(visitor)
    page = visitor.new_page()
    page.goto(site_address)
    assert not page.locator("#again").is_visible()
    first, second = (page.locator(".chapters li").nth(k) for k in range(2))
    asked = [name for name in question.names() if name.startswith("01-")]
    tasks = list(checks.known()["01-linear-classifiers"])
    before = second.inner_text()
    assert f"{len(asked)} predictions, {len(tasks)} tasks" in first.inner_text()
    page.goto(f"{site_address}read/03-losses.html")
    page.evaluate("scrollTo(0, 2000)")
    page.evaluate("kept => Object.entries(kept).forEach(([name, text]) => localStorage.setItem(name, text))", {
        "coursekit-predictions": json.dumps(dict.fromkeys(asked[:2], 1)),
        "coursekit-progress": json.dumps({"passed": tasks[:3], "failed": tasks[3:]}),
    })
    page.goto(site_address)
    assert f"2 of {len(asked)} predictions, 3 of {len(tasks)} tasks" in first.inner_text()
    turned = float(first.evaluate("it => it.style.getPropertyValue('--done')").removesuffix("deg"))
    assert turned == pytest.approx(360 * 5 / (len(asked) + len(tasks)))
    assert second.inner_text() == before
    page.get_by_text("You were reading").get_by_role("link", name="3 · Losses").click()
    page.wait_for_url("**/read/03-losses.html#again")
    page.wait_for_function("Math.abs(scrollY - 2000) < 100")


def test_site_with_python_in_it_has_at_most_60_megabytes(site_address, published):
    apart = {"solutions", "elsewhere"}  # for instructors, and for Colab and Kaggle: readers fetch neither
    files = (p for p in published.rglob("*") if p.is_file() and not apart & set(p.parts))
    assert sum(p.stat().st_size for p in files) < 60e6


@pytest.fixture(scope="module")
def page(browser, pages_address, tmp_path_factory):
    """A page in a browser that has no fonts but DejaVu, which every Linux has; they are wide."""
    fonts = tmp_path_factory.mktemp("fonts")
    for file in Path(matplotlib.get_data_path(), "fonts", "ttf").glob("DejaVu*.ttf"):
        shutil.copy(file, fonts)
    settings = fonts / "fonts.conf"
    settings.write_text(f"<fontconfig><dir>{fonts}</dir><cachedir>{fonts}/cache</cachedir></fontconfig>")
    own = browser.browser_type.launch(
        executable_path=CHROMIUM, args=FLAGS.split(), env={**os.environ, "FONTCONFIG_FILE": str(settings)})
    with guarded(own, pages_address) as context:
        with_save_data(context)
        yield context.new_page()
    own.close()


@pytest.mark.parametrize("name", NAMES)
def test_reading_copy_has_formulas_pictures_and_ways_to_the_sliders(page, pages_address, published, name):
    page.emulate_media(color_scheme="light")
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto(f"{pages_address}read/{name}.html")
    first = page.locator(".output_png img").first.bounding_box()
    assert first["y"] + first["height"] <= 730  # the first screen shows it, and has room for its control
    assert first["width"] >= 660  # type of 9 pixels
    page.evaluate("window.MathJax?.startup.promise")
    moves = PYODIDE.is_dir()  # in place then, and no link need lead to where they do; formulas come with the text
    assert page.locator("script[src*=mathjax]").count() == (0 if moves else 1)
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
    assert page.locator("main").get_by_role("link", name="Move the sliders").count() == (0 if moves else live)
    assert live > 0
    ours = {link for link in links(page) if link.startswith(pages_address)}
    assert all(map(exists, ours))
    assert all(link.startswith("https://") for link in set(links(page)) - ours)  # no network here
    page.set_viewport_size({"width": 390, "height": 900})
    page.emulate_media(color_scheme="dark")
    assert violations(page) == []
    fits(page)


def test_what_is_sought_in_all_chapters_is_found_by_keys_and_leads_to_the_section(visitor, pages_address):
    with_save_data(visitor)
    page = visitor.new_page()
    page.goto(f"{pages_address}read/03-losses.html")
    page.get_by_role("link", name="Search").click()
    expect(page.get_by_label("Search all chapters")).to_be_focused()  # by the link, on the page that it leads to
    page.keyboard.type("shadow of theta")
    page.locator(".found li").first.wait_for()
    expect(page.locator("search p[role=status]")).to_contain_text("theta")
    assert page.locator(".found p mark").count() > 3
    assert violations(page) == []
    page.set_viewport_size({"width": 320, "height": 700})
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    page.get_by_label("Search all chapters").fill("Novikoff")
    expect(page.locator("search p[role=status]")).to_contain_text("“Novikoff”")
    page.keyboard.press("Tab")
    words = page.evaluate("document.activeElement.textContent")
    page.keyboard.press("Enter")
    page.wait_for_url("**/read/*.html#*")
    assert words == ": ".join(page.locator(heading).inner_text().rstrip("¶") for heading in ("h1", ":target"))
    page.goto(pages_address)
    page.get_by_label("Search all chapters").fill("xyzzy")
    page.get_by_text("No sections with “xyzzy”").wait_for()


def test_a_mistyped_word_finds_what_was_meant_and_what_is_written_otherwise_is_not_mistyped(page, pages_address):
    page.goto(pages_address)
    field, said = page.get_by_label("Search all chapters"), page.locator("search p[role=status]")
    for typed, meant, word in [
        ("Pegassos", "pegasos", "pegasos"), ("slck", "slack", "slack"), ("suport vectr", "support vector", "vector"),
        ("gradient decent", "gradient descent", "descent"), ("perseptorn", "perceptron", "perceptron"),
    ]:  # fmt: skip
        field.fill(typed)
        expect(said).to_contain_text(f" with “{meant}”, none with “{typed}”")
        assert word in " ".join(page.locator(".found mark").all_inner_texts()).lower()
    for typed in ("subgradient", "regulariz", "cross-validation", "λ", "soft-thresholding"):
        field.fill(typed)
        expect(said).to_have_text(re.compile(rf"^[1-9]\d* sections? with “{typed}”$"))
        assert page.locator(".found li").count() > 0


def test_on_paper_nothing_is_cut_or_moves_and_answers_are_notes_at_the_end(page, pages_address):
    page.set_viewport_size({"width": 700, "height": 1000})  # A4 within its margins
    page.goto(f"{pages_address}read/02-perceptron.html")
    inside = "all => all.map(one => [...one.childNodes].slice(1).map(node => node.textContent).join(''))"
    folds = page.locator("main details:not(.ck-code)").evaluate_all(inside)
    codes = page.locator("main .ck-code").count()
    pictures, formulas = page.locator("main img").count(), page.locator("main mjx-container").count()
    page.get_by_role("link", name="To print").click()
    page.get_by_role("heading", name="Notes and answers").wait_for()
    page.emulate_media(media="print", color_scheme="dark")
    notes = page.locator("main > ol:last-child > li")
    assert notes.count() == len(folds) > 3
    assert all(fold.strip() in note for fold, note in zip(folds, notes.all_text_contents(), strict=True))
    for number in range(1, len(folds) + 1):
        assert page.locator(f"main a[href='#note-{number}']").inner_text() == f"[{number}]"
    assert (page.locator("main img").count(), page.locator("main mjx-container").count()) == (pictures, formulas)
    assert page.locator(".input:visible").count() == codes > 10
    assert page.locator("nav:visible, button:visible, .button:visible, details, .ck-live").count() == 0
    cut = "all => all.filter(one => one.scrollWidth > one.clientWidth + 1).map(one => one.textContent)"
    assert page.locator("pre, table, mjx-container[display]").evaluate_all(cut) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 700
    assert luminance(page.evaluate("getComputedStyle(document.body).backgroundColor")) > 0.99
    page.emulate_media(media="screen")


def test_a_chapter_is_read_before_its_code_and_what_was_opened_is_printed(visitor, pages_address):
    with_save_data(visitor)
    page = visitor.new_page()
    page.goto(f"{pages_address}read/02-perceptron.html")
    assert page.locator(".numbers [aria-current]").inner_text() == "2"
    top = "one => one.getBoundingClientRect().top + scrollY"
    picture, goals = page.locator("main img").first.evaluate(top), page.locator("main details", has_text="you need")
    assert picture < goals.first.evaluate(top)
    assert goals.locator("li").first.is_hidden()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the text"
    page.keyboard.press("Enter")
    page.wait_for_url("**#text")

    page.evaluate("document.fonts.ready")
    assert page.evaluate("['Serif', 'Sans'].every(kind => document.fonts.check(`20px 'Course ${kind}'`))")
    codes, shown = page.locator(".ck-code .input"), "all => all.filter(one => one.checkVisibility()).length"
    assert codes.evaluate_all(shown) == 0
    answer = page.locator("main details", has_text="Answer").first
    answer.locator("summary").click()
    page.emulate_media(media="print")
    assert page.locator("main details").evaluate_all(shown) == 1
    assert page.locator("header, nav, button, summary, .ck-strip").evaluate_all(shown) == 0
    page.emulate_media(media="screen")
    page.get_by_role("button", name="Show the Python").click()
    assert codes.evaluate_all(shown) == codes.count() > 10
    page.goto(f"{pages_address}read/03-losses.html")
    assert page.locator(".ck-code .input").first.is_visible()

    page.mouse.wheel(0, 3000)
    page.wait_for_function("document.documentElement.classList.contains('ck-down')")
    page.mouse.wheel(0, -500)
    page.wait_for_function("!document.documentElement.classList.contains('ck-down')")
    left = int(page.locator(".ck-left").inner_text().removesuffix(" min left"))
    assert 0 < left < 55


def fits(page):
    """In folds, too; a browser lays out nothing in those that are closed. Pictures follow the width a frame later."""
    page.evaluate("document.querySelectorAll('details').forEach(fold => { fold.open = true; })")
    for width in (320, 390, 600, 900, 1280):
        page.set_viewport_size({"width": width, "height": 900})
        page.wait_for_function("width => document.documentElement.scrollWidth <= width", arg=width, timeout=5000)
        if width >= 390:
            assert page.evaluate(SHRUNK) == []
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        body = "getComputedStyle(document.body)"
        ink, paper = page.evaluate(f"[{body}.color, {body}.backgroundColor]")
        assert abs(luminance(ink) - luminance(paper)) > 0.6
        assert (luminance(ink) > luminance(paper)) == (scheme == "dark")


# What is read, without `code`, in which a "$" is the sign itself and begins no formula.
TEXT = """all => all.map(one => {
    const copy = one.cloneNode(true);
    copy.querySelectorAll("code").forEach(code => code.remove());
    return copy.textContent;
})"""


# The formulas that the page shows smaller than three quarters of what they were written in.
SHRUNK = """() => [...document.querySelectorAll("main mjx-container svg")].filter(svg => {
    const shown = svg.getBoundingClientRect().width;
    svg.style.maxWidth = "none";
    const written = svg.getBoundingClientRect().width;
    svg.style.maxWidth = "";
    return shown < 0.75 * written;
}).map(svg => svg.parentElement.textContent)"""


@pytest.mark.parametrize("path", ["", *DOCUMENTS, *(f"read/exercise-{name}.html" for name in NAMES)])
def test_page_is_accessible_by_axes_rules(page, site_address, path):
    """Wide and light; chapters are looked at narrow and dark. Live pages are in both, one of each kind."""
    page.set_viewport_size({"width": 1280, "height": 900})
    page.emulate_media(color_scheme="light")
    page.goto(site_address + path)
    assert violations(page) == []
    if path.startswith("read/exercise-"):  # what it takes from the site to be worked in
        told = json.loads(page.locator("#ck-cells").text_content())
        assert {f"exercises/{name}/checks.json" for name in NAMES} == set(told["files"])
        assert told["folder"] == f"exercises/{path.removeprefix('read/exercise-').removesuffix('.html')}"
        assert all(exists(urljoin(page.url, address)) for address in (*told["files"].values(), told["file"]))
    if not path:
        fits(page)
