"""Data to learn from: n examples with labels or classes, real ones and drawn ones alike."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from coursekit.core import validate
from coursekit.core.frozen import Frozen, sealed
from coursekit.core.validate import ArrayLike, Floats, NDArray


@dataclass(frozen=True, eq=False, repr=False, init=False)
class Dataset(Frozen):
    """n labeled examples with d features.

    X: (n, d) float64, or a DataFrame of numbers. y: (n,), either labels -1.0 / +1.0 or integer classes 0..k-1. Integers
    are classes, unless one of them is -1: then they are labels. Of texts, two become -1 and +1, more become classes, in
    alphabetical order. Both arrays are read-only copies.
    features: the d feature names; without them the DataFrame's, or x1, x2, ... classes: class names, for two classes
    (negative, positive); without them those that y has.

    >>> Dataset([[1.0], [2.0], [4.0]], ["ham", "ham", "spam"])
    Dataset(data: 3 examples, 1 features; ham 2, spam 1)
    """

    X: Floats
    y: NDArray[Any]
    features: tuple[str, ...]
    classes: tuple[str, ...]
    name: str

    def __init__(self, X: ArrayLike, y: ArrayLike, features: Iterable[str] = (), classes: Iterable[str] = (),
                 name: str = "data") -> None:
        columns, X, y = validate.column_names(X), validate.features(X), np.asarray(validate.unmasked("y", y))
        features, classes = validate.names("features", features), validate.names("classes", classes)
        features = features or columns or tuple(f"x{j + 1}" for j in range(X.shape[1]))
        if not classes and y.ndim == 1 and y.dtype.kind in "OUT" and all(isinstance(label, str) for label in y):
            kinds, index = np.unique(y.tolist(), return_inverse=True)
            classes, y = tuple(kinds.tolist()), index if len(kinds) > 2 else 2.0 * index - 1
        elif not classes:
            whole = y.dtype.kind in "iu" and y.ndim == 1 and len(y) and y.min() >= 0
            classes = tuple(map(str, range(int(y.max()) + 1))) if whole else ("-1", "+1")
        if len(features) != X.shape[1]:
            raise ValueError(f"features must name the {X.shape[1]} columns of X; got {len(features)} names")
        if y.dtype.kind in "iu" and y.ndim == 1 and (len(classes) != 2 or -1 not in y):
            validate.same_length(X, y)
            if y.min() < 0 or y.max() >= len(classes):
                raise ValueError(f"y must hold classes 0 to {len(classes) - 1}; got {y.min()} to {y.max()}")
            y = y.astype(np.intp, copy=False)
        else:
            X, y = validate.examples(X, y)
            if len(classes) != 2:
                raise ValueError(f"classes must be (negative, positive); got {classes!r}")
        vars(self).update(X=X, y=y, features=features, classes=classes, name=name)
        super().__post_init__()

    def __len__(self) -> int:
        return len(self.y)

    def __repr__(self) -> str:
        n, d = self.X.shape
        values = range(len(self.classes)) if self.y.dtype.kind == "i" else (-1, 1)
        counts = ", ".join(f"{c} {int(np.sum(self.y == v))}" for c, v in zip(self.classes, values, strict=True))
        return f"Dataset({self.name}: {n} examples, {d} features; {counts})"

    def split(self, *shares: float, seed: int = 0) -> tuple[Dataset, ...]:
        """Parts without overlap, drawn at random; every class is divided in the same proportions.

        shares: one number > 0 for each part; they add up to 1. ValueError otherwise, and where a class is
        too small to give every part an example.

        >>> from coursekit.core.datasets import load
        >>> train, validation, test = load("iris").split(0.6, 0.2, 0.2)
        >>> validation
        Dataset(iris: 30 examples, 4 features; setosa 10, versicolor 10, virginica 10)
        """
        cuts = np.cumsum([validate.number("shares", share, 0, above=True) for share in shares])
        if not shares or abs(cuts[-1] - 1) > 1e-9:
            raise ValueError(f"shares must add up to 1; got {shares!r}")
        order = validate.generator(seed).permutation(len(self))
        part = np.empty(len(self), dtype=np.intp)
        for label in np.unique(self.y):
            members = order[self.y[order] == label]
            ends = np.round(cuts * len(members))
            if np.diff(ends, prepend=0).min() < 1:
                raise ValueError(f"shares must give every part an example of each class; got {shares!r} "
                                 f"for a class of {len(members)}")
            part[members] = np.searchsorted(ends, np.arange(len(members)), side="right")
        parts = [order[part[order] == p] for p in range(len(shares))]
        return tuple(replace(self, X=sealed(self.X[rows]), y=self.y[rows]) for rows in parts)

    def standardized(self, by: Dataset | None = None) -> Dataset:
        """Every feature shifted and scaled: minus its mean in `by`, divided by its spread in `by`.

        by: the training part (this data set itself where None), so that it alone gets mean 0 and
        standard deviation 1. A feature that is constant in `by` is shifted only.

        >>> from coursekit.core.datasets import load
        >>> train, test = load("iris").split(0.8, 0.2)
        >>> test = test.standardized(by=train)
        """
        by = self._like(by)
        return replace(self, X=sealed((self.X - by.X.mean(axis=0)) / spreads(by.X)))

    def moved_apart(self, separability: float, by: Dataset | None = None) -> Dataset:
        """Two classes moved along the difference of their means: an experiment, no longer the measured data.

            x + y/2 separability sigma v        v: from the negative to the positive mean of `by`

        Lengths are taken with every feature in units of its spread in `by`; v has length 1 and sigma is
        the spread of the examples of `by` around their class mean, along v. So the means come to lie
        `separability` sigmas further apart; closer together where it is negative.

        >>> from coursekit.core.datasets import load
        >>> cancer = load("breast-cancer")
        >>> (cancer.moved_apart(0.0).X == cancer.X).all()
        np.True_
        """
        by, separability = self._like(by), validate.number("separability", separability)
        validate.examples(self.X, self.y)
        sigma, spread, v = by._apart
        return replace(self, X=sealed(self.X + self.y[:, None] / 2 * separability * sigma * spread * v))

    @cached_property
    def _apart(self) -> tuple[float, Floats, Floats]:
        """What `moved_apart` calls sigma, the spread of every feature, and v: kept while separability moves."""
        X, y, spread = self.X, self.y, spreads(self.X)
        means = [X[y == label].mean(axis=0) for label in (-1, 1)]
        v = (means[1] - means[0]) / spread
        v /= np.linalg.norm(v) or 1.0
        around = X @ (v / spread) - np.where(y > 0, means[1] @ (v / spread), means[0] @ (v / spread))
        return float(around.std()), spread, v

    def _like(self, by: Dataset | None) -> Dataset:
        if by is None:
            return self
        if not isinstance(by, Dataset) or by.features != self.features:
            raise ValueError(f"by must be a Dataset with the features {', '.join(self.features)}; got {by!r}")
        return by


def signed(y: NDArray[Any], classes: tuple[str, ...] = ()) -> tuple[Floats, tuple[str, ...]]:
    """Labels of any two kinds as -1 and +1, the larger or later one +1, and what the classes are called.

    ValueError where there are more kinds, or fewer, and where labels are missing.

    >>> signed(np.array(["spam", "ham", "spam"]))
    (array([ 1., -1.,  1.]), ('ham', 'spam'))
    """
    if missing := [label for label in y.tolist() if str(label) in ("None", "nan", "NaT", "<NA>")]:
        raise ValueError(f"data must have a label for each example; {len(missing)} have {missing[0]}: leave them out")
    kinds, index = np.unique(y.tolist(), return_inverse=True)
    if len(kinds) != 2:
        raise ValueError(f"data must have two classes; got {len(kinds)} ({', '.join(map(str, kinds[:5]))})")
    names = ("-1", "+1") if (kinds == [-1, 1]).all() else tuple(map(str, kinds.tolist()))
    return np.where(index.reshape(y.shape) == 1, 1.0, -1.0), classes or names


def spreads(X: Floats) -> Floats:
    """The standard deviation of every feature; 1 where all values are equal: theirs may be 1e-17 instead of 0."""
    units = np.exp2(np.frexp(reach := np.ptp(X, axis=0))[1])  # without them the squares of 1e-170 are 0
    return np.where(reach > 0, (X / units).std(axis=0) * units, 1.0)
