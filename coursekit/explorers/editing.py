"""Examples that can be touched: added, moved and removed, by the pointer, by keys, by buttons and from Python."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from inspect import signature
from typing import Any, ClassVar, TypeVar

import ipywidgets as widgets
import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from coursekit.core import validate
from coursekit.core.datasets import Dataset
from coursekit.core.validate import Floats
from coursekit.explorers import controls as parts
from coursekit.explorers.controlled import State
from coursekit.explorers.controls import Control
from coursekit.explorers.explorer import Explorer, arrows, repeated
from coursekit.explorers.picture import Picture, Stroke
from coursekit.plots.boundary import corners
from coursekit.plots.style import current

GRID = 0.05  # examples are put on a grid this fine
SIGNS = {"+": 1.0, "-": -1.0}
EDIT = re.compile(r"(\+\d|[+-]|\d+)\((?:([^(),]+),([^(),]+))?\)")
F = TypeVar("F")


def one_example(value: int = -1, **role: Any) -> Control[int]:
    """Which example is in the square; -1, where that is allowed, for none."""
    said = "which example is in the square" + ("; -1: none" if value < 0 else "")
    return parts.whole("example", value, value, 0, said, last=lambda state: len(state.data) - 1, **role)


def click_adds(labels: tuple[str, ...]) -> Control[str]:
    """The class of the point that a click adds."""
    return parts.choice("click adds", labels, width="160px", tucked=True)


class Editing(Explorer[F]):
    """An explorer with examples in a plane that can be changed.

    A subclass has a static method `data`, which names controls and returns the examples before they are edited, and
    a view with click="edit", in which they are shown. Its `model` can also name `data`, the edited examples, and
    `original`. Controls declared with `renews=True` bring other examples: the edits of the old ones are given up.

    The controls example (the one in the square; -1: none), label (class of a point that a click adds) and edits are
    added. edits is a list of changes to the data, done one after another: "+(1,2)" adds a positive
    example, "-(1,2)" a negative one, where there are more classes "+2(1,2)" one of class 2; "7(1,2)" moves
    example 7, "7()" removes it. add(), move(), remove() and undo() write it; so do buttons, keys in the
    picture, and a click or a drag among the examples.
    """

    example = one_example(tucked=True)
    label = click_adds(("+1", "-1"))
    edits = parts.text("edits", "+(1,2) adds, 7(1,2) moves, 7() removes", tucked=True)

    reach: ClassVar[float] = 10.0  # examples can be put from -reach to reach both ways
    marks_example: ClassVar[bool] = True  # whether the square is drawn here
    key_help = (
        "N and P choose an example, arrows move it (Shift: further), Delete removes it, A adds one, Ctrl+Z undoes. "
        + Explorer.key_help
    )

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "data" in vars(cls):
            cls._data_names = tuple(signature(cls.data).parameters)
            cls._data = staticmethod(lru_cache(maxsize=8)(cls.data))

    _data_names: ClassVar[tuple[str, ...]] = ()
    _data: Callable[..., Dataset]

    @staticmethod
    def data(*args: Any, **kwargs: Any) -> Dataset:
        """The examples before they are edited."""
        raise NotImplementedError

    def known(self, values: Mapping[str, Any]) -> dict[str, Any]:
        original = self._data(**{name: values[name] for name in self._data_names})
        data, done_edits, problem = edited(original, values["edits"], self.reach)
        example = min(values["example"], len(data) - 1)
        return super().known(values) | {
            "original": original, "data": data, "done_edits": done_edits, "problem": problem, "example": example
        }

    @property
    def plane(self) -> Axes:
        """The axes of the examples."""
        return next(self.axes[name] for name, view in self.views.items() if view.click == "edit")

    def edit_row(self) -> list[widgets.Widget]:
        """The controls that have no other place, and buttons."""
        return [
            *(self.controls[name] for name in ("example", "label") if self.declared[name].tucked),
            parts.button("Add", "a new point of this class in the middle (in the picture: A)", self.add),
            parts.button("Remove", "remove the example in the square (in the picture: Delete)", self.remove),
            parts.button("Undo", "take back the last of the edits (in the picture: Ctrl+Z)", self.undo),
            self.controls["edits"],
        ]

    def more_tools(self) -> list[widgets.Widget]:
        return [parts.row(*self.edit_row())]

    def keys(self) -> dict[str, Callable[[int], object]]:
        return super().keys() | arrows(self._nudge) | {
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
        with Picture.lock:
            middle = self._placed(np.mean(corners(self.plane), axis=0))
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
        with Picture.lock:
            done: tuple[str, ...] = self.state.done_edits
            before, last = done[:-1], "".join(done[-1:])
            if last.startswith(f"{example}(") and not last.endswith("()"):
                edit = _edit(f"{example}", (x1, x2))
            elif last and not last[0].isdigit() and example == len(self.state.data) - 1:
                edit = _edit(last.partition("(")[0], (x1, x2))
            else:
                before, edit = done, _edit(f"{example}", (x1, x2))
            self.set(edits=_listed(*before, edit), example=example)

    def remove(self, example: int | None = None) -> None:
        """Remove an example (the one in the square if None)."""
        with Picture.lock:
            example = self.example if example is None else validate.count("example", example, 0)
            if example >= 0:
                self.set(edits=_listed(*self.state.done_edits, f"{example}()"))

    def undo(self) -> None:
        """Take back the last of the edits."""
        with Picture.lock:
            done = self.state.done_edits
            self.edits = _listed(*done) if self.state.problem else _listed(*done[:-1])

    def touch(self, stroke: Stroke) -> None:
        """Among the examples, a press on one takes hold of it, elsewhere it adds one; a drag moves it."""
        super().touch(stroke)
        if stroke.axes is not self.plane:
            return
        if stroke.first:
            held = stroke.nearest(self.state.data.X)
            if stroke.at != stroke.start and stroke.nearest(self.state.data.X[self._chosen_one]) is not None:
                held = self.example  # a finger's first word of it is that it moves
            if held is None:
                self.add(*self._placed(stroke.start))
            else:
                self.example = held
            self._dragged = self.example
        # A button can overtake the end of a drag: then another example is in the square.
        if stroke.at != stroke.start and self.example == self._dragged:
            self.move(self.example, *self._placed(stroke.at))

    def grips(self) -> list[tuple[Axes, Floats]]:
        return [(self.plane, self.state.data.X), *super().grips()]

    def handles(self) -> list[tuple[Axes, Floats]]:
        """All but the examples; of those the one in the square, which a tap has chosen."""
        return [*self.grips()[1:], (self.plane, self.state.data.X[self._chosen_one])]

    @property
    def _chosen_one(self) -> list[int]:
        return [self.example] if self.example >= 0 else []

    def _laid_out(self, wanted: tuple[str, ...]) -> tuple[Figure, list[Artist]]:
        sheet, moving = super()._laid_out(wanted)
        self._dragged = -1
        self._square = Line2D(
            [], [], ls="", marker="s", markersize=18, mfc="none", mec=current().ink, mew=1.4, zorder=2.5
        )
        self.plane.add_artist(self._square)
        return sheet, [*moving, self._square]

    def _go(self, moved: Mapping[str, Any]) -> None:
        renewed = any(self.declared[name].renews and value != self.values[name] for name, value in moved.items())
        if renewed and "edits" not in moved:
            self._check({"edits": ""})
            moved = {**moved, "edits": ""}
        super()._go(moved)

    def _check(self, values: Mapping[str, Any]) -> None:
        super()._check(values)
        if "edits" in values and (problem := self.known({**self.values, **self._typed(values)})["problem"]):
            raise ValueError(problem)

    def _beside(self, state: State) -> Any:
        return super()._beside(state), state.example, state.problem

    def _shown(self, state: State, found: F) -> str:
        if self.marks_example:
            self._square.set(data=state.data.X[[state.example]].T, visible=state.example >= 0)
        said = super()._shown(state, found)
        return state.problem or said

    def _choose(self, by: int) -> None:
        self.example = (max(self.example, 0 if by < 0 else -1) + by) % len(self.state.data)

    def _nudge(self, x: float, y: float) -> None:
        if self.example < 0:
            self._choose(1)
        else:
            self.move(self.example, *self._placed(self.state.data.X[self.example] + (x, y)))

    def _placed(self, place: Any) -> Floats:
        """The nearest place on the grid that can be seen."""
        low, high = corners(self.plane)
        ends = np.clip([np.ceil(low / GRID), np.floor(high / GRID)], -self.reach / GRID, self.reach / GRID)
        return np.clip(np.round(np.asarray(place) / GRID), *ends) * GRID + 0.0


@lru_cache(maxsize=16)
def edited(data: Dataset, edits: str, reach: float = Editing.reach) -> tuple[Dataset, tuple[str, ...], str]:
    """The data after the edits, those that were done, and what is wrong with the first that was not (or "")."""
    X, y, done, problem = data.X.tolist(), data.y.tolist(), [], ""
    marks = SIGNS if data.y.dtype.kind == "f" else {f"+{k}": k for k in range(len(data.classes))}
    for edit in edits.split():
        match = EDIT.fullmatch(edit)
        who, *place = match.groups() if match else ("", None)
        problem = _trouble(edit, who, place, y, marks, reach)
        if problem:
            break
        at = [float(p) for p in place if p is not None]
        if who in marks:
            X.append(at)
            y.append(marks[who])
        elif not at:
            del X[int(who)], y[int(who)]
        else:
            X[int(who)] = at
        done.append(edit)
    if not done:
        return data, (), problem
    changed = Dataset(np.array(X), np.array(y, data.y.dtype), data.features, data.classes, data.name)
    return changed, tuple(done), problem


def _trouble(
    edit: str, who: str, place: Sequence[str | None], y: list[Any], marks: Mapping[str, Any], reach: float
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
