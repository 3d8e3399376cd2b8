"""Chapter 5: stochastic descent, one example or a few at a time.

Longer than others: one walk or many, what each example asks of the next step, and words for all of these.
"""

import numpy as np

from coursekit import plots
from coursekit.algorithms.path import Path
from coursekit.algorithms.sgd import sgd
from coursekit.core import datasets, risks, steps, text
from coursekit.core.text import counted, number
from coursekit.explorers.framework import Dataset, Editing, Floats, Objective, View, cached, controls, ground, to_step

STEPS, EXAMPLES, MANY = 400, 60, 300
CORNERS = np.array([[-4.0, -4.5], [4.0, 4.5]])  # the same view wherever the slider puts the clouds
EXTENT, EMAILS = (-4.8, 8.6, -2.0, 5.0), (-2.1, 5.2, -1.1, 2.71)  # of the map; both of one shape
POWERS = {"constant": 0.0, "eta0 / sqrt(k+1)": 0.5, "eta0 / (k+1)": 1.0, "eta0 / (k+1)^2": 2.0}


class StochasticRun:
    """Stochastic descent on the hinge risk, after k of its steps."""

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
        self.others = swarm(self.objective, schedule, eta, batch, seed)[k, : walkers - 1]
        self.away = float(np.median(np.hypot(*(np.vstack([self.theta, self.others]) - self.bottom).T)))
        self.moves, self.kinds = moves(self.objective, self.theta, batch)
        self.rate = float(path.rates[min(done, len(path.rates) - 1)])  # of the next step
        self.move = moves(self.objective, self.theta, 1)[0].mean(axis=0)

    def gathered(self, walkers: int) -> str:
        """Where all the walkers are."""
        if self.done == 0:
            return f"{walkers} walks begin at θ = (0, 0), **{number(self.away)}** from the lowest point. Press Step."
        return (f"{walkers} walks, {counted(self.done, 'step')} each: half of them are within **{number(self.away)}** "
                "of the lowest point.")

    def opinions(self, kind: str) -> str:
        """Where the next step could lead, and where their mean does."""
        pulling = np.any(self.moves != 0, axis=1)
        uphill = int(np.sum(self.moves[pulling] @ self.move < 0))
        asked = f"{len(self.moves)} {kind}s" if self.kinds.any() else f"{EXAMPLES} batches of {kind}s"
        return f" Of {asked}, **{int(pulling.sum())}** pull at the large dot, **{uphill}** of them uphill."

    def sentence(self, lam: float) -> str:
        """What the last step saw and did, and how the objective stands."""
        path, k, z = self.path, self.done, self.agreements
        if k == 0:
            return "θ = (0, 0): every agreement is 0, every hinge loss 1, so the objective is **1**. Press Step."
        pulling = int(np.sum(z <= 1))
        if len(z) > 1:
            did = f"{pulling} of its {len(z)} examples have agreement ≤ 1 and pull"
        else:
            pulls = "at most 1, and pulls" if pulling else "above 1, and does not pull"
            did = f"example {self.examples[0]} has agreement {number(z[0])}, {pulls}"
        moves = f"moves with η = {number(path.rates[k - 1])}" if pulling else "only shrinks" if lam else "stays"
        lowest = "" if self.best == k else f" is {number(path.values[self.best])}, from step {self.best}"
        return (f"Step {k}: {did}; θ {moves}, at {text.vector(self.theta)}. Objective **{number(path.values[k])}**, "
                f"the best so far{lowest}. {self.rises} of {k} steps raised it. "
                f"{self.misclassified} of {len(self.data)} misclassified.")

    def remark(self, eta: float, schedule: str) -> str:
        """What is special about this run, if anything."""
        if self.path.status.startswith("diverged"):
            return f" {self.path.status.capitalize()}."
        if not plots.boundary.within(self.theta, self.extent):
            return " The large dot is outside the picture."
        if POWERS[schedule] == 2:
            ahead = np.pi**2 / 6 - np.sum(1.0 / np.arange(1, self.done + 1) ** 2)  # the sum over j > k of 1/j^2
            return f" All steps to come add up to {number(eta * ahead)}: it has come to rest wherever it is."
        return ""


