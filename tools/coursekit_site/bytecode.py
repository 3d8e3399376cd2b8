"""One archive of what the reading pages' Python opens, compiled, which the lab shares: nothing is stored twice."""

from __future__ import annotations

import gzip
import io
import json
import re
import shutil
import subprocess
import tarfile
from base64 import b64encode
from dataclasses import dataclass
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from coursekit_site.wheels import new_wheel

HERE = Path(__file__).parent
ARCHIVE = "course.bin"  # a tar, gzipped; of a name in .gz, servers say that it is an encoding, and browsers undo it
SCRIPTS = "live.js", "manager.js", "cells.js", "lab.js", "live.css", "worker.js"
# In the lab: fonts in which the course writes nothing, pictures of toolbars, examples, headers, and what other formats
# of fonts and pictures need.
UNUSED = re.compile(
    r"matplotlib/mpl-data/(sample_data|images|fonts/(afm|pdfcorefonts|ttf/(STIX|cm|DejaVu(SansMono-|Serif(-|Display)))))"
    r"|fontTools/|PIL/(_webp|_avif|_imagingcms)|dateutil/zoneinfo/|numpy/f2py|anywidget/labextension/|.*/tests/|.*\.(pyi|pxd|h)$"
)


@dataclass(frozen=True)
class Bundle:
    """What the reading pages know of it.

    version: read/live-VERSION and static/pyodide-VERSION, named by what is in them, may be kept for ever.
    """

    version: str

    @property
    def scripts(self) -> list[str]:
        """All that must come before Python can start; the worker first."""
        names = [f"read/live-{self.version}/{name}" for name in SCRIPTS if name.endswith(".js")]
        return names[::-1] + [f"static/pyodide-{self.version}/{name}.js" for name in ("pyodide", "pyodide.asm")]


class NotCompiled(OSError):
    """There is no node that can compile the course; nothing was changed."""


def bundle(site: Path) -> Bundle:
    """Compile what is in static/. Raises NotCompiled, before anything is changed, where there is no node that can."""
    node = shutil.which("node")
    if node is None:
        raise NotCompiled("to make them live needs node, which is not on PATH")
    pyodide = site / "static" / "pyodide"
    wheels = sorted(pyodide.glob("*.whl")) + sorted((site / "static" / "wheels").glob("*.whl"))
    with TemporaryDirectory() as work:
        tree, out = Path(work, "tree"), Path(work, "out")
        out.mkdir()
        for wheel in wheels:
            with ZipFile(wheel) as archive:
                archive.extractall(tree)
        shutil.copytree(str(files("mistune")), tree / "mistune")  # for what readers show as Markdown
        script = HERE / "live" / "compile.mjs"
        command = [node, script, pyodide, tree, out, HERE / "compiled.py"]
        done = subprocess.run([*map(str, command)], capture_output=True, text=True)
        if done.returncode:
            raise NotCompiled(f"node could not compile the course: {(done.stderr.strip().splitlines() or ['?'])[-1]}")
        used = set((out / "used").read_text().splitlines())
        _library(pyodide / "python_stdlib.zip", out / "library")
        (pyodide / ARCHIVE).write_bytes(_packed(out / "tree"))
    for wheel in wheels:
        _rest(wheel, used)
    _relock(pyodide)
    served(pyodide)
    scripts = _scripts()
    core = [path.read_bytes() for path in sorted(pyodide.iterdir()) if path.suffix not in (".whl", ".json")]
    version = sha256(b"".join(sha256(content).digest() for content in (*scripts.values(), *core))).hexdigest()[:16]
    integrity = f"sha256-{b64encode(sha256((pyodide / ARCHIVE).read_bytes()).digest()).decode()}"
    pyodide.rename(pyodide.with_name(f"pyodide-{version}"))
    (folder := site / "read" / f"live-{version}").mkdir(parents=True)
    for name, content in scripts.items():
        content = content.replace(b"/pyodide/", f"/pyodide-{version}/".encode())
        (folder / name).write_bytes(content.replace(b'INTEGRITY = ""', f'INTEGRITY = "{integrity}"'.encode()))
    shutil.copyfile(HERE / "live" / "kept.js", site / "kept.js")
    return Bundle(version)


def served(pyodide: Path) -> None:
    """Pyodide's scripts as .js, a name that every server knows, and before them what says why they cannot start."""
    for script in pyodide.glob("*.mjs"):
        text = script.read_text("utf-8").replace("pyodide.asm.mjs", "pyodide.asm.js")
        before = (HERE / "live" / "served.js").read_text("utf-8") if script.name == "pyodide.mjs" else ""
        script.with_suffix(".js").write_text(before + text, "utf-8")
        script.unlink()


def _scripts() -> dict[str, bytes]:
    """What a live page loads beside Python."""
    made = {name: (HERE / "live" / name).read_bytes() for name in SCRIPTS}
    made["controls.js"] = (files("widgetsnbextension") / "static" / "extension.js").read_bytes()
    # It gives up on a widget after two seconds, which a slow computer may need while it starts Python.
    anywidget = (files("anywidget") / "nbextension" / "index.js").read_bytes()
    return made | {"anywidget.js": anywidget.replace(b"timeout(2e3)", b"timeout(6e4)")}


def _packed(tree: Path) -> bytes:
    tar = io.BytesIO()
    with tarfile.open(fileobj=tar, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for path in sorted(p for p in tree.rglob("*") if p.is_file()):
            info = tarfile.TarInfo(path.relative_to(tree).as_posix())
            info.size = path.stat().st_size
            archive.addfile(info, io.BytesIO(path.read_bytes()))
    return gzip.compress(tar.getvalue(), 9, mtime=0)


def _library(archive: Path, compiled: Path) -> None:
    """The standard library with bytecode for the modules that were used, and the others as they are."""
    with ZipFile(io.BytesIO(archive.read_bytes())) as before, ZipFile(archive, "w") as after:
        for name in before.namelist():
            pyc = compiled / f"{name}c"
            name, content = (f"{name}c", pyc.read_bytes()) if pyc.is_file() else (name, before.read(name))
            after.writestr(ZipInfo(name, (2026, 1, 1, 0, 0, 0)), content, ZIP_DEFLATED, 9)


def _rest(wheel: Path, used: set[str]) -> None:
    """The wheel without what is in the archive."""
    with ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if not name.endswith(("/", ".dist-info/RECORD"))} - used
        kept = {name: archive.read(name) for name in sorted(names) if not UNUSED.match(name)}
    wheel.unlink()
    with new_wheel(wheel) as rest:
        for name, content in kept.items():
            rest.writestr(name, content)


def _relock(pyodide: Path) -> None:
    """The lock file, in which all of matplotlib needs the archive."""
    file = pyodide / "pyodide-lock.json"
    lock = json.loads(file.read_bytes())
    like = lock["packages"]["matplotlib"]
    # Pyodide unpacks by the end of a name; what follows the # is never sent to a server.
    own = {"name": "course", "file_name": f"{ARCHIVE}#.tar.gz", "version": "1", "depends": [], "imports": []}
    lock["packages"]["course"] = like | own
    like["depends"] = [*like["depends"], "course"]
    for entry in lock["packages"].values():
        entry["sha256"] = sha256((pyodide / entry["file_name"].partition("#")[0]).read_bytes()).hexdigest()
    file.write_text(json.dumps(lock))
