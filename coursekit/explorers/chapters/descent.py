"""Chapter 4: walk down the landscape of the objective, with any loss and any step-size rule."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import ipywidgets as widgets
import numpy as np
from matplotlib.artist import Artist
from matplotlib.figure import Figure

from coursekit.algorithms.descent import gradient_descent
from coursekit.algorithms.path import Path
from coursekit.core import datasets, losses, penalties, steps
from coursekit.core.objective import Objective
from coursekit.core.validate import Floats
from coursekit.explorers import controls as parts
from coursekit.explorers.editing import Editing, edited
from coursekit.explorers.picture import Stroke
from coursekit.explorers.state import State
from coursekit.plots import DecisionBoundary, Ghost, Landscape, ObjectiveCurves, StepCut, figure, panel

STEPS = 40
EXAMPLES = 40
USE_ETA = ("constant", "decaying")
START = "where the descent starts; or click in the landscape"
CURVES = ("objective", "best so far")
EXTENT = (-2.0, 4.0, -2.0, 4.0)
CLOUD_CORNERS = np.array([[-3.2, -3.6], [3.2, 3.6]])  # the same view wherever the slider puts the clouds
RULES = {
    "constant": steps.constant,
    "decaying": steps.decaying,
    "halving": steps.backtracking,
    "exact": steps.exact,
    "Barzilai-Borwein": steps.barzilai_borwein,
}


class DescentExplorer(Editing):
    """Gradient descent over two weights: map with path, objective against steps, the cut along one step.

    Controls: separability, eta, lam, seed, loss ("squared", "logistic", "hinge"), rule ("constant",
    "decaying", "halving", "exact", "Barzilai-Borwein"), momentum, w1 and w2 (the start: also a click in
    the landscape), step. step is how many of the 40 steps have been made.
    The classifier has no offset: the middle of the gap between the classes lies at the origin.
    The examples can be changed, see `Editing`.
    """

    run = "step"

    def controls(self) -> dict[str, widgets.Widget]:
        return {
            "separability": parts.separability(0.5),
            "eta": parts.eta(0.1, -3.0, 1.0),
            "lam": parts.lam(0.0, -3.0, 0.0),
            "seed": parts.seed(),
            "loss": parts.choice("loss", ["squared", "logistic", "hinge"]),
            "rule": parts.choice("step rule", list(RULES)),
            "momentum": parts.real("momentum", 0.0, 0.0, 0.95, 0.05, "how much of the last step is carried on"),
            "w1": parts.box("start w1", -1.0, *EXTENT[:2], START),
            "w2": parts.box("start w2", 3.0, *EXTENT[2:], START),
            "step": widgets.IntSlider(
                value=1, min=0, max=STEPS, description="step", style={"description_width": "40px"},
                layout=widgets.Layout(width="300px"), tooltip="how many steps have been made",
            ),
            **self.editing(EXAMPLES),
        }

    def original(self, values: Mapping[str, Any]) -> datasets.Dataset:
        return _data(values["separability"], values["seed"])

    def touch(self, stroke: Stroke) -> None:
        """A click or drag in the landscape moves the start. In the data: see Editing."""
        super().touch(stroke)
        if stroke.axes is self.landscape.ax:
            at = np.clip(np.round(stroke.at, 2), EXTENT[::2], EXTENT[1::2])
            self.set(w1=float(at[0]), w2=float(at[1]))

    def draw_once(self) -> tuple[Figure, list[Artist]]:
        fig = figure(9.0, 5.2)
        title = "Objective over (w₁, w₂), lighter is lower"
        plane = panel(fig, (0, 0, 0.56, 1), (0.54, 0.495, 0.2, 0.4), title, 0.54, anchor="N")
        self.landscape = Landscape(plane, EXTENT)
        curves = panel(fig, (0.56, 0.5, 1, 1), (0.45, 0.47, 0.135, 0.625), "Objective against steps", 0.045)
        self.curves = ObjectiveCurves(curves, CURVES, True, STEPS)
        cut = panel(fig, (0.56, 0, 0.79, 0.5), (0.45, 0.495, 0.045, 0.39), "Along this step, by\xa0η", 0.045)
        self.cut = StepCut(cut)
        data = panel(fig, (0.79, 0, 1, 0.5), (0.18, 0.495, 0.09, 0.39), "Data: ▲\xa0+1, ●\xa0−1", 0.18)
        data.set(xticks=[], yticks=[])
        self.boundary = DecisionBoundary(data, legend=False)
        self.boundary.frame(self.boundary.limits(CLOUD_CORNERS))
        self.landscape.ax.set_xlabel("w₁", labelpad=1)
        self.landscape.ax.set_ylabel("w₂", labelpad=1)
        views = (self.landscape, self.curves, self.cut, self.boundary)
        self.plane = self.boundary.ax
        return fig, [artist for view in views for artist in view.artists]

    @staticmethod
    def compute(
        separability: float, eta: float, lam: float, seed: int, loss: str, rule: str, momentum: float,
        w1: float, w2: float, step: int, example: int, label: str, edits: str,
    ) -> dict[str, Any]:
        data, done_edits, problem = edited(_data(separability, seed), edits)
        objective = _objective(data, loss, lam)
        path = _path(objective, rule, eta if rule in USE_ETA else None, momentum, w1, w2)
        slopes = _slopes(objective, path)
        step = min(step, len(path.rates))
        theta = path.thetas[step]
        now = max(step - 1, 0)  # the step just made; at the start the one to come
        origin = path.thetas[now]
        slope = slopes[now]
        rates = path.tried[now : now + 1] if path.tried else tuple((rate,) for rate in path.rates[now : now + 1])
        tried = np.array(rates[0] if rates else [])
        etas = np.linspace(0, (1.25 if len(tried) > 1 else 2) * tried.max(initial=0.0) or 1.0, 61)
        with np.errstate(over="ignore"):
            return {
                "data": data,
                "done_edits": done_edits,
                "problem": problem,
                "example": min(example, len(data) - 1),
                "objective": objective,
                "ground": _ground(data, loss) + lam * penalties.l2(_POINTS),
                "path": path,
                "step": step,
                "theta": theta,
                "slope": slopes[step],
                "slopes": slopes,
                "crossings": int(np.sum((slopes[1:] * slopes[:-1]).sum(axis=1) < 0)),
                "tried": tried,
                "points": origin - tried[:, None] * slope,
                "reached": objective.value(origin - tried[:, None] * slope),
                "etas": etas,
                "along": objective.value(origin - etas[:, None] * slope),
                "fall": float(slope @ slope),
                "best": int(path.values[: step + 1].argmin()),
                "misclassified": int(np.sum(objective.Z @ theta <= 0)),
            }

    def show(self, state: State) -> str:
        path = state.path
        self.landscape.show(state.ground, path.thetas, state.step, state.best, state.points[:-1])
        self.curves.show([path.values, np.minimum.accumulate(path.values)], state.step)
        self.cut.show(state.etas, state.along, state.fall, state.tried, state.reached)
        self.boundary.show(state.data, np.append(state.theta, 0.0))
        return sentence(state)

    def ghosts(self) -> list[Ghost]:
        return [*self.landscape.ghosts(), *self.boundary.ghosts()]


def sentence(state: State) -> str:
    """Where the descent stands, how it chose its step, and what becomes of it."""
    path, k = state.path, state.step
    made = len(path.rates)
    length = float(np.linalg.norm(state.slope))
    at = f"({state.theta[0]:.3g}, {state.theta[1]:.3g})"
    at += "" if (np.abs(state.theta - np.mean(EXTENT)) <= np.ptp(EXTENT) / 2).all() else ", off the map"
    where = (f"Step {k} of {made}: w = {at}, objective {path.values[k]:.4g} (start {path.values[0]:.4g}), "
             f"slope {length:.2g} long; {state.misclassified} of {len(state.data)} misclassified.")
    return " ".join(part for part in (where, _choice(state), _verdict(path, state)) if part)


def _choice(state: State) -> str:
    """How the step size was chosen, and what the slope promised against what the step gave."""
    if not len(state.tried):
        return ""
    *refused, eta = (f"{eta:.3g}" for eta in state.tried)
    names = {"halving": "Halving", "exact": "The exact search", "Barzilai-Borwein": "Barzilai-Borwein"}
    said = f"{names.get(state.rule, 'This step')} took eta = {eta}"
    if refused:
        said += f" and refused {', '.join(refused if len(refused) < 4 else [refused[0], '...', refused[-1]])}"
    if state.rule not in USE_ETA:
        said += " (eta slider unused)"
    if state.step and not state.momentum:
        fell = state.path.values[state.step - 1] - state.path.values[state.step]
        became = f"it fell by {fell:.3g}" if fell >= 0 else f"the objective rose by {-fell:.3g}"
        said += f": the slope promised a fall of {state.tried[-1] * state.fall:.3g}, {became}"
    return f"{said}."


def _verdict(path: Path, state: State) -> str:
    """What becomes of the whole run."""
    values, made = path.values, len(path.rates)
    rises = int(np.sum(np.diff(values) > 0))
    lengths = np.linalg.norm(state.slopes, axis=1)
    if made < STEPS:
        return f"{path.status[0].upper()}{path.status[1:]}."
    if values[-1] == values.max() > values[0]:
        return f"Diverges: after {made} steps the objective is {values[-1]:.3g}, higher than at the start."
    if rises:
        return (f"Overshoots: the objective rose in {rises} of {made} steps; the lowest is {values[path.best]:.4g} "
                f"at step {path.best}.")
    if state.crossings > made / 2 and state.rule in USE_ETA and not state.momentum:
        return f"Zigzags: {state.crossings} of {made} steps went past the lowest point on their way."
    if lengths[-1] > 0.1 * lengths[0]:
        return f"Creeps: it falls at every step, but after {made} the slope is still {lengths[-1]:.2g} long."
    return f"Falls at every step, to {values[-1]:.4g}."


_POINTS = Landscape.points(EXTENT)


@lru_cache(maxsize=8)
def _data(separability: float, seed: int) -> datasets.Dataset:
    return datasets.blobs(EXAMPLES, separability, seed=seed)


@lru_cache(maxsize=8)
def _objective(data: datasets.Dataset, loss: str, lam: float) -> Objective:
    return Objective(data.X, data.y, loss=losses.KNOWN[loss], lam=lam, offset=False)


@lru_cache(maxsize=8)
def _ground(data: datasets.Dataset, loss: str) -> Floats:
    """The mean loss all over the map; the penalty is added where lambda is known."""
    return _objective(data, loss, 0.0).risk(_POINTS)


@lru_cache(maxsize=8)
def _path(objective: Objective, rule: str, eta: float | None, momentum: float, w1: float, w2: float) -> Path:
    step = RULES[rule]() if eta is None else RULES[rule](eta)
    return gradient_descent(objective, step, STEPS, momentum, (w1, w2), tolerance=1e-6)


@lru_cache(maxsize=8)
def _slopes(objective: Objective, path: Path) -> Floats:
    return np.array([objective.slope(theta) for theta in path.thetas])
