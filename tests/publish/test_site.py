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
from http.client import HTTPConnection
from pathlib import Path
from queue import Queue
from socket import create_server
from threading import Thread

import nbformat
import numpy as np
import pytest
from bs4 import BeautifulSoup
from jupyterlite_pyodide_kernel.constants import PYODIDE_KERNEL_PLUGIN_ID, PYODIDE_VERSION
from PIL import Image

from coursekit.checking import checks
from coursekit.cli import main
from coursekit.publish import site
from coursekit.publish.site.pages import Chapter, _from_reading, _html, _with_files
from tests.browser.lite import PYODIDE, hosted

FIRST = """# 1 · Lines

> **The question.** Which <side>?

[start](00-start.ipynb) [task](../exercises/01-lines/lines.ipynb#a) [data](../exercises/01-lines/table.csv)
[here](#b) [there](https://example.org/x.ipynb) ![picture](images/line.png)
"""


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """A clone with one chapter."""
    root = tmp_path_factory.mktemp("course")
    for name, text in {
        "notebooks/00-start.ipynb": "# Welcome\n\n[one](01-lines.ipynb)",
        "notebooks/01-lines.ipynb": FIRST,
        "exercises/01-lines/lines.ipynb": "# Exercise 1",
        "solutions/01-lines/lines.ipynb": "# Answers",
        "notebooks/.ipynb_checkpoints/01-lines.ipynb": "# Old",
        "exercises/01-lines/table.csv": "1,2\n",
        "exercises/01-lines/checks.json": checks.dumps([]),
        "docs/marks.md": "# Marks\n\n[site](site.md) [code](../coursekit/cli.py) [here](#x) <https://example.org/y>",
        "docs/site.md": "# The site",
    }.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.suffix != ".ipynb":
            path.write_text(text)
        else:
            nbformat.write(nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell(text)]), path)
    return root


@pytest.fixture(scope="module")
def deep(tmp_path_factory):
    """The folder that will hold the site."""
    (folder := tmp_path_factory.mktemp("built") / "deep").mkdir()
    return folder


@pytest.fixture(scope="module")
def address(deep):
    """Where the site will be. It is served before it is there."""
    with hosted(deep) as host:
        yield f"{host}site/"


@pytest.fixture(scope="module")
def built(course, address, deep):
    """Built as most will do it: without solutions, Python from the CDN."""
    out = deep / "site"
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(course / "notebooks")
        main(["site", "--out", str(out), "--address", address.rstrip("/")])
    return out


@pytest.fixture
def at_course(course, monkeypatch):
    monkeypatch.chdir(course)


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
    assert {"index.html", "read/01-lines.html", "files/notebooks/01-lines.ipynb"} <= inside
    assert {"files/exercises/01-lines/lines.ipynb", "files/exercises/01-lines/table.csv"} <= inside
    assert not [name for name in inside if "solution" in name.lower() or ".ipynb_checkpoints" in name]
    assert "Which &lt;side&gt;?" in (built / "index.html").read_text()
    assert names(built.parent) == {f"site/{name}" for name in inside}, "something was left beside the site"


@pytest.mark.slow
def test_a_course_of_ones_own_is_a_site_of_its_exercises(tmp_path, monkeypatch):
    (own := tmp_path / "statistics").mkdir()
    for arguments in (["01-means", "mean"], ["01-means", "spread"], ["02-more", "middle"]):
        main(["new-task", *arguments, "--course", str(own)])
    monkeypatch.chdir(own / "solutions")
    assert f"no notebook in {own}; `coursekit release` makes exercises" in refused("--out", tmp_path / "site")
    main(["release", str(own)])
    main(["site", "--out", str(tmp_path / "site")])
    start = BeautifulSoup((tmp_path / "site" / "index.html").read_text("utf-8"), "html.parser")
    assert start.h1.text.removesuffix("¶") == "statistics"
    assert [a["href"] for a in start.select(".chapters h2 a")] == [
        f"notebooks/index.html?path=exercises/{name}.ipynb" for name in ("01-means/means", "02-more/more")]
    assert [li["data-tasks"] for li in start.select(".chapters li")] == ["mean spread", "middle"]
    made = {"read/01-means.html", "read/02-more.html", "files/exercises/01-means/checks.json"}
    assert made <= names(tmp_path / "site")


