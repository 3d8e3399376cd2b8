"""`coursekit site`: the course as a folder of static files; Python runs in the reader's browser."""

import base64
import copy
import hashlib
import io
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import nbformat
from jupyter_core.paths import jupyter_path
from jupyterlite_pyodide_kernel.constants import PYODIDE_KERNEL_PLUGIN_ID, PYODIDE_PYTHON_VERSION
from nbformat import NotebookNode
from nbformat.v4 import new_markdown_cell, new_notebook
from pagefind_bin import get_executable
from PIL import Image

from coursekit.cli import not_installed
from coursekit.plots.panel import small
from coursekit_lecture.course import PARTS, START, files, installed, is_course
from coursekit_site.bytecode import CHECKED, NotCompiled, bundle, ours, served, with_checksums
from coursekit_site.elsewhere import checked
from coursekit_site.folder import MARKER, beside, check_ours, digests, replace
from coursekit_site.pages import head_script, pages
from coursekit_site.pyodide import LOADED, copy_distribution, needed
from coursekit_site.wheels import wheels

TWIN = re.compile(r"<source[^>]*>")
APPS = ("lab", "notebooks", "tree")
EXTENSIONS = ("@jupyterlite/pyodide-kernel-extension", "@jupyter-widgets/jupyterlab-manager", "anywidget")
PNG_IN_HTML = re.compile(r'(src(?:set)?="data:image/png;base64,)([A-Za-z0-9+/=]+)')
# Diagrams and charts that are written as text, of which the course has none, and terminals, which need a server; what
# draws them weighs 5.5 MB.
DISABLED = ["@jupyterlab/mermaid-extension", "@jupyterlab/vega5-extension", "@jupyterlab/terminal-extension"]
THEIR_SCRIPTS = b"org.eclipse.elk", b"langium", b"cytoscape", b"diagram:()=>", b"katex", b"vega-", b"oreBrowserService"
SETTINGS = {"@jupyterlab/apputils-extension:themes": {"adaptive-theme": True},
            "@jupyterlab/docmanager-extension:plugin": {"autosaveInterval": 5}}


def build(out: Path, pyodide: Path | None = None, solutions: bool = False, address: str | None = None) -> str:
    """Build the site in the folder `out`: all of it, or nothing. Returns what is missing, as a sentence, or "".

    pyodide: the folder of a Pyodide distribution, which becomes part of the site; without it a reader's
    browser loads Pyodide from its public CDN, and the reading pages are still. A site built before in `out`
    is replaced. address: where the site will be; with it come notebooks for Colab and Kaggle that fetch coursekit.
    ValueError or OSError, with a sentence, for an unreadable notebook, a wrong Pyodide, and an `out` with other files.
    """
    out = Path(out).resolve()
    check_ours(out)
    address = checked(address) if address is not None else None
    notebooks, others = _course(solutions)
    docs = {path.stem: path.read_text("utf-8") for path in sorted((_root() / "docs").glob("*.md"))}
    lock = needed(Path(pyodide)) if pyodide is not None else {}
    with beside(out) as work:
        lite, site = Path(work, "lite"), Path(work, "site")
        _write(lite, site, notebooks, others)
        (folder := site / "static" / "wheels").mkdir(parents=True)
        packages = wheels(folder)
        if address:  # whole, and at an address that stays, for the notebooks that fetch it
            _put(site / "elsewhere" / packages[0], (folder / packages[0]).read_bytes())
        options: dict[str, Any] = {"disablePyPIFallback": True}
        still = "The pictures of its reading pages stay still: "
        bundled, missing = None, f"{still}to make them live, build it with --pyodide FOLDER (docs/site.md)."
        if pyodide is not None:
            copy_distribution(Path(pyodide), lock, site / "static" / "pyodide")
            try:
                bundled, missing = bundle(site), ""
            except NotCompiled as error:
                missing = f"{still}{error}."
                served(site / "static" / "pyodide")
            options["pyodideUrl"] = f"./static/pyodide{f'-{bundled.version}' if bundled else ''}/pyodide.js"
        # Named by what is in them: a browser or a server may keep them for as long as it likes.
        digest = hashlib.sha256("".join(digests(folder).values()).encode()).hexdigest()[:16]
        folder.rename(folder.with_name(f"wheels-{digest}"))
        options["loadPyodideOptions"] = {
            "env": {"JUPYTER_WIDGETS_ECHO": "0"},  # the browser need not be told what it has just sent
            # From the kernel's worker, in extensions/@jupyterlite/pyodide-kernel-extension/static.
            "packages": [*LOADED, *(f"../../../../static/wheels-{digest}/{name}" for name in packages)],
        }
        _configure(site, options)
        notebooks.setdefault(START, new_notebook(cells=[new_markdown_cell(f"# {_root().name}")]))
        _watched(site, options.get("pyodideUrl", "").removeprefix("./"))
        pages(site, notebooks, docs, bundled, address)
        _run(str(Path(__file__).with_name("names.py")), str(site / "api"), cwd=Path(work))
        _searchable(site)
        (site / MARKER).write_text(json.dumps(digests(site), indent=1))
        replace(out, site, Path(work, "before"))
    return missing


