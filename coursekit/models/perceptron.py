"""A run of the perceptron, one visit at a time, and what it says of each kind of visit."""

import numpy as np

from coursekit.algorithms import bound, perceptron, trace
from coursekit.core import risks, text
from coursekit.models.shared import Dataset, cached, ended

PASSES = 30
# What is just inside the view, the same wherever the slider puts the clouds.
FRAMED = {"blobs": np.array([[-1.8, -3.2], [5.8, 5.2]]), "mails": np.array([[-0.24, 0.15], [1.45, 2.72]])}
novikoff = cached(lambda data: bound.mistake_bound(data.X, data.y))


class PerceptronVisit:
    """A run of the perceptron after some of its visits, how far it reaches along theta*, and its mistake bound."""

    def __init__(self, data: Dataset, original: Dataset, eta: float, lam: float, seed: int, dataset: str, order: str,
                 visit: int) -> None:
        self.data = data
        self.framed = FRAMED.get(dataset, original.X)  # places that the view has room for
        self.trace, self.bound = _trace(data, order, seed, eta, lam), novikoff(data)
        self.visit = min(visit, len(self.trace.visits))
        self.theta, self.mistakes = self.trace.theta_at(self.visit), self.trace.mistakes_at(self.visit)
        self.row = self.trace.row(self.visit) if self.visit else None
        self.misclassified = risks.misclassified(data.y * (data.X @ self.theta[:2] + self.theta[2]))
        thetas = np.vstack([np.zeros(3), self.trace.thetas])
        self.along = thetas @ self.bound.theta  # the projection on theta*, after 0, 1, ... mistakes
        self.rest = np.linalg.norm(thetas - self.along[:, None] * self.bound.theta, axis=1)

    def sentence(self, eta: float, lam: float, noun: str, dashed: bool, bounded: bool) -> str:
        """What the machine has seen, why theta was changed now or why not, and how far the run has come."""
        row, n, wrong = self.row, len(self.data), self.misclassified
        if row is None:
            return (f"The machine has seen no {noun} yet: θ is {text.vector(self.theta)}, every score is 0, and that "
                    f"counts as wrong. Press Step to show it the first of {n}.")
        said = (f"The machine has seen **{text.counted(row.visit, noun)}** and made "
                f"**{text.counted(self.mistakes, 'mistake')}**. ")
        who = f"The {noun} in the ring is {self.data.classes[int(row.y > 0)]} and "
        if row.mistake:
            shrinks = f"shrinks by {100 * eta * lam:.3g}% and " if lam else ""
            jumps = ", and the line jumps from the dashed one" * dashed
            said += f"{who}had a score of {text.number(row.f)}, so θ {shrinks}becomes {text.vector(row.after)}{jumps}."
        else:
            said += f"{who}has a score of {text.number(row.f)}, which is right: θ stays at {text.vector(row.after)}."
        said += f" Now {wrong or 'none'} of the {n} {'is' if wrong < 2 else 'are'} on the wrong side"
        said += " (hollow)." if wrong and row.after[:2].any() else "."
        if row.visit == len(self.trace.visits):
            how = ended(self.trace.status).removeprefix("converged: ").replace(":", ",").replace("theta", "θ")
            said += f" The run ends here: {how}."
        if lam:
            said += " With λ above 0, θ shrinks at each mistake, and the mistake bound no longer holds."
        elif bounded and np.isfinite(self.bound.mistakes):
            said += f" Mistake bound: at most {self.bound.mistakes:.0f}."
        if eta != 1 and not lam:
            said += " With λ = 0, η changes the length of θ but no decision."
        return said


@cached
def _trace(data: Dataset, order: str, seed: int, eta: float, lam: float) -> trace.Trace:
    indices = {"reversed": np.arange(len(data))[::-1], "one class first": np.argsort(-data.y, kind="stable")}
    return perceptron.perceptron(data.X, data.y, PASSES, indices.get(order, order), eta=eta, lam=lam, seed=seed)
