"""Chapter 5: stochastic descent, one example or a few at a time; and workers on shards of the data, averaged."""

import numpy as np

from coursekit import plots
from coursekit.explorers.framework import YOURS, Dataset, Editing, View, controls, counted, datasets, powers, to_step
from coursekit.models.sgd import EMAILS, EXAMPLES, EXTENT, MANY, POWERS, SHARDS, STEPS, Averaging, StochasticRun

CORNERS = np.array([[-4.0, -4.5], [4.0, 4.5]])  # the same view wherever the slider puts the clouds
ALONE = {"lw": 1.1, "ls": (0, (4, 2)), "zorder": plots.marks.UNDER}  # the lines that workers find alone


class SgdExplorer(Editing[StochasticRun], layout="sgd"):
    """Stochastic descent on the hinge risk, over the map of it: one walk, or many, and where the next step could lead.

    The mails are 60 real emails by two numbers with mean 0 and standard deviation 1. k: how many steps were made;
    step() and rewind() move it; so does a click on the curves. There is no offset, as in the 01.112
    notes, so that theta fits into a picture. order "one class first" is cyclic over sorted data.
    walkers: how many; all but the first draw at random. pulls: where each example, or each of 60 batches, would take
    the first one. On request: the examples, which can be changed, see `Editing`; the objective step by step.
    """

    separability = controls.separability(-0.5, idle=lambda now: now.dataset != "blobs")
    eta = controls.graded("step size η", 1.0, powers(-2.0, 1.0, 20), "of the first step")
    lam = controls.lam(0.0, high=0.0)
    seed = controls.seed()
    dataset = controls.choice("data", ("blobs", "mails"), renews=True)
    schedule = controls.choice("eta_k", POWERS, "eta0 / (k+1)")
    batch = controls.whole("examples per step", 1, 1, EXAMPLES, "how many are drawn for each step")
    order = controls.choice("order", ("random", "shuffle", "cyclic", "one class first"))
    walkers = controls.whole("walkers", 1, 1, MANY, "how many walk, each with draws of its own")
    pulls = controls.choice("pulls", ("hidden", "shown"))
    k = controls.whole("step k", STEPS, 0, STEPS, "how many steps have been made", walk=10)
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
        kind = "email" if run.extent == EMAILS else "example"
        before = path.thetas[max(done - 1, 0)]
        if self.stale(*run.extent, *run.data.features):
            self.landscape.frame(run.extent)
            first, second = (name.split(",")[0] for name in run.data.features)
            self.axes["landscape"].set(xlabel=f"θ₁: {first}", ylabel=f"θ₂: {second}")
        self.axes["boundary"].set(xlabel=run.data.features[0], ylabel=run.data.features[1])
        self.boundary.show(run.data, np.append(run.theta, 0), np.append(before, 0), examples)
        walk, name = (path.thetas[: done + 1], "") if alone else (path.thetas[[0, done]], "one walker")
        self.landscape.show(run.landscape, walk, name=name)
        self.landscape.path.set_visible(alone)
        self.landscape.best.set_data(*run.bottom[:, None])
        ringed = path.thetas[[run.best] * (alone and run.best < done)]
        drawn = "; ring: best so far" * len(ringed) if alone else f" each, on random {kind}s"
        self.swarm.show(run.others, ringed, f"{counted(walkers, 'walker')}, {counted(done, 'step')}{drawn}")
        shown = pulls == "shown"
        example = run.objective.Z[examples[0]] if len(examples) == 1 and alone and not shown else None
        self.edge.show(example, f"{kind} {examples[0]}: loss 0" if len(examples) else "")
        ends, last = run.theta + run.rate * run.moves, len(run.moves) * shown
        self.fan.show(run.theta, ends[:last], run.kinds[:last], run.theta + run.rate * run.move if shown else None)
        self.curves.show((path.values, run.lowest), done)
        said = run.sentence(lam, kind) if alone else run.gathered(walkers)
        return said + run.opinions(kind) * shown + (run.remark(eta, schedule) if done else "")


class ParallelExplorer(Editing[Averaging], layout="parallel"):
    """Parallel stochastic descent by averaging, beside one worker on all the data: their walks on the map.

    steps: of each worker. The sequential runs make as many steps as one worker ("as long") and as all workers together
    ("as much work"). The shards run one after another here, so this works in the browser too; the answers are those
    that as many processes would give. There is no offset, so that theta fits into a picture. The examples can be
    changed, see `Editing`.
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
