"""Two archives of what the reading pages' Python opens, compiled, which the lab shares: what explorers need to move,
and what comes while they move already."""

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
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

from zstandard import ZstdCompressionParameters, ZstdCompressor

from coursekit.explorers.controls import script
from coursekit_site.wheels import new_wheel

HERE = Path(__file__).parent
# By Zstandard, since many servers compress nothing, and none so well; served.js undoes it. And .bin: of a name in .gz,
# servers say that it is an encoding, and browsers undo it.
ARCHIVES = {"first": "course.bin", "later": "later.bin"}  # of tars
FIRST = "zstd.bin", "pyodide.asm.bin", "pyodide.wasm.bin", "library.bin", ARCHIVES["first"]  # before Python can start
CHECKED = "pyodide.js", "pyodide.asm.js", "pyodide-lock.json"  # which do not know themselves whether they are whole
SCRIPTS = "live.js", "manager.js", "cells.js", "lab.js", "worker.js"
# In the lab: fonts in which the course writes nothing, pictures of toolbars, examples, headers, and what other formats
# of fonts and pictures need.
UNUSED = re.compile(
    r"matplotlib/mpl-data/(sample_data|images|fonts/(afm|pdfcorefonts|ttf/(STIX|cm|DejaVu(SansMono-|Serif(-|Display)))))"
    r"|fontTools/|PIL/(_webp|_avif|_imagingcms)|dateutil/zoneinfo/|numpy/f2py|anywidget/labextension/|.*/tests/|(?!coursekit/).*\.(pyi|pxd|h)$"
)
DAY = (2026, 1, 1, 0, 0, 0)  # of equal contents, an archive is equal


@dataclass(frozen=True)
class Bundle:
    """What the reading pages know of it: read/live-VERSION and static/pyodide-VERSION may be kept for ever."""

    version: str
    built: str  # what must come before Python can start, each with its checksum


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
        command = [node, HERE / "live" / "compile.mjs", pyodide, tree, out, HERE / "compiled.py"]
        done = subprocess.run([*map(str, command)], capture_output=True, text=True)
        if done.returncode:
            raise NotCompiled(f"node could not compile the course: {(done.stderr.strip().splitlines() or ['?'])[-1]}")
        _library(pyodide, *(out / f"{part} library" for part in ARCHIVES))
        used = set[str]().union(*(_pack(out / part, pyodide / name) for part, name in ARCHIVES.items()))
    for wheel in wheels:
        _rest(wheel, used)
    _relock(pyodide)
    served(pyodide)
    scripts = _scripts()
    core = [path.read_bytes() for path in sorted(pyodide.iterdir()) if path.suffix not in (".whl", ".json")]
    version = sha256(b"".join(sha256(content).digest() for content in (*scripts.values(), *core))).hexdigest()[:16]
    size = sum((pyodide / name).stat().st_size for name in FIRST)
    pyodide.rename(pyodide.with_name(f"pyodide-{version}"))
    (folder := site / "read" / f"live-{version}").mkdir(parents=True)
    for name, content in scripts.items():
        content = content.replace(b"static/pyodide/", f"static/pyodide-{version}/".encode())
        (folder / name).write_bytes(content.replace(b"SIZE = 0", f"SIZE = {size}".encode()))
    shutil.copyfile(HERE / "live" / "kept.js", site / "kept.js")
    names = [f"read/live-{version}/{name}" for name in ("anywidget.js", *SCRIPTS)]
    return Bundle(version, with_checksums(site, [*names, *(f"static/pyodide-{version}/{name}" for name in CHECKED)]))


def with_checksums(site: Path, names: list[str]) -> str:
    """Files, each as an address with what `fetch` calls its integrity."""
    return " ".join(f"{n}#sha256-{b64encode(sha256((site / n).read_bytes()).digest()).decode()}" for n in names)


def ours(*names: str) -> str:
    return "".join((HERE / name).read_text("utf-8") for name in names)


