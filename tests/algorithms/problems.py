"""Objectives that several test files minimise."""

import numpy as np

import coursekit as ck


def overlapping(loss=ck.losses.hinge, n=60, d=2, seed=0, **more):
    """Two classes that no line separates."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, d))
    y = np.where(X[:, 0] + rng.standard_normal(n) > 0, 1.0, -1.0)
    return ck.Objective(X, y, loss=loss, **more)
