"""A prediction in a lecture: the question in large type, votes that are counted, then the outcome beside them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import ipywidgets as widgets
import matplotlib.pyplot as plt
import nbformat
import numpy as np
from IPython.utils.capture import capture_output

from coursekit.core.text import counted
from coursekit.explorers import predict
from coursekit.explorers.question import Question
from coursekit.lecture.course import installed
from coursekit.plots.style import current, named, use
from coursekit_lecture.demo import sheet

BINS = 8
SHARP = 200  # dots an inch: a picture fills most of a wall


def vote(name: str, style: str) -> widgets.Widget:
    """The page: votes on one question of the course, and its outcome when they are counted."""
    with use(named(style)):
        asked = asking(name)
    question = asked.question
    choices, right = bins(question)
    form = predict.Form(label=question.question, choices=choices, vote=True, sketch=asked.form.sketch)
    below = widgets.VBox()
    below.add_class("ck-outcome")
    place, sketch = asked.place, asked.sketch
    if sketch:
        sketch.on_place = lambda: form.set_trait("sketch", sketch.form())
    if place:
        place.many = True
        place.on_move = lambda: form.set_trait("hint", counted(len(place.places), "mark"))

    def pressed(_form: object, message: dict[str, Any], _buffers: object) -> None:
        done, said = "commit" in message, f"The answer is {question.describe(question.right)}."
        form.result = {"right": right, "said": said} if done and not sketch else {}
        below.children = []
        if done:
            with use(named(style)), plt.rc_context({"figure.dpi": SHARP}):
                things = asked.outcome(place.places if place else ())
                if sketch:
                    drawn = sketch.answer(message["commit"])
                    form.result = sketch.result(drawn) | {"said": sketch.told(drawn)}
                told = "\n\n".join([question.answers[question.right], question.after])
                below.children = [predict.shown(thing) for thing in (*things, told)]

    form.on_msg(pressed)
    left = widgets.VBox([predict.shown(question.question), *asked.pictures, form])
    page = widgets.HBox([left, below])
    for box, label in ((left, "ck-ballot"), (left, "ck-prediction"), (below, "ck-prediction"), (page, "ck-vote")):
        box.add_class(label)
    page.add_class("ck-demo")
    return widgets.VBox([sheet(named(style)), page])


def asking(name: str) -> predict.Prediction:
    """The prediction as its chapter asks it: the cells above it are run, and nothing of them is shown."""
    file = installed() / "notebooks" / f"{name.partition('/')[0]}.ipynb"
    space: dict[str, Any] = {"__name__": "__main__"}
    here = Path.cwd()
    os.chdir(file.parent)
    try:
        with capture_output():
            for cell in nbformat.read(file, 4).cells:
                if cell.cell_type == "code" and name not in predict.asked:
                    with use(current()):  # the style that a chapter asks for ends with its cell
                        exec(compile(cell.source, f"{file.name}, cell {cell.id}", "exec"), space)
            plt.close("all")
    finally:
        os.chdir(here)
    if name not in predict.asked:
        raise ValueError(f"name must be a prediction that its chapter asks; {file.name} does not ask {name!r}")
    return predict.asked[name]


def bins(question: Question) -> tuple[list[str], str]:
    """What is voted on, and the right one of them: the choices, or the slider's numbers in at most 8 groups.

    >>> bins(Question("", "?", 3.0, {3.0: "Three."}, slider=(0, 4, 1)))
    (['0', '1', '2', '3', '4'], '3')
    >>> bins(Question("", "?", 18.0, {18.0: "Twice nine."}, slider=(0, 40, 1)))
    (['0 to 5', '6 to 10', '11 to 15', '16 to 20', '21 to 25', '26 to 30', '31 to 35', '36 to 40'], '16 to 20')
    """
    if not question.slider:
        return question.choices, str(question.right)
    low, high, step = question.slider
    numbers = low + step * np.arange(round((high - low) / step) + 1)
    groups = np.array_split(numbers, min(len(numbers), BINS))
    names = [f"{group[0]:g} to {group[-1]:g}" if len(group) > 1 else f"{group[0]:g}" for group in groups]
    return names, next(name for name, group in zip(names, groups, strict=True) if question.right <= group[-1])
