"""The one place where the names of parameters count: a function is called with what they name, as a test in pytest."""

from collections.abc import Callable, Mapping
from functools import lru_cache
from inspect import signature
from typing import Any, Generic, TypeVar

R = TypeVar("R")


class ByName(Generic[R]):
    """A function that is called with those of the known values that its parameters name.

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
