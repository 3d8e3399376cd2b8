"""Examples that can be touched: added, moved and removed, by the pointer, by keys, by buttons and from Python."""

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, ClassVar, TypeVar

import ipywidgets as widgets
import numpy as np

from coursekit.core import validate
from coursekit.core.datasets import Dataset
from coursekit.explorers import controls as parts
from coursekit.explorers.controlled import ByName, State
from coursekit.explorers.controls import Action, Control, arrows, repeated
from coursekit.explorers.explorer import Explorer
from coursekit.explorers.picture import Hold, Picture, Stroke
from coursekit.explorers.view import View
from coursekit.plots.boundary import corners
from coursekit.plots.marks import Axes, Floats, Plot, Style

GRID = 0.05  # examples are put on a grid this fine
SIGNS = {"+": 1.0, "-": -1.0}
EDIT = re.compile(r"(\+\d|[+-]|\d+)\((?:([^(),]+),([^(),]+))?\)")
F = TypeVar("F")


def one_example(value: int = -1, **role: Any) -> Control[int]:
    """Which example is in the square; -1, where that is allowed, for none."""
    tooltip = "which example is in the square" + ("; -1: none" if value < 0 else "")
    return parts.whole("example", value, value, 0, tooltip, last=lambda state: len(state.data) - 1, **role)


class Square(Plot):
    """A square around one example."""

    def make(self, ax: Axes, look: Style) -> None:
        self.ring = self.add_ring(18, 1.4, "s", zorder=2.5)


