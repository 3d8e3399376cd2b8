"""A plot and its place in the picture of an explorer, as data."""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Generic, Literal, TypeVar

import numpy as np
from matplotlib.figure import Figure

from coursekit.explorers.picture import Point
from coursekit.plots import NARROW, ObjectiveCurves, TwoErrors, WeightPath, WordPaths, figure, panel
from coursekit.plots.marks import ArrayLike, Axes, Plot

Box = tuple[float, float, float, float]
P = TypeVar("P", bound=Plot)


class View(Generic[P]):
    """A plot in the picture of an explorer, declared in its class; `explorer.name` is the plot.

    plot: makes it from its axes. cell, room, title, indent and further settings of the axes: see `plots.panel`;
    without room the axes fill the cell. over: another view whose axes it shares.
    click: what a click or drag there does: "edit" the examples, or set the controls that `click(plot, place)` says.
    grip: the places, (n, 2), from the explorer, that can be taken hold of there.
    compared: `compare` keeps its lines, those of its `ghosts()`.
    also: the name under which it comes on demand; its cell is then one of the strip below the picture.
    when: a control and the values of it for which it is shown, like ("by", "hand"); by default, for all.
    narrow: how high it is in the narrow picture, in inches, where it has a row of its own; by default its proportions
    are kept. 0: there it is left out.
    """

    def __init__(self, plot: Callable[[Axes], P], *, over: "View[Any] | None" = None, compared: bool = False,
                 click: Literal["edit"] | Callable[[P, Point], dict[str, Any]] | None = None,
                 grip: Callable[[Any], ArrayLike] | None = None, **place: Any) -> None:
        self.plot, self.over, self.click, self.compared, self.name, self.grip = plot, over, click, compared, "", grip
        self.lay(**place)

    def lay(self, cell: Box = (0, 0, 1, 1), room: Box = (0, 0, 0, 0), title: str = "", indent: float = 0.0,
            also: str = "", when: Sequence[str] = (), narrow: float | None = None, **axes: Any) -> None:
        """Say where and when it is shown, where that stands in layouts.toml: class ...(Explorer[...], layout="svm")."""
        self._also, self.when, self.narrow, self._axes = also, when, narrow, axes
        self._cell, self._place = cell, (room, title, indent)

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, explorer: Any, owner: type) -> P:
        return self if explorer is None else explorer.plots[self.name]  # type: ignore[return-value]

    def wanted(self, values: Mapping[str, Any]) -> bool:
        """Whether it is shown for these values of the controls."""
        return self.also in ("", values["also"]) and (not self.when or values[self.when[0]] in self.when[1:])

    @property
    def also(self) -> str:
        return self.over.also if self.over else self._also

    @property
    def title(self) -> str:
        """What it is called."""
        return self._place[1] or self.name.replace("_", " ")

    def label(self, axis: str) -> str:
        """What "x" or "y" is called there, "" where the plot says it."""
        return self._axes.get(f"{axis}label", "")

    def row(self, width: float, height: float) -> float:
        """How high its row is in the narrow picture, in inches. width, height: of what its cell is a part of."""
        if self.over or self.narrow is not None:
            return self.narrow or 0.0
        x0, y0, x1, y1 = self._cell
        left, below, right, above = self._place[0]
        wide, high = (x1 - x0) * width - left - right, (y1 - y0) * height - below - above
        if not any(self._place[0]):  # words, a table
            return high
        return below + above + (NARROW - left - right) * min(max(high / wide, 0.5), 1.0)

    def draw(self, figure: Figure, drawn: Mapping[str, Axes], part: tuple[float, float], whole: bool) -> tuple[Axes, P]:
        """Its axes and its plot, in its cell or in the whole of this part of the figure's height (from, to).

        drawn: the axes of the views before it.
        """
        if self.over:
            return drawn[self.over.name], self.plot(drawn[self.over.name])
        left, low, right, high = (0, 0, 1, 1) if whole else self._cell
        bottom, top = (part[0] + (part[1] - part[0]) * y for y in (low, high))
        axes = panel(figure, (left, bottom, right, top), *self._place, **self._axes)
        axes.set_title("", y=1.0)  # or matplotlib looks for its place each time, which is half of a ground's drawing
        return axes, self.plot(axes)


def lay_out(views: Mapping[str, View[Any]], wanted: Collection[str], size: tuple[float, float], below: float,
            narrow: bool) -> tuple[Figure, dict[str, Axes], dict[str, Any]]:
    """A figure, and the axes and plots of all views, which show nothing yet; those that are not wanted are elsewhere.

    size: of the figure, in units of 100 dots; the strip of views on demand is `below` high, in addition. narrow: all
    lie below one another, in the order in which they are declared.
    """
    width, height = size
    rows = [view.row(width, below if view.also else height) * (name in wanted) for name, view in views.items()]
    strip = below if any(views[name].also for name in wanted) else 0.0
    if narrow:
        sheet = figure(NARROW, sum(rows), narrow=True)
    else:
        sheet = figure(width, height)
        sheet.set_figheight(sheet.get_figheight() + strip)
    aside, share, top = figure(width, max(below, height)), strip / sheet.get_figheight(), 1.0
    axes: dict[str, Axes] = {}
    plots: dict[str, Any] = {}
    for (name, view), row in zip(views.items(), rows, strict=True):
        bottom = top - row / sum(rows)
        if name not in wanted or (narrow and not row and not view.over):
            on, part = aside, (0.0, 1.0)
        elif narrow:
            on, part = sheet, (bottom, top)
        else:
            on, part = sheet, (0.0, share) if view.also else (share, 1.0)
        top = bottom
        axes[name], plots[name] = view.draw(on, axes, part, narrow)
    return sheet, axes, plots


def to_step(curves: ObjectiveCurves, place: Point) -> dict[str, int]:
    """The click on curves against steps: go to that step."""
    made = len(np.atleast_1d(curves.curves[0].get_xdata())) - 1
    return {"k": int(np.clip(round(place[0] * curves.ruler.scale["x"]), 0, made))}


def to_lam(plot: WeightPath | WordPaths | TwoErrors, place: Point) -> dict[str, float]:
    """The click on curves against lambda: set it."""
    return {"lam": float(f"{plot.scale.lam(place[0]):.3g}")}
