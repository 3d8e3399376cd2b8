"""Chapter 3: one email moves out of the crowd; losses price it, and the lines that they find turn or stay."""

import numpy as np

from coursekit import plots
from coursekit.core import losses
from coursekit.explorers.framework import Action, Explorer, View, arrows, controls
from coursekit.models.loss_space import LossLines

NAMES = {name: name.replace("_", "-") for name in losses.KNOWN}
REAL = {(7.8, 0.7, 1.0): "loud spam", (32.5, 0.5, -1.0): "shout"}  # what the chapter calls two real emails
CORNERS = {"mails": np.array([[-0.12, -0.12], [2.06, 3.12]]), "blobs": np.array([[-3.6, -3.8], [4.4, 3.8]])}


def inside(x1: float, x2: float) -> dict[str, float]:
    """The far example goes there, but neither below 0 nor out of the picture."""
    return {"x1": min(max(round(x1, 1), 0.0), 33.0), "x2": min(max(round(x2, 2), 0.0), 3.0)}


class LossSpaceExplorer(Explorer[LossLines], layout="loss_space"):
    """One email that moves away from the others, what each loss charges it, and the lines that the losses find.

    x1, x2 and label are those of the email that moves; it can be dragged. loss is the one to follow: its line is thick,
    and emails that this line gets wrong are hollow. Least squares, hinge and logistic loss find the lines where they
    are lowest; perceptron and zero-one loss, drawn when followed, make 150 steps of gradient descent of size eta from a
    given line. lines: "one" leaves the followed one alone.
    """

    separability = controls.separability(0.5, idle=lambda now: now.dataset != "blobs")
    eta = controls.eta(0.3)
    lam = controls.lam(0.0, high=1.0)
    seed = controls.seed(idle=lambda now: now.dataset != "blobs")
    dataset = controls.choice("data", ("mails", "blobs"), tucked=True)
    x1 = controls.real("its exclamation marks (%)", 1.9, 0.0, 33.0, 0.1, "x1 of the email that moves",
                       ticks={0.0: "0%", 7.843: "a real one: 7.8%", 32.478: "a real one: 32.5%"})
    x2 = controls.real("its run of capitals (log10)", 0.7, 0.0, 3.0, 0.05, "x2 of the email that moves")
    label = controls.choice("its label y", ("+1", "-1"))
    loss = controls.choice("loss", NAMES.values(), "squared")
    lines = controls.choice("lines", ("all", "one"))
    key_help = f"Arrows move the email. {Explorer.key_help}"
    boundary = View(lambda ax: plots.FarBoundary(ax, CORNERS["mails"]),
                    click=lambda plot, place: inside(*plot.meant(np.array(place))), compared=True,
                    grip=lambda now: now.boundary.seen_at(now.state.x))
    prices = View(plots.Prices)
    pulls = View(plots.Pulls)

    def keys(self) -> dict[str, Action]:
        return super().keys() | arrows(lambda x, y: self.set("", **inside(self.x1 + x, self.x2 + y)))

    def show(self, found: LossLines, dataset: str, eta: float) -> str:
        if self.stale(dataset, found.data.features):
            corners = CORNERS.get(dataset)
            self.boundary.frame(self.boundary.limits(1.05 * found.data.X[:-1] if corners is None else corners, 0.0))
            self.axes["boundary"].set(**dict(zip(("xlabel", "ylabel"), found.data.features, strict=True)))
        mail = dataset == "mails"
        kind, (far, up) = found.data.classes[int(found.y > 0)], found.x.round(1)
        name = f"{REAL.get((far, up, found.y), kind)}, {far:g}%" if mail else f"{kind}, x1 = {far:g}"
        self.boundary.show_lines(found.data, found.thetas, found.chosen, found.before[found.chosen], name)
        self.prices.show(found.arrives, found.rests, found.chosen)
        self.pulls.show(found.pulls, found.errors, len(found.data) - 1)
        return found.sentence(eta, mail)
