"""Chapter 5: stochastic descent, one example or a few at a time."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import ipywidgets as widgets
import numpy as np
from matplotlib.artist import Artist
from matplotlib.figure import Figure

from coursekit.algorithms.path import Path
from coursekit.algorithms.sgd import sgd
from coursekit.core import datasets, penalties, steps
from coursekit.core.objective import Objective
from coursekit.core.text import number, vector
from coursekit.core.validate import Floats
from coursekit.explorers import controls as parts
from coursekit.explorers.editing import Editing, edited
from coursekit.explorers.picture import Stroke
from coursekit.explorers.state import State
from coursekit.plots import (
    DecisionBoundary,
    ExampleEdge,
    Ghost,
    Landscape,
    ObjectiveCurves,
    figure,
    legend_above,
    panel,
)

STEPS = 400
EXAMPLES = 60
CORNERS = np.array([[-4.0, -4.5], [4.0, 4.5]])  # the same view wherever the slider puts the clouds
EXTENT = (-2.0, 5.0, -2.0, 5.0)
POWERS = {"constant": 0.0, "eta0 / sqrt(k+1)": 0.5, "eta0 / (k+1)": 1.0, "eta0 / (k+1)^2": 2.0}
ORDERS = ("random", "shuffle", "cyclic", "one class first")


class SgdExplorer(Editing):
    """Stochastic descent on the hinge risk: data, path over the landscape, current and best objective.

    Controls: separability, eta (eta0), lam, seed, schedule, batch, order, k (how many steps were made).
    step() and rewind() move k; so does a click on the curves. There is no offset, as in the 01.112
    notes, so that theta fits into a picture. order "one class first" is cyclic over sorted data.
    The examples can be changed, see `Editing`.
    """

    run, pace = "k", 10

    def controls(self) -> dict[str, widgets.Widget]:
        return {
            "separability": parts.separability(-0.5),
            "eta": parts.eta(1.0),
            "lam": parts.lam(0.0, high=0.0),
            "seed": parts.seed(),
            "schedule": parts.choice("eta_k", list(POWERS), "eta0 / (k+1)"),
            "batch": parts.whole("batch", 1, 1, EXAMPLES, "examples per step"),
            "order": parts.choice("order", list(ORDERS)),
            "k": parts.whole("step k", STEPS, 0, STEPS, "how many steps have been made"),
            **self.editing(EXAMPLES),
        }

    def original(self, values: Mapping[str, Any]) -> datasets.Dataset:
        return clouds(EXAMPLES, values["separability"], values["seed"])

    def step(self) -> None:
        """Make one more step."""
        self.forward("k")

    def touch(self, stroke: Stroke) -> None:
        """A click or drag on the curves goes to that step. In the data: see Editing."""
        super().touch(stroke)
        if stroke.axes is self.steps:
            at = stroke.at[0] * self.curves.ruler.scale["x"]
            self.k = int(np.clip(round(at), 0, len(self.state.path.rates)))

    def draw_once(self) -> tuple[Figure, list[Artist]]:
        fig = figure(9.0, 3.8)
        data = panel(fig, (0, 0, 0.345, 0.96), (0.57, 0.475, 0.09, 0.7), "Data, the example ringed", 0.45)
        data.set(xlabel="x1", ylabel="x2")
        self.boundary = DecisionBoundary(data)
        self.boundary.frame(self.boundary.limits(CORNERS, 0.0))
        plane = panel(fig, (0.345, 0, 0.685, 0.96), (0.48, 0.475, 0.1, 0.7), "Objective over θ", 0.405, anchor="N")
        plane.set(xlabel="θ₁", ylabel="θ₂")
        self.landscape, self.edge = Landscape(plane, EXTENT), ExampleEdge(plane)
        self.steps = panel(fig, (0.685, 0, 1, 0.96), (0.495, 0.475, 0.135, 0.7), "Objective against k", 0.45)
        self.curves = ObjectiveCurves(self.steps, ("current", "best so far"), log=True)
        legend_above(
            plane, [self.landscape.best, self.edge.edge], ["best so far", "this example's edge"], at=(-0.05, 0.99),
            handlelength=1.8,
        )
        views = (self.boundary, self.landscape, self.edge, self.curves)
        self.plane = self.boundary.ax
        return fig, [artist for view in views for artist in view.artists]

    @staticmethod
    def compute(
        separability: float, eta: float, lam: float, seed: int, schedule: str, batch: int, order: str, k: int,
        example: int, label: str, edits: str,
    ) -> dict[str, Any]:
        data, done_edits, problem = edited(clouds(EXAMPLES, separability, seed), edits)
        objective = hinge(data, lam)
        path = _path(objective, schedule, eta, batch, order, seed)
        done = min(k, len(path.rates))
        lowest = np.minimum.accumulate(path.values)
        theta = path.thetas[done]
        examples = None if done == 0 else np.atleast_1d(path.examples[done - 1])
        return {
            "objective": objective,
            "data": data,
            "done_edits": done_edits,
            "problem": problem,
            "example": min(example, len(data) - 1),
            "landscape": ground(data, lam),
            "path": path,
            "done": done,
            "theta": theta,
            "examples": examples,
            "agreements": None if examples is None else objective.Z[examples] @ path.thetas[done - 1],
            "lowest": lowest,
            "best": int(path.values[: done + 1].argmin()),
            "rises": int(np.sum(np.diff(path.values[: done + 1]) > 0)),
            "misclassified": int(np.sum(objective.Z @ theta <= 0)),
        }

    def show(self, state: State) -> str:
        path, done = state.path, state.done
        before = path.thetas[max(done - 1, 0)]
        self.boundary.show(state.data, np.append(state.theta, 0), np.append(before, 0), state.examples)
        self.landscape.show(state.landscape, path.thetas[: done + 1], best=state.best)
        one = state.examples is not None and len(state.examples) == 1
        self.edge.show(state.objective.Z[state.examples[0]] if one else None)
        self.curves.show((path.values, state.lowest), done)
        return sentence(state)

    def ghosts(self) -> list[Ghost]:
        return [*self.landscape.ghosts(), *self.boundary.ghosts()]


def sentence(state: State) -> str:
    """What the last step saw and did, and how the objective stands."""
    path, k, where = state.path, state.done, vector(state.theta)
    if k == 0:
        return ("theta = (0, 0): every agreement is 0, every hinge loss 1, so the objective is 1. "
                "Press Step to let the first example pull.")
    eta, z = number(path.rates[k - 1]), state.agreements
    pulling = int(np.sum(z <= 1))
    if len(z) > 1:
        did = f"{pulling} of its {len(z)} examples have agreement <= 1 and pull"
    elif pulling:
        did = f"example {state.examples[0]} has agreement {number(z[0])}, not above 1, and pulls"
    else:
        did = f"example {state.examples[0]} has agreement {number(z[0])}, above 1, and does not pull"
    moves = "stays" if not pulling and not state.lam else f"moves with eta_k = {eta}"
    if not pulling and state.lam:
        moves = "only shrinks"
    lowest = number(path.values[state.best])
    report = "the best so far" if state.best == k else f"the best so far is {lowest}, from step {state.best}"
    said = (f"Step {k}: {did}; theta {moves}, at {where}. Objective {number(path.values[k])}, {report}. "
            f"{state.rises} of {k} steps raised it. {state.misclassified} of {len(state.data)} misclassified.")
    return f"{said}{_remark(state)}"


def _remark(state: State) -> str:
    theta, eta = state.theta, state.eta
    if state.path.status.startswith("diverged"):
        return f" {state.path.status.capitalize()}."
    if not (EXTENT[0] <= theta[0] <= EXTENT[1] and EXTENT[2] <= theta[1] <= EXTENT[3]):
        return " theta is outside the picture."
    if POWERS[state.schedule] == 2:
        return f" All steps to come add up to {number(eta * _tail(state.done))}: theta has come to rest wherever it is."
    return ""


def _tail(k: int) -> float:
    """sum over j > k of 1/j^2"""
    return float(np.pi**2 / 6 - np.sum(1.0 / np.arange(1, k + 1) ** 2))


_POINTS = Landscape.points(EXTENT)


@lru_cache(maxsize=8)
def clouds(n: int, separability: float, seed: int) -> datasets.Dataset:
    return datasets.blobs(n, separability, seed=seed)


@lru_cache(maxsize=8)
def hinge(data: datasets.Dataset, lam: float) -> Objective:
    return Objective(data.X, data.y, lam=lam, offset=False)


def ground(data: datasets.Dataset, lam: float) -> Floats:
    """The objective at the points of the landscape; the risk is kept while lam changes."""
    return _risks(data) + lam * penalties.l2.value(_POINTS)


@lru_cache(maxsize=8)
def _risks(data: datasets.Dataset) -> Floats:
    return hinge(data, 0.0).value(_POINTS)


@lru_cache(maxsize=8)
def _path(objective: Objective, schedule: str, eta: float, batch: int, order: str, seed: int) -> Path:
    power = POWERS[schedule]
    step = steps.Schedule(schedule, lambda k: eta / (k + 1.0) ** power)
    sorted_by_class = np.argsort(objective.y, kind="stable")
    return sgd(objective, step, STEPS, batch, sorted_by_class if order == "one class first" else order, seed=seed)
