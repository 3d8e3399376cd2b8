"""What all explorers share: a strip of controls, a picture, a sentence, and a state to read and set.

An explorer holds no mathematics. It hands the values of its controls to a pure `compute`, the result to
the plots, and the sentence to the picture.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Iterable
from contextlib import suppress
from itertools import groupby
from pathlib import Path
from threading import RLock
from typing import Any

import ipywidgets as widgets
from matplotlib.artist import Artist
from matplotlib.figure import Figure

from coursekit.explorers import saving
from coursekit.explorers.controls import Fixed, button, position, row, stops
from coursekit.explorers.picture import Picture, Stroke
from coursekit.explorers.state import Controlled, State
from coursekit.explorers.tools import Tools
from coursekit.plots.ghost import Ghost
from coursekit.plots.style import named, use


def repeated(action: Callable[[], object]) -> Callable[[int], None]:
    """What a key does that was pressed several times."""

    def several(times: int) -> None:
        for _ in range(times):
            action()

    return several


class Explorer(Controlled):
    """A picture that follows its controls. Subclasses fill in what the methods below leave open.

    Explorer("lam=0.01 seed=3", eta=0.5): controls are set from one short line, from keywords, or both.
    style: how the picture looks, one of ck.plots.STYLES ("light", "projector", "dark").
    hide, fix: names of controls that are not shown, or shown and kept at their value.
    Every control is an attribute: explorer.lam reads it, explorer.lam = 0.1 sets it and redraws.
    .state: control values and everything computed. .sentence: what the picture shows. .reset(): as at
    the start. .preset: the short line that leads here from anywhere; setting it goes there.
    .before: the line of another state, drawn under the present one, grey and dashed; .compare() sets it.
    .forward(), .rewind() and .player walk along the values of one control.
    .png(), .save(path), .gif(control, path): the picture, to keep.
    """

    tucked: tuple[str, ...] = ()  # controls that stand among the tools, not in the strip
    run = ""  # the control that a run of the algorithm walks along: Rewind, Step and Play stand beside it
    pace = 5  # how many values of a control Play shows in a second
    key_help = "Space plays or pauses; full stop and comma step on and back; C compares with before."

    def controls(self) -> dict[str, widgets.Widget]:
        """The controls by name, in the order in which they stand in the strip."""
        raise NotImplementedError

    def draw_once(self) -> tuple[Figure, list[Artist]]:
        """The figure with its plots, and the artists that will move."""
        raise NotImplementedError

    @staticmethod
    def compute(**values: Any) -> dict[str, Any]:
        """Everything the picture needs, from the values of the controls."""
        raise NotImplementedError

    def follow(self, state: State) -> None:
        """Fit the controls to the state: where a slider ends, which control has no effect now."""

    def show(self, state: State) -> str:
        """Hand the state to the plots; return the sentence that says what they show."""
        raise NotImplementedError

    def ghosts(self) -> list[Ghost]:
        """Copies of the lines that are worth comparing with others."""
        raise NotImplementedError

    def more_tools(self) -> list[widgets.Widget]:
        """Rows of this explorer's own for the drawer of tools."""
        return []

    def buttons(self) -> list[widgets.Widget]:
        """Buttons of this explorer's own, for the strip."""
        return []

    touch: Callable[[Stroke], None] | None = None  # a method here is called when the picture is touched

    def keys(self) -> dict[str, Callable[[int], object]]:
        """What keys do while the picture has the focus; each is told how often it was pressed in a row."""
        return {
            " ": repeated(lambda: self.tools.player.toggle()),
            ".": lambda times: self.forward(by=times),
            ",": lambda times: self.forward(by=-times),
            "c": repeated(self.compare),
        }

    def __init__(
        self, preset: str = "", *, style: str = "light", hide: str | Iterable[str] = (), fix: str | Iterable[str] = (),
        **values: Any,
    ) -> None:
        self.__dict__["_controls"] = {}
        self._lock, self._quiet = RLock(), True
        self._controls.update(self.controls(), before=widgets.Text())
        self._defaults, self._ghosts, self._frozen = self._values(), [], ""
        hidden, fixed = self._named("hide", hide), self._named("fix", fix)
        self._style = named(style)
        with use(self._style):
            figure, moving = self.draw_once()
            self.picture = Picture(figure, moving, self.touch and self._touched)
        self.picture.label, self.picture.key_help = f"{self.name.replace('_', ' ')}: picture", self.key_help
        self.picture.on_keys(list(self.keys()), self._pressed)
        self.tools = Tools(self, hidden | fixed)
        for control in self._controls.values():
            control.observe(self._changed, "value")
        self._update()
        self.set(preset, **values)
        self._start, self._fixed = self._values(), fixed
        for name in hidden:
            self._controls[name].layout.display = "none"
        for name in fixed:
            self._controls[name].disabled = True
        self.widget = widgets.VBox([*self.strip(), self.tools.drawer, self.picture])
        self.widget.layout.max_width = "100%"
        self.widget.add_class("ck-whole")

    def strip(self) -> list[widgets.Widget]:
        """The rows above the picture."""
        elsewhere = {"before", self.run, *self.tucked}
        shown = [control for name, control in self._controls.items() if name not in elsewhere]
        reset = button("Reset", "put every control back to where it was at the start", self.reset)
        last = [*self.buttons(), reset, self.tools.opener]
        if not self.run:
            return [row(*shown, *last)]
        player = [*self.tools.player.buttons, self._controls[self.run]]
        return [row(*shown), row(*player, *last)]

    def _changed(self, _change: object) -> None:
        with self._lock:
            if not self._quiet:
                self._update()

    def _update(self) -> None:
        """Compute and draw. Controls that follow() moves must not start another round."""
        with self._lock:
            self._quiet = True
            try:
                self._freeze()
                self.state = self._computed(self._values())
                self.follow(self.state)
                for name in self._fixed:
                    self._controls[name].disabled = True
                said = self.show(self.state)
                self.picture.draw(self.state.get("problem") or said)
                self.tools.follow()
            finally:
                self._quiet = False

    def _computed(self, values: dict[str, Any]) -> State:
        known = {name: value for name, value in values.items() if name != "before"}
        return State(values | self.compute(**known))

    def set(self, preset: str = "", **values: Any) -> None:
        """Set several controls and draw once: set("lam=0.01 seed=3") or set(lam=0.01, seed=3)."""
        values = self._parsed(preset) | values
        self._check(values)
        with self._lock:
            self._quiet = True
            try:
                for name, value in values.items():
                    self._assign(name, value)
            finally:
                self._quiet = False
            self._update()

    def reset(self) -> None:
        self.set(**self._start)

    def forward(self, control: str = "", by: int = 1) -> None:
        """Move a control by so many of its values (the one that the player plays, if none is named)."""
        name = control or self.tools.player.control
        values = stops(self._control(name))
        if not values:
            raise ValueError(f"control must be one with values to step through; got {name!r}")
        at = position(self._controls[name]) + by
        self.set(**{name: values[min(max(at, 0), len(values) - 1)]})

    def rewind(self, control: str = "") -> None:
        """Put a control to the first of its values (the one that the player plays, if none is named)."""
        self.forward(control, -len(stops(self._control(control or self.tools.player.control))))

    def compare(self) -> None:
        """Keep the lines of the present picture, grey and dashed, to compare with; again: take them away."""
        now = {name: value for name, value in self._values().items() if name != "before"}
        self.before = "" if self.before else self._line(now, always="lam")

    def _check(self, values: Any) -> None:
        super()._check(values)
        if line := values.get("before"):
            earlier = self._parsed(line)
            if earlier.pop("before", ""):
                raise ValueError(f"before must be one state, without a before of its own; got {line!r}")
            self._check(self._defaults | earlier)

    def _freeze(self) -> None:
        """Draw the lines of the state `before`."""
        if self.before == self._frozen:
            return
        self._frozen = self.before
        for ghost in self._ghosts:
            self.picture.remove(ghost.artists)
            ghost.remove()
        self._ghosts = []
        if self.before:
            self.show(self._computed(self._defaults | self._typed(self._parsed(self.before))))
            with use(self._style):
                self._ghosts = self.ghosts()
            for ghost in self._ghosts:
                self.picture.add(ghost.artists)

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
        with self._lock:
            return self.picture.png()

    def save(self, path: str | Path, overwrite: bool = False) -> None:
        """Write the picture at print quality: 300 dots an inch (.png) or vectors (.svg, .pdf).

        Raises ValueError for another ending, FileExistsError where there is a file, unless `overwrite`.
        """
        kind = saving.kind(path, saving.STILL)
        with self._lock:
            content = self.picture.printed(kind)
        saving.write(path, content, overwrite)

    def gif(self, control: str, path: str | Path, *, frames: int = 60, overwrite: bool = False) -> None:
        """Write an animation in which a control takes all its values, or `frames` of them, evenly spread.

        It shows as many values in a second as the player. Raises like `save`, before anything is drawn.
        """
        saving.kind(path, ("gif",))
        saving.free(path, overwrite)
        saving.write(path, saving.animated(self, control, frames), overwrite)

    def __repr__(self) -> str:
        return self.sentence

    def _repr_mimebundle_(self, **_kwargs: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        """The live widget, the still picture for where nothing runs, and the sentence."""
        still = {"image/png": base64.b64encode(self.png()).decode(), "text/plain": self.sentence}
        return self.widget._repr_mimebundle_() | still, {"image/png": {"alt": self.sentence}}
