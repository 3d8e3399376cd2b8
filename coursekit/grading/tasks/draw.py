"""Random data for the cases of tasks."""

from __future__ import annotations

import numpy as np

from coursekit._validate import Floats


def quarters(rng: np.random.Generator, *shape: int) -> Floats:
    """Multiples of 1/4 from -2 to 2: their sums and products are exact, in whatever order they are taken."""
    return rng.integers(-8, 9, shape) / 4


def labels(rng: np.random.Generator, n: int) -> Floats:
    """n >= 2 labels, both classes among them."""
    return rng.permutation(np.append(rng.choice([-1.0, 1.0], n - 2), [-1.0, 1.0]))
