"""The picture of an explorer outside of it: as a file, over nobody's work, and inside HTML, with its words and a twin.

A file is written whole or not at all; the twin is for a narrow page.
"""

import base64
import io
import os
import re
from collections.abc import Callable, Iterable, Sequence
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from IPython.core.formatters import DisplayFormatter
from PIL import Image

from coursekit.core import validate
from coursekit.plots.panel import NARROW_PAGE, SHARP, small

if TYPE_CHECKING:
    from coursekit.explorers.explorer import Explorer

FOLDED = "COURSEKIT_FOLDED"  # set where notebooks are run to be stored or printed: nobody will touch them there
STILL = ("png", "svg", "pdf")
Bar = Callable[[Sequence[Any]], Iterable[Any]]  # shows how far a loop has come, as tqdm does


def bundle(explorer: "Explorer[Any]", **_kwargs: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """What a notebook keeps of an explorer: the live widget, the still picture, and the sentence."""
    still = {"image/png": base64.b64encode(explorer.png()).decode(), "text/plain": explorer.sentence}
    beside = {"alt": explorer.sentence}
    if os.environ.get(FOLDED):  # where outputs are stored, for the reading copy on a phone
        beside["narrow"] = base64.b64encode(narrow_png(explorer)).decode()
    return explorer.widget._repr_mimebundle_() | still, {"image/png": beside}


def narrow_png(explorer: "Explorer[Any]") -> bytes:
    """The picture for a page as narrow as a phone, as a PNG file."""
    picture = explorer.picture
    with picture.lock:
        ratio, picture.ratio = picture.ratio, SHARP
        explorer.narrow = True
        try:
            return small(picture.image())
        finally:
            picture.ratio, explorer.narrow = ratio, False


def html(thing: Any) -> str:
    """Anything as HTML: a text in its paragraphs, an explorer as its picture and its sentence."""
    if isinstance(thing, str):
        return "".join(f"<p>{part}</p>" for part in re.split(r"\n\s*\n", thing.strip()) if part)
    shown, beside = DisplayFormatter().format(thing, include=["text/html", "image/png", "text/plain"])
    if png := shown.get("image/png"):
        alt, narrow = beside["image/png"]["alt"], beside["image/png"].get("narrow", "")
        return image(base64.b64decode(png), alt, narrow=base64.b64decode(narrow)) + html(escape(alt))
    return shown.get("text/html") or f"<pre>{escape(shown['text/plain'])}</pre>"


def image(png: bytes, alt: str, ratio: int = 1, narrow: bytes = b"") -> str:
    """A picture inside the page. ratio: its pixels to one of the page. narrow: its twin for a narrow page."""
    width = Image.open(io.BytesIO(png)).width // ratio
    wide, twin = (f"data:image/png;base64,{base64.b64encode(data).decode()}" for data in (png, narrow))
    source = f'<source media="{NARROW_PAGE}" srcset="{twin}">' if narrow else ""
    style = f"width: {width}px; max-width: 100%; height: auto"
    return f'<picture>{source}<img style="{style}" alt="{escape(alt)}" src="{wide}"></picture>'


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
