"""More than two classes from many binary lines: one against rest, one against one; what they answer, and how well.

Sources: Morrison and Pardo (EECS 349, 2019), Gradient Descent; Prasse, Landwehr and Scheffer, Linear
Classification Models; U. Kressel, Pairwise classification and support vector machines (1999).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from coursekit.core import validate
from coursekit.core.datasets import Dataset
from coursekit.core.frozen import Frozen
from coursekit.core.validate import Floats


@dataclass(frozen=True, eq=False, repr=False)
class Argmax(Frozen):
    """One linear score for each of k classes; the highest wins.

    thetas: (k, d + 1), offset last. classes: the k names.
    """

    thetas: Floats
    classes: tuple[str, ...]

    def scores(self, X: ArrayLike) -> Floats:
        """(n, k): the scores of every class, f_c(x) = theta_c . (x, 1)."""
        return _scores(self.thetas, X)

    def predict(self, X: ArrayLike) -> NDArray[np.intp]:
        """(n,) class indices; among exactly equal scores the lowest index."""
        return self.scores(X).argmax(axis=1)

    def ties(self, X: ArrayLike) -> NDArray[np.bool_]:
        """(n,): whether several classes share the highest score."""
        return _leaders(self.scores(X)).sum(axis=1) > 1

    def claims(self, X: ArrayLike) -> NDArray[np.intp]:
        """(n,): how many classes have a score above 0: none, one, or 2 for several."""
        return np.minimum((self.scores(X) > 0).sum(axis=1), 2)

    def __repr__(self) -> str:
        return f"Argmax({len(self.classes)} scores: {', '.join(self.classes)}; the highest wins)"


@dataclass(frozen=True, eq=False, repr=False)
class Votes(Frozen):
    """One line for each pair of classes; every line gives one vote, and the most votes win.

    pairs: (m, 2) class indices (negative, positive), m = k (k - 1) / 2. thetas: (m, d + 1), offset last.
    classes: the k names.
    """

    thetas: Floats
    pairs: NDArray[np.intp]
    classes: tuple[str, ...]

    def pair_scores(self, X: ArrayLike) -> Floats:
        """(n, m): the score of every line, > 0 for the second class of its pair."""
        return _scores(self.thetas, X)

    def votes(self, X: ArrayLike) -> NDArray[np.intp]:
        """(n, k): the votes for each class; a score of exactly 0 is a vote for the first of the pair."""
        won = np.where(self.pair_scores(X) > 0, 1.0, 0.0)  # floats: numpy multiplies whole numbers 5 times slower
        first, second = self._member(0), self._member(1)
        return (won @ (second - first) + first.sum(axis=0)).astype(np.intp)

    def scores(self, X: ArrayLike) -> Floats:
        """(n, k): for each class the sum of the scores, signed in its favour, of the lines it takes part in."""
        return self.pair_scores(X) @ (self._member(1) - self._member(0))

    def predict(self, X: ArrayLike) -> NDArray[np.intp]:
        """(n,) class indices with the most votes. A tie goes to the highest summed score, see `scores`."""
        return np.where(_leaders(self.votes(X)), self.scores(X), -np.inf).argmax(axis=1)

    def ties(self, X: ArrayLike) -> NDArray[np.bool_]:
        """(n,): whether the votes alone leave x undecided."""
        return _leaders(self.votes(X)).sum(axis=1) > 1

    def claims(self, X: ArrayLike) -> NDArray[np.intp]:
        """(n,): how many classes have the most votes: one, or 2 for several."""
        return 1 + self.ties(X)

    def _member(self, side: int) -> Floats:
        """(m, k): 1 where the class is on this side of the line."""
        return (self.pairs[:, side, None] == np.arange(len(self.classes))).astype(np.float64)

    def __repr__(self) -> str:
        return f"Votes({len(self.pairs)} lines, one for each pair of {', '.join(self.classes)}; the most votes win)"


def one_vs_rest(dataset: Dataset, fit: Callable[[Floats, Floats], Any]) -> Argmax:
    """Train k lines, each class (+1) against all others (-1); the class with the highest score wins.

    fit(X, y): any binary solver, y in {-1, +1}; returns theta (d + 1,) or something with `.theta`.
    dataset: with integer classes, each of them present; ValueError otherwise, and where theta has not
    d + 1 finite entries. TypeError for anything but a Dataset.

    >>> from coursekit import datasets, svm
    >>> D = datasets.multiclass_blobs(60, classes=3)
    >>> rule = one_vs_rest(D, lambda X, y: svm(X, y, lam=0.01))
    >>> rule, int((rule.predict(D.X) == D.y).sum())
    (Argmax(3 scores: 0, 1, 2; the highest wins), 60)
    """
    X, y, k = class_data(dataset)
    thetas = [_theta(fit, X, np.where(y == c, 1.0, -1.0)) for c in range(k)]
    return Argmax(np.array(thetas), dataset.classes)


def one_vs_one(dataset: Dataset, fit: Callable[[Floats, Floats], Any]) -> Votes:
    """Train a line for each of the k (k - 1) / 2 pairs of classes, on their examples alone; they vote.

    Three lines can contradict each other (a beats b, b beats c, c beats a). Such a tie goes to the
    class with the highest summed score. `fit` and `dataset` are as for `one_vs_rest`.

    >>> from coursekit import datasets, svm
    >>> D = datasets.multiclass_blobs(60, classes=3)
    >>> rule = one_vs_one(D, lambda X, y: svm(X, y, lam=0.01))
    >>> rule.votes(D.X[:1]), int(D.y[0])
    (array([[0, 1, 2]]), 2)
    """
    X, y, k = class_data(dataset)
    pairs = list(combinations(range(k), 2))
    thetas = []
    for negative, positive in pairs:
        both = (y == negative) | (y == positive)
        thetas.append(_theta(fit, X[both], np.where(y[both] == positive, 1.0, -1.0)))
    return Votes(np.array(thetas), np.array(pairs), dataset.classes)


def borders(rule: Argmax | Votes) -> Floats:
    """Lines (m, 3) on which a rule in the plane can change its answer: one score is 0, or two are equal.

    >>> borders(Argmax(np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]), ("0", "1")))[-1]
    array([-1.,  1.,  0.])
    """
    scores = rule.scores(np.array([[1.0, 0.0], [0.0, 1.0], [0.0, 0.0]])).T
    scores[:, :2] -= scores[:, 2:]
    return np.vstack([rule.thetas, *(scores[b] - scores[a] for a, b in combinations(range(len(scores)), 2))])


def confusion_table(true: ArrayLike, predicted: ArrayLike, k: int) -> NDArray[np.intp]:
    """(k, k): how many examples of class r (row) were given class c (column). The diagonal is right.

    true, predicted: (n,) class indices 0 to k - 1; ValueError for anything else.

    >>> confusion_table([0, 0, 1, 2], [0, 1, 1, 1], k=3)
    array([[1, 1, 0],
           [0, 1, 0],
           [0, 1, 0]])
    """
    k = validate.count("k", k, 2)
    true, predicted = validate.indices("true", true, k), validate.indices("predicted", predicted, k)
    if len(true) != len(predicted):
        raise ValueError(f"true and predicted must be equally long; got {len(true)} and {len(predicted)} entries")
    return np.bincount(k * true + predicted, minlength=k * k).reshape(k, k)


def class_data(dataset: Dataset) -> tuple[Floats, NDArray[np.intp], int]:
    """X, y and the number of classes, each of which must have examples."""
    if not isinstance(dataset, Dataset):
        raise TypeError(f"dataset must be a coursekit Dataset; got {type(dataset).__name__}")
    if dataset.y.dtype.kind != "i":
        raise ValueError(f"dataset must have integer classes 0 to k - 1; got labels -1 and +1 ({dataset.name})")
    k = len(dataset.classes)
    counts = np.bincount(dataset.y, minlength=k)
    if k < 2 or not counts.all():
        raise ValueError(f"dataset must have 2 or more classes with examples of each; got counts {counts.tolist()}")
    return dataset.X, dataset.y, k


def _theta(fit: Callable[[Floats, Floats], Any], X: Floats, y: Floats) -> Floats:
    result = fit(X, y)
    theta = validate.array("fit's theta", getattr(result, "theta", result), 1)
    if len(theta) != X.shape[1] + 1:
        raise ValueError(f"fit must return theta with {X.shape[1] + 1} entries, offset last; got {len(theta)}")
    return theta


def _scores(thetas: Floats, X: ArrayLike) -> Floats:
    X = validate.features(X)
    if X.shape[1] != thetas.shape[1] - 1:
        raise ValueError(f"X must have {thetas.shape[1] - 1} columns; got {X.shape[1]}")
    return X @ thetas[:, :-1].T + thetas[:, -1]


def _leaders(values: NDArray[Any]) -> NDArray[np.bool_]:
    """(n, k): whether this class has the highest value of the row."""
    columns = np.ascontiguousarray(values.T)  # the largest of few, for many rows: ten times faster this way round
    return (columns == columns.max(axis=0)).T
