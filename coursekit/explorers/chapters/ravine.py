"""Chapter 4: step size and momentum, the pairs of them that arrive, and a walk in a ravine that one pair makes."""

import numpy as np

from coursekit import plots
from coursekit.explorers.framework import Explorer, View, controls, powers
from coursekit.models.descent import ALL, MAP, Valley

CORNERS = np.array([[-3.2, -3.0], [3.2, 3.0]])


class RavineExplorer(Explorer[Valley], layout="ravine"):
    """A walk in a ravine, what it leaves of the error along and across, and the land of the pairs that arrive.

    The ravine is the mean squared loss of two weights, turned so that it lies level; its curvatures are those of the
    data, and stretch makes x2 so many times as large. The two examples are (1, 0) and (0, 1), both positive. The walk
    starts at 4 along and 0.3 across. The point in the land can be dragged. beside: what lies beside the walk, the dial
    or the emails with their line; then nothing is counted beyond 40 steps.
    """

    separability = controls.separability(0.5, idle=lambda now: now.dataset != "clouds")
    eta = controls.graded("step size η", 0.04, powers(-3.0, 0.6, 60), "how long a step is, for its slope",
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
    boundary = View(lambda ax: plots.DecisionBoundary(ax, legend=False, normal=False, corners=CORNERS))
    walk = View(lambda ax: plots.Landscape(ax, MAP), compared=True)
    along = View(lambda ax: plots.ErrorBars(ax, "green", "along"))
    across = View(lambda ax: plots.ErrorBars(ax, "ochre", "across"))

    def arrange(self) -> None:
        look = self.walk.look
        lowest = self.walk.add_marks("*", 15, mfc=look.star, mec=look.ink, gid="lowest")
        lowest.set_data([0], [0])

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
        self.walk.names.show([plots.tags.Tag(told, (0, 0), (1, 1))] if dial else [])
        return valley.counted(momentum) if dial else valley.so_far()
