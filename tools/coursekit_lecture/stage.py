"""All steps of a lecture in one kernel: each is made before it is asked for, and the page shows one of them."""

import asyncio
import io
import json
from collections.abc import Callable, Iterator
from contextlib import chdir, suppress
from html import escape
from pathlib import Path
from typing import Any

import anywidget
import ipywidgets as widgets
import matplotlib.pyplot as plt
import nbformat
import traitlets
from IPython.utils.capture import capture_output
from matplotlib.figure import Figure

from coursekit import explorers
from coursekit.explorers.stills import image
from coursekit.plots import narrowed
from coursekit.plots.style import STYLES, named, use
from coursekit.predictions import predict
from coursekit_lecture import running
from coursekit_lecture.course import installed

SHARP = 200  # dots an inch: a picture fills most of a wall
EMPTY, SHOWN, READY, DONE = range(4)  # of a step: nothing, what is looked at, its outcome can be made, is there too


def sheet() -> str:
    """The style sheet of the page; its body names one of the styles."""
    css = Path(__file__).with_name("stage.css").read_text("utf-8")
    for name, look in STYLES.items():
        css += f"[data-style={name}] :is(.ck-demo, .ck-scene) {{ --paper: {look.paper}; --ink: {look.ink}; "
        css += f"--large: {1.2 if look.zoom > 1 else 1} }}\n"
    return css


class Cells:
    """A chapter's cells, run one by one; what they ask, and the names that were there then."""

    def __init__(self, name: str) -> None:
        self.file = installed() / "notebooks" / f"{name}.ipynb"
        self.space: dict[str, Any] = {"__name__": "__main__"}
        self.asking: dict[str, tuple[Any, ...]] = {}  # the cell and its names, before and after it, by what it asks
        self.cells: Iterator[Any] = iter([c for c in nbformat.read(self.file, 4).cells if c.cell_type == "code"])

    def run(self) -> None:
        """The next cell."""
        cell = next(self.cells)
        before, space = set(predict.asked), dict(self.space)
        self.execute(cell, self.space)
        self.asking |= dict.fromkeys(set(predict.asked) - before, (cell, space, dict(self.space)))

    def execute(self, cell: Any, space: dict[str, Any]) -> None:
        with chdir(self.file.parent), capture_output():
            exec(compile(cell.source, f"{self.file.name}, cell {cell.id}", "exec"), space)
        plt.close("all")


