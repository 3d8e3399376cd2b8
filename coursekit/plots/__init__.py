"""Pictures from arrays. Each plot is a small object: it makes its artists once on the `ax` it is given
and `show(...)` hands them new data, so the same code draws a still picture and follows a slider.

    fig, ax = plt.subplots()
    ck.plots.DecisionBoundary(ax).show(data, theta)

Nothing here solves anything or knows about widgets. The chapters' stills lie in `tools/coursekit_figures/`.
"""

from coursekit.core.keywords import explain_all
from coursekit.plots.boundary import Boundaries, DecisionBoundary
from coursekit.plots.curves import MistakeBounds, ObjectiveCurves, StepCut
from coursekit.plots.images import DigitRows, WeightBars, WeightImage
from coursekit.plots.landscape import ExampleEdge, Fan, Landscape, LocalAnswers, Swarm, journey
from coursekit.plots.listing import LengthRod, LoudWeights, WordList, WordPaths
from coursekit.plots.losses import FarBoundary, Prices, Pulls
from coursekit.plots.marks import Ghost
from coursekit.plots.normal import Distances, Normal, Notes, Shadow
from coursekit.plots.panel import NARROW, legend_above, narrow_png, narrowed, panel
from coursekit.plots.parameters import ErrorBars, Reach, StepLand, WeightSpace
from coursekit.plots.regions import PlaceBars, Regions, Side
from coursekit.plots.scores import Bill, Cut, Piles, Shares, Slacks
from coursekit.plots.street import Dial, GapCurve, MarginStreet, Rugs
from coursekit.plots.style import NEGATIVE, POSITIVE, STYLE, STYLES, figure
from coursekit.plots.weights import Balance, LambdaAxis, SelectionErrors, TwoErrors, WeightPath

__all__ = [
    "NARROW", "NEGATIVE", "POSITIVE", "STYLE", "STYLES", "Balance", "Bill", "Boundaries", "Cut", "DecisionBoundary",
    "Dial", "DigitRows", "Distances", "ErrorBars", "ExampleEdge", "Fan", "FarBoundary", "GapCurve", "Ghost",
    "LambdaAxis", "Landscape", "LengthRod", "LocalAnswers", "LoudWeights", "MarginStreet", "MistakeBounds", "Normal",
    "Notes", "ObjectiveCurves", "Piles", "PlaceBars", "Prices", "Pulls", "Reach", "Regions", "Rugs", "SelectionErrors",
    "Shadow", "Shares", "Side", "Slacks", "StepCut", "StepLand", "Swarm", "TwoErrors", "WeightBars", "WeightImage",
    "WeightPath", "WeightSpace", "WordList", "WordPaths", "figure", "journey", "legend_above", "narrow_png", "narrowed",
    "panel",
]
explain_all(globals())
