"""What all pictures look like: colors by what they stand for; sizes and fonts are in the style file beside this."""

import os
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, fields
from functools import lru_cache
from pathlib import Path
from typing import Any

import matplotlib.style
import numpy as np
from matplotlib import font_manager, rc_params_from_file
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import LinearSegmentedColormap, to_hex, to_rgb
from matplotlib.figure import Figure
from matplotlib.rcsetup import cycler

from coursekit.core import validate

_HERE = Path(__file__).parent
FONTS = [str(_HERE / "fonts" / f"CourseSans-{cut}.ttf") for cut in ("Regular", "Semibold")]
for _font in FONTS:  # so that pictures are alike on every machine
    font_manager.fontManager.addfont(_font)
SIZES: dict[str, Any] = dict(rc_params_from_file(_HERE / "coursekit.mplstyle", use_default_template=False).items())
Color = tuple[float, float, float, float]


def blend(share: float, color: str, ground: str) -> str:
    """So much of a color, the rest of another."""
    red, green, blue = (share * c + (1 - share) * g for c, g in zip(to_rgb(color), to_rgb(ground), strict=True))
    return to_hex((red, green, blue))


@dataclass(frozen=True)
class Style:
    """Colors by what they stand for, and how large type, lines and markers are in a picture of the same size.

    People with color-blindness can tell the colors apart (they are close to Okabe and Ito's); no picture relies
    on color alone.
    """

    paper: str = "#FFFFFF"
    ink: str = "#222222"
    blue: str = "#0072B2"
    red: str = "#D55E00"
    green: str = "#007A5A"
    pink: str = "#CC79A7"
    ochre: str = "#B07400"
    violet: str = "#7B4FA3"
    star: str = "#F0E442"
    highlight: str = "#FFE9A8"  # behind the row that is spoken of
    valley: str = "#FFFFFF"  # the lowest and the highest parts of a landscape
    summit: str = "#7FA3BF"
    tints: tuple[float, ...] = (0.19, 0.07, 0.13, 0.1, 0.16)  # share of its color in each class's part, for gray print
    deep: float = 0.65  # how much of a color an area with words on it can have
    zoom: float = 1.0  # type, lines and markers are this much larger, in a picture that is `room` times as large
    room: float = 1.0

    @property
    def twin(self) -> "Style":
        """The style of the same picture on a page that is dark; that which was chosen for a page stays as it is."""
        return STYLES["dark"] if self == LIGHT else self

    @property
    def classes(self) -> tuple[dict[str, Any], ...]:
        """What examples look like; of two classes the negative one comes first."""
        colors = self.blue, self.red, self.green, self.pink, self.ochre
        return tuple({"color": color, "marker": marker} for color, marker in zip(colors, "o^sDv", strict=True))

    @property
    def soft(self) -> str:
        return self.mixed(0.53)

    def mixed(self, share: float, color: str | None = None) -> str:
        """`share` of a color (the ink if None) on the paper."""
        return blend(share, color or self.ink, self.paper)

    def words(self, color: str) -> str:
        """What words about a thing of this color are written in: it is closer to the ink, so that they can be read."""
        return blend(0.45, self.ink, color)

    @property
    def settings(self) -> dict[str, Any]:
        """Everything matplotlib is told, for `matplotlib.style.use`."""
        axes = self.mixed(0.85)
        cycle = self.blue, self.red, self.green, self.pink, self.ochre, self.violet
        return {**SIZES, "axes.prop_cycle": cycler("color", cycle),
                "figure.facecolor": self.paper, "savefig.facecolor": self.paper, "axes.facecolor": self.paper,
                "text.color": self.ink, "axes.labelcolor": self.ink, "axes.edgecolor": axes, "xtick.color": axes,
                "ytick.color": axes, "grid.color": self.mixed(0.15)}


OTHERS = tomllib.loads((_HERE / "style.toml").read_text("utf-8"))
STYLES = {"light": Style()} | {name: Style(**look | {"tints": tuple(look["tints"])}) for name, look in OTHERS.items()}
LIGHT = STYLES["light"]
USUAL = STYLES.get(os.environ.get("COURSEKIT_STYLE", ""), LIGHT)  # `coursekit lab --style dark` says it to its kernels
STYLE = USUAL.settings
NEGATIVE, POSITIVE = USUAL.classes[:2]
_current: ContextVar[Style] = ContextVar("style", default=USUAL)


def current() -> Style:
    """The style that pictures are made in now."""
    return _current.get()


@contextmanager
def use(style: Style) -> Iterator[Style]:
    """Plots and figures made inside have this style.

    >>> with use(STYLES["dark"]):
    ...     figure().get_facecolor()[:3] == to_rgb(STYLES["dark"].paper)
    True
    """
    before = _current.set(style)
    try:
        with matplotlib.style.context(style.settings):
            yield style
    finally:
        _current.reset(before)


def named(name: str) -> Style:
    """The style of this name. Raises ValueError, with the known ones, for any other."""
    return STYLES[validate.one_of("style", name, tuple(STYLES))]


def grays() -> LinearSegmentedColormap:
    """From the paper to the ink."""
    return LinearSegmentedColormap.from_list("grays", [current().paper, current().ink])


@lru_cache(maxsize=2048)
def translated(color: Color, style: Style) -> Color:
    """What a color of this style is in its twin: as much of the same one on the paper. What is of no style stays.

    >>> to_hex(translated((*to_rgb(LIGHT.soft), 1.0), LIGHT)) == STYLES["dark"].soft
    True
    """
    (paper, inks), (there, others) = (_inks(look) for look in (style, style.twin))
    away, ways = np.array(color[:3]) - paper, inks - paper
    shares = ways @ away / np.maximum(np.sum(ways**2, axis=1), 1e-9)
    misses = np.abs(away - shares[:, None] * ways).max(axis=1).round(2) + (shares > 1.02)
    best = int(misses.argmin())
    if misses[best] > 0.02 or style.twin is style:
        return color
    red, green, blue = (there + shares[best] * (others[best] - there)).clip(0, 1).tolist()
    return red, green, blue, dict(zip(style.tints, style.twin.tints, strict=True)).get(color[3], color[3])


@lru_cache
def _inks(look: Style) -> tuple[Any, Any]:
    """The paper, and what lies on it, (n, 3): all colors, and those of names, which are closer to the ink."""
    colors = [getattr(look, f.name) for f in fields(Style) if isinstance(f.default, str)]
    rgb = np.array([to_rgb(one) for color in colors for one in (color, look.words(color))])
    return rgb[0], rgb


def figure(width: float = 9.0, height: float = 4.0, narrow: bool = False) -> Figure:
    """An empty Figure in the current style, outside pyplot's list of figures.

    width, height: in units of 100 dots. Where type is larger than usual the figure is at least 0.6 times
    as high as wide; unless it is `narrow`: then it has this size in inches, however large its type.
    """
    zoom = 1.0 if narrow else current().zoom / current().room
    if zoom > 1:
        height = max(height, 0.6 * width)
    with use(current()):
        fig = Figure(figsize=(width / zoom, height / zoom), dpi=100 * current().zoom)
        FigureCanvasAgg(fig)
    return fig