def test_links_of_a_reading_copy_lead_to_the_same_things(built):
    page = (built / "read" / "01-lines.html").read_text()
    for link in (
        'href="../index.html"',
        'href="../notebooks/index.html?path=exercises/01-lines/lines.ipynb#a"',
        'href="../files/exercises/01-lines/table.csv"',
        'href="#b"',
        'href="https://example.org/x.ipynb"',
        'src="../files/notebooks/images/line.png"',
    ):
        assert link in page


def test_a_name_with_any_letter_is_an_address_where_it_is_linked():
    """As Markdown writes it: what is not ASCII comes quoted."""
    chapter = Chapter("notebooks/02 50 % of Übung #1?.ipynb", "", "", "exercises/a b/c#.ipynb", None, [], [])
    new_link = _from_reading([chapter], "notebooks/01-x.ipynb", True)
    assert chapter.reading == "02%2050%20%25%20of%20%C3%9Cbung%20%231%3F.html"
    assert new_link("02%2050%20%25%20of%20%C3%9Cbung%20%231%3F.ipynb#a") == f"{chapter.reading}#a"
    assert new_link("../exercises/a%20b/c%23.ipynb") == f"exercise-{chapter.reading}"
    assert new_link("../exercises/a%20b/%C3%BC%23.csv") == "../files/exercises/a%20b/%C3%BC%23.csv"
    assert new_link("%C3%BC.ipynb") == "../notebooks/index.html?path=notebooks/%C3%BC.ipynb"


def test_read_again_leads_from_an_exercise_to_the_section():
    links, root = 0, Path(__file__).parents[2]
    for path in sorted((root / "exercises").glob("*/*.ipynb")):
        (chapter,) = (root / "notebooks").glob(f"{path.parent.name}.ipynb")
        soups = []
        for file in (path, chapter):
            soups.append(soup(*(cell for cell in nbformat.read(file, 4).cells if cell.cell_type == "markdown")))
        for link in soups[0].select('a[href*="#"]:not(.anchor-link)'):
            address, number = link["href"].split("#")
            if address.endswith(chapter.name):
                links += 1
                assert soups[1].find(id=number).text.startswith(f"{number} ")
            else:
                assert address.endswith(".ipynb")
    assert links > 70


def soup(*cells):
    """What a notebook of these cells, or of this text, is as a page."""
    cells = [nbformat.v4.new_markdown_cell(cell) if isinstance(cell, str) else cell for cell in cells]
    return BeautifulSoup(_html(nbformat.v4.new_notebook(cells=cells), str), "html.parser")


def figure(picture, told, **more):
    """A cell that shows a picture."""
    cell = nbformat.v4.new_code_cell("figure")
    data = {"image/png": picture, **more}
    cell.outputs = [nbformat.v4.new_output("display_data", data, metadata={"image/png": told})]
    return cell


@pytest.mark.parametrize(("text", "kept"), [
    ("So $a, b$, then $c$ and *$d$.*", ["$a, b$,", "$d$."]),
    ("A block $$x$$, and `$code$,`", []),
    ("It costs 5 \\$, not more.", []),
])
def test_punctuation_stays_with_the_formula_before_it(text, kept):
    page = soup(text)
    assert [span.text for span in page.select(".whole")] == kept
    assert page.text.split() == text.replace("*", "").replace("`", "").replace("\\", "").split()


def test_a_per_cent_sign_stays_with_its_number():
    page = soup("From 32 % to **18 %**, see `100 % 7` and $n$ % of them.")
    assert page.text.strip() == "From 32\N{NO-BREAK SPACE}% to 18\N{NO-BREAK SPACE}%, see 100 % 7 and $n$ % of them."


def test_docs_and_names_of_the_module_are_pages_whose_links_lead_somewhere(built):
    start = BeautifulSoup((built / "index.html").read_text(), "html.parser")
    told = {str(link["href"]): link.text for link in start.select(".ways a")}
    assert (told["docs/marks.html"], told["docs/site.html"]) == ("Marks", "The site")
    assert all((built / address).exists() for address in told if not address.startswith("notebooks/"))
    page = BeautifulSoup((built / "docs" / "marks.html").read_text(), "html.parser")
    assert [link["href"] for link in page.select("main p a")] == ["site.html", "#x", "https://example.org/y"]
    assert "code" in page.main.text
    names = (built / "api" / "coursekit.html").read_text()
    assert 'id="gradient_descent"' in names
    signature = BeautifulSoup(names, "html.parser").select_one("#svm .signature").text
    assert re.sub(r"\s+", " ", signature).startswith("( X: ArrayLike, y: ArrayLike, lam: float | ArrayLike, ")


