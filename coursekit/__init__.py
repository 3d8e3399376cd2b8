"""coursekit: linear classification you can touch.

Everything is loaded when it is first used, so that `import coursekit` costs next to nothing. Data, losses
and algorithms need numpy alone; `coursekit.plots` needs matplotlib, `coursekit.explorers` and `predict` ipywidgets.
"""

from importlib import import_module
from typing import Any

# Editors and type checkers see __init__.pyi; a test keeps it and these tables equal.
_MODULES = {
    "datasets": "core.datasets", "explorers": "explorers", "grading": "grading", "losses": "core.losses",
    "penalties": "core.penalties", "plots": "plots", "scaling": "core.scaling", "steps": "core.steps",
}
_HOMES = {
    "Dataset": "core.dataset", "Objective": "core.objective", "bolasso": "algorithms.bolasso",
    "confusion_table": "algorithms.multiclass", "debias": "algorithms.least_squares",
    "gradient_descent": "algorithms.descent", "journey": "checking.journey", "lasso_path": "algorithms.lasso",
    "least_squares": "algorithms.least_squares", "mistake_bound": "algorithms.bound",
    "multiclass_perceptron": "algorithms.multiclass_perceptron", "one_vs_one": "algorithms.multiclass",
    "one_vs_rest": "algorithms.multiclass", "parallel_sgd": "algorithms.sgd", "pegasos": "algorithms.sgd",
    "perceptron": "algorithms.perceptron", "predict": "predictions.predict", "proximal_descent": "algorithms.descent",
    "sgd": "algorithms.sgd", "svm": "algorithms.svm",
}
__all__ = [*_MODULES, *_HOMES]
__dir__ = __all__.copy  # what completion offers


def __getattr__(name: str) -> Any:
    from coursekit.core.keywords import explained, meant
    if name in _MODULES:
        return import_module(f"coursekit.{_MODULES[name]}")
    if name in _HOMES:
        found = getattr(import_module(f"coursekit.{_HOMES[name]}"), name)
        return globals().setdefault(name, explained(found, __name__))
    raise AttributeError(f"module 'coursekit' has no attribute {name!r}{meant(name, __all__)}")
