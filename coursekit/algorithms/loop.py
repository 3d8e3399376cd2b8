"""The loop of every descent that looks at all the data: direction x step size x stopping.

What moves theta and what ends the run are small functions of the state, handed to one loop:

    slope_of(theta)                           the direction: go against this
    step                                      how far: one of ck.steps
    advance(theta, velocity, slope, eta)      the step: the next theta, and the velocity that led there
    stop(k, theta, velocity, square)          why to end at iterate k, in words, or ""; square = ||slope||^2
"""

from collections.abc import Callable

import numpy as np

from coursekit.algorithms.path import Path, ended, rates_of
from coursekit.core.frozen import sealed
from coursekit.core.objective import Objective
from coursekit.core.steps import Line, Search, Step
from coursekit.core.validate import Floats

Slope = Callable[[Floats], Floats]
Advance = Callable[[Floats, Floats, Floats, float], tuple[Floats, Floats]]
Stop = Callable[[int, Floats, Floats, float], str]


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
    same = (thetas == thetas[-1]).all(axis=1)
    seen = np.flatnonzero(same[1:K] & (thetas[: K - 1] == thetas[-2]).all(axis=1)) + 1
    if not len(seen):
        return ""
    return f"cycles: made all {K} steps; the last {K - seen[-1]} only led back to where step {seen[-1]} was"
