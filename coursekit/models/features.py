"""The words that L1, its refit and the elastic net keep, for one lambda and for all, and what descent reaches."""

import tomllib
from dataclasses import replace
from pathlib import Path

import numpy as np

from coursekit.algorithms import descent, lasso
from coursekit.core import datasets, losses, penalties, risks, steps, text
from coursekit.models.shared import Dataset, Floats, Objective, cached, parts

STEPS, RIDGE = 100, 0.6
POWERS = (-2, 0.3)
LAMS = (0.0, *(10.0 ** np.linspace(*POWERS, 36)))
OWN = ("george", "hp", "hpl", "lab", "labs", "650", "857", "415", "85", "telnet")  # of the receiver
DRAWS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))  # the errors of thirty draws


class WordSelection:
    def __init__(self, separability: float, eta: float, lam: float, seed: int, fit: str, words: str, mails: int,
                 own: Dataset | None) -> None:
        self.kind = "examples" if own else "emails"
        self.training, self.others = both = _split(separability, seed, words, mails, own)
        path, ridge = _path(self.training, fit), RIDGE * (fit == "elastic net")
        self.thetas, (self.training_errors, self.other_errors) = _curves(*both, fit)
        self.theta = _thetas(self.training, fit, (lam,))[0]
        self.errors = [risks.error_rate(part, self.theta) for part in both]
        penalty = penalties.elastic_net(lam / (lam + ridge)) if ridge else penalties.l1
        objective = Objective(self.training.X, self.training.y, losses.squared, penalty, lam + ridge)
        self.descent = descent.proximal_descent(objective, steps.constant(eta), STEPS)
        self.reached_errors = [risks.error_rate(part, self.descent.theta) for part in both]
        self.elsewhere = bool(np.abs(np.subtract(self.reached_errors, self.errors)).max() > 0.02)
        self.excess = float(self.descent.values[-1] - objective.value(path.theta_at(lam)))  # of what descent reached
        self.unshuffled = own.X.shape[1] if own else 57
        self.shuffled = int(np.count_nonzero(self.theta[self.unshuffled : -1]))  # selected
        told = not (own or separability) and fit == "L1" and mails == 400
        self.draws = np.array(DRAWS[words]) / 1000 if told else np.empty((2, 0))

    def sentence(self, eta: float, lam: float, fit: str) -> str:
        """How many features are kept, the errors, and how far descent is where its errors are others."""
        used, d = np.count_nonzero(self.theta[:-1]), len(self.theta) - 1
        said = (f"{fit} at λ = {lam:.3g} keeps **{used}** of {d} features and gets **{100 * self.errors[1]:.1f}%** of "
                f"{len(self.others)} new {self.kind} wrong, and {100 * self.errors[0]:.1f}% of the "
                f"{len(self.training)} that it learned from.")
        if d > self.unshuffled:
            kept = f"**{self.shuffled}** (struck out)" if self.shuffled else "none"
            said += f" Of the shuffled features, which know nothing, it keeps {kept}."
        if self.descent.status.startswith("diverged") or self.excess > 10:
            return f"{said} η = {eta:.3g} is too large: descent diverges."
        came = f"After {STEPS} steps with η = {eta:.3g}, descent (open circles) is still {text.number(self.excess)}"
        return f"{said} {came} above the minimum." if self.elsewhere else said


@cached
def _split(separability: float, seed: int, words: str, mails: int, own: Dataset | None) -> tuple[Dataset, Dataset]:
    data = (own or datasets.words()).moved_apart(separability)
    mails = min(mails, len(data) // 2)
    if words == "and as many shuffled":
        rng = np.random.default_rng(1000 + seed)
        X = np.column_stack([data.X, *(rng.permutation(column) for column in data.X.T)])
        data = replace(data, X=X, features=(*data.features, *(f"{name} shuffled" for name in data.features)))
    senders = [j for j, name in enumerate(data.features) if name not in OWN]
    kept = senders if words == "without the receiver's" else slice(None)
    order = np.random.default_rng(seed).permutation(len(data))
    training, others = parts(data, order[:mails], order[mails:], columns=kept)
    return training.standardized(), others.standardized(by=training)


@cached
def _path(training: Dataset, fit: str) -> lasso.LassoPath:
    return lasso.lasso_path(training.X, training.y, ridge=RIDGE * (fit == "elastic net"))


@cached
def _curves(training: Dataset, others: Dataset, fit: str) -> tuple[Floats, list[Floats]]:
    thetas = _thetas(training, fit, LAMS)
    return thetas, [risks.error_rate(part, thetas) for part in (training, others)]


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
