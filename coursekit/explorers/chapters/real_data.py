"""Chapter 10: real data, a choice to make on the validation part, and a test part under lock.

Longer than others: four data sets, each with a view of its weights that suits it, and the lock.
"""

from collections.abc import Hashable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from coursekit import plots
from coursekit.algorithms.multiclass import confusion_table
from coursekit.core import datasets, risks
from coursekit.explorers.chapters.methods import METHODS, fits
from coursekit.explorers.framework import Dataset, Explorer, Floats, Point, View, Widget, cached, controls
from coursekit.explorers.own import YOURS

PAIRS = {
    "mails": ("nonspam", "spam"), "iris": ("versicolor", "virginica"), "breast-cancer": ("malignant", "benign"),
    "digits": ("3", "8"),
}
TWO = {
    "mails": ("!", "capitals"),
    "iris": ("petal length", "petal width"),
    "breast-cancer": ("mean radius", "mean texture"),
    "digits": ("pixel 3 2", "pixel 5 2"),  # the left side of an 8, where a 3 is open
}
GRADES = controls.powers(-4, 0, 10)
LAMS = tuple(GRADES[::-5])  # from strong to weak: among equals the stronger is preferred
ROWS = 20  # of weights, where there are more than 30: those that are largest at the first lambda
CORNERS = np.array([[-3.0, -3.0], [3.5, 3.0]])  # features are standardised: nearly all examples lie here
RIGHT = (0.5, 0, 1, 1)


class Choice:
    """A fit to the training part, its errors there and on the validation part, and those at every lambda of LAMS."""

    def __init__(
        self, separability: float, eta: float, lam: float, seed: int, dataset: str, features: str, method: str,
        opened: int, tested: bool, own: Dataset | None,
    ) -> None:
        *parts, self.pictures = _study(dataset, features, separability, seed, own)  # the digits of the validation part
        self.train, self.validation, test = parts
        used = eta if method in ("logistic regression", "perceptron") else 0.0
        thetas, notes = _fits(self.train, method, used, LAMS)
        chosen = (thetas, notes, LAMS.index(lam)) if lam in LAMS else (*_fits(self.train, method, used, (lam,)), 0)
        self.theta, self.note = chosen[0][chosen[2]], chosen[1][chosen[2]]  # and how theta came about
        self.rows = _rows(thetas)  # features whose weights are shown
        of_parts = {"train": self.train, "validation": self.validation}
        self.curves = {name: risks.error_rate(part, thetas) for name, part in of_parts.items()}
        on_train, self.agreements, on_test = (p.y * (p.X @ self.theta[:-1] + self.theta[-1]) for p in parts)
        self.training_errors, self.validation_errors = map(risks.misclassified, (on_train, self.agreements))
        n = len(self.validation)
        self.share = self.validation_errors / n
        self.give = float(np.sqrt(self.share * (1 - self.share) / n))  # the standard error of this share
        self.fewest = round(self.curves["validation"].min() * n)
        self.best_lam = LAMS[int(self.curves["validation"].argmin())]
        self.table = _table(self.validation.y, self.agreements)
        self.closest = np.argsort(self.agreements, kind="stable")[:plots.DigitRow.places]  # the lowest agreements
        self.opened, self.test_size = opened, len(test)  # opened: how many choices have been tested
        self.test_errors = risks.misclassified(on_test) if tested else None  # of this one, if it is among them


def _to_lam(curves: plots.ErrorCurves, place: Point) -> dict[str, float]:
    """The click on the curves: go to that lambda."""
    at = max(curves.scale.lam(place[0]), GRADES[0])
    return {"lam": min(GRADES, key=lambda lam: abs(np.log(lam / at)))}