def test_pictures_of_a_reading_copy_lie_beside_it_without_loss_and_with_their_size(tmp_path):
    shades = np.random.default_rng(0).integers(0, 255, (30, 50, 3), dtype=np.uint8)
    Image.fromarray(shades).save(file := io.BytesIO(), "PNG")
    data = f"data:image/png;base64,{base64.b64encode(file.getvalue()).decode()}"
    page = _with_files(f'<picture><source srcset="{data}"><img src="{data}" alt="x"></picture>', tmp_path)
    image = BeautifulSoup(page, "html.parser").img
    assert (image["width"], image["height"], image["alt"]) == ("50", "30", "x")
    (stored,) = (tmp_path / "pictures").iterdir()
    assert [*re.findall('src(?:set)?="([^"]+)"', page)] == [f"pictures/{stored.name}"] * 2
    assert np.array_equal(Image.open(stored).convert("RGB"), shades)


def test_a_picture_with_a_narrow_twin_shows_that_on_a_narrow_page():
    wide, narrow = "V0lERQ==", "TkFSUk9X"
    picture = soup(figure(f"{wide}\n", {"alt": "A line.", "narrow": narrow})).select_one("picture")
    assert picture.source["srcset"] == f"data:image/png;base64,{narrow}"
    assert (picture.img["src"].strip(), picture.img["alt"]) == (f"data:image/png;base64,{wide}", "A line.")


def test_pictures_weigh_less_and_look_the_same_and_the_lab_has_no_narrow_twins():
    shades, file = np.tile(np.arange(0, 200, 4, dtype=np.uint8)[:, None, None], (4, 300, 3)), io.BytesIO()
    Image.fromarray(shades).save(file, "PNG", compress_level=0)
    stored = base64.b64encode(file.getvalue()).decode()
    page = {"text/html": f'<p>One <img alt="shades" src="data:image/png;base64,{stored}"></p>'}
    cell = figure(stored, {"narrow": "TkFSUk9X"}, **page)
    notebook = site._lighter(nbformat.v4.new_notebook(cells=[cell]))
    (output,) = notebook.cells[0].outputs
    before, _, after = output.data["text/html"].replace('"></p>', ",").partition("base64,")
    assert before == '<p>One <img alt="shades" src="data:image/png;'
    for picture in (output.data["image/png"], after.rstrip(",")):
        assert len(picture) < len(stored) / 2
        assert np.array_equal(Image.open(io.BytesIO(base64.b64decode(picture))).convert("RGB"), shades)
    assert site._without_narrow(notebook).cells[0].outputs[0].metadata == {"image/png": {}}
    assert output.metadata["image/png"] == {"narrow": "TkFSUk9X"}


def test_python_comes_from_the_cdn_at_the_version_that_the_kernel_wants(built):
    config = json.loads((built / "jupyter-lite.json").read_text())["jupyter-config-data"]
    settings = config["litePluginSettings"][PYODIDE_KERNEL_PLUGIN_ID]
    assert "pyodideUrl" not in settings
    assert not (built / "static" / "pyodide").exists()
    kernel = (built / "extensions" / "@jupyterlite" / "pyodide-kernel-extension").rglob("*.js")
    assert any(f"https://cdn.jsdelivr.net/pyodide/v{PYODIDE_VERSION}/full/" in file.read_text() for file in kernel)


