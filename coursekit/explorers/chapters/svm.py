"""Chapter 8: the widest street between two classes, solved exactly for every frame.

Longer than others: two sliders of its own move the example in the square, and odd data have sentences of their own.
"""

from typing import Any

import numpy as np

from coursekit import plots
from coursekit.algorithms import descent, path, sgd, svm
from coursekit.core import datasets, risks, steps, text
from coursekit.explorers.framework import Dataset, Editing, Objective, View, cached, controls, one_example, to_step

STEPS = 300
GAP = 1e-9  # how near the exact objective is proven to be
PLACES = 5.0  # the sliders put examples from -PLACES to PLACES both ways
CONSTANT = np.array([[0.0, 0.0, -1.0], [0.0, 0.0, 1.0]])  # the best there is with w = 0 is one of these
CORNERS = np.array([[-4.2, -4.6], [4.2, 4.6]])  # the same view wherever the slider puts the clouds


class SoftMarginAndDescent:
    """The exact soft margin, and a descent on the same objective after k of its steps."""

    def __init__(self, data: Dataset, eta: float, lam: float, seed: int, descent: str, k: int) -> None:
        objective = Objective(data.X, data.y, lam=lam)
        self.data, self.exact = data, _exact(data, lam)
        self.flat = bool(objective.value(CONSTANT).min() - self.exact.objective <= self.exact.gap)  # w = 0 is as good
        self.agreements = objective.Z @ self.exact.theta
        self.misclassified = risks.misclassified(self.agreements)
        self.late = int(np.sum(self.exact.slack > svm.ON_MARGIN))  # examples with slack
        self.path = _path(objective, descent, eta if descent != "Pegasos" else None, seed)
        self.done = min(k, len(self.path.rates))
        self.lowest, self.theta = np.minimum.accumulate(self.path.values), self.path.thetas[self.done]


class SvmExplorer(Editing[SoftMarginAndDescent]):
    """The exact soft margin with street, slacks and support vectors, and a descent on the same objective.

    The mails are the 24 of chapter 1, standardised; separability and seed leave them as they are. descent: "gradient
    descent" with steps of size eta, "stochastic descent" with eta/(k+1), "Pegasos" with its own 1/(lam t); k of its
    steps are made. The data are edited as in every explorer of this kind (see `Editing`), and by the sliders x1 and x2.
    """

    separability = controls.separability(0.5, idle=lambda now: now.dataset != "clouds")
    eta = controls.eta(0.3)
    lam = controls.graded("lambda", 0.01, controls.powers(-6, 1, 10), "regularisation")
    seed = controls.seed(idle=lambda now: now.dataset != "clouds" and now.descent == "gradient descent")
    dataset = controls.choice("data", ("clouds", "mails"), renews=True)
    descent = controls.choice("descent", ("gradient descent", "stochastic descent", "Pegasos"))
    k = controls.whole("step k", STEPS, 0, STEPS, "how many steps the descent has made")
    example = one_example(0)

    size, reach, marks_example = (9.0, 5.2), 60.0, False
    street = View(lambda ax: plots.MarginStreet(ax, corners=CORNERS), (0, 0, 0.62, 1), (0.5, 0.5, 0.1, 0.4),
                  "The widest street", 0.1, click="edit", compared=True, xlabel="x1", ylabel="x2")
    slacks = View(plots.Slacks, (0.62, 0, 1, 1), (0.5, 0.5, 0.15, 0.4), "Slack ξ is hinge loss", 0.1, ylabel="slack ξ")
    curves = View(lambda ax: plots.ObjectiveCurves(ax, ("descent", "best so far"), steps=STEPS), (0, 0, 1, 1),
                  (0.65, 0.5, 0.15, 0.4), "How far descent is above the exact objective", 0.1, click=to_step,
                  also="descent", xlabel="step k")

    model = SoftMarginAndDescent

    @staticmethod
    def data(dataset: str, separability: float, seed: int) -> Dataset:
        return datasets.mails().standardized() if dataset == "mails" else datasets.blobs(40, separability, seed=seed)

    def strip(self) -> list[Any]:
        tooltip = "{} of the example in the square: move it"
        self._place = [controls.real(x, 0.0, -PLACES, PLACES, 0.05, tooltip.format(x)).make() for x in ("x1", "x2")]
        for slider in self._place:
            slider.observe(self._slid, "value")
        above = [self.controls[n] for n, control in self.declared.items() if not control.tucked and n != "example"]
        return [
            controls.row(*above),
            controls.row(self.controls["example"], *self._place),
            controls.row(*self.edit_row(), *self.last_buttons()),
        ]

    def more_tools(self) -> list[Any]:
        return []

    def follow(self, found: SoftMarginAndDescent) -> None:
        for slider, place in zip(self._place, found.data.X[self.example], strict=True):
            slider.value = slider.grades[np.abs(np.subtract(slider.grades, place)).argmin()]

    def _slid(self, change: Any) -> None:
        with self.picture.lock:
            if not self.settling and "edits" not in self._fixed:
                at = np.clip(self.state.data.X[self.example], -PLACES, PLACES)
                at[self._place.index(change["owner"])] = change["new"]
                self.move(self.example, *at)

    def show(self, found: SoftMarginAndDescent, eta: float, lam: float, descent: str, example: int) -> str:
        data, answer = found.data, found.exact
        theta = answer.theta * [0, 0, 1] if found.flat else answer.theta
        self.street.show(data, theta, answer.slack, answer.support, found.theta, example)
        above = [np.maximum(values - answer.objective, GAP) for values in (found.path.values, found.lowest)]
        self.curves.show(above, found.done)
        self.slacks.show(found.agreements, data.y, answer.slack, answer.support, example)
        arrived = about_descent(found, descent, eta, lam) if found.done else ""
        return " ".join(filter(None, [about_street(found), arrived, "" if found.flat else about_one(found, example)]))


