"""What all explorers share: a strip of controls, a picture, a sentence, and a state to read and set."""

from __future__ import annotations

import base64
import os
import re
from collections.abc import Callable, Hashable, Iterable, Mapping
from contextlib import suppress
from functools import lru_cache
from inspect import signature
from itertools import groupby
from pathlib import Path
from types import MappingProxyType
from typing import Any, ClassVar, Generic, TypeVar

import ipywidgets as widgets
import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from coursekit.core import validate
from coursekit.core.validate import Floats
from coursekit.explorers import saving
from coursekit.explorers.controlled import Controlled, State, refuse_taken
from coursekit.explorers.controls import Fixed, button, choice, put, row, text
from coursekit.explorers.picture import Picture, Stroke
from coursekit.explorers.tools import Bar, Tools
from coursekit.explorers.view import View
from coursekit.plots import NARROW, Ghost, figure
from coursekit.plots.narrow import SHARP, small
from coursekit.plots.style import named, use

F = TypeVar("F")
FOLDED = "COURSEKIT_FOLDED"  # set where notebooks are run to be stored or printed: nobody will touch them there
STRIDE = 0.1  # how far an arrow key moves an example
ARROWS = {"ArrowLeft": (-1, 0), "ArrowRight": (1, 0), "ArrowDown": (0, -1), "ArrowUp": (0, 1)}
NOTHING = "nothing"  # is shown beyond the main views