class Editing(Explorer[F]):
    """An explorer with examples in a plane that can be changed.

    A subclass has a static method `data`, which names controls and returns the examples before they are edited, and
    a view with click="edit", in which they are shown. Its `model` can also name `data`, the edited examples, and
    `original`. Controls declared with `renews=True` bring other examples: the edits of the old ones are given up.

    The controls example (the one in the square; -1: none), label (class of a point that a click adds) and edits are
    added. edits is a list of changes to the data, done one after another: "+(1,2)" adds a positive example, "-(1,2)" a
    negative one, where there are more classes "+2(1,2)" one of class 2; "7(1,2)" moves example 7, "7()" removes it.
    add(), move(), remove() and undo() write it; so do buttons, keys in the picture, and a click or a drag there.
    """

    example = one_example(tucked=True)
    label = parts.choice("click adds", ("+1", "-1"), tucked=True)
    edits = parts.text("edits", "+(1,2) adds, 7(1,2) moves, 7() removes", tucked=True)
    reach: ClassVar[float] = 10.0  # examples can be put from -reach to reach both ways
    marks_example: ClassVar[bool] = True  # whether the square is drawn here
    marked = ("example", "problem")
    key_help = (
        "N and P choose an example, arrows move it (Shift: farther), Delete removes it, A adds one, Ctrl+Z undoes. "
        + Explorer.key_help
    )
    data: ClassVar[Callable[..., Dataset]]  # the examples before they are edited
    _data: ClassVar[ByName[Dataset]]
    _plane: ClassVar[str]  # the view of the examples

    def __init_subclass__(cls, layout: str = "") -> None:
        super().__init_subclass__(layout)
        cls._data = ByName(f"{cls.__name__}.data", cls.data, kept=8)
        cls._plane = next(name for name, view in cls.views.items() if view.click == "edit")
        if cls.marks_example:
            cls.views = {**cls.views, "square": View(Square, over=cls.views[cls._plane])}

    def known(self, values: Mapping[str, Any]) -> dict[str, Any]:
        known = super().known(values)
        known["original"] = known["own"] or self._data(known=values)
        known["data"], known["done_edits"], known["problem"] = edited(known["original"], values["edits"], self.reach)
        return known | {"example": min(values["example"], len(known["data"]) - 1)}

    def implied(self, changes: Mapping[str, Any]) -> dict[str, Any]:
        if not any(self.declared[name].renews and value != self.values[name] for name, value in changes.items()):
            return {}
        if "edits" not in changes:
            self.check({"edits": ""})  # it may be fixed
        return {"edits": ""}

    def check(self, values: Mapping[str, Any]) -> None:
        super().check(values)
        if "edits" in values and (problem := self.known({**self.values, **self.typed(values)})["problem"]):
            raise ValueError(problem)

    def draw(self, state: State, found: F) -> str:
        if self.marks_example:
            self.plots["square"].ring.set(data=state.data.X[[state.example]].T, visible=state.example >= 0)
        sentence = super().draw(state, found)
        return state.problem or sentence

    @property
    def plane(self) -> Axes:
        """The axes of the examples."""
        return self.axes[self._plane]

    def more_tools(self) -> list[widgets.Widget]:
        tucked = [name for name in ("example", "label") if self.declared[name].tucked and name not in self.mains]
        return [parts.group(
            "ck-tools", *(self.controls[name] for name in tucked),
            parts.button("Add", "a new point of this class in the middle (in the picture: A)", self.add),
            parts.button("Remove", "remove the example in the square (in the picture: Delete)", self.remove),
            parts.button("Undo", "take back the last of the edits (in the picture: Ctrl+Z)", self.undo),
            self.controls["edits"],
        )]  # fmt: skip

    def keys(self) -> dict[str, Action]:
        return super().keys() | arrows(self._nudge) | {
            "n": self._choose, "p": lambda times: self._choose(-times), "a": repeated(self.add),
            "Delete": repeated(self.remove), "Backspace": repeated(self.remove), "Ctrl+z": repeated(self.undo),
        }

    def add(self, x1: float | None = None, x2: float | None = None, label: Any = None) -> None:
        """A new example at (x1, x2), by default in the middle, of the class label (the chosen one if None).

        It goes into the square.
        """
        with Picture.lock:
            middle = self._placed(np.mean(corners(self.plane), axis=0))
            at = (middle[0] if x1 is None else x1, middle[1] if x2 is None else x2)
            signs = self.state.data.y.dtype.kind == "f"
            known = (-1, 1) if signs else range(len(self.state.data.classes))
            mark = f"{validate.one_of('label', int(self.label) if label is None else label, known):+d}"
            mark = mark[0] if signs else mark
            self.set(edits=" ".join([*self.state.done_edits, _edit(mark, at)]), example=len(self.state.data))

    def move(self, example: int, x1: float, x2: float) -> None:
        """Put an example at (x1, x2). Moving the one that the last edit added or moved changes that edit."""
        with Picture.lock:
            done: tuple[str, ...] = self.state.done_edits
            who, last = f"{example}", "".join(done[-1:])
            again = last.startswith(f"{example}(") and not last.endswith("()")
            if last and not last[0].isdigit() and example == len(self.state.data) - 1:
                who, again = last.partition("(")[0], True
            self.set(edits=" ".join([*done[: len(done) - again], _edit(who, (x1, x2))]), example=example)

    def remove(self, example: int | None = None) -> None:
        """Remove an example (the one in the square if None)."""
        with Picture.lock:
            example = self.example if example is None else validate.count("example", example, 0)
            if example >= 0:
                self.set(edits=" ".join([*self.state.done_edits, f"{example}()"]))

    def undo(self) -> None:
        """Take back the last of the edits."""
        with Picture.lock:
            done = self.state.done_edits
            self.edits = " ".join(done if self.state.problem else done[:-1])

    def grab(self, stroke: Stroke) -> Hold | None:
        """Among the examples, a press on one takes hold of it, elsewhere it adds one; a drag moves it."""
        if stroke.axes is not self.plane:
            return super().grab(stroke)
        held = stroke.nearest(self.state.data.X)
        if stroke.at != stroke.start and stroke.nearest(self.state.data.X[self._chosen_one]) is not None:
            held = self.example  # a finger's first word of it is that it moves
        if held is None:
            self.add(*self._placed(stroke.start))
        else:
            self.example = held
        dragged = self.example

        def drag(now: Stroke) -> None:
            if now.at != now.start and self.example == dragged:  # a button can overtake the end of a drag
                self.move(dragged, *self._placed(now.at))

        return drag

    def grips(self) -> list[tuple[Axes, Floats]]:
        return [(self.plane, self.state.data.X), *super().grips()]

    def handles(self, grips: list[tuple[Axes, Floats]]) -> list[tuple[Axes, Floats]]:
        """All but the examples; of those the one in the square, which a tap has chosen."""
        return [*grips[1:], (self.plane, self.state.data.X[self._chosen_one])]

    @property
    def _chosen_one(self) -> list[int]:
        return [self.example] if self.example >= 0 else []

    def _choose(self, by: int) -> None:
        self.example = (max(self.example, 0 if by < 0 else -1) + by) % len(self.state.data)

    def _nudge(self, x: float, y: float) -> None:
        if self.example < 0:
            self._choose(1)
        else:
            self.move(self.example, *self._placed(self.state.data.X[self.example] + (x, y)))

    def _placed(self, place: Any) -> Floats:
        low, high = corners(self.plane)
        ends = np.clip([np.ceil(low / GRID), np.floor(high / GRID)], -self.reach / GRID, self.reach / GRID)
        return np.clip(np.round(np.asarray(place) / GRID), *ends) * GRID + 0.0


