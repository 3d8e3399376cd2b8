"""(Sub)gradient descent on the whole objective, with any step-size rule and momentum.

Sources: 01.112 notes (2019), Linear Classification, Hinge Loss; Prasse, Landwehr and Scheffer, Linear
Classification Models (line searches); Morrison and Pardo (EECS 349, 2019), Gradient Descent (momentum,
starts, stopping); B. Polyak, Some methods of speeding up the convergence of iteration methods (1964).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from coursekit.algorithms.path import Path, checked, ended
from coursekit.core import validate
from coursekit.core.datasets import Dataset
from coursekit.core.objective import Objective
from coursekit.core.risks import mean_losses
from coursekit.core.steps import Line, Step
from coursekit.core.validate import Floats

HeldOut = Objective | Dataset | tuple[Any, Any]


def gradient_descent(
    objective: Objective,
    step: Step,
    steps: int = 100,
    momentum: float = 0.0,
    start: ArrayLike | None = None,
    tolerance: float = 0.0,
    validation: HeldOut | None = None,
) -> Path:
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
    before it does, with the status "diverged at step k". Raises ValueError or TypeError for bad
    arguments.

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
    held_out = _validation(objective, validation)
    rates = np.zeros(steps) if step.search else step.rates(steps)
    tried: list[tuple[float, ...]] = []
    risks = [] if held_out is None else [held_out.risk(theta)]
    thetas = np.empty((steps + 1, len(theta)))
    thetas[0] = theta
    velocity = np.zeros(len(theta))
    before = None
    slope_of, square = objective._slope(objective.Z), tolerance * tolerance
    done, status = steps, ""
    with np.errstate(over="ignore", invalid="ignore"):
        for k, eta in enumerate(rates.tolist()):
            slope = slope_of(theta)
            size = slope.dot(slope)
            if size <= square and (tolerance or not momentum or not velocity.any()):
                done, status = k, _flat(k, float(np.sqrt(size)), tolerance)
                break
            if step.search:
                tried.append(step.search(Line(objective, theta, slope, before)))
                before = theta, slope
                rates[k] = eta = tried[-1][-1]
                if eta == 0:
                    done, status = k, _stall(k, float(np.sqrt(size)))
                    tried.pop()
                    break
            velocity = momentum * velocity - eta * slope if momentum else -eta * slope
            theta = theta + velocity
            thetas[k + 1] = theta
            if not size < np.inf and not np.isfinite(theta).all():
                done = k + 1
                break
            if held_out is not None:
                risks.append(mean_losses(held_out.loss, held_out.Z, theta[None])[0])
                if not risks[-1] < risks[-2]:
                    done, status = k + 1, f"validation loss stopped falling: it was lowest at step {k}"
                    break
        thetas, rates = thetas[: done + 1].copy(), rates[:done]
        values = _values(objective, thetas, one_by_one=step.search is not None)
    return ended(
        thetas,
        values,
        rates,
        status or _cycle(thetas, rates),
        tried=tuple(tried) if step.search else None,
        validation=np.array(risks) if risks else None,
    )


def _flat(k: int, size: float, tolerance: float) -> str:
    reached = "is 0" if size == 0 else f"is at most {tolerance:g} long"
    return f"converged: the slope {reached} at step {k}"


def _stall(k: int, size: float) -> str:
    return f"stalled at step {k}: the slope is {size:.2g} long, yet no step along it lowers the objective"


def _cycle(thetas: Floats, rates: Floats) -> str:
    """Words for a path that went back to an earlier state, or "" (theta and V: two rows in a row)."""
    if len(rates) < 2 or (rates != rates[0]).any():
        return ""
    K = len(rates)
    same = (thetas == thetas[-1]).all(axis=1)
    seen = np.flatnonzero(same[1:K] & (thetas[: K - 1] == thetas[-2]).all(axis=1)) + 1
    if not len(seen):
        return ""
    return f"cycles: made all {K} steps; the last {K - seen[-1]} only led back to where step {seen[-1]} was"


def _values(objective: Objective, thetas: Floats, one_by_one: bool) -> Floats:
    if one_by_one:  # to the last bit the values that the line search compared
        return np.array([objective._values(theta[None])[0] for theta in thetas])
    return objective._values(thetas)


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
