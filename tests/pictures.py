"""What an explorer shows, as arrays."""

import io

import numpy as np
from PIL import Image


def frame(explorer):
    """The frame that was sent to the browser."""
    return np.asarray(Image.open(io.BytesIO(explorer.picture.frame)).convert("RGB"), float)


def pixels(explorer):
    """The still picture."""
    return np.asarray(Image.open(io.BytesIO(explorer.png())))
