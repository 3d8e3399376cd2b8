"""Pictures to answer in, with marks or by drawing; and the answers in the picture of an outcome."""

import io
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from coursekit.core.validate import Floats
from coursekit.explorers.controls import ARROWS
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


class Freehand:
    """The picture, and the answers drawn in it as rows of numbers: of a curve its heights at places spread evenly over
    the axes; of a street the heights of its middle at both edges, and half its height; of a path its points in turn.

    draws: what was true, a row for each draw; right: their mean. The page counts in shares of the axes.
    """

    def __init__(self, figure: Figure, question: Question) -> None:
        self.kind, self.unit, self.axes = question.draw, question.unit, figure.axes[0]
        self.picture = Place(figure, question.picture).picture
        self.picture.touchable = False  # the page lays handles over it
        self.picture.label = "picture to draw in"
        self.picture.on_keys([], lambda _keys: None)
        self.draws = np.atleast_2d(np.asarray(question.right, float))
        x, y = self._ends = (self.axes.get_xlim(), self.axes.get_ylim())
        each = (x, y) if self.kind == "path" else (y,)
        low, high = np.tile(each, (self.right.size // len(each), 1)).T
        self._low, self._span = low, high - low
        if self.kind == "street":
            self._low = low * [1, 1, 0]
        how = "Draw across the picture, or move" if self.kind == "curve" else "Move"
        self.begin = {"sketch": self.form(), "hint": f"{how} the dots. Tab and the arrow keys do it, too."}

    @property
    def right(self) -> Floats:
        return np.asarray(self.draws.mean(axis=0))

    def form(self) -> dict[str, Any]:
        """What the page needs to begin."""
        left, below, right, above = self.axes.get_position().extents
        begin = np.array([0.5, 0.5, 0.12])
        if self.kind == "curve":
            begin = np.full(self.right.size, 0.5)
        if self.kind == "path":
            ends = self.shares(self.right)
            begin = np.linspace(ends[:2], ends[-2:], ends.size // 2).ravel()
        names = [self.axes.get_xlabel(), self.axes.get_ylabel()]
        return {"kind": self.kind, "start": begin.tolist(), "places": self._places(), "names": names, "unit": self.unit,
                "ends": [*map(list, self._ends)], "box": [left, 1 - above, right - left, above - below]}  # fmt: skip

    def takes(self, thing: Any) -> bool:
        """Whether this part of an outcome is the draws."""
        if taken := isinstance(thing, np.ndarray):
            self.draws = np.asarray(thing, float)
        return taken

    def shares(self, numbers: Any) -> Floats:
        return np.asarray((np.asarray(numbers, float) - self._low) / self._span)

    def answer(self, shares: Any) -> list[float]:
        return [float(f"{number:.4g}") for number in self._low + self._span * np.asarray(shares, float)]

    def result(self, answer: Any) -> dict[str, Any]:
        """What the page draws over it: the answer, the mean and the draws."""
        rows = {"own": answer, "right": self.right, "draws": self.draws if len(self.draws) > 1 else []}
        return {name: self.shares(row).round(4).tolist() if len(row) else [] for name, row in rows.items()}

    def told(self, answer: Any) -> str:
        """How the answer differs from the mean, in words and numbers."""
        own, right = np.asarray(answer, float), self.right
        if self.kind == "street":
            ends = zip(own[:2] - right[:2], ("left", "right"), strict=True)
            middle = " and ".join(f"{self._number(abs(away))} {_side(away)} on the {end}" for away, end in ends)
            return f"Your street is {own[2] / right[2]:.2g} times as wide. Its middle is {middle}."
        if self.kind == "path":
            away = _spread(own) - _spread(right)
            across, up = away.mean(axis=0)
            way = _side(across, "too far right", "too far left") if abs(across) > abs(up) else _side(up)
            return f"On average your path is {self._number(np.hypot(*away.T).mean())} away, mostly {way}."
        away = own - right
        parts = [_side(part.mean()) for part in np.array_split(away, 2)]
        way = f", mostly {parts[0]}" if len({*parts}) == 1 else f", {parts[0]} on the left, {parts[1]} on the right"
        told = f"On average you are {self._number(abs(away).mean())} off{way if away.any() else ''}."
        for which, lowest in (("lowest", 1), ("highest", -1)):
            mine, true = (int((lowest * row).argmin()) for row in (own, right))
            if 0 < true < right.size - 1 and mine != true:
                told += f" Yours is {which} at {self._places()[mine]}, the true one at {self._places()[true]}."
        low, high = self.draws.min(axis=0), self.draws.max(axis=0)
        within = np.sum((low <= own) & (own <= high))
        return f"{told} At {within} of {own.size} places you are within the {len(self.draws)} draws."

    def still(self) -> str:
        """The picture with what is true in it, as HTML."""
        mean = f", the mean of {len(self.draws)} draws" if len(self.draws) > 1 else ""
        words = f"{self.picture.sentence} In it what is true{mean}: {', '.join(f'{one:.3g}' for one in self.right)}."
        drawn, look = [], {"color": current().green, "transform": self.axes.transAxes, "zorder": 9}
        for k, row in enumerate([*self.draws, self.right]):
            how: Any = look | ({"lw": 3.5} if k == len(self.draws) else {"lw": 0.8, "alpha": 0.35})
            drawn += [one for line in self._lines(self.shares(row)) for one in self.axes.plot(*line.T, **how)]
        self.picture.redraw()
        made = image(self.picture.png(), words, narrow=narrow_png(self.picture.figure))
        for one in drawn:
            one.remove()
        self.picture.redraw()
        return made

    def _lines(self, shares: Floats) -> list[Floats]:
        if self.kind == "path":
            return [shares.reshape(-1, 2)]
        if self.kind == "street":
            return [np.column_stack([[0, 1], shares[:2] + side * shares[2]]) for side in (-1, 0, 1)]
        return [np.column_stack([np.linspace(0, 1, shares.size), shares])]

    def _places(self) -> list[str]:
        """Where along the curve each of its numbers is."""
        at = (self.axes.transAxes + self.axes.transData.inverted()).transform
        return [f"{float(f'{at((share, 0))[0]:.2g}'):g}" for share in np.linspace(0, 1, self.right.size)]

    def _number(self, size: float) -> str:
        return f"{size:.2g} {'percentage points' if self.unit == '%' else self.unit}".strip()


def _side(away: float, more: str = "too high", less: str = "too low") -> str:
    return more if away > 0 else less


def _spread(path: Floats) -> Floats:
    """Fifty points along a path, equally far apart."""
    points = path.reshape(-1, 2)
    way = np.append(0, np.cumsum(np.hypot(*np.diff(points, axis=0).T)))
    return np.column_stack([np.interp(np.linspace(0, way[-1], 50), way, part) for part in points.T])
