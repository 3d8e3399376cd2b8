"""A line that a hand has turned and shifted by the arrow on it: its errors, and where one step would take it."""

import numpy as np
from numpy.typing import ArrayLike

from coursekit.algorithms import descent
from coursekit.core import datasets, risks, steps, text
from coursekit.models.shared import YOURS, Dataset, Floats, Objective, degrees, from_normal, normal_form
from coursekit.plots.boundary import within

SHIFTS = 5.0  # the line passes no farther from the origin
LENGTHS = 0.1, 10.0  # of the weights
# The middle of what is seen, and half of its height, on a wide page and on a phone.
FRAMES = {"blobs": (0.3, 0.25, 4.75, 6.6), "mails": (0.6, 1.45, 1.4, 1.7), "one vector": (1.8, 1.5, 4.0, 4.6)}
WEIGHTS = {"mails": (-0.2, 2.0, 0.25, 1.7)}  # what is seen of the weights
WINDOWS = (-3.2, 3.2, -2.2, 2.2), (-15.2, 15.2, -10.4, 10.4)  # without that, or when theta lies outside of it
# The arrow on the line:
REACHES = 0.12, 0.45  # it is drawn no shorter and no longer, of the frame's height
EDGES = 0.04, 0.01  # of the frame, which none of its ends comes near: when the line is dragged, and at all
ASIDE = 0.36  # how far beside the middle it stands, of the frame's height: there the shadows lie


def examples(dataset: str, separability: float, seed: int) -> Dataset:
    if dataset == "mails":
        return datasets.mails(24, 267 + seed)
    if dataset == "one vector":
        return Dataset(np.array([[3.0, 4.0]]), np.array([1.0]), ("x1", "x2"), ("-1", "+1"), "one vector")
    return datasets.blobs(24, separability, seed=seed, center=(0.5, 0.3))


class LineByHand:
    def __init__(self, data: Dataset, original: Dataset, dataset: str, eta: float, lam: float, angle: float,
                 shift: float, length: float) -> None:
        self.data, objective = data, Objective(data.X, data.y, lam=lam)
        self.theta = from_normal(angle, 0.0 if dataset == "one vector" else shift, length)
        far = data.y * (objective.Z @ self.theta) / length
        self.distances = np.round(far, 4 if dataset == "one vector" else 12)  # at a right angle 0, not 9e-06
        self.scores = length * self.distances
        self.agreements = data.y * self.scores
        self.misclassified = risks.misclassified(self.agreements)
        path = descent.gradient_descent(objective, steps.constant(eta), steps=1, start=self.theta)
        self.objective, self.objective_after = path.values[0], path.values[-1]
        self.after = path.thetas[-1]  # theta, when the machine has made its step
        self.ahead = normal_form(self.after)  # angle, shift and length then, and whether the controls can show it
        x, y, *heights = FRAMES.get(dataset, FRAMES["blobs"])
        scale = max(1.0, float(np.abs(original.X).max()) / 4.4) if dataset == YOURS else 1.0
        self.middle, self.heights = (x, y), tuple(scale * height for height in heights)
        self.window = next(w for w in (WEIGHTS.get(dataset, WINDOWS[0]), *WINDOWS) if within(self.theta[:2], w))
        self.room = abs(self.ahead[1]) <= SHIFTS and LENGTHS[0] <= self.ahead[2] <= LENGTHS[1]

    def product(self, length: float, brief: bool) -> str:
        """The product of two vectors in numbers, and in a sentence."""
        first, second = ("", "") if brief else ("length ", "projection ")
        long, cast, score = map(text.number, (length, self.distances[0], self.scores[0]))
        return f"θ · x = {first}{long} × {second}{cast} = {score}"

    def shadow(self, length: float) -> str:
        return (f"The projection of x = {text.vector(self.data.X[0])} on θ = {text.vector(self.theta[:2])} is "
                f"{text.number(self.distances[0])}, and θ is {text.number(length)} long: "
                f"θ · x = {text.number(self.scores[0] - self.theta[2])}.")

    def sentence(self, example: int, noun: str) -> str:
        """The errors, and the score of the chosen example."""
        hollow = " (hollow)" * bool(self.misclassified)
        said = f"The line gets **{self.misclassified} of {len(self.data)}** {noun}s wrong{hollow}."
        if example < 0:
            return f"{said} An {noun} whose shadow is on the arrow's side of the line is called {self.data.classes[1]}."
        z, name = self.agreements[example], self.data.classes[int(self.data.y[example] > 0)]
        verdict = "right" if z > 0 else "wrong" if z < 0 else "undecided, which counts as wrong"
        scored = f"{noun.capitalize()} {example}, {name}, has a score of **{text.number(self.scores[example])}**"
        return f"{said} {scored}: {verdict}, {text.number(abs(self.distances[example]))} from the line."

    def proposed(self, eta: float) -> str:
        """What one step of the machine would do."""
        digits = max(3, int(np.ceil(-np.log10(abs(self.objective_after - self.objective) or 1))))  # they must differ
        change = f"from {self.objective:.{digits}f} to {self.objective_after:.{digits}f}"
        if not self.room:
            return f"One step would take the objective {change}, but the new line does not fit this picture."
        if (self.after == self.theta).all():
            return "One step would change nothing: every agreement is above 1, and λ is 0."
        if self.objective_after > self.objective:
            return f"One step of size {eta:.3g} would raise the objective {change}: it is too long."
        return f"One step of size {eta:.3g} would lower the objective {change}."


