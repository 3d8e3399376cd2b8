"""Live pictures with sliders, one a chapter. Each is made by a call and shows itself in a notebook:

    explorer = ck.explorers.perceptron("separability=0.3 seed=2")
    explorer.lam = 0.01
    explorer.state.trace
    ck.explorers.svm(data=(X, y))  # two features of your own

State, sentence and picture can be read without a browser. Each is loaded when it is first used.
"""

from importlib import import_module
from typing import Any

from coursekit.core.text import meant

__all__ = [
    "descent", "features", "hyperplane", "loss_space", "memory", "multiclass", "parallel", "perceptron", "ravine",
    "real_data", "regularization", "sgd", "svm",
]
__dir__ = __all__.copy  # what completion offers
_BESIDE = {"memory": "regularization", "parallel": "sgd", "ravine": "descent"}  # in whose chapter's file they stand


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'coursekit.explorers' has no attribute {name!r}{meant(name, __all__)}")
    module = import_module(f"coursekit.explorers.chapters.{_BESIDE.get(name, name)}")
    return getattr(module, f"{name.title().replace('_', '')}Explorer")
