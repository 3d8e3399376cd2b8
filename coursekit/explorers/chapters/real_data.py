"""Chapter 9: real data, a choice to make on the validation part, and a test part under lock."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import ipywidgets as widgets
import numpy as np
from matplotlib.artist import Artist
from matplotlib.figure import Figure

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
from coursekit.explorers import controls as parts
from coursekit.explorers.explorer import Explorer
from coursekit.explorers.picture import Stroke
from coursekit.explorers.state import State
from coursekit.plots import (
    ConfusionTable,
    DecisionBoundary,
    DigitRow,
    ErrorCurves,
    Ghost,
    WeightBars,
    WeightImage,
    figure,
)

SHARES = (0.6, 0.2, 0.2)
PAIRS = {"iris": ("versicolor", "virginica"), "breast-cancer": ("malignant", "benign"), "digits": ("3", "8")}
TWO = {
    "iris": ("petal length", "petal width"),
    "breast-cancer": ("mean radius", "mean texture"),
    "digits": ("pixel 3 2", "pixel 5 2"),  # the left side of an 8, where a 3 is open
}
METHODS = ("SVM", "logistic regression", "perceptron", "least squares")
GRADES = [float(f"{10 ** (k / 10):.3g}") for k in range(-40, 1)]
LAMS = tuple(GRADES[::-5])  # from strong to weak: among equals the stronger is preferred
STEPS = 40
PASSES = 15
SHOWN = 8  # digits in the row
LEFT, RIGHT = (0.065, 0.5, 0.4, 0.4), (0.565, 0.1, 0.42, 0.79)
ABOVE = (0.565, 0.385, 0.42, 0.505)  # the right side where the row of digits needs the room below


class RealDataExplorer(Explorer):
    """A study in small: fit on the training part, choose on the validation part, test when done.

    Controls: separability, eta, lam, seed (which examples fall into which part), dataset, features ("all"
    or "two"), method. Features are standardised by the training part. separability other than 0 moves the
    classes of the real data, see `Dataset.moved_apart`. Logistic regression makes 40 steps of gradient
    descent of size eta; the perceptron makes at most 15 passes and shrinks theta by 1 - eta lam (at least
    0) at each mistake; the other two are solved exactly.
    open_test() evaluates the present choice on the test part; `state.opened` counts how often that was
    done, and no reset takes it back.
    """

    def controls(self) -> dict[str, widgets.Widget]:
        self._seen: list[dict[str, Any]] = []  # choices whose test error has been looked at
        return {
            "separability": parts.real("separability", 0.0, -4.0, 2.0, 0.05, "moves the classes apart (< 0: together)"),
            "eta": parts.eta(0.3),
            "lam": parts.graded("lambda", 0.01, GRADES, "regularisation"),
            "seed": parts.seed(),
            "dataset": parts.choice("data", list(PAIRS), "digits"),
            "features": parts.choice("features", ["all", "two"]),
            "method": parts.choice("method", list(METHODS)),
        }

    def buttons(self) -> list[widgets.Widget]:
        return [parts.button("Open the test set", "evaluate this choice on the test part", self.open_test)]

    def open_test(self) -> None:
        """Look at the test error of the present choice. Every look is counted."""
        if self._choice(self.state) not in self._seen:
            self._seen.append(self._choice(self.state))
        self._update()

    def touch(self, stroke: Stroke) -> None:
        """A click or drag on the curves goes to that lambda."""
        if stroke.axes is self.curves.ax:
            at = self.curves.scale.lam(stroke.at[0])
            self.lam = min(GRADES, key=lambda lam: abs(np.log(lam / max(at, GRADES[0]))))

    _frame: tuple[str, str] | None = None

    def draw_once(self) -> tuple[Figure, list[Artist]]:
        fig = figure(9.0, 5.2)
        names = ("training", "validation", "lowest", "test")
        self.curves = ErrorCurves(fig.add_axes(LEFT, xlabel="lambda"), (-4, 0), names)
        ends = self.curves.scale.place([LAMS[-1], LAMS[0]])
        self.curves.ax.set(xticks=self.curves.ax.get_xticks()[1:], xlim=(ends[0] - 0.03, ends[1] + 0.03))
        self.table = fig.add_axes((0.145, 0.115, 0.32, 0.21))
        self.confusion = ConfusionTable(self.table, ("-1", "+1"))
        self.table.set_aspect("auto")
        self.plane = DecisionBoundary(fig.add_axes(RIGHT))
        self.plane.legend.set_bbox_to_anchor((-0.08, 0.99), self.plane.ax.transAxes)  # classes have long names
        self.image = WeightImage(fig.add_axes(ABOVE))
        self.bars = WeightBars(fig.add_axes((0.7, 0.05, 0.285, 0.87)))
        self.image.ax.set_anchor("W")
        self.image.name_classes(*PAIRS["digits"])
        self.digits = DigitRow(fig.add_axes((0.5, 0.0, 0.49, 0.22)), SHOWN)
        self.digits.ax.set_title("Lowest agreements z (framed: misclassified)", fontsize=10, weight="normal")
        self.title = fig.text(0.5, 0.955, "", weight="bold", fontsize=11)
        for y, title in ((0.955, "Error in % against lambda"), (0.365, "Confusion table, validation part")):
            fig.text(0.01, y, title, weight="bold", fontsize=11)
        views = (self.curves, self.confusion, self.plane, self.image, self.bars, self.digits)
        return fig, [artist for view in views for artist in view.artists]

    @staticmethod
    def compute(
        separability: float, eta: float, lam: float, seed: int, dataset: str, features: str, method: str
    ) -> dict[str, Any]:
        train, validation, _, pictures = _study(dataset, features, separability, seed)
        used = eta if method in ("logistic regression", "perceptron") else None
        curve, notes = _fits(train, method, used, LAMS)
        if lam in LAMS:
            theta, note = curve[LAMS.index(lam)], notes[LAMS.index(lam)]
        else:
            (theta,), (note,) = _fits(train, method, used, (lam,))
        shares = {name: _errors(part, curve) for name, part in (("train", train), ("validation", validation))}
        agreements = validation.y * (validation.X @ theta[:-1] + theta[-1])
        wrong = int(np.sum(agreements <= 0))
        fewest = shares["validation"].min()
        share = wrong / len(validation)
        return {
            "train": train,
            "validation": validation,
            "pictures": pictures,
            "theta": theta,
            "note": note,
            "curves": shares,
            "agreements": agreements,
            "training_errors": round(_errors(train, theta) * len(train)),
            "validation_errors": wrong,
            "share": share,
            "give": float(np.sqrt(share * (1 - share) / len(validation))),
            "fewest": round(fewest * len(validation)),
            "best_lam": LAMS[int(shares["validation"].argmin())],
            "table": _table(validation.y, agreements),
            "closest": np.argsort(agreements, kind="stable")[:SHOWN],
        }

    def _choice(self, state: State) -> dict[str, Any]:
        return {name: state[name] for name in self._defaults if name != "before"}

    def _look_up(self, state: State) -> None:
        """What is known of the test part."""
        state["opened"], state["test_errors"] = len(self._seen), None
        if self._choice(state) in self._seen:
            test = _study(state.dataset, state.features, state.separability, state.seed)[2]
            state["test_errors"], state["test_size"] = round(_errors(test, state.theta) * len(test)), len(test)

    def show(self, state: State) -> str:
        self._look_up(state)
        if self._frame != (state.dataset, state.features):
            self._frame = state.dataset, state.features
            self._arrange(state)
        opened = state.test_errors is not None
        test = [state.test_errors / state.test_size] if opened else []
        now = [state.training_errors / len(state.train), state.share]
        self.curves.show(LAMS, *state.curves.values(), state.lam, now, test)
        self.confusion.show(state.table)
        if "plane" in self._visible:
            self.plane.show(state.validation, state.theta)
        if "image" in self._visible:
            self.image.show(state.theta[:-1])
        if "bars" in self._visible:
            self.bars.show(state.theta[:-1])
        if "digits" in self._visible:
            self._show_digits(state)
        return sentence(state)

    def ghosts(self) -> list[Ghost]:
        return [*self.curves.ghosts(), *(self.plane.ghosts() if "plane" in self._visible else [])]

    def _show_digits(self, state: State) -> None:
        names, words = dict(zip((-1.0, 1.0), state.validation.classes, strict=True)), []
        for y, z in zip(state.validation.y[state.closest], state.agreements[state.closest], strict=True):
            words.append((names[y] if z > 0 else f"{names[y]} \N{RIGHTWARDS ARROW} {names[-y]}", _short(z)))
        self.digits.show(state.pictures[state.closest], words, state.agreements[state.closest] <= 0)

    def _arrange(self, state: State) -> None:
        """Which views the right side holds, and what they are called. Part of the background."""
        digits = state.dataset == "digits"
        view = "plane" if state.features == "two" else "image" if digits else "bars"
        self._visible = {view, "digits"} if digits else {view}
        for name in ("plane", "image", "bars", "digits"):
            plot = getattr(self, name)
            for artist in (plot.ax, *plot.artists):
                artist.set_visible(name in self._visible)
        self.plane.ax.set_position(ABOVE if digits else RIGHT)
        self.plane.frame(self.plane.limits(CORNERS, 0.0))
        across, up = (f"{name}, standardised" for name in state.train.features[:2])
        self.plane.ax.set(xlabel=across, ylabel=up)
        self.bars.frame(state.train.features)
        self.table.set(xticklabels=state.train.classes, yticklabels=state.train.classes)
        negative, positive = state.train.classes
        bars = f"Weights: left {negative}, right {positive}"
        self.title.set_text({"plane": "Validation part", "image": "Weights of the pixels", "bars": bars}[view])
        self.picture.redraw()


CORNERS = np.array([[-3.0, -3.0], [3.5, 3.0]])  # features are standardised: nearly all examples lie here


def sentence(state: State) -> str:
    """What the choice gets wrong, how the other lambdas fare, what eta did, and what is known of the test part."""
    said = (f"{state.method}, lambda = {state.lam:g}: {state.training_errors} of {len(state.train)} training and "
            f"{state.validation_errors} of {len(state.validation)} validation examples misclassified "
            f"({100 * state.share:.1f} %{_give(state)}). Fewest on the curve: {state.fewest}, at "
            f"lambda = {state.best_lam:g}. {state.note}")
    if state.separability:
        way, far = "apart" if state.separability > 0 else "together", abs(state.separability)
        said += f" Altered data: classes moved {way} by {far:g} spread{'s' * (far != 1)}."
    return f"{said[0].upper()}{said[1:]} {_lock(state)}"


def _give(state: State) -> str:
    """How sure the validation error is. No errors among n have a standard error of 0, and yet 3/n is plausible."""
    if state.share:
        return f" give or take {100 * state.give:.1f}"
    return f", up to 3/{len(state.validation)} = {300 / len(state.validation):.1f} % is plausible"


def _lock(state: State) -> str:
    times = "once" if state.opened == 1 else f"{state.opened} times"
    if state.test_errors is None:
        return f"Test part locked; opened {times} so far." if state.opened else "Test part locked, never opened."
    said = f"TEST (open circle): {state.test_errors} of {state.test_size} misclassified. Opened {times}"
    return f"{said}." if state.opened == 1 else f"{said}: choosing the best look would flatter it."


def _short(value: float) -> str:
    return f"{value:.2f}" if abs(value) < 9.995 else f"{value:.0f}" if abs(value) < 1e5 else f"{value:.0e}"


def _table(y: Floats, agreements: Floats) -> Any:
    """Rows true, columns predicted; a score of exactly 0 counts as the wrong class."""
    right = agreements > 0
    return confusion_table((y > 0).astype(int), ((y > 0) == right).astype(int), k=2)


def _errors(data: Dataset, thetas: Floats) -> Any:
    """The share of misclassified examples, for one theta or a stack."""
    return Objective(data.X, data.y, losses.zero_one).risk(thetas)


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
def _fits(train: Dataset, method: str, eta: float | None, lams: tuple[float, ...]) -> tuple[Floats, list[str]]:
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
