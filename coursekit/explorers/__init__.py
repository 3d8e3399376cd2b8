"""Live pictures with sliders, one a chapter. Each is made by a call and shows itself in a notebook:

    explorer = ck.explorers.perceptron("separability=0.3 seed=2")
    explorer.lam = 0.01
    explorer.state.trace
    ck.explorers.svm(data=(X, y))  # two features of your own

State, sentence and picture can be read without a browser. Each is loaded when it is first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from coursekit.core.text import meant

if TYPE_CHECKING:
    from coursekit.explorers.chapters.descent import DescentExplorer as descent
    from coursekit.explorers.chapters.features import FeaturesExplorer as features
    from coursekit.explorers.chapters.hyperplane import HyperplaneExplorer as hyperplane
    from coursekit.explorers.chapters.loss_space import LossSpaceExplorer as loss_space
    from coursekit.explorers.chapters.memory import MemoryExplorer as memory
    from coursekit.explorers.chapters.multiclass import MulticlassExplorer as multiclass
    from coursekit.explorers.chapters.parallel import ParallelExplorer as parallel
    from coursekit.explorers.chapters.perceptron import PerceptronExplorer as perceptron
    from coursekit.explorers.chapters.ravine import RavineExplorer as ravine
    from coursekit.explorers.chapters.real_data import RealDataExplorer as real_data
    from coursekit.explorers.chapters.regularization import RegularizationExplorer as regularization
    from coursekit.explorers.chapters.sgd import SgdExplorer as sgd
    from coursekit.explorers.chapters.svm import SvmExplorer as svm

__all__ = [
    "descent", "features", "hyperplane", "loss_space", "memory", "multiclass", "parallel", "perceptron", "ravine",
    "real_data", "regularization", "sgd", "svm",
]
__dir__ = __all__.copy  # what completion offers


if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        if name not in __all__:
            raise AttributeError(f"module 'coursekit.explorers' has no attribute {name!r}{meant(name, __all__)}")
        module = import_module(f"coursekit.explorers.chapters.{name}")
        return getattr(module, f"{name.title().replace('_', '')}Explorer")
