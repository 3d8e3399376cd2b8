"""Chapter 9: real data, a choice to make on the validation part, and a test part under lock."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any

import ipywidgets as widgets
import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from coursekit.algorithms.descent import gradient_descent
from coursekit.algorithms.least_squares import least_squares
from coursekit.algorithms.multiclass import confusion_table
from coursekit.algorithms.path import Path
from coursekit.algorithms.perceptron import perceptron
from coursekit.algorithms.svm import svm
from coursekit.core import datasets, losses, steps
from coursekit.core.datasets import Dataset
from coursekit.core.objective import Objective
from coursekit.core.validate import Floats
from coursekit.explorers import controls
from coursekit.explorers.picture import Point
from coursekit.explorers.study import Study, misclassified
from coursekit.explorers.view import View
from coursekit.plots import ConfusionTable, DecisionBoundary, DigitRow, ErrorCurves, WeightBars, WeightImage

SHARES = (0.6, 0.2, 0.2)
PAIRS = {"iris": ("versicolor", "virginica"), "breast-cancer": ("malignant", "benign"), "digits": ("3", "8")}
TWO = {
    "iris": ("petal length", "petal width"),
    "breast-cancer": ("mean radius", "mean texture"),
    "digits": ("pixel 3 2", "pixel 5 2"),  # the left side of an 8, where a 3 is open
}
METHODS = ("SVM", "logistic regression", "perceptron", "least squares")
GRADES = controls.powers(-4, 0, 10)
LAMS = tuple(GRADES[::-5])  # from strong to weak: among equals the stronger is preferred
STEPS = 40
PASSES = 15
SHOWN = 8  # digits in the row
CORNERS = np.array([[-3.0, -3.0], [3.5, 3.0]])  # features are standardised: nearly all examples lie here
RIGHT = (0.565, 0.1, 0.42, 0.79)
ABOVE = (0.565, 0.385, 0.42, 0.505)  # the right side where the row of digits needs the room below


@dataclass(frozen=True)
class Found:
    train: Dataset
    validation: Dataset
    pictures: Floats  # the digits of the validation part, (n, 64)
    theta: Floats
    note: str  # how theta came about
    curves: dict[str, Floats]  # errors at every lambda of LAMS, from 0 to 1
    agreements: Floats  # of the validation part
    training_errors: int
    validation_errors: int
    share: float
    give: float  # the standard error of this share
    fewest: int
    best_lam: float
    table: NDArray[np.intp]
    closest: NDArray[np.intp]  # examples with the lowest agreements
    opened: int  # how many choices have been tested
    test_errors: int | None  # of this one, if it is among them
    test_size: int
    separability: float
    lam: float
    dataset: str
    features: str
    method: str


def _to_lam(curves: ErrorCurves, place: Point) -> dict[str, float]:
    """The click on the curves: go to that lambda."""
    at = max(curves.scale.lam(place[0]), GRADES[0])
    return {"lam": min(GRADES, key=lambda lam: abs(np.log(lam / at)))}


class RealDataExplorer(Study[Found]):
    """A study in small: fit on the training part, choose on the validation part, test when done.

    Controls: separability, eta, lam, seed (which examples fall into which part), dataset, features ("all"
    or "two"), method. Features are standardised by the training part. separability other than 0 moves the
    classes of the real data, see `Dataset.moved_apart`. Logistic regression makes 40 steps of gradient
    descent of size eta; the perceptron makes at most 15 passes and shrinks theta by 1 - eta lam (at least
    0) at each mistake; the other two are solved exactly.
    open_test() evaluates the present choice on the test part; `state.opened` counts how often that was
    done, and no reset takes it back.
    """

    separability = controls.real("separability", 0.0, -4.0, 2.0, 0.05, "moves the classes apart (< 0: together)")
    eta = controls.eta(0.3)
    lam = controls.graded("lambda", 0.01, GRADES, "regularisation")
    seed = controls.seed()
    dataset = controls.choice("data", PAIRS, "digits")
    features = controls.choice("features", ("all", "two"))
    method = controls.choice("method", METHODS)

    curves = View(partial(ErrorCurves, powers=(-4, 0), names=("training", "validation", "lowest", "test")),
                  (0.065, 0.5, 0.465, 0.9), compared=True, click=_to_lam, xlabel="lambda")
    confusion = View(partial(ConfusionTable, classes=("-1", "+1")), (0.145, 0.115, 0.465, 0.325))
    boundary = View(DecisionBoundary, (0.565, 0.1, 0.985, 0.89), compared=True)
    image = View(WeightImage, (0.565, 0.385, 0.985, 0.89), anchor="W")
    bars = View(WeightBars, (0.7, 0.05, 0.985, 0.92))
    digits = View(partial(DigitRow, places=SHOWN), (0.5, 0.0, 0.99, 0.22))

    _seen: tuple[Hashable, ...] = ()  # choices whose test error has been looked at

    def known(self, values: Mapping[str, Any]) -> dict[str, Any]:
        return super().known(values) | {"opened": len(self._seen), "tested": _choice(values) in self._seen}

    @staticmethod
    def model(
        separability: float, eta: float, lam: float, seed: int, dataset: str, features: str, method: str, opened: int,
        tested: bool,
    ) -> Found:
        train, validation, test, pictures = _study(dataset, features, separability, seed)
        used = eta if method in ("logistic regression", "perceptron") else 0.0
        thetas, notes = _fits(train, method, used, LAMS)
        if lam in LAMS:
            theta, note = thetas[LAMS.index(lam)], notes[LAMS.index(lam)]
        else:
            (theta,), (note,) = _fits(train, method, used, (lam,))
        curves = {name: _errors(part, thetas) for name, part in (("train", train), ("validation", validation))}
        agreements = validation.y * (validation.X @ theta[:-1] + theta[-1])
        wrong, n = misclassified(agreements), len(validation)
        share = wrong / n
        return Found(
            train=train, validation=validation, pictures=pictures, theta=theta, note=note, curves=curves,
            agreements=agreements, training_errors=_wrong(train, theta), validation_errors=wrong, share=share,
            give=float(np.sqrt(share * (1 - share) / n)), fewest=round(curves["validation"].min() * n),
            best_lam=LAMS[int(curves["validation"].argmin())], table=_table(validation.y, agreements),
            closest=np.argsort(agreements, kind="stable")[:SHOWN], opened=opened,
            test_errors=_wrong(test, theta) if tested else None, test_size=len(test), separability=separability,
            lam=lam, dataset=dataset, features=features, method=method,
        )

    def buttons(self) -> list[widgets.Widget]:
        return [controls.button("Open the test set", "evaluate this choice on the test part", self.open_test)]

    def open_test(self) -> None:
        """Look at the test error of the present choice. Every look is counted."""
        with self.picture.lock:
            if not self.state.tested:
                self._seen += (_choice(self.values),)
            self.set()

    def arrange(self, figure: Figure) -> None:
        curves = self.axes["curves"]
        low, high = self.curves.scale.place([LAMS[-1], LAMS[0]])
        curves.set(xticks=curves.get_xticks()[1:], xlim=(low - 0.03, high + 0.03))
        self.axes["confusion"].set_aspect("auto")
        boundary = self.axes["boundary"]
        if legend := boundary.get_legend():
            legend.set_bbox_to_anchor((-0.08, 0.99), boundary.transAxes)  # classes have long names
        self.image.name_classes(*PAIRS["digits"])
        title = "Lowest agreements z (framed: misclassified)"
        self.axes["digits"].set_title(title, fontsize=10, weight="normal")
        self._title = figure.text(0.5, 0.955, "", weight="bold", fontsize=11)
        for y, title in ((0.955, "Error in % against lambda"), (0.365, "Confusion table, validation part")):
            figure.text(0.01, y, title, weight="bold", fontsize=11)

    def show(self, found: Found) -> str:
        digits = found.dataset == "digits"
        weights = "boundary" if found.features == "two" else "image" if digits else "bars"
        if self.stale(found.dataset, found.features):
            self._rearrange(found, weights)
        test = [] if found.test_errors is None else [found.test_errors / found.test_size]
        now = [found.training_errors / len(found.train), found.share]
        self.curves.show(np.array(LAMS), found.curves["train"], found.curves["validation"], found.lam, now, test)
        self.confusion.show(found.table)
        if weights == "boundary":
            self.boundary.show(found.validation, found.theta)
        else:
            self.plots[weights].show(found.theta[:-1])
        if digits:
            self._show_digits(found)
        return sentence(found)

    def _show_digits(self, found: Found) -> None:
        names, words = dict(zip((-1.0, 1.0), found.validation.classes, strict=True)), []
        y, z = found.validation.y[found.closest], found.agreements[found.closest]
        for true, agreement in zip(y, z, strict=True):
            mistaken = "" if agreement > 0 else f" \N{RIGHTWARDS ARROW} {names[-true]}"
            words.append((f"{names[true]}{mistaken}", _short(agreement)))
        self.digits.show(found.pictures[found.closest], words, (z <= 0).tolist())

    def _rearrange(self, found: Found, weights: str) -> None:
        """Which views the right side holds, and what they are called."""
        digits = found.dataset == "digits"
        for name in ("boundary", "image", "bars", "digits"):
            self.axes[name].set_visible(name == weights or (digits and name == "digits"))
        self.axes["boundary"].set_position(ABOVE if digits else RIGHT)
        self.boundary.frame(self.boundary.limits(CORNERS, 0.0))
        across, up = (f"{name}, standardised" for name in found.train.features[:2])
        self.axes["boundary"].set(xlabel=across, ylabel=up)
        self.bars.frame(found.train.features)
        negative, positive = found.train.classes
        self.axes["confusion"].set(xticklabels=found.train.classes, yticklabels=found.train.classes)
        bars = f"Weights: left {negative}, right {positive}"
        titles = {"boundary": "Validation part", "image": "Weights of the pixels", "bars": bars}
        self._title.set_text(titles[weights])


def _choice(values: Mapping[str, Any]) -> Hashable:
    return tuple(value for name, value in values.items() if name != "before")


def sentence(found: Found) -> str:
    """What the choice gets wrong, how the other lambdas fare, what eta did, and what is known of the test part."""
    said = (f"{found.method}, lambda = {found.lam:g}: {found.training_errors} of {len(found.train)} training and "
            f"{found.validation_errors} of {len(found.validation)} validation examples misclassified "
            f"({100 * found.share:.1f} %{_give(found)}). Fewest on the curve: {found.fewest}, at "
            f"lambda = {found.best_lam:g}. {found.note}")
    if found.separability:
        way, far = "apart" if found.separability > 0 else "together", abs(found.separability)
        said += f" Altered data: classes moved {way} by {far:g} spread{'s' * (far != 1)}."
    return f"{said[0].upper()}{said[1:]} {_lock(found)}"


def _give(found: Found) -> str:
    """How sure the validation error is. No errors among n have a standard error of 0, and yet 3/n is plausible."""
    if found.share:
        return f" give or take {100 * found.give:.1f}"
    return f", up to 3/{len(found.validation)} = {300 / len(found.validation):.1f} % is plausible"


def _lock(found: Found) -> str:
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


def _errors(data: Dataset, thetas: Floats) -> Any:
    """The share of misclassified examples, for one theta or a stack."""
    return Objective(data.X, data.y, losses.zero_one).risk(thetas)


def _wrong(data: Dataset, theta: Floats) -> int:
    return misclassified(data.y * (data.X @ theta[:-1] + theta[-1]))


@lru_cache(maxsize=8)
def _study(dataset: str, features: str, separability: float, seed: int) -> tuple[Dataset, Dataset, Dataset, Floats]:
    """Training, validation and test part, standardised by the first, and the validation part's digits to look at."""
    kept = TWO[dataset] if features == "two" else None
    raw = datasets.load(dataset, classes=PAIRS[dataset], features=kept).split(*SHARES, seed=seed)
    moved = [part.moved_apart(separability, by=raw[0]) for part in raw]
    whole = datasets.load(dataset, classes=PAIRS[dataset])
    pictures = whole.split(*SHARES, seed=seed)[1].X.copy()
    pictures[:, [whole.features.index(name) for name in raw[0].features]] = moved[1].X
    train, validation, test = (part.standardized(by=moved[0]) for part in moved)
    return train, validation, test, pictures


