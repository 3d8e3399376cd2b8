"""What to show in a lecture: the explorers, and settings of each that make a point, named after it, in presets.toml."""

import tomllib
from pathlib import Path
from typing import NamedTuple

from coursekit.core.text import meant


class Preset(NamedTuple):
    name: str
    point: str
    line: str


class Show(NamedTuple):
    chapter: int
    about: str
    presets: tuple[Preset, ...]


SHOWS = {
    explorer: Show(show["chapter"], show["about"], tuple(Preset(name, **one) for name, one in show["presets"].items()))
    for explorer, show in tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8")).items()
}


def line(explorer: str, preset: str = "") -> str:
    """The controls that a preset's name stands for; a line like "lam=0.01 seed=3" stands for itself.

    Raises ValueError, with the known ones, for an unknown explorer or name.

    >>> line("svm", "hard-margin")
    'separability=1 lam=1e-6 k=0'
    """
    if explorer not in SHOWS:
        near = meant(explorer, SHOWS)
        raise ValueError(f"explorer must be one of {', '.join(SHOWS)} or predict; got {explorer!r}{near}")
    if not preset or "=" in preset:
        return preset
    known = {one.name: one.line for one in SHOWS[explorer].presets}
    if preset not in known:
        raise ValueError(f'preset must be one of {", ".join(known)}, or a line like "lam=0.01 seed=3"; got {preset!r}'
                         + meant(preset, known))
    return known[preset]