class Explorer(Controlled, Generic[F]):
    """A picture that follows its controls.

    Explorer("lam=0.01 seed=3", eta=0.5): controls are set from one short line, from keywords, or both.
    style: how the picture looks, one of ck.plots.STYLES ("light", "projector", "dark").
    hide, fix: names of controls that are not shown, or shown and kept at their value.
    Every control is an attribute: explorer.lam reads it, explorer.lam = 0.1 sets it and redraws.
    .state: control values and everything computed. .sentence: what the picture shows. .reset(): as at
    the start. .preset: the short line that leads here from anywhere; setting it goes there.
    .before: the line of another state, drawn under the present one, grey and dashed; .compare() sets it.
    .forward(), .rewind() and .tools.player walk along the values of one control.
    .png(), .save(path), .gif(control, path): the picture, to keep.

    How an explorer is written, `class WidthExplorer(Explorer[Found])`:

    1. Controls are class attributes, made by the functions in `controls`, in the order in which they lie in the
       strip: `lam = controls.lam(0.1)`. What one is for beyond its value (`walk`, `renews`, `tucked`, `last`, `idle`)
       is declared there too, see `Control`.
    2. Views are class attributes: `street = View(MarginStreet, cell, room, "Street", click="edit")`, see `View`.
       `size` is that of the picture. Views with `also="weights"` come on demand: the control `also` shows all of one
       name in a strip `below` high under the picture, in which their cells are. `arrange()` sets what no frame
       changes: limits, legends, words; it is called again when a strip comes or goes, on a new figure, and when the
       page is narrow (`self.narrow`): then the views lie below one another, in the order in which they are declared.
    3. `model`, a static method, names what it needs as parameters: controls, and with `Editing` the edited `data`.
       It returns `Found`, a frozen dataclass of all that the picture shows. It is pure; its last answers are kept, and
       it runs again only when something that it names has changed. Slow parts of it that need less are functions of
       their own with `lru_cache`.
    4. `show(found, ...)` hands arrays to the plots and returns the sentence; behind `found` it too names what it needs
       as parameters. `if self.stale(key):` in it guards what belongs to the still part of the picture; that is drawn
       again for another key. `follow(found)` fits widgets.
    5. Where they are needed: `touch` for strokes that a view's click cannot express, `keys`, `buttons`, `strip`.

    Nothing changes when `model` raises. See `Editing` for examples that can be added, moved and removed.
    """

    before = text("before", tucked=True)
    also = choice("also show", [NOTHING], width="200px", tucked=True)

    views: ClassVar[dict[str, View[Any]]] = {}
    size: ClassVar[tuple[float, float]] = (9.0, 5.2)  # of the picture, in units of 100 dots
    below: ClassVar[float] = 2.8  # how high the strip is in which views on demand come
    key_help: ClassVar[str] = "Space plays or pauses; full stop and comma step on and back; C compares with before."
    axes: dict[str, Axes]
    plots: dict[str, Any]
    picture: Picture
    state: State
    tools: Tools
    widget: widgets.VBox

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        own = {name: value for name, value in vars(cls).items() if isinstance(value, View)}
        for name in own:
            refuse_taken(cls, name)
        cls.views = {**cls.views, **own}
        if extras := {view.also: None for view in cls.views.values() if view.also}:
            cls.declared = cls.declared | {"also": choice("also show", [NOTHING, *extras], width="200px")}
        if "model" in vars(cls):
            cls._model_names = tuple(signature(cls.model).parameters)
            cls._model = staticmethod(lru_cache(maxsize=4)(cls.model))
        if "show" in vars(cls):
            cls._show_names = tuple(signature(cls.show).parameters)[2:]  # behind self and found

    _model_names: ClassVar[tuple[str, ...]] = ()
    _show_names: ClassVar[tuple[str, ...]] = ()
    _model: Callable[..., Any]

    @staticmethod
    def model(*args: Any, **kwargs: Any) -> Any:
        """Everything that the picture shows, from what the parameters name."""
        raise NotImplementedError

    def arrange(self) -> None:
        """Once, when the plots are there: what no frame changes."""

    def show(self, found: F, *args: Any, **kwargs: Any) -> str:
        """Hand what was found to the plots; return the sentence that says what they show."""
        raise NotImplementedError

    def follow(self, found: F) -> None:
        """Fit buttons and widgets of this explorer's own to what was found."""

    def known(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """What `model` can name, for these values of the controls."""
        return dict(values)

    def more_tools(self) -> list[widgets.Widget]:
        """Rows of this explorer's own for the drawer of tools."""
        return []

    def buttons(self) -> list[widgets.Widget]:
        """Buttons of this explorer's own, for the strip."""
        return []

    def touch(self, stroke: Stroke) -> None:
        """The picture is touched: do what the view there declares."""
        for name, view in self.views.items():
            if callable(view.click) and self.axes[name] is stroke.axes:
                self.set(**view.click(self.plots[name], stroke.at))

    def keys(self) -> dict[str, Callable[[int], object]]:
        """What keys do while the picture has the focus; each is told how often it was pressed in a row."""
        player = self.tools.player
        return {
            " ": repeated(player.toggle), ".": player.walk, ",": lambda times: player.walk(-times),
            "c": repeated(self.compare),
        }

    def __init__(
        self, preset: str = "", *, style: str = "light", hide: str | Iterable[str] = (), fix: str | Iterable[str] = (),
        **values: Any,
    ) -> None:
        self._make_controls()
        hidden, fixed = self._named("hide", hide), self._named("fix", fix)
        self._style, self._quiet, self._narrow = named(style), False, False
        self._key: tuple[Hashable, ...] = ()
        self._found: F | None = None
        self._said = self._compared = ""
        self._ghosts: list[Ghost] = []
        with Picture.lock:
            with use(self._style):
                touchable = any(view.click for view in self.views.values())
                self.picture = Picture(*self._laid_out(self.wanted(self.values)), self._touched if touchable else None)
            self.tools = Tools(
                self, hidden | fixed | {"also"}, self.more_tools(), self.key_help, compare=self.compare,
                say=self.picture.draw, download=self._download,
            )
            self.picture.observe(lambda change: setattr(self, "narrow", change["new"]), "narrow")
            self.picture.label, self.picture.key_help = f"{self.name.replace('_', ' ')}: picture", self.key_help
            self.picture.on_keys(list(self.keys()), self._pressed)
            for name, control in self.controls.items():
                control.observe(self._moved, "value")
                control.disabled = name in fixed
                if name in hidden:
                    control.layout.display = "none"
            strip = self.strip()
            self.set(preset, **values)
            self._start, self._fixed = dict(self.values), fixed
            for name in fixed:
                self.controls[name].disabled = True
            self.widget = widgets.VBox([*strip, self.tools.drawer, self.picture])
            self.widget.layout.max_width = "100%"
            self.widget.add_class("ck-whole")

    def wanted(self, values: Mapping[str, Any]) -> tuple[str, ...]:
        """The names of the views to show for these values of the controls."""
        return tuple(name for name, view in self.views.items() if view.also in ("", values["also"]))

    def _laid_out(self, wanted: tuple[str, ...]) -> tuple[Figure, list[Artist]]:
        """A figure with all its plots, which show nothing yet, and their artists. What is not asked for is aside."""
        self.axes, self.plots, self._key, self._laid = {}, {}, (), (wanted, self._narrow)
        width, height = self.size
        below = self.below if any(self.views[name].also for name in wanted) else 0.0
        rows = [
            0.0 if name not in wanted else view.row(width, self.below if view.also else height)
            for name, view in self.views.items()
        ]
        if self.narrow:
            sheet = figure(NARROW, sum(rows), narrow=True)
        else:
            sheet = figure(width, height)
            sheet.set_figheight(sheet.get_figheight() + below)
        aside, share, top = figure(width, max(self.below, height)), below / sheet.get_figheight(), 1.0
        for (name, view), high in zip(self.views.items(), rows, strict=True):
            on, part = sheet, (0.0, share) if view.also else (share, 1.0)
            if self.narrow:
                part = top - high / sum(rows), top
                top = part[0]
            if name not in wanted or (self.narrow and not high and not view.over):
                on, part = aside, (0.0, 1.0)
            self.axes[name], self.plots[name] = view.draw(on, self.axes, part, whole=self.narrow)
        self.arrange()
        drawn = [self.plots[name] for name in self.views if self.axes[name].figure is sheet]
        return sheet, [artist for plot in drawn for artist in plot.artists]

    @property
    def shown(self) -> tuple[str, ...]:
        """The names of the views that are shown now."""
        return self._laid[0]

    @property
    def narrow(self) -> bool:
        """Whether the views lie below one another, as on the page of a phone. The browser sets it; so may Python."""
        return self._narrow

    @narrow.setter
    def narrow(self, narrow: bool) -> None:
        with self.picture.lock:
            if narrow != self._narrow:
                self._narrow = narrow
                self._go({})

    def strip(self) -> list[widgets.Widget]:
        """The rows above the picture."""
        shown = [self.controls[name] for name, control in self.declared.items() if not control.tucked]
        if not self.run:
            return [row(*shown, *self.last_buttons())]
        walked = self.controls[self.run]
        shown.remove(walked)
        return [row(*shown), row(*self.tools.player.buttons, walked, *self.last_buttons())]

    def last_buttons(self) -> list[widgets.Widget]:
        """The buttons at the end of the strip."""
        reset = button("Reset", "put every control back to where it was at the start", self.reset)
        return [*self.buttons(), reset, self.tools.opener]

    def set(self, preset: str = "", **values: Any) -> None:
        values = self._parsed(preset) | values
        with self.picture.lock:
            self._check(values)
            self._go(self._typed(values))

    def _moved(self, change: Any) -> None:
        """A control was moved in the browser; it goes back where that cannot be."""
        with self.picture.lock:
            name = next(name for name, control in self.controls.items() if control is change["owner"])
            if self._quiet or change["new"] == self.values[name]:
                return
            try:
                with suppress(Fixed):
                    self._go({name: change["new"]})
            finally:
                self._fit(self.state)

    def _go(self, moved: Mapping[str, Any]) -> None:
        """Compute with these controls moved, then show it. What can fail comes first: then nothing has changed."""
        values, state, found = self._computed({**self.values, **moved})
        line = values["before"]
        wanted = self.wanted(values)
        laid = (wanted, self._narrow) != self._laid
        compared = line != self._compared or laid
        earlier = self._computed(self._defaults | self._typed(self._parsed(line)))[1:] if line and compared else None
        news = compared or found is not self._found or self._beside(state) != self._beside(self.state)
        self.values, self.state = MappingProxyType(values), state
        self._fit(state, found)
        if laid:
            with use(self._style):
                self.picture.lay(*self._laid_out(wanted))
            self._ghosts = []
        if compared:
            self._compared = line
            self._keep(earlier)
        if news:
            self._said, self._found = self._shown(state, found), found
        if news or self._said != self.picture.sentence:
            self.picture.draw(self._said, self.grips(), self.handles())
        self.tools.follow()

    def _computed(self, values: Mapping[str, Any]) -> tuple[dict[str, Any], State, F]:
        """The values of the controls, none beyond its end, the state, and what the model found."""
        known = self.known(values)
        for method, names in (("model", self._model_names), ("show", self._show_names)):
            if unknown := [name for name in names if name not in known]:
                said = f"{type(self).__name__}.{method} must name some of {', '.join(known)}"
                raise TypeError(f"{said}; got {unknown[0]!r}")
        found = self._model(**{name: known[name] for name in self._model_names})
        _freeze(vars(found))  # it is kept, and shown again
        whole = State(known | vars(found))
        reached = {name: known[name] for name in self.declared}
        for name, control in self.declared.items():
            if control.last is not None:
                reached[name] = min(reached[name], control.last(whole))
        return reached, State(known | reached | vars(found)), found

    def _fit(self, state: State, found: F | None = None) -> None:
        """Move the widgets to where the controls are, which must not start another round."""
        self._quiet = True
        try:
            for name, control in self.controls.items():
                last = self.declared[name].last
                if last is not None:
                    control.max = last(state)
                put(control, self.values[name])
                if (idle := self.declared[name].idle) is not None:
                    control.disabled = idle(state)
            if found is not None:
                self.follow(found)
            for name in self._fixed:
                self.controls[name].disabled = True
        finally:
            self._quiet = False

    def _named_by_show(self, state: State) -> dict[str, Any]:
        return {name: state[name] for name in self._show_names}

    def _beside(self, state: State) -> Any:
        """What is shown beside all that was found."""
        return self._named_by_show(state)

    def _shown(self, state: State, found: F) -> str:
        return self.show(found, **self._named_by_show(state))

    def grips(self) -> list[tuple[Axes, Floats]]:
        """The places that can be taken hold of, by axes."""
        return []

    def handles(self) -> list[tuple[Axes, Floats]]:
        """Those of them that a finger takes hold of even where others are near."""
        return self.grips()

    def _keep(self, earlier: tuple[State, F] | None) -> None:
        """Draw the lines of an earlier state, instead of those kept so far."""
        for ghost in self._ghosts:
            self.picture.remove(ghost.artists)
            ghost.remove()
        self._ghosts = []
        if earlier is None:
            return
        state, found = earlier
        self.show(found, **self._named_by_show(state))
        with use(self._style):
            kept = [name for name in self.shown if self.views[name].compared]
            self._ghosts = [ghost for name in kept for ghost in self.plots[name].ghosts()]
        for ghost in self._ghosts:
            self.picture.add(ghost.artists)

    def stale(self, *key: Hashable) -> bool:
        """Whether the still part of the picture belongs to another key; then it is drawn again for this one."""
        if key == self._key:
            return False
        self._key = key
        self.picture.redraw()
        return True

    def step(self) -> None:
        """One step on, along the control that a run walks along, or the one that is played."""
        self.forward(self.run)

    def forward(self, control: str = "", by: int = 1) -> None:
        """Move a control by so many of its values (the one that is played, if none is named)."""
        self.tools.player.walk(by, control)

    def rewind(self, control: str = "") -> None:
        """Put a control to the first of its values (the one that is played, if none is named)."""
        self.tools.player.rewind(control)

    def compare(self) -> None:
        """Keep the lines of the present picture, grey and dashed, to compare with; again: take them away."""
        now = {name: value for name, value in self.values.items() if name != "before"}
        self.set(before="" if self.before else self._line(now, always="lam"))

    def _check(self, values: Mapping[str, Any]) -> None:
        super()._check(values)
        if line := values.get("before"):
            earlier = self._parsed(line)
            if earlier.pop("before", ""):
                raise ValueError(f"before must be one state, without a before of its own; got {line!r}")
            self._check(self._defaults | earlier)

    def _touched(self, stroke: Stroke) -> None:
        with suppress(Fixed):
            self.touch(stroke)

    def _pressed(self, names: list[str]) -> None:
        """Keys held down come several at a time: one picture for each run of the same key."""
        for name, presses in groupby(names):
            with suppress(Fixed):
                self.keys()[name](len(list(presses)))

    @property
    def name(self) -> str:
        """What its files are called."""
        return re.sub("(?<=[a-z])(?=[A-Z])", "_", type(self).__name__.removesuffix("Explorer")).lower()

    @property
    def sentence(self) -> str:
        return self.picture.sentence

    def png(self) -> bytes:
        """The picture as the bytes of a PNG file."""
        return self.picture.png()

    def save(self, path: str | Path, overwrite: bool = False) -> None:
        """Write the picture at print quality: 300 dots an inch (.png) or vectors (.svg, .pdf).

        Raises ValueError for another ending, FileExistsError where there is a file, unless `overwrite`.
        """
        saving.write(path, self.picture.printed(saving.kind(path, saving.STILL)), overwrite)

    def gif(self, control: str, path: str | Path, *, frames: int = 60, overwrite: bool = False) -> None:
        """Write an animation in which a control takes all its values, or `frames` of them, evenly spread.

        It shows as many values in a second as the player. Raises like `save`, before anything is drawn.
        """
        from tqdm.auto import tqdm

        saving.kind(path, ("gif",))
        saving.refuse_taken(path, overwrite)
        saving.write(path, self._animation(control, frames, tqdm), overwrite)

    def _animation(self, control: str, frames: int, bar: Bar) -> bytes:
        """A GIF in which the control takes its values."""
        values = self.stops(control)
        count = min(validate.count("frames", frames, 2), len(values))
        chosen = [values[round(k)] for k in np.linspace(0, len(values) - 1, count)]
        with self.picture.lock:
            before, images = dict(self.values), []
            try:
                for value in bar(chosen):
                    self.set(**{control: value})
                    images.append(self.picture.image())
            finally:
                self.set(**before)
        return saving.gif(images, round(1000 / self.tools.player.speed))

    def _download(self, kind: str, bar: Bar) -> None:
        gif = kind == "gif"
        content = self._animation(self.tools.player.control, 60, bar) if gif else self.picture.printed(kind)
        self.picture.download(f"{self.name}.{kind}", content)

    def __repr__(self) -> str:
        return self.sentence

    def _repr_mimebundle_(self, **_kwargs: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        """The live widget, the still picture for where nothing runs, and the sentence."""
        still = {"image/png": base64.b64encode(self.png()).decode(), "text/plain": self.sentence}
        told = {"alt": self.sentence}
        if os.environ.get(FOLDED):  # where outputs are stored, for the reading copy on a phone
            told["narrow"] = base64.b64encode(self.narrow_png()).decode()
        return self.widget._repr_mimebundle_() | still, {"image/png": told}

    def narrow_png(self) -> bytes:
        """The picture for a page as narrow as a phone, as a PNG file."""
        with self.picture.lock:
            ratio, self.picture.ratio = self.picture.ratio, SHARP
            self.narrow = True
            try:
                return small(self.picture.image())
            finally:
                self.picture.ratio, self.narrow = ratio, False


def _freeze(value: Any) -> None:
    """Make all arrays in it read-only."""
    if isinstance(value, np.ndarray):
        value.setflags(write=False)
    elif isinstance(value, (list, tuple, dict)):
        for one in value.values() if isinstance(value, dict) else value:
            _freeze(one)


def arrows(push: Callable[[float, float], object]) -> dict[str, Callable[[int], object]]:
    """What the arrow keys do: `push(to the right, up)`, a `STRIDE` for each press and five with Shift."""

    def pushed(x: float, y: float) -> Callable[[int], object]:
        return lambda times: push(times * x, times * y)

    strides = {"": STRIDE, "Shift+": 5 * STRIDE}
    return {key + name: pushed(x * far, y * far) for key, far in strides.items() for name, (x, y) in ARROWS.items()}


def repeated(action: Callable[[], object]) -> Callable[[int], None]:
    """What a key does that was pressed several times."""

    def several(times: int) -> None:
        for _ in range(times):
            action()

    return several
