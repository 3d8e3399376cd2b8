"""An explorer's picture as a file: at print quality, or as an animation of one control."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from coursekit.core import validate
from coursekit.explorers.controls import stops

if TYPE_CHECKING:
    from coursekit.explorers.explorer import Explorer

STILL = ("png", "svg", "pdf")


def kind(path: str | Path, known: tuple[str, ...]) -> str:
    """The ending of the path, which must be a known one."""
    ending = Path(path).suffix.lower().removeprefix(".")
    if ending not in known:
        raise ValueError(f"path must end in {' or '.join(f'.{name}' for name in known)}; got {str(path)!r}")
    return ending


def free(path: str | Path, overwrite: bool) -> None:
    """Raise FileExistsError where there is a file that must not be overwritten, FileNotFoundError without a folder."""
    if not Path(path).parent.is_dir():
        raise FileNotFoundError(f"path must lie in a folder that exists; got {str(path)!r}")
    if not overwrite and Path(path).exists():
        raise FileExistsError(f"path must be new, or overwrite=True; {str(path)!r} exists")


def write(path: str | Path, content: bytes, overwrite: bool) -> None:
    """All of the content or nothing: a full disk must not leave half a picture."""
    free(path, overwrite)
    path = Path(path)
    part = path.with_name(path.name + ".part")
    with part.open("xb") as file:
        try:
            file.write(content)
            file.close()
            part.replace(path)
        except OSError:
            part.unlink(missing_ok=True)
            raise


def animated(
    explorer: Explorer, control: str, frames: int, bar: Callable[[Iterable[Any]], Iterable[Any]] | None = None
) -> bytes:
    """A GIF in which the control takes its values. bar: shows how far it is; tqdm's if None."""
    values = stops(explorer._control(control))
    if not values:
        raise ValueError(f"control must be one with values to step through; got {control!r}")
    count = min(validate.count("frames", frames, 2), len(values))
    chosen = [values[round(k * (len(values) - 1) / max(count - 1, 1))] for k in range(count)]
    if bar is None:
        from tqdm.auto import tqdm

        bar = tqdm
    before, images = explorer._values(), []
    try:
        for value in bar(chosen):
            explorer.set(**{control: value})
            images.append(explorer.picture.image().convert("RGB").quantize(dither=0))
    finally:
        explorer.set(**before)
    file = io.BytesIO()
    duration = round(1000 / explorer.tools.player.speed)
    images[0].save(file, "GIF", save_all=True, append_images=images[1:], duration=duration, loop=0)
    return file.getvalue()
