"""Pictures from arrays. Each plot is a small object: it makes its artists once on the `ax` it is given
and `show(...)` hands them new data, so the same code draws a still picture and follows a slider.

    fig, ax = plt.subplots()
    ck.plots.DecisionBoundary(ax).show(data, theta)

Nothing here solves anything or knows about widgets. The still pictures of a chapter are functions in a file of its
subject, such as `svm.street`: each draws into the axes that it is given, sets their limits and names, and writes words
at the things they name.
"""

from coursekit.plots import descent, features, kit, multiclass, perceptron, regularization, stochastic, study, svm
from coursekit.plots.agreements import Slacks, flip
from coursekit.plots.boundary import Boundaries, DecisionBoundary
from coursekit.plots.curves import MistakeBounds, ObjectiveCurves, StepCut
from coursekit.plots.ghost import Ghost
from coursekit.plots.images import DigitRow, WeightBars, WeightImage
from coursekit.plots.journey import journey
from coursekit.plots.landscape import ExampleEdge, Landscape
from coursekit.plots.losses import LOSS_STYLES, LossSpace
from coursekit.plots.narrow import NARROW, narrow_png, narrowed
from coursekit.plots.normal import Distances, Normal, Notes, Shadow, hyperplane, turning, verdicts
from coursekit.plots.panel import legend_above, panel
from coursekit.plots.parameters import ParameterPath, ParameterSpace, WeightSpace, constraints
from coursekit.plots.regions import Regions
from coursekit.plots.regularization import Piles
from coursekit.plots.risks import chord, roofs, springs, staircase
from coursekit.plots.street import MarginStreet
from coursekit.plots.style import NEGATIVE, POSITIVE, STYLE, STYLES, figure
from coursekit.plots.tables import ConfusionTable, LossTable, RuleTable, TraceRows
from coursekit.plots.weights import Balance, ErrorCurves, LambdaAxis, WeightPath
from coursekit.plots.workers import AnswerValues, LocalAnswers

__all__ = [
    "LOSS_STYLES", "NARROW", "NEGATIVE", "POSITIVE", "STYLE", "STYLES", "AnswerValues", "Balance", "Boundaries",
    "ConfusionTable", "DecisionBoundary", "DigitRow", "Distances", "ErrorCurves", "ExampleEdge", "Ghost", "LambdaAxis",
    "Landscape", "LocalAnswers", "LossSpace", "LossTable", "MarginStreet", "MistakeBounds", "Normal", "Notes",
    "ObjectiveCurves", "ParameterPath", "ParameterSpace", "Piles", "Regions", "RuleTable", "Shadow", "Slacks",
    "StepCut", "TraceRows", "WeightBars", "WeightImage", "WeightPath", "WeightSpace", "chord", "constraints", "descent",
    "features", "figure", "flip", "hyperplane", "journey", "kit", "legend_above", "multiclass", "narrow_png",
    "narrowed", "panel", "perceptron", "regularization", "roofs", "springs", "staircase", "stochastic", "study", "svm",
    "turning", "verdicts",
]
