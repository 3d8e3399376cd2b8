"""Proximal gradient descent: down the slope of the loss, then the penalty in one exact move.

Sources: CPSC 340 Fall 2020 (UBC), which names it as the fast method for L1; P. Combettes and V. Wajs, Signal
recovery by proximal forward-backward splitting (2005).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from coursekit.algorithms.path import Path, checked, descend, rates_of
from coursekit.core import validate
from coursekit.core.objective import Objective
from coursekit.core.steps import Schedule
from coursekit.core.validate import ArrayLike, Floats


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

    slope_of = replace(objective, lam=0.0)._slope(objective.Z)
    return descend(objective, theta, step, steps, slope_of, advance, rests)
