"""Run by Pyodide in node (compile.mjs): which files the reading pages' Python opens, and their bytecode."""

from __future__ import annotations

import importlib.util
import marshal
import os
import re
import sys
import warnings
import zipimport
from importlib import import_module
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType
from typing import Any

# Learners read these in the lab; the docstrings of all others, which take a third of their room, stay out.
OURS = {"coursekit", "coursekit_figures", "coursekit_site"}
READ = {*OURS, "numpy"}
ROOMS = [f"coursekit/{room}" for room in ("core", "algorithms", "plots", "models", "explorers", "predictions")]
SITE, LIBRARY = "/lib/python3.14/site-packages", "/lib/python314.zip"
ASKED = re.compile(r".*/predictions/[^/]*\.toml$")  # a page has them beside it
bytecode: dict[str, bytes] = {}  # by the name of the source
opened: set[str] = set()


def main(out: str) -> None:
    """The unpacked wheels are in SITE, the standard library in LIBRARY. Writes what was used, as bytecode: `first` is
    what explorers need to move, `later` what only saving, figures and cells of one's own do; the library likewise."""
    sys.dont_write_bytecode = True
    os.environ["MPLBACKEND"] = "agg"
    loader: Any = SourceFileLoader
    loader.source_to_code = lambda _self, source, path: compiled(source, path)  # so that each is compiled once
    vars(zipimport)["_compile_source"] = lambda path, source: compiled(source, path)
    import_module("coursekit_site.inside.live").bare()
    sys.addaudithook(lambda event, told: opened.add(str(told[0])) if event == "open" else None)
    import_module("matplotlib.font_manager")
    opened.difference_update([name for name in opened if name.endswith((".ttf", ".afm"))])  # it has read them all once
    aside = (fonts := Path(SITE, "matplotlib/mpl-data/fonts/ttf")).rename(f"{SITE}/fonts")
    warnings.filterwarnings("error", "Glyph")  # explorers need no font but the course's own, or nothing is built
    _move()
    opened.add(f"{LIBRARY}/encodings/cp437.py")  # for the names in that archive, once it is no longer Pyodide's own
    first = _used() | {name for name in _ours(*ROOMS, "coursekit_site") if "/data/" not in name}
    aside.rename(fonts)
    import_module("coursekit_site.inside.live").complete([])
    _use()
    whole = {str(path) for path in fonts.glob("*.ttf") if not any(map(path.name.count, ("Serif", "Mono-")))}
    later = _used() | whole | _ours(*ROOMS, "coursekit/checking", "coursekit_site", "coursekit_figures")
    library = zipimport.zipimporter(LIBRARY)
    for part, names in (("first", first), ("later", later - first)):
        for name in sorted(names):
            if name.startswith(SITE) and os.path.isfile(name) and not ASKED.match(name):
                _keep(Path(name), Path(out), part)
            elif name.startswith(LIBRARY) and name.endswith(".py"):
                target = Path(out, f"{part} library", f"{name.removeprefix(f'{LIBRARY}/')}c")
                _put(target, _bytecode(library.get_data(name), name))


def _used() -> set[str]:
    """The files that were opened until now, and those of all modules."""
    return opened | {str(getattr(module, "__file__", "")) for module in list(sys.modules.values())}


def _ours(*rooms: str) -> set[str]:
    return {str(path) for room in rooms for path in Path(SITE, room).rglob("*")}


def _keep(source: Path, out: Path, part: str) -> None:
    """A file of SITE in a part; of a module its bytecode, and later its text, where a traceback shows lines of it."""
    name = source.relative_to(SITE)
    ours = name.parts[0] in OURS
    if source.suffix != ".py":
        _put(out / part / name, source.read_bytes())
        return
    if ours:
        _put(out / "later" / name, source.read_bytes())
    place = name.parent / "__pycache__" / f"{name.stem}.cpython-314.pyc" if ours else name.with_suffix(".pyc")
    _put(out / part / place, _bytecode(source.read_bytes(), str(source)))


def compiled(source: bytes, path: str) -> CodeType:
    """The code of a module as the pages have it, and its .pyc, which is never compared with the source."""
    package = path.removeprefix(f"{SITE}/").partition("/")[0]
    # A module without its source comes from its bytecode, and says so: ipywidgets compares the two.
    name = f"{path}c" if path.startswith(SITE) and package not in OURS else path
    level = 0 if package in READ or path.startswith(LIBRARY) else 2
    code = compile(source, name, "exec", dont_inherit=True, optimize=level)
    head = importlib.util.MAGIC_NUMBER + b"\1\0\0\0" + importlib.util.source_hash(source)
    bytecode[path] = head + marshal.dumps(code)
    return code


def _bytecode(source: bytes, path: str) -> bytes:
    if path not in bytecode:
        compiled(source, path)
    return bytecode[path]


def _put(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def _move() -> None:
    """What a page does until explorers move: each is made, and shows each of its views."""
    page = import_module("coursekit_site.inside.live").Page(lambda _told, _buffers: None, False)
    ck = import_module("coursekit")
    import_module("importlib.metadata").version("anywidget")  # the lab asks
    for name in ck.explorers.__all__:
        page.view(explorer := getattr(ck.explorers, name)())
        for value in explorer.controls["also"].options:
            explorer.also = value
        page.tell("", "", {})
    page.view(ck.predict("03-losses/bound"))


def _use() -> None:
    """All else that a chapter does, once: every figure, every way to save, a prediction, a cell of one's own."""
    ck = import_module("coursekit")
    import_module("coursekit_site.inside.notebook")._html("*a* $b$"), import_module("coursekit.grading")
    for name in ck.__all__:
        getattr(ck, name)
    for chapter in range(1, 11):
        import_module(f"coursekit_figures.chapter{chapter:02}")
    explorer = ck.explorers.svm()
    for kind in ("svg", "pdf", "png"):
        explorer.picture.printed(kind)
    import_module("coursekit.explorers.stills").animation(explorer, next(iter(explorer.tools.player.choices)), 2, list)
    np, plt = import_module("numpy"), import_module("matplotlib.pyplot")
    figure, axes = plt.subplots()
    axes.set(title=r"$\theta^2 \frac{1}{2} \mathbf{x} \mathcal{L} \mathrm{x}$", yscale="log")
    axes.text(0.5, 0.5, r"$\int\sum\|x\|$ it", fontweight="bold", fontstyle="italic")
    axes.text(0.5, 0.2, "x", family="monospace")
    axes.contourf(np.eye(3)), axes.imshow(np.eye(3)), axes.legend([axes.plot([1])[0]], "a")
    figure.savefig(os.devnull, format="png", bbox_inches="tight")