@lru_cache(maxsize=16)
def _fits(train: Dataset, method: str, eta: float, lams: tuple[float, ...]) -> tuple[Floats, list[str]]:
    """For each lambda one theta, and how it came about."""
    X, y = train.X, train.y
    if method == "SVM":
        return svm(X, y, lams).theta, ["Solved exactly: eta has no effect."] * len(lams)
    if method == "least squares":
        thetas = np.array([least_squares(X, y, lam) for lam in lams])
        return thetas, ["Solved by its formula: eta has no effect."] * len(lams)
    if method == "perceptron":
        traces = [perceptron(X, y, PASSES, eta=eta, lam=min(lam, 1 / eta)) for lam in lams]
        notes = [
            f"Of eta only eta lambda = {min(eta * lam, 1.0):.2g} matters; {trace.status}."
            for lam, trace in zip(lams, traces, strict=True)
        ]
        return np.array([trace.theta for trace in traces]), notes
    objectives = [Objective(X, y, losses.logistic, lam=lam) for lam in lams]
    paths = [gradient_descent(objective, steps.constant(eta), STEPS) for objective in objectives]
    notes = [_descended(*pair, eta) for pair in zip(objectives, paths, strict=True)]
    return np.array([path.theta for path in paths]), notes


def _descended(objective: Objective, path: Path, eta: float) -> str:
    if path.status.startswith("diverged"):
        return f"{path.status.capitalize()}."
    if path.values[-1] > path.values[0]:
        return f"eta = {eta:.3g} is too large: the objective rose to {path.values[-1]:.2g}."
    slope = np.linalg.norm(objective.slope(path.theta))
    return f"{STEPS} steps of eta = {eta:.3g} leave a slope {slope:.2g} long."
