"""Drawn data: clouds whose distance is known, and three examples to work with by hand."""

import numpy as np

from coursekit.core import validate
from coursekit.core.dataset import Dataset


def three_points() -> Dataset:
    """The three examples whose perceptron run is worked by hand in chapter 2: (0,0)-, (0,1)+, (1,0)+.

    Source: Prasse, Landwehr and Scheffer, Linear Classification Models, perceptron example.

    >>> three_points().y
    array([-1.,  1.,  1.])
    """
    return Dataset([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0]], [-1.0, 1.0, 1.0], name="three points")


def blobs(n: int = 200, separability: float = 1.0, outliers: int = 0, noise: float = 0.0, seed: int = 0,
          center: tuple[float, float] = (0.0, 0.0), irrelevant: int = 0) -> Dataset:
    """Two clouds in the plane whose gap is exactly `separability`, in units of their spread.

    Both clouds are normal with standard deviation 1. With u the direction from the negative to the
    positive class, the clouds are moved along u until

        min over y=+1 of u.x  -  max over y=-1 of u.x  =  separability

    and the two examples that face each other across the gap lie on one line along u. So for
    separability > 0 the largest margin 1/||w|| is exactly separability / 2, and for separability < 0
    the clouds reach into each other (at most until their centers meet) and no line separates them,
    unless there are fewer than about 20 examples: then a slanted one may still fit between them.
    The same seed gives the same clouds whatever the separability: only their distance changes.

    outliers: this many positive examples are moved far away, on their own side of the gap.
    noise: this fraction of all labels is flipped.
    center: the middle of the gap.
    irrelevant: this many further features, normal with standard deviation 1, independent of y.

    >>> blobs(n=100, separability=0.5, seed=3)
    Dataset(blobs: 100 examples, 2 features; -1 50, +1 50)
    """
    n = validate.count("n", n, 2)
    gap = validate.number("separability", separability)
    outliers = validate.count("outliers", outliers, 0)
    irrelevant = validate.count("irrelevant", irrelevant, 0)
    noise = validate.number("noise", noise, 0, 1)
    middle = validate.array("center", center, 1)
    if len(middle) != 2:
        raise ValueError(f"center must hold x1 and x2; got {center!r}")
    positive = n - n // 2
    if outliers >= positive:
        raise ValueError(f"outliers must be fewer than the {positive} positive examples; got {outliers}")
    rng = validate.generator(seed)
    y = np.repeat([-1.0, 1.0], [n // 2, positive])
    along, across = rng.standard_normal(n), rng.standard_normal(n)
    front_negative = np.argmax(np.where(y < 0, along, -np.inf))
    front_positive = np.argmin(np.where(y > 0, along, np.inf))
    across[[front_negative, front_positive]] = 0.0
    depth = along[front_negative] - along[front_positive]
    distance = max(gap + depth, 0.0)
    along += y * distance / 2
    along -= (along[front_negative] + along[front_positive]) / 2
    far = np.setdiff1d(np.flatnonzero(y > 0), front_positive)[:outliers]
    along[far], across[far] = 5 + np.abs(along[far]), 8 + np.abs(across[far])
    u, v = np.array([0.6, 0.8]), np.array([0.8, -0.6])
    flipped = rng.permutation(n)[: round(noise * n)]
    order = rng.permutation(n)
    y[flipped] *= -1
    X = along[:, None] * u + across[:, None] * v + middle
    X = np.column_stack([X[order], *rng.standard_normal((irrelevant, n))])  # one more leaves the others as they are
    return Dataset(X, y[order], tuple(f"x{j + 1}" for j in range(irrelevant + 2)), ("-1", "+1"), "blobs")


def multiclass_blobs(n: int = 200, classes: int = 3, separability: float = 1.0, seed: int = 0) -> Dataset:
    """`classes` clouds around a circle; the narrowest gap between two of them is `separability`.

    Clouds are normal with standard deviation 1. The gap of a pair is measured along the line through
    their centers; the circle grows until the smallest gap equals separability (in units of the
    spread). For separability < 0 this pair reaches into each other, at most until all centers meet.

    >>> multiclass_blobs(n=90, classes=3).classes
    ('0', '1', '2')
    """
    k = validate.count("classes", classes, 2)
    n = validate.count("n", n, k)
    gap = validate.number("separability", separability)
    rng = validate.generator(seed)
    y = np.sort(np.arange(n) % k)
    cloud = rng.standard_normal((n, 2))
    angle = np.pi / 2 + 2 * np.pi * np.arange(k) / k
    center = np.column_stack([np.cos(angle), np.sin(angle)])
    radius = 0.0
    for i in range(k):
        for j in range(i):
            line = center[i] - center[j]
            length = float(np.linalg.norm(line))
            reach = np.max(cloud[y == j] @ line) - np.min(cloud[y == i] @ line)
            radius = max(radius, (gap + reach / length) / length)
    order = rng.permutation(n)
    X = cloud + radius * center[y]
    return Dataset(X[order], y[order], ("x1", "x2"), tuple(map(str, range(k))), "multiclass blobs")
