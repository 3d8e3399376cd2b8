"""Chapter 10: real data, a threshold to choose on emails that were set aside, and a test part under lock."""

from collections.abc import Hashable, Mapping
from typing import Any

import numpy as np

from coursekit import plots
from coursekit.core import risks
from coursekit.explorers.framework import Explorer, Point, View, Widget, controls
from coursekit.models.real_data import GRADES, LAMS, METHODS, PAIRS, THRESHOLDS, Choice, altered

PRICES = [1.0, 2.0, 3.0, 5.0, 10.0, 20.0, 30.0, 50.0, 100.0]


def _to_threshold(_plot: plots.Cut | plots.Bill, place: Point) -> dict[str, float]:
    return {"threshold": float(THRESHOLDS[np.abs(THRESHOLDS - place[0]).argmin()])}


class RealDataExplorer(Explorer[Choice], layout="real_data"):
    """Where to cut: the scores of examples that were set aside, a threshold, and what it costs.

    Scores above the threshold are held back. price: what a negative example that is held back costs, where a positive
    one that gets through costs 1. A filter learns from the training part; the threshold, lambda and method are chosen
    on the validation part. open_test() shows the present choice on the test part instead; `state.opened` counts how
    often that was done, and no reset takes it back.
    seed: which examples fall into which part. separability other than 0 moves the classes of the real data, see
    `Dataset.moved_apart`. Features are standardized by the training part. See `fits` for the methods.
    """

    separability = controls.real("separability", 0.0, -4.0, 2.0, 0.05, "moves the classes apart (< 0: closer)")
    eta = controls.eta(0.3, idle=lambda now: now.method in ("SVM", "least squares"))  # solved exactly
    lam = controls.graded("lambda", 0.01, GRADES, "regularization")
    seed = controls.seed()
    threshold = controls.real("cut at", 0.0, -3.0, 3.0, 0.05, "emails that score above this are held back")
    price = controls.graded("a lost ham costs", 1.0, PRICES, "as much as this many spam let in")
    dataset = controls.choice("data", PAIRS)
    features = controls.choice("features", ("all", "two"))
    method = controls.choice("method", METHODS)
    takes_data = "any"
    cut = View(plots.Cut, click=_to_threshold)
    shares = View(plots.Shares)
    bill = View(plots.Bill, click=_to_threshold, compared=True)
    curves = View(lambda ax: plots.TwoErrors(ax, (-4, 0), ("training:", "validation:")), compared=True,
                  click=lambda plot, at: {"lam": min(GRADES, key=lambda lam: abs(plot.scale.place(lam) - at[0]))})
    image = View(plots.WeightImage)
    bars = View(plots.WeightBars)
    digits = View(plots.DigitRows)
    _seen: tuple[Hashable, ...] = ()  # choices whose test error has been looked at

    def known(self, values: Mapping[str, Any]) -> dict[str, Any]:
        return super().known(values) | {"opened": len(self._seen), "tested": _choice(values) in self._seen}

    def buttons(self) -> list[Widget]:
        return [controls.button("Open the test set", "show this choice on the test set", self.open_test)]

    def open_test(self) -> None:
        """Look at the test error of the present choice. Every look is counted."""
        with self.picture.lock:
            if not self.state.tested:
                self._seen += (_choice(self.values),)
            self.set()

    def arrange(self) -> None:
        curves, powers = self.axes["curves"], (LAMS[-1], 0.01, LAMS[0])
        low, middle, high = self.curves.scale.place(powers)
        curves.set(xlim=(low - 0.03, high + 0.03))
        curves.set_xticks([low, middle, high], [f"{power:g}" for power in powers])
        self.image.name_classes(*PAIRS["digits"])

    def show(self, found: Choice, separability: float, lam: float, dataset: str, method: str, threshold: float,
             price: float, also: str) -> str:
        if self.stale(dataset, found.tested, len(found.shown), tuple(found.rows)):
            kind = f"{'locked' if found.tested else 'new'} {'emails' if dataset == 'mails' else 'examples'}"
            self.cut.frame(found.heads, found.corners, f"scores of {len(found.shown)} {kind}; striped: wrong")
            self.shares.frame(found.parts)
            if also == "errors":
                self.bars.frame([found.train.features[j] for j in found.rows], found.train.classes)
        self.cut.show(found.scores, found.shown.y, threshold, found.counts)
        missed, caught, kept, lost = found.counts.tolist()
        of = ((caught, caught + lost), (caught, caught + missed), (lost, lost + kept))
        self.shares.show([part / whole if whole else None for part, whole in of])
        mark = "was cheapest" if found.tested else "cheapest"
        self.bill.show(THRESHOLDS, found.costs, threshold, found.cost, found.cheapest, (mark, found.prices))
        if also == "errors":
            now = [float(risks.error_rate(part, found.theta)) for part in (found.train, found.validation)]
            self.curves.show(np.array(LAMS), found.curves, lam, now)
            self.bars.show(found.theta[:-1][found.rows])
        if "digits" in self.shown:
            weights = np.zeros(found.pictures.shape[1])
            weights[found.kept] = found.theta[:-1]
            self.image.show(weights)
            self.digits.show(found.pictures[found.closest], *found.digits())
        return " ".join(filter(None, (found.sentence(lam, method, threshold, price), found.note,
                                      altered(separability), found.lock())))


def _choice(values: Mapping[str, Any]) -> Hashable:
    return tuple(value for name, value in values.items() if name not in ("before", "also", "price"))