class Scenes(anywidget.AnyWidget):
    """What the page says and hears. asked: the step, the style, outcomes, places; made: how far each step is."""

    _esm = Path(__file__).with_name("stage.js")
    asked: Any = traitlets.Dict().tag(sync=True)
    made: Any = traitlets.Dict().tag(sync=True)
    lines: Any = traitlets.Dict().tag(sync=True)  # of the explorers that were moved

    def __init__(self, which: str) -> None:
        self.order, self.chapters, self.things = running.read(which), dict[str, Cells](), dict[int, Any]()
        self.steps = self.order.shown
        asked = json.loads(Path("asked.json").read_text("utf-8"))
        super().__init__(asked=asked, made={str(k): EMPTY for k in range(len(self.steps))}, lines=asked["lines"])
        self.linked = asked["link"]
        self.styles = [""] * len(self.steps)
        self.boxes = [widgets.VBox(_dom_classes=("ck-scene", f"ck-scene-{k}", "ck-vote" if step.asks else "ck-show"))
                      for k, step in enumerate(self.steps)]  # fmt: skip
        self.told = [[widgets.VBox(_dom_classes=("ck-outcome", "ck-prediction"))] if step.asks and not step.asks.draw
                     else [] for step in self.steps]  # fmt: skip  # a drawing has it where it was drawn
        for k in range(len(self.steps)):
            self.put(k)
        self.marked: dict[int, Any] = {}  # places of the hall's that an outcome shows
        self.widget = widgets.VBox([widgets.HTML(f"<style>{sheet()}</style>"), self, *self.boxes])
        self.going = False
        self.observe(self.heard, "asked")
        self.on_msg(lambda *_: self.go_on())  # the page is there: what was made before might not reach it

    def heard(self, change: dict[str, Any]) -> None:
        left = self.things.get(change["old"]["step"])
        if left and change["old"]["step"] != change["new"]["step"] and self.steps[change["old"]["step"]].show:
            left.tools.player.playing = False  # what nobody sees would take the time of what they do see
        self.go_on()

    def go_on(self, again: bool = False) -> None:
        """Make things until all are there. Between two of them the page is heard."""
        if again or not self.going:
            self.going = not again or self.work()
            if self.going:
                asyncio.get_running_loop().call_later(0.01, self.go_on, True)

    def work(self) -> bool:
        """Do what is needed first; whether there was anything."""
        now, last = self.asked["step"], len(self.steps)
        turn = [*range(now, last), *range(now)] if self.order.minutes else [now]
        first = [(now, DONE)] if now in self.asked["outcomes"] else []
        ahead = [(k, DONE) for k in turn if self.steps[k].asks]
        return any(self.raised(k, level) for k, level in (*first, *((k, READY) for k in turn), *ahead))

    def raised(self, k: int, wanted: int) -> bool:
        """Go one step further with the step k; False: it is as far as is wanted."""
        level = self.made[str(k)]
        if level > EMPTY and self.styles[k] != self.asked["style"]:
            return self.tried(k, self.dress)
        if level >= READY:
            self.follow(k)
        if level >= wanted and (level < DONE or k not in self.asked["outcomes"] or self.marked[k] == self.marks(k)):
            return False
        with use(named(self.asked["style"])), plt.rc_context({"figure.dpi": SHARP} if level >= READY else {}):
            if self.tried(k, (self.show, self.ready, self.outcome, self.outcome)[level]):
                self.made = {**self.made, str(k): min(level + 1, DONE) if self.steps[k].asks else READY}
        return True

    def tried(self, k: int, act: Callable[[int], bool]) -> bool:
        """What cannot be done is said there."""
        try:
            return act(k)
        except Exception as error:  # the others go on
            said = predict.shown(escape(f"This step could not be made: {type(error).__name__}: {error}"))
            if act != self.outcome:
                self.put(k, said)
            elif self.told[k]:
                self.told[k][0].children = [said]
            return True

    def put(self, k: int, *seen: widgets.Widget) -> None:
        """What is looked at before the outcome. Both lie in the box, and the page shows one of them."""
        self.boxes[k].children = [*seen, *self.told[k]]

    def show(self, k: int) -> bool:
        """The explorer, or the picture of a question; False: the chapter has to run first."""
        step = self.steps[k]
        self.styles[k] = self.asked["style"]
        if step.show:
            own = running.table(self.order.folder / step.data, step.target, step.features) if step.data else None
            made = self.explorer(step.show, self.lines.get(str(k), ""), data=own)
            made.widget.add_class("ck-demo")
            made.picture.observe(lambda _: self.set_trait("lines", {**self.lines, str(k): made.preset}), "frame")
            self.things[k] = made
            self.put(k, made.widget)
            return True
        if step.code or (step.asks and step.asks.picture):
            if not (asked := self.prediction(k)):
                return False
            if step.code:
                *_, names = self.chapters[step.asks.name.partition("/")[0]].asking[step.asks.name]
                self.paint(k, eval(step.code, names | {"plt": plt}))
            elif asked.place:
                asked.place.many = True
                self.put(k, asked.place.picture)
                self.things[k] = asked.place.picture
                self.file(k, asked.place.picture.png(), asked.place)
            else:
                self.put(k, asked.widget)
        elif step.picture.endswith(".png"):
            self.still(k, (self.order.folder / step.picture).read_bytes())
        elif step.picture:
            made = self.explorer(step.picture)
            main = next(iter(made.views.values()))
            made.wanted = lambda _: tuple(name for name, one in made.views.items() if main in (one, one.over))
            made.narrow, made.picture.ratio = True, 3.0  # a narrow picture has large letters
            self.still(k, made.picture.png())
        return True

    def explorer(self, shown: str, line: str = "", **more: Any) -> Any:
        name, preset = running.explorer(shown)
        return getattr(explorers, name)(line or preset, style=self.asked["style"], **more)

    def paint(self, k: int, thing: Any) -> None:
        figure, file = thing if isinstance(thing, Figure) else plt.gcf(), io.BytesIO()
        with narrowed(figure):
            figure.savefig(file, format="png", dpi=300)
        plt.close("all")
        self.still(k, file.getvalue())

    def still(self, k: int, png: bytes) -> None:
        self.put(k, widgets.HTML(image(png, self.steps[k].asked, 2)))
        self.file(k, png)

    def file(self, k: int, png: bytes, place: Any = None) -> None:
        """The picture for phones, beside the page, and where in it places are."""
        Path(f"{k}.png").write_bytes(png)
        if place:
            where = {"place": [place.axes.get_xlim(), place.axes.get_ylim()],
                     "box": place.axes.get_position().extents.tolist()}  # fmt: skip
            Path(f"{k}.json").write_text(json.dumps(where), "utf-8")

    def ready(self, k: int) -> bool:
        """Whether the outcome can be shown at once."""
        return isinstance(self.steps[k].vote, dict) or self.prediction(k) is not None

    def prediction(self, k: int) -> Any:
        """The Prediction, as the chapter asks it; None: so far one more of the chapter's cells was run."""
        name = self.steps[k].asks.name
        chapter = self.chapters.setdefault(name.partition("/")[0], Cells(name.partition("/")[0]))
        if name not in predict.asked:
            chapter.run()
        return predict.asked.get(name)

    def marks(self, k: int) -> list[list[float]]:
        """Where the hall points, in the picture of a question for a place."""
        asked = predict.asked.get(self.steps[k].asks.name)
        return [*map(list, asked.place.places)] if asked and asked.place else []

    def outcome(self, k: int) -> bool:
        """What is so, and a paragraph about it: the speaker has the others. A drawing's page presses its own button."""
        step, self.marked[k] = self.steps[k], self.marks(k)
        if step.asks.draw:
            made = (asked := self.prediction(k))._outcome()
            asked._outcome = lambda: made
        for told in self.told[k]:
            if isinstance(step.vote, dict):
                things = [self.explorer(step.outcome)] if step.outcome else []
            else:
                things = self.prediction(k).outcome(self.marked[k])
            told.children = [predict.shown(one) for one in (*things, step.asks.after.partition("\n\n")[0]) if one != ""]
        return True

    def dress(self, k: int) -> bool:
        """The step in the style that is asked for now."""
        made, step = self.things.get(k), self.steps[k]
        self.styles[k] = self.asked["style"]
        self.made = {**self.made, str(k): min(self.made[str(k)], READY)}  # an outcome is made anew
        if isinstance(made, explorers.framework.Explorer):
            made.style = self.asked["style"]
        elif step.asks and step.looks:
            with use(named(self.asked["style"])):
                if not step.picture:  # asked once more
                    chapter = self.chapters[step.asks.name.partition("/")[0]]
                    chapter.execute(chapter.asking[step.asks.name][0], dict(chapter.asking[step.asks.name][1]))
                self.show(k)
        return True

    def follow(self, k: int) -> None:
        """Marks that came from phones, and an explorer's settings that came with a link."""
        places, link = self.asked["places"].get(str(k)), self.asked["link"]
        step, made = self.steps[k], self.things.get(k)
        if places is not None and self.marks(k) != places and (place := predict.asked[step.asks.name].place):
            place.show(places)
        if made and step.show and link != self.linked and link[0] == k:
            self.linked = link
            with suppress(ValueError):  # a line that nobody could have copied here
                made.preset = link[1]
