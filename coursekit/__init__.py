"""coursekit: linear classification you can touch.

Everything is loaded when it is first used, so that `import coursekit` costs next to nothing. Data, losses
and algorithms need numpy alone; `coursekit.plots` needs matplotlib, `coursekit.explorers` and `predict` ipywidgets.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # what editors and type checkers see; a test keeps it and the tables below equal
    from coursekit import explorers as explorers
    from coursekit import grading as grading
    from coursekit import plots as plots
    from coursekit.algorithms.bolasso import bolasso as bolasso
    from coursekit.algorithms.bound import mistake_bound as mistake_bound
    from coursekit.algorithms.descent import gradient_descent as gradient_descent
    from coursekit.algorithms.lasso import lasso_path as lasso_path
    from coursekit.algorithms.least_squares import debias as debias
    from coursekit.algorithms.least_squares import least_squares as least_squares
    from coursekit.algorithms.multiclass import confusion_table as confusion_table
    from coursekit.algorithms.multiclass import one_vs_one as one_vs_one
    from coursekit.algorithms.multiclass import one_vs_rest as one_vs_rest
    from coursekit.algorithms.multiclass_perceptron import multiclass_perceptron as multiclass_perceptron
    from coursekit.algorithms.parallel import parallel_sgd as parallel_sgd
    from coursekit.algorithms.perceptron import perceptron as perceptron
    from coursekit.algorithms.proximal import proximal_descent as proximal_descent
    from coursekit.algorithms.sgd import pegasos as pegasos
    from coursekit.algorithms.sgd import sgd as sgd
    from coursekit.algorithms.svm import svm as svm
    from coursekit.checking.journey import journey as journey
    from coursekit.core import datasets as datasets
    from coursekit.core import losses as losses
    from coursekit.core import penalties as penalties
    from coursekit.core import scaling as scaling
    from coursekit.core import steps as steps
    from coursekit.core.dataset import Dataset as Dataset
    from coursekit.core.objective import Objective as Objective
    from coursekit.explorers.predict import predict as predict

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
    "one_vs_rest": "algorithms.multiclass", "parallel_sgd": "algorithms.parallel", "pegasos": "algorithms.sgd",
    "perceptron": "algorithms.perceptron", "predict": "explorers.predict", "proximal_descent": "algorithms.proximal",
    "sgd": "algorithms.sgd", "svm": "algorithms.svm",
}
__all__ = [*_MODULES, *_HOMES]
__dir__ = __all__.copy  # what completion offers


if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        if name in _MODULES:
            return import_module(f"coursekit.{_MODULES[name]}")
        if name in _HOMES:
            return globals().setdefault(name, getattr(import_module(f"coursekit.{_HOMES[name]}"), name))
        from coursekit.core.text import meant

        raise AttributeError(f"module 'coursekit' has no attribute {name!r}{meant(name, __all__)}")
