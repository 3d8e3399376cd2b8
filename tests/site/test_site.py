"""`coursekit site`: what is built, what is refused, and that nothing of anybody's is lost."""

import base64
import csv
import hashlib
import io
import json
import os
import re
import shutil
import subprocess
import sysconfig
import venv
import zipfile
from dataclasses import replace
from email.message import Message
from queue import Queue
from threading import Thread
from urllib.parse import parse_qs, urljoin, urlsplit
from urllib.request import urlopen

import nbformat
import numpy as np
import pytest
from bs4 import BeautifulSoup
from jupyterlite_pyodide_kernel.constants import PYODIDE_KERNEL_PLUGIN_ID, PYODIDE_VERSION
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from PIL import Image

from coursekit.cli import main
from coursekit_site import build as site
from coursekit_site import elsewhere, pyodide, serve
from coursekit_site import folder as place
from coursekit_site.chapters import Chapter, from_reading
from coursekit_site.chapters import chapters as in_order
from coursekit_site.elsewhere import launched, portable
from coursekit_site.reading import laid_out
from coursekit_site.tree import tree, with_files, without_dead_links
from tests.browser.lite import ADDRESS, ROOT, hosted

CHAPTER = Chapter("notebooks/02 50 % of Übung #1?.ipynb", "", "", "exercises/a b/c#.ipynb", None, [], [])


@pytest.fixture
def small(tmp_path, monkeypatch):
    """Inside a course of hardly anything, which is read at once."""
    (folder := tmp_path / "small" / "notebooks").mkdir(parents=True)
    nbformat.write(new_notebook(cells=[new_markdown_cell("# Welcome")]), folder / "00-start.ipynb")
    monkeypatch.chdir(folder)


def names(folder):
    return {p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file()}


def refused(*arguments):
    """The one sentence that `coursekit site` ends with."""
    with pytest.raises(SystemExit) as stop:
        main(["site", *map(str, arguments)])
    assert str(stop.value).startswith("coursekit site: ")
    assert "\n" not in str(stop.value)
    return str(stop.value)


def test_site_holds_course_start_page_and_reading_copies_and_no_solutions(built):
    inside = names(built)
    assert {"index.html", "read/02-perceptron.html", "files/notebooks/02-perceptron.ipynb",
            "files/exercises/02-perceptron/perceptron.ipynb", "files/exercises/02-perceptron/checks.json"} <= inside
    assert not [name for name in inside if "solutions/" in name]
    assert not [*built.parent.glob(".coursekit-site-*")], "something was left beside the site"


def test_no_page_waits_for_a_style_sheet(built):
    """Of a server that falls silent about one, it would stay blank."""
    folders = map(built.joinpath, (".", "read", "docs", "lab", "notebooks", "tree"))
    pages = [page for folder in folders for page in folder.glob("*.html")]
    assert len(pages) > 6
    assert [page for page in pages if 'rel="stylesheet"' in page.read_text("utf-8")] == []


