"""The objective that learning minimizes: mean loss plus lambda times a penalty.

    L(theta) = R_n(theta) + lam Omega(w)        R_n(theta) = 1/n sum_i loss(y_i theta . (x_i, 1))

theta = (w, offset): the offset is the last entry and is never penalized.

Sources: 01.112 notes (2019), Linear Classification, Hinge Loss; Prasse, Landwehr and Scheffer, Linear
Classification Models (which sums the losses, where this course takes their mean); Morrison and
Pardo (EECS 349, 2019), Gradient Descent.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from coursekit.core import losses, penalties, validate
from coursekit.core.frozen import Frozen, sealed
from coursekit.core.losses import Loss
from coursekit.core.penalties import Penalty
from coursekit.core.risks import mean_losses, with_constant
from coursekit.core.text import counted
from coursekit.core.validate import ArrayLike, Floats


@dataclass(frozen=True, eq=False, repr=False, init=False)
class Objective(Frozen):
    """R_n(theta) + lam Omega(w), as a function of theta.

    X: (n, d). y: (n,) in {-1, +1}. Both are read-only copies. loss: one of ck.losses, or a Loss of your own. penalty:
    one of ck.penalties. lam: >= 0. offset: append the constant attribute 1, so that theta has d + 1 entries (else d).
    Raises ValueError for NaN or infinite entries, no examples, other labels, X and y of different length
    or lam < 0, and TypeError for what is not a number, a loss or a penalty.

    >>> risk = Objective([[0, 0], [0, 1], [1, 0]], [-1, 1, 1], lam=0.5)
    >>> risk
    Objective(hinge + 0.5 l2; 3 examples, theta has 2 weights and an offset)
    >>> risk.value([2, 2, -1]), risk.slope([1, 1, 0])
    (2.0, array([ 0.16666667,  0.16666667, -0.33333333]))
    """

    X: Floats
    y: Floats
    loss: Loss
    penalty: Penalty
    lam: float
    offset: bool

    def __init__(self, X: ArrayLike, y: ArrayLike, loss: Loss = losses.hinge, penalty: Penalty = penalties.l2,
                 lam: float = 0.0, offset: bool = True) -> None:
        X, y = validate.examples(X, y)
        if not isinstance(loss, Loss):
            raise TypeError(f"loss must be one of ck.losses ({', '.join(losses.KNOWN)}); got {loss!r}")
        if not isinstance(penalty, Penalty):
            known = "l0, l1, l2, elastic_net(mix), lq(q)"
            raise TypeError(f"penalty must be one of ck.penalties ({known}); got {penalty!r}")
        lam = validate.number("lam", lam, 0)
        vars(self).update(X=X, y=y, loss=loss, penalty=penalty, lam=lam, offset=bool(offset))
        super().__post_init__()

    @cached_property
    def Z(self) -> Floats:
        """Rows y_i (x_i, 1): the agreements of theta are Z @ theta."""
        return sealed(self.y[:, None] * with_constant(self.X, self.offset))

    def value(self, theta: ArrayLike) -> Any:
        """L(theta): a float, or (K,) values for a stack of thetas (K, d+1)."""
        theta = self.checked(theta)
        values = self._values(np.atleast_2d(theta))
        return values if theta.ndim == 2 else float(values[0])

    def risk(self, theta: ArrayLike) -> Any:
        """The mean loss R_n(theta) alone, without the penalty; also for stacks."""
        return replace(self, lam=0.0).value(theta)

    def slope(self, theta: ArrayLike) -> Floats:
        """The (sub)gradient at theta: 1/n sum_i loss'(z_i) y_i (x_i, 1) + lam Omega'(w)."""
        return self._slope(self.Z)(self.checked(theta, stacks=False))

    def slope_at(self, theta: ArrayLike, i: ArrayLike) -> Floats:
        """The same as `slope`, on example i alone, or on the mini-batch of examples i (their mean)."""
        rows = validate.indices("i", i if bool(np.iterable(i)) else np.array([i]), len(self.y))
        return self._slope(self.Z[rows])(self.checked(theta, stacks=False))

    def checked(self, theta: ArrayLike, name: str = "theta", stacks: bool = True) -> Floats:
        """theta as floats, if its shape fits: (d+1,), or (K, d+1) with `stacks`."""
        theta = validate.array(name, theta)
        size = self.X.shape[1] + self.offset
        if theta.ndim not in ((1, 2) if stacks else (1,)) or theta.shape[-1] != size:
            wanted = f"({size},)" + (f" or (K, {size})" if stacks else "")
            raise ValueError(f"{name} must have shape {wanted}; got {theta.shape}")
        return theta

    def _slope(self, Z: Floats) -> Callable[[Floats], Floats]:
        """theta -> (sub)gradient over the rows of Z, without checks: for loops of thousands of steps."""
        columns = np.ascontiguousarray(Z.T)
        bent = self.loss.kink is not None  # slope -1 up to the kink, 0 beyond: no need to compute it
        kink = np.array(self.loss.kink)
        pull = columns / (-len(Z) if bent else len(Z))
        derivative = self.loss.derivative
        d, lam, penalty = self.X.shape[1], self.lam, self.penalty.derivative

        def slope(theta: Floats) -> Floats:
            agreements = theta.dot(columns)
            result = pull.dot(agreements <= kink if bent else derivative(agreements))
            if lam:
                result[:d] += lam * penalty(theta[:d])
            return result

        return slope

    def _values(self, thetas: Floats) -> Floats:
        values = mean_losses(self.loss, self.Z, thetas)
        return values + self.lam * self.penalty.value(thetas[:, : self.X.shape[1]]) if self.lam else values

    def __repr__(self) -> str:
        n, d = self.X.shape
        penalty = f" + {self.lam:g} {self.penalty.name}" if self.lam else ""
        size = counted(d, "weight") + (" and an offset" if self.offset else "")
        return f"Objective({self.loss.name}{penalty}; {counted(n, 'example')}, theta has {size})"