def test_wheels_hold_what_the_record_says_and_nothing_compiled(built):
    wheels = list(built.glob("static/wheels-*/*.whl"))
    assert {"coursekit", "ipython", "ipywidgets", "anywidget", "psygnal"} <= {w.name.split("-")[0] for w in wheels}
    for wheel in wheels:
        with zipfile.ZipFile(wheel) as file:
            record = next(name for name in file.namelist() if name.endswith(".dist-info/RECORD"))
            rows = list(csv.reader(file.read(record).decode().splitlines()))
            assert sorted(name for name, _, _ in rows) == sorted(file.namelist())
            for name, digest, size in rows:
                assert not name.endswith((".so", ".pyd", ".pyc"))
                if name != record:
                    found = base64.urlsafe_b64encode(hashlib.sha256(file.read(name)).digest()).decode().rstrip("=")
                    assert (digest, int(size)) == (f"sha256={found}", len(file.read(name)))


@pytest.mark.slow
def test_built_again_the_site_is_new(built, course, monkeypatch):
    out = built.parent / "again"
    shutil.copytree(built, out)
    monkeypatch.chdir(course)
    main(["site", "--out", str(out), "--solutions"])
    assert "files/solutions/01-lines/lines.ipynb" in names(out)
    assert "Solution" in (out / "index.html").read_text()
    assert {p.name for p in out.parent.iterdir()} == {"site", "again"}
    shutil.rmtree(out)


@pytest.mark.parametrize("change", ["index.html", "CNAME", "files/notebooks/mine.ipynb"])
def test_site_with_something_of_somebody_else_in_it_is_left_alone(built, at_course, capsys, change):
    kept = (built / change).read_bytes() if (built / change).exists() else None
    (built / change).write_text("precious")
    before = names(built)
    assert change.replace("/", "\\") in (said := refused("--out", built)).replace("/", "\\")
    assert "move it away" in said
    assert (built / change).read_text() == "precious"
    assert names(built) == before
    (built / change).unlink()
    if kept is not None:
        (built / change).write_bytes(kept)


def test_folder_that_is_not_ours_is_left_alone(at_course, tmp_path):
    (tmp_path / "letter.txt").write_text("precious")
    assert str(tmp_path) in refused("--out", tmp_path)
    assert names(tmp_path) == {"letter.txt"}
    assert "is a file" in refused("--out", tmp_path / "letter.txt")
    assert "letter.txt is a file" in refused("--out", tmp_path / "letter.txt" / "site")
    assert (tmp_path / "letter.txt").read_text() == "precious"


def test_notebook_that_does_not_parse_is_named(course, tmp_path, monkeypatch):
    broken = tmp_path / "broken"
    shutil.copytree(course, broken)
    (broken / "notebooks" / "01-lines.ipynb").write_text("{")
    monkeypatch.chdir(broken)
    assert str(broken / "notebooks" / "01-lines.ipynb") in refused("--out", tmp_path / "out")
    assert {p.name for p in tmp_path.iterdir()} == {"broken"}


def test_failure_in_the_middle_leaves_the_site_as_it_was(built, at_course, monkeypatch):
    def full(*_arguments):
        raise OSError("No space left on device")

    monkeypatch.setattr(site, "pages", full)
    monkeypatch.setattr(site, "wheels", lambda folder: [])
    before = names(built)
    assert "No space left" in refused("--out", built)
    assert names(built) == before
    assert {p.name for p in built.parent.iterdir()} == {"site"}


@pytest.fixture
def pyodide(tmp_path):
    """Looks like Pyodide from outside."""
    folder = tmp_path / "pyodide"
    folder.mkdir()
    for name in ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip"):
        (folder / name).write_text("-")
    packages = {}
    for name in ("micropip", "matplotlib"):
        (folder / f"{name}.whl").write_text(name)
        digest = hashlib.sha256(name.encode()).hexdigest()
        packages[name] = {"file_name": f"{name}.whl", "sha256": digest, "depends": []}
    (folder / "pyodide-lock.json").write_text(json.dumps({"info": {"python": "3.14.0"}, "packages": packages}))
    return folder


