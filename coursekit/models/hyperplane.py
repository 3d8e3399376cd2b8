"""A line that a hand has turned and shifted: its errors, and where one step of the machine would take it."""

import numpy as np
from numpy.typing import ArrayLike

from coursekit.algorithms import descent
from coursekit.core import datasets, line, losses, risks, steps, text
from coursekit.models.shared import YOURS, Dataset, Floats, Objective, degrees
from coursekit.plots.boundary import within

SHIFTS = 5.0  # the line passes no farther from the origin
LENGTHS = 0.1, 10.0  # of the weights
# The middle of what is seen, and half of its height, on a wide page and on a phone.
FRAMES = {"blobs": (0.3, 0.25, 4.75, 6.6), "mails": (0.6, 1.45, 1.4, 1.7), "one vector": (1.8, 1.5, 4.0, 4.6)}
WEIGHTS = {"mails": (-0.2, 2.0, 0.25, 1.7)}  # what is seen of the weights
WINDOWS = (-3.2, 3.2, -2.2, 2.2), (-15.2, 15.2, -10.4, 10.4)  # without that, or when theta lies outside of it


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
        self.theta = line.from_normal(angle, 0.0 if dataset == "one vector" else shift, length)
        far = data.y * (objective.Z @ self.theta) / length
        self.distances = np.round(far, 4 if dataset == "one vector" else 12)  # at a right angle 0, not 9e-06
        self.scores = length * self.distances
        self.agreements = data.y * self.scores
        self.misclassified = risks.misclassified(self.agreements)
        self.error = float(losses.zero_one(self.agreements).mean())
        path = descent.gradient_descent(objective, steps.constant(eta), steps=1, start=self.theta)
        self.objective, self.objective_after = path.values[0], path.values[-1]
        self.after = path.thetas[-1]  # theta, when the machine has made its step
        self.ahead = line.normal_form(self.after)  # angle, shift and length then, and whether the controls can show it
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
