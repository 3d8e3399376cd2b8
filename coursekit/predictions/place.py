"""A picture in which places are marked, for a question that asks where; and answers in the picture of an outcome."""

import io
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from coursekit.explorers.keys import ARROWS
from coursekit.explorers.picture import Picture, Point, Stroke
from coursekit.explorers.stills import image
from coursekit.plots import narrow_png, narrowed
from coursekit.plots.style import current
from coursekit.plots.tags import Tag, Tags
from coursekit.predictions.question import Question


class Place:
    """A picture in which one place is marked, or `many`, by clicks or with the arrow keys."""

    def __init__(self, figure: Figure, alt: str) -> None:
        plt.close(figure)
        self.axes, self.many, self.on_move = figure.axes[0], False, lambda: None
        self.places: list[Point] = []
        self._wide = ExitStack()
        self.axes.set(xlim=self.axes.get_xlim(), ylim=self.axes.get_ylim())
        self._mark = mark(self.axes, [])
        self.picture = Picture(figure, [self._mark], lambda _press: self._stroked)
        self.picture.add_class("ck-place")
        self.picture.label = "picture to click in"
        self.picture.key_help = "Click, or move the mark with the arrow keys."
        self.picture.on_keys(list(ARROWS), self._pressed)
        self.picture.observe(self._folded, "narrow")
        self.picture.draw(alt)

    @property
    def at(self) -> Point | None:
        return self.places[-1] if self.places else None

    def _folded(self, change: dict[str, Any]) -> None:
        with self.picture.lock:
            self._wide.close()
            if change["new"]:
                self._wide.enter_context(narrowed(self.picture.figure))
            self.picture.lay(self.picture.figure, [self._mark])
            self.picture.draw(self.picture.sentence)

    def _stroked(self, stroke: Stroke) -> None:
        if stroke.axes is self.axes and (stroke.done or not self.many):
            self._put(stroke.at)

    def _pressed(self, keys: list[str]) -> None:
        to_data = self.axes.transAxes + self.axes.transData.inverted()
        for key in keys:
            share = to_data.inverted().transform(self.at) if self.at else (0.5, 0.5)
            self._put(to_data.transform(np.clip(np.add(share, 0.02 * np.array(ARROWS[key])), 0, 1)))

    def _put(self, at: Iterable[float]) -> None:
        x, y = map(float, at)
        self.show([*(self.places if self.many else []), (x, y)])
        self.on_move()

    def show(self, places: Sequence[Point]) -> None:
        self.places = [*places]
        self._mark.set_data(*np.reshape(places, (-1, 2)).T)
        self.picture.draw(self.picture.sentence)


def mark(axes: Axes, places: Sequence[Any]) -> Line2D:
    """Rings around these places."""
    look: dict[str, Any] = {"marker": "o", "ms": 13, "mew": 2.2, "mfc": "none", "mec": current().ink, "ls": ""}
    (made,) = axes.plot(*np.reshape(places, (-1, 2)).T, clip_on=False, zorder=20, **look)
    made.set_in_layout(bool(places))  # matplotlib takes a line without points to be at the corner of the figure
    return made


def drawn(figure: Figure, question: Question, answers: Sequence[Any]) -> str:
    """The outcome's picture with the answers in it; they are taken out again, should it be shown once more."""
    if not question.alt:
        raise ValueError(f"alt must tell the picture in words where the outcome is a Figure; {question.name} has none")
    axes, file = figure.axes[0], io.BytesIO()
    added: list[Any] = [mark(axes, answers)] if question.picture and not question.draw else []
    if added and len(answers) == 1:
        figure.draw_without_rendering()  # names of its own find their places first
        added.append(you := Tags(axes, 11.0))
        you.show([Tag("you", answers[0])])
    for answer in answers if question.axis else ():
        look: dict[str, Any] = {"color": current().ink, "ls": (0, (2, 2)), "lw": 1.5}
        if question.axis == "x":
            word = axes.text(answer, 1, " you", va="top", transform=axes.get_xaxis_transform())
            added += [axes.axvline(answer, **look), word]
        else:
            word = axes.text(0, answer, " you", va="bottom", transform=axes.get_yaxis_transform())
            added += [axes.axhline(answer, **look), word]
    figure.savefig(file, format="png", dpi=2 * figure.dpi, bbox_inches="tight")
    narrow = narrow_png(figure)
    for one in added:
        one.remove()
    plt.close(figure)  # made with pyplot, it would show once more below the next cell
    return image(file.getvalue(), question.alt, 2, narrow)
