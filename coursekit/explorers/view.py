"""A plot and its place in the picture of an explorer, as data."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Generic, Literal, Protocol, Self, TypeVar, overload

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from coursekit.explorers.picture import Point
from coursekit.plots import ObjectiveCurves, panel

Box = tuple[float, float, float, float]


class Plot(Protocol):
    """What a view can show."""

    @property
    def artists(self) -> Sequence[Artist]: ...


P = TypeVar("P", bound=Plot)


class View(Generic[P]):
    """A plot in the picture of an explorer, declared in its class; `explorer.name` is the plot.

    plot: makes it from its axes. cell, room, title, indent and further settings of the axes: see `plots.panel`;
    without room the axes fill the cell. over: another view whose axes it shares.
    click: what a click or drag there does: "edit" the examples, or set the controls that `click(plot, place)` says.
    compared: `compare` keeps its lines, those of its `ghosts()`.
    """

    def __init__(
        self, plot: Callable[[Axes], P], cell: Box = (0, 0, 1, 1), room: Box = (0, 0, 0, 0), title: str = "",
        indent: float = 0.0, *, over: View[Any] | None = None, compared: bool = False,
        click: Literal["edit"] | Callable[[P, Point], dict[str, Any]] | None = None, **axes: Any,
    ) -> None:
        self.plot, self.over, self.click, self.compared, self.name = plot, over, click, compared, ""
        self._place: Any = (cell, room, title, indent)
        self._axes = axes

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    @overload
    def __get__(self, explorer: None, owner: type) -> Self: ...
    @overload
    def __get__(self, explorer: Any, owner: type) -> P: ...
    def __get__(self, explorer: Any, owner: type) -> Self | P:
        return self if explorer is None else explorer.plots[self.name]

    def draw(self, figure: Figure, drawn: dict[str, Axes]) -> tuple[Axes, P]:
        """Its axes and its plot. drawn: the axes of the views before it."""
        axes = panel(figure, *self._place, **self._axes) if self.over is None else drawn[self.over.name]
        return axes, self.plot(axes)


def to_step(curves: ObjectiveCurves, place: Point) -> dict[str, int]:
    """The click on curves against steps: go to that step."""
    made = len(np.atleast_1d(curves.curves[0].get_xdata())) - 1
    return {"k": int(np.clip(round(place[0] * curves.ruler.scale["x"]), 0, made))}

