"""A line in the plane in two notations: theta, and what one turns and shifts by hand.

    theta = length (cos angle, sin angle, -shift)

The normal vector points in direction `angle` and is `length` long; the line lies at signed distance
`shift` from the origin, counted along the normal.
"""

import numpy as np

from coursekit.core import validate
from coursekit.core.validate import ArrayLike, Floats


def from_normal(angle: float, shift: float, length: float = 1.0) -> Floats:
    """theta (3,), offset last, of the line with this normal. angle: degrees. length: > 0.

    >>> from_normal(90, 2, length=3)
    array([ 0.,  3., -6.])
    """
    turn = np.radians(validate.number("angle", angle))
    normal = np.round([np.cos(turn), np.sin(turn)], 15)  # at a right angle 0, not 6e-17
    shift = validate.number("shift", shift)
    return validate.number("length", length, 0, above=True) * np.array([*normal, -shift])


def normal_form(theta: ArrayLike) -> tuple[float, float, float]:
    """(angle, shift, length) of theta (3,), offset last; the angle in (-180, 180].

    Raises ValueError where both weights are 0: that is no line.

    >>> normal_form([0, 3, -6])
    (90.0, 2.0, 3.0)
    """
    theta = validate.array("theta", theta, 1)
    if len(theta) != 3 or not theta[:2].any():
        raise ValueError(f"theta must have two weights, not both 0, and an offset; got {theta.tolist()}")
    length = float(np.hypot(*theta[:2]))
    angle = float(np.degrees(np.arctan2(theta[1], theta[0])))
    return (180.0 if angle == -180 else angle), float(-theta[2]) / length, length
