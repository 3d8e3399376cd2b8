"""The picture of an explorer as a file: whole or not at all, and over nobody's work."""

import io
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from PIL import Image

from coursekit.core import validate

if TYPE_CHECKING:
    from coursekit.explorers.explorer import Explorer

STILL = ("png", "svg", "pdf")
Bar = Callable[[Sequence[Any]], Iterable[Any]]  # shows how far a loop has come, as tqdm does


def kind(path: str | Path, known: tuple[str, ...], overwrite: bool) -> str:
    """The ending of a path that can be written to.

    Raises ValueError where it is not a known one, FileExistsError where there is a file that must not be overwritten,
    FileNotFoundError without a folder.
    """
    ending = Path(path).suffix.lower().removeprefix(".")
    if ending not in known:
        raise ValueError(f"path must end in {' or '.join(f'.{name}' for name in known)}; got {str(path)!r}")
    if not Path(path).parent.is_dir():
        raise FileNotFoundError(f"path must lie in a folder that exists; got {str(path)!r}")
    if not overwrite and Path(path).exists():
        raise FileExistsError(f"path must be new, or overwrite=True; {str(path)!r} exists")
    return ending


def animation(explorer: "Explorer[Any]", control: str, frames: int, bar: Bar) -> bytes:
    """A GIF in which the control takes all its values, or `frames` of them, evenly spread."""
    values = explorer.stops(control)
    count = min(validate.count("frames", frames, 2), len(values))
    chosen = [values[round(k)] for k in np.linspace(0, len(values) - 1, count)]
    with explorer.picture.lock:
        before, images = dict(explorer.values), []
        try:
            for value in bar(chosen):
                explorer.set(**{control: value})
                images.append(explorer.picture.image())
        finally:
            explorer.set(**before)
    return gif(images, round(1000 / explorer.tools.player.speed))


def gif(images: Sequence[Image.Image], milliseconds: int) -> bytes:
    """An animation without end that shows each image for so long."""
    (first, *others), file = [image.quantize(dither=Image.Dither.NONE) for image in images], io.BytesIO()
    first.save(file, "GIF", save_all=True, append_images=others, duration=milliseconds, loop=0)
    return file.getvalue()
