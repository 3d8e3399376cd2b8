"""Wheels for the browser, made of what is installed here: the site runs the versions that were tried."""

import os
from collections.abc import Iterator
from importlib.metadata import Distribution, distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from wheel.wheelfile import WheelFile

import coursekit_figures
from coursekit.cli import DISTRIBUTION
from coursekit_lecture.course import PACKAGE

HERE = Path(__file__).parent
# The first come from Pyodide, the last belongs to a server.
ELSEWHERE = {"numpy", "matplotlib", "contourpy", "pillow", "widgetsnbextension"}
BROWSER = {
    "extra": "",
    "os_name": "posix",
    "platform_machine": "wasm32",
    "platform_system": "Emscripten",
    "python_full_version": "3.14.0",
    "python_version": "3.14",
    "sys_platform": "emscripten",
}

NO_MODULES = "tkinter", "lib2to3", "distutils", "msilib", "curses", "multiprocessing"  # in a browser
LEXERS = {
    "__init__", "_mapping", "python", "shell", "html", "css", "_css_builtins", "javascript", "ruby", "perl", "markup",
    "data", "special", "diff", "jvm",  # html needs jvm
}


def wheels(folder: Path) -> list[str]:
    """Write a wheel of coursekit, and of all that it needs in the browser, into `folder`; returns the names."""
    return [_wheel(package, folder) for package in _needed()]


def _needed() -> Iterator[Distribution]:
    todo, seen = [DISTRIBUTION], set(ELSEWHERE)
    while todo:
        name = canonicalize_name(todo.pop())
        if name in seen:
            continue
        seen.add(name)
        package = distribution(name)
        yield package
        for text in package.requires or ():
            requirement = Requirement(text)
            if requirement.marker is None or requirement.marker.evaluate(BROWSER):
                todo.append(requirement.name)


def _wheel(package: Distribution, folder: Path) -> str:
    name = f"{canonicalize_name(package.name).replace('-', '_')}-{package.version}-py3-none-any.whl"
    with new_wheel(folder / name) as wheel:
        for inside, path in sorted(_files(package)):
            wheel.writestr(inside, path.read_bytes())
    return name


def new_wheel(path: Path) -> WheelFile:
    """A wheel to be written. Its files have no time of today: of equal contents it is equal, and so is its address."""
    os.environ.setdefault("SOURCE_DATE_EPOCH", "315532800")  # 1980, where zip files begin
    return WheelFile(path, "w")


def _files(package: Distribution) -> Iterator[tuple[str, Path]]:
    """Name in the wheel, and file, of everything that runs without a compiler's help.

    Where a package is compiled for this computer, its Python sources lie beside the compiled files.
    """
    installed = [(file.as_posix(), Path(str(file.locate()))) for file in package.files or ()]
    if package.name == DISTRIBUTION:  # from a clone, only the metadata are among the installed files
        installed = [(name, path) for name, path in installed if ".dist-info/" in name]
        figures = Path(coursekit_figures.__path__[0])
        for root, folder in ((PACKAGE.parent, PACKAGE), (figures.parent, figures), (HERE.parent, HERE / "inside")):
            sources = (p for p in folder.rglob("*") if p.is_file() and p.relative_to(root).parts[1] != "course")
            installed += [(p.relative_to(root).as_posix(), p) for p in sources]
    for name, path in installed:
        outside = name.startswith(("..", "/")) or not path.is_file()
        compiled = "__pycache__/" in name or path.suffix in (".pyc", ".so", ".pyd", ".pth")
        # Of the installation, not of the package; jedi's notes on libraries that are not there either; and the
        # languages that nobody writes in a notebook of Python, which pygments reads when it has to color one.
        absent = "typeshed/stubs/" in name or "django-stubs/" in name
        absent |= name.startswith(tuple(f"jedi/third_party/typeshed/stdlib/{module}/" for module in NO_MODULES))
        absent |= name.startswith("pygments/lexers/") and path.stem not in LEXERS
        other = name.endswith((".dist-info/RECORD", ".dist-info/direct_url.json")) or absent
        if not (outside or compiled or other):
            yield name, path
