"""The drawer under the picture: all other controls; play any, compare, copy the state, change the look, save."""

from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import ipywidgets as widgets

from coursekit.core import validate
from coursekit.explorers import stills
from coursekit.explorers.controls import button, group, position, stops, text
from coursekit.plots.style import STYLES

if TYPE_CHECKING:
    from coursekit.explorers.explorer import Explorer

SPEEDS = (0.5, 1, 2, 5, 10, 20)


class Player:
    """Play, pause and single steps along the values of one control; time is kept by the browser.

    .control: its name, one of .choices. .speed: values a second. .playing: whether it runs. All three can be set.
    """

    def __init__(self, explorer: "Explorer[Any]", names: dict[str, str]) -> None:
        """names: of the controls to choose from, and their descriptions."""
        self._explorer, self.choices = explorer, list(names)
        self.home = explorer.run if explorer.run in names else next(iter(names), "")
        pace = explorer.declared[explorer.run].walk if explorer.run else 5
        values = [(shown, name) for name, shown in names.items()]
        self.choice = widgets.Dropdown(description="play", options=values, value=self.home or None)
        speeds = [(f"{speed} a second", speed) for speed in SPEEDS]
        self.pace = widgets.Dropdown(description="speed", options=speeds, value=pace)
        self.play = widgets.Play(interval=1000 / pace, max=10**6, show_repeat=False)
        self.step = button("Step", "one step on (in the picture: period)", explorer.forward)
        self.back = button("Back", "one step back (in the picture: comma)", lambda: explorer.forward(by=-1))
        self.first = button("Rewind", "back to the first value", explorer.rewind)
        self.step.add_class("ck-step")
        self.buttons = [self.step, self.play, self.first]
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
    """What lies under the picture: `desk`, the main controls with buttons beside them, and `drawer`, the other controls
    and rows of tools, which `opener`, the last of those buttons, opens and closes."""

    def __init__(self, explorer: "Explorer[Any]", hidden: Collection[str], fixed: Collection[str]) -> None:
        """hidden, fixed: controls that cannot be played."""
        self._explorer = explorer
        self.player = player = Player(explorer, {
            name: control.description for name, control in explorer.controls.items()
            if name not in (*hidden, *fixed, "also") and len(stops(control)) > 1
        })  # fmt: skip
        others = [name for name, control in explorer.declared.items()
                  if not control.tucked and name not in explorer.mains]
        walk = player.buttons if explorer.run not in explorer.mains else []
        keeps = "keep the present lines, gray and dashed (in the picture: C)"
        self.ghost = widgets.ToggleButton(description="Compare with before", tooltip=keeps)
        self.style = widgets.Dropdown(description="style", options=[*STYLES], value=explorer.style)
        self.kind = widgets.Dropdown(description="save as", options=[name.upper() for name in (*stills.STILL, "gif")])
        self.save = button("Save", "download the picture; a GIF plays the chosen control", self._save)
        self.progress = widgets.IntProgress(description="frames", layout={"display": "none"})
        self.line = text("state", "as it was made; paste the line of a state here").make()
        self.drawer = widgets.VBox([
            group("ck-others", *(explorer.controls[name] for name in others)),
            *explorer.more_tools(),
            group("ck-tools", player.choice, player.pace, *walk, player.back, self.ghost),
            group("ck-tools", self.line, self.style, self.kind, self.save, self.progress),
            widgets.HTML(f'<div class="ck-help">Keys in the picture: {explorer.key_help}</div>'),
        ], _dom_classes=("ck-drawer",))  # fmt: skip
        more, tooltip = f"More controls {len({*others} - {*hidden})}", "and tools: compare, state, style, save"
        self.opener = widgets.ToggleButton(description=more, tooltip=tooltip, _dom_classes=("ck-more",))
        reset = button("Reset", "put every control back to where it was at the start", explorer.reset)
        main = [name for name in explorer.mains if name not in hidden] or [""]
        beside = {name: player.buttons if name and name == explorer.run else [] for name in main}
        beside[main[0]] = [*beside[main[0]], *explorer.buttons(), reset, self.opener]
        self.desk = [group("ck-main", *([explorer.controls[name]] if name else []), group("ck-beside", *beside[name]))
                     for name in main]
        self.opener.observe(self._opened, "value")
        self.ghost.observe(self._compared, "value")
        self.style.observe(lambda change: setattr(explorer, "style", change["new"]), "value")
        self.line.observe(self._pasted, "value")

    def follow(self) -> None:
        """Show the present state. What cannot be seen costs the browser time all the same."""
        if self._explorer.run or self.opener.value or self.player.playing:
            self.player.follow()
        self.ghost.value = bool(self._explorer.before)
        if self.opener.value:
            self.line.value = self._explorer.preset

    def do(self, word: str) -> None:
        """Do what a word of the text says, such as "lam=0.1&k=40", "preset=hard-margin" or "step", see touching.js.

        `step`, `play` and `reset` do what those buttons do. Where that cannot be, nothing changes, and it says why.
        """
        explorer = self._explorer
        actions = {"step": explorer.step, "play": self.player.toggle, "reset": explorer.reset}
        with explorer.picture.lock:
            try:
                if word in actions:
                    actions[word]()
                elif word.startswith("preset="):
                    from coursekit.explorers import presets  # reads a file that nobody else in a page needs
                    explorer.preset = presets.line(explorer.name, word.removeprefix("preset="))
                else:
                    explorer.set(word.replace("&", " "))
            except ValueError as error:
                explorer.refuse(f"“{word}” cannot be. {error}")

    def _opened(self, change: dict[str, Any]) -> None:
        if change["new"]:
            self._explorer.widget.add_class("ck-open")
        else:
            self._explorer.widget.remove_class("ck-open")
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
            self._explorer.refuse(f"This line cannot be a state. {error}")

    def _save(self) -> None:
        explorer, kind, control = self._explorer, self.kind.value.lower(), self.player.control
        gif = stills.animation(explorer, control, 60, self._bar) if kind == "gif" else b""
        explorer.picture.download(f"{explorer.name}.{kind}", gif or explorer.picture.printed(kind))

    def _bar(self, values: Sequence[Any]) -> Iterator[Any]:
        self.progress.max, self.progress.layout.display = len(values), "flex"
        try:
            for done, value in enumerate(values):
                self.progress.value = done
                yield value
        finally:
            self.progress.layout.display = "none"
