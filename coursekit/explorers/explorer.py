"""What all explorers share: a strip of controls, a picture, a sentence, and a state to read and set.

An explorer holds no mathematics. It hands the values of its controls to a pure `compute`, the result to
the plots, and the sentence to the picture.
"""

from __future__ import annotations

import base64
import shlex
from collections.abc import Callable
from numbers import Real
from threading import RLock
from typing import Any

import ipywidgets as widgets
import matplotlib.style
from matplotlib.artist import Artist
from matplotlib.figure import Figure

from coursekit.explorers.picture import Picture, Stroke
from coursekit.plots import STYLE


class State(dict[str, Any]):
    """The values of all controls and everything computed from them; state.lam is state["lam"]."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"state has {', '.join(self)}; not {name!r}") from None


class Explorer:
    """A picture that follows its controls. Subclasses fill in what the methods below leave open.

    Explorer("lam=0.01 seed=3", eta=0.5): controls are set from one short line, from keywords, or both.
    Every control is an attribute: explorer.lam reads it, explorer.lam = 0.1 sets it and redraws.
    .state: control values and everything computed. .sentence: what the picture shows. .preset: the
    line that leads back here. .png(): the picture. .reset(): as at the start.
    """

    ends: tuple[str, ...] = ()  # controls whose upper end follows the state; setting more means the end

    def controls(self) -> dict[str, widgets.Widget]:
        """The controls by name, in the order in which they stand in the strip."""
        raise NotImplementedError

    def draw_once(self) -> tuple[Figure, list[Artist]]:
        """The figure with its plots, and the artists that will move."""
        raise NotImplementedError

    @staticmethod
    def compute(**values: Any) -> dict[str, Any]:
        """Everything the picture needs, from the values of the controls."""
        raise NotImplementedError

    def follow(self, state: State) -> None:
        """Fit the controls to the state: where a slider ends, which control has no effect now."""

    def show(self, state: State) -> str:
        """Hand the state to the plots; return the sentence that says what they show."""
        raise NotImplementedError

    touch: Callable[[Stroke], None] | None = None  # a method here is called when the picture is touched

    def __init__(self, preset: str = "", **values: Any) -> None:
        self.__dict__["_controls"] = {}
        self._lock, self._quiet = RLock(), True
        self._controls.update(self.controls())
        with matplotlib.style.context(STYLE):
            figure, moving = self.draw_once()
        self.picture = Picture(figure, moving, self.touch)
        for control in self._controls.values():
            control.observe(self._changed, "value")
        self._update()
        self.set(preset, **values)
        self._start = self._values()
        self.widget = widgets.VBox([*self.strip(), self.picture], layout=widgets.Layout(max_width="100%"))

    def strip(self) -> list[widgets.Widget]:
        """The rows above the picture."""
        reset = button("Reset", "put every control back to where it was at the start", self.reset)
        return [row(*self._controls.values(), reset)]

    def _values(self) -> dict[str, Any]:
        return {name: control.value for name, control in self._controls.items()}

    def _changed(self, _change: object) -> None:
        with self._lock:
            if not self._quiet:
                self._update()

    def _update(self) -> None:
        """Compute and draw. Controls that follow() moves must not start another round."""
        with self._lock:
            self._quiet = True
            try:
                values = self._values()
                self.state = State(values | self.compute(**values))
                self.follow(self.state)
                self.picture.draw(self.show(self.state))
            finally:
                self._quiet = False

    def set(self, preset: str = "", **values: Any) -> None:
        """Set several controls and draw once: set("lam=0.01 seed=3") or set(lam=0.01, seed=3)."""
        values = self._parsed(preset) | values
        for name, value in values.items():
            self._checked(name, value)
        with self._lock:
            self._quiet = True
            try:
                for name, value in values.items():
                    self._assign(name, value)
            finally:
                self._quiet = False
            self._update()

    def reset(self) -> None:
        self.set(**self._start)

    @property
    def sentence(self) -> str:
        return self.picture.sentence

    @property
    def preset(self) -> str:
        return " ".join(f"{name}={shlex.quote(f'{value}')}" for name, value in self._values().items())

    def png(self) -> bytes:
        """The picture as the bytes of a PNG file."""
        with self._lock:
            return self.picture.png()

    def _parsed(self, preset: str) -> dict[str, Any]:
        values: dict[str, Any] = {}
        for part in shlex.split(preset):
            name, equals, text = part.partition("=")
            if not equals:
                raise ValueError(f'preset must be like "lam=0.01 seed=3"; got {part!r}')
            current = self._control(name).value
            try:
                values[name] = text if isinstance(current, str) else float(text)
            except ValueError:
                raise ValueError(f"{name} must be a number; got {text!r}") from None
        return values

    def _control(self, name: str) -> widgets.Widget:
        if name not in self._controls:
            raise ValueError(f"control must be one of {', '.join(self._controls)}; got {name!r}")
        return self._controls[name]

    def _checked(self, name: str, value: Any) -> None:
        control = self._control(name)
        if isinstance(control, widgets.Dropdown):
            known = list(control.options)
            if value not in known:
                raise ValueError(f"{name} must be one of {', '.join(map(repr, known))}; got {value!r}")
            return
        low, high = limits(control)
        if name in self.ends:
            high = float("inf")
        whole = type(control.value) is int
        if isinstance(value, bool) or not isinstance(value, Real) or not low <= value <= high or value % 1 * whole:
            kind = "whole number" if whole else "number"
            raise ValueError(f"{name} must be a {kind} from {low:g} to {high:g}; got {value!r}")

    def _assign(self, name: str, value: Any) -> None:
        control = self._controls[name]
        if name in self.ends:
            control.max = max(control.max, value)
        with control.hold_sync():
            if isinstance(control, widgets.SelectionSlider) and value not in [v for _, v in control.options]:
                control.options = _options([*control.grades, float(value)])
            control.value = type(control.value)(value)

    def __getattr__(self, name: str) -> Any:
        if name in self.__dict__.get("_controls", {}):
            return self._controls[name].value
        raise AttributeError(f"{type(self).__name__} has no attribute {name!r}")

    def __setattr__(self, name: str, value: Any) -> None:
        if name in self._controls:
            self.set(**{name: value})
        elif "widget" in self.__dict__ and not hasattr(self, name):
            raise AttributeError(f"control must be one of {', '.join(self._controls)}; got {name!r}")
        else:
            super().__setattr__(name, value)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._controls]

    def __repr__(self) -> str:
        return self.sentence

    def _repr_mimebundle_(self, **_kwargs: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        """The live widget, the still picture for where nothing runs, and the sentence."""
        still = {"image/png": base64.b64encode(self.png()).decode(), "text/plain": self.sentence}
        return self.widget._repr_mimebundle_() | still, {"image/png": {"alt": self.sentence}}


def limits(control: widgets.Widget) -> tuple[float, float]:
    if isinstance(control, widgets.SelectionSlider):
        values = [value for _, value in control.options]
        return values[0], values[-1]
    return control.min, control.max


_WIDE = {"description_width": "80px"}


def _layout() -> widgets.Layout:
    return widgets.Layout(flex="1 1 264px", width="auto", max_width="300px")


def graded(description: str, value: float, grades: list[float], tooltip: str) -> widgets.SelectionSlider:
    """A slider that stops at the `grades`; Python may set it to any value between them.

    Not a FloatSlider: in the browser that one answers every value Python sets with the same value off by
    rounding or moved to its grid, and the late answer overwrites what Python has set meanwhile.
    """
    made = widgets.SelectionSlider(
        options=_options([*grades, value]), value=value, description=description, style=_WIDE, layout=_layout(),
        tooltip=tooltip,
    )
    made.grades = grades
    return made


def _options(values: list[float]) -> list[tuple[str, float]]:
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
        value=value, min=low, max=high, description=description, style=_WIDE, layout=_layout(), tooltip=tooltip
    )


def choice(description: str, options: list[str], value: str | None = None) -> widgets.Dropdown:
    return widgets.Dropdown(
        options=options, value=value or options[0], description=description, style=_WIDE, layout=_layout()
    )


def button(description: str, tooltip: str, action: Any) -> widgets.Button:
    made = widgets.Button(description=description, tooltip=tooltip, layout=widgets.Layout(width="auto"))
    made.on_click(lambda _button: action())
    return made


def row(*parts: widgets.Widget) -> widgets.Box:
    """Parts side by side, in as many lines as the page is narrow."""
    return widgets.Box(parts, layout=widgets.Layout(flex_flow="row wrap", max_width="900px", align_items="center"))