def _course(solutions: bool) -> tuple[dict[str, NotebookNode], dict[str, bytes]]:
    """The course's notebooks, and its other files."""
    root = _root()
    if not any(name.endswith(".ipynb") for name in files(root)):
        raise ValueError(f"there is no notebook in {root}; `coursekit release` makes exercises from solutions")
    if solutions and not (root / "solutions").is_dir():
        raise ValueError(f"--solutions needs the folder solutions of a clone; there is none in {root}")
    notebooks, others = {}, {}
    for name in files(root, (*PARTS, "solutions") if solutions else PARTS):
        path = root / name
        if path.suffix == ".ipynb":
            notebook = notebooks[name] = _lighter(_read(path))
            # Without its name, JupyterLite asks the reader which kernel to take; who grades looks at the version.
            notebook.metadata["language_info"] = {"name": "python", "version": PYODIDE_PYTHON_VERSION}
        elif path.suffix != ".md":  # those are for whoever makes or teaches the course
            others[name] = path.read_bytes()
    return notebooks, others


def _root() -> Path:
    """The course around the current folder, else the installed one."""
    here = Path.cwd()
    return next((p for p in (here, *here.parents) if (p / START).is_file() or is_course(p)), None) or installed()


def _read(path: Path) -> NotebookNode:
    try:
        notebook = nbformat.read(path, as_version=4)
        nbformat.validate(notebook)
    except Exception as error:
        raise ValueError(f"{path} is not a valid notebook: {str(error).splitlines()[0]}") from None
    return notebook


def _lighter(notebook: NotebookNode) -> NotebookNode:
    """Pictures in 128 colors: less than half the bytes, and no difference that an eye could see."""
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            if picture := data.get("image/png"):
                data["image/png"] = _in_128_colors(picture)
            if page := data.get("text/html"):
                data["text/html"] = PNG_IN_HTML.sub(lambda found: found[1] + _in_128_colors(found[2]), page)
    return notebook


def _in_128_colors(picture: str) -> str:
    """A PNG file in base64, and what comes out of it; the same where that is not smaller."""
    data = base64.b64decode(picture)
    return base64.b64encode(min(small(Image.open(io.BytesIO(data))), data, key=len)).decode()


def _without_narrow(notebook: NotebookNode) -> NotebookNode:
    """A copy for the lab, which shows no narrow twins of stored pictures; only the reading copies do."""
    notebook = copy.deepcopy(notebook)
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            output.get("metadata", {}).get("image/png", {}).pop("narrow", None)
            if page := output.get("data", {}).get("text/html"):
                output.data["text/html"] = TWIN.sub("", page)
    return notebook


def _write(lite: Path, site: Path, notebooks: dict[str, NotebookNode], others: dict[str, bytes]) -> None:
    """JupyterLite with the course's files in it."""
    for name, notebook in notebooks.items():
        _put(lite / "contents" / name, nbformat.writes(_without_narrow(notebook)).encode())
    for name, content in others.items():
        _put(lite / "contents" / name, content)
    config = {
        "apps": list(APPS),
        "contents": ["contents"],
        "output_dir": str(site),
        "ignore_sys_prefix": ["federated_extensions"],
        "federated_extensions": [str(_extension(name)) for name in EXTENSIONS],
        "no_sourcemaps": True,
        "no_unused_shared_packages": True,
    }
    _put(lite / "jupyter_lite_config.json", json.dumps({"LiteBuildConfig": config}).encode())
    _put(lite / "overrides.json", json.dumps(SETTINGS).encode())
    _run("-m", "jupyterlite_core", "build", cwd=lite)
    for script in (site / "build").glob("[0-9]*.js"):
        if any(map(script.read_bytes().__contains__, THEIR_SCRIPTS)):
            script.unlink()
    for kind in ("eot", "svg", "ttf", "woff"):  # icons for browsers that are older than WebAssembly
        for old in (site / "build").glob(f"fa-*.{kind}"):
            old.unlink()


