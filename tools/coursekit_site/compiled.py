"""Run by Pyodide in node (compile.mjs): which files the reading pages' Python opens, and their bytecode."""

from __future__ import annotations

import importlib.util
import json
import marshal
import os
import sys
import zipfile
from importlib import import_module
from pathlib import Path
from typing import Any

# Learners read these in the lab; the docstrings of all others, which take a third of their room, stay out.
OURS = {"coursekit", "coursekit_figures"}
READ = {*OURS, "numpy"}
SITE, LIBRARY = "/lib/python3.14/site-packages", "/lib/python314.zip"


def main(tree: str, library: str, out: str) -> None:
    """tree: the unpacked wheels. library: the standard library's archive. Writes what was used, as bytecode."""
    sys.path.insert(0, tree)
    os.environ["MPLBACKEND"] = "agg"
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
    Path(out, "strips.json").write_text(json.dumps(_use()))
    opened |= {str(getattr(module, "__file__", "")) for module in list(sys.modules.values())}
    for room in ("core", "algorithms", "plots", "explorers", "checking"):  # the others are not for readers
        opened |= {str(path) for path in Path(tree, "coursekit", room).rglob("*")}
    opened |= {str(path) for path in Path(tree, "coursekit_figures").iterdir()}
    used = sorted(name for name in opened if name.startswith(f"{tree}/") and os.path.isfile(name))
    inside = [name.removeprefix(f"{tree}/") for name in used]
    Path(out, "used").write_text("\n".join(inside))
    for name in inside:
        path, source = Path(out, "tree", name), Path(tree, name).read_bytes()
        path.parent.mkdir(parents=True, exist_ok=True)
        package = name.partition("/")[0]
        if path.suffix != ".py" or package in OURS:  # whose lines a traceback shows
            path.write_bytes(source)
        if path.suffix == ".py":
            beside = path.parent / "__pycache__" / f"{path.stem}.cpython-314.pyc"
            target = beside if package in OURS else path.with_suffix(".pyc")
            target.parent.mkdir(exist_ok=True)
            # A module without its source comes from its bytecode, and says so: ipywidgets compares the two.
            origin = name if package in OURS else f"{name}c"
            target.write_bytes(_bytecode(source, f"{SITE}/{origin}", 0 if package in READ else 2))
    opened.add(f"{LIBRARY}/encodings/cp437.py")  # for the names in that archive, once it is no longer Pyodide's own
    _library(library, f"{out}/python_stdlib.zip", opened)


def _library(before: str, after: str, opened: set[str]) -> None:
    """The standard library with bytecode for the modules that were used, and the others as they are."""
    with zipfile.ZipFile(before) as old, zipfile.ZipFile(after, "w") as new:
        for info in old.infolist():
            source, name = old.read(info), info.filename
            if f"{LIBRARY}/{name}" in opened:
                source, name = _bytecode(source, f"{LIBRARY}/{name}", 0), f"{name}c"
            new.writestr(zipfile.ZipInfo(name, (2026, 1, 1, 0, 0, 0)), source, zipfile.ZIP_DEFLATED, 9)


def _bytecode(source: bytes, name: str, level: int) -> bytes:
    """A .pyc that is never compared with its source."""
    code = compile(source, name, "exec", dont_inherit=True, optimize=level)
    return importlib.util.MAGIC_NUMBER + b"\1\0\0\0" + importlib.util.source_hash(source) + marshal.dumps(code)


def _use() -> dict[str, str]:
    """All that a chapter does, once: every explorer, each of its views, every way to save, a prediction.

    Returns the strips of the explorers' controls in HTML, as large as they will be and with nothing to be seen.
    """
    strips = {}
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
        strips[name] = "".join(map(_strip, explorer.widget.children[:-2]))
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
    return strips


def _strip(row: Any) -> str:
    parts = ""
    for part in row.children:
        width = part.layout.max_width or part.layout.width
        text = getattr(part, "description", "") or "▶ ■"
        kind = ' class="ck-slides"' if hasattr(part, "grades") else ""
        parts += f"<b>{text}</b>" if width == "auto" else f'<i{kind} style="max-width: {width}"></i>'
    return f"<div>{parts}</div>"
