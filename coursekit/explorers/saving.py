"""Pictures as files: whole or not at all, and over nobody's work."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path

from PIL import Image

from coursekit.core import files

STILL = ("png", "svg", "pdf")


def kind(path: str | Path, known: tuple[str, ...]) -> str:
    """The ending of the path, which must be a known one."""
    ending = Path(path).suffix.lower().removeprefix(".")
    if ending not in known:
        raise ValueError(f"path must end in {' or '.join(f'.{name}' for name in known)}; got {str(path)!r}")
    return ending


def refuse_taken(path: str | Path, overwrite: bool) -> None:
    """Raise FileExistsError where there is a file that must not be overwritten, FileNotFoundError without a folder."""
    if not Path(path).parent.is_dir():
        raise FileNotFoundError(f"path must lie in a folder that exists; got {str(path)!r}")
    if not overwrite and Path(path).exists():
        raise FileExistsError(f"path must be new, or overwrite=True; {str(path)!r} exists")


def write(path: str | Path, content: bytes, overwrite: bool) -> None:
    """Make a file of the content, unless one is there."""
    refuse_taken(path, overwrite)
    files.write(Path(path), content)


def gif(images: Sequence[Image.Image], milliseconds: int) -> bytes:
    """An animation without end that shows each image for so long."""
    first, *others = [image.quantize(dither=Image.Dither.NONE) for image in images]
    file = io.BytesIO()
    first.save(file, "GIF", save_all=True, append_images=others, duration=milliseconds, loop=0)
    return file.getvalue()
