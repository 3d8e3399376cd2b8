"""Chapter 6: least squares learns its emails by heart, unless it pays for the length of w."""

import numpy as np

from coursekit import plots
from coursekit.explorers.framework import Explorer, View, controls, powers, to_lam
from coursekit.models.memory import LAMS, POWERS, MemoryFit


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
    lam = controls.graded("price on length λ", 0.0, LAMS.tolist(), "how much the length of w costs")
    seed = controls.seed(4)
    numbers = controls.whole("features seen", 57, 1, 57, "how many of the 57 features of each email are seen",
                             last=lambda now: now.columns)
    mails = controls.whole("emails", 50, 20, 200, "how many emails to learn from", last=lambda now: now.most)
    unseen = controls.choice("new email", ("shown", "hidden"))
    dataset = controls.choice("data", ("mails",), tucked=True)
    takes_data = "any"
    weights = View(plots.LoudWeights)
    rod = View(lambda ax: plots.LengthRod(ax, "for agreements of 1, it must be at least"))
    curves = View(lambda ax: plots.TwoErrors(ax, POWERS, ("its own emails:", "new email:")), click=to_lam,
                  compared=True)
    piles = View(plots.Piles)
    after = View(plots.Piles)

    def show(self, fit: MemoryFit, eta: float, lam: float, unseen: str, also: str) -> str:
        hidden, best = unseen == "hidden", fit.thetas[fit.best, :-1]
        order = np.argsort(-best, kind="stable")
        self.weights.show(fit.theta[:-1], order, fit.data.features, None if hidden else best)
        self.rod.show(fit.length, 1.2 * fit.longest or 1.0, fit.needed)
        self.curves.show(LAMS, fit.errors, lam, fit.now, hidden)
        self.piles.show(fit.scores, fit.data.y)
        self.after.show(fit.reached, fit.data.y)
        return fit.sentence(lam, hidden) + (fit.descended(eta) if also == "descent" else "")