@pytest.mark.slow
def test_a_course_of_ones_own_is_a_site_of_its_exercises_and_built_again_it_is_new(tmp_path, monkeypatch, capsys):
    (own := tmp_path / "statistics").mkdir()
    out = tmp_path / "site"
    for arguments in (["01-means", "mean"], ["01-means", "spread"], ["02-more", "middle"]):
        main(["new-task", *arguments, "--course", str(own)])
    monkeypatch.chdir(own / "solutions")
    assert f"no notebook in {own}; `coursekit release` makes exercises" in refused("--out", out)
    main(["release", str(own)])
    (checkpoints := own / "exercises" / "01-means" / ".ipynb_checkpoints").mkdir()
    shutil.copy(own / "exercises" / "01-means" / "means.ipynb", checkpoints)
    main(["site", "--out", str(out)])
    assert "stay still: to make them live, build it with --pyodide FOLDER" in capsys.readouterr().out
    start = BeautifulSoup((out / "index.html").read_text("utf-8"), "html.parser")
    assert start.h1.text.removesuffix("¶") == "statistics"
    assert [a["href"] for a in start.select(".chapters h2 a")] == [
        f"notebooks/index.html?path=exercises/{name}.ipynb" for name in ("01-means/means", "02-more/more")]
    assert [li["data-tasks"] for li in start.select(".chapters li")] == ["mean spread", "middle"]
    inside = names(out)
    assert {"read/01-means.html", "read/02-more.html", "files/exercises/01-means/checks.json"} <= inside
    assert not [name for name in inside if "solution" in name.lower() or ".ipynb_checkpoints" in name]

    # Python comes from the CDN, at the version that the kernel wants.
    config = json.loads((out / "jupyter-lite.json").read_text())["jupyter-config-data"]
    assert "pyodideUrl" not in config["litePluginSettings"][PYODIDE_KERNEL_PLUGIN_ID]
    assert not (out / "static" / "pyodide").exists()
    kernel = (out / "extensions" / "@jupyterlite" / "pyodide-kernel-extension").rglob("*.js")
    assert any(f"https://cdn.jsdelivr.net/pyodide/v{PYODIDE_VERSION}/full/" in file.read_text() for file in kernel)

    main(["site", "--out", str(out), "--solutions", "--address", ADDRESS])
    start = BeautifulSoup((out / "index.html").read_text("utf-8"), "html.parser")
    assert [a["href"] for a in start.select("dd a")] == ["elsewhere/means.ipynb", "elsewhere/more.ipynb"]
    assert {f"files/solutions/{name}.ipynb" for name in ("01-means/means", "02-more/more")} <= names(out) - inside
    assert "Solution" in (out / "index.html").read_text()
    assert {p.name for p in tmp_path.iterdir()} == {"statistics", "site"}


@pytest.mark.parametrize(("given", "still", "live"), [
    ("00-start.ipynb", "../index.html", None),
    ("02%2050%20%25%20of%20%C3%9Cbung%20%231%3F.ipynb#a", "02%2050%20%25%20of%20%C3%9Cbung%20%231%3F.html#a", None),
    ("../exercises/a%20b/c%23.ipynb#a", "../notebooks/index.html?path=exercises/a%20b/c%23.ipynb#a",
     "exercise-02%2050%20%25%20of%20%C3%9Cbung%20%231%3F.html#a"),
    ("../exercises/a%20b/%C3%BC%23.csv", "../files/exercises/a%20b/%C3%BC%23.csv", None),
    ("%C3%BC.ipynb", "../notebooks/index.html?path=notebooks/%C3%BC.ipynb", None),
    ("images/line.png", "../files/notebooks/images/line.png", None),
    ("#b", "#b", None),
    ("https://example.org/x.ipynb", "https://example.org/x.ipynb", None),
])
def test_links_of_a_chapter_lead_to_the_same_things(given, still, live):
    """With any letter in a name; as Markdown writes it, what is not ASCII comes quoted."""
    for working, leads in ((False, still), (True, live or still)):
        new_link = from_reading([CHAPTER], "notebooks/01-x.ipynb", working)
        assert new_link(given) == leads
        text = new_notebook(cells=[new_markdown_cell(f"[it]({given})")])
        elsewhere = portable(text, "notebooks/01-x.ipynb", ADDRESS, "w.whl", new_link)
        whole = leads if given[0] == "#" else urljoin(f"{ADDRESS}read/", leads)
        assert elsewhere.cells[1].source == f"[it]({whole})"


def test_read_again_leads_from_an_exercise_to_the_section():
    links = 0
    for path in (ROOT / "exercises").glob("*/*.ipynb"):
        exercise, chapter = ("\n".join(cell.source for cell in nbformat.read(file, 4).cells)
                             for file in (path, ROOT / "notebooks" / f"{path.parent.name}.ipynb"))
        for words, to in re.findall(r"\[([^]]*\d\.\d[^]]*)\]\(([^)]*)\)", exercise):
            assert to == f"../../notebooks/{path.parent.name}.ipynb"
            for section in re.findall(r"\d+\.\d+", words):
                links += 1
                assert f"\n## {section} " in chapter
    assert links > 70
    page = soup("## 2.3 Steps", "Read [2.3](../a.ipynb) again, or [Sections 2.4 and 2.5](../a.ipynb).")
    assert page.find(id="2.3").text.startswith("2.3 Steps")
    assert [link["href"] for link in page.select("p a")] == ["../a.ipynb#2.3", "../a.ipynb#2.4"]


