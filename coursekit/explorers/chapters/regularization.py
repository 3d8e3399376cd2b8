"""Chapter 6: least squares learns its emails by heart, unless it pays for the length of w; what other penalties do to
the weights, and to the errors on training and on new data."""

from dataclasses import replace

import numpy as np

from coursekit import plots
from coursekit.algorithms.least_squares import PENALTIES
from coursekit.explorers.framework import YOURS, Dataset, Explorer, Floats, View, controls, number, powers, to_lam
from coursekit.models.regularization import POOL, POWERS, PRICE_POWERS, PRICES, SHIFT, MemoryFit, PenalizedFit

NAMES = ("x1", "x2", "twin of x1")
CORNERS = np.array([[-3.0, -3.6], [3.0, 3.6]])


class MemoryExplorer(Explorer[MemoryFit], layout="memory"):
    """The weights of a filter that has learned from fifty emails, how long they are, and how wrong it is.

        mean (y - f)^2 + lam/2 ||w||^2;  of several that are equally good the shortest w

    separability 0: the emails as they are. seed: which emails, and which of the 57 features come first. numbers: how
    many of them are seen. unseen: whether the error on all other emails is told. On request: the scores of the emails
    learned from, and those after 100 steps of gradient descent from 0 with step size eta.
    """

    separability = controls.separability(0.0)
    eta = controls.graded("step size η", 0.05, powers(-3.0, 0.0, 20), "of descent, shown on request",
                          idle=lambda now: now.also != "descent")
    lam = controls.graded("price λ on length", 0.0, PRICES.tolist(), "how much the length of w costs")
    seed = controls.seed(4)
    numbers = controls.whole("features seen", 57, 1, 57, "how many of the 57 features of each email are seen",
                             last=lambda now: now.columns)
    mails = controls.whole("emails", 50, 20, 200, "how many emails to learn from", last=lambda now: now.most)
    unseen = controls.choice("new emails", ("shown", "hidden"))
    dataset = controls.choice("data", ("mails",), tucked=True)
    takes_data = "any"
    weights = View(plots.LoudWeights)
    rod = View(lambda ax: plots.LengthRod(ax, "agreements of 1 need at least"))
    curves = View(lambda ax: plots.TwoErrors(ax, PRICE_POWERS, ("its own emails:", "new emails:"), 0.5), click=to_lam,
                  compared=True)
    piles = View(plots.Piles)
    after = View(plots.Piles)

    def show(self, fit: MemoryFit, eta: float, lam: float, unseen: str, also: str) -> str:
        hidden, best = unseen == "hidden", fit.thetas[fit.best, :-1]
        order = np.argsort(-best, kind="stable")
        self.weights.show(fit.theta[:-1], order, fit.data.features, None if hidden else best)
        self.rod.show(fit.length, 1.2 * fit.longest or 1.0, fit.needed)
        self.curves.show(PRICES, fit.errors, lam, fit.now, hidden)
        self.piles.show(fit.scores, fit.data.y)
        self.after.show(fit.reached, fit.data.y)
        return fit.sentence(lam, hidden) + (fit.descended(eta) if also == "descent" else "")


class RegularizationExplorer(Explorer[PenalizedFit], layout="regularization"):
    """Every weight as lambda grows, and both errors; on request the pulls of data and penalty, and the line.

    Least squares on labels -1 and +1: mean (1 - y f)^2 + lam penalty(w), with x1 and x2 that matter and others that do
    not. The penalty sqrt is the sum of |w|^(1/2). The open circles are 100 steps of proximal descent from theta = 0
    with step size eta. A click on the weights or on the errors sets lambda.
    """

    separability = controls.separability(-3.5, -5.0, 1.0, idle=lambda now: now.dataset == YOURS)
    eta = controls.graded("step size η", 0.05, powers(-3.0, 0.0, 20), "of descent: the open circles")
    lam = controls.graded("price λ on weights", 0.1, [0.0, *powers(-3.0, 1.0, 10)], "regularization")
    seed = controls.seed(3)
    penalty = controls.choice("penalty", PENALTIES)
    dataset = controls.choice("data", ("centered", "shifted", "with a twin"))
    offset = controls.choice("bias", ("free", "penalized"))
    examples = controls.whole("examples to train on", 30, 10, POOL, "how many examples to train on",
                              last=lambda now: now.most)
    irrelevant = controls.whole("irrelevant features", 20, 1, 40, "how many features know nothing of the class")
    path = View(lambda ax: plots.WeightPath(ax, NAMES, POWERS), click=to_lam, compared=True)
    errors = View(lambda ax: plots.TwoErrors(ax, POWERS, ("training:", "validation:")), click=to_lam,
                  compared=True)
    balance = View(lambda ax: plots.Balance(ax, len(NAMES)))
    boundary = View(lambda ax: plots.DecisionBoundary(ax, tags=True), compared=True)

    def show(self, fit: PenalizedFit, eta: float, lam: float, penalty: str, dataset: str, offset: str,
             own: Dataset | None) -> str:
        w, reached, marked = fit.theta[:-1], fit.reached[:-1], fit.marked
        if self.stale(dataset):
            shift = SHIFT * (dataset == "shifted")
            yours = [own.X] if own else []
            self.boundary.frame(self.boundary.limits(np.vstack([CORNERS + shift, np.zeros(2), *yours]), 0.1))
        self.path.show(fit.lams, fit.thetas[:, :-1], marked, lam, w, reached)
        self.errors.show(fit.lams, np.array([fit.training_errors, fit.validation_errors]), lam, fit.errors)
        self.balance.show(fit.back, w, fit.pulls, marked, reached, fit.reached_pulls)
        plane = replace(fit.training, X=fit.training.X[:, :2], features=NAMES[:2])
        self.boundary.show(plane, in_plane(fit.theta, marked), in_plane(fit.reached, marked))
        said = f"{penalty.capitalize()}, λ = {lam:.4g}: {fit.selected()} {fit.descended(eta, lam, penalty)}"
        held = offset == "penalized" and fit.theta.any()
        return f"{said} The penalized bias is {number(fit.theta[-1])}." if held else said


def in_plane(theta: Floats, marked: list[int]) -> Floats:
    """The line among x1 and x2, (3,), with all other features at 0 and the twin at x1."""
    return np.array([theta[0] + (theta[2] if 2 in marked else 0.0), theta[1], theta[-1]])
