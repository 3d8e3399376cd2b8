"""Chapter 3: one example slides; a loss judges it, and the lines that losses find move or stay."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, partial

import numpy as np
from matplotlib.axes import Axes

from coursekit.algorithms.descent import gradient_descent
from coursekit.algorithms.least_squares import least_squares
from coursekit.algorithms.path import Path
from coursekit.core import datasets, losses, penalties, steps
from coursekit.core.datasets import Dataset
from coursekit.core.objective import Objective
from coursekit.core.risks import misclassified
from coursekit.core.validate import Floats
from coursekit.explorers import controls
from coursekit.explorers.explorer import Explorer
from coursekit.explorers.keys import arrows
from coursekit.explorers.picture import Point
from coursekit.explorers.view import View
from coursekit.plots import Boundaries, DecisionBoundary, LossSpace, LossTable, ParameterSpace
from coursekit.plots.boundary import LineNames
from coursekit.plots.losses import boundary_looks
from coursekit.plots.marks import FAR
from coursekit.plots.ruler import nice

STEPS = 150
START = np.array([0.0, 1.0])  # a line that is not good yet, under which the prediction is f(x) = x2
NAMES = {name: name.replace("_", "-") for name in losses.KNOWN}
CORNERS = np.array([[-5.0, -4.6], [17.0, 5.4]])


@dataclass(frozen=True)
class Found:
    data: Dataset  # the ringed example last
    x: Floats
    y: float
    chosen: str
    paths: dict[str, Path]
    thetas: dict[str, Floats]
    theta: Floats  # of the chosen loss
    agreements: Floats  # of all examples with it
    heights: Floats  # their losses
    f: float  # of the ringed example, like all that follows
    agreement: float
    losses: dict[str, float]
    slopes: dict[str, float]
    errors: dict[str, int]
    window: tuple[float, float, float]  # of the loss space
    scale: float
    landscape: Floats


def to_place(_boundary: DecisionBoundary, place: Point) -> dict[str, float]:
    """The ringed example goes there, but not out of the picture."""
    at = np.clip(place, *CORNERS).round(1)
    return {"x1": float(at[0]), "x2": float(at[1])}


class LossSpaceExplorer(Explorer[Found]):
    """One example in data space and in loss space, and the lines that the losses find.

    Controls: separability, eta, lam, seed; x1, x2 and label of the ringed example; loss, the one to follow.
    The hinge, logistic and least squares lines are always drawn, those of the other two when followed. Parameter
    space and a table of all five losses come on demand, with the control `also`.

    Lines go through the origin, f(x) = theta . x, so that parameter space is a plane. Least squares is
    solved by its formula; the others make 150 steps of gradient descent of size eta from theta = (0, 1).
    The zero-one loss is flat, so without lambda its theta stays there, and f(x) = x2.
    """

    separability = controls.separability(0.5)
    eta = controls.eta(0.3)
    lam = controls.lam(0.01, high=1.0)
    seed = controls.seed()
    x1 = controls.real("x1", 14.0, -5.0, 17.0, 0.1, "x1 of the ringed example")
    x2 = controls.real("x2", 3.0, -4.6, 5.4, 0.1, "x2 of the ringed example")
    label = controls.choice("label y", ("+1", "-1"))
    loss = controls.choice("loss", NAMES.values(), "squared")

    key_help = f"Arrows move the ringed example. {Explorer.key_help}"
    size, below = (9.0, 4.4), 2.9
    boundary = View(partial(DecisionBoundary, legend=False, normal=False, corners=CORNERS), (0, 0, 0.55, 1),
                    (0.72, 0.5, 0.15, 0.62), "Data space", 0.5, click=to_place, compared=True, xlabel="x1", ylabel="x2")
    rivals = View(lambda axes: Boundaries(axes, boundary_looks()), over=boundary)
    names = View(LineNames, over=boundary)
    space = View(LossSpace, (0.55, 0, 1, 1), (0.6, 0.5, 0.2, 0.62), "Loss space", 0.6)
    parameters = View(ParameterSpace, (0, 0, 0.36, 1), (0.45, 0.3, 0.2, 0.6), "Parameter space (θ₁,\xa0θ₂)", 0.45,
                      also="parameter space")
    table = View(LossTable, (0.03, 0.05, 0.97, 0.9), also="table")

    @staticmethod
    def model(
        separability: float, eta: float, lam: float, seed: int, x1: float, x2: float, label: str, loss: str
    ) -> Found:
        data = _data(separability, seed, x1, x2, float(label))
        chosen = next(name for name, shown in NAMES.items() if shown == loss)
        paths = {name: _path(data, name, eta, lam) for name in ("hinge", "logistic", chosen) if name != "squared"}
        thetas = {name: np.clip(path.theta, -FAR, FAR) for name, path in paths.items()}  # a descent can diverge
        thetas["squared"] = least_squares(data.X, data.y, lam, offset=False)
        x, y = data.X[-1], float(data.y[-1])
        agreements = data.y * (data.X @ thetas[chosen]) + 0.0  # never -0.0
        z, heights = float(agreements[-1]), losses.KNOWN[chosen](agreements)
        window = -nice(max(1.0, -agreements.min())), nice(max(2.0, agreements.max())), nice(max(2.0, heights.max()))
        scale = nice(1.05 * max(float(np.abs(theta).max()) for theta in thetas.values()))
        return Found(
            data=data, x=x, y=y, chosen=chosen, paths=paths, thetas=thetas, theta=thetas[chosen],
            agreements=agreements, heights=heights, f=y * z, agreement=z,
            losses={name: float(of(z)) for name, of in losses.KNOWN.items()},
            slopes={name: float(of.slope(z)) for name, of in losses.KNOWN.items()},
            errors={name: misclassified(data.y * (data.X @ theta)) for name, theta in thetas.items()},
            window=window, scale=scale,
            landscape=_risks(data, chosen, scale) + lam * penalties.l2(_grid(chosen, scale)),
        )

    def arrange(self) -> None:
        self.axes["parameters"].set_title("z = 0 solid, z = 1 dashed", fontsize=11, weight="normal", pad=3)

    def show(self, found: Found, eta: float) -> str:
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
            (NAMES[name], _amount(found.losses[name]), _amount(found.slopes[name], "+"), verdict(name, found.agreement),
             str(found.errors.get(name, "")))
            for name in NAMES
        ])
        return sentence(found, eta)

    def keys(self) -> dict[str, Callable[[int], object]]:
        return super().keys() | arrows(self._push)

    def grips(self) -> list[tuple[Axes, Floats]]:
        return [(self.axes["boundary"], self.state.x[None])]

    def _push(self, x: float, y: float) -> None:
        self.set("", **to_place(self.boundary, (self.x1 + x, self.x2 + y)))


def verdict(loss: str, agreement: float) -> str:
    """What the loss says at this agreement: flat, pulling, at its kink, or too right."""
    kink = losses.KNOWN[loss].kink
    side = "wrong" if agreement <= 0 else "right"
    if loss == "zero_one":
        return f"{side}, and flat: no way to go"
    if agreement == kink:
        return "at the kink: pulls, by our rule"
    if kink is not None:
        if agreement > kink:
            return "flat: right, no pull" if loss == "perceptron" else "flat: right enough, no pull"
        return "wrong: pulls" if agreement <= 0 else "right by less than 1: pulls"
    if loss == "logistic":
        return "wrong: pulls" if agreement <= 0 else "right: pulls less and less"
    return "exact: no pull" if agreement == 1 else "too right: pulls back" if agreement > 1 else f"{side}: pulls"


def sentence(found: Found, eta: float) -> str:
    """Where the example stands, what the chosen loss makes of it, and what the lines get wrong."""
    name, z, shown = found.chosen, found.agreement, NAMES[found.chosen]
    counts = ", ".join(f"{NAMES[n]} {found.errors[n]}" for n in NAMES if n in found.errors)
    said = (f"The ringed example (y = {found.y:+.0f}) at ({found.x[0]:g}, {found.x[1]:g}) gets f = {found.f:.2f} from "
            f"the {shown} line, agreement z = {z:.2f}. Its {shown} loss is {_amount(found.losses[name])} "
            f"({verdict(name, z)}). Mistakes among {len(found.data)}: {counts}. ")
    if name == "squared":
        return said + "Least squares has a formula: eta moves only the other lines."
    if name == "zero_one":
        return said + "Its slope is 0, so descent never turns the start line, whatever eta."
    return said + arrival(found.paths[name], eta)


def arrival(path: Path, eta: float) -> str:
    """Whether descent still gets anywhere, in words; 1 % of the objective in 20 steps counts as a change."""
    tail = path.values[-21:]
    noticed = 0.01 * tail[-1]
    if np.diff(tail, prepend=tail[0]).max() > noticed:
        low, high = tail.min(), tail.max()
        return f"eta = {eta:.3g} is too large to settle: the objective jumps between {low:.3g} and {high:.3g}."
    if tail[0] - tail[-1] > noticed:
        return f"With eta = {eta:.3g} the objective is still falling after {STEPS} steps."
    return f"With eta = {eta:.3g} the objective hardly changes any more after {STEPS} steps."


def _amount(value: float, sign: str = "") -> str:
    """Two digits; "0" only where it is exactly 0."""
    if value == 0:
        return "0"
    return f"{value:{sign}.2f}" if abs(value) < 100 else f"{value:{sign},.0f}"


def _data(separability: float, seed: int, x1: float, x2: float, y: float) -> Dataset:
    clouds = datasets.blobs(40, separability, seed=seed)
    X, labels = np.vstack([clouds.X, [x1, x2]]), np.append(clouds.y, y)
    return Dataset(X, labels, clouds.features, clouds.classes, "blobs and one more")


@lru_cache(maxsize=16)
def _path(data: Dataset, loss: str, eta: float, lam: float) -> Path:
    return gradient_descent(_objective(data, loss, lam), steps.constant(eta), STEPS, start=START)


@lru_cache(maxsize=8)
def _risks(data: Dataset, loss: str, scale: float) -> Floats:
    objective, grid = _objective(data, loss, 0.0), _grid(loss, scale)
    if loss != "zero_one":
        return objective.risk(grid)
    turns = np.radians(np.arange(0, 360, 0.25))  # only the direction counts
    nearest = np.rint(np.degrees(np.arctan2(grid[:, 1], grid[:, 0])) / 0.25).astype(int)  # negative ones count back
    return objective.risk(np.column_stack([np.cos(turns), np.sin(turns)]))[nearest]


def _grid(loss: str, scale: float) -> Floats:
    """The weights at which the map of a loss is computed: a staircase needs them closer together than a bowl."""
    return ParameterSpace.grid(scale, 300) if loss == "zero_one" else ParameterSpace.grid(scale)


def _objective(data: Dataset, loss: str, lam: float) -> Objective:
    return Objective(data.X, data.y, losses.KNOWN[loss], lam=lam, offset=False)
