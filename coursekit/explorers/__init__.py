"""Live pictures with sliders, one a chapter. Each is made by a call and shows itself in a notebook:

    explorer = ck.explorers.perceptron("separability=0.3 seed=2")
    explorer.lam = 0.01
    explorer.state.trace

State, sentence and picture can be read without a browser.
"""

from coursekit.explorers.chapters.descent import DescentExplorer as descent
from coursekit.explorers.chapters.hyperplane import HyperplaneExplorer as hyperplane
from coursekit.explorers.chapters.loss_space import LossSpaceExplorer as loss_space
from coursekit.explorers.chapters.multiclass import MulticlassExplorer as multiclass
from coursekit.explorers.chapters.parallel import ParallelExplorer as parallel
from coursekit.explorers.chapters.perceptron import PerceptronExplorer as perceptron
from coursekit.explorers.chapters.real_data import RealDataExplorer as real_data
from coursekit.explorers.chapters.regularization import RegularizationExplorer as regularization
from coursekit.explorers.chapters.sgd import SgdExplorer as sgd
from coursekit.explorers.chapters.svm import SvmExplorer as svm

__all__ = [
    "descent",
    "hyperplane",
    "loss_space",
    "multiclass",
    "parallel",
    "perceptron",
    "real_data",
    "regularization",
    "sgd",
    "svm",
]
