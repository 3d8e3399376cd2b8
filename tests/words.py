"""All that is written in a figure, and what is wrong with where it is."""

import numpy as np
from matplotlib.text import Text

from coursekit.plots.lettering import Lettering
from coursekit.plots.tags import Tags


def written(figure):
    """(words, box, color, axes) of all that is written in a figure; boxes in pixels, (left, low, right, high)."""
    renderer, shown = figure._get_renderer(), [(text, None) for text in figure.texts]
    for ax in figure.axes:
        out = unseen(ax)
        shown += [(artist, ax) for artist in ax.findobj() if artist not in out] if ax.get_visible() else []
    for artist, ax in shown:
        if not artist.get_visible():
            continue
        if isinstance(artist, Text) and artist.get_text().strip():
            box = Text.get_window_extent(artist, renderer).extents  # without the leader of a label
            yield artist.get_text(), box, artist.get_color(), ax
        if isinstance(artist, Tags):
            for tag, box in zip(artist.tags, artist.boxes(renderer), strict=True):
                if np.isfinite(box).all():
                    yield tag.text, box, artist.color(tag), ax
        elif isinstance(artist, Lettering):
            for word, box in zip(artist._words, artist.boxes(renderer), strict=True):
                yield word.text, box, artist._color, ax


def unseen(ax):
    """Labels of ticks that are not in view or not drawn."""
    found = set()
    for axis in (ax.xaxis, ax.yaxis):
        low, high = sorted(axis.get_view_interval())
        ticks = [tick for tick in axis.get_major_ticks() if not ax.axison or not low <= tick.get_loc() <= high]
        found.update(label for tick in ticks for label in (tick.label1, tick.label2))
        found.update([] if ax.axison else [axis.label])
    return found


def common(a, b):
    """Width and height of what two boxes share; negative where they are apart."""
    return np.minimum(a[2:], b[2:]) - np.maximum(a[:2], b[:2])


def troubles(figure, cut=True):
    """Words outside the figure, unless it is cut to its contents, on other words, or on the plot beside their own."""
    words, found = [(text, box, ax) for text, box, _, ax in written(figure)], []
    for k, (text, box, ax) in enumerate(words):
        if cut and ((box[:2] < -1).any() or (box[2:] > figure.bbox.size + 1).any()):
            found.append(f"{text!r} is cut off")
        others = [(other, there) for other, there, _ in words[k + 1 :]]
        others += [("a plot", near.bbox.extents) for near in figure.axes
                   if near is not ax and near.get_visible() and near.axison]
        for other, there in others:
            width, height = common(box, there)
            if width > 1 and height > 3:  # boxes have room for accents that nobody uses
                found.append(f"{text!r} touches {other!r}")
    return found
