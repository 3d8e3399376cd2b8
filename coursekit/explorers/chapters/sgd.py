"""Chapter 5: stochastic descent, one example or a few at a time."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache, partial

import numpy as np
from numpy.typing import NDArray

from coursekit.algorithms.path import Path
from coursekit.algorithms.sgd import sgd
from coursekit.core import datasets, penalties, steps
from coursekit.core.datasets import Dataset
from coursekit.core.objective import Objective
from coursekit.core.risks import misclassified
from coursekit.core.text import number, vector
from coursekit.core.validate import Floats
from coursekit.explorers import controls
from coursekit.explorers.editing import Editing
from coursekit.explorers.view import View, to_step
from coursekit.plots import DecisionBoundary, ExampleEdge, Landscape, ObjectiveCurves
from coursekit.plots.pixels import within

STEPS = 400
EXAMPLES = 60
CORNERS = np.array([[-4.0, -4.5], [4.0, 4.5]])  # the same view wherever the slider puts the clouds
EXTENT = (-2.0, 5.0, -2.0, 5.0)
POWERS = {"constant": 0.0, "eta0 / sqrt(k+1)": 0.5, "eta0 / (k+1)": 1.0, "eta0 / (k+1)^2": 2.0}


@dataclass(frozen=True)
class Found:
    data: Dataset
    objective: Objective
    landscape: Floats
    path: Path
    done: int
    theta: Floats
    examples: NDArray[np.intp]  # that the last step looked at
    agreements: Floats  # of these, before that step
    lowest: Floats
    best: int
    rises: int
    misclassified: int


class SgdExplorer(Editing[Found]):
    """Stochastic descent on the hinge risk: data, path over the landscape, current and best objective.

    Controls: separability, eta (eta0), lam, seed, dataset ("blobs", or "mails": 60 real ones by two numbers with mean 0
    and standard deviation 1), schedule, batch, order, k (how many steps were made).
    step() and rewind() move k; so does a click on the curves. There is no offset, as in the 01.112
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
    boundary = View(partial(DecisionBoundary, tags=True, corners=CORNERS), (0, 0, 0.5, 1), (0.55, 0.5, 0.1, 0.4),
                    "One example is looked at", 0.1, click="edit", compared=True, xlabel="x1", ylabel="x2")
    landscape = View(partial(Landscape, extent=EXTENT), (0.5, 0, 1, 1), (0.55, 0.5, 0.1, 0.4),
                     "The objective over θ: lighter is lower", 0.1, compared=True, anchor="NW", xlabel="θ₁",
                     ylabel="θ₂")
    edge = View(ExampleEdge, over=landscape)
    curves = View(ObjectiveCurves, (0, 0, 1, 1), (0.55, 0.5, 0.15, 0.4), "The objective, step by step", 0.1,
                  click=to_step, also="objective", xlabel="step k")

    @staticmethod
    def data(dataset: str, separability: float, seed: int) -> Dataset:
        if dataset == "mails":
            return standardised(datasets.mails(EXAMPLES, seed))
        return datasets.blobs(EXAMPLES, separability, seed=seed)

    @staticmethod
    def model(
        data: Dataset, eta: float, lam: float, seed: int, schedule: str, batch: int, order: str, k: int
    ) -> Found:
        objective = hinge(data, lam)
        path = _path(objective, schedule, eta, batch, order, seed)
        done = min(k, len(path.rates))
        values, theta = path.values[: done + 1], path.thetas[done]
        examples = np.ravel(np.asarray(path.examples)[max(done - 1, 0) : done])
        return Found(
            data=data, objective=objective, landscape=ground(data, lam), path=path, done=done, theta=theta,
            examples=examples, agreements=objective.Z[examples] @ path.thetas[done - 1],
            lowest=np.minimum.accumulate(path.values), best=int(values.argmin()),
            rises=int(np.sum(np.diff(values) > 0)), misclassified=misclassified(objective.Z @ theta),
        )

    def show(self, found: Found, eta: float, lam: float, schedule: str) -> str:
        path, done = found.path, found.done
        before = path.thetas[max(done - 1, 0)]
        self.boundary.show(found.data, np.append(found.theta, 0), np.append(before, 0), found.examples)
        self.landscape.show(found.landscape, path.thetas[: done + 1], best=found.best, name=f"step {done}")
        example = found.objective.Z[found.examples[0]] if len(found.examples) == 1 else None
        self.edge.show(example, path.thetas[: done + 1], f"example {found.examples[0]}:" if done else "")
        self.curves.show((path.values, found.lowest), done)
        return sentence(found, lam) + remark(found, eta, schedule)


