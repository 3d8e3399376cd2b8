"""A drawer of tools for a demonstration: play any control, compare with before, copy the state, save the picture."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import ipywidgets as widgets

from coursekit.core import validate
from coursekit.explorers import controls as parts
from coursekit.explorers import saving

if TYPE_CHECKING:
    from coursekit.explorers.explorer import Explorer

SPEEDS = (0.5, 1, 2, 5, 10, 20)


class Player:
    """Play, pause and single steps along the values of one control; time is kept by the browser.

    .control: its name, one of .choices. .speed: values a second. .playing: whether it
    runs. All three can be set.
    """

    def __init__(self, explorer: Explorer, names: dict[str, str]) -> None:
        """names: of the controls to choose from, and what the strip calls them."""
        self._explorer, self._quiet, self.choices = explorer, False, list(names)
        self.home = explorer.run if explorer.run in names else next(iter(names), "")
        self.choice = widgets.Dropdown(
            options=[(shown, name) for name, shown in names.items()], value=self.home or None, description="play",
            style=parts.NARROW, layout=widgets.Layout(width="160px"),
        )
        self.pace = widgets.Dropdown(
            options=[(f"{speed} a second", speed) for speed in SPEEDS], value=explorer.pace, description="speed",
            style=parts.NARROW, layout=widgets.Layout(width="140px"),
        )
        self.play = widgets.Play(interval=1000 / explorer.pace, max=10**6, show_repeat=False)
        self.play.layout.width = "auto"
        self.step = parts.button("Step", "one step on (in the picture: full stop)", explorer.forward)
        self.back = parts.button("Back", "one step back (in the picture: comma)", lambda: explorer.forward(by=-1))
        self.first = parts.button("Rewind", "back to the first value", explorer.rewind)
        self.buttons = [self.first, self.step, self.play]
        for button in (*self.buttons, self.back):
            button.disabled = not names
        self.play.observe(self._played, "value")
        self.choice.observe(lambda _change: self.follow(), "value")
        self.pace.observe(self._paced, "value")

    @property
    def control(self) -> str:
        return self.choice.value

    @control.setter
    def control(self, name: str) -> None:
        self.choice.value = validate.one_of("control", name, self.choices)

    @property
    def speed(self) -> float:
        return self.pace.value

    @speed.setter
    def speed(self, speed: float) -> None:
        if speed not in SPEEDS:
            raise ValueError(f"speed must be one of {', '.join(map(str, SPEEDS))}; got {speed!r}")
        self.pace.value = speed

    @property
    def playing(self) -> bool:
        return self.play.playing

    @playing.setter
    def playing(self, playing: bool) -> None:
        self.follow()
        self.play.playing = validate.one_of("playing", playing, (True, False))

    def toggle(self) -> None:
        """Play, or pause."""
        self.playing = not self.playing

    def follow(self) -> None:
        """Play goes on from where the control stands."""
        if not self.control:
            return
        self._quiet = True
        try:
            self.play.value = parts.position(self._explorer._controls[self.control])
        finally:
            self._quiet = False

    def _played(self, change: dict[str, Any]) -> None:
        """Play counts on and knows no end: it stops at the last value, and from there begins anew."""
        if self._quiet:
            return
        control = self._explorer._controls[self.control]
        values, at = parts.stops(control), change["new"]
        last = len(values) - 1
        if at > last:
            at = 0 if parts.position(control) == last else last
        self._explorer.set(**{self.control: values[at]})
        if at == last:
            self.play.playing = False

    def _paced(self, change: dict[str, Any]) -> None:
        self.play.interval = round(1000 / change["new"])


class Tools:
    """`opener`, a button, shows or hides `drawer`, rows of tools; they are closed at the start."""

    def __init__(self, explorer: Explorer, kept: Iterable[str]) -> None:
        """kept: controls that cannot be played."""
        self._explorer, self._quiet = explorer, False
        names = {
            name: control.description
            for name, control in explorer._controls.items() if name not in kept and len(parts.stops(control)) > 1
        }
        self.player = player = Player(explorer, names)
        walk = [player.choice, player.back, player.pace]
        if not explorer.run:
            walk[1:2] = [player.first, player.back, player.step, player.play]
        self.ghost = widgets.ToggleButton(
            description="Compare with before", layout=widgets.Layout(width="auto"),
            tooltip="keep the present lines, grey and dashed (in the picture: C)",
        )
        self.kind = parts.choice("save as", [name.upper() for name in (*saving.STILL, "gif")])
        self.kind.layout, self.kind.style = widgets.Layout(width="140px"), parts.NARROW
        self.save = parts.button("Save", "download the picture; a GIF plays the chosen control", self._save)
        self.progress = widgets.IntProgress(description="frames", layout=widgets.Layout(width="180px", display="none"))
        self.line = parts.text("state", "as it was made; paste the line of a state here")
        help_line = widgets.HTML(f'<div class="ck-help">Keys in the picture: {explorer.key_help}</div>')
        self.drawer = widgets.VBox(
            [
                parts.row(*walk, self.ghost),
                *explorer.more_tools(),
                parts.row(self.line, self.kind, self.save, self.progress),
                help_line,
            ],
            layout=widgets.Layout(display="none", max_width="900px"),
        )
        self.drawer.add_class("ck-tools")
        self.opener = widgets.ToggleButton(
            description="Tools", tooltip="play, compare, copy the state, save", layout=widgets.Layout(width="auto")
        )
        self.opener.observe(self._opened, "value")
        self.ghost.observe(self._compared, "value")
        self.line.observe(self._pasted, "value")

    def follow(self) -> None:
        """Show where the explorer stands now. What cannot be seen costs the browser time all the same."""
        if self._explorer.run or self.opener.value or self.player.playing:
            self.player.follow()
        self._quiet = True
        try:
            self.ghost.value = bool(self._explorer.before)
            if self.opener.value:
                self.line.value = self._explorer.preset
        finally:
            self._quiet = False

    def _opened(self, change: dict[str, Any]) -> None:
        self.drawer.layout.display = "flex" if change["new"] else "none"
        if not change["new"]:
            self.player.choice.value = self.player.home or None
        self.follow()

    def _compared(self, _change: object) -> None:
        if not self._quiet:
            self._explorer.compare()

    def _pasted(self, change: dict[str, Any]) -> None:
        if self._quiet:
            return
        try:
            self._explorer.preset = change["new"]
        except ValueError as error:
            self._explorer.picture.draw(f"This line cannot be a state. {error}")

    def _save(self) -> None:
        kind = self.kind.value.lower()
        name = f"{self._explorer.name}.{kind}"
        if kind == "gif":
            content = saving.animated(self._explorer, self.player.control, 60, self._bar)
        else:
            content = self._explorer.picture.printed(kind)
        self._explorer.picture.download(name, content)

    def _bar(self, values: list[Any]) -> Iterator[Any]:
        self.progress.max, self.progress.layout.display = len(values), "flex"
        try:
            for done, value in enumerate(values):
                self.progress.value = done
                yield value
        finally:
            self.progress.layout.display = "none"
