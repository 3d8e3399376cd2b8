"""Chapter 4: walk down the landscape of the objective, with any loss and any step-size rule."""

import numpy as np

from coursekit import plots
from coursekit.explorers.framework import Editing, View, clouds, controls
from coursekit.models.descent import EXTENT, SEARCHES, STEPS, USE_ETA, DescentRun

START = "where the descent starts; or click in the landscape"
CORNERS = np.array([[-3.2, -3.6], [3.2, 3.6]])  # the same view wherever the slider puts the clouds


class DescentExplorer(Editing[DescentRun], layout="descent"):
    """Gradient descent over two weights: map with path, objective against steps, the cut along one step.

    k is how many of the 40 steps have been made, w1 and w2 where they start (also a click in the landscape).
    stretch: x2 is counted in a unit so much finer that its numbers are `stretch` times as large; w2 is its weight.
    The classifier has no offset: the middle of the data lies at the origin. The two examples are (1, 0) and (0, 1),
    both positive. The examples can be changed, see `Editing`.
    """

    separability = controls.separability(0.5, idle=lambda now: now.dataset != "clouds")
    eta = controls.eta(0.1, -3.0, 1.0)
    lam = controls.lam(0.0, -3.0, 0.0)
    seed = controls.seed(idle=lambda now: now.dataset != "clouds")
    dataset = controls.choice("data", ("clouds", "mails", "two examples"), renews=True)
    stretch = controls.real("stretch x2", 1.0, 1.0, 10.0, 0.5, "the factor by which x2 is multiplied")
    loss = controls.choice("loss", ("squared", "logistic", "hinge"))
    rule = controls.choice("step rule", (*USE_ETA, *SEARCHES))
    momentum = controls.real("momentum", 0.0, 0.0, 0.95, 0.05, "how much of the last step is kept")
    w1 = controls.box("start w1", -1.0, *EXTENT[:2], START)
    w2 = controls.box("start w2", 3.0, *EXTENT[2:], START)
    k = controls.whole("step k", 1, 0, STEPS, "how many steps have been made", walk=5)
    landscape = View(lambda ax: plots.Landscape(ax, EXTENT), grip=lambda now: (now.w1, now.w2),
                     compared=True, click=lambda _plot, at: dict(zip(
                         ("w1", "w2"), np.clip(np.round(at, 2), EXTENT[::2], EXTENT[1::2]).tolist(), strict=True)))
    curves = View(lambda ax: plots.ObjectiveCurves(ax, steps=STEPS, decades=3))
    cut = View(plots.StepCut)
    boundary = View(lambda ax: plots.DecisionBoundary(ax, tags=True, corners=CORNERS), click="edit", compared=True)
    data = staticmethod(clouds)

    def show(self, run: DescentRun, stretch: float, rule: str, momentum: float) -> str:
        path = run.path
        self.landscape.show(run.ground, path.thetas, run.done, run.best, run.points[:-1], f"step {run.done}")
        self.curves.show([path.values, np.minimum.accumulate(path.values)], run.done)
        self.cut.show(run.etas, run.along, run.fall, run.tried, run.reached)
        self.boundary.show(run.data, np.array([run.theta[0], stretch * run.theta[1], 0.0]))
        said = run.where(), run.step_taken(rule, momentum), run.verdict(rule, momentum)
        return " ".join(filter(None, said))
