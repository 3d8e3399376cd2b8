"""Chapter 3: one example slides; a loss judges it, and the lines that losses find move or stay.

Longer than others: five losses have a verdict each, and the staircase of one is mapped in a way of its own.
"""

from collections.abc import Callable

import numpy as np

from coursekit import plots
from coursekit.algorithms import descent, least_squares, path
from coursekit.core import datasets, losses, penalties, risks, steps
from coursekit.explorers.framework import Dataset, Explorer, Floats, Objective, Point, View, arrows, cached, controls
from coursekit.explorers.own import YOURS

STEPS = 150
START = (0.0, 1.0)  # a line that is not good yet, under which the prediction is f(x) = x2
NAMES = {name: name.replace("_", "-") for name in losses.KNOWN}
CORNERS = np.array([[-5.0, -4.6], [17.0, 5.4]])

descend = cached(descent.gradient_descent)


class LossLines:
    """The lines that losses find, and what the losses say of the ringed example, which is the last."""

    def __init__(
        self, separability: float, eta: float, lam: float, seed: int, dataset: str, own: Dataset | None, x1: float,
        x2: float, label: str, loss: str,
    ) -> None:
        clouds, y = own if own and dataset == YOURS else datasets.blobs(40, separability, seed=seed), float(label)
        X, labels = np.vstack([clouds.X, [x1, x2]]), np.append(clouds.y, y)
        self.data = data = Dataset(X, labels, clouds.features, clouds.classes, f"{clouds.name} and one more")
        self.x, self.y, self.chosen = X[-1], y, loss.replace("-", "_")
        self.paths = {name: descend(_objective(data, name, lam), steps.constant(eta), STEPS, start=START)
                      for name in ("hinge", "logistic", self.chosen) if name != "squared"}
        far = plots.marks.FAR  # a descent can diverge
        self.thetas = {name: np.clip(path.theta, -far, far) for name, path in self.paths.items()}
        self.thetas["squared"] = least_squares.least_squares(X, labels, lam, offset=False)
        self.theta = self.thetas[self.chosen]
        self.agreements = labels * (X @ self.theta) + 0.0  # never -0.0
        self.heights = losses.KNOWN[self.chosen](self.agreements)
        self.agreement = z = float(self.agreements[-1])
        self.f = y * z
        self.losses = {name: float(of(z)) for name, of in losses.KNOWN.items()}
        self.slopes = {name: float(of.slope(z)) for name, of in losses.KNOWN.items()}
        self.errors = {name: risks.misclassified(labels * (X @ theta)) for name, theta in self.thetas.items()}
        ends = max(1.0, -self.agreements.min()), max(2.0, self.agreements.max()), max(2.0, self.heights.max())
        left, right, top = map(plots.ruler.nice, ends)
        self.window = -left, right, top  # of the loss space
        self.scale = plots.ruler.nice(1.05 * max(float(np.abs(theta).max()) for theta in self.thetas.values()))
        self.landscape = _risks(data, self.chosen, self.scale) + lam * penalties.l2(_grid(self.chosen, self.scale))


def to_place(_boundary: plots.DecisionBoundary, place: Point) -> dict[str, float]:
    """The ringed example goes there, but not out of the picture."""
    x1, x2 = np.clip(place, *CORNERS).round(1).tolist()
    return {"x1": x1, "x2": x2}


class LossSpaceExplorer(Explorer[LossLines]):
    """One example in data space and in loss space, and the lines that the losses find.

    x1, x2 and label are those of the ringed example; loss is the one to follow. The hinge, logistic and least squares
    lines are always drawn, those of the other two when followed. Parameter space and a table of all five losses come on
    demand, with the control `also`.

    Lines go through the origin, f(x) = theta . x, so that parameter space is a plane. Least squares is
    solved by its formula; the others make 150 steps of gradient descent of size eta from theta = (0, 1).
    The zero-one loss is flat, so without lambda its theta stays there, and f(x) = x2.
    """

    separability = controls.separability(0.5, idle=lambda now: now.dataset == YOURS)
    eta = controls.eta(0.3)
    lam = controls.lam(0.01, high=1.0)
    seed = controls.seed(idle=lambda now: now.dataset == YOURS)
    dataset = controls.choice("data", ("blobs",), tucked=True)
    x1 = controls.real("x1", 14.0, -5.0, 17.0, 0.1, "x1 of the ringed example")
    x2 = controls.real("x2", 3.0, -4.6, 5.4, 0.1, "x2 of the ringed example")
    label = controls.choice("label y", ("+1", "-1"))
    loss = controls.choice("loss", NAMES.values(), "squared")

    key_help = f"Arrows move the ringed example. {Explorer.key_help}"
    size, below = (9.0, 4.4), 2.9
    boundary = View(lambda ax: plots.DecisionBoundary(ax, legend=False, normal=False, corners=CORNERS),
                    (0, 0, 0.55, 1), (0.72, 0.5, 0.15, 0.62), "Data space", 0.5, click=to_place,
                    grip=lambda now: now.state.x, compared=True, xlabel="x1", ylabel="x2")
    rivals = View(lambda ax: plots.Boundaries(ax, plots.losses.boundary_looks()), over=boundary)
    names = View(plots.boundary.LineNames, over=boundary)
    space = View(plots.LossSpace, (0.55, 0, 1, 1), (0.6, 0.5, 0.2, 0.62), "Loss space", 0.6)
    parameters = View(plots.ParameterSpace, (0, 0, 0.36, 1), (0.45, 0.3, 0.2, 0.6),
                      "Parameter space (θ₁,\xa0θ₂)", 0.45, also="parameter space")
    table = View(plots.LossTable, (0.03, 0.05, 0.97, 0.9), also="table")

    model = LossLines

    def arrange(self) -> None:
        self.axes["parameters"].set_title("z = 0 solid, z = 1 dashed", fontsize=11, weight="normal", pad=3)

    def keys(self) -> dict[str, Callable[[int], object]]:
        return super().keys() | arrows(lambda x, y: self.set("", **to_place(self.boundary, (self.x1 + x, self.x2 + y))))

    def show(self, found: LossLines, eta: float) -> str:
        if self.stale(found.chosen, found.window):
            self.space.frame(found.chosen, found.window)
            self.table.frame(found.chosen)
        thetas = {name: np.append(theta, 0.0) for name, theta in found.thetas.items()}
        self.boundary.show(found.data, thetas[found.chosen], now=len(found.data) - 1)
        self.rivals.show({name: theta for name, theta in thetas.items() if name != found.chosen})
        self.names.show({NAMES[name]: theta for name, theta in thetas.items()})
        self.space.show(found.agreements, found.data.y, found.heights, len(found.data) - 1)
        walked = found.paths[found.chosen].thetas if found.chosen in found.paths else np.empty((0, 2))
        self.parameters.show(found.landscape, found.scale, walked, thetas, found.x, found.y)
        self.table.show([
            (shown, amount(found.losses[name]), amount(found.slopes[name], "+"), verdict(name, found.agreement),
             str(found.errors.get(name, "")))
            for name, shown in NAMES.items()
        ])
        return sentence(found, eta)


