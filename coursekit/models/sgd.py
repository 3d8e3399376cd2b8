"""Stochastic descent on the hinge risk: one walk or many, what each example asks of a step, and workers on shards."""

import numpy as np

from coursekit import plots
from coursekit.algorithms.path import Path
from coursekit.algorithms.sgd import parallel_sgd, sgd
from coursekit.core import risks
from coursekit.core.steps import Schedule, constant
from coursekit.core.text import counted, number, vector
from coursekit.models.shared import Dataset, Floats, Objective, cached, ground

STEPS, EXAMPLES, MANY = 400, 60, 300
EXTENT, EMAILS = (-4.8, 8.6, -2.0, 5.0), (-2.1, 5.2, -1.1, 2.71)  # of the map; both of one shape
SHARDS = (-2.6, 7.0, -0.5, 4.52)  # of the map with the workers
POWERS = {"constant": 0.0, "eta0 / sqrt(k+1)": 0.5, "eta0 / (k+1)": 1.0, "eta0 / (k+1)^2": 2.0}


class StochasticRun:
    def __init__(self, data: Dataset, dataset: str, eta: float, lam: float, seed: int, schedule: str, batch: int,
                 order: str, k: int, walkers: int) -> None:
        self.data, self.objective = data, Objective(data.X, data.y, lam=lam, offset=False)
        self.extent = EMAILS if dataset == "mails" else EXTENT
        self.landscape = ground(self.objective, self.extent)
        self.path = path = _path(self.objective, schedule, eta, batch, order, seed)
        self.done = done = min(k, len(path.rates))
        self.theta = path.thetas[done]
        self.examples = np.ravel(np.asarray(path.examples)[max(done - 1, 0) : done])  # that the last step looked at
        self.agreements = self.objective.Z[self.examples] @ path.thetas[done - 1]  # of these, before that step
        self.lowest = np.minimum.accumulate(path.values)
        self.best = int(path.values[: done + 1].argmin())
        values = path.values[: done + 1]
        self.rises = int(np.sum(np.diff(values) > 1e-12 * np.abs(values[:-1])))  # what rounding raises does not count
        self.misclassified = risks.misclassified(self.objective.Z @ self.theta)
        self.bottom = bottom(self.objective, self.extent)
        walks = swarm(self.objective, schedule, eta, batch, seed)[k] if walkers > 1 else np.empty((0, 2))
        self.others = walks[: walkers - 1]
        self.away = float(np.median(np.hypot(*(np.vstack([self.theta, self.others]) - self.bottom).T)))
        self.moves, self.kinds = moves(self.objective, self.theta, batch)
        self.rate = float(path.rates[min(done, len(path.rates) - 1)])  # of the next step
        self.move = moves(self.objective, self.theta, 1)[0].mean(axis=0)

    def gathered(self, walkers: int) -> str:
        """Where all the walkers are."""
        if self.done == 0:
            return f"{walkers} walkers start at θ = (0, 0), **{number(self.away)}** from the lowest point. Press Step."
        return (f"{walkers} walkers, {counted(self.done, 'step')} each: half of them are within "
                f"**{number(self.away)}** of the lowest point.")

    def opinions(self, kind: str) -> str:
        """Where the next step could lead, and where their mean does."""
        pulling = np.any(self.moves != 0, axis=1)
        uphill = int(np.sum(self.moves[pulling] @ self.move < 0))
        asked = f"{len(self.moves)} {kind}s" if self.kinds.any() else f"{EXAMPLES} batches of {kind}s"
        return f" Of {asked}, **{int(pulling.sum())}** pull at the large disk, **{uphill}** of them uphill."

    def sentence(self, lam: float, kind: str) -> str:
        """What the last step saw and did, and how the objective stands."""
        path, k, z = self.path, self.done, self.agreements
        if k == 0:
            return "θ = (0, 0): every agreement is 0, every hinge loss 1, so the objective is **1**. Press Step."
        pulling = int(np.sum(z <= 1))
        if len(z) > 1:
            did = f"{pulling} of its {len(z)} {kind}s have agreement ≤ 1 and pull"
        else:
            pulls = "at most 1, so it pulls" if pulling else "above 1, so it doesn't pull"
            did = f"{kind} {self.examples[0]} has an agreement of {number(z[0])}, {pulls}"
        moves = f"moves with η = {number(path.rates[k - 1])} to" if pulling else "shrinks to" if lam else "stays at"
        lowest = "" if self.best == k else f" was {number(path.values[self.best])}, at step {self.best}"
        return (f"Step {k}: {did}, and θ {moves} {vector(self.theta)}. The objective is "
                f"**{number(path.values[k])}**{';' if lowest else ','} the lowest so far{lowest}. The objective rose "
                f"in {self.rises} of {k} steps. The line gets {self.misclassified} of {len(self.data)} wrong.")

    def remark(self, eta: float, schedule: str) -> str:
        """What is special about this run, if anything."""
        if self.path.status.startswith("diverged"):
            return f" {self.path.status.capitalize()}."
        if not plots.boundary.within(self.theta, self.extent):
            return " The large disk is outside the picture."
        if POWERS[schedule] == 2:
            ahead = np.pi**2 / 6 - np.sum(1.0 / np.arange(1, self.done + 1) ** 2)  # the sum over j > k of 1/j^2
            return f" All the steps to come, however many, add up to {number(eta * ahead)}, so θ gets stuck."
        return ""


