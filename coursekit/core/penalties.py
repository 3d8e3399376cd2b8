"""Penalties: the price of the weights. They see the weights only, never the offset.

Sums run over the last axis, so a stack of weight vectors (K, d) gives K penalties. `.slope(w)` is the derivative. Where
|w| has its kink, at w = 0, every slope is 0: a weight that is 0 is left in peace. l0 only jumps, at 0, and is level
everywhere else: its slope is 0, so it gives descent no direction. `.prox(w, t)` needs no slope: it is the best
compromise between staying at w and a small penalty.

Sources: Prasse, Landwehr and Scheffer (Potsdam), Linear Classification Models; Morrison and Pardo (EECS 349, 2019),
Gradient Descent; H. Zou and T. Hastie, Regularization and variable selection via the elastic net (2005); Z. Xu,
X. Chang, F. Xu and H. Zhang, L1/2 regularization (2012).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from coursekit.core import validate
from coursekit.core.frozen import Named
from coursekit.core.keywords import explain_all

__all__ = ["elastic_net", "l0", "l1", "l2", "lq"]


@dataclass(frozen=True, eq=False, repr=False)
class Penalty(Named):
    """A penalty on the weights: call it for the value, `.slope(w)` for the (sub)gradient.

    nearest: the formula behind `.prox`, or None where there is none.

    >>> l2([3.0, -4.0]), l1([3.0, -4.0]), l0([3.0, 0.0])
    (12.5, 7.0, 1.0)
    >>> l1.slope([3.0, 0.0, -4.0])
    array([ 1.,  0., -1.])
    """

    value: Callable[[Any], Any]
    derivative: Callable[[Any], Any]
    nearest: Callable[[Any, Any], Any] | None = None

    def __call__(self, w: ArrayLike) -> Any:
        value = self.value(validate.array("w", w))
        return float(value) if np.ndim(value) == 0 else value

    def slope(self, w: ArrayLike) -> Any:
        return self.derivative(validate.array("w", w))

    def prox(self, w: ArrayLike, t: float) -> Any:
        """The v that minimizes  1/2 ||v - w||^2 + t penalty(v), t >= 0: for l1 the soft threshold.

        Where two v are best, the one with more zeros. ValueError for lq(q) with q other than 1/2.

        >>> l1.prox([3.0, -0.5, 1.0], 1.0), l2.prox([3.0, -0.5, 1.0], 1.0)
        (array([2., 0., 0.]), array([ 1.5 , -0.25,  0.5 ]))
        """
        if self.nearest is None:
            raise ValueError(f"penalty must be l0, l1, l2, elastic_net(mix) or lq(0.5) for a prox; got {self!r}")
        return self.nearest(validate.array("w", w), validate.number("t", t, 0))


def _soft(w: Any, t: float) -> Any:
    return w - np.clip(w, -t, t)


def _half(w: Any, t: float) -> Any:
    """v - |w| + t / (2 sqrt(v)) = 0 is a cubic in sqrt(v); its largest root beats v = 0 from 3/2 t^(2/3) on."""
    size = np.maximum(np.abs(w), 1.5 * t ** (2 / 3) + 1e-100)
    angle = np.arccos(t / 4 * (size / 3) ** -1.5)
    root = 2 / 3 * w * (1 + np.cos(2 / 3 * (np.pi - angle)))
    return np.where(np.abs(w) > 1.5 * t ** (2 / 3), root, 0.0)


l0 = Penalty("l0", lambda w: np.count_nonzero(w, axis=-1) * 1.0, np.zeros_like,
             nearest=lambda w, t: np.where(w * w > 2 * t, w, 0.0))
"""The number of weights that are not 0."""
l1 = Penalty("l1", lambda w: np.abs(w).sum(axis=-1), np.sign, nearest=_soft)
"""sum_j |w_j|: the penalty of the lasso."""
l2 = Penalty("l2", lambda w: 0.5 * (w * w).sum(axis=-1), np.positive, nearest=lambda w, t: w / (1 + t))
"""1/2 sum_j w_j^2: with the half its slope is w itself."""


def elastic_net(mix: float) -> Penalty:
    """mix l1 + (1 - mix) l2, with 0 <= mix <= 1 (else ValueError).

    >>> elastic_net(0.5)([3.0, -4.0])
    9.75
    """
    mix = validate.number("mix", mix, 0, 1)
    return Penalty(f"elastic_net({mix:g})", lambda w: mix * l1.value(w) + (1 - mix) * l2.value(w),
                   lambda w: mix * np.sign(w) + (1 - mix) * w,
                   lambda w, t: _soft(w, t * mix) / (1 + t * (1 - mix)), made=(elastic_net, mix))


def lq(q: float) -> Penalty:
    """sum_j |w_j|^q with q > 0 (else ValueError); convex from q = 1 on; q = 1/2 is the one in chapter 7.

    For q < 1 the slope grows without bound as a weight nears 0; at 0 itself it is 0.

    >>> lq(0.5)([4.0, -9.0])
    5.0
    """
    q = validate.number("q", q, 0, above=True)

    def slope(w: Any) -> Any:
        size = np.where(w == 0, 1.0, np.abs(w))  # sign(0) = 0 makes the slope 0 there
        return q * size ** (q - 1) * np.sign(w)

    return Penalty(f"lq({q:g})", lambda w: (np.abs(w) ** q).sum(axis=-1), slope, _half if q == 0.5 else None,
                   made=(lq, q))


explain_all(globals())
