"""The course as a map: ten chapters on one way down into a valley."""

from collections.abc import Sequence

import numpy as np

from coursekit.plots.marks import DASHED, Axes, Floats, blank, current


def journey(ax: Axes, titles: Sequence[str], done: Sequence[float], here: int | None = None) -> None:
    """Stations on a way down, one for each title, filled by how much of it is done: 0 to 1.

    here: the station where one goes on. None once everything is done.
    """
    look, n = current(), len(titles)
    x1, x2 = np.meshgrid(np.linspace(-1, 1, 301), np.linspace(-0.02, 1, 301))
    blank(ax, xlim=(-1, 1), ylim=(-0.02, 1))
    depth = 3 * x1**2 + (x2 + 0.04) ** 2 + 0.08 * np.sin(9 * x2) * x1
    ax.contour(x1, x2, depth, np.geomspace(0.02, 6, 16), colors=look.mixed(0.22), linewidths=0.8)
    places = np.column_stack([0.07 * (-1.0) ** np.arange(n), 1 - (np.arange(n) + 0.6) / (n + 0.2)])
    ax.plot(*places.T, color=look.ink, lw=1.4, ls=DASHED)
    for k, (place, title) in enumerate(zip(places, titles, strict=True)):
        _station(ax, place, done[k], k == here)
        side = np.sign(place[0])
        ax.annotate(
            f"{k + 1}  {title}" if side > 0 else f"{title}  {k + 1}", place, (12 * side, 0), textcoords="offset points",
            ha="left" if side > 0 else "right", va="center", weight="bold" if k == here else "normal",
        ).set_bbox({"facecolor": look.paper, "edgecolor": "none", "alpha": 0.8, "pad": 1.0})


def _station(ax: Axes, place: Floats, done: float, here: bool) -> None:
    """A disc with so much of it filled; a ring around it where one goes on."""
    look = current()
    ax.plot(*place, "o", ms=13, mfc=look.paper, mec=look.ink, mew=1.4, zorder=3)
    if done > 0:
        part = [(0.0, 0.0), *((np.sin(a), np.cos(a)) for a in np.linspace(0, 2 * np.pi * min(done, 1), 40))]
        ax.plot(*place, marker=np.array(part), ms=9, mfc=look.green, mec="none", zorder=3.1)
    if here:
        ax.plot(*place, "o", ms=19, mfc="none", mec=look.red, mew=2.2, zorder=3)
