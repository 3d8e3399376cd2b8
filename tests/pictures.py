"""What an explorer shows, as arrays, and keys and a pointer pressed in it."""

import io

import numpy as np
from PIL import Image

from coursekit.explorers.picture import Stroke


def pixels(explorer):
    """The still picture."""
    return np.asarray(Image.open(io.BytesIO(explorer.png())))


def key(explorer, *names):
    """Press keys in the picture; their numbers go on from the last one, whoever pressed that."""
    last = explorer.picture.pressed[-1][0] if explorer.picture.pressed else 0
    explorer.picture.pressed = [[last + 1 + k, name] for k, name in enumerate(names)]


def drag(explorer, axes, start, *way):
    """Press at a place of the axes, go along the way, and let go at its end."""
    held = explorer.grab(Stroke(axes, tuple(start), tuple(start), done=not way))
    for k, at in enumerate((start, *way) if held else ()):
        held(Stroke(axes, tuple(start), tuple(at), done=k == len(way)))


def read_log(plot, which):
    """The values of a curve of ObjectiveCurves, read off its own labels as a learner would."""
    words = [word for word in plot._labels._words if word.text != "0"]
    (low, first), (high, last) = ((words[k].y, np.log10(float(words[k].text))) for k in (0, -1))
    return 10 ** (first + (plot.curves[which].get_ydata() - low) / (high - low) * (last - first))
