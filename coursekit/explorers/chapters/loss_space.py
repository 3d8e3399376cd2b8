"""Chapter 3: one example slides; five losses judge it, and the lines they find move or stay."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import ipywidgets as widgets
import numpy as np
from matplotlib.artist import Artist
from matplotlib.figure import Figure

from coursekit.algorithms.descent import gradient_descent
from coursekit.algorithms.least_squares import least_squares
from coursekit.algorithms.path import Path
from coursekit.core import datasets, losses, penalties, steps
from coursekit.core.objective import Objective
from coursekit.core.validate import Floats
from coursekit.explorers import controls as parts
from coursekit.explorers.editing import ARROWS, STRIDE
from coursekit.explorers.explorer import Explorer
from coursekit.explorers.picture import Stroke
from coursekit.explorers.state import State
from coursekit.plots import Boundaries, DecisionBoundary, Ghost, LossSpace, LossTable, ParameterSpace, figure, panel
from coursekit.plots.losses import boundary_looks
from coursekit.plots.ruler import nice

STEPS = 150
START = np.array([0.0, 1.0])  # a line that is not good yet, under which the prediction is f(x) = x2
NAMES = {name: name.replace("_", "-") for name in losses.KNOWN}
CORNERS = np.array([[-5.0, -4.6], [17.0, 5.4]])
COLUMNS = ((0.07, "l", "loss"), (0.335, "r", "here"), (0.455, "r", "slope"), (0.475, "l", "what it says"),
           (0.995, "r", "errors"))


class LossSpaceExplorer(Explorer):
    """One example in data space, parameter space and loss space, and the lines that the losses find.

    Controls: separability, eta, lam, seed; x1, x2 and label of the ringed example; loss, the one to follow.
    The hinge, logistic and least squares lines are always drawn, those of the other two when followed.

    Lines go through the origin, f(x) = theta . x, so that parameter space is a plane. Least squares is
    solved by its formula; the others make 150 steps of gradient descent of size eta from theta = (0, 1).
    The zero-one loss is flat, so without lambda its theta stays there, and f(x) = x2.
    """

    key_help = f"Arrows move the ringed example. {Explorer.key_help}"

    def controls(self) -> dict[str, widgets.Widget]:
        return {
            "separability": parts.separability(0.5),
            "eta": parts.eta(0.3),
            "lam": parts.lam(0.01),
            "seed": parts.seed(),
            "x1": _place("x1", 14.0, *CORNERS[:, 0]),
            "x2": _place("x2", 3.0, *CORNERS[:, 1]),
            "label": parts.choice("label y", ["+1", "-1"]),
            "loss": parts.choice("loss", list(NAMES.values()), "squared"),
        }

    _frame: tuple[str, str] | None = None

    def draw_once(self) -> tuple[Figure, list[Artist]]:
        fig = figure(9.0, 5.2)
        self.boundary = DecisionBoundary(panel(fig, (0, 0.46, 0.7, 1), (0.405, 0.21, 0.225, 0.52), "Data space", 0.405))
        self.boundary.frame(self.boundary.limits(CORNERS, 0.0))
        self.rivals = Boundaries(self.boundary.ax, boundary_looks())
        parameters = panel(fig, (0.7, 0.46, 1, 1), (0.405, 0.21, 0.215, 0.52), "Parameter space (θ₁,\xa0θ₂)", 0.405)
        parameters.set_title("z = 0 solid, z = 1 dashed", fontsize=9, weight="normal", pad=3)
        self.parameters = ParameterSpace(parameters)
        self.space = LossSpace(panel(fig, (0, 0, 0.395, 0.46), (0.405, 0.52, 0.18, 0.34)))
        self.table = LossTable(fig.add_axes((0.41, 0.03, 0.58, 0.365)), COLUMNS)
        views = (self.boundary, self.rivals, self.parameters, self.space, self.table)
        return fig, [artist for view in views for artist in view.artists]

    @staticmethod
    def compute(
        separability: float, eta: float, lam: float, seed: int, x1: float, x2: float, label: str, loss: str
    ) -> dict[str, Any]:
        data = _data(separability, seed, x1, x2, float(label))
        chosen = next(name for name, shown in NAMES.items() if shown == loss)
        paths = {name: _path(data, name, eta, lam) for name in ("hinge", "logistic", chosen) if name != "squared"}
        thetas = {name: path.theta for name, path in paths.items()} | {"squared": _least_squares(data, lam)}
        x, y = data.X[-1], float(data.y[-1])
        f = float(thetas[chosen] @ x)
        z = y * f + 0.0  # never -0.0
        return {
            "data": data,
            "x": x,
            "y": y,
            "chosen": chosen,
            "paths": paths,
            "thetas": thetas,
            "theta": thetas[chosen],
            "f": f,
            "agreement": z,
            "losses": {name: float(of(z)) for name, of in losses.KNOWN.items()},
            "slopes": {name: y * float(of.slope(z)) for name, of in losses.KNOWN.items()},
            "errors": {name: int(np.sum(data.y * (data.X @ theta) <= 0)) for name, theta in thetas.items()},
            "scale": (scale := nice(1.05 * max(float(np.abs(theta).max()) for theta in thetas.values()))),
            "heights": _risks(data, chosen, scale) + lam * penalties.l2(_grid(chosen, scale)),
        }

    def show(self, state: State) -> str:
        if self._frame != (state.label, state.loss):
            self._frame = state.label, state.loss
            self.space.frame(state.y, state.chosen)
            self.table.frame(state.chosen)
            self.picture.redraw()
        thetas = {name: np.append(theta, 0.0) for name, theta in state.thetas.items()}
        self.boundary.show(state.data, thetas[state.chosen], now=len(state.data) - 1)
        self.rivals.show(thetas)
        way = state.paths[state.chosen].thetas if state.chosen in state.paths else np.empty((0, 2))
        self.parameters.show(state.heights, state.scale, way, thetas, state.x, state.y)
        self.space.show(state.f, state.losses)
        self.table.show([
            (NAMES[name], _amount(state.losses[name]), _amount(state.slopes[name], "+"), verdict(name, state.agreement),
             str(state.errors.get(name, "")))
            for name in NAMES
        ])
        return sentence(state)

    def ghosts(self) -> list[Ghost]:
        return self.boundary.ghosts()

    def touch(self, stroke: Stroke) -> None:
        """Press or drag in data space: the ringed example goes there."""
        if stroke.axes is self.boundary.ax:
            self._go(*stroke.at)

    def keys(self) -> dict[str, Callable[[int], object]]:
        moves = {
            name: lambda times, x=x, y=y: self._go(self.x1 + times * x * STRIDE, self.x2 + times * y * STRIDE)
            for name, (x, y) in ARROWS.items()
        }
        return super().keys() | moves

    def _go(self, x1: float, x2: float) -> None:
        at = np.clip([x1, x2], *CORNERS).round(1)
        self.set(x1=float(at[0]), x2=float(at[1]))


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


def sentence(state: State) -> str:
    """Where the example stands, what the chosen loss makes of it, and what the lines get wrong."""
    name, z = state.chosen, state.agreement
    counts = ", ".join(f"{NAMES[n]} {state.errors[n]}" for n in NAMES if n in state.errors)
    said = (f"The ringed example (y = {state.label}) at ({state.x1:g}, {state.x2:g}) gets f = {state.f:.2f} from the "
            f"{state.loss} line, agreement z = {z:.2f}. Its {state.loss} loss is {_amount(state.losses[name])} "
            f"({verdict(name, z)}). Errors among {len(state.data)}: {counts}. ")
    if name == "squared":
        return said + "Least squares has a formula: eta moves only the other lines."
    if name == "zero_one":
        return said + "Its slope is 0, so descent never turns the start line, whatever eta."
    return said + arrival(state.paths[name], state.eta)


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


def _place(name: str, value: float, low: float, high: float) -> widgets.FloatSlider:
    return widgets.FloatSlider(
        value=value, min=low, max=high, step=0.1, description=name, readout_format=".1f",
        style={"description_width": "80px"}, layout=widgets.Layout(flex="1 1 264px", width="auto", max_width="300px"),
        tooltip=f"{name} of the ringed example",
    )


@lru_cache(maxsize=8)
def _data(separability: float, seed: int, x1: float, x2: float, y: float) -> datasets.Dataset:
    clouds = datasets.blobs(40, separability, seed=seed)
    X, labels = np.vstack([clouds.X, [x1, x2]]), np.append(clouds.y, y)
    return datasets.Dataset(X, labels, clouds.features, clouds.classes, "blobs and one more")


@lru_cache(maxsize=16)
def _path(data: datasets.Dataset, loss: str, eta: float, lam: float) -> Path:
    return gradient_descent(_objective(data, loss, lam), steps.constant(eta), STEPS, start=START)


@lru_cache(maxsize=8)
def _least_squares(data: datasets.Dataset, lam: float) -> Floats:
    return least_squares(data.X, data.y, lam, offset=False)


@lru_cache(maxsize=8)
def _risks(data: datasets.Dataset, loss: str, scale: float) -> Floats:
    objective, grid = _objective(data, loss, 0.0), _grid(loss, scale)
    if loss != "zero_one":
        return objective.risk(grid)
    turns = np.radians(np.arange(0, 360, 0.25))  # only the direction counts
    nearest = np.rint(np.degrees(np.arctan2(grid[:, 1], grid[:, 0])) / 0.25).astype(int)  # negative ones count back
    return objective.risk(np.column_stack([np.cos(turns), np.sin(turns)]))[nearest]


def _grid(loss: str, scale: float) -> Floats:
    """The weights at which the map of a loss is computed: a staircase needs them closer together than a bowl."""
    return ParameterSpace.grid(scale, 300) if loss == "zero_one" else ParameterSpace.grid(scale)


def _objective(data: datasets.Dataset, loss: str, lam: float) -> Objective:
    return Objective(data.X, data.y, losses.KNOWN[loss], lam=lam, offset=False)
