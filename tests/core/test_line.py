"""A line by angle, shift and length, worked by hand."""

import numpy as np
import pytest

from coursekit.core.line import from_normal, normal_form

ROOT = np.sqrt(0.75)


@pytest.mark.parametrize(("angle", "shift", "length", "theta"), [
    (0, 1, 1, [1, 0, -1]), (90, 2, 3, [0, 3, -6]), (180, -1, 2, [-2, 0, 2]), (-90, 0, 1, [0, -1, 0]),
    (60, 0.5, 2, [1, 2 * ROOT, -1]), (-120, 2, 1, [-0.5, -ROOT, -2]),
])  # fmt: skip
def test_both_notations_by_hand(angle, shift, length, theta):
    np.testing.assert_allclose(from_normal(angle, shift, length), theta, rtol=1e-14)  # 0 is 0, not 6e-17
    assert normal_form(theta) == pytest.approx((angle, shift, length))


def test_the_angle_is_never_minus_180_and_what_is_no_line_is_refused():
    assert normal_form([-1, -0.0, 0])[0] == 180
    for theta in ([0, 0, 1], [1, 2], [1, np.nan, 0]):
        with pytest.raises(ValueError, match="theta must"):
            normal_form(theta)
    with pytest.raises(ValueError, match="length must be > 0"):
        from_normal(0, 0, 0)
