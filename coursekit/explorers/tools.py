"""A drawer of tools for a demonstration: play any control, compare with before, copy the state, save the picture."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import ipywidgets as widgets

from coursekit.core import validate
from coursekit.explorers import saving
from coursekit.explorers.controls import button, line, menu, position, row, stops, toggle

if TYPE_CHECKING:
    from coursekit.explorers.explorer import Explorer

SPEEDS = (0.5, 1, 2, 5, 10, 20)


class Player:
    """Play, pause and single steps along the values of one control; time is kept by the browser.

    .control: its name, one of .choices. .speed: values a second. .playing: whether it runs. All three can be set.
    """

    def __init__(self, explorer: Explorer[Any], names: dict[str, str]) -> None:
        """names: of the controls to choose from, and what the strip calls them."""
        self._explorer, self.choices = explorer, list(names)
        self.home = explorer.run if explorer.run in names else next(iter(names), "")
        pace = explorer.declared[explorer.run].walk if explorer.run else 5
        self.choice = menu("play", [(shown, name) for name, shown in names.items()], self.home or None, "160px")
        self.pace = menu("speed", [(f"{speed} a second", speed) for speed in SPEEDS], pace, "140px")
        self.play = widgets.Play(interval=1000 / pace, max=10**6, show_repeat=False, layout={"width": "auto"})
        self.step = button("Step", "one step on (in the picture: full stop)", explorer.forward)
        self.back = button("Back", "one step back (in the picture: comma)", lambda: explorer.forward(by=-1))
        self.first = button("Rewind", "back to the first value", explorer.rewind)
        self.buttons = [self.first, self.step, self.play]
        for one in (*self.buttons, self.back):
            one.disabled = not names
        self.play.observe(self._played, "value")
        self.choice.observe(lambda _change: self.follow(), "value")
        self.pace.observe(lambda change: self.play.set_trait("interval", round(1000 / change["new"])), "value")

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
        """Play goes on from where the control is."""
        if self.control:
            self.play.value = position(self._explorer.controls[self.control])

    def _played(self, change: dict[str, Any]) -> None:
        """Play counts without end: it stops at the last value, and from there starts again at the first."""
        control, at = self._explorer.controls[self.control], change["new"]
        values, here = stops(control), position(control)
        if at == here:  # `follow` has put it there
            return
        last = len(values) - 1
        if at > last:
            at = 0 if here == last else last
        self._explorer.set(**{self.control: values[at]})
        if at == last:
            self.play.playing = False


class Tools:
    """`opener`, a button, shows or hides `drawer`, rows of tools; they are closed at the start."""

    def __init__(self, explorer: Explorer[Any], kept: Iterable[str]) -> None:
        """kept: controls that cannot be played."""
        self._explorer = explorer
        self.player = player = Player(explorer, {
            name: control.description
            for name, control in explorer.controls.items() if name not in kept and len(stops(control)) > 1
        })  # fmt: skip
        walk = [player.choice, player.back, player.pace]
        if not explorer.run:
            walk[1:2] = [player.first, player.back, player.step, player.play]
        self.ghost = toggle("Compare with before", "keep the present lines, grey and dashed (in the picture: C)")
        self.kind = menu("save as", [name.upper() for name in (*saving.STILL, "gif")], "PNG", "140px")
        self.save = button("Save", "download the picture; a GIF plays the chosen control", self._save)
        self.progress = widgets.IntProgress(description="frames", layout={"width": "180px", "display": "none"})
        self.line = line("state", "as it was made; paste the line of a state here")
        help_line = widgets.HTML(f'<div class="ck-help">Keys in the picture: {explorer.key_help}</div>')
        keep = row(self.line, self.kind, self.save, self.progress)
        rows = [row(*walk, self.ghost), *explorer.more_tools(), keep, help_line]
        self.drawer = widgets.VBox(rows, layout={"display": "none", "max_width": "900px"})
        self.drawer.add_class("ck-tools")
        self.opener = toggle("Tools", "play, compare, copy the state, save")
        self.opener.observe(self._opened, "value")
        self.ghost.observe(self._compared, "value")
        self.line.observe(self._pasted, "value")

    def follow(self) -> None:
        """Show the present state. What cannot be seen costs the browser time all the same."""
        if self._explorer.run or self.opener.value or self.player.playing:
            self.player.follow()
        self.ghost.value = bool(self._explorer.before)
        if self.opener.value:
            self.line.value = self._explorer.preset

    def _opened(self, change: dict[str, Any]) -> None:
        self.drawer.layout.display = "flex" if change["new"] else "none"
        if not change["new"]:
            self.player.choice.value = self.player.home or None
        self.follow()

    def _compared(self, change: dict[str, Any]) -> None:
        if change["new"] != bool(self._explorer.before):
            self._explorer.compare()

    def _pasted(self, change: dict[str, Any]) -> None:
        try:
            if change["new"] != self._explorer.preset:
                self._explorer.preset = change["new"]
        except ValueError as error:
            self._explorer.picture.draw(f"This line cannot be a state. {error}")

    def _save(self) -> None:
        saving.download(self._explorer, self.kind.value.lower(), self._bar)

    def _bar(self, values: Sequence[Any]) -> Iterator[Any]:
        self.progress.max, self.progress.layout.display = len(values), "flex"
        try:
            for done, value in enumerate(values):
                self.progress.value = done
                yield value
        finally:
            self.progress.layout.display = "none"
