"""A descent: what it returns, and the loop of all that look at all the data: direction x step size x stopping.

What moves theta and what ends the run are small functions of the state, handed to one loop:

    slope_of(theta)                           the direction: go against this
    step                                      how far: one of ck.steps
    advance(theta, velocity, slope, eta)      the step: the next theta, and the velocity that led there
    stop(k, theta, velocity, square)          why to end at iterate k, in words, or ""; square = ||slope||^2
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from coursekit.algorithms.rule import LinearRule
from coursekit.core import validate
from coursekit.core.frozen import Frozen, sealed
from coursekit.core.objective import Objective
from coursekit.core.steps import Line, Schedule, Search, Step
from coursekit.core.text import counted
from coursekit.core.validate import ArrayLike, Floats, NDArray

Slope = Callable[[Floats], Floats]
Advance = Callable[[Floats, Floats, Floats, float], tuple[Floats, Floats]]
Stop = Callable[[int, Floats, Floats, float], str]


@dataclass(frozen=True, eq=False, repr=False)
class Path(LinearRule, Frozen):
    """The iterates of a descent with K steps. Its arrays are read-only.

    thetas: (K+1, d+1), row 0 the start. values: (K+1,), the objective of each row.
    rates: (K,), the step sizes. status: why it ended.
    examples: the example each step used, (K,) or (K, batch); None for batch descent.
    best: the row with the lowest value so far (the first of equals; the start counts).
    tried: for each step of a line search, all the step sizes it tried; the last was taken.
    validation: (K+1,), the mean loss of each row on the validation data, if there were any.
    offset: whether it was learned, and is the last entry of each theta.
    """

    thetas: Floats
    values: Floats
    rates: Floats
    best: int
    status: str
    examples: NDArray[np.intp] | None = None
    tried: tuple[tuple[float, ...], ...] | None = None
    validation: Floats | None = None
    offset: bool = True

    @property
    def theta(self) -> Floats:
        """The last iterate."""
        return self.thetas[-1]

    @property
    def best_theta(self) -> Floats:
        """The iterate with the lowest value: the one to report."""
        return self.thetas[self.best]

    @property
    def average(self) -> Floats:
        """The mean of all iterates after the start."""
        return self.thetas[1:].mean(axis=0) if len(self.rates) else self.thetas[0]

    def __repr__(self) -> str:
        first, last, lowest = (f"{self.values[k]:.4g}" for k in (0, -1, self.best))
        steps = counted(len(self.rates), "step")
        return f"Path({steps}, value {first} to {last}, lowest {lowest} at step {self.best}; {self.status})"


def checked(objective: Objective, step: Step, steps: int, start: ArrayLike | None) -> tuple[int, Floats]:
    """The number of steps and theta^(0), after checking what every descent is given."""
    if not isinstance(objective, Objective):
        raise TypeError(f"objective must be a ck.Objective; got {type(objective).__name__}")
    if not isinstance(step, Step):
        raise TypeError(f"step must be one of ck.steps, such as ck.steps.constant(0.1); got {step!r}")
    steps = validate.count("steps", steps)
    if start is None or (isinstance(start, str) and validate.one_of("start", start, ("zero",))):
        return steps, np.zeros(objective.X.shape[1] + objective.offset)
    theta = objective.checked(start, "start", stacks=False)
    with np.errstate(over="ignore", invalid="ignore"):
        value = objective.value(theta)
    if not np.isfinite(value):
        raise ValueError(f"start must have a finite objective; got {value} at {theta}")
    return steps, theta


def rates_of(step: Step, steps: int) -> Floats:
    """The step sizes of a schedule; ValueError for a search."""
    if not isinstance(step, Schedule):
        raise ValueError(f"step must be a schedule (constant, decaying, robbins_monro); got {step!r}")
    return step.rates(steps)


def ended(objective: Objective, thetas: Floats, values: Floats, rates: Floats, status: str, **more: Any) -> Path:
    """The Path of these iterates, cut before the first that overflowed."""
    broken = ~(np.isfinite(values) & np.isfinite(thetas).all(axis=1))
    if broken.any():
        k = int(broken.argmax())
        status = f"diverged at step {k}: the objective overflowed; the step size is too large"
        thetas, values, rates = thetas[:k], values[:k], rates[: k - 1]
        more = {name: part if part is None else part[: len(rates)] for name, part in more.items()}
    best = int(values.argmin())
    if not status:
        status = f"made all {len(rates)} steps"
        if best < len(rates):
            status += f", the last {len(rates) - best} without a new lowest value"
    return Path(thetas, values, rates, best, status, offset=objective.offset, **more)


def descend(objective: Objective, theta: Floats, step: Step, steps: int, slope_of: Slope, advance: Advance,
            stop: Stop) -> Path:
    """At most `steps` steps from theta; the velocity is 0 before the first."""
    search = step if isinstance(step, Search) else None
    rates = np.zeros(steps) if search else rates_of(step, steps)
    etas, tried, status = rates.tolist(), [], ""
    before, velocity = None, np.zeros(len(theta))
    thetas = np.empty((steps + 1, len(theta)))
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        for k in range(steps + 1):
            thetas[k], slope = theta, slope_of(theta)
            square = float(slope.dot(slope))
            if not square < np.inf and not np.isfinite(theta).all():
                break
            if (status := stop(k, theta, velocity, square)) or k == steps:
                break
            if search:
                tried.append(search.along(Line(objective, theta, slope, before)))
                before, etas[k] = (theta, slope), tried[k][-1]
                if etas[k] == 0:
                    length = f"the slope is {np.sqrt(square):.2g} long"
                    status = f"stalled at step {k}: {length}, yet no step size that was tried lowers the objective"
                    break
            theta, velocity = advance(theta, velocity, slope, etas[k])
        thetas, rates = sealed(thetas)[: k + 1], np.array(etas[:k])
        # after a search one by one, which gives to the last bit the values that it compared
        values = np.array([objective._values(row[None])[0] for row in thetas]) if search else objective._values(thetas)
    status = status or _cycle(thetas, rates)
    return ended(objective, thetas, values, rates, status, tried=tuple(tried[:k]) if search else None)


def _cycle(thetas: Floats, rates: Floats) -> str:
    """Words for a path that went back to an earlier state, or "" (theta and velocity: two rows in succession)."""
    if len(rates) < 2 or (rates != rates[0]).any():
        return ""
    K = len(rates)
    seen = np.flatnonzero((thetas[1:K] == thetas[-1]).all(axis=1) & (thetas[: K - 1] == thetas[-2]).all(axis=1)) + 1
    if not len(seen):
        return ""
    return f"cycles: made all {K} steps; the last {K - seen[-1]} only led back to where step {seen[-1]} was"
