"""Chapter 9: the same points under three rules for many classes, and what each says about one place.

Longer than others: there are three rules, each with a picture and a sentence of its own.
"""

from functools import partial
from typing import Any

import numpy as np

from coursekit import plots
from coursekit.algorithms import descent, multiclass, multiclass_perceptron
from coursekit.core import datasets, steps, text
from coursekit.explorers.framework import Dataset, Editing, Floats, Objective, Point, Stroke, View, cached, controls
from coursekit.plots.regions import DISAGREE, SEVERAL, SURE

STEPS = 40  # of gradient descent, for every line
PASSES = 20  # of the multi-class perceptron, at most
VIEW = {3: 7.0, 4: 8.0, 5: 9.0}  # by the number of classes, the picture shows -VIEW to VIEW both ways
NOTHING = "nothing"  # what a click adds at the start: it asks instead
RULES = ("one against rest", "one against one", "linear argmax")
Rules = tuple[multiclass.Argmax, multiclass.Votes, multiclass_perceptron.MulticlassPerceptron]


class RulesCompared:
    """Three rules for the same examples, in the order of RULES, what they say of the plane, and of one place."""

    def __init__(
        self, data: Dataset, eta: float, lam: float, classes: int, rule: str, x1: float, x2: float
    ) -> None:
        self.data = data
        self.rules = rest, one, argmax = _rules(data, eta, lam)
        self.predicted = np.array([r.predict(data.X) for r in self.rules])
        self.misclassified = [int(np.sum(p != data.y)) for p in self.predicted]
        answers, held = _maps(self.rules, VIEW[classes])
        chosen, place = RULES.index(rule), np.array([[x1, x2]])
        self.answers, self.held = answers[chosen], held[chosen]  # of the chosen rule, all over the plane
        self.nobody, self.several = ([float(np.mean(h == k)) for h in held] for k in (0, 2))  # shares of the plane
        self.same = (answers == answers[0]).all(axis=0)  # where the rules agree
        self.agreed = _agreed(answers)  # on which class, and whether they do
        self.at = [int(r.predict(place)[0]) for r in self.rules]  # whose the place is
        self.rest_scores, self.argmax_scores = rest.scores(place)[0], argmax.scores(place)[0]
        self.votes, self.vote_sums = one.votes(place)[0], one.scores(place)[0]
        self.walk = np.linspace(-VIEW[classes], VIEW[classes], 401)  # from left to right, through the place
        along = np.column_stack([self.walk, np.full(len(self.walk), x2)])
        scores = self.rules[chosen].scores(along)
        self.heights = scores / max(np.abs(scores).max(), 1e-9)
        self.walked = self.rules[chosen].predict(along)  # whose they are


def _asked(regions: plots.Regions, place: Point) -> dict[str, Any]:
    """The click that asks about a place."""
    x1, x2 = (float(round(x, 1)) for x in np.clip(place, regions.extent[0], regions.extent[1]))
    return {"x1": x1, "x2": x2}


