"""A figure for a narrow page, such as that of a phone: its panels below one another, its type of at most 10 points."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.gridspec import GridSpec, SubplotSpec
from matplotlib.text import Text
from PIL import Image

NARROW = 3.6  # inches: on a page of 350 pixels, type of 9 points is 12 pixels high
HIGHEST = 3.4  # inches of one panel
NARROW_PAGE = "(max-width: 600px)"  # as style sheets say it
SMALL = 10.0  # points, for words that were larger: the picture is enlarged less than a wide one, and has less room
SHARP = 1.5  # its pixels to one of the page: phones have small ones


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
    rows = -(-len(numbers) // columns)
    place = GridSpec(rows, columns, figure=fig)
    for ax, spec in specs.items():
        ax.set_subplotspec(place[divmod(numbers.index(spec.num1), columns)])
        ax.set_in_layout(True)
        ax.tick_params(labelleft=ax.yaxis.get_visible())
    needed: dict[int, float] = {}
    for ax, spec in specs.items():
        row = numbers.index(spec.num1) // columns
        needed[row] = max(needed.get(row, 0), _needed(ax, NARROW / columns))
    return sum(min(height / grid.nrows, HIGHEST, high) for high in needed.values())


def _needed(ax: Axes, width: float) -> float:
    """How high a panel of this width can use, in inches: less than there may be, where its aspect is fixed."""
    if ax.get_aspect() == "auto":
        return HIGHEST
    around = 0.9 if ax.get_xlabel() else 0.5  # title, and the name and the numbers of the axis
    return (width - 0.6) * ax.get_data_ratio() * float(ax.get_aspect()) + around


def narrow_png(fig: Figure) -> bytes:
    """The narrow picture as the bytes of a small PNG file."""
    file = io.BytesIO()
    with narrowed(fig):
        fig.savefig(file, format="png", dpi=100 * SHARP, bbox_inches="tight")
    return small(Image.open(file))


def small(image: Image.Image) -> bytes:
    """The image as the bytes of a PNG file with 128 colours, which are enough for lines and type."""
    file, few = io.BytesIO(), Image.Quantize.MAXCOVERAGE
    image.convert("RGB").quantize(128, few, kmeans=1, dither=Image.Dither.NONE).save(file, "PNG", optimize=True)
    return file.getvalue()
