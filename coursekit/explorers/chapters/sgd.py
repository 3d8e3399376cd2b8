"""Chapter 5: stochastic descent, one example or a few at a time."""

import numpy as np

from coursekit import plots
from coursekit.algorithms.sgd import sgd
from coursekit.core import datasets, risks, steps, text
from coursekit.explorers.framework import Dataset, Editing, Objective, Path, View, cached, controls, ground, to_step

STEPS, EXAMPLES = 400, 60
CORNERS = np.array([[-4.0, -4.5], [4.0, 4.5]])  # the same view wherever the slider puts the clouds
EXTENT = (-2.0, 5.0, -2.0, 5.0)
POWERS = {"constant": 0.0, "eta0 / sqrt(k+1)": 0.5, "eta0 / (k+1)": 1.0, "eta0 / (k+1)^2": 2.0}


class StochasticRun:
    """Stochastic descent on the hinge risk, after k of its steps."""

    def __init__(
        self, data: Dataset, eta: float, lam: float, seed: int, schedule: str, batch: int, order: str, k: int
    ) -> None:
        self.data, self.objective = data, Objective(data.X, data.y, lam=lam, offset=False)
        self.landscape = ground(self.objective, EXTENT)
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


class SgdExplorer(Editing[StochasticRun]):
    """Stochastic descent on the hinge risk: data, path over the landscape, current and best objective.

    The mails are 60 real emails by two numbers with mean 0 and standard deviation 1. k: how many steps were made;
    step() and rewind() move it; so does a click on the curves. There is no offset, as in the 01.112
    notes, so that theta fits into a picture. order "one class first" is cyclic over sorted data.
    The examples can be changed, see `Editing`.
    """

    separability = controls.separability(-0.5, idle=lambda now: now.dataset != "blobs")
    eta = controls.eta(1.0)
    lam = controls.lam(0.0, high=0.0)
    seed = controls.seed()
    dataset = controls.choice("data", ("blobs", "mails"), renews=True)
    schedule = controls.choice("eta_k", POWERS, "eta0 / (k+1)")
    batch = controls.whole("batch", 1, 1, EXAMPLES, "examples per step")
    order = controls.choice("order", ("random", "shuffle", "cyclic", "one class first"))
    k = controls.whole("step k", STEPS, 0, STEPS, "how many steps have been made", walk=10)

    size, below = (9.0, 4.9), 2.6
    boundary = View(lambda ax: plots.DecisionBoundary(ax, tags=True, corners=CORNERS), (0, 0, 0.5, 1),
                    (0.55, 0.5, 0.1, 0.4), "One example is looked at", 0.1, click="edit", compared=True)
    landscape = View(lambda ax: plots.Landscape(ax, EXTENT), (0.5, 0, 1, 1), (0.55, 0.5, 0.1, 0.4),
                     "The objective over θ: lighter is lower", 0.1, compared=True, anchor="NW", xlabel="θ₁",
                     ylabel="θ₂")
    edge = View(plots.ExampleEdge, over=landscape)
    curves = View(plots.ObjectiveCurves, (0, 0, 1, 1), (0.55, 0.5, 0.15, 0.4), "The objective, step by step", 0.1,
                  click=to_step, also="objective", xlabel="step k")

    model = StochasticRun

    @staticmethod
    def data(dataset: str, separability: float, seed: int) -> Dataset:
        if dataset == "blobs":
            return datasets.blobs(EXAMPLES, separability, seed=seed)
        mails = datasets.mails(EXAMPLES, seed)
        X = np.column_stack([np.log1p(mails.X[:, 0]), mails.X[:, 1]])  # logarithms, both
        features = "exclamation marks, standardized", "run of capitals, standardized"
        return Dataset(X, mails.y, features, mails.classes, mails.name).standardized()

    def show(self, run: StochasticRun, eta: float, lam: float, schedule: str) -> str:
        path, done, examples = run.path, run.done, run.examples
        before = path.thetas[max(done - 1, 0)]
        self.axes["boundary"].set(xlabel=run.data.features[0], ylabel=run.data.features[1])
        self.boundary.show(run.data, np.append(run.theta, 0), np.append(before, 0), examples)
        self.landscape.show(run.landscape, path.thetas[: done + 1], best=run.best, name=f"step {done}")
        example = run.objective.Z[examples[0]] if len(examples) == 1 else None
        self.edge.show(example, path.thetas[: done + 1], f"example {examples[0]}:" if done else "")
        self.curves.show((path.values, run.lowest), done)
        return sentence(run, lam) + (remark(run, eta, schedule) if done else "")


def sentence(run: StochasticRun, lam: float) -> str:
    """What the last step saw and did, and how the objective stands."""
    path, k, z = run.path, run.done, run.agreements
    if k == 0:
        return ("theta = (0, 0): every agreement is 0, every hinge loss 1, so the objective is 1. "
                "Press Step to let the first example pull.")
    pulling = int(np.sum(z <= 1))
    if len(z) > 1:
        did = f"{pulling} of its {len(z)} examples have agreement <= 1 and pull"
    else:
        pulls = "not above 1, and pulls" if pulling else "above 1, and does not pull"
        did = f"example {run.examples[0]} has agreement {text.number(z[0])}, {pulls}"
    moves = f"moves with eta_k = {text.number(path.rates[k - 1])}" if pulling else "only shrinks" if lam else "stays"
    lowest = "" if run.best == k else f" is {text.number(path.values[run.best])}, from step {run.best}"
    return (f"Step {k}: {did}; theta {moves}, at {text.vector(run.theta)}. Objective {text.number(path.values[k])}, "
            f"the best so far{lowest}. {run.rises} of {k} steps raised it. "
            f"{run.misclassified} of {len(run.data)} misclassified.")


def remark(run: StochasticRun, eta: float, schedule: str) -> str:
    """What is special about this run, if anything."""
    if run.path.status.startswith("diverged"):
        return f" {run.path.status.capitalize()}."
    if not plots.pixels.within(run.theta, EXTENT):
        return " theta is outside the picture."
    if POWERS[schedule] == 2:
        ahead = np.pi**2 / 6 - np.sum(1.0 / np.arange(1, run.done + 1) ** 2)  # the sum over j > k of 1/j^2
        return f" All steps to come add up to {text.number(eta * ahead)}: theta has come to rest wherever it is."
    return ""


@cached
def _path(objective: Objective, schedule: str, eta: float, batch: int, order: str, seed: int) -> Path:
    step = steps.Schedule(schedule, lambda k: eta / (k + 1.0) ** POWERS[schedule])
    sorted_by_class = np.argsort(objective.y, kind="stable")
    return sgd(objective, step, STEPS, batch, sorted_by_class if order == "one class first" else order, seed=seed)