def relock(folder, change):
    file = folder / "pyodide-lock.json"
    lock = json.loads(file.read_text())
    change(lock)
    file.write_text(json.dumps(lock))


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda f: (f / "pyodide.asm.wasm").unlink(), "has no pyodide.asm.wasm"),
        (lambda f: (f / "pyodide-lock.json").unlink(), "has no pyodide-lock.json"),
        (lambda f: (f / "pyodide-lock.json").write_text("{"), "lock.json is not its lock file"),
        (lambda f: (f / "pyodide-lock.json").write_text("[]"), "lock.json is not its lock file"),
        (lambda f: relock(f, lambda lock: lock["info"].update(python="3.13.2")), "lock.json is for Python 3.13.2"),
        (lambda f: relock(f, lambda lock: lock["packages"].pop("matplotlib")), "lock.json is not its lock file"),
        (lambda f: (f / "matplotlib.whl").unlink(), "has no matplotlib.whl"),
        (lambda f: (f / "matplotlib.whl").write_text("half"), "matplotlib.whl is damaged"),
        (shutil.rmtree, "has no pyodide.mjs"),
    ],
)
def test_wrong_pyodide_is_named_with_the_version_that_is_expected(pyodide, spoil, said, at_course, tmp_path):
    spoil(pyodide)
    sentence = refused("--out", tmp_path / "out", "--pyodide", pyodide)
    assert said in sentence
    assert PYODIDE_VERSION in sentence
    assert not (tmp_path / "out").exists()


def test_solutions_need_a_folder_of_solutions(course, tmp_path, monkeypatch):
    bare = tmp_path / "bare"
    shutil.copytree(course, bare, ignore=shutil.ignore_patterns("solutions"))
    monkeypatch.chdir(bare)
    assert "--solutions" in refused("--out", tmp_path / "out", "--solutions")


