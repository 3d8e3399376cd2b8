"""Chapter 2: walk through a perceptron's run, one visit at a time."""

import numpy as np

from coursekit import plots
from coursekit.core import datasets, text
from coursekit.explorers.framework import Dataset, Editing, View, Widget, controls
from coursekit.models.perceptron import PerceptronVisit


class PerceptronExplorer(Editing[PerceptronVisit], layout="perceptron"):
    """The perceptron step by step: data and line, and theta with its projection on theta*.

    visit is how many examples have been visited; step(), rewind() and finish_epoch() move it.
    theta* is the unit vector with the largest margin; where no line separates, there is none.
    also="lengths" shows the length of theta between Novikoff's two bounds.
    The variant shown is theta <- (1 - eta lam) theta + eta y (x, 1) at each mistake.
    The examples can be changed, see `Editing`.
    """

    separability = controls.separability(0.5, idle=lambda now: now.dataset != "blobs")
    eta = controls.eta(1.0)
    lam = controls.lam(0.0)
    seed = controls.seed(idle=lambda now: now.dataset != "blobs" and now.order != "shuffle")
    dataset = controls.choice("data", ("blobs", "three points", "mails", "iris"), renews=True)
    order = controls.choice("order", ("cyclic", "reversed", "one class first", "shuffle"))
    visit = controls.whole("emails seen", 40, 0, 40, "how many examples the machine has looked at", walk=2,
                           last=lambda state: len(state.trace.visits))
    boundary = View(lambda ax: plots.DecisionBoundary(ax, legend=False, normal=False), click="edit", compared=True)
    sides = View(plots.normal.Sides, over=boundary)
    shadow = View(plots.Reach)
    bounds = View(plots.MistakeBounds)

    @staticmethod
    def data(dataset: str, separability: float, seed: int) -> Dataset:
        if dataset == "iris":
            return datasets.load("iris", classes=("setosa", "versicolor"), features=("sepal length", "petal length"))
        if dataset == "blobs":
            return datasets.blobs(40, separability, seed=seed, center=(2.0, 1.0))
        return datasets.mails() if dataset == "mails" else datasets.three_points()

    def buttons(self) -> list[Widget]:
        return [controls.button("Finish epoch", "go on to the end of this trip through the data", self.finish_epoch)]

    def finish_epoch(self) -> None:
        """Go on to the end of the current epoch, or pass."""
        n = len(self.state.data)
        self.visit = (self.visit // n + 1) * n

    def arrange(self) -> None:
        self.plane.spines[:].set_visible(False)
        for mark in (*self.boundary.points, *self.boundary.wrong):
            mark.set_markersize(8 if self.narrow else 10)
        self.boundary.ring.set_markersize(17 if self.narrow else 22)

    def show(self, now: PerceptronVisit, eta: float, lam: float, dataset: str, also: str) -> str:
        data, run, row, k = now.data, now.trace, now.row, now.mistakes
        emails = dataset == "mails"
        farthest = float(np.abs(now.along).max()), float(now.rest.max())
        if self.stale(data.name, now.framed.tobytes(), *farthest):
            low, high = now.framed if emails else np.reshape(self.boundary.limits(now.framed, 0.2), (2, 2)).T
            self.boundary.frame((low[0], high[0], low[1], high[1]))
            axes = ("more exclamation marks →", "longest run of CAPITALS →") if emails else data.features
            self.plane.set(xlabel=axes[0], ylabel=axes[1])
            self.shadow.frame(*farthest)
        jumped = row.before if row and row.mistake else None
        self.boundary.show(data, now.theta, jumped, row.example if row else None)
        beside = [plots.tags.Tag(text.vector(x), x) for x in data.X] if len(data) < 5 else []
        if row:
            verdict = "was wrong about" if row.mistake else "right about"
            at = self.sides.beside(row.x, self.boundary.ring.get_markersize())
            beside.insert(0, plots.tags.Tag(f"{verdict} this {'email' if emails else 'one'}", at))
        self.sides.show(now.theta, tuple(f"called {name}" for name in data.classes), jumped, beside)
        self.shadow.show(now.along[: k + 1], now.rest[: k + 1])
        lengths = np.append(0.0, np.linalg.norm(run.thetas, axis=1) / (eta * now.bound.R))
        ahead = int(min(np.ceil(now.bound.mistakes), 1.6 * run.mistakes + 2))
        lower, upper = now.bound.corridor(max(run.mistakes, ahead), eta * lam)
        self.bounds.show(lower, upper, lengths, k)
        dashed = jumped is not None and len(plots.boundary.visible(self.plane, jumped)) > 0
        return now.sentence(eta, lam, "email" if emails else "example", dashed, also == "lengths")
