"""Chapter 7: which of the mails' words L1 keeps, against lambda, and what that does to the errors."""

from dataclasses import replace

import numpy as np

from coursekit import plots
from coursekit.algorithms import lasso, proximal
from coursekit.core import datasets, losses, penalties, risks, steps, text
from coursekit.explorers.framework import Dataset, Explorer, Floats, Objective, View, cached, controls, to_lam
from coursekit.explorers.own import YOURS

STEPS, ROWS, RIDGE = 100, 20, 0.6
POWERS = (-3, 0.5)
LAMS = (0.0, *(10.0 ** np.linspace(*POWERS, 36)))
OWN = ("george", "hp", "hpl", "lab", "labs", "650", "857", "415", "85", "telnet")  # of the receiver


class WordSelection:
    """The weights of one lambda and of all of LAMS, and what proximal descent reaches."""

    def __init__(
        self, separability: float, eta: float, lam: float, seed: int, fit: str, words: str, mails: int, dataset: str,
        own: Dataset | None,
    ) -> None:
        yours = own if dataset == YOURS else None
        self.kind, self.classes = ("examples", yours.classes) if yours else ("mails", ("honest", "spam"))
        self.training, self.others = parts = _split(separability, seed, words, mails, yours)
        path, ridge = _path(self.training, fit), RIDGE * (fit == "elastic net")
        self.rows = _first(path)  # features with a bar
        self.thetas, self.theta = _thetas(self.training, fit, LAMS), _thetas(self.training, fit, (lam,))[0]
        self.training_errors, self.other_errors = (risks.error_rate(part, self.thetas) for part in parts)
        self.errors = [risks.error_rate(part, self.theta) for part in parts]
        penalty = penalties.elastic_net(lam / (lam + ridge)) if ridge else penalties.l1
        objective = Objective(self.training.X, self.training.y, losses.squared, penalty, lam + ridge)
        self.descent = proximal.proximal_descent(objective, steps.constant(eta), STEPS)
        self.reached_errors = [risks.error_rate(part, self.descent.theta) for part in parts]
        self.excess = float(self.descent.values[-1] - objective.value(path.theta_at(lam)))  # of what descent reached
        self.unshuffled = yours.X.shape[1] if yours else 57
        self.shuffled = int(np.count_nonzero(self.theta[self.unshuffled : -1]))  # selected


class FeaturesExplorer(Explorer[WordSelection]):
    """The weights of words as bars, and the error on the mails learned from and on all others against lambda.

        1/n sum (y - f)^2 + lam ||w||_1     (elastic net: + 0.3 ||w||^2)

    seed: which mails to learn from. separability 0: the mails as they are. The open circles are 100 steps of proximal
    descent from 0 with step size eta. A click on the errors sets lambda.
    """

    separability = controls.real("separability", 0.0, -2.0, 2.0, 0.05, "moves the classes apart (< 0: together)")
    eta = controls.eta(0.05, -3.0, 0.0)
    lam = controls.lam(0.06, *POWERS)
    seed = controls.seed()
    fit = controls.choice("fit", ("L1", "L1, refitted", "elastic net"))
    words = controls.choice("words", ("all", "without the receiver's", "and as many shuffled"))
    mails = controls.whole("mails", 400, 100, 1000, "how many mails to learn from")
    dataset = controls.choice("data", ("mails",), tucked=True)

    size = 9.0, 5.0
    takes_data = "any"
    bars = View(plots.WeightBars, (0, 0, 0.46, 1), (1.1, 0.3, 0.15, 0.6), "The weights of words", 0.1, narrow=4.6)
    curves = View(lambda ax: plots.ErrorCurves(ax, POWERS, "descent", times=2), (0.46, 0, 1, 1),
                  (0.55, 0.5, 0.15, 0.4), "The error in %", 0.1, click=to_lam, compared=True, xlabel="λ")

    model = WordSelection

    def show(self, found: WordSelection, eta: float, lam: float, fit: str) -> str:
        names = [found.training.features[j] for j in found.rows]
        if self.stale(*names, found.kind):
            self.bars.frame([*names, *[""] * (ROWS - len(names))], found.classes)
        weights = np.zeros(ROWS)
        weights[: len(found.rows)] = found.theta[found.rows]
        self.bars.show(weights, float(np.abs(found.thetas[:, :-1]).max()))
        elsewhere = np.abs(np.subtract(found.reached_errors, found.errors)).max() > 0.02
        self.curves.show(np.array(LAMS), found.training_errors, found.other_errors, lam, found.errors,
                         found.reached_errors if elsewhere else [])
        return sentence(found, eta, lam, fit)