def test_a_chapters_page_has_a_title_block_and_folds_goals_and_code():
    picture = new_code_cell("import coursekit as ck\n\nck.explorers.svm()", id="picture")
    picture.outputs = [new_output("display_data", {"image/png": png(np.zeros((2, 2), np.uint8))})]
    page = soup("# 4 · Steps\n\n*about 51 minutes*\n\n> **The question.** Why *so* many?", picture,
                "**You need** [Chapter 1](01-a.ipynb).\n\n**Afterward you can**\n\n1. walk",
                new_code_cell("x = 1", id="plain"), "## 4.1 The $k$ *steps* of it\n\ntext")
    laid_out(page, replace(CHAPTER, minutes=51, needs=(1, 2, 3)))
    assert page.select_one(".kicker").text == "Chapter 4 · 51 minutes · you need chapters 1, 2 and 3"
    assert page.select_one(".kicker + h1").text.startswith("Steps")
    assert [str(p) for p in page.select(".question")] == ['<p class="question">Why <em>so</em> many?</p>']
    assert "minutes" not in page.text.replace("51 minutes · you", "")
    goals, plain = page.select("details:has(li)"), page.find(id="cell-id=plain")
    assert [fold.summary.text for fold in goals] == ["What you need, and what you will be able to do"]
    assert plain.select_one(".ck-code summary").text == "Show the Python 1 line"
    shown, fold = page.find(id="cell-id=picture").find_all(class_=["output_wrapper", "ck-code"], recursive=False)
    assert shown.img
    assert fold.summary.small.text == "2 lines"
    heading = page.find("h2", id="4.1")
    assert heading.select_one(".number").text == "4.1"
    assert heading.text.startswith("4.1 The $k$ steps of it")


def test_a_chapter_tells_its_minutes_and_what_it_builds_on():
    needs = "**You need** the risk ([3](03-a.ipynb), [3.1](03-a.ipynb#1)), [4](04-b.ipynb) and [5](05-c.ipynb)."
    texts = "# 6 · Six\n\n*about 56 minutes*", f"{needs}\n\n[7](07-d.ipynb)"
    (chapter,) = in_order({"notebooks/06-six.ipynb": new_notebook(cells=[*map(new_markdown_cell, texts)])})
    assert (chapter.minutes, chapter.needs) == (56, (3, 4, 5))


def soup(*cells):
    """What a notebook of these cells, or of this text, is as a page."""
    cells = [new_markdown_cell(cell) if isinstance(cell, str) else cell for cell in cells]
    return tree(new_notebook(cells=cells), str)


@pytest.mark.parametrize(("text", "kept"), [
    ("So $a, b$, then $c$ and *$d$.*", ["$a, b$,", "$d$."]),
    ("A block $$x$$, and `$code$,`", []),
    ("It costs 5 \\$, not more.", []),
    ("From 32 % to **18 %**, see `100 % 7` and $n$ % of them.", []),
])
def test_what_belongs_together_stays_in_one_line(text, kept):
    page = soup(text)
    assert [span.text for span in page.select(".whole")] == kept
    words = re.sub(r"[*`\\]", "", text)
    assert page.text.strip() == words.replace("32 %", "32\u00a0%").replace("18 %", "18\u00a0%")


def test_docs_are_pages_whose_links_lead_somewhere(built):
    start = BeautifulSoup((built / "index.html").read_text(), "html.parser")
    told = {str(link["href"]): link.text for link in start.select(".ways a")}
    assert told["docs/site.html"] == "The course as a web site"
    assert all((built / address).exists() for address in told if not address.startswith(("notebooks/", "api/")))
    links = '<a href="site.md">a</a> <a href="../coursekit/cli.py">code</a> <a href="#x">b</a> <a href="https://a.b/">c</a>'
    without_dead_links(page := BeautifulSoup(links, "html.parser"), {"site": ""})
    assert str(page) == (
        '<a href="site.html">a</a> code <a href="#x">b</a> <a href="https://a.b/">c</a>')


