"""Artists that several plots draw alike: curves, marks, class markers, rings, arrows, segments.

Lower layers first: maps 0, areas 1, normals 1.5, crosses 1.9, lines of an earlier picture 1.95, lines `UNDER` the
examples, lines and examples 2, words 3.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import FancyArrowPatch, Patch
from numpy.typing import ArrayLike, NDArray

from coursekit.core.validate import Floats
from coursekit.plots.style import current

A = TypeVar("A", bound=Artist)
P = TypeVar("P", bound=Patch)
UNDER = 1.96
MANY = 12  # so many rings or ties can be told apart; more of them are thinner
FAR = 1e6  # a descent that diverges leaves the picture; beyond this its pixels would overflow
DASHED = (0, (4, 3))
NOWHERE: Floats = np.empty((0, 2))
NOWHERE.flags.writeable = False


class Plot:
    """What every plot has: its axes, the style it is made in, and the artists that change from frame to frame."""

    def __init__(self, ax: Axes) -> None:
        self.ax, self.look = ax, current()
        self.artists: list[Artist] = []

    def add(self, artist: A, gid: str | None = None, glides: bool = False) -> A:
        """One more that changes from frame to frame. gid: the name that a word of the page lights it by.

        glides: between two frames of a run, a browser moves its points straight to where they belong. Only what means
        the same all the way may do so: a line, a bar, a ball; a ring would pass places without an example.
        """
        if gid:
            artist.set_gid(gid)
        vars(artist)["glides"] = glides
        self.artists.append(artist)
        return artist


def curve(ax: Axes, **look: Any) -> Line2D:
    """A line without points yet."""
    (line,) = ax.plot([], [], **look)
    return line


def marks(ax: Axes, marker: str, size: float, **look: Any) -> Line2D:
    return curve(ax, ls="", marker=marker, ms=size, **look)


def ring(ax: Axes, size: float, width: float, marker: str = "o", **look: Any) -> Line2D:
    """Open marks around examples."""
    return marks(ax, marker, size, mfc="none", mec=current().ink, mew=width, **look)


def thin_out(rings: Line2D, size: float, count: int) -> None:
    """Rings of this size, or smaller and thinner ones where there are many."""
    rings.set(ms=size if count <= MANY else 0.75 * size, mew=1.4 if count <= MANY else 0.8)


def class_marks(ax: Axes, count: int = 2, hollow: bool = False, **look: Any) -> list[Line2D]:
    """Marks for the examples of each class, the negative class first. hollow: for those that are wrong."""
    paper, styles = current().paper, current().classes[:count]
    rims = [{"mfc": paper, "mec": style["color"], "mew": 1.7} if hollow else {"mec": paper} for style in styles]
    common = {"ls": "", "ms": 7, "mew": 0.6}
    return [curve(ax, **common | style | rim | look) for style, rim in zip(styles, rims, strict=True)]


def show_classes(classes: Sequence[Line2D], at: Floats, y: NDArray[Any]) -> None:
    """at: (n, 2), where the examples lie. y: their labels, -1 and +1 for two classes, else 0, 1, ..."""
    labels = (-1, 1) if len(classes) == 2 else range(len(classes))
    for artist, label in zip(classes, labels, strict=True):
        artist.set_data(*at[y == label].T)


def arrow(ax: Axes, color: str, head: float, style: str = "-|>", **look: Any) -> FancyArrowPatch:
    """An arrow whose tip lies where `set_positions(tail, tip)` says."""
    return patch(ax, FancyArrowPatch((0, 0), (0, 0), color=color, arrowstyle=style, mutation_scale=head, shrinkA=0,
                                     shrinkB=0, **look))


def patch(ax: Axes, drawn: P) -> P:
    ax.add_patch(drawn)
    return drawn


def joined(parts: Iterable[ArrayLike]) -> Floats:
    """Polylines, each (K, 2), as one that is interrupted after each.

    >>> joined([[(0, 0), (1, 1)], [(2, 2), (3, 3)]])[:, 0]
    array([ 0.,  1., nan,  2.,  3., nan])
    """
    gap = np.full((1, 2), np.nan)
    pieces = [piece for part in parts for piece in (np.asarray(part, float), gap)]
    return np.vstack(pieces) if pieces else NOWHERE


def places(line: Line2D) -> Floats:
    """The points of a line or of marks, (n, 2)."""
    return np.asarray(line.get_xydata(), float)
