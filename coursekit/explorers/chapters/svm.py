"""Chapter 8: the widest street between two classes, solved exactly for every frame."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any

import ipywidgets as widgets
import numpy as np

from coursekit.algorithms.descent import gradient_descent
from coursekit.algorithms.path import Path
from coursekit.algorithms.sgd import pegasos, sgd
from coursekit.algorithms.svm import ON_MARGIN, SoftMargin
from coursekit.algorithms.svm import svm as exact
from coursekit.core import datasets, steps
from coursekit.core.datasets import Dataset
from coursekit.core.objective import Objective
from coursekit.core.risks import misclassified
from coursekit.core.text import counted, number
from coursekit.core.validate import Floats
from coursekit.explorers import controls
from coursekit.explorers.editing import GRID, Editing, one_example
from coursekit.explorers.view import View, to_step
from coursekit.plots import MarginStreet, ObjectiveCurves, Slacks

STEPS = 300
GAP = 1e-9  # how near the exact objective is proven to be
PLACES = 5.0  # the sliders put examples from -PLACES to PLACES both ways
CONSTANT = np.array([[0.0, 0.0, -1.0], [0.0, 0.0, 1.0]])  # the best there is with w = 0 is one of these
CORNERS = np.array([[-4.2, -4.6], [4.2, 4.6]])  # the same view wherever the slider puts the clouds
DESCENTS = ("gradient descent", "stochastic descent", "Pegasos")


@dataclass(frozen=True)
class Found:
    data: Dataset
    exact: SoftMargin
    flat: bool  # whether w = 0 is as good as any w
    agreements: Floats
    misclassified: int
    late: int  # examples with slack
    path: Path
    done: int
    lowest: Floats
    theta: Floats  # of the descent


class SvmExplorer(Editing[Found]):
    """The exact soft margin with street, slacks and support vectors, and a descent on the same objective.

    Controls: separability, eta, lam, seed, dataset ("clouds", or "mails": the 24 of chapter 1, standardised, which
    separability and seed leave as they are), descent ("gradient descent" with steps of size eta, "stochastic
    descent" with eta/(k+1), "Pegasos" with its own 1/(lam t)), k (steps made), example (the one in the
    square), label (class of a point that a click adds), edits.
    The data are edited as in every explorer of this kind (see `Editing`), and by the sliders x1 and x2.
    """

    separability = controls.separability(0.5, idle=lambda now: now.dataset != "clouds")
    eta = controls.eta(0.3)
    lam = controls.graded("lambda", 0.01, controls.powers(-6, 1, 10), "regularisation")
    seed = controls.seed(idle=lambda now: now.dataset != "clouds")
    dataset = controls.choice("data", ("clouds", "mails"), renews=True)
    descent = controls.choice("descent", DESCENTS)
    k = controls.whole("step k", STEPS, 0, STEPS, "how many steps the descent has made")
    example = one_example(0)

    size, reach, marks_example = (9.0, 5.2), 60.0, False
    street = View(partial(MarginStreet, corners=CORNERS), (0, 0, 0.62, 1), (0.5, 0.5, 0.1, 0.4), "The widest street",
                  0.1, click="edit", compared=True, xlabel="x1", ylabel="x2")
    slacks = View(Slacks, (0.62, 0, 1, 1), (0.5, 0.5, 0.15, 0.4), "Slack ξ is hinge loss", 0.1, ylabel="slack ξ")
    curves = View(partial(ObjectiveCurves, names=("descent", "best so far"), steps=STEPS), (0, 0, 1, 1),
                  (0.65, 0.5, 0.15, 0.4), "How far descent is above the exact objective", 0.1, click=to_step,
                  also="descent", xlabel="step k")

    @staticmethod
    def data(dataset: str, separability: float, seed: int) -> Dataset:
        if dataset == "mails":
            return datasets.mails().standardized()
        return datasets.blobs(40, separability, seed=seed)

    @staticmethod
    def model(data: Dataset, eta: float, lam: float, seed: int, descent: str, k: int) -> Found:
        answer, objective = _exact(data, lam), Objective(data.X, data.y, lam=lam)
        path = _path(objective, descent, eta if descent != "Pegasos" else None, seed)
        done, agreements = min(k, len(path.rates)), objective.Z @ answer.theta
        return Found(
            data=data, exact=answer, agreements=agreements, misclassified=misclassified(agreements),
            flat=bool(objective.value(CONSTANT).min() - answer.objective <= answer.gap),
            late=int(np.sum(answer.slack > ON_MARGIN)), path=path, done=done, theta=path.thetas[done],
            lowest=np.minimum.accumulate(path.values),
        )

    def strip(self) -> list[widgets.Widget]:
        tooltip = "{} of the example in the square: move it"
        self._place = [controls.real(x, 0.0, -PLACES, PLACES, GRID, tooltip.format(x)).make() for x in ("x1", "x2")]
        for axis, slider in enumerate(self._place):
            slider.observe(partial(self._slid, axis), "value")
        above = [self.controls[n] for n, control in self.declared.items() if not control.tucked and n != "example"]
        return [
            controls.row(*above),
            controls.row(self.controls["example"], *self._place),
            controls.row(*self.edit_row(), *self.last_buttons()),
        ]

    def more_tools(self) -> list[widgets.Widget]:
        return []

    def follow(self, found: Found) -> None:
        for slider, place in zip(self._place, found.data.X[self.example], strict=True):
            slider.value = slider.grades[np.abs(np.subtract(slider.grades, place)).argmin()]

    def _slid(self, axis: int, change: Any) -> None:
        with self.picture.lock, suppress(controls.Fixed):
            if not self.settling:
                at = np.clip(self.state.data.X[self.example], -PLACES, PLACES)
                at[axis] = change["new"]
                self.move(self.example, *at)

    def show(self, found: Found, eta: float, lam: float, descent: str, example: int) -> str:
        data, answer = found.data, found.exact
        theta = answer.theta * [0, 0, 1] if found.flat else answer.theta
        self.street.show(data, theta, answer.slack, answer.support, found.theta, example)
        above = (np.maximum(values - answer.objective, GAP) for values in (found.path.values, found.lowest))
        self.curves.show([*above], found.done)
        self.slacks.show(found.agreements, data.y, answer.slack, answer.support, example)
        came = _descended(found, descent, eta, lam) if found.done else ""
        said = [_street(found), came, "" if found.flat else _one(found, example)]
        return " ".join(filter(None, said))


def _street(found: Found) -> str:
    """How wide the street is and who holds it."""
    data, answer = found.data, found.exact
    wrong = f"{found.misclassified} of {len(data)} misclassified"
    if len(set(data.y)) == 1:
        return (f"Only class {data.y[0]:+.0f} is left: w = 0 and the offset {data.y[0]:+.0f} give every example "
                f"agreement 1 at no cost, so there is no line.")
    if found.flat:
        why = "no direction is worth its price" if np.ptp(data.X, axis=0).any() else "all examples lie at one place"
        score = number(round(answer.theta[2], 6))
        return f"w = 0: {why}. There is no line, every example gets the score {score}; {wrong}."
    said = (f"The street is 2/||w|| = {number(2 * answer.margin)} wide, {number(answer.margin)} on each side; "
            f"{counted(len(answer.support), 'support vector')}")
    if not found.late:
        return f"{said}, no slack: this is the hard margin."
    negative, positive = ({tuple(x) for x in data.X[data.y == label].tolist()} for label in (-1, 1))
    meet = " Two classes meet at one place: slack of at least 2 there." if negative & positive else ""
    return f"{said}, {found.late} with slack ({number(answer.slack.sum())} in all); {wrong}.{meet}"


def _descended(found: Found, descent: str, eta: float, lam: float) -> str:
    """How far the descent is from the exact answer."""
    answer, above = found.exact, found.lowest[found.done] - found.exact.objective
    proof = f"proven within {GAP:g}" if answer.gap <= GAP else answer.status
    said = f"Exact objective {answer.objective:.4g} ({proof}); "
    if found.path.status.startswith("diverged"):
        return f"{said}{descent} {found.path.status}."
    if descent == DESCENTS[0] and eta * lam > 2:  # each step multiplies w by 1 - eta lam
        return f"{said}eta lambda > 2: gradient descent diverges."
    made = f"best of {counted(found.done, 'step')} of {descent}"
    unused = " (eta has no effect)" if descent == "Pegasos" else ""
    return f"{said}{made}{unused}: " + (f"{number(above)} above." if above > GAP else f"within {GAP:g} of it.")


def _one(found: Found, i: int) -> str:
    """The example in the square."""
    z, slack = found.agreements[i], found.exact.slack[i]
    if i not in found.exact.support:
        why = "no support vector: beyond its edge it may move freely"
    elif z <= 0:
        why = f"slack {number(slack)}: a support vector on the wrong side"
    elif slack > ON_MARGIN:
        why = f"slack {number(slack)}: a support vector inside the street"
    else:
        why = "a support vector on the edge"
    return f"Example {i}: agreement {number(z)}, {why}."


@lru_cache(maxsize=8)
def _exact(data: Dataset, lam: float) -> SoftMargin:
    return exact(data.X, data.y, lam, GAP)


@lru_cache(maxsize=8)
def _path(objective: Objective, descent: str, eta: float | None, seed: int) -> Path:
    if eta is None:
        return pegasos(objective, STEPS, seed=seed)
    if descent == "gradient descent":
        return gradient_descent(objective, steps.constant(eta), STEPS)
    return sgd(objective, steps.decaying(eta), STEPS, seed=seed)
