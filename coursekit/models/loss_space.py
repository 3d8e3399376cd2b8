"""The lines that five losses find, with one email that moves away and without it, and what each charges it."""

import numpy as np

from coursekit import plots
from coursekit.algorithms import descent, least_squares, path, svm
from coursekit.core import datasets, losses, risks, steps
from coursekit.models.shared import Dataset, Floats, Objective, cached
from coursekit.plots.losses import CALLED

STEPS = 150
STARTS = {"mails": (1.0, 1.0, -1.7)}  # our own line of chapters 1 and 2; elsewhere a line that is not good yet
ALWAYS = "squared", "hinge", "logistic"
FAINT = 1e-8  # the hinge line without lambda is that of the shortest theta


class LossLines:
    """The lines that losses find with the far example, which is the last, and without it."""

    def __init__(self, separability: float, lam: float, eta: float, seed: int, dataset: str, own: Dataset | None,
                 x1: float, x2: float, label: str, loss: str, lines: str) -> None:
        crowd, y = own or drawn(dataset, separability, seed), float(label)
        X, labels = np.vstack([crowd.X, [x1, x2]]), np.append(crowd.y, y)
        self.data = data = Dataset(X, labels, crowd.features, crowd.classes, f"{crowd.name} and one more")
        self.x, self.y, self.chosen = np.array([x1, x2]), y, loss.replace("-", "_")
        shown = dict.fromkeys((*ALWAYS, self.chosen) if lines == "all" else (self.chosen,))
        start = STARTS.get(dataset, (0.0, 1.0, 0.0))
        self.run = walk(data, self.chosen, lam, eta, start) if self.chosen not in ALWAYS else None
        self.before = {name: fitted(crowd, name, lam, eta, start) for name in shown}
        self.thetas = {name: fitted(data, name, lam, eta, start) for name in shown}
        self.theta = self.thetas[self.chosen]
        self.agreements = labels * (X @ self.theta[:2] + self.theta[2])
        far = np.append(self.x, 1.0)
        self.arrives, self.rests = (
            {name: float(y * (theta @ far)) + 0.0 for name, theta in thetas.items()}  # never -0.0
            for thetas in (self.before, self.thetas)
        )
        self.prices = {name: float(losses.KNOWN[name](z)) for name, z in self.arrives.items()}
        self.pulls = {name: -float(losses.KNOWN[name].slope(z)) * float(np.linalg.norm(far))
                      for name, z in self.arrives.items()}
        self.wrong, self.errors = (
            {name: risks.misclassified(crowd.y * (crowd.X @ theta[:2] + theta[2])) for name, theta in thetas.items()}
            for thetas in (self.before, self.thetas)
        )

    def sentence(self, eta: float, mail: bool) -> str:
        """What the followed loss makes of the example as it comes, and what becomes of the lines."""
        name, count, things = self.chosen, len(self.data) - 1, "emails" if mail else "examples"
        z, kind = self.arrives[name], self.data.classes[int(self.y > 0)]
        far, of = f"{round(self.x[0], 1):g}", f"{CALLED[name].replace(' ', '-')} " * (len(self.thetas) > 1)
        who = f"A {kind} email with {far}% exclamation marks" if mail else f"One more of class {kind} at x1 = {far}"
        said = (f"{who} joins {count} {things}. Under their {of}line it has z = **{amount(z)}** and costs "
                f"**{amount(self.prices[name])}**: {verdict(name, z)}. ")
        before, after = self.wrong[name], self.errors[name]
        became = "as before" if before == after else f"instead of {before}"
        others = ", ".join(f"{CALLED[one]} {wrong}" for one, wrong in self.errors.items() if one != name)
        said += f"The new line gets **{after}** of the {count} wrong, {became}{f' ({others})' * bool(others)}."
        if name == "zero_one":
            return f"{said} This loss has slope 0, so without λ descent never turns the first line, whatever η is."
        return said if self.run is None else f"{said} {arrival(self.run, eta)}"


def verdict(loss: str, agreement: float) -> str:
    """What the loss says at this agreement: flat, pulling, at its kink, or too right."""
    kink, wrong = losses.KNOWN[loss].kink, agreement <= 0
    if loss == "zero_one":
        return f"{'wrong, but' if wrong else 'right, and'} the loss is flat there"
    if agreement == kink:
        return "at the kink, so by our rule it pulls"
    if kink is not None and agreement > kink:
        return "right, so there is no pull" if loss == "perceptron" else "right enough, so there is no pull"
    if loss == "squared" and agreement >= 1:
        return "exact, so there is no pull" if agreement == 1 else "too right, so it pulls the line back"
    if wrong:
        return "wrong, so it pulls"
    return "right, but it still pulls a little" if loss == "logistic" else "right by less than 1, so it still pulls"


def arrival(path: path.Path, eta: float) -> str:
    """Whether descent still gets anywhere, in words; 1 % of the objective in 20 steps counts as a change."""
    tail = path.values[-21:]
    noticed = 0.01 * tail[-1]
    if np.diff(tail, prepend=tail[0]).max() > noticed:
        low, high = tail.min(), tail.max()
        return f"η = {eta:.3g} is too large to settle: the objective jumps between {low:.3g} and {high:.3g}."
    changes = "is still falling" if tail[0] - tail[-1] > noticed else "hardly changes anymore"
    return f"With η = {eta:.3g} the objective {changes} after {STEPS} steps."


def amount(value: float) -> str:
    """At most two digits behind the point; "0" only where it is exactly 0."""
    digits = int(abs(value) < 100) + (abs(value) < 10)
    return "0" if value == 0 else f"{value:.{digits}f}"


@cached
def drawn(dataset: str, separability: float, seed: int) -> Dataset:
    """The others: the 36 emails of the chapter, or two clouds."""
    if dataset != "mails":
        return datasets.blobs(40, separability, seed=seed)
    old, new = datasets.mails(), datasets.mails(12, seed=0)
    return Dataset(np.vstack([old.X, new.X]), np.append(old.y, new.y), old.features, old.classes, old.name)


@cached
def walk(data: Dataset, loss: str, lam: float, eta: float, start: tuple[float, ...]) -> path.Path:
    objective = Objective(data.X, data.y, losses.KNOWN[loss], lam=lam)
    return descent.gradient_descent(objective, steps.constant(eta), STEPS, start=start)


@cached
def fitted(data: Dataset, loss: str, lam: float, eta: float, start: tuple[float, ...]) -> Floats:
    """The line, (3,), that the loss finds."""
    if loss == "squared":
        return least_squares.least_squares(data.X, data.y, lam)
    if loss == "hinge":
        return svm.svm(data.X, data.y, lam or FAINT).theta
    if loss == "logistic":
        objective = Objective(data.X, data.y, losses.logistic, lam=lam)
        return descent.gradient_descent(objective, steps.barzilai_borwein(), 300, tolerance=1e-7).theta
    theta = walk(data, loss, lam, eta, start).theta
    return np.asarray(theta / max(1.0, np.abs(theta).max() / plots.marks.FAR))  # the same line
