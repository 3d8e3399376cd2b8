"""Three rules for more than two classes: which parts of the plane each gives them, and how a vote goes."""

from functools import reduce

import numpy as np

from coursekit.algorithms import descent, multiclass, multiclass_perceptron
from coursekit.core import steps, text
from coursekit.models.shared import Dataset, Floats, Objective, cached, ended
from coursekit.plots.regions import Pieces, size

STEPS = 40  # of gradient descent, for every line
PASSES = 20  # of the multi-class perceptron, at most
VIEW = {3: 7.0, 4: 8.0, 5: 9.0}  # by the number of classes, the picture shows -VIEW to VIEW both ways
RULES = REST, ONE, ARGMAX = ("one-vs-rest", "one-vs-one", "linear argmax")
Rules = tuple[multiclass.Argmax, multiclass.Votes, multiclass_perceptron.MulticlassPerceptron]
SQUARE = np.array([(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)])


class RulesCompared:
    """Three rules for the same examples, in the order of RULES, what they say of the plane, and of one place."""

    def __init__(self, data: Dataset, eta: float, lam: float, classes: int, rule: str, x1: float, x2: float) -> None:
        self.data = data
        self.rules = _rules(data, eta, lam)
        self.predicted = np.array([r.predict(data.X) for r in self.rules])
        self.misclassified = [int(np.sum(p != data.y)) for p in self.predicted]
        self.wrong = [f"**{count}** of {len(data)} wrong" for count in self.misclassified]  # in words
        chosen, place, view = RULES.index(rule), np.array([[x1, x2]]), VIEW[classes]
        told = [_parts(r, view) for r in self.rules]
        self.areas, self.nobody, self.several = told[chosen]  # pieces of the plane, by class; claimed by none, by more
        self.vote_areas, _, self.tied = told[1]  # where several classes have the most votes
        self.shares = [[sum(map(size, pieces)) / (2 * view) ** 2 for pieces in parts[1:]] for parts in told]
        self.at = [int(r.predict(place)[0]) for r in self.rules]  # whose the place is
        self.rest_scores, self.vote_sums, self.argmax_scores = (r.scores(place)[0].round(9) for r in self.rules)
        self.votes = self.rules[1].votes(place)[0]
        self.lead = np.flatnonzero(self.votes == self.votes.max())  # the classes with the most votes
        self.walk = np.linspace(-view, view, 401)  # from left to right, through the place
        along = np.column_stack([self.walk, np.full(len(self.walk), x2)])
        corners = self.rules[chosen].scores(view * SQUARE)  # where linear scores are the largest
        self.unit = float(max(np.abs(corners).max(), 1e-9))
        self.heights = self.rules[chosen].scores(along) / self.unit
        self.walked = self.rules[chosen].predict(along)  # whose they are

    def about(self, rule: str, lam: float) -> str:
        """Who gets the place and why, how many examples go wrong, and what is open or how the rule was learned."""
        if rule == ONE:
            lines = len(self.rules[1].pairs)
            return f"{self.vote()}. One-vs-one, with {lines} lines, gets {self.wrong[1]}. {self.ties()}"
        if rule == ARGMAX:
            run, eta = self.rules[2], "" if lam else " With λ = 0, η changes no decision."
            return (f"class **{self.at[2]}** has the highest score, **{text.number(self.argmax_scores.max())}**. "
                    f"Learned together, the {len(self.data.classes)} scores get {self.wrong[2]} after {run.mistakes} "
                    f"updates ({ended(run.status)}).{eta}")
        own = [name for name, f in zip(self.data.classes, self.rest_scores, strict=True) if f > 0]
        who = f"classes {_and(own)} claim" if own[1:] else f"only class {own[0]} claims" if own else "nobody claims"
        first = "it" if len(own) == 1 else f"class **{self.at[0]}**"
        nobody, several = map(_percent, self.shares[0])
        return (f"{who} the place, and {first} has the highest score, **{text.number(self.rest_scores.max())}**. "
                f"One-vs-rest, with {len(self.data.classes)} lines, gets {self.wrong[0]}. By the signs alone, nobody "
                f"claims {nobody} of the picture, and several classes claim {several}.")

    def ties(self) -> str:
        return f"Votes tie on {_percent(self.shares[1][1])} of the picture, where the sum of scores decides."

    def vote(self) -> str:
        lead, votes = [self.data.classes[c] for c in self.lead], text.counted(self.votes.max(), "vote")
        if len(lead) > 1:
            return f"classes {_and(lead)} tie with **{votes}** each, and the sum of scores picks class {self.at[1]}"
        return f"class **{lead[0]}** wins with **{votes}**"


