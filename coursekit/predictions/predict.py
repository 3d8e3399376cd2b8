"""Predict first: a question whose outcome is computed only when somebody has answered it."""

import os
import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from html import escape, unescape
from pathlib import Path
from types import FunctionType
from typing import Any

import anywidget
import ipywidgets as widgets
import numpy as np
import traitlets
from matplotlib.figure import Figure

from coursekit.core.text import typeset
from coursekit.explorers.controls import script
from coursekit.explorers.stills import FOLDED, html, image
from coursekit.plots import narrow_png
from coursekit.predictions.place import Freehand, Place, drawn
from coursekit.predictions.question import Answer, Question, find, keep, kept

HERE = Path(__file__).parent
asked: dict[str, "Prediction"] = {}  # the newest of each name: "all of this chapter" asks these again


def predict(name: str, outcome: Callable[[], Any] | None = None, picture: Figure | None = None) -> "Prediction":
    """Ask the learner; compute and show the outcome after the answer, never before.

    name: "chapter/question", such as "02-perceptron/mistakes". The question stands in
        coursekit/predictions/<chapter>.toml, where no learner reads it by accident; a file predictions/<chapter>.toml
        beside the notebook goes first. This is a choice; coursekit/predictions/README.md tells how numbers, places and
        drawings are asked for:

        [mistakes]
        question = "Three points. How many mistakes will the perceptron make before it stops?"
        right = "more than 3"
        after = "What the learner should have seen in the outcome: row 7 undoes row 8."
        [mistakes.answers]
        "3" = "One mistake for each point would be fair. But every update moves the line for all points."
        "more than 3" = "Example 0 and the other two take turns until the weights are long enough for both."

    outcome: called without arguments when the learner has answered. It returns what to show: a Figure, an
        explorer, a table, a text (HTML, with formulas between $), or a list of these. It may use all that
        the cells above have defined: its names mean what they mean now. For what is drawn, an array among them is
        what was true, a row for each draw.
    picture: for a place, and for what is drawn, the Figure to click or draw in. Its first axes count.

    Raises ValueError for an unknown name, a fault in the file, and a picture that is missing or not asked for.

    Answers are kept beside the notebook, in .coursekit-predictions.json. Nothing is sent anywhere. A notebook
    that is run with COURSEKIT_FOLDED=1 in the environment shows question and folded outcome without a widget.
    """
    question = find(name)
    if bool(question.picture) != (picture is not None):
        raise ValueError(f"picture must be given where the question has one, and only there; got {picture!r}")
    asked[name] = Prediction(question, _as_now(outcome) if isinstance(outcome, FunctionType) else outcome, picture)
    return asked[name]


class Form(anywidget.AnyWidget):
    """What is clicked: choices or a slider, and the button. `result` is empty until somebody has answered."""

    _esm = script("kernel.js", "field.js", HERE / "draw.js", HERE / "predict.js")
    _css = HERE / "predict.css"
    label = traitlets.Unicode().tag(sync=True)
    choices = traitlets.List(traitlets.Unicode()).tag(sync=True)
    slider = traitlets.List([0, 0, 1]).tag(sync=True)
    unit = traitlets.Unicode().tag(sync=True)
    hint = traitlets.Unicode().tag(sync=True)
    sketch = traitlets.Dict().tag(sync=True)  # what is drawn, see `Freehand.form`
    ready = traitlets.Bool(True).tag(sync=True)
    result = traitlets.Dict().tag(sync=True)