def standardised(mails: Dataset) -> Dataset:
    """log(1 + exclamation marks) and the run of capitals, each with mean 0 and standard deviation 1."""
    X = np.column_stack([np.log1p(mails.X[:, 0]), mails.X[:, 1]])
    return replace(mails, X=(X - X.mean(axis=0)) / X.std(axis=0))


def sentence(found: Found, lam: float) -> str:
    """What the last step saw and did, and how the objective stands."""
    path, k, where = found.path, found.done, vector(found.theta)
    if k == 0:
        return ("theta = (0, 0): every agreement is 0, every hinge loss 1, so the objective is 1. "
                "Press Step to let the first example pull.")
    eta, z = number(path.rates[k - 1]), found.agreements
    pulling = int(np.sum(z <= 1))
    if len(z) > 1:
        did = f"{pulling} of its {len(z)} examples have agreement <= 1 and pull"
    elif pulling:
        did = f"example {found.examples[0]} has agreement {number(z[0])}, not above 1, and pulls"
    else:
        did = f"example {found.examples[0]} has agreement {number(z[0])}, above 1, and does not pull"
    moves = "stays" if not pulling and not lam else f"moves with eta_k = {eta}"
    if not pulling and lam:
        moves = "only shrinks"
    lowest = number(path.values[found.best])
    report = "the best so far" if found.best == k else f"the best so far is {lowest}, from step {found.best}"
    return (f"Step {k}: {did}; theta {moves}, at {where}. Objective {number(path.values[k])}, {report}. "
            f"{found.rises} of {k} steps raised it. {found.misclassified} of {len(found.data)} misclassified.")


def remark(found: Found, eta: float, schedule: str) -> str:
    """What is special about this run, if anything."""
    if found.done == 0:
        return ""
    if found.path.status.startswith("diverged"):
        return f" {found.path.status.capitalize()}."
    if not within(found.theta, EXTENT):
        return " theta is outside the picture."
    if POWERS[schedule] == 2:
        ahead = np.pi**2 / 6 - np.sum(1.0 / np.arange(1, found.done + 1) ** 2)  # the sum over j > k of 1/j^2
        return f" All steps to come add up to {number(eta * ahead)}: theta has come to rest wherever it is."
    return ""


_POINTS = Landscape.points(EXTENT)


def hinge(data: Dataset, lam: float) -> Objective:
    return Objective(data.X, data.y, lam=lam, offset=False)


def ground(data: Dataset, lam: float) -> Floats:
    """The objective at the points of the landscape; the risk is kept while lam changes."""
    return _risks(data) + lam * penalties.l2.value(_POINTS)


@lru_cache(maxsize=8)
def _risks(data: Dataset) -> Floats:
    return hinge(data, 0.0).value(_POINTS)


@lru_cache(maxsize=8)
def _path(objective: Objective, schedule: str, eta: float, batch: int, order: str, seed: int) -> Path:
    power = POWERS[schedule]
    step = steps.Schedule(schedule, lambda k: eta / (k + 1.0) ** power)
    sorted_by_class = np.argsort(objective.y, kind="stable")
    return sgd(objective, step, STEPS, batch, sorted_by_class if order == "one class first" else order, seed=seed)
