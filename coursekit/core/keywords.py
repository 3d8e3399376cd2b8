"""Keywords of scikit-learn where ours have other names: the error says which, and how to convert the value."""

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

from coursekit.core.text import meant

F = TypeVar("F", bound=Callable[..., Any])  # so that editors and type checkers see the signature there is


def explained(called: F) -> F:
    """`called`, a function or a class; where a keyword is unknown to it, the TypeError tells the one to use.

    What is told stands in keywords.toml: for each of scikit-learn's keywords the answer of a function, by its name, or
    of all that take an argument of that name.

    >>> @explained
    ... def line(X, y, lam=0.1):
    ...     return lam
    >>> line(0, 0, lam=0.5)
    0.5
    >>> line(0, 0, C=5)
    Traceback (most recent call last):
    TypeError: line() takes no C: lam = 1 / (C n) for n examples
    """
    function: Any = called.__init__ if isinstance(called, type) else called  # type: ignore[misc]

    @wraps(function)
    def checked(*args: Any, **given: Any) -> Any:
        __tracebackhide__ = True
        try:
            return function(*args, **given)
        except TypeError:
            if told := _told(called, function, args, given):
                raise TypeError(told) from None
            raise

    if not isinstance(called, type):
        return checked  # type: ignore[return-value]
    called.__init__ = checked  # type: ignore[misc]
    return called


def _told(called: Any, function: Any, args: Any, given: dict[str, Any]) -> str:
    """What to say about a data set in place of X and y, or else the first keyword that is unknown; nothing without."""
    import tomllib  # only an error needs these
    from importlib.resources import files
    from inspect import signature

    known = [name for name in signature(function).parameters if name != "self"]
    unknown = next((keyword for keyword in given if keyword not in known), "")
    if known[:2] == ["X", "y"] and not {"y", "fit"} & {*given, *known[2:]} and args and hasattr(args[-1], "y"):
        return f"{called.__name__}() takes X and y, two arguments: those of a Dataset are data.X and data.y"
    if not unknown:
        return ""
    answers = tomllib.loads(files("coursekit").joinpath("core", "keywords.toml").read_text("utf-8")).get(unknown, {})
    told = next((answers[name] for name in (called.__name__, *known, "others") if name in answers), "")
    return f"{called.__name__}() takes no {unknown}: " + (told or f"it takes {', '.join(known)}{meant(unknown, known)}")
