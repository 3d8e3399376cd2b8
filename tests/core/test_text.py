"""What a learner reads: numbers, words and tables, by hand."""

import pytest

from coursekit.core import text


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
