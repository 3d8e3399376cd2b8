"""Pictures from arrays. Each plot is a small object: it makes its artists once on the `ax` it is given
and `show(...)` hands them new data, so the same code draws a still picture and follows a slider.

    fig, ax = plt.subplots()
    ck.plots.DecisionBoundary(ax).show(data, theta)

Nothing here solves anything or knows about widgets.
"""

from coursekit.plots.boundary import DecisionBoundary
from coursekit.plots.confusion import ConfusionTable
from coursekit.plots.curves import ObjectiveCurves
from coursekit.plots.ghost import Ghost
from coursekit.plots.hyperplane import Agreements, Distances, WeightSpace
from coursekit.plots.images import DigitRow, WeightBars, WeightImage
from coursekit.plots.landscape import Landscape, StepCut
from coursekit.plots.losses import LOSS_STYLES, LossSpace, LossTable, ParameterSpace, RivalLines
from coursekit.plots.margin import MarginStreet, Slacks
from coursekit.plots.panel import legend_above, panel
from coursekit.plots.perceptron import MistakeBounds, ParameterPath, TraceRows
from coursekit.plots.regions import Regions, stripes_key
from coursekit.plots.stochastic import AnswerValues, ExampleEdge, LocalAnswers, LocalLines
from coursekit.plots.style import NEGATIVE, POSITIVE, STYLE, STYLES, figure
from coursekit.plots.weights import Balance, ErrorCurves, LambdaAxis, WeightPath

__all__ = [
    "LOSS_STYLES",
    "NEGATIVE",
    "POSITIVE",
    "STYLE",
    "STYLES",
    "Agreements",
    "AnswerValues",
    "Balance",
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
    "LocalLines",
    "LossSpace",
    "LossTable",
    "MarginStreet",
    "MistakeBounds",
    "ObjectiveCurves",
    "ParameterPath",
    "ParameterSpace",
    "Regions",
    "RivalLines",
    "Slacks",
    "StepCut",
    "TraceRows",
    "WeightBars",
    "WeightImage",
    "WeightPath",
    "WeightSpace",
    "figure",
    "legend_above",
    "panel",
    "stripes_key",
]
