"""Chapter 5: workers that learn on shards of the data, and the average of what they found."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np

from coursekit.algorithms.parallel import parallel_sgd
from coursekit.algorithms.path import Path
from coursekit.algorithms.sgd import sgd
from coursekit.core import datasets
from coursekit.core.datasets import Dataset
from coursekit.core.objective import Objective
from coursekit.core.steps import constant
from coursekit.core.text import counted, number
from coursekit.core.validate import Floats
from coursekit.explorers import controls
from coursekit.explorers.chapters.sgd import CORNERS, EXTENT, ground, hinge
from coursekit.explorers.editing import Editing
from coursekit.explorers.view import View
from coursekit.plots import AnswerValues, Boundaries, DecisionBoundary, Landscape, LocalAnswers
from coursekit.plots.workers import local_boundaries


@dataclass(frozen=True)
class Found:
    data: Dataset
    shards: int
    objective: Objective
    ground: Floats
    paths: tuple[Path, ...]
    local: Floats  # theta of every worker
    average: Floats
    sequential: Path
    alone: Floats  # the objective of every worker's theta
    averaged: float
    as_long: float
    as_much: float


class ParallelExplorer(Editing[Found]):
    """Parallel stochastic descent by averaging, beside one worker on all the data.

    Controls: separability, eta (constant), lam, seed, shards, steps (of each worker). The sequential
    runs make as many steps as one worker ("as long") and as all workers together ("as much work").
    The shards run one after another here, so this works in the browser too; the answers are those
    that as many processes would give. There is no offset, so that theta fits into a picture.
    The examples can be changed, see `Editing`.
    """

    separability = controls.separability(-1.0)
    eta = controls.eta(1.0)
    lam = controls.lam(0.0)  # at most 0.1, so that eta lam never passes 2, where theta would explode
    seed = controls.seed()
    shards = controls.whole("shards", 4, 1, 8, "how many workers share the data")
    steps = controls.whole("steps each", 100, 1, 400, "steps of each worker")

    size, below = (9.0, 4.9), 4.0
    landscape = View(partial(Landscape, extent=EXTENT), (0, 0, 0.53, 1), (0.55, 0.5, 0.1, 0.4),
                     "Where each answer lies: lighter is lower", 0.1, anchor="NW", xlabel="θ₁", ylabel="θ₂")
    answers = View(LocalAnswers, over=landscape, compared=True)
    objectives = View(AnswerValues, (0.53, 0, 1, 1), (0.2, 0.5, 0.25, 0.4), "What each answer is worth", 0.2,
                      xlabel="objective on all the data")
    boundary = View(partial(DecisionBoundary, tags=True, corners=CORNERS), (0, 0, 0.7, 1), (0.55, 0.5, 0.15, 0.4),
                    "The line of the average; dashed: of each worker alone", 0.1, click="edit", compared=True,
                    also="data", xlabel="x1", ylabel="x2")
    locals = View(lambda axes: Boundaries(axes, local_boundaries()), over=boundary)

    @staticmethod
    def data(separability: float, seed: int) -> Dataset:
        return datasets.blobs(96, separability, seed=seed)

    @staticmethod
    def model(data: Dataset, eta: float, lam: float, seed: int, shards: int, steps: int) -> Found:
        objective, shards = hinge(data, lam), min(shards, len(data))
        average, paths = parallel_sgd(objective, constant(eta), steps, shards, seed=seed)
        one = sgd(objective, constant(eta), shards * steps, seed=seed)
        local = np.array([path.theta for path in paths])
        return Found(
            data=data, shards=shards, objective=objective, ground=ground(data, lam), paths=paths, local=local,
            average=average, sequential=one, alone=objective.value(local), averaged=float(objective.value(average)),
            as_long=float(one.values[steps]), as_much=float(one.values[-1]),
        )

    def show(self, found: Found, eta: float, steps: int) -> str:
        one = found.sequential
        self.boundary.show(found.data, np.append(found.average, 0))
        self.locals.show({"alone": np.column_stack([found.local, np.zeros(len(found.local))])})
        self.landscape.ground.set_values(found.ground)
        self.answers.show(found.local, found.average, one.thetas[steps], one.theta)
        self.objectives.show(found.alone, found.averaged, found.as_long, found.as_much)
        return sentence(found, eta, steps)


def sentence(found: Found, eta: float, steps: int) -> str:
    """How good the workers are alone, averaged, and against one worker on all the data."""
    n, shards, averaged = len(found.data), found.shards, found.averaged
    made = counted(steps, "step")
    if shards == 1:
        return (f"One worker, all {n} examples, {made} of eta = {number(eta)}: objective "
                f"{number(averaged)}. There is nothing to average yet.")
    alone = found.alone
    said = (f"{shards} workers, {n // shards} examples each, {made} of eta = {number(eta)}. Alone "
            f"{number(alone.min())} to {number(alone.max())}, mean {number(alone.mean())}; their average has objective "
            f"{number(averaged)}. One worker on all {n}: {number(found.as_long)} after {made}, "
            f"{number(found.as_much)} after {shards * steps}.")
    if averaged < min(found.as_long, found.as_much):
        return f"{said} Averaging beats both."
    if averaged < found.as_long:
        return f"{said} The average beats one worker in the same time, not for the same work."
    if averaged < found.as_much:
        return f"{said} The average beats one worker for the same work, not in the same time."
    return f"{said} Averaging beats neither."
