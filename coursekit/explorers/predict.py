"""Predict first: a question whose outcome is computed only when somebody has answered it."""

from __future__ import annotations

import io
import json
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
import matplotlib.pyplot as plt
import numpy as np
import traitlets
from matplotlib.figure import Figure

from coursekit.core.files import write
from coursekit.explorers.controls import script
from coursekit.explorers.place import RING, Place, mark
from coursekit.explorers.question import Answer, Question, find
from coursekit.explorers.stills import FOLDED, html, image
from coursekit.plots import label, narrow_png
from coursekit.plots.style import current

KEPT = ".coursekit-predictions.json"

asked: dict[str, Prediction] = {}  # the newest of each name: "all of this chapter" asks these again


def predict(name: str, outcome: Callable[[], Any] | None = None, picture: Figure | None = None) -> Prediction:
    """Ask the learner; compute and show the outcome after the answer, never before.

    name: "chapter/question", such as "02-perceptron/mistakes". The question stands in
        coursekit/explorers/predictions/<chapter>.toml, where no learner reads it by accident; a file
        predictions/<chapter>.toml beside the notebook goes first.
    outcome: called without arguments when the learner has answered. It returns what to show: a Figure, an
        explorer, a table, a text (HTML, with formulas between $), or a list of these. It may use all that
        the cells above have defined: its names mean what they mean now.
    picture: for a place, the Figure to click in. Its first axes count.

    Raises ValueError for an unknown name, a fault in the file, and a picture that is missing or not asked for.

        [mistakes]
        question = "Three points. How many mistakes will the perceptron make before it stops?"
        right = "more than 3"
        after = "What the learner should have seen in the outcome: row 7 undoes row 8."
        [mistakes.answers]
        "3" = "One mistake for each point would be fair. But every update moves the line for all points."
        "more than 3" = "Example 0 and the other two take turns until the weights are long enough for both."

    This is a choice: the answers stand in the order in which they are shown. Each has one sentence. Under a wrong
    answer say kindly which idea leads there; that of the right one is shown to everybody: say why it is so.

    `slider = [0, 40, 1]`, from, to, step, makes the answer a number, in quotes among the answers; `unit = "mistakes"`
    names it. `picture = "What the picture shows, in words"` makes it a place, "2, -1" in the units of the axes. The
    learner gets the sentence of the answer that is nearest; several places may have the same one. The own place is
    drawn into the outcome's first axes, and so is the own number with `axis = "x"` or "y". Where the outcome is a
    Figure, `alt` tells it in words.

    Write what can be read aloud: θ, λ and ‖x‖ instead of formulas. Nothing below the cell may tell the answer.

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

    _esm = script("kernel.js", "field.js", "predict.js")
    _css = Path(__file__).with_name("predict.css")
    label = traitlets.Unicode().tag(sync=True)
    choices = traitlets.List(traitlets.Unicode()).tag(sync=True)
    slider = traitlets.List([0, 0, 1]).tag(sync=True)
    unit = traitlets.Unicode().tag(sync=True)
    hint = traitlets.Unicode().tag(sync=True)
    vote = traitlets.Bool(False).tag(sync=True)
    ready = traitlets.Bool(True).tag(sync=True)
    result = traitlets.Dict().tag(sync=True)


class Prediction:
    """A question on the screen. commit(answer) and reset() do what its buttons do; .answer is None before."""

    def __init__(self, question: Question, outcome: Callable[[], Any] | None, picture: Figure | None) -> None:
        self.question, self._outcome = question, outcome
        self._asking = f"<b>Predict first.</b> {question.question}"
        self.answer: Answer | None = None
        self.place = Place(picture, question.picture) if picture else None
        self.form = Form(
            label=_plain(question.question), choices=question.choices, slider=list(question.slider or (0, 0, 1)),
            unit=question.unit, ready=self.place is None,
        )  # fmt: skip
        self.form.on_msg(self._received)
        if self.place:
            self.place.on_move = self._moved
            self._moved()
        self.below = widgets.VBox()
        pictures = [self.place.picture] if self.place else []
        self.widget = widgets.VBox([shown(self._asking), *pictures, self.form, self.below])
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
            return [drawn(one, self.question, answers) if isinstance(one, Figure) else one for one in things]
        except Exception as error:  # the cells above may not have been run
            if os.environ.get(FOLDED):
                raise
            said = f"{type(error).__name__}: {error}"
            return [f"The outcome could not be computed ({escape(said)}). Run the cells above, then this one again."]

    def _show(self, answer: Answer) -> None:
        question, self.answer = self.question, answer
        idea = self._idea(answer)
        own, right = question.describe(answer), question.describe(question.right)
        # A place is right when it is nearest to one with the right one's sentence: nobody hits a point.
        hit = own == right or (bool(self.place) and question.answers[idea] == question.answers[question.right])
        verdict = "Correct." if own == right else f"{'Close enough: the' if hit else 'The'} answer is {right}."
        why = "\n\n".join(dict.fromkeys(question.answers[one] for one in (idea, question.right)))
        self.form.result = {"own": answer, "right": question.right, "said": f"Your answer: {own}. {verdict}"}
        if self.place:  # the outcome shows the place too
            self.place.picture.layout.display = "none"
        self.below.children = [shown(one) for one in (why, *self.outcome([answer]), question.after) if one != ""]

    def _idea(self, answer: Answer) -> Answer:
        """The answer of the file that is nearest to this one; for a place, as it looks in the picture."""
        if isinstance(answer, str):
            return answer
        at = self.place.axes.transData.transform if self.place else np.asarray
        return min(self.question.answers, key=lambda one: float(np.linalg.norm(at(one) - at(answer))))

    def _moved(self) -> None:
        where = self.place and self.place.at
        self.form.ready = where is not None
        self.form.hint = f"Your mark: {self.question.describe(where)}" if where else "Click into the picture."

    def _received(self, _form: Form, message: dict[str, Any], _buffers: object) -> None:
        if "commit" in message and self.answer is None:
            self.commit(self.place.at if self.place else message["commit"])
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
            ideas += f"<li><b>{escape(' or '.join(map(question.describe, answers)))}{tick}</b>: {sentence}</li>"
        inside = f"<ul>{ideas}</ul>" + "".join(map(html, (*self.outcome(), question.after)))
        fold = f"<details><summary>Answer for yourself, then open</summary>{inside}</details>"
        return f"{self._asked()}{fold}"

    def _asked(self) -> str:
        """The question as HTML, with what can be answered."""
        question = self.question
        if self.place:
            picture = self.place.picture
            choices = image(picture.png(), question.picture, narrow=narrow_png(picture.figure))
        elif question.slider:
            choices = f"<p>A number from {question.slider[0]:g} to {question.slider[1]:g}.</p>"
        else:
            choices = "".join(f"<li>{escape(choice)}</li>" for choice in question.choices).join(("<ul>", "</ul>"))
        return html(self._asking) + choices


def keep(answers: dict[str, Answer | None]) -> None:
    """Put answers into the file beside the notebook; None takes one out.

    A folder that cannot be written to is no error. A file that cannot be read is put aside, never overwritten.
    """
    file = Path(KEPT).absolute()
    with suppress(OSError):
        if file.exists() and kept() == {} and file.read_bytes().strip() not in (b"", b"{}"):
            file.rename(next(p for n in range(1, 1000) if not (p := file.with_name(f"{file.name}.{n}")).exists()))
        now = {name: answer for name, answer in (kept() | answers).items() if answer is not None}
        write(file, json.dumps(now, indent=1, ensure_ascii=False).encode())


def kept() -> dict[str, Any]:
    """The answers in the file; none where there is no file that can be read."""
    try:
        found = json.loads(Path(KEPT).read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def drawn(figure: Figure, question: Question, answers: Sequence[Any]) -> str:
    """The outcome's picture with the answers in it; they are taken out again, should it be shown once more."""
    if not question.alt:
        raise ValueError(f"alt must tell the picture in words where the outcome is a Figure; {question.name} has none")
    axes, file = figure.axes[0], io.BytesIO()
    added: list[Any] = []
    if question.picture:
        added = [mark(axes, answers)]
        if len(answers) == 1:
            added.append(label(axes, "you", answers[0], gap=RING / 2))
    for answer in answers if question.axis else ():
        look: dict[str, Any] = {"color": current().ink, "ls": (0, (2, 2)), "lw": 1.5}
        if question.axis == "x":
            added.append(axes.axvline(answer, **look))
            added.append(axes.text(answer, 1, " you", va="top", transform=axes.get_xaxis_transform()))
        else:
            added.append(axes.axhline(answer, **look))
            added.append(axes.text(0, answer, " you", va="bottom", transform=axes.get_yaxis_transform()))
    figure.savefig(file, format="png", dpi=2 * figure.dpi, bbox_inches="tight")
    narrow = narrow_png(figure)
    for one in added:
        one.remove()
    plt.close(figure)  # made with pyplot, it would show once more below the next cell
    return image(file.getvalue(), question.alt, 2, narrow)


def shown(thing: Any) -> widgets.Widget:
    """As a widget: an explorer is live."""
    widget = getattr(thing, "widget", thing)
    if isinstance(widget, widgets.Widget):
        return widget
    return widgets.HTMLMath(html(thing), layout={"width": "100%", "margin": "0"})


def _as_now(function: FunctionType) -> FunctionType:
    """The function with the global names as they are now: all cells may be run before the first answer."""
    parts = (function.__name__, function.__defaults__, function.__closure__)
    return FunctionType(function.__code__, dict(function.__globals__), *parts)


def _plain(text: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]*>|[$]", "", text)).split())