def verdict(loss: str, agreement: float) -> str:
    """What the loss says at this agreement: flat, pulling, at its kink, or too right."""
    kink, wrong = losses.KNOWN[loss].kink, agreement <= 0
    side = "wrong" if wrong else "right"
    if loss == "zero_one":
        return f"{side}, and flat: no way to go"
    if agreement == kink:
        return "at the kink: pulls, by our rule"
    if kink is not None and agreement > kink:
        return "flat: right, no pull" if loss == "perceptron" else "flat: right enough, no pull"
    if loss == "squared" and agreement >= 1:
        return "exact: no pull" if agreement == 1 else "too right: pulls back"
    return f"{side}: pulls" if wrong or loss == "squared" else {
        "hinge": "right by less than 1: pulls", "logistic": "right: pulls less and less"}[loss]


def sentence(found: LossLines, eta: float) -> str:
    """Where the example stands, what the chosen loss makes of it, and what the lines get wrong."""
    name, z, shown = found.chosen, found.agreement, NAMES[found.chosen]
    counts = ", ".join(f"{NAMES[n]} {found.errors[n]}" for n in NAMES if n in found.errors)
    said = (f"The ringed example (y = {found.y:+.0f}) lies at ({found.x[0]:g}, {found.x[1]:g}). The {shown} line gives "
            f"it f = {found.f:.2f}, so z = {z:.2f} and its {shown} loss is {amount(found.losses[name])} "
            f"({verdict(name, z)}). Mistakes among all {len(found.data)}: {counts}. ")
    if name == "squared":
        return said + "Least squares has a formula, so eta moves only the other lines."
    if name == "zero_one":
        return said + "Its slope is 0, so descent never turns the first line, whatever eta is."
    return said + arrival(found.paths[name], eta)


def arrival(path: path.Path, eta: float) -> str:
    """Whether descent still gets anywhere, in words; 1 % of the objective in 20 steps counts as a change."""
    tail = path.values[-21:]
    noticed = 0.01 * tail[-1]
    if np.diff(tail, prepend=tail[0]).max() > noticed:
        low, high = tail.min(), tail.max()
        return f"eta = {eta:.3g} is too large to settle: the objective jumps between {low:.3g} and {high:.3g}."
    changes = "is still falling" if tail[0] - tail[-1] > noticed else "hardly changes any more"
    return f"With eta = {eta:.3g} the objective {changes} after {STEPS} steps."


def amount(value: float, sign: str = "") -> str:
    """Two digits; "0" only where it is exactly 0."""
    return "0" if value == 0 else f"{value:{sign}.2f}" if abs(value) < 100 else f"{value:{sign},.0f}"


@cached
def _risks(data: Dataset, loss: str, scale: float) -> Floats:
    objective, grid = _objective(data, loss, 0.0), _grid(loss, scale)
    if loss != "zero_one":
        return objective.risk(grid)
    turns = np.radians(np.arange(0, 360, 0.25))  # only the direction counts
    nearest = np.rint(np.degrees(np.arctan2(grid[:, 1], grid[:, 0])) / 0.25).astype(int)  # negative ones count back
    return objective.risk(np.column_stack([np.cos(turns), np.sin(turns)]))[nearest]


def _grid(loss: str, scale: float) -> Floats:
    """The weights at which the map of a loss is computed: a staircase needs them closer together than a bowl."""
    return plots.ParameterSpace.grid(scale, 300 if loss == "zero_one" else 60)


def _objective(data: Dataset, loss: str, lam: float) -> Objective:
    return Objective(data.X, data.y, losses.KNOWN[loss], lam=lam, offset=False)
