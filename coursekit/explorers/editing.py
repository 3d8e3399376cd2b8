"""Examples that can be touched: added, moved and removed, by the pointer, by keys, by buttons and from Python."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

import ipywidgets as widgets
import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from coursekit.core import validate
from coursekit.core.datasets import Dataset
from coursekit.core.validate import Floats
from coursekit.explorers import controls as parts
from coursekit.explorers.explorer import Explorer, repeated
from coursekit.explorers.picture import Stroke
from coursekit.explorers.state import State
from coursekit.plots.style import current, use

GRID = 0.05  # examples are put on a grid this fine
GRIP = 13.5  # a press so near to an example takes hold of it, in hundredths of an inch
STRIDE = 0.1  # how far an arrow key moves an example; five times as far with Shift
ARROWS = {"ArrowLeft": (-1, 0), "ArrowRight": (1, 0), "ArrowDown": (0, -1), "ArrowUp": (0, 1)}
SIGNS = {"+": 1.0, "-": -1.0}
EDIT = re.compile(r"(\+\d|[+-]|\d+)\((?:([^(),]+),([^(),]+))?\)")


class Editing(Explorer):
    """An explorer with examples in a plane that can be changed.

    Its controls have: example (the one in the square; -1: none), label (class of a point that a click
    adds), edits. edits is a list of changes to the data, done one after another: "+(1,2)" adds a positive
    example, "-(1,2)" a negative one, where there are more classes "+2(1,2)" one of class 2; "7(1,2)" moves
    example 7, "7()" removes it. add(), move(), remove() and undo() write it; so do buttons, keys in the
    picture, and a click or a drag among the examples.
    A subclass sets `plane` to the axes of the examples, and its state has data, done_edits and problem
    from `edited`, and example.
    """

    plane: Axes
    reach = 10.0  # examples can be put from -reach to reach both ways
    renewing: tuple[str, ...] = ()  # controls that bring other examples; the edits go with the old ones
    tucked = ("example", "label", "edits")
    ends = ("example",)
    marks_example = True  # whether the square is to be drawn here
    key_help = (
        "N and P choose an example, arrows move it (Shift: further), Delete removes it, A adds one, Ctrl+Z undoes. "
        + Explorer.key_help
    )

    def original(self, values: Mapping[str, Any]) -> Dataset:
        """The examples before they are edited, for these values of the controls."""
        raise NotImplementedError

    @staticmethod
    def editing(n: int, labels: tuple[str, ...] = ("+1", "-1")) -> dict[str, widgets.Widget]:
        label = parts.choice("click adds", list(labels))
        label.layout.max_width = "160px"
        return {
            "example": parts.whole("example", -1, -1, n - 1, "which example stands in the square; -1: none"),
            "label": label,
            "edits": parts.text("edits", "+(1,2) adds, 7(1,2) moves, 7() removes"),
        }

    def edit_row(self) -> widgets.Widget:
        """The controls that have no other place, and buttons."""
        return parts.row(
            *(self._controls[name] for name in Editing.tucked[:2] if name in self.tucked),
            parts.button("Add", "a new point of this class in the middle (in the picture: A)", self.add),
            parts.button("Remove", "remove the example in the square (in the picture: Delete)", self.remove),
            parts.button("Undo", "take back the last of the edits (in the picture: Ctrl+Z)", self.undo),
            self._controls["edits"],
        )

    def more_tools(self) -> list[widgets.Widget]:
        return [self.edit_row()]

    def keys(self) -> dict[str, Callable[[int], object]]:
        moves = {
            prefix + name: lambda times, x=x * far, y=y * far: self._push(times * x, times * y)
            for prefix, far in (("", STRIDE), ("Shift+", 5 * STRIDE))
            for name, (x, y) in ARROWS.items()
        }
        return super().keys() | moves | {
            "n": self._choose,
            "p": lambda times: self._choose(-times),
            "a": repeated(self.add),
            "Delete": repeated(self.remove),
            "Backspace": repeated(self.remove),
            "Ctrl+z": repeated(self.undo),
        }

    def add(self, x1: float | None = None, x2: float | None = None, label: Any = None) -> None:
        """A new example at (x1, x2), by default in the middle, of the class label (the chosen one if None).

        It goes into the square.
        """
        middle = self._placed([np.mean(self.plane.get_xlim()), np.mean(self.plane.get_ylim())])
        at = (middle[0] if x1 is None else x1, middle[1] if x2 is None else x2)
        if label is None:
            label = int(self.label)
        signs = self.state.data.y.dtype.kind == "f"
        known = (-1, 1) if signs else range(len(self.state.data.classes))
        mark = f"{validate.one_of('label', label, known):+d}"
        mark = mark[0] if signs else mark
        self.set(edits=_listed(*self.state.done_edits, _edit(mark, at)), example=len(self.state.data))

    def move(self, example: int, x1: float, x2: float) -> None:
        """Put an example at (x1, x2). Moving the one that the last edit added or moved changes that edit."""
        *before, last = ["", *self.state.done_edits]
        if last.startswith(f"{example}(") and not last.endswith("()"):
            edit = _edit(f"{example}", (x1, x2))
        elif last and not last[0].isdigit() and example == len(self.state.data) - 1:
            edit = _edit(last.partition("(")[0], (x1, x2))
        else:
            before, edit = [*before, last], _edit(f"{example}", (x1, x2))
        self.set(edits=_listed(*before, edit), example=example)

    def remove(self, example: int | None = None) -> None:
        """Remove an example (the one in the square if None)."""
        example = self.state.example if example is None else validate.count("example", example, 0)
        if example >= 0:
            self.set(edits=_listed(*self.state.done_edits, f"{example}()"))

    def undo(self) -> None:
        """Take back the last of the edits."""
        done = self.state.done_edits
        self.edits = _listed(*done) if self.state.problem else _listed(*done[:-1])

    def touch(self, stroke: Stroke) -> None:
        """A press on an example takes hold of it, elsewhere it adds one; a drag moves it."""
        if stroke.axes is not self.plane:
            return
        if stroke.first:
            held = self.held(stroke.start)
            if held is None:
                self.add(*self._placed(stroke.start))
            else:
                self.example = held
            self._dragged = self.example
        # A button can overtake the end of a drag: then another example stands in the square.
        if stroke.at != stroke.start and self.example == self._dragged:
            self.move(self.example, *self._placed(stroke.at))

    def held(self, place: tuple[float, float]) -> int | None:
        """The example that a press at this place takes hold of."""
        to_pixels = self.plane.transData.transform
        distances = np.hypot(*(to_pixels(self.state.data.X) - to_pixels(place)).T)
        nearest = int(distances.argmin())
        return nearest if distances[nearest] <= GRIP * self.plane.figure.dpi / 100 else None

    def set(self, preset: str = "", **values: Any) -> None:
        values = self._parsed(preset) | values
        if "edits" not in values and any(values.get(name, now) != now for name, now in self._renewing().items()):
            values["edits"] = ""
        super().set(**values)

    def _changed(self, change: Any) -> None:
        if not self._quiet and self.edits and change["owner"] in [self._controls[name] for name in self.renewing]:
            self.set(edits="")
        else:
            super()._changed(change)

    def _renewing(self) -> dict[str, Any]:
        return {name: self._controls[name].value for name in self.renewing}

    def _check(self, values: Mapping[str, Any]) -> None:
        super()._check(values)
        after = self._values() | self._typed(values)
        if "edits" in values and (problem := edited(self.original(after), after["edits"], self.reach)[2]):
            raise ValueError(problem)

    def follow(self, state: State) -> None:
        self._controls["example"].max = len(state.data) - 1
        if self.marks_example:
            self._square_at(state.data.X[[state.example] if state.example >= 0 else []])

    _dragged: int | None = None
    _square: Line2D | None = None

    def _square_at(self, place: Floats) -> None:
        if self._square is None and len(place):
            with use(self._style):
                ink = current().ink
                square = Line2D([], [], ls="", marker="s", markersize=18, mfc="none", mec=ink, mew=1.4, zorder=2.5)
            self.plane.add_artist(square)
            self.picture.add([square])
            self._square = square
        if self._square is not None:
            self._square.set_data(*place.T)

    def _choose(self, by: int) -> None:
        self.example = (max(self.state.example, 0 if by < 0 else -1) + by) % len(self.state.data)

    def _push(self, x: float, y: float) -> None:
        if self.state.example < 0:
            self._choose(1)
        else:
            self.move(self.state.example, *self._placed(self.state.data.X[self.state.example] + (x, y)))

    def _placed(self, place: Any) -> Floats:
        """The nearest place on the grid that can be seen."""
        low, high = np.array([self.plane.get_xlim(), self.plane.get_ylim()]).T
        ends = np.clip([np.ceil(low / GRID), np.floor(high / GRID)], -self.reach / GRID, self.reach / GRID)
        return np.clip(np.round(np.asarray(place) / GRID), *ends) * GRID + 0.0


@lru_cache(maxsize=16)
def edited(data: Dataset, edits: str, reach: float = Editing.reach) -> tuple[Dataset, tuple[str, ...], str]:
    """The data after the edits, those that were done, and what is wrong with the first that was not (or "")."""
    X, y, done, problem = data.X.tolist(), data.y.tolist(), [], ""
    marks = SIGNS if data.y.dtype.kind == "f" else {f"+{k}": k for k in range(len(data.classes))}
    for edit in edits.split():
        who, *place = match.groups() if (match := EDIT.fullmatch(edit)) else ("", None)
        problem = _trouble(edit, who, place, y, marks, reach)
        if problem:
            break
        at = None if place[0] is None else [float(p) for p in place]
        if who in marks:
            X.append(at)
            y.append(marks[who])
        elif at is None:
            del X[int(who)], y[int(who)]
        else:
            X[int(who)] = at
        done.append(edit)
    if not done:
        return data, (), problem
    changed = Dataset(np.array(X), np.array(y, data.y.dtype), data.features, data.classes, data.name)
    return changed, tuple(done), problem


def _trouble(
    edit: str, who: str, place: list[str | None], y: list[Any], marks: Mapping[str, Any], reach: float
) -> str:
    """Why this edit cannot be done to examples with the labels y, or ""."""
    adds = " or ".join(f"{mark}(1,2)" for mark in marks)
    form = f"edits must be like {adds} to add, 7(1,2) to move, 7() to remove; got {edit}"
    try:
        at = [float(p) for p in place if p is not None]
    except ValueError:
        return form
    if not who or (not who.isdigit() and (who not in marks or not at)):
        return form
    if not all(abs(p) <= reach for p in at):
        return f"edits must keep x1 and x2 from {-reach:g} to {reach:g}; got {edit}"
    if who.isdigit() and int(who) >= len(y):
        return f"edits must name an example from 0 to {len(y) - 1}; got {edit}"
    if not at and len(y) == 1:
        return f"edits must leave at least one example; got {edit}"
    if not at and marks is not SIGNS and y.count(y[int(who)]) == 1:
        return f"edits must leave every class an example; got {edit}"
    return ""


def _edit(who: str, place: Any) -> str:
    x1, x2 = (validate.number(name, value) for name, value in zip(("x1", "x2"), place, strict=True))
    return f"{who}({x1:.4g},{x2:.4g})"


def _listed(*edits: str) -> str:
    return " ".join(edit for edit in edits if edit)
