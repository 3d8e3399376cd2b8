"""More than two classes from many binary lines: one-vs-rest, one-vs-one; what they answer, and how well.

Sources: Morrison and Pardo (EECS 349, 2019), Gradient Descent; Prasse, Landwehr and Scheffer, Linear
Classification Models; U. Kressel, Pairwise classification and support vector machines (1999).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations
from typing import Any, overload

import numpy as np

from coursekit.algorithms.rule import scores
from coursekit.core import validate
from coursekit.core.datasets import Dataset
from coursekit.core.frozen import Frozen
from coursekit.core.validate import ArrayLike, Floats, NDArray

Fit = Callable[[Floats, Floats], Any]  # a solver for two classes
Pair = tuple[ArrayLike, ArrayLike]


@dataclass(frozen=True, eq=False, repr=False)
class Argmax(Frozen):
    """One linear score for each of k classes; the highest wins. thetas: (k, d + 1), offset last. classes: k names."""

    thetas: Floats
    classes: tuple[str, ...]

    def scores(self, X: ArrayLike) -> Floats:
        """(n, k): the scores of every class, f_c(x) = theta_c . (x, 1)."""
        return scores(self.thetas, X)

    def predict(self, X: ArrayLike) -> NDArray[np.intp]:
        """(n,) class indices; among exactly equal scores the lowest index."""
        return scores(self.thetas, X, enlarged=True).argmax(axis=1)

    def ties(self, X: ArrayLike) -> NDArray[np.bool_]:
        """(n,): whether several classes share the highest score."""
        return _leaders(scores(self.thetas, X, enlarged=True)).sum(axis=1) > 1

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

    def votes(self, X: ArrayLike) -> NDArray[np.intp]:
        """(n, k): the votes for each class; a score of exactly 0 is a vote for the first of the pair."""
        won = np.where(scores(self.thetas, X, enlarged=True) > 0, 1.0, 0.0)  # whole numbers are 5 times slower
        first, second = self._member(0), self._member(1)
        return (won @ (second - first) + first.sum(axis=0)).astype(np.intp)

    def scores(self, X: ArrayLike, enlarged: bool = False) -> Floats:
        """(n, k): for each class the sum of the scores, signed in its favor, of the lines it takes part in."""
        return scores(self.thetas, X, enlarged) @ (self._member(1) - self._member(0))

    def predict(self, X: ArrayLike) -> NDArray[np.intp]:
        """(n,) class indices with the most votes. A tie goes to the highest summed score, see `scores`."""
        return np.where(_leaders(self.votes(X)), self.scores(X, enlarged=True), -np.inf).argmax(axis=1)

    def ties(self, X: ArrayLike) -> NDArray[np.bool_]:
        """(n,): whether the votes alone leave x undecided."""
        return _leaders(self.votes(X)).sum(axis=1) > 1

    def _member(self, side: int) -> Floats:
        """(m, k): 1 where the class is on this side of the line."""
        return (self.pairs[:, side, None] == np.arange(len(self.classes))).astype(np.float64)

    def __repr__(self) -> str:
        return f"Votes({len(self.pairs)} lines, one for each pair of {', '.join(self.classes)}; the most votes win)"


@overload
def one_vs_rest(X: ArrayLike, y: ArrayLike, fit: Fit) -> Argmax: ...
@overload
def one_vs_rest(X: Dataset | Pair, fit: Fit) -> Argmax: ...
def one_vs_rest(X: Any, y: Any = None, fit: Any = None) -> Argmax:  # type: ignore[misc]
    """Train k lines, each class (+1) against all others (-1); the class with the highest score wins.

    X: (n, d). y: (n,), integer classes from 0 or names, three or more, each of them present. A Dataset can stand for
    both: one_vs_rest(dataset, fit). fit(X, y): any solver for two classes, y in {-1, +1}; returns theta (d + 1,) or
    something with `.theta`. ValueError for other labels and where theta has not d + 1 finite entries; TypeError for
    what is no data and no function.

    >>> from coursekit import datasets, svm
    >>> D = datasets.multiclass_blobs(60, classes=3)
    >>> rule = one_vs_rest(D.X, D.y, svm)
    >>> rule, int((rule.predict(D.X) == D.y).sum())
    (Argmax(3 scores: 0, 1, 2; the highest wins), 60)
    """
    data, fit = _given(X, y, fit)
    thetas = [_fitted(fit, data.X, np.where(data.y == c, 1.0, -1.0)) for c in range(len(data.classes))]
    return Argmax(np.array(thetas), data.classes)


@overload
def one_vs_one(X: ArrayLike, y: ArrayLike, fit: Fit) -> Votes: ...
@overload
def one_vs_one(X: Dataset | Pair, fit: Fit) -> Votes: ...
def one_vs_one(X: Any, y: Any = None, fit: Any = None) -> Votes:  # type: ignore[misc]
    """Train a line for each of the k (k - 1) / 2 pairs of classes, on their examples alone; they vote.

    Three lines can contradict each other (a beats b, b beats c, c beats a). Such a tie goes to the
    class with the highest summed score. All arguments are as for `one_vs_rest`.

    >>> from coursekit import datasets, svm
    >>> D = datasets.multiclass_blobs(60, classes=3)
    >>> rule = one_vs_one(D, svm)
    >>> rule.votes(D.X[:1]), int(D.y[0])
    (array([[0, 1, 2]]), 2)
    """
    data, fit = _given(X, y, fit)
    y, pairs = data.y, list(combinations(range(len(data.classes)), 2))
    members = [(y == negative) | (y == positive) for negative, positive in pairs]
    thetas = [_fitted(fit, data.X[both], np.where(y[both] == positive, 1.0, -1.0))
              for both, (_, positive) in zip(members, pairs, strict=True)]
    return Votes(np.array(thetas), np.array(pairs), data.classes)


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


def class_data(dataset: Dataset | Pair) -> Dataset:
    """A data set with classes, each of which must have examples."""
    if isinstance(dataset, tuple) and len(dataset) == 2:
        dataset = Dataset(*dataset)
    if not isinstance(dataset, Dataset):
        raise TypeError(f"dataset must be a coursekit Dataset or a pair (X, y); got {type(dataset).__name__}")
    if dataset.y.dtype.kind != "i":
        raise ValueError("dataset must have integer classes 0 to k - 1, such as np.unique(y, return_inverse=True)[1]; "
                         f"got labels -1 and +1 ({dataset.name})")
    counts = np.bincount(dataset.y, minlength=len(dataset.classes))
    if len(counts) < 2 or not counts.all():
        raise ValueError(f"dataset must have 2 or more classes with examples of each; got counts {counts.tolist()}")
    return dataset


def _given(X: Any, y: Any, fit: Any) -> tuple[Dataset, Fit]:
    data, fit = ((X, y), fit) if fit is not None and y is not None else (X, y if fit is None else fit)
    if not callable(fit):
        raise TypeError(f"fit must be a function of X and y, such as ck.least_squares; got {validate.shown(fit)}")
    return class_data(data), fit


def _fitted(fit: Fit, X: Floats, y: Floats) -> Floats:
    result: Any = fit(X, y)
    theta = validate.array("fit's theta", getattr(result, "theta", result), 1)
    if len(theta) != X.shape[1] + 1:
        raise ValueError(f"fit must return theta with {X.shape[1] + 1} entries, offset last; got {len(theta)}")
    return theta


def _leaders(values: NDArray[Any]) -> NDArray[np.bool_]:
    """(n, k): whether this class has the highest value of the row."""
    columns = np.ascontiguousarray(values.T)  # the largest of few, for many rows: ten times faster this way round
    return (columns == columns.max(axis=0)).T
