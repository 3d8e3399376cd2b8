"""Errors of a call that name the cure: for keywords of scikit-learn or misspelled ones, and for what is no axes."""

from collections.abc import Callable
from functools import wraps
from inspect import isfunction, signature
from typing import Any, TypeVar

from coursekit.core.text import meant

F = TypeVar("F", bound=Callable[..., Any])  # so that editors and type checkers see the signature there is
FITS = {  # by the annotation of a parameter: what a value has, and what it is
    "Axes": ("add_artist", "axes of matplotlib, such as those of plt.subplots()"),
    "Figure": ("add_axes", "a figure of matplotlib, such as that of plt.subplots()"),
    "Mapping": ("items", "a dict"), "Sequence": ("__len__", "a list"), "float": ("__float__", "a number"),
}  # fmt: skip


def explain_all(module: dict[str, Any]) -> None:
    """What is in the `__all__` of a module, of which these are the globals, is `explained`; completion offers it."""
    module |= {name: explained(module[name], module["__name__"]) for name in module["__all__"]}
    module["__dir__"] = module["__all__"].copy


def explained(called: F, home: str = "") -> F:
    """A function, or a class with its methods; where a call does not fit it, the TypeError tells what does.

    home: the module that has it from now on. What is told stands in keywords.toml: for each of scikit-learn's
    keywords the answer of a function, by its name, or of all that take an argument of that name.

    >>> @explained
    ... def line(X, y, lam=0.1):
    ...     return lam
    >>> line(0, 0, C=5)
    Traceback (most recent call last):
    TypeError: line() takes no C: lam = 1 / (C n) for n examples
    """
    if isinstance(called, type):
        for name, own in [*vars(called).items()]:
            if isfunction(own) and not hasattr(own, "__wrapped__") and name.strip("_") in ("init", "call", name):
                setattr(called, name, explained(own))
    if not isfunction(called):
        return called

    @wraps(called)
    def checked(*args: Any, **given: Any) -> Any:
        __tracebackhide__ = True
        try:
            return called(*args, **given)
        except (TypeError, AttributeError) as error:
            if told := _told(called, args, given, str(error)):
                raise TypeError(told) from None
            raise

    checked.__module__ = home or called.__module__
    return checked  # type: ignore[return-value]


def _told(called: Any, args: tuple[Any, ...], given: dict[str, Any], said: str) -> str:
    """What to say about a data set in place of X and y, about a keyword that is unknown, or else about the first value
    that does not fit; nothing where the error said that itself."""
    import tomllib  # only an error needs these
    from importlib.resources import files

    from coursekit.core.validate import shown
    parameters = signature(called).parameters
    known = [name for name in parameters if name != "self"]
    who = type(args[0]).__name__ if called.__name__[0] == "_" else called.__name__
    if known[:2] == ["X", "y"] and not {"y", "fit"} & {*given, *known[2:]} and args and hasattr(args[-1], "y"):
        return f"{who}() takes X and y, two arguments: those of a Dataset are data.X and data.y"
    if unknown := next((keyword for keyword in given if f"unexpected keyword argument '{keyword}'" in said), ""):
        answers = tomllib.loads(files("coursekit").joinpath("core", "keywords.toml").read_text("utf-8"))
        told = next((answers[unknown][name] for name in (who, *known, "others") if name in answers.get(unknown, ())),
                    f"it takes {', '.join(known) or 'nothing'}{meant(unknown, known)}")
        return f"{who}() takes no {unknown}: {told}"
    if "; got " in said or " positional argument" in said:
        return ""
    for name, value in signature(called).bind_partial(*args, **given).arguments.items():
        kind = parameters[name].annotation
        has, rule = FITS.get(str(getattr(kind, "__name__", kind)).partition("[")[0], ("__class__", ""))
        if not hasattr(value, has):
            return f"{name} must be {rule}; got {shown(value)}"
    return ""