@pytest.mark.slow
def test_names_of_the_module_are_a_page(built):
    names = BeautifulSoup((built / "api" / "coursekit.html").read_text(), "html.parser")
    assert names.select_one("#gradient_descent")
    signature = re.sub(r"\s+", " ", names.select_one("#svm .signature").text)
    assert signature.startswith("( X: ArrayLike, y: ArrayLike, lam: float | ArrayLike | None = None, ")


def png(shades):
    Image.fromarray(shades).save(file := io.BytesIO(), "PNG", compress_level=0)
    return base64.b64encode(file.getvalue()).decode()


def test_pictures_of_a_reading_copy_lie_beside_it_without_loss_and_with_their_size(tmp_path):
    shades = np.random.default_rng(0).integers(0, 255, (30, 50, 3), dtype=np.uint8)
    data = f"data:image/png;base64,{png(shades)}"
    text = f'<picture><source srcset="{data}"><img src="{data}" alt="x"></picture>'
    page = with_files(BeautifulSoup(text, "html.parser"), tmp_path)
    assert [page.img[name] for name in ("width", "height", "alt")] == ["50", "30", "x"]
    (stored,) = (tmp_path / "pictures").iterdir()
    assert [*re.findall('src(?:set)?="([^"]+)"', str(page))] == [f"pictures/{stored.name}"] * 2
    assert np.array_equal(Image.open(stored).convert("RGB"), shades)


def test_pictures_weigh_less_look_the_same_and_a_narrow_page_shows_their_narrow_twins():
    shades, narrow = np.tile(np.arange(0, 200, 4, dtype=np.uint8)[:, None, None], (4, 300, 3)), "TkFSUk9X"
    stored, page = png(shades), '<p>One <img alt="shades" src="data:image/png;base64,{}"></p>'
    cell, told = new_code_cell("figure"), {"image/png": {"alt": "A line.", "narrow": narrow}}
    cell.outputs = [new_output("display_data", {"image/png": stored, "text/html": page.format(stored)}, metadata=told)]
    notebook = site._lighter(new_notebook(cells=[cell]))
    (output,) = notebook.cells[0].outputs
    lighter = output.data["image/png"]
    assert output.data["text/html"] == page.format(lighter)
    assert len(lighter) < len(stored) / 2
    assert np.array_equal(Image.open(io.BytesIO(base64.b64decode(lighter))).convert("RGB"), shades)
    output.data["text/html"] = f'<picture><source srcset="{narrow}"><img alt="One"></picture>'
    (wide,) = site._without_narrow(notebook).cells[0].outputs
    assert wide.metadata == {"image/png": {"alt": "A line."}}
    assert wide.data["text/html"] == '<picture><img alt="One"></picture>'
    del output.data["text/html"]
    picture = soup(cell).select_one("picture")
    assert picture.source["srcset"] == f"data:image/png;base64,{narrow}"
    assert (picture.img["src"].strip(), picture.img["alt"]) == (f"data:image/png;base64,{lighter}", "A line.")


def test_wheels_hold_what_the_record_says_and_nothing_compiled(built):
    wheels = [*built.glob("static/wheels-*/*.whl"), *built.glob("elsewhere/*.whl")]
    assert {"linear_classification_course", "ipython", "anywidget", "psygnal"} <= {w.name.split("-")[0] for w in wheels}
    for wheel in wheels:
        with zipfile.ZipFile(wheel) as file:
            record = next(name for name in file.namelist() if name.endswith(".dist-info/RECORD"))
            rows = list(csv.reader(file.read(record).decode().splitlines()))
            assert sorted(name for name, _, _ in rows) == sorted(file.namelist())
            assert {entry.date_time[:3] for entry in file.infolist()} == {(1980, 1, 1)}  # the same in each build
            for name, digest, size in rows:
                assert not name.endswith((".so", ".pyd", ".pyc"))
                if name != record:
                    found = base64.urlsafe_b64encode(hashlib.sha256(file.read(name)).digest()).decode().rstrip("=")
                    assert (digest, int(size)) == (f"sha256={found}", len(file.read(name)))