class RealDataExplorer(Explorer[Choice]):
    """A study in small: fit on the training part, choose on the validation part, test when done.

    seed: which examples fall into which part. separability other than 0 moves the classes of the real data, see
    `Dataset.moved_apart`. Features are standardised by the training part. See `methods.fits` for the methods.
    open_test() evaluates the present choice on the test part; `state.opened` counts how often that was done, and no
    reset takes it back.
    """

    separability = controls.real("separability", 0.0, -4.0, 2.0, 0.05, "moves the classes apart (< 0: together)")
    eta = controls.eta(0.3)
    lam = controls.graded("lambda", 0.01, GRADES, "regularisation")
    seed = controls.seed()
    dataset = controls.choice("data", PAIRS, "digits")
    features = controls.choice("features", ("all", "two"))
    method = controls.choice("method", METHODS)

    size, below = (9.0, 4.8), 2.5
    takes_data = "any"
    curves = View(lambda ax: plots.ErrorCurves(ax, (-4, 0), "test"), (0, 0, 0.5, 1), (0.5, 0.5, 0.2, 0.4),
                  "The error in %", 0.1, compared=True, click=_to_lam, xlabel="λ")
    boundary = View(lambda ax: plots.DecisionBoundary(ax, tags=True, corners=CORNERS), RIGHT, (0.55, 0.5, 0.1, 0.4),
                    "Validation part", 0.1, compared=True)
    image = View(plots.WeightImage, RIGHT, (0.3, 0.3, 0.9, 0.4), "The weight of every pixel", 0.3, anchor="NW")
    bars = View(plots.WeightBars, RIGHT, (1.75, 0.3, 0.15, 0.65), "The weight of every feature", 0.1, narrow=6.0)
    confusion = View(lambda ax: plots.ConfusionTable(ax, ("-1", "+1")), (0, 0, 0.32, 1), (1.0, 0.5, 0.05, 0.4),
                     "Confusion table, validation", 0.1, also="mistakes")
    digits = View(plots.DigitRow, (0.32, 0, 1, 1), (0.2, 0.6, 0.2, 0.4),
                  "Lowest agreements (framed: wrong)", 0.2, also="mistakes", narrow=1.6)

    _seen: tuple[Hashable, ...] = ()  # choices whose test error has been looked at

    def wanted(self, values: Mapping[str, Any]) -> tuple[str, ...]:
        digits = values["dataset"] == "digits"
        weights = "boundary" if values["features"] == "two" else "image" if digits else "bars"
        absent = {"boundary", "image", "bars", *(() if digits else ("digits",))} - {weights}
        return tuple(name for name in super().wanted(values) if name not in absent)

    def known(self, values: Mapping[str, Any]) -> dict[str, Any]:
        return super().known(values) | {"opened": len(self._seen), "tested": _choice(values) in self._seen}

    model = Choice

    def buttons(self) -> list[Widget]:
        return [controls.button("Open the test set", "evaluate this choice on the test part", self.open_test)]

    def open_test(self) -> None:
        """Look at the test error of the present choice. Every look is counted."""
        with self.picture.lock:
            if not self.state.tested:
                self._seen += (_choice(self.values),)
            self.set()

    def arrange(self) -> None:
        curves, powers = self.axes["curves"], (LAMS[-1], 0.01, LAMS[0])
        low, middle, high = self.curves.scale.place(powers)
        curves.set(xlim=(low - 0.03, high + 0.03))
        curves.set_xticks([low, middle, high], [f"{power:g}" for power in powers])
        curves.set_yticks([0, 0.25, 0.5, 0.75, 1], ["0", "", "", "", ""])  # the other numbers follow the data
        self.image.name_classes(*PAIRS["digits"])

    def show(
        self, found: Choice, separability: float, lam: float, dataset: str, features: str, method: str
    ) -> str:
        if self.stale(dataset, features, tuple(found.rows)):
            self._name(found.train, found.rows)
        test = [] if found.test_errors is None else [found.test_errors / found.test_size]
        now = [found.training_errors / len(found.train), found.share]
        self.curves.show(np.array(LAMS), found.curves["train"], found.curves["validation"], lam, now, test)
        self.confusion.show(found.table)
        if features == "two":
            self.boundary.show(found.validation, found.theta)
        else:
            weights = found.theta[:-1]
            (self.image.show(weights) if dataset == "digits" else self.bars.show(weights[found.rows]))
        if dataset == "digits":
            self._show_digits(found)
        said = f"{method}, lambda = {lam:g}: {errors(found)}{altered(separability)}"
        return f"{said[0].upper()}{said[1:]} {lock(found)}"

    def _name(self, train: Dataset, rows: Any) -> None:
        """Write the names of the classes and of the features."""
        across, up = (f"{name}, standardised" for name in train.features[:2])
        self.axes["boundary"].set(xlabel=across, ylabel=up)
        self.bars.frame([train.features[j] for j in rows], train.classes)
        self.axes["confusion"].set(xticklabels=train.classes, yticklabels=train.classes)

    def _show_digits(self, found: Choice) -> None:
        names, words = dict(zip((-1.0, 1.0), found.validation.classes, strict=True)), []
        y, z = found.validation.y[found.closest], found.agreements[found.closest]
        for true, agreement in zip(y, z, strict=True):
            mistaken = "" if agreement > 0 else f" \N{RIGHTWARDS ARROW} {names[-true]}"
            words.append((f"{names[true]}{mistaken}", _short(agreement)))
        self.digits.show(found.pictures[found.closest], words, (z <= 0).tolist())


