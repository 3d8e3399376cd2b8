"""Chapter 5: workers that learn on shards of the data, and the average of what they found."""

import numpy as np

from coursekit import plots
from coursekit.algorithms import parallel, sgd
from coursekit.core.steps import constant
from coursekit.explorers.chapters.sgd import CORNERS, EXTENT
from coursekit.explorers.framework import Dataset, Editing, Objective, View, controls, counted, datasets, ground, number
from coursekit.explorers.own import YOURS


class Averaging:
    """What parallel stochastic descent finds, and what one worker finds on all the data."""

    def __init__(self, data: Dataset, eta: float, lam: float, seed: int, shards: int, steps: int) -> None:
        self.data, self.objective = data, Objective(data.X, data.y, lam=lam, offset=False)
        self.ground, step = ground(self.objective, EXTENT), constant(eta)
        self.shards = min(shards, len(data))
        self.average, self.paths = parallel.parallel_sgd(self.objective, step, steps, self.shards, seed=seed)
        self.sequential = sgd.sgd(self.objective, step, self.shards * steps, seed=seed)
        self.local = np.array([path.theta for path in self.paths])
        self.alone = self.objective.value(self.local)  # like all that follows, of the objective on all the data
        self.averaged = float(self.objective.value(self.average))
        self.as_long = float(self.sequential.values[steps])
        self.as_much = float(self.sequential.values[-1])

    def sentence(self, eta: float, steps: int) -> str:
        """How good the workers are alone, averaged, and against one worker on all the data."""
        n, shards, averaged, alone = len(self.data), self.shards, self.averaged, self.alone
        made, score = counted(steps, "step"), number(averaged)
        if shards == 1:
            return (f"One worker, all {n} examples, {made} of size η = {number(eta)}: objective **{score}**. "
                    "There is nothing to average yet.")
        beats_long, beats_much = averaged < self.as_long, averaged < self.as_much
        verdict = {(True, True): "Averaging beats both.",
                   (True, False): "The average beats one worker in the same time, not for the same work.",
                   (False, True): "The average beats one worker for the same work, not in the same time.",
                   (False, False): "Averaging beats neither."}[beats_long, beats_much]
        return (f"{shards} workers, {n // shards} examples each, {made} of size η = {number(eta)}. Alone "
                f"{number(alone.min())} to {number(alone.max())}, mean {number(alone.mean())}; their "
                f"average has objective **{score}**. One worker on all {n}: **{number(self.as_long)}** after {made}, "
                f"**{number(self.as_much)}** after {shards * steps}. {verdict}")


class ParallelExplorer(Editing[Averaging], layout="parallel"):
    """Parallel stochastic descent by averaging, beside one worker on all the data: their walks on the map.

    steps: of each worker. The sequential runs make as many steps as one worker ("as long") and as all workers
    together ("as much work").
    The shards run one after another here, so this works in the browser too; the answers are those
    that as many processes would give. There is no offset, so that theta fits into a picture.
    The examples can be changed, see `Editing`.
    """

    separability = controls.separability(-1.0, idle=lambda now: now.dataset == YOURS)
    eta = controls.graded("step size η", 1.0, controls.powers(-2.0, 1.0, 20), "constant, for all workers")
    lam = controls.lam(0.0)  # at most 0.1, so that eta lam never passes 2, where theta would explode
    seed = controls.seed()
    dataset = controls.choice("data", ("blobs",), tucked=True, renews=True)
    shards = controls.whole("workers (shards)", 4, 1, 8, "how many workers share the data")
    steps = controls.whole("steps each", 100, 1, 400, "steps of each worker")

    main = ("shards", "steps", "eta")
    size, below = (9.0, 5.2), 3.4
    landscape = View(lambda ax: plots.Landscape(ax, EXTENT))
    answers = View(plots.LocalAnswers, over=landscape, compared=True)
    boundary = View(lambda ax: plots.DecisionBoundary(ax, tags=True, corners=CORNERS), click="edit", compared=True)
    locals = View(lambda ax: plots.Boundaries(ax, plots.landscape.local_boundaries()), over=boundary)

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
