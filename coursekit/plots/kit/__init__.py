"""What figures of an idea are drawn with: names at the things they name, vectors, forces, areas.

Each takes an Axes and arrays, draws in the current style and returns its artists. Set the limits of the axes
first, because names look for free room, and braces and springs have a width in points. A name keeps clear of what
is drawn before it: where a picture is crowded, draw without names and call `label` at the end.

    fig = ck.plots.figure(5, 4)
    ax = fig.add_subplot(xlim=(-2, 2), ylim=(-1, 2), aspect="equal")
    kit.vector(ax, (1.6, 0.5), "θ")
    kit.vector(ax, (0.5, 1.4), "x")
    kit.shadow(ax, (0.5, 1.4), onto=(1.6, 0.5), name="θ · x / ‖θ‖")
"""

from coursekit.plots.kit.areas import ball, band, cloud, planes
from coursekit.plots.kit.labels import label
from coursekit.plots.kit.vectors import angle, brace, fan, force, shadow, spring, vector

__all__ = ["angle", "ball", "band", "brace", "cloud", "fan", "force", "label", "planes", "shadow", "spring", "vector"]
