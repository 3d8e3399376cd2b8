"""A gradient descent, and a sentence about the place, the step and the whole run."""

import numpy as np

from coursekit import plots
from coursekit.algorithms.descent import gradient_descent
from coursekit.core import losses, risks, steps
from coursekit.models.shared import Dataset, Objective, cached, ground

STEPS = 40
EXTENT = (-2.0, 4.0, -2.0, 4.0)
USE_ETA = {"constant": steps.constant, "decaying": steps.decaying}
SEARCHES = {"halving": steps.backtracking, "exact": steps.exact, "Barzilai-Borwein": steps.barzilai_borwein}
NAMES = {"halving": "Halving", "exact": "The exact search", "Barzilai-Borwein": "Barzilai-Borwein"}

descend = cached(gradient_descent)


class DescentRun:
    """Gradient descent after k of its steps, and the cut along the step just made (at the start: the one to come)."""

    def __init__(self, data: Dataset, eta: float, lam: float, stretch: float, loss: str, rule: str, momentum: float,
                 w1: float, w2: float, k: int) -> None:
        objective = Objective(data.X * (1, stretch), data.y, losses.KNOWN[loss], lam=lam, offset=False)
        self.data, self.objective, self.ground = data, objective, ground(objective, EXTENT)
        step = USE_ETA[rule](eta) if rule in USE_ETA else SEARCHES[rule]()
        self.path = path = descend(objective, step, STEPS, momentum, (w1, w2), tolerance=1e-6)
        self.slopes = np.array([objective.slope(theta) for theta in path.thetas])
        self.done = min(k, len(path.rates))
        self.theta = path.thetas[self.done]
        now = max(self.done - 1, 0)
        origin, slope = path.thetas[now], self.slopes[now]
        self.fall = float(slope @ slope)  # what the slope promises for eta = 1
        self.tried = np.ravel((path.tried or path.rates)[now : now + 1])  # step sizes, the one taken last
        self.points = origin - self.tried[:, None] * slope  # where they lead
        self.etas = np.linspace(0, (1.25 if len(self.tried) > 1 else 2) * self.tried.max(initial=0.0) or 1.0, 61)
        with np.errstate(over="ignore"):
            self.reached = objective.value(self.points)
            self.along = objective.value(origin - self.etas[:, None] * slope)
        self.best = int(path.values[: self.done + 1].argmin())
        self.misclassified = risks.misclassified(objective.Z @ self.theta)

    def where(self) -> str:
        path, k = self.path, self.done
        off = "" if plots.boundary.within(self.theta, EXTENT) else ", off the map"
        return (f"After step {k} of {len(path.rates)}, w = ({self.theta[0]:.3g}, {self.theta[1]:.3g}){off}. "
                f"The objective began at {path.values[0]:.4g} and is now **{path.values[k]:.4g}**, and the "
                f"gradient is {np.linalg.norm(self.slopes[k]):.2g} long. "
                f"The line gets **{self.misclassified}** of {len(self.data)} wrong.")

    def step_taken(self, rule: str, momentum: float) -> str:
        """How the step size was chosen, and what the slope promised against what the step gave."""
        if not len(self.tried):
            return ""
        *refused, eta = (f"{eta:.3g}" for eta in self.tried)
        few = refused if len(refused) < 4 else [refused[0], "...", refused[-1]]
        chosen = f"{NAMES.get(rule, 'This step')} took η = {eta}{' and refused ' * bool(few)}{', '.join(few)}"
        unused = "" if rule in USE_ETA else " (the slider η is unused)"
        if not self.done or momentum:
            return f"{chosen}{unused}."
        due, fell = self.tried[-1] * self.fall, self.path.values[self.done - 1] - self.path.values[self.done]
        became = f"fell by {fell:.3g}" if fell >= 0 else f"rose by {-fell:.3g}"
        return f"{chosen}{unused}. The slope promised a fall of {due:.3g}, and the objective {became}."

    def verdict(self, rule: str, momentum: float) -> str:
        """What becomes of the whole run."""
        path, values, made = self.path, self.path.values, len(self.path.rates)
        rises = int(np.sum(np.diff(values) > 0))
        crossings = int(np.sum((self.slopes[1:] * self.slopes[:-1]).sum(axis=1) < 0))
        first, last = np.linalg.norm(self.slopes[[0, -1]], axis=1)
        if made < STEPS:
            return f"{path.status[0].upper()}{path.status[1:]}."
        if values[-1] == values.max() > values[0]:
            return f"The walk diverges: after {made} steps the objective is {values[-1]:.3g}, higher than at the start."
        if rises:
            lowest = f"the lowest is {values[path.best]:.4g} at step {path.best}"
            return f"The walk overshoots: the objective rose in {rises} of {made} steps; {lowest}."
        if crossings > made / 2 and rule in USE_ETA and not momentum:
            return f"The walk zigzags: {crossings} of {made} steps went past the lowest point on their way."
        if last > 0.1 * first:
            return f"The walk creeps: it goes down at every step, but after {made} the slope is still {last:.2g} long."
        return f"The objective falls at every step, to {values[-1]:.4g}."
