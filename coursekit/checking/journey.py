"""Where a learner is in the course: a map, what is done, and the link to go on."""

import io
import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from pathlib import Path

from PIL import Image

from coursekit import plots
from coursekit.checking import checks, student
from coursekit.explorers.stills import FOLDED, image
from coursekit.plots.panel import narrow_png, small
from coursekit.predictions import question

TITLES: dict[str, str] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))


@dataclass(frozen=True)
class Stage:
    """A chapter: how many of its predictions were made, and how many tasks of its exercise passed their last check."""

    predictions: int
    predicted: int
    tasks: int
    solved: int

    @property
    def done(self) -> float:
        return (self.predicted + self.solved) / (self.predictions + self.tasks)


@dataclass(frozen=True)
class Journey:
    """The course as a map, with what is done in it and where to go on. Shows itself in a notebook."""

    stages: Mapping[str, Stage]

    @property
    def here(self) -> str | None:
        """Where to go on: the last chapter that was begun, or the one after it if that is done; None at the end."""
        names = [*self.stages, None]
        begun = [k for k, stage in enumerate(self.stages.values()) if stage.done > 0]
        last = max(begun, default=0)
        return names[last + (bool(begun) and self.stages[names[last] or ""].done == 1)]

    def __repr__(self) -> str:
        made, solved = (sum(getattr(s, what) for s in self.stages.values()) for what in ("predicted", "solved"))
        all_made, tasks = (sum(getattr(s, what) for s in self.stages.values()) for what in ("predictions", "tasks"))
        if not (made or solved):
            return f"Ten chapters, {all_made} predictions, {tasks} tasks."
        return f"So far: {made} of {all_made} predictions, {solved} of {tasks} tasks."

    def _repr_html_(self) -> str:
        names, here = [*self.stages], self.here
        fig = plots.figure(6.4, 4.6)
        at = names.index(here) if here else None
        done = [stage.done for stage in self.stages.values()]
        plots.journey(fig.add_axes((0, 0, 1, 1)), [TITLES[name] for name in names], done, at)
        png = io.BytesIO()
        fig.savefig(png, format="png", dpi=2 * fig.dpi)
        begun = ", ".join(f"{n[:2].lstrip('0')} ({s.done:.0%})" for n, s in self.stages.items() if s.done)
        alt = f"A way down into a valley with ten stations, the chapters. Begun: {begun or 'none yet'}."
        text = escape(repr(self))
        if here:
            way = "Go on with" if begun else "Begin with"
            text += f' {way} <a href="{here}.ipynb"><b>{int(here[:2])} {TITLES[here]}</b></a>.'
        else:
            text += " All of it: the valley is reached."
        return f"{image(small(Image.open(png)), alt, 2, narrow_png(fig))}<p>{text}</p>"


def journey() -> Journey:
    """The map of the course, filled with what was done: predictions in this folder, tasks in the exercises.

    Both are read from the files that `ck.predict` and `check` keep. Nothing is sent anywhere. Where notebooks are run
    to be stored, it is a beginner's.

    >>> journey().stages["02-perceptron"].predictions > 0
    True
    """
    answers, passed = ({}, {}) if os.environ.get(FOLDED) else (question.kept(), student.state())
    exercises, questions = checks.known(), question.names()
    stages = {}
    for name in TITLES:
        asked, tasks = [q for q in questions if q.startswith(f"{name}/")], exercises.get(name, {})
        stages[name] = Stage(
            len(asked), sum(q in answers for q in asked), len(tasks), sum(passed.get(t) is True for t in tasks)
        )
    return Journey(stages)
