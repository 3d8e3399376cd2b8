"""What an explorer shows, as arrays, and keys pressed in it."""

import io

import numpy as np
from PIL import Image


def frame(explorer):
    """The frame that was sent to the browser."""
    return np.asarray(Image.open(io.BytesIO(explorer.picture.frame)).convert("RGB"), float)


def pixels(explorer):
    """The still picture."""
    return np.asarray(Image.open(io.BytesIO(explorer.png())))


def key(explorer, *names):
    """Press keys in the picture; their numbers go on from the last one, whoever pressed that."""
    last = explorer.picture.pressed[-1][0] if explorer.picture.pressed else 0
    explorer.picture.pressed = [[last + 1 + k, name] for k, name in enumerate(names)]
