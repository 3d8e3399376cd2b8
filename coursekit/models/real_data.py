"""A fit to real data, its scores, what a threshold makes of them and what that costs."""

import tomllib
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from coursekit import plots
from coursekit.algorithms import descent, least_squares, path, perceptron, svm
from coursekit.core import datasets, losses, risks, steps, validate
from coursekit.models.shared import Dataset, Floats, Objective, cached, ended, parts, powers

DATA = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
OTHERS = DATA.pop("others")
PAIRS = {name: tuple(known["classes"]) for name, known in DATA.items()}
GRADES = powers(-4, 0, 10)
LAMS = tuple(GRADES[::-5])  # from strong to weak: among equals the stronger is preferred
THRESHOLDS = np.arange(-60, 61) / 20
ROWS = 20  # of weights: where there are more, those that are largest at the third lambda
METHODS = ("SVM", "logistic regression", "perceptron", "least squares")
STEPS = 40  # of gradient descent
PASSES = 15  # of the perceptron, at most


class Choice:
    """A fit to the training part, its scores on the validation part or, once that is opened, on the test part, in units
    of the spread that they have on the training part, and what a threshold makes of them."""

    def __init__(self, separability: float, eta: float, lam: float, seed: int, dataset: str, features: str, method: str,
                 threshold: float, price: float, also: str, opened: int, tested: bool, own: Dataset | None) -> None:
        *parts, self.pictures, self.kept = _study(dataset, features, separability, seed, own)
        self.train, self.validation, test = parts
        used = eta if method in ("logistic regression", "perceptron") else 0.0
        (self.theta,), (self.note,) = fits(self.train, method, used, (lam,))  # and how theta came about
        seen: Any = _curves(self.train, self.validation, method, used) if also == "errors" else (np.empty((2, 0)), ())
        self.curves, self.rows = seen
        scores = [part.X @ self.theta[:-1] + self.theta[-1] for part in parts]
        self.agreements = self.validation.y * scores[1]
        self.closest = np.argsort(self.agreements, kind="stable")[:plots.DigitRows.places]  # the lowest agreements
        on_train, on_validation, on_test = (f / (np.sqrt(np.mean(scores[0] ** 2)) or 1.0) for f in scores)
        self.shown = test if tested else self.validation
        self.scores = on_test if tested else on_validation
        self.counts = four(self.scores, self.shown.y, threshold)
        n = len(self.shown)
        self.wrong = int(self.counts[0] + self.counts[3])
        prices = np.array([[1.0, 1.0], [1.0, price]])  # of a positive one that is wrong, and of a negative one
        mean, square = (prices**k @ self.counts[[0, 3]] / n for k in (1, 2))
        give = np.sqrt(np.maximum(square - mean**2, 0.0) / n)  # their standard errors
        self.share, self.give, self.cost = float(mean[0]), float(give[0]), (100 * float(mean[1]), 100 * float(give[1]))
        self.training_share = float(four(on_train, self.train.y, threshold)[[0, 3]].sum()) / len(self.train)
        self.costs = _costs(self.scores, self.shown.y, price)
        self.cheapest = float(THRESHOLDS[_costs(on_validation, self.validation.y, price).argmin()])
        self.mails, self.opened, self.tested = dataset == "mails", opened, tested  # opened: how many were tested
        told = OTHERS | DATA.get(dataset, {})
        self.heads, self.corners, self.parts = ([word.format(*self.train.classes) for word in told[name]]
                                                for name in ("heads", "corners", "parts"))
        self.prices = told["prices"].format(*self.train.classes, price)

    def digits(self) -> tuple[list[tuple[str, str]], list[bool]]:
        """What is said below each of the digits with the lowest agreements, and whether it is wrong."""
        names = dict(zip((-1.0, 1.0), self.validation.classes, strict=True))
        y, z = self.validation.y[self.closest], self.agreements[self.closest]
        wrong = (z <= 0).tolist()
        words = [(names[true] + f" \N{RIGHTWARDS ARROW} {names[-true]}" * mistaken, _short(agreement))
                 for true, agreement, mistaken in zip(y, z, wrong, strict=True)]
        return words, wrong

    def sentence(self, lam: float, method: str, threshold: float, price: float) -> str:
        """What the threshold lets through and holds back, how sure that is, and what it costs."""
        (missed, _, _, lost), n, (negative, positive) = self.counts.tolist(), len(self.shown), self.train.classes
        give = f"give or take {100 * self.give:.1f}" if self.share else f"but up to 3/{n} = {300 / n:.1f}% is plausible"
        did, of, one, ten = f"lets in **{missed}** spam and loses **{lost}** ham", "emails", "A lost ham", "spam let in"
        if not self.mails:
            s, of = "s" * negative[-1:].isdigit(), "examples"
            did = f"gets **{missed}** of the {positive}{s} and **{lost}** of the {negative}{s} wrong"
            one, ten = f"An error on the {negative}{s}", f"on the {positive}{s}"
        bill = f" {one} costs as much as {price:g} {ten}, and 100 {of} as much as **{self.cost[0]:.0f}** {ten}."
        return (f"With the cut at {threshold:.2f}, {'the ' * (method in ('SVM', 'perceptron'))}{method} with "
                f"λ = {lam:g} {did}, an error of **{100 * self.share:.1f}%**, {give} (training error "
                f"{100 * self.training_share:.1f}%)." + bill * (price != 1))  # else it's the error once more

    def lock(self) -> str:
        """What is known of the test part."""
        times = "once" if self.opened == 1 else f"{self.opened} times"
        if not self.tested:
            return f"The test set is locked{f'; it was opened {times}' * bool(self.opened)}."
        return f"This is the TEST set, opened {times}{': the best look would flatter your choice' * (self.opened > 1)}."