@pytest.fixture
def ours(tmp_path):
    """Looks like a site that coursekit built."""
    ((folder := tmp_path / "site") / "files").mkdir(parents=True)
    for name in ("index.html", "files/a.ipynb"):
        (folder / name).write_text("built")
    (folder / place.MARKER).write_text(json.dumps(place.digests(folder)))
    return folder


@pytest.mark.parametrize("change", ["index.html", "CNAME", "files/mine.ipynb"])
def test_site_with_something_of_somebody_else_in_it_is_left_alone(ours, change):
    (ours / change).write_text("precious")
    before = names(ours)
    assert change.replace("/", "\\") in (said := refused("--out", ours)).replace("/", "\\")
    assert "move it away" in said
    assert (ours / change).read_text() == "precious"
    assert names(ours) == before


def test_folder_that_is_not_ours_and_a_course_that_cannot_be_read_are_named(tmp_path, monkeypatch):
    (tmp_path / "letter.txt").write_text("precious")
    assert str(tmp_path) in refused("--out", tmp_path)
    assert "is a file" in refused("--out", tmp_path / "letter.txt")
    assert "letter.txt is a file" in refused("--out", tmp_path / "letter.txt" / "site")
    assert (tmp_path / "letter.txt").read_text() == "precious"
    (broken := tmp_path / "broken" / "notebooks" / "00-start.ipynb").parent.mkdir(parents=True)
    broken.write_text("{")
    monkeypatch.chdir(broken.parent)
    assert str(broken) in refused("--out", tmp_path / "out")
    assert "--solutions" in refused("--out", tmp_path / "out", "--solutions")
    assert names(tmp_path) == {"letter.txt", "broken/notebooks/00-start.ipynb"}


def test_failure_in_the_middle_or_at_the_end_leaves_the_site_as_it_was(ours, small, monkeypatch):
    def full(*_arguments):
        raise OSError("No space left on device")

    monkeypatch.setattr(site, "_write", full)
    before = names(ours)
    assert "No space left" in refused("--out", ours)
    with pytest.raises(FileNotFoundError):
        place.replace(ours, ours.parent / "nothing was built", ours.parent / "before")
    assert names(ours) == before
    assert {p.name for p in ours.parent.iterdir()} == {"site", "small"}


def lock(python="3.14.0", packages=pyodide.LOADED):
    entry = {"sha256": hashlib.sha256(b"-").hexdigest(), "depends": []}
    told = {name: entry | {"file_name": f"{name}.whl"} for name in packages}
    return json.dumps({"info": {"python": python}, "packages": told})


@pytest.mark.parametrize(("name", "content", "said"), [
    ("pyodide.asm.wasm", None, "has no pyodide.asm.wasm"),
    ("pyodide-lock.json", None, "has no pyodide-lock.json"),
    ("pyodide-lock.json", "{", "lock.json is not its lock file"),
    ("pyodide-lock.json", "[]", "lock.json is not its lock file"),
    ("pyodide-lock.json", lock(packages=["micropip"]), "lock.json is not its lock file"),
    ("pyodide-lock.json", lock("3.13.2"), "lock.json is for Python 3.13.2"),
    ("matplotlib.whl", None, "has no matplotlib.whl"),
    ("matplotlib.whl", "half", "matplotlib.whl is damaged"),
])
def test_wrong_pyodide_is_named_with_the_version_that_is_expected(name, content, said, small, tmp_path):
    (folder := tmp_path / "pyodide").mkdir()  # looks like Pyodide from outside
    for file in (*pyodide.CORE, "micropip.whl", "matplotlib.whl"):
        (folder / file).write_text("-")
    (folder / "pyodide-lock.json").write_text(lock())
    (folder / name).unlink() if content is None else (folder / name).write_text(content)
    sentence = refused("--out", tmp_path / "out", "--pyodide", folder)
    assert said in sentence
    assert PYODIDE_VERSION in sentence
    assert not (tmp_path / "out").exists()


