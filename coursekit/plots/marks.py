"""What every plot has, and marks that several draw alike: class markers, rings, arrows, lines of an earlier picture.

A plot is written with names from here: `Plot`, `Style`, `Tag`, `Word`, `Axes` and `Floats` among them.

Lower layers first: maps 0, areas 1, normals 1.5, crosses 1.9, lines of an earlier picture 1.95, lines `UNDER` the
examples, lines and examples 2, words 3.
"""

from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import FancyArrowPatch, Patch, PathPatch, Polygon
from matplotlib.path import Path
from matplotlib.transforms import IdentityTransform, Transform

from coursekit.core.keywords import explained
from coursekit.core.validate import ArrayLike, Floats, NDArray
from coursekit.plots.lettering import Lettering, Word
from coursekit.plots.style import Style, current
from coursekit.plots.tags import Tag, Tags  # noqa: F401

A = TypeVar("A", bound=Artist)
P = TypeVar("P", bound=Patch)
UNDER = 1.96
MANY = 12  # so many rings or ties can be told apart; more of them are thinner
FAR = 1e6  # a descent that diverges leaves the picture; beyond this its pixels would overflow
DASHED = (0, (4, 3))
NOWHERE: Floats = np.empty((0, 2))
NOWHERE.flags.writeable = False


class Ghost:
    """A line of an earlier picture, under the current one: gray and dashed, with a word.

    points: (K, 2), nan where it is interrupted. units: from what they are measured in to the axes' data.
    """

    def __init__(self, ax: Axes, points: Floats, units: Transform, word: str) -> None:
        to_pixels = units + ax.transData
        line = Line2D(*points.T, color=current().mixed(0.65), lw=1.8, ls=(0, (2, 1.5)), zorder=1.95)
        line.set_transform(to_pixels)
        ax.add_artist(line)
        self.artists: list[Artist] = [line]
        # Places on the line that are well inside the axes, as shares of their width and height.
        corners = ax.transAxes.inverted().transform(to_pixels.transform(points))
        shares = np.linspace(0, 1, 200)[:, None, None]
        inside = (corners[:-1] * (1 - shares) + corners[1:] * shares).reshape(-1, 2)
        inside = inside[(np.abs(inside - 0.5) < 0.44).all(axis=1)]
        if word and len(inside):
            x, y = inside[inside[:, 1].argmax()]
            lettering = Lettering(ax, ax.transAxes)
            lettering.set_words([Word(x, y, f"  {word}  ", "ld" if x < 0.5 else "rd")])
            self.artists.append(lettering)


@explained
class Plot:
    """What every plot has: its axes, the style it is made in, and the artists that change from frame to frame.

    `add_...` makes one of those, with nothing to see yet; a gid is the name that a word of the page lights it by.
    """

    kept_as = "before"  # the word beside the first of the lines that are kept

    def __init__(self, ax: Axes) -> None:
        self.ax, self.look = ax, current()
        self.artists: list[Artist] = []
        self.kept: Sequence[Line2D] = ()  # what `ghosts` keeps
        self.units: Transform = IdentityTransform()  # from what they are measured in to the axes' data
        self.make(ax, self.look)

    def make(self, ax: Axes, look: Style) -> None:
        """What it is made of, without anything to show yet. A plot that must know more does that in `__init__`."""

    def add(self, artist: A, glides: bool = False) -> A:
        """One more that changes. glides: between two frames of a run, a browser moves its points straight to where they
        belong. Only what means the same all the way may do so: a line, a bar, a ball; a ring would pass places without
        an example."""
        vars(artist)["glides"] = glides
        self.artists.append(artist)
        return artist

    def add_curve(self, glides: bool = False, **look: Any) -> Line2D:
        return self.add(self.ax.plot([], [], **look)[0], glides)

    def add_marks(self, marker: str, size: float, **look: Any) -> Line2D:
        return self.add_curve(ls="", marker=marker, ms=size, **look)

    def add_classes(self, count: int = 2, hollow: bool = False, **look: Any) -> list[Line2D]:
        """Marks for the examples of each class, the negative class first. hollow: for those that are wrong."""
        paper, styles = self.look.paper, self.look.classes[:count]
        rims = [{"mfc": paper, "mec": style["color"], "mew": 1.7} if hollow else {"mec": paper} for style in styles]
        common = {"ls": "", "ms": 7, "mew": 0.6}
        return [self.add_curve(**common | style | rim | look) for style, rim in zip(styles, rims, strict=True)]

    def add_ring(self, size: float, width: float, marker: str = "o", **look: Any) -> Line2D:
        """Open marks around examples."""
        return self.add_marks(marker, size, mfc="none", mec=self.look.ink, mew=width, **look)

    def add_arrow(self, color: str, head: float, glides: bool = False, style: str = "-|>",
                  **look: Any) -> FancyArrowPatch:
        """An arrow whose tip lies where `set_positions(tail, tip)` says."""
        shape: dict[str, Any] = {"arrowstyle": style, "mutation_scale": head, "shrinkA": 0, "shrinkB": 0}
        return self.add_patch(FancyArrowPatch((0, 0), (0, 0), color=color, **shape, **look), glides)

    def add_patch(self, drawn: P, glides: bool = False) -> P:
        self.ax.add_patch(drawn)
        return self.add(drawn, glides)

    def add_area(self, glides: bool = False, **look: Any) -> Polygon:
        return self.add_patch(Polygon(np.zeros((3, 2)), **{"lw": 0} | look), glides)

    def add_shape(self, glides: bool = False, **look: Any) -> PathPatch:
        return self.add_patch(PathPatch(Path(np.zeros((1, 2))), **{"lw": 0} | look), glides)

    def add_words(self, transform: Transform | None = None, *, gid: str | None = None, **look: Any) -> Lettering:
        words = self.add(Lettering(self.ax, transform, **look))
        words.set_gid(gid)
        return words

    def add_tags(self, size: float = 10.5, steady: bool = False) -> Tags:
        return self.add(Tags(self.ax, size, steady))

    def set_visible(self, seen: bool) -> None:
        for artist in self.artists:
            artist.set_visible(seen)

    def ghosts(self) -> list[Ghost]:
        """The lines of `kept` as they are, to keep."""
        return [Ghost(self.ax, self.units.inverted().transform(at), self.units, self.kept_as if k == 0 else "")
                for k, line in enumerate(self.kept) if len(at := places(line)) and line.get_visible()]


def thin_out(rings: Line2D, size: float, count: int) -> None:
    """Rings of this size, or smaller and thinner ones where there are many."""
    rings.set(ms=size if count <= MANY else 0.75 * size, mew=1.4 if count <= MANY else 0.8)


def show_classes(classes: Sequence[Line2D], at: Floats, y: NDArray[Any]) -> None:
    """at: (n, 2), where the examples lie. y: their labels, -1 and +1 for two classes, else 0, 1, ..."""
    labels = (-1, 1) if len(classes) == 2 else range(len(classes))
    for artist, label in zip(classes, labels, strict=True):
        artist.set_data(*at[y == label].T)


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


def blank(ax: Axes, **settings: Any) -> None:
    """Axes that are not seen: a place to draw, with limits as `ax.set` takes them."""
    ax.set(**{"xticks": [], "yticks": []} | settings)
    ax.spines[:].set_visible(False)
