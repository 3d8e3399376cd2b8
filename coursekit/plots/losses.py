"""What each loss looks like, and what it is called in words."""

from __future__ import annotations

from typing import Any

from coursekit.plots.marks import UNDER
from coursekit.plots.style import USUAL, Style, current

CALLED = {"zero_one": "zero-one", "perceptron": "perceptron", "hinge": "hinge", "logistic": "logistic",
          "squared": "least squares"}


def loss_styles(look: Style) -> dict[str, dict[str, Any]]:
    """By loss: the look of its curve and of the line that it finds."""
    return {
        "zero_one": {"color": look.soft, "ls": "-"},
        "perceptron": {"color": look.ochre, "ls": "-."},
        "hinge": {"color": look.ink, "ls": "-"},
        "logistic": {"color": look.green, "ls": (0, (5, 1.5))},
        "squared": {"color": look.violet, "ls": "-"},
    }


LOSS_STYLES = loss_styles(USUAL)


def boundary_looks() -> dict[str, dict[str, Any]]:
    """The lines that losses find, for `Boundaries`."""
    return {name: {**s, "lw": 1.8, "zorder": UNDER, "gid": name} for name, s in loss_styles(current()).items()}