@pytest.mark.slow
def test_a_notebook_for_elsewhere_fetches_coursekit_once(built, tmp_path):
    """In a Python that has all packages but this one."""
    chapter, exercise = (nbformat.read(built / "elsewhere" / name, 4).cells[0].source
                         for name in ("02-perceptron.ipynb", "perceptron.ipynb"))
    assert exercise.startswith(chapter)
    venv.create(tmp_path / "bare", with_pip=True)
    python = tmp_path / "bare" / ("Scripts" if os.name == "nt" else "bin") / "python"
    # An editable installation is known to the folder of packages alone, not to a path that leads there.
    packages = {**os.environ, "PYTHONPATH": sysconfig.get_path("purelib"), "HOME": str(tmp_path)}
    (work := tmp_path / "work").mkdir()
    with hosted(built) as address:
        bring, shown = exercise.replace(ADDRESS, address), "import coursekit\nprint(coursekit.__file__)"
        cells = [bring, f"from coursekit_figures import chapter02\n{shown}"]
        nbformat.write(new_notebook(cells=list(map(new_code_cell, cells))), tmp_path / "perceptron.ipynb")
        command = [python, "-m", "IPython", "--no-banner", "--colors=NoColor", tmp_path / "perceptron.ipynb"]
        first, again = (subprocess.run(command, cwd=work, env=packages, check=True, capture_output=True,
                                       text=True).stdout.strip().splitlines() for _ in range(2))
    assert first[-1].startswith(str(tmp_path / "bare"))
    assert again == first[-1:], "where coursekit is, it says nothing"
    assert names(work) == {"exercises/02-perceptron/checks.json"}


@pytest.mark.parametrize("url", [None, "Documentation, https://example.org/course", "Source, https://github.com/me/lines",
                                 "Repository, https://github.com/me/lines.git"])
def test_one_click_leads_to_services_once_the_repositorys_address_is_known(url, monkeypatch):
    (known := Message()).add_header("Project-URL", url or "")
    monkeypatch.setattr(elsewhere, "metadata", lambda name: known if url else Message())
    binder, *others = launched(True)("exercises/02-two/a b.ipynb").values() or [None]
    assert launched(False)("x.ipynb").keys() == ({"Binder"} if binder else set())
    if url is None or "github" not in url:
        assert (binder, others) == (None, [])
        return
    assert urlsplit(binder).path == "/v2/gh/me/lines/HEAD"
    assert parse_qs(urlsplit(binder).query) == {"urlpath": ["lab/tree/exercises/02-two/a b.ipynb"]}
    colab, kaggle = others
    assert colab == "https://colab.research.google.com/github/me/lines/blob/elsewhere/a%20b.ipynb"
    assert parse_qs(urlsplit(kaggle).query) == {"src": ["https://github.com/me/lines/blob/elsewhere/a%20b.ipynb"]}


@pytest.mark.parametrize("wrong", ["example.org/course", "ftp://example.org", "https://", "https://example.org/?a=1"])
def test_an_address_that_no_browser_opens_is_refused(wrong, tmp_path):
    said = refused("--out", tmp_path / "out", "--address", wrong)
    assert wrong in said
    assert "https://example.org/course/" in said


def test_served_here_alone_with_the_types_that_a_browser_asks_for(tmp_path, monkeypatch):
    started = Queue()
    told = {"service_actions": lambda server: started.put(server.server_address)}
    monkeypatch.setattr(serve, "ThreadingHTTPServer", type("Told", (serve.ThreadingHTTPServer,), told))
    Thread(target=serve.serve, args=(tmp_path, 0), daemon=True).start()
    host, port = started.get(timeout=60)
    assert host == "127.0.0.1"
    for name, kind in {"a.js": "text/javascript", "b.wasm": "application/wasm"}.items():
        (tmp_path / name).write_text("-")
        with urlopen(f"http://localhost:{port}/{name}") as answer:
            assert answer.read() == b"-"
            assert answer.headers["Content-Type"] == kind
            assert answer.headers["Cache-Control"] == "no-cache"
