"""A picture to draw the answer in, a curve, a street or a path, and what is true beside what was drawn."""

from collections.abc import Callable
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from coursekit.core.validate import Floats
from coursekit.explorers.stills import image
from coursekit.plots import narrow_png
from coursekit.plots.style import current
from coursekit.predictions.place import Place
from coursekit.predictions.question import Question


class Freehand:
    """The picture, and the answers drawn in it as rows of numbers: of a curve its heights at places spread evenly over
    the axes; of a street the heights of its middle at both edges, and half its height; of a path its points in turn.

    draws: what was true, a row for each draw; right: their mean. The page counts in shares of the axes.
    """

    def __init__(self, figure: Figure, question: Question) -> None:
        self.kind, self.unit, self.axes = question.draw, question.unit, figure.axes[0]
        self.picture = Place(figure, question.picture).picture
        self.picture.touchable = False  # the page lays handles over it
        self.on_place: Callable[[], None] = lambda: None  # when the axes lie elsewhere in the picture
        self.picture.observe(lambda _change: self.on_place(), "narrow")
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
