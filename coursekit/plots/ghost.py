"""A line of an earlier picture, kept under the current one for comparison."""

from __future__ import annotations

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.transforms import Transform

from coursekit.core.validate import Floats
from coursekit.plots.lettering import Lettering, Word
from coursekit.plots.style import current


class Ghost:
    """A line, grey and dashed, with the word "before".

    points: (K, 2), nan where it is interrupted. units: what they are measured in, if not the axes' data.
    """

    def __init__(self, ax: Axes, points: Floats, units: Transform | None = None, word: str = "before") -> None:
        to_pixels = ax.transData if units is None else units + ax.transData
        line = Line2D(*points.T, color=current().mixed(0.65), lw=1.8, ls=(0, (2, 1.5)), zorder=1.95)
        line.set_transform(to_pixels)
        ax.add_artist(line)
        self.artists: list[Artist] = [line]
        if word and len(inside := _inside(ax, points, to_pixels)):
            x, y = inside[inside[:, 1].argmax()]
            lettering = Lettering(ax, ax.transAxes)
            lettering.set_words([Word(x, y, f"  {word}  ", "ld" if x < 0.5 else "rd")])
            self.artists.append(lettering)

    def remove(self) -> None:
        for artist in self.artists:
            artist.remove()


def _inside(ax: Axes, points: Floats, to_pixels: Transform) -> Floats:
    """Places on the line that are well inside the axes, as shares of their width and height."""
    corners = ax.transAxes.inverted().transform(to_pixels.transform(points))
    shares = np.linspace(0, 1, 200)[:, None, None]
    places = (corners[:-1] * (1 - shares) + corners[1:] * shares).reshape(-1, 2)
    return places[(np.abs(places - 0.5) < 0.44).all(axis=1)]
