"""The course on disk, for everything that copies or serves it."""

from __future__ import annotations

import socket
import tomllib
from collections.abc import Iterator, Sequence
from importlib import resources
from pathlib import Path

import coursekit

START = "notebooks/00-start.ipynb"
PARTS = ("notebooks", "exercises")
PACKAGE = Path(coursekit.__file__).parent
STYLES = "light", *tomllib.loads((resources.files("coursekit") / "plots/style.toml").read_text("utf-8"))  # in zips, too


def installed() -> Path:
    """The course that came with the package: the clone around it, or what its wheel carries."""
    return PACKAGE.parent if is_clone(PACKAGE.parent) else PACKAGE / "course"


def is_clone(folder: Path) -> bool:
    return (folder / "coursekit" / "__init__.py").is_file() and (folder / START).is_file()


def is_course(folder: Path) -> bool:
    """Whether somebody keeps a course here: a clone of this one, or one of their own, with solutions."""
    return is_clone(folder) or next((folder / "solutions").glob("*/tasks.py"), None) is not None


def free(port: int) -> None:
    """Raises OSError where the port cannot be served on."""
    try:
        socket.create_server(("localhost", port)).close()
    except OSError as error:
        raise OSError(f"port {port} cannot be used: {error.strerror}; choose another with --port") from None


def files(course: Path, parts: Sequence[str] = PARTS) -> Iterator[str]:
    """The names of the course's files; hidden ones (checkpoints, a student's progress) are not part of it."""
    for path in sorted(p for part in parts for p in (course / part).rglob("*") if p.is_file()):
        name = path.relative_to(course)
        if not any(part.startswith((".", "__")) for part in name.parts):
            yield name.as_posix()
