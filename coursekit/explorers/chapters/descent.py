"""Chapter 4: walk down the landscape of the objective, with any loss and any step-size rule.

Longer than others: twelve controls, and a sentence about the place, the step and the whole run.
"""

import numpy as np

from coursekit import plots
from coursekit.algorithms.descent import gradient_descent
from coursekit.core import losses, risks, steps, text
from coursekit.explorers.framework import Dataset, Editing, Objective, Point, View, cached, clouds, controls, ground

STEPS = 40
START = "where the descent starts; or click in the landscape"
EXTENT = (-2.0, 4.0, -2.0, 4.0)
CORNERS = np.array([[-3.2, -3.6], [3.2, 3.6]])  # the same view wherever the slider puts the clouds
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
        return (f"Step {k} of {len(path.rates)}: w = ({self.theta[0]:.3g}, {self.theta[1]:.3g}){off}, "
                f"objective **{path.values[k]:.4g}** (start {path.values[0]:.4g}), "
                f"slope {np.linalg.norm(self.slopes[k]):.2g} long; "
                f"**{self.misclassified}** of {len(self.data)} misclassified.")

    def step_taken(self, rule: str, momentum: float) -> str:
        """How the step size was chosen, and what the slope promised against what the step gave."""
        if not len(self.tried):
            return ""
        *refused, eta = (f"{eta:.3g}" for eta in self.tried)
        few = refused if len(refused) < 4 else [refused[0], "...", refused[-1]]
        chosen = f"{NAMES.get(rule, 'This step')} took η = {eta}{' and refused ' * bool(few)}{', '.join(few)}"
        unused = "" if rule in USE_ETA else " (the slider η unused)"
        if not self.done or momentum:
            return f"{chosen}{unused}."
        fell = self.path.values[self.done - 1] - self.path.values[self.done]
        became = f"it fell by {fell:.3g}" if fell >= 0 else f"the objective rose by {-fell:.3g}"
        return f"{chosen}{unused}: the slope promised a fall of {self.tried[-1] * self.fall:.3g}; {became}."

    def verdict(self, rule: str, momentum: float) -> str:
        """What becomes of the whole run."""
        path, values, made = self.path, self.path.values, len(self.path.rates)
        rises = int(np.sum(np.diff(values) > 0))
        crossings = int(np.sum((self.slopes[1:] * self.slopes[:-1]).sum(axis=1) < 0))
        first, *_, last = np.linalg.norm(self.slopes, axis=1)
        if made < STEPS:
            return f"{path.status[0].upper()}{path.status[1:]}."
        if values[-1] == values.max() > values[0]:
            return f"Diverges: after {made} steps the objective is {values[-1]:.3g}, higher than at the start."
        if rises:
            lowest = f"the lowest is {values[path.best]:.4g} at step {path.best}"
            return f"Overshoots: the objective rose in {rises} of {made} steps; {lowest}."
        if crossings > made / 2 and rule in USE_ETA and not momentum:
            return f"Zigzags: {crossings} of {made} steps went past the lowest point on their way."
        if last > 0.1 * first:
            return f"Creeps: it falls at every step, but after {made} the slope is still {last:.2g} long."
        return f"Falls at every step, to {values[-1]:.4g}."


def to_start(_landscape: plots.Landscape, place: Point) -> dict[str, float]:
    """The click on the map: start there."""
    return dict(zip(("w1", "w2"), np.clip(np.round(place, 2), EXTENT[::2], EXTENT[1::2]).tolist(), strict=True))


class DescentExplorer(Editing[DescentRun], layout="descent"):
    """Gradient descent over two weights: map with path, objective against steps, the cut along one step.

    k is how many of the 40 steps have been made, w1 and w2 where they start (also a click in the landscape).
    stretch: x2 is counted in a unit so much finer that its numbers are `stretch` times as large; w2 is its weight.
    The classifier has no offset: the middle of the data lies at the origin. The two examples are (1, 0) and (0, 1),
    both positive. The examples can be changed, see `Editing`.
    """

    separability = controls.separability(0.5, idle=lambda now: now.dataset != "clouds")
    eta = controls.eta(0.1, -3.0, 1.0)
    lam = controls.lam(0.0, -3.0, 0.0)
    seed = controls.seed(idle=lambda now: now.dataset != "clouds")
    dataset = controls.choice("data", ("clouds", "mails", "two examples"), renews=True)
    stretch = controls.real("stretch x2", 1.0, 1.0, 10.0, 0.5, "how many times as large the numbers x2 become")
    loss = controls.choice("loss", ("squared", "logistic", "hinge"))
    rule = controls.choice("step rule", (*USE_ETA, *SEARCHES))
    momentum = controls.real("momentum", 0.0, 0.0, 0.95, 0.05, "how much of the last step is kept")
    w1 = controls.box("start w1", -1.0, *EXTENT[:2], START)
    w2 = controls.box("start w2", 3.0, *EXTENT[2:], START)
    k = controls.whole("step k", 1, 0, STEPS, "how many steps have been made", walk=5)

    main = "eta", "k"
    size = 9.0, 5.4
    landscape = View(lambda ax: plots.Landscape(ax, EXTENT), click=to_start, grip=lambda now: (now.w1, now.w2),
                     compared=True)
    curves = View(lambda ax: plots.ObjectiveCurves(ax, steps=STEPS, decades=3))
    cut = View(plots.StepCut)
    boundary = View(lambda ax: plots.DecisionBoundary(ax, tags=True, corners=CORNERS), click="edit", compared=True)

    data = staticmethod(clouds)

    def show(self, run: DescentRun, stretch: float, rule: str, momentum: float) -> str:
        path = run.path
        self.landscape.show(run.ground, path.thetas, run.done, run.best, run.points[:-1], f"step {run.done}")
        self.curves.show([path.values, np.minimum.accumulate(path.values)], run.done)
        self.cut.show(run.etas, run.along, run.fall, run.tried, run.reached)
        self.boundary.show(run.data, np.array([run.theta[0], stretch * run.theta[1], 0.0]))
        said = run.where(), run.step_taken(rule, momentum), run.verdict(rule, momentum)
        return text.typeset(" ".join(filter(None, said)))
