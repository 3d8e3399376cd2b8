"""Run by Pyodide in node (compile.mjs): which files the reading pages' Python opens, and their bytecode."""

from __future__ import annotations

import importlib.util
import marshal
import os
import sys
import zipimport
from importlib import import_module
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType
from typing import Any

# Learners read these in the lab; the docstrings of all others, which take a third of their room, stay out.
OURS = {"coursekit", "coursekit_figures"}
READ = {*OURS, "numpy"}
SITE, LIBRARY = "/lib/python3.14/site-packages", "/lib/python314.zip"
bytecode: dict[str, bytes] = {}  # by the name of the source


def main(out: str) -> None:
    """The unpacked wheels are in SITE, the standard library in LIBRARY. Writes what was used, as bytecode."""
    sys.dont_write_bytecode = True
    os.environ["MPLBACKEND"] = "agg"
    loader: Any = SourceFileLoader
    loader.source_to_code = lambda _self, source, path: compiled(source, path)  # so that each is compiled once
    vars(zipimport)["_compile_source"] = lambda path, source: compiled(source, path)
    opened: set[str] = set()
    import_module("coursekit.explorers.live").bare()
    sys.addaudithook(lambda event, told: opened.add(str(told[0])) if event == "open" else None)
    fonts: Any = import_module("matplotlib.font_manager")
    opened -= {name for name in opened if name.endswith((".ttf", ".afm"))}  # it has read all of them once
    find = fonts.findfont

    def found(*args: Any, **named: Any) -> Any:
        opened.add(str(path := find(*args, **named)))
        return path

    fonts.findfont = found  # those that formulas name are opened only where they have to help out
    _use()
    opened |= {str(getattr(module, "__file__", "")) for module in list(sys.modules.values())}
    opened.add(f"{LIBRARY}/encodings/cp437.py")  # for the names in that archive, once it is no longer Pyodide's own
    for room in ("core", "algorithms", "plots", "explorers", "checking"):  # the others are not for readers
        opened |= {str(path) for path in Path(SITE, "coursekit", room).rglob("*")}
    opened |= {str(path) for path in Path(SITE, "coursekit_figures").iterdir()}
    used = sorted(name.removeprefix(f"{SITE}/") for name in opened if name.startswith(SITE) and os.path.isfile(name))
    Path(out, "used").write_text("\n".join(used))
    for name in used:
        source, target = Path(SITE, name), Path(out, "tree", name)
        ours = name.partition("/")[0] in OURS  # whose lines a traceback shows
        if source.suffix != ".py" or ours:
            _put(target, source.read_bytes())
        if source.suffix == ".py":
            beside = target.parent / "__pycache__" / f"{target.stem}.cpython-314.pyc"
            _put(beside if ours else target.with_suffix(".pyc"), _bytecode(source.read_bytes(), str(source)))
    library = zipimport.zipimporter(LIBRARY)
    for name in sorted(opened):
        if name.startswith(LIBRARY) and name.endswith(".py"):
            _put(Path(out, "library", f"{name.removeprefix(f'{LIBRARY}/')}c"), _bytecode(library.get_data(name), name))


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


def _use() -> None:
    """All that a chapter does, once: every explorer, each of its views, every way to save, a prediction."""
    ck = import_module("coursekit")
    import_module("importlib.metadata").version("anywidget")  # the lab asks
    import_module("coursekit.explorers.notebook")._html("*a* $b$"), import_module("coursekit.grading")  # for own cells
    np, plt = import_module("numpy"), import_module("matplotlib.pyplot")
    for name in ck.__all__:
        getattr(ck, name)
    for chapter in range(1, 11):
        import_module(f"coursekit_figures.chapter{chapter:02}")
    for name in ck.explorers.__all__:
        explorer = getattr(ck.explorers, name)()
        for value in explorer.controls["also"].options:
            explorer.also = value
        explorer._repr_mimebundle_()
    for kind in ("svg", "pdf", "png"):
        explorer.picture.printed(kind)
    import_module("coursekit.explorers.saving").animation(explorer, next(iter(explorer.tools.player.choices)), 2, list)
    figure, axes = plt.subplots()
    axes.set(title=r"$\theta^2 \frac{1}{2} \mathbf{x} \mathcal{L} \mathrm{x}$", yscale="log")
    axes.text(0.5, 0.5, r"$\int\sum\|x\|$ it", fontweight="bold", fontstyle="italic")
    axes.text(0.5, 0.2, "x", family="monospace")
    figure.savefig(os.devnull, format="png", bbox_inches="tight")
    axes.contourf(np.eye(3)), axes.imshow(np.eye(3)), axes.legend([axes.plot([1])[0]], "a")
    figure.savefig(os.devnull, format="png")
    ck.predict("03-losses/bound")._repr_mimebundle_()
