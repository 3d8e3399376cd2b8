"""The site behind web servers as they are, and as bad as they may be."""

import fnmatch
import os
import re
import shutil
import socket
import subprocess
from contextlib import ExitStack, contextmanager
from pathlib import Path
from time import monotonic, sleep

import pytest
from playwright.sync_api import expect

from tests.browser.lite import Host, Lesson, Line, Live, guarded, hosted, quiet

pytestmark = pytest.mark.slow
NGINX = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin")
CHAPTER, EXERCISE = "read/02-perceptron.html", "exercises/02-perceptron/perceptron.ipynb"
LAB = f"notebooks/index.html?path={EXERCISE}"
NGINX_SETTINGS = """
master_process off; pid {here}/pid; error_log {here}/log;
events {{}}
http {{
    include /etc/nginx/mime.types; default_type application/octet-stream; sendfile on; gzip on; access_log off;
    client_body_temp_path {here}/1; proxy_temp_path {here}/2; fastcgi_temp_path {here}/3;
    uwsgi_temp_path {here}/4; scgi_temp_path {here}/5;
    server {{ listen 127.0.0.1:{port}; root {root}; }}
}}
"""


@contextmanager
def nginx(root, here):
    """Debian's nginx with its own types, at a free port; yields the address of the site."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    (here / "nginx.conf").write_text(NGINX_SETTINGS.format(here=here, root=root, port=port))
    command = [NGINX, "-c", str(here / "nginx.conf"), "-e", str(here / "log")]
    subprocess.run(command, check=True)  # it goes on in the background, once it listens
    yield f"http://localhost:{port}/some/path/"
    subprocess.run([*command, "-s", "stop"], check=True)


def alive(browser, address):
    """Python runs on a page and in the lab, and nobody complains."""
    with guarded(browser, address) as context:
        live = Live(context.new_page(), address + CHAPTER)
        quiet(live.page)
        assert live.page.title() == "2 · The perceptron"  # in whatever charset it comes
        lesson = Lesson(context.new_page(), address, EXERCISE)
        assert lesson.execute("import coursekit as ck; print(ck.datasets.blobs().X.shape)")["text"] == "(200, 2)\n"


# What the page says, and after how many seconds.
HEARD = """window.heard = [];
addEventListener("DOMContentLoaded", () => {
    const status = document.querySelector(".ck-status");
    const hear = () => heard.push([performance.now() / 1000, status.textContent]);
    if (status) new MutationObserver(hear).observe(status, { childList: true, characterData: true, subtree: true });
});"""


@pytest.fixture
def behind(browser, site_address, published):
    """behind(kind, path, **told): a page of the site behind such a server, in a browser that was never there."""
    with ExitStack() as opened:

        def page(kind, path, workers="block", **told):
            host = opened.enter_context(hosted(published, type("Told", (kind,), {"asked": [], **told})))
            context = browser.new_context(service_workers=workers, viewport={"width": 1280, "height": 900})
            opened.callback(context.close)
            made = context.new_page()
            made.add_init_script(HEARD)
            made.goto(f"{host}some/path/{path}", wait_until="commit")
            return made

        yield page


def told_by(page):
    """What the page tells instead of starting Python."""
    return page.locator(".ck-status, .ck-late").and_(page.locator(":visible"))


@pytest.mark.skipif(NGINX is None, reason="no nginx: `apt install nginx-light`")
def test_page_and_lab_run_behind_nginx_as_debian_sets_it_up(browser, site_address, published, tmp_path):
    with nginx(published, tmp_path) as address:
        alive(browser, address)


class Worst(Host):
    """Knows hardly a type, and a wrong charset; shows no folder, nothing that begins with . or _, and the start page
    in place of what is missing; says that .gz is an encoding, and that all may be kept for ever.

    policy: a Content-Security-Policy. spoiled: what is named so is answered with the status, the type, or the page
    that is `instead`.
    """

    policy = "default-src 'self' data: blob:; script-src 'self' 'unsafe-inline' 'unsafe-eval' blob:; " \
        "style-src 'self' 'unsafe-inline'"  # all that docs/site.md asks for
    spoiled, instead = "^$", ""

    def do_HEAD(self):
        self.send_error(405)

    def do_GET(self):
        name = self.path.partition("?")[0]
        path, changed = Path(self.translate_path(name)), self.instead if re.search(self.spoiled, name) else ""
        if changed.isdigit() or path.is_dir() or re.search("/[._]", name):
            return self.send_error(int(changed or 403))
        if changed == "page" or not path.exists():
            path = Path(self.directory, "some", "path", "index.html")
        kind = {".html": "text/html; charset=iso-8859-1", ".js": "application/x-javascript", ".css": "text/css"}
        return self.answer(path.read_bytes(), {
            "Content-Type": changed if "/" in changed else kind.get(path.suffix, "text/plain"),
            "Content-Security-Policy": self.policy,
            "Cache-Control": "public, max-age=31536000",
            **({"Content-Encoding": "gzip"} if path.suffix == ".gz" else {}),
            **({} if changed else {"X-Content-Type-Options": "nosniff"}),
        })


def test_page_and_lab_run_behind_the_worst_of_servers(browser, site_address, published):
    with hosted(published, Worst) as host:
        alive(browser, f"{host}some/path/")


@pytest.mark.parametrize(("told", "reason"), [
    ({"policy": "script-src 'self' 'unsafe-inline'"}, "script-src without 'wasm-unsafe-eval'"),
    ({"policy": "script-src 'self' 'unsafe-inline' 'unsafe-eval'"},
     "(Content-Security-Policy: script-src-elem without blob:)"),
    ({"policy": "worker-src 'none'"}, "Content-Security-Policy: worker-src forbids /some/path/"),
    ({"policy": "require-trusted-types-for 'script'"}, "Content-Security-Policy: require-trusted-types-for 'script'"),
    ({"policy": "sandbox allow-scripts"}, "it is in a frame whose sandbox forbids that. Open it in a tab of its own."),
    ({"spoiled": r"[er]\.js$", "instead": "text/plain"}, ".js as text/plain, and browsers run no script"),
    ({"spoiled": r"wasm\.bin$", "instead": "404"}, "the server answers 404 for /some/path/static/pyodide-"),
    ({"spoiled": r"lib\w*\.bin$", "instead": "page"}, "the server sends a page in place of /some/path/static/"),
    ({"policy": "script-src 'none'"}, "its first script, start.js, has not run"),
], ids=lambda told: next(reversed(told.values())) if isinstance(told, dict) else "")
def test_where_no_server_lets_python_start_page_and_lab_say_why(behind, told, reason):
    for page in [behind(Worst, path, "allow", **told) for path in (CHAPTER, LAB)]:
        said = told_by(page)
        expect(said).to_contain_text(reason, timeout=60_000)
        assert "Python cannot start" in said.inner_text() or reason.startswith("its first")
        assert said.get_by_role("link").count() == reason.count("Open it")  # nothing else is promised
        assert page.locator(".ck-live").count() == 0


def test_where_the_policy_is_enough_for_pages_alone_the_lab_says_what_it_lacks(behind):
    policy = Worst.policy.replace("'unsafe-inline' 'unsafe-eval'", "'wasm-unsafe-eval'")
    page = behind(Worst, CHAPTER, "allow", policy=policy)
    Live(page)  # its cells can be run
    page.goto(page.url.replace(CHAPTER, LAB))
    expect(page.locator(".ck-status")).to_contain_text("script-src-elem without 'unsafe-inline'", timeout=5_000)


def test_where_the_second_half_of_python_does_not_come_the_first_picture_moves_on(behind):
    live = Live(behind(Worst, CHAPTER, "allow", spoiled=r"later\.bin$", instead="404"))
    said = live.page.locator(".ck-status")
    expect(said).to_contain_text("Python didn't load completely (the server answers 404 for", timeout=120_000)
    words = live.page.locator(".ck-live .ck-sentence").first
    before = words.text_content()
    live.page.locator(".ck-live").get_by_role("slider", name="emails seen").first.press("End")
    expect(words).not_to_have_text(before)
    expect(said).to_contain_text("Python didn't load completely")  # and not of the pictures that cannot come without it
    run = live.cell("pocket-run").locator(".ck-bar").get_by_role("button", name="Run")
    run.click()
    expect(run).to_have_text("Run")  # it has not stopped for ever
    expect(said).to_contain_text("cells don't run")


def test_a_page_that_was_kept_too_long_loads_itself_anew(browser, site_address, published):
    """Where the host may say that pages are kept for a year, and the site is renewed: the old scripts are gone."""
    (folder,) = published.glob("some/path/read/live-*")
    told = {"asked": [], "version": folder.name.removeprefix("live-"), "kept": "max-age=31536000"}
    with hosted(published, host := type("Told", (Host,), told)) as address:
        context = browser.new_context(service_workers="block")  # ours asks for each page anew
        context.new_page().goto(f"{address}some/path/{CHAPTER}")
        host.new = "f" * 16
        host.asked.clear()
        live = Live(context.new_page(), f"{address}some/path/{CHAPTER}")
        assert any(host.version in path for path in host.asked)  # by the page that was kept
        assert host.new in live.page.locator("script[type=module]").get_attribute("src")
        context.close()


class Breaks(Host):
    """Hangs up in the middle of the largest part, and is away for a while; ranges: knows how to go on from there."""

    ranges, back = False, 0.0

    def do_GET(self):
        if not self.path.endswith("course.bin"):
            return super().do_GET()
        if first := not self.back:
            type(self).back = monotonic() + 8
        elif monotonic() < self.back:
            return self.send_error(503)
        content = Path(self.translate_path(self.path)).read_bytes()
        begin = int(re.sub(r"\D", "", self.headers["Range"] or "0")) if self.ranges else 0
        self.send_response(206 if begin else 200)
        self.send_header("Content-Length", str(len(content) - begin))
        self.send_header("Content-Range", f"bytes {begin}-{len(content) - 1}/{len(content)}")
        self.end_headers()
        self.wfile.write(content[begin:2_000_000 if first else None])
        self.close_connection = True
        return None


def test_where_the_line_breaks_in_the_middle_the_page_says_so_and_goes_on(behind):
    for page in [behind(Breaks, CHAPTER, ranges=ranges) for ranges in (False, True)]:
        page.locator(".ck-live:not(.ck-coming)").first.wait_for(timeout=120_000)
        assert page.evaluate("heard.some(([, text]) => text.includes('no data arriving'))")


class Half(Host):
    """Sends half of what is named so, and hangs up or falls silent: once, or each time it is asked for it."""

    broken, silent, always = "?", False, False

    def do_GET(self):
        path, again = Path(self.translate_path(self.path)), self.path in self.asked
        if not path.match(self.broken) or (again and not self.always):
            return super().do_GET()
        self.asked.append(self.path)
        content = path.read_bytes()
        self.send_response(200)
        self.send_header("Content-Type", self.guess_type(path))
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content[:len(content) // 2])
        sleep(90 * self.silent)
        self.close_connection = True
        return None


def test_what_breaks_off_once_comes_once_more(behind):
    pages = [behind(Half, CHAPTER, broken=name) for name in ("live.js", "02-perceptron.toml", "anywidget.js")]
    for page in [behind(Half, CHAPTER, broken="library.bin", silent=True), *pages]:
        page.locator(".ck-live:not(.ck-coming)").first.wait_for(timeout=120_000)


NEVER = {
    "lab": [
        ("start.js", True, "its first script, start.js, has not run"),
        ("config-utils.js", False, "/some/path/config-utils.js is not as it was built"),
        ("config-utils.js", True, "/some/path/config-utils.js is on its way, or no data is arriving"),
        ("bundle.js", False, "/bundle.js is not as it was built"),
        ("bundle.js", True, "/bundle.js is on its way, or no data is arriving"),
        ("comlink.worker.*.js", True, ".js is on its way, or no data is arriving"),
        ("pyodide.js", True, ".js is on its way, or no data is arriving"),
    ],
    "silent": [
        ("start.js", True, "its first script, start.js, has not run"),
        *((f"{name}.js", True, f"/{name}.js did not load")
          for name in ("live", "cells", "manager", "worker", "pyodide")),
    ],
    "damaged": [
        ("start.js", False, "its first script, start.js, has not run"),
        *((f"{name}.js", False, f"/{name}.js is not as it was built")
          for name in ("manager", "anywidget", "worker", "pyodide.asm")),
    ],
}


@pytest.mark.parametrize("where", NEVER)
def test_what_does_not_come_is_named_within_half_a_minute(behind, where):
    path = LAB if where == "lab" else CHAPTER
    pages = [(behind(Half, path, broken=broken, silent=silent, always=True), reason)
             for broken, silent, reason in NEVER[where]]
    for page, reason in pages:
        expect(told_by(page)).to_contain_text(reason, timeout=30_000)
        assert page.locator(".ck-live").count() == 0


@pytest.mark.parametrize("silent", [False, True])
def test_a_search_without_all_of_its_index_names_what_is_missing(behind, silent):
    """And does not say that there is nothing to be found."""
    parts = ("pagefind.js", "pagefind-entry.json", "pagefind.*.pf_meta", "wasm.*.pagefind", "*.pf_index",
             "*.pf_fragment")
    pages = {part: behind(Half, "index.html", broken=part, silent=silent, always=True) for part in parts}
    for page in pages.values():
        page.get_by_label("Search all chapters").fill("perceptron")
    for part, page in pages.items():
        name = f"/some/path/search/\\S*{fnmatch.translate(part)[4:-3]}"
        reason = (f"The search hasn't loaded yet: {name} is on its way, or no data is arriving" if silent
                  else f"The search does not work: {name} (did not load|is not as it was built)")
        said = page.locator("search p[role=status]")
        expect(said).to_have_text(re.compile(rf"{reason}\. Load the page again\."), timeout=30_000)


def test_without_its_first_script_the_lab_works_and_does_not_say_that_it_cannot(behind):
    lesson = Lesson(behind(Half, LAB, "allow", broken="start.js", always=True))
    lesson.opened(EXERCISE)
    assert lesson.execute("print(6 * 7)")["text"] == "42\n"
    expect(lesson.page.locator(".ck-late")).to_be_hidden()


@pytest.mark.parametrize("silent", [False, True])
def test_a_page_lives_without_what_only_makes_it_better_and_shows_no_dead_link(behind, published, silent):
    (mathjax,) = published.glob("some/path/read/mathjax-*.js")
    for broken, path in (("reading.js", CHAPTER), (mathjax.name, CHAPTER), ("moving.js", "index.html")):
        page = behind(Half, path, broken=broken, silent=silent, always=True)
        page.locator(".ck-live:not(.ck-coming)").first.wait_for(timeout=120_000)
        read = broken == mathjax.name  # what reading.js brings to life is there, and only then
        assert page.get_by_role("link", name="To print").count() == read
        assert page.get_by_role("button", name="Show the Python").count() == read
        page.close()


def test_on_a_slow_line_the_seconds_that_are_left_are_true(behind):
    page = behind(Line, CHAPTER, rate=8)
    page.wait_for_function("heard.some(([, text]) => text.startsWith('Python is starting'))", timeout=120_000)
    heard = page.evaluate("heard")
    end = next(at for at, text in heard if text.startswith("Python is starting"))
    left = [(end - at, float(found[3]), float(found[1]) / float(found[2])) for at, text in heard
            if (found := re.fullmatch(r"Loading Python: (\S+) of (\S+) MB, about (\d+) s", text))]
    assert len(left) > 5
    assert all(abs(true - said) < 2 + 0.3 * true for true, said, share in left if share > 0.3), left
