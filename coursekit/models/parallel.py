"""What workers find on shards of the data, their average, and what one worker finds on all of it."""

import numpy as np

from coursekit.algorithms import parallel, sgd
from coursekit.core.steps import constant
from coursekit.core.text import counted, number
from coursekit.models.sgd import EXTENT
from coursekit.models.shared import Dataset, Objective, ground


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
