"""All that an explorer is written with, from one place: its base, controls and views, data, and words for numbers."""

from dataclasses import replace
from functools import lru_cache

from ipywidgets import Widget

from coursekit.algorithms.path import Path
from coursekit.core import datasets, losses, penalties, steps
from coursekit.core.datasets import Dataset
from coursekit.core.objective import Objective
from coursekit.core.risks import error_rate, misclassified
from coursekit.core.text import counted, number, vector
from coursekit.core.validate import Floats
from coursekit.explorers import controls
from coursekit.explorers.editing import Editing, one_example
from coursekit.explorers.explorer import Explorer
from coursekit.explorers.keys import arrows
from coursekit.explorers.picture import Point, Stroke
from coursekit.explorers.view import View, to_lam, to_step
from coursekit.plots import Landscape

__all__ = [
    "Dataset", "Editing", "Explorer", "Floats", "Objective", "Path", "Point", "Stroke", "View", "Widget",
    "arrows", "cached", "controls", "counted", "datasets", "error_rate", "ground", "losses", "misclassified",
    "number", "one_example", "penalties", "steps", "to_lam", "to_step", "vector",
]

cached = lru_cache(maxsize=8)  # for the slow parts of a model that need less than all of it


def ground(objective: Objective, extent: tuple[float, float, float, float]) -> Floats:
    """The objective all over a `Landscape`; the risk, which takes longest, is kept while lambda moves."""
    penalty = objective.penalty.value(Landscape.points(extent))
    return _risks(replace(objective, lam=0.0), extent) + objective.lam * penalty


@cached
def _risks(objective: Objective, extent: tuple[float, float, float, float]) -> Floats:
    return objective.risk(Landscape.points(extent))