def four(scores: Floats, y: Floats, threshold: Any) -> Any:
    """How many positives score at most the threshold, how many more; then the same of the negatives.

    >>> four(np.array([0.5, -1.0, 2.0, 1.0]), np.array([1, 1, -1, -1]), 1.0).tolist()
    [2, 0, 1, 1]
    """
    of = [np.sort(scores[y == label]) for label in (1, -1)]
    below = [np.searchsorted(one, threshold, side="right") for one in of]
    return np.array([below[0], len(of[0]) - below[0], below[1], len(of[1]) - below[1]])


def _costs(scores: Floats, y: Floats, price: float) -> Floats:
    """Of 100 examples, at each of THRESHOLDS, where a positive below it costs 1 and a negative above it `price`."""
    missed, _, _, lost = four(scores, y, THRESHOLDS)
    return np.asarray(100 * (missed + price * lost) / len(y))


def altered(separability: float) -> str:
    if not separability:
        return ""
    way, far = "apart" if separability > 0 else "closer", abs(separability)
    return f"Altered: classes moved {way} by {far:g} spread{'s' * (far != 1)}."


def _short(value: float) -> str:
    return f"{value:.2f}" if abs(value) < 9.995 else f"{value:.0f}" if abs(value) < 1e5 else f"{value:.0e}"


@cached
def fits(train: Dataset, method: str, eta: float, lams: tuple[float, ...]) -> tuple[Floats, list[str]]:
    """theta for each of L lambdas, (L, d+1), offset last, and L notes on how far eta brought it.

    The SVM and least squares are solved exactly, logistic regression makes 40 steps of gradient descent of size eta,
    the perceptron at most 15 passes, and shrinks theta by 1 - eta lam (at least 0) at each mistake.
    Raises ValueError for another method.

    >>> from coursekit.core import datasets
    >>> thetas, notes = fits(datasets.blobs(20, 1.0), "least squares", 0.3, (0.1, 1.0))
    >>> thetas.shape, notes[0]
    ((2, 3), '')
    """
    validate.one_of("method", method, METHODS)
    X, y = train.X, train.y
    if method == "SVM":
        return svm.svm(X, y, lams).theta, [""] * len(lams)
    if method == "least squares":
        return np.array([least_squares.least_squares(X, y, lam) for lam in lams]), [""] * len(lams)
    if method == "perceptron":
        traces = [perceptron.perceptron(X, y, PASSES, eta=eta, lam=min(lam, 1 / eta)) for lam in lams]
        notes = [f"Only ηλ = {min(eta * lam, 1.0):.2g} matters; {ended(trace.status)}."
                 for lam, trace in zip(lams, traces, strict=True)]
        return np.array([trace.theta for trace in traces]), notes
    objectives = [Objective(X, y, losses.logistic, lam=lam) for lam in lams]
    paths = [descent.gradient_descent(objective, steps.constant(eta), STEPS) for objective in objectives]
    notes = [_descended(*pair, eta) for pair in zip(objectives, paths, strict=True)]
    return np.array([run.theta for run in paths]), notes


def _descended(objective: Objective, run: path.Path, eta: float) -> str:
    if run.status.startswith("diverged"):
        return f"{run.status.capitalize()}."
    if run.values[-1] > run.values[0]:
        return f"η = {eta:.3g} is too large: the objective rose to {run.values[-1]:.2g}."
    slope = np.linalg.norm(objective.slope(run.theta))
    return f"{STEPS} steps of η = {eta:.3g} leave a gradient {slope:.2g} long."


@cached
def _curves(train: Dataset, validation: Dataset, method: str, eta: float) -> tuple[Floats, Any]:
    """The errors on both parts of theta for each of LAMS, (2, L), and the features whose weights are shown: all, or the
    most weighty ones at the third lambda, from the most positive one down."""
    thetas, _ = fits(train, method, eta, LAMS)
    weights = thetas[2, :-1]
    most = np.argsort(-np.abs(weights), kind="stable")[:ROWS]
    rows = most[np.argsort(-weights[most], kind="stable")] if len(weights) > ROWS else np.arange(len(weights))
    return np.array([risks.error_rate(part, thetas) for part in (train, validation)]), rows


@cached
def _study(dataset: str, features: str, separability: float, seed: int,
           own: Dataset | None) -> tuple[Dataset, Dataset, Dataset, Floats, list[int]]:
    """Training, validation and test part, standardized by the first, the validation part's digits to look at, and which
    features were kept."""
    drawn, raw, kept = _drawn(dataset, features, seed, own)
    moved = [part.moved_apart(separability, by=raw[0]) for part in raw]
    pictures = drawn[1].X.copy()
    pictures[:, kept] = moved[1].X
    train, validation, test = (part.standardized(by=moved[0]) for part in moved)
    return train, validation, test, pictures, kept


@lru_cache(maxsize=1)
def _drawn(dataset: str, features: str, seed: int, own: Dataset | None) -> tuple[Any, Any, list[int]]:
    """The three parts, with all features and with those that were kept, and which these are."""
    mails = dataset == "mails"
    whole = own or (replace(datasets.words(), classes=PAIRS[dataset]) if mails else
                    datasets.load(dataset, PAIRS[dataset]))
    kept = list(range(whole.X.shape[1]))
    if features == "two":
        known = [name.split(" (")[0] for name in whole.features]  # without their units
        kept = [known.index(name) for name in DATA.get(dataset, {}).get("two", known[:2])]
    shares = (0.12, 0.44, 0.44) if mails else (0.6, 0.2, 0.2)
    drawn = whole.split(*shares, seed=seed)
    return drawn, [part for one in drawn for part in parts(one, columns=kept)], kept
