"""Data to learn from: two kinds of clouds with a separability control, and three real data sets.

Everything is a `Dataset`, so a lesson that runs on toy data runs on real data too.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coursekit.core import validate
from coursekit.core.frozen import Frozen, sealed
from coursekit.core.validate import Floats

_FILES = {
    "mail": "mail.csv.gz", "iris": "iris.csv", "breast-cancer": "breast-cancer.csv", "digits": "digits.csv.gz",
}
_SIGNS = {
    "charSemicolon": ";", "charRoundbracket": "(", "charSquarebracket": "[", "charExclamation": "!", "charDollar": "$",
    "charHash": "#", "capitalAve": "runs", "capitalLong": "longest run", "capitalTotal": "capitals",
}  # as they are called in words()
_NEGATIVE = {"mail": "nonspam", "breast-cancer": "malignant"}  # of the data sets with two classes


@dataclass(frozen=True, eq=False, repr=False)
class Dataset(Frozen):
    """n labelled examples with d features.

    X: (n, d) float64. y: (n,), either labels -1.0 / +1.0 or integer classes 0..k-1. Integers are
    classes, unless one of them is -1: then they are labels. Both arrays are read-only copies.
    features: the d feature names. classes: class names, for two classes (negative, positive).
    """

    X: Floats
    y: NDArray[Any]
    features: tuple[str, ...]
    classes: tuple[str, ...]
    name: str = "data"

    def __post_init__(self) -> None:
        X, y = validate.features(self.X), np.asarray(self.y)
        features, classes = validate.names("features", self.features), validate.names("classes", self.classes)
        if len(features) != X.shape[1]:
            raise ValueError(f"features must name the {X.shape[1]} columns of X; got {len(features)} names")
        if y.dtype.kind in "iu" and y.ndim == 1 and (len(classes) != 2 or -1 not in y):
            validate.same_length(X, y)
            if y.min() < 0 or y.max() >= len(classes):
                raise ValueError(f"y must hold classes 0 to {len(classes) - 1}; got {y.min()} to {y.max()}")
            y = y.astype(np.intp, copy=False)
        else:
            X, y = validate.examples(X, self.y)
            if len(classes) != 2:
                raise ValueError(f"classes must be (negative, positive); got {classes!r}")
        for name, checked in {"X": X, "y": y, "features": features, "classes": classes}.items():
            object.__setattr__(self, name, checked)
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
        return tuple(replace(self, X=self.X[rows], y=self.y[rows]) for rows in parts)

    def standardized(self, by: Dataset | None = None) -> Dataset:
        """Every feature shifted and scaled: minus its mean in `by`, divided by its spread in `by`.

        by: the training part (this data set itself where None), so that it alone gets mean 0 and
        standard deviation 1. A feature that is constant in `by` is shifted only.

        >>> train, test = load("iris").split(0.8, 0.2)
        >>> test = test.standardized(by=train)
        """
        by = self._like(by)
        return replace(self, X=(self.X - by.X.mean(axis=0)) / spreads(by.X))

    def moved_apart(self, separability: float, by: Dataset | None = None) -> Dataset:
        """Two classes moved along the difference of their means: an experiment, no longer the measured data.

            x + y/2 separability sigma v        v: from the negative to the positive mean of `by`

        Lengths are taken with every feature in units of its spread in `by`; v has length 1 and sigma is
        the spread of the examples of `by` around their class mean, along v. So the means come to lie
        `separability` sigmas further apart; closer together where it is negative.

        >>> cancer = load("breast-cancer")
        >>> (cancer.moved_apart(0.0).X == cancer.X).all()
        np.True_
        """
        by, separability = self._like(by), validate.number("separability", separability)
        validate.examples(self.X, self.y)
        spread = spreads(by.X)
        means = [by.X[by.y == label].mean(axis=0) for label in (-1, 1)]
        v = (means[1] - means[0]) / spread
        v /= np.linalg.norm(v) or 1.0
        around = (by.X - np.where(by.y[:, None] > 0, means[1], means[0])) / spread
        return replace(self, X=self.X + self.y[:, None] / 2 * separability * (around @ v).std() * spread * v)

    def _like(self, by: Dataset | None) -> Dataset:
        if by is None:
            return self
        if not isinstance(by, Dataset) or by.features != self.features:
            raise ValueError(f"by must be a Dataset with the features {', '.join(self.features)}; got {by!r}")
        return by


def spreads(X: Floats) -> Floats:
    """The standard deviation of every feature; 1 where all values are equal: theirs may be 1e-17 instead of 0."""
    units = np.exp2(np.frexp(np.ptp(X, axis=0))[1])  # without them the squares of 1e-170 are 0
    return np.where(np.ptp(X, axis=0) > 0, (X / units).std(axis=0) * units, 1.0)


def three_points() -> Dataset:
    """The three examples whose perceptron run is worked by hand in chapter 2: (0,0)-, (0,1)+, (1,0)+.

    Source: Prasse, Landwehr and Scheffer, Linear Classification Models, perceptron example.

    >>> three_points().y
    array([-1.,  1.,  1.])
    """
    X = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0]])
    return Dataset(X, np.array([-1.0, 1.0, 1.0]), ("x1", "x2"), ("-1", "+1"), "three points")


def blobs(
    n: int = 200, separability: float = 1.0, outliers: int = 0, noise: float = 0.0, seed: int = 0,
    centre: tuple[float, float] = (0.0, 0.0), irrelevant: int = 0,
) -> Dataset:
    """Two clouds in the plane whose gap is exactly `separability`, in units of their spread.

    Both clouds are normal with standard deviation 1. With u the direction from the negative to the
    positive class, the clouds are moved along u until

        min over y=+1 of u.x  -  max over y=-1 of u.x  =  separability

    and the two examples that face each other across the gap lie on one line along u. So for
    separability > 0 the largest margin 1/||w|| is exactly separability / 2, and for separability < 0
    the clouds reach into each other (at most until their centres meet) and no line separates them,
    unless there are fewer than about 20 examples: then a slanted one may still fit between them.
    The same seed gives the same clouds whatever the separability: only their distance changes.

    outliers: this many positive examples are moved far away, on their own side of the gap.
    noise: this fraction of all labels is flipped.
    centre: the middle of the gap.
    irrelevant: this many further features, normal with standard deviation 1, independent of y.

    >>> blobs(n=100, separability=0.5, seed=3)
    Dataset(blobs: 100 examples, 2 features; -1 50, +1 50)
    """
    n = validate.count("n", n, 2)
    gap = validate.number("separability", separability)
    outliers = validate.count("outliers", outliers, 0)
    irrelevant = validate.count("irrelevant", irrelevant, 0)
    noise = validate.number("noise", noise, 0, 1)
    middle = validate.array("centre", centre, 1)
    if len(middle) != 2:
        raise ValueError(f"centre must hold x1 and x2; got {centre!r}")
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
    far = np.flatnonzero(y > 0)
    far = far[far != front_positive][:outliers]
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
    their centres; the circle grows until the smallest gap equals separability (in units of the
    spread). For separability < 0 this pair reaches into each other, at most until all centres meet.

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
    centre = np.column_stack([np.cos(angle), np.sin(angle)])
    radius = 0.0
    for i in range(k):
        for j in range(i):
            line = centre[i] - centre[j]
            length = float(np.linalg.norm(line))
            reach = np.max(cloud[y == j] @ line) - np.min(cloud[y == i] @ line)
            radius = max(radius, (gap + reach / length) / length)
    order = rng.permutation(n)
    X = cloud + radius * centre[y]
    return Dataset(X[order], y[order], ("x1", "x2"), tuple(map(str, range(k))), "multiclass blobs")


def load(
    name: str, classes: Sequence[Any] | None = None, features: Sequence[Any] | None = None, standardize: bool = False
) -> Dataset:
    """A real data set: "mail", "iris", "breast-cancer" or "digits". Shipped with the package, no network.

    classes: a pair (negative, positive) of class names keeps these two and labels them -1 / +1.
        Without it, y holds classes 0..k-1. The sets with two classes are labelled already: mail with
        -1 (nonspam) and +1 (spam), breast-cancer with -1 (malignant) and +1 (benign).
    features: names or column numbers to keep; a name may leave out the unit ("petal length").
    standardize: every kept feature is shifted and scaled to mean 0 and standard deviation 1 over the
        kept examples (constant features become 0).

    Raises ValueError for an unknown data set, class or feature, listing the known ones.
    Sources and licences: coursekit/core/data/README.md.

    >>> load("iris", classes=("setosa", "versicolor"), features=["petal length", "petal width"])
    Dataset(iris: 100 examples, 2 features; setosa 50, versicolor 50)
    """
    validate.one_of("name", name, _FILES)
    X, labels, columns, known = _read(name)
    if classes is None:
        names, y = known, np.searchsorted(known, labels)
        if len(known) == 2:
            negative = _NEGATIVE[name]
            names, y = _pair(negative, known), np.where(labels == negative, -1.0, 1.0)
    else:
        names = () if isinstance(classes, str) else validate.names("classes", classes)
        if len(names) != 2 or names[0] == names[1]:
            raise ValueError(f"classes must be two different names (negative, positive); got {classes!r}")
        for c in names:
            validate.one_of("classes", c, known)
        kept = np.isin(labels, names)
        X, y = X[kept], np.where(labels[kept] == names[1], 1.0, -1.0)
    if features is not None:
        one = isinstance(features, str) or not isinstance(features, Iterable)
        chosen = [_column(f, columns) for f in ([features] if one else features)]
        if not chosen:
            raise ValueError(f"features must name at least one of {', '.join(columns)}; got none")
        X, columns = X[:, chosen], tuple(columns[j] for j in chosen)
    data = Dataset(X, y, columns, names, name)
    return data.standardized() if standardize else data


def mails(n: int = 24, seed: int = 267) -> Dataset:
    """`n` real mails, half of them spam (+1), by two numbers that make a picture.

        x1 = exclamation marks, in percent of all characters
        x2 = log10 of the longest run of capital letters: 1 for a run of 10, 2 for 100

    Drawn without replacement from load("mail"); n is even and at most 3358. A line separates the 24 of the default
    seed. That is luck: it happens about once in 34 draws.

    >>> mails()
    Dataset(mails: 24 examples, 2 features; nonspam 12, spam 12)
    """
    if validate.count("n", n, 2) % 2 or n > 3358:
        raise ValueError(f"n must be even and at most 3358, half of it spam; got {n}")
    every = load("mail", features=("charExclamation", "capitalLong"))
    rng = validate.generator(seed)
    drawn = np.concatenate([rng.choice(np.flatnonzero(every.y == c), n // 2, replace=False) for c in (-1, 1)])
    X = np.column_stack([every.X[drawn, 0], np.log10(every.X[drawn, 1])])
    names = ("exclamation marks in percent", "longest run of capitals, log10")
    return Dataset(X, every.y[drawn], names, every.classes, "mails")


def words() -> Dataset:
    """All 4210 mails by what occurs in them: 48 words and 6 signs, 1 or 0, and three numbers about capital letters.

        x_j = 1 if word or sign j occurs in the mail, 0 if not
        runs, longest run, capitals = log10 of the mean and the longest run of capitals, and of how many there are

    The same columns as load("mail"), which has the share of each word; names are those of the words and signs.

    >>> words().features[54:]
    ('runs', 'longest run', 'capitals')
    """
    every = load("mail")
    X = np.column_stack([every.X[:, :54] > 0, np.log10(every.X[:, 54:])])
    names = tuple(_SIGNS.get(name, name.removeprefix("num")) for name in every.features)
    return Dataset(X, every.y, names, every.classes, "words")


def _pair(negative: str, known: tuple[str, ...]) -> tuple[str, str]:
    return negative, next(c for c in known if c != negative)


def _column(feature: Any, columns: tuple[str, ...]) -> int:
    number = isinstance(feature, (int, np.integer)) and not isinstance(feature, bool)  # True is no column
    if number and 0 <= feature < len(columns):
        return int(feature)
    for j, column in enumerate(columns):
        if isinstance(feature, str) and feature in (column, column.split(" (")[0]):
            return j
    raise ValueError(f"features must be column numbers 0 to {len(columns) - 1} or names "
                     f"({', '.join(columns)}); got {feature!r}")


@cache
def _read(name: str) -> tuple[Floats, NDArray[Any], tuple[str, ...], tuple[str, ...]]:
    # Imported here: together they would be a quarter of the time that `import coursekit` takes.
    import gzip
    from importlib.resources import files

    raw = files("coursekit").joinpath("core", "data", _FILES[name]).read_bytes()
    text = gzip.decompress(raw) if _FILES[name].endswith(".gz") else raw
    header, *lines = text.decode().splitlines()
    rows = [line.rsplit(",", 1) for line in lines]
    X = np.fromstring(",".join(row[0] for row in rows), sep=",")
    X = X.reshape(len(rows), -1).copy()  # not a view, which is not shared
    labels = np.array([row[1] for row in rows])
    return sealed(X), labels, tuple(header.split(",")[:-1]), tuple(map(str, np.unique(labels)))
