"""The street at right angles to a direction u that a hand has turned, and how wide it is for every other one."""

import numpy as np

from coursekit.algorithms import svm
from coursekit.core import line
from coursekit.models.shared import Dataset, Floats, cached, degrees

STEP = 0.5  # degrees from one direction of the curve to the next; so near to the best one u is the best one
GAP = 1e-9  # how near the widest street is proven to be


class Turned:
    """The shadows of the examples on u, the gap between the classes there, and the street that fits into it.

    angle: of u, in degrees. angles, gaps: of all directions. best, widest: the best of them and its gap.
    ends: the last shadow of the negative class, the first of the positive one. wrong: who is, on a line in the middle.
    theta: of the line in the middle whose edges f = -1 and f = +1 lie at these ends; zeros for a single class.
    held: who holds the street. forces: how hard each presses on the widest one, (n,); None for another.
    """

    def __init__(self, data: Dataset, turn: float) -> None:
        self.angles, self.gaps, self.best, self.widest, forces = _every_way(data)
        resting = abs(turn - self.best) <= STEP
        self.angle = self.best if resting else turn
        self.u = line.from_normal(self.angle, 0.0)[:2]
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

    def about(self, data: Dataset, forces: bool) -> str:
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
                    f"**{len(self.held)}** examples stand in the way of a wider one (ringed).")
        held = self.held
        said = (f"No direction of u gives a wider street than this one, **{self.widest:.3f}**. "
                f"**{len(held)}** examples hold it (ringed); the other {len(data) - len(held)} could leave.")
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
    angles = np.arange(0, 180 + STEP, STEP)
    if len(set(data.y)) == 1:
        return angles, np.zeros(len(angles)), -1.0, 0.0, None
    turns = np.radians(angles)
    last, first = _ends(data, np.array([np.cos(turns), np.sin(turns)]))
    gaps = first - last
    best = int(gaps.argmax())
    if gaps[best] <= 0:
        return angles, gaps, float(angles[best]), float(gaps[best]), None
    lam = gaps[best] ** 2 / (4 * len(data))  # so small that the hard margin is the answer
    exact = svm.svm(data.X, data.y, lam, GAP)
    return angles, gaps, degrees(exact.theta), 2 * float(exact.margin), exact.multipliers / (len(data) * lam)
