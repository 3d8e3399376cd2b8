"""All that an explorer is written with, from one place: its base, controls and views, data, and words for numbers."""

from ipywidgets import Widget

from coursekit.core import datasets
from coursekit.core.risks import misclassified
from coursekit.core.text import counted, number
from coursekit.explorers import controls
from coursekit.explorers.controls import Action, arrows
from coursekit.explorers.editing import Editing, one_example
from coursekit.explorers.explorer import Explorer
from coursekit.explorers.picture import Hold, Point, Stroke
from coursekit.explorers.view import View, to_lam, to_step
from coursekit.models.shared import YOURS, Dataset, Floats, Objective, cached, clouds, degrees, ground, parts, powers

__all__ = [
    "YOURS", "Action", "Dataset", "Editing", "Explorer", "Floats", "Hold", "Objective", "Point", "Stroke", "View",
    "Widget", "arrows", "cached", "clouds", "controls", "counted", "datasets", "degrees", "ground", "misclassified",
    "number", "one_example", "parts", "powers", "to_lam", "to_step",
]
