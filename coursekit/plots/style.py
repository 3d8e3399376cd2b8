"""The one look of all pictures: the style file beside this one, and what the classes look like."""

from __future__ import annotations

from pathlib import Path

import matplotlib.style
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

STYLE = str(Path(__file__).with_name("coursekit.mplstyle"))

NEGATIVE = {"color": "#0072B2", "marker": "o"}
POSITIVE = {"color": "#D55E00", "marker": "^"}
INK, SOFT, GREEN, PINK = "#222222", "#8A8A8A", "#007A5A", "#CC79A7"
CLASSES = (
    NEGATIVE,
    POSITIVE,
    {"color": GREEN, "marker": "s"},
    {"color": PINK, "marker": "D"},
    {"color": "#B07400", "marker": "v"},
)


def figure(width: float = 9.0, height: float = 4.0) -> Figure:
    """An empty Figure (inches, 100 dots each) in the course's style, outside pyplot's list of figures."""
    with matplotlib.style.context(STYLE):
        fig = Figure(figsize=(width, height))
        FigureCanvasAgg(fig)
    return fig
