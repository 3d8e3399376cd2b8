"""Pictures from arrays. Each plot is a small object: it makes its artists once on the `ax` it is given
and `show(...)` hands them new data, so the same code draws a still picture and follows a slider.

    fig, ax = plt.subplots()
    ck.plots.DecisionBoundary(ax).show(data, theta)

Nothing here solves anything or knows about widgets.
"""

from coursekit.plots import kit
from coursekit.plots.agreements import Agreements, Slacks
from coursekit.plots.boundary import Boundaries, DecisionBoundary, Distances
from coursekit.plots.curves import MistakeBounds, ObjectiveCurves, StepCut
from coursekit.plots.ghost import Ghost
from coursekit.plots.images import DigitRow, WeightBars, WeightImage
from coursekit.plots.landscape import ExampleEdge, Landscape
from coursekit.plots.losses import LOSS_STYLES, LossSpace
from coursekit.plots.panel import legend_above, panel
from coursekit.plots.parameters import ParameterPath, ParameterSpace, WeightSpace
from coursekit.plots.regions import Regions, stripes_key
from coursekit.plots.street import MarginStreet
from coursekit.plots.style import NEGATIVE, POSITIVE, STYLE, STYLES, figure
from coursekit.plots.tables import ConfusionTable, LossTable, TraceRows
from coursekit.plots.weights import Balance, ErrorCurves, LambdaAxis, WeightPath
from coursekit.plots.workers import AnswerValues, LocalAnswers

__all__ = [
    "LOSS_STYLES",
    "NEGATIVE",
    "POSITIVE",
    "STYLE",
    "STYLES",
    "Agreements",
    "AnswerValues",
    "Balance",
    "Boundaries",
    "ConfusionTable",
    "DecisionBoundary",
    "DigitRow",
    "Distances",
    "ErrorCurves",
    "ExampleEdge",
    "Ghost",
    "LambdaAxis",
    "Landscape",
    "LocalAnswers",
    "LossSpace",
    "LossTable",
    "MarginStreet",
    "MistakeBounds",
    "ObjectiveCurves",
    "ParameterPath",
    "ParameterSpace",
    "Regions",
    "Slacks",
    "StepCut",
    "TraceRows",
    "WeightBars",
    "WeightImage",
    "WeightPath",
    "WeightSpace",
    "figure",
    "kit",
    "legend_above",
    "panel",
    "stripes_key",
]
