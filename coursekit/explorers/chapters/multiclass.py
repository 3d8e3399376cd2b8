"""Chapter 8: the same points under three rules for many classes, and what each says about one place."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import ipywidgets as widgets
import numpy as np
from matplotlib.artist import Artist
from matplotlib.figure import Figure
from numpy.typing import NDArray

from coursekit.algorithms.descent import gradient_descent
from coursekit.algorithms.multiclass import (
    Argmax,
    MulticlassPerceptron,
    Votes,
    multiclass_perceptron,
    one_vs_one,
    one_vs_rest,
)
from coursekit.core import datasets, steps
from coursekit.core.objective import Objective
from coursekit.core.text import number, vector
from coursekit.core.validate import Floats
from coursekit.explorers import controls as parts
from coursekit.explorers.editing import Editing, edited
from coursekit.explorers.picture import Stroke
from coursekit.explorers.state import State
from coursekit.plots import Ghost, Regions, figure
from coursekit.plots.lettering import Lettering, Word
from coursekit.plots.regions import DISAGREE, SURE, stripes_key

STEPS = 40  # of gradient descent, for every line
PASSES = 20  # of the multi-class perceptron, at most
VIEW = {3: 7.0, 4: 8.0, 5: 9.0}  # by the number of classes, the picture shows -VIEW to VIEW both ways
NOTHING = "nothing"  # what a click adds at the start: it asks instead
RULES = ("one against rest", "one against one", "linear argmax")


class MulticlassExplorer(Editing):
    """Three rules for many classes: whose region is where, where signs or votes leave it open, who decides.

    Controls: separability, eta, lam, seed, classes (3 to 5), each (examples of every class), rule ("one
    against rest", "one against one", "linear argmax"), x1 and x2 (the place that is asked about; a click
    puts it there).
    The lines of the first two rules come from 40 steps of gradient descent of size eta on mean hinge loss
    + lam/2 ||w||^2; the scores of the third from at most 20 passes of the multi-class perceptron.
    The examples can be changed, see `Editing`.
    """

    renewing = ("classes", "each")

    def controls(self) -> dict[str, widgets.Widget]:
        far = max(VIEW.values())
        return {
            "separability": parts.separability(0.5),
            "eta": parts.eta(0.3),
            "lam": parts.lam(0.01),
            "seed": parts.seed(),
            "classes": parts.whole("classes", 3, min(VIEW), max(VIEW), "how many classes"),
            "each": parts.whole("per class", 20, 5, 20, "how many examples of every class"),
            "rule": parts.choice("rule", list(RULES)),
            "x1": parts.real("x1", 1.5, -far, far, 0.1, "x1 of the place that is asked about"),
            "x2": parts.real("x2", 2.5, -far, far, 0.1, "x2 of the place that is asked about"),
            **self.editing(60, (NOTHING, *map(str, range(max(VIEW))))),
        }

    def original(self, values: Mapping[str, Any]) -> datasets.Dataset:
        return _data(values["separability"], values["seed"], values["classes"], values["each"])

    def touch(self, stroke: Stroke) -> None:
        """A drag of an example moves it. Elsewhere a click adds one of the chosen class; where "nothing" is
        chosen, and in the small plane, a click or drag asks about that place."""
        if stroke.first:
            self._edits = stroke.axes is self.plane and (
                self._chosen() is not None or self.held(stroke.start) is not None
            )
        if self._edits:
            super().touch(stroke)
            return
        far = VIEW[self.classes]
        x1, x2 = (float(round(np.clip(x, -far, far), 1)) for x in stroke.at)
        self.set(x1=x1, x2=x2)

    _edits = False  # whether the pointer was pressed to edit, not to ask

    def _chosen(self) -> int | None:
        """The class that a click adds."""
        return None if self.label == NOTHING or int(self.label) >= self.classes else int(self.label)

    def add(self, x1: float | None = None, x2: float | None = None, label: int | None = None) -> None:
        """A new example, by default at the plus, of the class label (None: the chosen one; else class 0)."""
        at = (self.x1 if x1 is None else x1, self.x2 if x2 is None else x2)
        super().add(*at, (self._chosen() or 0) if label is None else label)

    _frame: tuple[int, str] | None = None

    def draw_once(self) -> tuple[Figure, list[Artist]]:
        fig = figure(9.0, 4.9)
        self.regions = Regions(fig.add_axes((0.07, 0.105, 0.41, 0.753), xlabel="x1", ylabel="x2"))
        self.title = fig.text(0.06, 0.945, "", weight="bold", fontsize=11)
        self.disagreement = Regions(fig.add_axes((0.525, 0.505, 0.196, 0.36)))
        self.disagreement.ax.tick_params(labelbottom=False, labelleft=False, length=0)
        fig.text(0.52, 0.945, "Where the three rules disagree", weight="bold", fontsize=11)
        fig.text(0.52, 0.43, "Scores and votes at the plus", weight="bold", fontsize=11)
        key = fig.add_axes((0.735, 0.505, 0.26, 0.36), xlim=(0, 1), ylim=(0, 1))
        key.legend(handles=stripes_key(), loc="lower left", borderaxespad=0, bbox_to_anchor=(0.0, 0.0))
        table = fig.add_axes((0.525, 0.01, 0.47, 0.4), xlim=(0, 1), ylim=(0, 1))
        self.counts, self.answers = Lettering(key), Lettering(table)
        for ax in (key, table):
            ax.axis("off")
        small = self.disagreement
        self.plane = self.regions.ax
        return fig, [*self.regions.artists, small.ground, small.names, small.place, self.counts, self.answers]

    @staticmethod
    def compute(
        separability: float, eta: float, lam: float, seed: int, classes: int, each: int, rule: str, x1: float,
        x2: float, example: int, label: str, edits: str,
    ) -> dict[str, Any]:
        data, done_edits, problem = edited(_data(separability, seed, classes, each), edits)
        rules = _rules(data, eta, lam)
        predicted, answers, held = _maps(data, rules, VIEW[classes])
        chosen = RULES.index(rule)
        place = np.array([[x1, x2]])
        rest, one, scores = rules
        return {
            "data": data,
            "done_edits": done_edits,
            "problem": problem,
            "example": min(example, len(data) - 1),
            "rules": rules,
            "predicted": predicted,
            "misclassified": [int(np.sum(p != data.y)) for p in predicted],
            "answers": answers[chosen],
            "held": held[chosen],
            "nobody": [float(np.mean(h == 0)) for h in held],
            "several": [float(np.mean(h == 2)) for h in held],
            "same": (answers == answers[0]).all(axis=0),
            "agreed": answers[0],
            "at": [int(r.predict(place)[0]) for r in rules],
            "rest_scores": rest.scores(place)[0],
            "votes": one.votes(place)[0],
            "vote_sums": one.scores(place)[0],
            "argmax_scores": scores.scores(place)[0],
        }

    def show(self, state: State) -> str:
        data, place = state.data, (state.x1, state.x2)
        if self._frame != (state.classes, state.rule):
            self._frame = state.classes, state.rule
            view = VIEW[state.classes]
            for plot in (self.regions, self.disagreement):
                plot.frame((-view, view, -view, view), data.classes)
            self.regions.legend()
            self.title.set_text(f"{state.rule[0].upper()}{state.rule[1:]}")
            self.picture.redraw()
        rest, one, _ = state.rules
        thetas = {RULES[0]: rest.thetas, RULES[1]: one.thetas}.get(state.rule)
        predicted = state.predicted[RULES.index(state.rule)]
        self.regions.show(
            state.answers, state.held, data, predicted, place, thetas, own=state.rule == RULES[0]
        )
        self.disagreement.show(state.agreed, np.where(state.same, SURE, DISAGREE), place=place)
        self.counts.set_words(_counts(state))
        self.answers.set_words(_answers(state))
        return sentence(state)

    def ghosts(self) -> list[Ghost]:
        return self.regions.ghosts()


def _counts(state: State) -> list[Word]:
    rows = [("misclassified", f"of {len(state.data)}")]
    rows += [(rule, f"{wrong}") for rule, wrong in zip(RULES, state.misclassified, strict=True)]
    words = [Word(0.02, 0.97 - 0.125 * k, name, "lm") for k, (name, _) in enumerate(rows)]
    words += [Word(0.85, 0.97 - 0.125 * k, wrong, "rm") for k, (_, wrong) in enumerate(rows)]
    return [*words, Word(0.02, 0.41, f"disagreement: {_percent(1 - state.same.mean())}", "lm")]


def _answers(state: State) -> list[Word]:
    """A table: for every class what each rule counts for it; an arrow at the class that wins."""
    edges = (0.3, 0.7, 0.965)
    heads = ("rest", "one: votes (sum)", "argmax")
    words = [Word(0.0, 0.94, "class", "lm"), *(Word(*w, "rm") for w in zip(edges, (0.94,) * 3, heads, strict=True))]
    for c, name in enumerate(state.data.classes):
        y = 0.94 - 0.155 * (c + 1)
        cells = (
            number(state.rest_scores[c]),
            f"{state.votes[c]} ({number(round(state.vote_sums[c], 9))})",
            number(state.argmax_scores[c]),
        )
        words.append(Word(0.05, y, name, "lm"))
        for winner, x, cell in zip(state.at, edges, cells, strict=True):
            words += [Word(x, y, cell, "rm"), Word(x + 0.005, y, "◂" if winner == c else "", "lm")]
    return words


def sentence(state: State) -> str:
    """How the chosen rule does, what signs or votes leave open, and what happens at the place."""
    chosen = RULES.index(state.rule)
    about = (_about_rest, _about_one, _about_argmax)[chosen]
    wrong = f"{state.misclassified[chosen]} of {len(state.data)} misclassified"
    said = about(state, wrong)
    others = [f"{rule} says {a}" for rule, a in zip(RULES, state.at, strict=True) if a != state.at[chosen]]
    return f"{said} {'But ' + ', '.join(others) if others else 'All three rules agree here'}."


def _about_rest(state: State, wrong: str) -> str:
    claims = [name for name, f in zip(state.data.classes, state.rest_scores, strict=True) if f > 0]
    who = f"{_and(claims)} claim it" if len(claims) > 1 else f"only {claims[0]} claims it" if claims else "nobody does"
    return (f"One against rest, {state.classes} lines: {wrong}. By signs alone nobody claims "
            f"{_percent(state.nobody[0])} of the plane, several claim {_percent(state.several[0])}; the highest score "
            f"decides. At {_place(state)} {who}, and {state.at[0]} has the highest score.")


def _about_one(state: State, wrong: str) -> str:
    lead = [name for name, v in zip(state.data.classes, state.votes, strict=True) if v == state.votes.max()]
    votes = "vote" if state.votes.max() == 1 else "votes"
    who = f"{lead[0]} wins with {state.votes.max()} {votes}"
    if len(lead) > 1:
        who = f"{_and(lead)} tie with {state.votes.max()} {votes} each, and the sum of scores picks {state.at[1]}"
    return (f"One against one, {len(state.rules[1].pairs)} lines: {wrong}. Votes tie on {_percent(state.several[1])} "
            f"of the plane, where the sum of scores decides. At {_place(state)} {who}.")


def _about_argmax(state: State, wrong: str) -> str:
    run = state.rules[2]
    eta = "" if state.lam else " With lambda = 0, eta changes no decision."
    return (f"Linear argmax, {state.classes} scores learned together: {wrong} after {run.mistakes} updates "
            f"({run.status}).{eta} Off the borders one score is highest: nothing is left open. "
            f"At {_place(state)} {state.at[2]} wins.")


def _place(state: State) -> str:
    return vector(np.array([state.x1, state.x2]))


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %" if share == 0 or share >= 0.001 else "under 0.1 %"


def _and(names: list[str]) -> str:
    return f"{', '.join(names[:-1])} and {names[-1]}"


@lru_cache(maxsize=8)
def _data(separability: float, seed: int, classes: int, each: int) -> datasets.Dataset:
    return datasets.multiclass_blobs(each * classes, classes, separability, seed=seed)


@lru_cache(maxsize=8)
def _rules(data: datasets.Dataset, eta: float, lam: float) -> tuple[Argmax, Votes, MulticlassPerceptron]:
    def fit(X: Floats, y: Floats) -> Floats:
        return gradient_descent(Objective(X, y, lam=lam), steps.constant(eta), STEPS).best_theta

    return (
        one_vs_rest(data, fit),
        one_vs_one(data, fit),
        multiclass_perceptron(data, PASSES, eta=eta, lam=lam),
    )


@lru_cache(maxsize=8)
def _maps(
    data: datasets.Dataset, rules: tuple[Argmax, Votes, MulticlassPerceptron], view: float
) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.intp]]:
    """For each rule the classes of the examples, the classes of the places in the picture, and how many
    classes hold each place before scores decide: 0, 1, or 2 for several."""
    places = Regions.grid((-view, view, -view, view))
    rest, one, _ = rules
    held = (
        np.minimum((rest.scores(places) > 0).sum(axis=1), 2),
        1 + one.ties(places),
        np.ones(len(places), np.intp),
    )
    return (
        np.array([rule.predict(data.X) for rule in rules]),
        np.array([rule.predict(places) for rule in rules]),
        np.array(held),
    )