class MulticlassExplorer(Editing[RulesCompared]):
    """Three rules for many classes: whose region is where, where signs or votes leave it open, who decides.

    x1 and x2 are the place that is asked about; a click puts it there.
    Beside the plane the scores of the rule on a level walk through that place (one against one: sums of scores).
    The lines of the first two rules come from 40 steps of gradient descent of size eta on mean hinge loss
    + lam/2 ||w||^2; the scores of the third from at most 20 passes of the multi-class perceptron.
    The examples can be changed, see `Editing`.
    """

    separability = controls.separability(0.5)
    eta = controls.eta(0.3)
    lam = controls.lam(0.01)
    seed = controls.seed()
    classes = controls.whole("classes", 3, min(VIEW), max(VIEW), "how many classes", renews=True)
    each = controls.whole("per class", 20, 5, 20, "how many examples of every class", renews=True)
    rule = controls.choice("rule", RULES)
    x1 = controls.real("x1", 1.5, -VIEW[5], VIEW[5], 0.1, "x1 of the place that is asked about")
    x2 = controls.real("x2", 2.5, -VIEW[5], VIEW[5], 0.1, "x2 of the place that is asked about")
    label = controls.choice("click adds", (NOTHING, *map(str, range(max(VIEW)))), tucked=True)

    size, below = (9.0, 5.2), 3.6
    takes_data = ""
    regions = View(plots.Regions, (0, 0, 0.58, 1), (0.5, 0.5, 0.1, 0.4), "Who gets which part of the plane", 0.1,
                   click="edit", grip=lambda now: (now.x1, now.x2), compared=True, anchor="NW",
                   xlabel="x1", ylabel="x2")
    side = View(plots.regions.Side, (0.58, 0, 1, 1), (0.45, 0.5, 0.1, 0.4), "The scores along the walk", 0.45,
                click=lambda plot, place: {"x1": float(round(place[0], 1))}, xlabel="x1", ylabel="score", yticks=[0])
    disagreement = View(plots.Regions, (0, 0, 0.58, 1), (0.5, 0.1, 0.1, 0.4), "Where the three rules disagree", 0.1,
                        click=_asked, grip=lambda now: (now.x1, now.x2), also="disagreement", anchor="NW",
                        xticks=[], yticks=[])
    scores = View(plots.RuleTable, (0.58, 0, 1, 1), (0.15, 0.1, 0.1, 0.4), "What each rule says at the plus", 0.15,
                  also="disagreement", narrow=3.0)

    @staticmethod
    def data(separability: float, seed: int, classes: int, each: int) -> Dataset:
        return datasets.multiclass_blobs(each * classes, classes, separability, seed=seed)

    model = RulesCompared

    _edits = False  # whether the pointer was pressed to edit, not to ask

    def touch(self, stroke: Stroke) -> None:
        """A drag of an example moves it. Elsewhere a click adds one of the chosen class; where "nothing" is
        chosen, and in the small plane, a click or drag asks about that place."""
        if stroke.first:
            chosen = self._chosen() is not None
            near = stroke.nearest(np.vstack([self.state.data.X, [self.x1, self.x2]]))
            self._edits = stroke.axes is self.plane and (chosen or near not in (None, len(self.state.data)))
        if stroke.axes is self.plane and not self._edits:
            self.set(**_asked(self.regions, stroke.at))
        else:
            super().touch(stroke)

    def _chosen(self) -> int | None:
        """The class that a click adds."""
        return None if self.label == NOTHING or int(self.label) >= self.classes else int(self.label)

    def add(self, x1: float | None = None, x2: float | None = None, label: Any = None) -> None:
        """A new example, by default at the plus, of the class label (None: the chosen one; else class 0)."""
        at = (self.x1 if x1 is None else x1, self.x2 if x2 is None else x2)
        super().add(*at, (self._chosen() or 0) if label is None else label)

    def show(self, found: RulesCompared, lam: float, classes: int, rule: str, x1: float, x2: float) -> str:
        if self.stale(classes):
            view = VIEW[classes]
            for plot in (self.regions, self.disagreement):
                plot.frame((-view, view, -view, view), found.data.classes)
            self.side.ax.set(xlim=(-view, view), ylim=(-1.25, 1.1))
        chosen, place = RULES.index(rule), np.array([x1, x2])
        self.regions.show(
            found.answers, found.held, found.data, found.predicted[chosen], place,
            None if chosen == 2 else found.rules[chosen].thetas, own=chosen == 0,
            doubts={SEVERAL: "votes tie"} if chosen == 1 else {},
            lines=multiclass.borders(found.rules[chosen]), told=partial(_told, found.rules[chosen]), walk=True,
        )
        if "disagreement" in self.shown:
            self.disagreement.show(
                *found.agreed, place=place, doubts={DISAGREE: f"they disagree: {_percent(1 - found.same.mean())}"},
                lines=np.vstack([multiclass.borders(rule) for rule in found.rules]),
                told=lambda places: _agreed(np.array([rule.predict(places) for rule in found.rules])),
            )
        self.side.show(found.walk, found.heights, found.walked, x1)
        votes = [f"{v} ({text.number(round(total, 9))})" for v, total in zip(found.votes, found.vote_sums, strict=True)]
        cells = [*map(text.number, found.rest_scores)], votes, [*map(text.number, found.argmax_scores)]
        if "scores" in self.shown:
            self.scores.show(found.data.classes, cells, found.at, found.misclassified)
        wrong = f"{found.misclassified[chosen]} of {len(found.data)} misclassified"
        others = [f"{rule} says {a}" for rule, a in zip(RULES, found.at, strict=True) if a != found.at[chosen]]
        agree = f"But {', '.join(others)}" if others else "All three rules agree here"
        where = text.vector(place)
        told = about_rest, about_one, partial(about_argmax, lam=lam)
        return f"{told[chosen](found, wrong, where)} {agree}."


