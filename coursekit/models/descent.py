"""A gradient descent, and a sentence about the place, the step and the whole run; and one in a ravine, told by what is
left of each error and by the line that it makes."""

import numpy as np

from coursekit import plots
from coursekit.algorithms.descent import gradient_descent
from coursekit.algorithms.least_squares import least_squares
from coursekit.core import losses, risks, steps, text
from coursekit.models.shared import Dataset, Objective, cached, clouds, ground

STEPS = 40
EXTENT = (-2.0, 4.0, -2.0, 4.0)
USE_ETA = {"constant": steps.constant, "decaying": steps.decaying}
SEARCHES = {"halving": steps.backtracking, "exact": steps.exact, "Barzilai-Borwein": steps.barzilai_borwein}
NAMES = {"halving": "Halving", "exact": "The exact search", "Barzilai-Borwein": "Barzilai-Borwein"}
# Steps that are tried, those that mean the whole walk, those shown beside the line, and those of a walk that flies off.
FAR, ALL, FEW, FLYING = 400, 120, 40, 3
START = np.array([-4.0, 0.3])  # along the ravine and across it, from the lowest point
MAP = (-4.55, 1.1, -0.92, 0.93)
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
            return f"The walk creeps: down at every step, but after {made} the gradient is still {last:.2g} long."
        return f"The objective falls at every step, to {values[-1]:.4g}."


class Valley:
    """The mean squared loss of two weights, seen along its two curvatures, and one walk down."""

    def __init__(self, separability: float, eta: float, lam: float, seed: int, dataset: str, stretch: float,
                 momentum: float, k: int, beside: str) -> None:
        self.data = clouds(dataset, separability, seed)
        objective = Objective(self.data.X * (1, stretch), self.data.y, losses.squared, lam=lam, offset=False)
        curvature = 2 * objective.X.T @ objective.X / len(objective.X) + lam * np.eye(2)
        self.curvatures, ways = np.linalg.eigh(curvature)
        lowest = least_squares(objective.X, objective.y, lam, offset=False)
        path = gradient_descent(objective, steps.constant(eta), FAR, momentum, lowest + ways @ START)
        self.errors = (path.thetas - lowest) @ ways
        away = np.linalg.norm(self.errors, axis=1)
        half = (1 + momentum - eta * self.curvatures) / 2
        self.leaves = np.abs(half[:, None] + np.sqrt(half**2 - momentum + 0j)[:, None] * [1, -1]).max(axis=1)
        far = np.flatnonzero(away > away[0] / 100)  # a walk that swings may come near and leave again
        self.arrives = int(far[-1]) + 1 if far[-1] < len(away) - 1 and self.leaves.max() < 1 else None
        self.took = f"more than {FAR} steps" if self.arrives is None else text.counted(self.arrives, "step")
        last = FEW if beside == "the line" else FLYING if self.leaves.max() >= 1 else self.arrives or FAR
        self.made = min(last, len(away) - 1)
        self.most = FEW if beside == "the line" else ALL
        self.done = self.made if k >= self.most else min(k, self.made)
        self.walked = text.counted(self.done, "step")
        self.left = float(away[self.done] / away[0])
        w = path.thetas[max(self.done - 1, 0) : self.done + 1] * (1, stretch)
        self.theta = np.append(w[-1] / max(1.0, np.abs(w[-1]).max() / plots.marks.FAR), 0.0)  # the same line
        *self.before, self.wrong = np.sum(w @ self.data.X.T * self.data.y <= 0, axis=1).tolist()  # a step before, now
        self.told = f"{self.wrong} wrong" + "".join(f", was {wrong}" for wrong in self.before)
        self.ground = plots.Landscape.points(MAP) ** 2 @ self.curvatures / 2

    def counted(self, momentum: float) -> str:
        along, across = self.leaves
        ratio = f"κ = {self.curvatures[1] / self.curvatures[0]:.3g}"
        if max(along, across) >= 1:
            limit = 2 * (1 + momentum) / self.curvatures[1]
            way = int(np.argmax(self.leaves))
            far = f"{abs(self.errors[self.done, way] / START[way]):.3g} times as large after {self.walked}"
            where = "across the ravine" if across >= along else "along the ravine"
            return (f"The walk flies off: in the long run each step multiplies the error {where} by "
                    f"**{max(along, across):.2f}**. It is {far}. "
                    f"With momentum {momentum:.2g} the edge is at η = **{limit:.3g}** ({ratio}).")
        return (f"In the long run a step leaves **{along:.2f}** of the error along the ravine and **{across:.2f}** of "
                f"the error across it ({ratio}). It takes **{self.took}** until a hundredth of the distance is "
                f"left; after {self.done}, {100 * self.left:.3g}% is still to go.")

    def so_far(self) -> str:
        after, gets = f"After {self.walked}", f"The line gets {self.wrong} of {len(self.data)} wrong"
        if self.leaves.max() < 1:
            return f"{after}, **{100 * self.left:.0f}%** of the way to the lowest point still lies ahead. {gets}."
        gets += "".join(f", and got {wrong} wrong a step before: it swings back and forth" for wrong in self.before)
        wide = abs(self.errors[self.done, 1] / START[1])
        return f"{after}, the walk swings **{wide:.3g}** times as wide as at the start: it flies off. {gets}."
