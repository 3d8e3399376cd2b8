"""What workers find on shards of the data, the mean of it, and what one worker finds on all of it."""

import numpy as np

from coursekit.algorithms import parallel, sgd
from coursekit.core.steps import constant
from coursekit.core.text import counted, number
from coursekit.models.shared import Dataset, Objective, ground

EXTENT = (-2.6, 7.0, -0.5, 4.52)  # of the map


class Averaging:
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
            return (f"One worker takes {made} with η = {number(eta)} on all {n} examples and reaches **{score}**. "
                    "There is nothing to average yet.")
        verdict = {(True, True): "The mean beats both lone workers.",
                   (True, False): "The mean beats one worker with the same time, but not one with the same work.",
                   (False, True): "The mean beats one worker with the same work, but not one with the same time.",
                   (False, False): "The mean beats neither."}[averaged < self.as_long, averaged < self.as_much]
        return (f"Each of {shards} workers takes {made} with η = {number(eta)} on its own {n // shards} examples. "
                f"Alone they reach {number(alone.min())} to {number(alone.max())}, on average {number(alone.mean())}; "
                f"the mean of their θ reaches **{score}**. One worker on all {n} reaches **{number(self.as_long)}** "
                f"after {made} and **{number(self.as_much)}** after {shards * steps}. {verdict}")
