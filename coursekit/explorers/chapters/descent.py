"""Chapter 4: walk down the landscape of the objective, with any loss and any step-size rule."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, partial

import numpy as np
from matplotlib.axes import Axes

from coursekit.algorithms.descent import gradient_descent
from coursekit.algorithms.path import Path
from coursekit.core import datasets, losses, penalties, steps
from coursekit.core.datasets import Dataset
from coursekit.core.objective import Objective
from coursekit.core.risks import misclassified
from coursekit.core.validate import Floats
from coursekit.explorers import controls
from coursekit.explorers.editing import Editing
from coursekit.explorers.picture import Point
from coursekit.explorers.view import View
from coursekit.plots import DecisionBoundary, Landscape, ObjectiveCurves, StepCut
from coursekit.plots.pixels import within

STEPS = 40
USE_ETA = ("constant", "decaying")
START = "where the descent starts; or click in the landscape"
EXTENT = (-2.0, 4.0, -2.0, 4.0)
CORNERS = np.array([[-3.2, -3.6], [3.2, 3.6]])  # the same view wherever the slider puts the clouds
RULES: dict[str, Callable[..., steps.Schedule | steps.Search]] = {
    "constant": steps.constant,
    "decaying": steps.decaying,
    "halving": steps.backtracking,
    "exact": steps.exact,
    "Barzilai-Borwein": steps.barzilai_borwein,
}


@dataclass(frozen=True)
class Found:
    data: Dataset
    objective: Objective
    ground: Floats  # the objective all over the map
    path: Path
    done: int
    theta: Floats
    slopes: Floats  # at every theta of the path
    fall: float  # of the step just made, or at the start of the first: what the slope promises for eta = 1
    tried: Floats  # step sizes, the one taken last
    points: Floats  # where they lead
    reached: Floats  # the objective there
    etas: Floats
    along: Floats  # the objective for each of etas
    best: int
    misclassified: int


def to_start(_landscape: Landscape, place: Point) -> dict[str, float]:
    """The click on the map: start there."""
    at = np.clip(np.round(place, 2), EXTENT[::2], EXTENT[1::2])
    return {"w1": float(at[0]), "w2": float(at[1])}


class DescentExplorer(Editing[Found]):
    """Gradient descent over two weights: map with path, objective against steps, the cut along one step.

    Controls: separability, eta, lam, seed, dataset ("clouds", "mails", "two examples"), stretch, loss ("squared",
    "logistic", "hinge"), rule ("constant", "decaying", "halving", "exact", "Barzilai-Borwein"), momentum, w1 and
    w2 (the start: also a click in the landscape), k. k is how many of the 40 steps have been made.
    stretch: x2 is counted in a unit so much finer that its numbers are `stretch` times as large; w2 is its weight.
    The classifier has no offset: the middle of the data lies at the origin. The two examples are (1, 0) and (0, 1),
    both positive. The examples can be changed, see `Editing`.
    """

    separability = controls.separability(0.5, idle=lambda now: now.dataset != "clouds")
    eta = controls.eta(0.1, -3.0, 1.0)
    lam = controls.lam(0.0, -3.0, 0.0)
    seed = controls.seed()
    dataset = controls.choice("data", ("clouds", "mails", "two examples"), renews=True)
    stretch = controls.real("stretch x2", 1.0, 1.0, 10.0, 0.5, "how many times larger the numbers x2 are made")
    loss = controls.choice("loss", ("squared", "logistic", "hinge"))
    rule = controls.choice("step rule", RULES)
    momentum = controls.real("momentum", 0.0, 0.0, 0.95, 0.05, "how much of the last step is carried on")
    w1 = controls.box("start w1", -1.0, *EXTENT[:2], START)
    w2 = controls.box("start w2", 3.0, *EXTENT[2:], START)
    k = controls.whole("step k", 1, 0, STEPS, "how many steps have been made", walk=5)

    size = 9.0, 5.4
    landscape = View(partial(Landscape, extent=EXTENT), (0, 0, 0.58, 1), (0.55, 0.5, 0.1, 0.4),
                     "The objective: lighter is lower", 0.1, click=to_start, compared=True,
                     anchor="NW", xlabel="weight w₁", ylabel="weight w₂")
    curves = View(partial(ObjectiveCurves, steps=STEPS), (0.58, 0, 1, 1),
                  (0.55, 0.5, 0.15, 0.4), "The objective, step by step", 0.1, xlabel="step k")
    cut = View(StepCut, (0, 0, 0.58, 1), (0.55, 0.5, 0.15, 0.4), "Straight along this step, for other step sizes", 0.1,
               also="step and data", xlabel="step size η")
    boundary = View(partial(DecisionBoundary, tags=True, corners=CORNERS), (0.58, 0, 1, 1), (0.55, 0.5, 0.15, 0.4),
                    "The line that w draws", 0.1, click="edit", compared=True, also="step and data", xlabel="x1",
                    ylabel="x2")

    @staticmethod
    def data(dataset: str, separability: float, seed: int) -> Dataset:
        if dataset == "mails":
            return datasets.mails().standardized()
        if dataset == "two examples":
            return Dataset(np.eye(2), np.ones(2), ("x1", "x2"), ("-1", "+1"), dataset)
        return datasets.blobs(40, separability, seed=seed)

    @staticmethod
    def model(
        data: Dataset, eta: float, lam: float, stretch: float, loss: str, rule: str, momentum: float, w1: float,
        w2: float, k: int,
    ) -> Found:
        objective = _objective(data, stretch, loss, lam)
        path, slopes = _path(objective, rule, eta if rule in USE_ETA else None, momentum, w1, w2)
        done = min(k, len(path.rates))
        now = max(done - 1, 0)  # the step just made; at the start the one to come
        origin, slope = path.thetas[now], slopes[now]
        tried = np.ravel((path.tried or path.rates)[now : now + 1])
        points = origin - tried[:, None] * slope
        etas = np.linspace(0, (1.25 if len(tried) > 1 else 2) * tried.max(initial=0.0) or 1.0, 61)
        with np.errstate(over="ignore"):
            return Found(
                data=data, objective=objective, ground=_ground(data, stretch, loss) + lam * penalties.l2(_POINTS),
                path=path, done=done, theta=path.thetas[done], slopes=slopes, fall=float(slope @ slope), tried=tried,
                points=points, reached=objective.value(points), etas=etas,
                along=objective.value(origin - etas[:, None] * slope), best=int(path.values[: done + 1].argmin()),
                misclassified=misclassified(objective.Z @ path.thetas[done]),
            )

    def grips(self) -> list[tuple[Axes, Floats]]:
        return [*super().grips(), (self.axes["landscape"], np.array([[self.w1, self.w2]]))]

    def show(self, found: Found, stretch: float, rule: str, momentum: float) -> str:
        path = found.path
        self.landscape.show(found.ground, path.thetas, found.done, found.best, found.points[:-1], f"step {found.done}")
        self.curves.show([path.values, np.minimum.accumulate(path.values)], found.done)
        self.cut.show(found.etas, found.along, found.fall, found.tried, found.reached)
        self.boundary.show(found.data, np.array([found.theta[0], stretch * found.theta[1], 0.0]))
        said = _where(found), _choice(found, rule, momentum), _verdict(found, rule, momentum)
        return " ".join(filter(None, said))


def _where(found: Found) -> str:
    path, k = found.path, found.done
    length = float(np.linalg.norm(found.slopes[k]))
    at = f"({found.theta[0]:.3g}, {found.theta[1]:.3g})"
    at += "" if within(found.theta, EXTENT) else ", off the map"
    return (f"Step {k} of {len(path.rates)}: w = {at}, objective {path.values[k]:.4g} (start {path.values[0]:.4g}), "
            f"slope {length:.2g} long; {found.misclassified} of {len(found.data)} misclassified.")


def _choice(found: Found, rule: str, momentum: float) -> str:
    """How the step size was chosen, and what the slope promised against what the step gave."""
    if not len(found.tried):
        return ""
    *refused, eta = (f"{eta:.3g}" for eta in found.tried)
    names = {"halving": "Halving", "exact": "The exact search", "Barzilai-Borwein": "Barzilai-Borwein"}
    said = f"{names.get(rule, 'This step')} took eta = {eta}"
    if refused:
        said += f" and refused {', '.join(refused if len(refused) < 4 else [refused[0], '...', refused[-1]])}"
    if rule not in USE_ETA:
        said += " (eta slider unused)"
    if found.done and not momentum:
        fell = found.path.values[found.done - 1] - found.path.values[found.done]
        became = f"it fell by {fell:.3g}" if fell >= 0 else f"the objective rose by {-fell:.3g}"
        said += f": the slope promised a fall of {found.tried[-1] * found.fall:.3g}, {became}"
    return f"{said}."


def _verdict(found: Found, rule: str, momentum: float) -> str:
    """What becomes of the whole run."""
    path, slopes = found.path, found.slopes
    values, made = path.values, len(path.rates)
    rises = int(np.sum(np.diff(values) > 0))
    crossings = int(np.sum((slopes[1:] * slopes[:-1]).sum(axis=1) < 0))
    lengths = np.linalg.norm(slopes, axis=1)
    if made < STEPS:
        return f"{path.status[0].upper()}{path.status[1:]}."
    if values[-1] == values.max() > values[0]:
        return f"Diverges: after {made} steps the objective is {values[-1]:.3g}, higher than at the start."
    if rises:
        return (f"Overshoots: the objective rose in {rises} of {made} steps; the lowest is {values[path.best]:.4g} "
                f"at step {path.best}.")
    if crossings > made / 2 and rule in USE_ETA and not momentum:
        return f"Zigzags: {crossings} of {made} steps went past the lowest point on their way."
    if lengths[-1] > 0.1 * lengths[0]:
        return f"Creeps: it falls at every step, but after {made} the slope is still {lengths[-1]:.2g} long."
    return f"Falls at every step, to {values[-1]:.4g}."


_POINTS = Landscape.points(EXTENT)


def _objective(data: Dataset, stretch: float, loss: str, lam: float) -> Objective:
    return Objective(data.X * (1, stretch), data.y, loss=losses.KNOWN[loss], lam=lam, offset=False)


@lru_cache(maxsize=8)
def _ground(data: Dataset, stretch: float, loss: str) -> Floats:
    """The mean loss all over the map; the penalty is added where lambda is known."""
    return _objective(data, stretch, loss, 0.0).risk(_POINTS)


@lru_cache(maxsize=8)
def _path(
    objective: Objective, rule: str, eta: float | None, momentum: float, w1: float, w2: float
) -> tuple[Path, Floats]:
    """The descent, and the slope at each of its thetas."""
    step = RULES[rule]() if eta is None else RULES[rule](eta)
    path = gradient_descent(objective, step, STEPS, momentum, (w1, w2), tolerance=1e-6)
    return path, np.array([objective.slope(theta) for theta in path.thetas])
