"""coursekit: linear classification you can touch.

Algorithms and data need numpy alone. `coursekit.plots` (matplotlib) and `coursekit.explorers`
(ipywidgets) are loaded when they are first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from coursekit import datasets, losses, penalties, scaling, steps
from coursekit.algorithms.descent import gradient_descent
from coursekit.algorithms.lasso import bolasso, debias, lasso_path
from coursekit.algorithms.least_squares import least_squares
from coursekit.algorithms.multiclass import multiclass_perceptron, one_vs_one, one_vs_rest
from coursekit.algorithms.parallel import compare_parallel, parallel_sgd
from coursekit.algorithms.perceptron import mistake_bound, perceptron
from coursekit.algorithms.sgd import pegasos, sgd
from coursekit.algorithms.svm import svm
from coursekit.objective import Objective

__all__ = [
    "Objective",
    "bolasso",
    "compare_parallel",
    "datasets",
    "debias",
    "explorers",
    "gradient_descent",
    "grading",
    "lasso_path",
    "least_squares",
    "losses",
    "mistake_bound",
    "multiclass_perceptron",
    "one_vs_one",
    "one_vs_rest",
    "parallel_sgd",
    "pegasos",
    "penalties",
    "perceptron",
    "plots",
    "scaling",
    "sgd",
    "steps",
    "svm",
]


def __getattr__(name: str) -> Any:
    if name in ("plots", "explorers", "grading"):
        return import_module(f"coursekit.{name}")
    raise AttributeError(f"module 'coursekit' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
