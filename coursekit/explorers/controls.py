"""The sliders, menus and texts that explorers are made of, what each is for, and what keys do in the picture."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Any, Generic, TypeVar

import anywidget
import ipywidgets as widgets
import traitlets

from coursekit.models.shared import powers

V = TypeVar("V")
Action = Callable[[int], object]  # of a key, which is told how often it was pressed in a row
STRIDE = 0.1  # how far an arrow key moves an example
ARROWS = {"ArrowLeft": (-1, 0), "ArrowRight": (1, 0), "ArrowDown": (0, -1), "ArrowUp": (0, 1)}


class Fixed(ValueError):
    """A control that was fixed when the explorer was made is asked to move."""


@dataclass
class Control(Generic[V]):
    """A control of an explorer, declared in its class: `lam = controls.lam(0.1)`.

    `explorer.lam` reads its value, `explorer.lam = 0.2` sets it and draws. Its role, beyond being a number or a choice:
    walk: a run of the algorithm walks along it, at this many values a second: Step, Play and Rewind lie beside it.
    renews: it brings other examples, and edits of the old ones are given up.
    tucked: it has a place of its own among the tools, or none.
    last: its upper end, from the state of the explorer; setting more goes to the end.
    idle: whether it has no effect now, from the state: then it is gray.
    """

    make: Callable[[], widgets.Widget]
    walk: float = 0.0
    renews: bool = False
    tucked: bool = False
    last: Callable[[Any], int] | None = None
    idle: Callable[[Any], bool] | None = None
    name: str = ""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, explorer: Any, owner: type) -> V:
        return self if explorer is None else explorer.values[self.name]  # type: ignore[return-value]

    def __set__(self, explorer: Any, value: V) -> None:
        explorer.set(**{self.name: value})


def script(*names: str | Path) -> str:
    """A widget's script from several files, of this folder where a name says no other."""
    return "".join((Path(__file__).parent / name).read_text("utf-8") for name in names)


told: list[Any] = []  # widgets, what they were told, its number; they ask for more when only their answer is left


def hear(widget: Any, message: dict[str, Any], _buffers: object) -> None:
    """The newest of what a hand does, see newest.js. A model of ipywidgets keeps the next one until all is painted."""
    if "newest" in message:
        told.append((widget, [*message["newest"]], message["number"]))
        try:
            widget.set_state(message["newest"])
        finally:
            ask()


def ask() -> None:
    while told:
        widget, names, number = told.pop()
        widget.send({"next": widget.get_state(names), "number": number})


class Number(anywidget.AnyWidget, widgets.ValueWidget):
    """A number with a name: a slider over its stops, and a field to type it into.

    grades: its stops, in their order; without any, they are `step` apart. Python may set it to any value between them.
    ticks: values that mean something, and the word for each; they stand under its track where that is long.
    slides: whether it has a slider.
    """

    _esm = script("newest.js", "field.js", "number.js")
    _css = Path(__file__).with_name("number.css")
    description = traitlets.Unicode().tag(sync=True)
    value: Any = traitlets.Any().tag(sync=True, echo_update=False)
    grades: Any = traitlets.List().tag(sync=True)
    min: Any = traitlets.Any().tag(sync=True)
    max: Any = traitlets.Any().tag(sync=True)
    step: Any = traitlets.Any(1).tag(sync=True)
    slides = traitlets.Bool(True).tag(sync=True)
    ticks: Any = traitlets.List().tag(sync=True)
    disabled = traitlets.Bool(False).tag(sync=True)

    def __init__(self, *, grades: Sequence[float] = (), value: float, **look: Any) -> None:
        self.given = grades
        super().__init__(grades=sorted({*grades, value} if grades else ()), value=value, **look)
        self.on_msg(hear)

    @traitlets.validate("value")
    def _inside(self, proposal: dict[str, Any]) -> float:
        return type(self.min)(min(max(proposal["value"], self.min), self.max))


def graded(description: str, value: float, grades: list[float], tooltip: str, ticks: Mapping[float, str] = {},
           **role: Any) -> Control[float]:
    look = {"description": description, "tooltip": tooltip, "ticks": [*ticks.items()]}
    return Control(lambda: Number(grades=grades, value=value, min=grades[0], max=grades[-1], **look), **role)


def real(description: str, value: float, low: float, high: float, step: float, tooltip: str,
         **role: Any) -> Control[float]:
    grades = [round(float(low + k * step), 10) for k in range(round((high - low) / step) + 1)]
    return graded(description, value, grades, tooltip, **role)


