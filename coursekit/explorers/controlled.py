"""The values of an explorer's controls: as attributes, as one short line, checked before they are set.

The one place where the names of parameters count is `ByName`.
"""

import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from inspect import get_annotations, signature
from numbers import Real
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

import ipywidgets as widgets

from coursekit.core import validate
from coursekit.core.text import meant
from coursekit.explorers.controls import Control, Fixed, Number, stops

D = TypeVar("D")
R = TypeVar("R")


class State(Mapping[str, Any]):
    """The values of all controls and everything computed from them; state.lam is state["lam"]."""

    def __init__(self, known: Mapping[str, Any]) -> None:
        vars(self).update(known)

    def __getitem__(self, name: str) -> Any:
        return vars(self)[name]

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"state has {', '.join(self)}; not {name!r}")

    def __iter__(self) -> Iterator[str]:
        return iter(vars(self))

    def __len__(self) -> int:
        return len(vars(self))


class ByName(Generic[R]):
    """A function that is called with those of the known values that its parameters name, as a test in pytest.

    So `def model(lam: float, data: Dataset)` depends on the control `lam` and the edited `data`, and on nothing else.
    first: how many parameters come before those, by position. kept: how many of its last answers.
    """

    def __init__(self, name: str, function: Callable[..., R], first: int = 0, kept: int = 0) -> None:
        self.name, self.names = name, tuple(signature(function).parameters)[first:]
        self._function = lru_cache(kept)(function) if kept else function

    def __call__(self, *first: Any, known: Mapping[str, Any]) -> R:
        """Raises TypeError where the function names what is not known."""
        if unknown := [name for name in self.names if name not in known]:
            raise TypeError(f"{self.name} must name some of {', '.join(known)}; got {unknown[0]!r}")
        return self._function(*first, **{name: known[name] for name in self.names})


class Controlled:
    """Something with controls: each is an attribute, and all together are one line.

    .values: what they are at. .controls: the sliders, menus and texts themselves. Both by name.
    """

    declared: ClassVar[dict[str, Control[Any]]] = {}
    run: ClassVar[str]  # the name of the control that a run of the algorithm walks along, or ""
    values: Mapping[str, Any]
    controls: dict[str, widgets.Widget]
    _defaults: dict[str, Any]
    _fixed: frozenset[str] = frozenset()

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        own = declared_in(cls, Control)
        cls.declared = own | {name: control for name, control in cls.declared.items() if name not in own}
        cls.run = next((name for name, control in cls.declared.items() if control.walk), "")

    def line(self, values: Mapping[str, Any], always: str = "") -> str:
        """Those of the values that differ from the defaults, and `always`, as one line."""
        differing = {name: value for name, value in values.items() if name == always or value != self._defaults[name]}
        return " ".join(f"{name}={_written(value)}" for name, value in differing.items())

    def parse(self, line: str) -> dict[str, Any]:
        """The values in a line, numbers as floats. Raises ValueError for what is none."""
        if not isinstance(line, str):
            raise TypeError('preset must be a line like "lam=0.01 seed=3", and data of your own are data=(X, y); got '
                            f"{validate.shown(line)}")
        try:
            parts = shlex.split(line)
        except ValueError as error:
            raise ValueError(f"preset must close its quotes; got {line!r} ({error})") from None
        values: dict[str, Any] = {}
        for part in parts:
            name, equals, text = part.partition("=")
            if not equals:
                raise ValueError(f'preset must be like "lam=0.01 seed=3"; got {part!r}')
            self._control(name)
            try:
                values[name] = text if isinstance(self._defaults[name], str) else float(text)
            except ValueError:
                raise ValueError(f"{name} must be a number; got {text!r}") from None
        return values

    def stops(self, name: str) -> list[Any]:
        """The values of a control, to step through."""
        if values := stops(self._control(name)):
            return values
        raise ValueError(f"control must be one with values to step through; got {name!r}")

    def typed(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """The values as the controls hold them: a line knows only floats and texts."""
        return {name: type(self._defaults[name])(value) for name, value in values.items()}

    def check(self, values: Mapping[str, Any]) -> None:
        """Raise ValueError for the first value that cannot be set."""
        for name, value in values.items():
            control = self._control(name)
            if isinstance(control, widgets.Dropdown):
                validate.one_of(name, value, control.options)
            elif isinstance(control, Number):
                self._check_number(name, control, value)
            elif not isinstance(value, str):
                raise ValueError(f"{name} must be a text; got {value!r}")
            if name in self._fixed and value != self.values[name]:
                raise Fixed(f"{name} is fixed at {self.values[name]}; got {value!r}")

    def _check_number(self, name: str, control: Number, value: Any) -> None:
        open_ended, whole = self.declared[name].last is not None, type(self._defaults[name]) is int
        low, high = control.min, float("inf") if open_ended else control.max
        is_number = isinstance(value, Real) and not isinstance(value, bool)
        if not is_number or not low <= value <= high or (whole and value % 1):
            kind, reach = "whole number" if whole else "number", "up" if open_ended else f"to {high:g}"
            raise ValueError(f"{name} must be a {kind} from {low:g} {reach}; got {value!r}")

    def _control(self, name: str, rule: str = "control must be one of") -> widgets.Widget:
        if name in self.controls:
            return self.controls[name]
        own = "; examples of your own are data=(X, y)" if name in ("X", "y") else meant(name, [*self.controls, "data"])
        raise ValueError(f"{rule} {', '.join(self.controls)}; got {name!r}{own}")

    def _named(self, argument: str, names: str | Iterable[str]) -> tuple[str, ...]:
        """The names of controls that `argument` was given, as several or as one text; each once."""
        listed = names.split() if isinstance(names, str) else validate.names(argument, names)
        for name in listed:
            self._control(name, f"{argument} must name controls among")
        return tuple(dict.fromkeys(listed))

    if not TYPE_CHECKING:  # a type checker knows which attributes there are

        def __setattr__(self, name: str, value: Any) -> None:
            """A public name that nobody has declared is a control with a typing error."""
            if "widget" in self.__dict__ and not name.startswith("_") and not hasattr(self, name):
                near = meant(name, self.declared)
                raise AttributeError(f"control must be one of {', '.join(self.declared)}; got {name!r}{near}")
            super().__setattr__(name, value)


def declared_in(cls: type, kind: type[D]) -> dict[str, D]:
    """What of this kind a class declares itself. Raises TypeError for the name of what every explorer has."""
    found = {name: value for name, value in vars(cls).items() if isinstance(value, kind)}
    for name, value in found.items():
        for base in cls.__mro__[1:]:
            if name in get_annotations(base) or not isinstance(vars(base).get(name, value), kind):
                raise TypeError(f"{cls.__name__}.{name} must have another name: every explorer has a {name!r} already")
    return found


def _written(value: Any) -> str:
    """What reads back as the same value, 1 for 1.0; quoted as by shlex, but single quotes inside stay readable."""
    text = f"{value:.0f}" if isinstance(value, float) and value.is_integer() and abs(value) < 1e9 else f"{value}"
    return f'"{text}"' if "'" in text and not set('"\\') & set(text) else shlex.quote(text)
