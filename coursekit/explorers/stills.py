"""What is shown where nothing runs: pictures inside HTML, with a twin for a narrow page, and their words."""

import base64
import io
import os
import re
from html import escape
from typing import TYPE_CHECKING, Any

from IPython.core.formatters import DisplayFormatter
from PIL import Image

from coursekit.plots.panel import NARROW_PAGE, SHARP, small

if TYPE_CHECKING:
    from coursekit.explorers.explorer import Explorer

FOLDED = "COURSEKIT_FOLDED"  # set where notebooks are run to be stored or printed: nobody will touch them there


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
