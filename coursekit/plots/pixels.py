"""A map that fills its axes, kept as pixels until its values or its size change; and parts of the plane."""

from __future__ import annotations

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


class HeightMap(Artist):
    """Bands of equal height with lines between them, the lowest lightest; all over the axes."""

    bands = 14

    def __init__(self, ax: Axes) -> None:
        super().__init__()
        self.ax = ax
        ax.add_artist(self)
        self.set_zorder(0)
        self.palettes = [self.colours(look) for look in (current(), current().twin)]
        self._values: Floats = np.zeros((1, 1))
        self._painted: NDArray[np.uint8] | None = None

    def set_values(self, values: Floats) -> None:
        """values: (size * size,), row by row from the lower left."""
        size = round(len(values) ** 0.5)
        if not size or size**2 != len(values):
            raise ValueError(f"values must have one entry for each place of a square map (60 x 60: 3600); "
                             f"got {len(values)}")
        if not np.array_equal(self._values.ravel(), values):
            self._values, self._painted, self.stale = values.reshape(size, size), None, True

    def colours(self, look: Style) -> NDArray[np.uint32]:
        """Those of the bands, then those of the lines: one number a colour is quicker to look up."""
        shade = np.linspace(to_rgb(look.valley), to_rgb(look.summit), self.bands + 1)
        colours = np.column_stack([np.vstack([shade, 0.82 * shade]), np.ones(2 * self.bands + 2)])
        return (255 * colours).astype(np.uint8).view(np.uint32)[:, 0]

    @property
    def heights(self) -> Floats:
        """In bands from 0."""
        low, high = self._values.min(), self._values.max()
        return np.asarray(self.bands * np.sqrt((self._values - low) / ((high - low) or 1.0)))

    def draw(self, renderer: RendererBase) -> None:
        if not self.get_visible():
            return
        gc = renderer.new_gc()
        if isinstance(renderer, Recorder):
            renderer.field(gc, self.ax.bbox.bounds, self.heights[::-1], *self.palettes)
            return
        x, y, *size = (round(v) for v in self.ax.bbox.bounds)
        sharper = renderer.get_image_magnification()  # pixels for each one of the screen, more in a file of vectors
        width, height = (round(sharper * v) for v in size)
        if self._painted is None or self._painted.shape != (height, width):
            self._painted = self.paint(width, height)
        renderer.draw_image(gc, x, y, self.palettes[0][self._painted].view(np.uint8).reshape(height, width, 4))
        gc.restore()

    def paint(self, width: int, height: int) -> NDArray[np.uint8]:
        """Which of its colours each pixel has, the lowest row first."""
        heights = Image.fromarray(self.heights.astype(np.float32))
        fine = np.asarray(heights.resize((width, height), Image.Resampling.BICUBIC))
        band = np.minimum(fine, self.bands - 0.01).astype(np.uint8)  # no specks on a flat top
        edge = np.zeros(band.shape, bool)
        edge[1:] |= band[1:] != band[:-1]
        edge[:, 1:] |= band[:, 1:] != band[:, :-1]
        return band + np.uint8(self.bands + 1) * edge


def cell_middles(extent: Extent, size: int) -> Floats:
    """The middles, (size * size, 2), of as many equal cells of a part of the plane, row by row from the lower left."""
    x, y = (low + (high - low) * (np.arange(size) + 0.5) / size for low, high in (extent[:2], extent[2:]))
    return np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)


def within(places: Floats, extent: Extent) -> bool:
    """Whether places, (2,) or (n, 2), lie in this part of the plane."""
    low, high = np.reshape(extent, (2, 2)).T
    return bool(((places >= low) & (places <= high)).all())
