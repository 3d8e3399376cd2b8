"""Chapter 2: walk through a perceptron's run, one visit at a time."""

import numpy as np

from coursekit import plots
from coursekit.algorithms import bound, perceptron, trace
from coursekit.core import datasets, risks, text
from coursekit.explorers.framework import Dataset, Editing, View, Widget, cached, controls

PASSES = 30
CLOUD_CORNERS = np.array([[-1.8, -3.2], [5.8, 5.2]])  # the same view wherever the slider puts the clouds


class PerceptronVisit:
    """A run of the perceptron after some of its visits, and its mistake bound."""

    def __init__(
        self, data: Dataset, original: Dataset, eta: float, lam: float, seed: int, dataset: str, order: str, visit: int
    ) -> None:
        self.data = data
        self.framed = CLOUD_CORNERS if dataset == "blobs" else original.X  # examples that the view has room for
        self.trace, self.bound = _trace(data, order, seed, eta, lam), _bound(data)
        self.visit = min(visit, len(self.trace.visits))
        self.theta = self.trace.theta_at(self.visit)
        self.row = self.trace.row(self.visit) if self.visit else None
        self.mistakes = self.trace.mistakes_at(self.visit)
        self.misclassified = risks.misclassified(data.y * (data.X @ self.theta[:2] + self.theta[2]))


class PerceptronExplorer(Editing[PerceptronVisit]):
    """The perceptron step by step: data and line, and the last visits as a table.

    visit is how many examples have been visited; step(), rewind() and finish_pass() move it.
    also="lengths" shows the length of theta between Novikoff's two bounds, also="weights" the path of theta.
    The variant shown is theta <- (1 - eta lam) theta + eta y (x, 1) at each mistake.
    The examples can be changed, see `Editing`.
    """

    separability = controls.separability(0.5, idle=lambda now: now.dataset != "blobs")
    eta = controls.eta(1.0)
    lam = controls.lam(0.0)
    seed = controls.seed(idle=lambda now: now.dataset != "blobs" and now.order != "shuffle")
    dataset = controls.choice("data", ("blobs", "three points", "mails", "iris"), renews=True)
    order = controls.choice("order", ("cyclic", "reversed", "one class first", "shuffle"))
    visit = controls.whole("visit", 40, 0, 40, "how many examples have been visited", walk=2,
                           last=lambda state: len(state.trace.visits))

    size = 9.0, 4.6
    boundary = View(lambda ax: plots.DecisionBoundary(ax, legend=False), (0, 0, 0.5, 1), (0.75, 0.55, 0.17, 0.15),
                    click="edit", compared=True)
    classes = View(plots.normal.ClassNames, over=boundary)
    rows = View(plots.TraceRows, (0.5, 0.2, 1, 1), (0.04, 0.2, 0.06, 0.15))
    bounds = View(plots.MistakeBounds, (0, 0, 1, 1), (0.75, 0.3, 0.3, 0.45),
                  "Length of θ after each mistake, in units of R", 0.75, also="lengths")
    path = View(plots.ParameterPath, (0.3, 0, 0.7, 1), (0.6, 0.3, 0.2, 0.45), "Path of (θ₁, θ₂)", 0.6, also="weights")

    model = PerceptronVisit

    @staticmethod
    def data(dataset: str, separability: float, seed: int) -> Dataset:
        if dataset == "iris":
            return datasets.load("iris", classes=("setosa", "versicolor"), features=("sepal length", "petal length"))
        if dataset == "blobs":
            return datasets.blobs(40, separability, seed=seed, centre=(2.0, 1.0))
        return datasets.mails() if dataset == "mails" else datasets.three_points()

    def buttons(self) -> list[Widget]:
        return [controls.button("Finish pass", "go on to the end of this pass", self.finish_pass)]

    def finish_pass(self) -> None:
        """Go on to the end of the current pass."""
        n = len(self.state.data)
        self.visit = (self.visit // n + 1) * n

    def show(self, now: PerceptronVisit, eta: float, lam: float) -> str:
        data, run, row = now.data, now.trace, now.row
        limits = self.boundary.limits(now.framed, 0.2)
        if self.stale(data.name, limits):
            self.boundary.frame(limits)
            self.axes["boundary"].set(xlabel=data.features[0], ylabel=data.features[1])
        before = row.before if row else now.theta
        self.boundary.show(data, now.theta, before, row.example if row else None)
        wrong = np.vstack([plots.marks.places(kind) for kind in self.boundary.wrong])
        self.classes.show(data, before if row and row.mistake else None, wrong)
        self.path.show(run.thetas[: max(now.mistakes, 1)] * bool(now.mistakes), before, now.theta)
        lengths = np.append(0.0, np.linalg.norm(run.thetas, axis=1) / (eta * now.bound.R))
        ahead = int(min(np.ceil(now.bound.mistakes), 1.6 * run.mistakes + 2))
        lower, upper = now.bound.corridor(max(run.mistakes, ahead), eta * lam)
        self.bounds.show(lower, upper, lengths, now.mistakes)
        self.rows.show(run, now.visit)
        return sentence(now, eta, lam)


def sentence(now: PerceptronVisit, eta: float, lam: float) -> str:
    """Why theta was changed at this visit or why not, and how far the run has come."""
    row, n = now.row, len(now.data)
    if row is None:
        return (f"Theta is {text.vector(now.theta)}, so every score is 0, and a score of 0 counts as a mistake. "
                f"Press Step to visit the first of {n} examples.")
    why = f"is above 0, which is right, so theta stays at {text.vector(row.after)}."
    if row.mistake:
        shrinks = f"shrinks by {100 * eta * lam:.3g}% and " if lam else ""
        step = "y (x, 1)" if eta == 1 else "eta y (x, 1)"
        why = (f"is not above 0, so this is a mistake. Theta {shrinks}moves by {step} to {text.vector(row.after)}, "
               f"where y f for this example is {text.number(row.y * (row.after[:2] @ row.x + row.after[2]))}.")
    said = (f"Visit {row.visit} (pass {(row.visit - 1) // n + 1}): example {row.example} at {text.vector(row.x)} has "
            f"y = {row.y:+.0f} and score f = {text.number(row.f)}. y f = {text.number(row.y * row.f)} {why} "
            f"{text.counted(now.mistakes, 'mistake')} so far; this theta gets {now.misclassified} of {n} wrong.")
    if row.visit == len(now.trace.visits):
        said += f" The run ends here. {now.trace.status[0].upper()}{now.trace.status[1:]}."
    if not np.isfinite(now.bound.mistakes):
        said += " No line separates these data, so there is no mistake bound."
    elif lam:
        said += " With lambda above 0 theta shrinks at each mistake, and the mistake bound no longer holds."
    else:
        said += f" Mistake bound: at most {now.bound.mistakes:.0f}."
    if eta != 1 and not lam:
        said += " With lambda = 0, eta changes the length of theta and no decision."
    return said


@cached
def _trace(data: Dataset, order: str, seed: int, eta: float, lam: float) -> trace.Trace:
    n = len(data)
    indices = {"reversed": np.arange(n)[::-1], "one class first": np.argsort(-data.y, kind="stable")}
    return perceptron.perceptron(data.X, data.y, PASSES, indices.get(order, order), eta=eta, lam=lam, seed=seed)


@cached
def _bound(data: Dataset) -> bound.Bound:
    return bound.mistake_bound(data.X, data.y)