@lru_cache(maxsize=16)
def edited(data: Dataset, edits: str, reach: float) -> tuple[Dataset, tuple[str, ...], str]:
    """The data after the edits, those that were done, and what is wrong with the first that was not (or "")."""
    X, y, done, problem = data.X.tolist(), data.y.tolist(), [], ""
    marks = SIGNS if data.y.dtype.kind == "f" else {f"+{k}": k for k in range(len(data.classes))}
    try:
        for edit in edits.split():
            _do(edit, X, y, marks, reach)
            done.append(edit)
    except ValueError as error:
        problem = str(error)
    if not done:
        return data, (), problem
    changed = Dataset(np.array(X), np.array(y, data.y.dtype), data.features, data.classes, data.name)
    return changed, tuple(done), problem


def _do(edit: str, X: list[list[float]], y: list[Any], marks: Mapping[str, Any], reach: float) -> None:
    """Change the examples X and their labels y. Raises ValueError, with nothing changed, where that cannot be."""
    form = f"edits must be like {' or '.join(f'{mark}(1,2)' for mark in marks)} to add, 7(1,2) to move, 7() to remove"
    try:
        who, *place = EDIT.fullmatch(edit).groups()  # type: ignore[union-attr]
        at = [float(x) for x in place if x is not None]
        if not who.isdigit() and (who not in marks or not at):
            raise ValueError
    except (AttributeError, ValueError):
        raise ValueError(f"{form}; got {edit}") from None
    if not all(abs(x) <= reach for x in at):
        raise ValueError(f"edits must keep x1 and x2 from {-reach:g} to {reach:g}; got {edit}")
    if who in marks:
        X.append(at)
        y.append(marks[who])
    elif (i := int(who)) >= len(y):
        raise ValueError(f"edits must name an example from 0 to {len(y) - 1}; got {edit}")
    elif at:
        X[i] = at
    elif len(y) == 1:
        raise ValueError(f"edits must leave at least one example; got {edit}")
    elif marks is not SIGNS and y.count(y[i]) == 1:
        raise ValueError(f"edits must leave every class an example; got {edit}")
    else:
        del X[i], y[i]


def _edit(who: str, place: Any) -> str:
    x1, x2 = (validate.number(name, value) for name, value in zip(("x1", "x2"), place, strict=True))
    return f"{who}({x1:.4g},{x2:.4g})"
