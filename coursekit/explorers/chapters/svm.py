"""Chapter 8: the widest street between two classes, found by hand or solved exactly for every frame."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from coursekit import plots
from coursekit.explorers.editing import Editing, one_example
from coursekit.explorers.framework import YOURS, Dataset, Hold, Stroke, View, clouds, controls, degrees, powers, to_step
from coursekit.models.svm import STEPS, SoftMarginAndDescent, every_shadow

PLACES = 5.0  # the sliders put examples from -PLACES to PLACES both ways
CORNERS = np.array([[-4.2, -4.6], [4.2, 4.6]])  # the same view wherever the slider puts the clouds
NEAR = np.array([[-2.85, -2.0], [2.9, 2.4]])  # the view of the emails


class SvmExplorer(Editing[SoftMarginAndDescent], layout="svm"):
    """The exact soft margin with street, slacks and support vectors, and a descent on the same objective.

    by: "solver", or "hand": then u is turned, to `turn` degrees, by the slider, the dial or the street itself, and the
    street at right angles to it is shown with all shadows on u and the gap for every other u; with "hand and forces"
    also what presses on the widest one. Turning u takes the street into the hand, moving lambda gives it back.
    Separability and seed leave the 24 emails as they are. descent: "gradient descent" with steps of size eta,
    "stochastic descent" with eta/(k+1), "Pegasos" with its own 1/(lam t); k of its steps are made. x1 and x2 are
    sliders of the example in the square.
    """

    separability = controls.separability(0.5, idle=lambda now: now.dataset != "clouds")
    eta = controls.eta(0.3)
    lam = controls.graded("lambda", 0.01, powers(-6, 1, 10), "what a narrow street costs", ticks=controls.tens(-6, 1))
    seed = controls.seed(idle=lambda now: now.dataset != "clouds" and now.descent == "gradient descent")
    dataset = controls.choice("data", ("clouds", "mails"), renews=True)
    descent = controls.choice("descent", ("gradient descent", "stochastic descent", "Pegasos"))
    k = controls.whole("step k", STEPS, 0, STEPS, "how many steps the descent has made")
    by = controls.choice("street by", ("solver", "hand", "hand and forces"))
    turn = controls.real("turn u", 20.0, 0.0, 180.0, 1.0, "direction of u, in degrees")
    example = one_example(0)
    reach, marks_example = 60.0, False
    street = View(lambda ax: plots.MarginStreet(ax, corners=CORNERS), click="edit", compared=True)
    slacks = View(plots.Slacks)
    dial = View(plots.Dial, over=street, grip=lambda now: plots.marks.places(now.dial.knob))
    rugs = View(plots.Rugs)
    gaps = View(plots.GapCurve, click=lambda _plot, place: {"turn": float(np.clip(round(place[0]), 0, 180))})
    curves = View(lambda ax: plots.ObjectiveCurves(ax, ("descent", "best so far"), steps=STEPS), click=to_step)
    data = staticmethod(clouds)

    def implied(self, changes: Mapping[str, Any]) -> dict[str, Any]:
        """Turning u takes the street into the hand; what only the solver knows gives it back."""
        implied, solver = super().implied(changes), self.by == "solver"
        if {"turn"} & {*changes} if solver else {"eta", "lam", "descent", "k"} & {*changes}:
            implied["by"] = "hand" if solver else "solver"
        if "by" not in changes:
            self.check(implied)
        return implied

    def grab(self, stroke: Stroke) -> Hold | None:
        """By hand, a drag turns u, around the dial where it begins there, else around the middle of the street."""
        on_dial = np.hypot(*(stroke.start - self.dial.middle)) < 1.6 * self.dial.radius
        example = not on_dial and stroke.nearest(self.state.data.X) is not None
        if self.by == "solver" or stroke.axes is not self.plane or example:
            return super().grab(stroke)
        middle, angle = self.dial.middle if on_dial else NEAR.mean(axis=0), self.state.turned.angle

        def turn(now: Stroke) -> None:
            if now.at != now.start:
                swept = (degrees(now.at - middle) - degrees(now.start - middle) + 180) % 360 - 180
                self.turn = float(np.clip(round(angle + swept), 0, 180))

        return turn

    def more_tools(self) -> list[Any]:
        tooltip = "{} of the example in the square: move it"
        self._place = [controls.real(x, 0.0, -PLACES, PLACES, 0.05, tooltip.format(x)).make() for x in ("x1", "x2")]
        for slider in self._place:
            slider.observe(self._slid, "value")
        return [controls.group("ck-others", *self._place), *super().more_tools()]

    def follow(self, found: SoftMarginAndDescent) -> None:
        for slider, place in zip(self._place, found.data.X[self.example], strict=True):
            slider.value = slider.grades[np.abs(np.subtract(slider.grades, place)).argmin()]

    def _slid(self, change: Any) -> None:
        with self.picture.lock:
            if not self.settling and "edits" not in self._fixed:
                at = np.clip(self.state.data.X[self.example], -PLACES, PLACES)
                at[self._place.index(change["owner"])] = change["new"]
                self.move(self.example, *at)

    def show(self, found: SoftMarginAndDescent, original: Dataset, eta: float, lam: float, descent: str, example: int,
             by: str) -> str:
        data, answer, mails = found.data, found.exact, self.dataset == "mails"
        noun = "email" if mails else "example"
        if self.stale(self.dataset, by, original if by != "solver" or self.dataset == YOURS else None):
            if self.dataset != YOURS:
                self.street.boundary.frame(self.street.boundary.limits(NEAR if mails else CORNERS, 0))
            names = ("exclamation marks →", "longest run of capitals →") if mails else original.features
            self.plane.set(xlabel=names[0], ylabel=names[1])
            self.plane.tick_params(bottom=not mails, left=not mails, labelbottom=not mails, labelleft=not mails)
            if by != "solver":
                low, high, gaps = every_shadow(original)
                self.axes["rugs"].set_xlim(low - 0.3, high + 0.5)
                self.gaps.frame(gaps)
        if found.turned:
            hand, forced = found.turned, by == "hand and forces"  # the street lies at right angles to u
            self.street.show(data, hand.theta, np.zeros(len(data)), hand.held, crossed=hand.gap <= 0)
            self.dial.show(hand.u, hand.angles, hand.gaps, data.X, data.y, hand.forces if forced else None)
            self.rugs.show(hand.shadows, data.y, hand.ends, hand.wrong)
            self.gaps.show(hand.angles, hand.gaps, hand.best, hand.widest, hand.angle, hand.gap)
            return hand.about(data, forced, noun)
        self.dial.set_visible(False)
        self.street.show(data, found.line, answer.slack, answer.support, found.theta, example)
        self.curves.show(found.above, found.done)
        self.slacks.show(found.agreements, data.y, answer.slack, answer.support, example)
        return found.about(descent, eta, lam, example, noun)
