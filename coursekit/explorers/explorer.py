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
from matplotlib.artist import Artist
from matplotlib.figure import Figure

from coursekit.explorers.controls import button, limits, options, row
from coursekit.explorers.picture import Picture, Stroke
from coursekit.plots.style import named, use


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
    style: how the picture looks, one of ck.plots.STYLES ("light", "projector", "dark").
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

    def __init__(self, preset: str = "", *, style: str = "light", **values: Any) -> None:
        self.__dict__["_controls"] = {}
        self._lock, self._quiet = RLock(), True
        self._controls.update(self.controls())
        with use(named(style)):
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
                control.options = options([*control.grades, float(value)])
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
