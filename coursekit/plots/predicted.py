"""What any rule with `predict` says of the plane: which sign each place gets, and where it changes."""

from __future__ import annotations

from typing import Any

import numpy as np
from contourpy import contour_generator

from coursekit.core.validate import Floats
from coursekit.plots.pixels import Extent, cell_middles

CELLS = 160  # of the plane each way, in which a rule is asked


def signs(rule: Any, places: Floats, classes: tuple[str, ...]) -> Floats:
    """+1 or -1 for each place, (n, 2), that a rule gives to the positive class, or not.

    It may answer with the names of the classes, with -1 and +1, or with 0 and 1; ValueError for anything else.
    """
    answers = np.asarray(rule.predict(places))
    names = answers.astype(str)
    if np.isin(names, classes).all():
        return np.where(names == classes[1], 1.0, -1.0)
    known = np.isin(answers, (-1, 0, 1)) & (answers.dtype.kind in "biuf")
    if not known.all():
        raise ValueError(f"theta must predict -1 and +1, 0 and 1, or the names of the classes ({', '.join(classes)}); "
                         f"got {answers[~known][0]!r}")
    return np.where(answers > 0, 1.0, -1.0)


def border(rule: Any, classes: tuple[str, ...], extent: Extent) -> list[Floats]:
    """Lines, (m, 2) each, between the two classes; smooth where the rule has scores too."""
    places = cell_middles(extent, CELLS)
    scores = signs(rule, places, classes)
    if hasattr(rule, "decision_function"):
        found = np.asarray(rule.decision_function(places))
        scores = found if found.shape == scores.shape else scores
    x, y = places[:CELLS, 0], places[::CELLS, 1]
    return [np.asarray(line) for line in contour_generator(x, y, scores.reshape(CELLS, CELLS)).lines(0.0)]
