"""Names beside the things they name, where nothing else is written."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.backend_bases import RendererBase
from matplotlib.patheffects import Normal, withStroke
from matplotlib.text import Annotation, Text
from numpy.typing import ArrayLike

from coursekit.core import validate
from coursekit.core.validate import Floats
from coursekit.plots.lettering import renderer_of
from coursekit.plots.style import current
from coursekit.plots.tags import Around, ink, overlaps, written

AROUND = Around((4.0, 11.0, 20.0, 36.0, 60.0), np.arange(45, 405, 30))
LEADER = 20.0  # from this distance on a thin line leads to it


def label(
    ax: Axes, text: str, at: ArrayLike, color: str | None = None, toward: ArrayLike = (0.0, 0.0), size: float = 11.0
) -> Label:
    """Write `text` beside the place `at`, (2,), in data units; further off, with a thin leader, where it is crowded.

    All labels of the axes find their places together, each time they are drawn: inside the axes, on no other words, and
    on as few lines, marks and outlines as can be, with a rim of paper where it lies on some. `label.xy = at`,
    `set_text` and `set_visible` change one.
    toward: on which side of the place it is sought first, a direction on the paper.
    """
    place, side = validate.shaped("at", at, 2), validate.shaped("toward", toward, 2)
    made = Label(ax, text, place, side, color=color or current().ink, fontsize=size)
    ax.add_artist(made)
    return made


class Label(Annotation):
    """A name that finds its place when it is drawn."""

    def __init__(self, ax: Axes, text: str, at: Floats, side: Floats, **look: Any) -> None:
        line = {"arrowstyle": "-", "color": current().soft, "lw": 0.8, "shrinkA": 1, "shrinkB": 2, "relpos": (0.5, 0.5)}
        super().__init__(text, (float(at[0]), float(at[1])), (0.0, 0.0), textcoords="offset points", ha="center",
                         va="center", arrowprops=line, annotation_clip=False, **look)
        self._ax, self._side, self._placed = ax, side, False
        self._leader: tuple[Any, Any] = (self.arrowprops, self.arrow_patch)
        self._rim = [withStroke(linewidth=3, foreground=current().paper, alpha=0.8), Normal()]
        self.set_in_layout(False)

    def draw(self, renderer: RendererBase) -> None:
        if self.get_visible() and not self._placed:
            self.place(renderer)
        self._placed = False
        super().draw(renderer)

    def place(self, renderer: RendererBase | None = None) -> None:
        """Find the places of all labels in these axes."""
        ax, renderer = self._ax, renderer or renderer_of(self)
        labels = [one for one in ax.texts if isinstance(one, Label)]
        together = [one for one in labels if one.get_visible() and one.get_text()]
        words, drawn = written(ax, renderer, ax.artists, together), ink(ax)
        if legend := ax.get_legend():
            words = np.vstack([words, legend.get_window_extent(renderer).extents])
        choices = [one._choices(renderer, words, drawn) for one in together]
        boxes = np.full((len(together), 4), np.nan)
        for _ in range(2):  # the second time each knows where those after it are
            for k, (one, (places, crossed, cost)) in enumerate(zip(together, choices, strict=True)):
                taken = overlaps(places, np.delete(boxes, k, axis=0))
                best = int((cost + 1e4 * taken).argmin())
                boxes[k] = places[best]
                one._go(boxes[k].reshape(2, 2).mean(axis=0), AROUND.prices[best] >= LEADER, renderer)
                one.set_path_effects(one._rim if crossed[best] else [])

    def _choices(self, renderer: RendererBase, words: Floats, drawn: Floats) -> tuple[Floats, Floats, Floats]:
        """Boxes where it could be, (n, 4), in pixels, what lies in each, and how much speaks against each."""
        ax, point = self._ax, float(np.real(renderer.points_to_pixels(1.0)))
        half = np.array(Text.get_window_extent(self, renderer).size) / 2
        anchor = np.asarray(ax.transData.transform(self.xy), float)
        offsets = AROUND.offsets(half, point)
        middles = anchor + offsets
        places, room = np.hstack([middles - half, middles + half]), half + 1.5 * point
        low, high = np.array(ax.bbox.extents).reshape(2, 2)
        outside = (places[:, :2] < low).any(axis=1) | (places[:, 2:] > high).any(axis=1)
        near = drawn[(np.abs(drawn - anchor) < np.abs(offsets).max(axis=0) + room).all(axis=1)].astype(np.float32)
        across, up = np.abs(near.T[:, None] - middles.T[:, :, None].astype(np.float32))
        crossed = ((across < room[0]) & (up < room[1])).sum(axis=1)
        wide = places + np.array([-1.5, -1.5, 1.5, 1.5]) * point
        return places, crossed, 1e4 * (overlaps(wide, words) + outside) + 3 * crossed + AROUND.against(self._side)

    def _go(self, middle: Floats, far: bool, renderer: RendererBase) -> None:
        anchor = np.asarray(self._ax.transData.transform(self.xy), float)
        self.set_position(tuple((middle - anchor) / renderer.points_to_pixels(1.0)))
        self.arrowprops, self.arrow_patch = self._leader if far else (None, None)
        self._placed = True
