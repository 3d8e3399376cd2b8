"""Chapter 9: the highest score wins; beside it each pair of classes votes, and here and there nobody wins."""

from typing import Any

import numpy as np

from coursekit import plots
from coursekit.core import datasets, text
from coursekit.explorers.framework import Dataset, Editing, Hold, Point, Stroke, View, controls
from coursekit.models.multiclass import ARGMAX, ONE, REST, RULES, VIEW, RulesCompared

NOTHING = "nothing"  # what a click adds at the start: it asks instead
ASKED = min(VIEW.values())  # so far out one may ask: the place is in the picture, however many classes there are


def _asked(_regions: plots.Regions, place: Point) -> dict[str, Any]:
    return dict(zip(("x1", "x2"), np.clip(place, -ASKED, ASKED).round(1).tolist(), strict=True))


class MulticlassExplorer(Editing[RulesCompared], layout="multiclass"):
    """Who gets which part of the plane: the class with the highest score, or the one with the most votes.

    x1 and x2 are the place that is asked about; a click or drag puts it there. Below the plane are the scores of the
    rule on a level walk through that place (one-vs-one: sums of scores). beside: what stands beside it, the
    scores of the place, or the plane and the place with the votes of one-vs-one.
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
    beside = controls.choice("beside it", ("scores", "votes"))
    x1 = controls.real("x1", 1.5, -ASKED, ASKED, 0.1, "x1 of the place that is asked about")
    x2 = controls.real("x2", 2.5, -ASKED, ASKED, 0.1, "x2 of the place that is asked about")
    label = controls.choice("click adds", (NOTHING, *map(str, range(max(VIEW)))), tucked=True)
    takes_data = ""
    regions = View(plots.Regions, click="edit", grip=lambda now: (now.x1, now.x2), compared=True)
    side = View(plots.Side, click=lambda _plot, place: {"x1": float(np.clip(place[0], -ASKED, ASKED).round(1))})
    scores = View(plots.PlaceBars)
    votes = View(plots.Regions, click=_asked, grip=lambda now: (now.x1, now.x2))
    tally = View(plots.PlaceBars)

    @staticmethod
    def data(separability: float, seed: int, classes: int, each: int) -> Dataset:
        return datasets.multiclass_blobs(each * classes, classes, separability, seed=seed)

    def arrange(self) -> None:
        """The walk lies below the plane, from edge to edge."""
        self.axes["regions"].apply_aspect()
        plane, side = (self.axes[name].get_position().bounds for name in ("regions", "side"))
        self.axes["side"].set_position((plane[0], side[1], plane[2], side[3]))

    def grab(self, stroke: Stroke) -> Hold | None:
        """A drag of an example moves it. Elsewhere a click adds one of the chosen class; where "nothing" is
        chosen, and in the second plane, a click or drag asks about that place."""
        near = stroke.nearest(np.vstack([self.state.data.X, [self.x1, self.x2]]))
        if stroke.axes is self.plane and self._chosen() is None and near in (None, len(self.state.data)):
            return lambda now: self.set(**_asked(self.regions, now.at))
        return super().grab(stroke)

    def _chosen(self) -> int | None:
        return None if self.label == NOTHING or int(self.label) >= self.classes else int(self.label)

    def add(self, x1: float | None = None, x2: float | None = None, label: Any = None) -> None:
        """A new example, by default at the plus, of the class label (None: the chosen one; else class 0)."""
        at = (self.x1 if x1 is None else x1, self.x2 if x2 is None else x2)
        super().add(*at, (self._chosen() or 0) if label is None else label)

    def show(self, found: RulesCompared, lam: float, classes: int, rule: str, beside: str, x1: float, x2: float) -> str:
        if self.stale(classes):
            view, names = VIEW[classes], tuple(f"class {name}" for name in found.data.classes)
            for plot in (self.regions, self.votes):
                plot.frame((-view, view, -view, view), names)
            self.side.ax.set(xlim=(-view, view), ylim=(-1.35, 1.1))
            self.scores.frame(names, -0.5, 0.5)
            self.tally.frame(names, 0, classes - 1)
        chosen, place = RULES.index(rule), np.array([x1, x2])
        doubts = [("nobody claims it", found.nobody), ("several claim it", found.several)] if rule == REST else []
        self.regions.show(
            found.areas, found.several if rule == ONE else (), doubts, found.data, found.predicted[chosen], place,
            None if rule == ARGMAX else found.rules[chosen].thetas, own=rule == REST, walk=True,
        )
        self.side.show(found.walk, found.heights, found.walked, x1)
        values = (found.rest_scores, found.vote_sums, found.argmax_scores)[chosen]
        self.scores.show((values / found.unit).clip(-0.5, 0.5), list(map(text.number, values)), found.at[chosen])
        pairs = [f"{a} or {b}" for a, b in found.rules[1].pairs] if classes == 3 else []
        self.votes.show(found.vote_areas, found.tied, place=place, thetas=found.rules[1].thetas, lines=pairs)
        winner = int(found.lead[0]) if len(found.lead) == 1 else None
        self.tally.show(found.votes, [f"{v}" for v in found.votes], winner)
        said = f"At {text.vector(place)}, {found.about(rule, lam)}"
        return f"{said} In the vote, {found.vote()}. {found.ties()}" if beside == "votes" and rule != ONE else said
