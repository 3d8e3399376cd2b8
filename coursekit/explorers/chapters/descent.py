"""Chapter 4: walk down the landscape of the objective, with any loss and any step-size rule; and in a ravine, where
step size and momentum decide whether a walk arrives."""

import numpy as np

from coursekit import plots
from coursekit.explorers.framework import Editing, Explorer, View, clouds, controls, powers
from coursekit.models.descent import ALL, EXTENT, MAP, SEARCHES, STEPS, USE_ETA, DescentRun, Valley

START = "where the descent starts; or click in the landscape"
CORNERS = np.array([[-3.2, -3.6], [3.2, 3.6]])  # the same view wherever the slider puts the clouds
RAVINE = np.array([[-3.2, -3.0], [3.2, 3.0]])  # likewise, beside the ravine


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
        return " ".join(filter(None, (run.where(), run.step_taken(rule, momentum), run.verdict(rule, momentum))))


class RavineExplorer(Explorer[Valley], layout="ravine"):
    """A walk in a ravine, what it leaves of the error along and across, and the land of the pairs that arrive.

    The ravine is the mean squared loss of two weights, turned so that it lies level; its curvatures are those of the
    data, and stretch makes x2 so many times as large. The two examples are (1, 0) and (0, 1), both positive. The walk
    starts at 4 along and 0.3 across. The point in the land can be dragged. beside: what lies beside the walk, the dial
    or the emails with their line; then nothing is counted beyond 40 steps.
    """

    separability = controls.separability(0.5, idle=lambda now: now.dataset != "clouds")
    eta = controls.graded("step size η", 0.04, powers(-3.0, 0.6, 60), "step length per unit of slope",
                          ticks=controls.tens(-3.0, 0.6))
    lam = controls.lam(0.0, -3.0, 0.0)
    seed = controls.seed(idle=lambda now: now.dataset != "clouds")
    dataset = controls.choice("data", ("two examples", "mails", "clouds"))
    stretch = controls.real("stretch of x2", 7.0, 1.0, 10.0, 0.5, "the factor by which x2 is multiplied")
    momentum = controls.real("momentum", 0.0, 0.0, 0.99, 0.01, "how much of the last step is kept")
    k = controls.whole("steps", ALL, 0, ALL, "how many steps have been made", walk=10, last=lambda now: now.most)
    beside = controls.choice("beside", ("the dial", "the line"), tucked=True)
    takes_data = ""
    land = View(plots.StepLand, grip=lambda now: (now.eta * now.state.curvatures[1], now.momentum),
                click=lambda land, at: {"eta": float(f"{min(max(at[0] / land.high, 0.001), 3.98):.3g}"),
                                        "momentum": round(min(max(at[1], 0.0), 0.99), 2)})
    boundary = View(lambda ax: plots.DecisionBoundary(ax, legend=False, normal=False, corners=RAVINE))
    walk = View(lambda ax: plots.Landscape(ax, MAP), compared=True)
    along = View(lambda ax: plots.ErrorBars(ax, "green", "along"))
    across = View(lambda ax: plots.ErrorBars(ax, "ochre", "across"))

    def arrange(self) -> None:
        self.walk.add_marks("*", 15, mfc=self.walk.look.star, mec=self.walk.look.ink, gid="lowest").set_data([0], [0])
        self.told = self.boundary.add_words(self.axes["boundary"].transAxes, size=10.5)

    def show(self, valley: Valley, eta: float, momentum: float, beside: str) -> str:
        dial, bars = beside == "the dial", (self.along, self.across)
        self.land.show(valley.curvatures, eta, momentum)
        self.boundary.show(valley.data, valley.theta)
        if self.stale(valley.data.features):
            self.axes["boundary"].set(**dict(zip(("xlabel", "ylabel"), valley.data.features, strict=True)))
        self.walk.show(valley.ground, valley.errors[: valley.made + 1], valley.done)
        for j, drawn in enumerate(bars):
            drawn.show(valley.errors[:, j], float(valley.leaves[j]), valley.done, dial)
        told = "never arrives" if valley.leaves.max() >= 1 else valley.took
        self.walk.names.show([plots.tags.Tag(told if dial else "lowest", (0, 0), (1, 1)), *self.walk.names.tags])
        self.told.set_words([plots.marks.Word(1, 1.035, valley.told, "rd")])
        return valley.counted(momentum) if dial else valley.so_far()
