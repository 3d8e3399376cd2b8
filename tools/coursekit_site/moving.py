"""What a page needs to move a line among emails before its Python has come: the lists that `hyperplane` draws."""

import json
from base64 import b64encode
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np
from matplotlib.artist import Artist

from coursekit.core.text import typeset
from coursekit.explorers.chapters import hyperplane
from coursekit.models.hyperplane import EDGES, LENGTHS, REACHES, SHIFTS, LineByHand
from coursekit.plots.boundary import corners
from coursekit.plots.normal import GRID

DIGITS = "0123456789"


def line_by_hand(name: str, preset: str, main: Sequence[str]) -> dict[str, Any] | None:
    """For a wide and for a narrow page: the ground, a frame, which ops of it are whose, and the numbers behind it. None
    for an explorer that is not moved before Python is there. main: the controls under its picture.

    Marks that are nowhere in this frame are there, somewhere, for their looks; `digits` are the letters of a count,
    `none` and `some` the sentence: that without errors, and what stands on either side of their number.
    """
    if name != "hyperplane" or tuple(main) != hyperplane.HyperplaneExplorer.main:
        return None
    explorer = hyperplane.HyperplaneExplorer(preset)
    if explorer.dataset != "mails" or explorer.example >= 0:
        return None
    found: dict[str, Any] = {}
    for name, narrow in (("wide", False), ("narrow", True)):
        explorer.narrow = narrow
        found[name] = _listed(explorer)
    found["glyphs"] = {glyph: outline for one in found.values() for glyph, outline in one.pop("glyphs").items()}
    found |= {name: explorer.values[name] for name in ("angle", "shift", "length")}
    stops = {name: explorer.controls[name].given for name in main}
    found["controls"] = {name: (given[0], given[-1], round(given[1] - given[0], 9)) for name, given in stops.items()}
    limits = {"reaches": REACHES, "edges": EDGES, "lengths": LENGTHS, "shifts": (-SHIFTS, SHIFTS)}
    found["none"], some = (_said(explorer, wrong) for wrong in (0, 88))
    found |= {"some": some.split("88"), "grid": GRID.tolist(), "limits": limits}
    return found | {"X": np.round(explorer.state.data.X, 4).tolist(), "y": explorer.state.data.y.tolist()}


def _listed(explorer: hyperplane.HyperplaneExplorer) -> dict[str, Any]:
    boundary, shadows, normal = explorer.boundary, explorer.shadows, explorer.normal
    feet = [*shadows.feet[0], *shadows.feet[1]]
    named: dict[str, Sequence[Artist]] = {
        "side": boundary.sides, "line": [boundary.line], "wrong": boundary.wrong, "rays": [shadows.rays],
        "way": [shadows.way], "feet": feet, "theta": [normal.arrow], "ends": [normal.ends],
        "names": [explorer.sides.names], "count": [explorer.notes.corner],
    }
    for name, artists in named.items():
        for k, artist in enumerate(artists):
            artist.set_gid(f"{name}{k}")
    for marks in (*boundary.wrong, *feet):
        if not np.size(marks.get_xdata()):
            marks.set_data([0.0], [0.0])
    explorer.notes.show(DIGITS)
    digits = json.loads(explorer.picture.frame["list"])
    [word] = [digits["ops"][first] for first, _ in digits["groups"]["count0"]]
    explorer.notes.show(f"88 of {len(explorer.state.data)} wrong")
    explorer.picture.draw("")
    lists = [explorer.picture.ground, explorer.picture.frame]
    numbers = [digits["glyphs"][k] for k in word[4]]
    letters = {*numbers, *(glyph for one in lists for glyph in json.loads(one["list"])["glyphs"])}
    low, high = corners(explorer.plane)
    (x0, y0), (x1, y1) = explorer.plane.bbox.get_points()
    height = explorer.picture.figure.bbox.height
    return {
        "lists": [{"list": one["list"], "at": b64encode(one["at"]).decode()} for one in lists],
        "glyphs": {glyph: explorer.picture.ground["glyphs"][glyph] for glyph in sorted(letters)},
        "digits": numbers,
        "low": low.tolist(), "high": high.tolist(), "box": [x0, height - y1, x1, height - y0],
        "point": explorer.picture.figure.dpi / 72, "aside": explorer._arrow.aside,
        "grip": hyperplane.GRIP * explorer.picture.figure.dpi / 100,
    }


def _said(explorer: hyperplane.HyperplaneExplorer, wrong: int) -> str:
    """The sentence of a line that gets so many emails wrong."""
    found: Any = SimpleNamespace(data=explorer.state.data, misclassified=wrong)
    return typeset(LineByHand.sentence(found, -1, "email")).replace("**", "")
