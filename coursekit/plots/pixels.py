"""Maps that fill their axes, kept as pixels until their values or their size change."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.backend_bases import RendererBase
from matplotlib.colors import to_rgb
from numpy.typing import NDArray
from PIL import Image

from coursekit.core.validate import Floats
from coursekit.plots.recorder import Recorder
from coursekit.plots.style import Style, current

Extent = tuple[float, float, float, float]  # x low, x high, y low, y high
Told = Callable[[Floats], NDArray[np.intp]]  # of places, (n, 2), the class
NEIGHBOURS = [(up, right) for up in (-1, 0, 1) for right in (-1, 0, 1) if up or right]


class PixelMap(Artist):
    """Fills the axes with the colours that `paint` numbers."""

    def __init__(self, ax: Axes) -> None:
        super().__init__()
        self.ax = ax
        ax.add_artist(self)
        self.set_zorder(0)
        self.palettes = [self.colours(look) for look in (current(), current().twin)]
        self._painted: NDArray[np.uint8] | None = None

    def colours(self, look: Style) -> NDArray[np.uint32]:
        """One number a colour is quicker to look up."""
        raise NotImplementedError

    def paint(self, width: int, height: int, sharper: float) -> NDArray[np.uint8]:
        """Which of its colours each pixel has, the lowest row first.

        sharper: pixels for each pixel of the screen, more than 1 in a file of vectors.
        """
        raise NotImplementedError

    def outdate(self) -> None:
        """What is painted no longer holds."""
        self._painted = None
        self.stale = True

    def draw(self, renderer: RendererBase) -> None:
        if not self.get_visible():
            return
        x, y, *size = (round(v) for v in self.ax.bbox.bounds)
        sharper, gc = renderer.get_image_magnification(), renderer.new_gc()
        width, height = (round(sharper * v) for v in size)
        if self._painted is None or self._painted.shape != (height, width):
            self._painted = self.paint(width, height, sharper)
        if isinstance(renderer, Recorder):
            renderer.pixels(gc, (x, y, *size), self._painted[::-1], *self.palettes)
        else:
            renderer.draw_image(gc, x, y, self.palettes[0][self._painted].view(np.uint8).reshape(height, width, 4))
        gc.restore()


class HeightMap(PixelMap):
    """Bands of equal height with lines between them, the lowest lightest."""

    bands = 14

    def __init__(self, ax: Axes) -> None:
        super().__init__(ax)
        self._values: Floats = np.zeros((1, 1))

    def set_values(self, values: Floats) -> None:
        """values: (size * size,), row by row from the lower left."""
        if self._values.size != len(values) or not np.array_equal(self._values.ravel(), values):
            self._values = values.reshape(side("values", len(values)), -1)
            self.outdate()

    def colours(self, look: Style) -> NDArray[np.uint32]:
        """Those of the bands, then those of the lines."""
        shade = np.linspace(to_rgb(look.valley), to_rgb(look.summit), self.bands + 1)
        colours = np.column_stack([np.vstack([shade, 0.82 * shade]), np.ones(2 * self.bands + 2)])
        return (255 * colours).astype(np.uint8).view(np.uint32)[:, 0]

    @property
    def heights(self) -> Floats:
        """In bands from 0."""
        low, high = self._values.min(), self._values.max()
        return np.asarray(self.bands * np.sqrt((self._values - low) / ((high - low) or 1.0)))

    def draw(self, renderer: RendererBase) -> None:
        if isinstance(renderer, Recorder) and self.get_visible():
            renderer.field(renderer.new_gc(), self.ax.bbox.bounds, self.heights[::-1], *self.palettes)
        else:
            super().draw(renderer)

    def paint(self, width: int, height: int, sharper: float) -> NDArray[np.uint8]:
        heights = Image.fromarray(self.heights.astype(np.float32))
        fine = np.asarray(heights.resize((width, height), Image.Resampling.BICUBIC))
        band = np.minimum(fine, self.bands - 0.01).astype(np.uint8)  # no specks on a flat top
        edge = np.zeros(band.shape, bool)
        edge[1:] |= band[1:] != band[:-1]
        edge[:, 1:] |= band[:, 1:] != band[:, :-1]
        return band + np.uint8(self.bands + 1) * edge


class ClassMap(PixelMap):
    """A tint for each class."""

    def __init__(self, ax: Axes) -> None:
        super().__init__(ax)
        self._codes = np.zeros((1, 1), np.uint8)

    def set_classes(self, answers: NDArray[np.intp], extent: Extent, told: Told) -> None:
        """answers: (size * size,). told: what a pixel near a border asks, which lies between these places."""
        size = side("answers", answers.size)
        self._codes, self._extent, self._told = answers.astype(np.uint8).reshape(size, size), extent, told
        self.outdate()

    def colours(self, look: Style) -> NDArray[np.uint32]:
        tints = [(*to_rgb(look.mixed(look.tint + 0.04, style["color"])), 1.0) for style in look.classes]
        return (255 * np.array(tints)).astype(np.uint8).view(np.uint32).ravel()

    def paint(self, width: int, height: int, sharper: float) -> NDArray[np.uint8]:
        """The codes of so many pixels: those of the place they lie in, and near a border their own."""
        size = len(self._codes)
        row, column = (np.arange(count) * size // count for count in (height, width))
        codes = self._codes[row[:, None], column]
        around = np.pad(self._codes, 1, mode="edge")
        moved = [around[1 + up : 1 + up + size, 1 + right : 1 + right + size] for up, right in NEIGHBOURS]
        near = np.any([other != self._codes for other in moved], axis=0)
        y, x = np.nonzero(near[row[:, None], column])
        if len(x):
            left, right, low, high = self._extent
            across, up = (right - left) / width, (high - low) / height
            codes[y, x] = self._told(np.column_stack([left + (x + 0.5) * across, low + (y + 0.5) * up]))
        return codes


def cell_middles(extent: Extent, size: int) -> Floats:
    """The middles, (size * size, 2), of as many equal cells of a part of the plane, row by row from the lower left."""
    x, y = (low + (high - low) * (np.arange(size) + 0.5) / size for low, high in (extent[:2], extent[2:]))
    return np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)


def within(places: Floats, extent: Extent) -> bool:
    """Whether places, (2,) or (n, 2), lie in this part of the plane."""
    low, high = np.reshape(extent, (2, 2)).T
    return bool(((places >= low) & (places <= high)).all())


def side(name: str, count: int) -> int:
    """How many places a square map has each way."""
    size = round(count**0.5)
    if not count or size**2 != count:
        raise ValueError(f"{name} must have one entry for each place of a square map (60 x 60: 3600); got {count}")
    return size
