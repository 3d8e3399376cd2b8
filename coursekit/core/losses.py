"""Losses: how bad an agreement is, one example at a time.

Every loss is a function of the agreement z = y f(x), elementwise, without any averaging inside. `loss.slope(z)` is the
derivative with respect to z. At a kink every loss takes the slope of its left side: hinge -1 at z = 1, perceptron -1
at z = 0. So an example that sits exactly on the kink still pulls.

Sources: 01.112 notes (2019), Linear Classification, Hinge Loss; CPSC 340 (UBC, 2020), Linear Classifiers; Prasse,
Landwehr and Scheffer (Potsdam), Linear Classification Models.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from coursekit.core import validate
from coursekit.core.frozen import Named

__all__ = ["hinge", "logistic", "perceptron", "squared", "zero_one"]
__dir__ = __all__.copy  # what completion offers


@dataclass(frozen=True, eq=False, repr=False)
class Loss(Named):
    """A loss of the agreement: call it for the value, `.slope(z)` for the (sub)gradient.

    value, derivative: functions of an array of agreements, elementwise.
    kink: of a loss made by `bent` the agreement where it bends, of every other None.
    TypeError or ValueError where z is not a finite number, or an array of them.

    >>> hinge([-1.0, 0.5, 1.0, 2.0])
    array([2. , 0.5, 0. , 0. ])
    >>> hinge.slope([-1.0, 0.5, 1.0, 2.0])
    array([-1., -1., -1.,  0.])

    One of your own:

    >>> exponential = Loss("exponential", lambda z: np.exp(-z), lambda z: -np.exp(-z))
    >>> exponential([0.0, 1.0]).round(3), exponential.slope([0.0, 1.0]).round(3)
    (array([1.   , 0.368]), array([-1.   , -0.368]))
    """

    value: Callable[[Any], Any]
    derivative: Callable[[Any], Any]
    kink: float | None = field(default=None, init=False)

    def __call__(self, z: ArrayLike) -> Any:
        return self.value(validate.array("z", z)[()])

    def slope(self, z: ArrayLike) -> Any:
        return self.derivative(validate.array("z", z)[()])


def bent(name: str, kink: float) -> Loss:
    """The loss max(0, kink - z): a line with slope -1 up to its kink, 0 beyond it.

    Value, slope and the short cuts that descent takes on a straight line all follow from `kink`.

    >>> bent("late hinge", 2.0)([1.0, 2.0, 3.0])
    array([1., 0., 0.])
    """
    kink = validate.number("kink", kink)
    loss = Loss(name, lambda z: np.maximum(0.0, kink - z), lambda z: (z > kink) - 1.0, made=(bent, name, kink))
    vars(loss).update(kink=kink)
    return loss


zero_one = Loss("zero_one", lambda z: (z <= 0) * 1.0, lambda z: np.zeros_like(z)[()])
"""1 where the agreement z <= 0, else 0: a score of exactly 0 counts as an error."""
perceptron = bent("perceptron", 0.0)
"""max(0, -z) of the agreement z."""
hinge = bent("hinge", 1.0)
"""max(0, 1 - z) of the agreement z."""
# log(1 + exp(-z)), which would overflow at z = -710, and -1 / (1 + exp(z))
logistic = Loss("logistic", lambda z: np.logaddexp(0.0, -z), lambda z: -np.exp(-np.logaddexp(0.0, z)))
"""log(1 + exp(-z)) of the agreement z, with the natural logarithm: 0.693 at z = 0."""
squared = Loss("squared", lambda z: (1.0 - z) ** 2, lambda z: 2.0 * (z - 1.0))
"""(1 - z)^2 of the agreement z: equals (y - f)^2, because y^2 = 1."""
KNOWN = {loss.name: loss for loss in (zero_one, perceptron, hinge, logistic, squared)}