@pytest.fixture
def without_coursekit(tmp_path):
    """Runs a notebook in a Python that has all packages but this one, and returns what it prints."""
    venv.create(tmp_path / "bare", with_pip=True)
    python = tmp_path / "bare" / ("Scripts" if os.name == "nt" else "bin") / "python"
    # An editable installation is known to the folder of packages alone, not to a path that leads there.
    packages = {**os.environ, "PYTHONPATH": sysconfig.get_path("purelib"), "HOME": str(tmp_path)}
    (tmp_path / "work").mkdir()

    def run(notebook):
        done = subprocess.run([python, "-m", "IPython", "--no-banner", "--colors=NoColor", notebook],
                              cwd=tmp_path / "work", env=packages, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


@pytest.mark.parametrize("name", ["01-lines.ipynb", "lines.ipynb"])
def test_a_notebook_for_elsewhere_fetches_coursekit_once_and_its_links_lead_to_the_site(
    built, address, name, without_coursekit, tmp_path
):
    notebook = nbformat.read(built / "elsewhere" / name, 4)
    asking = nbformat.v4.new_code_cell("import coursekit\nprint(coursekit.__file__)")
    nbformat.write(nbformat.v4.new_notebook(cells=[notebook.cells[0], asking]), tmp_path / name)
    said = without_coursekit(tmp_path / name).strip().splitlines()
    assert said[-1].startswith(str(tmp_path / "bare"))
    fetched = {p.relative_to(tmp_path / "work").as_posix() for p in (tmp_path / "work").rglob("*.json")}
    assert fetched == ({"exercises/01-lines/checks.json"} if name == "lines.ipynb" else set())
    assert without_coursekit(tmp_path / name).splitlines() == said[-1:], "where coursekit is, it says nothing"
    if name == "01-lines.ipynb":
        text = notebook.cells[1].source
        assert f"[task]({address}notebooks/index.html?path=exercises/01-lines/lines.ipynb#a)" in text
        assert f"[start]({address}index.html)" in text
        assert "[here](#b)" in text


@pytest.mark.parametrize("wrong", ["example.org/course", "ftp://example.org", "https://", "https://example.org/?a=1"])
def test_an_address_that_no_browser_opens_is_refused(wrong, at_course, tmp_path):
    said = refused("--out", tmp_path / "out", "--address", wrong)
    assert wrong in said
    assert "https://example.org/course/" in said


class AnyPort(site.ThreadingHTTPServer):
    """Takes a free port, whichever it was told, and says which."""

    def __init__(self, address, handler):
        super().__init__((address[0], 0), handler)
        self.taken.put(self.server_address)


def test_served_here_alone_with_the_types_that_a_browser_asks_for(tmp_path, monkeypatch):
    with create_server(("localhost", 0)) as other:
        port = other.getsockname()[1]
        with pytest.raises(OSError, match=f"port {port} cannot be used.*--port"):
            site.serve(tmp_path, port)
    AnyPort.taken = Queue()
    monkeypatch.setattr(site, "ThreadingHTTPServer", AnyPort)
    monkeypatch.setattr(site, "free", lambda port: None)
    for name in ("a.js", "b.wasm", "c.ipynb"):
        (tmp_path / name).write_text("-")
    Thread(target=site.serve, args=(tmp_path, 8000), daemon=True).start()
    host, port = AnyPort.taken.get(timeout=60)
    assert host == "127.0.0.1"
    connection = HTTPConnection("localhost", port)
    for name, kind in {"a.js": "text/javascript", "b.wasm": "application/wasm", "c.ipynb": None}.items():
        connection.request("GET", f"/{name}")
        answer = connection.getresponse()
        assert answer.status == 200
        assert answer.read() == b"-"
        assert kind in (None, answer.headers["Content-Type"])
        assert answer.headers["Cache-Control"] == "no-cache"


CORE = """if True:
    import json
    import numpy as np
    import coursekit as ck
    data = ck.datasets.blobs(n=60, separability=-0.3, seed=1)
    cancer = ck.datasets.load("breast-cancer", standardize=True)
    objective = ck.Objective(data.X, data.y, loss=ck.losses.logistic, lam=0.01)
    z = np.linspace(-3, 3, 13)
    values = {
        "data": data.X,
        "losses": [[getattr(ck.losses, l)(z), getattr(ck.losses, l).slope(z)]
                   for l in ("zero_one", "perceptron", "hinge", "logistic", "squared")],
        "perceptron": ck.perceptron(data.X, data.y, passes=5).thetas,
        "descent": ck.gradient_descent(objective, ck.steps.backtracking(), steps=50).thetas,
        "sgd": ck.sgd(objective, ck.steps.robbins_monro(1.0, 0.6), steps=200, seed=3).thetas,
        "pegasos": ck.pegasos(ck.Objective(data.X, data.y, loss=ck.losses.hinge, lam=0.1), steps=200, seed=2).thetas,
        "svm": ck.svm(data.X, data.y, lam=0.1).theta,
        "lasso": ck.lasso_path(cancer.X[:, :8], cancer.y).weights,
        "bound": ck.mistake_bound([[0.0, 1.0], [2.0, 0.5]], [-1.0, 1.0]).mistakes,
    }
    answer = json.dumps(values, default=lambda a: np.asarray(a).tolist())
"""
NODE = """
const { loadPyodide } = await import(process.argv[2] + "/pyodide.mjs");
const pyodide = await loadPyodide({ packages: ["numpy"] });
pyodide.FS.mkdirTree("/wheel");
pyodide.FS.mount(pyodide.FS.filesystems.NODEFS, { root: process.argv[3] }, "/wheel");
pyodide.runPython(`
import glob, shutil
shutil.unpack_archive(glob.glob("/wheel/coursekit-*.whl")[0], "/lib/python3.14/site-packages", "zip")
`);
pyodide.runPython(process.argv[4]);
console.log("ANSWER" + pyodide.globals.get("answer"));
"""


@pytest.mark.slow
@pytest.mark.skipif(not PYODIDE.is_dir(), reason=f"no Pyodide distribution in {PYODIDE}")
@pytest.mark.skipif(shutil.which("node") is None, reason="no node on PATH: `apt install nodejs`")
def test_numbers_in_the_browsers_python_are_the_same(built, tmp_path):
    (tmp_path / "run.mjs").write_text(NODE)
    (wheel,) = built.glob("static/wheels-*/coursekit-*.whl")
    command = ["node", str(tmp_path / "run.mjs"), str(PYODIDE), str(wheel.parent), CORE]
    done = subprocess.run(command, capture_output=True, text=True, timeout=240)
    assert "ANSWER" in done.stdout, done.stderr
    there = json.loads(done.stdout.split("ANSWER")[1])
    space = {}
    exec(CORE, space)
    here = json.loads(space["answer"])
    assert flat(there) == pytest.approx(flat(here), rel=1e-10, abs=1e-10)
    assert len(flat(here)) > 1000


def flat(value):
    if isinstance(value, dict):
        return {f"{name}{key}": number for name, v in value.items() for key, number in flat(v).items()}
    if isinstance(value, list):
        return {f"[{k}]{key}": number for k, v in enumerate(value) for key, number in flat(v).items()}
    return {"": value}
