"""Numbers as a learner reads them."""

from __future__ import annotations

from coursekit.core.validate import Floats


def number(value: float) -> str:
    """Three significant digits, whole numbers without a point."""
    return f"{value:.0f}" if 1000 <= abs(value) < 1e6 else f"{value + 0.0:.3g}"


def vector(values: Floats) -> str:
    return "(" + ", ".join(map(number, values)) + ")"
