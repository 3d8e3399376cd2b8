"""Losses: how bad an agreement is, one example at a time.

Every loss is a function of the agreement z = y f(x), elementwise, without any averaging inside:

    zero_one    1 where z <= 0, else 0     (a score of exactly 0 counts as an error)
    perceptron  max(0, -z)
    hinge       max(0, 1 - z)
    logistic    log(1 + exp(-z))           (natural logarithm: 0.693 at z = 0)
    squared     (1 - z)^2                  (equals (y - f)^2, because y^2 = 1)

`loss.slope(z)` is the derivative with respect to z. At a kink every loss takes the slope of its left
side: hinge -1 at z = 1, perceptron -1 at z = 0. So an example that sits exactly on the kink still pulls.

Sources: 01.112 notes (2019), Linear Classification, Hinge Loss; CPSC 340 (UBC, 2020), Linear
Classifiers; Prasse, Landwehr and Scheffer (Potsdam), Linear Classification Models.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from coursekit.core import validate


@dataclass(frozen=True, repr=False)
class Loss:
    """A loss of the agreement: call it for the value, `.slope(z)` for the (sub)gradient.

    kink: for the two bent lines, the agreement up to which the slope is -1; beyond it is 0. Else None.
    convex: whether every chord lies above the curve.

    >>> hinge([-1.0, 0.5, 1.0, 2.0])
    array([2. , 0.5, 0. , 0. ])
    >>> hinge.slope([-1.0, 0.5, 1.0, 2.0])
    array([-1., -1., -1.,  0.])
    """

    name: str
    value: Callable[[Any], Any]
    derivative: Callable[[Any], Any]
    kink: float | None = None
    convex: bool = True

    def __call__(self, z: ArrayLike) -> Any:
        return self.value(validate.array("z", z)[()])

    def slope(self, z: ArrayLike) -> Any:
        return self.derivative(validate.array("z", z)[()])

    def __repr__(self) -> str:
        return f"losses.{self.name}"


def _zero_one(z: Any) -> Any:
    return (z <= 0) * 1.0


def _flat(z: Any) -> Any:
    return np.zeros_like(z)[()]


def _perceptron(z: Any) -> Any:
    return np.maximum(0.0, 0.0 - z)  # -z would make -0.0 of 0


def _perceptron_slope(z: Any) -> Any:
    return (z > 0) - 1.0  # -1 up to the kink, 0 beyond it


def _hinge(z: Any) -> Any:
    return np.maximum(0.0, 1.0 - z)


def _hinge_slope(z: Any) -> Any:
    return (z > 1) - 1.0


def _logistic(z: Any) -> Any:
    return np.logaddexp(0.0, -z)  # log(1 + exp(-z)) would overflow at z = -710


def _logistic_slope(z: Any) -> Any:
    return -np.exp(-np.logaddexp(0.0, z))  # -1 / (1 + exp(z)), for any z


def _squared(z: Any) -> Any:
    return (1.0 - z) ** 2


def _squared_slope(z: Any) -> Any:
    return 2.0 * (z - 1.0)


zero_one = Loss("zero_one", _zero_one, _flat, convex=False)
perceptron = Loss("perceptron", _perceptron, _perceptron_slope, kink=0.0)
hinge = Loss("hinge", _hinge, _hinge_slope, kink=1.0)
logistic = Loss("logistic", _logistic, _logistic_slope)
squared = Loss("squared", _squared, _squared_slope)

KNOWN = {loss.name: loss for loss in (zero_one, perceptron, hinge, logistic, squared)}