def about_rest(found: RulesCompared, wrong: str, where: str) -> str:
    """How many examples it gets wrong, what signs leave open, and who claims the place."""
    claims = [name for name, f in zip(found.data.classes, found.rest_scores, strict=True) if f > 0]
    who = f"{_and(claims)} claim it" if len(claims) > 1 else f"only {claims[0]} claims it" if claims else "nobody does"
    return (f"One against rest, {len(found.data.classes)} lines: {wrong}. By signs alone nobody claims "
            f"{_percent(found.nobody[0])} of the plane, several claim {_percent(found.several[0])}; the highest score "
            f"decides. At {where} {who}, and {found.at[0]} has the highest score.")


def about_one(found: RulesCompared, wrong: str, where: str) -> str:
    """How many examples it gets wrong, where votes tie, and how the vote at the place goes."""
    most = found.votes.max()
    lead = [name for name, v in zip(found.data.classes, found.votes, strict=True) if v == most]
    votes = "vote" if most == 1 else "votes"
    who = f"{lead[0]} wins with {most} {votes}"
    if len(lead) > 1:
        who = f"{_and(lead)} tie with {most} {votes} each, and the sum of scores picks {found.at[1]}"
    return (f"One against one, {len(found.rules[1].pairs)} lines: {wrong}. Votes tie on {_percent(found.several[1])} "
            f"of the plane, where the sum of scores decides. At {where} {who}.")


def about_argmax(found: RulesCompared, wrong: str, where: str, lam: float) -> str:
    """How many examples it gets wrong, how it was learned, and who wins at the place."""
    run = found.rules[2]
    eta = "" if lam else " With lambda = 0, eta changes no decision."
    return (f"Linear argmax, {len(found.data.classes)} scores learned together: {wrong} after {run.mistakes} updates "
            f"({run.status}).{eta} Off the borders one score is highest: nothing is left open. "
            f"At {where} {found.at[2]} wins.")


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %" if share == 0 or share >= 0.001 else "under 0.1 %"


def _and(names: list[str]) -> str:
    return f"{', '.join(names[:-1])} and {names[-1]}"


@cached
def _rules(data: Dataset, eta: float, lam: float) -> Rules:
    def fit(X: Floats, y: Floats) -> Floats:
        return descent.gradient_descent(Objective(X, y, lam=lam), steps.constant(eta), STEPS).best_theta

    learned = multiclass_perceptron.multiclass_perceptron(data, PASSES, eta=eta, lam=lam)
    return multiclass.one_vs_rest(data, fit), multiclass.one_vs_one(data, fit), learned


@cached
def _maps(rules: Rules, view: float) -> tuple[Any, Any]:
    """What each rule says at all places of the picture."""
    told = [_told(rule, plots.Regions.grid((-view, view, -view, view))) for rule in rules]
    return np.array([answers for answers, _ in told]), np.array([held for _, held in told])


def _told(rule: multiclass.Argmax | multiclass.Votes, places: Floats) -> tuple[Any, Any]:
    """The classes of places, and how many classes claim each before scores decide."""
    return rule.predict(places), rule.claims(places)


def _agreed(answers: Any) -> tuple[Any, Any]:
    """The classes of places where the rules agree (elsewhere 0), and whether they do. answers: (3, n), by rule."""
    same = (answers == answers[0]).all(axis=0)
    return np.where(same, answers[0], 0), np.where(same, SURE, DISAGREE)
