"""Random data for the cases of tasks, made so that right answers agree to the last digit."""

import numpy as np

from coursekit.core.validate import Floats


def quarters(rng: np.random.Generator, *shape: int) -> Floats:
    """Multiples of 1/4 from -2 to 2: their sums and products are exact, in whatever order they are taken."""
    return rng.integers(-8, 9, shape) / 4


def labels(rng: np.random.Generator, n: int) -> Floats:
    """n >= 2 labels, both classes among them."""
    return rng.permutation(np.append(rng.choice([-1.0, 1.0], n - 2), [-1.0, 1.0]))


def scene(rng: np.random.Generator, n: int, d: int, ties: int = 0) -> tuple[Floats, Floats]:
    """X and theta; the first `ties` examples, and no others, have score 0.

    No two entries of theta are alike, and of several weights one is negative, one positive.
    The score of a tie is 0 also when theta was divided by its length: 2 and 1 are rounded alike.
    """
    one, theta = int(rng.integers(d)), np.zeros(d + 1)
    while abs(theta[:-1].sum()) < 0.5 or len(set(theta)) <= d or (d > 1 and abs(np.sign(theta[:-1]).sum()) == d):
        theta = rng.choice(np.r_[-12:-4, 5:13], d + 1, replace=False) / 4
        theta[one] = rng.choice([-1.0, 1.0])
        if ties:
            theta[-1] = rng.choice([-2.0, 2.0])
    X = quarters(rng, n, d)
    X[:ties] = 0
    X[:ties, one] = -theta[-1] / theta[one]
    while (zero := X[ties:] @ theta[:-1] + theta[-1] == 0).any():
        X[ties:][zero] = quarters(rng, int(zero.sum()), d)
    return X, theta