def on_plane(place: ArrayLike, offset: float, low: Floats, high: Floats) -> dict[str, float]:
    """The line whose weights are nearest to a place between two corners of their plane, with this offset."""
    at = np.clip(place, low, high)
    length = float(np.clip(np.hypot(*at), max(LENGTHS[0], abs(offset) / SHIFTS), LENGTHS[1]))  # no farther than it may
    return {"angle": round(degrees(at), 1), "shift": round(-offset / length, 4), "length": round(length, 4)}


class Arrow:
    """low, high: two corners of the frame, (2,). free: whether the line turns about the middle of the frame, to whose
    right the arrow stands; else about the origin, where it begins."""

    def __init__(self, low: Floats, high: Floats, free: bool) -> None:
        self.low, self.high, self.height = low, high, float((high - low)[1])
        self.middle, self.aside = ((low + high) / 2, ASIDE * self.height) if free else (0 * low, 0.0)

    def ends(self, theta: Floats, length: float) -> tuple[Floats, Floats]:
        """Tail and tip, (2,) each, for theta, (3,), whose weights are so long."""
        unit = theta[:2] / length
        away, (foot, _, end) = float(self.middle @ unit + theta[2] / length), self._way(unit)
        tail = foot - away * unit
        return tail, tail + self._reach(length, end + away) * unit

    def shifted(self, angle: float, shift: float) -> float:
        """The shift nearest to this one with which both ends are in the frame."""
        normal = from_normal(angle, 0.0)[:2]
        middle = float(normal @ self.middle)
        _, nearest, farthest = self._way(normal, EDGES[0])
        at = middle + np.clip(shift - middle, nearest, farthest - self._reach(0.0))
        return float(np.clip(round(float(at), 2), -SHIFTS, SHIFTS))

    def kept(self, angle: float, shift: float, length: float) -> tuple[float, float]:
        """What turning it keeps: how far the line is from the middle, and on which side of that the tip is."""
        away = shift - float(from_normal(angle, 0.0)[:2] @ self.middle)
        return away, float(np.copysign(1.0, away + self._reach(length)))

    def turned(self, tip: Floats, kept: tuple[float, float], length: float) -> dict[str, float]:
        """The line of which the tip is there, (2,); length: of the weights before."""
        (away, side), middle = kept, self.middle
        along = side * max(float((tip - middle) @ (tip - middle)) - self.aside**2, 0.0) ** 0.5
        if self._reach(0.0) < along - away < self._reach(np.inf):
            length = along - away
        else:  # then the tip goes that way, but not so far
            along = away + self._reach(length)
        angle = round((degrees(tip - middle) + degrees((along, self.aside)) + 180) % 360 - 180)
        shift = self.shifted(angle, away + float(from_normal(angle, 0.0)[:2] @ middle))
        return {"angle": angle, "shift": shift, "length": round(float(np.clip(length, *LENGTHS)), 1)}

    def _way(self, normal: Floats, edge: float = EDGES[1]) -> tuple[Floats, float, float]:
        """Where it stands, (2,), when the line passes through the middle; where on its way the frame begins and ends.
        edge: a share of the frame left out on every side."""
        low, high = self.low + edge * (self.high - self.low), self.high - edge * (self.high - self.low)
        foot = self.middle + self.aside * normal[::-1] * [1, -1]
        with np.errstate(divide="ignore"):
            ends = np.sort([(low - foot) / normal, (high - foot) / normal], axis=0)
        return foot, float(ends[0].max()), float(ends[1].min())

    def _reach(self, length: float, room: float = np.inf) -> float:
        """How long it is drawn: as long as theta, where that can be seen and fits."""
        return float(np.clip(min(length, room), *np.multiply(REACHES, self.height)))
