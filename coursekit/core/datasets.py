"""Data to learn from: drawn clouds with a separability control, and four real data sets.

Everything is a `Dataset`, so a lesson that runs on toy data runs on real data too.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

import numpy as np

from coursekit.core import validate
from coursekit.core.blobs import blobs, multiclass_blobs, three_points
from coursekit.core.dataset import Dataset
from coursekit.core.frozen import sealed
from coursekit.core.keywords import explain_all
from coursekit.core.validate import Floats, NDArray

__all__ = ["Dataset", "blobs", "load", "mails", "multiclass_blobs", "three_points", "words"]
_FILES = {"mail": "mail.csv.gz", "iris": "iris.csv", "breast-cancer": "breast-cancer.csv", "digits": "digits.csv.gz"}
_LABELED = {"mail": ("nonspam", "spam"), "breast-cancer": ("malignant", "benign")}  # those with two classes
_SIGNS = {
    "charSemicolon": ";", "charRoundbracket": "(", "charSquarebracket": "[", "charExclamation": "!", "charDollar": "$",
    "charHash": "#", "capitalAve": "runs", "capitalLong": "longest run", "capitalTotal": "capitals",
}  # as they are called in words()


def load(name: str, classes: Sequence[Any] | None = None, features: Sequence[Any] | None = None,
         standardize: bool = False) -> Dataset:
    """A real data set: "mail", "iris", "breast-cancer" or "digits". Shipped with the package, no network.

    classes: a pair (negative, positive) of class names keeps these two and labels them -1 / +1.
        Without it, y holds classes 0..k-1. The sets with two classes are labeled already: mail with
        -1 (nonspam) and +1 (spam), breast-cancer with -1 (malignant) and +1 (benign).
    features: names or column numbers to keep; a name may leave out the unit ("petal length").
    standardize: every kept feature is shifted and scaled to mean 0 and standard deviation 1 over the
        kept examples (constant features become 0).

    Raises ValueError for an unknown data set, class or feature, listing the known ones.
    Sources and licenses: coursekit/core/data/README.md.

    >>> load("iris", classes=("setosa", "versicolor"), features=["petal length", "petal width"])
    Dataset(iris: 100 examples, 2 features; setosa 50, versicolor 50)
    """
    validate.one_of("name", name, _FILES)
    X, labels, columns, names = _read(name)
    y = np.searchsorted(names, labels)
    chosen = _LABELED.get(name) if classes is None else classes
    if chosen is not None:
        pair = () if isinstance(chosen, str) else validate.names("classes", chosen)
        if len(pair) != 2 or pair[0] == pair[1]:
            raise ValueError(f"classes must be two different names (negative, positive); got {classes!r}")
        for c in pair:
            validate.one_of("classes", c, names)
        kept = np.isin(labels, pair)
        names, y = pair, np.where(labels[kept] == pair[1], 1.0, -1.0)
        X = X if kept.all() else X[kept]  # shared while it is whole
    if features is not None:
        X, columns = only(features, X, columns)
    data = Dataset(X, y, columns, names, name)
    return data.standardized() if standardize else data


def mails(n: int = 24, seed: int = 267) -> Dataset:
    """`n` real emails, half of them spam (+1), half ham, by two numbers that make a picture.

        x1 = exclamation marks, in percent of all characters
        x2 = log10 of the longest run of capital letters: 1 for a run of 10, 2 for 100

    Drawn without replacement from load("mail"); n is even and at most 3358. A line separates the 24 of the default
    seed. That is luck: it happens about once in 34 draws.

    >>> mails()
    Dataset(mails: 24 examples, 2 features; ham 12, spam 12)
    """
    if validate.count("n", n, 2) % 2 or n > 3358:
        raise ValueError(f"n must be even and at most 3358, half of it spam; got {n}")
    every = load("mail", features=("charExclamation", "capitalLong"))
    rng = validate.generator(seed)
    drawn = np.concatenate([rng.choice(np.flatnonzero(every.y == c), n // 2, replace=False) for c in (-1, 1)])
    X = np.column_stack([every.X[drawn, 0], np.log10(every.X[drawn, 1])])
    names = ("exclamation marks (% of characters)", "longest run of capitals (log10)")
    return Dataset(X, every.y[drawn], names, ("ham", "spam"), "mails")


@cache
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


def only(features: Any, X: NDArray[Any], columns: tuple[str, ...]) -> tuple[NDArray[Any], tuple[str, ...]]:
    """The columns meant by names, with their units or without, or by numbers. ValueError for what means none or two."""
    kept: list[int] = []
    for one in [features] if isinstance(features, str) or not isinstance(features, Iterable) else features:
        named = [j for j, name in enumerate(columns) if one in (j, name, name.split(" (")[0])]
        if len(named) != 1 or isinstance(one, (bool, np.bool_, float, np.floating)):  # True and 1.0 are no columns
            raise ValueError(f"features must be column numbers 0 to {len(columns) - 1} or names ({', '.join(columns)})"
                             f"; got {one!r}{', the name of several' * (len(named) > 1)}")
        kept += named
    if not kept:
        raise ValueError(f"features must name at least one of {', '.join(columns)}; got none")
    return X[:, kept], tuple(columns[j] for j in kept)


@cache
def _read(name: str) -> tuple[Floats, NDArray[Any], tuple[str, ...], tuple[str, ...]]:
    # Imported here: together they would be a quarter of the time that `import coursekit` takes.
    import gzip
    from importlib.resources import files
    raw = files("coursekit").joinpath("core", "data", _FILES[name]).read_bytes()
    text = gzip.decompress(raw) if _FILES[name].endswith(".gz") else raw
    header, *lines = text.decode().splitlines()
    rows = [line.rsplit(",", 1) for line in lines]
    numbers = np.fromstring(",".join(row[0] for row in rows), sep=",")
    X = numbers.reshape(len(rows), -1).copy()  # not a view, which is not shared
    labels = np.array([row[1] for row in rows])
    return sealed(X), labels, tuple(header.split(",")[:-1]), tuple(map(str, np.unique(labels)))


explain_all(globals())
