"""coursekit: linear classification you can touch.

Everything is loaded when it is first used, so that `import coursekit` costs next to nothing. Data, losses
and algorithms need numpy alone; `coursekit.plots` needs matplotlib, `coursekit.explorers` and `predict` ipywidgets.
"""

from importlib import import_module
from typing import Any

# Where each name comes from stands in __init__.pyi, which editors and type checkers read, too.
with open(f"{__path__[0]}/__init__.pyi", encoding="utf-8") as _stub:
    _HOMES = {name: home for _, home, _, name, *_ in map(str.split, _stub)}
__all__ = [*_HOMES]
__dir__ = __all__.copy  # what completion offers


def __getattr__(name: str) -> Any:
    from coursekit.core.keywords import explained, meant

    if name not in _HOMES:
        raise AttributeError(f"module 'coursekit' has no attribute {name!r}{meant(name, __all__)}")
    if _HOMES[name] == __name__:
        return import_module(f"{__name__}.{name}")
    found = getattr(__import__(_HOMES[name], fromlist=[name]), name)
    return globals().setdefault(name, explained(found, __name__))
