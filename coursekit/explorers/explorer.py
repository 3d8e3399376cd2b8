"""What all explorers share, from slider to pixels: controls, a picture, a sentence, a state to read and set."""

import re
import tomllib
from collections.abc import Callable, Hashable, Iterable, Mapping
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any, ClassVar, Generic, Never, TypeVar, get_args

import ipywidgets as widgets
import numpy as np
from matplotlib.figure import Figure

from coursekit.core import files
from coursekit.core.text import typeset
from coursekit.explorers import own, stills
from coursekit.explorers.controlled import ByName, Controlled, State, declared_in
from coursekit.explorers.controls import Action, choice, position, press, put, repeated, text
from coursekit.explorers.picture import Hold, Picture, Stroke
from coursekit.explorers.tools import Tools
from coursekit.explorers.view import View, lay_out
from coursekit.models.shared import YOURS
from coursekit.plots.marks import Artist, Axes, Floats
from coursekit.plots.style import STYLES, current, named, use

F = TypeVar("F")
NOTHING = "nothing"  # is shown beyond the main views
LAYOUTS: dict[str, Any] = tomllib.loads(Path(__file__).with_name("layouts.toml").read_text("utf-8"))


class Explorer(Controlled, Generic[F]):
    """A picture that follows its controls.

    Explorer("lam=0.01 seed=3", eta=0.5): controls are set from one short line, from keywords, or both.
    data: examples of your own, of two classes: a pair (X, y), a Dataset, or a DataFrame with target="its column of
    labels"; features: which columns. In a plane they are two, and standardized. The control dataset calls them "yours".
    style: how the picture looks, one of ck.plots.STYLES: "light", which is dark on a dark page, "projector", "dark".
    show: names of one to three controls that lie large under the picture; without it, those of the class's `main`.
    hide, fix: names of controls that are not shown, or shown and kept at their value.
    Every control is an attribute: explorer.lam reads it, explorer.lam = 0.1 sets it and redraws.
    .state: control values and everything computed. .sentence: what the picture shows. .reset(): as at
    the start. .preset: the short line that leads here from anywhere; setting it goes there.
    .before: the line of another state, drawn under the present one, gray and dashed; .compare() sets it.
    .forward(), .rewind() and .tools.player walk along the values of one control.
    .png(), .save(path), .gif(control, path): the picture, to keep.

    How one is written, `class WidthExplorer(Explorer[Found])`, is shown in CONTRIBUTING. Controls and views are class
    attributes, see `Control` and `View`; what else it may say stands below. `Found` is a class whose attributes are all
    that the picture shows. It is pure, and made again only when something that its parameters name has changed, see
    `ByName`; its arrays are read-only. A static method `model` can take its place. `show(found, ...)` hands arrays to
    the plots and returns the sentence, with the numbers that matter in stars: "**6** of 24". Nothing changes when
    either raises. See `Editing` for examples that can be added, moved and removed.
    """

    before = text("before", tucked=True)
    also = choice("also show", [NOTHING], tucked=True)
    main: ClassVar[tuple[str, ...]] = ()  # the controls under the picture; else that with `walk`, else the first
    views: ClassVar[dict[str, View[Any]]] = {}
    size: ClassVar[tuple[float, float]] = (9.0, 5.2)  # of the picture, in units of 100 dots
    below: ClassVar[float] = 2.8  # how high the strip is in which views on demand come
    key_help: ClassVar[str] = "Space plays or pauses; period and comma step on and back; C compares with before."
    name: ClassVar[str]  # what its files are called
    takes_data: ClassVar[str] = "plane"  # which data of one's own: two features, "any" number, or "" for none
    marked: ClassVar[tuple[str, ...]] = ()  # of the state, what is shown beside all that `show` names
    picture: Picture
    state: State
    tools: Tools
    widget: widgets.VBox
    mains: tuple[str, ...]  # the controls under the picture of this one
    settling: bool  # whether widgets are moved to where the controls are: that is no wish of anybody
    axes: dict[str, Axes]  # by the names of the views, like the plots
    plots: dict[str, Any]
    model: ClassVar[Callable[..., Any]]  # everything that the picture shows, from what the parameters name
    _key: tuple[Hashable, ...]
    _model: ClassVar[ByName[Any]]
    _show: ClassVar[ByName[str]]

    def __init_subclass__(cls, layout: str = "") -> None:
        super().__init_subclass__()
        cls.name = re.sub("(?<=[a-z])(?=[A-Z])", "_", cls.__name__.removesuffix("Explorer")).lower()
        cls.views = {**cls.views, **declared_in(cls, View)}
        for name, told in LAYOUTS[layout].items() if layout else ():
            if isinstance(told, dict):
                cls.views[name].lay(**told)
            else:
                setattr(cls, name, tuple(told) if isinstance(told, list) else told)
        if extras := {view.also: None for view in cls.views.values() if view.also}:
            cls.declared = cls.declared | {"also": choice("also show", [NOTHING, *extras])}
        for base in vars(cls).get("__orig_bases__", ()):  # Explorer[Found]
            if "model" not in vars(cls) and isinstance(found := get_args(base)[0], type):
                cls.model = found
        if hasattr(cls, "model"):
            cls._model = ByName(f"{cls.__name__}.model", cls.model, kept=4)
            cls._show = ByName(f"{cls.__name__}.show", cls.show, first=2)  # self and found

    # What an explorer says of itself.

    def show(self, found: F, *args: Any, **kwargs: Any) -> str:
        """Hand what was found to the plots; return the sentence that says what they show."""
        raise NotImplementedError

    def arrange(self) -> None:
        """What no frame changes: limits, legends, words. Called on each new figure: when views come or go and when the
        page turns narrow (`self.narrow`)."""

    def follow(self, found: F) -> None:
        """Fit buttons and widgets of this explorer's own to what was found."""

    def known(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """What `model` can name, for these values of the controls; own: data of one's own, while they are shown."""
        return {**values, "own": self._own if values.get("dataset") == YOURS else None}

    def implied(self, changes: Mapping[str, Any]) -> dict[str, Any]:
        """What else changes with these controls."""
        return {}

    def draw(self, state: State, found: F) -> str:
        """Show this state; return the sentence."""
        said = self._show(self, found, known=state)
        return said if self._own is None else said + own.sentence(self, state, self._own)

    def grab(self, stroke: Stroke) -> Hold | None:
        """What a press takes hold of: what is done then and while it moves, by default what the view there declares."""
        for name, view in self.views.items():
            if callable(click := view.click) and self.axes[name] is stroke.axes:
                return lambda now: self.set(**click(self.plots[name], now.at))
        return None

    def grips(self) -> list[tuple[Axes, Floats]]:
        """The places that can be taken hold of, by axes."""
        held = [(self.axes[name], view.grip) for name, view in self.views.items() if view.grip]
        return [(axes, np.reshape(grip(self), (-1, 2))) for axes, grip in held]

    def handles(self, grips: list[tuple[Axes, Floats]]) -> list[tuple[Axes, Floats]]:
        """Those of them that a finger takes hold of even where others are near."""
        return grips

    def keys(self) -> dict[str, Action]:
        """What keys do while the picture has the focus; each is told how often it was pressed in a row."""
        return {" ": repeated(self.tools.player.toggle), "c": repeated(self.compare),
                ".": lambda times: self.forward(by=times), ",": lambda times: self.forward(by=-times)}

    def buttons(self) -> list[widgets.Widget]:
        """Buttons of this explorer's own, beside the last of the main controls."""
        return []

    def more_tools(self) -> list[widgets.Widget]:
        """Rows of this explorer's own for the drawer of tools."""
        return []

    # From slider to pixels.

    def __init__(self, preset: str = "", *more: Never, data: Any = None, target: str = "", features: Any = None,
                 style: str = "", show: str | Iterable[str] = (), hide: str | Iterable[str] = (),
                 fix: str | Iterable[str] = (), **values: Any) -> None:
        self.controls = {name: control.make() for name, control in self.declared.items()}
        self._defaults = {name: control.value for name, control in self.controls.items()}
        self.values = MappingProxyType(self._defaults)
        if "features" in self.controls and isinstance(features, str):  # the control
            values, features = {**values, "features": features}, None
        self._own = None if data is None else own.taken(self, data, target, features)
        values = values if data is None else {"dataset": YOURS, **values}
        hidden, fixed = frozenset(self._named("hide", hide)), frozenset(self._named("fix", fix))
        self.mains = self._named("show", show or self.main or self.run or next(iter(self.controls)))
        if len(self.mains) > 3:
            raise ValueError(f"show must name one to three controls, the others lie in the drawer; got {show!r}")
        self._style, self.settling, self._narrow = named(style) if style else current(), False, False
        self._found: Any = None
        self._shown: list[Any] = []
        self._sentence = self._compared = ""
        self._ghosts: list[Artist] = []
        with Picture.lock:
            with use(self._style):
                grab = self.grab if any(view.click for view in self.views.values()) else None
                self.picture = Picture(*self._lay_out(self.wanted(self.values)), grab)
            self.tools = Tools(self, hidden, fixed)
            self.picture.observe(lambda change: setattr(self, "narrow", change["new"]), "narrow")
            self.picture.key_help = self.key_help
            self.picture.on_keys(list(self.keys()), lambda names: press(names, self.keys()))
            self.picture.on_msg(lambda _, told, __: self.tools.do(told["word"]) if "word" in told else None)
            for name, control in self.controls.items():
                control.observe(partial(self._moved, name), "value")
                if name in hidden:
                    control.layout.display = "none"
            self.set((preset, *more) if more else preset, **values)  # type: ignore[arg-type]
            self._start, self._fixed = dict(self.values), fixed
            self._settle()
            self.widget = widgets.VBox([self.picture, *self.tools.desk, self.tools.drawer], _dom_classes=("ck-whole",))

    def set(self, preset: str = "", **values: Any) -> None:
        """Set several controls and draw once: set("lam=0.01 seed=3") or set(lam=0.01, seed=3)."""
        values = self.parse(preset) | values
        with self.picture.lock:
            self.check(values)
            self._go(self.typed(values))

    def _moved(self, name: str, change: Any) -> None:
        """A control was moved in the browser; it goes back where that cannot be."""
        with self.picture.by_hand():
            if self.settling or change["new"] == self.values[name]:
                return
            try:
                self._go({name: change["new"]})
            except BaseException:
                self._settle()
                raise

    def _go(self, changes: Mapping[str, Any]) -> None:
        """Compute with these controls moved, then show it. What can fail comes first: then nothing has changed."""
        values, state, found = self._computed({**self.values, **self.implied(changes), **changes})
        wanted, line = self.wanted(values), values["before"]
        laid = (wanted, self._narrow) != self._laid
        compared = laid or line != self._compared
        earlier = self._computed(self._defaults | self.typed(self.parse(line)))[1:] if line and compared else None
        named = [state.get(name) for name in (*self._show.names, *self.marked)]  # is shown beside all that was found
        news = compared or found is not self._found or named != self._shown
        self.values, self.state, self._found, self._shown = MappingProxyType(values), state, found, named
        self._settle()
        if laid:
            with use(self._style):
                self.picture.lay(*self._lay_out(wanted), self._style)
        if compared:
            self._compared = line
            self._show_ghosts(earlier)
        if news:
            self._sentence = typeset(self.draw(state, found))
        if news or self._sentence != self.picture.sentence:
            titles = [self.views[name].title for name in wanted if not self.views[name].over]
            self.picture.label = f"{self.name.replace('_', ' ')}: {', '.join(titles)}"
            self.picture.draw(self._sentence, grips := self.grips(), self.handles(grips))
        self.tools.follow()

    def _computed(self, values: Mapping[str, Any]) -> tuple[dict[str, Any], State, F]:
        """The values of the controls, none beyond its end, the state, and what the model found."""
        known = self.known(values)
        found = self._model(known=known)
        _freeze(vars(found))  # it is kept, and shown again
        whole = State(known | vars(found))
        reached = {name: known[name] if control.last is None else min(known[name], control.last(whole))
                   for name, control in self.declared.items()}
        return reached, State(known | reached | vars(found)), found

    def _settle(self) -> None:
        """Move the widgets to where the controls are, which must not start another round."""
        self.settling = True
        try:
            for name, control in self.controls.items():
                declared = self.declared[name]
                if declared.last is not None:
                    control.max = declared.last(self.state)
                put(control, self.values[name])
                if (fixed := name in self._fixed) or declared.idle:
                    control.disabled = fixed or bool(declared.idle and declared.idle(self.state))
            self.follow(self._found)
        finally:
            self.settling = False

    def _lay_out(self, wanted: tuple[str, ...]) -> tuple[Figure, list[Artist]]:
        self._laid, self._key = (wanted, self._narrow), ()
        figure, self.axes, self.plots = lay_out(self.views, wanted, self.size, self.below, self._narrow)
        self.arrange()
        if self._own is not None:
            own.make_room(self, figure, self._own)
        shown = [name for name, axes in self.axes.items() if axes.figure is figure]
        return figure, [artist for name in shown for artist in self.plots[name].artists]

    def _show_ghosts(self, earlier: tuple[State, F] | None) -> None:
        """Draw the lines of an earlier state, instead of those kept so far."""
        self.picture.remove(self._ghosts)
        self._ghosts = []
        if earlier:
            self._show(self, earlier[1], known=earlier[0])
            with use(self._style):
                kept = [self.plots[name] for name in self.shown if self.views[name].compared]
                self._ghosts = [artist for plot in kept for ghost in plot.ghosts() for artist in ghost.artists]
            self.picture.add(self._ghosts)

    def refuse(self, why: str) -> None:
        """Say what could not be done, before what the picture still shows."""
        self.picture.draw(f"{why}. {self._sentence}")

    # What can be asked of it.

    def wanted(self, values: Mapping[str, Any]) -> tuple[str, ...]:
        """The names of the views to show for these values of the controls."""
        return tuple(name for name, view in self.views.items() if view.wanted(values))

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

    @property
    def style(self) -> str:
        """How the picture looks, one of ck.plots.STYLES."""
        return next((name for name, style in STYLES.items() if style == self._style), "light")

    @style.setter
    def style(self, style: str) -> None:
        with self.picture.lock:
            self._style, self._laid = named(style), ((), self._narrow)
            self._go({})

    def stale(self, *key: Hashable) -> bool:
        """Whether the still part of the picture belongs to another key; then it is drawn again for this one."""
        if key == self._key:
            return False
        self._key = key
        self.picture.redraw()
        return True

    def check(self, values: Mapping[str, Any]) -> None:
        super().check(values)
        if line := values.get("before"):
            earlier = self.parse(line)
            if earlier.pop("before", ""):
                raise ValueError(f"before must be one state, without a before of its own; got {line!r}")
            self.check(self._defaults | earlier)

    def reset(self) -> None:
        """Put every control back to where it was at the start."""
        self.set(**self._start)

    @property
    def preset(self) -> str:
        """The line that leads here: what differs from an explorer that was made without any."""
        return self.line(self.values)

    @preset.setter
    def preset(self, line: str) -> None:
        self.set(**self._defaults | self.parse(line))

    def step(self) -> None:
        """One step on, along the control that a run walks along, or the one that is played."""
        self.forward(self.run)

    def forward(self, control: str = "", by: int = 1) -> None:
        """Move a control by so many of its values (the one that is played, if none is named)."""
        name = control or self.tools.player.control
        with self.picture.lock:
            values = self.stops(name)
            at = position(self.controls[name]) + by
            self.set(**{name: values[min(max(at, 0), len(values) - 1)]})

    def rewind(self, control: str = "") -> None:
        """Put a control to the first of its values (the one that is played, if none is named)."""
        self.forward(control, by=-(10**9))

    def compare(self) -> None:
        """Keep the lines of the present picture, gray and dashed, to compare with; again: take them away."""
        now = {name: value for name, value in self.values.items() if name != "before"}
        self.set(before="" if self.before else self.line(now, always="lam"))

    @property
    def sentence(self) -> str:
        return self.picture.sentence.replace("**", "")

    def __repr__(self) -> str:
        return self.sentence

    def png(self) -> bytes:
        """The picture as the bytes of a PNG file."""
        return self.picture.png()

    def save(self, path: str | Path, overwrite: bool = False) -> None:
        """Write the picture at print quality: 300 dots an inch (.png) or vectors (.svg, .pdf).

        Raises ValueError for another ending, FileExistsError where there is a file, unless `overwrite`.
        """
        files.write(Path(path), self.picture.printed(stills.kind(path, stills.STILL, overwrite)))

    def gif(self, control: str, path: str | Path, *, frames: int = 60, overwrite: bool = False) -> None:
        """Write an animation in which a control takes all its values, or `frames` of them, evenly spread.

        It shows as many values in a second as the player. Raises like `save`, before anything is drawn.
        """
        from tqdm.auto import tqdm
        stills.kind(path, ("gif",), overwrite)
        files.write(Path(path), stills.animation(self, control, frames, tqdm))

    _repr_mimebundle_ = stills.bundle


def _freeze(value: Any) -> None:
    """Make all arrays in it read-only."""
    if isinstance(value, np.ndarray):
        value.setflags(write=False)
    elif isinstance(value, (list, tuple, dict)):
        for one in value.values() if isinstance(value, dict) else value:
            _freeze(one)
