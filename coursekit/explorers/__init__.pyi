from coursekit.explorers.chapters.descent import DescentExplorer, RavineExplorer
from coursekit.explorers.chapters.features import FeaturesExplorer
from coursekit.explorers.chapters.hyperplane import HyperplaneExplorer
from coursekit.explorers.chapters.loss_space import LossSpaceExplorer
from coursekit.explorers.chapters.multiclass import MulticlassExplorer
from coursekit.explorers.chapters.perceptron import PerceptronExplorer
from coursekit.explorers.chapters.real_data import RealDataExplorer
from coursekit.explorers.chapters.regularization import MemoryExplorer, RegularizationExplorer
from coursekit.explorers.chapters.sgd import ParallelExplorer, SgdExplorer
from coursekit.explorers.chapters.svm import SvmExplorer

descent = DescentExplorer
features = FeaturesExplorer
hyperplane = HyperplaneExplorer
loss_space = LossSpaceExplorer
memory = MemoryExplorer
multiclass = MulticlassExplorer
parallel = ParallelExplorer
perceptron = PerceptronExplorer
ravine = RavineExplorer
real_data = RealDataExplorer
regularization = RegularizationExplorer
sgd = SgdExplorer
svm = SvmExplorer
