"""The arrow on a line in a frame: where it stands, how long it is drawn, and where a drag of its ends leads."""

import numpy as np

from coursekit.core import line
from coursekit.models.hyperplane import LENGTHS, SHIFTS
from coursekit.models.shared import Floats, degrees

REACHES = 0.12, 0.45  # it is drawn no shorter and no longer, of the frame's height
EDGES = 0.04, 0.01  # of the frame, which none of its ends comes near: when the line is dragged, and at all
ASIDE = 0.36  # how far beside the middle it stands, of the frame's height: there the shadows lie


class Arrow:
    """low, high: two corners of the frame, (2,). free: whether the line turns about the middle of the frame, to whose
    right the arrow stands; else about the origin, where it begins."""

    def __init__(self, low: Floats, high: Floats, free: bool) -> None:
        self.low, self.high, self.height = low, high, float((high - low)[1])
        self.middle, self.aside = ((low + high) / 2, ASIDE * self.height) if free else (np.zeros(2), 0.0)

    def ends(self, theta: Floats, length: float) -> tuple[Floats, Floats]:
        """Tail and tip, (2,) each, for theta, (3,), whose weights are so long."""
        unit = theta[:2] / length
        away, (foot, _, end) = float(self.middle @ unit + theta[2] / length), self._way(unit)
        tail = foot - away * unit
        return tail, tail + self._reach(length, end + away) * unit

    def shifted(self, angle: float, shift: float) -> float:
        """The shift nearest to this one with which both ends are in the frame."""
        normal = line.from_normal(angle, 0.0)[:2]
        middle = float(normal @ self.middle)
        _, nearest, farthest = self._way(normal, EDGES[0])
        at = middle + np.clip(shift - middle, nearest, farthest - self._reach(0.0))
        return float(np.clip(round(float(at), 2), -SHIFTS, SHIFTS))

    def kept(self, angle: float, shift: float, length: float) -> tuple[float, float]:
        """What turning it keeps: how far the line is from the middle, and on which side of that the tip is."""
        away = shift - float(line.from_normal(angle, 0.0)[:2] @ self.middle)
        return away, float(np.copysign(1.0, away + self._reach(length)))

    def turned(self, tip: Floats, kept: tuple[float, float], length: float) -> dict[str, float]:
        """The line of which the tip is there, (2,); length: of the weights before."""
        (away, side), middle = kept, self.middle
        along = side * max(float((tip - middle) @ (tip - middle)) - self.aside**2, 0.0) ** 0.5
        if self._reach(0.0) < along - away < self._reach(np.inf):
            length = along - away
        else:  # then the tip goes that way, but not so far
            along = away + self._reach(length)
        angle = round((degrees(tip - middle) + degrees((along, self.aside)) + 180) % 360 - 180)
        shift = self.shifted(angle, away + float(line.from_normal(angle, 0.0)[:2] @ middle))
        return {"angle": angle, "shift": shift, "length": round(float(np.clip(length, *LENGTHS)), 1)}

    def _way(self, normal: Floats, edge: float = EDGES[1]) -> tuple[Floats, float, float]:
        """Where it stands, (2,), when the line passes through the middle; where on its way the frame begins and ends.
        edge: a share of the frame left out on every side."""
        low, high = self.low + edge * (self.high - self.low), self.high - edge * (self.high - self.low)
        foot = self.middle + self.aside * normal[::-1] * [1, -1]
        with np.errstate(divide="ignore"):
            ends = np.sort([(low - foot) / normal, (high - foot) / normal], axis=0)
        return foot, float(ends[0].max()), float(ends[1].min())

    def _reach(self, length: float, room: float = np.inf) -> float:
        """How long it is drawn: as long as theta, where that can be seen and fits."""
        return float(np.clip(min(length, room), *np.multiply(REACHES, self.height)))
