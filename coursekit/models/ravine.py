"""A walk in a ravine, told by what is left of each error and by the line that it makes."""

import numpy as np

from coursekit import plots
from coursekit.algorithms import descent, least_squares
from coursekit.core import losses, risks, steps, text
from coursekit.models.shared import Objective, clouds

# Steps that are tried, those that mean the whole walk, those shown beside the line, and those of a walk that flies off.
FAR, ALL, FEW, FLYING = 400, 120, 40, 3
START = np.array([-4.0, 0.3])  # along the ravine and across it, from the lowest point
MAP = (-4.55, 1.1, -0.92, 0.93)


class Valley:
    """The mean squared loss of two weights, seen along its two curvatures, and one walk down."""

    def __init__(self, separability: float, eta: float, lam: float, seed: int, dataset: str, stretch: float,
                 momentum: float, k: int, beside: str) -> None:
        self.data = clouds(dataset, separability, seed)
        objective = Objective(self.data.X * (1, stretch), self.data.y, losses.squared, lam=lam, offset=False)
        curvature = 2 * objective.X.T @ objective.X / len(objective.X) + lam * np.eye(2)
        self.curvatures, ways = np.linalg.eigh(curvature)
        lowest = least_squares.least_squares(objective.X, objective.y, lam, offset=False)
        path = descent.gradient_descent(objective, steps.constant(eta), FAR, momentum, lowest + ways @ START)
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
        w = path.thetas[self.done] * (1, stretch)
        self.theta = np.append(np.clip(w, -plots.marks.FAR, plots.marks.FAR), 0.0)
        self.wrong = risks.misclassified(self.data.y * (self.data.X @ w))
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
        if self.leaves.max() >= 1:
            wide = abs(self.errors[self.done, 1] / START[1])
            return f"After {self.walked} it swings **{wide:.3g}** times as wide as at the start: it flies off."
        return (f"After {self.walked}, **{100 * self.left:.0f}%** of the way to the lowest point still lies ahead. "
                f"The line gets {self.wrong} of {len(self.data)} wrong.")