class Prediction:
    """A question on the screen. commit(answer) and reset() do what its buttons do; .answer is None before."""

    def __init__(self, question: Question, outcome: Callable[[], Any] | None, picture: Figure | None) -> None:
        self.question, self._outcome = question, outcome
        self._asking = f"<b>Predict first.</b> {question.question}"
        self.answer: Answer | None = None
        self.place = Place(picture, question.picture) if picture and not question.draw else None
        self.sketch = Freehand(picture, question) if picture and question.draw else None
        self.form = Form(
            label=_plain(question.question), choices=question.choices, slider=list(question.slider or (0, 0, 1)),
            unit=question.unit, ready=self.place is None, **(self.sketch.begin if self.sketch else {}),
        )  # fmt: skip
        self.form.on_msg(self._received)
        if self.place:
            self.place.on_move = self._moved
            self._moved()
        if sketch := self.sketch:  # its axes lie elsewhere in a narrow picture
            sketch.picture.observe(lambda _change: self.form.set_trait("sketch", sketch.form()), "narrow")
        self.below = widgets.VBox()
        self.pictures = [asks.picture for asks in (self.place, self.sketch) if asks]
        self.widget = widgets.VBox([shown(self._asking), *self.pictures, self.form, self.below])
        self.widget.add_class("ck-prediction")

    def commit(self, answer: Any) -> None:
        """Answer, keep the answer, and show the outcome. Raises ValueError for what cannot be an answer."""
        self._show(self.question.read(answer))
        keep({self.question.name: self.answer})

    def reset(self) -> None:
        """Ask again: the kept answer is forgotten."""
        self.answer, self.below.children, self.form.result = None, (), {}
        if self.place:
            self.place.picture.layout.display = None
        keep({self.question.name: None})

    def outcome(self, answers: Sequence[Answer] = ()) -> list[Any]:
        """What the outcome shows, with these answers marked in its pictures."""
        try:
            made = self._outcome() if self._outcome else []
            things = made if type(made) in (list, tuple) else [made]
            if self.sketch:
                things = [one for one in things if not self.sketch.takes(one)]
            return [drawn(one, self.question, answers) if isinstance(one, Figure) else one for one in things]
        except Exception as error:  # the cells above may not have been run
            if os.environ.get(FOLDED):
                raise
            said = f"{type(error).__name__}: {error}"
            return [f"The outcome could not be computed ({escape(said)}). Run the cells above, then this one again."]

    def _show(self, answer: Answer) -> None:
        question, self.answer = self.question, answer
        idea, outcome = self._idea(answer), self.outcome([answer])
        own, right = question.describe(answer), question.describe(question.right)
        # A place is right when it is nearest to one with the right one's sentence: nobody hits a point.
        near = bool(question.picture) and question.answers[idea] == question.answers[question.right]
        result: dict[str, Any] = {"own": answer, "right": question.right}
        if self.sketch:
            result = self.sketch.result(answer)
            said = f"**{'Close enough.' if near else 'Not quite.'}** {typeset(self.sketch.told(answer))}"
        else:
            so = ", and so it is." if own == right else f". {'Close enough: **it' if near else '**It'} is** {right}."
            said = f"**You {'marked' if self.place else 'said'}** {own}{so}"
        why = "\n\n".join(dict.fromkeys(question.answers[one] for one in (idea, question.right)))
        self.form.result = result | {"said": said}
        if self.place:  # the outcome shows the place too
            self.place.picture.layout.display = "none"
        self.below.children = [shown(one) for one in (why, *outcome, question.after) if one != ""]

    def _idea(self, answer: Answer) -> Answer:
        """The answer of the file that is nearest to this one; for a place, on its side of the walls, as it looks."""
        if isinstance(answer, str):
            return answer
        at = self.place.axes.transData.transform if self.place else self.sketch.shares if self.sketch else np.asarray
        return min(self.question.beside(answer), key=lambda one: float(np.linalg.norm(at(one) - at(answer))))

    def _moved(self) -> None:
        where = self.place and self.place.at
        self.form.ready = where is not None
        self.form.hint = f"Your mark: {self.question.describe(where)}" if where else "Click into the picture."

    def _received(self, _form: Form, message: dict[str, Any], _buffers: object) -> None:
        if "commit" in message and self.answer is None:
            given = message["commit"]
            self.commit(self.place.at if self.place else self.sketch.answer(given) if self.sketch else given)
        if message.get("again") == "this":
            self.reset()
        if message.get("again") == "chapter":
            chapter = self.question.name.partition("/")[0] + "/"
            keep({name: None for name in kept() if name.startswith(chapter)})
            for name, prediction in asked.items():
                if name.startswith(chapter):
                    prediction.reset()

    def __repr__(self) -> str:
        return "\n".join([_plain(self.question.question), *(f"- {choice}" for choice in self.question.choices)])

    def _repr_mimebundle_(self, **_kwargs: Any) -> dict[str, Any]:
        if os.environ.get(FOLDED):
            return {"text/html": self.folded(), "text/plain": repr(self)}
        answer = None
        with suppress(ValueError):  # no answer was kept, or the question had others then
            answer = self.question.read(kept().get(self.question.name))
        if answer is not None:
            self._show(answer)
        text = f"{self._asked()}<p>Run the cells above, then this one: it takes your answer, or shows it again.</p>"
        return self.widget._repr_mimebundle_() | {"text/html": text, "text/plain": repr(self)}

    def folded(self) -> str:
        """All of it as HTML that needs nothing: the question, and the outcome in a closed fold."""
        question = self.question
        led: dict[str, list[Answer]] = {}  # the answers to which an idea leads, by its sentence
        for answer, sentence in question.answers.items():
            led.setdefault(sentence, []).append(answer)
        ideas = ""
        for sentence, answers in led.items():
            tick = " ✓" if question.right in answers else ""
            named = f"<b>{escape(' or '.join(map(question.describe, answers)))}{tick}</b>: "
            ideas += f"<li>{'' if question.draw else named}{sentence}</li>"
        outcome = self.outcome()
        true = [self.sketch.still()] if self.sketch else []
        inside = f"<ul>{ideas}</ul>" + "".join(map(html, (*true, *outcome, question.after)))
        return f"{self._asked()}<details><summary>Answer for yourself, then open</summary>{inside}</details>"

    def _asked(self) -> str:
        """The question as HTML, with what can be answered."""
        question = self.question
        if self.pictures:
            picture = self.pictures[0]
            choices = image(picture.png(), question.picture, narrow=narrow_png(picture.figure))
        elif question.slider:
            choices = f"<p>A number from {question.slider[0]:g} to {question.slider[1]:g}.</p>"
        else:
            choices = "".join(f"<li>{escape(choice)}</li>" for choice in question.choices).join(("<ul>", "</ul>"))
        return html(self._asking) + choices


def shown(thing: Any) -> widgets.Widget:
    """As a widget: an explorer is live."""
    widget = getattr(thing, "widget", thing)
    if isinstance(widget, widgets.Widget):
        return widget
    return widgets.HTMLMath(html(thing), layout={"width": "100%", "margin": "0"})


def _as_now(function: FunctionType) -> FunctionType:
    """The function, and its notebook's own that it calls, with names as they are now: all cells may be run first."""
    now = dict(function.__globals__)

    def bound(one: FunctionType) -> FunctionType:
        copy = FunctionType(one.__code__, now, one.__name__, one.__defaults__, one.__closure__)
        copy.__kwdefaults__ = one.__kwdefaults__
        return copy

    own = {name: one for name, one in now.items() if getattr(one, "__globals__", None) is function.__globals__}
    now |= {name: bound(one) for name, one in own.items()}
    return bound(function)


def _plain(text: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]*>|[$]", "", text)).split())
