"""Words of a text that touch the picture, as links: [drag λ to 0.1](#lam=0.1), [Step](#step), [margin](#light=margin).

`name=value`, several with & between them, set controls; `preset=NAME` goes where that preset leads; `step`, `play` and
`reset` do what those buttons do. `light=NAME` is the page's own affair (see touching.js): it lights the artists whose
group id is NAME, `artist.set_gid("margin")`.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from coursekit.explorers.explorer import Explorer


def do(explorer: "Explorer[Any]", word: str) -> None:
    """Do what a word says; where that cannot be, nothing changes, and the picture says why."""
    actions = {"step": explorer.step, "play": explorer.tools.player.toggle, "reset": explorer.reset}
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
