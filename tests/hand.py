"""The objective of the course, written out: what models and solvers are held against."""

import numpy as np

LOSSES = {
    "zero_one": lambda z: 1.0 * (z <= 0), "perceptron": lambda z: np.maximum(0, -z),
    "hinge": lambda z: np.maximum(0, 1 - z), "logistic": lambda z: np.log1p(np.exp(-z)),
    "squared": lambda z: (1 - z) ** 2,
}  # fmt: skip


def objective(data, theta, lam=0.0, loss="hinge"):
    """The mean loss + lam/2 ||w||^2; an entry of theta after those of w is the offset."""
    w = theta[: data.X.shape[1]]
    return np.mean(LOSSES[loss](data.y * (data.X @ w + sum(theta[len(w) :])))) + lam / 2 * w @ w