def sentence(found: WordSelection, eta: float, lam: float, fit: str) -> str:
    """How many features are kept, the errors, and whether descent got there."""
    used, d, best = np.count_nonzero(found.theta[:-1]), len(found.theta) - 1, int(found.other_errors.argmin())
    shuffled = f", {found.shuffled} of them shuffled" if d > found.unshuffled else ""
    said = (f"{fit}, lambda = {lam:.3g}: {used} of {d} weights are not 0{shuffled}. Error "
            f"{100 * found.errors[0]:.1f} % on the {len(found.training)} {found.kind} learned from, "
            f"{100 * found.errors[1]:.1f} % on the {len(found.others)} others (lowest: "
            f"{100 * found.other_errors[best]:.1f} % at lambda = {LAMS[best]:.3g}).")
    if found.descent.status.startswith("diverged") or found.excess > 10:
        return f"{said} eta = {eta:.3g} is too large: descent diverges."
    came = "arrived" if found.excess <= 0.001 else f"are still {text.number(found.excess)} above the minimum"
    return f"{said} {STEPS} steps with eta = {eta:.3g} {came}."


def _first(path: lasso.LassoPath) -> list[int]:
    """The features with the largest weights somewhere on the path, those for spam first."""
    largest = path.weights[np.abs(path.weights).argmax(axis=0), np.arange(path.weights.shape[1])]
    chosen = np.argsort(-np.abs(path.at(0.02)), kind="stable")[:ROWS]
    return [int(j) for j in chosen[np.argsort(-largest[chosen], kind="stable")]]


@cached
def _split(separability: float, seed: int, words: str, mails: int, own: Dataset | None) -> tuple[Dataset, Dataset]:
    data = (own or datasets.words()).moved_apart(separability)
    mails = min(mails, len(data) // 2)
    X, features = data.X, data.features
    if words == "without the receiver's":
        kept = [j for j, name in enumerate(features) if name not in OWN]
        X, features = X[:, kept], tuple(features[j] for j in kept)
    if words == "and as many shuffled":
        rng = np.random.default_rng(1000 + seed)
        X = np.column_stack([X, *(rng.permutation(column) for column in X.T)])
        features += tuple(f"{name} shuffled" for name in features)
    order = np.random.default_rng(seed).permutation(len(data))
    training, others = (replace(data, X=X[r], y=data.y[r], features=features) for r in (order[:mails], order[mails:]))
    return training.standardized(), others.standardized(by=training)


@cached
def _path(training: Dataset, fit: str) -> lasso.LassoPath:
    return lasso.lasso_path(training.X, training.y, ridge=RIDGE * (fit == "elastic net"))


@cached
def _thetas(training: Dataset, fit: str, lams: tuple[float, ...]) -> Floats:
    """theta for each lambda, (L, d+1). Refitted ones are what `debias` gives, for features of mean 0."""
    path = _path(training, fit)
    if fit != "L1, refitted":
        return path.theta_at(lams)
    gram, pull = training.X.T @ training.X, training.X.T @ training.y
    thetas = np.tile(np.append(np.zeros(len(pull)), path.mean), (len(lams), 1))
    for theta, lam in zip(thetas, lams, strict=True):
        chosen = path.selected(lam)
        theta[chosen] = np.linalg.lstsq(gram[np.ix_(chosen, chosen)], pull[chosen], rcond=None)[0]
    return thetas
