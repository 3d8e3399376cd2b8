"""Step sizes: how far to go along minus the slope. k counts the steps from 0.

    constant(eta)               eta_k = eta
    decaying(eta0)              eta_k = eta0 / (k + 1)
    robbins_monro(eta0, power)  eta_k = eta0 / (k + 1)^power, 1/2 < power <= 1
    backtracking()              halve from 1 until the objective falls
    exact()                     the eta that minimizes the objective along the line
    barzilai_borwein()          from the last change of theta and of the slope

The first three are schedules, known before the first step; only they suit stochastic descent. The other three search
along a line for each step and belong to `gradient_descent`.

Sources: 01.112 notes (2019), Linear Classification, Hinge Loss; Prasse, Landwehr and Scheffer, Linear Classification
Models; H. Robbins and S. Monro, A stochastic approximation method (1951); J. Barzilai and J. Borwein, Two-point step
size gradient methods (1988).
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from coursekit.core import validate
from coursekit.core.frozen import Named
from coursekit.core.keywords import explain_all
from coursekit.core.objective import Objective
from coursekit.core.validate import Floats, NDArray

__all__ = ["backtracking", "barzilai_borwein", "constant", "decaying", "exact", "robbins_monro"]
SMALLEST = 2.0**-60


@dataclass(frozen=True, eq=False)
class Line:
    """What a search may look at: the line theta - eta slope, and theta and slope of the step before."""

    objective: Objective
    theta: Floats
    slope: Floats
    before: tuple[Floats, Floats] | None = None

    def value(self, eta: float) -> float:
        """The objective at theta - eta slope."""
        return float(self.objective._values((self.theta - eta * self.slope)[None])[0])

    def descent(self) -> Callable[[float], float]:
        """The derivative of `value`, as a function of eta."""
        slope_at = self.objective._slope(self.objective.Z)
        return lambda eta: -float(slope_at(self.theta - eta * self.slope) @ self.slope)


@dataclass(frozen=True, eq=False, repr=False)
class Schedule(Named):
    """Step sizes known before the first step. rule: an array of step numbers k -> their eta_k > 0.

    >>> Schedule("1/sqrt(k+1)", lambda k: 1 / np.sqrt(k + 1)).rates(3)
    array([1.        , 0.70710678, 0.57735027])
    """

    rule: Callable[[NDArray[np.intp]], Any]

    def rates(self, steps: int) -> Floats:
        """eta_0 ... eta_(steps-1). ValueError where the rule gives something else than numbers > 0."""
        k = np.arange(validate.count("steps", steps, 0))
        rates = validate.array(f"the eta_k of {self!r}", self.rule(k))
        if rates.shape not in ((), k.shape) or (rates <= 0).any():
            raise ValueError(f"{self!r} must give an eta_k > 0 for each of {steps} steps; got {rates}")
        return np.broadcast_to(rates, k.shape).copy()


@dataclass(frozen=True, eq=False, repr=False)
class Search(Named):
    """Step sizes looked for along each line. along: a `Line` -> every eta tried; the last is taken, 0 ends all."""

    along: Callable[[Line], tuple[float, ...]]


Step = Schedule | Search


def constant(eta: float) -> Schedule:
    """eta_k = eta, with eta > 0 (else ValueError).

    >>> constant(0.1).rates(3)
    array([0.1, 0.1, 0.1])
    """
    eta = validate.number("eta", eta, 0, above=True)
    return Schedule(f"constant({eta:g})", lambda k: eta, made=(constant, eta))


def decaying(eta0: float) -> Schedule:
    """eta_k = eta0 / (k + 1), with eta0 > 0 (else ValueError).

    >>> decaying(1.0).rates(4)
    array([1.        , 0.5       , 0.33333333, 0.25      ])
    """
    eta0 = validate.number("eta0", eta0, 0, above=True)
    return Schedule(f"decaying({eta0:g})", lambda k: eta0 / (k + 1.0), made=(decaying, eta0))


def robbins_monro(eta0: float, power: float) -> Schedule:
    """eta_k = eta0 / (k + 1)^power, with eta0 > 0 and 1/2 < power <= 1 (else ValueError).

    For these powers, and no others, the steps add up to infinity while their squares do not:
    theta can get anywhere, and the noise dies out.

    >>> robbins_monro(1.0, 0.75).rates(3)
    array([1.        , 0.59460356, 0.43869134])
    """
    eta0 = validate.number("eta0", eta0, 0, above=True)
    power = validate.number("power", power, 0.5, 1, above=True)
    return Schedule(f"robbins_monro({eta0:g}, {power:g})", lambda k: eta0 / (k + 1.0) ** power,
                    made=(robbins_monro, eta0, power))


def backtracking() -> Search:
    """Inexact line search: start at eta = 1 and halve while L(theta - eta slope) >= L(theta).

    At a kink minus the slope need not lead downhill. Then no eta passes, and the search gives up at 2^-60.

    >>> import coursekit as ck
    >>> parabola = ck.Objective([[2.0]], [1], loss=ck.losses.squared, offset=False)  # (1 - 2 theta)^2
    >>> ck.gradient_descent(parabola, backtracking(), steps=1).tried
    ((1.0, 0.5, 0.25, 0.125),)
    """
    return Search("backtracking()", _halving)


def _halving(line: Line) -> tuple[float, ...]:
    here, tried = line.value(0.0), [1.0]
    while not line.value(tried[-1]) < here and tried[-1] > 0:
        tried.append(tried[-1] / 2 if tried[-1] > SMALLEST else 0.0)
    return tuple(tried)


def exact() -> Search:
    """Exact line search: the smallest eta > 0 where L(theta - eta slope) stops falling.

    For a convex objective this is the minimum along the line. Bisection on the sign of the derivative
    finds it to the last bit, with kinks or without. Where L falls for ever, as the logistic loss does
    on separable data, the search ends where the derivative has vanished in rounding.

    >>> import coursekit as ck
    >>> parabola = ck.Objective([[2.0]], [1], loss=ck.losses.squared, offset=False)  # (1 - 2 theta)^2
    >>> ck.gradient_descent(parabola, exact(), steps=1).rates
    array([0.125])
    """
    return Search("exact()", _bisection)


def _bisection(line: Line) -> tuple[float, ...]:
    derivative = line.descent()
    low, high = 0.0, 1.0
    while derivative(high) < 0 and high < 1 / SMALLEST:
        low, high = high, 2 * high
    while low < (middle := (low + high) / 2) < high and high > SMALLEST:
        low, high = (middle, high) if derivative(middle) < 0 else (low, middle)
    return (high if line.value(high) < line.value(0.0) else 0.0,)


def barzilai_borwein() -> Search:
    """eta_k = s.s / s.r with s = theta_k - theta_(k-1) and r = slope_k - slope_(k-1).

    The curvature seen over the last step replaces the second derivative. Not a descent method: the objective may rise
    in between. The first step, and any where s.r <= 0 shows no curvature, is found by halving from 1.

    >>> import coursekit as ck
    >>> parabola = ck.Objective([[0.5]], [1], loss=ck.losses.squared, offset=False)  # (1 - theta/2)^2
    >>> ck.gradient_descent(parabola, barzilai_borwein(), steps=2).rates  # then 1 / curvature
    array([1., 2.])
    """
    return Search("barzilai_borwein()", _two_point)


def _two_point(line: Line) -> tuple[float, ...]:
    if line.before is not None:
        s, r = line.theta - line.before[0], line.slope - line.before[1]
        if s @ r > 0:
            return (float(s @ s / (s @ r)),)
    return _halving(line)


explain_all(globals())
