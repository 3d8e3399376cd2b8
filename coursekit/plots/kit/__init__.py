"""What figures of an idea are drawn with: names at the things they name, vectors, forces, areas.

Each takes an Axes and arrays, draws in the current style and returns its artists. Set the limits of the axes
first: braces, springs and angles have a width in points. Names find their places when all is drawn.

    fig = ck.plots.figure(5, 4)
    ax = fig.add_subplot(xlim=(-2, 2), ylim=(-1, 2), aspect="equal")
    kit.vector(ax, (1.6, 0.5), "θ")
    kit.vector(ax, (0.5, 1.4), "x")
    kit.shadow(ax, (0.5, 1.4), onto=(1.6, 0.5), name="θ · x / ‖θ‖")
"""

from coursekit.plots.kit.areas import ball, band, cloud, planes
from coursekit.plots.kit.labels import WORDS, Label, blank, label, named
from coursekit.plots.kit.vectors import angle, brace, fan, force, shadow, spring, vector

__all__ = [
    "WORDS", "Label", "angle", "ball", "band", "blank", "brace", "cloud", "fan", "force", "label", "named", "planes",
    "shadow", "spring", "vector",
]
