"""The exact soft margin and a descent on the same objective, in words for all that data can be."""

import numpy as np

from coursekit.algorithms import descent, path, sgd, svm
from coursekit.core import risks, steps, text
from coursekit.models import turned
from coursekit.models.shared import Dataset, Objective, cached

STEPS = 300
GAP = 1e-9  # how near the exact objective is proven to be: a billionth
CONSTANT = np.array([[0.0, 0.0, -1.0], [0.0, 0.0, 1.0]])  # the best there is with w = 0 is one of these

solved = cached(lambda data, lam: svm.svm(data.X, data.y, lam, GAP))


class SoftMarginAndDescent:
    def __init__(self, data: Dataset, eta: float, lam: float, seed: int, descent: str, k: int, by: str,
                 turn: float) -> None:
        objective = Objective(data.X, data.y, lam=lam)
        self.data, self.exact = data, solved(data, lam)
        self.flat = bool(objective.value(CONSTANT).min() - self.exact.objective <= self.exact.gap)  # w = 0 is as good
        self.agreements = objective.Z @ self.exact.theta
        self.misclassified = risks.misclassified(self.agreements)
        self.late = int(np.sum(self.exact.slack > svm.ON_MARGIN))  # examples with slack
        self.path = _path(objective, descent, eta if descent != "Pegasos" else None, seed)
        self.done = min(k, len(self.path.rates))
        self.lowest, self.theta = np.minimum.accumulate(self.path.values), self.path.thetas[self.done]
        self.line = self.exact.theta * [0, 0, 1] if self.flat else self.exact.theta
        # Of the path and of its best so far.
        self.above = [np.maximum(values - self.exact.objective, GAP) for values in (self.path.values, self.lowest)]
        self.turned = None if by == "solver" else turned.Turned(data, turn)

    def about(self, descent: str, eta: float, lam: float, example: int) -> str:
        arrived = self.about_descent(descent, eta, lam) if self.done else ""
        return " ".join(filter(None, [self.about_street(), arrived, "" if self.flat else self.about_one(example)]))

    def about_street(self) -> str:
        """How wide the street is and who holds it."""
        data, answer = self.data, self.exact
        wrong = f"**{self.misclassified}** of {len(data)} are misclassified"
        if len(set(data.y)) == 1:
            return (f"Only class {data.y[0]:+.0f} is left: w = 0 and the bias {data.y[0]:+.0f} give every example "
                    f"agreement 1 at no cost, so there is no line.")
        if self.flat:
            why = "no direction is worth its price" if np.ptp(data.X, axis=0).any() else "all examples lie at one place"
            score = text.number(round(answer.theta[2], 6))
            return f"w = 0: {why}. There is no line, every example gets a score of {score}, and {wrong}."
        wide, half = text.number(2 * answer.margin), text.number(answer.margin)
        many = len(answer.support)
        said = (f"The street is 2/‖w‖ = **{wide}** wide, {half} on each side. **{many}** support vector"
                f"{' holds' if many == 1 else 's hold'} it")
        if not self.late:
            return f"{said} without slack: this is the hard margin."
        negative, positive = (set(map(tuple, data.X[data.y == label])) for label in (-1, 1))
        meet = " Two classes meet at one place: slack of at least 2 there." if negative & positive else ""
        return f"{said}, {self.late} with slack that adds up to {text.number(answer.slack.sum())}, and {wrong}.{meet}"

    def about_descent(self, descent: str, eta: float, lam: float) -> str:
        """How far the descent is from the exact answer."""
        answer, above = self.exact, self.lowest[self.done] - self.exact.objective
        proof = "proven to within a billionth" if answer.gap <= GAP else answer.status
        said = f"The lowest objective is {answer.objective:.4g} ({proof}); "
        if self.path.status.startswith("diverged"):
            return f"{said}{descent} {self.path.status}."
        if descent == "gradient descent" and eta * lam > 2:  # each step multiplies w by 1 - eta lam
            return f"{said}with ηλ > 2 gradient descent diverges."
        unused = " (which needs no η)" if descent == "Pegasos" else ""
        far = f"**{text.number(above)}** above it" if above > GAP else "within a billionth of it"
        return f"{said}the best of {text.counted(self.done, 'step')} of {descent}{unused} is {far}."

    def about_one(self, i: int) -> str:
        """The example in the square."""
        z, slack = self.agreements[i], text.number(self.exact.slack[i])
        if i not in self.exact.support:
            why = "lies beyond its edge, where it may move freely"
        elif self.exact.slack[i] <= svm.ON_MARGIN:
            why = "is a support vector on the edge"
        else:
            side = "on the wrong side" if z <= 0 else "inside the street"
            why = f"has slack {slack}: it's a support vector {side}"
        return f"Example {i}, with an agreement of {text.number(z)}, {why}."


@cached
def _path(objective: Objective, name: str, eta: float | None, seed: int) -> path.Path:
    if eta is None:
        return sgd.pegasos(objective, STEPS, seed=seed)
    if name == "gradient descent":
        return descent.gradient_descent(objective, steps.constant(eta), STEPS)
    return sgd.sgd(objective, steps.decaying(eta), STEPS, seed=seed)