def served(pyodide: Path) -> None:
    """Pyodide's script as .js, after what says why it cannot start; what it loads compressed, or at least checked."""
    script, *loaded = map(pyodide.joinpath, ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip"))
    before, text = ours("head/whole.js", "live/served.js"), script.read_text("utf-8")
    script.with_suffix(".js").write_text(before + text.replace("pyodide.asm.mjs", "pyodide.asm.js"), "utf-8")
    for file, name in zip(loaded, ("pyodide.asm.bin", "pyodide.wasm.bin", "python_stdlib.bin"), strict=True):
        (pyodide / name).write_bytes(_packed(file.read_bytes()))
    (pyodide / "zstd.bin").write_bytes(gzip.compress((HERE / "live" / "zstd.wasm").read_bytes(), 9, mtime=0))
    shutil.copyfile(HERE / "live" / "zstd.txt", pyodide / "zstd.txt")
    shutil.copyfile(HERE / "live" / "inflated.js", pyodide / "pyodide.asm.js")
    for file in (script, *loaded):
        file.unlink()


def _scripts() -> dict[str, bytes]:
    """What a live page loads beside Python."""
    made = {name: (HERE / "live" / name).read_bytes() for name in SCRIPTS}
    made["moving.js"] = script("field.js", "replay.js", HERE / "live/line.js", HERE / "live/moving.js").encode()
    made["controls.bin"] = gzip.compress((files("widgetsnbextension") / "static/extension.js").read_bytes(), 9, mtime=0)
    # It gives up on a widget after two seconds, which a slow computer may need while it starts Python.
    anywidget = (files("anywidget") / "nbextension" / "index.js").read_bytes()
    return made | {"anywidget.js": anywidget.replace(b"timeout(2e3)", b"timeout(6e4)")}


def _pack(tree: Path, archive: Path) -> set[str]:
    """All files of a folder in one archive. Returns the names that wheels need not have."""
    tar, names = io.BytesIO(), set()
    with tarfile.open(fileobj=tar, mode="w", format=tarfile.USTAR_FORMAT) as files:
        for path in sorted(p for p in tree.rglob("*") if p.is_file()):
            info = tarfile.TarInfo(path.relative_to(tree).as_posix())
            info.size = path.stat().st_size
            files.addfile(info, io.BytesIO(path.read_bytes()))
            names |= {info.name, info.name.removesuffix("c")}
    archive.write_bytes(_packed(tar.getvalue()))
    return names


def _packed(content: bytes, level: int = 19) -> bytes:
    chosen = ZstdCompressionParameters.from_level(level, window_log=23, write_checksum=True)
    return ZstdCompressor(compression_params=chosen).compress(content)


def _library(pyodide: Path, *parts: Path) -> None:
    """The standard library with bytecode of all modules that were used, and the others as they are; the first alone."""
    file, few = pyodide / "python_stdlib.zip", io.BytesIO()
    with ZipFile(io.BytesIO(file.read_bytes())) as before, ZipFile(file, "w") as after, ZipFile(few, "w") as used:
        for name in before.namelist():
            pycs = [part / f"{name}c" for part in parts]
            pyc = next((path for path in pycs if path.is_file()), None)
            name, content = (f"{name}c", pyc.read_bytes()) if pyc else (name, before.read(name))
            after.writestr(ZipInfo(name, DAY), content, ZIP_DEFLATED, 9)
            if pyc == pycs[0]:
                used.writestr(ZipInfo(name, DAY), content, ZIP_STORED)  # all at once is smaller
    (pyodide / "library.bin").write_bytes(_packed(few.getvalue()))


def _rest(wheel: Path, used: set[str]) -> None:
    """The wheel without what is in the archive."""
    with ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if not name.endswith(("/", ".dist-info/RECORD"))} - used
        kept = {name: archive.read(name) for name in sorted(names) if not UNUSED.match(name)}
    with new_wheel(wheel) as rest:
        for name, content in kept.items():
            rest.writestr(name, content)


def _relock(pyodide: Path) -> None:
    """The lock file, in which all of matplotlib needs the archive."""
    file = pyodide / "pyodide-lock.json"
    lock = json.loads(file.read_bytes())
    like = lock["packages"]["matplotlib"]
    for part, archive in ARCHIVES.items():
        # Pyodide unpacks by the end of a name; what follows the # is never sent to a server.
        own = {"name": part, "file_name": f"{archive}#.tar", "version": "1", "depends": [], "imports": []}
        lock["packages"][part] = like | own
        like["depends"] = [*like["depends"], part]
    for entry in lock["packages"].values():
        entry["sha256"] = sha256((pyodide / entry["file_name"].partition("#")[0]).read_bytes()).hexdigest()
    file.write_text(json.dumps(lock))
