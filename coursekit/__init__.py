"""coursekit: linear classification you can touch.

Everything is loaded when it is first used, so that `import coursekit` costs next to nothing. Data, losses
and algorithms need numpy alone; `coursekit.plots` needs matplotlib, `coursekit.explorers` and `predict` ipywidgets.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

_MODULES = {
    "datasets": "core.datasets",
    "explorers": "explorers",
    "grading": "grading",
    "losses": "core.losses",
    "penalties": "core.penalties",
    "plots": "plots",
    "scaling": "core.scaling",
    "steps": "core.steps",
}
_HOMES = {
    "Objective": "core.objective",
    "bolasso": "algorithms.lasso",
    "confusion_table": "algorithms.multiclass",
    "debias": "algorithms.lasso",
    "gradient_descent": "algorithms.descent",
    "journey": "checking.journey",
    "lasso_path": "algorithms.lasso",
    "least_squares": "algorithms.least_squares",
    "mistake_bound": "algorithms.bound",
    "multiclass_perceptron": "algorithms.multiclass_perceptron",
    "one_vs_one": "algorithms.multiclass",
    "one_vs_rest": "algorithms.multiclass",
    "parallel_sgd": "algorithms.parallel",
    "pegasos": "algorithms.sgd",
    "perceptron": "algorithms.perceptron",
    "predict": "explorers.predict",
    "proximal_descent": "algorithms.proximal",
    "sgd": "algorithms.sgd",
    "svm": "algorithms.svm",
}
__all__ = [*_MODULES, *_HOMES]


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return import_module(f"coursekit.{_MODULES[name]}")
    if name in _HOMES:
        value = getattr(import_module(f"coursekit.{_HOMES[name]}"), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module 'coursekit' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