def _rows(thetas: Floats) -> Any:
    """All features, or the most weighty ones by the third lambda of the curve, from the most positive one down."""
    d = thetas.shape[1] - 1
    if d <= 30:
        return np.arange(d)
    most = np.argsort(-np.abs(thetas[2, :-1]), kind="stable")[:ROWS]
    return most[np.argsort(-thetas[2, most], kind="stable")]


def _choice(values: Mapping[str, Any]) -> Hashable:
    return tuple(value for name, value in values.items() if name not in ("before", "also"))


def errors(found: Choice) -> str:
    """What the choice gets wrong, how sure that is, how the other lambdas fare, and what eta did."""
    n, give = len(found.validation), f" give or take {100 * found.give:.1f}"
    if not found.share:  # has a standard error of 0, and yet 3/n is plausible
        give = f", up to 3/{n} = {300 / n:.1f} % is plausible"
    return (f"{found.training_errors} of {len(found.train)} training and {found.validation_errors} of {n} validation "
            f"examples misclassified ({100 * found.share:.1f} %{give}). Fewest on the curve: {found.fewest}, at "
            f"lambda = {found.best_lam:g}. {found.note}")


def altered(separability: float) -> str:
    if not separability:
        return ""
    way, far = "apart" if separability > 0 else "together", abs(separability)
    return f" Altered data: classes moved {way} by {far:g} spread{'s' * (far != 1)}."


def lock(found: Choice) -> str:
    """What is known of the test part."""
    times = "once" if found.opened == 1 else f"{found.opened} times"
    if found.test_errors is None:
        return f"Test part locked; opened {times} so far." if found.opened else "Test part locked, never opened."
    said = f"TEST (open circle): {found.test_errors} of {found.test_size} misclassified. Opened {times}"
    return f"{said}." if found.opened == 1 else f"{said}: choosing the best look would flatter it."


def _short(value: float) -> str:
    return f"{value:.2f}" if abs(value) < 9.995 else f"{value:.0f}" if abs(value) < 1e5 else f"{value:.0e}"


def _table(y: Floats, agreements: Floats) -> Any:
    """Rows true, columns predicted; a score of exactly 0 counts as the wrong class."""
    right = agreements > 0
    return confusion_table((y > 0).astype(int), ((y > 0) == right).astype(int), k=2)


_fits = cached(fits)


@cached
def _study(
    dataset: str, features: str, separability: float, seed: int, own: Dataset | None
) -> tuple[Dataset, Dataset, Dataset, Floats]:
    """Training, validation and test part, standardised by the first, and the validation part's digits to look at."""
    whole = own if own and dataset == YOURS else _whole(dataset)
    kept = list(range(whole.X.shape[1]))
    if features == "two":
        known = [name.split(" (")[0] for name in whole.features]  # without their units
        kept = [known.index(name) for name in TWO.get(dataset, known[:2])]
    drawn, names = whole.split(0.6, 0.2, 0.2, seed=seed), tuple(whole.features[j] for j in kept)
    raw = [replace(part, X=part.X[:, kept], features=names) for part in drawn]
    moved = [part.moved_apart(separability, by=raw[0]) for part in raw]
    pictures = drawn[1].X.copy()
    pictures[:, kept] = moved[1].X
    train, validation, test = (part.standardized(by=moved[0]) for part in moved)
    return train, validation, test, pictures


@cached
def _whole(dataset: str) -> Dataset:
    """Two classes of a data set; of the mails a fifth, as many as one user may have marked."""
    if dataset == "mails":
        return datasets.words().split(0.2, 0.8)[0]
    return datasets.load(dataset, classes=PAIRS[dataset])
