"""The values of an explorer's controls: as attributes, as one short line, checked before they are set."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping
from numbers import Real
from typing import Any

import ipywidgets as widgets

from coursekit.core import validate
from coursekit.explorers.controls import Fixed, limits, options


class State(dict[str, Any]):
    """The values of all controls and everything computed from them; state.lam is state["lam"]."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"state has {', '.join(self)}; not {name!r}") from None


def _short(value: Any) -> str:
    """What reads back as the same value: 1 for 1.0."""
    return f"{value:.0f}" if isinstance(value, float) and value.is_integer() and abs(value) < 1e9 else f"{value}"


def _quoted(text: str) -> str:
    """As shlex.quote does, but text with single quotes inside stays readable."""
    return f'"{text}"' if "'" in text and not set('"\\') & set(text) else shlex.quote(text)


class Controlled:
    """Something with controls by name: each is an attribute, and all together are one line.

    `set` takes values, checks all of them, and only then assigns; a subclass says what else it does.
    """

    ends: tuple[str, ...] = ()  # controls whose upper end follows the state; setting more means the end
    _controls: dict[str, widgets.Widget]
    _defaults: dict[str, Any]
    _fixed: frozenset[str] = frozenset()

    def set(self, preset: str = "", **values: Any) -> None:
        raise NotImplementedError

    @property
    def preset(self) -> str:
        """The line that leads here: what differs from an explorer that was made without any."""
        return self._line(self._values())

    @preset.setter
    def preset(self, line: str) -> None:
        self.set(**self._defaults | self._parsed(line))

    def _values(self) -> dict[str, Any]:
        return {name: control.value for name, control in self._controls.items()}

    def _line(self, values: Mapping[str, Any], always: str = "") -> str:
        told = {n: value for n, value in values.items() if n == always or value != self._defaults[n]}
        return " ".join(f"{name}={_quoted(_short(value))}" for name, value in told.items())

    def _parsed(self, line: str) -> dict[str, Any]:
        if not isinstance(line, str):
            raise TypeError(f'preset must be a line like "lam=0.01 seed=3"; got {line!r}')
        try:
            parts = shlex.split(line)
        except ValueError as error:
            raise ValueError(f"preset must close its quotes; got {line!r} ({error})") from None
        values: dict[str, Any] = {}
        for part in parts:
            name, equals, text = part.partition("=")
            if not equals:
                raise ValueError(f'preset must be like "lam=0.01 seed=3"; got {part!r}')
            current = self._control(name).value
            try:
                values[name] = text if isinstance(current, str) else float(text)
            except ValueError:
                raise ValueError(f"{name} must be a number; got {text!r}") from None
        return values

    def _typed(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """The values as the controls hold them: a line knows only floats and texts."""
        return {name: type(self._controls[name].value)(value) for name, value in values.items()}

    def _control(self, name: str) -> widgets.Widget:
        if name not in self._controls:
            raise ValueError(f"control must be one of {', '.join(self._controls)}; got {name!r}")
        return self._controls[name]

    def _named(self, argument: str, names: str | Iterable[str]) -> frozenset[str]:
        """The names of controls that `argument` was given, as several or as one text."""
        listed = names.split() if isinstance(names, str) else validate.names(argument, names)
        for name in listed:
            if name not in self._controls:
                raise ValueError(f"{argument} must name controls among {', '.join(self._controls)}; got {name!r}")
        return frozenset(listed)

    def _check(self, values: Mapping[str, Any]) -> None:
        """Raise ValueError for the first value that cannot be set."""
        for name, value in values.items():
            control = self._control(name)
            if isinstance(control, widgets.Dropdown):
                known = list(control.options)
                if value not in known:
                    raise ValueError(f"{name} must be one of {', '.join(map(repr, known))}; got {value!r}")
            elif isinstance(control, widgets.Text):
                if not isinstance(value, str):
                    raise ValueError(f"{name} must be a text; got {value!r}")
            else:
                self._check_number(name, control, value)
            if name in self._fixed and value != control.value:
                raise Fixed(f"{name} is fixed at {control.value}; got {value!r}")

    def _check_number(self, name: str, control: widgets.Widget, value: Any) -> None:
        low, high = limits(control)
        if name in self.ends:
            high = float("inf")
        whole = type(control.value) is int
        if isinstance(value, bool) or not isinstance(value, Real) or not low <= value <= high or value % 1 * whole:
            kind = "whole number" if whole else "number"
            reach = "up" if name in self.ends else f"to {high:g}"
            raise ValueError(f"{name} must be a {kind} from {low:g} {reach}; got {value!r}")

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
        if name in self.__dict__.get("_controls", {}):
            self.set(**{name: value})
        elif "widget" in self.__dict__ and not hasattr(self, name):
            raise AttributeError(f"control must be one of {', '.join(self._controls)}; got {name!r}")
        else:
            super().__setattr__(name, value)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._controls]
