"""Parts of a figure, with room for what is written around them: room is measured in inches, as type is."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.legend import Legend

from coursekit.plots.lettering import renderer_of

ROW = 0.19  # from one row of a title or legend to the next


def panel(
    fig: Figure, cell: tuple[float, float, float, float], room: tuple[float, float, float, float], title: str = "",
    indent: float = 0.0, **axes: Any,
) -> Axes:
    """Axes in a cell of the figure, with a bold title above them.

    cell: (left, bottom, right, top) as shares of the figure. room: inches left free inside the cell on
    the left, below, on the right and above. indent: of the title, inches from the left of the cell. A
    title that is too long for the cell is broken in two, and takes the room for it from the axes.
    """
    width, height = fig.get_size_inches()
    x0, y0, x1, y1 = (share * side for share, side in zip(cell, (width, height) * 2, strict=True))
    left, below, right, above = room
    if title:
        text = fig.text((x0 + indent) / width, (y1 - 0.22) / height, title, weight="bold", fontsize=11)
        words = title.split(" ")
        for cut in range(len(words) - 1, 0, -1):
            if _wide(text) <= x1 - x0 - indent:
                break
            text.set_text(f"{' '.join(words[:cut])}\n{' '.join(words[cut:])}")
        lines = 1 + text.get_text().count("\n")
        text.set(va="top", y=(y1 - 0.11) / height)
        above += (lines - 1) * ROW
    box = x1 - x0 - left - right, y1 - y0 - below - above
    return fig.add_axes(((x0 + left) / width, (y0 + below) / height, box[0] / width, box[1] / height), **axes)


def legend_above(ax: Axes, handles: Sequence[Artist], names: Sequence[str]) -> Legend:
    """A legend above the axes, in one row; where type is too large for that in more rows, and the axes make room."""
    room = ax.get_window_extent().width + 0.4 * ax.figure.dpi
    for columns in range(len(names), 0, -1):
        legend = ax.legend(handles, names, ncols=columns, loc="lower left", bbox_to_anchor=(-0.02, 0.99),
                           borderaxespad=0.1, columnspacing=1.0)
        if _wide(legend) * ax.figure.dpi <= room:
            break
    more = math.ceil(len(names) / columns) - 1
    if more:
        x0, y0, width, height = ax.get_position().bounds
        ax.set_position((x0, y0, width, height - more * ROW * ax.figure.dpi / ax.figure.bbox.height))
    return legend


def _wide(artist: Any) -> float:
    """Inches."""
    return artist.get_window_extent(renderer_of(artist)).width / artist.figure.dpi
