"""Parts of a figure, with room for what is written around them; and the figure for a narrow page, such as a phone's.

Room is measured in inches, as type is.
"""

import io
import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any

from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.gridspec import GridSpec, SubplotSpec
from matplotlib.legend import Legend
from matplotlib.text import Text
from PIL import Image

from coursekit.plots.lettering import renderer_of

ROW = 0.19  # from one row of a title or legend to the next
NARROW = 3.6  # inches: on a page of 350 pixels, type of 9 points is 12 pixels high
HIGHEST = 3.4  # inches of one panel
NARROW_PAGE = "(max-width: 600px)"  # as style sheets say it
SMALL = 10.0  # points, for words that were larger: the picture is enlarged less than a wide one, and has less room
SHARP = 1.5  # its pixels to one of the page: phones have small ones


def panel(fig: Figure, cell: tuple[float, float, float, float], room: tuple[float, float, float, float],
          title: str = "", indent: float = 0.0, **axes: Any) -> Axes:
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
        text.set(va="top", y=(y1 - 0.11) / height)
        above += text.get_text().count("\n") * ROW
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


@contextmanager
def narrowed(fig: Figure) -> Iterator[None]:
    """Inside, the figure is `NARROW` inches wide; then it is as before.

    Panels made by `subplots` lie below one another; those that are smaller than the page share a row. Axes that were
    put somewhere by hand stay there, in a figure that is less wide.
    """
    width, height = fig.get_size_inches()
    specs = {ax: spec for ax in fig.axes if (spec := ax.get_subplotspec())}
    with ExitStack() as undo:  # the last change first
        for ax, spec in specs.items():
            undo.callback(ax.set_in_layout, ax.get_in_layout())
            undo.callback(ax.set_position, ax.get_position(True))
            undo.callback(ax.set_subplotspec, spec)
        undo.callback(fig.set_size_inches, width, height)
        undo.callback(fig.set_layout_engine, fig.get_layout_engine() or "none")
        for text in fig.findobj(Text):
            if (size := float(text.get_fontsize())) > SMALL:
                undo.callback(text.set_fontsize, size)
                text.set_fontsize(SMALL)
        for ax in specs:  # titles at the left, in the middle, at the right
            for title in (one for one in ax.get_children() if isinstance(one, Text) and one not in ax.texts):
                undo.callback(title.set_wrap, title.get_wrap())
                title.set_wrap(True)
        fig.set_size_inches(NARROW, _stack(fig, specs, width, height) if specs else min(height, HIGHEST))
        if specs:
            fig.set_layout_engine("constrained")
        yield


def _stack(fig: Figure, specs: Mapping[Axes, SubplotSpec], width: float, height: float) -> float:
    """Put axes into fewer columns; return how high the figure is then. Twins stay together."""
    grid, numbers = next(iter(specs.values())).get_gridspec(), sorted({spec.num1 for spec in specs.values()})
    columns = max(1, min(grid.ncols, int(NARROW * grid.ncols / width)))
    place = GridSpec(-(-len(numbers) // columns), columns, figure=fig)
    needed: dict[int, float] = {}
    for ax, spec in specs.items():
        row, column = divmod(numbers.index(spec.num1), columns)
        ax.set_subplotspec(place[row, column])
        ax.set_in_layout(True)
        ax.tick_params(labelleft=ax.yaxis.get_visible())
        high = HIGHEST
        if ax.get_aspect() != "auto":  # it can use less than there may be
            around = 0.9 if ax.get_xlabel() else 0.5  # title, and the name and the numbers of the axis
            high = (NARROW / columns - 0.6) * ax.get_data_ratio() * float(ax.get_aspect()) + around
        needed[row] = max(needed.get(row, 0), high)
    return sum(min(height / grid.nrows, HIGHEST, high) for high in needed.values())


def narrow_png(fig: Figure) -> bytes:
    """The narrow picture as the bytes of a small PNG file."""
    file = io.BytesIO()
    with narrowed(fig):
        fig.savefig(file, format="png", dpi=100 * SHARP, bbox_inches="tight")
    return small(Image.open(file))


def small(image: Image.Image) -> bytes:
    """The image as the bytes of a PNG file with 128 colors, which are enough for lines and type."""
    file, few = io.BytesIO(), Image.Quantize.MAXCOVERAGE
    image.convert("RGB").quantize(128, few, kmeans=1, dither=Image.Dither.NONE).save(file, "PNG", optimize=True)
    return file.getvalue()