def about_street(found: SoftMarginAndDescent) -> str:
    """How wide the street is and who holds it."""
    data, answer = found.data, found.exact
    wrong = f"{found.misclassified} of {len(data)} misclassified"
    if len(set(data.y)) == 1:
        return (f"Only class {data.y[0]:+.0f} is left: w = 0 and the offset {data.y[0]:+.0f} give every example "
                f"agreement 1 at no cost, so there is no line.")
    if found.flat:
        why = "no direction is worth its price" if np.ptp(data.X, axis=0).any() else "all examples lie at one place"
        score = text.number(round(answer.theta[2], 6))
        return f"w = 0: {why}. There is no line, every example gets the score {score}; {wrong}."
    wide, half = text.number(2 * answer.margin), text.number(answer.margin)
    held = text.counted(len(answer.support), "support vector")
    said = f"The street is 2/||w|| = {wide} wide, {half} on each side; {held}"
    if not found.late:
        return f"{said}, no slack: this is the hard margin."
    negative, positive = (set(map(tuple, data.X[data.y == label])) for label in (-1, 1))
    meet = " Two classes meet at one place: slack of at least 2 there." if negative & positive else ""
    return f"{said}, {found.late} with slack ({text.number(answer.slack.sum())} in all); {wrong}.{meet}"


def about_descent(found: SoftMarginAndDescent, descent: str, eta: float, lam: float) -> str:
    """How far the descent is from the exact answer."""
    answer, above = found.exact, found.lowest[found.done] - found.exact.objective
    proof = f"proven within {GAP:g}" if answer.gap <= GAP else answer.status
    said = f"Exact objective {answer.objective:.4g} ({proof}); "
    if found.path.status.startswith("diverged"):
        return f"{said}{descent} {found.path.status}."
    if descent == "gradient descent" and eta * lam > 2:  # each step multiplies w by 1 - eta lam
        return f"{said}eta lambda > 2: gradient descent diverges."
    unused = " (eta has no effect)" if descent == "Pegasos" else ""
    far = f"{text.number(above)} above" if above > GAP else f"within {GAP:g} of it"
    return f"{said}best of {text.counted(found.done, 'step')} of {descent}{unused}: {far}."


def about_one(found: SoftMarginAndDescent, i: int) -> str:
    """The example in the square."""
    z, slack = found.agreements[i], text.number(found.exact.slack[i])
    if i not in found.exact.support:
        why = "no support vector: beyond its edge it may move freely"
    elif z <= 0:
        why = f"slack {slack}: a support vector on the wrong side"
    elif found.exact.slack[i] > svm.ON_MARGIN:
        why = f"slack {slack}: a support vector inside the street"
    else:
        why = "a support vector on the edge"
    return f"Example {i}: agreement {text.number(z)}, {why}."


@cached
def _exact(data: Dataset, lam: float) -> svm.SoftMargin:
    return svm.svm(data.X, data.y, lam, GAP)


@cached
def _path(objective: Objective, name: str, eta: float | None, seed: int) -> path.Path:
    if eta is None:
        return sgd.pegasos(objective, STEPS, seed=seed)
    if name == "gradient descent":
        return descent.gradient_descent(objective, steps.constant(eta), STEPS)
    return sgd.sgd(objective, steps.decaying(eta), STEPS, seed=seed)