class SgdExplorer(Editing[StochasticRun], layout="sgd"):
    """Stochastic descent on the hinge risk, over the map of it: one walk, or many, and where the next step could lead.

    The mails are 60 real emails by two numbers with mean 0 and standard deviation 1. k: how many steps were made;
    step() and rewind() move it; so does a click on the curves. There is no offset, as in the 01.112
    notes, so that theta fits into a picture. order "one class first" is cyclic over sorted data.
    walkers: how many; all but the first draw at random. pulls: where each example, or each of 60 batches, would take
    the first one. On request: the examples, which can be changed, see `Editing`; the objective step by step.
    """

    separability = controls.separability(-0.5, idle=lambda now: now.dataset != "blobs")
    eta = controls.graded("step size η", 1.0, controls.powers(-2.0, 1.0, 20), "of the first step")
    lam = controls.lam(0.0, high=0.0)
    seed = controls.seed()
    dataset = controls.choice("data", ("blobs", "mails"), renews=True)
    schedule = controls.choice("eta_k", POWERS, "eta0 / (k+1)")
    batch = controls.whole("examples a step", 1, 1, EXAMPLES, "how many are drawn for each step")
    order = controls.choice("order", ("random", "shuffle", "cyclic", "one class first"))
    walkers = controls.whole("walkers", 1, 1, MANY, "how many walk, each with draws of its own")
    pulls = controls.choice("pulls", ("hidden", "shown"))
    k = controls.whole("step k", STEPS, 0, STEPS, "how many steps have been made", walk=10)

    main = ("k",)
    size, below = (9.0, 5.2), 3.4
    landscape = View(lambda ax: plots.Landscape(ax, EXTENT), compared=True)
    edge = View(plots.ExampleEdge, over=landscape)
    fan = View(plots.Fan, over=landscape)
    swarm = View(plots.Swarm, over=landscape)
    boundary = View(lambda ax: plots.DecisionBoundary(ax, tags=True, corners=CORNERS), click="edit", compared=True)
    curves = View(plots.ObjectiveCurves, click=to_step)

    @staticmethod
    def data(dataset: str, separability: float, seed: int) -> Dataset:
        if dataset == "blobs":
            return datasets.blobs(EXAMPLES, separability, seed=seed)
        mails = datasets.mails(EXAMPLES, seed)
        X = np.column_stack([np.log1p(mails.X[:, 0]), mails.X[:, 1]])  # logarithms, both
        features = "exclamation marks, standardized", "run of capitals, standardized"
        return Dataset(X, mails.y, features, mails.classes, mails.name).standardized()

    def show(self, run: StochasticRun, eta: float, lam: float, schedule: str, walkers: int, pulls: str) -> str:
        path, done, examples, alone = run.path, run.done, run.examples, walkers == 1
        before = path.thetas[max(done - 1, 0)]
        if self.stale(*run.extent, *run.data.features):
            self.landscape.frame(run.extent)
            first, second = (name.split(",")[0] for name in run.data.features)
            self.axes["landscape"].set(xlabel=f"θ₁: {first}", ylabel=f"θ₂: {second}")
        self.axes["boundary"].set(xlabel=run.data.features[0], ylabel=run.data.features[1])
        self.boundary.show(run.data, np.append(run.theta, 0), np.append(before, 0), examples)
        self.landscape.show(run.landscape, path.thetas[: done + 1] if alone else run.theta[None], best=None)
        self.landscape.best.set_data(*run.bottom[:, None])
        self.landscape.start.set_data(*path.thetas[:1].T)
        ringed = path.thetas[[run.best] * (alone and run.best < done)]
        key = "\nstar: lowest point" + "\nring: best so far" * len(ringed) + "\npurple: one of them" * (not alone)
        self.swarm.show(run.others, ringed, f"{counted(walkers, 'walk')} after {counted(done, 'step')}{key}")
        shown = pulls == "shown"
        example = run.objective.Z[examples[0]] if len(examples) == 1 and alone and not shown else None
        self.edge.show(example, "loss 0 beyond the dashed line")
        ends, last = run.theta + run.rate * run.moves, len(run.moves) * shown
        mean = run.theta + run.rate * run.move if shown else None
        self.fan.show(run.theta, ends[:last], run.kinds[:last], mean)
        self.curves.show((path.values, run.lowest), done)
        said = run.sentence(lam) if alone else run.gathered(walkers)
        told = run.opinions("email" if run.extent == EMAILS else "example") if shown else ""
        return said + told + (run.remark(eta, schedule) if done else "")


@cached
def _path(objective: Objective, schedule: str, eta: float, batch: int, order: str, seed: int) -> Path:
    step = steps.Schedule(schedule, lambda k: eta / (k + 1.0) ** POWERS[schedule])
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
    pulls = (objective.Z @ theta <= 1)[:, None] * objective.Z
    kinds = objective.y
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
