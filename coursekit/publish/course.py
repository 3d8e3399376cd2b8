"""What the course consists of on disk, for everything that copies it somewhere."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

START = "notebooks/00-start.ipynb"
PARTS = ("notebooks", "exercises")


def files(course: Path, parts: Sequence[str] = PARTS) -> Iterator[str]:
    """The names of the course's files; hidden ones (checkpoints, a student's progress) are not part of it."""
    for path in sorted(p for part in parts for p in (course / part).rglob("*") if p.is_file()):
        name = path.relative_to(course)
        if not any(part.startswith((".", "__")) for part in name.parts):
            yield name.as_posix()