def _searchable(site: Path) -> None:
    """An index of all pages to read, if there are any, which the start page's own few lines search."""
    if not any((site / "read").glob("*.html")):
        return
    _run("--site", str(site), "--glob", "read/*.html", "--output-subdir", "search", "--exclude-selectors",
         ".anchor-link, .ck-strip, .ck-sentence, .input, .output_stream", program=get_executable(), cwd=site)
    for file in [*site.glob("search/pagefind-*.*s"), *site.glob("search/wasm.unknown.*")]:  # other ways to search
        file.unlink()


def _run(*arguments: str, cwd: Path, program: str | Path = sys.executable) -> None:
    done = subprocess.run([program, *arguments], cwd=cwd, capture_output=True, text=True)
    if done.returncode:
        lines = (done.stderr or done.stdout).strip().splitlines()
        reason = lines[-1] if lines else "it gave no reason"
        raise OSError(f"{Path(program).stem} {' '.join(arguments)} failed: {reason}")


def _extension(name: str) -> Path:
    for folder in jupyter_path("labextensions"):
        if (found := Path(folder, name)).is_dir():
            return found
    raise OSError(not_installed(f"the JupyterLab extension {name}", "site"))


def _configure(site: Path, options: dict[str, Any]) -> None:
    (site / ".nojekyll").touch()  # on GitHub Pages, Jekyll would leave out what begins with _
    file = site / "jupyter-lite.json"
    config = json.loads(file.read_text("utf-8"))
    data = config["jupyter-config-data"]
    data["appName"] = "coursekit"
    data.setdefault("disabledExtensions", []).extend(DISABLED)
    data.setdefault("litePluginSettings", {}).setdefault(PYODIDE_KERNEL_PLUGIN_ID, {}).update(options)
    file.write_text(json.dumps(config, indent=1), "utf-8")
    reader = site / "config-utils.js"  # a kept configuration may name what is gone
    fresh = "const fresh = (url) => window.fetch(url, { cache: 'no-cache' });\n"
    reader.write_text(fresh + reader.read_text("utf-8").replace("await window.fetch(", "await fresh("), "utf-8")
    for app in ("lab", "tree"):  # theirs have a third of a megabyte, and nobody sees them
        shutil.copyfile(site / "notebooks" / "favicon.ico", site / app / "favicon.ico")


def _watched(site: Path, pyodide: str) -> None:
    """The lab's pages say where Python cannot start. pyodide: its script, where it is the site's own."""
    kernel = next(site.glob("extensions/@jupyterlite/*/static/comlink.worker.*.js")).relative_to(site).as_posix()
    early = ["config-utils.js", kernel, *(f"{Path(pyodide).parent}/{name}" for name in CHECKED if pyodide)]
    # Without an icon of its own, a page makes the browser ask for one that is not the site's.
    head = f"""<meta charset="utf-8">
    <link rel="icon" href="../icon.svg">
    <style>{ours("start.css")}</style>
    <script src="../{head_script(site)}" defer data-lab data-worker="{pyodide}" data-files="""
    late = '<p class="ck-late">The lab cannot start: its first script, start.js, has not run. A setting of the ' \
        "browser or the policy of the server may forbid it, or it didn't arrive intact.</p>\n</body>"
    for app in APPS:
        page, needed = site / app / "index.html", with_checksums(site, [f"build/{app}/bundle.js", *early])
        text = page.read_text("utf-8").replace("<script>", '<script type="module">')  # comes after ours
        text = text.replace('<meta charset="utf-8">', f'{head}"{needed}"></script>', 1).replace("</body>", late, 1)
        page.write_text(text, "utf-8-sig")


def _put(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


