"""Chapter 5: workers that learn on shards of the data, and the average of what they found."""

import numpy as np

from coursekit import plots
from coursekit.explorers.chapters.sgd import CORNERS
from coursekit.explorers.framework import YOURS, Dataset, Editing, View, controls, datasets, powers
from coursekit.models.sgd import SHARDS, Averaging

ALONE = {"lw": 1.1, "ls": (0, (4, 2)), "zorder": plots.marks.UNDER}  # the lines that workers find alone


class ParallelExplorer(Editing[Averaging], layout="parallel"):
    """Parallel stochastic descent by averaging, beside one worker on all the data: their walks on the map.

    steps: of each worker. The sequential runs make as many steps as one worker ("as long") and as all workers
    together ("as much work").
    The shards run one after another here, so this works in the browser too; the answers are those
    that as many processes would give. There is no offset, so that theta fits into a picture.
    The examples can be changed, see `Editing`.
    """

    separability = controls.separability(-1.0, idle=lambda now: now.dataset == YOURS)
    eta = controls.graded("step size η", 1.0, powers(-2.0, 1.0, 20), "constant, for all workers")
    lam = controls.lam(0.0)  # at most 0.1, so that eta lam never passes 2, where theta would explode
    seed = controls.seed()
    dataset = controls.choice("data", ("blobs",), tucked=True, renews=True)
    shards = controls.whole("workers (shards)", 4, 1, 8, "how many workers share the data")
    steps = controls.whole("steps each", 100, 1, 400, "steps of each worker")
    landscape = View(lambda ax: plots.Landscape(ax, SHARDS))
    answers = View(plots.LocalAnswers, over=landscape, compared=True)
    boundary = View(lambda ax: plots.DecisionBoundary(ax, tags=True, corners=CORNERS), click="edit", compared=True)
    locals = View(lambda ax: plots.Boundaries(ax, {"alone": ALONE | {"color": plots.style.current().blue}}),
                  over=boundary)

    @staticmethod
    def data(separability: float, seed: int) -> Dataset:
        return datasets.blobs(96, separability, seed=seed)

    def show(self, found: Averaging, eta: float, steps: int) -> str:
        one = found.sequential
        self.boundary.show(found.data, np.append(found.average, 0))
        self.locals.show({"alone": np.column_stack([found.local, np.zeros(len(found.local))])})
        self.landscape.ground.set_values(found.ground)
        self.answers.show([path.thetas for path in found.paths], found.average, one.thetas[steps], one.theta)
        return found.sentence(eta, steps)
