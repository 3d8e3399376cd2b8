"""Chapter 4: step size and momentum, the pairs of them that arrive, and a walk in a ravine that one pair makes.

Longer than others: the walk is told in two ways, by what is left of each error and by the line it makes.
"""

import numpy as np

from coursekit import plots
from coursekit.algorithms import descent, least_squares
from coursekit.core import losses, risks, steps
from coursekit.explorers.framework import Explorer, Objective, Point, View, clouds, controls
from coursekit.plots.tags import Tag

# Steps that are tried, those that mean the whole walk, those shown beside the line, and those of a walk that flies off.
FAR, ALL, FEW, FLYING = 400, 120, 40, 3
START = np.array([-4.0, 0.3])  # along the ravine and across it, from the lowest point
MAP = (-4.55, 1.1, -0.92, 0.93)
CORNERS = np.array([[-3.2, -3.0], [3.2, 3.0]])


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
        near = np.flatnonzero(away <= away[0] / 100)
        self.arrives = int(near[0]) if len(near) and self.leaves.max() < 1 else None
        last = FAR if self.arrives is None else self.arrives
        last = FEW if beside == "the line" else FLYING if self.leaves.max() >= 1 else last
        self.made = min(last, len(away) - 1)
        self.most = FEW if beside == "the line" else ALL
        self.done = self.made if k >= self.most else min(k, self.made)
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
            far = f"{abs(self.errors[self.done, way] / START[way]):.3g} times as large after {self.done} steps"
            where = "across the ravine" if across >= along else "along the ravine"
            return (f"The walk flies off: in the long run each step multiplies the error {where} by "
                    f"**{max(along, across):.2f}**. It is {far}. "
                    f"With momentum {momentum:.2g} the edge is at η = **{limit:.3g}** ({ratio}).")
        took = f"**{self.arrives}** steps" if self.arrives is not None else f"more than **{FAR}** steps"
        return (f"In the long run a step leaves **{along:.2f}** of the error along the ravine and **{across:.2f}** of "
                f"that across it ({ratio}). It takes {took} until a hundredth of the way is "
                f"left; after {self.done}, {100 * self.left:.3g}% is still to go.")

    def so_far(self) -> str:
        if self.leaves.max() >= 1:
            wide = abs(self.errors[self.done, 1] / START[1])
            return f"After {self.done} steps it swings **{wide:.3g}** times as wide as at the start: it flies off."
        return (f"After {self.done} steps **{100 * self.left:.0f}%** of the way to the lowest point is still to go. "
                f"The line gets {self.wrong} of {len(self.data)} wrong.")


def to_pair(land: plots.StepLand, place: Point) -> dict[str, float]:
    """The point of the land: this step size and this momentum."""
    high, momentum = land.high, min(max(place[1], 0.0), 0.99)
    return {"eta": float(f"{min(max(place[0] / high, 0.001), 3.98):.3g}"), "momentum": round(momentum, 2)}


class RavineExplorer(Explorer[Valley], layout="ravine"):
    """A walk in a ravine, what it leaves of the error along and across, and the land of the pairs that arrive.

    The ravine is the mean squared loss of two weights, turned so that it lies level; its curvatures are those of the
    data, and stretch makes x2 so many times as large. The two examples are (1, 0) and (0, 1), both positive. The walk
    starts at 4 along and 0.3 across. The point in the land can be dragged. beside: what lies beside the walk, the dial
    or the emails with their line; then nothing is counted beyond 40 steps.
    """

    separability = controls.separability(0.5, idle=lambda now: now.dataset != "clouds")
    eta = controls.graded("step size η", 0.04, controls.powers(-3.0, 0.6, 60), "how long a step is, for its slope",
                          ticks=controls.tens(-3.0, 0.6))
    lam = controls.lam(0.0, -3.0, 0.0)
    seed = controls.seed(idle=lambda now: now.dataset != "clouds")
    dataset = controls.choice("data", ("two examples", "mails", "clouds"))
    stretch = controls.real("stretch of x2", 7.0, 1.0, 10.0, 0.5, "how many times as large the numbers x2 become")
    momentum = controls.real("momentum", 0.0, 0.0, 0.99, 0.01, "how much of the last step is kept")
    k = controls.whole("steps", ALL, 0, ALL, "how many steps have been made", walk=10, last=lambda now: now.most)
    beside = controls.choice("beside", ("the dial", "the line"), tucked=True)

    main = ("eta", "momentum")
    size, takes_data = (9.0, 4.4), ""
    land = View(plots.StepLand, click=to_pair, grip=lambda now: (now.eta * now.state.curvatures[1], now.momentum))
    boundary = View(lambda ax: plots.DecisionBoundary(ax, legend=False, normal=False, corners=CORNERS))
    walk = View(lambda ax: plots.Landscape(ax, MAP), compared=True)
    along = View(lambda ax: plots.ErrorBars(ax, "green", "along"))
    across = View(lambda ax: plots.ErrorBars(ax, "ochre", "across"))

    def arrange(self) -> None:
        look = self.walk.look
        lowest = self.walk.add_marks("*", 15, mfc=look.star, mec=look.ink, gid="lowest")
        lowest.set_data([0], [0])

    def show(self, valley: Valley, eta: float, momentum: float, beside: str) -> str:
        dial, bars = beside == "the dial", (self.along, self.across)
        self.land.show(valley.curvatures, eta, momentum)
        self.boundary.show(valley.data, valley.theta)
        if self.stale(valley.data.features):
            self.axes["boundary"].set(**dict(zip(("xlabel", "ylabel"), valley.data.features, strict=True)))
        self.walk.show(valley.ground, valley.errors[: valley.made + 1], valley.done)
        for j, drawn in enumerate(bars):
            drawn.show(valley.errors[:, j], float(valley.leaves[j]), valley.done, dial)
        flies = valley.leaves.max() >= 1
        told = "never arrives" if flies else f"{valley.arrives or f'more than {FAR}'} steps"
        self.walk.names.show([Tag(told, (0, 0), (1, 1))] if dial else [])
        return valley.counted(momentum) if dial else valley.so_far()
