"""The sliders, menus and buttons of the explorers, the same in each."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import ipywidgets as widgets

WIDE = {"description_width": "80px"}
NARROW = {"description_width": "initial"}


class Fixed(ValueError):
    """A control that was fixed when the explorer was made is asked to move."""


def limits(control: widgets.Widget) -> tuple[float, float]:
    if isinstance(control, widgets.SelectionSlider):
        values = [value for _, value in control.options]
        return values[0], values[-1]
    return control.min, control.max


def stops(control: widgets.Widget) -> list[Any]:
    """The values from which a learner can choose, in their order; none for a text."""
    if isinstance(control, (widgets.SelectionSlider, widgets.Dropdown)):
        return [option[1] if isinstance(option, tuple) else option for option in control.options]
    if isinstance(control, widgets.Text):
        return []
    if isinstance(control.value, int):
        return list(range(control.min, control.max + 1))
    count = round((control.max - control.min) / control.step) + 1
    return [round(control.min + k * control.step, 10) for k in range(count)]


def position(control: widgets.Widget) -> int:
    """Where the control stands among its stops, or which of them is nearest."""
    values = stops(control)
    if control.value in values:
        return values.index(control.value)
    return min(range(len(values)), key=lambda k: abs(values[k] - control.value))


def fluid() -> widgets.Layout:
    return widgets.Layout(flex="1 1 240px", width="auto", max_width="300px")


def graded(description: str, value: float, grades: list[float], tooltip: str) -> widgets.SelectionSlider:
    """A slider that stops at the `grades`; Python may set it to any value between them.

    Not a FloatSlider: in the browser that one answers every value Python sets with the same value off by
    rounding or moved to its grid, and the late answer overwrites what Python has set meanwhile.
    """
    made = widgets.SelectionSlider(
        options=options([*grades, value]), value=value, description=description, style=WIDE, layout=fluid(),
        tooltip=tooltip,
    )
    made.grades = grades
    return made


def options(values: list[float]) -> list[tuple[str, float]]:
    return [(f"{v:.4g}", v) for v in sorted(set(values))]


def real(description: str, value: float, low: float, high: float, step: float, tooltip: str) -> widgets.SelectionSlider:
    grades = [round(float(low + k * step), 10) for k in range(round((high - low) / step) + 1)]
    return graded(description, value, grades, tooltip)


def separability(value: float = 0.5, low: float = -2.0, high: float = 2.0) -> widgets.SelectionSlider:
    tooltip = "gap between the classes in units of their spread; below 0 they overlap"
    return real("separability", value, low, high, 0.05, tooltip)


def eta(value: float = 1.0, low: float = -2.0, high: float = 1.0) -> widgets.SelectionSlider:
    """The step size: twenty values for each power of ten from `low` to `high`."""
    return graded("eta", value, powers(low, high, 20), "learning rate (step size)")


def lam(value: float = 0.0, low: float = -4.0, high: float = -1.0) -> widgets.SelectionSlider:
    """The regularisation lambda: 0, then ten values for each power of ten from `low` to `high`."""
    return graded("lambda", value, [0.0, *powers(low, high, 10)], "regularisation")


def powers(low: float, high: float, per_ten: int) -> list[float]:
    """From 10^low to 10^high, `per_ten` for each power of ten, to three digits."""
    exact = [10 ** (low + k / per_ten) for k in range(round(per_ten * (high - low)) + 1)]
    return [float(f"{power:.3g}") for power in exact]


def seed(value: int = 0) -> widgets.IntSlider:
    return whole("seed", value, 0, 99, "which random data")


def whole(description: str, value: int, low: int, high: int, tooltip: str) -> widgets.IntSlider:
    return widgets.IntSlider(
        value=value, min=low, max=high, description=description, style=WIDE, layout=fluid(), tooltip=tooltip
    )


def choice(description: str, options: list[str], value: str | None = None) -> widgets.Dropdown:
    return widgets.Dropdown(
        options=options, value=value or options[0], description=description, style=WIDE, layout=fluid()
    )


def box(description: str, value: float, low: float, high: float, tooltip: str) -> widgets.BoundedFloatText:
    return widgets.BoundedFloatText(
        value=value, min=low, max=high, step=0.1, description=description, style=WIDE, layout=fluid(), tooltip=tooltip
    )


def text(description: str, placeholder: str) -> widgets.Text:
    """A line that counts when Enter is pressed or the focus leaves it."""
    return widgets.Text(
        description=description, placeholder=placeholder, continuous_update=False, style=NARROW,
        layout=widgets.Layout(flex="1 1 200px", width="auto"),
    )


def button(description: str, tooltip: str, action: Callable[[], object]) -> widgets.Button:
    """A button for `action`, which may try to move a control that is fixed: then nothing happens."""
    made = widgets.Button(description=description, tooltip=tooltip, layout=widgets.Layout(width="auto"))

    def clicked(_button: widgets.Button) -> None:
        with suppress(Fixed):
            action()

    made.on_click(clicked)
    return made


def row(*parts: widgets.Widget) -> widgets.Box:
    """Parts side by side, in as many lines as the page is narrow."""
    return widgets.Box(parts, layout=widgets.Layout(flex_flow="row wrap", max_width="900px", align_items="center"))
