"""(Sub)gradient descent on the whole objective, with any step-size rule and momentum; and proximal gradient descent:
down the slope of the loss, then the penalty in one exact move.

Sources: 01.112 notes (2019), Linear Classification, Hinge Loss; Prasse, Landwehr and Scheffer, Linear Classification
Models (line searches); Morrison and Pardo (EECS 349, 2019), Gradient Descent (momentum, starts, stopping); B. Polyak,
Some methods of speeding up the convergence of iteration methods (1964); CPSC 340 Fall 2020 (UBC), which names the
proximal one as the fast method for L1; P. Combettes and V. Wajs, Signal recovery by proximal forward-backward splitting
(2005).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from coursekit.algorithms.path import Path, checked, descend, rates_of
from coursekit.core import validate
from coursekit.core.datasets import Dataset
from coursekit.core.objective import Objective
from coursekit.core.risks import mean_losses
from coursekit.core.steps import Schedule, Step
from coursekit.core.validate import ArrayLike, Floats

HeldOut = Objective | Dataset | tuple[Any, Any]


def gradient_descent(objective: Objective, step: Step, steps: int = 100, momentum: float = 0.0,
                     start: ArrayLike | None = None, tolerance: float = 0.0, validation: HeldOut | None = None) -> Path:
    """Follow minus the slope of the whole objective.

        V     <- momentum V - eta_k slope(theta)          V = 0 before the first step
        theta <- theta + V

    step: one of ck.steps. Line searches look along minus the slope, whatever the momentum.
    steps: the most steps to make. momentum: 0 <= momentum < 1.
    start: theta^(0), shape (d+1,); zero where it is None or "zero".
    tolerance: stop where ||slope|| <= tolerance; where it is 0, once the slope and momentum V are 0.
    validation: an Objective, a Dataset or a pair (X, y). Its mean loss is recorded for every iterate
        (`path.validation`), and the first step that does not lower it is the last; the iterate
        before that one is the choice of early stopping.

    With kinks in the loss minus the slope need not lead downhill: a line search can find no step at
    all, and a constant step can go round in circles. The status says so. A path that overflows ends
    before it does, with the status "diverged at step k".

    ValueError where a number is outside its range, theta^(0) or the validation data have another shape than the
    objective asks for, or the objective overflows at theta^(0); TypeError where an argument is of the wrong kind.

    >>> import coursekit as ck
    >>> iris = ck.datasets.load("iris", classes=("setosa", "versicolor"), features=[2, 3])
    >>> ck.gradient_descent(ck.Objective(iris.X, iris.y), ck.steps.constant(0.1), steps=200)
    Path(200 steps, value 1 to 0.01336, lowest 0.01336 at step 200; made all 200 steps)
    """
    steps, theta = checked(objective, step, steps, start)
    momentum = validate.number("momentum", momentum, 0, 1)
    if momentum == 1:
        raise ValueError("momentum must be >= 0 and < 1; got 1")
    tolerance = validate.number("tolerance", tolerance, 0)
    limit, held_out = tolerance * tolerance, _validation(objective, validation)
    risks: list[float] = []

    def advance(theta: Floats, velocity: Floats, slope: Floats, eta: float) -> tuple[Floats, Floats]:
        velocity = momentum * velocity - eta * slope if momentum else -eta * slope
        return theta + velocity, velocity

    def stop(k: int, theta: Floats, velocity: Floats, square: float) -> str:
        if held_out is not None:
            risks.append(float(mean_losses(held_out.loss, held_out.Z, theta[None])[0]))
            if k and not risks[k] < risks[k - 1]:
                return f"validation loss stopped falling: it was lowest at step {k - 1}"
        if not square <= limit or (momentum and not tolerance and velocity.any()):
            return ""
        reached = "is 0" if square == 0 else f"is at most {tolerance:g} long"
        return f"converged: the slope {reached} at step {k}"

    path = descend(objective, theta, step, steps, objective._slope(objective.Z), advance, stop)
    return path if held_out is None else replace(path, validation=np.array(risks[: len(path.values)]))


def _validation(objective: Objective, data: HeldOut | None) -> Objective | None:
    if data is None:
        return None
    if not isinstance(data, Objective):
        if not isinstance(data, Dataset) and not (isinstance(data, tuple) and len(data) == 2):
            raise TypeError(f"validation must be an Objective, a Dataset or a pair (X, y); got {type(data).__name__}")
        X, y = data if isinstance(data, tuple) else (data.X, data.y)
        data = Objective(X, y, loss=objective.loss, offset=objective.offset)
    if (data.X.shape[1], data.offset) != (objective.X.shape[1], objective.offset):
        raise ValueError(f"validation must have the features of the objective; got {data}")
    return data


def proximal_descent(objective: Objective, step: Schedule, steps: int = 100, start: ArrayLike | None = None,
                     tolerance: float = 0.0) -> Path:
    """Descend on a penalty with a kink without ever asking for its slope there.

        v = theta - eta_k slope of the risk R_n(theta)
        w <- argmin_u  1/2 ||u - v_w||^2 + eta_k lam Omega(u)        (penalty.prox)
        offset <- v_offset

    For l1 the second line is the soft threshold: every weight moves eta_k lam toward 0 and stays there if it arrives.
    So weights become exactly 0, which subgradient descent does not reach. With a smooth, convex loss, a convex penalty
    and a constant eta below 2 / curvature it converges to the minimum; with l0 or lq(1/2) to some local one.

    step: a schedule. steps: the most to make. start: theta^(0), shape (d+1,); zero where None. tolerance: stop after a
    step in which no entry of theta moved by more than this. ValueError where a number is outside its range, theta^(0)
    has the wrong shape, step is a search or the penalty has no prox; TypeError where an argument is of the wrong kind.

    >>> import coursekit as ck
    >>> one = ck.Objective([[1.0]], [1], loss=ck.losses.squared, penalty=ck.penalties.l1, lam=1.0, offset=False)
    >>> ck.proximal_descent(one, ck.steps.constant(0.5)).theta  # (1 - w)^2 + |w|
    array([0.5])
    """
    steps, theta = checked(objective, step, steps, start)
    rates_of(step, steps)
    tolerance = validate.number("tolerance", tolerance, 0)
    lam, d = objective.lam, objective.X.shape[1]
    objective.penalty.prox(theta[:d], 0.0)  # says so at once if the penalty has none
    prox: Any = objective.penalty.nearest

    def advance(theta: Floats, velocity: Floats, slope: Floats, eta: float) -> tuple[Floats, Floats]:
        new = theta - eta * slope
        if lam:
            new[:d] = prox(new[:d], eta * lam)
        return new, new - theta

    def rests(k: int, theta: Floats, velocity: Floats, square: float) -> str:
        still = k > 0 and np.abs(velocity).max() <= tolerance
        return f"converged: step {k} moved theta by at most {tolerance:g}" if still else ""

    return descend(objective, theta, step, steps, replace(objective, lam=0.0)._slope(objective.Z), advance, rests)
