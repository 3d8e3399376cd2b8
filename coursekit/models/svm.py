"""The exact soft margin and a descent on the same objective, and the street at right angles to a u that is turned."""

import numpy as np

from coursekit.algorithms import descent, path, sgd, svm
from coursekit.core import risks, steps, text
from coursekit.models.shared import Dataset, Floats, Objective, cached, degrees, from_normal

STEPS = 300
GAP = 1e-9  # how near the exact objective is proven to be: a billionth
DEGREES = 0.5  # from one direction of the curve to the next; so near to the best one u is the best one
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
        self.turned = None if by == "solver" else Turned(data, turn)

    def about(self, descent: str, eta: float, lam: float, example: int, noun: str) -> str:
        said = [self.about_street(), self.about_descent(descent, eta, lam) if self.done else ""]
        return " ".join(filter(None, [*said, "" if self.flat else self.about_one(example, noun)]))

    def about_street(self) -> str:
        """How wide the street is and who holds it."""
        data, answer = self.data, self.exact
        wrong = f"**{self.misclassified}** of {len(data)} {'is' if self.misclassified == 1 else 'are'} misclassified"
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
            return f"{said}with ηλ > 2, gradient descent diverges."
        unused = " (which needs no η)" if descent == "Pegasos" else ""
        far = f"**{text.number(above)}** above it" if above > GAP else "within a billionth of it"
        return f"{said}the best of {text.counted(self.done, 'step')} of {descent}{unused} is {far}."

    def about_one(self, i: int, noun: str) -> str:
        """The example in the square."""
        z, slack = self.agreements[i], text.number(self.exact.slack[i])
        if i not in self.exact.support:
            why = "lies beyond its edge, where it may move freely"
        elif self.exact.slack[i] <= svm.ON_MARGIN:
            why = "is a support vector on the edge"
        else:
            side = "on the wrong side" if z <= 0 else "inside the street"
            why = f"has slack {slack}: it's a support vector {side}"
        return f"{noun.capitalize()} {i}, with an agreement of {text.number(z)}, {why}."


@cached
def _path(objective: Objective, name: str, eta: float | None, seed: int) -> path.Path:
    if eta is None:
        return sgd.pegasos(objective, STEPS, seed=seed)
    if name == "gradient descent":
        return descent.gradient_descent(objective, steps.constant(eta), STEPS)
    return sgd.sgd(objective, steps.decaying(eta), STEPS, seed=seed)


class Turned:
    """The shadows of the examples on u, the gap between the classes there, and the street that fits into it.

    angle: of u, in degrees. angles, gaps: of all directions. best, widest: the best of them and its gap.
    ends: the last shadow of the negative class, the first of the positive one. wrong: who is, on a line in the middle.
    theta: of the line in the middle whose edges f = -1 and f = +1 lie at these ends; zeros for a single class.
    held: who holds the street. forces: how hard each presses on the widest one, (n,); None for another.
    """

    def __init__(self, data: Dataset, turn: float) -> None:
        self.angles, self.gaps, self.best, self.widest, forces = _every_way(data)
        resting = abs(turn - self.best) <= DEGREES
        self.angle = self.best if resting else turn
        self.u = from_normal(self.angle, 0.0)[:2]
        self.shadows, both = data.X @ self.u, len(set(data.y)) == 2
        self.theta, self.ends, self.gap = np.zeros(3), (0.0, 0.0), 0.0
        self.wrong, self.held = np.zeros(len(data), bool), np.array([], int)
        self.forces = forces if resting else None
        if both:
            last, first = _ends(data, self.u[:, None])
            self.ends = float(last[0]), float(first[0])
            self.gap, middle = self.ends[1] - self.ends[0], sum(self.ends) / 2
            self.theta = np.append(2 * self.u, -2 * middle) / max(abs(self.gap), 1e-6)
            self.wrong = (data.y * (self.shadows - middle) <= 0) & (self.gap <= 0)
            near = np.abs(self.shadows - np.where(data.y > 0, self.ends[1], self.ends[0])) < 1e-3 * abs(self.gap)
            self.held = np.flatnonzero(near)

    def about(self, data: Dataset, forces: bool, noun: str) -> str:
        """What is seen along u."""
        negative, positive = (f"{'class ' * (name[0] in '+-')}{name}" for name in data.classes)
        if not len(self.held):
            return f"Only class {data.y[0]:+.0f} is left: there is nothing to keep apart."
        if self.gap <= 0:
            most = "." if self.widest > 0 or self.angle != self.best else ", and no direction of u gives one."
            return (f"Seen along u, {positive} and {negative} overlap by **{-self.gap:.2f}**, so there is no street"
                    f"{most} A line in the middle gets **{self.wrong.sum()}** of {len(data)} wrong (hollow).")
        if self.forces is None:
            return (f"A street **{self.gap:.2f}** wide fits between {negative} and {positive}. "
                    f"**{len(self.held)}** {noun}s stand in the way of a wider one (ringed).")
        held = self.held
        said = (f"No direction of u gives a wider street than this one, **{self.widest:.3f}**. "
                f"**{len(held)}** {noun}s hold it (ringed); the other {len(data) - len(held)} could leave.")
        sides = [" + ".join(f"{force:.2f}" for force in self.forces[held[data.y[held] == side]]) for side in (-1, 1)]
        return said + (f" {negative.capitalize()} presses with **{sides[0]}**, {positive} with **{sides[1]}**."
                       if forces else "")


def every_shadow(data: Dataset) -> tuple[float, float, Floats]:
    """From where to where shadows reach in any direction, and all gaps."""
    angles, gaps, *_ = _every_way(data)
    shadows = data.X @ [np.cos(np.radians(angles)), np.sin(np.radians(angles))]
    return float(shadows.min()), float(shadows.max()), gaps


def _ends(data: Dataset, u: Floats) -> tuple[Floats, Floats]:
    """The last negative and the first positive shadow on each column of u."""
    shadows = data.X @ u
    return shadows[data.y < 0].max(axis=0), shadows[data.y > 0].min(axis=0)


@cached
def _every_way(data: Dataset) -> tuple[Floats, Floats, float, float, Floats | None]:
    """Angles and gaps, the best angle, its gap, and who presses how hard there: None where there is no street."""
    angles = np.arange(0, 180 + DEGREES, DEGREES)
    if len(set(data.y)) == 1:
        return angles, np.zeros(len(angles)), -1.0, 0.0, None
    turns = np.radians(angles)
    last, first = _ends(data, np.array([np.cos(turns), np.sin(turns)]))
    gaps = first - last
    best = int(gaps.argmax())
    if gaps[best] <= 0:
        return angles, gaps, float(angles[best]), float(gaps[best]), None
    lam = gaps[best] ** 2 / (4 * len(data))  # so small that the hard margin is the answer
    exact = solved(data, lam)
    return angles, gaps, degrees(exact.theta), 2 * float(exact.margin), exact.multipliers / (len(data) * lam)
