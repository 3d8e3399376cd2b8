"""Chapter 7: which words of the emails L1 keeps, against lambda, and what that does to the errors."""

import numpy as np

from coursekit import plots
from coursekit.explorers.framework import Explorer, View, controls, to_lam
from coursekit.models.features import LAMS, POWERS, WordSelection


class FeaturesExplorer(Explorer[WordSelection], layout="features"):
    """The weights of words against lambda, the list of those that are in, and the error on the emails learned from and
    on all others.

        1/n sum (y - f)^2 + lam ||w||_1     (elastic net: + 0.3 ||w||^2)

    seed: which emails to learn from. separability 0: the emails as they are. The open circles are 100 steps of proximal
    descent from 0 with step size eta. The gray band is the error on new emails in 30 draws of 400. A click on the
    curves sets lambda.
    """

    separability = controls.real("separability", 0.0, -2.0, 2.0, 0.05, "moves the classes apart (< 0: closer)")
    eta = controls.eta(0.05, -3.0, 0.0)
    lam = controls.lam(0.06, *POWERS)
    seed = controls.seed()
    fit = controls.choice("fit", ("L1", "L1, refitted", "elastic net"))
    words = controls.choice("words", ("all", "without the receiver's", "and as many shuffled"))
    mails = controls.whole("emails", 400, 100, 1000, "how many emails to learn from")
    dataset = controls.choice("data", ("mails",), tucked=True)
    takes_data = "any"
    paths = View(lambda ax: plots.WordPaths(ax, POWERS), click=to_lam,
                 grip=lambda now: plots.marks.places(now.paths.knob))
    curves = View(lambda ax: plots.SelectionErrors(ax, POWERS, ("errors on its own emails:", "errors on new emails:")),
                  click=to_lam, compared=True)
    listing = View(plots.WordList)

    def show(self, found: WordSelection, eta: float, lam: float, fit: str) -> str:
        names = [name.removesuffix(" shuffled") for name in found.training.features]
        weights, lams, real = found.thetas[:, :-1], np.array(LAMS), found.unshuffled
        self.paths.frame(names, weights[0])
        self.paths.show(lams, weights, real, lam, found.theta[:-1])
        self.listing.show(names, found.theta[:-1], np.arange(len(names)) >= real)
        self.curves.show(lams, np.array([found.training_errors, found.other_errors]), lam, found.errors)
        self.curves.more(lams[1::2], found.draws, lam, found.reached_errors if found.elsewhere else [])
        return found.sentence(eta, lam, fit)