class Averaging:
    def __init__(self, data: Dataset, eta: float, lam: float, seed: int, shards: int, steps: int) -> None:
        self.data, self.objective = data, Objective(data.X, data.y, lam=lam, offset=False)
        self.ground, step = ground(self.objective, SHARDS), constant(eta)
        self.shards = min(shards, len(data))
        self.average, self.paths = parallel_sgd(self.objective, step, steps, self.shards, seed=seed)
        self.sequential = sgd(self.objective, step, self.shards * steps, seed=seed)
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
            return (f"One worker takes {made} with η = {number(eta)} on all {n} examples and brings the objective to "
                    f"**{score}**. There is nothing to average yet.")
        won = {(True, True): "The mean beats both of these.",
               (True, False): "The mean beats one worker with the same time, but not one with the same work.",
               (False, True): "The mean beats one worker with the same work, but not one with the same time.",
               (False, False): "The mean beats neither of these."}[averaged < self.as_long, averaged < self.as_much]
        return (f"Each of {shards} workers takes {made} with η = {number(eta)} on its own {n // shards} examples. "
                f"Alone they bring the objective to {number(alone.min())}–{number(alone.max())}, on average "
                f"{number(alone.mean())}; the mean of their θ reaches **{score}**. One worker on all {n} reaches "
                f"**{number(self.as_long)}** after {made} and **{number(self.as_much)}** after {shards * steps}. {won}")


@cached
def _path(objective: Objective, schedule: str, eta: float, batch: int, order: str, seed: int) -> Path:
    step = Schedule(schedule, lambda k: eta / (k + 1.0) ** POWERS[schedule])
    sorted_by_class = np.argsort(objective.y, kind="stable")
    return sgd(objective, step, STEPS, batch, sorted_by_class if order == "one class first" else order, seed=seed)


@cached
def swarm(objective: Objective, schedule: str, eta: float, batch: int, seed: int) -> Floats:
    """Many walks at once, each with draws of its own: (STEPS + 1, MANY, 2)."""
    rng, thetas = np.random.default_rng([seed, 1]), np.zeros((STEPS + 1, MANY, 2))
    with np.errstate(over="ignore", invalid="ignore"):
        for k in range(STEPS):
            rows = objective.Z[rng.integers(len(objective.y), size=(MANY, batch))]
            pulling = np.einsum("mbj,mj->mb", rows, thetas[k]) <= 1
            pull = np.einsum("mb,mbj->mj", pulling, rows) / batch - objective.lam * thetas[k]
            thetas[k + 1] = np.clip(thetas[k] + eta / (k + 1.0) ** POWERS[schedule] * pull, -1e6, 1e6)
    return thetas


def moves(objective: Objective, theta: Floats, batch: int) -> tuple[Floats, Floats]:
    """What each example, or each of 60 batches drawn at random, asks of theta, (m, 2), and of which class it is."""
    pulls, kinds = (objective.Z @ theta <= 1)[:, None] * objective.Z, objective.y
    if batch > 1:
        pulls = pulls[np.random.default_rng(0).integers(len(pulls), size=(EXAMPLES, batch))].mean(axis=1)
        kinds = np.zeros(EXAMPLES)
    return pulls - objective.lam * theta, kinds


@cached
def bottom(objective: Objective, extent: tuple[float, float, float, float]) -> Floats:
    """The lowest point of the map, (2,): sought on ever finer ones."""
    low, high = np.array(extent).reshape(2, 2).T
    for _ in range(3):
        points = plots.Landscape.points((low[0], high[0], low[1], high[1]))
        best = points[objective.value(points).argmin()]
        low, high = best - (high - low) / 20, best + (high - low) / 20
    return np.asarray(best)
