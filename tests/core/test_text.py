"""Numbers, words and tables that a learner reads, lines by angle, shift and length, and whole files: by hand."""

from pathlib import Path

import numpy as np
import pytest

from coursekit.core import text
from coursekit.core.files import write
from coursekit.models.shared import from_normal, normal_form


@pytest.mark.parametrize(("value", "shown"), [
    (0, "0"), (-0.0, "0"), (0.12345, "0.123"), (-12.345, "-12.3"), (999.4, "999"), (999.7, "1000"), (1000, "1000"),
    (-1234.6, "-1235"), (123456.7, "123457"), (999_999, "999999"), (2_345_678, "2.35e+06"), (1e-5, "1e-05"),
    (0.00999, "0.00999"), (0.009996, "0.01"), (99.96, "100"), (-999.6, "-1000"), (999_999.6, "1e+06"),
])  # fmt: skip
def test_a_number_has_three_digits_and_whole_ones_no_point(value, shown):
    assert text.number(value) == shown


def test_counted_words_and_aligned_cells():
    assert [text.counted(n, "pass", "passes") for n in (0, 1, 2)] == ["0 passes", "1 pass", "2 passes"]
    assert text.vector([1.0, -0.5]) == "(1, -0.5)"
    assert text.aligned([("a", "bb"), ("ccc", "d")], str.rjust) == "  a  bb\nccc   d"
    assert text.aligned([("a", "bb"), ("ccc", "d")], str.ljust) == "a    bb\nccc  d"


ROOT = np.sqrt(0.75)


@pytest.mark.parametrize(("angle", "shift", "length", "theta"), [
    (0, 1, 1, [1, 0, -1]), (90, 2, 3, [0, 3, -6]), (180, -1, 2, [-2, 0, 2]), (-90, 0, 1, [0, -1, 0]),
    (60, 0.5, 2, [1, 2 * ROOT, -1]), (-120, 2, 1, [-0.5, -ROOT, -2]),
])  # fmt: skip
def test_both_notations_by_hand(angle, shift, length, theta):
    np.testing.assert_allclose(from_normal(angle, shift, length), theta, rtol=1e-14)  # 0 is 0, not 6e-17
    assert normal_form(np.array(theta)) == pytest.approx((angle, shift, length))


def test_the_angle_is_never_minus_180_and_what_is_no_line_is_refused():
    assert normal_form(np.array([-1, -0.0, 0]))[0] == 180
    with pytest.raises(ValueError, match="theta must"):
        normal_form(np.array([0, 0, 1]))


def test_a_full_disk_leaves_what_was_there_and_nothing_beside_it(tmp_path, monkeypatch):
    def full(self, content):
        self.write_text("half")
        raise OSError(28, "No space left on device")

    for content in (b"one", b"two"):
        write(tmp_path / "a.txt", content)
        assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"a.txt": content}
    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(OSError, match="No space left"):
        write(tmp_path / "a.txt", b"three")
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"a.txt": b"two"}