def separability(value: float = 0.5, low: float = -2.0, high: float = 2.0, **role: Any) -> Control[float]:
    tooltip = "gap between the classes in units of their spread; below 0 they overlap"
    return real("separability", value, low, high, 0.05, tooltip, **role)


def eta(value: float = 1.0, low: float = -2.0, high: float = 1.0, **role: Any) -> Control[float]:
    """The step size: twenty values for each power of ten from `low` to `high`."""
    return graded("eta", value, powers(low, high, 20), "learning rate (step size)", tens(low, high), **role)


def lam(value: float = 0.0, low: float = -4.0, high: float = -1.0) -> Control[float]:
    """The regularization lambda: 0, then ten values for each power of ten from `low` to `high`."""
    ticks = {0.0: "0", **tens(low, high)}
    return graded("lambda", value, [0.0, *powers(low, high, 10)], "regularization", ticks=ticks)


def tens(low: float, high: float) -> dict[float, str]:
    """Ticks at the powers of ten from 10^low to 10^high."""
    exponents = range(math.ceil(low), math.floor(high) + 1)
    return {float(f"1e{k}"): f"1e{k}" if k < -4 else f"{10.0 ** k:g}" for k in exponents}


def seed(value: int = 0, **role: Any) -> Control[int]:
    return whole("seed", value, 0, 99, "which random data", **role)


def whole(description: str, value: int, low: int, high: int, tooltip: str, **role: Any) -> Control[int]:
    return Control(lambda: Number(value=value, min=low, max=high, description=description, tooltip=tooltip), **role)


def box(description: str, value: float, low: float, high: float, tooltip: str) -> Control[float]:
    look: dict[str, Any] = {"description": description, "tooltip": tooltip, "min": low, "max": high}
    return Control(lambda: Number(value=value, step=0.1, slides=False, **look))


def choice(description: str, options: Iterable[str], value: str | None = None, **role: Any) -> Control[str]:
    known = list(options)
    return Control(lambda: widgets.Dropdown(description=description, options=known, value=value or known[0]), **role)


def text(description: str, placeholder: str = "", **role: Any) -> Control[str]:
    """A text that counts when Enter is pressed or the focus leaves it."""
    look: dict[str, Any] = {"placeholder": placeholder, "continuous_update": False}
    return Control(lambda: widgets.Text(description=description, **look), **role)


def button(description: str, tooltip: str, action: Callable[[], object]) -> widgets.Button:
    """A button for `action`, which may try to move a control that is fixed: then nothing happens."""
    made = widgets.Button(description=description, tooltip=tooltip)

    def clicked(_button: widgets.Button) -> None:
        with suppress(Fixed):
            action()

    made.on_click(clicked)
    return made


def group(name: str, *parts: widgets.Widget) -> widgets.Box:
    """Parts that lie together, as picture.css says of this class."""
    return widgets.Box(parts, _dom_classes=(name,))


def stops(control: widgets.Widget) -> list[Any]:
    """The values from which a learner can choose, in their order; none for a text."""
    if not isinstance(control, Number):
        return list(getattr(control, "options", []))
    low, step = control.min, control.step
    return list(control.grades) or [round(low + k * step, 10) for k in range(round((control.max - low) / step) + 1)]


def position(control: widgets.Widget) -> int:
    """Which of its stops the control is at, or nearest to."""
    values, now = stops(control), control.value
    return values.index(now) if now in values else min(range(len(values)), key=lambda k: abs(values[k] - now))


def put(control: widgets.Widget, value: Any) -> None:
    """Move the control, which must be able to show this value."""
    if control.value == value:
        return
    with control.hold_sync():
        if isinstance(control, Number) and control.grades and value not in control.grades:
            control.grades = sorted({*control.given, value})
        control.value = value


def arrows(push: Callable[[float, float], object]) -> dict[str, Action]:
    """What the arrow keys do: `push(to the right, up)`, a `STRIDE` for each press and five with Shift."""
    strides = {"": STRIDE, "Shift+": 5 * STRIDE}
    return {key + name: partial(lambda x, y, times: push(times * x, times * y), x * far, y * far)
            for key, far in strides.items() for name, (x, y) in ARROWS.items()}


def repeated(action: Callable[[], object]) -> Action:
    """What a key does that was pressed several times."""
    return lambda times: [action() for _ in range(times)]


def press(names: Iterable[str], keys: Mapping[str, Action]) -> None:
    """Keys held down come several at a time: one action, and so one picture, for each run of the same key."""
    for name, presses in groupby(names):
        keys[name](len(list(presses)))