def _percent(share: float) -> str:
    return f"{100 * share:.1f}%" if share < 1e-12 or share >= 0.001 else "under 0.1%"


def _and(names: list[str]) -> str:
    return f"{', '.join(names[:-1])}{',' * (len(names) > 2)} and {names[-1]}"


@cached
def _rules(data: Dataset, eta: float, lam: float) -> Rules:
    def fit(X: Floats, y: Floats) -> Floats:
        return descent.gradient_descent(Objective(X, y, lam=lam), steps.constant(eta), STEPS).best_theta

    learned = multiclass_perceptron.multiclass_perceptron(data, PASSES, eta=eta, lam=lam)
    return multiclass.one_vs_rest(data, fit), multiclass.one_vs_one(data, fit), learned


@cached
def _parts(rule: multiclass.Argmax | multiclass.Votes, view: float) -> tuple[list[Pieces], list[Floats], list[Floats]]:
    """Convex pieces of the square that is seen: for each class those that it gets, those that nobody claims, and those
    that several do. A vote leaves those to nobody that several lead; a score decides everywhere."""
    square, k = view * SQUARE, len(rule.classes)
    if isinstance(rule, multiclass.Votes):
        cells = [square]
        for theta in rule.thetas:
            cells = [half for cell in cells for half in (part(cell, theta), part(cell, -theta)) if len(half)]
        votes = rule.votes(np.array([cell.mean(axis=0) for cell in cells]))
        lead = votes == votes.max(axis=1, keepdims=True)
        winners = np.where(lead.sum(axis=1) == 1, lead.argmax(axis=1), k)
        *of, tied = ([cells[i] for i in np.flatnonzero(winners == c)] for c in range(k + 1))
        return list[Pieces](of), [], tied
    others = [[rule.thetas[b] for b in range(k) if b != c] for c in range(k)]
    own = [reduce(part, [rule.thetas[c] - theta for theta in others[c]], square) for c in range(k)]
    below = [part(region, -rule.thetas[c]) for c, region in enumerate(own)]
    above = []
    for c, region in enumerate(own):
        sure = part(region, rule.thetas[c])
        for theta in others[c]:
            above.append(part(sure, theta))
            sure = part(sure, -theta)
    return [[region] if len(region) else [] for region in own], list(filter(len, below)), list(filter(len, above))


def part(polygon: Floats, theta: Floats) -> Floats:
    """The part of a convex polygon, (m, 2), where theta . (x, 1) >= 0; (0, 2) where there is none.

    >>> part(np.array([[0.0, 0.0], [2.0, 0.0], [0.0, 2.0]]), np.array([1.0, 0.0, -1.0])).tolist()
    [[1.0, 0.0], [2.0, 0.0], [1.0, 1.0]]
    """
    scores = polygon @ theta[:2] + theta[2]
    after, crossed = np.roll(scores, -1), scores * np.roll(scores, -1) < 0
    share = np.divide(scores, scores - after, where=crossed, out=np.zeros(len(scores)))
    met = polygon + share[:, None] * (np.roll(polygon, -1, axis=0) - polygon)
    kept = np.stack([polygon, met], axis=1)[np.column_stack([scores >= 0, crossed])]
    return kept if len(kept) > 2 and size(kept) > 1e-9 else kept[:0]
